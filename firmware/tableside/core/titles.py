"""Texts of a pack with their fields filled in, and titles of commands for history and undo."""

from tableside.core import commands, engine, roster
from tableside.core.conditions import UNIT_NUMBER, operand
from tableside.core.deck import may_look
from tableside.core.engine import roll, row_in_focus, throw
from tableside.core.errors import PackError, RuleError
from tableside.core.pack import ACTION, CARD, CHECK, LINE, NOBODY, TEXT_BYTES, WINDOW
from tableside.core.record import KIND
from tableside.core.stage_words import word
from tableside.core.state import O_ACTOR, O_CARD, O_DECK, O_ROUND, O_STEP, State

# Codes in compiled texts; the characters after a code are numbers, counted from "0".
_COUNTER = "\x01"
CARD_FIELD = "\x02"
_VALUE = "\x03"
ROW_FIELD = "\x04"
_ROUND = "\x05"
_ZONE = "\x06"
_OPERAND = "\x07"  # source, value
_UNIT = "\x08"


def counter_text(state, counter, value):
    """A counter's value as the players read it: a number or its name."""
    return value_text(state.scenario, counter, value)


def value_text(scenario, counter, value):
    """The same without a session."""
    _, _, low, _, _, _, _, _, first, count = scenario.counter(counter)
    if not count:
        return str(value)
    return scenario.pack.text(scenario.pack.record(LINE, first + value - low)[0])


def card_title(state, deck, card):
    """The title of a card of a deck."""
    pack = state.scenario.pack
    return pack.text(pack.record(CARD, state.scenario.deck(deck)[3] + card)[0])


def expand(state, text, rows=True):
    """Fill in the fields of a pack's text from the state. Raises PackError for fields that cannot be filled in.

    Args: rows: whether rows of tables may be among them; in the text of a row they may not.
    """
    try:
        return _expand(state, text, rows)
    except IndexError:
        raise PackError("text cut short in a field", len(text)) from None


def _expand(state, text, rows):
    out = ""
    i = 0
    while i < len(text):
        char = text[i]
        i += 1
        if char == CARD_FIELD:
            card = state.data[O_CARD]
            out += "-" if card == NOBODY else card_title(state, state.data[O_DECK], card)
        elif char == _VALUE:
            out += str(state.value())
        elif char == _UNIT:
            slot = state.unit()
            out += unit_name(state, slot) if state.roster.used(slot) else "-"
        elif char == _ROUND:
            out += str(state.data[O_ROUND])
        elif char in (_COUNTER, ROW_FIELD):
            number = ord(text[i]) - 48
            i += 1
            if char == _COUNTER:
                out += counter_text(state, number, state.counter(number))
            elif rows:
                out += _row(state, number)
            else:
                raise PackError("row within a row", number)
        elif char == _ZONE:
            out += str(state.zone_count(ord(text[i]) - 48, ord(text[i + 1]) - 48))
            i += 2
        elif char == _OPERAND:
            out += _operand_text(state, ord(text[i]) - 48, ord(text[i + 1]) - 48)
            i += 2
        else:
            out += char
        if len(out) > TEXT_BYTES:
            raise PackError("text too long", len(out))
    return out


def _operand_text(state, source, value):
    """A number; a track of the unit that is meant by its name, a flag of it by the flag's name or not at all."""
    number = operand(state, source, value)
    if source == UNIT_NUMBER and value >= roster.TRACK:
        return track_text(state, value - roster.TRACK, number)
    if source == UNIT_NUMBER and roster.FLAG <= value < roster.FLAG + state.scenario.flags:
        return state.scenario.pack.text(state.scenario.flag(value - roster.FLAG)[0]) if number else ""
    return str(number)


def track_text(state, track, value):
    """A value of a unit's track as the players read it: a number or its name."""
    first, count = state.scenario.track(track)[5:]
    pack = state.scenario.pack
    return pack.text(pack.record(LINE, first + value)[0]) if value < count else str(value)


def _row(state, table):
    row = row_in_focus(state, table)
    return "" if row is None else expand(state, state.scenario.pack.text(row[2]), False)


def rolled(state, check):
    """The faces that the device would roll, in this state, for a check."""
    return roll(_copy(state), check)


def thrown(state):
    """The counts that the device would roll, in this state, for the stage that waits."""
    return throw(_copy(state), state.attack.waiting())


def place(state):
    """Where a state is: (round, title of the open window or else the phase, name of the side whose turn it is)."""
    pack = state.scenario.pack
    frame = state.top()
    if frame is not None and frame[0] == engine.WINDOW_FRAME:
        title = expand(state, pack.text(pack.record(WINDOW, frame[2])[0]))
    else:
        title = pack.text(state.scenario.step(state.data[O_STEP])[0])
    return state.data[O_ROUND], title, state.scenario.side_name(state.data[O_ACTOR])


