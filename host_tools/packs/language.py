"""The two small languages of a game.toml: conditions and effect lines."""

import re
from collections.abc import Sequence
from contextlib import suppress

from host_tools import requests
from host_tools.errors import CommandError
from host_tools.packs.binder import Binder
from tableside.core import conditions as codes
from tableside.core import deck as decks
from tableside.core import engine, pack, picks, roster, unit_effects

_COMPARISONS = {"==": codes.EQ, "!=": codes.NE, "<": codes.LT, "<=": codes.LE, ">": codes.GT, ">=": codes.GE}
_PLACES = {"bottom": decks.END, "end": decks.END, "top": decks.TOP, "random": decks.RANDOM}
_OPERANDS = {"round": codes.ROUND_NUMBER, "value": codes.VALUE, "card": codes.CARD_IN_FOCUS,
             "turn": codes.TURN_SIDE}
_CHANGES = {"set": engine.SET, "add": engine.ADD, "sub": engine.SUB}
_UNIT_CHANGES = {"set": unit_effects.SET, "add": unit_effects.ADD, "sub": unit_effects.SUB}
_SETTABLE = ("models-left", "wounds-lost")  # of a unit, besides its flags and tracks
_MARKED = {"alive": roster.IN_ACTION, "out": roster.OUT, "hurt": roster.HURT}
_ON_SIDES = {"actor": engine.SET_ACTOR, "recover": engine.RECOVER, "field": engine.FIELD_ALL}
_WHICH = {"in-action": picks.IN_ACTION, "hurt": picks.HURT, "out": picks.OUT, "new": picks.NEW,
          "-": picks.WITHOUT}
_BECOMES = {"wound": picks.WOUND, "heal": picks.HEAL, "slay": picks.SLAY, "remove": picks.REMOVE, "field": picks.FIELD,
            "mean": picks.MEAN}
_OPENS = {"check": engine.CHECK_DICE, "window": engine.OPEN_WINDOW, "resolve": engine.RESOLVE}
PICKS = {"pick": engine.PICKS, "assign": engine.PICKS_UNIT}  # the kinds of actions that begin with these

Effect = tuple[int, int, int, int, int, int]  # op, a, b, c, operand source, operand value


def operand(binder: Binder, text: str, where: str) -> tuple[int, int]:
    """(source, value) of a number, a counter, a side, a unit, `round`, `value`, `card`, `turn` or NAME.NAME."""
    if re.fullmatch(r"-?\d+", text):
        number = int(text)
        if not -32768 <= number <= 32767:
            binder.fault(where, f"number must be -32768..32767, got {number}")
            number = 0
        return codes.CONST, number
    if text in _OPERANDS:
        return _OPERANDS[text], 0
    if "." in text:
        return binder.dotted(text, where)
    for names in (binder.names.sides, binder.names.units):
        if text in names and text not in binder.names.counters:
            return codes.CONST, names.index(text)
    return codes.COUNTER_VALUE, binder.find("counter", text, where)


def conditions(binder: Binder, text: str, where: str) -> tuple[int, int]:
    """A run of CONDITION records for "a >= 1 and b == c"."""
    rows = []
    for part in text.split(" and ") if text.strip() else []:
        words = part.split()
        if len(words) != 3 or words[1] not in _COMPARISONS:
            binder.fault(where, f"condition must be 'NAME == NAME' (or != < <= > >=), got {part.strip()!r}")
            continue
        left = operand(binder, words[0], where)
        rows.append((*left, _COMPARISONS[words[1]], *operand(binder, words[2], where)))
    if len(rows) > 255:
        binder.fault(where, f"must be at most 255 conditions, got {len(rows)}")
        rows = []
    return binder.writer.run(pack.CONDITION, rows)


def effects(binder: Binder, lines: list[str], where: str, only: tuple[int, ...] = (),
            of_action: bool = False, before: Sequence[Effect] = ()) -> tuple[int, int]:
    """A run of EFFECT records for lines such as "add pool 1 if round >= 2".

    Args: only: the ops that work here; before: effects without a condition that come first.
    """
    rows = [(*row, 0, 0) for row in before]
    for i, line in enumerate(lines):
        place = f"{where}.effects[{i}]"
        body, _, guard = line.partition(" if ")
        words = body.split()
        if words and words[0] == "attack":
            guards = conditions(binder, guard, place)
            rows += [(*row, *guards) for row in _attack(binder, words[1:], place)]
            continue
        row = _effect(binder, words, place) if words else None
        if row is None:
            binder.fault(place, f"unknown effect {line!r}")
            continue
        if words[0] in PICKS and (i or not of_action or guard):
            binder.fault(place, f"{words[0]!r} must be the first effect of an action, without a condition")
            continue
        if only and row[0] not in only:
            binder.fault(place, f"{words[0]!r} does not work here: the game is over")
        rows.append((*row, *conditions(binder, guard, place)))
    return binder.writer.run(pack.EFFECT, rows)


