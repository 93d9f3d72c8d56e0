"""The connection to a device over serial, on mpremote's transport.

    with Link.open("auto") as link:
        print(link.exec("import os; print(os.listdir())"))

Opening interrupts the app, which loses nothing: it writes each command to flash as it is given. It then has the device
start afresh without the app, and sets its clock. Closing has the device start again with the app.
"""

import ast
import base64
import contextlib
import datetime
import hashlib
import io
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TextColumn
from rich.progress import Progress as RichProgress

from host_tools.errors import CommandError
from host_tools.firmware import LOWEST_MICROPYTHON, ON_DEVICE
from host_tools.ports import find_port, why_closed

_ANSWER_S = 5  # for one read or write
_SILENT_S = 60  # code may run for so long between two signs of life; an emulated device is slow
_GREETING_S = (1, 3, 10)  # how long each try to get a prompt may take; one that just starts may miss the first
_RESTART_S = 5
_PIECE = 1536  # bytes of a file in one line of code
_BATCH = 4096  # characters of code in one go
_CLOCK = """\
try:
 import machine
 print(machine.RTC().datetime())
except (ImportError, AttributeError):
 print(None)
"""
Progress = Callable[[int], object]  # is called with the number of bytes that went over the link


class LinkLost(CommandError):
    """The connection broke off in the middle."""


class DeviceRaised(CommandError):
    """Code on the device raised an exception; `kind` is its name."""

    def __init__(self, port: str, traceback: str):
        last = (traceback.strip().splitlines() or ["no reason given"])[-1]
        self.kind = last.partition(":")[0]
        super().__init__(f"{port}: the device says {last}")


@dataclass(frozen=True)
class Found:
    """A file of a device; the hash is "" if none was asked for."""

    size: int
    hash: str


def progress_bar() -> RichProgress:
    """A bar for bytes, on stderr; nothing where that is no terminal."""
    console = Console(stderr=True)
    return RichProgress(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), console=console,
                        transient=True, disable=not console.is_terminal)


