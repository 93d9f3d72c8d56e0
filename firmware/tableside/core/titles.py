"""Titles of commands, for history and undo."""

from tableside.core import commands, engine, roster
from tableside.core.deck import may_look
from tableside.core.errors import RuleError
from tableside.core.fields import card_title, counter_text, expand, track_text, unit_name
from tableside.core.forecast import rolled, thrown, tumbled
from tableside.core.names import ability_title, attack_title
from tableside.core.pack import ACTION, CHECK, LINE, NOBODY
from tableside.core.record import KIND
from tableside.core.stage_words import word
from tableside.core.state import O_STEP


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
    if kind >= commands.ATTACK and state.scenario.weapons:
        return _attack_title(state, kind, args)
    step = scenario.step(state.data[O_STEP])
    if kind == commands.TICK and args[0] < step[10]:
        line = expand(state, pack.text(pack.record(LINE, step[9] + args[0])[0]))
        return line if args[1] else "%s: %s" % (commands.UNTICK, line)
    if kind == commands.ADVANCE:
        return "%s: %s" % (expand(state, pack.text(step[1])), commands.NEXT)
    return commands.NAMES[kind]
