"""The boards of boards/: their constants, checked as on the device, and the wiring that follows from them."""

import importlib.util
from dataclasses import dataclass
from types import ModuleType

from host_tools.errors import CommandError
from host_tools.firmware import BOARDS, board_file
from tableside import board_file as checks

# The 40 pins of every Pico, counted from the USB socket down the left side and up the right one.
PINS = (
    "GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7",
    "GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15",
    "GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN",
    "GP26", "GP27", "AGND", "GP28", "ADC_VREF", "3V3(OUT)", "3V3_EN", "GND", "VSYS", "VBUS",
)  # fmt: skip
KEYS = ("UP", "DOWN", "OK", "BACK")
_DISPLAY_GROUND = 38
_SUPPLY = 39
# What the pins of a display are called on it.
_ON_DISPLAY = {
    "SDA": "SDA (the module has pull-ups)", "SCL": "SCL", "SCK": "CLK (SCK, SCL)", "MOSI": "DIN (MOSI, SDA)",
    "CS": "CS", "DC": "DC", "RST": "RST (RES)",
}  # fmt: skip


@dataclass(frozen=True)
class Wire:
    """One wire. Attributes: what: its name; pin: of the Pico, 1..40; to: where it goes; part: of the build."""

    what: str
    pin: int
    to: str
    part: str

    @property
    def name(self) -> str:
        """What the pin is called on the Pico."""
        return PINS[self.pin - 1]


def names() -> list[str]:
    """All boards."""
    return sorted(file.parent.name for file in BOARDS.glob("*/board.py"))


def load_board(name: str) -> ModuleType:
    """The constants of a board, checked. Raises: CommandError for a wrong one, or naming those there are."""
    path = board_file(name)
    spec = importlib.util.spec_from_file_location(f"board_{name}", path)
    assert spec and spec.loader
    board = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(board)
        checks.check(board)
    except Exception as error:  # noqa: BLE001 - the file is edited by hand and may hold anything
        raise CommandError(f"{path}: {error}") from error
    return board


def gp_pin(gp: int) -> int:
    """Where a GP number is, 1..40."""
    return PINS.index(f"GP{gp}") + 1


def wiring(board: ModuleType) -> list[Wire]:
    """All wires of a board, the display's first."""
    bus = checks.I2C_PINS if board.SPI_ID is None else checks.SPI_PINS
    module = f"the {board.DISPLAY.upper()} display"
    wires = [Wire("display VCC", PINS.index("3V3(OUT)") + 1, f"VCC of {module}", "display"),
             Wire("display GND", _DISPLAY_GROUND, "GND", "display")]
    wires += [Wire(f"display {pin}", gp_pin(getattr(board, pin)), _ON_DISPLAY[pin], "display") for pin in bus]
    wires += [Wire(key, gp_pin(gp), "a push button to ground", key)
              for key, gp in zip(KEYS, board.BUTTONS, strict=False)]
    pins = [wire.pin for wire in wires if wire.part in KEYS]
    middle = sum(pins) / len(pins)
    grounds = [at for at, name in enumerate(PINS, 1) if name == "GND" and at != _DISPLAY_GROUND]
    ground = min(grounds, key=lambda at: (abs(at - middle), -at))
    others = "the buttons" if board.BUZZER is None else "buttons and buzzer"
    wires.append(Wire("ground", ground, f"the other side of {others}", "ground"))
    if board.BUZZER is not None:
        wires.append(Wire("buzzer", gp_pin(board.BUZZER), "a passive piezo buzzer", "buzzer"))
    if isinstance(board.LED, int) and board.LED != checks.PICO_LED:
        wires.append(Wire("LED", gp_pin(board.LED), "an LED with a resistor to ground", "LED"))
    if board.BATTERY_LOW_MV:
        wires.append(Wire("battery", _SUPPLY, "its + by a Schottky diode; its - to GND", "battery"))
    return wires


def table(wires: list[Wire]) -> list[str]:
    """The wiring as the header of a board file has it."""
    rows = [("what", "Pico", "to")] + [(wire.what, f"{wire.name}, pin {wire.pin}", wire.to) for wire in wires]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    rows.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2]))
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
