"""Properties of any shot and fight of Kill Team, found by Hypothesis; the best block beside an exhaustive search."""

from itertools import combinations_with_replacement, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rolls import groups_of

from tableside.core import stages
from tableside.core.stages import StageError
from tableside.rules import killteam_fight, killteam_shoot

RESOLVERS = [killteam_shoot, killteam_fight]
STAGES_MOST = 60


@st.composite
def requests(draw: st.DrawFn, resolver: Any) -> list[int]:
    """Numbers of an attack, many of them at their defaults."""
    v = [draw(st.just(default) | st.integers(low, min(high, 7)))
         for _, low, high, default in resolver.PROFILE + resolver.MODIFIERS + resolver.TARGET]
    groups = draw(st.integers(1, 2)) if resolver is killteam_shoot else 2
    v.append(groups)
    for _ in range(groups):
        wounds = draw(st.integers(1, 20))
        v += [1, wounds, draw(st.integers(0, wounds - 1))]
    return v


def go_on(resolver: Any, v: list[int], draw: Any) -> list[tuple[str, int, int]]:
    """To the end, with dice and decisions drawn. Returns: (stage id, dice, dice picked up) of each stage of dice."""
    seen = []
    for _ in range(STAGES_MOST):
        stage = resolver.stage(v)
        if stage is None:
            return seen
        before = list(v)
        assert resolver.stage(v).__dict__ == stage.__dict__ and v == before
        if stage.options:
            resolver.choose(v, stage, draw(st.integers(0, len(stage.options) - 1)))
            continue
        if stage.dice:
            faces = draw(st.lists(st.integers(1, 6), min_size=stage.dice, max_size=stage.dice))
            counts = stages.counts_of(stage, faces)
            other = list(v)
            resolver.enter(other, stage, stages.counts_of(stage, faces[::-1]))  # order does not matter
        else:
            counts = [draw(st.integers(0, limit)) for limit in stage.limits] if draw(st.booleans()) else stage.default
            try:
                stages.check_counts(stage, counts)
            except StageError:
                counts = stage.default
            other = []
        seen.append((stage.id, stage.dice, 0 if stage.dice else sum(counts)))
        try:
            resolver.enter(v, stage, list(counts))
        except StageError:  # dice of more than one result
            resolver.enter(v, stage, list(stage.default))
            seen[-1] = (stage.id, 0, sum(stage.default))
        assert not other or other == v
    raise AssertionError("does not end")


@pytest.mark.parametrize("resolver", RESOLVERS)
@settings(max_examples=300)
@given(data=st.data())
def test_any_attack_comes_to_an_end_and_loses_no_wound(resolver: Any, data: st.DataObject) -> None:
    v = data.draw(requests(resolver))
    before = groups_of(resolver, v, "models", "wounds", "lost")
    stages.begin(resolver, v)
    seen = go_on(resolver, v, data.draw)
    assert len(v) <= stages.MOST and all(-32768 <= number <= 32767 for number in v)
    outcome = dict(zip(resolver.OUTCOMES, resolver.outcome(v), strict=True))
    after = groups_of(resolver, v, "models", "wounds", "lost")
    losses = [outcome["damage"], outcome["own_damage"]]
    for (_, wounds, lost), (models, _, now), loss in zip(before, after, losses, strict=False):
        assert (wounds if not models else now) == lost + loss
        assert models or now == 0
    assert outcome["incapacitated"] == 1 - after[0][0]
    # What was picked up is rolled, and no die of a roll more than twice: picked up at most as often as there are dice.
    for side in ("hit", "save", "foe_hit"):
        rolled = [dice for id, dice, _ in seen if id == side]
        again = [dice for id, dice, _ in seen if id.startswith(side + "_") and dice]
        picked = [count for id, dice, count in seen if id.startswith(side + "_") and not dice]
        assert sum(again) == sum(picked) <= sum(rolled)


@pytest.mark.parametrize("resolver", RESOLVERS)
@settings(max_examples=200)
@given(data=st.data())
def test_nonsense_is_refused(resolver: Any, data: st.DataObject) -> None:
    fields = resolver.PROFILE + resolver.MODIFIERS + resolver.TARGET
    v = [data.draw(st.just(default) | st.integers(low - 1, high + 1)) for _, low, high, default in fields]
    groups = data.draw(st.integers(0, 3))
    v += [groups] + [data.draw(st.integers(-1, 30)) for _ in range(3 * groups)]
    try:
        stages.begin(resolver, v)
    except StageError:
        return
    go_on(resolver, v, data.draw)


def blocked(normals: int, crits: int, saves: int, criticals: int, damage: tuple[int, int]) -> int:
    """The least damage that is left, by trying the saves in every order on every hit that they can block."""
    best = normals * damage[0] + crits * damage[1]
    # A block is worth: a save a normal, two saves a crit, a critical save either.
    ways = ["n"] * normals + ["c"] * crits
    for count in range(len(ways) + 1):
        for chosen in set(permutations(ways, count)):
            for with_crits in set(combinations_with_replacement((0, 1), count)):
                for order in set(permutations(with_crits)):
                    used = sum(order)
                    plain = sum(1 if way == "n" else 2 for way, crit in zip(chosen, order, strict=True) if not crit)
                    if used <= criticals and plain <= saves:
                        left = (normals - chosen.count("n")) * damage[0] + (crits - chosen.count("c")) * damage[1]
                        best = min(best, left)
    return best


@pytest.mark.parametrize("damage", [(3, 4), (4, 4), (6, 3), (5, 0), (2, 9)])
def test_the_target_blocks_best(damage: tuple[int, int]) -> None:
    for normals in range(3):
        for crits in range(3):
            for saves in range(4):
                for criticals in range(3):
                    dice = normals, crits, saves, criticals
                    left = killteam_shoot.least(*dice, *damage)
                    assert left[0] * damage[0] + left[1] * damage[1] == blocked(*dice, damage), dice
