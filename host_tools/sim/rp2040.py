"""An emulated Pico as a device for button scripts and the terminal: an unmodified MicroPython image, our files in its
flash, and around it the display and the buttons of a board. See `rp2040_chip` for what takes time on it.

It is some 25 times slower than a Pico. Its randomness repeats: the same keys give the same pictures on every run.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Self

from littlefs import LittleFS, UserContext
from littlefs.errors import LittleFSError

from host_tools.boards import load_board
from host_tools.errors import CommandError
from host_tools.firmware import device_files
from host_tools.sim.bridge import DeviceError
from host_tools.sim.rp2040_chip import Chip, ChipError
from host_tools.sim.ssd1306 import Ssd1306Model

UF2_VARIABLE = "TABLESIDE_UF2"

# The file system of RPI_PICO: where it begins in the flash, and its blocks.
FS_START = 0xA0000
FS_BLOCKS = 352
BLOCK = 4096
_DISK_VERSION = 0x00020000  # what MicroPython 1.24 reads
_BOOT_MS = 20_000  # a device that shows nothing for so long has no display, or hangs
_QUIET_NS = 30_000_000  # an idle loop looks at the buttons more often, even if it collects garbage
_STEP_NS = 1_000_000


class Timed(Ssd1306Model):
    """A display that notes when the bytes that changed its memory came.

    Attributes: changes: for each such byte its time in nanoseconds; last_ns: when the last byte of all came.
    """

    def __init__(self, address: int) -> None:
        super().__init__(address)
        self.changes: list[int] = []
        self.last_ns = 0
        self._stored: list[bool] = []

    def _store(self, byte: int) -> None:
        before = bytes(self.ram)
        super()._store(byte)
        self._stored.append(before != self.ram)

    def transaction(self, data: bytes, times: list[int]) -> None:
        """Take what was written between start and stop. Raises: ValueError if it is not what the chip understands."""
        self._stored = []
        self.write(data)
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
        disk: its whole file system instead, as `disk` gave it.
        connected: whether its display is plugged in at the start.
        boot: whether it runs up to its first picture before this returns.
    Attributes:
        chip: the chip itself.
        outputs: the levels of its output pins by name; what is no number is not known here.
    Raises: DeviceError, here and in every method that lets it run.
    """

    vm = "rp2040"

    def __init__(self, uf2: Path, board: str = "pico", files: dict[str, bytes] | None = None,
                 disk: bytes | None = None, connected: bool = True, boot: bool = True) -> None:
        self._board = load_board(board)
        self.outputs: dict[str, int] = {}
        self._connected = connected
        self._display = Timed(self._board.DISPLAY_ADDRESS)
        self._wrong: ValueError | None = None
        try:
            self.chip = Chip(uf2)
        except ChipError as error:
            raise DeviceError(str(error)) from error
        if disk is None and (files is not None or not any_file_system(self.chip)):
            disk = file_system(device_files(board, []) if files is None else files)
        if disk is not None:
            self.chip.write_flash(FS_START, disk)
        self.chip.attach_i2c(self._board.I2C_ID, self._find)
        if boot:
            self.boot()

    def boot(self) -> None:
        """Run until the first picture is there, or nothing is to be expected any more."""
        self.run_until(lambda: self._display.on and not self.busy, _BOOT_MS)

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
        return self._display.frame()

    @property
    def display(self) -> Timed:
        """The display that is plugged in."""
        return self._display

    @property
    def connected(self) -> bool:
        """Whether the display is plugged in. One that is plugged in again has forgotten all."""
        return self._connected

    @connected.setter
    def connected(self, value: bool) -> None:
        if value != self._connected:
            self._connected = value
            self._display = Timed(self._board.DISPLAY_ADDRESS)

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
        if self._wrong:
            raise DeviceError(f"the display does not take what the device sent: {self._wrong}") from self._wrong

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
        data = bytearray(self.chip.read_flash(FS_START, FS_BLOCKS * BLOCK))
        if torn is not None and self.chip.flash.busy is not None:
            address, new = self.chip.flash.busy
            done = torn.randrange(len(new) + 1)
            for at, byte in enumerate(new[:done], address - FS_START):
                data[at] = byte if byte == 0xFF else data[at] & byte
        return bytes(data)

    def close(self) -> None:
        """End it. Nothing of it is left anyway."""

    def _find(self, address: int) -> Self | None:
        return self if self._connected and address == self._display.address else None

    def transaction(self, data: bytes, times: list[int]) -> None:
        """The display's part of the bus; what it does not take is raised when the emulator has stopped."""
        try:
            self._display.transaction(data, times)
        except ValueError as error:
            self._wrong = error


def file_system(files: dict[str, bytes]) -> bytes:
    """A littlefs image of the Pico's size with these files. Raises: DeviceError if they do not fit."""
    context = UserContext(BLOCK * FS_BLOCKS)
    # With the cache of MicroPython, which decides whether a small file lies in its folder or in a block of its own.
    disk = LittleFS(context, block_size=BLOCK, block_count=FS_BLOCKS, read_size=32, prog_size=256, cache_size=1024,
                    disk_version=_DISK_VERSION)
    try:
        for name, data in files.items():
            if "/" in name:
                disk.makedirs(name.rpartition("/")[0], exist_ok=True)
            with disk.open(name, "wb") as file:
                file.write(data)
    except LittleFSError as error:
        raise DeviceError(f"the files do not fit into the file system of the Pico: {error}") from error
    disk.unmount()
    return bytes(context.buffer)


def read_files(disk: bytes) -> dict[str, bytes]:
    """All files of a littlefs image by path."""
    context = UserContext(len(disk))
    context.buffer[:] = disk
    mounted = LittleFS(context, block_size=BLOCK, block_count=FS_BLOCKS, prog_size=256, mount=True)
    found = {}
    for folder, _, names in mounted.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}".lstrip("/")
            with mounted.open(path, "rb") as file:
                found[path] = file.read()
    return found


def any_file_system(chip: Chip) -> bool:
    """Whether the flash has something where MicroPython's file system is."""
    return any(byte != 0xFF for byte in chip.read_flash(FS_START, 2 * BLOCK))


def find_uf2(given: Path | None) -> Path:
    """The image to run: the one given, or that of TABLESIDE_UF2. Raises: CommandError if there is none."""
    name = given or os.environ.get(UF2_VARIABLE)
    if not name:
        raise CommandError(f"which MicroPython? Give its image for the Pico with --uf2 FILE or in {UF2_VARIABLE}: "
                           "https://micropython.org/download/RPI_PICO has it")
    if not Path(name).is_file():
        raise CommandError(f"{name}: no such file")
    return Path(name)
