"""What the book tells: results, standings, head to head, campaigns, devices. Each table is a list of rows."""

import json
from typing import Any

from host_tools.club.book import Book

Rows = list[dict[str, Any]]

# The points of the best other side; NULL where no other side has any.
_AGAINST = "(SELECT max(o.vp) FROM side o WHERE o.session = side.session AND o.side != side.side)"
_PLAYERS = """(SELECT group_concat(name, ', ') FROM (
    SELECT player.name FROM seat JOIN player ON player.id = seat.player
    WHERE seat.session = side.session AND seat.side = side.side ORDER BY player.name))"""


def results(book: Book, system: str = "", player: str = "", unfinished: bool = False) -> Rows:
    """The games, newest first, with their sides."""
    rows = []
    for row in book.db.execute(
            """SELECT * FROM session WHERE (? = '' OR system = ?) AND (over AND kind != 'choice' OR ?)
               AND (? = '' OR EXISTS (SELECT 1 FROM seat JOIN player ON player.id = seat.player
               WHERE seat.session = session.id AND player.name = ? COLLATE NOCASE))
               ORDER BY date DESC, id""", (system, system, unfinished, player, player)):
        sides = [{"side": side["name"], "players": side["players"] or "", "vp": side["vp"], "outcome": side["outcome"]}
                 for side in book.db.execute(f"SELECT *, {_PLAYERS} AS players FROM side WHERE session = ? AND people "
                                             "ORDER BY side", (row["id"],))]
        rows.append({"date": row["date"], "system": row["system"], "scenario": row["scenario"], "title": row["title"],
                     "result": row["result"], "kind": row["kind"], "sides": sides, "device": row["device"],
                     "number": row["number"], "session": row["id"][:8]})
    return rows


def standings(book: Book, system: str = "", by_system: bool = False) -> Rows:
    """Games won, drawn and lost by player, and their victory points; best first."""
    what = "session.system AS system, " if by_system else ""
    group = "session.system, player.id" if by_system else "player.id"
    rows = book.db.execute(
        f"""SELECT {what}player.name AS player, count(*) AS played, sum(outcome = 'win') AS won,
            sum(outcome = 'draw') AS drawn, sum(outcome = 'loss') AS lost,
            coalesce(sum(CASE WHEN against IS NOT NULL THEN vp END), 0) AS vp,
            coalesce(sum(CASE WHEN vp IS NOT NULL THEN against END), 0) AS vp_against,
            coalesce(sum(vp - against), 0) AS vp_difference
            FROM (SELECT *, {_AGAINST} AS against FROM side WHERE outcome IS NOT NULL) AS side
            JOIN seat ON seat.session = side.session AND seat.side = side.side
            JOIN player ON player.id = seat.player JOIN session ON session.id = side.session
            WHERE (? = '' OR session.system = ?) GROUP BY {group}
            ORDER BY {'session.system, ' if by_system else ''}won DESC, drawn DESC, vp_difference DESC, lost,
            player.name COLLATE NOCASE""", (system, system))
    return [dict(row) for row in rows]


def versus(book: Book, system: str = "", player: str = "") -> Rows:
    """Every two players who sat at different sides, and how that went for the first one; a pair once."""
    rows = book.db.execute(
        """SELECT p.name AS player, q.name AS opponent, count(*) AS played, sum(a.outcome = 'win') AS won,
           sum(a.outcome = 'draw') AS drawn, sum(a.outcome = 'loss') AS lost,
           coalesce(sum(a.vp - b.vp), 0) AS vp_difference
           FROM side a JOIN side b ON b.session = a.session AND b.side != a.side
           JOIN seat s ON s.session = a.session AND s.side = a.side JOIN player p ON p.id = s.player
           JOIN seat t ON t.session = b.session AND t.side = b.side JOIN player q ON q.id = t.player
           JOIN session ON session.id = a.session
           WHERE a.outcome IS NOT NULL AND b.outcome IS NOT NULL AND (? = '' OR session.system = ?)
           AND NOT (a.outcome = b.outcome AND a.outcome != 'draw')
           AND (p.name = ? COLLATE NOCASE OR ? = '' AND p.name < q.name COLLATE NOCASE)
           GROUP BY p.id, q.id ORDER BY p.name COLLATE NOCASE, q.name COLLATE NOCASE""",
        (system, system, player, player))
    return [dict(row) for row in rows]


def campaigns(book: Book, system: str = "") -> Rows:
    """The campaigns: how far they have come, what was won and what comes next, and who plays them."""
    rows = []
    for row in book.db.execute("SELECT * FROM campaign WHERE ? = '' OR system = ? ORDER BY system, title, salt",
                               (system, system)):
        players = book.db.execute(
            """SELECT DISTINCT player.name FROM session JOIN seat ON seat.session = session.id
               JOIN player ON player.id = seat.player WHERE campaign_salt = ? ORDER BY 1""", (row["salt"],))
        rows.append({"system": row["system"], "campaign": row["title"], "played": row["played"],
                     "results": json.loads(row["results"]), "next": row["next"],
                     "ending": row["ending"] or ("" if row["next"] else "over"),
                     "players": ", ".join(name for name, in players), "date": row["date"], "salt": row["salt"]})
    return rows


def fleet(book: Book) -> Rows:
    """The devices, with `differs`: what of their versions is not what most of the others have."""
    rows = [{**dict(row), "packs": json.loads(row["packs"])}
            for row in book.db.execute("SELECT * FROM device ORDER BY id")]
    games = dict(book.db.execute("SELECT device, count(*) FROM session GROUP BY device").fetchall())
    usual: dict[str, str] = {}
    for name in ["app", *sorted({pack for row in rows for pack in row["packs"]})]:
        found = [version for row in rows if (version := _version(row, name))]
        usual[name] = max(sorted(set(found)), key=found.count, default="")
    for row in rows:
        row["sessions"] = games.get(row["id"], 0)
        row["differs"] = [name for name, version in usual.items() if _version(row, name) not in (version, "")]
    return rows


def _version(row: dict[str, Any], name: str) -> str:
    return str(row["app"] if name == "app" else row["packs"].get(name, ""))
