"""The deck screens: cards are put where the players say, and what is hidden stays so on every screen."""

from support import Lcg
from test_long_texts import Reader

from tableside.core import commands
from tableside.core.deck import END, OPEN, RANDOM, TOP, may_look
from tableside.core.fields import card_title
from tableside.core.pack import NOBODY
from tableside.ui.cards import in_order, look
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP

HAND = 4  # zones of the ambush deck: removed, discard, point 1, point 2, hand, draw
DISCARD = 1
PILE = 5


def ambush():
    """A device in the ambush game, with four cards in the cult's hand."""
    device = Reader(("ambush",))
    device.begin()
    device.ok(3)
    return device


def order(device, zone, deck=0):
    """The titles of a zone, in the order of its positions."""
    state = device.app.session.state
    return [card_title(state, deck, state.card(deck, zone, i)) for i in range(state.zone_count(deck, zone))]


def deck_page(device, row, deck=0):
    """Open the deck and a row of its page."""
    device.app.go("decks.DeckPage", deck)
    device.down(row)
    device.ok()


def top(device):
    return device.app._stack[len(device.app._stack) - 1]


def choose(device, text):
    """Go down to the row that begins with a text, and press OK."""
    rows = [left for left, _ in top(device).list.rows]
    at = next(i for i, left in enumerate(rows) if left.startswith(text))
    device.down(at - top(device).list.cursor)
    device.ok()


def discard(device, count):
    """Draw cards by hand, face up."""
    for _ in range(count):
        deck_page(device, 6)
    assert device.app.session.state.zone_count(0, DISCARD) == count


def last_record(device):
    record = next(device.app.session.history())
    return record.kind, record.args, record.owner


def test_an_open_zone_lists_its_cards_the_newest_first():
    device = ambush()
    discard(device, 3)
    cards = order(device, DISCARD)
    deck_page(device, 4)
    assert device.screen() == "ZonePage" and not top(device).secret
    assert [left for left, _ in top(device).list.rows] == [cards[2], cards[1], cards[0]]
    assert top(device).list.cursor == 0
    device.back()
    assert device.screen() == "DeckPage"


def test_every_place_of_a_card_is_one_command():
    for label, target, place in (
        ("Back on top", PILE, TOP),
        ("To the bottom", PILE, END),
        ("Back at random", PILE, RANDOM),
        ("To Hand", HAND, END),
        ("To Point 2", 3, END),
        ("To Removed", 0, END),
        ("Newest", DISCARD, END),
        ("Oldest", DISCARD, TOP),
    ):
        device = ambush()
        discard(device, 3)
        cards = order(device, DISCARD)
        before, records = device.state(), device.app.session.records
        deck_page(device, 4)
        device.down()
        device.ok()
        assert device.screen() == "CardPage" and top(device).title == cards[1]
        choose(device, label)
        assert device.app.session.records == records + 1
        owner = NOBODY if may_look(device.app.session.state, 0, target, NOBODY) else (1 if target != PILE else NOBODY)
        assert last_record(device) == (commands.MOVE, (0, DISCARD, 1, target, place), owner)
        zone = order(device, target)
        if place != RANDOM:
            assert zone[0 if place == TOP else len(zone) - 1] == cards[1]
        assert device.screen() == "Play"
        device.hold(BIT_BACK)
        assert device.state() == before
        assert not device.errors


def test_the_text_of_a_card_is_read_before_its_places():
    device = Reader(("wordy",))
    device.begin()
    for _ in range(3):
        deck_page(device, 2)
    assert order(device, 0) == ["Aardvark", "Able", "Acorn"]
    deck_page(device, 1)
    device.ok()
    text = top(device).list.rows[0][0]
    assert device.hint()[0] == "↓ more"
    seen = ""
    while device.hint()[0] == "↓ more":
        seen += " " + device.body()
        device.down()
    assert text.split() == seen.split()[: len(text.split())]
    before = device.state()
    device.back(2)
    deck_page(device, 1)
    device.ok(4)  # the card, then on through its text to the places
    assert device.screen() == "CardPage" and device.state() == before
    device.ok()
    assert order(device, 1)[0] == "Acorn"
    assert not device.errors


