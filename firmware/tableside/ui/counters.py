"""Counters: the list of all, and changing one with a preview."""

from tableside.core import commands
from tableside.core.ticks import ticks_diff
from tableside.core.titles import counter_text
from tableside.ui import font_large, font_normal, texts
from tableside.ui import input as keys
from tableside.ui.screen import ListScreen, Screen
from tableside.ui.widgets import hint, paragraph, status

_COMMIT_AFTER_MS = 4000


class Counters(ListScreen):
    """Every counter of the scenario with its value."""

    title = texts.ALL_COUNTERS

    def rows(self):
        """One row a counter."""
        state = self.app.session.state
        scenario = self.app.session.scenario
        return [
            (scenario.pack.text(scenario.counter(i)[0]), counter_text(state, i, state.counter(i)))
            for i in range(scenario.counters)
        ]

    def chosen(self, index):
        """Change it."""
        self.app.go("counters.Edit", index)


class Edit(Screen):
    """Changing one counter: the old value, the change and the result. It is set with OK, or after a pause.

    Args: counter: its number.
    """

    def __init__(self, app, counter):
        super().__init__(app)
        self._counter = counter
        record = app.session.scenario.counter(counter)
        self._name = app.session.pack.text(record[0])
        self._low, self._high = record[2], record[3]
        self._old = self._new = app.session.state.counter(counter)
        self._changed_ms = 0

    def draw(self, canvas):
        """For example: 5 +2 = 7. A counter with names shows its name."""
        status(canvas, self._name)
        state = self.app.session.state
        new = counter_text(state, self._counter, self._new)
        if new != str(self._new):
            paragraph(canvas, new, 2, 4)
        elif self._new == self._old:
            canvas.text(new, 0, 2, font_large)
        else:
            canvas.text("%d %+d =" % (self._old, self._new - self._old), 0, 1, font_normal)
            canvas.text(new, 0, 3, font_large)
        hint(canvas, "OK " + texts.SAVE, "^v BACK")

    def event(self, key):
        """UP and DOWN change within the bounds, OK sets, BACK leaves it as it was."""
        if key in (keys.UP, keys.DOWN):
            step = 1 if key == keys.UP else -1
            self._new = max(self._low, min(self._high, self._new + step))
            self._changed_ms = self.app.now_ms
        elif key == keys.OK:
            self._commit()
        elif key == keys.BACK:
            self.app.back()

    def tick(self, now_ms):
        """Set the value once nothing was changed for a while."""
        if self._new == self._old or ticks_diff(now_ms, self._changed_ms) < _COMMIT_AFTER_MS:
            return False
        self._commit()
        return True

    def _commit(self):
        if self._new == self._old:
            self.app.back()
        else:
            self.app.do(commands.ADJUST, (self._counter, self._new))
