"""Space Hulk: a bolter shot, a flamer, close combat, the command roll.

Source: rules/space_hulk.md 4, 5 and 6. Which faces of the second edition's own dice bear which symbol is not known:
for the odds, and for what is likeliest, they are taken as 1-4 blank, 5 sustained, 6 hit, and 1 jam. What was rolled is
entered by its symbols, so that nothing else depends on it.
"""

from tableside.core.stages import ATTACKER, DEFENDER, StageError, bins_of, dice, faces_of, pick

ID = 7
KEYWORDS = ()
CHOICES = {
    "kind": ("bolter", "flamer", "close_combat", "command"),
    "dice_profile": ("sh2_symbols", "sh2_numbers_assumed", "sh3_sh4", "sh1"),
    "attacker": ("marine", "genestealer"),
    "aspect": ("front", "side", "rear"),
    "what": ("model", "door", "bulkhead"),
}
BOLTER = 0
FLAMER = 1
CLOSE_COMBAT = 2
COMMAND = 3
# Dice profiles: a jam die of its own, or doubles that jam.
SYMBOLS = 0
NUMBERS = 1
THIRD = 2  # and fourth edition
FIRST = 3  # each further shot needs one less
_MARINE, _GENESTEALER = range(2)
_MODEL, _DOOR, _BULKHEAD = range(3)

PROFILE = (
    ("kind", 0, 3, BOLTER),
    ("dice_profile", 0, 3, SYMBOLS),
    ("jam_to", 1, 5, 1),  # the faces up to this one jam, where the jam die is a D6
    ("attacker", 0, 1, _MARINE),
    ("parry_attacking", 0, 1, 1),  # a sergeant may parry when he attacks, too
)
MODIFIERS = (
    ("overwatch", 0, 1, 0),
    ("same_target", 0, 1, 0),  # as of the shot before, with no move or turn since
    ("shots", 0, 9, 0),  # that missed that target in a row
    ("moving", 0, 1, 0),  # with the shot
    ("squares", 1, 12, 1),  # in flames, with a genestealer in each
    ("sergeant", 0, 1, 0),  # fights
    ("aspect", 0, 2, 0),  # of the defender
)
TARGET = (("what", 0, 2, _MODEL),)
GROUP = ()
(_KIND, _PROFILE, _JAM_TO, _ATTACKER, _PARRY, _OVERWATCH, _SAME, _SHOTS, _MOVING, _SQUARES, _SERGEANT, _ASPECT,
 _WHAT, _GROUPS) = range(14)
# Progress. _RESULT: hits, destroyed, command points or who has won; _MARINE_DIE: with the sergeant's bonus; _EQUAL and
# _ABOVE: the genestealer's dice beside it.
_AT, _RESULT, _JAMMED, _MARINE_DIE, _EQUAL, _ABOVE = range(14, 20)
AUDIT = ()
OUTCOMES = (
    "removed", "attacker_removed", "free_turn", "overkill", "shots", "jammed", "survived", "command_points",
)

# Values of v[_AT].
_ROLL = 0
_JAM = 1
_MARINE_ROLL = 2
_THREE = 3
_PICK = 4
_PARRIED = 5
_END = 6
# Who has won close combat.
_DRAW, _ATTACKER_WINS, _DEFENDER_WINS = range(3)


def begin(v):
    """Check and append the progress. Raises StageError for what cannot be."""
    if v[_GROUPS]:
        raise StageError("target", "has no groups here", v[_GROUPS])
    kind, what = v[_KIND], v[_WHAT]
    if what == _BULKHEAD and kind != COMMAND:
        raise StageError("what", "is never destroyed", CHOICES["what"][what])
    if kind == FLAMER and what == _DOOR:
        raise StageError("what", "flames do not harm it", CHOICES["what"][what])
    if kind == BOLTER and v[_OVERWATCH] and v[_MOVING]:
        raise StageError("overwatch", "nobody moves on overwatch", 1)
    v.extend((_MARINE_ROLL if kind == CLOSE_COMBAT and what != _DOOR else _ROLL, 0, 0, 0, 0, 0))


def stage(v):
    """The shot and its jam die, the flames, or the dice of close combat with the sergeant's parry."""
    at = v[_AT]
    if at == _END:
        return None
    if at == _JAM:
        return dice("jam", ATTACKER, 1, bins_of((1, "jam"), (v[_JAM_TO] + 1, "ok")))
    if at == _MARINE_ROLL:
        return dice("marine", _side(v, _MARINE), 1, faces_of())
    if at == _ROLL:
        return _plain(v)
    stealer = _side(v, _GENESTEALER)
    bins = bins_of((1, "below"), (v[_MARINE_DIE], "equal"), (v[_MARINE_DIE] + 1, "above"))
    if at == _THREE:
        return dice("genestealer", stealer, 3, bins)
    if at == _PARRIED:
        return dice("parry_dice", stealer, 1, bins)
    # One die above, or the only one that is equal and more likely to fall than to rise.
    wanted = "above" if v[_ABOVE] else "equal" if v[_MARINE_DIE] > 3 else ""
    there = {"below": 3 - v[_EQUAL] - v[_ABOVE], "equal": v[_EQUAL], "above": v[_ABOVE]}
    limits = tuple(there[name] for _, _, name in bins)
    return pick("parry", _side(v, _MARINE), bins, limits, 1, [int(name == wanted) for _, _, name in bins])


