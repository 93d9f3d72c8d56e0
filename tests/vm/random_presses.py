"""Random presses on the whole app, in the VM itself: real screens, driver and store; a bus in RAM and virtual time.

Usage: PYTHON random_presses.py FOLDER SEED PRESSES, with TABLESIDE_PACKS set, firmware and tests/portable on the path.
Nothing may reach the error boundary, undo and redo must come back to the same state, and the heap must not grow. The
walker is drawn to rows and screens that it has seen seldom. Prints the visits of each screen and of each command.
"""

import gc
import os
import sys

if hasattr(gc, "threshold"):
    gc.threshold(20000)

from support import Lcg  # noqa: E402
from test_app import Device, write_damaged_pack  # noqa: E402

from tableside.core import commands  # noqa: E402
from tableside.core.record import KIND, REDONE, UNDONE  # noqa: E402
from tableside.ui import settings  # noqa: E402
from tableside.ui.canvas import Canvas  # noqa: E402
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP  # noqa: E402
from tableside.ui.widgets import List  # noqa: E402

KEYS = (BIT_UP, BIT_DOWN, BIT_OK, BIT_BACK)
CHECK_EVERY = 50  # presses between two trials of undo and redo
HOME_EVERY = 150  # presses between two returns to the home screen
SESSIONS = 12  # saved games kept
GROWTH_BYTES = 1024  # names of a screen that is loaded late for the first time stay
SETTLED = 10000  # presses after which every screen, and the clock, has been there
ROWS = 40  # of a list, that are counted


