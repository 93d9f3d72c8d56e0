"""The roster that goes to the devices: the names of the players, and who plays whom at which table.

On a device it is the file roster.json: {"players": [NAME, ...], "pairings": [[TABLE, NAME, NAME], ...]}.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from host_tools.club.book import Book
from host_tools.errors import CommandError
from host_tools.files import replace_file
from host_tools.link import Link
from tableside.ui import font_normal, font_small

FILE = "roster.json"
_NAME_LETTERS = 16  # a row of the device, with something beside it
_MOST_PLAYERS = 60
_MOST_TABLES = 30
_SEPARATORS = ",=+:"  # of names in files and options


def check_name(name: str) -> str:
    """A name as the device can show it. Raises: CommandError if it cannot."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= _NAME_LETTERS:
        raise CommandError(f"{name!r}: a name has 1 to {_NAME_LETTERS} letters")
    for char in name:
        if not all(face.FIRST <= ord(char) <= face.LAST or char in face.EXTRA for face in (font_normal, font_small)):
            raise CommandError(f"{name!r}: the display of the device has no letter {char!r}")
        if char in _SEPARATORS:
            raise CommandError(f"{name!r}: a name cannot have {char!r} in it")
    return name


def read_pairing(words: str) -> tuple[int, str, str]:
    """TABLE:NAME:NAME. Raises: CommandError."""
    place, *names = words.split(":")
    if not place.strip().isdigit() or not 1 <= int(place) <= 99 or len(names) != 2:
        raise CommandError(f"{words!r}: write a pairing as TABLE:NAME:NAME")
    return int(place), check_name(names[0]), check_name(names[1])


def change(book: Book, add: Iterable[str], remove: Iterable[str], pairings: list[tuple[int, str, str]] | None) -> None:
    """Change the roster of the book. Args: pairings: in the place of those there are, None to leave them; whoever is
        paired is put on the roster.

    Raises: CommandError, and changes nothing.
    """
    added = [check_name(name) for name in add]
    removed = list(remove)
    places = [place for place, _, _ in pairings or []]
    paired = [name for _, *names in pairings or [] for name in names]
    if len(places) != len(set(places)):
        raise CommandError("a table has two pairings")
    twice = sorted({name for name in paired if [one.lower() for one in paired].count(name.lower()) > 1})
    if twice:
        raise CommandError(f"{twice[0]} is paired twice")
    with book.transaction():
        book.list_players([*added, *paired], True)
        book.list_players(removed, False)
        if pairings is not None:
            book.pair(pairings)
        _check_size(book)


def _check_size(book: Book) -> None:
    for what, most, found in (("players", _MOST_PLAYERS, book.roster()), ("pairings", _MOST_TABLES, book.pairings())):
        if len(found) > most:
            raise CommandError(f"{len(found)} {what}: a device takes {most}; take some off with --remove")


def contents(book: Book) -> bytes:
    """The file for the devices."""
    return json.dumps({"players": book.roster(), "pairings": book.pairings()}, ensure_ascii=False).encode()


def push(book: Book, port: str) -> str:
    """Write the roster to a device. Returns: its port. Raises: CommandError."""
    with Link.open(port) as link:
        link.write({FILE: contents(book)}, lambda count: None)
        return link.port


def push_to_folder(book: Book, folder: Path) -> str:
    """Write it to the files of a simulated device."""
    if not folder.is_dir():
        raise CommandError(f"{folder}: no such folder")
    replace_file(folder / FILE, contents(book))
    return str(folder)
