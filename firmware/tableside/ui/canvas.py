"""The picture in memory: 128x64 pixels in the display's own layout, so that showing it is copying bytes.

A byte is eight pixels downwards (bit 0 on top); byte `page * 128 + x` holds column x of one of eight pages. Text sits
on whole pages: a glyph is then copied, never shifted.
"""

_WIDTH = 128
_PAGES = 8
_ROW = bytes(_WIDTH)
_ONES = (1 << 8 * _WIDTH) - 1


class Canvas:
    """A frame to draw on.

    Args:
        buffer: 1024 bytes to draw into; a new one if None.
    """

    def __init__(self, buffer=None):
        self.buf = bytearray(_WIDTH * _PAGES) if buffer is None else buffer
        self._view = memoryview(self.buf)  # a part of a bytearray that is set moves all bytes behind it
        self.width = _WIDTH
        self.height = _PAGES * 8

    def clear(self):
        """Make every pixel dark."""
        buf = self._view
        for start in range(0, _WIDTH * _PAGES, _WIDTH):
            buf[start : start + _WIDTH] = _ROW

    def text(self, s, x, page, face, invert=False):
        """Draw one line; what lies beyond the right or the lower edge is not drawn, so `wrap` first.

        Args:
            s: the text; a character that the face lacks shows as a hollow box.
            x: the left edge, 0 or more.
            page: the page of the upper edge, 0..7.
            face: a font module.
            invert: dark letters on a lit ground.
        Returns:
            Where the line ends; more than `width` if it did not fit.
        """
        buf = self._view
        width = face.WIDTH
        size = width * face.PAGES
        first = face.FIRST
        last = face.LAST
        glyphs = memoryview(face.GLYPHS)
        lower_pages = range(1, min(face.PAGES, _PAGES - page))
        target = page * _WIDTH + x
        whole = (page * _WIDTH + _WIDTH - target) // width  # so many glyphs fit
        # Each letter that is taken from a text is first looked for among all names that the VM knows.
        codes = s.encode()
        if len(codes) > len(s):
            codes = [ord(char) for char in s]
        fit = width
        for code in codes:
            if whole <= 0:
                fit = page * _WIDTH + _WIDTH - target  # a glyph that is cut by the edge still has its first columns
                if fit <= 0:
                    break
            whole -= 1
            if first <= code <= last:
                source = (code - first) * size
            else:
                extra = face.EXTRA.find(chr(code))
                source = (last + 1 - first + (len(face.EXTRA) if extra < 0 else extra)) * size
            buf[target : target + fit] = glyphs[source : source + fit]
            for lower in lower_pages:
                below = target + lower * _WIDTH
                part = source + lower * width
                buf[below : below + fit] = glyphs[part : part + fit]
            target += width
        end = x + len(s) * width
        if invert:
            self.invert(x, page, end - x, face.PAGES)
        return end

    def right(self, s, x_end, page, face, invert=False):
        """Draw one line that ends before column `x_end`; a line that is too long starts at the left edge."""
        return self.text(s, max(0, x_end - len(s) * face.WIDTH), page, face, invert)

    def fill(self, x, page, w, pages, value=0xFF):
        """Set every byte of an area of whole pages; each byte is eight pixels downwards."""
        end = min(x + w, _WIDTH)
        row = bytes((value,)) * (end - x)
        for start in range(page * _WIDTH, min(page + pages, _PAGES) * _WIDTH, _WIDTH):
            self._view[start + x : start + x + len(row)] = row

    def invert(self, x, page, w, pages):
        """Swap lit and dark in an area of whole pages."""
        size = min(x + w, _WIDTH) - x
        if size <= 0:
            return
        ones = _ONES >> 8 * (_WIDTH - size)
        for start in range(page * _WIDTH + x, min(page + pages, _PAGES) * _WIDTH, _WIDTH):
            row = self._view[start : start + size]  # as one long number, many times faster than byte by byte
            row[:] = (int.from_bytes(row, "little") ^ ones).to_bytes(size, "little")


def wrap(s, columns):
    """Break a text into lines of at most `columns` characters.

    Lines break at spaces and at each newline; a word longer than a line is split. Every character but the spaces and
    newlines at the breaks is kept; spaces between words become one.

    Returns:
        The lines; an empty text gives one empty line.
    """
    lines = []
    columns = max(1, columns)
    for paragraph in s.split("\n"):
        # Few strings are made: each is looked for among all names that the VM knows.
        while "  " in paragraph:
            paragraph = paragraph.replace("  ", " ")
        paragraph = paragraph.strip(" ")
        start = 0
        left = len(paragraph)
        while left - start > columns:
            end = paragraph.rfind(" ", start, start + columns + 1)
            if end < 0:  # a word longer than a line
                end = start + columns
                lines.append(paragraph[start:end])
                start = end
            else:
                lines.append(paragraph[start:end])
                start = end + 1
        lines.append(paragraph[start:] if start else paragraph)
    return lines
