"""Plain dice, and what every chain of stages has: bins, checks of what is entered, the likeliest counts."""

from support import raises

from tableside.core import stages
from tableside.core.stages import StageError
from tableside.rules import dice


def run(v, *entries):
    """Enter faces, or a decision given as a number, one after the other; returns the stage that waits then."""
    for entry in entries:
        stage = dice.stage(v)
        if isinstance(entry, int):
            stages.check_option(stage, entry)
            dice.choose(v, stage, entry)
        else:
            counts = stages.counts_of(stage, entry)
            stages.check_counts(stage, counts)
            dice.enter(v, stage, counts)
    return dice.stage(v)


def request(**numbers):
    """A request with its progress."""
    v = stages.blank(dice)
    names = [field[0] for field in dice.PROFILE + dice.MODIFIERS]
    for name, number in numbers.items():
        v[names.index(name)] = number
    stages.begin(dice, v)
    return v


def test_a_sum_reaches_its_number():
    v = request(dice=2, need=7, plus=1)
    assert run(v, (3, 3)) is None
    assert dice.outcome(v) == (7, 1)
    v = request(dice=2, need=7)
    run(v, (3, 3))
    assert dice.outcome(v) == (6, 0)


def test_a_charge_is_capped_after_its_modifiers():
    cases = (((6, 6), 1, 12, 12), ((6, 5), -1, 12, 10), ((6, 5), -1, 6, 6), ((3, 2), 0, 6, 5))
    for faces, modifier, most, total in cases:
        v = request(dice=2, modifier=modifier, most=most)
        run(v, faces)
        assert dice.outcome(v)[0] == total


def test_rolls_of_both_editions_of_40k():
    for need, plus, faces, success in ((5, 1, (3,), 0), (5, 1, (4,), 1), (5, 0, (4,), 0), (5, 0, (5,), 1)):  # ambush
        v = request(need=need, plus=plus)
        run(v, faces)
        assert dice.outcome(v)[1] == success
    for need, faces, success in ((7, (3, 3), 0), (7, (3, 4), 1), (6, (3, 4), 1)):  # battle-shock
        v = request(dice=2, need=need)
        run(v, faces)
        assert dice.outcome(v)[1] == success
    v = request(kind=dice.COUNT, dice=3, need=4)  # Metamorphic Spasm
    run(v, (4, 3, 6))
    assert dice.outcome(v)[0] == 2


def test_all_dice_of_a_sum_are_rolled_again_at_most_once():
    v = request(dice=2, need=7, reroll=1)
    assert run(v, (1, 1)).default == 1
    assert run(v, 1).id == "reroll_dice"
    assert run(v, (4, 4)) is None
    assert dice.outcome(v) == (8, 1)
    v = request(dice=2, need=7, reroll=1)
    assert run(v, (4, 4)).default == 0
    assert run(v, 0) is None


def test_successes_are_counted():
    v = request(kind=dice.COUNT, dice=6, need=4)
    assert dice.stage(v).bins == ((1, 3, "fail"), (4, 6, "success"))
    run(v, (4, 4, 5, 1, 2, 6))
    assert dice.outcome(v) == (4, 1)
    for faces, outcome in (((4, 3), (1, 1)), ((1, 3), (0, 0))):
        v = request(kind=dice.COUNT, dice=2, need=4)
        run(v, faces)
        assert dice.outcome(v) == outcome


def test_a_d3_is_a_d6_in_pairs():
    v = request(sides=3)
    assert dice.stage(v).bins == ((1, 2, "1"), (3, 4, "2"), (5, 6, "3"))
    run(v, (5,))
    assert dice.outcome(v)[0] == 3


def test_equal_dice_of_a_roll_off_are_rolled_again():
    v = request(kind=dice.ROLL_OFF)
    assert run(v, (4,)).who == stages.DEFENDER
    assert run(v, (4,)).id == "roll"
    assert run(v, (2,), (5,)) is None
    assert dice.outcome(v) == (-3, 0)


def test_one_of_five_rolls_a_six_again():
    v = request(kind=dice.ONE_OF, sides=5)
    assert run(v, (6,)).id == "roll"
    assert run(v, (5,)) is None
    assert dice.outcome(v)[0] == 5


def test_wrong_dice_are_refused_with_the_stage_and_the_value():
    v = request(dice=2)
    stage = dice.stage(v)
    assert str(raises(StageError, stages.counts_of, stage, (7, 1))) == "roll: the die has no such face: 7"
    for counts, words in (
        ((2, 1, 0, 0, 0, 0), "roll: too many dice: 3"),
        ((1, 0, 0, 0, 0, 0), "roll: too few dice: 1"),
        ((3, -1, 0, 0, 0, 0), "roll: less than no dice: -1"),
        ((2, 0), "roll: needs 6 counts: 2"),
    ):
        assert str(raises(StageError, stages.check_counts, stage, counts)) == words
    raises(StageError, stages.check_option, stage, 0)
    assert raises(StageError, lambda: request(dice=0)).stage == "dice"
    assert raises(StageError, lambda: request(kind=dice.COUNT)).stage == "roll"


def test_the_likeliest_counts():
    stage = stages.dice("hit", stages.ATTACKER, 10, stages.bins_of((1, "miss"), (3, "hit"), (6, "crit")))
    assert stage.bins == ((1, 2, "miss"), (3, 5, "hit"), (6, 6, "crit"))
    assert stages.likely(stage) == [3, 5, 2]
    stage.dice = 6
    assert stages.likely(stage) == [2, 3, 1]


def test_bins_without_a_face_are_left_out():
    assert stages.bins_of((1, "fail"), (7, "saved")) == ((1, 6, "fail"),)
    assert stages.bins_of((1, "fail"), (2, "save"), (2, "more")) == ((1, 1, "fail"), (2, 6, "more"))
