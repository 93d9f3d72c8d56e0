"""Writing a name with two keys, where there is no roster to choose from."""

from tableside.ui import campaign_texts, font_normal, texts
from tableside.ui import input as keys
from tableside.ui.screen import Screen
from tableside.ui.widgets import BIG_COLUMNS, hint, status

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-.' "
_DONE = len(_LETTERS)  # behind the last, which is before the first
_MOST = BIG_COLUMNS - 1  # letters of a name, with the mark behind it
_SHOWN = 3  # letters on either side


class Letters(Screen):
    """UP and DOWN turn the letters, OK takes one, BACK takes the last one back; the mark before the first letter ends.

    Args: title; answer: called with the name, after this has left the screen.
    """

    def __init__(self, app, title, answer):
        super().__init__(app)
        self._title = title
        self._answer = answer
        self._name = ""
        self._at = 0

    def draw(self, canvas):
        """The name, below it the letters around the one at the cursor."""
        status(canvas, self._title, "%d/%d" % (len(self._name), _MOST))
        canvas.text(self._name + "_", 0, 1, font_normal)
        for i in range(-_SHOWN, _SHOWN + 1):
            letter = self._letter(self._at + i)
            x = canvas.width // 2 + 17 * i - 4
            canvas.text(letter, x, 4, font_normal, not i)
        done = self._at == _DONE
        hint(canvas, "OK " + (texts.DONE if done else campaign_texts.TAKE), "BACK " + campaign_texts.RUB_OUT)

    def _letter(self, at):
        at %= _DONE + 1
        if at == _DONE:
            return "\u2713"
        letter = _LETTERS[at]
        if not self._name or self._name.endswith(" "):
            letter = letter.upper()
        return "_" if letter == " " else letter

    def event(self, key):
        """Turn, take, take back, end."""
        if key in (keys.UP, keys.DOWN):
            self._at = (self._at + (1 if key == keys.DOWN else _DONE)) % (_DONE + 1)
        elif key == keys.OK and self._at == _DONE:
            name = self._name.strip()
            if name:
                self.app.back()
                self._answer(name)
        elif key == keys.OK and len(self._name) < _MOST:
            self._name += " " if _LETTERS[self._at] == " " else self._letter(self._at)
            self._at = 0
        elif key == keys.BACK and self._name:
            self._name = self._name[:-1]
        elif key == keys.BACK:
            self.app.back()
