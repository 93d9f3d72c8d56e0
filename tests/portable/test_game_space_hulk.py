"""Space Hulk: the worked examples of rules/space_hulk.md 8 that are not dice alone, played by the pack."""

from support import Game, raises
from test_picks import action, assign, pick

from tableside.core import commands, roster
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY

SERGEANT, FLAMER, M1, M2, M3, ENTRY_A, ENTRY_B = range(7)  # slots with one squad and two entries
PLAIN = 1


def value(game, slot, name):
    """A track, flag or models-left of a unit."""
    names = game.names
    if name in names["tracks"]:
        return game.state.roster.value(slot, roster.TRACK + names["tracks"].index(name))
    if name in names["flags"]:
        return game.state.roster.flag(slot, names["flags"].index(name))
    return game.state.roster.get(slot, roster.MODELS_LEFT)


def put(game, slot, name, number):
    """Set a track by hand."""
    game.unit(slot, roster.TRACK + game.names["tracks"].index(name), number)


def table(scenario="mission", cp=0, **counters):
    """A game in turn 1, before the first marine acts. Args: counters: what is set, with _ for -."""
    game = Game("space_hulk/" + scenario)
    game.adjust("blips-first", 0)
    for name, number in counters.items():
        game.adjust(name.replace("_", "-"), number)
    game.choose("begin")
    game.advance()
    assert (game.round(), game.check()) == (1, "command")
    game.enter(max(1, cp))
    if not cp:
        game.adjust("cp", 0)
    return game


def act(game, slot):
    """A marine begins to act."""
    assign(game, "next" if "next" in game.offers() else "next-0", slot)


def stealers(game, board=1):
    """On to the Genestealer phase, with so many on the board, none of which has moved."""
    game.jump("marine-end", game.round())
    if game.step() == "marine-flames":
        game.advance()
    game.adjust("board", board)
    game.choose("on")
    game.choose("on" if "on" in game.offers() else "on-0")
    assert game.step() == "g-who"


def dice(game, *stages):
    """Enter the counts of the stages of an attack, and note its outcome."""
    for counts in stages:
        game.session.do(commands.STAGE, counts)
    game.session.do(commands.APPLY)


MISS, ONE, TWO = (2, 0), (1, 1), (0, 2)  # of the two dice of a shot
JAM, OK = (1, 0), (0, 1)


def is_asked(game, name):
    """Whether an action is done only after the players have said that they mean it."""
    return game.session.check(commands.CHOOSE, (action(game, name),))[0] == commands.ASK


def test_missed_shots_are_counted_for_each_marine_and_target():
    game = table(dice=PLAIN)
    act(game, M1)
    game.choose("fire")
    dice(game, MISS)  # 1: 2, 4
    assert value(game, M1, "shots") == 1
    game.choose("fire-again")
    dice(game, ONE)  # 2: 5, 1 hits
    assert game.window() == "hit" and value(game, M1, "shots") == 0
    game.choose("uncounted")
    assert game.counter("slain") == 1
    act(game, M2)
    game.choose("fire")
    dice(game, MISS)  # 7: at A, then at B
    game.choose("fire-new")
    assert [bins[0] for bins in game.state.attack.stage().bins] == [1, 6]
    dice(game, MISS)
    assert value(game, M2, "shots") == 1
    game.choose("fire-again")
    assert [bins[0] for bins in game.state.attack.stage().bins] == [1, 5]
    dice(game, TWO)  # 6: overkill
    game.choose("door")
    assert game.window() == "overkill"
    game.choose("none")
    act(game, M3)
    game.choose("fire")
    dice(game, MISS)
    game.choose("move-fire", "forward-and-fire")  # 8
    assert [bins[0] for bins in game.state.attack.stage().bins] == [1, 6]
    dice(game, MISS)
    assert value(game, M3, "shots") == 0 and "fire-again" not in game.offers()
    game.choose("fire")
    dice(game, MISS)
    game.choose("turn-90")
    assert value(game, M3, "shots") == 0


