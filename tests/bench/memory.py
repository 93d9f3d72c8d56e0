"""RAM on the MicroPython VMs: what each module and pack takes, and all of it in use."""

import ast
import tempfile
from pathlib import Path

from bench.vms import Vm, lay_out, micropythons, unix
from host_tools import firmware
from host_tools.errors import CommandError
from host_tools.packs.build import find_games

_STROKES = 4000
_HEAP_STROKES = 1000
_GAME_STROKES = 1500
_BUDGET = 120_000  # RAM in use on 32-bit words, the firmware from .mpy files
_ROM_BUDGET = 50_000  # the firmware frozen


def import_order() -> list[str]:
    """The modules of the firmware, each after those that it imports; so each pays for itself alone."""
    files = firmware.modules()
    order: list[str] = []

    def add(module: str) -> None:
        if module in order or module not in files:
            return
        add(module.rpartition(".")[0])
        for node in ast.parse(files[module].read_text()).body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    add(alias.name)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    add(f"{node.module}.{alias.name}")
                add(node.module or "")
        if module not in order:
            order.append(module)

    for module in files:
        add(module)
    return order


def screen_names() -> set[str]:
    """The names of the classes of screens, those that others are only derived from left out."""
    bases: dict[str, set[str]] = {}
    for module, file in firmware.modules().items():
        if module.startswith("tableside.ui."):
            for node in ast.parse(file.read_text()).body:
                if isinstance(node, ast.ClassDef):
                    bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    found = {"Screen"}
    while more := {name for name, parents in bases.items() if parents & found} - found:
        found |= more
    return {name for name in found if name[0] != "_"} - {"Screen", "ListScreen", "TextScreen", "Number", "Chance"}


def _measure(script: str, *args: object, vms: list[Vm] | None = None) -> dict[str, list[list[str]]]:
    """The words that a script prints, by the VM. Args: vms: on which; all by default."""
    found = {}
    for vm in micropythons() if vms is None else vms:
        with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
            lay_out(Path(folder), vm.layout, script)
            found[vm.name] = vm.run(Path(folder), script, *args)
    return found


def modules() -> None:
    """Print the size of every module and what it keeps once imported."""
    print("Modules: bytes of the .mpy file, and of RAM that importing it keeps (those it imports were there before)")
    measured = _measure("ram", *import_order())
    files = firmware.modules()
    with tempfile.TemporaryDirectory(prefix="tableside-") as name:
        folder = Path(name)
        lay_out(folder)
        sizes = {module: (folder / "lib" / firmware.file_name(module, file)).with_suffix(".mpy").stat().st_size
                 for module, file in files.items()}
    kept = {vm: {line[1]: int(line[2]) for line in lines if line[0] == "module"} for vm, lines in measured.items()}
    print(f"{'module':32}{'.mpy':>8}" + "".join(f"{vm:>14}" for vm in kept))
    for module in sorted(files):
        print(f"{module:32}{sizes[module]:8,}" + "".join(f"{by_name[module]:14,}" for by_name in kept.values()))
    print(f"{'all':32}{sum(sizes.values()):8,}" + "".join(f"{sum(by_name.values()):14,}" for by_name in kept.values()))
    print("The VM's tables of names grow in jumps: now and then a module pays for many that come after it.")


def packs() -> None:
    """Print what each pack takes, beside its source as JSON."""
    print("Packs: RAM of the pack open, with a session of its largest scenario, and of the same data as JSON")
    with tempfile.TemporaryDirectory(prefix="tableside-") as name:
        lay_out(Path(name))
        sizes = {file.stem: file.stat().st_size for file in (Path(name) / "packs").iterdir()}
    print(f"{'pack':16}{'file':>9}{'VM':>13}{'open':>8}{'in play':>9}{'JSON':>9}{'JSON/in play':>14}  largest")
    for vm, lines in _measure("ram", *import_order()).items():
        for kind, name, *figures in lines:
            if kind == "pack":
                opened, played, tree = map(int, figures[:3])
                print(f"{name:16}{sizes[name]:9,}{vm:>13}{opened:8,}{played:9,}{tree:9,}{tree / played:14.1f}"
                      f"  {figures[3]}")
            elif kind == "code" and int(figures[1]):  # comes before the pack's own line
                print(f"{name + ' ' + figures[0]:25}{vm:>13}{'':8}{'+' + figures[1]:>9}  of its code, once loaded")


def use() -> None:
    """Print what the whole firmware takes while a random hand walks through all screens."""
    print(f"In use: RAM of the firmware and an open game that {_STROKES} random strokes find: the most at the table,\n"
          "with no attack in hand, and on any screen")
    print(f"{'VM':13}{'at home':>10}{'at table':>10}{'most':>10}  {'at':24}{'screens':>8}  not seen")
    screens = screen_names()
    for vm, lines in _measure("use", _STROKES).items():
        words = {line[0]: line[1:] for line in lines}
        most, *where = words["most"]
        missed = sorted(screens - set(words["seen"]))
        home, table = int(words["home"][0]), int(words["table"][0])
        print(f"{vm:13}{home:10,}{table:10,}{int(most):10,}  {' of '.join(where):24}{len(words['seen']):8}  "
              f"{', '.join(missed) or '-'}")
    print(f"budgets: {_BUDGET:,} from .mpy files, {_ROM_BUDGET:,} frozen; from ROM is an upper bound of frozen")
    heap = smallest_heap()
    if heap:
        print(f"the smallest heap for {_HEAP_STROKES} of these strokes, garbage included: {heap} KiB with 64-bit words")


def games() -> None:
    """Print what the whole firmware takes in each game, beside the budget; for the words of the Pico."""
    print(f"Games: RAM of the firmware and an open game that {_GAME_STROKES} random strokes find in each:\n"
          "the most at the table, with no attack in hand, and on any screen")
    print(f"{'pack':16}{'VM':>13}{'at table':>10}{'budget':>10}{'left':>10}{'most':>10}  at")
    for vm in micropythons():
        if not vm.name.startswith("32"):
            continue
        budget = _ROM_BUDGET if vm.name.endswith("ROM") else _BUDGET
        for system in find_games():
            try:
                lines = _measure("use", _GAME_STROKES, system, vms=[vm])[vm.name]
            except CommandError as error:
                print(f"{system:16}{vm.name:>13} not measured: {error}")
                continue
            words = {line[0]: line[1:] for line in lines}
            table, most = int(words["table"][0]), int(words["most"][0])
            print(f"{system:16}{vm.name:>13}{table:10,}{budget:10,}{budget - table:10,}{most:10,}  {words['most'][1]}",
                  flush=True)


def smallest_heap() -> int | None:
    """The least KiB of heap in which the 64-bit VM runs the firmware, to within 4 KiB; None without that VM."""
    low, high = 64, 1024
    while high - low > 4:
        middle = (low + high) // 2
        vm = unix(f"{middle}k")
        if vm is None:
            return None
        with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
            lay_out(Path(folder))
            try:
                vm.run(Path(folder), "use", _HEAP_STROKES)
                high = middle
            except CommandError:
                low = middle
    return high
