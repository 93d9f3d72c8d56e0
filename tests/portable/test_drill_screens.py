"""The screens of guides and builders: walked and built with keys only."""

from test_deck_screens import top
from test_long_texts import Reader

from tableside.core import guide, roster
from tableside.core.fields import unit_name
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP


def drill():
    """A device in the drill."""
    device = Reader(("drill",))
    device.begin()
    return device


def choose(device, text):
    """Go to the row that begins with a text, and press OK."""
    rows = top(device).list
    at = [row[0][: len(text)] for row in rows.rows].index(text)
    device.press(BIT_UP, rows.cursor - at)
    device.down(at - rows.cursor)
    device.ok()


def state(device):
    return device.app.session.state


def build(device, *labels):
    """Open the builder of the machine and pick options, then go on where a page may have several."""
    device.app.go("roster.AddUnit", 1)
    choose(device, "Walker")
    choose(device, "Build your own")
    for label in labels:
        choose(device, label)


def test_a_guide_is_walked_with_ok_and_back():
    device = drill()
    device.ok()
    device.press(BIT_BACK)
    device.press(BIT_BACK)
    assert guide.place(state(device)) == (0, 3, guide.ASKED)
    device.press(BIT_OK)
    assert guide.place(state(device))[2] == guide.SHOWN
    device.press(BIT_BACK)
    assert guide.place(state(device)) is None and type(top(device)).__name__ == "Play"


def test_ok_under_an_attack_begins_it_and_down_goes_on_without():
    device = drill()
    device.ok(3)
    assert type(top(device)).__name__ == "Attacks"
    device.press(BIT_BACK)
    assert type(top(device)).__name__ == "Guide" and guide.place(state(device))[2] == guide.ATTACKED
    device.ok()
    assert guide.place(state(device)) == (0, 2, guide.ASKED)
    device.app.undo(2)
    device.press(BIT_DOWN)
    assert guide.place(state(device)) == (0, 2, guide.ASKED)


def test_a_unit_is_built_page_by_page():
    device = drill()
    build(device, "Heavy", "Gun")
    assert top(device).list.cursor == 1  # it may be picked twice
    choose(device, "Gun")
    assert top(device).list.cursor == 0
    for label in ("Gun", "Gun"):  # off, and once
        choose(device, label)
    choose(device, "Go on")
    device.press(BIT_BACK)
    device.press(BIT_UP, 2)
    assert top(device).list.cursor == 3  # "Twin", the last one
    device.ok()
    for label in ("Go on", "Tough", "Go on"):
        choose(device, label)
    device.ok()
    units = state(device).roster
    assert units.built(0) == (0, [1, 2, 4, 5]) and units.get(0, roster.WOUNDS) == 55
    assert unit_name(state(device), 0) == "Walker"


def test_what_cannot_be_is_said_at_the_end_and_back_goes_a_page_back():
    device = drill()
    build(device, "Light", "Twin")
    assert device.app.toast == "Twin: first pick from: Weapons"
    build(device, "Light", "Gun", "Go on", "Go on")
    assert top(device).list.rows[0][0] == "Left must be 0, got: 1"
    device.ok()
    assert not state(device).roster.used(0)
    device.press(BIT_BACK)
    choose(device, "Tough")
    choose(device, "Go on")
    device.ok()
    assert state(device).roster.built(0) == (0, [0, 2, 5])


def test_an_example_is_built_with_few_presses_and_shows_what_it_has():
    device = drill()
    device.app.go("roster.AddUnit", 1)
    choose(device, "Walker")
    choose(device, "Old Iron")
    device.ok()
    assert state(device).roster.built(0) is not None
    device.app.go("roster.UnitPage", 0)
    assert top(device).list.rows[-1][0] == "Built: Heavy, Cannon, Twin"
