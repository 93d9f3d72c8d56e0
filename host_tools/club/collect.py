"""Collecting: what every device that is plugged in has is pulled to a folder and entered in the book."""

import ast
import datetime
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from host_tools.club.book import ADDED, UPDATED, Book
from host_tools.club.enter import REFUSED, enter_campaigns, enter_logs
from host_tools.deploy import APP
from host_tools.errors import CommandError
from host_tools.link import DeviceRaised, Link
from host_tools.log_pull import SESSIONS, DeviceSource, pull
from host_tools.ports import serial_ports

_LOOK_EVERY_S = 1.0
_ID = """\
try:
 import machine,binascii
 print(binascii.hexlify(machine.unique_id()).decode())
except (ImportError,AttributeError):
 print()
"""
_BOARD = """\
try:
 import board
 print(board.NAME)
except (ImportError,AttributeError):
 print()
"""
_VERSIONS = f"""\
import os
def _versions():
 found={{}}
 try:
  from {APP}.core.pack import Pack
  for name in os.listdir('packs'):
   if name.endswith('.tspk'):
    try:
     with open('packs/'+name,'rb') as file:
      pack=Pack(file)
      found[pack.id]=pack.version()+' '+''.join('%02x'%byte for byte in pack.hash[:4])
    except ValueError:
     found[name]='damaged'
 except (ImportError,OSError):
  pass
 print(found)
_versions()
"""


def describe(link: Link) -> dict[str, str]:
    """What a device is, and the versions of its app and packs. `packs` is JSON."""
    try:
        app = link.exec(f"from {APP} import VERSION\nprint(VERSION)").strip()
    except DeviceRaised:
        app = ""
    packs: dict[str, str] = ast.literal_eval(link.exec(_VERSIONS))
    return {"id": link.exec(_ID).strip() or link.port, "board": link.exec(_BOARD).strip(),
            "micropython": ".".join(map(str, link.version)), "app": app, "packs": json.dumps(packs, sort_keys=True)}


def collect(book: Book, port: str, folder: Path) -> dict[str, Any]:
    """Pull from one device and enter what came. Its clock is set by that.

    Returns: the device, with `sessions` {added, updated, known, refused} and `refused` [{log, reason}].
    Raises: CommandError, OSError.
    """
    with Link.open(port) as link:
        device = describe(link)
        clock = link.clock
        entries = pull(DeviceSource(link), folder)
    with book.transaction():
        book.enter_device(device)
    today = datetime.date.today().isoformat()
    logs = [folder / SESSIONS / entry.name for entry in entries]
    entered = [*enter_logs(book, logs, device=device["id"], date=today), *enter_campaigns(book, folder)]
    return {"port": link.port, **device, "packs": json.loads(device["packs"]),
            "clock": clock.isoformat(" ") if clock else None,
            "sessions": {status: sum(one.status == status for one in entered) for status in (ADDED, UPDATED, REFUSED)},
            "refused": [{"log": one.log, "reason": one.reason} for one in entered if one.status == REFUSED]}


def plugged_in() -> list[str]:
    """The ports of the devices there are."""
    return [str(port.device) for port in serial_ports()]


def watch(book: Book, folder: Path, ports: Callable[[], list[str]] = plugged_in,
          wait: Callable[[float], object] = time.sleep) -> Iterator[dict[str, Any]]:
    """Collect from each device as it is plugged in, for ever. One that fails is told, and tried when it comes anew."""
    done: set[str] = set()
    while True:
        there = set(ports())
        done &= there
        for port in sorted(there - done):
            done.add(port)
            try:
                yield collect(book, port, folder)
            except (CommandError, OSError) as error:
                print(f"tableside club: {error}", file=sys.stderr)
        wait(_LOOK_EVERY_S)
