"""Timelines of the buttons: bounce, long presses at the limit, stalls, repeats and the wrap of the clock."""

from tableside.core.ticks import MASK
from tableside.ui import input as keys
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP, Input


def play(timeline, start_ms=1000, step_ms=5, until_ms=0, keys=4, turned=False):
    """Events of a timeline of (ms, level mask): the level holds until the next entry. Edges are latched as on a pin."""
    buttons = Input(keys)
    buttons.turned = turned
    events = []
    level = edges = at = 0
    end_ms = until_ms or timeline[len(timeline) - 1][0] + 200
    for ms in range(end_ms):
        while at < len(timeline) and timeline[at][0] == ms:
            edges |= timeline[at][1] & ~level
            level = timeline[at][1]
            at += 1
        if ms % step_ms == 0:
            event = buttons.update((start_ms + ms) & MASK, level, edges)
            edges = 0
            if event:
                events.append((event, ms))
    return events


def names(timeline, **more):
    return [event for event, _ in play(timeline, **more)]


def test_up_and_down_act_on_press_ok_and_back_on_release():
    assert play([(100, BIT_UP), (160, 0)]) == [(keys.UP, 100)]
    assert play([(100, BIT_DOWN), (160, 0)]) == [(keys.DOWN, 100)]
    assert play([(100, BIT_OK), (160, 0)]) == [(keys.OK, 160)]
    assert play([(100, BIT_BACK), (160, 0)]) == [(keys.BACK, 160)]


def test_bounce_gives_one_event():
    bounce = [(100, BIT_UP), (102, 0), (104, BIT_UP), (107, 0), (109, BIT_UP), (200, 0), (203, BIT_UP), (206, 0)]
    assert play(bounce) == [(keys.UP, 100)]
    bounce = [(at, BIT_OK if level else 0) for at, level in bounce]
    assert play(bounce) == [(keys.OK, 200)]


def test_two_quick_presses_are_two_events():
    assert names([(100, BIT_OK), (150, 0), (200, BIT_OK), (250, 0)]) == [keys.OK, keys.OK]


def test_a_press_and_release_within_one_stall_is_not_lost():
    for bit, event in ((BIT_UP, keys.UP), (BIT_DOWN, keys.DOWN), (BIT_OK, keys.OK), (BIT_BACK, keys.BACK)):
        assert names([(101, bit), (140, 0)], step_ms=45) == [event]


def test_two_keys_within_one_stall_both_count():
    assert names([(101, BIT_UP), (110, BIT_UP | BIT_DOWN), (130, 0)], step_ms=45) == [keys.UP, keys.DOWN]


def test_the_long_meaning_comes_at_the_limit_and_replaces_the_short_one():
    limit = keys.LONG_MS
    assert names([(100, BIT_OK), (100 + limit - 5, 0)]) == [keys.OK]
    assert play([(100, BIT_OK), (100 + limit + 5, 0)]) == [(keys.OK_LONG, 100 + limit)]
    assert names([(100, BIT_BACK), (2000, 0)]) == [keys.BACK_LONG]


def test_holding_repeats_and_speeds_up():
    events = play([(100, BIT_DOWN), (4000, 0)])
    gaps = [events[i + 1][1] - events[i][1] for i in range(len(events) - 1)]
    assert {event for event, _ in events} == {keys.DOWN}
    assert gaps[0] >= 400
    assert 100 <= gaps[1] <= 200
    assert gaps[len(gaps) - 1] <= 70


def test_the_wrap_of_the_clock_changes_nothing():
    timelines = (
        [(100, BIT_OK), (160, 0), (300, BIT_UP), (350, 0)],
        [(100, BIT_OK), (900, 0)],
        [(100, BIT_DOWN), (2000, 0)],
    )
    for timeline in timelines:
        usual = play(timeline)
        for before_wrap_ms in (1, 100, 130, 155, 200, 400, 700):
            assert play(timeline, start_ms=MASK - before_wrap_ms) == usual