def test_what_is_left_is_shown_only_if_all_else_lies_open():
    device = Reader(("wordy",))
    device.begin()
    for _ in range(11):
        deck_page(device, 2)
    device.app.go("decks.DeckPage", 0)
    device.press(BIT_UP)
    assert "Draw: left 9 10 Ibis" in device.body()
    device.ok()
    assert device.screen() == "Pager"
    assert device.body() == "left 9 10 Ibis The word that is longer than all others"
    device.ok()
    device.app.home()
    device = ambush()
    discard(device, 4)
    device.app.go("decks.DeckPage", 0)
    device.press(BIT_UP)
    assert "left" not in device.body() and "Draw pile" not in device.body()
    assert not device.errors


def test_titles_are_sorted_by_number_then_by_letter():
    assert in_order(["b", "10", "9", "a", "9"]) == ["9", "9", "10", "a", "b"]
    assert in_order([]) == []


def test_a_look_at_the_top_shows_one_card_more_with_each_step_and_changes_nothing():
    device = ambush()
    pile = order(device, PILE)
    before, records = device.state(), device.app.session.records
    deck_page(device, 8)
    assert device.screen() == "PassDevice" and "Nobody else looking?" in device.body()
    device.ok()
    assert device.screen() == "TopPage" and device.status() == ["Top of the pile", "1/6"]
    for count in range(1, 7):
        assert device.body().split() == " ".join("%d %s" % (i + 1, pile[i]) for i in range(count)).split()
        device.down()
    assert device.status()[1] == "6/6"
    device.press(BIT_UP, 3)
    device.hold(BIT_OK)
    assert device.screen() == "DeckPage"
    assert device.state() == before and device.app.session.records == records


def test_the_top_cards_are_put_back_in_another_order_in_one_look():
    device = ambush()
    pile = order(device, PILE)
    deck_page(device, 8)
    device.ok()
    device.down(2)
    for place, seen in (("Back on top", 3), ("To the bottom", 2), ("To Discard", 1)):
        device.press(BIT_UP, 3)
        device.down(seen - 1)
        device.ok()
        assert device.screen() == "CardPage" and top(device).secret
        choose(device, place)
        assert not device.app._stack[len(device.app._stack) - 2].secret
        if seen > 1:
            assert device.screen() == "TopPage"
    assert device.screen() == "TopPage" and device.status()[1].startswith("1/")
    # The third card went on top, the second of the three to the bottom, the first of two to the discard.
    assert order(device, PILE) == [pile[1], pile[3], pile[4], pile[5], pile[0]]
    assert order(device, DISCARD) == [pile[2]]
    device.ok()
    choose(device, "To the bottom")
    assert device.screen() == "Play"  # no card is left that was seen
    assert not device.errors


def test_a_card_of_the_hand_is_played_and_the_hand_is_gone():
    device = ambush()
    hand = order(device, HAND)
    deck_page(device, 1)
    device.ok()
    assert device.screen() == "ZonePage" and top(device).secret
    device.down()
    device.ok()
    assert device.screen() == "CardPage" and top(device).title == hand[2]
    device.back()
    assert device.screen() == "DeckPage"  # BACK hides the list too
    device.ok(2)
    device.down()
    device.ok()
    choose(device, "To Point 1")
    assert device.screen() == "Play" and order(device, 2) == [hand[2]]
    assert not [screen for screen in device.app._stack if screen.secret]
    assert last_record(device) == (commands.MOVE, (0, HAND, 2, 2, END), 1)


def test_an_error_takes_a_secret_away():
    device = ambush()
    deck_page(device, 1)
    device.ok()
    assert top(device).secret

    def full(data):
        raise OSError(28)

    device.app.session._log.append = full
    device.app.session.do(commands.ADJUST, (0, 1))
    device.down()
    assert device.screen() == "Message"
    assert not [screen for screen in device.app._stack if screen.secret]


