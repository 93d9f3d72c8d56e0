"""The budgets of a Pico, measured on an emulated one: on its clock, so each run says the same.

It needs an image of MicroPython for the Pico, which TABLESIDE_UF2 names. An emulated second takes some 20 seconds:
`python -m bench.emulator boot presses` prints only some of it.
"""

import io
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bench.vms import SCRIPTS
from host_tools.errors import CommandError
from host_tools.firmware import compile_source, compiled_modules, device_files
from host_tools.packs.build import compile_system
from host_tools.sim.rp2040 import UF2_VARIABLE, Pico, find_uf2
from host_tools.sim.script import KEYS, Player, parse
from host_tools.sim.ssd1306 import visible_text
from tableside.core.commands import ADJUST, YES
from tableside.core.pack import Pack
from tableside.core.session import Session
from tableside.hw.store import Store

_SYSTEM = "nemesis"
_PRESS_MS = 60
_LONG_MS = 700
_GAP_MS = 83.7  # the main loop is somewhere else at each press
_ANSWER_MS = 3000
_REST_NS = 80_000_000
_STROKES = 25
_COMMANDS = 200
_RECORDS = 10_000
_ROWS = 4  # of a page of history
_PAGES = 8
_RAM_BUDGET = 120_000
_BLOCK = 16  # bytes of the heap
_RELEASED = ("OK", "BACK")  # act when they are let go


class Stroke(NamedTuple):
    """Milliseconds from the acting edge to the first and last byte that changed the picture, and to the very last."""

    first: float
    last: float
    end: float


class Kind(NamedTuple):
    """A kind of change: the way there from the last one, strokes to be repeated, and the budgets of first and last."""

    name: str
    way: str
    strokes: tuple[str, ...]
    first_ms: float
    last_ms: float


KINDS = (
    Kind("cursor in a list", "press OK x2; expect Erosion", ("DOWN", "UP"), 12, 20),
    Kind("cursor among counters",
         "to Joint 01; press OK; to Medium; press OK; press OK; expect Terrain and; press OK x4; "
         "to Begin; press OK; expect Players first.; press OK x2; expect Activate one; press UP x2; expect > Counters; "
         "press OK; to NEMESIS NPO inches", ("DOWN", "UP"), 12, 20),
    Kind("a value", "to Victory points; press OK", ("UP", "UP", "DOWN"), 12, 20),
    Kind("a row of history", "press BACK x2; hold OK 800; to History; press OK",
         ("DOWN", "DOWN", "UP"), 12, 45),
    Kind("a new screen, and back", "press BACK x2; to Counters", ("OK", "BACK"), 12, 45),
)
REPEAT = 3
_WARM_MS = 4000  # after the first picture every screen is imported once


def find_image() -> Path:
    """The image that TABLESIDE_UF2 names. Raises: CommandError if it names none."""
    return find_uf2(None)


def script(name: str) -> bytes:
    """A program of `vm/`."""
    return (SCRIPTS / f"{name}.py").read_bytes()


def start(image: Path, more: dict[str, bytes] | None = None, systems: tuple[str, ...] = (_SYSTEM,)) -> Pico:
    """A Pico that is not booted yet. Args: more: files beside those of the firmware, or in their places."""
    app = compiled_modules([file.read_text() for file in (SCRIPTS / "hand.py", *SCRIPTS.glob("pico_*.py"))])
    return Pico(image, files={**device_files("pico", list(systems)), **app, **(more or {})}, boot=False)


def run_program(image: Path, name: str, most_s: float, more: dict[str, bytes] | None = None,
                systems: tuple[str, ...] = (_SYSTEM,)) -> tuple[Pico, list[list[str]]]:
    """Run a program of `vm/` as main.py until it prints `done`. Returns: the Pico and the words of its lines."""
    pico = start(image, {"main.py": script(name), "hand.py": script("hand"), **(more or {})}, systems)
    if not pico.run_until(lambda: b"done\r\n" in pico.chip.console or b"Error" in pico.chip.console, most_s * 1000):
        raise CommandError(f"{name} is not done after {most_s} s: {pico.serial[-3:]}")
    pico.run_ms(5)
    if b"Error" in pico.chip.console:
        raise CommandError(f"{name} failed: {' | '.join(pico.serial[-5:])}")
    return pico, [line.split() for line in pico.serial]


