"""Running a game's data: effects, the agenda, the steps and their checks.

The agenda is a stack of frames in the state. `run` works it off until a frame waits for the players or nothing is left.
"""

from tableside.core import deck as decks
from tableside.core.conditions import holds, operand
from tableside.core.errors import PackError, RuleError
from tableside.core.pack import (
    ACTION,
    CHECK,
    DIE,
    EFFECT,
    MODIFIER,
    NOBODY,
    NONE,
    OUTCOME,
    ROW,
    TABLE,
    WINDOW,
)
from tableside.core.state import (
    ENDED,
    O_ACTOR,
    O_CARD,
    O_DECK,
    O_DEPTH,
    O_OVER,
    O_RESULT,
    O_ROUND,
    O_STEP,
    O_TICKS,
)

# Frames. Those that wait for the players: WINDOW_FRAME for a choice, CHECK_FRAME for dice, GUIDE_FRAME and ASK_FRAME
# for answers.
EFFECTS_FRAME = 1  # small: how many, wide: first
WINDOW_FRAME = 2  # wide: window
CHECK_FRAME = 3  # wide: check
ADVANCE_FRAME = 4
ATTACK_FRAME = 8  # see core.unit_effects
GUIDE_FRAME = 5  # see core.guide
CODE_FRAME = 6  # small and wide: what the code of the pack is given
ASK_FRAME = 7  # a question of that code

# Effects: the closed list.
DRAW = 0  # deck a, to zone b, operand: cards
DRAW_TO = 1  # deck a, to zone b, operand: until it holds so many
SHUFFLE = 2  # deck a: bring back what returns, then shuffle
MOVE = 3  # deck a, zone b to zone c & 15 at place c >> 4, operand: cards from the top of b, 0 for all
SET = 4  # counter a, operand
ADD = 5
SUB = 6
RANDOM = 7  # value = 1 .. operand
CHECK_DICE = 8  # check: operand
OPEN_WINDOW = 9  # window: operand
RESOLVE = 10  # table: operand; the row of the card in focus
SET_ACTOR = 11  # side a
GO_TO = 12  # step a; what was still on the agenda is dropped
ADVANCE = 13
END = 14  # result a, or NOBODY: the first result whose condition holds
OPEN_GUIDE = 25  # guide: operand
MARK = 15  # flag a of the units of side b, c: which of them, operand: 1 or 0
BEGIN_TURN = 50  # of side a
COME_BACK = 52  # a unit of kind a that is out of action is whole again
MARK_MEANT = 51  # flag a of the unit that is meant becomes b
# The first effect of an action for which a card or a unit is picked; see `core.picks`.
PICK = 40  # deck a, zones b & 15 to b >> 4, to zones c & 15 to c >> 4, operand: how many of these, or else a table
PICK_UNIT = 41  # side a, which b, change c
SIFT = 42  # deck a, zone b to zone c: the cards in table operand
RECOVER = 43  # side a: its models are back
HEAL = 44  # units of kind a
FIELD_ALL = 45  # side a: those of the pack that are not on the roster
CALL = 59  # the pack's code: its entry a, operand
OF_UNITS = 60  # this and all after it: see core.unit_effects
PAY = 63  # the price of an action, as its first effect

# Kinds of actions besides choices.
EDITS = 1  # the counter that is its argument
ATTACKS = 2
USES = 3  # the ability that is its argument
PICKS = 8
PICKS_UNIT = 9

AT_ONCE = 4  # added to the kind of a result that ends the game as soon as its condition holds; those come first

# Step flags, scopes of counters and flags.
AUTO = 1
ROUND_SCOPE = 0
SESSION_SCOPE = 1
CAMPAIGN_SCOPE = 2
# Of flags and abilities only.
PHASE_SCOPE = 3
TURN_SCOPE = 4
NEXT_TURN = 5  # until the next turn of the unit's, or the user's, side begins

_RUN_LIMIT = 200


def set_clamped(state, counter, value):
    """Set a counter to the value, or to the bound that it would pass."""
    _, _, low, high, _, _, _, _, _, _ = state.scenario.counter(counter)
    state.set_counter(counter, max(low, min(high, value)))


def start(state):
    """Enter the first step of a new session."""
    _enter(state, _next_step(state, -1))


