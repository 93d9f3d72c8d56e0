"""The panel: shows frames, dims and sleeps when nobody presses a key, and is looked for when it does not answer."""

from tableside.core.ticks import ticks_diff

RETRY_MS = 1000  # of what did not answer
_DIM_CONTRAST = 1

# What `step` tells.
NOTHING = 0
WOKE = 1  # by a press that means nothing else
SLEEPS = 2

_AWAKE = 0
_DIM = 1
_ASLEEP = 2


class Panel:
    """The display and its light. While it does not answer, the LED is lit; what is set meanwhile is for its return.

    Args: device: see `ui.app.App`; settings: see `ui.settings.Settings`; now_ms: the time.
    """

    def __init__(self, device, settings, now_ms):
        self._device = device
        self._display = device.display
        self._settings = settings
        self._level = _AWAKE
        self._touched_ms = now_ms
        self._lost_ms = -1
        self._lit = True  # the LED, for all that is known
        self._current = False  # it shows the last frame
        self._turned = False
        self._display.rotate(False)
        self.reload(now_ms)

    def reload(self, now_ms):
        """Take the settings as they are now."""
        self._dim_ms = self._settings.get("dim_after_s") * 1000
        self._sleep_ms = self._settings.get("sleep_after_s") * 1000
        self._light(now_ms)

    def step(self, now_ms, held):
        """Follow the time. Args: held: whether a key is down. Returns: NOTHING, WOKE or SLEEPS."""
        if held:
            self._touched_ms = now_ms
            was = self._level
            self._set_level(_AWAKE, now_ms)
            return WOKE if was == _ASLEEP else NOTHING
        idle_ms = ticks_diff(now_ms, self._touched_ms)
        if self._level != _ASLEEP and self._sleep_ms and idle_ms >= self._sleep_ms:
            self._set_level(_ASLEEP, now_ms)
            return SLEEPS
        if self._level == _AWAKE and self._dim_ms and idle_ms >= self._dim_ms:
            self._set_level(_DIM, now_ms)
        return NOTHING

    def asleep(self):
        """Whether nobody can see what is drawn."""
        return self._level == _ASLEEP

    def _set_level(self, level, now_ms):
        if level != self._level:
            self._level = level
            self._light(now_ms)

    def _light(self, now_ms):
        strength = self._settings.get("contrast")
        contrast = _DIM_CONTRAST if self._level == _DIM else strength * strength * 255 // 100
        try:
            self._apply(contrast)
        except OSError as error:
            self._lost(now_ms, error)
            self._apply(contrast)  # nothing is sent now

    def _apply(self, contrast):
        self._display.power(self._level != _ASLEEP)
        self._display.contrast(contrast)

    def turn(self, turned):
        """Turn the picture upside down or back. Returns whether it was not like this."""
        if turned == self._turned:
            return False
        self._turned = turned
        self._display.rotate(turned)
        self._current = False
        return True

    def drawn(self):
        """There is a new frame."""
        self._current = False

    def show(self, now_ms, frame):
        """Show the frame unless it is shown already; a panel that does not answer is asked again after a while."""
        if self._current or (self._lost_ms >= 0 and ticks_diff(now_ms, self._lost_ms) < RETRY_MS):
            return
        try:
            self._display.show(frame)
        except OSError as error:
            self._lost(now_ms, error)
            return
        self._current = True
        self._lost_ms = -1
        if self._lit:
            self._lit = False
            self._device.lamp(False)

    def _lost(self, now_ms, error):
        if self._lost_ms < 0:
            self._device.report(error)
            self._lit = True
            self._device.lamp(True)
        self._lost_ms = now_ms
        self._current = False
