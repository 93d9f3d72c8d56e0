"""Putting dice of one's own together: 3D6+1D8+2, the best or worst of them."""

from tableside.core.rolls import MOST_DICE, MOST_KINDS, MOST_PLUS, SIDES, to_front
from tableside.ui import font_large, font_normal, texts, tools_texts
from tableside.ui import input as keys
from tableside.ui.roll_words import kept_words, roll_words
from tableside.ui.screen import Screen
from tableside.ui.widgets import hint, paragraph, status

_RECENT = 6
_LABEL_X = 72
# What is asked.
_COUNT = 0
_SIDES = 1
_THEN = 2
_PLUS = 3
_KEEP = 4
_MORE = 5  # only as an answer of _THEN
_ROLL = 6


class OwnDice(Screen):
    """How many, how many sides, then what else; OK goes on, and rolls in the end."""

    every_key = True

    def __init__(self, app):
        super().__init__(app)
        kinds, self._plus, self._keep = app.remembered.get("own", (((2, 6),), 0, 0))
        self._kinds = [list(kind) for kind in kinds]
        self._kind = 0
        self._asked = _COUNT
        self._then = 0

    def _dice(self):
        return sum(count for count, _ in self._kinds)

    def _trim(self):
        """Fewer dice than are to be kept: all are."""
        if abs(self._keep) >= self._dice():
            self._keep = 0

    def _answers(self):
        """What may follow."""
        answers = [_ROLL, _PLUS]
        if self._dice() > 1:
            answers.append(_KEEP)
        if len(self._kinds) < MOST_KINDS and self._dice() < MOST_DICE:
            answers.append(_MORE)
        return answers

    def draw(self, canvas):
        """The dice so far, and what is asked."""
        status(canvas, tools_texts.TOOLS["OwnDice"])
        paragraph(canvas, roll_words(self._kinds, self._plus, self._keep), 1, 2)
        verb = texts.NEXT_NUMBER
        if self._asked == _THEN:
            answer = self._answers()[self._then]
            verb = texts.ROLL if answer == _ROLL else texts.CHOOSE
            paragraph(canvas, tools_texts.THEN[answer - _PLUS], 4, 2)
        elif self._asked == _KEEP:
            paragraph(canvas, kept_words(self._keep) or texts.KEEP_ALL, 4, 2)
            if self._keep:
                paragraph(canvas, tools_texts.DROPS % (self._dice() - abs(self._keep)), 6, 1, False)
        else:
            count, sides = self._kinds[self._kind]
            value = ("%d" % count, "D%d" % sides, "", "%+d" % self._plus)[self._asked]
            digits = value.lstrip("D")
            canvas.text(digits, 4, 3, font_large)
            canvas.text(tools_texts.OWN_LABELS[self._asked], _LABEL_X, 4, font_normal)
        hint(canvas, "OK " + verb, "↑↓ BACK")

    def event(self, key):
        """UP and DOWN change, OK goes on, BACK to what was asked before."""
        if key in (keys.UP, keys.DOWN):
            self._change(1 if key == keys.UP else -1)
        elif key == keys.OK:
            self._go_on()
        elif key == keys.BACK:
            self._go_back()

    def _change(self, step):
        kind = self._kinds[self._kind]
        if self._asked == _COUNT:
            others = self._dice() - kind[0]
            kind[0] = max(1, min(MOST_DICE - others, kind[0] + step))
            self._trim()
        elif self._asked == _SIDES:
            at = SIDES.index(kind[1]) + step
            kind[1] = SIDES[max(0, min(len(SIDES) - 1, at))]
        elif self._asked == _PLUS:
            self._plus = max(-MOST_PLUS, min(MOST_PLUS, self._plus + step))
        elif self._asked == _KEEP:
            most = self._dice() - 1
            self._keep = max(-most, min(most, self._keep + step))
        else:
            self._then = (self._then - step) % len(self._answers())

    def _go_on(self):
        answer = self._answers()[self._then] if self._asked == _THEN else _THEN
        self._then = 0
        if self._asked == _COUNT:
            answer = _SIDES
        if answer == _MORE:
            self._kinds.append([1, SIDES[3]])
            self._kind += 1
            answer = _COUNT
        if answer == _ROLL:
            self._roll()
        else:
            self._asked = answer

    def _go_back(self):
        if self._asked == _COUNT and not self._kind:
            self.app.back()
        elif self._asked == _COUNT:
            self._kinds.pop()
            self._kind -= 1
            self._trim()
            self._asked = _THEN
        else:
            self._asked = _THEN if self._asked > _THEN else self._asked - 1
        self._then = 0

    def _roll(self):
        entry = (tuple(tuple(kind) for kind in self._kinds), self._plus, self._keep)
        self.app.remembered["own"] = entry
        to_front(self.app.remembered.setdefault("tools", []), entry, _RECENT)
        self.app.back()
        self.app.go("roller.Rolled", entry)
