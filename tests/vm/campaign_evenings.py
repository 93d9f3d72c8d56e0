"""Whole campaigns on the real app, with the power cut again and again and play going on from what the chip then holds.

Usage: micropython campaign_evenings.py EVERY, with TABLESIDE_PACKS and the portable tests on the path. In nine missions
of Overkill and three evenings of Joint Ops every so many commands the power goes in the midst of a write, which is
whole, half done or not done; so it does while each result is entered. The same missions are played at the same time by
the rules alone, without device or book: after each the states must be the same to the byte, and so must what goes on.
Prints the number of cuts.
"""

import gc
import os
import sys

import power_cut
from campaign_cut import book, to_campaign
from support import Game, Lcg, names_of, open_pack, some_command
from test_app import Device
from test_game_overkill import MISSIONS, Overkill

from tableside.core import campaign, commands
from tableside.core.book import Book

_WRITES = 6  # a cut comes at one of so many first writes
_ENDS = ("dw", "gc", "dw", "dw", "gc", "gc", "dw", "dw", "dw")
_HAND_LAY_MUSTER = {4: (5, 3, 4), 5: (5, 2, 3), 6: (6, 3, 3), 7: (11, 7, 6), 8: (8, 5, 11), 9: (9, 5, 11)}  # W39
_EVENING = 60  # commands of chance in each mission


class Table:
    """A device on a chip, and a power supply that fails. Args: pack: its only one; every: commands from cut to cut."""

    def __init__(self, pack, every):
        self._pack = pack
        self._every = every
        self._pick = Lcg(every + len(pack))
        self._given = self.cuts = self.lost = 0
        self._caught = None
        self._chip = power_cut.RamDevice()
        os.VfsLfs2.mkfs(self._chip, progsize=power_cut.PROG_BYTES)
        self.device = None
        self._start()

    def _start(self):
        os.mount(os.VfsLfs2(self._chip, progsize=power_cut.PROG_BYTES), "/flash")
        self.device = Device("/flash", (self._pack,))

    def cutting(self, do, now):
        """Do something during which the power may go. Returns: whether it went; the device has started again then."""
        if not now:
            do()
            return False
        left = [2 * (1 + self._pick(_WRITES)) + self._pick(2)]

        def write(data, torn):
            left[0] -= 1
            if not left[0]:
                self._caught = bytearray(data)

        self._caught = None
        self._chip.on_write = write
        do()
        self._chip.on_write = None
        if self._caught is None:  # fewer writes than that: the power goes behind the last
            self._caught = bytearray(self._chip.data)
        if self.device.errors:
            raise AssertionError(self.device.errors)
        os.umount("/flash")
        self._chip = power_cut.RamDevice(self._caught)
        self._caught = None
        self.cuts += 1
        gc.collect()
        self._start()
        return True

    def give(self, kind, args):
        """A command; if the power goes it is there whole or not at all, and is given again if it is not."""
        app = self.device.app
        before = bytes(app.session.state.data)
        app.session.do(kind, args)
        after = bytes(app.session.state.data)
        self._given += 1
        if not self.cutting(self.device.step, not self._given % self._every):
            return
        app = self.device.app
        app.resume(self.device.store.numbers()[0])
        found = bytes(app.session.state.data)
        if found not in (before, after):
            raise AssertionError("neither before nor after command %d" % self._given)
        if found != after:
            self.lost += 1
            app.session.do(kind, args)
            self.device.step()
        if bytes(app.session.state.data) != after:
            raise AssertionError("command %d gives another state" % self._given)

    def begin(self, row):
        """A new campaign."""
        self.device.to("New game")
        self.device.ok(2)
        self.device.to("Campaign: " + row)
        self.device.ok(2)

    def mission(self):
        """From anywhere into the next mission."""
        to_campaign(self.device)
        self.device.ok()
        self.device.step(count=6)
        if self.device.screen() == "Message":
            self.device.ok()

    def enter(self):
        """Enter the result of the game that is over, with a cut on the first try."""
        before = Book(book(self.device)).played
        for attempt in range(3):
            if Book(book(self.device)).played == before:
                self.mission()
                while self.device.screen() == "Result":
                    self.device.ok()
                if self.device.screen() != "Enter":
                    raise AssertionError("the result leads to " + self.device.screen())
                self.cutting(self.device.ok, not attempt)
        if Book(book(self.device)).played != before + 1:
            raise AssertionError("the result did not enter once")


