"""The commands that change a session. `check` explains (yes, no, ask); `push` trusts that it was asked.

Every command is a kind and a few 16-bit arguments that mean the same without their context, so that a log can be read
on its own.
"""

from tableside.core import deck as decks
from tableside.core import engine
from tableside.core.errors import RuleError
from tableside.core.pack import ACTION, NOBODY, NONE
from tableside.core.record import ARGS_MOST
from tableside.core.state import ABANDONED, CONCEDED, ENDED, O_OVER, O_ROUND, O_STEP, O_TICKS

ADVANCE = 1  # on to the next step
CHOOSE = 2  # action record
ENTER = 3  # check record, faces
TICK = 4  # checklist line, on or off
SALT = 5  # two 16-bit numbers
# By hand, at any time: the tracker never blocks the table.
ADJUST = 6  # counter, new value
JUMP = 7  # step, round
MOVE = 8  # deck, from zone, position, to zone, place
DRAW = 9  # deck, to zone
SHUFFLE = 10  # deck
END = 11  # result, or NOBODY to abandon the game
FIELD = 12  # side, unit, for one by numbers: its numbers
UNIT = 13  # roster slot, what, new value
REMOVE = 14  # roster slot
ROLL = 15  # check: the device rolls its dice
CONCEDE = 16  # side
CONFIRM = 17  # side; the only command of a game that is over
ATTACK = 18  # weapon, slot of the attacker, number of target slots, these, pairs to amend: see core.attack
AMEND = 19  # pairs of a number's index and the number
STAGE = 20  # counts of the bins of the stage that waits
DECIDE = 21  # option of the stage that waits
THROW = 22  # the device rolls the dice of the stage that waits
APPLY = 23  # the losses of the attack go to the roster
DROP = 24  # the attack is given up
PICK = 25  # action, zone, position, to zone: a card for an action, see core.picks
ASSIGN = 26  # action, roster slot or, of a unit that is new, its number
ANSWER = 27  # what the guide asks, or the code of the pack: see core.guide, core.code
BUILD = 28  # side, builder, picks: see core.builder
USE = 29  # ability, roster slot or NOBODY, 1 if by hand whatever the rules say
LAPSE = 30  # what is in force, counted from the oldest: it ends now

NAMES = (
    "", "advance", "choose", "enter", "tick", "salt", "adjust", "jump", "move", "draw", "shuffle", "end",
    "field", "unit", "remove", "roll", "concede", "confirm",
    "attack", "amend", "dice", "decide", "throw", "apply", "drop", "pick", "assign", "answer", "build", "use", "lapse",
)
# How many arguments; None: it depends.
_ARGS = (0, 0, 1, None, 2, 2, 2, 2, 5, 2, 1, 1, None, 3, 1, 1, 1, 1, None, None, None, 1, 0, 0, 0, 4, 2, 1, None, 3, 1)
_LEAST = {ENTER: 1, FIELD: 2, ATTACK: 3, AMEND: 2, STAGE: 1, BUILD: 2}  # of those where it depends

# In titles of commands.
NEXT = "next"
UNTICK = "untick"
AGAIN = "redo"
DREW = "drew"

YES = 0
NO = 1
ASK = 2


def well_formed(kind, args):
    """Whether there is such a command with so many arguments."""
    if not ADVANCE <= kind < len(_ARGS):
        return False
    if _ARGS[kind] is None:
        return _LEAST[kind] <= len(args) <= ARGS_MOST
    return len(args) == _ARGS[kind]


def check(state, kind, args):
    """Whether a command is allowed now.

    Returns: (YES, ""), (NO, reason) or (ASK, question); an ASK is a YES once the players have answered.
    """
    try:
        if not ADVANCE <= kind < len(_ARGS):
            raise RuleError("no such command", kind)
        if not well_formed(kind, args):
            raise RuleError("wrong number of arguments", len(args))
        if state.data[O_OVER] and kind != CONFIRM:
            raise RuleError("the game is over")
        question = _question(state, kind, args)
    except RuleError as error:
        return NO, error.words()
    return (YES, "") if question is None else (ASK, state.scenario.pack.text(question))


def _in_range(value, count, what):
    if not 0 <= value < count:
        raise RuleError("no such " + what, value)


def _check_advance(state):
    if state.top() is not None:
        raise RuleError("something must be decided first")
    for action in engine.allowed(state):
        if engine.edited_counter(state, action) is None:
            raise RuleError("this step waits for a choice")


