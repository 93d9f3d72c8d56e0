"""`tableside play`: a session without screens, driven by commands in words."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from host_tools.errors import CommandError
from host_tools.logfile import write_log
from host_tools.table import Table
from host_tools.words import FORMS
from tableside.core import campaign
from tableside.core.errors import CoreError, LogError
from tableside.core.rng import SEED_BYTES

_MANUAL = """\
A session without screens, driven by the same commands that the buttons give. Without --do and --file it asks for
commands if the standard input is a terminal; else it shows the start.

commands:
  {forms}
  undo [N]
  redo

The id of an offered action alone chooses it. LINE, POSITION and SLOT count from 1; a zone's cards are in the order in
which they are shown. A command that is refused ends the run with exit code 1; what came before it is in the --log.

With --json: system, scenario, seed, commitment, round, turn, phase, step, actor, counters, decks, units, log, over,
result, next; with --commands also commands. Zones that not everybody may see are shown as numbers of cards.
A unit: slot, side, unit (its id, null if entered by numbers), name, models, models_left, wounds, wounds_lost (of the
model that is hurt), flags, tracks, toughness, save, invulnerable, feel_no_pain. `unit SLOT lost` counts all wounds.

With --campaign the session is a mission of that campaign and begins with its values, and those of --carry: NAME=VALUE,
the name of a counter or UNIT.FLAG. The JSON then has campaign: id, carried; when the game has a result also leaves
(values for the next mission), following (its id, null if there is none) and ending (null, or title and kind).
"""
_EXAMPLE = """\
example:
  tableside play nemesis/erosion-of-power --seed 1 --do "large; done; advance; advance"