def boot() -> None:
    """Print the time from reset to the first picture, and its parts."""
    image = find_image()
    pico = start(image)
    pico.boot()
    print("Boot of an emulated Pico, in ms after the reset (without its boot ROM)")
    print(f"{'first changed byte':24}{pico.wire.changes[0] / 1e6:9.1f}")
    print(f"{'last byte of the frame':24}{pico.wire.last_ns / 1e6:9.1f}  budget 1000")
    _, lines = run_program(image, "pico_boot", 20)
    print("of that, as an instrumented start has it:")
    for word, *rest in lines:
        if word == "part":
            print(f"  {rest[0]:22}{int(rest[1]) / 1000:9.1f}")
        elif word == "idle":
            print(f"100 idle steps allocate {int(rest[0]):,} bytes; budget 0")


def strokes(pico: Pico, kind: Kind, folder: Path, times: int = REPEAT) -> list[Stroke]:
    """Play the way to a kind of change, then its strokes so many times."""
    file = folder / "way.txt"
    file.write_text(kind.way.replace("; ", "\n"))
    Player(pico, folder).play(parse(file))
    found = []
    for _ in range(times):
        for key in kind.strokes:
            found.append(stroke(pico, key))
            pico.run_ms(_GAP_MS)
    return found


def stroke(pico: Pico, key: str) -> Stroke:
    """One stroke and what it brings about."""
    count = len(pico.wire.changes)
    edge_ns = pico.chip.now_ns
    pico.press(KEYS[key])
    pico.run_ms(_PRESS_MS)
    if key in _RELEASED:
        count = len(pico.wire.changes)
        edge_ns = pico.chip.now_ns
    pico.release(KEYS[key])
    changes = pico.wire.changes
    pico.run_until(lambda: len(changes) > count and not pico.busy and pico.chip.now_ns - changes[-1] > _REST_NS,
                   _ANSWER_MS)
    new = changes[count:]
    if not new:
        raise CommandError(f"{key} changes nothing: {visible_text(pico.frame)}")
    return Stroke((new[0] - edge_ns) / 1e6, (new[-1] - edge_ns) / 1e6, (pico.wire.last_ns - edge_ns) / 1e6)


def ram() -> None:
    """Print the RAM in use, and the most that an import takes."""
    image = find_image()
    _, lines = run_program(image, "pico_ram", 600, {"strokes": str(_STROKES).encode()}, ())
    print(f"RAM on an emulated Pico after a collection, in bytes; {_STROKES} strokes of a random hand in each pack")
    print(f"{'at':34}{'used':>9}{'free':>9}{'largest':>9}")
    base = None
    most: tuple[int, str] = (0, "")
    for where, used, free, largest in _looks(lines):
        base = used if base is None else base
        most = max(most, (used - base, where))
        print(f"{where:34}{used - base:9,}{free:9,}{largest:9,}")
    print(f"the most: {most[0]:,} at {most[1]}; budget {_RAM_BUDGET:,}")
    imports = [(int(line[2]), int(line[3]), line[1]) for line in lines if line[0] == "import"]
    for peak, kept, module in sorted(imports, reverse=True)[:5]:
        print(f"import of {module:28} takes {peak:7,} before a collection, keeps {kept:7,}")


def _looks(lines: list[list[str]]) -> list[tuple[str, int, int, int]]:
    """Where the program looked at its heap: used and free bytes, and the largest piece that is free."""
    found = []
    where, used, free = "", 0, 0
    for line in lines:
        if line[:1] == ["at"]:
            where = " ".join(line[1:])
        elif line[:1] == ["GC:"]:
            used, free = int(line[4].rstrip(",")), int(line[6])
        elif "max" in line and "free" in line:
            found.append((where, used, free, int(line[-1]) * _BLOCK))
    return found


def commands() -> None:
    """Print what commands cost: time, flash, heap."""
    image = find_image()
    pico, lines = run_program(image, "pico_commands", 300, {"commands": str(_COMMANDS).encode()})
    found = [tuple(map(int, line[1:])) for line in lines if line[0] == "command"]
    core = [do / 1000 for _, do, _ in found]
    both = [(do + save) / 1000 for _, do, save in found]
    print(f"{len(found)} commands (a counter by hand), each saved, in ms: worst (median)")
    print(f"{'core':24}{max(core):9.1f} ({statistics.median(core):6.1f})")
    print(f"{'core and flash':24}{max(both):9.1f} ({statistics.median(both):6.1f})")
    erased_us = [ns / 1000 for ns in pico.chip.flash.erased_ns]
    counts = [sum(start <= us <= start + do + save for us in erased_us) for start, do, save in found]
    for erases in sorted(set(counts)):
        print(f"{f'with {erases} erases':24}{counts.count(erases):9} {counts.count(erases) / len(counts):8.2%}")
    print("budget: at most 1 erase in 98 %, never more than 4")
    heaps = {int(line[1]): int(line[2]) for line in lines if line[0] == "heap"}
    first = min(heaps)
    print(f"heap after a collection: {heaps[first]:,} before, " + ", ".join(
        f"{heaps[at] - heaps[first]:+,} after {at}" for at in sorted(heaps)[1:]))


