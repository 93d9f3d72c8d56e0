"""The names of one scenario: its parts merged, ids bound to numbers, texts with fields to strings."""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from host_tools import requests
from host_tools.errors import CommandError
from host_tools.fields import plain
from host_tools.packs import schema
from host_tools.packs.schema import SECTIONS
from host_tools.packs.writer import Fault, Writer
from tableside.core import conditions, pack, roster
from tableside.core.state import DISCARD, DRAW, HAND, REMOVED, SLOT

KINDS = {"removed": REMOVED, "discard": DISCARD, "slot": SLOT, "hand": HAND, "draw": DRAW}
_LIMITS = {"counter": 200, "deck": 15, "step": 255, "side": 14, "result": 254, "unit": 254, "flag": 8,
           "weapon": 200, "guide": 200, "builder": 200, "ability": 254, "bonus": 255, "track": 16}
# Codes in compiled texts; `tableside.core.fields` fills them in.
_FIELDS = {"card": "\x02", "value": "\x03", "round": "\x05", "unit": "\x08"}
_ROSTER = {"alive": conditions.UNITS_ALIVE, "models": conditions.MODELS_ALIVE,  # NAME.SIDE
           "out": conditions.UNITS_OUT, "slain": conditions.MODELS_OUT}
_KINDS = {"alive": conditions.KIND_ALIVE, "models": conditions.KIND_MODELS}  # NAME.UNIT


# What conditions may ask of the unit that is meant, besides its flags.
UNIT_NUMBERS = {
    "strength": roster.STRENGTH,
    "side": roster.SIDE,
    "kind": roster.KIND,
    **{word.replace(" ", "-"): i for i, word in enumerate(roster.WORDS) if word},
}


def _filled(text: str, words: dict[str, str]) -> str:
    """An id or a line of an ability, for one side."""
    for word, name in words.items():
        text = text.replace("{" + word + "}", name)
    return text


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
    units: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    weapons: list[str] = field(default_factory=list)
    guides: list[str] = field(default_factory=list)
    builders: list[str] = field(default_factory=list)
    options: list[list[str]] = field(default_factory=list)  # of each builder
    endings: list[str] = field(default_factory=list)
    tracks: list[str] = field(default_factory=list)
    abilities: list[str] = field(default_factory=list)  # SIDE/ID if more sides than one have it
    checks: dict[int, str] = field(default_factory=dict)  # by record number
    windows: dict[int, str] = field(default_factory=dict)
    actions: dict[int, str] = field(default_factory=dict)


def zones(deck: schema.Deck) -> list[schema.Zone]:
    """A deck's zones in the order of the state, with the discard and the draw zone that every deck has."""
    found = list(deck.zone)
    for name, kind in (("discard", "discard"), ("draw", "draw")):
        if not any(z.kind == kind for z in found):
            found.append(schema.Zone(id=name, name=name.capitalize(), kind=kind))  # type: ignore[arg-type]
    return sorted(found, key=lambda z: KINDS[z.kind])


