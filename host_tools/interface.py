"""The texts of the interface: found in the firmware's sources, numbered, and written in each language.

Every module of `tableside` whose name ends in "texts" holds texts, and `_OTHERS` name a few more: constants in capitals
that are a text, a tuple of texts or a dictionary of texts. English is what the sources say; each other language is a
file firmware/languages/CODE.toml with the same names.
"""

import ast
import hashlib
import re
import struct
import tomllib
from pathlib import Path
from typing import NamedTuple

from host_tools.errors import CommandError
from host_tools.packs.writer import DRAWABLE
from tableside.ui.language import HEAD, LONGEST, MAGIC

ENGLISH = "en"
READER = "tableside.ui.language"
_NAMES = {ENGLISH: "English"}
_OTHERS = {
    "tableside.core.commands": ("NAMES", "NEXT", "UNTICK", "AGAIN", "DREW"),
    "tableside.core.errors": ("_WORDS",),
    "tableside.core.roster": ("WORDS",),
    "tableside.core.stage_words": ("_WORDS", "_BINS", "_NUMBERS"),
}
# Tables in which a key that is missing is its own word: a translation has more of them than English.
OPEN = ("errors._WORDS", "stage_words._WORDS", "stage_words._BINS", "stage_words._NUMBERS")
_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*$")
_FIELD = re.compile(r"%[sdr%]|%0?\d+[dx]")
_FIRST = 2  # the number of the first: before it the name of the language, and what the others are
_KINDS = {str: "s", tuple: "t", dict: "d"}

Text = str | tuple[str, ...] | dict[str, str]


