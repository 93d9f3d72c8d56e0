"""A pack's own code: it runs on the agenda, asks, keeps its state in the session, and comes out of the pack alone."""

import sys

from support import SEED, Game, open_pack, raises
from test_app import Device, temp_folder

from tableside.core import commands, engine, load
from tableside.core.errors import PackError, RuleError
from tableside.core.log import MemoryLog
from tableside.core.session import Session
from tableside.core.titles import command_title, record_title
from tableside.ui.input import BIT_BACK


def nim(*answers):
    game = Game("nim/heap")
    give(game, *answers)
    return game


def give(game, *answers):
    for option in answers:
        game.session.do(commands.ANSWER, (option,))


def asked(game):
    return engine.asked(game.state)


def test_code_asks_and_takes_answers():
    game = nim()
    assert (asked(game).text, asked(game).secret, asked(game).side) == ("Will you win?", True, 0)
    give(game, 0, 1)
    assert list(game.state.code.data) == [9, 9, 0, 0]
    assert (asked(game).text, asked(game).options) == (
        "Take how many of 9?", ["one stone", "two stones", "three stones"])
    give(game, 2)
    assert asked(game).die and asked(game).options[3] == "takes 3"
    assert game.round() == 2
    give(game, 3)
    assert asked(game).text == "Take how many of 3?"


def test_the_game_ends_where_the_code_says_so():
    game = nim(0, 0, 2, 3, 0, 3)
    assert asked(game).options == ["one stone"]
    give(game, 0)
    assert game.session.over() and game.result() == "ben-wins"


def test_what_cannot_be_answered_is_refused():
    game = nim()
    for args in ((2,), (-1,)):
        assert str(raises(RuleError, game.session.do, commands.ANSWER, args)).startswith("no such answer")
    raises(RuleError, game.session.do, commands.ADVANCE)
    assert str(raises(RuleError, game.session.do, commands.THROW)) == "no dice are asked for now"
    other = Game("ambush/raid")
    assert str(raises(RuleError, other.session.do, commands.THROW)) == "no weapons in this game"
    assert str(raises(RuleError, other.session.do, commands.ANSWER, (0,))) == "nothing is asked now"


def test_undo_redo_and_resume_work_as_for_all():
    game = nim(0, 0, 2)
    seen = game.bytes
    game.session.do(commands.THROW)
    assert game.state.revealed
    after = game.bytes
    game.session.undo()
    assert game.bytes == seen
    game.session.redo()
    assert game.bytes == after
    game.session.save()
    again = Session.resume(open_pack("nim"), game.log)
    assert bytes(again.state.data) == after and again.digest == game.session.digest


def test_the_same_answers_give_the_same_bytes():
    first, second = nim(0, 1, 1), nim(0, 1, 1)
    for game in (first, second):
        game.session.do(commands.THROW)
    assert first.session.digest == second.session.digest


def test_a_secret_answer_stays_one():
    game = nim(1)
    record = next(game.session.history())
    assert record.owner == 0
    assert record_title(game.state, record) == "Ann: answer"
    give(game, 0)
    assert command_title(game.state, commands.ANSWER, (1,)) == "Heap: two stones"
    assert command_title(game.state, commands.ANSWER, (7,)) == "answer"
    give(game, 1)
    assert command_title(game.state, commands.ANSWER, (3,)) == "Heap: 3 takes 3"


def test_what_a_log_may_say_is_checked_by_the_code():
    game = nim(0, 0)
    game.state.code.data[0] = 10
    assert not game.state.sound()


def test_code_comes_from_its_pack_and_goes_again():
    load.forget()
    game = nim(0, 0)
    assert "games.nim.rules" in sys.modules and "games.nim.words" in sys.modules
    assert game.state.code.part("words") is sys.modules["games.nim.words"]
    assert str(raises(PackError, game.state.code.part, "nothing")) == "no such code in the pack: nothing"
    load.forget()
    assert not [name for name in sys.modules if name.startswith("games")]
    give(game, 0)  # it comes again when it is needed
    assert "games.nim.rules" in sys.modules


def test_a_session_without_code_loads_none():
    load.forget()
    game = Game("ambush/raid", SEED, MemoryLog())
    assert game.state.code is None
    assert not [name for name in sys.modules if name.startswith("games")]


def seen(device):
    from tableside.ui.canvas import Canvas

    canvas = Canvas()
    texts = []

    class Reader:
        width = canvas.width
        toast = ""

        def __getattr__(self, name):
            return getattr(canvas, name)

        def text(self, s, x, page, face, invert=False):
            texts.append(s)

        def right(self, s, x_end, page, face, invert=False):
            texts.append(s)

    device.app._stack[len(device.app._stack) - 1].draw(Reader())
    return " ".join(" ".join(texts).split())


def test_the_screens_of_questions():
    device = Device(temp_folder(), packs=("nim",))
    device.begin()
    assert device.screen() == "Ask" and "Pass the device" in seen(device) and "Ann" in seen(device)
    device.ok()
    assert "Will you win?" in seen(device)
    device.back()
    assert "Pass the device" in seen(device) and not device.app._stack[0].secret
    device.ok(2)
    assert "Ben" in seen(device)
    device.ok(2)
    assert "Take how many of 9?" in seen(device) and "OK one stone" in seen(device)
    device.down(2)
    assert "OK three stones" in seen(device)
    device.down()
    device.ok()
    assert device.screen() == "Board" and "takes 0" in seen(device)
    device.back()
    device.press(BIT_BACK)
    device.down(2)
    device.ok()
    assert "The wind takes" in seen(device) and "3" in seen(device) and "takes 3" in seen(device)
    device.ok()
    assert "Take how many of 3?" in seen(device)
    device.hold(BIT_BACK)
    assert "Undone: Heap: 3 takes 3" in device.app.toast
    device.back(2)
    device.back(2)
    assert device.errors == []


def test_leaving_the_game_drops_the_code():
    device = Device(temp_folder(), packs=("nim",))
    device.begin()
    assert "games.nim.rules" in sys.modules
    device.back()
    assert device.screen() == "Home"
    assert "games.nim.rules" not in sys.modules
    device.ok()
    assert device.screen() == "Ask" and device.errors == []


def test_the_device_rolls():
    device = Device(temp_folder(), packs=("nim",))
    device.app.settings.set("entry", 1)
    device.begin()
    device.ok(5)
    assert "OK roll" in seen(device)
    device.ok()
    assert "Heap: " in device.app.toast and device.errors == []


def test_a_correction_by_hand():
    game = nim(0, 0, 2)
    give(game, 100)
    assert game.state.code.data[0] == 7 and asked(game).die  # the question stays
    assert str(raises(RuleError, game.session.do, commands.ANSWER, (101,))) == "no such correction: 1"
    assert command_title(game.state, commands.ANSWER, (100,)) == "One stone back"
    device = Device(temp_folder(), packs=("nim",))
    device.begin()
    device.ok(4)
    device.to("By hand")
    device.ok(2)
    assert device.screen() == "Ask" and device.app.session.state.code.data[0] == 9 and device.errors == []
