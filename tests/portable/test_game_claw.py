"""Claw of Ascension against the facts and worked examples (C10-...) of its sheet, 10th edition."""

from ability_table import answer, differences, in_force, put_into, refusal, use
from support import Game, raises

from tableside.core import commands, roster
from tableside.core.errors import RuleError
from tableside.core.fields import expand
from tableside.core.pack import NOBODY

MISSIONS = ("clash", "archeotech", "outpost", "scorched", "raid", "might")
CULT, FOE = 0, 1
META, META_2, SHANUS, JACKALS, WOLFQUAD, RIDGERUNNER, HEAVY, HERO, TANK = range(9)  # roster slots
# The steps in which a turn waits, and whose turn it may be.
WINDOWS = ["%s@%s" % (step, side) for step in ("shock", "move", "shoot", "charge", "fight") for side in ("cult", "foe")]
WINDOWS += ["ambush@foe", "order@cult"]

# What the sheet lets a player use where. Its finer windows are one step here, the difference is in the question.
TABLE = """
kill-order:      yes order@cult
crossfire:       ask shoot@cult
outrider:        ask shoot@cult
spasm:           ask fight@*
point-blank:     ask shoot@cult fight@*
swarm:           ask charge@cult
cult/reroll:     ask *@*
foe/reroll:      ask *@*
cult/bravery:    yes shock@cult
foe/bravery:     yes shock@foe
cult/overwatch:  ask move@foe charge@foe
foe/overwatch:   ask move@cult charge@cult
cult/ingress:    ask move@foe
foe/ingress:     ask move@cult
cult/ground:     ask shoot@foe
foe/ground:      ask shoot@cult
cult/tank-shock: ask charge@cult
foe/tank-shock:  ask charge@foe
cult/heroic:     ask charge@foe
foe/heroic:      ask charge@cult
cult/counter:    ask fight@*
foe/counter:     ask fight@*
cult/epic:       ask fight@*
foe/epic:        ask fight@*
grenade:         ask shoot@foe
their-one:       yes *@*
their-two:       yes *@*
cult/shock:      yes shock@cult
foe/shock:       yes shock@foe
cult/charge:     yes charge@cult
foe/charge:      yes charge@foe
cult/extra-cp:   yes *@*
foe/extra-cp:    yes *@*
"""


def _battle(mission="clash", number=2, enhance="order", secondary="infiltration", attacker="cult", first="cult",
            attached="yes"):
    """A battle at the Command phase of a round, with three enemy units, 5 CP each and no victory points."""
    game = Game("claw/" + mission)
    game.choose(enhance, secondary, attacker, attached)
    game.advance()
    game.advance()
    game.choose(first)
    for unit in ("heavy", "hero", "tank"):
        game.field("foe", unit)
    game.jump("round", number)
    for name in ("cult-cp", "foe-cp"):
        game.adjust(name, 5)
    return game


def _decline(game):
    """Say no, or none, to a window."""
    offers = game.offers()
    game.choose(([name for name in ("not-yet", "no", "none") if name in offers] + offers[-1:])[0])


def _answered(game):
    """Decline the windows of a mission until a step waits."""
    while game.window() is not None:
        _decline(game)


def _to(game, step, *windows):
    """Go on to a step; windows on the way are answered by these, or declined."""
    answers = list(windows)
    for _ in range(40):
        if game.window() is not None:
            if answers and answers[0] in game.offers():
                game.choose(answers.pop(0))
            else:
                _decline(game)
        elif game.step() == step and not answers:
            return
        elif "on" in game.offers():
            game.choose("on")
        else:
            game.advance()
    raise AssertionError("%s %s %s" % (game.round(), game.step(), game.offers()))


def _vp(game):
    return game.counter("cult-vp"), game.counter("foe-vp")


def _cp(game):
    return game.counter("cult-cp"), game.counter("foe-cp")


