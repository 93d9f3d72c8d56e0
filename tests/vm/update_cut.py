"""Cuts the power at every block write of an update on littlefs, on the real MicroPython VM.

Usage: micropython update_cut.py [EVERY]. An old version, or an empty device, is brought to a new one in the steps of
`tableside deploy`: files and plan are written, the plan gets its name, `finish` carries it out. Every cut is tried
clean and torn; after each the device starts, on every second one with another cut on the way. It must then hold the old
version or the new one, and until then what its start needs. Prints the number of cut points and how they ended.
"""

import os
import sys

from power_cut import PROG_BYTES, RamDevice

from tableside.hw import update

_EIO = 5
FIRST = ("tableside/hw/update.mpy", "main.py")  # as in host_tools/deploy.py
KEPT = {"sessions/0001/head": b"head", "settings.json": b"{}", "packs/kept/00.tspk": b"k" * 600, "boot.py": b"#"}
OLD = {"main.py": b"old", "board.py": b"board", "tableside/__init__.mpy": b"0.1", "tableside/hw/__init__.mpy": b"",
       "tableside/hw/update.mpy": b"u" * 1800, "tableside/ui/app.mpy": b"a" * 9000,
       "tableside/ui/texts.py": b"t" * 5000, "tableside/gone/far/away.py": b"g" * 300, "packs/one.tspk": b"1" * 4096}
NEW = {"main.py": b"new", "board.py": b"board", "tableside/__init__.mpy": b"0.2", "tableside/hw/__init__.mpy": b"",
       "tableside/hw/update.mpy": b"U" * 2100, "tableside/ui/app.mpy": b"A" * 9100,
       "tableside/ui/texts.mpy": b"T" * 3000, "tableside/added/__init__.mpy": b"", "packs/one.tspk": b"2" * 4100}
GONE = ("tableside/ui/texts.py", "tableside/gone/far/away.py", "tableside/gone/far/", "tableside/gone/")


class Flash(RamDevice):
    """A flash chip that dies at a chosen write and then gives littlefs an error number, so that files are closed.

    Attributes: writes_left: until it dies, -1 for never; torn: whether half of the last write is done.
    """

    def __init__(self, data=None):
        super().__init__(data)
        self.writes_left = -1
        self.torn = False
        self._dead = False

    def _write(self, at, data):
        if self.writes_left == 0:
            self._dead = True
            data = data[: len(data) // 2 if self.torn else 0]
        self.writes_left -= 1
        super()._write(at, data)

    def readblocks(self, block, buf, offset=0):
        return -_EIO if self._dead else super().readblocks(block, buf, offset)

    def writeblocks(self, block, buf, offset=None):
        if not self._dead:
            super().writeblocks(block, buf, offset)
        return -_EIO if self._dead else 0

    def ioctl(self, op, arg):
        answer = -_EIO if self._dead else super().ioctl(op, arg)
        return -_EIO if self._dead else answer


def with_kept(version):
    """The files of a version and those that no update touches."""
    found = dict(KEPT)
    found.update(version)
    return found


def write(path, data):
    """Write a file and the folders it is in."""
    parts = path.split("/")[:-1]
    for count in range(1, len(parts) + 1):
        try:
            os.mkdir("/".join(parts[:count]))
        except OSError:
            pass
    with open(path, "wb") as file:
        file.write(data)


def read(folder=""):
    """All files below a folder by path; an empty folder has no file and a slash at the end of its name."""
    found = {}
    names = os.listdir(folder or ".")
    for name in names:
        path = folder + name
        if os.stat(path)[0] & 0x4000:
            found.update(read(path + "/"))
        else:
            with open(path, "rb") as file:
                found[path] = file.read()
    return found if names or not folder else {folder: b""}


def mount(device):
    os.mount(os.VfsLfs2(device, progsize=PROG_BYTES), "/flash")
    os.chdir("/flash")


def unmount():
    os.chdir("/")
    try:
        os.umount("/flash")
    except OSError:
        pass


def until_cut(device, steps):
    """Mount a device, do the steps until they are done or the power goes."""
    mount(device)
    try:
        steps()
    except OSError:
        pass
    unmount()


def update_from(old):
    """A function that does what the host has the device do. Args: old: the files that the device has."""
    changed = [path for path in sorted(NEW, key=lambda path: (path not in FIRST, path not in FIRST[:1], path))
               if old.get(path) != NEW[path]]
    plan = ["+ %d %s\n" % (number, path) for number, path in enumerate(changed)]
    plan += ["- %s\n" % path for path in GONE if path in old or path[-1] == "/" and old]

    def run():
        update.finish()
        for number, path in enumerate(changed):
            write("update/%d" % number, NEW[path])
        write("update/plan.new", "".join(plan).encode())
        os.rename("update/plan.new", "update/plan")
        update.finish()

    return run


def can_start(files, old):
    """Whether what a device holds after a cut leads to its old version, if it had one, or to the rest of the update."""
    there = [name in files for name in FIRST]
    return all(there) or not old and not there[1]


def start(data, old, cut):
    """Start a device, with a cut on the way unless that is -1, and again. Returns: whether it has the new version."""
    first = Flash(data)
    first.writes_left = cut
    mount(first)
    if not can_start(read(), old):
        raise AssertionError("cannot start: %r" % sorted(read()))
    unmount()
    until_cut(first, update.finish)
    again = Flash(first.data)
    until_cut(again, update.finish)
    mount(again)
    files = read()
    unmount()
    for version in (old, NEW):
        if files == with_kept(version):
            return version is NEW
    wrong = [(path, len(files[path]), files[path][:3]) for path in files if files[path] != with_kept(NEW).get(path)]
    raise AssertionError("a mixture at %d: %r beside %r" % (cut, wrong, sorted(files)))


def main():
    """Try every cut point; the exit code tells."""
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for old in (OLD, {}):
        device = Flash()
        os.VfsLfs2.mkfs(device, progsize=PROG_BYTES)
        mount(device)
        for path, data in with_kept(old).items():
            write(path, data)
        unmount()
        before = bytes(device.data)
        device.writes = 0
        until_cut(device, update_from(old))
        total, ends = device.writes, [0, 0]
        for cut in range(0, total + 1, step):
            for torn in (False, True):
                device = Flash(bytearray(before))
                device.writes_left, device.torn = cut, torn
                until_cut(device, update_from(old))
                ends[start(device.data, old, cut % 7 if cut % 2 else -1)] += 1
        print("cut points", sum(ends), "of", 2 * total + 2, "old", ends[0], "new", ends[1])


if __name__ == "__main__":
    main()
