"""Requests of `resolve` and `odds`: from JSON to the numbers of a resolver, all of it from the resolver's own tables.

The keys of a request are the names of those tables. Three fields X_dice, X_sides, X_plus are one key X with a dice
notation such as "2D6+1"; fields X_1, X_2 ... are one key X with a list. A weapon's `keywords` set fields by their
names: "SUSTAINED HITS 2" sets sustained_hits to 2, "ANTI-INFANTRY 4+" sets anti and anti_keyword.
"""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from types import ModuleType
from typing import Any, NoReturn

from host_tools.errors import CommandError
from host_tools.fields import NOTATION, Field, keys, known, plain, spellings, without_dice
from host_tools.request_schema import schema_of
from tableside import rules as resolvers
from tableside.core import stages

SYSTEMS = tuple(name for name in resolvers.RESOLVERS if name)
_NUMBER = r"([+-]?\d{1,6})\+?"
_ABILITY = r"(.*?)(?:\s+(\d{1,3})([+\"″])?)?"


class RequestError(CommandError):
    """A request is wrong: `message` at `where`."""

    def __init__(self, where: str, message: str):
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


def resolver(system: str) -> ModuleType:
    """The resolver of a rule system. Raises CommandError naming those that there are."""
    if system not in SYSTEMS:
        raise CommandError(f"no rules {system!r}: there are {', '.join(SYSTEMS)}")
    return resolvers.resolver(resolvers.RESOLVERS.index(system))


def keywords(system: str) -> tuple[str, ...]:
    """The keywords of targets that a rule system knows; none of one that is not there."""
    return resolver(system).KEYWORDS if system in SYSTEMS else ()


def to_numbers(system: str, request: object) -> list[int]:
    """The numbers of a request with the progress of a chain that has begun.

    Raises: RequestError naming the place of what is unknown or out of its bounds; StageError for what cannot be.
    """
    rules = resolver(system)
    parts = _object(request, "request", ("weapon", "modifiers", "target", "entries"))
    reader = _Reader(rules)
    numbers = profile(system, parts.get("weapon", {}))
    numbers += reader.fields(parts.get("modifiers", {}), "modifiers", rules.MODIFIERS)
    target = _object(parts.get("target", {}), "target", (*keys(rules.TARGET), "groups", "keywords"))
    groups = target.get("groups", [])
    if not isinstance(groups, list):
        _fault("target.groups", "must be a list", groups)
    own = {key: value for key, value in target.items() if key != "groups" and key in keys(rules.TARGET)}
    numbers += reader.fields(own, "target", rules.TARGET)
    numbers.append(len(groups))
    for i, group in enumerate(groups):
        numbers += reader.fields(group, f"target.groups[{i}]", rules.GROUP)
    stages.begin(rules, numbers)
    return numbers


def profile(system: str, weapon: object, where: str = "weapon") -> list[int]:
    """The PROFILE numbers of a weapon. Raises RequestError naming the place of what is unknown or out of bounds."""
    rules = resolver(system)
    given = dict(_object(weapon, where, (*keys(rules.PROFILE), "keywords")))
    abilities = given.pop("keywords", [])
    reader = _Reader(rules)
    numbers = reader.fields(given, where, rules.PROFILE)
    reader.abilities(abilities, f"{where}.keywords", numbers)
    return numbers


def _fault(where: str, message: str, value: object) -> NoReturn:
    """Raise the error of one place."""
    shown = value if isinstance(value, (str, int, float, bool, type(None))) else type(value).__name__
    raise RequestError(where, f"{message}, got {json.dumps(shown, ensure_ascii=False)}")


def _object(value: object, where: str, known: Any) -> Mapping[str, Any]:
    """The value if it is an object with known keys."""
    if not isinstance(value, dict):
        _fault(where, "must be an object", value)
    for key in value:
        if key not in known:
            raise RequestError(where, f"unknown key {key!r}: there are {', '.join(dict.fromkeys(known)) or 'none'}")
    return value


