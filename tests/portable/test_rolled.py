"""Rolled v expected: what was rolled, with a pencil beside it, and the page."""

from support import Game, Lcg, play
from test_app import Device, temp_folder, top
from test_attack import AUTOGUN, table

from tableside.core import commands
from tableside.core.pack import NOBODY
from tableside.core.record import KIND, REDONE, UNDONE
from tableside.core.rolled import SCALE, Rolled, throws
from tableside.core.roster import WOUNDS_LOST
from tableside.ui.input import BIT_OK


def rolls(session, at_once=5):
    """{(side, what, sides): (dice, [(name, how many, expected)])}."""
    found = Rolled(session)
    while found.go_on(at_once):
        pass
    return {key: (of.dice, [(name, count, mean / SCALE) for name, count, mean in of.bins])
            for key, of in found.rolls.items()}


def attack(game, *counts):
    """An attack of the hybrid at a marine with these counts of bins."""
    game.session.do(commands.ATTACK, (AUTOGUN, 0, 1, 1))
    for bins in counts:
        game.session.do(commands.STAGE, bins)
    game.session.do(commands.APPLY)


def test_an_attack_beside_its_expectation():
    game = table()
    attack(game, (0, 2), (1, 1))
    attack(game, (1, 1), (0, 1))
    assert rolls(game.session) == {
        (1, "hit", 6): (4, [("miss", 1, 8 / 3), ("hit", 3, 4 / 3)]),
        (0, "save", 6): (3, [("fail", 1, 1.0), ("saved", 2, 2.0)]),
    }


def test_what_is_undone_does_not_count_and_done_again_it_does():
    game = table()
    attack(game, (0, 2), (1, 1))
    once = rolls(game.session)
    attack(game, (2, 0))
    twice = rolls(game.session)
    assert twice[1, "hit", 6][0] == 4
    game.session.undo(3)
    assert rolls(game.session) == once
    game.session.redo()  # one record for all three
    assert rolls(game.session) == twice
    game.session.undo(2)
    game.session.redo()
    game.session.undo()
    game.session.redo()
    assert rolls(game.session) == twice


def test_the_faces_of_a_check():
    game = Game("nemesis/erosion-of-power")
    game.choose("large", "done")
    check = None
    pick = Lcg(3)
    for _ in play(game.session, pick, 400):
        for (_, what, sides), (dice, bins) in rolls(game.session, 50).items():
            if len(bins) == sides:
                check = what
                assert [name for name, _, _ in bins] == [str(face) for face in range(1, sides + 1)]
                assert sum(count for _, count, _ in bins) == dice
                assert abs(bins[0][2] - dice / sides) < 0.01
        if check:
            break
    assert check


class Pencil:
    """Notes every throw when it is made; undo and redo strike out and write again."""

    def __init__(self):
        self.done = []
        self.taken = []

    def note(self, session, before):
        record = next(session.history())
        if record.kind & UNDONE:
            self.taken.append(self.done.pop())
        elif record.kind & REDONE:
            self.done.append(self.taken.pop())
        else:
            session.state.data[:], after = before, bytes(session.state.data)
            self.done.append(throws(session.state, record))
            session.state.data[:] = after
            self.taken = []

    def rolls(self, sides):
        found = {}
        for some in self.done:
            for side, what, faces, bins in some:
                key = side if side < sides else NOBODY, what, faces
                found[key] = found.get(key, 0) + sum([count for _, count, _ in bins])
        return found


def test_random_play_with_a_pencil_beside_it():
    for target, seed in (("dice/overkill", 1), ("dice/w40k11", 2), ("ambush/raid", 3), ("nemesis/erosion-of-power", 4)):
        try:
            game = Game(target)
        except KeyError:
            continue
        session, pick, pencil = game.session, Lcg(seed), Pencil()
        kinds = set()
        before = bytes(session.state.data)
        for _ in play(session, pick, 250):
            pencil.note(session, before)
            kinds.add(next(session.history()).kind & KIND)
            before = bytes(session.state.data)
        found = {key: dice for key, (dice, _) in rolls(session, 17).items()}
        assert found == pencil.rolls(session.scenario.sides)
        assert bytes(session.state.data) == before
        if target.startswith("dice"):
            assert found and commands.STAGE in kinds and commands.THROW in kinds


def test_the_page():
    device = Device(temp_folder(), ("dice",))
    device.ok(2)
    device.to("Overkill")
    device.ok()
    game = Game("dice/overkill")
    for side, unit in ((1, 1), (0, 0)):
        device.app.session.do(commands.FIELD, (side, unit))
    device.app.session.do(commands.ATTACK, (AUTOGUN, 0, 1, 1))
    device.app.session.do(commands.STAGE, (0, 2))
    device.app.session.do(commands.STAGE, (1, 1))
    device.app.push(commands.APPLY, ())
    device.step()
    device.hold(BIT_OK)
    device.to("Rolled")
    device.ok()
    assert device.screen() == "RolledPage"
    device.step(count=5)
    names = [game.session.scenario.side_name(side) for side in (0, 1)]
    assert top(device).list.rows == [
        ("- %s -" % names[0], ""), ("Save", "2 dice"), (" fail", "1 (0.7)"), (" saved", "1 (1.3)"),
        ("- %s -" % names[1], ""), ("Hit", "2 dice"), (" miss", "0 (1.3)"), (" hit", "2 (0.7)"),
    ]
    device.down(3)
    device.ok()
    assert device.screen() == "RolledPage"
    device.back()
    assert device.screen() != "RolledPage" and not device.errors


def test_a_long_log_is_read_step_by_step():
    device = Device(temp_folder(), ("dice",))
    device.ok(2)
    device.to("Overkill")
    device.ok()
    session = device.app.session
    session.do(commands.FIELD, (1, 1))
    for i in range(100):
        session.do(commands.UNIT, (0, WOUNDS_LOST, (i + 1) % 2))
    device.app.go("rolled.RolledPage")
    shown = []
    for _ in range(30):
        device.step()
        if top(device)._rolled is not None:
            shown.append(top(device)._shown)
    assert shown == sorted(shown) and len(shown) == 8 and shown[-1] > 8
    assert top(device).list.rows == [] and not device.errors


def test_no_dice_in_a_game_without_attacks():
    device = Device(temp_folder(), ("ambush",))
    device.begin()
    device.hold(BIT_OK)
    assert "Rolled" not in [row[0] for row in top(device).list.rows]
