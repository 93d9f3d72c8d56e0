"""The attack in hand: from the roster to the roster, in the state and the log of a session."""

from support import Game, raises

from tableside.core import commands, expect, stages
from tableside.core.attack import _NUMBERS as NUMBERS
from tableside.core.attack import ENTRIES, RESOLVER, SIZE
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY
from tableside.core.roster import BY_NUMBERS, MODELS, MODELS_LEFT, WOUNDS_LOST
from tableside.core.session import Session
from tableside.core.titles import command_title
from tableside.rules import killteam_fight, overkill, resolver, w40k10
from tableside.rules.w40k_fields import WEAPONS

MARINE = 0
HYBRID = 1
PISTOLEER = 2
AUTOGUN = 0
BAND = len(overkill.PROFILE)


def table():
    """Overkill: a hybrid of the cult in slot 0, two marines of the Deathwatch in slots 1 and 2."""
    game = Game("dice/overkill")
    for side, unit in ((1, HYBRID), (0, MARINE), (0, MARINE)):
        game.session.do(commands.FIELD, (side, unit))
    return game


def verdict(game, kind, *args):
    return game.session.check(kind, args)[0]


def test_an_attack_takes_its_numbers_from_weapon_and_roster_and_its_losses_go_back():
    game = table()
    do = game.session.do
    do(commands.ATTACK, (AUTOGUN, 0, 1, 1))
    attack = game.state.attack
    assert attack.get(RESOLVER) == overkill.ID and attack.weapon() == AUTOGUN
    assert attack.numbers()[4:10] == [5, 5, 0, 0, 0, 0]
    assert attack.stage().id == "hit" and attack.stage().dice == 2
    do(commands.STAGE, (0, 2))
    assert attack.stage().id == "save"
    do(commands.STAGE, (1, 1))
    assert attack.stage() is None
    assert attack.losses() == [(0, 1, 1, 1)]
    assert game.state.roster.get(1, WOUNDS_LOST) == 0
    do(commands.APPLY)
    assert game.state.roster.get(1, WOUNDS_LOST) == 1 and game.state.roster.get(1, MODELS_LEFT) == 1
    assert not attack.get(RESOLVER)
    assert game.state.roster.get(2, WOUNDS_LOST) == 0


def test_every_stage_can_be_taken_back_to_the_byte():
    game = table()
    states = []
    for kind, args in (
        (commands.ATTACK, (AUTOGUN, 0, 1, 1)),
        (commands.AMEND, (BAND + 1, 1)),
        (commands.STAGE, (1, 1)),
        (commands.STAGE, (1,)),
        (commands.STAGE, (0, 1)),
        (commands.THROW, ()),
        (commands.APPLY, ()),
    ):
        states.append(game.bytes)
        game.session.do(kind, args)
    last = game.bytes
    for state in reversed(states):
        game.session.undo()
        assert game.bytes == state
    for _ in states:
        game.session.redo()
    assert game.bytes == last


def test_an_attack_in_hand_outlives_the_power():
    game = table()
    game.session.do(commands.ATTACK, (AUTOGUN, 0, 1, 1))
    game.session.do(commands.STAGE, (0, 2))
    game.session.save()
    again = Session.resume(game.pack, game.log, resolver)
    assert again.state.data == game.state.data
    again.do(commands.STAGE, (2, 0))
    again.do(commands.APPLY)
    assert again.state.roster.get(1, MODELS_LEFT) == 0


