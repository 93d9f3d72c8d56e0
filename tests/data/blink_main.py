"""Stands in for the firmware in test_sim: says on the serial line and on the display what reaches it."""

import os
import time

import board
import machine

from tableside.hw import clock
from tableside.hw.buttons import Buttons
from tableside.hw.entropy import hardware_seed

STALL_MS = 45
ALL_BUTTONS = 15  # it hangs if all are pressed
SETUP = b"\x00\x20\x02\xa1\xc8\x8d\x14\xaf\xb0\x00\x10"  # page addressing, upright, on, to the first byte


def main():
    buttons = Buttons([machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in board.BUTTONS])
    i2c = machine.I2C(board.I2C_ID, sda=machine.Pin(board.SDA), scl=machine.Pin(board.SCL), freq=board.I2C_HZ)
    led = machine.Pin(board.LED, machine.Pin.OUT)
    answering = None
    print("start", clock.now_ms(), hardware_seed().hex(), os.urandom(2).hex())
    while True:
        buttons.read()
        if buttons.pressed or buttons.down:
            print("at", time.ticks_ms(), "down", buttons.down, "pressed", buttons.pressed)
        try:
            i2c.writeto(board.DISPLAY_ADDRESS, SETUP)
            i2c.writeto(board.DISPLAY_ADDRESS, bytes([0x40, clock.now_ms() & 255, buttons.down]))
            error = 0
        except OSError as failure:
            error = failure.errno
        if error != answering:
            answering = error
            print("display", error)
            led.value(error)
        if os.getenv("BLINK_STALLS"):
            time.sleep_ms(STALL_MS)
        while buttons.down == ALL_BUTTONS:
            pass
        machine.idle()


if __name__ == "__main__":
    main()
