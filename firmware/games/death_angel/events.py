"""Events: drawing, deciding, effects, spawning and moving. Source: rules/death_angel.md 4.4 and 6.3."""

from games.death_angel.board import (
    ACTIVE,
    CAPPED,
    CARDS,
    CHOSEN,
    CHOSEN_PLACE,
    COUNT,
    CURRENT,
    DECK,
    DISCARD,
    DOOR,
    EVASION,
    EVENT,
    FACING,
    FLAGS,
    FORMATION,
    JAM_NEXT,
    LEFT,
    MAJOR,
    MARINES,
    MINOR,
    NEXT,
    NONE,
    OWNER,
    PHASE,
    PHYSICAL,
    RIGHT,
    ROW,
    S_BROTHERS,
    S_FLAMES,
    S_LORD,
    TABLE_EVENTS,
    TEAM,
    TEAMS,
    TERRAIN,
    TERRAIN_TOKENS,
    TERRAIN_USED,
    TOKENS,
    WHERE,
    WIND_NEXT,
    behind,
    card_of_setup,
    count,
    engaged,
    front,
    marines,
    members,
    move_swarms,
    pool,
    put,
    relocate,
    row_of,
    rows,
    setting,
    slay,
    swarms,
    take,
    top,
    unseen_icons,
)
from games.death_angel.fight import (
    ENGAGED,
    FIGHT,
    FLAMES,
    PSYCHIC,
    begin,
    marine_slain,
    outcome,
    slain_from,
    targets,
    victims,
)
from games.death_angel.texts import (
    T_DISCARD_ENGAGED,
    T_GO_ON,
    T_HOW_MANY,
    T_ICON,
    T_SHORT,
    T_SMALLER,
    T_WHICH_EVENT,
)
from games.death_angel.view import EVENT_CARD, ICON, KILL, MARINE, NUMBER, PILE, SECRET, SEEN, SLAIN, SWARM, WORD
from games.death_angel.view import TEAM as TEAM_LABEL
from tableside.core import deck as decks

EVENTS = 128
(
    CHAOS, CLEANSING, ENTER_FORMATION, EVADE, FLANKING, BROTHERS, SCAN, GUN_JAM, OUTNUMBERED, THIN_AIR, THIN_AIR_2,
    PSYCHIC_ASSAULT, INSTINCTS, RESCUE, RESUPPLY, FAITH, SECOND_WIND, SECRET_ROUTE, STALKING, SURROUNDED, SANCTUARY,
    SWARM_TAIL, SWARM_TONGUE, EVERYWHERE,
) = range(24)
_DECK = 0  # of the pack's decks
_DRAWN, _DISCARDED = 1, 0  # its zones
_OFF_TABLE, _ADJACENT = 0, 1


def _event(g, value):
    """The current player draws."""
    d = g.data
    d[PHASE] = 4
    d[ACTIVE] = d[CURRENT]
    g.push(EVENTS + 1)
    draw(g)


def draw(g):
    """An event is drawn; who has the cards says which."""
    if g.data[PHYSICAL]:
        g.ask(EVENTS)
        return
    state = g.state
    pile = state.zones(_DECK) - 1
    if not state.zone_count(_DECK, pile):
        reshuffle(g)
    _take(g, state.card(_DECK, pile, 0))


def reshuffle(g):
    """The event deck is empty."""
    decks.shuffle_all(g.state, _DECK)


def _take(g, kind):
    """The card lies open, or in the hand of the current player."""
    state = g.state
    pile = state.zones(_DECK) - 1
    for _ in range(2):
        for position in range(state.zone_count(_DECK, pile)):
            if state.card(_DECK, pile, position) == kind:
                decks.move(state, _DECK, pile, position, _DRAWN, decks.END)
                g.data[EVENT] = kind
                state.revealed = True
                return
        reshuffle(g)


def _names(g, value):
    """The events that may be drawn: those in the deck, or all if it is empty."""
    state = g.state
    pile = state.zones(_DECK) - 1
    cards = [state.card(_DECK, pile, i) for i in range(state.zone_count(_DECK, pile))]
    if not cards:
        cards = [state.card(_DECK, _DISCARDED, i) for i in range(state.zone_count(_DECK, _DISCARDED))]
    return sorted(set(cards))


def _named(g, value, kind):
    _take(g, kind)


