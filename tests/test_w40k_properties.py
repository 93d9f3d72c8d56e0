"""What holds for every attack of both editions of Warhammer 40,000, whatever is rolled and decided."""

import random
from types import ModuleType

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_w40k import groups, numbers

from host_tools.odds import odds
from tableside.core import stages
from tableside.core.stages import StageError
from tableside.rules import w40k10, w40k11

EDITIONS = pytest.mark.parametrize("module", [w40k10, w40k11], ids=["10th", "11th"])
# Numbers that make long chains likely; all other fields are anything.
SMALL = {
    "attacks_dice": (0, 2),
    "attacks_plus": (1, 4),
    "weapons": (1, 3),
    "strength": (3, 9),
    "damage_dice": (0, 1),
    "damage_plus": (1, 3),
    "models": (0, 4),
    "wounds": (1, 4),
    "lost": (0, 2),
    "toughness": (1, 9),
    "blast": (0, 1),
    "rapid_fire": (0, 2),
    "sustained_hits": (0, 2),
    "sustained": (0, 2),
    "hit": (-2, 2),
    "wound": (-2, 2),
    "ap": (-4, 1),
    "save": (-1, 6),
}
CHAIN_MOST = 400


NEVER_ONE = ("save", "invulnerable", "feel_no_pain", "anti", "critical_hit", "critical_wound")


def some(draw: st.DrawFn, fields: tuple) -> dict[str, int]:
    """Numbers that nearly always may begin: three of four fields that matter little keep their default."""
    values = {}
    for name, low, high, default in fields:
        values[name] = default
        if name in SMALL or draw(st.integers(0, 3)) == 0:
            near, far = SMALL.get(name, (low, high))
            values[name] = draw(st.integers(max(low, near), min(high, far)))
        if name.endswith("_sides"):
            values[name] = draw(st.sampled_from((3, 6)))
        if name in NEVER_ONE and values[name] == 1:
            values[name] = 0
    if "lost" in values:
        values["lost"] = min(values["lost"], values["wounds"] - 1) if values["models"] else 0
    return values


@st.composite
def requests(draw: st.DrawFn, module: ModuleType) -> list[int]:
    profile = some(draw, module.PROFILE)
    modifiers = some(draw, module.MODIFIERS)
    if profile["melee"]:
        profile["torrent"] = modifiers["snap"] = modifiers["half_range"] = 0
    if profile["torrent"] or modifiers["snap"]:
        modifiers["hit_reroll"] = 0
        modifiers["command_reroll"] = 0 if modifiers["command_reroll"] == 2 else modifiers["command_reroll"]
    profile["skill"] = profile["skill"] or 4 - 4 * profile["torrent"]
    v = [*profile.values(), *modifiers.values(), *some(draw, module.TARGET).values()]
    count = draw(st.integers(1, 4))
    v.append(count)
    for _ in range(count):
        v += some(draw, module.GROUP).values()
    return v


def standing(module: ModuleType, v: list[int]) -> tuple[int, int]:
    units = groups(module, v)
    return sum(u["models"] * u["wounds"] - u["lost"] for u in units), sum(u["models"] for u in units)


def throw(stage: stages.Stage, dice: random.Random) -> list[int]:
    """Counts of dice thrown, or some dice to pick up."""
    if stage.dice:
        return stages.counts_of(stage, [dice.randint(1, stage.sides) for _ in range(stage.dice)])
    left = stage.most
    counts = []
    for limit in stage.limits:
        counts.append(dice.randint(0, min(limit, left)))
        left -= counts[-1]
    return counts


def check_numbers(module: ModuleType, v: list[int]) -> None:
    assert len(v) <= stages.MOST
    assert all(-32768 <= n <= 32767 for n in v)
    for unit in groups(module, v):
        assert unit["models"] >= 0
        assert 0 <= unit["lost"] < unit["wounds"]
        assert unit["models"] or not unit["lost"]


