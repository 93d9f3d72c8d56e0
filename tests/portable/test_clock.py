"""The players' clock: timelines of turns, undo, pause, the wrap, power cuts and rounds that last too long."""

import os

from support import Game
from test_app import Device, idle, temp_folder

from tableside.core.pack import NOBODY
from tableside.core.state import O_ACTOR, O_ROUND
from tableside.core.ticks import MASK
from tableside.hw.files import overwrite
from tableside.ui.turn_clock import LATE, LATER, NOTHING, TurnClock

CULT = 0
MINUTE_MS = 60000


class Table:
    """A session whose turns are set as a test likes them, and its clock. Args: now_ms: of the ticks."""

    def __init__(self, now_ms=0, target_min=0, session=None):
        self.now_ms = now_ms
        self.session = session or Game("ambush/raid").session
        self.sides = self.session.scenario.sides
        self.told = []
        self.clock = TurnClock(self.session, target_min, now_ms)

    def turn(self, side, number=0):
        self.session.state.data[O_ACTOR] = side
        self.session.state.data[O_ROUND] = number
        self.clock.turn(self.now_ms)

    def wait(self, ms, every_ms=50):
        end = ms
        while end > 0:
            self.now_ms = self.now_ms + min(every_ms, end) & MASK
            end -= every_ms
            told = self.clock.step(self.now_ms)
            if told != NOTHING:
                self.told.append(told)
            if self.clock.due(False):
                self.clock.save()

    def times(self):
        """Milliseconds: the whole, nobody's, each side's."""
        self.clock.turn(self.now_ms)
        clock = self.clock
        return [clock.total_ms(), clock.side_ms(NOBODY)] + [clock.side_ms(side) for side in range(self.sides)]


def test_the_time_follows_the_turn_and_what_is_nobodys_is_shared():
    table = Table()
    table.turn(NOBODY)
    table.wait(1000)
    table.turn(0)
    table.wait(20001, 7)
    table.turn(1)
    table.wait(5000)
    table.turn(0)
    table.wait(999)
    assert table.times() == [27000, 1000, 21000, 5000]
    assert table.clock.running(0) and not table.clock.running(1) and not table.clock.running(NOBODY)


def test_undo_across_a_turn_gives_nothing_back():
    game = Game("ambush/raid")
    table = Table(session=game.session)
    table.wait(3000)
    before = None
    while game.state.data[O_ACTOR] == NOBODY:  # on to the first turn of a side
        before = game.state.data[O_ACTOR]
        game.advance()
        table.clock.turn(table.now_ms)
    side = game.state.data[O_ACTOR]
    table.wait(40000)
    game.session.undo()
    table.clock.turn(table.now_ms)
    assert game.state.data[O_ACTOR] == before
    times = table.times()
    assert times[2 + side] == 40000 and times[0] == 43000
    table.wait(2000)  # the turn is nobody's again
    assert table.times()[2 + side] == 40000 and table.times()[1] == 5000
    game.session.redo()
    table.wait(500)
    assert table.times()[2 + side] >= 40000 and table.times()[0] == 45500


def test_a_round_keeps_its_time_when_undo_leads_back_into_it():
    table = Table()
    table.turn(0, 1)
    table.wait(10000)
    table.turn(1, 2)
    table.wait(30000)
    table.turn(0, 1)  # undone
    assert table.clock.round_ms() == 10000
    table.wait(1000)
    assert table.clock.round_ms() == 11000
    table.turn(1, 2)
    assert table.clock.round_ms() == 30000  # nothing was won by going to and fro
    for number in range(3, 9):
        table.turn(0, number)
        assert table.clock.round_ms() == 0, number
        table.wait(1000)
    table.turn(0, 6)
    assert table.clock.round_ms() == 1000
    assert table.times()[0] == 47000


def test_a_pause_takes_no_time_of_anybody():
    table = Table()
    table.turn(0, 1)
    table.wait(1000)
    table.clock.pause(table.now_ms)
    assert table.clock.mark() == " ||" and not table.clock.running(0)
    table.wait(500000)
    table.turn(1, 1)
    table.wait(500000)
    table.clock.pause(table.now_ms)
    table.wait(2000)
    assert table.times() == [3000, 0, 1000, 2000] and table.clock.mark() == ""


