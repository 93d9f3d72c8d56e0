"""The font generator: X11 misc-fixed bitmaps to the column bytes of the display.

The fonts are public domain; Debian ships them in the package `xfonts-base`. The faces in the tree were made with

    apt-get download xfonts-base && dpkg -x xfonts-base_*.deb fonts
    python -m host_tools.fonts fonts/usr/share/fonts/X11/misc/{6x10-ISO8859-1,8x13B,8x13B}.pcf.gz
"""

import argparse
import gzip
import io
from dataclasses import dataclass
from pathlib import Path

from PIL import PcfFontFile

UI = Path(__file__).resolve().parent.parent / "firmware" / "tableside" / "ui"
Rows = list[list[int]]  # a bitmap: rows of 0 and 1, top row first

# What the fonts lack, and what the small cell would make equal (x and the times sign, small and capital O umlaut), as
# (rows above the baseline, picture).
_SMALL_SIGNS = {
    "↑": (7, "..#.. .###. #.#.# ..#.. ..#.. ..#.."),
    "↓": (6, "..#.. ..#.. ..#.. #.#.# .###. ..#.."),
    "←": (6, "..#.. .#... ##### .#... ..#.."),
    "☠": (7, ".###. ##### #.#.# ##.## .###. .#.#."),
    "Ö": (7, "#...# .###. #...# #...# #...# #...# .###."),
    "×": (6, "#...# .#.#. ..#.. .#.#. #...#"),
    "→": (6, "..#.. ...#. ##### ...#. ..#.."),
    "✓": (6, "....# ...## #..#. ###.. .#..."),
}
_NORMAL_SIGNS = {
    "↑": (9, "...#... ..###.. .#####. ##.#.## ...#... ...#... ...#... ...#..."),
    "↓": (9, "...#... ...#... ...#... ...#... ##.#.## .#####. ..###.. ...#..."),
    "←": (8, "..##... .##.... ####### ####### .##.... ..##..."),
    "☠": (10, ".#####. ####### #..#..# #..#..# ###.### .#####. ..#.#.. ..#.#.."),
    "→": (8, "...##.. ....##. ####### ####### ....##. ...##.."),
    "✓": (9, "......# .....## ....### ##..##. #####.. .####.. ..##..."),
}


_DICE = "⚀⚁⚂⚃⚄⚅"
_EXTRA = "äöüÄÖÜß×→✓↑↓←☠" + _DICE
_PIPS = ("4", "26", "246", "0268", "02468", "012678")  # cells of a die, column by column from the left