def test_what_cannot_be_is_refused_and_the_attack_goes_on():
    game = table()
    check = game.session.check
    assert check(commands.STAGE, (0, 2)) == (commands.NO, "no attack in hand")
    assert check(commands.APPLY) == (commands.NO, "no attack in hand")
    assert check(commands.DROP) == (commands.NO, "no attack in hand")
    assert check(commands.ATTACK, (99, 0, 1, 1)) == (commands.NO, "no such weapon: 99")
    assert check(commands.ATTACK, (-9, 0, 1, 1)) == (commands.NO, "no dice rules of this number: 9")
    assert check(commands.ATTACK, (AUTOGUN, 7, 1, 1)) == (commands.NO, "no unit there: 7")
    assert check(commands.ATTACK, (AUTOGUN, 0, 1, 9)) == (commands.NO, "no unit there: 9")
    assert check(commands.ATTACK, (AUTOGUN, 0, 2, 1)) == (commands.NO, "wrong number of arguments: 4")
    assert check(commands.ATTACK, (AUTOGUN, 0, 1, 1, 200, 1)) == (commands.NO, "no such number: 200")
    assert check(commands.ATTACK, (AUTOGUN, 0, 0))[0] == commands.NO
    game.session.do(commands.ATTACK, (AUTOGUN, 0, 1, 1))
    before = game.bytes
    assert check(commands.STAGE, (3, 0)) == (commands.NO, "hit: too many dice: 3")
    assert check(commands.STAGE, (1, 0)) == (commands.NO, "hit: too few dice: 1")
    assert check(commands.STAGE, (1, 1, 0)) == (commands.NO, "hit: needs 2 counts: 3")
    assert check(commands.DECIDE, (0,)) == (commands.NO, "hit: waits for dice: a decision")
    assert check(commands.APPLY) == (commands.NO, "dice are missing")
    assert check(commands.AMEND, (4, 9)) == (commands.NO, "assault_1: must be 0..6: 9")
    assert verdict(game, commands.AMEND, 4) == commands.NO
    assert raises(RuleError, game.session.do, commands.STAGE, (3, 0)) and game.bytes == before
    game.session.do(commands.STAGE, (2, 0))
    assert check(commands.AMEND, (4, 6)) == (commands.NO, "dice have been entered: 4")
    assert check(commands.STAGE, (2, 0)) == (commands.NO, "all dice have been entered")
    game.session.do(commands.APPLY)


def test_a_weapon_without_dice_at_a_band_is_refused_by_the_band():
    game = table()
    game.session.do(commands.FIELD, (1, PISTOLEER))
    game.session.do(commands.ATTACK, (1, 3, 1, 1))
    assert game.session.check(commands.AMEND, (BAND, 2)) == (commands.NO, "hit: no dice at that band: max")


def test_a_weapon_by_numbers_and_a_unit_by_numbers():
    game = table()
    game.session.do(commands.FIELD, (0, BY_NUMBERS, 5, 1, 0, 4, 0, 0))
    game.session.do(commands.ATTACK, (-overkill.ID, NOBODY, 1, 3, 5, 4))
    attack = game.state.attack
    assert attack.weapon() == -overkill.ID
    assert attack.stage().dice == 2
    assert attack.get(ENTRIES) == 0


def test_the_device_rolls_the_same_dice_again_from_the_same_seed():
    games = [table(), table()]
    for game in games:
        game.session.do(commands.ATTACK, (AUTOGUN, 0, 1, 1))
        game.session.do(commands.THROW)
    assert games[0].bytes == games[1].bytes
    assert games[0].session.records == 5


def test_titles_of_an_attack():
    game = table()
    assert command_title(game.state, commands.ATTACK, (AUTOGUN, 0, 1, 1)) == "Autogun > Marine #2"
    game.session.do(commands.ATTACK, (AUTOGUN, 0, 2, 1, 2))
    assert command_title(game.state, commands.STAGE, (1, 1)) == "hit: 1 1"
    assert command_title(game.state, commands.APPLY, ()) == "apply"


def test_a_game_without_weapons_has_no_attacks():
    game = Game("ambush/raid")
    assert game.state.attack is None
    assert game.session.check(commands.ATTACK, (0, NOBODY, 0)) == (commands.NO, "no weapons in this game")


