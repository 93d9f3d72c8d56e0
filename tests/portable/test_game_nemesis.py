"""The worked examples of the nemesis rules that are not dice (E36 ...), and the builder's example datacards.

Source: rules/nemesis.md 9. Those of Joint 01 and Ambull 02 are in test_nemesis.
"""

from support import Game, raises

from tableside.core import commands, guide
from tableside.core.errors import RuleError
from tableside.core.fields import expand, unit_name
from tableside.core.roster import SAVE, WOUNDS, WOUNDS_LOST
from tableside.rules import killteam, killteam_fight, killteam_shoot

JOINT = ("erosion-of-power", "outmanoeuvre", "ambush", "strongpoint-assault")


def joint(number, size="none", before=(), after=()):
    """A Joint Ops mission with the players to act in turning point 1."""
    game = Game("nemesis/" + JOINT[number - 1])
    game.choose(*before)
    game.choose(size, "done")
    for name, value in after:
        if isinstance(name, str):
            game.adjust(name, value)
    if game.window() in ("half", "count", "reserve"):
        game.choose("done")
    for _ in range(3):
        game.advance()
    assert game.step() == "ff-players"
    return game


def card(game, title):
    """An NPO draws this card."""
    game.jump("ff-npo", game.round())
    game.shuffle("npo")
    game.stack("npo", title)
    game.choose("draw")


def to_round(game, number):
    """The players' step of a later turning point."""
    game.jump("ff-players", number)


# Joint Ops.


def test_e36_and_e37_sabotage():
    for times, points, tokens, result, role in (((3, 3, 3), 9, 3, "major-win", 1), ((1, 2, 1), 4, 0, "minor-loss", 0)):
        game = joint(1)
        for i, count in enumerate(times):
            game.choose("end-turn") if i == 0 else game.jump("tp-end", i + 1)
            game.enter(1, 6)
            to_round(game, i + 2)
            game.choose(*["sabotage"] * count)
        game.jump("tp-end", 4)
        assert (game.counter("vp"), game.counter("token"), game.result()) == (points, tokens, result)
        assert game.counter("role") == role  # of mission 04


def test_e35_card_9_of_mission_2():
    game = joint(2, after=[("outf", 3)])
    game.adjust("pool", 0)
    card(game, "9")
    game.choose("yes")
    assert game.counter("pool") == 0 and game.window() == "npo-acts"
    game.choose("done")
    card(game, "9")
    game.choose("no")
    assert game.counter("pool") == 1 and game.window() == "npo-acts"


def test_outflankers_come_from_turning_point_2_on_and_the_players_end_the_mission():
    game = joint(2, after=[("outf", 2)])
    assert "arrive" not in game.offers()
    game.choose("early")
    assert game.counter("outf") == 2 and game.step() == "ff-npo"
    to_round(game, 2)
    game.choose("arrive", "done")
    assert game.counter("outf") == 1
    game.jump("tp-end", 3)
    assert game.round() == 4
    for answer, result, role in (("win", "win", 1), ("two", "minor-loss", 0), ("less", "major-loss", 0)):
        game = joint(2, after=[("outf", 2)])
        game.jump("tp-end", 4)
        game.choose(answer)
        assert (game.result(), game.counter("role")) == (result, role)


def test_e44_escapes_of_mission_3():
    for escaped, result in ((6, "major-win"), (5, "minor-win"), (4, "minor-win"), (3, "major-loss")):
        game = joint(3, after=[("ops", 8)])
        assert game.counter("left") == 8
        to_round(game, 2)
        game.choose("extract", "done")
        assert 1 <= game.counter("edge") <= 3 and "extract" not in game.offers()
        game.choose(*["escape"] * escaped + ["lost"] * (8 - escaped))
        assert game.session.over() and game.result() == result


def test_e57_reinforcements_of_mission_3():
    for extracted, gambit, by_card in ((0, 1, 1), (1, 2, 2)):
        game = joint(3, after=[("ops", 4)])
        game.adjust("pool", 0)
        game.adjust("coord", extracted)
        game.jump("gambit", 3)
        if extracted:
            game.enter(4)
        assert game.counter("pool") == gambit and game.window() == "reinforce"
        game.choose("done")
        card(game, "8")
        assert game.counter("pool") == gambit + by_card


