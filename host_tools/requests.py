"""Requests: an attack or a roll as JSON, and the numbers that its resolver takes.

All follows from the tables of the resolver (`tableside.core.stages`): keys are field names, dice are written "2D6+1", a
number that a die must reach "3+", weapon abilities as keywords such as "SUSTAINED HITS 2" or "ANTI-INFANTRY 4+".
"""

import re
from types import ModuleType
from typing import Any

from host_tools.errors import CommandError
from tableside import rules
from tableside.core import stages

SYSTEMS = tuple(name for name in rules.RESOLVERS if name)
Field = tuple[str, int, int, int]
_DICE = re.compile(r"(?:(\d*)D(\d+))?([+-]?\d+)?")
_ABILITY = re.compile(r"(.*?)[ ]*(\d+)?[+\"]?")
_DICE_PARTS = ("_dice", "_sides", "_plus")


def resolver(system: str) -> ModuleType:
    """The resolver module of a rule system. Raises CommandError if there is none of this name."""
    if system not in SYSTEMS:
        raise CommandError(f"no rules {system!r}: there are {', '.join(SYSTEMS)}")
    return rules.resolver(rules.RESOLVERS.index(system))


def keywords(system: str) -> tuple[str, ...]:
    """The keywords of targets that a rule system knows; none of one that is not there."""
    return resolver(system).KEYWORDS if system in SYSTEMS else ()


def profile(system: str, weapon: dict[str, Any]) -> list[int]:
    """The numbers of a weapon. Raises CommandError naming the key that is wrong."""
    return _numbers(resolver(system), "PROFILE", weapon, "weapon")


def to_numbers(system: str, request: dict[str, Any]) -> list[int]:
    """All numbers of a request, its chain begun. Raises CommandError or StageError that name what is wrong."""
    module = resolver(system)
    if not isinstance(request, dict):
        raise CommandError("request: must be an object")
    for key in request:
        if key not in ("weapon", "target", "modifiers", "entries"):
            raise CommandError(f"{key}: unknown key; there are weapon, target, modifiers, entries")
    target = dict(_object(request, "target"))
    groups = target.pop("groups", [])
    if not isinstance(groups, list):
        raise CommandError("target.groups: must be a list")
    v = _numbers(module, "PROFILE", _object(request, "weapon"), "weapon")
    v += _numbers(module, "MODIFIERS", _object(request, "modifiers"), "modifiers")
    v += _numbers(module, "TARGET", target, "target")
    v.append(len(groups))
    for i, group in enumerate(groups):
        if not isinstance(group, dict):
            raise CommandError(f"target.groups[{i}]: must be an object")
        v += _numbers(module, "GROUP", group, f"target.groups[{i}]")
    stages.begin(module, v)
    return v


def _object(request: dict[str, Any], key: str) -> dict[str, Any]:
    value = request.get(key, {})
    if not isinstance(value, dict):
        raise CommandError(f"{key}: must be an object")
    return value


def dice_fields(fields: tuple[Field, ...]) -> list[str]:
    """The names X of dice that are three fields, X_dice, X_sides and X_plus."""
    names = {field[0] for field in fields}
    found = [name.removesuffix("_dice") for name, *_ in fields if name.endswith("_dice")]
    return [name for name in found if {name + part for part in _DICE_PARTS} <= names]


def _numbers(module: ModuleType, table: str, given: dict[str, Any], where: str) -> list[int]:
    fields: tuple[Field, ...] = getattr(module, table)
    values = {name: default for name, _, _, default in fields}
    rolls = dice_fields(fields)
    for key, value in given.items():
        place = f"{where}.{key}"
        if key == "keywords" and isinstance(value, list):
            if table == "PROFILE":
                for word in value:
                    values.update(_ability(module, values, word, place))
            elif "keywords" in values:
                values["keywords"] = sum(1 << i for i, name in enumerate(module.KEYWORDS) if name in map(_upper, value))
        elif key in rolls:
            values.update(zip((key + part for part in _DICE_PARTS), _roll(value, place), strict=True))
        elif isinstance(value, list) and key + "_1" in values:
            values.update(_list(module, values, key, value, place))
        elif key in values:
            values[key] = _number(module, key, value, place)
        elif not (key == "name" and isinstance(value, str)) and not (key == "keywords" and value == []):
            known = [name for name in values if not name.endswith(_DICE_PARTS)] + rolls
            raise CommandError(f"{place}: unknown key; there are {', '.join(sorted(known)) or 'none'}")
    for name, low, high, _ in fields:
        if not low <= values[name] <= high:
            raise CommandError(f"{where}.{name}: must be {low}..{high}, got {values[name]}")
    return [values[field[0]] for field in fields]


def _upper(word: Any) -> str:
    return str(word).upper()


def _number(module: ModuleType, name: str, value: Any, place: str) -> int:
    names = module.CHOICES.get(name)
    if names and isinstance(value, str):
        if value not in names:
            raise CommandError(f"{place}: must be one of {', '.join(names)}, got {value!r}")
        return int(names.index(value))
    if value is True or value is False or value is None:
        return int(bool(value))
    if isinstance(value, str) and re.fullmatch(r"[+-]?\d+\+?", value):
        value = int(value.rstrip("+"))
    if value in ("-", "N/A"):
        return 0
    if not isinstance(value, int):
        raise CommandError(f"{place}: must be a whole number, got {value!r}")
    return value


def _roll(value: Any, place: str) -> tuple[int, int, int]:
    """Number of dice, sides and what is added, of 3, "D6" or "2D6+1"."""
    if isinstance(value, int) and not isinstance(value, bool):
        return 0, 6, value
    match = _DICE.fullmatch(value.upper().replace(" ", "")) if isinstance(value, str) and value else None
    if match is None:
        raise CommandError(f"{place}: must be a number or dice such as \"2D6+1\", got {value!r}")
    count, sides, plus = match.groups()
    return int(count or 1) if sides else 0, int(sides or 6), int(plus or 0)


def _list(module: ModuleType, values: dict[str, int], key: str, items: list[Any], place: str) -> dict[str, int]:
    """The fields X_1, X_2 ... of a list."""
    found = {}
    for i, item in enumerate(items, 1):
        if f"{key}_{i}" not in values:
            raise CommandError(f"{place}: at most {i - 1} of them")
        found[f"{key}_{i}"] = _number(module, key, item, f"{place}[{i - 1}]")
    return found


def _ability(module: ModuleType, values: dict[str, int], word: Any, place: str) -> dict[str, int]:
    """The fields that a weapon's ability sets, such as "MELTA 2", "TWIN-LINKED" or "ANTI-INFANTRY 4+"."""
    match = _ABILITY.fullmatch(word.strip()) if isinstance(word, str) else None
    if match is not None:
        name = match[1].upper().replace("-", " ")
        number = int(match[2] or 1)
        if name.startswith("ANTI ") and "anti" in values:
            against = name.removeprefix("ANTI ")
            if against in module.KEYWORDS:
                return {"anti": number, "anti_keyword": module.KEYWORDS.index(against)}
        field = name.lower().replace(" ", "_")
        if field in values:
            return {field: number}
    raise CommandError(f"{place}: unknown keyword {word!r}")
