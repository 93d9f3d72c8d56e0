"""Home: take up the last game, begin a new one, or look for an older one."""

from tableside.core.pack import CAMPAIGN
from tableside.core.state import O_ROUND
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.failures import words
from tableside.ui.screen import ListScreen

_GAMES_SHOWN = 20


class Home(ListScreen):
    """The first screen."""

    title = texts.APP
    leave = ""

    def rows(self):
        """Resume if the newest game is not over; then the rest."""
        numbers = self.app.games.numbers()
        rows = []
        self._screens = []  # where each row leads; None: to the newest game
        if numbers:
            self._number = numbers[0]
            try:
                session = self.app.games.load(self._number)
                if not session.over():
                    place = texts.ROUND + str(session.state.data[O_ROUND])
                    rows.append((texts.RESUME + " " + session.scenario.title(), place))
                    self._screens.append(None)
                session.close()
            except (OSError, ValueError):
                pass  # it is listed among the saved games, which say what is wrong
        for text, right, screen in (
            (texts.NEW_GAME, "", "home.ChooseGame"),
            (texts.GAMES, _many(numbers), "home.SavedGames"),
            (texts.CAMPAIGNS, _many(self._campaigns()), "campaigns.Campaigns"),
            (texts.DICE_TOOLS, "", "tools.Tools"),
            (texts.SETTINGS, "", "options.Options"),
            (texts.ABOUT, "", "about.About"),
        ):
            if right or text not in (texts.GAMES, texts.CAMPAIGNS):
                rows.append((text, right))
                self._screens.append(screen)
        return rows

    def _campaigns(self):
        try:
            return self.app.device.campaigns.numbers()
        except OSError:
            return []

    def chosen(self, index):
        """Resume, or open a screen."""
        if self._screens[index] is None:
            self.app.resume(self._number)
        else:
            self.app.go(self._screens[index])


def _many(numbers):
    return str(len(numbers)) if numbers else ""


class ChooseGame(ListScreen):
    """The packs on this device."""

    title = texts.CHOOSE_GAME

    def rows(self):
        """One row a pack; a damaged one says so when it is chosen."""
        self._ids = self.app.games.pack_ids()
        rows = []
        for pack_id in self._ids:
            try:
                pack = self.app.games.open_pack(pack_id)
                rows.append((pack.title(), ""))
                pack.close()
            except (OSError, ValueError):
                rows.append((pack_id, "!"))
        return rows or [(texts.NO_PACKS, "")]

    def chosen(self, index):
        """List its missions, or say what is wrong with it."""
        if not self._ids:
            return
        try:
            self.app.go("home.ChooseScenario", self._ids[index])
        except (OSError, ValueError) as error:
            self.app.tell(self._ids[index], words(error))


class ChooseScenario(ListScreen):
    """The scenarios of a pack, then its campaigns.

    Args: pack_id: the pack. Raises: OSError or PackError if it cannot be opened.
    """

    title = texts.CHOOSE_SCENARIO

    def __init__(self, app, pack_id):
        self._pack_id = pack_id
        super().__init__(app)

    def rows(self):
        """One row a scenario."""
        pack = self.app.games.open_pack(self._pack_id)
        titles = pack.scenario_titles()
        self._scenarios = len(titles)
        rows = [(title, "") for title in titles]
        for i in range(pack.count(CAMPAIGN)):
            rows.append(("%s: %s" % (texts.CAMPAIGN, pack.text(pack.record(CAMPAIGN, i)[1])), ">"))
        pack.close()
        return rows

    def chosen(self, index):
        """Begin it, or say what the campaign is."""
        if index < self._scenarios:
            self.app.begin(self._pack_id, index)
        else:
            self.app.go("campaigns.New", self._pack_id, index - self._scenarios)


class SavedGames(ListScreen):
    """The saved games, unfinished or over, newest first and a few at a time; holding OK offers to delete one.

    Args: first: how many newer ones are not shown.
    """

    title = texts.GAMES
    verb = texts.RESUME.lower()
    leave = texts.HOLD_DELETE

    def __init__(self, app, first=0):
        self._first = first
        super().__init__(app)

    def rows(self):
        """One row a game: its scenario, or what its log says it needs."""
        numbers = self.app.games.numbers()
        self._numbers = numbers[self._first : self._first + _GAMES_SHOWN]
        titles = self.app.games.titles(self._numbers)
        rows = [(title, "#%d" % number) for title, number in zip(titles, self._numbers)]
        left = len(numbers) - self._first - len(rows)
        return rows + [(texts.OLDER, "%d >" % left)] if left > 0 else rows

    def event(self, key):
        """OK takes a game up, held it offers to delete it."""
        if key == keys.OK_LONG and self.list.cursor < len(self._numbers):
            number = self._numbers[self.list.cursor]
            self.app.go("sure.Sure", texts.DELETE, "%s #%d?" % (self.list.rows[self.list.cursor][0], number),
                        texts.DELETE.lower(), lambda: self._delete(number))
        else:
            super().event(key)

    def _delete(self, number):
        try:
            self.app.games.remove(number)
        except OSError as error:
            self.app.tell(texts.DELETE, words(error))
            return
        self.app.restart()
        left = len(self.app.games.numbers())
        if left:
            self.app.go("home.SavedGames", self._first if left > self._first else 0)

    def chosen(self, index):
        """Take it up, or list older ones."""
        if index < len(self._numbers):
            self.app.resume(self._numbers[index])
        else:
            self.app.go("home.SavedGames", self._first + _GAMES_SHOWN)
