"""The evening of docs/play.md: made by button scripts, a power cut in the middle, and shown picture by picture."""

import re
from pathlib import Path

import game_scripts
import pytest

from host_tools.cli import main
from host_tools.firmware import ROOT
from host_tools.packs.build import build_into

PAGE = ROOT / "docs" / "play.md"
FOLDER = "screens/evening"
LEFT_OUT = "..."


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory, micropython: str) -> tuple[Path, dict[str, Path]]:
    """The device at the end of the evening, and its pictures."""
    folder = tmp_path_factory.mktemp("evening")
    build_into(folder / "packs")
    return folder / "device", game_scripts.play_evening(folder / "device", folder / "packs")


def test_the_pictures_are_those_of_the_scripts(evening: tuple[Path, dict[str, Path]]) -> None:
    device, pictures = evening
    made = {name: file.read_bytes() for name, file in pictures.items()}
    known = {file.name: file.read_bytes() for file in game_scripts.EVENING_PICTURES.iterdir()}
    assert list(made) == sorted(known), "see `make screens`"
    assert [name for name in made if made[name] != known[name]] == [], "see `make screens`"
    assert len({name.split("-", 1)[1] for name in made}) == len(made), "two pictures with one name"
    assert len(game_scripts.verify_sessions(device)) == 2


def test_the_page_shows_every_picture_once_and_in_order(evening: tuple[Path, dict[str, Path]]) -> None:
    shown = re.findall(rf'src="{FOLDER}/([^"]+)"', PAGE.read_text("utf-8"))
    assert shown == list(evening[1])


def test_every_other_picture_and_page_that_it_links_is_there() -> None:
    links = re.findall(r'(?:\]\(|src=")([^)"#]+\.(?:png|md))', PAGE.read_text("utf-8"))
    assert [link for link in links if not (PAGE.parent / link).is_file()] == []


def test_the_log_on_the_page_is_what_the_pc_prints(evening: tuple[Path, dict[str, Path]],
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "show", "--dir", str(evening[0])]) == 0
    printed = iter(capsys.readouterr().out.splitlines())
    quoted = re.search(r"```\n(Kill Team: .*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert quoted
    lines = [line for line in quoted[1].splitlines() if line.strip() not in ("", LEFT_OUT)]
    assert [line for line in lines if line not in printed] == []  # in this order
