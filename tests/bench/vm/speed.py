"""How long a command, a frame and a piece of drawing take. For every VM.

`main` gets how often each is done. Prints `time NAME MEDIAN P95 COUNT` in microseconds, with "_" for spaces.
"""

import os
import time

import hand
from support import SEED, Lcg, some_command

from tableside.core import commands
from tableside.core.log import MemoryLog
from tableside.core.pack import Pack
from tableside.core.record import KIND
from tableside.core.session import Session
from tableside.core.titles import command_title
from tableside.hw.i2c_bus import I2CBus
from tableside.hw.ssd1306 import SSD1306
from tableside.rules import resolver
from tableside.ui import font_small
from tableside.ui.canvas import Canvas
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP
from tableside.ui.widgets import status

_HISTORY_ROWS = 6
_LINE = "R2 Firefight 21 wide."
_HOLD_MS = 700


def _clock():
    """A function that gives microseconds; on WebAssembly JavaScript's, as the port's own has milliseconds only."""
    if hasattr(time, "perf_counter_ns"):
        return lambda: time.perf_counter_ns() / 1000
    try:
        from js import performance
    except ImportError:
        return time.ticks_us
    return lambda: performance.now() * 1000


_now = _clock()
_times = {}


def _timed(name, call, *args):
    start = _now()
    result = call(*args)
    _times.setdefault(name, []).append(_now() - start)
    return result


def main(args):
    """Measure; each `yield` collects garbage."""
    count = int(args[0])
    groups = [_commands(name, count) for name in sorted(os.listdir("packs"))]
    for group in groups + [_frames(count), _drawing(count), _driver(count)]:
        for _ in group:
            yield
    for _ in range(count):
        _timed("the clock itself", int)
    for name in sorted(_times):
        times = sorted(_times[name])
        middle, late = times[len(times) // 2], times[len(times) * 95 // 100]
        print("time", name.replace(" ", "_"), "%.1f" % middle, "%.1f" % late, len(times))


def _commands(name, count):
    """Random legal play; undo and redo one in five; at the end a page of the history."""
    pack = Pack(open("packs/" + name, "rb"))  # noqa: SIM115
    pick = Lcg(7)
    session = Session.new(pack, 0, SEED, MemoryLog(), resolver)
    for i in range(2 * count):
        if session.over() or (i % 5 == 4 and session.can_undo()):
            _timed("command undo", session.undo)
            session.save()
            if not session.over() and i % 2:
                _timed("command redo", session.redo)
        else:
            kind, given = some_command(session.state, pick)
            _timed("command " + commands.NAMES[kind], session.do, kind, given)
        session.save()
        if i % 50 == 0:
            yield
    for _ in range(count // 4):
        _timed("core %d entries of the history" % _HISTORY_ROWS, _history, session)
    pack.close()


def _history(session):
    rows = []
    for record in session.history():
        rows.append(command_title(session.state, record.kind & KIND, record.args))
        if len(rows) == _HISTORY_ROWS:
            break
    return rows


def _frames(count):
    """Steps of the app in a game of the first pack, in its menu."""
    thumb = hand.Hand()
    for _ in range(3):
        thumb.press(BIT_OK)
    for i in range(count):
        _timed("step after a key", thumb.step, 0)  # collects the garbage
        _timed("step nothing to do", thumb.step, 0)
        thumb.step(BIT_OK)
        _timed("step a whole new screen", thumb.step, BIT_OK, _HOLD_MS)
        thumb.step(0)
        _timed("step cursor move", thumb.step, BIT_DOWN)
        thumb.step(0)
        _timed("step cursor move", thumb.step, BIT_UP)
        thumb.step(0)
        thumb.step(BIT_BACK)
        _timed("step back to play", thumb.step, 0)
        if i % 50 == 0:
            yield


def _full(canvas):
    for page in range(8):
        canvas.text(_LINE, 0, page, font_small)


def _drawing(count):
    """The canvas alone."""
    canvas = Canvas()
    for i in range(count):
        _timed("draw 21x8 text", _full, canvas)
        _timed("draw status line", status, canvas, "R2 Firefight", "NPO")
        _timed("draw clear", canvas.clear)
        _timed("draw fill one page", canvas.fill, 0, 0, canvas.width, 1)
        _timed("draw fill 40x32", canvas.fill, 3, 1, 40, 4)
        _timed("draw invert one page", canvas.invert, 0, 0, canvas.width, 1)
        _timed("draw invert 40x32", canvas.invert, 3, 1, 40, 4)
        if i % 50 == 0:
            yield


def _driver(count):
    """The driver's search for what changed, and what it sends to a bus in RAM."""
    canvas = Canvas()
    display = SSD1306(I2CBus(hand.Bus()))
    _full(canvas)
    display.show(canvas.buf)
    for i in range(count):
        _timed("driver no change", display.show, canvas.buf)
        canvas.text(">" if i % 2 else " ", 0, 2 + i % 3, font_small)
        _timed("driver one letter", display.show, canvas.buf)
        canvas.invert(0, 0, canvas.width, 8)
        _timed("driver every column", display.show, canvas.buf)
        if i % 50 == 0:
            yield
