"""The time of the device."""

import time

_MASK = 0x3FFFFFFF


def now_ms():
    """Milliseconds since some moment, wrapping at 2**30 on every host."""
    return time.ticks_ms() & _MASK  # type: ignore[operator]  # an int, but the stubs hide it
