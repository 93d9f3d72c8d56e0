"""Kill Team: shooting at one target. Source: rules/nemesis.md 4.5, 4.6, 4.9 and 8.1-8.3.

The first group is the target, the second the shooter, who may be hurt by Hot and shoots worse when injured. Each
further target of Blast and Torrent is a request of its own. Rules that are given to a weapon are set in its numbers.
"""

from tableside.core.stages import ATTACKER, DEFENDER, StageError, bins_of, choice, dice, faces_of
from tableside.rules import killteam as k

ID = 4
BOTH = True
KEYWORDS = k.KEYWORDS
NO_DICE = k.NO_DICE
CHOICES = {"command_reroll": ("none", "hit", "save")}
PROFILE = k.PROFILE
MODIFIERS = (
    ("cover", 0, 1, 0),
    ("obscured", 0, 1, 0),
    ("worse_hit", 0, 3, 0),  # Hit worsened, such as by Fury
    ("ignores_injury", 0, 1, 0),  # the shooter
    ("no_rerolls", 0, 1, 0),  # Shrouded, from more than 8"
    ("arrogant", 0, 1, 0),  # of two fails one may be discarded to roll the other again
    ("command_reroll", 0, 2, 0),
)
TARGET = (
    ("save", 2, 7, 4),
    ("extra_defence", 0, 1, 0),  # a die more while it is not injured
    ("bulky", 0, 1, 0),  # ignores Stun
    ("automatic", 0, 1, 0),  # a defence die is retained unrolled: Defenders of the Imperium
    ("armoured", 0, 1, 0),
    ("tough", 0, 1, 0),
    ("shielded", 0, 1, 0),  # may ignore the damage of an attack die
    ("shielding", 0, 1, 0),  # of the Archivist
)
GROUP = k.GROUP
_COVER = len(PROFILE)
_OBSCURED, _WORSE, _UNHINDERED, _NO_REROLLS, _ARROGANT, _COMMAND, _SAVE, _EXTRA, _BULKY, _AUTOMATIC, _ARMOURED, \
    _TOUGH, _SHIELDED, _SHIELDING, _GROUPS = range(_COVER + 1, _COVER + 16)
_FIRST = _GROUPS + 1
_HIT_REROLL, _SAVE_REROLL = 1, 2
OUTCOMES = ("damage", "incapacitated", "stunned", "own_damage")

# The progress, counted from the end of v: the two rolls, then these.
_AT, _RETAINED, _NORMALS, _CRITS, _SMALL, _DAMAGE, _OUT, _STUN, _OWN, _A_NORMALS, _A_CRITS, _A_SAVES = range(-12, 0)
_PROGRESS = 12
_ATTACK = k.Roll(-_PROGRESS - 2 * k.Roll.SIZE, ATTACKER, "hit")
_DEFENCE = k.Roll(-_PROGRESS - k.Roll.SIZE, DEFENDER, "save")
AUDIT = ((_A_CRITS, "crits"), (_A_NORMALS, "hits"), (_A_SAVES, "saved"))

# Values of v[_AT].
_SHOOT, _KEEP_COVER, _DEFEND, _SHIELD, _TOUGHNESS, _HOT, _END = range(7)


def begin(v):
    """Check and append the progress. Raises StageError for what cannot be."""
    if not 1 <= v[_GROUPS] <= 2:
        raise StageError("target", "needs the target, and may have the shooter", v[_GROUPS])
    for g in _groups(v):
        if v[g + k.LOST] >= v[g + k.WOUNDS] or not v[g]:
            raise StageError("target", "has no wounds left", v[g + k.LOST])
    v.extend([0] * (_PROGRESS + 2 * k.Roll.SIZE))
    accurate = min(v[k.ACCURATE], v[k.ATTACKS])
    _ATTACK.begin(v, v[k.ATTACKS] - accurate)
    _go_on(v)


def _groups(v):
    return range(_FIRST, _FIRST + v[_GROUPS] * len(GROUP), len(GROUP))


def _shooter(v):
    return _FIRST + len(GROUP) if v[_GROUPS] > 1 else 0


def _hit(v):
    """What the dice must reach now."""
    shooter = _shooter(v)
    worse = bool(shooter) and k.injured(v, shooter) and not v[_UNHINDERED]
    return min(6, v[k.HIT] + v[_WORSE] + worse)


def _hit_bins(v):
    return k.roll_bins(_hit(v), v[k.LETHAL], _ceaseless(v))


def _ceaseless(v):
    return v[k.CEASELESS] and not v[_NO_REROLLS]


def _save_bins(v):
    better = v[_ARMOURED] and v[k.NORMAL_DAMAGE] <= 3
    return k.roll_bins(max(2, min(6, v[_SAVE] - better)), 0, False, "saved")


