"""Overlays: the guide's example, what they fill and add, and every fault with the overlay's file and place."""

import io
import json
import tomllib
from pathlib import Path

import pytest
from test_packs import EXAMPLE, TOML, opened

from host_tools.cli import main
from host_tools.packs import build
from host_tools.packs.compiler import Compiled, compile_file
from host_tools.packs.overlay import Merge
from host_tools.packs.show import describe
from host_tools.packs.source import PackSourceError
from tableside.core.log import MemoryLog
from tableside.core.pack import CARD, ROW, Pack, Scenario
from tableside.core.session import Session

OVERLAY = next(block for block in TOML if block.startswith("[overlay]"))
CARDS = """
[pack]
id = "cards"
title = "Cards"
version = "2"

[part.deck]
deck = [{ id = "swarm", name = "Swarm", cards = "1-6" }, { id = "odd", name = "Odd", copies = 2, cards = [
    { title = "Red-hot" }, { title = "Blue" }] }]
table = [{ id = "means", title = "Means", deck = "swarm", row = [
    { cards = "1-5", title = "Not known", effects = ["add lit 1"] }, { cards = "6", title = "Six" }] }]
counter = [{ id = "lit", name = "Lit" }, { id = "points", name = "Points", high = 6, start = 2 }]
side = [{ id = "us", name = "Us" }, { id = "them", name = "Them" }]
weapon = [{ id = "stick", name = "Stick", rules = "dice", need = 4 }]
unit = [{ id = "chief", name = "Chief", side = "us", keywords = ["OLD"], weapons = ["stick"] }]

[[scenario]]
id = "one"
title = "One"
parts = ["deck"]
roster = 2
step = [{ id = "draw", phase = "Draw", title = "{card}: {row:means}" }]
counter = [{ id = "own", name = "Own" }]
"""
HEAD = '[overlay]\npack = "cards"\n'


def compiled(folder: Path, *overlays: str, source: str = CARDS) -> Compiled:
    (folder / "game.toml").write_text(source, "utf-8")
    files = []
    for number, text in enumerate(overlays):
        files.append(folder / f"my-{number}.toml")
        files[-1].write_text(text, "utf-8")
    return compile_file(folder / "game.toml", files)


def faults(folder: Path, *overlays: str) -> list[tuple[str, str]]:
    """The faults, of the last overlay."""
    with pytest.raises(PackSourceError) as caught:
        compiled(folder, *overlays)
    assert caught.value.file == folder / f"my-{len(overlays) - 1}.toml"
    return caught.value.faults


def cards(pack: Pack, deck: int = 0) -> list[tuple[str, str, int]]:
    first, kinds = Scenario(pack, 0).deck(deck)[3:5]
    records = [pack.record(CARD, i) for i in range(first, first + kinds)]
    return [(pack.text(title), pack.text(text), copies) for title, text, copies in records]


def rows(pack: Pack) -> list[tuple[int, int, str, str, int]]:
    records = [pack.record(ROW, i) for i in range(pack.count(ROW))]
    return [(low, high, pack.text(title), pack.text(text), count) for low, high, title, text, _, count in records]


# --- what they do ----------------------------------------------------------------------------------------------


def test_the_guides_example(tmp_path: Path) -> None:
    pack = opened(compiled(tmp_path, OVERLAY, source=EXAMPLE))
    assert cards(pack) == [("Calm", "", 3), ("Wolves of Hollow Hill", "They dislike music.", 2)]
    assert rows(pack) == [(0, 0, "Nothing stirs", "", 0), (1, 1, "A distant howl", "", 2)]
    scenario = Scenario(pack, 0)
    assert (scenario.slots, scenario.counter(0)[4], pack.text(scenario.unit(0)[0])) == (2, 4, "The piper")
    Session.new(pack, 0, bytes(16), MemoryLog())


