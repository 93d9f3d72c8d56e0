"""Sessions: undo and redo, resuming from the log wherever it ends, damage, checkpoints and memory."""

import gc
import hashlib
import io

from support import SCENARIOS, SEED, Game, Lcg, open_pack, pack_path, play, raises, some_command

from tableside.core import commands
from tableside.core.errors import LogError, RuleError
from tableside.core.log import MemoryLog
from tableside.core.opening import read_head
from tableside.core.pack import Pack
from tableside.core.rng import SEED_BYTES
from tableside.core.session import CHECKPOINT_EVERY, Session
from tableside.core.state import O_ROUND
from tableside.rules import resolver

MASKS = (1, 0x40, 0xFF)


class FrozenLog(MemoryLog):
    """A log that must not be written."""

    def _refuse(self, *args):
        raise AssertionError("the log was written")

    begin = append = cut = save_checkpoint = _refuse


def copy_of(log, end=None, checkpoint=True, kind=MemoryLog):
    """The first `end` bytes of a log as a log of its own."""
    copy = kind()
    copy.head = log.head
    copy.data = bytearray(log.data[: log.end if end is None else end])
    copy._checkpoint = log.checkpoint() if checkpoint else b""
    return copy


def look(session):
    """All that an observer can see of a session."""
    return (bytes(session.state.data), session.digest, session.can_undo(), session.can_redo(), session.records)


def collect():
    """Collect early, or what is kept lies scattered over the small heap of the VM and a long log finds no room."""
    if hasattr(gc, "mem_alloc"):
        gc.collect()


def played(target, count, seed=1):
    """(game, look and log end after each command) of random play with undos and redos; saved after every command."""
    game = Game(target)
    seen = [(look(game.session), 0)]
    for session in play(game.session, Lcg(seed), count):
        session.save()
        seen.append((look(session), game.log.end))
        collect()
    return game, seen


def endless_command(state, pick):
    """A legal command that does not end the game."""
    kind, args = some_command(state, pick)
    if state.data[O_ROUND] >= 4:
        return commands.JUMP, (0, 1)
    if kind == commands.JUMP:
        return kind, (args[0], 1 + args[1] % 3)
    return (commands.SHUFFLE, (0,)) if kind in (commands.END, commands.CONCEDE) else (kind, args)


def commands_only(target, count):
    """(game, bytes after each command) of random play without undos."""
    game = Game(target)
    pick = Lcg(7)
    states = [game.bytes]
    for _ in range(count):
        game.session.do(*endless_command(game.state, pick))
        states.append(game.bytes)
    return game, states


def undo_all(session):
    while session.can_undo():
        session.undo()
        collect()


# Undo and redo.


def test_undo_to_the_start_and_redo_to_the_end_from_every_point():
    for target in SCENARIOS:
        game, states = commands_only(target, 20)
        session = game.session
        for point in range(20, -1, -4):
            for _ in range(20 - point):
                session.undo()
            assert game.bytes == states[point]
            for i in range(point - 1, -1, -1):
                session.undo()
                assert game.bytes == states[i]
            assert not session.can_undo()
            for i in range(1, len(states)):
                session.redo()
                assert game.bytes == states[i]
            assert not session.can_redo()


def test_undo_several_at_once_is_one_entry_both_ways():
    game, states = commands_only(SCENARIOS[0], 20)
    session = game.session
    session.undo(7)
    assert game.bytes == states[13]
    session.undo(13)
    assert game.bytes == states[0] and not session.can_undo()
    session.redo()
    assert game.bytes == states[13]
    session.redo()
    assert game.bytes == states[20] and not session.can_redo()
    session.undo()
    assert game.bytes == states[13]  # what one redo did, one undo takes back
    session.undo()
    assert game.bytes == states[0] and not session.can_undo()


