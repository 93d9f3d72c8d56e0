"""`tableside club`: the club book."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from host_tools.club import export, roster, tables
from host_tools.club.book import Book
from host_tools.club.collect import collect, plugged_in, watch
from host_tools.club.enter import REFUSED, import_paths
from host_tools.errors import CommandError
from host_tools.files import replace_file
from host_tools.ports import add_port

_MANUAL = """\
The results of many devices and evenings in one file: --book, club.db by default, made when it is first needed.

import     enters logs: files, session folders, or all in a folder. Each is replayed first; a wrong one is refused by
           name, and the rest is entered. Doing it twice changes nothing
collect    pulls from every device that is plugged in, enters what came with today's date, and sets the device's clock;
           --watch goes on with each device that is plugged in later, until Ctrl-C
results    the games, newest first
standings  won, drawn and lost by player, and the difference of victory points
versus     how each player has done against each other
campaigns  how far each campaign has come
fleet      the devices that were seen, and where their versions differ
roster     names and pairings for the devices: shows, changes and pushes them
export     all tables as CSV files, Markdown or HTML

Who played: from the session, if the device knew; or by --players "Marines=Ann,Cult=Bob+Cy": a side by its name, id,
number or letter; names alone take the sides in their order. With --players a game that the book knows is corrected.
A game that only chooses a mission is nobody's. Where people play one side or all against the game, they win together.

With --json: rows. Of import: [{log, id, status, reason}], status is added, updated, known or refused.
"""
_EXAMPLE = """\
example:
  tableside club collect --watch
  tableside club import league --players "Ann,Bob"
  tableside club standings --system claw
  tableside club roster --add Ann --add Bob --pair 1:Ann:Bob --push
  tableside club export --format html -o club.html
"""
_TABLES: dict[str, Callable[..., tables.Rows]] = {
    "results": tables.results, "standings": tables.standings, "versus": tables.versus,
    "campaigns": tables.campaigns, "fleet": tables.fleet}


def add_parser(subparsers: Any) -> None:
    """Add `club` and its actions."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = subparsers.add_parser("club", help="the results of a club", description=_MANUAL, epilog=_EXAMPLE,
                                   formatter_class=raw)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--book", type=Path, default=Path("club.db"), metavar="FILE", help="default: club.db")
    common.add_argument("--json", action="store_true", help="print JSON")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, text: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = actions.add_parser(name, help=text, description=text + ".", epilog=_EXAMPLE,
                                                           parents=[common], formatter_class=raw)
        return made

    entering = action("import", "enter logs")
    entering.add_argument("logs", type=Path, nargs="+", metavar="LOG", help="files, session folders, folders of them")
    entering.add_argument("--players", default="", metavar='"SIDE=NAME,..."', help="who played which side")
    entering.add_argument("--date", default="", metavar="YYYY-MM-DD", help="default: when the log was written here")
    collecting = action("collect", "pull from devices and enter what came")
    add_port(collecting)
    collecting.add_argument("--watch", action="store_true", help="go on with each device that is plugged in")
    collecting.add_argument("-o", "--output", type=Path, default=Path("league"), metavar="FOLDER",
                            help="where the logs go (default: league)")
    for name, text in (("results", "the games"), ("standings", "won, drawn and lost by player"),
                       ("versus", "player against player"), ("campaigns", "how far campaigns have come"),
                       ("fleet", "the devices")):
        table = action(name, text)
        if name != "fleet":
            table.add_argument("--system", default="", help="of one system only")
        if name in ("results", "versus"):
            table.add_argument("--player", default="", metavar="NAME", help="of one player only")
        if name == "results":
            table.add_argument("--unfinished", action="store_true", help="those that are not over too")
        if name == "standings":
            table.add_argument("--by-system", action="store_true", help="a row for each system")
    _add_roster(action("roster", "names and pairings for the devices"))
    exporting = action("export", "write all tables")
    exporting.add_argument("--format", choices=export.FORMATS, default="markdown", help="default: markdown")
    exporting.add_argument("-o", "--output", type=Path, metavar="PATH",
                           help="a file, of CSV a folder (default: club.md, club.html, club)")
    exporting.add_argument("--system", default="", help="of one system only")


