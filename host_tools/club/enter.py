"""Importing: finding logs, and entering what is right in them. What is not is told by name, and the rest goes on."""

import datetime
import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from host_tools.club.book import ADDED, KNOWN, UPDATED, Book
from host_tools.club.reading import READ_ERRORS, read_game, seats
from host_tools.errors import CommandError
from host_tools.log_pack import game_of
from host_tools.log_pull import CAMPAIGNS, SESSIONS
from host_tools.logfile import read_log
from tableside.core.book import MISSION_TITLE, RESULT_TITLE
from tableside.core.book import Book as CampaignBook

REFUSED = "refused"
_BATCH = 100  # logs in one transaction


@dataclass
class Entered:
    """What became of a log: added, updated, known or refused."""

    log: str
    id: str
    status: str
    reason: str = ""


def find_logs(path: Path) -> list[Path]:
    """The logs at a path: a log file, a session folder, or all in a folder of sessions or of log files.

    Raises: CommandError if it is none of these.
    """
    if path.is_file() or (path / "head").is_file():
        return [path]
    if not path.is_dir():
        raise CommandError("no such file or folder")
    inside = path / SESSIONS if (path / SESSIONS).is_dir() else path
    found = sorted(one for one in inside.iterdir() if (one / "head").is_file() or one.suffix == ".log")
    if not found and not any((path / CAMPAIGNS).glob("*/head")):
        raise CommandError("no session logs in it")
    return found


def enter_logs(book: Book, logs: Iterable[Path], players: str = "", device: str | None = None,
               date: str = "") -> Iterator[Entered]:
    """Enter logs, a batch a transaction.

    Args: players: who played which side of them, see `reading.seats`; device: the id of theirs; date: theirs, else the
        day on which each was written to this computer.
    """
    waiting = iter(logs)
    while batch := list(itertools.islice(waiting, _BATCH)):
        read = []
        for log in batch:
            try:
                game = read_game(log)
                game.date = date or game.date
                if players:
                    game.players = seats(game, players, game_of(read_log(log), log))
                read.append((log, game))
            except READ_ERRORS as error:
                yield Entered(str(log), "", REFUSED, str(error))
        done = []
        with book.transaction():
            for log, game in read:
                try:
                    done.append(Entered(str(log), game.id, book.enter(game, device)))
                except CommandError as error:
                    done.append(Entered(str(log), game.id, REFUSED, str(error)))
        yield from done


def enter_campaigns(book: Book, folder: Path) -> Iterator[Entered]:
    """Enter the books of campaigns that were pulled to a folder."""
    for file in sorted(folder.glob(f"{CAMPAIGNS}/*/head")):
        try:
            found = CampaignBook(file.read_bytes())
        except READ_ERRORS as error:
            yield Entered(str(file.parent), "", REFUSED, str(error))
            continue
        results = [[result[MISSION_TITLE], result[RESULT_TITLE]] for result in found.results]
        row = {"salt": found.salt, "system": found.pack_id, "id": found.campaign, "title": found.title,
               "played": found.played, "next": found.next_title, "ending": found.ending,
               "results": json.dumps(results, ensure_ascii=False),
               "date": datetime.datetime.fromtimestamp(file.stat().st_mtime).isoformat(" ", "seconds")}
        new = book.db.execute("SELECT 1 FROM campaign WHERE salt = ?", (found.salt,)).fetchone() is None
        with book.transaction():
            changed = book.enter_campaign(row)
        yield Entered(str(file.parent), found.salt, (ADDED if new else UPDATED) if changed else KNOWN)


def import_paths(book: Book, paths: list[Path], players: str = "", date: str = "") -> Iterator[Entered]:
    """Enter all that is at these paths."""
    logs: list[Path] = []
    for path in paths:
        try:
            logs += find_logs(path)
        except (CommandError, OSError) as error:
            yield Entered(str(path), "", REFUSED, str(error))
    yield from enter_logs(book, logs, players, date=date)
    for path in paths:
        yield from enter_campaigns(book, path)
