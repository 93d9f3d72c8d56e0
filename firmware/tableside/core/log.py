"""The log of a session, kept in RAM. `hw.log.FileLog` keeps one in flash and has the same methods."""

from tableside.core.errors import LogError


class MemoryLog:
    """Head, records and checkpoint of one session in RAM."""

    lasting = False  # switched off, it is gone

    def __init__(self):
        self.head = b""
        self.data = bytearray()
        self._checkpoint = b""
        self._clock = b""
        self.players = b""

    @property
    def end(self):
        """The position after the last record."""
        return len(self.data)

    def begin(self, head):
        """Write the head of a new log."""
        self.head = bytes(head)

    def append(self, data):
        """Add whole records at the end."""
        self.data.extend(data)

    def read(self, position, size):
        """`size` bytes from `position`. Raises LogError if the log is shorter."""
        if position < 0 or position + size > len(self.data):
            raise LogError("log cut short", position + size)
        return bytes(self.data[position : position + size])

    def cut(self, position):
        """Drop everything from `position` on: a record that was being written when the power went."""
        self.data = self.data[:position]

    def write_players(self, data):
        """Note who plays."""
        self.players = bytes(data)

    def close(self):
        """Nothing to close."""

    def save_checkpoint(self, data):
        """Replace the checkpoint."""
        self._checkpoint = bytes(data)

    def checkpoint(self):
        """The last checkpoint, or empty bytes."""
        return self._checkpoint

    def save_clock(self, data):
        """Replace the times of the players' clock."""
        self._clock = bytes(data)

    def clock(self):
        """The times that were saved last, or empty bytes."""
        return self._clock