def test_too_many_undos_change_nothing():
    game, states = commands_only(SCENARIOS[1], 5)
    session = game.session
    session.save()
    before = look(session), game.log.end
    raises(RuleError, session.undo, 6)
    raises(RuleError, session.redo)
    assert (look(session), game.log.end) == before
    session.undo(5)
    raises(RuleError, session.undo)
    assert game.bytes == states[0]


def test_a_new_command_ends_redo():
    game, states = commands_only(SCENARIOS[0], 6)
    session = game.session
    session.undo(2)
    session.undo()
    game.adjust("pool", 7)
    assert not session.can_redo()
    raises(RuleError, session.redo)
    session.undo()
    assert game.bytes == states[3]
    session.redo()
    assert game.counter("pool") == 7
    session.undo()
    session.undo()
    assert game.bytes == states[2]  # the branch that was left is not on the way


def test_undo_of_a_redo_and_redo_of_that():
    game, states = commands_only(SCENARIOS[0], 4)
    session = game.session
    for _ in range(3):
        session.undo()
        session.undo()
        session.redo()
        session.undo()
        assert game.bytes == states[2]
        session.redo()
        session.redo()
        assert game.bytes == states[4] and not session.can_redo()
    undo_all(session)
    assert game.bytes == states[0]


def test_the_log_forgets_nothing():
    game, _ = commands_only(SCENARIOS[0], 8)
    session = game.session
    entries = [record.kind for record in session.history()]
    session.undo(3)
    session.redo()
    undo_all(session)
    after = [record.kind for record in session.history()]
    assert after[len(after) - len(entries) :] == entries
    assert len(after) == session.records == 8 + 2 + 6


# Refusals.


def test_a_refused_command_changes_nothing():
    for target in SCENARIOS:
        game = Game(target)
        for session in play(game.session, Lcg(5), 40):
            session.save()
            before = look(session), game.log.end
            for kind, args in (
                (0, ()),
                (63, ()),
                (commands.ADVANCE, (1,)),
                (commands.CHOOSE, ()),
                (commands.CHOOSE, (-1,)),
                (commands.CHOOSE, (30000,)),
                (commands.ENTER, ()),
                (commands.ENTER, (0, 7)),
                (commands.ENTER, (0, 1, 1, 1)),
                (commands.TICK, (32, 1)),
                (commands.TICK, (0, 2)),
                (commands.SALT, (1,)),
                (commands.ADJUST, (99, 0)),
                (commands.ADJUST, (0, 10)),
                (commands.ADJUST, (0, -1)),
                (commands.JUMP, (99, 1)),
                (commands.JUMP, (0, 256)),
                (commands.MOVE, (0, 0, 200, 0, 0)),
                (commands.MOVE, (0, 0, 0, 0, 3)),
                (commands.MOVE, (9, 0, 0, 0, 0)),
                (commands.DRAW, (0, 9)),
                (commands.DRAW, (9, 0)),
                (commands.SHUFFLE, (-1,)),
                (commands.END, (9,)),
                (commands.FIELD, (0,)),
                (commands.FIELD, (14, 254, 1, 1, 4, 3, 0, 0)),
                (commands.FIELD, (255, 254, 1, 1, 4, 3, 0, 0)),
                (commands.FIELD, (0, 254, 0, 1, 4, 3, 0, 0)),
                (commands.FIELD, (0, 254, 1, 1, 4, 3, 0)),
                (commands.FIELD, (0, 254, 1, 1, 4, 3, 0, 8)),
                (commands.FIELD, (0, 99)),
                (commands.FIELD, (0, 255)),
                (commands.UNIT, (40, 2, 0)),
                (commands.UNIT, (-1, 2, 0)),
                (commands.UNIT, (0, 0, 0)),
                (commands.UNIT, (0, 1, 0)),
                (commands.UNIT, (0, 4, 0)),
                (commands.UNIT, (0, 11, 0)),
                (commands.UNIT, (0, 24, 1)),
                (commands.UNIT, (0, 16, 2)),
                (commands.UNIT, (0, 2, -1)),
                (commands.UNIT, (0, 3, 32767)),
                (commands.REMOVE, (40,)),
                (commands.REMOVE, (-1,)),
            ):
                if target.startswith("nemesis/") and (kind, args) == (commands.ADJUST, (0, 10)):
                    continue  # their first counter goes to 99
                assert session.check(kind, args)[0] == commands.NO
                raises(RuleError, session.do, kind, args)
            session.save()
            assert (look(session), game.log.end) == before


