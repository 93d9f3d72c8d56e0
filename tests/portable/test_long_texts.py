"""Texts of any length can be read to their end, and nothing is drawn beyond the edge of the display."""

from support import Game
from test_app import Device, temp_folder

from tableside.core.details import details
from tableside.ui.canvas import wrap
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP
from tableside.ui.play import pinned_lines, reminders
from tableside.ui.reading import Text
from tableside.ui.widgets import COLUMNS, List, fits


class Reader(Device):
    """A device whose words are read as they are drawn; what would be cut by the edge is an error."""

    def __init__(self, packs):
        self.drawn = []
        super().__init__(temp_folder(), packs)
        canvas = self.app._canvas
        draw, clear = canvas.text, canvas.clear

        def text(s, x, page, face, invert=False):
            assert x + len(s) * face.WIDTH <= 128 and page + face.PAGES <= 8, (s, x, page)
            self.drawn.append((page, x, s))
            return draw(s, x, page, face, invert)

        def start():
            self.drawn = []
            clear()

        canvas.text, canvas.clear = text, start

    def status(self):
        """The status line."""
        return [s for page, _, s in self.drawn if page == 0 and s]

    def body(self):
        """The words between status and hint line, without those on the right and in the margin."""
        return " ".join(s for page, x, s in self.drawn if 0 < page < 7 and x in (0, 8) and len(s) > 1)

    def hint(self):
        """The hint line."""
        return [s for page, _, s in self.drawn if page == 7 and s]

    def read(self, bit=BIT_DOWN):
        """All pages from this one on."""
        found = []
        while not found or self.body() != found[len(found) - 1]:
            found.append(self.body())
            self.press(bit)
        return found


def words(text):
    return text.replace("\n", " ").split()


def wordy():
    """A device in the wordy game."""
    device = Reader(("wordy",))
    device.begin()
    return device, device.app.session.pack, device.app.session.scenario


def test_a_text_turns_page_by_page_and_loses_nothing():
    text = " ".join("word%d" % i for i in range(40))
    pages = Text([text, "short", ""])
    assert pages.mark() == "1/5"
    assert not pages.turn(-1)
    assert [pages.turn(1) for _ in range(5)] == [True] * 4 + [False]
    assert pages.mark() == "5/5"
    assert Text(["short"]).mark() == ""
    assert fits("a" * COLUMNS, 1) and not fits("a" * COLUMNS + " b", 1)


def test_a_row_longer_than_the_display_is_gone_through_before_the_next():
    text = " ".join("word%02d" % i for i in range(26))  # two words a line: 13 lines
    rows = List([("first", ""), (text, "right"), ("last", "")])
    assert len(wrap(text, 14)) == 13
    cursors = []
    for _ in range(5):
        rows.move(1)
        cursors.append(rows.cursor)
    assert cursors == [1, 1, 1, 2, 2]
    assert rows.move(-1) and rows.cursor == 1 and rows.move(-1) and rows.cursor == 0
    assert not rows.move(-1)


def test_a_prompt_without_room_is_read_in_full_below_and_ok_does_the_same_there():
    device, pack, scenario = wordy()
    prompt = pack.text(scenario.step(0)[2])
    assert ".." in device.body() and device.hint()[0].endswith("..")
    assert device.status()[1].endswith("..")  # the side; "pass to" has it in full
    device.down()
    rows = device.app._stack[0]._list
    assert rows.rows[1][0] == (
        prompt + "\nOK The oldest orator has spoken to the end"
        "\nThe solemn opening of the assembly The Orators of the Everlasting Assembly"
    )
    seen = ""
    while rows.cursor == 1:
        seen += " " + device.body().replace("The oldest orator ..", "")
        assert device.hint()[0].startswith("OK The oldest")
        device.down()
    assert words(seen)[: len(words(rows.rows[1][0]))] == words(rows.rows[1][0])
    device.press(BIT_UP)
    device.ok()
    assert device.screen() == "Question"


def test_a_prompt_with_room_has_no_further_row():
    device = Reader(("ambush",))
    device.begin()
    device.ok(4)
    assert not device.app._stack[0]._in_full
    assert ".." not in device.body()


def test_a_question_is_read_to_its_end_and_ok_is_yes_on_every_page():
    device, _, _ = wordy()
    question = device.app.session.check(2, (0,))[1]
    for turns in range(3):
        before = device.state()
        device.ok()
        assert device.status()[1] == "1/2"
        assert words(" ".join(device.read())) == words(question)
        device.press(BIT_UP, turns)
        device.back()
        assert device.state() == before and device.screen() == "Play"
    device.ok()
    device.down()
    device.ok()
    assert device.state() != before


