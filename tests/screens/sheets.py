"""Sheets of pictures: button scripts walk through every screen on the real VM, and their shots stand side by side.

`make screens` writes docs/screens/sheets, and below it the same in every other language; the tests compare every pixel.
"""

import json
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from host_tools.firmware import FIRMWARE, ROOT, write_languages
from host_tools.firmware import sources as firmware_sources
from host_tools.interface import english, translate
from host_tools.packs.build import find_games
from host_tools.packs.compiler import compile_file
from host_tools.sim.bridge import Device
from host_tools.sim.oled import HEIGHT, WIDTH, to_image
from host_tools.sim.script import Action, Player, parse
from host_tools.sim.ssd1306 import visible_text
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


ENGLISH = "en"
LANGUAGES = (ENGLISH, "de")
_BEGINNING = 10  # characters of a row that tell it from others
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
    "trouble": Sheet(("nemesis",), files=(("settings.json", '{"dim_after_s": 15, "sleep_after_s": 60}'),)),
    "broken": Sheet(("nemesis",), files=(("settings.json", "{"), ("packs/broken.tspk", "TSPK"), ("sessions", ""))),
    "attack": Sheet(("dice",)),
    "systems": Sheet(("dice",)),
    "tools": Sheet(("nemesis",), files=(("settings.json", '{"hints": 255}'),)),
    "clock": Sheet(("nemesis",), files=(("settings.json", '{"hints": 255, "clock": 1, "round_min": 2}'),)),
    "three": Sheet(("ambush",), "pico_three"),
    "turned": Sheet(("ambush",), files=(("settings.json", '{"turn": 1, "hints": 7}'),)),
}

NOT_TRANSLATED = ("broken",)  # its settings cannot be read

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
    """A player that keeps the frames of its shots.

    Args: words: of another language, by those of the script; they may be several, and there what is expected is not
        looked for.
    """

    def __init__(self, device: Device, folder: Path, words: list[tuple[str, str]]) -> None:
        self.kept: list[tuple[str, bytes]] = []
        self._words = words
        super().__init__(device, folder)

    def _expect(self, action: Action) -> None:
        if not self._words:
            super()._expect(action)

    def _to(self, action: Action) -> None:
        text = action.words[0]
        rows = [text, *(there for here, there in self._words if here.startswith(text))]
        rows += [there + text[len(here):] for here, there in self._words if here and text.startswith(here)]
        found = tuple("> " + row[:_BEGINNING] for row in rows)
        before = b""
        while not any(line.startswith(found) for line in visible_text(self._device.frame).splitlines()):
            if self._device.frame == before:
                raise self._missed(action, " or ".join(rows))
            before = self._device.frame
            self._stroke("DOWN", 60)

    def _save(self, name: str) -> Path:
        self.kept.append((name, self._device.frame))
        return super()._save(name)


def words_of(language: str, sources: list[Path]) -> list[tuple[str, str]]:
    """The words of the interface and of packs in English and in another language; none for English."""
    if language == ENGLISH:
        return []
    texts = english(firmware_sources())
    _, there = translate(FIRMWARE / "languages" / f"{language}.toml", texts)
    pairs: list[tuple[str, str]] = []
    for key, here in texts.items():
        other = there[key]
        if isinstance(here, dict) and isinstance(other, dict):
            both = [(here.get(one, one.replace("_", " ")), word) for one, word in other.items()]
            pairs += [(old[:1].upper() + old[1:], new[:1].upper() + new[1:]) for old, new in both]
        elif isinstance(here, str):
            pairs.append((here, str(other)))
        else:
            pairs += list(zip(here, other, strict=True))
    for source in sources:
        pairs += tomllib.loads(source.read_text()).get("translation", {}).get(language, {}).items()
    return pairs


def files_of(name: str, language: str) -> dict[str, str]:
    """The files of a sheet's device, with the setting of the language."""
    files = dict(ALL[name].files)
    if language != ENGLISH:
        settings = json.loads(files.get("settings.json", "{}"))
        files["settings.json"] = json.dumps({**settings, "language": language})
    return files


def play(name: str, vm: str, language: str = ENGLISH) -> Shots:
    """Play the script of a sheet on a fresh device. Raises: CommandError."""
    sources = [find_games().get(pack, _TESTS / f"{pack}.toml") for pack in ALL[name].packs]
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        packs = Path(folder) / "packs"
        packs.mkdir()
        for source in sources:
            compiled = compile_file(source)
            (packs / f"{compiled.id}.tspk").write_bytes(compiled.data)
        write_languages(Path(folder))
        for file, content in files_of(name, language).items():
            (Path(folder) / file).write_text(content)
        with Device(Path(folder), vm, ALL[name].board, seed="00") as device:
            player = Shots(device, Path(folder) / "shots", words_of(language, sources))
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


def sheet_file(name: str, language: str) -> Path:
    """Where the picture of a sheet is."""
    return (SHEETS if language == ENGLISH else SHEETS / language) / f"{name}.png"


def sheets() -> list[tuple[str, str]]:
    """Every sheet and language that there is."""
    return [(name, language) for language in LANGUAGES for name in ALL
            if language == ENGLISH or name not in NOT_TRANSLATED]


def main(names: list[str]) -> None:
    """Write the sheets of these names, or all, in every language."""
    for name, language in sheets():
        if not names or name in names:
            file = sheet_file(name, language)
            file.parent.mkdir(parents=True, exist_ok=True)
            draw(play(name, "micropython", language).kept).save(file)
            print(file)


if __name__ == "__main__":
    main(sys.argv[1:])
