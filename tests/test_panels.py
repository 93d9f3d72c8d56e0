"""SH1106 and SH1107 panels on both buses: our drivers against luma.oled's by display memory, and what they send."""

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from luma.oled import device as luma
from PIL import Image

from host_tools.sim.oled import HEIGHT, WIDTH, OledModel, to_image
from host_tools.sim.sh110x import Sh1106Model, Sh1107Model
from host_tools.sim.ssd1306 import Ssd1306Model

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "host_tools" / "sim" / "device"))  # CPython has no framebuf of its own
from tableside.hw.i2c_bus import I2CBus  # noqa: E402
from tableside.hw.oled import Oled  # noqa: E402
from tableside.hw.sh1106 import SH1106  # noqa: E402
from tableside.hw.sh1107 import SH1107  # noqa: E402
from tableside.hw.spi_bus import SPIBus  # noqa: E402
from tableside.hw.ssd1306 import SSD1306  # noqa: E402

sys.path.pop()

KINDS: dict[str, tuple[Callable[..., Oled], type[OledModel]]] = {
    "ssd1306": (SSD1306, Ssd1306Model), "sh1106": (SH1106, Sh1106Model), "sh1107": (SH1107, Sh1107Model),
}  # fmt: skip
FOREIGN = (0x20, 0x8D, 0xDA)  # commands that luma sends to chips that have none of that name


class Wires:
    """An I2C or SPI bus with one panel; `fail_after`: transactions until it breaks; `address`: of the panel."""

    def __init__(self, model: OledModel) -> None:
        self.model = model
        self.fail_after: int | None = None

    def writeto(self, address: int, data: bytes) -> None:
        if self.fail_after is not None:
            self.fail_after -= 1
        if address != self.model.address or (self.fail_after is not None and self.fail_after < 0):
            raise OSError(5)
        self.model.write(bytes(data))

    def write(self, data: bytes) -> None:
        assert self.pins["cs"].level == 0 and self.pins["rst"].level == 1
        self.model.write_spi(self.pins["dc"].level, bytes(data))

    def spi_bus(self) -> SPIBus:
        self.pins = {name: Pin() for name in ("cs", "dc", "rst")}
        return SPIBus(self, self.pins["cs"], self.pins["dc"], self.pins["rst"])


class Pin:
    level = 1

    def value(self, level: int) -> None:
        self.level = level


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep_ms", lambda ms: None, raising=False)


@pytest.fixture(params=["i2c", "spi"])
def bus(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def make(kind: str, bus: str = "i2c", over: bool = False) -> tuple[OledModel, Oled, Wires]:
    driver, model = KINDS[kind]
    wires = Wires(model(over=over))
    return wires.model, driver(I2CBus(wires) if bus == "i2c" else wires.spi_bus(), over), wires


def scribbles(count: int) -> list[bytes]:
    """Frames, each a random change of the one before."""
    rng = random.Random(3)
    buf = bytearray(1024)
    frames = []
    for _ in range(count):
        for _ in range(rng.choice((0, 1, 2, 5, 40, 1000))):
            buf[rng.randrange(1024)] = rng.randrange(256)
        frames.append(bytes(buf))
    return frames


def turned(frame: bytes) -> bytes:
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in frame[::-1])


@pytest.mark.parametrize("over", [False, True])
def test_the_eye_sees_the_frame(kind: str, bus: str, over: bool) -> None:
    model, display, _ = make(kind, bus, over)
    for frame in scribbles(25):
        display.show(frame)
        assert model.frame() == frame
    display.rotate(True)
    for frame in scribbles(3):
        display.show(frame)
        assert model.frame() == turned(frame)
    display.rotate(False)
    display.show(frame)
    assert model.frame() == frame


def test_an_unchanged_frame_sends_nothing_and_a_small_change_little(kind: str, bus: str) -> None:
    model, display, _ = make(kind, bus)
    buf = bytearray(1024)
    display.show(buf)
    before = model.bytes_received
    display.show(bytes(buf))
    assert model.bytes_received == before
    buf[3 * 128 + 40 : 3 * 128 + 46] = b"\x3e" * 6  # a letter within a block of 8x8
    display.show(buf)
    assert 0 < model.bytes_received - before <= 7 + 8
    assert model.frame() == bytes(buf)


def test_light_and_sleep(kind: str, bus: str) -> None:
    model, display, _ = make(kind, bus)
    frame = b"\x5a" * 1024
    display.power(False)
    display.contrast(9)
    assert model.bytes_received == 0
    display.show(frame)
    assert not model.on and model.contrast == 9
    display.power(True)
    display.contrast(77)
    assert model.frame() == frame and model.contrast == 77


@pytest.mark.parametrize("good", [0, 1, 5])
def test_after_an_error_everything_is_sent_again(kind: str, good: int) -> None:
    model, display, wires = make(kind)
    frames = scribbles(9)
    display.show(frames[0])
    wires.fail_after = good
    with pytest.raises(OSError):
        for frame in frames[1:]:
            display.show(frame)
    wires.fail_after = None
    wires.model = KINDS[kind][1]()  # the panel lost its supply
    display.show(frames[-1])
    assert wires.model.frame() == frames[-1]


