"""The club book: real logs go in, and what comes out is right; whatever is wrong with a log or kills the import."""

import csv
import io
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from log_makers import game, stored

from host_tools.cli import main
from host_tools.club import export, tables
from host_tools.club.book import ADDED, KNOWN, MIGRATIONS, UPDATED, Book
from host_tools.club.enter import REFUSED, import_paths
from host_tools.club.reading import GameResult, SideResult, is_choice, read_game, seats
from host_tools.club.roster import check_name
from host_tools.errors import CommandError
from host_tools.firmware import ROOT
from host_tools.logfile import write_log
from host_tools.packs.build import compile_system, find_games
from host_tools.packs.compiler import compile_file
from tableside.core import campaign
from tableside.core.book import new_book
from tableside.core.commands import END
from tableside.core.log import MemoryLog
from tableside.core.pack import SCENARIO, Pack, Scenario
from tableside.core.session import Session
from tableside.rules import resolver

pytestmark = pytest.mark.usefixtures("games_compiled_once")

RED, BLUE, DRAW = ("go; adjust vp-red 7; adjust vp-blue 4; end red", "go; adjust vp-red 1; adjust vp-blue 4; end blue",
                   "go; adjust vp-red 3; adjust vp-blue 3; end draw")


@pytest.fixture
def book(tmp_path: Path) -> Any:
    with Book(tmp_path / "club.db") as made:
        yield made


def put(folder: Path, name: str, log: MemoryLog) -> Path:
    folder.mkdir(exist_ok=True)
    write_log(folder / f"{name}.log", log)
    return folder / f"{name}.log"


def statuses(book: Book, *paths: Path, players: str = "") -> list[str]:
    return [entered.status for entered in import_paths(book, list(paths), players)]


def statuses_of(path: Path, *paths: Path) -> list[str]:
    with Book(path) as book:
        return statuses(book, *paths)


def outcomes(path: Path) -> dict[str, tuple[str | None, int | None]]:
    return {side.name: (side.outcome, side.vp) for side in read_game(path).sides}


# --- what a log says ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("target", "lines", "kind", "wanted"), [
    ("score/score", RED, "win", {"Red": ("win", 7), "Blue": ("loss", 4)}),
    ("score/score", BLUE, "loss", {"Red": ("loss", 1), "Blue": ("win", 4)}),
    ("score/score", DRAW, "draw", {"Red": ("draw", 3), "Blue": ("draw", 3)}),
    ("score/score", "concede red", "conceded", {"Red": ("loss", 0), "Blue": ("win", 0)}),
    ("score/score", "end", "abandoned", {"Red": (None, 0), "Blue": (None, 0)}),
    ("score/score", "go", "", {"Red": (None, 0), "Blue": (None, 0)}),
    ("overkill/killstorm", "end cult", "loss", {"Marines": ("loss", None), "Cult": ("win", None)}),
    ("nemesis/erosion-of-power", "adjust vp 5; end minor-win", "win", {"Players": ("win", 5), "NPO": (None, None)}),
    ("nemesis/hidden-enemy", "adjust npo-vp 5; adjust players-vp 2; end loss", "loss",
     {"Ambull": (None, 5), "Players": ("loss", 2), "Sentries": (None, None)}),
    ("nemesis/strategies", "end mission-2", "choice", {"Red": (None, None), "Blue": (None, None)}),
    ("death_angel/players-1", "end won", "win", dict.fromkeys(
        ["Blue", "Green", "Grey", "Purple", "Red", "Yellow"], ("win", None))),
])
def test_who_won(tmp_path: Path, target: str, lines: str, kind: str, wanted: dict[str, Any]) -> None:
    path = put(tmp_path, "a", game(target, lines))
    found = read_game(path)
    assert found.kind == kind and found.over == bool(kind)
    assert outcomes(path) == wanted


