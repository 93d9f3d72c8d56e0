"""Locations: travelling, entering, control panels. Source: rules/death_angel.md 4.5, 5.3 and 6.5."""

from games.death_angel.board import (
    ACTIVE,
    ARTEFACT_CARD,
    CAPPED,
    CARDS,
    CHOSEN_PLACE,
    CORRIDOR,
    COUNT,
    CURRENT,
    DECK,
    DISCARD,
    DOOR,
    FACING,
    HERE,
    HERE_TOKENS,
    LEFT,
    LORDS,
    MARINES,
    NONE,
    NOW,
    PANEL,
    PATH,
    PATH_LEFT,
    PHYSICAL,
    RIGHT,
    ROW,
    S_APOTHECARION,
    S_TOXIN,
    S_TRAVEL,
    TABLE_LOCATIONS,
    TERRAIN,
    TERRAIN_TOKENS,
    TERRAIN_USED,
    TERRAINS,
    TOKENS,
    TRAVEL,
    WHERE,
    WHO,
    behind,
    card_of_setup,
    count,
    discard_pile,
    fill,
    front,
    marines,
    members,
    pool,
    put,
    relocate,
    row_of,
    rows,
    setting,
    swarms,
    terrain_at,
    top,
)
from games.death_angel.fight import (
    ANY,
    GENERATORIUM,
    LAUNCH,
    TELEPORT,
    TOXIN,
    begin,
    marine_slain,
    outcome,
    slain_from,
)
from games.death_angel.texts import (
    T_ARTEFACT_WHERE,
    T_CAP_WHICH,
    T_CRYO,
    T_EMPTY_SPOT,
    T_FLIP,
    T_GO_ON,
    T_LAUNCH,
    T_LAUNCH_ROLL,
    T_LAUNCH_TOKEN,
    T_LOCATION,
    T_NO,
    T_ODD,
    T_TOKEN,
    T_TOXIN,
    T_TRAVEL,
    T_TRAVEL_CARDS,
    T_WHICH_LORD,
    T_WHICH_SWARM,
    T_YES,
)
from games.death_angel.view import LOCATION, LORD, MARINE, PILE, PLACE, SWARM, TERRAIN_CARD, WORD

END_PHASE, EVENTS, PLACES = 4, 128, 160
WON = 0
(
    MAIN_CORRIDOR, MAINTENANCE, SHAFT, CRYO, ACCESSWAY, WRECKAGE, APOTHECARION, COGITATOR, MUNITORIUM, BLACK_HOLDS,
    CATACOMBS, TELEPORTARIUM, GENERATOR, HIBERNATION, CHAPEL, LAIR, LAUNCH_ROOM, TOXIN_STATION,
) = range(18)
_LEFT_RED, _RIGHT_RED = 0, 1  # the red terrain of the lair: duct, chimney


def _travel(g, phase):
    """A door first, then the next location; all of it is one effect."""
    d = g.data
    d[ACTIVE] = d[CURRENT]
    d[NOW] |= TRAVEL
    g.push(PLACES + 9, phase)
    g.push(PLACES + 1)
    if d[TERRAIN_TOKENS + DOOR]:
        slain_from(g, ANY, d[TERRAIN_TOKENS + DOOR], True)


def _arrived(g, phase):
    g.data[NOW] &= ~TRAVEL
    g.data[ACTIVE] = NONE
    if setting(g, S_TRAVEL):
        g.push(END_PHASE, phase)


def _next(g, value):
    """The top location card; who has the cards says which it is."""
    d = g.data
    d[TERRAIN_TOKENS + DOOR] = 0
    path = bytes(d[PATH : PATH + 4])
    setup = card_of_setup(g)
    tiers = [tier for tier in setup[6:10] if tier != NONE]
    number = len(tiers) - d[PATH_LEFT]
    d[PATH_LEFT] -= 1
    g.push(PLACES + 2)
    d[HERE] = path[number]
    g.ask(PLACES + 1)
    if d[PHYSICAL]:
        g.ask(PLACES, tiers[number])


def _of_tier(g, tier):
    return [place for place in range(18) if g.row(TABLE_LOCATIONS, place)[0] == tier]


def _is(g, value, place):
    g.data[HERE] = place


def _travel_text(g, value):
    view, here = g.part("view"), g.data[HERE]
    cards = " " + g.text(T_TRAVEL_CARDS) if g.data[PHYSICAL] else ""
    return g.text(T_TRAVEL) % view.location(g, here) + "\n" + view.location_text(g, here) + cards


