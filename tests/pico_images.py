"""UF2 files as they are downloaded, made here, and what the boot ROM of a Pico does with them."""

import struct

FLASH = 0x10000000
RAM = 0x20000000
RP2040, ABSOLUTE, RP2350_ARM, RP2350_RISCV = 0xE48BFF56, 0xE48BFF57, 0xE48BFF59, 0xE48BFF5A
DISK = (0xA0000, 0x160000)  # offset and size of the file system on a Pico
_HEAD = "<8I"


def block(number: int, count: int, address: int, payload: bytes, family: int, flags: int = 0x2000) -> bytes:
    """One block of a UF2."""
    head = struct.pack(_HEAD, 0x0A324655, 0x9E5D5157, flags, address, len(payload), number, count, family)
    return head + payload.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)


def uf2(program: bytes, family: int = RP2040, absolute: bool = False) -> bytes:
    """A program at the start of the flash, its last page filled up; absolute: with a block against erratum E10."""
    program += bytes(-len(program) % 256)
    count = len(program) // 256
    lead = block(0, 2, 0x10FFFF00, b"\xef" * 256, ABSOLUTE, 0xA000) if absolute else b""
    return lead + b"".join(block(i, count, FLASH + 256 * i, program[256 * i : 256 * i + 256], family)
                           for i in range(count))


def program(
    name: str | None = "MicroPython",
    version: str = "v1.28.0",
    board: str = "pico",
    disks: tuple[tuple[str, int, int, int], ...] = (("MicroPython", *DISK, 3),),
    size: int = 20000,
    in_ram: bool = False,
    frozen: tuple[str, ...] = (),
) -> bytes:
    """A program with the records that the SDK writes: header at 0x1d4, pointers, records, texts, data to be copied.

    Args: disks: name, offset, size and flags of each; in_ram: the records are among the data that is copied to RAM;
        frozen: modules in it.
    """
    base = 0x1000  # where the records are in the image
    seen = RAM + 0x100 if in_ram else FLASH + base  # and where the program has them
    body = bytearray()

    def put(data: bytes) -> int:
        body.extend(bytes(-len(body) % 4))
        body.extend(data)
        return seen + len(body) - len(data)

    def text(number: int, value: str, tag: bytes = b"RP") -> int:
        return put(struct.pack("<H2s2I", 6, tag, number, put(value.encode() + b"\0")))

    records = [text(0xA1F4B453, "USB REPL"), put(struct.pack("<H2sIi", 5, b"RP", 0x68F465DE, -1))]
    records += [text(0x02031C86, "somebody else's", b"XX")]
    records += [text(0x02031C86, name)] if name is not None else []
    records += [text(0x11A9BC3A, version), text(0xB63CFFBB, board)]
    records += [text(0x4A99D719, module, b"MP") for module in ("_boot", *frozen)]
    for label, offset, length, flags in disks:
        label_at = put(label.encode() + b"\0")
        records.append(put(struct.pack("<H2s4IH", 7, b"MP", label_at, FLASH + offset, length, 0, flags)))
    pointers = put(struct.pack(f"<{len(records)}I", *records))
    copies = struct.pack("<6I", FLASH + base, seen, seen + len(body), 0, 0, 0)
    image = bytearray(bytes(range(256)) * (size // 256 + 1))[:size]
    end = pointers + 4 * len(records)
    image[0x1D4:0x1E8] = struct.pack("<5I", 0x7188EBF2, pointers, end, FLASH + 0x200, 0xE71AA390)
    image[0x200:0x218] = copies if in_ram else bytes(24)
    image[base : base + len(body)] = body
    return bytes(image)


def pages(data: bytes) -> list[tuple[int, int, bytes]]:
    """Number, offset in the flash and payload of each block; a leading absolute block is left out."""
    found = []
    for at in range(0, len(data), 512):
        *_, address, size, number, _, family = struct.unpack_from(_HEAD, data, at)
        if family != ABSOLUTE:
            found.append((number, address - FLASH, data[at + 32 : at + 32 + size]))
    return found


def boot_rom_writes(flash: bytearray, data: bytes) -> None:
    """Write a UF2 as the boot ROM of the RP2040 does: a sector is erased when the first block of its 16 NUMBERS comes.

    What is programmed without having been erased can only lose bits.
    """
    erased = set()
    for number, offset, payload in pages(data):
        if number // 16 not in erased:
            erased.add(number // 16)
            start = offset // 4096 * 4096
            flash[start : start + 4096] = b"\xff" * 4096
        old = flash[offset : offset + 256]
        flash[offset : offset + 256] = bytes(a & b for a, b in zip(old, payload, strict=True))
