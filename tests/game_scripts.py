"""Button scripts of the games, `tests/games/SYSTEM/NAME.script`, from an empty device; their pictures in the manual.

`python -m game_scripts [SYSTEM...]` (tests on the path) plays them and writes the pictures to `docs/games/SYSTEM`;
`make screens` does so for all. The evening of docs/play.md goes with them, as if "evening" were a system: its parts
follow each other on one device, and the power fails after each.
"""

import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from host_tools.errors import CommandError
from host_tools.firmware import ROOT
from host_tools.logfile import read_log
from host_tools.packs.build import build_into, compile_system
from host_tools.replay import verify
from host_tools.sim.bridge import Device
from host_tools.sim.command import SCRIPT_SEED
from host_tools.sim.script import Player, parse
from tableside.core.opening import read_head

GAMES = ROOT / "tests" / "games"
MANUAL = ROOT / "docs" / "games"
EVENING = ROOT / "tests" / "screens" / "evening"
EVENING_PICTURES = ROOT / "docs" / "screens" / "evening"
COMPILED = cache(compile_system)


def scripts(system: str = "*") -> list[Path]:
    """The scripts of a system, or all."""
    return sorted(GAMES.glob(f"{system}/*.script"))


def play(script: Path, device: Path, packs: Path, vm: str = "micropython") -> Player:
    """Play a script on an empty device.

    Args: device: a folder for its files, made; packs: a folder of compiled packs, all of which it gets.
    Returns: the player; its pictures are in `device`/shots.
    Raises: CommandError for a line that failed; AssertionError for a device that printed something or crashed.
    """
    shutil.copytree(packs, device / "packs", ignore=shutil.ignore_patterns("*.json"))
    return _switch_on(script, device, vm, SCRIPT_SEED)


def _switch_on(script: Path, device: Path, vm: str, seed: str) -> Player:
    """Play a script on a device as it is, then take its power away."""
    with Device(device, vm, seed=seed) as running:
        player = Player(running, device / "shots")
        player.play(parse(script))
        running.kill()
    crash = device / "crash.txt"
    assert not crash.exists(), f"{script}: the device failed on the way: {crash.read_text()}"
    assert running.serial == [], f"{script}: the device printed {running.serial}"
    return player


def play_evening(device: Path, packs: Path, vm: str = "micropython") -> dict[str, Path]:
    """Play the parts of the evening, the power failing after each.

    Args: as of `play`. Returns: its pictures in order, by the names that they have in the manual. Raises: as `play`.
    """
    shutil.copytree(packs, device / "packs", ignore=shutil.ignore_patterns("*.json"))
    shots: list[Path] = []
    for number, script in enumerate(sorted(EVENING.glob("*.script"))):
        shots += _switch_on(script, device, vm, f"{number:02x}").shots
    return {f"{number:02}-{shot.name}": shot for number, shot in enumerate(shots, 1)}


def verify_sessions(device: Path) -> dict[str, int]:
    """Replay every session of a device. Returns: how many commands each had. Raises: AssertionError if one differs."""
    counts = {}
    for folder in sorted((device / "sessions").glob("[0-9]*")):
        log = read_log(folder)
        count, difference = verify(log, COMPILED(read_head(log.head)[0]))
        assert difference is None, f"session {folder.name}: {difference}"
        counts[folder.name] = count
    return counts


def golden(script: Path) -> dict[str, Path]:
    """The pictures of the manual that belong to a script, by the names of their shots.

    A picture belongs to the script with the longest name that its own begins with.
    """
    names = [other.stem for other in scripts(script.parent.name)]
    found = {}
    for picture in sorted((MANUAL / script.parent.name).glob(f"{script.stem}-*.png")):
        if max((name for name in names if picture.stem.startswith(f"{name}-")), key=len) == script.stem:
            found[picture.stem[len(script.stem) + 1 :]] = picture
    return found


def compare(script: Path, player: Player) -> list[str]:
    """What is wrong with the pictures of the manual, one line each; nothing if they are those of the script."""
    known = golden(script)
    shots = {shot.stem: shot for shot in player.shots}
    wrong = [f"{known[name]}: no shot of this name in {script}" for name in sorted(set(known) - set(shots))]
    for name, shot in shots.items():
        if name not in known:
            wrong.append(f"shot {name}: not in the manual, see {shot}")
        elif known[name].read_bytes() != shot.read_bytes():
            wrong.append(f"shot {name}: {shot} differs from {known[name]}")
    if len(shots) < len(player.shots):
        wrong.append("two shots with the same name")
    return wrong


def write_pictures(script: Path, player: Player) -> None:
    """Put the pictures of a script into the manual in place of those that it had."""
    for picture in golden(script).values():
        picture.unlink()
    folder = MANUAL / script.parent.name
    folder.mkdir(parents=True, exist_ok=True)
    for shot in player.shots:
        shutil.copy(shot, folder / f"{script.stem}-{shot.name}")


def write_evening(pictures: dict[str, Path]) -> None:
    """Put the pictures of the evening in place of those that it had."""
    shutil.rmtree(EVENING_PICTURES, ignore_errors=True)
    EVENING_PICTURES.mkdir(parents=True)
    for name, shot in pictures.items():
        shutil.copy(shot, EVENING_PICTURES / name)


def main(systems: list[str]) -> int:
    """Play the scripts of systems, or all, and write their pictures. Returns: how many failed."""
    failed = 0
    with tempfile.TemporaryDirectory(prefix="tableside-") as name:
        build_into(Path(name) / "packs")
        for script in (script for system in systems or ["*"] for script in scripts(system)):
            start = time.monotonic()
            try:
                player = play(script, Path(name) / script.parent.name / script.stem, Path(name) / "packs")
            except (CommandError, AssertionError) as error:
                print(error, file=sys.stderr)
                failed += 1
                continue
            write_pictures(script, player)
            print(f"{script.relative_to(ROOT)}: {len(player.shots)} pictures, {time.monotonic() - start:.1f} s")
        if not systems or EVENING.name in systems:
            try:
                write_evening(play_evening(Path(name) / EVENING.name, Path(name) / "packs"))
            except (CommandError, AssertionError) as error:
                print(error, file=sys.stderr)
                failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
