"""Reading a log for the book: it is verified first, then asked who played, what came of it and what it counted."""

import datetime
import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from host_tools.errors import CommandError
from host_tools.log_pack import Game, game_of
from host_tools.logfile import read_log, read_players
from host_tools.replay import verify
from host_tools.transcript import Reader, result_of
from tableside.core import campaign
from tableside.core.errors import CoreError, LogError
from tableside.core.opening import read_carried
from tableside.core.pack import Scenario
from tableside.core.session import Session
from tableside.core.state import CONCEDED, O_OVER

_POINTS = re.compile(r"\b(VP|victory points)\b", re.IGNORECASE)
_OUTCOMES = {"win": ("win", "loss"), "loss": ("loss", "win"), "draw": ("draw", "draw")}


@dataclass
class SideResult:
    """One side of a game: `outcome` is win, draw or loss of people, None for none or for the game's own side."""

    name: str
    vp: int | None = None
    outcome: str | None = None
    people: bool = True


@dataclass
class GameResult:
    """What the book has of a session; `id` is the hash of its head, which no other session has."""

    id: str
    name: str
    number: int | None
    date: str
    system: str
    game: str
    scenario: str
    title: str
    version: str
    commands: int
    digests: list[str]
    over: bool
    kind: str
    result: str
    sides: list[SideResult]
    players: dict[int, list[str]] = field(default_factory=dict)
    campaign: str = ""
    campaign_salt: str = ""
    place: int | None = None


def read_game(path: Path, players: str = "") -> GameResult:
    """Read and verify a log. Args: players: who played which side, see `seats`; else it is what the session knows.

    Raises: LogError or CommandError saying what is wrong with it; OSError.
    """
    log = read_log(path)
    game = game_of(log, path)
    if game.compiled:
        _, difference = verify(log, game.compiled)
        if difference:
            where = f"command {difference.n}" if difference.n else "start"
            raise LogError(f"{where}: {difference.reason}")
    reader = Reader(log, game)
    for _ in reader:
        pass
    session = reader.session
    result = result_of(session)
    carried = campaign.Carried(data) if (data := read_carried(log.head)) else None
    kind = result.kind if result else ""
    if result and is_choice(session.scenario):
        kind = "choice"
    head = path / "head" if path.is_dir() else path
    number = re.match(r"\d+", path.name) if path.is_dir() else None
    found = GameResult(
        hashlib.sha256(log.head).hexdigest(), path.name, int(number[0]) if number else None,
        datetime.date.fromtimestamp(head.stat().st_mtime).isoformat(), game.pack.id, game.pack.title(),
        session.scenario.id(), session.scenario.title(), game.pack.version(), len(reader.digests),
        [digest.hex() for digest in reader.digests], bool(session.state.data[O_OVER]), kind,
        result.title if result else "", _sides(session, kind), read_players(path),
        carried.campaign if carried else "", carried.salt if carried else "", carried.played if carried else None)
    if players:
        found.players = seats(found, players, game)
    return found


def is_choice(scenario: Scenario) -> bool:
    """Whether its results are neither won nor lost: it only chooses what is played next, and counts for nobody."""
    kinds = {scenario.result(i)[2] & 3 for i in range(scenario.results)}
    return kinds == {0}


def _sides(session: Session, kind: str) -> list[SideResult]:
    """Won and lost is of the first side that people play. Where people play no side or one, all play the game."""
    scenario, state = session.scenario, session.state
    sides = [SideResult(scenario.side_name(i)) for i in range(scenario.sides)]
    people = scenario.players() or list(range(scenario.sides))
    together = len(scenario.players()) < 2
    gave_up = state.data[O_OVER] - CONCEDED
    for i, side in enumerate(sides):
        side.people = i in people
        if not side.people:
            continue
        if kind in _OUTCOMES:
            side.outcome = _OUTCOMES[kind][0 if together or i == people[0] else 1]
        elif kind == "conceded":
            side.outcome = "loss" if together or i == gave_up else "win"
    for i, value in _points(session, people).items():
        sides[i].vp = value
    return sides


def _points(session: Session, people: list[int]) -> dict[int, int]:
    """Victory points by side: those that belong to one, the others in the order of the sides, people first."""
    scenario, state = session.scenario, session.state
    order = [*people, *(i for i in range(scenario.sides) if i not in people)]
    found: dict[int, int] = {}
    for i in range(scenario.counters):
        record = scenario.counter(i)
        if not any(_POINTS.search(session.pack.text(text)) for text in record[:2]):
            continue
        owner = record[6] if record[6] < scenario.sides else next((side for side in order if side not in found), None)
        if owner is not None and owner not in found:
            found[owner] = state.counter(i)
    return found


def seats(result: GameResult, words: str, game: Game | None = None) -> dict[int, list[str]]:
    """Who played which side, from "SIDE=NAME,SIDE=NAME": a side by its name, its number or its letter; "+" joins names.

    Names alone take the sides in their order. Raises: CommandError.
    """
    found: dict[int, list[str]] = {}
    for at, word in enumerate(filter(None, (word.strip() for word in words.split(",")))):
        side, equals, names = word.rpartition("=")
        index = _side(result, side.strip(), game) if equals else at
        if index >= len(result.sides):
            raise CommandError(f"{words!r}: {result.scenario} has {len(result.sides)} sides")
        found.setdefault(index, []).extend(name.strip() for name in names.split("+") if name.strip())
    return found


def _side(result: GameResult, word: str, game: Game | None) -> int:
    names = [side.name.lower() for side in result.sides]
    ids = game.compiled.scenarios[game.scenario].sides if game and game.compiled else []
    if word.lower() in names:
        return names.index(word.lower())
    if word in ids:
        return ids.index(word)
    if word.isdigit() and 1 <= int(word) <= len(names):
        return int(word) - 1
    if len(word) == 1 and word.isascii() and word.isalpha() and ord(word.lower()) - ord("a") < len(names):
        return ord(word.lower()) - ord("a")
    there = ", ".join(side.name for side in result.sides)
    raise CommandError(f"no side {word!r} in {result.scenario}: there are {there}")


READ_ERRORS = (CoreError, CommandError, OSError, ValueError)  # what is wrong with one log, and no reason to stop
