"""The settings of the device: a list, and changing one with UP and DOWN."""

from tableside.ui import font_large, language, settings_texts, texts
from tableside.ui import input as keys
from tableside.ui.screen import ListScreen, Screen
from tableside.ui.settings import bounds
from tableside.ui.widgets import List, fits, hint, paragraph, status

_LANGUAGE = "language"
_HINTS = "hints"
_TICKS = "ticks"
_ROWS = ("contrast", "dim_after_s", "sleep_after_s", "left_handed", "turn", "entry", "clock", "round_min", _TICKS,
         _LANGUAGE, "games_kept", _HINTS)


def _codes(app):
    """The languages to choose from: those of the interface, English first, and of the packs."""
    found = app.device.languages.codes() + app.games.languages()
    return ["en"] + sorted({code for code in found if code != "en"})


def _language(app, code):
    """The name of a language if the interface has it, else its code."""
    try:
        with app.device.languages.open(code) as file:
            return language.name(file)
    except (OSError, ValueError):
        return code


def _value(settings, name):
    return settings.language() if name == _LANGUAGE else settings.get(name)


def _shown(app, name, value):
    """A value as the players read it."""
    if name == _LANGUAGE:
        return _language(app, value)
    if name == _HINTS:
        return ""
    if name.endswith("_min"):
        return "%d min" % value if value else texts.NONE
    if name.endswith("_s"):
        if not value:
            return texts.NEVER
        return "%d min" % (value // 60) if value % 60 == 0 else "%d s" % value
    names = settings_texts.VALUES.get(name)
    return names[value] if names else str(value)


class Options(ListScreen):
    """Every setting with its value."""

    title = texts.SETTINGS

    def rows(self):
        """One row a setting; the last shows the first-use hints again."""
        settings = self.app.settings
        self._names = [name for name in _ROWS if self._there(name)]
        rows = []
        for name in self._names:
            rows.append((settings_texts.NAMES[name], _shown(self.app, name, _value(settings, name))))
        return rows

    def _there(self, name):
        """Whether there is anything to set."""
        app = self.app
        if name == _TICKS:
            return app.device.buzzer is not None
        return name != _LANGUAGE or len(app.device.languages.codes()) > 1 or len(_codes(app)) > 1

    def event(self, key):
        """BACK leads to a screen that follows the settings."""
        if key == keys.BACK and self.app.session is not None:
            self.app.show_session()
        else:
            super().event(key)

    def returned(self):
        """Show what has changed."""
        self.list = List(self.rows(), self.list.cursor)

    def chosen(self, index):
        """Change it."""
        if self._names[index] == _HINTS:
            self.app.settings.set(_HINTS, 0)
            self.app.settings.save_later()
            self.app.say(texts.HINTS_AGAIN)
        else:
            self.app.go("options.Option", self._names[index])


class Option(Screen):
    """One setting. The device follows at once; OK keeps the new value, BACK brings the old one back.

    Args: name: of the setting.
    """

    every_key = True

    def __init__(self, app, name):
        super().__init__(app)
        self._name = name
        self._old = _value(app.settings, name)
        if name == _LANGUAGE:
            self._values = _codes(app)
        else:
            _, low, high, steps = bounds(name)
            self._values = list(steps) or list(range(low, high + 1))
        if self._old not in self._values:
            self._values.append(self._old)
            self._values.sort()
        self._at = self._values.index(self._old)

    def draw(self, canvas):
        """The value; what it means."""
        status(canvas, settings_texts.NAMES[self._name])
        value = _shown(self.app, self._name, self._values[self._at])
        if value.isdigit():
            canvas.text(value, 0, 1, font_large)
        else:
            paragraph(canvas, value, 1, 2)
        explained = settings_texts.HELP[self._name]
        paragraph(canvas, explained, 4 if fits(explained, 3) else 3, 3, False)
        hint(canvas, "OK " + texts.SAVE, "↑↓ BACK")

    def event(self, key):
        """UP and DOWN change, OK keeps, BACK restores."""
        if key in (keys.UP, keys.DOWN):
            step = 1 if key == keys.UP else -1
            at = self._at + step
            if 0 <= at < len(self._values):
                self._at = at
                self._take(self._values[at])
        elif key == keys.OK:
            self.app.settings.save_later()
            if self._name == _LANGUAGE:
                self.app.language_changed()
            else:
                self.app.back()
        elif key in (keys.BACK, keys.BACK_LONG):
            self._take(self._old)
            self.app.back()

    def _take(self, value):
        self.app.settings.set(self._name, value)
        self.app.settings_changed()
        if self._name == _LANGUAGE and self.app.session is not None:
            self.app.games.translate(self.app.session.pack)
