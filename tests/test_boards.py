"""The board files: what the loader takes, what it says of a wrong one, their wiring, and all in the simulator."""

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from host_tools import boards, boards_svg
from host_tools.cli import main as tableside
from host_tools.errors import CommandError
from host_tools.firmware import BOARDS, file_name, modules
from host_tools.sim.bridge import VMS, Device
from host_tools.sim.script import Player, parse
from tableside.board_file import BoardError, check

pytestmark = pytest.mark.usefixtures("micropython")
I2C: dict[str, Any] = {
    "NAME": "Test", "PICO": "pico", "DISPLAY": "ssd1306", "I2C_ID": 0, "SDA": 4, "SCL": 5, "I2C_HZ": 400000,
    "DISPLAY_ADDRESS": 0x3C, "BUTTONS": (10, 11, 12, 13),
}  # fmt: skip
SPI: dict[str, Any] = {
    "NAME": "Test", "PICO": "pico_w", "DISPLAY": "sh1107", "SPI_ID": 1, "SCK": 10, "MOSI": 11, "CS": 9, "DC": 8,
    "RST": 12, "SPI_HZ": 4000000, "BUTTONS": (15, 17, 14),
}  # fmt: skip


def board(constants: dict[str, Any], **changed: Any) -> ModuleType:
    module = ModuleType("board")
    vars(module).update({name: value for name, value in {**constants, **changed}.items() if value != "missing"})
    return module


def test_what_is_left_out_is_filled_in() -> None:
    made = board(I2C)
    check(made)
    assert (made.ROTATION, made.LED, made.BUZZER, made.BATTERY_LOW_MV, made.SPI_ID, made.RST) == (
        0, "LED", None, 0, None, None)
    made = board(SPI)
    check(made)
    assert (made.ROTATION, made.I2C_ID) == (90, None)


@pytest.mark.parametrize("changed", [
    {"SDA": 0, "SCL": 1}, {"SDA": 20, "SCL": 21}, {"I2C_ID": 1, "SDA": 2, "SCL": 3},
    {"I2C_ID": 1, "SDA": 26, "SCL": 27},
    {"ROTATION": 180}, {"DISPLAY": "sh1106"}, {"LED": 25}, {"LED": 28}, {"BUZZER": 22}, {"BATTERY_LOW_MV": 3300},
    {"PICO": "pico2", "BATTERY_LOW_MV": 2200}, {"BUTTONS": (10, 11, 12)}, {"DISPLAY_ADDRESS": 0x3D},
])  # fmt: skip
def test_what_is_allowed(changed: dict[str, Any]) -> None:
    check(board(I2C, **changed))


