"""What a screen is: a small class that draws itself and answers keys through the app. It owns no hardware."""

from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.widgets import List, hint, status


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
