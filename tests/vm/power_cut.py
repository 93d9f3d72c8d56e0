"""Cuts the power at every block write of a scripted game on littlefs, on the real MicroPython VM.

Usage: micropython power_cut.py PACK [EVERY]. Every cut is tried clean (the write did not happen) and torn (half of it
did). After each the session is resumed: at most the command being written may be missing, the state must be that of a
known record, and play goes on for 20 commands. Prints the number of cut points and the erases per command.
"""

import os
import sys

from tableside.core import commands, engine
from tableside.core.pack import CHECK, Pack
from tableside.core.roster import FLAG, WOUNDS_LOST
from tableside.core.session import Session
from tableside.hw.store import Store
from tableside.rules import resolver

BLOCKS = 96
BLOCK_BYTES = 4096
PROG_BYTES = 256  # as on the Pico; it also sets how much littlefs keeps inline
COMMANDS = 150


class PowerCut(Exception):
    """The block device has lost its power."""


_CUT = PowerCut()  # made once: a file that the collector closes later must find it without allocating

class RamDevice:
    """A flash chip in RAM that dies at a chosen write."""

    def __init__(self, data=None):
        self.data = data or bytearray(b"\xff" * (BLOCKS * BLOCK_BYTES))
        self.writes_left = -1
        self.torn = False
        self.dead = False
        self.writes = 0
        self.erases = 0

    def _count(self):
        self.writes += 1
        if self.writes_left == 0:
            self.dead = True
            raise _CUT
        self.writes_left -= 1

    def readblocks(self, block, buf, offset=0):
        if self.dead:
            raise _CUT
        at = block * BLOCK_BYTES + offset
        buf[:] = self.data[at : at + len(buf)]

    def writeblocks(self, block, buf, offset=None):
        if self.dead:
            raise _CUT
        at = block * BLOCK_BYTES + (offset or 0)
        if self.writes_left == 0 and self.torn:
            self.data[at : at + len(buf) // 2] = buf[: len(buf) // 2]
        self._count()
        self.data[at : at + len(buf)] = buf

    def ioctl(self, op, arg):
        if self.dead:
            raise _CUT
        if op == 4:
            return BLOCKS
        if op == 5:
            return BLOCK_BYTES
        if op == 6:
            self.erases += 1
            self._count()
            at = arg * BLOCK_BYTES
            self.data[at : at + BLOCK_BYTES] = b"\xff" * BLOCK_BYTES
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


def on_fresh_flash(writes_left, torn, pack):
    """Play on an empty file system until the power goes. Returns (device, digests saved, erases of each command)."""
    device = RamDevice()
    os.VfsLfs2.mkfs(device, progsize=PROG_BYTES)
    os.mount(os.VfsLfs2(device, progsize=PROG_BYTES), "/flash")
    device.writes = device.erases = 0
    device.writes_left = writes_left
    device.torn = torn
    digests, erases = [], []
    log = None
    try:
        log = Store("/flash/sessions").new()
        session = Session.new(pack, 0, bytes(range(16)), log, resolver)
        digests.append(session.digest)
        before = device.erases
        for digest in play(session, 0, COMMANDS):
            digests.append(digest)
            erases.append(device.erases - before)
            before = device.erases
    except (PowerCut, OSError):
        pass
    for leave in (log.close if log else int, lambda: os.umount("/flash")):
        try:
            leave()
        except (PowerCut, OSError):
            pass
    return device, digests, erases


def after_cut(device, expected, saved, pack):
    """Mount the flash as it was left, resume and play on. Returns how many records are there, or -1 for no session."""
    os.mount(os.VfsLfs2(RamDevice(device.data), progsize=PROG_BYTES), "/flash")
    try:
        store = Store("/flash/sessions")
        numbers = store.numbers()
        if not numbers:
            if saved:
                raise AssertionError("the session is gone")
            return -1
        log = store.open(numbers[0])
        session = Session.resume(pack, log, resolver)
        found = expected.index(session.digest)
        if found < saved - 1:
            raise AssertionError("lost %d saved commands" % (saved - 1 - found))
        for _ in play(session, found, found + 20):
            pass
        log.close()
        return found
    finally:
        os.umount("/flash")


def main():
    """Try every cut point; the exit code tells."""
    pack = Pack(open(sys.argv[1], "rb"))  # noqa: SIM115 - the pack keeps it
    step = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    device, expected, erases = on_fresh_flash(-1, False, pack)
    total = device.writes
    lost = 0
    for cut in range(0, total, step):
        for torn in (False, True):
            dead, digests, _ = on_fresh_flash(cut, torn, pack)
            if digests != expected[: len(digests)]:
                raise AssertionError("play differs at cut %d" % cut)
            found = after_cut(dead, expected, len(digests), pack)
            if found >= len(digests):
                lost += 1
    none = sum(1 for e in erases if not e)
    one = sum(1 for e in erases if e == 1)
    print("cut points", 2 * ((total + step - 1) // step), "of", 2 * total, "commands", len(erases))
    print("erases a command: none", none, "one", one, "more", len(erases) - none - one, "most", max(erases))
    print("last write survived without being reported", lost)


if __name__ == "__main__":
    main()
