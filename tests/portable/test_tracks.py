"""Units with tracks, the unit that is meant, actions with a price, and attacks that effects begin."""

from support import Game, raises
from test_app import Device, temp_folder
from test_picks import action, assign

from tableside.core import commands, roster
from tableside.core.errors import RuleError
from tableside.core.fields import expand
from tableside.core.pack import NOBODY
from tableside.core.titles import record_title

SCOUT, OTHER, BURNER, BEAST = range(4)  # slots
STEPS, MISSED, GUN = [roster.TRACK + i for i in range(3)]


def _value(game, slot, what):
    return game.state.roster.value(slot, what)


def _mean(game, slot):
    assign(game, "who", slot)


def _shoot(game, *counts):
    game.choose("shoot")
    game.session.do(commands.STAGE, counts)
    game.session.do(commands.APPLY)


def _prompt(game):
    return expand(game.state, game.pack.text(game.session.scenario.step(0)[2]))


def test_units_begin_with_their_tracks_and_those_they_lack_count_as_nothing():
    game = Game("squad/alone")
    assert [_value(game, SCOUT, what) for what in (STEPS, MISSED, GUN)] == [4, 0, 0]
    assert [_value(game, BURNER, what) for what in (STEPS, MISSED, GUN)] == [3, 0, 1]
    assert not game.state.roster.has(BURNER, 1)
    assert game.session.check(commands.UNIT, (BURNER, MISSED, 1)) == (commands.NO, "nothing to set: 49")
    assert game.session.check(commands.UNIT, (SCOUT, STEPS, 10)) == (commands.NO, "must be 0..9: 10")
    game.session.do(commands.UNIT, (SCOUT, STEPS, 1))
    assert record_title(game.state, next(game.session.history())) == "Scout #1: Steps 1"
    game.session.do(commands.FIELD, (1, roster.BY_NUMBERS, 1, 1, 0, 0, 0, 0))
    assert [_value(game, BEAST, what) for what in (STEPS, MISSED, GUN)] == [3, 0, 0]


def test_one_unit_is_meant_until_another_is_or_it_leaves():
    game = Game("squad/alone")
    assert game.state.unit() == NOBODY and _prompt(game) == "- 0 rifle "
    _mean(game, BURNER)
    assert _prompt(game) == "Burner 3 flamer "
    assert "watch" not in game.offers() and "shoot" not in game.offers()
    _mean(game, OTHER)
    game.choose("watch")
    assert _prompt(game) == "Scout #2 4 rifle on watch"
    assert _value(game, OTHER, MISSED) == 9  # never more than its highest
    game.choose("fall")
    assert "shoot" not in game.offers()
    raises(RuleError, game.session.do, commands.ASSIGN, (action(game, "who"), OTHER))
    game.session.do(commands.REMOVE, (OTHER,))
    assert game.state.unit() == NOBODY


def test_an_action_is_paid_by_the_unit_then_by_the_counter_and_one_that_cannot_be_is_asked_about():
    game = Game("squad/alone")
    _mean(game, SCOUT)
    walk = (action(game, "walk"),)
    for steps, orders in ((2, 2), (0, 2), (0, 0)):
        assert game.session.check(commands.CHOOSE, walk) == (commands.YES, "")
        game.choose("walk")
        assert (_value(game, SCOUT, STEPS), game.counter("orders")) == (steps, orders)
    assert game.session.check(commands.CHOOSE, walk) == (commands.ASK, "Too little left: all the same?")
    game.choose("walk")
    assert (_value(game, SCOUT, STEPS), game.counter("orders")) == (0, 0)
    assert game.session.check(commands.ASSIGN, (action(game, "who"), SCOUT))[0] == commands.NO  # no steps left
    game.session.do(commands.UNIT, (SCOUT, STEPS, 1))
    game.adjust("orders", 2)
    game.choose("walk")
    assert (_value(game, SCOUT, STEPS), game.counter("orders")) == (0, 1)
    game.adjust("far", 0)
    assert game.session.check(commands.CHOOSE, walk) == (commands.YES, "")


def test_effects_for_a_side_ask_each_of_its_units():
    game = Game("squad/alone")
    game.choose("beasts", "halve")
    assert [_value(game, slot, STEPS) for slot in (SCOUT, OTHER, BURNER, BEAST)] == [3, 3, 3, 0]
    assert [_value(game, slot, roster.FLAG) for slot in (SCOUT, OTHER, BURNER, BEAST)] == [0, 0, 1, 0]
    assert game.state.unit() == NOBODY
    game.choose("beasts", "beasts")  # as many as there is room for
    assert [game.state.roster.used(slot) for slot in range(6)] == [True] * 6
    game.choose("on")
    assert [_value(game, slot, STEPS) for slot in (SCOUT, OTHER, BURNER)] == [4, 4, 3]  # a new round


def test_an_effect_begins_an_attack_waits_for_it_and_uses_its_outcome():
    game = Game("squad/alone")
    _mean(game, SCOUT)
    before = game.bytes
    _shoot(game, 2, 0)  # 1-5 miss, 6 hits
    assert (_value(game, SCOUT, MISSED), game.counter("hits"), _value(game, SCOUT, STEPS)) == (1, 0, 3)
    game.choose("shoot")
    assert game.offers() == []
    assert [bin[:2] for bin in game.state.attack.stage().bins] == [(1, 4), (5, 6)]
    game.session.do(commands.STAGE, (0, 2))
    game.session.do(commands.APPLY)
    assert (_value(game, SCOUT, MISSED), game.counter("hits")) == (0, 2)
    game.choose("shoot")
    game.session.do(commands.DROP)  # nothing comes of it, and the game goes on
    assert (game.counter("hits"), _value(game, SCOUT, STEPS)) == (2, 1) and "shoot" in game.offers()
    game.choose("shoot")
    game.session.do(commands.REMOVE, (SCOUT,))  # in the middle of it
    assert game.offers()[0] == "who"
    while game.session.can_undo():
        game.session.undo()
        if game.bytes == before:
            break
    assert game.bytes == before


def test_the_screens_go_straight_to_the_dice_and_back_leads_to_the_numbers():
    device = Device(temp_folder(), packs=("squad",))
    device.begin()
    device.to("Next")
    device.ok()
    device.down()
    device.ok()
    assert device.app.session.state.unit() == OTHER
    device.to("Shoot")
    device.ok()
    assert device.screen() == "Bins"
    device.back()
    assert device.screen() == "Setup"
    device.back()
    assert device.screen() == "Play"
    device.to("Go on")
    device.ok()
    assert device.screen() == "Bins"
    device.ok()
    assert device.screen() == "Outcome"
    device.ok()
    assert device.screen() == "Play" and device.app.session.state.roster.value(OTHER, MISSED) == 1
    device.to("Units")
    device.ok()
    device.down(2)
    device.ok()
    device.to("Steps")
    device.ok()
    device.down()
    device.ok()
    assert device.app.session.state.roster.value(OTHER, STEPS) == 2
    assert not device.errors
