"""What drivers of this display usually do, in the place of ours: any change sends the whole frame."""

_SETUP = (0xAE, 0x20, 0x00, 0x40, 0xA1, 0xA8, 0x3F, 0xC8, 0xD3, 0x00, 0xDA, 0x12, 0xD5, 0x80, 0xD9, 0xF1, 0xDB, 0x30,
          0x81, 0xFF, 0xA4, 0xA6, 0xAD, 0x30, 0x8D, 0x14)


class SSD1306:
    """A display with the methods of `hw.ssd1306.SSD1306`."""

    def __init__(self, bus, rotate=False):
        self._i2c = bus._i2c
        self._address = bus.address
        self._frame = bytearray(1025)
        self._frame[0] = 0x40
        self._lit = False

    def rotate(self, upside_down):
        """Not in this comparison."""

    def contrast(self, value):
        """Set the brightness."""
        self._send(0x81, value)

    def power(self, on):
        """Light the panel or let it sleep."""

    def invalidate(self):
        """Everything is sent anyway."""

    def show(self, buf):
        """Send a frame if it is another one."""
        if self._lit and self._frame[1:] == buf:
            return
        if not self._lit:
            self._send(*_SETUP)
        self._send(0x21, 0, 127, 0x22, 0, 7)
        self._frame[1:] = buf
        self._i2c.writeto(self._address, self._frame)
        if not self._lit:
            self._send(0xAF)
            self._lit = True

    def _send(self, *commands):
        for command in commands:
            self._i2c.writeto(self._address, bytes((0x80, command)))
