"""Finding a card by its title and putting it somewhere. Nothing here says where a hidden card lies."""

from tableside.core import commands
from tableside.core.deck import OPEN, draw_zone
from tableside.core.fields import card_title
from tableside.ui import texts
from tableside.ui.cards import in_order, look, ways
from tableside.ui.screen import ListScreen

_LONG_LIST = 13  # different cards; beyond that the initial is asked first


class FindCard(ListScreen):
    """The different cards of a deck in the order of their titles, with how many are seen to lie open.

    Args: deck: its number; initial: only titles that begin with it; None: all, or first the initials if there are many.
    """

    title = texts.FIND_CARD

    def __init__(self, app, deck, initial=None):
        self._deck = deck
        self._initial = initial
        super().__init__(app)

    def rows(self):
        """Cards, or initials."""
        state = self.app.session.state
        by_title = {}
        for card in range(state.scenario.deck(self._deck)[4]):
            by_title.setdefault(card_title(state, self._deck, card), []).append(card)
        names = in_order(by_title)
        self._choose_initial = self._initial is None and len(names) > _LONG_LIST
        if self._choose_initial:
            self._found = in_order({name[:1] for name in names})
            return [(initial, "") for initial in self._found]
        if self._initial is not None:
            names = [name for name in names if name[:1] == self._initial]
        self._found = [by_title[name] for name in names]
        seen = self._seen()
        counts = [sum(seen[card] for card in cards) for cards in self._found]
        return [(name, "%s %d" % (texts.SEEN, counts[i]) if counts[i] else "") for i, name in enumerate(names)]

    def _seen(self):
        """How many of each card lie open."""
        state, deck = self.app.session.state, self._deck
        seen = [0] * state.scenario.deck(deck)[4]
        for zone in range(state.zones(deck)):
            if look(state, deck, zone) == OPEN:
                for i in range(state.zone_count(deck, zone)):
                    seen[state.card(deck, zone, i)] += 1
        return seen

    def chosen(self, index):
        """The cards with this initial, or where to put this card."""
        if self._choose_initial:
            self.app.go("find.FindCard", self._deck, self._found[index])
        else:
            self.app.go("find.PutCard", self._deck, self._found[index])


class PutCard(ListScreen):
    """Where to put a copy of a card, wherever that is taken from: what lies open first, then the draw pile.

    Args: deck: its number; cards: the numbers of the cards with this title.
    """

    def __init__(self, app, deck, cards):
        self._deck = deck
        self._cards = cards
        self.title = card_title(app.session.state, deck, cards[0])
        super().__init__(app)

    def rows(self):
        """The places."""
        self._ways = ways(self.app.session.state, self._deck, None)
        return [(way[0], "") for way in self._ways]

    def chosen(self, index):
        """Put it there; if every copy is hidden elsewhere, say only that there is none to take."""
        _, target, place = self._ways[index]
        found = self._find(target)
        if found is None:
            self.app.toast = texts.NO_COPY
        else:
            self.app.do(commands.MOVE, (self._deck,) + found + (target, place))

    def _find(self, target):
        """(zone, position) of a copy that is not there already, or None."""
        state, deck = self.app.session.state, self._deck
        pile = draw_zone(state, deck)
        zones = [zone for zone in range(pile) if zone != target and look(state, deck, zone) == OPEN]
        for zone in zones + [pile]:
            for at in range(state.zone_count(deck, zone)):
                if state.card(deck, zone, at) in self._cards:
                    return zone, at
        return None
