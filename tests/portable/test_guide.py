"""Guides: walks of yes/no questions, in the state and the log of a session."""

from support import Game, raises

from tableside.core import commands, guide
from tableside.core.errors import RuleError
from tableside.core.fields import expand
from tableside.core.titles import command_title

YARD = "drill/yard"


def said(game):
    """What the walk asks or says."""
    return expand(game.state, game.pack.text(guide.texts(game.state)[1]))


def walk(game, *answers):
    for answer in answers:
        game.answer(answer)
    return said(game)


def test_a_walk_goes_on_after_what_was_done_without_it():
    game = Game(YARD)
    game.choose("machine")
    assert said(game) == "Enemy close?"
    assert walk(game, "no") == "Enemy in reach?"
    assert walk(game, "no") == "Room ahead?"
    assert walk(game, "yes") == "Walk on" and game.counter("alarm") == 1
    assert walk(game, "yes") == "Alarm: can it leave?"
    assert walk(game, "no") == "Enemy close?"
    assert walk(game, "no", "no") == "It stops"
    game.answer("yes")
    assert guide.place(game.state) is None and game.counter("alarm") == 2  # what stood behind the guide came


def test_what_was_done_bars_other_lines_and_opens_other_guides():
    game = Game(YARD)
    game.adjust("alarm", 1)
    game.choose("machine")
    assert walk(game, "no", "no", "yes") == "One hurt?"
    assert walk(game, "no") == "Any of them"
    assert walk(game, "yes") == "Charge the closest"
    assert walk(game, "yes") == "Enemy close?"  # not whether it leaves
    assert walk(game, "no") == "It stops"  # nor whether it walks on


def test_an_attack_is_begun_once_and_the_walk_waits_for_it():
    game = Game(YARD)
    game.choose("machine")
    assert walk(game, "yes") == "Fight" and guide.attacks(game.state)
    game.answer("attack")
    assert said(game) == "Fight" and not guide.attacks(game.state)
    raises(RuleError, game.answer, "attack")
    assert walk(game, "yes") == "Enemy in reach?"
    before = game.bytes
    game.answer("no")
    game.session.undo()
    assert game.bytes == before


def test_a_walk_may_end_early_and_one_without_repeats_ends_with_its_answer():
    game = Game(YARD)
    game.choose("machine")
    game.answer("yes")
    game.answer("no")
    assert guide.place(game.state) is None
    game.choose("whom")
    assert walk(game, "yes") == "That one" and not guide.repeats(game.state)
    game.answer("yes")
    assert guide.place(game.state) is None
    raises(RuleError, game.answer, "yes")


def test_while_a_walk_waits_nothing_else_may_be_chosen_and_its_answers_have_titles():
    game = Game(YARD)
    game.choose("machine")
    assert game.session.check(commands.ADVANCE, ())[0] == commands.NO
    assert not game.offers()
    assert command_title(game.state, commands.ANSWER, (guide.YES,)) == "Machine: Enemy close? +"
    game.answer("yes")
    assert command_title(game.state, commands.ANSWER, (guide.YES,)) == "Machine: Fight"
