"""Faults of a pack's code, and replay of a game that has code."""

from pathlib import Path

import pytest

from host_tools.errors import CommandError
from host_tools.packs.compiler import compile_file
from host_tools.packs.source import PackSourceError

NIM = Path(__file__).parent / "data" / "games" / "nim"


def mim(folder: Path, toml: tuple[str, str] = ("", ""), rules: tuple[str, str] = ("", "")) -> Path:
    """A copy of the example under another name, with something replaced."""
    game = folder / "games" / "mim"
    game.mkdir(parents=True)
    for file in NIM.glob("*.*"):
        text = file.read_text("utf-8").replace("nim", "mim")
        old, new = toml if file.suffix == ".toml" else rules if file.stem == "rules" else ("", "")
        assert old in text
        (game / file.name).write_text(text.replace(old, new) if old else text, "utf-8")
    return game / "game.toml"


def test_a_pack_with_code_compiles_anywhere_below_a_folder_games(tmp_path: Path) -> None:
    assert b"games/mim/rules.py" in compile_file(mim(tmp_path)).data


@pytest.mark.parametrize(("toml", "rules", "fault"), [
    (("call wind", "call storm"), ("", ""), "step.turn.effects[0]: no 'storm' to call: the code has bets, turn, wind"),
    (("code_bytes = 4", ""), ("", ""), "no 'bets' to call: the code has nothing: a scenario needs code_bytes for that"),
    (("code_bytes = 4", "code_bytes = 2000"), ("", ""), "scenario[0].code_bytes: must be 0..1000, got 2000"),
    (("takes = ", "takings = "), ("", ""), "code: rules.TABLE_TAKES has no text or table of this name, got 0"),
    (('bet = "Will you win?"\n', ""), ("", ""), "code: rules.T_ANSWERS must be 5, got 6"),
    (("[2, 0]", "[2]"), ("", ""), "code.table.takes: needs rows of the same length"),
    (("[2, 0]", "[256, 0]"), ("", ""), "must be 0..255, got 256"),
    (("", ""), ("CALLS = ", "CALLS == "), "code: cannot be imported: NameError"),
    (("", ""), ("def call(", "def call("), ""),
])
def test_faults_of_code_are_told(tmp_path: Path, toml: tuple[str, str], rules: tuple[str, str], fault: str) -> None:
    file = mim(tmp_path, toml, rules)
    if not fault:
        compile_file(file)
        return
    with pytest.raises(PackSourceError) as raised:
        compile_file(file)
    assert fault in str(raised.value)


def test_code_without_its_folder_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text((NIM / "game.toml").read_text("utf-8"), "utf-8")
    with pytest.raises((PackSourceError, CommandError), match="needs games/nim/rules.py, and game.toml beside it"):
        compile_file(file)


def test_the_code_is_part_of_what_a_session_pins(tmp_path: Path) -> None:
    first = compile_file(mim(tmp_path / "a")).data
    again = compile_file(mim(tmp_path / "b")).data
    other = compile_file(mim(tmp_path / "c", rules=("_START = 9", "_START = 8"))).data
    assert first == again != other
