"""The action cards. Source: rules/death_angel.md 4.1 to 4.3 and 6.1."""

from games.death_angel.board import (
    ACTIVE,
    APART,
    ARTEFACT,
    ATTACKS,
    CARDS,
    CHOSEN_PLACE,
    COUNT,
    DISCARD,
    DONE,
    FACING,
    FIELD,
    FLAGS,
    FORMATION,
    HERE,
    LEFT,
    NONE,
    NOW,
    ONE_ATTACK,
    PANELS,
    PHYSICAL,
    RIGHT,
    ROW,
    S_LOST_CARD,
    S_STEALTH,
    S_TANK,
    TERRAIN,
    TERRAIN_TOKENS,
    TERRAIN_USED,
    TOKENS,
    USED,
    WHERE,
    WHO,
    count,
    engaged,
    front,
    marines,
    members,
    pool,
    rows,
    setting,
    slay,
    swarms,
    terrain_at,
    top,
)
from games.death_angel.fight import CHIMNEY, FIGHT, INTIMIDATE, TANK, begin, outcome
from games.death_angel.texts import (
    T_ACTIVATE,
    T_AS_THEY_ARE,
    T_BOTTOM,
    T_DISCARD_TOP,
    T_DOOR_ONE,
    T_DOOR_TWO,
    T_FACING,
    T_FIRST_TOKEN,
    T_INTIMIDATE,
    T_LOOK,
    T_LOOK_YOURSELF,
    T_MOVE,
    T_NO,
    T_NOBODY,
    T_POWER_FIELD,
    T_READY,
    T_SMALLER,
    T_STAY,
    T_STRATEGIZE,
    T_TO_PILE,
    T_TOKEN,
    T_TOP,
    T_TOP_EVENT,
    T_WHERE_TO,
    T_WHO_PAYS,
    T_YES,
)
from games.death_angel.view import KILL, MARINE, MOVE, PILE, PLACE, SECRET, SWARM, TURN, USE, WORD

ACTIONS, PLACES = 64, 160
CHIMNEY_CARD, TANK_CARD, DOOR, PANEL, ARTEFACT_CARD = 1, 3, 4, 5, 7
_STRATEGIZE, _POWER_FIELD, _ONWARD, _STEALTH, _REORGANIZE, _SCOUTING, _INTIMIDATION, _RUN = 5, 6, 7, 8, 9, 10, 11, 12
_BOTH = 64
_EVENT_DECK = 0


def _card(g, card):
    """A card of the team that acts."""
    d = g.data
    d[DONE] = d[ATTACKS] = 0
    d[WHO] = NONE
    d[NOW] &= ~ONE_ATTACK
    if card > 12:
        g.push(FIGHT + 7, card)
        return
    g.push(ACTIONS + 1, card)
    if card < 7:
        if pool(d):
            g.ask(ACTIONS)
        return
    g.push(ACTIONS + 3, card)
    g.push(ACTIONS + 2, card)
    if d[NOW] & FORMATION and pool(d):
        g.ask(ACTIONS + 1)


def _all(g, value):
    return marines(g.data)


def _token(g, value, row):
    if row != NONE and pool(g.data):
        g.data[TOKENS + g.data[ROW + row]] += 1


# --- moving ----------------------------------------------------------------------------------------------------------


def _move(g, card):
    """Each marine of the team may change places once."""
    if len(_moves(g, card)) > 1:
        g.push(ACTIONS + 2, card)
        g.ask(ACTIONS + 2, card)


def _moves(g, card):
    """NONE, then row * 16 + row."""
    d = g.data
    found = [NONE]
    for row in marines(d, d[ACTIVE]):
        if not d[DONE] >> (d[ROW + row] & 1) & 1:
            others = range(rows(d)) if card == _REORGANIZE else (row - 1, row + 1)
            found += [row * 16 + other for other in others if other != row and 0 <= other < rows(d)]
    return found


def _moved(g, card, choice):
    d = g.data
    if choice == NONE:
        d[DONE] = 3
        return
    row, other = choice >> 4, choice & 15
    d[DONE] |= 1 << (d[ROW + row] & 1)
    d[ROW + row], d[ROW + other] = d[ROW + other], d[ROW + row]


def _turn(g, card):
    """Then facings, then terrain."""
    g.data[DONE] = 0
    g.push(ACTIONS + 4, card)
    if marines(g.data, g.data[ACTIVE]):
        g.ask(ACTIONS + 3)


def _turns(g, value):
    found = marines(g.data, g.data[ACTIVE])
    return [NONE] + found + ([_BOTH] if len(found) > 1 else [])


def _turned(g, value, choice):
    d = g.data
    for row in marines(d, d[ACTIVE]):
        if choice in (row, _BOTH):
            d[FACING + d[ROW + row]] ^= 1


# --- terrain ---------------------------------------------------------------------------------------------------------


