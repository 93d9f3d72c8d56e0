"""Asking before something that undo cannot take back."""

from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.screen import TextScreen
from tableside.ui.widgets import hint


class Sure(TextScreen):
    """A question whose yes is not under OK: whoever pressed OK twice has not answered it.

    Args: title, text: what is asked; verb: what UP does; answer: called on yes, after the question has left.
    """

    def __init__(self, app, title, text, verb, answer):
        super().__init__(app, title, [text])
        self._verb = verb
        self._answer = answer

    def draw_hint(self, canvas, turn):
        """UP and BACK."""
        hint(canvas, "^ " + self._verb, "BACK " + texts.NO)

    def event(self, key):
        """UP is yes, BACK is no, DOWN turns the page."""
        if key == keys.UP:
            self.app.back()
            self._answer()
        elif key == keys.BACK:
            self.app.back()
        elif key == keys.DOWN:
            super().event(key)
