"""`tableside deploy`: bringing a device up to date over serial.

What changed is sent to a folder of its own and checked there. Then a plan comes into its place by one rename, and the
device carries it out: `firmware/tableside/hw/update.py` says how. A cut before that rename leaves the old version;
after it the plan is carried out at the next start.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from rich.progress import Progress

from host_tools.errors import CommandError
from host_tools.firmware import BOARDS, FIRMWARE, app_files, board_file, language_files, pack_files
from host_tools.link import Found, Link, LinkLost, progress_bar
from host_tools.ports import add_port

APP = "tableside"
_TOP = ("main.py", "board.py", APP, "packs", "languages")
_FOLDER = "update"
_PLAN = f"{_FOLDER}/plan"
_FIRST = (f"{APP}/hw/update.mpy", "main.py")  # with these two in place, the next start carries out the rest
_ENTRIES_A_BLOCK = 8  # names of files in a folder of littlefs; more fit
_SPARE_BLOCKS = 8  # for the folder, the plan, and folders that are new

_MANUAL = """\
Brings a connected device up to date over serial: the app and the packs of SYSTEMs, all by default. Only files that
differ are sent, and each is checked by its hash on the device. They come into use all at once: if the cable is pulled,
the device starts with the old version or with the new one. Saved games, settings and other packs stay; so does board.py
unless --board names another. Files of the app that this version does not have are removed.

A device whose MicroPython has the app built in gets packs only. The device's clock is set.

With --json: written, skipped, removed (paths on the device), verified (whether every file is now as it should be).
"""
_EXAMPLE = """\
example:
  tableside deploy
  tableside deploy --port /dev/ttyACM0 --board pico nemesis overkill
"""


@dataclass
class Deployed:
    """What a deploy did, as paths on the device; `verified` is whether every file has the right hash now."""

    written: list[str]
    skipped: list[str]
    removed: list[str]
    verified: bool


def add_parser(subparsers: Any) -> None:
    """Add `deploy`."""
    parser = subparsers.add_parser("deploy", help="bring a connected device up to date", description=_MANUAL,
                                   epilog=_EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM")
    parser.add_argument("--board", metavar="NAME", help="a folder of boards/; needed for a device that has no board.py")
    add_port(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Deploy. Returns: 0. Raises: CommandError."""
    board = {"board.py": board_file(args.board).read_bytes()} if args.board else {}
    packs = pack_files(args.systems)
    app = app_files()
    with Link.open(args.port) as link:
        if link.has_frozen(APP):
            print("its MicroPython has the app built in: only packs and languages are sent", file=sys.stderr)
            app = language_files()
        with progress_bar() as bar:
            done = deploy(link, {**app, **board, **packs}, bar)
    if args.json:
        print(json.dumps(asdict(done)))
    else:
        written, skipped, removed = map(len, (done.written, done.skipped, done.removed))
        print(f"{written} written, {skipped} as they were, {removed} removed; all verified")
    return 0


def deploy(link: Link, files: dict[str, bytes], bar: Progress) -> Deployed:
    """Bring a device to these files; what it has beside them stays, but for other files of the app.

    Raises: CommandError: there is no room, the device has no board, what arrived is not what was sent; LinkLost.
    """
    _finish(link)  # one that was cut short; a folder without a plan is dropped
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    found = link.walk(_TOP)
    if "board.py" not in {**files, **found} and not link.has_frozen("board"):
        names = ", ".join(sorted(file.parent.name for file in BOARDS.glob("*/board.py")))
        raise CommandError(f"{link.port}: it has no board.py: say with --board which board it is ({names})")
    written = sorted((path for path in files if path not in found or found[path].hash != hashes[path]),
                     key=lambda path: (path not in _FIRST, path not in _FIRST[:1], path))
    removed = outdated(found, files)
    if written or removed:
        _check_space(link, {path: files[path] for path in written})
        with _said("keeps the old version"):
            _stage(link, {path: files[path] for path in written}, removed, bar)
        with _said("has the old version or takes the new one at its next start"):
            link.exec(f"os.rename('{_PLAN}.new','{_PLAN}')")
        with _said("takes the new version at its next start"):
            _finish(link)
            now = link.walk([*written, *(path.rstrip("/") for path in removed)])
        wrong = [path for path in written if path not in now or now[path].hash != hashes[path]]
        wrong += [path for path in removed if path in now]
        if wrong:
            raise CommandError(f"{link.port}: not as it should be after the update: {', '.join(wrong)}")
    return Deployed(written, sorted(set(files) - set(written)), removed, True)


def outdated(found: dict[str, Found], files: dict[str, bytes]) -> list[str]:
    """What a device has of the app that these files do not: a folder after all that is in it."""
    kept = {path[: at + 1] for path in files for at, sign in enumerate(path) if sign == "/"}
    return sorted((path for path in found if path.startswith(APP + "/") and path not in files and path not in kept),
                  reverse=True)


def _check_space(link: Link, files: dict[str, bytes]) -> None:
    """Raises: CommandError if the files do not fit beside what is there."""
    block, free = link.space()
    blocks = sum(-(-len(data) // block) for data in files.values())
    needed = blocks + len(files) // _ENTRIES_A_BLOCK + _SPARE_BLOCKS
    if needed > free:
        raise CommandError(f"{link.port}: no room: {needed * block // 1024} KB are needed for a time and "
                           f"{free * block // 1024} KB are free; remove saved games or packs, or name fewer SYSTEMs")


def _stage(link: Link, files: dict[str, bytes], removed: list[str], bar: Progress) -> None:
    """Send the files and the plan, which does not count under its name yet."""
    steps = [f"+ {number} {path}\n" for number, path in enumerate(files)] + [f"- {path}\n" for path in removed]
    task = bar.add_task("sending", total=sum(map(len, files.values())))
    link.exec(f"os.mkdir('{_FOLDER}')")
    link.write({f"{_FOLDER}/{number}": data for number, data in enumerate(files.values())},
               lambda count: bar.advance(task, count))
    link.write({f"{_PLAN}.new": "".join(steps).encode()}, lambda count: None)


def _finish(link: Link) -> None:
    """Have the device do what it does at its start. Raises: CommandError if it cannot."""
    link.exec((FIRMWARE / APP / "hw" / "update.py").read_text(encoding="utf-8"))
    said = link.exec("finish()").strip()
    if said:
        raise CommandError(f"{link.port}: {said}")


@contextmanager
def _said(state: str) -> Iterator[None]:
    """Add to an error of the link which version the device has."""
    try:
        yield
    except LinkLost as error:
        raise LinkLost(f"{error}; the device {state}") from None
