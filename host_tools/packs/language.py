"""The two small languages of a game.toml: conditions and effect lines."""

import re

from host_tools.packs.binder import Binder
from tableside.core import conditions as codes
from tableside.core import deck as decks
from tableside.core import engine, pack

_COMPARISONS = {"==": codes.EQ, "!=": codes.NE, "<": codes.LT, "<=": codes.LE, ">": codes.GT, ">=": codes.GE}
_PLACES = {"bottom": decks.END, "end": decks.END, "top": decks.TOP, "random": decks.RANDOM}
_OPERANDS = {"round": codes.ROUND_NUMBER, "value": codes.VALUE, "card": codes.CARD_IN_FOCUS}
_CHANGES = {"set": engine.SET, "add": engine.ADD, "sub": engine.SUB}
_OPENS = {"check": engine.CHECK_DICE, "window": engine.OPEN_WINDOW, "resolve": engine.RESOLVE}

Effect = tuple[int, int, int, int, int, int]  # op, a, b, c, operand source, operand value


def operand(binder: Binder, text: str, where: str) -> tuple[int, int]:
    """(source, value) of a number, a counter, `round`, `value`, `card`, DECK.ZONE, alive.SIDE or models.SIDE."""
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


def effects(binder: Binder, lines: list[str], where: str) -> tuple[int, int]:
    """A run of EFFECT records for lines such as "add pool 1 if round >= 2"."""
    rows = []
    for i, line in enumerate(lines):
        place = f"{where}.effects[{i}]"
        body, _, guard = line.partition(" if ")
        words = body.split()
        row = _effect(binder, words, place) if words else None
        if row is None:
            binder.fault(place, f"unknown effect {line!r}")
            continue
        rows.append((*row, *conditions(binder, guard, place)))
    return binder.writer.run(pack.EFFECT, rows)


def _effect(binder: Binder, words: list[str], where: str) -> Effect | None:
    """The fields of an effect without its condition, or None if the words are no effect."""
    op, args = words[0], words[1:]
    count = len(args)
    if op in ("draw", "draw-to", "shuffle", "move"):
        return _deck_effect(binder, op, args, where)
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
    if op == "actor" and count == 1:
        return engine.SET_ACTOR, binder.find("side", args[0], where), 0, 0, 0, 0
    if op == "go" and count == 1:
        return engine.GO_TO, binder.find("step", args[0], where), 0, 0, 0, 0
    if op == "advance" and count == 0:
        return engine.ADVANCE, 0, 0, 0, 0, 0
    if op == "end" and count in (0, 1):
        return engine.END, binder.find("result", args[0], where) if count else pack.NOBODY, 0, 0, 0, 0
    if op == "call" and count in (1, 2):
        number = operand(binder, args[1] if count == 2 else "0", where)
        return engine.CALL, _entry(binder, args[0], where), 0, 0, *number
    return None


def _entry(binder: Binder, name: str, where: str) -> int:
    """The number of an entry of the pack's code."""
    if name in binder.calls:
        return binder.calls.index(name)
    known = ", ".join(binder.calls) or "nothing: a scenario needs code_bytes for that"
    binder.fault(where, f"no {name!r} to call: the code has {known}")
    return 0


def _deck_effect(binder: Binder, op: str, args: list[str], where: str) -> Effect | None:
    """draw DECK ZONE [COUNT], draw-to DECK ZONE [COUNT], shuffle DECK or move DECK FROM TO [COUNT] [PLACE]."""
    count = len(args)
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
