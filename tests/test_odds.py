"""Exact odds: the fast way against the full walk, the tables of the fact sheets, icepool, and dice that are rolled.

`TABLESIDE_ATTACKS` says how many random attacks are rolled, `TABLESIDE_TEST_SEED` which.
"""

import json
import os
from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import icepool
import pytest
from attacks import LARGE, random_attack, roll
from icepool_attack import Group, wounds_lost
from vms import SEED

from host_tools import odds as module
from host_tools.odds import OddsError, odds, power
from host_tools.odds_command import alone
from host_tools.requests import SYSTEMS, resolver, to_numbers
from tableside.core import stages

ATTACKS = int(os.environ.get("TABLESIDE_ATTACKS", "20"))
ROLLS = 1000
MEANS = json.loads((Path(__file__).parent / "data" / "rules" / "means.json").read_text())
CASES = [pytest.param(system, case, id=f"{system}-{case['id']}") for system, cases in MEANS.items() for case in cases]
AGREEING = ("hits", "wounds", "unsaved")
FAST = [system for system in SYSTEMS if hasattr(resolver(system), "independent")]


def request(system: str, **parts: Any) -> list[int]:
    return to_numbers(system, parts)


# --- the engine ------------------------------------------------------------------------------------------------


def tiny(stage: Any, enter: Any, **more: Any) -> Any:
    """A resolver whose v is [where, number]; it ends where `stage` gives None."""
    return SimpleNamespace(ID=99, AUDIT=(), OUTCOMES=("number",), stage=stage, enter=enter,
                           outcome=lambda v: (v[1],), **more)


COIN = ((1, 1, "tails"), (2, 2, "heads"))


def coin(id: str = "toss", count: int = 1) -> stages.Stage:
    return stages.dice(id, stages.ATTACKER, count, COIN, sides=2)


def test_the_power_of_weights_is_what_one_die_after_the_other_gives() -> None:
    random = Random(SEED)
    for _ in range(200):
        tallies = random.randint(1, 3)
        single = {tuple(random.randint(-2, 4) for _ in range(tallies)): random.randint(1, 9)
                  for _ in range(random.randint(1, 5))}
        dice = random.randint(1, 5)
        found: Counter[tuple[int, ...]] = Counter()
        for way in product(single.items(), repeat=dice):
            weight = 1
            for _, each in way:
                weight *= each
            found[tuple(map(sum, zip(*(gained for gained, _ in way), strict=True)))] += weight
        assert power(single, dice) == found


def test_a_throw_has_multinomial_weights() -> None:
    whole, ways = module._rolls(3, (2, 3, 1))
    brute = Counter(tuple(sorted(faces)) for faces in product("aabbbc", repeat=3))
    assert whole == 6**3
    assert {"".join("abc"[i] * count for i, count in enumerate(counts)): weight for counts, weight in ways} == {
        "".join(faces): weight for faces, weight in brute.items()}


def test_a_loop_of_one_state_is_a_geometric_row() -> None:
    def enter(v: list[int], _: Any, counts: list[int]) -> None:
        v[0] = counts[1]

    found = odds(tiny(lambda v: None if v[0] else coin(), enter), [0, 7])
    assert found.outcomes == {(7,): 1}


def test_loops_of_many_states_are_solved() -> None:
    # A walk from 2 on a line, a step up or down, until 0 or 5.
    def enter(v: list[int], _: Any, counts: list[int]) -> None:
        v[1] += counts[1] - counts[0]
        v[2] += 1

    walk = tiny(lambda v: coin() if 0 < v[1] < 5 else None, enter)
    walk.AUDIT = ((2, "steps"),)
    found = odds(walk, [0, 2, 0])
    assert found.outcomes == {(0,): Fraction(3, 5), (5,): Fraction(2, 5)}
    assert found.mean == {"number": 2, "steps": 2 * 3}


def test_a_roll_off_that_ties_is_rolled_again() -> None:
    found = odds(resolver("dice"), request("dice", weapon={"kind": "roll_off", "sides": 12}))
    assert found.mean["success"] == Fraction(1, 2)
    assert found.outcomes[1, 1] == Fraction(11, 132)


def test_a_chain_that_need_not_end_is_refused_with_its_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    def turn(v: list[int], _: Any, counts: list[int]) -> None:
        v[0] = 1 - v[0]

    def grow(v: list[int], _: Any, counts: list[int]) -> None:
        v[1] += 1

    with pytest.raises(OddsError, match="toss: comes again without end"):
        odds(tiny(lambda v: coin(), lambda v, stage, counts: None), [0, 0])
    with pytest.raises(OddsError, match="toss: comes again without end"):
        odds(tiny(lambda v: coin(), turn), [0, 0])
    monkeypatch.setattr(module, "STATES_MOST", 1000)
    with pytest.raises(OddsError, match="toss: more than 1000 states"):
        odds(tiny(lambda v: coin(), grow), [0, 0])
    monkeypatch.setattr(module, "LOOPS_MOST", 3)
    with pytest.raises(OddsError, match="(roll|other): comes again in too many ways"):
        odds(resolver("dice"), request("dice", weapon={"kind": "roll_off"}))


