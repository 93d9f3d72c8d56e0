"""The dice tools: what they roll, how few presses they take, and that a game does not notice them."""

from test_app import Device, idle, temp_folder

from tableside.core.rng import Rng
from tableside.core.rolls import MOST_DICE, SIDES, Roll, own_rng, title, to_front
from tableside.ui.average import hundredths
from tableside.ui.input import BIT_BACK, BIT_OK, BIT_UP
from tableside.ui.roll_words import roll_words
from tableside.ui.roller import lay_out

SEED = bytes(range(16))


class Fixed:
    """Rolls these faces, one after the other."""

    def __init__(self, *faces):
        self._faces = list(faces)

    def below(self, n):
        face = self._faces.pop(0)
        assert 1 <= face <= n
        return face - 1


def test_the_same_seed_rolls_the_same_on_every_vm_and_every_face_comes_alike():
    rng = own_rng(SEED)
    rolled = Roll(((4, 6), (2, 20)), 3, 0, rng)
    assert (rolled.faces, rolled.total()) == ([3, 3, 4, 6, 2, 13], 34)
    for sides in SIDES:
        counts = [0] * sides
        for _ in range(30 * sides // MOST_DICE + 1):
            for face in Roll(((MOST_DICE, sides),), 0, 0, rng).faces:
                counts[face - 1] += 1
        expected = sum(counts) / sides
        chi = sum((count - expected) ** 2 / expected for count in counts)
        assert chi < sides + 5 * (2 * sides) ** 0.5, (sides, counts)


def test_best_and_worst_are_kept():
    for keep, total, kept in (
        (0, 15, [True] * 4),
        (1, 6, [False, False, False, True]),
        (2, 10, [False, True, False, True]),
        (3, 14, [False, True, True, True]),
        (-1, 1, [True, False, False, False]),
        (-3, 9, [True, True, True, False]),
    ):
        roll = Roll(((4, 6),), 0, keep, Fixed(4, 1, 6, 4))
        assert roll.faces == [1, 4, 4, 6]
        assert (roll.total(), roll.kept()) == (total, kept), keep
    roll = Roll(((2, 6), (1, 8)), -4, 2, Fixed(6, 2, 8))
    assert (roll.faces, roll.kept(), roll.total()) == ([2, 6, 8], [False, True, True], 10)
    hundred = Roll(((20, 100),), 0, 19, Fixed(*range(100, 80, -1)))
    assert hundred.faces[0] == 81 and hundred.kept() == [False] + [True] * 19


def test_chosen_dice_are_rolled_again_and_the_others_stay():
    roll = Roll(((3, 6), (1, 8)), 1, 0, Fixed(1, 5, 2, 7, 6, 8))
    assert roll.faces == [1, 2, 5, 7]
    roll.again([0, 3])
    assert roll.faces == [2, 5, 6, 8] and roll.kinds == [0, 0, 0, 1] and roll.total() == 22


def test_words():
    assert title(((1, 6),), 0) == "D6" and title(((2, 6), (1, 8)), -1) == "2D6+1D8-1"
    assert roll_words(((4, 6),), 2, 3) == "4D6+2 best 3" and roll_words(((2, 20),), 0, -1) == "2D20 worst 1"
    assert [hundredths(number) for number in (0, 5, 350, 1234)] == ["0.00", "0.05", "3.50", "12.34"]
    entries = [1, 2, 3]
    to_front(entries, 3, 3)
    to_front(entries, 9, 3)
    assert entries == [9, 3, 1]


def test_every_die_has_its_place_on_the_display():
    for kinds, keep in ((((20, 6),), 0), (((20, 20),), 5), (((7, 100), (7, 20), (6, 6)), 19), (((20, 100),), -1)):
        for columns in (16, 21):
            roll = Roll(kinds, 0, keep, own_rng(SEED))
            end = {}
            for row, column, text, begins in lay_out(roll, columns):
                assert column - 1 - 2 * begins >= end.get(row, 0) and column + len(text) <= columns
                end[row] = column + len(text)


# --- in the app ----------------------------------------------------------------------------------------------------


def opened(device, *ways):
    """Open a tool from a game's menu, by the beginnings of the rows that lead there. Returns: its screen."""
    device.hold(BIT_OK)
    device.to("Dice tools")
    device.ok()
    for way in ways:
        device.to(way)
        device.ok()
    return top(device)


def top(device):
    return device.app._stack[len(device.app._stack) - 1]


def test_from_home_the_last_roll_is_one_ok_away():
    device = Device(temp_folder())
    device.to("Dice tools")
    device.ok()
    device.to("D3")
    device.ok()
    first = top(device).roll.faces
    assert device.screen() == "Rolled" and len(first) == 1 and first[0] <= 3
    device.ok(3)
    assert top(device)._count == 4
    device.back(2)
    assert device.screen() == "Home"
    device.ok()
    assert top(device).list.rows[0][0] == "D3" and top(device).list.cursor == 0
    device.ok()
    assert device.screen() == "Rolled" and not device.errors


def test_the_list_moves_its_cursor_as_if_it_were_drawn_anew():
    device = Device(temp_folder())
    device.app.go("tools.Tools")
    for bit in [2] * 12 + [BIT_UP] * 5:
        device.press(bit)
        shown = bytes(device.app._canvas.buf)
        device.app._draw()
        assert bytes(device.app._canvas.buf) == shown


def test_some_dice_are_marked_and_rolled_again():
    device = Device(temp_folder())
    device.to("Dice tools")
    device.ok()
    device.to("3D6")
    device.ok()
    screen = top(device)
    screen.roll._rng = Fixed(6, 6)
    screen.roll.faces = [1, 2, 5]
    device.down()
    device.ok()
    device.down()
    device.ok()
    assert screen._marked == [0, 1]
    device.ok()  # unmark
    device.ok()
    device.press(BIT_UP, 2)  # past the first die: roll
    device.ok()
    assert screen.roll.faces == [5, 6, 6] and screen._at == -1 and screen._count == 2
    device.down()
    device.back()
    assert screen._at == -1 and device.screen() == "Rolled"
    device.press(BIT_UP)
    device.ok()
    device.back()
    device.back()
    assert device.screen() == "Tools" and not device.errors


def test_own_dice_are_put_together_and_kept_for_the_next_time():
    device = Device(temp_folder())
    device.to("Dice tools")
    device.ok()
    device.to("Own dice")
    device.ok()
    device.press(BIT_UP, 2)  # 4
    device.ok(2)  # of 6 sides
    device.down(2)
    device.ok()
    device.press(BIT_UP, 3)
    device.ok()  # the best 3
    device.down(3)
    device.ok()
    device.ok()
    device.press(BIT_UP)
    device.ok()  # and one D8
    device.down()
    device.ok()
    device.press(BIT_UP, 2)
    device.ok(2)
    assert device.screen() == "Rolled" and top(device)._entry == (((4, 6), (1, 8)), 2, 3)
    device.back()
    assert device.screen() == "Tools" and top(device).list.rows[0][0] == "4D6+1D8+2 best 3"
    device.to("Own dice")
    device.ok()
    device.press(BIT_BACK)
    assert device.screen() == "Tools"
    device.ok()
    screen = top(device)
    device.press(BIT_UP, 40)
    assert screen._dice() == MOST_DICE
    for bit in (BIT_UP, 2):
        device.press(bit, 150)
        device.ok()
        assert 1 <= screen._dice() <= MOST_DICE and abs(screen._keep) < max(2, screen._dice())
    device.back(9)
    assert device.screen() == "Home" and not device.errors


def test_fewer_dice_than_are_kept_keep_all():
    device = Device(temp_folder())
    device.app.remembered["own"] = (((3, 6),), 0, 2)
    device.app.go("own_dice.OwnDice")
    device.down(2)
    assert top(device)._kinds == [[1, 6]] and top(device)._keep == 0
    device.ok(2)
    assert len(top(device)._answers()) == 3  # nothing to keep of one die


def test_roll_off_coin_number_and_scatter():
    device = Device(temp_folder())
    seen = {}
    for name, what in (("RollOff", "faces"), ("Coin", "side"), ("PickNumber", "number"), ("Scatter", "hour")):
        device.app.go("chance." + name)
        found = []
        for _ in range(60):
            found.append(getattr(top(device), what))
            device.ok()
        seen[name] = found
        assert top(device).count == 61
        device.back()
    assert all(first != second for first, second in seen["RollOff"])
    assert sorted(set(seen["Coin"])) == [0, 1]
    assert sorted(set(seen["PickNumber"])) == [1, 2, 3, 4, 5, 6]
    assert sorted(set(seen["Scatter"])) == list(range(12))
    device.app.go("chance.PickNumber")
    device.press(BIT_UP, 4)
    assert top(device).number == 0
    device.ok()
    assert 1 <= top(device).number <= 10 == top(device).most()
    device.press(2, 20)
    assert top(device).most() == 2 and not device.errors


def test_every_direction_has_an_arrow_of_its_own():
    device = Device(temp_folder())
    device.app.go("chance.Scatter")
    arrows = set()
    for hour in range(12):
        top(device).hour = hour
        device.app._draw()
        arrows.add(bytes(device.app._canvas.buf[128:896]))
        left = [device.app._canvas.buf[page * 128 + x] for page in range(1, 7) for x in range(64)]
        assert sum(1 for byte in left if byte) > 20
    assert len(arrows) == 12


def test_the_average_of_dice_rolled_by_hand():
    device = Device(temp_folder())
    device.app.go("average.Average")
    screen = top(device)
    assert (screen.count(), screen.average()) == (0, 0)
    device.ok(2)  # 4 4
    device.press(BIT_UP)
    device.ok()  # 5
    device.press(BIT_UP, 2)
    device.ok()  # 1
    assert (screen.count(), screen.average()) == (4, 350)
    device.hold(BIT_BACK)
    assert (screen.count(), screen.average()) == (3, 433) and screen._face == 1
    device.back()
    device.app.go("average.Average")
    assert top(device).count() == 3
    device.hold(BIT_OK)
    assert device.screen() == "Sure"
    device.back()
    assert top(device).count() == 3
    device.hold(BIT_OK)
    device.press(BIT_UP, 2)
    assert device.screen() == "Average" and top(device).count() == 0
    device.ok(30)
    device.press(BIT_BACK, 14, ms=800)
    assert top(device).count() == 18 and not device.errors  # the last few may be taken back


def test_a_game_does_not_notice():
    device = Device(temp_folder())
    device.begin(1)
    device.ok(9)
    session = device.app.session
    before = (device.state(), session.records, session.digest, session.last(), session._log.end)
    for ways in (("2D6",), ("Own dice",), ("Roll-off",), ("Coin",), ("Pick",), ("Scatter",), ("Dice average",)):
        opened(device, *ways)
        for bit in (BIT_OK, BIT_UP, 2, BIT_OK):
            device.press(bit)
        device.hold(BIT_BACK)  # undoes nothing of the game
        device.hold(BIT_OK)
        assert idle(device) == 0, ways
        for _ in range(6):
            if device.screen() not in ("Play", "Menu"):
                device.back()
        assert device.screen() == "Play", ways
        assert (device.state(), session.records, session.digest, session.last(), session._log.end) == before
    assert not device.errors


def test_its_randomness_is_its_own():
    device = Device(temp_folder())
    device.begin(1)
    state = device.app.session.state
    position = bytes(state.data)
    rng = own_rng(device.entropy())
    assert isinstance(rng, Rng) and rng._state is not state.data and len(rng._state) < 64
    for _ in range(100):
        rng.below(6)
    assert bytes(state.data) == position
