"""Campaigns: what results leave, what the next session begins with, and which mission follows."""

from support import Game, open_pack, raises

from tableside.core import campaign, commands
from tableside.core.campaign import Carried, carry, decode, encode
from tableside.core.errors import LogError, RuleError
from tableside.core.opening import read_carried
from tableside.core.pack import NOBODY, Scenario
from tableside.core.roster import FLAG, FLAGS, MODELS_LEFT, WOUNDS_LOST
from tableside.core.session import Session
from tableside.rules import resolver

WATCH = 0
USED, SCARRED = 0, 1  # flags
MARINES = ("cassius", "drenn", "garran", "hale", "ibrek", "jorn", "kestor", "lucan", "setorax", "torv", "vael")


class Chain:
    """A campaign of the test pack played on, without a book."""

    def __init__(self, name):
        self.pack = open_pack("saga")
        self.number = campaign.find(self.pack, name)
        self.name = name
        self.values = campaign.first_values(self.pack, self.number)
        self.next = self._id(campaign.missions(self.pack, self.number)[0])
        self.played = 0
        self.ending = None

    def _id(self, scenario):
        return None if scenario == NOBODY else Scenario(self.pack, scenario).id()

    def begin(self):
        """The next mission."""
        return Game("saga/" + self.next, carried=carry(1, "salt", self.played, self.name, self.values))

    def take(self, game):
        """Take the result of a mission."""
        assert game.session.over()
        self.values.update(campaign.gather(game.state))
        self.played += 1
        self.ending = campaign.ending(game.state)
        self.next = None if self.ending else self._id(campaign.following(game.state, self.number))

    def play(self, *choices):
        """Play the next mission by these choices; a number sets the counter that the action edits."""
        game = self.begin()
        for choice in choices:
            if isinstance(choice, tuple):
                game.session.do(commands.ADJUST, (game.names["counters"].index(choice[0]), choice[1]))
            else:
                game.choose(choice)
        self.take(game)
        return game

    def war(self, winners):
        """Missions in a row: w for the Watch, c for the Cult, t for a tie."""
        for winner in winners:
            self.play({"w": "watch", "c": "cult", "t": "tie"}[winner])


def numbers(game):
    return tuple(game.counter(name) for name in ("hand", "lay", "muster"))


def field(game, name):
    game.session.do(commands.FIELD, (WATCH, MARINES.index(name)))


# rules/overkill.md 4.5, W38 to W48.


def test_the_cult_wins_the_first_mission():
    war = Chain("war")
    game = war.begin()
    for name in MARINES[:4]:
        field(game, name)
    game.choose("cult")
    war.take(game)
    game = war.begin()
    assert numbers(game) == (8, 5, 6)
    answers = [game.session.check(commands.FIELD, (WATCH, unit)) for unit in range(len(MARINES))]
    assert [answer[0] for answer in answers] == [commands.ASK] * 4 + [commands.YES] * 7
    assert answers[0][1] == "Used in the last mission. Muster all the same?"
    field(game, "cassius")  # by hand it goes all the same
    assert game.state.roster.flag(0, USED)


def test_those_who_fought_are_barred_from_the_next_mission_only():
    war = Chain("war")
    war.war("ww")
    barred = ()
    for fighters in (MARINES[:6], MARINES[6:10], MARINES[:3]):  # of missions 3 to 5
        game = war.begin()
        assert [name for name in MARINES if game.state.roster.begins(MARINES.index(name))] == list(barred)
        for name in fighters:
            field(game, name)
        game.choose("watch")
        war.take(game)
        barred = fighters
    assert not any(war.values[name + ".used"] for name in MARINES)


def test_effects_add_up_over_the_war():
    war = Chain("war")
    war.war("w")
    hands = []
    for winner in "cwwccwww":  # missions 2 to 9: the Cult wins 2, 5 and 6, the Watch 3 and 4
        hands.append(numbers(war.begin()))
        war.war(winner)
    assert hands == [(7, 5, 6), (2, 6, 6), (5, 3, 4), (5, 2, 3), (6, 3, 3), (11, 7, 5), (8, 5, 11), (9, 5, 11)]


