"""Cuts the power at every block write while a campaign is begun, gets results and has one taken back, on littlefs.

Usage: micropython campaign_cut.py EVERY, with TABLESIDE_PACKS and the portable tests on the path. The real app is
played by its buttons. After a cut, clean or torn, a device starts on what the chip holds: the book is the one before
or the one after what was being done, and doing that again gives the one after. Prints the number of cut points.
"""

import gc
import os
import sys

from power_cut import PROG_BYTES, RamDevice
from test_app import Device

from tableside.core.book import Book


def top(device):
    """The screen on top."""
    return device.app._stack[len(device.app._stack) - 1]


def book(device):
    """The book of the campaign, None if there is none."""
    numbers = device.campaigns.numbers()
    return device.campaigns.head(numbers[0]) if numbers else None


def to_campaign(device):
    """From anywhere to the campaign's screen."""
    device.app.home()
    device.step()
    device.to("Campaigns")
    device.ok()
    device.ok()


def begin(device):
    """Begin the campaign."""
    if book(device) is None:
        device.to("New game")
        device.ok(2)
        device.to("Campaign: ")
        device.ok(2)


def play(device):
    """Play the next mission to its result."""
    to_campaign(device)
    device.ok()
    device.step(count=4)
    while device.screen() in ("Message", "Play"):
        device.ok()


def enter(device):
    """Enter the result of the game that is over; a game that lost its last command is played to its end again."""
    before = Book(book(device)).played
    play(device)
    while device.screen() == "Result":
        device.ok()
    if Book(book(device)).played == before:
        device.ok()


def enter_again(device):
    """Try to enter a result that is in the book."""
    device.app.resume(device.store.numbers()[0])
    device.step()
    while device.screen() == "Result":
        device.ok()
    device.ok()


def take_back(device):
    """Take the last result back."""
    to_campaign(device)
    device.to("Take back")
    device.ok(2)


SCRIPT = (begin, play, enter, play, enter, take_back, enter)


def mounted(chip, folder):
    """A device on a chip."""
    os.mount(os.VfsLfs2(chip, progsize=PROG_BYTES), folder)
    return Device(folder, ("saga",))


class Cuts:
    """What becomes of the cuts. Args: books: the book before the script and after each part; every: which are tried."""

    def __init__(self, books, every):
        self._books = books
        self._every = every
        self._seen = 0
        self.part = -1  # that is being played
        self.points = self.ahead = 0
        self.faults = []  # raised here, they would be taken for faults of the chip

    def __call__(self, data, torn):
        """Start again on what the chip holds."""
        if not torn:
            self._seen += 1
        if self.part < 0 or self._seen % self._every:
            return
        self.points += 1
        gc.collect()
        try:
            device = mounted(RamDevice(bytearray(data)), "/cut")
            self._check(device)
            device.app.close()
        except Exception as error:  # noqa: BLE001 - whatever it is
            self.faults.append("part %d, write %d: %s" % (self.part, self._seen, repr(error)))
        os.umount("/cut")

    def _check(self, device):
        before, after = self._books[self.part], self._books[self.part + 1]
        found = book(device)
        if found not in (before, after):
            raise AssertionError("another book: %s" % found)
        if before == after:
            SCRIPT[self.part](device)  # only the game is written: it goes on
        elif found == before:
            SCRIPT[self.part](device)
        else:
            self.ahead += 1
            if SCRIPT[self.part] is enter:
                enter_again(device)
        if book(device) != after or device.errors:
            raise AssertionError("%s %s" % (book(device), device.errors))


def evening(cuts=None):
    """Play the script on an empty chip. Returns: the books, and how often the chip was written."""
    chip = RamDevice()
    os.VfsLfs2.mkfs(chip, progsize=PROG_BYTES)
    device = mounted(chip, "/flash")
    chip.writes = 0
    chip.on_write = cuts
    books = [book(device)]
    for number, part in enumerate(SCRIPT):
        if cuts is not None:
            cuts.part = number
        part(device)
        books.append(book(device))
    chip.on_write = None
    device.app.close()
    if device.errors:
        raise AssertionError(device.errors)
    os.umount("/flash")
    return books, chip.writes


def main():
    """Try the cut points; the exit code tells."""
    books, writes = evening()
    played = [None if data is None else Book(data).played for data in books]
    if played != [None, 0, 0, 1, 1, 2, 1, 2]:
        raise AssertionError("not the evening that was meant: %s" % played)
    cuts = Cuts(books, int(sys.argv[1]))
    evening(cuts)
    if cuts.faults:
        raise AssertionError("\n".join(cuts.faults[:5]))
    print("cut points", cuts.points, "of", 2 * writes, "with the new book", cuts.ahead)


if __name__ == "__main__":
    main()
