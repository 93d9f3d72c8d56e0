"""The roster: the units in play on every side, each in a slot of fixed size at the end of the state's bytes.

A slot holds its unit's numbers itself, so a unit may be entered by numbers, or changed by hand, without a pack record.
"""

from tableside.core.errors import RuleError
from tableside.core.pack import HAS_NOT, NOBODY, NONE

# In the place of a UNIT record's number.
EMPTY = 255
BY_NUMBERS = 254

# Bytes of a slot; from MODELS on they are the numbers of the unit, in the order of a UNIT record.
KIND = 0  # a UNIT record of the scenario, BY_NUMBERS or EMPTY
SIDE = 1
MODELS_LEFT = 2  # 0: out of action, still listed
WOUNDS_LOST = 3  # of the model that is hurt
FLAGS = 4  # a bit each
MODELS = 5
WOUNDS = 6  # of each model
TOUGHNESS = 7  # 0 for this and all after it: none
SAVE = 8
INVULNERABLE = 9
FEEL_NO_PAIN = 10
SLOT_BYTES = 11
BUILT_PICKS = 13  # at most, of a unit that was built
BUILT_BYTES = 1 + BUILT_PICKS  # behind all slots, one a slot: builder + 1, picks + 1; see core.builder
# Which units `mark` takes.
ALL = 0
IN_ACTION = 1
OUT = 2
HURT = 3

CAMPAIGN_SCOPE = 2  # of a flag: it goes on to the next session
# What is set by the command UNIT: one of these bytes, a flag or a track counted from here.
FLAG = 16
TRACK = 48
STRENGTH = 32  # asked for only, see `Roster.strength`

NUMBERS = ((1, 100), (1, 200), (0, 30), (0, 7), (0, 7), (0, 7))  # lowest and highest, from MODELS on
WORDS = ("", "", "models left", "wounds lost", "",
         "models", "wounds", "toughness", "save", "invulnerable", "feel no pain")


