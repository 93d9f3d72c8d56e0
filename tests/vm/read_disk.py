"""Mounts an image of a littlefs as a Pico does and prints each file with its SHA-256. Args: the image."""

import binascii
import hashlib
import os
import sys

import vfs

_BLOCK = 4096


class Disk:
    """A block device on the bytes of the image."""

    def __init__(self, data):
        self.data = data

    def readblocks(self, number, buffer, offset=0):
        start = number * _BLOCK + offset
        buffer[:] = self.data[start : start + len(buffer)]

    def writeblocks(self, number, buffer, offset=0):
        start = number * _BLOCK + offset
        self.data[start : start + len(buffer)] = buffer

    def ioctl(self, what, argument):
        if what == 4:
            return len(self.data) // _BLOCK
        if what == 5:
            return _BLOCK
        return 0


def show(folder):
    """Print all files under a folder."""
    for entry in os.ilistdir(folder):
        path = folder + "/" + entry[0]
        if entry[1] == 0x4000:
            show(path)
        else:
            with open(path, "rb") as file:
                print(path[len("/disk/") :], binascii.hexlify(hashlib.sha256(file.read()).digest()).decode())


with open(sys.argv[1], "rb") as image:
    disk = Disk(bytearray(image.read()))
vfs.mount(vfs.VfsLfs2(disk, progsize=256), "/disk")
show("/disk")
