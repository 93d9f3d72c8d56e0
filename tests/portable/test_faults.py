"""Faults in the middle of things: no memory, a flash that fails to read or write, a fresh app on a device in use."""

import os

from support import Game, raises
from test_app import FIRST_ACTIVATION, Device, temp_folder

from tableside.core import session as sessions
from tableside.core.session import Session
from tableside.hw import files, store
from tableside.hw import log as logs
from tableside.rules import resolver
from tableside.ui.app import App
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP


class Fails:
    """In the place of a function of a module or an object, until `end`: raises an error instead of calling it."""

    def __init__(self, module, name, error, times=1000000):
        self._module, self._name, self._error, self._times = module, name, error, times
        self._call = getattr(module, name)
        setattr(module, name, self)

    def __call__(self, *args):
        if self._times:
            self._times -= 1
            raise self._error
        return self._call(*args)

    def end(self):
        setattr(self._module, self._name, self._call)


def same_after_a_restart(folder, device):
    device.step(count=500)
    state, digest = device.state(), device.app.session.digest
    again = Device(folder)
    again.ok()
    assert again.state() == state and again.app.session.digest == digest and not again.errors
    return again


def test_without_memory_for_its_record_a_command_does_nothing():
    for name in ("encode", "Record"):
        game = Game("nemesis/erosion-of-power")
        game.choose("large")
        game.session.undo()
        before = game.bytes, game.session.records, game.session.digest, bytes(game.session._unsaved)
        fault = Fails(sessions, name, MemoryError(), 1)
        raises(MemoryError, game.choose, "medium")
        fault.end()
        assert (game.bytes, game.session.records, game.session.digest, bytes(game.session._unsaved)) == before
        game.session.redo()
        fault = Fails(sessions, "encode", MemoryError(), 1)
        before = game.bytes
        raises(MemoryError, game.session.undo)
        fault.end()
        assert game.bytes == before
        game.choose("done")
        game.session.save()
        assert Session.resume(game.pack, game.log, resolver).state.data == game.session.state.data


def test_a_flash_that_fails_to_write_and_then_to_read_spoils_nothing():
    folder = temp_folder()
    device = Device(folder)
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    log = device.app.session._log
    log._file.close()
    log._file = None
    logs.open = _broken_open
    try:
        device.ok()
        device.ok(4)
        device.hold(BIT_BACK)
        device.ok(2)
    finally:
        del logs.open
    assert device.errors and all(isinstance(error, OSError) for error in device.errors)
    same_after_a_restart(folder, device)


def _broken_open(path, mode):
    if path.endswith("tail"):
        raise OSError(5)
    return open(path, mode)


def test_a_failed_look_at_the_files_deletes_no_game():
    folder = temp_folder()
    device = Device(folder)
    device.begin(1)
    device.ok(4)
    device.back()
    device.down()

    class Os:
        """The module `os` with a `stat` that fails for the head of a game."""

        def stat(self, path):
            if path.endswith("0001/head"):
                raise OSError(5)
            return os.stat(path)

        def __getattr__(self, name):
            return getattr(os, name)

    for module in (files, logs, store):
        module.os = Os()
    try:
        device.begin(0)
        assert device.screen() == "Message"  # played in memory
    finally:
        for module in (files, logs, store):
            module.os = os
    assert 1 in Device(folder).store.numbers()


def test_no_copy_of_a_pack_is_dropped_while_a_game_cannot_be_read():
    folder = temp_folder()
    device = Device(folder, ("ambush",))
    device.begin(0)
    device.ok(4)
    device.back()
    fault = Fails(device.store, "head", OSError(5))
    device.packs.drop(device.app.games._hashes())
    fault.end()
    assert len(os.listdir(folder + "/packs/kept")) == 1


def test_a_damaged_installed_pack_does_not_hide_the_copy_of_a_game():
    folder = temp_folder()
    device = Device(folder, ("ambush",))
    device.begin(0)
    device.ok(4)
    state = device.state()
    with open(device.pack_folder + "/ambush.tspk", "r+b") as file:
        file.seek(400)
        file.write(b"nothing")
    again = Device(folder, ())
    again.ok()
    assert again.state() == state


