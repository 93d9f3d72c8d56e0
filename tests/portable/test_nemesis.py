"""The missions of the nemesis pack against the facts and worked examples (E30 ...) of the rules."""

from support import Game, raises

from tableside.core import commands
from tableside.core.deck import END, RANDOM, TOP
from tableside.core.errors import RuleError

JOINT = "nemesis/erosion-of-power"
AMBULL = "nemesis/decaying-generatorium"
THIRTEEN = [str(n) for n in range(1, 14)]

PLAYERS, NPOS = 0, 1
RED, BLUE = 0, 1


def joint(size="none", difficulty=0):
    """Joint 01 with the players to act in turning point 1."""
    game = Game(JOINT)
    game.adjust("harder", difficulty)
    game.choose(size, "done")
    for step in ("ready", "gambit", "ff-players"):
        game.advance()
        assert game.step() == step
    return game


def to_ready(game, npo=1, players=6):
    """End the turning point and roll for initiative."""
    game.choose("end-turn")
    game.enter(npo, players)
    assert game.step() == "ready"


def next_turn(game, gambit=1, npo=1, players=6):
    """On to the first activation of the next turning point."""
    to_ready(game, npo, players)
    game.advance()
    game.enter(gambit)
    game.choose("done")
    game.advance()


def npo_turn(game, card=None):
    """The players are done; draw the top card, or one that is put there."""
    if card is not None:
        game.stack("npo", card)
    if game.step() == "ff-players":
        game.choose("done")
    game.choose("draw")


def sabotage(game, times):
    for _ in range(times):
        game.choose("sabotage")


# Joint Ops 01: the turn.


def test_starting_points_by_size_and_difficulty():
    for size, points in (("none", 15), ("small", 11), ("medium", 8), ("large", 5)):
        for difficulty in (-1, 0, 1):
            assert joint(size, difficulty).counter("pool") == points + difficulty


def test_gambit_adds_d3_from_the_second_turning_point():
    for difficulty in (-1, 0, 1):
        for die in range(1, 7):
            game = joint("large", difficulty)
            before = game.counter("pool")
            to_ready(game)
            game.advance()
            assert (game.step(), game.check()) == ("gambit", "gambit")
            game.enter(die)
            assert game.counter("pool") == before + (die + 1) // 2 + difficulty
            assert game.window() == "reinforce"


def test_initiative_and_its_ties():
    for holder in (PLAYERS, NPOS):
        for npo in range(1, 7):
            for players in range(1, 7):
                game = joint()
                game.adjust("init", holder)
                game.choose("end-turn")
                game.enter(npo, players)
                if npo != players:
                    assert game.counter("init") == (NPOS if npo > players else PLAYERS)
                elif holder == PLAYERS:  # the NPOs lacked it, and take it
                    assert game.offers() == ["npos-take"]
                    game.choose("npos-take")
                    assert game.counter("init") == NPOS
                else:  # the players lacked it, and decide
                    assert game.offers() == ["players-take", "npos-keep"]
                    game.choose("players-take" if npo % 2 else "npos-keep")
                    assert game.counter("init") == (PLAYERS if npo % 2 else NPOS)
                assert game.step() == "ready"


def test_command_points():
    game = joint()
    assert game.counter("cp") == 2 + 1
    next_turn(game, npo=1, players=6)
    assert game.counter("cp") == 4
    next_turn(game, npo=6, players=1)  # without the initiative: 2
    assert game.counter("cp") == 6
    game = Game(JOINT)
    game.adjust("init", NPOS)
    game.choose("none", "done")
    game.advance()
    assert game.counter("cp") == 3  # not in turning point 1


def test_sides_alternate_and_npos_go_on_alone():
    game = joint()
    game.stack("npo", "1", "9", "2", "3", "4")
    for _ in range(2):
        npo_turn(game)
        game.choose("done")
        assert game.step() == "ff-players"
    game.choose("out")
    for _ in range(3):
        assert game.step() == "ff-npo"
        game.choose("draw", "done")
    next_turn(game, npo=6, players=1)
    assert game.step() == "ff-npo" and game.counter("out") == 0
    game.choose("draw")


