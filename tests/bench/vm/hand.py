"""An app with real screens, driver, store and packs, and a hand that presses its buttons; for every VM."""

_PRESS_MS = 60
_HOLD_MS = 700


class Bus:
    """An I2C bus in RAM."""

    def writeto(self, address, data):
        """Take anything."""


class Hand:
    """The hardware, the app and what presses its buttons. Attributes: app; now_ms: its time."""

    name = "Bench"

    def __init__(self, seed=1):
        from tableside.hw.files import SmallFile
        from tableside.hw.i2c_bus import I2CBus
        from tableside.hw.ssd1306 import SSD1306
        from tableside.ui import input as keys
        from tableside.ui.app import App
        from tableside.ui.modules import SCREENS, Modules

        self.now_ms = 0
        self._random = seed
        # A hundred strokes, as often as each is made: button, times, how long.
        self._strokes = [(keys.BIT_OK, 1, _PRESS_MS)] * 40 + [(keys.BIT_UP, 1, _PRESS_MS)] * 8
        self._strokes += [(keys.BIT_DOWN, times, _PRESS_MS) for times in range(1, 6)] * 7
        self._strokes += [(keys.BIT_BACK, 1, _PRESS_MS)] * 9
        self._strokes += [(keys.BIT_OK, 1, _HOLD_MS)] * 5 + [(keys.BIT_BACK, 1, _HOLD_MS)] * 3
        self.display = SSD1306(I2CBus(Bus()))
        self.modules = Modules()
        self.settings = SmallFile("settings.json")
        self.roster = SmallFile("roster.json")
        self.keys = 4
        self.buzzer = None
        self.battery_low_mv = 0
        self.app = App(self, 0)
        for _ in SCREENS:  # each is imported once
            self.step(0)

    def _made(self, module, cls, *args):
        return getattr(self.modules.get("tableside.hw." + module), cls)(*args)

    # These are imported when they are needed, as on the device.
    store = property(lambda self: self._made("store", "Store", "sessions"))
    campaigns = property(lambda self: self._made("store", "Store", "campaigns"))
    packs = property(lambda self: self._made("installed", "Packs", "packs"))
    languages = property(lambda self: self._made("installed", "Languages", "languages"))

    def entropy(self):
        """Always the same seed."""
        return bytes(range(16))

    def memory(self):
        """Nothing that anybody looks at."""
        return 0, 0

    def lamp(self, on):
        """There is no LED."""

    def report(self, error):
        """An error ends the measurement."""
        raise error

    def step(self, down, ms=_PRESS_MS):
        """Let time pass, then one step of the app with these buttons down."""
        self.now_ms += ms
        self.app.step(self.now_ms, down, 0)

    def press(self, bit, ms=_PRESS_MS):
        """Press, hold and let go."""
        self.step(bit)
        self.step(bit, ms)
        self.step(0)

    def random_stroke(self):
        """Press some button. Returns: the names of the screen that it led to, and of the pack that is open."""
        self._random = self._random * 16807 % 0x7FFFFFFF
        bit, times, ms = self._strokes[(self._random >> 8) % 100]
        for _ in range(times):
            self.press(bit, ms)
        for _ in range(2):  # nobody's hand is so quick that the device could not tidy up
            self.step(0)
        session = self.app.session
        return self.screen(), "" if session is None else session.pack.id

    def screen(self):
        """The name of the screen on top."""
        return type(self.app._stack[len(self.app._stack) - 1]).__name__

    def at_table(self):
        """Whether the table of a game is shown, with no attack in hand."""
        session = self.app.session
        return session is not None and len(self.app._stack) == 1 and not session.state.in_attack()
