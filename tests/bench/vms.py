"""The VMs that bench scripts run on, and a folder like the Pico's with the firmware compiled by mpy-cross.

The Pico's words have 32 bits. The VM with such words that runs anywhere is MicroPython's port to WebAssembly: an npm
package, put into build/npm the first time. Where node or npm is missing, that VM is missing too, and the bench says so.
"""

import contextlib
import io
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

from mpremote.romfs import make_romfs

from host_tools.errors import CommandError
from host_tools.firmware import BOARDS, FIRMWARE, ROOT, compiled_modules, file_name, modules
from host_tools.packs.build import find_games
from host_tools.packs.compiler import compile_file
from host_tools.sim.bridge import find_micropython

SCRIPTS = Path(__file__).resolve().parent / "vm"
_TESTS = ROOT / "tests"
_NPM = ROOT / "build" / "npm"
_WASM = "@micropython/micropython-webassembly-pyscript"
_WASM_VERSION = "1.28.0-6"
_LONGEST_S = 900


class Vm(NamedTuple):
    """A VM: what to call it, the command that runs a script of a folder, and what it takes the firmware from."""

    name: str
    command: list[str]
    layout: str  # see `lay_out`

    def run(self, folder: Path, script: str, *args: object) -> list[list[str]]:
        """Run a script of `vm/` in a folder made by `lay_out`. Returns: the words of the lines that it printed."""
        command = [*self.command, str(folder), script, *map(str, args)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=_LONGEST_S, check=False)
        if done.returncode:
            last = (done.stderr.strip() or done.stdout.strip() or "no word").splitlines()[-1]
            raise CommandError(f"{script} on {self.name} failed: {last}")
        return [line.split() for line in done.stdout.splitlines()]


def cpython() -> Vm:
    """This Python."""
    return Vm("CPython", [sys.executable, "-SB", str(SCRIPTS / "run.py")], "py")


def unix(heap: str = "4m") -> Vm | None:
    """MicroPython with 64-bit words. Args: heap: its size."""
    found = find_micropython()
    return Vm("64-bit", [found, "-X", f"heapsize={heap}", str(SCRIPTS / "run.py")], "mpy") if found else None


def wasm() -> Vm | str:
    """MicroPython with 32-bit words, or why there is none."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node:
        return "node is not installed"
    package = _NPM / "node_modules" / _WASM
    if not (package / "package.json").is_file() or _version(package) != _WASM_VERSION:
        if not npm:
            return "npm is not installed"
        print(f"installing {_WASM} {_WASM_VERSION} into {_NPM}", file=sys.stderr)
        _NPM.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([npm, "install", "--prefix", str(_NPM), "--no-audit", "--no-fund", "--fetch-retries=0",
                               f"{_WASM}@{_WASM_VERSION}"], capture_output=True, timeout=_LONGEST_S, check=False)
        if done.returncode:
            return f"npm could not install {_WASM} {_WASM_VERSION}"
    return Vm("32-bit", [node, str(SCRIPTS / "wasm.mjs"), str(package / "micropython.mjs")], "mpy")


def from_rom(vm: Vm) -> Vm:
    """The 32-bit VM with the firmware in a ROM image; it takes a little more RAM than a frozen one."""
    return vm._replace(name=vm.name + " ROM", layout="rom")


def _version(package: Path) -> str:
    return json.loads((package / "package.json").read_text())["version"]


def micropythons() -> list[Vm]:
    """The MicroPython VMs that there are, the Pico's words first. Says which are missing."""
    found: list[Vm] = []
    thirty_two = wasm()
    if isinstance(thirty_two, Vm):
        found += [thirty_two, from_rom(thirty_two)]
    else:
        print(f"32-bit figures: not measured, {thirty_two}")
    sixty_four = unix()
    if sixty_four:
        found.append(sixty_four)
    else:
        print("64-bit figures: not measured, there is no micropython command")
    return found


def pack_sources() -> list[Path]:
    """Every game, then the packs of the tests."""
    return [*find_games().values(), *sorted((_TESTS / "data").glob("*.toml"))]


def lay_out(folder: Path, layout: str = "mpy", program: str = "use") -> None:
    """Fill an empty folder: scripts, `lib` with the firmware, `packs`, and `trees` with the packs' sources as JSON.

    Args: layout: "py" for sources; "mpy" for compiled files, as on the Pico; "rom" for those in an image `lib.romfs`
        instead of `lib`, which are run where they are, much as in a frozen build; program: the script that will run:
        what it mentions of the firmware keeps its name.
    """
    support = _TESTS / "portable" / "support.py"
    for file in (*SCRIPTS.glob("*.py"), support):
        shutil.copy(file, folder)
    users = [SCRIPTS / "run.py", SCRIPTS / "hand.py", SCRIPTS / f"{program}.py"]
    if "from support" in users[2].read_text():
        users.append(support)
    lib = folder / "lib"
    for new in (lib, folder / "packs", folder / "trees"):
        new.mkdir()
    for source in pack_sources():
        pack = compile_file(source)
        (folder / "packs" / f"{pack.id}.tspk").write_bytes(pack.data)
        (folder / "trees" / f"{pack.id}.json").write_text(json.dumps(tomllib.loads(source.read_text())))
    (lib / "machine.py").write_text("")  # enough to import the device
    files = {"board.py": (BOARDS / "pico" / "board.py").read_bytes()}
    if layout == "py":
        files |= {file_name(module, file): file.read_bytes() for module, file in modules().items()}
        files |= {str(file.relative_to(FIRMWARE)): file.read_bytes() for file in FIRMWARE.glob("games/*/*.py")}
    else:
        files |= compiled_modules([file.read_text() for file in users])
    for name, data in files.items():
        (lib / name).parent.mkdir(parents=True, exist_ok=True)
        (lib / name).write_bytes(data)
    if layout == "rom":
        with contextlib.redirect_stdout(io.StringIO()):
            image = make_romfs(str(lib), mpy_cross=False)
        (folder / "lib.romfs").write_bytes(image)
        shutil.rmtree(lib)