def _effect(binder: Binder, words: list[str], where: str) -> Effect | None:
    """The fields of an effect without its condition, or None if the words are no effect."""
    op, args = words[0], words[1:]
    count = len(args)
    if op in ("draw", "draw-to", "shuffle", "move", "pick", "sift"):
        return _deck_effect(binder, op, args, where)
    if op in _CHANGES and count == 2 and "." in args[0]:
        return _unit_effect(binder, op, args, where)
    if op in _CHANGES and count == 2:
        return _CHANGES[op], binder.find("counter", args[0], where), 0, 0, *operand(binder, args[1], where)
    if op == "random" and count == 1:
        source, value = operand(binder, args[0], where)
        if source == codes.CONST and value < 1:
            binder.fault(where, f"random needs 1 or more, got {value}")
        return engine.RANDOM, 0, 0, 0, source, value
    if op in _OPENS and count == 1:
        section = "table" if op == "resolve" else op
        return _OPENS[op], 0, 0, 0, codes.CONST, binder.record(section, args[0], where)
    if op == "turn" and count == 1:
        return engine.BEGIN_TURN, binder.find("side", args[0], where), 0, 0, 0, 0
    if op == "guide" and count == 1:
        return engine.OPEN_GUIDE, 0, 0, 0, codes.CONST, binder.find("guide", args[0], where)
    if op == "assign" and count == 3:
        return _assign(binder, args, where)
    if op == "field" and args and args[0] not in binder.names.sides and count < 3:
        unit = binder.find("unit", args[0], where)
        return unit_effects.FIELD, unit, 0, 0, *operand(binder, args[1] if args[1:] else "1", where)
    if op in _ON_SIDES and count == 1:
        return _ON_SIDES[op], binder.find("side", args[0], where), 0, 0, 0, 0
    if op == "heal" and count == 1:
        return engine.HEAL, binder.find("unit", args[0], where), 0, 0, 0, 0
    if op in ("mark", "unmark"):
        return _mark(binder, op, args, where)
    if op == "go" and count == 1:
        return engine.GO_TO, binder.find("step", args[0], where), 0, 0, 0, 0
    if op == "return" and count == 1:
        return engine.COME_BACK, binder.find("unit", args[0], where), 0, 0, 0, 0
    if op == "advance" and count == 0:
        return engine.ADVANCE, 0, 0, 0, 0, 0
    if op == "end" and count in (0, 1):
        return engine.END, binder.find("result", args[0], where) if count else pack.NOBODY, 0, 0, 0, 0
    if op == "call" and count in (1, 2):
        number = operand(binder, args[1] if count == 2 else "0", where)
        return engine.CALL, _entry(binder, args[0], where), 0, 0, *number
    return None


def _unit_effect(binder: Binder, op: str, args: list[str], where: str) -> Effect:
    """set, add or sub unit.NAME or SIDE.NAME: a flag, a track, models-left or wounds-lost."""
    whose, _, name = args[0].partition(".")
    if name not in (*_SETTABLE, *binder.names.tracks, *binder.names.flags):
        binder.fault(where, f"no track or flag {name!r}")
        name = _SETTABLE[0]
    side = pack.NOBODY if whose == "unit" else binder.find("side", whose, where)
    return _UNIT_CHANGES[op], binder.unit_number(name, where), side, 0, *operand(binder, args[1], where)


def _attack(binder: Binder, args: list[str], where: str) -> list[Effect]:
    """attack WEAPON [NUMBER VALUE]...: numbers are fields of the profile, the modifiers or the target."""
    if len(args) % 2 == 0:
        binder.fault(where, "must be 'attack WEAPON [NUMBER VALUE]...'")
        return []
    weapon = binder.find("weapon", args[0], where)
    names: list[str] = []
    if args[0] in binder.names.weapons:
        with suppress(CommandError):  # it is told where the weapon is
            rules = requests.resolver(binder.items["weapon"][weapon].rules)
            names = [field[0] for field in rules.PROFILE + rules.MODIFIERS + rules.TARGET]
            if rules.GROUP:
                binder.fault(where, "these dice rules need a target: use an action with attack = true")
    found: list[Effect] = [(unit_effects.ATTACK, weapon, 0, 0, 0, 0)]
    for name, value in zip(args[1::2], args[2::2], strict=True):
        if name not in names:
            binder.fault(where, f"{args[0]!r} has no number {name!r}: there are {', '.join(names)}")
        else:
            found.append((unit_effects.AMEND, names.index(name), 0, 0, *operand(binder, value, where)))
    return [*found, (unit_effects.ROLL, 0, 0, 0, 0, 0)]


def payment(binder: Binder, sources: list[str], cost: str, where: str) -> Effect:
    """The effect that takes a price from unit.TRACK, then from a counter; either may be missing."""
    track = [name for name in sources if name.startswith("unit.")]
    counter = [name for name in sources if not name.startswith("unit.")]
    if not sources or len(track) > 1 or len(counter) > 1:
        binder.fault(where, "needs pay = ['unit.TRACK', 'COUNTER'], or one of them")
    what = binder.unit_number(track[0][5:], where) if track else pack.NOBODY
    return (unit_effects.PAY, what, binder.find("counter", counter[0], where) if counter else pack.NOBODY, 0,
            *operand(binder, cost, where))


