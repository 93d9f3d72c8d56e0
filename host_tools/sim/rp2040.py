"""An emulated Pico as a device for button scripts and the terminal: an unmodified MicroPython image, our files in its
flash, and around it the display and the buttons of a board. See `rp2040_chip` for what takes time on it.

It is some 20 times slower than a Pico. Its randomness repeats: the same keys give the same pictures on every run.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Self

from littlefs import LittleFS, UserContext

from host_tools.binary_info import binary_info
from host_tools.boards import load_board
from host_tools.bundle import PICOS, disk_of, files_for
from host_tools.disk_image import contents, make_disk
from host_tools.errors import CommandError
from host_tools.sim.bridge import DeviceError, new_display
from host_tools.sim.oled import OledModel
from host_tools.sim.rp2040_chip import Chip, ChipError
from host_tools.uf2 import FLASH_START, SECTOR, Uf2, read_uf2

UF2_VARIABLE = "TABLESIDE_UF2"

_BOOT_MS = 20_000  # a device that shows nothing for so long has no display, or hangs
_QUIET_NS = 30_000_000  # an idle loop looks at the buttons more often, even if it collects garbage
_STEP_NS = 1_000_000


class Wire:
    """A display's end of the bus, which notes when the bytes came that changed its memory.

    Attributes:
        display: the display.
        changes: for each such byte its time in nanoseconds.
        last_ns: when the last byte of all came.
        error: of what the display did not understand.
    """

    def __init__(self, display: OledModel) -> None:
        self.display = display
        self.changes: list[int] = []
        self.last_ns = 0
        self.error: ValueError | None = None
        self._stored: list[bool] = []
        self._store = display._store
        display._store = self._watch  # type: ignore[method-assign]

    def _watch(self, byte: int) -> None:
        before = bytes(self.display.ram)
        self._store(byte)
        self._stored.append(before != self.display.ram)

    def transaction(self, data: bytes, times: list[int]) -> None:
        """Take what was written between start and stop, and when each byte was through."""
        self._stored = []
        try:
            self.display.write(data)
        except ValueError as error:
            self.error = error
        # What is stored comes last in a transaction.
        for changed, ns in zip(self._stored, times[len(times) - len(self._stored) :], strict=True):
            if changed:
                self.changes.append(ns)
        self.last_ns = times[-1] if times else self.last_ns


class Pico:
    """A running emulated Pico, with the attributes and methods of `bridge.Device`.

    Args:
        uf2: an image of MicroPython, or a bundle, which holds a file system already.
        board: a folder of boards/.
        files: its files by path; all of the firmware and the packs if there are none.
        disk: its whole file system instead, as `disk()` gave it.
        connected: whether its display is plugged in at the start.
        boot: whether it runs up to its first picture before this returns.
    Attributes:
        chip: the chip itself; wire: the display's end of the bus.
        outputs: the levels of its output pins by name; what is no number is not known here.
    Raises: DeviceError, here and in every method that lets it run.
    """

    vm = "rp2040"

    def __init__(self, uf2: Path, board: str = "pico", files: dict[str, bytes] | None = None,
                 disk: bytes | None = None, connected: bool = True, boot: bool = True) -> None:
        self._board = load_board(board)
        if self._board.I2C_ID is None:
            raise DeviceError(f"{board} has its display on SPI: the emulated Pico has displays on I2C only")
        image = _image(uf2, self._board.PICO)
        info = binary_info(image, str(uf2))
        device = disk_of(info)
        self._disk_at, self._disk_bytes = device.address - FLASH_START, device.size
        try:
            self.chip = Chip(image)
        except ChipError as error:
            raise DeviceError(str(error)) from error
        if disk is None and (files is not None or len(image.runs) == 1):
            disk = make_disk(files_for(info, board, []) if files is None else files, self._disk_bytes)
        if disk is not None:
            self.chip.write_flash(self._disk_at, disk)
        self.outputs: dict[str, int] = {}
        self._connected = connected
        self.wire = self._new_wire()
        self.chip.attach_i2c(self._board.I2C_ID, self._find)
        if boot:
            self.boot()

    def boot(self) -> None:
        """Run until the first picture is there, or nothing is to be expected any more."""
        self.run_until(lambda: self.display.on and not self.busy, _BOOT_MS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def now_us(self) -> int:
        """Its time since the reset."""
        return self.chip.now_ns // 1000

    @property
    def frame(self) -> bytes:
        """What the eye sees: 1024 bytes, page by page."""
        return self.display.frame()

    @property
    def display(self) -> OledModel:
        """The display that is plugged in."""
        return self.wire.display

    @property
    def connected(self) -> bool:
        """Whether the display is plugged in. One that is plugged in again has forgotten all."""
        return self._connected

    @connected.setter
    def connected(self, value: bool) -> None:
        if value != self._connected:
            self._connected = value
            self.wire = self._new_wire()

    def _new_wire(self) -> Wire:
        return Wire(new_display(self._board, self._board.DISPLAY_ADDRESS))

    @property
    def serial(self) -> list[str]:
        """The lines that it has printed."""
        return self.chip.console.decode(errors="replace").replace("\r", "").splitlines()

    @property
    def busy(self) -> bool:
        """Whether it computes or writes at the moment, and does not look at its buttons."""
        return self.chip.now_ns - self.chip.polled_ns > _QUIET_NS

    def press(self, mask: int) -> None:
        """Push down the buttons of a mask (bit 0 UP, DOWN, OK, BACK)."""
        self._each(mask, self.chip.ground)

    def release(self, mask: int) -> None:
        """Let go of the buttons of a mask."""
        self._each(mask, self.chip.open)

    def _each(self, mask: int, do: Callable[[int], None]) -> None:
        for bit, pin in enumerate(self._board.BUTTONS):
            if mask >> bit & 1:
                do(pin)

    def run_ms(self, ms: float) -> None:
        """Let time go on."""
        self.chip.run_to(self.chip.now_ns + round(ms * 1e6))
        if self.wire.error:
            raise DeviceError(f"the display does not take what the device sent: {self.wire.error}") from self.wire.error

    def run_until(self, true: Callable[[], bool], most_ms: float) -> bool:
        """Let time go on until something is true, or for so long. Returns: whether it is."""
        end_ns = self.chip.now_ns + round(most_ms * 1e6)
        while not true():
            if self.chip.now_ns >= end_ns:
                return False
            self.run_ms(_STEP_NS / 1e6)
        return True

    def disk(self, torn: random.Random | None = None) -> bytes:
        """Its file system as it is now: what is left if the power goes.

        Args: torn: what is being erased or programmed just now is done for a part of the bytes, which this chooses.
        """
        data = bytearray(self.chip.read_flash(self._disk_at, self._disk_bytes))
        if torn is not None and self.chip.flash.busy is not None:
            address, new = self.chip.flash.busy
            done = torn.randrange(len(new) + 1)
            for at, byte in enumerate(new[:done], address - self._disk_at):
                data[at] = byte if byte == 0xFF else data[at] & byte
        return bytes(data)

    def close(self) -> None:
        """End it. Nothing of it is left anyway."""

    def _find(self, address: int) -> Wire | None:
        return self.wire if self._connected and address == self.display.address else None


def _image(uf2: Path, pico: str) -> Uf2:
    """An image for the Pico of a board. Raises: CommandError if the file is another one, or cannot be read."""
    if pico != "pico":
        raise DeviceError(f"the emulator is a pico without radio, and this board is a {pico}")
    try:
        image = read_uf2(uf2)
    except OSError as error:
        raise DeviceError(f"{uf2}: {error.strerror}") from error
    info = binary_info(image, str(uf2))
    if image.chip != PICOS[pico][0]:
        raise DeviceError(f"{uf2} is for {image.chip}: take MicroPython for the {pico}")
    if info.board != pico or not any(disk.writable for disk in info.disks):
        raise DeviceError(f"{uf2} is {info.program or 'something'} for {info.board or 'no board'}: take MicroPython "
                          f"for the {pico}")
    return image


def read_files(disk: bytes) -> dict[str, bytes]:
    """All files of a file system by path, also of one that MicroPython has written to and so has brought up to date."""
    return contents(LittleFS(UserContext(buffer=bytearray(disk)), block_size=SECTOR, block_count=len(disk) // SECTOR))


def find_uf2(given: Path | None) -> Path:
    """The image to run: the one given, or that of TABLESIDE_UF2. Raises: CommandError if there is none."""
    name = given or os.environ.get(UF2_VARIABLE)
    if not name:
        raise CommandError(f"which MicroPython? Give its image for the Pico with --uf2 FILE or in {UF2_VARIABLE}: "
                           "https://micropython.org/download/RPI_PICO has it")
    if not Path(name).is_file():
        raise CommandError(f"{name}: no such file")
    return Path(name)
