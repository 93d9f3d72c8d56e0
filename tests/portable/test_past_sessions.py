"""What is done with a campaign besides playing it: past games, playing on with one, its name, and who plays."""

import hashlib

from support import raises
from test_app import Device, temp_folder, top
from test_campaign_book import begin, home, open_campaign, play, rows, text

from tableside.core.book import Book
from tableside.core.commands import ADJUST
from tableside.core.errors import LogError
from tableside.core.state import O_RESULT
from tableside.hw.files import write_file
from tableside.ui.input import BIT_UP, DOWN, UP

ROSTER = b'{"players": ["Ann", "Ben", "Cora"], "pairings": [[1, "Ann", "Ben"], [2, "Cora", "Dan"]]}'


def device_with(roster=None, folder=None):
    folder = folder or temp_folder()
    if roster is not None:
        write_file(folder + "/roster.json", roster)
    return Device(folder, ("saga",))


def evening(device, missions=2):
    """A campaign with so many results, on its own screen."""
    begin(device)
    for i in range(missions):
        play(device, i % 2)
        device.ok()
    assert device.screen() == "Campaign" and Book(device.campaigns.head(1)).played == missions


def open_results(device):
    device.to("Results")
    device.ok()
    assert device.screen() == "Results"


# Past games.


def test_past_games_are_looked_at_and_stay_as_they_are():
    device = device_with()
    evening(device)
    open_results(device)
    assert rows(device) == ["2. Mission 2: Cult wins", "1. Mission 1: Watch wins"]
    before = [device.store.open(number).end for number in (1, 2)]
    device.down()
    device.ok()
    assert device.screen() == "Past" and rows(device)[:2] == ["History", "Watch wins"]
    device.ok()
    assert device.screen() == "HistoryPage" and device.app.session is None
    assert [row[0] for row in top(device)._list.rows][2].startswith("Watch")
    device.down(2)
    device.ok()
    assert device.screen() == "Message" and text(device).startswith("R1 Play: Watch has won: Watch +1 (1)")
    device.ok()
    device.back()
    assert device.screen() == "Past"
    device.down()
    device.ok()  # nothing to open there
    assert device.screen() == "Past"
    device.back()
    device.press(BIT_UP)
    device.ok()
    assert device.screen() == "Past" and rows(device)[:3] == ["History", "Play on", "Cult wins"]
    device.back(2)
    assert device.screen() == "Campaign"
    assert [device.store.open(number).end for number in (1, 2)] == before and not device.errors


def test_a_past_game_that_is_gone_or_another():
    device = device_with()
    evening(device)
    device.app.games.remove(2)
    open_results(device)
    device.ok()
    assert device.screen() == "Message" and text(device).startswith("2. Mission 2: Cult wins\nits game is not")
    device.ok(2)
    home(device)
    device.to("New game")
    device.ok(3)
    device.step(count=4)
    assert device.store.numbers() == [2, 1]  # the number is another's now
    device.app.home()
    device.step()
    open_campaign(device)
    open_results(device)
    device.ok()
    assert device.screen() == "Message" and "its game is not here any more" in text(device)
    assert not device.errors


def test_the_last_game_is_played_on_and_only_that():
    device = device_with()
    evening(device)
    values = Book(device.campaigns.head(1)).values
    open_results(device)
    device.ok()
    device.to("Play on")
    device.ok()
    assert device.screen() == "Question" and text(device) == 'Take "Cult wins" back, and go on with the game?'
    device.back()
    assert Book(device.campaigns.head(1)).played == 2
    device.ok(2)
    assert device.screen() == "Play" and not device.app.session.over()
    assert device.app.toast == "Undone: 3 commands"
    book = Book(device.campaigns.head(1))
    assert (book.played, book.next) == (1, "m2") and book.values != values
    device.ok(2)  # now the watch wins
    device.ok(2)
    assert device.screen() == "Enter" and text(device).startswith("Watch wins")
    device.ok()
    assert Book(device.campaigns.head(1)).results[1][2:4] == ["Watch wins", "2"]
    assert not device.errors


