"""How the game ended."""

from tableside.core.pack import NOBODY
from tableside.core.state import O_RESULT
from tableside.ui import font_small, texts
from tableside.ui import input as keys
from tableside.ui.play import pinned_lines
from tableside.ui.screen import Screen
from tableside.ui.widgets import hint, paragraph, status


class Result(Screen):
    """The result and what follows from it; DOWN shows the seed that the seal promised."""

    def __init__(self, app):
        super().__init__(app)
        self._show_seed = False

    def draw(self, canvas):
        """Result in the normal face, then the next mission and the counters, or the seed."""
        session = self.app.session
        state = session.state
        number = state.data[O_RESULT]
        title, text = texts.NO_RESULT, ""
        if number != NOBODY:
            record = session.scenario.result(number)
            title, text = session.pack.text(record[0]), session.pack.text(record[1])
        status(canvas, texts.ENDED)
        page = paragraph(canvas, title, 1, 2)
        if self._show_seed:
            paragraph(canvas, texts.SEED + " " + "".join("%02x" % byte for byte in state.seed()), page, 4, False)
        else:
            paragraph(canvas, text, page, 2, False)
            for i, line in enumerate(pinned_lines(state)[:2]):
                canvas.text(line, 0, 5 + i, font_small)
        hint(canvas, "OK " + texts.HOME.lower(), "^v " + texts.SEED.lower())

    def event(self, key):
        """OK and BACK go home; the game stays among the saved games."""
        if key in (keys.UP, keys.DOWN):
            self._show_seed = key == keys.DOWN
        elif key in (keys.OK, keys.BACK):
            self.app.home()
