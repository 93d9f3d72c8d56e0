"""Cards and units that are picked for an action, what stays hidden meanwhile, and results that come at once."""

from support import Game, raises
from test_long_texts import Reader

from tableside.core import commands, engine, roster
from tableside.core.errors import RuleError
from tableside.core.history import History
from tableside.core.pack import NOBODY
from tableside.core.state import O_CARD
from tableside.ui.input import BIT_BACK

HALL = "hands/hall"
REMOVED, DISCARD, P1, P2, P3, HAND = range(6)
ALL = ["Claws", "Knives", "Leader", "Swarm", "Whispers"]


def action(game, name):
    first, count = engine.offered(game.state)
    return [a for a in range(first, first + count) if game.names["actions"][str(a)] == name][0]


def assign(game, name, what):
    game.session.do(commands.ASSIGN, (action(game, name), what))


def pick(game, name, source, at, target):
    game.session.do(commands.PICK, (action(game, name), source, at, target))


def fight(*hand):
    """The fight, with Ann on the table and Bob late, and these cards in the hand."""
    game = Game(HALL)
    assign(game, "now", 0)
    assign(game, "later", 1)
    game.stack("broods", *hand)
    game.choose("done")
    return game


def test_sifted_by_marks():
    game = Game(HALL)
    assert game.zone("broods", "removed") == ["Leader"]
    assert sorted(game.zone("broods", "draw")) == ["Claws", "Knives", "Swarm", "Whispers"]
    game.adjust("points", 3)
    game.jump("muster", 0)
    assert sorted(game.zone("broods", "removed")) == ["Knives", "Leader", "Whispers"]


def test_mustered_each_once():
    game = Game(HALL)
    assert game.offers() == ["now", "later"]
    raises(RuleError, assign, game, "now", 2)  # of the other side
    assign(game, "later", 1)
    raises(RuleError, assign, game, "now", 1)
    assert game.state.roster.flag(2, 0) == 1 and game.state.roster.get(2, roster.KIND) == 1
    assign(game, "now", 0)
    assert game.offers() == ["done"]
    game.session.undo(2)
    assert game.offers() == ["now", "later"]


def test_a_card_is_laid_on_an_empty_point():
    game = fight("Knives", "Claws", "Whispers")
    assert game.zone("broods", "hand") == ["Knives", "Claws", "Whispers"]
    raises(RuleError, pick, game, "lay", HAND, 1, P3)  # only two points
    raises(RuleError, pick, game, "lay", HAND, 3, P1)  # no such card
    raises(RuleError, game.choose, "lay")
    pick(game, "lay", HAND, 1, P2)
    assert game.zone("broods", "p2") == ["Claws"] and game.state.value() == 2
    assert game.state.data[O_CARD] == NOBODY  # what was laid is a secret
    raises(RuleError, pick, game, "lay", HAND, 0, P2)
    pick(game, "lay", HAND, 0, P1)
    assert "lay" not in game.offers()  # two lie
    assert game.zone("broods", "hand") == ["Whispers"]


def test_only_cards_with_the_mark_or_without_any():
    game = fight("Knives", "Claws", "Whispers")
    raises(RuleError, pick, game, "day", HAND, 1, DISCARD)
    pick(game, "day", HAND, 2, DISCARD)
    assert game.window() == "shown" and game.zone("broods", "discard") == ["Whispers"]
    game.choose("ok")
    pick(game, "day", HAND, 0, DISCARD)
    game.choose("ok")
    assert "day" in game.offers()  # there is a card: that it is none for the day is nobody's business
    raises(RuleError, pick, game, "day", HAND, 0, DISCARD)


def test_a_point_is_revealed():
    game = fight("Knives", "Claws", "Whispers")
    pick(game, "lay", HAND, 0, P1)
    pick(game, "lay", HAND, 0, P2)
    game.choose("done")
    pick(game, "reveal", P2, 0, DISCARD)
    assert game.state.value() == 2 and game.zone("broods", "discard") == ["Claws"]
    game.choose("ok")
    pick(game, "reveal", P1, 0, DISCARD)
    game.choose("ok")
    assert "reveal" not in game.offers()


def test_the_log_keeps_the_secret():
    game = fight("Knives", "Claws", "Whispers")
    pick(game, "lay", HAND, 1, P2)
    assert next(game.session.history()).owner == 1
    assert History(game.session).entry(0).title == "Cult: Lay a card"
    game.choose("done")
    pick(game, "reveal", P2, 0, DISCARD)
    assert History(game.session).entry(0).title == "Reveal: Claws"


def test_units_are_hurt_mended_and_leave():
    game = fight()
    game.choose("done")
    assert game.offers() == ["attack", "hurt", "slay", "come", "off", "done"]
    assign(game, "hurt", 2)
    assert game.offers() == ["attack", "hurt", "mend", "slay", "come", "off", "done"]
    assert game.session.check(commands.ASSIGN, (action(game, "mend"), 2)) == (commands.ASK, "Not used yet?")
    raises(RuleError, assign, game, "mend", 3)
    assign(game, "mend", 2)
    assert game.state.roster.lost(2) == 0
    raises(RuleError, assign, game, "come", 2)
    raises(RuleError, assign, game, "off", 3)  # late
    assign(game, "come", 3)
    assert not game.state.roster.flag(3, 0) and "come" not in game.offers()
    assign(game, "off", 3)
    assert not game.state.roster.used(3)