def _check_choose(state, args):
    first, count = engine.offered(state)
    if not first <= args[0] < first + count:
        raise RuleError("not offered now", args[0])
    label = state.scenario.pack.text(state.scenario.pack.record(ACTION, args[0])[0])
    if engine.edited_counter(state, args[0]) is not None:
        raise RuleError("adjust the counter instead", label)
    if engine.used_ability(state, args[0]) is not None:
        raise RuleError("use the ability instead", label)
    if not engine.is_choice(state, args[0]):
        raise RuleError("begin an attack, or pick something, instead", label)
    question = engine.action_question(state, args[0])
    if question is None:
        raise RuleError("not allowed now", label)
    return None if question == NONE else question


def _check_enter(state, args):
    waiting = engine.open_check(state)
    if waiting is None or not args or args[0] != waiting:
        raise RuleError("no dice are asked for now")
    faces = args[1:]
    for i, face in enumerate(faces):
        record = engine.die(state, waiting, i)
        if record is None:
            raise RuleError("too many dice", len(faces))
        if not 1 <= face <= record[1]:
            raise RuleError("the die has no such face", face)
    if engine.die(state, waiting, len(faces)) is not None:
        raise RuleError("too few dice", len(faces))


def _check_tick(state, args):
    _in_range(args[0], state.scenario.step(state.data[O_STEP])[10], "line")
    if not 0 <= args[1] <= 1:
        raise RuleError("a tick is 0 or 1", args[1])


def _check_salt(state, args):
    if not state.rng.unused():
        raise RuleError("salt only before the first shuffle")
    for number in args:
        if not -32768 <= number <= 65535:  # 16 bits, with or without a sign
            raise RuleError("salt must have 16 bits", number)


def _check_adjust(state, args):
    _in_range(args[0], state.scenario.counters, "counter")
    record = state.scenario.counter(args[0])
    if not record[2] <= args[1] <= record[3]:
        raise RuleError("must be %d..%d" % (record[2], record[3]), args[1])


def _check_deck(state, args):
    _in_range(args[0], state.scenario.decks, "deck")


def _check_move(state, args):
    deck, source, position, target, place = args
    _check_deck(state, args)
    _in_range(source, state.zones(deck), "zone")
    _in_range(target, state.zones(deck), "zone")
    _in_range(place, 3, "place")
    _in_range(position, state.zone_count(deck, source), "card")


def _check_roll(state, args):
    if engine.open_check(state) is None or args[0] != engine.open_check(state):
        raise RuleError("no dice are asked for now")


def _check_side(state, args):
    _in_range(args[0], state.scenario.sides, "side")


def _check_attack(state, kind, args):
    if not state.scenario.weapons:
        raise RuleError("no weapons in this game")
    from tableside.core import attack_commands

    attack_commands.check(state.attack, kind, args)


def _check_throw(state, args):
    question = engine.asked(state)
    if question is None:
        _check_attack(state, THROW, args)
    elif not question.die:
        raise RuleError("no dice are asked for now")


def _abilities(state):
    """The abilities of a state. Raises RuleError where there are none."""
    if state.abilities is None:
        raise RuleError("no abilities in this game")
    return state.abilities


def _check_lapse(state, args):
    _in_range(args[0], len(_abilities(state).in_force()), "ability in force")


def _check_answer(state, args):
    question = engine.asked(state)
    if question is not None:
        from tableside.core.code import BY_HAND

        if args[0] >= BY_HAND:
            _in_range(args[0] - BY_HAND, len(state.code.fixes()), "correction")
        else:
            _in_range(args[0], len(question.options), "answer")
        return
    from tableside.core import guide

    guide.check(state, args[0])


def _check_build(state, args):
    from tableside.core import builder

    return builder.check(state, args[0], args[1], list(args[2:]))


def _check_pick(state, args):
    from tableside.core import picks

    question = (picks.check_card if len(args) == 4 else picks.check_unit)(state, args)
    return None if question == NONE else question


def _check_confirm(state, args):
    _check_side(state, args)
    if not state.data[O_OVER]:
        raise RuleError("the game is not over")
    if state.confirmed(args[0]):
        raise RuleError("confirmed already", state.scenario.side_name(args[0]))


def _question(state, kind, args):
    """The string number of what must be asked before a command, or None. Raises RuleError if it is not allowed."""
    if kind == ADVANCE:
        return _check_advance(state)
    if kind == CHOOSE:
        return _check_choose(state, args)
    if kind == ENTER:
        return _check_enter(state, args)
    if kind == TICK:
        return _check_tick(state, args)
    if kind == SALT:
        return _check_salt(state, args)
    if kind == ROLL:
        return _check_roll(state, args)
    if kind == CONFIRM:
        return _check_confirm(state, args)
    if kind == THROW:
        return _check_throw(state, args)
    if ATTACK <= kind <= DROP:
        return _check_attack(state, kind, args)
    if kind in (PICK, ASSIGN):
        return _check_pick(state, args)
    if kind == ANSWER:
        return _check_answer(state, args)
    if kind == BUILD:
        return _check_build(state, args)
    if kind == USE:
        return _abilities(state).check(state, args[0], args[1], args[2])
    if kind == LAPSE:
        return _check_lapse(state, args)
    return _check_by_hand(state, kind, args)


