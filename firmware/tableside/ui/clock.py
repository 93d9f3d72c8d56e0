"""The page of the clock: what each side has taken, and the key that pauses it."""

from tableside.core.pack import NOBODY
from tableside.core.state import O_ROUND
from tableside.ui import font_normal, font_small, texts
from tableside.ui import input as keys
from tableside.ui.screen import Screen
from tableside.ui.widgets import fit, hint, paragraph, status

_ROWS = 6
_TALL_ROWS = 2  # so many of the normal face have room


def _words(ms):
    seconds = ms // 1000
    return "%d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def _row(canvas, page, name, ms, face):
    words = _words(ms)
    canvas.text(fit(name, canvas.width // face.WIDTH - len(words) - 1), 0, page, face)
    canvas.right(words, canvas.width, page, face)


class ClockPage(Screen):
    """The times, running; OK pauses. If the clock is off, OK turns it on."""

    def __init__(self, app):
        super().__init__(app)
        self._drawn_s = 0

    def draw(self, canvas):
        """A row for each side, the time of nobody and the whole; the round is in the status line."""
        clock = self.app.clock
        if clock is None:
            status(canvas, texts.CLOCK)
            paragraph(canvas, texts.CLOCK_OFF, 2, 4, False)
            hint(canvas, "OK " + texts.CLOCK_ON, "BACK")
            return
        self._drawn_s = clock.total_ms() // 1000
        status(canvas, texts.CLOCK, texts.PAUSED if clock.paused else self._round_words(clock))
        scenario = self.app.session.scenario
        rows = [(scenario.side_name(side), side) for side in range(scenario.sides)]
        if clock.side_ms(NOBODY) or clock.running(NOBODY):
            rows.append((texts.NOBODYS_TIME, NOBODY))
        face = font_normal if len(rows) <= _TALL_ROWS else font_small
        for i, (name, side) in enumerate(rows[: _ROWS - 1]):
            _row(canvas, 1 + i * face.PAGES, (">" if clock.running(side) else " ") + name, clock.side_ms(side), face)
        _row(canvas, _ROWS, " " + texts.WHOLE_GAME, clock.total_ms(), font_small)
        hint(canvas, "OK " + (texts.GO_ON.lower() if clock.paused else texts.PAUSE), "BACK")

    def _round_words(self, clock):
        number = self.app.session.state.data[O_ROUND]
        words = _words(clock.round_ms())
        if number:
            words = "%s%d %s" % (texts.ROUND, number, words)
        return "%s/%d'" % (words, clock.target_min) if clock.target_min else words

    def event(self, key):
        """OK pauses, goes on, or turns it on; BACK leaves."""
        if key == keys.OK and self.app.clock is None:
            self.app.settings.set("clock", 1)
            self.app.settings.save_later()
            self.app.settings_changed()
        elif key == keys.OK:
            self.app.clock.pause(self.app.now_ms)
        elif key == keys.BACK:
            self.app.back()

    def tick(self, now_ms):
        """Draw again every second."""
        return self.app.clock is not None and self.app.clock.total_ms() // 1000 != self._drawn_s
