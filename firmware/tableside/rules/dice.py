"""Plain dice: sums, successes, a roll-off, one of several. No game's rules, and every game's small rolls.

Source: rules/nemesis.md 3 (D3, random choices, roll-offs), rules/w40k10_claw.md 2 "Other rolls".
"""

from tableside.core.stages import ATTACKER, DEFENDER, StageError, bins_of, choice, dice, faces_of

ID = 1
KEYWORDS = ()
CHOICES = {
    "kind": ("sum", "count", "roll_off", "one_of"),
    "reroll": ("none", "whole"),
}
# Kinds. SUM: all dice and the modifier, a success from `need` on; COUNT: the dice that show `need` or more;
# ROLL_OFF: both sides roll a die and the higher wins, equal dice are rolled again; ONE_OF: one of `sides` things.
SUM = 0
COUNT = 1
ROLL_OFF = 2
ONE_OF = 3

PROFILE = (
    ("kind", 0, 3, SUM),
    ("dice", 1, 40, 1),
    ("sides", 2, 12, 6),
    ("plus", -50, 50, 0),
    ("need", 0, 500, 0),  # 0: nothing to reach
)
MODIFIERS = (
    ("modifier", -50, 50, 0),
    ("reroll", 0, 1, 0),  # all dice may be rolled once more
    ("most", 0, 500, 0),  # the cap of a sum, 0: none
)
TARGET = ()
GROUP = ()
_KIND, _DICE, _SIDES, _PLUS, _NEED, _MODIFIER, _REROLL, _MOST, _GROUPS, _AT, _TOTAL, _OTHER, _LEFT = range(13)
AUDIT = ()
OUTCOMES = ("total", "success")
TALLIES = (_TOTAL,)

# Values of v[_AT].
_ROLL = 0
_DECIDE = 1  # on the re-roll
_AGAIN = 2
_OTHER_ROLL = 3  # the other side's die
_END = 4


def begin(v):
    """Check and append the progress. Raises StageError for a count without a number to reach."""
    if v[_KIND] == COUNT and not 1 <= v[_NEED] <= v[_SIDES]:
        raise StageError("roll", "a die cannot tell", v[_NEED])
    if v[_GROUPS]:
        raise StageError("target", "plain dice have none", v[_GROUPS])
    v.extend((_ROLL, 0, 0, v[_DICE] if v[_KIND] in (SUM, COUNT) else 1))


def stage(v):
    """The roll, the decision to roll it again, or the other side's die."""
    at = v[_AT]
    if at == _END:
        return None
    if at == _DECIDE:
        return choice("reroll", ATTACKER, ("keep", "reroll"), 0 if _success(v) or not v[_NEED] else 1)
    who = DEFENDER if at == _OTHER_ROLL else ATTACKER
    name = ("roll", "", "reroll_dice", "other")[at]
    sides = v[_SIDES]
    if v[_KIND] == COUNT:
        return dice(name, who, v[_LEFT], bins_of((1, "fail"), (v[_NEED], "success"), sides=sides), sides)
    if v[_KIND] == ONE_OF and sides in (4, 5):  # of a D6, the rest is rolled again
        return dice(name, who, 1, faces_of(sides) + ((sides + 1, 6, "again"),))
    if sides in (2, 3):  # halves or pairs of a D6
        width = 6 // sides
        bins = tuple((i * width + 1, i * width + width, str(i + 1)) for i in range(sides))
        return dice(name, who, v[_LEFT], bins)
    return dice(name, who, v[_LEFT], faces_of(sides), sides)


def enter(v, stage, counts):
    """Count or add up; a die of no use, or equal dice of a roll-off, are rolled again."""
    kind = v[_KIND]
    if kind == COUNT:
        total = counts[1] if v[_NEED] > 1 else counts[0]
    else:
        total = sum((i + 1) * count for i, count in enumerate(counts))
    if kind == ONE_OF and total > v[_SIDES]:
        return
    if v[_AT] == _OTHER_ROLL:
        v[_OTHER] = total
        v[_AT] = _ROLL if total == v[_TOTAL] else _END
        return
    v[_TOTAL] = total
    if kind == ROLL_OFF:
        v[_AT] = _OTHER_ROLL
    else:
        v[_LEFT] = 0
        v[_AT] = _DECIDE if v[_REROLL] and v[_AT] == _ROLL else _END


def choose(v, stage, option):
    """Keep the roll, or roll it again: the new one stands."""
    v[_AT] = _END
    if option:
        v[_AT] = _AGAIN
        v[_TOTAL] = 0
        v[_LEFT] = v[_DICE]


def _total(v):
    if v[_KIND] == SUM:
        total = v[_TOTAL] + v[_PLUS] + v[_MODIFIER]
        return min(total, v[_MOST]) if v[_MOST] else total
    return v[_TOTAL] - v[_OTHER]


def _success(v):
    if v[_KIND] == ROLL_OFF:
        return int(v[_TOTAL] > v[_OTHER])
    if v[_KIND] == COUNT:
        return int(v[_TOTAL] > 0)
    return int(_total(v) >= v[_NEED])


def outcome(v):
    """(total, 1 for a success): of a roll-off the difference, and whether the one who rolled first has won.

    Of dice that are counted the total is their number, and one is a success.
    """
    return _total(v), _success(v)


def independent(v):
    """The index of how many dice are to be rolled, where they are added up or counted. See `core.stages`."""
    return _LEFT if v[_LEFT] > 1 else None


def gathered(v):
    """Whether they are added up."""
    return not v[_LEFT]
