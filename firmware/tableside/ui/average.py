"""The average of dice that were rolled by hand, beside what dice give in the long run."""

from tableside.ui import font_large, font_normal, font_small, texts, tools_texts
from tableside.ui import input as keys
from tableside.ui.screen import Screen
from tableside.ui.widgets import hint, status

_FIRST_FACE = 4
_SIDES = 6
_EXPECTED = 350  # hundredths
_BESIDE_X = 40
_UNDOABLE = 12
_MOST = 9999


def hundredths(number):
    """As players read it: 3.50."""
    return "%d.%02d" % (number // 100, number % 100)


class Average(Screen):
    """UP and DOWN turn the die, OK counts it, a long BACK takes the last one back, a long OK begins anew.

    It is kept until the device is switched off.
    """

    every_key = True

    def __init__(self, app):
        super().__init__(app)
        # How often each face came; then the last few faces, to be taken back.
        self._counts, self._last = app.remembered.setdefault("average", ([0] * _SIDES, []))
        self._face = _FIRST_FACE

    def count(self):
        """How many dice."""
        return sum(self._counts)

    def average(self):
        """In hundredths, rounded; 0 without dice."""
        count = self.count()
        total = sum((i + 1) * number for i, number in enumerate(self._counts))
        return (200 * total + count) // (2 * count) if count else 0

    def draw(self, canvas):
        """The die that is keyed in, the average beside what is expected, how often each face came."""
        count = self.count()
        status(canvas, tools_texts.TOOLS["Average"], tools_texts.DICE_COUNTED % count)
        canvas.text(str(self._face), 4, 1, font_large)
        if count:
            canvas.text(hundredths(self.average()), _BESIDE_X, 1, font_normal)
        canvas.text("%s %s" % (texts.EXPECTED, hundredths(_EXPECTED)), _BESIDE_X, 3, font_small)
        if self._last:
            last = " ".join(str(face) for face in self._last)
            canvas.right(last, canvas.width, 6, font_small)
        for i, number in enumerate(self._counts):
            x, page = i % 3 * 7 * font_small.WIDTH, 4 + i // 3
            canvas.text("%d:%d" % (i + 1, number), x, page, font_small)
        hint(canvas, "OK " + texts.ADD, "↑↓ " + tools_texts.HOLD_CLEAR)

    def event(self, key):
        """Count, turn, take back, begin anew, leave."""
        if key in (keys.UP, keys.DOWN):
            self._face = (self._face - 1 + (1 if key == keys.UP else _SIDES - 1)) % _SIDES + 1
        elif key == keys.OK and self.count() < _MOST:
            self._counts[self._face - 1] += 1
            self._last.append(self._face)
            del self._last[: max(0, len(self._last) - _UNDOABLE)]
        elif key == keys.BACK_LONG and self._last:
            self._face = self._last.pop()
            self._counts[self._face - 1] -= 1
        elif key == keys.OK_LONG and self.count():
            asked = tools_texts.CLEAR_AVERAGE % self.count()
            self.app.go("sure.Sure", tools_texts.TOOLS["Average"], asked, tools_texts.CLEAR, self._clear)
        elif key == keys.BACK:
            self.app.back()

    def _clear(self):
        for i in range(_SIDES):
            self._counts[i] = 0
        del self._last[:]