def test_e40_the_third_nemesis_card_of_mission_4():
    game = joint(4, "small", before=["defence"])
    game.adjust("pool", 0)
    for title in ("12", "10"):
        card(game, title)
        game.choose("done")
    for title, pool in (("12", 1), ("10", 1), ("11", 1), ("13", 2)):
        card(game, title)
        assert game.offers() == ["twice"] and game.counter("pool") == pool
        game.choose("twice")


def test_e42_and_e43_the_strongpoint_and_its_results():
    for role, a, b, result, fate in (
        ("defence", 2, 2, "defence-minor-win", 0),
        ("offence", 2, 2, "offence-minor-loss", 0),
        ("offence", 3, 1, "offence-major-win", 1),
        ("offence", 1, 2, "offence-major-loss", 0),
        ("defence", 1, 3, "defence-major-loss", 2),
        ("defence", 1, 2, "defence-major-win", 0),
    ):
        game = joint(4, before=[role])
        game.adjust("loc-a", a)
        game.adjust("loc-b", b)
        game.jump("tp-end", 5)
        game.choose("done")
        assert (game.result(), game.counter("fate"), game.counter("role")) == (result, fate, 0)


def test_markers_move_once_a_turning_point_and_stay_on_their_routes():
    game = joint(4, before=["offence"])
    game.jump("tp-end", 1)
    assert "a-back" not in game.offers()
    game.choose("a-on")
    assert game.counter("loc-a") == 2 and "a-on" not in game.offers() and "a-back" not in game.offers()
    game.choose("done")
    game.jump("tp-end", 2)
    game.choose("a-back", "done")
    assert game.counter("loc-a") == 1


def test_of_two_cards_one_is_taken_and_both_are_discarded():
    for choice, taken in (("first", "9"), ("second", "12")):
        game = joint(1, "small")
        game.adjust("draws", 1)
        game.adjust("pool", 0)
        game.jump("ff-npo", 1)
        game.stack("npo", "9", "12")
        game.choose("draw", choice)
        assert game.window() == ("reinforce" if taken == "9" else "nemesis-acts")
        assert game.counter("pool") == (1 if taken == "9" else 0)
        assert sorted(game.zone("npo", "discard")) == ["12", "9"] and len(game.zone("npo", "draw")) == 11


def test_e53_the_players_nemesis_has_two_activations_and_12_inches():
    game = joint(1)
    game.adjust("own", 2)
    game.choose("nemesis")
    game.adjust("pn-ap", 2)
    game.adjust("pn-in", 6)
    game.choose("done")
    game.jump("ff-players", 1)
    assert "nemesis" not in game.offers()
    action = [a for a in game.names["actions"] if game.names["actions"][a] == "nemesis-again"]
    asked = [game.session.check(commands.CHOOSE, (int(a),))[0] for a in action]
    assert commands.ASK in asked  # whether all others are expended
    game.choose("nemesis-again")
    game.adjust("pn-ap", 4)
    game.adjust("pn-in", 12)
    raises(RuleError, game.adjust, "pn-in", 15)
    raises(RuleError, game.adjust, "pn-ap", 6)


# Nemesis Ops.


def test_e45_strategies_and_what_the_winner_may_not_show():
    for loser, shown, last, barred in (("red", "manoeuvre", 3, "advance"), ("blue", "hold", 4, "advance"),
                                       ("red", "hold", 1, "hold"), ("red", "advance", 2, "")):
        game = Game("nemesis/strategies")
        game.adjust("lost-last", 1 if loser == "red" else 2)
        game.adjust("last", last)
        game.jump("setup", 0)
        game.choose(shown)
        assert set(game.offers()) == {"advance", "hold", "manoeuvre"} - {barred}
    for red, blue, mission in ((1, 1, "mission-1"), (2, 3, "mission-2"), (3, 1, "mission-3"), (1, 2, "mission-4")):
        game = Game("nemesis/strategies")
        game.adjust("str-a", red)
        game.adjust("str-b", blue)
        game.jump("mission", 0)
        game.choose("end")
        assert game.result() == mission


