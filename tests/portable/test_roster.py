"""The roster: fielding units, losing wounds and models, flags by rounds, numbers by hand, and its screens."""

from support import Game, raises
from test_app import Device, temp_folder

from tableside.core import commands
from tableside.core.errors import RuleError
from tableside.core.fields import expand, unit_name
from tableside.core.roster import (
    BY_NUMBERS,
    FEEL_NO_PAIN,
    FLAG,
    FLAGS,
    INVULNERABLE,
    KIND,
    MODELS,
    MODELS_LEFT,
    SAVE,
    SIDE,
    SLOT_BYTES,
    TOUGHNESS,
    WOUNDS,
    WOUNDS_LOST,
)
from tableside.core.state import LAYOUT, O_STEP
from tableside.core.titles import command_title
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP

RAID = "ambush/raid"
GUARDS, CULT = 0, 1
GUARD, HYBRIDS = 0, 1  # slots at the start


def slot_bytes(state, slot):
    return [state.roster.get(slot, what) for what in range(SLOT_BYTES)]


def strength(game, slot):
    """(models left, wounds lost of the one that is hurt)."""
    return game.state.roster.get(slot, MODELS_LEFT), game.state.roster.get(slot, WOUNDS_LOST)


def reason(game, kind, *args):
    """Why a command is refused."""
    verdict, text = game.session.check(kind, args)
    assert verdict == commands.NO
    raises(RuleError, game.session.do, kind, args)
    return text


# The core.


def test_units_that_stand_at_the_start_are_at_the_end_of_the_state():
    game = Game(RAID)
    assert game.state.data[0] == LAYOUT == 2
    size = 5 * SLOT_BYTES
    slots = list(game.bytes[len(game.bytes) - size :])
    assert slots[:SLOT_BYTES] == [0, GUARDS, 1, 0, 0, 1, 7, 4, 3, 5, 0]
    assert slots[SLOT_BYTES : 2 * SLOT_BYTES] == [1, CULT, 5, 0, 0, 5, 2, 0, 5, 0, 6]
    assert slots[2 * SLOT_BYTES :] == [255] + [0] * 10 + [255] + [0] * 10 + [255] + [0] * 10
    assert Game("squad/alone").state.roster.slots == 6


def test_lost_wounds_take_models_off_and_healing_brings_them_back():
    game = Game(RAID)
    for lost, expected in ((1, (5, 1)), (2, (4, 0)), (7, (2, 1)), (10, (0, 0)), (9, (1, 1)), (0, (5, 0))):
        game.unit(HYBRIDS, WOUNDS_LOST, lost)
        assert strength(game, HYBRIDS) == expected
        assert game.state.roster.lost(HYBRIDS) == lost
    assert reason(game, commands.UNIT, HYBRIDS, WOUNDS_LOST, 11) == "must be 0..10: 11"
    assert reason(game, commands.UNIT, HYBRIDS, WOUNDS_LOST, -1) == "must be 0..10: -1"
    game.unit(HYBRIDS, WOUNDS_LOST, 3)
    game.unit(HYBRIDS, MODELS_LEFT, 2)  # two more fled
    assert strength(game, HYBRIDS) == (2, 1)
    game.unit(HYBRIDS, MODELS_LEFT, 0)
    assert strength(game, HYBRIDS) == (0, 0)
    assert game.state.roster.used(HYBRIDS) and unit_name(game.state, HYBRIDS) == "Hybrids"


def test_numbers_by_hand_keep_what_was_lost():
    game = Game(RAID)
    game.unit(HYBRIDS, WOUNDS_LOST, 3)
    game.unit(HYBRIDS, MODELS, 10)
    assert strength(game, HYBRIDS) == (9, 1)
    game.unit(HYBRIDS, WOUNDS, 1)
    assert strength(game, HYBRIDS) == (9, 0)
    game.unit(HYBRIDS, MODELS, 1)
    assert strength(game, HYBRIDS) == (0, 0)
    for what, value in ((TOUGHNESS, 5), (SAVE, 0), (INVULNERABLE, 4), (FEEL_NO_PAIN, 5)):
        game.unit(GUARD, what, value)
    assert slot_bytes(game.state, GUARD) == [0, GUARDS, 1, 0, 0, 1, 7, 5, 0, 4, 5]
    assert reason(game, commands.UNIT, GUARD, SAVE, 8) == "must be 0..7: 8"
    for what in (KIND, SIDE, FLAGS, SLOT_BYTES, FLAG + 2):
        assert reason(game, commands.UNIT, GUARD, what, 0).startswith("nothing to set")


