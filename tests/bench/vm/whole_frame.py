"""What drivers of these displays usually do, in the place of `hw.oled`: any change sends the whole frame."""

_SETUP = b"\xae\x20\x00\x40\xa1\xa8\x3f\xc8\xd3\x00\xda\x12\xd5\x80\xd9\xf1\xdb\x30\x81\xff\xa4\xa6\xad\x30\x8d\x14"
_WINDOW = b"\x21\x00\x7f\x22\x00\x07"


class Oled:
    """A display with the methods of `hw.oled.Oled`, on the I2C bus of `hw.i2c_bus.I2CBus`."""

    def __init__(self, bus, rest, offset, over):
        self._bus = bus
        self._frame = bytearray(b"\x40") + bytearray(1024)
        self._view = memoryview(self._frame)[1:]
        self._lit = False

    def rotate(self, upside_down):
        """Not in this comparison."""

    def contrast(self, value):
        """Not in this comparison."""

    def power(self, on):
        """Not in this comparison."""

    def invalidate(self):
        """Everything is sent anyway."""

    def show(self, buf):
        """Send a frame if it is another one."""
        if self._lit and self._view == buf:
            return
        if not self._lit:
            self._commands(_SETUP)
        self._commands(_WINDOW)
        self._view[:] = buf
        self._bus._i2c.writeto(self._bus.address, self._frame)
        if not self._lit:
            self._commands(b"\xaf")
            self._lit = True

    def _commands(self, data):
        """One transaction for each byte, as usual."""
        for byte in data:
            self._bus.commands(bytes((byte,)))
