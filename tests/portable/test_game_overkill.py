"""The missions of the overkill pack against facts and worked examples (W18 ...) of rules/overkill.md that are no dice.

Those of the dice are in test_overkill.
"""

from support import Game, open_pack, raises

from tableside.core import campaign, commands, engine, roster
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY
from tableside.core.record import KIND

MISSIONS = (
    "killstorm", "vox-noctis", "recover", "exterminatus-modicum", "officium-solus", "firestorm-ultima",
    "the-tables-turned", "purgation-protocols", "eliminate-the-alpha-threat")
MUSTER = (4, 6, 6, 4, 3, 5, 6, 11, 11)
HAND = (5, 7, None, 5, 5, 6, 10, 7, 8)
LAY = (3, 5, None, 3, 3, 4, 7, 5, 5)
ENDS_AT = (2, 3, 3, 2, 2, 5, 6, 4, 11)  # marines slain


class Overkill(Game):
    """A game that is played by the names of its cards' zones and of its units."""

    def __init__(self, mission, carried=None):
        Game.__init__(self, "overkill/" + mission, carried=carried)
        self.zones = self.names["zones"][0]

    def action(self, name):
        first, count = engine.offered(self.state)
        found = [a for a in range(first, first + count) if self.names["actions"][str(a)] == name]
        if not found:
            raise AssertionError("%s: no %s in %s" % (self.step(), name, self.offers()))
        return found[0]

    def count(self, zone):
        return len(self.zone("broodmind", zone))

    def face_down(self):
        return sum(self.count("p%d" % n) for n in range(1, 10))

    def pick(self, name, source, target, at=0):
        zones = self.zones
        self.session.do(commands.PICK, (self.action(name), zones.index(source), at, zones.index(target)))

    def lay(self, cards, first=1):
        """Lay the oldest cards of the hand on free points from the first on."""
        point = first
        for _ in range(cards):
            while self.count("p%d" % point):
                point += 1
            self.pick("lay", "hand", "p%d" % point)

    def launch(self, *points):
        for point in points or [n for n in range(1, 10) if self.count("p%d" % n)]:
            self.pick("launch", "p%d" % point, "discard")
            self.choose("ok")

    def gambit(self):
        self.pick("gambit", "hand", "discard")
        self.choose("ok")

    def slot(self, unit):
        kind = self.names["units"].index(unit)
        return [s for s in range(self.state.roster.slots) if self.state.roster.get(s, roster.KIND) == kind][0]

    def assign(self, name, unit):
        self.session.do(commands.ASSIGN, (self.action(name), self.slot(unit)))

    def muster(self, name="muster", marines=None):
        """Muster so many marines, the next of the list each time; or these."""
        units = self.names["units"]
        wanted = list(marines or [])
        while name in self.offers():
            new = [i for i in range(11) if units[i] in wanted] if marines else [
                i for i in range(11) if i not in self.kinds()]
            if marines and not wanted:
                return
            unit = new[0]
            if marines:
                wanted.remove(units[unit])
            self.session.do(commands.ASSIGN, (self.action(name), unit))

    def kinds(self):
        units = self.state.roster
        return [units.get(s, roster.KIND) for s in range(units.slots) if units.used(s)]

    def marines(self):
        return [self.names["units"][kind] for kind in self.kinds() if kind < 11]

    def wound(self, unit, times=1):
        self.unit(self.slot(unit), roster.WOUNDS_LOST, self.state.roster.lost(self.slot(unit)) + times)

    def lost(self, unit):
        return self.state.roster.lost(self.slot(unit))

    def to(self, step):
        """Go on, always as most games do, up to a step of this turn or the next."""
        for _ in range(60):
            if self.step() == step:
                return self
            self.on()
        raise AssertionError("%s never comes: %s" % (step, self.step()))

    def on(self):
        if self.window() is not None:
            self.choose("done" if self.window() == "explosion" else "ok")
        elif self.step() == "broodmind" and "lay" in self.offers() and "done" not in self.offers():
            self.lay(1)
        elif self.step() == "launch" and "done" not in self.offers():
            self.launch()
        elif self.step() == "setup":
            self.advance()
        elif self.step() == "muster":
            for name in ("place", "reserve", "muster"):
                if name in self.offers():
                    self.muster(name)
            self.choose("begin")
        else:
            for name in ("go", "done", "draw", "full", "none", "over"):
                if name in self.offers():
                    self.choose(name)
                    return
            raise AssertionError("%s: nothing to do in %s" % (self.step(), self.offers()))

    def next_turn(self):
        """On to the Broodmind phase of the next turn."""
        turn = self.round()
        while not (self.round() == turn + 1 and self.step() == "broodmind"):
            self.on()
        return self


