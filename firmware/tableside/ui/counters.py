"""Counters: the list of all, and changing one with a preview."""

from tableside.core import commands
from tableside.core.fields import counter_text
from tableside.ui import texts
from tableside.ui.number import Number
from tableside.ui.screen import ListScreen


class Counters(ListScreen):
    """Every counter of the scenario with its value."""

    title = texts.ALL_COUNTERS

    def rows(self):
        """One row a counter."""
        state = self.app.session.state
        scenario = self.app.session.scenario
        return [
            (scenario.pack.text(scenario.counter(i)[0]), counter_text(state, i, state.counter(i)))
            for i in range(scenario.counters)
        ]

    def chosen(self, index):
        """Change it."""
        self.app.go("counters.Edit", index)


class Edit(Number):
    """Changing one counter.

    Args: counter: its number.
    """

    def __init__(self, app, counter):
        record = app.session.scenario.counter(counter)
        name = app.session.pack.text(record[0])
        super().__init__(app, name, record[2], record[3], app.session.state.counter(counter))
        self._counter = counter

    def shown(self, value):
        """A counter with names shows its name."""
        return counter_text(self.app.session.state, self._counter, value)

    def commit(self, value):
        """Set it; if it is as it was, just leave."""
        if value == self.app.session.state.counter(self._counter):
            self.app.back()
        else:
            self.app.do(commands.ADJUST, (self._counter, value))
