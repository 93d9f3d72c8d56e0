"""Packs on the host: the guide's example, every fault with its place, and compiled packs that are damaged."""

import hashlib
import io
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.cli import main
from host_tools.packs import build
from host_tools.packs.compiler import Compiled, compile_file
from host_tools.packs.show import SECTIONS, describe
from host_tools.packs.source import PackSourceError
from tableside.core import commands, engine
from tableside.core import pack as records
from tableside.core.errors import PackError, RuleError
from tableside.core.fields import expand
from tableside.core.log import MemoryLog
from tableside.core.pack import HEADER_BYTES, Pack, Scenario
from tableside.core.session import Session
from tableside.core.state import O_RESULT, O_ROUND

GUIDE = (Path(__file__).parents[1] / "docs" / "packs.md").read_text("utf-8")
TOML = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
EXAMPLE = next(block for block in TOML if block.startswith("[pack]"))


def compile_text(folder: Path, text: str) -> Compiled:
    file = folder / "game.toml"
    file.write_text(text, "utf-8")
    return compile_file(file)


def faults(folder: Path, text: str) -> list[tuple[str, str]]:
    with pytest.raises(PackSourceError) as caught:
        compile_text(folder, text)
    assert str(caught.value).startswith(f"{folder / 'game.toml'}: ")
    return caught.value.faults


def opened(compiled: Compiled) -> Pack:
    return Pack(io.BytesIO(compiled.data))


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    return compile_text(tmp_path_factory.mktemp("example"), EXAMPLE)


# --- the guide -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("face", "feed"), [(1, False), (6, True)])
def test_example_of_the_guide_plays_to_its_end(example: Compiled, seed: int, face: int, feed: bool) -> None:
    session = Session.new(opened(example), 0, bytes([seed] * 16), MemoryLog())
    names = example.scenarios[0]
    for _ in range(30):
        if session.over():
            break
        check = engine.open_check(session.state)
        if check is not None:
            session.do(commands.ENTER, (check, face))
            continue
        first, count = engine.offered(session.state)
        wanted = [a for a in range(first, first + count) if session.check(commands.CHOOSE, (a,))[0] == commands.YES]
        session.do(commands.CHOOSE, (wanted[0] if feed else wanted[-1],))
    assert session.over()
    assert names.results[session.state.data[O_RESULT]] == ("morning" if feed else "out")
    assert session.state.data[O_ROUND] == 5 or not feed


def test_translation_of_the_guide(tmp_path: Path) -> None:
    table = next(block for block in TOML if block.startswith("[translation"))
    pack = opened(compile_text(tmp_path, EXAMPLE + table))
    session = Session.new(pack, 0, bytes(16), MemoryLog())
    prompt = session.scenario.step(0)[2]
    english = expand(session.state, pack.text(prompt))
    assert english.endswith("Fire 3: feed it?")
    pack.use_language(1)
    assert expand(session.state, pack.text(prompt)) == english.replace("Fire 3: feed it", "Feuer 3: schüren")
    assert pack.text(session.scenario.step(1)[1]) == "Dawn"  # not listed: as it is
    assert [pack.language(0), pack.language(1)] == ["en", "de"]


# --- faults of a source ----------------------------------------------------------------------------------------

ROOT = "scenario[0]"
# A title, and a roster with everything that it may have.
ROSTER = """title = "One night"
roster = 2
side = [{ id = "us", name = "Us" }]
unit = [{ id = "wolf", name = "Wolf", side = "us", start = 2 }]
flag = [{ id = "tired", name = "tired", mark = "T" }]
window = [{ id = "rest", title = "{models.us}", action = [{ id = "fine", label = "OK", when = "alive.us >= 1" }] }]
"""
EIGHT = "".join(f'{{ id = "f{n}", name = "f", mark = "f" }}, ' for n in range(8))
# What is replaced in the example, by what, and the place and message of the fault.
CAMPAIGN = """[[campaign]]
id = "nights"
title = "Nights by a fire"
missions = ["one-night"]

"""