def _activate(g, card):
    if len(_uses(g, card)) > 1:
        g.push(ACTIONS + 4, card)
        g.ask(ACTIONS + 4, card)


def _uses(g, card):
    """Which marine may activate what he faces: row * 8 + terrain; then NONE."""
    d = g.data
    found = []
    for row in marines(d, d[ACTIVE]):
        if not d[DONE] >> (d[ROW + row] & 1) & 1:
            found += [row * 8 + terrain for terrain in terrain_at(d, front(d, row))
                      if not d[TERRAIN_USED + terrain] & USED and _usable(d, terrain)]
    return found + [NONE]


def _usable(d, terrain):
    if terrain == DOOR:
        return pool(d)
    if terrain == PANEL:
        return d[HERE] in PANELS
    return terrain in (CHIMNEY_CARD, TANK_CARD, ARTEFACT_CARD)


def _use(g, card, choice):
    """Activate a terrain, or no more."""
    d = g.data
    if choice == NONE:
        d[DONE] = 3
        return
    row, terrain = choice >> 3, choice & 7
    marine = d[ROW + row]
    d[DONE] |= 1 << (marine & 1)
    d[TERRAIN_USED + terrain] |= USED
    d[WHO] = marine
    if terrain == DOOR:
        d[TERRAIN_TOKENS + DOOR] += 1
        if card == _ONWARD and pool(d):
            g.ask(ACTIONS + 5)
    elif terrain == CHIMNEY_CARD:
        g.push(ACTIONS + 5)
        begin(g, CHIMNEY)
    elif terrain == TANK_CARD:
        _explode(g, row)
    elif terrain == PANEL:
        g.push(PLACES + 8, marine)
    else:
        d[ARTEFACT] = marine // 2
        remove(d, ARTEFACT_CARD)


def remove(d, terrain):
    """A terrain leaves the formation; its tokens go to the pool."""
    d[TERRAIN + terrain] = NONE
    d[TERRAIN_TOKENS + terrain] = 0
    d[TERRAIN_USED + terrain] = 0


def _explode(g, row):
    """The tank takes all genestealers with it, and perhaps the marine."""
    d = g.data
    place = d[TERRAIN + TANK_CARD]
    remove(d, TANK_CARD)
    for swarm in engaged(d, row):
        if swarm & 31 == place or not setting(g, S_TANK):
            for card in members(d, swarm):
                if not d[FLAGS + card] & FIELD:
                    slay(d, card)
    g.push(FIGHT + 9)
    begin(g, TANK)


def _chimney(g, value):
    if outcome(g)[5]:
        remove(g.data, CHIMNEY_CARD)


def _more_door(g, value, choice):
    if choice == T_DOOR_TWO:
        g.data[TERRAIN_TOKENS + DOOR] += 1


# --- what cards do afterwards ----------------------------------------------------------------------------------------


def _ability(g, card):
    d = g.data
    if not marines(d, d[ACTIVE]) and not setting(g, S_LOST_CARD):
        return
    d[DONE] = 0
    if card in (_STRATEGIZE, _POWER_FIELD):
        if swarms(d):
            g.ask(ACTIONS + 6 + card - _STRATEGIZE)
    elif card == _STEALTH:
        if count(d, LEFT) + count(d, RIGHT):
            g.ask(ACTIONS + 8)
    elif card == _SCOUTING:
        g.ask(ACTIONS + 9)
    elif card == _INTIMIDATION and _threatened(g, 0):
        g.ask(ACTIONS + 11)
    elif card == _RUN:
        g.push(FIGHT + 10, d[ACTIVE])


def _some_swarm(g, value):
    return swarms(g.data) + [NONE]


def _strategize(g, value, swarm):
    if swarm != NONE:
        g.ask(ACTIONS + 7 + 5, swarm)


def _goals(g, swarm):
    """Where a swarm may go: the next rows, the other side, or both."""
    row, side = (swarm & 31) >> 1, swarm & 1
    found = [row * 2 + 1 - side]
    for other in (row - 1, row + 1):
        if 0 <= other < rows(g.data):
            found += [other * 2 + side, other * 2 + 1 - side]
    return found


def _strategized(g, swarm, place):
    d = g.data
    there = count(d, place)
    for card in members(d, swarm):
        d[WHERE + card] = place
        if there:
            d[FLAGS + card] |= APART  # it joins those after the card


def _power_field(g, value, swarm):
    if swarm != NONE:
        for card in members(g.data, swarm):
            g.data[FLAGS + card] |= FIELD


def _full_piles(g, value):
    return [pile for pile in (LEFT, RIGHT) if count(g.data, pile)] + [NONE]


def _stealth(g, value, pile):
    d = g.data
    if pile == NONE:
        return
    d[WHERE + top(g, pile)] = DISCARD
    other = LEFT + RIGHT - pile
    if count(d, other) and _payers(g, other) != [NONE]:
        g.ask(ACTIONS + 10, other)