def _add_roster(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--add", action="append", default=[], metavar="NAME", help="put a player on it")
    parser.add_argument("--remove", action="append", default=[], metavar="NAME", help="take a player off it")
    parser.add_argument("--pair", action="append", metavar="TABLE:NAME:NAME",
                        help="the pairings of an evening, in the place of those before")
    parser.add_argument("--no-pairings", action="store_true", help="there are none any more")
    parser.add_argument("--push", action="store_true", help="write it to every device that is plugged in, or --port's")
    parser.add_argument("--dir", type=Path, metavar="FOLDER", help="write it to the files of a simulated device")
    add_port(parser)


def run(args: argparse.Namespace) -> int:
    """Do one action. Returns: 0, or 1 if something was refused. Raises: CommandError, OSError."""
    if args.action in (*_TABLES, "export") and not args.book.is_file():
        raise CommandError(f"{args.book}: no such book: 'tableside club import' makes one")
    with Book(args.book) as book:
        if args.action == "import":
            return _import(args, book)
        if args.action == "collect":
            return _collect(args, book)
        if args.action == "roster":
            return _roster(args, book)
        if args.action == "export":
            return _export(args, book)
        _print(args, _rows(args, book, args.action))
    return 0


def _rows(args: argparse.Namespace, book: Book, name: str) -> tables.Rows:
    wanted = {key: value for key, value in vars(args).items()
              if key in ("system", "player", "unfinished", "by_system") and value}
    return _TABLES[name](book, **wanted)


def _print(args: argparse.Namespace, rows: tables.Rows) -> None:
    if args.json:
        print(export.as_json(rows))
    elif rows:
        export.show(rows)
    else:
        print("nothing yet")


def _import(args: argparse.Namespace, book: Book) -> int:
    rows = []
    for entered in import_paths(book, args.logs, args.players, args.date):
        rows.append(asdict(entered))
        if entered.status == REFUSED:
            print(f"tableside club: {entered.log}: {entered.reason}", file=sys.stderr)
    if args.json:
        print(export.as_json(rows))
    else:
        counts = {status: sum(row["status"] == status for row in rows) for status in dict.fromkeys(
            row["status"] for row in rows)}
        print(", ".join(f"{count} {status}" for status, count in counts.items()) or "nothing to import")
    return 1 if any(row["status"] == REFUSED for row in rows) else 0


def _collect(args: argparse.Namespace, book: Book) -> int:
    if args.watch:
        if not args.json:
            print("plug the devices in one after the other; Ctrl-C ends", file=sys.stderr)
        _tell_devices(args, watch(book, args.output))
        return 0
    ports = plugged_in() if args.port == "auto" else [args.port]
    if not ports:
        raise CommandError("no device found: plug one in, or wait for them with --watch")
    return _tell_devices(args, (collect(book, port, args.output) for port in ports))


def _tell_devices(args: argparse.Namespace, found: Iterable[dict[str, Any]]) -> int:
    """Tell each device as it was collected; JSON is one line for all, with --watch one for each."""
    rows = []
    for row in found:
        rows.append(row)
        for one in row["refused"]:
            print(f"tableside club: {one['log']}: {one['reason']}", file=sys.stderr)
        if args.json and args.watch:
            print(json.dumps(row, ensure_ascii=False), flush=True)
        elif not args.json:
            counts = ", ".join(f"{count} {status}" for status, count in row["sessions"].items() if count)
            print(f"{row['port']}  {row['board']} {row['id']}  app {row['app'] or '?'}, "
                  f"{export.cell(row['packs']) or 'no packs'}: {counts or 'nothing new'}", flush=True)
    if args.json and not args.watch:
        print(export.as_json(rows))
    return 1 if any(row["refused"] for row in rows) else 0


def _roster(args: argparse.Namespace, book: Book) -> int:
    pairings = [roster.read_pairing(words) for words in args.pair] if args.pair else [] if args.no_pairings else None
    if args.add or args.remove or pairings is not None:
        roster.change(book, args.add, args.remove, pairings)
    pushed = [roster.push_to_folder(book, args.dir)] if args.dir else []
    if args.push:
        ports = plugged_in() if args.port == "auto" else [args.port]
        if not ports:
            raise CommandError("no device found to push to: plug one in")
        pushed += [roster.push(book, port) for port in ports]
    tables_of = {name: (place, other) for place, a, b in book.pairings() for name, other in ((a, b), (b, a))}
    rows: tables.Rows = []
    for name in book.roster():
        place, opponent = tables_of.get(name, (None, ""))
        rows.append({"player": name, "table": place, "opponent": opponent})
    _print(args, rows)
    for where in pushed:
        print(f"pushed to {where}", file=sys.stderr)
    return 0


def _export(args: argparse.Namespace, book: Book) -> int:
    found = {"Standings": tables.standings(book, args.system),
             "Standings by system": tables.standings(book, args.system, by_system=True),
             "Head to head": tables.versus(book, args.system), "Campaigns": tables.campaigns(book, args.system),
             "Results": tables.results(book, args.system)}
    target = args.output or Path({"csv": "club", "markdown": "club.md", "html": "club.html"}[args.format])
    if args.format == "csv":
        target.mkdir(parents=True, exist_ok=True)
        files = {target / f"{title.lower().replace(' ', '-')}.csv": export.as_csv(rows)
                 for title, rows in found.items()}
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        files = {target: export.as_html(found) if args.format == "html" else export.as_markdown(found)}
    for file, text in files.items():
        replace_file(file, text.encode())
    _print(args, [{"file": str(file)} for file in files])
    return 0
