"""The store in flash: the same log as in RAM, whatever the file system was doing when the power went."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableside.core.log import MemoryLog
from tableside.hw.log import FileLog, StoreError
from tableside.hw.store import Store


@pytest.fixture
def log(tmp_path: Path) -> FileLog:
    log = Store(str(tmp_path / "sessions")).new()
    log.begin(b"head")
    return log


def reopen(log: FileLog) -> FileLog:
    log.close()
    return FileLog(log._folder[:-1])


def everything(log: FileLog) -> bytes:
    return log.read(0, log.end)


def test_sessions_are_numbered_and_listed_newest_first(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "sessions"))
    assert store.numbers() == []
    for _ in range(3):
        store.new().begin(b"head")
    store.new()  # the power went before its head was written
    assert store.numbers() == [3, 2, 1]
    assert store.open(2).head == b"head"
    assert Path(store.new()._folder).name == "0005"


def test_only_games_whose_result_was_pulled_make_room(tmp_path: Path) -> None:
    """The mark of the host counts for the log as it was then: one that went on since stays."""
    store = Store(str(tmp_path / "sessions"))
    for number in range(1, 9):
        log = store.new()
        log.begin(b"head")
        log.append(b"1234567")
        log.close()
        if number not in (2, 5):
            (tmp_path / "sessions" / f"{number:04d}" / "pulled").write_text("7")
    (tmp_path / "sessions" / "0003" / "pulled").write_text("no number")
    again = store.open(4)
    again.append(b"8")
    again.close()
    assert store.make_room(3) == 1 and store.numbers() == [8, 7, 6, 5, 4, 3, 2]
    assert store.make_room(3) == 0
    assert store.make_room(0) == 3 and store.numbers() == [5, 4, 3, 2]
    assert not (tmp_path / "sessions" / "0006").exists()


@settings(max_examples=60)
@given(sizes=st.lists(st.integers(1, 420), max_size=60), reopens=st.sets(st.integers(0, 60)))
def test_it_reads_like_the_log_in_ram(tmp_path_factory: pytest.TempPathFactory, sizes: list[int],
                                      reopens: set[int]) -> None:
    folder = tmp_path_factory.mktemp("store")
    log, twin = Store(str(folder)).new(), MemoryLog()
    for i, size in enumerate(sizes):
        data = bytes((i * 7 + k) & 255 for k in range(size))
        log.append(data)
        twin.append(data)
        if i in reopens:
            log = reopen(log)
    assert log.end == twin.end
    assert everything(log) == bytes(twin.data)
    for at in range(0, log.end, 97):
        assert log.read(at, min(50, log.end - at)) == twin.read(at, min(50, twin.end - at))
    log.close()
    shutil.rmtree(folder)


def test_what_append_returned_from_is_on_disk_without_closing(log: FileLog) -> None:
    log.append(b"a" * 100)
    log.append(b"b" * 350)
    other = FileLog(log._folder[:-1])
    assert everything(other) == b"a" * 100 + b"b" * 350


def test_a_cut_between_absorbing_the_tail_and_removing_it(log: FileLog) -> None:
    log.append(b"a" * 300)
    tail = Path(log._folder, "tail").read_bytes()
    log.append(b"b" * 300)  # absorbs the first 300
    log.close()
    Path(log._folder, "tail").write_bytes(tail)
    log = FileLog(log._folder[:-1])
    assert everything(log) == b"a" * 300
    log.append(b"c" * 10)
    assert everything(reopen(log)) == b"a" * 300 + b"c" * 10


@pytest.mark.parametrize("kept", [0, 1, 150, 299])
def test_a_cut_in_the_middle_of_absorbing_the_tail(log: FileLog, kept: int) -> None:
    log.append(bytes(range(250)) + b"x" * 50)
    log.close()
    Path(log._folder, "s0").write_bytes((bytes(range(250)) + b"x" * 50)[:kept])
    log = FileLog(log._folder[:-1])
    assert everything(log) == bytes(range(250)) + b"x" * 50
    log.append(b"c")
    assert everything(reopen(log)) == bytes(range(250)) + b"x" * 50 + b"c"


@pytest.mark.parametrize("left", range(5))
def test_a_tail_cut_within_its_start_is_dropped(log: FileLog, left: int) -> None:
    log.append(b"a" * 400)
    log.append(b"b" * 10)
    log.close()
    os.truncate(Path(log._folder, "tail"), left)
    log = FileLog(log._folder[:-1])
    assert everything(log) == b"a" * 400
    log.append(b"c")
    assert everything(reopen(log)) == b"a" * 400 + b"c"


def test_cut_drops_the_end_of_the_tail_only(log: FileLog) -> None:
    log.append(b"a" * 400)
    log.append(b"b" * 20)
    log.cut(410)
    assert everything(log) == b"a" * 400 + b"b" * 10
    log.append(b"c")
    assert everything(reopen(log)) == b"a" * 400 + b"b" * 10 + b"c"
    with pytest.raises(StoreError, match="before its tail"):
        log.cut(399)


def test_a_missing_segment_is_named_and_nothing_is_overwritten(log: FileLog) -> None:
    for _ in range(3):
        log.append(b"a" * 300)
    log.close()
    os.remove(Path(log._folder, "s0"))
    with pytest.raises(StoreError, match="records missing before the tail: .*0001"):
        FileLog(log._folder[:-1])
    assert Path(log._folder, "tail").stat().st_size == 304


def test_reading_past_the_end_is_refused(log: FileLog) -> None:
    log.append(b"abc")
    for position, size in ((0, 4), (3, 1), (-1, 1)):
        with pytest.raises(StoreError, match="cut short"):
            log.read(position, size)


def test_few_files_for_a_long_game(log: FileLog) -> None:
    for _ in range(10_000):
        log.append(b"r" * 24)
    log.close()
    assert len(os.listdir(log._folder)) == 10  # head, tail and 240,000 bytes in segments of about 32 KB


def test_the_checkpoint_is_replaced_as_a_whole(log: FileLog) -> None:
    assert log.checkpoint() == b""
    log.save_checkpoint(b"one")
    Path(log._folder, "check.new").write_bytes(b"half of tw")  # the power went before the rename
    assert reopen(log).checkpoint() == b"one"


def test_a_cut_that_leaves_nothing_in_the_tail(log: FileLog) -> None:
    log.append(b"a" * 400)
    log.append(b"bcd")
    log.cut(400)
    log.append(b"e" * 20)
    assert everything(reopen(log)) == b"a" * 400 + b"e" * 20


class Failing:
    """Calls something, and fails once at a chosen call, before or after it was done."""

    def __init__(self, call, at: int, after: bool):
        self._call, self._left, self._after = call, at, after

    def __call__(self, *args, **kwargs):
        self._left -= 1
        if self._left:
            return self._call(*args, **kwargs)
        if self._after:
            self._call(*args, **kwargs)
        raise OSError(5, "on purpose")


class FailingFile:
    """A file whose flush may fail."""

    def __init__(self, file, flush: Failing):
        self._file, self.flush = file, flush

    def __getattr__(self, name: str):
        return getattr(self._file, name)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("at", range(1, 8))
@pytest.mark.parametrize("what", ["flush", "remove", "_append"])
def test_what_failed_once_is_written_once(log: FileLog, monkeypatch: pytest.MonkeyPatch, what: str, at: int,
                                          after: bool) -> None:
    """Every OSError is passed on, the same data is given again, and the log has it once."""
    from tableside.hw import log as module

    expected = b""
    failures = 0
    if what == "remove":
        monkeypatch.setattr(module.os, "remove", Failing(os.remove, at, after))
    elif what == "_append":
        monkeypatch.setattr(module, "_append", Failing(module._append, at, after))
    flush = Failing(lambda: log._file._file.flush(), at, after)
    for i in range(30):
        data = bytes((i,)) * 150
        while True:
            try:
                if what == "flush" and log._file is not None and not isinstance(log._file, FailingFile):
                    log._file = FailingFile(log._file, flush)
                log.append(data)
                break
            except OSError:
                failures += 1
                assert log.end == len(expected)
        expected += data
    assert failures == 1
    assert everything(log) == expected == everything(reopen(log))
