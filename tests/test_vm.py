"""The portable tests on the real MicroPython VM, with a small heap and the firmware compiled as on a device."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from vms import compiled

from host_tools.firmware import FIRMWARE

TESTS = Path(__file__).parent
MODULES = sorted(path.stem for path in (TESTS / "portable").glob("test_*.py"))
HEAP = "512k"  # words have 8 bytes here, twice those of a Pico; the tests are compiled and kept in it too


def run(command: list[str], firmware: Path = FIRMWARE) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "MICROPYPATH": f"{firmware}:{TESTS / 'portable'}"}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=100, cwd=TESTS.parent, check=False)


@pytest.fixture(scope="module")
def collected() -> dict[str, int]:
    """How many tests pytest finds in each portable module."""
    listing = run([sys.executable, "-m", "pytest", "--collect-only", "-qq", "-o", "addopts=", "tests/portable"])
    return {name: int(count) for name, count in re.findall(r"(\w+)\.py: (\d+)", listing.stdout)}


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled firmware."""
    return compiled(tmp_path_factory.mktemp("firmware"))


@pytest.mark.parametrize("module", MODULES)
def test_on_micropython(module: str, micropython: str, collected: dict[str, int], device: Path) -> None:
    done = run([micropython, "-X", f"heapsize={HEAP}", str(TESTS / "portable" / "run_vm.py"), module], device)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"{collected[module]} passed, 0 failed"
