"""Deathwatch: Overkill: an attack at one of three ranges, with Blast, Rend and Cleave, and the roll of a jump.

Source: rules/overkill.md 3 and 4.1. A group is models of the zone that are alike; the first is the target of an attack
without Blast, or the model that jumps. A model of two wounds is a group of its own.
"""

from tableside.core.stages import ATTACKER, DEFENDER, StageError, bins_of, choice, dice, pick

ID = 6
KEYWORDS = ("EXCEPTIONAL AGILITY",)  # saves against Cleave, too
CHOICES = {"kind": ("attack", "jump"), "band": ("assault", "combat", "max")}
ATTACK = 0
JUMP = 1

_DICE = 6  # of a profile at one band at most
# The number that each die of a band needs, in any order; 0: no die.
PROFILE = (("kind", 0, 1, ATTACK), ("blast", 0, 1, 0), ("rend", 0, 1, 0), ("cleave", 0, 1, 0)) + tuple(
    (band + "_" + str(die), 0, 6, 0) for band in CHOICES["band"] for die in range(1, _DICE + 1)
)
BY_NUMBERS = (ATTACK, 0, 0, 0) + (4, 0, 0, 0, 0, 0) * 3
MODIFIERS = (
    ("band", 0, 2, 0),
    ("first_contact", 0, 1, 0),  # attack dice that do not hit may be rolled once more
)
TARGET = ()
GROUP = (
    ("models", 0, 100, 1),
    ("wounds", 1, 2, 1),
    ("lost", 0, 1, 0),
    ("save", 0, 7, 0),  # 0 or 7: none
    ("keywords", 0, 255, 0),
    ("own", 0, 1, 0),  # of the attacker's side
)
NOT_AGAIN = ("first_contact",)  # of an attack that is made again: the turn may be another
ONCE_EACH = True  # a model attacks with one weapon
PARTS = True  # a group is what stands in the zone, not all that is left of its kind; one model if nobody says more
_KIND, _BLAST, _REND, _CLEAVE, _BANDS = range(5)
_BAND = len(PROFILE)
_FIRST_CONTACT = _BAND + 1
_GROUPS = _BAND + 2
_FIRST = _GROUPS + 1
_MODELS, _WOUNDS, _LOST, _SAVE, _KEYWORDS, _OWN = range(6)
_EXCEPTIONAL_AGILITY = 1
# Progress, counted from the end of v.
_AT, _NEED, _GROUP, _PICKED, _HITS, _ALL_WOUNDS, _SLAIN, _ALL_HITS, _ALL_SAVED = range(-9, 0)
OUTCOMES = ("wounds", "slain")

# Values of v[_AT].
_HIT = 0
_PICK = 1  # misses to roll again; they are counted in v[_PICKED], as are then the dice that were picked
_AGAIN = 2
_SAVES = 3
_NEXT = 4  # the decision where Rend goes on
_JUMP = 5
_END = 6

AUDIT = ((_ALL_HITS, "hits"), (_ALL_SAVED, "saved"))


def begin(v):
    """Check and append the progress. Raises StageError for what cannot be."""
    for at in range(_FIRST, len(v), len(GROUP)):
        if v[at + _LOST] >= v[at + _WOUNDS]:
            raise StageError("lost", "must be less than the wounds", v[at + _LOST])
        if v[at + _WOUNDS] > 1 and v[at + _MODELS] > 1:
            raise StageError("models", "a model of two wounds is a group of its own", v[at + _MODELS])
        if v[at + _SAVE] == 1:
            raise StageError("save", "must be 2 or more", 1)
    alive = [at for at in range(_FIRST, len(v), len(GROUP)) if v[at + _MODELS]]
    if not alive or not (v[_BLAST] or v[_FIRST + _MODELS]):
        raise StageError("target", "has no models", 0)
    if v[_KIND] == JUMP:
        if v[_FIRST_CONTACT]:
            raise StageError("jump", "is never rolled again", 1)
        v.extend((_JUMP, 0, 0, 0, 0, 0, 0, 0, 0))
        return
    _check_attack(v)
    v.extend((_HIT, 0, -1, 0, 0, 0, 0, 0, 0))
    if v[_BLAST]:
        v[_NEED] = max(_needs(v))
        _next_of_zone(v)
    else:
        v[_NEED] = min(_needs(v))
        v[_GROUP] = 0


def _check_attack(v):
    needs = _needs(v)
    if not needs:
        raise StageError("hit", "no dice at that band", CHOICES["band"][v[_BAND]])
    if 1 in needs:
        raise StageError("hit", "a die cannot need", 1)
    if v[_BLAST] and min(needs) != max(needs):
        raise StageError("hit", "Blast with dice of two kinds", max(needs))
    if v[_BLAST] and v[_REND]:
        raise StageError("rend", "Blast has one hit for each model", 1)
    if not v[_BLAST] and v[_FIRST + _OWN]:
        raise StageError("own", "only Blast hits one's own", 1)


def _needs(v):
    """The numbers that the dice of the chosen band need."""
    first = _BANDS + v[_BAND] * _DICE
    return [need for need in v[first:first + _DICE] if need]


def _group(v, group):
    return _FIRST + group * len(GROUP)


