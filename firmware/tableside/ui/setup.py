"""The numbers of an attack before its dice: what holds for it, the weapon's and the target's numbers."""

from tableside.core import commands, stages
from tableside.core.fields import unit_name
from tableside.core.names import attack_title
from tableside.core.stage_words import number_title, number_word, word
from tableside.ui import attack_flow, texts
from tableside.ui.number import Number
from tableside.ui.screen import ListScreen
from tableside.ui.widgets import status

# Numbers that a die has to reach, 0 is none. What is added to a roll may have the name of one: it may be negative.
_FACES = ("skill", "hit", "foe_hit", "save", "invulnerable", "feel_no_pain", "critical_hit", "critical_wound", "anti",
          "lethal", "foe_lethal")


def _value(module, field, value):
    """A number as the players read it."""
    name, low, high, _ = field
    if name in module.CHOICES:
        return word(module.CHOICES[name][value])
    if name.endswith("_keyword"):
        return word(module.KEYWORDS[value].lower()) if value < len(module.KEYWORDS) else "-"
    if (low, high) == (0, 1):
        return "\u2713" if value else "-"
    if name in _FACES and low >= 0:
        return "%d+" % value if value else "-"
    return "%+d" % value if low < 0 and value else str(value)


class _Fields(ListScreen):
    """Rows of numbers that OK changes. A subclass gives `entries()`: (index in v, field)."""

    def rows(self):
        """A name and a value each."""
        state = self.app.session.state
        self._module = state.attack.resolver()
        self._v = state.attack.numbers()
        self._entries = self.entries()
        return [(number_title(field[0]), _value(self._module, field, self._v[i])) for i, field in self._entries]

    def entries(self):
        """What can be changed."""
        return []

    def ok_hint(self):
        """What OK does."""
        return "OK " + texts.CHANGE

    def change(self, index, row):
        """Change the number of a row: the next of a few values, or any of many."""
        at, field = self._entries[index]
        name, low, high, _ = field
        if name in self._module.CHOICES or (low, high) == (0, 1):
            self.amend(at, low if self._v[at] == high else self._v[at] + 1, row)
        else:
            self.app.go("setup.Amend", self, at, field, self._v[at], row)

    def amend(self, at, value, row):
        """Give the command and come back to the row; what cannot be is told."""
        records = self.app.session.records
        self.app.do(commands.AMEND, (at, value))
        if self.app.session.records != records:
            self.come_back(row)

    def come_back(self, row):
        """Show this list again."""


class Amend(Number):
    """One number of an attack.

    Args: fields: the list it belongs to; at: its index in v; row: in the list.
    """

    def __init__(self, app, fields, at, field, value, row):
        self._fields = fields
        self._at = at
        self._row = row
        super().__init__(app, number_title(field[0]), field[1], field[2], value)

    def commit(self, value):
        """Amend it; if it is as it was, just leave."""
        if value == self._fields._v[self._at]:
            self.app.back()
        else:
            self._fields.amend(self._at, value, self._row)


class Setup(_Fields):
    """What holds for this attack: OK on the first row goes to the dice.

    Args: cursor: the row to begin with.
    """

    def __init__(self, app, cursor=0):
        super().__init__(app)
        self.list.move_to(cursor)

    def rows(self):
        """The dice, the modifiers, the other numbers, another target, giving up."""
        rows = [(texts.ROLL_DICE, "")] + super().rows()
        self._others = []
        if self._module.GROUP:
            self._others.append((texts.ALSO_AT, lambda: self.app.go("attacks.Also")))
        self._others.append((texts.PROFILE, lambda: self.app.go("setup.Profile")))
        if self._module.TARGET or self._module.GROUP:
            self._others.append((texts.TARGET, lambda: self.app.go("setup.Target")))
        self._others.append((texts.DROP, lambda: self.app.do(commands.DROP)))
        return rows + [(text, ">") for text, _ in self._others]

    def entries(self):
        """The modifiers."""
        first = len(self._module.PROFILE)
        return [(first + i, field) for i, field in enumerate(self._module.MODIFIERS)]

    leave = "↑↓ BACK"

    def head(self, canvas):
        """The weapon and its target."""
        state = self.app.session.state
        status(canvas, attack_title(state, state.attack.weapon(), attack_flow.targets(state)))

    def ok_hint(self):
        """To the dice, or change what a row says."""
        row = self.list.cursor
        verb = texts.ROLL_DICE.lower() if not row else texts.CHANGE if row <= len(self._entries) else texts.CHOOSE
        return "OK " + verb

    def chosen(self, index):
        """Go to the dice, change a modifier, or the rest."""
        if not index:
            self.app.go(attack_flow.stage_screen(self.app.session.state))
        elif index <= len(self._entries):
            self.change(index - 1, index)
        else:
            self._others[index - 1 - len(self._entries)][1]()

    def event(self, key):
        """BACK leaves the attack as it is; it is among the pages of the table."""
        from tableside.ui import input as keys

        if key == keys.BACK:
            self.app.only("play.Play")
        else:
            super().event(key)

    def come_back(self, row):
        """The row is where it was."""
        self.app.only("setup.Setup", row)


class Profile(_Fields):
    """All numbers of the weapon. Args: cursor: the row to begin with."""

    title = texts.PROFILE

    def __init__(self, app, cursor=0):
        super().__init__(app)
        self.list.move_to(cursor)

    def entries(self):
        """The profile."""
        return list(enumerate(self._module.PROFILE))

    def chosen(self, index):
        """Change it."""
        self.change(index, index)

    def come_back(self, row):
        """The row is where it was."""
        self.app.go("setup.Profile", row)


class Target(_Fields):
    """All numbers of the target: as a whole, then group by group. Args: cursor: the row to begin with."""

    title = texts.TARGET

    def __init__(self, app, cursor=0):
        super().__init__(app)
        self.list.move_to(cursor)

    def rows(self):
        """Of several units each begins with its name."""
        rows = super().rows()
        state = self.app.session.state
        slots = attack_flow.targets(state)
        starts = [row for row, (_, field) in enumerate(self._entries) if field[0] == "models"]
        if len(slots) > 1:
            for row, slot in zip(starts, slots):
                rows[row] = ("%s: %s" % (unit_name(state, slot), number_word("models")), rows[row][1])
        return rows

    def entries(self):
        """TARGET, then GROUP for each group."""
        module = self._module
        at = len(module.PROFILE) + len(module.MODIFIERS)
        entries = [(at + i, field) for i, field in enumerate(module.TARGET)]
        at = stages.groups_at(module) + 1
        for _ in range(self._v[at - 1]):
            entries += [(at + i, field) for i, field in enumerate(module.GROUP)]
            at += len(module.GROUP)
        return entries

    def chosen(self, index):
        """Change it."""
        self.change(index, index)

    def come_back(self, row):
        """The row is where it was."""
        self.app.go("setup.Target", row)
