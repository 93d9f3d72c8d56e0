"""The commands so far, and going back to before one of them."""

from tableside.core.history import History
from tableside.ui import font_small, texts
from tableside.ui import input as keys
from tableside.ui.play import place_text
from tableside.ui.reading import TextScreen
from tableside.ui.screen import Screen
from tableside.ui.widgets import COLUMNS, ROW_COLUMNS, List, clip, fit, hint, status

_ROWS = 4  # a page
_TEXT_PAGE = 5  # the command at the cursor stands below them
_TEXT_ROWS = 2
_KEPT = 3 * _ROWS  # rows on either side of the cursor
_AT_ONCE = 2  # rows that are made beforehand after a key
_LONG = 60  # commands that take a while to take back


class HistoryPage(Screen):
    """What was done, newest first: OK shows what going back to before the cursor means. "!" marks what brought a secret
    to light.

    Args: session: an older one that can only be looked at, in place of the app's.
    """

    def __init__(self, app, session=None):
        super().__init__(app)
        self._session = session
        self._history = History(session or app.session)
        self._rows = {}  # Entries near the cursor, by the number of the row
        self._cursor = 0
        self._drawn = -1  # the first row of the page as drawn
        self._list = None
        self._fill()

    def _fill(self):
        """The page of the cursor; what is far from it is forgotten."""
        first = self._cursor - self._cursor % _ROWS
        found = [row for row in [self._row(i) for i in range(first, first + _ROWS)] if row is not None]
        for i in list(self._rows):
            if abs(i - self._cursor) > _KEPT:
                del self._rows[i]
        self._list = List([self._brief(row) for row in found], self._cursor - first)

    def _brief(self, entry):
        """One line."""
        right = texts.ROUND + str(entry.round)
        mark = " !" if entry.revealed else ""
        return fit(entry.text(), ROW_COLUMNS - 1 - len(right) - len(mark)) + mark, right

    def _row(self, i):
        """The Entry of a row beside those that are there; None behind the last."""
        if i not in self._rows:
            before, behind = self._rows.get(i - 1), self._rows.get(i + 1)
            if before is None and behind is None and i:
                return None
            row = self._history.group(before.oldest + 1 if before else behind.newest - 1 if behind else 0)
            if row is None:
                return None
            self._rows[i] = row
        return self._rows[i]

    def prepare(self):
        """Some rows of the page below, and one of the page above."""
        first = self._cursor - self._cursor % _ROWS
        below = [i for i in range(first, first + 2 * _ROWS) if i not in self._rows]
        above = [i for i in range(max(0, first - _ROWS), first) if i not in self._rows]
        for i in below[:_AT_ONCE] + above[len(above) - 1 :]:
            self._row(i)

    def draw(self, canvas):
        """A page of rows, below it the one at the cursor with its place."""
        self._head(canvas)
        self._list.draw(canvas, 1, _ROWS)
        self._foot(canvas)

    def draw_move(self, canvas):
        """The cursor and what stands below, on the same page."""
        if self._cursor - self._cursor % _ROWS != self._drawn or not self._list.draw_move(canvas):
            return False
        canvas.fill(0, 0, canvas.width, 1, 0)
        canvas.fill(0, _TEXT_PAGE, canvas.width, 8 - _TEXT_PAGE, 0)
        self._head(canvas)
        self._foot(canvas)
        return True

    def _head(self, canvas):
        entry = self._rows.get(self._cursor)
        status(canvas, texts.HISTORY, str(entry.newest + 1) if entry else "")
        self._drawn = self._cursor - self._cursor % _ROWS

    def _foot(self, canvas):
        entry = self._rows.get(self._cursor)
        if entry is None:
            hint(canvas, texts.NOTHING_TO_UNDO, "BACK")
            return
        for i, line in enumerate(clip("%s: %s" % (_place(entry), entry.text()), COLUMNS, _TEXT_ROWS)):
            canvas.text(line, 0, _TEXT_PAGE + i, font_small)
        if self._session is None:
            hint(canvas, "OK %s %d" % (texts.UNDO.lower(), entry.oldest + 1), "BACK")
        else:
            hint(canvas, "OK " + texts.SHOW, "BACK")

    def event(self, key):
        """UP and DOWN move, OK shows the command at the cursor and what going back would undo."""
        if key in (keys.UP, keys.DOWN):
            to = self._cursor + (1 if key == keys.DOWN else -1)
            if to >= 0 and self._row(to) is not None:
                self._cursor = to
                if to - to % _ROWS == self._drawn:
                    self._list.move_to(to % _ROWS)
                else:
                    self._fill()
        elif key == keys.OK and self._rows:
            self._open(self._rows[self._cursor])
        elif key == keys.BACK:
            self.app.back()

    def _open(self, entry):
        text = "%s: %s" % (_place(entry), entry.text())
        if self._session is not None:
            self.app.tell(texts.HISTORY, text)
            return
        count = entry.oldest + 1
        seen = self._history.revealed is not None and self._history.revealed < count
        told = texts.COMMANDS % count if count > 1 else texts.ONE_COMMAND
        text = texts.BACK_TO % (told, text)
        self.app.go("history.GoBack", count, text + "\n" + texts.SEEN_BEFORE if seen else text)


def _place(entry):
    """Round, phase and side of a command."""
    where = place_text(entry.round, entry.phase)
    return "%s, %s" % (where, entry.side) if entry.side and where else where or entry.side


class GoBack(TextScreen):
    """What going back means; OK does it.

    Args: count: of commands; text: for the players.
    """

    def __init__(self, app, count, text):
        self._count = count
        super().__init__(app, texts.GO_BACK, [text])

    def draw_hint(self, canvas, turn):
        """OK and BACK."""
        hint(canvas, "OK " + texts.UNDO.lower(), (turn + " BACK") if turn else "BACK " + texts.STAY)

    def answered(self, key):
        """Go back, or stay; many commands take a moment, and the screen says so first."""
        if key == keys.BACK:
            self.app.back()
        elif key == keys.OK and self._count < _LONG:
            self.app.undo(self._count)
        elif key == keys.OK:
            self.app.soon(lambda: self.app.undo(self._count))