def _entry(binder: Binder, name: str, where: str) -> int:
    """The number of an entry of the pack's code."""
    if name in binder.calls:
        return binder.calls.index(name)
    known = ", ".join(binder.calls) or "nothing: a scenario needs code_bytes for that"
    binder.fault(where, f"no {name!r} to call: the code has {known}")
    return 0


def _mark(binder: Binder, op: str, args: list[str], where: str) -> Effect | None:
    """mark or unmark FLAG [SIDE] [alive|out|hurt], or FLAG unit."""
    if args[1:] == ["unit"]:
        return engine.MARK_MEANT, binder.find("flag", args[0], where), int(op == "mark"), 0, 0, 0
    rest = args[1:]
    which = _MARKED[rest.pop()] if rest and rest[-1] in _MARKED else roster.ALL
    if not args or len(rest) > 1:
        return None
    side = binder.find("side", rest[0], where) if rest else pack.NOBODY
    return engine.MARK, binder.find("flag", args[0], where), side, which, codes.CONST, int(op == "mark")


def _deck_effect(binder: Binder, op: str, args: list[str], where: str) -> Effect | None:
    """draw and draw-to DECK ZONE [COUNT], shuffle DECK, move DECK FROM TO [COUNT] [PLACE], pick or sift."""
    count = len(args)
    if op == "pick":
        return _pick(binder, args, where) if count in (3, 4) else None
    if op == "sift":
        if count != 4:
            return None
        deck, source = binder.zone(args[0], args[1], where)
        _, target = binder.zone(args[0], args[2], where)
        return engine.SIFT, deck, source, target, codes.CONST, binder.marked(args[0], args[3], where)
    if op == "shuffle" and count == 1:
        return engine.SHUFFLE, binder.find("deck", args[0], where), 0, 0, 0, 0
    if op in ("draw", "draw-to") and count in (2, 3):
        code = engine.DRAW if op == "draw" else engine.DRAW_TO
        number = operand(binder, args[2] if count == 3 else "1", where)
        return code, *binder.zone(args[0], args[1], where), 0, *number
    if op != "move" or count < 3:
        return None
    rest = args[3:]
    place = _PLACES[rest.pop()] if rest and rest[-1] in _PLACES else decks.END
    if len(rest) > 1:
        return None
    number = operand(binder, rest[0], where) if rest else (codes.CONST, 0)
    deck, source = binder.zone(args[0], args[1], where)
    _, target = binder.zone(args[0], args[2], where)
    return engine.MOVE, deck, source, target | place << 4, *number


def _pick(binder: Binder, args: list[str], where: str) -> Effect | None:
    """pick DECK FROM TO [MARK], or pick DECK FROM FIRST..LAST [COUNT]; FROM may be a range, too."""
    deck, source = _span(binder, args[0], args[1], where)
    _, target = _span(binder, args[0], args[2], where)
    if ".." in args[2]:
        number = operand(binder, args[3] if args[3:] else "15", where)
    else:
        number = codes.CONST, binder.marked(args[0], "?" + args[3], where) if args[3:] else -1
    return engine.PICK, deck, source, target, *number


def _span(binder: Binder, deck_name: str, text: str, where: str) -> tuple[int, int]:
    """A deck and the first and the last of "ZONE" or "FIRST..LAST" in one byte."""
    first, _, last = text.partition("..")
    deck, low = binder.zone(deck_name, first, where)
    _, high = binder.zone(deck_name, last or first, where)
    if high < low:
        binder.fault(where, f"{last!r} comes before {first!r}")
    return deck, low | high << 4


def _assign(binder: Binder, args: list[str], where: str) -> Effect | None:
    """assign SIDE WHICH CHANGE; WHICH, and the change "field", may end in +FLAG, or be +FLAG alone."""
    which, _, has = args[1].partition("+")
    if args[1].startswith("-"):
        which, has = "-", args[1][1:]
    change, sign, flag = (args[2].partition("-") if args[2].startswith("-") else args[2].partition("+"))
    if which not in {"", *_WHICH} or (change not in _BECOMES if change else not flag):
        return None
    becomes = _BECOMES[change] if change else picks.SET if sign == "+" else picks.CLEAR
    found = _WHICH.get(which, picks.IN_ACTION)
    if has in binder.names.tracks:
        found, has = picks.WITH_TRACK | (binder.names.tracks.index(has) + 1) << 4, ""
    marked = [binder.find("flag", name, where) + 1 if name else 0 for name in (has, flag)]
    return (engine.PICK_UNIT, binder.find("side", args[0], where), found | marked[0] << 4,
            becomes | marked[1] << 4, 0, 0)
