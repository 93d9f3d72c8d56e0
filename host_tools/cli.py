"""The `tableside` command: a table of commands, each in a module of its own."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from host_tools.errors import CommandError
from tableside import VERSION
from tableside.core.errors import CoreError

# Each module has `add_parser(subparsers)` and `run(args) -> int`. Only the module of the command given is imported.
COMMANDS = {
    "sim": "host_tools.sim.command",
    "play": "host_tools.play",
    "pack": "host_tools.packs.command",
    "resolve": "host_tools.resolve",
    "odds": "host_tools.odds_command",
    "replay": "host_tools.replay",
    "boards": "host_tools.boards_command",
    "bundle": "host_tools.bundle",
    "flash": "host_tools.flash",
    "deploy": "host_tools.deploy",
    "doctor": "host_tools.doctor",
    "log": "host_tools.log_command",
    "club": "host_tools.club.command",
}


def parser_for(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser that these arguments need: with one command if they begin with it, else with all."""
    parser = argparse.ArgumentParser(
        prog="tableside",
        description="Host tools of Tableside, the tabletop companion for the Raspberry Pi Pico.",
        epilog="'tableside COMMAND -h' is the manual of a command.",
    )
    parser.add_argument("--version", action="version", version=f"tableside {VERSION}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    wanted = [arguments[0]] if arguments and arguments[0] in COMMANDS else list(COMMANDS)
    for name in wanted:
        importlib.import_module(COMMANDS[name]).add_parser(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns: 0 done, 1 it could not be done. Raises: SystemExit(2) for wrong usage."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    args = parser_for(arguments).parse_args(arguments)
    try:
        status: int = importlib.import_module(COMMANDS[args.command]).run(args)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of our output went away: `tableside ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except (CommandError, CoreError, OSError) as error:
        first, *more = str(error).split("\n")
        print(f"tableside {args.command}: {first}" + (f" (and {len(more)} more)" if more else ""), file=sys.stderr)
        return 1
