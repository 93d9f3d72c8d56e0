"""From button levels and latched edges to key events.

UP and DOWN act on press and repeat while held; OK and BACK act on release, because held they have a second meaning.
"""

from tableside.core.ticks import ticks_diff

# Bits of the level and edge masks.
BIT_UP = 1
BIT_DOWN = 2
BIT_OK = 4
BIT_BACK = 8

# Events.
NOTHING = 0
UP = 1
DOWN = 2
OK = 3
BACK = 4
OK_LONG = 5
BACK_LONG = 6

LONG_MS = 600
_DEBOUNCE_MS = 25
_REPEAT_AFTER_MS = 450
_REPEAT_MS = 150
_FAST_REPEAT_MS = 60
_FAST_AFTER = 8  # repeats
_KEYS = 4


class _Key:
    """One button: the first edge acts, then it is locked for the bounce."""

    def __init__(self):
        self.down = False
        self.since_ms = 0  # of the last accepted change
        self.repeats = 0
        self.consumed = False  # the long meaning has been given


class Input:
    """Turns `(now_ms, down, pressed)` into one event a call."""

    def __init__(self):
        self._keys = [_Key() for _ in range(_KEYS)]
        self._waiting = bytearray(_KEYS)  # a press and release that came between two steps

    def update(self, now_ms, down, pressed):
        """The event of this step, or NOTHING. Args: down, pressed: masks of BIT_*."""
        for i in range(_KEYS):
            event = self._key(i, now_ms, down >> i & 1, pressed >> i & 1)
            if event:
                # Later keys keep their edges for the next step.
                for later in range(i + 1, _KEYS):
                    if pressed >> later & 1:
                        self._waiting[later] = 1
                return event
        return NOTHING

    def _key(self, i, now_ms, level, edge):
        key = self._keys[i]
        edge |= self._waiting[i]
        self._waiting[i] = 0
        held_ms = ticks_diff(now_ms, key.since_ms)
        if not key.down:
            if not (level or edge) or 0 <= held_ms < _DEBOUNCE_MS:
                return NOTHING
            key.down = True
            key.since_ms = now_ms
            key.repeats = 0
            key.consumed = False
            return i + 1 if i < 2 else NOTHING
        if level:
            return self._held(i, key, held_ms, now_ms)
        if 0 <= held_ms < _DEBOUNCE_MS:
            return NOTHING
        key.down = False
        key.since_ms = now_ms
        return i + 1 if i >= 2 and not key.consumed else NOTHING

    def _held(self, i, key, held_ms, now_ms):
        if i >= 2:
            if key.consumed or held_ms < LONG_MS:
                return NOTHING
            key.consumed = True
            return OK_LONG if i == 2 else BACK_LONG
        wait_ms = _REPEAT_AFTER_MS
        if key.repeats:
            wait_ms = _FAST_REPEAT_MS if key.repeats > _FAST_AFTER else _REPEAT_MS
        if held_ms < wait_ms:
            return NOTHING
        key.repeats += 1
        key.since_ms = now_ms
        return i + 1
