"""Screens to read: texts of any length, messages and questions. Imported when one is opened."""

from tableside.ui import font_small, texts
from tableside.ui import input as keys
from tableside.ui.canvas import wrap
from tableside.ui.screen import Screen
from tableside.ui.widgets import COLUMNS, fits, hint, paragraph, status

_ROWS = 6  # between the status line and the hint line


class Text:
    """Texts of any length, turned page by page; a text that is short is set in the normal face.

    Args: parts: the texts; each begins on a page of its own.
    """

    def __init__(self, parts):
        self._parts = parts
        self._pages = []  # (part, first line of the small face)
        for i, part in enumerate(parts):
            for first in range(0, len(wrap(part, COLUMNS)), _ROWS):
                self._pages.append((i, first))
        self._at = 0

    def turn(self, step):
        """Turn a page; at an end it stays. Returns whether it turned."""
        new = self._at + step
        if not 0 <= new < len(self._pages):
            return False
        self._at = new
        return True

    def mark(self):
        """Which page of how many, for example "1/3"; nothing if there is only one."""
        count = len(self._pages)
        return "%d/%d" % (self._at + 1, count) if count > 1 else ""

    def draw(self, canvas):
        """Draw this page below the status line."""
        part, first = self._pages[self._at]
        text = self._parts[part]
        if fits(text, _ROWS):
            paragraph(canvas, text, 1, _ROWS)
            return
        for i, line in enumerate(wrap(text, COLUMNS)[first : first + _ROWS]):
            canvas.text(line, 0, 1 + i, font_small)


class TextScreen(Screen):
    """Texts of any length under a title: UP and DOWN turn the pages. A subclass says what other keys do.

    Args: title: of all; parts: the texts, each on pages of its own.
    """

    def __init__(self, app, title, parts):
        super().__init__(app)
        self._title = title
        self._text = Text(parts)

    def draw(self, canvas):
        """A page, in the largest face that fits, and which one it is."""
        mark = self._text.mark()
        status(canvas, self._title, mark)
        self._text.draw(canvas)
        self.draw_hint(canvas, "↑↓" if mark else "")

    def draw_hint(self, canvas, turn):
        """The hint line. Args: turn: names the keys that turn, if there is more than one page."""

    def event(self, key):
        """Turn."""
        if key in (keys.UP, keys.DOWN):
            self._text.turn(1 if key == keys.DOWN else -1)
        else:
            self.answered(key)

    def answered(self, key):
        """Any other key."""


class Question(TextScreen):
    """Yes or no. OK means yes.

    Args: answer: called on yes, after the question has left the screen.
    """

    def __init__(self, app, title, text, answer):
        super().__init__(app, title, [text])
        self._answer = answer

    def cancel(self):
        """No answer is no."""
        self.app.back()
        return True

    def draw_hint(self, canvas, turn):
        """Yes and no."""
        hint(canvas, "OK " + texts.YES, (turn + " BACK " if turn else "BACK ") + texts.NO)

    def answered(self, key):
        """OK is yes, BACK is no."""
        if key == keys.OK:
            self.app.back()
            self._answer()
        elif key == keys.BACK:
            self.app.back()


class Pager(TextScreen):
    """Some texts, one after the other; any key that does not turn leaves.

    Args: pages: the texts; empty: shown if there are none.
    """

    def __init__(self, app, title, pages, empty):
        super().__init__(app, title, pages or [empty])

    def draw_hint(self, canvas, turn):
        """OK leaves."""
        hint(canvas, "OK " + texts.BACK, turn)

    def answered(self, key):
        """Leave."""
        self.app.back()


class Message(Pager):
    """One text that OK and BACK put away."""

    def __init__(self, app, title, text):
        super().__init__(app, title, [text], "")

    def draw_hint(self, canvas, turn):
        """OK goes on to what it stands before."""
        hint(canvas, "OK " + texts.NEXT, turn)
