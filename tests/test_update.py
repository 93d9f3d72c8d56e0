"""An update cut short anywhere leaves the old version or the new one, and the device starts; `make soak` tries more.

The power goes at block writes of littlefs, and the cable is pulled after a number of bytes while `tableside deploy`
runs against a pretended Pico, which is then started.
"""

import hashlib
import os
import random
import re
import subprocess
import time
from pathlib import Path

import pytest
from pico_vm import Board, PicoVm, make_image, read_image

from host_tools.deploy import deploy
from host_tools.errors import CommandError
from host_tools.firmware import FIRMWARE, compile_source, device_files, folded_modules
from host_tools.link import Link, progress_bar

pytestmark = pytest.mark.usefixtures("games_compiled_once")

TESTS = Path(__file__).parent
EVERY = os.environ.get("TABLESIDE_CUT_EVERY", "5")
CABLE_CUTS = int(os.environ.get("TABLESIDE_CABLE_CUTS", "6"))
SEED = os.environ.get("TABLESIDE_TEST_SEED", "1")
KEPT = {"sessions/0001/head": b"head", "packs/kept/00.tspk": b"kept", "boot.py": b"# mine"}
_BOOT_S = 20


def test_no_power_cut_leaves_a_mixture(micropython: str) -> None:
    done = subprocess.run(
        [micropython, "-X", "heapsize=16M", str(TESTS / "vm" / "update_cut.py"), EVERY],
        env={**os.environ, "MICROPYPATH": f"{FIRMWARE}:{TESTS / 'vm'}"}, capture_output=True, text=True, timeout=300,
        check=False)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    points = re.findall(r"cut points (\d+) of \d+ old (\d+) new (\d+)", done.stdout)
    print(points)
    assert len(points) == 2 and all(int(number) >= 5 for line in points for number in line), done.stdout[-500:]


@pytest.fixture(scope="module")
def versions() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Two versions that both run: the old one partly from sources, with files that the new one does not have."""
    new = device_files("pico", ["dice"])
    old = dict(new)
    sources = folded_modules()
    for name in ("hw/update", "__init__", "device", "ui/app", "core/session", "hw/files"):
        old[f"tableside/{name}.mpy"] = compile_source(sources[f"tableside/{name}.py"], f"old/{name}.py")
    old["main.py"] += b"# of the old version\n"
    old["packs/dice.tspk"] = device_files("pico", ["nemesis"])["packs/nemesis.tspk"]
    for name in ("ui/texts", "ui/panel"):
        del old[f"tableside/{name}.mpy"]
        old[f"tableside/{name}.py"] = sources[f"tableside/{name}.py"].encode()
    del old["tableside/hw/entropy.mpy"]
    old["tableside/hw/entropy/__init__.py"] = sources["tableside/hw/entropy.py"].encode()
    return old, new


def send(micropython: str, image: Path, files: dict[str, bytes], cut_after: int = -1) -> tuple[PicoVm, str]:
    """Deploy over a cable that is pulled after so many bytes. Returns: the Pico, off, and what the host said."""
    board = Board()
    said = ""
    with PicoVm(micropython, image, board, cut_after) as pico:
        try:
            with Link.open(pico.port) as link, progress_bar() as bar:
                deploy(link, files, bar)
        except CommandError as error:
            said = str(error)
    board.close()
    return pico, said


def boot(micropython: str, image: Path) -> bytes:
    """Start the device until it has drawn something. Returns: what it printed."""
    board = Board()
    with PicoVm(micropython, image, board) as pico:
        end = time.monotonic() + _BOOT_S
        while not (board.display and board.writes and any(board.display.frame())) and time.monotonic() < end:
            time.sleep(0.01)
        assert board.writes, pico.output[-2000:]
    board.close()
    return pico.output


def cut_points(pico: PicoVm, count: int) -> list[int]:
    """Where to pull the cable: at the beginning of files, around the plan, and anywhere."""
    data = b"".join(piece for _, piece in pico.sent)
    starts = [start for start, piece in pico.sent for _ in piece]  # of the transfer that each byte came with
    files = [starts[found.start()] for found in re.finditer(rb"begin\('update/", data)]
    plan = starts[data.index(b"os.rename('update/plan.new'")]
    chance = random.Random(SEED)
    near = [plan + step for step in (-1, 20, 60, 400)] + [chance.randrange(plan, pico.passed) for _ in range(count)]
    anywhere = [chance.randrange(pico.passed) for _ in range(count)]
    return [*chance.sample(files, min(count, len(files))), *chance.sample(near, min(count, len(near))), *anywhere]


def test_no_pulled_cable_leaves_a_mixture(micropython: str, tmp_path: Path,
                                          versions: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
    old, new = versions
    image = tmp_path / "flash"
    make_image(image, {**KEPT, **old})
    fresh = image.read_bytes()
    pico, said = send(micropython, image, new)
    assert said == "" and read_without_settings(image) == {**KEPT, **new}
    ends = {"old": 0, "new": 0}
    for point in cut_points(pico, max(2, CABLE_CUTS // 3)):
        image.write_bytes(fresh)
        _, said = send(micropython, image, new, point)
        printed = boot(micropython, image)
        assert b"Traceback" not in printed and b"not finished" not in printed, (point, printed)
        found = read_without_settings(image)
        end = next((name for name, files in (("old", old), ("new", new)) if found == {**KEPT, **files}), "")
        assert end, (point, said, differences(found, {**KEPT, **new}))
        assert "keeps the old" not in said or end == "old", (point, said)
        assert "takes the new version at" not in said or "has the old" in said or end == "new", (point, said)
        ends[end] += 1
    print(ends)
    assert all(ends.values())


def test_a_first_install_that_was_cut_short_is_done_again(micropython: str, tmp_path: Path,
                                                          versions: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
    _, new = versions
    image = tmp_path / "flash"
    make_image(image, {})
    fresh = image.read_bytes()
    pico, _ = send(micropython, image, new)
    for point in (pico.passed // 2, pico.passed - 3000):
        image.write_bytes(fresh)
        send(micropython, image, new, point)
        assert send(micropython, image, new)[1] == ""
        boot(micropython, image)
        assert read_without_settings(image) == new


def read_without_settings(image: Path) -> dict[str, bytes]:
    """The files of an image but for the one that the app writes by itself, or was about to when it was switched off."""
    return {path: data for path, data in read_image(image).items()
            if path not in ("settings.json", "settings.json.new")}


def differences(found: dict[str, bytes], wanted: dict[str, bytes]) -> list[str]:
    """What is not as wanted: the paths with a bit of their hashes."""
    def short(files: dict[str, bytes], path: str) -> str:
        return hashlib.sha256(files[path]).hexdigest()[:6] if path in files else "none"

    return [f"{path} {short(found, path)} {short(wanted, path)}" for path in sorted({*found, *wanted})
            if found.get(path) != wanted.get(path)]
