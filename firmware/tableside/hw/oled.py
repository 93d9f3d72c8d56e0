"""What the drivers of all 128x64 displays share: they send only the columns that changed, and all after an error."""

_WIDTH = 128
_PAGES = 8
_OFF = 0xAE
_ON = 0xAF
# Where in the set-up below these bytes are; in each pair of commands one bit turns the picture over.
_SEGMENTS = 1
_ROWS = 2
_CONTRAST = 4
_SETUP = (
    b"\xae"  # off while it is set up
    b"\xa1"  # column 0 on the left
    b"\xc8"  # row 0 on top
    b"\x81\xff"  # contrast
    b"\xa4\xa6"  # show the memory, not inverted
)


class Oled:
    """A display; nothing is sent before the first `show`, which sets the panel up.

    Errors of the bus (OSError) reach the caller, and the next `show` then sends everything. Until then nothing else is
    sent: what is set meanwhile is part of the set-up.

    Args:
        bus: see `hw.i2c_bus.I2CBus` and `hw.spi_bus.SPIBus`.
        rest: the commands that set up a panel of this kind, beyond those that all have.
        offset: the column of the chip's memory that is on the left.
        over: the panel is mounted upside down.
    """

    def __init__(self, bus, rest, offset, over):
        self._bus = bus
        self._offset = offset
        self._over = over
        self._setup = bytearray(_SETUP + rest)
        self._power = bytearray(b"\xaf")
        self._contrast = bytearray(b"\x81\xff")
        # What the panel holds, unless stale: one view a page.
        shadow = memoryview(bytearray(_WIDTH * _PAGES))
        self._shadow = shadow
        self._pages = [shadow[start : start + _WIDTH] for start in range(0, _WIDTH * _PAGES, _WIDTH)]
        self._stale = True
        self.rotate(False)

    def rotate(self, upside_down):
        """Turn the picture by 180 degrees from the next `show` on."""
        if bool(upside_down) == self._over:
            self._turn(0xA1, 0xC8)
        else:
            self._turn(0xA0, 0xC0)
        self.invalidate()

    def _turn(self, segments, rows):
        self._setup[_SEGMENTS] = segments
        self._setup[_ROWS] = rows

    def contrast(self, value):
        """Set the brightness, 0..255."""
        self._contrast[1] = self._setup[_CONTRAST] = value
        if not self._stale:
            self._commands(self._contrast)

    def power(self, on):
        """Light the panel or let it sleep; it keeps its memory."""
        self._power[0] = _ON if on else _OFF
        # A panel that is not set up would show what its memory held by chance: `show` lights it.
        if not self._stale:
            self._commands(self._power)

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
            self._bus.find()
            self._commands(self._setup)
        self._update(memoryview(buf), stale)
        if stale and self._power[0] == _ON:
            self._commands(self._power)
        self._stale = False

    def _update(self, view, stale):
        """Send what changed, or everything."""
        for page in range(_PAGES):
            new = view[page * _WIDTH : (page + 1) * _WIDTH]
            if stale:
                self._send(page, new, 0, _WIDTH)
            elif new != self._pages[page]:
                self._send_changes(page, new)

    def _send_changes(self, page, new):
        """Send the changed columns of a page; runs that are near each other go as one."""
        old = self._pages[page]
        gap = self._bus.gap
        first = last = -1  # the run collected so far: columns first..last
        for column in range(_WIDTH):
            if new[column] != old[column]:
                if first < 0:
                    first = column
                elif column - last - 1 > gap:
                    self._send(page, new, first, last + 1)
                    first = column
                last = column
        self._send(page, new, first, last + 1)

    def _send(self, page, new, first, end):
        """Send columns first..end-1 of a page and note them in the shadow."""
        data = self._pages[page][first:end]
        data[:] = new[first:end]
        self._run(page, first + self._offset, data)

    # If one of these fails, nothing is known of the panel any more.

    def _commands(self, data):
        stale = self._stale
        self._stale = True
        self._bus.commands(data)
        self._stale = stale

    def _run(self, page, column, data):
        stale = self._stale
        self._stale = True
        self._bus.run(page, column, data)
        self._stale = stale
