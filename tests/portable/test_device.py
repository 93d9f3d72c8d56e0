"""The device in a hand: sleep, three buttons, turning, settings, the end of a game, and games that cannot be saved."""

import os

from support import pack_path
from test_app import FIRST_ACTIVATION, Device, temp_folder

from tableside.core.commands import END
from tableside.core.pack import NOBODY
from tableside.core.record import KIND, REVEALED, UNDONE
from tableside.core.rng import SALT_BYTES, SEED_BYTES
from tableside.core.state import O_RNG
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP


class Watched(Device):
    """A device whose display notes what it is told."""

    def __init__(self, folder, **more):
        super().__init__(folder, **more)
        self.told = []
        for name in ("contrast", "power", "rotate"):
            self._watch(name, getattr(self.display, name))

    def _watch(self, name, call):
        def told(value):
            self.told.append((name, value))
            call(value)

        setattr(self.display, name, told)

    def wait_s(self, seconds):
        self.now_ms = self.now_ms + seconds * 1000 & 0x3FFFFFFF
        self.step(count=2)


def set_up(folder, text):
    with open(folder + "/settings.json", "w") as file:
        file.write(text)


def test_it_dims_then_sleeps_and_the_first_press_only_wakes():
    device = Watched(temp_folder())
    device.begin(1)
    before = device.state()
    device.wait_s(59)
    assert device.told == []
    device.wait_s(2)
    assert ("contrast", 1) in device.told
    device.press(BIT_DOWN)  # dim, a key acts
    assert device.told[len(device.told) - 1] == ("contrast", 255)
    device.back()
    device.wait_s(601)
    assert device.told[len(device.told) - 2] == ("power", False)
    screen = device.app._stack[0]
    for bit in (BIT_OK, BIT_UP, BIT_DOWN, BIT_BACK):
        device.press(bit, ms=900)
        assert ("power", True) in device.told[len(device.told) - 2 :]
        assert device.state() == before and device.app._stack == [screen]
        device.wait_s(601)
        device.wait_s(601)
    device.press(BIT_OK)
    device.ok()
    assert device.state() != before and not device.errors


def test_it_sleeps_across_the_wrap_of_the_clock_and_never_if_told_so():
    device = Watched(temp_folder())
    device.now_ms = 0x3FFFFFFF - 300000
    device.press(BIT_DOWN)
    device.wait_s(400)
    assert ("power", False) not in device.told
    device.wait_s(250)
    assert ("power", False) in device.told
    folder = temp_folder()
    set_up(folder, '{"dim_after_s": 0, "sleep_after_s": 0, "hints": 7}')
    device = Watched(folder)
    for _ in range(300):
        device.wait_s(7200)
    assert device.told == []


def test_a_secret_does_not_outlive_sleep():
    device = Watched(temp_folder())
    device.begin(0)
    device.ok(3)
    device.to("Ambush deck")
    device.ok()
    device.to("Hand")
    device.ok(2)
    assert device.screen() == "ZonePage"
    device.wait_s(700)
    device.press(BIT_OK)
    assert device.screen() != "ZonePage"


def test_a_sleeping_device_whose_display_was_unplugged_is_lit_again():
    device = Watched(temp_folder())
    device.bus.broken = True
    device.wait_s(700)
    assert device.led and len(device.errors) == 1
    device.press(BIT_OK)
    device.bus.broken = False
    device.wait_s(2)
    assert not device.led and device.display._power[0] == 0xAF and len(device.errors) == 1


def test_three_buttons_do_all_that_four_do():
    chord = BIT_UP | BIT_DOWN
    device = Device(temp_folder(), keys=3)
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    before = device.state()
    device.ok()
    after = device.state()
    assert after != before
    device.press(chord, ms=800)
    assert device.state() == before
    device.down()
    assert device.app._stack[0]._list.cursor
    device.press(chord)
    assert device.screen() == "Play" and not device.app._stack[0]._list.cursor
    device.press(chord)
    assert device.screen() == "Home" and not device.errors