def stage(v):
    """Attack dice of one number or against one group, misses to roll again, saves, the next target of Rend, a jump."""
    at = v[_AT]
    if at == _END:
        return None
    if at == _NEXT:
        groups = _targets(v)
        stay = groups.index(v[_GROUP]) if v[_GROUP] in groups else 0
        return choice("rend", ATTACKER, tuple("group_" + str(group + 1) for group in groups), stay)
    group = _group(v, v[_GROUP])
    if at == _JUMP:
        return dice("jump", ATTACKER, 1, ((1, 1, "wound"), (2, 6, "safe")), group=0)
    if at == _SAVES:
        who = ATTACKER if v[group + _OWN] else DEFENDER
        return dice("save", who, _at_once(v), bins_of((1, "fail"), (v[group + _SAVE], "saved")), group=v[_GROUP])
    bins = bins_of((1, "miss"), (v[_NEED], "hit"))
    if at == _PICK:
        misses = v[_PICKED]
        default = [0 if v[group + _OWN] else misses]
        return pick("hit_reroll", ATTACKER, bins[:1], (misses,), misses, default, v[_GROUP])
    if at == _AGAIN:
        return dice("hit_reroll_dice", ATTACKER, v[_PICKED], bins, group=v[_GROUP])
    count = v[group + _MODELS] if v[_BLAST] else _needs(v).count(v[_NEED])
    return dice("hit", ATTACKER, count, bins, group=v[_GROUP])


def _at_once(v):
    """How many hits are saved at once: no more than it takes to slay what the attacker cannot turn away from."""
    group = _group(v, v[_GROUP])
    wounds = v[group + _WOUNDS] - v[group + _LOST]
    if v[_BLAST] or v[_REND] and len(_targets(v)) == 1:
        wounds = v[group + _MODELS] * v[group + _WOUNDS] - v[group + _LOST]
    return min(v[_HITS], wounds)


def _targets(v):
    """The groups that Rend may go on to."""
    groups = range(v[_GROUPS])
    return [group for group in groups if v[_group(v, group) + _MODELS] and not v[_group(v, group) + _OWN]]


def enter(v, stage, counts):
    """Count hits; then wound with what is not saved."""
    at = v[_AT]
    if at == _PICK:
        v[_PICKED] = counts[0]
        v[_AT] = _AGAIN
        if not counts[0]:
            _after_dice(v)
    elif at == _JUMP:
        v[_AT] = _END
        _wound(v, counts[0])
    elif at == _SAVES:
        v[_HITS] -= stage.dice
        v[_ALL_SAVED] += counts[1]
        if not _wound(v, counts[0]) or _turn(v):
            _on_target(v)
    else:
        v[_HITS] += counts[1]
        v[_ALL_HITS] += counts[1]
        v[_PICKED] = counts[0] if at == _HIT and v[_FIRST_CONTACT] else 0
        if v[_PICKED]:
            v[_AT] = _PICK
        else:
            _after_dice(v)


def choose(v, stage, option):
    """Go on with another target."""
    v[_GROUP] = _targets(v)[option]
    _on_target(v)


def _after_dice(v):
    """The dice of the next number, or the hits."""
    v[_PICKED] = 0
    more = [] if v[_BLAST] else [need for need in _needs(v) if need > v[_NEED]]
    if more:
        v[_NEED] = min(more)
        v[_AT] = _HIT
        return
    if not v[_BLAST]:
        v[_NEED] = 0
    _on_target(v)


def _on_target(v):
    """Saves against the hits that are left, or wounds where there is no save."""
    while v[_HITS]:
        group = _group(v, v[_GROUP])
        if _may_save(v, group):
            v[_AT] = _SAVES
            return
        count = _at_once(v)
        v[_HITS] -= count
        if _wound(v, count) and not _turn(v):
            return
    _end_of_hits(v)


def _may_save(v, group):
    return 0 < v[group + _SAVE] < 7 and (not v[_CLEAVE] or v[group + _KEYWORDS] & _EXCEPTIONAL_AGILITY)


def _turn(v):
    """After a model is slain: further hits go on with Rend, or are lost. Returns: False if the attacker must decide."""
    targets = _targets(v) if v[_REND] else ()
    if not targets:
        v[_HITS] = 0
    elif len(targets) == 1:
        v[_GROUP] = targets[0]
    elif v[_HITS]:
        v[_AT] = _NEXT
        return False
    return True


def _wound(v, count):
    """Give wounds to the group. Returns: how many of its models are slain."""
    group = _group(v, v[_GROUP])
    lost = v[group + _LOST] + count
    slain = lost // v[group + _WOUNDS]
    v[group + _LOST] = lost - slain * v[group + _WOUNDS]
    v[group + _MODELS] -= slain
    v[_ALL_WOUNDS] += count
    v[_SLAIN] += slain
    return slain


def _end_of_hits(v):
    if v[_BLAST]:
        _next_of_zone(v)
    else:
        v[_AT] = _END
        v[_GROUP] = 0


def _next_of_zone(v):
    """The next group that Blast reaches."""
    v[_AT] = _END
    for group in range(v[_GROUP] + 1, v[_GROUPS]):
        if v[_group(v, group) + _MODELS]:
            v[_GROUP] = group
            v[_AT] = _HIT
            return
    v[_GROUP] = v[_NEED] = 0


def outcome(v):
    """(wounds that were given, models that were slain), one's own included."""
    return v[_ALL_WOUNDS], v[_SLAIN]