def test_a_hand_that_grows_with_the_turns_takes_the_bonus():
    war = Chain("war")
    war.war("wc")
    game = war.begin()
    for _ in range(2):
        game.choose("on")
    assert game.round() == 3 and game.counter("hand") == 4


def test_fewer_to_lay_and_to_muster():
    war = Chain("war")
    war.war("wwwwc")
    assert numbers(war.begin()) == (5, 3, 3)  # mission 3 was won as well: hand 6 - 1
    war = Chain("war")
    war.war("wwcwc")
    assert numbers(war.begin()) == (6, 3, 3)


def test_a_wound_that_stays():
    war = Chain("war")
    war.war("wwwwww")
    game = war.begin()
    field(game, "setorax")
    game.session.do(commands.UNIT, (0, WOUNDS_LOST, 2))
    assert game.state.roster.get(0, MODELS_LEFT) == 0
    game.session.do(commands.UNIT, (0, FLAG + SCARRED, 1))
    game.choose("cult")
    war.take(game)
    for winner in ("cult", "watch"):  # missions 8 and 9
        game = war.begin()
        field(game, "torv")
        field(game, "setorax")
        assert [game.state.roster.lost(slot) for slot in (0, 1)] == [0, 1]
        assert game.state.roster.get(1, MODELS_LEFT) == 1 and game.state.roster.get(1, FLAGS) == 1 << SCARRED
        assert game.counter("c8") == (winner == "watch")
        game.choose(winner)
        war.take(game)


def test_the_winner_of_the_last_mission_is_rated():
    for winners, ending in (
        ("wcwwcwcww", ("Heroic Captain", "", 1)),
        ("wwwwwwwwc", ("Brood Sibling", "", 2)),
        ("ccccccccc", ("Tyrant", "", 2)),
        ("cwccccccw", ("Battle-brother", "", 1)),
    ):
        war = Chain("war")
        war.war(winners)
        assert (war.ending, war.next) == (ending, None)


def test_a_tie_counts_for_nobody():
    war = Chain("war")
    war.war("wwwwwwt")
    assert (war.values["watch-wins"], war.values["cult-wins"], war.next) == (6, 0, "m8")
    war.war("wt")
    assert (war.ending, war.next) == (None, None)  # after the last mission it is over without a rating


# rules/nemesis.md 4.13 and 4.14, E36 to E45.


def test_a_graph_of_missions():
    joint = Chain("joint")
    joint.play(("vp", 6), "over")
    assert joint.next == "j2"
    joint.play(("held", 2), ("contested", 1), "over")
    assert (joint.next, joint.values["role"]) == ("j4", 1)
    joint.play(("at-2", 2), "over")
    assert joint.next == "j2" and joint.ending is None


def test_results_and_roles():
    for vp, following, role in ((9, "j4", 1), (4, "j3", 0), (2, "j4", 2)):
        joint = Chain("joint")
        joint.play(("vp", vp), "over")
        assert (joint.next, joint.values["role"]) == (following, role)
    game = joint.begin()
    assert game.counter("role") == 2
    joint.play(("at-2", 2), "over")  # defence, both at 2: a minor win
    assert joint.next == "j3"
    joint.play("few")
    joint.play(("at-3", 1), "over")
    assert joint.ending == ("The raid has failed", "", 2) and joint.next is None


def test_a_series_to_three_wins():
    series = Chain("series")
    wins = []
    for blue, red, mission, winner in (
        ("advance", "manoeuvre", "n3", "red"),
        ("manoeuvre", "hold", "n2", "draw"),
        ("hold", "hold", "n1", "red"),
        ("advance", "hold", "n4", "red"),
    ):
        assert series.next == "strategies" and series.ending is None
        series.play(blue, red)
        assert series.next == mission
        assert series.begin().counter("linked") == 1  # a start value of the campaign
        series.play(winner)
        wins.append(series.values["red-wins"])
    assert wins == [1, 1, 2, 3] and series.ending == ("Red wins 3 : 0", "", 1)


