"""The dice of a log: what was rolled, by side and by what it was for, beside what was to be expected."""

from collections import defaultdict
from dataclasses import dataclass, field

from tableside.core import commands, engine
from tableside.core.attack import ATTACKER, RESOLVER
from tableside.core.errors import CoreError
from tableside.core.pack import CHECK
from tableside.core.record import KIND, Record
from tableside.core.roster import SIDE
from tableside.core.session import Session
from tableside.core.state import O_ACTOR
from tableside.core.titles import expand, rolled, thrown, tumbled

_MOST_FACES = 12  # of a die whose faces are counted one by one


@dataclass
class Rolls:
    """Dice of one kind: how many fell where, and how many were to be expected there."""

    side: str
    what: str
    sides: int
    dice: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    expected: dict[str, float] = field(default_factory=dict)


# One kind of dice thrown at once: (side, what, sides), and (count, chance of a die in sides-ths) by the name of a bin.
_Throw = tuple[tuple[str, str, int], dict[str, tuple[int, int]]]


class Tally:
    """Takes the records of a session one by one, each in the state before it."""

    def __init__(self, session: Session):
        self._session = session
        self._done: list[list[list[_Throw]]] = []
        self._taken: list[list[list[_Throw]]] = []

    def take(self, record: Record) -> None:
        """Note the dice of a command."""
        try:
            thrown_now = list(self._throws(record))
        except (CoreError, IndexError):
            thrown_now = []  # a log may say anything
        self._done.append([thrown_now])

    def take_back(self, count: int) -> None:
        """The last commands were taken back, and their dice with them."""
        start = len(self._done) - count
        self._taken.append([throws for group in self._done[start:] for throws in group])
        del self._done[start:]

    def again(self) -> None:
        """What was taken back last was done again."""
        if self._taken:
            self._done.append(self._taken.pop())

    def rolls(self) -> list[Rolls]:
        """All that counts, by side."""
        found: dict[tuple[str, str, int], Rolls] = {}
        for key, bins in (throw for group in self._done for throws in group for throw in throws):
            rolls = found.setdefault(key, Rolls(*key))
            dice = sum(count for count, _ in bins.values())
            rolls.dice += dice
            for name, (count, chance) in bins.items():
                rolls.counts[name] = rolls.counts.get(name, 0) + count
                rolls.expected[name] = rolls.expected.get(name, 0) + dice * chance / rolls.sides
        for rolls in found.values():
            rolls.expected = {name: round(mean, 2) for name, mean in rolls.expected.items()}
        return [found[key] for key in sorted(found)]

    def _throws(self, record: Record) -> list[_Throw]:
        kind, args = record.kind & KIND, record.args
        state = self._session.state
        question = engine.asked(state)
        if kind in (commands.ANSWER, commands.THROW) and question is not None:
            if not question.die or kind == commands.ANSWER and args[0] >= len(question.options):
                return []
            face = args[0] if kind == commands.ANSWER else tumbled(state)
            names = [option or str(i + 1) for i, option in enumerate(question.options)]
            return [self._faces(question.side, question.title, len(names), [face], names)]
        if kind in (commands.ENTER, commands.ROLL):
            return self._check(args[0], list(args[1:]) if kind == commands.ENTER else rolled(state, args[0]))
        if kind in (commands.STAGE, commands.THROW) and state.attack is not None and state.attack.get(RESOLVER):
            stage = state.attack.stage()
            if stage is not None and stage.dice:
                counts = args if kind == commands.STAGE else thrown(state)
                side = self._side_of_attack(stage.who)
                bins = {name: (count, high - low + 1)
                        for count, (low, high, name) in zip(counts, stage.bins, strict=True)}
                return [((self._name(side), stage.id.replace("_", " "), stage.sides), bins)]
        return []

    def _check(self, check: int, faces: list[int]) -> list[_Throw]:
        state = self._session.state
        title = expand(state, self._session.pack.text(self._session.pack.record(CHECK, check)[0]))
        by_size: dict[int, list[int]] = defaultdict(list)
        for i, face in enumerate(faces):
            by_size[engine.die(state, check, i)[1]].append(face - 1)
        return [self._faces(state.data[O_ACTOR], title, size, found, [str(i + 1) for i in range(size)])
                for size, found in by_size.items() if size <= _MOST_FACES]

    def _faces(self, side: int, what: str, size: int, faces: list[int], names: list[str]) -> _Throw:
        bins: dict[str, tuple[int, int]] = {}
        for i, name in enumerate(names):
            count, chance = bins.get(name, (0, 0))
            bins[name] = count + faces.count(i), chance + 1
        return (self._name(side), what, size), bins

    def _side_of_attack(self, who: int) -> int:
        state = self._session.state
        slot = state.attack.get(ATTACKER) if not who else state.attack.slot(0)
        return int(state.roster.get(slot, SIDE)) if slot < state.roster.slots else state.data[O_ACTOR]

    def _name(self, side: int) -> str:
        scenario = self._session.scenario
        return str(scenario.side_name(side)) if side < scenario.sides else ""
