"""Single files in flash that are replaced as a whole."""

import os

_NOT_THERE = (2, 20, 44, 54)  # ENOENT and ENOTDIR, and what the WebAssembly VM has for them


def exists(path):
    """Whether there is a file or folder of this name. Raises OSError if that cannot be found out."""
    try:
        os.stat(path)
    except OSError as error:
        if error.args[0] in _NOT_THERE:
            return False
        raise
    return True


def write_file(path, data):
    """Replace a file so that a power cut leaves the old one or the new one."""
    with open(path + ".new", "wb") as file:
        file.write(data)
    os.rename(path + ".new", path)


def overwrite(path, data):
    """Replace a small file that always has the same size, at a third of the writes and a fifth of the erases.

    littlefs changes a file when it is closed, so a power cut leaves the old bytes or the new ones.
    """
    with open(path, "r+b" if exists(path) else "wb") as file:
        file.write(data)


class SmallFile:
    """A file that is read and replaced as a whole.

    Args: path: where it is or will be.
    """

    def __init__(self, path):
        self._path = path

    def read(self, most):
        """Its first `most` bytes, none if there is no such file. Raises OSError."""
        if not exists(self._path):
            return b""
        with open(self._path, "rb") as file:
            return file.read(most)

    def write(self, data):
        """Replace its content. Raises OSError, and the old content stays."""
        write_file(self._path, data)

    def set_aside(self):
        """Keep a file that cannot be read under another name. Raises OSError."""
        if exists(self._path):
            os.rename(self._path, self._path + ".bad")
