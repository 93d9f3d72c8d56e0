"""Compiling a game.toml into the binary that `tableside.core.pack` reads."""

import io
import struct
from dataclasses import dataclass
from pathlib import Path

from host_tools.packs import schema
from host_tools.packs.binder import Binder, Names
from host_tools.packs.scenario import write_scenario
from host_tools.packs.source import PackSourceError, load
from host_tools.packs.writer import Fault, Writer
from tableside.core import pack
from tableside.core.errors import CoreError
from tableside.core.log import MemoryLog
from tableside.core.pack import Pack
from tableside.core.rng import SEED_BYTES
from tableside.core.session import Session

__all__ = ["Compiled", "Names", "PackSourceError", "compile_file", "compile_game"]


@dataclass
class Compiled:
    """A compiled pack: its bytes and the source's ids, which the device does not need."""

    id: str
    data: bytes
    scenarios: list[Names]


def compile_game(game: schema.Game, file: Path) -> Compiled:
    """Compile a checked game.

    Raises: PackSourceError naming `file` and the place of every fault that only shows when names are bound.
    """
    faults: dict[tuple[str, str], None] = {}  # in order, each once: scenarios share parts

    def fault(where: str, message: str) -> None:
        faults[where, message] = None

    try:
        compiled = _write(game, fault)
    except OverflowError as error:
        fault("", str(error))
    except struct.error:  # a number that no record can hold, because there are more things than it can count
        if not faults:
            raise
    if not faults:
        _start_all(compiled, fault)
    if faults:
        raise PackSourceError(file, list(faults))
    return compiled


def _write(game: schema.Game, fault: Fault) -> Compiled:
    info = game.pack
    if info.language in game.translation:
        fault(f"translation.{info.language}", "is the language of the pack itself")
    writer = Writer(info.language, game.translation, fault)
    ids = [s.id for s in game.scenario]
    names, rows = [], []
    for index, name in enumerate(ids):
        if name in ids[:index]:
            fault(f"scenario[{index}].id", f"{name!r} is defined twice")
        binder = Binder(writer, game, index, fault)
        rows.append(write_scenario(binder))
        names.append(binder.names)
    for row in rows:
        writer.run(pack.SCENARIO, [row])
    notes = writer.run(pack.LINE, [(writer.plain(note, f"pack.notes[{i}]"),) for i, note in enumerate(info.notes)])
    meta = writer.fixed(info.id), writer.plain(info.title, "pack.title"), writer.fixed(info.version)
    writer.run(pack.META, [(*meta, *notes)])
    writer.check_translations()
    return Compiled(info.id, writer.data(), names)


def _start_all(compiled: Compiled, fault: Fault) -> None:
    """Start every scenario: steps that are never reached or never stop show at once."""
    opened = Pack(io.BytesIO(compiled.data))
    for index in range(len(compiled.scenarios)):
        try:
            Session.new(opened, index, bytes(SEED_BYTES), MemoryLog())
        except CoreError as error:
            fault(f"scenario[{index}]", f"does not start: {error}")


def compile_file(path: Path) -> Compiled:
    """Read, check and compile a game.toml. Raises PackSourceError, or OSError if it cannot be read."""
    return compile_game(load(path), path)
