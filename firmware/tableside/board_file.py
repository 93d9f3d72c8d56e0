"""Checks the constants of a board file, on the device and on the host, and fills in those that are left out."""

PICOS = ("pico", "pico_w", "pico2", "pico2_w")
PICO_LED = 25  # of a board without radio; "LED" is its name on every board
_RADIO = ("pico_w", "pico2_w")  # there the radio uses GP23, 24, 25 and 29, and the LED hangs on it
DISPLAYS = {"ssd1306": (0, 180), "sh1106": (0, 180), "sh1107": (90, 270)}  # and how the panel may be turned
I2C_PINS = ("SDA", "SCL")
SPI_PINS = ("SCK", "MOSI", "CS", "DC", "RST")
_I2C = ("I2C_ID",) + I2C_PINS + ("I2C_HZ", "DISPLAY_ADDRESS")
_SPI = ("SPI_ID",) + SPI_PINS + ("SPI_HZ",)
_NEEDED = ("NAME", "PICO", "DISPLAY", "BUTTONS")
_OPTIONAL = {"ROTATION": None, "LED": "LED", "BUZZER": None, "BATTERY_LOW_MV": 0}
_PIN = "a GP number: 0..22, 26, 27 or 28"
_NAME_LENGTH = 40
# Number constants: lowest, highest.
_RANGES = {
    "I2C_ID": (0, 1),
    "I2C_HZ": (10000, 1000000),
    "SPI_ID": (0, 1),
    "SPI_HZ": (100000, 20000000),
    "BATTERY_LOW_MV": (0, 5000),
}
# Bits of a GP number that decide what a bus can use it for: mask, value on bus 0, value on bus 1.
_BUS_PINS = {"SDA": (3, 0, 2), "SCL": (3, 1, 3), "SCK": (11, 2, 10), "MOSI": (11, 3, 11)}


class BoardError(ValueError):
    """A constant of a board file that cannot be: says its name, its value and what is allowed."""


def _fail(name, value, allowed):
    raise BoardError("%s = %r: %s" % (name, value, allowed))


def _is_pin(value):
    return type(value) is int and (0 <= value <= 22 or 26 <= value <= 28)


def check(board):
    """Check a board file that has been imported.

    Args: board: the module; constants that it leaves out are set: None for those of the bus that it does not use.
    Raises: BoardError.
    """
    known = _NEEDED + tuple(_OPTIONAL) + _I2C + _SPI
    for name in dir(board):
        if "A" <= name[0] <= "Z" and name not in known:
            _fail(name, getattr(board, name), "no such constant; there are " + ", ".join(known))
    spi = hasattr(board, "SPI_ID")
    bus, other = (_SPI, _I2C) if spi else (_I2C, _SPI)
    for name in _NEEDED + bus:
        if not hasattr(board, name):
            raise BoardError("%s is missing" % name)
    for name in other:
        if hasattr(board, name):
            _fail(name, getattr(board, name), "not beside %s: a board has one bus" % bus[0])
        setattr(board, name, None)
    for name, value in _OPTIONAL.items():
        if not hasattr(board, name):
            setattr(board, name, value)
    _check_kinds(board)
    for name in bus + ("BATTERY_LOW_MV",):
        _check_number(name, getattr(board, name))
    _check_pins(board, SPI_PINS if spi else I2C_PINS, getattr(board, bus[0]))


def _check_kinds(board):
    if not isinstance(board.NAME, str) or not 0 < len(board.NAME) <= _NAME_LENGTH:
        _fail("NAME", board.NAME, "a text of 1..%d letters" % _NAME_LENGTH)
    if board.PICO not in PICOS:
        _fail("PICO", board.PICO, "one of " + ", ".join(PICOS))
    if board.DISPLAY not in tuple(DISPLAYS):
        _fail("DISPLAY", board.DISPLAY, "one of " + ", ".join(sorted(DISPLAYS)))
    turns = DISPLAYS[board.DISPLAY]
    if board.ROTATION is None:
        board.ROTATION = turns[0]
    if board.ROTATION not in turns:
        _fail("ROTATION", board.ROTATION, "%d or %d for %s" % (turns + (board.DISPLAY,)))
    if board.BATTERY_LOW_MV and board.PICO in _RADIO:
        _fail("BATTERY_LOW_MV", board.BATTERY_LOW_MV, "0 on a W board: its radio uses the pin that senses the supply")


def _check_number(name, value):
    if name in _RANGES:
        low, high = _RANGES[name]
        if type(value) is not int or not low <= value <= high:
            _fail(name, value, "a number %d..%d" % (low, high))
    elif name == "DISPLAY_ADDRESS" and value not in (0x3C, 0x3D):
        _fail(name, value, "0x3C or 0x3D")


def _check_pins(board, bus, number):
    """Every pin exists, fits its bus, and is used once."""
    buttons = board.BUTTONS
    if type(buttons) not in (tuple, list) or len(buttons) not in (3, 4):
        _fail("BUTTONS", buttons, "3 or 4 GP numbers: UP, DOWN, OK and perhaps BACK")
    pins = [(name, getattr(board, name)) for name in bus] + [("BUTTONS", pin) for pin in buttons]
    if board.BUZZER is not None:
        pins.append(("BUZZER", board.BUZZER))
    led = board.LED
    if led != "LED" and (led != PICO_LED or board.PICO in _RADIO):
        if not _is_pin(led):
            _fail("LED", led, '"LED" for the one on the board, or ' + _PIN)
        pins.append(("LED", led))
    used = {}
    for name, pin in pins:
        if not _is_pin(pin):
            _fail(name, pin, _PIN)
        mask, *values = _BUS_PINS.get(name, (0, 0, 0))
        if pin & mask != values[number]:
            fitting = [str(gp) for gp in range(29) if _is_pin(gp) and gp & mask == values[number]]
            _fail(name, pin, "on bus %d one of GP %s" % (number, ", ".join(fitting)))
        if pin in used:
            _fail(name, pin, "GP%d is used already, by %s" % (pin, used[pin]))
        used[pin] = name
