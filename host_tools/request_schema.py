"""The JSON Schema of requests, from the tables of a resolver."""

from types import ModuleType
from typing import Any

from host_tools.fields import NOTATION, Field, keys, known


def schema_of(rules: ModuleType) -> dict[str, Any]:
    """The schema of the requests of one resolver."""
    weapon = _table_schema(rules, rules.PROFILE)
    words = ", ".join(known(rules))
    weapon["properties"]["keywords"] = {"type": "array", "items": {"type": "string"}, "description": f"Any of: {words}"}
    group = _table_schema(rules, rules.GROUP)
    target = _table_schema(rules, rules.TARGET)
    target["properties"].setdefault("keywords", _keywords_schema(rules))
    target["properties"]["groups"] = {"type": "array", "items": group}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_closed({
            "weapon": weapon,
            "modifiers": _table_schema(rules, rules.MODIFIERS),
            "target": target,
            "entries": {"type": "array", "items": _ENTRY},
        }),
    }


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    """An object with these keys alone."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


_WHOLE = {"type": "array", "items": {"type": "integer", "minimum": 0}}
_ENTRY = {
    "description": "What was rolled or decided at one stage: the faces of its dice, or how many dice fell into each of "
                   "its bins, or the option taken",
    "type": "object",
    "properties": {"stage": {"type": "string"}, "dice": _WHOLE, "counts": _WHOLE,
                   "choose": {"anyOf": [{"type": ["string", "integer"]}, _WHOLE]}},
    "additionalProperties": False,
    "required": ["stage"],
    "oneOf": [{"required": ["dice"]}, {"required": ["counts"]}, {"required": ["choose"]}],
}


def _table_schema(rules: ModuleType, table: tuple[Field, ...]) -> dict[str, Any]:
    return _closed({key: _key_schema(rules, table, *shape) for key, shape in keys(table).items()})


def _key_schema(rules: ModuleType, table: tuple[Field, ...], kind: str, at: int, count: int) -> dict[str, Any]:
    """The schema of one key."""
    name, low, high, default = table[at]
    if kind == "dice":
        _, low, high, default = table[at + 2]
        notation = NOTATION.replace("D", "[Dd]", 1).replace(r"\d", "[0-9]")
        notated = {"type": "string", "pattern": f"^{notation}$"}
        return {"anyOf": [_number_schema(low, high), notated], "default": default}
    if kind == "list":
        return {"type": "array", "maxItems": count, "items": _number_schema(low, high)}
    if name in rules.CHOICES:
        names = list(rules.CHOICES[name])
        return {"enum": names, "default": names[default]}
    if name == "keywords":
        return _keywords_schema(rules)
    if name.endswith("_keyword"):
        return {"enum": list(rules.KEYWORDS)}
    if (low, high) == (0, 1):
        return {"type": ["boolean", "integer"], "minimum": 0, "maximum": 1, "default": default}
    return {**_number_schema(low, high), "default": default}


def _number_schema(low: int, high: int) -> dict[str, Any]:
    pattern = r"^([+-]?[0-9]+\+?|-|[Nn]/[Aa])$"
    return {"type": ["integer", "string", "null"], "minimum": low, "maximum": high, "pattern": pattern}


def _keywords_schema(rules: ModuleType) -> dict[str, Any]:
    words = ", ".join(rules.KEYWORDS) or "none"
    return {"type": "array", "items": {"type": "string"}, "description": f"Those that change anything: {words}"}