def test_a_display_on_the_other_address_is_found_whenever_it_comes(kind: str) -> None:
    _, display, wires = make(kind)
    frame = scribbles(5)[-1]
    wires.fail_after = 0
    with pytest.raises(OSError):
        display.show(frame)
    wires.fail_after = None
    for address in (0x3D, 0x3C):
        wires.model = KINDS[kind][1](address)
        display.invalidate()
        display.show(frame)
        assert wires.model.frame() == frame


# -- luma.oled


class Luma:
    """What luma calls a serial interface: one that passes on what the chip has a command for."""

    def __init__(self, model: OledModel) -> None:
        self.model = model
        self.setting_up = True

    def command(self, *commands: int) -> None:
        bytes_left = list(commands)
        while bytes_left:
            command = bytes_left.pop(0)
            arguments = [bytes_left.pop(0) for _ in range(self.model.SETTINGS.get(command, 0))]
            if command in FOREIGN and command not in self.model.SETTINGS:
                # Their arguments go too; on the SH1107, 20 alone is page addressing.
                if command != 0x20:
                    bytes_left.pop(0)
                continue
            self.model.write_spi(0, bytes([command, *arguments]))

    def data(self, data: list[int]) -> None:
        self.model.write_spi(1, bytes(data))

    def cleanup(self) -> None:
        pass


def test_same_display_memory_as_luma_for_sh1106() -> None:
    model, display, _ = make("sh1106")
    other = Sh1106Model()
    theirs = luma.sh1106(Luma(other))
    for frame in scribbles(12):
        display.show(frame)
        theirs.display(to_image(frame))
        assert model.ram == other.ram
        assert model.frame() == other.frame() == frame


@pytest.mark.parametrize("over", [False, True])
def test_the_same_picture_as_luma_for_sh1107(over: bool) -> None:
    """Luma draws for a panel that stands upright; seen lying on its side, its picture is the turned one."""
    model, display, _ = make("sh1107", over=over)
    other = Sh1107Model(over=over)
    theirs = luma.sh1107(Luma(other))
    for frame in scribbles(12):
        display.show(frame)
        upright = to_image(frame).transpose(Image.Transpose.ROTATE_270 if over else Image.Transpose.ROTATE_90)
        theirs.display(upright)
        assert model.frame() == other.frame() == frame
        for panel in (model, other):
            assert isinstance(panel, Sh1107Model)
            seen = [panel.upright(x, y) for y in range(WIDTH) for x in range(HEIGHT)]
            assert seen == [int(bool(pixel)) for pixel in upright.getdata()]


@pytest.mark.parametrize("name", ["sh1106", "sh1107"])
def test_panel_is_set_up_like_by_luma(name: str) -> None:
    """All but how it is turned, and what luma leaves to the panel or sets for its brightness."""
    model, display, _ = make(name)
    display.show(bytes(1024))
    other = KINDS[name][1]()
    getattr(luma, name)(Luma(other))
    taste = {0x81, 0xD5, 0xDB, 0xA0, 0xC0, 0xAD}
    ours = {key: value for key, value in model.registers.items() if key not in taste}
    assert ours == {key: value for key, value in {**model.registers, **other.registers}.items() if key not in taste}


# -- the models by hand


@pytest.mark.parametrize(("kind", "data"), [
    ("sh1106", b"\x20\x02"), ("sh1106", b"\x8d\x14"), ("sh1106", b"\x21\x00\x7f"), ("sh1106", b"\xb8"),
    ("sh1106", b"\xdc\x00"), ("sh1107", b"\xda\x12"), ("sh1107", b"\x8d\x14"), ("sh1107", b"\x40"),
    ("sh1107", b"\x18"), ("sh1107", b"\x32"),
])
def test_a_command_of_another_chip_is_refused(kind: str, data: bytes) -> None:
    with pytest.raises(ValueError, match=data.hex(" ")):
        KINDS[kind][1]().write(b"\x00" + data)


def test_sh1106_has_columns_beyond_the_panel_and_does_not_wrap() -> None:
    model = Sh1106Model()
    model.write(b"\x00\xa1\xc8\xaf\xb0\x01\x10")
    model.write(b"\x40\x11\x22")
    assert model.frame() == b"\x22" + bytes(1023)
    model.write(b"\x00\x03\x18")
    model.write(b"\x40\x01")
    with pytest.raises(ValueError, match="beyond column 131"):
        model.write(b"\x40\x01")


def test_sh1107_addresses_pages_or_columns_first() -> None:
    model = Sh1107Model()
    model.write(b"\x00\x20\xbf\x0f\x17")
    model.write(b"\x40\x01\x02")
    assert (model.ram[15 * 128 + 127], model.ram[15 * 128]) == (1, 2)
    model.write(b"\x00\x21\xbf\x0f\x17")
    model.write(b"\x40\x03\x04")
    assert (model.ram[15 * 128 + 127], model.ram[0]) == (3, 4)


def test_sh1107_panel_hangs_on_the_lines_in_the_middle() -> None:
    model = Sh1107Model()
    model.write(b"\x00\xa1\xc0\xaf\xb0\x00\x10")
    model.write(b"\x40\x01")
    assert not any(model.frame())  # line 0 is on a common that the panel lacks
    model.write(b"\x00\xd3\x60")
    assert model.frame() == b"\x01" + bytes(1023)
    model.write(b"\x00\xc8")
    assert model.frame() == bytes(7 * 128) + b"\x80" + bytes(127)
    model.write(b"\x00\xa0")
    assert model.frame() == bytes(1023) + b"\x80"
