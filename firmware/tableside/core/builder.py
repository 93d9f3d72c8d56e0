"""Building a unit from options: what may be picked together, and what a unit on the roster has from its picks.

Picks are the numbers of options in their builder, in the order of its groups; an option that alters a weapon stands
right behind the pick that gave the weapon.
"""

from tableside.core.errors import RuleError
from tableside.core.pack import ARM, CHANGE, COST, EXAMPLE, GROUP, NOBODY, NONE, OPTION, PICK, SETTING, SUM
from tableside.core.roster import BUILT_PICKS, MODELS, NUMBERS

# Of an OPTION record.
LABEL, NAME, MOST, OF, KEYWORDS = range(5)
_COSTS, _SETTINGS, _CHANGES, _ARMS, _NEEDS, _EXCLUDES = range(5, 17, 2)


class Builder:
    """One builder of a scenario. Raises PackError if there is none of this number."""

    def __init__(self, scenario, number):
        self._pack = scenario.pack
        self._scenario = scenario
        (
            self._title,
            self.unit,
            self.side,
            self._sum,
            self.sums,
            self._group,
            self.groups,
            self._option,
            self.options,
            self._example,
            self.examples,
        ) = scenario.builder(number)

    def title(self):
        """What is built."""
        return self._pack.text(self._title)

    def option(self, i):
        """The OPTION record of option `i`. Raises RuleError if there is none."""
        if not 0 <= i < self.options:
            raise RuleError("no such option", i)
        return self._pack.record(OPTION, self._option + i)

    def label(self, i):
        """The text of option `i`."""
        return self._pack.text(self.option(i)[LABEL])

    def group(self, i):
        """The GROUP record of group `i`: title, fewest and most picks, first option, options."""
        return self._pack.record(GROUP, self._group + i)

    def group_of(self, option):
        """The number of the group of an option."""
        for i in range(self.groups):
            _, _, _, first, count = self.group(i)
            if first <= option < first + count:
                return i
        raise RuleError("no such option", option)

    def sum(self, i, picks):
        """(name, value, lowest, highest) of sum `i` with these picks."""
        name, value, low, high = self._pack.record(SUM, self._sum + i)
        for pick in picks:
            for cost in self._run(COST, self.option(pick), _COSTS):
                if cost[0] == i:
                    value += cost[1]
        return self._pack.text(name), value, low, high

    def example(self, i):
        """(name, picks) of example `i`."""
        name, first, count = self._pack.record(EXAMPLE, self._example + i)
        return self._pack.text(name), [self._pack.record(PICK, first + n)[0] for n in range(count)]

    def name(self, picks):
        """The name that the picks give to the unit; nothing if they give none."""
        name = NONE
        for pick in picks:
            if self.option(pick)[NAME] != NONE:
                name = self.option(pick)[NAME]
        return self._pack.text(name)

    def _run(self, section, option, at):
        return [self._pack.record(section, option[at] + n) for n in range(option[at + 1])]

    # What may be picked.

    def check(self, picks):
        """Raises RuleError, which says why, if no unit can be built like this."""
        if len(picks) > BUILT_PICKS:
            raise RuleError("more than %d picks" % BUILT_PICKS, len(picks))
        for i, pick in enumerate(picks):
            self.check_add(picks[:i], pick)
            if i and self.group_of(pick) < self.group_of(picks[i - 1]):
                raise RuleError("out of order", self.label(pick))
        for pick in picks:
            self._check_needs(picks, pick)
        for i in range(self.groups):
            title, fewest, _, first, count = self.group(i)
            got = sum(1 for pick in picks if first <= pick < first + count)
            if got < fewest:
                raise RuleError("%s: at least %d, got" % (self._pack.text(title), fewest), got)
        for i in range(self.sums):
            name, value, low, high = self.sum(i, picks)
            if not low <= value <= high:
                raise RuleError("%s must be %s, got" % (name, low if low == high else "%d..%d" % (low, high)), value)

    def check_add(self, picks, pick):
        """Raises RuleError if an option may not come to these picks at all."""
        option = self.option(pick)
        label = self.label(pick)
        if picks.count(pick) >= option[MOST]:
            raise RuleError("at most %d" % option[MOST], label)
        title, _, most, first, count = self.group(self.group_of(pick))
        if sum(1 for other in picks if first <= other < first + count) >= most:
            raise RuleError("%s: at most" % self._pack.text(title), most)
        if option[OF] != NOBODY and not self._alters(picks, option[OF]):
            raise RuleError("%s: first pick from" % label, self._pack.text(self.group(option[OF])[0]))
        for other in picks:
            if self._among(option, _EXCLUDES, other) or self._among(self.option(other), _EXCLUDES, pick):
                raise RuleError("%s: not with" % label, self.label(other))

    def _alters(self, picks, group):
        """Whether the last pick gave a weapon of a group."""
        last = picks[len(picks) - 1] if picks else NOBODY
        return last != NOBODY and self.group_of(last) == group and self.option(last)[_ARMS + 1] > 0

    def _check_needs(self, picks, pick):
        option = self.option(pick)
        if option[_NEEDS + 1] and not any(self._among(option, _NEEDS, other) for other in picks):
            needed = [self.label(need[0]) for need in self._run(PICK, option, _NEEDS)]
            raise RuleError("%s needs" % self.label(pick), " / ".join(needed))

    def _among(self, option, at, pick):
        return any(found[0] == pick for found in self._run(PICK, option, at))

    # What the picks give.

    def settings(self, picks):
        """(byte of the slot, value) of all that the picks set. Raises RuleError for a value out of its bounds."""
        values = {}
        unit = self._scenario.unit(self.unit)
        for pick in picks:
            for what, added, value in self._run(SETTING, self.option(pick), _SETTINGS):
                values[what] = value + (values.get(what, unit[what - MODELS + 3]) if added else 0)
        for what in values:
            low, high = NUMBERS[what - MODELS]
            if not low <= values[what] <= high:
                raise RuleError("must be %d..%d" % (low, high), values[what])
        return [(what, values[what]) for what in sorted(values)]

    def keywords(self, picks):
        """The bits of the keywords that the picks give."""
        bits = 0
        for pick in picks:
            bits |= self.option(pick)[KEYWORDS]
        return bits

    def weapons(self, picks):
        """The numbers of the unit's weapons and of those that the picks give, each once."""
        found = []
        for weapon, _ in self.arms(picks):
            if weapon not in found:
                found.append(weapon)
        return found

    def arms(self, picks):
        """The ARM records of the unit and of the picks."""
        found = self._scenario.arms(self.unit)
        for pick in picks:
            found += self._run(ARM, self.option(pick), _ARMS)
        return found

    def alter(self, picks, weapon, module, profile):
        """Change the numbers of a weapon in place as the picks do."""
        for i, pick in enumerate(picks):
            option = self.option(pick)
            if option[OF] != NOBODY and not any(
                arm[0] == weapon for arm in self._run(ARM, self.option(picks[i - 1]), _ARMS)
            ):
                continue
            for rules, field, added, value, having in self._run(CHANGE, option, _CHANGES):
                if rules == module.ID and field < len(profile) and (having == NOBODY or profile[having]):
                    _, low, high, _ = module.PROFILE[field]
                    profile[field] = max(low, min(high, value + (profile[field] if added else 0)))


def check(state, side, number, picks):
    """What `Roster.check_field` says. Raises RuleError if a side may not have this unit now."""
    if not 0 <= number < state.scenario.builders:
        raise RuleError("no such builder", number)
    found = Builder(state.scenario, number)
    question = state.roster.check_field(side, found.unit, ())
    if found.side not in (side, NOBODY):
        raise RuleError("a unit of another side", found.title())
    found.check(picks)
    found.settings(picks)
    return question


def build(state, side, number, picks):
    """Put a unit that `check` allowed on the roster."""
    found = Builder(state.scenario, number)
    slot = state.roster.field(side, found.unit)
    for what, value in found.settings(picks):
        state.roster.set(slot, what, value)
    state.roster.set_built(slot, number, picks)
