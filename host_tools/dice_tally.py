"""The dice of a log: what was rolled, by side and by what it was for, beside what was to be expected."""

from dataclasses import dataclass, field

from tableside.core.record import Record
from tableside.core.rolled import throws
from tableside.core.session import Session


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
        self._done.append([self._throws(record)])

    def take_back(self, count: int) -> None:
        """The last commands were taken back, and their dice with them."""
        start = len(self._done) - count
        self._taken.append([some for group in self._done[start:] for some in group])
        del self._done[start:]

    def again(self) -> None:
        """What was taken back last was done again."""
        if self._taken:
            self._done.append(self._taken.pop())

    def rolls(self) -> list[Rolls]:
        """All that counts, by side."""
        found: dict[tuple[str, str, int], Rolls] = {}
        for key, bins in (throw for group in self._done for some in group for throw in some):
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
        found = []
        for side, what, sides, bins in throws(self._session.state, record):
            key = self._name(side), what.replace("_", " "), sides
            found.append((key, {name: (count, faces) for name, count, faces in bins}))
        return found

    def _name(self, side: int) -> str:
        scenario = self._session.scenario
        return str(scenario.side_name(side)) if side < scenario.sides else ""
