"""The Indomitor Kill Team against the facts and worked examples (K11-...) of its sheet, 11th edition."""

from ability_table import answer, differences, in_force, refusal, use, windows_of
from support import Game, raises
from test_ability_screens import rows, words
from test_deck_screens import top
from test_long_texts import Reader

from tableside.core import commands, roster
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY
from tableside.core.state import O_ACTOR

BATTLE = "indomitor/battle"
US, FOE = 0, 1
HUNTERS, FLEET, PURGATION, VEILED = range(4)

# Which window allows what. The windows of the sheet that only the players can tell apart are one step here, and their
# difference is in the question: so most stratagems are "ask". A step of one side's reaction comes in the other's turn.
CORE = """
us/reroll:       ask *@*
foe/reroll:      ask *@*
us/epic:         ask fight@*
foe/epic:        ask fight@*
us/bravery:      yes command@us
foe/bravery:     yes command@foe
us/explosives:   ask shoot@us
foe/explosives:  ask shoot@foe
us/crushing:     ask charge@us
foe/crushing:    ask charge@foe
us/ingress:      ask react-move-us@foe
foe/ingress:     ask react-move-foe@us
us/overwatch:    ask react-move-us@foe
foe/overwatch:   ask react-move-foe@us
us/smoke:        ask shoot@foe
foe/smoke:       ask shoot@us
us/leap:         ask react-charge-us@foe
foe/leap:        ask react-charge-foe@us
us/fray:         ask react-charge-us@foe
foe/fray:        ask react-charge-foe@us
us/counter:      ask fight@foe
foe/counter:     ask fight@us
us/other-1:      yes *@*
foe/other-1:     yes *@*
us/other-2:      yes *@*
foe/other-2:     yes *@*
us/shock-weak:   yes command@us
foe/shock-weak:  yes command@foe
us/shock-again:  yes command@us
foe/shock-again: yes command@foe
us/advance:      yes move@us
foe/advance:     yes move@foe
us/retreat:      ask move@us
foe/retreat:     ask move@foe
us/escape:       ask move@us
foe/escape:      ask move@foe
us/charge:       yes charge@us
foe/charge:      yes charge@foe
"""
DETACHMENTS = ("""
furor:           yes tactics@us
malleus:         yes tactics@us
purgatus:        yes tactics@us
adapt-furor:     yes tactics@us command@us
adapt-malleus:   yes tactics@us command@us
adapt-purgatus:  yes tactics@us command@us
contempt:        ask shoot@foe fight@* consolidate@*
dragonfire:      ask shoot@us
hellfire:        ask shoot@us
kraken:          ask shoot@us
relocation:      ask consolidate@foe
""", """
eliminate:       yes costs@us
acquire:         yes costs@us
will:            yes move@us
violent:         ask shoot@us fight@* consolidate@*
""", """
punishment:      ask shoot@foe
""", """
prime:           ask shoot@us fight@* consolidate@*
salvo:           ask shoot@us
oversight:       ask shoot@foe
blind:           ask charge@foe
trap:            ask react-charge-us@foe
""")
BOARDING = """
us/reroll:       ask *@*
foe/reroll:      ask *@*
us/bravery:      yes command@us
foe/bravery:     yes command@foe
us/clearance:    ask shoot@us
foe/clearance:   ask shoot@foe
us/counter:      ask fight@* consolidate@*
foe/counter:     ask fight@* consolidate@*
"""


def army(game, detachment=HUNTERS, cp=9):
    """Slots: 0 a whole Kill Team of ours, 1 one below half, 2 one shocked, 3 one that charged; then the enemy's."""
    for side in ("us", "foe"):
        unit = "kill-team" if side == "us" else "heavy"
        first = len([slot for slot in range(game.state.roster.slots) if game.state.roster.used(slot)])
        for _ in range(4):
            game.field(side, unit)
        game.session.do(commands.UNIT, (first + 1, roster.MODELS_LEFT, 2))
        game.unit(first + 2, "shocked", 1)
        game.unit(first + 3, "charged", 1)
        game.adjust(side + "-cp", cp)
    game.adjust("detachment", detachment)
    return game


def battle(first="us", detachment=HUNTERS, scenario=BATTLE):
    """Round 1 at the first step where something is decided."""
    game = Game(scenario)
    game.adjust("detachment", detachment)
    for _ in range(2):
        game.advance()
    assert game.step() == "options"
    game.choose(first)
    return game


