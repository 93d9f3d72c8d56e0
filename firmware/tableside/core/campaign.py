"""What goes from one session of a campaign to the next: values by their names, and the mission that follows.

A value is a counter of campaign scope under its id, or a flag of campaign scope of a unit under "UNIT.FLAG". The names
are those of the pack's KEEP records, so a session of another version of the pack takes every value that it knows.
"""

from tableside.core.conditions import holds
from tableside.core.engine import set_clamped
from tableside.core.errors import LogError
from tableside.core.fields import expand
from tableside.core.pack import CAMPAIGN, ENDING, KEEP, LINK, MISSION, NOBODY
from tableside.core.roster import KIND
from tableside.core.state import O_RESULT

# Kinds of KEEP records.
COUNTER = 0
FLAGS = 1
UNIT = 2


def encode(values):
    """Values as one line of text, in the order of their names."""
    return " ".join(["%s=%d" % (name, values[name]) for name in sorted(values)])


def decode(text):
    """The values of such a line. Raises LogError if it is none."""
    values = {}
    for word in text.split():
        name, _, number = word.partition("=")
        try:
            values[name] = int(number)
        except ValueError:
            raise LogError("no value", word) from None
    return values


class Carried:
    """What a session begins with, and the place in a campaign that its result will take.

    Args: data: its bytes, as they are in the head of the session's log. Raises: LogError if they are damaged.
    """

    def __init__(self, data):
        self.data = data
        try:
            words = str(data, "utf-8").split(" ", 4)
            self.number, self.salt, self.played = int(words[0]), words[1], int(words[2])
            self.campaign = words[3]  # its id in the pack
        except (UnicodeError, ValueError, IndexError):
            raise LogError("campaign values damaged", len(data)) from None
        self.values = decode(words[4] if len(words) > 4 else "")

    def bring(self, state):
        """Set counters and units of a session that has not begun."""
        bits = {}
        units = []
        for name, kind, number in keeps(state.scenario):
            if kind == COUNTER and name in self.values:
                set_clamped(state, number, self.values[name])
            elif kind == FLAGS:
                bits[name] = 1 << number
            elif kind == UNIT:
                units.append((name, number))
        for name, number in units:
            state.roster.set_begins(number, sum([bits[flag] for flag in bits if self.values.get(name + "." + flag)]))
        state.roster.reset()


def carry(number, salt, played, campaign, values):
    """The Carried of a campaign that has so many results."""
    return Carried(("%d %s %d %s %s" % (number, salt, played, campaign, encode(values))).encode())


def keeps(scenario):
    """(id, kind, local number) of what a scenario keeps."""
    pack = scenario.pack
    if not pack.count(LINK):
        return
    first, count, _, _ = pack.record(LINK, scenario.index)
    for i in range(first, first + count):
        name, kind, number = pack.record(KEEP, i)
        yield pack.text(name), kind, number


def gather(state):
    """The values that a session leaves."""
    values = {}
    flags, units = [], []
    for name, kind, number in keeps(state.scenario):
        if kind == COUNTER:
            values[name] = state.counter(number)
        else:
            (flags if kind == FLAGS else units).append((name, number))
    for unit, number in units:
        bits = _unit_flags(state.roster, number)
        for flag, bit in flags:
            values[unit + "." + flag] = bits >> bit & 1
    return values


def _unit_flags(roster, unit):
    """The flags of all that stand on the roster of a unit; of one that does not, those it would begin with."""
    slots = [slot for slot in range(roster.slots) if roster.get(slot, KIND) == unit]
    if not slots:
        return roster.begins(unit)
    bits = 0
    for flag in range(8):
        if any(roster.flag(slot, flag) for slot in slots):
            bits |= 1 << flag
    return bits


def ending(state):
    """(title, text, kind) of how the campaign ends with a session that is over, or None if it goes on."""
    pack = state.scenario.pack
    _, _, first, count = pack.record(LINK, state.scenario.index)
    for i in range(first, first + count):
        title, text, kind, condition, conditions = pack.record(ENDING, i)
        if holds(state, condition, conditions):
            return expand(state, pack.text(title)), expand(state, pack.text(text)), kind
    return None


def find(pack, campaign_id):
    """The number of a campaign of a pack by its id, or None."""
    for i in range(pack.count(CAMPAIGN)):
        if pack.text(pack.record(CAMPAIGN, i)[0]) == campaign_id:
            return i
    return None


def missions(pack, campaign):
    """The scenarios of a campaign, in order."""
    first, count = pack.record(CAMPAIGN, campaign)[3:5]
    return [pack.record(MISSION, i)[0] for i in range(first, first + count)]


def first_values(pack, campaign):
    """The values with which a campaign begins."""
    return decode(pack.text(pack.record(CAMPAIGN, campaign)[5]))


def following(state, campaign):
    """The scenario after a session that is over: what its result says, else the next of the list; NOBODY for none."""
    following = state.scenario.result(state.data[O_RESULT])[3]
    if following != NOBODY:
        return following
    order = missions(state.scenario.pack, campaign)
    if state.scenario.index in order[: len(order) - 1]:
        return order[order.index(state.scenario.index) + 1]
    return NOBODY