def test_left_handed_turns_picture_and_keys_at_once_and_for_ever():
    folder = temp_folder()
    device = Watched(folder)
    device.to("Settings")
    device.ok()
    device.to("Left-handed")
    device.ok()
    device.press(BIT_UP)
    assert ("rotate", True) in device.told
    device.press(BIT_DOWN)  # where OK was
    assert device.screen() == "Options" and device.app.settings.get("left_handed") == 1
    device.press(BIT_UP)  # where BACK was
    assert device.screen() == "Home"
    again = Device(folder)
    assert again.display._setup[1] == 0xA0
    again.step(count=10)
    again.press(BIT_DOWN)
    assert again.screen() == "ChooseGame"


def test_back_takes_a_setting_back():
    folder = temp_folder()
    device = Watched(folder)
    device.to("Settings")
    device.ok(2)
    device.press(BIT_DOWN, 3)
    assert device.told[len(device.told) - 1] == ("contrast", 7 * 7 * 255 // 100)
    device.back()
    assert device.app.settings.get("contrast") == 10 and device.told[len(device.told) - 1] == ("contrast", 255)
    device.ok()
    device.press(BIT_DOWN, 3)
    device.ok()
    assert Device(folder).app.settings.get("contrast") == 7


def test_the_picture_turns_to_the_player_whose_turn_it_is():
    folder = temp_folder()
    set_up(folder, '{"turn": 1, "hints": 7}')
    device = Watched(folder)
    device.begin(0)
    assert not device.told  # nobody's turn in the set-up
    device.ok(3)
    assert device.told == [("rotate", True)]  # the cult sits opposite
    assert device.app._stack[0]._list.cursor == 0
    device.press(BIT_UP, ms=800)  # where BACK was: undo, and its release is not heard as another key
    assert device.told == [("rotate", True), ("rotate", False)] and device.screen() == "Checklist"


def test_hints_come_once():
    folder = temp_folder()
    set_up(folder, "{}")
    device = Device(folder)
    assert device.app.toast.startswith("UP DOWN")
    device.begin(1)
    assert device.app.toast.startswith("Hold OK")
    device.ok()
    assert not device.app.toast
    again = Device(folder)
    assert not again.app.toast
    again.ok()
    assert not again.app.toast and not again.errors


def test_a_bad_settings_file_is_said_and_kept():
    folder = temp_folder()
    set_up(folder, '{"contrast": ')
    device = Device(folder)
    assert device.screen() == "Message"
    device.ok()
    assert device.screen() == "Home"
    device.to("Settings")
    device.ok(2)
    device.press(BIT_DOWN)
    device.ok()
    with open(folder + "/settings.json.bad") as file:
        assert file.read() == '{"contrast": '
    assert not device.errors


def test_the_language_is_that_of_the_settings_where_a_pack_has_it():
    folder = temp_folder()
    set_up(folder, '{"language": "de", "hints": 7}')
    device = Device(folder)
    assert device.app.games.languages() == ["de", "en"]
    device.begin(0)
    assert device.app.session.scenario.title() == "Der Überfall"
    device.hold(BIT_OK)
    device.to("Settings")
    device.ok()
    device.to("Language")
    device.ok()
    device.down()
    assert device.app.session.scenario.title() == "The raid"
    device.ok()
    assert not device.errors


def test_the_device_rolls_if_it_is_set_to():
    folder = temp_folder()
    set_up(folder, '{"entry": 1, "hints": 7}')
    device = Device(folder)
    device.begin(0)
    for _ in range(40):
        if device.screen() == "Dice":
            break
        device.ok()
    assert device.screen() == "Dice"
    before = device.state()
    device.ok()
    assert device.state() != before and device.app.toast.startswith("Ambush ")
    rolled = next(device.app.session.history())
    assert rolled.kind & REVEALED
    device.hold(BIT_BACK)
    assert device.state() == before
    undone = next(device.app.session.history())
    assert undone.kind & UNDONE and undone.kind & REVEALED
    device.press(BIT_UP)  # in hand after all
    device.ok(2)
    assert next(device.app.session.history()).kind & KIND == 3 and not device.errors


def test_conceding_and_confirming():
    device = Device(temp_folder())
    device.begin(0)
    device.ok(3)
    device.hold(BIT_OK)
    device.to("End the game")
    device.ok()
    device.to("Concede: Guards")
    device.ok()
    assert device.screen() == "Result" and device.app.session.state.data[2] == 16
    device.ok()
    assert device.app.session.state.confirmed(0) and not device.app.session.state.confirmed(1)
    device.hold(BIT_BACK)
    assert not device.app.session.state.confirmed(0)
    device.ok(2)
    assert device.app.session.state.confirmed(1) and device.screen() == "Result"
    device.ok()
    assert device.screen() == "Home" and not device.errors


def test_a_saved_game_is_deleted_only_by_another_key():
    device = Device(temp_folder())
    device.begin(0)
    device.ok(3)
    device.back()
    device.to("Saved games")
    device.ok()
    device.hold(BIT_OK)
    assert device.screen() == "Sure"
    device.ok(2)
    device.hold(BIT_OK)
    assert device.store.numbers() == [1]
    device.press(BIT_UP)
    device.down()
    device.press(BIT_UP)  # not twice in a row
    assert device.store.numbers() == [1]
    device.back()
    device.hold(BIT_OK)
    device.press(BIT_UP, 2)
    assert device.store.numbers() == [] and device.screen() == "Home"
    assert os.listdir(device.pack_folder + "/kept") == [] and not device.errors


def test_history_shows_what_was_done_and_goes_back_there():
    device = Device(temp_folder())
    device.begin(1)
    states = [device.state()]
    for _ in range(12):
        device.ok()
        states.append(device.state())
    count = device.app.session.records
    device.hold(BIT_OK)
    device.to("History")
    device.ok()
    page = device.app._stack[1]
    assert page._list.rows[0][0] and device.state() == states[12]
    device.down(count + 5)
    assert page._cursor == count - 1
    device.press(BIT_UP, count + 5)
    assert page._cursor == 0
    device.down(4)
    device.ok(2)
    assert device.state() == states[7] and device.app.toast.endswith("5 commands")
    device.hold(BIT_OK)
    device.to("Redo")
    device.ok()
    assert device.state() == states[12] and not device.errors


def test_a_full_disk_lets_a_new_game_be_played_in_memory():
    for code in (28, 30, 36):
        device = Device(temp_folder())

        def full(*args, code=code):
            raise OSError(code)

        device.store.new = full
        device.packs.keep = full
        device.begin(1)
        assert device.screen() == "Message" and len(device.errors) == 1
        device.ok(12)
        state = device.state()
        device.hold(BIT_BACK)
        assert device.state() != state
        device.app.home()
        device.step()
        assert device.screen() == "Sure" and device.app.session is not None  # leaving would lose it
        device.back()
        assert device.app.session is not None
        assert device.store.numbers() == [] and len(device.errors) == 1


def test_undo_works_while_nothing_can_be_saved():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)

    def full(data):
        raise OSError(28)

    log = device.app.session._log
    append = log.append
    log.append = full
    states = [device.state()]
    device.ok()
    device.ok()  # the message
    for _ in range(4):
        states.append(device.state())
        device.ok()
    for state in reversed(states[1:]):
        device.hold(BIT_BACK)
        assert device.state() == state
    device.hold(BIT_BACK)
    assert device.state() == states[0]
    log.append = append
    device.step(count=300)
    assert not device.app.session._unsaved


