"""The settings file: typed, with bounds, and nothing in it locks anybody out."""

from support import raises

from tableside.ui.settings import TABLE, Settings, SettingsError


class File:
    def __init__(self, data=b""):
        self.data = data
        self.aside = []
        self.writes = 0

    def read(self, most):
        return self.data[:most]

    def write(self, data):
        self.data = data
        self.writes += 1

    def set_aside(self):
        self.aside.append(self.data)


def test_defaults_are_within_their_bounds_and_not_stored():
    for name, default, low, high, steps in TABLE:
        assert low <= default <= high
        assert not steps or default in steps and steps[0] >= low and steps[len(steps) - 1] <= high
        assert Settings(File()).get(name) == default
    file = File()
    settings = Settings(file)
    settings.set("contrast", 3)
    settings.set("dim_after_s", 60)  # the default
    settings.save_later()
    assert settings.changed and not file.writes
    settings.save()
    assert file.data == b'{"contrast": 3}' and not settings.changed
    assert Settings(file).get("contrast") == 3


def test_a_bad_value_is_named_and_its_default_taken():
    for data, name in (
        (b'{"contrast": 11}', "contrast"),
        (b'{"contrast": 0}', "contrast"),
        (b'{"contrast": "high"}', "contrast"),
        (b'{"contrast": 2.5}', "contrast"),
        (b'{"contrast": null}', "contrast"),
        (b'{"contrast": [1]}', "contrast"),
        (b'{"entry": 99999999999999999999}', "entry"),
        (b'{"language": 4}', "language"),
        (b'{"language": "Deutsch"}', "language"),
        (b'{"volume": 4}', "volume"),
    ):
        settings = Settings(File(b'{"left_handed": true, ' + data[1:]))
        assert name in settings.fault, data
        assert settings.get("contrast") == 10 and settings.get("entry") == 0 and settings.language() == "en"
        assert settings.get("left_handed") == 1  # the others count


def test_a_file_that_is_no_settings_is_set_aside_when_something_is_saved():
    long = b'{"a": "' + b"x" * 600 + b'"}'
    for data in (b"{", b"[]", b"4", b"\xff\xfe{}", b'{"contrast": 3', b"{" * 600, long, b"\0"):
        file = File(data)
        settings = Settings(file)
        assert settings.fault.startswith("settings: ") and settings.get("contrast") == 10
        assert file.data == data  # nothing is overwritten before something is changed
        settings.set("contrast", 4)
        settings.save()
        assert file.aside == [data] and Settings(file).get("contrast") == 4
        settings.save()
        assert len(file.aside) == 1


def test_a_file_that_cannot_be_read_gives_the_defaults():
    class Broken(File):
        def read(self, most):
            raise OSError(5)

    settings = Settings(Broken())
    assert "5" in settings.fault and settings.get("sleep_after_s") == 600


def test_a_value_out_of_bounds_is_refused():
    settings = Settings(File())
    for name, value in (("contrast", 11), ("turn", 2), ("dim_after_s", -1), ("nothing", 1)):
        assert name in str(raises(SettingsError, settings.set, name, value))
    assert not settings.changed
