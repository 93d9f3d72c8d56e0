"""Small chances that belong to no game: a roll-off, a coin, one of several, a direction."""

from tableside.core.rolls import own_rng
from tableside.ui import font_large, font_normal, font_small, tools_texts
from tableside.ui import input as keys
from tableside.ui.screen import Screen
from tableside.ui.widgets import fit, hint, paragraph, status

_DIE = 6
_RIGHT_X = 64  # of the second of two
_NAME_COLUMNS = 10
_LOWEST = 2
_MOST = 100
_CENTRE_X = 32
_CENTRE_Y = 32
_LENGTH = 20  # from the centre to the point of the arrow
_HEAD = 9
_HOURS = 12
_SINES = (0, 128, 222, 256, 222, 128, 0, -128, -222, -256, -222, -128)  # of whole hours, by 256


class Chance(Screen):
    """Base class: it is tried when it opens and with every OK. A subclass gives `try_it`, `draw_it` and `title`."""

    every_key = True
    title = ""
    more = "BACK"

    def __init__(self, app):
        super().__init__(app)
        self.rng = own_rng(app.device.entropy())
        self.count = 1
        self.try_it()

    def try_it(self):
        """Take a chance."""

    def draw_it(self, canvas):
        """What came."""

    def draw(self, canvas):
        """The result; how often it was tried, so that the same one is seen as new."""
        status(canvas, self.title, "#%d" % self.count)
        self.draw_it(canvas)
        hint(canvas, "OK " + tools_texts.ROLL_AGAIN, self.more)

    def event(self, key):
        """OK tries again."""
        if key == keys.OK:
            self.count += 1
            self.try_it()
        elif key == keys.BACK:
            self.app.back()


class RollOff(Chance):
    """Two dice; equal ones are rolled again."""

    title = tools_texts.TOOLS["RollOff"]

    def try_it(self):
        """Roll until they differ."""
        self._ties = -1
        self.faces = (0, 0)
        while self.faces[0] == self.faces[1]:
            self._ties += 1
            self.faces = (1 + self.rng.below(_DIE), 1 + self.rng.below(_DIE))

    def draw_it(self, canvas):
        """Both dice under their names, and who has won."""
        names = self._names()
        for i in range(2):
            x = i * _RIGHT_X
            canvas.text(fit(names[i], _NAME_COLUMNS), x + 2, 1, font_small)
            canvas.text(str(self.faces[i]), x + 16, 2, font_large)
        winner = names[0 if self.faces[0] > self.faces[1] else 1]
        paragraph(canvas, tools_texts.WON_BY % winner, 5, 2)
        if self._ties:
            canvas.right(tools_texts.TIES % self._ties, canvas.width, 1, font_small)

    def _names(self):
        session = self.app.session
        if session is not None and session.scenario.sides > 1:
            return [session.scenario.side_name(side) for side in range(2)]
        return tools_texts.FIRST_SECOND


class Coin(Chance):
    """Heads or tails."""

    title = tools_texts.TOOLS["Coin"]

    def try_it(self):
        """Toss it."""
        self.side = self.rng.below(2)

    def draw_it(self, canvas):
        """The side that is up."""
        canvas.text(tools_texts.COIN_SIDES[self.side], 4 * font_normal.WIDTH, 3, font_normal)


class PickNumber(Chance):
    """One of 1 to N; UP and DOWN change N."""

    title = tools_texts.TOOLS["PickNumber"]
    more = "↑↓ BACK"

    def try_it(self):
        """Pick one."""
        self.number = 1 + self.rng.below(self.most())

    def most(self):
        """N, as it was last."""
        return self.app.remembered.get("most", _DIE)

    def draw_it(self, canvas):
        """The number, none while N is being changed."""
        canvas.text(str(self.number or "-"), 4, 2, font_large)
        canvas.text(tools_texts.ONE_OF % self.most(), _RIGHT_X, 3, font_normal)

    def event(self, key):
        """UP and DOWN change N."""
        if key in (keys.UP, keys.DOWN):
            most = self.most() + (1 if key == keys.UP else -1)
            self.app.remembered["most"] = max(_LOWEST, min(_MOST, most))
            self.number = 0
        else:
            super().event(key)


class Scatter(Chance):
    """A direction, as an arrow and by the clock; 12 is the far edge of the display."""

    title = tools_texts.TOOLS["Scatter"]

    def try_it(self):
        """One of twelve."""
        self.hour = self.rng.below(_HOURS)

    def draw_it(self, canvas):
        """The arrow on the left, the hour on the right."""
        hour = self.hour
        x, y = _point(_CENTRE_X, _CENTRE_Y, hour, _LENGTH)
        tail_x, tail_y = _point(_CENTRE_X, _CENTRE_Y, hour + 6, _LENGTH)
        _line(canvas, tail_x, tail_y, x, y)
        for side in (5, 7):
            end_x, end_y = _point(x, y, hour + side, _HEAD)
            _line(canvas, x, y, end_x, end_y)
        canvas.text(str(hour or _HOURS), _RIGHT_X + 8, 2, font_large)
        canvas.text(tools_texts.O_CLOCK, _RIGHT_X + 8, 5, font_small)


def _point(x, y, hour, length):
    """So far from a point in the direction of an hour."""
    return x + _SINES[hour % _HOURS] * length // 256, y - _SINES[(hour + 3) % _HOURS] * length // 256


def _line(canvas, x, y, to_x, to_y):
    """A line two pixels thick."""
    steps = max(abs(to_x - x), abs(to_y - y))
    for i in range(steps + 1):
        at_x = x + (to_x - x) * i // steps
        at_y = y + (to_y - y) * i // steps
        for more_x in (0, 1):
            for more_y in (0, 1):
                row = at_y + more_y
                canvas.buf[(row >> 3) * canvas.width + at_x + more_x] |= 1 << (row & 7)
