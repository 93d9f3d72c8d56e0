"""The demonstrations on both VMs: the same frames, the same session logs, and the pictures of the documentation."""

from pathlib import Path

import pytest

from host_tools.firmware import ROOT
from host_tools.logfile import read_log
from host_tools.packs.build import build_into
from host_tools.replay import pack_of, verify
from host_tools.sim.bridge import Device
from host_tools.sim.command import SCRIPT_SEED, SCRIPTS
from host_tools.sim.script import Player, parse

DEMOS = sorted(path.stem for path in SCRIPTS.glob("*.txt"))
PICTURES = ROOT / "docs" / "screens"


def play(demo: str, vm: str, folder: Path) -> tuple[Player, dict[str, bytes]]:
    """Play a demonstration on an empty device; returns the player and the files of its session."""
    build_into(folder / "packs")
    with Device(folder, vm, seed=SCRIPT_SEED) as device:
        player = Player(device, folder / "shots")
        player.play(parse(SCRIPTS / f"{demo}.txt"))
    assert device.serial == []
    assert not (folder / "crash.txt").exists()
    session = folder / "sessions" / "0001"
    return player, {path.name: path.read_bytes() for path in session.iterdir()}


@pytest.fixture(scope="module", params=DEMOS)
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, micropython: str):
    """(name, player and session files on CPython, the same on MicroPython, folder of the latter)"""
    folders = [tmp_path_factory.mktemp(vm) for vm in ("cpython", "micropython")]
    played = [play(request.param, folder.name.rstrip("0123456789"), folder) for folder in folders]
    return request.param, *played, folders[1]


def test_both_vms_show_the_same_frames_and_keep_the_same_log(demo) -> None:
    _, (cpython, cpython_files), (micropython, micropython_files), _ = demo
    assert cpython.frames == micropython.frames
    assert cpython_files == micropython_files
    assert set(micropython_files) >= {"head", "tail"}


def test_the_pictures_are_those_of_the_documentation(demo) -> None:
    name, _, (player, _), _ = demo
    assert len(player.shots) == len(list((PICTURES / name).glob("*.png")))
    for shot in player.shots:
        golden = PICTURES / name / shot.name
        assert golden.read_bytes() == shot.read_bytes(), f"{shot} differs from {golden}; if it should: make screens"


def test_the_host_replays_the_log_of_the_device(demo) -> None:
    _, _, _, folder = demo
    log = read_log(folder / "sessions" / "0001")
    count, difference = verify(log, pack_of(log))
    assert difference is None and count > 15
