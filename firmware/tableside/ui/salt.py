"""The salt of the players: two numbers that the device could not know when it chose its seed."""

from tableside.core import commands
from tableside.ui import texts
from tableside.ui.number import Number

_MOST = 99


class Salt(Number):
    """A number from either end of the table; with the seed they decide every shuffle and roll."""

    def __init__(self, app):
        self._first = -1
        super().__init__(app, texts.SALT + " 1/2", 0, _MOST, 0)

    def commit(self, value):
        """The other one, then both are given."""
        if self._first < 0:
            self._first = value
            self.ask(texts.SALT + " 2/2", 0, _MOST, 0)
        else:
            self.app.do(commands.SALT, (self._first, value))
