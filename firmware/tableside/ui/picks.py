"""Picking a card, and where it goes, or a unit, for an action of the step.

What is not for everyone is shown behind `decks.PassDevice` only, and keeps to the rules of `cards`. Whoever picks from
a hidden zone still has the device after that, so as long as the same action is allowed the list comes back at once.
"""

from tableside.core import commands, engine, picks
from tableside.core.deck import OPEN
from tableside.core.fields import card_title, expand, unit_name
from tableside.core.pack import ACTION, CARD
from tableside.core.state import SLOT
from tableside.ui import texts
from tableside.ui.cards import look, zone_name
from tableside.ui.roster import unit_state
from tableside.ui.screen import ListScreen
from tableside.ui.widgets import paragraph


def begin(app, action):
    """Show what may be picked for an action; the device changes hands first if that is secret."""
    state = app.session.state
    record = picks.effect(state, action)
    if record[0] == engine.PICK_UNIT:
        app.go("picks.PickUnit", action)
    elif hidden(state, record) and not _by_slot(state, record):
        app.go("decks.PassDevice", owner(state, record), "picks.PickCard", action, True)
    else:
        app.go("picks.PickCard", action, not hidden(state, record))


def hidden(state, record):
    """Whether the cards that may be picked are not for everyone."""
    return look(state, record[1], record[2] & 15) != OPEN


def owner(state, record):
    """The side that may see them."""
    return state.scenario.zone(state.scenario.deck(record[1])[1] + (record[2] & 15))[2]


def _by_slot(state, record):
    """Whether a card is known by the slot where it lies, so that it may be picked unseen."""
    return state.scenario.zone(state.scenario.deck(record[1])[1] + (record[2] & 15))[1] == SLOT


def _label(app, action):
    return expand(app.session.state, app.session.pack.text(app.session.pack.record(ACTION, action)[0]))


def _done(app, kind, args, screen, *more):
    """Give the command; then go on with a screen while the action is still allowed."""
    records = app.session.records
    app.do(kind, args)
    if app.session.records != records and args[0] in engine.allowed(app.session.state):
        app.go(screen, args[0], *more)


class PickCard(ListScreen):
    """The cards that may be picked; of those in slots only the slots, until somebody asks to look.

    Args: action: an ACTION record; shown: whether their titles are to be seen.
    """

    def __init__(self, app, action, shown):
        self._action = action
        self._record = picks.effect(app.session.state, action)
        self._shown = shown
        self.title = _label(app, action)
        self.secret = shown and hidden(app.session.state, self._record)
        if self.secret:
            self.leave = "BACK " + texts.HIDE
        super().__init__(app)

    def rows(self):
        """Titles, the names of slots, or both."""
        state = self.app.session.state
        deck = self._record[1]
        several = self._record[2] & 15 < self._record[2] >> 4
        self._cards = picks.cards(state, self._record)
        rows = []
        for zone, at in self._cards:
            title = card_title(state, deck, state.card(deck, zone, at)) if self._shown else ""
            name = zone_name(state, deck, zone)
            rows.append((title if not several else "%s: %s" % (name, title) if title else name, ""))
        return rows if self._shown else rows + [(texts.LOOK_FIRST, ">")]

    def draw(self, canvas):
        """The list, or that nothing fits."""
        super().draw(canvas)
        if not self.list.rows:
            paragraph(canvas, texts.NO_CARD_FITS, 1, 2)

    def chosen(self, index):
        """Its place, if there is a choice or a text to read first."""
        state = self.app.session.state
        if index == len(self._cards):
            self.app.go("decks.PassDevice", owner(state, self._record), "picks.PickCard", self._action, True)
            return
        zone, at = self._cards[index]
        places = picks.targets(state, self._record)
        if len(places) > 1 or self._shown and card_text(state, self._record[1], zone, at):
            self.app.go("picks.PickPlace", self._action, zone, at, self._shown)
        else:
            pick(self.app, self._action, zone, at, places[0], self._shown)


def card_text(state, deck, zone, at):
    """The text of a card, or nothing."""
    return state.scenario.pack.text(
        state.scenario.pack.record(CARD, state.scenario.deck(deck)[3] + state.card(deck, zone, at))[1])


def pick(app, action, zone, at, place, shown):
    """Give the command. The list comes back if it was one to be seen by whoever has the device now."""
    record = picks.effect(app.session.state, action)
    secret = shown and hidden(app.session.state, record) and not _by_slot(app.session.state, record)
    if secret:
        _done(app, commands.PICK, (action, zone, at, place), "picks.PickCard", True)
    else:
        app.do(commands.PICK, (action, zone, at, place))


class PickPlace(ListScreen):
    """The card's text, then where it may go.

    Args: action: an ACTION record; zone, at: where the card lies; shown: whether it is to be seen.
    """

    def __init__(self, app, action, zone, at, shown):
        state = app.session.state
        self._args = action, zone, at
        self._shown = shown
        record = picks.effect(state, action)
        self._places = picks.targets(state, record)
        self._deck = record[1]
        self._text = card_text(state, self._deck, zone, at) if shown else ""
        self.title = card_title(state, self._deck, state.card(self._deck, zone, at)) if shown else ""
        self.secret = shown and hidden(state, record)
        if self.secret:
            self.leave = "BACK " + texts.HIDE
        super().__init__(app)

    def rows(self):
        """The text, if there is one, then the places."""
        state = self.app.session.state
        places = [(texts.PUT_TO + zone_name(state, self._deck, zone), "") for zone in self._places]
        return ([(self._text, "")] if self._text else []) + places

    def ok_hint(self):
        """On the text OK goes on to the places."""
        return "↓ " + texts.MORE if self._text and not self.list.cursor else super().ok_hint()

    def chosen(self, index):
        """Put it there."""
        if self._text and not index:
            self.list.move(1)
            return
        action, zone, at = self._args
        pick(self.app, action, zone, at, self._places[index - (1 if self._text else 0)], self._shown)


def _marks(state, unit):
    """The marks of the flags with which a unit begins."""
    bits = state.roster.begins(unit)
    return "".join([state.scenario.pack.text(state.scenario.flag(i)[1]) for i in range(8) if bits >> i & 1])


class PickUnit(ListScreen):
    """The units that may be picked. After one is fielded the next may follow.

    Args: action: an ACTION record; cursor: the row to begin with.
    """

    def __init__(self, app, action, cursor=0):
        self._action = action
        self._record = picks.effect(app.session.state, action)
        self.title = _label(app, action)
        super().__init__(app)
        if self._record[3] & 15 == picks.MEAN:
            cursor = self._after_meant()
        self.list.move_to(min(cursor, len(self.list.rows) - 1))

    def _after_meant(self):
        """The row of the unit that is meant; where units take turns, as long as a track lasts, that of the next."""
        last = self.app.session.state.unit() - (self._record[2] & 15 != picks.WITH_TRACK)
        for row, slot in enumerate(self._units):
            if last < slot:
                return row
        return 0

    def rows(self):
        """Names, and what is left of those on the roster."""
        state = self.app.session.state
        self._units = picks.units(state, self._record)
        if self._record[2] & 15 == picks.NEW:
            text, unit = state.scenario.pack.text, state.scenario.unit
            return [(text(unit(i)[0]), _marks(state, i)) for i in self._units]
        return [(unit_name(state, slot), unit_state(state, slot)) for slot in self._units]

    def chosen(self, index):
        """Do it."""
        args = self._action, self._units[index]
        if self._record[2] & 15 == picks.NEW:
            _done(self.app, commands.ASSIGN, args, "picks.PickUnit", index)
        else:
            self.app.do(commands.ASSIGN, args)
