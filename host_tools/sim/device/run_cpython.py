"""Runs the firmware on CPython: `python -I run_cpython.py MAIN FOLDER...` with the folders that hold its modules.

The standard library gets what MicroPython's has on top of it.
"""

import gc
import os
import runpy
import sys
import time
import traceback
from typing import TextIO


def print_exception(error: BaseException, file: TextIO | None = None) -> None:
    """`sys.print_exception` of MicroPython, which prints to the serial line."""
    traceback.print_exception(error, file=file or sys.stdout)


def run(main: str, folders: list[str]) -> None:
    """Run a main program as the device would."""
    sys.path[:0] = folders
    import host

    sys.print_exception = print_exception  # type: ignore[attr-defined]
    for name in ("sleep", "sleep_ms", "sleep_us", "ticks_add", "ticks_diff", "ticks_ms", "ticks_us"):
        setattr(time, name, getattr(host, name))
    gc.mem_free = lambda: 0  # type: ignore[attr-defined]  # nobody counts it here
    if os.getenv("TABLESIDE_SEED"):
        os.urandom = host.urandom
    runpy.run_path(main, run_name="__main__")


run(sys.argv[1], sys.argv[2:])
