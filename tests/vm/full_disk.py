"""A disk that is full or read-only for a while: what was saved stays, and what was not is saved once it can be.

Usage: PYTHON full_disk.py FOLDER EVERY, with TABLESIDE_PACKS set, firmware, tests/portable and tests/vm on the path.
On both VMs, in a real folder, every write operation of a game fails in turn, and all after it, until the fault is
mended; EVERY takes only each so manieth. On MicroPython a small littlefs in RAM really runs full, and is read-only.
"""

import os
import sys

from power_cut import PROG_BYTES, RamDevice, next_command
from support import SEED, open_pack, raises

from tableside.core.log import MemoryLog
from tableside.core.session import Session
from tableside.hw import log as logs
from tableside.hw import store as stores
from tableside.hw.store import Store

COMMANDS = 70  # one checkpoint and some segments
MORE_COMMANDS = 200  # on littlefs, which has room for a while in the blocks it uses
CODES = (28, 36, 30)  # no space, littlefs's other word for it, read-only
BLOCK = 4096


class Disk:
    """Stands for `os` and `open` in the store. From write operation number `fails_at` on, all of them fail."""

    def __init__(self):
        self.fails_at = -1
        self.code = 28
        self.writes = 0
        self.stat, self.listdir = os.stat, os.listdir

    def touch(self):
        """One write operation."""
        self.writes += 1
        if 0 <= self.fails_at < self.writes:
            raise OSError(self.code, "on purpose")

    def open(self, path, mode):
        if "r" in mode:
            return open(path, mode)
        self.touch()
        return HalfFile(open(path, mode), self)

    def remove(self, path):
        self.touch()
        os.remove(path)

    def rename(self, old, new):
        self.touch()
        os.rename(old, new)

    def mkdir(self, path):
        self.touch()
        os.mkdir(path)


