"""What a program for the Pico says about itself: the SDK's binary info, read from its image."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from host_tools.uf2 import Uf2, Uf2Error

_START, _END = struct.pack("<I", 0x7188EBF2), struct.pack("<I", 0xE71AA390)
_SEARCHED = 4096  # the marker is near the start of the program
_MOST_RECORDS = 4096
_LONGEST_TEXT = 256

_STRING, _BLOCK_DEVICE = 6, 7  # types of records
_TAG_SDK = 0x5052  # "RP"
_TAG_MICROPYTHON = 0x504D  # "MP"
_FROZEN = 0x4A99D719  # the id of the name of a frozen module
_NAMES = {0x02031C86: "program", 0x11A9BC3A: "version", 0xB63CFFBB: "board"}  # ids of strings of the SDK
_WRITABLE = 2


@dataclass(frozen=True)
class BlockDevice:
    """A part of the flash that the program uses as a disk."""

    name: str
    address: int
    size: int
    writable: bool


@dataclass(frozen=True)
class BinaryInfo:
    """The records that matter here; "" and () for those there are not.

    Attributes:
        board: the SDK's name of it.
        frozen: the modules in the program, as a/b for a.b.
    """

    program: str = ""
    version: str = ""
    board: str = ""
    disks: tuple[BlockDevice, ...] = ()
    frozen: tuple[str, ...] = ()

    @property
    def release(self) -> tuple[int, int] | None:
        """The two numbers that the version begins with."""
        found = re.match(r"v?(\d+)\.(\d+)", self.version)
        return (int(found[1]), int(found[2])) if found else None


def binary_info(image: Uf2, name: str) -> BinaryInfo:
    """What the program of an image says. Args: name: what errors call it. Raises: Uf2Error for broken records."""
    start, program = image.runs[0]
    for at in range(0, min(_SEARCHED, len(program) - 20), 4):
        if program[at : at + 4] == _START and program[at + 16 : at + 20] == _END:
            first, last, table = struct.unpack_from("<3I", program, at + 4)
            return _Reader(image, name, table).info(first, last)
    return BinaryInfo()


@dataclass
class _Reader:
    """Reads at the addresses that the running program would use."""

    image: Uf2
    name: str
    table: int
    moved: list[tuple[int, int, int]] = field(default_factory=list)  # source, target, end of the target

    def info(self, first: int, last: int) -> BinaryInfo:
        """All records of the array of pointers."""
        self.moved = list(self._copies())
        if last < first or last - first > 4 * _MOST_RECORDS:
            raise Uf2Error(f"{self.name}: its binary info is broken (from {first:#x} to {last:#x}): take another image")
        texts: dict[str, str] = {}
        disks: list[BlockDevice] = []
        frozen: list[str] = []
        for pointer in range(first, last - 3, 4):
            record = self._numbers(pointer, "<I")[0]
            kind, tag = self._numbers(record, "<2H")
            if kind == _STRING:
                number, text = self._numbers(record + 4, "<2I")
                if tag == _TAG_SDK and number in _NAMES:
                    texts[_NAMES[number]] = self._text(text)
                elif tag == _TAG_MICROPYTHON and number == _FROZEN:
                    frozen.append(self._text(text))
            elif kind == _BLOCK_DEVICE:
                text, address, size, _, flags = self._numbers(record + 4, "<4IH")
                disks.append(BlockDevice(self._text(text) if text else "", address, size, bool(flags & _WRITABLE)))
        return BinaryInfo(**texts, disks=tuple(disks), frozen=tuple(frozen))

    def _copies(self) -> Iterator[tuple[int, int, int]]:
        """What the program copies to RAM when it starts: pointers are those of the copy."""
        for at in range(self.table, self.table + 12 * _MOST_RECORDS, 12):
            source, target, end = self._numbers(at, "<3I")
            if not source:
                return
            yield source, target, end

    def _bytes(self, address: int, size: int) -> bytes:
        """Up to `size` bytes; fewer only at the end of a run."""
        for source, target, end in self.moved:
            if target <= address < end:
                address = source + address - target
                break
        for start, content in self.image.runs:
            if start <= address < start + len(content):
                return content[address - start : address - start + size]
        raise Uf2Error(f"{self.name}: its binary info points to {address:#x}, where nothing is: take another image")

    def _numbers(self, address: int, layout: str) -> tuple[int, ...]:
        data = self._bytes(address, struct.calcsize(layout))
        if len(data) < struct.calcsize(layout):
            raise Uf2Error(f"{self.name}: its binary info is cut off at {address:#x}: take another image")
        return struct.unpack(layout, data)

    def _text(self, address: int) -> str:
        return self._bytes(address, _LONGEST_TEXT).split(b"\0")[0].decode("utf-8", "replace")
