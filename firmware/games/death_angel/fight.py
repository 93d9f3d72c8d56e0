"""Attacks, of marines and of genestealers, and slaying. Source: rules/death_angel.md 5.

The die is resolved by `tableside.rules.death_angel`; the numbers of the roll in hand lie in the state.
"""

from games.death_angel.board import (
    ACTIVE,
    ARTEFACT,
    ATTACKED,
    ATTACKS,
    CARDS,
    CHOSEN,
    DONE,
    EVASION,
    FACING,
    FIELD,
    FLAGS,
    KILLS,
    LED,
    NONE,
    NOTE,
    NOW,
    ONE_ATTACK,
    OWNER,
    PHASE,
    RESOLVED,
    ROLL,
    ROW,
    S_ARTEFACT,
    S_CHARGE,
    S_INSTINCTS,
    SCOPE,
    SKIP,
    TABLE_ACTIONS,
    TABLE_MARINES,
    TARGET,
    TEAM,
    TOKENS,
    WHO,
    WIND,
    V,
    engaged,
    front,
    lose,
    marines,
    members,
    pool,
    row_of,
    rows,
    setting,
    slay,
    swarms,
)
from games.death_angel.texts import (
    T_ATTACK_WHOM,
    T_CLOSE_UP,
    T_ENOUGH,
    T_GO_ON,
    T_LEAD,
    T_NOBODY,
    T_PAY_ATTACK,
    T_SLAY,
)
from games.death_angel.view import DIE, KILL, MARINE, SHOT, WORD

FIGHT, PLACES = 96, 160
RESOLVER = 8
# Kinds of rolls, and places of their numbers.
MARINE_ATTACK, GENESTEALER_ATTACK, FLAMES, GENERATORIUM, TANK, CHIMNEY = 0, 2, 3, 4, 5, 6
PSYCHIC, TELEPORT, LAUNCH, INTIMIDATE, TOXIN = 7, 8, 9, 10, 11
_FLAMER, _PSIONIC, _DEAD_AIM, _BLOCK, _COUNTER, _STANCE, _SECOND_WIND, _TOKENS, _IN_FRONT, _ARTEFACT = range(2, 12)
# What may be slain: a swarm is its own number; else:
NEAR = 128  # + row: within one row of it
ENGAGED = 144  # + row: on both sides of it
ANY = 160
# Marines and cards with rules of their own.
_LORENZO, _GIDEON, _CALISTARIUS, _ZAEL, LEON, CLAUDIO = 0, 2, 4, 6, 8, 10
RED, YELLOW = 4, 5
BLOCK, STANCE, COUNTER, OVERWATCH = 1, 2, 3, 4
LEAD, FLAMER, PSIONIC, DEAD_AIM, FULL_AUTO, CHARGE = 13, 14, 15, 16, 17, 18
_CHARGES = 250  # a shot that is a heroic charge


def active(g, number):
    """Whether a card has been resolved in this round."""
    d = g.data
    team = g.row(TABLE_ACTIONS, number - 1)[0]
    return d[CHOSEN + team] == number and bool(d[TEAM + team] & RESOLVED)


# --- rolls -----------------------------------------------------------------------------------------------------------


def begin(g, kind, tokens=0, group=None, fields=()):
    """A die is to be rolled; the step on the agenda below goes on with its outcome.

    Args: group: genestealers and brood lords among them; fields: (place, number).
    """
    module = g.state.scenario.resolver(RESOLVER)
    v = [field[3] for field in module.PROFILE + module.MODIFIERS]
    v[0] = kind
    v[_TOKENS] = tokens
    for place, number in fields:
        v[place] = int(number)
    v += [1, group[0], group[1]] if group else [0]
    module.begin(v)
    _keep(g, v)


def _keep(g, v):
    d = g.data
    d[ROLL] = len(v)
    for i, number in enumerate(v):
        d[V + i] = number
    if g.state.scenario.resolver(RESOLVER).stage(v) is not None:
        g.ask(FIGHT)


def numbers(g):
    """The numbers of the roll in hand."""
    return [g.data[V + i] for i in range(g.data[ROLL])]


