"""Who may import whom, one spelling for every module, and imports that do nothing."""

import ast
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FIRMWARE = ROOT / "firmware"
# Layer -> what it may import of this repository. `games` is every games/*/rules.py.
ALLOWED = {
    "core": {"core"},
    "rules": {"core", "rules"},
    "ui": {"core", "rules", "ui"},
    "hw": {"hw"},
    "games": {"core", "rules"},
    "main": {"core", "rules", "ui", "hw", "games", "boards"},
    "host_tools": {"core", "rules", "ui", "games", "host_tools"},
}
LAYERS = ("core", "rules", "ui", "hw")


def layer_of(module: str, own: set[str]) -> str | None:
    """The layer a dotted name belongs to; None for what is not ours; the name itself if it is spelt wrongly.

    Args: own: the names of all our modules without their folders.
    """
    first, _, rest = module.partition(".")
    if first == "tableside":
        return rest.split(".")[0] if rest else module
    if first in ("host_tools", "games", "boards"):
        return first
    return module if first in own or first in ("firmware", *LAYERS) else None


def imports_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything imported; a relative import begins with a dot."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            if name in ("tableside", "tableside.core"):  # from tableside.core import deck
                yield from ((node.lineno, f"{name}.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, name
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "importlib.import_module"):
            text = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            if isinstance(text, str):
                yield node.lineno, text


def wrong_imports(layer: str, source: str, own: set[str] = frozenset()) -> list[str]:
    """The imports that a module of `layer` must not have, as "LINE: NAME"."""
    found = []
    for line, name in imports_of(ast.parse(source)):
        target = name if name.startswith(".") else layer_of(name, own)
        if target is not None and target not in ALLOWED[layer]:
            found.append(f"{line}: {name}")
    return found


def modules() -> list[tuple[str, Path]]:
    """(layer, file) of everything that obeys these rules."""
    found = [(layer, path) for layer in LAYERS for path in sorted((FIRMWARE / "tableside" / layer).rglob("*.py"))]
    found += [("games", path) for path in sorted((FIRMWARE / "games").rglob("*.py"))]
    found += [("main", path) for path in sorted(FIRMWARE.glob("*.py"))]
    found += [("host_tools", path) for path in sorted((ROOT / "host_tools").rglob("*.py"))]
    return found


def names_of_ours() -> set[str]:
    """Module names that are wrong when spelt without their folder, except those the libraries use too."""
    own = {path.stem for _, path in modules()} - {"__init__", "__main__"}
    return own & {path.stem for path in (FIRMWARE / "tableside").rglob("*.py")} - {"input"} 


@pytest.mark.parametrize(("layer", "path"), modules(), ids=lambda value: value.stem if isinstance(value, Path) else value)
def test_import_directions(layer: str, path: Path) -> None:
    assert wrong_imports(layer, path.read_text(), names_of_ours()) == []


@pytest.mark.parametrize(("layer", "line"), [
    ("core", "from tableside.ui.canvas import Canvas"),
    ("core", "import tableside.hw.store"),
    ("core", "from tableside import ui"),
    ("core", "import tableside"),
    ("core", "from .deck import draw"),
    ("core", "from . import deck"),
    ("core", "from deck import draw"),
    ("core", "import core.deck"),
    ("core", "from firmware.tableside.core import deck"),
    ("core", "def later():\n    from tableside.rules import attack"),
    ("rules", "from tableside.ui import menu"),
    ("ui", "from tableside.hw.ssd1306 import SSD1306"),
    ("ui", "__import__('tableside.hw.store')"),
    ("hw", "from tableside.core.errors import CoreError"),
    ("games", "from tableside.ui import menu"),
    ("games", "import games.nemesis.rules"),
    ("main", "from host_tools.cli import main"),
    ("core", "import host_tools"),
    ("host_tools", "from tableside.hw.store import Store"),
    ("host_tools", "from tableside import hw"),
    ("host_tools", "import tableside.hw.store as store"),
])
def test_a_wrong_import_is_found(layer: str, line: str) -> None:
    assert len(wrong_imports(layer, line, names_of_ours())) == 1


def test_right_imports_pass() -> None:
    assert wrong_imports("core", "import struct\nfrom tableside.core import deck\nfrom tableside.core.rng import Rng") == []
    assert wrong_imports("ui", "import framebuf\nfrom tableside.ui.menu import Menu\nfrom tableside.rules import a") == []


PROBE = """
import json, os, sys
before = set(sys.modules)
name, heap = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
__import__(name)
own = sorted(m for m in set(sys.modules) - before if m.split(".")[0] not in ("tableside", "games"))
print(json.dumps(own))
"""


def importable() -> list[str]:
    """The dotted names of all firmware modules but main.py."""
    files = [path for layer, path in modules() if layer in (*LAYERS, "games")]
    return [".".join(path.relative_to(FIRMWARE).with_suffix("").parts) for path in files if path.stem != "__init__"]


@pytest.fixture(scope="module")
def seen_on_import(micropython: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[object]]:
    """Import everything on the VM, each module on a VM of its own and in an empty folder."""
    return {}


def test_importing_does_nothing(micropython: str, tmp_path: Path) -> None:
    pass


_ = (json, os, subprocess, PROBE)
