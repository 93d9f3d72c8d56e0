"""A step with a checklist: tick what is done, then go on."""

from tableside.core import commands
from tableside.core.fields import expand
from tableside.core.pack import LINE
from tableside.core.rng import seal
from tableside.core.state import O_STEP, O_TICKS
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.play import status_line
from tableside.ui.screen import Screen
from tableside.ui.widgets import List, hint


class Checklist(Screen):
    """The lines of the step, then "Begin", then the seal of the seed. The cursor starts at the first open line."""

    def __init__(self, app):
        super().__init__(app)
        session = app.session
        state = session.state
        record = session.scenario.step(state.data[O_STEP])
        self._ticked = []
        rows = []
        for i in range(record[10]):
            ticked = state.data[O_TICKS + (i >> 3)] >> (i & 7) & 1
            self._ticked.append(ticked)
            text = expand(state, session.pack.text(session.pack.record(LINE, record[9] + i)[0]))
            rows.append((text, "\u2713" if ticked else "-"))
        self._lines = len(rows)
        rows.append((texts.BEGIN, ""))
        rows.append((texts.SEAL + " " + seal(state), ""))
        first = 0
        while first < self._lines and self._ticked[first]:
            first += 1
        self._list = List(rows, first)

    def draw(self, canvas):
        """The list; the hint names what OK does on this row."""
        status_line(self.app, canvas)
        self._list.draw(canvas)
        cursor = self._list.cursor
        if cursor < self._lines:
            hint(canvas, "OK " + (texts.UNTICK if self._ticked[cursor] else texts.TICK), "↑↓")
        elif cursor == self._lines:
            hint(canvas, "OK " + texts.BEGIN.lower(), "↑↓")
        else:
            hint(canvas, "BACK", "↑↓")

    def event(self, key):
        """OK ticks a line or goes on."""
        cursor = self._list.cursor
        if key == keys.UP:
            self._list.move(-1)
        elif key == keys.DOWN:
            self._list.move(1)
        elif key == keys.BACK:
            self.app.home()
        elif key == keys.OK and cursor < self._lines:
            self.app.do(commands.TICK, (cursor, 1 - self._ticked[cursor]))
        elif key == keys.OK and cursor == self._lines:
            self.app.do(commands.ADVANCE)
