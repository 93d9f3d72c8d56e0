"""What a pretended Pico runs: its flash is littlefs in an image file, its pins and display are those of the simulator.

Usage: micropython -i pico.py IMAGE DEVICE_FOLDER main|raw. As on the Pico, boot.py runs, then main.py unless the host
left it at the raw REPL; then comes the prompt. tests/pico_vm.py is the board around it.
"""

import os
import sys
import time

import vfs

BLOCK_BYTES = 4096


class Flash:
    """An image file as a block device."""

    def __init__(self, path):
        self._file = open(path, "r+b", buffering=0)  # noqa: SIM115 - for ever
        self._blocks = os.stat(path)[6] // BLOCK_BYTES

    def readblocks(self, block, buffer, offset=0):
        self._file.seek(block * BLOCK_BYTES + offset)
        self._file.readinto(buffer)

    def writeblocks(self, block, buffer, offset=0):
        self._file.seek(block * BLOCK_BYTES + offset)
        self._file.write(buffer)

    def ioctl(self, op, arg):
        if op == 4:
            return self._blocks
        if op == 5:
            return BLOCK_BYTES
        return 0


print("ready")  # for the board: from here on it can be interrupted
_image, _folder, _mode = sys.argv[1:4]
_disk = vfs.VfsLfs2(Flash(_image), progsize=256)
vfs.umount("/")
vfs.mount(_disk, "/")
vfs.mount(vfs.VfsPosix("/"), "/pc")
os.chdir("/")
sys.path[:] = ["", ".frozen", "/lib", "/pc" + _folder]

import machine  # noqa: E402


class RTC:
    """A clock that runs on through restarts: how far it is ahead of that of the computer is beside the image."""

    def datetime(self, *moment):
        path = "/pc" + _image + ".rtc"
        if moment:
            year, month, day, _, hour, minute, second, _ = moment[0]
            with open(path, "w") as file:
                file.write(str(time.mktime((year, month, day, hour, minute, second, 0, 0, -1)) - time.time()))
            return None
        try:
            with open(path) as file:
                ahead = float(file.read())
        except OSError:
            return (2021, 1, 1, 4, 0, 0, 0, 0)
        year, month, day, hour, minute, second, weekday = time.localtime(time.time() + ahead)[:7]
        return (year, month, day, weekday, hour, minute, second, 0)


def bootloader():
    """Leave a note for the board, which then closes the port."""
    with open("/pc" + _image + ".bootsel", "w"):
        pass
    sys.exit(0)


machine.RTC = RTC
machine.bootloader = bootloader
for _name in ("boot.py", "main.py"):
    if _mode == "main" or _name == "boot.py":
        try:
            with open(_name) as _source:
                _source = _source.read()
        except OSError:
            continue
        exec(compile(_source, _name, "exec"))
