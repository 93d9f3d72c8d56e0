"""Abilities: windows, limits, costs, exclusions, units, what is in force and when it ends."""

from ability_table import answer, differences, in_force, refusal, use, windows_of
from support import Game, Lcg, raises, some_command

from tableside.core import commands, roster
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY
from tableside.core.state import O_ACTOR
from tableside.core.titles import command_title

FORD = "skirmish/ford"
RED, BLUE = 0, 1

TABLE = """
red/again:  yes *@*
blue/again: yes *@*
aim:        yes red-shoot@red
volley:     yes red-shoot@red red-fight@*
ambush:     ask red-move@red blue-move@blue
red/oath:   yes red-move@red blue-move@red
blue/oath:  yes red-move@blue blue-move@blue
red/vow:    yes red-move@red blue-move@red
blue/vow:   yes red-move@blue blue-move@blue
red/dig:    yes red-fight@*
red/brace:  yes red-fight@*
blue/dig:   yes blue-fight@*
blue/brace: yes blue-fight@*
"""


def ford(*steps):
    """The ford in round 1 with red to move, then on so many steps."""
    game = Game(FORD)
    game.advance()
    for _ in steps:
        go_on(game)
    return game


def go_on(game):
    if game.step() == "red-shoot":
        game.choose("done")
    else:
        game.advance()


def go_to(game, step):
    while game.step() != step:
        go_on(game)
    return game


def test_every_window_and_ability_against_the_table():
    game = ford()
    game.jump("red-move", 2)
    assert differences(game, windows_of(game, game.names["steps"][1:]), TABLE) == []


def test_the_walk_finds_what_differs():
    game = ford()
    windows = windows_of(game, game.names["steps"][1:])
    found = differences(game, windows, TABLE)  # in round 1 the ambush may not be laid yet
    missing = ("blue-move@blue", "red-move@red")
    assert sorted(found) == ["ambush in %s: no, should be ask" % window for window in missing]
    assert raises(ValueError, differences, game, windows, "aim: yes red-shot@red")
    assert "gone: no such ability" in differences(game, windows, TABLE + "gone: yes *@*")


def test_nothing_is_used_before_the_first_round():
    game = Game(FORD)
    assert (refusal(game, "red/again"), game.state.abilities.turn()) == ("not in round: 0", NOBODY)
    assert answer(game, "red/again") == "no"


def test_whose_turn_it_is_and_who_acts():
    game = ford()
    assert (game.state.abilities.turn(), game.state.data[O_ACTOR]) == (RED, RED)
    go_to(game, "red-fight")
    assert game.state.data[O_ACTOR] == RED
    go_to(game, "blue-fight")
    assert (game.state.abilities.turn(), game.state.data[O_ACTOR]) == (BLUE, RED)


def test_a_use_is_paid_limited_and_undone():
    game = ford()
    before = game.bytes
    use(game, "red/again")
    assert (game.counter("red-cp"), refusal(game, "red/again")) == (2, "used already")
    assert answer(game, "blue/again") == "yes"
    assert raises(RuleError, use, game, "red/again").code == "used already"
    game.session.undo()
    assert game.bytes == before
    game.session.redo()
    go_on(game)
    assert (game.step(), answer(game, "red/again")) == ("red-shoot", "yes")  # another phase
    use(game, "blue/again")
    go_on(game)
    assert refusal(game, "blue/again") == "costs 1, left: 0"


def test_a_unit_must_fit_and_is_marked():
    game = go_to(ford(), "red-shoot")
    aim = game.names["abilities"].index("aim")
    assert game.state.abilities.targets(game.state, aim) == [0, 1]
    assert game.session.check(commands.USE, (aim, 2, 0)) == (commands.NO, "not for this unit: 2")
    assert game.session.check(commands.USE, (aim, 5, 0)) == (commands.NO, "no unit there: 5")
    use(game, "aim", 0)
    assert (in_force(game), game.state.roster.flag(0, 0)) == ([("aim", 0)], 1)
    volley = game.names["abilities"].index("volley")
    assert game.state.abilities.targets(game.state, volley) == [1]  # not beside an aim at the same unit
    use(game, "volley", 1)
    assert in_force(game) == [("aim", 0), ("volley", 1)]
    go_on(game)  # the phase ends, and with it the mark
    assert (in_force(game), game.state.roster.flag(0, 0), game.counter("red-cp")) == ([("aim", 0)], 0, 1)
    go_to(game, "blue-move")
    assert in_force(game) == []


