"""`tableside bundle`: MicroPython and the files of a device in one UF2."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from littlefs import LittleFSError, UserContext

from host_tools.binary_info import BinaryInfo, BlockDevice, binary_info
from host_tools.boards import load_board
from host_tools.disk_image import blocks_in_use, contents, make_disk, mount
from host_tools.errors import CommandError
from host_tools.files import replace_file
from host_tools.firmware import LANGUAGES, LOWEST_MICROPYTHON, board_file, device_files
from host_tools.uf2 import FAMILY_NAMES, FLASH_START, SECTOR, Uf2, Uf2Error, decode, encode, read_uf2

# The names that the SDK has for the boards: their chip and their flash.
PICOS = {
    "pico": ("RP2040", 2 << 20),
    "pico_w": ("RP2040", 2 << 20),
    "pico2": ("RP2350", 4 << 20),
    "pico2_w": ("RP2350", 4 << 20),
}
REPLACES = "flashing it replaces all files of the device, its saved games included"

_MANUAL = f"""\
Merges a MicroPython image with the app, the packs and the board file into one UF2. A Pico in BOOTSEL mode that gets it
starts as a Tableside. Where the file system is comes from the image itself. The image must be that of the board's
Pico, MicroPython {LOWEST_MICROPYTHON[0]}.{LOWEST_MICROPYTHON[1]} or later: see https://micropython.org/download.
An image with the app frozen into it gets only the packs. The same input gives the same bytes.

Careful: {REPLACES}.
`tableside log pull` saves the games.

With --json: bytes (of the UF2), files (their paths on the device), family, fs_offset (in the flash).
"""
_EXAMPLE = """\
example:
  tableside bundle --board pico --uf2 RPI_PICO.uf2 -o build/tableside.uf2
  tableside flash --uf2 build/tableside.uf2
"""


def add_parser(subparsers: Any) -> None:
    """Add `bundle`."""
    parser = subparsers.add_parser("bundle", help="one UF2 with MicroPython, the app and packs", description=_MANUAL,
                                   epilog=_EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", required=True, metavar="NAME", help="a folder of boards/")
    parser.add_argument("--uf2", required=True, type=Path, metavar="MICROPYTHON.uf2", help="MicroPython for its Pico")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="OUT.uf2", help="where the bundle goes")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="folders of firmware/games (default: all)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Build, check and write the bundle, and say what is in it."""
    if args.output.exists() and args.output.samefile(args.uf2):
        raise CommandError(f"{args.output} is the MicroPython image itself: give another file for the bundle")
    image, info = micropython(args.uf2, args.board)
    disk = disk_of(info)
    files = files_for(info, args.board, args.systems)
    data = bundle(image, disk, files)
    compare(decode(data, "the bundle"), image, disk, files)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    replace_file(args.output, data)
    print(f"careful: {REPLACES}", file=sys.stderr)
    offset = disk.address - FLASH_START
    if args.json:
        print(json.dumps({"bytes": len(data), "files": sorted(files), "family": FAMILY_NAMES[image.family],
                          "fs_offset": offset}))
        return 0
    print(f"{args.output}: {len(data)} bytes for {FAMILY_NAMES[image.family]}, {len(files)} files at {offset:#x}, "
          "read back and compared")
    return 0


def micropython(path: Path, board: str) -> tuple[Uf2, BinaryInfo]:
    """A MicroPython image for a board, and what it says about itself; it has one disk.

    Raises: CommandError for a board that there is not, a file that is no UF2 or an image that does not fit; OSError.
    """
    board_file(board)
    pico = load_board(board).PICO
    chip, flash = PICOS[pico]
    image = read_uf2(path)
    if image.chip != chip:
        raise Uf2Error(f"{path} is for {FAMILY_NAMES[image.family]}, and the board {board} is a {pico} with {chip}: "
                       f"take MicroPython for the {pico}")
    if len(image.runs) > 1:
        raise Uf2Error(f"{path} has a gap before {image.runs[1][0]:#x}: give MicroPython alone, as it is downloaded, "
                       "and no bundle")
    info = binary_info(image, str(path))
    lowest = ".".join(map(str, LOWEST_MICROPYTHON))
    if info.program != "MicroPython" or info.release is None:
        raise Uf2Error(f"{path} is not MicroPython but {info.program or 'something that does not say what it is'}: "
                       f"take MicroPython {lowest} or later for the {pico}")
    if info.release < LOWEST_MICROPYTHON:
        raise Uf2Error(f"{path} is MicroPython {info.version}: Tableside needs {lowest} or later")
    if info.board != pico:
        raise Uf2Error(f"{path} is MicroPython for {info.board or 'a board it does not name'}, and the board {board} "
                       f"is a {pico}: take MicroPython for the {pico}")
    count = sum(disk.writable for disk in info.disks)
    if count != 1:
        raise Uf2Error(f"{path} names {count} file systems that can be written, not one: take another image")
    disk, (start, program) = disk_of(info), image.runs[0]
    if disk.address % SECTOR or disk.size % SECTOR or disk.address < start + len(program) or \
            disk.address + disk.size > FLASH_START + flash:
        raise Uf2Error(f"{path}: its file system ({disk.size} bytes at {disk.address:#x}) is not behind the program in "
                       f"{flash >> 20} MiB of flash: take MicroPython for the {pico}")
    return image, info


def disk_of(info: BinaryInfo) -> BlockDevice:
    """The file system of MicroPython."""
    return next(disk for disk in info.disks if disk.writable)


def files_for(info: BinaryInfo, board: str, systems: list[str]) -> dict[str, bytes]:
    """The files that go with an image: only packs and languages if the app is frozen into it.

    Raises: see `device_files`.
    """
    files = device_files(board, systems)
    if "tableside/device" not in info.frozen:
        return files
    print("the app is in the image: only packs and languages go into the file system", file=sys.stderr)
    return {path: content for path, content in files.items() if path.startswith(("packs/", f"{LANGUAGES}/"))}


def bundle(image: Uf2, disk: BlockDevice, files: dict[str, bytes]) -> bytes:
    """The UF2 of MicroPython and of its file system with these files. Raises: CommandError if they do not fit."""
    content_of_disk = make_disk(files, disk.size)
    runs = list(image.runs)
    for block in sorted(blocks_in_use(content_of_disk)):
        content = content_of_disk[block * SECTOR : (block + 1) * SECTOR]
        runs.append((disk.address + block * SECTOR, content))
    return encode(Uf2(image.family, tuple(runs), image.absolute))


def compare(made: Uf2, image: Uf2, disk: BlockDevice, files: dict[str, bytes]) -> None:
    """Read a bundle back as if it were laid over a flash full of zeros. Raises: CommandError if anything differs."""
    start = disk.address - FLASH_START
    flash = bytearray(start + disk.size)
    for address, content in made.runs:
        flash[address - FLASH_START : address - FLASH_START + len(content)] = content
    try:
        found = contents(mount(UserContext(buffer=flash[start:])))
    except LittleFSError as error:
        raise CommandError(f"the file system of the bundle cannot be read back ({error}): this is a fault of "
                           "tableside, nothing was written") from error
    wrong = sorted(path for path in found.keys() | files.keys() if found.get(path) != files.get(path))
    address, program = image.runs[0]
    if wrong or not flash.startswith(program, address - FLASH_START):
        raise CommandError(f"the bundle does not read back as it was written ({', '.join(wrong) or 'MicroPython'}): "
                           "this is a fault of tableside, nothing was written")