@pytest.mark.parametrize(("start", "changed", "says"), [
    (I2C, {"NAME": ""}, "NAME = '': a text of 1..40 letters"),
    (I2C, {"NAME": 5}, "NAME = 5"),
    (I2C, {"PICO": "pico3"}, "PICO = 'pico3': one of pico, pico_w, pico2, pico2_w"),
    (I2C, {"DISPLAY": "st7789"}, "DISPLAY = 'st7789': one of sh1106, sh1107, ssd1306"),
    (I2C, {"DISPLAY": ["ssd1306"]}, "DISPLAY = ['ssd1306']: one of"),
    (I2C, {"ROTATION": 90}, "ROTATION = 90: 0 or 180 for ssd1306"),
    (SPI, {"ROTATION": 0}, "ROTATION = 0: 90 or 270 for sh1107"),
    (I2C, {"SDA": 6}, "SDA = 6: on bus 0 one of GP 0, 4, 8, 12, 16, 20, 28"),
    (I2C, {"SCL": 7}, "SCL = 7: on bus 0 one of GP 1, 5, 9, 13, 17, 21"),
    (I2C, {"SDA": 5, "SCL": 4}, "SDA = 5"),
    (I2C, {"I2C_ID": 1}, "SDA = 4: on bus 1 one of GP 2, 6, 10, 14, 18, 22, 26"),
    (I2C, {"I2C_ID": 2}, "I2C_ID = 2: a number 0..1"),
    (I2C, {"I2C_HZ": 4000000}, "I2C_HZ = 4000000: a number 10000..1000000"),
    (I2C, {"I2C_HZ": "fast"}, "I2C_HZ = 'fast'"),
    (I2C, {"DISPLAY_ADDRESS": 0x78}, "DISPLAY_ADDRESS = 120: 0x3C or 0x3D"),
    (I2C, {"SDA": "missing"}, "SDA is missing"),
    (I2C, {"BUTTONS": "missing"}, "BUTTONS is missing"),
    (I2C, {"SCK": 10}, "SCK = 10: not beside I2C_ID: a board has one bus"),
    (I2C, {"DISPLAY_ADRESS": 0x3D}, "DISPLAY_ADRESS = 61: no such constant"),
    (I2C, {"BUTTONS": (10, 11)}, "BUTTONS = (10, 11): 3 or 4 GP numbers"),
    (I2C, {"BUTTONS": 10}, "BUTTONS = 10: 3 or 4 GP numbers"),
    (I2C, {"BUTTONS": (10, 11, 12, 23)}, "BUTTONS = 23: a GP number: 0..22, 26, 27 or 28"),
    (I2C, {"BUTTONS": (10, 11, 12, True)}, "BUTTONS = True: a GP number"),
    (I2C, {"BUTTONS": (10, 11, 10, 13)}, "BUTTONS = 10: GP10 is used already, by BUTTONS"),
    (I2C, {"BUTTONS": (10, 11, 12, 5)}, "BUTTONS = 5: GP5 is used already, by SCL"),
    (I2C, {"BUZZER": 13}, "BUZZER = 13: GP13 is used already, by BUTTONS"),
    (I2C, {"BUZZER": 29}, "BUZZER = 29: a GP number"),
    (I2C, {"LED": "GREEN"}, "LED = 'GREEN': \"LED\" for the one on the board"),
    (I2C, {"LED": 25, "PICO": "pico_w"}, "LED = 25"),
    (I2C, {"BATTERY_LOW_MV": 3300, "PICO": "pico2_w"}, "BATTERY_LOW_MV = 3300: 0 on a W board"),
    (I2C, {"BATTERY_LOW_MV": 9000}, "BATTERY_LOW_MV = 9000: a number 0..5000"),
    (SPI, {"SCK": 9}, "SCK = 9: on bus 1 one of GP 10, 14, 26"),
    (SPI, {"SPI_ID": 0}, "SCK = 10: on bus 0 one of GP 2, 6, 18, 22"),
    (SPI, {"MOSI": 10}, "MOSI = 10: on bus 1 one of GP 11, 15, 27"),
    (SPI, {"RST": None}, "RST = None: a GP number"),
    (SPI, {"SPI_HZ": 1}, "SPI_HZ = 1: a number"),
    (SPI, {"SDA": 4}, "SDA = 4: not beside SPI_ID"),
])  # fmt: skip
def test_what_is_wrong_is_said(start: dict[str, Any], changed: dict[str, Any], says: str) -> None:
    with pytest.raises(BoardError, match="^" + re.escape(says)):
        check(board(start, **changed))


# -- the boards there are


@pytest.mark.parametrize("name", boards.names())
def test_a_board_is_right_and_its_header_is_its_wiring(name: str) -> None:
    made = boards.load_board(name)
    assert made.__doc__
    table = "\n".join(f"    {line}" for line in boards.table(boards.wiring(made)))
    assert table in made.__doc__
    assert (BOARDS / name / "wiring.svg").read_text() == boards_svg.drawing(made), f"tableside boards {name} --svg FILE"


def test_there_is_a_board_of_every_kind() -> None:
    made = {name: boards.load_board(name) for name in boards.names()}
    assert {name for name in made if name == made[name].PICO} == {"pico", "pico_w", "pico2", "pico2_w"}
    assert {one.DISPLAY for one in made.values()} == {"ssd1306", "sh1106", "sh1107"}
    assert {len(one.BUTTONS) for one in made.values()} == {3, 4}


