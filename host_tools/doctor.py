"""`tableside doctor`: checking a connected device."""

import argparse
import datetime
import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from host_tools.deploy import APP, outdated
from host_tools.errors import CommandError
from host_tools.firmware import LANGUAGES, app_files
from host_tools.link import DeviceRaised, Found, Link, LinkLost
from host_tools.ports import add_port
from tableside import VERSION

_HEAP_BYTES = 120 * 1024  # what the app may use at most
_FREE_BYTES = 64 * 1024  # an evening with some to spare
_CLOCK_S = 60  # an emulated device is slower than this computer
_CRASH = "crash.txt"

_MANUAL = """\
Checks a connected device, one line a check. Nothing of it is changed but for its clock, which is set, and a small file
that is written and removed again. Hold no button meanwhile. The exit code is 1 if a check fails.

With --json: checks [{name, ok, detail}]; ok is null for a check that cannot be done.
"""
_EXAMPLE = """\
example:
  tableside doctor
  tableside doctor --port /dev/ttyACM0 --json
"""
Result = tuple[bool | None, str]


@dataclass
class Check:
    """The outcome of a check; ok is None if it cannot be done."""

    name: str
    ok: bool | None
    detail: str


def add_parser(subparsers: Any) -> None:
    """Add `doctor`."""
    parser = subparsers.add_parser("doctor", help="check a connected device", description=_MANUAL, epilog=_EXAMPLE,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    add_port(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Check. Returns: 0 if nothing is wrong, else 1. Raises: CommandError if there is no device to check."""
    with Link.open(args.port) as link:
        checks = examine(link)
    if args.json:
        print(json.dumps({"checks": [asdict(check) for check in checks]}, ensure_ascii=False))
    else:
        for check in checks:
            print(f"{ {True: 'ok', False: 'FAILED', None: 'not checked'}[check.ok]:12}{check.name:13}{check.detail}")
    failed = [check.name for check in checks if check.ok is False]
    if failed and not args.json:
        print(f"tableside doctor: failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def examine(link: Link) -> list[Check]:
    """Do every check; one that fails does not keep the others from being done. Raises: LinkLost."""
    link.load("checks")
    checks = []
    for name, check in _CHECKS.items():
        try:
            ok, detail = check(link)
        except LinkLost:
            raise
        except CommandError as error:
            ok, detail = False, str(error).removeprefix(f"{link.port}: ")
        checks.append(Check(name, ok, detail))
    return checks


def _micropython(link: Link) -> Result:
    return True, f"{'.'.join(map(str, link.version))}, {link.machine}"


def _app(link: Link) -> Result:
    here = app_files()
    found = link.walk(["main.py", APP, LANGUAGES])
    if f"{APP}/" not in found and not link.has_frozen(APP):
        return False, "there is none: tableside deploy"
    version = link.exec(f"from {APP} import VERSION\nprint(VERSION)").strip()
    if f"{APP}/" not in found:
        return version == VERSION, f"{version}, built into its MicroPython; here it is {VERSION}"
    other = [path for path, data in here.items() if not _same(found.get(path), data)] + outdated(found, here)
    if other:
        return False, f"{version}; {len(other)} files are not those of this {VERSION}, {other[0]}: tableside deploy"
    return True, f"{version}, the files of this one"


def _same(found: Found | None, data: bytes) -> bool:
    return found is not None and found.hash == hashlib.sha256(data).hexdigest()


def _update(link: Link) -> Result:
    found = link.walk(["update"], hashes=False)
    if "update/plan" in found:
        return False, "one could not be finished: tableside deploy"
    return True, "one was cut short and is dropped at the next start" if found else "none is waiting"


def _heap(link: Link) -> Result:
    free = int(link.exec("heap()"))
    return free >= _HEAP_BYTES, f"{free // 1024} KB free without the app, which needs {_HEAP_BYTES // 1024}"


def _flash(link: Link) -> Result:
    free, size = map(int, link.exec("flash()").split())
    return free >= _FREE_BYTES, f"{free // 1024} of {size // 1024} KB free, writes and reads back"


def _board(link: Link) -> Result:
    name = link.exec("import board\nprint(board.NAME)").strip()
    try:
        link.exec(f"from {APP}.board_file import check\ncheck(board)")
    except DeviceRaised as error:
        if error.kind != "ImportError":
            raise
        return None, f"{name}; its app cannot check board.py"
    return True, name


def _display(link: Link) -> Result:
    if link.exec("import board\nprint(hasattr(board,'I2C_ID'))").strip() != "True":
        return None, "one on SPI does not answer: look whether it shows something"
    answers = link.exec("display(board)").split()
    if not answers:
        pins = link.exec("print('SDA GP%d, SCL GP%d'%(board.SDA,board.SCL))").strip()
        return False, f"none answers at 0x3c or 0x3d, {pins}: check its four wires"
    return True, f"answers at {', '.join(hex(int(address)) for address in answers)}"


def _buttons(link: Link) -> Result:
    down = link.exec("import board\nbuttons(board)").split()
    if down:
        return False, f"down: {', '.join('GP' + pin for pin in down)}: held, or wired to ground"
    return True, "none is down"


def _packs(link: Link) -> Result:
    paths = [path for path in link.walk(["packs"], hashes=False) if path.endswith(".tspk")]
    installed = [path for path in paths if path.count("/") == 1]
    if not installed:
        return False, "there is none: tableside deploy"
    for path in paths:
        try:
            link.exec(f"from {APP}.core.pack import Pack\nwith open({path!r},'rb') as _pack:\n Pack(_pack)")
        except DeviceRaised as error:
            raise CommandError(f"{path}: {error}") from None
    names = ", ".join(path.split("/")[1].removesuffix(".tspk") for path in installed)
    return True, f"{names}, and {len(paths) - len(installed)} kept for saved games; checksums right"


def _sessions(link: Link) -> Result:
    files = {path: found.size for path, found in link.walk(["sessions"]).items() if not path.endswith("/")}
    games = sum(path.endswith("/head") for path in files)
    return True, f"{games}, {sum(files.values()) // 1024} KB, can be read" if games else "none"


def _crash(link: Link) -> Result:
    text = link.exec(f"last_crash({_CRASH!r})").strip()
    if not text:
        return True, "none"
    lines = [line.strip() for line in text.splitlines()]
    return False, f"{lines[0]}: {lines[-1]}, {lines[-2] if len(lines) > 2 else ''} (all of it: mpremote cat :{_CRASH})"


def _clock(link: Link) -> Result:
    if link.clock is None:
        return None, "it has none that can be set"
    off = abs((datetime.datetime.now() - (link.read_clock() or link.clock)).total_seconds())
    return off < _CLOCK_S, f"{off:.0f} s off after it was set; before that it said {link.clock}"


_CHECKS: dict[str, Callable[[Link], Result]] = {
    "micropython": _micropython,
    "app": _app,
    "update": _update,
    "heap": _heap,
    "flash": _flash,
    "board": _board,
    "display": _display,
    "buttons": _buttons,
    "packs": _packs,
    "sessions": _sessions,
    "crash": _crash,
    "clock": _clock,
}
