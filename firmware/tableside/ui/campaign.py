"""One campaign: its next mission, its results, taking the last one back, and entering the result of a game."""

from tableside.core import campaign
from tableside.core.book import MISSION_TITLE, RESULT_TITLE, Book
from tableside.core.campaign import Carried
from tableside.core.errors import LogError, PackError
from tableside.core.fields import expand, value_text
from tableside.core.opening import read_carried
from tableside.core.pack import KEEP, NOBODY, SCENARIO, Scenario
from tableside.core.state import O_RESULT, O_ROUND
from tableside.ui import campaign_texts, texts
from tableside.ui import input as keys
from tableside.ui.failures import words
from tableside.ui.reading import TextScreen
from tableside.ui.screen import ListScreen
from tableside.ui.widgets import hint


def load(app, number):
    """The book of a campaign. Raises OSError, or LogError if it is damaged."""
    return Book(app.device.campaigns.head(number))


def keep(app, number, book):
    """Write a book: a power cut leaves the old one or the new one. Raises OSError."""
    app.device.campaigns.open(number).begin(book.data())


def kept(app, number, book):
    """Write a book, or tell why that cannot be. Returns: whether it was written."""
    try:
        keep(app, number, book)
    except OSError as error:
        app.tell(texts.NOT_SAVED_TITLE, words(error))
        return False
    return True


def find_scenario(pack, name):
    """The Scenario of an id. Raises PackError if the pack has it not."""
    for i in range(pack.count(SCENARIO)):
        scenario = Scenario(pack, i)
        if scenario.id() == name:
            return scenario
    raise PackError("no such mission in this version of the pack", name)


def spell(scenario, values):
    """Values as lines for the players, but for those that are as they would be without a campaign."""
    lines = []
    flags = []
    pack = scenario.pack
    for name, kind, number in campaign.keeps(scenario):
        if kind == campaign.COUNTER:
            record = scenario.counter(number)
            value = max(record[2], min(record[3], values.get(name, record[4])))
            if value != record[4]:
                lines.append("%s: %s" % (pack.text(record[0]), value_text(scenario, number, value)))
        elif kind == campaign.FLAGS:
            flags.append((name, pack.text(scenario.flag(number)[0])))
        else:
            for flag, title in flags:
                if values.get(name + "." + flag):
                    lines.append("%s: %s" % (pack.text(scenario.unit(number)[0]), title))
    return lines


def strange(pack, values):
    """The names of values that this version of the pack does not know: they stay in the book."""
    known = [pack.text(pack.record(KEEP, i)[0]) for i in range(pack.count(KEEP))]
    return [name for name in sorted(values) if name.split(".")[0] not in known or name.split(".")[-1] not in known]


class Campaign(ListScreen):
    """One campaign: its next mission is under OK.

    Args: number: of its book. Raises: OSError or LogError if that cannot be read.
    """

    def __init__(self, app, number):
        self._number = number
        self._book = load(app, number)
        self.title = "#%d %s" % (number, self._book.title)
        super().__init__(app)

    def rows(self):
        """The next mission, or how it ended; the results, the values, and taking the last result back."""
        book = self._book
        if book.over():
            first = _over(book), ""
            self._actions = [self._ending]
        else:
            first = self._next()
            self._actions = [self._play]
        rows = [first, (campaign_texts.RESULTS, str(book.played)), (campaign_texts.VALUES, "")]
        self._actions += [self._results, self._values]
        if book.results:
            rows.append(("%s: %s" % (campaign_texts.TAKE_BACK, book.results[-1][MISSION_TITLE]), ""))
            self._actions.append(self._take_back)
        self._actions.append(lambda: self.app.go("past.Rename", self._number))
        return rows + [(campaign_texts.RENAME, "")]

    def _next(self):
        """The row of the next mission: a game of it that has begun, or the mission."""
        self._session = self._find_session()
        title = self._book.next_title
        if self._session is None:
            return "%s: %s" % (campaign_texts.PLAY, title), ""
        try:
            session = self.app.games.load(self._session)
            over = session.over()
            without = over and session.state.data[O_RESULT] == NOBODY
            place = "" if over else texts.ROUND + str(session.state.data[O_ROUND])
            session.close()
        except (OSError, ValueError) as error:
            self._session = None
            return "%s: %s" % (campaign_texts.PLAY, title), "! " + words(error)
        if without:  # it was given up: the mission is played again
            self._session = None
            return "%s: %s" % (campaign_texts.PLAY, title), ""
        return "%s: %s" % (campaign_texts.ENTER_RESULT if over else texts.RESUME, title), place

    def _find_session(self):
        """The newest saved game of the next mission, None if it was not begun."""
        store = self.app.device.store
        for number in store.numbers():
            try:
                data = read_carried(store.head(number))
                carried = Carried(data) if data else None
                if carried is not None and carried.number == self._number and self._book.awaits(carried):
                    return number
            except (OSError, ValueError):
                pass  # the list of saved games says what is wrong with it
        return None

    def chosen(self, index):
        """Do what the row says."""
        self._actions[index]()

    def _play(self):
        if self._session is not None:
            self.app.resume(self._session)
            return
        try:
            pack = self.app.games.open_pack(self._book.pack_id)
        except (OSError, ValueError) as error:
            self.app.tell(self.title, "%s: %s" % (self._book.pack_id, words(error)))
            return
        try:
            scenario = find_scenario(pack, self._book.next)
            told = spell(scenario, self._book.values)
            told += self._version_lines(pack)
        except ValueError as error:
            self.app.tell(self.title, "%s: %s" % (words(error), campaign_texts.BOOK_KEPT))
            return
        finally:
            pack.close()
        self.app.begin(self._book.pack_id, scenario.index, self._book.carried(self._number), "\n".join(told))

    def _version_lines(self, pack):
        """What is to be said if the campaign was begun or played on with another version of the pack."""
        lines = []
        if pack.version() != self._book.version:
            lines.append(campaign_texts.OTHER_VERSION % (self._book.version, pack.version()))
        lost = strange(pack, self._book.values)
        if lost:
            lines.append(campaign_texts.NOT_IN_VERSION + " " + ", ".join(lost))
        return lines

    def _ending(self):
        book = self._book
        self.app.pages(self.title, [book.ending + ("\n" + book.ending_text if book.ending_text else "")]
                       if book.ending else [], campaign_texts.OVER)

    def _results(self):
        if self._book.results:
            self.app.go("past.Results", self._number)
        else:
            self.app.tell(campaign_texts.RESULTS, campaign_texts.NO_RESULTS)

    def _values(self):
        try:
            pack = self.app.games.open_pack(self._book.pack_id)
        except (OSError, ValueError):
            lines = ["%s: %d" % (name, self._book.values[name]) for name in sorted(self._book.values)]
        else:
            try:
                lines = self._spelled(pack)
            finally:
                pack.close()
        self.app.pages(campaign_texts.VALUES, ["\n".join(lines)] if lines else [], campaign_texts.NO_VALUES)

    def _spelled(self, pack):
        """The values as the next mission, or else the last one, knows them."""
        name = self._book.next or self._book.results[-1][0]
        try:
            lines = spell(find_scenario(pack, name), self._book.values)
        except PackError:
            lines = []
        return lines + self._version_lines(pack)

    def _take_back(self):
        last = self._book.results[-1]
        self.app.ask(campaign_texts.TAKE_BACK, "%s: %s?" % (last[MISSION_TITLE], last[RESULT_TITLE]), self._taken_back)

    def _taken_back(self):
        self._book.take_back()
        kept(self.app, self._number, self._book)
        self.app.back()
        self.app.go("campaign.Campaign", self._number)