def test_won_is_of_the_first_side_in_every_game() -> None:
    """A result that names the winner has the kind that the book takes it for."""
    named = 0
    for system in find_games():
        pack = Pack(io.BytesIO(compile_system(system).data))
        for scenario in (Scenario(pack, i) for i in range(pack.count(SCENARIO))):
            people = scenario.players()
            if len(people) < 2 or is_choice(scenario):
                continue
            for i in range(scenario.results):
                title, _, kind = scenario.result(i)[:3]
                words = re.findall(r"\w+", pack.text(title).lower())
                winners = [at for at, side in enumerate(people) if scenario.side_name(side).lower() in words]
                if "wins" in words or "win" in words and len(winners) == 1:
                    named += bool(winners)
                    assert winners != [0] or kind & 3 == 1, (system, scenario.id(), words)
                    assert winners != [1] or kind & 3 == 2, (system, scenario.id(), words)
    assert named > 30


def test_players_by_side(tmp_path: Path) -> None:
    found = read_game(put(tmp_path, "a", game("overkill/killstorm", "end cult")))
    for words in ("Ann,Bob", "Marines=Ann,Cult=Bob", "cult=Bob, marines=Ann", "1=Ann,2=Bob", "A=Ann,b=Bob"):
        assert seats(found, words) == {0: ["Ann"], 1: ["Bob"]}, words
    assert seats(found, "Ann+Cy,Bob") == {0: ["Ann", "Cy"], 1: ["Bob"]}
    for words in ("C=Ann", "3=Ann", "nobody=Ann", "Ann,Bob,Cy"):
        with pytest.raises(CommandError):
            seats(found, words)


# --- importing ---------------------------------------------------------------------------------------------------


def test_importing_twice_changes_nothing(book: Book, tmp_path: Path) -> None:
    for seed, lines in enumerate((RED, BLUE, DRAW), 1):
        put(tmp_path / "logs", f"g{seed}", game("score/score", lines, seed))
    assert statuses(book, tmp_path / "logs", players="Ann,Bob") == [ADDED] * 3
    before = list(book.db.iterdump())
    assert statuses(book, tmp_path / "logs", players="Ann,Bob") == [KNOWN] * 3
    assert statuses(book, tmp_path / "logs") == [KNOWN] * 3
    assert list(book.db.iterdump()) == before
    assert statuses(book, tmp_path / "logs" / "g1.log", players="Ann,Cy") == [UPDATED]
    assert [(row["player"], row["won"], row["drawn"]) for row in tables.standings(book)] == [
        ("Bob", 1, 1), ("Ann", 1, 1), ("Cy", 0, 0)]


def test_what_is_wrong_is_refused_by_name_and_the_rest_imported(tmp_path: Path,
                                                                capsys: pytest.CaptureFixture[str]) -> None:
    logs = tmp_path / "logs"
    for seed in (1, 2):
        put(logs, f"good{seed}", game("score/score", RED, seed))
    right = (logs / "good1.log").read_bytes()
    altered = bytearray(right)
    altered[-9] ^= 1
    (logs / "altered.log").write_bytes(altered)
    (logs / "cut.log").write_bytes(right[:-3])
    (logs / "empty.log").write_bytes(b"")
    (logs / "foreign.log").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(300))
    saga = Pack(io.BytesIO(compile_file(ROOT / "tests" / "data" / "saga.toml").data))
    strange = MemoryLog()
    Session.new(saga, 0, bytes(16), strange, resolver)
    put(logs, "strange", strange)
    (logs / "folder").mkdir()
    (logs / "folder" / "head").write_bytes(b"nonsense")
    code = main(["club", "import", str(logs), "--book", str(tmp_path / "club.db"), "--json"])
    said = capsys.readouterr()
    rows = {Path(row["log"]).name: row for row in json.loads(said.out)["rows"]}
    assert code == 1
    assert [name for name, row in rows.items() if row["status"] == ADDED] == ["good1.log", "good2.log"]
    for name, why in (("altered.log", "altered: byte"), ("cut.log", "cut short"), ("empty.log", "not a session log"),
                      ("foreign.log", "not a session log"), ("strange.log", "another version of saga"),
                      ("folder", "head damaged")):
        assert rows[name]["status"] == REFUSED and why in rows[name]["reason"], rows[name]
        assert f"{logs / name}: " in said.err
    with Book(tmp_path / "club.db") as found:
        assert len(tables.results(found)) == 2
    good = game("score/score", RED, 3)
    assert statuses_of(tmp_path / "club.db", tmp_path / "none", put(tmp_path, "late", good)) == [REFUSED, ADDED]


