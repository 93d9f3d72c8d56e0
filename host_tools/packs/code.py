"""The code of a pack: the modules beside its game.toml, with the texts and tables that they read."""

import ast
import hashlib
import importlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from host_tools.bytecode import compile_source
from host_tools.errors import CommandError
from host_tools.fold import fold
from host_tools.packs import schema
from host_tools.packs.writer import Fault, Writer
from tableside.core import load, pack

_FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
_NO_LINES = "-O3"  # tracebacks name functions; line numbers would take a tenth more
_TEXT, _TABLE = "T_", "TABLE_"  # constants of the code that number its texts and tables


@dataclass
class Code:
    """What the compiler needs to know of a pack's code."""

    calls: list[str] = field(default_factory=list)


def write_code(writer: Writer, game: schema.Game, file: Path, fault: Fault) -> Code:
    """Write the sections of a pack's code. Returns: what its data may call; nothing for a pack without code."""
    if game.code is None:
        return Code()
    texts = _texts(game.code)
    writer.run(pack.WORD, [(writer.plain(text, f"code.text.{name}"),) for name, lines in texts.items()
                           for text in lines], key=("code",))
    _write_tables(writer, game.code, fault)
    folder = file.resolve().parent
    sources = {source.stem: source.read_bytes() for source in sorted(folder.glob("*.py"))}
    if load.MAIN not in sources or folder.parent.name != load.PACKAGE or folder.name != game.pack.id:
        fault("code", f"needs {load.PACKAGE}/{game.pack.id}/{load.MAIN}.py, and game.toml beside it")
        return Code()
    try:
        _write_modules(writer, game.pack.id, sources)
        modules = _imported(folder, sources)
    except Exception as error:  # noqa: BLE001 - the code may fail in any way
        fault("code", str(error) if isinstance(error, CommandError) else f"cannot be imported: {error!r}")
        return Code()
    _check_constants(modules, texts, list(game.code.table), fault)
    return Code(list(modules[load.MAIN].CALLS))


def _texts(code: schema.Code) -> dict[str, list[str]]:
    return {name: text if isinstance(text, list) else [text] for name, text in code.text.items()}


def _write_tables(writer: Writer, code: schema.Code, fault: Fault) -> None:
    rows = []
    for name, table in code.table.items():
        if len({len(row) for row in table}) != 1:
            fault(f"code.table.{name}", "needs rows of the same length")
            continue
        data = bytes(number for row in table for number in row)
        rows.append((writer.append(pack.FIGURE, data), len(data), len(table[0])))
    writer.run(pack.FIGURES, rows)


def _write_modules(writer: Writer, system: str, sources: dict[str, bytes]) -> None:
    names = {f"{load.PACKAGE}.{system}.{name}": source.decode() for name, source in sources.items()}
    folded = fold({**_reached(names.values()), **names})
    rows = []
    for name, source in sources.items():
        module = f"{load.PACKAGE}.{system}.{name}"
        compiled = compile_source(folded[module], module.replace(".", "/") + ".py", _NO_LINES)
        rows.append((writer.fixed(name), writer.append(pack.CODE, compiled), len(compiled),
                     hashlib.sha256(source).digest()[:8]))
    writer.run(pack.MODULE, rows)


def _reached(sources: Iterable[str]) -> dict[str, str]:
    """The modules of the firmware whose constants these sources may use, by dotted name."""
    found: dict[str, str] = {}
    todo = list(sources)
    while todo:
        for node in ast.walk(ast.parse(todo.pop())):
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                    path = _FIRMWARE.joinpath(*name.split(".")).with_suffix(".py")
                    if name not in found and name.startswith("tableside.") and path.is_file():
                        found[name] = path.read_text(encoding="utf-8")
                        todo.append(found[name])
    return found


def _imported(folder: Path, sources: dict[str, bytes]) -> dict[str, ModuleType]:
    """The modules as this process sees them; from now on a session may load them."""
    path = str(folder.parents[1])
    if path in sys.path:
        sys.path.remove(path)
    sys.path.insert(0, path)  # before another game of this name
    load.forget()
    importlib.invalidate_caches()
    return {name: importlib.import_module(f"{load.PACKAGE}.{folder.name}.{name}") for name in sources}


def _check_constants(modules: dict[str, ModuleType], texts: dict[str, list[str]], tables: list[str],
                     fault: Fault) -> None:
    """Constants such as T_WHICH_MARINE and TABLE_EVENTS must be the numbers that the pack gives."""
    right: dict[str, int] = {_constant(_TABLE, name): number for number, name in enumerate(tables)}
    first = 0
    for name, lines in texts.items():
        right[_constant(_TEXT, name)] = first
        first += len(lines)
    for name, module in modules.items():
        for constant, value in vars(module).items():
            if constant.startswith((_TEXT, _TABLE)) and value != right.get(constant):
                known = f"must be {right[constant]}" if constant in right else "has no text or table of this name"
                fault("code", f"{name}.{constant} {known}, got {value}")


def _constant(prefix: str, name: str) -> str:
    return prefix + name.upper().replace("-", "_")