class Id(NamedTuple):
    """Where a text is: a module and a constant, or NAME.key for one of a dictionary of tuples."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module.rpartition('.')[2]}.{self.name}"


def _kind(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, tuple) and all(isinstance(part, str) for part in value)) or (
        isinstance(value, dict) and all(isinstance(part, str) for part in value.values()))


def _constants(module: str, source: str) -> dict[str, object]:
    """The constants of a module that hold texts."""
    names = _OTHERS.get(module)
    if names is None and not module.endswith("texts"):
        return {}
    found: dict[str, object] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if _CONSTANT.match(name) and (names is None or name in names):
                try:
                    value = ast.literal_eval(node.value)
                except ValueError:
                    continue
                if isinstance(value, (str, tuple, dict)):
                    found[name] = value
    return found


def english(sources: dict[str, str]) -> dict[Id, Text]:
    """The texts of all modules, in the order of their numbers. Args: sources: by dotted name."""
    found: dict[Id, Text] = {}
    for module in sorted(sources):
        for name, value in sorted(_constants(module, sources[module]).items()):
            if _kind(value):
                found[Id(module, name)] = _plain(value)
            elif isinstance(value, dict):
                for key, part in sorted(value.items()):
                    if _kind(part):
                        found[Id(module, f"{name}.{key}")] = _plain(part)
    return found


def _plain(value: object) -> Text:
    if isinstance(value, dict):
        return {str(key): text for key, text in value.items()}
    return value  # type: ignore[return-value]


def translate(file: Path, texts: dict[Id, Text]) -> tuple[str, dict[Id, Text]]:
    """The name of a language, and its texts under the same ids. Raises: CommandError that lists all that is wrong."""
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    name = found.pop("name", "")
    faults = [] if isinstance(name, str) and name else ["needs name"]
    new: dict[Id, Text] = {}
    for key, old in texts.items():
        value: object = found.get(str(key).split(".")[0], {})
        for part in str(key).split(".")[1:]:
            value = value.get(part) if isinstance(value, dict) else None
        faults += [f"{key}: {fault}" for fault in _faults(str(key), old, value)]
        new[key] = tuple(value) if isinstance(value, list) else value  # type: ignore[assignment]
    known = {str(key) for key in texts}
    grouped = {key.rpartition(".")[0] for key in known}  # dictionaries of tuples, and the sections themselves
    for section, table in found.items():
        for constant, value in table.items() if isinstance(table, dict) else [("", None)]:
            path = f"{section}.{constant}"
            below = value if path in grouped and isinstance(value, dict) else None
            names = [path] if below is None else [f"{path}.{one}" for one in below]
            faults += [f"{one}: there is no such text" for one in names if one not in known]
    if faults:
        raise CommandError(f"{file}: " + "\n".join(sorted(faults)))
    return name, new


def _faults(key: str, old: Text, new: object) -> list[str]:
    """What is wrong with the translation of a text, a tuple or a table."""
    if new is None:
        return ["is missing"]
    if isinstance(old, dict):
        if not isinstance(new, dict):
            return ["must be a table"]
        faults = [f"{one!r} is missing" for one in old if one not in new]
        faults += [f"there is no {one!r}" for one in new if one not in old and key not in OPEN]
        pairs = [(old.get(one, ""), text) for one, text in new.items()]
        faults += [f"too long: {one!r}" for one, text in new.items()
                   if len(f"\n{one}={text}\n".encode()) > LONGEST or "\n" in f"{one}{text}" or "=" in one]
    elif isinstance(old, tuple):
        if not isinstance(new, list) or len(new) != len(old):
            return [f"must be a list of {len(old)} texts"]
        pairs = list(zip(old, new, strict=True))
        faults = [f"a line feed in {text!r}" for text in new if "\n" in str(text)]
    else:
        pairs, faults = [(old, new)], []
    for one, text in pairs:
        if not isinstance(text, str):
            return [*faults, f"no text: {text!r}"]
        if key not in OPEN and _FIELD.findall(one) != _FIELD.findall(text):
            faults.append(f"{text!r} must have the fields of {one!r}, in their order")
        if bool(text) != bool(one) and key not in OPEN:
            faults.append(f"{text!r} for {one!r}")
        faults += [f"the device cannot draw {char!r} in {text!r}" for char in sorted(set(text) - DRAWABLE)]
    return faults


def ids_of(texts: dict[Id, Text]) -> int:
    """A number that tells these ids from others, small enough for a small integer of the device, and not 0."""
    return int.from_bytes(hashlib.sha256(_contents(texts).encode()).digest()[:3]) + 1


def _contents(texts: dict[Id, Text]) -> str:
    return "\n".join(f"{key.module} {key.name} {_KINDS[type(text)]}" for key, text in texts.items())


def encode(name: str, texts: dict[Id, Text]) -> bytes:
    """The file of a language, see `tableside.ui.language`. Raises: CommandError if it is too large."""
    lines = [name, _contents(texts)]
    for text in texts.values():
        if isinstance(text, dict):
            lines.append("".join(f"\n{key}={word}" for key, word in text.items()) + "\n")
        else:
            lines.append(text if isinstance(text, str) else "\n".join(text))
    offsets, body = [0], b""
    for line in lines:
        body += line.encode()
        offsets.append(len(body))
    if len(body) > 0xFFFF:
        raise CommandError(f"{name}: {len(body)} bytes of text, at most 65535")
    return struct.pack(HEAD, MAGIC, len(lines), ids_of(texts)) + struct.pack(f"<{len(offsets)}H", *offsets) + body


def uses(texts: dict[Id, Text], sources: dict[str, str]) -> dict[tuple[str, str], str]:
    """What a compiled firmware has in the place of each constant: its module and name, an expression."""
    found: dict[tuple[str, str], str] = {}
    parts: dict[tuple[str, str], list[str]] = {}
    for number, (key, text) in enumerate(texts.items(), _FIRST):
        call = f"{'spoken' if isinstance(text, str) else 'Row' if isinstance(text, tuple) else 'Table'}({number})"
        name, _, part = key.name.partition(".")
        if part:
            parts.setdefault((key.module, name), []).append(f"{part!r}: {call}")
        else:
            found[key.module, name] = call
    found.update({where: "{" + ", ".join(calls) + "}" for where, calls in parts.items()})
    found[READER, "IDS"] = str(ids_of(texts))
    return found


def languages(sources: dict[str, str], folder: Path) -> dict[str, bytes]:
    """The files of all languages by code. Args: folder: of the translations. Raises: CommandError."""
    texts = english(sources)
    found = {ENGLISH: encode(_NAMES[ENGLISH], texts)}
    for file in sorted(folder.glob("*.toml")):
        found[file.stem] = encode(*translate(file, texts))
    return found