# --- instinct --------------------------------------------------------------------------------------------------------


def _decide(g, value):
    """Who has drawn it decides before the others see it; then it is shown."""
    d = g.data
    d[CHOSEN_PLACE] = NONE
    d[COUNT] = 0
    g.push(EVENTS + 2)
    g.ask(EVENTS + 3)
    choices = _options(g, 0)
    if choices:
        g.ask(EVENTS + 1 if _is_piles(d) else EVENTS + 2 if d[EVENT] == SANCTUARY else EVENTS + 4
              if d[EVENT] == GUN_JAM else EVENTS + 5 if d[EVENT] == RESCUE else EVENTS + 6)


def _is_piles(d):
    return d[EVENT] == SCAN


def _options(g, value):
    """What may be chosen for the event that was drawn; nothing if there is nothing to choose."""
    d = g.data
    kind = d[EVENT]
    all_rows = marines(d)
    armed = [row for row in all_rows if d[TOKENS + d[ROW + row]]]
    if kind == SCAN:
        return [pile for pile in (LEFT, RIGHT) if count(d, pile)]
    if kind == SANCTUARY:
        return swarms(d)
    if kind == GUN_JAM:
        return [team for team in range(TEAMS) if marines(d, team) and d[CHOSEN + team] <= 12]
    if kind == RESCUE:
        return [marine for marine in range(MARINES) if d[OWNER + marine // 2] != NONE and row_of(d, marine) == NONE
                and marines(d, marine // 2)]
    if kind == CLEANSING:
        return all_rows if setting(g, S_FLAMES) else [row for row in all_rows if engaged(d, row)]
    if kind == BROTHERS:
        return armed or ([] if setting(g, S_BROTHERS) else [row for row in all_rows if engaged(d, row)])
    if kind in (THIN_AIR, THIN_AIR_2):
        most = max(min(2, count(d, LEFT + (behind(d, row) & 1))) for row in all_rows)
        return [row for row in all_rows if min(2, count(d, LEFT + (behind(d, row) & 1))) == most]
    if kind == INSTINCTS:
        return [row for row in all_rows if targets(g, row)] or all_rows
    if kind == STALKING:
        return armed
    if kind in (PSYCHIC_ASSAULT, RESUPPLY, FAITH, SECOND_WIND, SURROUNDED):
        return all_rows
    return []


def _instinct_text(g, value):
    view = g.part("view")
    return view.event(g, g.data[EVENT])


def _decided(g, value, choice):
    g.data[CHOSEN_PLACE] = choice


# --- effects ---------------------------------------------------------------------------------------------------------


def _effect(g, value):
    """The text of the event, then its boxes and its movement."""
    d = g.data
    g.push(EVENTS + 5)
    g.push(EVENTS + 3)
    decks.move(g.state, _DECK, _DRAWN, 0, _DISCARDED, decks.END)
    chosen = d[CHOSEN_PLACE]
    if chosen in _options(g, 0):  # else there was nothing to choose, or it was taken away by hand
        _chosen_effect(g, d[EVENT], chosen)
    else:
        _plain_effect(g, d[EVENT])


def _plain_effect(g, kind):
    d = g.data
    if kind == CHAOS:
        for marine in range(MARINES):
            if row_of(d, marine) != NONE:
                d[FACING + marine] ^= 1
    elif kind == ENTER_FORMATION:
        d[NEXT] |= FORMATION
    elif kind == EVADE:
        d[NEXT] |= EVASION
    elif kind == FLANKING:
        relocate(d, [(members(d, swarm), behind(d, (swarm & 31) >> 1)) for swarm in swarms(d)])
    elif kind == OUTNUMBERED:
        for row in marines(d):
            if engaged(d, row):
                d[TOKENS + d[ROW + row]] = 0
    elif kind == SECRET_ROUTE and d[TERRAIN + DOOR] != NONE:
        d[TERRAIN_TOKENS + DOOR] += min(2, pool(d))
    elif kind in (SWARM_TAIL, SWARM_TONGUE):
        for pile in (LEFT, RIGHT, LEFT, RIGHT):
            card = top(g, DECK)
            if card != NONE:
                d[WHERE + card] = pile
    elif kind == EVERYWHERE:
        g.push(EVENTS + 11, 0)


def _everywhere(g, row):
    """One in front of each who is not engaged, from the top: a pile that is too small leaves out those below."""
    d = g.data
    if row < rows(d):
        g.push(EVENTS + 11, row + 1)
        if not engaged(d, row):
            spawn(g, front(d, row), 1)


def _chosen_effect(g, kind, chosen):
    d = g.data
    marine = d[ROW + chosen] if chosen < 12 else NONE
    if kind == SCAN:
        d[WHERE + top(g, chosen)] = DISCARD
    elif kind == SANCTUARY:
        _sanctuary(g, chosen)
    elif kind == GUN_JAM:
        d[TEAM + chosen] |= JAM_NEXT
    elif kind == RESCUE:
        d[ROW + rows(d)] = chosen
        d[FACING + chosen] = 1
    elif kind == CLEANSING and engaged(d, chosen):
        g.push(EVENTS + 6, chosen)
        begin(g, FLAMES)
    elif kind == BROTHERS:
        if d[TOKENS + marine]:
            d[TOKENS + marine] -= 1
        if victims(d, ENGAGED + chosen, False):
            g.ask(EVENTS + 7, chosen)
    elif kind in (THIN_AIR, THIN_AIR_2):
        spawn(g, behind(d, chosen), 2)
    elif kind == PSYCHIC_ASSAULT:
        g.push(EVENTS + 7, marine)
        begin(g, PSYCHIC)
    elif kind == INSTINCTS:
        g.push(FIGHT + 11, chosen)
    elif kind == RESUPPLY:
        d[TOKENS + marine] = sum(d[TOKENS : TOKENS + MARINES])
        for other in range(MARINES):
            if other != marine:
                d[TOKENS + other] = 0
    elif kind == FAITH and d[TOKENS + marine]:
        g.ask(EVENTS + 8, chosen)
    elif kind == SECOND_WIND:
        d[WIND_NEXT] = marine
    elif kind == STALKING:
        d[TOKENS + marine] = 0
    elif kind == SURROUNDED:
        relocate(d, [(members(d, swarm), chosen * 2 + (swarm & 1)) for swarm in swarms(d)])


def _sanctuary(g, swarm):
    """A swarm goes into the smaller pile; brood lords stay."""
    d = g.data
    left, right = count(d, LEFT), count(d, RIGHT)
    if left == right:
        g.ask(EVENTS + 9, swarm)
    else:
        _sent(g, swarm, LEFT if left < right else RIGHT)


def _sent(g, swarm, pile):
    d = g.data
    for card in members(d, swarm):
        if card < CARDS:
            d[WHERE + card] = pile
            d[FLAGS + card] = 0


def _flames(g, row):
    if outcome(g)[5]:
        slain_from(g, ENGAGED + row, 2)


def _assault(g, marine):
    if outcome(g)[1]:
        marine_slain(g, marine)


def _engaged_cards(g, row):
    found = victims(g.data, ENGAGED + row, False)
    if setting(g, S_LORD):
        found = [card for card in found if card < CARDS] or [NONE]
    return found


def _discarded(g, row, card):
    if card != NONE:
        slay(g.data, card)


def _amounts(g, row):
    most = g.data[TOKENS + g.data[ROW + row]]
    return list(range(most, -1, -1))


def _faith(g, row, amount):
    g.data[TOKENS + g.data[ROW + row]] -= amount
    if amount:
        slain_from(g, ENGAGED + row, amount)


# --- spawning and moving ---------------------------------------------------------------------------------------------


def spawn(g, place, number):
    """Genestealers come from the pile of a side."""
    g.push(EVENTS + 9, place | number << 5)


def _boxes(g, value):
    """Both boxes of the event, one after the other."""
    d = g.data
    if rows(d):
        g.push(EVENTS + 4, 1)
        g.push(EVENTS + 4, 0)


def _box(g, box):
    """Every terrain of the colour: as many as the setup card says, or as the pile has."""
    d = g.data
    event = g.row(TABLE_EVENTS, d[EVENT])
    number = card_of_setup(g)[MAJOR if event[1 + 2 * box] else MINOR]
    colour = event[2 + 2 * box]
    wanted = [(terrain, _allowed(d, terrain, number)) for terrain in (2 * colour, 2 * colour + 1)
              if d[TERRAIN + terrain] != NONE]
    for side in (0, 1):
        here = [(terrain, most) for terrain, most in wanted if d[TERRAIN + terrain] & 1 == side and most]
        have = count(d, LEFT + side)
        if len(here) == 2 and 0 < have < here[0][1] + here[1][1]:
            g.ask(EVENTS + 10, here[0][0] | here[0][1] << 3 | here[1][1] << 7)
        else:
            for terrain, most in here:
                _spawn_at(g, terrain, most)


def _allowed(d, terrain, number):
    """A terrain with a cap gets one in the whole phase."""
    if d[TERRAIN_USED + terrain] & CAPPED:
        return max(0, min(number, 1 - (d[TERRAIN_USED + terrain] >> 4)))
    return number


def _spawn_at(g, terrain, number):
    d = g.data
    if number and d[TERRAIN_USED + terrain] & CAPPED:
        d[TERRAIN_USED + terrain] += 16
    spawn(g, d[TERRAIN + terrain], number)


def _shares(g, value):
    """How many of too few genestealers the first terrain of two gets."""
    first, second = value >> 3 & 15, value >> 7 & 15
    have = count(g.data, LEFT + (g.data[TERRAIN + (value & 7)] & 1))
    return list(range(min(first, have), max(0, have - second) - 1, -1))


def _share_text(g, value):
    return g.text(T_SHORT) % g.part("view").terrain(g, value & 7)


def _shared(g, value, number):
    terrain = value & 7
    have = count(g.data, LEFT + (g.data[TERRAIN + terrain] & 1))
    _spawn_at(g, terrain, number)
    _spawn_at(g, terrain ^ 1, have - number)


def _spawn(g, value):
    """One after the other: who has the cards says their icons."""
    d = g.data
    place, number = value & 31, value >> 5
    while number and count(d, LEFT + (place & 1)):
        if d[PHYSICAL]:
            g.push(EVENTS + 9, place | (number - 1) << 5)
            g.ask(EVENTS + 11, value)
            return
        put(d, top(g, LEFT + (place & 1)), place)
        number -= 1


def _icon_text(g, value):
    return g.text(T_ICON) % g.part("view").place(g, value & 31)


def _icons(g, value):
    return unseen_icons(g.data)


def _icon(g, value, icon):
    place = value & 31
    put(g.data, take(g, LEFT + (place & 1), icon), place)


def _moves(g, value):
    """The last icon: swarms move."""
    d = g.data
    event = g.row(TABLE_EVENTS, d[EVENT])
    if rows(d) and event[5] != _OFF_TABLE:
        move_swarms(g, event[6], event[5] != _ADJACENT)
    if rows(d):
        g.ask(EVENTS + 12)


def _moved_text(g, value):
    return g.part("view").moved(g)


def _setup_event(g, value):
    """At the start only the boxes of an event count."""
    g.push(EVENTS + 10)
    draw(g)


def _setup_boxes(g, value):
    decks.move(g.state, _DECK, _DRAWN, 0, _DISCARDED, decks.END)
    g.push(EVENTS + 3)


STEPS = (_event, _decide, _effect, _boxes, _box, _moves, _flames, _assault, _setup_event, _spawn, _setup_boxes,
         _everywhere)
KINDS = (
    (T_WHICH_EVENT, _names, EVENT_CARD | SECRET, _named, 0),
    (_instinct_text, _options, PILE | SECRET, _decided, 0),
    (_instinct_text, _options, SWARM | SECRET, _decided, 0),
    (_instinct_text, lambda g, value: (T_GO_ON,), WORD, lambda g, value, choice: None, 0),
    (_instinct_text, _options, TEAM_LABEL | SECRET, _decided, 0),
    (_instinct_text, _options, SLAIN | SECRET, _decided, 0),
    (_instinct_text, _options, MARINE | SECRET, _decided, 0),
    (T_DISCARD_ENGAGED, _engaged_cards, KILL, _discarded, 0),
    (T_HOW_MANY, _amounts, NUMBER, _faith, 0),
    (T_SMALLER, lambda g, value: (LEFT, RIGHT), PILE, _sent, 0),
    (_share_text, _shares, NUMBER, _shared, 0),
    (_icon_text, _icons, ICON, _icon, 0),
    (_moved_text, lambda g, value: (0,), SEEN, lambda g, value, choice: None, 0),
)
