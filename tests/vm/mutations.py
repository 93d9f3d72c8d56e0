"""Mutated packs, session folders and settings files: each is taken as it is, or refused with an error of our own.

Usage: PYTHON mutations.py FOLDER SEED FIRST COUNT, with TABLESIDE_PACKS set, firmware and tests/portable on the path.
Each case follows from SEED and its number alone. More than half of them have their checksums repaired, so that what was
altered reaches the code behind the checks. FOLDER/case holds the number of the case being tried.
"""

import gc
import hashlib
import io
import json
import os
import struct
import sys
import time

if hasattr(gc, "threshold"):
    gc.threshold(8000)  # before the imports: collected often, the heap has room for a pack in one piece

from support import SCENARIOS, Game, Lcg, pack_path, play, some_command  # noqa: E402
from test_app import Device

from tableside.core import pack as packs
from tableside.core.errors import CoreError, LogError
from tableside.core.fields import expand
from tableside.core.log import MemoryLog
from tableside.core.opening import read_head
from tableside.core.pack import FORMATS, STRINGS, Pack
from tableside.core.record import DIGEST_BYTES, KIND, Record, chain
from tableside.core.session import Session
from tableside.core.state import O_STEP
from tableside.core.titles import command_title
from tableside.hw import log as logs
from tableside.hw.log import StoreError
from tableside.hw.store import Store
from tableside.rules import resolver
from tableside.ui import settings
from tableside.ui.input import BIT_BACK, BIT_OK

OURS = (CoreError, StoreError, OSError)
SLOW_MS = 20000  # on a busy computer too: only what hardly ends is as slow
SUM_BYTES = 8
COMMANDS = 90  # of each saved game: a checkpoint, some segments and a tail
WORDS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF)

now_ms = time.ticks_ms if hasattr(time, "ticks_ms") else lambda: int(time.monotonic() * 1000)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def remove_folder(path):
    for name in os.listdir(path):
        os.remove(path + "/" + name)
    os.rmdir(path)


def contents(folder):
    """The files of a folder: {name: bytes}."""
    return {name: read(folder + "/" + name) for name in os.listdir(folder)}


# --- mutations ---------------------------------------------------------------------------------------------------


