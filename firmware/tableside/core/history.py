"""Walking through the commands that have led to the present state, without touching it."""

from tableside.core.commands import AGAIN
from tableside.core.errors import CoreError
from tableside.core.pack import NOBODY
from tableside.core.record import REDONE, REVEALED
from tableside.core.state import O_ROUND, State
from tableside.core.titles import counter_text, record_title

_BLOCK = 32  # the positions of so many entries are in RAM, and of one entry in so many


class Entry:
    """One command: `title`, `changes` of counters in words, its `round`, and whether it `revealed` something hidden."""

    def __init__(self, title, changes, number, revealed):
        self.title = title
        self.changes = changes
        self.round = number
        self.revealed = revealed


class History:
    """The commands of a session that undo could take back, newest first, as they were when this was made.

    Args: session: a Session; it must not go on while this is in use.
    """

    def __init__(self, session):
        self._session = session
        self._before = State(session.scenario)  # the state before the entry at the cursor
        self._after = State(session.scenario)
        self._before.data[:] = session.state.data
        self._at = -1  # the entry at the cursor
        self._anchors = [session.last()]  # positions of entries 0, _BLOCK, 2 * _BLOCK ...
        self._block = []  # positions from the last anchor at or before the cursor
        self._block_at = 0

    def entry(self, index):
        """Entry `index`, 0 for the newest, or None if there are not so many. Raises LogError if the log is damaged."""
        while self._at > index:
            self._newer()
        while self._at < index:
            if not self._older():
                return None
        record, _ = self._session.record(self._position(self._at))
        self._after.data[:] = self._before.data
        record.apply(self._after.data)
        return self._describe(record)

    def _position(self, index):
        """Where the record of an entry is, -1 behind the oldest. Only the block around the cursor is kept."""
        block = index // _BLOCK
        if block != self._block_at or not self._block:
            self._block_at = block
            self._block = [self._anchors[block]]
        while len(self._block) <= index % _BLOCK:
            last = self._block[len(self._block) - 1]
            if last < 0:
                return -1
            self._block.append(self._session.record(last)[1])
        return self._block[index % _BLOCK]

    def _older(self):
        index = self._at + 1
        if index % _BLOCK == 0 and index // _BLOCK == len(self._anchors):
            self._anchors.append(self._session.record(self._position(index - 1))[1])
        position = self._position(index)
        if position < 0:
            return False
        self._session.record(position)[0].apply(self._before.data)
        self._at = index
        return True

    def _newer(self):
        self._session.record(self._position(self._at))[0].apply(self._before.data)
        self._at -= 1

    def _describe(self, record):
        state = self._before
        number = state.data[O_ROUND]
        revealed = bool(record.kind & REVEALED)
        try:
            title = record_title(state, record)
            if record.kind & REDONE:  # all that one undo had taken back, of which this was the first
                title = "%s: %s" % (AGAIN, title)
        except CoreError as error:
            title = "? " + error.words()
        return Entry(title, "" if record.owner != NOBODY else self._changes(), number, revealed)

    def _changes(self):
        state = self._before
        found = []
        for i in range(state.scenario.counters):
            old, new = state.counter(i), self._after.counter(i)
            if old != new:
                name = state.scenario.pack.text(state.scenario.counter(i)[1])
                found.append("%s %s>%s" % (name, counter_text(state, i, old), counter_text(state, i, new)))
        return ", ".join(found)
