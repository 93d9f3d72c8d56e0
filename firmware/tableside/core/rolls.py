"""Dice that the device rolls outside any game: several kinds at once, the best or worst kept, some rolled again.

Nothing here touches a session; its randomness is its own.
"""

from tableside.core.rng import RNG_BYTES, SEED_BYTES, Rng

MOST_DICE = 20
MOST_KINDS = 3
MOST_PLUS = 99
SIDES = (2, 3, 4, 6, 8, 10, 12, 20, 100)


def own_rng(seed):
    """A generator that belongs to no session. Args: seed: SEED_BYTES bytes from the hardware."""
    return Rng(bytearray(bytes(seed[:SEED_BYTES]) + bytes(RNG_BYTES - SEED_BYTES)), 0)


def title(kinds, plus):
    """As players write it: 2D6+1D8-1; one die of a kind is D6."""
    text = "+".join("%sD%d" % (count if count > 1 or len(kinds) > 1 else "", sides) for count, sides in kinds)
    return text + ("%+d" % plus if plus else "")


def to_front(entries, entry, most):
    """Put an entry in front of a list, once, and let no more than `most` stay."""
    if entry in entries:
        entries.remove(entry)
    entries.insert(0, entry)
    del entries[most:]


class Roll:
    """Some dice, rolled.

    Args: kinds: (count, sides) of each; plus: added to the sum; keep: 0 for all, n for the n best, -n for the n worst;
        rng: what rolls them, see `own_rng`.
    Attributes: faces: of each die, kind by kind, in ascending order; kinds: which kind each is.
    """

    def __init__(self, kinds, plus, keep, rng):
        self._rng = rng
        self._plus = plus
        self._keep = keep
        self._sides = [sides for count, sides in kinds for _ in range(count)]
        self.kinds = [i for i, (count, _) in enumerate(kinds) for _ in range(count)]
        self.faces = [1 + rng.below(sides) for sides in self._sides]
        self._order()

    def _order(self):
        """Dice of a kind are in ascending order: only their faces change places."""
        keyed = sorted(self.kinds[i] << 8 | face for i, face in enumerate(self.faces))
        self.faces = [key & 255 for key in keyed]

    def again(self, chosen):
        """Roll the dice of these places again."""
        for i in chosen:
            self.faces[i] = 1 + self._rng.below(self._sides[i])
        self._order()

    def kept(self):
        """Whether each die counts; among equal faces it is those that come first."""
        count = len(self.faces)
        if not self._keep:
            return [True] * count
        best = self._keep > 0
        # The place is part of the key: which of two equals sorts first is not left to the VM.
        keys = sorted((-face if best else face) * 32 + i for i, face in enumerate(self.faces))
        taken = [key & 31 for key in keys[: abs(self._keep)]]
        return [i in taken for i in range(count)]

    def total(self):
        """The sum of the dice that count, and what is added."""
        return self._plus + sum(face for face, kept in zip(self.faces, self.kept()) if kept)
