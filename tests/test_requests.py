"""Requests in JSON and the numbers that a resolver takes from them, for every rule system."""

import copy
import types
from typing import Any

import jsonschema
import pytest

from host_tools import requests
from host_tools.errors import CommandError
from tableside.core import stages
from tableside.core.stages import StageError
from tableside.rules import dice

# A resolver's tables with every kind of field.
RULES = types.SimpleNamespace(
    KEYWORDS=("INFANTRY", "VEHICLE", "EXCEPTIONAL AGILITY"),
    CHOICES={"aim": ("none", "long_shot")},
    NO_DICE=("heavy_bearer",),
    BARE=("blast",),
    PROFILE=(
        ("attacks_dice", 0, 6, 0), ("attacks_sides", 3, 6, 6), ("attacks_plus", 0, 60, 1),
        ("skill", 0, 6, 3), ("ap", -9, 0, 0), ("near_1", 0, 6, 0), ("near_2", 0, 6, 0),
        ("sustained_hits", 0, 6, 0), ("twin_linked", 0, 1, 0), ("anti", 0, 6, 0), ("anti_keyword", 0, 14, 0),
        ("blast", 0, 3, 0),
    ),
    MODIFIERS=(("hit", -9, 9, 0), ("cover", 0, 1, 0), ("aim", 0, 1, 0)),
    TARGET=(("toughness", 1, 60, 4), ("keywords", 0, 32767, 0)),
    GROUP=(("models", 0, 40, 1), ("save", 0, 7, 0), ("character", 0, 1, 0)),
    begin=lambda v: v.append(77),
)
DICE_0 = [0, 6, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0]


@pytest.fixture(autouse=True)
def _made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    real = requests.resolver
    monkeypatch.setattr(requests, "resolver", lambda system: RULES if system == "made_up" else real(system))


def numbers(request: Any) -> list[int]:
    return requests.to_numbers("made_up", request)


def test_an_empty_request_has_every_default_and_begins() -> None:
    assert numbers({}) == [*DICE_0, 0, 0, 0, 4, 0, 0, 77]
    assert requests.to_numbers("dice", {}) == [*stages.blank(dice), 0, 0, 0, 1]


def test_everything_a_player_writes() -> None:
    weapon = {"attacks": "2d6 + 1", "skill": "4+", "ap": -2, "near": [3, "4+"],
              "keywords": ["SUSTAINED HITS 2", "Twin-linked", "ANTI-EXCEPTIONAL AGILITY 4+", "BLAST", "Heavy Bearer 3"]}
    request = {
        "weapon": weapon,
        "modifiers": {"hit": "-1", "cover": True, "aim": "long shot"},
        "target": {"toughness": "5", "keywords": ["Vehicle", "ORKS", "infantry"],
                   "groups": [{"models": 5, "save": "3+"}, {"save": None, "character": 1}]},
        "entries": [],
    }
    profile = [2, 6, 1, 4, -2, 3, 4, 2, 1, 4, 2, 1]
    assert numbers(request) == [*profile, -1, 1, 1, 5, 0b11, 2, 5, 3, 0, 1, 0, 1, 77]
    assert requests.profile("made_up", weapon) == profile


@pytest.mark.parametrize(("attacks", "fields"), [
    (12, [0, 6, 12]), ("12", [0, 6, 12]), ("D3", [1, 3, 0]), ("3D3+2", [3, 3, 2]), ("D6", [1, 6, 0]),
])
def test_dice_notations(attacks: Any, fields: list[int]) -> None:
    assert requests.profile("made_up", {"attacks": attacks})[:3] == fields


