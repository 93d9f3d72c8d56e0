"""`tableside resolve`: one attack or check from given faces, stage by stage."""

import argparse
import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.table import Table

from host_tools.attack import Attack, read_request
from host_tools.requests import SYSTEMS, example, schema

_MANUAL = """\
Takes one attack or check to its end, with the dice that were rolled. REQUEST is a file with JSON, '-' is the standard
input:

  {"weapon": {...}, "target": {...}, "modifiers": {...}, "entries": [...]}

--schema prints its JSON Schema, --example one that goes to the end. An entry is keyed by the id of its stage:

  {"stage": "hit", "dice": [6, 3, 2]}        the faces that were rolled, in any order
  {"stage": "hit", "counts": [1, 1, 1]}      how many dice fell into each bin
  {"stage": "reroll", "choose": "keep"}      a decision: an option, or its number from 0 on
  {"stage": "hit_reroll", "choose": "all"}   dice to pick up again: "none", "all", "default", a bin, or counts

Entries of one stage are used in their order, whatever stands between them. The chain stops at dice without an entry.
A decision without one takes its default while other entries are left; dice are picked up again then only if there is
an entry for rolling them.

With --json: stages (each with id, title, who, group, dice, sides, bins, entered, expected), result (null while dice are
missing), complete, next (the stage that waits, or null).
"""
_EXAMPLE = """\
example:
  tableside resolve --system dice --example | tableside resolve --system dice -
"""


def add_parser(subparsers: Any) -> None:
    """Add `resolve`."""
    parser = subparsers.add_parser("resolve", help="take an attack to its end with given dice", description=_MANUAL,
                                   epilog=_EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_request(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--schema", action="store_true", help="print the JSON Schema of requests")
    what.add_argument("--example", action="store_true", help="print a request as an example")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_request(parser: argparse.ArgumentParser) -> None:
    """Add what `resolve` and `odds` have in common."""
    parser.add_argument("--system", required=True, choices=SYSTEMS, metavar="RULES", help=", ".join(SYSTEMS))
    parser.add_argument("request", nargs="?", metavar="REQUEST", help="a file with JSON; '-' is the standard input")
    parser.set_defaults(wrong=parser.error)


def run(args: argparse.Namespace) -> int:
    """Resolve. Returns: 0. Raises: CommandError, StageError, OSError; SystemExit(2) without a request."""
    printed: Callable[[str], dict[str, Any]] | None = schema if args.schema else example if args.example else None
    if printed:
        print(json.dumps(printed(args.system), ensure_ascii=False, indent=2))
        return 0
    if args.request is None:
        args.wrong("needs a REQUEST, --schema or --example")
    reply = Attack.of(args.system, read_request(args.request)).reply()
    if args.json:
        print(json.dumps(reply, ensure_ascii=False, indent=2))
    else:
        _show(reply)
    return 0


def _show(reply: dict[str, Any]) -> None:
    console = Console(highlight=False)
    table = Table("Stage", "Dice", "Entered", "Expected")
    for stage in reply["stages"]:
        entered, expected = stage["entered"], ""
        if all(part["name"].isdigit() for part in stage["bins"]) and stage["bins"]:
            entered = " ".join(part["name"] for part, count in zip(stage["bins"], entered, strict=True)
                               for _ in range(count))
        elif not isinstance(entered, str):
            entered = _bins(stage, entered)
            if stage["expected"]:
                expected = _bins(stage, [f"{float(Fraction(part)):.3g}" for part in stage["expected"]])
        table.add_row(_title(stage), str(stage["dice"] or ""), entered, expected)
    if reply["stages"]:
        console.print(table)
    if reply["complete"]:
        for name, value in reply["result"].items():
            if name != "groups":
                console.print(f"{_words(name)}: {value}", markup=False)
        for n, group in enumerate(reply["result"].get("groups", ()), 1):
            console.print(f"Group {n}: " + ", ".join(f"{value} {name}" for name, value in group.items()), markup=False)
        return
    stage = reply["next"]
    if "options" in stage:
        asked = " or ".join(stage["options"])
    elif "there" in stage:
        asked = f"pick up at most {stage['most']} of " + _bins(stage, stage["there"])
    else:
        asked = f"{stage['dice']} D{stage['sides']}: " + _bins(stage, [_faces(part) for part in stage["bins"]])
    console.print(f"Next: {_title(stage)} ({stage['id']}): {asked}", markup=False)


def _title(stage: dict[str, Any]) -> str:
    return str(stage["title"]) + (f", group {stage['group']}" if stage["group"] else "")


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _faces(part: dict[str, Any]) -> str:
    return str(part["low"]) if part["low"] == part["high"] else f"{part['low']}-{part['high']}"


def _bins(stage: dict[str, Any], values: list[Any]) -> str:
    """A value of each bin before its name."""
    return ", ".join(f"{value} {part['name']}" if not part["name"].isdigit() else str(value)
                     for part, value in zip(stage["bins"], values, strict=True))
