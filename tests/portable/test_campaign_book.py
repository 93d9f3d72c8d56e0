"""The campaign book: what its file holds, and the screens from the beginning of a campaign to its end."""

from support import open_pack, raises
from test_app import Device, temp_folder

from tableside.core.book import Book, new_book
from tableside.core.errors import LogError
from tableside.core.record import KIND
from tableside.hw.files import write_file
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP

WAR = ("m1", "Mission 1")
GO_ON = ("", "")


def war():
    return new_book(open_pack("saga"), "war", "The long\nwar", "5a1t", WAR, {"c1": 0, "hand": 3})


def take(book, values, following, ending=GO_ON):
    book.take(book.next_title, "Cult\twins", 7, values, following, ending)


# The file.


def test_a_book_is_read_as_it_was_written():
    book = war()
    take(book, {"c1": 1, "hale.used": 1, "torv.used": 0}, ("m2", "Mission 2"))
    again = Book(book.data())
    assert again.data() == book.data()
    assert (again.pack_id, again.version, again.campaign, again.title) == ("saga", "1", "war", "The long war")
    assert (again.played, again.next, again.next_title, again.over()) == (1, "m2", "Mission 2", False)
    assert again.values == {"c1": 1, "hand": 3, "hale.used": 1}
    assert again.results[0][:4] == ["m1", "Mission 1", "Cult wins", "7"]


def test_every_changed_byte_is_seen():
    book = war()
    take(book, {"c1": 1}, ("m2", "Mission 2"))
    data = book.data()
    for at in range(len(data)):
        raises(LogError, Book, data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])
        raises(LogError, Book, data[:at])


