"""Kill Team: a fight of two operatives. Source: rules/nemesis.md 4.5, 4.6, 8.1, 8.3 and 8.4.

The first group is the operative that is fought, whose weapon is in the foe's numbers; the second one fights. Both roll,
then the fighter may roll again, then the foe; the successes are resolved in turn, each a strike or a block.
"""

from tableside.core.stages import ATTACKER, DEFENDER, StageError, bins_of, choice, dice
from tableside.rules import killteam as k

ID = 5
BOTH = True
KEYWORDS = k.KEYWORDS
NO_DICE = k.NO_DICE
CHOICES = {"command_reroll": ("none", "hit", "foe_hit")}
PROFILE = k.PROFILE
MODIFIERS = (
    ("assist", 0, 3, 0),  # friends in control range of the foe: each betters Hit by 1
    ("foe_assist", 0, 3, 0),
    ("duellist", 0, 1, 0),  # blocks with one success before the order of turns
    ("foe_duellist", 0, 1, 0),
    ("ignores_injury", 0, 1, 0),
    ("foe_ignores_injury", 0, 1, 0),
    ("tough", 0, 1, 0),
    ("foe_tough", 0, 1, 0),
    ("bulky", 0, 1, 0),  # ignores Stun
    ("foe_bulky", 0, 1, 0),
    ("command_reroll", 0, 2, 0),
)
_HURTLESS = ("hot", "piercing", "piercing_crits", "saturate")  # of a foe's weapon: not in a fight
TARGET = (("foe_attacks", 0, 12, 0),) + tuple(
    ("foe_" + name, low, high, default) for name, low, high, default in PROFILE[1:] if name not in _HURTLESS
)
GROUP = k.GROUP
_MODIFIERS = len(PROFILE)
_ASSIST, _DUELLIST, _UNHINDERED, _TOUGH, _BULKY = range(_MODIFIERS, _MODIFIERS + 10, 2)  # of the fighter, then the foe
_COMMAND = _MODIFIERS + 10
_FOE = _COMMAND + 1
_GROUPS = _FOE + len(TARGET)
_FIRST = _GROUPS + 1
_NAMES = tuple(field[0] for field in TARGET)
OUTCOMES = ("damage", "incapacitated", "stunned", "own_damage", "own_incapacitated", "own_stunned")

# Sides: 0 the fighter, 1 the foe. The progress, counted from the end of v; of two numbers in a row the second is the
# foe's. _SHOCKED: the side has had its first critical strike.
_AT, _TURN, _BLOW, _N, _N1, _C, _C1, _SHOCKED, _SHOCKED1, _STUN, _STUN1, _LOST, _LOST1 = range(-13, 0)
_PROGRESS = 13
_ROLLS = (
    k.Roll(-_PROGRESS - 2 * k.Roll.SIZE, ATTACKER, "hit"),
    k.Roll(-_PROGRESS - k.Roll.SIZE, DEFENDER, "foe_hit"),
)
AUDIT = ()

# Values of v[_AT].
_ROLL, _FOE_ROLL, _AGAIN, _FOE_AGAIN, _DUEL, _FOE_DUEL, _RESOLVE, _TOUGHNESS, _END = range(9)


def begin(v):
    """Check and append the progress. Raises StageError for what cannot be."""
    if v[_GROUPS] != 2:
        raise StageError("target", "needs the foe and the fighter", v[_GROUPS])
    for side in (0, 1):
        g = _group(side)
        if v[g + k.LOST] >= v[g + k.WOUNDS] or not v[g]:
            raise StageError("target", "has no wounds left", v[g + k.LOST])
    v.extend([0] * (_PROGRESS + 2 * k.Roll.SIZE))
    for side in (0, 1):
        attacks = _weapon(v, side, "attacks")
        _ROLLS[side].begin(v, attacks - min(attacks, _weapon(v, side, "accurate")))
    _go_on(v)