class Binder:
    """Looks up what the source names. Faults are reported, not raised; a name that is not there is number 0."""

    def __init__(self, writer: Writer, game: schema.Game, index: int, calls: list[str], fault: Fault):
        self.writer = writer
        self.calls = calls if game.scenario[index].code_bytes else []  # what effects may call
        self.fault = fault
        self.source = game.scenario[index]
        self.root = f"scenario[{index}]"
        self.scenarios = [scenario.id for scenario in game.scenario]
        self.items: dict[str, list[Any]] = {section: [] for section in SECTIONS}
        self._places: dict[int, str] = {}
        self._merge(game)
        self.names = self._names()
        records = {"window": pack.WINDOW, "check": pack.CHECK, "table": pack.TABLE}
        self.numbers = {s: {item.id: writer.reserve(records[s]) for item in self.items[s]} for s in records}
        self.names.windows = {n: name for name, n in self.numbers["window"].items()}
        self.names.checks = {n: name for name, n in self.numbers["check"].items()}

    def _merge(self, game: schema.Game) -> None:
        parts: list[tuple[str, schema.Part]] = []
        for name in self.source.parts:
            if name in game.part:
                parts.append((f"part.{name}", game.part[name]))
            else:
                self.fault(f"{self.root}.parts", f"no part {name!r}")
        for root, part in [*parts, (self.root, self.source)]:
            for section in SECTIONS:
                self._merge_section(f"{root}.{section}", self.items[section], getattr(part, section))
        self._expand_abilities()
        for section, limit in _LIMITS.items():
            if len(self.items[section]) > limit:
                self.fault(f"{self.root}.{section}", f"more than {limit} of them")
        for counter in self.items["counter"]:
            if counter.id in _FIELDS:
                self.fault(self.place(counter), f"{counter.id!r} has a meaning of its own: choose another id")
        for deck in self.items["deck"]:
            if any(zone.id == "slots" for zone in deck.zone):
                self.fault(self.place(deck), "'slots' has a meaning of its own: choose another id for the zone")
            if deck.id in {*_ROSTER, "unit", "active", "on", "is", "got"}:
                self.fault(self.place(deck), f"{deck.id!r} has a meaning of its own: choose another id")

    def _merge_section(self, root: str, items: list[Any], added: list[Any]) -> None:
        """Add items; one with the id of an earlier item takes its place."""
        seen: set[str] = set()
        for i, item in enumerate(added):
            name = getattr(item, "id", None)
            self._places[id(item)] = f"{root}.{name}" if name else f"{root}[{i}]"
            if name and name in seen:
                self.fault(self.place(item), "defined twice")
            seen.add(name or "")
            known = [n for n, other in enumerate(items) if name and other.id == name]
            if known:
                items[known[0]] = item
            else:
                items.append(item)
        if root.endswith(".result"):
            items.sort(key=lambda item: not item.at_once)  # so that the device need not look further

    def _expand_abilities(self) -> None:
        """One ability for each side that has it, with the ids of the sides filled in."""
        found = []
        for item in self.items["ability"]:
            for side in item.sides or [""]:
                others = [s.id for s in self.items["side"] if s.id != side]
                words = {"side": side, "other": others[0] if len(others) == 1 else ""}
                copy = item.model_copy(update={
                    "id": f"{side}/{item.id}" if len(item.sides) > 1 else item.id,
                    "sides": [side] if side else [],
                    "pay": item.pay and _filled(item.pay, words),
                    "at": [_filled(text, words) for text in item.at],
                    "when": _filled(item.when, words),
                    "unit": _filled(item.unit, words),
                    "excludes": [_filled(name, words) for name in item.excludes],
                    "effects": [_filled(line, words) for line in item.effects],
                })
                self._places[id(copy)] = self.place(item)
                found.append(copy)
        self.items["ability"] = found

    def ability(self, name: str, side: str, where: str) -> int:
        """The number of an ability: of a side, if more sides than one have it."""
        both = f"{side}/{name}"
        return self.find("ability", both if both in self.names.abilities else name, where)

    def _names(self) -> Names:
        ids = {section: [getattr(item, "id", "") for item in items] for section, items in self.items.items()}
        return Names(self.source.id, self.source.title, sides=ids["side"], counters=ids["counter"], decks=ids["deck"],
                     zones=[[z.id for z in zones(d)] for d in self.items["deck"]], steps=ids["step"],
                     results=ids["result"], units=ids["unit"], flags=ids["flag"],
                     weapons=ids["weapon"], guides=ids["guide"], builders=ids["builder"], abilities=ids["ability"],
                     endings=ids["ending"], tracks=ids["track"],
                     options=[[o.id for g in each.group for o in g.option] for each in self.items["builder"]])

    def place(self, item: Any) -> str:
        """Where an item of a section was defined."""
        return self._places[id(item)]

    def find(self, section: str, name: str, where: str) -> int:
        """The local number of a named thing."""
        for i, item in enumerate(self.items[section]):
            if item.id == name:
                return i
        self.fault(where, f"no {section} {name!r}")
        return 0

    def record(self, section: str, name: str, where: str) -> int:
        """The record number of a window, check or table."""
        if name in self.numbers[section]:
            return self.numbers[section][name]
        return self.find(section, name, where)

    def side(self, name: str | None, where: str) -> int:
        """The number of a side; NOBODY for none."""
        return pack.NOBODY if name is None else self.find("side", name, where)

    def marked(self, deck_name: str, mark: str, where: str) -> int:
        """The number of a table that has the cards of a deck with a mark.

        Args: mark: "!MARK" are all cards without it, but none as long as no card has it, for nobody has said yet which
            do; "?MARK" are those that have it or no mark at all.
        """
        number = self.find("deck", deck_name, where)
        deck = self.items["deck"][number] if self.items["deck"] else None
        cards = list(deck.cards) if deck is not None and isinstance(deck.cards, list) else []
        wanted = mark.lstrip("!?")
        known = any(wanted in card.marks for card in cards)
        if mark.startswith("!"):
            found = [known and wanted not in card.marks for card in cards]
        else:
            found = [wanted in card.marks or mark.startswith("?") and not card.marks for card in cards]
        rows = [(i, i, pack.NONE, pack.NONE, 0, 0) for i, there in enumerate(found) if there]
        table = self.writer.reserve(pack.TABLE)
        self.writer.fill(pack.TABLE, table, (pack.NONE, number, *self.writer.run(pack.ROW, rows)))
        return table

    def dotted(self, name: str, where: str) -> tuple[int, int]:
        """The operand (source, value) of DECK.ZONE, DECK.slots, alive.SIDE (or the like), alive.UNIT, models.UNIT,
        unit.WHAT, is.UNIT, got.OUTCOME, on.ABILITY or active.ABILITY."""
        first, _, second = name.partition(".")
        if first == "unit":
            return conditions.UNIT_NUMBER, self.unit_number(second, where)
        if first == "is":
            return conditions.UNIT_IS, self.find("unit", second, where)
        if first == "got":
            return conditions.GOT, self._outcome(second, where)
        if first == "on":
            return conditions.ABILITY_ON_UNIT, self.find("ability", second, where)
        if first == "active":
            return conditions.ABILITY_ACTIVE, self.find("ability", second, where)
        if first in _KINDS and second not in self.names.sides and second in self.names.units:
            return _KINDS[first], self.names.units.index(second)
        if first in _ROSTER:
            return _ROSTER[first], self.find("side", second, where)
        if second == "slots" and first in self.names.decks:
            return conditions.ZONE_COUNT, self.names.decks.index(first) * 16 + conditions.ALL_SLOTS
        deck, zone = self.zone(first, second, where)
        return conditions.ZONE_COUNT, deck * 16 + zone

    def arms(self, names: list[str], plain: int, most: int, where: str) -> tuple[int, int]:
        """ARM records for "WEAPON" or "WEAPON MODELS". Args: plain: what a name alone stands for; most: models."""
        rows = []
        for i, text in enumerate(names):
            name, _, models = text.partition(" ")
            if models and not (re.fullmatch(r"-?[1-9]\d?", models) and (-99 if plain else 1) <= int(models) <= most):
                self.fault(f"{where}[{i}]",
                           f"must be a weapon, or a weapon and how many of {most} models have it, got {text!r}")
                models = ""
            rows.append((self.find("weapon", name, f"{where}[{i}]"), int(models or plain)))
        return self.writer.run(pack.ARM, rows)

    def _outcome(self, name: str, where: str) -> int:
        """Which number of an outcome has a name, whatever weapon of the scenario it is of."""
        found = set()
        for weapon in self.items["weapon"]:
            with suppress(CommandError):  # it is told where the weapon is
                outcomes = requests.resolver(weapon.rules).OUTCOMES
                found |= {outcomes.index(name)} if name in outcomes else set()
        if len(found) != 1:
            self.fault(where, f"the dice rules here have {'several' if found else 'no'} outcomes {name!r}")
        return min(found, default=0)

    def unit_number(self, name: str, where: str) -> int:
        """What `Roster.value` knows by a name: a number, a track or a flag."""
        if name in UNIT_NUMBERS:
            return UNIT_NUMBERS[name]
        if name in self.names.tracks:
            return roster.TRACK + self.names.tracks.index(name)
        return roster.FLAG + self.find("flag", name, where)

    def zone(self, deck_name: str, name: str, where: str) -> tuple[int, int]:
        """The numbers of a deck and of one of its zones."""
        if deck_name not in self.names.decks:
            return self.find("deck", deck_name, where), 0
        deck = self.names.decks.index(deck_name)
        if name in self.names.zones[deck]:
            return deck, self.names.zones[deck].index(name)
        self.fault(where, f"no zone {name!r} in deck {deck_name!r}")
        return deck, 0

    def keywords(self, words: list[str]) -> int:
        """The bits of those keywords that the dice rules of the scenario's weapons know; armies have many more."""
        rules = self.rules()
        known = rules.KEYWORDS if rules else ()
        given = {plain(word) for word in words}
        return sum(1 << i for i, word in enumerate(known) if plain(word) in given)

    def rules(self) -> ModuleType | None:
        """The dice rules of the units: those of the first weapon whose rules know keywords; None if there is none."""
        return next((requests.resolver(weapon.rules) for weapon in self.items["weapon"]
                     if requests.keywords(weapon.rules)), None)

    def name(self, text: str, where: str) -> int:
        """The string number of a text that the device shows as it is."""
        if set("{}") & set(text):
            self.fault(where, f"fields in braces do not work here, got {text!r}")
        return self.text(text, where)

    def text(self, text: str | None, where: str) -> int:
        """The string number of a text; fields in braces become codes that the device fills in."""
        if not text:
            return pack.NONE
        return self.writer.string(tuple(self._template(t, place) for place, t in self.writer.translate(text, where)))

    def _template(self, text: str, where: str) -> str:
        if set("{}") & set(re.sub(r"\{[^{}]*\}", "", text)):
            self.fault(where, f"a brace without its partner in {text!r}")
        return re.sub(r"\{([^{}]*)\}", lambda match: self._field(match[1], where), text)

    def _field(self, name: str, where: str) -> str:
        if name in _FIELDS:
            return _FIELDS[name]
        if name.startswith("row:"):
            return "\x04" + chr(48 + self.record("table", name[4:], where))
        if "." in name:
            source, value = self.dotted(name, where)
            if source == conditions.ZONE_COUNT and value & 15 != conditions.ALL_SLOTS:
                return "\x06" + chr(48 + (value >> 4)) + chr(48 + (value & 15))
            return "\x07" + chr(48 + source) + chr(48 + value)
        return "\x01" + chr(48 + self.find("counter", name, where))
