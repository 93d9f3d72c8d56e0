"""Deathwatch: Overkill: the worked examples, and what they leave out."""

from rolls import check_example, examples, groups_of, play, request
from support import raises

from tableside.core.stages import ATTACKER, DEFENDER, StageError
from tableside.rules import overkill


def begun(weapon, groups, **modifiers):
    return request(overkill, weapon, modifiers, {}, groups)


def test_the_worked_examples():
    for example in examples("overkill"):
        check_example(overkill, example, "models", "lost")


def test_dice_of_two_numbers_are_rolled_from_the_easier_on():
    v = begun({"assault": [5, 3, 3]}, [{"wounds": 2}])
    stage = overkill.stage(v)
    assert (stage.dice, stage.bins) == (2, ((1, 2, "miss"), (3, 6, "hit")))
    stage = play(overkill, v, [("hit", (3, 1))])
    assert (stage.dice, stage.bins) == (1, ((1, 4, "miss"), (5, 6, "hit")))
    assert play(overkill, v, [("hit", (6,))]) is None
    assert overkill.outcome(v) == (2, 1)


def test_rend_asks_where_to_go_on_and_stays_by_default():
    weapon = {"assault": [2, 2, 2, 2], "rend": 1}
    v = begun(weapon, [{"models": 2}, {"save": 5}, {"own": 1}])
    stage = play(overkill, v, [("hit", (2, 2, 2, 2))])
    assert (stage.options, stage.default) == (("group_1", "group_2"), 0)
    assert play(overkill, v, [("rend", "group_2"), ("save", (4,))]) is None
    assert groups_of(overkill, v, "models") == [[0], [0], [1]]
    v = begun(weapon, [{}, {"save": 5}, {"models": 3}])
    stage = play(overkill, v, [("hit", (2, 2, 2, 2))])
    assert (stage.options, stage.default) == (("group_2", "group_3"), 0)
    assert play(overkill, v, [("rend", "group_3"), ("rend", "group_3"), ("rend", "group_2")]).who == DEFENDER


def test_blast_lets_each_side_save_and_keeps_misses_of_its_own():
    v = begun({"max": [4, 4], "blast": 1}, [{"models": 3, "save": 6}, {"models": 0}, {"own": 1, "save": 2}],
              band=2, first_contact=1)
    stage = overkill.stage(v)
    assert (stage.dice, stage.group) == (3, 0)
    stage = play(overkill, v, [("hit", (1, 2, 4))])
    assert (stage.limits, stage.most, stage.default) == ((2,), 2, [2])
    stage = play(overkill, v, [("hit_reroll", (1,)), ("hit_reroll_dice", (6,))])
    assert (stage.id, stage.dice, stage.who) == ("save", 2, DEFENDER)
    stage = play(overkill, v, [("save", (6, 1)), ("hit", (3,))])
    assert (stage.default, stage.group) == ([0], 2)
    stage = play(overkill, v, [("hit_reroll", (1,)), ("hit_reroll_dice", (5,))])
    assert stage.who == ATTACKER
    assert play(overkill, v, [("save", (1,))]) is None
    assert groups_of(overkill, v, "models") == [[2], [0], [0]]


def test_what_cannot_be_is_refused():
    for weapon, groups, modifiers, words in (
        ({"assault": [4]}, [], {}, "target: has no models: 0"),
        ({"assault": [4]}, [{"models": 0}], {}, "target: has no models: 0"),
        ({"assault": [4]}, [{"own": 1}], {}, "own: only Blast hits one's own: 1"),
        ({"assault": [1]}, [{}], {}, "hit: a die cannot need: 1"),
        ({"assault": [4, 5], "blast": 1}, [{}], {}, "hit: Blast with dice of two kinds: 5"),
        ({"assault": [4], "blast": 1, "rend": 1}, [{}], {}, "rend: Blast has one hit for each model: 1"),
        ({"assault": [4]}, [{"save": 1}], {}, "save: must be 2 or more: 1"),
        ({"assault": [4]}, [{"lost": 1}], {}, "lost: must be less than the wounds: 1"),
        ({"assault": [4]}, [{"models": 2, "wounds": 2}], {}, "models: a model of two wounds is a group of its own: 2"),
        ({"assault": [7]}, [{}], {}, "assault_1: must be 0..6: 7"),
        ({"kind": 1}, [{}], {"first_contact": 1}, "jump: is never rolled again: 1"),
    ):
        assert str(raises(StageError, lambda w=weapon, g=groups, m=modifiers: begun(w, g, **m))) == words


def test_no_more_misses_are_picked_up_than_lie_there():
    v = begun({"assault": [4, 4]}, [{}], first_contact=1)
    assert str(raises(StageError, play, overkill, v, [("hit", (1, 6)), ("hit_reroll", (2,))])) == (
        "hit_reroll: no more than 1 there: 2")
    assert play(overkill, v, [("hit_reroll", (0,))]) is None
