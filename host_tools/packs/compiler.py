"""Compiling a checked game.toml into the binary that `tableside.core.pack` reads."""

import hashlib
import re
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_tools.packs import schema
from host_tools.packs.schema import SECTIONS, PackSourceError
from tableside.core import deck as decks
from tableside.core import engine, pack
from tableside.core.state import DISCARD, DRAW, HAND, REMOVED, SLOT

_KINDS = {"removed": REMOVED, "discard": DISCARD, "slot": SLOT, "hand": HAND, "draw": DRAW}
_LOOKS = {"open": decks.OPEN, "owner": decks.OWNER, "secret": decks.SECRET}
_DEFAULT_LOOK = {"removed": "open", "discard": "open", "slot": "owner", "hand": "owner", "draw": "secret"}
_SCOPES = {"round": engine.ROUND_SCOPE, "session": 1, "campaign": 2}
_COMPARISONS = {"==": engine.EQ, "!=": engine.NE, "<": engine.LT, "<=": engine.LE, ">": engine.GT, ">=": engine.GE}
_PLACES = {"bottom": decks.END, "end": decks.END, "top": decks.TOP, "random": decks.RANDOM}
_RESULT_KINDS = {"draw": 0, "win": 1, "loss": 2}
_BODY_LIMIT = 60000  # bytes of text in one language: offsets have 16 bits


