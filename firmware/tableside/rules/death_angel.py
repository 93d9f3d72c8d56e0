"""Death Angel: attacks of marines and of genestealers, and the rolls of cards and locations.

Source: rules/death_angel.md 1, 5 and 6.1. Faces are what the die shows, 0 to 5; on 1, 2 and 3 there is a skull as well.
A group is a swarm: of a marine's attack each one that he may attack, of a genestealers' attack the one that attacks.
"""

from tableside.core.stages import ATTACKER, DEFENDER, StageError, choice, dice

ID = 8
KEYWORDS = ()
CHOICES = {
    "kind": (
        "marine_attack", "heroic_charge", "genestealer_attack", "cleansing_flames", "generatorium", "promethium_tank",
        "spore_chimney", "psychic_assault", "teleportarium", "launch_control", "intimidation", "toxin_pumping",
    ),
}
(MARINE_ATTACK, HEROIC_CHARGE, GENESTEALER_ATTACK, CLEANSING_FLAMES, GENERATORIUM, PROMETHIUM_TANK, SPORE_CHIMNEY,
 PSYCHIC_ASSAULT, TELEPORTARIUM, LAUNCH_CONTROL, INTIMIDATION, TOXIN_PUMPING) = range(12)

PROFILE = (
    ("kind", 0, 11, MARINE_ATTACK),
    ("attacks", 1, 6, 1),
    # A marine's attack: slays the number rolled; each skull gives another attack; a 4 slays up to three.
    ("flamer", 0, 1, 0),
    ("psionic", 0, 1, 0),
    ("dead_aim", 0, 1, 0),
    # His defence: skulls are misses; they slay an attacker, too; any new roll but 0 is a miss; each 0 is a miss.
    ("block", 0, 1, 0),
    ("counter_attack", 0, 1, 0),
    ("defensive_stance", 0, 1, 0),
    ("second_wind", 0, 1, 0),
)
MODIFIERS = (
    ("tokens", 0, 12, 0),  # of the marine; of the location for the launch control
    ("in_front", 0, 1, 1),  # the genestealers that attack are where the marine faces
    ("artefact", 0, 1, 0),
)
TARGET = ()
GROUP = (("models", 0, 40, 1), ("brood_lords", 0, 2, 0))  # those among the models
(_KIND, _ATTACKS, _FLAMER, _PSIONIC, _DEAD_AIM, _BLOCK, _COUNTER, _STANCE, _SECOND_WIND, _TOKENS, _IN_FRONT, _ARTEFACT,
 _GROUPS) = range(13)
_FIRST = 13
# Progress, counted from the end of v. _GROUP: the swarm that is dealt with; _MORE: attacks after this one; _KILLS: to
# be given to swarms; _FACE: of a marine's attack, until it stands; _LEFT: tokens; _NUMBER: of a roll that stands.
_AT, _GROUP, _MORE, _KILLS, _FACE, _AGAIN, _LEFT, _ARTEFACT_USED, _SLAIN, _MARINE_SLAIN, _NUMBER = range(-11, 0)
AUDIT = ()
OUTCOMES = ("slain", "marine_slain", "tokens_spent", "artefact_used", "number", "success")

# Values of v[_AT].
_TARGET = 0  # which swarm is attacked
_ATTACK = 1
_REROLL = 2
_DEFEND = 3
_ANSWER = 4  # to being slain
_SLAY = 5  # which swarm loses the next genestealer
_PAY = 6  # a token instead of a roll
_ROLL = 7
_END = 8

_SKULL = 1, 3
_FACES = tuple((face, face, str(face)) for face in range(6))
# The bins of the other rolls. Where the number counts there are all faces.
_ZERO = ((0, 0, "slain"), (1, 5, "safe"))
_SKULLS = ((0, 0, "zero"), _SKULL + ("skull",), (4, 5, "miss"))
_BINS = {
    HEROIC_CHARGE: _ZERO,
    CLEANSING_FLAMES: _SKULLS,
    GENERATORIUM: _SKULLS,
    PROMETHIUM_TANK: _ZERO,
    SPORE_CHIMNEY: _SKULLS,
    PSYCHIC_ASSAULT: ((0, 1, "slain"), (2, 5, "safe")),
    TELEPORTARIUM: _ZERO,
    INTIMIDATION: _FACES,
    TOXIN_PUMPING: _FACES,
}