def _check_by_hand(state, kind, args):
    if kind == ADJUST:
        _check_adjust(state, args)
    elif kind == JUMP:
        _in_range(args[0], state.scenario.steps, "step")
        _in_range(args[1], 256, "round")
    elif kind == MOVE:
        _check_move(state, args)
    elif kind == DRAW:
        _check_deck(state, args)
        _in_range(args[1], state.zones(args[0]) - 1, "zone")
    elif kind == SHUFFLE:
        _check_deck(state, args)
    elif kind == END:
        if args[0] != NOBODY:
            _in_range(args[0], state.scenario.results, "result")
    elif kind == FIELD:
        return state.roster.check_field(args[0], args[1], args[2:])
    elif kind == UNIT:
        return state.roster.check_set(args[0], args[1], args[2])
    elif kind == REMOVE:
        state.roster.check_used(args[0])
    else:  # CONCEDE
        _check_side(state, args)
    return None


def push(state, kind, args):
    """Do a command that `check` allowed, and all that follows from it."""
    _push(state, kind, args)
    engine.run(state)
    if engine.end_at_once(state):
        engine.run(state)


def _push(state, kind, args):
    if kind == ADVANCE:
        engine.advance(state)
    elif kind == CHOOSE:
        engine.choose(state, args[0])
    elif kind == ENTER:
        engine.enter_dice(state, args[0], args[1:])
    elif kind == TICK:
        at = O_TICKS + (args[0] >> 3)
        bit = 1 << (args[0] & 7)
        state.data[at] = state.data[at] | bit if args[1] else state.data[at] & ~bit
    elif kind == SALT:
        state.set_salt(args[0], args[1])
    elif kind == ROLL:
        engine.enter_dice(state, args[0], engine.roll(state, args[0]))
    elif kind == CONFIRM:
        state.confirm(args[0])
    elif kind in (ANSWER, THROW) and engine.asked(state) is not None:
        _answer_code(state, kind, args)
    elif ATTACK <= kind <= DROP:
        _push_attack(state, kind, args)
    elif kind in (PICK, ASSIGN):
        from tableside.core import picks

        (picks.pick_card if len(args) == 4 else picks.pick_unit)(state, args)
    elif kind == ANSWER:
        from tableside.core import guide

        guide.answer(state, args[0])
    elif kind == BUILD:
        from tableside.core import builder

        builder.build(state, args[0], args[1], list(args[2:]))
    elif kind == USE:
        state.abilities.use(state, args[0], args[1])
    elif kind == LAPSE:
        state.abilities.end(args[0])
    else:
        _push_by_hand(state, kind, args)


def _push_by_hand(state, kind, args):
    if kind == ADJUST:
        state.set_counter(args[0], args[1])
    elif kind == JUMP:
        state.data[O_ROUND] = args[1]
        engine.go_to(state, args[0])
    elif kind == MOVE:
        decks.move(state, args[0], args[1], args[2], args[3], args[4])
    elif kind == DRAW:
        decks.draw(state, args[0], args[1])
    elif kind == SHUFFLE:
        decks.shuffle_all(state, args[0])
    elif kind == END:
        engine.finish(state, args[0], ABANDONED if args[0] == NOBODY else ENDED)
    elif kind == CONCEDE:
        engine.finish(state, NOBODY, CONCEDED + args[0])
    elif kind == FIELD:
        state.roster.field(args[0], args[1], args[2:])
    elif kind == UNIT:
        state.roster.set(args[0], args[1], args[2])
    else:  # REMOVE
        state.roster.remove(args[0])
        if state.in_attack():
            state.attack.left(args[0])
        if state.abilities is not None:
            state.abilities.left(args[0])


def _answer_code(state, kind, args):
    """Answer what the code of the pack asks, by hand or with a roll of the device."""
    if kind == THROW:
        state.revealed = True
        state.code.answer(state.rng.below(len(engine.asked(state).options)))
    else:
        state.code.answer(args[0])


def _push_attack(state, kind, args):
    from tableside.core import attack_commands

    frame = state.top()
    if kind == THROW:
        state.revealed = True
    attack_commands.push(state.attack, kind, args, frame is not None and frame[0] == engine.ATTACK_FRAME)
    if kind == APPLY:
        engine.after_attack(state)
