"""What a compiled pack holds, for people and for machines."""

import io
import re
import struct
from typing import Any

from tableside.core import campaign, conditions, roster
from tableside.core import pack as records
from tableside.core.builder import Builder
from tableside.core.errors import PackError, RuleError
from tableside.core.pack import NOBODY, Pack, Scenario
from tableside.rules import RESOLVERS, resolver

SECTIONS = ("meta", "scenario", "side", "counter", "deck", "zone", "card", "step", "action", "effect", "condition",
            "window", "check", "die", "modifier", "outcome", "table", "row", "result", "reminder", "line", "unit",
            "flag", "weapon", "arm", "campaign", "mission", "link", "keep", "ending", "guide", "guide line", "builder",
            "sum", "group", "option", "cost", "setting", "change", "pick", "example", "ability", "moment", "bonus",
            "module", "code", "word", "figures", "figure", "track", "start")
_KINDS = ("removed", "discard", "slot", "hand", "draw")
_SCOPES = ("round", "session", "campaign")
_RESULTS = ("draw", "win", "loss")
_COUNTS = {conditions.UNITS_ALIVE: "alive", conditions.MODELS_ALIVE: "models",
           conditions.UNITS_OUT: "out", conditions.MODELS_OUT: "slain"}  # of a side
NUMBERS = tuple(word.replace(" ", "_") for word in roster.WORDS[roster.MODELS :])  # of a unit, in order


def describe(data: bytes) -> dict[str, Any]:
    """Everything worth knowing of a compiled pack. Raises PackError if it is damaged."""
    try:
        return _describe(Pack(io.BytesIO(data)), data)
    except (struct.error, IndexError, RuleError, UnicodeDecodeError) as error:  # a right checksum over wrong contents
        raise PackError("pack contents wrong", error) from None


def _describe(pack: Pack, data: bytes) -> dict[str, Any]:
    _, title, version, first, notes = pack.record(records.META, 0)
    return {
        "id": pack.id,
        "title": pack.text(title),
        "version": pack.text(version),
        "hash": pack.hash.hex(),
        "languages": [pack.language(i) for i in range(pack.languages)],
        "notes": [pack.text(pack.record(records.LINE, first + i)[0]) for i in range(notes)],
        "sections": _section_bytes(pack, data),
        "scenarios": [_scenario(Scenario(pack, i)) for i in range(pack.count(records.SCENARIO))],
        "campaigns": [_campaign(pack, i) for i in range(pack.count(records.CAMPAIGN))],
    }


def _campaign(pack: Pack, i: int) -> dict[str, Any]:
    missions = [Scenario(pack, number) for number in campaign.missions(pack, i)]
    carried = {name for s in range(pack.count(records.SCENARIO))
               for name, kind, _ in campaign.keeps(Scenario(pack, s)) if kind != campaign.UNIT}
    return {"id": pack.text(pack.record(records.CAMPAIGN, i)[0]),
            "title": pack.text(pack.record(records.CAMPAIGN, i)[1]), "missions": [s.id() for s in missions],
            "carried": sorted(carried), "start": campaign.first_values(pack, i)}


def _section_bytes(pack: Pack, data: bytes) -> dict[str, int]:
    names = [*SECTIONS[: pack.sections], *(f"text {pack.language(i)}" for i in range(pack.languages))]
    starts = [struct.unpack_from("<I", data, records.HEADER_BYTES + 6 * i)[0] for i in range(len(names))]
    return {name: end - start for name, start, end in zip(names, starts, [*starts[1:], len(data)], strict=True)}


def _scenario(s: Scenario) -> dict[str, Any]:
    return {
        "id": s.id(),
        "title": s.title(),
        "sides": [s.side_name(i) for i in range(s.sides)],
        "counters": [_counter(s, i) for i in range(s.counters)],
        "decks": [_deck(s, i) for i in range(s.decks)],
        "steps": [_step(s, i) for i in range(s.steps)],
        "results": [{"title": readable(s, title), "kind": _RESULTS[kind & 3], "at_once": kind > 3}
                    for title, _, kind in (s.result(i)[:3] for i in range(s.results))],
        "reminders": s.reminders,
        "units": [_unit(s, i) for i in range(s.units)],
        "weapons": [_weapon(s, i) for i in range(s.weapons)],
        "flags": [s.pack.text(s.flag(i)[0]) for i in range(s.flags)],
        "tracks": [s.pack.text(s.track(i)[0]) for i in range(s.tracks)],
        "guides": [readable(s, s.guide(i)[0]) for i in range(s.guides)],
        "builders": [_builder(s, i) for i in range(s.builders)],
        "abilities": [_ability(s, i) for i in range(s.abilities)],
        "bonuses": s.bonuses,
        "roster": s.slots,
    }


