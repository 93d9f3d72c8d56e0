"""Button scripts through the packs of tests/data, on both VMs: decks and a hidden hand, and a campaign."""

from pathlib import Path

import pytest

from host_tools.packs.compiler import compile_file
from host_tools.sim.bridge import VMS, Device
from host_tools.sim.command import SCRIPT_SEED
from host_tools.sim.script import Player, parse

DATA = Path(__file__).parent / "data"


@pytest.mark.usefixtures("micropython")
@pytest.mark.parametrize("name", ["ambush", "saga"])
def test_a_script_gives_the_same_on_both(tmp_path: Path, name: str) -> None:
    frames = []
    for vm in VMS:
        folder = tmp_path / vm
        (folder / "packs").mkdir(parents=True)
        (folder / "packs" / f"{name}.tspk").write_bytes(compile_file(DATA / f"{name}.toml").data)
        with Device(folder, vm, seed=SCRIPT_SEED) as device:
            player = Player(device, folder)
            player.play(parse(DATA / f"{name}.txt"))
        assert device.serial == []
        assert not (folder / "crash.txt").exists()
        frames.append(player.frames)
    assert frames[0] == frames[1]
