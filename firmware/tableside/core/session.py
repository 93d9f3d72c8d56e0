"""A session: a pack's scenario, a seed and the commands given so far.

Commands change the state bytes; each leaves a record in the log. Undo and redo are records as well, so the log never
forgets. Nothing here grows with the length of a game.
"""

import hashlib
import struct

from tableside.core import commands, engine
from tableside.core.deck import may_look
from tableside.core.errors import LogError, RuleError
from tableside.core.pack import NOBODY, Scenario
from tableside.core.record import DIGEST_BYTES, KIND, REDONE, REVEALED, UNDONE, Record, encode
from tableside.core.state import O_OVER, State

CHECKPOINT_EVERY = 64
_WINDOW = 256  # bytes read from flash at once by who walks through the log
_AHEAD = 48  # of these, behind the beginning of a record on the way back: most are shorter
CHECK = "<IIII%ds" % DIGEST_BYTES  # position, records, undo position + 1, redo position + 1, digest
SUM_BYTES = 8


def with_sum(data):
    """Data with a checksum behind it."""
    return bytes(data) + hashlib.sha256(data).digest()[:SUM_BYTES]


class Session:
    """A game being played. Make one with `new` or `resume`; `rules` of both: see Scenario."""

    def __init__(self, pack, scenario, log, rules=None):
        self.pack = pack
        self.scenario = Scenario(pack, scenario, rules)
        self.state = State(self.scenario)
        self.records = 0
        self.digest = b""
        self._log = log
        self._before = bytearray(len(self.state.data))
        self._saved = 0  # bytes of records that the log has; what it says itself may be less while it fails
        self._unsaved = bytearray()
        self._window = b""  # of the log, see _look
        self._window_at = 0
        self._undo = self._redo = -1  # positions of the records that undo and redo would take
        self._since_checkpoint = 0

    @classmethod
    def new(cls, pack, scenario, seed, log, rules=None, carried=None):
        """Begin a session and write the log's head.

        Args: seed: SEED_BYTES bytes from the hardware; log: an empty log; carried: see `core.campaign.Carried`.
        Raises: RuleError for a seed of another size.
        """
        from tableside.core import opening

        session = cls(pack, scenario, log, rules)
        opening.begin(session, log, seed, carried)
        return session

    @classmethod
    def resume(cls, pack, log, rules=None):
        """Take up a session from its log. A record that was cut short at the very end is dropped.

        Raises: LogError if the log belongs to another pack or layout, or is damaged.
        """
        from tableside.core import opening

        scenario, layout, first = opening.first_of(pack, log.head)
        session = cls(pack, scenario, log, rules)
        session._saved = log.end
        opening.take_up(session, log, layout, first)
        session._check_state()
        return session

    def go_on_from(self, records, undo, redo, digest):
        """Where a log stands: how many records, the positions that undo and redo would take, digest of the last."""
        self.records = records
        self._undo = undo
        self._redo = redo
        self.digest = digest

    def cut(self, position):
        """Drop what the log has from a position on."""
        self._log.cut(position)
        self._saved = position
        self._window = b""

    def _check_state(self):
        if not self.state.sound():
            raise LogError("log leads to a state that cannot be", self.records)

    def size_at(self, position):
        """The length of a record, which stands at both of its ends. Args: position: of that number."""
        size = self._bytes(position, 2)
        return size[0] | size[1] << 8

    def _bytes(self, position, size):
        """Bytes of the log, also of what is not saved yet: a flash that fails does not keep anybody from an undo."""
        start = position - self._saved
        if start < 0:
            return self._log.read(position, size)
        if start + size > len(self._unsaved):
            raise LogError("log cut short", position + size)
        return bytes(self._unsaved[start : start + size])

    def read(self, position):
        """The record at a position. Raises LogError if it is damaged."""
        if position >= self._saved or position < 0:
            return Record(self._bytes(position, self.size_at(position)))
        at = position - self._window_at
        if at < 0 or at + 2 > len(self._window):
            self._look(position)
            at = position - self._window_at
        size = self._window[at] | self._window[at + 1] << 8
        if at + size > len(self._window):
            return Record(self._bytes(position, size))
        return Record(self._window[at : at + size])

    def _look(self, position):
        """Read what lies around a record: behind it on the way forward, else more of what is before it."""
        start = position
        if position < self._window_at:
            start = max(0, position + _AHEAD - _WINDOW)
        if not 0 <= position < self._saved - 1:
            raise LogError("log cut short", position)
        self._window = self._log.read(start, min(_WINDOW, self._saved - start))
        self._window_at = start

    def read_before(self, position):
        """The record that ends at a position. Raises LogError if it is damaged."""
        size = self.size_at(position - 2)
        return Record(self._bytes(position - size, size))

    def follow(self, record, position):
        """Note that a record stands at a position, which is the newest."""
        if record.kind & UNDONE:
            self._undo = position - record.undo if record.undo else -1
            self._redo = position
        else:
            self._undo = position
            self._redo = position - record.redo if record.redo else -1
        self.records += 1
        self._since_checkpoint += 1

    def check(self, kind, args=()):
        """Whether a command is allowed now: see `commands.check`."""
        return commands.check(self.state, kind, args)

    def do(self, kind, args=()):
        """Give a command. Raises RuleError, and changes nothing, if it is not allowed."""
        verdict, reason = self.check(kind, args)
        if verdict == commands.NO:
            raise RuleError(reason)
        self._before[:] = self.state.data
        self.state.revealed = False
        owner = self._owner(kind, args)
        try:
            commands.push(self.state, kind, args)
            if self.state.revealed:
                kind |= REVEALED
            self._record(kind, owner, args, self._undo, -1)
        except Exception:
            self.state.data[:] = self._before
            raise

    def _record(self, kind, owner, args, undo, redo):
        """Note a change that the state has had. If this raises, nothing is noted: the caller takes the change back."""
        position = self._saved + len(self._unsaved)
        data, digest = encode(
            kind,
            owner,
            args,
            position - undo if undo >= 0 else 0,
            position - redo if redo >= 0 else 0,
            self._before,
            self.state.data,
            self.digest,
        )
        record = Record(data)
        self._unsaved.extend(data)
        self.digest = digest
        self.follow(record, position)

    def _owner(self, kind, args):
        # A card that only one side may see, or its secret answer, makes the record that side's own.
        if kind in (commands.DRAW, commands.MOVE, commands.PICK):
            deck, zone = args[0], args[1] if kind == commands.DRAW else args[3]
            if kind == commands.PICK:
                from tableside.core import picks

                deck = picks.effect(self.state, deck)[1]
            if not may_look(self.state, deck, zone, NOBODY):
                return self.scenario.zone(self.scenario.deck(deck)[1] + zone)[2]
        if kind == commands.ANSWER:
            question = engine.asked(self.state)
            return question.side if question is not None and question.secret else NOBODY
        return NOBODY

    def can_undo(self):
        """Whether there is a command to undo."""
        return self._undo >= 0

    def can_redo(self):
        """Whether an undone command can be done again."""
        return self._redo >= 0

    def undo(self, count=1):
        """Take back the last `count` commands in one go. Returns the Record of the earliest of them.

        Raises: RuleError, and changes nothing, if there are not so many.
        """
        if count < 1:
            raise RuleError("undo at least one", count)
        position = self._undo
        self._before[:] = self.state.data
        record = None
        revealed = 0
        try:
            for _ in range(count):
                if position < 0:
                    raise RuleError("nothing to undo")
                record, position = self.record(position)
                record.apply(self.state.data)
                revealed |= record.kind & REVEALED
            self._check_state()
            self._record(record.kind & KIND | revealed | UNDONE, record.owner, record.args, position, self._redo)
        except Exception:
            self.state.data[:] = self._before
            raise
        return record

    def redo(self):
        """Do again what the last undo took back. Returns its Record. Raises RuleError if there is nothing."""
        if self._redo < 0:
            raise RuleError("nothing to redo")
        record = self.read(self._redo)
        redo = self._redo - record.redo if record.redo else -1
        self._before[:] = self.state.data
        try:
            record.apply(self.state.data)
            self._check_state()
            self._record(record.kind & (KIND | REVEALED) | REDONE, record.owner, record.args, self._undo, redo)
        except Exception:
            self.state.data[:] = self._before
            raise
        return record

    def save(self):
        """Write what the log does not have yet. The caller draws first and saves then. Raises OSError from the log."""
        self._window = b""
        if self._unsaved:
            self._log.append(self._unsaved)
            self._saved += len(self._unsaved)
            self._unsaved = bytearray()
            if self._since_checkpoint >= CHECKPOINT_EVERY:
                self._save_checkpoint()

    def _save_checkpoint(self):
        """Make the next start fast. Without it that is slower, and the next command tries again."""
        links = struct.pack(CHECK, self._saved, self.records, self._undo + 1, self._redo + 1, self.digest)
        try:
            self._log.save_checkpoint(with_sum(links + bytes(self.state.data)))
            self._since_checkpoint = 0
        except OSError:
            pass

    def close(self):
        """Save, then close the log and the pack, and drop its code. Raises OSError from the log."""
        self.save()
        self._log.close()
        self.pack.close()
        if self.state.code is not None:
            self.state.code.drop()

    def history(self):
        """All records from the newest to the oldest, undone ones and undos too. Changes nothing."""
        position = self._saved + len(self._unsaved)
        while position > 0:
            record = self.read_before(position)
            position -= record.size
            yield record

    def last(self):
        """The position of the record that an undo would take back, -1 for none."""
        return self._undo

    def redo_record(self):
        """The record that a redo would do again; its kind and arguments are those of the command. None for none."""
        return None if self._redo < 0 else self.read(self._redo)

    def record(self, position):
        """The record at a position and the position of the one before it that still counts, -1 for none."""
        record = self.read(position)
        return record, position - record.undo if record.undo else -1

    def redone(self, position):
        """Of the record of a redo: the position of the last command that it did again.

        From there the links lead back through all of them to the command before the redo's own.
        """
        before = self._position_before(position)
        record = self.read(before)
        undo = before if record.kind & UNDONE else before - record.redo
        last = self._position_before(undo)
        record = self.read(last)
        return last - record.undo if record.kind & UNDONE else last

    def _position_before(self, position):
        return position - self.size_at(position - 2)

    def note_players(self, data):
        """Note who plays, a line a side, beside the log. Raises OSError."""
        self._log.write_players(data)

    def lasting(self):
        """Whether the log is in flash."""
        return self._log.lasting

    def head(self):
        """The head of its log."""
        return self._log.head

    def carried(self):
        """What a campaign carried into it, nothing if it is not part of one."""
        from tableside.core.opening import read_carried

        return read_carried(self._log.head)

    def over(self):
        """Whether the game has ended."""
        return bool(self.state.data[O_OVER])

    def save_clock(self, data):
        """Keep the times of the players' clock beside the log: they are no part of the game. Raises OSError."""
        self._log.save_clock(data)

    def clock(self):
        """The times that were kept last, nothing if none ever were. Raises OSError."""
        return self._log.clock()
