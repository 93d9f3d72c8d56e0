"""The table: what is asked now, what OK does, and a list of everything else that may be done or looked at."""

from tableside.core import commands, engine
from tableside.core.conditions import holds
from tableside.core.deck import OPEN, draw_zone
from tableside.core.details import details
from tableside.core.fields import counter_text, expand, place
from tableside.core.pack import ACTION, WINDOW
from tableside.core.roster import MODELS_LEFT
from tableside.core.state import O_ROUND, O_STEP
from tableside.ui import font_small, texts
from tableside.ui import input as keys
from tableside.ui.screen import Screen
from tableside.ui.widgets import COLUMNS, List, fit, fits, hint, paragraph, status

_PINNED_LINES = 3


def place_and_actor(state):
    """Where we are: the round with the title of the open window, or else with the phase; and whose turn it is."""
    number, title, actor = place(state)
    return place_text(number, title), actor


def place_text(number, title):
    """A round, if there is one, and a phase or window."""
    return "%s%d %s" % (texts.ROUND, number, title) if number else title


def status_line(app, canvas, mark=""):
    """The status line of every screen of a running game. Args: mark: shown in place of the actor."""
    where, actor = place_and_actor(app.session.state)
    status(canvas, where, mark or actor, "" if app.clock is None else app.clock.mark())


def pinned_lines(state, limit):
    """The pinned counters, as lines of the small face that never part a name from its value.

    Args: limit: how many lines; ".." at the end says that there are more counters.
    """
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
    if len(lines) > limit:
        lines = lines[:limit]
        lines[limit - 1] = lines[limit - 1][: COLUMNS - 3] + " .."
    return lines


def deck_line(state):
    """How many cards of the first deck are left, and how many are not."""
    if not state.scenario.decks:
        return ""
    left = state.zone_count(0, draw_zone(state, 0))
    line = "%s %d" % (texts.DECK, left)
    first = state.scenario.deck(0)[1]
    if all(state.scenario.zone(first + zone)[3] == OPEN for zone in range(state.zones(0) - 1)):
        line += "  %s %d" % (texts.SEEN, state.scenario.deck(0)[5] - left)
    return line


def reminders(state):
    """The texts that are to be remembered in this step and round."""
    scenario = state.scenario
    found = []
    for i in range(scenario.reminders):
        text, step, low, high, first, count = scenario.reminder(i)
        if step == state.data[O_STEP] and low <= state.data[O_ROUND] <= high and holds(state, first, count):
            found.append(expand(state, scenario.pack.text(text)))
    return found


def in_action(state):
    """How many units of all sides are in action."""
    units = state.roster
    return sum(1 for slot in range(units.slots) if units.used(slot) and units.get(slot, MODELS_LEFT))


