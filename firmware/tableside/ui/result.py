"""How the game ended."""

from tableside.core.pack import NOBODY
from tableside.core.state import O_RESULT
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.play import pinned_lines
from tableside.ui.screen import Screen
from tableside.ui.widgets import hint, paragraph, status


class Result(Screen):
    """The result, what follows from it, and the seed that the seal promised."""

    def draw(self, canvas):
        """Result in the normal face, then the next mission, counters and seed."""
        session = self.app.session
        state = session.state
        number = state.data[O_RESULT]
        title, text = texts.NO_RESULT, ""
        if number != NOBODY:
            record = session.scenario.result(number)
            title, text = session.pack.text(record[0]), session.pack.text(record[1])
        status(canvas, texts.ENDED)
        page = paragraph(canvas, title, 1, 2)
        page = paragraph(canvas, text, page, 2, False)
        paragraph(canvas, "  ".join(pinned_lines(state)), page, 1, False)
        paragraph(canvas, texts.SEED + " " + "".join("%02x" % byte for byte in state.seed()), 5, 2, False)
        hint(canvas, "OK " + texts.HOME.lower(), "hold BACK " + texts.UNDO.lower())

    def event(self, key):
        """OK and BACK go home; the game stays among the saved games."""
        if key in (keys.OK, keys.BACK):
            self.app.home()