class Roster:
    """A view on the slots of a state.

    Args: data: the state's bytes; at: where the slots begin; scenario: gives their number, the sides, units and flags;
        begins_at: where the flags are with which each unit of the scenario begins; None where none has a flag then;
        tracks_at: where the slot of the unit that is meant is, then the tracks, slot after slot; 0 without tracks.
    """

    def __init__(self, data, at, scenario, begins_at=None, tracks_at=0):
        self._data = data
        self._at = at
        self._scenario = scenario
        self._begins_at = begins_at
        self._tracks_at = tracks_at
        self._looked_at = -1  # a unit that is meant for a moment, and in no byte of the state
        self.slots = scenario.slots
        self._built = at + SLOT_BYTES * scenario.slots if scenario.builders else 0

    def reset(self):
        """Only those units that stand on the roster at the start."""
        for slot in range(self.slots):
            self.remove(slot)
        if self._tracks_at:
            self.mean(NOBODY)
        for i in range(self._scenario.units):
            record = self._scenario.unit(i)
            for _ in range(record[2]):
                self.field(record[1], i)

    def get(self, slot, what):
        """One byte of a slot, such as MODELS_LEFT. Raises RuleError if there is no such slot."""
        if not 0 <= slot < self.slots:
            raise RuleError("no such slot", slot)
        return self._data[self._at + SLOT_BYTES * slot + what]

    def used(self, slot):
        """Whether there is a slot with this number, and a unit in it."""
        return 0 <= slot < self.slots and self.get(slot, KIND) != EMPTY

    def flag(self, slot, flag):
        """1 if a unit has a flag, else 0."""
        return self.get(slot, FLAGS) >> flag & 1

    # Tracks: a number, or HAS_NOT, of each unit.

    def _track(self, slot, track):
        if not 0 <= slot < self.slots or not 0 <= track < self._scenario.tracks:
            raise RuleError("no such track", track)
        return self._tracks_at + 1 + self._scenario.tracks * slot + track

    def has(self, slot, track):
        """Whether a unit has a track."""
        return self._data[self._track(slot, track)] != HAS_NOT

    def value(self, slot, what):
        """What `set` sets, or STRENGTH; 0 for a track that the unit does not have."""
        if what >= TRACK:
            value = self._data[self._track(slot, what - TRACK)]
            return 0 if value == HAS_NOT else value
        if what == STRENGTH:
            return self.strength(slot)
        if what >= FLAG:
            return self.flag(slot, what - FLAG)
        return self.lost(slot) if what == WOUNDS_LOST else self.get(slot, what)

    def _start_tracks(self, slot, unit):
        """A unit's tracks begin; one by numbers has them all."""
        for track in range(self._scenario.tracks):
            by_numbers = unit == BY_NUMBERS
            start = self._scenario.track(track)[3] if by_numbers else self._scenario.track_start(track, unit)
            self._data[self._track(slot, track)] = start

    def restart(self, scope):
        """The tracks of a scope begin anew, and no unit is meant."""
        if self._tracks_at:
            self.mean(NOBODY)
        for track in range(self._scenario.tracks):
            _, _, _, start, its_scope, _, _ = self._scenario.track(track)
            for slot in range(self.slots if its_scope == scope else 0):
                if self.used(slot) and self.has(slot, track):
                    kind = self.get(slot, KIND)
                    value = start if kind == BY_NUMBERS else self._scenario.track_start(track, kind)
                    self.set(slot, TRACK + track, value)

    def meant(self):
        """The slot of the unit that is meant, or NOBODY; of a scenario with tracks."""
        if self._looked_at >= 0:
            return self._looked_at
        return self._data[self._tracks_at] if self._tracks_at else NOBODY

    def mean(self, slot):
        """From now on this unit is meant. Raises RuleError in a scenario without tracks."""
        if not self._tracks_at:
            raise RuleError("no tracks in this game", slot)
        self._data[self._tracks_at] = slot

    def look_at(self, slot):
        """This unit is meant until -1 is looked at."""
        self._looked_at = slot

    def begins(self, unit):
        """The flags, a bit each, with which a unit of the scenario begins."""
        return 0 if self._begins_at is None else self._data[self._begins_at + unit]

    def set_begins(self, unit, flags):
        """Set the flags with which a unit of the scenario begins. Raises RuleError where none can."""
        if self._begins_at is None:
            raise RuleError("no flags are carried here", unit)
        self._data[self._begins_at + unit] = flags

    def lost(self, slot):
        """How many wounds a unit has lost in all: those of the models that are gone and of the one that is hurt."""
        gone = self.get(slot, MODELS) - self.get(slot, MODELS_LEFT)
        return gone * self.get(slot, WOUNDS) + self.get(slot, WOUNDS_LOST)

    def in_action(self, side):
        """(units, models) of a side that are in action."""
        units = models = 0
        for slot in range(self.slots):
            if self.used(slot) and self.get(slot, SIDE) == side and self.get(slot, MODELS_LEFT):
                units += 1
                models += self.get(slot, MODELS_LEFT)
        return units, models

    def out_of_action(self, side):
        """(units, models) of a side that are out of action."""
        units = models = 0
        for slot in range(self.slots):
            if self.used(slot) and self.get(slot, SIDE) == side:
                units += not self.get(slot, MODELS_LEFT)
                models += self.get(slot, MODELS) - self.get(slot, MODELS_LEFT)
        return units, models

    def of_kind(self, unit):
        """(units, models) of a kind that are in action."""
        left = [self.get(slot, MODELS_LEFT) for slot in range(self.slots) if self.get(slot, KIND) == unit]
        return sum(1 for models in left if models), sum(left)

    def come_back(self, unit):
        """The first unit of a kind that is out of action is whole again, without flags."""
        for slot in range(self.slots):
            if self.get(slot, KIND) == unit and not self.get(slot, MODELS_LEFT):
                self.set(slot, WOUNDS_LOST, 0)
                self._data[self._at + SLOT_BYTES * slot + FLAGS] = 0
                return

    def _free(self):
        for slot in range(self.slots):
            if not self.used(slot):
                return slot
        return None

    def may_field(self, side, unit):
        """Whether a side may have a unit of the scenario."""
        return self._scenario.unit(unit)[1] in (side, NOBODY)

    def check_field(self, side, unit, numbers):
        """The string number of what must be asked before `field`, or None.

        Raises: RuleError if it may not be done: no slot, side, unit, or numbers out of bounds.
        """
        scenario = self._scenario
        if not 0 <= side < scenario.sides and (side != NOBODY or scenario.sides):
            raise RuleError("no such side", side)
        if unit != BY_NUMBERS and not 0 <= unit < scenario.units:
            raise RuleError("no such unit", unit)
        if len(numbers) != (len(NUMBERS) if unit == BY_NUMBERS else 0):
            raise RuleError("wrong number of arguments", len(numbers))
        for value, bounds in zip(numbers, NUMBERS):
            _check_bounds(value, bounds)
        if unit != BY_NUMBERS and not self.may_field(side, unit):
            raise RuleError("a unit of another side", scenario.pack.text(scenario.unit(unit)[0]))
        if self._free() is None:
            raise RuleError("no free slot", self.slots)
        for question, _ in [] if unit == BY_NUMBERS else self._carried(unit):
            if question != NONE:
                return question
        return None

    def _carried(self, unit):
        """(question, wounds lost) of each flag with which a unit begins."""
        flags = self.begins(unit)
        return [self._scenario.flag(i)[3:] for i in range(self._scenario.flags) if flags >> i & 1]

    def built(self, slot):
        """(builder, picks) of a unit that was built, or None."""
        at = self._built + BUILT_BYTES * slot
        if not self._built or not self._data[at]:
            return None
        return self._data[at] - 1, [pick - 1 for pick in self._data[at + 1 : at + BUILT_BYTES] if pick]

    def set_built(self, slot, builder, picks):
        """Note from what a unit was built."""
        at = self._built + BUILT_BYTES * slot
        self._data[at] = builder + 1
        for i, pick in enumerate(picks):
            self._data[at + 1 + i] = pick + 1

    def keywords(self, slot):
        """The bits of a unit's keywords."""
        kind = self.get(slot, KIND)
        bits = 0 if kind == BY_NUMBERS else self._scenario.unit(kind)[9]
        found = self._builder(slot)
        return bits if found is None else bits | found[0].keywords(found[1])

    def weapons(self, slot):
        """The numbers of a unit's weapons; none of one by numbers."""
        kind = self.get(slot, KIND)
        found = self._builder(slot)
        if found is not None:
            return found[0].weapons(found[1])
        return [] if kind == BY_NUMBERS else self._scenario.unit_weapons(kind)

    def arms(self, slot):
        """The weapons of a unit, each with the number of models that have it; 0: all of them."""
        kind = self.get(slot, KIND)
        found = self._builder(slot)
        if found is not None:
            return found[0].arms(found[1])
        return [] if kind == BY_NUMBERS else self._scenario.arms(kind)

    def bearers(self, slot, weapon):
        """How many models of a unit have a weapon; where it is not known, all that are left."""
        left = self.get(slot, MODELS_LEFT)
        counts = [models for other, models in self.arms(slot) if other == weapon]
        return left if not counts or 0 in counts else max(0, min(left, sum(counts)))

    def alter(self, slot, weapon, module, profile):
        """Change the numbers of a weapon in place as what a unit was built from does."""
        found = self._builder(slot)
        if found is not None:
            found[0].alter(found[1], weapon, module, profile)

    def given_name(self, slot):
        """The name that a unit was built with; nothing for none."""
        found = self._builder(slot)
        return "" if found is None else found[0].name(found[1])

    def _builder(self, slot):
        """(Builder, picks) of a unit that was built, or None."""
        built = self.built(slot)
        if built is None:
            return None
        from tableside.core.builder import Builder

        return Builder(self._scenario, built[0]), built[1]

    def field(self, side, unit, numbers=()):
        """Put a unit of the scenario, or one BY_NUMBERS, into the first free slot. Returns: the slot, None for none."""
        slot = self._free()
        if slot is None:
            return None
        at = self._at + SLOT_BYTES * slot
        self._data[at + KIND] = unit
        self._data[at + SIDE] = side
        for i, value in enumerate(numbers or self._scenario.unit(unit)[3:9]):
            _check_bounds(value, NUMBERS[i])
            self._data[at + MODELS + i] = value
        self._data[at + MODELS_LEFT] = self._data[at + MODELS]
        self._start_tracks(slot, BY_NUMBERS if numbers else unit)
        if unit != BY_NUMBERS:
            self._data[at + FLAGS] = self.begins(unit)
            for _, wounds in self._carried(unit):
                self.set(slot, WOUNDS_LOST, min(self.lost(slot) + wounds, self.bounds(slot, WOUNDS_LOST)[1]))
        return slot

    def bounds(self, slot, what):
        """(lowest, highest) value that may be set, see `set`. Raises RuleError if there is no such thing."""
        if what == MODELS_LEFT:
            return 0, self.get(slot, MODELS)
        if what == WOUNDS_LOST:
            return 0, self.get(slot, MODELS) * self.get(slot, WOUNDS)
        if MODELS <= what < SLOT_BYTES:
            return NUMBERS[what - MODELS]
        if FLAG <= what < FLAG + self._scenario.flags:
            return 0, 1
        if what >= TRACK and self.has(slot, what - TRACK):
            return 0, self._scenario.track(what - TRACK)[2]
        raise RuleError("nothing to set", what)

    def check_set(self, slot, what, value):
        """Raises RuleError if `set` may not be done."""
        self.check_used(slot)
        _check_bounds(value, self.bounds(slot, what))

    def check_used(self, slot):
        """Raises RuleError if a slot has no unit."""
        if not self.used(slot):
            raise RuleError("no unit there", slot)

    def set(self, slot, what, value):
        """Set a byte of a slot, a flag or a track; WOUNDS_LOST counts all wounds lost and so may take models off."""
        data = self._data
        at = self._at + SLOT_BYTES * slot
        if what >= TRACK:
            data[self._track(slot, what - TRACK)] = value
            return
        if what >= FLAG:
            bit = 1 << what - FLAG
            data[at + FLAGS] = data[at + FLAGS] | bit if value else data[at + FLAGS] & ~bit
            return
        if what == WOUNDS_LOST:
            data[at + MODELS_LEFT] = data[at + MODELS] - value // data[at + WOUNDS]
            data[at + WOUNDS_LOST] = value % data[at + WOUNDS]
            return
        if what == MODELS:  # as many as before stay out of action
            data[at + MODELS_LEFT] = max(0, data[at + MODELS_LEFT] + value - data[at + MODELS])
        data[at + what] = value
        most = data[at + WOUNDS] - 1 if data[at + MODELS_LEFT] else 0
        data[at + WOUNDS_LOST] = min(data[at + WOUNDS_LOST], most)

    def clear_flag(self, flag, side=NOBODY):
        """Take a flag from every unit, or from those of a side."""
        for slot in range(self.slots):
            if side == NOBODY or self.get(slot, SIDE) == side:
                self.set(slot, FLAG + flag, 0)

    def strength(self, slot):
        """0 if all of a unit is there, 1 if less, 2 if exactly half, 3 if less than half; a single model has wounds."""
        whole = self.get(slot, MODELS)
        left = self.get(slot, MODELS_LEFT)
        if whole == 1:
            whole = self.get(slot, WOUNDS)
            left = whole - self.lost(slot)
        return int(left < whole) + int(2 * left <= whole) + int(2 * left < whole)

    def mark(self, flag, side, which, value):
        """Set a flag of units of a side (NOBODY: any): ALL, IN_ACTION, OUT or HURT, or with value 0 take it off.

        What is taken off all is also taken off units that are not on the roster.

        Raises: RuleError if there is no such flag.
        """
        scenario = self._scenario
        if flag >= scenario.flags:
            raise RuleError("no such flag", flag)
        for slot in range(self.slots):
            if not self.used(slot) or side not in (self.get(slot, SIDE), NOBODY):
                continue
            hurt = which == HURT and not self.get(slot, WOUNDS_LOST)
            if which == ALL or not hurt and (which != OUT) == (self.get(slot, MODELS_LEFT) > 0):
                self.set(slot, FLAG + flag, value)
        if not value and which == ALL and self._begins_at is not None:
            for unit in range(scenario.units):
                if side in (scenario.unit(unit)[1], NOBODY):
                    self._data[self._begins_at + unit] &= ~(1 << flag)

    def sound(self):
        """Whether these bytes can be a roster of the scenario. A log may say anything."""
        scenario = self._scenario
        for slot in range(self.slots):
            if not self.used(slot):
                continue
            kind, side = self.get(slot, KIND), self.get(slot, SIDE)
            if kind != BY_NUMBERS and kind >= scenario.units or side != NOBODY and side >= scenario.sides:
                return False
            for i, (low, high) in enumerate(NUMBERS):
                if not low <= self.get(slot, MODELS + i) <= high:
                    return False
            if self.get(slot, MODELS_LEFT) > self.get(slot, MODELS):
                return False
            if self.get(slot, WOUNDS_LOST) >= self.get(slot, WOUNDS):
                return False
            built = self.built(slot)
            if built is not None and not self._sound_built(kind, *built):
                return False
            for track in range(scenario.tracks):
                if self.has(slot, track) and self.value(slot, TRACK + track) > scenario.track(track)[2]:
                    return False
        meant = self.meant()
        return meant == NOBODY or meant < self.slots

    def _sound_built(self, kind, builder, picks):
        if builder >= self._scenario.builders:
            return False
        record = self._scenario.builder(builder)
        return record[1] == kind and all(pick < record[8] for pick in picks)

    def remove(self, slot):
        """Empty a slot."""
        at = self._at + SLOT_BYTES * slot
        for i in range(at, at + SLOT_BYTES):
            self._data[i] = 0
        self._data[at + KIND] = EMPTY
        for track in range(self._scenario.tracks):
            self._data[self._track(slot, track)] = HAS_NOT
        if self._tracks_at and self._data[self._tracks_at] == slot:
            self.mean(NOBODY)
        if self._built:
            at = self._built + BUILT_BYTES * slot
            for i in range(at, at + BUILT_BYTES):
                self._data[i] = 0


def _check_bounds(value, bounds):
    if not bounds[0] <= value <= bounds[1]:
        raise RuleError("must be %d..%d" % bounds, value)
