"""The records of a log, and which of them an undo takes back."""

from collections.abc import Iterator

from tableside.core.errors import LogError
from tableside.core.log import MemoryLog
from tableside.core.opening import read_head
from tableside.core.record import UNDONE, Record
from tableside.core.state import O_OVER


def records(log: MemoryLog) -> Iterator[tuple[int, Record]]:
    """(position, record) of each. Raises LogError at one that is cut short or damaged."""
    position = 0
    while position < log.end:
        left = log.end - position
        size = int.from_bytes(log.read(position, min(2, left)), "little")
        if left < 2 or left < size:
            raise LogError("the log is cut short within this record")
        try:
            record = Record(log.read(position, size))
        except LogError as error:
            raise LogError(f"altered: it is no record any more ({error})") from None
        yield position, record
        position += size


def is_over(log: MemoryLog) -> bool:
    """Whether the game of a log has ended; no pack is needed for that. Raises: LogError."""
    state = bytearray(read_head(log.head)[4])
    for _, record in records(log):
        record.apply(state)
    return bool(state[O_OVER])


class UndoChain:
    """The records that undo would take back, as positions, to tell how many commands an undo took back."""

    def __init__(self) -> None:
        self.last = -1  # none
        self._before: dict[int, int] = {}

    def take(self, record: Record, position: int) -> int:
        """Go on behind a record. Returns: how many commands it takes back."""
        linked = position - record.undo if record.undo else -1
        if not record.kind & UNDONE:
            self._before[position] = linked
            self.last = position
            return 0
        count = 0
        at = self.last
        while at >= 0 and (at != linked or not count):
            at = self._before.get(at, -1)
            count += 1
        self.last = linked
        return count if at == linked else 0
