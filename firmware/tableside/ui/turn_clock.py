"""The time that each side takes, as a chess clock has it: it follows the turn, and what has passed is never given back.

It runs on while the display sleeps: who thinks for long presses no key. Only pausing it, the end of the game, and
leaving or switching off stop it.
"""

import hashlib
import struct

from tableside.core.state import O_ACTOR, O_ROUND
from tableside.core.ticks import ticks_diff

# What `step` tells.
NOTHING = 0
LATER = 1  # the status line is to show another minute
LATE = 2  # the round has reached its target just now

_MAGIC = b"TSC1"
_HEAD = "<4sBB"  # magic, whether it is paused, the highest round; then the times, then a sum
_HEAD_BYTES = 6
_SUM_BYTES = 4
_ROUNDS = 4  # so many rounds keep their time: an undo leads back into one
_COUNT_EVERY_MS = 250
_SAVE_MS = 8000  # of time that is not saved: a cut may cost 10 s, with what saving takes
_SAVE_HELD_MS = 9500  # while a key is held
_MOST_MS = 0x3FFFFFFF  # twelve days, the largest of the small integers
_MINUTE_MS = 60000


class TurnClock:
    """Adds up the time of every side, of turns that belong to nobody, and of the last rounds.

    Args: session: whose turns it follows, and which keeps its times; now_ms: when it starts.
    Attributes: paused; target_min: how long a round should take, 0 for as long as it likes.
    """

    def __init__(self, session, target_min, now_ms):
        self.paused = False
        self.target_min = target_min
        self._session = session
        self._sides = session.scenario.sides
        self._top = 0  # the highest round so far
        self._ms = [0] * (self._sides + 1 + _ROUNDS)
        self._since_ms = now_ms
        self._unsaved_ms = 0
        self._at = self._round = 0
        self._stands = True  # until the first turn, and when the game is over
        self._load(session.clock())
        self.turn(now_ms)
        self._late_min = self._late()

    def _load(self, data):
        """Take up what `_saved` gave; anything else counts as nothing."""
        size = _HEAD_BYTES + 4 * len(self._ms)
        if len(data) != size + _SUM_BYTES or data[:4] != _MAGIC or _sum(data[:size]) != data[size:]:
            return
        values = struct.unpack("<%dI" % len(self._ms), data[_HEAD_BYTES:size])
        self._ms = [min(value, _MOST_MS) for value in values]
        self.paused = bool(data[4])
        self._top = data[5]

    def _saved(self):
        data = struct.pack(_HEAD, _MAGIC, self.paused, self._top) + struct.pack("<%dI" % len(self._ms), *self._ms)
        return data + _sum(data)

    def turn(self, now_ms):
        """The session has gone on, or back: from now on the time is that of its side and round."""
        self._count(now_ms)
        data = self._session.state.data
        self._at = min(data[O_ACTOR], self._sides)  # NOBODY is beyond all sides
        self._round = data[O_ROUND]
        for number in range(max(self._top + 1, self._round - _ROUNDS + 1), self._round + 1):
            self._ms[self._place(number)] = 0
        self._top = max(self._top, self._round)
        self._stands = self._session.over()

    def _place(self, number):
        return self._sides + 1 + number % _ROUNDS

    def _count(self, now_ms):
        passed_ms = ticks_diff(now_ms, self._since_ms)
        self._since_ms = now_ms
        if passed_ms > 0 and not self.paused and not self._stands:
            place = self._place(self._round)
            self._ms[self._at] = min(_MOST_MS, self._ms[self._at] + passed_ms)
            self._ms[place] = min(_MOST_MS, self._ms[place] + passed_ms)
            self._unsaved_ms += passed_ms

    def pause(self, now_ms):
        """Stop, or go on; it is saved soon."""
        self._count(now_ms)
        self.paused = not self.paused
        self._unsaved_ms += _SAVE_MS

    def step(self, now_ms):
        """Go on. Called in every step of the app, so nothing here allocates. Returns: NOTHING, LATER or LATE."""
        if 0 <= ticks_diff(now_ms, self._since_ms) < _COUNT_EVERY_MS:
            return NOTHING
        self._count(now_ms)
        before, now = self._late_min, self._late()
        if now == before:
            return NOTHING
        self._late_min = now
        return LATE if before < 0 < now else LATER

    def _late(self):
        """The minutes of this round if they have reached the target, else -1."""
        minutes = self.round_ms() // _MINUTE_MS
        return minutes if 0 < self.target_min <= minutes else -1

    def mark(self):
        """For the status line: that the clock is paused, or the minutes of a round that takes too long."""
        if self.paused:
            return " ||"
        minutes = self._late()
        return "" if minutes < 0 else " %d'" % minutes

    def running(self, side):
        """Whether the time is now that of a side, or of NOBODY."""
        return self._at == min(side, self._sides) and not self.paused and not self._stands

    def side_ms(self, side):
        """The time of a side, or of NOBODY."""
        return self._ms[min(side, self._sides)]

    def round_ms(self):
        """The time of this round."""
        return self._ms[self._place(self._round)]

    def total_ms(self):
        """The time of the whole game."""
        total = 0
        for i in range(self._sides + 1):
            total += self._ms[i]
        return total

    def due(self, held):
        """Whether it is time to save. Args: held: a key is down, so it may wait a moment."""
        return self._unsaved_ms >= (_SAVE_HELD_MS if held else _SAVE_MS)

    def save(self):
        """Keep the times beside the session's log. Raises OSError; then it is due again as late as after a success."""
        if self._unsaved_ms:
            self._unsaved_ms = 0
            self._session.save_clock(self._saved())


def _sum(data):
    return hashlib.sha256(data).digest()[:_SUM_BYTES]