def turn_steps(game):
    """The steps of a turn."""
    return game.names["steps"][4:]


def go_to(game, step):
    """On with the first action that goes on, until a step is there."""
    for _ in range(60):
        if game.step() == step:
            return game
        game.choose("on")
    raise AssertionError(step)


# --- What may be done now ------------------------------------------------------------------------------------------


def test_every_window_and_stratagem_of_every_detachment():
    for detachment, table in enumerate(DETACHMENTS):
        game = army(battle(detachment=detachment), detachment)
        game.jump("command", 2)
        wrong = differences(game, windows_of(game, turn_steps(game)), CORE.strip() + "\n" + table.strip())
        assert wrong == [], (detachment, wrong)


def test_every_window_and_stratagem_of_boarding_actions():
    for detachment, table in enumerate(DETACHMENTS):
        game = army(battle(detachment=detachment, scenario="indomitor/boarding"), detachment)
        game.unit(2, "tested", 1)
        game.unit(6, "tested", 1)
        game.jump("command", 2)
        game.adjust("us-cp", 9)
        for slot in (2, 6):  # a failed test of this phase
            game.unit(slot, "tested", 1)
        shared = [line for line in CORE.split("\n") if line.partition(":")[0].partition("/")[2] in (
            "other-1", "other-2", "shock-weak", "advance", "retreat", "escape", "charge")]
        table = "\n".join(shared) + BOARDING.rstrip() + table.rstrip()
        assert differences(game, windows_of(game, turn_steps(game)), table) == []


def test_without_cp_nothing_that_costs_is_offered():
    game = army(battle(), cp=0)
    game.jump("shoot", 2)
    for ability in ("us/reroll", "us/explosives", "kraken", "foe/smoke", "us/other-1"):
        assert answer(game, ability) == "no"
        assert refusal(game, ability) == "costs 1, left: 0", ability


def test_rapid_ingress_not_in_round_one():
    game = army(battle("foe"))
    go_to(game, "react-move-us")
    assert (game.round(), refusal(game, "us/ingress"), answer(game, "us/overwatch")) == (1, "not in round: 1", "ask")


def test_k11_m12_one_of_each_a_phase_and_one_for_a_unit():
    game = army(battle())
    go_to(game, "shoot")
    use(game, "kraken", 0)
    assert answer(game, "hellfire", 0) == "no"
    assert (answer(game, "kraken", 1), refusal(game, "kraken")) == ("no", "used already")
    assert answer(game, "hellfire", 1) == "ask"
    assert answer(game, "us/reroll", 0) == "no"
    assert answer(game, "us/reroll", 1) == "ask"
    game.session.undo()
    game.adjust("strict", 0)  # the players' rule
    use(game, "kraken", 0)
    assert answer(game, "hellfire", 0) == "no"  # still one kind of rounds
    assert answer(game, "us/reroll", 0) == "ask"


def test_a_battle_shocked_unit_is_no_target():
    game = army(battle())
    go_to(game, "shoot")
    targets = game.state.abilities.targets(game.state, game.names["abilities"].index("kraken"))
    assert targets == [0, 1, 3]


def test_k11_m13_both_gain_in_every_command_phase():
    game = battle()
    game.choose("on")
    ledger = [(game.counter("us-cp"), game.counter("foe-cp"))]
    use(game, "us/other-1")
    ledger.append((game.counter("us-cp"), game.counter("foe-cp")))
    go_to(game, "end")
    go_to(game, "command")
    ledger.append((game.counter("us-cp"), game.counter("foe-cp")))
    use(game, "foe/other-2")
    ledger.append((game.counter("us-cp"), game.counter("foe-cp")))
    go_to(game, "end")
    go_to(game, "tactics")
    game.choose("on")
    ledger.append((game.counter("us-cp"), game.counter("foe-cp")))
    assert [us for us, _ in ledger] == [1, 0, 1, 1, 2]
    assert [foe for _, foe in ledger] == [1, 1, 2, 0, 1]
    assert game.round() == 2