def mutate(data, pick):
    """A copy with one to three things wrong: bits, bytes, its length, a block twice, two blocks swapped."""
    for _ in range(1 + pick(8) // 6 + pick(8) // 7):
        data = bytearray(data or b"\0")
        at = pick(len(data))
        size = 1 + pick(min(40, len(data) - at))
        kind = pick(8)
        if kind < 2:
            data[at] ^= 1 << pick(8)
        elif kind < 4:
            data[at] = (0, 255)[kind & 1]
        elif kind == 4:
            data = data[:at]
        elif kind == 5:
            data = data[:at] + bytes(pick(256) for _ in range(size)) + data[at:]
        elif kind == 6:
            data = data[:at] + data[at : at + size] + data[at:]
        else:
            other = pick(len(data))
            first, last = min(at, other), max(at, other)
            size = min(size, last - first, len(data) - last)
            middle = data[first + size : last]
            data = data[:first] + data[last : last + size] + middle + data[first : first + size] + data[last + size :]
    return bytes(data)


def with_sum(data):
    return bytes(data) + hashlib.sha256(data).digest()[:SUM_BYTES]


def pack_with_sum(data):
    """A pack whose size and checksum are right again."""
    if len(data) < packs.HEADER_BYTES:
        return data
    digest = hashlib.sha256(data[packs.HEADER_BYTES :]).digest()[:16]
    return data[:10] + struct.pack("<I", len(data)) + digest + data[packs.HEADER_BYTES :]


def fields(section):
    """(offset, code) of each field of a section's records."""
    found = []
    at = 0
    number = ""
    for code in FORMATS[section][1:]:
        if code.isdigit():
            number += code
            continue
        for _ in range(int(number or 1)):
            found.append((at, code))
            at += struct.calcsize("<" + code)
        number = ""
    return found


def set_number(data, at, code, pick):
    """Set the field at `at` to an extreme, a random or a neighbouring value."""
    size = struct.calcsize("<" + code)
    old = int.from_bytes(data[at : at + size], "little")
    value = (WORDS[pick(len(WORDS))], pick(65536), old + 1, old - 1, 1 << pick(8 * size))[pick(5)]
    data[at : at + size] = bytes(value >> 8 * i & 255 for i in range(size))


def mutate_fields(data, pick):
    """A copy of a pack in which one to three fields of records, of the directory or of the string tables are wrong."""
    data = bytearray(data)
    for _ in range(1 + pick(3)):
        section = pick(STRINGS + 3)
        if section > STRINGS:
            at = packs.HEADER_BYTES + 6 * pick(STRINGS + 1)
            at, code = (at, "I") if section & 1 else (at + 4, "H")
        else:
            offset, count = struct.unpack_from("<IH", data, packs.HEADER_BYTES + 6 * section)
            if not count or offset + count > len(data):
                continue
            if section == STRINGS:
                at, code = offset + 2 * pick(count + 1), "H"
            else:
                found = fields(section)
                place, code = found[pick(len(found))]
                at = offset + pick(count) * struct.calcsize(FORMATS[section]) + place
        if at + 4 <= len(data):
            set_number(data, at, code, pick)
    return pack_with_sum(bytes(data))


def split(records):
    """The records of a log, without lengths and digests."""
    found = []
    at = 0
    while at < len(records):
        size = records[at] | records[at + 1] << 8
        found.append(records[at + 2 : at + size - 2 - DIGEST_BYTES])
        at += size
    return found


def chained(head, bodies):
    """A log with these records: lengths and digests are right, whatever the records say."""
    state = bytearray(read_head(head)[4])
    digest = chain(b"", head[: len(head) - SUM_BYTES], b"")
    out = bytearray()
    for body in bodies:
        size = struct.pack("<H", len(body) + 4 + DIGEST_BYTES & 0xFFFF)
        record = bytearray(size + body)
        try:
            Record(bytes(record + bytes(DIGEST_BYTES) + size)).apply(state)
        except LogError:
            pass
        digest = chain(digest, record, state)
        out.extend(record + digest + size)
    return bytes(out)


# --- what is done with each ----------------------------------------------------------------------------------------


class Wrong(Exception):
    """A case that went wrong without an exception."""


def walk_pack(pack):
    """Read every record and every text of a pack."""
    for section in range(STRINGS):
        for index in range(pack.count(section)):
            pack.record(section, index)
    for language in range(pack.languages):
        pack.use_language(language)
        for index in range(pack.count(STRINGS + language)):
            pack.text(index)
    pack.use_language(0)
    pack.title()
    pack.notes()
    return len(pack.scenario_titles())


def tolerant(call, *args):
    """Call, and take an error of our own for an answer."""
    try:
        return call(*args)
    except OURS:
        return None


def command(session, pick):
    """Try a command, and read what the players would see."""
    given = tolerant(some_command, session.state, lambda n: pick(n) if n > 0 else 0)
    before = bytes(session.state.data)
    try:
        if given is not None:
            session.do(*given)
            if not session.state.sound():
                raise Wrong("a state that cannot be after %s %s" % given)
    except OURS:
        if bytes(session.state.data) != before:
            raise Wrong("a refused command changed the state: %s %s" % given) from None
    step = session.scenario.step(session.state.data[O_STEP])
    return expand(session.state, session.pack.text(step[2]))


def look_back(session):
    """Read the whole history."""
    for record in session.history():
        tolerant(command_title, session.state, record.kind & KIND, record.args)


def press(device, pick, count):
    """Random keys; what the error boundary catches must be ours."""
    for _ in range(count):
        kind = pick(12)
        if kind < 8:
            device.press((BIT_OK, 2, BIT_OK, 1)[kind & 3], ms=30)
        elif kind < 10:
            device.press(BIT_BACK, ms=30)
        else:
            device.press((BIT_OK, BIT_BACK)[kind & 1], ms=650)
    for error in device.errors:
        if not isinstance(error, OURS):
            raise error


class Cases:
    """The originals, and a folder in which the mutants are tried.

    Args: folder: an empty folder.
    """

    def __init__(self, folder):
        self.folder = folder
        self.packs = [(name, read(pack_path(name))) for name in sorted({target.split("/")[0] for target in SCENARIOS})]
        logs._SEGMENT_BYTES = 700  # a short game has several segments
        self.games = [self._game(number, target) for number, target in enumerate(SCENARIOS)]
        remove_folder("%s/sessions/0003" % folder)
        self._write_session(2, self.games[0][1])
        self.healthy = contents(folder + "/sessions/0001")
        self.device = None

    def _game(self, number, target):
        """Play a game. Returns (target, its files, all records as bytes, every digest it had)."""
        log = Store(self.folder + "/sessions").new()
        game = Game(target, log=log)
        digests = [game.session.digest]
        for session in play(game.session, Lcg(number + 3), COMMANDS):
            session.save()
            digests.append(session.digest)
        records = log.read(0, log.end)
        log.close()
        return target, contents("%s/sessions/%04d" % (self.folder, number + 1)), records, digests

    def _write_session(self, number, files):
        folder = "%s/sessions/%04d" % (self.folder, number)
        for name in os.listdir(folder):
            if name not in files:
                os.remove(folder + "/" + name)
        for name, data in files.items():
            write(folder + "/" + name, data)

    # Each case returns the mutant's outcome: whether it was taken as it is. It raises what it refuses it with.

    def pack(self, pick):
        """A pack with the wrong checksum."""
        name, data = self.packs[pick(len(self.packs))]
        mutant = mutate(data, pick) if pick(9) else data
        walk_pack(Pack(io.BytesIO(mutant)))
        if mutant != data:
            raise Wrong("an altered pack was taken")

    def pack_sum(self, pick):
        """A pack altered anywhere, with the right checksum."""
        name, data = self.packs[pick(len(self.packs))]
        self._use_pack(name, pack_with_sum(mutate(data, pick)), pick)

    def pack_fields(self, pick):
        """A pack with a few fields altered, with the right checksum."""
        name, data = self.packs[pick(len(self.packs))]
        self._use_pack(name, mutate_fields(data, pick), pick)

    def _use_pack(self, name, data, pick):
        pack = Pack(io.BytesIO(data))
        refused = None
        scenarios = pack.count(packs.SCENARIO)
        try:
            scenarios = walk_pack(pack)
        except OURS as error:
            refused = error
        for index in range(min(scenarios, 4)):
            try:
                session = Session.new(pack, index, bytes(range(16)), MemoryLog(), resolver)
                for _ in range(20):
                    tolerant(command, session, pick)
                session.save()
                look_back(session)
                while tolerant(session.undo):
                    pass
            except OURS as error:
                refused = error
        if pick(6) == 0:
            self._play_app(name, data, pick)
        if refused is not None:
            raise refused

    def _play_app(self, name, data, pick):
        """The whole app with this pack: choose it, begin, press keys."""
        device = Device(self.folder, ())
        path = "%s/packs/%s.tspk" % (self.folder, name)
        write(path, data)
        for number in range(2):
            tolerant(device.app.begin, name, number)
            device.step()
            press(device, pick, 12)
        device.app.home()
        os.remove(path)
        self.clean()

    def clean(self):
        """Remove the sessions that were begun in a case; one that the keys played on, or removed, is put back."""
        folder = self.folder + "/sessions"
        removed = [name for name in ("0001", "0002") if name not in os.listdir(folder)]
        for name in removed:
            os.mkdir(folder + "/" + name)
        log = Store(folder).open(1)
        records = self.games[0][2]
        if "0001" not in removed and (log.head != self.healthy["head"] or log.read(0, len(records)) != records):
            raise Wrong("another session was altered")
        self._write_session(1, self.healthy)
        for name in os.listdir(self.folder + "/sessions"):
            if int(name) > 2:
                remove_folder(self.folder + "/sessions/" + name)

    def head(self, pick):
        """A head with the wrong checksum."""
        target, files, _, _ = self._pick_game(pick)
        mutant = mutate(files["head"], pick) if pick(9) else files["head"]
        self._use_session(target, files, {"head": mutant}, pick)
        if mutant != files["head"]:
            raise Wrong("an altered head was taken")

    def head_sum(self, pick):
        """A head altered anywhere, with the right checksum; the records follow from it again, or there are none."""
        target, files, records, _ = self._pick_game(pick)
        head = files["head"]
        head = with_sum(mutate(head[: len(head) - SUM_BYTES], pick))
        try:
            records = chained(head, split(records)) if pick(2) else b""
        except LogError:
            records = b""
        self._use_session(target, {"head": head, "tail": bytes(4) + records}, {}, pick)

    def records(self, pick):
        """A segment or tail that was altered: it is refused, or a last part of the log is missing."""
        target, files, _, digests = self._pick_game(pick)
        names = sorted(name for name in files if name not in ("head", "check"))
        name = names[pick(len(names))]
        mutant = mutate(files[name], pick)
        first = self._use_session(target, files, {name: mutant}, pick)
        if first not in digests:
            raise Wrong("an altered log was taken")

    def records_sum(self, pick):
        """Records altered anywhere, with right lengths and digests; sometimes a checkpoint goes with them."""
        target, files, records, _ = self._pick_game(pick)
        bodies = split(records)
        for _ in range(1 + pick(3)):
            at = pick(len(bodies))
            body = bytearray(mutate(bodies[at], pick) if pick(2) else bodies[at])
            if body:
                body[pick(len(body))] = pick(256)
            bodies[at] = bytes(body)
        log = chained(files["head"], bodies)
        files = {"head": files["head"], "tail": bytes(4) + log, "check": files["check"]}
        if pick(4):
            del files["check"]
        self._use_session(target, files, {}, pick)

    def check(self, pick):
        """A checkpoint with the wrong checksum is never missed."""
        target, files, _, digests = self._pick_game(pick)
        first = self._use_session(target, files, {"check": mutate(files["check"], pick)}, pick)
        if first != digests[len(digests) - 1]:
            raise Wrong("a damaged checkpoint changed the game")

    def check_sum(self, pick):
        """A checkpoint altered anywhere, with the right checksum."""
        target, files, _, _ = self._pick_game(pick)
        body = files["check"][: len(files["check"]) - SUM_BYTES]
        self._use_session(target, files, {"check": with_sum(mutate(body, pick))}, pick)

    def _pick_game(self, pick):
        return self.games[pick(len(self.games))]

    def _use_session(self, target, files, altered, pick):
        """Take up the session, look back, undo all, play on, and take it up again. Returns: the digest it had."""
        files = dict(files)
        files.update(altered)
        self._write_session(2, files)
        name = target.split("/")[0]
        pack = Pack(open(pack_path(name), "rb"))  # noqa: SIM115
        log = None
        try:
            log = Store(self.folder + "/sessions").open(2)
            session = Session.resume(pack, log, resolver)
            first = session.digest
            look_back(session)
            for _ in range(COMMANDS):
                if not tolerant(session.undo):
                    break
            for _ in range(10):
                tolerant(command, session, pick)
            tolerant(session.redo)
            session.save()
            log.close()
            log = Store(self.folder + "/sessions").open(2)
            again = Session.resume(pack, log, resolver)
            if again.digest != session.digest or again.state.data != session.state.data:
                raise Wrong("it is another session when it is taken up again")
        finally:
            pack.close()
            if log is not None:
                log.close()
        if pick(9) == 0:
            device = Device(self.folder, (name,))
            device.ok()
            press(device, pick, 10)
            device.app.home()
            self.clean()
        return first

    def settings(self, pick):
        """A settings file with anything in it: every setting is then within its range."""
        data = json.dumps({entry[0]: entry[2 + pick(2)] for entry in settings.TABLE}).encode()
        kind = pick(4)
        if kind == 0:
            data = SETTINGS[pick(len(SETTINGS))]
        elif kind == 1:
            name = settings.TABLE[pick(len(settings.TABLE))][0]
            data = ('{"%s": %s}' % (name, VALUES[pick(len(VALUES))])).encode()
        elif kind == 2:
            data = mutate(data, pick)
        found = settings.Settings(SettingsFile(data))
        for name, _, low, high, _ in settings.TABLE:
            value = found.get(name)
            if not isinstance(value, int) or not low <= value <= high:
                raise Wrong("setting %s is %r" % (name, value))
        if found.fault:
            raise LogError(found.fault)


SETTINGS = (
    b"", b"null", b"[]", b"{", b"\xff\xfe", b"[" * 300, b'{"a":' * 100, b"1" * 500, b"{}" * 5000, b'{"language": 1}',
    b'{"language": "a code that is too long"}', b'{"nonsense": 1}', b"{1: 2}", b'"',
)  # fmt: skip
VALUES = ("null", "true", '"x"', "[]", "{}", "1e999", "-1e999", "0.5", "-1", "99999999999999999999", "", "NaN")


class SettingsFile:
    """A settings file in RAM."""

    def __init__(self, data):
        self._data = data

    def read(self, size=-1):
        return self._data if size < 0 else self._data[:size]

    def write(self, data):
        self._data = bytes(data)


# How many in a turn of cases each kind has.
KINDS = (
    ("pack", 2), ("pack_sum", 4), ("pack_fields", 6), ("head", 1), ("head_sum", 2), ("records", 3), ("records_sum", 5),
    ("check", 1), ("check_sum", 2), ("settings", 2),
)  # fmt: skip


def main(folder, seed, first, count):
    """Try the cases; prints a line a kind. Returns: the exit code."""
    cases = Cases(folder)
    if hasattr(gc, "threshold"):
        gc.threshold(64000)
    wheel = [kind for kind, share in KINDS for _ in range(share)]
    outcomes = {kind: [0, 0] for kind in wheel}
    slowest = slowest_case = 0
    for case in range(first, first + count):
        pick = Lcg(1 + (seed * 100003 + case * 7919) % 0x7FFFFFFD)
        pick(2), pick(2)
        kind = wheel[case % len(wheel)]
        write(folder + "/case", b"%d" % case)
        gc.collect()
        began = now_ms()
        try:
            getattr(cases, kind)(pick)
            outcomes[kind][0] += 1
        except OURS:
            outcomes[kind][1] += 1
        except Exception:
            print("case", case, kind)
            raise
        took = now_ms() - began
        if took > slowest:
            slowest, slowest_case = took, case
            if took > SLOW_MS:
                raise Wrong("case %d (%s) took %d ms" % (case, kind, took))
        if case % 20 == 0 and contents(folder + "/sessions/0001") != cases.healthy:
            raise Wrong("another session was altered at or just before case %d" % case)
    for kind in sorted(outcomes):
        print("%-12s accepted %6d refused %6d" % (kind, outcomes[kind][0], outcomes[kind][1]))
    print("slowest", slowest, "ms, case", slowest_case)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
