"""The cards of a deck: those of a zone, the top of the draw pile, and what may be done with one of them.

What is not for everyone is reached only through `decks.PassDevice`, and keeps to this: UP and DOWN go through the cards
and OK on a card offers what may be done with it; BACK, and a long press of OK or BACK, hide everything at once, from
the card as well as from the list. A secret screen never lies below another (see `App.go`), so that neither undo, menu,
home nor an error brings it back. Once a card was moved the secret is gone too; only a look at the top of the pile goes
on with the cards that were seen, because several of them may have to be put into another order.
"""

from tableside.core import commands
from tableside.core.deck import END, OPEN, RANDOM, TOP, draw_zone
from tableside.core.fields import card_title
from tableside.core.pack import CARD
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.screen import ListScreen
from tableside.ui.widgets import List, paragraph, status

_HIDE = "BACK " + texts.HIDE


def _zone(state, deck, zone):
    return state.scenario.zone(state.scenario.deck(deck)[1] + zone)


def zone_name(state, deck, zone):
    """The name of a zone."""
    return state.scenario.pack.text(_zone(state, deck, zone)[0])


def look(state, deck, zone):
    """Who may look at a zone: OPEN, OWNER or SECRET."""
    return _zone(state, deck, zone)[3]


def position(state, deck, zone, i):
    """Where the card lies that is number `i` in its zone: the top of the draw zone first, else the newest."""
    return i if zone == draw_zone(state, deck) else state.zone_count(deck, zone) - 1 - i


def titles(state, deck, zone):
    """The titles of a zone's cards: from the top of the draw zone, else from the newest."""
    return [
        card_title(state, deck, state.card(deck, zone, position(state, deck, zone, i)))
        for i in range(state.zone_count(deck, zone))
    ]


def in_order(titles):
    """Titles by number, then by letter."""
    return [title for _, _, title in sorted([(0, int(t), t) if _is_number(t) else (1, 0, t) for t in titles])]


def _is_number(title):
    return 0 < len(title) < 6 and all("0" <= char <= "9" for char in title)


def ways(state, deck, zone):
    """Where a card may be put by hand, the likeliest first, as (label, zone, place).

    Args: zone: where it lies; None if that is not said.
    """
    pile = draw_zone(state, deck)
    back = [(texts.PUT_ON_TOP, pile, TOP), (texts.PUT_ON_BOTTOM, pile, END), (texts.PUT_AT_RANDOM, pile, RANDOM)]
    out = [
        (texts.PUT_TO + zone_name(state, deck, other), other, END) for other in range(pile - 1, -1, -1) if other != zone
    ]
    if zone is None or zone == pile:
        return back + out
    if state.zone_count(deck, zone) > 1:
        back += [(texts.PUT_NEWEST, zone, END), (texts.PUT_OLDEST, zone, TOP)]
    return back + out if look(state, deck, zone) == OPEN else out + back


class ZonePage(ListScreen):
    """All cards of a zone; OK on a card offers what may be done with it. Looking changes nothing.

    Args: deck, zone: their numbers; whoever looks at a zone that is not open has been let in.
    """

    verb = texts.OPEN

    def __init__(self, app, deck, zone):
        self._deck = deck
        self._zone = zone
        self.title = zone_name(app.session.state, deck, zone)
        self.secret = look(app.session.state, deck, zone) != OPEN
        if self.secret:
            self.leave = _HIDE
        super().__init__(app)

    def rows(self):
        """The titles."""
        return [(title, "") for title in titles(self.app.session.state, self._deck, self._zone)]

    def draw(self, canvas):
        """The list, or that there is nothing."""
        super().draw(canvas)
        if not self.list.rows:
            paragraph(canvas, texts.EMPTY, 1, 2)

    def chosen(self, index):
        """Show the card."""
        at = position(self.app.session.state, self._deck, self._zone, index)
        self.app.go("cards.CardPage", self._deck, self._zone, at, 0)


class TopPage(ListScreen):
    """The top cards of the draw pile, one more with each DOWN past the last.

    Args: deck: its number; seen: how many cards are shown.
    """

    verb = texts.OPEN
    secret = True

    def __init__(self, app, deck, seen):
        self._deck = deck
        self._zone = draw_zone(app.session.state, deck)
        self._seen = seen
        super().__init__(app)

    def rows(self):
        """The titles of the cards that have been turned up, the top first."""
        state = self.app.session.state
        return [
            ("%d %s" % (i + 1, card_title(state, self._deck, state.card(self._deck, self._zone, i))), "")
            for i in range(self._seen)
        ]

    def _more(self):
        last = self.list.cursor == self._seen - 1
        return last and self._seen < self.app.session.state.zone_count(self._deck, self._zone)

    def head(self, canvas):
        """How many cards of the pile that are."""
        count = self.app.session.state.zone_count(self._deck, self._zone)
        status(canvas, texts.TOP_OF_PILE, "%d/%d" % (self._seen, count))

    def leave_hint(self):
        """On the last card DOWN turns up another one."""
        return ("↓ " + texts.NEXT_CARD + " BACK") if self._more() else _HIDE

    def event(self, key):
        """As in any secret list, but DOWN on the last row turns up the next card."""
        if key == keys.DOWN and not self.list.move(1) and self._more():
            self._seen += 1
            self.list = List(self.rows(), self._seen - 1)
        elif key != keys.DOWN:
            super().event(key)

    def chosen(self, index):
        """Show the card."""
        self.app.go("cards.CardPage", self._deck, self._zone, index, self._seen)


class CardPage(ListScreen):
    """One card: its text, then where it may be put; each is one command.

    Args:
        deck, zone, at: where it lies.
        seen: how many cards of the draw pile are being looked at; 0 if it is no look at the top.
    """

    def __init__(self, app, deck, zone, at, seen):
        state = app.session.state
        self._from = deck, zone, at
        self._seen = seen
        card = state.card(deck, zone, at)
        self.title = card_title(state, deck, card)
        self._text = state.scenario.pack.text(state.scenario.pack.record(CARD, state.scenario.deck(deck)[3] + card)[1])
        self.secret = look(state, deck, zone) != OPEN
        if self.secret:
            self.leave = _HIDE
        super().__init__(app)

    def rows(self):
        """The text, if there is one, then the places."""
        deck, zone, _ = self._from
        self._ways = ways(self.app.session.state, deck, zone)
        return ([(self._text, "")] if self._text else []) + [(way[0], "") for way in self._ways]

    def _on_text(self):
        return self._text and not self.list.cursor

    def ok_hint(self):
        """On the text OK goes on to the places."""
        return "↓ " + texts.MORE if self._on_text() else super().ok_hint()

    def chosen(self, index):
        """Put the card there. A look at the top goes on, without a card that has left the top."""
        if self._on_text():
            self.list.move(1)
            return
        deck, zone, at = self._from
        _, target, place = self._ways[index - (1 if self._text else 0)]
        self.app.do(commands.MOVE, (deck, zone, at, target, place))
        seen = self._seen - (0 if target == zone and place == TOP else 1)
        if place == RANDOM:
            seen = 0  # or the look would show where it went
        if seen > 0:
            self.app.go("decks.DeckPage", deck)
            self.app.go("cards.TopPage", deck, seen)
