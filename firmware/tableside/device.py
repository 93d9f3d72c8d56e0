"""The device: builds the board's parts and the app, and steps the app for ever; the last error boundary."""

import gc
import io
import os
import sys
import time

import machine

from tableside import VERSION
from tableside.hw import clock
from tableside.hw.buttons import Buttons
from tableside.hw.files import SmallFile
from tableside.ui.app import App
from tableside.ui.modules import Modules

_START = "tableside.start"
_PACKS = "packs"
_SESSIONS = "sessions"
_CAMPAIGNS = "campaigns"
_LANGUAGES = "languages"
_SETTINGS = "settings.json"
_ROSTER = "roster.json"
_CRASH_FILE = "crash.txt"
_CRASH_BYTES = 4096
_CRASH_PAUSE_MS = 1000  # an app that fails at once must not flood the serial line
_GARBAGE_BYTES = 16384  # are collected at the latest: a heap that fills up first is left in small pieces
_VSYS_PIN = 29  # the board's own divider by 3 brings the supply there
_VSYS_FULL_MV = 3 * 3300  # the supply for the highest reading
_HIGHEST_READING = 65535
_BUZZER_HZ = 2700  # where small piezo buzzers are loud
_BUZZER_ON = 32768  # half of each period


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
    """The parts of the board that the app uses: see `ui.app.App`.

    Args: board: its constants, checked; modules: what was imported for a time.
    """

    def __init__(self, board, modules):
        self.modules = modules
        self._led = machine.Pin(board.LED, machine.Pin.OUT)
        self.display, found = modules.get(_START).find_display(board)
        self.lamp(not found)
        self.settings = SmallFile(_SETTINGS)
        self.roster = SmallFile(_ROSTER)
        self.keys = len(board.BUTTONS)
        self.name = board.NAME
        self.report = report
        self.buzzer = None
        if board.BUZZER is not None:
            self._pwm = machine.PWM(machine.Pin(board.BUZZER), freq=_BUZZER_HZ, duty_u16=0)
            self.buzzer = self._sound
        self.battery_low_mv = board.BATTERY_LOW_MV
        if self.battery_low_mv:
            self._adc = machine.ADC(_VSYS_PIN)

    def _made(self, module, cls, *args):
        return getattr(self.modules.get("tableside.hw." + module), cls)(*args)

    @property
    def store(self):
        """The saved games."""
        return self._made("store", "Store", _SESSIONS)

    @property
    def campaigns(self):
        """The books of campaigns."""
        return self._made("store", "Store", _CAMPAIGNS)

    @property
    def packs(self):
        """The installed packs."""
        return self._made("installed", "Packs", _PACKS)

    @property
    def languages(self):
        """The installed languages of the interface."""
        return self._made("installed", "Languages", _LANGUAGES)

    def entropy(self):
        """A fresh seed."""
        return self._made("entropy", "hardware_seed")

    def _sound(self, on):
        self._pwm.duty_u16(_BUZZER_ON if on else 0)

    def battery_mv(self):
        """The supply, where `battery_low_mv` says that the board can sense it."""
        return self._adc.read_u16() * _VSYS_FULL_MV // _HIGHEST_READING

    def lamp(self, on):
        """Light the LED: what cannot be said on the display."""
        self._led.value(1 if on else 0)

    def memory(self):
        """Free bytes of RAM and of the file system."""
        gc.collect()
        stats = os.statvfs(".")
        return gc.mem_free(), stats[1] * stats[3]


def leave(app):
    """Save what an app that failed still holds, if it can. Returns: None, in the place of the app."""
    try:
        if app is not None:
            app.close()
    except Exception as error:  # noqa: BLE001 - whatever it is, a fresh app begins
        report(error)


def parts():
    """The device and its buttons. What only their making needs is dropped, board.py too."""
    modules = Modules()
    board = modules.get(_START).checked_board()
    device = Device(board, modules)
    buttons = Buttons([machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in board.BUTTONS])
    del sys.modules["board"]
    modules.forget(lambda path: False)
    return device, buttons


def run():
    """Run the device. Only KeyboardInterrupt and SystemExit leave it."""
    if hasattr(gc, "threshold"):
        gc.threshold(_GARBAGE_BYTES)
    device, buttons = parts()
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