def test_territorial_gains_are_scored_and_the_nemesis_counts():
    game = Game("nemesis/territorial-gains")
    game.adjust("own-c", 1)
    game.adjust("own-b", 2)
    game.adjust("own-r", 1)
    for turn in (1, 2, 3):
        game.jump("tp-end", turn)
    assert (game.counter("vp-a"), game.counter("vp-b")) == (4, 2)
    game.jump("tp-end", 4)
    game.choose("fine", "dead")
    assert (game.counter("vp-a"), game.counter("vp-b"), game.result()) == (6, 5, "red")
    assert (game.counter("wins-a"), game.counter("lost-last"), game.counter("last")) == (1, 2, 1)


def test_flanks_are_controlled_or_contested():
    game = Game("nemesis/flanking-strike")
    game.jump("tp-end", 3)
    game.choose("red-more", "both")
    assert (game.counter("vp-a"), game.counter("vp-b"), game.round()) == (3, 2, 4)


def test_e49_demolish_and_e54_besieged():
    for aps, dice, left in (("two", (1, 2), 3), ("two", (2, 3), 2), ("three", (1, 1, 6), 2)):
        game = Game("nemesis/fracture-defences")
        game.adjust("str-a", 1)
        game.jump("ff-a", 2)
        game.choose("demolish", aps)
        for face in dice:
            game.enter(face)
        assert game.check() is None and game.counter("markers") == left and game.counter("gone") == 3 - left
    for face, turn in ((3, 5), (2, 4)):
        game = Game("nemesis/fracture-defences")
        game.adjust("str-b", 1)
        game.adjust("markers", 1)
        game.adjust("gone", 2)
        game.jump("tp-end", 4)
        game.choose("roll")
        game.enter(face)
        assert game.round() == turn
    game.choose("fine", "fine")
    assert (game.counter("vp-a"), game.counter("vp-b"), game.result()) == (2, 4, "blue")


# Ambull and Archivist.


def test_e51_the_count_of_the_hidden_enemy():
    game = Game("nemesis/hidden-enemy")
    for name, value in (("ops", 9), ("left", 0), ("dead", 4), ("removed", 2)):
        game.adjust(name, value)
    game.jump("count", 3)
    assert (game.counter("players-vp"), game.counter("npo-vp"), game.result()) == (2, 2, "draw")


def test_e59_the_order_of_three_sides():
    game = Game("nemesis/hidden-enemy")
    game.jump("initiative", 2)
    for face in (4, 4, 6):
        game.enter(face)
    assert game.window() == "tie-pa"
    game.choose("ambull")
    assert [game.counter(name) for name in ("first-side", "second-side", "third-side")] == [3, 2, 1]
    game.jump("initiative", 2)
    for face in (2, 2, 2, 1, 2, 3):
        game.enter(face)
    assert game.step() == "ready" and game.counter("first-side") == 3


def test_e33_an_empty_intruder_deck_brings_nobody():
    game = Game("nemesis/hidden-enemy")
    game.adjust("left", 9)
    game.stack("intruder", "10", "12", "9", "13", "11")
    game.jump("ff-players", 2)
    for worms, ambull in ((0, 0), (1, 0), (1, 0), (1, 1), (2, 1)):
        game.choose("mission-action", "done")
        assert (game.counter("worms"), game.counter("ambull")) == (worms, ambull)
    game.choose("worm-slain", "mission-action")
    assert game.window() is None and game.counter("worms") == 1
    game.jump("tp-end", 2)
    assert game.round() == 3 and game.counter("worms") == 1 and len(game.zone("intruder", "removed")) == 5


def test_e48_the_ambull_regains_wounds():
    game = Game("nemesis/hidden-enemy")
    for slot, unit in enumerate(("ambull", "borewyrm")):
        game.field("ambull", unit)
        game.unit(slot, WOUNDS_LOST, (5, 3)[slot])
    game.adjust("ambull", 1)
    game.adjust("worms", 1)
    for title, lost in (("7", 2), ("8", 0), ("7", 0)):
        if title == "7" and not lost:
            game.unit(0, WOUNDS_LOST, 9)
            lost = 9  # not at a third activation
        game.jump("ff-ambull", 2)
        game.shuffle("ambull")
        game.stack("ambull", title)
        game.choose("draw")
        assert [game.state.roster.get(slot, WOUNDS_LOST) for slot in (0, 1)] == [lost, 3]
        if game.counter("nem") < 2:
            game.choose("done")


