"""What the link runs on a device to look at its files and to write some. Lines that it prints are the answers."""

import binascii
import hashlib
import os
import sys

_CHUNK = 1024
_file = None


def kind(path):
    """"file", "folder" or "" if there is none."""
    try:
        mode = os.stat(path)[0]
    except OSError:
        return ""
    return "folder" if mode & 0x4000 else "file"


def digest(path, most=-1):
    """The SHA-256 of a file, or of its first bytes, in hex."""
    total = hashlib.sha256()
    buffer = bytearray(_CHUNK)
    view = memoryview(buffer)
    with open(path, "rb") as file:
        while True:
            count = file.readinto(buffer)
            if 0 <= most < count:
                count = most
            if not count:
                break
            total.update(view[:count])
            most -= count if most > 0 else 0
    return binascii.hexlify(total.digest()).decode()


def walk(path, hashes):
    """Print every file at or under a path: its size, its hash if that is asked for, and its path; folders end in /."""
    if kind(path) == "folder":
        print("0 -", path + "/")
        for name in sorted(os.listdir(path)):
            walk(path + "/" + name, hashes)
    elif kind(path):
        print(os.stat(path)[6], digest(path) if hashes else "-", path)


def begin(path):
    """Open a file to be written by `put`."""
    global _file
    _file = open(path, "wb")  # noqa: SIM115 - closed by `end`


def put(text):
    """Write a piece, in base64."""
    _file.write(binascii.a2b_base64(text))


def end(path):
    """Close the file and print the hash of what is now in flash."""
    _file.close()
    print(digest(path))


def send(path, start):
    """Print a file from a position on, in lines of base64, then an empty one."""
    with open(path, "rb") as file:
        file.seek(start)
        while True:
            data = file.read(_CHUNK)
            print(binascii.b2a_base64(data).decode().strip())
            if not data:
                break


def space():
    """Print the size of a block and how many are free."""
    stats = os.statvfs(".")
    print(stats[1], stats[3])


def frozen(name):
    """Print whether a module is part of the MicroPython image."""
    path = sys.path[:]
    sys.path[:] = [".frozen"]
    try:
        __import__(name)
        print(True)
    except ImportError:
        print(False)
    finally:
        sys.path[:] = path
        sys.modules.pop(name, None)
