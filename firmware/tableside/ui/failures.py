"""Errors in the words of players."""

from tableside.core.errors import CoreError
from tableside.ui import texts


def words(error):
    """What went wrong: errors of the file system by their number, which is the same everywhere, others as they say."""
    if isinstance(error, OSError) and error.args:
        code = error.args[0]
        return "%s (%s)" % (texts.OS_ERRORS.get(code, texts.OS_ERROR), code)
    if isinstance(error, CoreError):
        return error.words()
    return str(error) or type(error).__name__