def test_a_game_that_went_on_takes_the_place_of_what_was_known(book: Book, tmp_path: Path) -> None:
    running = put(tmp_path, "a", game("score/score", "go; adjust vp-red 7"))
    longer = put(tmp_path, "b", game("score/score", "go; adjust vp-red 7; adjust vp-blue 4; end red"))
    other = put(tmp_path, "c", game("score/score", "go; adjust vp-red 2; adjust vp-blue 9; end blue"))
    assert statuses(book, running, players="Ann,Bob") == [ADDED]
    assert tables.results(book) == [] and len(tables.results(book, unfinished=True)) == 1
    assert tables.standings(book) == []
    assert statuses(book, longer) == [UPDATED] and statuses(book, running) == [KNOWN]
    assert [(row["player"], row["won"], row["vp_difference"]) for row in tables.standings(book)] == [
        ("Ann", 1, 3), ("Bob", 0, -3)]
    found = list(import_paths(book, [other]))
    assert found[0].status == REFUSED and "another course" in found[0].reason


def test_the_players_that_the_device_knew(book: Book, tmp_path: Path) -> None:
    folder = stored(tmp_path, game("score/score", BLUE))
    (folder / "players").write_text("Ann\nBob,Cy\n")
    assert statuses(book, tmp_path) == [ADDED]
    assert [(row["player"], row["won"]) for row in tables.standings(book)] == [("Bob", 1), ("Cy", 1), ("Ann", 0)]
    (folder / "players").write_text("Ann\nDan\n")
    assert statuses(book, tmp_path) == [UPDATED]
    assert tables.results(book)[0]["sides"][1]["players"] == "Dan"


def test_a_game_of_another_version_is_read_with_the_pack_that_came_with_it(book: Book, tmp_path: Path) -> None:
    data = compile_file(ROOT / "tests" / "data" / "saga.toml").data
    pack = Pack(io.BytesIO(data))
    log = MemoryLog()
    carried = campaign.carry(2, "5a1t", 0, "war", {})
    session = Session.new(pack, 0, bytes(16), log, resolver, carried)
    session.do(END, (1,))
    session.save()
    stored(tmp_path, log)
    assert statuses(book, tmp_path) == [REFUSED]
    kept = tmp_path / "packs" / "kept"
    kept.mkdir(parents=True)
    (kept / f"{pack.hash.hex()}.tspk").write_bytes(data)
    saga = new_book(pack, "war", "The long war", "5a1t", ("m1", "Mission 1"), {})
    folder = tmp_path / "campaigns" / "0002-5a1t"
    folder.mkdir(parents=True)
    (folder / "head").write_bytes(saga.data())
    assert statuses(book, tmp_path, players="Ann,Bob") == [ADDED, ADDED]
    saga.take("Mission 1", "Cult wins", 1, {"c1": 1}, ("m2", "Mission 2"), ("", ""))
    (folder / "head").write_bytes(saga.data())
    assert statuses(book, tmp_path) == [KNOWN, UPDATED]
    row = tables.campaigns(book)[0]
    assert (row["campaign"], row["played"], row["next"], row["players"]) == ("The long war", 1, "Mission 2", "Ann, Bob")
    assert row["results"] == [["Mission 1", "Cult wins"]]
    assert tables.standings(book, "saga")[0]["player"] == "Bob"


# --- many games, and a kill --------------------------------------------------------------------------------------


