"""What the device does beside the picture: it ticks when a key is accepted, and says once that the battery is low."""

from tableside.core.ticks import ticks_diff
from tableside.ui import texts

_TICK_MS = 4
_WARNING_MS = 120
_READ_EVERY_MS = 30000
_SHARE = 4  # of a new reading in the level: one dip does not count
_RISE_MV = 200  # above the limit a battery counts as fresh again


def volts(millivolts):
    """As players read it: 3.7 V."""
    tenths = (millivolts + 50) // 100
    return "%d.%d V" % (tenths // 10, tenths % 10)


class Manners:
    """Ticks and the battery; nothing of it waits.

    Args: device: see `ui.app.App`; settings: see `ui.settings.Settings`; now_ms: the time.
    """

    def __init__(self, device, settings, now_ms):
        self._buzzer = device.buzzer
        self._settings = settings
        self._sounds = False
        self._since_ms = now_ms
        self._sound_ms = _TICK_MS
        self._device = device
        self._limit_mv = device.battery_low_mv
        self._level_mv = 0
        self._read_ms = now_ms - _READ_EVERY_MS
        self._low = False

    def step(self, now_ms, key):
        """Go on. Args: key: whether a key was accepted in this step. Returns: what to say now, or ""."""
        if self._buzzer is not None:
            self._tick(now_ms, key)
        if self._limit_mv and not 0 <= ticks_diff(now_ms, self._read_ms) < _READ_EVERY_MS:
            self._read_ms = now_ms
            return self._weigh(self._device.battery_mv())
        return ""

    def _tick(self, now_ms, key):
        if key and self._settings.get("ticks"):
            self._sound(now_ms, _TICK_MS)
        elif self._sounds and ticks_diff(now_ms, self._since_ms) >= self._sound_ms:
            self._buzzer(False)
            self._sounds = False

    def _sound(self, now_ms, sound_ms):
        self._buzzer(True)
        self._sounds = True
        self._since_ms = now_ms
        self._sound_ms = sound_ms

    def warn(self, now_ms):
        """One short sound, where there is a buzzer."""
        if self._buzzer is not None:
            self._sound(now_ms, _WARNING_MS)

    def _weigh(self, read_mv):
        if not self._level_mv:
            self._level_mv = read_mv
            return ""
        self._level_mv += (read_mv - self._level_mv) // _SHARE
        if self._level_mv >= self._limit_mv + _RISE_MV:
            self._low = False
        elif self._level_mv < self._limit_mv and not self._low:
            self._low = True
            return texts.BATTERY_LOW + " " + volts(self._level_mv)
        return ""