def test_k11_m14_tactics_once_each_and_adaptive_ones_again():
    game = army(battle())
    legal = []
    for tactic in ("furor", "malleus", "furor"):
        assert game.step() == "tactics"
        legal.append(answer(game, tactic) == "yes")
        if legal[-1]:
            use(game, tactic)
            assert answer(game, "purgatus") == "no"  # one at a time
        else:
            assert answer(game, "adapt-furor") == "yes"
            use(game, "adapt-furor", 0)
            assert refusal(game, "adapt-malleus") == "used already"
        go_to(game, "end")
        go_to(game, "command")
        assert game.state.abilities.turn() == FOE
        assert in_force(game)  # until the own next turn
        go_to(game, "end")
        game.choose("on")
    assert legal == [True, True, False]
    assert in_force(game) == []


def test_tactics_are_asked_for_until_all_are_used():
    game = battle()
    for tactic in ("furor", "malleus", "purgatus"):
        assert game.step() == "tactics"
        use(game, tactic)
        go_to(game, "end")
        game.choose("on")
        go_to(game, "end")
        game.choose("on")
    assert (game.round(), game.step(), game.counter("picked")) == (4, "command", 3)


def test_at_all_costs_every_turn_one():
    game = army(battle(detachment=FLEET), FLEET)
    assert game.step() == "costs"
    use(game, "eliminate", 4)
    assert (refusal(game, "acquire"), refusal(game, "eliminate")) == ("used already", "used already")
    go_to(game, "end")
    game.choose("on")
    go_to(game, "end")
    assert in_force(game) == [("eliminate", 4)]
    game.choose("on")
    assert (game.step(), in_force(game), answer(game, "acquire")) == ("costs", [], "yes")


def test_reactions_come_only_to_who_can_pay():
    game = battle("foe")
    seen = []
    while game.step() != "end":
        seen.append((game.step(), game.state.data[O_ACTOR]))
        game.choose("on")
    assert seen == [("command", FOE), ("move", FOE), ("react-move-us", US), ("shoot", FOE), ("charge", FOE),
                    ("react-charge-us", US), ("fight", FOE), ("consolidate", FOE)]
    game = battle("foe")
    game.adjust("us-cp", 0)
    go_to(game, "end")
    assert game.state.abilities.turn() == FOE


# --- Battle-shock, charge ------------------------------------------------------------------------------------------


def test_k11_m08_odd_starting_strength_has_no_half():
    game = army(battle())
    game.session.do(commands.UNIT, (1, roster.MODELS_LEFT, 3))
    assert game.state.roster.strength(1) == 1
    go_to(game, "command")
    assert answer(game, "us/shock-weak") == "no"
    game.session.do(commands.UNIT, (1, roster.MODELS, 10))
    game.session.do(commands.UNIT, (1, roster.MODELS_LEFT, 5))
    assert answer(game, "us/shock-weak", 1) == "yes"


def test_battle_shock_and_k11_m07_recovery():
    game = go_to(army(battle()), "command")
    assert game.offers() == ["us-weak", "us-again", "on", "us-vp", "foe-vp"]
    use(game, "us/shock-weak", 1)
    assert game.check() == "shock"
    game.enter(2, 3)
    assert game.state.roster.flag(1, game.names["flags"].index("shocked"))
    assert game.offers() == ["us-again", "on", "us-vp", "foe-vp"]
    use(game, "us/shock-again", 2)
    game.enter(3, 4)
    assert not game.state.roster.flag(2, game.names["flags"].index("shocked"))
    assert game.offers() == ["on", "us-vp", "foe-vp"]  # one roll a unit
    go_to(game, "end")
    go_to(game, "command")
    use(game, "foe/shock-weak", 5)
    assert game.check() == "foe-shock"
    game.enter(3, 3)  # Leadership 7+
    assert game.state.roster.flag(5, game.names["flags"].index("shocked"))


def test_insane_bravery_before_the_roll_once_a_battle():
    game = go_to(army(battle()), "command")
    number = game.names["abilities"].index("us/bravery")
    assert game.state.abilities.targets(game.state, number) == [1]  # not one that is shocked already
    use(game, "us/bravery", 1)
    assert answer(game, "us/shock-weak") == "no"
    go_to(game, "end")
    game.choose("on")
    go_to(game, "end")
    game.choose("on")
    go_to(game, "command")
    assert refusal(game, "us/bravery") == "used already"


