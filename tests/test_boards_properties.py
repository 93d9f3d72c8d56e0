"""Properties of any chain of the board games' dice, found by Hypothesis."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rolls import groups_of

from tableside.core import stages
from tableside.core.stages import StageError
from tableside.rules import death_angel, overkill, space_hulk

RESOLVERS = {"overkill": overkill, "space_hulk": space_hulk, "death_angel": death_angel}
GROUPS_MOST = 4


BIT = st.integers(0, 1)


@st.composite
def numbers_of(draw: st.DrawFn, fields: tuple[tuple[str, int, int, int], ...], slack: int = 0) -> list[int]:
    """Numbers within their bounds, many of them at their defaults; `slack`: how far beyond the bounds they may be."""
    return [draw(st.just(default) | st.integers(low - slack, min(high, 6) + slack)) for _, low, high, default in fields]


@st.composite
def nonsense(draw: st.DrawFn, resolver: Any) -> list[int]:
    """Numbers within or near their bounds, one too many of them now and then."""
    v = draw(numbers_of(resolver.PROFILE + resolver.MODIFIERS + resolver.TARGET, slack=2))
    groups = draw(st.integers(0, GROUPS_MOST))
    v.append(groups)
    for _ in range(groups):
        v += draw(numbers_of(resolver.GROUP, slack=2))
    return v + draw(st.just([]) | st.lists(st.integers(-3, 3), max_size=1))


def numbers_for(resolver: Any, parts: dict[str, int], groups: list[dict[str, int]]) -> list[int]:
    v = stages.blank(resolver)
    names = [field[0] for field in resolver.PROFILE + resolver.MODIFIERS + resolver.TARGET]
    for name, number in parts.items():
        v[names.index(name)] = number
    v[-1] = len(groups)
    for group in groups:
        v += [group.get(name, default) for name, _, _, default in resolver.GROUP]
    return v


@st.composite
def overkill_requests(draw: st.DrawFn) -> list[int]:
    parts = {"kind": int(draw(st.integers(0, 9)) == 0), "cleave": draw(BIT), "band": draw(st.integers(0, 2))}
    needs = draw(st.lists(st.integers(2, 6), min_size=1, max_size=6))
    if not parts["kind"]:
        parts |= {"first_contact": draw(BIT)} | draw(st.sampled_from([{}, {"rend": 1}, {"blast": 1}]))
    if "blast" in parts:
        needs = needs[:1] * len(needs)
    parts |= {f"{overkill.CHOICES['band'][parts['band']]}_{i + 1}": need for i, need in enumerate(needs)}
    groups = []
    for group in range(draw(st.integers(1, GROUPS_MOST))):
        wounds = draw(st.integers(1, 2))
        groups.append({
            "models": draw(st.integers(int(group == 0), 1 if wounds > 1 else 4)), "wounds": wounds,
            "lost": draw(st.integers(0, wounds - 1)), "save": draw(st.sampled_from([0, 2, 4, 6, 7])),
            "keywords": draw(BIT), "own": draw(BIT) if group or "blast" in parts else 0,
        })
    return numbers_for(overkill, parts, [group for group in groups if group["models"] or not group["lost"]])


@st.composite
def space_hulk_requests(draw: st.DrawFn) -> list[int]:
    fields = space_hulk.PROFILE + space_hulk.MODIFIERS
    parts = {name: draw(st.integers(low, high)) for name, low, high, _ in fields}
    parts["kind"] = draw(st.sampled_from([space_hulk.BOLTER, *[space_hulk.CLOSE_COMBAT] * 3, 1, 3]))
    parts["what"] = draw(st.integers(0, 1)) if parts["kind"] != space_hulk.FLAMER else 0
    parts["moving"] = 0 if parts["overwatch"] else parts["moving"]
    return numbers_for(space_hulk, parts, [])


@st.composite
def death_angel_requests(draw: st.DrawFn) -> list[int]:
    kind = draw(st.sampled_from([0, 0, 0, 1, 2, 2, 2, *range(3, 12)]))
    parts = {"kind": kind, "tokens": draw(st.integers(0, 7)), "in_front": draw(BIT), "artefact": draw(BIT)}
    if kind == death_angel.MARINE_ATTACK:
        parts |= {"attacks": draw(st.integers(1, 6))}
        parts |= draw(st.sampled_from([{}, {"flamer": 1}, {"psionic": 1}, {"dead_aim": 1}]))
    elif kind == death_angel.GENESTEALER_ATTACK:
        parts |= {"second_wind": draw(BIT)}
        parts |= draw(st.sampled_from([{}, {"block": 1}, {"counter_attack": 1}, {"defensive_stance": 1}]))
    groups = 0 if kind > death_angel.PROMETHIUM_TANK else draw(st.integers(1, GROUPS_MOST))
    swarms = []
    for _ in range(1 if kind == death_angel.GENESTEALER_ATTACK else groups):
        models = draw(st.integers(int(not swarms), 6))
        swarms.append({"models": models, "brood_lords": draw(st.integers(0, min(2, models)))})
    return numbers_for(death_angel, parts, swarms)


LEGAL = {"overkill": overkill_requests(), "space_hulk": space_hulk_requests(), "death_angel": death_angel_requests()}


def entry(data: st.DataObject, stage: Any) -> list[int]:
    """Some legal counts: of faces, or of dice to pick up."""
    if stage.dice:
        low, high = stage.bins[0][0], stage.bins[-1][1]
        faces = data.draw(st.lists(st.integers(low, high), min_size=stage.dice, max_size=stage.dice))
        counts = stages.counts_of(stage, faces)
        assert counts == stages.counts_of(stage, sorted(faces))
        return counts
    counts, most = [], stage.most
    for limit in stage.limits:
        counts.append(data.draw(st.integers(0, min(limit, most))))
        most -= counts[-1]
    return counts


def check_stage(resolver: Any, v: list[int], stage: Any) -> None:
    groups = v[stages.groups_at(resolver)]
    assert stage.id and stage.who in (stages.ATTACKER, stages.DEFENDER) and -1 <= stage.group < groups
    assert len(stage.bins) <= stages.BINS_MOST
    if stage.options:
        assert 0 <= stage.default < len(stage.options) == len(set(stage.options))
        assert not stage.bins
        return
    assert len({name for _, _, name in stage.bins}) == len(stage.bins)
    for (_, high, _), (low, _, _) in zip(stage.bins, stage.bins[1:], strict=False):
        assert low == high + 1
    if stage.dice:
        assert stage.bins[-1][1] - stage.bins[0][0] + 1 == stage.sides == 6
        stages.check_counts(stage, stages.likely(stage))
    else:
        assert stage.most > 0
        stages.check_counts(stage, stage.default)


def run(resolver: Any, v: list[int], data: st.DataObject) -> list[tuple[Any, list[int]]]:
    """Play to the end. Returns: the stages and the counts that were entered there."""
    done: list[tuple[Any, list[int]]] = []
    while True:
        before = list(v)
        stage = resolver.stage(v)
        assert v == before
        if stage is None:
            return done
        assert len(done) < 400
        check_stage(resolver, v, stage)
        if stage.options:
            option = data.draw(st.integers(0, len(stage.options) - 1))
            stages.check_option(stage, option)
            resolver.choose(v, stage, option)
            done.append((stage, [option]))
        else:
            counts = entry(data, stage)
            stages.check_counts(stage, counts)
            resolver.enter(v, stage, counts)
            done.append((stage, counts))
        assert len(v) == len(before) <= stages.MOST and all(-32768 <= number <= 32767 for number in v)
        assert v != before


@pytest.mark.parametrize("system", RESOLVERS)
@settings(max_examples=400)
@given(data=st.data())
def test_any_chain(system: str, data: st.DataObject) -> None:
    resolver: Any = RESOLVERS[system]
    v = data.draw(LEGAL[system])
    head = stages.head(resolver, v)
    request = list(v)
    stages.begin(resolver, v)
    assert v[:head] == request
    start = list(v)
    done = run(resolver, v, data)
    assert v[: stages.groups_at(resolver)] == request[: stages.groups_at(resolver)]
    assert len(resolver.outcome(v)) == len(resolver.OUTCOMES)
    assert min(resolver.outcome(v)) >= 0
    check_dice_rolled_again(done)
    outcome = dict(zip(resolver.OUTCOMES, resolver.outcome(v), strict=True))
    if resolver is overkill:
        check_overkill(start, v, outcome)
    elif resolver is death_angel:
        check_death_angel(start, v, outcome)

    # The same entries again lead to the same end; the tallies of the account have no part in it.
    again = list(start)
    for stage, counts in done:
        for at, _ in resolver.AUDIT:
            again[at] = 0
        here = resolver.stage(again)
        assert vars(here) == vars(stage)
        if here.options:
            resolver.choose(again, here, counts[0])
        else:
            resolver.enter(again, here, counts)
    assert resolver.stage(again) is None and resolver.outcome(again) == resolver.outcome(v)


def check_dice_rolled_again(done: list[tuple[Any, list[int]]]) -> None:
    """What was picked up is rolled next, and is not picked up again."""
    for (stage, counts), follower in zip(done, [*done[1:], None], strict=True):
        if stage.most and sum(counts):
            assert follower is not None
            after = follower[0]
            assert after.dice == sum(counts) and after.id in ("hit_reroll_dice", "parry_dice")
        if stage.id in ("hit_reroll_dice", "parry_dice") and follower is not None:
            assert not follower[0].most


def check_overkill(start: list[int], v: list[int], outcome: dict[str, int]) -> None:
    before, after = groups_of(overkill, start, "models", "wounds", "lost"), groups_of(overkill, v, "models", "lost")
    wounds = slain = 0
    for (models, each, lost), (left, hurt) in zip(before, after, strict=True):
        assert 0 <= left <= models and 0 <= hurt < each
        assert left or not hurt
        wounds += models * each - lost - left * each + hurt
        slain += models - left
    assert (wounds, slain) == (outcome["wounds"], outcome["slain"])
    assert not any(v[-8:-4])  # equal ends are equal states
    audit = {name: v[at] for at, name in overkill.AUDIT}
    if dict(zip((field[0] for field in overkill.PROFILE), v, strict=False))["kind"] == overkill.ATTACK:
        assert wounds + audit["saved"] <= audit["hits"]


def check_death_angel(start: list[int], v: list[int], outcome: dict[str, int]) -> None:
    names = ("models", "brood_lords")
    slain = 0
    for (models, lords), (left, kept) in zip(
        groups_of(death_angel, start, *names), groups_of(death_angel, v, *names), strict=True
    ):
        assert 0 <= left <= models and kept == min(left, lords)  # brood lords are the last
        slain += models - left
    assert outcome["slain"] == slain
    fields = death_angel.PROFILE + death_angel.MODIFIERS
    numbers = dict(zip((field[0] for field in fields), v, strict=False))
    assert outcome["tokens_spent"] <= numbers["tokens"]
    assert outcome["artefact_used"] <= numbers["artefact"]
    assert not any(v[-10:-5])  # equal ends are equal states


@pytest.mark.parametrize("system", RESOLVERS)
@settings(max_examples=400)
@given(data=st.data())
def test_nonsense_is_refused_as_such(system: str, data: st.DataObject) -> None:
    resolver: Any = RESOLVERS[system]
    v = data.draw(nonsense(resolver))
    try:
        stages.begin(resolver, v)
    except StageError:
        return
    run(resolver, v, data)
