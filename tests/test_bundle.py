"""`tableside bundle`: what is refused, and what is in the flash after a bundle came over what was there before."""

import hashlib
import json
import os
import random
import re
import struct
from pathlib import Path
from types import SimpleNamespace

import pytest
from littlefs import UserContext
from pico_images import (
    DISK,
    FLASH,
    RP2040,
    RP2350_ARM,
    RP2350_RISCV,
    block,
    boot_rom_writes,
    pages,
    program,
    uf2,
)
from rp2040py.device.load_flash import load_uf2
from vms import run_script

from host_tools.binary_info import binary_info
from host_tools.cli import main
from host_tools.disk_image import blocks_in_use, contents, make_disk, mount
from host_tools.firmware import BOARDS, device_files, language_files
from host_tools.uf2 import Uf2, Uf2Error, decode, encode, read_uf2

pytestmark = pytest.mark.usefixtures("games_compiled_once")

OFFSET, SIZE = DISK
Bundled = tuple[bytes, dict[str, bytes]]
RUN = ("bundle", "--board", "pico")


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A file with a MicroPython for the Pico that is made up."""
    file = tmp_path / "RPI_PICO.uf2"
    file.write_bytes(uf2(program()))
    return file


def refused(capsys: pytest.CaptureFixture[str], data: bytes, folder: Path, *parts: str, board: str = "pico") -> None:
    """A bundle of this file: exit 1, nothing written and one line with all these parts and the name of the file."""
    file, out = folder / "given.uf2", folder / "out.uf2"
    file.write_bytes(data)
    out.write_bytes(b"the old one")
    assert main(["bundle", "--board", board, "--uf2", str(file), "-o", str(out), "dice"]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1), said
    for part in ("tableside bundle:", str(file), *parts):
        assert part in said.err
    assert out.read_bytes() == b"the old one"


def boards(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A board of each Pico, by its name."""
    for pico in ("pico", "pico_w", "pico2", "pico2_w"):
        (folder / pico).mkdir(parents=True)
        ours = BOARDS / pico / "board.py"
        text = (ours if ours.exists() else BOARDS / "pico" / "board.py").read_text()
        (folder / pico / "board.py").write_text(re.sub('^PICO = "pico"', f'PICO = "{pico}"', text, flags=re.M))
    monkeypatch.setattr("host_tools.firmware.BOARDS", folder)


# --- what is no UF2, or no good one ------------------------------------------------------------------------------


def changed(data: bytes, number: int, **head: int) -> bytes:
    """A UF2 with other numbers in the head of a block."""
    fields = ["magic", "magic1", "flags", "address", "size", "number", "count", "family"]
    for name, value in head.items():
        at = 512 * number + 4 * fields.index(name)
        data = data[:at] + struct.pack("<I", value) + data[at + 4 :]
    return data


GOOD = uf2(program(size=3 * 4096))


@pytest.mark.parametrize(("data", "parts"), [
    (b"", ["is empty"]),
    (b"MicroPython for the Pico\n" * 40, ["is no UF2", "block 0"]),
    (b"short", ["is no UF2"]),
    (program(), ["is no UF2"]),
    (GOOD[:-100], ["block 47", "cut off after 412 of 512"]),
    (GOOD[:100], ["block 0", "cut off after 100"]),
    (GOOD[:-512], ["has 47 blocks", "48"]),
    (GOOD + GOOD[-512:], ["block 48 is number 47"]),
    (GOOD[: 512 * 20] + GOOD[512 * 21 :], ["block 20", "number 21 where 20", "missing"]),
    (GOOD[512:], ["block 0", "number 1 where 0"]),
    (changed(GOOD, 7, magic=0), ["block 7", "damaged"]),
    (GOOD[:511] + b"x" + GOOD[512:], ["block 0", "damaged"]),
    (changed(GOOD, 5, count=47), ["block 5", "47"]),
    (changed(GOOD, 9, family=RP2350_ARM), ["block 9", "RP2350-ARM-S", "RP2040"]),
    (changed(GOOD, 0, family=0x12345678), ["block 0", "for no Pico", "0x12345678"]),
    (changed(GOOD, 3, flags=0), ["block 3", "for no Pico"]),
    (changed(GOOD, 3, flags=0x2001), ["block 3", "for no Pico"]),
    (changed(GOOD, 4, size=476), ["block 4", "476 bytes"]),
    (changed(GOOD, 4, address=FLASH + 1025), ["block 4", "multiple"]),
    (changed(GOOD, 47, address=FLASH + 0x1000000), ["block 47", "0x11000000", "no flash"]),
    (changed(GOOD, 0, address=0x20000000), ["block 0", "0x20000000", "no flash"]),
    (changed(GOOD, 47, address=FLASH), ["block 47", "before the end"]),
    (changed(GOOD, 47, address=FLASH + 0x4000), ["block 47", "gap before 0x10004000", "erase"]),
    (b"".join(changed(GOOD[512 * n :][:512], 0, address=FLASH + 256 * n + (4096 if n > 31 else 0)) for n in range(48)),
     ["a gap before 0x10003000", "no bundle"]),
    (block(0, 2, 0x10FFFF00, b"\xef" * 256, 0xE48BFF57), ["ends after its first block"]),
])
def test_no_good_uf2(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, parts: list[str]) -> None:
    refused(capsys, data, tmp_path, *parts)


