"""Finding the games of this repository and compiling them, with the overlays of their owner."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from host_tools.errors import CommandError
from host_tools.files import replace_file
from host_tools.packs.compiler import Compiled, compile_file
from host_tools.packs.source import PackSourceError

GAMES = Path(__file__).resolve().parents[2] / "firmware" / "games"


OVERLAYS_VARIABLE = "TABLESIDE_OVERLAYS"  # names the folder; it is "overlays" where one stands otherwise


def find_overlays(system: str) -> list[Path]:
    """The overlays of a system that are taken without being named, in the order of their names."""
    return sorted((Path(os.environ.get(OVERLAYS_VARIABLE) or "overlays") / system).glob("*.toml"))


def find_games() -> dict[str, Path]:
    """The game.toml of every system, by the system's name."""
    return {path.parent.name: path for path in sorted(GAMES.glob("*/game.toml"))}


def compile_system(system: str, overlays: Sequence[Path] = ()) -> Compiled:
    """Compile a game of this repository. Args: overlays: besides those that are found.

    Raises: CommandError for a system that does not exist; PackSourceError if its source or an overlay is wrong.
    """
    games = find_games()
    if system not in games:
        raise CommandError(f"no system {system!r}: there are {', '.join(games)}")
    compiled = compile_file(games[system], [*find_overlays(system), *overlays])
    if compiled.id != system:
        raise PackSourceError(games[system], [("pack.id", f"must be {system!r} as the folder, got {compiled.id!r}")])
    return compiled


def open_scenario(target: str) -> tuple[Compiled, int]:
    """A compiled pack and the number of a scenario, for "SYSTEM/SCENARIO".

    Raises: CommandError naming what exists; PackSourceError if the system's source is wrong.
    """
    system, _, scenario = target.partition("/")
    compiled = compile_system(system)
    ids = [names.id for names in compiled.scenarios]
    if scenario not in ids:
        raise CommandError(f"no scenario {target!r}: there are {', '.join(f'{system}/{name}' for name in ids)}")
    return compiled, ids.index(scenario)


def build_into(folder: Path, systems: list[str] | None = None,
               overlays: Mapping[str, Sequence[Path]] | None = None) -> list[Path]:
    """Compile systems (all by default) to `folder`/SYSTEM.tspk; a file that would not change is left alone.

    Args: overlays: of each system, besides those that are found.
    Returns: the files. Raises: CommandError, PackSourceError or OSError; the file of a broken pack is not touched.
    """
    files = []
    for system in find_games() if systems is None else systems:
        data = compile_system(system, (overlays or {}).get(system, ())).data
        file = folder / f"{system}.tspk"
        if not file.exists() or file.read_bytes() != data:
            folder.mkdir(parents=True, exist_ok=True)
            replace_file(file, data)
        files.append(file)
    return files
