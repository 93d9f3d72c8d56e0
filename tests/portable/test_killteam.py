"""Kill Team: the worked examples of shooting and fighting, and what they leave out."""

from rolls import check_example, examples, play, request
from support import raises

from tableside.core import stages
from tableside.rules import killteam_fight, killteam_shoot


def test_the_worked_examples_of_shooting():
    for example in examples("killteam_shoot"):
        check_example(killteam_shoot, example, "models", "lost")


def test_the_worked_examples_of_fighting():
    for example in examples("killteam_fight"):
        check_example(killteam_fight, example, "models", "lost")


def shot(weapon, modifiers=(), wounds=20):
    return request(killteam_shoot, weapon, dict(modifiers), {}, [{"wounds": wounds}])


def test_a_fail_that_is_discarded_is_neither_rolled_again_nor_retained():
    weapon = {"attacks": 2, "balanced": 1}
    v = shot(weapon, {"arrogant": 1})
    stage = play(killteam_shoot, v, [("hit", [1, 1])])
    assert stage.id == "hit_reroll" and stage.most == 1  # Balanced; Arrogant would need a fail to discard
    v = shot({"attacks": 3, "balanced": 1}, {"arrogant": 1})
    assert play(killteam_shoot, v, [("hit", [1, 1, 1])]).most == 2
    v = shot({"attacks": 3}, {"arrogant": 1, "command_reroll": "hit"})
    stage = play(killteam_shoot, v, [("hit", [6, 1, 1]), ("hit_reroll", [1, 0, 0]), ("hit_reroll_dice", [1])])
    assert stage.id == "hit_command" and stage.limits == (0, 0, 1)
    v = shot({"attacks": 2, "punishing": 1}, {"arrogant": 1})
    play(killteam_shoot, v, [("hit", [1, 1]), ("hit_reroll", [1, 0, 0]), ("hit_reroll_dice", [6]), ("save", [1, 1, 1])])
    assert killteam_shoot.outcome(v)[0] == 4  # the critical alone


def test_ceaseless_takes_dice_of_one_result():
    v = shot({"attacks": 4, "hit": 4, "ceaseless": 1})
    stage = play(killteam_shoot, v, [("hit", [1, 1, 2, 2])])
    assert str(raises(stages.StageError, stages.check_counts, stage, (1, 1, 0, 0, 0))) == (
        "hit_ceaseless: only dice of one result: 2")
    stages.check_counts(stage, (0, 2, 0, 0, 0))
    stages.check_counts(stage, (0, 0, 0, 0, 0))


def test_cover_keeps_no_die_that_could_not_block():
    for faces in ([3, 6], [6, 6]):
        v = shot({"attacks": 2, "brutal": 1}, {"cover": 1})
        stage = play(killteam_shoot, v, [("hit", faces)])
        assert stage.id == "save" and stage.dice == 3
    v = request(killteam_shoot, {"attacks": 1}, {"cover": 1}, {"save": 6}, [{"wounds": 20}])
    assert play(killteam_shoot, v, [("hit", [6])]).default == 1  # no second save would come


def test_devastating_of_the_foe_hurts_the_fighter():
    v = request(killteam_fight, {"attacks": 1}, {}, {"foe_attacks": 1, "foe_devastating": 3},
                [{"wounds": 10}, {"wounds": 10}])
    play(killteam_fight, v, [("hit", [1]), ("foe_hit", [6]), ("resolve", "strike_critical")])
    assert killteam_fight.outcome(v)[3] == 7