def test_the_reasons():
    game = ford()
    assert refusal(game, "aim") == "not in this step"
    assert refusal(game, "ambush") == "not in round: 1"
    go_to(game, "red-shoot")
    game.session.do(commands.UNIT, (2, roster.MODELS_LEFT, 0))
    assert refusal(game, "volley") == "not now"
    for slot in (0, 1):
        game.unit(slot, "helped", 1)
    assert refusal(game, "aim") == "no unit that may"
    game.session.do(commands.REMOVE, (0,))
    game.session.do(commands.REMOVE, (1,))
    assert game.state.abilities.targets(game.state, 2) == [NOBODY]  # none is listed: the players know which one
    game.jump("red-move", 2)
    game.state.abilities.begin_turn(BLUE)
    assert refusal(game, "ambush") == "only in their turn"


def test_a_limit_may_be_shared():
    game = go_to(ford(), "red-fight")
    use(game, "red/brace")
    assert (refusal(game, "red/dig"), refusal(game, "red/brace")) == ("used already", "used already")
    game.session.undo()
    assert (refusal(game, "red/dig"), refusal(game, "red/brace")) == ("", "")


def test_until_the_next_turn_of_whoever_used_it():
    game = ford()
    use(game, "red/oath")
    assert refusal(game, "red/vow") == "not beside: Oath"
    go_to(game, "blue-move")
    use(game, "blue/vow")
    assert in_force(game) == [("red/oath", NOBODY), ("blue/vow", NOBODY)]
    go_to(game, "red-move")
    assert in_force(game) == [("blue/vow", NOBODY)]
    assert (refusal(game, "red/oath"), answer(game, "red/vow")) == ("used already", "yes")
    go_to(game, "blue-move")
    assert answer(game, "blue/vow") == "yes"


def test_flags_that_last_until_the_next_turn_of_the_units_side():
    game = go_to(ford(), "blue-move")
    assert refusal(game, "scare") == "no unit that may"
    game.session.do(commands.UNIT, (1, roster.MODELS_LEFT, 2))
    use(game, "scare", 1)
    assert game.state.roster.flag(1, 1)
    go_on(game)
    assert game.state.roster.flag(1, 1)
    go_on(game)
    assert (game.step(), game.state.roster.flag(1, 1)) == ("red-move", 0)


def test_strength_of_units():
    game = ford()
    units = game.state.roster
    for models, left, strength in ((10, 10, 0), (10, 9, 1), (10, 5, 2), (10, 4, 3), (5, 3, 1), (5, 2, 3)):
        game.session.do(commands.UNIT, (0, roster.MODELS, models))
        game.session.do(commands.UNIT, (0, roster.MODELS_LEFT, left))
        assert units.strength(0) == strength, (models, left)
    for lost, strength in ((0, 0), (1, 1), (3, 2), (4, 3)):
        game.session.do(commands.UNIT, (2, roster.WOUNDS_LOST, lost))
        assert units.strength(2) == strength, lost


def test_by_hand_everything_goes():
    game = ford()
    game.jump("red-move", 2)
    game.adjust("blue-cp", 1)
    use(game, "ambush", 1, 1)
    assert (game.counter("blue-cp"), refusal(game, "ambush")) == (0, "used already")
    use(game, "ambush", 1, 1)
    use(game, "aim", 2, 1)
    assert (game.counter("blue-cp"), in_force(game)) == (0, [("aim", 2)])
    game.session.do(commands.LAPSE, (0,))
    assert in_force(game) == []
    assert game.session.check(commands.LAPSE, (0,))[0] == commands.NO


def test_what_leaves_the_roster_is_not_in_force():
    game = go_to(ford(), "red-shoot")
    use(game, "aim", 0)
    game.session.do(commands.REMOVE, (0,))
    assert (in_force(game), game.state.abilities.unit()) == ([], NOBODY)


