"""Home: take up the last game, begin a new one, or look for an older one."""

from tableside.core.session import read_head
from tableside.core.state import O_ROUND
from tableside.ui import texts
from tableside.ui.screen import ListScreen

_GAMES_SHOWN = 20


class Home(ListScreen):
    """The first screen."""

    title = texts.APP
    leave = ""

    def rows(self):
        """Resume if the newest game is not over; then the rest."""
        try:
            numbers = self.app.store.numbers()
        except OSError:
            numbers = []  # a file system that cannot be read does not keep anybody from playing
        self._number = None
        rows = []
        if numbers:
            try:
                session = self.app.load(numbers[0])
                if not session.over():
                    self._number = numbers[0]
                    place = texts.ROUND + str(session.state.data[O_ROUND])
                    rows.append((texts.RESUME + " " + session.scenario.title(), place))
                session.pack.close()
            except (OSError, ValueError):
                pass  # it is listed among the saved games, which say what is wrong
        rows.append((texts.NEW_GAME, ""))
        if numbers:
            rows.append((texts.GAMES, str(len(numbers))))
        return rows

    def chosen(self, index):
        """Resume, new game or saved games."""
        if self._number is not None and index == 0:
            self.app.resume(self._number)
        elif self.list.rows[index][0] == texts.NEW_GAME:
            self.app.go("home.ChooseGame")
        else:
            self.app.go("home.SavedGames")


class ChooseGame(ListScreen):
    """The packs on this device."""

    title = texts.CHOOSE_GAME

    def rows(self):
        """One row a pack; a damaged one says so when it is chosen."""
        self._ids = sorted(self.app.packs())
        rows = []
        for pack_id in self._ids:
            try:
                pack = self.app.open_pack(pack_id)
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
            self.app.tell(self._ids[index], str(error))


class ChooseScenario(ListScreen):
    """The scenarios of a pack.

    Args: pack_id: the pack. Raises: OSError or PackError if it cannot be opened.
    """

    title = texts.CHOOSE_SCENARIO

    def __init__(self, app, pack_id):
        self._pack_id = pack_id
        super().__init__(app)

    def rows(self):
        """One row a scenario."""
        pack = self.app.open_pack(self._pack_id)
        titles = pack.scenario_titles()
        pack.close()
        return [(title, "") for title in titles]

    def chosen(self, index):
        """Begin it."""
        self.app.begin(self._pack_id, index)


class SavedGames(ListScreen):
    """The newest saved games, unfinished or over."""

    title = texts.GAMES

    def rows(self):
        """One row a game: its scenario, or what its log says it needs."""
        self._numbers = self.app.store.numbers()[:_GAMES_SHOWN]
        packs = {}
        rows = [(self._title(number, packs), "#%d" % number) for number in self._numbers]
        for pack in packs.values():
            pack.close()
        return rows

    def _title(self, number, packs):
        try:
            pack_id, _, scenario, _, _ = read_head(self.app.store.open(number).head)
            if pack_id not in packs:
                packs[pack_id] = self.app.open_pack(pack_id)
            return packs[pack_id].scenario_titles()[scenario]
        except (OSError, ValueError, IndexError) as error:
            return "! " + str(error)

    def chosen(self, index):
        """Take it up."""
        self.app.resume(self._numbers[index])