def _numbers(game, weapon, attacker, target):
    """The numbers by name that an attack begins with; of names that two have, that of the modifier."""
    game.session.do(commands.ATTACK, (game.names["weapons"].index(weapon), attacker, 1, target))
    module = game.state.attack.resolver()
    found = dict(zip([field[0] for field in module.PROFILE + module.MODIFIERS], game.state.attack.numbers()))
    game.session.do(commands.DROP)
    return found


# --- what may be done now ------------------------------------------------------------------------------------------


def _ready(**choices):
    game = _battle(**choices)
    _answered(game)
    game.unit(META, roster.MODELS_LEFT, 2)
    game.unit(HEAVY, roster.MODELS_LEFT, 2)
    return game


def test_every_window_and_ability():
    wrong = differences(_ready(), WINDOWS, TABLE)
    assert not wrong, wrong
    other = TABLE.replace("kill-order:      yes order@cult", "suppression: ask shoot@cult")
    wrong = differences(_ready(enhance="suppress"), WINDOWS, other)
    assert not wrong, wrong


def test_every_window_and_ability_without_command_points():
    game = _ready()
    for name in ("cult-cp", "foe-cp"):
        game.adjust(name, 0)
    free = ("kill-order", "crossfire", "outrider", "shock", "charge", "extra-cp")
    lines = [line for line in TABLE.split("\n") if line.split(":")[0].split("/")[-1] in free]
    wrong = differences(game, WINDOWS, "\n".join(lines))
    assert not wrong, wrong
    game.adjust("cult-cp", 1)  # one is not enough for Counter-offensive
    put_into(game, "fight@cult")
    assert [answer(game, name) for name in ("cult/counter", "cult/epic")] == ["no", "ask"]


def test_stratagems_have_their_limits():
    game = _ready()
    put_into(game, "charge@cult")
    use(game, "swarm", HEAVY)
    assert _cp(game)[CULT] == 4 and refusal(game, "swarm") == "used already"
    use(game, "cult/reroll")
    assert answer(game, "cult/reroll") == "no" and answer(game, "foe/reroll") == "ask"
    _to(game, "fight")
    assert answer(game, "cult/reroll") == "ask"
    game.jump("shock", 3)
    put_into(game, "shock@cult")
    use(game, "cult/bravery", META)
    assert game.state.roster.flag(META, game.names["flags"].index("tested"))
    game.jump("shock", 4)
    put_into(game, "shock@cult")
    assert refusal(game, "cult/bravery") == "used already"


def test_overwatch_once_a_turn():  # C10-M13
    game = _ready(first="foe")
    _to(game, "move")
    use(game, "cult/overwatch", JACKALS)
    assert in_force(game) == [("cult/overwatch", JACKALS)] and "overwatch" in game.offers()
    _to(game, "charge")
    assert answer(game, "cult/overwatch") == "no" and "overwatch" not in game.offers()
    game.jump("round", 3)
    _to(game, "move")
    assert answer(game, "cult/overwatch") == "ask"


def test_a_shocked_unit_takes_no_stratagem():
    game = _ready()
    for slot in (META, META_2):
        game.unit(slot, "shocked", 1)
    put_into(game, "shoot@foe")
    assert answer(game, "cult/ground") == "no"
    put_into(game, "fight@foe")
    assert answer(game, "spasm") == "no"
    assert answer(game, "point-blank", META) == "no" and answer(game, "point-blank", SHANUS) == "ask"


def test_who_may_be_the_unit_of_a_stratagem():
    game = _ready()
    put_into(game, "charge@cult")
    assert [answer(game, "cult/tank-shock", slot) for slot in (RIDGERUNNER, META, JACKALS)] == ["ask", "no", "no"]
    put_into(game, "charge@foe")
    assert [answer(game, "cult/heroic", slot) for slot in (RIDGERUNNER, META, SHANUS)] == ["no", "ask", "ask"]
    put_into(game, "fight@cult")
    assert [answer(game, "cult/epic", slot) for slot in (SHANUS, WOLFQUAD, META)] == ["ask", "no", "no"]
    put_into(game, "shoot@foe")
    assert [answer(game, "cult/ground", slot) for slot in (META, JACKALS, RIDGERUNNER)] == ["ask", "no", "no"]
    put_into(game, "move@foe")
    game.jump("move", 4)
    put_into(game, "move@foe")
    assert answer(game, "cult/ingress") == "no"  # reserves are there by round 3