FAULTS = [
    ('version = "1"', 'version = "1', "line 4, column 13", "Illegal character"),
    ('version = "1"', "version = ", "line 4, column 11", "Invalid value"),
    ('version = "1"', "", "pack.version", "missing"),
    ('version = "1"', "version = 1", "pack.version", "must be a valid string, got 1"),
    ('version = "1"', 'version = "1"\ncolour = "red"', "pack.colour", "unknown key"),
    ('id = "watch"', 'id = "Watch"', "pack.id", "must be 1 to 16 lower-case"),
    ("start = 3, high = 6", "start = 7, high = 6", f"{ROOT}.counter.fire", "start must be 0..6, got 7"),
    ("start = 3, high = 6", "start = 3, high = 40000", f"{ROOT}.counter.fire.high", "must be -32768..32767, got 40000"),
    ("start = 3, high = 6", "start = 3.5", f"{ROOT}.counter.fire.start", "must be a valid integer, got 3.5"),
    ("high = 6, pinned = true", 'names = ["a"], high = 6', f"{ROOT}.counter.fire", "names must have 7 entries, got 1"),
    ('name = "Fire"', 'name = "Fire", scope = "week"', f"{ROOT}.counter.fire.scope",
     "must be 'round', 'session' or 'campaign', got 'week'"),
    ('name = "Fire"', 'name = "Fire", owner = "me"', f"{ROOT}.counter.fire.owner", "no side 'me'"),
    ('name = "Fire"', 'name = "{fire}"', f"{ROOT}.counter.fire.name", "fields in braces do not work here"),
    ('id = "fire"', 'id = "round"', f"{ROOT}.counter.round", "'round' has a meaning of its own"),
    ("copies = 3", "copies = 0", f"{ROOT}.deck.night.cards[0].copies", "must be 1..99, got 0"),
    ('[{ title = "Calm", copies = 3 }, { title = "Wolves", copies = 2 }]', "[]", f"{ROOT}.deck.night.cards",
     "a deck needs cards"),
    ('[{ title = "Calm", copies = 3 }, { title = "Wolves", copies = 2 }]', '"13-1"', f"{ROOT}.deck.night.cards",
     "a deck needs cards"),
    ('[{ title = "Calm", copies = 3 }, { title = "Wolves", copies = 2 }]', "7", f"{ROOT}.deck.night.cards",
     "must be a valid list, got 7"),
    ("copies = 3 }", "copies = 99 }, { title = 'x', copies = 99 }, { title = 'y', copies = 99 }",
     f"{ROOT}.deck.night.cards", "at most 254 kinds and 255 cards, got 4 and 299"),
    ('name = "Night deck"', 'name = "Night deck"\nzone = [{ id = "hand", name = "Hand", kind = "hand" }]',
     f"{ROOT}.deck.night.zone.hand", "needs an owner"),
    ('name = "Night deck"', 'name = "Night deck"\nzone = [{ id = "draw", name = "D", kind = "slot", look = "open" }]',
     f"{ROOT}.deck.night.zone", "two zones with the same id"),
    ("Fire {fire}", "Fire {fier}", f"{ROOT}.step.night.prompt", "no counter 'fier'"),
    ("Fire {fire}", "Fire {night.hand}", f"{ROOT}.step.night.prompt", "no zone 'hand' in deck 'night'"),
    ("Fire {fire}", "Fire {row:event}", f"{ROOT}.step.night.prompt", "no table 'event'"),
    ("Fire {fire}", "Fire {fire", f"{ROOT}.step.night.prompt", "a brace without its partner"),
    ("Fire {fire}", "Fire €", f"{ROOT}.step.night.prompt", "the device cannot draw '€' (U+20AC)"),
    ("Fire {fire}", "Fire \\u0007", f"{ROOT}.step.night.prompt", "the device cannot draw '\\x07' (U+0007)"),
    ('title = "Night Watch"', 'title = "Nïght"', "pack.title", "the device cannot draw 'ï'"),
    ("Fire {fire}", "x" * 1001, f"{ROOT}.step.night.prompt", "a text of 1019 bytes, at most 1000"),
    ("auto = true", 'auto = true\nrounds = "3-2"', f"{ROOT}.step.dawn.rounds", "must be a round or a range"),
    ("sub fire 1\", \"end out", "sub fire 1\", \"go nihgt\", \"end out", f"{ROOT}.step.dawn.effects[1]",
     "no step 'nihgt'"),
    ("end out if fire == 0", "end out if fire = 0", f"{ROOT}.step.dawn.effects[1]", "condition must be"),
    ("end out if fire == 0", "end out if fire == 40000", f"{ROOT}.step.dawn.effects[1]", "number must be"),
    ("end out if fire == 0", "end gone", f"{ROOT}.step.dawn.effects[1]", "no result 'gone'"),
    ("resolve events", "burn fire", f"{ROOT}.step.night.effects[2]", "unknown effect 'burn fire'"),
    ("resolve events", "", f"{ROOT}.step.night.effects[2]", "unknown effect ''"),
    ("resolve events", "random 0", f"{ROOT}.step.night.effects[2]", "random needs 1 or more, got 0"),
    ("resolve events", "pick night draw discard", f"{ROOT}.step.night.effects[2]", "must be the first effect of"),
    ('["add fire 1", "advance"]', '["pick night hand discard"]', f"{ROOT}.step.night.action.feed.effects[0]",
     "no zone 'hand' in deck 'night'"),
    ('["add fire 1", "advance"]', '["pick night draw..discard discard"]', f"{ROOT}.step.night.action.feed.effects[0]",
     "'discard' comes before 'draw'"),
    ('["add fire 1", "advance"]', '["assign us hurt heal"]', f"{ROOT}.step.night.action.feed.effects[0]",
     "no side 'us'"),
    ('["add fire 1", "advance"]', '["assign us hurt kill"]', f"{ROOT}.step.night.action.feed.effects[0]",
     "unknown effect"),
    ("resolve events", "sift night draw", f"{ROOT}.step.night.effects[2]", "unknown effect"),
    ("resolve events", "move night draw discard 1 2", f"{ROOT}.step.night.effects[2]", "unknown effect"),
    ("resolve events", "move night draw discard 1 left", f"{ROOT}.step.night.effects[2]", "unknown effect"),
    ("draw night discard", "draw day discard", f"{ROOT}.step.night.effects[1]", "no deck 'day'"),
    ('"fire < 6"', '"fire < 6 and wood == 1"', f"{ROOT}.step.night.action.feed.when", "no counter 'wood'"),
    ('id = "sleep", label', 'id = "sleep", edit = "wood", label', f"{ROOT}.step.night.action.sleep.edit",
     "no counter 'wood'"),
    ('id = "sleep"', 'id = "feed"', f"{ROOT}.step.night.action.feed", "defined twice"),
    ('id = "dawn"', 'id = "night"', f"{ROOT}.step.night", "defined twice"),
    ('[{ label = "Watch" }]', "[]", f"{ROOT}.check.wolves.die", "must have at least 1 entries, got 0"),
    ('label = "Watch"', 'label = "Watch", sides = 1', f"{ROOT}.check.wolves.die[0].sides", "must be 2..100, got 1"),
    ('label = "Watch" }]', 'label = "Watch" }]\nmodifier = [{ value = "wood" }]',
     f"{ROOT}.check.wolves.modifier[0].value", "no counter 'wood'"),
    ('"sub fire 1"] }]', '"sub wood 1"] }]', f"{ROOT}.check.wolves.outcome[1].effects[0]", "no counter 'wood'"),
    ('deck = "night"\nrow', 'deck = "day"\nrow', f"{ROOT}.table.events.deck", "no deck 'day'"),
    ('cards = "Calm"', 'cards = "Clam"', f"{ROOT}.table.events.row[0].cards", "no card 'Clam' in deck 'night'"),
    ('cards = "Calm"', 'cards = "Calm-Wolves"', f"{ROOT}.table.events.row[1].cards", "'Wolves' has a row already"),
    ('{ cards = "Calm", title = "Nothing stirs" }, ', "", f"{ROOT}.table.events", "no row for card 'Calm'"),
    ('"Nothing stirs"', '"{row:events}"', f"{ROOT}.table.events.row[0].title", "a row cannot name a row"),
    ('kind = "win"', 'kind = "win", next = "two-nights"', f"{ROOT}.result.morning.next", "no scenario 'two-nights'"),
    ('title = "One night"', 'title = "One night"\nparts = ["base"]', f"{ROOT}.parts", "no part 'base'"),
    ('title = "One night"', 'title = "One night"\nstart = { wood = 1 }', f"{ROOT}.start", "no counter 'wood'"),
    ('title = "One night"', 'title = "One night"\nstart = { fire = 9 }', f"{ROOT}.start.fire", "must be 0..6, got 9"),
    ('title = "One night"', 'title = "One night"\nreminder = [{ text = "x", step = "noon" }]',
     f"{ROOT}.reminder[0].step", "no step 'noon'"),
    ('["shuffle night if round == 1", "draw night discard", "resolve events"]', '["go night"]', ROOT,
     "does not start: effects never end"),
    *[('title = "One night"', ROSTER.replace(old, new), where, message) for old, new, where, message in [
        ("roster = 2", "roster = 41", f"{ROOT}.roster", "must be 0..40, got 41"),
        ("roster = 2", "", f"{ROOT}.roster", "must have a slot for each of the 2 units at the start, got 0"),
        ('side = "us"', 'side = "them"', f"{ROOT}.unit.wolf.side", "no side 'them'"),
        (', side = "us"', "", f"{ROOT}.unit.wolf.start", "a unit that is there at the start needs a side"),
        ('id = "wolf"', 'id = "wolf", wounds = 0', f"{ROOT}.unit.wolf.wounds", "must be 1..200, got 0"),
        ('id = "wolf"', 'id = "wolf", models = 101', f"{ROOT}.unit.wolf.models", "must be 1..100, got 101"),
        ('id = "wolf"', 'id = "wolf", save = 8', f"{ROOT}.unit.wolf.save", "must be 0..7, got 8"),
        ('id = "wolf"', 'id = "wolf", invulnerable = -1', f"{ROOT}.unit.wolf.invulnerable", "must be 0..7, got -1"),
        ('id = "wolf"', 'id = "wolf", ward = 5', f"{ROOT}.unit.wolf.ward", "unknown key"),
        ('name = "Wolf"', 'name = "{fire}"', f"{ROOT}.unit.wolf.name", "fields in braces do not work here"),
        ('mark = "T"', 'mark = "Ti"', f"{ROOT}.flag.tired", "mark must be one character, got 'Ti'"),
        ('mark = "T"', 'mark = "€"', f"{ROOT}.flag.tired.mark", "the device cannot draw '€'"),
        (', mark = "T"', "", f"{ROOT}.flag.tired.mark", "missing"),
        ('mark = "T"', 'mark = "T", scope = "year"', f"{ROOT}.flag.tired.scope",
         "must be 'phase', 'turn', 'next-turn', 'round', 'session' or 'campaign'"),
        ('mark = "T"', 'mark = "T", ask = "Tired. All the same?"', f"{ROOT}.flag.tired", "need scope = 'campaign'"),
        ('flag = [', f"flag = [{EIGHT}", f"{ROOT}.flag", "more than 8 of them"),
        ('when = "alive.us', 'when = "alive.them', f"{ROOT}.window.rest.action.fine.when", "no side 'them'"),
        ("{models.us}", "{models.them}", f"{ROOT}.window.rest.title", "no side 'them'"),
        ("roster = 2", "roster = 2", "", ""),
    ]],
    ('id = "night"\nname = "Night deck"', 'id = "alive"\nname = "Night deck"', f"{ROOT}.deck.alive",
     "'alive' has a meaning of its own"),
    ('phase = "Night"', 'phase = "Night"\nrounds = "0"\nwhen = "round == 1"', "", ""),  # never comes: no fault
    *[('[[scenario]]', CAMPAIGN.replace(old, new, 1) + "[[scenario]]", where, message)
      for old, new, where, message in [
        ("a fire", "a fire", "", ""),
        ('["one-night"]', '["two-nights"]', "campaign[0].missions[0]", "no scenario 'two-nights'"),
        ('["one-night"]', '["one-night", "one-night"]', "campaign[0].missions[1]", "'one-night' is there twice"),
        ('["one-night"]', "[]", "campaign[0].missions", "must have at least 1 entries, got 0"),
        ("missions", "start = { wood = 1 }\nmissions", "campaign[0].start", "no counter 'wood' with scope = 'camp"),
        ("missions", "start = { fire = 1 }\nmissions", "campaign[0].start", "no counter 'fire' with scope = 'camp"),
        ("[[campaign]]", CAMPAIGN + "[[campaign]]", "campaign[1].id", "'nights' is defined twice"),
    ]],
    ('kind = "win"', 'kind = "win", effects = ["draw night discard"]', f"{ROOT}.result.morning.effects[0]",
     "'draw' does not work here: the game is over"),
    ('kind = "win"', 'kind = "win", effects = ["mark tired"]', f"{ROOT}.result.morning.effects[0]", "no flag 'tired'"),
    ('kind = "win"', 'kind = "win", effects = ["mark tired us all"]', f"{ROOT}.result.morning.effects[0]",
     "unknown effect 'mark tired us all'"),
]


