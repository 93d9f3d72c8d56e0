"""What units, flags and abilities do to an attack; weapons of some models; units that come back."""

from support import Game, raises

from tableside.core import commands, roster
from tableside.core.errors import RuleError
from tableside.core.fields import expand
from tableside.core.pack import NOBODY

SQUAD, SECOND, TANK, SCOUTS = range(4)  # slots


def _begun(game, weapon, attacker, target):
    """The numbers by name that an attack begins with; modifiers before those of the weapon."""
    game.session.do(commands.ATTACK, (game.names["weapons"].index(weapon), attacker, 1, target))
    module = game.state.attack.resolver()
    names = [field[0] for field in module.PROFILE + module.MODIFIERS + module.TARGET] + ["groups"]
    return dict(zip(names + [field[0] for field in module.GROUP], game.state.attack.numbers()))


def _use(game, ability, slot):
    game.session.do(commands.USE, (game.names["abilities"].index(ability), slot, 0))


def test_an_attack_begins_with_no_more_weapons_than_have_a_bearer():
    game = Game("troop/field")
    assert [_begun(game, weapon, SQUAD, SCOUTS)["weapons"] for weapon in ("rifle", "flamer", "knife")] == [5, 3, 5]
    game.unit(SQUAD, roster.MODELS_LEFT, 2)
    assert _begun(game, "flamer", SQUAD, SCOUTS)["weapons"] == 2
    assert _begun(game, "flamer", SCOUTS, SQUAD)["weapons"] == 4  # not one of its own
    assert _begun(game, "flamer", NOBODY, SQUAD)["weapons"] == 1


def test_kinds_and_flags_change_the_numbers_of_an_attack():
    game = Game("troop/field")
    assert [_begun(game, weapon, SQUAD, SCOUTS)["hit"] for weapon in ("rifle", "knife")] == [-1, 0]
    assert _begun(game, "rifle", SCOUTS, SQUAD)["hit"] == 0
    game.unit(SCOUTS, "lit", 1)
    begun = [_begun(game, weapon, SQUAD, SCOUTS) for weapon in ("rifle", "flamer", "knife")]
    assert [numbers["ap"] for numbers in begun] == [-1, -1, -1]
    assert [numbers["hit_reroll"] for numbers in begun] == [3, 0, 0]


def test_an_ability_changes_the_attacks_of_its_unit_while_it_is_in_force():
    game = Game("troop/field")
    _use(game, "aim", SECOND)
    assert [_begun(game, "rifle", slot, SCOUTS)["lethal"] for slot in (SQUAD, SECOND)] == [0, 1]
    game.session.do(commands.LAPSE, (0,))
    assert _begun(game, "rifle", SECOND, SCOUTS)["lethal"] == 0


def test_what_a_die_must_reach_is_replaced_by_what_is_better():
    game = Game("troop/field")
    for slot in (SQUAD, TANK):
        _use(game, "dig", slot)
    assert [_begun(game, "rifle", SCOUTS, slot)["invulnerable"] for slot in (SQUAD, SECOND, TANK)] == [6, 0, 5]


def test_conditions_know_the_kind_of_a_unit():
    game = Game("troop/field")
    raises(RuleError, _use, game, "trap", TANK)
    _use(game, "trap", SCOUTS)


def test_models_of_a_kind_are_counted_and_a_unit_that_is_gone_comes_back_whole():
    game = Game("troop/field")
    prompt = game.pack.text(game.session.scenario.step(0)[2])
    assert expand(game.state, prompt) == "10 in 2 squads"
    game.unit(SECOND, "lit", 1)
    game.unit(SECOND, roster.MODELS_LEFT, 0)
    game.unit(SQUAD, roster.MODELS_LEFT, 4)
    assert expand(game.state, prompt) == "4 in 1 squads"
    game.choose("few")
    assert game.counter("left") == 4
    game.choose("back")
    assert expand(game.state, prompt) == "9 in 2 squads"
    assert not game.state.roster.flag(SECOND, 0)
    before = game.bytes
    game.choose("back")  # there is none
    assert game.bytes == before
