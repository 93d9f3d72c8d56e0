"""What all games have in common: their button scripts, pictures, coverage of the fact sheets, and sound sources.

No game is named here: all is found in `firmware/games` and `tests/games`.
"""

import io
import re
from collections import Counter
from pathlib import Path

import game_coverage as coverage
import game_scripts
import pytest
from game_texts import Texts

from host_tools.errors import CommandError
from host_tools.firmware import ROOT
from host_tools.packs.build import build_into, find_games
from host_tools.packs.source import checked
from host_tools.packs.source import read as read_toml
from tableside.core.pack import Pack
from tableside.ui.play import Play


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


@pytest.mark.parametrize("page", sorted(game_scripts.MANUAL.glob("*.md")), ids=lambda page: page.stem)
def test_a_page_of_the_manual_shows_pictures_that_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    links = re.findall(r'(?:\]\(|src=")([^)"#]+\.(?:png|md))', text)
    assert [link for link in links if ":" not in link and not (page.parent / link).is_file()] == []
    assert page.stem in find_games()


# --- coverage of the fact sheets -------------------------------------------------------------------------------


@pytest.mark.parametrize("system", find_games())
def test_all_of_the_fact_sheet_is_mapped_or_said_to_be_missing(system: str) -> None:
    file = game_scripts.GAMES / system / "coverage.toml"
    if not file.exists():
        pytest.xfail(f"{file}: missing; see docs/packs.md, also for a game that has no fact sheet")
    rows = coverage.rows(file)
    source = find_games()[system]
    known = coverage.things(checked(read_toml(source), source), source.parent)
    section = ""
    for row in rows:
        if row.section != section:
            print(f"\n{system} {row.section}")
            section = row.section
        print(f"  {row.state:12}{row.name}: {', '.join(row.entries)}")
    counts = Counter(row.state for row in rows)
    print(f"{system}: {len(rows)} rows: " + ", ".join(f"{counts[s]} {s}" for s in ("mapped", "prompt only", "gap")))
    wrong = [f"[{row.section}] {row.name}: {fault}" for row in rows for fault in coverage.missing(row, known)]
    assert not wrong, f"{file}:\n" + "\n".join(wrong)


GAME = """
[pack]
id = "small"
title = "Small"
version = "1"
[[part.used.deck]]
id = "npo"
name = "NPO"
cards = [{ title = "Ambush" }]
[[part.unused.step]]
id = "nowhere"
phase = "x"
title = "x"
[[scenario]]
id = "one"
title = "One"
parts = ["used"]
[[scenario.step]]
id = "play"
phase = "Play"
title = "Play"
action = [{ id = "go", label = "Go" }]
[[scenario.reminder]]
step = "play"
text = "Think"
[[scenario.weapon]]
id = "gun"
name = "Gun"
rules = "dice"
"""


@pytest.mark.parametrize(("entry", "fault"), [
    ("deck npo", ""), ("zone npo.discard", ""), ("card npo.Ambush", ""), ("card Ambush", ""), ("part used", ""),
    ("scenario one", ""), ("step play", ""), ("action go", ""), ("action play.go", ""), ("reminder Think", ""),
    ("reminder play", ""), ("weapon gun", ""), ("rule dice", ""), ("screen Play", ""), ("prompt", ""), ("gap: why", ""),
    ("deck nop", "no deck 'nop'"), ("zone npo.hand", "no zone"), ("step nowhere", "no step"),
    ("part unused", "no part"), ("rule w40k10", "no rule"), ("screen Plya", "no screen"), ("Prompt", "no kind"),
    ("dekc npo", "no kind 'dekc'"), ("table x", "no kind 'table'"),
])
def test_entries_of_a_coverage_file(tmp_path: Path, entry: str, fault: str) -> None:
    source = tmp_path / "game.toml"
    source.write_text(GAME)
    known = coverage.things(checked(read_toml(source), source), tmp_path)
    wrong = coverage.missing(coverage.Row("1", "x", [entry]), known)
    assert [text.startswith(fault) for text in wrong] == [True] * bool(fault), wrong


@pytest.mark.parametrize(("text", "fault"), [
    ("", "no rows"), ("[a]", "needs a name and rows"), ('["a"]\n"x" = []', "needs a list"),
    ('["a"]\n" " = ["prompt"]', "needs a name"), ('[" "]\nx = ["prompt"]', "needs a name"),
    ('["a"]\nx = "prompt"', "needs a list"), ('["a"]\nx = [""]', "neither"), ('["a"]\nx = ["gap:"]', "neither"),
    ('["a"]\nx = [1]', "neither"), ('without = ""', "says why"), ('without = "x"\n[a]\nx = ["prompt"]', "stands alone"),
])
def test_a_coverage_file_that_says_nothing_is_a_fault(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "coverage.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=fault):
        coverage.rows(file)


# --- texts on the display --------------------------------------------------------------------------------------

LONG_SHARE = 0.05  # of a pack's texts may need more than their place
WORST_SHOWN = 25


def read(system: str, packs: Path, folder: Path) -> list[Texts]:
    """All texts of a pack, in each of its languages."""
    pack = Pack(io.BytesIO((packs / f"{system}.tspk").read_bytes()))
    found = []
    for language in range(pack.languages):
        (folder / str(language)).mkdir()
        found.append(Texts(folder / str(language), system, language))
    return found


@pytest.mark.parametrize("system", find_games())
def test_texts_have_room_and_all_of_them_can_be_read(system: str, packs: Path, tmp_path: Path) -> None:
    too_many = []
    for texts in read(system, packs, tmp_path):
        long = texts.too_long()
        share = len(long) / texts.count
        print(f"\n{system} ({texts.code}): {len(long)} of {texts.count} texts ({share:.1%}) need more than their place")
        worst = [f"{seen.kind} {seen.text!r} ({len(seen.text)} characters; {seen.places[0]})" for seen in long]
        print(*worst[:WORST_SHOWN], sep="\n")
        assert texts.lost() == [], f"{system} ({texts.code}): no screen shows all of these"
        if share > LONG_SHARE:
            too_many.append(f"{texts.code}: {share:.1%} are too long, at most {LONG_SHARE:.0%} may be:\n"
                            + "\n".join(worst))
    if too_many:
        pytest.xfail(f"{system} {too_many}")


def test_a_pack_with_long_texts_is_told_and_what_is_never_shown_is_found(
        packs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = Texts(tmp_path, "wordy")
    assert texts.lost() == []
    kinds = {seen.kind for seen in texts.too_long()}
    assert kinds >= {"prompt", "action", "question", "reminder", "card", "card text", "result text", "check prompt"}
    monkeypatch.setattr(Play, "_cut", lambda self, state: [])
    folder = tmp_path / "again"
    folder.mkdir()
    assert {kind for kind, _ in Texts(folder, "wordy").lost()} == {"action", "phase", "prompt", "window"}