def _enter(g, value):
    """New terrain, new piles."""
    d = g.data
    card = g.row(TABLE_LOCATIONS, d[HERE])
    for terrain in range(TERRAINS):
        d[TERRAIN + terrain] = NONE
        d[TERRAIN_TOKENS + terrain] = d[TERRAIN_USED + terrain] = 0
    d[HERE_TOKENS] = 0
    last = rows(d)
    for i in range(4):
        terrain, position = card[3 + 2 * i], card[4 + 2 * i]
        position = min(position, last)
        d[TERRAIN + terrain] = 2 * (position - 1) if i < 2 else 2 * (last - position) + 1
    discard_pile(d, LEFT)
    discard_pile(d, RIGHT)
    g.push(PLACES + 4)
    g.push(PLACES + 3, 0)
    have = count(d, DECK) + count(d, DISCARD)
    if have & 1 and have < card[1] + card[2] and have // 2 < min(card[1], card[2]):
        g.ask(PLACES + 2)


def _odd(g, value, pile):
    g.data[CHOSEN_PLACE] = pile


def _fill(g, value):
    card = g.row(TABLE_LOCATIONS, g.data[HERE])
    fill(g, card[1], card[2], g.data[CHOSEN_PLACE] == RIGHT)
    g.data[CHOSEN_PLACE] = 0


# --- upon entering ---------------------------------------------------------------------------------------------------


def spawn(g, place, number):
    """Genestealers come from the pile of a side."""
    g.push(EVENTS + 9, place | number << 5)


def _entered(g, value):
    """The text of the card."""
    d = g.data
    here = d[HERE]
    if not rows(d):
        return
    if here == MAIN_CORRIDOR:
        spawn(g, d[TERRAIN + CORRIDOR], 2)
    elif here == SHAFT:
        for row in marines(d):
            d[FACING + d[ROW + row]] = 1
    elif here == ACCESSWAY:
        spawn(g, behind(d, 0), 2)
    elif here == WRECKAGE:
        for row in marines(d):
            if terrain_at(d, front(d, row)):
                d[FACING + d[ROW + row]] ^= 1
    elif here == MUNITORIUM:
        d[WHO] = NONE
        g.push(PLACES + 5, 2)
    elif here == BLACK_HOLDS and swarms(d):
        g.ask(PLACES + 4)
    elif here == CATACOMBS:
        g.ask(PLACES + 5)
    elif here == HIBERNATION:
        for _ in marines(d):
            for pile in (LEFT, RIGHT):
                card = top(g, DECK)
                if card != NONE:
                    d[WHERE + card] = pile
    elif here == CHAPEL:
        g.ask(PLACES + 6)
    elif here == LAIR:
        relocate(d, [(members(d, swarm), d[TERRAIN + (_RIGHT_RED if swarm & 1 else _LEFT_RED)]) for swarm in swarms(d)])
        g.ask(PLACES + 7)


def _munitions(g, left):
    """A token each on two marines."""
    if left and pool(g.data) and _others(g, 0):
        g.push(PLACES + 5, left - 1)
        g.ask(PLACES + 3)


def _others(g, value):
    return [row for row in marines(g.data) if g.data[ROW + row] != g.data[WHO]]


def _munition(g, value, row):
    g.data[WHO] = g.data[ROW + row]
    g.data[TOKENS + g.data[WHO]] += 1


def _swarm_grows(g, value, swarm):
    spawn(g, swarm & 31, 2)


def _poor(g, value):
    """The marines without a token whose choice spawns most, or all."""
    d = g.data
    found = [row for row in marines(d) if not d[TOKENS + d[ROW + row]]] or marines(d)
    return [row for row in found if count(d, LEFT + (behind(d, row) & 1))] or found


def _spawn_behind(g, value, row):
    spawn(g, behind(g.data, row), 1)


def _spots(g, value):
    return list(range(rows(g.data) * 2))


def _artefact(g, value, place):
    g.data[TERRAIN + ARTEFACT_CARD] = place


def _lords(g, value, lord):
    d = g.data
    put(d, CARDS + lord, d[TERRAIN + _LEFT_RED])
    put(d, CARDS + 1 - lord, d[TERRAIN + _RIGHT_RED])
    d[LORDS] = 1


# --- control panels --------------------------------------------------------------------------------------------------


def _panel(g, marine):
    """A marine activates the control panel."""
    d = g.data
    here = d[HERE]
    d[WHO] = marine
    if here == MAINTENANCE:
        d[TERRAIN + CORRIDOR] = d[TERRAIN + PANEL]
        d[TERRAIN + PANEL] = NONE
        d[TERRAIN_USED + PANEL] = 0
    elif here == CRYO and count(d, LEFT) + count(d, RIGHT):
        g.ask(PLACES + 8)
    elif here == APOTHECARION and (pool(d) or not setting(g, S_APOTHECARION)):
        g.ask(PLACES + 9)
    elif here == COGITATOR:
        g.ask(PLACES + 11)
    elif here == TELEPORTARIUM:
        g.push(PLACES + 6, 0)
    elif here == GENERATOR:
        g.push(PLACES + 7)
        begin(g, GENERATORIUM)
    elif here == LAUNCH_ROOM:
        g.ask(PLACES + 12)
    elif here == TOXIN_STATION and setting(g, S_TOXIN):
        g.push(PLACES + 11)
        begin(g, TOXIN)
    elif here == TOXIN_STATION:
        g.ask(PLACES + 13)


