"""The roster: every side's units, what they have lost, adding and removing them."""

from tableside.core import commands, roster
from tableside.core.fields import track_text, unit_name
from tableside.core.pack import NOBODY
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.number import Number
from tableside.ui.screen import ListScreen

_MOST = 10  # characters of a unit's state
_FIRST = (1, 1, 4, 3, 0, 0)  # what the numbers of a new unit start at


def sides(scenario):
    """The numbers of the sides that may have units: all, or nobody where there are none."""
    return list(range(scenario.sides)) or [NOBODY]


def strength(models, left, wounds, lost):
    """What is left of a unit: "3/5 w1" models and lost wounds, of a single model "7/10" wounds, "x" for none."""
    if not left:
        return texts.OUT_OF_ACTION
    if models == 1:
        return "%d/%d" % (wounds - lost, wounds)
    return "%d/%d" % (left, models) + (" %s%d" % (texts.WOUND, lost) if lost else "")


def unit_state(state, slot):
    """The marks of a unit's flags, its tracks with a short name, and its strength; that of one that has tracks only if
    it can be hurt."""
    units = state.roster
    whats = (roster.MODELS, roster.MODELS_LEFT, roster.WOUNDS, roster.WOUNDS_LOST)
    numbers = [units.get(slot, what) for what in whats]
    tracks = "" if not numbers[1] else _tracks(state, slot)
    text = "" if tracks and numbers[0] == numbers[2] == 1 else strength(*numbers)
    marks = ""
    for i in range(state.scenario.flags):
        if units.flag(slot, i):
            marks += state.scenario.pack.text(state.scenario.flag(i)[1])
    text = (tracks + " " + text).strip()
    return (marks[: max(0, _MOST - 1 - len(text))] + " " + text).strip()


def _tracks(state, slot):
    """The tracks of a unit that have a short name, such as "AP 3"."""
    found = []
    for i in range(state.scenario.tracks):
        short = state.scenario.pack.text(state.scenario.track(i)[1])
        if short and state.roster.has(slot, i):
            found.append("%s %s" % (short, track_text(state, i, state.roster.value(slot, roster.TRACK + i))))
    return " ".join(found)


def number_text(what, value):
    """A number of a unit: 4 wounds, a save of 3+, or none."""
    if what in (roster.MODELS, roster.WOUNDS):
        return str(value)
    if not value:
        return texts.NONE
    return str(value) if what == roster.TOUGHNESS else "%d+" % value


def give(app, kind, args, entry, row=-1):
    """Do a command and stay on the roster; a refusal is told and changes nothing.

    Args: entry: (side, slot) under the cursor of the list; row: of the unit's page, -1: the list is on top.
    """
    records = app.session.records
    app.do(kind, args)
    if app.session.records != records:
        app.go("roster.Roster", entry)
        if row >= 0:
            app.go("roster.UnitPage", entry[1], row)


class Roster(ListScreen):
    """Side after side: its name, under which a unit is added, then its units.

    Args: entry: (side, slot) to begin with.
    """

    title = texts.UNITS

    def __init__(self, app, entry=None):
        super().__init__(app)
        if entry in self._entries:
            self.list.move(self._entries.index(entry))

    def rows(self):
        """One row a side and a unit."""
        state = self.app.session.state
        scenario = self.app.session.scenario
        self._entries = []  # (side, slot); slot -1: the side itself
        rows = []
        for side in sides(scenario):
            rows.append(("%s:" % (scenario.side_name(side) or texts.UNITS), "+"))
            self._entries.append((side, -1))
            for slot in range(scenario.slots):
                if state.roster.used(slot) and state.roster.get(slot, roster.SIDE) == side:
                    rows.append((unit_name(state, slot), unit_state(state, slot)))
                    self._entries.append((side, slot))
        return rows

    leave = "↑↓"

    def ok_hint(self):
        """Units are opened, or added to a side."""
        slot = self._entries[self.list.cursor][1]
        return "OK " + (texts.ADD_UNIT if slot < 0 else texts.OPEN)

    def chosen(self, index):
        """Open the unit, or add one to the side."""
        side, slot = self._entries[index]
        if slot < 0:
            self.app.go("roster.AddUnit", side)
        else:
            self.app.go("roster.UnitPage", slot)


