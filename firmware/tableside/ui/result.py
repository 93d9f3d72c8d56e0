"""How the game ended."""

from tableside.core import commands
from tableside.core.fields import expand
from tableside.core.pack import NOBODY
from tableside.core.state import ABANDONED, CONCEDED, O_OVER, O_RESULT
from tableside.ui import font_small, texts
from tableside.ui import input as keys
from tableside.ui.play import pinned_lines
from tableside.ui.reading import Text
from tableside.ui.screen import Screen
from tableside.ui.widgets import fits, hint, paragraph, status

_TEXT_ROWS = 2
_COUNTER_ROWS = 2


class Result(Screen):
    """The result and what follows from it; DOWN shows what had no room, and the seed once all have confirmed."""

    def __init__(self, app):
        super().__init__(app)
        session = app.session
        state = session.state
        number = state.data[O_RESULT]
        self._title, self._text = self._without_result(state), ""
        if number != NOBODY:
            record = session.scenario.result(number)
            self._title = expand(state, session.pack.text(record[0]))
            self._text = expand(state, session.pack.text(record[1]))
        self._pinned = pinned_lines(state, _COUNTER_ROWS)
        more = []
        if not fits(self._title, _TEXT_ROWS) or not fits(self._text, _TEXT_ROWS):
            more.append(self._title + "\n" + self._text)
        # Where two players sit at the table, both confirm what the device says. Then there is nothing left to hide.
        players = session.scenario.players()
        self._asked = [side for side in players if len(players) > 1 and not state.confirmed(side)]
        if not self._asked:
            more.append(texts.SEED + " " + "".join("%02x" % byte for byte in state.seed()))
        self._more = Text(more or [self._title + "\n" + self._text])
        self._first_view = True
        self._campaign = session.carried()

    def _without_result(self, state):
        how = state.data[O_OVER]
        if how >= CONCEDED:
            return "%s: %s" % (texts.CONCEDED, state.scenario.side_name(how - CONCEDED))
        return texts.ABANDONED if how == ABANDONED else texts.NO_RESULT

    def draw(self, canvas):
        """Result in the normal face, then the next mission and the counters; or one of the other pages."""
        status(canvas, texts.ENDED, "" if self._first_view else self._more.mark())
        if self._first_view:
            page = paragraph(canvas, self._title, 1, _TEXT_ROWS)
            paragraph(canvas, self._text, page, _TEXT_ROWS, False)
            for i, line in enumerate(self._pinned):
                canvas.text(line, 0, 5 + i, font_small)
        else:
            self._more.draw(canvas)
        if self._asked:
            hint(canvas, "OK %s: %s" % (self.app.session.scenario.side_name(self._asked[0]), texts.AGREED), "↑↓")
        else:
            more = texts.MORE if self._more.mark() else texts.OK_SEED
            hint(canvas, "OK " + (texts.OK_CAMPAIGN if self._campaign else texts.OK_HOME), "↑↓ " + more)

    def event(self, key):
        """OK confirms for the side that the hint line names; then it goes on to the campaign, or home, as BACK does."""
        if key == keys.DOWN:
            if self._first_view:
                self._first_view = False
            else:
                self._more.turn(1)
        elif key == keys.UP:
            self._first_view = not self._more.turn(-1)
        elif key == keys.OK and self._asked:
            self.app.do(commands.CONFIRM, (self._asked[0],))
        elif key == keys.OK and self._campaign:
            self.app.go("campaign.Enter")
        elif key in (keys.OK, keys.BACK):
            self.app.home()