def test_four_turning_points_then_the_end():
    game = joint()
    for turn in (2, 3, 4):
        next_turn(game)
        assert game.round() == turn and not game.session.over()
    game.choose("end-turn")
    assert game.session.over() and game.result() == "major-loss"
    for kind, args in ((commands.ADVANCE, ()), (commands.ADJUST, (0, 1)), (commands.END, (0,))):
        raises(RuleError, game.session.do, kind, args)
    game.session.undo()
    assert not game.session.over() and game.step() == "ff-players"


# Joint Ops 01: cards.


def test_what_each_card_does():
    for card in THIRTEEN:
        game = joint("large")
        npo_turn(game, card)
        number = int(card)
        assert game.zone("npo", "discard") == [card]
        assert game.window() == ("npo-acts" if number <= 8 else "reinforce" if number <= 10 else "nemesis-acts")
        assert game.counter("pool") == (6 if number in (9, 10) else 5)


def test_difficulty_counts_at_every_addition():
    for difficulty in (-1, 1):
        game = joint("large", difficulty)
        npo_turn(game, "10")
        assert game.counter("pool") == 5 + difficulty + 1 + difficulty


def test_e34_pool():
    game = joint("medium")
    assert game.counter("pool") == 8
    game.adjust("pool", 1)  # 7 used
    next_turn(game, gambit=5)
    assert game.counter("pool") == 4
    npo_turn(game, "9")
    assert game.counter("pool") == 5


def test_e39_nemesis_acts_twice_at_most():
    game = joint("small")
    for card in ("11", "13"):
        npo_turn(game, card)
        game.choose("done")
    npo_turn(game, "12")
    assert game.offers() == ["twice"] and game.counter("nem") == 2
    game.choose("twice")
    assert game.counter("nem") == 2 and game.step() == "ff-players"
    next_turn(game)
    npo_turn(game, "12")
    assert game.offers()[0] == "done" and "twice" not in game.offers()  # a new turning point


def test_without_a_nemesis_its_cards_are_skipped():
    game = joint("none")
    npo_turn(game, "11")
    assert game.offers() == ["impossible"]
    game.choose("impossible")
    assert game.counter("nem") == 0 and game.step() == "ff-players"


def test_e30_the_fourteenth_draw_reshuffles():
    game = joint("small")
    for _ in range(13):
        npo_turn(game)
        game.choose(game.offers()[0])
    assert sorted(game.zone("npo", "discard"), key=int) == THIRTEEN
    assert game.zone("npo", "draw") == []
    npo_turn(game)
    assert (len(game.zone("npo", "draw")), len(game.zone("npo", "discard"))) == (12, 1)
    game.choose(game.offers()[0])
    to_ready(game)
    assert sorted(game.zone("npo", "draw"), key=int) == THIRTEEN


def test_e31_ready_brings_all_cards_back():
    game = joint("small")
    drawn = ["2", "7", "9", "11", "13"]
    for card in drawn:
        npo_turn(game, card)
        game.choose("done")
    assert game.zone("npo", "discard") == drawn
    to_ready(game)
    assert game.zone("npo", "discard") == []
    assert sorted(game.zone("npo", "draw"), key=int) == THIRTEEN


def test_emptied_twice_there_are_still_thirteen_cards():
    game = joint("small")
    for _ in range(2):
        for _ in range(13):
            npo_turn(game)
            game.choose(game.offers()[0])
        assert sorted(game.zone("npo", "discard"), key=int) == THIRTEEN
    npo_turn(game)
    assert sorted(game.zone("npo", "discard") + game.zone("npo", "draw"), key=int) == THIRTEEN


def test_the_whole_deck_discarded_by_hand():
    game = joint()
    while game.zone("npo", "draw"):
        game.move("npo", "draw", 0, "discard", END)
    npo_turn(game)
    assert (len(game.zone("npo", "draw")), len(game.zone("npo", "discard"))) == (12, 1)


def test_looking_at_the_discard_changes_nothing():
    game = joint("small")
    for card in ("3", "12"):
        npo_turn(game, card)
        game.choose("done")
    game.session.save()
    before = game.bytes, game.session.digest, game.log.end
    for _ in range(3):
        assert game.zone("npo", "discard") == ["3", "12"]
        list(game.session.history())
    assert (game.bytes, game.session.digest, game.log.end) == before


