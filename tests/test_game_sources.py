"""Sources of all games with something wrong in them: a fault with its place, never a traceback.

Each trial changes one thing of a game's tree: a key or value dropped, of another type, out of range, named twice,
unknown or in the wrong place. `TABLESIDE_SOURCES` says how many trials of each game, `TABLESIDE_TEST_SEED` which ones.
"""

import copy
import json
import os
import random
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from host_tools.packs.build import find_games
from host_tools.packs.compiler import compile_file
from host_tools.packs.source import PackSourceError

TRIALS = int(os.environ.get("TABLESIDE_SOURCES", "24"))
SEED = os.environ.get("TABLESIDE_TEST_SEED", "1")
NUMBERS = (-1, 0, 1, 3, 41, 101, 256, 999, -32769, 32768, 10**18)
OTHERS: tuple[Any, ...] = (7, -1, 3.5, True, "x", [], {}, [[]], [1], {"x": 1}, ["x"])
SIGNS = ("€", "{", "}", "{nothing}", "{nothing.zone}", "{row:nothing}", "{}", "\u0007", "\u0001", '"', " ", "-")
UNKNOWN = "no-such-thing"
UNCLEAR = re.compile(r"Traceback|pydantic|NoneType|object at 0x|validation error|KeyError|\b__\w+__")

Place = tuple[Any, Any]  # a dict or list, and a key of it


def places(node: Any) -> Iterator[Place]:
    """All that can be changed in a tree."""
    keys: Any = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        yield node, key
        yield from places(node[key])


def _drop(pick: random.Random, node: Any, key: Any, found: list[Place]) -> None:
    del node[key]


def _other_type(pick: random.Random, node: Any, key: Any, found: list[Place]) -> None:
    node[key] = pick.choice([value for value in OTHERS if type(value) is not type(node[key])])


def _unknown_key(pick: random.Random, node: Any, key: Any, found: list[Place]) -> None:
    tables = [place for place in found if isinstance(place[0][place[1]], dict)]
    node, key = pick.choice(tables)
    node[key][UNKNOWN] = 1


def _number(pick: random.Random, node: Any, key: Any, found: list[Place]) -> None:
    numbers = [place for place in found if type(place[0][place[1]]) is int]
    node, key = pick.choice(numbers or [(node, key)])
    node[key] = pick.choice(NUMBERS)


def _word(pick: random.Random, node: Any, key: Any, found: list[Place]) -> None:
    """A word of a text is another: an id that is nowhere, an effect that is none, a condition without sense."""
    texts = [place for place in found if isinstance(place[0][place[1]], str)]
    node, key = pick.choice(texts)
    words = node[key].split(" ")
    words[pick.randrange(len(words))] = pick.choice([UNKNOWN, "", "if", "and", "99999", "x" * 60, "draw", *SIGNS])
    node[key] = " ".join(words)


def _twice(pick: random.Random, node: Any, key: Any, found: list[Place]) -> None:
    lists = [place[0] for place in found if isinstance(place[0], list)]
    chosen = pick.choice(lists)
    chosen.insert(pick.randrange(len(chosen) + 1), copy.deepcopy(pick.choice(chosen)))


def _elsewhere(pick: random.Random, node: Any, key: Any, found: list[Place]) -> None:
    """Something that is right in another place."""
    other, at = pick.choice(found)
    node[key] = copy.deepcopy(other[at])


def _long(pick: random.Random, node: Any, key: Any, found: list[Place]) -> None:
    value = node[key]
    node[key] = value * 300 if isinstance(value, (str, list)) else [value] * 300


CHANGES: dict[str, Callable[[random.Random, Any, Any, list[Place]], None]] = {
    "dropped": _drop, "other type": _other_type, "unknown key": _unknown_key, "number": _number, "word": _word,
    "twice": _twice, "elsewhere": _elsewhere, "long": _long,
}
ALWAYS_WRONG = ("unknown key",)


def toml(value: Any) -> str:
    """A tree as TOML, everything below the first keys on one line."""
    if isinstance(value, dict):
        items = [f"{json.dumps(key, ensure_ascii=False)} = {toml(item)}" for key, item in value.items()]
        return "{" + ", ".join(items) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def write(file: Path, tree: dict[str, Any]) -> None:
    """Write a tree as a source."""
    file.write_text("".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in tree.items()), "utf-8")


def unclear(error: PackSourceError) -> list[str]:
    """What is wrong with the faults that are told."""
    wrong = [] if error.faults else ["no fault is named"]
    for where, message in error.faults:
        if not message.strip() or UNCLEAR.search(f"{where} {message}"):
            wrong.append(f"{where}: {message}")
        if not where and not message.startswith(("too much", "more than")):  # of the pack as a whole
            wrong.append(f"no place: {message}")
    return wrong


@pytest.mark.parametrize("system", find_games())
def test_a_source_with_something_wrong_gets_a_fault_with_its_place(system: str, tmp_path: Path) -> None:
    source = find_games()[system]
    tree = tomllib.loads(source.read_text("utf-8"))
    folder = tmp_path / system  # the code of a pack lies beside its source
    shutil.copytree(source.parent, folder)
    file = folder / source.name
    write(file, tree)
    compile_file(file)
    pick = random.Random(f"{SEED} {system}")
    refused: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for number in range(TRIALS):
        name = list(CHANGES)[number % len(CHANGES)]
        again = copy.deepcopy(tree)
        found = list(places(again))
        CHANGES[name](pick, *pick.choice(found), found)
        write(file, again)
        tried[name] += 1
        try:
            compile_file(file)
        except PackSourceError as error:
            refused[name] += 1
            assert unclear(error) == [], f"trial {number} of {system}, {name}"
        except Exception as error:
            kept = tmp_path / f"broken-{number}.toml"
            shutil.copy(file, kept)
            raise AssertionError(f"trial {number} of {system}, {name}: {type(error).__name__}; see {kept}") from error
        else:
            assert name not in ALWAYS_WRONG, f"trial {number} of {system}: {name} is let through; see {file}"
    print(f"\n{system}: " + ", ".join(f"{name} {refused[name]}/{tried[name]}" for name in CHANGES) + " refused")
    assert sum(refused.values()) > TRIALS / 4
