"""`tableside boards`: the boards there are, and how to wire them."""

import argparse
import json
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.table import Table

from host_tools.boards import load_board, names, table, wiring
from host_tools.boards_svg import drawing
from host_tools.errors import CommandError
from host_tools.firmware import BOARDS

_MANUAL = """\
Lists the boards of the folder boards/; with a NAME, how that one is wired. Each board is a file of constants,
boards/NAME/board.py, which the device has as /board.py: copy one and change it for a build of your own. It is checked
here as on the device.

With --svg FILE it writes the wiring as a drawing; boards/NAME/wiring.svg is there already.

With --json: boards (a list of name, title, pico, display, bus, keys, file, wires[{what, name, pin, to}]).
"""
_EXAMPLE = """\
example:
  tableside boards
  tableside boards pico_sh1106
  tableside boards pico --svg wiring.svg
"""


def add_parser(subparsers: Any) -> None:
    """Add `boards`."""
    parser = subparsers.add_parser("boards", help="known boards and their wiring", description=_MANUAL, epilog=_EXAMPLE,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", metavar="NAME", help="a folder of boards/")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write the wiring of NAME as a drawing")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _facts(name: str, board: ModuleType) -> dict[str, Any]:
    wires = [{"what": wire.what, "name": wire.name, "pin": wire.pin, "to": wire.to} for wire in wiring(board)]
    return {"name": name, "title": board.NAME, "pico": board.PICO, "display": board.DISPLAY, "bus": _bus(board),
            "keys": len(board.BUTTONS), "file": str(BOARDS / name / "board.py"), "wires": wires}


def _bus(board: ModuleType) -> str:
    return "SPI" if board.I2C_ID is None else "I2C"


def run(args: argparse.Namespace) -> int:
    """Show boards. Returns: 0. Raises: CommandError for one that there is not, or that is wrong."""
    if args.svg and not args.name:
        raise CommandError("--svg draws one board: give its NAME")
    found = {name: load_board(name) for name in ([args.name] if args.name else names())}
    if args.svg:
        args.svg.write_text(drawing(found[args.name]), encoding="utf-8")
    if args.json:
        print(json.dumps({"boards": [_facts(name, board) for name, board in found.items()]}))
    elif args.name:
        board = found[args.name]
        print(f"{board.NAME} ({BOARDS / args.name / 'board.py'})\n")
        print("\n".join(table(wiring(board))))
    else:
        _list(found)
    return 0


def _list(found: dict[str, ModuleType]) -> None:
    shown = Table(box=None, pad_edge=False)
    for column in ("name", "board", "display", "keys", "buzzer", "battery"):
        shown.add_column(column)
    for name, board in found.items():
        shown.add_row(name, board.NAME, f"{board.DISPLAY} on {_bus(board)}", str(len(board.BUTTONS)),
                      "no" if board.BUZZER is None else "yes", "yes" if board.BATTERY_LOW_MV else "no")
    Console(highlight=False, soft_wrap=True).print(shown)
