"""A page of the pack's code: rows of three cells, the middle one in a box that may point to a side."""

from tableside.ui import font_small
from tableside.ui import input as keys
from tableside.ui.screen import Screen
from tableside.ui.widgets import COLUMNS, clip, status

_SIDE = 6  # columns of an outer cell
_MIDDLE = 9  # of the middle one, with the arrows
_WIDTH = 6  # of a column
_DETAIL_ROWS = 2


def draw_rows(canvas, rows, cursor, page, pages):
    """Draw as many rows as fit, so that the one of the cursor is seen and marked; no cursor is -1."""
    first = max(0, min(cursor - pages // 2, len(rows) - pages))
    for i in range(first, min(len(rows), first + pages)):
        left, middle, right, mark, _ = rows[i]
        canvas.text(left[:_SIDE], 0, page, font_small)
        middle = ("←" if mark < 0 else " ") + middle[: _MIDDLE - 2]
        middle += " " * (_MIDDLE - 1 - len(middle)) + ("→" if mark > 0 else " ")
        canvas.text(middle, _SIDE * _WIDTH, page, font_small)
        canvas.right(right[:_SIDE], COLUMNS * _WIDTH, page, font_small)
        if i == cursor:
            canvas.invert(0, page, canvas.width, 1)
        else:
            canvas.invert(_SIDE * _WIDTH, page, _MIDDLE * _WIDTH, 1)
        page += 1


class Board(Screen):
    """A page: UP and DOWN go through its rows, and what is said of a row stands below.

    Args: number: of the page.
    """

    def __init__(self, app, number):
        super().__init__(app)
        self._page = app.session.state.code.page(number)
        self._cursor = 0

    def draw(self, canvas):
        """The rows around the cursor, and its detail."""
        rows = self._page.rows
        status(canvas, self._page.title, "%d/%d" % (self._cursor + 1, len(rows)) if rows else "")
        if not rows:
            return
        details = [line for line in clip(rows[self._cursor][4], COLUMNS, _DETAIL_ROWS) if line]
        draw_rows(canvas, rows, self._cursor, 1, 7 - len(details))
        for i, line in enumerate(details):
            canvas.text(line, 0, 8 - len(details) + i, font_small)

    def event(self, key):
        """UP and DOWN walk; OK and BACK leave."""
        if key in (keys.UP, keys.DOWN):
            cursor = self._cursor + (1 if key == keys.DOWN else -1)
            if 0 <= cursor < len(self._page.rows):
                self._cursor = cursor
        else:
            self.app.back()