def _counter(s: Scenario, i: int) -> dict[str, Any]:
    name, _, low, high, start, scope, owner, _, _, _ = s.counter(i)
    return {"name": s.pack.text(name), "low": low, "high": high, "start": start, "scope": _SCOPES[scope],
            "owner": s.side_name(owner) if owner != NOBODY else None}


def _deck(s: Scenario, i: int) -> dict[str, Any]:
    name, zone, zones, _, kinds, cards, _ = s.deck(i)
    found = [s.zone(n) for n in range(zone, zone + zones)]
    return {"name": s.pack.text(name), "kinds": kinds, "cards": cards,
            "zones": [{"name": s.pack.text(z[0]), "kind": _KINDS[z[1]]} for z in found]}


def _step(s: Scenario, i: int) -> dict[str, Any]:
    phase, title, _, _, _, first, actions, _, _, _, _, actor, low, high, _ = s.step(i)
    labels = [s.pack.record(records.ACTION, n)[0] for n in range(first, first + actions)]
    return {"phase": readable(s, phase), "title": readable(s, title), "first_round": low, "last_round": high,
            "actor": s.side_name(actor) if actor != NOBODY else None, "actions": [readable(s, n) for n in labels]}


def _unit(s: Scenario, i: int) -> dict[str, Any]:
    name, side, start, *numbers = s.unit(i)[:9]
    words = _keywords(s)
    weapons = [s.pack.text(s.weapon(n)[0]) for n in s.unit_weapons(i)]
    return {"name": s.pack.text(name), "side": s.side_name(side) if side != NOBODY else None, "start": start,
            **dict(zip(NUMBERS, numbers, strict=True)),
            "keywords": [word for bit, word in enumerate(words) if s.unit(i)[9] >> bit & 1], "weapons": weapons}


def _builder(s: Scenario, i: int) -> dict[str, Any]:
    builder = Builder(s, i)
    return {"title": builder.title(), "unit": s.pack.text(s.unit(builder.unit)[0]),
            "options": [builder.label(n) for n in range(builder.options)],
            "examples": [builder.example(n)[0] for n in range(builder.examples)]}


def _ability(s: Scenario, i: int) -> dict[str, Any]:
    name, _, _, side, counter, cost = s.ability(i)[:6]
    return {"name": s.pack.text(name), "side": s.side_name(side) if side != NOBODY else None, "cost": cost,
            "counter": s.pack.text(s.counter(counter)[0]) if counter != NOBODY else None}


def _keywords(s: Scenario) -> tuple[str, ...]:
    """The names of the bits of a unit's keywords: the dice rules of the first weapon that has any."""
    found = (resolver(s.weapon(i)[1]).KEYWORDS for i in range(s.weapons))
    return next((words for words in found if words), ())


def _weapon(s: Scenario, i: int) -> dict[str, Any]:
    name, number, *profile = s.weapon(i)
    module = resolver(number)
    return {"name": s.pack.text(name), "rules": RESOLVERS[number],
            "profile": {field[0]: value for field, value in zip(module.PROFILE, profile, strict=False)}}


def readable(s: Scenario, string: int) -> str:
    """A text with its field codes back in braces."""
    plain = {"\x02": "{card}", "\x03": "{value}", "\x05": "{round}", "\x08": "{unit}"}

    def field(match: re.Match[str]) -> str:
        code, numbers = match[0][0], [ord(char) - 48 for char in match[0][1:]]
        if code == "\x01":
            return "{" + s.pack.text(s.counter(numbers[0])[0]) + "}"
        if code == "\x04":
            return "{row}"
        if code == "\x06":
            return "{" + s.pack.text(s.deck(numbers[0])[0]) + "}"
        if code == "\x07":
            return "{" + _operand(s, *numbers) + "}"
        return plain[code]

    return re.sub("[\x01\x04].|[\x06\x07]..|[\x02\x03\x05\x08]", field, s.pack.text(string), flags=re.DOTALL)


def _operand(s: Scenario, source: int, value: int) -> str:
    """What an operand of two numbers is called."""
    if source == conditions.UNIT_NUMBER:
        return "unit"
    if source == conditions.UNIT_IS:
        return f"is.{s.pack.text(s.unit(value)[0])}"
    if source == conditions.GOT:
        return "got"
    if source == conditions.ABILITY_ACTIVE:
        return f"active.{s.pack.text(s.ability(value)[0])}"
    if source == conditions.ZONE_COUNT:
        return s.pack.text(s.deck(value >> 4)[0]) + ".slots"
    if source in (conditions.KIND_ALIVE, conditions.KIND_MODELS):
        return ("alive." if source == conditions.KIND_ALIVE else "models.") + s.pack.text(s.unit(value)[0])
    return f"{_COUNTS[source]}.{s.side_name(value)}"
