"""Random presses on the MicroPython VM, with the firmware compiled as on a device.

`TABLESIDE_PRESSES` says how many, `TABLESIDE_TEST_SEED` which ones.

What must be visited comes from the source: every screen, and every command that the screens can give. The long form
demands each of them often.
"""

import ast
import os
import re
from pathlib import Path

from vms import SEED, compiled, interpreters, run_script

from tableside.core.commands import NAMES

PRESSES = int(os.environ.get("TABLESIDE_PRESSES", "1500"))
LONG = 100_000
OFTEN = 20
HEAP = "400k"  # words of 64 bits: about as much as a Pico's heap of 240k with words of 32
UI = Path(__file__).parent.parent / "firmware" / "tableside" / "ui"


def screens() -> set[str]:
    """Every class of the interface that is derived from Screen and from which no other one is derived."""
    bases: dict[str, set[str]] = {}
    for file in UI.glob("*.py"):
        for item in ast.walk(ast.parse(file.read_text())):
            if isinstance(item, ast.ClassDef):
                bases[item.name] = {ast.unparse(base).rpartition(".")[2] for base in item.bases}
    found = {"Screen"}
    while more := {name for name in bases if bases[name] & found} - found:
        found |= more
    return found - {base for name in found for base in bases[name]}


def given_commands() -> set[str]:
    """The commands that the sources of the interface name, and undo and redo."""
    named = {word.lower() for file in UI.glob("*.py") for word in re.findall(r"commands\.([A-Z]+)\b", file.read_text())}
    return named & set(NAMES) | {"undo", "redo"}


def test_random_presses_find_no_error(micropython: str, packs: Path, tmp_path: Path) -> None:
    command = interpreters(micropython, HEAP)["micropython"]
    device = tmp_path / "device"
    device.mkdir()
    lines = run_script(command, "random_presses.py", device, SEED, PRESSES, timeout_s=180 + PRESSES / 50,
                       firmware=compiled(tmp_path / "firmware"))
    print(f"\nseed {SEED}, {PRESSES} presses", *lines, sep="\n")
    visits = {(kind, name): int(count) for kind, name, count in re.findall(r"(\w+) (\w+) (\d+)\n", "\n".join(lines))}
    required = {("screen", name) for name in screens()} | {("command", name) for name in given_commands()}
    seldom = {f"{kind} {name}": visits.get((kind, name), 0)
              for kind, name in sorted(required) if visits.get((kind, name), 0) < OFTEN}
    assert len(required & set(visits)) > len(required) / 2, f"hardly anything was visited: {seldom}"
    assert not seldom or PRESSES < LONG, f"fewer than {OFTEN} visits: {seldom}"
    assert any(line.startswith("heap lowest") for line in lines)
