"""Death Angel: worked examples of the formation, the cards, the locations and the events; random games to their end."""

import os

from support import Lcg, open_pack, raises

from tableside.core import commands, engine
from tableside.core.errors import RuleError
from tableside.core.log import MemoryLog
from tableside.core.session import Session
from tableside.core.state import O_RESULT, O_ROUND
from tableside.rules import resolver

(LORENZO, DEINO, GIDEON, NOCTIS, CALISTARIUS, SCIPIO, ZAEL, OMNIO, LEON, VALENCIO, CLAUDIO, GORIEL) = range(12)
BLUE, GREEN, GREY, PURPLE, RED, YELLOW = range(6)
HEAD, TAIL, CLAW, TONGUE, LORD, LORD_2 = range(6)
DUCT, CHIMNEY, CORNER, TANK, DOOR, PANEL, CORRIDOR, ARTEFACT = range(8)
LEFT, RIGHT, DECK, DISCARD, OUT = 32, 33, 34, 35, 36
WON, LOST = 0, 1
SEED = bytes(16)
EVENTS, PLACES, FIGHT, ACTIONS, END_PHASE = 128, 160, 96, 64, 4


class At:
    """Where the bytes of the state are: on the device these constants are folded into the code."""

    (
        PHYSICAL, HERE, HERE_TOKENS, PATH_LEFT, CURRENT, ACTIVE, ARTEFACT, NOW, NEXT, WIND, WIND_NEXT, EVENT, KILLS,
        SCOPE, WHO, TARGET, DONE, ATTACKS, PHASE, CHOSEN_PLACE, COUNT, FIRST_SIDE, NOTE, SKIP, LORDS, ROLL, PATH,
    ) = range(27)
    ROW, TOKENS, FACING, TERRAIN, TERRAIN_TOKENS, TERRAIN_USED = 60, 72, 84, 96, 104, 112
    WHERE, FLAGS, OWNER, LAST, CHOSEN, TEAM = 120, 158, 196, 202, 208, 214
    APART = 64


GAMES = 2  # random ones a count of players; TABLESIDE_GAMES for more


def place(text):
    """For example "L3"."""
    return 2 * (int(text[1:]) - 1) + (text[0] == "R")


