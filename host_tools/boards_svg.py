"""A drawing of a board's wiring: the Pico from above, and the parts around it."""

import itertools
from html import escape
from types import ModuleType

from host_tools.boards import KEYS, PINS, Wire, wiring

_ROW = 24
_TOP = 96
_LEFT_X, _RIGHT_X = 430, 610  # the edges of the Pico
_BOX = 150
_BOX_LEFT, _BOX_RIGHT = 30, 790
_LANE = 11
_WIDTH, _HEIGHT = 970, 620
_COLOURS = {"3V3(OUT)": "#c0392b", "VSYS": "#c0392b", "GND": "#222222"}
_SIGNALS = ("#1f6fb2", "#2e8b57", "#b8860b", "#7d3c98", "#c2549d", "#0e8a8a", "#d2691e", "#5d6d7e")
_TITLES = {"ground": "every button", "buzzer": "buzzer", "battery": "battery", "LED": "LED"}

_LABELS = {"ground": "the other side", "buzzer": "one side", "battery": "+ by a diode", "LED": "by a resistor"}


def _pin_at(pin: int) -> tuple[int, int]:
    """Where a pin of the Pico is drawn."""
    left = pin <= len(PINS) // 2
    return (_LEFT_X if left else _RIGHT_X), _TOP + _ROW * (pin - 1 if left else len(PINS) - pin)


def _text(x: int, y: int, text: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}"{more}>{escape(text)}</text>'


def _line(points: list[tuple[int, int]], colour: str) -> str:
    path = " ".join(f"{x},{y}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-linejoin="round"/>'


def _pico(title: str, used: set[int]) -> list[str]:
    """The board with its 40 pins."""
    drawn = [
        f'<rect x="{_LEFT_X}" y="{_TOP - 30}" width="{_RIGHT_X - _LEFT_X}" height="{20 * _ROW + 36}" rx="8" '
        'fill="#dff0e3" stroke="#2b5d38" stroke-width="2"/>',
        f'<rect x="{(_LEFT_X + _RIGHT_X) // 2 - 25}" y="{_TOP - 42}" width="50" height="26" fill="#c8c8c8" '
        'stroke="#555555"/>',
        _text((_LEFT_X + _RIGHT_X) // 2, _TOP - 24, "USB", ' text-anchor="middle"'),
        _text((_LEFT_X + _RIGHT_X) // 2, _TOP + 20 * _ROW + 28, title, ' text-anchor="middle" font-weight="bold"'),
    ]
    for pin, name in enumerate(PINS, 1):
        x, y = _pin_at(pin)
        left = x == _LEFT_X
        fill = "#ffd34d" if pin in used else "#ffffff"
        more = ' font-weight="bold"' if pin in used else ' fill="#777777"'
        drawn.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{fill}" stroke="#2b5d38"/>')
        side = "" if left else ' text-anchor="end"'
        drawn.append(_text(x + (12 if left else -12), y + 4, f"{pin} {name}" if left else f"{name} {pin}", side + more))
    return drawn


def _box(x: int, y: int, rows: list[str], title: str, terminals_right: bool) -> list[str]:
    """A part: a title, then a row for each terminal."""
    drawn = [f'<rect x="{x}" y="{y}" width="{_BOX}" height="{_ROW * (len(rows) + 1)}" rx="4" fill="#eef2fa" '
             'stroke="#34495e" stroke-width="1.5"/>',
             _text(x + _BOX // 2, y + 17, title, ' text-anchor="middle" font-weight="bold"')]
    for number, row in enumerate(rows, 1):
        edge, side = (x + _BOX - 10, ' text-anchor="end"') if terminals_right else (x + 10, "")
        drawn.append(_text(edge, y + _ROW * number + 17, row, side))
    return drawn


def _parts(wires: list[Wire]) -> list[list[Wire]]:
    """The wires by part: the display first, with the wires that come over the top before the others."""
    display = sorted((wire for wire in wires if wire.part == "display"), key=lambda wire: (wire.pin <= 20, wire.pin))
    others = sorted((wire for wire in wires if wire.part != "display"), key=lambda wire: _pin_at(wire.pin)[1])
    return [display, *[[wire] for wire in others]]


def _label(wire: Wire) -> str:
    """What a terminal is called in the drawing."""
    if wire.part == "display":
        return wire.what.split()[1]
    if wire.part in KEYS:
        return "one side"
    return _LABELS.get(wire.part, "")


def _left_wires(wires: list[tuple[Wire, int]], colours: dict[str, str]) -> list[str]:
    """Wires of the left side, each in a lane of its own so that none lies on or crosses another."""
    up = [(wire, y) for wire, y in wires if y <= _pin_at(wire.pin)[1]]
    down = [(wire, y) for wire, y in wires if y > _pin_at(wire.pin)[1]]
    drawn = []
    for lane, (wire, y) in enumerate([*up, *reversed(down)]):
        x_pin, y_pin = _pin_at(wire.pin)
        x = x_pin - 24 - _LANE * lane
        drawn.append(_line([(x_pin - 6, y_pin), (x, y_pin), (x, y), (_BOX_LEFT + _BOX, y)], colours[wire.what]))
    return drawn


def _over_the_top(number: int, wire: Wire, y: int, colour: str) -> str:
    """A wire from the right side of the Pico to a part on the left."""
    x_pin, y_pin = _pin_at(wire.pin)
    x_right, x_left, y_top = x_pin + 30 - 14 * number, _BOX_LEFT + _BOX + 22 + 14 * number, 24 + 14 * number
    return _line([(x_pin + 6, y_pin), (x_right, y_pin), (x_right, y_top), (x_left, y_top), (x_left, y),
                  (_BOX_LEFT + _BOX, y)], colour)


def drawing(board: ModuleType) -> str:
    """The wiring of a board as SVG."""
    wires = wiring(board)
    signals = itertools.cycle(_SIGNALS)
    colours = {wire.what: _COLOURS.get(wire.name) or next(signals) for wire in wires}
    drawn = _pico(board.NAME, {wire.pin for wire in wires})
    lines: list[str] = []
    left: list[tuple[Wire, int]] = []
    y_left = y_right = 64
    for part in _parts(wires):
        title = board.DISPLAY.upper() if part[0].part == "display" else _TITLES.get(part[0].part, part[0].part)
        on_left = part[0].part == "display" or part[0].pin <= 20
        if on_left:
            y = y_left
            y_left += _ROW * (len(part) + 1) + 8
        else:
            y = max(y_right, _pin_at(part[0].pin)[1] - 36)
            y_right = y + _ROW * 2 + 8
        drawn += _box(_BOX_LEFT if on_left else _BOX_RIGHT, y, [_label(wire) for wire in part], title, on_left)
        for number, wire in enumerate(part):
            y_end = y + _ROW * (number + 1) + 12
            if on_left and wire.pin <= 20:
                left.append((wire, y_end))
            elif on_left:
                lines.append(_over_the_top(number, wire, y_end, colours[wire.what]))
            else:
                x, y_pin = _pin_at(wire.pin)
                middle = _BOX_RIGHT - 40
                lines.append(_line([(x + 6, y_pin), (middle, y_pin), (middle, y_end), (_BOX_RIGHT, y_end)],
                                   colours[wire.what]))
    lines += _left_wires(left, colours)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>', *drawn, *lines, "</svg>", "",
    ])
