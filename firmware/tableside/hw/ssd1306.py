"""Driver of a 128x64 SSD1306 display."""

from tableside.hw.oled import Oled

_SETUP = (
    b"\x20\x02"  # page addressing
    b"\x40"  # the first row of memory on top
    b"\xa8\x3f"  # 64 rows
    b"\xd3\x00"  # not shifted
    b"\xda\x12"  # how a 128x64 panel is wired
    b"\xd5\x80"  # clock
    b"\xd9\xf1\xdb\x30"  # precharge and deselect level for the internal supply
    b"\xad\x30"  # internal current reference
    b"\x8d\x14"  # charge pump on: the panel is fed by the chip
)


class SSD1306(Oled):
    """The usual 0.96" module, see `Oled`. Args: bus; rotate: the panel is mounted upside down."""

    def __init__(self, bus, rotate=False):
        super().__init__(bus, _SETUP, 0, rotate)
