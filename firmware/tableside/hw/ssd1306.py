"""Driver of a 128x64 SSD1306 display on I2C that sends only the columns that changed."""

_WIDTH = 128
_PAGES = 8
_HEADER = 7  # three commands with a control byte each, then the control byte of the data
# What a new run costs on the bus: its address byte and its header. Up to so many unchanged columns between two
# changes are sent along; at a tie one transaction less is cheaper.
_GAP = _HEADER + 1

_OFF = 0xAE
_ON = 0xAF
_SEGMENTS = 5  # where in the setup below these bytes are
_ROWS = 8
_CONTRAST = 20
_SETUP = (
    b"\x00"  # control byte: only commands follow
    b"\xae"  # off while it is set up
    b"\x20\x02"  # page addressing
    b"\x40"  # the first row of memory on top
    b"\xa1"  # column 0 on the left
    b"\xa8\x3f"  # 64 rows
    b"\xc8"  # row 0 on top
    b"\xd3\x00"  # not shifted
    b"\xda\x12"  # how a 128x64 panel is wired
    b"\xd5\x80"  # clock
    b"\xd9\xf1\xdb\x30"  # precharge and deselect level for the internal supply
    b"\x81\xff"  # contrast
    b"\xa4\xa6"  # show the memory, not inverted
    b"\xad\x30"  # internal current reference
    b"\x8d\x14"  # charge pump on: the panel is fed by the chip
)


class SSD1306:
    """A display; nothing is sent before the first `show`, which sets the panel up.

    Errors of the bus (OSError) reach the caller, and the next `show` then sends everything. Until then nothing else is
    sent: what is set meanwhile is part of the set-up.

    Args:
        i2c: bus with `writeto(address, buffer)`.
        address: I2C address.
        rotate: the panel is mounted upside down.
    """

    def __init__(self, i2c, address=0x3C, rotate=False):
        self._i2c = i2c
        self._address = address
        self._setup = bytearray(_SETUP)
        self._power = bytearray(b"\x00\xaf")
        self._contrast = bytearray(b"\x00\x81\xff")
        # What the panel holds, unless stale: one view a page.
        shadow = memoryview(bytearray(_WIDTH * _PAGES))
        self._shadow = shadow
        self._pages = [shadow[start : start + _WIDTH] for start in range(0, _WIDTH * _PAGES, _WIDTH)]
        self._stale = True
        # One transaction of page, low and high half of the column, data; the buffer has room for a whole page.
        self._run = memoryview(bytearray(b"\x80\x00\x80\x00\x80\x00\x40" + bytes(_WIDTH)))
        self.rotate(rotate)

    def rotate(self, upside_down):
        """Turn the picture by 180 degrees from the next `show` on."""
        self._setup[_SEGMENTS] = 0xA0 if upside_down else 0xA1
        self._setup[_ROWS] = 0xC0 if upside_down else 0xC8
        self.invalidate()

    def contrast(self, value):
        """Set the brightness, 0..255."""
        self._contrast[2] = self._setup[_CONTRAST] = value
        if not self._stale:
            self._write(self._contrast)

    def power(self, on):
        """Light the panel or let it sleep; it keeps its memory."""
        self._power[1] = _ON if on else _OFF
        # A panel that is not set up would show what its memory held by chance: `show` lights it.
        if not self._stale:
            self._write(self._power)

    def invalidate(self):
        """Make the next `show` set up the panel and send everything, as after a loss of power."""
        self._stale = True

    def show(self, buf):
        """Bring the panel up to date with a frame.

        Args:
            buf: 1024 bytes as `ui.canvas` lays them out.
        Raises:
            OSError: the bus failed; the next call sends everything.
        """
        stale = self._stale
        if not stale:
            if buf == self._shadow:
                return
        else:
            self._write(self._setup)
        view = memoryview(buf)
        for page in range(_PAGES):
            new = view[page * _WIDTH : (page + 1) * _WIDTH]
            if stale:
                self._send(page, new, 0, _WIDTH)
            elif new != self._pages[page]:
                self._send_changes(page, new)
        if stale and self._power[1] == _ON:
            self._write(self._power)
        self._stale = False

    def _send_changes(self, page, new):
        """Send the changed columns of a page; runs that are near each other go as one."""
        old = self._pages[page]
        first = last = -1  # the run collected so far: columns first..last
        for column in range(_WIDTH):
            if new[column] != old[column]:
                if first < 0:
                    first = column
                elif column - last - 1 > _GAP:
                    self._send(page, new, first, last + 1)
                    first = column
                last = column
        self._send(page, new, first, last + 1)

    def _send(self, page, new, first, end):
        """Send columns first..end-1 of a page and note them in the shadow."""
        run = self._run
        run[1] = 0xB0 | page
        run[3] = first & 0x0F
        run[5] = 0x10 | first >> 4
        size = _HEADER + end - first
        run[_HEADER:size] = self._pages[page][first:end] = new[first:end]
        self._write(run[:size])

    def _write(self, data):
        """Send one transaction; if it fails, nothing is known of the panel any more."""
        stale = self._stale
        self._stale = True
        self._i2c.writeto(self._address, data)
        self._stale = stale