def _over(book):
    """How a campaign ended."""
    return "%s: %s" % (campaign_texts.OVER, book.ending) if book.ending else campaign_texts.OVER


def _number(app):
    """The number of the saved game that is open, 0 if it is in RAM only."""
    head = app.session.head()
    for number in app.device.store.numbers():
        if app.device.store.head(number) == head:
            return number
    return 0


class Enter(TextScreen):
    """What the result of the session does in its campaign; OK enters it, once."""

    def __init__(self, app):
        self._book = None
        try:
            text = self._look(app)
        except (OSError, ValueError) as error:
            text = words(error)
        super().__init__(app, texts.CAMPAIGN, [text])

    def _look(self, app):
        """Read the book, enter the result in it, and say what follows. Raises OSError or ValueError."""
        session = app.session
        state, pack = session.state, session.pack
        carried = Carried(session.carried())
        self._number = carried.number
        if carried.number not in app.device.campaigns.numbers():
            raise LogError(campaign_texts.NO_CAMPAIGN, carried.number)
        book = load(app, carried.number)
        if carried.salt != book.salt:
            raise LogError(campaign_texts.NO_CAMPAIGN, carried.number)
        if not book.awaits(carried):
            return campaign_texts.HAS_RESULT
        if state.data[O_RESULT] == NOBODY:
            return campaign_texts.PLAY_AGAIN
        index = campaign.find(pack, carried.campaign)
        if index is None:
            raise PackError("no such campaign in this version of the pack", carried.campaign)
        ending = campaign.ending(state)
        number = NOBODY if ending else campaign.following(state, index)
        scenario = None if number == NOBODY else Scenario(pack, number)
        following = ("", "") if scenario is None else (scenario.id(), scenario.title())
        result = expand(state, pack.text(session.scenario.result(state.data[O_RESULT])[0]))
        book.version = pack.version()
        book.take(session.scenario.title(), result, _number(app), campaign.gather(state), following,
                  ending[:2] if ending else ("", ""))
        self._book = book
        if book.over():
            return "%s\n%s" % (result, _over(book))
        return "%s\n%s: %s" % (result, campaign_texts.NEXT_MISSION, book.next_title)

    def draw_hint(self, canvas, turn):
        """OK enters it, or goes home if there is nothing to enter."""
        hint(canvas, "OK " + (texts.OK_HOME if self._book is None else texts.ENTER), turn or "BACK")

    def answered(self, key):
        """Write the book, then show it."""
        if key == keys.BACK:
            self.app.back()
        elif key == keys.OK:
            if self._book is not None and not kept(self.app, self._number, self._book):
                return
            self.app.home()
            if self.app.session is None and self._book is not None:
                self.app.go("campaign.Campaign", self._number)