def _full(g, value):
    return [pile for pile in (LEFT, RIGHT) if count(g.data, pile)]


def _cryo(g, value, pile):
    g.data[WHERE + top(g, pile)] = DISCARD


def _any(g, value):
    return marines(g.data)


def _healed(g, value, row):
    d = g.data
    if pool(d):
        d[TOKENS + d[ROW + row]] += 1
    g.ask(PLACES + 10, row)


def _flip(g, row, choice):
    if choice == T_YES:
        g.data[FACING + g.data[ROW + row]] ^= 1


def _in_play(g, value):
    return [terrain for terrain in range(TERRAINS) if g.data[TERRAIN + terrain] != NONE]


def _cap(g, value, terrain):
    g.data[TERRAIN_USED + terrain] |= CAPPED


def _teleport(g, first):
    """Each marine pays a token or rolls; then both piles are gone."""
    d = g.data
    for marine in range(first, MARINES):
        if row_of(d, marine) != NONE:
            d[WHO] = marine
            g.push(PLACES + 6, marine + 1)
            g.push(PLACES + 10)
            begin(g, TELEPORT, d[TOKENS + marine])
            return
    discard_pile(d, LEFT)
    discard_pile(d, RIGHT)


def _teleported(g, value):
    d = g.data
    _, slain, tokens, _, _, _ = outcome(g)
    d[TOKENS + d[WHO]] -= tokens
    if slain:
        marine_slain(g, d[WHO])


def _generator(g, value):
    _, slain, _, _, _, success = outcome(g)
    if slain:
        marine_slain(g, g.data[WHO])
    elif success:
        slain_from(g, ANY, 4, True)


def _launches(g, value):
    return ([T_LAUNCH_TOKEN] if pool(g.data) else []) + [T_LAUNCH_ROLL]


def _launch(g, value, choice):
    d = g.data
    if choice == T_LAUNCH_TOKEN:
        d[HERE_TOKENS] += 1
    else:
        g.push(PLACES + 12)
        begin(g, LAUNCH, d[HERE_TOKENS])


def _launched(g, value):
    if outcome(g)[5]:
        g.finish(WON)


def _toxin_pile(g, value, pile):
    d = g.data
    d[CHOSEN_PLACE] = pile
    if d[COUNT]:
        _pump(g)
    else:
        g.push(PLACES + 11)
        begin(g, TOXIN)


def _toxin(g, value):
    d = g.data
    d[COUNT] = outcome(g)[4]
    if setting(g, S_TOXIN) and d[COUNT]:
        if _full(g, 0):
            g.ask(PLACES + 13)
    else:
        _pump(g)


def _pump(g):
    d = g.data
    while d[COUNT] and count(d, d[CHOSEN_PLACE]):
        d[WHERE + top(g, d[CHOSEN_PLACE])] = DISCARD
        d[COUNT] -= 1
    d[COUNT] = 0


def _piles(g, value):
    return _full(g, value) or [LEFT, RIGHT]


STEPS = (_travel, _next, _enter, _fill, _entered, _munitions, _teleport, _generator, _panel, _arrived, _teleported,
         _toxin, _launched)
KINDS = (
    (T_LOCATION, _of_tier, LOCATION, _is, 0),
    (_travel_text, lambda g, value: (T_GO_ON,), WORD, lambda g, value, choice: None, 0),
    (T_ODD, lambda g, value: (LEFT, RIGHT), PILE, _odd, 0),
    (T_TOKEN, _others, MARINE, _munition, 0),
    (T_WHICH_SWARM, lambda g, value: swarms(g.data), SWARM, _swarm_grows, 0),
    (T_EMPTY_SPOT, _poor, MARINE, _spawn_behind, 0),
    (T_ARTEFACT_WHERE, _spots, PLACE, _artefact, 0),
    (T_WHICH_LORD, lambda g, value: (0, 1), LORD, _lords, 0),
    (T_CRYO, _full, PILE, _cryo, 0),
    (T_TOKEN, _any, MARINE, _healed, 0),
    (T_FLIP, lambda g, value: (T_NO, T_YES), WORD, _flip, 0),
    (T_CAP_WHICH, _in_play, TERRAIN_CARD, _cap, 0),
    (T_LAUNCH, _launches, WORD, _launch, 0),
    (T_TOXIN, _piles, PILE, _toxin_pile, 0),
)
