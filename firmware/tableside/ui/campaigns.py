"""The campaigns of a device: choosing, deleting and beginning one. See `campaign` for its book."""

from tableside.core import campaign
from tableside.core.book import Book, new_book
from tableside.core.pack import CAMPAIGN, Scenario
from tableside.ui import campaign_texts, texts
from tableside.ui import input as keys
from tableside.ui.failures import words
from tableside.ui.reading import TextScreen
from tableside.ui.screen import ListScreen
from tableside.ui.widgets import hint


class Campaigns(ListScreen):
    """The campaigns of this device, newest first; holding OK offers to delete one."""

    title = texts.CAMPAIGNS
    verb = texts.OPEN
    leave = texts.HOLD_DELETE

    def rows(self):
        """One row a campaign: its number, its title and how many missions it has."""
        self._numbers = self.app.device.campaigns.numbers()
        return [self._row(number) for number in self._numbers]

    def _row(self, number):
        try:
            book = Book(self.app.device.campaigns.head(number))
        except (OSError, ValueError) as error:
            return "#%d ! %s" % (number, words(error)), ""
        return "#%d %s" % (number, book.title), campaign_texts.OVER if book.over() else str(book.played)

    def chosen(self, index):
        """Open it, or say what is wrong with it."""
        try:
            self.app.go("campaign.Campaign", self._numbers[index])
        except (OSError, ValueError) as error:
            self.app.tell(texts.CAMPAIGNS, words(error))

    def event(self, key):
        """OK opens a campaign, held it offers to delete it."""
        if key == keys.OK_LONG and self._numbers:
            number = self._numbers[self.list.cursor]
            self.app.go("sure.Sure", texts.DELETE, "%s?" % self.list.rows[self.list.cursor][0], texts.DELETE.lower(),
                        lambda: self._delete(number))
        else:
            super().event(key)

    def _delete(self, number):
        try:
            self.app.device.campaigns.remove(number)
        except OSError as error:
            self.app.tell(texts.DELETE, words(error))
            return
        self.app.restart()
        if self.app.device.campaigns.numbers():
            self.app.go("campaigns.Campaigns")


class New(TextScreen):
    """What a campaign of a pack is; OK begins it.

    Args: pack_id, index: which one. Raises: OSError or PackError if the pack cannot be read.
    """

    def __init__(self, app, pack_id, index):
        self._pack_id = pack_id
        self._index = index
        pack = app.games.open_pack(pack_id)
        _, title, text, _, _, _ = pack.record(CAMPAIGN, index)
        super().__init__(app, pack.text(title), [pack.text(text) or pack.text(title)])
        pack.close()

    def draw_hint(self, canvas, turn):
        """OK begins."""
        hint(canvas, "OK " + texts.BEGIN.lower(), (turn + " BACK") if turn else "BACK")

    def answered(self, key):
        """Write an empty book and open it."""
        if key == keys.OK:
            try:
                number = self._begin()
            except (OSError, ValueError) as error:
                self.app.tell(texts.NOT_SAVED_TITLE, words(error))
                return
            self.app.restart()
            self.app.go("campaign.Campaign", number)
        elif key == keys.BACK:
            self.app.back()

    def _begin(self):
        pack = self.app.games.open_pack(self._pack_id)
        try:
            name, title = [pack.text(string) for string in pack.record(CAMPAIGN, self._index)[:2]]
            first = Scenario(pack, campaign.missions(pack, self._index)[0])
            salt = "".join("%02x" % byte for byte in self.app.device.entropy()[:4])
            book = new_book(pack, name, title, salt, (first.id(), first.title()),
                            campaign.first_values(pack, self._index))
        finally:
            pack.close()
        store = self.app.device.campaigns
        store.new().begin(book.data())
        return store.numbers()[0]