def test_the_end_of_a_campaign_is_played_on():
    device = device_with()
    begin(device)
    book = Book(device.campaigns.head(1))
    book.next, book.next_title, book.played = "m9", "Mission 9", 8
    device.campaigns.open(1).begin(book.data())
    home(device)
    open_campaign(device)
    play(device)
    device.ok()
    assert rows(device)[0].startswith("Over")
    open_results(device)
    device.ok()
    device.to("Play on")
    device.ok(2)
    assert device.screen() == "Play" and device.app.session.state.data[O_RESULT] == 255
    assert not Book(device.campaigns.head(1)).over()


def test_a_full_disk_reopens_nothing():
    device = device_with()
    evening(device, 1)
    before = device.campaigns.head(1)
    open_results(device)
    device.ok()
    device.to("Play on")

    class Full:
        def begin(self, data):
            raise OSError(28)

    device.campaigns.open = lambda number: Full()
    device.ok(2)
    assert device.screen() == "Message" and text(device) == "disk full (28)"
    assert device.app.session is None and device.campaigns.head(1) == before
    device.ok()
    assert device.screen() == "Results" and not device.errors


# The name.


def test_a_campaign_is_named_after_a_pairing_or_a_player():
    device = device_with(ROSTER)
    begin(device)
    device.to("Rename")
    device.ok()
    assert rows(device) == ["Ann - Ben", "Cora - Dan", "Ann", "Ben", "Cora", "Letter by letter"]
    device.ok()
    assert device.screen() == "Campaign" and top(device).title == "#1 Ann - Ben"
    device.to("Rename")
    device.ok()
    assert rows(device)[5:] == ["The long war", "Letter by letter"]
    device.to("The long war")
    device.ok()
    assert Book(device.campaigns.head(1)).title == "The long war"
    assert not device.errors


