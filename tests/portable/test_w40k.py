"""Both editions of Warhammer 40,000: the worked examples of the rules, and what is refused."""

import json
import os

from support import raises

from tableside.core import stages
from tableside.core.stages import StageError
from tableside.rules import w40k10, w40k11


def numbers(module, request):
    """The numbers of a request."""
    v = stages.blank(module)
    names = [field[0] for field in module.PROFILE]
    _fill(v, names, 0, request["weapon"])
    at = len(names)
    names = [field[0] for field in module.MODIFIERS]
    _fill(v, names, at, request["modifiers"])
    at += len(names)
    target = dict(request["target"])
    groups = target.pop("groups")
    target["keywords"] = sum(1 << module.KEYWORDS.index(keyword) for keyword in target.get("keywords", ()))
    _fill(v, [field[0] for field in module.TARGET], at, target)
    v[-1] = len(groups)
    names = [field[0] for field in module.GROUP]
    for group in groups:
        v += [field[3] for field in module.GROUP]
        _fill(v, names, len(v) - len(names), group)
    return v


def _fill(v, names, at, values):
    for name in values:
        v[at + names.index(name)] = values[name]


def play(module, v, entries):
    """Enter the faces of each stage in turn, as many as it asks for; (ids of the stages that came, faces left)."""
    left = {name: list(faces) if isinstance(faces, list) else faces for name, faces in entries.items()}
    came = []
    bins = []
    while True:
        stage = module.stage(v)
        if stage is None:
            return came, bins, left
        came.append(stage.id)
        bins += [(stage.id, low, name) for low, _, name in stage.bins if stage.dice]
        if stage.options:
            option = stage.options.index(left[stage.id]) if stage.id in left else stage.default
            module.choose(v, stage, option)
            continue
        if not stage.dice and stage.id not in left:
            counts = list(stage.default)
        else:
            count = stage.dice or len(left[stage.id])
            counts = stages.counts_of(stage, left[stage.id][:count])
            left[stage.id] = left[stage.id][count:]
        stages.check_counts(stage, counts)
        module.enter(v, stage, counts)


def groups(module, v):
    """The numbers of each group by their names."""
    first = stages.groups_at(module) + 1
    size = len(module.GROUP)
    return [
        {field[0]: v[at + i] for i, field in enumerate(module.GROUP)}
        for at in range(first, first + v[first - 1] * size, size)
    ]


def measured(module, v, before):
    """What the chain has to say about the expected numbers."""
    found = {name: v[at] for at, name in module.AUDIT}
    lost, destroyed = module.outcome(v)[:2]
    assert lost == found["wounds_lost"]
    after = groups(module, v)
    found["destroyed"] = [b["models"] - a["models"] for b, a in zip(before, after)]
    assert destroyed == sum(found["destroyed"])
    found["alive"] = sum(a["models"] for a in after)
    wounded = [a["wounds"] - a["lost"] for a in after if a["lost"]]
    found["wounded_left"] = wounded[0] if len(wounded) == 1 else wounded or None
    return found


def check(module, example):
    """Play an example, step by step if it has steps, and compare every number that the chain tells."""
    target = example["target"]
    for step in example.get("steps", (example,)):
        v = numbers(module, {"weapon": step["weapon"], "modifiers": step["modifiers"], "target": target})
        stages.begin(module, v)
        before = groups(module, v)
        _, bins, left = play(module, v, step["entries"])
        found = measured(module, v, before)
        if "wound" not in step["modifiers"] and "anti" not in step["weapon"]:
            goods = [low for id, low, bin in bins if id == "wound" and bin in ("wound", "crit")]
            found["wound_need"] = min(goods) if goods else None
        compare(example["id"], found, bins, step["expect"])
        for name in left:
            if name not in ("save", "precision") and left[name]:  # saves of wounds that found nobody
                raise AssertionError("%s: %s not used" % (example["id"], name))
        target = dict(target)
        target["groups"] = groups(module, v)


