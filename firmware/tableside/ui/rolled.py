"""Rolled v expected: the dice of this session by side and by what they were for."""

from tableside.core.pack import NOBODY
from tableside.core.rolled import SCALE, Rolled
from tableside.core.stage_words import bin_word, title
from tableside.ui import texts
from tableside.ui.failures import words
from tableside.ui.screen import ListScreen
from tableside.ui.stage import tenths
from tableside.ui.widgets import List, hint, paragraph, status

_AT_ONCE = 12  # commands a step: keys are still seen meanwhile


class RolledPage(ListScreen):
    """A row for each kind of dice and each bin: how many there were, and in brackets how many to be expected.

    Nothing of it is kept while a game is played: the log is read when this opens, and the screen shows how far.
    """

    title = texts.ROLLED
    leave = "BACK"

    def __init__(self, app):
        self._rolled = Rolled(app.session)
        self._all = max(1, self._rolled.left)
        self._shown = -1  # per cent
        self._fault = ""
        super().__init__(app)

    def tick(self, now_ms):
        """Go on reading."""
        if self._rolled is None:
            return False
        try:
            more = self._rolled.go_on(_AT_ONCE)
        except (OSError, ValueError) as error:
            self._fault = words(error)
            more = False
        if more:
            part = 10 * (self._all - self._rolled.left) // self._all
            news = part != self._shown
            self._shown = part
            return news
        self.list = List([] if self._fault else self._rows(self._rolled.rolls))
        self._rolled = None
        return True

    def _rows(self, rolls):
        scenario = self.app.session.scenario
        rows = []
        last = None
        for key in sorted(rolls):
            side, what, _ = key
            if side != last:
                last = side
                name = "" if side == NOBODY else scenario.side_name(side)
                if name:
                    rows.append(("- %s -" % name, ""))
            found = rolls[key]
            rows.append((title(what), "%d %s" % (found.dice, texts.DICE)))
            for name, count, mean in found.bins:
                rows.append((" " + bin_word(name), "%d (%s)" % (count, tenths(mean, SCALE))))
        return rows

    def draw(self, canvas):
        """The rows; before they are there, how far the log is read."""
        if self.list.rows:
            super().draw(canvas)
            return
        status(canvas, self.title)
        text = self._fault or texts.NO_DICE_YET
        if self._rolled is not None:
            text = "%s %d %%" % (texts.WAIT, 10 * max(0, self._shown))
        paragraph(canvas, text, 1, 6)
        hint(canvas, "", self.leave)

    def head(self, canvas):
        """What the brackets are."""
        status(canvas, self.title, "(%s)" % texts.EXPECTED)

    def ok_hint(self):
        """OK does nothing here."""
        return "↑↓"
