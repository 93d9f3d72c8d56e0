"""What a host has put on a device: packs, and languages of the interface. Imported when one is opened or listed."""

import os

from tableside.hw.files import exists

_CHUNK = 512


class Languages:
    """The files of the interface's languages. Args: folder: holds `<code>.tsl`."""

    def __init__(self, folder):
        self._folder = folder

    def codes(self):
        """The installed languages, in order. No folder, none."""
        try:
            return sorted(name[:-4] for name in os.listdir(self._folder) if name.endswith(".tsl"))
        except OSError:
            return []

    def open(self, code):
        """The file of a language. Raises OSError if it is not there."""
        return open("%s/%s.tsl" % (self._folder, code), "rb")  # noqa: SIM115 - whoever opens it closes it


class Packs:
    """The compiled packs of a device: one file a game, and those versions that saved games still need.

    Args: folder: holds `<id>.tspk`; versions that games began with are kept in its folder `kept` by their hash.
    """

    def __init__(self, folder):
        self._folder = folder
        self._kept = folder + "/kept"

    def ids(self):
        """The ids of the installed packs, in no order. No folder, no packs."""
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        return [name[:-5] for name in names if name.endswith(".tspk") and name != ".tspk"]

    def open(self, pack_id):
        """The file of an installed pack. Raises OSError if it is not there."""
        return open(self._path(pack_id), "rb")  # noqa: SIM115 - whoever opens it closes it

    def open_version(self, pack_id, pack_hash):
        """The kept copy of this version, else the installed pack. Raises OSError if there is neither."""
        kept = self._kept_path(pack_hash)
        return open(kept, "rb") if exists(kept) else self.open(pack_id)  # noqa: SIM115 - whoever opens it closes it

    def keep(self, pack_id, pack_hash, needed):
        """Keep a copy of an installed pack for a game that begins.

        Args: needed: a function that gives the hashes that saved games refer to; other copies are dropped.
        Raises: OSError, for example on a full disk; there is then no copy.
        """
        path = self._kept_path(pack_hash)
        if exists(path):
            return
        if not exists(self._kept):
            os.mkdir(self._kept)
        self.drop(needed())
        try:
            _copy(self._path(pack_id), path + ".new")
            os.rename(path + ".new", path)
        except OSError:
            if exists(path + ".new"):
                os.remove(path + ".new")
            raise

    def drop(self, needed):
        """Remove every copy whose hash is not among `needed`, none if that is None."""
        if needed is not None and exists(self._kept):
            paths = [self._kept_path(pack_hash) for pack_hash in needed]
            for name in os.listdir(self._kept):
                if self._kept + "/" + name not in paths:
                    os.remove(self._kept + "/" + name)

    def _path(self, pack_id):
        return "%s/%s.tspk" % (self._folder, pack_id)

    def _kept_path(self, pack_hash):
        return self._kept + "/" + "".join("%02x" % byte for byte in pack_hash) + ".tspk"


def _copy(source, target):
    buffer = bytearray(_CHUNK)
    view = memoryview(buffer)
    with open(source, "rb") as old, open(target, "wb") as new:
        while True:
            count = old.readinto(buffer)
            if not count:
                return
            new.write(view[:count])
