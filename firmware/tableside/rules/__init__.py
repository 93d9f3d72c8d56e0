"""The dice procedures of the games: one resolver a module, see `tableside.core.stages`."""

import sys

from tableside.core.errors import RuleError

# Modules by their ID.
RESOLVERS = (
    "", "dice", "w40k10", "w40k11", "killteam_shoot", "killteam_fight", "overkill", "space_hulk", "death_angel",
)


def path(number):
    """The dotted name of a resolver's module. Raises RuleError if there is none of this number."""
    if not 0 < number < len(RESOLVERS) or not RESOLVERS[number]:
        raise RuleError("no dice rules of this number", number)
    return __name__ + "." + RESOLVERS[number]


def resolver(number):
    """The resolver module of a number, imported now if it was not before. Raises RuleError if there is none."""
    name = path(number)
    if name not in sys.modules:
        __import__(name)
    return sys.modules[name]


def paths():
    """The dotted names of all resolvers."""
    return [path(number) for number in range(len(RESOLVERS)) if RESOLVERS[number]]
