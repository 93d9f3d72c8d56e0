"""A deck: what lies where, and what may be done with it by hand. The cards themselves are in `cards` and `find`."""

from tableside.core import commands
from tableside.core.deck import OPEN, RESHUFFLE_WHEN_EMPTY, SECRET, draw_zone
from tableside.core.pack import NOBODY
from tableside.core.state import DISCARD, REMOVED
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.cards import in_order, look, titles, zone_name
from tableside.ui.screen import ListScreen, Screen
from tableside.ui.widgets import fit, hint, paragraph, status

_CARDS_SHOWN = 54  # characters of a zone's row: three lines; the whole is behind it


class DeckPage(ListScreen):
    """The zones of a deck with their counts, then what may be done by hand.

    Args: deck: its number.
    """

    verb = texts.OPEN

    def __init__(self, app, deck):
        self._deck = deck
        self.title = app.session.pack.text(app.session.scenario.deck(deck)[0])
        super().__init__(app)

    def rows(self):
        """Zones from the draw zone back, then commands by hand."""
        state = self.app.session.state
        deck, self._pile = self._deck, draw_zone(self.app.session.state, self._deck)
        rows = []
        for zone in range(self._pile, -1, -1):
            name = zone_name(state, deck, zone)
            known = self._left() if zone == self._pile else ""
            if look(state, deck, zone) == OPEN:
                known = " ".join(titles(state, deck, zone))
            if known:
                name = fit("%s: %s" % (name, known), _CARDS_SHOWN)
            rows.append((name, str(state.zone_count(deck, zone))))
        self._by_hand = [
            (texts.DRAW_BY_HAND, lambda: self.app.do(commands.DRAW, (deck, self._open_zone()))),
            (texts.SHUFFLE_BY_HAND, lambda: self.app.do(commands.SHUFFLE, (deck,))),
        ]
        if look(state, deck, self._pile) != OPEN and state.zone_count(deck, self._pile):
            self._by_hand.append((texts.LOOK_AT_TOP, lambda: self._pass(self._pile, "cards.TopPage", deck, 1)))
        self._by_hand.append((texts.FIND_CARD, lambda: self.app.go("find.FindCard", deck)))
        return rows + [(text, "") for text, _ in self._by_hand]

    def _left(self):
        """What the draw zone holds, in the order of the titles, if the rules make that knowable: all else lies open."""
        state, deck = self.app.session.state, self._deck
        if not state.zone_count(deck, self._pile):
            return ""
        for zone in range(self._pile):
            if look(state, deck, zone) != OPEN:
                return ""
        return "%s %s" % (texts.LEFT, " ".join(in_order(titles(state, deck, self._pile))))

    def _open_zone(self):
        """Where a card drawn by hand goes: the discard; of a deck that is never reshuffled, the removed zone if any."""
        scenario = self.app.session.scenario
        record = scenario.deck(self._deck)
        kinds = [scenario.zone(record[1] + zone)[1] for zone in range(record[2])]
        if REMOVED in kinds and not record[6] & RESHUFFLE_WHEN_EMPTY:
            return kinds.index(REMOVED)
        return kinds.index(DISCARD) if DISCARD in kinds else 0

    def ok_hint(self):
        """Zones are opened, commands chosen."""
        return "OK " + (self.verb if self.list.cursor <= self._pile else texts.CHOOSE)

    def chosen(self, index):
        """Open a zone or do something by hand."""
        zone = self._pile - index
        if zone < 0:
            self._by_hand[index - self._pile - 1][1]()
            return
        allowed = look(self.app.session.state, self._deck, zone)
        if allowed == OPEN:
            self.app.go("cards.ZonePage", self._deck, zone)
        elif allowed != SECRET:
            self._pass(zone, "cards.ZonePage", self._deck, zone)
        elif zone == self._pile and self._left():
            self.app.pages(zone_name(self.app.session.state, self._deck, zone), [self._left()], "")
        else:
            self.app.toast = texts.FACE_DOWN

    def _pass(self, zone, screen, *args):
        scenario = self.app.session.scenario
        self.app.go("decks.PassDevice", scenario.zone(scenario.deck(self._deck)[1] + zone)[2], screen, *args)


class PassDevice(Screen):
    """Asks to hand the device over, or to look alone, before anything secret is drawn.

    Args: side: who may look, or NOBODY; screen, args: what they will see.
    """

    def __init__(self, app, side, screen, *args):
        super().__init__(app)
        self._text = texts.PRIVATE
        if side != NOBODY:
            self._text = "%s %s" % (texts.PASS, app.session.scenario.side_name(side))
        self._screen = screen
        self._args = args

    def draw(self, canvas):
        """Who gets the device."""
        status(canvas, texts.DECK)
        page = paragraph(canvas, self._text, 1, 4)
        if self._text != texts.PRIVATE:
            paragraph(canvas, texts.PRIVATE, page + 1, 1, False)
        hint(canvas, "OK " + texts.SHOW, "BACK")

    def event(self, key):
        """OK shows, BACK leaves."""
        if key == keys.OK:
            self.app.back()
            self.app.go(self._screen, *self._args)
        elif key == keys.BACK:
            self.app.back()