class _Reader:
    """Reads the JSON of one resolver."""

    def __init__(self, rules: ModuleType):
        self._rules = rules
        self._keywords = [plain(word) for word in rules.KEYWORDS]

    def fields(self, given: object, where: str, table: tuple[Field, ...]) -> list[int]:
        """The numbers of one table; what is not given has its default."""
        shape = keys(table)
        numbers = [field[3] for field in table]
        for key, value in _object(given, where, shape).items():
            kind, at, count = shape[key]
            place = f"{where}.{key}"
            if kind == "dice":
                got = self._notation(value, place, table[at + 1])
            elif kind == "list":
                if not isinstance(value, list) or len(value) > count:
                    _fault(place, f"must be a list of at most {count} numbers", value)
                got = [_number(each, f"{place}[{i}]") for i, each in enumerate(value)]
            else:
                got = [self._value(value, place, table[at])]
            for i, number in enumerate(got):
                _, low, high, _ = table[at + i]
                if not low <= number <= high:
                    _fault(place if kind != "list" else f"{place}[{i}]", f"must be {low}..{high}", number)
                numbers[at + i] = number
        return numbers

    def _value(self, value: Any, where: str, field: Field) -> int:
        """The number of a field with a value of its own."""
        name, low, high, _ = field
        choices = self._rules.CHOICES.get(name)
        if choices:
            if not isinstance(value, str) or plain(value) not in choices:
                _fault(where, f"must be one of {', '.join(choices)}", value)
            return int(choices.index(plain(value)))
        if name == "keywords":
            if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
                _fault(where, "must be a list of keywords", value)
            known = {plain(word) for word in value}
            return sum(1 << bit for bit, word in enumerate(self._keywords) if word in known)
        if name.endswith("_keyword"):
            if not isinstance(value, str) or plain(value) not in self._keywords:
                _fault(where, f"must be one of {', '.join(self._rules.KEYWORDS)}", value)
            return self._keywords.index(plain(value))
        if isinstance(value, bool) and (low, high) == (0, 1):
            return int(value)
        return _number(value, where)

    @staticmethod
    def _notation(value: Any, where: str, sides: Field) -> list[int]:
        """[dice, sides, plus] of "2D6+1", "D3" or 12."""
        text = value.replace(" ", "") if isinstance(value, str) else ""
        match = re.fullmatch(NOTATION, text, re.IGNORECASE | re.ASCII)
        if match:
            return [int(match[1] or 1), int(match[2]), int(match[3] or 0)]
        try:
            return [0, sides[3], _number(value, where)]
        except RequestError:
            _fault(where, 'must be a number or dice such as "2D6+1"', value)

    def abilities(self, words: Any, where: str, numbers: list[int]) -> None:
        """Set the fields that a weapon's keywords name."""
        if not isinstance(words, list):
            _fault(where, "must be a list of keywords", words)
        names = [field[0] for field in self._rules.PROFILE]
        done = set()
        for word in words:
            match = re.fullmatch(_ABILITY, word.strip(), re.ASCII) if isinstance(word, str) else None
            if not match:
                _fault(where, "must be a list of keywords", word)
            name = plain(match[1])
            if name in without_dice(self._rules):
                continue
            about, _, keyword = name.partition("_")
            if f"{about}_keyword" in names and keyword in self._keywords:
                numbers[names.index(f"{about}_keyword")] = self._keywords.index(keyword)
                name = about
            elif f"{name}_keyword" in names:
                name = ""
            spelling = spellings(self._rules).get(name)
            if not spelling:
                raise RequestError(where, f'unknown keyword "{word}": there are {", ".join(known(self._rules))}')
            at = names.index(name)
            if at in done:
                raise RequestError(where, f'"{word}" comes twice')
            done.add(at)
            _, low, high, _ = self._rules.PROFILE[at]
            number = int(match[2]) if match[2] and match[3] in (None, "+") else 1
            if spelling.endswith(" X") and not match[2]:
                raise RequestError(where, f'"{word}" needs a number')
            if not max(1, low) <= number <= high:
                raise RequestError(where, f'the number of "{word}" must be {max(1, low)}..{high}')
            numbers[at] = number


def _number(value: Any, where: str) -> int:
    """A whole number, or one as players write it: "3+", "-1"; 0 for null, "-" and "N/A"."""
    if value is None:
        return 0
    if isinstance(value, str):
        if value.strip().upper() in ("-", "N/A"):
            return 0
        match = re.fullmatch(_NUMBER, value.strip(), re.ASCII)
        if match:
            return int(match[1])
    elif isinstance(value, int) and not isinstance(value, bool):
        return value
    _fault(where, "must be a whole number", value)


def example(system: str) -> dict[str, Any]:
    """A complete request whose entries go to the end."""
    resolver(system)
    found: dict[str, Any] = json.loads((files("host_tools") / "examples" / f"{system}.json").read_text("utf-8"))
    return found


def schema(system: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a system's requests."""
    return {**schema_of(resolver(system)), "title": f"A request of the rules {system}"}