class Link:
    """An open connection to a device, whose app is stopped. Make one with `open`.

    Attributes:
        port: what it is connected to.
        version: of its MicroPython, as numbers.
        machine: what its MicroPython was built for.
        clock: what its clock said before it was set; None if it has none.
    """

    def __init__(self, port: str, transport: SerialTransport):
        self.port = port
        self.version: tuple[int, ...] = ()
        self.machine = ""
        self.clock: datetime.datetime | None = None
        self._transport = transport
        self._alive = True

    @classmethod
    def open(cls, port: str = "auto") -> Self:
        """Connect, as a context manager. Args: port: as mpremote names it: auto, /dev/ttyACM0, COM3, socket://...

        Raises: CommandError: what is wrong and what to do.
        """
        port = find_port() if port == "auto" else port
        try:
            transport = SerialTransport(port)
        except (TransportError, OSError, ValueError):
            raise CommandError(f"{port}: {why_closed(port)}") from None
        transport.serial.timeout = transport.serial.write_timeout = _ANSWER_S
        link = cls(port, transport)
        try:
            link._greet()
            link._identify()
            link._set_clock()
            link.load("files")
        except BaseException:
            link.close()
            raise
        return link

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Have the device start its app again, and disconnect. It may be called more than once."""
        if self._alive:
            self._alive = False
            with contextlib.suppress(TransportError, OSError):
                self._transport.serial.write(b"\r\x03\x02")  # an empty line, and out of the raw REPL
                self._transport.read_until(1, b">>> ", timeout=_RESTART_S)
                self._transport.serial.write(b"\x04")
                self._transport.read_until(1, b"soft reboot\r\n", timeout=_RESTART_S)
        with contextlib.suppress(TransportError, OSError):
            self._transport.close()

    def _greet(self) -> None:
        """Stop the app and start afresh without it."""
        for seconds in _GREETING_S:
            try:
                with contextlib.redirect_stdout(io.StringIO()):  # the transport prints what it does not understand
                    self._transport.enter_raw_repl(timeout_overall=seconds)
                return
            except TransportError:
                continue
            except OSError as error:
                raise self._lost(error) from None
        self._alive = False
        raise CommandError(f"{self.port}: no answer: it does not run MicroPython, or its program cannot be "
                           "interrupted; plug it in anew and try again, or install MicroPython by 'tableside flash'")

    def _identify(self) -> None:
        name, version, self.machine = ast.literal_eval(self.exec(
            "import sys\nprint((sys.implementation[0],tuple(sys.implementation[1]),sys.implementation[2]))"))
        self.version = tuple(number for number in version if isinstance(number, int))
        if name != "micropython" or self.version < LOWEST_MICROPYTHON:
            here, needed = (".".join(map(str, numbers)) for numbers in (self.version, LOWEST_MICROPYTHON))
            raise CommandError(f"{self.port}: it runs {name} {here}, but MicroPython {needed} or later is needed: "
                               "install it by 'tableside flash'")

    def read_clock(self) -> datetime.datetime | None:
        """What its clock says; None if it has none."""
        moment = ast.literal_eval(self.exec(_CLOCK))
        return datetime.datetime(*moment[:3], *moment[4:7]) if moment else None

    def _set_clock(self) -> None:
        self.clock = self.read_clock()
        now = datetime.datetime.now()
        moment = (now.year, now.month, now.day, now.weekday(), now.hour, now.minute, now.second, 0)
        if self.clock:
            self.exec(f"machine.RTC().datetime({moment})")

    def _lost(self, error: Exception) -> LinkLost:
        self._alive = False
        return LinkLost(f"{self.port}: the connection broke off ({str(error) or type(error).__name__}): "
                        "check the cable, plug the device in anew and try again")

    def exec(self, code: str, consume: Callable[[bytes], object] | None = None) -> str:
        """Run code on the device. Returns: what it printed. Args: consume: takes that instead, byte by byte.

        Raises: DeviceRaised for an exception there; LinkLost.
        """
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                said, error_said = self._transport.exec_raw(code, timeout=_SILENT_S, data_consumer=consume)
        except (TransportError, OSError, struct.error) as error:
            raise self._lost(error) from None
        if error_said:
            raise DeviceRaised(self.port, error_said.decode(errors="replace"))
        return str(said.decode()).replace("\r\n", "\n")

    def load(self, name: str) -> None:
        """Give the device the functions of a file of host_tools/on_device."""
        self.exec((ON_DEVICE / f"{name}.py").read_text(encoding="utf-8"))

    def walk(self, paths: Iterable[str], hashes: bool = True) -> dict[str, Found]:
        """The files at and under these paths, by path; the names of folders end in a slash."""
        code = "\n".join(f"walk({path!r},{hashes})" for path in paths)
        found = {}
        for line in self.exec(code).splitlines():
            size, digest, path = line.split(" ", 2)
            found[path] = Found(int(size), digest if digest != "-" else "")
        return found

    def space(self) -> tuple[int, int]:
        """How large a block of the file system is, and how many are free."""
        size, free = self.exec("space()").split()
        return int(size), int(free)

    def has_frozen(self, module: str) -> bool:
        """Whether a module is part of its MicroPython image."""
        return self.exec(f"frozen({module!r})").strip() == "True"

    def write(self, files: Mapping[str, bytes], progress: Progress) -> None:
        """Write files, in folders that exist; the hash of each is then that of what is in flash.

        Raises: CommandError if one is not; DeviceRaised; LinkLost.
        """
        for code, bytes_sent, hashes in _batches(files):
            if self.exec(code).split() != hashes:
                raise CommandError(f"{self.port}: what it wrote is not what was sent: its flash may be worn out")
            progress(bytes_sent)

    def read(self, path: str, start: int, progress: Progress) -> bytes:
        """A file, from a position on."""
        data = bytearray()
        line = bytearray()

        def consume(byte: bytes) -> None:
            if byte in b"\r\n\x04":
                data.extend(base64.b64decode(line))
                progress(len(line) * 3 // 4)
                line.clear()
            else:
                line.extend(byte)

        self.exec(f"send({path!r},{start})", consume)
        return bytes(data)

    def pull_sessions(self, folder: Path) -> list[str]:
        """Copy the sessions that a folder lacks, wholly or in part. Returns: their names.

        Raises: CommandError, OSError.
        """
        from host_tools.log_pull import DeviceSource, pull

        return [entry.name for entry in pull(DeviceSource(self), folder) if entry.copied]

    def reboot_to_bootloader(self) -> None:
        """Have the device wait for a UF2 as a drive; this ends the connection."""
        self._alive = False
        with contextlib.suppress(TransportError, OSError, struct.error):
            self._transport.exec_raw_no_follow("import machine\nmachine.bootloader()")
        self.close()


def _batches(files: Mapping[str, bytes]) -> Iterator[tuple[str, int, list[str]]]:
    """Code that writes files: (code, bytes of files in it, the hashes that it prints), a few KB at a time."""
    lines: list[str] = []
    hashes: list[str] = []
    sent = 0
    for path, data in files.items():
        lines.append(f"begin({path!r})")
        for at in range(0, len(data), _PIECE):
            piece = data[at : at + _PIECE]
            lines.append(f"put({base64.b64encode(piece)!r})")
            sent += len(piece)
            if sum(map(len, lines)) >= _BATCH:
                yield "\n".join(lines), sent, hashes
                lines, sent, hashes = [], 0, []
        lines.append(f"end({path!r})")
        hashes.append(hashlib.sha256(data).hexdigest())
    if lines:
        yield "\n".join(lines), sent, hashes