@pytest.mark.parametrize(("old", "new", "where", "message"), FAULTS)
def test_fault_names_place_and_reason(tmp_path: Path, old: str, new: str, where: str, message: str) -> None:
    assert old in EXAMPLE
    text = EXAMPLE.replace(old, new, 1)
    if not message:
        compile_text(tmp_path, text)
        return
    found = faults(tmp_path, text)
    assert any(place.startswith(where) and message in reason for place, reason in found), found
    if "line" not in where:
        assert where in [place for place, _ in found]


def test_nothing_is_reported_twice_or_as_a_consequence(tmp_path: Path) -> None:
    assert len(faults(tmp_path, EXAMPLE.replace("draw night discard", "draw day hand"))) == 1
    assert len(faults(tmp_path, EXAMPLE.replace('deck = "night"\nrow', 'deck = "day"\nrow'))) == 1
    twice = EXAMPLE.replace("copies = 3", "copies = 0").replace('version = "1"', "")
    assert [where for where, _ in faults(tmp_path, twice)] == ["pack.version", f"{ROOT}.deck.night.cards[0].copies"]


def test_more_steps_than_a_record_can_count(tmp_path: Path) -> None:
    step = '[[scenario.step]]\nid = "s%d"\nphase = "x"\ntitle = "x"\neffects = ["go s299"]\n'
    steps = "".join(step % number for number in range(300))
    assert faults(tmp_path, EXAMPLE + steps) == [(f"{ROOT}.step", "more than 255 of them")]