def test_the_wrap_of_the_ticks_costs_nothing():
    for lead_ms in (0, 1, 249, 250, 12345):
        table = Table(MASK - lead_ms)
        table.turn(0, 1)
        table.wait(30000)
        table.turn(1, 1)
        table.wait(70)
        assert table.times() == [30070, 0, 30000, 70], lead_ms
    table = Table(MASK - 1000)
    table.turn(0, 1)
    for _ in range(30):  # a display that sleeps, days long: it wraps and wraps
        table.wait(86400000, 3600000)
    assert table.times()[0] == MASK  # it stops at the highest number there is, and does not begin anew


def test_a_stall_of_the_loop_is_time_as_well_and_one_backwards_is_not():
    table = Table()
    table.turn(0)
    table.now_ms += 45
    table.clock.step(table.now_ms)
    table.now_ms += 300000
    table.clock.step(table.now_ms)
    table.now_ms -= 500
    table.clock.step(table.now_ms)
    assert table.times()[2] == 300045


def test_the_end_of_the_game_stops_it_and_its_undo_does_not_give_back():
    from tableside.core import commands

    game = Game("ambush/raid")
    table = Table(session=game.session)
    table.wait(1000)
    game.session.do(commands.END, (NOBODY,))
    table.clock.turn(table.now_ms)
    table.wait(60000)
    assert table.times()[0] == 1000
    game.session.undo()
    table.clock.turn(table.now_ms)
    table.wait(1000)
    assert table.times()[0] == 2000


def test_a_power_cut_loses_at_most_ten_seconds():
    for cut_ms in list(range(0, 30000, 613)) + [7999, 8000, 8250, 16250]:
        table = Table()
        table.turn(1, 3)
        table.wait(cut_ms, 5)
        data = table.session.clock()
        again = TurnClock(table.session, 0, 77)
        lost = cut_ms - again.total_ms()
        assert 0 <= lost <= 8500, (cut_ms, lost)
        assert again.side_ms(1) == again.round_ms() == again.total_ms()
        assert bool(data) == (cut_ms >= 8000)
    table.clock.pause(table.now_ms)
    table.wait(10)
    assert TurnClock(table.session, 0, 5).paused


def test_while_a_key_is_held_saving_waits_a_little():
    table = Table()
    table.turn(0)
    for now_ms in range(0, 20000, 50):
        table.clock.step(now_ms)
        if table.clock.due(True):
            break
        assert now_ms < 8000 or table.clock.due(False) or now_ms < 8300
    assert 9500 <= now_ms <= 9800


def test_times_that_are_damaged_or_anothers_count_as_none():
    table = Table()
    table.turn(0)
    table.wait(9000)
    good = table.session.clock()
    assert TurnClock(table.session, 0, 0).total_ms() == 8000
    for bad in (b"", good[:10], good + b"\0", b"X" + good[1:], good[:20] + b"\1" + good[21:], bytes(len(good))):
        table.session.save_clock(bad)
        assert TurnClock(table.session, 0, 0).total_ms() == 0


def test_a_round_that_takes_too_long_is_told_once_and_marked_by_the_minute():
    table = Table(target_min=2)
    table.turn(0, 1)
    table.wait(2 * MINUTE_MS - 300)
    assert table.told == [] and table.clock.mark() == ""
    table.wait(600)
    assert table.told == [LATE] and table.clock.mark() == " 2'"
    table.wait(MINUTE_MS)
    assert table.told == [LATE, LATER] and table.clock.mark() == " 3'"
    assert TurnClock(table.session, 2, 0).step(0) == NOTHING  # taken up again, it is not told anew
    table.turn(1, 2)
    assert table.clock.mark() == ""
    table.wait(300)
    assert table.told == [LATE, LATER, LATER]
    table.clock.target_min = 0
    table.wait(5 * MINUTE_MS)
    assert table.told == [LATE, LATER, LATER]


# --- in the app ----------------------------------------------------------------------------------------------------