def _rerolls(v):
    """How many fails may be picked up."""
    if v[_NO_REROLLS]:
        return 0
    if v[k.RELENTLESS]:
        return v[k.ATTACKS]
    if not v[_ARROGANT]:
        return v[k.BALANCED]
    first = _ATTACK.at + _ATTACK.FRESH
    fails = sum(v[first + i] for i, bin in enumerate(_hit_bins(v)) if bin[2] not in k.SUCCESSES)
    return max(v[k.BALANCED], min(v[k.BALANCED] + 1, fails - 1))  # one stays, to be discarded


def _discard(v, bins):
    """Arrogant: a fail is gone for good."""
    for i, bin in enumerate(bins):
        at = _ATTACK.at + _ATTACK.FRESH + i
        if bin[2] not in k.SUCCESSES and v[at]:
            v[at] -= 1
            return


def _terms(v, attack):
    """What the roll of one side may do: bins, Ceaseless, fails to pick up, a command re-roll."""
    if attack:
        command = v[_COMMAND] == _HIT_REROLL and not v[_NO_REROLLS]
        return _hit_bins(v), _ceaseless(v), _rerolls(v), command
    return _save_bins(v), 0, 0, v[_COMMAND] == _SAVE_REROLL


def stage(v):
    """Attack dice, defence dice, and what the target may still do."""
    at = v[_AT]
    if at == _SHOOT:
        return _ATTACK.stage(v, *_terms(v, True))
    if at == _KEEP_COVER:
        hopeless = _defence_dice(v) == 1 or _save_bins(v)[1][2] == "crit"  # no second save to block a critical with
        return choice("cover", DEFENDER, ("retain", "roll"), int(hopeless), 0)
    if at == _DEFEND:
        return _DEFENCE.stage(v, *_terms(v, False))
    if at == _SHIELD:
        return choice("shielded", DEFENDER, ("ignore", "keep"), 0, 0)
    if at == _TOUGHNESS:
        return dice("tough", DEFENDER, v[_RETAINED], bins_of((1, "fail"), (5, "less")), 6, 0)
    if at == _HOT:
        return dice("hot", ATTACKER, 1, faces_of(6)[: _hit(v) - 1] + ((_hit(v), 6, "safe"),))
    return None


def enter(v, stage, counts):
    """Go on with dice."""
    at = v[_AT]
    if at == _SHOOT:
        arrogant = v[_ATTACK.at + _ATTACK.STEP] == _ATTACK.PICK and v[_ARROGANT] and not v[k.RELENTLESS]
        _ATTACK.enter(v, counts, stage.bins)
        if arrogant and sum(counts) > v[k.BALANCED]:
            _discard(v, stage.bins)
    elif at == _DEFEND:
        _DEFENCE.enter(v, counts, stage.bins)
    elif at == _TOUGHNESS:
        v[_SMALL] = counts[1]
        v[_RETAINED] = 0
        _damage(v)
        return
    elif at == _HOT:
        for i in range(len(counts) - 1):
            v[_OWN] += counts[i] * (i + 1) * 2
        if _shooter(v):
            v[_OWN] = k.hurt(v, _shooter(v), v[_OWN])
        v[_AT] = _END
        return
    _go_on(v)


def choose(v, stage, option):
    """Go on with a decision of the target."""
    if v[_AT] == _KEEP_COVER:
        _defend(v, 1 - option)
    else:
        if not option:  # the die that does most
            at = _CRITS if v[_CRITS] and (_hurts(v, k.CRITICAL_DAMAGE) >= _hurts(v, k.NORMAL_DAMAGE)
                                          or not v[_NORMALS]) else _NORMALS
            v[at] -= 1
        _be_tough(v)


def _go_on(v):
    """Pass over what has nothing to do."""
    if v[_AT] == _SHOOT:
        _ATTACK.settle(v, *_terms(v, True))
        if _ATTACK.done(v):
            _retain(v)
    if v[_AT] == _DEFEND:
        _DEFENCE.settle(v, *_terms(v, False))
        if _DEFENCE.done(v):
            _block(v)