@dataclass
class Names:
    """The source's ids of one scenario, in the order of their local numbers."""

    id: str
    title: str
    sides: list[str] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    decks: list[str] = field(default_factory=list)
    zones: list[list[str]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    checks: dict[int, str] = field(default_factory=dict)  # by record number
    windows: dict[int, str] = field(default_factory=dict)
    actions: dict[int, str] = field(default_factory=dict)


@dataclass
class Compiled:
    """A compiled pack: its bytes and the source's ids, which the device does not need."""

    data: bytes
    scenarios: list[Names]


class _Writer:
    """The sections being filled. Equal runs of records are stored once."""

    def __init__(self, languages: list[tuple[str, dict[str, str]]]):
        self.records: list[bytearray] = [bytearray() for _ in pack.FORMATS]
        self._runs: dict[tuple[int, bytes], int] = {}
        self._languages = languages
        self._strings: dict[tuple[str, ...], int] = {}
        self.string(tuple(code for code, _ in languages))

    def run(self, section: int, rows: Iterable[tuple[Any, ...]]) -> tuple[int, int]:
        """Store a run of records; returns (first, count)."""
        packed = [struct.pack(pack.FORMATS[section], *row) for row in rows]
        data = b"".join(packed)
        if not data:
            return 0, 0
        if (section, data) not in self._runs:
            self._runs[section, data] = len(self.records[section]) // len(packed[0])
            self.records[section] += data
        return self._runs[section, data], len(packed)

    def reserve(self, section: int) -> int:
        """Room for one record that is filled in later; returns its number."""
        size = struct.calcsize(pack.FORMATS[section])
        self.records[section] += bytes(size)
        return len(self.records[section]) // size - 1

    def fill(self, section: int, index: int, row: tuple[Any, ...]) -> None:
        """Fill a reserved record."""
        struct.pack_into(pack.FORMATS[section], self.records[section], index * struct.calcsize(pack.FORMATS[section]),
                         *row)

    def translations(self, text: str) -> list[str]:
        """`text` in every language; where a translation is missing, the text itself."""
        return [table.get(text, text) for _, table in self._languages]

    def string(self, texts: tuple[str, ...]) -> int:
        """The number of a string, given in every language."""
        return self._strings.setdefault(texts, len(self._strings))

    def data(self) -> bytes:
        """The whole file."""
        sections = [(bytes(r), len(r) // struct.calcsize(f)) for r, f in zip(self.records, pack.FORMATS, strict=True)]
        for language in range(len(self._languages)):
            sections.append((self._table(language), len(self._strings)))
        offset = pack.HEADER_BYTES + 6 * len(sections)
        directory = b""
        for data, count in sections:
            directory += struct.pack("<IH", offset, count)
            offset += len(data)
        rest = directory + b"".join(data for data, _ in sections)
        header = struct.pack(pack.HEADER, pack.MAGIC, pack.FORMAT, len(sections), len(self._languages), offset,
                             hashlib.sha256(rest).digest()[:16])
        return header + rest

    def _table(self, language: int) -> bytes:
        offsets, body = [0], b""
        for texts in self._strings:
            body += texts[language].encode()
            offsets.append(len(body))
        if len(body) > _BODY_LIMIT:
            raise OverflowError(f"too much text: {len(body)} bytes, at most {_BODY_LIMIT}")
        return struct.pack(f"<{len(offsets)}H", *offsets) + body


class _ScenarioCompiler:
    """Binds the names of one scenario and writes its records. Faults are collected, not raised."""

    def __init__(self, writer: _Writer, game: schema.Game, index: int, fault: Callable[[str, str], None]):
        self.w = writer
        self.source = game.scenario[index]
        self.ids = [scenario.id for scenario in game.scenario]
        self._fault = fault
        self._root = f"scenario[{index}]"
        self.items: dict[str, list[Any]] = {name: [] for name in SECTIONS}
        self.places: dict[int, str] = {}
        self.names = Names(self.source.id, self.source.title)
        self._merge(game)

    # --- names -------------------------------------------------------------------------------------------------

    def _merge(self, game: schema.Game) -> None:
        parts: list[tuple[str, schema.Part]] = []
        for name in self.source.parts:
            if name in game.part:
                parts.append((f"part.{name}", game.part[name]))
            else:
                self._fault(f"{self._root}.parts", f"no part {name!r}")
        for root, part in [*parts, (self._root, self.source)]:
            for section in SECTIONS:
                seen: set[str] = set()
                for i, item in enumerate(getattr(part, section)):
                    name = getattr(item, "id", None)
                    self.places[id(item)] = f"{root}.{section}.{name}" if name else f"{root}.{section}[{i}]"
                    if name and name in seen:
                        self._fault(self.places[id(item)], "defined twice")
                    seen.add(name or "")
                    self._put(self.items[section], item)
        for section, limit in (("counter", 200), ("deck", 15), ("step", 255), ("side", 14)):
            if len(self.items[section]) > limit:
                self._fault(self._root, f"more than {limit} of {section}")

    @staticmethod
    def _put(items: list[Any], item: Any) -> None:
        name = getattr(item, "id", None)
        for i, other in enumerate(items):
            if name and other.id == name:
                items[i] = item
                return
        items.append(item)

    def find(self, section: str, name: str, where: str) -> int:
        """The local number of a named thing; a fault and 0 if there is none."""
        for i, item in enumerate(self.items[section]):
            if item.id == name:
                return i
        self._fault(where, f"no {section} {name!r}")
        return 0

    def side(self, name: str | None, where: str) -> int:
        return pack.NOBODY if name is None else self.find("side", name, where)

    def zone(self, deck: int, name: str, where: str) -> int:
        if deck < len(self.names.zones) and name in self.names.zones[deck]:
            return self.names.zones[deck].index(name)
        self._fault(where, f"no zone {name!r} in deck {self.names.decks[deck] if self.names.decks else '?'!r}")
        return 0

    # --- text --------------------------------------------------------------------------------------------------

    def text(self, text: str | None, where: str) -> int:
        """A string number; fields in braces become codes that the device fills in."""
        if text is None or text == "":
            return pack.NONE
        return self.w.string(tuple(self._template(t, where) for t in self.w.translations(text)))

    def _template(self, text: str, where: str) -> str:
        def field_code(match: re.Match[str]) -> str:
            name = match[1]
            if name in engine_fields:
                return engine_fields[name]
            if name.startswith("row:"):
                return "\x04" + chr(48 + self._numbers["table"].get(name[4:], self.find("table", name[4:], where)))
            if "." in name:
                deck_name, zone = name.split(".", 1)
                deck = self.find("deck", deck_name, where)
                return "\x06" + chr(48 + deck) + chr(48 + self.zone(deck, zone, where))
            return "\x01" + chr(48 + self.find("counter", name, where))

        engine_fields = {"card": "\x02", "value": "\x03", "round": "\x05"}
        for char in text:
            if ord(char) < 32 and char != "\n":
                self._fault(where, f"control character {char!r} in text")
        return re.sub(r"\{([^{}]*)\}", field_code, text)

    # --- small languages ---------------------------------------------------------------------------------------

    def operand(self, text: str, where: str) -> tuple[int, int]:
        """(source, value) of a number, a counter, `round`, `value`, `card` or DECK.ZONE."""
        if re.fullmatch(r"-?\d+", text):
            number = int(text)
            if not -32768 <= number <= 32767:
                self._fault(where, f"number must be -32768..32767, got {number}")
                number = 0
            return engine.CONST, number
        fixed = {"round": engine.ROUND_NUMBER, "value": engine.VALUE, "card": engine.CARD_IN_FOCUS}
        if text in fixed:
            return fixed[text], 0
        if "." in text:
            deck_name, zone = text.split(".", 1)
            deck = self.find("deck", deck_name, where)
            return engine.ZONE_COUNT, deck * 16 + self.zone(deck, zone, where)
        return engine.COUNTER_VALUE, self.find("counter", text, where)

    def conditions(self, text: str, where: str) -> tuple[int, int]:
        """A run of CONDITION records for "a >= 1 and b == c"."""
        rows = []
        for part in text.split(" and ") if text.strip() else []:
            words = part.split()
            if len(words) != 3 or words[1] not in _COMPARISONS:
                self._fault(where, f"condition must be 'NAME == NAME' (or != < <= > >=), got {part.strip()!r}")
                continue
            rows.append((*self.operand(words[0], where), _COMPARISONS[words[1]], *self.operand(words[2], where)))
        return self.w.run(pack.CONDITION, rows)

    def effects(self, lines: list[str], where: str) -> tuple[int, int]:
        """A run of EFFECT records for lines such as "add pool 1 if round >= 2"."""
        rows = []
        for i, line in enumerate(lines):
            place = f"{where}.effects[{i}]"
            body, _, guard = line.partition(" if ")
            words = body.split()
            row = self._effect(words, place) if words else None
            if row is None:
                self._fault(place, f"unknown effect {line!r}")
                continue
            rows.append((*row, *self.conditions(guard, place)))
        if len(rows) > 255:
            self._fault(where, "more than 255 effects")
            rows = rows[:255]
        return self.w.run(pack.EFFECT, rows)

    def _effect(self, words: list[str], where: str) -> tuple[int, int, int, int, int, int] | None:
        """(op, a, b, c, operand source, operand value), or None if the words are no effect."""
        op, args = words[0], words[1:]
        count = len(args)
        if op in ("draw", "draw-to") and count in (2, 3):
            deck = self.find("deck", args[0], where)
            number = self.operand(args[2] if count == 3 else "1", where)
            code = engine.DRAW if op == "draw" else engine.DRAW_TO
            return code, deck, self.zone(deck, args[1], where), 0, *number
        if op == "shuffle" and count == 1:
            return engine.SHUFFLE, self.find("deck", args[0], where), 0, 0, 0, 0
        if op == "move" and count in (3, 4, 5):
            return self._move(args, where)
        if op in ("set", "add", "sub") and count == 2:
            code = {"set": engine.SET, "add": engine.ADD, "sub": engine.SUB}[op]
            return code, self.find("counter", args[0], where), 0, 0, *self.operand(args[1], where)
        if op == "random" and count == 1:
            return engine.RANDOM, 0, 0, 0, *self.operand(args[0], where)
        numbered = {"check": engine.CHECK_DICE, "window": engine.OPEN_WINDOW, "resolve": engine.RESOLVE}
        if op in numbered and count == 1:
            section = "table" if op == "resolve" else op
            local = self.find(section, args[0], where)
            return numbered[op], 0, 0, 0, engine.CONST, self._numbers[section].get(args[0], local)
        if op == "actor" and count == 1:
            return engine.SET_ACTOR, self.find("side", args[0], where), 0, 0, 0, 0
        if op == "go" and count == 1:
            return engine.GO_TO, self.find("step", args[0], where), 0, 0, 0, 0
        if op == "advance" and count == 0:
            return engine.ADVANCE, 0, 0, 0, 0, 0
        if op == "end" and count in (0, 1):
            return engine.END, self.find("result", args[0], where) if count else pack.NOBODY, 0, 0, 0, 0
        return None

    def _move(self, args: list[str], where: str) -> tuple[int, int, int, int, int, int]:
        """move DECK FROM TO [COUNT] [bottom|top|random]"""
        deck = self.find("deck", args[0], where)
        rest = args[3:]
        place = decks.END
        if rest and rest[-1] in _PLACES:
            place = _PLACES[rest.pop()]
        if len(rest) > 1:
            self._fault(where, f"unknown place {rest[-1]!r}")
        number = self.operand(rest[0], where) if rest else (engine.CONST, 0)
        target = self.zone(deck, args[2], where) | place << 4
        return engine.MOVE, deck, self.zone(deck, args[1], where), target, *number

    # --- records -----------------------------------------------------------------------------------------------

    def compile(self) -> tuple[int, ...]:
        """Write everything and return the fields of the SCENARIO record."""
        items, w = self.items, self.w
        self.names.sides = [s.id for s in items["side"]]
        self.names.counters = [c.id for c in items["counter"]]
        self.names.decks = [d.id for d in items["deck"]]
        self.names.zones = [[z.id for z in self._zones(d)] for d in items["deck"]]
        self.names.steps = [s.id for s in items["step"]]
        self.names.results = [r.id for r in items["result"]]
        sections = {"window": pack.WINDOW, "check": pack.CHECK, "table": pack.TABLE}
        self._numbers = {s: {item.id: w.reserve(sections[s]) for item in items[s]} for s in sections}
        self.names.windows = {n: name for name, n in self._numbers["window"].items()}
        self.names.checks = {n: name for name, n in self._numbers["check"].items()}
        if not items["step"]:
            self._fault(self._root, "no step")
        runs = [
            w.run(pack.SIDE, [(self.text(s.name, self.places[id(s)]), s.kind == "device") for s in items["side"]]),
            w.run(pack.COUNTER, [self._counter(c) for c in items["counter"]]),
            *self._write_decks(),
            w.run(pack.STEP, [self._step(s) for s in items["step"]]),
            w.run(pack.RESULT, [self._result(r) for r in items["result"]]),
            w.run(pack.REMINDER, [self._reminder(r) for r in items["reminder"]]),
        ]
        for item in items["window"]:
            place = self.places[id(item)]
            w.fill(pack.WINDOW, self._numbers["window"][item.id],
                   (self.text(item.title, place), self.text(item.prompt, place), *self._actions(item.action, place)))
        for item in items["check"]:
            w.fill(pack.CHECK, self._numbers["check"][item.id], self._check(item))
        for item in items["table"]:
            w.fill(pack.TABLE, self._numbers["table"][item.id], self._table(item))
        for name in self.source.start:
            self.find("counter", name, f"{self._root}.start")
        head = (w.string((self.source.id,) * len(w.translations(""))), self.text(self.source.title, self._root))
        return (*head, *(number for run in runs for number in run))

    def _lines(self, lines: list[str], where: str) -> tuple[int, int]:
        return self.w.run(pack.LINE, [(self.text(line, where),) for line in lines])

    def _counter(self, c: schema.Counter) -> tuple[Any, ...]:
        place = self.places[id(c)]
        start = self.source.start.get(c.id, c.start)
        if not c.low <= start <= c.high:
            self._fault(f"{self._root}.start.{c.id}", f"must be {c.low}..{c.high}, got {start}")
            start = c.low
        return (self.text(c.name, place), self.text(c.short or c.name[:6], place), c.low, c.high, start,
                _SCOPES[c.scope], self.side(c.owner, f"{place}.owner"), c.pinned, *self._lines(c.names, place))

    @staticmethod
    def _zones(deck: schema.Deck) -> list[schema.Zone]:
        zones = list(deck.zone)
        for name, kind in (("discard", "discard"), ("draw", "draw")):
            if not any(z.kind == kind for z in zones):
                zones.append(schema.Zone(id=name, name=name.capitalize(), kind=kind))  # type: ignore[arg-type]
        return sorted(zones, key=lambda z: _KINDS[z.kind])

    def _write_decks(self) -> list[tuple[int, int]]:
        rows, zone_rows = [], []
        for deck in self.items["deck"]:
            place = self.places[id(deck)]
            zones = self._zones(deck)
            if len(zones) > 15 or len({z.id for z in zones}) < len(zones):
                self._fault(f"{place}.zone", "at most 15 zones, each with its own id")
            if sum(z.kind == "draw" for z in zones) != 1:
                self._fault(f"{place}.zone", "exactly one zone of kind draw")
            cards = self._cards(deck, place)
            first, kinds = self.w.run(pack.CARD, [(self.text(c.title, place), self.text(c.text, place),
                                                   c.copies or deck.copies) for c in cards])
            total = sum(c.copies or deck.copies for c in cards)
            if kinds > 254 or total > 255:
                self._fault(f"{place}.cards", f"must be at most 254 kinds and 255 cards, got {kinds} and {total}")
                total = 0
            policy = decks.RESHUFFLE_WHEN_EMPTY if deck.when_empty == "reshuffle" else 0
            rows.append((self.text(deck.name, place), len(zone_rows), len(zones), first, kinds, total, policy))
            for z in zones:
                where = f"{place}.zone.{z.id}"
                owner = self.side(z.owner, f"{where}.owner")
                look = z.look or _DEFAULT_LOOK[z.kind]
                if look == "owner" and owner == pack.NOBODY:
                    self._fault(where, "needs an owner, or look = 'open' or 'secret'")
                returns = z.kind == "discard" if z.returns is None else z.returns
                zone_rows.append((self.text(z.name, where), _KINDS[z.kind], owner, _LOOKS[look], returns))
        return [self.w.run(pack.DECK, rows), self.w.run(pack.ZONE, zone_rows)]

    def _cards(self, deck: schema.Deck, place: str) -> list[schema.Card]:
        if isinstance(deck.cards, list):
            cards = deck.cards
        else:
            match = re.fullmatch(r"(\d{1,3})-(\d{1,3})", deck.cards)
            numbers = range(int(match[1]), int(match[2]) + 1) if match else ()
            cards = [schema.Card(title=str(n)) for n in numbers]
        if not cards:
            self._fault(f"{place}.cards", f"a deck needs cards: a list, or a range such as '1-13', got {deck.cards!r}")
        return cards

    @staticmethod
    def _round_bounds(text: str) -> tuple[int, int]:
        low, dash, high = text.partition("-")
        return int(low), int(high) if high else 255 if dash else int(low)

    def _step(self, s: schema.Step) -> tuple[Any, ...]:
        place = self.places[id(s)]
        return (self.text(s.phase, place), self.text(s.title, place), self.text(s.prompt, f"{place}.prompt"),
                *self.effects(s.effects, place), *self._actions(s.action, place),
                *self.conditions(s.when, f"{place}.when"), *self._lines(s.checklist, f"{place}.checklist"),
                self.side(s.actor, f"{place}.actor"), *self._round_bounds(s.rounds), engine.AUTO if s.auto else 0)

    def _actions(self, actions: list[schema.Action], place: str) -> tuple[int, int]:
        rows = []
        for action in actions:
            where = f"{place}.action.{action.id}"
            edit = self.find("counter", action.edit, f"{where}.edit") if action.edit else 0
            rows.append((self.text(action.label, where), self.text(action.ask, f"{where}.ask"),
                         *self.conditions(action.when, f"{where}.when"), *self.effects(action.effects, where),
                         1 if action.edit else 0, edit))
        first, count = self.w.run(pack.ACTION, rows)
        for i, action in enumerate(actions):
            self.names.actions[first + i] = action.id
        return first, count

    def _check(self, c: schema.Check) -> tuple[Any, ...]:
        place = self.places[id(c)]
        dice = self.w.run(pack.DIE, [(self.text(d.label, place), d.sides, d.sign) for d in c.die])
        modifiers = self.w.run(pack.MODIFIER, [
            (*self.operand(m.value, f"{place}.modifier[{i}]"), m.sign,
             *self.conditions(m.when, f"{place}.modifier[{i}].when")) for i, m in enumerate(c.modifier)])
        outcomes = self.w.run(pack.OUTCOME, [
            (o.low, o.high, self.text(o.label, place), *self.effects(o.effects, f"{place}.outcome[{i}]"))
            for i, o in enumerate(c.outcome)])
        return (self.text(c.title, place), self.text(c.prompt, place), *dice, *modifiers, *outcomes)

    def _table(self, t: schema.Table) -> tuple[Any, ...]:
        place = self.places[id(t)]
        number = self.find("deck", t.deck, f"{place}.deck")
        titles = [c.title for c in self._cards(self.items["deck"][number], place)] if self.items["deck"] else []
        rows, covered = [], set()
        for i, row in enumerate(t.row):
            where = f"{place}.row[{i}]"
            low, _, high = row.cards.partition("-")
            if low not in titles or (high or low) not in titles:
                self._fault(f"{where}.cards", f"no card {row.cards!r} in deck {t.deck!r}")
                continue
            first, last = titles.index(low), titles.index(high or low)
            covered.update(range(first, last + 1))
            rows.append((first, last, self.text(row.title, where), self.text(row.text, f"{where}.text"),
                         *self.effects(row.effects, where)))
        missing = [title for i, title in enumerate(titles) if i not in covered]
        if missing and rows:
            self._fault(place, f"no row for card {missing[0]!r}")
        return (self.text(t.title, place), number, *self.w.run(pack.ROW, rows))

    def _result(self, r: schema.Result) -> tuple[Any, ...]:
        place = self.places[id(r)]
        following = pack.NOBODY
        if r.next is not None:
            if r.next in self.ids:
                following = self.ids.index(r.next)
            else:
                self._fault(f"{place}.next", f"no scenario {r.next!r}")
        return (self.text(r.title, place), self.text(r.text, place), _RESULT_KINDS[r.kind], following,
                *self.conditions(r.when, f"{place}.when"))

    def _reminder(self, r: schema.Reminder) -> tuple[Any, ...]:
        place = self.places[id(r)]
        return (self.text(r.text, place), self.find("step", r.step, f"{place}.step"), *self._round_bounds(r.rounds),
                *self.conditions(r.when, f"{place}.when"))


def compile_game(game: schema.Game, file: Path) -> Compiled:
    """Compile a checked game.

    Raises: PackSourceError naming `file` and the place of every fault that only shows when names are bound.
    """
    faults: list[tuple[str, str]] = []

    def fault(where: str, message: str) -> None:
        if (where, message) not in faults:
            faults.append((where, message))

    writer = _Writer([(game.pack.language, {}), *game.translation.items()])
    plain = len(game.translation) + 1
    ids = [s.id for s in game.scenario]
    for i, name in enumerate(ids):
        if name in ids[:i]:
            fault(f"scenario[{i}].id", f"{name!r} is defined twice")
    names, rows = [], []
    for index in range(len(game.scenario)):
        scenario = _ScenarioCompiler(writer, game, index, fault)
        rows.append(scenario.compile())
        names.append(scenario.names)
    info = game.pack
    for row in rows:
        writer.run(pack.SCENARIO, [row])
    notes = writer.run(pack.LINE, [(writer.string(tuple(writer.translations(note))),) for note in info.notes])
    writer.run(pack.META, [(writer.string((info.id,) * plain), writer.string(tuple(writer.translations(info.title))),
                            writer.string((info.version,) * plain), *notes)])
    try:
        data = writer.data()
    except OverflowError as error:
        fault("", str(error))
    if faults:
        raise PackSourceError(file, faults)
    return Compiled(data, names)


def compile_file(path: Path) -> Compiled:
    """Read, check and compile a game.toml. Raises PackSourceError, or OSError if it cannot be read."""
    return compile_game(schema.load(path), path)
