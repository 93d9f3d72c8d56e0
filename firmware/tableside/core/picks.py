"""What players pick for an action: a card and where it goes, or a unit and what becomes of it. Loaded when needed.

Such an action begins with one effect that says what may be picked, PICK or PICK_UNIT; its other effects follow.
"""

from tableside.core import deck as decks
from tableside.core import engine, roster
from tableside.core.conditions import operand
from tableside.core.errors import RuleError
from tableside.core.pack import ACTION, EFFECT, NOBODY, ROW, TABLE
from tableside.core.state import O_CARD, O_DECK, SLOT

# Which units PICK_UNIT is about: the low four bits of its b; the high four: a flag, counted from 1.
IN_ACTION = 0
HURT = 1
OUT = 2
NEW = 3  # units of the pack that are not on the roster
WITHOUT = 4  # in action, without the flag
WITH_TRACK = 5  # in action, with more than 0 of the track, which is in the place of the flag
# What becomes of one: the low four bits of its c; the high four: a flag, counted from 1.
WOUND = 0
HEAL = 1
SLAY = 2
REMOVE = 3
FIELD = 4  # with the flag
SET = 5
CLEAR = 6
MEAN = 7  # it is the unit that is meant


def effect(state, action):
    """The EFFECT record that says what is picked. Raises RuleError if the action is none of this kind."""
    _, _, _, _, first, count, kind, _ = state.scenario.pack.record(ACTION, action)
    record = state.scenario.pack.record(EFFECT, first) if count else (NOBODY,)
    if record[0] != {engine.PICKS: engine.PICK, engine.PICKS_UNIT: engine.PICK_UNIT}.get(kind):
        raise RuleError("nothing to pick", action)
    return record


def possible(state, action):
    """Whether there is something to pick. Of hidden cards only their number counts, or it would give them away."""
    record = effect(state, action)
    if record[0] == engine.PICK_UNIT:
        return bool(units(state, record))
    deck = record[1]
    return bool(targets(state, record)) and any(state.zone_count(deck, zone) for zone in _span(record[2]))


def _span(pair):
    return range(pair & 15, (pair >> 4) + 1)


# Cards: a is the deck, b and c are the first and the last zone of where from and of where to.


def targets(state, record):
    """The zones that a card may go to: a slot only while it is empty."""
    deck, last = record[1], record[3] >> 4
    if last > record[3] & 15:
        last = min(last, (record[3] & 15) + operand(state, record[4], record[5]) - 1)
    first = state.scenario.deck(deck)[1]
    return [zone for zone in _span(record[3] & 15 | last << 4)
            if state.scenario.zone(first + zone)[1] != SLOT or not state.zone_count(deck, zone)]


def cards(state, record):
    """The cards that may be picked, as (zone, position)."""
    deck = record[1]
    table = -1 if record[3] >> 4 > record[3] & 15 else operand(state, record[4], record[5])
    return [(zone, at) for zone in _span(record[2]) for at in range(state.zone_count(deck, zone))
            if table < 0 or listed(state, table, state.card(deck, zone, at))]


def listed(state, table, card):
    """Whether a card has a row in a table."""
    _, _, first, count = state.scenario.pack.record(TABLE, table)
    for i in range(first, first + count):
        row = state.scenario.pack.record(ROW, i)
        if row[0] <= card <= row[1]:
            return True
    return False


def check_card(state, args):
    """Raises RuleError if the command PICK is not allowed. Args: action, zone, position, to zone."""
    question = _question(state, args[0], engine.PICKS)
    record = effect(state, args[0])
    if (args[1], args[2]) not in cards(state, record):
        raise RuleError("no card there", args[2])
    if args[3] not in targets(state, record):
        raise RuleError("no place there", args[3])
    return question


def pick_card(state, args):
    """Move the card. It is in focus if all may see it; `value` is the place of its slot among the slots, from 1."""
    record = effect(state, args[0])
    deck = record[1]
    card = state.card(deck, args[1], args[2])
    span = record[2] if record[2] & 15 < record[2] >> 4 else record[3]
    state.set_value((args[1] if span == record[2] else args[3]) - (span & 15) + 1)
    decks.move(state, deck, args[1], args[2], args[3], decks.END)
    shown = decks.may_look(state, deck, args[3], NOBODY)
    state.data[O_DECK], state.data[O_CARD] = (deck, card) if shown else (NOBODY, NOBODY)
    engine.after_pick(state, args[0])


def sift(state, record):
    """Move the cards of zone b that have a row in the table to zone c."""
    _, deck, source, target, number, table, _, _ = record
    for at in range(state.zone_count(deck, source) - 1, -1, -1):
        if listed(state, operand(state, number, table), state.card(deck, source, at)):
            decks.move(state, deck, source, at, target, decks.END)


