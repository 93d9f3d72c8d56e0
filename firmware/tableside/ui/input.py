"""From button levels and latched edges to key events.

UP and DOWN act on press and repeat while held; OK and BACK act on release, because held they have a second meaning.
With three buttons UP and DOWN together are BACK: each of the two then waits a moment for the other.
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
_CHORD_MS = 50  # within this time two keys are pressed together
_REPEAT_AFTER_MS = 450
_REPEAT_MS = 150
_FAST_REPEAT_MS = 60
_FAST_AFTER = 8  # repeats
_CHORD = BIT_UP | BIT_DOWN


class _Key:
    """One button: the first edge acts, then it is locked for the bounce."""

    def __init__(self):
        self.down = False
        self.since_ms = 0  # of the last accepted change
        self.repeats = 0
        self.consumed = False  # the long meaning has been given
        self.waiting = False  # for the other key of a chord


class Input:
    """Turns `(now_ms, down, pressed)` into one event a call.

    Args: keys: 4, or 3 without BACK.
    Attributes: turned: the device is upside down, and with it the order of its keys.
    """

    def __init__(self, keys=4):
        self.turned = False
        self._keys = [_Key() for _ in range(keys)]
        self._chords = keys == 3
        self._edges = 0  # presses and releases that came between two steps and are not yet given
        self._deaf = False  # until all keys are up
        self._quiet_ms = 0  # when a deaf input last heard something
        self._chord = 0  # 1 while the two are held, 2 once their long meaning was given
        self._chord_ms = 0

    def swallow(self, now_ms):
        """Hear nothing until every key has been let go."""
        for key in self._keys:
            key.down = False
        self._edges = self._chord = 0
        self._deaf = True
        self._quiet_ms = now_ms

    def update(self, now_ms, down, pressed):
        """The event of this step, or NOTHING. Args: down, pressed: masks of BIT_*."""
        if self._deaf:
            return self._wait_for_quiet(now_ms, down | pressed)
        if self.turned:
            down = self._mirror(down)
            pressed = self._mirror(pressed)
        if self._chord:
            return self._hold_chord(now_ms, down & _CHORD)
        self._edges |= pressed
        for i in range(len(self._keys)):
            event = self._key(i, now_ms, down >> i & 1)
            if event:
                return event  # later keys keep their edges for the next step
        return NOTHING

    def _mirror(self, mask):
        mirrored = 0
        for _ in self._keys:
            mirrored = mirrored << 1 | mask & 1
            mask >>= 1
        return mirrored

    def _wait_for_quiet(self, now_ms, noise):
        if noise:
            self._quiet_ms = now_ms
        elif not 0 <= ticks_diff(now_ms, self._quiet_ms) < _DEBOUNCE_MS:
            self._deaf = False
        return NOTHING

    def _key(self, i, now_ms, level):
        key = self._keys[i]
        edge = self._edges >> i & 1
        self._edges &= ~(1 << i)
        held_ms = ticks_diff(now_ms, key.since_ms)
        if not key.down:
            if not (level or edge) or 0 <= held_ms < _DEBOUNCE_MS:
                return NOTHING
            key.down = True
            key.since_ms = now_ms
            key.repeats = 0
            key.consumed = False
            key.waiting = self._chords and i < 2
            return i + 1 if i < 2 and not key.waiting else NOTHING
        if key.waiting:
            return self._await_chord(i, key, now_ms, held_ms, level)
        if level:
            return self._held(i, key, held_ms, now_ms)
        if 0 <= held_ms < _DEBOUNCE_MS:
            return NOTHING
        key.down = False
        key.since_ms = now_ms
        return i + 1 if i >= 2 and not key.consumed else NOTHING

    def _await_chord(self, i, key, now_ms, held_ms, level):
        other = self._keys[1 - i]
        if other.down and other.waiting:
            self._chord = 1
            self._chord_ms = now_ms
            key.waiting = other.waiting = False
            return NOTHING
        if 0 <= held_ms < (_CHORD_MS if level else _DEBOUNCE_MS):
            return NOTHING
        key.waiting = False
        return i + 1

    def _hold_chord(self, now_ms, both):
        held_ms = ticks_diff(now_ms, self._chord_ms)
        if both == _CHORD:
            if self._chord == 1 and held_ms >= LONG_MS:
                self._chord = 2
                return BACK_LONG
        elif not both and held_ms >= _DEBOUNCE_MS:
            event = BACK if self._chord == 1 else NOTHING
            self.swallow(now_ms)
            return event
        return NOTHING

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