def _dice(width: int, height: int) -> dict[str, tuple[int, str]]:
    """The faces of a die: a lit block with dark pips."""
    signs = {}
    for char, pips in zip(_DICE, _PIPS, strict=True):
        rows = [["#"] * width for _ in range(height)]
        for pip in map(int, pips):
            rows[1 + pip % 3 * (height - 3) // 2][1 + pip // 3 * (width - 3) // 2] = "."
        signs[char] = (height, " ".join(map("".join, rows)))
    return signs


@dataclass(frozen=True)
class Face:
    """One face to make: the cell, where the baseline lies in it, and the characters in table order."""

    name: str
    width: int
    pages: int
    baseline: int  # rows of the cell above the baseline
    first: str
    last: str
    extra: str
    signs: dict[str, tuple[int, str]]
    scale: int = 1


FACES = (
    Face("small", 6, 1, 7, " ", "~", _EXTRA, {**_SMALL_SIGNS, **_dice(5, 7)}),
    Face("normal", 8, 2, 12, " ", "~", _EXTRA, {**_NORMAL_SIGNS, **_dice(7, 9)}),
    Face("large", 16, 3, 11, "0", "9", "+-=>/ ", {}, scale=2),
)


def load(path: Path) -> PcfFontFile.PcfFontFile:
    """Read a PCF font, gzipped or not."""
    data = path.read_bytes()
    return PcfFontFile.PcfFontFile(io.BytesIO(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data))


def outline(font: PcfFontFile.PcfFontFile, char: str) -> tuple[int, Rows]:
    """The inked rows of a character.

    Returns:
        How many rows the first one lies above the baseline, and the rows.
    """
    glyph = font.glyph[ord(char)]
    if glyph is None:
        raise ValueError(f"the font has no {char!r}")
    _, (left, top, _, _), _, image = glyph
    rows = [[0] * left + [int(bool(image.getpixel((x, y)))) for x in range(image.width)] for y in range(image.height)]
    while rows and not any(rows[0]):
        del rows[0]
        top += 1
    while rows and not any(rows[-1]):
        del rows[-1]
    return (-top if rows else 0), rows


def fit(above: int, rows: Rows, baseline: int, height: int) -> Rows:
    """Place a bitmap in a cell of `height` rows.

    A glyph that stands out loses one of two equal neighbouring rows, so that stems and tails get shorter and no
    stroke is cut off.
    """
    rows = list(rows)

    def shorten() -> None:
        for y in range(len(rows) - 1, 0, -1):
            if rows[y] == rows[y - 1]:
                del rows[y]
                return
        raise ValueError("a glyph is too tall and has no row to spare")

    while above > baseline:
        if len(rows) >= above:  # an accent alone just moves down
            shorten()
        above -= 1
    while len(rows) - above > height - baseline:
        shorten()
    blank: list[int] = []
    return ([blank] * (baseline - above) + rows + [blank] * height)[:height]


def double(rows: Rows, smooth: bool) -> Rows:
    """Twice the size; `smooth` rounds the corners with the Scale2x rule."""

    def at(x: int, y: int) -> int:
        return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else 0

    out: Rows = []
    for y in range(len(rows)):
        upper: list[int] = []
        lower: list[int] = []
        for x in range(max(map(len, rows))):
            here, up, down, left, right = at(x, y), at(x, y - 1), at(x, y + 1), at(x - 1, y), at(x + 1, y)
            if smooth and up != down and left != right:
                upper += [up if left == up else here, up if right == up else here]
                lower += [down if left == down else here, down if right == down else here]
            else:
                upper += [here, here]
                lower += [here, here]
        out += [upper, lower]
    return out


def columns(rows: Rows, face: Face) -> bytes:
    """A cell as the display holds it: page after page, a byte is eight pixels downwards with bit 0 on top."""
    return bytes(
        sum(1 << bit for bit, row in enumerate(rows[page * 8 : page * 8 + 8]) if x < len(row) and row[x])
        for page in range(face.pages)
        for x in range(face.width)
    )


def characters(face: Face) -> str:
    """Every character of a face in table order."""
    return "".join(map(chr, range(ord(face.first), ord(face.last) + 1))) + face.extra


def glyphs(face: Face, font: PcfFontFile.PcfFontFile) -> list[bytes]:
    """The table of a face: its characters, then the hollow box for all others."""
    height = face.pages * 8 // face.scale
    table = []
    for char in characters(face):
        if char in face.signs:
            above, picture = face.signs[char]
            bitmap = [[int(pixel == "#") for pixel in line] for line in picture.split()]
        else:
            above, bitmap = outline(font, char)
        cell = fit(above, bitmap, face.baseline, height)
        # The smooth rule makes a diamond of a plus: signs are doubled as they are.
        table.append(columns(double(cell, char.isdigit()) if face.scale == 2 else cell, face))
    wide, tall = face.width - face.scale, face.baseline * face.scale - (face.pages - 1)
    side = [1] + [0] * (wide - 2) + [1]
    box = [[1] * wide] + [side] * (tall - 2) + [[1] * wide]
    table.append(columns(fit(tall, box, face.baseline * face.scale, face.pages * 8), face))
    return table


def module(face: Face, table: list[bytes], source: str) -> str:
    """The Python text of a face."""
    names = ["space" if char == " " else char for char in characters(face)] + ["any other"]
    size = face.width * face.pages
    per_line = max(1, 24 // size)
    lines = [
        f'"""The {face.name} face: {face.width}x{face.pages * 8} cells, page by page, bit 0 on top."""',
        "",
        f"# Generated by host_tools/fonts.py from X11 misc-fixed {source}, public domain. Do not edit.",
        "",
        f"WIDTH = {face.width}",
        f"PAGES = {face.pages}",
        f"FIRST = {ord(face.first)}  # the table: characters FIRST..LAST, those of EXTRA, a box for all others",
        f"LAST = {ord(face.last)}",
        f'EXTRA = "{face.extra}"',
        "GLYPHS = (",
    ]
    for at in range(0, len(table), per_line):
        data = "".join(f"\\x{byte:02x}" for byte in b"".join(table[at : at + per_line]))
        comment = f"  # {' '.join(names[at : at + per_line])}"
        if len(data) > 96:  # a large glyph fills several lines: one a page
            step = face.width * 4
            parts = [data[i : i + step] for i in range(0, len(data), step)]
            lines += [f'    b"{part}"' + (comment if part is parts[0] else "") for part in parts]
        else:
            lines.append(f'    b"{data}"{comment}')
    return "\n".join([*lines, ")", ""])


def main() -> None:
    """Write the three font modules."""
    parser = argparse.ArgumentParser(description="Make the font modules of the firmware from X11 misc-fixed PCF fonts.")
    for face in FACES:
        parser.add_argument(face.name, type=Path, help=f"PCF font for the {face.name} face")
    parser.add_argument("--out", type=Path, default=UI, help="folder to write to")
    arguments = parser.parse_args()
    for face in FACES:
        path: Path = getattr(arguments, face.name)
        source = path.name.split(".")[0].removesuffix("-ISO8859-1")
        text = module(face, glyphs(face, load(path)), source)
        (arguments.out / f"font_{face.name}.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
