"""The errors of the core. Each carries a short code that the device translates, and the offending value."""

# Codes in the language of the players; one that is not here is its own word.
_WORDS = {}  # type: dict[str, str]


class CoreError(ValueError):
    """Base class: `code` is a short fixed phrase, `value` the offending value."""

    def __init__(self, code, value=None):
        super().__init__(code if value is None else "%s: %s" % (code, value))
        self.code = code
        self.value = value

    def words(self):
        """What went wrong, in the language of the players."""
        code = _WORDS.get(self.code, self.code)
        return code if self.value is None else "%s: %s" % (code, self.value)


class PackError(CoreError):
    """A compiled pack that cannot be used: damaged, cut short, or of another format."""


class RuleError(CoreError):
    """A command that may not be given now, or with these values."""


class LogError(CoreError):
    """A session log that is damaged, or that belongs to another pack."""
