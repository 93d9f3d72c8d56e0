"""Finding the games of this repository and compiling them."""

from pathlib import Path

from host_tools.errors import CommandError
from host_tools.files import replace_file
from host_tools.packs.compiler import Compiled, compile_file
from host_tools.packs.source import PackSourceError

GAMES = Path(__file__).resolve().parents[2] / "firmware" / "games"


def find_games() -> dict[str, Path]:
    """The game.toml of every system, by the system's name."""
    return {path.parent.name: path for path in sorted(GAMES.glob("*/game.toml"))}


def compile_system(system: str) -> Compiled:
    """Compile a game of this repository.

    Raises: CommandError for a system that does not exist; PackSourceError if its source is wrong.
    """
    games = find_games()
    if system not in games:
        raise CommandError(f"no system {system!r}: there are {', '.join(games)}")
    compiled = compile_file(games[system])
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


def build_into(folder: Path, systems: list[str] | None = None) -> list[Path]:
    """Compile systems (all by default) to `folder`/SYSTEM.tspk; a file that would not change is left alone.

    Returns: the files. Raises: CommandError, PackSourceError or OSError; the file of a broken pack is not touched.
    """
    files = []
    for system in find_games() if systems is None else systems:
        data = compile_system(system).data
        file = folder / f"{system}.tspk"
        if not file.exists() or file.read_bytes() != data:
            folder.mkdir(parents=True, exist_ok=True)
            replace_file(file, data)
        files.append(file)
    return files