def _payers(g, pile):
    """Any marine of the team that has a token, or by the other way the one that stands highest."""
    d = g.data
    found = [row for row in marines(d, d[ACTIVE]) if d[TOKENS + d[ROW + row]]]
    return [NONE] + (found[:1] if setting(g, S_STEALTH) else found)


def _stealth_paid(g, pile, row):
    d = g.data
    if row != NONE:
        d[TOKENS + d[ROW + row]] -= 1
        d[WHERE + top(g, pile)] = DISCARD


def _look(g, value, choice):
    """Forward Scouting: the top event is for the eyes of one player."""
    if choice == T_NO:
        return
    state = g.state
    pile = state.zones(_EVENT_DECK) - 1
    if not state.zone_count(_EVENT_DECK, pile):
        g.part("events").reshuffle(g)
    if g.data[PHYSICAL]:
        g.ask(ACTIONS + 14)
    else:
        g.ask(ACTIONS + 13, state.card(_EVENT_DECK, pile, 0))


def _event_text(g, kind):
    return g.text(T_TOP_EVENT) % g.part("view").event(g, kind)


def _put_back(g, kind, choice):
    state = g.state
    pile = state.zones(_EVENT_DECK) - 1
    if choice == T_BOTTOM:
        state.move_card(_EVENT_DECK, pile, 0, pile, state.zone_count(_EVENT_DECK, pile) - 1)


def _intimidate(g, value, choice):
    if choice == T_YES:
        g.push(ACTIONS + 6)
        begin(g, INTIMIDATE)


def _intimidated(g, value):
    """So many genestealers go back to the smaller pile, the players say which."""
    g.data[COUNT] = outcome(g)[4]
    _smaller(g, ACTIONS + 7)


def _smaller(g, step):
    """Name the smaller pile, then go on with a step."""
    d = g.data
    g.push(step)
    left, right = count(d, LEFT), count(d, RIGHT)
    d[CHOSEN_PLACE] = LEFT if left < right else RIGHT
    if left == right and d[COUNT]:
        g.ask(ACTIONS + 15)


def _piles(g, value):
    return (LEFT, RIGHT)


def _named(g, value, pile):
    g.data[CHOSEN_PLACE] = pile


def _threatened(g, value):
    """A genestealer for each kind that is engaged with a marine of the team; no brood lords."""
    d = g.data
    found = []
    for row in marines(d, d[ACTIVE]):
        for swarm in engaged(d, row):
            icons = []
            for card in members(d, swarm):
                if card < CARDS and card // 9 not in icons:
                    icons.append(card // 9)
                    found.append(card)
    return found


def _send_back(g, value):
    d = g.data
    found = _threatened(g, 0)
    if d[COUNT] and found:
        g.push(ACTIONS + 7)
        if len(found) == 1:
            _sent(g, 0, found[0])
        else:
            g.ask(ACTIONS + 16)


def _sent(g, value, card):
    d = g.data
    d[COUNT] -= 1
    d[WHERE + card] = d[CHOSEN_PLACE]
    d[FLAGS + card] = 0


def _count_text(g, value):
    return g.text(T_TO_PILE) % g.data[COUNT]


def _nothing(g, value, choice):
    """Only read."""


STEPS = (_card, _ability, _move, _turn, _activate, _chimney, _intimidated, _send_back)
_YES_NO = lambda g, value: (T_YES, T_NO)  # noqa: E731
KINDS = (
    (T_TOKEN, _all, MARINE, _token, 0),
    (T_FIRST_TOKEN, lambda g, value: marines(g.data) + [NONE], MARINE, _token, T_NOBODY),
    (T_MOVE, _moves, MOVE, _moved, T_STAY),
    (T_FACING, _turns, TURN, _turned, T_AS_THEY_ARE),
    (T_ACTIVATE, _uses, USE, _use, T_NO),
    (T_DOOR_TWO, lambda g, value: (T_DOOR_TWO, T_DOOR_ONE), WORD, _more_door, 0),
    (T_STRATEGIZE, _some_swarm, SWARM, _strategize, T_NOBODY),
    (T_POWER_FIELD, _some_swarm, SWARM, _power_field, T_NOBODY),
    (T_DISCARD_TOP, _full_piles, PILE, _stealth, T_NO),
    (T_LOOK, _YES_NO, WORD, _look, 0),
    (T_WHO_PAYS, _payers, MARINE, _stealth_paid, T_NOBODY),
    (T_INTIMIDATE, _YES_NO, WORD, _intimidate, 0),
    (T_WHERE_TO, _goals, PLACE, _strategized, 0),
    (_event_text, lambda g, value: (T_TOP, T_BOTTOM), WORD | SECRET, _put_back, 0),
    (T_LOOK_YOURSELF, lambda g, value: (T_READY,), WORD, _nothing, 0),
    (T_SMALLER, _piles, PILE, _named, 0),
    (_count_text, _threatened, KILL, _sent, 0),
)
