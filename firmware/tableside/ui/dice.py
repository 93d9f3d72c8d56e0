"""Keying in the dice of a check, one face at a time. A face starts at 4 and wraps."""

from tableside.core import commands, engine
from tableside.core.fields import expand
from tableside.core.forecast import rolled
from tableside.core.pack import CHECK, OUTCOME
from tableside.ui import font_large, font_normal, font_small, texts
from tableside.ui import input as keys
from tableside.ui.play import status_line
from tableside.ui.reading import Text
from tableside.ui.screen import Screen
from tableside.ui.settings import ENTRY_DEVICE
from tableside.ui.widgets import clip, fits, hint, paragraph

_FIRST_FACE = 4
_BESIDE_X = 40  # right of the large digits
_BESIDE_COLUMNS = 11
_BESIDE_SMALL = 14  # columns of the small face
_READING = -1  # in place of a die: the texts are read first


class Dice(Screen):
    """One die after the other; BACK corrects the one before, and the outcome is shown before the last OK.

    Texts that have no room beside the dice are read on a page before them. If the device is set to roll, OK rolls all
    dice at once, and UP or DOWN takes them in hand after all.
    """

    def __init__(self, app):
        super().__init__(app)
        state = app.session.state
        pack = app.session.pack
        self._check = engine.open_check(state)
        record = pack.record(CHECK, self._check)
        self._title = expand(state, pack.text(record[0]))
        self._prompt = expand(state, pack.text(record[1]))
        self._dice = record[3]
        dice = [engine.die(state, self._check, i) for i in range(self._dice)]
        self._start = [min(_FIRST_FACE, die[1]) for die in dice]
        self._faces = list(self._start)
        labels = [pack.text(die[0]) for die in dice]
        self._labels = labels
        if self._dice > 1:
            self._labels = ["%s %d/%d" % (label, i + 1, self._dice) for i, label in enumerate(labels)]
        self._text = None
        parts = [self._title] + ([self._prompt] if self._prompt else [])
        if not self._all_fits(state, record):
            self._text = Text(["\n".join(parts + [label for label in labels if label])])
        self._first = self._at = 0 if self._text is None else _READING
        self._by_device = app.settings.get("entry") == ENTRY_DEVICE

    def _all_fits(self, state, record):
        """Whether title, prompt, labels and outcomes have room on the screen of a die."""
        pack = self.app.session.pack
        title = self._title if self._prompt else ""
        outcomes = [expand(state, pack.text(pack.record(OUTCOME, record[6] + i)[2])) for i in range(record[7])]
        lines = [title, self._prompt] + outcomes
        return fits(self._title, 2) and all(fits(line, 1) for line in lines) and all(
            len(label) <= _BESIDE_COLUMNS for label in self._labels
        )

    def cancel(self):
        """Begin again with the first die."""
        changed = self._at > self._first or self._faces != self._start
        self._at = self._first
        self._faces = list(self._start)
        return changed

    def _outcome(self, faces):
        state = self.app.session.state
        record = engine.outcome(state, self._check, engine.check_total(state, self._check, faces))
        return "" if record is None else expand(state, self.app.session.pack.text(record[2]))

    def draw(self, canvas):
        """The title, this die's face in large digits, and what follows from it once all dice are there."""
        if self._at == _READING:
            status_line(self.app, canvas, self._text.mark())
            self._text.draw(canvas)
            hint(canvas, "OK " + texts.NEXT, "↑↓" if self._text.mark() else "")
            return
        status_line(self.app, canvas)
        last = self._at == self._dice - 1
        outcome = self._outcome(self._faces) if last and not self._by_device else ""
        if self._text is not None:
            self._draw_tight(canvas, outcome)
        else:
            self._draw_all(canvas, outcome)
        if self._by_device:
            hint(canvas, "OK " + texts.ROLL, "↑↓ " + texts.BY_HAND)
        else:
            hint(canvas, "OK " + (texts.ENTER if last else texts.NEXT_DIE), "↑↓")

    def _face(self):
        return "-" if self._by_device else str(self._faces[self._at])

    def _draw_all(self, canvas, outcome):
        if self._prompt:
            paragraph(canvas, self._title, 1, 1, False)
            paragraph(canvas, self._prompt, 2, 1, False)
        else:
            paragraph(canvas, self._title, 1, 2)
        canvas.text(self._labels[self._at], _BESIDE_X, 3, font_normal)
        canvas.text(self._face(), 4, 3, font_large)
        if self.app.toast:  # that takes the row below
            canvas.text(clip(outcome, _BESIDE_SMALL, 1)[0], _BESIDE_X, 5, font_small)
        elif len(outcome) <= _BESIDE_COLUMNS:
            canvas.text(outcome, _BESIDE_X, 5, font_normal)
        else:
            paragraph(canvas, outcome, 6, 1, False)

    def _draw_tight(self, canvas, outcome):
        """The prompt was read before: its place is for two rows of label and of outcome."""
        paragraph(canvas, self._title, 1, 1, False)
        label = self._labels[self._at]
        if len(label) <= _BESIDE_COLUMNS:
            canvas.text(label, _BESIDE_X, 2, font_normal)
        else:
            for i, line in enumerate(clip(label, _BESIDE_SMALL, 2)):
                canvas.text(line, _BESIDE_X, 2 + i, font_small)
        canvas.text(self._face(), 4, 2, font_large)
        paragraph(canvas, outcome, 5, 2, False)

    def event(self, key):
        """UP and DOWN change the face, OK goes on to the next die, BACK to the one before."""
        if key in (keys.UP, keys.DOWN):
            if self._at == _READING:
                self._text.turn(1 if key == keys.DOWN else -1)
                return
            if self._by_device:
                self._by_device = False
                return
            sides = engine.die(self.app.session.state, self._check, self._at)[1]
            step = 1 if key == keys.UP else sides - 1
            self._faces[self._at] = (self._faces[self._at] - 1 + step) % sides + 1
        elif key == keys.OK and self._by_device and self._at != _READING:
            title = self.app.title(commands.ROLL, (self._check,))
            outcome = self._outcome(rolled(self.app.session.state, self._check))
            self.app.do(commands.ROLL, (self._check,))
            self.app.say("%s: %s" % (title, outcome) if outcome else title)
        elif key == keys.OK:
            if self._at < self._dice - 1:
                self._at += 1
            else:
                self.app.do(commands.ENTER, (self._check,) + tuple(self._faces))
        elif key == keys.BACK:
            if self._at > self._first:
                self._at -= 1
            else:
                self.app.toast = texts.HINT_PLAY  # one BACK too many does not leave the game
