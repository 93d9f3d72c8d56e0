"""The game that a log was made with: as it is here, or in the version that was pulled from the device with the log."""

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from host_tools.log_pull import KEPT
from host_tools.packs.build import compile_system, find_games
from host_tools.packs.compiler import Compiled
from tableside.core.errors import CoreError, LogError
from tableside.core.log import MemoryLog
from tableside.core.opening import read_head
from tableside.core.pack import SCENARIO, Pack

compiled_system = cache(compile_system)  # for many logs in one go


@dataclass
class Game:
    """An open pack; `compiled` is None where only a kept version of it is at hand, without the words of its source."""

    pack: Pack
    scenario: int
    compiled: Compiled | None


def game_of(log: MemoryLog, path: Path) -> Game:
    """The game of a log. Args: path: of the log; a folder of pulled sessions has the versions that they need.

    Raises: LogError if it is not at hand, or the log's head is damaged.
    """
    system, pack_hash, scenario, _, _ = read_head(log.head)
    compiled = compiled_system(system) if system in find_games() else None
    pack = Pack(io.BytesIO(compiled.data)) if compiled else None
    if pack is None or pack.hash != pack_hash:
        here = f"here it is {pack.hash.hex()}" if pack else "it is not here"
        compiled, pack = None, _kept(path, pack_hash)
        if pack is None:
            raise LogError(f"made with another version of {system}: its hash is {pack_hash.hex()}, {here}")
    if scenario >= pack.count(SCENARIO):
        raise LogError("no such scenario", scenario)
    return Game(pack, scenario, compiled)


def _kept(path: Path, pack_hash: bytes) -> Pack | None:
    file = path.resolve().parent.parent / KEPT / f"{pack_hash.hex()}.tspk"
    try:
        pack = Pack(io.BytesIO(file.read_bytes()))
    except (OSError, CoreError):
        return None
    return pack if pack.hash == pack_hash else None