# --- command points: C10-M12 -----------------------------------------------------------------------------------------


def test_command_points_and_the_cap_on_others():
    game = _battle(number=1)
    for name in ("cult-cp", "foe-cp"):
        game.adjust(name, 0)
    game.jump("round", 1)
    ledger = [_cp(game)]
    use(game, "cult/extra-cp")
    ledger.append(_cp(game))
    assert refusal(game, "cult/extra-cp") == "not now" and answer(game, "foe/extra-cp") == "yes"
    ledger.append(_cp(game))
    _to(game, "fight")
    game.choose("on")
    _to(game, "shock")
    ledger.append(_cp(game))
    use(game, "cult/reroll")
    ledger.append(_cp(game))
    assert ledger == [(1, 1), (2, 1), (2, 1), (3, 2), (2, 2)]
    _to(game, "fight")
    game.choose("on")
    _answered(game)
    assert game.round() == 2
    assert answer(game, "cult/extra-cp") == "yes"


# --- battle-shock: C10-M07, C10-M08 ----------------------------------------------------------------------------------


def test_who_is_tested():
    for slot, what, value, ability, wanted in (
        (META, roster.MODELS_LEFT, 2, "cult/shock", "yes"),
        (META, roster.MODELS_LEFT, 3, "cult/shock", "no"),
        (RIDGERUNNER, roster.WOUNDS_LOST, 4, "cult/shock", "no"),
        (RIDGERUNNER, roster.WOUNDS_LOST, 5, "cult/shock", "yes"),
    ):
        game = _battle()
        game.unit(slot, what, value)
        _answered(game)
        _to(game, "shock")
        assert answer(game, ability) == wanted, (slot, value)


def _jackals(jackals, wolfquad, shanus, attached="yes"):
    game = _battle(attached=attached)
    game.unit(JACKALS, roster.MODELS_LEFT, jackals)
    game.unit(WOLFQUAD, roster.MODELS_LEFT, wolfquad)
    game.unit(SHANUS, roster.WOUNDS_LOST, 4 - shanus)
    _answered(game)
    _to(game, "shock")
    return [answer(game, name) for name in ("shock-jackals", "shock-shanus")]


def test_jackals_and_shanus_are_one_unit_until_one_part_is_gone():
    assert _jackals(2, 0, 4) == ["no", "no"]  # 3 of 6
    assert _jackals(1, 0, 4) == ["yes", "no"]  # 2 of 6
    assert _jackals(3, 0, 0) == ["no", "no"]  # 3 of 5
    assert _jackals(2, 0, 0) == ["yes", "no"]
    assert _jackals(0, 0, 2) == ["no", "no"]  # Shanus alone has 2 of 4 wounds left
    assert _jackals(0, 0, 1) == ["no", "yes"]
    assert _jackals(4, 1, 1, "no") == ["no", "yes"]
    assert _jackals(1, 1, 4, "no") == ["yes", "no"]


def test_a_failed_test_lasts_until_the_next_turn_of_its_side():
    shocked = []
    for faces in ((3, 3), (3, 4)):
        game = _ready()
        _to(game, "shock")
        use(game, "cult/shock", META)
        game.enter(*faces)
        shocked.append(game.state.roster.flag(META, game.names["flags"].index("shocked")))
        assert answer(game, "cult/shock") == "no"  # it was tested
    assert shocked == [1, 0]
    game.unit(META, "shocked", 1)
    _to(game, "fight")
    game.choose("on")
    _to(game, "fight")  # the enemy's
    assert game.state.roster.flag(META, game.names["flags"].index("shocked"))
    game.choose("on")
    _to(game, "shock")
    assert game.round() == 3 and not game.state.roster.flag(META, game.names["flags"].index("shocked"))


