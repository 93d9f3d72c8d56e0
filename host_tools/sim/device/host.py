"""The simulated device's end of the line to the host, which owns the pins, the display and the time.

Every request is a kind, a length and that many bytes; the device waits for the one reply that the host gives to each.
`host_tools/sim/bridge.py` is the other end. This file runs on MicroPython and on CPython.
"""

import hashlib
import os
import socket
import struct
import sys

IDLE = 73  # "I": until the next tick
SLEEP = 83  # "S": microseconds (4 bytes)
WRITE = 87  # "W": an I2C address (1 byte) and what is written to it
SPI = 88  # "X": what is written
PIN = 80  # "P": level (1 byte) and the name of an output
ADC = 65  # "A": a pin (1 byte)
_REQUEST = "<BH"
_REPLY = "<HQIII"  # answer, microseconds, pin levels, pins that fell, pins that rose since the last reply
_REPLY_BYTES = struct.calcsize(_REPLY)
_TICKS = 0x3FFFFFFF  # the clocks wrap as on the Pico

_line = None
_now_us = 0
_drawn = 0  # blocks of random bytes
levels = _TICKS
on_edges = None  # called with the masks of the pins that fell and that rose


def request(kind, data=b""):
    """Ask the host and take its answer: 0, an error number or a reading. Raises: SystemExit if the host has gone."""
    global _line, _now_us, levels
    if _line is None:
        _line = _connect()
    try:
        _line.write(struct.pack(_REQUEST, kind, len(data)) + bytes(data))
        reply = _read(_REPLY_BYTES)
    except OSError:
        sys.exit(0)
    answer, _now_us, levels, fell, rose = struct.unpack(_REPLY, reply)
    if on_edges is not None and (fell or rose):
        on_edges(fell, rose)
    return answer


def _connect():
    line = socket.socket()
    line.connect(socket.getaddrinfo("127.0.0.1", int(os.getenv("TABLESIDE_SIM_PORT")))[0][-1])
    return line.makefile("rwb", 0)


def _read(size):
    data = b""
    while len(data) < size:
        part = _line.read(size - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data


def ticks_ms():
    return _now_us // 1000 & _TICKS


def ticks_us():
    # The firmware mixes the moment of a key into its randomness, which is to follow from a chosen seed alone.
    return 0 if os.getenv("TABLESIDE_SEED") else _now_us & _TICKS


def ticks_add(ticks, delta):
    return ticks + delta & _TICKS


def ticks_diff(later, earlier):
    half = (_TICKS + 1) // 2
    return (later - earlier + half & _TICKS) - half


def sleep_us(us):
    request(SLEEP, struct.pack("<I", us))


def sleep_ms(ms):
    sleep_us(ms * 1000)


def sleep(seconds):
    sleep_us(int(seconds * 1000000))


def urandom(size):
    """Bytes that follow from TABLESIDE_SEED alone."""
    global _drawn
    data = b""
    while len(data) < size:
        data += hashlib.sha256(("%s %d" % (os.getenv("TABLESIDE_SEED"), _drawn)).encode()).digest()
        _drawn += 1
    return data[:size]
