"""`tableside log`: the sessions of a device or of a folder."""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from host_tools.errors import CommandError
from host_tools.files import replace_file
from host_tools.link import Link, progress_bar
from host_tools.log_pack import game_of
from host_tools.log_pull import SESSIONS, DeviceSource, FolderSource, Source, pull, session_folders, sessions
from host_tools.logfile import read_log, read_players
from host_tools.ports import add_port
from host_tools.transcript import Transcript, transcribe
from host_tools.transcript_text import as_markdown, as_text
from tableside.core.errors import CoreError

_MANUAL = """\
list    the sessions of a device, or of a folder that is like its flash: --dir of 'tableside sim', or one pulled to
pull    copies them to FOLDER/sessions, with the versions of the games that they began with; only what the folder does
        not have yet goes over the line. 'tableside replay FOLDER/sessions/NAME' verifies one. The books of campaigns
        come with them, to FOLDER/campaigns. A game that is over is marked on the device as pulled: only such games may
        make room there for others, as many as its setting "Games kept" says stay
show    prints sessions as people read them: sides, every command with its round and phase, result, dice
export  writes each of them to a file, as text, Markdown or JSON

The sessions of several devices can go to one folder: a name there is the session's number and part of a hash. LOG is a
session folder, or a file of 'tableside play --log'; without it, show and export take all sessions of the device or of
--dir. While a game runs its seed, hidden cards and what a side did in secret are left out, unless --secrets is given.

With --json: sessions. Of list and pull: [{name, system, scenario, bytes, copied}]. Of show: [{name, system, game,
version, scenario, title, sides, players, seal, seed ("" while it is hidden), salt, campaign, over, round, result (null,
or title, text, kind, side), counters, dice [{side, what, sides, dice, counts, expected}], commands, undone, lines [{n,
round, phase, side, title, changes, revealed, digest, undone}]}]. Of export: [{name, file}].
"""
_FORMATS = {"text": "txt", "markdown": "md", "json": "json"}
_EXAMPLE = """\
example:
  tableside log list
  tableside log pull -o league
  tableside log list --dir league --json
  tableside log show league/sessions/0003-5f2c9a01
  tableside log export --dir league --format markdown -o reports
"""


def add_parser(subparsers: Any) -> None:
    """Add `log` and its actions."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = subparsers.add_parser("log", help="list and fetch the sessions of a device", description=_MANUAL,
                                   epilog=_EXAMPLE, formatter_class=raw)
    common = argparse.ArgumentParser(add_help=False)
    where = common.add_mutually_exclusive_group()
    add_port(where)
    where.add_argument("--dir", type=Path, metavar="FOLDER", help="a folder instead of a device")
    common.add_argument("--json", action="store_true", help="print JSON")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in (("list", "list sessions"), ("pull", "copy sessions")):
        action = actions.add_parser(name, help=text, description=text + ".", epilog=_EXAMPLE, parents=[common],
                                    formatter_class=raw)
    action.add_argument("-o", "--output", type=Path, default=Path("pulled"), metavar="FOLDER",
                        help="where they go (default: pulled)")
    for name, text in (("show", "print sessions"), ("export", "write sessions to files")):
        action = actions.add_parser(name, help=text, description=text + ".", epilog=_EXAMPLE, parents=[common],
                                    formatter_class=raw)
        action.add_argument("logs", type=Path, nargs="*", metavar="LOG", help="session folders or log files")
        action.add_argument("--secrets", action="store_true", help="show what is hidden in a running game")
        action.add_argument("--format", choices=_FORMATS, default="text", help="default: text")
    action.add_argument("-o", "--output", type=Path, default=Path("exported"), metavar="FOLDER",
                        help="where they go (default: exported)")


def run(args: argparse.Namespace) -> int:
    """List, pull, show or export. Returns: 0, or 1 if a log could not be read. Raises: CommandError, OSError."""
    if args.action in ("show", "export"):
        return _tell(args)
    with _source(args) as source:
        entries = pull(source, args.output) if args.action == "pull" else sessions(source)
    if args.json:
        print(json.dumps({"sessions": [asdict(entry) for entry in entries]}, ensure_ascii=False))
        return 0
    for entry in entries:
        print(f"{entry.name}  {entry.system}/{entry.scenario}  {entry.bytes} bytes{'  copied' if entry.copied else ''}")
    if not entries:
        print("no sessions")
    elif args.action == "pull":
        print(f"{sum(entry.copied for entry in entries)} of {len(entries)} copied to {args.output / SESSIONS}")
    return 0


@contextmanager
def _source(args: argparse.Namespace) -> Iterator[Source]:
    if args.dir:
        yield FolderSource(args.dir)
        return
    with Link.open(args.port) as link, progress_bar() as bar:
        task = bar.add_task("fetching", total=None)
        yield DeviceSource(link, lambda count: bar.advance(task, count))


@contextmanager
def _logs(args: argparse.Namespace) -> Iterator[list[Path]]:
    """The logs that are named, else all of a device or folder."""
    if args.logs:
        yield args.logs
    elif args.dir:
        yield session_folders(args.dir)
    else:
        with tempfile.TemporaryDirectory() as folder:
            with _source(args) as source:
                pull(source, Path(folder), mark=False)
            yield session_folders(Path(folder))


def _tell(args: argparse.Namespace) -> int:
    """Show or export. A log that cannot be read is said, and does not keep the others back."""
    failed = False
    done: list[dict[str, Any]] = []
    with _logs(args) as paths:
        for path in paths:
            try:
                log = read_log(path)
                found = transcribe(log, game_of(log, path), args.secrets, read_players(path))
                done.append(_export(args, path, found) if args.action == "export" else _show(args, path, found))
            except (CoreError, CommandError) as error:
                failed = True
                print(f"tableside log: {path}: {error}", file=sys.stderr)
    if args.json:
        print(json.dumps({"sessions": done}, ensure_ascii=False))
    elif not done and not failed:
        print("no sessions")
    return 1 if failed else 0


def _show(args: argparse.Namespace, path: Path, found: Transcript) -> dict[str, Any]:
    if not args.json:
        print(_rendered(path, found, args.format))
    return {"name": path.name, **asdict(found)}


def _export(args: argparse.Namespace, path: Path, found: Transcript) -> dict[str, Any]:
    args.output.mkdir(parents=True, exist_ok=True)
    file = args.output / f"{path.name if path.is_dir() else path.stem}.{_FORMATS[args.format]}"
    replace_file(file, _rendered(path, found, args.format).encode())
    if not args.json:
        print(file)
    return {"name": path.name, "file": str(file)}


def _rendered(path: Path, found: Transcript, format: str) -> str:
    if format == "json":
        return json.dumps({"name": path.name, **asdict(found)}, ensure_ascii=False, indent=2) + "\n"
    return as_markdown(found) if format == "markdown" else as_text(found)
