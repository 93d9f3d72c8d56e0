"""The formation: whose bytes are where in the state, and what moves on it. Source: rules/death_angel.md 2.

A place is row * 2 + side, side 0 left and 1 right; the piles are places, too. A swarm is a place with the flags APART
and ATTACKED of its cards: those that must not be joined yet.
"""

NONE = 255
ROWS_MOST = 12
TOKENS_MOST = 12
MARINES = 12  # two a team: marine // 2 is the team
TEAMS = 6
CARDS = 36  # genestealers, nine an icon; the two brood lords follow
ALL_CARDS = 38
TERRAINS = 8  # two a colour: terrain // 2 is the colour

# Offsets in the bytes of the code.
(
    PHYSICAL, HERE, HERE_TOKENS, PATH_LEFT, CURRENT, ACTIVE, ARTEFACT, NOW, NEXT, WIND, WIND_NEXT, EVENT, KILLS, SCOPE,
    WHO, TARGET, DONE, ATTACKS, PHASE, CHOSEN_PLACE, COUNT, FIRST_SIDE, NOTE, SKIP, LORDS, ROLL,
) = range(26)
PATH = 26  # the locations ahead, 4
V = 30  # the numbers of the roll in hand, 30; ROLL: how many
ROW = 60  # marines, from the top
TOKENS = 72  # of each marine
FACING = 84
TERRAIN = 96  # places
TERRAIN_TOKENS = 104
TERRAIN_USED = 112  # bits USED, CAPPED, and from 4 on how many were spawned there under the cap
WHERE = 120  # places of the genestealers
FLAGS = 158
OWNER = 196  # players of the teams
LAST = 202  # cards, 1 to 18
CHOSEN = 208
TEAM = 214  # bits of the teams
SIZE = 220

# Places that are no part of the formation.
LEFT, RIGHT, DECK, DISCARD, OUT = 32, 33, 34, 35, 36

# Flags of genestealers.
ATTACKED = 32
APART = 64
FIELD = 128
_SWARM = 96

# Bits of NOW and NEXT.
EVASION, FORMATION, TRAVEL, LED, ONE_ATTACK = 1, 2, 4, 8, 16

# Bits of a team.
JAM, JAM_NEXT, RESOLVED = 1, 2, 4

USED, CAPPED = 1, 2

# Settings, as counters: what the rules leave open.
(
    S_MERGE, S_TRAVEL, S_JOINT, S_BROTHERS, S_INSTINCTS, S_LOST_CARD, S_LORD, S_CHARGE, S_FLAMES, S_STEALTH, S_TOXIN,
    S_ARTEFACT, S_APOTHECARION, S_TANK,
) = range(14)

TABLE_MARINES, TABLE_ACTIONS, TABLE_EVENTS, TABLE_LOCATIONS, TABLE_PLAYERS = range(5)
DOOR, PANEL, CORRIDOR, ARTEFACT_CARD = 4, 5, 6, 7
PANELS = (1, 3, 6, 7, 11, 12, 16, 17)  # the locations whose control panel does something
MAJOR, MINOR = 4, 5  # columns of TABLE_PLAYERS


def setting(g, number):
    """Whether the other way of an open rule was chosen."""
    return g.state.counter(number)


def players(g):
    """How many players the scenario is for."""
    return g.state.scenario.index + 1


def card_of_setup(g):
    """The row of the setup card."""
    return g.row(TABLE_PLAYERS, players(g) - 1)


def rows(d):
    """How many rows there are."""
    count = 0
    while count < ROWS_MOST and d[ROW + count] != NONE:
        count += 1
    return count


def row_of(d, marine):
    """The row of a marine, or NONE."""
    for row in range(ROWS_MOST):
        if d[ROW + row] == marine:
            return row
    return NONE


def marines(d, team=NONE):
    """The rows of a team's marines, or of all."""
    return [row for row in range(rows(d)) if team == NONE or d[ROW + row] >> 1 == team]


def front(d, row):
    """The place that the marine of a row faces."""
    return row * 2 + d[FACING + d[ROW + row]]


def pool(d):
    """How many tokens nobody has."""
    given = sum(d[TOKENS : TOKENS + MARINES]) + sum(d[TERRAIN_TOKENS : TERRAIN_TOKENS + TERRAINS]) + d[HERE_TOKENS]
    return TOKENS_MOST - given


def count(d, place):
    """How many genestealers are at a place or in a pile."""
    return sum(1 for where in d[WHERE : WHERE + ALL_CARDS] if where == place)