def test_numbered_cards_and_their_rows(tmp_path: Path) -> None:
    pack = opened(compiled(tmp_path, HEAD + """
        [[part.deck.deck]]
        id = "swarm"
        cards = [{ card = "2", title = "Snails", text = "Slow." }, { card = "4", title = "Snails" }]
        [[part.deck.deck]]
        id = "odd"
        cards = [{ card = "Blue", copies = 1, marks = ["cold"] }, { card = "Red-hot", copies = 3, marks = ["hot"] }]
        [[part.deck.table]]
        id = "means"
        row = [{ cards = "2", text = "Nothing." }, { cards = "4-6", title = "Many", effects = ["set points 1"] }]
        """))
    assert [card[:2] for card in cards(pack)] == [("1", ""), ("Snails", "Slow."), ("3", ""), ("Snails", ""), ("5", ""),
                                                  ("6", "")]
    assert cards(pack, 1) == [("Red-hot", "", 3), ("Blue", "", 1)]
    merge = Merge(tomllib.loads(CARDS))
    merge.add(tmp_path / "my-0.toml")
    assert merge.data["part"]["deck"]["deck"][1]["cards"][1] == {"title": "Blue", "copies": 1, "marks": ["cold"]}
    # The pack's effects stay; a row that was for five cards is split; equal neighbours are one row.
    assert rows(pack) == [(0, 0, "Not known", "", 1), (1, 1, "Not known", "Nothing.", 1), (2, 2, "Not known", "", 1),
                          (3, 4, "Many", "", 2), (5, 5, "Many", "", 1)]


def test_units_weapons_and_start_values(tmp_path: Path) -> None:
    pack = opened(compiled(tmp_path, HEAD + """
        [part.deck]
        counter = [{ id = "points", start = 5 }]
        unit = [{ id = "chief", wounds = 4, weapons = ["pan"] }, { id = "cook", name = "Cook", side = "us" }]
        weapon = [{ id = "pan", name = "Pan", rules = "dice", need = 3 }, { id = "stick", need = 5 }]
        [scenario.one]
        roster = 5
        start = { lit = 3 }
        unit = [{ id = "foe", name = "Foe", side = "them", start = 3 }]
        """))
    scenario = Scenario(pack, 0)
    assert [pack.text(scenario.unit(i)[0]) for i in range(scenario.units)] == ["Chief", "Cook", "Foe"]
    assert scenario.unit(0)[4] == 4 and scenario.unit_weapons(0) == [0, 1]
    assert [scenario.counter(i)[4] for i in range(2)] == [3, 5] and scenario.slots == 5
    described = describe(compiled(tmp_path, HEAD + "[scenario.one]\nroster = 5\n").data)["scenarios"][0]
    assert described["weapons"][0]["profile"]["need"] == 4


def test_one_after_the_other(tmp_path: Path) -> None:
    one = HEAD + 'version = "2"\n[[part.deck.unit]]\nid = "cook"\nname = "Cook"\nside = "us"\n'
    two = HEAD + 'version = "2"\n[[part.deck.unit]]\nid = "cook"\nwounds = 9\n'
    pack = opened(compiled(tmp_path, one, two))
    assert Scenario(pack, 0).unit(1)[4] == 9
    assert pack.version() == "2 +my-0 +my-1"
    assert pack.notes() == ["Overlay my-0: 1 of units", "Overlay my-1: 1 of units"]
    assert faults(tmp_path, one, two.replace("cook", "maid")) == [("part.deck.unit.maid.name", "missing")]


def test_a_pack_without_overlays_is_as_it_was(tmp_path: Path) -> None:
    assert compiled(tmp_path).data == compiled(tmp_path).data
    assert opened(compiled(tmp_path, HEAD)).notes() == ["Overlay my-0: nothing"]


# --- faults ----------------------------------------------------------------------------------------------------


def deck(card: str, name: str = "swarm") -> str:
    return f'[[part.deck.deck]]\nid = "{name}"\ncards = [{card}]\n'


def table(row: str) -> str:
    return f'[[part.deck.table]]\nid = "means"\nrow = [{row}]\n'


def unit(fields: str, place: str = "part.deck") -> str:
    return f"[[{place}.unit]]\n{fields}\n"


