"""Session logs on the host: one file, or a device's session folder.

The file: magic "TSLG", length of the head u32, head, then all records (see `tableside.core.record`).
"""

import struct
from pathlib import Path

from host_tools.files import replace_file
from tableside.core.errors import LogError
from tableside.core.log import MemoryLog

MAGIC = b"TSLG"
PLAYERS = "players"  # in a session folder
_PREFIX = "<4sI"
_PREFIX_BYTES = struct.calcsize(_PREFIX)


def write_log(path: Path, log: MemoryLog) -> None:
    """Write a whole log to one file. Raises OSError, and leaves an old file, if it cannot."""
    replace_file(path, struct.pack(_PREFIX, MAGIC, len(log.head)) + log.head + bytes(log.data))


def read_log(path: Path) -> MemoryLog:
    """Read a log from a file or a session folder.

    Raises: LogError if it is none, or if what is there does not fit together; OSError if it cannot be read.
    """
    if path.is_dir():
        return _read_folder(path)
    data = path.read_bytes()
    if data[:4] != MAGIC[: len(data)] or not data:
        raise LogError("not a session log")
    if len(data) < _PREFIX_BYTES:
        raise LogError("log cut short in its head", len(data))
    _, size = struct.unpack_from(_PREFIX, data)
    if len(data) < _PREFIX_BYTES + size:
        raise LogError("log cut short in its head", len(data))
    return _log(data[_PREFIX_BYTES : _PREFIX_BYTES + size], data[_PREFIX_BYTES + size :])


def read_players(path: Path) -> dict[int, list[str]]:
    """Who plays which side, from the file `players` of a session folder: for each side a line of names.

    Returns: the names by the number of the side.
    """
    file = path / PLAYERS
    if not file.is_file():
        return {}
    lines = file.read_text("utf-8", errors="replace").splitlines()
    return {side: names for side, line in enumerate(lines)
            if (names := [name.strip() for name in line.split(",") if name.strip()])}


def _log(head: bytes, records: bytes) -> MemoryLog:
    log = MemoryLog()
    log.begin(head)
    log.append(records)
    return log


def _read_folder(folder: Path) -> MemoryLog:
    if not (folder / "head").is_file():
        raise LogError("no session folder: it has no file 'head'")
    records = b""
    number = 0
    while (folder / f"s{number}").is_file():
        records += (folder / f"s{number}").read_bytes()
        number += 1
    tail = (folder / "tail").read_bytes() if (folder / "tail").is_file() else b""
    if len(tail) >= 4:  # a shorter one was being begun when the power went
        absorbed = len(records) - int.from_bytes(tail[:4], "little")
        if absorbed < 0:
            raise LogError("records missing before the tail", -absorbed)
        records += tail[4 + absorbed :]
    return _log((folder / "head").read_bytes(), records)