def test_ten_thousand_games(book: Book, tmp_path: Path) -> None:
    """Real games under other ids, entered as an import enters them; the tables are those that plain counting gives."""
    found = [read_game(put(tmp_path, name, game(target, lines))) for name, target, lines in (
        ("r", "score/score", RED), ("b", "score/score", BLUE), ("d", "score/score", DRAW),
        ("o", "overkill/killstorm", "end cult"), ("n", "nemesis/erosion-of-power", "end minor-win"))]
    names = [f"Player {n}" for n in range(40)]
    pick = random.Random(9)
    won: Counter[str] = Counter()
    difference: Counter[str] = Counter()
    meetings: Counter[tuple[str, str]] = Counter()
    start = time.perf_counter()
    with book.transaction():
        for n in range(10_000):
            one = pick.choice(found)
            pair = pick.sample(names, sum(side.people for side in one.sides))
            players = {i: [name] for i, name in enumerate(pair)}
            book.enter(replace(one, id=f"{n:064x}", date=f"2026-{n % 12 + 1:02}-01", players=players))
            points = [side.vp for side in one.sides if side.people]
            for side, name in zip(one.sides, pair, strict=False):
                won[name] += side.outcome == "win"
            if len(pair) == 2:
                meetings[min(pair), max(pair)] += 1
                if points[0] is not None and points[1] is not None:
                    difference[pair[0]] += points[0] - points[1]
                    difference[pair[1]] += points[1] - points[0]
    entered = time.perf_counter()
    rows = tables.standings(book)
    took = time.perf_counter()
    pairs = tables.versus(book)
    every = tables.results(book)
    print(f"\n10,000 games: entered in {entered - start:.1f} s, standings in {took - entered:.3f} s, "
          f"head to head and results in {time.perf_counter() - took:.3f} s")
    assert {row["player"]: row["won"] for row in rows} == {name: won[name] for name in names}
    assert {row["player"]: row["vp_difference"] for row in rows} == {name: difference[name] for name in names}
    assert [row["won"] for row in rows] == sorted((row["won"] for row in rows), reverse=True)
    assert {(row["player"], row["opponent"]): row["played"] for row in pairs} == meetings
    assert len(every) == 10_000
    by_system = tables.standings(book, by_system=True)
    assert sum(row["won"] for row in by_system) == sum(won.values())


def test_a_killed_import_leaves_the_book_whole(tmp_path: Path) -> None:
    """SIGKILL at several moments: every game is in it wholly or not at all, and the next import enters the rest."""
    logs = tmp_path / "logs"
    logs.mkdir()
    count = 400
    pack = Pack(io.BytesIO(compile_system("score").data))
    for seed in range(count):
        log = MemoryLog()
        session = Session.new(pack, 0, seed.to_bytes(16, "big"), log, resolver)
        session.do(END, (seed % 3,))
        session.save()
        write_log(logs / f"{seed:04}.log", log)
    path = tmp_path / "club.db"
    command = [sys.executable, "-m", "host_tools", "club", "import", str(logs), "--players", "Ann,Bob", "--book",
               str(path)]
    seen = set()
    for least in (1, 101, 201):
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL,
                                   env={**os.environ, "PYTHONPATH": f"{ROOT / 'firmware'}:{ROOT}"})
        while process.poll() is None and not path.exists() or process.poll() is None and _entered(path) < least:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with Book(path) as book:
            assert book.db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            assert book.db.execute("PRAGMA foreign_key_check").fetchall() == []
            games, sides, seated = (book.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                                    for table in ("session", "side", "seat"))
            assert sides == seated == 2 * games and games >= least
            seen.add(games)
    assert any(games < count for games in seen), seen
    with Book(path) as book:
        found = statuses(book, logs, players="Ann,Bob")
        assert found.count(ADDED) == count - max(seen) and found.count(KNOWN) == max(seen)
        assert sum(row["won"] + row["drawn"] for row in tables.standings(book)) > count / 2
        assert tables.standings(book)[0]["played"] == count


def _entered(path: Path) -> int:
    """How many games a book has while another program writes to it."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
            return int(db.execute("SELECT count(*) FROM session").fetchone()[0])
    except sqlite3.Error:
        return 0


# --- the file ----------------------------------------------------------------------------------------------------

# As version 1 of the book made it. It stays as it is.
VERSION_1 = """
CREATE TABLE device (id TEXT PRIMARY KEY, board TEXT NOT NULL, micropython TEXT NOT NULL, app TEXT NOT NULL,
    packs TEXT NOT NULL, seen TEXT NOT NULL);
CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE);
CREATE TABLE session (id TEXT PRIMARY KEY, name TEXT NOT NULL, device TEXT REFERENCES device (id), number INTEGER,
    date TEXT NOT NULL, system TEXT NOT NULL, game TEXT NOT NULL, scenario TEXT NOT NULL, title TEXT NOT NULL,
    version TEXT NOT NULL, commands INTEGER NOT NULL, digest TEXT NOT NULL, over INTEGER NOT NULL, kind TEXT NOT NULL,
    result TEXT NOT NULL);
CREATE TABLE side (session TEXT NOT NULL REFERENCES session (id), side INTEGER NOT NULL, name TEXT NOT NULL, vp INTEGER,
    outcome TEXT CHECK (outcome IN ('win', 'draw', 'loss')), people INTEGER NOT NULL, PRIMARY KEY (session, side)
) WITHOUT ROWID;
CREATE TABLE seat (session TEXT NOT NULL, side INTEGER NOT NULL, player INTEGER NOT NULL REFERENCES player (id),
    PRIMARY KEY (session, side, player), FOREIGN KEY (session, side) REFERENCES side (session, side)) WITHOUT ROWID;
INSERT INTO device VALUES ('e660', 'pico', '1.28.0', '0.1.0', '{"score": "1 aabbccdd"}', '2026-01-02 20:00:00');
INSERT INTO player VALUES (1, 'Ann'), (2, 'Bob');
INSERT INTO session VALUES ('ab', '0001-ab', 'e660', 1, '2026-01-02', 'score', 'Score', 'score', 'Points', '1', 4,
    '00aa00aa', 1, 'win', 'Red wins');
