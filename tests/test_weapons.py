"""Every weapon of every game is begun and rolled to its end, alone or at each unit of its scenario."""

import io
import random
from types import ModuleType

import pytest

from host_tools.packs.build import compile_system, find_games
from tableside import rules
from tableside.core import roster, stages
from tableside.core.pack import SCENARIO, Pack, Scenario
from tableside.core.stages import StageError

SCENARIOS = [(system, i) for system in find_games() for i in range(len(compile_system(system).scenarios))]
UNIT_FIELDS = [word.replace(" ", "_") for word in roster.WORDS[roster.MODELS:]]


def groups_of(scenario: Scenario, resolver: ModuleType) -> list[list[int]]:
    """The numbers of a group for each unit."""
    found = []
    for i in range(scenario.units):
        numbers = dict(zip(UNIT_FIELDS, scenario.unit(i)[3:9], strict=True))
        numbers["keywords"] = scenario.unit(i)[9]
        found.append([numbers.get(name, default) for name, _, _, default in resolver.GROUP])
    return found


def roll(resolver: ModuleType, v: list[int], dice: random.Random) -> None:
    """Go on to the end with faces that were rolled and decisions as they are proposed."""
    for _ in range(200):
        stage = resolver.stage(v)
        if stage is None:
            return
        if stage.options:
            resolver.choose(v, stage, stage.default)
            continue
        faces = [dice.randint(stage.bins[0][0], stage.bins[-1][1]) for _ in range(stage.dice)]
        counts = stages.counts_of(stage, faces) if stage.dice else list(stage.default)
        stages.check_counts(stage, counts)
        resolver.enter(v, stage, counts)
    raise AssertionError("does not end")


@pytest.mark.parametrize(("system", "index"), SCENARIOS)
def test_every_weapon_is_rolled_to_its_end(system: str, index: int) -> None:
    scenario = Scenario(Pack(io.BytesIO(compile_system(system).data)), index)
    dice = random.Random(index)
    for i in range(scenario.weapons):
        name, number, *numbers = scenario.weapon(i)
        resolver = rules.resolver(number)
        begun = 0
        for group in [None, *(groups_of(scenario, resolver) if resolver.GROUP else [])]:
            v = stages.blank(resolver)
            v[:len(resolver.PROFILE)] = numbers[:len(resolver.PROFILE)]
            if group is not None:
                both = getattr(resolver, "BOTH", False)  # the attacker is a group as well
                v[-1] = 1 + both
                v += group + group * both
            try:
                stages.begin(resolver, v)
            except StageError:
                continue  # it needs a target, or takes none
            begun += 1
            roll(resolver, v, dice)
        targets = scenario.units if resolver.GROUP else 0
        assert begun in (1, targets, targets + 1) and begun, scenario.pack.text(name)


def test_the_pack_of_dice_has_a_scenario_for_all_rules() -> None:
    pack = Pack(io.BytesIO(compile_system("dice").data))
    scenarios = [Scenario(pack, i) for i in range(pack.count(SCENARIO))]
    used = {scenario.weapon(i)[1] for scenario in scenarios for i in range(scenario.weapons)}
    assert used == {number for number, name in enumerate(rules.RESOLVERS) if name}
