"""The model of an SSD1306 display, and reading the text that a display shows."""

from functools import cache
from types import ModuleType

from host_tools.sim.oled import PAGES, WIDTH, OledModel, rows_of
from tableside.ui import font_large, font_normal, font_small

_HORIZONTAL, _VERTICAL, _PAGE = range(3)
_OPPOSITE = bytes(0xFF - byte for byte in range(256))


class Ssd1306Model(OledModel):
    """A panel that is mounted the usual way: with A1 and C8 the picture is upright.

    Its `ram` is by physical column (0 is left) and page. As on the chip, the segment remap acts when a byte is written:
    under A1 column c lands in `ram[page * 128 + c]`, under A0 it is mirrored.
    """

    SETTINGS = {
        0x81: 1, 0x8D: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
        0x2E: 0, 0xA4: 0, 0xA5: 0, 0xA6: 0, 0xA7: 0, 0xA0: 0, 0xA1: 0, 0xAE: 0, 0xAF: 0, 0xC0: 0, 0xC8: 0,
    }  # fmt: skip
    OTHERS = {0x20: 1, 0x21: 2, 0x22: 2}
    AT_START = {
        0x20: _PAGE, 0x40: 0, 0x81: 0x7F, 0x8D: 0x10, 0xA8: 63, 0xD3: 0,
        0xA0: 0, 0xA4: 0, 0xA6: 0, 0xAE: 0, 0xC0: 0,
    }  # fmt: skip
    MEMORY = WIDTH * PAGES

    def __init__(self, address: int = 0x3C, over: bool = False) -> None:
        super().__init__(address, over)
        self._column_window = (0, WIDTH - 1)
        self._page_window = (0, PAGES - 1)

    @property
    def on(self) -> bool:
        """Whether the panel is lit: switched on, with the charge pump running."""
        return super().on and bool(self.registers[0x8D] & 0x04)

    def _store(self, byte: int) -> None:
        column = self._column if self.registers[0xA0] else WIDTH - 1 - self._column
        self.ram[self._page * WIDTH + column] = byte
        mode = self.registers[0x20]
        if mode == _PAGE:
            self._column = (self._column + 1) % WIDTH
        elif mode == _HORIZONTAL:
            self._column, wrapped = _next(self._column, self._column_window, WIDTH)
            if wrapped:
                self._page, _ = _next(self._page, self._page_window, PAGES)
        else:
            self._page, wrapped = _next(self._page, self._page_window, PAGES)
            if wrapped:
                self._column, _ = _next(self._column, self._column_window, WIDTH)

    def _do(self, command: int, arguments: bytes) -> bool:
        if command in self.OTHERS:
            self._address_by(command, arguments)
        elif 0x40 <= command <= 0x7F:
            self.registers[0x40] = command & 0x3F
        elif command <= 0x1F or 0xB0 <= command <= 0xB7:
            self._point(command)
        else:
            return False
        return True

    def _address_by(self, command: int, arguments: bytes) -> None:
        """The addressing mode, or a window of columns or pages."""
        if command == 0x20:
            if arguments[0] > _PAGE:
                raise ValueError(f"unknown addressing mode {arguments[0]:#04x}")
            self.registers[0x20] = arguments[0]
            return
        if self.registers[0x20] == _PAGE:
            raise ValueError(f"window command {command:#04x} in page addressing mode")
        start, end = arguments
        if not start <= end < (WIDTH if command == 0x21 else PAGES):
            raise ValueError(f"window {start}..{end} of command {command:#04x}")
        if command == 0x21:
            self._column_window, self._column = (start, end), start
        else:
            self._page_window, self._page = (start, end), start

    def _point(self, command: int) -> None:
        """The address within page addressing mode: page, low half or high half of the column."""
        if self.registers[0x20] != _PAGE:
            raise ValueError(f"page command {command:#04x} outside of page addressing mode")
        if command >= 0xB0:
            self._page = command & 7
        elif command >= 0x10:
            if command > 0x17:
                raise ValueError(f"column beyond {WIDTH - 1}: command {command:#04x}")
            self._column = (command & 7) << 4 | self._column & 0x0F
        else:
            self._column = self._column & 0x70 | command

    def _lit(self) -> bytes:
        first = (self.registers[0x40] + self.registers[0xD3]) % (8 * PAGES)
        return rows_of(self.ram, WIDTH, first, not self.registers[0xC0])


def _next(at: int, window: tuple[int, int], size: int) -> tuple[int, bool]:
    """The address after `at`, and whether it went back to the start of the window."""
    start, end = window
    return (start, True) if at == end else ((at + 1) % size, False)


@cache
def _table(face: ModuleType) -> dict[bytes, str]:
    """The characters of a face by their bytes, column by column; the hollow box reads as U+25A1."""
    size = face.WIDTH * face.PAGES
    names = [chr(code) for code in range(face.FIRST, face.LAST + 1)] + [*face.EXTRA, "□"]
    return {_columns(face.GLYPHS[at * size : (at + 1) * size], face.WIDTH): name for at, name in enumerate(names)}


def _columns(pages: bytes, width: int) -> bytes:
    """The bytes of a picture in the order of its columns instead of its pages."""
    high = len(pages) // width
    found = bytearray(len(pages))
    for page in range(high):
        found[page::high] = pages[page * width : (page + 1) * width]
    return bytes(found)


def _runs(frame: bytes, face: ModuleType) -> list[tuple[int, int, str]]:
    """The texts in one face as (page, column, text), light on dark and dark on light, at any column."""
    table = _table(face)
    high, size = face.PAGES, face.WIDTH * face.PAGES
    found = []
    for page in range(PAGES - high + 1):
        band = _columns(frame[page * WIDTH : (page + high) * WIDTH], WIDTH)
        for columns in (band, band.translate(_OPPOSITE)):
            # What begins in each column: a glyph may begin with blank ones, so ink does not say where its cell starts.
            chars = [table.get(columns[at : at + size], "") for at in range(0, len(columns), high)]
            x = 0
            while x < WIDTH:
                text = "" if chars[x] == " " else "".join(_until_none(chars[x :: face.WIDTH])).rstrip(" ")
                if text:
                    found.append((page, x, text))
                x += len(text) * face.WIDTH or 1
    return found


def _until_none(chars: list[str]) -> list[str]:
    """The characters before the first that is none."""
    return chars[: chars.index("")] if "" in chars else chars


def _lines(runs: list[tuple[int, int, str]]) -> list[str]:
    """One line for each page with text; every gap counts as one space."""
    rows: dict[int, list[str]] = {}
    for page, _, text in sorted(runs):
        rows.setdefault(page, []).extend(text.split())
    return [" ".join(words) for words in rows.values()]


def read_text(frame: bytes, face: ModuleType) -> list[str]:
    """The lines of a frame that are written in one face.

    Args:
        frame: 1024 bytes as `Ssd1306Model.frame` gives them.
        face: a font module.
    Returns:
        The lines from top to bottom; every gap within a line counts as one space.
    """
    return _lines(_runs(frame, face))


def visible_text(frame: bytes) -> str:
    """All that can be read in a frame, one line for each page on which text begins."""
    rest = bytearray(frame)
    runs = []
    # The tall faces first, and what was read is wiped: half a tall letter may look like a small one.
    for face in (font_large, font_normal, font_small):
        for page, x, text in _runs(bytes(rest), face):
            runs.append((page, x, text))
            for at in range(page, page + face.PAGES):
                size = len(text) * face.WIDTH
                rest[at * WIDTH + x : at * WIDTH + x + size] = bytes(size)
    return "\n".join(_lines(runs))
