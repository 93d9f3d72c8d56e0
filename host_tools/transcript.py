"""A log as people read it: title, sides, every command with its round, phase and side, dice, result.

What only one side may see is left out while the game runs, unless it is asked for: the seed, hidden cards, and what a
side did in secret.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from host_tools.dice_tally import Rolls, Throw, tally, throws_of
from host_tools.log_pack import Game
from host_tools.log_records import UndoChain, is_over, records
from tableside.core import campaign, commands
from tableside.core.errors import CoreError, LogError
from tableside.core.fields import counter_text, expand
from tableside.core.log import MemoryLog
from tableside.core.opening import head_digest, read_carried, read_head
from tableside.core.pack import NOBODY
from tableside.core.record import KIND, REDONE, REVEALED, UNDONE, Record, chain
from tableside.core.rng import SALT_BYTES, SEED_BYTES, seal
from tableside.core.session import Session
from tableside.core.state import ABANDONED, CONCEDED, LAYOUT, O_ACTOR, O_OVER, O_RESULT, O_RNG, O_ROUND, O_STEP
from tableside.core.titles import command_title, record_title
from tableside.rules import resolver

_KINDS = ("draw", "win", "loss")
HIDDEN = "hidden until the game is over"


@dataclass
class Line:
    """One record. `side`: whose turn it was, or whose own it is; `undone`: it was taken back later on."""

    n: int
    round: int
    phase: str
    side: str
    title: str
    changes: str
    revealed: bool
    digest: str
    undone: bool = False


@dataclass
class Result:
    """How it ended: kind is win or loss (of the first player's side), draw, conceded (by `side`), abandoned or none."""

    title: str
    text: str
    kind: str
    side: str


@dataclass
class Transcript:
    """A whole log. `seed` is "" while it is a secret; `players` are the names by side, where the device knows them."""

    system: str
    game: str
    version: str
    scenario: str
    title: str
    sides: list[str]
    players: dict[str, list[str]]
    seal: str
    seed: str
    salt: str
    campaign: str
    over: bool
    round: int
    result: Result | None
    counters: dict[str, str]
    dice: list[Rolls]
    commands: int
    undone: int
    lines: list[Line] = field(default_factory=list)


class Reader:
    """Walks through a log without the rules: each record's changes are applied, and its digest compared.

    Args: log: a whole one; game: what it was made with. Raises: LogError.
    Attributes: session: as it is behind the last record that was read; digests: of all of them.
    """

    def __init__(self, log: MemoryLog, game: Game):
        _, _, _, layout, first = read_head(log.head)
        self.session = Session(game.pack, game.scenario, log, resolver)
        if layout != LAYOUT or len(first) != len(self.session.state.data):
            raise LogError("saved with another state layout", layout)
        self.session.state.data[:] = first
        self.digests: list[bytes] = []
        self._log = log
        self._digest = head_digest(log.head)

    def __iter__(self) -> Iterator[tuple[Record, int]]:
        """(record, how many commands it takes back): before it is applied. Raises: LogError at one that is wrong."""
        state = self.session.state
        undo_chain = UndoChain()
        for position, record in records(self._log):
            yield record, undo_chain.take(record, position)
            record.apply(state.data)
            self._digest = chain(self._digest, record.body(), state.data)
            if self._digest != record.digest:
                raise LogError("log altered at record", len(self.digests) + 1)
            self.digests.append(record.digest)
        if not state.sound():
            raise LogError("log leads to a state that cannot be", len(self.digests))


def transcribe(log: MemoryLog, game: Game, secrets: bool = False,
               players: dict[int, list[str]] | None = None) -> Transcript:
    """Read a log. Args: secrets: show of a running game what is hidden; players: names by side. Raises: LogError."""
    over = is_over(log)
    shown = over or secrets
    reader = Reader(log, game)
    session, state = reader.session, reader.session.state
    lines: list[Line] = []
    throws: list[list[Throw]] = []  # of each line
    done: list[list[Line]] = []
    taken: list[list[Line]] = []
    for record, undone in reader:
        line = _line(session, record, undone, len(lines) + 1, shown)
        lines.append(line)
        throws.append(throws_of(session, record))
        if record.kind & UNDONE:
            again = [one for group in done[len(done) - undone :] for one in group]
            del done[len(done) - undone :]
            taken.append(again)
        elif record.kind & REDONE:
            again = taken.pop() if taken else []
            done.append(again)
        else:
            again = []
            done.append([line])
        for one in again:
            one.undone = bool(record.kind & UNDONE)
        _note_changes(line, session, record, shown)
    scenario, pack = session.scenario, game.pack
    salt = bytes(state.data[O_RNG + SEED_BYTES : O_RNG + SEED_BYTES + SALT_BYTES])
    carried = read_carried(log.head)
    return Transcript(
        pack.id, pack.title(), pack.version(), scenario.id(), scenario.title(),
        [scenario.side_name(i) for i in range(scenario.sides)],
        {scenario.side_name(side): names for side, names in (players or {}).items() if side < scenario.sides},
        seal(state),
        state.seed().hex() if shown else "", salt.hex() if any(salt) else "",
        campaign.Carried(carried).campaign if carried else "", over, state.data[O_ROUND], result_of(session),
        {pack.text(scenario.counter(i)[0]): counter_text(state, i, state.counter(i))
         for i in range(scenario.counters)},
        tally(throw for line, own in zip(lines, throws, strict=True) if not line.undone for throw in own),
        len(lines), sum(line.undone for line in lines), lines)


def result_of(session: Session) -> Result | None:
    """The result of a session, None while it runs."""
    state, scenario = session.state, session.scenario
    how, number = state.data[O_OVER], state.data[O_RESULT]
    if not how:
        return None
    if number != NOBODY:
        title, text, kind = scenario.result(number)[:3]
        return Result(expand(state, session.pack.text(title)), expand(state, session.pack.text(text)),
                      _KINDS[kind & 3], "")
    if how >= CONCEDED:
        name = scenario.side_name(how - CONCEDED)
        return Result(f"{name} conceded", "", "conceded", name)
    return Result("Given up", "", "abandoned", "") if how == ABANDONED else Result("No result", "", "none", "")


def _line(session: Session, record: Record, undone: int, number: int, secrets: bool) -> Line:
    state, scenario = session.state, session.scenario
    owner = record.owner if record.owner != NOBODY else state.data[O_ACTOR]
    before = bytes(state.data)
    try:
        if record.kind & UNDONE:
            record.apply(state.data)  # the title is that of the earliest command that it takes back, as it was then
        title = _title(session, record, secrets)
    except CoreError as error:
        title = f"? {error}"
    state.data[:] = before
    if record.kind & UNDONE:
        title = f"undo: {title}" if undone == 1 else f"undo {undone}, from: {title}"
    elif record.kind & REDONE:
        title = f"redo: {title}"
    return Line(number, state.data[O_ROUND], expand(state, session.pack.text(scenario.step(state.data[O_STEP])[0])),
                "" if owner >= scenario.sides else scenario.side_name(owner), title, "",
                bool(record.kind & REVEALED), record.digest.hex())


def _title(session: Session, record: Record, secrets: bool) -> str:
    """In the state before it; what only one side may know is left out unless `secrets`."""
    kind = record.kind & KIND
    state = session.state
    title = str(command_title(state, kind, record.args) if secrets else record_title(state, record))
    if kind == commands.APPLY and state.in_attack():
        module, numbers = state.attack.resolver(), state.attack.numbers()
        outcome = zip(module.OUTCOMES, module.outcome(numbers), strict=False)
        title += ": " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in outcome if value)
    return title.removesuffix(": ")


def _note_changes(line: Line, session: Session, record: Record, secrets: bool) -> None:
    """What the record does to the counters; of one that is a side's own only with `secrets`."""
    if record.owner != NOBODY and not secrets:
        return
    state, scenario = session.state, session.scenario
    old = [state.counter(i) for i in range(scenario.counters)]
    before = bytes(state.data)
    record.apply(state.data)
    found = [f"{session.pack.text(scenario.counter(i)[1])} {counter_text(state, i, old[i])}>"
             f"{counter_text(state, i, state.counter(i))}"
             for i in range(scenario.counters) if state.counter(i) != old[i]]
    state.data[:] = before
    line.changes = ", ".join(found)