def test_a_checkpoint_that_fails_is_tried_again_and_nobody_is_told():
    device = Device(temp_folder())
    device.begin(1)
    fault = Fails(device.app.session._log, "save_checkpoint", OSError(28))
    session = device.app.session
    while session.records < 80:
        session.do(5 if session.records < 0 else 6, (0, session.records % 3))
        device.step()
    assert not device.errors and not session._unsaved and not session._log.checkpoint()
    fault.end()
    session.do(6, (0, 5))
    device.step()
    assert session._log.checkpoint()


def test_settings_are_saved_while_a_game_cannot_be_and_it_can_be_left():
    folder = temp_folder()
    device = Device(folder)
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    fault = Fails(device.app.session._log, "append", OSError(28))
    device.ok(2)
    device.app.settings.set("contrast", 3)
    device.app.settings.save_later()
    device.step(count=300)
    assert Device(folder, ()).app.settings.get("contrast") == 3
    device.app.home()
    device.step()
    assert device.screen() == "Sure"
    device.press(BIT_UP, 2)
    assert device.screen() == "Home" and device.app.session is None
    fault.end()
    device.ok()
    assert device.screen() == "Play"  # all that had been saved


def test_a_fresh_app_on_a_device_in_use_fits_it():
    folder = temp_folder()
    device = Device(folder)
    device.app.settings.set("left_handed", 1)
    device.app.orient()
    device.step()
    assert device.display._setup[1] == 0xA0
    device.app.settings.set("left_handed", 0)
    device.now_ms = 0x30000000
    device.lamp(True)
    device.app = App(device, device.now_ms)
    device.step(count=10)
    assert device.display._setup[1] == 0xA1 and not device.led
    assert not device.app._panel.asleep()
    device.ok()
    assert device.screen() == "ChooseGame"


def test_the_contrast_is_right_after_the_display_was_away():
    device = Device(temp_folder())
    device.now_ms += 70000
    device.step()
    device.bus.broken = True
    device.press(BIT_DOWN)
    device.bus.broken = False
    device.step(count=300)
    assert device.display._contrast[1] == 255 and device.display._setup[4] == 255 and not device.led


def test_a_refused_number_is_told_once():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(FIRST_ACTIVATION)
    device.app.do(11, (255,))
    device.app.go("counters.Counters")
    device.step()
    device.ok()
    device.press(BIT_UP)
    drawn = []
    draw = device.app._draw
    device.app._draw = lambda event: drawn.append(draw(event))
    device.step(count=1200)
    assert len(drawn) == 1 and device.app.toast == "the game is over"


def test_an_option_is_kept_or_restored_however_it_is_left():
    folder = temp_folder()
    device = Device(folder)
    device.begin(0)
    device.ok(3)
    before = device.state()
    device.hold(BIT_OK)
    device.to("Settings")
    device.ok(2)
    device.press(BIT_DOWN, 4)
    device.hold(BIT_BACK)
    assert device.app.settings.get("contrast") == 10 and device.screen() == "Options"
    device.ok()
    device.press(BIT_DOWN, 4)
    device.hold(BIT_OK)
    assert device.screen() == "Option"
    device.ok()
    device.back()
    assert device.screen() == "Play" and device.state() == before
    assert Device(folder).app.settings.get("contrast") == 6
    for chosen in ("de", "en"):
        device.hold(BIT_OK)
        device.to("Settings")
        device.ok()
        device.to("Language")
        device.ok()
        device.press(BIT_UP if chosen == "de" else BIT_DOWN)
        device.ok()
        device.back()
        assert ("gezogen" in device.app._stack[0]._prompt) == (chosen == "de")


