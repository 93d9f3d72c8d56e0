"""Kill Team: the worked examples of shooting and fighting, and what they leave out."""

from rolls import check_example, examples

from tableside.rules import killteam_fight, killteam_shoot


def test_the_worked_examples_of_shooting():
    for example in examples("killteam_shoot"):
        check_example(killteam_shoot, example, "models", "lost")


def test_the_worked_examples_of_fighting():
    for example in examples("killteam_fight"):
        check_example(killteam_fight, example, "models", "lost")
