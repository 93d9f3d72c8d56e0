"""Running the scripts of tests/vm on both VMs."""

import os
import subprocess
import sys
from pathlib import Path

from host_tools.firmware import FIRMWARE, compiled_modules

TESTS = Path(__file__).parent
SEED = os.environ.get("TABLESIDE_TEST_SEED", "1")


def run_script(interpreter: list[str], script: str, *args: object, timeout_s: float = 300,
               firmware: Path = FIRMWARE) -> list[str]:
    """Run a script of tests/vm; its printed lines. It fails the test if it fails or takes too long.

    Args: firmware: the folder of the package `tableside`, see `compiled`.
    """
    paths = [str(firmware), str(TESTS / "portable"), str(TESTS / "vm")]
    env = {**os.environ, "MICROPYPATH": ":".join(paths), "PYTHONPATH": os.pathsep.join(paths)}
    command = [*interpreter, str(TESTS / "vm" / script), *map(str, args)]
    try:
        done = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired as late:
        raise AssertionError(f"{command} hangs, its last words: {(late.stdout or b'')[-1000:]!r}") from None
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout.splitlines()


def compiled(folder: Path) -> Path:
    """The firmware as it is put on a device, in a folder that is made."""
    users = [file.read_text() for part in ("vm", "portable") for file in (TESTS / part).glob("*.py")]
    for name, data in compiled_modules(users).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def interpreters(micropython: str, heap: str) -> dict[str, list[str]]:
    """The command line of each VM, by its name."""
    return {"micropython": [micropython, "-X", f"heapsize={heap}"], "cpython": [sys.executable]}
