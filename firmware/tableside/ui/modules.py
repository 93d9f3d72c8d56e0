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

# What comes with others and stays: a game in hand is made of the core, and of its log.
_CORE = "tableside.core."
_LASTING = ("tableside.hw.log", "tableside.ui.screen")
# Modules that are imported by whatever needs them: a command, a title, several screens.
_SPARE = (
    "tableside.core.attack", "tableside.core.attack_commands", "tableside.core.stages", "tableside.core.bonus",
    "tableside.core.builder", "tableside.core.titles", "tableside.core.forecast", "tableside.core.names",
    "tableside.core.opening", "tableside.core.history", "tableside.core.rolled", "tableside.core.rolls",
    "tableside.core.expect", "tableside.core.campaign", "tableside.core.book", "tableside.core.log",
    "tableside.ui.attack_flow",
)


def _lasts(path):
    return path in _LASTING or path.startswith(_CORE)


def _drop(path):
    package, _, module = path.rpartition(".")
    del sys.modules[path]
    delattr(sys.modules[package], module)


class Modules:
    """What was imported for a time."""

    def __init__(self):
        self._imported = {}  # dotted names: [modules that came with them]
        self.cold = len(SCREENS)  # so many of them were never imported yet

    def get(self, path):
        """A module by its dotted name, imported now if it was not before."""
        if path not in sys.modules:
            before = set(sys.modules).union(_SPARE)
            __import__(path)
            self._imported[path] = [name for name in sys.modules if name not in before and not _lasts(name)]
        return sys.modules[path]

    def forget(self, needed, spare=True):
        """Drop the modules that were imported here, but those for whose name `needed` says yes.

        Args: spare: drop those too that are imported by whatever needs them.
        """
        dropped = False
        for path in _SPARE if spare else ():
            if path in sys.modules:
                _drop(path)
                dropped = True
        for path in list(self._imported):
            if not needed(path):
                for name in self._imported.pop(path):
                    _drop(name)
                dropped = True
        if dropped:
            gc.collect()  # now, so that what is made next does not lie scattered behind what is no longer needed

    def warm_up(self):
        """Import a screen that was never imported yet, and drop it again with all that came with it.

        The VM never forgets a name, and keeps all in one table. That grows by doubling, which needs more memory in one
        piece than a heap in use may still have: so it is done soon after the start, when there is little else.
        """
        self.cold -= 1
        path = PACKAGE + "." + SCREENS[self.cold]
        if path not in sys.modules:
            before = set(sys.modules)
            __import__(path)
            for name in list(sys.modules):
                if name not in before:
                    _drop(name)
            gc.collect()
