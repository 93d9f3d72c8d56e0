"""Copying session folders from a device, or from a folder like its flash, to a folder like it.

The copy of session 0003 is called `0003-` and the first digits of its head's hash, which no other session has: the
sessions of many devices go into one folder, and none is ever written over another. A file that grew is fetched from
where it grew. Of a session the segments are written first and the tail after them, so the copy can be read at any
moment; the head of a new one comes last, so there is none or all of it. A game that is over is then marked at its
source: only what is marked may the device drop to make room. The books of campaigns come with them: that of campaign
0002 is called `0002-` and the salt of the campaign, and the newest one takes the place of the one before.
"""

import contextlib
import hashlib
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from host_tools.errors import CommandError
from host_tools.files import replace_file
from host_tools.link import DeviceRaised, Link
from host_tools.log_records import is_over
from host_tools.logfile import PLAYERS, read_log
from host_tools.packs.build import compile_system, find_games
from tableside.core.book import Book
from tableside.core.errors import LogError
from tableside.core.opening import read_head
from tableside.core.pack import Pack

SESSIONS = "sessions"
KEPT = "packs/kept"
CAMPAIGNS = "campaigns"
_FILE = re.compile(rf"{SESSIONS}/([^/]+)/(head|tail|check|{PLAYERS}|s\d+)")
_BOOK = re.compile(rf"{CAMPAIGNS}/([^/]+)/head")
MARK = "pulled"  # in a session folder of a device: how many bytes of records were pulled of a game that is over
_COPY = re.compile(r"\d+-[0-9a-f]{8}")
_ORDER = ("tail", "check", PLAYERS, "head")  # after the segments


@dataclass
class Entry:
    """A session. Its size is that of its files; `copied` is whether anything of it was."""

    name: str
    system: str
    scenario: str
    bytes: int
    copied: bool = False


class Source(Protocol):
    """Where sessions come from; paths are those of a device."""

    def files(self) -> dict[str, int]:
        """The size of every file of sessions, campaigns and kept packs, by path."""

    def digests(self, wanted: list[tuple[str, int]]) -> list[str]:
        """The SHA-256 of the first bytes of files, in hex."""

    def read(self, path: str, start: int) -> bytes:
        """A file, from a position on."""

    def write(self, files: dict[str, bytes]) -> None:
        """Write small files."""


class DeviceSource:
    """A connected device. Args: progress: called with the number of bytes that came."""

    def __init__(self, link: Link, progress: Callable[[int], object] = lambda count: None):
        self._link = link
        self._progress = progress

    def files(self) -> dict[str, int]:
        found = self._link.walk([SESSIONS, CAMPAIGNS, KEPT], hashes=False)
        return {path: file.size for path, file in found.items() if not path.endswith("/")}

    def digests(self, wanted: list[tuple[str, int]]) -> list[str]:
        return self._link.exec("\n".join(f"print(digest({path!r},{size}))" for path, size in wanted)).split()

    def read(self, path: str, start: int) -> bytes:
        return self._link.read(path, start, self._progress)

    def write(self, files: dict[str, bytes]) -> None:
        self._link.write(files, lambda count: None)


class FolderSource:
    """A folder like the flash of a device: of the simulator, or where sessions were pulled to."""

    def __init__(self, folder: Path):
        if not folder.is_dir():
            raise CommandError(f"{folder}: no such folder")
        self._folder = folder

    def files(self) -> dict[str, int]:
        tops = (self._folder / top for top in (SESSIONS, CAMPAIGNS, KEPT))
        found = [file for top in tops for file in top.rglob("*") if file.is_file()]
        return {file.relative_to(self._folder).as_posix(): file.stat().st_size for file in found}

    def digests(self, wanted: list[tuple[str, int]]) -> list[str]:
        return [hashlib.sha256(self.read(path, 0)[:size]).hexdigest() for path, size in wanted]

    def read(self, path: str, start: int) -> bytes:
        return (self._folder / path).read_bytes()[start:]

    def write(self, files: dict[str, bytes]) -> None:
        for path, data in files.items():
            replace_file(self._folder / path, data)


def session_folders(folder: Path) -> list[Path]:
    """The session folders of a folder that is like the flash of a device. Raises: CommandError if there is none."""
    if not folder.is_dir():
        raise CommandError(f"{folder}: no such folder")
    return sorted(path.parent for path in folder.glob(f"{SESSIONS}/*/head"))


def sessions(source: Source) -> list[Entry]:
    """The sessions of a source, in the order of their numbers."""
    folders = _folders(source.files())
    return [_entry(name, folders[folder], source.read(f"{SESSIONS}/{folder}/head", 0))
            for folder, name in _names(source, folders).items()]


