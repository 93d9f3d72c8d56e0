"""Asking before something that undo cannot take back."""

from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.reading import TextScreen
from tableside.ui.widgets import hint


class Sure(TextScreen):
    """A question whose yes is UP twice: neither OK twice nor a chord for BACK that came apart is an answer.

    Args: title, text: what is asked; verb: what yes does; answer: called on yes, after the question has left.
    """

    def __init__(self, app, title, text, verb, answer):
        super().__init__(app, title, [text])
        self._verb = verb
        self._answer = answer
        self._half = False  # UP was pressed once

    def draw_hint(self, canvas, turn):
        """UP and BACK."""
        hint(canvas, ("↑ " if self._half else "↑↑ ") + self._verb, "BACK " + texts.NO)

    def event(self, key):
        """UP, UP is yes, BACK is no, DOWN turns the page."""
        half = self._half
        self._half = key == keys.UP and not half
        if key == keys.UP and half:
            self.app.back()
            self._answer()
        elif key == keys.BACK:
            self.app.back()
        elif key == keys.DOWN:
            super().event(key)
