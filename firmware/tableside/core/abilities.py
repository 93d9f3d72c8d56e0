"""What may be done now: the abilities of a pack, whose turn it is, what was used, and what is in force.

Only a scenario with abilities has these bytes, at the end of its state, and only then is this module imported.
"""

from tableside.core import engine, roster
from tableside.core.conditions import ABILITY_ON_UNIT, TURN_SIDE, holds
from tableside.core.errors import RuleError
from tableside.core.pack import EFFECT, MOMENT, NOBODY, NONE, PICK
from tableside.core.state import O_ROUND, O_STEP

# Bytes. From _USED on a bit for each ability: it was used, and its limit holds; then the entries of what is in force.
_FOCUS = 0  # roster slot of the unit that is meant, or NOBODY
_TURN = 1  # the side whose turn it is, or NOBODY
_USED = 2
_ENTRIES = 16  # of an ability and the slot of its unit, each a byte

# Fields of an ABILITY record.
NAME, TEXT, QUESTION, SIDE, COUNTER, COST, LIMIT, UNTIL, TARGET = range(9)
_LOW, _HIGH, _MOMENTS, _MOMENT_COUNT, _EXCLUDED, _EXCLUDED_COUNT, _WHEN, _WHEN_COUNT = range(9, 17)
_UNIT_WHEN, _UNIT_WHEN_COUNT, _EFFECTS, _EFFECT_COUNT, _SAME = range(17, 22)
NEVER = 255  # a limit or an end that there is not

# Whose turn a moment is in; whose unit a target is.
ANY_TURN, OWN_TURN, OTHER_TURN = range(3)
NO_TARGET, OWN_UNIT, OTHER_UNIT, ANY_UNIT = range(4)

# Effects that are over at once.
_SHORT = (engine.SET, engine.ADD, engine.SUB, engine.MARK, engine.MARK_MEANT)

# What keeps an ability from being used; texts of errors.
NOT_HERE = "not in this step"
NOT_NOW = "not now"
NOT_ITS_TURN = ("", "only in your turn", "only in their turn")


def size(scenario):
    """How many bytes of the state the abilities of a scenario take."""
    return _USED + (scenario.abilities + 7) // 8 + 2 * _ENTRIES