def test_e46_betrayal():
    for turn, carried, near, face, betrayed in ((3, 1, 1, 3, 1), (2, 0, 0, 6, 0), (4, 0, 1, 5, 1), (2, 1, 0, 4, 0)):
        game = Game("nemesis/betrayal")
        game.jump("ready", turn)
        game.adjust("carried", carried)
        game.adjust("near", near)
        game.choose("roll")
        game.enter(face)
        assert game.counter("betrayed") == betrayed
    game.jump("ready", 5)
    assert game.counter("betrayed") == 1  # by itself
    card(game, "12")
    assert game.window() == "nemesis-acts"


def test_before_the_betrayal_its_cards_do_nothing():
    game = Game("nemesis/betrayal")
    game.jump("ff-npo", 1)
    card(game, "10")
    assert game.window() == "nothing"


def test_e60_negotiation_points_and_e50_bids():
    game = Game("nemesis/negotiation")
    game.choose("red")
    game.jump("tp-end", 2)
    game.adjust("info-a", 3)
    game.adjust("info-b", 1)
    game.choose("done")
    assert (game.counter("neg-a"), game.counter("neg-b")) == (1, 3)
    for red, blue, paid, window in ((2, 2, (3, 3), "npo-controls"), (3, 1, (0, 3), "red-controls"),
                                    (9, 1, (0, 3), "red-controls"), (0, 12, (3, 0), "blue-controls")):
        game.adjust("neg-a", 3)
        game.adjust("neg-b", 3)
        game.jump("bids", 3)
        for deck, bid in (("red-bids", red), ("blue-bids", blue)):
            game.move(deck, "hand", game.zone(deck, "hand").index(str(bid)), "chosen", 0)
        game.choose("reveal")
        assert (game.counter("neg-a"), game.counter("neg-b")) == paid and game.window() == window
        assert len(game.zone("red-bids", "hand")) == len(game.zone("blue-bids", "hand")) == 13


# How many others: rules/nemesis.md 4.10.


def test_others_beside_a_nemesis():
    others = ("432", "432", "542", "543", "653", "753", "764", "864", "974", "975")
    sizes = ("five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen")
    joint_ops, nemesis_ops = Game("nemesis/erosion-of-power"), Game("nemesis/counterassault")
    nemesis_ops.choose("red")
    for game in (joint_ops, nemesis_ops):
        for size, expected in zip(sizes, others):
            game.choose("team", size)
            assert "".join(str(game.counter("others-" + name)) for name in "sml") == expected
            game.choose("done")
    assert nemesis_ops.window() == "first"


# The builder: rules/nemesis.md 4.2 and 4.8.


def yard():
    game = Game("nemesis/erosion-of-power")
    game.field("npo", "nemesis-medium")
    return game


def profile(game, slot, weapon, name):
    number = game.names["weapons"].index(weapon)
    module = game.session.scenario.resolver(game.session.scenario.weapon(number)[1])
    v = game.state.attack.request((number, slot, 1, 0))[1]
    return v[[field[0] for field in module.PROFILE].index(name)]


def test_e55_what_may_be_selected():
    game = yard()
    game.build("players", "nemesis", "large", "imperium", "gatling", "power-fist", "tough")
    game.build("players", "nemesis", "small", "chaos", "plasma-cannon", "close-combat-weapon", "tough", "blitz")
    game.build("players", "nemesis", "small", "chaos", "meltagun", "twinned", "tough")
    game.build("players", "nemesis", "large", "tyranid", "plasma-cannon", "scything-talons", "paired", "fury")
    build = game.build
    for picks in (
        ("large", "tau", "macro-plasma", "thermal-spear", "tough"),  # 4 of 3
        ("small", "chaos", "plasma-cannon", "tough"),  # a trait too few
        ("small", "chaos", "plasma-cannon", "tough", "blitz", "fury"),  # one too many
        ("small", "chaos", "plasma-cannon", "tough", "tough"),  # twice the same
        ("small", "chaos", "twinned", "plasma-cannon", "tough"),  # nothing to be twinned
        ("small", "plasma-cannon", "tough", "blitz"),  # no allegiance
        ("small", "chaos", "plasma-cannon", "meltagun"),  # no trait
    ):
        raises(RuleError, build, "players", "nemesis", *picks)


