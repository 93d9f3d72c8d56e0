"""A session: a pack's scenario, a seed and the commands given so far.

Commands change the state bytes; each leaves a record in the log. Undo and redo are records as well, so the log never
forgets. Nothing here grows with the length of a game.
"""

import hashlib
import struct

from tableside.core import commands, engine
from tableside.core.deck import may_look
from tableside.core.errors import LogError, PackError, RuleError
from tableside.core.pack import NOBODY, Scenario
from tableside.core.record import DIGEST_BYTES, KIND, REDONE, REVEALED, UNDONE, Record, chain, encode
from tableside.core.rng import SEED_BYTES
from tableside.core.state import LAYOUT, O_OVER, State

MAGIC = b"TSJ1"
_MAGIC_CARRIED = b"TSJ2"  # what a campaign carried into the session follows the first state
CHECKPOINT_EVERY = 64
_WINDOW = 256  # bytes read from flash at once by who walks through the log
_AHEAD = 48  # of these, behind the beginning of a record on the way back: most are shorter
_HEAD = "<4sBB16s16sH"  # magic, layout, scenario, pack id, pack hash, state bytes
_HEAD_BYTES = 40
_CHECK = "<IIII%ds" % DIGEST_BYTES  # position, records, undo position + 1, redo position + 1, digest
_CHECK_BYTES = 16 + DIGEST_BYTES
_SUM_BYTES = 8


def _with_sum(data):
    return bytes(data) + hashlib.sha256(data).digest()[:_SUM_BYTES]


def _without_sum(data, what):
    body = data[: len(data) - _SUM_BYTES]
    if len(data) <= _SUM_BYTES or _with_sum(body) != data:
        raise LogError(what + " damaged", len(data))
    return body


def read_head(data):
    """What a log's head says: (pack id, pack hash, scenario, layout, first state). Raises LogError if it is damaged."""
    body = _without_sum(data, "log head")
    if len(body) < _HEAD_BYTES:
        raise LogError("log head damaged", len(body))
    magic, layout, scenario, pack_id, pack_hash, size = struct.unpack(_HEAD, body[:_HEAD_BYTES])
    more = len(body) - _HEAD_BYTES - size
    if not (magic == MAGIC and more == 0 or magic == _MAGIC_CARRIED and more > 0):
        raise LogError("log head damaged", size)
    try:
        name = str(pack_id.rstrip(b"\0"), "utf-8")
    except UnicodeError:
        raise LogError("log head damaged", size) from None
    return name, pack_hash, scenario, layout, body[_HEAD_BYTES : _HEAD_BYTES + size]


