"""Texts of a pack with their fields filled in."""

from tableside.core import engine, roster
from tableside.core.conditions import UNIT_NUMBER, operand
from tableside.core.engine import row_in_focus
from tableside.core.errors import PackError
from tableside.core.pack import CARD, LINE, NOBODY, TEXT_BYTES, WINDOW
from tableside.core.state import O_ACTOR, O_CARD, O_DECK, O_ROUND, O_STEP

# Codes in compiled texts; the characters after a code are numbers, counted from "0".
_COUNTER = "\x01"
CARD_FIELD = "\x02"
_VALUE = "\x03"
ROW_FIELD = "\x04"
_ROUND = "\x05"
_ZONE = "\x06"
_OPERAND = "\x07"  # source, value
_UNIT = "\x08"


def counter_text(state, counter, value):
    """A counter's value as the players read it: a number or its name."""
    return value_text(state.scenario, counter, value)


def value_text(scenario, counter, value):
    """The same without a session."""
    _, _, low, _, _, _, _, _, first, count = scenario.counter(counter)
    if not count:
        return str(value)
    return scenario.pack.text(scenario.pack.record(LINE, first + value - low)[0])


def card_title(state, deck, card):
    """The title of a card of a deck."""
    pack = state.scenario.pack
    return pack.text(pack.record(CARD, state.scenario.deck(deck)[3] + card)[0])


def expand(state, text, rows=True):
    """Fill in the fields of a pack's text from the state. Raises PackError for fields that cannot be filled in.

    Args: rows: whether rows of tables may be among them; in the text of a row they may not.
    """
    try:
        return _expand(state, text, rows)
    except IndexError:
        raise PackError("text cut short in a field", len(text)) from None


def _expand(state, text, rows):
    out = ""
    i = 0
    while i < len(text):
        char = text[i]
        i += 1
        if char == CARD_FIELD:
            card = state.data[O_CARD]
            out += "-" if card == NOBODY else card_title(state, state.data[O_DECK], card)
        elif char == _VALUE:
            out += str(state.value())
        elif char == _UNIT:
            slot = state.unit()
            out += unit_name(state, slot) if state.roster.used(slot) else "-"
        elif char == _ROUND:
            out += str(state.data[O_ROUND])
        elif char in (_COUNTER, ROW_FIELD):
            number = ord(text[i]) - 48
            i += 1
            if char == _COUNTER:
                out += counter_text(state, number, state.counter(number))
            elif rows:
                out += _row(state, number)
            else:
                raise PackError("row within a row", number)
        elif char == _ZONE:
            out += str(state.zone_count(ord(text[i]) - 48, ord(text[i + 1]) - 48))
            i += 2
        elif char == _OPERAND:
            out += _operand_text(state, ord(text[i]) - 48, ord(text[i + 1]) - 48)
            i += 2
        else:
            out += char
        if len(out) > TEXT_BYTES:
            raise PackError("text too long", len(out))
    return out


def _operand_text(state, source, value):
    """A number; a track of the unit that is meant by its name, a flag of it by the flag's name or not at all."""
    number = operand(state, source, value)
    if source == UNIT_NUMBER and value >= roster.TRACK:
        return track_text(state, value - roster.TRACK, number)
    if source == UNIT_NUMBER and roster.FLAG <= value < roster.FLAG + state.scenario.flags:
        return state.scenario.pack.text(state.scenario.flag(value - roster.FLAG)[0]) if number else ""
    return str(number)


def track_text(state, track, value):
    """A value of a unit's track as the players read it: a number or its name."""
    first, count = state.scenario.track(track)[5:]
    pack = state.scenario.pack
    return pack.text(pack.record(LINE, first + value)[0]) if value < count else str(value)


def _row(state, table):
    row = row_in_focus(state, table)
    return "" if row is None else expand(state, state.scenario.pack.text(row[2]), False)


def place(state):
    """Where a state is: (round, title of the open window or else the phase, name of the side whose turn it is)."""
    pack = state.scenario.pack
    frame = state.top()
    if frame is not None and frame[0] == engine.WINDOW_FRAME:
        title = expand(state, pack.text(pack.record(WINDOW, frame[2])[0]))
    else:
        title = pack.text(state.scenario.step(state.data[O_STEP])[0])
    return state.data[O_ROUND], title, state.scenario.side_name(state.data[O_ACTOR])


def unit_name(state, slot):
    """The name of a unit on the roster, with its number where the name alone would not tell it from another."""
    kind = state.roster.get(slot, roster.KIND)
    name = ""
    if kind < roster.BY_NUMBERS:
        name = state.roster.given_name(slot) or state.scenario.pack.text(state.scenario.unit(kind)[0])
        others = [i for i in range(state.roster.slots) if i != slot and state.roster.get(i, roster.KIND) == kind]
        if not others:
            return name
    return ("%s #%d" % (name, slot + 1)).strip()
