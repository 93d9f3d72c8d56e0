"""The book as a SQLite file: its schema by version, and what is entered.

Every change is one transaction: whatever ends the program, the book is as it was before or after it.
"""

import contextlib
import datetime
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from host_tools.club.reading import GameResult
from host_tools.errors import CommandError

ADDED, UPDATED, KNOWN = "added", "updated", "known"

# What makes a book of version n + 1 of one of version n. Never change an entry; add one.
MIGRATIONS = (
    """
    CREATE TABLE device (
        id TEXT PRIMARY KEY, board TEXT NOT NULL, micropython TEXT NOT NULL, app TEXT NOT NULL, packs TEXT NOT NULL,
        seen TEXT NOT NULL
    );
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE);
    CREATE TABLE session (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, device TEXT REFERENCES device (id), number INTEGER,
        date TEXT NOT NULL, system TEXT NOT NULL, game TEXT NOT NULL, scenario TEXT NOT NULL, title TEXT NOT NULL,
        version TEXT NOT NULL, commands INTEGER NOT NULL, digest TEXT NOT NULL, over INTEGER NOT NULL,
        kind TEXT NOT NULL, result TEXT NOT NULL
    );
    CREATE TABLE side (
        session TEXT NOT NULL REFERENCES session (id), side INTEGER NOT NULL, name TEXT NOT NULL, vp INTEGER,
        outcome TEXT CHECK (outcome IN ('win', 'draw', 'loss')), people INTEGER NOT NULL,
        PRIMARY KEY (session, side)
    ) WITHOUT ROWID;
    CREATE TABLE seat (
        session TEXT NOT NULL, side INTEGER NOT NULL, player INTEGER NOT NULL REFERENCES player (id),
        PRIMARY KEY (session, side, player), FOREIGN KEY (session, side) REFERENCES side (session, side)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE session ADD COLUMN campaign TEXT NOT NULL DEFAULT '';
    ALTER TABLE session ADD COLUMN campaign_salt TEXT NOT NULL DEFAULT '';
    ALTER TABLE session ADD COLUMN place INTEGER;
    CREATE TABLE campaign (
        salt TEXT PRIMARY KEY, system TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, played INTEGER NOT NULL,
        next TEXT NOT NULL, ending TEXT NOT NULL, results TEXT NOT NULL, date TEXT NOT NULL
    );
    ALTER TABLE player ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE pairing (place INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT NOT NULL);
    CREATE INDEX seat_player ON seat (player);
    CREATE INDEX session_campaign ON session (campaign_salt);
    """,
)