def _retain(v):
    """The attack dice are retained, Devastating does its damage, and the defence dice are collected."""
    accurate = min(v[k.ACCURATE], v[k.ATTACKS])
    wanted = v[k.CRITICAL_DAMAGE] + v[k.DEVASTATING] >= v[k.NORMAL_DAMAGE]
    crits, normals = _ATTACK.at + _ATTACK.CRITS, _ATTACK.at + _ATTACK.NORMALS
    if v[_OBSCURED]:
        v[_NORMALS] = max(0, v[crits] + v[normals] + accurate - 1)
        v[_STUN] = 0
    else:
        v[_STUN] = int(k.retain(v, _ATTACK, accurate, v[k.PUNISHING], v[k.RENDING], v[k.SEVERE], wanted)
                       and v[k.STUN] and not v[_BULKY])
        v[_CRITS] = v[crits]
        v[_NORMALS] = v[normals]
    for i in range(_ATTACK.at, _ATTACK.at + _ATTACK.SIZE):
        v[i] = 0
    v[_A_CRITS] += v[_CRITS]
    v[_A_NORMALS] += v[_NORMALS]
    _hurt(v, v[_CRITS] * v[k.DEVASTATING])
    if not v[_CRITS] and not v[_NORMALS] or v[_OUT]:
        v[_CRITS] = v[_NORMALS] = 0
        _heat(v)
    elif not v[_COVER] or v[k.SATURATE] or v[k.BRUTAL]:  # a die that is retained is no critical save
        _defend(v, 0)
    elif not v[_NORMALS] and _defence_dice(v):
        v[_AT] = _KEEP_COVER
    else:
        _defend(v, 1)


def _defence_dice(v):
    piercing = v[k.PIERCING]
    if v[_CRITS]:
        piercing = max(piercing, v[k.PIERCING_CRITS])
    extra = v[_EXTRA] and (not k.injured(v, _FIRST) or v[_SHIELDING])
    return max(0, 3 + extra - (0 if v[_SHIELDING] else piercing))


def _defend(v, cover):
    """Args: cover: whether a die is retained for it."""
    count = _defence_dice(v)
    v[_RETAINED] = min(count, cover + v[_AUTOMATIC])
    _DEFENCE.begin(v, count - v[_RETAINED])
    v[_AT] = _DEFEND
    if not count:
        _block(v)
    else:
        _go_on(v)


def _hurts(v, what):
    """The damage of one attack die."""
    return v[what] - (1 if v[_SHIELDING] and v[what] > 3 else 0)


def _block(v):
    """The target blocks what hurts it most: of all ways to block, one that leaves the least damage."""
    saves, criticals = v[_DEFENCE.at + _DEFENCE.NORMALS] + v[_RETAINED], v[_DEFENCE.at + _DEFENCE.CRITS]
    v[_A_SAVES] += saves + criticals
    for i in range(_DEFENCE.at, _DEFENCE.at + _DEFENCE.SIZE):
        v[i] = 0
    v[_RETAINED] = 0
    v[_NORMALS], v[_CRITS] = least(v[_NORMALS], v[_CRITS], 0 if v[k.BRUTAL] else saves, criticals,
                                   _hurts(v, k.NORMAL_DAMAGE), _hurts(v, k.CRITICAL_DAMAGE))
    if v[_SHIELDED] and v[_NORMALS] + v[_CRITS]:
        v[_AT] = _SHIELD
    else:
        _be_tough(v)


def least(normals, crits, saves, criticals, normal_damage, critical_damage):
    """(normals, criticals) that are left unblocked where the target blocks best.

    A save blocks a normal, two of them a critical; a critical save blocks either.
    """
    best = normals, crits
    most = normals * normal_damage + crits * critical_damage
    for on_crits in range(min(criticals, crits) + 1):
        for pairs in range(min(saves // 2, crits - on_crits) + 1):
            on_normals = min(normals, criticals - on_crits + saves - 2 * pairs)
            left = normals - on_normals, crits - on_crits - pairs
            damage = left[0] * normal_damage + left[1] * critical_damage
            if damage < most:
                best, most = left, damage
    return best


def _be_tough(v):
    big = (v[_NORMALS] if _hurts(v, k.NORMAL_DAMAGE) > 3 else 0) + (
        v[_CRITS] if _hurts(v, k.CRITICAL_DAMAGE) > 3 else 0)
    if v[_TOUGH] and big:
        v[_RETAINED] = big
        v[_AT] = _TOUGHNESS
    else:
        _damage(v)


def _damage(v):
    _hurt(v, v[_NORMALS] * _hurts(v, k.NORMAL_DAMAGE) + v[_CRITS] * _hurts(v, k.CRITICAL_DAMAGE) - v[_SMALL])
    v[_NORMALS] = v[_CRITS] = v[_SMALL] = 0
    _heat(v)


def _hurt(v, damage):
    v[_DAMAGE] += k.hurt(v, _FIRST, damage)
    v[_OUT] = int(not v[_FIRST])


def _heat(v):
    v[_AT] = _HOT if v[k.HOT] else _END


def outcome(v):
    """(wounds that the target lost, 1 if it is incapacitated, 1 if it is stunned, wounds that the shooter lost)."""
    return v[_DAMAGE], v[_OUT], v[_STUN], v[_OWN]