def _copy(state):
    again = State(state.scenario)
    again.data[:] = state.data
    return again


def unit_name(state, slot):
    """The name of a unit on the roster, with its number where the name alone would not tell it from another."""
    kind = state.roster.get(slot, roster.KIND)
    name = ""
    if kind < roster.BY_NUMBERS:
        name = state.roster.given_name(slot) or state.scenario.pack.text(state.scenario.unit(kind)[0])
        others = [i for i in range(state.roster.slots) if i != slot and state.roster.get(i, roster.KIND) == kind]
        if not others:
            return name
    return ("%s #%d" % (name, slot + 1)).strip()


def _unit_title(state, kind, args):
    scenario = state.scenario
    if kind == commands.FIELD:
        by_numbers = args[1] == roster.BY_NUMBERS and len(args) > 3
        name = "%d x %d" % (args[2], args[3]) if by_numbers else scenario.pack.text(scenario.unit(args[1])[0])
        return ("%s + %s" % (scenario.side_name(args[0]), name)).strip()
    name = unit_name(state, args[0])
    if kind == commands.REMOVE:
        return "%s: %s" % (name, commands.NAMES[kind])
    state.roster.bounds(args[0], args[1])  # a log may name anything
    if args[1] >= roster.TRACK:
        track = args[1] - roster.TRACK
        return "%s: %s %s" % (name, scenario.pack.text(scenario.track(track)[0]), track_text(state, track, args[2]))
    if args[1] < roster.FLAG:
        return "%s: %s %d" % (name, roster.WORDS[args[1]], args[2])
    return "%s %s %s" % (name, "+" if args[2] else "-", scenario.pack.text(scenario.flag(args[1] - roster.FLAG)[0]))


def weapon_name(state, weapon):
    """The name of a weapon, as it stands in the arguments of ATTACK; nothing for one by numbers."""
    return "" if weapon < 0 else state.scenario.pack.text(state.scenario.weapon(weapon)[0])


def attack_title(state, weapon, slots):
    """For example "Bolters > Hybrids"; what is not there any more is left out."""
    names = [unit_name(state, slot) for slot in slots if state.roster.used(slot)]
    title = " > ".join([weapon_name(state, weapon) or commands.NAMES[commands.ATTACK]] + names[:1])
    return title + (" +%d" % (len(names) - 1) if len(names) > 1 else "")


def _attack_title(state, kind, args):
    if kind == commands.ATTACK:
        return attack_title(state, args[0], args[3 : 3 + args[2]])
    try:
        stage = state.attack.stage()
    except RuleError:  # none in hand, or a log that says what cannot be
        return commands.NAMES[kind]
    if stage is not None and kind == commands.DECIDE and args[0] < len(stage.options):
        return "%s: %s" % (word(stage.id), word(stage.options[args[0]]))
    if stage is not None and kind in (commands.STAGE, commands.THROW) and stage.bins:
        counts = thrown(state) if kind == commands.THROW and stage.dice else args
        return "%s: %s" % (word(stage.id), " ".join(str(count) for count in counts))
    return commands.NAMES[kind]


def _ability_title(state, kind, args):
    """Whose ability, and on which unit; or that it ended."""
    entries = state.abilities.in_force() if kind == commands.LAPSE else [args[:2]]
    at = args[0] if kind == commands.LAPSE else 0
    if not 0 <= at < len(entries):
        return commands.NAMES[kind]  # a log may name anything
    number, slot = entries[at]
    title = ability_title(state, number, slot)
    if kind == commands.LAPSE:
        return "%s: %s" % (title, commands.NAMES[kind])
    side = state.scenario.side_name(state.scenario.ability(number)[3])
    return "%s: %s" % (side, title) if side else title


def ability_title(state, number, slot):
    """An ability and the unit that it is used on, for example "Stim > Guard #2"."""
    name = state.abilities.name(number)
    return "%s > %s" % (name, unit_name(state, slot)) if state.roster.used(slot) else name


def _answer_title(state, answer):
    from tableside.core import guide

    if guide.place(state) is None:  # a log may say anything
        return commands.NAMES[commands.ANSWER]
    title, text = [expand(state, state.scenario.pack.text(number)) for number in guide.texts(state)]
    asked = guide.place(state)[2] == guide.ASKED
    return "%s: %s %s" % (title, text, ("-", "+", ">")[answer]) if asked else "%s: %s" % (title, text)