def test_the_enemy_reaches_its_own_leadership():
    game = _ready(first="foe")
    game.adjust("foe-ld", 6)
    _to(game, "shock")
    use(game, "foe/shock", HEAVY)
    game.enter(3, 3)
    assert not game.state.roster.flag(HEAVY, game.names["flags"].index("shocked"))


# --- Cult Ambush, Spasm, Deadly Demise: C10-M01, M03, M05 ------------------------------------------------------------


def test_cult_ambush_roll():
    success = []
    for number, face in ((1, 3), (1, 4), (2, 4), (3, 4), (3, 5), (5, 6)):
        game = _battle(number=number)
        _answered(game)
        game.unit(META_2, roster.MODELS_LEFT, 0)
        _to(game, "shoot")
        assert game.offers()[0] == "ambush"
        game.choose("ambush")
        game.enter(face)
        success.append(game.window() == "marker")
        _answered(game)
        assert "ambush" not in game.offers()
        assert game.counter("pool") == int(success[-1])
    assert success == [False, True, True, False, True, True]


def test_a_unit_appears_at_a_marker_whole_and_may_ambush_again():
    game = _battle(number=1)
    _answered(game)
    game.unit(META, "charged", 1)
    game.unit(META, roster.MODELS_LEFT, 0)
    _to(game, "shoot")
    game.choose("ambush")
    game.enter(6)
    game.choose("placed")
    _to(game, "fight")
    game.choose("on")
    _to(game, "ambush")
    game.choose("appear")
    assert game.step() == "shoot" and game.counter("markers") == game.counter("pool") == 0
    assert game.state.roster.get(META, roster.MODELS_LEFT) == 5
    assert not game.state.roster.flag(META, game.names["flags"].index("charged"))
    game.unit(META, roster.MODELS_LEFT, 0)
    assert game.offers()[0] == "ambush"


def test_a_marker_that_an_enemy_reaches_goes_and_the_unit_waits():  # C10-M02
    game = _battle(number=1, first="foe")
    _answered(game)
    game.adjust("pool", 1)
    game.adjust("markers", 1)
    _to(game, "move")
    game.choose("marker")
    assert (game.counter("markers"), game.counter("pool")) == (0, 1)
    game.choose("on")
    assert game.step() == "shoot"  # nobody can appear


def test_losses_ask_for_cult_ambush_and_deadly_demise():
    game = _battle(number=1, first="foe")
    _answered(game)
    _to(game, "shoot")
    game.unit(META, roster.MODELS_LEFT, 1)
    game.unit(RIDGERUNNER, roster.WOUNDS_LOST, 7)
    for slot, check in ((META, "ambush"), (RIDGERUNNER, "demise")):
        game.session.do(commands.ATTACK, (game.names["weapons"].index("e-melta"), HEAVY, 1, slot))
        while game.state.attack.stage() is not None:
            stage = game.state.attack.stage()
            hurts = [name not in ("miss", "fail", "saved", "ignored") or name == "fail" and stage.id == "save"
                     for _, _, name in stage.bins]
            at = max(i for i, hurt in enumerate(hurts) if hurt)
            game.session.do(commands.STAGE, tuple(stage.dice if i == at else 0 for i in range(len(hurts))))
        game.session.do(commands.APPLY)
        assert game.check() == check
        game.enter(6)
        _answered(game)
    assert (game.counter("standing"), game.counter("wreck"), game.counter("pool")) == (1, 0, 1)


def _label(game, check, face):
    """What a check says of a single die."""
    from tableside.core import engine

    number = [int(n) for n in game.names["checks"] if game.names["checks"][n] == check][0]
    return expand(game.state, game.pack.text(engine.outcome(game.state, number, face)[2]))


