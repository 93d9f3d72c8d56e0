"""What `tableside doctor` runs on a device. Each prints what it found; an exception is the fault."""

import gc
import os
import time

import machine

_NOP = b"\x00\xe3"  # a command of the display that does nothing
_ADDRESSES = (0x3C, 0x3D)
_TRIAL = "doctor.tmp"


def heap():
    """Print the free bytes of RAM."""
    gc.collect()
    print(gc.mem_free())


def flash():
    """Write a file, read it back and remove it; print free and all bytes of the file system."""
    data = bytes(range(256)) * 4
    try:
        with open(_TRIAL, "wb") as file:
            file.write(data)
        with open(_TRIAL, "rb") as file:
            if file.read() != data:
                raise OSError("what is read is not what was written")
    finally:
        try:
            os.remove(_TRIAL)
        except OSError:
            pass
    stats = os.statvfs(".")
    print(stats[1] * stats[3], stats[1] * stats[2])


def display(board):
    """Print the addresses at which a display answers on I2C."""
    i2c = machine.I2C(board.I2C_ID, sda=machine.Pin(board.SDA), scl=machine.Pin(board.SCL), freq=board.I2C_HZ)
    for address in _ADDRESSES:
        try:
            i2c.writeto(address, _NOP)
            print(address)
        except OSError:
            pass


def buttons(board):
    """Print the pin of every button that is down."""
    pins = [machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP) for number in board.BUTTONS]
    time.sleep_ms(5)  # a long wire charges slowly
    for number, pin in zip(board.BUTTONS, pins):
        if not pin.value():
            print(number)


def last_crash(path):
    """Print the last entry of the crash file, if there is one."""
    try:
        with open(path) as file:
            text = file.read()
    except OSError:
        return
    print(text[text.rfind("tableside ") if "tableside " in text else 0 :])