def test_a_damaged_or_foreign_pack_does_not_stop_a_game_that_kept_its_own():
    folder = temp_folder()
    device = Device(folder, packs=("ambush",))
    device.begin(0)
    device.ok(4)
    state = device.state()
    device.install("ambush", pack_path("wordy"))
    with open(device.pack_folder + "/ambush.tspk", "r+b") as file:
        file.write(b"nothing")
    again = Device(folder, packs=())
    again.ok()
    assert again.state() == state and not again.errors


class Buzzing(Device):
    """A device with a buzzer and a battery."""

    battery_low_mv = 3300

    def __init__(self, folder, **more):
        self.sounds = []
        self.buzzer = self.sounds.append
        self.supply_mv = 3900
        self.reads = 0
        super().__init__(folder, **more)

    def battery_mv(self):
        self.reads += 1
        return self.supply_mv

    def wait_s(self, seconds):
        self.now_ms = self.now_ms + seconds * 1000 & 0x3FFFFFFF
        self.step(count=2)


def test_the_buzzer_ticks_once_for_each_key_that_does_something():
    folder = temp_folder()
    device = Buzzing(folder)
    device.to("Settings")
    assert device.sounds == []  # off by default
    device.ok()
    device.to("Key ticks")
    device.ok()
    device.press(BIT_UP)
    device.ok()
    device.sounds.clear()
    device.down(3)
    assert device.sounds == [True, False] * 3
    device.wait_s(700)
    device.sounds.clear()
    device.press(BIT_DOWN)  # only wakes
    assert device.sounds == []
    assert Buzzing(folder).app.settings.get("ticks") == 1 and not device.errors