def test_what_fails_half_way_changes_nothing():
    game = Game(SCENARIOS[1])
    for _ in range(5):
        game.draw("intruder", "removed")
    game.jump("ff-a", 255)
    before = look(game.session)
    raises(RuleError, game.choose, "end-turn")  # the step after it would begin round 256
    assert look(game.session) == before


def test_seeds_of_another_size_are_refused():
    pack = open_pack("nemesis")
    for size in (0, SEED_BYTES - 1, SEED_BYTES + 1):
        log = MemoryLog()
        raises(RuleError, Session.new, pack, 0, bytes(size), log)
        assert not log.head


def test_salt_comes_before_the_first_random_number_and_changes_it():
    plain, salted = Game(SCENARIOS[0]), Game(SCENARIOS[0])
    salted.session.do(commands.SALT, (65535, 1))
    for game in (plain, salted):
        game.shuffle("npo")
        raises(RuleError, game.session.do, commands.SALT, (1, 2))
    assert plain.zone("npo", "draw") != salted.zone("npo", "draw")
    assert plain.state.seed() == salted.state.seed() == SEED


# Resuming.


def test_resume_at_every_record_is_the_same_session():
    for target in SCENARIOS:
        game, seen = played(target, 60)
        for expected, end in seen:
            resumed = Session.resume(game.pack, copy_of(game.log, end), resolver)
            assert look(resumed) == expected


def test_a_resumed_session_plays_on_alike():
    for at in (1, 17, 40):
        game, seen = played(SCENARIOS[1], 60)
        resumed = Session.resume(game.pack, copy_of(game.log, seen[at][1]), resolver)
        twin = played(SCENARIOS[1], at)[0].session
        for one, other in zip(play(resumed, Lcg(9), 30), play(twin, Lcg(9), 30)):  # noqa: B905
            assert look(one) == look(other)


def test_a_cut_at_every_byte_loses_at_most_the_last_record():
    game, seen = played(SCENARIOS[0], 40)
    for end in range(game.log.end + 1):
        log = copy_of(game.log, end)
        resumed = Session.resume(game.pack, log, resolver)
        expected, boundary = [entry for entry in seen if entry[1] <= end][-1]
        assert look(resumed) == expected
        assert log.end == boundary
        if end % 10 == 0 and not resumed.over():
            resumed.do(commands.SHUFFLE, (0,))
            resumed.save()
            assert look(Session.resume(game.pack, log, resolver)) == look(resumed)


def test_an_altered_byte_is_refused_and_nothing_written():
    game, seen = played(SCENARIOS[0], 30)
    last = seen[-2][1]
    for at in range(game.log.end):
        for mask in MASKS:
            log = copy_of(game.log, kind=FrozenLog)
            log.data[at] ^= mask
            try:
                raises(LogError, Session.resume, game.pack, log, resolver)
            except AssertionError:
                # The last record may look cut short: then it is lost, and nothing else.
                assert at >= last, "byte %d of %d" % (at, game.log.end)
                log = copy_of(log, kind=MemoryLog)
                assert look(Session.resume(game.pack, log, resolver)) == seen[-2][0] and log.end == last


def test_an_altered_head_is_refused():
    game, _ = played(SCENARIOS[0], 5)
    for at in range(len(game.log.head)):
        for mask in MASKS:
            log = copy_of(game.log, kind=FrozenLog)
            head = bytearray(log.head)
            head[at] ^= mask
            log.head = bytes(head)
            raises(LogError, Session.resume, game.pack, log, resolver)
        log.head = game.log.head[:at]
        raises(LogError, Session.resume, game.pack, log, resolver)