INSERT INTO side VALUES ('ab', 0, 'Red', 7, 'win', 1), ('ab', 1, 'Blue', 4, 'loss', 1);
INSERT INTO seat VALUES ('ab', 0, 1), ('ab', 1, 2);
PRAGMA user_version = 1;
"""


def test_a_book_of_version_1_is_taken_on(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with sqlite3.connect(path) as db:
        db.executescript(VERSION_1)
    db.close()
    log = put(tmp_path, "a", game("score/score", BLUE))
    for _ in range(2):
        with Book(path) as book:
            assert book.db.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS) > 1
            assert tables.results(book)[-1]["result"] == "Red wins"
            assert tables.fleet(book)[0]["packs"] == {"score": "1 aabbccdd"} and tables.campaigns(book) == []
            statuses(book, log, players="Ann,Bob")
    with Book(path) as book, Book(tmp_path / "new.db") as new:
        assert len(tables.results(book)) == 2
        assert _columns(book) == _columns(new)


def _columns(book: Book) -> dict[str, list[tuple[str, str]]]:
    names = [name for name, in book.db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return {name: [(row["name"], row["type"]) for row in book.db.execute(f"PRAGMA table_info({name})")]
            for name in names}


def test_a_file_that_is_no_book_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    newer, other, junk = (tmp_path / name for name in ("newer.db", "other.db", "junk.db"))
    with Book(newer) as book:
        book.db.execute("PRAGMA user_version = 99")
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE recipe (id)")
    junk.write_bytes(b"no database at all, and longer than a header of one " * 40)
    for path, why in ((newer, "newer version"), (other, "another program's"), (junk, "no club book")):
        before = path.read_bytes()
        assert main(["club", "standings", "--book", str(path)]) == 1
        assert why in capsys.readouterr().err and path.read_bytes() == before
    assert main(["club", "standings", "--book", str(tmp_path / "none.db")]) == 1
    assert not (tmp_path / "none.db").exists()


# --- what comes out ----------------------------------------------------------------------------------------------


@pytest.fixture
def hostile(book: Book) -> Book:
    """A book with names that are markup, formulas and cells elsewhere."""
    sides = [SideResult("<b>Red</b>", 3, "win"), SideResult("=1+1", -2, "loss")]
    one = GameResult("00", "x", 1, "2026-01-01", "score", "Score", "score", "A | B & *C*", "1", 1, ["00"], True, "win",
                     "@SUM(1)", sides, {0: ["<script>Ann"], 1: ["=HYPERLINK(1)"]})
    with book.transaction():
        book.enter(one)
    return book


def test_exports_are_what_they_say(hostile: Book, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(hostile.path)
    assert main(["club", "export", "--format", "html", "--book", path, "-o", str(tmp_path / "c.html")]) == 0
    page = (tmp_path / "c.html").read_text("utf-8")
    assert "<script>" not in page and "&lt;script&gt;Ann" in page and "&amp;" in page
    assert main(["club", "export", "--book", path, "-o", str(tmp_path / "c.md")]) == 0
    lines = (tmp_path / "c.md").read_text("utf-8").splitlines()
    tables_of = [line for line in lines if line.startswith("| ")]
    assert "\\<script>Ann" in "".join(lines) and "A \\| B & \\*C\\*" in "".join(lines)
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables_of} == {8, 9, 10, 11}  # a column more than cells
    assert main(["club", "export", "--format", "csv", "--book", path, "-o", str(tmp_path / "csv")]) == 0
    with (tmp_path / "csv" / "standings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["player"] for row in rows] == ["<script>Ann", "'=HYPERLINK(1)"]
    assert [row["vp_difference"] for row in rows] == ["5", "-5"]
    assert {file.stem for file in (tmp_path / "csv").iterdir()} == {
        "standings", "standings-by-system", "head-to-head", "campaigns", "results"}
    capsys.readouterr()
    assert main(["club", "versus", "--book", path, "--json", "--player", "<SCRIPT>ann"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["opponent"] == "=HYPERLINK(1)"
    for action in ("results", "standings", "versus", "campaigns", "fleet"):
        assert main(["club", action, "--book", path]) == 0
    assert export.cell(None) == ""


def test_fleet_tells_where_devices_differ(book: Book) -> None:
    for id, app, version in (("a", "0.1.0", "1 aa"), ("b", "0.1.0", "1 aa"), ("c", "0.2.0", "2 bb")):
        with book.transaction():
            book.enter_device({"id": id, "board": "pico", "micropython": "1.28.0", "app": app,
                               "packs": json.dumps({"score": version})})
    assert [row["differs"] for row in tables.fleet(book)] == [[], [], ["app", "score"]]


# --- the roster --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "   ", "Anne-Marie the Great", "Zoë", "Ann,Bob", "a=b", "Ann\nBob", "Ann:"])
def test_names_that_the_device_cannot_show(name: str) -> None:
    if name == "Ann\nBob":
        assert check_name(name) == "Ann Bob"  # spaces are made of it
        return
    with pytest.raises(CommandError):
        check_name(name)


def test_roster_goes_to_a_device_as_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["club", "roster", "--book", str(tmp_path / "club.db"), "--dir", str(tmp_path)]
    assert main([*base, "--add", "Jörg", "--add", "Ann", "--pair", "2:Ann:Cy", "--pair", "1:bob:Jörg"]) == 0
    assert json.loads((tmp_path / "roster.json").read_text("utf-8")) == {
        "players": ["Ann", "bob", "Cy", "Jörg"], "pairings": [[1, "bob", "Jörg"], [2, "Ann", "Cy"]]}
    assert main([*base, "--remove", "bob", "--no-pairings"]) == 0
    assert json.loads((tmp_path / "roster.json").read_text("utf-8")) == {"players": ["Ann", "Cy", "Jörg"],
                                                                         "pairings": []}
    capsys.readouterr()
    for words, why in ((["--pair", "1:Ann:Ann"], "Ann is paired twice"), (["--pair", "Ann:Cy"], "TABLE:NAME:NAME"),
                       (["--pair", "1:Ann:Cy", "--pair", "1:Bob:Dan"], "two pairings"), (["--add", "Zoë"], "'ë'")):
        assert main([*base, *words]) == 1
        assert why in capsys.readouterr().err
    for n in range(70):
        assert main([*base, "--add", f"P{n}"]) == (1 if n > 56 else 0)
    assert "a device takes 60" in capsys.readouterr().err
    assert len(json.loads((tmp_path / "roster.json").read_text("utf-8"))["players"]) == 60