def in_formation(d):
    """How many genestealers are in the formation."""
    return sum(1 for where in d[WHERE : WHERE + ALL_CARDS] if where < LEFT)


def swarm_of(d, card):
    """The swarm that a genestealer of the formation belongs to."""
    return d[WHERE + card] | d[FLAGS + card] & _SWARM


def swarms(d):
    """All swarms, from the top, the left side first."""
    found = []
    for card in range(ALL_CARDS):
        if d[WHERE + card] < LEFT and swarm_of(d, card) not in found:
            found.append(swarm_of(d, card))
    return sorted(found, key=lambda swarm: (swarm & 31, swarm))


def members(d, swarm):
    """The genestealers of a swarm."""
    return [card for card in range(ALL_CARDS) if d[WHERE + card] < LEFT and swarm_of(d, card) == swarm]


def has_icon(card, icon):
    """Whether a genestealer has an icon: head, tail, claw, tongue; brood lords have two."""
    return card // 9 == icon if card < CARDS else (card - CARDS) * 2 <= icon <= (card - CARDS) * 2 + 1


def engaged(d, row):
    """The swarms on both sides of a row."""
    return [swarm for swarm in swarms(d) if (swarm & 31) >> 1 == row]


def terrain_at(d, place):
    """The terrain of a place."""
    return [terrain for terrain in range(TERRAINS) if d[TERRAIN + terrain] == place]


def put(d, card, place):
    """Put a genestealer into the formation: it joins the swarm that is there."""
    there = [other for other in range(ALL_CARDS) if d[WHERE + other] == place and other != card]
    joined = [other for other in there if not d[FLAGS + other] & APART] or there
    field = d[FLAGS + card] & FIELD
    d[WHERE + card] = place
    d[FLAGS + card] = field | (d[FLAGS + joined[0]] if joined else 0)
    if field:
        for other in joined:
            d[FLAGS + other] |= FIELD


def spread_fields(d):
    """A power field holds for all that its swarm has joined."""
    for swarm in swarms(d):
        cards = members(d, swarm)
        if [card for card in cards if d[FLAGS + card] & FIELD]:
            for card in cards:
                d[FLAGS + card] |= FIELD


def clear(d, flags):
    """Take flags from all genestealers; swarms that were apart may be one then."""
    for card in range(ALL_CARDS):
        d[FLAGS + card] &= ~flags
    spread_fields(d)


def slay(d, card):
    """A genestealer is slain or discarded from the formation: a brood lord is out of the game."""
    d[WHERE + card] = DISCARD if card < CARDS else OUT
    d[FLAGS + card] = 0


def top(g, pile):
    """A card of a pile, its top one: in which order they lie nobody knows. NONE if there is none.

    An empty genestealer deck takes in the discard pile.
    """
    d = g.data
    cards = [card for card in range(CARDS) if d[WHERE + card] == pile]
    if not cards and pile == DECK:
        cards = [card for card in range(CARDS) if d[WHERE + card] == DISCARD]
        for card in cards:
            d[WHERE + card] = DECK
    return cards[g.below(len(cards))] if cards else NONE


def take(g, pile, icon):
    """The top card of a pile when the players say its icon; NONE if there is none. It changes places with another."""
    d = g.data
    here = [card for card in range(CARDS) if d[WHERE + card] == pile]
    if not here:
        return NONE
    for place in (pile, LEFT, RIGHT, DECK, DISCARD):
        for card in range(icon * 9, icon * 9 + 9):
            if d[WHERE + card] == place:
                d[WHERE + here[0]] = place
                d[WHERE + card] = pile
                return card
    return NONE


def unseen_icons(d):
    """The icons that a card of a pile may have."""
    return [icon for icon in range(4) if min(d[WHERE + icon * 9 + i] < LEFT for i in range(9)) == 0]


def discard_pile(d, pile):
    """Discard all of a pile."""
    for card in range(CARDS):
        if d[WHERE + card] == pile:
            d[WHERE + card] = DISCARD


def fill(g, left, right, odd):
    """Fill both piles from the deck; if it has too few, as equally as can be. Args: odd: who gets the odd card."""
    d = g.data
    have = count(d, DECK) + count(d, DISCARD)
    if have < left + right:
        half = (have + (1 - odd)) // 2
        less = min(left, half)
        right = min(right, have - less)
        left = min(left, have - right)
    for pile, wanted in ((LEFT, left), (RIGHT, right)):
        for _ in range(wanted):
            card = top(g, DECK)
            if card != NONE:
                d[WHERE + card] = pile


