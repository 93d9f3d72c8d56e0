"""What a screen is: a small class that draws itself and answers keys through the app. It owns no hardware."""

from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.widgets import List, hint, paragraph, status


class Screen:
    """Base class. `draw` fills a cleared canvas; `event` handles a key; `tick` may act on time."""

    has_menu = True
    secret = False  # any button takes it away, and nothing brings it back

    def __init__(self, app):
        self.app = app

    def draw(self, canvas):
        """Draw the screen on a cleared canvas."""

    def event(self, key):
        """Handle a key."""
        if key == keys.BACK:
            self.app.back()

    def tick(self, now_ms):
        """Called every step; nothing here may allocate. Returns whether to draw anew."""
        return False


class ListScreen(Screen):
    """A titled list. A subclass gives `rows()`, `title` and `chosen(index)`."""

    title = ""
    verb = texts.CHOOSE
    leave = "BACK"

    def __init__(self, app):
        super().__init__(app)
        self.list = List(self.rows())

    def rows(self):
        """A list of (left, right) texts."""
        return []

    def chosen(self, index):
        """OK was pressed on a row."""

    def draw(self, canvas):
        """Status line, list, hint line."""
        status(canvas, self.title)
        self.list.draw(canvas)
        hint(canvas, "OK " + self.verb if self.list.rows else "", self.leave)

    def event(self, key):
        """UP and DOWN move, OK chooses, BACK leaves."""
        if key == keys.UP:
            self.list.move(-1)
        elif key == keys.DOWN:
            self.list.move(1)
        elif key == keys.OK and self.list.rows:
            self.chosen(self.list.cursor)
        elif key == keys.BACK:
            self.app.back()


class Question(Screen):
    """Yes or no. OK means yes.

    Args: answer: called on yes, after the question has left the screen.
    """

    def __init__(self, app, title, text, answer):
        super().__init__(app)
        self._title = title
        self._text = text
        self._answer = answer

    def draw(self, canvas):
        """The question in the largest face that fits."""
        status(canvas, self._title)
        paragraph(canvas, self._text, 1, 6)
        hint(canvas, "OK " + texts.YES, "BACK " + texts.NO)

    def event(self, key):
        """OK is yes, BACK is no."""
        if key == keys.OK:
            self.app.back()
            self._answer()
        elif key == keys.BACK:
            self.app.back()


class Pager(Screen):
    """Some texts, one at a time; UP and DOWN turn, anything else leaves.

    Args: title: of all; pages: the texts; empty: shown if there are none.
    """

    def __init__(self, app, title, pages, empty):
        super().__init__(app)
        self._title = title
        self._pages = pages or [empty]
        self._at = 0

    def draw(self, canvas):
        """One text in full."""
        count = len(self._pages)
        status(canvas, self._title, "%d/%d" % (self._at + 1, count) if count > 1 else "")
        paragraph(canvas, self._pages[self._at], 1, 6)
        hint(canvas, "OK " + texts.BACK, "^v" if count > 1 else "")

    def event(self, key):
        """Turn or leave."""
        if key in (keys.UP, keys.DOWN):
            step = 1 if key == keys.DOWN else -1
            self._at = max(0, min(len(self._pages) - 1, self._at + step))
        else:
            self.app.back()


class Message(Screen):
    """A text that any of OK and BACK puts away."""

    def __init__(self, app, title, text):
        super().__init__(app)
        self._title = title
        self._text = text

    def draw(self, canvas):
        """The text in the largest face that fits."""
        status(canvas, self._title)
        paragraph(canvas, self._text, 1, 6)
        hint(canvas, "OK " + texts.BACK)

    def event(self, key):
        """OK and BACK leave."""
        if key in (keys.OK, keys.BACK):
            self.app.back()
