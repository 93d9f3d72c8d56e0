"""The parts of `make bench` run and print figures that can be true; how fast this computer is never matters."""

import io
import tempfile
from pathlib import Path

import pytest
from bench import buttons, chances, deploy, emulator, memory, speed, vms

from host_tools.errors import CommandError
from host_tools.firmware import modules
from host_tools.packs.build import compile_system
from host_tools.sim.rp2040 import UF2_VARIABLE
from tableside.core.pack import Pack
from tableside.core.session import Session
from tableside.hw.store import Store

CASES = {case.name: case for case in [*buttons.ACTIONS, *buttons.CHANGES]}
RAM_STROKES = 120


def measure(vm: vms.Vm, script: str, *args: object) -> list[list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        vms.lay_out(Path(folder), vm.layout, script)
        return vm.run(Path(folder), script, *args)


def test_a_cursor_move_sends_a_few_bytes_and_power_on_more_than_a_frame() -> None:
    move = buttons.run(CASES["cursor to the next row"], "cpython")
    start = buttons.run(CASES["power on: set-up and first screen"], "cpython")
    assert move.strokes == 1
    assert 2 * 7 < move.bytes < buttons.WHOLE_FRAME / 10
    assert start.strokes == 0
    assert buttons.WHOLE_FRAME < start.bytes < 1.2 * buttons.WHOLE_FRAME
    assert 23 < buttons.Count(0, buttons.WHOLE_FRAME, 7).bus_ms < 24, "as measured on a Pico"


def test_every_stroke_counts_and_a_case_must_do_what_it_says() -> None:
    case = CASES["start the first game from home"]
    assert buttons.run(case, "cpython").strokes == 3
    for wrong, message in (({"expect": "Nothing"}, "Nothing"), ({"expect": "New game"}, "before anything was done"),
                           ({"counted": "to Nothing"}, "> Nothing")):
        with pytest.raises(CommandError, match=f"start the first game.*{message}"):
            buttons.run(case._replace(**wrong), "cpython")


def test_modules_are_imported_after_those_they_need() -> None:
    order = memory.import_order()
    assert sorted(order) == sorted(modules())
    assert order.index("tableside.core") < order.index("tableside.core.pack") < order.index("tableside.core.session")
    assert order.index("tableside.ui.canvas") < order.index("tableside.ui.widgets") < order.index("tableside.ui.app")


def at_home(vm: vms.Vm) -> int:
    """The RAM that the home screen takes on a VM, after a look at all figures of its RAM."""
    lines = measure(vm, "ram", *memory.import_order())
    assert [line[1] for line in lines if line[0] == "module"] == memory.import_order()
    packs = {line[1]: list(map(int, line[2:5])) for line in lines if line[0] == "pack"}
    assert set(packs) >= {"nemesis", "ambush"}
    for opened, played, tree in packs.values():
        assert 100 < opened < played < tree
    used = {line[0]: line[1:] for line in measure(vm, "use", RAM_STROKES)}
    assert 20_000 < int(used["home"][0]) < 300_000
    assert 20_000 < int(used["table"][0]) <= int(used["most"][0]) < 300_000
    assert set(used["seen"]) <= memory.screen_names()
    assert len(used["seen"]) > 3
    return int(used["home"][0])


def test_ram_on_the_64_bit_vm(micropython: str) -> None:
    vm = vms.unix()
    assert vm
    assert at_home(vm)


def test_ram_on_the_32_bit_vm() -> None:
    vm = vms.wasm()
    if isinstance(vm, str):
        pytest.skip(vm)
    from_rom = measure(vms.from_rom(vm), "use", 1)
    assert int(from_rom[0][1]) < 0.7 * at_home(vm)


def test_times_of_all_that_is_timed(micropython: str) -> None:
    vm = vms.unix()
    assert vm
    times = [speed.measure(vm, 10) for vm in (vms.cpython(), vm)]
    for found in times:
        assert {name.split()[0] for name in found} == {"command", "core", "step", "draw", "driver", "the"}
        assert all(0 <= middle <= late and count for middle, late, count in found.values())
        assert found["step nothing to do"][0] < found["step cursor move"][0]


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(vms.shutil, "which", lambda *_, **__: None)
    assert vms.micropythons() == []
    assert "32-bit figures: not measured, node is not installed" in capsys.readouterr().out


def test_odds_are_those_of_icepool(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(chances, "DICE", (1, 3))
    chances.odds()
    rows = capsys.readouterr().out.splitlines()[-2:]
    assert [row.split()[0] for row in rows] == ["1", "3"]
    assert all(row.endswith("  equal") for row in rows)
    monkeypatch.setattr(chances, "GROUPS", [(5, 2, 4, 4)])
    one = chances.attack("w40k10", 2)
    monkeypatch.setattr(chances, "GROUPS", [(5, 2, 4, 5)])
    assert one != chances.by_icepool(2)


def test_one_changed_file_costs_less_than_copying_all(capsys: pytest.CaptureFixture[str], micropython: str) -> None:
    deploy.deploy()
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("tableside", "mpremote"))]
    ours, by_hash, whole = (int(line[20:30]) for line in rows)
    assert ours < by_hash < whole and whole > 10 * ours


def test_a_long_session_for_the_pico_can_be_taken_up(tmp_path: Path) -> None:
    for name, data in emulator.long_session("nemesis", 70).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    log = Store(f"{tmp_path}/sessions").open(1)
    session = Session.resume(Pack(io.BytesIO(compile_system("nemesis").data)), log)
    assert session.records == 70
    session.undo(60)


def test_without_an_image_the_pico_is_not_measured(capsys: pytest.CaptureFixture[str],
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(UF2_VARIABLE, raising=False)
    emulator.emulator()
    assert f"not measured, {UF2_VARIABLE}" in capsys.readouterr().out