def test_e56_and_e28_traits_change_weapons():
    game = yard()
    game.build("players", "nemesis", "small", "ork", "rokkit-launcha", "power-fist", "tough")
    game.build("players", "nemesis", "small", "ork", "rokkit-launcha", "power-fist", "fury")
    game.build("players", "nemesis", "small", "chaos", "burst-cannon", "twinned", "tough")
    game.build("players", "nemesis", "large", "tyranid", "plasma-cannon", "scything-talons", "paired", "fury")
    assert profile(game, 1, "rokkit-launcha", "hit") == 5
    assert profile(game, 2, "rokkit-launcha", "hit") == 6
    assert (profile(game, 1, "power-fist", "balanced"), profile(game, 1, "power-fist", "severe")) == (1, 1)
    assert (profile(game, 2, "power-fist", "ceaseless"), profile(game, 2, "power-fist", "relentless")) == (1, 0)
    assert (profile(game, 3, "burst-cannon", "attacks"), profile(game, 3, "burst-cannon", "ceaseless")) == (6, 1)
    assert (profile(game, 4, "scything-talons", "attacks"), profile(game, 4, "scything-talons", "relentless")) == (6, 1)
    assert profile(game, 4, "scything-talons", "ceaseless") == 0
    assert profile(game, 4, "plasma-cannon-supercharge", "hit") == 4


def test_the_example_datacards():
    game = yard()
    picks = {
        "Shas'ui Nomura": ("small", "tau", "marksman", "meltagun", "twinned", "close-combat-weapon", "shielded",
                           "name-nomura"),
        "Armourbane": ("medium", "imperium", "marksman", "plasma-cannon", "close-combat-weapon", "armoured", "focused",
                       "name-armourbane"),
    }
    for slot, name in enumerate(sorted(picks), 1):
        game.build("players", "nemesis", *picks[name])
        assert unit_name(game.state, slot).split(" #")[0] == name
    assert [game.state.roster.get(slot, WOUNDS) for slot in (1, 2)] == [50, 35]
    assert game.state.roster.get(1, SAVE) == 4
    assert profile(game, 2, "meltagun", "ceaseless") == 1
    weapons = [game.names["weapons"][i] for i in game.state.roster.weapons(1)]
    assert weapons == ["plasma-cannon-standard", "plasma-cannon-supercharge", "close-combat-weapon"]
    # What defends it: an extra die, armour.
    module = killteam_shoot
    names = [field[0] for field in module.PROFILE + module.MODIFIERS + module.TARGET]
    v = game.state.attack.request((game.names["weapons"].index("autocannon"), 2, 1, 1))[1]
    assert [v[names.index(name)] for name in ("extra_defence", "bulky", "armoured", "tough")] == [1, 1, 1, 0]


def test_e29_injured_below_half():
    game = yard()
    game.build("players", "nemesis", "large", "chaos", "gatling", "power-fist", "tough")
    v = [75 - 38, 75 - 37]
    for lost, hurt in ((v[0], False), (v[1], True)):
        game.unit(1, WOUNDS_LOST, lost)
        numbers = game.state.attack.request((game.names["weapons"].index("power-fist"), 1, 1, 0))[1]
        at = len(killteam_fight.PROFILE + killteam_fight.MODIFIERS + killteam_fight.TARGET) + 1
        assert killteam.injured(numbers, at + len(killteam.GROUP)) == hurt


# Behaviours: rules/nemesis.md 6.


def test_behaviours_end_in_what_the_npo_does():
    game = joint(1, "small")
    card(game, "13")
    game.choose("guardian")
    assert game.counter("nem") == 1

    def said():
        return expand(game.state, game.pack.text(guide.texts(game.state)[1])).split(":")[0]

    assert said() == "Order"
    game.answer("yes", "no", "yes")
    assert said() == "Shoot" and guide.attacks(game.state)
    game.answer("yes", "no", "no", "yes")  # not twice; no charge; Reposition
    assert said().startswith("Reposition")
    game.answer("no")  # no AP left
    assert game.window() is None and game.step() == "ff-players"
