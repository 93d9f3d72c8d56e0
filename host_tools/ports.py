"""The serial ports of this computer, and which of them is a device."""

import argparse
import os
from typing import Any

import serial.tools.list_ports

from host_tools.errors import CommandError

_RASPBERRY_PI = 0x2E8A  # the USB vendor of a Pico that runs MicroPython


def add_port(parser: argparse._ActionsContainer) -> None:
    """Add --port to the arguments of a command."""
    parser.add_argument("--port", default="auto", metavar="P",
                        help="the device as mpremote names it: /dev/ttyACM0, COM3, socket://HOST:PORT, auto (default)")


def serial_ports() -> list[Any]:
    """The USB serial ports there are: Picos alone, if there are any."""
    ports = sorted(port for port in serial.tools.list_ports.comports() if port.vid is not None)
    return [port for port in ports if port.vid == _RASPBERRY_PI] or ports


def find_port() -> str:
    """The port of the only device. Raises: CommandError if there is none, or which there are if several."""
    ports = serial_ports()
    if not ports:
        raise CommandError("no device found: plug it in with a USB cable that carries data; a Pico without MicroPython "
                           "needs 'tableside flash' first")
    if len(ports) > 1:
        names = ", ".join(f"{port.device} ({port.product or port.description})" for port in ports)
        raise CommandError(f"several devices found, choose one with --port: {names}")
    return str(ports[0].device)


def why_closed(port: str) -> str:
    """Why a port cannot be opened, and what to do."""
    if "://" in port:
        return "nothing answers there: is the emulator running?"
    if os.name != "posix":
        there = any(port == found.device for found in serial.tools.list_ports.comports())
        return "in use by another program: close it" if there else "no such port: is the device plugged in?"
    if not os.path.exists(port):
        return "no such port: is the device plugged in?"
    if not os.access(port, os.R_OK | os.W_OK):
        return f"no permission: 'sudo usermod -aG {_group(port)} $USER', then log in again"
    return "in use by another program (a terminal, an editor, another tableside?): close it"


def _group(port: str) -> str:
    """The group of users who may use a port: dialout on most systems."""
    import grp  # not on Windows

    try:
        return grp.getgrgid(os.stat(port).st_gid).gr_name
    except (KeyError, OSError):
        return "dialout"
