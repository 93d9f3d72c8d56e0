"""The commands so far, and going back to before one of them."""

from tableside.core.history import History
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.screen import Screen
from tableside.ui.widgets import List, hint, status

_ROWS = 6
_ABOVE = 2  # rows above the cursor


class HistoryPage(Screen):
    """What was done, newest first: OK takes back all down to the cursor. "!" marks what brought a secret to light."""

    title = texts.HISTORY

    def __init__(self, app):
        super().__init__(app)
        self._history = History(app.session)
        self._rows = {}  # those near the cursor, by their number
        self._cursor = 0
        self._list = None
        self._fill()

    def _fill(self):
        first = max(0, self._cursor - _ABOVE)
        rows = {}
        shown = []
        for i in range(first, first + _ROWS):
            row = self._rows.get(i) or self._row(i)
            if row is None:
                break
            rows[i] = row
            shown.append(row)
        self._rows = rows
        self._list = List(shown, self._cursor - first)

    def _row(self, index):
        entry = self._history.entry(index)
        if entry is None:
            return None
        left = entry.title + (" !" if entry.revealed else "")
        if entry.changes:
            left += ": " + entry.changes
        return left, texts.ROUND + str(entry.round)

    def prepare(self):
        """The row that comes next."""
        after = self._cursor - min(self._cursor, _ABOVE) + _ROWS
        if after not in self._rows:
            row = self._row(after)
            if row is not None:
                self._rows[after] = row

    def draw(self, canvas):
        """The rows around the cursor."""
        status(canvas, self.title, str(self._cursor + 1) if self._rows else "")
        self._list.draw(canvas)
        if self._rows:
            hint(canvas, "OK %s %d" % (texts.UNDO.lower(), self._cursor + 1), "BACK")
        else:
            hint(canvas, texts.NOTHING_TO_UNDO, "BACK")

    def event(self, key):
        """UP and DOWN move, OK goes back to before the command at the cursor."""
        if key in (keys.UP, keys.DOWN):
            to = self._cursor + (1 if key == keys.DOWN else -1)
            if to in self._rows:
                self._cursor = to
                self._fill()
        elif key == keys.OK and self._rows:
            self.app.undo(self._cursor + 1)
        elif key == keys.BACK:
            self.app.back()