def run(state):
    """Work off the agenda until it waits for the players or is empty. Raises RuleError if it never would."""
    for _ in range(_RUN_LIMIT):
        frame = state.top()
        if frame is None:
            return
        kind, small, wide = frame
        if kind in (WINDOW_FRAME, CHECK_FRAME, GUIDE_FRAME, ASK_FRAME):
            return
        if kind == ATTACK_FRAME and state.in_attack():
            return
        state.pop()
        if kind == EFFECTS_FRAME:
            if small > 1:
                state.push(EFFECTS_FRAME, small - 1, wide + 1)
            _apply(state, wide)
        elif kind == ADVANCE_FRAME:
            advance(state)
        elif kind == CODE_FRAME and state.code is not None:
            state.code.run(small, wide)
        elif kind != ATTACK_FRAME:
            raise RuleError("unknown frame", kind)
    raise RuleError("effects never end", state.data[O_STEP])


def push_effects(state, first, count):
    """Put a run of effects on the agenda."""
    if count:
        state.push(EFFECTS_FRAME, count, first)


def _next_step(state, step):
    scenario = state.scenario
    while True:
        step += 1
        if step == scenario.steps:
            _new_round(state)
            step = 0
        record = scenario.step(step)
        if record[12] <= state.data[O_ROUND] <= record[13] and holds(state, record[7], record[8]):
            return step


def _new_round(state):
    if state.data[O_ROUND] == 255:
        raise RuleError("no step left to play", 255)
    state.data[O_ROUND] += 1
    for i in range(state.scenario.counters):
        record = state.scenario.counter(i)
        if record[5] == ROUND_SCOPE:
            state.set_counter(i, record[4])
    _lapse(state, (ROUND_SCOPE, TURN_SCOPE, PHASE_SCOPE))
    state.roster.restart(ROUND_SCOPE)


def _lapse(state, scopes, side=NOBODY):
    """What lasts for some scopes ends: flags of units, what abilities have left. Args: side: whose turn begins."""
    for i in range(state.scenario.flags):
        scope = state.scenario.flag(i)[2]
        if scope in scopes:
            state.roster.clear_flag(i, side if scope == NEXT_TURN else NOBODY)
    if state.abilities is not None:
        state.abilities.lapse(scopes, side)


def _enter(state, step):
    data = state.data
    record = state.scenario.step(step)
    if data[O_STEP] < state.scenario.steps and state.scenario.step(data[O_STEP])[0] != record[0]:
        _lapse(state, (PHASE_SCOPE,))
    data[O_STEP] = step
    set_actor(state, state.abilities.turn() if record[11] == NOBODY and state.abilities is not None else record[11])
    for i in range(O_TICKS, O_TICKS + 4):
        data[i] = 0
    if record[14] & AUTO:
        state.push(ADVANCE_FRAME, 0, 0)
    push_effects(state, record[3], record[4])


def set_actor(state, side):
    """Set whose turn it is; NOBODY: no side's."""
    if side != NOBODY and side >= state.scenario.sides:
        raise RuleError("no such side", side)
    state.data[O_ACTOR] = side


def advance(state):
    """Go on to the next step that this round has; after the last one a new round begins."""
    _enter(state, _next_step(state, state.data[O_STEP]))


def go_to(state, step):
    """Enter a step of this round at once and forget what was still to happen."""
    if step >= state.scenario.steps:
        raise RuleError("no such step", step)
    state.clear_agenda()
    _enter(state, step)


def finish(state, result, how=ENDED):
    """End the session with a result of the pack, or NOBODY; how: a value of O_OVER. The seed comes to light.

    The result's effects are put on the agenda.
    """
    if result != NOBODY and result >= state.scenario.results:
        raise RuleError("no such result", result)
    state.clear_agenda()
    state.data[O_OVER] = how
    state.data[O_RESULT] = result
    state.revealed = True
    if result != NOBODY:
        record = state.scenario.result(result)
        push_effects(state, record[6], record[7])


def _first_result(state):
    for i in range(state.scenario.results):
        record = state.scenario.result(i)
        if holds(state, record[4], record[5]):
            return i
    return NOBODY


def end_at_once(state):
    """End the game if nothing waits on the agenda and a result that does not wait for an effect has come about.

    Returns: whether it has ended so.
    """
    for i in range(0 if state.data[O_OVER] or state.data[O_DEPTH] else state.scenario.results):
        record = state.scenario.result(i)
        if not record[2] & AT_ONCE:
            return False
        if holds(state, record[4], record[5]):
            finish(state, i)
            return True
    return False


