"""The device in a terminal: its display in half blocks, or Braille if there is less room, and its buttons as keys."""

import contextlib
import os
import re
import select
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator

from host_tools.sim.bridge import STEP_MS, Device
from host_tools.sim.oled import HEIGHT, WIDTH
from host_tools.sim.rp2040 import Pico
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP, LONG_MS

_PRESS_MS = 80
_GAP_MS = 40
_HOLD_MS = LONG_MS + 200
_QUEUE = 4  # key presses waiting; more come only from a key that repeats by itself
_LATE_STEPS = 40  # what is not made up for after the process was stopped for a while
_ESCAPE_S = 0.03  # a lone Escape is the key; else the rest of a sequence follows at once

# What a terminal sends: the buttons that it means and for how long.
_KEYS = {
    **dict.fromkeys(("\x1b[A", "\x1bOA", "w"), (BIT_UP, _PRESS_MS)),
    **dict.fromkeys(("\x1b[B", "\x1bOB", "s"), (BIT_DOWN, _PRESS_MS)),
    **dict.fromkeys(("\r", "\n", " "), (BIT_OK, _PRESS_MS)),
    **dict.fromkeys(("\x7f", "\b", "\x1b", "b"), (BIT_BACK, _PRESS_MS)),
    "o": (BIT_OK, _HOLD_MS),
    "u": (BIT_BACK, _HOLD_MS),
}
_QUIT = ("q", "\x03")  # Ctrl-C
_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|[\s\S]")
_LEGEND = "arrows/w s  Enter=OK  Esc/b=BACK  o=hold OK  u=undo  q=quit"

_BLOCKS = " ▀▄█"
_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row and column within a cell


def available() -> bool:
    """Whether there is a terminal that keys can be read from one by one."""
    return os.name == "posix" and sys.stdin.isatty() and sys.stdout.isatty()


def run(device: Device | Pico, title: str) -> None:
    """Show the device and take keys until q or Ctrl-C; the terminal is as before however this ends."""
    with _terminal() as keyboard:
        fingers = _Fingers(device)
        screen = _Screen(device, title)
        start = time.monotonic()
        done = 0
        while True:
            screen.draw()
            late_s = time.monotonic() - start - done * STEP_MS / 1000
            if select.select([keyboard], [], [], max(0.0, STEP_MS / 1000 - late_s))[0]:
                for key in _read_keys(keyboard):
                    if key in _QUIT:
                        return
                    fingers.push(key)
            steps = int((time.monotonic() - start) * 1000 / STEP_MS) - done
            done += steps
            for _ in range(min(steps, _LATE_STEPS)):
                fingers.step()


class _Fingers:
    """Terminals do not tell when a key is let go: each key is a press of fixed length, one after the other."""

    def __init__(self, device: Device | Pico) -> None:
        self._device = device
        self._waiting: deque[tuple[int, int]] = deque()
        self._held = 0
        self._until_us = 0

    def push(self, key: str) -> None:
        if key in _KEYS and len(self._waiting) < _QUEUE:
            self._waiting.append(_KEYS[key])

    def step(self) -> None:
        """Move the fingers, then let the device run for one step."""
        now_us = self._device.now_us
        if now_us >= self._until_us:
            if self._held:
                self._device.release(self._held)
                self._held = 0
                self._until_us = now_us + _GAP_MS * 1000
            elif self._waiting:
                self._held, ms = self._waiting.popleft()
                self._device.press(self._held)
                self._until_us = now_us + ms * 1000
        self._device.run_ms(STEP_MS)


class _Screen:
    """Draws the display again when it, the last line from the serial port or the size of the window has changed."""

    def __init__(self, device: Device | Pico, title: str) -> None:
        self._device = device
        self._title = title
        self._drawn: object = None

    def draw(self) -> None:
        size = shutil.get_terminal_size()
        serial = self._device.serial[-1] if self._device.serial else ""
        seen = (self._device.frame, serial, size)
        if seen == self._drawn:
            return
        self._drawn = seen
        big = size.columns >= WIDTH and size.lines >= HEIGHT // 2 + 3
        picture = half_blocks(self._device.frame) if big else braille(self._device.frame)
        # Light on dark whatever the colours of the terminal are.
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in picture]
        lines += [_printable(text)[: size.columns - 1] for text in (_LEGEND, self._title, serial)]
        sys.stdout.write("\x1b[H" + "".join(f"{line}\x1b[K\r\n" for line in lines[:-1]) + lines[-1] + "\x1b[J")
        sys.stdout.flush()


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def half_blocks(frame: bytes) -> list[str]:
    """A frame as 32 lines of 128 characters."""
    return [
        "".join(_BLOCKS[frame[(y >> 3) * WIDTH + x] >> (y & 7) & 3] for x in range(WIDTH)) for y in range(0, HEIGHT, 2)
    ]


def braille(frame: bytes) -> list[str]:
    """A frame as 16 lines of 64 characters."""
    return ["".join(_cell(frame, x, y) for x in range(0, WIDTH, 2)) for y in range(0, HEIGHT, 4)]


def _cell(frame: bytes, x: int, y: int) -> str:
    columns = [frame[(y >> 3) * WIDTH + x + dx] >> (y & 7) for dx in range(2)]
    return chr(0x2800 + sum(dot for dy, dots in enumerate(_BRAILLE) for dx, dot in enumerate(dots)
                            if columns[dx] >> dy & 1))


def _read_keys(keyboard: int) -> list[str]:
    """The keys that have been hit; a closed terminal quits."""
    data = os.read(keyboard, 256)
    if data.endswith((b"\x1b", b"\x1b[", b"\x1bO")) and select.select([keyboard], [], [], _ESCAPE_S)[0]:
        data += os.read(keyboard, 256)
    return _KEY.findall(data.decode(errors="replace")) if data else ["q"]


@contextlib.contextmanager
def _terminal() -> Iterator[int]:
    """Keys one by one without echo, on a screen of its own. Gives: the keyboard's file descriptor."""
    import termios  # here, because Windows has none
    import tty

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    at_terminate = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        tty.setraw(keyboard)
        sys.stdout.write("\x1b[?1049h\x1b[?25l")
        yield keyboard
    finally:
        sys.stdout.write("\x1b[0m\x1b[?25h\x1b[?1049l")
        with contextlib.suppress(OSError, termios.error):  # the terminal itself may be gone
            sys.stdout.flush()
            termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
        signal.signal(signal.SIGTERM, at_terminate)
