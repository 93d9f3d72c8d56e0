"""Driver of a 64x128 SH1107 display that lies on its side.

Turned like that, a byte of the chip's memory is eight pixels side by side: page p holds the columns 8p..8p+7 of the
picture, and the chip's column c is row c. What changes is therefore transposed, in blocks of 8x8 pixels.
"""

from framebuf import MONO_HMSB, MONO_VLSB, FrameBuffer

from tableside.hw.oled import Oled

_WIDTH = 128
_PAGES = 8
_BLOCK = 8
_SETUP = (
    b"\x20"  # page addressing
    b"\xdc\x00"  # the first line of memory first
    b"\xa8\x7f"  # 128 lines are scanned
    b"\xd3\x60"  # the panel hangs on the 64 in the middle
    b"\xd5\x51"  # clock
    b"\xd9\x22\xdb\x35"  # precharge and deselect level
)


class SH1107(Oled):
    """See `Oled`.

    Args:
        bus: as there.
        rotate: the panel is turned by 270 degrees clockwise from upright, not by 90.
    """

    def __init__(self, bus, rotate=False):
        super().__init__(bus, _SETUP, 0, rotate)
        self._picture = FrameBuffer(self._shadow, _WIDTH, _PAGES * _BLOCK, MONO_VLSB)
        # Eight blocks one below the other, as they are sent.
        self._stripe = memoryview(bytearray(_PAGES * _BLOCK))
        self._blocks = [
            FrameBuffer(self._stripe[at : at + _BLOCK], _BLOCK, _BLOCK, MONO_HMSB)
            for at in range(0, _PAGES * _BLOCK, _BLOCK)
        ]

    def _turn(self, segments, rows):
        super()._turn(segments, rows ^ 8)  # on its side, only one of the two directions is reversed

    def _update(self, view, stale):
        """Send the blocks that changed, from left to right; those below each other go as one run."""
        shadow = self._shadow
        changed = [
            stale or view[page * _WIDTH : (page + 1) * _WIDTH] != self._pages[page] for page in range(_PAGES)
        ]
        for left in range(0, _WIDTH, _BLOCK):
            first = -1  # the run collected so far begins on this page
            at = left
            for page in range(_PAGES):
                if changed[page] and (stale or view[at : at + _BLOCK] != shadow[at : at + _BLOCK]):
                    shadow[at : at + _BLOCK] = view[at : at + _BLOCK]
                    self._blocks[page].blit(self._picture, -left, -page * _BLOCK)
                    if first < 0:
                        first = page
                elif first >= 0:
                    self._send_blocks(left, first, page)
                    first = -1
                at += _WIDTH
            if first >= 0:
                self._send_blocks(left, first, _PAGES)

    def _send_blocks(self, left, first, end):
        self._run(left // _BLOCK, first * _BLOCK, self._stripe[first * _BLOCK : end * _BLOCK])
