"""What all games have in common: their button scripts, pictures, coverage of the fact sheets, and sound sources.

No game is named here: all is found in `firmware/games` and `tests/games`.
"""

from pathlib import Path

import game_scripts
import pytest

from host_tools.errors import CommandError
from host_tools.firmware import ROOT
from host_tools.packs.build import build_into, find_games


@pytest.fixture(scope="module")
def device_packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All games, compiled once."""
    folder = tmp_path_factory.mktemp("device") / "packs"
    build_into(folder)
    return folder


# --- scripts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", game_scripts.scripts(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_script_plays_as_in_the_manual(script: Path, device_packs: Path, micropython: str, tmp_path: Path) -> None:
    """Every line does what it says, the host replays every session, and the manual has just these pictures."""
    try:
        player = game_scripts.play(script, tmp_path / "device", device_packs)
    except (CommandError, AssertionError) as error:
        pytest.fail(f"{error}\ntry it: tableside sim --script {script.relative_to(ROOT)} --shots build/shots",
                    pytrace=False)
    counts = game_scripts.verify_sessions(tmp_path / "device")
    assert sum(counts.values()), f"{script}: no command was given in any session: {counts}"
    wrong = game_scripts.compare(script, player)
    if wrong:
        remedy = f"if the pictures should be so: PYTHONPATH=tests python -m game_scripts {script.parent.name}"
        pytest.fail("\n".join([*wrong, remedy]), pytrace=False)


def test_every_folder_of_scripts_and_pictures_has_a_game() -> None:
    for folder in (game_scripts.GAMES, game_scripts.MANUAL):
        assert {path.name for path in folder.iterdir() if path.is_dir()} <= set(find_games())


def test_every_picture_of_the_manual_is_made_by_a_script() -> None:
    made = {picture for script in game_scripts.scripts() for picture in game_scripts.golden(script).values()}
    assert set(game_scripts.MANUAL.glob("*/*.png")) == made
