"""The firmware on an emulated Pico: an unmodified MicroPython boots, plays as the simulator does, and survives cuts.

Runs where TABLESIDE_UF2 names an image, and takes some ten minutes: a second of the Pico takes 20. TABLESIDE_TEST_SEED
chooses the moments of the cuts; the host looks at what each left, and TABLESIDE_CUTS of them are switched on again.
"""

import io
import os
import random
from pathlib import Path
from typing import NamedTuple

import pytest
from vms import SEED

from host_tools.errors import CommandError
from host_tools.firmware import device_files
from host_tools.packs.build import build_into, compile_system
from host_tools.sim.bridge import Device
from host_tools.sim.rp2040 import UF2_VARIABLE, Pico, find_uf2, read_files
from host_tools.sim.script import Action, Player, parse
from host_tools.sim.ssd1306 import visible_text
from tableside.core.pack import Pack
from tableside.core.session import Session
from tableside.hw.store import Store
from tableside.rules import resolver

HERE = Path(__file__).parent
SYSTEM = "nemesis"
CUTS = int(os.environ.get("TABLESIDE_CUTS", "2"))
CUTS_OF_AN_ACTION = 4
CUT_MS = 500  # a cut comes so long after the beginning of an action at the latest

pytestmark = pytest.mark.skipif(
    not os.environ.get(UF2_VARIABLE), reason=f"{UF2_VARIABLE} names no image of MicroPython for the Pico"
)


class Kept(NamedTuple):
    """What is in flash: all files; the records of the session, -1 if there is none; its log, state and seed."""

    files: dict[str, bytes]
    records: int
    log: bytes = b""
    state: bytes = b""
    seed: bytes = b""


class Played(NamedTuple):
    """What was seen: the actions, the frame after each, what flash held then and at cuts within each."""

    actions: list[Action]
    home: bytes
    frames: list[bytes]
    kept: list[Kept]
    cuts: list[list[Kept]]
    disks: list[list[bytes]]
    serial: list[str]
    heap: str


def look(disk: bytes, folder: Path) -> Kept:
    """What a file system holds, taken up by the core on this computer, which checks every digest."""
    files = read_files(disk)
    write(files, folder)
    store = Store(f"{folder}/sessions")
    numbers = store.numbers()
    if not numbers:
        return Kept(files, -1)
    session = Session.resume(Pack(io.BytesIO(compile_system(SYSTEM).data)), store.open(numbers[0]), resolver)
    log = store.open(numbers[0])
    kept = Kept(files, session.records, log.read(0, log.end), bytes(session.state.data), session.state.seed())
    session.close()
    return kept


def write(files: dict[str, bytes], folder: Path) -> None:
    for name, data in files.items():
        if name.startswith(("sessions/", "packs/", "settings")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)


def single(actions: list[Action]) -> list[Action]:
    """The same with one stroke an action."""
    found = []
    for action in actions:
        times = int(action.words[1] or 1) if action.verb == "press" else 1
        found += [action._replace(words=(action.words[0], "1")) if times > 1 else action] * times
    return found


@pytest.fixture(scope="module")
def image() -> Path:
    try:
        return find_uf2(None)
    except CommandError as error:
        pytest.fail(str(error))


@pytest.fixture(scope="module")
def played(image: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """An opening, played on an emulated Pico with the files that a bundle has."""
    chance = random.Random(SEED)
    actions = single(parse(HERE / "opening.txt"))
    frames, kept, cuts, disks = [], [], [], []
    with Pico(image, files=device_files("pico", [SYSTEM])) as pico:
        player = Player(pico, tmp_path_factory.mktemp("shots"))
        home = pico.frame
        for action in actions:
            taken: list[bytes] = []
            for _ in range(CUTS_OF_AN_ACTION if action.verb != "expect" else 0):
                at_ns = pico.chip.now_ns + chance.randrange(CUT_MS * 1_000_000)
                pico.chip.at(at_ns, lambda taken=taken: taken.append(pico.disk(chance)))  # type: ignore[misc]
            player.play([action])
            frames.append(pico.frame)
            disks.append(list(taken))
            kept.append(look(pico.disk(), tmp_path_factory.mktemp("rest")))
            cuts.append([look(disk, tmp_path_factory.mktemp("cut")) for disk in disks[-1]])
        serial = pico.serial
        heap = pico.chip.execute("import gc; gc.collect(); print(gc.mem_free())").strip()
    return Played(actions, home, frames, kept, cuts, disks, serial, heap)


def test_an_unmodified_image_boots_to_the_home_screen(played: Played) -> None:
    assert "New game" in visible_text(played.home)
    assert played.serial == []
    assert "crash.txt" not in played.kept[-1].files
    print(f"free heap in play, after a collection: {int(played.heap):,} bytes")


def test_a_script_shows_what_the_simulator_shows(played: Played, tmp_path: Path, micropython: str) -> None:
    build_into(tmp_path / "packs", [SYSTEM])
    (tmp_path / "seed").write_text(played.kept[-1].seed.hex())
    with Device(tmp_path, "micropython", main=HERE / "seeded_main.py") as device:
        player = Player(device, tmp_path)
        assert device.frame == played.home
        for action, frame in zip(played.actions, played.frames, strict=True):
            player.play([action])
            assert visible_text(device.frame) == visible_text(frame), action
            assert device.frame == frame, action


def test_a_cut_loses_at_most_the_last_command(played: Played) -> None:
    before = -1
    total = within = 0
    for action, kept, cuts in zip(played.actions, played.kept, played.cuts, strict=True):
        assert kept.records <= max(before, 0) + 1, "an action is one command at most"
        for cut in cuts:
            assert before <= cut.records <= kept.records, action
            assert kept.log.startswith(cut.log), action
            total += 1
            within += cut.files != kept.files
        before = kept.records
    assert before > 10
    print(f"{total} cuts, {within} of them before flash was as it came to be")


def test_play_goes_on_after_a_cut(image: Path, played: Played, tmp_path: Path, micropython: str) -> None:
    found = [(disk, cut, kept) for disks, cuts, kept in zip(played.disks, played.cuts, played.kept, strict=True)
             for disk, cut in zip(disks, cuts, strict=True) if cut.records >= 0]
    # Those first that came while something was being written.
    found = random.Random(SEED).sample(found, len(found))
    found.sort(key=lambda case: case[1].files == case[2].files)
    script = tmp_path / "resume.txt"
    script.write_text("expect Resume\npress OK")
    resume = parse(script)
    for number, (disk, cut, _) in enumerate(found[:CUTS]):
        folder = tmp_path / str(number)
        write(cut.files, folder)
        with Pico(image, disk=disk) as pico, Device(folder, "micropython") as device:
            Player(pico, tmp_path).play(resume)
            Player(device, tmp_path).play(resume)
            assert pico.serial == []
            assert pico.frame == device.frame, visible_text(pico.frame)
            assert look(pico.disk(), tmp_path / f"again{number}").state == cut.state