def timed(folder, target_min=0):
    """A device in a game, its clock turned on."""
    device = Device(folder)
    device.app.settings.set("clock", 1)
    device.app.settings.set("round_min", target_min)
    device.app.settings.save_later()
    device.begin(0)
    device.ok(3)
    assert device.app.clock is not None
    return device


def test_it_is_off_until_it_is_turned_on_on_its_page_where_ok_then_pauses():
    folder = temp_folder()
    device = Device(folder)
    device.begin(0)
    device.ok(3)
    device.step(count=4000)
    assert device.app.clock is None and "clock" not in os.listdir(folder + "/sessions/0001")
    state, records = device.state(), device.app.session.records
    device.to("Clock")
    device.ok(2)
    assert device.screen() == "ClockPage" and not device.app.clock.paused
    device.step(count=400)
    total_ms = device.app.clock.total_ms()
    assert 1700 <= total_ms <= 2100
    device.ok()
    assert device.app.clock.paused
    device.step(count=400)
    assert device.app.clock.total_ms() <= total_ms + 300
    device.ok()
    assert not device.app.clock.paused
    device.back()
    assert device.screen() == "Play" and (device.state(), device.app.session.records) == (state, records)
    device.app.settings.set("clock", 0)
    device.app.settings_changed()
    assert device.app.clock is None and not device.errors


def test_the_times_are_there_again_after_home_and_after_a_cut():
    folder = temp_folder()
    device = timed(folder)
    device.step(count=1000)  # 5 s
    device.back()
    assert device.app.clock is None
    device.ok()
    first_ms = device.app.clock.total_ms()
    assert 5000 <= first_ms <= 5500
    device.step(count=4321)
    total_ms = device.app.clock.total_ms()
    again = Device(folder)  # the power went
    again.ok()
    assert total_ms - 10000 <= again.app.clock.total_ms() <= total_ms
    assert again.app.clock.total_ms() > first_ms
    assert os.stat(folder + "/sessions/0001/clock")[6] < 64 and not device.errors
    again.back()
    again.app.games.remove(1)
    assert os.listdir(folder + "/sessions") == []


def test_nothing_is_written_while_a_key_is_down_or_in_the_step_of_a_key():
    device = timed(temp_folder())
    written = []
    save_clock = device.app.session.save_clock
    device.app.session.save_clock = lambda data: (written.append(device.now_ms), save_clock(data))
    for _ in range(300):
        device.step(1, count=12)  # UP, 60 ms
        down = len(written)
        device.step(1, count=2)
        assert len(written) == down
        device.step(count=12)
    gaps = [b - a for a, b in zip(written, written[1:])]
    assert len(gaps) >= 2 and max(gaps) <= 9000 and min(gaps) >= 7900, gaps


def test_a_disk_that_fails_does_not_stop_the_clock():
    device = timed(temp_folder())

    def fail(data):
        raise OSError(28)

    device.app.session.save_clock = fail
    device.step(count=4000)
    assert 2 <= len(device.errors) <= 3 and device.screen() == "Play"
    assert device.app.clock.total_ms() > 20000


def test_the_status_line_shows_a_round_that_takes_too_long_and_the_buzzer_tells_once():
    told = []
    folder = temp_folder()
    device = timed(folder, 10)
    device.app._manners._buzzer = told.append
    device.now_ms += 599000
    device.step(count=10)
    before = bytes(device.app._canvas.buf[:128])
    device.step(count=300)
    assert told == [True, False]
    assert bytes(device.app._canvas.buf[:128]) != before
    assert device.app._canvas.buf[127] == 0  # the mark is not inverse
    assert before[127] != 0
    device.step(count=300)
    assert told == [True, False] and not device.errors


def test_idling_with_a_clock_allocates_only_when_it_saves():
    device = timed(temp_folder(), 1)
    device.step(count=1650)
    assert idle(device) == 0  # between two times of saving
    device.app.go("clock.ClockPage")
    device.app.clock.pause(device.now_ms)
    device.step(count=10)
    assert idle(device) == 0


def test_bytes_of_a_small_file_are_replaced():
    path = temp_folder() + "/small"
    for data in (b"first", b"other"):
        overwrite(path, data)
        with open(path, "rb") as file:
            assert file.read() == data
