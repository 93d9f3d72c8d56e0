"""Corrections by hand, whatever the rules say."""

from games.death_angel.board import (
    CARDS,
    DECK,
    DISCARD,
    FACING,
    LEFT,
    NONE,
    PHASE,
    RIGHT,
    ROW,
    TOKENS,
    WHERE,
    count,
    marines,
    members,
    pool,
    put,
    relocate,
    rows,
    slay,
    swarms,
    take,
    top,
    unseen_icons,
)
from games.death_angel.fight import ANY, marine_slain, victims
from games.death_angel.texts import T_FIXES, T_NOBODY
from games.death_angel.view import ICON, KILL, MARINE, PILE, PLACE, SWARM

HAND = 192
(_MORE, _LESS, _TURN, _CHANGE, _ADD, _TAKE, _MOVE, _SLAY, _PILE_MORE, _PILE_LESS) = range(10)
_FIRST = (0, 0, 0, 0, 1, 3, 4, 0, 5, 5)  # what is asked first


def fix(g, number):
    """Begin a correction."""
    if g.data[PHASE]:
        g.ask(HAND + _FIRST[number], number)


def _text(g, number):
    return g.text(T_FIXES + (number & 15))


def _rows(g, number):
    d = g.data
    found = marines(d)
    if number == _MORE and not pool(d):
        found = []
    if number == _LESS:
        found = [row for row in found if d[TOKENS + d[ROW + row]]]
    return found + [NONE]


def _row(g, number, row):
    d = g.data
    if row == NONE:
        return
    marine = d[ROW + row]
    if number == _MORE:
        d[TOKENS + marine] += 1
    elif number == _LESS:
        d[TOKENS + marine] -= 1
    elif number == _TURN:
        d[FACING + marine] ^= 1
    elif number == _SLAY:
        marine_slain(g, marine)
    else:
        g.ask(HAND + 6, number | row << 4)


def _change(g, value, row):
    d = g.data
    if row != NONE:
        other = value >> 4
        d[ROW + row], d[ROW + other] = d[ROW + other], d[ROW + row]


def _places(g, value):
    return list(range(rows(g.data) * 2)) + [NONE]


def _place(g, value, place):
    if place != NONE:
        g.ask(HAND + 2, value | place << 4)


def _icons(g, value):
    return unseen_icons(g.data) + [NONE]


def _add(g, value, icon):
    """One more comes from the deck, or from wherever it may be."""
    d = g.data
    for pile in (DECK, DISCARD, LEFT, RIGHT):
        if icon != NONE and count(d, pile):
            put(d, take(g, pile, icon), value >> 4)
            return


def _victims(g, value):
    return victims(g.data, ANY, False) + [NONE]


def _take(g, value, card):
    if card != NONE:
        slay(g.data, card)


def _swarms(g, value):
    return swarms(g.data) + [NONE]


def _move(g, value, swarm):
    if swarm != NONE:
        g.ask(HAND + 7, swarm)


def _moved(g, swarm, place):
    if place != NONE:
        relocate(g.data, [(members(g.data, swarm), place)])


def _piles(g, number):
    d = g.data
    more = number == _PILE_MORE
    return [pile for pile in (LEFT, RIGHT) if more and count(d, DECK) + count(d, DISCARD) or count(d, pile)] + [NONE]


def _pile(g, number, pile):
    d = g.data
    if pile != NONE:
        card = top(g, DECK if number == _PILE_MORE else pile)
        if card < CARDS:
            d[WHERE + card] = pile if number == _PILE_MORE else DISCARD


STEPS = ()
KINDS = (
    (_text, _rows, MARINE, _row, T_NOBODY),
    (_text, _places, PLACE, _place, T_NOBODY),
    (_text, _icons, ICON, _add, T_NOBODY),
    (_text, _victims, KILL, _take, T_NOBODY),
    (_text, _swarms, SWARM, _move, T_NOBODY),
    (_text, _piles, PILE, _pile, T_NOBODY),
    (_text, _rows, MARINE, _change, T_NOBODY),
    (lambda g, value: g.text(T_FIXES + _MOVE), _places, PLACE, _moved, T_NOBODY),
)
