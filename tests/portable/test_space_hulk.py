"""Space Hulk: the worked examples, the dice profiles, and what the examples leave out."""

from rolls import check_example, examples, play, request
from support import raises

from tableside.core.stages import ATTACKER, DEFENDER, StageError
from tableside.rules import space_hulk


def begun(weapon, what="model", **modifiers):
    return request(space_hulk, weapon, modifiers, {"what": what}, [])


def result(v, *entries):
    """The numbers of the outcome that are not 0, at the end of the chain."""
    assert play(space_hulk, v, entries) is None
    return {name: number for name, number in zip(space_hulk.OUTCOMES, space_hulk.outcome(v)) if number}


def test_the_worked_examples():
    for example in examples("space_hulk"):
        check_example(space_hulk, example)
        # The same dice as symbols.
        weapon = dict(example["weapon"])
        if weapon.pop("dice_profile", ""):
            check_example(space_hulk, dict(example, weapon=weapon))


def test_symbols_are_entered_as_they_lie_there():
    stage = space_hulk.stage(begun({}))
    assert [name for _, _, name in stage.bins] == ["blank", "sustained", "hit"]
    stage = space_hulk.stage(begun({"dice_profile": "sh2_numbers_assumed"}, same_target=1, shots=1))
    assert stage.bins == ((1, 4, "miss"), (5, 6, "hit"))


def test_the_jam_die():
    v = begun({"jam_to": 2}, overwatch=1)
    stage = play(space_hulk, v, [("shot", (6, 6))])
    assert (stage.dice, stage.bins) == (1, ((1, 2, "jam"), (3, 6, "ok")))
    assert result(v, ("jam", (2,))) == {"removed": 1, "overkill": 1, "jammed": 1}


def test_doubles_jam_in_other_editions():
    for profile in ("sh3_sh4", "sh1"):
        assert result(begun({"dice_profile": profile}, overwatch=1), ("shot", (2, 2)))["jammed"] == 1
        assert result(begun({"dice_profile": profile}), ("shot", (2, 2))) == {"shots": 1}
        assert result(begun({"dice_profile": profile}, overwatch=1), ("shot", (6, 2))) == {"removed": 1}


def test_sustained_fire_on_overwatch_in_the_third_edition():
    sustained = {"same_target": 1, "shots": 1, "overwatch": 1}
    assert result(begun({"dice_profile": "sh3_sh4"}, **sustained), ("shot", (5, 1))) == {"removed": 1}
    assert result(begun({"dice_profile": "sh3_sh4"}, **sustained), ("shot", (4, 1))) == {"shots": 2}
    assert result(begun({"dice_profile": "sh1"}, **sustained), ("shot", (5, 1))) == {}


def test_each_further_shot_of_the_first_edition_needs_one_less():
    for shots, need in ((0, 6), (1, 5), (2, 4), (3, 3), (7, 3)):
        v = begun({"dice_profile": "sh1"}, same_target=1, shots=shots)
        assert space_hulk.stage(v).bins[1] == (need, 6, "hit")
        assert result(v, ("shot", (need - 1, 1))) == {"shots": shots + 1}


def test_no_die_of_a_genestealer_beats_a_sergeant_with_a_6():
    v = begun({"kind": "close_combat", "attacker": "genestealer"}, sergeant=1)
    assert space_hulk.stage(v).who == DEFENDER
    assert result(v, ("marine", (6,))) == {"attacker_removed": 1}


def test_a_parry_is_offered_where_one_die_can_change_the_outcome():
    for attacker, aspect, parry_attacking, dice, offered in (
        ("genestealer", 0, 0, (6, 1, 1), [0, 0, 1]),  # what is picked by default
        ("genestealer", 0, 0, (6, 6, 1), None),
        ("genestealer", 0, 0, (5, 1, 1), [0, 1, 0]),
        ("genestealer", 0, 0, (5, 5, 1), None),
        ("genestealer", 0, 0, (4, 1, 1), None),
        ("genestealer", 2, 0, (6, 1, 1), None),
        ("marine", 2, 1, (6, 5, 5), [0, 0, 1]),
        ("marine", 0, 0, (6, 1, 1), None),
    ):
        weapon = {"kind": "close_combat", "attacker": attacker, "parry_attacking": parry_attacking}
        v = begun(weapon, aspect=aspect, sergeant=1)
        stage = play(space_hulk, v, [("marine", (4,)), ("genestealer", dice)])
        assert (None if stage is None else stage.default) == offered, (attacker, aspect, dice)
    v = begun({"kind": "close_combat"}, sergeant=1)
    stage = play(space_hulk, v, [("marine", (2,)), ("genestealer", (3, 1, 1))])
    assert (stage.default, stage.limits, stage.who) == ([0, 0, 0], (2, 1, 0), ATTACKER)
    assert result(v, ("parry", (0, 0, 0))) == {}
    for die, expected in ((2, {"removed": 1}), (3, {}), (4, {"attacker_removed": 1})):
        v = begun({"kind": "close_combat"}, sergeant=1)
        play(space_hulk, v, [("marine", (2,)), ("genestealer", (3, 1, 1)), ("parry", (0, 1, 0))])
        assert result(v, ("parry_dice", (die,))) == expected


def test_the_command_roll():
    assert result(begun({"kind": "command"}), ("command", (5,))) == {"command_points": 5}


def test_what_cannot_be_is_refused():
    for weapon, what, modifiers, words in (
        ({"kind": "flamer"}, "door", {}, "what: flames do not harm it: door"),
        ({"kind": "close_combat"}, "bulkhead", {}, "what: is never destroyed: bulkhead"),
        ({}, "model", {"overwatch": 1, "moving": 1}, "overwatch: nobody moves on overwatch: 1"),
        ({"kind": "flamer"}, "model", {"squares": 0}, "squares: must be 1..12: 0"),
    ):
        assert str(raises(StageError, lambda w=weapon, t=what, m=modifiers: begun(w, t, **m))) == words
    raises(StageError, request, space_hulk, {}, {}, {}, [{}])
