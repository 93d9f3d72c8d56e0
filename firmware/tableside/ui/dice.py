"""Keying in the dice of a check, one face at a time. A face starts at 4 and wraps."""

from tableside.core import commands, engine
from tableside.core.pack import CHECK
from tableside.core.titles import expand
from tableside.ui import font_large, font_normal, texts
from tableside.ui import input as keys
from tableside.ui.play import status_line
from tableside.ui.screen import Screen
from tableside.ui.widgets import hint, paragraph

_FIRST_FACE = 4
_BESIDE_X = 40  # right of the large digits
_BESIDE_COLUMNS = 11


class Dice(Screen):
    """One die after the other; BACK corrects the one before, and the outcome is shown before the last OK."""

    def __init__(self, app):
        super().__init__(app)
        state = app.session.state
        self._check = engine.open_check(state)
        record = app.session.pack.record(CHECK, self._check)
        self._title = expand(state, app.session.pack.text(record[0]))
        self._prompt = expand(state, app.session.pack.text(record[1]))
        self._dice = record[3]
        self._faces = [min(_FIRST_FACE, engine.die(state, self._check, i)[1]) for i in range(self._dice)]
        self._at = 0

    def _outcome(self):
        state = self.app.session.state
        record = engine.outcome(state, self._check, engine.check_total(state, self._check, self._faces))
        return "" if record is None else expand(state, self.app.session.pack.text(record[2]))

    def draw(self, canvas):
        """The title, this die's face in large digits, and what follows from it once all dice are there."""
        status_line(self.app, canvas)
        if self._prompt:
            page = paragraph(canvas, self._title, 1, 1, False)
            paragraph(canvas, self._prompt, page, 1, False)
        else:
            paragraph(canvas, self._title, 1, 2)
        pack = self.app.session.pack
        die = engine.die(self.app.session.state, self._check, self._at)
        label = pack.text(die[0])
        if self._dice > 1:
            label = "%s %d/%d" % (label, self._at + 1, self._dice)
        canvas.text(label, _BESIDE_X, 3, font_normal)
        canvas.text(str(self._faces[self._at]), 4, 3, font_large)
        last = self._at == self._dice - 1
        if last:
            outcome = self._outcome()
            if len(outcome) <= _BESIDE_COLUMNS:
                canvas.text(outcome, _BESIDE_X, 5, font_normal)
            else:
                paragraph(canvas, outcome, 6, 1, False)
        hint(canvas, "OK " + (texts.ENTER if last else texts.NEXT_DIE), "^v")

    def event(self, key):
        """UP and DOWN change the face, OK goes on to the next die, BACK to the one before."""
        if key in (keys.UP, keys.DOWN):
            sides = engine.die(self.app.session.state, self._check, self._at)[1]
            step = 1 if key == keys.UP else sides - 1
            self._faces[self._at] = (self._faces[self._at] - 1 + step) % sides + 1
        elif key == keys.OK:
            if self._at < self._dice - 1:
                self._at += 1
            else:
                self.app.do(commands.ENTER, (self._check,) + tuple(self._faces))
        elif key == keys.BACK:
            if self._at:
                self._at -= 1
            else:
                self.app.home()