def begin(v):
    """Check and append the progress. Raises StageError for what cannot be."""
    kind, groups = v[_KIND], v[_GROUPS]
    for at in range(_FIRST, len(v), 2):
        if v[at + 1] > v[at]:
            raise StageError("brood_lords", "must be among the models", v[at + 1])
    _check_cards(v)
    alive = [group for group in range(groups) if v[_FIRST + 2 * group]]
    if kind in (MARINE_ATTACK, HEROIC_CHARGE, GENESTEALER_ATTACK) and not alive:
        raise StageError("target", "has no models", 0)
    if kind == GENESTEALER_ATTACK and groups > 1:
        raise StageError("target", "one swarm attacks at a time", groups)
    if groups and kind > PROMETHIUM_TANK:
        raise StageError("target", "no swarm has to do with this roll", groups)
    v.extend((_ROLL, 0, v[_ATTACKS] - 1, 0, 0, 0, v[_TOKENS], 0, 0, 0, 0))
    if kind == MARINE_ATTACK:
        _next_target(v)
    elif kind == GENESTEALER_ATTACK:
        v[_AT] = _DEFEND
    elif kind in (HEROIC_CHARGE, PROMETHIUM_TANK):
        v[_KILLS] = 3 if kind == HEROIC_CHARGE else sum(v[_FIRST + 2 * group] for group in alive)
        _slay_more(v)
    elif kind == TELEPORTARIUM and v[_TOKENS]:
        v[_AT] = _PAY


def _check_cards(v):
    """Cards of different teams do not meet."""
    for kind, first, last in ((MARINE_ATTACK, _FLAMER, _DEAD_AIM), (GENESTEALER_ATTACK, _BLOCK, _STANCE)):
        cards = [at for at in range(first, last + 1) if v[at]]
        if cards and v[_KIND] != kind:
            raise StageError(PROFILE[cards[0]][0], "has nothing to do with this roll", CHOICES["kind"][v[_KIND]])
        if len(cards) > 1:
            raise StageError(PROFILE[cards[1]][0], "not together with", PROFILE[cards[0]][0])
    if v[_SECOND_WIND] and v[_KIND] != GENESTEALER_ATTACK:
        raise StageError("second_wind", "has nothing to do with this roll", CHOICES["kind"][v[_KIND]])
    if v[_ATTACKS] > 1 and v[_KIND] != MARINE_ATTACK:
        raise StageError("attacks", "one roll only", v[_ATTACKS])


def _alive(v):
    """The swarms that have genestealers."""
    return [group for group in range(v[_GROUPS]) if v[_FIRST + 2 * group]]


def stage(v):
    """A roll, what to do about it, or which swarm is meant."""
    at, kind = v[_AT], v[_KIND]
    if at == _END:
        return None
    if at in (_TARGET, _SLAY):
        groups = _alive(v)
        stay = groups.index(v[_GROUP]) if v[_GROUP] in groups else 0
        name = "target" if at == _TARGET else "slay"
        return choice(name, ATTACKER, tuple("group_" + str(group + 1) for group in groups), stay)
    if at == _ATTACK:
        return dice("attack", ATTACKER, 1, _attack_bins(v), group=v[_GROUP])
    if at == _REROLL:
        kills = [_kills(v, face) for face in range(6)]
        return choice("reroll", ATTACKER, ("keep", "token"), int(6 * kills[v[_FACE]] < sum(kills)), v[_GROUP])
    if at == _DEFEND:
        return dice("defend", DEFENDER, 1, _defend_bins(v), group=0)
    if at == _ANSWER:
        return choice("answer", DEFENDER, _answers(v), 1, 0)
    if at == _PAY:
        return choice("pay", ATTACKER, ("roll", "token"), 1)
    if kind == LAUNCH_CONTROL:
        win = ((0, min(5, v[_TOKENS]), "launch"),)
        return dice("roll", ATTACKER, 1, win + ((v[_TOKENS] + 1, 5, "wait"),) if v[_TOKENS] < 5 else win)
    return dice("roll", ATTACKER, 1, _BINS[kind])


def _kills(v, face):
    """How many a face of a marine's attack slays in the swarm."""
    models = v[_FIRST + 2 * v[_GROUP]]
    if v[_FLAMER]:
        return min(face, models)
    if v[_DEAD_AIM] and face == 4:
        return min(3, models)
    return int(_SKULL[0] <= face <= _SKULL[1])


def _attack_bins(v):
    if v[_FLAMER]:
        return _FACES
    if v[_DEAD_AIM]:
        return _SKULLS[:2] + ((4, 4, "4"), (5, 5, "miss"))
    return _SKULLS


def _defend_bins(v):
    """Runs of faces that do the same: "skull" where a card counts them, "zero" where that parts 0 from the rest."""
    if v[_AGAIN]:
        return ((0, 0, "zero"), (1, 5, "miss"))
    bins = []
    for face in range(6):
        name = "slain" if face <= v[_FIRST] + v[_FIRST + 1] else "miss"
        if face == 0 and (v[_SECOND_WIND] or v[_BLOCK] or v[_COUNTER]):
            name = "zero"
        elif _SKULL[0] <= face <= _SKULL[1] and (v[_BLOCK] or v[_COUNTER]):
            name = "skull"
        if bins and bins[-1][2] == name:
            bins[-1] = (bins[-1][0], face, name)
        else:
            bins.append((face, face, name))
    return tuple(bins)


def _answers(v):
    """What may be done about a defence roll that slew the marine."""
    token = ("token",) if _token_helps(v) else ()
    artefact = ("artefact",) if v[_ARTEFACT] else ()
    return ("slain",) + token + artefact