def test_undo_across_the_reshuffle_at_the_end_of_a_turn():
    game = joint("small")
    for _ in range(5):
        npo_turn(game)
        game.choose(game.offers()[0])
    piles = game.zone("npo", "draw"), game.zone("npo", "discard")
    states, cards = [], []
    for _ in range(2):
        next_turn(game)
        npo_turn(game)
        states.append(game.bytes)
        cards.append(game.zone("npo", "discard"))
        while game.round() > 1 or game.step() != "ff-players":
            game.session.undo()
        assert (game.zone("npo", "draw"), game.zone("npo", "discard")) == piles
    assert states[0] == states[1]
    assert cards[0] == cards[1] and len(cards[0]) == 1


# Joint Ops 01: sabotage, results, campaign.


def test_no_sabotage_in_turning_point_1_and_no_fourth():
    game = joint()
    assert "sabotage" not in game.offers()
    before = game.bytes
    raises(RuleError, game.choose, "sabotage")
    assert game.bytes == before
    next_turn(game)
    for done in (1, 2, 3):
        game.choose("sabotage")
        assert game.counter("vp") == game.counter("sab") == done
        assert game.counter("token") == (1 if done == 3 else 0)
    assert "sabotage" not in game.offers()
    raises(RuleError, game.choose, "sabotage")
    next_turn(game)
    assert game.counter("sab") == 0 and "sabotage" in game.offers()


def test_a_point_skips_the_drawn_card():
    for card in ("4", "9", "12"):
        for out in (False, True):
            game = joint("small")
            next_turn(game)
            sabotage(game, 3)
            pool = game.counter("pool")
            if out:
                game.choose("out")
            npo_turn(game, card)
            assert game.offers() == ["let", "skip"]
            game.choose("skip")
            assert game.zone("npo", "discard") == [card]
            assert (game.counter("token"), game.counter("pool"), game.counter("nem")) == (0, pool, 0)
            assert game.step() == ("ff-npo" if out else "ff-players") and game.window() is None
            npo_turn(game, "5")
            assert game.window() == "npo-acts"  # no point is left to react with


def test_a_point_that_is_kept():
    game = joint("small")
    next_turn(game)
    sabotage(game, 3)
    npo_turn(game, "12")
    game.choose("let", "done")
    assert (game.counter("token"), game.counter("nem")) == (1, 1)


def campaign(*sabotages):
    """Joint 01 played to its end with so many sabotages in turning points 2, 3 and 4."""
    game = joint()
    for times in sabotages:
        next_turn(game)
        sabotage(game, times)
    return game


def test_e36_and_e37():
    game = campaign(3, 3, 3)
    assert (game.counter("vp"), game.counter("token")) == (9, 3)
    game.choose("end-turn")
    assert (game.result(), game.result_text()) == ("major-win", "Next: mission 04 as Offence")
    game = campaign(1, 2, 1)
    assert (game.counter("vp"), game.counter("token")) == (4, 0)
    game.choose("end-turn")
    assert (game.result(), game.result_text()) == ("minor-loss", "Next: mission 03")


def test_result_bands_and_the_next_mission():
    for vp in range(10):
        game = campaign(0, 0, 0)
        game.adjust("vp", vp)
        game.choose("end-turn")
        if vp >= 7:
            expected = "major-win", "Next: mission 04 as Offence"
        elif vp >= 5:
            expected = "minor-win", "Next: mission 02"
        elif vp >= 3:
            expected = "minor-loss", "Next: mission 03"
        else:
            expected = "major-loss", "Next: mission 04 as Defence"
        assert (game.result(), game.result_text()) == expected


# Overrides.


def test_overrides_are_ordinary_commands():
    game = joint("small")
    for override in (
        lambda: game.adjust("pool", 60),
        lambda: game.jump("tp-end", 2),
        lambda: game.jump("ff-npo", 3),
        lambda: game.draw("npo", "discard"),
        lambda: game.move("npo", "discard", 0, "draw", TOP),
        lambda: game.move("npo", "draw", 0, "draw", RANDOM),
        lambda: game.shuffle("npo"),
        lambda: game.session.do(commands.TICK, (0, 1)) if game.step() == "setup" else game.jump("setup", 0),
        lambda: game.session.do(commands.END, (1,)),
    ):
        before, records = game.bytes, game.session.records
        override()
        after = game.bytes
        assert after != before and game.session.records == records + 1
        game.session.undo()
        assert game.bytes == before
        game.session.redo()
        assert game.bytes == after
    assert game.result() == "minor-win"