def test_overwatch_fires_in_the_other_phase_and_a_jam_lasts():
    game = table(dice=PLAIN)
    for slot in (M1, M2):
        act(game, slot)
        game.choose("set-overwatch")
    stealers(game)
    game.choose("stealer", "move-forward")
    assert value(game, M1, "ap") == 2
    assign(game, "overwatch", M1)
    dice(game, MISS, OK)  # 10: AP unchanged, still on watch
    assert (value(game, M1, "overwatch"), value(game, M1, "jammed"), value(game, M1, "ap")) == (1, 0, 2)
    game.choose("move-forward")
    assign(game, "overwatch", M1)
    assert [bins[0] for bins in game.state.attack.stage().bins] == [1, 6]  # 11: no sustained fire
    dice(game, ONE, OK)  # 16: it falls, and the other must fire all the same
    game.choose("stealer")
    assert (game.step(), game.counter("board"), game.counter("slain"), game.counter("moved")) == ("g-who", 0, 1, 0)
    assign(game, "overwatch", M2)
    dice(game, MISS, JAM)
    assert (value(game, M2, "overwatch"), value(game, M2, "jammed")) == (0, 1)
    raises(RuleError, assign, game, "overwatch", M2)
    game.choose("end")  # 17
    assert (value(game, M1, "overwatch"), value(game, M2, "jammed")) == (0, 1)
    game.choose("next")
    game.enter(1)
    act(game, M2)
    assert "fire" not in game.offers() and "set-overwatch" not in game.offers()
    game.choose("clear-jam")  # 18
    assert (value(game, M2, "jammed"), value(game, M2, "ap")) == (0, 3)
    game.choose("set-overwatch")  # 19
    put(game, M2, "ap", 1)
    game.choose("fire")
    assert (value(game, M2, "overwatch"), value(game, M2, "ap")) == (0, 0)


def test_marines_pay_with_ap_then_with_command_points():
    game = table()
    act(game, M1)
    game.choose("move-forward", "turn-90")
    game.choose("fire")
    dice(game, (2, 0, 0))
    game.choose("door")  # 20
    assert value(game, M1, "ap") == 0 and is_asked(game, "move-forward")
    game.adjust("cp", 3)
    assert not is_asked(game, "turn-180")
    game.choose("turn-180")
    assert (game.counter("cp"), value(game, M1, "ap")) == (1, 0)
    act(game, M2)
    game.choose("move-backward")
    game.adjust("cp", 3)
    assign(game, "by-cp", M1)  # whose AP are gone
    game.choose("move-forward")
    assert (game.counter("cp"), value(game, M2, "ap")) == (2, 2)
    act(game, M2)
    game.choose("end")
    assert game.counter("cp") == 0


def test_a_genestealer_and_a_blip_have_six_action_points():
    game = table()
    stealers(game)
    game.choose("stealer", "move-forward", "move-forward", "move-forward", "turn-90", "move-sideways", "turn-180")
    assign(game, "attack", M1)  # 22
    game.choose("front")
    dice(game, (0, 0, 0, 1, 0, 0), (3, 0, 0))  # 24: 4 against 3, 2, 1
    assert (game.counter("g-ap"), game.counter("board"), game.counter("slain"), game.step()) == (0, 0, 1, "g-who")
    game.draw("blips", "board")
    game.choose("blip")
    assert not set(game.offers()) & {"attack", "fight-door", "turn-90"}  # 23
    game.choose("move-forward", "move-sideways", "move-backward", "door", "move-forward", "move-forward")
    assert game.counter("g-ap") == 0 and is_asked(game, "door")


def test_close_combat_takes_who_has_lost_off_the_table():
    game = table()
    stealers(game, 2)
    game.choose("stealer")
    assign(game, "attack", M1)
    game.choose("front")
    dice(game, (0, 0, 1, 0, 0, 0), (2, 0, 1))  # 25: 3 against 5, 1, 1
    assert value(game, M1, "models") == 0 and game.counter("board") == 2
    assign(game, "attack", SERGEANT)
    game.choose("front")
    for counts in ((0, 0, 0, 1, 0, 0), (2, 0, 1), (0, 0, 1), (1, 0, 0)):  # 27: 4 + 1, 6 3 2, the 6 becomes a 4
        game.session.do(commands.STAGE, counts)
    game.session.do(commands.APPLY)
    assert (game.counter("board"), game.step()) == (1, "g-who")
    game.choose("stealer")
    assign(game, "attack", M2)
    game.choose("rear")
    dice(game, (0, 0, 0, 0, 0, 1), (3, 0))  # 31: the marine wins from behind: he may turn
    assert game.window() == "free-turn" and game.counter("board") == 1
    game.choose("on")
    game.choose("done")
    assert value(game, M2, "models") == 1