@pytest.mark.parametrize(("text", "where", "message"), [
    ('[[part.deck.unit]]\nid = 7"', "line 4, column 7", ""),
    (deck('{ card = "7", title = "Seven" }'), "part.deck.deck.swarm.cards[0]", "no card '7' in deck 'swarm'"),
    (deck('{ card = "1" }, { card = "1" }'), "part.deck.deck.swarm.cards[1]", "card '1' is there twice"),
    (deck('{ card = "1", copies = 2 }'), "part.deck.deck.swarm.cards",
     "counts do not add up: the deck has 6 cards, with these it would have 7"),
    (deck('{ card = "Blue", copies = 0 }', "odd"), "part.deck.deck.odd.cards[0].copies", "must be 1..99, got 0"),
    (deck('{ card = "1", marks = ["Hot!"] }'), "part.deck.deck.swarm.cards[0].marks[0]",
     "must be lower-case letters"),
    (deck('{ card = "1", colour = "red" }'), "part.deck.deck.swarm.cards[0].colour", "unknown key"),
    (deck('{ card = "1", title = "€" }'), "part.deck.deck.swarm.cards[0].title", "the device cannot draw '€'"),
    (deck('{ card = "1", title = "' + "x" * 41 + '" }'), "part.deck.deck.swarm.cards[0].title",
     "must have at most 40 characters, got 41"),
    (deck('{ card = "2", text = "{fire}" }'), "part.deck.deck.swarm.cards[0].text", "no counter 'fire'"),
    (deck('{ card = "1" }', "other"), "part.deck.deck.other", "no deck 'other' here"),
    ('[[scenario.one.deck]]\nid = "swarm"\ncards = [{ card = "1" }]\n', "scenario.one.deck.swarm",
     "no deck 'swarm' here: it is in part.deck"),
    ('[[part.deck.deck]]\nid = "swarm"\nname = "Bees"\ncards = [{ card = "1" }]\n', "part.deck.deck.swarm.name",
     "may not be overlaid"),
    (table('{ cards = "7", text = "x" }'), "part.deck.table.means.row[0].cards", "no card '7' in deck 'swarm'"),
    (table('{ cards = "1-3" }, { cards = "3" }'), "part.deck.table.means.row[1].cards", "'3' has a row already"),
    (table('{ cards = "2" }, { cards = "4", effects = ["go home"] }'), "part.deck.table.means.row[1].effects[0]",
     "no step 'home'"),
    (table('{ cards = "2", when = "lit == 1" }'), "part.deck.table.means.row[0].when", "may not be overlaid"),
    (unit('id = "cook"'), "part.deck.unit.cook.name", "missing"),
    (unit('id = "cook"\nname = "Cook"\nwounds = 0'), "part.deck.unit.cook.wounds", "must be 1..200, got 0"),
    (unit('id = "chief"\nluck = 3'), "part.deck.unit.chief.luck", "unknown key"),
    (unit('id = "chief"\nside = "them"'), "part.deck.unit.chief.side", "may not be overlaid"),
    (unit('id = "chief"\nweapons = ["pan"]'), "part.deck.unit.chief.weapons[0]", "no weapon 'pan'"),
    (unit('id = "chief"\nname = "C"', "scenario.one"), "scenario.one.unit.chief",
     "the pack has it in part.deck: fill it there"),
    (unit('id = "foe"\nname = "Foe"\nside = "them"\nstart = 3', "scenario.one"), "scenario.one.roster",
     "must have a slot for each of the 3 units at the start, got 2"),
    ('[[part.deck.weapon]]\nid = "stick"\nrules = "w40k10"\n', "part.deck.weapon.stick.rules", "may not be overlaid"),
    ('[[part.deck.weapon]]\nid = "stick"\nneed = true\n', "part.deck.weapon.stick.need", ""),
    ('[[part.deck.counter]]\nid = "points"\nstart = 7\n', "part.deck.counter.points", "start must be 0..6, got 7"),
    ('[[part.deck.counter]]\nid = "pints"\nstart = 1\n', "part.deck.counter.pints", "no counter 'pints' here"),
    ('[[part.deck.counter]]\nid = "points"\nstart = 1\nhigh = 9\n', "part.deck.counter.points.high",
     "may not be overlaid"),
    ("[scenario.one]\nstart = { points = 7 }\n", "scenario.one.start.points", "must be 0..6, got 7"),
    ("[scenario.one]\nstart = { pints = 1 }\n", "scenario.one.start", "no counter 'pints'"),
    ("[scenario.one]\nroster = 1\n", "scenario.one.roster", "must be at least 2, as in the pack, got 1"),
    ("[scenario.one]\nroster = 99\n", "scenario.one.roster", "must be 0..40, got 99"),
    ("[scenario.one]\nparts = []\n", "scenario.one.parts", "may not be overlaid"),
    ("[[scenario.one.step]]\nid = \"x\"\n", "scenario.one.step", "may not be overlaid"),
    ("[scenario.two]\nroster = 2\n", "scenario.two", "no scenario 'two': there are one"),
    ("[part.decks]\nunit = []\n", "part.decks", "no part 'decks': there are deck"),
    ("[pack]\ntitle = \"Mine\"\n", "pack", "may not be overlaid"),
    ("[colours]\n", "colours", "unknown key"),
])
def test_fault_names_the_overlays_place(tmp_path: Path, text: str, where: str, message: str) -> None:
    found = faults(tmp_path, HEAD + text)
    assert [place for place, _ in found] == [where], found
    assert found[0][1].startswith(message), found


