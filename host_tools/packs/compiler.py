"""Compiling a game.toml into the binary that `tableside.core.pack` reads."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from host_tools.packs import schema
from host_tools.packs.binder import Binder, Names
from host_tools.packs.code import write_code
from host_tools.packs.overlay import Merge
from host_tools.packs.scenario import write_link, write_scenario
from host_tools.packs.source import PackSourceError, checked, read
from host_tools.packs.writer import Fault, Writer
from tableside.core import campaign, pack
from tableside.core.builder import Builder
from tableside.core.errors import CoreError
from tableside.core.log import MemoryLog
from tableside.core.pack import Pack, Scenario
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
        compiled = _write(game, file, fault)
    except OverflowError as error:
        if not faults:  # else those are the reason
            fault("", str(error))
    if not faults:
        _start_all(compiled, fault)
    if faults:
        raise PackSourceError(file, list(faults))
    return compiled


def _write(game: schema.Game, file: Path, fault: Fault) -> Compiled:
    info = game.pack
    if info.language in game.translation:
        fault(f"translation.{info.language}", "is the language of the pack itself")
    writer = Writer(info.language, game.translation, fault)
    code = write_code(writer, game, file, fault)
    ids = [s.id for s in game.scenario]
    names, rows, links = [], [], []
    for index, name in enumerate(ids):
        if name in ids[:index]:
            fault(f"scenario[{index}].id", f"{name!r} is defined twice")
        binder = Binder(writer, game, index, code.calls, fault)
        rows.append(write_scenario(binder))
        names.append(binder.names)
        if game.campaign:
            links.append(write_link(binder))
    for row in rows:
        writer.run(pack.SCENARIO, [row])
    writer.run(pack.LINK, links)
    writer.run(pack.CAMPAIGN, [_campaign(writer, game, i, fault) for i in range(len(game.campaign))])
    notes = writer.run(pack.LINE, [(writer.plain(note, f"pack.notes[{i}]"),) for i, note in enumerate(info.notes)])
    meta = writer.fixed(info.id), writer.plain(info.title, "pack.title"), writer.fixed(info.version)
    writer.run(pack.META, [(*meta, *notes)])
    writer.check_translations()
    return Compiled(info.id, writer.data(), names)


def _campaign(writer: Writer, game: schema.Game, index: int, fault: Fault) -> tuple[int, ...]:
    c = game.campaign[index]
    place = f"campaign[{index}]"
    if c.id in [other.id for other in game.campaign[:index]]:
        fault(f"{place}.id", f"{c.id!r} is defined twice")
    ids = [s.id for s in game.scenario]
    for i, name in enumerate(c.missions):
        if name not in ids:
            fault(f"{place}.missions[{i}]", f"no scenario {name!r}")
        if name in c.missions[:i]:
            fault(f"{place}.missions[{i}]", f"{name!r} is there twice")
    carried = {counter.id for part in [*game.part.values(), *game.scenario] for counter in part.counter
               if counter.scope == "campaign"}
    for name in c.start:
        if name not in carried:
            fault(f"{place}.start", f"no counter {name!r} with scope = 'campaign'")
    missions = writer.run(pack.MISSION, [(ids.index(name),) for name in c.missions if name in ids])
    return (writer.fixed(c.id), writer.plain(c.title, f"{place}.title"), writer.plain(c.text, f"{place}.text"),
            *missions, writer.fixed(campaign.encode(c.start)))


def _start_all(compiled: Compiled, fault: Fault) -> None:
    """Start every scenario: steps that are never reached or never stop show at once."""
    opened = Pack(io.BytesIO(compiled.data))
    for index in range(len(compiled.scenarios)):
        try:
            Session.new(opened, index, bytes(SEED_BYTES), MemoryLog())
            _try_examples(opened, index, compiled.scenarios[index], fault)
        except CoreError as error:
            fault(f"scenario[{index}]", f"does not start: {error}")


def _try_examples(opened: Pack, index: int, names: Names, fault: Fault) -> None:
    """Every example of a builder must be a unit that may be built."""
    scenario = Scenario(opened, index)
    for number, name in enumerate(names.builders):
        builder = Builder(scenario, number)
        for i in range(builder.examples):
            title, picks = builder.example(i)
            try:
                builder.check(picks)
                builder.settings(picks)
            except CoreError as error:
                fault(f"scenario[{index}].builder.{name}.example[{i}]", f"{title}: {error}")


def compile_file(path: Path, overlays: Sequence[Path] = ()) -> Compiled:
    """Read, check and compile a game.toml with its overlays, see `overlay`.

    Raises: PackSourceError naming the file that is at fault; OSError if one cannot be read.
    """
    data = read(path)
    compiled = compile_game(checked(data, path), path)
    if overlays:
        merge = Merge(data)
        for file in overlays:
            merge.add(file)
            try:
                compiled = compile_game(checked(merge.data, file), file)
            except PackSourceError as error:
                faults = [(merge.own_place(where), message) for where, message in error.faults]
                raise PackSourceError(file, faults) from None
    return compiled