def mission(number):
    """A mission in its first Broodmind phase."""
    return Overkill(MISSIONS[number - 1]).to("broodmind")


# The decks.


def test_numbers_of_the_missions():
    for i, name in enumerate(MISSIONS):
        game = mission(i + 1)
        assert len(game.marines()) == MUSTER[i], name
        assert game.counter("limit") == ENDS_AT[i], name
        if HAND[i] is not None:
            assert (game.counter("hand"), game.counter("lay")) == (HAND[i], LAY[i]), name
            assert game.count("hand") == HAND[i], name


def test_w18_the_discard_is_shuffled_when_a_card_is_needed_and_not_before():
    game = mission(6)
    for turn in range(1, 8):
        assert game.count("draw") == 30 - 6 - 4 * (turn - 1)
        if turn == 7:
            assert game.count("draw") == 0 and game.count("discard") == 24
        game.lay(4)
        raises(RuleError, game.lay, 1)
        game.to("launch").launch()
        if turn == 7:
            assert game.count("discard") == 28
        game.next_turn()
    assert (game.count("draw"), game.count("discard"), game.count("hand")) == (24, 0, 6)


def test_w19_one_card_lurks():
    game = mission(6)
    game.lay(4)
    game.to("launch").launch(1, 2, 3)
    assert "lurk" in game.offers() and game.face_down() == 1 and game.count("discard") == 3
    game.choose("lurk")
    game.next_turn()
    assert game.count("draw") == 20 and game.count("hand") == 6
    raises(RuleError, game.pick, "lay", "hand", "p4")  # there one lurks
    game.lay(4)
    assert game.face_down() == 5
    game.to("launch")
    for left in (4, 3, 2, 1):
        assert "lurk" not in game.offers()
        game.pick("launch", "p%d" % [n for n in range(1, 10) if game.count("p%d" % n)][0], "discard")
        game.choose("ok")
        assert game.face_down() == left
    game.launch()
    assert game.step() == "dw-attack-1"


def test_w20_a_gambit_is_drawn_again():
    game = mission(1)
    game.lay(3)
    assert game.count("hand") == 2
    game.gambit()
    game.next_turn()
    assert game.count("draw") == 25 - 4 and game.count("hand") == 5


def test_w21_and_w22_recover():
    game = mission(3)
    drawn, draw = [], 30
    for turn in range(1, 8):
        assert game.count("hand") == turn == game.round()
        drawn.append(draw - game.count("draw"))
        draw = game.count("draw")
        assert "done" not in game.offers() and "gambit" not in game.offers()
        game.lay(min(6, turn))
        if turn == 7:
            raises(RuleError, game.lay, 1)
        game.choose("done")
        assert game.count("hand") == 0
        if turn == 7:
            assert game.count("discard") == 28 - 6
        game.next_turn()
    assert drawn == [1, 2, 3, 4, 5, 6, 7]
    assert (game.count("draw"), game.count("hand")) == (22, 8)
    game.lay(1)
    game.choose("done")
    assert game.count("discard") == 7


def test_w23_vox_patrol():
    game = Overkill("vox-noctis").to("vox")
    for cards in (1, 2, 3):
        game.choose("draw")
        assert game.window() == "patrol" and game.count("discard") == cards
        game.choose("ok")
    assert game.step() == "broodmind"
    assert (game.count("draw"), game.count("discard"), game.count("hand")) == (20, 3, 7)


def test_cards_before_the_game_of_mission_8():
    game = Overkill("purgation-protocols").to("purge")
    for _ in range(7):
        game.choose("draw", "ok")
    game.choose("done")
    assert (game.count("draw"), game.count("discard"), game.count("hand")) == (16, 7, 7)


def test_a_point_holds_one_card_and_only_so_many_are_in_use():
    game = mission(2)
    game.adjust("points", 4)
    game.lay(4)
    raises(RuleError, game.pick, "lay", "hand", "p5")
    assert "done" not in game.offers() and "full" in game.offers()
    game.choose("full")
    assert game.step() == "dw-move"


