"""Builders: what may be picked together, and what a built unit has on the roster and in an attack."""

from support import Game, raises

from tableside.core import commands, roster
from tableside.core.builder import Builder
from tableside.core.errors import RuleError
from tableside.core.fields import unit_name
from tableside.core.session import Session
from tableside.core.titles import command_title
from tableside.rules import killteam, resolver

YARD = "drill/yard"
GUN, CANNON, FIST = range(3)


def refused(game, *picks):
    return str(raises(RuleError, game.build, "machine", "walker", *picks))


def profile(game, slot, weapon, target):
    return game.state.attack.request((weapon, slot, 1, target))[1]


def test_a_unit_is_built_with_its_numbers_weapons_and_name():
    game = Game(YARD)
    game.build("machine", "walker", "heavy", "gun", "twin", "tough")
    units = game.state.roster
    assert (units.get(0, roster.WOUNDS), units.get(0, roster.SAVE)) == (55, 3)
    assert units.get(0, roster.MODELS_LEFT) == 1
    assert units.weapons(0) == [FIST, GUN]
    assert unit_name(game.state, 0) == "Walker"
    game.build("machine", "walker", "light", "gun", "gun")
    assert unit_name(game.state, 1) == "Light walker #2"
    assert (units.get(1, roster.WOUNDS), units.weapons(1)) == (20, [FIST, GUN])


def test_options_change_weapons_of_their_own_or_all():
    game = Game(YARD)
    game.build("machine", "walker", "heavy", "cannon", "twin")
    game.build("machine", "walker", "heavy", "gun", "twin", "wild")
    game.field("squad", "guard")
    assert profile(game, 0, CANNON, 2)[killteam.CEASELESS] == 1
    assert profile(game, 0, CANNON, 2)[killteam.ATTACKS] == 5
    gun = profile(game, 1, GUN, 2)
    assert (gun[killteam.ATTACKS], gun[killteam.HIT], gun[killteam.CEASELESS]) == (5, 4, 1)
    assert profile(game, 0, GUN, 2)[killteam.HIT] == 3
    assert profile(game, 1, FIST, 2)[killteam.BALANCED] == 1
    # In the fight of another unit it answers with the weapon as it was changed; keywords count as well.
    v = profile(game, 2, FIST, 1)
    module = resolver(5)
    names = [field[0] for field in module.PROFILE + module.MODIFIERS + module.TARGET]
    assert v[names.index("foe_balanced")] == 1
    v = profile(game, 2, GUN, 0)
    names = [field[0] for field in resolver(4).PROFILE + resolver(4).MODIFIERS + resolver(4).TARGET]
    assert v[names.index("extra_defence")] == 1


def test_what_cannot_be_is_refused_with_its_reason():
    game = Game(YARD)
    assert refused(game) == "Size: at least 1, got: 0"
    assert refused(game, "light", "heavy") == "Size: at most: 1"
    assert refused(game, "light", "gun") == "Left must be 0, got: 1"
    assert refused(game, "heavy", "cannon", "twin", "tough") == "Left must be 0, got: -1"
    assert refused(game, "light", "cannon") == "Cannon needs: Heavy"
    assert refused(game, "light", "twin", "gun") == "Twin: first pick from: Weapons"
    assert refused(game, "heavy", "gun", "gun", "gun") == "at most 2: Gun"
    assert refused(game, "heavy", "gun", "tough", "wild") == "Wild: not with: Tough"
    assert refused(game, "gun", "heavy") == "out of order: Heavy"
    assert "another side" in str(raises(RuleError, game.build, "squad", "walker", "light", "gun", "gun"))
    raises(RuleError, game.session.do, commands.BUILD, (1, 0, 99))
    raises(RuleError, game.session.do, commands.BUILD, (1, 1, 0))
    assert game.session.records == 0


def test_an_example_can_be_built_and_the_roster_may_be_full():
    game = Game(YARD)
    builder = Builder(game.session.scenario, 0)
    name, picks = builder.example(0)
    assert name == "Old Iron"
    args = (1, 0) + tuple(picks)
    assert command_title(game.state, commands.BUILD, args) == "Machine + Walker"
    for _ in range(4):
        game.session.do(commands.BUILD, args)
    assert game.session.check(commands.BUILD, args)[0] == commands.NO


def test_a_built_unit_is_taken_back_removed_and_read_again_from_the_log():
    game = Game(YARD)
    before = game.bytes
    game.build("machine", "walker", "light", "gun", "gun")
    game.session.undo()
    assert game.bytes == before
    game.session.redo()
    game.session.save()
    again = Session.resume(game.pack, game.log, resolver)
    assert again.state.data == game.state.data and again.state.roster.built(0) == (0, [0, 2, 2])
    game.session.do(commands.REMOVE, (0,))
    assert game.bytes == before