def test_a_key_still_works_after_days_of_rest():
    buttons = Input()
    buttons.update(0, BIT_UP, BIT_UP)
    buttons.update(100, 0, 0)
    assert buttons.update(100 + (1 << 29) + 5, BIT_UP, BIT_UP) == keys.UP


# Three buttons.

CHORD = BIT_UP | BIT_DOWN


def test_up_and_down_wait_a_moment_for_each_other_and_then_act():
    assert play([(100, BIT_UP), (200, 0)], keys=3) == [(keys.UP, 150)]
    assert play([(100, BIT_DOWN), (120, 0)], keys=3) == [(keys.DOWN, 125)]  # let go sooner
    assert names([(100, BIT_UP), (160, BIT_UP | BIT_DOWN), (300, 0)], keys=3) == [keys.UP, keys.DOWN]
    events = names([(100, BIT_DOWN), (3000, 0)], keys=3)
    assert len(events) > 10 and set(events) == {keys.DOWN}


def test_both_together_are_back_when_the_last_of_them_is_let_go():
    for first, last in ((BIT_UP, BIT_DOWN), (BIT_DOWN, BIT_UP)):
        pressed = [(100, first), (130, CHORD)]
        assert play(pressed + [(300, last), (330, 0)], keys=3) == [(keys.BACK, 330)]
        assert play(pressed + [(300, 0)], keys=3) == [(keys.BACK, 300)]
    limit = keys.LONG_MS
    assert names([(100, CHORD), (100 + limit - 5, 0)], keys=3) == [keys.BACK]
    assert play([(100, CHORD), (3000, 0)], keys=3) == [(keys.BACK_LONG, 105 + limit)]


def test_a_chord_bounces_and_survives_a_stall_and_the_wrap_of_the_clock():
    down = [(100, BIT_UP), (104, 0), (106, CHORD), (110, BIT_DOWN), (112, CHORD)]
    up = [(300, BIT_UP), (303, CHORD), (306, 0), (309, BIT_DOWN), (311, 0)]
    assert names(down + up, keys=3) == [keys.BACK]
    assert names([(101, CHORD), (140, 0)], keys=3, step_ms=45) == [keys.BACK]
    for wrap in (MASK + 1, (MASK + 1) // 2):
        for before in (20, 115, 140, 310, 720):
            start = {"keys": 3, "start_ms": (wrap - before) & MASK}
            assert names([(100, CHORD), (300, 0), (500, BIT_OK), (560, 0)], **start) == [keys.BACK, keys.OK]
            assert names([(100, CHORD), (900, 0)], **start) == [keys.BACK_LONG]


def test_after_a_chord_keys_are_heard_again():
    assert names([(100, CHORD), (300, 0), (400, BIT_UP), (480, 0), (600, BIT_OK), (700, 0)], keys=3) == [
        keys.BACK, keys.UP, keys.OK]


def test_turned_keys_are_counted_from_the_other_end():
    for count, pairs in ((4, ((BIT_UP, keys.BACK), (BIT_DOWN, keys.OK), (BIT_OK, keys.DOWN), (BIT_BACK, keys.UP))),
                         (3, ((BIT_UP, keys.OK), (BIT_DOWN, keys.DOWN), (BIT_OK, keys.UP)))):
        for bit, event in pairs:
            assert names([(100, bit), (200, 0)], keys=count, turned=True) == [event]


def test_swallowed_keys_mean_nothing_until_all_are_up():
    buttons = Input()
    buttons.swallow(0)
    events = [buttons.update(ms, BIT_DOWN if ms < 500 else 0, 0) for ms in range(5, 700, 5)]
    events += [buttons.update(ms, BIT_DOWN if ms < 800 else 0, 0) for ms in range(700, 900, 5)]
    assert [event for event in events if event] == [keys.DOWN]
