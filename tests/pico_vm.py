"""A pretended Pico on a serial port: the real MicroPython VM behind a pty, its flash a littlefs image in a file.

It starts again on a soft reset, as a Pico does, and runs main.py with the pins and the display of the simulator. Its
cable can be pulled, which takes its power, after a number of bytes.
"""

import contextlib
import fcntl
import os
import pty
import select
import signal
import socket
import termios
import threading
import time
import tty
from pathlib import Path
from typing import Self

from littlefs import LittleFS
from littlefs.context import UserContext

from host_tools.sim import bridge
from host_tools.sim.ssd1306 import Ssd1306Model

BLOCKS = 352  # as on the Pico
BLOCK_BYTES = 4096
SCRIPT = Path(__file__).parent / "vm" / "pico.py"
STAND_INS = Path(bridge.__file__).parent / "device"
_RAW = b"raw REPL; CTRL-B to exit"
_READY = b"ready\n"
_FRIENDLY = b"\r\n>>> "
_LONGEST = max(len(_RAW), len(_FRIENDLY))


def make_image(path: Path, files: dict[str, bytes], blocks: int = BLOCKS) -> None:
    """Write a file system that holds these files."""
    disk, context = _disk(bytearray(b"\xff" * (blocks * BLOCK_BYTES)))
    disk.format()
    disk.mount()
    for name, data in files.items():
        if "/" in name:
            disk.makedirs(name.rpartition("/")[0], exist_ok=True)
        with disk.open(name, "wb") as file:
            file.write(data)
    disk.unmount()
    path.write_bytes(context.buffer)


def read_image(path: Path) -> dict[str, bytes]:
    """The files of a file system; an empty folder is a name with a slash at its end."""
    disk, _ = _disk(bytearray(path.read_bytes()))
    disk.mount()
    found = {}
    for folder, folders, names in disk.walk("/"):
        prefix = folder.strip("/") + "/" if folder.strip("/") else ""
        for name in names:
            with disk.open(prefix + name, "rb") as file:
                found[prefix + name] = file.read()
        if not folders and not names and prefix:
            found[prefix] = b""
    return found


def _disk(data: bytearray) -> tuple[LittleFS, UserContext]:
    context = UserContext(buffsize=0)
    context.buffer = data
    return LittleFS(context=context, block_size=BLOCK_BYTES, block_count=len(data) // BLOCK_BYTES, read_size=32,
                    prog_size=256, cache_size=1024, lookahead_size=32, mount=False), context


