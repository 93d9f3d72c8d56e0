"""The start of a device: its board is checked and its display looked for. Imported then alone."""

import time

import machine

_BLINK_MS = 200
_BLINKS = 20  # from one complaint to the next


def checked_board():
    """The constants of /board.py. A wrong one is said over serial and by the LED for ever: nothing else can work."""
    try:
        import board

        from tableside.board_file import check

        check(board)
        return board
    except Exception as error:  # noqa: BLE001 - the file is edited by hand and may hold anything
        fault = error
    led = machine.Pin("LED", machine.Pin.OUT)
    while True:
        print("board.py cannot be used:", repr(fault))
        for count in range(_BLINKS):
            led.value(count & 1)
            time.sleep_ms(_BLINK_MS)


def find_display(board):
    """The driver of the display, and whether that answers; over serial it is said if not."""
    bus = _spi_bus(board) if board.I2C_ID is None else _i2c_bus(board)
    found = bus.find()
    if not found:
        print("no display at 0x3c or 0x3d, SDA GP%d, SCL GP%d" % (board.SDA, board.SCL))
    return _display(board, bus), found


def _i2c_bus(board):
    from tableside.hw.i2c_bus import I2CBus

    sda = machine.Pin(board.SDA)
    scl = machine.Pin(board.SCL)
    return I2CBus(machine.I2C(board.I2C_ID, sda=sda, scl=scl, freq=board.I2C_HZ), board.DISPLAY_ADDRESS)


def _spi_bus(board):
    from tableside.hw.spi_bus import SPIBus

    # First the bus: it takes a pin for data from the display too, and whoever needs that pin takes it back.
    spi = machine.SPI(board.SPI_ID, baudrate=board.SPI_HZ, sck=machine.Pin(board.SCK), mosi=machine.Pin(board.MOSI))
    return SPIBus(spi, *[machine.Pin(pin, machine.Pin.OUT, value=1) for pin in (board.CS, board.DC, board.RST)])


def _display(board, bus):
    """The one driver that this board needs."""
    if board.DISPLAY == "ssd1306":
        from tableside.hw.ssd1306 import SSD1306

        return SSD1306(bus, board.ROTATION >= 180)
    if board.DISPLAY == "sh1106":
        from tableside.hw.sh1106 import SH1106

        return SH1106(bus, board.ROTATION >= 180)
    from tableside.hw.sh1107 import SH1107

    return SH1107(bus, board.ROTATION >= 180)