def _apply(state, index):
    op, a, b, c, source, value, first, count = state.scenario.pack.record(EFFECT, index)
    if op >= OF_UNITS:
        from tableside.core import unit_effects

        unit_effects.apply(state, index)
        return
    if not holds(state, first, count):
        return
    amount = operand(state, source, value)
    if op in (DRAW, DRAW_TO):
        _draw(state, a, b, amount if op == DRAW else amount - state.zone_count(a, b))
    elif op == SHUFFLE:
        decks.shuffle_all(state, a)
    elif op == MOVE:
        _move(state, a, b, c, amount)
    elif op == SET:
        set_clamped(state, a, amount)
    elif op == ADD:
        set_clamped(state, a, state.counter(a) + amount)
    elif op == SUB:
        set_clamped(state, a, state.counter(a) - amount)
    elif op == RANDOM:
        state.set_value(1 + state.rng.below(amount))
        state.revealed = True
    elif op == CHECK_DICE:
        if die(state, amount, 0) is None:
            raise PackError("check without dice", amount)
        state.push(CHECK_FRAME, 0, amount)
    elif op == OPEN_WINDOW:
        state.push(WINDOW_FRAME, 0, amount)
    elif op == RESOLVE:
        row = row_in_focus(state, amount)
        if row is not None:
            push_effects(state, row[4], row[5])
    elif op == SET_ACTOR:
        set_actor(state, a)
    elif op == GO_TO:
        go_to(state, a)
    elif op == ADVANCE:
        state.clear_agenda()
        advance(state)
    elif op == BEGIN_TURN and state.abilities is not None:
        set_actor(state, a)
        _lapse(state, (NEXT_TURN, TURN_SCOPE, PHASE_SCOPE), a)
        state.abilities.begin_turn(a)
    elif op == MARK_MEANT and state.abilities is not None:
        state.abilities.mark(a, b)
    elif op == COME_BACK:
        state.roster.come_back(a)
    elif op == END:
        finish(state, _first_result(state) if a == NOBODY else a)
    elif op == CALL and state.code is not None:
        state.code.call(a, amount)
    elif op == OPEN_GUIDE:
        from tableside.core import guide

        guide.begin(state, amount)
    elif op >= SIFT and op <= FIELD_ALL:
        from tableside.core import picks

        if op == SIFT:
            picks.sift(state, state.scenario.pack.record(EFFECT, index))
        else:
            (picks.recover, picks.heal, picks.field_all)[op - RECOVER](state, a)
    elif op == MARK:
        state.roster.mark(a, b, c, amount)
    else:
        raise RuleError("unknown effect", op)


def _draw(state, deck, zone, cards):
    for _ in range(min(cards, 255)):  # no deck has more
        if not decks.draw(state, deck, zone):
            return


def _move(state, deck, source, target_place, cards):
    count = state.zone_count(deck, source)
    pile = source == decks.draw_zone(state, deck)
    for _ in range(min(cards, count) if cards else count):
        top = 0 if pile or not cards else state.zone_count(deck, source) - 1
        decks.move(state, deck, source, top, target_place & 15, target_place >> 4)


def row_in_focus(state, table):
    """The ROW of `table` for the card in focus, or None if no such card is in focus."""
    _, deck, first, count = state.scenario.pack.record(TABLE, table)
    if state.data[O_DECK] == deck:
        card = state.data[O_CARD]
        for i in range(first, first + count):
            row = state.scenario.pack.record(ROW, i)
            if row[0] <= card <= row[1]:
                return row
    return None


def offered(state):
    """(first, count) of the ACTION records offered now: those of the open window, else those of the step."""
    if state.data[O_OVER]:
        return 0, 0
    frame = state.top()
    if frame is None:
        record = state.scenario.step(state.data[O_STEP])
        return record[5], record[6]
    if frame[0] == WINDOW_FRAME:
        return state.scenario.pack.record(WINDOW, frame[2])[2:4]
    return 0, 0


def allowed(state):
    """The numbers of the ACTION records that may be taken now, in the order of the pack."""
    first, count = offered(state)
    return [action for action in range(first, first + count) if action_question(state, action) is not None]


def is_choice(state, action):
    """Whether an action is just chosen; else it is there to adjust a counter, to attack or to pick something."""
    return not state.scenario.pack.record(ACTION, action)[6]