def test_the_winner_may_not_choose_the_same_mission_again():
    series = Chain("series")
    series.play("manoeuvre", "advance")
    series.play("red")
    game = series.begin()
    game.choose("manoeuvre")  # Blue
    assert game.offers() == ["hold", "manoeuvre"]
    game.choose("hold")
    series.take(game)
    assert series.next == "n2"


# What is behind that.


def test_outside_a_campaign_nothing_is_carried():
    game = Game("saga/m6")
    assert numbers(game) == (6, 4, 5) and game.session.carried() == b""
    assert game.log.head[:4] == b"TSJ1"


def test_the_log_is_all_that_is_needed():
    war = Chain("war")
    war.war("c")
    game = war.begin()
    carried = read_carried(game.log.head)
    assert carried == game.session.carried() and game.log.head[:4] == b"TSJ2"
    again = Carried(carried)
    assert (again.number, again.salt, again.played, again.campaign) == (1, "salt", 1, "war")
    assert again.values == war.values
    twin = Game("saga/m2", carried=again)
    assert twin.log.head == game.log.head and twin.session.digest == game.session.digest
    field(game, "hale")
    resumed = Session.resume(game.pack, _saved(game), resolver)
    assert resumed.digest == game.session.digest and resumed.carried() == carried


def _saved(game):
    game.session.save()
    return game.log


def test_the_end_is_undone_with_its_effects():
    game = Chain("war").begin()
    field(game, "hale")
    before = game.bytes
    game.choose("watch")
    assert game.counter("watch-wins") == 1 and game.state.roster.flag(0, USED)
    game.session.undo()
    assert game.bytes == before
    game.session.redo()
    assert game.counter("watch-wins") == 1
    game.session.undo()
    game.session.do(commands.END, (1,))  # by hand it is the same
    assert game.counter("cult-wins") == 1 and game.counter("c1") == 1


def test_values_of_another_version():
    values = {"c1": 1, "gone": 7, "watch-wins": 99, "cassius.used": 1, "nobody.used": 1, "hale.gone": 1}
    game = Game("saga/m2", carried=carry(1, "s", 1, "war", values))
    assert (game.counter("c1"), game.counter("watch-wins"), game.counter("hand")) == (1, 9, 8)
    assert [game.state.roster.begins(unit) for unit in (0, 3)] == [1 << USED, 0]


def test_marks():
    game = Game("saga/m1")
    for name in ("cassius", "drenn"):
        field(game, name)
    units = game.state.roster
    game.session.do(commands.UNIT, (1, MODELS_LEFT, 0))
    units.mark(SCARRED, WATCH, 1, 1)  # in action
    assert [units.flag(slot, SCARRED) for slot in (0, 1)] == [1, 0]
    units.mark(SCARRED, NOBODY, 0, 0)
    units.mark(SCARRED, NOBODY, 2, 1)  # out of action
    assert [units.flag(slot, SCARRED) for slot in (0, 1)] == [0, 1]
    units.set_begins(5, 3)
    units.mark(USED, 1, 0, 0)  # of the other side
    assert units.begins(5) == 3
    units.mark(USED, WATCH, 0, 0)
    assert units.begins(5) == 2
    raises(RuleError, units.mark, 2, NOBODY, 0, 1)


def test_text():
    values = {"b": -3, "a": 12, "hale.used": 1}
    assert encode(values) == "a=12 b=-3 hale.used=1" and decode(encode(values)) == values
    assert encode({}) == "" and decode("") == {}
    for data in (b"", b"1 s", b"x s 0 war", b"1 s x war", b"1 s 0 war a", b"1 s 0 war a=b", b"\xff"):
        raises(LogError, Carried, data)