def stage(g):
    """What the roll waits for."""
    return g.state.scenario.resolver(RESOLVER).stage(numbers(g))


def outcome(g):
    """(slain, marine slain, tokens spent, artefact used, number, success); the roll is over."""
    found = g.state.scenario.resolver(RESOLVER).outcome(numbers(g))
    for i in range(g.data[ROLL]):
        g.data[V + i] = 0
    g.data[ROLL] = 0
    return found


def _faces(g, value):
    waits = stage(g)
    if waits.dice:
        return list(range(6))
    return [waits.default] + [i for i in range(len(waits.options)) if i != waits.default]


def _rolled(g, value, choice):
    module = g.state.scenario.resolver(RESOLVER)
    v = numbers(g)
    waits = module.stage(v)
    if waits.dice:
        module.enter(v, waits, [int(low <= choice <= high) for low, high, _ in waits.bins])
    else:
        module.choose(v, waits, choice)
    _keep(g, v)


def _roll_text(g, value):
    return g.part("view").roll_text(g)


# --- slaying ---------------------------------------------------------------------------------------------------------


def slain_from(g, scope, kills, optional=False):
    """So many genestealers of a scope are slain, one after the other."""
    g.data[KILLS] = kills
    g.data[SCOPE] = scope
    g.data[SKIP] = optional
    g.push(FIGHT + 2)


def scoped(d, scope, power=True):
    """The swarms of a scope. Args: power: whether power fields keep theirs."""
    if scope < NEAR:
        found = [scope]
    elif scope < ENGAGED:
        found = [swarm for swarm in swarms(d) if -1 <= ((swarm & 31) >> 1) - (scope - NEAR) <= 1]
    elif scope < ANY:
        found = engaged(d, scope - ENGAGED)
    else:
        found = swarms(d)
    return [swarm for swarm in found if members(d, swarm) and not (power and d[FLAGS + members(d, swarm)[0]] & FIELD)]


