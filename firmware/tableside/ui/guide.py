"""The guide that waits: a question, or what is done."""

from tableside.core import commands, guide
from tableside.core.fields import expand
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.reading import TextScreen
from tableside.ui.widgets import hint


class Guide(TextScreen):
    """OK is yes and BACK no. Under what is done OK begins the attack, or goes on, and BACK ends the walk."""

    def __init__(self, app):
        state = app.session.state
        title, text = [expand(state, state.scenario.pack.text(number)) for number in guide.texts(state)]
        super().__init__(app, title, [text])
        self._asked = guide.place(state)[2] == guide.ASKED
        self._attacks = guide.attacks(state)
        self._repeats = guide.repeats(state)

    def draw_hint(self, canvas, turn):
        """What OK and BACK do."""
        if self._asked:
            ok, back = texts.YES, texts.NO
        else:
            ok = texts.OK_ATTACK if self._attacks else texts.NEXT if self._repeats else texts.DONE
            back = texts.DONE if self._repeats and not self._attacks else ""
        right = "BACK " + back if back else "↓ " + texts.NEXT if self._attacks else ""
        hint(canvas, "OK " + ok, ("%s %s" % (turn, right)).strip())

    def event(self, key):
        """As in any text, but DOWN on the last page goes on without the attack."""
        if key == keys.DOWN and self._attacks:
            if not self._text.turn(1):
                self.app.do(commands.ANSWER, (guide.YES,))
        else:
            super().event(key)

    def answered(self, key):
        """Give the answer."""
        if key == keys.OK and self._attacks:
            self.app.do(commands.ANSWER, (guide.ATTACK,))
            self.app.go("attacks.Attacks")
        elif key == keys.OK:
            self.app.do(commands.ANSWER, (guide.YES,))
        elif key == keys.BACK:
            self.app.do(commands.ANSWER, (guide.NO,))
