"""Modules that are imported when they are needed and dropped afterwards: they are half of the firmware's RAM."""

import gc
import sys

PACKAGE = "tableside.ui"
# The modules of screens.
SCREENS = (
    "home", "play", "checklist", "dice", "result", "menu", "history", "counters", "cards", "decks", "find", "roster",
    "clock", "options", "about", "sure", "attacks", "setup", "stage", "outcome", "picks",
    "guide", "build", "abilities", "campaigns", "campaign", "ask", "board", "salt",
    "tools", "roller", "own_dice", "chance", "average",
    "past", "players", "letters", "rolled", "reading", "reminders",
)

# What comes with others and stays: all screens, and a game in hand, are made of it.
_LASTING = (
    "tableside.core.session", "tableside.core.pack", "tableside.core.record", "tableside.hw.log", "tableside.ui.screen",
)


class Modules:
    """What was imported for a time."""

    def __init__(self):
        self._imported = {}  # dotted names: [modules that came with them]
        self.cold = len(SCREENS)  # so many of them were never imported yet

    def get(self, path):
        """A module by its dotted name, imported now if it was not before."""
        if path not in sys.modules:
            before = list(sys.modules)
            __import__(path)
            self._imported[path] = [name for name in sys.modules if name not in before and name not in _LASTING]
        return sys.modules[path]

    def forget(self, needed):
        """Drop the modules that were imported here, but those for whose name `needed` says yes."""
        dropped = False
        for path in list(self._imported):
            if not needed(path):
                for name in self._imported.pop(path):
                    package, _, module = name.rpartition(".")
                    del sys.modules[name]
                    delattr(sys.modules[package], module)
                dropped = True
        if dropped:
            gc.collect()  # now, so that what is made next does not lie scattered behind what is no longer needed

    def warm_up(self, needed):
        """Import a screen that was never imported yet, and drop it again.

        The VM never forgets a name, and keeps all in one table. That grows by doubling, which needs more memory in one
        piece than a heap in use may still have: so it is done soon after the start, when there is little else.
        """
        self.cold -= 1
        self.get(PACKAGE + "." + SCREENS[self.cold])
        self.forget(needed)
