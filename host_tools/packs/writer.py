"""The binary of a pack: sections of records, one string table a language, header and checksum."""

import hashlib
import struct
from collections.abc import Callable, Iterable
from typing import Any

from tableside.core import pack
from tableside.ui import font_small

# What the device's fonts can draw.
DRAWABLE = frozenset(map(chr, range(font_small.FIRST, font_small.LAST + 1))) | frozenset(font_small.EXTRA + "\n")

_BODY_LIMIT = 60000  # bytes of text in one language: offsets have 16 bits
_BYTES_LIMIT = 65535  # of a section of single bytes
_RECORD_LIMIT = 32767  # records of a section: frames and commands hold their numbers in signed 16 bits

Fault = Callable[[str, str], None]  # where, message


class Writer:
    """The sections being filled. Equal runs of records are stored once.

    Args: language: the code of the source's own texts; translations: code -> source text -> translated text;
        fault: called for every text that the device cannot show.
    """

    def __init__(self, language: str, translations: dict[str, dict[str, str]], fault: Fault):
        self._records: list[bytearray] = [bytearray() for _ in pack.FORMATS]
        self._runs: dict[tuple[int, bytes, tuple[str, ...]], int] = {}
        self._translations = translations
        self._fault = fault
        self._texts: set[str] = set()  # every source text seen
        self._strings: dict[tuple[str, ...], int] = {}
        self.string((language, *translations))

    def run(self, section: int, rows: Iterable[tuple[Any, ...]], key: tuple[str, ...] = ()) -> tuple[int, int]:
        """Store a run of records; returns (first, count). Equal runs with different keys are kept apart."""
        packed = [struct.pack(pack.FORMATS[section], *row) for row in rows]
        data = b"".join(packed)
        if not data:
            return 0, 0
        if (section, data, key) not in self._runs:
            self._runs[section, data, key] = self._count(section)
            self._records[section] += data
            self._check_room(section)
        return self._runs[section, data, key], len(packed)

    def append(self, section: int, data: bytes) -> int:
        """Add to a section whose records are bytes; returns the number of the first."""
        first = len(self._records[section])
        self._records[section] += data
        if first + len(data) > _BYTES_LIMIT:
            raise OverflowError(f"{first + len(data)} bytes in section {section}, at most {_BYTES_LIMIT}")
        return first

    def reserve(self, section: int) -> int:
        """Room for one record that is filled in later; returns its number."""
        self._records[section] += bytes(struct.calcsize(pack.FORMATS[section]))
        self._check_room(section)
        return self._count(section) - 1

    def fill(self, section: int, index: int, row: tuple[Any, ...]) -> None:
        """Fill a reserved record."""
        size = struct.calcsize(pack.FORMATS[section])
        struct.pack_into(pack.FORMATS[section], self._records[section], index * size, *row)

    def _count(self, section: int) -> int:
        return len(self._records[section]) // struct.calcsize(pack.FORMATS[section])

    def _check_room(self, section: int) -> None:
        if self._count(section) > _RECORD_LIMIT:
            raise OverflowError(f"more than {_RECORD_LIMIT} records in section {section}: split the pack")

    def translate(self, text: str, where: str) -> list[tuple[str, str]]:
        """(place, text) in every language; where a translation is missing, the source's text and place."""
        self._texts.add(text)
        texts = [(where, text)]
        for code, table in self._translations.items():
            texts.append((f"translation.{code}", table[text]) if text in table else (where, text))
        for place, translated in texts:
            for char in sorted(set(translated) - DRAWABLE):
                self._fault(place, f"the device cannot draw {char!r} (U+{ord(char):04X}) in {translated!r}")
            if len(translated.encode()) > pack.TEXT_BYTES:
                self._fault(place, f"a text of {len(translated.encode())} bytes, at most {pack.TEXT_BYTES}")
        return texts

    def check_translations(self) -> None:
        """Fault every translation of a text that the pack does not have. Call it last."""
        for code, table in self._translations.items():
            for text in table:
                if text not in self._texts:
                    self._fault(f"translation.{code}", f"the pack has no text {text!r}")

    def string(self, texts: tuple[str, ...]) -> int:
        """The number of a string, given in every language."""
        return self._strings.setdefault(texts, len(self._strings))

    def plain(self, text: str, where: str) -> int:
        """The number of a text without fields, translated."""
        return self.string(tuple(translated for _, translated in self.translate(text, where)))

    def fixed(self, text: str) -> int:
        """The number of a string that is the same in every language: an id."""
        return self.string((text,) * (len(self._translations) + 1))

    def data(self) -> bytes:
        """The whole file. Raises OverflowError if there is too much text."""
        sections = [(bytes(records), self._count(i)) for i, records in enumerate(self._records)]
        languages = len(self._translations) + 1
        for language in range(languages):
            sections.append((self._table(language), len(self._strings)))
        offset = pack.HEADER_BYTES + 6 * len(sections)
        directory = b""
        for data, count in sections:
            directory += struct.pack("<IH", offset, count)
            offset += len(data)
        rest = directory + b"".join(data for data, _ in sections)
        header = struct.pack(pack.HEADER, pack.MAGIC, pack.FORMAT, len(sections), languages, offset,
                             hashlib.sha256(rest).digest()[:16])
        return header + rest

    def _table(self, language: int) -> bytes:
        offsets, body = [0], b""
        for texts in self._strings:
            body += texts[language].encode()
            offsets.append(len(body))
        if len(body) > _BODY_LIMIT:
            raise OverflowError(f"too much text: {len(body)} bytes, at most {_BODY_LIMIT}")
        return struct.pack(f"<{len(offsets)}H", *offsets) + body
