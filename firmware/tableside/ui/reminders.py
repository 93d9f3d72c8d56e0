"""What is to be remembered in this step and round."""

from tableside.ui import texts
from tableside.ui.play import reminders
from tableside.ui.reading import Pager


class Reminders(Pager):
    """The reminders, one a page."""

    def __init__(self, app):
        super().__init__(app, texts.REMINDERS, reminders(app.session.state), texts.NO_REMINDERS)