def test_places_of_parts_and_second_scenarios(tmp_path: Path) -> None:
    part = '[[part.joint.deck]]\nid = "npo"\nname = "NPO"\ncards = "1-3"\ncopies = 0\n'
    assert faults(tmp_path, EXAMPLE + part) == [("part.joint.deck.npo.copies", "must be 1..99, got 0")]
    again = EXAMPLE[EXAMPLE.index("[[scenario]]") :]
    found = faults(tmp_path, EXAMPLE + again)
    assert found == [("scenario[1].id", "'one-night' is defined twice")]
    found = faults(tmp_path, EXAMPLE + again.replace("one-night", "two").replace("end out if", "end gone if"))
    assert found == [("scenario[1].step.dawn.effects[1]", "no result 'gone'")]


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_bytes(b"[pack]\nid = \"\xff\"\n")
    with pytest.raises(PackSourceError) as caught:
        compile_file(file)
    assert caught.value.faults == [("line 2", "not UTF-8 text: byte 0xff")]
    with pytest.raises(OSError):
        compile_file(tmp_path / "nothing.toml")


@pytest.mark.parametrize(("table", "where", "message"), [
    ('[translation.de]\n"Fede the fire" = "x"', "translation.de", "the pack has no text 'Fede the fire'"),
    ('[translation.de]\n"Feed the fire" = "Ľ"', "translation.de", "the device cannot draw 'Ľ'"),
    ('[translation.de]\n"Feed the fire" = "{feuer}"', "translation.de", "no counter 'feuer'"),
    ('[translation.en]\n"Feed the fire" = "Feed"', "translation.en", "is the language of the pack itself"),
    ('[translation.german]\n"Feed the fire" = "x"', "translation.german", "must have at most 5 characters, got 6"),
])
def test_faults_of_translations(tmp_path: Path, table: str, where: str, message: str) -> None:
    found = faults(tmp_path, EXAMPLE + table)
    assert any(place == where and message in reason for place, reason in found), found