def test_acquire_makes_leadership_better():
    for near, shocked in ((0, 1), (1, 0)):
        game = army(battle(detachment=FLEET), FLEET)
        use(game, "acquire")
        go_to(game, "command")
        game.unit(1, "objective", near)
        use(game, "us/shock-weak", 1)
        game.enter(2, 3)
        assert game.state.roster.flag(1, game.names["flags"].index("shocked")) == shocked


def test_k11_m10_charge_rolls():
    for a, b, modifier, reach, fray in ((6, 6, 1, 12, 6), (6, 5, -1, 10, 6), (3, 2, 0, 5, 5)):
        game = go_to(army(battle()), "charge")
        game.adjust("modifier", modifier)
        use(game, "us/charge", 0)
        game.enter(a, b)
        assert (game.window(), game.counter("reach")) == ("reached", reach)
        game.choose("yes")
        assert game.state.roster.flag(0, game.names["flags"].index("charged"))
        go_to(game, "react-charge-foe")
        use(game, "foe/fray", 4)
        game.enter(a, b)
        assert game.counter("reach") == fray


def test_a_natural_two_fails_and_a_unit_charges_once():
    game = go_to(army(battle()), "charge")
    use(game, "us/charge", 0)
    game.enter(1, 1)
    assert (game.window(), game.step()) == (None, "charge")
    assert (answer(game, "us/charge", 0), answer(game, "us/charge", 1)) == ("no", "yes")
    game.unit(1, "advanced", 1)
    assert answer(game, "us/charge", 1) == "no"


def test_while_dice_wait_only_what_is_over_at_once_is_used():
    game = go_to(army(battle()), "charge")
    use(game, "us/charge", 0)
    assert refusal(game, "us/charge") == "something must be decided first"
    assert "something" in str(raises(RuleError, use, game, "us/charge", 1, 1))
    device = Reader(("indomitor",))
    device.app.session = game.session
    device.app.show_session()
    device.app.go("abilities.Others", US)
    device.step()
    top(device).list.move_to([i for i, row in enumerate(rows(device)) if "must be decided" in row][0])
    device.ok()
    assert device.screen() == "Others" and "must be decided first" in words(device)
    use(game, "us/reroll", 0)
    assert game.check() == "charge"


def test_blind_grenades_shorten_a_charge():
    game = army(battle("foe", VEILED), VEILED)
    go_to(game, "charge")
    use(game, "blind", 0)
    use(game, "foe/charge", 4)
    game.enter(4, 4)
    assert game.counter("reach") == 7


def test_k11_m11_desperate_escape_then_battle_shock():
    game = go_to(army(battle()), "move")
    use(game, "us/escape", 0)
    assert game.window() == "escape"
    game.choose("us")
    game.enter(1, 2)
    units, flags = game.state.roster, game.names["flags"]
    assert units.flag(0, flags.index("shocked")) and units.flag(0, flags.index("fell-back"))
    use(game, "us/escape", 2)
    game.choose("shocked")  # no roll for one that is shocked already
    assert game.check() is None


# --- Doctrines, tactics and ammunition in an attack ----------------------------------------------------------------


def begun(game, weapon, attacker, target, *names):
    """What an attack begins with: numbers of its weapon or modifiers, the modifier where both have the name."""
    number = game.names["weapons"].index(weapon)
    game.session.do(commands.ATTACK, (number, attacker, 1, target))
    module = game.state.attack.resolver()
    fields = [field[0] for field in module.PROFILE] + [field[0] for field in module.MODIFIERS]
    v = game.state.attack.numbers()
    game.session.do(commands.DROP)
    return tuple(v[len(fields) - 1 - list(reversed(fields)).index(name)] for name in names)


def test_doctrines_by_strength():
    game = army(battle())
    for models, left, hit, wound in (
        (10, 10, 0, 0), (10, 9, 1, 0), (10, 5, 1, 0), (10, 4, 1, 1), (5, 3, 1, 0), (5, 2, 1, 1)):
        game.session.do(commands.UNIT, (0, roster.MODELS, models))
        game.session.do(commands.UNIT, (0, roster.MODELS_LEFT, left))
        assert begun(game, "bp", 0, 4, "hit", "wound") == (hit, wound), (models, left)
    assert begun(game, "e-bolter", 5, 0, "hit", "wound") == (0, 0)


