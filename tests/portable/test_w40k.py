"""Both editions of Warhammer 40,000: the worked examples of the rules, and what is refused."""

import json
import os

from tableside.core import stages
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
