"""The log of a session in flash, on any MicroPython file system.

A session is a folder: `head`, segments `s0`, `s1` ..., `tail` and `check`. Records are appended to the tail with a
flush each; a full tail is appended to the last segment and removed. So littlefs keeps the tail inline, a long game
needs few files, and a cut between any two writes loses nothing. The tail begins with the position of its first record:
if the segments already reach beyond it, the cut came between the append and the removal.
"""

import os

from tableside.hw.files import exists, overwrite, write_file

_TAIL_BYTES = 400
_SEGMENT_BYTES = 32768


class StoreError(ValueError):
    """A session folder whose files do not fit together; names the folder."""


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _append(path, data):
    with open(path, "ab") as file:
        file.write(data)


class FileLog:
    """The log of one session in a folder. The methods are those of `core.log.MemoryLog`.

    Args: folder: its path, without a slash at the end.
    Raises: OSError from the file system; StoreError if files do not fit together.
    """

    lasting = True

    def __init__(self, folder):
        self._folder = folder + "/"
        self._file = None  # the open tail
        self._reader = None  # the open segment that was read last: history and undo read it again and again
        self._read_segment = -1
        self._failed_at = -1  # the end before an append that failed: flash may hold some of it
        self.head = _read(self._folder + "head") if exists(self._folder + "head") else b""
        self._scan()

    def _scan(self):
        """Find out from the files where segments and tail begin and end."""
        self._starts = []  # the position at which each segment begins
        self._tail_start = 0
        self._tail = bytearray()
        while exists(self._segment(len(self._starts))):
            self._starts.append(self._tail_start)
            self._tail_start += os.stat(self._segment(len(self._starts) - 1))[6]
        if exists(self._folder + "tail"):
            self._load_tail()

    def _segment(self, number):
        return self._folder + "s%d" % number

    def _tail_header(self):
        start = self._tail_start
        return bytes((start & 255, start >> 8 & 255, start >> 16 & 255, start >> 24))

    def _load_tail(self):
        data = _read(self._folder + "tail")
        if len(data) <= 4:
            os.remove(self._folder + "tail")
            return
        start = data[0] | data[1] << 8 | data[2] << 16 | data[3] << 24
        absorbed = self._tail_start - start
        if absorbed < 0:
            raise StoreError("records missing before the tail: " + self._folder)
        self._tail = bytearray(data[4 + absorbed :])
        if absorbed:
            self._absorb()

    @property
    def end(self):
        """The position after the last record."""
        return self._tail_start + len(self._tail)

    def begin(self, head):
        """Write the head of a new log."""
        self.head = bytes(head)
        write_file(self._folder + "head", head)

    def append(self, data):
        """Add whole records at the end. When this returns they are in flash; after an OSError it may be tried again."""
        if self._failed_at >= 0:
            self._recover()
        self._failed_at = self.end
        if self._tail and len(self._tail) + len(data) > _TAIL_BYTES:
            self._absorb()
        if self._file is None:
            self._file = open(self._folder + "tail", "ab")  # noqa: SIM115 - stays open, so a record costs one flush
            if not self._tail:
                self._file.write(self._tail_header())
        self._file.write(data)
        self._file.flush()
        self._tail.extend(data)
        self._failed_at = -1

    def _recover(self):
        """After an append that failed: look at what is in flash, and drop what it wrote of its data."""
        self.close()
        self._scan()
        if self.end < self._failed_at:
            raise StoreError("log cut short: " + self._folder)
        if self.end > self._failed_at:
            self.cut(self._failed_at)

    def _absorb(self):
        """Append the tail to the last segment, or begin a new one, and remove it."""
        self.close()
        last = len(self._starts) - 1
        if last < 0 or self._tail_start - self._starts[last] >= _SEGMENT_BYTES:
            last += 1
            self._starts.append(self._tail_start)
        if self._tail:
            _append(self._segment(last), self._tail)
        os.remove(self._folder + "tail")
        self._tail_start += len(self._tail)
        self._tail = bytearray()

    def read(self, position, size):
        """`size` bytes from `position`. Raises StoreError if the log is shorter."""
        if position < 0 or position + size > self.end:
            raise StoreError("log cut short: " + self._folder)
        if position >= self._tail_start:
            at = position - self._tail_start
            return bytes(self._tail[at : at + size])
        number = len(self._starts) - 1
        while self._starts[number] > position:
            number -= 1
        if number != self._read_segment:
            self._close_reader()
            self._reader = open(self._segment(number), "rb")  # noqa: SIM115 - closed before the segment grows
            self._read_segment = number
        self._reader.seek(position - self._starts[number])
        data = self._reader.read(size)
        if len(data) < size:  # the rest is in the next segment or in the tail
            data += self.read(position + len(data), size - len(data))
        return data

    def cut(self, position):
        """Drop everything from `position` on: a record that was being written when the power went."""
        if position < self._tail_start:
            raise StoreError("log damaged before its tail: " + self._folder)
        self.close()
        self._tail = self._tail[: position - self._tail_start]
        if not self._tail:
            if exists(self._folder + "tail"):
                os.remove(self._folder + "tail")
            return
        write_file(self._folder + "tail", self._tail_header() + bytes(self._tail))

    def save_checkpoint(self, data):
        """Replace the checkpoint."""
        write_file(self._folder + "check", data)

    def checkpoint(self):
        """The last checkpoint, or empty bytes."""
        return _read(self._folder + "check") if exists(self._folder + "check") else b""

    def save_clock(self, data):
        """Replace the times of the players' clock."""
        overwrite(self._folder + "clock", data)

    def clock(self):
        """The times that were saved last, or empty bytes."""
        return _read(self._folder + "clock") if exists(self._folder + "clock") else b""

    def write_players(self, data):
        """Note who plays, a line a side."""
        write_file(self._folder + "players", data)

    def close(self):
        """Close what is open; it is opened again when it is needed."""
        self._close_reader()
        file = self._file
        self._file = None
        if file is not None:
            file.close()

    def _close_reader(self):
        self._read_segment = -1
        if self._reader is not None:
            self._reader.close()
            self._reader = None