def test_tactics_give_their_rule_and_adaptive_ones_replace_it():
    game = army(battle())
    use(game, "furor")
    names = ("sustained", "lethal", "critical_precision")
    assert begun(game, "hbr", 0, 4, *names) == (1, 0, 0)
    use(game, "adapt-malleus", 0)
    assert begun(game, "hbr", 0, 4, *names) == (0, 1, 0)
    assert begun(game, "hbr", 1, 4, *names) == (1, 0, 0)
    assert begun(game, "e-bolter", 4, 0, *names) == (0, 0, 0)


def test_rounds_contempt_and_lance():
    game = army(battle())
    go_to(game, "shoot")
    use(game, "kraken", 0)
    assert begun(game, "mr", 0, 4, "ap") == (-1,)
    assert begun(game, "ccw", 0, 4, "ap") == (0,)
    use(game, "dragonfire", 1)
    assert begun(game, "hbr", 1, 4, "ignores_cover") == (1,)
    assert begun(game, "pf", 3, 4, "charged") == (1,)
    go_to(game, "end")
    game.choose("on")
    go_to(game, "shoot")
    use(game, "contempt", 0)
    assert begun(game, "e-bolter", 4, 0, "ap") == (1,)
    assert begun(game, "e-bolter", 4, 1, "ap") == (0,)


def test_eliminate_and_acquire():
    game = army(battle(detachment=FLEET), FLEET)
    use(game, "eliminate", 4)
    assert begun(game, "hbr", 0, 4, "hit") == (1,)
    assert begun(game, "hbr", 0, 5, "hit") == (0,)


# --- The builder ---------------------------------------------------------------------------------------------------


def build(game, *picks):
    """Build a Kill Team; the slot it is in."""
    options = game.names["options"][0]
    game.session.do(commands.BUILD, (US, 0) + tuple(options.index(pick) for pick in picks))
    return len([slot for slot in range(game.state.roster.slots) if game.state.roster.used(slot)]) - 1


def test_builds_with_their_models_weapons_and_bearers():
    game = battle()
    slot = build(game, "ten", "rifle", "heavy-bolter", "second", "melta", "multi", "flame", "plasma")
    units, weapons = game.state.roster, game.names["weapons"]
    assert (units.get(slot, roster.MODELS), units.get(slot, roster.WOUNDS)) == (10, 3)
    count = {name: units.bearers(slot, weapons.index(name)) for name in (
        "hbr", "hb", "mr", "mm", "flame", "pf", "pex", "bp", "hazard")}
    assert count == {"hbr": 4, "hb": 2, "mr": 1, "mm": 1, "flame": 1, "pf": 1, "pex": 1, "bp": 10, "hazard": 10}
    slot = build(game, "five")
    assert (units.get(slot, roster.MODELS), units.bearers(slot, weapons.index("hbr"))) == (5, 5)
    assert weapons.index("mr") not in units.weapons(slot)


def test_builds_that_cannot_be():
    game = battle()
    for picks, reason in (
        ((), "Size: at least 1"),
        (("five", "rifle"), "Places left must be 0..4"),
        (("ten",), "Places left must be 0..4"),
        (("five", "ten"), "Size: at most"),
        (("ten", "rifle", "heavy-bolter", "second"), "Second heavy bolter must be"),
        (("ten", "rifle", "second"), "Second one, with 10 needs"),
        (("ten", "melta", "melta", "multi"), "Melta: at most"),
        (("ten", "multi", "multi"), "at most 1"),
        (("ten", "rifle", "melta", "melta", "flame", "flame", "assault"), "Places left must be 0..4"),
    ):
        message = str(raises(RuleError, build, game, *picks))
        assert reason.split(" must")[0] in message, (picks, message)


# --- The end -------------------------------------------------------------------------------------------------------


def test_five_rounds_and_the_result():
    for us, foe, result in ((12, 10, "us-wins"), (8, 10, "foe-wins"), (9, 9, "draw")):
        game = battle("foe")
        game.adjust("us-vp", us)
        game.adjust("foe-vp", foe)
        for number in range(1, 6):
            assert game.round() == number and game.state.abilities.turn() == FOE
            go_to(game, "end")
            game.choose("on")
            assert game.state.abilities.turn() == US
            go_to(game, "end")
            game.choose("on")
        assert (game.session.over(), game.result()) == (True, result)


def test_nobody_is_meant_before_anything_was_used():
    assert battle().state.abilities.unit() == NOBODY
