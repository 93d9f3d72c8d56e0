"""Reading a compiled pack by offset. Only the section directory and the record in use are in RAM.

File: header, directory, sections. Header: magic, format u16, sections u16, languages u16, total size u32, then the
first 16 bytes of the SHA-256 of all that follows the header. Directory: offset u32, count u16 for each section. The
last sections are the string tables, one a language: count + 1 offsets u16, then UTF-8.
"""

import hashlib
import struct

from tableside.core.errors import PackError, RuleError

MAGIC = b"TSPK"
FORMAT = 4
HEADER = "<4sHHHI16s"
HEADER_BYTES = 30
_ENTRY = "<IH"
_ENTRY_BYTES = 6
NONE = 0xFFFF
NOBODY = 255
ID_BYTES = 16
TEXT_BYTES = 1000  # of one text: a page of the display has 126 characters

# Sections, in file order. FORMATS holds the struct of one record of each; a "run" is (first H, count B).
META = 0  # id, title, version, first note, notes
# Of a scenario, (first, count): sides, counters, decks, zones, steps, results, reminders, units, flags, weapons,
# guides, builders, abilities, bonuses, tracks.
SCENARIO = 1  # id, title, those, bytes of state for the code, roster slots
SIDE = 2  # name, kind
COUNTER = 3  # name, short name, lowest, highest, start, scope, owner, pinned, value names run
DECK = 4  # name, first zone, zones, first card, card kinds, cards, policy
ZONE = 5  # name, kind, owner, look, returns
CARD = 6  # title, text, copies
STEP = 7  # phase, title, prompt, runs of effects, actions, conditions, checklist; actor, first and last round, flags
ACTION = 8  # label, question, condition run, effects run, kind, argument
EFFECT = 9  # op, a, b, c, operand source, operand value, condition run
CONDITION = 10  # left source, left value, comparison, right source, right value
WINDOW = 11  # title, prompt, actions run
CHECK = 12  # title, prompt, dice run, modifiers run, outcomes run
DIE = 13  # label, sides, sign
MODIFIER = 14  # operand source, operand value, sign, condition run
OUTCOME = 15  # lowest, highest, label, effects run
TABLE = 16  # title, deck, rows run
ROW = 17  # first card, last card, title, text, effects run
RESULT = 18  # title, text, kind, next scenario, condition run, effects run
REMINDER = 19  # text, step, first round, last round, condition run
LINE = 20  # text
# name, side, how many at the start; models, wounds, toughness, save, invulnerable, feel no pain; keywords, runs of arms
# and of what its tracks start at, one START for each track of the scenario or none
UNIT = 21
FLAG = 22  # name, mark, scope; of a unit that begins with it: a question before it is fielded, wounds lost
WEAPON = 23  # name, resolver, the numbers of its PROFILE
ARM = 24  # a weapon that a unit has: its number in the scenario, by how many models; 0: by all of them
# Linked scenarios; empty in a pack without campaigns. See core.campaign.
CAMPAIGN = 25  # id, title, text, missions run, first values
MISSION = 26  # scenario
LINK = 27  # one for each scenario: first and count of keeps, endings run
KEEP = 28  # id, kind, number in the scenario
ENDING = 29  # title, text, kind, condition run
GUIDE = 30  # title, what is said after the last line, flags, lines run
GUIDE_LINE = 31  # question, answer, flags, lines that bar it (a bit each), conditions run, effects run
BUILDER = 32  # title, unit, side, runs of sums, groups, options, examples
SUM = 33  # name, start, lowest, highest
GROUP = 34  # title, fewest and most picks, first option of the builder, options
# label, name of the unit, most, group of the pick that it alters; keywords; runs of costs, settings, changes, weapons,
# of picks that it needs one of, and that it excludes
OPTION = 35
COST = 36  # sum of the builder, what is added
SETTING = 37  # byte of the roster's slot, whether it is added, value
CHANGE = 38  # dice rules, number of the profile, whether it is added, value, number that must not be 0 (255: none)
PICK = 39  # option of the builder, or an ability that another excludes
EXAMPLE = 40  # name, picks run
# name, text, question, side, counter, cost, limit, until, target, first and last round; runs of moments, excluded
# abilities, conditions, conditions of the unit, effects; the ability whose limit it shares, often itself
ABILITY = 41
MOMENT = 42  # step, whose turn
# What it hangs on, which flag, ability or unit; the number of an attack that it changes, by how much; conditions run;
# twice a number (or NOBODY) that must have this value. See core.bonus.
BONUS = 43
# The pack's own code: see `core.code`.
MODULE = 44  # name, its first byte and how many there are in CODE, the beginning of the SHA-256 of its source
CODE = 45  # bytes: the modules, compiled
WORD = 46  # text: what the code says, by its number
FIGURES = 47  # a table of the code: its first byte and how many there are in FIGURE, columns
FIGURE = 48  # bytes
TRACK = 49  # name, short name, highest, start, scope, value names run
START = 50  # of a track: a number, or HAS_NOT where the unit does not have it
HAS_NOT = 255
PROFILE_MOST = 28  # numbers of a weapon
FORMATS = (
    "<HHHHB",
    "<33HB",
    "<HB",
    "<HHhhhBBBHB",
    "<HHBHHHB",
    "<HBBBB",
    "<HHB",
    "<HHHHBHBHBHBBBBB",
    "<HHHBHBBB",
    "<BBBBBhHB",
    "<BhBBh",
    "<HHHB",
    "<HHHBHBHB",
    "<HBb",
    "<BhbHB",
    "<hhHHB",
    "<HBHB",
    "<BBHHHB",
    "<HHBBHBHB",
    "<HBBBHB",
    "<H",
    "<HBBBBBBBBHHBHB",
    "<HHBHB",
    "<HB%db" % PROFILE_MOST,
    "<Bb",
    "<HHHHBH",
    "<B",
    "<HHHB",
    "<HBB",
    "<HHBHB",
    "<HHBHB",
    "<HHBBHBHB",
    "<HBBHBHBHBHB",
    "<Hhhh",
    "<HBBBB",
    "<HHBBHHBHBHBHBHBHB",
    "<Bh",
    "<BBh",
    "<BBBbB",
    "<B",
    "<HHB",
    "<HHHBBBBBBBBHBHBHBHBHBB",
    "<BB",
    "<BBBbHBBbBb",
    "<HHH8s",
    "<B",
    "<H",
    "<HHB",
    "<B",
    "<HHBBBHB",
    "<B",
)
STRINGS = len(FORMATS)
# Older formats that are still read, and how many sections they have before the texts.
_OLDER = {2: 23, 3: 25}
# Records that were shorter, the newest first: up to which format, section, how they were, and after which field what
# stands for the new ones.
_SHORTER = (
    (3, SCENARIO, "<22HB", 22, (0,) * 11),
    (3, RESULT, "<HHBBHB", 6, (0, 0)),
    (3, FLAG, "<HHB", 3, (NONE, 0)),
    (3, UNIT, "<HBBBBBBBBHHB", 12, (0, 0)),
    (3, ARM, "<B", 1, (0,)),
    (2, SCENARIO, "<20HB", 20, (0,) * 13),
    (2, UNIT, "<HBBBBBBBB", 9, (0,) * 5),
)


