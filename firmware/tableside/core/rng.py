"""The random generator: SHA-256 in counter mode. Its seed, salt and position live in the session's state bytes."""

import hashlib

from tableside.core.errors import RuleError

SEED_BYTES = 16
SALT_BYTES = 4
_KEY_BYTES = SEED_BYTES + SALT_BYTES
RNG_BYTES = _KEY_BYTES + 4


def commitment(seed):
    """What the device shows before play so that the seed cannot be changed later.

    Args: seed: SEED_BYTES bytes.
    Returns: 32 bytes; at least the first 8 are to be shown.
    """
    return hashlib.sha256(b"tableside seed " + bytes(seed)).digest()


def seal(state):
    """The beginning of the commitment to a state's seed, as the players write it down: 16 hex digits."""
    return "".join("%02x" % byte for byte in commitment(state.seed())[:8])


class Rng:
    """A view on RNG_BYTES bytes of `state` from `at`: seed, salt, position (little-endian).

    Block number i of the byte stream is SHA-256(seed, salt, i as 4 bytes little-endian).
    """

    def __init__(self, state, at):
        self._state = state
        self._at = at
        self._message = b""
        self._block = b""

    def _byte(self):
        state = self._state
        at = self._at + _KEY_BYTES
        position = state[at] | state[at + 1] << 8 | state[at + 2] << 16 | state[at + 3] << 24
        block = position >> 5
        message = bytes(state[self._at : at]) + bytes((block & 255, block >> 8 & 255, block >> 16 & 255, 0))
        if message != self._message:
            self._message = message
            self._block = hashlib.sha256(message).digest()
        value = self._block[position & 31]
        position += 1
        state[at] = position & 255
        state[at + 1] = position >> 8 & 255
        state[at + 2] = position >> 16 & 255
        state[at + 3] = position >> 24 & 255
        return value

    def unused(self):
        """Whether no random number has been taken yet."""
        return not any(self._state[self._at + _KEY_BYTES : self._at + RNG_BYTES])

    def below(self, n):
        """A number in 0 .. n - 1, each equally likely. Raises RuleError unless 1 <= n <= 65536."""
        if n < 1 or n > 65536:
            raise RuleError("random range must be 1..65536", n)
        if n == 1:
            return 0
        if n <= 256:
            limit = 256 - 256 % n
            while True:
                value = self._byte()
                if value < limit:
                    return value % n
        limit = 65536 - 65536 % n
        while True:
            value = self._byte() << 8
            value |= self._byte()
            if value < limit:
                return value % n

    def shuffle(self, items, start, count):
        """Shuffle items[start : start + count] in place (Fisher-Yates, from the end)."""
        for i in range(count - 1, 0, -1):
            j = self.below(i + 1)
            items[start + i], items[start + j] = items[start + j], items[start + i]
