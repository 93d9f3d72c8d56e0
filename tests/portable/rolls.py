"""Requests of the resolvers in tests: built from JSON-like examples, and carried on by faces or decisions."""

import json
import os

from tableside.core import stages


def examples(system):
    """The worked examples of a rule system."""
    with open(os.getenv("TABLESIDE_DATA") + "/rules/" + system + ".json") as file:
        return json.load(file)


def request(resolver, weapon, modifiers, target, groups):
    """A request with its progress. A list of numbers stands for the fields NAME_1, NAME_2 and so on."""
    v = stages.blank(resolver)
    at = 0
    for fields, numbers in ((resolver.PROFILE, weapon), (resolver.MODIFIERS, modifiers), (resolver.TARGET, target)):
        _fill(resolver, v, at, fields, numbers)
        at += len(fields)
    v[at] = len(groups)
    for numbers in groups:
        at = len(v)
        v.extend(field[3] for field in resolver.GROUP)
        _fill(resolver, v, at, resolver.GROUP, numbers)
    stages.begin(resolver, v)
    return v


def _fill(resolver, v, at, fields, numbers):
    names = [field[0] for field in fields]
    for name, value in numbers.items():
        if name == "keywords":
            v[at + names.index(name)] = sum(1 << resolver.KEYWORDS.index(word) for word in value)
        elif isinstance(value, list):
            for i, one in enumerate(value):
                v[at + names.index("%s_%d" % (name, i + 1))] = one
        elif isinstance(value, str):
            v[at + names.index(name)] = resolver.CHOICES[name].index(value)
        else:
            v[at + names.index(name)] = value


def play(resolver, v, entries):
    """Enter (stage id, faces, counts of dice to pick up or the name of an option), in the order of the stages."""
    for id, value in entries:
        stage = resolver.stage(v)
        if stage is None or stage.id != id:
            raise AssertionError("%s comes, not %s" % ("nothing" if stage is None else stage.id, id))
        if stage.options:
            option = stage.options.index(value)
            stages.check_option(stage, option)
            resolver.choose(v, stage, option)
        else:
            counts = stages.counts_of(stage, value) if stage.dice else value
            stages.check_counts(stage, counts)
            resolver.enter(v, stage, counts)
    return resolver.stage(v)


def groups_of(resolver, v, *names):
    """These numbers of every group."""
    fields = [field[0] for field in resolver.GROUP]
    first = stages.groups_at(resolver) + 1
    return [
        [v[first + group * len(fields) + fields.index(name)] for name in names] for group in range(v[first - 1])
    ]


def check_example(resolver, example, *names):
    """Play an example to its end and compare the outcome, and these numbers of its groups."""
    title = example["title"]
    parts = [example.get(part, {}) for part in ("weapon", "modifiers", "target")] + [example.get("groups", [])]
    try:
        v = request(resolver, *parts)
    except stages.StageError as error:
        assert str(error) == example.get("error"), "%s: %s" % (title, error)
        return
    assert "error" not in example, title
    assert play(resolver, v, example["entries"]) is None, title + ": goes on"
    outcome = resolver.outcome(v)
    if isinstance(example["outcome"], dict):  # the numbers that are not 0
        outcome = {name: number for name, number in zip(resolver.OUTCOMES, outcome) if number}
    else:
        outcome = list(outcome)
    assert outcome == example["outcome"], "%s: %s" % (title, outcome)
    if "left" in example:
        left = groups_of(resolver, v, *names)
        assert left == example["left"], "%s: %s" % (title, left)
