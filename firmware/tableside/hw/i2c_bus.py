"""A display on an I2C bus."""

_HEADER = 7  # three commands with a control byte each, then the control byte of the data
_MOST_COMMANDS = 40
_NOP = b"\x00\xe3"  # a command that does nothing


class I2CBus:
    """One transaction for a row of commands, and one for a run of data with its place.

    Args:
        i2c: has `writeto(address, buffer)`.
        address: of the display; it may also answer on the one beside it (0x3C and 0x3D).
    Attributes:
        address: where it was last looked for;
        gap: so many unchanged bytes are no dearer than a new run, which costs its header and the address byte.
    """

    gap = _HEADER + 1

    def __init__(self, i2c, address=0x3C):
        self._i2c = i2c
        self.address = address
        self._words = memoryview(bytearray(1 + _MOST_COMMANDS))  # control byte: only commands follow
        # Page, low and high half of the column, data; there is room for a whole page.
        self._line = memoryview(bytearray(b"\x80\x00\x80\x00\x80\x00\x40" + bytes(128)))

    def find(self):
        """Look for the display on both addresses. Returns: whether it answers."""
        for _ in range(2):
            try:
                self._i2c.writeto(self.address, _NOP)
                return True
            except OSError:
                self.address ^= 1
        return False

    def commands(self, data):
        """Send commands. Raises: OSError if nobody answers."""
        size = 1 + len(data)
        self._words[1:size] = data
        self._i2c.writeto(self.address, self._words[:size])

    def run(self, page, column, data):
        """Send data for a page from a column on. Raises: OSError if nobody answers."""
        line = self._line
        line[1] = 0xB0 | page
        line[3] = column & 0x0F
        line[5] = 0x10 | column >> 4
        size = _HEADER + len(data)
        line[_HEADER:size] = data
        self._i2c.writeto(self.address, line[:size])