def test_taking_back_leaves_what_was():
    book = war()
    states = []
    for number in range(2, 6):
        states.append(book.data())
        take(book, {"c1": number % 2, "hand": 3 + number // 3, "new%d" % number: number}, ("m%d" % number, "M"))
    take(book, {"hand": -1}, GO_ON, ("Heroes", "The end."))
    assert book.over() and (book.ending, book.ending_text) == ("Heroes", "The end.")
    book.take_back()
    assert not book.over() and book.ending == ""
    while book.results:
        book.take_back()
        assert book.data() == states.pop()


def test_a_flag_that_is_gone_stays_gone():
    book = war()
    take(book, {"hale.used": 1}, ("m2", "Mission 2"))
    take(book, {"hale.used": 0}, ("m3", "Mission 3"))
    assert Book(book.data()).values["hale.used"] == 0
    book.take_back()
    assert book.values["hale.used"] == 1


def test_a_result_belongs_to_one_place():
    book = war()
    first = book.carried(3)
    assert book.awaits(first) and first.number == 3
    take(book, {"c1": 1}, ("m2", "Mission 2"))
    assert not book.awaits(first) and book.awaits(book.carried(3))
    book.take_back()
    assert book.awaits(first)
    other = new_book(open_pack("saga"), "war", "The long war", "s0me", WAR, {})
    assert not other.awaits(first)
    take(book, {}, GO_ON)
    assert not book.awaits(book.carried(3))  # it is over


def test_a_book_never_grows_without_bound():
    book = war()
    size = 0
    for number in range(200):
        take(book, {"c1": number % 2}, ("m1", "Mission 1"))
        if number == 60:
            size = len(book.data())
    assert len(book.data()) <= size + 2 and book.played == 200 and len(book.results) == 40
    assert Book(book.data()).values["c1"] == 1


# The screens.


def top(device):
    return device.app._stack[len(device.app._stack) - 1]


def rows(device):
    return [row[0] for row in top(device).list.rows]


def text(device):
    return "\n".join(top(device)._text._parts)


def home(device):
    device.app.home()
    device.step()


def begin(device, title="The long war"):
    """A campaign from the home screen."""
    device.ok(2)
    device.to("Campaign: " + title)
    device.ok()
    assert device.screen() == "New"
    device.ok()
    assert device.screen() == "Campaign"


def play(device, action=0):
    """The next mission to its result, by the action of its first step; then on to what it does in the campaign."""
    device.ok()
    device.step(count=4)
    if device.screen() == "Message":  # what was carried
        device.ok()
    assert device.screen() == "Play"
    device.down(action)
    device.ok()
    assert device.screen() == "Result"
    device.ok(2)  # both agree
    assert device.app.session is not None and device.screen() == "Result"
    device.ok()
    assert device.screen() == "Enter"


def test_a_campaign_from_its_beginning_to_the_next_mission():
    device = Device(temp_folder(), ("saga",))
    assert rows(device) == ["New game", "Dice tools", "Settings", "About"]
    begin(device)
    assert rows(device) == ["Play: Mission 1", "Results", "Carried over", "Rename"]
    play(device, 1)
    assert text(device) == "Cult wins\nNext: Mission 2"
    device.ok()
    assert device.screen() == "Campaign" and device.app.session is None
    assert rows(device) == ["Play: Mission 2", "Results", "Carried over", "Take back: Mission 1", "Rename"]
    device.ok()
    device.step(count=4)
    assert device.screen() == "Message"
    assert text(device) == "Cult won 1: 1\nCult victories: 1\nLast winner: Cult"
    device.ok()
    scenario = device.app.session.scenario
    assert scenario.id() == "m2" and device.app.session.state.counter(10) == 8  # the hand
    home(device)
    assert [row for row in rows(device) if row.startswith("Campaigns")] == ["Campaigns"]
    device.to("Campaigns")
    device.ok()
    assert rows(device) == ["#1 The long war"]
    device.ok()
    assert rows(device)[0] == "Resume: Mission 2"
    device.ok()
    assert device.screen() == "Play" and device.app.session.scenario.id() == "m2"
    assert not device.errors


def test_results_and_values_can_be_looked_at():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    play(device)
    device.ok()
    device.down()
    device.ok()
    assert rows(device) == ["1. Mission 1: Watch wins"]
    device.back()
    device.down()
    device.ok()
    assert text(device) == "Watch victories: 1\nLast winner: Watch"
    device.ok()
    assert device.screen() == "Campaign"


def test_a_result_enters_once_and_can_be_taken_back():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    play(device)
    device.back()
    assert device.screen() == "Result"
    device.ok(2)
    device.app.resume(1)
    device.step()
    device.ok()
    assert text(device).startswith("This mission has a result")
    device.ok()
    assert device.screen() == "Home"
    open_campaign(device)
    assert rows(device)[0] == "Play: Mission 2"
    device.to("Take back: Mission 1")
    device.ok()
    assert device.screen() == "Question" and text(device) == "Mission 1: Watch wins?"
    device.ok()
    assert rows(device) == ["Enter the result: Mission 1", "Results", "Carried over", "Rename"]
    device.ok()  # the game is still there
    assert device.screen() == "Result"
    device.hold(BIT_BACK)  # the end is undone, and it ends otherwise
    while device.screen() == "Result":
        device.hold(BIT_BACK)
    device.down()
    device.ok()
    device.ok(3)
    assert text(device) == "Cult wins\nNext: Mission 2"
    device.ok()
    assert rows(device)[3] == "Take back: Mission 1" and not device.errors


def open_campaign(device, row="#1"):
    device.to("Campaigns")
    device.ok()
    device.to(row)
    device.ok()
    assert device.screen() == "Campaign"


def test_a_game_without_a_result_is_played_again():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    device.ok()
    device.step(count=4)
    device.app.do(11, (255,))  # abandoned
    device.ok(3)
    assert device.screen() == "Enter" and text(device) == "Without a result the mission is played again."
    device.ok()
    assert device.screen() == "Home"
    open_campaign(device)
    assert rows(device)[0] == "Play: Mission 1"


def test_campaigns_side_by_side():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    play(device)
    device.ok()
    home(device)
    device.to("New game")
    begin(device, "Best of five")
    assert rows(device)[0] == "Play: Strategies"
    device.ok()
    device.step(count=4)
    assert text(device) == "In a campaign: 1"
    device.ok()
    device.ok(2)  # both show Advance
    device.ok(3)
    assert text(device) == "Territorial gains\nNext: Territorial gains"
    device.ok()
    home(device)
    device.to("Campaigns")
    device.ok()
    assert top(device).list.rows == [("#2 Best of five", "1"), ("#1 The long war", "1")]
    device.press(BIT_DOWN)
    device.hold(BIT_OK)
    assert device.screen() == "Sure"
    device.press(BIT_UP, 2)
    assert rows(device) == ["#2 Best of five"]


def test_the_end_of_a_campaign():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    book = Book(device.campaigns.head(1))
    book.next, book.next_title, book.played = "m9", "Mission 9", 8
    book.values = {"watch-wins": 5, "cult-wins": 3}
    device.campaigns.open(1).begin(book.data())
    home(device)
    open_campaign(device)
    play(device)
    assert text(device) == "Watch wins\nOver: Heroic Captain"
    device.ok()
    assert rows(device) == ["Over: Heroic Captain", "Results", "Carried over", "Take back: Mission 9", "Rename"]
    device.ok()
    assert text(device) == "Heroic Captain"
    device.ok()
    home(device)
    device.to("Campaigns")
    device.ok()
    assert top(device).list.rows == [("#1 The long war", "Over")]


def test_a_pack_of_another_version():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    book = Book(device.campaigns.head(1))
    book.version = "0.9"
    book.values = {"c1": 1, "gone": 4, "hale.gone": 1}
    data = book.data()
    device.campaigns.open(1).begin(data)
    home(device)
    open_campaign(device)
    device.ok()
    device.step(count=4)
    assert text(device) == "Cult won 1: 1\nPack: version 0.9 before, 1 now.\nNot in this version: gone, hale.gone"
    device.ok(2)
    device.ok(3)
    device.ok()
    after = Book(device.campaigns.head(1))
    assert (after.version, after.values["gone"], after.values["hale.gone"], after.played) == ("1", 4, 1, 1)


def test_a_mission_or_pack_that_is_gone():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    book = Book(device.campaigns.head(1))
    for field, value, said in (
        ("next", "m99", "no such mission in this version of the pack: m99: the campaign is kept as it is."),
        ("pack_id", "sage", "sage: not there (2)"),
    ):
        setattr(book, field, value)
        data = book.data()
        device.campaigns.open(1).begin(data)
        home(device)
        open_campaign(device)
        device.ok()
        assert device.screen() == "Message" and text(device) == said
        device.ok()
        device.down(2)
        device.ok()
        assert device.screen() == "Pager"  # what goes on can be looked at all the same
        assert device.campaigns.head(1) == data
    assert not device.errors


def test_a_damaged_book_is_said_and_kept():
    folder = temp_folder()
    device = Device(folder, ("saga",))
    begin(device)
    play(device)
    write_file(folder + "/campaigns/0001/head", b"TSCB1 no book")
    device.back()
    device.ok()
    assert device.screen() == "Enter" and text(device) == "campaign damaged: 13"
    device.ok()
    device.to("Campaigns")
    device.ok()
    assert rows(device) == ["#1 ! campaign damaged: 13"]
    device.ok()
    assert device.screen() == "Message"
    assert device.campaigns.head(1) == b"TSCB1 no book" and not device.errors


def test_a_campaign_that_was_deleted():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    play(device)
    device.campaigns.remove(1)
    device.back()
    device.ok()
    assert text(device) == "this campaign is not here any more: 1"
    device.ok()
    device.entropy = lambda: bytes(16)
    begin(device)  # it has the number of the one before
    device.app.resume(1)
    device.step()
    device.ok()
    assert text(device) == "this campaign is not here any more: 1" and Book(device.campaigns.head(1)).played == 0


def test_a_full_disk_takes_no_result_and_says_so():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    play(device)
    before = device.campaigns.head(1)
    opened = device.campaigns.open

    class Full:
        def begin(self, data):
            raise OSError(28)

    device.campaigns.open = lambda number: Full()
    device.ok()
    assert device.screen() == "Message" and text(device) == "disk full (28)"
    device.campaigns.open = opened
    device.ok()
    assert device.screen() == "Enter" and device.campaigns.head(1) == before
    device.ok()
    assert device.screen() == "Campaign" and Book(device.campaigns.head(1)).played == 1


def test_undo_and_the_log_are_as_in_any_game():
    device = Device(temp_folder(), ("saga",))
    begin(device)
    device.ok()
    device.step(count=4)
    before = device.state()
    device.ok()
    assert device.screen() == "Result"
    device.hold(BIT_BACK)
    assert device.state() == before
    assert [record.kind & KIND for record in device.app.session.history()] == [2, 2]