def compare(id, found, bins, expected):
    """Compare the expected numbers of an example with those found."""
    for name, value in expected.items():
        counted_in = {"critical_hits": "hit", "critical_wounds": "wound"}.get(name)
        if counted_in and not [b for b in bins if b[0] == counted_in and b[2] == "crit"]:
            continue  # nothing depends on them, so nobody counted them
        if name == "wound_need" and name not in found:
            continue  # hidden by a modifier
        have = found[name]
        if name == "destroyed" and not isinstance(value, list):
            have = sum(have)
        assert have == value, "%s: %s is %s, not %s" % (id, name, have, value)


def examples(name):
    """The examples of a file of tests/data/rules."""
    with open(os.getenv("TABLESIDE_DATA") + "/rules/" + name + ".json") as file:
        return json.load(file)


def test_the_worked_examples_of_the_10th():
    for example in examples("w40k10"):
        check(w40k10, example)


def test_the_worked_examples_of_the_11th():
    for example in examples("w40k11"):
        check(w40k11, example)


# What the examples do not show.

BOTH = (w40k10, w40k11)


def begun(module, weapon, modifiers, target):
    """The numbers of an attack that begins."""
    v = numbers(module, {"weapon": weapon, "modifiers": modifiers, "target": target})
    stages.begin(module, v)
    return v


def unit(*groups, **numbers):
    """A target; a group is (models, wounds, save) and perhaps a dictionary of more numbers."""
    target = dict(numbers)
    target["groups"] = []
    for one in groups:
        target["groups"].append({"models": one[0], "wounds": one[1], "save": one[2]})
        target["groups"][-1].update(one[3] if len(one) > 3 else {})
    return target


def refused(module, weapon, modifiers, target):
    """Where a request is refused."""
    return raises(StageError, begun, module, weapon, modifiers, target).stage


def test_what_cannot_be_is_refused():
    five = unit((5, 2, 3))
    for module in BOTH:
        for weapon, modifiers, target, where in (
            ({"skill": 0}, {}, five, "skill"),
            ({"torrent": 1}, {"hit_reroll": 1}, five, "hit_reroll"),
            ({"torrent": 1}, {"command_reroll": 2}, five, "command_reroll"),
            ({"melee": 1}, {"snap": 1}, five, "snap"),
            ({"melee": 1, "torrent": 1}, {}, five, "torrent"),
            ({"melee": 1}, {"half_range": 1}, five, "half_range"),
            ({"anti": 1}, {}, five, "anti"),
            ({}, {"critical_hit": 1}, five, "critical_hit"),
            ({"attacks_plus": 0}, {}, five, "attacks"),
            ({"attacks_sides": 4}, {}, five, "attacks"),
            ({"damage_plus": 0}, {}, five, "damage"),
            ({"attacks_plus": 60}, {"weapons": 5}, five, "weapons"),
            ({"kind": 1, "skill": 0}, {}, five, "skill"),
            ({}, {"weapons": 0}, five, "weapons"),
            ({}, {}, unit(), "target"),
            ({}, {}, unit((0, 2, 3)), "target"),
            ({}, {}, unit((1, 2, 1)), "save"),
            ({}, {}, unit((1, 2, 3, {"lost": 2})), "lost"),
            ({}, {}, unit((1, 2, 3), (0, 2, 3, {"lost": 1})), "lost"),
            ({}, {}, unit((1, 2, 3, {"feel_no_pain": 1})), "feel_no_pain"),
        ):
            assert refused(module, weapon, modifiers, target) == where, (module.__name__, where)
    assert refused(w40k11, {}, {"snap": 1, "hit_reroll": 1}, five) == "hit_reroll"
    assert refused(w40k11, {}, {"snap": 1, "command_reroll": 2}, five) == "command_reroll"
    begun(w40k10, {}, {"snap": 1, "hit_reroll": 1}, five)


def test_six_groups_fit():
    for module in BOTH:
        begun(module, {}, {}, unit(*[(1, 1, 4)] * 6))
    for module in BOTH:
        refused(module, {}, {}, unit(*[(1, 1, 4)] * 7))


def test_only_bins_that_matter():
    five = unit((5, 2, 3), toughness=4)
    for module in BOTH:
        for weapon, modifiers, bins in (
            ({}, {}, "miss hit"),
            ({"sustained_hits": 1}, {}, "miss hit crit"),
            ({"lethal_hits": 1}, {"snap": 1}, "miss crit"),
            ({}, {"hit_reroll": 1}, "one miss hit"),
            ({"skill": 2}, {"hit_reroll": 1}, "one hit"),
            ({}, {"hit_reroll": 3}, "miss hit"),
        ):
            stage = module.stage(begun(module, weapon, modifiers, five))
            assert " ".join(name for _, _, name in stage.bins) == bins