def test_overrides_keep_to_the_bounds():
    game = joint("small")
    before = game.bytes
    for name, value in (("pool", 61), ("pool", -1), ("vp", 10), ("harder", 2), ("harder", -2), ("nem", 3)):
        raises(RuleError, game.adjust, name, value)
    raises(RuleError, game.move, "npo", "discard", 0, "draw", TOP)  # an empty pile
    assert game.bytes == before
    game.adjust("harder", -1)
    assert game.counter("harder") == -1


def test_a_jump_drops_what_was_open():
    game = joint("small")
    npo_turn(game, "12")
    assert game.window() == "nemesis-acts"
    game.jump("gambit", 2)
    assert game.window() is None and game.check() == "gambit"


# Ambull 02.


def ambull(first="red"):
    """Ambull 02 with the first player to act in turning point 1."""
    game = Game(AMBULL)
    game.choose(first)
    for step in ("ready", "gambit", "ff-a" if first == "red" else "ff-b"):
        game.advance()
        assert game.step() == step
    return game


def end_turn(game, red=6, blue=1, decides="red"):
    """End the turning point, its intruder included, up to the next activation."""
    game.choose("end-turn")
    if game.window() == "intruder-end":
        game.choose("done")
    if game.round() == 4:
        return
    game.enter(red, blue)
    game.choose(decides)
    game.advance()
    game.advance()


def test_ambull_initiative():
    for holder in (RED, BLUE):
        for red, blue in ((6, 1), (1, 6), (3, 3)):
            for decides, init in (("red", RED), ("blue", BLUE)):
                game = ambull()
                game.adjust("init", holder)
                game.choose("end-turn")
                game.enter(red, blue)
                assert game.window() == ("tie" if red == blue else "first")
                assert game.offers() == ["red", "blue"]
                game.choose(decides)
                assert game.counter("init") == init and game.step() == "ready"


def test_ambull_command_points():
    game = ambull()
    assert (game.counter("cp-a"), game.counter("cp-b")) == (3, 3)
    end_turn(game, decides="blue")
    assert (game.counter("cp-a"), game.counter("cp-b")) == (5, 4)
    end_turn(game, decides="red")
    assert (game.counter("cp-a"), game.counter("cp-b")) == (6, 6)


def test_player_player_then_the_ambull():
    for first, order in (("red", ("ff-a", "ff-b")), ("blue", ("ff-b", "ff-a"))):
        game = ambull(first)
        game.adjust("worms", 1)
        for _ in range(2):
            for step in order:
                assert game.step() == step
                game.choose("done")
            assert game.step() == "ff-ambull"
            game.choose("draw", "done")
        game.adjust("worms", 0)  # all in reserve again: no draw
        for step in order + order:
            assert game.step() == step
            game.choose("done")


def test_e32_the_ambull_deck():
    game = ambull()
    end_turn(game)
    end_turn(game)
    assert game.round() == 3
    intruders = game.zone("intruder", "draw"), game.zone("intruder", "removed")
    game.adjust("worms", 1)
    for drawn in range(8):
        game.choose("done", "done")
        assert len(game.zone("ambull", "discard")) == drawn
        game.choose("draw")
        game.choose("impossible" if game.window() == "ambull-acts" else "done")
    assert sorted(game.zone("ambull", "discard")) == THIRTEEN[:8]
    game.choose("done", "done", "draw")
    assert (len(game.zone("ambull", "draw")), len(game.zone("ambull", "discard"))) == (7, 1)
    assert (game.zone("intruder", "draw"), game.zone("intruder", "removed")) == intruders
    game.choose(game.offers()[0])
    game.adjust("worms", 0)
    game.choose("done", "done")
    assert game.step() == "ff-a" and len(game.zone("ambull", "discard")) == 1


def test_ambull_cards_come_back_in_every_ready_step():
    game = ambull()
    game.adjust("worms", 1)
    game.choose("done", "done", "draw", "done")
    end_turn(game)
    assert sorted(game.zone("ambull", "draw")) == THIRTEEN[:8]