def test_too_much_text(tmp_path: Path) -> None:
    notes = [f"{i:03}" + "x" * 400 for i in range(160)]
    (where, message), = faults(tmp_path, EXAMPLE.replace('version = "1"', f'version = "1"\nnotes = {notes}'))
    assert where == "" and re.fullmatch(r"too much text: 64\d\d\d bytes, at most 60000", message)


@settings(max_examples=150)
@given(st.data())
def test_any_line_may_be_wrong(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever is cut, doubled or swapped in a source: it compiles, or it is a PackSourceError."""
    lines = EXAMPLE.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        change = data.draw(st.sampled_from(["drop", "double", "swap", "word"]))
        if change == "drop" and len(lines) > 1:
            del lines[at]
        elif change == "double":
            lines.insert(at, lines[at])
        elif change == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            words = re.split(r"(\W+)", lines[at])
            word = data.draw(st.sampled_from(["", "-1", "fire", "{", "99999"]))
            words[data.draw(st.integers(0, len(words) - 1))] = word
            lines[at] = "".join(words)
    try:
        compiled = compile_text(tmp_path_factory.mktemp("any"), "\n".join(lines))
    except PackSourceError:
        return
    describe(compiled.data)


# --- compiled packs --------------------------------------------------------------------------------------------


def test_parts_are_replaced_by_id_and_equal_runs_stored_once(tmp_path: Path) -> None:
    body = EXAMPLE[EXAMPLE.index("[[scenario.deck]]") :].replace("[[scenario.", "[[part.base.")
    scenario = '[[scenario]]\nid = "{}"\ntitle = "T"\nparts = ["base"]\ncounter = [{{ id = "fire", name = "Fire" }}]\n'
    body += '[[part.base.result]]\nid = "morning"\ntitle = "Morning"\n[[part.base.result]]\nid = "out"\ntitle = "Out"\n'
    head = EXAMPLE[: EXAMPLE.index("[[scenario]]")]
    one = compile_text(tmp_path, head + scenario.format("a") + body)
    two = compile_text(tmp_path, head + scenario.format("a") + body + scenario.format("b"))
    grown = {section: opened(two).count(section) - opened(one).count(section) for section in range(len(SECTIONS))}
    # Windows, checks and tables have a record for each scenario, and so has what refers to them. All else is shared.
    assert {SECTIONS[section] for section, more in grown.items() if more} == {
        "scenario", "check", "table", "effect", "row", "step"}
    replaced = '[[scenario.result]]\nid = "out"\ntitle = "Cold"\n'
    pack = opened(compile_text(tmp_path, head + body + scenario.format("a") + replaced))
    assert [pack.text(Scenario(pack, 0).result(i)[0]) for i in range(2)] == ["Morning", "Cold"]


def test_equal_actions_with_other_ids_keep_their_ids(tmp_path: Path) -> None:
    window = '[[scenario.window]]\nid = "{}"\ntitle = "W"\naction = [{{ id = "{}", label = "OK" }}]\n'
    names = compile_text(tmp_path, EXAMPLE + window.format("a", "yes") + window.format("b", "fine")).scenarios[0]
    assert {"yes", "fine"} <= set(names.actions.values())


def test_pack_cut_short_at_every_length(example: Compiled) -> None:
    for size in range(len(example.data)):
        with pytest.raises(PackError):
            Pack(io.BytesIO(example.data[:size]))
    with pytest.raises(PackError, match="too long"):
        Pack(io.BytesIO(example.data + b"\0"))


def test_one_changed_byte_anywhere(example: Compiled) -> None:
    for at in range(len(example.data)):
        data = bytearray(example.data)
        data[at] ^= 0x41
        with pytest.raises(PackError):
            Pack(io.BytesIO(data))


def repaired(data: bytes) -> bytes:
    """A pack with a right checksum, whatever its contents."""
    return data[: HEADER_BYTES - 16] + hashlib.sha256(data[HEADER_BYTES:]).digest()[:16] + data[HEADER_BYTES:]


@settings(max_examples=300)
@given(st.data())
def test_wrong_contents_under_a_right_checksum(example: Compiled, data: st.DataObject) -> None:
    changed = bytearray(example.data)
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(HEADER_BYTES, len(changed) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = describe(repaired(bytes(changed)))
    except PackError:
        return
    assert found["scenarios"] is not None


@pytest.mark.parametrize(("at", "value", "message"), [
    (0, b"TSPX", "not a pack"),
    (4, struct.pack("<H", records.FORMAT + 1), f"pack format not supported: {records.FORMAT + 1}"),
    (6, struct.pack("<H", 3), "pack sections wrong: 3"),
    (8, struct.pack("<H", 0), "pack sections wrong"),
    (HEADER_BYTES, b"\xff", "pack damaged"),
])
def test_wrong_headers(example: Compiled, at: int, value: bytes, message: str) -> None:
    data = example.data[:at] + value + example.data[at + len(value) :]
    with pytest.raises(PackError, match=message):
        Pack(io.BytesIO(data))


def test_records_and_languages_that_do_not_exist(example: Compiled) -> None:
    pack = opened(example)
    for bad in (-1, pack.count(records.STEP)):
        with pytest.raises(PackError, match="no such record"):
            pack.record(records.STEP, bad)
    with pytest.raises(PackError, match="no such language: 1"):
        pack.use_language(1)
    with pytest.raises(RuleError):
        Session.new(pack, 0, b"short", MemoryLog())


def test_describe_names_every_section_and_writes_fields_in_braces(example: Compiled) -> None:
    found = describe(example.data)
    assert len(SECTIONS) == len(records.FORMATS)
    assert sum(found["sections"].values()) + HEADER_BYTES + 6 * len(found["sections"]) == len(example.data)
    assert found["scenarios"][0]["decks"] == [{"name": "Night deck", "kinds": 2, "cards": 5, "zones": [
        {"name": "Discard", "kind": "discard"}, {"name": "Draw", "kind": "draw"}]}]


def test_units_flags_and_roster_are_described(tmp_path: Path) -> None:
    text = EXAMPLE.replace('title = "One night"', ROSTER, 1).replace('"Dawn"\nauto', '"{alive.us} {models.us}"\nauto')
    found = describe(compile_text(tmp_path, text).data)["scenarios"][0]
    assert found["steps"][1]["title"] == "{alive.Us} {models.Us}"
    assert (found["roster"], found["flags"], found["weapons"]) == (2, ["tired"], [])
    assert found["units"] == [{"name": "Wolf", "side": "Us", "start": 2, "models": 1, "wounds": 1, "toughness": 0,
                               "save": 0, "invulnerable": 0, "feel_no_pain": 0, "keywords": [], "weapons": []}]


ARMED = EXAMPLE.replace('title = "One night"', ROSTER.replace(
    'name = "Wolf"', 'name = "Wolf", keywords = ["beast", "ORKS"], weapons = ["bite", "howl"]'), 1) + """
[[scenario.weapon]]
id = "howl"
name = "Howl"
rules = "dice"
dice = 2
need = 7
[[scenario.weapon]]
id = "bite"
name = "Bite"
rules = "w40k10"
attacks = "D3+1"
skill = "3+"
ap = -1
keywords = ["LANCE", "ANTI-INFANTRY 4+"]
"""


@pytest.fixture(scope="module")
def armed(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    return compile_text(tmp_path_factory.mktemp("armed"), ARMED)


def test_weapons_are_described_and_printed(
    armed: Compiled, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert armed.scenarios[0].weapons == ["howl", "bite"]
    scenario = Scenario(opened(armed), 0)
    assert (scenario.weapons, scenario.unit_weapons(0)) == (2, [1, 0])
    howl, bite = describe(armed.data)["scenarios"][0]["weapons"]
    assert howl == {
        "name": "Howl", "rules": "dice", "profile": {"kind": 0, "dice": 2, "sides": 6, "plus": 0, "need": 7}}
    assert (bite["name"], bite["rules"]) == ("Bite", "w40k10")
    assert {key: value for key, value in bite["profile"].items() if value} == {
        "attacks_dice": 1, "attacks_sides": 3, "attacks_plus": 1, "skill": 3, "strength": 4, "ap": -1,
        "damage_sides": 6, "damage_plus": 1, "anti": 4, "lance": 1}
    wolf = describe(armed.data)["scenarios"][0]["units"][0]
    assert (wolf["keywords"], wolf["weapons"]) == (["BEAST"], ["Bite", "Howl"])
    file = tmp_path / "watch.tspk"
    file.write_bytes(armed.data)
    assert main(["pack", "show", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "2 at the start; keywords BEAST; weapons Bite, Howl" in printed
    assert "    Howl (dice): dice 2, sides 6, need 7" in printed


@pytest.mark.parametrize(("old", "new", "where", "message"), [
    ('rules = "dice"', 'rules = "chess"', "howl.rules", "no rules 'chess': there are dice, "),
    ('rules = "dice"', "", "howl.rules", "missing"),
    ("need = 7", "need = 501", "howl.need", "must be 0..500, got 501"),
    ("need = 7", "needs = 7", "howl", "unknown key 'needs': there are kind, dice, sides, plus, need, keywords"),
    ("need = 7", "need = 7.5", "howl.need", "must be a whole number, got 7.5"),
    ("need = 7", "need = 2020-01-01", "howl.need", 'must be a whole number, got "date"'),
    ('"LANCE"', '"LANCER"', "bite.keywords", 'unknown keyword "LANCER"'),
    ('"D3+1"', '"D8"', "bite.attacks", "must be 3..6, got 8"),
    ('name = "Bite"', 'name = "{fire}"', "bite.name", "fields in braces do not work here"),
    ('id = "bite"', 'id = "howl"', "howl", "defined twice"),
])
def test_faults_of_weapons(tmp_path: Path, old: str, new: str, where: str, message: str) -> None:
    found = faults(tmp_path, ARMED.replace(old, new))
    assert found[0][0] == f"{ROOT}.weapon.{where}"
    assert found[0][1].startswith(message)


def test_a_unit_has_weapons_that_there_are(tmp_path: Path) -> None:
    found = faults(tmp_path, ARMED.replace('weapons = ["bite"', 'weapons = ["bit"'))
    assert found[0][0] == f"{ROOT}.unit.wolf.weapons[0]"
    assert found[0][1].startswith("no weapon 'bit'")


@settings(max_examples=300)
@given(st.data())
def test_wrong_weapons_under_a_right_checksum(armed: Compiled, data: st.DataObject) -> None:
    changed = bytearray(armed.data)
    for section in (records.SCENARIO, records.UNIT, records.WEAPON, records.ARM):
        first, count = struct.unpack_from("<IH", changed, HEADER_BYTES + 6 * section)
        size = struct.calcsize(records.FORMATS[section]) * count
        changed[data.draw(st.integers(first, first + size - 1))] = data.draw(st.integers(0, 255))
    try:
        describe(repaired(bytes(changed)))
    except PackError:
        return


def test_a_pack_of_the_format_before_is_still_shown() -> None:
    data = (Path(__file__).parent / "data/sessions/layout-2/pack.tspk").read_bytes()
    assert struct.unpack_from("<H", data, 4) == (2,)
    found = describe(data)
    assert list(found["sections"])[22:] == ["flag", "text en", "text de"]
    assert all(not scenario["weapons"] for scenario in found["scenarios"])


def test_units_of_the_guide(tmp_path: Path) -> None:
    table = next(block for block in TOML if "[[scenario.unit]]" in block)
    text = EXAMPLE.replace('title = "One night"', 'title = "One night"\nroster = 4\n', 1) + table
    names = compile_text(tmp_path, text).scenarios[0]
    assert (names.units, names.flags) == (["wolf", "keeper"], ["asleep"])


ABILITIES = next(block for block in TOML if "[[scenario.ability]]" in block)


def test_abilities_of_the_guide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiled = compile_text(tmp_path, EXAMPLE + ABILITIES)
    assert compiled.scenarios[0].abilities == ["torch"]
    assert describe(compiled.data)["scenarios"][0]["abilities"] == [
        {"name": "Throw a torch", "side": "Keepers", "cost": 1, "counter": "Fire"}]
    file = tmp_path / "watch.tspk"
    file.write_bytes(compiled.data)
    assert main(["pack", "show", str(file)]) == 0
    assert "    Throw a torch (Keepers), 1 Fire" in capsys.readouterr().out


@pytest.mark.parametrize(("old", "new", "where", "message"), [
    ('"keepers"]', '"keeper"]', "torch.sides", "no side 'keeper'"),
    ('"night other"', '"nigth other"', "torch.at[0]", "no step 'nigth'"),
    ('"night other"', '"night their"', "torch.at[0]", "must be a step, alone or with 'own' or 'other', got"),
    ('pay = "fire"', 'pay = "{side}-pc"', "torch.pay", "no counter 'keepers-pc'"),
    ('limit = "phase"', 'excludes = ["torches"]', "torch.excludes[0]", "no ability 'torches'"),
    ('limit = "phase"', 'same = "torch"', "torch.same", "must be an ability with the same limit, got 'torch'"),
    ('limit = "phase"', 'limit = "day"', "torch.limit", "must be 'phase', 'turn'"),
    ('target = "other"', 'unit = "unit.strength >= 1"', "torch", "a condition of the unit needs a target"),
    ('"round >= 2"', '"unit.asleep == 1"', "torch.when", "no flag 'asleep'"),
    ('"round >= 2"', '"active.lamp == 1"', "torch.when", "no ability 'lamp'"),
    ('["mark scared unit"]', '["mark asleep unit"]', "torch.effects[0]", "no flag 'asleep'"),
    ('["mark scared unit"]', '["turn {other}s"]', "torch.effects[0]", "no side 'wolvess'"),
])
def test_faults_of_abilities(tmp_path: Path, old: str, new: str, where: str, message: str) -> None:
    assert ABILITIES.count(old) == 1
    found = faults(tmp_path, EXAMPLE + ABILITIES.replace(old, new))
    assert found[0][0] == f"{ROOT}.ability.{where}"
    assert message in found[0][1]


def test_an_action_uses_an_ability_that_there_is(tmp_path: Path) -> None:
    action = '{ id = "sleep", label = "Sleep", use = "lamp" }'
    text = EXAMPLE.replace('{ id = "sleep", label = "Sleep", effects = ["advance"] }', action)
    assert faults(tmp_path, text + ABILITIES) == [(f"{ROOT}.step.night.action.sleep.use", "no ability 'lamp'")]
    both = EXAMPLE.replace('{ id = "sleep", label = "Sleep", ', '{ id = "sleep", label = "Sleep", use = "torch", ')
    assert "uses an ability has neither" in faults(tmp_path, both + ABILITIES)[0][1]


def test_an_ability_of_two_sides_is_two(tmp_path: Path) -> None:
    block = ABILITIES.replace('["keepers"]', '["keepers", "wolves"]').replace("limit", 'excludes = ["torch"]\nlimit')
    assert compile_text(tmp_path, EXAMPLE + block).scenarios[0].abilities == ["keepers/torch", "wolves/torch"]


def test_weapons_of_the_guide(tmp_path: Path) -> None:
    table = next(block for block in TOML if "[[scenario.weapon]]" in block)
    compiled = compile_text(tmp_path, EXAMPLE + table)
    assert compiled.scenarios[0].weapons == ["long-rifle", "courage"]


# --- building --------------------------------------------------------------------------------------------------


def test_every_game_compiles_and_is_named_as_its_folder(tmp_path: Path) -> None:
    files = build.build_into(tmp_path)
    assert [file.stem for file in files] == list(build.find_games())
    for file in files:
        assert describe(file.read_bytes())["id"] == file.stem


def test_build_leaves_files_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = tmp_path / "games"
    source = games / "watch" / "game.toml"
    source.parent.mkdir(parents=True)
    monkeypatch.setattr(build, "GAMES", games)
    source.write_text(EXAMPLE)
    out = tmp_path / "out"
    (file,) = build.build_into(out)
    good, before = file.read_bytes(), file.stat()
    assert build.build_into(out, ["watch"]) == [file]
    assert file.stat().st_ino == before.st_ino, "an unchanged pack was written again"
    source.write_text(EXAMPLE.replace("resolve events", "burn"))
    with pytest.raises(PackSourceError):
        build.build_into(out)
    assert file.read_bytes() == good
    source.write_text(EXAMPLE.replace('version = "1"', 'version = "2"'))
    build.build_into(out)
    assert file.read_bytes() != good
    assert [found.name for found in out.iterdir()] == ["watch.tspk"], "a temporary file was left"
    source.write_text(EXAMPLE.replace('id = "watch"', 'id = "guard"'))
    with pytest.raises(PackSourceError, match="pack.id: must be 'watch' as the folder"):
        build.build_into(out)


@pytest.mark.parametrize(("old", "new", "message"), [
    ("steps = 3, gun = 1", "steps = 10, gun = 1", "scenario[0].unit.burner.track.steps: must be 0..9, got 10"),
    ("steps = 3, gun = 1", "step = 3", "scenario[0].unit.burner.track: no track 'step'"),
    ("names = [\"rifle\", ", "names = [", "scenario[0].track.gun: names must have 2 entries, got 1"),
    ("got.overkill", "got.kill", "shoot.effects[3]: the dice rules here have no outcomes 'kill'"),
    ("shots unit.missed", "shoots 1", "scenario[0].step.act.action.shoot.effects[0]: 'rifle' has no number 'shoots'"),
    ("same_target 1", "same_target", "scenario[0].step.act.action.shoot.effects[0]: must be 'attack WEAPON"),
    ("pay = [\"unit.steps\", \"orders\"]\n", "", "scenario[0].step.act.action.walk.cost: needs pay ="),
    ("set unit.watch 1", "set unit.toughness 1", "watch.effects[0]: no track or flag 'toughness'"),
])
def test_faults_of_tracks_and_prices_name_their_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    source = (Path(__file__).parent / "data" / "squad.toml").read_text()
    assert source.count(old) == 1
    file = tmp_path / "game.toml"
    file.write_text(source.replace(old, new))
    with pytest.raises(PackSourceError) as raised:
        compile_file(file)
    assert message in str(raised.value)


# --- what changes an attack ---------------------------------------------------------------------------------------

TROOP = (Path(__file__).parent / "data" / "troop.toml").read_text("utf-8")


@pytest.mark.parametrize(("old", "new", "where", "message"), [
    ('"flamer 3"', '"flamer 6"', ".unit.squad.weapons[1]", "how many of 5 models have it, got 'flamer 6'"),
    ('"flamer 3"', '"flamer many"', ".unit.squad.weapons[1]", "how many of 5 models have it, got 'flamer many'"),
    ('"flamer 3"', '"torch 3"', ".unit.squad.weapons[1]", "no weapon 'torch'"),
    ('target = "lit", number = "ap"', 'number = "ap"', ".bonus[1]", "needs attacker or target"),
    ('target = "lit", number = "ap"', 'target = "dark", number = "ap"', ".bonus[1].target",
     "no flag, ability or unit 'dark'"),
    ('number = "lethal"', 'number = "wit"', ".bonus[3].number", "no number 'wit' in an attack"),
    ('attacker = "aim", number = "lethal"', 'attacker = "aim", number = "feel_no_pain"', ".bonus[3].number",
     "no number 'feel_no_pain' in an attack"),  # of a target only
    ("torrent = 0, melee = 0", "torrent = 0, melee = 0, blast = 0", ".bonus[2].only", "at most 2"),
    ('"return squad"', '"return crew"', ".step.muster.action.back.effects[0]", "no unit 'crew'"),
])
def test_faults_of_what_changes_an_attack(tmp_path: Path, old: str, new: str, where: str, message: str) -> None:
    assert TROOP.count(old) == 1
    found = faults(tmp_path, TROOP.replace(old, new))
    assert [place for place, _ in found][:1] == [ROOT + where], found
    assert message in found[0][1]
