"""What a pack says at more length about the card and the table row that a prompt names."""

from tableside.core.engine import row_in_focus
from tableside.core.fields import CARD_FIELD, ROW_FIELD, expand
from tableside.core.pack import CARD, NOBODY, TABLE
from tableside.core.state import O_CARD, O_DECK


def details(state, text):
    """The text of the card that `text` (with its codes) names, and those of its rows, each under its table's title."""
    pack = state.scenario.pack
    found = []
    if CARD_FIELD in text and state.data[O_CARD] != NOBODY:
        first = state.scenario.deck(state.data[O_DECK])[3]
        found.append(pack.text(pack.record(CARD, first + state.data[O_CARD])[1]))
    at = text.find(ROW_FIELD)
    while at >= 0:
        table = ord(text[at + 1]) - 48
        row = row_in_focus(state, table)
        words = "" if row is None else expand(state, pack.text(row[3]))
        if words:
            found.append("%s: %s" % (pack.text(pack.record(TABLE, table)[0]), words))
        at = text.find(ROW_FIELD, at + 1)
    return [words for words in found if words]
