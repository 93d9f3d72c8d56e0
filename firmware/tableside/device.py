"""The device: builds the board's parts and the app, and steps the app for ever; the last error boundary."""

import gc
import io
import os
import sys
import time

import board
import machine

from tableside import VERSION
from tableside.hw import clock
from tableside.hw.buttons import Buttons
from tableside.hw.entropy import hardware_seed
from tableside.hw.files import Packs, SmallFile
from tableside.hw.ssd1306 import SSD1306
from tableside.hw.store import Store
from tableside.ui.app import App

_PACKS = "packs"
_SESSIONS = "sessions"
_SETTINGS = "settings.json"
_CRASH_FILE = "crash.txt"
_CRASH_BYTES = 4096
_CRASH_PAUSE_MS = 1000  # an app that fails at once must not flood the serial line
_GARBAGE_BYTES = 16384  # are collected at the latest: a heap that fills up first is left in small pieces
_NOP = b"\x00\xe3"  # a command of the display that does nothing


def report(error):
    """Print an exception over serial and keep it in the crash file."""
    gc.collect()
    sys.print_exception(error)
    try:
        _keep(error)
    except (OSError, MemoryError) as failure:
        print("not kept in", _CRASH_FILE, repr(failure))


def _keep(error):
    """Append to the crash file what it does not hold yet: a fault that repeats must not wear out the flash."""
    text = io.StringIO()
    text.write("tableside " + VERSION + "\n")
    sys.print_exception(error, text)
    entry = text.getvalue().encode()[:_CRASH_BYTES]
    try:
        with open(_CRASH_FILE, "rb") as file:
            old = file.read(_CRASH_BYTES)
    except OSError:
        old = b""
    if entry in old:
        return
    with open(_CRASH_FILE, "ab" if len(old) + len(entry) <= _CRASH_BYTES else "wb") as file:
        file.write(entry)


class Device:
    """The parts of the board that the app uses: see `ui.app.App`."""

    def __init__(self):
        i2c = machine.I2C(board.I2C_ID, sda=machine.Pin(board.SDA), scl=machine.Pin(board.SCL), freq=board.I2C_HZ)
        self._led = machine.Pin(board.LED, machine.Pin.OUT)
        self.lamp(_missing(i2c))
        self.display = SSD1306(i2c, board.DISPLAY_ADDRESS)
        self.store = Store(_SESSIONS)
        self.packs = Packs(_PACKS)
        self.settings = SmallFile(_SETTINGS)
        self.keys = len(board.BUTTONS)
        self.name = board.NAME
        self.entropy = hardware_seed
        self.report = report

    def lamp(self, on):
        """Light the LED: what cannot be said on the display."""
        self._led.value(1 if on else 0)

    def memory(self):
        """Free bytes of RAM and of the file system."""
        gc.collect()
        stats = os.statvfs(".")
        return gc.mem_free(), stats[1] * stats[3]


def _missing(i2c):
    """Whether the display does not answer; the serial line then says where it should be."""
    try:
        i2c.writeto(board.DISPLAY_ADDRESS, _NOP)
    except OSError as error:
        print("no display at 0x%02x, SDA GP%d, SCL GP%d: %r" % (board.DISPLAY_ADDRESS, board.SDA, board.SCL, error))
        return True
    return False


def leave(app):
    """Save what an app that failed still holds, if it can. Returns: None, in the place of the app."""
    try:
        if app is not None:
            app.close()
    except Exception as error:  # noqa: BLE001 - whatever it is, a fresh app begins
        report(error)


def run():
    """Run the device. Only KeyboardInterrupt and SystemExit leave it."""
    if hasattr(gc, "threshold"):
        gc.threshold(_GARBAGE_BYTES)
    device = Device()
    buttons = Buttons([machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in board.BUTTONS])
    app = None
    while True:
        try:
            if app is None:
                app = App(device, clock.now_ms())
            buttons.read()
            app.step(clock.now_ms(), buttons.down, buttons.pressed)
        except Exception as error:  # noqa: BLE001 - the last error boundary: the sessions are in flash
            report(error)
            app = leave(app)
            time.sleep_ms(_CRASH_PAUSE_MS)
        machine.idle()