class Pack:
    """An open pack.

    Args: file: a seekable binary file; it stays open and belongs to the pack from then on.
    Raises: PackError if the file is no pack, is of another format, or is not as it was written.
    """

    def __init__(self, file):
        self._file = file
        header = file.read(HEADER_BYTES)
        if len(header) < HEADER_BYTES or header[:4] != MAGIC:
            raise PackError("not a pack")
        _, fmt, sections, self.languages, size, self.hash = struct.unpack(HEADER, header)
        if fmt != FORMAT and fmt not in _OLDER:
            raise PackError("pack format not supported", fmt)
        self._shorter = {old[1]: old[2:] for old in _SHORTER if fmt <= old[0]}
        self.sections = self._strings = _OLDER.get(fmt, STRINGS)  # those before the texts
        if sections != self._strings + self.languages or not self.languages:
            raise PackError("pack sections wrong", sections)
        self._size = size
        self._verify(size)
        self._sizes = bytes(struct.calcsize(self._format(i)) for i in range(self.sections))
        self._directory = self._read(HEADER_BYTES, sections * _ENTRY_BYTES)
        self.id = self.text(self.record(META, 0)[0])
        if len(self.id.encode()) > ID_BYTES:
            raise PackError("pack id too long", self.id)

    def _verify(self, size):
        digest = hashlib.sha256()
        chunk = bytearray(256)
        view = memoryview(chunk)
        left = size - HEADER_BYTES
        while left > 0:
            n = self._file.readinto(chunk)
            if not n:
                break
            digest.update(view[:n])
            left -= n
        if left or self._file.read(1):
            raise PackError("pack cut short or too long", size)
        if digest.digest()[:16] != self.hash:
            raise PackError("pack damaged: checksum differs")

    def close(self):
        """Close the file."""
        self._file.close()

    def _format(self, section):
        return self._shorter[section][0] if section in self._shorter else FORMATS[section]

    def count(self, section):
        """How many records `section` has."""
        if section >= self.sections:
            return 0
        return struct.unpack_from(_ENTRY, self._directory, section * _ENTRY_BYTES)[1]

    def record(self, section, index):
        """The fields of one record as a tuple (see FORMATS). Raises PackError if there is no such record."""
        if not 0 <= index < self.count(section):
            raise PackError("no such record", "%d[%d]" % (section, index))
        offset = struct.unpack_from(_ENTRY, self._directory, section * _ENTRY_BYTES)[0]
        size = self._sizes[section]
        fields = struct.unpack(self._format(section), self._read(offset + index * size, size))
        if section in self._shorter:
            _, at, added = self._shorter[section]
            return fields[:at] + added + fields[at:]
        return fields

    def raw(self, section, first, count):
        """A run of bytes of a section whose records are bytes. Raises PackError if it has not so many."""
        if not 0 <= first <= first + count <= self.count(section):
            raise PackError("no such bytes", "%d[%d:%d]" % (section, first, first + count))
        offset = struct.unpack_from(_ENTRY, self._directory, section * _ENTRY_BYTES)[0]
        return self._read(offset + first, count)

    def _read(self, offset, size):
        if offset + size > self._size:  # before anything is allocated
            raise PackError("pack reaches beyond its end", offset + size)
        self._file.seek(offset)
        data = self._file.read(size)
        if len(data) < size:
            raise PackError("pack cut short", offset + size)
        return data

    def text(self, index):
        """String number `index` in the chosen language; NONE gives an empty string."""
        if index == NONE:
            return ""
        offset, count = struct.unpack_from(_ENTRY, self._directory, self._strings * _ENTRY_BYTES)
        if index >= count:
            raise PackError("no such string", index)
        start, end = struct.unpack("<HH", self._read(offset + 2 * index, 4))
        if not start <= end <= start + TEXT_BYTES:
            raise PackError("string damaged", index)
        try:
            return str(self._read(offset + 2 * count + 2 + start, end - start), "utf-8")
        except UnicodeError:
            raise PackError("string is no UTF-8", index) from None

    def use_language(self, number):
        """Take texts from language `number` (0 is the pack's own). Raises PackError if the pack lacks it."""
        if not 0 <= number < self.languages:
            raise PackError("no such language", number)
        self._strings = self.sections + number

    def title(self):
        """The name of the game."""
        return self.text(self.record(META, 0)[1])

    def version(self):
        """Its version, as its author writes it."""
        return self.text(self.record(META, 0)[2])

    def notes(self):
        """What the players should know: defaults chosen, gaps that they fill."""
        first, count = self.record(META, 0)[3:]
        return [self.text(self.record(LINE, i)[0]) for i in range(first, first + count)]

    def scenario_titles(self):
        """The names of all scenarios, in order."""
        return [self.text(self.record(SCENARIO, i)[1]) for i in range(self.count(SCENARIO))]

    def language(self, number):
        """The code of language `number`, such as "en": string 0 of its table."""
        keep = self._strings
        self.use_language(number)
        code = self.text(0)
        self._strings = keep
        return code