def undo() -> None:
    """Print what it takes to resume a session with a long journal, and to go back in it."""
    image = find_image()
    _, lines = run_program(image, "pico_undo", 100, long_session(_SYSTEM, _RECORDS))
    print(f"A session with a journal of {_RECORDS:,} records, in ms")
    for word, *rest in lines:
        if word in ("resume", "undo", "save", "jump", "redo"):
            print(f"{word:24}{int(rest[0]) / 1000:9.1f}")
        elif word in ("records", "heap"):
            print(f"{word:24}{int(rest[0]):9,}")
    print("budgets: undo 100, jump back of 500 entries 1000")


def long_session(system: str, records: int) -> dict[str, bytes]:
    """The files of a session with so many records."""
    pack_file = compile_system(system).data
    with tempfile.TemporaryDirectory(prefix="tableside-") as name:
        pack = Pack(io.BytesIO(pack_file))
        session = Session.new(pack, 0, bytes(range(16)), Store(f"{name}/sessions").new())
        counters = _adjustable(session)
        for number in range(records):
            counter, values = counters[number % len(counters)]
            session.do(ADJUST, (counter, values[number // len(counters) % len(values)]))
            session.save()
        session.close()
        return {file.relative_to(name).as_posix(): file.read_bytes()
                for file in Path(name).rglob("*") if file.is_file()}


def _adjustable(session: Session) -> list[tuple[int, list[int]]]:
    """Two counters and values that they may have: what is done to them in turn is no row of like presses."""
    found = []
    for counter in range(16):
        values = [value for value in range(3) if session.check(ADJUST, (counter, value))[0] == YES]
        if values:
            found.append((counter, values))
        if len(found) == 2:
            return found
    raise CommandError("no two counters to adjust")


def history() -> None:
    """Print what a stroke takes in the history of a session with a long journal."""
    image = find_image()
    pico = start(image, long_session(_SYSTEM, _RECORDS))
    pico.boot()
    pico.run_ms(_WARM_MS)
    print(f"A stroke in the history of {_RECORDS:,} entries, {_ROWS} on a page, in ms: worst (median)")
    print(f"{'':26}{'first':>18}{'budget':>8}{'last':>18}{'budget':>8}")
    pages = Kind("", "press OK; hold OK 800; to History; press OK", ("DOWN",) * (_ROWS * _PAGES), 12, 45)
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        found = strokes(pico, pages, Path(folder), 1)
    turns = found[_ROWS - 1 :: _ROWS]
    moves = [stroke for number, stroke in enumerate(found) if number % _ROWS != _ROWS - 1]
    for name, some, last_ms in (("a row", moves, 20), ("a page", turns, 45)):
        first, last, _ = (_worst(times) for times in zip(*some, strict=True))
        print(f"{name:26}{first:>18}{12:8}{last:>18}{last_ms:8}", flush=True)


def presses(kinds: tuple[Kind, ...] = KINDS) -> None:
    """Print the time from a press to its pixels, beside a driver that sends whole frames."""
    image = find_image()
    whole = compile_source((SCRIPTS / "whole_frame.py").read_text(), "whole_frame.py")
    print("From the acting edge to the first and to the last changed byte, in ms: worst (median) of several")
    print(f"{'change':26}{'driver':>10}{'first':>18}{'budget':>8}{'last':>18}{'budget':>8}{'bus at rest':>18}")
    for name, changed in (("ours", {}), ("whole", {"tableside/hw/oled.mpy": whole})):
        pico = start(image, changed)
        pico.boot()
        pico.run_ms(_WARM_MS)
        with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
            for kind in kinds:
                found = strokes(pico, kind, Path(folder))
                first, last, end = (_worst(times) for times in zip(*found, strict=True))
                print(f"{kind.name:26}{name:>10}{first:>18}{kind.first_ms:8}{last:>18}{kind.last_ms:8}{end:>18}",
                      flush=True)


def _worst(times: tuple[float, ...]) -> str:
    return f"{max(times):.1f} ({statistics.median(times):5.1f})"


PARTS = {"boot": boot, "presses": presses, "ram": ram, "commands": commands, "undo": undo, "history": history}


def emulator(names: Iterable[str] = PARTS) -> None:
    """Print these parts, or say why not."""
    if not os.environ.get(UF2_VARIABLE):
        print(f"Emulated Pico: not measured, {UF2_VARIABLE} names no MicroPython image for the Pico")
        return
    for name in names:
        PARTS[name]()
        print(flush=True)


if __name__ == "__main__":
    emulator(sys.argv[1:] or PARTS)