def test_means_of_a_single_die_times_the_dice():
    v = stages.blank(w40k10)
    names = [field[0] for field in w40k10.PROFILE]
    for name, number in (("attacks_plus", 10), ("skill", 3), ("sustained_hits", 2), ("strength", 4)):
        v[names.index(name)] = number
    v[len(v) - 1] = 1
    v += [field[3] for field in w40k10.GROUP]
    stages.begin(w40k10, v)
    means = dict(zip([name for _, name in w40k10.AUDIT], expect.means(w40k10, v)))
    # 10 * (4/6 + 2 * 1/6) hits, half of them wounds.
    assert abs(means["hits"] - 10 * expect.SCALE) < 100 and abs(means["wounds"] - 5 * expect.SCALE) < 100
    v = stages.blank(w40k10)
    v[names.index("attacks_dice")] = 2  # 2D6 + 1 attacks
    v[len(v) - 1] = 1
    v += [field[3] for field in w40k10.GROUP]
    stages.begin(w40k10, v)
    means = dict(zip([name for _, name in w40k10.AUDIT], expect.means(w40k10, v)))
    assert abs(means["hits"] - 8 * expect.SCALE * 2 // 3) < 100
    v = stages.blank(w40k10)
    v[names.index("attacks_dice")] = 1
    v[WEAPONS] = 10  # 3,003 ways of their dice: more than anybody waits for
    v[len(v) - 1] = 1
    v += [field[3] for field in w40k10.GROUP]
    stages.begin(w40k10, v)
    assert raises(expect.TooManyWaysError, expect.means, w40k10, v)


def test_all_ways_of_dice_over_bins():
    stage = stages.dice("hit", stages.ATTACKER, 4, stages.bins_of((1, "miss"), (3, "hit"), (6, "crit")))
    ways = [tuple(counts) for counts in expect.splits(4, 3)]
    assert len(set(ways)) == len(ways) == expect.split_count(4, 3) == 15
    assert sum(expect.weight(stage, counts) for counts in ways) == 6**4


def test_a_keyword_of_the_roster_is_a_modifier_of_a_fight():
    game = Game("dice/kill-team")
    unit = game.names["units"].index
    for side, name in ((0, "nemesis-small"), (1, "power")):
        game.session.do(commands.FIELD, (side, unit(name)))
    bulky = [field[0] for field in killteam_fight.MODIFIERS].index("bulky") + len(killteam_fight.PROFILE)
    for attacker, target, expected in ((0, 1, [1, 0]), (1, 0, [0, 1]), (NOBODY, 0, [0, 1])):
        game.session.do(commands.ATTACK, (-killteam_fight.ID, attacker, 1, target))
        assert game.state.attack.numbers()[bulky : bulky + 2] == expected


def test_a_unit_that_is_changed_during_an_attack_stays_one():
    game = Game("dice/w40k10")
    for _ in range(2):
        game.session.do(commands.FIELD, (0, BY_NUMBERS, 10, 1, 4, 4, 0, 0))
    game.session.do(commands.ATTACK, (-w40k10.ID, 0, 1, 1))
    while game.state.attack.stage() is not None:
        game.session.do(commands.THROW)
    game.session.do(commands.UNIT, (1, MODELS, 5))
    game.session.do(commands.APPLY)
    assert game.state.sound() and game.state.roster.get(1, MODELS_LEFT) == 5
    game.session.save()
    assert Session.resume(game.pack, game.log, resolver).digest == game.session.digest


def test_an_attack_is_dropped_with_its_target():
    game = table()
    game.session.do(commands.ATTACK, (AUTOGUN, 0, 1, 1))
    game.session.do(commands.REMOVE, (2,))
    assert game.state.attack.get(RESOLVER)
    before = game.bytes
    game.session.do(commands.REMOVE, (1,))
    assert not game.state.attack.get(RESOLVER)
    game.session.undo()
    assert game.bytes == before


def test_nobody_is_a_target_twice_and_a_target_there_must_be():
    game = Game("dice/kill-team")
    game.session.do(commands.FIELD, (0, 0))
    for args in ((0, 0, 0), (0, 0, 1, 0), (0, NOBODY, 2, 0, 0)):
        assert verdict(game, commands.ATTACK, *args) == commands.NO


def test_numbers_that_no_attack_can_have_are_told_from_others():
    game = table()
    game.session.do(commands.ATTACK, (AUTOGUN, 0, 1, 1))
    attack = game.state.attack
    assert attack.legible()
    size = attack.get(SIZE)
    for at, value in ((RESOLVER, 99), (SIZE, size - 1), (SIZE, 0), (NUMBERS, 255)):
        kept = attack.get(at)
        game.state.data[attack._at + at] = value
        assert not attack.legible()
        game.state.data[attack._at + at] = kept
    assert attack.legible()
