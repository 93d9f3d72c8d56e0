"""Journal records: a command, the bytes it changed and a chained digest.

A record: length u16, kind, owner and number of arguments, arguments i16, link back to the record that an undo comes to,
link back to the record that a redo takes, changes, digest, length u16 again (so that a log can be read backwards).
Changes are runs (distance from the end of the run before, length, XOR of old and new bytes): applied once they do the
command, applied again they undo it. A link is the distance back to a record, 0 for none.
"""

import hashlib
import struct

from tableside.core.errors import LogError

UNDONE = 0x80
REDONE = 0x40
REVEALED = 0x20  # a hidden card or a random number came to light, or an undo took back that this had happened
KIND = 0x1F
DIGEST_BYTES = 4
ARGS_MOST = 15  # their number has 4 bits
_FRAME = 4  # both lengths
_JOIN = 3  # runs closer than this are written as one
_BLOCK = 32  # bytes compared at once: most of a state stays as it was


def chain(previous, body, state):
    """The digest of a record: over the digest before it, the record itself and the state after it."""
    digest = hashlib.sha256(previous)
    digest.update(body)
    digest.update(state)
    return digest.digest()[:DIGEST_BYTES]


def _put_number(out, number):
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _put_changes(out, old, new):
    end = 0
    i = 0
    size = len(new)
    while i < size:
        if old[i] == new[i]:
            i += _BLOCK if old[i : i + _BLOCK] == new[i : i + _BLOCK] else 1
            continue
        stop = last = i + 1
        while stop < size and stop - last < _JOIN and stop - i < 127:
            stop += 1
            if old[stop - 1] != new[stop - 1]:
                last = stop
        _put_number(out, i - end)
        _put_number(out, last - i)
        for k in range(i, last):
            out.append(old[k] ^ new[k])
        end = i = last


def encode(kind, owner, args, undo, redo, old, new, previous):
    """One record as bytes, and its digest.

    Args: undo, redo: distances back, 0 for none; old, new: the state before and after; previous: the digest so far.
    """
    out = bytearray(2)
    out.append(kind)
    out.append((owner & 15) << 4 | len(args))
    for arg in args:
        out.append(arg & 255)
        out.append(arg >> 8 & 255)
    _put_number(out, undo)
    _put_number(out, redo)
    _put_changes(out, old, new)
    size = len(out) + DIGEST_BYTES + 2
    struct.pack_into("<H", out, 0, size)
    digest = chain(previous, out, new)
    out.extend(digest)
    out.extend(struct.pack("<H", size))
    return out, digest


class Record:
    """A decoded record.

    Args: data: its bytes. Raises: LogError if they are no record.
    Attributes: size: in bytes; kind; undo, redo: the links.
    """

    def __init__(self, data):
        self._data = data
        size = len(data)
        if size < _FRAME + DIGEST_BYTES + 4 or data[0] | data[1] << 8 != size:
            raise LogError("record damaged", size)
        if data[size - 2] != data[0] or data[size - 1] != data[1]:
            raise LogError("record damaged", size)
        self.size = size
        self.kind = data[2]
        self._end = size - 2 - DIGEST_BYTES
        self._at = 4 + 2 * (data[3] & 15)
        if self._at + 2 > self._end:
            raise LogError("record damaged", size)
        self.undo = self._number()
        self.redo = self._number()
        self._changes = self._at

    # Undo goes through hundreds of records and needs none of these.

    @property
    def owner(self):
        """The side that alone may know it, or NOBODY."""
        owner = self._data[3] >> 4
        return 255 if owner == 15 else owner

    @property
    def args(self):
        """The arguments of the command."""
        count = self._data[3] & 15
        return struct.unpack_from("<%dh" % count, self._data, 4) if count else ()

    @property
    def digest(self):
        """The chained digest."""
        return bytes(self._data[self._end : self._end + DIGEST_BYTES])

    def _number(self):
        at = self._at
        if at < self._end and self._data[at] < 128:
            self._at = at + 1
            return self._data[at]
        value = shift = 0
        while self._at < self._end and shift <= 21:
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise LogError("record damaged", self.size)

    def body(self):
        """The bytes that the digest covers."""
        return self._data[: self._end]

    def apply(self, state):
        """Do the change on `state`, or undo it. Raises LogError if it reaches beyond the state."""
        self._at = self._changes
        data = self._data
        at = 0
        while self._at < self._end:
            at += self._number()
            count = self._number()
            start = self._at
            if at + count > len(state) or start + count > self._end:
                raise LogError("record reaches beyond the state", at + count)
            for k in range(start, start + count):
                state[at] ^= data[k]
                at += 1
            self._at = start + count