def _token_helps(v):
    """Whether a token may be spent on the defence roll, and could save the marine."""
    if not v[_IN_FRONT] or not v[_LEFT]:
        return False
    return v[_STANCE] or len(_defend_bins(v)) > 1


def enter(v, stage, counts):
    """Take the one die that was rolled."""
    at = v[_AT]
    low, _, name = stage.bins[counts.index(1)]
    if at == _ATTACK:
        v[_FACE] = low
        kills = [_kills(v, face) for face in range(6)]
        if v[_LEFT] and kills[low] < max(kills):
            v[_AT] = _REROLL
        else:
            _attack_stands(v)
    elif at == _DEFEND:
        _defended(v, name)
    else:
        _rolled(v, low, name)


def _attack_stands(v):
    kills = _kills(v, v[_FACE])
    v[_FACE] = 0
    _slay(v, v[_GROUP], kills)
    if kills and v[_PSIONIC]:
        v[_MORE] += 1
    if v[_MORE] and _alive(v):
        v[_MORE] -= 1
        _next_target(v)
    else:
        v[_AT] = _END
        v[_MORE] = v[_GROUP] = 0


def _next_target(v):
    groups = _alive(v)
    v[_AT] = _TARGET
    if len(groups) == 1:
        v[_GROUP] = groups[0]
        v[_AT] = _ATTACK


def _defended(v, name):
    v[_AGAIN] = 0
    v[_AT] = _END
    if name == "slain" or name == "zero" and not v[_SECOND_WIND]:
        v[_AT] = _ANSWER
        if len(_answers(v)) == 1:
            _marine_slain(v)
    elif name == "skull" and v[_COUNTER]:
        _slay(v, 0, 1)
        if v[_FIRST]:
            v[_AT] = _DEFEND


def _marine_slain(v):
    v[_MARINE_SLAIN] = 1
    v[_AT] = _END


def _rolled(v, low, name):
    """A roll of a card or a location."""
    kind = v[_KIND]
    v[_AT] = _END
    _slay_rest(v)
    if name == "slain":
        v[_MARINE_SLAIN] = 1
    elif kind in (INTIMIDATION, TOXIN_PUMPING):
        v[_NUMBER] = low
    elif name in ("skull", "launch"):
        v[_NUMBER] = 1
        if kind in (CLEANSING_FLAMES, GENERATORIUM):
            v[_KILLS] = 2 if kind == CLEANSING_FLAMES else 4
            _slay_more(v)
    elif kind == GENERATORIUM:
        v[_MARINE_SLAIN] = 1


def choose(v, stage, option):
    """Go on with a swarm, a token, the artefact, or without."""
    at, name = v[_AT], stage.options[option]
    if at in (_TARGET, _SLAY):
        v[_GROUP] = _alive(v)[option]
        if at == _TARGET:
            v[_AT] = _ATTACK
        else:
            v[_KILLS] -= 1
            _slay(v, v[_GROUP], 1)
            _slay_more(v)
    elif at == _REROLL:
        v[_AT] = _ATTACK
        if option:
            v[_LEFT] -= 1
            v[_FACE] = 0
        else:
            _attack_stands(v)
    elif name == "token":
        v[_LEFT] -= 1
        v[_AGAIN] = v[_STANCE]
        v[_AT] = _DEFEND if at == _ANSWER else _END
    elif at == _PAY:
        v[_AT] = _ROLL
    elif name == "artefact":
        v[_ARTEFACT_USED] = 1
        v[_AT] = _END
    else:
        _marine_slain(v)


def _slay_more(v):
    """Give kills to the swarms: asked one by one while there is a choice."""
    groups = _alive(v)
    if v[_KILLS] and len(groups) > 1 and sum(v[_FIRST + 2 * group] for group in groups) > v[_KILLS]:
        v[_AT] = _SLAY
    elif v[_KIND] in (HEROIC_CHARGE, PROMETHIUM_TANK):
        v[_AT] = _ROLL  # the rest is slain with it
    else:
        _slay_rest(v)
        v[_AT] = _END


def _slay_rest(v):
    """Give kills to the swarms where it makes no difference how."""
    for group in _alive(v):
        count = min(v[_KILLS], v[_FIRST + 2 * group])
        v[_KILLS] -= count
        _slay(v, group, count)
    v[_KILLS] = v[_GROUP] = 0


def _slay(v, group, count):
    """Take genestealers from a swarm: brood lords are the last."""
    at = _FIRST + 2 * group
    v[at] -= count
    v[at + 1] = min(v[at], v[at + 1])
    v[_SLAIN] += count


def outcome(v):
    """(genestealers slain, 1 if the marine is slain, tokens spent, 1 if the artefact is spent, the number rolled, 1 for
    a skull that does something or a launch)."""
    number = v[_KIND] in (INTIMIDATION, TOXIN_PUMPING)
    return (
        v[_SLAIN], v[_MARINE_SLAIN], v[_TOKENS] - v[_LEFT], v[_ARTEFACT_USED],
        v[_NUMBER] if number else 0, 0 if number else v[_NUMBER],
    )