def test_dice_that_are_not_independent_are_found_out() -> None:
    def enter(v: list[int], _: Any, counts: list[int]) -> None:
        v[0] = 0
        v[1] = counts[1]
        v[2] = counts[0]

    def pool(**more: Any) -> Any:
        return tiny(lambda v: coin(count=v[0]) if v[0] else None, enter, independent=lambda v: 0, TALLIES=(1,), **more)

    with pytest.raises(OddsError, match="toss: a single die changes more than its tallies"):
        odds(pool(gathered=lambda v: not v[0]), [3, 0, 0])
    with pytest.raises(OddsError, match="a single die is not gathered"):
        odds(pool(gathered=lambda v: False), [3, 0, 0])


@pytest.mark.parametrize("system", FAST)
def test_the_fast_way_gives_what_the_full_walk_gives(system: str) -> None:
    random = Random(SEED)
    rules = resolver(system)
    shortened = 0
    for _ in range(3 * ATTACKS):
        v = random_attack(rules, random)
        assert odds(rules, v) == odds(rules, v, fast=False), v
        index = rules.independent(v)
        shortened += index is not None and v[index] > 1
    assert shortened > ATTACKS / 4


@pytest.mark.parametrize("system", FAST)
@pytest.mark.parametrize("dice", range(1, 7))
def test_so_it_does_with_many_rules_at_once(system: str, dice: int) -> None:
    if system == "dice":
        v = request(system, weapon={"dice": dice, "need": 3 * dice}, modifiers={"reroll": "whole"})
    else:
        v = request(system, weapon={"attacks": dice, "strength": 5, "ap": -1, "damage": "D3",
                                    "keywords": ["SUSTAINED HITS 1", "DEVASTATING WOUNDS", "TWIN-LINKED"]},
                    modifiers={"hit_reroll": "ones"},
                    target={"groups": [{"models": 5, "wounds": 2, "save": 3, "feel_no_pain": 5},
                                       {"models": 5, "wounds": 3, "save": 2, "invulnerable": 4}]})
    found = odds(resolver(system), v)
    assert found == odds(resolver(system), v, fast=False)
    assert sum(found.outcomes.values()) == 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_depends_on_the_tallies_of_the_account(system: str) -> None:
    random = Random(SEED)
    rules = resolver(system)
    for _ in range(30):
        v = random_attack(rules, random)
        state = random.getstate()
        roll(rules, v, random)
        w = v[:]
        for index, _ in rules.AUDIT:
            w[index] = 0
        assert rules.outcome(w) == rules.outcome(v)
        random.setstate(state)


# --- figures from elsewhere ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "case"), CASES)
def test_the_means_of_the_fact_sheets(system: str, case: dict[str, Any]) -> None:
    parts = {key: case[key] for key in ("weapon", "modifiers", "target")}
    expected = {name: Fraction(text) for name, text in case["mean"].items()}
    found = odds(resolver(system), request(system, **parts)).mean
    assert {name: found[name] for name in ("wounds_lost", "destroyed")} == {
        name: expected[name] for name in ("wounds_lost", "destroyed")}
    # The others go on as if the unit did not die.
    group = {**case["target"]["groups"][0], "models": 40, "wounds": 60, "feel_no_pain": 0}
    parts["target"] = {**case["target"], "groups": [group]}
    found = odds(resolver(system), request(system, **parts)).mean
    assert {name: found[name] for name in AGREEING} == {name: expected[name] for name in AGREEING}


@pytest.mark.parametrize(("weapon", "modifier", "odd"), [
    ({"dice": 2, "need": 7}, 0, "7/12"),
    ({"dice": 2, "need": 7}, 1, "13/18"),
    ({"dice": 2, "need": 9}, 0, "5/18"),
    ({"dice": 2, "need": 9}, 1, "5/12"),
    ({"dice": 2, "need": 6}, 0, "13/18"),
    ({"dice": 2, "need": 5}, 0, "5/6"),
    ({"dice": 2, "need": 8}, 0, "5/12"),
    ({"need": 5}, 1, "1/2"),
    ({"need": 5}, 0, "1/3"),
    ({"need": 4}, 0, "1/2"),
    ({"need": 6}, 0, "1/6"),
    ({"kind": "count", "dice": 1, "need": 3}, 0, "2/3"),
])
def test_the_small_odds_of_the_fact_sheets(weapon: dict[str, Any], modifier: int, odd: str) -> None:
    v = request("dice", weapon=weapon, modifiers={"modifier": modifier})
    assert odds(resolver("dice"), v).mean["success"] == Fraction(odd)