class Board:
    """What is soldered to the Pico: a display, and buttons that nobody presses. Answers the simulator's requests."""

    def __init__(self, display: bool = True, address: int = 0x3C, levels: int = 0x3FFFFFFF):
        self.display = Ssd1306Model(address) if display else None
        self.levels = levels
        self.writes = 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = self._server.accept()
                threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        with line, line.makefile("rwb") as stream, contextlib.suppress(OSError):
            while True:
                request = stream.read(bridge._REQUEST.size)
                if len(request) < bridge._REQUEST.size:
                    return
                kind, size = bridge._REQUEST.unpack(request)
                error = self._take(kind, stream.read(size))
                stream.write(bridge._REPLY.pack(error, time.monotonic_ns() // 1000, self.levels, 0, 0))
                stream.flush()

    def _take(self, kind: int, data: bytes) -> int:
        if kind == bridge._WRITE:
            if not self.display or data[0] != self.display.address:
                return bridge._EIO
            self.display.write(data[1:])
            self.writes += 1
        elif kind != bridge._PIN:
            time.sleep(bridge.STEP_MS / 1000)
        return 0

    def close(self) -> None:
        self._server.close()


class PicoVm:
    """A Pico whose port is `port` until its cable is pulled.

    Args: image: its flash; cut_after: pull the cable after this many bytes, counted both ways; folder: more modules
    that its MicroPython has, before those of the simulator.
    """

    def __init__(self, micropython: str, image: Path, board: Board, cut_after: int = -1, folder: Path = STAND_INS):
        self._command = [micropython, "-i", "-X", "heapsize=480k", str(SCRIPT), str(image), str(folder)]
        self._image = image
        self._environment = {**os.environ, "TABLESIDE_SIM_PORT": str(board.port), "TERM": "dumb"}
        self.passed = 0
        self.sent: list[tuple[int, bytes]] = []  # by the host, each with the bytes that had passed before it
        self.starts = 1
        self.output = b""
        self.cut_after = cut_after
        self._raw = False
        self._host, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._wake, self._stop = os.pipe()
        self._start("main")
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Pull the cable."""
        with contextlib.suppress(OSError):
            os.write(self._stop, b"x")
        self._thread.join()

    def _start(self, mode: str, held: bytes = b"") -> None:
        """Start the VM; held: what it gets at its first prompt."""
        self._pid, self._vm = pty.fork()
        if self._pid == 0:
            _as_serial(0)
            os.execve(self._command[0], [*self._command, mode], self._environment)
        started = b""
        while not started.endswith(_READY):
            started += os.read(self._vm, 1)
        self._held: bytes | None = held
        self._seen = b""

    def _run(self) -> None:
        while self._step():
            pass
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            self._reap()
        for file in (self._host, self._slave, self._wake, self._stop):
            os.close(file)

    def _reap(self) -> int:
        """Returns: how it ended, 0 as asked."""
        os.close(self._vm)
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        return status

    def _step(self) -> bool:
        """Pass on what has come. Returns: whether the cable is still in."""
        ready, _, _ = select.select([self._vm, self._host, self._wake], [], [])
        if self._wake in ready:
            return False
        for file in ready:
            try:
                data = os.read(file, 4096)
            except OSError:
                data = b""
            if not data:
                return file == self._vm and self._restart()
            if 0 <= self.cut_after < self.passed + len(data):
                data = data[: self.cut_after - self.passed]
            if file == self._host:
                self.sent.append((self.passed, data))
            self.passed += len(data)
            if file == self._vm:
                os.write(self._host, data)
                self._watch(data)
            else:
                self._send(data)
            if self.passed == self.cut_after:
                return False
        return True

    def _send(self, data: bytes) -> None:
        """Pass on what the host sent. The VM drops what comes before its first prompt; a Pico keeps it."""
        if self._held is not None:
            self._held += data.replace(b"\x03", b"")
            data = b"\x03" * data.count(b"\x03")
        os.write(self._vm, data)

    def _watch(self, data: bytes) -> None:
        """Learn from what it prints at which prompt it is."""
        seen = self._seen + data
        self._seen = seen[-_LONGEST:]
        self.output += data
        raw, friendly = seen.rfind(_RAW), seen.rfind(_FRIENDLY)
        if raw != friendly:
            self._raw = raw > friendly
            if self._held is not None:
                os.write(self._vm, self._held)
                self._held = None

    def _restart(self) -> bool:
        """After a soft reset. Returns: False if it now waits for a UF2 instead."""
        if self._reap():  # the unix VM dies of a Ctrl-C at some moments, at which a Pico only stops the app
            self._start("raw", self._held or b"")
            return True
        if Path(f"{self._image}.bootsel").exists():
            return False
        self.starts += 1
        if self._raw:
            self._start("raw", b"\x01")
        else:
            self._start("main")
        os.write(self._host, b"MPY: soft reboot\r\n")  # now: until it runs, it holds a copy of the host's lock
        return True


def _as_serial(file: int) -> None:
    """Set up a terminal as the Pico's line is: raw, but Ctrl-C interrupts what runs."""
    tty.setraw(file)
    mode = termios.tcgetattr(file)
    mode[3] |= termios.ISIG | termios.NOFLSH
    for sign in (termios.VQUIT, termios.VSUSP):
        mode[6][sign] = b"\0"
    termios.tcsetattr(file, termios.TCSANOW, mode)
    fcntl.ioctl(file, termios.TIOCSCTTY, 0)
