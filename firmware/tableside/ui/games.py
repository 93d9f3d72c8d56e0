"""Beginning, finding and taking up games: what joins the packs and the saved sessions of a device.

A game that is played needs nothing of it: it is imported when it is needed.
"""

from tableside.core.errors import PackError
from tableside.core.opening import read_head
from tableside.core.pack import Pack
from tableside.core.session import Session
from tableside.ui.failures import words


class Games:
    """The games of a device.

    Args: device: see `ui.app.App`; settings: see `ui.settings.Settings`; rules: gives the resolver module of a number.
    """

    def __init__(self, device, settings, rules):
        self._store = device.store
        self._packs = device.packs
        self._settings = settings
        self._rules = rules

    def pack_ids(self):
        """The installed packs, in order."""
        return sorted(self._packs.ids())

    def open_pack(self, pack_id):
        """Open an installed pack. Raises OSError or PackError."""
        return self._opened(self._packs.open(pack_id))

    def _opened(self, file):
        pack = Pack(file)
        self.translate(pack)
        return pack

    def translate(self, pack):
        """Take a pack's texts in the language of the settings, or its own if it has not got that."""
        codes = _languages(pack)
        code = self._settings.language()
        pack.use_language(codes.index(code) if code in codes else 0)

    def languages(self):
        """The codes of all languages of the installed packs, in order."""
        found = []
        for pack_id in self.pack_ids():
            try:
                pack = self.open_pack(pack_id)
                found += [code for code in _languages(pack) if code not in found]
                pack.close()
            except (OSError, ValueError):
                pass  # the list of games says what is wrong with it
        return sorted(found)

    def begin(self, pack_id, scenario, seed, carried=None):
        """Start a session. On a full or read-only disk it is played in RAM.

        Args: carried: see `core.campaign.Carried`.
        Returns: the session, and the OSError that keeps it or the version of its pack from being saved, or None.
        Raises: OSError or PackError if the pack cannot be read.
        """
        pack = self.open_pack(pack_id)
        failure = None
        self._make_room()
        try:
            self._packs.keep(pack_id, pack.hash, self._hashes)
        except OSError as error:
            failure = error
        try:
            return Session.new(pack, scenario, seed, self._store.new(), self._rules, carried), failure
        except OSError as error:
            from tableside.core.log import MemoryLog

            return Session.new(pack, scenario, seed, MemoryLog(), self._rules, carried), error

    def _make_room(self):
        """Drop what a host has and the settings do not keep; a disk that cannot do that tells so when it is written."""
        try:
            if self._store.make_room(self._settings.get("games_kept")):
                self._packs.drop(self._hashes())
        except OSError:
            pass

    def _hashes(self):
        """The versions of packs that saved games refer to; None if one of them cannot be read just now."""
        try:
            return [read_head(self._store.head(number))[1] for number in self._store.numbers()]
        except (OSError, ValueError):
            return None

    def numbers(self):
        """The numbers of the saved games, newest first; none of a file system that cannot be read."""
        try:
            return self._store.numbers()
        except OSError:
            return []

    def load(self, number):
        """A saved session. Raises OSError or ValueError if it cannot be taken up."""
        log = self._store.open(number)
        pack_id, pack_hash, _, _, _ = read_head(log.head)
        return Session.resume(self._version(pack_id, pack_hash), log, self._rules)

    def _version(self, pack_id, pack_hash):
        try:
            return self._opened(self._packs.open_version(pack_id, pack_hash))
        except PackError:
            return self.open_pack(pack_id)  # the kept copy is damaged
        except OSError:
            raise PackError("pack missing", pack_id) from None

    def titles(self, numbers):
        """The scenarios of saved games, or what keeps them from being taken up."""
        known = {}  # the titles of a version of a pack, by its hash
        return [self._title(number, known) for number in numbers]

    def _title(self, number, known):
        try:
            pack_id, pack_hash, scenario, _, _ = read_head(self._store.head(number))
            if pack_hash not in known:
                pack = self._version(pack_id, pack_hash)
                known[pack_hash] = pack.scenario_titles()
                pack.close()
            return known[pack_hash][scenario]
        except (OSError, ValueError, IndexError) as error:
            return "! " + words(error)

    def remove(self, number):
        """Remove a saved game, and copies of packs that no other game needs. Raises OSError."""
        self._store.remove(number)
        self._packs.drop(self._hashes())


def _languages(pack):
    return [pack.language(number) for number in range(pack.languages)]
