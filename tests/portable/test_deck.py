"""Decks: cards never appear or vanish, reshuffles come late and only where the policy says so, looking is free."""

from support import SCENARIOS, Game, Lcg, raises

from tableside.core import deck as decks
from tableside.core.errors import RuleError
from tableside.core.fields import card_title
from tableside.core.pack import CARD, NOBODY
from tableside.core.state import O_CARD, O_DECK, REMOVED


def zones(state, deck):
    """The cards of every zone."""
    return [
        [state.card(deck, zone, i) for i in range(state.zone_count(deck, zone))] for zone in range(state.zones(deck))
    ]


def cards(state, deck):
    """All cards of a deck, sorted."""
    return sorted(card for zone in zones(state, deck) for card in zone)


def printed(state, deck):
    """All cards of a deck as the pack lists them."""
    _, _, _, first, kinds, _, _ = state.scenario.deck(deck)
    pack = state.scenario.pack
    return sorted(card for card in range(kinds) for _ in range(pack.record(CARD, first + card)[2]))


def states():
    """(state, deck) for every deck there is, all cards in the draw zone, shuffled."""
    for target in SCENARIOS:
        state = Game(target).state
        for deck in range(state.scenario.decks):
            pile = decks.draw_zone(state, deck)
            for zone in range(pile):
                while state.zone_count(deck, zone):
                    decks.move(state, deck, zone, 0, pile, decks.END)
            decks.shuffle_all(state, deck)
            yield state, deck


def test_every_move_between_zones_keeps_the_cards():
    pick = Lcg(3)
    for state, deck in states():
        expected = printed(state, deck)
        for _ in range(300):
            source = pick(state.zones(deck))
            if not state.zone_count(deck, source):
                continue
            target, place = pick(state.zones(deck)), pick(3)
            position = pick(state.zone_count(deck, source))
            card = state.card(deck, source, position)
            before = zones(state, deck)
            decks.move(state, deck, source, position, target, place)
            after = zones(state, deck)
            del before[source][position]
            at = {decks.TOP: 0, decks.END: len(before[target])}.get(place)
            if at is None:  # random: anywhere, the others stay in order
                at = next(i for i in range(len(after[target])) if _without(after[target], i) == before[target])
            assert after[target][at] == card
            before[target].insert(at, card)
            assert after == before
            assert cards(state, deck) == expected


def _without(items, i):
    return items[:i] + items[i + 1 :]


def test_random_places_reach_every_place():
    seen = set()
    for number in range(4):  # games, for a long one's log does not fit into the small heap
        game = Game("nemesis/erosion-of-power", bytes((number,)) * 16)
        for _ in range(100):
            card = game.zone("npo", "draw")[0]
            game.move("npo", "draw", 0, "draw", decks.RANDOM)
            seen.add(game.zone("npo", "draw").index(card))
    assert seen == set(range(13))


def test_moves_that_do_not_exist_change_nothing():
    for state, deck in states():
        before = bytes(state.data)
        pile = decks.draw_zone(state, deck)
        raises(RuleError, decks.move, state, deck, pile, state.zone_count(deck, pile), 0, decks.END)
        raises(RuleError, decks.move, state, deck, pile, -1, 0, decks.RANDOM)
        raises(RuleError, decks.move, state, deck, 0, 0, pile, decks.RANDOM)  # an empty zone
        raises(RuleError, decks.move, state, deck, pile, 0, pile + 1, decks.TOP)
        raises(RuleError, decks.move, state, deck, -1, 0, pile, decks.TOP)
        raises(RuleError, decks.move, state, deck, pile, 0, 0, 3)
        assert state.data == before


def test_draw_takes_the_top_and_refills_only_when_it_must():
    game = Game("nemesis/erosion-of-power")
    game.shuffle("npo")
    order = game.zone("npo", "draw")
    for i in range(13):
        spent = bytes(game.state.data[16:40])
        game.draw("npo", "discard")
        assert game.state.data[16:40] == spent  # no card has been shuffled
        assert game.zone("npo", "discard") == order[: i + 1]
        assert card_title(game.state, 0, game.state.data[O_CARD]) == order[i]
    assert game.zone("npo", "draw") == []  # and it stays so until the next draw
    game.draw("npo", "discard")
    assert len(game.zone("npo", "discard")) == 1 and len(game.zone("npo", "draw")) == 12


def test_without_a_reshuffle_the_deck_stops():
    game = Game("nemesis/decaying-generatorium")
    game.shuffle("intruder")
    for _ in range(5):
        game.draw("intruder", "discard")
    assert game.state.data[O_CARD] != NOBODY
    spent = bytes(game.state.data[16:40])
    game.draw("intruder", "discard")
    assert game.state.data[O_DECK] == game.state.data[O_CARD] == NOBODY
    assert len(game.zone("intruder", "discard")) == 5
    assert game.state.data[16:40] == spent


def test_an_empty_deck_with_an_empty_discard_stops_too():
    game = Game("ambush/raid")
    for _ in range(10):
        game.draw("ambush", "removed")
    game.draw("ambush", "hand")
    assert game.zone("ambush", "hand") == [] and len(game.zone("ambush", "removed")) == 10


def test_only_the_zones_that_return_come_back():
    for state, deck in states():
        pile = decks.draw_zone(state, deck)
        for zone in range(min(pile, state.zone_count(deck, pile))):
            decks.move(state, deck, pile, 0, zone, decks.END)
        before = zones(state, deck)
        decks.shuffle_all(state, deck)
        first = state.scenario.deck(deck)[1]
        for zone in range(pile):
            _, kind, _, _, returns = state.scenario.zone(first + zone)
            assert zones(state, deck)[zone] == ([] if returns else before[zone])
            assert not (returns and kind == REMOVED)
        assert cards(state, deck) == printed(state, deck)


def test_removed_cards_never_return():
    game = Game("ambush/raid")
    leader = game.zone("ambush", "draw").index("Leader")
    game.move("ambush", "draw", leader, "removed", decks.END)
    for _ in range(50):
        game.draw("ambush", "discard")
        assert game.zone("ambush", "removed") == ["Leader"]
        assert "Leader" not in game.zone("ambush", "discard") + game.zone("ambush", "draw")


def test_a_shuffle_keeps_a_hidden_hand():
    game = Game("ambush/raid")
    for _ in range(3):
        game.draw("ambush", "hand")
    hand = game.zone("ambush", "hand")
    game.shuffle("ambush")
    assert game.zone("ambush", "hand") == hand


def test_looking_changes_nothing():
    for target in SCENARIOS:
        game = Game(target)
        state = game.state
        for deck in range(state.scenario.decks):
            decks.draw(state, deck, 0)
            before = bytes(state.data)
            assert cards(state, deck) == printed(state, deck)
            for zone in range(state.zones(deck)):
                for side in (0, 1, NOBODY):
                    decks.may_look(state, deck, zone, side)
                raises(RuleError, state.card, deck, zone, state.zone_count(deck, zone))
                raises(RuleError, state.card, deck, zone, -1)
            assert state.data == before
        assert game.log.end == 0


def test_who_may_look():
    state = Game("ambush/raid").state
    removed, discard, point, hand, draw = 0, 1, 2, 4, 5  # in the order of the state; the cult is side 1
    everyone = (0, 1, NOBODY)
    for zone, sides in ((removed, everyone), (discard, everyone), (point, (1,)), (hand, (1,)), (draw, ())):
        assert [side for side in (0, 1, NOBODY) if decks.may_look(state, 0, zone, side)] == list(sides)