def test_a_file_that_there_is_not(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main([*RUN, "--uf2", str(tmp_path / "none.uf2"), "-o", str(tmp_path / "out.uf2")]) == 1
    assert "none.uf2" in capsys.readouterr().err


def test_every_change_of_a_head_is_found_or_harmless() -> None:
    chance = random.Random(7)
    good = decode(GOOD, "good")
    found = 0
    for _ in range(3000):
        data = bytearray(GOOD)
        at = 512 * chance.randrange(48) + chance.randrange(32)
        data[at] ^= 1 << chance.randrange(8)
        try:
            assert decode(bytes(data), "bad") == good  # a flag without a meaning here
        except Uf2Error:
            found += 1
    assert found > 2500


@pytest.mark.parametrize("absolute", [False, True])
def test_what_is_written_is_read_by_others_too(tmp_path: Path, absolute: bool) -> None:
    """rp2040py has a reader of its own: the flash that it fills is the one that was meant."""
    runs = ((FLASH, bytes(range(256)) * 5), (FLASH + 0xA0000, b"\x11" * 4096), (FLASH + 0xA2000, b"\x22" * 8192))
    lead = uf2(b"", RP2350_ARM, absolute=True) if absolute else b""
    data = encode(Uf2(RP2350_ARM if absolute else RP2040, runs, lead))
    filled = runs[0][1].ljust(4096, b"\xff")
    assert decode(data, "it") == Uf2(RP2350_ARM if absolute else RP2040, ((FLASH, filled), *runs[1:]), lead)
    (tmp_path / "it.uf2").write_bytes(data[len(lead) :])
    rp2040 = SimpleNamespace(flash=bytearray(1 << 20))
    load_uf2(tmp_path / "it.uf2", rp2040)
    flash = bytearray(1 << 20)
    for address, content in ((FLASH, filled), *runs[1:]):
        flash[address - FLASH : address - FLASH + len(content)] = content
    assert rp2040.flash == flash
    assert len({number for number, _, _ in pages(data)}) == 64


# --- what is no MicroPython for the board ------------------------------------------------------------------------


def test_binary_info_in_flash_and_in_ram() -> None:
    for in_ram in (False, True):
        info = binary_info(decode(uf2(program(in_ram=in_ram)), "it"), "it")
        assert (info.program, info.version, info.release, info.board) == ("MicroPython", "v1.28.0", (1, 28), "pico")
        [disk] = info.disks
        assert (disk.name, disk.address, disk.size, disk.writable) == ("MicroPython", FLASH + OFFSET, SIZE, True)


ROM = ("ROMFS", 0x80000, 0x20000, 1)


@pytest.mark.parametrize(("data", "parts"), [
    (uf2(program(name=None)), ["does not say what it is", "MicroPython 1.24"]),
    (uf2(bytes(20000)), ["does not say what it is"]),
    (uf2(program(name="CircuitPython")), ["but CircuitPython"]),
    (uf2(program(version="")), ["is not MicroPython"]),
    (uf2(program(version="v1.23.0")), ["v1.23.0", "1.24 or later"]),
    (uf2(program(version="v1.9.4-123")), ["v1.9.4-123", "1.24 or later"]),
    (uf2(program(board="pico_w")), ["for pico_w", "is a pico:"]),
    (uf2(program(board="")), ["does not name"]),
    (uf2(program(disks=())), ["0 file systems"]),
    (uf2(program(disks=(ROM,))), ["0 file systems"]),
    (uf2(program(disks=(("a", *DISK, 3), ("b", 0x80000, 0x20000, 3)))), ["2 file systems"]),
    (uf2(program(disks=(("a", 0xA0000, 0x161000, 3),))), ["not behind the program in 2 MiB"]),
    (uf2(program(disks=(("a", 0x1000, 0x10000, 3),))), ["not behind the program"]),
    (uf2(program(disks=(("a", 0xA0100, 0x10000, 3),))), ["not behind the program"]),
    (uf2(program(disks=(("a", 0xA0000, 0x4000, 3),))), ["do not fit", "16384 bytes"]),
    (uf2(program(), RP2350_ARM, absolute=True), ["RP2350-ARM-S", "pico with RP2040"]),
    (uf2(program(), RP2350_RISCV), ["RP2350-RISCV"]),
])
def test_another_program(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, parts: list[str]) -> None:
    if "do not fit" in parts:
        (tmp_path / "given.uf2").write_bytes(data)
        assert main([*RUN, "--uf2", str(tmp_path / "given.uf2"), "-o", str(tmp_path / "out.uf2"), "dice"]) == 1
        said = capsys.readouterr().err
        assert all(part in said for part in parts) and not (tmp_path / "out.uf2").exists()
    else:
        refused(capsys, data, tmp_path, *parts)


def test_broken_binary_info_is_said_or_read() -> None:
    chance = random.Random(3)
    good = program()
    for _ in range(2000):
        data = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            at = chance.choice([chance.randrange(0x1D4, 0x218), chance.randrange(0x1000, 0x1100)])
            data[at] = chance.randrange(256)
        try:
            binary_info(decode(uf2(bytes(data)), "it"), "it")
        except Uf2Error as error:
            assert str(error).startswith("it: its binary info")


def test_boards_and_systems_that_there_are_not(capsys: pytest.CaptureFixture[str], image: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out.uf2")
    assert main(["bundle", "--board", "arduino", "--uf2", str(image), "-o", out]) == 1
    assert "no board 'arduino': there are pico" in capsys.readouterr().err
    assert main([*RUN, "--uf2", str(image), "-o", out, "chess"]) == 1
    assert "chess" in capsys.readouterr().err
    assert main([*RUN, "--uf2", str(image), "-o", str(image)]) == 1
    assert "is the MicroPython image itself" in capsys.readouterr().err


@pytest.mark.parametrize(("pico", "family"), [("pico_w", RP2040), ("pico2", RP2350_ARM), ("pico2_w", RP2350_RISCV)])
def test_the_other_picos(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, pico: str,
                         family: int) -> None:
    boards(monkeypatch, tmp_path / "boards")
    disk = (0x100000, 0x300000) if "2" in pico else (0x12C000, 0xD4000)
    data = uf2(program(board=pico, disks=(("MicroPython", *disk, 3), ROM)), family, absolute=family != RP2040)
    (tmp_path / "it.uf2").write_bytes(data)
    out = tmp_path / "new" / "out.uf2"
    assert main(["bundle", "--board", pico, "--uf2", str(tmp_path / "it.uf2"), "-o", str(out), "dice", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    made = read_uf2(out)
    assert (said["bytes"], said["fs_offset"], made.family) == (out.stat().st_size, disk[0], family)
    assert made.absolute == (data[:512] if family != RP2040 else b"")
    refused(capsys, uf2(program()), tmp_path, pico, board=pico)


# --- what the device has in its flash then -----------------------------------------------------------------------


def test_a_bundle(image: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = tmp_path / "a.uf2", tmp_path / "b.uf2"
    assert main([*RUN, "--uf2", str(image), "-o", str(first), "dice", "--json"]) == 0
    said, warned = capsys.readouterr()
    files = device_files("pico", ["dice"])
    assert json.loads(said) == {"bytes": first.stat().st_size, "files": sorted(files), "family": "RP2040",
                                "fs_offset": OFFSET}
    assert "replaces all files of the device, its saved games included" in warned
    assert main([*RUN, "--uf2", str(image), "-o", str(second), "dice"]) == 0
    assert f"{second}: {second.stat().st_size} bytes for RP2040, {len(files)} files" in capsys.readouterr().out
    assert first.read_bytes() == second.read_bytes()
    numbers = [(number, offset) for number, offset, _ in pages(first.read_bytes())]
    assert [number for number, _ in numbers] == list(range(len(numbers)))
    for group in range(0, len(numbers), 16):  # the sixteen of a number are the sixteen of a sector
        offsets = [offset for _, offset in numbers[group : group + 16]]
        assert offsets[0] % 4096 == 0 and offsets == list(range(offsets[0], offsets[0] + 4096, 256))


def test_a_program_right_up_to_the_file_system(image: Path, tmp_path: Path) -> None:
    image.write_bytes(uf2(program(disks=(("MicroPython", 0x5000, 0x100000, 3),), size=0x5000 - 100)))
    assert main([*RUN, "--uf2", str(image), "-o", str(tmp_path / "out.uf2"), "dice"]) == 0
    made = read_uf2(tmp_path / "out.uf2")
    assert made.runs[0][0] == FLASH and len(made.runs[0][1]) > 0x5000


def test_a_bundle_that_does_not_read_back_is_not_written(monkeypatch: pytest.MonkeyPatch, image: Path,
                                                         capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "out.uf2"
    for left_out, said in (({0, 1}, "cannot be read back"), (None, "board.py")):
        monkeypatch.setattr("host_tools.bundle.blocks_in_use", lambda disk, less=left_out: (
            blocks_in_use(disk) - less if less else {0, 1}))
        assert main([*RUN, "--uf2", str(image), "-o", str(out), "dice"]) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and "fault of tableside, nothing was written" in error
        assert said in error or "cannot be read back" in error
        assert not out.exists()


def test_an_image_with_the_app_in_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "frozen.uf2").write_bytes(uf2(program(frozen=("main", "tableside/device", "tableside/ui/app"))))
    out = tmp_path / "out.uf2"
    assert main([*RUN, "--uf2", str(tmp_path / "frozen.uf2"), "-o", str(out), "dice", "--json"]) == 0
    said = capsys.readouterr()
    there = sorted([*language_files(), "packs/dice.tspk"])
    assert json.loads(said.out)["files"] == there and "the app is in the image" in said.err
    assert list(written_over(bytearray(2 << 20), out.read_bytes())) == there


def written_over(flash: bytearray, data: bytes) -> dict[str, bytes]:
    """The files of the disk after the boot ROM wrote a bundle over a flash."""
    boot_rom_writes(flash, data)
    return contents(mount(UserContext(buffer=flash[OFFSET : OFFSET + SIZE])))


def churned(disk: bytes, chance: random.Random) -> bytes:
    """The same disk after a long use: other files in each folder, and both blocks of each written many times."""
    context = UserContext(buffer=bytearray(disk))
    used = mount(context)
    for folder in [folder for folder, _, _ in used.walk("/")]:
        for number in range(150):
            with used.open(f"{folder}/new{number % 7}", "wb") as file:
                file.write(chance.randbytes(chance.choice([3, 200, 900])))
        for name in ("home.mpy", "main.py", "rng.mpy"):
            if name in used.listdir(folder):
                used.remove(f"{folder}/{name}")
    used.mkdir("sessions")
    for number in range(30):
        with used.open(f"sessions/{number}", "wb") as file:
            file.write(chance.randbytes(9000))
    used.unmount()
    return bytes(context.buffer)


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Bundled:
    """A bundle, and the files that it must bring. With the image that TABLESIDE_UF2 names, if it does."""
    folder = tmp_path_factory.mktemp("bundle")
    file = Path(os.environ.get("TABLESIDE_UF2") or folder / "made.uf2")
    if "TABLESIDE_UF2" not in os.environ:
        file.write_bytes(uf2(program()))
    assert main([*RUN, "--uf2", str(file), "-o", str(folder / "out.uf2")]) == 0
    return (folder / "out.uf2").read_bytes(), device_files("pico", [])


@pytest.mark.parametrize("old", ["zeros", "erased", "random", "busy", "older", "full"])
def test_over_what_was_there_before(bundled: Bundled, old: str) -> None:
    """Nothing of an older file system comes through, however much newer its folders look."""
    data, files = bundled
    chance = random.Random(11)
    flash = bytearray(chance.randbytes(2 << 20)) if old == "random" else bytearray(2 << 20)
    if old == "erased":
        flash = bytearray(b"\xff" * (2 << 20))
    elif old == "busy":  # the same folders at the same places
        flash[OFFSET:] = churned(make_disk(files, SIZE), chance)
    elif old == "older":  # other places
        fewer = {path: content for path, content in files.items() if "ui/" not in path}
        flash[OFFSET:] = churned(make_disk(fewer, SIZE), chance)
    elif old == "full":
        flash[OFFSET:] = make_disk({f"d{n}/{n}": chance.randbytes(70000) for n in range(16)}, SIZE)
    assert written_over(flash, data) == files
    for number, offset, payload in pages(data):
        assert flash[offset : offset + 256] == payload, number
    context = UserContext(buffer=flash[OFFSET : OFFSET + SIZE])
    used = mount(context)
    games: dict[str, bytes] = {}
    used.mkdir("sessions")
    for number in range(200):  # and it goes on well, with what is in the free blocks
        games[f"sessions/{number % 40}"] = chance.randbytes(chance.choice([40, 3000, 12000]))
        with used.open(f"sessions/{number % 40}", "wb") as file:
            file.write(games[f"sessions/{number % 40}"])
    used.unmount()
    assert contents(mount(context)) == {**files, **games}


def test_a_block_left_out_would_be_found(bundled: Bundled) -> None:
    """The check of `over what was there before` sees it if blocks that are not written yet are left to the old disk."""
    _, files = bundled
    disk = make_disk(files, SIZE)
    never_written = [n for n in blocks_in_use(disk) if disk[4096 * n : 4096 * n + 4096] == b"\xff" * 4096]
    assert never_written  # the second blocks of folders
    flash = churned(disk, random.Random(11))
    for n in blocks_in_use(disk) - set(never_written):
        flash = flash[: 4096 * n] + disk[4096 * n : 4096 * n + 4096] + flash[4096 * n + 4096 :]
    assert contents(mount(UserContext(buffer=bytearray(flash)))) != files


def test_the_disk_is_read_by_the_real_vfs(bundled: Bundled, micropython: str, tmp_path: Path) -> None:
    """VfsLfs2 of the MicroPython VM, set as on the Pico, lists and reads what was bundled."""
    data, files = bundled
    flash = bytearray(b"\x5a" * (2 << 20))
    boot_rom_writes(flash, data)
    (tmp_path / "disk.bin").write_bytes(flash[OFFSET : OFFSET + SIZE])
    lines = run_script([micropython, "-X", "heapsize=8m"], "read_disk.py", tmp_path / "disk.bin")
    assert dict(line.split() for line in lines) == {
        path: hashlib.sha256(content).hexdigest() for path, content in files.items()}


def test_the_real_image(bundled: Bundled, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """End to end with an image that was downloaded; the tests above then use it as well."""
    name = os.environ.get("TABLESIDE_UF2")
    if not name:
        pytest.skip("TABLESIDE_UF2 names no MicroPython image for the Pico: the bundle was NOT checked with a real one")
    image = read_uf2(Path(name))
    info = binary_info(image, name)
    assert (info.program, info.board) == ("MicroPython", "pico")
    made = decode(bundled[0], "bundle")
    assert made.runs[0][1].rstrip(b"\xff") == image.runs[0][1].rstrip(b"\xff")
    refused(capsys, Path(name).read_bytes()[:-700], tmp_path, "cut off")


def test_a_folder_is_quickly_read() -> None:
    """Its blocks are half full at most: the device reads all of one for each file that it looks for there."""
    disk = make_disk({f"folder/module-{n}.mpy": bytes(1000) for n in range(60)}, SIZE)
    blocks = [disk[at:at + 4096] for at in range(0, SIZE, 4096)]
    folders = [block for block in blocks if b".mpy" in block]
    assert folders
    assert not [block for block in folders if block[2048:].strip(b"\xff")]