def test_dice_are_rolled_again_once_and_by_command_once_more_for_others():
    for module in BOTH:
        v = begun(module, {"attacks_plus": 4}, {"hit_reroll": 1, "command_reroll": 2}, unit((5, 2, 3)))
        module.enter(v, module.stage(v), [2, 1, 1])
        stage = module.stage(v)
        assert (stage.id, stage.limits, stage.most, tuple(stage.default)) == ("hit_reroll", (2, 0, 0), 2, (2, 0, 0))
        module.enter(v, stage, [1, 0, 0])
        stage = module.stage(v)
        assert (stage.id, stage.dice) == ("hit_reroll_dice", 1)
        module.enter(v, stage, [1, 0, 0])
        stage = module.stage(v)  # the die that was rolled again is not there any more
        assert (stage.id, stage.limits, stage.most, tuple(stage.default)) == ("command_reroll", (1, 1, 1), 1, (1, 0, 0))
        module.enter(v, stage, [0, 1, 0])
        module.enter(v, module.stage(v), [0, 0, 1])
        stage = module.stage(v)
        assert (stage.id, stage.dice) == ("wound", 2)


def test_a_damage_die_is_rolled_again_by_command():
    for module in BOTH:
        v = begun(module, {"damage_dice": 1, "damage_plus": 0}, {"command_reroll": 5}, unit((1, 9, 7)))
        entries = {"hit": [6], "wound": [6], "damage": [2], "command_reroll": [2], "command_reroll_dice": [5]}
        play(module, v, entries)
        assert module.outcome(v)[0] == 5
        weapon = {"damage_dice": 1, "damage_plus": 0, "attacks_plus": 2}
        v = begun(module, weapon, {"command_reroll": 5}, unit((2, 3, 7)))
        entries.update({"hit": [6] * 2, "wound": [6] * 2, "damage": [2, 2]})
        assert play(module, v, entries)[0].count("command_reroll") == 1


def test_save_dice_wait_while_damage_is_rolled():
    weapon = {"attacks_plus": 5, "ap": -1, "damage_dice": 1, "damage_sides": 3, "damage_plus": 0, "strength": 5}
    entries = {"hit": [6] * 5, "wound": [6] * 5, "save": [1, 1, 4, 4, 6], "damage": [6] * 4}
    v = begun(w40k11, weapon, {}, unit((2, 3, 4), (5, 3, 3)))
    came, _, left = play(w40k11, v, entries)
    assert came.count("save") == 1 and not left["damage"][2:]
    assert w40k11.outcome(v)[:2] == (6, 2)


def test_models_that_a_strike_kills_for_certain_need_no_damage_dice():
    for module in BOTH:
        v = begun(module, {"damage_dice": 1, "attacks_plus": 3}, {}, unit((5, 2, 7)))
        came = play(module, v, {"hit": [6] * 3, "wound": [6] * 3})[0]
        assert came == ["hit", "wound"]
        assert module.outcome(v)[:2] == (6, 3)


def test_precision_is_asked_for_and_may_be_declined():
    target = unit((3, 2, 3), (1, 4, 3, {"character": 1}), toughness=4)
    hidden = unit((3, 2, 3), (1, 4, 3, {"character": 2}), toughness=4)
    entries = {"hit": [6] * 2, "wound": [6] * 2, "save": [1, 1]}
    for module in BOTH:
        weapon = {"attacks_plus": 2, "precision": 1}
        for choice, lost in (("group_2", [0, 2]), ("no", [0, 0])):
            v = begun(module, weapon, {}, target)
            entries["precision"] = choice
            assert "precision" in play(module, v, entries)[0]
            assert [g["lost"] for g in groups(module, v)] == lost
        assert "precision" not in play(module, begun(module, weapon, {}, hidden), entries)[0]