def test_a_wrong_board_is_named_with_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host_tools.firmware.BOARDS", tmp_path)
    for name, text in (("odd", "NAME = 7\n"), ("broken", "NAME = \n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "board.py").write_text(text)
        with pytest.raises(CommandError, match=f"{name}/board.py"):
            boards.load_board(name)


# -- the command


def test_the_command_lists_and_shows_boards(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert tableside(["boards"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in boards.names())
    assert tableside(["boards", "pico_sh1107", "--svg", str(tmp_path / "w.svg")]) == 0
    assert "RST (RES)" in capsys.readouterr().out
    assert (tmp_path / "w.svg").read_text().startswith("<svg")
    assert tableside(["boards", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["boards"]
    assert [one["name"] for one in listed] == boards.names()
    assert listed[0]["wires"][2] == {"what": "display SDA", "name": "GP4", "pin": 6,
                                     "to": "SDA (the module has pull-ups)"}
    assert tableside(["boards", "nonsense"]) == 1
    assert "no board 'nonsense'" in capsys.readouterr().err
    assert tableside(["boards", "--svg", "x"]) == 1


# -- a frozen build


class Manifest:
    """Carries out a manifest.py and notes what it freezes."""

    def __init__(self) -> None:
        self.frozen: set[str] = set()
        self.included: list[str] = []

    def run(self, path: Path) -> set[str]:
        self.folder = path.parent
        exec(compile(path.read_text(), path, "exec"), {  # noqa: S102
            "include": self.include, "package": self.package, "module": self.module})
        return self.frozen

    def include(self, path: str) -> None:
        if path.startswith("$("):
            self.included.append(path)
        else:
            outer = self.folder
            self.run(self.folder / path)
            self.folder = outer

    def package(self, name: str, base_path: str = ".") -> None:
        base = (self.folder / base_path).resolve()
        self.frozen |= {str(file.relative_to(base)) for file in (base / name).rglob("*.py")}

    def module(self, name: str, base_path: str = ".") -> None:
        assert (self.folder / base_path / name).is_file()
        self.frozen.add(name)


@pytest.mark.parametrize("name", boards.names())
def test_a_frozen_build_has_the_whole_firmware(name: str) -> None:
    manifest = Manifest()
    frozen = manifest.run(BOARDS / name / "manifest.py")
    assert frozen == {*[file_name(module, file) for module, file in modules().items()], "main.py", "board.py"}
    assert manifest.included == ["$(PORT_DIR)/boards/manifest.py"]


# -- in the simulator

SCRIPT = """
wait 300
press OK
press DOWN x2
press UP
press OK x3
wait 200
press DOWN
"""


def frames(name: str, vm: str, folder: Path, packs: Path) -> list[str]:
    """The pictures of one script."""
    (folder / "packs").mkdir(parents=True)
    for pack in ("nemesis", "ambush"):
        (folder / "packs" / f"{pack}.tspk").write_bytes((packs / f"{pack}.tspk").read_bytes())
    (folder / "settings.json").write_text('{"hints": 255}')
    (folder / "script.txt").write_text(SCRIPT)
    with Device(folder, vm, board=name, seed="00") as device:
        device.run_ms(100)  # a display that is reset is dark for a moment
        player = Player(device, folder)
        player.play(parse(folder / "script.txt"))
        assert device.outputs["LED"] == 0
        return player.frames


@pytest.mark.parametrize("vm", VMS)
def test_every_board_shows_the_same(vm: str, tmp_path: Path, packs: Path) -> None:
    seen = {name: frames(name, vm, tmp_path / name, packs) for name in boards.names()}
    assert len(seen["pico"]) > 5
    assert {name for name, shown in seen.items() if shown != seen["pico"]} == set()


@pytest.mark.parametrize("vm", VMS)
def test_a_display_on_the_other_address_is_found(vm: str, tmp_path: Path) -> None:
    with Device(tmp_path, vm, address=0x3D) as device:
        device.run_ms(300)
        assert any(device.frame) and device.outputs["LED"] == 0
    assert device.serial == []


@pytest.mark.parametrize("vm", VMS)
@pytest.mark.parametrize("text", ["NAME = 7\n", "NAME = \n", "raise OSError\n", None])
def test_a_wrong_board_file_is_said_and_the_led_blinks(vm: str, text: str | None, tmp_path: Path,
                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "boards" / "odd"
    folder.mkdir(parents=True)
    if text is not None:
        (folder / "board.py").write_text(text)
    monkeypatch.setattr("host_tools.sim.bridge.BOARDS", tmp_path / "boards")
    monkeypatch.setattr("host_tools.sim.bridge.load_board", lambda name: boards.load_board("pico"))
    with Device(tmp_path, vm, board="odd") as device:
        levels = []
        for _ in range(120):
            device.run_ms(50)
            levels.append(device.outputs["LED"])
    assert "0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1" in ", ".join(map(str, levels))
    said = [line for line in device.serial if line.startswith("board.py cannot be used:")]
    assert len(said) >= 2, "said again and again, for whoever plugs in later"


@pytest.mark.parametrize("vm", VMS)
def test_the_buzzer_ticks_for_a_moment_if_it_is_set_to(vm: str, tmp_path: Path) -> None:
    for ticks in (0, 1):
        (tmp_path / "settings.json").write_text(json.dumps({"ticks": ticks, "hints": 255}))
        with Device(tmp_path, vm, board="pico_sh1106") as device:
            device.run_ms(300)
            device.press(2)
            levels = []
            for _ in range(20):
                device.run_ms(5)
                levels.append(device.outputs["15"])
        assert sum(levels) == ticks and levels[-1] == 0


@pytest.mark.parametrize("vm", VMS)
def test_the_supply_is_measured_where_it_can_be(vm: str, tmp_path: Path) -> None:
    from host_tools.sim.ssd1306 import visible_text

    (tmp_path / "settings.json").write_text('{"hints": 255}')
    for name, says in (("pico", True), ("pico_w", False)):
        with Device(tmp_path, vm, board=name, supply_mv=3120) as device:
            device.run_ms(31000)
            assert ("Battery low: 3.1 V" in visible_text(device.frame)) == says
        assert device.serial == []
