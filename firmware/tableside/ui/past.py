"""The past sessions of a campaign: their results, looking at one, taking up the last one again; and its name."""

from tableside.core import campaign
from tableside.core.book import MISSION_TITLE, RESULT_TITLE, SESSION
from tableside.core.campaign import Carried
from tableside.core.errors import LogError
from tableside.core.pack import CAMPAIGN
from tableside.core.state import O_ROUND
from tableside.ui import campaign_texts, texts
from tableside.ui import input as keys
from tableside.ui.campaign import keep, kept, load
from tableside.ui.failures import words
from tableside.ui.play import pinned_lines
from tableside.ui.players import pair_row, read
from tableside.ui.screen import ListScreen

_LINES = 6


class Results(ListScreen):
    """The results of a campaign, newest first.

    Args: number: of its book. Raises: OSError or LogError.
    """

    title = campaign_texts.RESULTS
    verb = texts.OPEN

    def __init__(self, app, number):
        self._number = number
        self._book = load(app, number)
        super().__init__(app)

    def rows(self):
        """A mission, and how it ended."""
        last = self._book.played
        results = self._book.results
        return [("%d. %s: %s" % (last - i, results[len(results) - 1 - i][MISSION_TITLE],
                                 results[len(results) - 1 - i][RESULT_TITLE]), "") for i in range(len(results))]

    def chosen(self, index):
        """Look at its game, or say why that cannot be."""
        try:
            self.app.go("past.Past", self._number, self._book, index)
        except (OSError, ValueError) as error:
            self.app.tell(campaign_texts.RESULTS, "%s\n%s" % (self.list.rows[index][0], words(error)))


class Past(ListScreen):
    """A game of a campaign that is over, to be looked at; the last one may be taken up again.

    Args: number, book: of the campaign; back: how many results came after it. Raises: OSError or ValueError if its game
        is not there any more, or cannot be read.
    """

    def __init__(self, app, number, book, back):
        self._campaign = number
        self._book = book
        self._result = book.results[len(book.results) - 1 - back]
        self._last = not back
        self.title = self._result[MISSION_TITLE]
        number = int(self._result[SESSION])
        if number not in app.games.numbers():
            raise LogError(campaign_texts.OTHER_GAME, number)
        self._session = app.games.load(number)
        data = self._session.carried()
        carried = Carried(data) if data else None
        if carried is None or (carried.salt, carried.played) != (book.salt, book.played - 1 - back):
            self._session.close()
            raise LogError(campaign_texts.OTHER_GAME, number)
        super().__init__(app)

    def rows(self):
        """History and taking up, then what was at the end."""
        session = self._session
        rows = [(texts.HISTORY, ">")]
        if self._last:
            rows.append((campaign_texts.REOPEN, ">"))
        rows.append((self._result[RESULT_TITLE], texts.ROUND + str(session.state.data[O_ROUND])))
        names = str(self.app.device.store.players(int(self._result[SESSION])), "utf-8").split("\n")
        for side, name in enumerate(names[: session.scenario.sides]):
            if name:
                rows.append(("%s: %s" % (session.scenario.side_name(side), name), ""))
        return rows + [(line, "") for line in pinned_lines(session.state, _LINES) if line]

    def ok_hint(self):
        """What OK does there."""
        return "OK " + texts.OPEN if self.list.rows[self.list.cursor][1] == ">" else ""

    def chosen(self, index):
        """The history, or the question whether to take it up."""
        if not index:
            self.app.go("history.HistoryPage", self._session)
        elif index == 1 and self._last:
            self.app.ask(campaign_texts.REOPEN, campaign_texts.REOPEN_SURE % self._result[RESULT_TITLE], self._reopen)

    def event(self, key):
        """The game is closed on leaving."""
        if key == keys.BACK:
            self._session.close()
        super().event(key)

    def _reopen(self):
        """Take the result back, then the end of the game. A cut between these leaves a game whose result may enter."""
        self._session.close()
        self._book.take_back()
        try:
            keep(self.app, self._campaign, self._book)
        except OSError as error:
            self.app.back()
            self.app.tell(texts.NOT_SAVED_TITLE, words(error))
            return
        self.app.resume(int(self._result[SESSION]))
        session = self.app.session
        if session is None:  # it was told why
            return
        count = 0
        while session.over() and session.can_undo():
            session.undo()
            count += 1
        self.app.show_session()
        self.app.say(texts.UNDONE + (texts.COMMANDS % count if count > 1 else texts.ONE_COMMAND))


class Rename(ListScreen):
    """A name for a campaign: who plays whom, of the club's roster; its own; or letter by letter.

    Args: number: of its book. Raises: OSError or LogError.
    """

    title = campaign_texts.RENAME

    def __init__(self, app, number):
        self._number = number
        self._book = load(app, number)
        super().__init__(app)

    def rows(self):
        """The pairings, the players, what the pack calls it, the letters."""
        names, pairs = read(self.app)
        rows = [pair_row(pair) for pair in pairs] + [(name, "") for name in names]
        own = self._own_title()
        if own and own != self._book.title:
            rows.append((own, ""))
        return rows + [(campaign_texts.LETTERS, ">")]

    def _own_title(self):
        try:
            pack = self.app.games.open_pack(self._book.pack_id)
            index = campaign.find(pack, self._book.campaign)
            title = "" if index is None else pack.text(pack.record(CAMPAIGN, index)[1])
            pack.close()
            return title
        except (OSError, ValueError):
            return ""

    def chosen(self, index):
        """Take it, or open the letters."""
        if index == len(self.list.rows) - 1:
            self.app.back()
            self.app.go("letters.Letters", campaign_texts.RENAME, self._taken)
        else:
            self.app.back()
            self._taken(self.list.rows[index][0])

    def _taken(self, name):
        self._book.title = name
        if kept(self.app, self._number, self._book):
            self.app.back()
            self.app.go("campaign.Campaign", self._number)
