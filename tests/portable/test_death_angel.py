"""Death Angel: the worked examples, and what they leave out."""

from rolls import check_example, examples, groups_of, play, request
from support import raises

from tableside.core.stages import StageError, counts_of
from tableside.rules import death_angel


def begun(weapon, groups=(), **modifiers):
    return request(death_angel, weapon, modifiers, {}, groups)


def result(v, *entries):
    """The numbers of the outcome that are not 0, at the end of the chain."""
    assert play(death_angel, v, entries) is None
    return {name: number for name, number in zip(death_angel.OUTCOMES, death_angel.outcome(v)) if number}


def swarm(models, brood_lords=0):
    return {"models": models, "brood_lords": brood_lords}


def names(v):
    return [name for _, _, name in death_angel.stage(v).bins]


def test_the_worked_examples():
    for example in examples("death_angel"):
        check_example(death_angel, example, "models", "brood_lords")


def test_how_many_faces_slay_by_the_size_of_the_swarm():
    for brood_lords in range(3):
        for models in range(max(1, brood_lords), 8):
            v = begun({"kind": "genestealer_attack"}, [swarm(models, brood_lords)])
            low, high, name = death_angel.stage(v).bins[0]
            assert (low, name) == (0, "slain")
            assert high == min(5, models + brood_lords)


def test_the_faces_are_those_of_the_combat_die():
    stage = death_angel.stage(begun({}, [swarm(1)]))
    assert counts_of(stage, [0, 3, 4, 5, 1]) == [1, 2, 2]
    assert str(raises(StageError, counts_of, stage, [6])) == "attack: the die has no such face: 6"


def test_block_stops_every_skull():
    weapon = {"kind": "genestealer_attack", "block": 1}
    assert names(begun(weapon, [swarm(4)])) == ["zero", "skull", "slain", "miss"]
    assert result(begun(weapon, [swarm(5)]), ("defend", (3,))) == {}
    assert result(begun(weapon, [swarm(5)]), ("defend", (4,))) == {"marine_slain": 1}
    v = begun(weapon, [swarm(5)], tokens=1)
    assert result(v, ("defend", (0,)), ("answer", "token"), ("defend", (2,))) == {"tokens_spent": 1}


def test_no_token_is_asked_for_where_none_helps():
    attack = {"kind": "genestealer_attack"}
    assert result(begun(attack, [swarm(5)], tokens=3), ("defend", (2,))) == {"marine_slain": 1}
    v = begun({"kind": "genestealer_attack", "second_wind": 1}, [swarm(5)], tokens=1)
    assert result(v, ("defend", (2,)), ("answer", "token"), ("defend", (0,))) == {"tokens_spent": 1}
    v = begun({"flamer": 1}, [swarm(2)], tokens=1)
    assert result(v, ("attack", (2,))) == {"slain": 2}


def test_the_artefact_is_another_answer():
    attack = {"kind": "genestealer_attack"}
    v = begun(attack, [swarm(2)], tokens=1, artefact=1)
    stage = play(death_angel, v, [("defend", (1,))])
    assert (stage.options, stage.default) == (("slain", "token", "artefact"), 1)
    stage = play(death_angel, v, [("answer", "token"), ("defend", (2,))])
    assert (stage.options, stage.default) == (("slain", "artefact"), 1)
    assert result(v, ("answer", "artefact")) == {"tokens_spent": 1, "artefact_used": 1}
    v = begun(attack, [swarm(2)], artefact=1)
    assert result(v, ("defend", (1,)), ("answer", "slain")) == {"marine_slain": 1}


def test_a_marine_rolls_again_and_again_for_tokens():
    v = begun({}, [swarm(3)], tokens=2)
    assert play(death_angel, v, [("attack", (0,))]).default == 1
    assert result(v, ("reroll", "token"), ("attack", (5,)), ("reroll", "token"), ("attack", (1,))) == {
        "slain": 1, "tokens_spent": 2}
    v = begun({"flamer": 1}, [swarm(9)], tokens=2)
    assert play(death_angel, v, [("attack", (3,))]).default == 0
    assert result(v, ("reroll", "keep")) == {"slain": 3}
    v = begun({"flamer": 1}, [swarm(9)], tokens=2)
    assert play(death_angel, v, [("attack", (2,))]).default == 1
    v = begun({"dead_aim": 1}, [swarm(9)], tokens=1)
    assert play(death_angel, v, [("attack", (3,))]).id == "reroll"
    v = begun({"dead_aim": 1}, [swarm(1)], tokens=1)
    assert result(v, ("attack", (3,))) == {"slain": 1}


