"""Time differences around the wrap."""

from tableside.core.ticks import MASK, ticks_diff

HALF = (MASK + 1) // 2


def test_small_differences_everywhere():
    for at in (0, 1, 1000, HALF - 1, HALF, HALF + 1, MASK - 1, MASK):
        for gap in (0, 1, 20, 86_400_000):
            later = (at + gap) & MASK
            assert ticks_diff(later, at) == gap
            assert ticks_diff(at, later) == -gap


def test_the_wrap_itself():
    assert ticks_diff(0, MASK) == 1
    assert ticks_diff(MASK, 0) == -1
    assert ticks_diff(5, MASK - 4) == 10


def test_the_farthest_that_is_still_right():
    for at in (0, 7, HALF, MASK):
        assert ticks_diff((at + HALF - 1) & MASK, at) == HALF - 1
        assert ticks_diff((at - HALF) & MASK, at) == -HALF


def test_results_are_small_integers_of_the_pico():
    for later in (0, 1, HALF - 1, HALF, MASK):
        for earlier in (0, 1, HALF - 1, HALF, MASK):
            assert -(1 << 30) <= ticks_diff(later, earlier) < 1 << 30