def _group(side):
    return _FIRST + (0 if side else len(GROUP))


def _weapon(v, side, name):
    """A number of a side's weapon."""
    if side:
        return v[_FOE + _NAMES.index("foe_" + name)] if "foe_" + name in _NAMES else 0
    return v[[field[0] for field in PROFILE].index(name)]


def _bins(v, side):
    worse = k.injured(v, _group(side)) and not v[_UNHINDERED + side]
    need = max(2, min(6, _weapon(v, side, "hit") + worse - v[_ASSIST + side]))
    return k.roll_bins(need, _weapon(v, side, "lethal"), _weapon(v, side, "ceaseless"))


def _terms(v, side):
    """What a side's roll may do: bins, Ceaseless, fails to pick up, a command re-roll."""
    rerolls = 12 if _weapon(v, side, "relentless") else _weapon(v, side, "balanced")
    return _bins(v, side), _weapon(v, side, "ceaseless"), rerolls, v[_COMMAND] == side + 1


def stage(v):
    """Both rolls, then strike and block in turn."""
    at = v[_AT]
    if at < _DUEL:
        return _ROLLS[at & 1].stage(v, *_terms(v, at & 1))
    if at == _TOUGHNESS:
        return dice("tough", DEFENDER if v[_TURN] == 0 else ATTACKER, 1, bins_of((1, "fail"), (5, "less")))
    if at == _END:
        return None
    options = _options(v)
    return choice(("duel", "duel", "resolve")[at - _DUEL], (ATTACKER, DEFENDER)[v[_TURN]], options, _best(v, options))


def _options(v):
    """What the side whose turn it is may do with one success."""
    side = v[_TURN]
    normal, critical = v[_N + side], v[_C + side]
    foe_normal, foe_critical = v[_N + 1 - side], v[_C + 1 - side]
    options = []
    if v[_AT] == _RESOLVE:
        if critical:
            options.append("strike_critical")
        if normal:
            options.append("strike")
    if normal and foe_normal and not _weapon(v, 1 - side, "brutal"):
        options.append("block")
    if critical and foe_critical:
        options.append("block_critical")
    if critical and foe_normal:
        options.append("critical_blocks")
    return tuple(options)


def _damage(v, side, critical):
    return _weapon(v, side, "damage_critical" if critical else "damage_normal")


def _best(v, options):
    """Strike down the other; else block what would strike one down; else strike as hard as one can."""
    side = v[_TURN]
    mine, other = _group(side), _group(1 - side)
    strikes = [name for name in options if name[:6] == "strike"]
    blocks = [name for name in options if name not in strikes]
    if not strikes:
        return 0
    hardest = strikes[0]
    for name in strikes:
        if _damage(v, side, name != "strike") > _damage(v, side, hardest != "strike"):
            hardest = name
    if _damage(v, side, hardest != "strike") >= v[other + k.WOUNDS] - v[other + k.LOST]:
        return options.index(hardest)
    left = v[mine + k.WOUNDS] - v[mine + k.LOST]
    if v[_C + 1 - side] and _damage(v, 1 - side, True) >= left and "block_critical" in blocks:
        return options.index("block_critical")
    if blocks and not v[_C + 1 - side] and _damage(v, 1 - side, False) >= left:
        return options.index(blocks[0])
    return options.index(hardest)


def enter(v, stage, counts):
    """Go on with dice."""
    at = v[_AT]
    if at == _TOUGHNESS:
        _strike(v, v[_BLOW] - counts[1])
        return
    _ROLLS[at & 1].enter(v, counts, stage.bins)
    if at < _AGAIN:
        v[_AT] = at + 1
    _go_on(v)