def test_without_cards_the_game_goes_on():
    game = mission(1)
    while game.count("hand"):
        game.move("broodmind", "hand", 0, "removed", 0)
    assert game.offers() == ["none"]
    while game.count("draw"):
        game.move("broodmind", "draw", 0, "removed", 0)
    game.choose("none")
    assert game.step() == "dw-move"
    game.choose("done", "done")
    assert game.step() == "dw-attack-1"  # nothing to launch
    game.next_turn()
    assert game.offers() == ["none"]


def test_all_numbered_cards_are_there_and_none_is_barred():
    for i in range(9):
        game = Overkill(MISSIONS[i]).to("deck")
        assert (game.count("draw"), game.count("removed")) == (30, 0)
        assert ("aside" in game.offers()) == (i + 1 in (1, 2, 4, 5, 7))


# The missions.


def test_w30_the_tally_of_killstorm():
    game = mission(1).to("dw-attack-1")
    game.adjust("slain", 24)
    hybrids = game.slot("autogun-hybrid")
    models = len(game.state.scenario.resolver(6).PROFILE) + 3
    game.session.do(commands.ATTACK, (game.names["weapons"].index("grenades"), NOBODY, 1, hybrids, models, 2))
    game.session.do(commands.STAGE, (0, 2))
    game.session.do(commands.APPLY)
    assert game.counter("slain") == 26 and game.result() == "marines"
    assert game.state.roster.get(hybrids, roster.MODELS_LEFT) == 12  # they may come again


def test_w29_first_contact_is_set_in_turn_1_only():
    game = mission(1)
    for turn in (1, 2):
        game.to("dw-attack-1")
        record = game.pack.record(8, [a for a in engine.allowed(game.state) if "attack" in
                                      game.names["actions"][str(a)]][0])
        assert record[7] == (2 if turn == 1 else 0)  # the second modifier: first contact
        game.next_turn()


def test_marines_slain_end_each_mission():
    for i, limit in enumerate(ENDS_AT):
        game = mission(i + 1).to("gc-attack")
        for marine in game.marines()[: limit - 1]:
            game.wound(marine, 2)
        assert not game.session.over(), MISSIONS[i]
        game.wound(game.marines()[limit - 1], 1)
        assert not game.session.over()
        game.wound(game.marines()[limit - 1], 1)
        assert game.result() == "cult", MISSIONS[i]
        game.session.undo()
        assert not game.session.over()


def test_w45_energy_cells():
    game = mission(2).to("dw-move")
    game.adjust("cells", 3)
    assert not game.session.over()
    game.adjust("cells", 4)
    assert game.result() == "marines"


def test_recover_is_won_with_the_skull():
    game = mission(3)
    assert sum(game.state.roster.flag(game.slot(m), game.names["flags"].index("reserve")) for m in game.marines()) == 5
    game.to("dw-move")
    assert "away" not in game.offers()
    game.assign("bring", game.marines()[1])
    assert "bring" not in game.offers()  # one a turn
    game.adjust("skull", 1)
    game.choose("away")
    assert game.result() == "marines"


def test_w31_and_w32_explosions():
    game = mission(4)
    game.to("gc-attack").wound("cassius", 2)
    removed = []
    game.adjust("sections", 6)
    for turn in range(1, 9):
        while game.window() != "explosion" and game.round() == turn:
            game.on()
        if game.window() == "explosion":
            removed.append(turn)
            if turn == 8:
                game.assign("slay", "grytt")
                assert not game.session.over()  # it comes when the explosion is over
            game.choose("done")
    assert removed == [2, 4, 6, 8] and game.counter("sections") == 2
    assert game.result() == "cult"


def test_marines_leave_the_board():
    for number, wanted in ((4, 3), (5, 2), (8, 8)):
        game = mission(number).to("dw-attack-1")
        for i in range(wanted):
            assert not game.session.over()
            game.assign("exit", game.marines()[i])
            if not game.session.over():
                raises(RuleError, game.assign, "exit", game.marines()[i])
        assert game.result() == "marines" and len(game.marines()) == MUSTER[number - 1]


def test_w46_the_lift():
    game = mission(5).to("dw-move")
    assert "lift" in game.offers()
    game.to("gc-attack").wound("cassius", 2)
    game.next_turn()
    assert game.counter("lift") == 1 and not game.session.over()
    game.wound("grytt", 2)
    assert game.result() == "cult"


def test_w44_the_silo():
    game = mission(6)
    for step in ("dw-attack-1", "dw-attack-2", "dw-attack-1"):
        game.to(step)
        assert "detonate" not in game.offers()
        action = game.action("attach")
        assert game.session.check(commands.CHOOSE, (action,))[0] == commands.ASK
        game.choose("attach")
    assert (game.round(), game.offers()[0]) == (2, "detonate")
    raises(RuleError, game.choose, "attach")
    game.choose("detonate")
    assert game.result() == "marines"


