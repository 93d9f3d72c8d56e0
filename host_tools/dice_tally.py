"""The dice of a log: what was rolled, by side and by what it was for, beside what was to be expected."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tableside.core.record import REDONE, UNDONE, Record
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


# One kind of dice thrown at once: (side, what, sides), and bins (name, dice that fell there, faces that do).
Throw = tuple[tuple[str, str, int], list[tuple[str, int, int]]]


def tally(thrown: Iterable[Throw]) -> list[Rolls]:
    """All throws together, by side."""
    found: dict[tuple[str, str, int], Rolls] = {}
    for key, bins in thrown:
        rolls = found.setdefault(key, Rolls(*key))
        dice = sum(count for _, count, _ in bins)
        rolls.dice += dice
        for name, count, faces in bins:
            rolls.counts[name] = rolls.counts.get(name, 0) + count
            rolls.expected[name] = rolls.expected.get(name, 0) + dice * faces / rolls.sides
    for rolls in found.values():
        rolls.expected = {name: round(mean, 2) for name, mean in rolls.expected.items()}
    return [found[key] for key in sorted(found)]


def throws_of(session: Session, record: Record) -> list[Throw]:
    """The dice of a record, in the state before it; none of one that only takes back or repeats others."""
    if record.kind & (UNDONE | REDONE):
        return []
    scenario = session.scenario
    return [((scenario.side_name(side) if side < scenario.sides else "", what.replace("_", " "), sides), bins)
            for side, what, sides, bins in throws(session.state, record)]
