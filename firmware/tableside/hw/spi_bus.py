"""A display on an SPI bus, which cannot tell whether there is one."""

import time

_RESET_MS = 1


class SPIBus:
    """See `hw.i2c_bus.I2CBus`.

    Args:
        spi: has `write(buffer)`.
        cs, dc, rst: output pins: low selects the display; low for commands, high for data; low resets it, done here.
    """

    gap = 24  # bytes that are sent in about the time that the pins of a new run need

    def __init__(self, spi, cs, dc, rst):
        self._spi = spi
        self._cs = cs
        self._dc = dc
        self._place = bytearray(3)
        cs.value(1)
        rst.value(0)
        time.sleep_ms(_RESET_MS)
        rst.value(1)
        time.sleep_ms(_RESET_MS)

    def find(self):
        """Whether the display answers: who knows?"""
        return True

    def commands(self, data):
        """Send commands."""
        self._dc.value(0)
        self._cs.value(0)
        self._spi.write(data)
        self._cs.value(1)

    def run(self, page, column, data):
        """Send data for a page from a column on."""
        place = self._place
        place[0] = 0xB0 | page
        place[1] = column & 0x0F
        place[2] = 0x10 | column >> 4
        self._dc.value(0)
        self._cs.value(0)
        self._spi.write(place)
        self._dc.value(1)
        self._spi.write(data)
        self._cs.value(1)
