"""Importing the modules of a pack's own code, and dropping them again.

The pack carries them compiled. MicroPython imports only from a file system: while it does, the pack is one. Elsewhere
the sources of `games/SYSTEM` are imported, which must be those that the pack was made of.
"""

import hashlib
import io
import sys

from tableside.core.errors import PackError
from tableside.core.pack import CODE, MODULE

PACKAGE = "games"
MAIN = "rules"  # the module that answers for the pack
_MOUNT = "/code"
_FILE = 0x8000
_FOLDER = 0x4000
_NO_SUCH_FILE = 2
_CLOSE = 4  # of ioctl


def load(pack, name):
    """A module of a pack's code, imported now if it was not before. Raises PackError if that cannot be."""
    path = "%s.%s.%s" % (PACKAGE, pack.id, name)
    if not _of(path, pack):
        find(pack, name)
        forget(lambda path: path == PACKAGE or _of(path, pack))
        if sys.implementation.name == "micropython":
            _import_from(pack, path)
        else:
            __import__(path)
        for path_of_one in list(sys.modules):
            if path_of_one.startswith(PACKAGE + "." + pack.id):
                _mark(pack, path_of_one)
    return sys.modules[path]


def _of(path, pack):
    """Whether a module is there, and of this version of the pack."""
    return getattr(sys.modules.get(path), "PACK", None) == pack.hash


def _mark(pack, path):
    """Note which pack a module belongs to. Sources must be those that it was made of."""
    module = sys.modules[path]
    if sys.implementation.name != "micropython" and getattr(module, "__file__", None):
        with open(module.__file__, "rb") as file:
            if hashlib.sha256(file.read()).digest()[:8] != find(pack, path.split(".")[2])[3]:
                raise PackError("the code is not that of the pack", path)
    setattr(module, "PACK", pack.hash)  # noqa: B010 - no module has it of its own


def find(pack, name):
    """The MODULE record of a module by its name. Raises PackError if the pack has none of this name."""
    for i in range(pack.count(MODULE)):
        record = pack.record(MODULE, i)
        if pack.text(record[0]) == name:
            return record
    raise PackError("no such code in the pack", name)


def _import_from(pack, path):
    import vfs

    vfs.mount(_Files(pack), _MOUNT)
    sys.path.insert(0, _MOUNT)
    try:
        __import__(path)
    except ValueError as error:  # bytecode of another MicroPython
        raise PackError("the pack's code does not run here", error) from None
    finally:
        sys.path.pop(0)
        vfs.umount(_MOUNT)


def forget(needed=lambda path: False):
    """Drop the modules but those for whose dotted name `needed` says yes."""
    for path in list(sys.modules):
        if (path == PACKAGE or path.startswith(PACKAGE + ".")) and not needed(path):
            package, _, name = path.rpartition(".")
            if package in sys.modules and hasattr(sys.modules[package], name):
                delattr(sys.modules[package], name)  # else it would stay in memory
            del sys.modules[path]


class _Files:
    """A file system that holds the modules of a pack."""

    def __init__(self, pack):
        self._pack = pack
        self._folder = "/%s/%s" % (PACKAGE, pack.id)

    def mount(self, readonly, mkfs):
        """Called by the VM."""

    def umount(self):
        """Called by the VM."""

    def _module(self, path):
        folder, _, name = path.rpartition("/")
        if folder != self._folder or not name.endswith(".mpy"):
            raise OSError(_NO_SUCH_FILE)
        try:
            return find(self._pack, name[:-4])
        except PackError:
            raise OSError(_NO_SUCH_FILE) from None

    def stat(self, path):
        """Which kind of file there is."""
        if path == self._folder or path == "/" + PACKAGE:
            return (_FOLDER,) + (0,) * 9
        self._module(path)
        return (_FILE,) + (0,) * 9

    def open(self, path, mode):
        """A module as a file."""
        _, first, count, _ = self._module(path)
        return _File(self._pack, first, count)


class _File(io.IOBase):
    """A run of bytes of a pack."""

    def __init__(self, pack, first, count):
        self._pack = pack
        self._at = first
        self._end = first + count

    def readinto(self, buffer):
        """Read on."""
        count = min(len(buffer), self._end - self._at)
        buffer[:count] = self._pack.raw(CODE, self._at, count)
        self._at += count
        return count

    def ioctl(self, request, argument):
        """Nothing to do to close it; nothing else can be done."""
        return 0 if request == _CLOSE else -1