def test_units_are_fielded_into_the_first_free_slot_and_removed():
    game = Game(RAID)
    roster = game.state.roster
    assert reason(game, commands.FIELD, CULT, 0) == "a unit of another side: Guard"
    assert reason(game, commands.FIELD, CULT, 3) == "no such unit: 3"
    assert reason(game, commands.FIELD, 2, 0) == "no such side: 2"
    game.field("cult", "servo-skull")
    game.session.do(commands.FIELD, (GUARDS, BY_NUMBERS, 3, 2, 4, 3, 0, 5))
    game.field("cult", "hybrids")
    assert slot_bytes(game.state, 3) == [BY_NUMBERS, GUARDS, 3, 0, 0, 3, 2, 4, 3, 0, 5]
    assert [unit_name(game.state, i) for i in range(5)] == ["Guard", "Hybrids #2", "Servo skull", "#4", "Hybrids #5"]
    assert reason(game, commands.FIELD, GUARDS, 0) == "no free slot: 5"
    assert (roster.in_action(GUARDS), roster.in_action(CULT)) == ((2, 4), (3, 11))
    game.session.do(commands.REMOVE, (1,))
    assert not roster.used(1) and slot_bytes(game.state, 1) == [255] + [0] * 10
    assert reason(game, commands.REMOVE, 1) == "no unit there: 1"
    assert reason(game, commands.UNIT, 1, MODELS_LEFT, 0) == "no unit there: 1"
    game.field("guards", "guard")
    assert slot_bytes(game.state, 1)[:3] == [0, GUARDS, 1]
    for _ in range(5):
        game.session.undo()
    assert game.bytes == Game(RAID).bytes


def test_without_slots_nothing_is_fielded():
    game = Game(RAID)
    game.session.scenario.slots = game.state.roster.slots = 0
    assert reason(game, commands.FIELD, GUARDS, 0) == "no free slot: 0"
    assert reason(game, commands.UNIT, 0, MODELS_LEFT, 0) == "no unit there: 0"


def test_flags_of_the_round_are_cleared_when_a_round_begins():
    game = Game(RAID)
    game.advance()
    for slot in (GUARD, HYBRIDS):
        game.unit(slot, "activated", 1)
        game.unit(slot, "engaged", 1)
    game.unit(GUARD, "engaged", 0)
    assert [game.state.roster.get(slot, FLAGS) for slot in (GUARD, HYBRIDS)] == [1, 3]
    game.jump("launch", 1)
    assert [game.state.roster.get(slot, FLAGS) for slot in (GUARD, HYBRIDS)] == [1, 3]
    game.choose("launch")
    game.enter(1, 1)
    assert game.round() == 2
    assert [game.state.roster.get(slot, FLAGS) for slot in (GUARD, HYBRIDS)] == [0, 2]
    assert slot_bytes(game.state, 2) == [255] + [0] * 10


def test_conditions_and_texts_count_units_in_action():
    game = Game(RAID)
    game.advance()
    game.jump("launch", 1)
    game.unit(HYBRIDS, WOUNDS_LOST, 3)
    prompt = game.pack.text(game.session.scenario.step(game.state.data[O_STEP])[2])
    assert expand(game.state, prompt) == "4 in hand, 4 models. Reveal"
    assert "launch" in game.offers()
    game.unit(HYBRIDS, MODELS_LEFT, 0)
    assert "launch" not in game.offers()
    game.unit(HYBRIDS, MODELS_LEFT, 1)
    assert "launch" in game.offers()


def test_titles_of_commands():
    state = Game(RAID).state
    for kind, args, title in (
        (commands.FIELD, (CULT, 1), "Cult + Hybrids"),
        (commands.FIELD, (GUARDS, BY_NUMBERS, 5, 2, 4, 3, 0, 0), "Guards + 5 x 2"),
        (commands.UNIT, (HYBRIDS, WOUNDS_LOST, 2), "Hybrids: wounds lost 2"),
        (commands.UNIT, (GUARD, FEEL_NO_PAIN, 5), "Guard: feel no pain 5"),
        (commands.UNIT, (HYBRIDS, FLAG, 1), "Hybrids + activated"),
        (commands.UNIT, (HYBRIDS, FLAG + 1, 0), "Hybrids - engaged"),
        (commands.REMOVE, (GUARD,), "Guard: remove"),
        (commands.REMOVE, (4,), "#5: remove"),  # undone or done again: the slot is empty
    ):
        assert command_title(state, kind, args) == title


# The screens.


def at_the_roster():
    """A device with the ambush pack on its roster: Guards, Guard, Cult, Hybrids."""
    device = Device(temp_folder())
    device.begin(0)
    device.ok(3)
    device.down(3)
    device.ok()
    assert device.screen() == "Roster"
    return device


def top(device):
    return device.app._stack[len(device.app._stack) - 1]


def rows(device):
    return top(device).list.rows


def test_the_roster_lists_side_after_side():
    device = at_the_roster()
    assert rows(device) == [("Guards:", "+"), ("Guard", "7/7"), ("Cult:", "+"), ("Hybrids", "5/5")]
    roster = device.app.session.state.roster
    roster.set(GUARD, WOUNDS_LOST, 3)
    roster.set(HYBRIDS, WOUNDS_LOST, 5)
    for slot in (GUARD, HYBRIDS):
        roster.set(slot, FLAG, 1)
        roster.set(slot, FLAG + 1, 1)
    assert [right for _, right in top(device).rows()] == ["+", "AE 4/7", "+", "AE 3/5 w1"]
    roster.set(HYBRIDS, MODELS, 12)
    roster.set(GUARD, MODELS_LEFT, 0)
    assert [right for _, right in top(device).rows()] == ["+", "AE ☠", "+", "A 10/12 w1"]  # as many marks as fit
    assert not device.errors