def test_single_dice():
    game = _battle()
    assert [_label(game, "spasm", face) for face in (4, 3, 6)].count("It fights, then goes") == 2
    assert [_label(game, "demise", face) == "Nothing" for face in (6, 5)] == [False, True]
    assert [_label(game, "escape", face) == "It gets away" for face in (2, 3)] == [False, True]
    assert _label(game, "advance", 5) == "M+5\", no charge"


# --- charges, attacks: C10-M09, M16, M17 ------------------------------------------------------------------------------


def test_swarm_adds_one_if_its_enemy_is_a_target():
    distances = []
    for included in ("yes", "no"):
        game = _ready()
        put_into(game, "charge@cult")
        use(game, "swarm", HEAVY)
        use(game, "cult/charge", META)
        game.choose(included)
        game.enter(4, 4)
        distances.append(expand(game.state, "\x03"))
        game.choose("yes")
        assert game.state.roster.flag(META, game.names["flags"].index("charged"))
        assert answer(game, "cult/charge", META) == "no"
    assert distances == ["9", "8"]


def test_crossfire_counts_once_and_until_the_end_of_the_turn():
    game = _ready()
    _to(game, "shoot")
    assert _numbers(game, "small-arms", JACKALS, HEAVY)["ap"] == 0
    use(game, "crossfire", HEAVY)
    assert [_numbers(game, weapon, JACKALS, HEAVY)["ap"] for weapon in ("small-arms", "ccw")] == [-1, -1]
    assert _numbers(game, "small-arms", JACKALS, HERO)["ap"] == 0
    raises(RuleError, use, game, "crossfire", HEAVY)
    _to(game, "fight")
    assert _numbers(game, "ccw", JACKALS, HEAVY)["ap"] == -1
    game.choose("on")
    _to(game, "shock")
    assert _numbers(game, "ccw", JACKALS, HEAVY)["ap"] == 0


def test_kill_order_lasts_a_phase_suppression_until_the_next_turn():
    game = _ready()
    _to(game, "order")
    use(game, "kill-order", HEAVY)
    assert game.step() == "shoot"
    begun = [_numbers(game, weapon, META, HEAVY)["hit_reroll"] for weapon in ("autopistol", "flamer")]
    assert begun == [3, 0]  # TORRENT has no hit roll
    game.choose("on")
    assert _numbers(game, "autopistol", META, HEAVY)["hit_reroll"] == 0
    game = _ready(enhance="suppress")
    _to(game, "shoot")
    use(game, "suppression", HEAVY)
    _to(game, "fight")
    game.choose("on")
    _to(game, "shoot")
    assert [_numbers(game, "e-rifle", slot, META)["hit"] for slot in (HEAVY, HERO)] == [-1, 0]
    assert _numbers(game, "e-rifle", HEAVY, JACKALS)["hit"] == -2  # and Stealth; the dice take no more than 1
    _to(game, "fight")
    game.choose("on")
    _to(game, "shock")
    assert _numbers(game, "e-rifle", HEAVY, META)["hit"] == 0


def test_point_blank_ambush_and_go_to_ground_in_attacks():
    game = _ready()
    put_into(game, "shoot@cult")
    use(game, "point-blank", JACKALS)
    assert [_numbers(game, "small-arms", slot, HEAVY)["lethal"] for slot in (JACKALS, WOLFQUAD)] == [1, 0]
    put_into(game, "shoot@foe")
    use(game, "cult/ground", META)
    assert [_numbers(game, "e-rifle", HEAVY, slot)["cover"] for slot in (META, META_2)] == [1, 0]


