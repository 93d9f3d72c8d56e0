"""Reading a game.toml: TOML, then the shape in `schema`; every fault with its place."""

import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from host_tools.errors import CommandError
from host_tools.packs.schema import Game


class PackSourceError(CommandError):
    """One or more faults of a pack source.

    `faults` is a list of (where, message); the text has one "file: where: message" a line.
    """

    def __init__(self, file: Path, faults: list[tuple[str, str]]):
        self.file = file
        self.faults = faults
        super().__init__("\n".join(f"{file}: {where}: {message}" if where else f"{file}: {message}"
                                   for where, message in faults))


def _where(location: tuple[int | str, ...], data: Any) -> str:
    """A place such as `scenario[2].deck.npo.copies`: entries below the scenarios are named by their id."""
    text = ""
    for depth, key in enumerate(location):
        if key in ("[key]", "list-of-cards", "range-of-cards"):  # pydantic's own, not a key of the file
            continue
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            data = None
        if isinstance(key, int):
            name = data.get("id") if isinstance(data, dict) and depth > 1 else None
            text += f".{name}" if isinstance(name, str) else f"[{key}]"
        else:
            text += f".{key}" if text else str(key)
    return text


def _message(error: Any) -> str:
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    if error["type"] == "missing":
        return "missing"
    if error["type"] == "extra_forbidden":
        return "unknown key"
    if error["type"] in ("too_short", "too_long"):
        bounds = error["ctx"]
        limit = f"at least {bounds['min_length']}" if "min_length" in bounds else f"at most {bounds['max_length']}"
        return f"must have {limit} entries, got {bounds['actual_length']}"
    message = error["msg"].removeprefix("Input should be ")
    shown = error["input"] if isinstance(error["input"], (str, int, float, bool)) else type(error["input"]).__name__
    return f"must be {message}, got {shown!r}"


def _syntax(error: tomllib.TOMLDecodeError) -> tuple[str, str]:
    match = re.fullmatch(r"(.*) \(at (line \d+, column \d+|end of document)\)", str(error), re.DOTALL)
    return (match[2], match[1]) if match else ("", str(error))


def read(path: Path) -> dict[str, Any]:
    """Read a TOML file. Raises: PackSourceError naming the place where it is none; OSError if it cannot be read."""
    raw = path.read_bytes()
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise PackSourceError(path, [(f"line {line}", f"not UTF-8 text: byte 0x{raw[error.start]:02x}")]) from None
    except tomllib.TOMLDecodeError as error:
        raise PackSourceError(path, [_syntax(error)]) from None


def faults_of(error: ValidationError, data: dict[str, Any]) -> list[tuple[str, str]]:
    """(where, message) of all that is wrong with the shape of some data."""
    return [(_where(e["loc"], data), _message(e)) for e in error.errors()]


def checked(data: dict[str, Any], path: Path) -> Game:
    """Check the shape of a game's data. Raises: PackSourceError naming the file and every fault's place."""
    try:
        return Game.model_validate(data)
    except ValidationError as error:
        raise PackSourceError(path, faults_of(error, data)) from None
