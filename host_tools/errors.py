"""The error of a host command."""


class CommandError(ValueError):
    """Something could not be done; the text says what, where and what to do, in one line."""