def test_a_marine_who_attacks_and_a_door():
    game = table()
    game.adjust("board", 1)
    act(game, M1)
    game.choose("close-combat", "rear")
    dice(game, (0, 1, 0, 0, 0, 0), (1, 0, 2))  # 33: 2 against 4, 3, 1
    assert game.window() == "free-turn"
    game.choose("on")
    assert (game.step(), value(game, M1, "models"), game.counter("board")) == ("act", 1, 1)
    game.choose("close-combat", "door")  # 34
    dice(game, (1, 0))
    game.choose("close-combat", "door")
    dice(game, (0, 1))
    assert game.counter("doors") == 1
    game.choose("close-combat", "front")
    dice(game, (1, 0, 0, 0, 0, 0), (0, 3))
    assert value(game, M1, "models") == 0 and game.step() == "who"
    assert M1 not in [slot for slot in range(7) if game.session.check(
        commands.ASSIGN, (action(game, "next"), slot))[0] == commands.YES]


def test_a_bulkhead_closes_once():
    game = table(bulkheads=1)  # 36
    act(game, M1)
    game.choose("bulkhead")
    assert game.counter("bulkheads") == 0 and "bulkhead" not in game.offers()


def test_the_flamer_its_markers_and_its_reload():
    game = table(reloads=1)
    game.adjust("board", 2)
    act(game, FLAMER)
    assert "fire" not in game.offers() and "set-overwatch" not in game.offers()
    game.adjust("two", 1)  # 39: X has 2 markers, Y 1
    game.adjust("gs", 2)
    game.choose("flame", "fire")
    dice(game, (1, 1))  # 37: 5 and 6
    assert (value(game, FLAMER, "ammo"), value(game, FLAMER, "burning"), value(game, FLAMER, "ap")) == (9, 3, 2)
    assert [game.counter(name) for name in ("flames1", "flames2", "board", "slain", "flamed")] == [1, 1, 1, 1, 1]
    put(game, FLAMER, "ammo", 2)
    game.choose("flame")
    assert "fire" not in game.offers()  # 38
    game.choose("less")
    assert game.counter("k") == 2 and game.offers()[0] == "fire"
    game.session.undo(2)
    put(game, FLAMER, "ap", 4)
    game.choose("reload")  # 40; three of the twelve still burn
    assert [value(game, FLAMER, name) for name in ("ap", "ammo", "reloads")] == [0, 9, 0]
    assert "reload" not in game.offers()
    stealers(game)
    assert [game.counter(name) for name in ("flames1", "flames2")] == [1, 0]
    game.choose("stealer", "done", "end")
    assert game.step() == "burn"
    game.choose("roll")
    dice(game, (1, 0))
    assert (game.counter("board"), game.counter("flamed")) == (0, 0)
    game.choose("left")
    game.advance()
    assert (game.step(), game.counter("flames1")) == ("end", 0)
    game.choose("next")
    game.enter(1)
    put(game, FLAMER, "reloads", 1)
    act(game, FLAMER)
    game.choose("reload")
    assert value(game, FLAMER, "ammo") == 12


def test_a_blip_is_converted_and_who_finds_no_room_is_lost():
    game = table()
    game.draw("blips", "board")
    game.draw("blips", "board")
    act(game, M1)
    game.choose("move-forward", "seen", "v3", "fewer", "all")  # 41
    assert game.counter("board") == 2 and len(game.zone("blips", "discard")) == 1
    game.choose("seen", "decoy")  # 42
    assert game.counter("board") == 2 and len(game.zone("blips", "discard")) == 2
    assert "seen" not in game.offers()
    game.adjust("board", 19)
    game.draw("blips", "board")
    game.choose("seen", "v2", "all")
    assert game.counter("board") == 20  # no more models in the box


