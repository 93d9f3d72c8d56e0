"""`tableside log`: the sessions of a device or of a folder."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from host_tools.link import Link, progress_bar
from host_tools.log_pull import SESSIONS, DeviceSource, FolderSource, Source, pull, sessions
from host_tools.ports import add_port

_MANUAL = """\
list    the sessions of a device, or of a folder that is like its flash: --dir of 'tableside sim', or one pulled to
pull    copies them to FOLDER/sessions, with the versions of the games that they began with; only what the folder does
        not have yet goes over the line. 'tableside replay FOLDER/sessions/NAME' verifies one. The books of campaigns
        come with them, to FOLDER/campaigns

The sessions of several devices can go to one folder: a name there is the session's number and part of a hash.

With --json: sessions [{name, system, scenario, bytes, copied}].
"""
_EXAMPLE = """\
example:
  tableside log list
  tableside log pull -o league
  tableside log list --dir league --json
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


def run(args: argparse.Namespace) -> int:
    """List or pull. Returns: 0. Raises: CommandError, OSError."""
    if args.dir:
        return _run(args, FolderSource(args.dir))
    with Link.open(args.port) as link, progress_bar() as bar:
        task = bar.add_task("fetching", total=None)
        return _run(args, DeviceSource(link, lambda count: bar.advance(task, count)))


def _run(args: argparse.Namespace, source: Source) -> int:
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
