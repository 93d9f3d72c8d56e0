"""Dice that the device has rolled, and rolling some of them again."""

from tableside.core.rolls import Roll, own_rng
from tableside.ui import font_large, font_normal, font_small, texts, tools_texts
from tableside.ui import input as keys
from tableside.ui.roll_words import roll_words
from tableside.ui.screen import Screen
from tableside.ui.widgets import BIG_COLUMNS, COLUMNS, hint, status

_LARGE_ROWS = 3  # of the small face, below a sum in large digits
_ROWS = 4  # below one in the normal face
_PLAIN = -1  # no die is pointed at


def lay_out(roll, columns):
    """Where each die stands: (row, column, text, begins a kind); one that does not count is in brackets."""
    places = []
    row = column = 0
    last = 0
    for face, kind, kept in zip(roll.faces, roll.kinds, roll.kept()):
        text = str(face) if kept else "(%d)" % face
        gap = 2 if kind != last else 0
        if column + gap + 1 + len(text) > columns:
            row += 1
            column = 0
        places.append((row, column + gap + 1, text, kind != last))
        column += gap + 1 + len(text)
        last = kind
    return places


class Rolled(Screen):
    """The sum and the dice. OK rolls all again; DOWN chooses some: OK marks, past the last one it rolls those again.

    Args: entry: (kinds, plus, keep), see `core.rolls.Roll`.
    """

    every_key = True

    def __init__(self, app, entry):
        super().__init__(app)
        self._entry = entry
        self._rng = own_rng(app.device.entropy())
        self._count = 0
        self._roll_all()

    def _roll_all(self):
        kinds, plus, keep = self._entry
        self.roll = Roll(kinds, plus, keep, self._rng)
        self._show()

    def _show(self):
        self._count += 1
        self._at = _PLAIN
        self._marked = []

    def draw(self, canvas):
        """The sum, as large as the dice leave room for; how often it was rolled: the same sum is seen as new."""
        status(canvas, roll_words(*self._entry), "#%d" % self._count)
        places = lay_out(self.roll, BIG_COLUMNS)
        big = not places[len(places) - 1][0]  # one row
        face = font_normal if big else font_small
        if not big:
            places = lay_out(self.roll, COLUMNS)
        large = places[len(places) - 1][0] < _LARGE_ROWS
        canvas.text(str(self.roll.total()), 4, 1, font_large if large else font_normal)
        if len(places) > 1 or self._entry[1]:
            pointed = places[max(0, min(self._at, len(places) - 1))][0]
            first = max(0, pointed + 1 - (_LARGE_ROWS if large else _ROWS))
            self._draw_dice(canvas, places, face, 4 - first if large else 3 - first)
        hint(canvas, *self._hints(len(places)))

    def _draw_dice(self, canvas, places, face, top):
        """Those that are to be seen; rows that are above the first are left out. Args: top: the page of row 0."""
        for i, (row, column, text, begins) in enumerate(places):
            page = top + row
            x = column * face.WIDTH
            if not 3 <= page <= 6:
                continue
            if begins:
                canvas.text("|", x - 2 * face.WIDTH, page, face)
            if i == self._at:
                canvas.text(">", x - face.WIDTH, page, face)
            canvas.text(text, x, page, face, i in self._marked)

    def _hints(self, dice):
        if self._at == _PLAIN:
            return "OK " + tools_texts.ROLL_AGAIN, "↓ " + tools_texts.REROLL
        if self._at == dice:
            marked = len(self._marked)
            return "OK %s %d" % (tools_texts.REROLL, marked) if marked else "OK " + texts.KEEP_ALL, "↑↓ BACK"
        return "OK " + (texts.UNTICK if self._at in self._marked else texts.TICK), "↑↓ BACK"

    def event(self, key):
        """UP and DOWN choose dice, OK marks one or rolls, BACK leaves the choice, then the page."""
        dice = len(self.roll.faces)
        if key in (keys.UP, keys.DOWN):
            if self._at == _PLAIN:
                self._at = 0 if key == keys.DOWN else dice - 1
            else:
                self._at = (self._at + (1 if key == keys.DOWN else dice)) % (dice + 1)
        elif key == keys.OK and self._at == _PLAIN:
            self._roll_all()
        elif key == keys.OK and self._at < dice:
            self._mark(dice)
        elif key == keys.OK and self._marked:
            self.roll.again(self._marked)
            self._show()
        elif key in (keys.OK, keys.BACK) and self._at != _PLAIN:
            self._at = _PLAIN
            self._marked = []
        elif key == keys.BACK:
            self.app.back()

    def _mark(self, dice):
        """Mark or unmark; a single die needs no more."""
        if self._at in self._marked:
            self._marked.remove(self._at)
        else:
            self._marked.append(self._at)
        if dice == 1:
            self._at = dice