class _Session:
    """The session of a device as a script sees it, whatever becomes of the device."""

    def __init__(self, table):
        self._table = table

    def do(self, kind, args=()):
        self._table.give(kind, args)

    def __getattr__(self, name):
        return getattr(self._table.device.app.session, name)


def _seat(game, target, table):
    """Let a script play the session of a device."""
    game.pack = open_pack(target.split("/")[0])
    game.names = names_of(target)[1]
    game.session = _Session(table)


class _Joint(Game):
    """A mission of Joint Ops at a device."""

    def __init__(self, target, table):
        _seat(self, target, table)


class _Overkill(Overkill):
    """A mission of Overkill at a device."""

    def __init__(self, target, table):
        _seat(self, target, table)
        self.zones = self.names["zones"][0]


def overkill(game, number):
    """Play a mission to its end, and check what the missions before have done to it."""
    game.to("muster")
    if "scar" in game.offers():
        game.assign("scar", game.marines()[0])
    game.to("broodmind")
    if number in _HAND_LAY_MUSTER:
        told = game.counter("hand"), game.counter("lay"), game.counter("muster")
        if told != _HAND_LAY_MUSTER[number] or len(game.marines()) != told[2]:
            raise AssertionError("mission %d: hand, lay, muster %s" % (number, told))
    game.to("gc-move")
    if _ENDS[number - 1] == "gc":
        for marine in game.marines():
            if not game.session.over():
                game.wound(marine, 2)
    else:
        game.session.do(commands.END, (game.names["results"].index("marines"),))


def evening(game, number):
    """Play a mission of Joint Ops: so much of chance, then the result that leads to the next."""
    pick = Lcg(100 + number)
    role = game.counter("role")
    if role != (1 if number == 3 else 0):
        raise AssertionError("evening %d: role %d" % (number, role))
    for _ in range(_EVENING):
        kind, args = some_command(game.state, pick)
        if kind not in (commands.END, commands.CONCEDE, commands.CONFIRM, commands.JUMP):
            game.session.do(kind, args)
    game.adjust("role", role)  # chance may have had a hand in it
    result = ("minor-win", "win", "offence-major-win")[number - 1]
    game.session.do(commands.END, (game.names["results"].index(result),))


def play(table, pack, campaign_id, targets, script, pure, seated):
    """A whole campaign at the device and by the rules alone. Returns: its Book at the end."""
    opened = open_pack(pack)
    index = campaign.find(opened, campaign_id)
    values = campaign.first_values(opened, index)
    for i, name in enumerate(targets):
        table.mission()
        target = "%s/%s" % (pack, name)
        if table.device.app.session.scenario.id() != name:
            raise AssertionError("not " + name)
        there = seated(target, table)
        here = pure(target, campaign.carry(1, "0", i, campaign_id, values))
        script(here, i + 1)
        script(there, i + 1)
        if bytes(here.state.data) != there.bytes or not here.session.over():
            raise AssertionError("%s ends otherwise on the device" % name)
        values.update(campaign.gather(here.state))
        table.enter()
        found = Book(book(table.device)).values
        for key in sorted(values):
            if found.get(key, 0) != values[key]:
                raise AssertionError("%s: %s is %s, not %d" % (name, key, found.get(key), values[key]))
    return Book(book(table.device))


def main():
    """Play both; the exit code tells."""
    every = int(sys.argv[1])
    for pack, campaign_id, row, targets, script, pure, seated, ending in (
        ("overkill", "overkill", "", MISSIONS, overkill,
         lambda target, carried: Overkill(target.split("/")[1], carried), _Overkill, ""),
        ("nemesis", "joint-ops", "Joint", ("erosion-of-power", "outmanoeuvre", "strongpoint-assault"), evening,
         lambda target, carried: Game(target, carried=carried), _Joint, "The campaign is won"),
    ):
        table = Table(pack, every)
        table.begin(row)
        end = play(table, pack, campaign_id, targets, script, pure, seated)
        if not end.over() or ending not in end.ending or table.device.errors:
            raise AssertionError("%s: %s %s" % (pack, end.ending, table.device.errors))
        print(pack, "missions", end.played, "cuts", table.cuts, "lost", table.lost, end.ending)
        table.device.app.close()
        os.umount("/flash")


if __name__ == "__main__":
    main()