def test_each_attack_may_have_another_target():
    v = begun({"psionic": 1}, [swarm(1), swarm(2), swarm(2, 1)])
    stage = death_angel.stage(v)
    assert (stage.id, stage.options) == ("target", ("group_1", "group_2", "group_3"))
    stage = play(death_angel, v, [("target", "group_1"), ("attack", (1,))])
    assert (stage.options, stage.default) == (("group_2", "group_3"), 0)
    stage = play(death_angel, v, [("target", "group_3"), ("attack", (3,))])
    assert stage.default == 1
    assert play(death_angel, v, [("target", "group_3"), ("attack", (2,)), ("attack", (2,))]).id == "attack"
    assert result(v, ("attack", (2,))) == {"slain": 5}


def test_kills_are_only_asked_for_where_there_is_a_choice():
    assert result(begun({"kind": "generatorium"}, [swarm(2), swarm(2, 1)]), ("roll", (1,))) == {
        "slain": 4, "success": 1}
    v = begun({"kind": "cleansing_flames"}, [swarm(3, 1), swarm(1)])
    assert result(v, ("roll", (1,)), ("slay", "group_2")) == {"slain": 2, "success": 1}
    assert groups_of(death_angel, v, "models", "brood_lords") == [[2, 1], [0, 0]]
    assert result(begun({"kind": "heroic_charge"}, [swarm(2)]), ("roll", (1,))) == {"slain": 2}


def test_the_other_rolls():
    for kind, face, expected in (
        ("promethium_tank", 0, {"slain": 4, "marine_slain": 1}), ("promethium_tank", 1, {"slain": 4}),
        ("spore_chimney", 2, {"success": 1}), ("spore_chimney", 4, {}), ("spore_chimney", 0, {}),
        ("psychic_assault", 1, {"marine_slain": 1}), ("psychic_assault", 2, {}),
        ("generatorium", 4, {"marine_slain": 1}), ("generatorium", 0, {"marine_slain": 1}),
        ("generatorium", 3, {"success": 1}), ("cleansing_flames", 4, {}), ("cleansing_flames", 1, {"success": 1}),
        ("intimidation", 5, {"number": 5}), ("toxin_pumping", 0, {}), ("toxin_pumping", 3, {"number": 3}),
    ):
        groups = [swarm(3), swarm(1, 1)] if kind == "promethium_tank" else []
        assert result(begun({"kind": kind}, groups), ("roll", (face,))) == expected, kind
    assert result(begun({"kind": "launch_control"}), ("roll", (0,))) == {"success": 1}
    assert result(begun({"kind": "launch_control"}, tokens=7), ("roll", (5,))) == {"success": 1}
    assert result(begun({"kind": "teleportarium"}, tokens=1), ("pay", "roll"), ("roll", (0,))) == {"marine_slain": 1}


def test_what_cannot_be_is_refused():
    attack = {"kind": "genestealer_attack"}
    for weapon, groups, words in (
        ({}, [], "target: has no models: 0"),
        (attack, [swarm(0)], "target: has no models: 0"),
        (attack, [swarm(1), swarm(1)], "target: one swarm attacks at a time: 2"),
        ({"kind": "toxin_pumping"}, [swarm(1)], "target: no swarm has to do with this roll: 1"),
        ({}, [swarm(1, 2)], "brood_lords: must be among the models: 2"),
        ({"flamer": 1, "psionic": 1}, [swarm(1)], "psionic: not together with: flamer"),
        (dict(attack, block=1, counter_attack=1), [swarm(1)], "counter_attack: not together with: block"),
        ({"block": 1}, [swarm(1)], "block: has nothing to do with this roll: marine_attack"),
        ({"second_wind": 1}, [swarm(1)], "second_wind: has nothing to do with this roll: marine_attack"),
        (dict(attack, attacks=2), [swarm(1)], "attacks: one roll only: 2"),
    ):
        assert str(raises(StageError, lambda w=weapon, g=groups: begun(w, g))) == words