def test_dice_that_give_mortal_wounds() -> None:
    many = {"groups": [{"models": 40, "wounds": 60}]}
    for system, weapon, mean in (
        ("w40k10", {"attacks": 7, "skill": 5, "most": 6}, Fraction(7, 3) - Fraction(1, 2187)),
        ("w40k11", {"attacks": 6, "skill": 4}, 3),
    ):
        found = odds(resolver(system), request(system, weapon={"kind": "mortal_dice", **weapon}, target=many))
        assert found.mean["mortal"] == mean
    assert alone(found, 0)[6] == Fraction(1, 64)
    found = odds(resolver("w40k11"), request("w40k11", weapon={"kind": "hazardous"}, modifiers={"weapons": 2},
                                             target=many))
    assert found.mean["mortal"] == Fraction(2, 3)


def fractions(die: icepool.Die) -> dict[int, Fraction]:
    return {value: Fraction(die.quantity(value), die.denominator()) for value in die.outcomes() if die.quantity(value)}


@pytest.mark.parametrize(("dice", "sides", "plus"), [(1, 6, 0), (2, 6, 1), (3, 3, 0), (6, 12, -2), (40, 6, 0)])
def test_sums_are_those_of_icepool(dice: int, sides: int, plus: int) -> None:
    found = odds(resolver("dice"), request("dice", weapon={"dice": dice, "sides": sides, "plus": plus}))
    assert alone(found, 0) == fractions(dice @ icepool.d(sides) + plus)


@pytest.mark.parametrize(("attacks", "damage", "sustained", "groups"), [
    (1, "D6", 0, [(1, 6, 4, 7)]),
    (5, 2, 0, [(5, 1, 4, 5)]),
    (8, "D3", 1, [(3, 2, 5, 7)]),
    (6, "D3", 2, [(2, 2, 4, 5), (3, 3, 3, 6)]),
    (20, "D3", 1, [(5, 2, 4, 5), (5, 3, 3, 5)]),
])
def test_an_attack_is_that_of_icepool(attacks: int, damage: int | str, sustained: int, groups: list[Group]) -> None:
    die = icepool.Die([damage]) if isinstance(damage, int) else icepool.d(int(damage[1:]))
    target = [{"models": models, "wounds": each, "save": save - 1, "feel_no_pain": ignore % 7}
              for models, each, save, ignore in groups]
    words = [f"SUSTAINED HITS {sustained}"] if sustained else []
    v = request("w40k10", weapon={"attacks": attacks, "skill": 3, "strength": 5, "ap": -1, "damage": damage,
                                  "keywords": words}, target={"toughness": 4, "groups": target})
    assert alone(odds(resolver("w40k10"), v), 0) == fractions(wounds_lost(attacks, 3, 3, die, groups, sustained))


# --- dice that are rolled --------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
def test_rolled_dice_keep_to_the_odds(system: str) -> None:
    random = Random(SEED)
    rules = resolver(system)
    for _ in range(ATTACKS):
        start = random_attack(rules, random, LARGE)
        found = odds(rules, start)
        seen: list[tuple[int, ...]] = []
        tallies: Counter[str] = Counter()
        for _ in range(ROLLS):
            v = start[:]
            roll(rules, v, random)
            seen.append(rules.outcome(v))
            tallies.update({name: v[index] for index, name in rules.AUDIT})
        assert set(seen) <= set(found.outcomes), start
        for i, name in enumerate(rules.OUTCOMES):
            # Dvoretzky, Kiefer, Wolfowitz: a gap so wide comes once in 2 million such checks.
            assert gap(alone(found, i), [outcome[i] for outcome in seen]) < 2.75 / sqrt(ROLLS), (name, start)
        for _, name in rules.AUDIT:
            mean = float(found.mean[name])
            assert abs(tallies[name] / ROLLS - mean) < 8 * sqrt((mean + mean**2) / ROLLS) + 20 / ROLLS, (name, start)


def gap(parts: dict[int, Fraction], values: list[int]) -> float:
    """The widest gap between the odds of at most a value and how often it came."""
    counts = Counter(values)
    widest = below = 0.0
    came = 0
    for value, part in parts.items():
        below += float(part)
        came += counts[value]
        widest = max(widest, abs(below - came / len(values)))
    return widest


def test_wrong_odds_are_told_from_rolled_ones() -> None:
    random = Random(SEED)
    values = [random.randint(1, 6) for _ in range(ROLLS)]
    fair = {face: Fraction(1, 6) for face in range(1, 7)}
    assert gap(fair, values) < 2.75 / sqrt(ROLLS)
    assert gap(fair, [max(2, face) for face in values]) > 2.75 / sqrt(ROLLS)
