"""The sessions of a device: folders of logs, see `hw.log`. Imported when games are listed, begun or taken up."""

import os

from tableside.hw.files import exists
from tableside.hw.log import FileLog


def _read(path):
    with open(path, "rb") as file:
        return file.read()


class Store:
    """All sessions of a device.

    Args: root: the folder that holds them; it is made when the first session begins.
    """

    def __init__(self, root="sessions"):
        self._root = root

    def numbers(self):
        """The numbers of the sessions that have begun, newest first."""
        if not exists(self._root):
            return []
        return sorted((n for n in self._folders() if exists(self._path(n) + "/head")), reverse=True)

    def _folders(self):
        """The numbers of all folders, whatever is in them; other names are not ours."""
        names = os.listdir(self._root)
        return [int(name) for name in names if name.isdigit() and self._root + "/" + name == self._path(int(name))]

    def _path(self, number):
        return "%s/%04d" % (self._root, number)

    def new(self):
        """An empty log in a folder of its own, numbered after all others. Raises OSError."""
        if not exists(self._root):
            os.mkdir(self._root)
        numbers = self._folders()
        for number in numbers:
            if not exists(self._path(number) + "/head"):
                _clear(self._path(number))  # a game that never began, or one whose removal was cut short
        number = 1 + max([0] + numbers)
        os.mkdir(self._path(number))
        return FileLog(self._path(number))

    def head(self, number):
        """The head of a session's log, without a look at the rest. Raises OSError."""
        return _read(self._path(number) + "/head")

    def players(self, number):
        """Who plays a session, a line a side; empty if that was not noted. Raises OSError."""
        path = self._path(number) + "/players"
        return _read(path) if exists(path) else b""

    def open(self, number):
        """The log of a session."""
        return FileLog(self._path(number))

    def make_room(self, keep):
        """Remove games that are over and were pulled by a host, but for the newest `keep`. What was not pulled stays.

        Returns: how many were removed. Raises: OSError.
        """
        removed = 0
        for number in self.numbers():
            if not self._pulled(number):
                continue
            keep -= 1
            if keep < 0:
                self.remove(number)
                removed += 1
        return removed

    def _pulled(self, number):
        """Whether the mark of the host is there, and is that of the log as it is now."""
        path = self._path(number)
        try:
            return exists(path + "/pulled") and int(_read(path + "/pulled")) == self.open(number).end
        except ValueError:
            return False

    def remove(self, number):
        """Remove a session: its head first, so that it is gone or whole. Raises OSError."""
        path = self._path(number)
        if exists(path + "/head"):
            os.remove(path + "/head")
        _clear(path)


def _clear(path):
    """Remove a folder with its files, or as much of it as can be: without a head it is no session any more."""
    try:
        for name in os.listdir(path):
            os.remove(path + "/" + name)
        os.rmdir(path)
    except OSError:
        pass