def test_devastating_wounds_of_the_10th_can_wait_for_the_other_weapons():
    target = unit((3, 2, 3), toughness=4)
    v = begun(w40k10, {"attacks_plus": 2, "devastating_wounds": 1}, {"hold": 1}, target)
    play(w40k10, v, {"hit": [6] * 2, "wound": [6] * 2})
    assert w40k10.outcome(v) == (0, 0, 2)
    v = begun(w40k10, {"kind": 4, "damage_plus": 3}, {"weapons": 2}, target)
    play(w40k10, v, {})
    assert w40k10.outcome(v) == (4, 2, 0)


def test_mixed_toughness_of_the_11th():
    def need(*groups, **numbers):
        v = begun(w40k11, {"torrent": 1, "strength": 4}, {}, unit(*groups, **numbers))
        return w40k11.stage(v).bins[1][0]

    five, leader = (3, 2, 3, {"toughness": 5}), (1, 5, 3, {"toughness": 8, "character": 1})
    assert need(five, leader) == 5
    assert need(leader) == 6
    assert need(five, (2, 2, 3, {"toughness": 8})) == 6
    assert need(five, (2, 2, 3, {"toughness": 8}), majority=1) == 5
    assert need((2, 2, 3, {"toughness": 3}), (2, 2, 3), majority=1, toughness=4) == 4


def test_rolls_that_give_mortal_wounds_have_a_cap_and_a_price():
    v = begun(w40k10, {"kind": 1, "attacks_plus": 10, "skill": 5, "most": 6}, {}, unit((9, 1, 3)))
    play(w40k10, v, {"mortal": [5] * 10})
    assert w40k10.outcome(v)[:2] == (6, 6)
    v = begun(w40k11, {"kind": 4, "most": 6}, {}, unit((9, 1, 3), toughness=4))
    play(w40k11, v, {"mortal": [1, 1, 2, 5]})
    assert w40k11.outcome(v) == (1, 1, 2)


def test_a_request_may_be_begun_again_before_its_dice():
    for module in BOTH:
        v = begun(module, {"kind": 3, "damage_plus": 3}, {}, unit((5, 1, 3)))
        again = v[: stages.head(module, v)]
        stages.begin(module, again)
        assert again == v and module.stage(v).options == ("take",)


def test_indirect_fire_of_the_11th():
    five = unit((5, 2, 3))
    for snap, bins in ((2, (1, 5)), (3, (1, 3))):
        v = begun(w40k11, {"skill": 2}, {"snap": snap, "hit": 1}, five)
        assert w40k11.stage(v).bins[0][:2] == bins


def test_a_second_hurt_group_comes_before_the_rest_of_the_first():
    hurt = unit((3, 2, 7, {"lost": 1}), (2, 3, 7, {"lost": 1}), toughness=4)
    for module in BOTH:
        v = begun(module, {"attacks_plus": 3, "damage_plus": 2}, {}, hurt)
        play(module, v, {"hit": [6] * 3, "wound": [6] * 3})
        assert [(g["models"], g["lost"]) for g in groups(module, v)] == [(1, 0), (1, 0)]
        v = begun(module, {"kind": 3, "damage_plus": 4}, {}, hurt)
        play(module, v, {})
        assert [(g["models"], g["lost"]) for g in groups(module, v)] == [(2, 1), (1, 0)]
    v = begun(w40k10, {"attacks_plus": 3, "damage_plus": 2}, {}, unit((3, 2, 5, {"lost": 1}), (2, 3, 7, {"lost": 1})))
    w40k10.enter(v, w40k10.stage(v), [0, 3])
    w40k10.enter(v, w40k10.stage(v), [0, 3])
    assert w40k10.stage(v).dice == 1


def test_a_command_is_used_up():
    v = begun(w40k10, {"attacks_plus": 2, "damage_plus": 2}, {"command_reroll": 4}, unit((1, 2, 4), (1, 2, 4)))
    entries = {"hit": [6] * 2, "wound": [6] * 2, "save": [1, 1], "command_reroll": [1], "command_reroll_dice": [1]}
    came = play(w40k10, v, entries)[0]
    assert came == ["hit", "wound", "save", "command_reroll", "command_reroll_dice", "save"]
    v = begun(w40k10, {"attacks_plus": 2, "damage_plus": 2}, {"command_reroll": 4}, unit((1, 2, 4), (1, 2, 4)))
    entries["command_reroll"] = []
    assert play(w40k10, v, entries)[0].count("command_reroll") == 2
