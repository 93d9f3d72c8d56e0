"""Decks: what lies where, drawing and putting back by hand, and secret zones behind "pass the device"."""

from tableside.core import commands
from tableside.core.deck import END, OPEN, RANDOM, RESHUFFLE_WHEN_EMPTY, SECRET, TOP
from tableside.core.state import DISCARD, REMOVED
from tableside.core.titles import card_title
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.screen import ListScreen, Screen
from tableside.ui.widgets import hint, paragraph, status


def _cards(state, deck, zone):
    """The titles of a zone's cards, the newest first."""
    count = state.zone_count(deck, zone)
    return [card_title(state, deck, state.card(deck, zone, count - 1 - i)) for i in range(count)]


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
        session = self.app.session
        state = session.state
        self._first = session.scenario.deck(self._deck)[1]
        self._zones = state.zones(self._deck)
        rows = []
        for zone in range(self._zones - 1, -1, -1):
            name = session.pack.text(session.scenario.zone(self._first + zone)[0])
            if session.scenario.zone(self._first + zone)[3] == OPEN and state.zone_count(self._deck, zone):
                name += ": " + " ".join(_cards(state, self._deck, zone))
            rows.append((name, str(state.zone_count(self._deck, zone))))
        deck, pile, seen = self._deck, self._zones - 1, self._open_zone()
        self._by_hand = [
            (texts.DRAW_BY_HAND, commands.DRAW, (deck, seen)),
            (texts.SHUFFLE_BY_HAND, commands.SHUFFLE, (deck,)),
        ]
        newest = state.zone_count(deck, seen) - 1
        if newest >= 0:
            for text, place in ((texts.PUT_ON_TOP, TOP), (texts.PUT_ON_BOTTOM, END), (texts.PUT_AT_RANDOM, RANDOM)):
                self._by_hand.append((text, commands.MOVE, (deck, seen, newest, pile, place)))
        return rows + [(entry[0], "") for entry in self._by_hand]

    def _open_zone(self):
        """Where a card drawn by hand goes: the discard; of a deck that is never reshuffled, the removed zone if any."""
        scenario = self.app.session.scenario
        kinds = [scenario.zone(self._first + zone)[1] for zone in range(self._zones)]
        if REMOVED in kinds and not scenario.deck(self._deck)[6] & RESHUFFLE_WHEN_EMPTY:
            return kinds.index(REMOVED)
        return kinds.index(DISCARD) if DISCARD in kinds else 0

    def chosen(self, index):
        """Open a zone or do a command by hand."""
        if index >= self._zones:
            _, kind, args = self._by_hand[index - self._zones]
            self.app.do(kind, args)
            return
        zone = self._zones - 1 - index
        _, _, owner, look, _ = self.app.session.scenario.zone(self._first + zone)
        if look == SECRET:
            self.app.toast = texts.FACE_DOWN
        elif look == OPEN:
            self.app.go("decks.ZonePage", self._deck, zone)
        else:
            self.app.go("decks.PassDevice", owner, self._deck, zone)


class ZonePage(Screen):
    """All cards of a zone, the newest first. Any button leaves; looking changes nothing.

    Args: deck, zone: their numbers; whoever looks has been let in.
    """

    secret = True

    def __init__(self, app, deck, zone):
        super().__init__(app)
        scenario = app.session.scenario
        self._title = app.session.pack.text(scenario.zone(scenario.deck(deck)[1] + zone)[0])
        self._text = "  ".join(_cards(app.session.state, deck, zone)) or texts.EMPTY

    def draw(self, canvas):
        """The titles."""
        status(canvas, self._title)
        paragraph(canvas, self._text, 1, 6)
        hint(canvas, "OK " + texts.HIDE)

    def event(self, key):
        """Any button hides the cards."""
        self.app.back()


class PassDevice(Screen):
    """Asks to hand the device over before anything secret is drawn.

    Args: side: who may look; deck, zone: what they will see.
    """

    def __init__(self, app, side, deck, zone):
        super().__init__(app)
        self._side = app.session.scenario.side_name(side)
        self._deck = deck
        self._zone = zone

    def draw(self, canvas):
        """Who gets the device."""
        status(canvas, texts.DECK)
        page = paragraph(canvas, "%s %s" % (texts.PASS, self._side), 1, 4)
        paragraph(canvas, texts.PRIVATE, page + 1, 1, False)
        hint(canvas, "OK " + texts.SHOW, "BACK")

    def event(self, key):
        """OK shows, BACK leaves."""
        if key == keys.OK:
            self.app.back()
            self.app.go("decks.ZonePage", self._deck, self._zone)
        elif key == keys.BACK:
            self.app.back()