class HalfFile:
    """A file on that disk: a write that fails has written its first half."""

    def __init__(self, file, disk):
        self._file = file
        self._disk = disk

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._file.close()

    def write(self, data):
        try:
            self._disk.touch()
        except OSError:
            self._file.write(data[: len(data) // 2])
            self._file.flush()
            raise
        self._file.write(data)

    def flush(self):
        self._disk.touch()
        self._file.flush()

    def close(self):
        self._file.close()


def expected_digests():
    """The digest of the scripted game after each of its commands."""
    session = Session.new(open_pack("nemesis"), 0, SEED, MemoryLog())
    found = [session.digest]
    for number in range(MORE_COMMANDS):
        give(session, number)
        found.append(session.digest)
    return found


def give(session, number):
    command = next_command(session, number)
    if command is None:
        session.undo()
    else:
        session.do(command[0], command[1])


def contents(folder):
    found = {}
    for name in os.listdir(folder):
        with open(folder + "/" + name, "rb") as file:
            found[name] = file.read()
    return found


def same(one, other, what):
    if one != other:
        raise AssertionError(what)


class Game:
    """The scripted game on a disk that may fail. `saved`: how many of its commands `save` has returned from.

    Args: root: the folder of all sessions.
    """

    def __init__(self, root, expected):
        self.root = root
        self.expected = expected
        self.saved = -1
        self.session = None
        self.failures = 0

    def play(self, mend, commands=COMMANDS):
        """Begin if it has not, and play on. `mend` is called after a failure, once it has been looked at."""
        while self.session is None:
            try:
                self.session = Session.new(open_pack("nemesis"), 0, SEED, Store(self.root).new())
                self.saved = 0
            except OSError:
                self._failed(mend, 0)
        for number in range(self.saved, commands):
            try:
                give(self.session, number)  # an undo saves first
            except OSError:
                self._failed(mend, number)
                give(self.session, number)
            same(self.session.digest, self.expected[number + 1], "the game went another way")
            try:
                self.session.save()
            except OSError:
                self._failed(mend, number + 1)
                self.session.save()
            self.saved = number + 1

    def _failed(self, mend, given):
        """Try again on the disk as it is; nothing that was saved may be missing from it."""
        self.failures += 1
        if self.session is not None:
            try:
                self.session.save()
            except OSError:
                pass
            self.look(given)
        else:
            try:
                Store(self.root).new().begin(b"")
            except OSError:
                pass
        mend()

    def look(self, given=None):
        """What another pair of eyes finds in flash: all that was saved, or an OSError while nothing can be written."""
        try:
            log = Store(self.root).open(Store(self.root).numbers()[0])
            session = Session.resume(open_pack("nemesis"), log)
            log.close()
        except OSError:
            if given is None:
                raise
            return
        found = self.expected.index(session.digest)
        if not self.saved <= found <= (self.saved if given is None else given):
            raise AssertionError("%d commands in flash, %d were saved" % (found, self.saved))

    def finish(self):
        """Close it and take it up again."""
        state = bytes(self.session.state.data)
        self.session._log.close()
        self.look()
        log = Store(self.root).open(Store(self.root).numbers()[0])
        same(bytes(Session.resume(open_pack("nemesis"), log).state.data), state, "another state")
        log.close()


def older_game(root, expected):
    """A saved game that nothing may touch."""
    game = Game(root, expected)
    game.play(int, 20)
    game.finish()


def in_folder(root, every, expected):
    """Every write operation fails in turn. Returns: how many runs there were."""
    logs._SEGMENT_BYTES = 700
    disk = Disk()
    logs.os = stores.os = disk
    logs.open = disk.open
    older_game(root, expected)
    healthy = contents(root + "/0001")
    runs = 0
    for code in CODES:
        disk.code = code
        at = CODES.index(code) * every // len(CODES)
        while True:
            disk.writes = 0
            disk.fails_at = at

            def mend():
                disk.fails_at = -1

            game = Game(root, expected)
            game.play(mend)
            game.finish()
            same(contents(root + "/0001"), healthy, "another session was altered")
            clean(root)
            if not game.failures:
                break
            runs += 1
            at += every
    logs.os = stores.os = os
    del logs.open
    return runs


def clean(root):
    """Remove all sessions but the first."""
    for name in os.listdir(root):
        if name != "0001":
            for file in os.listdir(root + "/" + name):
                os.remove(root + "/" + name + "/" + file)
            os.rmdir(root + "/" + name)


def fill(name):
    """Write a file until nothing more fits. Returns: the code of the error that said so."""
    file = open(name, "wb")  # noqa: SIM115 - closing it may fail as well
    code = 0
    piece = bytes(BLOCK)
    while not code:
        try:
            file.write(piece)
            file.flush()
        except OSError as error:
            code = error.errno
            piece = piece[: len(piece) // 2]
            if piece:
                code = 0
    try:
        file.close()
    except OSError as error:
        code = error.errno
    return code


def on_full_flash(every, expected):
    """A littlefs with only so many blocks left, at several moments of a game. Returns: {code: failures}, runs."""
    codes = {}
    runs = 0
    for left in range(4):
        for before in range(left % every, MORE_COMMANDS, every):
            device = RamDevice()
            os.VfsLfs2.mkfs(device, progsize=PROG_BYTES)
            os.mount(os.VfsLfs2(device, progsize=PROG_BYTES), "/flash")
            older_game("/flash/sessions", expected)
            healthy = contents("/flash/sessions/0001")
            for number in range(left):
                with open("/flash/pad%d" % number, "wb") as file:
                    file.write(bytes(BLOCK))
            game = Game("/flash/sessions", expected)
            if before:
                game.play(int, before)
            code = fill("/flash/filler")
            codes[code] = codes.get(code, 0) + 1
            for number in range(left):
                os.remove("/flash/pad%d" % number)

            def mend():
                if "filler" in os.listdir("/flash"):
                    os.remove("/flash/filler")

            game.play(mend, MORE_COMMANDS)
            mend()
            game.finish()
            same(contents("/flash/sessions/0001"), healthy, "another session was altered")
            runs += 1
            codes["failed"] = codes.get("failed", 0) + (1 if game.failures else 0)
            os.umount("/flash")
    return codes, runs


def on_read_only_flash(expected):
    """A littlefs that is mounted read-only for a while."""
    device = RamDevice()
    os.VfsLfs2.mkfs(device, progsize=PROG_BYTES)
    os.mount(os.VfsLfs2(device, progsize=PROG_BYTES), "/flash")
    game = Game("/flash/sessions", expected)
    game.play(int, 20)
    game.session._log.close()
    os.umount("/flash")
    before = bytes(device.data)
    os.mount(os.VfsLfs2(device, progsize=PROG_BYTES), "/flash", readonly=True)
    game.look()
    log = Store("/flash/sessions").open(1)
    session = Session.resume(open_pack("nemesis"), log)
    give(session, 20)
    code = raises(OSError, session.save).errno
    raises(OSError, Store("/flash/sessions").new)
    os.umount("/flash")
    same(bytes(device.data), before, "something was written")
    os.mount(os.VfsLfs2(device, progsize=PROG_BYTES), "/flash")
    session.save()
    game.session, game.saved = session, 21
    game.finish()
    os.umount("/flash")
    return code


def main(folder, every):
    """Run what this VM can; prints the counts."""
    expected = expected_digests()
    print("folder", in_folder(folder, every, expected), "runs")
    if hasattr(os, "VfsLfs2"):
        codes, runs = on_full_flash(every, expected)
        print("full flash", runs, "runs", codes)
        print("read-only flash", on_read_only_flash(expected))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
