"""Real logs for the tests: games that are played by commands in words, and the folders of devices that hold them."""

from pathlib import Path

from host_tools.table import Table
from tableside.core.log import MemoryLog
from tableside.hw.store import Store


def game(target: str, lines: str, seed: int = 1) -> MemoryLog:
    """A session that is played by commands in words."""
    table = Table(target, seed.to_bytes(16, "big"))
    for line in lines.split(";"):
        table.give(line.strip())
    table.session.save()
    return table.log


def parts(log: MemoryLog) -> list[bytes]:
    """Its records."""
    found, at = [], 0
    while at < log.end:
        size = int.from_bytes(log.read(at, 2), "little")
        found.append(log.read(at, size))
        at += size
    return found


def stored(folder: Path, log: MemoryLog) -> Path:
    """Put a log into the store of a device's folder."""
    folder.mkdir(exist_ok=True)
    store = Store(str(folder / "sessions"))
    there = store.new()
    there.begin(log.head)
    for record in parts(log):
        there.append(record)
    there.close()
    return folder / "sessions" / f"{store.numbers()[0]:04d}"