def test_a_result_comes_at_once():
    game = fight()
    game.choose("done")
    for slot in (2, 2, 3):
        assign(game, "hurt", slot)
    assert not game.session.over()
    assign(game, "hurt", 3)
    assert game.session.over() and game.result() == "cult"
    game.session.undo()
    assert not game.session.over()
    game.adjust("slain", 2)
    assign(game, "slay", 0)
    assert game.result() == "guards" and game.state.roster.get(0, roster.MODELS_LEFT) == 5


def test_a_single_model_does_not_recover_but_may_come_back():
    game = fight()
    game.choose("done")
    assign(game, "come", 3)
    assign(game, "off", 3)
    assign(game, "slay", 1)
    assert game.state.roster.get(1, roster.MODELS_LEFT) == 0 and game.counter("slain") == 1
    assert "back" in game.offers()
    assign(game, "back", 1)
    assert game.state.roster.get(1, roster.MODELS_LEFT) == 1 and game.state.roster.lost(1) == 0
    game.choose("done")
    assert game.state.roster.used(3)  # all guards are fielded


def test_an_open_window_comes_first():
    game = fight("Knives", "Claws", "Whispers")
    pick(game, "day", HAND, 0, DISCARD)
    game.adjust("slain", 3)
    assert not game.session.over()
    game.choose("ok")
    assert game.result() == "guards"


def test_after_an_attack_the_effects_of_its_action():
    game = fight()
    game.choose("done")
    game.unit(1, roster.WOUNDS_LOST, 1)
    models = len(game.state.scenario.resolver(6).PROFILE) + 3  # behind the modifiers and the number of groups
    game.session.do(commands.ATTACK, (0, NOBODY, 1, 0, models, 2))
    game.session.do(commands.STAGE, (0, 2))
    assert game.state.attack.losses() == [(0, 0, 3, 0)]  # two of five that stood there
    game.session.do(commands.APPLY)
    assert game.counter("slain") == 2 and game.state.roster.get(0, roster.MODELS_LEFT) == 5
    assert game.state.roster.lost(1) == 1
    game.choose("done")
    assert game.state.roster.lost(1) == 0


# On the screen.


def device(*hand):
    """A device at the step where cards are laid, with these in the hand; the setting-up was done by commands."""
    reader = Reader(("hands",))
    reader.begin()
    session = reader.app.session
    first, _ = engine.offered(session.state)
    session.do(commands.ASSIGN, (first, 0))
    for title in reversed(hand):
        titles = [reader.app.session.pack.text(reader.app.session.pack.record(6, card)[0])
                  for card in session.state.data[_pile(session.state) :][:4]]
        session.do(commands.MOVE, (0, 6, titles.index(title), 6, 1))
    session.do(commands.CHOOSE, (first + 2,))
    reader.app.show_session()
    reader.app._dirty = True
    reader.step()
    return reader


def _pile(state):
    offset, zones, _, _ = state._decks[0]
    return offset + zones + 1  # one card is removed


def shown(reader):
    return " ".join(s for _, _, s in reader.drawn)


def test_the_hand_comes_after_the_device_was_passed():
    reader = device("Knives", "Claws", "Whispers")
    assert "3 in hand" in shown(reader)
    reader.ok()
    assert reader.screen() == "PassDevice" and "Cult" in shown(reader)
    reader.ok()
    assert reader.screen() == "PickCard" and "Knives" in shown(reader)
    reader.down()
    reader.ok()
    assert reader.screen() == "PickPlace" and "They come at night." in shown(reader)
    reader.ok()  # on to the places
    reader.ok()
    assert reader.screen() == "PickCard" and "Claws" not in shown(reader)  # the next card, with no pass between
    reader.press(BIT_BACK)
    assert reader.screen() == "Play" and not any(title in shown(reader) for title in ALL)
    reader.hold(BIT_BACK)
    assert "Undone" in shown(reader) and not any(title in shown(reader) for title in ALL)


def test_points_are_revealed_unseen_or_after_a_look():
    reader = device("Knives", "Claws", "Whispers")
    reader.ok(4)
    reader.ok(3)  # two are laid; the second has a text
    assert reader.screen() == "Play"
    reader.to("Done")
    reader.ok()
    reader.to("Reveal")
    reader.ok()
    assert reader.screen() == "PickCard" and not any(title in shown(reader) for title in ALL)
    reader.to("Look")
    reader.ok()
    assert reader.screen() == "PassDevice"
    reader.ok()
    assert "Point 1: Knives" in shown(reader)
    reader.back()
    reader.back()
    reader.to("Reveal")
    reader.ok()
    reader.ok()
    assert "Knives at 1" in shown(reader)