def test_models_and_weapons_of_the_patrol():
    game = _battle()
    units = game.state.roster
    own = [slot for slot in range(units.slots) if units.used(slot) and units.get(slot, roster.SIDE) == CULT]
    assert sum(units.get(slot, roster.MODELS) for slot in own) == 17
    bearers = [_numbers(game, weapon, slot, HEAVY)["weapons"] for weapon, slot in (
        ("flamer", META), ("strike", META), ("leader", META), ("autopistol", META), ("small-arms", JACKALS),
        ("ccw", JACKALS), ("power-weapon", JACKALS), ("mining-laser", WOLFQUAD), ("missiles", RIDGERUNNER))]
    assert bearers == [3, 4, 1, 1, 4, 3, 1, 1, 1]


# --- missions ---------------------------------------------------------------------------------------------------------


def test_all_missions_begin_and_end():
    for mission in MISSIONS:
        game = _battle(mission, 1)
        for _ in range(400):
            if game.session.over():
                break
            if game.window() == "gamma":
                game.choose("roll")
                game.enter(1)
            elif game.window() is not None:
                _decline(game)
            elif "on" in game.offers():
                game.choose("on")
            else:
                game.advance()
        assert game.result() == "draw" and game.round() == 5, mission


def _turns(game, *answers):
    """Play turns: `answers` are those to the windows of each."""
    for turn in answers:
        _to(game, "fight", *turn)
        game.choose("on")


def test_standard_scoring_is_in_rounds_2_to_4_and_round_5_of_the_second_player_at_the_turns_end():
    game = _battle("outpost", 1)
    _turns(game, (), ())
    _answered(game)
    assert _vp(game) == (0, 0) and game.round() == 2
    game = _battle("outpost", 2, secondary="sanctuary")
    game.choose("on")
    game.choose("three")
    assert _vp(game) == (15, 0) and game.step() == "move"
    game = _battle("outpost", 5, secondary="sanctuary", first="foe")
    game.choose("on")
    game.choose("two")  # the first player in the Command phase
    assert _vp(game) == (0, 10)
    _to(game, "fight")
    game.choose("on")
    game.choose("no")
    game.choose("on")
    assert game.window() is None and game.step() == "move"  # the second player not yet
    _to(game, "fight")
    game.choose("on")
    game.choose("no")
    game.choose("one")
    assert _vp(game) == (5, 10) and game.window() == "sanctuary"
    game.choose("yes")
    assert _vp(game) == (15, 10) and game.result() == "cult-wins"


def test_infiltration_is_four_points_however_many_units():  # C10-M15
    game = _battle("outpost", 1)
    _to(game, "fight")
    game.choose("on")
    game.choose("no")  # the objective in their zone
    assert game.window() == "infiltration" and game.offers() == ["not-yet", "yes"]
    game.choose("yes")
    assert _vp(game) == (4, 0)
    _to(game, "fight")
    game.choose("on")
    assert game.window() == "outpost"
    game.choose("no")
    assert game.round() == 2 and _vp(game) == (4, 0)  # not in the enemy's turn


def test_clash_gives_a_command_point_for_each_objective_once():
    game = _battle("clash", 1)
    assert game.window() is None  # from round 2 on
    game = _battle("clash", 2)
    assert game.window() == "cult-pick" and game.offers() == ["cp", "yes", "no"]
    before = _cp(game)[CULT]
    game.choose("cp")
    assert _cp(game)[CULT] == before + 1 and answer(game, "cult/extra-cp") == "no"
    game.unit(SHANUS, roster.WOUNDS_LOST, 4)
    game.jump("round", 3)
    assert game.offers() == ["yes", "no"]
    game.choose("yes")
    game.adjust("cult-picked", 4)
    game.jump("round", 4)
    assert game.window() is None