def test_the_page_of_saved_games_that_has_become_empty_is_left():
    device = Device(temp_folder())
    for _ in range(21):
        device.app.begin("ambush", 0)
        device.step(count=2)
        device.app.home()
        device.step()
    device.to("Saved games")
    device.ok()
    device.to("Older games")
    device.ok()
    assert len(device.app._stack[2].list.rows) == 1
    device.hold(BIT_OK)
    device.press(BIT_UP, 2)
    assert device.screen() == "SavedGames" and len(device.app._stack[1].list.rows) == 20
    fault = Fails(device.store, "remove", OSError(30))
    device.hold(BIT_OK)
    device.press(BIT_UP, 2)
    assert device.screen() == "Message" and len(device.store.numbers()) == 20
    fault.end()


def test_a_chord_that_comes_apart_deletes_nothing():
    device = Device(temp_folder(), keys=3)
    device.begin(0)
    device.press(BIT_UP | BIT_DOWN)
    device.to("Saved games")
    device.ok()
    device.hold(BIT_OK)
    device.step(BIT_UP, count=12)
    device.step(BIT_UP | BIT_DOWN, count=20)
    device.step(count=12)
    assert device.store.numbers() == [1]


def test_a_long_back_drops_an_entry_before_it_undoes():
    device = Device(temp_folder())
    device.begin(0)
    device.ok(3)
    before = device.state()
    device.app.go("counters.Edit", 0)
    device.step()
    device.press(BIT_UP, 2)
    device.hold(BIT_BACK)
    assert device.screen() == "Edit" and device.state() == before and device.app.toast == "Not taken"
    device.app.ask("?", "Sure?", lambda: None)
    device.step()
    device.hold(BIT_BACK)
    assert device.screen() == "Edit" and device.state() == before
    device.hold(BIT_BACK)
    assert device.state() != before and not device.errors


def test_one_back_too_many_in_the_dice_stays_there():
    device = Device(temp_folder())
    device.begin(0)
    for _ in range(40):
        if device.screen() == "Dice":
            break
        device.ok()
    before = device.state()
    device.press(BIT_UP)
    device.ok()
    device.back(3)
    assert device.screen() == "Dice" and device.app._stack[0]._faces[0] == 5
    device.hold(BIT_BACK)
    assert device.screen() == "Dice" and device.app._stack[0]._faces[0] == 4 and device.state() == before
    device.hold(BIT_BACK)
    assert device.state() != before and not device.errors


def test_the_pause_of_an_edit_begins_anew_after_the_menu():
    device = Device(temp_folder())
    device.begin(0)
    device.ok(3)
    device.app.go("counters.Edit", 0)
    device.step()
    device.press(BIT_UP)
    device.hold(BIT_OK)
    device.step(count=1000)
    device.back()
    device.step(count=100)
    assert device.screen() == "Edit" and device.app.session.state.counter(0) == 0
    device.step(count=800)
    assert device.app.session.state.counter(0) == 1


def test_the_seed_comes_when_both_have_confirmed():
    device = Device(temp_folder())
    device.begin(0)
    device.ok(3)
    device.app.do(11, (255,))
    for shown in (False, False, True):
        page = device.app._stack[0]
        assert any(part.startswith("Seed") for part in page._more._parts) == shown
        device.ok()


def test_strange_entries_among_the_saved_games_keep_nobody_from_playing():
    folder = temp_folder()
    device = Device(folder)
    os.mkdir(folder + "/sessions")
    for name in ("7", "0003", "0003/sub", "0009"):
        os.mkdir(folder + "/sessions/" + name)
    with open(folder + "/sessions/0011", "w") as file:
        file.write("?")
    device.begin(0)
    assert device.screen() == "Checklist" and device.store.numbers() == [12] and not device.errors
    os.mkdir(folder + "/sessions/0012/sub")
    device.back()
    device.store.remove(12)
    assert device.store.numbers() == []


def test_a_kept_copy_that_is_damaged_does_not_hide_the_installed_pack():
    folder = temp_folder()
    device = Device(folder, ("ambush",))
    device.begin(0)
    device.ok(4)
    state = device.state()
    kept = device.pack_folder + "/kept/" + os.listdir(device.pack_folder + "/kept")[0]
    with open(kept, "wb") as file:
        file.write(b"half")
    again = Device(folder, ())
    again.ok()
    assert again.state() == state
