"""UF2 files for the Pico: read strictly, written so that the boot ROM takes them.

A UF2 is a row of 512-byte blocks, each with 256 bytes for one address of the flash. The boot ROM of the RP2040 erases a
sector of 4 KiB when the first block of a group of 16 arrives, and finds the group by the block's number, not by its
address: numbers 16k to 16k+15 must be one whole sector, or parts of the old flash stay and parts of the new are erased.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

from host_tools.errors import CommandError

PAGE = 256
SECTOR = 4096
FLASH_START = 0x10000000
FLASH_END = 0x11000000  # of the address window; a Pico has less

RP2040 = 0xE48BFF56
RP2350_ARM = 0xE48BFF59
RP2350_RISCV = 0xE48BFF5A
FAMILY_NAMES = {RP2040: "RP2040", RP2350_ARM: "RP2350-ARM-S", RP2350_RISCV: "RP2350-RISCV"}
CHIP_FAMILIES = {"RP2040": (RP2040,), "RP2350": (RP2350_ARM, RP2350_RISCV)}

_BLOCK = 512
_HEAD = struct.Struct("<8s6I")  # magic numbers, flags, address, payload size, number, count, family
_MAGIC = struct.pack("<2I", 0x0A324655, 0x9E5D5157)
_MAGIC_END = struct.pack("<I", 0x0AB16F30)
_FAMILY_PRESENT = 0x2000
_NOT_FLASH = 0x1001  # not for the main flash, or a file for a container
_ABSOLUTE = 0xE48BFF57  # one such block may lead the file of an RP2350, against erratum E10 of the chip
_AGAIN = "copy or download the file again"


class Uf2Error(CommandError):
    """A file that is no UF2 or not one for this; the text names the file, the block and what to do."""


@dataclass(frozen=True)
class Uf2:
    """What a UF2 puts into the flash.

    Attributes:
        family: a key of FAMILY_NAMES.
        runs: (address, bytes) of each stretch without a gap, ascending.
        absolute: the whole leading block of the absolute family, or nothing.
    """

    family: int
    runs: tuple[tuple[int, bytes], ...]
    absolute: bytes = b""

    @property
    def chip(self) -> str:
        """The chip that it is for."""
        return next(chip for chip, families in CHIP_FAMILIES.items() if self.family in families)


def read_uf2(path: Path) -> Uf2:
    """The content of a UF2 file. Raises: Uf2Error if anything in it is not as it must be; OSError."""
    return decode(path.read_bytes(), str(path))


def decode(data: bytes, name: str) -> Uf2:
    """The content of a UF2. Args: name: what errors call it. Raises: Uf2Error."""
    if not data:
        raise Uf2Error(f"{name} is empty: {_AGAIN}")
    if not data.startswith(_MAGIC):
        raise Uf2Error(f"{name} is no UF2 (block 0 has not its magic numbers): give a .uf2 file for the Pico")
    blocks = [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)]
    absolute = b""
    if _is_block(blocks[0]) and _HEAD.unpack_from(blocks[0])[6] == _ABSOLUTE:
        absolute, *blocks = blocks
    if not blocks:
        raise Uf2Error(f"{name} ends after its first block, the one of the absolute family: {_AGAIN}")
    family = 0
    runs: list[tuple[int, bytearray]] = []
    for number, block in enumerate(blocks):
        where = f"{name}: block {number + bool(absolute)}"
        family, address, payload = _content(block, where, number, family)
        last = runs[-1][0] + len(runs[-1][1]) if runs else FLASH_START
        if address < last and runs:
            raise Uf2Error(f"{where} is for {address:#x}, which comes before the end of the one before it: {_AGAIN}")
        if not runs or address > last:
            if address % SECTOR or number % (SECTOR // PAGE):
                raise Uf2Error(f"{where}: a gap before {address:#x} that is not between whole sectors, "
                               f"the boot ROM would erase the wrong ones: {_AGAIN}")
            runs.append((address, bytearray()))
        runs[-1][1].extend(payload)
    for number, block in enumerate(blocks):
        count = _HEAD.unpack_from(block)[5]
        if count != len(blocks):
            raise Uf2Error(f"{name} has {len(blocks)} blocks, and block {number + bool(absolute)} says that there are "
                           f"{count}: it is cut off or put together wrongly: {_AGAIN}")
    return Uf2(family, tuple((address, bytes(content)) for address, content in runs), absolute)


def _is_block(block: bytes) -> bool:
    return len(block) == _BLOCK and block.startswith(_MAGIC) and block.endswith(_MAGIC_END)


def _content(block: bytes, where: str, number: int, first_family: int) -> tuple[int, int, bytes]:
    """Family, address and payload of a block that must be the one of this number. Raises: Uf2Error."""
    if len(block) < _BLOCK:
        raise Uf2Error(f"{where} is cut off after {len(block)} of {_BLOCK} bytes: {_AGAIN}")
    if not _is_block(block):
        raise Uf2Error(f"{where} has not its magic numbers, it is damaged: {_AGAIN}")
    _, flags, address, size, its_number, _, family = _HEAD.unpack_from(block)
    if flags & _NOT_FLASH or not flags & _FAMILY_PRESENT or family not in FAMILY_NAMES:
        raise Uf2Error(f"{where} is for no Pico (flags {flags:#x}, family {family:#x}): give a .uf2 file for the Pico")
    if first_family and family != first_family:
        raise Uf2Error(f"{where} is of the family {FAMILY_NAMES[family]} and those before it of "
                       f"{FAMILY_NAMES[first_family]}: give a file for one of them")
    if its_number != number:
        raise Uf2Error(f"{where} is number {its_number} where {number} should come: blocks are missing, {_AGAIN}")
    if size != PAGE or address % PAGE:
        raise Uf2Error(f"{where} has {size} bytes for {address:#x}, not {PAGE} for a multiple of {PAGE}: {_AGAIN}")
    if not FLASH_START <= address < FLASH_END:
        raise Uf2Error(f"{where} is for {address:#x}, which is no flash: give a file that is made for the flash")
    return family, address, block[_HEAD.size : _HEAD.size + PAGE]


def encode(uf2: Uf2) -> bytes:
    """The UF2 of whole sectors: a run that ends within one is filled up with what erased flash holds."""
    pages = []
    for address, content in uf2.runs:
        full = content + b"\xff" * (-len(content) % SECTOR)
        pages += [(address + at, full[at : at + PAGE]) for at in range(0, len(full), PAGE)]
    filler = bytes(_BLOCK - _HEAD.size - PAGE - len(_MAGIC_END))
    return uf2.absolute + b"".join(
        _HEAD.pack(_MAGIC, _FAMILY_PRESENT, address, PAGE, number, len(pages), uf2.family) + page + filler + _MAGIC_END
        for number, (address, page) in enumerate(pages))
