"""Effects on the unit that is meant: its tracks and flags, what an action costs it, new units, and attacks.

Loaded when a pack has them.
"""

from tableside.core.conditions import holds, operand
from tableside.core.pack import EFFECT, NOBODY
from tableside.core.roster import SIDE, TRACK

# Effects; the rest of the closed list of `core.engine`.
SET = 60  # what a (see `Roster.set`) of the unit that is meant, or of each unit of side b; operand
ADD = 61
SUB = 62
PAY = 63  # operand: from what a of the unit that is meant, the rest from counter b; NOBODY: not from there
FIELD = 64  # unit a; operand: how many
ATTACK = 65  # begin one with weapon a; the unit that is meant attacks, if it has that
AMEND = 66  # number a of the attack in hand: operand
ROLL = 67  # wait until the attack in hand has come to its end

ATTACK_FRAME = 8  # waits for the dice of the attack in hand


def apply(state, index):
    """Do such an effect."""
    op, a, b, _, source, value, first, count = state.scenario.pack.record(EFFECT, index)
    units = state.roster
    if op <= SUB and b != NOBODY:
        for slot in range(units.slots):
            if units.used(slot) and units.get(slot, SIDE) == b:
                units.look_at(slot)  # what the condition and the operand say of a unit is said of this one
                try:
                    if holds(state, first, count):
                        _change(state, slot, op, a, operand(state, source, value))
                finally:
                    units.look_at(-1)
        return
    if not holds(state, first, count):
        return
    amount = operand(state, source, value)
    slot = state.unit() if units.used(state.unit()) else NOBODY
    if op <= SUB:
        _change(state, slot, op, a, amount)
    elif op == PAY:
        _pay(state, slot, a, b, amount)
    elif op == FIELD:
        for _ in range(min(amount, units.slots)):
            units.field(state.scenario.unit(a)[1], a)
    elif op == ATTACK:
        state.attack.begin((a, slot if slot != NOBODY and a in units.weapons(slot) else NOBODY, 0))
    elif op == AMEND:
        state.attack.amend((a, amount))
    else:
        state.push(ATTACK_FRAME, 0, 0)


def _change(state, slot, op, what, amount):
    """Set or change something of a unit within its bounds; nothing if it is not there, or has no such track."""
    units = state.roster
    if slot == NOBODY or what >= TRACK and not units.has(slot, what - TRACK):
        return
    if op != SET:
        now = units.value(slot, what)
        amount = now + amount if op == ADD else now - amount
    low, high = units.bounds(slot, what)
    units.set(slot, what, max(low, min(high, amount)))


def _pay(state, slot, what, counter, amount):
    """Take it from the unit as far as that goes, the rest from the counter, as far as that goes."""
    paid = 0
    if what != NOBODY and slot != NOBODY:
        paid = min(amount, state.roster.value(slot, what))
        _change(state, slot, SUB, what, paid)
    if counter != NOBODY:
        low = state.scenario.counter(counter)[2]
        state.set_counter(counter, max(low, state.counter(counter) - amount + paid))


def price(state, first, count):
    """(cost, what there is to pay it) of a run of effects, or None: its first effect says what it costs."""
    if not count:
        return None
    op, a, b, _, source, value, _, _ = state.scenario.pack.record(EFFECT, first)
    if op != PAY:
        return None
    slot = state.unit()
    there = state.roster.value(slot, a) if a != NOBODY and state.roster.used(slot) else 0
    if b != NOBODY:
        there += state.counter(b) - state.scenario.counter(b)[2]
    return operand(state, source, value), there
