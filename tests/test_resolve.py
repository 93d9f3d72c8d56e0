"""`tableside resolve` and `tableside odds`: requests good and bad, their JSON, tables and charts."""

import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image
from test_cli import Ran

from host_tools import chart
from host_tools.requests import SYSTEMS

WEAPON = {"attacks": 6, "skill": "3+", "strength": 4, "ap": -1, "damage": 1}
TARGET = {"toughness": 4, "groups": [{"models": 5, "wounds": 2, "save": "3+"}]}
HIT = {"stage": "hit", "dice": [1, 2, 3, 4, 5, 6]}
WOUND = {"stage": "wound", "dice": [3, 4, 5, 6]}
SAVE = {"stage": "save", "dice": [1, 3, 6]}


@pytest.fixture
def given(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command with a request from standard input."""
    def run(command: str, system: str, request: Any, *options: str) -> Ran:
        text = request if isinstance(request, str) else json.dumps(request)
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return Ran(capsys, command, "--system", system, "-", *options)
    return run


def attack(*entries: Any, keywords: tuple[str, ...] = (), **modifiers: Any) -> dict[str, Any]:
    return {"weapon": {**WEAPON, "keywords": list(keywords)}, "target": TARGET, "modifiers": modifiers,
            "entries": list(entries)}


# --- resolve ---------------------------------------------------------------------------------------------------


def test_an_attack_goes_to_its_end(given: Any) -> None:
    reply = given("resolve", "w40k10", attack(SAVE, HIT, WOUND), "--json").json()
    assert list(reply) == ["stages", "result", "complete", "next"]
    assert (reply["complete"], reply["next"]) == (True, None)
    assert reply["stages"][0] == {
        "id": "hit", "title": "Hit", "who": "attacker", "group": None, "dice": 6, "sides": 6,
        "bins": [{"name": "miss", "low": 1, "high": 2}, {"name": "hit", "low": 3, "high": 6}],
        "entered": [2, 4], "expected": ["2/1", "4/1"],
    }
    assert [(stage["id"], stage["who"], stage["group"]) for stage in reply["stages"]] == [
        ("hit", "attacker", None), ("wound", "attacker", None), ("save", "defender", 1)]
    assert reply["stages"][1]["expected"] == ["2/1", "2/1"]
    result = reply["result"]
    assert [result[name] for name in ("hits", "wounds", "unsaved", "wounds_lost", "destroyed")] == [4, 3, 2, 2, 1]
    assert result["groups"] == [{"models": 4, "lost": 0}]


def test_faces_and_counts_are_the_same(given: Any) -> None:
    faces = given("resolve", "w40k10", attack(HIT, WOUND, SAVE), "--json").json()
    counts = attack({"stage": "hit", "counts": [2, 4]}, {"stage": "wound", "counts": [1, 3]},
                    {"stage": "save", "counts": [2, 1]})
    assert given("resolve", "w40k10", counts, "--json").json() == faces


def test_without_all_entries_the_stage_that_waits_is_named(given: Any) -> None:
    reply = given("resolve", "w40k10", attack(HIT), "--json").json()
    assert (reply["complete"], reply["result"], len(reply["stages"])) == (False, None, 1)
    assert (reply["next"]["id"], reply["next"]["dice"], reply["next"]["entered"]) == ("wound", 4, None)
    assert given("resolve", "w40k10", attack(), "--json").json()["next"]["id"] == "hit"
    out = given("resolve", "w40k10", attack(HIT)).out
    assert "Next: Wound (wound): 4 D6: 1-3 fail, 4-6 wound" in out


def test_dice_to_pick_up_again_wait_and_are_skipped(given: Any) -> None:
    again = {"stage": "wound_reroll_dice", "dice": [6]}
    words = ("TWIN-LINKED",)
    reply = given("resolve", "w40k10", attack(HIT, WOUND, keywords=words), "--json").json()
    waiting = reply["next"]
    assert (waiting["id"], waiting["there"], waiting["default"]) == ("wound_reroll", [1, 3], [1, 0])
    for choose in ("fail", "default", [1, 0]):
        pick = {"stage": "wound_reroll", "choose": choose}
        reply = given("resolve", "w40k10", attack(HIT, WOUND, pick, keywords=words), "--json").json()
        assert (reply["next"]["id"], reply["next"]["dice"]) == ("wound_reroll_dice", 1)
    # An entry for what follows: nothing was picked up, or what one would pick up.
    reply = given("resolve", "w40k10", attack(HIT, WOUND, SAVE, keywords=words), "--json").json()
    assert reply["complete"]
    assert [stage["entered"] for stage in reply["stages"]] == [[2, 4], [1, 3], [0, 0], [2, 1]]
    reply = given("resolve", "w40k10", attack(HIT, WOUND, again, keywords=words), "--json").json()
    assert (reply["next"]["id"], reply["next"]["dice"]) == ("save", 4)
    everything = {"stage": "wound_reroll", "choose": "all"}
    reply = given("resolve", "w40k10", attack(HIT, WOUND, everything, keywords=words), "--json").json()
    assert reply["next"]["dice"] == 4


def test_a_decision_by_name_or_number_or_not_at_all(given: Any) -> None:
    start = {"weapon": {"dice": 2, "need": 7}, "modifiers": {"reroll": "whole"}}
    roll = {"stage": "roll", "dice": [1, 2]}
    for choose in ("reroll", "REROLL", 1, "default"):
        entries = [roll, {"stage": "reroll", "choose": choose}]
        reply = given("resolve", "dice", {**start, "entries": entries}, "--json").json()
        assert reply["next"]["id"] == "reroll_dice"
        assert reply["stages"][1]["entered"] == "reroll"
    waits = given("resolve", "dice", {**start, "entries": [roll]}, "--json").json()["next"]
    assert (waits["options"], waits["default"], waits["dice"]) == (["keep", "reroll"], "reroll", 0)
    skipped = given("resolve", "dice", {**start, "entries": [roll, {"stage": "reroll_dice", "dice": [5, 5]}]})
    assert "Total: 10" in skipped.out
    assert "Next: Reroll (reroll): keep or reroll" in given("resolve", "dice", {**start, "entries": [roll]}).out


def test_entries_of_one_stage_are_used_in_their_order(given: Any) -> None:
    start = {"weapon": {"kind": "roll_off"}, "entries": [
        {"stage": "roll", "dice": [3]}, {"stage": "roll", "dice": [6]}, {"stage": "other", "dice": [3]},
        {"stage": "other", "dice": [2]}]}
    assert given("resolve", "dice", start, "--json").json()["result"] == {"total": 4, "success": 1}


BAD = [
    (HIT, WOUND, {"stage": "save", "dice": [1, 3]}, "save: too few dice: 2"),
    (HIT, WOUND, {"stage": "save", "dice": [1, 3, 4, 5]}, "save: too many dice: 4"),
    ({"stage": "hit", "dice": [1, 2, 3, 4, 5, 7]}, "hit: the die has no such face: 7"),
    ({"stage": "hit", "dice": [0, 2, 3, 4, 5, 6]}, "hit: the die has no such face: 0"),
    ({"stage": "hit", "dice": [1, 2, 3, 4, 5, "six"]}, 'hit: must be a whole number: "six"'),
    ({"stage": "hit", "dice": [1, 2, 3, 4, 5, True]}, "hit: must be a whole number: true"),
    ({"stage": "hit", "counts": [7, -1]}, "hit: less than no dice: -1"),
    ({"stage": "hit", "counts": [1, 2, 3]}, "hit: needs 2 counts: 3"),
    ({"stage": "hit", "counts": [10**9, 3]}, "hit: too many dice: 1000000003"),
    ({"stage": "hit", "choose": 0}, "hit: waits for dice: 0"),
    ({"stage": "hit", "dice": 3}, "entries[0]: hit: must be a list of whole numbers"),
    ({"stage": "hit"}, "entries[0]: hit: needs one of dice, counts, choose"),
    ({"stage": "hit", "dice": [], "counts": []}, "entries[0]: hit: needs one of dice, counts, choose"),
    ({"dice": [1]}, 'entries[0]: must be an object with a "stage"'),
    (HIT, "wound", 'entries[1]: must be an object with a "stage"'),
    (HIT, WOUND, SAVE, HIT, "hit: an entry for a stage that does not come"),
    (HIT, WOUND, SAVE, {"stage": "feel_no_pain", "dice": [1]},
     "feel_no_pain: an entry for a stage that does not come"),
    (HIT, SAVE, "save: an entry for a stage that has not come: wound waits"),
]


@pytest.mark.parametrize("bad", BAD, ids=[row[-1] for row in BAD])
@pytest.mark.parametrize("command", ["resolve", "odds"])
def test_a_bad_entry_is_refused_with_its_stage_and_value(given: Any, command: str, bad: tuple[Any, ...]) -> None:
    *entries, message = bad
    given(command, "w40k10", attack(*entries)).refused(f"tableside {command}: {message}")


@pytest.mark.parametrize(("choose", "message"), [
    ("maybe", "reroll: must be one of keep, reroll: maybe"),
    (2, "reroll: no such option: 2"),
    (-1, "reroll: no such option: -1"),
    (1.5, "reroll: must be a whole number: 1.5"),
    (True, "reroll: must be a whole number: true"),
    (None, "reroll: must be a whole number: null"),
])
def test_a_bad_decision_is_refused(given: Any, choose: Any, message: str) -> None:
    request = {"weapon": {"dice": 2, "need": 7}, "modifiers": {"reroll": "whole"},
               "entries": [{"stage": "roll", "dice": [1, 2]}, {"stage": "reroll", "choose": choose}]}
    given("resolve", "dice", request).refused(message)
    request["entries"] = [{"stage": "roll", "dice": [1, 2]}, {"stage": "reroll", "dice": [1, 2]}]
    given("resolve", "dice", request).refused("reroll: waits for a decision: dice")


@pytest.mark.parametrize(("choose", "message"), [
    ([2, 0], "wound_reroll: no more than 1 there: 2"),
    ([0], "wound_reroll: needs 2 counts: 1"),
    ("some", 'wound_reroll: must be counts of its bins, or one of none, all, default, fail, wound: "some"'),
    (1, "wound_reroll: must be counts of its bins, or one of none, all, default, fail, wound: 1"),
    ([1, "x"], 'wound_reroll: must be a whole number: "x"'),
])
def test_a_bad_pick_is_refused(given: Any, choose: Any, message: str) -> None:
    entries = (HIT, WOUND, {"stage": "wound_reroll", "choose": choose})
    given("resolve", "w40k10", attack(*entries, keywords=("TWIN-LINKED",))).refused(message)


@pytest.mark.parametrize(("bad", "parts"), [
    ("{", ("standard input", "not JSON")),
    ("[" * 100_000, ("standard input", "not JSON")),
    ([], ("request: must be an object",)),
    ({"weapon": WEAPON, "target": TARGET, "entries": {}}, ("entries: must be a list",)),
    ({"weapons": {}}, ("request: unknown key", "weapons")),
    ({"weapon": {**WEAPON, "attacks": -1}, "target": TARGET}, ("weapon.attacks", "-1")),
    ({"weapon": {**WEAPON, "attacks": 10**9}, "target": TARGET}, ("weapon.attacks", "1000000000")),
    ({"weapon": {**WEAPON, "keywords": ["VORPAL 3"]}, "target": TARGET}, ("weapon.keywords", "VORPAL 3")),
    ({"weapon": WEAPON}, ("target", "has no models")),
    ({"weapon": {**WEAPON, "keywords": ["TORRENT"]}, "target": TARGET, "modifiers": {"hit_reroll": "any"}},
     ("hit_reroll: TORRENT makes no hit roll",)),
])
@pytest.mark.parametrize("command", ["resolve", "odds"])
def test_a_bad_request_is_refused_with_the_place(given: Any, command: str, bad: Any, parts: tuple[str, ...]) -> None:
    given(command, "w40k10", bad).refused(f"tableside {command}: ", *parts)


def test_files_and_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "attack.json"
    file.write_text(json.dumps(attack(HIT, WOUND, SAVE)))
    assert "Wounds lost: 2" in Ran(capsys, "resolve", "--system", "w40k10", str(file)).out
    Ran(capsys, "resolve", "--system", "w40k10", str(tmp_path / "none.json")).refused("none.json")
    file.write_bytes(b"\xff")
    Ran(capsys, "odds", "--system", "w40k10", str(file)).refused("attack.json is not UTF-8 text")
    for wrong in (["resolve"], ["resolve", "--system", "chess", "-"], ["resolve", "--system", "dice"],
                  ["odds", "--system", "dice"], ["odds", "--system", "dice", "-", "--chart", "odds.jpg"],
                  ["resolve", "--system", "dice", "--schema", "--example"]):
        assert Ran(capsys, *wrong).code == 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_schema_and_example_of_every_system(capsys: pytest.CaptureFixture[str], given: Any, system: str) -> None:
    schema = Ran(capsys, "resolve", "--system", system, "--schema").json()
    example = Ran(capsys, "resolve", "--system", system, "--example").json()
    jsonschema.validate(example, schema)
    assert given("resolve", system, example, "--json").json()["complete"]
    assert given("resolve", system, example).code == 0
    del example["entries"]
    found = given("odds", system, example, "--json").json()
    assert sum(map(Fraction, found["outcomes"].values())) == 1


# --- odds ------------------------------------------------------------------------------------------------------


def test_odds_are_exact_fractions(given: Any) -> None:
    found = given("odds", "dice", {"weapon": {"kind": "count", "dice": 2, "need": 5}}, "--json").json()
    assert found == {
        "names": ["total", "success"],
        "outcomes": {"0,0": "4/9", "1,1": "4/9", "2,1": "1/9"},
        "each": {"total": {"0": "4/9", "1": "4/9", "2": "1/9"}, "success": {"0": "4/9", "1": "5/9"}},
        "mean": {"total": "2/3", "success": "5/9"},
    }


def test_odds_are_those_of_the_dice_that_are_still_to_come(given: Any) -> None:
    found = given("odds", "w40k10", attack(HIT, WOUND), "--json").json()
    assert (found["mean"]["hits"], found["mean"]["wounds"], found["mean"]["unsaved"]) == ("4/1", "3/1", "3/2")
    assert found["each"]["wounds_lost"] == {"0": "1/8", "1": "3/8", "2": "3/8", "3": "1/8"}
    assert found["each"]["destroyed"] == {"0": "1/2", "1": "1/2"}
    done = given("odds", "w40k10", attack(HIT, WOUND, SAVE), "--json").json()
    assert list(done["outcomes"].values()) == ["1/1"]
    assert done["each"]["wounds_lost"] == {"2": "1/1"}


def test_fractions_of_any_length_are_written(given: Any) -> None:
    request = {"weapon": {"kind": "count", "dice": 40, "need": 6}}
    found = given("odds", "dice", request, "--json").json()
    assert found["outcomes"]["40,1"] == f"1/{6**40}"


def test_the_tables_show_rounded_percents_and_bars(given: Any) -> None:
    out = given("odds", "dice", {"weapon": {"dice": 2}}).out
    assert "7.0000" in out
    row = next(line for line in out.splitlines() if line.startswith("│ 7 "))
    assert "16.7%" in row and "58.3%" in row and "█" * 30 in row
    tail = given("odds", "dice", {"weapon": {"dice": 20, "kind": "count", "need": 6}}).out
    assert "11 and more" in tail and "<0.1%" in tail
    assert chart.percent(Fraction(0)) == "0.0%"
    assert chart.percent(1 - Fraction(1, 10**6)) == ">99.9%"
    assert chart.percent(Fraction(1)) == "100.0%"


def test_the_chart_has_a_bar_for_each_value(given: Any, tmp_path: Path) -> None:
    file = tmp_path / "odds.png"
    assert given("odds", "dice", {"weapon": {"dice": 1}}, "--chart", str(file)).code == 0
    with Image.open(file) as image:
        assert image.size == (800, 520)
        bars = [image.getpixel((40 + 720 * (2 * i + 1) // 12 + 20, 225)) for i in range(6)]
        assert len(set(bars)) == 1
        assert bars[0] != image.getpixel((42, 225)) == (255, 255, 255)
    given("odds", "dice", {"weapon": {"dice": 1}}, "--chart", str(tmp_path / "none" / "odds.png")).refused("odds.png")


def test_a_wide_chart_leaves_out_what_is_least_likely() -> None:
    parts = {value: Fraction(1, 1 + value) for value in range(100)}
    assert chart.shown(parts) == (0, 59)
    assert chart.shown({-value: part for value, part in parts.items()}) == (-59, 0)
    assert chart.shown({3: Fraction(1)}) == (3, 3)
