"""Nim with a wind: the code of a pack for the tests."""

from games.nim.words import line

from tableside.core.code import Page, Question

CALLS = ("bets", "turn", "wind")
KEPT = ("rules",)

(T_STONE, _, _, T_HEAP, T_TAKE, T_BET, T_ANSWERS, _, T_ROLL, T_LEFT) = range(10)
TABLE_TAKES = 0
_HEAP, _BETS, _TURN = range(3)  # bytes of the state
_TAKE, _BET, _WIND = range(3)  # questions
_START = 9


def call(g, entry, value):
    """An effect line."""
    if CALLS[entry] == "bets":
        g.data[_HEAP] = _START
        g.ask(_BET, 1)
        g.ask(_BET, 0)
    elif CALLS[entry] == "turn":
        g.push(0, value)
    else:
        g.ask(_WIND)


def run(g, step, value):
    """The turn of a player."""
    g.actor(g.data[_TURN])
    g.ask(_TAKE, value)


def question(g, kind, value):
    """What is asked."""
    if kind == _TAKE:
        options = [g.text(T_STONE + i) for i in range(min(3, g.data[_HEAP]))]
        found = Question(g.text(T_HEAP), g.text(T_TAKE) % g.data[_HEAP], options, g.data[_TURN])
        found.rows = [0] * len(options)
    elif kind == _BET:
        found = Question(g.text(T_BET), g.text(T_BET), [g.text(T_ANSWERS), g.text(T_ANSWERS + 1)], value)
        found.secret = True
    else:
        found = Question(g.text(T_HEAP), g.text(T_ROLL), [line(i) for i in range(4)])
        found.die = True
    return found


def answer(g, kind, value, option):
    """Go on with it."""
    if kind == _BET:
        g.data[_BETS] |= (option + 1) << 2 * value
    elif kind == _WIND:
        g.data[_HEAP] = max(1, g.data[_HEAP] - option)
    else:
        g.data[_HEAP] -= g.row(TABLE_TAKES, option)[0]
        g.data[_TURN] ^= 1
        if not g.data[_HEAP]:
            g.finish(g.data[_TURN])


def sound(g):
    """Whether the bytes can be."""
    return g.data[_HEAP] <= _START and g.data[_TURN] <= 1


def fixes(g):
    """What may be corrected by hand."""
    return ["One stone back"]


def fix(g, number):
    """Correct it."""
    g.data[_HEAP] = min(_START, g.data[_HEAP] + 1)


def summary(g):
    """The heap is on its page."""
    return ""


def pages(g):
    """The heap."""
    return [g.text(T_HEAP)]


def page(g, number):
    """The heap."""
    return Page(g.text(T_HEAP), [("*" * g.data[_HEAP], str(g.data[_HEAP]), g.text(T_LEFT), -1, line(0))])
