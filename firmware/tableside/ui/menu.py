"""The menu behind a long OK: undo, redo, and the overrides that never block the table."""

from tableside.core import commands
from tableside.core.pack import NOBODY
from tableside.core.state import O_ROUND
from tableside.core.titles import expand
from tableside.ui import texts
from tableside.ui.screen import ListScreen


class Menu(ListScreen):
    """What can be done at any time."""

    title = texts.MENU
    has_menu = False

    def rows(self):
        """Label and action, in the order of their use."""
        app = self.app
        self._entries = [
            (texts.UNDO, app.undo),
            (texts.REDO, app.redo),
            (texts.ALL_COUNTERS, lambda: app.go("counters.Counters")),
        ]
        if app.session.scenario.slots:
            self._entries.append((texts.UNITS, lambda: app.go("roster.Roster")))
        self._entries += [
            (texts.NOTES, lambda: app.pages(texts.NOTES, app.session.pack.notes(), texts.NO_NOTES)),
            (texts.JUMP, lambda: app.go("menu.Jump")),
            (texts.END_GAME, lambda: app.do(commands.END, (NOBODY,))),
            (texts.HOME, app.home),
        ]
        return [(text, "") for text, _ in self._entries]

    def chosen(self, index):
        """Do it; a refusal stays on the screen below."""
        self.app.back()
        self._entries[index][1]()


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
