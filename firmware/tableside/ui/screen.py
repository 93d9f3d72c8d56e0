"""What a screen is: a small class that draws itself and answers keys through the app. It owns no hardware."""

from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.widgets import List, Text, hint, status


class Screen:
    """Base class. `draw` fills a cleared canvas; `event` handles a key; `tick` may act on time."""

    path = ""  # of the module, if it was imported for this screen alone
    has_menu = True
    every_key = False  # the screen gets the long presses too
    secret = False  # what is shown is not for everyone: the screen gets every key, and leaves for any other screen

    def __init__(self, app):
        self.app = app

    def draw(self, canvas):
        """Draw the screen on a cleared canvas."""

    def draw_move(self, canvas):
        """Draw only what UP or DOWN has changed, on a canvas that shows the rest. Returns: False to draw all."""
        return False

    def event(self, key):
        """Handle a key."""
        if key == keys.BACK:
            self.app.back()

    def prepare(self):
        """Do beforehand what the next key may need; called while nothing happens, once after each key."""

    def cancel(self):
        """Drop what has not been given yet. Returns whether there was something: else a long BACK is an undo."""
        return False

    def returned(self):
        """The screen above has left."""

    def tick(self, now_ms):
        """Called every step; nothing here may allocate. Returns whether to draw anew."""
        return False


class ListScreen(Screen):
    """A titled list. A subclass gives `rows()`, `title` and `chosen(index)`."""

    title = ""
    verb = ""  # the usual one
    leave = "BACK"

    def __init__(self, app):
        super().__init__(app)
        self.list = List(self.rows())
        self._hint = None  # as drawn

    def rows(self):
        """A list of (left, right) texts."""
        return []

    def chosen(self, index):
        """OK was pressed on a row."""

    def draw(self, canvas):
        """Status line, list, hint line."""
        self.head(canvas)
        self.list.draw(canvas)
        self._hint = self.ok_hint(), self.leave_hint()
        hint(canvas, *self._hint)

    def draw_move(self, canvas):
        """The cursor, and the hint line if it has changed."""
        if not self.list.draw_move(canvas):
            return False
        told = self.ok_hint(), self.leave_hint()
        if told != self._hint:
            self._hint = told
            canvas.fill(0, 7, canvas.width, 1, 0)
            hint(canvas, *told)
        return True

    def head(self, canvas):
        """The status line, which does not depend on the cursor."""
        status(canvas, self.title)

    def ok_hint(self):
        """What OK does on the row of the cursor."""
        return "OK " + (self.verb or texts.CHOOSE) if self.list.rows else ""

    def leave_hint(self):
        """What else there is."""
        return self.leave

    def event(self, key):
        """UP and DOWN move, OK chooses, BACK leaves; a secret list is left with any other key as well."""
        if key == keys.UP:
            self.list.move(-1)
        elif key == keys.DOWN:
            self.list.move(1)
        elif key == keys.OK and self.list.rows:
            self.chosen(self.list.cursor)
        elif key == keys.BACK or self.secret:
            self.app.back()


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