def shift(g, row, attacking):
    """Close the gap of a row whose marine is gone: rules/death_angel.md 2.2. Args: attacking: see 2.4."""
    d = g.data
    last = rows(d) - 1
    above, below = row, last - row
    fresh = [card for card in range(ALL_CARDS) if d[WHERE + card] >> 1 == row and not d[FLAGS + card] & ATTACKED]
    if last:
        first = row if above and above < below or not below else row + 1  # the rows from here on move up
        for at in range(WHERE, WHERE + ALL_CARDS):
            if first * 2 <= d[at] < LEFT:
                d[at] -= 2
        for at in range(TERRAIN, TERRAIN + TERRAINS):
            if first * 2 <= d[at] < LEFT:
                d[at] -= 2
    for at in range(ROW + row, ROW + ROWS_MOST - 1):
        d[at] = d[at + 1]
    d[ROW + ROWS_MOST - 1] = NONE
    if attacking:
        _keep_apart(d, fresh if setting(g, S_JOINT) else ())
    spread_fields(d)


def _keep_apart(d, fresh):
    """Swarms that were joined stay apart if one of them has attacked. Args: fresh: those that attack on their own."""
    attacked = [swarm & 31 for swarm in swarms(d) if swarm & ATTACKED]
    for card in fresh:
        if len(members(d, swarm_of(d, card))) > len([c for c in fresh if d[WHERE + c] == d[WHERE + card]]):
            d[FLAGS + card] |= APART
    for card in range(ALL_CARDS):
        if d[WHERE + card] in attacked and not d[FLAGS + card] & ATTACKED:
            d[FLAGS + card] |= APART


def lose(g, marine, attacking):
    """A marine is slain: his tokens go to the pool, the formation closes."""
    d = g.data
    d[TOKENS + marine] = 0
    shift(g, row_of(d, marine), attacking)


def behind(d, row):
    """The place behind the marine of a row."""
    return row * 2 + 1 - d[FACING + d[ROW + row]]


def flanked(d, place):
    """Where a swarm at a place comes to when it flanks: behind the marine."""
    return behind(d, place >> 1)


def moved(d, place):
    """Where a swarm at a place comes to when it moves on: down on the left, up on the right, flanking at an end."""
    place += 2 if not place & 1 else -2
    return place if 0 <= place < rows(d) * 2 else None


def move_swarms(g, icon, flank):
    """All swarms with an icon move at once. Returns: how many did."""
    d = g.data
    goals = []
    for swarm in swarms(d):
        cards = members(d, swarm)
        if [card for card in cards if has_icon(card, icon)]:
            place = swarm & 31
            goal = None if flank else moved(d, place)
            goal = flanked(d, place) if goal is None else goal
            if goal != place:
                goals.append((cards, goal))
    relocate(d, goals)
    return len(goals)


def relocate(d, goals):
    """Take some genestealers from their places, then put them all to their new ones. Args: goals: (cards, place)."""
    fields = []
    for cards, _ in goals:
        for card in cards:
            fields.append(d[FLAGS + card] & FIELD)
            d[WHERE + card] = OUT
    at = 0
    for cards, place in goals:
        for card in cards:
            d[FLAGS + card] = fields[at]
            at += 1
            put(d, card, place)
    _alone(d)


def _alone(d):
    """A swarm with which there is no other any more is not apart."""
    found = swarms(d)
    for card in range(ALL_CARDS):
        if len([swarm for swarm in found if swarm & 31 == d[WHERE + card]]) == 1:
            d[FLAGS + card] &= ~APART


def sound(d):
    """Whether the bytes can be: every figure within its bounds, every row a marine, no marine twice."""
    count = rows(d)
    ranks = [d[ROW + row] for row in range(ROWS_MOST)]
    for row in range(ROWS_MOST):
        if row >= count and ranks[row] != NONE or row < count and (ranks[row] >= MARINES or ranks[row] in ranks[:row]):
            return False
    for at in range(WHERE, WHERE + ALL_CARDS):
        if d[at] >= max(count, 1) * 2 and not LEFT <= d[at] <= OUT:
            return False
    for at in range(TERRAIN, TERRAIN + TERRAINS):
        if d[at] >= max(count, 1) * 2 and d[at] != NONE:
            return False
    return pool(d) >= 0 and max(d[FACING : FACING + MARINES]) <= 1
