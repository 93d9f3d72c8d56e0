"""The app as a step function: real screens, canvas, driver and store; a bus in RAM instead of wires."""

import os
import sys

from support import open_pack, pack_path

from tableside.core import commands
from tableside.core.session import Session
from tableside.hw.files import SmallFile, exists
from tableside.hw.i2c_bus import I2CBus
from tableside.hw.installed import Languages, Packs
from tableside.hw.ssd1306 import SSD1306
from tableside.hw.store import Store
from tableside.rules import resolver
from tableside.ui.app import App
from tableside.ui.attack_flow import targets
from tableside.ui.canvas import Canvas, wrap
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP
from tableside.ui.modules import Modules
from tableside.ui.widgets import List, hint, paragraph, status


def temp_folder():
    """A new folder beside the packs, which are in a temporary folder."""
    number = 0
    while True:
        folder = "%s/../app-%d" % (os.getenv("TABLESIDE_PACKS"), number)
        try:
            os.mkdir(folder)
            return folder
        except OSError:
            number += 1


class Bus:
    """An I2C bus that keeps count, and fails on demand."""

    def __init__(self):
        self.bytes = 0
        self.broken = False

    def writeto(self, address, data):
        if self.broken:
            raise OSError(5)
        self.bytes += len(data)


class Device:
    """The hardware of an app, the app, and a thumb.

    Args: folder: its file system; packs: what is installed on it; keys: how many buttons.
    """

    name = "Test board"
    buzzer = None
    battery_low_mv = 0

    def __init__(self, folder, packs=("nemesis", "ambush"), keys=4):
        self.bus = Bus()
        self.errors = []
        self.led = False
        self.now_ms = 0
        self.keys = keys
        self.folder = folder
        self.pack_folder = folder + "/packs"
        if not exists(self.pack_folder):
            os.mkdir(self.pack_folder)
        for name in packs:
            self.install(name)
        self.modules = Modules()
        self.display = SSD1306(I2CBus(self.bus))
        self.store = Store(folder + "/sessions")
        self.campaigns = Store(folder + "/campaigns")
        self.packs = Packs(self.pack_folder)
        self.languages = Languages(folder + "/languages")
        self.settings = SmallFile(folder + "/settings.json")
        self.roster = SmallFile(folder + "/roster.json")
        if not self.settings.read(1):
            self.settings.write(b'{"hints": 255}')  # all seen
        self.report = self.errors.append
        self.app = App(self, self.now_ms)
        self.step()

    def install(self, name, source=None):
        """Copy a pack, in pieces: the heap is small."""
        path = "%s/%s.tspk" % (self.pack_folder, name)
        if not exists(path) or source:
            with open(source or pack_path(name), "rb") as old, open(path, "wb") as new:
                piece = old.read(512)
                while piece:
                    new.write(piece)
                    piece = old.read(512)

    def entropy(self):
        return bytes(range(16))

    def memory(self):
        return 100 * 1024, 200 * 1024

    def lamp(self, on):
        self.led = on

    def step(self, down=0, pressed=0, count=1):
        for _ in range(count):
            self.now_ms += 5
            self.app.step(self.now_ms, down, pressed)

    def press(self, bit, times=1, ms=60):
        for _ in range(times):
            self.step(bit, count=ms // 5)
            self.step(count=12)

    def ok(self, times=1):
        self.press(BIT_OK, times)

    def down(self, times=1):
        self.press(BIT_DOWN, times)

    def to(self, text):
        """Walk down to the row that begins with a text."""
        screen = self.app._stack[len(self.app._stack) - 1]
        for _ in range(100):
            rows = screen._list if hasattr(screen, "_list") else screen.list
            if rows.rows[rows.cursor][0].startswith(text):
                return
            self.down()
        raise AssertionError("no row %s on %s" % (text, self.screen()))

    def back(self, times=1):
        self.press(BIT_BACK, times)

    def hold(self, bit):
        self.press(bit, ms=800)

    def screen(self):
        return type(self.app._stack[len(self.app._stack) - 1]).__name__

    def state(self):
        return bytes(self.app.session.state.data)

    def begin(self, game=0, scenario=0):
        """From the home screen into a scenario; games are in alphabetical order."""
        self.ok()
        self.down(game)
        self.ok()
        self.down(scenario)
        self.ok()


FIRST_ACTIVATION = 9  # presses of OK from the choice of the nemesis mission to the first activation


def test_from_home_to_the_first_activation_and_back_again():
    device = Device(temp_folder())
    assert device.screen() == "Home"
    device.begin(1)
    assert device.screen() == "Play"
    device.ok(2)
    assert device.screen() == "Checklist"
    device.ok(4)
    device.ok(3)
    assert device.app.session.state.data[4] == 1
    start = device.state()
    device.ok(3)
    assert device.state() != start
    for _ in range(3):
        device.hold(BIT_BACK)
    assert device.state() == start
    assert not device.errors


def test_switched_off_and_on_it_resumes_the_same_state():
    folder = temp_folder()
    device = Device(folder)
    device.begin(1)
    device.ok(14)
    again = Device(folder)
    again.ok()
    assert again.state() == device.state()
    assert again.app.session.digest == device.app.session.digest
    again.hold(BIT_BACK)
    assert again.state() != device.state()


def test_a_question_changes_nothing_until_it_is_answered():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    assert device.screen() == "Play"
    before = device.state()
    device.down(2)
    device.ok()
    assert device.screen() == "Question"
    device.back()
    assert device.screen() == "Play" and device.state() == before
    device.ok(2)  # the cursor has stayed
    assert device.state() != before


def test_a_counter_is_set_with_ok_or_after_a_pause_and_left_alone_with_back():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    first = device.app.session.state.counter(0)
    device.to("Counters")
    device.ok(2)
    assert device.screen() == "Edit"
    device.press(BIT_UP, 2)
    device.back()
    assert device.screen() == "Counters" and device.app.session.state.counter(0) == first
    device.ok()
    device.press(BIT_UP, 2)
    device.ok()
    assert device.app.session.state.counter(0) == first + 2 and device.screen() == "Play"
    device.to("Counters")
    device.ok(2)
    device.press(BIT_UP)
    device.step(count=1000)
    assert device.app.session.state.counter(0) == first + 3
    assert not device.errors


def test_looking_at_decks_reminders_and_the_menu_changes_nothing():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(12)
    before, records = device.state(), device.app.session.records
    for page in ("Reminders", "Clock", "Units", "NPO deck", "Counters"):
        device.to(page)
        device.ok()
        assert device.screen() != "Play"
        device.back(2)
        assert device.screen() == "Play"
    device.hold(BIT_OK)
    assert device.screen() == "Menu"
    device.back()
    assert device.state() == before and device.app.session.records == records


def test_a_hidden_hand_is_shown_only_after_the_device_was_passed():
    device = Device(temp_folder())
    device.begin(0)
    device.ok(3)
    assert device.app.session.state.zone_count(0, 4) == 4
    device.to("Ambush deck")
    device.ok()
    assert device.screen() == "DeckPage"
    device.ok()
    assert device.screen() == "DeckPage"  # the draw pile is nobody's to see
    device.down()
    device.ok()
    assert device.screen() == "PassDevice"
    device.back()
    assert device.screen() == "DeckPage"
    device.ok(2)
    assert device.screen() == "ZonePage"
    before = device.state()
    device.press(BIT_UP)
    device.down(2)
    assert device.screen() == "ZonePage"  # they go through the cards
    device.back()
    assert device.screen() == "DeckPage"
    for bit in (BIT_OK, BIT_BACK):  # the long meanings do not come: a menu would bring the secret back
        device.ok(2)
        assert device.screen() == "ZonePage"
        device.hold(bit)
        assert device.screen() == "DeckPage" and device.state() == before


def test_no_packs_a_damaged_pack_and_a_missing_one_are_said():
    folder = temp_folder()
    device = Device(folder, ())
    device.ok(3)
    assert device.screen() == "ChooseGame" and not device.errors
    write_damaged_pack(folder + "/bad.tspk")
    device = Device(folder, ("ambush",))
    device.install("bad", folder + "/bad.tspk")
    ids = device.packs.ids
    device.packs.ids = lambda: ids() + ["gone"]
    device.ok()
    for _ in range(2):
        device.down()
        device.ok()
        assert device.screen() == "Message"
        device.ok()
        assert device.screen() == "ChooseGame"
    assert not device.errors


def write_damaged_pack(path):
    """A copy of a pack with one bit wrong, made in pieces: the heap of the device is small."""
    with open(pack_path("nemesis"), "rb") as source, open(path, "wb") as target:
        piece = bytearray(source.read(512))
        piece[300] ^= 1
        while piece:
            target.write(piece)
            piece = source.read(512)


def test_a_pack_that_a_game_refers_to_outlives_its_update():
    folder = temp_folder()
    device = Device(folder, ("ambush",))
    device.begin(0)
    device.ok(5)
    state = device.state()
    device.install("ambush", pack_path("nemesis"))  # same name, other contents
    device = Device(folder, ())
    device.ok()
    assert device.state() == state and device.app.session.pack.id == "ambush"
    device.ok(2)
    device.back()
    assert len(os.listdir(folder + "/packs/kept")) == 1
    device.down()
    device.begin(0)  # of the new version: the old one is still needed
    assert len(os.listdir(folder + "/packs/kept")) == 2
    device.back()
    device.app.games.remove(1)
    assert len(os.listdir(folder + "/packs/kept")) == 1
    assert device.app.games.load(2).pack.id == "nemesis" and not device.errors


def test_a_save_of_another_pack_version_is_kept_and_explained():
    folder = temp_folder()
    device = Device(folder, ("ambush",))
    device.begin(0)
    device.ok(5)
    device.back()
    log = device.store.open(1)
    head, end = log.head, log.end
    device.packs.drop([])  # somebody cleaned up by hand
    device.install("ambush", pack_path("nemesis"))
    device = Device(folder, ())
    assert device.app._stack[0].list.rows[0][0] == "New game"
    device.down()
    device.ok(2)
    assert device.screen() == "Message"
    log = device.store.open(1)
    assert log.head == head and log.end == end
    assert not device.errors


def test_a_card_drawn_by_hand_goes_to_the_discard_or_leaves_the_game():
    device = Device(temp_folder())
    device.begin(0)
    device.ok(3)
    device.to("Ambush deck")
    device.ok()
    device.down(6)
    device.ok()
    assert [device.app.session.state.zone_count(0, zone) for zone in (0, 1)] == [0, 1]  # removed, discard
    device.app.home()
    device.step()
    device.down()
    device.begin(1, 10)
    device.app.go("decks.DeckPage", 1)
    device.down(3)
    device.ok()
    assert [device.app.session.state.zone_count(1, zone) for zone in (0, 1)] == [1, 0]
    assert not device.errors


def test_a_file_system_that_cannot_be_read_does_not_stop_the_device():
    device = Device(temp_folder())

    def broken():
        raise OSError(5)

    device.store.numbers = broken
    device.app.home()
    device.step()
    assert device.screen() == "Home" and not device.errors


def test_an_error_in_a_screen_is_shown_and_the_game_goes_on():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    before = device.state()

    def broken(key):
        raise KeyError("broken on purpose")

    screen = device.app._stack[len(device.app._stack) - 1]
    screen.event = broken
    device.ok()
    assert device.screen() == "Message" and len(device.errors) == 1
    del screen.event
    device.ok(2)
    assert device.state() != before


def test_a_full_disk_is_said_and_nothing_is_lost():
    folder = temp_folder()
    device = Device(folder)
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    log = device.app.session._log
    append = log.append
    for code in (28, 36):

        def full(data, code=code):
            raise OSError(code)

        log.append = full
        device.ok()
        assert device.screen() == "Message" and len(device.errors) == 1
        device.ok()
        device.app.home()  # asked first: some of the game is only in RAM
        assert device.app.session is not None
        device.step()
        assert device.screen() == "Sure"
        device.back()
        device.ok(2)
        log.append = append
        device.ok(2)
        device.errors[:] = []
    state = device.state()
    again = Device(folder)
    again.ok()
    assert again.state() == state


def test_a_flash_that_fails_is_tried_at_keys_and_once_a_second():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    tries = []

    def full(data):
        tries.append(device.now_ms)
        raise OSError(28)

    device.app.session._log.append = full
    device.ok(2)
    del tries[:]
    device.step(count=1000)  # 5 seconds
    assert 4 <= len(tries) <= 6


def test_an_unplugged_display_is_drawn_again_when_it_is_back():
    device = Device(temp_folder())
    device.bus.broken = True
    device.begin(1)
    assert device.app.session is not None and len(device.errors) == 1
    device.bus.broken = False
    before = device.bus.bytes
    device.step(count=300)
    assert device.bus.bytes - before > 1024
    before = device.bus.bytes
    device.step(count=300)
    assert device.bus.bytes == before


def test_a_digit_costs_a_few_bytes_on_the_bus():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    device.to("Counters")
    device.ok(2)
    device.press(BIT_UP)
    before = device.bus.bytes
    device.press(BIT_UP)
    assert 0 < device.bus.bytes - before < 150
    before = device.bus.bytes
    device.step(count=100)
    assert device.bus.bytes == before


def test_a_cursor_that_moves_is_all_that_is_drawn():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    device.to("Counters")
    device.ok()
    screen = device.app._stack[len(device.app._stack) - 1]
    screen.list.rows = [("row %d" % i, "1") for i in range(9)]
    device.app._draw()
    device.step()
    drawn = []
    whole = screen.draw
    screen.draw = lambda canvas: drawn.append(whole(canvas))
    before = device.bus.bytes
    device.down(5)
    device.press(BIT_UP, 2)
    assert not drawn and device.bus.bytes - before < 7 * 40
    shown = bytes(device.app._canvas.buf)
    device.app._draw()
    assert drawn and shown == device.app._canvas.buf
    device.down(3)
    assert len(drawn) > 1, "it scrolls"


def test_the_next_row_of_the_history_is_there_before_its_key():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    device.app.go("history.HistoryPage")
    device.step(count=10)
    for _ in range(6):
        history = top(device)._history
        entry = history.group
        made = []
        history.group = made.append
        device.step(BIT_DOWN)
        assert not made
        history.group = entry
        device.step(count=10)
        rows = top(device)._rows
        assert top(device)._cursor + 1 in rows and top(device)._cursor - 1 in rows


def top(device):
    return device.app._stack[len(device.app._stack) - 1]


def test_going_back_in_the_history_is_shown_before_it_is_done():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    before = device.state()
    device.app.go("history.HistoryPage")
    device.step(count=10)
    device.down(5)
    row = top(device)._rows[5]
    device.ok()
    assert device.screen() == "GoBack" and device.state() == before
    text = top(device)._text._parts[0]
    assert text.startswith("Undoes %d commands.\nBack to before %s" % (row.oldest + 1, "R" if row.round else row.phase))
    assert row.text() in text and text.endswith("Something hidden had come to light!") == any(
        entry.revealed for entry in top_rows(device, 6))
    device.back()
    assert device.screen() == "HistoryPage" and device.state() == before
    device.ok(2)
    assert device.screen() not in ("GoBack", "HistoryPage") and device.state() != before
    device.app.redo()
    assert device.state() == before
    assert not device.errors


def top_rows(device, count):
    """The first rows of the history below the screen on top."""
    return [device.app._stack[len(device.app._stack) - 2]._rows[i] for i in range(count)]


def idle(device):
    """The bytes that 5 seconds without a key allocate; 0 where nobody counts them."""
    import gc

    device.step(count=40)  # by then every screen was imported once
    gc.collect()
    gc.disable()
    before = gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0
    for now_ms in range(device.now_ms, device.now_ms + 5000, 5):
        device.app.step(now_ms, 0, 0)
    after = gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0
    gc.enable()
    device.now_ms += 5000
    return after - before


def test_idling_allocates_nothing():
    for keys, left_handed in ((4, 0), (3, 0), (4, 1)):
        device = Device(temp_folder(), keys=keys)
        device.app.settings.set("left_handed", left_handed)
        device.app.settings_changed()
        assert idle(device) == 0, "home"
        device.app.begin("nemesis", 0)
        device.step(count=2)
        assert idle(device) == 0, "play"
        device.app.go("counters.Edit", 0)
        assert idle(device) == 0, "edit"
        device.now_ms += 100000
        assert idle(device) == 0, "dim"
        device.app.go("clock.ClockPage")
        device.now_ms += 1000000
        assert idle(device) == 0, "asleep"


def test_a_session_can_be_read_without_the_app():
    folder = temp_folder()
    device = Device(folder)
    device.begin(1)
    device.ok(8)
    session = Session.resume(open_pack("nemesis"), Store(folder + "/sessions").open(1), resolver)
    assert bytes(session.state.data) == device.state()
    assert session.check(commands.TICK, (99, 1))[0] == commands.NO
    assert "s0" not in os.listdir(folder + "/sessions/0001")


def test_texts_that_are_too_long_stay_within_the_frame():
    canvas = Canvas()
    for length in (0, 5, 21, 22, 60):
        status(canvas, "a" * length, "b" * length)
        hint(canvas, "c" * length, "d" * length)
        for cursor in (0, 1):
            List([("e" * length, "f" * length), ("g" * length, "")], cursor).draw(canvas)
        assert paragraph(canvas, "h" * length, 1, 4) <= 5
        assert len(canvas.buf) == 1024
    assert wrap("abc", 0) == ["a", "b", "c"]


def test_holding_ok_in_the_menu_does_not_open_another():
    device = Device(temp_folder())
    device.begin(1)
    device.hold(BIT_OK)
    depth = len(device.app._stack)
    device.hold(BIT_OK)
    assert device.screen() == "Menu" and len(device.app._stack) == depth


def fight(device):
    """An attack of Kill Team with its first dice entered, in the pack of dice."""
    device.app.begin("dice", 6)
    device.step(count=3)
    for command in ((commands.FIELD, (0, 1)), (commands.FIELD, (1, 3)), (commands.ATTACK, (0, 0, 1, 1))):
        device.app.do(*command)
    device.app.do(commands.STAGE, (0, 0, 5))
    return device.app.session.state.attack


def test_back_from_a_stage_says_what_else_it_took_back():
    device = Device(temp_folder(), ("dice",))
    attack = fight(device)
    before = device.state()
    device.app.do(commands.UNIT, (1, 3, 3))
    device.back()
    assert device.state() == before and attack.stage().id == "save"
    assert device.app.toast.startswith("Undone")
    device.back()
    assert attack.stage().id == "hit"
    assert device.app._stack[len(device.app._stack) - 1]._counts == [0, 0, 5]
    assert not device.errors


def test_an_attack_that_cannot_be_read_is_given_up():
    device = Device(temp_folder(), ("dice",))
    attack = fight(device)
    session = device.app.session
    session.state.data[attack._at + 4] -= 1  # a number is missing
    device.app.show_session()
    assert device.screen() == "Message"
    device.ok()
    assert device.screen() == "Play" and not device.errors
    assert not session.state.attack.get(0)


def test_the_target_of_an_attack_by_nobody_is_its_target():
    device = Device(temp_folder(), ("dice",))
    fight(device)
    device.app.do(commands.ATTACK, (0, 255, 1, 1))
    assert targets(device.app.session.state) == [1]


def test_dice_rules_that_this_firmware_lacks_leave_the_other_weapons():
    device = Device(temp_folder(), ("dice",))
    device.app.begin("dice", 1)
    device.step(count=3)
    scenario = device.app.session.scenario
    known = scenario.weapon
    scenario.weapon = lambda i: known(i)[:1] + (99,) + known(i)[2:] if not i else known(i)
    device.app.go("attacks.Attacks")
    assert device.screen() == "Attacks"
    device.ok()
    assert not device.app.session.records


def test_a_plain_roll_comes_to_its_outcome():
    before = "tableside.rules.dice" in sys.modules  # another test may have imported it
    device = Device(temp_folder(), ("dice",))
    device.app.begin("dice", 0)
    device.step(count=3)
    device.app.do(commands.ATTACK, (0, 255, 0))
    while device.app.session.state.attack.stage() is not None:
        device.app.do(commands.THROW)
    assert device.screen() == "Outcome" and not device.errors
    device.ok()
    assert device.screen() == "Play"
    device.hold(BIT_BACK)
    device.hold(BIT_OK)
    device.to("Redo")
    device.ok()  # its title needs the rules
    device.step(count=3)
    assert device.screen() == "Play" and ("tableside.rules.dice" in sys.modules) == before
