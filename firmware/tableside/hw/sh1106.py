"""Driver of a 128x64 SH1106 display: the usual 1.3" module."""

from tableside.hw.oled import Oled

_OFFSET = 2  # the chip has 132 columns, and the panel hangs on those in the middle
_SETUP = (
    b"\x40"  # the first row of memory on top
    b"\xa8\x3f"  # 64 rows
    b"\xd3\x00"  # not shifted
    b"\xda\x12"  # how a 128x64 panel is wired
    b"\xd5\x80"  # clock
    b"\xd9\x22\xdb\x35"  # precharge and deselect level
    b"\xad\x8b\x32"  # the chip's converter feeds the panel, with 8 V
)


class SH1106(Oled):
    """Pages as in the SSD1306, and no other way of addressing; see `Oled`.

    Args: bus; rotate: the panel is mounted upside down.
    """

    def __init__(self, bus, rotate=False):
        super().__init__(bus, _SETUP, _OFFSET, rotate)
