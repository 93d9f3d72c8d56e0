"""What of a game's fact sheet is in its pack: `tests/games/SYSTEM/coverage.toml`; `docs/packs.md` has the format."""

import ast
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from host_tools.firmware import FIRMWARE
from host_tools.packs import schema
from host_tools.packs.binder import zones

WITHOUT = "without"  # the only key of a game without a fact sheet: why
PROMPT = "prompt"
GAP = "gap: "
_WORDS = ("id", "title", "label", "cards", "step", "text")  # what an item may be called by
_KINDS = {"cards": "card", "die": "dice"}  # of fields that are not called as one of their items


class Row(NamedTuple):
    """A row of a fact sheet."""

    section: str
    name: str
    entries: list[str]

    @property
    def state(self) -> str:
        """gap, if there is any; prompt only; or mapped."""
        if any(entry.startswith(GAP) for entry in self.entries):
            return "gap"
        return "prompt only" if set(self.entries) == {PROMPT} else "mapped"


def rows(file: Path) -> list[Row]:
    """The rows of a coverage file; none of a game without a fact sheet. Raises: ValueError for what is wrong in it."""
    data = tomllib.loads(file.read_text("utf-8"))
    if WITHOUT in data:
        if len(data) > 1 or not isinstance(data[WITHOUT], str) or not data[WITHOUT].strip():
            raise ValueError(f"{file}: {WITHOUT!r} says why there is no fact sheet, and stands alone")
        return []
    found = [_row(file, section, name, entries) for section, table in data.items()
             for name, entries in _table(file, section, table).items()]
    if not found:
        raise ValueError(f"{file}: no rows")
    return found


def _table(file: Path, section: str, table: object) -> dict[str, object]:
    if not section.strip() or not isinstance(table, dict) or not table:
        raise ValueError(f"{file}: section {section!r} needs a name and rows")
    return table


def _row(file: Path, section: str, name: str, entries: object) -> Row:
    place = f"{file}: [{section}] {name!r}"
    if not name.strip():
        raise ValueError(f"{place}: a row needs a name")
    if not isinstance(entries, list) or not entries:
        raise ValueError(f"{place}: needs a list of what covers it, ['prompt'] or ['gap: why']")
    for entry in entries:
        if not isinstance(entry, str) or not entry.strip() or entry.strip() in ("gap", "gap:"):
            raise ValueError(f"{place}: {entry!r} is neither KIND ID, 'prompt' nor 'gap: why'")
    return Row(section, name, entries)


def missing(row: Row, known: dict[str, set[str]]) -> list[str]:
    """What is wrong with the entries of a row."""
    wrong = []
    for entry in row.entries:
        if entry == PROMPT or entry.startswith(GAP):
            continue
        kind, _, name = entry.partition(" ")
        if kind not in known:
            wrong.append(f"no kind {kind!r} in this pack: there are {', '.join(sorted(known))}")
        elif name not in known[kind]:
            wrong.append(f"no {kind} {name!r} in the pack")
    return wrong


def things(game: schema.Game, folder: Path) -> dict[str, set[str]]:
    """All that a pack has, by kind: what its scenarios take, the dice rules of its weapons, and the screens.

    A thing is called by its id, or by OWNER.ID; without an id by its title, label, cards, step or text.

    Args: folder: that of the source, with a rules.py or without.
    """
    found: dict[str, set[str]] = defaultdict(set)
    used = {name for scenario in game.scenario for name in scenario.parts}
    found["part"] |= used
    found["screen"] |= classes()
    for scenario in game.scenario:
        found["scenario"].add(scenario.id)
        _walk(scenario, scenario.id, found)
    for name in used:
        _walk(game.part[name], name, found)
    for name in type(game).model_fields:
        if name not in ("pack", "part", "scenario", "translation"):  # of a whole game, such as its campaigns
            _whole(name, getattr(game, name), found)
    if game.code is not None:
        found["table"] |= set(game.code.table)
        for name, text in game.code.text.items():
            found["word"] |= {name, *([text] if isinstance(text, str) else text)}
    for file in folder.glob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        found["rule"] |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        found["screen"] |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    return {kind: names for kind, names in found.items() if names}


def classes() -> set[str]:
    """The classes of the interface's modules, screens among them."""
    return {node.name for file in (FIRMWARE / "tableside" / "ui").glob("*.py")
            for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.ClassDef)}


def _whole(name: str, value: object, found: dict[str, set[str]]) -> None:
    if isinstance(value, BaseModel):
        found[name].add(getattr(value, "id", name))
        _walk(value, name, found)
    elif isinstance(value, dict):
        found[name] |= set(value)
        for key, item in value.items():
            if isinstance(item, BaseModel):
                _walk(item, key, found)
    elif isinstance(value, list):
        _items(name, value, "", found)


def _walk(model: BaseModel, owner: str, found: dict[str, set[str]]) -> None:
    """Note all lists of things within a thing."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, list):
            _items(_KINDS.get(name, name), value, owner, found)
    if isinstance(model, schema.Deck):
        found["zone"] |= {f"{model.id}.{zone.id}" for zone in zones(model)}
    if isinstance(model, schema.Weapon):
        found["rule"].add(model.rules)


def _items(kind: str, items: list[object], owner: str, found: dict[str, set[str]]) -> None:
    for item in items:
        if isinstance(item, BaseModel):
            words = [str(getattr(item, word)) for word in _WORDS if getattr(item, word, "")]
            called = words[:1] if hasattr(item, "id") else words
            found[kind] |= {word for name in called for word in (name, f"{owner}.{name}")}
            _walk(item, called[0] if called else owner, found)