class Book:
    """An open book. Close it, or use it as a context manager.

    Args: path: of the file, made if there is none. Raises: CommandError if it is no book, or of a newer version.
    """

    def __init__(self, path: Path):
        self.path = path
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        try:
            self._migrate()
        except sqlite3.DatabaseError as error:
            self.db.close()
            raise CommandError(f"{path}: no club book: {error}") from None
        except CommandError:
            self.db.close()
            raise
        self.db.execute("PRAGMA foreign_keys = ON")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.db.close()

    def _migrate(self) -> None:
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise CommandError(f"{self.path}: made by a newer version of tableside: its schema is {version}, "
                               f"here it is {len(MIGRATIONS)}")
        if not version and self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise CommandError(f"{self.path}: no club book: another program's database")
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            with self.transaction():
                for statement in filter(str.strip, script.split(";")):
                    self.db.execute(statement)
                self.db.execute(f"PRAGMA user_version = {number}")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is entered within it, or nothing."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    # --- entering; each within a transaction of the caller -------------------------------------------------------

    def enter(self, game: GameResult, device: str | None = None) -> str:
        """Enter a session, or what has come to it since. Returns: ADDED, UPDATED or KNOWN.

        Raises: CommandError if the book has another course of the same session.
        """
        known = self.db.execute("SELECT * FROM session WHERE id = ?", (game.id,)).fetchone()
        if known and not _continues(known, game):
            raise CommandError("the book has another course of this session")
        status = ADDED if not known else UPDATED if game.commands > known["commands"] else KNOWN
        if status == KNOWN:
            if device and not known["device"]:
                self.db.execute("UPDATE session SET device = ? WHERE id = ?", (device, game.id))
        else:
            self._put(game, device or (known["device"] if known else None))
        if game.players and (status != KNOWN or self._seats(game.id) != game.players):
            self.seat(game.id, game.players)
            status = UPDATED if status == KNOWN else status
        return status

    def _put(self, game: GameResult, device: str | None) -> None:
        columns = {
            "id": game.id, "name": game.name, "device": device, "number": game.number, "date": game.date,
            "system": game.system, "game": game.game, "scenario": game.scenario, "title": game.title,
            "version": game.version, "commands": game.commands, "digest": game.digests[-1] if game.digests else "",
            "over": game.over, "kind": game.kind, "result": game.result, "campaign": game.campaign,
            "campaign_salt": game.campaign_salt, "place": game.place}
        updates = ", ".join(f"{name} = excluded.{name}" for name in columns)
        self.db.execute(f"INSERT INTO session ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) "
                        f"ON CONFLICT (id) DO UPDATE SET {updates}", tuple(columns.values()))
        self.db.executemany(
            "INSERT INTO side VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET vp = excluded.vp, "
            "outcome = excluded.outcome",
            [(game.id, i, side.name, side.vp, side.outcome, side.people) for i, side in enumerate(game.sides)])

    def _seats(self, session: str) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for side, name in self.db.execute(
                "SELECT side, name FROM seat JOIN player ON player.id = player WHERE session = ? ORDER BY name",
                (session,)):
            found.setdefault(side, []).append(name)
        return found

    def seat(self, session: str, players: dict[int, list[str]]) -> None:
        """Say who played the sides of a session, in the place of whoever the book has there."""
        self.db.execute("DELETE FROM seat WHERE session = ?", (session,))
        for side, names in players.items():
            for name in names:
                self.db.execute("INSERT OR IGNORE INTO seat VALUES (?, ?, ?)", (session, side, self.player(name)))

    def player(self, name: str) -> int:
        """The number of a player, who is entered if need be."""
        self.db.execute("INSERT OR IGNORE INTO player (name) VALUES (?)", (name,))
        return int(self.db.execute("SELECT id FROM player WHERE name = ?", (name,)).fetchone()[0])

    def enter_device(self, device: dict[str, str]) -> None:
        """Enter what a device says of itself: id, board, micropython, app, packs."""
        self.db.execute(
            "INSERT INTO device (id, board, micropython, app, packs, seen) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET board = excluded.board, micropython = excluded.micropython, "
            "app = excluded.app, packs = excluded.packs, seen = excluded.seen",
            (*(device[key] for key in ("id", "board", "micropython", "app", "packs")), now()))

    def enter_campaign(self, row: dict[str, Any]) -> bool:
        """Enter the state of a campaign. An older one takes the place of a newer one only if it has more results.

        Returns: whether the book did not have it so.
        """
        old = self.db.execute("SELECT * FROM campaign WHERE salt = ?", (row["salt"],)).fetchone()
        if old and (dict(old) == row or row["date"] <= old["date"] and row["played"] <= old["played"]):
            return False
        self.db.execute(f"INSERT OR REPLACE INTO campaign ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
                        tuple(row.values()))
        return True

    # --- the roster ------------------------------------------------------------------------------------------------

    def list_players(self, names: Iterable[str], listed: bool) -> None:
        """Put players on the roster, or take them off it."""
        for name in names:
            self.db.execute("UPDATE player SET listed = ? WHERE id = ?", (listed, self.player(name)))

    def roster(self) -> list[str]:
        """The names on the roster, in order."""
        return [name for name, in self.db.execute("SELECT name FROM player WHERE listed ORDER BY name COLLATE NOCASE")]

    def pair(self, pairings: Iterable[tuple[int, str, str]]) -> None:
        """Put pairings in the place of those there are."""
        self.db.execute("DELETE FROM pairing")
        self.db.executemany("INSERT INTO pairing VALUES (?, ?, ?)", list(pairings))

    def pairings(self) -> list[tuple[int, str, str]]:
        """(table, name, name) in the order of the tables."""
        return [tuple(row) for row in self.db.execute("SELECT place, a, b FROM pairing ORDER BY place")]


def now() -> str:
    """The time as it stands in the book."""
    return datetime.datetime.now().isoformat(" ", "seconds")


def _continues(known: sqlite3.Row, game: GameResult) -> bool:
    """Whether a log goes on from what the book knows, or is an older copy of that."""
    if known["commands"] > game.commands:
        return True
    return not known["commands"] or game.digests[known["commands"] - 1] == known["digest"]
