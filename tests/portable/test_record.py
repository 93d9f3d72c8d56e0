"""Journal records: their changes go both ways, and damage never goes unnoticed."""

from support import Lcg, raises

from tableside.core.errors import LogError
from tableside.core.record import Record, chain, encode

PREVIOUS = b"\x01\x02\x03\x04"


def states(size, changed):
    """An old and a new state that differ at the given places."""
    old = bytearray((i * 7) & 255 for i in range(size))
    new = bytearray(old)
    for at in changed:
        new[at] ^= 1 + at % 255
    return old, new


def record(size, changed, args=(), undo=0, redo=0, kind=1, owner=255):
    old, new = states(size, changed)
    data, digest = encode(kind, owner, args, undo, redo, old, new, PREVIOUS)
    return old, new, bytes(data), digest


def test_changes_apply_and_apply_back():
    for size, changed in (
        (1, ()),
        (1, (0,)),
        (180, (0, 1, 2, 179)),
        (180, (0, 2, 4, 6, 9, 13, 18)),  # gaps around the limit where two runs are joined
        (300, range(300)),  # longer than one run may be
        (300, range(126)),
        (300, range(127)),
        (300, range(128)),
        (600, (0, 127, 128, 255, 256, 599)),
        (20000, (0, 129, 16600, 19999)),  # distances of one, two and three bytes
    ):
        old, new, data, digest = record(size, changed)
        found = Record(data)
        assert found.size == len(data) and found.digest == digest
        state = bytearray(old)
        found.apply(state)
        assert state == new
        assert chain(PREVIOUS, found.body(), state) == digest
        found.apply(state)
        assert state == old


def test_random_changes():
    pick = Lcg(7)
    for _ in range(100):
        size = 1 + pick(400)
        old, new, data, _ = record(size, [pick(size) for _ in range(pick(60))])
        state = bytearray(old)
        Record(data).apply(state)
        assert state == new


def test_fields_come_back():
    for args in ((), (0,), (1, -1, 32767, -32768), tuple(range(15))):
        for undo, redo in ((0, 0), (1, 127), (128, 16383), (16384, 2097151), (2097152, 268435455)):
            for kind, owner in ((1, 0), (11 | 0x80, 14), (63 | 0x40, 255)):
                found = Record(record(50, (3,), args, undo, redo, kind, owner)[2])
                assert (found.kind, found.owner, found.args) == (kind, owner, args)
                assert (found.undo, found.redo) == (undo, redo)


def test_no_change_is_a_record_too():
    old, new, data, _ = record(100, ())
    state = bytearray(old)
    Record(data).apply(state)
    assert state == old == new
    assert len(data) == 12


def test_every_cut_is_refused():
    data = record(180, (1, 90, 91, 170), (3, 5), 20, 0)[2]
    for size in range(len(data)):
        raises(LogError, Record, data[:size])
    raises(LogError, Record, data + b"\0")


def noticed(old, data):
    """Whether a record is refused, or does not have the digest that it carries."""
    try:
        found = Record(data)
        state = bytearray(old)
        found.apply(state)
    except LogError:
        return True
    return chain(PREVIOUS, found.body(), state) != found.digest


def test_damage_of_any_byte_is_noticed():
    for size, changed, args in ((180, (1, 90, 91, 170), (3, 5)), (60, (59,), ()), (400, range(0, 400, 9), (1,) * 15)):
        old, _, data, _ = record(size, changed, args, 200, 40000)
        assert not noticed(old, data)
        for at in range(len(data)):
            for mask in (1, 2, 0x10, 0x80, 0xFF):
                damaged = bytearray(data)
                damaged[at] ^= mask
                assert noticed(old, bytes(damaged))


def test_noise_with_a_right_frame_is_noticed():
    pick = Lcg(11)
    old = states(120, ())[0]
    for _ in range(1500):
        size = 12 + pick(40)
        data = bytearray(pick(256) for _ in range(size))
        data[0] = data[size - 2] = size
        data[1] = data[size - 1] = 0
        assert noticed(old, bytes(data))