@EDITIONS
@settings(max_examples=400)
@given(st.data(), st.integers(0, 2**32))
def test_an_attack_ends_and_no_wound_is_made_or_lost(module: ModuleType, data: st.DataObject, seed: int) -> None:
    v = data.draw(requests(module))
    try:
        stages.begin(module, v)
    except StageError:
        assume(False)
    dice = random.Random(seed)
    wounds, models = standing(module, v)
    lay: dict[str, int] = {}  # dice of each roll that may still be rolled again
    for _ in range(CHAIN_MOST):
        before = list(v)
        stage = module.stage(v)
        assert v == before
        check_numbers(module, v)
        if stage is None:
            break
        assert len(stage.bins) <= stages.BINS_MOST
        if stage.options:
            stages.check_option(stage, stage.default)
            module.choose(v, stage, dice.randrange(len(stage.options)))
            continue
        counts = throw(stage, dice)
        stages.check_counts(stage, counts)
        if stage.dice:
            assert [low for low, _, _ in stage.bins] == [1] + [high + 1 for _, high, _ in stage.bins[:-1]]
            assert stage.bins[-1][1] == stage.sides
            if stage.id.endswith("_dice"):
                assert stage.dice == lay.pop("picked")
            elif stage.id != "feel_no_pain":
                lay = {"fresh": stage.dice}
        else:
            stages.check_counts(stage, list(stage.default))
            if stage.id != "lethal":
                assert sum(stage.limits) <= lay["fresh"]
                lay["fresh"] -= sum(counts)
                lay["picked"] = sum(counts)
        module.enter(v, stage, counts)
    else:
        raise AssertionError("no end")
    lost, destroyed = module.outcome(v)[:2]
    left, alive = standing(module, v)
    assert (lost, destroyed) == (wounds - left, models - alive)
    account = {name: v[at] for at, name in module.AUDIT}
    assert account["wounds_lost"] == lost
    at = [field[0] for field in module.PROFILE].index("damage_dice")
    most = v[at] * v[at + 1] + v[at + 2] + v[[field[0] for field in module.PROFILE].index("melta")]
    assert lost <= account["unsaved"] * most + account["mortal"]


@EDITIONS
@settings(max_examples=60)
@given(st.data(), st.integers(0, 2**32))
def test_the_fast_odds_are_those_of_the_walk(module: ModuleType, data: st.DataObject, seed: int) -> None:
    v = data.draw(requests(module))
    try:
        stages.begin(module, v)
    except StageError:
        assume(False)
    dice = random.Random(seed)
    while (stage := module.stage(v)) is not None and not stage.options:
        if stage.dice > 6:
            return  # the walk is long
        if module.independent(v) is not None:
            assert odds(module, v) == odds(module, v, fast=False)
        module.enter(v, stage, throw(stage, dice))


@EDITIONS
@pytest.mark.parametrize("devastating", [0, 1])
def test_the_fast_odds_of_many_abilities(module: ModuleType, devastating: int) -> None:
    weapon = {"attacks_plus": 3, "lethal_hits": 1, "sustained_hits": 1, "twin_linked": 1, "ap": -1}
    weapon |= {"devastating_wounds": devastating, "damage_plus": 2}
    units = [{"models": 2, "wounds": 2, "save": 4, "feel_no_pain": 5}, {"models": 2, "wounds": 3, "save": 2}]
    v = numbers(module, {"weapon": weapon, "modifiers": {"hit_reroll": 1}, "target": {"groups": units}})
    stages.begin(module, v)
    assert odds(module, v) == odds(module, v, fast=False)
    while (stage := module.stage(v)).id != "wound":
        module.enter(v, stage, [0, 0, 2, 1] if stage.dice else list(stage.default))
    assert odds(module, v) == odds(module, v, fast=False)


@EDITIONS
@settings(max_examples=300)
@given(st.data())
def test_nonsense_is_refused_and_nothing_else(module: ModuleType, data: st.DataObject) -> None:
    fields = module.PROFILE + module.MODIFIERS + module.TARGET
    v = [data.draw(st.one_of(st.just(default), st.integers(low - 1, high + 1))) for _, low, high, default in fields]
    count = data.draw(st.integers(0, 7))
    v.append(count)
    for _ in range(count):
        v += [data.draw(st.integers(low, high)) for _, low, high, _ in module.GROUP]
    try:
        stages.begin(module, v)
    except StageError as error:
        assert error.stage
    else:
        check_numbers(module, v)
        assert module.stage(v) is not None