@pytest.mark.parametrize(("head", "where", "message"), [
    ("", "overlay", "missing"),
    ("[overlay]\n", "overlay.pack", "missing"),
    ('[overlay]\npack = "watch"\n', "overlay.pack", "is for the pack 'watch', this is 'cards'"),
    (HEAD + 'version = "1"\n', "overlay.version", "is for version '1', the pack has '2'"),
    (HEAD + "copies = 1\n", "overlay.copies", "may not be overlaid"),
])
def test_fault_of_the_head(tmp_path: Path, head: str, where: str, message: str) -> None:
    assert faults(tmp_path, head) == [(where, message)]


def test_a_fault_of_the_pack_is_the_packs(tmp_path: Path) -> None:
    with pytest.raises(PackSourceError) as caught:
        compiled(tmp_path, HEAD, source=CARDS.replace('title = "One"', ""))
    assert caught.value.file == tmp_path / "game.toml"


# --- the command -----------------------------------------------------------------------------------------------


@pytest.fixture
def watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of that name beside the others, and an overlay for it."""
    source = tmp_path / "watch" / "game.toml"
    source.parent.mkdir()
    source.write_text(EXAMPLE, "utf-8")
    games = build.find_games()
    monkeypatch.setattr(build, "find_games", lambda: {**games, "watch": source})
    (tmp_path / "wolves.toml").write_text(OVERLAY, "utf-8")
    return source


def test_check_build_and_show(watch: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    overlay = str(tmp_path / "wolves.toml")
    assert main(("pack", "check", str(watch), "--overlay", overlay)) == 0
    assert main(("pack", "build", "watch", "-o", str(tmp_path), "--overlay", overlay)) == 0
    capsys.readouterr()
    assert main(("pack", "show", str(tmp_path / "watch.tspk"))) == 0
    shown = capsys.readouterr().out
    assert "Night Watch (watch 1 +wolves)" in shown
    assert "note: Overlay wolves: 1 of cards in night, 1 of rows in events, 1 of units, 1 of start values" in shown


def test_overlays_that_are_found(watch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "own" / "watch"
    folder.mkdir(parents=True)
    (folder / "wolves.toml").write_text(OVERLAY, "utf-8")
    assert Pack(io.BytesIO(build.compile_system("watch").data)).version() == "1"
    monkeypatch.setenv(build.OVERLAYS_VARIABLE, str(tmp_path / "own"))
    assert Pack(io.BytesIO(build.compile_system("watch").data)).version() == "1 +wolves"
    monkeypatch.delenv(build.OVERLAYS_VARIABLE)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").rename(tmp_path / "overlays")
    assert Pack(io.BytesIO(build.compile_system("watch").data)).version() == "1 +wolves"


@pytest.mark.parametrize(("text", "where", "message"), [
    (OVERLAY.replace('"watch"', '"which"'), "overlay.pack", "no pack 'which' here: there are watch"),
    (OVERLAY.replace('"Wolves"', '"Bears"'), "scenario.one-night.deck.night.cards[0]", "no card 'Bears' in deck"),
    (OVERLAY.replace("[overlay]", "[overlay"), "line 1, column 9", ""),
    (None, "", "cannot be used: No such file"),
])
def test_the_command_names_the_overlay(watch: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                       text: str | None, where: str, message: str) -> None:
    overlay = tmp_path / "wolves.toml"
    if text is None:
        overlay.unlink()
    else:
        overlay.write_text(text, "utf-8")
    assert main(("pack", "build", "watch", "-o", str(tmp_path), "--overlay", str(overlay), "--json")) == 1
    out = capsys.readouterr().out
    errors = [error for line in out.splitlines() for error in json.loads(line)["errors"]]
    assert errors[0]["file"] == str(overlay) and errors[0]["where"] == where
    assert errors[0]["message"].startswith(message)
