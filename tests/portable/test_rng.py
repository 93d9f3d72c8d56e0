"""The random generator: golden sequences, no bias, nothing spent in vain."""

from support import raises

from tableside.core.errors import CoreError
from tableside.core.rng import RNG_BYTES, SALT_BYTES, SEED_BYTES, Rng, commitment

ZEROS = bytes(SEED_BYTES)
COUNTING = bytes(range(SEED_BYTES))
ONES = b"\xff" * SEED_BYTES
NO_SALT = bytes(SALT_BYTES)
SALT = b"\x01\x02\x03\x04"
# Worked out in tests/test_rng_golden.py: seed, salt, bound, numbers.
NUMBERS = (
    (ZEROS, NO_SALT, 6, (1, 0, 4, 3, 2, 4, 2, 0, 2, 0, 4, 4, 2, 0, 0, 4, 0, 3, 2, 5, 0, 5, 2, 0)),
    (COUNTING, NO_SALT, 6, (3, 2, 2, 5, 3, 0, 0, 0, 1, 3, 0, 1, 5, 4, 1, 0, 1, 1, 3, 4, 3, 4, 4, 3)),
    (COUNTING, SALT, 6, (2, 2, 4, 5, 3, 1, 5, 4, 1, 5, 4, 5, 3, 0, 0, 1, 3, 5, 3, 5, 4, 5, 1, 2)),
    (ONES, NO_SALT, 256, (89, 109, 142, 179, 60, 163, 189, 56, 193, 110, 172, 33, 185, 17, 89, 190)),
    (COUNTING, NO_SALT, 129, (56, 21, 12, 66, 78, 67, 105, 22, 69, 116, 43, 9, 0, 49, 44, 69)),
    (COUNTING, NO_SALT, 257, (5, 117, 248, 179, 247, 246, 17, 196, 60, 174, 103, 29, 44, 18, 58, 223)),
    (COUNTING, SALT, 40000, (39627, 10044, 34010, 34171, 2242, 38991, 22701, 38329, 38429, 25915, 16868, 19433)),
)
SHUFFLES = (
    (ZEROS, NO_SALT, (6, 4, 12, 5, 3, 11, 9, 8, 2, 7, 10, 0, 1)),
    (COUNTING, NO_SALT, (11, 10, 5, 8, 6, 0, 7, 4, 9, 3, 1, 2, 12)),
    # fmt: off
    (COUNTING, SALT, (16, 5, 7, 21, 4, 26, 35, 20, 6, 25, 9, 12, 34, 1, 18, 0, 10, 23, 11, 28, 27, 22, 14, 31, 3, 30,
                      33, 13, 17, 32, 24, 15, 29, 8, 19, 2)),
    # fmt: on
)
COMMITMENT = "15a2cbceb4602d061d35d954171fab4a3eb97292e3dbdbfb7a1188800a8fb39c"


def new(seed, salt=NO_SALT, at=3):
    """(the state, the generator at `at` in it)."""
    state = bytearray(at + RNG_BYTES + 2)
    state[at : at + SEED_BYTES + SALT_BYTES] = seed + salt
    return state, Rng(state, at)


class Scripted(Rng):
    """A generator whose bytes are given."""

    def __init__(self, *stream):
        Rng.__init__(self, bytearray(RNG_BYTES), 0)
        self.left = list(stream)

    def _byte(self):
        return self.left.pop(0)


def test_golden_numbers():
    for seed, salt, n, expected in NUMBERS:
        rng = new(seed, salt)[1]
        assert tuple(rng.below(n) for _ in expected) == expected


def test_golden_shuffles():
    for seed, salt, expected in SHUFFLES:
        items = list(range(len(expected)))
        new(seed, salt)[1].shuffle(items, 0, len(items))
        assert tuple(items) == expected


def test_the_state_bytes_are_all_there_is():
    state, rng = new(COUNTING, SALT)
    for _ in range(50):
        rng.below(6)
    before = bytes(state)
    numbers = [rng.below(1000) for _ in range(20)]
    assert [Rng(bytearray(before), 3).below(1000) for _ in range(3)] == numbers[:1] * 3
    state[:] = before  # an undo under a generator that has already read on
    assert [rng.below(1000) for _ in range(20)] == numbers


def test_bytes_beside_the_generator_are_left_alone():
    state, rng = new(ZEROS)
    state[0:3] = b"abc"
    state[len(state) - 2 :] = b"yz"
    for _ in range(300):
        rng.below(256)
    assert state[:3] == b"abc" and state[len(state) - 2 :] == b"yz"
    assert state[3 : 3 + SEED_BYTES + SALT_BYTES] == ZEROS + NO_SALT


def test_values_past_the_last_multiple_are_rejected():
    assert Scripted(252, 253, 254, 255, 251).below(6) == 5
    assert Scripted(0).below(6) == 0
    assert Scripted(255).below(256) == 255
    assert Scripted(129, 255, 128).below(129) == 128
    # 65536 = 255 * 257 + 1: only 65535 is rejected.
    assert Scripted(255, 255, 255, 254).below(257) == 256
    assert Scripted(255, 255).below(65536) == 65535
    assert Scripted(128, 1, 128, 0).below(32769) == 32768


def test_every_number_has_as_many_bytes():
    for n in (2, 3, 5, 6, 7, 10, 13, 36, 100, 127, 128, 129, 200, 255, 256):
        counts = [0] * n
        rng = Scripted(*range(256))
        while rng.left:
            try:
                counts[rng.below(n)] += 1
            except IndexError:  # the rest was rejected
                break
        assert set(counts) == {256 // n}


def test_one_of_one_spends_nothing():
    state, rng = new(COUNTING)
    before = bytes(state)
    assert rng.below(1) == 0
    rng.shuffle([7], 0, 1)
    rng.shuffle([], 0, 0)
    assert state == before and rng.unused()
    rng.below(2)
    assert not rng.unused()


def test_bounds():
    rng = new(ZEROS)[1]
    for n in (0, -1, 65537):
        assert raises(CoreError, rng.below, n).value == n
    assert rng.unused()


def test_a_shuffle_is_a_permutation_of_its_range_only():
    rng = new(ONES)[1]
    for count in range(40):
        items = list(range(50))
        rng.shuffle(items, 5, count)
        assert sorted(items) == list(range(50))
        assert items[:5] == list(range(5)) and items[5 + count :] == list(range(5 + count, 50))


def test_every_order_of_three_comes():
    rng = new(COUNTING)[1]
    seen = {}
    for _ in range(600):
        items = [0, 1, 2]
        rng.shuffle(items, 0, 3)
        seen[tuple(items)] = seen.get(tuple(items), 0) + 1
    assert len(seen) == 6
    assert min(seen.values()) > 70  # a fixed seed: this never changes


def test_salt_and_seed_change_the_stream():
    streams = set()
    for seed, salt in ((ZEROS, NO_SALT), (ZEROS, SALT), (COUNTING, NO_SALT), (COUNTING, SALT), (ONES, SALT)):
        rng = new(seed, salt)[1]
        streams.add(tuple(rng.below(256) for _ in range(8)))
    assert len(streams) == 5


def test_commitment():
    assert "".join("%02x" % byte for byte in commitment(COUNTING)) == COMMITMENT
    assert commitment(ZEROS) != commitment(ONES)