def victims(d, scope, power=True):
    """A card for each kind that may be slain: a brood lord is the last of its swarm."""
    found = []
    for swarm in scoped(d, scope, power):
        cards = members(d, swarm)
        normal = [card for card in cards if card < CARDS]
        icons = []
        for card in normal or cards:
            if card >= CARDS or card // 9 not in icons:
                icons.append(card // 9)
                found.append(card)
    return found


def _slay(g, value):
    d = g.data
    found = victims(d, d[SCOPE]) if d[KILLS] else []
    if not found:
        d[KILLS] = 0
        return
    g.push(FIGHT + 2)
    if len(found) == 1 and not d[SKIP]:
        _slain(g, 0, found[0])
    else:
        g.ask(FIGHT + 1)


def _victims(g, value):
    return victims(g.data, g.data[SCOPE]) + ([NONE] if g.data[SKIP] else [])


def _slain(g, value, card):
    d = g.data
    if card == NONE:
        d[KILLS] = 0
    else:
        d[KILLS] -= 1
        slay(d, card)


def _slay_text(g, value):
    return g.text(T_SLAY) % g.data[KILLS]


def marine_slain(g, marine):
    """A marine is slain once all that is on the agenda above is done."""
    g.push(FIGHT + 3, marine)


def _lose(g, marine):
    d = g.data
    if row_of(d, marine) == NONE:
        return
    lose(g, marine, d[PHASE] == 3)
    g.part("rules").lose_team(d, marine // 2)
    d[NOTE] = marine
    if rows(d):
        g.ask(FIGHT + 2)


def _close_up(g, value):
    return g.text(T_CLOSE_UP) % g.part("view").name(g, g.data[NOTE])


# --- genestealers ----------------------------------------------------------------------------------------------------


def _genestealers(g, value):
    """The next swarm attacks."""
    d = g.data
    d[PHASE] = 3
    for swarm in swarms(d):
        cards = members(d, swarm)
        if not swarm & ATTACKED and not d[FLAGS + cards[0]] & FIELD:
            break
    else:
        d[ACTIVE] = NONE
        return
    for card in cards:
        d[FLAGS + card] |= ATTACKED
    row = (swarm & 31) >> 1
    marine = d[ROW + row]
    d[WHO] = marine
    d[TARGET] = swarm | ATTACKED
    d[ACTIVE] = marine // 2
    g.push(FIGHT)
    g.push(FIGHT + 4)
    lords = len([card for card in cards if card >= CARDS])
    begin(g, GENESTEALER_ATTACK, d[TOKENS + marine], (len(cards), lords), (
        (_BLOCK, marine == _GIDEON and active(g, BLOCK)),
        (_COUNTER, marine == _LORENZO and active(g, COUNTER)),
        (_STANCE, marine // 2 == YELLOW and active(g, STANCE)),
        (_SECOND_WIND, d[WIND] == marine),
        (_IN_FRONT, front(d, row) == swarm & 31),
        (_ARTEFACT, _has_artefact(g, marine)),
    ))


def _has_artefact(g, marine):
    d = g.data
    if d[ARTEFACT] == NONE:
        return False
    if setting(g, S_ARTEFACT):
        return d[ARTEFACT] == marine // 2
    return d[OWNER + d[ARTEFACT]] == d[OWNER + marine // 2]


def _defended(g, value):
    d = g.data
    marine = d[WHO]
    kills, slain, tokens, artefact, _, _ = outcome(g)
    d[TOKENS + marine] -= tokens
    if artefact:
        d[ARTEFACT] = NONE
    if slain:
        marine_slain(g, marine)
    if kills:
        slain_from(g, d[TARGET], kills)


# --- marines ---------------------------------------------------------------------------------------------------------


def targets(g, row):
    """The swarms that the marine of a row may attack."""
    d = g.data
    reach = g.row(TABLE_MARINES, d[ROW + row])[1]
    side = d[FACING + d[ROW + row]]
    return [swarm for swarm in swarms(d) if swarm & 1 == side and -reach <= ((swarm & 31) >> 1) - row <= reach]


def strike(g, row, swarm, card):
    """The marine of a row attacks. Args: card: whose extras apply, 0 for none."""
    d = g.data
    marine = d[ROW + row]
    cards = members(d, swarm)
    d[WHO] = marine
    d[TARGET] = swarm
    g.push(FIGHT + 5, card)
    lords = len([card for card in cards if card >= CARDS])
    begin(g, MARINE_ATTACK, d[TOKENS + marine], (len(cards), lords),
          ((_FLAMER, card == FLAMER and marine == _ZAEL), (_DEAD_AIM, card == DEAD_AIM)))


def _struck(g, card):
    d = g.data
    kills, _, tokens, _, _, _ = outcome(g)
    d[TOKENS + d[WHO]] -= tokens
    field = d[FLAGS + members(d, d[TARGET])[0]] & FIELD
    if not kills:
        return
    if card == PSIONIC and d[WHO] == _CALISTARIUS:
        d[ATTACKS] += 1
    if field:
        return
    if card == LEAD and not d[NOW] & LED and pool(d):
        g.push(FIGHT + 6)
    slain_from(g, d[TARGET], kills)


def _lead(g, value):
    if pool(g.data):
        g.ask(FIGHT + 3)


def _led(g, value, row):
    d = g.data
    if row != NONE and pool(d):
        d[NOW] |= LED
        d[TOKENS + d[ROW + row]] += 1


def _attack_card(g, card):
    """The marines of a team attack, each once; a card may give more."""
    d = g.data
    if d[ATTACKS] and not _shots(g, card):
        d[ATTACKS] = 0
    if _shots(g, card):
        g.push(FIGHT + 7, card)
        g.ask(FIGHT + 4, card)


def _shots(g, card):
    """Which marine of the team attacks which swarm: row * 256 + swarm, or a heroic charge."""
    d = g.data
    found = []
    for row in marines(d, d[ACTIVE]):
        marine = d[ROW + row]
        if d[ATTACKS] and d[WHO] != marine:
            continue  # the attacks in hand come first
        if not d[ATTACKS] and (d[DONE] >> (marine & 1) & 1 or d[NOW] & ONE_ATTACK):
            continue
        if card == CHARGE and marine == CLAUDIO and scoped(d, NEAR + row, False):
            found.append(row * 256 + _CHARGES)
        found += [row * 256 + swarm for swarm in targets(g, row)]
    return found


def _shot_choices(g, card):
    return _shots(g, card) + [NONE]


def _shot(g, card, choice):
    """An attack of a card, or no more."""
    d = g.data
    if choice == NONE:
        if d[ATTACKS]:
            d[ATTACKS] = 0
        else:
            d[DONE] = 3
        return
    row, swarm = choice >> 8, choice & 255
    marine = d[ROW + row]
    if d[ATTACKS]:
        d[ATTACKS] -= 1
    else:
        d[DONE] |= 1 << (marine & 1)
        if d[NOW] & EVASION and not (swarm == _CHARGES and setting(g, S_CHARGE)):
            d[NOW] |= ONE_ATTACK
        d[ATTACKS] = 2 if card == FULL_AUTO and marine == LEON else 0
    if swarm == _CHARGES:
        d[WHO] = marine
        g.push(FIGHT + 8)
        slain_from(g, NEAR + row, 3, True)
    else:
        strike(g, row, swarm, card)


def _charge_roll(g, value):
    g.push(FIGHT + 9)
    begin(g, TANK)


def _charged(g, value):
    """A roll of 0 slays the marine who has risked it."""
    if outcome(g)[1]:
        marine_slain(g, g.data[WHO])


def _paid(g, team):
    """Overwatch, Run and Gun: each marine of a team may pay a token for an attack."""
    d = g.data
    if len(_paid_shots(g, team)) > 1:
        d[ACTIVE] = team
        g.push(FIGHT + 10, team)
        g.ask(FIGHT + 5, team)


def _paid_shots(g, team):
    d = g.data
    found = []
    for row in marines(d, team):
        marine = d[ROW + row]
        if d[TOKENS + marine] and not d[DONE] >> (marine & 1) & 1:
            found += [row * 256 + swarm for swarm in targets(g, row)]
    return found + [NONE]


def _pay(g, team, choice):
    d = g.data
    if choice == NONE:
        d[DONE] = 3
        return
    marine = d[ROW + (choice >> 8)]
    d[TOKENS + marine] -= 1
    d[DONE] |= 1 << (marine & 1)
    strike(g, choice >> 8, choice & 255, 0)


def _overwatch(g, value):
    d = g.data
    d[DONE] = 0
    if active(g, OVERWATCH):
        g.push(FIGHT + 10, RED)


def _free(g, row):
    """Quick Instincts: one attack of a marine, now."""
    if targets(g, row):
        g.ask(FIGHT + 6, row)


def _free_shots(g, row):
    return [row * 256 + swarm for swarm in targets(g, row)] + [NONE]


def _free_shot(g, row, choice):
    d = g.data
    if choice != NONE:
        team = d[ROW + row] // 2
        card = d[CHOSEN + team]
        strike(g, row, choice & 255, card if card == LEAD and active(g, card) and not setting(g, S_INSTINCTS) else 0)


STEPS = (_genestealers, _overwatch, _slay, _lose, _defended, _struck, _lead, _attack_card, _charge_roll, _charged,
         _paid, _free)
KINDS = (
    (_roll_text, _faces, DIE, _rolled, 0),
    (_slay_text, _victims, KILL, _slain, T_ENOUGH),
    (_close_up, lambda g, value: (T_GO_ON,), WORD, lambda g, value, choice: None, 0),
    (T_LEAD, lambda g, value: marines(g.data) + [NONE], MARINE, _led, T_NOBODY),
    (T_ATTACK_WHOM, _shot_choices, SHOT, _shot, T_ENOUGH),
    (T_PAY_ATTACK, _paid_shots, SHOT, _pay, T_ENOUGH),
    (T_ATTACK_WHOM, _free_shots, SHOT, _free_shot, T_ENOUGH),
)
