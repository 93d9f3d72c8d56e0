"""What may be done now: the abilities of each side that are legal in this moment, and the others with the reason."""

from tableside.core import commands
from tableside.core.abilities import COST, COUNTER, NOT_HERE, NOT_NOW, SIDE, TEXT
from tableside.core.errors import RuleError
from tableside.core.fields import counter_text, expand, unit_name
from tableside.core.names import ability_title
from tableside.core.pack import NOBODY
from tableside.core.state import O_ACTOR
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.ability_flow import pick
from tableside.ui.reading import TextScreen
from tableside.ui.roster import unit_state
from tableside.ui.screen import ListScreen
from tableside.ui.widgets import hint


def refusal(state, number):
    """Why an ability may not be used now; nothing if it may."""
    try:
        state.abilities.targets(state, number)
    except RuleError as error:
        return error.words()
    return ""


def price(state, number):
    """What an ability costs, for example "1 CP"; nothing if it costs nothing."""
    record = state.scenario.ability(number)
    if not record[COST]:
        return ""
    return "%d %s" % (record[COST], state.scenario.pack.text(state.scenario.counter(record[COUNTER])[1]))


def _purse(state, side):
    """The first counter that abilities of a side are paid with, or NOBODY."""
    for number in range(state.scenario.abilities):
        record = state.scenario.ability(number)
        if record[SIDE] == side and record[COUNTER] != NOBODY:
            return record[COUNTER]
    return NOBODY


def sides(state):
    """The sides that have abilities: the one that acts comes first."""
    found = []
    for number in range(state.scenario.abilities):
        side = state.scenario.ability(number)[SIDE]
        if side not in found:
            found.append(side)
    actor = state.data[O_ACTOR]
    return [side for side in found if side == actor] + sorted(side for side in found if side != actor)


class Abilities(ListScreen):
    """Under each side's name what it may do now; OK on the name shows why not the others."""

    title = texts.USE_NOW

    def rows(self):
        """A row for each side, with what it can pay, and for each of its abilities that is legal."""
        state = self.app.session.state
        rows = []
        self._entries = []  # the ability of a row, or -1 - side
        first = 0
        for side in sides(state):
            self._entries.append(-1 - side)
            purse = _purse(state, side)
            name = state.scenario.side_name(side) or texts.USE_NOW
            rows.append((name, "" if purse == NOBODY else "%s %s" % (
                state.scenario.pack.text(state.scenario.counter(purse)[1]),
                counter_text(state, purse, state.counter(purse)))))
            for number in range(state.scenario.abilities):
                if state.scenario.ability(number)[SIDE] == side and not refusal(state, number):
                    first = first or len(rows)
                    self._entries.append(number)
                    cost = state.scenario.ability(number)[COST]
                    rows.append((" " + state.abilities.name(number), str(cost) if cost else ""))
        self._first = first
        return rows

    def __init__(self, app):
        super().__init__(app)
        self.list.move_to(self._first)

    def ok_hint(self):
        """What OK does on this row."""
        return "OK " + (texts.WHY_NOT if self._entries[self.list.cursor] < 0 else texts.CHOOSE)

    def chosen(self, index):
        """Its unit, if there is a choice, then what it does; on a side, the others."""
        number = self._entries[index]
        if number < 0:
            self.app.go("abilities.Others", -1 - number)
        else:
            targets = self.app.session.state.abilities.targets(self.app.session.state, number)
            pick(self.app, number, targets, False)


class Others(ListScreen):
    """The abilities of a side that may not be used now, with the reason; OK uses one all the same.

    Args: side: its number.
    """

    title = texts.WHY_NOT
    verb = texts.BY_HAND

    def __init__(self, app, side):
        self._side = side
        super().__init__(app)

    def rows(self):
        """Those of this step first."""
        state = self.app.session.state
        here = []
        later = []
        for number in range(state.scenario.abilities):
            if state.scenario.ability(number)[SIDE] == self._side:
                reason = refusal(state, number)
                if reason:
                    (later if reason in (NOT_HERE, NOT_NOW) else here).append((number, reason))
        self._entries = [number for number, _ in here + later]
        return [("%s: %s" % (state.abilities.name(number), reason), "") for number, reason in here + later]

    def chosen(self, index):
        """By hand: the players know better."""
        units = self.app.session.state.roster
        pick(self.app, self._entries[index], [slot for slot in range(units.slots) if units.used(slot)] + [NOBODY], True)


class OnWhom(ListScreen):
    """On which unit.

    Args: number: of the ability; slots: of the units, NOBODY for one that is not listed; forced: by hand.
    """

    def __init__(self, app, number, slots, forced):
        self.title = app.session.state.abilities.name(number)
        self._number = number
        self._slots = slots
        self._forced = forced
        super().__init__(app)

    def rows(self):
        """One row a unit."""
        state = self.app.session.state
        return [(texts.NO_UNIT, "") if slot == NOBODY else (unit_name(state, slot), unit_state(state, slot))
                for slot in self._slots]

    def chosen(self, index):
        """What it does."""
        pick(self.app, self._number, [self._slots[index]], self._forced)


class Use(TextScreen):
    """What an ability does, what must be asked first, and what it costs. OK uses it.

    Args: args: of the command USE, which is allowed; question: what the players must answer with yes, "" for nothing.
    """

    def __init__(self, app, args, question):
        state = app.session.state
        number, slot, _ = self._args = args
        self._price = price(state, number)
        text = expand(state, state.scenario.pack.text(state.scenario.ability(number)[TEXT]))
        parts = [expand(state, question)] if question else []
        if text:
            parts.append(text)
        super().__init__(app, ability_title(state, number, slot), ["\n".join(parts) or state.abilities.name(number)])

    def draw_hint(self, canvas, turn):
        """Use, for its price."""
        if self._price:
            hint(canvas, "OK %s %s" % (texts.PAY, self._price), turn or "BACK")
        else:
            hint(canvas, "OK " + texts.USE, turn or "BACK " + texts.NO)

    def answered(self, key):
        """OK uses it; the question was on the screen."""
        if key == keys.OK:
            self.app.push(commands.USE, self._args)
        else:
            self.app.back()


class InForce(ListScreen):
    """What is in force; OK ends it by hand."""

    title = texts.IN_FORCE
    verb = texts.END_NOW

    def rows(self):
        """The ability, its unit, and what it does."""
        state = self.app.session.state
        return [(in_words(state, number, slot), "") for number, slot in state.abilities.in_force()]

    def chosen(self, index):
        """It ends."""
        self.app.do(commands.LAPSE, (index,))


def in_words(state, number, slot):
    """An ability in force and what it does."""
    text = expand(state, state.scenario.pack.text(state.scenario.ability(number)[TEXT]))
    title = ability_title(state, number, slot)
    return "%s: %s" % (title, text) if text else title
