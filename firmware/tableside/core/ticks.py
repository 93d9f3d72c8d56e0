"""Comparing times that wrap. Every host gives milliseconds in 0 .. 2**30 - 1 (the small integers of the Pico)."""

MASK = 0x3FFFFFFF
_HALF = 0x1FFFFFFF


def ticks_diff(later, earlier):
    """Milliseconds from `earlier` to `later`, negative if `later` is in fact earlier; right up to 2**29 apart."""
    gap = (later - earlier) & MASK
    return gap - MASK - 1 if gap > _HALF else gap
