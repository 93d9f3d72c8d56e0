"""A chart of odds as a picture: bars of each number of an outcome."""

import io
from fractions import Fraction
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from host_tools.files import replace_file

_WIDTH = 800
_PANEL = 260
_EDGE = 40
_SIZE = 14
_COLUMNS_MOST = 60  # more of them are drawn without the tail
_INK, _PALE, _BAR, _MEAN = "#202020", "#c8c8c8", "#2f6f9f", "#c04020"


def percent(part: Fraction) -> str:
    """A part rounded to a tenth of a percent; what may be, or may not be, is never shown as 0 or 100."""
    tenths = round(part * 1000)
    if not tenths and part:
        return "<0.1%"
    if tenths == 1000 and part != 1:
        return ">99.9%"
    return f"{tenths / 10:.1f}%"


def draw(file: Path, each: dict[str, dict[int, Fraction]], mean: dict[str, Fraction]) -> None:
    """Draw a panel for each name with the odds of its values. Raises OSError if it cannot be written."""
    image = Image.new("RGB", (_WIDTH, _PANEL * len(each)), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(_SIZE)
    for i, (name, parts) in enumerate(each.items()):
        _panel(pen, font, i * _PANEL, f"{name.replace('_', ' ')}: mean {float(mean[name]):.3f}", parts,
               float(mean[name]))
    data = io.BytesIO()
    image.save(data, "PNG")
    replace_file(file, data.getvalue())


def _panel(pen: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, top: int, title: str,
           parts: dict[int, Fraction], mean: float) -> None:
    low, high = shown(parts)
    columns = high - low + 1
    width = (_WIDTH - 2 * _EDGE) / columns
    base = top + _PANEL - 30
    height = _PANEL - 80
    most = float(max(parts.values()))
    pen.text((_EDGE, top + 10), title, _INK, font)
    for value in range(low, high + 1):
        left = _EDGE + (value - low) * width
        part = float(parts.get(value, 0))
        if part:
            pen.rectangle((left + width * 0.1, base - height * part / most, left + width * 0.9, base), _BAR)
        middle = left + width / 2
        if width >= 40 and part:
            pen.text((middle, base - height * part / most - 2), percent(parts[value]), _INK, font, "ms")
        if width >= 20 or value % 5 == 0:
            pen.text((middle, base + 4), str(value), _INK, font, "mt")
    pen.line((_EDGE, base, _WIDTH - _EDGE, base), _PALE)
    at = _EDGE + (mean - low + 0.5) * width
    if low <= mean <= high:
        pen.line((at, base - height, at, base), _MEAN)


def shown(parts: dict[int, Fraction]) -> tuple[int, int]:
    """The first and last value to draw: all of them, or as many as fit without the less likely end."""
    low, high = min(parts), max(parts)
    while high - low >= _COLUMNS_MOST:
        if parts.get(low, 0) < parts.get(high, 0):
            low += 1
        else:
            high -= 1
    return low, high
