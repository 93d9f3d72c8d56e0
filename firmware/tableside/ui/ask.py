"""A question of the pack's code: a choice, on the board if it is about rows of it, or one die."""

from tableside.core import commands, engine
from tableside.core.code import BY_HAND
from tableside.core.pack import NOBODY
from tableside.core.state import O_ROUND
from tableside.ui import font_large, font_normal, font_small, texts
from tableside.ui import input as keys
from tableside.ui.board import draw_rows
from tableside.ui.play import Play, pinned_lines
from tableside.ui.screen import ListScreen
from tableside.ui.settings import ENTRY_DEVICE
from tableside.ui.widgets import COLUMNS, List, clip, fit, fits, hint, paragraph, status

_FIRST_FACE = 4
_BESIDE_X = 40  # right of the large digits
_BESIDE_COLUMNS = 11
_BESIDE_SMALL = 14  # columns of the small face
_PINNED_LINES = 2
_BOARD_ROWS = 5
_DETAIL_ROWS = 3


class Ask(Play):
    """UP and DOWN go through the answers, then through the pages; OK gives the answer.

    What is a side's secret is covered until the device has been passed to it, and by any key but UP, DOWN and OK.
    """

    def __init__(self, app):
        super(Play, self).__init__(app)
        state = app.session.state
        self._question = question = engine.asked(state)
        self._covered = question.secret
        self._face = min(_FIRST_FACE, len(question.options) - 1)
        self._by_device = question.die and app.settings.get("entry") == ENTRY_DEVICE
        rows = [] if question.die else [(option, "") for option in question.options]
        self._choices = len(rows)
        self._pages = []
        self._add_pages(rows, state)
        if state.code.fixes():
            self._add_page(rows, texts.CORRECT, "", "ask.ByHand")
        self._list = List(rows)
        # Whether a text is too long to stand above the board, and is read first; whether no text alone is shown.
        self._long = bool(question.rows) and not fits(question.text, 1)
        self._started = self._starts()
        self._board = state.code.page(0).rows if question.rows else []
        summary = state.code.summary()
        self._pinned = [summary] if summary else pinned_lines(state, _PINNED_LINES)

    def _starts(self):
        return not self._question.text or bool(self._question.rows) and not self._long

    def _who(self):
        return self.app.session.scenario.side_name(self._question.side)

    def draw(self, canvas):
        """The cover, the die, the text, the board or the list."""
        question = self._question
        cursor = self._list.cursor
        place = self.app.session.state.data[O_ROUND]
        status(canvas, "%s%d %s" % (texts.ROUND, place, question.title) if place else question.title, self._who())
        if self._covered:
            paragraph(canvas, "%s %s" % (texts.PASS, self._who()), 2, 4)
            paragraph(canvas, texts.PRIVATE, 6, 1, False)
            hint(canvas, "OK " + texts.SHOW)
        elif question.die and not self._started:
            self._draw_die(canvas)
        elif not self._started:
            self._draw_text(canvas)
        elif cursor < len(question.rows) and question.rows[cursor] != NOBODY:
            for i, line in enumerate(clip(question.text, COLUMNS, 1)):
                canvas.text(line, 0, 1 + i, font_small)
            draw_rows(canvas, self._board, question.rows[cursor], 2, _BOARD_ROWS)
            self._draw_hint(canvas, question.options[cursor])
        else:
            self._draw_list(canvas, cursor)
            hint(canvas, "OK " + (texts.CHOOSE if cursor < self._choices else texts.OPEN), "↑↓")

    def draw_move(self, canvas):
        """All is drawn anew."""
        return False

    def _draw_list(self, canvas, cursor):
        """The rows below the text; if they have details, that of the cursor's stands at the bottom instead."""
        question = self._question
        details = clip(question.details[cursor], COLUMNS, _DETAIL_ROWS) if cursor < len(question.details) else []
        page = 1
        if cursor < self._choices and question.text and not details:
            page = paragraph(canvas, question.text, 1, 2, False)
        self._list.draw(canvas, page, 7 - page - len(details))
        for i, line in enumerate(details):
            canvas.text(line, 0, 7 - len(details) + i, font_small)

    def _draw_hint(self, canvas, option):
        more = "↑↓"
        hint(canvas, "OK " + fit(option, COLUMNS - 4 - len(more)), more)

    def _draw_text(self, canvas):
        text = self._question.text
        if self._question.details:
            text += "\n" + self._question.details[0]
        lines = self._pinned if any(self._pinned) and fits(text, 6 - len(self._pinned)) else []
        pages = 6 - len(lines)
        paragraph(canvas, text, 1, pages)
        for i, line in enumerate(lines):
            canvas.text(line, 0, 1 + pages + i, font_small)
        ok = "OK " + (texts.CHOOSE if self._long else self._question.options[0])
        more = "↓ " + texts.MORE
        hint(canvas, ok, more if len(ok) + len(more) < COLUMNS else "↓")

    def _draw_die(self, canvas):
        question = self._question
        paragraph(canvas, question.text, 1, 2, fits(question.text, 2) and len(question.text) <= 16)
        outcome = "" if self._by_device else question.options[self._face]
        canvas.text("-" if self._by_device else str(self._face), 4, 3, font_large)
        if len(outcome) <= _BESIDE_COLUMNS:
            canvas.text(outcome, _BESIDE_X, 4, font_normal)
        else:
            for i, line in enumerate(clip(outcome, _BESIDE_SMALL, 3)):
                canvas.text(line, _BESIDE_X, 3 + i, font_small)
        if self._by_device:
            hint(canvas, "OK " + texts.ROLL, "↑↓ " + texts.BY_HAND)
        else:
            hint(canvas, "OK " + texts.ENTER, "↑↓ BACK " + texts.MORE)

    def event(self, key):
        """OK gives the answer or opens a page; BACK goes back to the text, from there home."""
        if self._covered:
            self._event_covered(key)
        elif self._question.secret and key not in (keys.UP, keys.DOWN, keys.OK):
            self._cover(True)
        elif self._question.die and not self._started:
            self._event_die(key)
        elif self._long and not self._started and key in (keys.OK, keys.DOWN):
            self._started = True
        elif key in (keys.UP, keys.DOWN):
            self._walk(key)
        elif key == keys.OK:
            self._take(self._list.cursor)
        elif self._list.cursor or self._started != self._starts():
            self._list = List(self._list.rows)
            self._started = self._starts()
        else:
            self.app.home()

    def _event_covered(self, key):
        if key == keys.OK:
            self._cover(False)
        elif key == keys.BACK:
            self.app.home()

    def _cover(self, covered):
        self._covered = covered
        self.secret = not covered
        self._list = List(self._list.rows)

    def _walk(self, key):
        if not self._started:
            self._started = True
            self._list.move_to(1 if key == keys.DOWN else len(self._list.rows) - 1)
        elif key == keys.UP and not self._list.cursor:
            self._list = List(self._list.rows, len(self._list.rows) - 1)
        else:
            self._list.move(1 if key == keys.DOWN else -1)

    def _event_die(self, key):
        faces = len(self._question.options)
        if key in (keys.UP, keys.DOWN):
            if not self._by_device:
                self._face = (self._face + (1 if key == keys.UP else faces - 1)) % faces
            self._by_device = False
        elif key == keys.OK and self._by_device:
            title = self.app.title(commands.THROW, ())
            self.app.do(commands.THROW)
            self.app.say(title)
        elif key == keys.OK:
            self.app.do(commands.ANSWER, (self._face,))
        elif key == keys.BACK:
            self._started = True  # to the pages

    def _take(self, index):
        if index < self._choices:
            self.app.do(commands.ANSWER, (index,))
        else:
            self.app.go(*self._pages[index - self._choices])


class ByHand(ListScreen):
    """Corrections, whatever the rules say."""

    title = texts.CORRECT

    def rows(self):
        """The code names them."""
        return [(name, "") for name in self.app.session.state.code.fixes()]

    def chosen(self, index):
        """Make it."""
        self.app.do(commands.ANSWER, (BY_HAND + index,))
