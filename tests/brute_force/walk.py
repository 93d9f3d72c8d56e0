"""Every face of every die: runs steps for all of them, or for given faces.

A step is `step(state, dice) -> state`. It asks `dice` for one die after the other. Equal states are added up between
steps.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any

# Probabilities are whole numbers of this share while they are added up: faster than fractions, and as exact.
UNIT = 6**200

Step = Callable[[Any, "Dice"], Any]


class _NextDie(Exception):
    """The faces are used up, and a step asks for a die more."""


class Dice:
    """The dice of one run: those that were laid down before it began, in the order in which they are asked for.

    Attributes: faces: of the run; sides: of the die that was asked for and was not there; notes: what the step counts.
    """

    def __init__(self, faces: tuple[int, ...] = ()) -> None:
        self.faces = faces
        self.asked = 0
        self.sides = 0
        self.notes: Counter[str] = Counter()

    def roll(self, label: str, sides: int = 6) -> int:
        """The face of the next die."""
        if self.asked == len(self.faces):
            self.sides = sides
            raise _NextDie
        self.asked += 1
        return self.faces[self.asked - 1]

    def again(self, label: str, wanted: bool, sides: int = 6) -> int:
        """The face of a die that is rolled again if the player wants that, else 0."""
        return self.roll(label, sides) if wanted else 0

    def note(self, name: str, count: int = 1) -> None:
        """Count something that the rules do not depend on."""
        if count:
            self.notes[name] += count


class Given(Dice):
    """The faces of a worked example: a list for each label, and `again` as {number of the die: new face}."""

    def __init__(self, faces: dict[str, list[int]], again: dict[str, dict[str, int]] | None = None) -> None:
        super().__init__()
        self.lists = {label: list(row) for label, row in faces.items()}
        self.rerolls = again or {}
        self.count: Counter[str] = Counter()

    def roll(self, label: str, sides: int = 6) -> int:
        self.count[label] += 1
        return self.lists[label].pop(0)

    def again(self, label: str, wanted: bool, sides: int = 6) -> int:
        if label not in self.rerolls:
            return self.roll(label + "_again", sides) if self.lists.get(label + "_again") and wanted else 0
        return self.rerolls[label].get(str(self.count[label] - 1), 0)

    def left(self) -> dict[str, list[int]]:
        """The faces that nobody asked for."""
        return {label: row for label, row in self.lists.items() if row}


def runs(step: Step, state: Any, weight: int) -> Iterator[tuple[int, Any, Dice]]:
    """Each run of one step: its share of a weight, the state after it, and its dice."""
    waiting: list[tuple[int, tuple[int, ...]]] = [(weight, ())]
    while waiting:
        weight, faces = waiting.pop()
        dice = Dice(faces)
        try:
            after = step(state, dice)
        except _NextDie:
            share, rest = divmod(weight, dice.sides)
            if rest:
                raise ArithmeticError(f"more dice than UNIT is made for, or a die of {dice.sides} sides") from None
            waiting.extend((share, (*faces, face)) for face in range(1, dice.sides + 1))
        else:
            yield weight, after, dice


def walk(step: Step, start: Hashable, ended: Callable[[Any], bool]) -> tuple[dict[Any, Fraction], dict[str, Fraction]]:
    """The exact distribution of the end states, and the exact mean of every note."""
    means: Counter[str] = Counter()
    ends: Counter[Any] = Counter()
    states = Counter({start: UNIT})
    while states:
        after: Counter[Any] = Counter()
        for state, weight in states.items():
            if ended(state):
                ends[state] += weight
                continue
            for share, new, dice in runs(step, state, weight):
                after[new] += share
                for name, count in dice.notes.items():
                    means[name] += share * count
        states = after
    return (
        {state: Fraction(weight, UNIT) for state, weight in ends.items()},
        {name: Fraction(total, UNIT) for name, total in means.items()},
    )


def play(step: Step, state: Any, ended: Callable[[Any], bool], dice: Dice) -> Any:
    """The end state with the faces of a worked example."""
    while not ended(state):
        state = step(state, dice)
    return state


def spread(step: Step, state: Any = None) -> dict[Any, Fraction]:
    """The exact distribution of what one step alone gives."""
    result: Counter[Any] = Counter()
    for weight, after, _ in runs(step, state, UNIT):
        result[after] += weight
    return {after: Fraction(weight, UNIT) for after, weight in result.items()}