def _build_title(state, args):
    from tableside.core.builder import Builder

    if args[1] >= state.scenario.builders:
        return commands.NAMES[commands.BUILD]
    found = Builder(state.scenario, args[1])
    name = found.name(args[2:]) or state.scenario.pack.text(state.scenario.unit(found.unit)[0])
    return ("%s + %s" % (state.scenario.side_name(args[0]), name)).strip()


def record_title(state, record):
    """What a record's command did, in the state before it; of one that is a side's own, only whose and what kind."""
    kind = record.kind & KIND
    if record.owner != NOBODY and kind == commands.PICK:
        return "%s: %s" % (state.scenario.side_name(record.owner), _label(state, record.args[0]))
    if record.owner != NOBODY:
        return "%s: %s" % (state.scenario.side_name(record.owner), commands.NAMES[kind])
    return command_title(state, kind, record.args)


def _asked_title(question, state, kind, args):
    from tableside.core.code import BY_HAND

    option = args[0] if kind == commands.ANSWER else tumbled(state)
    by_hand = option - BY_HAND
    if 0 <= by_hand < len(state.code.fixes()):
        return state.code.fixes()[by_hand]
    if not 0 <= option < len(question.options):
        return commands.NAMES[kind]
    label = question.options[option]
    return "%s: %s" % (question.title, ("%d %s" % (option, label)).strip() if question.die else label)


def tumbled(state):
    """The face that the device would roll, in this state, for the code of the pack."""
    return _copy(state).rng.below(len(engine.asked(state).options))


def _label(state, action):
    return expand(state, state.scenario.pack.text(state.scenario.pack.record(ACTION, action)[0]))


def _picked(state, kind, args):
    from tableside.core import picks

    record = picks.effect(state, args[0])
    what = ""
    if kind == commands.ASSIGN:
        new = record[2] & 15 == picks.NEW
        what = state.scenario.pack.text(state.scenario.unit(args[1])[0]) if new else unit_name(state, args[1])
    elif may_look(state, record[1], args[3], NOBODY):
        what = card_title(state, record[1], state.card(record[1], args[1], args[2]))
    return "%s: %s" % (_label(state, args[0]), what) if what else _label(state, args[0])


def command_title(state, kind, args):
    """What a command did, in a few words."""
    scenario = state.scenario
    pack = scenario.pack
    if not commands.well_formed(kind, args):
        return "? %d" % kind  # from a log of a newer version
    if kind == commands.CHOOSE:
        return _label(state, args[0])
    if kind in (commands.PICK, commands.ASSIGN):
        return _picked(state, kind, args)
    if kind == commands.ENTER:
        return expand(state, pack.text(pack.record(CHECK, args[0])[0])) + " " + " ".join(str(face) for face in args[1:])
    if kind == commands.ROLL:
        faces = " ".join(str(face) for face in rolled(state, args[0]))
        return "%s %s" % (expand(state, pack.text(pack.record(CHECK, args[0])[0])), faces)
    if kind in (commands.CONCEDE, commands.CONFIRM):
        return "%s: %s" % (scenario.side_name(args[0]), commands.NAMES[kind])
    if kind == commands.ADJUST:
        return "%s = %s" % (pack.text(scenario.counter(args[0])[0]), counter_text(state, args[0], args[1]))
    if kind == commands.JUMP:
        return "%s > %s" % (commands.NAMES[kind], expand(state, pack.text(scenario.step(args[0])[1])))
    if kind in (commands.MOVE, commands.DRAW, commands.SHUFFLE):
        return "%s: %s" % (pack.text(scenario.deck(args[0])[0]), commands.NAMES[kind])
    if kind in (commands.FIELD, commands.UNIT, commands.REMOVE):
        return _unit_title(state, kind, args)
    if kind in (commands.ANSWER, commands.THROW) and engine.asked(state) is not None:
        return _asked_title(engine.asked(state), state, kind, args)
    if kind == commands.ANSWER:
        return _answer_title(state, args[0])
    if kind == commands.BUILD:
        return _build_title(state, args)
    if kind in (commands.USE, commands.LAPSE) and state.abilities is not None:
        return _ability_title(state, kind, args)
    if kind >= commands.ATTACK and state.attack is not None:
        return _attack_title(state, kind, args)
    step = scenario.step(state.data[O_STEP])
    if kind == commands.TICK and args[0] < step[10]:
        line = expand(state, pack.text(pack.record(LINE, step[9] + args[0])[0]))
        return line if args[1] else "%s: %s" % (commands.UNTICK, line)
    if kind == commands.ADVANCE:
        return "%s: %s" % (expand(state, pack.text(step[1])), commands.NEXT)
    return commands.NAMES[kind]
