"""What may be done now, on the screens: one menu press from any step, whose it is, why not the others, by hand."""

from test_deck_screens import choose, top
from test_long_texts import Reader

from tableside.core import roster
from tableside.ui.input import BIT_BACK, BIT_OK


def ford(steps=0):
    """A device with red to move, then on by so many presses."""
    device = Reader(("skirmish",))
    device.begin()
    device.ok(1 + steps)
    return device


def words(device):
    return " ".join(s for _, _, s in device.drawn)


def rows(device):
    return [(left + " " + right).strip() for left, right in top(device).list.rows]


def list_of(device):
    """Open the list with one press in the menu."""
    device.hold(BIT_OK)
    device.ok()
    assert device.screen() == "Abilities"
    return rows(device)


def counter(device, i):
    return device.app.session.state.counter(i)


def test_one_menu_press_lists_what_is_legal_by_side():
    device = ford()
    assert list_of(device) == ["Red CP 3", "Again 1 CP", "Oath", "Vow", "Blue CP 1", "Again 1 CP"]
    assert top(device).list.cursor == 1
    device.ok()
    assert device.screen() == "Use"
    assert "Roll one die again." in words(device) and "OK use 1 CP" in words(device)
    device.back()
    assert counter(device, 0) == 3
    device.ok()
    device.ok()
    assert (device.screen(), counter(device, 0)) == ("Play", 2)
    assert list_of(device)[:2] == ["Red CP 2", "Oath"]
    device.back()
    device.hold(BIT_BACK)
    assert counter(device, 0) == 3


def test_the_others_say_why_not_and_may_be_used_by_hand():
    device = ford()
    list_of(device)
    choose(device, "Blue")
    assert device.screen() == "Others"
    assert rows(device)[:3] == ["Ambush: not in round: 1", "Oath: only in your turn", "Vow: only in your turn"]
    assert "Scare: not in this step" in rows(device)[3:]
    choose(device, "Ambush")
    assert device.screen() == "OnWhom" and rows(device)[-1] == "no unit"
    choose(device, "Ogre")
    assert "OK use" in words(device)
    device.ok()
    assert (device.screen(), counter(device, 1)) == ("Play", 0)


def test_what_the_device_cannot_know_is_asked_before_it_is_used():
    device = ford()
    device.app.session.do(7, (1, 2))  # round 2
    device.app.show_session()
    list_of(device)
    choose(device, " Ambush")
    assert 'Is a red unit within 6"?' in words(device)
    device.ok()
    assert counter(device, 1) == 0


def test_a_unit_is_picked_and_what_is_in_force_is_listed_and_ended():
    device = ford(1)
    assert words(device).count("Aim")
    device.ok()  # the action of the step
    assert device.screen() == "OnWhom"
    assert rows(device) == ["Guard #1 5/5", "Guard #2 5/5"]
    device.ok()
    assert device.screen() == "Play"
    list_of(device)
    choose(device, " Volley")
    device.ok()
    assert counter(device, 0) == 1
    device.to("In force")
    device.ok()
    assert rows(device) == ["Aim > Guard #1", "Volley > Guard #2: Shoots twice."]
    device.ok()
    assert device.app.session.state.abilities.in_force() == [(3, 1)]


def test_a_game_without_abilities_has_no_such_rows():
    device = Reader(("ambush",))
    device.begin()
    device.hold(BIT_OK)
    assert top(device).list.rows[0][0] != "Use now"


def test_a_dead_unit_is_no_target():
    device = ford(1)
    device.app.session.do(13, (0, roster.MODELS_LEFT, 0))
    device.app.show_session()
    device.ok()
    assert device.screen() == "Play"
    assert device.app.session.state.abilities.in_force() == [(2, 1)]