@pytest.mark.parametrize(("key", "value", "message"), [
    ("keywords", ["SUSTAINED HITZ"], 'weapon.keywords: unknown keyword "SUSTAINED HITZ": there are SUSTAINED HITS X, '
                                     'TWIN LINKED, ANTI-KEYWORD X, BLAST, HEAVY BEARER'),
    ("keywords", ["ANTI-ORK 4+"], 'weapon.keywords: unknown keyword "ANTI-ORK 4+"'),
    ("keywords", ["ANTI 4+"], 'weapon.keywords: unknown keyword "ANTI 4+"'),
    ("keywords", ["ANTI-KEYWORD 4+"], 'weapon.keywords: unknown keyword "ANTI-KEYWORD 4+"'),
    ("keywords", ["SKILL 4+"], 'weapon.keywords: unknown keyword "SKILL 4+"'),
    ("keywords", ["SUSTAINED HITS"], 'weapon.keywords: "SUSTAINED HITS" needs a number'),
    ("keywords", ["SUSTAINED HITS 7"], 'weapon.keywords: the number of "SUSTAINED HITS 7" must be 1..6'),
    ("keywords", ["TWIN-LINKED 2"], 'weapon.keywords: the number of "TWIN-LINKED 2" must be 1..1'),
    ("keywords", ["TWIN-LINKED", "twin linked"], 'weapon.keywords: "twin linked" comes twice'),
    ("keywords", "TWIN-LINKED", 'weapon.keywords: must be a list of keywords, got "TWIN-LINKED"'),
    ("keywords", [3], "weapon.keywords: must be a list of keywords, got 3"),
    ("attacks", "2D8", "weapon.attacks: must be 3..6, got 8"),
    ("attacks", -1, "weapon.attacks: must be 0..60, got -1"),
    ("attacks", 10**30, f"weapon.attacks: must be 0..60, got {10**30}"),
    ("attacks", "lots", 'weapon.attacks: must be a number or dice such as "2D6+1", got "lots"'),
    ("attacks", True, 'weapon.attacks: must be a number or dice such as "2D6+1", got true'),
    ("skill", 2.5, "weapon.skill: must be a whole number, got 2.5"),
    ("skill", [3], 'weapon.skill: must be a whole number, got "list"'),
    ("skill", "7+", "weapon.skill: must be 0..6, got 7"),
    ("ap", 1, "weapon.ap: must be -9..0, got 1"),
    ("near", [3, 7], "weapon.near[1]: must be 0..6, got 7"),
    ("near", [1, 2, 3], 'weapon.near: must be a list of at most 2 numbers, got "list"'),
    ("anti_keyword", "ORKS", 'weapon.anti_keyword: must be one of INFANTRY, VEHICLE, EXCEPTIONAL AGILITY, got "ORKS"'),
    ("strenght", 4, "weapon: unknown key 'strenght': there are attacks, skill, ap, near, sustained_hits, twin_linked, "
                    "anti, anti_keyword, blast, keywords"),
])
def test_a_wrong_weapon_names_the_place(key: str, value: Any, message: str) -> None:
    with pytest.raises(CommandError) as error:
        requests.profile("made_up", {key: value})
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(("request_", "message"), [
    ([], 'request: must be an object, got "list"'),
    ({"wepon": {}}, "request: unknown key 'wepon': there are weapon, modifiers, target, entries"),
    ({"weapon": 3}, "weapon: must be an object, got 3"),
    ({"modifiers": {"aim": "far"}}, 'modifiers.aim: must be one of none, long_shot, got "far"'),
    ({"modifiers": {"aim": 1}}, "modifiers.aim: must be one of none, long_shot, got 1"),
    ({"target": {"groups": {}}}, 'target.groups: must be a list, got "dict"'),
    ({"target": {"groups": [{}, {"models": -3}]}}, "target.groups[1].models: must be 0..40, got -3"),
    ({"target": {"groups": [3]}}, "target.groups[0]: must be an object, got 3"),
    ({"target": {"keywords": [3]}}, 'target.keywords: must be a list of keywords, got "list"'),
    ({"target": {"tougness": 3}}, "target: unknown key 'tougness': there are toughness, keywords, groups"),
])
def test_a_wrong_request_names_the_place(request_: Any, message: str) -> None:
    with pytest.raises(CommandError) as error:
        numbers(request_)
    assert str(error.value) == message


def test_unknown_rules_are_answered_with_those_that_there_are() -> None:
    with pytest.raises(CommandError, match="no rules 'w40k9': there are dice, "):
        requests.resolver("w40k9")


def test_a_blast_goes_with_or_without_a_number() -> None:
    names = [field[0] for field in requests.resolver("w40k11").PROFILE]
    for word, number in (("BLAST", 1), ("Blast 2", 2), ('Blast 2"', 1)):
        assert requests.profile("w40k11", {"keywords": [word]})[names.index("blast")] == number


def test_what_the_chain_refuses_comes_through() -> None:
    with pytest.raises(StageError):
        requests.to_numbers("dice", {"weapon": {"kind": "count"}})


def test_too_many_groups_are_refused() -> None:
    with pytest.raises(StageError, match="too many groups"):
        numbers({"target": {"groups": [{}] * 50}})


@pytest.mark.parametrize("system", requests.SYSTEMS)
def test_an_example_goes_to_the_end_and_fits_its_schema(system: str) -> None:
    rules = requests.resolver(system)
    example = requests.example(system)
    before = copy.deepcopy(example)
    v = requests.to_numbers(system, example)
    for entry in example["entries"]:
        stage = rules.stage(v)
        assert stage is not None and stage.id == entry["stage"]
        if "choose" in entry:
            option = stage.options.index(entry["choose"])
            rules.choose(v, stage, option)
            continue
        counts = entry["counts"] if "counts" in entry else stages.counts_of(stage, entry["dice"])
        stages.check_counts(stage, counts)
        rules.enter(v, stage, counts)
    assert rules.stage(v) is None
    assert example == before
    assert len({*example} | {"target", "modifiers"}) == 4
    jsonschema.validate(example, requests.schema(system))


@pytest.mark.parametrize("system", ["made_up", *requests.SYSTEMS])
def test_a_schema_is_one_and_closed(system: str) -> None:
    schema = requests.schema(system)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    for wrong in ({"wepon": {}}, {"weapon": {"wrong": 1}}, {"target": {"groups": [{"wrong": 1}]}},
                  {"entries": [{"stage": "hit"}]}, {"entries": [{"stage": "hit", "dice": [1], "counts": [1]}]}):
        assert not jsonschema.Draft202012Validator(schema).is_valid(wrong)


def test_a_schema_takes_what_a_player_writes_and_no_more() -> None:
    validator = jsonschema.Draft202012Validator(requests.schema("made_up"))
    for weapon, good in (({"attacks": "2D6+1"}, True), ({"attacks": "2D"}, False), ({"attacks": 61}, False),
                         ({"skill": "3+"}, True), ({"skill": "+"}, False), ({"skill": None}, True),
                         ({"twin_linked": True}, True), ({"near": [1, 2, 3]}, False), ({"ap": -10}, False),
                         ({"anti_keyword": "VEHICLE"}, True), ({"anti_keyword": "ORKS"}, False)):
        assert validator.is_valid({"weapon": weapon}) is good, weapon
