"""How long the game and each side has taken since the device was switched on or the game was taken up."""

from tableside.core.pack import NOBODY
from tableside.core.ticks import ticks_diff
from tableside.ui import font_small, texts
from tableside.ui.screen import Screen
from tableside.ui.widgets import COLUMNS, fit, hint, status

_SIDES_SHOWN = 5


def _words(ms):
    seconds = ms // 1000
    return "%d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


class TurnClock:
    """Adds up the time of every side; the side whose turn it is takes it.

    Args: sides: how many there are; now_ms: when it starts.
    """

    def __init__(self, sides, now_ms):
        self._since_ms = now_ms
        self._actor = NOBODY
        self._ms = [0] * sides
        self._total_ms = 0

    def turn(self, actor, now_ms):
        """From now on it is the turn of `actor`, or NOBODY."""
        passed_ms = ticks_diff(now_ms, self._since_ms)
        self._since_ms = now_ms
        self._total_ms += passed_ms
        if self._actor != NOBODY:
            self._ms[self._actor] += passed_ms
        self._actor = actor

    def times(self, now_ms):
        """(the whole time, that of each side) in milliseconds."""
        self.turn(self._actor, now_ms)
        return self._total_ms, self._ms


class ClockPage(Screen):
    """The times, running."""

    def __init__(self, app):
        super().__init__(app)
        self._drawn_ms = app.now_ms

    def draw(self, canvas):
        """One row a side."""
        self._drawn_ms = self.app.now_ms
        total_ms, ms = self.app.clock.times(self.app.now_ms)
        scenario = self.app.session.scenario
        status(canvas, texts.CLOCK)
        self._row(canvas, 1, texts.WHOLE_GAME, total_ms)
        for side in range(min(scenario.sides, _SIDES_SHOWN)):
            self._row(canvas, 2 + side, scenario.side_name(side), ms[side])
        hint(canvas, "OK " + texts.BACK)

    def _row(self, canvas, page, name, ms):
        words = _words(ms)
        canvas.text(fit(name, COLUMNS - len(words) - 1), 0, page, font_small)
        canvas.right(words, canvas.width, page, font_small)

    def event(self, key):
        """Any key leaves."""
        self.app.back()

    def tick(self, now_ms):
        """Draw again every second."""
        return ticks_diff(now_ms, self._drawn_ms) >= 1000