def test_a_window_is_named_and_the_texts_of_card_and_row_are_below():
    device, _, _ = wordy()
    device.ok(2)
    assert device.status()[0] == "Say Aard.."
    assert device.body().startswith("Aardvark: softly")
    device.down()
    told = " ".join(device.read()[:2])
    assert "Say Aardvark The Orators of the Everlasting Assembly It begins. What to say: Whisper it to your" in told
    device.back()
    device.ok()  # done
    device.ok(2)
    assert device.status()[0].startswith("Say Able")
    device.down()
    assert "It begins" not in device.body() and "What to say" not in device.body()  # neither card nor row has a text
    assert not device.errors


def test_details_are_those_of_what_the_prompt_names():
    state = Game("wordy/talk").state
    assert details(state, "\x02 \x040") == []  # no card in focus
    game = Game("wordy/talk")
    game.draw("words", "discard")
    assert details(game.state, "\x02") == ["It begins."]
    assert details(game.state, "\x040") == ["What to say: Whisper it to your neighbour."]
    assert details(game.state, "nothing") == []


def test_dice_with_long_texts_are_read_first_and_entered_then():
    device, pack, _ = wordy()
    device.down(4)
    while device.app._stack[0]._list.cursor != 2:
        device.down()
    device.ok()
    assert device.screen() == "Dice" and device.status()[1] == "1/2"
    title, prompt = [pack.text(number) for number in pack.record(12, 0)[:2]]
    expected = words(title + " " + prompt + " The voice of the speaker on the stage Echo")
    assert words(" ".join(device.read())) == expected
    assert device.screen() == "Dice"
    device.ok()
    assert device.body() == "How loudly the.."
    assert [s for _, x, s in device.drawn if x == 40] == ["The voice of", "the speaker .."]
    device.press(BIT_UP)
    device.ok()
    assert device.body() == "How loudly the.. The windows of the hall have burst"
    device.back(2)
    assert device.status()[1] == "2/2"  # where reading had ended
    device.ok(3)
    assert device.screen() == "Play" and not device.errors


def test_the_result_is_read_to_its_end_before_the_seed():
    device, pack, scenario = wordy()
    while device.app._stack[0]._list.cursor != 3:
        device.down()
    device.ok()
    assert device.screen() == "Result" and ".." in device.body()
    device.down()
    pages = device.read()
    assert pages[len(pages) - 1].startswith("Seed")
    record = scenario.result(0)
    assert words(" ".join(pages[:-1])) == words(pack.text(record[0]) + " " + pack.text(record[1]))
    for _ in range(5):
        device.press(BIT_UP)
    assert "All that could be" in device.body() and device.status() == ["Game over"]


def test_notes_reminders_and_values_are_read_to_their_end():
    device, pack, _ = wordy()
    for title, texts in (("Notes", pack.notes()), ("Reminders", reminders(device.app.session.state))):
        device.app.pages(title, texts, "")
        device.press(BIT_UP)
        assert words(" ".join(device.read())) == words(" ".join(texts))
        device.back()
    device.app.go("counters.Counters")
    device.press(BIT_UP)
    assert "Breath that the hardly any breath at all, and red" in device.body().replace("speaker has left over ", "")
    device.ok()
    assert "hardly any breath at all, and red" in device.body()


def test_pinned_counters_without_room_are_marked():
    state = Game("wordy/talk").state
    lines = pinned_lines(state, 9)
    assert [line.split()[0] for line in lines] == ["Breath", "Ears", "Asleep", "Time"]
    assert pinned_lines(state, 4) == lines
    assert pinned_lines(state, 2) == ["Breath hardly any b..", "Ears 9 .."]
    assert pinned_lines(state, 3)[2] == "Asleep none of the .."


def test_refusals_that_are_too_long_for_a_toast_become_a_message():
    device, _, _ = wordy()
    device.app.say("short")
    assert device.app.toast == "short" and device.screen() == "Play"
    device.app.say("long " * 12 + "end")
    assert device.screen() == "Message"
    device.press(BIT_UP)
    assert words(device.body()) == words("long " * 12 + "end")


def test_no_screen_draws_beyond_the_edge():
    """All screens of the wordy game are walked with random keys; `Reader` raises into the error boundary."""
    from support import Lcg

    for seed in range(1, 4):
        device, _, _ = wordy()
        pick = Lcg(seed)
        seen = set()
        for _ in range(250):
            bit = (BIT_UP, BIT_DOWN, BIT_DOWN, BIT_DOWN, BIT_OK, BIT_OK, BIT_OK, BIT_BACK)[pick(8)]
            if pick(12) == 0:
                device.hold(bit)
            else:
                device.press(bit)
            seen.add(device.screen())
            assert not device.errors, device.errors
        assert len(seen) >= 8, seen