def test_a_near_marine_keeps_an_entry_lurking_for_one_turn():
    game = table(rate=1)
    game.jump("marine-end", 1)
    assign(game, "near", ENTRY_A)  # 43
    game.choose("on")
    assign(game, "place", ENTRY_A)
    assert (game.step(), value(game, ENTRY_A, "waiting"), value(game, ENTRY_A, "lurk")) == ("g-who", 1, 1)
    assign(game, "enter", ENTRY_A)
    assert game.window() == "lurks"
    game.choose("stay", "end", "next")
    game.enter(1)
    game.jump("marine-end", 2)
    assign(game, "near", ENTRY_A)
    assert value(game, ENTRY_A, "lurk") == 0  # the marine is still there, but they may come
    game.choose("on", "on")
    assign(game, "enter", ENTRY_A)
    assert (game.step(), value(game, ENTRY_A, "waiting"), len(game.zone("blips", "board"))) == ("g-blip", 0, 1)
    game.choose("done", "end", "next")
    game.enter(1)
    game.jump("marine-end", 3)
    game.choose("on", "on", "end", "next")  # 44: nobody was near for a turn
    game.enter(1)
    game.jump("marine-end", 4)
    assign(game, "near", ENTRY_A)
    assert value(game, ENTRY_A, "lurk") == 1


def test_three_wait_at_an_entry_and_the_stack_runs_out():
    game = table(rate=2)
    put(game, ENTRY_A, "waiting", 2)
    game.jump("marine-end", 1)
    game.choose("on")
    assign(game, "place", ENTRY_A)  # 45
    assign(game, "place", ENTRY_A)
    assert game.window() == "full"
    game.choose("other")
    assert (value(game, ENTRY_A, "waiting"), game.counter("arrive")) == (3, 1)
    assign(game, "place", ENTRY_B)
    assert game.step() == "g-who" and value(game, ENTRY_B, "waiting") == 1
    game = table(rate=2)
    for _ in range(22):
        game.draw("blips", "discard")
    placed = []
    for turn in range(1, 5):  # 46
        game.jump("marine-end", turn)
        game.choose("on")
        before = len(game.zone("blips", "entry"))
        while "place" in game.offers():
            put(game, ENTRY_A, "waiting", 0)
            assign(game, "place", ENTRY_A)
        if game.step() == "reinforce":
            assert "reshuffle" in game.offers() or turn == 3
            game.choose("on")
        placed.append(len(game.zone("blips", "entry")) - before)
        game.choose("end", "next")
        game.enter(1)
    assert placed == [2, 2, 1, 0]


def test_a_turn_ends_and_everybody_has_new_action_points():
    game = table(cp=4)
    game.jump("who", 3)
    act(game, M1)
    game.choose("move-forward", "end")
    stealers(game, 1) if game.step() != "lurk" else game.choose("on", "on")
    assert game.state.unit() == M1
    game.choose("end", "next")  # 47
    assert game.round() == 4 and game.counter("cp") == 0
    assert [value(game, slot, "ap") for slot in (SERGEANT, FLAMER, M1, M2, M3)] == [4] * 5
    assert game.state.unit() == NOBODY


def test_missions_have_one_or_two_squads_and_end_when_no_marine_is_left():
    game = table(squads=2, entries=6)
    assert game.state.roster.in_action(0) == (10, 10) and game.state.roster.in_action(1) == (6, 6)
    for slot in range(9):
        game.unit(slot, roster.MODELS_LEFT, 0)
        assert not game.session.over()
    act(game, 9)
    game.choose("slain")
    assert game.result() == "overrun"
    game = table(turns=1)
    stealers(game, 0)
    game.choose("end")
    assert game.offers()[0] == "last"
    game.choose("last", "marine")
    assert game.result() == "marine"


def test_of_a_later_edition_the_device_knows_the_blips():
    game = table("mission-later", rate=0)
    assert (game.counter("dice"), len(game.zone("blips", "draw"))) == (2, 22)
    game.draw("blips", "board")
    title = game.zone("blips", "board")[0]
    stealers(game, 0)
    zones = game.names["zones"][0]
    pick(game, "convert-card", zones.index("board"), 0, zones.index("discard"))
    assert game.window() == "place" and game.counter("models") == int(title[0])
    game.choose("all")
    assert game.counter("board") == int(title[0])
