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
_BLINK_MS = 200
_BLINKS = 20  # from one complaint to the next


def checked_board():
    """The constants of /board.py. A wrong one is said over serial and by the LED for ever: nothing else can work."""
    try:
        import board

        once = Modules()
        once.get("tableside.board_file").check(board)
        once.forget(lambda path: False)
        return board
    except Exception as error:  # noqa: BLE001 - the file is edited by hand and may hold anything
        fault = error
    led = machine.Pin("LED", machine.Pin.OUT)
    while True:
        print("board.py cannot be used:", repr(fault))
        for count in range(_BLINKS):
            led.value(count & 1)
            time.sleep_ms(_BLINK_MS)


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
    """The parts of the board that the app uses: see `ui.app.App`. Args: board: its constants, checked."""

    def __init__(self, board):
        self._led = machine.Pin(board.LED, machine.Pin.OUT)
        bus = _spi_bus(board) if board.I2C_ID is None else _i2c_bus(board)
        found = bus.find()
        self.lamp(not found)
        if not found:
            print("no display at 0x3c or 0x3d, SDA GP%d, SCL GP%d" % (board.SDA, board.SCL))
        self.display = _display(board, bus)
        self.modules = Modules()
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


def _i2c_bus(board):
    from tableside.hw.i2c_bus import I2CBus

    sda = machine.Pin(board.SDA)
    scl = machine.Pin(board.SCL)
    return I2CBus(machine.I2C(board.I2C_ID, sda=sda, scl=scl, freq=board.I2C_HZ), board.DISPLAY_ADDRESS)


def _spi_bus(board):
    from tableside.hw.spi_bus import SPIBus

    # First the bus: it takes a pin for data from the display too, and whoever needs that pin takes it back.
    spi = machine.SPI(board.SPI_ID, baudrate=board.SPI_HZ, sck=machine.Pin(board.SCK), mosi=machine.Pin(board.MOSI))
    return SPIBus(spi, *[machine.Pin(pin, machine.Pin.OUT, value=1) for pin in (board.CS, board.DC, board.RST)])


def _display(board, bus):
    """The one driver that this board needs."""
    if board.DISPLAY == "ssd1306":
        from tableside.hw.ssd1306 import SSD1306

        return SSD1306(bus, board.ROTATION >= 180)
    if board.DISPLAY == "sh1106":
        from tableside.hw.sh1106 import SH1106

        return SH1106(bus, board.ROTATION >= 180)
    from tableside.hw.sh1107 import SH1107

    return SH1107(bus, board.ROTATION >= 180)


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
    board = checked_board()
    device = Device(board)
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