def test_e33_the_intruder_deck():
    game = ambull()
    game.stack("intruder", "10", "12", "9", "13", "11")
    removed = []

    def expect(card, window, beasts):
        removed.append(card)
        assert game.window() == window
        assert game.zone("intruder", "removed") == removed
        assert game.counter("ambull") + game.counter("worms") == beasts
        if window == "intruder-end" and card in ("12", "13"):
            assert 1 <= game.state.value() <= 3  # the objective
        game.choose("done")

    end_turn(game)
    assert game.zone("intruder", "removed") == []  # no draw at the end of turning point 1
    for beside, at_end, beasts in (("10", "12", (0, 1)), ("9", "13", (1, 2))):
        game.choose("siphon")
        expect(beside, "intruder", beasts[0])
        game.choose("end-turn")
        expect(at_end, "intruder-end", beasts[1])
        game.enter(6, 1)
        game.choose("red")
        game.advance()
        game.advance()
    assert game.round() == 4
    game.choose("siphon")
    expect("11", "intruder", 3)
    game.choose("end-turn")  # the deck is empty
    assert game.window() is None and game.zone("intruder", "removed") == removed
    assert game.step() == "scoring" and len(removed) == 5


def test_siphons():
    for step, points in (("ff-a", "vp-a"), ("ff-b", "vp-b")):
        game = ambull()
        assert "siphon" not in game.offers()  # not in turning point 1
        end_turn(game)
        game.jump(step, 2)
        for times in (1, 2, 3):
            game.choose("siphon")
            if game.window():
                game.choose("done")
            assert game.counter(points) == min(times, 2)  # 2 VP a turning point at most
            assert len(game.zone("intruder", "removed")) == times
        end_turn(game)
        game.jump(step, 3)
        game.choose("siphon")
        assert game.counter(points) == 3


def test_ambull_slain_and_the_end():
    for red, blue, result in ((2, 0, "red"), (0, 2, "blue"), (2, 2, "draw"), (0, 0, "draw")):
        game = ambull()
        for _ in range(3):
            end_turn(game)
        assert game.round() == 4
        for step, points in (("ff-a", red), ("ff-b", blue)):
            game.jump(step, 4)
            game.adjust("worms", 1)
            game.adjust("ambull", 0)
            assert "ambull-slain" not in game.offers()
            game.adjust("ambull", 1)
            if points:
                game.choose("ambull-slain")
                assert game.counter("ambull") == 0 and game.counter("worms") == 1
        end_turn(game)
        assert (game.counter("vp-a"), game.counter("vp-b")) == (red, blue)
        assert game.step() == "scoring"
        game.choose("finish")
        assert game.session.over() and game.result() == result


def test_the_ambull_acts_twice_a_turn_at_most():
    game = ambull()
    end_turn(game)
    game.adjust("ambull", 1)
    for card, offers in (("7", "done"), ("8", "done"), ("7", "twice"), ("8", "twice")):
        game.jump("ff-ambull", 2)
        game.shuffle("ambull")
        game.stack("ambull", card)
        game.choose("draw")
        assert game.offers()[0] == offers
        game.choose(offers)
    assert game.counter("nem") == 2
    game.jump("tp-end", 2)
    while game.round() == 2:
        game.choose(game.offers()[0])
    assert game.counter("nem") == 0


def test_what_slays_a_beast_in_its_own_activation_is_scored_there():
    game = ambull()
    game.adjust("ambull", 1)
    game.adjust("worms", 2)
    game.jump("ff-ambull", 1)
    game.choose("worm-slain", "slain-by-blue")
    assert (game.counter("worms"), game.counter("ambull"), game.counter("vp-a"), game.counter("vp-b")) == (1, 0, 0, 2)
    assert "slain-by-red" not in game.offers()


def test_an_expended_operative_may_counteract_with_a_sabotage():
    game = joint()
    game.jump("ff-players", 2)
    game.choose("out")
    assert game.step() == "ff-npo" and "counteract" in game.offers()
    game.choose("counteract", "counteract", "counteract")
    assert (game.counter("vp"), game.counter("sab"), game.counter("token")) == (3, 3, 1)
    assert game.step() == "ff-npo" and "counteract" not in game.offers()