def test_wounds_are_counted_off_and_the_unit_stays_on_the_screen():
    device = at_the_roster()
    device.down(3)
    device.ok()
    assert device.screen() == "UnitPage" and top(device).title == "Hybrids"
    device.ok()
    device.press(BIT_UP, 3)
    assert top(device).note(3) == "4/5 w1"
    device.ok()
    assert device.screen() == "UnitPage" and rows(device)[:2] == [("Wounds lost", "3"), ("Models left", "4/5")]
    device.ok()
    device.press(BIT_UP, 40)
    assert top(device).note(10) == "☠"
    device.press(BIT_DOWN, 9)
    device.step(count=1000)  # a pause sets it too
    assert device.screen() == "UnitPage" and rows(device)[0] == ("Wounds lost", "1")
    before = device.app.session.records
    device.ok()
    device.press(BIT_UP)
    device.back()
    device.ok(2)
    assert device.screen() == "UnitPage" and device.app.session.records == before  # left as it was
    device.down(2)
    device.ok()
    assert rows(device)[2] == ("activated", "\u2713") and top(device).list.cursor == 2
    device.ok()
    assert rows(device)[2] == ("activated", "-")
    device.back()
    assert device.screen() == "Roster" and top(device).list.cursor == 3
    device.hold(BIT_BACK)
    assert device.screen() == "Play" and device.app.toast == "Undone: Hybrids - activated"
    assert not device.errors


def test_numbers_are_shown_where_they_are_and_changed():
    device = at_the_roster()
    device.down()
    device.ok()
    assert rows(device)[4:] == [
        ("Models", "1"), ("Wounds each", "7"), ("Toughness", "4"), ("Save", "3+"), ("Invulnerable", "5+"),
        ("Remove", "")]
    device.down(7)
    device.ok()
    device.press(BIT_UP)
    assert top(device).shown(4) == "4+"
    device.ok()
    assert rows(device)[7] == ("Save", "4+")
    device.down(2)
    device.ok()
    assert device.screen() == "Roster" and rows(device) == [("Guards:", "+"), ("Cult:", "+"), ("Hybrids", "5/5")]
    assert top(device).list.cursor == 0
    assert not device.errors


def test_a_preset_is_two_presses_away():
    device = at_the_roster()
    device.ok()
    assert device.screen() == "AddUnit" and rows(device) == [("Guard", ""), ("Servo skull", ""), ("By numbers", ">")]
    device.ok()
    assert rows(device)[:3] == [("Guards:", "+"), ("Guard #1", "7/7"), ("Guard #3", "7/7")]
    assert top(device).list.cursor == 0
    device.down(3)
    device.ok()
    assert rows(device)[0] == ("Hybrids", "\xd75")
    device.back()
    assert device.screen() == "Roster"
    for _ in range(2):
        device.ok(2)
    before = device.app.session.records
    device.ok(2)
    assert device.app.toast.startswith("no free slot") and device.app.session.records == before
    assert not device.errors


def test_a_unit_by_numbers_is_asked_for_one_by_one():
    device = at_the_roster()
    device.ok()
    device.down(2)
    device.ok()
    assert device.screen() == "ByNumbers"
    device.press(BIT_UP, 4)
    device.step(count=1200)  # no pause goes on by itself
    device.ok()
    device.press(BIT_UP)
    device.back()  # the models once more
    device.press(BIT_DOWN)
    device.ok(3)
    device.press(BIT_DOWN, 3)
    assert top(device).shown(0) == "none"
    device.ok(3)
    assert device.screen() == "Roster" and rows(device)[2] == ("#3", "4/4")
    assert slot_bytes(device.app.session.state, 2) == [BY_NUMBERS, GUARDS, 4, 0, 0, 4, 1, 4, 0, 0, 0]
    device.down(2)
    device.ok()
    assert [name for name, _ in rows(device)[4:]] == [
        "Models", "Wounds each", "Toughness", "Save", "Invulnerable", "Feel no pain", "Remove"]
    device.back()
    device.ok()
    device.back()
    assert device.screen() == "Roster"
    assert not device.errors


def test_the_menu_leads_to_the_roster_and_a_game_that_is_over_keeps_it():
    device = at_the_roster()
    device.hold(BIT_OK)
    device.to("Units")
    device.ok()
    assert device.screen() == "Roster"
    device.app.do(commands.END, (255,))
    device.app.go("roster.Roster")
    before = device.state()
    device.ok(2)
    assert device.screen() == "AddUnit" and device.app.toast == "the game is over"
    device.back()
    device.down()
    device.ok()
    device.down(2)
    device.ok()
    assert device.screen() == "UnitPage" and device.state() == before
    assert not device.errors