def _plain(v):
    """The dice of a shot, of flames, against a door, or of the command roll."""
    kind = v[_KIND]
    if kind == FLAMER:
        return dice("flame", ATTACKER, v[_SQUARES], ((1, 5, "destroyed"), (6, 6, "survives")))
    if kind == COMMAND:
        return dice("command", ATTACKER, 1, faces_of())
    if kind == CLOSE_COMBAT:
        return dice("door", ATTACKER, 1 if v[_ATTACKER] == _MARINE else 3, ((1, 5, "holds"), (6, 6, "destroyed")))
    if v[_PROFILE] == SYMBOLS:
        return dice("shot", ATTACKER, 2, ((1, 4, "blank"), (5, 5, "sustained"), (6, 6, "hit")))
    if v[_PROFILE] in (THIRD, FIRST) and v[_OVERWATCH]:
        return dice("shot", ATTACKER, 2, faces_of())  # for the doubles
    return dice("shot", ATTACKER, 2, bins_of((1, "miss"), (_needed(v), "hit")))


def _side(v, fighter):
    return ATTACKER if v[_ATTACKER] == fighter else DEFENDER


def _shots(v):
    """How many shots in a row have missed this target: what sustained fire stands on."""
    if v[_MOVING] or not v[_SAME] or v[_OVERWATCH] and v[_PROFILE] != THIRD:
        return 0
    return v[_SHOTS]


def _needed(v):
    """The number that hits."""
    if v[_PROFILE] == FIRST:
        return max(3, 6 - _shots(v))
    return 5 if _shots(v) else 6


def enter(v, stage, counts):
    """Count the hits, or compare the dice."""
    at = v[_AT]
    bins = stage.bins
    if at == _ROLL:
        _enter_plain(v, bins, counts)
    elif at == _JAM:
        v[_JAMMED] = counts[0]
        v[_AT] = _END
    elif at == _MARINE_ROLL:
        v[_MARINE_DIE] = counts.index(1) + 1 + v[_SERGEANT]
        v[_AT] = _THREE
        if v[_MARINE_DIE] > 6:  # no die is as high
            _compare(v)
    elif at == _PICK:
        v[_AT] = _PARRIED
        if not sum(counts):
            _compare(v)
        elif bins[counts.index(1)][2] == "equal":
            v[_EQUAL] -= 1
        elif bins[counts.index(1)][2] == "above":
            v[_ABOVE] -= 1
    else:
        for i, (_, _, name) in enumerate(bins):
            if name == "equal":
                v[_EQUAL] += counts[i]
            elif name == "above":
                v[_ABOVE] += counts[i]
        if at == _THREE and _may_parry(v):
            v[_AT] = _PICK
        else:
            _compare(v)


def _enter_plain(v, bins, counts):
    kind = v[_KIND]
    v[_AT] = _END
    if kind == COMMAND:
        v[_RESULT] = counts.index(1) + 1
    elif kind == FLAMER:
        v[_RESULT] = counts[0]
    elif kind == CLOSE_COMBAT:
        v[_RESULT] = int(counts[1] > 0)
    else:
        first = _needed(v) if v[_PROFILE] != SYMBOLS else 5 if _shots(v) else 6
        v[_RESULT] = sum(count for (low, _, _), count in zip(bins, counts) if low >= first)
        if v[_OVERWATCH] and v[_PROFILE] in (SYMBOLS, NUMBERS):
            v[_AT] = _JAM
        elif v[_OVERWATCH]:
            v[_JAMMED] = int(max(counts) == 2)


def _may_parry(v):
    """Whether a sergeant who fights to his front can still change the outcome by one die."""
    if not v[_SERGEANT] or (v[_ABOVE] or v[_EQUAL]) != 1:
        return False
    return v[_PARRY] if v[_ATTACKER] == _MARINE else v[_ASPECT] == 0


def _compare(v):
    """The higher wins."""
    if v[_EQUAL] and not v[_ABOVE]:
        v[_RESULT] = _DRAW
    else:
        winner = _GENESTEALER if v[_ABOVE] else _MARINE
        v[_RESULT] = _ATTACKER_WINS if winner == v[_ATTACKER] else _DEFENDER_WINS
    v[_MARINE_DIE] = v[_EQUAL] = v[_ABOVE] = 0
    v[_AT] = _END


def choose(v, stage, option):
    """No decision comes."""


def outcome(v):
    """(target removed or doors and genestealers destroyed, 1 if the attacker is removed, 1 if the defender may turn
    freely, 1 for overkill, missed shots in a row from now on, 1 for a jam, survivors of the flames, command points)."""
    kind, result = v[_KIND], v[_RESULT]
    if kind == COMMAND:
        return 0, 0, 0, 0, 0, 0, 0, result
    if kind == FLAMER:
        return result, 0, 0, 0, 0, 0, v[_SQUARES] - result, 0
    if kind == BOLTER:
        unhit = not result and not v[_MOVING] and (not v[_OVERWATCH] or v[_PROFILE] == THIRD)
        return int(result > 0), 0, 0, int(result > 1), _shots(v) + 1 if unhit else 0, v[_JAMMED], 0, 0
    if v[_WHAT] == _DOOR:
        return result, 0, 0, 0, 0, 0, 0, 0
    beaten = result == _DEFENDER_WINS
    return int(result == _ATTACKER_WINS), int(beaten and v[_ASPECT] == 0), int(beaten and v[_ASPECT] > 0), 0, 0, 0, 0, 0