def test_the_log_of_another_pack_is_refused_and_kept():
    game, _ = played(SCENARIOS[0], 5)
    with open(pack_path("nemesis"), "rb") as file:
        data = file.read()
    data = bytearray(data)
    data[len(data) - 1] ^= 1  # a letter of its last text
    data[14:30] = hashlib.sha256(data[30:]).digest()[:16]
    other = Pack(io.BytesIO(bytes(data)))
    error = raises(LogError, Session.resume, other, copy_of(game.log, kind=FrozenLog), resolver)
    assert "another version" in str(error) and "nemesis" in str(error)
    assert read_head(game.log.head)[:3] == ("nemesis", game.pack.hash, 0)


# Checkpoints.


class CountingLog(MemoryLog):
    """Counts the reads."""

    reads = 0

    def read(self, position, size):
        self.reads += 1
        return MemoryLog.read(self, position, size)


def test_a_checkpoint_changes_nothing_but_the_speed():
    for target in SCENARIOS[:2]:
        game = Game(target)
        start = game.bytes
        for session in play(game.session, Lcg(1), 300):
            session.save()
        assert game.log.checkpoint()
        reads = []
        for checkpoint in (True, False):
            log = copy_of(game.log, None, checkpoint, CountingLog)
            resumed = Session.resume(game.pack, log, resolver)
            reads.append(log.reads)
            assert look(resumed) == look(game.session)
            undo_all(resumed)
            assert bytes(resumed.state.data) == start
        assert reads[0] <= CHECKPOINT_EVERY // 4 < 50 < reads[1]


def test_a_damaged_checkpoint_is_ignored():
    game, seen = played(SCENARIOS[1], CHECKPOINT_EVERY + 6)
    whole = game.log.checkpoint()
    for at in range(len(whole)):
        log = copy_of(game.log, kind=FrozenLog)
        log._checkpoint = whole[:at] + bytes((whole[at] ^ MASKS[at % 3],)) + whole[at + 1 :]
        assert look(Session.resume(game.pack, log, resolver)) == seen[-1][0]
        if at % 5 == 0:
            log._checkpoint = whole[:at]
            assert look(Session.resume(game.pack, log, resolver)) == seen[-1][0]


def test_a_checkpoint_ahead_of_a_cut_log_is_ignored():
    game, seen = played(SCENARIOS[1], CHECKPOINT_EVERY + 6)
    expected, end = seen[20]
    assert look(Session.resume(game.pack, copy_of(game.log, end), resolver)) == expected


# Memory.


class WindowLog(MemoryLog):
    """Keeps the last kilobyte only."""

    def __init__(self):
        MemoryLog.__init__(self)
        self._gone = 0

    @property
    def end(self):
        return self._gone + len(self.data)

    def append(self, data):
        self.data.extend(data)
        gone = len(self.data) - 1024
        if gone > 0:
            self.data = self.data[gone:]
            self._gone += gone

    def read(self, position, size):
        return MemoryLog.read(self, position - self._gone, size)


def held():
    """Bytes of the heap in use; 0 where nobody counts them."""
    gc.collect()
    return gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0


def repeat(game, count):
    """Commands of every kind, each round alike: offered actions, dice, overrides, an undo and a redo."""
    pick = Lcg(4)
    for i in range(count):
        if game.session.over():
            game.session.undo()
        game.session.do(*endless_command(game.state, pick))
        if i % 5 == 0:
            game.session.undo()
            game.session.redo()
        game.session.save()


def test_nothing_grows():
    game = Game(SCENARIOS[0], log=WindowLog())
    repeat(game, 500)
    before = held()
    repeat(game, 2000)
    assert game.session.records > 2500
    assert held() - before <= 64  # a few blocks: objects of another size