def edited_counter(state, action):
    """The counter that an action is there to adjust, or None."""
    record = state.scenario.pack.record(ACTION, action)
    return record[7] if record[6] == EDITS else None


def used_ability(state, action):
    """The ability that an action is there to use, or None."""
    record = state.scenario.pack.record(ACTION, action)
    return record[7] if record[6] == USES else None


def choose(state, action):
    """Do an offered action: a window closes, then the effects run."""
    _, _, _, _, first, count, _, _ = state.scenario.pack.record(ACTION, action)
    if state.data[O_DEPTH]:
        state.pop()
    push_effects(state, first, count)


def after_pick(state, action):
    """The effects of an action after its first, which said what was to be picked; a window stays open."""
    _, _, _, _, first, count, _, _ = state.scenario.pack.record(ACTION, action)
    push_effects(state, first + 1, count - 1)


def after_attack(state):
    """The effects of the step's action that begins attacks, when the losses of one have been noted."""
    first, count = offered(state)
    for action in range(first, first + count):
        record = state.scenario.pack.record(ACTION, action)
        if record[6] == ATTACKS and action_question(state, action) is not None:
            push_effects(state, record[4], record[5])
            return


def open_check(state):
    """The number of the check that waits for dice, or None."""
    frame = state.top()
    return frame[2] if frame is not None and frame[0] == CHECK_FRAME else None


def asked(state):
    """The Question of the pack's code that waits for an answer, or None."""
    frame = state.top()
    return state.code.question() if frame is not None and frame[0] == ASK_FRAME and state.code is not None else None


def die(state, check, i):
    """The DIE record of die `i` of a check, or None past the last."""
    record = state.scenario.pack.record(CHECK, check)
    if not 0 <= i < record[3]:
        return None
    found = state.scenario.pack.record(DIE, record[2] + i)
    if not found[1]:
        raise PackError("die without sides", record[2] + i)
    return found


def check_total(state, check, faces):
    """The result of a check: the dice with their signs plus the modifiers whose conditions hold."""
    pack = state.scenario.pack
    _, _, _, _, first, count, _, _ = pack.record(CHECK, check)
    total = 0
    for i, face in enumerate(faces):
        total += face * die(state, check, i)[2]
    for i in range(first, first + count):
        source, value, sign, condition, conditions = pack.record(MODIFIER, i)
        if holds(state, condition, conditions):
            total += sign * operand(state, source, value)
    return total


def outcome(state, check, total):
    """The OUTCOME record that a total falls into, or None."""
    _, _, _, _, _, _, first, count = state.scenario.pack.record(CHECK, check)
    for i in range(first, first + count):
        record = state.scenario.pack.record(OUTCOME, i)
        if record[0] <= total <= record[1]:
            return record
    return None


def enter_dice(state, check, faces):
    """Close the waiting check with these dice and put its outcome's effects on the agenda."""
    total = check_total(state, check, faces)
    state.pop()
    state.set_value(total)
    record = outcome(state, check, total)
    if record is not None:
        push_effects(state, record[3], record[4])


def roll(state, check):
    """Let the device roll the dice of a check. Returns: the faces."""
    state.revealed = True
    return [1 + state.rng.below(die(state, check, i)[1]) for i in range(state.scenario.pack.record(CHECK, check)[3])]


def price(state, action):
    """(what an action costs, what there is to pay it), or None for one without a price."""
    _, _, _, _, first, count, kind, _ = state.scenario.pack.record(ACTION, action)
    if kind or not count or state.scenario.pack.record(EFFECT, first)[0] != PAY:
        return None
    from tableside.core import unit_effects

    return unit_effects.price(state, first, count)


def action_question(state, action):
    """The string number of what must be asked before an action, or NONE; None if the action is not allowed.

    One that has a price is asked about only if there is too little to pay it.
    """
    _, question, first, count, _, _, kind, number = state.scenario.pack.record(ACTION, action)
    if not holds(state, first, count):
        return None
    if kind == USES:
        try:
            state.abilities.targets(state, number)
        except RuleError:
            return None
    if kind in (PICKS, PICKS_UNIT):
        from tableside.core import picks

        if not picks.possible(state, action):
            return None
    cost = None if question == NONE else price(state, action)
    return question if cost is None or cost[0] > cost[1] else NONE