def test_without_a_buzzer_there_is_no_setting_for_it():
    device = Device(temp_folder())
    device.to("Settings")
    device.ok()
    assert "Key ticks" not in [row[0] for row in device.app._stack[0].list.rows]
    device.to("Language")
    device.ok()
    assert device.app._stack[len(device.app._stack) - 1]._name == "language" and not device.errors


def test_the_players_add_a_salt_before_the_first_shuffle():
    device = Device(temp_folder())
    device.begin(1)
    assert device.app.session.state.rng.unused()
    before = device.state()
    device.press(BIT_OK, ms=900)
    device.to("Salt")
    device.ok()
    device.press(BIT_UP, 3)
    device.ok()
    device.press(BIT_UP, 5)
    device.press(BIT_OK, ms=900)  # not a menu within a number
    device.app.back()
    device.press(BIT_OK, ms=900)
    device.to("Salt")
    device.ok()
    for times in (3, 5):
        device.press(BIT_UP, times)
        device.ok()
    at = O_RNG + SEED_BYTES
    assert device.state()[at : at + SALT_BYTES] == b"\x03\x00\x05\x00"
    assert device.state()[:at] == before[:at] and not device.errors
    device.app.session.state.rng.below(6)
    device.press(BIT_OK, ms=900)
    assert "Salt" not in [row[0] for row in device.app._stack[len(device.app._stack) - 1].list.rows]


def test_a_new_game_makes_room_among_those_that_are_over_and_pulled():
    folder = temp_folder()
    set_up(folder, '{"games_kept": 1, "hints": 255}')
    device = Device(folder)
    for number in range(1, 5):
        device.begin(1)
        device.app.do(END, (NOBODY,))
        device.app.home()
        end = device.store.open(number).end
        if number != 2:  # its result is nowhere else
            with open("%s/sessions/%04d/pulled" % (folder, number), "w") as file:
                file.write(str(end))
    assert device.app.games.numbers() == [4, 3, 2]
    device.begin(1)
    assert device.app.games.numbers() == [5, 4, 2] and not device.errors
    assert len(os.listdir(folder + "/packs/kept")) == 1


def test_a_low_battery_is_said_once_and_not_for_one_dip():
    device = Buzzing(temp_folder())
    for _ in range(20):
        device.wait_s(10)
    assert device.reads == 7  # every half minute
    device.supply_mv = 2500
    device.wait_s(30)
    device.supply_mv = 3900
    device.wait_s(30)
    assert not device.app.toast
    device.supply_mv = 3200
    said = 0
    for _ in range(20):
        device.wait_s(30)
        said += device.app.toast == "Battery low: 3.3 V" or device.app.toast == "Battery low: 3.2 V"
        device.down()  # takes it away
    assert said == 1
    device.supply_mv = 4000
    for _ in range(20):
        device.wait_s(30)
    device.supply_mv = 3000
    for _ in range(20):
        device.wait_s(30)
    assert device.app.toast.startswith("Battery low: 3.") and not device.errors


def test_about_shows_the_supply():
    device = Buzzing(temp_folder())
    device.to("About")
    device.ok()
    assert "Supply 3.9 V" in device.app._stack[1]._text._parts[0]
