"""Sheets of pictures: button scripts walk through every screen on the real VM, and their shots stand side by side.

`make screens` writes docs/screens/sheets; the tests compare every pixel.
"""

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from host_tools.firmware import ROOT
from host_tools.packs.build import find_games
from host_tools.packs.compiler import compile_file
from host_tools.sim.bridge import Device
from host_tools.sim.oled import HEIGHT, WIDTH, to_image
from host_tools.sim.script import Player, parse
from tableside.ui import font_small
from tableside.ui.canvas import Canvas

SCRIPTS = Path(__file__).parent
SHEETS = ROOT / "docs" / "screens" / "sheets"
_SCALE = 2
_COLUMNS = 4
_GAP = 12
_CAPTION = 8
_TESTS = ROOT / "tests" / "data"


class Sheet(NamedTuple):
    """A script and the device it runs on: its packs, board and other files."""

    packs: tuple[str, ...]
    board: str = "pico"
    files: tuple[tuple[str, str], ...] = ()


ALL = {
    "home": Sheet(("ambush", "nemesis")),
    "play": Sheet(("nemesis",)),
    "menu": Sheet(("nemesis",)),
    "secrets": Sheet(("ambush",)),
    "units": Sheet(("nemesis",)),
    "picks": Sheet(("hands",)),
    "wordy": Sheet(("wordy",)),
    "builder": Sheet(("drill",)),
    "abilities": Sheet(("skirmish",)),
    "campaign": Sheet(("saga",)),
    "club": Sheet(("saga",), files=(("roster.json", '{"players": ["Ann", "Ben", "Cora"], '
                                     '"pairings": [[1, "Ann", "Ben"], [2, "Cora", "Dan"]]}'),)),
    "ask": Sheet(("death_angel",)),
    "trouble": Sheet(("nemesis",)),
    "broken": Sheet(("nemesis",), files=(("settings.json", "{"), ("packs/broken.tspk", "TSPK"), ("sessions", ""))),
    "attack": Sheet(("dice",)),
    "systems": Sheet(("dice",)),
    "tools": Sheet(("nemesis",), files=(("settings.json", '{"hints": 255}'),)),
    "clock": Sheet(("nemesis",), files=(("settings.json", '{"hints": 255, "clock": 1, "round_min": 10}'),)),
    "three": Sheet(("ambush",), "pico_three"),
    "turned": Sheet(("ambush",), files=(("settings.json", '{"turn": 1, "hints": 7}'),)),
}

