"""The texts of the interface in the language of the device, from a file in flash.

In a compiled firmware the host has put `spoken(17)` in the place of `texts.HISTORY`: a text is read by its number when
it is drawn, and no word of any language is kept in RAM. From sources the words are the values of the modules, and `use`
puts others in their place. host_tools/interface.py numbers the texts and writes the files.

File: magic, number of texts u16, ids u32, offsets u16 (one more than texts), UTF-8. Text 0 is the language's own name,
text 1 says what each other one is: module, name, kind. A tuple is a text with a line for each of its own, a table has
lines of "key=text" between line feeds. What is open now is the one thing that this module keeps.
"""

import array
import struct
import sys

MAGIC = b"TSL1"
HEAD = "<4sHI"
LONGEST = 160  # bytes of a line of a table, at most
IDS = 0  # what a compiled firmware expects: its numbers mean these texts; 0 from sources
_HEAD_BYTES = 10
_PART = 512  # bytes of a table that are looked through at once
_FIRST = 2  # before it come the texts about the file

_open = []  # type: list  # the file, its offsets
_replaced = []  # type: list  # from sources: (module, name, key, what it was)


class LanguageError(ValueError):
    """A file that is no language of this firmware."""


def head(file):
    """The offsets of the texts of a file. Raises LanguageError, OSError."""
    data = file.read(_HEAD_BYTES)
    if len(data) < _HEAD_BYTES:
        raise LanguageError("language cut short")
    magic, count, ids = struct.unpack(HEAD, data)
    offsets = array.array("H", file.read(2 * count + 2))
    if magic != MAGIC or count < _FIRST or len(offsets) != count + 1 or IDS and ids != IDS:
        raise LanguageError("language of another version")
    return offsets


def name(file):
    """What a file calls its language. Raises LanguageError, OSError."""
    offsets = head(file)
    return str(file.read(offsets[1] - offsets[0]), "utf-8")


def use(file):
    """Take the texts from this file, None for English. Raises LanguageError, OSError, and the old ones stay."""
    offsets = None if file is None else head(file)
    if _open:
        _open.pop(0).close()
        _open.clear()
    while _replaced:
        _put(*_replaced.pop())
    if file is not None:
        _open.extend((file, offsets))
        if not IDS:
            _replace()


def spoken(number):
    """Text `number`. Raises OSError."""
    if not _open:
        use(open(__file__[: __file__.rfind("tableside")] + "languages/en.tsl", "rb"))  # noqa: SIM115 - kept open
    file, offsets = _open
    file.seek(_HEAD_BYTES + 2 * len(offsets) + offsets[number])
    return str(file.read(offsets[number + 1] - offsets[number]), "utf-8")


class Row:
    """A tuple of texts. Args: number: of the text that holds them."""

    def __init__(self, number):
        self._number = number

    def __getitem__(self, index):
        return spoken(self._number).split("\n")[index]


class Table:
    """A dictionary of texts. Args: number: of the text that holds it."""

    def __init__(self, number):
        self._number = number

    def get(self, key, other=None):
        """The text of a key, `other` if it has none."""
        spoken(0)  # opens the file, if none was
        file, offsets = _open
        wanted = ("\n%s=" % key).encode()
        start = _HEAD_BYTES + 2 * len(offsets)
        at, end = start + offsets[self._number], start + offsets[self._number + 1]
        while at < end:
            file.seek(at)
            part = file.read(min(_PART, end - at))
            found = part.find(wanted)
            if found >= 0:
                found += len(wanted)
                last = part.find(b"\n", found)
                if last >= 0:
                    return str(part[found:last], "utf-8")
            at += _PART - LONGEST
        return other

    def __getitem__(self, key):
        text = self.get(key)
        if text is None:
            raise KeyError(key)
        return text


def _replace():
    """Put the texts of the open file in the place of those of the sources, as far as they are there."""
    for number, line in enumerate(spoken(1).split("\n"), _FIRST):
        path, names, kind = line.split()
        __import__(path)
        name, _, key = names.partition(".")
        old = getattr(sys.modules[path], name, None)
        if key and old is not None:
            old = old.get(key)
        if old is not None:
            text = spoken(number)
            if kind == "t":
                text = tuple(text.split("\n"))
            elif kind == "d":
                text = _table(text, old)
            _replaced.append((path, name, key, old))
            _put(path, name, key, text)


def _table(text, old):
    """A table as a dictionary; its keys are numbers if those of the old one are."""
    numbers = any(not isinstance(key, str) for key in old)
    pairs = [line.split("=", 1) for line in text.strip("\n").split("\n") if line]
    return {int(key) if numbers else key: word for key, word in pairs}


def _put(path, name, key, value):
    if key:
        getattr(sys.modules[path], name)[key] = value
    else:
        setattr(sys.modules[path], name, value)
