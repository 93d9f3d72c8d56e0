"""Beginning a session, and taking one up from its log: what is needed once in an evening."""

import struct

from tableside.core import engine
from tableside.core.errors import LogError, PackError, RuleError
from tableside.core.record import DIGEST_BYTES, chain
from tableside.core.rng import SEED_BYTES
from tableside.core.session import CHECK, SUM_BYTES, with_sum
from tableside.core.state import LAYOUT

MAGIC = b"TSJ1"
_MAGIC_CARRIED = b"TSJ2"  # what a campaign carried into the session follows the first state
_HEAD = "<4sBB16s16sH"  # magic, layout, scenario, pack id, pack hash, state bytes
_HEAD_BYTES = 40
_CHECK_BYTES = 16 + DIGEST_BYTES


def _without_sum(data, what):
    body = data[: len(data) - SUM_BYTES]
    if len(data) <= SUM_BYTES or with_sum(body) != data:
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
    return data[start : len(data) - SUM_BYTES]


def head_digest(head):
    """The digest that the first record behind a log's head goes on from."""
    return chain(b"", head[: len(head) - SUM_BYTES], b"")


def first_of(pack, head):
    """What a log begins with: (scenario, layout, first state). Raises LogError if the pack is of another version."""
    _, pack_hash, scenario, layout, first = read_head(head)
    if pack_hash != pack.hash:
        raise LogError("saved with another version of the pack", pack.id)
    return scenario, layout, first


def begin(session, log, seed, carried):
    """The first state of a new session, and its log's head. Args, raises: see `Session.new`."""
    if len(seed) != SEED_BYTES:
        raise RuleError("seed must have %d bytes" % SEED_BYTES, len(seed))
    session.state.reset(seed)
    if carried is not None:
        carried.bring(session.state)
    engine.start(session.state)
    engine.run(session.state)
    scenario = session.scenario.index
    if not session.state.sound():
        raise PackError("a state that cannot be", scenario)
    data = session.state.data
    name = session.pack.id.encode()
    magic = MAGIC if carried is None else _MAGIC_CARRIED
    head = struct.pack(_HEAD, magic, LAYOUT, scenario, name, session.pack.hash, len(data)) + bytes(data)
    if carried is not None:
        head += carried.data
    session.digest = chain(b"", head, b"")
    log.begin(with_sum(head))


def take_up(session, log, layout, first):
    """Bring a session from its first state to where its log ends.

    Args: layout, first: see `first_of`. Raises: LogError if the log is of another layout, or damaged.
    """
    if layout != LAYOUT or len(first) != len(session.state.data):
        raise LogError("saved with another state layout", layout)
    session.state.data[:] = first
    session.digest = head_digest(log.head)
    _roll_forward(session, log, _load_checkpoint(session, log))


def _load_checkpoint(session, log):
    data = log.checkpoint()
    if not data:
        return 0
    try:
        body = _without_sum(data, "checkpoint")
    except LogError:
        return 0  # the records alone suffice
    if len(body) != _CHECK_BYTES + len(session.state.data):
        return 0
    position, records, undo, redo, digest = struct.unpack(CHECK, body[:_CHECK_BYTES])
    if position > log.end or not _ends_with(session, position, digest):
        return 0
    session.go_on_from(records, undo - 1, redo - 1, digest)
    session.state.data[:] = body[_CHECK_BYTES:]
    return position


def _ends_with(session, position, digest):
    """Whether the record before `position` has this digest."""
    try:
        return session.read_before(position).digest == digest
    except ValueError:
        return False


def _roll_forward(session, log, position):
    while position < log.end:
        try:
            record = session.read(position)
        except ValueError:
            if not _cut_short(session, log, position):
                raise
            session.cut(position)
            return
        record.apply(session.state.data)
        session.digest = chain(session.digest, record.body(), session.state.data)
        if session.digest != record.digest:
            raise LogError("log altered at record", session.records)
        session.follow(record, position)
        position += record.size


def _cut_short(session, log, position):
    """Whether what is at `position` is the beginning of a last record, and not a record with others after it."""
    left = log.end - position
    if left < 2:
        return True
    if session.size_at(position) <= left:
        return False
    # Whole records from the end back to just behind this one: then its length was altered.
    at = log.end
    try:
        while at > position:
            at -= session.read_before(at).size
    except ValueError:
        pass
    return at <= position or at == log.end or session.size_at(at - 2) != at - position