class Table:
    """A game whose formation is laid out by a test. It has been set up, and is in its first round."""

    def __init__(self, players=4, physical=0, stack=None):
        self.pack = open_pack("death_angel")
        self.log = MemoryLog()
        self.session = Session.new(self.pack, players - 1, SEED, self.log, resolver)
        if stack:
            self.stack(stack)
        self.say("we have the cards" if physical else "the device deals")
        while not physical and self.asked().text == "Which teams?":
            self.say("at random")

    @property
    def state(self):
        return self.session.state

    @property
    def g(self):
        return self.state.code

    @property
    def d(self):
        return self.g.data

    @property
    def b(self):
        return self.g.part("board")

    def asked(self):
        return engine.asked(self.state)

    def say(self, *labels):
        """Give answers by the beginnings of their labels; a number is a face of the die."""
        for label in labels:
            question = self.asked()
            if isinstance(label, int):
                assert question.die, (question.text, question.options)
                option = label
            else:
                found = [i for i, text in enumerate(question.options) if text.startswith(label)]
                if not found:
                    raise AssertionError("no %s: %s %s" % (label, question.text, question.options))
                option = found[0]
            self.session.do(commands.ANSWER, (option,))

    def stack(self, *titles):
        """Put events on top of their deck."""
        for title in reversed(titles):
            pile = self.state.zones(0) - 1
            for zone in range(pile, -1, -1):
                for i in range(self.state.zone_count(0, zone)):
                    if self.pack.text(self.pack.record(6, self.state.card(0, zone, i))[0]) == title:
                        self.state.move_card(0, zone, i, pile, 0)
                        break
                else:
                    continue
                break
            else:
                raise AssertionError(title)

    def lay(self, marines, left=9, right=9):
        """A new formation: (marine, facing) from the top, facing "L" or "R"; piles of so many, nothing else."""
        d = self.d
        self.state.clear_agenda()
        for first, count, value in ((At.ROW, 12, 255), (At.TOKENS, 12, 0), (At.TERRAIN, 8, 255),
                                    (At.TERRAIN_TOKENS, 8, 0),
                                    (At.TERRAIN_USED, 8, 0), (At.WHERE, 38, DECK), (At.FLAGS, 38, 0), (At.LAST, 6, 0),
                                    (At.CHOSEN, 6, 0), (At.TEAM, 6, 0), (At.OWNER, 6, 255)):
            for i in range(first, first + count):
                d[i] = value
        d[At.WHERE + 36] = d[At.WHERE + 37] = OUT
        for row, (marine, facing) in enumerate(marines):
            d[At.ROW + row] = marine
            d[At.FACING + marine] = int(facing == "R")
            d[At.OWNER + marine // 2] = marine // 2
        for pile, count in ((LEFT, left), (RIGHT, right)):
            for card in range(count):
                d[At.WHERE + card * 2 + pile - LEFT] = pile
        d[At.PHASE] = 2
        return self

    def swarm(self, where, *icons):
        """Genestealers by their icons, taken from the deck."""
        d = self.d
        for icon in icons:
            if icon >= LORD:
                d[At.WHERE + 36 + icon - LORD] = place(where)
            else:
                cards = [c for c in range(icon * 9, icon * 9 + 9) if d[At.WHERE + c] >= DECK]
                if not cards:  # they all lie in the piles: change one for another that does not
                    mine = [c for c in range(icon * 9, icon * 9 + 9) if d[At.WHERE + c] >= LEFT][0]
                    other = [c for c in range(36) if d[At.WHERE + c] == DECK][0]
                    d[At.WHERE + other] = d[At.WHERE + mine]
                    cards = [mine]
                d[At.WHERE + cards[0]] = place(where)
        return self

    def terrain(self, **places):
        names = ("duct", "chimney", "corner", "tank", "door", "panel", "corridor", "artefact")
        for name in places:
            self.d[At.TERRAIN + names.index(name)] = place(places[name])
        return self

    def tokens(self, marine, count):
        self.d[At.TOKENS + marine] = count
        return self

    def plays(self, number):
        """A team plays a card, at once."""
        team = self.g.row(1, number - 1)[0]
        self.d[At.CHOSEN + team] = number
        self.d[At.TEAM + team] |= 4
        self.d[At.ACTIVE] = team
        return self

    def run(self, step, value=0):
        self.g.push(step, value)
        engine.run(self.state)
        return self

    def at(self, where):
        """How many genestealers are at a place."""
        return self.b.count(self.d, place(where) if isinstance(where, str) else where)

    def where(self, terrain):
        at = self.d[At.TERRAIN + terrain]
        return None if at == 255 else "LR"[at & 1] + str(at // 2 + 1)

    def row(self, number):
        return self.d[At.ROW + number - 1]

    def rows(self):
        return [self.row(i + 1) for i in range(self.b.rows(self.d))]

    def facings(self):
        return "".join("LR"[self.d[At.FACING + marine]] for marine in self.rows())

    def event(self, title, *answers):
        """An event is drawn: the answers, then it is read."""
        self.stack(title)
        self.d[At.CURRENT] = self.row(1) // 2
        self.run(EVENTS)
        self.say(*answers)
        return self

    def attacks(self, *answers):
        self.run(FIGHT)
        self.say(*answers)
        return self


SEVEN = [(LORENZO, "L"), (GIDEON, "L"), (CALISTARIUS, "L"), (ZAEL, "R"), (LEON, "R"), (CLAUDIO, "R"), (DEINO, "R")]
SIX = [(LORENZO, "R"), (GIDEON, "L"), (CALISTARIUS, "L"), (ZAEL, "R"), (LEON, "R"), (CLAUDIO, "R")]


# --- set up ----------------------------------------------------------------------------------------------------------


def test_the_setup_cards():
    for players, facings, terrain, deck, spawns in (
        (4, "LLLLRRRR", ("L1", "L3", "R5", "R7"), 22, (3, 1)),
        (1, "LLLRRR", ("L1", "L3", "R4", "R5"), 24, (2, 1)),
        (5, "LLLLLRRRRR", ("L2", "L4", "R6", "R8"), 20, (4, 2)),
        (6, "LLLLLLRRRRRR", ("L2", "L5", "R7", "R10"), 18, (5, 3)),
        (2, "LLLLRRRR", ("L1", "L3", "R5", "R7"), 22, (3, 1)),
        (3, "LLLLLLRRRRRR", ("L2", "L5", "R7", "R10"), 18, (5, 3)),
    ):
        t = Table(players)
        assert t.facings() == facings
        assert (t.where(DOOR), t.where(CORNER), t.where(DUCT), t.where(CORRIDOR)) == terrain
        assert t.at(DECK) == deck and sum(t.at(p) for p in (LEFT, RIGHT)) + t.b.in_formation(t.d) == 36 - deck
        assert t.d[At.PATH_LEFT] == (3 if players == 1 else 4)
        assert (t.state.zone_count(0, 0), t.state.zone_count(0, 2)) == (1, 29)
        assert tuple(t.g.row(4, players - 1)[4:6]) == spawns


def test_the_first_event_only_spawns():
    t = Table(4, stack="Gun Jam")
    assert (t.at("L1"), t.at("R5"), t.at(LEFT), t.at(RIGHT)) == (3, 1, 4, 6)
    assert t.b.in_formation(t.d) == 4 and not [x for x in t.d[At.TEAM : At.TEAM + 6] if x]


# --- cards -----------------------------------------------------------------------------------------------------------


def test_the_cards_that_may_be_chosen():
    t = Table().lay(SEVEN)
    rules = t.g.part("rules")
    t.d[At.LAST + BLUE] = 13
    assert rules.hand(t.g, BLUE) == [3, 11]
    t.d[At.LAST + RED] = 4
    t.d[At.TEAM + RED] = 1  # a jam
    assert rules.hand(t.g, RED) == [7]


def test_the_lowest_card_makes_the_current_player():
    t = Table().lay([(LORENZO, "L"), (SCIPIO, "L"), (GORIEL, "R")]).swarm("L1", CLAW)
    t.plays(3).plays(6).plays(18)
    t.d[At.CURRENT] = BLUE
    t.d[At.PHASE] = 3
    t.run(FIGHT + 3, LORENZO)
    assert t.d[At.CURRENT] == GREY and t.rows() == [SCIPIO, GORIEL]
    assert t.g.part("rules").in_order(t.d) == [GREY, YELLOW]


def test_an_empty_pool_gives_no_token_but_the_card_works():
    t = Table().lay(SIX).swarm("L2", CLAW).tokens(LEON, 12).plays(6)
    t.run(ACTIONS, 6)
    assert t.asked().text == "Power Field on:"
    t.say("2L")
    assert sum(t.d[At.TOKENS : At.TOKENS + 12]) == 12


def test_marines_change_places_and_turn():
    t = Table().lay(SIX).tokens(LEON, 2).plays(7)
    t.run(ACTIONS, 7)
    t.say("Leon ↑")
    assert t.rows()[3:] == [LEON, ZAEL, CLAUDIO] and t.facings()[3] == "R" and t.d[At.TOKENS + LEON] == 2
    assert t.asked().text == "Who turns?"
    t.say("Leon")
    assert t.facings()[3] == "L"


def test_reorganize_goes_anywhere():
    t = Table().lay(SIX).plays(9)
    t.run(ACTIONS, 9)
    t.say("Claudio ↑ 1")
    assert t.rows() == [CLAUDIO, GIDEON, CALISTARIUS, ZAEL, LEON, LORENZO]


def test_a_door_takes_tokens():
    t = Table().lay(SIX).terrain(door="R5").plays(7)
    t.run(ACTIONS, 7)
    t.say("nobody", "as they are", "Leon: Door", "2 tokens")
    assert t.d[At.TERRAIN_TOKENS + DOOR] == 2 and t.asked() is None


def test_a_strategized_swarm_joins_after_the_card():
    t = Table().lay(SIX).swarm("L2", CLAW).swarm("L3", HEAD, TAIL).plays(5)
    t.run(ACTIONS + 1, 5)
    t.say("2L", "row 3L")
    assert [len(t.b.members(t.d, s)) for s in t.b.swarms(t.d)] == [2, 1]
    t.b.clear(t.d, At.APART)
    assert [len(t.b.members(t.d, s)) for s in t.b.swarms(t.d)] == [3]


def test_a_power_field_keeps_a_swarm_from_attacking_and_from_being_slain():
    t = Table().lay(SIX).swarm("R5", CLAW, CLAW).plays(6)
    t.run(ACTIONS + 1, 6)
    t.say("5R")
    t.plays(17).run(ACTIONS, 17)
    t.say("Leon > 5R", 1, "Leon > 5R", 2, "Leon > 5R", 3)
    assert t.at("R5") == 2
    t.run(FIGHT)
    assert t.asked() is None


def test_stealth_and_intimidation():
    t = Table().lay(SIX, 5, 7).tokens(SCIPIO, 1).tokens(CALISTARIUS, 1).plays(8)
    t.run(ACTIONS + 1, 8)
    t.say("Left pile", "Calistarius")
    assert (t.at(LEFT), t.at(RIGHT), t.at(DISCARD), t.d[At.TOKENS + CALISTARIUS]) == (4, 6, 2, 0)
    t.swarm("R1", CLAW, HEAD, LORD).plays(11)
    t.run(ACTIONS + 1, 11)
    t.say("yes", 1, "1R claw")
    assert (t.at("R1"), t.at(LEFT)) == (2, 5)


def test_scouting_puts_an_event_below():
    t = Table().lay(SEVEN).plays(10)
    t.stack("Evasion", "Resupply")
    t.run(ACTIONS + 1, 10)
    t.say("yes")
    assert t.asked().secret and t.asked().text.startswith("Evasion\n")
    t.say("to the bottom")
    pile = t.state.zones(0) - 1
    cards = [t.pack.text(t.pack.record(6, t.state.card(0, pile, i))[0]) for i in range(t.state.zone_count(0, pile))]
    assert (cards[0], cards[len(cards) - 1]) == ("Resupply", "Evasion")


# --- attacks ---------------------------------------------------------------------------------------------------------


def test_a_marine_attacks_what_he_sees_within_his_range():
    t = Table().lay([(GIDEON, "L"), (LORENZO, "L"), (NOCTIS, "L"), (LEON, "R"), (ZAEL, "R"), (OMNIO, "R")])
    t.swarm("L5", CLAW, CLAW).swarm("L6", HEAD).swarm("R3", TAIL).plays(16)
    assert t.g.part("fight").targets(t.g, 2) == [place("L5")]
    t.run(ACTIONS, 16)
    t.say("Noctis > 5L", 2)
    assert t.at("L5") == 1
    t.run(ACTIONS, 16)
    t.say("Noctis > 5L", 5)
    assert t.at("L5") == 1


def test_dead_aim_and_flamer():
    t = Table().lay([(NOCTIS, "L"), (ZAEL, "L")]).swarm("L1", CLAW, CLAW, CLAW, CLAW, CLAW).plays(16)
    t.run(ACTIONS, 16)
    t.say("Noctis > 1L", 4)
    assert t.at("L1") == 2
    for face, there, left in ((3, 5, 2), (5, 4, 0), (0, 2, 2)):
        t.lay([(ZAEL, "L"), (LEON, "L")]).swarm("L1", *[CLAW] * there).plays(14)
        t.run(ACTIONS, 14)
        t.say("Zael > 1L", face)
        assert t.at("L1") == left, face


def test_more_attacks_of_one_card():
    t = Table().lay([(LEON, "L"), (CALISTARIUS, "L")]).swarm("L1", *[CLAW] * 4).swarm("L2", HEAD).plays(17)
    t.run(ACTIONS, 17)
    t.say("Leon > 1L", 1, "Leon > 2L", 4, "Leon > 1L", 3)
    assert (t.at("L1"), t.at("L2")) == (2, 1) and t.asked() is None
    t.plays(15).run(ACTIONS, 15)
    t.say("Calist > 1L", 2, "Calist > 1L", 3, "Calist > 2L", 5)
    assert (t.at("L1"), t.at("L2")) == (0, 1) and t.asked() is None


def test_a_heroic_charge():
    t = Table().lay(SIX[:3] + [(CLAUDIO, "R"), (LEON, "R")]).swarm("L4", CLAW, HEAD).swarm("R5", TAIL, TAIL)
    t.tokens(CLAUDIO, 2)
    t.plays(18).run(ACTIONS, 18)
    t.say("Heroic Charge", "4L claw", "4L head", "5R tail", 0)
    assert (t.b.in_formation(t.d), t.at("R4"), CLAUDIO in t.rows()) == (1, 1, False)  # what was at R5 has moved up
    assert t.b.pool(t.d) == 12


def test_a_brood_lord_is_the_last_of_its_swarm():
    t = Table().lay([(LEON, "L")]).swarm("L1", LORD, CLAW).plays(17)
    t.run(ACTIONS, 17)
    t.say("Leon > 1L", 1)
    assert t.d[At.WHERE + 36] == place("L1") and t.at("L1") == 1
    t.say("Leon > 1L", 1)
    assert t.d[At.WHERE + 36] == OUT


def test_lead_by_example_gives_one_token():
    t = Table().lay([(LORENZO, "L"), (DEINO, "L")]).swarm("L1", CLAW, CLAW).plays(13)
    t.run(ACTIONS, 13)
    t.say("Lorenz > 1L", 1, "Deino", "Deino > 1L", 1)
    assert t.d[At.TOKENS + DEINO] == 1 and t.asked() is None


def test_evasion_lets_one_marine_attack():
    t = Table().lay([(LORENZO, "L"), (DEINO, "L")]).swarm("L1", CLAW, CLAW).plays(13)
    t.d[At.NOW] = 1
    t.run(ACTIONS, 13)
    t.say("Deino > 1L", 5)
    assert t.asked() is None


def test_overwatch_and_run_and_gun_cost_tokens():
    t = Table().lay([(LEON, "L"), (VALENCIO, "L")]).swarm("L1", CLAW, CLAW).tokens(LEON, 1).plays(4)
    t.run(FIGHT + 1)
    t.say("Leon > 1L", 1)
    assert t.at("L1") == 1 and t.d[At.TOKENS + LEON] == 0 and t.asked() is None
    t.lay([(GIDEON, "L"), (NOCTIS, "L")]).swarm("L1", CLAW, CLAW).tokens(GIDEON, 1).plays(12)
    t.run(ACTIONS + 1, 12)
    t.say("enough")
    assert t.d[At.TOKENS + GIDEON] == 1


# --- genestealers ----------------------------------------------------------------------------------------------------


def test_who_is_slain():
    for icons, face, slain in (
        ((CLAW,) * 3, 3, True), ((CLAW,) * 3, 4, False), ((CLAW, CLAW, LORD), 4, True), ((CLAW, CLAW, LORD), 5, False),
        ((LORD, LORD_2), 4, True), ((LORD, LORD_2), 5, False), ((CLAW,) * 5, 5, True), ((CLAW,) * 4, 5, False),
    ):
        t = Table().lay([(LEON, "R"), (ZAEL, "R")]).swarm("L1", *icons).attacks(face)
        assert (t.rows() == [ZAEL]) == slain, (icons, face)


def test_tokens_help_in_front_only():
    t = Table().lay([(LEON, "L"), (ZAEL, "R")]).swarm("L1", CLAW, CLAW).tokens(LEON, 2)
    t.attacks(0, "spend a token", 1, "spend a token", 4)
    assert t.rows() == [LEON, ZAEL] and t.d[At.TOKENS + LEON] == 0
    t = Table().lay([(LEON, "L"), (ZAEL, "R")]).swarm("R1", CLAW).tokens(LEON, 3).attacks(1)
    assert t.rows() == [ZAEL] and t.b.pool(t.d) == 12


def test_support_cards_in_defence():
    for new, there in ((1, [GORIEL, ZAEL]), (0, [ZAEL])):
        t = Table().lay([(GORIEL, "L"), (ZAEL, "R")]).swarm("L1", *[CLAW] * 5).tokens(GORIEL, 1).plays(2)
        t.attacks(2, "spend a token", new)
        assert t.rows() == there
    t = Table().lay([(LORENZO, "L"), (ZAEL, "R")]).swarm("L1", CLAW, CLAW).plays(3).attacks(3, 1)
    assert t.rows() == [LORENZO, ZAEL] and t.at("L1") == 0
    t = Table().lay([(LORENZO, "L"), (ZAEL, "R")]).swarm("L1", CLAW, CLAW, CLAW).plays(3).attacks(2, 0)
    assert t.rows() == [ZAEL] and t.b.in_formation(t.d) == 2
    t = Table().lay([(GIDEON, "L"), (ZAEL, "R")]).swarm("L1", *[CLAW] * 5).plays(1).attacks(3)
    assert t.rows() == [GIDEON, ZAEL]
    t = Table().lay([(LEON, "L"), (ZAEL, "R")]).swarm("L1", *[CLAW] * 4)
    t.d[At.WIND] = LEON
    t.attacks(0)
    assert t.rows() == [LEON, ZAEL]


def test_the_artefact_saves_once():
    t = Table().lay([(LEON, "L"), (ZAEL, "R")]).swarm("L1", CLAW)
    t.d[At.ARTEFACT] = RED
    t.attacks(1, "use the Artefact")
    assert t.rows() == [LEON, ZAEL] and t.d[At.ARTEFACT] == 255


# --- the formation ---------------------------------------------------------------------------------------------------


def things(t):
    """A terrain in every row of the left side, to see what goes where."""
    return t.terrain(duct="L1", chimney="L2", corner="L3", tank="L4", door="L5", panel="L6", corridor="L7")


def where_things(t):
    return [int(t.where(i)[1:]) for i in range(7)]


def test_a_gap_closes_from_the_shorter_side():
    t = things(Table().lay(SEVEN)).run(FIGHT + 3, CALISTARIUS)  # row 3: two above, four below
    assert t.rows() == [LORENZO, GIDEON, ZAEL, LEON, CLAUDIO, DEINO] and where_things(t) == [1, 2, 2, 3, 4, 5, 6]
    t = things(Table().lay(SEVEN)).run(FIGHT + 3, ZAEL)  # row 4: as many above as below
    assert t.rows() == [LORENZO, GIDEON, CALISTARIUS, LEON, CLAUDIO, DEINO] and where_things(t) == [1, 2, 3, 4, 4, 5, 6]
    t = things(Table().lay(SEVEN)).run(FIGHT + 3, LORENZO)
    assert where_things(t) == [1, 1, 2, 3, 4, 5, 6]
    t = things(Table().lay(SEVEN)).run(FIGHT + 3, DEINO)
    assert where_things(t) == [1, 2, 3, 4, 5, 6, 6]


def test_swarms_joined_by_a_shift_attack_apart_and_are_one_after_the_round():
    for face, rows in ((2, 2), (3, 3)):
        t = Table().lay(SIX[:4]).swarm("L3", CLAW).swarm("L4", HEAD, TAIL).attacks(1)
        assert t.asked().text == "Calistarius is slain. The rows close up."
        t.say("go on")
        assert t.rows() == [LORENZO, GIDEON, ZAEL] and t.asked().text == "2 attack Zael"
        assert sorted(len(t.b.members(t.d, s)) for s in t.b.swarms(t.d)) == [1, 2]
        t.say(face)
        assert len(t.rows()) == rows
        if rows == 3:
            t.run(END_PHASE, 3)
            assert len(t.b.swarms(t.d)) == 2
            t.run(END_PHASE, 4)
            assert [len(t.b.members(t.d, s)) for s in t.b.swarms(t.d)] == [3]


def test_the_other_ways_of_joining():
    t = Table().lay(SIX[:4]).swarm("L3", CLAW).swarm("L4", HEAD, TAIL)
    t.session.do(commands.ADJUST, (0, 1))
    t.attacks(1, "go on", 5)
    t.run(END_PHASE, 3)
    assert [len(t.b.members(t.d, s)) for s in t.b.swarms(t.d)] == [3]
    for each in (0, 1):
        t = Table().lay(SIX[:4]).swarm("R3", CLAW).swarm("L3", HEAD).swarm("R4", HEAD, TAIL)
        t.session.do(commands.ADJUST, (2, each))
        t.attacks(1, "go on")
        assert t.asked().text == ("2 attack Zael" if each else "3 attack Zael")


def test_swarms_move_down_on_the_left_and_up_on_the_right():
    t = Table().lay(SIX).swarm("L2", TAIL).swarm("R2", TAIL, CLAW, HEAD).swarm("R1", TAIL).swarm("L4", CLAW)
    t.b.move_swarms(t.g, TAIL, False)
    assert (t.at("L3"), t.at("R1"), t.at("L1"), t.at("L4"), t.at("R2")) == (1, 3, 1, 1, 0)
    t = Table().lay([(LORENZO, "L")] + SIX[1:]).swarm("R2", TAIL).swarm("R1", TAIL)
    t.b.move_swarms(t.g, TAIL, False)
    assert t.at("R1") == 2 and len(t.b.swarms(t.d)) == 1
    t = Table().lay(SIX).swarm("L6", TAIL)  # behind already
    t.b.move_swarms(t.g, TAIL, False)
    assert t.at("L6") == 1
    t = Table().lay(SIX).swarm("L2", CLAW).swarm("R3", CLAW)
    t.b.move_swarms(t.g, CLAW, True)
    assert (t.at("R2"), t.at("R3")) == (1, 1)
    t = Table().lay(SIX).swarm("L2", LORD, CLAW, CLAW)
    t.b.move_swarms(t.g, HEAD, False)
    assert t.at("L3") == 3


def test_spawned_genestealers_may_move():
    """The example of the rulebook, but that 5 are spawned: a tail is among any 5 of 4 icons that are 2, 1, 1 and 1."""
    t = Table(6).lay([(LORENZO, "L"), (GIDEON, "R"), (ZAEL, "R")], 0, 0).terrain(corner="L1", panel="R3")
    t.swarm("R2", TAIL)
    for card in (0, 10, 11, 18, 27):
        t.d[At.WHERE + card] = RIGHT
    t.d[At.EVENT] = 7  # Gun Jam: MY, mR, adjacent tail
    t.run(EVENTS + 3)
    assert (t.at("R1"), t.at("R2"), t.at("R3"), t.at(RIGHT)) == (0, 1, 5, 0)
    t.run(EVENTS + 5)
    assert (t.at("R1"), t.at("R2"), t.at("R3")) == (1, 5, 0)


# --- travelling ------------------------------------------------------------------------------------------------------


def travels(t, location, physical=False):
    """The next location is this one."""
    d = t.d
    d[At.PATH_LEFT] = 1
    tiers = [tier for tier in t.g.row(4, t.state.scenario.index)[6:10] if tier != 255]
    d[At.PATH + len(tiers) - 1] = location
    d[At.CURRENT] = d[At.ROW] // 2
    t.run(END_PHASE, 2)
    return t


def test_entering_a_location():
    t = travels(Table().lay(SIX[:4], 0, 3).terrain(door="L2").swarm("R1", CLAW, HEAD).swarm("L4", TAIL), 9)
    t.say("go on", "4L")
    assert (t.at(LEFT), t.at(RIGHT), t.at("L4")) == (3, 6, 3)
    assert t.where(CORRIDOR) == "L2" and t.where(DOOR) == "L4" and t.where(DUCT) == "R2" and t.where(TANK) == "R3"


def test_a_door_slays_before_it_stays_behind():
    t = Table().lay(SIX[:4], 0, 3).terrain(door="L2").swarm("R1", CLAW, HEAD)
    t.d[At.TERRAIN_TOKENS + DOOR] = 2
    travels(t, 9)
    t.say("1R claw", "enough", "go on", "1R 1")
    assert (t.at("R1"), t.at(RIGHT), t.at(LEFT), t.b.pool(t.d)) == (3, 4, 5, 12)


def test_a_row_that_is_not_there_is_the_last_one():
    t = travels(Table().lay(SIX[:4], 0, 3), 0)
    t.say("go on")
    assert (t.where(DUCT), t.where(DOOR), t.where(CORRIDOR), t.where(CORNER)) == ("L2", "L4", "R1", "R2")
    assert (t.at("R1"), t.at(LEFT), t.at(RIGHT)) == (2, 7, 6)


def test_there_is_no_travelling_from_the_last_location():
    t = Table().lay(SIX, 0, 5).swarm("L1", CLAW).terrain(duct="L2")
    t.d[At.PATH_LEFT] = 0
    t.run(END_PHASE, 2)
    t.run(EVENTS + 9, place("L2") | 3 << 5)
    assert t.at("L2") == 0 and not t.session.over() and t.asked() is None


def test_what_happens_on_entering():
    for location, check in (
        (2, lambda t: t.facings() == "RRRRRR"),
        (4, lambda t: t.at("L1") == 2),
        (13, lambda t: t.at(LEFT) == t.at(RIGHT) == 6 and t.at(DECK) + t.at(DISCARD) == 24),
    ):
        t = travels(Table().lay(SIX, 0, 5), location)
        t.say("go on")
        assert check(t), location
    t = travels(Table().lay(SIX[:5], 0, 5), 13)
    t.say("go on")
    assert t.at(LEFT) == t.at(RIGHT) == 5
    t = travels(Table().lay(SIX, 0, 5), 5)
    t.say("go on")
    assert t.facings() == "RLLLRR"  # of L1, L5, R2 and R4 one is looked at
    t = travels(Table().lay(SIX, 0, 5), 8)
    t.say("go on", "Leon", "Claudio")
    assert t.d[At.TOKENS + LEON] == t.d[At.TOKENS + CLAUDIO] == 1
    t = travels(Table().lay(SIX, 0, 5).tokens(LORENZO, 1), 10)
    t.say("go on", "Zael")
    assert t.at("L4") == 1
    t = travels(Table().lay(SIX, 0, 5), 14)
    t.say("go on", "row 3R")
    assert t.where(ARTEFACT) == "R3"


def test_the_lair():
    t = Table().lay(SIX, 0, 3).swarm("L1", CLAW, CLAW).swarm("L3", HEAD).swarm("R2", *[TAIL] * 4)
    travels(t, 15)
    t.say("go on", "lord head+tail")
    assert (t.where(DUCT), t.where(CHIMNEY), t.at("L2"), t.at("R6")) == ("L2", "R6", 4, 5)
    t.attacks(4)
    assert GIDEON not in t.rows()  # 4 less one for the lord is not more than 4


def test_the_lair_is_won_when_both_lords_are_slain():
    t = Table().lay(SIX, 5, 5).swarm("L1", LORD).swarm("L2", CLAW)
    t.d[At.HERE] = 15
    t.d[At.LORDS] = 1
    t.d[At.PATH_LEFT] = 0
    t.plays(13).run(ACTIONS, 13)
    t.d[At.FACING + LORENZO] = 0
    t.run(ACTIONS, 13)
    t.say("Lorenz > 1L", 1)
    assert t.session.over() and t.state.data[O_RESULT] == WON


# --- panels and terrain ----------------------------------------------------------------------------------------------


def panel(t, location, marine=LEON):
    t.d[At.HERE] = location
    t.terrain(panel="R5")
    t.run(PLACES + 8, marine)
    return t


def test_launch_control():
    t = panel(Table().lay(SIX, 5, 5), 16)
    t.say("1 token")
    assert t.d[At.HERE_TOKENS] == 1
    for face, over in ((3, False), (2, True)):
        t = Table().lay(SIX, 5, 5)
        t.d[At.HERE_TOKENS] = 2
        panel(t, 16).say("roll to launch", face)
        assert t.session.over() == over


def test_the_teleportarium():
    t = panel(Table().lay([(LORENZO, "L"), (GIDEON, "L"), (LEON, "R")], 5, 5).tokens(LORENZO, 1), 11)
    t.say("spend a token", 0, "go on", 4)
    assert t.rows() == [LORENZO, LEON] and t.at(LEFT) == t.at(RIGHT) == 0 and t.b.pool(t.d) == 12


def test_the_other_panels():
    t = panel(Table().lay(SIX, 5, 5), 1)
    assert (t.where(PANEL), t.where(CORRIDOR)) == (None, "R5")
    t = panel(Table().lay(SIX, 5, 5), 3)
    t.say("Left pile")
    assert (t.at(LEFT), t.at(DISCARD)) == (4, 1)
    t = panel(Table().lay(SIX, 5, 5), 6)
    t.say("Zael", "yes")
    assert t.d[At.TOKENS + ZAEL] == 1 and t.facings()[3] == "L"
    t = panel(Table().lay(SIX, 5, 5).tokens(LEON, 12), 6)
    t.say("Zael", "no")
    assert t.b.pool(t.d) == 0
    t = panel(Table().lay(SIX, 5, 5).swarm("L1", CLAW, HEAD), 12)
    t.say(1, "1L claw", "1L head")
    assert t.at("L1") == 0
    t = panel(Table().lay(SIX, 5, 5).swarm("L1", CLAW), 12)
    t.say(4)
    assert LEON not in t.rows()
    t = panel(Table().lay(SIX, 5, 5), 17)
    t.say("Right pile", 3)
    assert (t.at(RIGHT), t.at(LEFT)) == (2, 5)


def test_a_cap_holds_for_the_event():
    t = Table().lay(SIX, 9, 9).terrain(duct="L2", chimney="R3")
    t.d[At.EVENT] = 5  # For My Battle Brothers!: MR, mO
    panel(t, 7).say("Ventilation Duct")
    t.run(EVENTS + 4, 0)
    t.run(EVENTS + 4, 0)
    assert (t.at("L2"), t.at("R3")) == (1, 6)


def test_terrain_that_is_activated():
    t = Table().lay(SIX).terrain(tank="R5").swarm("R5", CLAW).swarm("L5", HEAD, TAIL).plays(7)
    t.run(ACTIONS + 4, 7)
    t.say("Leon: Promethium Tank", 0)
    assert t.where(TANK) is None and t.b.in_formation(t.d) == 0 and LEON not in t.rows()
    t = Table().lay(SIX).terrain(chimney="R5").plays(7)
    t.run(ACTIONS + 4, 7)
    t.say("Leon: Spore Chimney", 2)
    assert t.where(CHIMNEY) is None
    t = Table().lay(SIX).terrain(artefact="R5").plays(7)
    t.run(ACTIONS + 4, 7)
    t.say("Leon: Artefact")
    assert t.d[At.ARTEFACT] == RED and t.where(ARTEFACT) is None


# --- events ----------------------------------------------------------------------------------------------------------


def test_surrounded():
    t = Table().lay(SIX, 9, 9).swarm("L1", CLAW, HEAD).swarm("R2", TAIL).swarm("L5", *[TONGUE] * 3)
    t.event("Surrounded", "Calistarius")
    assert t.asked().text.startswith("Surrounded\n")
    t.say("go on")
    assert (t.at("L3"), t.at("R3")) == (5, 1)


def test_outnumbered_and_others_without_a_choice():
    t = Table().lay(SIX, 9, 9).swarm("L1", CLAW).tokens(LORENZO, 3).tokens(LEON, 1).event("Outnumbered", "go on")
    assert t.d[At.TOKENS + LORENZO] == 0 and t.d[At.TOKENS + LEON] == 1
    t = Table().lay(SIX, 9, 9).event("Chaos of Battle", "go on")
    assert t.facings() == "LRRLLL"
    t = Table().lay(SIX, 9, 9).swarm("L2", CLAW).event("Flanking Manoeuvre", "go on")
    assert t.at("R2") == 1
    t = Table().lay(SIX, 9, 9).terrain(door="L1").event("Secret Route", "go on")
    assert t.d[At.TERRAIN_TOKENS + DOOR] == 2
    t = Table().lay(SIX, 5, 6).event("The Swarm (tail)", "go on")
    assert (t.at(LEFT), t.at(RIGHT)) == (7, 8)
    t = Table().lay(SIX, 9, 9).swarm("L1", CLAW).event("They're Everywhere!", "go on")
    assert [t.at("L%d" % row) + t.at("R%d" % row) for row in range(1, 7)] == [1] * 6
    t = Table().lay(SIX, 9, 9).event("Evasion", "go on", "go on")
    t.run(3)
    assert t.d[At.NOW] == 1


def test_events_with_a_choice():
    t = Table().lay(SIX, 9, 9).swarm("L2", CLAW, HEAD).event("Cleansing Flames", "Gideon", "go on", 2, "2L claw")
    assert t.b.in_formation(t.d) == 0
    t = Table().lay(SIX, 9, 9).swarm("L2", CLAW, HEAD).tokens(GIDEON, 1)
    t.event("For My Battle Brothers!", "Gideon", "go on", "2L claw")
    assert t.at("L2") == 1 and t.b.pool(t.d) == 12
    t = Table().lay(SIX, 9, 9).event("Full Scan", "Right pile", "go on")
    assert t.at(RIGHT) == 8
    t = Table().lay(SIX, 9, 4).event("Out of Thin Air head", "Gideon", "go on")
    assert t.at("R2") == 2
    t = Table().lay(SIX, 9, 9).event("Psychic Assault", "Gideon", "go on", 1, "go on")
    assert GIDEON not in t.rows()
    t = Table().lay(SIX, 9, 9).swarm("L2", CLAW).event("Quick Instincts", "Gideon", "go on", "Gideon > 2L", 1)
    assert t.b.in_formation(t.d) == 0
    t = Table().lay(SIX, 9, 9).event("Rescue Space Marine", "Deino", "go on")
    assert t.rows()[6:] == [DEINO] and t.facings()[6:] == "R"
    t = Table().lay(SIX, 9, 9).tokens(GIDEON, 2).tokens(LEON, 3).event("Resupply", "Zael", "go on")
    assert t.d[At.TOKENS + ZAEL] == 5
    t = Table().lay(SIX, 9, 9).swarm("L2", CLAW, HEAD).tokens(GIDEON, 2)
    t.event("Rewarded Faith", "Gideon", "go on", "2", "2L claw")
    assert t.b.in_formation(t.d) == 0 and t.b.pool(t.d) == 12
    t = Table().lay(SIX, 9, 9).tokens(GIDEON, 2).event("Stalking from the Shadows", "Gideon", "go on")
    assert t.b.pool(t.d) == 12
    t = Table().lay(SIX, 4, 9).swarm("L2", CLAW, LORD).event("Temporary Sanctuary", "2L", "go on")
    assert (t.at(LEFT), t.at("L2")) == (5, 1)
    t = Table().lay(SIX, 9, 9).event("Second Wind", "Zael", "go on", "go on")
    t.run(3)
    assert t.d[At.WIND] == ZAEL


def test_a_gun_jam_needs_a_team_without_an_attack():
    t = Table().lay(SIX, 9, 9).terrain(door="L1")
    for number in (13, 14, 15, 16, 17, 18):
        t.plays(number)
    t.event("Gun Jam", "go on")
    assert t.b.in_formation(t.d) == 3 and not [x for x in t.d[At.TEAM : At.TEAM + 6] if x & 2]
    t = Table().lay(SIX, 9, 9)
    t.plays(13).plays(7)
    t.event("Gun Jam", "Red", "go on", "go on")
    t.run(3)
    assert t.d[At.TEAM + RED] == 1


def test_too_few_genestealers_are_shared_out():
    t = Table().lay(SIX, 4, 9).terrain(duct="L1", chimney="L4")
    t.d[At.EVENT] = 5
    t.run(EVENTS + 4, 0)
    assert t.asked().options == ["3", "2", "1"]
    t.say("2")
    assert (t.at("L1"), t.at("L4"), t.at(LEFT)) == (2, 2, 0)


def test_an_empty_pile_in_the_middle_of_a_card_is_no_travelling_yet():
    t = travels(Table().lay(SIX[:4], 0, 9).swarm("R1", CLAW, HEAD), 10)
    t.say("go on", "Lorenzo")
    t.d[At.PATH_LEFT] = 1
    t.event("Temporary Sanctuary", "1R", "go on")
    assert t.asked() is not None


# --- the end ---------------------------------------------------------------------------------------------------------


def test_both_at_once_is_a_victory():
    t = Table().lay([(LEON, "R")], 0, 0).terrain(tank="R1").swarm("R1", CLAW).plays(7)
    t.d[At.PATH_LEFT] = 0
    t.run(ACTIONS + 4, 7)
    t.say("Leon: Promethium Tank")
    assert t.session.over() and t.state.data[O_RESULT] == WON


def test_the_last_marine_loses_the_game():
    t = Table().lay([(LEON, "R")], 5, 5).swarm("R1", CLAW).attacks(1)
    assert t.session.over() and t.state.data[O_RESULT] == LOST


# --- cards of their own ----------------------------------------------------------------------------------------------


def test_players_with_cards_say_what_they_see():
    t = Table(4, 1)
    t.say("choose teams", "Blue", "Green", "Red", "Yellow")
    for name in ("Lorenzo", "Leon", "Gideon", "Goriel", "Deino", "Noctis", "Valencio"):
        t.say(name)
    assert t.rows() == [LORENZO, LEON, GIDEON, GORIEL, DEINO, NOCTIS, VALENCIO, CLAUDIO]
    t.say("Gun Jam") if t.asked().text == "Which event?" else t.say("ready", "Gun Jam")
    while t.asked().text.startswith("Icon"):
        t.say("tail")
    tails = [c for c in range(9, 18) if t.d[At.WHERE + c] < LEFT]
    assert (t.at("L1"), t.at("R5"), len(tails)) == (3, 1, 4)
    while t.asked().text != "Which card was chosen?":
        t.say("ready" if "ready" in t.asked().options else "show the cards")
    assert not t.asked().secret


def test_a_card_that_is_not_there_is_refused():
    t = Table(4, 1)
    assert str(raises(RuleError, t.session.do, commands.ANSWER, (9,))).startswith("no such answer")


def test_all_can_be_corrected_by_hand():
    t = Table().lay(SIX, 5, 5).swarm("L2", CLAW).run(ACTIONS, 7).plays(7)
    asked = t.asked().text

    def fix(number, *answers):
        t.session.do(commands.ANSWER, (100 + number,))
        t.say(*answers)
        assert t.asked().text == asked, number

    fix(0, "Leon")
    fix(0, "Leon")
    fix(1, "Leon")
    assert t.d[At.TOKENS + LEON] == 1
    fix(2, "Leon")
    assert t.facings() == "RLLRLR"
    fix(3, "Leon", "Zael")
    assert t.rows()[3:5] == [LEON, ZAEL]
    fix(4, "row 6R", "tongue")
    assert t.at("R6") == 1
    fix(5, "2L claw")
    assert t.at("L2") == 0
    fix(6, "6R", "row 1L")
    assert t.at("L1") == 1
    fix(8, "Left pile")
    fix(9, "Right pile")
    assert (t.at(LEFT), t.at(RIGHT)) == (6, 4)
    fix(7, "Gideon", "go on")
    assert GIDEON not in t.rows()
    fix(7, "nobody")
    check(t.session)


# --- random games ----------------------------------------------------------------------------------------------------


def check(session):
    """What must hold in every state."""
    code = session.state.code
    d, b = code.data, code.part("board")
    assert session.state.sound()
    rows = b.rows(d)
    assert len(set(d[At.ROW : At.ROW + rows])) == rows
    if not d[At.PHASE]:
        return
    where = bytes(d[At.WHERE : At.WHERE + 38])
    assert all(at < 2 * max(rows, 1) or LEFT <= at <= DISCARD for at in where[:36])
    assert all(at < 2 * max(rows, 1) or at == OUT for at in where[36:])
    tokens = sum(d[At.TOKENS : At.TOKENS + 12]) + sum(d[At.TERRAIN_TOKENS : At.TERRAIN_TOKENS + 8]) + d[At.HERE_TOKENS]
    assert tokens + b.pool(d) == 12
    for marine in range(12):
        assert b.row_of(d, marine) < rows or not d[At.TOKENS + marine]
    for terrain in range(8):
        assert d[At.TERRAIN + terrain] != 255 or not d[At.TERRAIN_TOKENS + terrain]
    assert sum(session.state.zone_count(0, zone) for zone in range(3)) == 30


def some_answer(question, pick, luck):
    """A legal answer; with some luck one that helps the marines, so that games come far."""
    options = question.options
    if pick(10) < luck:
        if question.die:
            good = [i for i in range(6) if options[i] in ("miss", "safe")] if " attack " in question.text else []
            return good[pick(len(good))] if good else 1 + pick(3)
        if question.text in ("Attack:", "Activate?", "Who moves?"):
            return 0
    return pick(len(options))


def random_game(players, number):
    """Play a game to its end. Returns: its result and rounds."""
    pick = Lcg(number * 6 + players + 1)
    seed = bytes((number & 255, number >> 8, players) + (0,) * 13)
    log = MemoryLog()
    session = Session.new(open_pack("death_angel"), players - 1, seed, log, resolver)
    start = bytes(session.state.data)
    luck = (0, 7, 9)[number % 3]
    commands_given = 0
    while not session.over():
        question = engine.asked(session.state)
        if question.die and pick(4) == 0:
            session.do(commands.THROW)
        elif number % 4 == 1 and pick(40) == 0 and session.state.code.fixes():
            session.do(commands.ANSWER, (100 + pick(len(session.state.code.fixes())),))
        else:
            session.do(commands.ANSWER, (some_answer(question, pick, luck),))
        commands_given += 1
        check(session)
        assert commands_given < 3000
    end = bytes(session.state.data)
    session.undo(commands_given)
    assert bytes(session.state.data) == start
    session.redo()
    assert bytes(session.state.data) == end
    return session.state.data[O_RESULT], session.state.data[O_ROUND]


def test_random_games_come_to_their_end():
    results = {}
    for players in range(1, 7):
        for number in range(int(os.getenv("TABLESIDE_GAMES") or GAMES)):
            result, _ = random_game(players, number)
            results[players, result] = results.get((players, result), 0) + 1
    assert sum(results.values()) >= 6 * GAMES
    if os.getenv("TABLESIDE_GAMES"):
        print("Death Angel, (players, 0 won 1 lost): games", sorted(results.items()))


def test_the_offsets_are_those_of_the_code():
    board = Table().b
    for name in dir(At):
        if name[0] != "_" and hasattr(board, name):  # CPython
            assert getattr(At, name) == getattr(board, name), name
