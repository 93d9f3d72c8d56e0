"""The menu behind a long OK: undo, redo, history, and the overrides that never block the table."""

from tableside.core import commands
from tableside.core.fields import expand
from tableside.core.history import History
from tableside.core.pack import NOBODY
from tableside.core.rng import seal
from tableside.core.state import O_ROUND
from tableside.core.titles import record_title
from tableside.ui import texts
from tableside.ui.screen import ListScreen


class Menu(ListScreen):
    """What can be done at any time."""

    title = texts.MENU
    has_menu = False

    def rows(self):
        """Label and action, in the order of their use."""
        app = self.app
        self._entries = app.attack_flow().offers(app) if app.session.state.in_attack() else []
        if app.session.scenario.abilities:
            self._entries.append((texts.USE_NOW, lambda: app.go("abilities.Abilities")))
        self._entries += [
            (_titled(texts.UNDO, self._last()), app.undo),
            (_titled(texts.REDO, self._next()), app.redo),
            (texts.HISTORY, lambda: app.go("history.HistoryPage")),
            (texts.DICE_TOOLS, lambda: app.go("tools.Tools")),
            (texts.ALL_COUNTERS, lambda: app.go("counters.Counters")),
        ]
        if app.session.state.scenario.weapons:
            self._entries.append((texts.ROLLED, lambda: app.go("rolled.RolledPage")))
        if app.session.scenario.slots:
            self._entries.append((texts.UNITS, lambda: app.go("roster.Roster")))
        self._entries += [
            (texts.NOTES, lambda: app.pages(texts.NOTES, app.session.pack.notes(), texts.NO_NOTES)),
            (texts.SEAL, lambda: app.pages(texts.SEAL, [seal(app.session.state)], "")),
        ]
        if app.session.state.rng.unused():
            self._entries.append((texts.SALT, lambda: app.go("salt.Salt")))
        self._entries += [
            (texts.JUMP, lambda: app.go("menu.Jump")),
            (texts.END_GAME, lambda: app.go("menu.End")),
            (texts.SETTINGS, lambda: app.go("options.Options")),
            (texts.HOME, app.home),
        ]
        return [(text, "") for text, _ in self._entries]

    def _last(self):
        entry = History(self.app.session).entry(0)
        return "" if entry is None else entry.title

    def _next(self):
        record = self.app.session.redo_record()
        return "" if record is None else record_title(self.app.session.state, record)

    def chosen(self, index):
        """Do it; a refusal stays on the screen below."""
        self.app.back()
        self._entries[index][1]()


def _titled(what, title):
    return "%s: %s" % (what, title) if title else what


class End(ListScreen):
    """How the game ends, by hand: with a result, by conceding, or without a result."""

    title = texts.END_GAME

    def rows(self):
        """The pack's results, the players who may concede, then giving the game up."""
        session = self.app.session
        scenario, state = session.scenario, session.state
        self._commands = []
        rows = []
        for i in range(scenario.results):
            rows.append((expand(state, session.pack.text(scenario.result(i)[0])), ""))
            self._commands.append((commands.END, (i,)))
        for side in scenario.players():
            rows.append(("%s: %s" % (texts.CONCEDE, scenario.side_name(side)), ""))
            self._commands.append((commands.CONCEDE, (side,)))
        self._commands.append((commands.END, (NOBODY,)))
        return rows + [(texts.ABANDON, "")]

    def chosen(self, index):
        """End it."""
        self.app.do(*self._commands[index])


class Jump(ListScreen):
    """Go to any step of this round by hand."""

    title = texts.JUMP

    def rows(self):
        """The titles of all steps."""
        scenario = self.app.session.scenario
        state = self.app.session.state
        return [(expand(state, scenario.pack.text(scenario.step(i)[1])), "") for i in range(scenario.steps)]

    def chosen(self, index):
        """Jump."""
        self.app.do(commands.JUMP, (index, self.app.session.state.data[O_ROUND]))
