"""The table: what is asked now, what OK does, and a list of everything else that may be done or looked at."""

from tableside.core import commands, engine
from tableside.core.conditions import holds
from tableside.core.deck import draw_zone
from tableside.core.pack import ACTION, WINDOW
from tableside.core.state import O_ACTOR, O_ROUND, O_STEP
from tableside.core.titles import counter_text, expand
from tableside.ui import font_small, texts
from tableside.ui import input as keys
from tableside.ui.screen import Screen
from tableside.ui.widgets import COLUMNS, List, fit, hint, paragraph, status

_PINNED_LINES = 3


def status_line(app, canvas):
    """Round, phase and actor, as on every screen of a running game."""
    state = app.session.state
    pack = app.session.pack
    phase = pack.text(app.session.scenario.step(state.data[O_STEP])[0])
    place = "%s%d %s" % (texts.ROUND, state.data[O_ROUND], phase) if state.data[O_ROUND] else phase
    status(canvas, place, app.session.scenario.side_name(state.data[O_ACTOR]))


def pinned_lines(state):
    """The pinned counters, as lines of the small face that never part a name from its value."""
    lines = [""]
    for i in range(state.scenario.counters):
        record = state.scenario.counter(i)
        if record[7]:
            name = state.scenario.pack.text(record[1])
            cell = fit("%s %s" % (name, counter_text(state, i, state.counter(i))), COLUMNS)
            last = len(lines) - 1
            if not lines[last]:
                lines[last] = cell
            elif len(lines[last]) + 2 + len(cell) <= COLUMNS:
                lines[last] += "  " + cell
            else:
                lines.append(cell)
    return lines


def deck_line(state):
    """How many cards of the first deck are left, and how many are not."""
    if not state.scenario.decks:
        return ""
    left = state.zone_count(0, draw_zone(state, 0))
    total = state.scenario.deck(0)[5]
    return "%s %d  %s %d" % (texts.DECK, left, texts.SEEN, total - left)


class Play(Screen):
    """The prompt of the step or window; DOWN shows the other actions and the pages."""

    def __init__(self, app):
        super().__init__(app)
        session = app.session
        state = session.state
        self._actions = engine.allowed(state)
        self._advance = session.check(commands.ADVANCE)[0] == commands.YES
        frame = state.top()
        record = session.scenario.step(state.data[O_STEP]) if frame is None else session.pack.record(WINDOW, frame[2])
        # A STEP is (phase, title, prompt ...), a WINDOW (title, prompt ...).
        self._prompt = expand(state, session.pack.text(record[2 if frame is None else 1]))
        rows = [(texts.NEXT, "")] if self._advance else []
        for action in self._actions:
            rows.append((expand(state, session.pack.text(session.pack.record(ACTION, action)[0])), ""))
        self._choices = len(rows)
        rows.append((texts.ALL_COUNTERS, ">"))
        for deck in range(session.scenario.decks):
            left = state.zone_count(deck, draw_zone(state, deck))
            rows.append((session.pack.text(session.scenario.deck(deck)[0]), "%d >" % left))
        rows.append((texts.REMINDERS, "%d >" % len(reminders(state))))
        self._list = List(rows)

    def draw(self, canvas):
        """The prompt with the pinned counters, or the list once DOWN was pressed."""
        status_line(self.app, canvas)
        if self._list.cursor:
            self._list.draw(canvas)
            hint(canvas, "OK " + (texts.CHOOSE if self._list.cursor < self._choices else texts.OPEN), "^v")
            return
        state = self.app.session.state
        lines = pinned_lines(state)[:_PINNED_LINES]
        if len(lines) == 1:
            lines.append(deck_line(state))
        page = 7 - len(lines)
        paragraph(canvas, self._prompt, 1, page - 1)
        for i, line in enumerate(lines):
            canvas.text(line, 0, page + i, font_small)
        action = "OK " + self._list.rows[0][0]
        more = "v " + texts.MORE
        hint(canvas, action, more if len(action) + len(more) < COLUMNS else "v")

    def event(self, key):
        """UP and DOWN walk, OK does, BACK returns to the prompt or to the home screen."""
        if key == keys.UP:
            self._list.move(-1)
        elif key == keys.DOWN:
            self._list.move(1)
        elif key == keys.OK:
            self._chosen(self._list.cursor)
        elif key == keys.BACK:
            if self._list.cursor:
                self._list.cursor = 0
            else:
                self.app.home()

    def _chosen(self, index):
        if self._advance and index == 0:
            self.app.do(commands.ADVANCE)
        elif index < self._choices:
            self._act(self._actions[index - self._advance])
        elif index == self._choices:
            self.app.go("counters.Counters")
        elif index <= self._choices + self.app.session.scenario.decks:
            self.app.go("decks.DeckPage", index - self._choices - 1)
        else:
            self.app.pages(texts.REMINDERS, reminders(self.app.session.state), texts.NO_REMINDERS)

    def _act(self, action):
        counter = engine.edited_counter(self.app.session.state, action)
        if counter is None:
            self.app.do(commands.CHOOSE, (action,))
        else:
            self.app.go("counters.Edit", counter)


def reminders(state):
    """The texts that belong to the step and round of now."""
    scenario = state.scenario
    found = []
    for i in range(scenario.reminders):
        text, step, low, high, first, count = scenario.reminder(i)
        if step == state.data[O_STEP] and low <= state.data[O_ROUND] <= high and holds(state, first, count):
            found.append(expand(state, scenario.pack.text(text)))
    return found