def test_only_the_newest_are_kept():
    game = ford()
    for _ in range(20):
        use(game, "aim", 0, 1)
    use(game, "aim", 1, 1)
    assert len(in_force(game)) == 16
    assert in_force(game)[15] == ("aim", 1)


def test_titles():
    game = go_to(ford(), "red-shoot")
    assert command_title(game.state, commands.USE, (2, 1, 0)) == "Red: Aim > Guard #2"
    use(game, "aim", 1)
    assert command_title(game.state, commands.LAPSE, (0,)) == "Aim > Guard #2: lapse"
    assert command_title(game.state, commands.LAPSE, (3,)) == "lapse"


def test_an_action_uses_an_ability_where_that_is_legal():
    game = go_to(ford(), "red-shoot")
    assert game.offers() == ["aim", "done"]
    use(game, "aim", 0)
    assert game.offers() == ["done"]
    assert raises(RuleError, game.advance)


def numbers(game, weapon, attacker, target, *more):
    """How an attack begins: (weapons, hit, wound, ap) of its modifiers, and what `more` names."""
    game.session.do(commands.ATTACK, (weapon, attacker, 1, target))
    module = game.state.attack.resolver()
    names = [field[0] for field in module.MODIFIERS]
    v = game.state.attack.numbers()
    return tuple(v[len(module.PROFILE) + names.index(name)] for name in ("weapons", "hit", "wound", "ap") + more)


def test_bonuses_change_how_an_attack_begins():
    game = go_to(ford(), "red-shoot")
    bow, spear = 0, 1
    assert numbers(game, bow, 0, 2) == (2, 0, 0, 0)  # two models have a bow
    assert numbers(game, spear, 0, 2) == (5, 0, 0, 0)
    use(game, "aim", 0)
    assert numbers(game, bow, 0, 2) == (2, 1, 0, 0)
    assert numbers(game, spear, 0, 2) == (5, 0, 0, 0)
    assert numbers(game, bow, 1, 2) == (2, 0, 0, 0)
    game.session.do(commands.UNIT, (0, roster.MODELS_LEFT, 1))
    assert numbers(game, bow, 0, 2) == (1, 1, 1, 0)
    game.session.do(commands.UNIT, (2, roster.WOUNDS_LOST, 4))
    assert numbers(game, bow, 2, 0) == (1, 0, 0, 0)  # not of that side
    game.unit(2, "afraid", 1)
    assert numbers(game, bow, 0, 2) == (1, 1, 1, -1)
    use(game, "red/vow", NOBODY, 1)  # without a unit it is that of all of its side
    assert numbers(game, bow, 0, 2, "sustained") == (1, 1, 1, -1, 2)
    assert numbers(game, bow, 2, 0, "sustained") == (1, 0, 0, 0, 0)


def test_a_game_without_abilities_has_none():
    game = Game("ambush/raid")
    assert game.state.abilities is None
    assert game.session.check(commands.USE, (0, 0, 0)) == (commands.NO, "no abilities in this game")
    assert game.session.check(commands.LAPSE, (0,))[0] == commands.NO


def test_states_that_cannot_be():
    game = ford()
    sound = game.bytes
    use(game, "aim", 1, 1)
    entry = [i for i in range(len(sound)) if sound[i] != game.bytes[i]]
    used = game.bytes
    assert game.state.sound()
    for at in entry[-2:]:
        game.state.data[at] = 77
        assert not game.state.sound()
        game.state.data[:] = used


def test_random_uses_and_back():
    game = ford()
    start = game.bytes
    pick = Lcg(7)
    for _ in range(150):
        number = pick(len(game.names["abilities"]))
        slot = pick(3) if pick(3) else NOBODY
        args = (number, slot, pick(2))
        if game.session.check(commands.USE, args)[0] != commands.NO:
            game.session.do(commands.USE, args)
        elif not game.session.over():
            game.session.do(*some_command(game.state, pick))
        assert game.state.sound()
    while game.bytes != start:
        game.session.undo()