def read_carried(data):
    """What a campaign carried into the session of a log's head, see `core.campaign`; nothing if there was none."""
    start = _HEAD_BYTES + len(read_head(data)[4])
    return data[start : len(data) - _SUM_BYTES]


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
        if len(seed) != SEED_BYTES:
            raise RuleError("seed must have %d bytes" % SEED_BYTES, len(seed))
        session = cls(pack, scenario, log, rules)
        session.state.reset(seed)
        if carried is not None:
            carried.bring(session.state)
        engine.start(session.state)
        engine.run(session.state)
        if not session.state.sound():
            raise PackError("a state that cannot be", scenario)
        data = session.state.data
        name = pack.id.encode()
        magic = MAGIC if carried is None else _MAGIC_CARRIED
        head = struct.pack(_HEAD, magic, LAYOUT, scenario, name, pack.hash, len(data)) + bytes(data)
        if carried is not None:
            head += carried.data
        session.digest = chain(b"", head, b"")
        log.begin(_with_sum(head))
        return session

    @classmethod
    def resume(cls, pack, log, rules=None):
        """Take up a session from its log. A record that was cut short at the very end is dropped.

        Raises: LogError if the log belongs to another pack or layout, or is damaged.
        """
        _, pack_hash, scenario, layout, first = read_head(log.head)
        if pack_hash != pack.hash:
            raise LogError("saved with another version of the pack", pack.id)
        session = cls(pack, scenario, log, rules)
        if layout != LAYOUT or len(first) != len(session.state.data):
            raise LogError("saved with another state layout", layout)
        session.state.data[:] = first
        session.digest = chain(b"", log.head[: len(log.head) - _SUM_BYTES], b"")
        session._saved = log.end
        session._roll_forward(session._load_checkpoint())
        session._check_state()
        return session

    def _load_checkpoint(self):
        data = self._log.checkpoint()
        if not data:
            return 0
        try:
            body = _without_sum(data, "checkpoint")
        except LogError:
            return 0  # the records alone suffice
        if len(body) != _CHECK_BYTES + len(self.state.data):
            return 0
        position, records, undo, redo, digest = struct.unpack(_CHECK, body[:_CHECK_BYTES])
        if position > self._log.end or not self._ends_with(position, digest):
            return 0
        self.records = records
        self._undo = undo - 1
        self._redo = redo - 1
        self.digest = digest
        self.state.data[:] = body[_CHECK_BYTES:]
        return position

    def _ends_with(self, position, digest):
        """Whether the record before `position` has this digest."""
        try:
            return self._read_before(position).digest == digest
        except ValueError:
            return False

    def _check_state(self):
        if not self.state.sound():
            raise LogError("log leads to a state that cannot be", self.records)

    def _roll_forward(self, position):
        while position < self._log.end:
            try:
                record = self._read(position)
            except ValueError:
                if not self._cut_short(position):
                    raise
                self._log.cut(position)
                self._saved = position
                self._window = b""
                return
            record.apply(self.state.data)
            self.digest = chain(self.digest, record.body(), self.state.data)
            if self.digest != record.digest:
                raise LogError("log altered at record", self.records)
            self._take_links(record, position)
            position += record.size

    def _cut_short(self, position):
        """Whether what is at `position` is the beginning of a last record, and not a record with others after it."""
        left = self._log.end - position
        if left < 2:
            return True
        if self._size_at(position) <= left:
            return False
        # Whole records from the end back to just behind this one: then its length was altered.
        at = self._log.end
        try:
            while at > position:
                at -= self._read_before(at).size
        except ValueError:
            pass
        return at <= position or at == self._log.end or self._size_at(at - 2) != at - position

    def _size_at(self, position):
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

    def _read(self, position):
        if position >= self._saved or position < 0:
            return Record(self._bytes(position, self._size_at(position)))
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

    def _read_before(self, position):
        size = self._size_at(position - 2)
        return Record(self._bytes(position - size, size))

    def _take_links(self, record, position):
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
        self._take_links(record, position)

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
        record = self._read(self._redo)
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
        links = struct.pack(_CHECK, self._saved, self.records, self._undo + 1, self._redo + 1, self.digest)
        try:
            self._log.save_checkpoint(_with_sum(links + bytes(self.state.data)))
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
            record = self._read_before(position)
            position -= record.size
            yield record

    def last(self):
        """The position of the record that an undo would take back, -1 for none."""
        return self._undo

    def redo_record(self):
        """The record that a redo would do again; its kind and arguments are those of the command. None for none."""
        return None if self._redo < 0 else self._read(self._redo)

    def record(self, position):
        """The record at a position and the position of the one before it that still counts, -1 for none."""
        record = self._read(position)
        return record, position - record.undo if record.undo else -1

    def redone(self, position):
        """Of the record of a redo: the position of the last command that it did again.

        From there the links lead back through all of them to the command before the redo's own.
        """
        before = self._position_before(position)
        record = self._read(before)
        undo = before if record.kind & UNDONE else before - record.redo
        last = self._position_before(undo)
        record = self._read(last)
        return last - record.undo if record.kind & UNDONE else last

    def _position_before(self, position):
        return position - self._size_at(position - 2)

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