class Abilities:
    """A view on a state's bytes.

    Args: data, at: where they are; scenario, units: of the state.
    """

    def __init__(self, data, at, scenario, units):
        self._data = data
        self._at = at
        self._scenario = scenario
        self._units = units
        self._entries = at + size(scenario) - 2 * _ENTRIES
        self._looked_at = -1  # a unit that is meant for the time of a question, and in no byte of the state

    def reset(self):
        """Nobody's turn, nothing in force."""
        self._data[self._at] = self._data[self._at + _TURN] = NOBODY
        for i in range(self._entries, self._entries + 2 * _ENTRIES):
            self._data[i] = NOBODY

    def sound(self):
        """Whether these bytes can be. A log may say anything."""
        data = self._data
        for i in range(self._entries, self._entries + 2 * _ENTRIES, 2):
            if data[i] != NOBODY and (data[i] >= self._scenario.abilities or not self._slot(data[i + 1])):
                return False
        side = data[self._at + _TURN]
        return (side == NOBODY or side < self._scenario.sides) and self._slot(data[self._at])

    def _slot(self, slot):
        return slot == NOBODY or slot < self._units.slots

    # Whose turn it is, and which unit is meant.

    def turn(self):
        """The side whose turn it is, or NOBODY."""
        return self._data[self._at + _TURN]

    def begin_turn(self, side):
        """It is a side's turn from now on."""
        self._data[self._at + _TURN] = side

    def unit(self):
        """The slot of the unit that is meant, or NOBODY."""
        return self._data[self._at] if self._looked_at < 0 else self._looked_at

    def mark(self, flag, on):
        """Set or take a flag of the unit that is meant, if there is one."""
        slot = self.unit()
        if self._units.used(slot):
            self._units.check_set(slot, roster.FLAG + flag, on)
            self._units.set(slot, roster.FLAG + flag, on)

    def operand(self, source, value):
        """What conditions ask for."""
        if source == TURN_SIDE:
            return self.turn()
        if source == ABILITY_ON_UNIT:
            return int(self.is_on(value, self.unit()))
        return sum(1 for number, _ in self.in_force() if number == value)

    # What may be used.

    def check(self, state, number, slot, forced):
        """The string number of what must be asked before a use, or None. Raises RuleError if it may not be used.

        Args: slot: of the unit that it is used on, NOBODY for none; forced: by hand, whatever the rules say.
        """
        if not 0 <= number < self._scenario.abilities:
            raise RuleError("no such ability", number)
        if slot != NOBODY:
            self._units.check_used(slot)
        if not 0 <= forced <= 1:
            raise RuleError("by hand is 0 or 1", forced)
        if forced:
            self._check_waiting(state, self._scenario.ability(number))
            return None
        if slot not in self.targets(state, number):
            raise RuleError("not for this unit", slot)
        question = self._scenario.ability(number)[QUESTION]
        return None if question == NONE else question

    def targets(self, state, number):
        """The slots of the units that an ability may be used on now; [NOBODY] if it has no unit, or none is listed.

        Raises: RuleError, with the reason, if it may not be used.
        """
        record = self._scenario.ability(number)
        self._check_moment(state, record)
        self._check_waiting(state, record)
        if self._used(record[_SAME]):
            raise RuleError("used already")
        if record[COUNTER] != NOBODY and state.counter(record[COUNTER]) < record[COST]:
            raise RuleError("costs %d, left" % record[COST], state.counter(record[COUNTER]))
        if not holds(state, record[_WHEN], record[_WHEN_COUNT]):
            raise RuleError(NOT_NOW)
        if record[TARGET] == NO_TARGET:
            self._check_excluded(record, NOBODY)
            return [NOBODY]
        return self._units_for(state, record)

    def _check_waiting(self, state, record):
        """While something waits for the players, an ability may not bring what waits as well, or drop it."""
        if state.top() is None:
            return
        for i in range(record[_EFFECTS], record[_EFFECTS] + record[_EFFECT_COUNT]):
            if self._scenario.pack.record(EFFECT, i)[0] not in _SHORT:
                raise RuleError("something must be decided first")

    def _used(self, number):
        return self._data[self._at + _USED + (number >> 3)] >> (number & 7) & 1

    def _check_moment(self, state, record):
        reason = NOT_HERE if record[_MOMENT_COUNT] else ""
        own = record[SIDE] in (NOBODY, self.turn())
        for i in range(record[_MOMENTS], record[_MOMENTS] + record[_MOMENT_COUNT]):
            step, turn = self._scenario.pack.record(MOMENT, i)
            if step == state.data[O_STEP]:
                if turn == ANY_TURN or (turn == OWN_TURN) == own:
                    reason = ""
                    break
                reason = NOT_ITS_TURN[turn if turn <= OTHER_TURN else 0]
        if reason:
            raise RuleError(reason)
        if not record[_LOW] <= state.data[O_ROUND] <= record[_HIGH]:
            raise RuleError("not in round", state.data[O_ROUND])

    def _check_excluded(self, record, slot):
        for i in range(record[_EXCLUDED], record[_EXCLUDED] + record[_EXCLUDED_COUNT]):
            (other,) = self._scenario.pack.record(PICK, i)
            for number, unit in self.in_force():
                if number == other and (unit == slot or NOBODY in (unit, slot)):
                    raise RuleError("not beside", self.name(other))

    def _units_for(self, state, record):
        """The units that may be the target. With none on the roster the players know which one they mean."""
        units = self._units
        found = []
        reason = None
        listed = False
        for slot in range(units.slots):
            if not units.used(slot) or not units.get(slot, roster.MODELS_LEFT):
                continue
            own = record[SIDE] in (NOBODY, units.get(slot, roster.SIDE))
            if record[TARGET] != ANY_UNIT and own != (record[TARGET] == OWN_UNIT):
                continue
            listed = True
            try:
                self._check_excluded(record, slot)
                if self.fits(state, slot, record[_UNIT_WHEN], record[_UNIT_WHEN_COUNT]):
                    found.append(slot)
            except RuleError as error:
                reason = error
        if not listed:
            return [NOBODY]
        if not found:
            raise reason or RuleError("no unit that may")
        return found

    def fits(self, state, slot, first, count):
        """Whether the conditions of a run hold if a unit is meant."""
        self._looked_at = slot
        try:
            return holds(state, first, count)
        finally:
            self._looked_at = -1

    def name(self, number):
        """The name of an ability."""
        return self._scenario.pack.text(self._scenario.ability(number)[NAME])

    # Using it, and what is in force.

    def use(self, state, number, slot):
        """Pay, note what was used and what is in force, and put the effects on the agenda."""
        record = self._scenario.ability(number)
        if record[COUNTER] != NOBODY:
            engine.set_clamped(state, record[COUNTER], state.counter(record[COUNTER]) - record[COST])
        if record[LIMIT] != NEVER:
            self._data[self._at + _USED + (record[_SAME] >> 3)] |= 1 << (record[_SAME] & 7)
        self._data[self._at] = slot
        if record[UNTIL] != NEVER:
            self._put(self.in_force() + [(number, slot)])
        engine.push_effects(state, record[_EFFECTS], record[_EFFECT_COUNT])

    def in_force(self):
        """What is in force, the oldest first: (ability, slot or NOBODY)."""
        data = self._data
        entries = range(self._entries, self._entries + 2 * _ENTRIES, 2)
        return [(data[i], data[i + 1]) for i in entries if data[i] != NOBODY]

    def is_on(self, number, slot):
        """Whether an ability is in force on a unit; one without a unit is so on all of its side's."""
        if not self._units.used(slot):
            return False
        side = self._scenario.ability(number)[SIDE]
        own = side in (NOBODY, self._units.get(slot, roster.SIDE))
        return any(entry == (number, slot) or own and entry == (number, NOBODY) for entry in self.in_force())

    def _put(self, entries):
        """Keep these entries, the newest of them if they are too many."""
        at = self._entries
        for number, slot in entries[-_ENTRIES:]:
            self._data[at] = number
            self._data[at + 1] = slot
            at += 2
        for i in range(at, self._entries + 2 * _ENTRIES):
            self._data[i] = NOBODY

    def end(self, index):
        """Something is no longer in force."""
        self._put([entry for i, entry in enumerate(self.in_force()) if i != index])

    def lapse(self, scopes, side):
        """What was limited to, or lasts for, some scopes ends; until the next turn, that of `side` only."""
        for number in range(self._scenario.abilities):
            if self._used(number) and self._ends(number, LIMIT, scopes, side):
                self._data[self._at + _USED + (number >> 3)] &= ~(1 << (number & 7))
        entries = self.in_force()
        left = [entry for entry in entries if not self._ends(entry[0], UNTIL, scopes, side)]
        if len(left) < len(entries):
            self._put(left)

    def _ends(self, number, what, scopes, side):
        record = self._scenario.ability(number)
        return record[what] in scopes and (record[what] != engine.NEXT_TURN or side == record[SIDE])

    def left(self, slot):
        """A unit leaves the roster, and with it what is in force on it."""
        self._put([entry for entry in self.in_force() if entry[1] != slot])
        if self._data[self._at] == slot:
            self._data[self._at] = NOBODY