# The runs of a SCENARIO record in their order: section and how many records it may name.
_RUNS = (
    (SIDE, 14),
    (COUNTER, 200),
    (DECK, 15),
    (ZONE, 255),
    (STEP, 255),
    (RESULT, 254),
    (REMINDER, 32767),
    (UNIT, 254),
    (FLAG, 8),
    (WEAPON, 200),
    (GUIDE, 200),
    (BUILDER, 200),
    (ABILITY, 254),
    (BONUS, 255),
    (TRACK, 16),
)


class Scenario:
    """One scenario of a pack: the records it uses, by their local numbers.

    Args: rules: gives the resolver module of a number, see `core.stages`; None where no dice are resolved.
    Raises: PackError if the pack has no such scenario, or not the records that it names.
    """

    def __init__(self, pack, index, rules=None):
        self.pack = pack
        self.index = index
        self._rules = rules
        (
            self._id,
            self._title,
            self._side,
            self.sides,
            self._counter,
            self.counters,
            self._deck,
            self.decks,
            self._zone,
            self.zones,
            self._step,
            self.steps,
            self._result,
            self.results,
            self._reminder,
            self.reminders,
            self._unit,
            self.units,
            self._flag,
            self.flags,
            self._weapon,
            self.weapons,
            self._guide,
            self.guides,
            self._builder,
            self.builders,
            self._ability,
            self.abilities,
            self._bonus,
            self.bonuses,
            self._track,
            self.tracks,
            self.code_bytes,
            self.slots,
        ) = record = pack.record(SCENARIO, index)
        at = 2
        for section, most in _RUNS:
            if record[at + 1] > most or record[at] + record[at + 1] > pack.count(section):
                raise PackError("scenario reaches beyond its section", "%d: %d" % (index, section))
            at += 2
        if index > 254 or not self.steps:
            raise PackError("no scenario to play", index)

    def resolver(self, number):
        """The resolver module of a number. Raises RuleError if there is none."""
        if self._rules is None:
            raise RuleError("no dice rules here", number)
        return self._rules(number)

    def title(self):
        """The scenario's name for the players."""
        return self.pack.text(self._title)

    def id(self):
        """The scenario's kebab-case id."""
        return self.pack.text(self._id)

    def side(self, i):
        """(name, kind) of side `i`."""
        return self.pack.record(SIDE, self._side + i)

    def side_name(self, i):
        """The name of side `i`, or nothing for NOBODY."""
        return "" if i == NOBODY else self.pack.text(self.side(i)[0])

    def players(self):
        """The numbers of the sides that people play."""
        return [i for i in range(self.sides) if not self.side(i)[1]]

    def counter(self, i):
        """The COUNTER record of counter `i`."""
        return self.pack.record(COUNTER, self._counter + i)

    def deck(self, i):
        """The DECK record of deck `i`; its first zone is counted from the scenario's first."""
        return self.pack.record(DECK, self._deck + i)

    def zone(self, i):
        """The ZONE record of zone `i`, counted over all decks of the scenario."""
        return self.pack.record(ZONE, self._zone + i)

    def step(self, i):
        """The STEP record of step `i`."""
        return self.pack.record(STEP, self._step + i)

    def result(self, i):
        """The RESULT record of result `i`."""
        return self.pack.record(RESULT, self._result + i)

    def reminder(self, i):
        """The REMINDER record of reminder `i`."""
        return self.pack.record(REMINDER, self._reminder + i)

    def unit(self, i):
        """The UNIT record of unit `i`."""
        return self.pack.record(UNIT, self._unit + i)

    def flag(self, i):
        """The FLAG record of flag `i`."""
        return self.pack.record(FLAG, self._flag + i)

    def weapon(self, i):
        """The WEAPON record of weapon `i`."""
        return self.pack.record(WEAPON, self._weapon + i)

    def guide(self, i):
        """The GUIDE record of guide `i`."""
        return self.pack.record(GUIDE, self._guide + i)

    def builder(self, i):
        """The BUILDER record of builder `i`."""
        return self.pack.record(BUILDER, self._builder + i)

    def ability(self, i):
        """The ABILITY record of ability `i`."""
        return self.pack.record(ABILITY, self._ability + i)

    def bonus(self, i):
        """The BONUS record of bonus `i`."""
        return self.pack.record(BONUS, self._bonus + i)

    def unit_weapons(self, i):
        """The numbers of the weapons of unit `i`, each once."""
        found = []
        for weapon, _ in self.arms(i):
            if weapon not in found:
                found.append(weapon)
        return found

    def arms(self, i):
        """The ARM records of unit `i`."""
        first, count = self.unit(i)[10:12]
        return [self.pack.record(ARM, first + n) for n in range(count)]

    def track(self, i):
        """The TRACK record of track `i`."""
        return self.pack.record(TRACK, self._track + i)

    def track_start(self, i, unit):
        """What track `i` of a unit starts at: a number, or HAS_NOT."""
        first, count = self.unit(unit)[12:]
        return self.pack.record(START, first + i)[0] if count else HAS_NOT
