"""`tableside odds`: the exact distribution of the outcome of an attack or check."""

import argparse
import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from host_tools.attack import Attack, fraction, read_request
from host_tools.chart import draw, percent
from host_tools.odds import Odds, odds
from host_tools.resolve import add_request

_MANUAL = """\
Tells how likely each outcome of an attack or check is, exactly. REQUEST is that of 'tableside resolve'; what its
entries say has been rolled already, and the odds are those of the rest. Decisions are taken as the device proposes
them: failures are rolled again, and so on.

With --json: names (of the numbers in an outcome), outcomes ({"2,1": "num/den"}), each (of the numbers alone), mean (of
these numbers, and of hits, wounds ... on the way), all as exact fractions.
"""
_EXAMPLE = """\
example:
  tableside odds --system dice - --chart odds.png <<< '{"weapon": {"dice": 2}}'
"""
_BAR = 30  # signs
_TAIL = Fraction(1, 2000)  # shown in one line


def add_parser(subparsers: Any) -> None:
    """Add `odds`."""
    parser = subparsers.add_parser("odds", help="exact odds of an attack", description=_MANUAL, epilog=_EXAMPLE,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    add_request(parser)
    parser.add_argument("--chart", type=Path, metavar="FILE.png", help="draw the distribution")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Tell the odds. Returns: 0. Raises: CommandError, StageError, OSError; SystemExit(2) without a request."""
    if args.request is None:
        args.wrong("needs a REQUEST")
    if args.chart and args.chart.suffix.lower() != ".png":
        args.wrong("--chart: the name of the file must end in .png")
    attack = Attack.of(args.system, read_request(args.request))
    sys.set_int_max_str_digits(0)  # a fraction may be as long as it is
    found = odds(attack.resolver, attack.v)
    names = attack.resolver.OUTCOMES
    each = {name: alone(found, i) for i, name in enumerate(names)}
    if args.chart:
        draw(args.chart, _worth_showing(each), found.mean)
    if args.json:
        print(json.dumps({
            "names": names,
            "outcomes": {",".join(map(str, outcome)): fraction(part) for outcome, part in found.outcomes.items()},
            "each": {name: {str(value): fraction(part) for value, part in parts.items()}
                     for name, parts in each.items()},
            "mean": {name: fraction(mean) for name, mean in found.mean.items()},
        }, indent=2))
    else:
        _show(found, _worth_showing(each))
    return 0


def alone(found: Odds, index: int) -> dict[int, Fraction]:
    """The odds of one number of an outcome, in ascending order of its values."""
    parts: dict[int, Fraction] = {}
    for outcome, part in found.outcomes.items():
        parts[outcome[index]] = parts.get(outcome[index], Fraction(0)) + part
    return dict(sorted(parts.items()))


def _worth_showing(each: dict[str, dict[int, Fraction]]) -> dict[str, dict[int, Fraction]]:
    """Without the numbers that are always 0, if there are others."""
    return {name: parts for name, parts in each.items() if list(parts) != [0]} or each


def _show(found: Odds, each: dict[str, dict[int, Fraction]]) -> None:
    console = Console(highlight=False)
    means = Table("Mean", "", "exactly")
    for name, mean in found.mean.items():
        exact = str(mean) if len(str(mean)) <= 24 else "..."
        if mean or name in each:
            means.add_row(_words(name), f"{float(mean):.4f}", exact)
    console.print(means)
    for name, parts in each.items():
        table = Table(_words(name), "exactly so", "or more", "")
        most = max(parts.values())
        for value, part, more in zip(parts, parts.values(), at_least(list(parts.values())), strict=True):
            if more < _TAIL:
                table.add_row(f"{value} and more", "", percent(more), "")
                break
            table.add_row(str(value), percent(part), percent(more), "█" * round(part * _BAR / most))
        console.print(table)


def at_least(parts: Sequence[Fraction]) -> list[Fraction]:
    """The sum of each part and those after it."""
    sums = []
    total = Fraction(0)
    for part in reversed(parts):
        total += part
        sums.append(total)
    return sums[::-1]


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
