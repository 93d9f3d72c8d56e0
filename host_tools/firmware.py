"""The files of a device: the firmware compiled by mpy-cross, a board, and packs."""

from collections.abc import Iterable
from pathlib import Path

from host_tools.bytecode import compile_source
from host_tools.errors import CommandError
from host_tools.fold import fold
from host_tools.interface import READER, english, languages, uses
from host_tools.packs.build import compile_system, find_games
from host_tools.shorten import shorten

ROOT = Path(__file__).resolve().parents[1]
FIRMWARE = ROOT / "firmware"
BOARDS = ROOT / "boards"
ON_DEVICE = ROOT / "host_tools" / "on_device"  # what the host has a device do
LANGUAGES = "languages"  # a folder of the firmware, and of a device
LOWEST_MICROPYTHON = (1, 24)  # what the firmware runs on; its bytecode is that of 1.23 and later


def modules() -> dict[str, Path]:
    """Every module of the package `tableside`: its dotted name and its file."""
    found = {}
    for file in sorted((FIRMWARE / "tableside").rglob("*.py")):
        parts = file.relative_to(FIRMWARE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def file_name(module: str, file: Path) -> str:
    """Where the source of a module would be on the device."""
    return module.replace(".", "/") + ("/__init__.py" if file.name == "__init__.py" else ".py")


def sources() -> dict[str, str]:
    """What each module says, by its dotted name."""
    return {module: file.read_text(encoding="utf-8") for module, file in modules().items()}


def language_files() -> dict[str, bytes]:
    """The languages of the interface: contents by path on the device. Raises: CommandError for a wrong translation."""
    return {f"{LANGUAGES}/{code}.tsl": data for code, data in languages(sources(), FIRMWARE / LANGUAGES).items()}


def write_languages(folder: Path) -> None:
    """Put the languages of the interface into the folder of a device. Raises: CommandError; OSError."""
    (folder / LANGUAGES).mkdir(parents=True, exist_ok=True)
    for path, data in language_files().items():
        (folder / path).write_bytes(data)


def folded_modules(users: Iterable[str] = ()) -> dict[str, str]:
    """The sources of `tableside` with their constants folded and short private names, by path on the device.

    Args: users: sources of programs beside the firmware that read its constants.
    """
    files, read = modules(), sources()
    beside = [FIRMWARE / "main.py", *FIRMWARE.glob("games/*/*.py"), *ON_DEVICE.glob("*.py")]
    users = list(users)
    folded = shorten(fold(read, users, uses(english(read), read), READER),
                     [*users, *(file.read_text(encoding="utf-8") for file in beside)])
    return {file_name(module, file): folded[module] for module, file in files.items()}


def compiled_modules(users: Iterable[str] = ()) -> dict[str, bytes]:
    """What `folded_modules` gives, in bytecode, and its texts: contents by path on the device. Raises: CommandError.

    Tracebacks name the module, a name that the VM keeps anyway: each path of a source would stay in RAM for ever.
    """
    names = {file_name(module, file): module for module, file in modules().items()}
    compiled = {name[:-2] + "mpy": compile_source(source, names[name])
                for name, source in folded_modules(users).items()}
    return {**compiled, **language_files()}


def board_file(board: str) -> Path:
    """The board.py of a folder of boards/. Raises: CommandError naming those there are."""
    path = BOARDS / board / "board.py"
    if not path.is_file():
        names = sorted(file.parent.name for file in BOARDS.glob("*/board.py"))
        raise CommandError(f"no board {board!r}: there are {', '.join(names)}")
    return path


def app_files() -> dict[str, bytes]:
    """The app as it is on a device: contents by path. Raises: CommandError for a source that is wrong."""
    return {"main.py": (FIRMWARE / "main.py").read_bytes(), **compiled_modules()}


def pack_files(systems: list[str]) -> dict[str, bytes]:
    """The packs of these systems, none for all of them. Raises: CommandError for one there is not; PackSourceError."""
    return {f"packs/{system}.tspk": compile_system(system).data for system in systems or find_games()}


def device_files(board: str, systems: list[str]) -> dict[str, bytes]:
    """What the flash of a device holds before its first start: contents by path.

    Args: board: a folder of boards/; systems: folders of firmware/games, none for all of them.
    Raises: CommandError for a board, a system or a source that there is not, or that is wrong; PackSourceError.
    """
    return {"board.py": board_file(board).read_bytes(), **app_files(), **pack_files(systems)}
