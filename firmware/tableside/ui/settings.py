"""The settings of a device: a small JSON file of what differs from the defaults. No content of it locks anybody out."""

import json

_MOST_BYTES = 512

# Name, default, lowest and highest value, and the values that the settings screen steps through; () for each one.
TABLE = (
    ("contrast", 10, 1, 10, ()),
    ("dim_after_s", 60, 0, 3600, (0, 15, 30, 60, 120, 300, 900)),  # 0: never
    ("sleep_after_s", 600, 0, 7200, (0, 60, 120, 300, 600, 1800, 3600)),
    ("left_handed", 0, 0, 1, ()),  # the device is held upside down: picture and keys turn with it
    ("turn", 0, 0, 1, ()),  # the picture turns to the player whose turn it is
    ("entry", 0, 0, 2, ()),
    ("ticks", 0, 0, 1, ()),  # of the buzzer, where there is one
    ("games_kept", 20, 1, 200, (1, 5, 10, 20, 50, 100, 200)),  # of those that are over and were pulled by a host
    ("clock", 0, 0, 1, ()),  # the time of each side is taken
    ("round_min", 0, 0, 240, (0, 10, 15, 20, 25, 30, 40, 45, 60, 90, 120, 180)),  # that a round should take; 0: any
    ("hints", 0, 0, 255, ()),  # which first-use hints have been seen, a bit each
)
ENTRY_DEVICE = 1  # the device rolls
ENTRY_FACES = 2  # the dice of a stage are keyed in one by one
_LANGUAGE = "language"  # of the interface and the packs: a code such as "de"
_ENGLISH = "en"
_LANGUAGE_LENGTH = 5


class SettingsError(ValueError):
    """A value that a setting cannot have; names both."""


def bounds(name):
    """(default, lowest, highest, steps) of a setting. Raises SettingsError if there is none of this name."""
    for entry in TABLE:
        if entry[0] == name:
            return entry[1:]
    raise SettingsError("no setting %s" % name)


class Settings:
    """The values, read once and written when one changes.

    Args: file: has `read()`, which gives bytes, `write(bytes)` and `set_aside()`, see `hw.files.SmallFile`.
    Attributes: fault: what was wrong with the file, or ""; changed: whether there is something to `save`.
    """

    def __init__(self, file):
        self._file = file
        self._values = {}
        self._unreadable = False
        self.changed = False
        self.fault = ""
        try:
            found = self._parse(file.read(_MOST_BYTES + 1))
        except (OSError, ValueError) as error:
            self._unreadable = True
            self.fault = "settings: " + str(error)
            return
        for name, value in found.items():
            try:
                self._values[name] = self._valid(name, value)
            except SettingsError as error:
                self.fault += ("\n" if self.fault else "settings: ") + str(error)

    def _parse(self, data):
        if len(data) > _MOST_BYTES:
            raise SettingsError("more than %d bytes" % _MOST_BYTES)
        try:
            found = json.loads(str(data, "utf-8")) if data else {}
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise SettingsError("no JSON object")
        return found

    def _valid(self, name, value):
        if name == _LANGUAGE:
            if not isinstance(value, str) or len(value) > _LANGUAGE_LENGTH:
                raise SettingsError("%s must be a code such as \"de\", got %s" % (name, repr(value)[:20]))
            return value
        _, low, high, _ = bounds(name)
        if value is True or value is False:
            value = int(value)
        if not isinstance(value, int) or not low <= value <= high:
            raise SettingsError("%s must be %d..%d, got %s" % (name, low, high, repr(value)[:20]))
        return value

    def get(self, name):
        """The value of a number; its default if the file does not say."""
        value = self._values.get(name)
        return bounds(name)[0] if value is None else value

    def language(self):
        """The chosen language of the interface, and of the packs that have it."""
        return self._values.get(_LANGUAGE) or _ENGLISH

    def set(self, name, value):
        """Change a setting in RAM. Raises SettingsError for a value out of range."""
        self._values[name] = self._valid(name, value)

    def save_later(self):
        """Ask for `save`: it is called when the screen has been drawn."""
        self.changed = True

    def save(self):
        """Write the file; one that could not be read is set aside first. Raises OSError from the file."""
        if self._unreadable:
            self._file.set_aside()
            self._unreadable = False
        changed = {name: value for name, value in self._values.items() if value != self._default(name)}
        self._file.write(json.dumps(changed).encode())
        self.changed = False

    def _default(self, name):
        return _ENGLISH if name == _LANGUAGE else bounds(name)[0]
