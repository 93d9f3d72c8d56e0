"""Models of SH1106 and SH1107 displays; they take only the commands of these chips."""

from host_tools.sim.oled import HEIGHT, PAGES, WIDTH, OledModel, rows_of

_COMMON = {
    0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDB: 1,
    0xA4: 0, 0xA5: 0, 0xA6: 0, 0xA7: 0, 0xA0: 0, 0xA1: 0, 0xAE: 0, 0xAF: 0, 0xC0: 0, 0xC8: 0,
}  # fmt: skip
_COLUMNS_1106 = 132
_OFFSET_1106 = 2
_LINES_1107 = 128
_PAGES_1107 = 16
_FIRST_COMMON_1107 = 32  # a panel of 64 lines hangs on those in the middle


class Sh1106Model(OledModel):
    """A panel that is mounted the usual way: with A1 and C8 the picture is upright. Its `ram` is as it was written."""

    SETTINGS = {**_COMMON, 0xDA: 1}
    AT_START = {
        0x30: 2, 0x40: 0, 0x81: 0x80, 0xA8: 63, 0xAD: 0x8B, 0xD3: 0, 0xA0: 0, 0xA4: 0, 0xA6: 0, 0xAE: 0, 0xC0: 0,
    }  # fmt: skip
    MEMORY = _COLUMNS_1106 * PAGES

    @property
    def on(self) -> bool:
        """Whether the panel is lit: switched on, with the converter running."""
        return super().on and self.registers[0xAD] == 0x8B

    def _store(self, byte: int) -> None:
        if self._column >= _COLUMNS_1106:
            raise ValueError(f"data beyond column {_COLUMNS_1106 - 1}")
        self.ram[self._page * _COLUMNS_1106 + self._column] = byte
        self._column += 1

    def _do(self, command: int, arguments: bytes) -> bool:
        if command <= 0x0F:
            self._column = self._column & 0xF0 | command
        elif command <= 0x1F:
            self._column = (command & 0x0F) << 4 | self._column & 0x0F
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 7
        elif 0x30 <= command <= 0x33:
            self.registers[0x30] = command & 3
        elif 0x40 <= command <= 0x7F:
            self.registers[0x40] = command & 0x3F
        else:
            return False
        return True

    def _lit(self) -> bytes:
        first = (self.registers[0x40] + self.registers[0xD3]) % HEIGHT
        rows = rows_of(self.ram, _COLUMNS_1106, first, not self.registers[0xC0])
        seen = bytearray()
        for start in range(0, self.MEMORY, _COLUMNS_1106):
            page = rows[start : start + _COLUMNS_1106]
            if not self.registers[0xA0]:
                page = page[::-1]
            seen += page[_OFFSET_1106 : _OFFSET_1106 + WIDTH]
        return bytes(seen)


class Sh1107Model(OledModel):
    """A panel of 64x128 pixels that lies on its side, turned by 90 degrees clockwise, or by 270 if it is `over`.

    Upright, under A0 and C0, byte `ram[page * 128 + column]` is eight pixels downwards in the column of that number.
    """

    SETTINGS = {**_COMMON, 0xDC: 1}
    AT_START = {
        0x20: 0, 0x81: 0x80, 0xA8: 127, 0xD3: 0, 0xDC: 0, 0xA0: 0, 0xA4: 0, 0xA6: 0, 0xAE: 0, 0xC0: 0,
    }  # fmt: skip
    MEMORY = _LINES_1107 * _PAGES_1107

    def _store(self, byte: int) -> None:
        self.ram[self._page * _LINES_1107 + self._column] = byte
        if self.registers[0x20]:
            self._page = (self._page + 1) % _PAGES_1107
        if not self.registers[0x20] or not self._page:
            self._column = (self._column + 1) % _LINES_1107

    def _do(self, command: int, arguments: bytes) -> bool:
        if command <= 0x0F:
            self._column = self._column & 0x70 | command
        elif command <= 0x17:
            self._column = (command & 7) << 4 | self._column & 0x0F
        elif command in (0x20, 0x21):
            self.registers[0x20] = command & 1
        elif 0xB0 <= command <= 0xBF:
            self._page = command & 0x0F
        else:
            return False
        return True

    def upright(self, x: int, y: int) -> int:
        """A pixel of the panel as it stands upright: 0 <= x < 64, 0 <= y < 128."""
        common = x + _FIRST_COMMON_1107
        if common > self.registers[0xA8]:
            return 0  # not scanned
        order = self.registers[0xA8] - common if self.registers[0xC0] else common
        column = (order + self.registers[0xD3] + self.registers[0xDC]) % _LINES_1107
        if self.registers[0xA0]:
            y = _LINES_1107 - 1 - y
        return self.ram[(y >> 3) * _LINES_1107 + column] >> (y & 7) & 1

    def _lit(self) -> bytes:
        seen = bytearray(WIDTH * PAGES)
        for x in range(HEIGHT):
            for y in range(WIDTH):
                if self.upright(x, y):
                    seen[(x >> 3) * WIDTH + WIDTH - 1 - y] |= 1 << (x & 7)
        return bytes(seen)
