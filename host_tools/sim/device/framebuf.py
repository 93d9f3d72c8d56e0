"""As much of `framebuf` as the firmware uses, for CPython; MicroPython finds its own."""

MONO_VLSB = 0
MONO_HMSB = 4


class FrameBuffer:
    """Pixels in a buffer: eight in a byte, downwards (VLSB) or to the right (HMSB), the first in bit 0."""

    def __init__(self, buffer, width, height, format):
        self._buffer = buffer
        self._width = width
        self._height = height
        self._format = format

    def _place(self, x, y):
        if self._format == MONO_VLSB:
            return (y >> 3) * self._width + x, y & 7
        return y * ((self._width + 7) >> 3) + (x >> 3), x & 7

    def blit(self, fbuf, x, y):
        """Copy another one so that its upper left corner is at x, y; what does not fit is left out."""
        for row in range(max(0, y), min(self._height, y + fbuf._height)):
            for column in range(max(0, x), min(self._width, x + fbuf._width)):
                at, bit = fbuf._place(column - x, row - y)
                lit = fbuf._buffer[at] >> bit & 1
                at, bit = self._place(column, row)
                self._buffer[at] = self._buffer[at] & ~(1 << bit) | lit << bit