# Units: a is the side.


def units(state, record):
    """What may be picked: roster slots; of NEW ones the numbers of UNIT records."""
    side, which, flag = record[1], record[2] & 15, (record[2] >> 4) - 1
    get = state.roster.get
    used = [slot for slot in range(state.roster.slots) if state.roster.used(slot)]
    if which == NEW:
        return _new(state, side)
    found = []
    for slot in used:
        left = get(slot, roster.MODELS_LEFT)
        fits = not left if which == OUT else left and (which != HURT or state.roster.lost(slot))
        if which == WITH_TRACK:
            fits = fits and state.roster.value(slot, roster.TRACK + flag)
        elif flag >= 0 and state.roster.flag(slot, flag) == (which == WITHOUT):
            fits = False
        if get(slot, roster.SIDE) == side and fits:
            found.append(slot)
    return found


def _new(state, side):
    """The units of the pack for a side that are not on the roster."""
    units, scenario = state.roster, state.scenario
    kinds = [units.get(slot, roster.KIND) for slot in range(units.slots) if units.used(slot)]
    return [i for i in range(scenario.units) if i not in kinds and scenario.unit(i)[1] == side]


def check_unit(state, args):
    """Raises RuleError if the command PICK_UNIT is not allowed. Args: action, slot or number of a UNIT record."""
    question = _question(state, args[0], engine.PICKS_UNIT)
    record = effect(state, args[0])
    if args[1] not in units(state, record):
        raise RuleError("no unit there", args[1])
    if record[3] & 15 == FIELD:
        carried = state.roster.check_field(record[1], args[1], ())
        return question if carried is None else carried
    return question


def pick_unit(state, args):
    """Change the unit."""
    record = effect(state, args[0])
    _change(state, args[1], record[1], record[3] & 15, (record[3] >> 4) - 1)
    engine.after_pick(state, args[0])


def _change(state, slot, side, change, flag):
    units = state.roster
    if change == FIELD:
        units.field(side, slot)
        if flag >= 0:
            units.set(newest(state, slot), roster.FLAG + flag, 1)
    elif change == REMOVE:
        units.remove(slot)
        if state.in_attack():
            state.attack.left(slot)
    elif change == MEAN:
        units.mean(slot)
    elif change in (SET, CLEAR):
        units.set(slot, roster.FLAG + flag, 1 if change == SET else 0)
    else:
        wounds = units.get(slot, roster.WOUNDS)
        left = units.get(slot, roster.MODELS_LEFT)
        gone = units.get(slot, roster.MODELS) - left
        lost = units.lost(slot) + 1 if change == WOUND else (gone + 1) * wounds if change == SLAY else gone * wounds
        units.set(slot, roster.WOUNDS_LOST, lost if left else 0)  # who is out and is healed is back


def newest(state, unit):
    """The last slot that has this kind of unit."""
    return max(slot for slot in range(state.roster.slots)
               if state.roster.used(slot) and state.roster.get(slot, roster.KIND) == unit)


def _question(state, action, kind):
    """The question of an offered action. Raises RuleError if it may not be done."""
    first, count = engine.offered(state)
    if not first <= action < first + count:
        raise RuleError("not offered now", action)
    record = state.scenario.pack.record(ACTION, action)
    question = engine.action_question(state, action)
    if record[6] != kind or question is None:
        raise RuleError("not allowed now", state.scenario.pack.text(record[0]))
    return question


# Effects on units: `recover`, `heal` and `field`.


def recover(state, side):
    """The units of several models of a side have all of them back; a model that is hurt stays so."""
    units = state.roster
    for slot in range(units.slots):
        if units.used(slot) and units.get(slot, roster.SIDE) == side and units.get(slot, roster.MODELS) > 1:
            units.set(slot, roster.MODELS_LEFT, units.get(slot, roster.MODELS))


def heal(state, unit):
    """The units of a kind that are in action lose no wounds any more."""
    units = state.roster
    for slot in range(units.slots):
        if units.used(slot) and units.get(slot, roster.KIND) == unit and units.get(slot, roster.MODELS_LEFT):
            gone = units.get(slot, roster.MODELS) - units.get(slot, roster.MODELS_LEFT)
            units.set(slot, roster.WOUNDS_LOST, gone * units.get(slot, roster.WOUNDS))


def field_all(state, side):
    """Put the units of the pack for a side on the roster, those that are not there yet and as long as there is room."""
    for unit in _new(state, side):
        state.roster.field(side, unit)
