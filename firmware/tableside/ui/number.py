"""Changing a number: the old one, the change and the result."""

from tableside.core.ticks import ticks_diff
from tableside.ui import font_large, font_normal, texts
from tableside.ui import input as keys
from tableside.ui.screen import Screen
from tableside.ui.widgets import hint, paragraph, status

_COMMIT_AFTER_MS = 4000


class Number(Screen):
    """A number within bounds. It is set with OK, or after a pause. A subclass gives `commit(value)`.

    Args: name: what it is; low, high: its bounds; value: the old one.
    """

    verb = texts.SAVE

    def __init__(self, app, name, low, high, value):
        super().__init__(app)
        self._changed_ms = 0
        self.ask(name, low, high, value)

    def ask(self, name, low, high, value):
        """Begin with this number."""
        self._name = name
        self._low = low
        self._high = high
        self._old = self._new = value

    def shown(self, value):
        """A value as the players read it."""
        return str(value)

    def note(self, value):
        """What follows from a value, in a few characters."""
        return ""

    def commit(self, value):
        """OK was pressed, or the pause is over."""

    def draw(self, canvas):
        """For example: 5 +2 = 7. A value with a name shows its name."""
        status(canvas, self._name)
        new = self.shown(self._new)
        if new.rstrip("+") != str(self._new):
            paragraph(canvas, new, 2, 4)
        elif self._new == self._old:
            canvas.text(new, 0, 2, font_large)
        else:
            canvas.text("%d %+d =" % (self._old, self._new - self._old), 0, 1, font_normal)
            canvas.text(new, 0, 3, font_large)
        canvas.right(self.note(self._new), canvas.width, 4, font_normal)
        hint(canvas, "OK " + self.verb, "↑↓ BACK")

    def event(self, key):
        """UP and DOWN change within the bounds, OK sets, BACK leaves it as it was."""
        if key in (keys.UP, keys.DOWN):
            step = 1 if key == keys.UP else -1
            self._new = max(self._low, min(self._high, self._new + step))
            self._changed_ms = self.app.now_ms
        elif key == keys.OK:
            self.commit(self._new)
        elif key == keys.BACK:
            self.app.back()

    def cancel(self):
        """Back to the old number."""
        changed = self._new != self._old
        self._new = self._old
        return changed

    def returned(self):
        """The pause begins anew."""
        self._changed_ms = self.app.now_ms

    def tick(self, now_ms):
        """Set the value once nothing was changed for a while."""
        if self._new == self._old or ticks_diff(now_ms, self._changed_ms) < _COMMIT_AFTER_MS:
            return False
        new, self._old = self._new, self._new  # a refusal is told once
        self.commit(new)
        return True
