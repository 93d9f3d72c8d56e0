"""What was done to a log whose digests do not fit: which byte of it was altered, a record that is missing, or a seed
that was swapped."""

from tableside.core.errors import LogError
from tableside.core.log import MemoryLog
from tableside.core.opening import head_digest, read_head
from tableside.core.record import UNDONE, Record, chain
from tableside.core.session import Session

_FRAME_BYTES = 2  # the length at either end of a record


def why_wrong(session: Session, log: MemoryLog, position: int, record: Record) -> str:
    """Why a record does not follow from the session as it is before it, or nothing if its digest fits."""
    if _fits(session, record.body(), record):
        return ""
    altered = _altered_byte(session, log, position, record)
    if altered:
        return altered
    if not position:
        if not _linked(record):
            return "the seed or the start was swapped: this first record belongs to another one"
        return "a record before it is missing: it is not the first of its game"
    if session.last() < 0 and _linked(record) or not _follows(session, position, record):
        return "a record before it is missing, or was put there: its links lead elsewhere"
    return "a record before it is missing, or more than one of its bytes were altered: its digest is wrong"


def why_head_wrong(log: MemoryLog) -> str:
    """Why a head is wrong whose sum is right, but whose seed does not give its first state."""
    try:
        record = Record(log.read(0, int.from_bytes(log.read(0, 2), "little")))
    except LogError:
        record = None
    if record is None:
        return "the seed does not give this first state: one of them, or what was carried, was changed"
    state = bytearray(read_head(log.head)[4])
    record.apply(state)
    if chain(head_digest(log.head), record.body(), state) == record.digest:
        return "the seed does not give this first state by the rules of this version"
    return "the seed does not give this first state: the seed was swapped, or the state or what was carried was changed"


def _fits(session: Session, body: bytes, record: Record) -> bool:
    """Whether a record with this body has the digest of `record`."""
    size = record.size.to_bytes(_FRAME_BYTES, "little")
    state = bytearray(session.state.data)
    try:
        Record(body + record.digest + size).apply(state)
    except LogError:
        return False
    return bool(chain(session.digest, body, state) == record.digest)


def _altered_byte(session: Session, log: MemoryLog, position: int, record: Record) -> str:
    """Which byte it is, if the record is right but for one: of those before the digest each is tried."""
    body = bytearray(record.body())
    for at in range(_FRAME_BYTES, len(body)):
        old = body[at]
        for value in range(256):
            body[at] = value
            if value != old and _fits(session, bytes(body), record):
                return f"altered: byte {at + 1} of it was {value:#04x} and is {old:#04x}"
        body[at] = old
    return _altered_digest(session, log, position, record)


def _altered_digest(session: Session, log: MemoryLog, position: int, record: Record) -> str:
    """Whether its digest alone was altered: then the record after it follows from the right one."""
    state = bytearray(session.state.data)
    try:
        record.apply(state)
        right = chain(session.digest, record.body(), state)
        after = position + record.size
        if log.end > after:
            following = Record(log.read(after, int.from_bytes(log.read(after, 2), "little")))
            following.apply(state)
            fits = chain(right, following.body(), state) == following.digest
        else:
            fits = sum(a != b for a, b in zip(right, record.digest, strict=True)) == 1
    except LogError:
        return ""
    return "altered: its digest was changed" if fits else ""


def _linked(record: Record) -> bool:
    """Whether a record links back to others."""
    return bool(record.undo or record.redo)


def _follows(session: Session, position: int, record: Record) -> bool:
    """Whether the link of a command is the one that it must have here; what an undo links to is not looked at."""
    if record.kind & UNDONE:
        return True
    last = session.last()
    return bool(record.undo == (position - last if last >= 0 else 0))
