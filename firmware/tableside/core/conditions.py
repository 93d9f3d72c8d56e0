"""Operands and conditions of a pack: what a number stands for, and whether a run of comparisons holds."""

from tableside.core.errors import RuleError
from tableside.core.pack import CONDITION, NOBODY
from tableside.core.roster import FLAG, KIND
from tableside.core.state import O_CARD, O_ROUND, SLOT

# Operand sources.
CONST = 0
COUNTER_VALUE = 1
ROUND_NUMBER = 2
VALUE = 3
ZONE_COUNT = 4  # operand value: deck * 16 + zone
CARD_IN_FOCUS = 5  # counted from 1 in the order of the deck's list; 0: none
UNITS_ALIVE = 6  # operand value: side; units of the roster that are in action
MODELS_ALIVE = 7
UNITS_OUT = 40  # units that are out of action
MODELS_OUT = 41  # models that are gone
KIND_ALIVE = 42  # operand value: unit; so many of it are in action
KIND_MODELS = 43  # and these have so many models
ALL_SLOTS = 15  # in the place of a zone: all those of kind SLOT
UNIT_NUMBER = 50  # operand value: what `Roster.set` knows, or STRENGTH; of the unit that is meant
UNIT_IS = 60  # operand value: unit; 1 if the unit that is meant is of this kind
GOT = 61  # operand value: which number of the outcome of the attack that an effect has begun
# Of a scenario with abilities.
ABILITY_ACTIVE = 51  # operand value: ability; how often it is in force
TURN_SIDE = 52  # the number of the side whose turn it is
ABILITY_ON_UNIT = 53  # operand value: ability; 1 if it is in force on the unit that is meant, or without a unit

# Comparisons.
EQ = 0
NE = 1
LT = 2
LE = 3
GT = 4
GE = 5


def operand(state, source, value):
    """The number an operand stands for. Raises RuleError for an unknown source."""
    if source == CONST:
        return value
    if source == COUNTER_VALUE:
        return state.counter(value)
    if source == ROUND_NUMBER:
        return state.data[O_ROUND]
    if source == VALUE:
        return state.value()
    if source == ZONE_COUNT:
        if value & 15 == ALL_SLOTS:
            return _in_slots(state, value >> 4)
        return state.zone_count(value >> 4, value & 15)
    if source == CARD_IN_FOCUS:
        return 0 if state.data[O_CARD] == NOBODY else state.data[O_CARD] + 1
    if source in (UNITS_ALIVE, MODELS_ALIVE):
        return state.roster.in_action(value)[source - UNITS_ALIVE]
    if source in (UNITS_OUT, MODELS_OUT):
        return state.roster.out_of_action(value)[source - UNITS_OUT]
    if source == KIND_ALIVE:
        return state.roster.of_kind(value)[0]
    if source == KIND_MODELS:
        return state.roster.of_kind(value)[1]
    if source == UNIT_NUMBER:
        slot = state.unit()
        if not state.roster.used(slot):
            return 0
        return state.roster.value(slot, value) if value >= FLAG else state.roster.get(slot, value)
    if source == UNIT_IS:
        slot = state.unit()
        return int(state.roster.used(slot) and state.roster.get(slot, KIND) == value)
    if source == GOT:
        return state.attack.got(value) if state.scenario.weapons else 0
    if source in (ABILITY_ACTIVE, TURN_SIDE, ABILITY_ON_UNIT) and state.abilities is not None:
        return state.abilities.operand(source, value)
    raise RuleError("unknown operand", source)


def _in_slots(state, deck):
    first = state.scenario.deck(deck)[1]
    return sum(state.zone_count(deck, zone) for zone in range(state.zones(deck))
               if state.scenario.zone(first + zone)[1] == SLOT)


def _compare(left, comparison, right):
    if comparison == EQ:
        return left == right
    if comparison == NE:
        return left != right
    if comparison == LT:
        return left < right
    if comparison == LE:
        return left <= right
    if comparison == GT:
        return left > right
    return left >= right


def holds(state, first, count):
    """Whether all conditions of a run hold; an empty run always does."""
    pack = state.scenario.pack
    for i in range(first, first + count):
        source, value, comparison, right_source, right_value = pack.record(CONDITION, i)
        left = operand(state, source, value)
        if not _compare(left, comparison, operand(state, right_source, right_value)):
            return False
    return True
