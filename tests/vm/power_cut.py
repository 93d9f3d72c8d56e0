"""Cuts the power at every block write of a scripted game on littlefs, on the real MicroPython VM.

Usage: micropython power_cut.py PACK COMMANDS EVERY. Every cut is tried clean (the write did not happen) and torn (half
of it did): the file system is mounted as the chip is then. The session is resumed: at most the command being written
may be missing, and play goes on for 20 commands. Prints the number of cut points and the erases per command.
"""

import os
import sys

from tableside.core import commands, engine, guide
from tableside.core.pack import CHECK, Pack
from tableside.core.roster import FLAG, WOUNDS_LOST
from tableside.core.session import Session
from tableside.core.state import O_ROUND, O_STEP
from tableside.hw.store import Store
from tableside.rules import resolver

BLOCKS = 96
BLOCK_BYTES = 4096
PROG_BYTES = 256  # as on the Pico; it also sets how much littlefs keeps inline


class RamDevice:
    """A flash chip in RAM. Attributes: on_write: called with what it holds if the power goes then, and if torn."""

    def __init__(self, data=None):
        self.data = data or bytearray(b"\xff" * (BLOCKS * BLOCK_BYTES))
        self.on_write = None
        self.writes = 0
        self.erases = 0

    def _write(self, at, data):
        self.writes += 1
        if self.on_write is not None:
            self.on_write(self.data, False)
            torn = bytearray(self.data)
            torn[at : at + len(data) // 2] = data[: len(data) // 2]
            self.on_write(torn, True)
        self.data[at : at + len(data)] = data

    def readblocks(self, block, buf, offset=0):
        at = block * BLOCK_BYTES + offset
        buf[:] = self.data[at : at + len(buf)]

    def writeblocks(self, block, buf, offset=None):
        self._write(block * BLOCK_BYTES + (offset or 0), buf)

    def ioctl(self, op, arg):
        if op == 4:
            return BLOCKS
        if op == 5:
            return BLOCK_BYTES
        if op == 6:
            self.erases += 1
            self._write(arg * BLOCK_BYTES, b"\xff" * BLOCK_BYTES)
        return 0


def roster_command(state, number):
    """A unit is fielded, hurt, marked and removed, again and again."""
    if not state.roster.used(0):
        return commands.FIELD, (0, number % state.scenario.units)
    if number % 4 == 3:
        return commands.REMOVE, (0,)
    what = (WOUNDS_LOST, FLAG)[number % 2]
    return commands.UNIT, (0, what, 1)


def next_command(session, number):
    """The command that the script gives at `number`: undo now and then, else the first or second thing offered."""
    state = session.state
    if number % 8 == 7 and not session.over():
        return roster_command(state, number // 8)
    if session.over() or number % 11 == 10 and session.can_undo():
        return None
    check = engine.open_check(state)
    if check is not None:
        dice = session.pack.record(CHECK, check)[3]
        return commands.ENTER, (check,) + tuple(1 + (number + i) % 6 for i in range(dice))
    allowed = [a for a in engine.allowed(state) if engine.is_choice(state, a)]
    if allowed:
        return commands.CHOOSE, (allowed[number // 7 % len(allowed)],)
    if guide.place(state) is not None:
        return commands.ANSWER, (number % 2,)
    if commands.check(state, commands.ADVANCE, ())[0] == commands.NO:  # a unit or card is to be picked: by hand
        return commands.JUMP, ((state.data[O_STEP] + 1) % state.scenario.steps, state.data[O_ROUND])
    return commands.ADVANCE, ()


def play(session, first, last):
    """Give commands `first` to `last` - 1; yields the digest after each one is saved."""
    for number in range(first, last):
        command = next_command(session, number)
        if command is None:
            session.undo()
        else:
            session.do(command[0], command[1])
        session.save()
        yield session.digest


def evening(pack, count, on_write=None):
    """Play on an empty file system.

    Args: on_write: called at every write with what the chip then holds, whether torn, and how many digests were saved.
    Returns: the device, the digests saved, the erases of each command.
    """
    device = RamDevice()
    os.VfsLfs2.mkfs(device, progsize=PROG_BYTES)
    os.mount(os.VfsLfs2(device, progsize=PROG_BYTES), "/flash")
    device.writes = device.erases = 0
    digests, erases = [], []
    if on_write is not None:
        device.on_write = lambda data, torn: on_write(data, torn, len(digests))
    log = Store("/flash/sessions").new()
    session = Session.new(pack, 0, bytes(range(16)), log, resolver)
    digests.append(session.digest)
    before = device.erases
    for digest in play(session, 0, count):
        digests.append(digest)
        erases.append(device.erases - before)
        before = device.erases
    log.close()
    os.umount("/flash")
    return device, digests, erases


class Points:
    """The cuts that are tried, counted. Args: every: how many writes lie between two."""

    def __init__(self, every):
        self._every = every
        self._writes = 0
        self.points = 0

    def tried(self, torn):
        """Whether this one is."""
        if not torn:
            self._writes += 1
        if self._writes % self._every:
            return False
        self.points += 1
        return True


class Cuts(Points):
    """What becomes of the cuts."""

    def __init__(self, pack, expected, every):
        super().__init__(every)
        self._pack = pack
        self._expected = expected
        self.ahead = 0  # the command being written was there, though nobody had been told

    def try_one(self, data, torn, saved):
        """Start again on what the chip holds."""
        if self.tried(torn) and self._resume(bytearray(data), saved) >= saved:
            self.ahead += 1

    def _resume(self, data, saved):
        """Resume and play on. Returns how many records are there, or -1 for no session."""
        os.mount(os.VfsLfs2(RamDevice(data), progsize=PROG_BYTES), "/cut")
        try:
            store = Store("/cut/sessions")
            numbers = store.numbers()
            if not numbers:
                if saved:
                    raise AssertionError("the session is gone")
                return -1
            log = store.open(numbers[0])
            session = Session.resume(self._pack, log, resolver)
            found = next((n for n in (saved - 1, saved) if n >= 0 and session.digest == self._expected[n]), -1)
            if found < 0:
                raise AssertionError("not the state of record %d nor of the next one" % (saved - 1))
            for _ in play(session, found, found + 20):
                pass
            log.close()
            return found
        finally:
            os.umount("/cut")


def main():
    """Try the cut points; the exit code tells."""
    pack = Pack(open(sys.argv[1], "rb"))  # noqa: SIM115 - the pack keeps it
    count, every = int(sys.argv[2]), int(sys.argv[3])
    device, expected, erases = evening(pack, count)
    expected.append(None)  # there is no next one after the last
    cuts = Cuts(pack, expected, every)
    evening(pack, count, cuts.try_one)
    none = sum(1 for e in erases if not e)
    one = sum(1 for e in erases if e == 1)
    print("cut points", cuts.points, "of", 2 * device.writes, "commands", len(erases))
    print("erases a command: none", none, "one", one, "more", len(erases) - none - one, "most", max(erases),
          "all", sum(erases))
    print("the command being written was there all the same", cuts.ahead)


if __name__ == "__main__":
    main()
