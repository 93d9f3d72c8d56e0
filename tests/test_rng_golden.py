"""The golden sequences of the portable tests, worked out from the documented stream with hashlib alone."""

import hashlib
import itertools
from collections.abc import Iterator

import test_rng


def stream(seed: bytes, salt: bytes) -> Iterator[int]:
    for block in itertools.count():
        yield from hashlib.sha256(seed + salt + block.to_bytes(4, "little")).digest()


def below(numbers: Iterator[int], n: int) -> int:
    if n == 1:
        return 0
    size = 256 if n <= 256 else 65536
    while True:
        value = next(numbers) if size == 256 else next(numbers) * 256 + next(numbers)
        if value < size // n * n:
            return value % n


def shuffled(numbers: Iterator[int], count: int) -> list[int]:
    items = list(range(count))
    for last in range(count - 1, 0, -1):
        j = below(numbers, last + 1)
        items[j], items[last] = items[last], items[j]
    return items


def test_golden_numbers() -> None:
    for seed, salt, bound, expected in test_rng.NUMBERS:
        numbers = stream(seed, salt)
        assert [below(numbers, bound) for _ in expected] == list(expected)


def test_golden_shuffles() -> None:
    for seed, salt, expected in test_rng.SHUFFLES:
        assert shuffled(stream(seed, salt), len(expected)) == list(expected)


def test_golden_commitment() -> None:
    assert hashlib.sha256(b"tableside seed " + test_rng.COUNTING).hexdigest() == test_rng.COMMITMENT