class Play(Screen):
    """The prompt of the step or window; DOWN shows the other actions and the pages.

    If the prompt has no room beside the counters, or the card or row that it names has a text, the first row below it
    holds these in full; OK does the same there.
    """

    def __init__(self, app):
        super().__init__(app)
        session = app.session
        state = session.state
        self._actions = engine.allowed(state)
        self._advance = session.check(commands.ADVANCE)[0] == commands.YES
        frame = state.top()
        window = frame is not None and frame[0] == engine.WINDOW_FRAME
        record = session.pack.record(WINDOW, frame[2]) if window else session.scenario.step(state.data[O_STEP])
        # A STEP is (phase, title, prompt ...), a WINDOW (title, prompt ...).
        at = 0 if window else 1
        title, prompt = session.pack.text(record[at]), session.pack.text(record[at + 1])
        self._prompt = expand(state, prompt)
        self._pinned = pinned_lines(state, _PINNED_LINES)
        if len(self._pinned) == 1:
            self._pinned.append(deck_line(state))
        rows = [(texts.NEXT, "")] if self._advance else []
        for action in self._actions:
            cost = engine.price(state, action)
            label = expand(state, session.pack.text(session.pack.record(ACTION, action)[0]))
            rows.append((label, "" if cost is None else str(cost[0])))
        self._choices = len(rows)
        self._pages = []  # the screens that the rows after the choices open, with their arguments
        if state.scenario.abilities:
            self._add_page(rows, texts.USE_NOW, "", "abilities.Abilities")
            if state.abilities.in_force():
                self._add_page(rows, texts.IN_FORCE, len(state.abilities.in_force()), "abilities.InForce")
        self._add_pages(rows, state)
        if state.in_attack():
            self._add_page(rows, texts.GO_ON_ATTACK, "")
        elif state.scenario.weapons:
            self._add_page(rows, texts.ATTACK, "", "attacks.Attacks")  # the last row: UP leads to it
        self._ok = "OK " + rows[0][0]
        in_full = self._cut(state) + details(state, title + prompt)
        self._in_full = 1 if in_full else 0  # rows
        if in_full:
            rows.insert(1, ("\n".join(in_full), ""))
        self._list = List(rows)

    def _add_pages(self, rows, state):
        """What may be looked at in any game."""
        session = self.app.session
        if state.code is not None:
            for i, title in enumerate(state.code.pages()):
                self._add_page(rows, title, "", "board.Board", i)
        self._add_page(rows, texts.REMINDERS, len(reminders(state)), "reminders.Reminders")
        self._add_page(rows, texts.CLOCK, "", "clock.ClockPage")
        if session.scenario.slots:
            self._add_page(rows, texts.UNITS, in_action(state), "roster.Roster")
        for deck in range(session.scenario.decks):
            left = state.zone_count(deck, draw_zone(state, deck))
            self._add_page(rows, session.pack.text(session.scenario.deck(deck)[0]), left, "decks.DeckPage", deck)
        self._add_page(rows, texts.ALL_COUNTERS, "", "counters.Counters")

    def _add_page(self, rows, text, count, *screen):
        rows.append((text, ("%s >" % count).strip()))
        self._pages.append(screen)

    def _cut(self, state):
        """What the first view has no room for: the prompt, what OK does, and where we are."""
        where, actor = place_and_actor(state)
        cut = [] if fits(self._prompt, self._prompt_pages()) else [self._prompt]
        if not fits(self._ok, 1):
            cut.append(self._ok)
        where = "%s %s" % (where, actor) if actor else where
        if not fits(where, 1):
            cut.append(where)
        return cut

    def _prompt_pages(self):
        return 6 - len(self._pinned)

    def draw(self, canvas):
        """The prompt with the pinned counters, or the list once DOWN was pressed."""
        status_line(self.app, canvas)
        self._listed = self._list.cursor > 0
        if self._listed:
            self._list.draw(canvas)
            hint(canvas, self._list_hint(), "↑↓")
            return
        pages = self._prompt_pages()
        paragraph(canvas, self._prompt, 1, pages)
        for i, line in enumerate(self._pinned):
            canvas.text(line, 0, 1 + pages + i, font_small)
        more = "↓ " + texts.MORE
        hint(canvas, self._ok, more if len(self._ok) + len(more) < COLUMNS else "↓")

    def _list_hint(self):
        cursor = self._list.cursor
        if cursor == self._in_full:
            return self._ok
        return "OK " + (texts.CHOOSE if cursor < self._choices + self._in_full else texts.OPEN)

    def draw_move(self, canvas):
        """The cursor in the list, and the hint line."""
        if not self._listed or not self._list.cursor or not self._list.draw_move(canvas):
            return False
        canvas.fill(0, 7, canvas.width, 1, 0)
        hint(canvas, self._list_hint(), "↑↓")
        return True

    def event(self, key):
        """UP and DOWN walk, UP from the prompt to the last row; OK does, BACK returns to the prompt or goes home."""
        if key == keys.UP and not self._list.cursor:
            self._list = List(self._list.rows, len(self._list.rows) - 1)
        elif key == keys.UP:
            self._list.move(-1)
        elif key == keys.DOWN:
            self._list.move(1)
        elif key == keys.OK:
            self._chosen(max(0, self._list.cursor - self._in_full))
        elif key == keys.BACK:
            if self._list.cursor:
                self._list = List(self._list.rows)
            else:
                self.app.home()

    def _chosen(self, index):
        if self._advance and index == 0:
            self.app.do(commands.ADVANCE)
        elif index < self._choices:
            self._act(self._actions[index - self._advance])
        elif self._pages[index - self._choices]:
            self.app.go(*self._pages[index - self._choices])
        else:
            self.app.show_session()

    def _act(self, action):
        state = self.app.session.state
        counter = engine.edited_counter(state, action)
        ability = engine.used_ability(state, action)
        if ability is not None:
            from tableside.ui.ability_flow import pick  # where there are abilities

            pick(self.app, ability, state.abilities.targets(state, ability), False)
        elif counter is not None:
            self.app.go("counters.Edit", counter)
        elif engine.is_choice(state, action):
            self.app.do(commands.CHOOSE, (action,))
        elif state.scenario.pack.record(ACTION, action)[6] == engine.ATTACKS:
            self.app.go("attacks.Attacks")
        else:
            self.app.pick(action)
