"""Who plays: names of the club's roster, for the sides of a game. See docs/club.md for the roster."""

import json

from tableside.core.book import SESSION
from tableside.core.campaign import Carried
from tableside.ui import campaign_texts, texts
from tableside.ui.failures import words
from tableside.ui.screen import ListScreen

_MOST = 6000  # bytes of a roster


def read(app):
    """The roster: (names, pairs of names with their table). One that cannot be read is empty."""
    try:
        found = json.loads(app.device.roster.read(_MOST))
        names = [name for name in found["players"] if isinstance(name, str) and name]
        pairs = [(str(table), str(a), str(b)) for table, a, b in found.get("pairings", ())]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return [], []
    return names, pairs


def pair_row(pair):
    """A pairing as a row."""
    return "%s - %s" % pair[1:], texts.TABLE + pair[0]


class Players(ListScreen):
    """Who plays, after the beginning of a game: those of the mission before, a pairing, or one name after the other.
    BACK leaves it open.
    """

    title = campaign_texts.WHO_PLAYS
    has_menu = False
    leave = "BACK " + texts.SKIP

    def __init__(self, app):
        self._names, self._pairs = read(app)
        self._sides = app.session.scenario.players()
        if len(self._sides) > 2:
            self._pairs = []
        self._before = self._last_time(app)
        super().__init__(app)

    def _last_time(self, app):
        """The names of the mission before, as they are in its game."""
        try:
            data = app.session.carried()
            if not data:
                return b""
            from tableside.ui.campaign import load

            results = load(app, Carried(data).number).results
            return app.device.store.players(int(results[-1][SESSION])) if results else b""
        except (OSError, ValueError):
            return b""

    def rows(self):
        """Rows for all of that."""
        rows = [pair_row(pair) for pair in self._pairs]
        if self._before:
            known = [line for line in str(self._before, "utf-8").split("\n") if line]
            rows.insert(0, (campaign_texts.AS_BEFORE + " " + " - ".join(known), ""))
        return rows + [(campaign_texts.NAME_BY_NAME, ">")]

    def chosen(self, index):
        """Note the players, or ask for names."""
        if self._before:
            index -= 1
        if index < 0:
            note(self.app, self._before)
        elif index >= len(self._pairs):
            ask(self.app, {}, self._names)
        elif len(self._sides) == 2:
            ask(self.app, {}, list(self._pairs[index][1:]))
        else:
            note_names(self.app, {self._sides[0]: list(self._pairs[index][1:])})


class Side(ListScreen):
    """Who plays one side; where there is only one, several may.

    Args: side; taken: names by side so far; names: to choose from.
    """

    has_menu = False
    leave = "BACK " + texts.SKIP

    def __init__(self, app, side, taken, names):
        self._side = side
        self._taken = taken
        self._several = len(app.session.scenario.players()) == 1
        self.title = app.session.scenario.side_name(side)
        self._names = names
        super().__init__(app)

    def rows(self):
        """The names; above them those who are taken."""
        taken = self._taken.get(self._side)
        first = [("%s: %s" % (texts.DONE, ", ".join(taken)), "")] if taken else []
        return first + [(name, "") for name in self._names]

    def chosen(self, index):
        """Take one, and go on with the next side."""
        taken = self._taken.get(self._side, [])
        if taken:
            index -= 1
        if index < 0:
            note_names(self.app, self._taken)
            return
        names = [name for name in self._names if name != self._names[index]]
        self._taken[self._side] = taken + [self._names[index]]
        if self._several and names:
            self.app.back()
            self.app.go("players.Side", self._side, self._taken, names)
        else:
            ask(self.app, self._taken, names)


def ask(app, taken, names):
    """Ask for the next side that has nobody; the last of two names is its own answer."""
    app.back()
    sides = app.session.scenario.players()
    left = [side for side in sides if side not in taken]
    if len(left) == len(names) == 1 and len(sides) == 2:
        taken[left.pop()] = names
    if not names or not left:
        note_names(app, taken, False)
    else:
        app.go("players.Side", left[0], taken, names)


def note_names(app, taken, leave=True):
    """Write the names into the game's folder, a line a side."""
    lines = [", ".join(taken.get(side, ())) for side in range(app.session.scenario.sides)]
    note(app, ("\n".join(lines) + "\n").encode(), leave)


def note(app, data, leave=True):
    """Write the players' file, and go on with the game."""
    if leave:
        app.back()
    try:
        app.session.note_players(data)
    except OSError as error:
        app.tell(texts.NOT_SAVED_TITLE, words(error))