class UnitPage(ListScreen):
    """One unit: what it has lost, its flags and its numbers.

    Args: slot: its slot; cursor: the row to begin with.
    """

    def __init__(self, app, slot, cursor=0):
        self._slot = slot
        self.title = unit_name(app.session.state, slot)
        super().__init__(app)
        self.list.move(cursor)

    def rows(self):
        """Wounds and models lost, flags, numbers that are there, "Remove"."""
        state = self.app.session.state
        units, slot = state.roster, self._slot
        self._whats = [roster.WOUNDS_LOST, roster.MODELS_LEFT]
        rows = [
            (texts.WOUNDS_LOST, str(units.lost(slot))),
            (texts.MODELS_LEFT, "%d/%d" % (units.get(slot, roster.MODELS_LEFT), units.get(slot, roster.MODELS))),
        ]
        for i in range(state.scenario.flags):
            self._whats.append(roster.FLAG + i)
            rows.append((state.scenario.pack.text(state.scenario.flag(i)[0]), "\u2713" if units.flag(slot, i) else "-"))
        for i in range(state.scenario.tracks):
            if units.has(slot, i):
                what = roster.TRACK + i
                self._whats.append(what)
                name = state.scenario.pack.text(state.scenario.track(i)[0])
                rows.append((name, track_text(state, i, units.value(slot, what))))
        by_numbers = units.get(slot, roster.KIND) == roster.BY_NUMBERS
        for i, name in enumerate(texts.UNIT_NUMBERS):
            what = roster.MODELS + i
            value = units.get(slot, what)
            if value or by_numbers:
                self._whats.append(what)
                rows.append((name, number_text(what, value)))
        rows.append((texts.REMOVE, ""))
        built = units.built(slot)
        if built is not None:
            from tableside.core.builder import Builder

            builder = Builder(state.scenario, built[0])
            rows.append(("%s: %s" % (texts.BUILT, ", ".join([builder.label(pick) for pick in built[1]])), ""))
        return rows

    def ok_hint(self):
        """What OK does on this row."""
        index = self.list.cursor
        if index == len(self._whats):
            verb = texts.REMOVE.lower()
        elif index > len(self._whats):
            verb = texts.BACK
        elif not _is_flag(self._whats[index]):
            verb = texts.CHANGE
        else:
            set_now = self.app.session.state.roster.flag(self._slot, self._whats[index] - roster.FLAG)
            verb = texts.UNTICK if set_now else texts.TICK
        return "OK " + verb

    def chosen(self, index):
        """Toggle a flag, edit a number, or remove the unit."""
        slot = self._slot
        entry = self.app.session.state.roster.get(slot, roster.SIDE), slot
        if index == len(self._whats):
            give(self.app, commands.REMOVE, (slot,), (entry[0], -1))
            return
        if index > len(self._whats):
            self.app.back()
            return
        what = self._whats[index]
        if not _is_flag(what):
            self.app.go("roster.Edit", entry, what, index)
        else:
            value = 1 - self.app.session.state.roster.flag(slot, what - roster.FLAG)
            give(self.app, commands.UNIT, (slot, what, value), entry, index)


def _is_flag(what):
    return roster.FLAG <= what < roster.TRACK


