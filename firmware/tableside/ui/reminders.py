"""What is to be remembered in this step and round."""

from tableside.core.conditions import holds
from tableside.core.fields import expand
from tableside.core.state import O_ROUND, O_STEP
from tableside.ui import texts
from tableside.ui.screen import Pager


def reminders(state):
    """The texts that belong to the step and round of now."""
    scenario = state.scenario
    found = []
    for i in range(scenario.reminders):
        text, step, low, high, first, count = scenario.reminder(i)
        if step == state.data[O_STEP] and low <= state.data[O_ROUND] <= high and holds(state, first, count):
            found.append(expand(state, scenario.pack.text(text)))
    return found


class Reminders(Pager):
    """The reminders, one a page."""

    def __init__(self, app):
        super().__init__(app, texts.REMINDERS, reminders(app.session.state), texts.NO_REMINDERS)