def _go_on(v):
    """Pass over what has nothing to do."""
    if v[_AT] == _ROLL and _ROLLS[0].done(v):
        v[_AT] = _FOE_ROLL
    if v[_AT] == _FOE_ROLL and _ROLLS[1].done(v):
        v[_AT] = _AGAIN
    while v[_AT] in (_AGAIN, _FOE_AGAIN):
        side = v[_AT] & 1
        _ROLLS[side].settle(v, *_terms(v, side))
        if not _ROLLS[side].done(v):
            return
        v[_AT] += 1
    if v[_AT] == _DUEL:
        for side in (0, 1):
            _retain(v, side)
        for side in (0, 1):
            _hurt(v, 1 - side, v[_C + side] * _weapon(v, side, "devastating"))
        _duel(v, 0)


def _retain(v, side):
    roll = _ROLLS[side]
    accurate = min(_weapon(v, side, "attacks"), _weapon(v, side, "accurate"))
    wanted = _damage(v, side, True) + _weapon(v, side, "devastating") >= _damage(v, side, False)
    crit = k.retain(v, roll, accurate, _weapon(v, side, "punishing"), _weapon(v, side, "rending"),
                    _weapon(v, side, "severe"), wanted)
    v[_STUN + side] = int(crit and _weapon(v, side, "stun") and not v[_BULKY + 1 - side])
    v[_C + side] = v[roll.at + roll.CRITS]
    v[_N + side] = v[roll.at + roll.NORMALS]
    for i in range(roll.at, roll.at + roll.SIZE):
        v[i] = 0


def _duel(v, side):
    """A Duellist blocks first; then the fighter begins."""
    for duellist in range(side, 2):
        v[_TURN] = duellist
        v[_AT] = _DUEL + duellist
        if v[_DUELLIST + duellist] and _options(v) and not _is_over(v):
            return
    v[_AT] = _RESOLVE
    v[_TURN] = 0
    _turn(v)


def _is_over(v):
    return not v[_group(0)] or not v[_group(1)]


def _turn(v):
    """The side whose turn it is goes on if it has successes, else the other; at the end neither has."""
    if _is_over(v) or not v[_N] + v[_N1] + v[_C] + v[_C1]:
        v[_N] = v[_N1] = v[_C] = v[_C1] = v[_TURN] = v[_SHOCKED] = v[_SHOCKED1] = 0
        v[_AT] = _END
    elif not v[_N + v[_TURN]] + v[_C + v[_TURN]]:
        v[_TURN] = 1 - v[_TURN]


def choose(v, stage, option):
    """Resolve one success."""
    side = v[_TURN]
    name = stage.options[option]
    critical = name in ("strike_critical", "block_critical", "critical_blocks")
    v[(_C if critical else _N) + side] -= 1
    if name[:6] != "strike":
        v[(_C if name == "block_critical" else _N) + 1 - side] -= 1
        if v[_AT] == _RESOLVE:
            v[_TURN] = 1 - side
            _turn(v)
        else:
            _duel(v, side + 1)
        return
    if critical and _weapon(v, side, "shock") and not v[_SHOCKED + side]:
        v[_SHOCKED + side] = 1
        at = _N if v[_N + 1 - side] else _C
        v[at + 1 - side] = max(0, v[at + 1 - side] - 1)
    v[_BLOW] = _damage(v, side, critical)
    if v[_TOUGH + 1 - side] and v[_BLOW] > 3:
        v[_AT] = _TOUGHNESS
    else:
        _strike(v, v[_BLOW])


def _strike(v, damage):
    side = v[_TURN]
    v[_BLOW] = 0
    v[_AT] = _RESOLVE
    _hurt(v, 1 - side, damage)
    v[_TURN] = 1 - side
    _turn(v)


def _hurt(v, side, damage):
    v[_LOST + side] += k.hurt(v, _group(side), damage)


def outcome(v):
    """Of the foe, then of the fighter: wounds lost, 1 if incapacitated, 1 if stunned."""
    return v[_LOST1], int(not v[_group(1)]), v[_STUN], v[_LOST], int(not v[_group(0)]), v[_STUN1]
