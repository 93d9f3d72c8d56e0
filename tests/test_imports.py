"""Who may import whom, one spelling for every module, and imports that do nothing."""

import ast
import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from vms import compiled

ROOT = Path(__file__).parents[1]
FIRMWARE = ROOT / "firmware"
LAYERS = ("core", "rules", "ui", "hw")
# Layer -> what of this repository it may import. `games` is the code of every pack; it may also import its own modules.
ALLOWED = {
    "core": {"core"},
    "rules": {"core", "rules"},
    "ui": {"core", "rules", "ui"},
    "hw": {"hw"},
    "games": {"core", "rules"},
    "board_file": set(),
    "main": {"core", "rules", "ui", "hw", "games", "boards", "board_file", "device", "start"},
    "host_tools": {"core", "rules", "ui", "games", "board_file", "host_tools"},
}
SHORT_NAMES = {path.stem for path in (FIRMWARE / "tableside").rglob("*.py")} - {"__init__"}


def layer_of(name: str) -> str | None:
    """The layer of a dotted name; None if anyone may import it; the name itself if it is a wrong spelling of ours."""
    first, _, rest = name.partition(".")
    if first == "tableside":
        return None if rest == "VERSION" else rest.split(".")[0] or name
    if first in ("host_tools", "games"):
        return first
    if first == "board":
        return "boards"
    wrong = first in SHORT_NAMES or first in ("", "firmware", *LAYERS)
    return name if wrong else None


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        name = "." * node.level + (node.module or "")
        return [f"{name}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "importlib.import_module"):
        return [node.args[0].value] if isinstance(node.args[0], ast.Constant) else []
    return []


def imports_of(source: str, top_only: bool = False) -> Iterator[str]:
    """The dotted name of everything that a source imports."""
    tree = ast.parse(source)
    for node in tree.body if top_only else ast.walk(tree):
        yield from _names(node)


def wrong_imports(layer: str, source: str, own: str = "none") -> list[str]:
    """What a module of `layer` imports and must not. Args: own: a package that may import itself."""
    return [name for name in imports_of(source)
            if layer_of(name) not in {None, *ALLOWED[layer]} and not name.startswith(own + ".")]


def sources() -> list[tuple[str, Path]]:
    """(layer, file) of everything that keeps to these rules."""
    folders = [(layer, FIRMWARE / "tableside" / layer) for layer in LAYERS]
    folders += [("games", FIRMWARE / "games"), ("host_tools", ROOT / "host_tools")]
    found = [(layer, path) for layer, folder in folders for path in sorted(folder.rglob("*.py"))]
    return [("core", FIRMWARE / "tableside" / "__init__.py"), ("main", FIRMWARE / "tableside" / "device.py"),
            ("main", FIRMWARE / "tableside" / "start.py"),
            ("board_file", FIRMWARE / "tableside" / "board_file.py"),
            ("main", FIRMWARE / "main.py"), *found]


@pytest.mark.parametrize("layer", ALLOWED)
def test_import_directions(layer: str) -> None:
    found = {str(path.relative_to(ROOT)): wrong_imports(layer, path.read_text(), f"games.{path.parent.name}")
             for other, path in sources() if other == layer}
    assert {path: names for path, names in found.items() if names} == {}


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
    ("core", "import host_tools"),
    ("rules", "from tableside.ui import menu"),
    ("ui", "from tableside.hw.ssd1306 import SSD1306"),
    ("ui", "__import__('tableside.hw.store')"),
    ("hw", "from tableside.core.errors import CoreError"),
    ("hw", "import board"),
    ("hw", "from tableside import board_file"),
    ("board_file", "import tableside.core.errors"),
    ("games", "from tableside.ui import menu"),
    ("games", "import games.nemesis.rules"),
    ("main", "from host_tools.cli import main"),
    ("host_tools", "from tableside.hw.store import Store"),
    ("host_tools", "from tableside import hw"),
    ("host_tools", "import tableside.hw.store as store"),
])
def test_a_wrong_import_is_found(layer: str, line: str) -> None:
    assert len(wrong_imports(layer, line)) == 1


def test_right_imports_pass() -> None:
    assert wrong_imports("core", "import struct\nfrom tableside.core import deck\nfrom tableside import VERSION") == []
    assert wrong_imports("games", "from games.nim.words import line", "games.nim") == []
    assert wrong_imports("ui", "import framebuf\nfrom tableside.ui.menu import Menu\nimport tableside.rules.a") == []