def test_mission_7_nobody_returns_and_nobody_lurks():
    game = mission(7)
    assert game.state.roster.in_action(1)[1] == 38
    game.to("launch")
    while game.step() == "launch":
        assert "lurk" not in game.offers() and "done" not in game.offers()
        game.pick("launch", "p%d" % [n for n in range(1, 10) if game.count("p%d" % n)][0], "discard")
        game.choose("ok")
    assert game.step() == "dw-attack-1"
    game.assign("slay", "autogun-hybrid")
    assert game.state.roster.in_action(1)[1] == 37


def test_mission_7_no_ambushes_once_all_are_on_the_board():
    game = mission(7)
    game.lay(7)
    game.to("launch")
    game.choose("stop")
    assert game.face_down() == 0 and game.count("discard") == 7 and game.step() == "dw-attack-1"
    game.next_turn()
    assert game.offers() == ["over", "gambit"]
    game.gambit()


def test_mission_7_ends():
    game = mission(7).to("dw-attack-1")
    for unit in game.names["units"][11:]:
        slot = game.slot(unit)
        if unit != "magus":
            game.unit(slot, roster.MODELS_LEFT, 0)
    assert not game.session.over()
    game.assign("slay", "magus")
    assert game.result() == "marines"
    game.session.undo()
    for marine in game.marines()[1:]:
        game.wound(marine, 2)
    game.wound("cassius", 1)
    # W35: the last of both die to the same Blast.
    models = len(game.state.scenario.resolver(6).PROFILE) + 3
    args = (game.names["weapons"].index("grenades"), NOBODY, 2, game.slot("magus"), game.slot("cassius"))
    game.wound("magus", 1)
    game.session.do(commands.ATTACK, args + (models + 3, 0, models + 9, 0))
    for _ in range(2):
        game.session.do(commands.STAGE, (0, 1))
    game.session.do(commands.APPLY)
    assert game.result() == "tie"


def test_w36_the_throne():
    game = mission(9)
    assert game.state.roster.used(game.slot("patriarch"))
    game.to("dw-attack-1").wound("patriarch")
    game.to("gc-attack")
    assert game.lost("patriarch") == 1
    game.choose("done")
    assert game.step() == "dw-attack-2" and game.lost("patriarch") == 0
    game.wound("patriarch")
    game.next_turn().to("dw-attack-1")
    assert game.lost("patriarch") == 1
    game.adjust("throne", 0)
    game.to("dw-attack-2")
    assert game.lost("patriarch") == 1  # off the Throne nothing heals
    game.wound("patriarch")
    assert game.result() == "marines"


def test_w27_combat_recovery_but_not_in_mission_9():
    game = mission(1).to("dw-attack-1")
    assert "recover" not in game.offers()
    game.assign("wound", "cassius")
    game.assign("recover", "cassius")
    assert game.lost("cassius") == 0
    game = mission(9).to("dw-attack-1")
    game.assign("wound", "cassius")
    assert "recover" not in game.offers()


def test_leaders_stay_slain_until_an_ambush_brings_them_back():
    game = mission(2)
    game.wound("magus", 2)
    game.to("launch")
    game.assign("leader", "magus")
    assert game.lost("magus") == 0 and game.state.roster.get(game.slot("magus"), roster.MODELS_LEFT) == 1


# The campaign.


def play(ends, stop, marines=None, picks=None):
    """Missions 1, 2 ... with these winners; returns mission number `stop` in its first Broodmind phase.

    Args: ends: "dw" or "gc" of each mission; marines: {mission: those who are mustered}; picks: the marine whom the
        cult picks after mission 7.
    """
    pack = open_pack("overkill")
    number = campaign.find(pack, "overkill")
    values = campaign.first_values(pack, number)
    for i in range(stop):
        game = Overkill(MISSIONS[i], campaign.carry(1, "0", i, "overkill", values))
        game.to("muster")
        if marines and i + 1 in marines:
            game.muster("muster", marines[i + 1])
        if picks and "scar" in game.offers():
            game.assign("scar", picks)
        game.to("broodmind")
        if i + 1 == stop:
            return game
        if ends[i] == "gc":
            for marine in game.marines():
                if not game.session.over():
                    game.wound(marine, 2)
        else:
            game.session.do(commands.END, (game.names["results"].index("marines"),))
        assert game.session.over()
        values = campaign.gather(game.state)
        assert campaign.following(game.state, number) == i + 1
    return None


