"""The players' clock on an emulated Pico, beside the time of its chip. It takes some ten minutes."""

import io
import os
from pathlib import Path

import pytest

from host_tools.firmware import device_files
from host_tools.packs.build import compile_system
from host_tools.sim.rp2040 import UF2_VARIABLE, Pico, find_uf2, read_files
from host_tools.sim.script import KEYS, Player, parse
from tableside.core.pack import Pack
from tableside.core.session import Session
from tableside.hw.store import Store
from tableside.rules import resolver
from tableside.ui.turn_clock import TurnClock

SYSTEM = "dice"
RUN_MS = int(os.environ.get("TABLESIDE_CLOCK_MS", "20000"))
PRESS_MS = 60
WAY = "to New game; press OK; press OK; press OK; to Clock; press OK; expect The clock is off"

pytestmark = pytest.mark.skipif(
    not os.environ.get(UF2_VARIABLE), reason=f"{UF2_VARIABLE} names no image of MicroPython for the Pico"
)


def ok(pico: Pico) -> int:
    """Press OK. Returns: when it was let go, in nanoseconds: then it acts."""
    pico.press(KEYS["OK"])
    pico.run_ms(PRESS_MS)
    at_ns = pico.chip.now_ns
    pico.release(KEYS["OK"])
    return at_ns


def on_the_clock(pico: Pico, folder: Path) -> int:
    """The milliseconds that a paused clock has in flash."""
    pico.run_ms(500)
    for name, data in read_files(pico.disk()).items():
        if name.startswith("sessions/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
    store = Store(f"{folder}/sessions")
    session = Session.resume(Pack(io.BytesIO(compile_system(SYSTEM).data)), store.open(store.numbers()[0]), resolver)
    clock = TurnClock(session, 0, 0)
    session.close()
    assert clock.paused
    return clock.total_ms()


def test_it_drifts_less_than_a_thousandth(tmp_path: Path) -> None:
    files = {**device_files("pico", [SYSTEM]), "settings.json": b'{"hints": 255}'}
    way = tmp_path / "way.txt"
    way.write_text(WAY.replace("; ", "\n"))
    with Pico(find_uf2(None), files=files) as pico:
        Player(pico, tmp_path).play(parse(way))
        ok(pico)  # turns it on
        pico.run_ms(500)
        ok(pico)  # pauses it
        before_ms = on_the_clock(pico, tmp_path)
        start_ns = ok(pico)
        pico.run_ms(RUN_MS)
        passed_ms = (ok(pico) - start_ns) / 1e6
        counted_ms = on_the_clock(pico, tmp_path) - before_ms
        assert pico.serial == []
    drift = (counted_ms - passed_ms) / passed_ms
    print(f"{counted_ms} ms on the clock, {passed_ms:.1f} ms passed: {drift:+.4%}")
    assert abs(drift) < 0.001