def write(device, word):
    """Spell a word with the keys."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789-.' "
    for letter in word:
        device.down(letters.index(letter))
        device.ok()
    device.press(BIT_UP)


def test_a_name_is_written_where_there_is_no_roster():
    device = device_with()
    begin(device)
    device.to("Rename")
    device.ok()
    assert rows(device) == ["Letter by letter"]
    device.ok()
    assert device.screen() == "Letters"
    write(device, "ab ca")
    assert top(device)._name == "Ab Ca"
    device.back()
    assert top(device)._name == "Ab C"
    device.ok()
    assert device.screen() == "Campaign" and Book(device.campaigns.head(1)).title == "Ab C"
    device.to("Rename")
    device.ok()
    device.to("Letter")
    device.ok()
    device.press(BIT_UP)
    device.ok()  # no name, no end
    assert device.screen() == "Letters"
    device.down()
    device.ok(30)
    assert len(top(device)._name) == 15
    device.back(16)
    assert device.screen() == "Campaign" and Book(device.campaigns.head(1)).title == "Ab C"


# Who plays.


def new_game(device):
    device.ok(3)
    device.step(count=4)


def players(device, number=1):
    return str(device.store.players(number), "utf-8")


def test_without_a_roster_nobody_is_asked():
    device = device_with()
    new_game(device)
    assert device.screen() == "Play" and players(device) == ""
    for damaged in (b"", b"{", b"[]", b'{"players": 3}', b'{"players": [], "pairings": [[1]]}'):
        write_file(device.folder + "/roster.json", damaged)
        home(device)
        device.to("New game")
        new_game(device)
        if damaged:
            assert rows(device) == ["Name by name"]
            device.ok()
        assert device.screen() == "Play" and not device.errors


def test_a_pairing_sits_down_in_two_presses():
    device = device_with(ROSTER)
    new_game(device)
    assert device.screen() == "Players" and rows(device) == ["Ann - Ben", "Cora - Dan", "Name by name"]
    device.down()
    device.ok()
    assert device.screen() == "Side" and rows(device) == ["Cora", "Dan"]
    device.down()
    device.ok()
    assert device.screen() == "Play" and players(device) == "Dan\nCora\n"
    assert device.app.games.numbers() == [1] and not device.errors


def test_name_by_name_or_not_at_all():
    device = device_with(ROSTER)
    new_game(device)
    device.to("Name by name")
    device.ok()
    assert rows(device) == ["Ann", "Ben", "Cora"]
    device.down(2)
    device.ok()
    assert rows(device) == ["Ann", "Ben"]
    device.ok()
    assert device.screen() == "Play" and players(device) == "Cora\nAnn\n"
    home(device)
    device.to("New game")
    new_game(device)
    device.back()
    assert device.screen() == "Play" and players(device, 2) == ""
    assert device.app.session.records == 0


def test_several_play_one_side():
    folder = temp_folder()
    write_file(folder + "/roster.json", ROSTER)
    device = Device(folder, ("nemesis",))
    new_game(device)
    assert device.screen() == "Players"
    sides = device.app.session.scenario.players()
    if len(sides) == 1:
        device.to("Name by name")
        device.ok(2)
        assert rows(device) == ["done: Ann", "Ben", "Cora"]
        device.down()
        device.ok()
        assert rows(device)[0] == "done: Ann, Ben"
        device.ok()
        assert players(device).split("\n")[sides[0]] == "Ann, Ben"
    assert not device.errors


def test_the_next_mission_knows_who_played():
    device = device_with(ROSTER)
    begin(device)
    device.ok()
    device.step(count=4)
    device.ok(2)
    assert players(device) == "Ann\nBen\n"
    device.ok(5)
    assert device.screen() == "Campaign"
    device.ok()
    device.step(count=4)
    assert device.screen() == "Players" and rows(device)[0] == "As before: Ann - Ben"
    device.ok()
    assert players(device, 2) == "Ann\nBen\n"
    home(device)
    open_campaign(device)
    open_results(device)
    device.ok()
    assert "Watch: Ann" in rows(device) and "Cult: Ben" in rows(device)


def test_a_book_with_a_name_that_would_break_its_lines():
    device = device_with(b'{"players": ["A\\tB\\nC"], "pairings": []}')
    begin(device)
    device.to("Rename")
    device.ok(2)
    assert Book(device.campaigns.head(1)).title == "A B C" and not device.errors
    raises(LogError, Book, b"TSCB1 x\n")


# Ten thousand commands.


def seen(device):
    """A state, short."""
    return hashlib.sha256(device.state()).digest()[:4]


def test_a_long_history_pages_without_growing_and_goes_back_far():
    import gc

    device = Device(temp_folder(), ("nemesis",))
    new_game(device)
    session = device.app.session
    states = []
    for number in range(10000):
        if number >= 9400:
            states.append(seen(device))
        session.do(ADJUST, (0, number % 3))
        session.save()
    device.app.go("history.HistoryPage")
    page = top(device)
    used = []
    for number in range(1, 6000):
        page.event(DOWN)
        page.prepare()
        if number % 500 == 100:
            gc.collect()
            used.append(gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0)
    assert page._cursor == 5999 and page._rows[5999].oldest > 8800
    assert used[len(used) - 1] - used[1] < 4500, used  # a position of 32 entries each
    for _ in range(6000 - 360):
        page.event(UP)
        page.prepare()
    row = page._rows[page._cursor]
    assert len(page._rows) < 40 and 500 < row.oldest < 600
    device.ok()
    assert device.screen() == "GoBack"
    device.ok()
    device.step(count=4)
    assert seen(device) == states[599 - row.oldest] and not device.errors
    assert device.app.toast == "Undone: %d commands" % (row.oldest + 1)