class Edit(Number):
    """Changing a number of a unit; the last wound of a model takes the model off, and healing brings it back.

    Args: entry: side and slot; what: see `Roster.set` in the core; row: where the cursor is afterwards.
    """

    def __init__(self, app, entry, what, row):
        units = app.session.state.roster
        self._entry = entry
        slot = entry[1]
        self._what = what
        self._row = row
        self._value = units.value(slot, what)
        if what >= roster.TRACK:
            scenario = app.session.scenario
            name = scenario.pack.text(scenario.track(what - roster.TRACK)[0])
        elif what < roster.MODELS:
            name = texts.WOUNDS_LOST if what == roster.WOUNDS_LOST else texts.MODELS_LEFT
        else:
            name = texts.UNIT_NUMBERS[what - roster.MODELS]
        low, high = units.bounds(slot, what)
        super().__init__(app, name, low, high, self._value)

    def shown(self, value):
        """A number as on the unit's page."""
        if self._what >= roster.TRACK:
            return track_text(self.app.session.state, self._what - roster.TRACK, value)
        return str(value) if self._what < roster.MODELS else number_text(self._what, value)

    def note(self, value):
        """What is left of the unit after so many wounds."""
        if self._what != roster.WOUNDS_LOST:
            return ""
        units = self.app.session.state.roster
        models, wounds = [units.get(self._entry[1], what) for what in (roster.MODELS, roster.WOUNDS)]
        return strength(models, models - value // wounds, wounds, value % wounds)

    def commit(self, value):
        """Set it; if it is as it was, just leave."""
        if value == self._value:
            self.app.back()
        else:
            give(self.app, commands.UNIT, (self._entry[1], self._what, value), self._entry, self._row)


class AddUnit(ListScreen):
    """The units of the scenario that a side may have, those that it may build, then one by numbers.

    Args: side: its number, NOBODY where there are no sides.
    """

    verb = texts.ADD

    def __init__(self, app, side):
        self._side = side
        self.title = app.session.scenario.side_name(side) or texts.UNITS
        super().__init__(app)

    def rows(self):
        """A name and, of more than one, the number of models."""
        scenario = self.app.session.scenario
        may = self.app.session.state.roster.may_field
        self._builders = [i for i in range(scenario.builders) if scenario.builder(i)[2] in (self._side, NOBODY)]
        built = [scenario.builder(i)[1] for i in self._builders]
        self._units = [i for i in range(scenario.units) if i not in built and may(self._side, i)]
        rows = []
        for i in self._units:
            record = scenario.unit(i)
            rows.append((scenario.pack.text(record[0]), "\u00d7%d" % record[3] if record[3] > 1 else ""))
        rows += [(scenario.pack.text(scenario.builder(i)[0]), ">") for i in self._builders]
        return rows + [(texts.BY_NUMBERS, ">")]

    def chosen(self, index):
        """Put it on the roster, build it, or ask for its numbers."""
        at = index - len(self._units)
        if 0 <= at < len(self._builders):
            self.app.go("build.Start", self._side, self._builders[at])
        elif at >= 0:
            self.app.go("roster.ByNumbers", self._side)
        else:
            give(self.app, commands.FIELD, (self._side, self._units[index]), (self._side, -1))


class ByNumbers(Number):
    """The numbers of a unit, one after the other; OK goes on, BACK to the one before.

    Args: side: whose unit it is.
    """

    def __init__(self, app, side):
        self._side = side
        self._values = list(_FIRST)
        self._at = 0
        super().__init__(app, "", 0, 0, 0)
        self._next(0)

    def _next(self, at):
        self._at = at
        low, high = roster.NUMBERS[at]
        name = "%s  %d/%d" % (texts.UNIT_NUMBERS[at], at + 1, len(_FIRST))
        self.verb = texts.ADD if at == len(_FIRST) - 1 else texts.NEXT_NUMBER
        self.ask(name, low, high, self._values[at])

    def shown(self, value):
        """A number as on the unit's page."""
        return number_text(roster.MODELS + self._at, value)

    def event(self, key):
        """BACK corrects the number before; from the first it leaves."""
        if key == keys.BACK and self._at:
            self._next(self._at - 1)
        else:
            super().event(key)

    def tick(self, now_ms):
        """Numbers that come one after the other wait for OK."""
        return False

    def commit(self, value):
        """The next number; after the last the unit is there."""
        self._values[self._at] = value
        if self._at < len(_FIRST) - 1:
            self._next(self._at + 1)
        else:
            args = (self._side, roster.BY_NUMBERS) + tuple(self._values)
            give(self.app, commands.FIELD, args, (self._side, -1))
