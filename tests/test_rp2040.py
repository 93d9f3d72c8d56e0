"""What of the emulated Pico can be tested without an image of MicroPython; `tests/emulator` has the rest."""

import random
import sys
from pathlib import Path

import pytest
from pico_images import DISK, RP2350_ARM, program, uf2

from host_tools.cli import main as tableside
from host_tools.disk_image import BLOCK
from host_tools.sim.bridge import DeviceError
from host_tools.sim.rp2040 import UF2_VARIABLE, Pico, Wire, read_files
from host_tools.sim.rp2040_chip import ERASE_NS, PROGRAM_NS, Chip
from host_tools.sim.ssd1306 import Ssd1306Model

ERASE, PROGRAM = 0x20, 0x02
OFFSET, SIZE = DISK


def command(chip: Chip, *data: int) -> None:
    """What the boot ROM does to send a command to the flash: write enable, then the command."""
    ssi = chip._mcu.ssi
    ssi._write_enabled = True
    ssi._tx_buffer = bytearray(data)
    ssi._apply_command()


def address(at: int) -> tuple[int, int, int]:
    return at >> 16, at >> 8 & 0xFF, at & 0xFF


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A made-up MicroPython for the Pico."""
    file = tmp_path / "RPI_PICO.uf2"
    file.write_bytes(uf2(program()))
    return file


@pytest.fixture
def pico(image: Path) -> Pico:
    """A Pico whose program is an endless loop."""
    made = Pico(image, files={"a/b.txt": b"text"}, boot=False)
    made.chip.write_flash(0, b"\xfe\xe7")  # b .
    return made


def test_its_disk_is_where_the_image_says_and_holds_what_was_put_in(pico: Pico) -> None:
    assert read_files(pico.disk()) == {"a/b.txt": b"text"}
    assert pico.disk() == pico.chip.read_flash(OFFSET, SIZE)


def test_other_files_and_boards_are_refused(image: Path, tmp_path: Path) -> None:
    other = tmp_path / "x.uf2"
    for content, message in ((b"no image", "no UF2"), (uf2(program(), family=RP2350_ARM), "x.uf2 is for RP2350"),
                             (uf2(program(board="pico_w")), "for pico_w")):
        other.write_bytes(content)
        with pytest.raises(ValueError, match=message):
            Pico(other)
    for board, message in (("pico_w", "without radio"), ("pico_sh1107", "I2C only")):
        with pytest.raises(DeviceError, match=message):
            Pico(image, board)


def test_the_command_says_what_is_missing(image: Path, capsys: pytest.CaptureFixture[str],
                                          monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(UF2_VARIABLE, raising=False)
    for arguments, message in (([], UF2_VARIABLE), (["--uf2", "none.uf2"], "none.uf2: no such file"),
                               (["--uf2", str(image), "--seed", "00"], "--seed"),
                               (["--uf2", str(image), "--dir", "nowhere"], "nowhere: no such folder")):
        assert tableside(["sim", "--vm", "rp2040", *arguments]) == 1
        assert message in capsys.readouterr().err


def test_without_the_package_it_says_so(image: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rp2040py.boards", None)
    with pytest.raises(DeviceError, match="pip install"):
        Pico(image)


def test_time_passes_and_what_is_due_happens_at_its_time(pico: Pico) -> None:
    times: list[int] = []
    for ns in (2_000_000, 1_000_000):
        pico.chip.at(ns, lambda: times.append(pico.chip.now_ns))
    pico.run_ms(3)
    assert times == pytest.approx([1_000_000, 2_000_000], abs=100)
    assert pico.chip.now_ns == pytest.approx(3_000_000, abs=100)


def test_the_flash_takes_its_time(pico: Pico) -> None:
    start = pico.chip.now_ns
    command(pico.chip, ERASE, *address(OFFSET))
    assert pico.chip.now_ns - start == ERASE_NS
    assert pico.chip.flash.erased_ns == [start]
    assert pico.disk()[:BLOCK] == b"\xff" * BLOCK
    command(pico.chip, PROGRAM, *address(OFFSET), *b"\x0f" * 256)
    assert pico.chip.now_ns - start == ERASE_NS + PROGRAM_NS
    assert pico.disk()[:257] == b"\x0f" * 256 + b"\xff"


def test_a_cut_finds_a_part_written(pico: Pico) -> None:
    pico.chip.write_flash(OFFSET, b"\x55" * BLOCK)
    before = pico.disk()
    found: list[bytes] = []
    half_ns = pico.chip.now_ns + ERASE_NS // 2
    pico.chip.at(half_ns, lambda: found.extend(pico.disk(random.Random(n)) for n in range(9)))
    command(pico.chip, ERASE, *address(OFFSET))
    done = [len(disk) - len(disk.lstrip(b"\xff")) for disk in found]
    assert len(set(done)) == 9 and max(done) <= BLOCK
    for disk, size in zip(found, done, strict=True):
        assert disk[size:] == before[size:]


def test_the_wire_notes_when_the_memory_of_the_display_changed() -> None:
    wire = Wire(Ssd1306Model())
    wire.transaction(b"\x80\xb0\x80\x00\x80\x10\x40\x00\x01\x00\x02", list(range(11)))
    assert wire.changes == [8, 10]
    assert wire.last_ns == 10 and wire.error is None
    wire.transaction(b"\x41\x00", [11, 12])
    assert "control byte" in str(wire.error)