def test_a_card_is_found_by_its_initial_and_taken_from_what_lies_open_first():
    device = Reader(("wordy",))
    device.begin()
    deck_page(device, 2)  # the first card lies open
    deck_page(device, 5)
    assert device.screen() == "FindCard"
    assert [left for left, _ in top(device).list.rows] == ["1", "9", "A", "B", "C", "D", "E", "F", "G", "H", "I", "T"]
    choose(device, "A")
    assert top(device).list.rows == [("Aardvark", "seen 1"), ("Able", ""), ("Acorn", "")]
    device.ok()
    assert device.screen() == "PutCard"
    choose(device, "Back on top")
    assert last_record(device)[1] == (0, 0, 0, 1, TOP)
    deck_page(device, 5)
    choose(device, "B")
    device.ok()
    choose(device, "To Discard")
    assert last_record(device)[1] == (0, 1, 3, 0, END)
    assert order(device, 0) == ["Bear"]
    assert not device.errors


def test_finding_says_nothing_about_what_is_hidden():
    frames = []
    for hidden in (HAND, 2, 3, PILE):
        device = ambush()
        state = device.app.session.state
        for zone in range(6):
            for i in range(state.zone_count(0, zone)):
                if card_title(state, 0, state.card(0, zone, i)) == "Leader":
                    state.move_card(0, zone, i, hidden, 0)
                    break
        shown = []
        device.app.go("find.FindCard", 0)
        device.press(BIT_UP)
        shown.append(list(device.drawn))
        choose(device, "Leader")
        shown.append(list(device.drawn))
        frames.append(shown)
        choose(device, "To Discard")
        if hidden == PILE:
            assert order(device, DISCARD) == ["Leader"]
        else:
            assert device.app.toast == "No copy to take" and device.screen() == "PutCard"
    assert frames[1:] == frames[:-1]


def hidden_titles(state):
    """The titles of which every copy lies where not everyone may look."""
    seen, hidden = set(), set()
    for zone in range(state.zones(0)):
        for i in range(state.zone_count(0, zone)):
            place = seen if look(state, 0, zone) == OPEN else hidden
            place.add(card_title(state, 0, state.card(0, zone, i)))
    return hidden - seen


def test_a_hidden_title_is_never_drawn_unless_somebody_was_let_in():
    """Random keys on all deck screens. The lists of Find are left out: they name every card of the deck, always."""
    visits = {}
    for seed in range(1, 9):
        device = ambush()
        pick = Lcg(seed)
        let_in = False
        for _ in range(150):
            if device.screen() in ("Play", "Home", "Dice", "Counters", "Edit"):
                if device.screen() == "Home":
                    break
                device.app.go("decks.DeckPage", 0)
                device.down(pick(10))
            before = device.screen()
            bit = (BIT_UP, BIT_DOWN, BIT_DOWN, BIT_DOWN, BIT_OK, BIT_OK, BIT_OK, BIT_BACK)[pick(8)]
            if pick(15) == 0:
                device.hold(bit)
            else:
                device.press(bit)
            screen = device.screen()
            visits[screen] = visits.get(screen, 0) + 1
            if before == "PassDevice" and bit == BIT_OK:
                let_in = True
            let_in = let_in and top(device).secret
            assert top(device).secret == let_in, (before, screen)
            assert not [below for below in device.app._stack[:-1] if below.secret]
            shown = " ".join(s for _, _, s in device.drawn)
            if not let_in and screen not in ("FindCard", "PutCard") and device.app.session is not None:
                for title in hidden_titles(device.app.session.state):
                    assert title not in shown, (screen, shown)
            assert not device.errors
    for screen in ("DeckPage", "PassDevice", "ZonePage", "CardPage", "TopPage", "FindCard", "PutCard", "Menu"):
        assert visits.get(screen, 0) >= 10, visits
