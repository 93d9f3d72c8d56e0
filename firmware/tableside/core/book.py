"""The book of one campaign: its results in order, the values that go on, and the mission that is next.

Text with a checksum, replaced as a whole: the first line is the magic and the sum, then what the campaign is, its
values, and a line for each result, with tabs between the fields. A book needs no pack to be read: it has the titles.
"""

import hashlib

from tableside.core.campaign import carry, decode, encode
from tableside.core.errors import LogError

_MAGIC = "TSCB1 "
_KEPT = 40  # results that can be looked at and taken back; of older ones only what they left
# Fields of a result.
MISSION = 0  # its id
MISSION_TITLE = 1
RESULT_TITLE = 2
SESSION = 3  # the number of the saved game
_BEFORE = 4  # the values that it changed, as they were
_ADDED = 5  # the names of those that were not there


def _sum_line(body):
    return _MAGIC.encode() + "".join("%02x" % byte for byte in hashlib.sha256(body).digest()[:8]).encode()


def _field(text):
    """A text as a field: the line ends and tabs of a title would be those of the book."""
    return text.replace("\n", " ").replace("\t", " ")


class Book:
    """A campaign that is being played.

    Args: data: what its file holds. Raises: LogError if that is no book, or damaged.
    """

    def __init__(self, data):
        line, _, body = data.partition(b"\n")
        if not line.startswith(_MAGIC.encode()) or line != _sum_line(body):
            raise LogError("campaign damaged", len(data))
        lines = str(body, "utf-8").split("\n")
        fields = lines[0].split("\t")
        self.pack_id, self.version, self.campaign, self.title, self.salt = fields[:5]
        self.played = int(fields[5])
        self.next, self.next_title = fields[6:8]  # id and title of the next mission; empty if it is over
        self.ending, self.ending_text = fields[8:]  # empty if it goes on, or is over without an ending
        self.values = decode(lines[1])
        self.results = [line.split("\t") for line in lines[2:]]

    def data(self):
        """What its file is to hold."""
        fields = (self.pack_id, self.version, self.campaign, self.title, self.salt, str(self.played),
                  self.next, self.next_title, self.ending, self.ending_text)
        lines = ["\t".join([_field(field) for field in fields]), encode(self.values)]
        body = "\n".join(lines + ["\t".join(result) for result in self.results]).encode()
        return _sum_line(body) + b"\n" + body

    def over(self):
        """Whether no mission is to follow."""
        return not self.next

    def carried(self, number):
        """What the next mission begins with. Args: number: of this book."""
        return carry(number, self.salt, self.played, self.campaign, self.values)

    def awaits(self, carried):
        """Whether the result of a session belongs here now: of this campaign, for this place, once."""
        return carried.salt == self.salt and carried.played == self.played and not self.over()

    def take(self, title, result, session, values, following, ending):
        """Enter a result.

        Args: title: of the mission; result: its title; session: its number; values: what it leaves; following: (id,
            title) of the next mission, empty for none; ending: (title, text), empty if the campaign goes on.
        """
        # Of units only the flags that are or were set.
        values = {name: values[name] for name in values if values[name] or "." not in name or name in self.values}
        before = {name: self.values[name] for name in values if self.values.get(name, values[name]) != values[name]}
        added = [name for name in sorted(values) if name not in self.values]
        fields = (self.next, title, result, str(session), encode(before), " ".join(added))
        self.results = (self.results + [[_field(field) for field in fields]])[-_KEPT:]
        self.values.update(values)
        self.played += 1
        self.next, self.next_title = following
        self.ending, self.ending_text = ending

    def take_back(self):
        """Take the last result back: its mission is the next one again."""
        result = self.results.pop()
        for name in result[_ADDED].split():
            del self.values[name]
        self.values.update(decode(result[_BEFORE]))
        self.played -= 1
        self.next, self.next_title = result[:2]
        self.ending = self.ending_text = ""


def new_book(pack, campaign, title, salt, following, values):
    """The Book of a campaign that begins.

    Args: pack: an open Pack; campaign: its id; salt: no other campaign has it; following: (id, title) of the first
        mission; values: what that begins with.
    """
    fields = (pack.id, pack.version(), campaign, title, salt, "0") + following + ("", "")
    body = ("\t".join([_field(field) for field in fields]) + "\n" + encode(values)).encode()
    return Book(_sum_line(body) + b"\n" + body)