def test_w38_after_killstorm():
    used = ["cassius", "grytt", "gydrael", "donatus"]
    game = play(["gc"], 2, {1: used, 2: ["redblade", "setorax", "delassio", "sorrlock", "suberei", "branatar"]})
    assert game.counter("hand") == 8
    game = play(["dw"], 2, {1: used, 2: ["redblade", "setorax", "delassio", "sorrlock", "suberei", "branatar"]})
    assert game.counter("hand") == 7
    barred = Overkill("vox-noctis", campaign.carry(1, "0", 1, "overkill", _values(["gc"], 1, {1: used}))).to("muster")
    for unit in barred.names["units"][:11]:
        verdict = barred.session.check(commands.ASSIGN, (barred.action("muster"), barred.names["units"].index(unit)))[0]
        assert verdict == (commands.ASK if unit in used else commands.YES)


def _values(ends, count, marines=None):
    """What a campaign keeps after so many missions."""
    game = play(ends, count, marines)
    for marine in game.marines():
        if not game.session.over():
            game.wound(marine, 2)
    return campaign.gather(game.state)


def test_barred_marines_are_free_again_after_one_mission():
    used = ["cassius", "grytt", "gydrael", "donatus"]
    others = ["redblade", "setorax", "delassio", "sorrlock", "suberei", "branatar"]
    values = _values(["gc", "dw"], 2, {1: used, 2: others})
    assert not any(values[marine + ".barred"] for marine in used + others)


def test_w39():
    ends = ["dw", "gc", "dw", "dw", "gc", "gc", "dw", "dw"]
    for number, hand, lay, marines in ((4, 5, 3, 4), (5, 5, 2, 3), (6, 6, 3, 3), (7, 11, 7, 6), (8, 8, 5, 11),
                                       (9, 9, 5, 11)):
        game = play(ends, number)
        assert (game.counter("hand"), game.counter("lay")) == (hand, lay), number
        assert game.counter("muster") == marines == len(game.marines()), number


def test_w47_recover_after_the_cult_won_vox_noctis():
    game = play(["dw", "gc"], 3)
    game.next_turn().next_turn()
    assert (game.round(), game.count("hand")) == (3, 4)


def test_w48_firestorm():
    game = play(["dw", "dw", "gc", "dw", "gc"], 6)
    assert (game.counter("hand"), game.counter("lay"), game.counter("muster")) == (6, 3, 3)


def test_w41_a_scarred_marine_and_a_first_turn_without_a_move():
    mustered = {7: ["setorax", "delassio", "sorrlock", "suberei", "branatar", "natorian"]}
    ends = ["dw"] * 6 + ["gc", "gc"]
    game = play(ends, 8, mustered, "setorax")
    assert game.lost("setorax") == 1 and game.lost("delassio") == 0
    game = play(ends, 9, mustered, "setorax")
    assert game.lost("setorax") == 1 and game.lost("delassio") == 0
    game.lay(5)
    game.choose("done")
    assert game.step() == "gc-move"  # no Movement phase of the marines
    game.to("gc-attack")
    game.choose("done")
    assert game.step() == "dw-attack-2" and "attack" in [game.names["actions"][str(a)]
                                                         for a in engine.allowed(game.state)]
    game.next_turn()
    game.lay(5)
    game.choose("done")
    assert game.step() == "dw-move"


def ratings(ends):
    """How a campaign ends."""
    game = play(ends, 9)
    result = "marines" if ends[8] == "dw" else "cult"
    game.session.do(commands.END, (game.names["results"].index(result),))
    return campaign.ending(game.state)[0]


def test_w42_and_w43_ratings():
    assert ratings(["dw", "gc", "dw", "dw", "gc", "dw", "gc", "dw", "dw"]) == "Heroic Captain"
    assert ratings(["dw"] * 8 + ["gc"]) == "Brood Sibling"
    assert ratings(["dw"] * 9) == "Legendary Warlord"
    assert ratings(["gc"] * 3 + ["dw"] * 5 + ["gc"]) == "Cruel Master"


# What is hidden.


def test_records_of_hidden_cards_belong_to_the_cult():
    game = mission(1)
    game.lay(1)
    record = next(game.session.history())
    assert record.kind & KIND == commands.PICK and record.owner == 1
    game.gambit()
    assert [r.owner for r in game.session.history()][1] == NOBODY  # a gambit is open
