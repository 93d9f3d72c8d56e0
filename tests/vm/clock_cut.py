"""Cuts the power at every block write of a game whose clock is on, on littlefs, on the real MicroPython VM.

Usage: micropython clock_cut.py PACK MINUTES EVERY. A step of the app is 50 ms; every 20 s comes a command. After each
cut, clean or torn, the session is resumed: its clock is at most 10 s behind. Prints the cut points, and what the clock
costs in writes and erases for each time that it saves, beside the same game without a clock.
"""

import os
import sys

from power_cut import PROG_BYTES, Points, RamDevice, next_command

from tableside.core.pack import Pack
from tableside.core.session import Session
from tableside.hw.store import Store
from tableside.rules import resolver
from tableside.ui.turn_clock import TurnClock

STEP_MS = 50
COMMAND_MS = 20000


def evening(pack, minutes, clocked, on_write=None):
    """Play on an empty file system. Args: on_write: called with what the chip then holds, torn or not, and the clock.

    Returns: the device, and how often the clock was saved.
    """
    device = RamDevice()
    os.VfsLfs2.mkfs(device, progsize=PROG_BYTES)
    os.mount(os.VfsLfs2(device, progsize=PROG_BYTES), "/flash")
    session = Session.new(pack, 0, bytes(range(16)), Store("/flash/sessions").new(), resolver)
    session.save()
    clock = TurnClock(session, 0, 0)
    device.writes = device.erases = saves = 0
    if on_write is not None:
        device.on_write = lambda data, torn: on_write(data, torn, clock)
    for now_ms in range(STEP_MS, minutes * 60000, STEP_MS):
        if now_ms % COMMAND_MS == 0:
            command = next_command(session, now_ms // COMMAND_MS)
            if command is None:
                session.undo()
            else:
                session.do(command[0], command[1])
            clock.turn(now_ms)
            session.save()
        clock.step(now_ms)
        if clocked and clock.due(False):
            clock.save()
            saves += 1
    session._log.close()
    os.umount("/flash")
    return device, saves


class Cuts(Points):
    """What becomes of the cuts."""

    def __init__(self, pack, every):
        super().__init__(every)
        self._pack = pack
        self.most_lost_ms = 0

    def try_one(self, data, torn, clock):
        """Start again on what the chip holds."""
        if not self.tried(torn):
            return
        os.mount(os.VfsLfs2(RamDevice(bytearray(data)), progsize=PROG_BYTES), "/cut")
        try:
            session = Session.resume(self._pack, Store("/cut/sessions").open(1), resolver)
            lost_ms = clock.total_ms() - TurnClock(session, 0, 0).total_ms()
            session._log.close()
            if not 0 <= lost_ms <= 10000:
                raise AssertionError("%d ms lost" % lost_ms)
            self.most_lost_ms = max(self.most_lost_ms, lost_ms)
        finally:
            os.umount("/cut")


def main():
    """Try the cut points; the exit code tells."""
    pack = Pack(open(sys.argv[1], "rb"))  # noqa: SIM115 - the pack keeps it
    minutes, every = int(sys.argv[2]), int(sys.argv[3])
    plain, _ = evening(pack, minutes, False)
    device, saves = evening(pack, minutes, True)
    cuts = Cuts(pack, every)
    evening(pack, min(minutes, 60), True, cuts.try_one)
    print("cut points", cuts.points, "most lost ms", cuts.most_lost_ms)
    print("saves", saves, "writes", device.writes - plain.writes, "erases", device.erases - plain.erases,
          "erases without a clock", plain.erases)


if __name__ == "__main__":
    main()
