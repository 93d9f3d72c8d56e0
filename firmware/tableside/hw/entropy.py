"""Randomness from the hardware."""

import hashlib
import os
import time


def hardware_seed(size=16):
    """A fresh seed of at most 32 bytes.

    The random numbers of the chip come from a ring oscillator and may repeat from one power-up to the next; the moment
    of a key press and the chip's own number make that harmless.
    """
    import machine  # here, because it is found on devices only

    mixed = hashlib.sha256(os.urandom(32))
    mixed.update(str(time.ticks_us()).encode())
    mixed.update(machine.unique_id())
    return mixed.digest()[:size]
