"""The simulated `machine` module: as much of that of the Pico as the firmware uses."""

import host

if host.sys.implementation.name == "micropython":
    _path = host.sys.path
    host.sys.path = ()  # now the built-in module is found instead of this one
    try:
        from machine import *  # noqa: F403
    finally:
        host.sys.path = _path


class Pin:
    """A pin. Inputs follow the host; outputs are told to it."""

    IN = 0
    OUT = 1
    PULL_UP = 1
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __init__(self, id, mode=-1, pull=-1, *, value=None):
        self._id = id
        self._mode = mode
        self._level = 0
        if value is not None:
            self.value(value)

    def value(self, *x):
        if x:
            self._level = 1 if x[0] else 0
            host.request(host.PIN, bytes([self._level]) + str(self._id).encode())
            return None
        return self._level if self._mode == self.OUT else host.levels >> self._id & 1

    def irq(self, handler=None, trigger=IRQ_FALLING | IRQ_RISING, *, hard=False):
        _handlers[self._id] = (self, handler, trigger)


_handlers = {}  # type: ignore[var-annotated]


def _on_edges(fell, rose):
    for number, (pin, handler, trigger) in _handlers.items():
        if (trigger & Pin.IRQ_FALLING and fell >> number & 1) or (trigger & Pin.IRQ_RISING and rose >> number & 1):
            handler(pin)


host.on_edges = _on_edges


class I2C:
    """A hardware bus, write only. Raises: ValueError for pins that the Pico's bus cannot use."""

    def __init__(self, id, *, scl, sda, freq=400000):
        # Each bus has every fourth pair of pins.
        if sda._id & 3 != 2 * id:
            raise ValueError("bad SDA pin")
        if scl._id & 3 != 2 * id + 1:
            raise ValueError("bad SCL pin")

    def writeto(self, addr, buf):
        error = host.request(host.WRITE, bytes([addr]) + bytes(buf))
        if error:
            raise OSError(error, "EIO")
        return len(buf)


class SPI:
    """A hardware bus, write only. Raises: ValueError for pins that the Pico's bus cannot use."""

    def __init__(self, id, baudrate=1000000, *, sck, mosi):
        # Each bus has blocks of eight pins, and in them every fourth.
        if sck._id & 11 != 2 + 8 * id:
            raise ValueError("bad SCK pin")
        if mosi._id & 11 != 3 + 8 * id:
            raise ValueError("bad MOSI pin")

    def write(self, buf):
        host.request(host.SPI, bytes(buf))


class PWM:
    """A pin that is high while it sounds."""

    def __init__(self, dest, *, freq=0, duty_u16=0):
        self._pin = Pin(dest._id, Pin.OUT)
        self.duty_u16(duty_u16)

    def duty_u16(self, value):
        self._pin.value(value)


class ADC:
    """A pin that measures."""

    def __init__(self, id):
        self._id = id

    def read_u16(self):
        return host.request(host.ADC, bytes([self._id]))


def idle():
    host.request(host.IDLE)


def unique_id():
    return b"simulate"