def test_archeotech_has_fewer_objectives_each_round():
    game = _battle("archeotech", 3)
    game.choose("roll")
    game.enter(3)
    assert game.counter("gamma") == 2
    game.jump("round", 4)
    game.choose("done")
    assert game.offers() == ["centre", "right"]
    game.choose("right")
    game.jump("round", 5)
    assert game.window() == "beta-gone"
    game.choose("done")
    _to(game, "move", "three")
    _to(game, "fight")
    game.choose("on")
    _answered(game)
    _to(game, "move", "one")  # both score in their Command phase
    assert _vp(game) == (15, 5)
    _to(game, "fight")
    game.choose("on")
    game.choose("foe")
    assert _vp(game) == (15, 15) and game.result() == "draw"


def test_outpost_takes_the_command_reroll():
    game = _battle("outpost", 2)
    _answered(game)
    _to(game, "fight")
    game.choose("on")
    game.choose("yes")
    assert (game.counter("cult-reroll"), game.counter("foe-reroll")) == (1, 0)
    assert answer(game, "foe/reroll") == "no" and answer(game, "cult/reroll") == "ask"


def test_scorched_earth_razes_and_scores_it():
    for attacker, mine, theirs in (("cult", "b", "a"), ("foe", "a", "b")):
        game = _battle("scorched", 2, attacker=attacker)
        assert game.window() == "raze"
        assert mine in game.offers() and theirs not in game.offers()
        game.choose(mine)
        _to(game, "move", "more")
        assert _vp(game) == (20, 0) and game.counter("sites") == 3
    game = _battle("scorched", 2)
    game.adjust("sites", 1)
    game.jump("round", 2)
    assert game.window() is None
    game = _battle("scorched", 1)
    assert game.window() is None


def test_sweeping_raid_supplies_and_ends_with_its_own_points():
    game = _battle("raid", 2)
    before = _cp(game)
    game.choose("yes")
    game.enter(3)
    assert _cp(game) == before
    game.jump("round", 3)
    before = _cp(game)
    game.choose("yes")
    game.enter(4)
    assert _cp(game) == (before[0] + 1, before[1]) and answer(game, "cult/extra-cp") == "no"
    game.jump("round", 5)
    _turns(game, (), ())
    assert game.window() == "attackers"
    game.choose("both")
    game.choose("a")
    assert _vp(game) == (15, 10) and game.result() == "cult-wins"


def test_display_of_might_counts_claims():
    game = _battle("might", 1)
    _to(game, "move", "first")
    assert _vp(game) == (0, 0) and game.counter("cult-claim") == 1  # round 1 scores nothing
    game.jump("round", 2)
    _to(game, "move", "two", "again")
    assert _vp(game) == (20, 0)
    game.jump("round", 3)
    _to(game, "move", "one", "no")
    assert _vp(game) == (25, 0) and game.counter("cult-claim") == 0
    game.jump("round", 4)
    game.choose("on")
    game.choose("one")
    assert game.offers() == ["first", "no"]
    game.choose("first")
    assert _vp(game) == (35, 0)
    put_into(game, "shock@cult")
    assert answer(game, "cult/bravery") == "ask"  # within 6" of the WARLORD


def test_display_of_might_of_the_second_player_waits_for_the_end_of_round_5():
    game = _battle("might", 5, secondary="sanctuary")
    _to(game, "fight", "one", "no")
    game.choose("on")
    _to(game, "move", "first")
    assert _vp(game) == (5, 0)
    _to(game, "fight")
    game.choose("on")
    game.choose("two")
    assert _vp(game) == (5, 15)


def test_the_mission_by_a_roll():
    for face, mission in enumerate(MISSIONS, 1):
        game = Game("claw/roll")
        game.choose("roll")
        game.enter(face)
        assert game.result() == mission


def test_no_unit_of_the_enemy_on_the_roster():
    game = Game("claw/clash")
    game.choose("order", "infiltration", "cult", "yes")
    game.advance()
    game.advance()
    game.choose("foe")
    game.jump("round", 2)
    _answered(game)
    put_into(game, "charge@foe")
    use(game, "foe/charge", NOBODY)
    game.enter(6, 5)
    game.choose("yes")
    assert game.step() == "charge"
