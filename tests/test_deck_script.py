"""A button script through the deck screens of the test pack with a hidden hand, on both VMs."""

from pathlib import Path

import pytest

from host_tools.packs.compiler import compile_file
from host_tools.sim.bridge import VMS, Device
from host_tools.sim.command import SCRIPT_SEED
from host_tools.sim.script import Player, parse

DATA = Path(__file__).parent / "data"


@pytest.mark.usefixtures("micropython")
def test_the_deck_screens_by_script(tmp_path: Path) -> None:
    frames = []
    for vm in VMS:
        folder = tmp_path / vm
        (folder / "packs").mkdir(parents=True)
        (folder / "packs" / "ambush.tspk").write_bytes(compile_file(DATA / "ambush.toml").data)
        with Device(folder, vm, seed=SCRIPT_SEED) as device:
            player = Player(device, folder)
            player.play(parse(DATA / "ambush.txt"))
        assert device.serial == []
        assert not (folder / "crash.txt").exists()
        frames.append(player.frames)
    assert frames[0] == frames[1]