class Walker:
    """A thumb that does not know what it does.

    Args: folder: an empty folder; pick: Lcg; presses: how many at most.
    """

    def __init__(self, folder, pick, presses):
        self._pick = pick
        self._folder = folder
        self.device = Device(folder)
        write_damaged_pack(folder + "/packs/damaged.tspk")
        self.device.entropy = lambda: bytes(pick(256) for _ in range(16))
        self.screens = {}
        self.commands = {}
        self.heap = [0] * (presses // HOME_EVERY)  # made at once: what the walker keeps must not grow either
        self._samples = 0
        self._rows = {}  # how often each row of each screen was chosen, up to 255
        self._top = None
        self._canvas = Canvas()
        self._session = None
        self._records = 0

    def walk(self, presses):
        """Press so many keys; each may be a tap, a hold, a chord, a bounce or a pause."""
        for number in range(presses):
            if number % HOME_EVERY == HOME_EVERY - 1:
                self._go_home()
            elif number % CHECK_EVERY == CHECK_EVERY - 1:
                self._undo_and_redo()
            if self._pick(3):
                self._choose_row()
            else:
                self._press()
            self._look()

    def _press(self):
        device, pick = self.device, self._pick
        kind = pick(40)
        key = KEYS[pick(4)]
        if kind < 26:
            device.press((BIT_UP, BIT_DOWN, BIT_DOWN, BIT_OK, BIT_OK, BIT_OK, BIT_OK, BIT_BACK)[pick(8)], ms=40)
        elif kind < 30:
            device.hold(key)
        elif kind == 30:
            device.press(KEYS[pick(2)], ms=1500)
        elif kind < 33:
            device.press(key | KEYS[pick(4)], ms=40 + 700 * pick(2))
        elif kind < 35:
            device.press(key, ms=5)
        elif kind == 35:
            device.step(pressed=key)  # both edges came while the loop was busy
        elif kind < 38:
            device.step(count=pick(1000))
        elif kind == 38:
            device.now_ms += pick(3600000)  # and the clock wraps sooner or later
            device.now_ms &= 0x3FFFFFFF
            device.step(count=3)
        else:
            for _ in range(6):
                device.step(down=pick(16), pressed=pick(16))
            device.step(count=20)

    def _choose_row(self):
        """Walk to the row of the list that was chosen least so far, and press OK; now and then go back instead."""
        device, pick = self.device, self._pick
        screen = self._screen()
        rows = find_list(screen)
        if rows is None or not rows.rows:
            device.press((BIT_UP, BIT_DOWN, BIT_OK, BIT_OK, BIT_OK, BIT_BACK)[pick(6)], ms=40)
            return
        name = type(screen).__name__
        if pick(12) == 0:
            device.hold(BIT_OK)
            return
        if pick(6) == 0 or name == "Options" and pick(2):
            device.press(BIT_BACK, ms=40)
            return
        if name not in self._rows:
            self._rows[name] = bytearray(ROWS)
        chosen = self._rows[name]
        count = min(len(rows.rows), ROWS)
        target = pick(count)
        for _ in range(2):
            other = pick(count)
            if chosen[other] < chosen[target]:
                target = other
        if name == "Home" and pick(3):
            target = min(pick(2), count - 1)  # mostly to a game: resume, new
        chosen[target] = min(255, chosen[target] + 1)
        for _ in range(len(rows.rows)):
            if rows.cursor == target:
                break
            device.press(BIT_DOWN if rows.cursor < target else BIT_UP, ms=30)
        device.press(BIT_OK, ms=40)

    def _screen(self):
        return self.device.app._stack[len(self.device.app._stack) - 1]

    def _look(self):
        """Count a new screen and a new command; an error ends the walk."""
        device = self.device
        if device.errors:
            raise device.errors[0]
        screen = self._screen()
        if device.app._drawn is screen and find_list(screen):
            self._canvas.clear()
            screen.draw(self._canvas)
            if self._canvas.buf != device.app._canvas.buf:
                raise ValueError("what is shown of %s is not what is drawn anew" % type(screen).__name__)
        if screen is not self._top:
            self._top = screen
            name = type(screen).__name__
            self.screens[name] = self.screens.get(name, 0) + 1
        session = device.app.session
        if session is not self._session:
            self._session = session
            self._records = session.records if session is not None else 0
        elif session is not None and session.records != self._records:
            self._records = session.records
            self._count_command(session)

    def _count_command(self, session):
        for record in session.history():
            kind = commands.NAMES[record.kind & KIND]
            if record.kind & UNDONE:
                kind = "undo"
            elif record.kind & REDONE:
                kind = "redo"
            self.commands[kind] = self.commands.get(kind, 0) + 1
            return

    def _undo_and_redo(self):
        """Some undos and as many redos must give the same state."""
        session = self.device.app.session
        if session is None:
            return
        before = bytes(session.state.data)
        count = 0
        while count < 1 + self._pick(12) and session.can_undo():
            session.undo()
            count += 1
        for _ in range(count):
            session.redo()
        if bytes(session.state.data) != before:
            raise AssertionError("undo and redo of %d commands changed the state" % count)
        self.device.app.show_session()

    def _go_home(self):
        """Leave the game, drop old saves, and measure what the heap holds."""
        device = self.device
        device.app.home()
        for name, value, _, high, _ in settings.TABLE:  # the walker knows the keys of a device that is not turned
            if name != "hints":
                device.app.settings.set(name, self._pick(high + 1) if name == "entry" else value)
        device.app.settings_changed()
        numbers = device.store.numbers()
        for number in numbers[SESSIONS:]:
            folder = "%s/sessions/%04d/" % (self._folder, number)
            for name in os.listdir(folder):
                os.remove(folder + name)
            os.rmdir(folder)
        device.app.home()
        device.step(count=20)
        device.press(BIT_UP)  # after a key the modules of the game's screens are dropped
        self._top = self._session = None
        gc.collect()
        if hasattr(gc, "mem_alloc"):
            self.heap[self._samples] = gc.mem_alloc()
            self._samples += 1


def find_list(screen):
    """The list that a screen shows, or None."""
    for name in ("list", "_list"):
        found = getattr(screen, name, None)
        if isinstance(found, List):
            return found
    return None


def growth(samples):
    """By how much the lowest sample of the last quarter is above that of the third; the first half is a warm-up."""
    samples = samples[len(samples) // 2 :]
    half = len(samples) // 2
    return min(samples[half:]) - min(samples[:half]) if half else 0


def main(folder, seed, presses):
    """Walk and print; the exit code tells."""
    walker = Walker(folder, Lcg(seed), presses)
    walker.walk(presses)
    for kind, visits in (("screen", walker.screens), ("command", walker.commands)):
        for name in sorted(visits):
            print(kind, name, visits[name])
    heap = walker.heap
    if hasattr(gc, "mem_alloc"):
        print("heap lowest", min(heap), "highest", max(heap), "growth", growth(heap))
        if presses >= SETTLED and growth(heap) > GROWTH_BYTES:
            raise AssertionError("the heap grows: %s" % heap)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