# Where each screen is to be seen. A screen that is not here fails the tests.
SHOWN = {
    "Abilities": "abilities/use-now",
    "About": "home/about-packs",
    "AddUnit": "units/add",
    "Also": "attack/also",
    "Amend": "attack/amend",
    "Ask": "ask/card",
    "Attacks": "attack/attacks",
    "Average": "tools/average",
    "Bins": "attack/bins",
    "Board": "ask/formation",
    "Build": "builder/weapons",
    "ByHand": "ask/by-hand",
    "ByNumbers": "units/models",
    "Campaign": "campaign/campaign",
    "Campaigns": "campaign/campaigns",
    "CardPage": "secrets/card",
    "Checklist": "play/checklist",
    "ChooseGame": "home/choose-game",
    "ChooseScenario": "home/choose-mission",
    "ClockPage": "play/clock",
    "Coin": "tools/coin",
    "Counters": "play/counters",
    "Decision": "attack/decision",
    "DeckPage": "secrets/deck",
    "Dice": "play/dice",
    "Die": "attack/die",
    "Edit": "play/edit",
    "End": "menu/end",
    "Enter": "campaign/enter",
    "FindCard": "secrets/find",
    "GoBack": "menu/back-to",
    "Guide": "builder/question",
    "HistoryPage": "menu/history",
    "Home": "home/home",
    "InForce": "abilities/in-force",
    "Jump": "menu/jump",
    "Letters": "club/letters",
    "Menu": "menu/menu",
    "Message": "broken/not-saved",
    "New": "campaign/begin",
    "OnWhom": "abilities/on-whom",
    "Option": "home/contrast",
    "Options": "home/settings",
    "Others": "abilities/why-not",
    "Outcome": "attack/outcome",
    "OwnDice": "tools/own-count",
    "Pager": "menu/notes",
    "PassDevice": "secrets/pass",
    "Past": "club/past",
    "Pick": "attack/pick",
    "PickCard": "picks/slots",
    "PickCounts": "attack/pick-counts",
    "PickNumber": "tools/one-of",
    "PickPlace": "picks/place",
    "PickUnit": "picks/unit",
    "Play": "play/play",
    "Players": "club/players",
    "Profile": "attack/weapon",
    "PutCard": "secrets/put",
    "Question": "play/question",
    "Reminders": "play/reminder",
    "Rename": "club/rename",
    "Result": "secrets/conceded",
    "RollOff": "tools/roll-off",
    "Rolled": "tools/rolled",
    "Results": "club/results",
    "RolledPage": "attack/rolled-v-expected",
    "Roster": "units/roster",
    "Salt": "menu/salt",
    "SavedGames": "menu/saved-games",
    "Scatter": "tools/scatter",
    "Setup": "attack/setup",
    "Side": "club/side",
    "Start": "builder/start",
    "Sure": "menu/delete",
    "Target": "attack/target",
    "Targets": "attack/targets",
    "Tools": "tools/tools",
    "TopPage": "secrets/top",
    "UnitPage": "units/unit",
    "Use": "abilities/again",
    "Weapons": "attack/weapons",
    "ZonePage": "secrets/hand",
}


class Shots(Player):
    """A player that keeps the frames of its shots."""

    def __init__(self, device: Device, folder: Path) -> None:
        self.kept: list[tuple[str, bytes]] = []
        super().__init__(device, folder)

    def _save(self, name: str) -> Path:
        self.kept.append((name, self._device.frame))
        return super()._save(name)


def play(name: str, vm: str) -> Shots:
    """Play the script of a sheet on a fresh device. Raises: CommandError."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        packs = Path(folder) / "packs"
        packs.mkdir()
        for pack in ALL[name].packs:
            compiled = compile_file(find_games().get(pack, _TESTS / f"{pack}.toml"))
            (packs / f"{pack}.tspk").write_bytes(compiled.data)
        for file, content in ALL[name].files:
            (Path(folder) / file).write_text(content)
        with Device(Path(folder), vm, ALL[name].board, seed="00") as device:
            player = Shots(device, Path(folder) / "shots")
            player.play(parse(SCRIPTS / f"{name}.txt"))
    return player


def draw(shots: list[tuple[str, bytes]]) -> Image.Image:
    """The shots in rows, each with its name below it."""
    rows = -(-len(shots) // _COLUMNS)
    width, height = WIDTH * _SCALE + _GAP, HEIGHT * _SCALE + (_CAPTION + 4) * _SCALE + _GAP
    sheet = Image.new("RGB", (_COLUMNS * width + _GAP, rows * height + _GAP), (96, 96, 96))
    for i, (name, frame) in enumerate(shots):
        x, y = _GAP + i % _COLUMNS * width, _GAP + i // _COLUMNS * height
        sheet.paste(to_image(frame, _SCALE), (x, y))
        caption = Canvas()
        caption.text(name, 0, 0, font_small)
        words = to_image(bytes(caption.buf), _SCALE).crop((0, 0, WIDTH * _SCALE, _CAPTION * _SCALE))
        sheet.paste(words, (x, y + (HEIGHT + 2) * _SCALE))
    return sheet


def main(names: list[str]) -> None:
    """Write the sheets of these names, or all."""
    SHEETS.mkdir(parents=True, exist_ok=True)
    for name in names or ALL:
        draw(play(name, "micropython").kept).save(SHEETS / f"{name}.png")
        print(SHEETS / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