# On the VM: import each module into an empty interpreter state; print [module, new modules].
PROBE = """
import builtins, json, sys

def refuse(*args):
    raise OSError("a file is opened on import: %r" % (args,))

builtins.open = refuse
before = set(sys.modules)
for name in sys.argv[1:]:
    __import__(name)
    new = {m: getattr(sys.modules[m], "__file__", m) for m in sys.modules if m not in before}
    print(json.dumps([name, new]))
    for m in new:
        del sys.modules[m]
"""


def file_of(module: str) -> Path:
    path = FIRMWARE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def reached(module: str) -> set[str]:
    """A module, its packages, and what all of them import at the top, as far as it is firmware."""
    found: set[str] = set()
    todo = [module]
    while todo:
        parts = todo.pop().split(".")
        for size in range(1, len(parts) + 1):
            name = ".".join(parts[:size])
            file = file_of(name)
            if name not in found and (file.exists() or file.parent.is_dir() and file.stem == "__init__"):
                found.add(name)  # a folder of packs' code is a package, too
                todo += imports_of(file.read_text(), top_only=True) if file.exists() else []
    return found


def probe(micropython: str, folder: Path, path: str, modules: list[str]) -> dict[str, dict[str, str]]:
    """What importing each module brings into sys.modules; fails if it prints, or opens or leaves a file."""
    folder.mkdir()
    done = subprocess.run([micropython, "-c", PROBE, *modules], env={**os.environ, "MICROPYPATH": path}, cwd=folder,
                          capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    printed = [line for line in done.stdout.splitlines() if not line.startswith('["')]
    assert printed == [], "printed on import"
    assert list(folder.iterdir()) == []
    return dict(json.loads(line) for line in done.stdout.splitlines())


def test_importing_does_nothing(micropython: str, tmp_path: Path) -> None:
    modules = [".".join(path.relative_to(FIRMWARE).with_suffix("").parts)
               for layer, path in sources() if layer in (*LAYERS, "games", "board_file") and path.stem != "__init__"]
    seen = probe(micropython, tmp_path / "empty", str(FIRMWARE), modules)
    assert list(seen) == modules
    for module, new in seen.items():
        assert set(new) <= reached(module), f"importing {module}"
        assert len(set(new.values())) == len(new), f"{module}: a file under two names"


@pytest.mark.parametrize("body", ["print('hello')", "open('x', 'w')", "import os\nos.mkdir('x')", "1 / 0"])
def test_an_import_that_does_something_is_found(micropython: str, tmp_path: Path, body: str) -> None:
    (tmp_path / "noisy.py").write_text(body)
    with pytest.raises(AssertionError):
        probe(micropython, tmp_path / "empty", str(tmp_path), ["noisy"])


# On the VM: what goes again with the modules that make a game or a screen.
MAKERS = """
import json, sys
import tableside.hw.files
import tableside.ui.app
from tableside.ui.modules import Modules

modules = Modules()
for name in sys.argv[1:]:
    modules.get(name)
before = set(sys.modules)
modules.forget(lambda path: False)
print(json.dumps(sorted(before - set(sys.modules))))
"""


def test_what_games_and_screens_are_made_of_stays_without_them(micropython: str, tmp_path: Path) -> None:
    makers = ["tableside.hw.installed", "tableside.hw.store", "tableside.ui.games", "tableside.ui.home"]
    env = {**os.environ, "MICROPYPATH": str(compiled(tmp_path))}
    done = subprocess.run([micropython, "-c", MAKERS, *makers], env=env, capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["tableside.core.opening", *makers]


def test_every_screen_that_is_imported_when_needed_is_known_to_the_app() -> None:
    files = [*(FIRMWARE / "tableside" / "ui").glob("*.py")]
    opened = {name for file in files for name in re.findall(r'"(\w+)\.[A-Z]\w+"', file.read_text())} - {"module"}
    known = re.search(r"SCREENS = \((.*?)\n\)", (FIRMWARE / "tableside" / "ui" / "modules.py").read_text(), re.S)
    assert known
    named = re.findall(r'"(\w+)"', known[1])
    assert opened <= {*named}
    assert all((FIRMWARE / "tableside" / "ui" / f"{name}.py").is_file() for name in named)
