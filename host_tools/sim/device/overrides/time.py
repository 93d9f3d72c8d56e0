"""MicroPython's `time`, with the clock of the host."""

# mypy: ignore-errors
import sys

_path = sys.path
sys.path = ()  # now the built-in module is found instead of this one
try:
    from time import *  # noqa: F403
finally:
    sys.path = _path

from host import sleep, sleep_ms, sleep_us, ticks_add, ticks_diff, ticks_ms, ticks_us  # noqa: E402, F401