"""


def add_parser(subparsers: Any) -> None:
    """Add `play`."""
    parser = subparsers.add_parser(
        "play", help="play a session without screens", epilog=_EXAMPLE,
        description=_MANUAL.format(forms="\n  ".join(FORMS.values())),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", metavar="SYSTEM/SCENARIO")
    parser.add_argument("--seed", type=_seed, metavar="HEX", help="up to 32 hex digits (default: random)")
    parser.add_argument("--campaign", metavar="ID", help="play it as a mission of this campaign")
    parser.add_argument("--carry", metavar='"NAME=VALUE ..."', help="what the campaign carries into it")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--do", metavar='"CMD; CMD"', help="commands, separated by ';'")
    source.add_argument("--file", metavar="FILE", help="commands, one a line, '#' begins a comment; '-' is stdin")
    parser.add_argument("--commands", action="store_true", help="list what is legal after that")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write the session's log, for 'tableside replay'")
    parser.add_argument("--reveal", action="store_true", help="show the cards of all zones")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _seed(text: str) -> bytes:
    try:
        return int(text, 16).to_bytes(SEED_BYTES, "big")
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"must be 1 to 32 hex digits, got {text!r}") from None


def run(args: argparse.Namespace) -> int:
    """Play. Returns: 0, or 1 if a command was refused. Raises: CommandError, OSError."""
    if args.carry and not args.campaign:
        raise CommandError("--carry needs --campaign ID")
    try:
        values = campaign.decode(args.carry or "")
    except LogError as error:
        raise CommandError(f"--carry takes NAME=VALUE: {error}") from None
    table = Table(args.target, args.seed or os.urandom(SEED_BYTES), args.campaign, values)
    lines = _commands(args)
    try:
        if lines is None and sys.stdin.isatty() and not args.json and not args.commands:
            _ask(table, args.reveal)
            return 0
        for n, line in enumerate(lines or [], 1):
            try:
                table.give(line)
            except (CommandError, CoreError) as error:
                raise CommandError(f"command {n} ({line}): {error}") from None
    finally:
        table.session.save()
        if args.log is not None:
            write_log(args.log, table.log)
    state = table.state(args.reveal)
    if args.json:
        legal = {"commands": table.commands()} if args.commands else {}
        print(json.dumps({**state, **legal}, ensure_ascii=False, indent=2))
        return 0
    _print_state(state)
    if args.commands:
        _print_commands(table)
    return 0


def _commands(args: argparse.Namespace) -> list[str] | None:
    if args.do is not None:
        lines = args.do.split(";")
    elif args.file is not None:
        try:
            text = sys.stdin.read() if args.file == "-" else Path(args.file).read_text("utf-8")
        except UnicodeDecodeError:
            raise CommandError(f"{args.file} is not UTF-8 text") from None
        lines = [line.partition("#")[0] for line in text.splitlines()]
    else:
        return None
    return [line.strip() for line in lines if line.strip()]


def _ask(table: Table, reveal: bool) -> None:
    """Take commands from a person until the end of input or `quit`."""
    print("Commands, 'help' or 'quit'.")
    while True:
        _print_state(table.state(reveal))
        try:
            line = input("> ").strip()
        except EOFError:
            print()
            return
        if line == "quit":
            return
        try:
            if line == "help":
                _print_commands(table)
            elif line:
                table.give(line)
        except (CommandError, CoreError) as error:
            print(error)


def _print_state(state: dict[str, Any]) -> None:
    actor = f", {state['actor']}" if state["actor"] else ""
    print(f"\n{state['system']}/{state['scenario']}, seed {state['seed']}")
    print(f"round {state['round']}, {state['phase']}, step {state['step']}{actor}")
    print("  " + ", ".join(f"{name} {value}" for name, value in state["counters"].items()))
    for deck, zones in state["decks"].items():
        print(f"  {deck}: " + "; ".join(
            f"{zone} {cards if isinstance(cards, int) else ' '.join(cards) or '-'}" for zone, cards in zones.items()))
    for unit in state["units"]:
        lost = f", {unit['wounds_lost']} of {unit['wounds']} wounds lost" if unit["wounds_lost"] else ""
        flags = "".join(f", {name}" for name in unit["flags"])
        flags += "".join(f", {name} {value}" for name, value in unit.get("tracks", {}).items())
        print(f"  unit {unit['slot']}: {unit['name']}" + (f" of {unit['side']}" if unit["side"] else "")
              + f", {unit['models_left']} of {unit['models']} models{lost}{flags}")
    if state["over"]:
        result = state["result"]
        print("over: " + f"{result['title']} ({result['kind']})".strip())
        _print_campaign(state.get("campaign"))
    elif isinstance(state["next"], dict) and "attack" in state["next"]:
        print(f"next: {state['next']['stage'] or 'apply'} of {state['next']['attack']}")
    elif isinstance(state["next"], dict) and "ask" in state["next"]:
        print(f"next: {state['next']['title']}: {state['next']['ask']}")
        for i, option in enumerate(state["next"]["options"], 0 if state["next"]["die"] else 1):
            print(f"next: answer {i}: {option}")
    elif isinstance(state["next"], dict) and "guide" in state["next"]:
        print(f"next: answer: {state['next']['guide']}: {state['next']['text']}")
    elif isinstance(state["next"], dict):
        dice = ", ".join(f"{die['label']} D{die['sides']}" for die in state["next"]["dice"])
        print(f"next: enter dice for {state['next']['title']}: {dice}")
    else:
        for action in state["next"]:
            print(f"next: {action['id']}: {action['label']}" + (f" ({action['ask']})" if action["ask"] else ""))


def _print_campaign(linked: dict[str, Any] | None) -> None:
    if linked is None or "leaves" not in linked:
        return
    if linked["ending"]:
        print(f"campaign: {linked['ending']['title']} ({linked['ending']['kind']})")
    else:
        print(f"campaign: {linked['following'] or 'over'}")
    print(f'leaves: --carry "{campaign.encode(linked["leaves"])}"')


def _print_commands(table: Table) -> None:
    for command in table.commands():
        print(f"{command['answer']:4}{command['command']}" + (f"  {command['about']}" if command["about"] else ""))