def pull(source: Source, target: Path, mark: bool = True) -> list[Entry]:
    """Copy what a folder does not have, with the packs that the sessions need, and the books of campaigns.

    Args: mark: mark at the source the games that are over: what is marked is safe here, and may be dropped there.
    Returns: every session of the source.
    Raises: CommandError if what came is not what is there; OSError.
    """
    files = source.files()
    folders = _folders(files)
    entries = []
    marks: dict[str, bytes] = {}
    for folder, name in _names(source, folders).items():
        local = target / SESSIONS / name
        copied = _copy(source, f"{SESSIONS}/{folder}", folders[folder], local)
        head = (local / "head").read_bytes()
        entries.append(_entry(name, folders[folder], head, copied))
        _copy_pack(source, files, head, target)
        if folder != name:  # it is a device's, no copy
            marks.update(_mark(source, files, f"{SESSIONS}/{folder}/{MARK}", local))
    if mark and marks:
        with contextlib.suppress(DeviceRaised, OSError):  # no room even for that: then nothing is dropped
            source.write(marks)
    for path in files:
        match = _BOOK.fullmatch(path)
        if match:
            _copy_book(source.read(path, 0), match[1], target)
    return entries


def _mark(source: Source, files: dict[str, int], path: str, local: Path) -> dict[str, bytes]:
    """The mark that a session at the source lacks; nothing for one that runs or cannot be read."""
    try:
        log = read_log(local)
        if not is_over(log):
            return {}
    except LogError:
        return {}
    data = str(log.end).encode()
    return {} if files.get(path) == len(data) and source.read(path, 0) == data else {path: data}


def _folders(files: dict[str, int]) -> dict[str, dict[str, int]]:
    """The files of each session with a head, by its folder: {folder: {name: size}}."""
    found: dict[str, dict[str, int]] = {}
    for path, size in sorted(files.items()):
        match = _FILE.fullmatch(path)
        if match:
            found.setdefault(match[1], {})[match[2]] = size
    return {folder: names for folder, names in found.items() if "head" in names}


def _names(source: Source, folders: dict[str, dict[str, int]]) -> dict[str, str]:
    """What the copy of each session folder is called."""
    heads = source.digests([(f"{SESSIONS}/{folder}/head", names["head"]) for folder, names in folders.items()])
    return {folder: folder if _COPY.fullmatch(folder) else f"{folder}-{digest[:8]}"
            for folder, digest in zip(folders, heads, strict=True)}


def _copy(source: Source, path: str, sizes: dict[str, int], local: Path) -> bool:
    """Bring the copy of a session up to date. Returns: whether it was not."""
    names = sorted(sizes, key=lambda name: (_ORDER.index(name) if name in _ORDER else -1, len(name), name))
    old = {name: (local / name).read_bytes() if (local / name).is_file() else b"" for name in names}
    starts = [min(len(old[name]), sizes[name]) for name in names]
    wanted = [(f"{path}/{name}", start) for name, start in zip(names, starts, strict=True)]
    wanted += [(f"{path}/{name}", sizes[name]) for name in names]
    digests = source.digests(wanted)
    copied = False
    for name, start, begin, whole in zip(names, starts, digests, digests[len(names) :], strict=False):
        if _hash(old[name]) == whole and (local / name).is_file():
            continue
        known = old[name][:start] if _hash(old[name][:start]) == begin else b""
        data = known + source.read(f"{path}/{name}", len(known))
        if _hash(data) != whole:
            raise CommandError(f"{path}/{name}: what came is not what is there: try again")
        local.mkdir(parents=True, exist_ok=True)
        replace_file(local / name, data)
        copied = True
    if "tail" not in sizes and (local / "tail").is_file():
        (local / "tail").unlink()  # all of it is in the segments now
        copied = True
    return copied


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _copy_pack(source: Source, files: dict[str, int], head: bytes, target: Path) -> None:
    """Copy the version of the game that a session began with, if the source keeps it."""
    try:
        path = f"{KEPT}/{read_head(head)[1].hex()}.tspk"
    except LogError:
        return
    file = target / path
    if path in files and not (file.is_file() and file.stat().st_size == files[path]):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, source.read(path, 0))


def _copy_book(data: bytes, folder: str, target: Path) -> None:
    try:
        name = folder if "-" in folder else f"{folder}-{Book(data).salt}"
    except ValueError:
        name = f"{folder}-damaged"
    file = target / CAMPAIGNS / name / "head"
    if not file.is_file() or file.read_bytes() != data:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, data)


def _entry(name: str, sizes: dict[str, int], head: bytes, copied: bool = False) -> Entry:
    size = sum(sizes.values())
    try:
        system, pack_hash, scenario, _, _ = read_head(head)
    except LogError as error:
        return Entry(name, "", str(error), size, copied)
    known = compile_system(system) if system in find_games() else None
    if known and Pack(io.BytesIO(known.data)).hash == pack_hash and scenario < len(known.scenarios):
        return Entry(name, system, known.scenarios[scenario].id, size, copied)
    return Entry(name, system, f"scenario {scenario + 1} of another version", size, copied)
