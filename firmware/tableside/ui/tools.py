"""The dice tools: rolls of the device that belong to no game. The one that was used last is on top."""

from tableside.core.rolls import to_front
from tableside.ui import texts, tools_texts
from tableside.ui.roll_words import roll_words
from tableside.ui.screen import ListScreen
from tableside.ui.widgets import List

_RECENT = 6
# A roll is (kinds, plus, keep), see `core.rolls.Roll`; another tool is the screen that it opens.
_ENTRIES = (
    (((2, 6),), 0, 0),
    (((1, 6),), 0, 0),
    (((1, 3),), 0, 0),
    "chance.RollOff",
    "chance.Coin",
    "chance.PickNumber",
    "chance.Scatter",
    "own_dice.OwnDice",
    "average.Average",
    (((3, 6),), 0, 0),
    (((1, 20),), 0, 0),
)


class Tools(ListScreen):
    """All of them; OK rolls at once."""

    title = texts.DICE_TOOLS
    every_key = True  # a long BACK would undo something of a game that has nothing to do with it

    def rows(self):
        """Those that were used since the device was switched on, the newest first; then the others."""
        recent = self.app.remembered.setdefault("tools", [])
        self._entries = recent + [entry for entry in _ENTRIES if entry not in recent]
        return [(self._label(entry), "" if isinstance(entry, tuple) else ">") for entry in self._entries]

    def _label(self, entry):
        if isinstance(entry, tuple):
            return roll_words(*entry)
        return tools_texts.TOOLS[entry.split(".")[1]]

    def ok_hint(self):
        """Rolls are rolled, the rest is opened."""
        return "OK " + (texts.ROLL if isinstance(self._entries[self.list.cursor], tuple) else texts.OPEN)

    def chosen(self, index):
        """Roll, or open it."""
        entry = self._entries[index]
        to_front(self.app.remembered["tools"], entry, _RECENT)
        if isinstance(entry, tuple):
            self.app.go("roller.Rolled", entry)
        else:
            self.app.go(entry)

    def returned(self):
        """What was used is on top now."""
        self.list = List(self.rows())
