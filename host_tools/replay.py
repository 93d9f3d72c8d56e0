"""`tableside replay`: playing a session's log again on the host and comparing every digest."""

import argparse
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from host_tools.errors import CommandError
from host_tools.logfile import read_log
from host_tools.packs.build import compile_system, find_games
from host_tools.packs.compiler import Compiled
from host_tools.words import Words
from tableside.core.campaign import Carried
from tableside.core.errors import CoreError, LogError
from tableside.core.log import MemoryLog
from tableside.core.pack import Pack
from tableside.core.record import KIND, REDONE, REVEALED, UNDONE, Record, chain
from tableside.core.rng import SEED_BYTES
from tableside.core.session import Session, read_carried, read_head
from tableside.core.state import LAYOUT, O_RNG
from tableside.rules import resolver

_MANUAL = """\
Plays the log of a session again on the host and compares the digest of every record: was every command allowed, and
did it give just this state? LOG is a file written by 'tableside play --log' or the session folder of a device. The
log must have been made with the version of the game that is here.

With --json: ok, commands (how many are right), first_difference (null, or n, command and reason), reveals_undone (how
many undos came after a hidden card or a roll had come to light).
"""
_EXAMPLE = """\
example:
  tableside play nemesis/erosion-of-power --do "large; done; advance" --log game.log
  tableside replay game.log
"""


@dataclass
class Difference:
    """The first record that is not as it should be; n is 0 for the start."""

    n: int
    command: str | None
    reason: str


def add_parser(subparsers: Any) -> None:
    """Add `replay`."""
    parser = subparsers.add_parser("replay", help="verify the log of a session", description=_MANUAL, epilog=_EXAMPLE,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=Path, metavar="LOG")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Verify a log. Returns: 0 if it is right, else 1. Raises: CommandError, OSError."""
    try:
        log = read_log(args.log)
        count, difference = verify(log, pack_of(log))
        undos = [] if difference else [record for _, record in _records(log) if record.kind & UNDONE]
        seen = sum(bool(record.kind & REVEALED) for record in undos)
    except LogError as error:
        raise CommandError(f"{args.log}: {error}") from None
    if args.json:
        found = None if difference is None else asdict(difference)
        print(json.dumps({"ok": found is None, "commands": count, "first_difference": found, "reveals_undone": seen},
                         ensure_ascii=False))
    if difference is None:
        if not args.json:
            note = f"; {seen} undone after something had come to light" if seen else ""
            print(f"{args.log}: ok, {count} commands{note}")
        return 0
    command = f" ({difference.command})" if difference.command else ""
    where = f"command {difference.n}{command}" if difference.n else "start"
    print(f"tableside replay: {args.log}: {where}: {difference.reason}", file=sys.stderr)
    return 1


def pack_of(log: MemoryLog) -> Compiled:
    """The game that a log was made with. Raises: LogError if it is not here, or not in that version."""
    system, pack_hash, scenario, _, _ = read_head(log.head)
    if system not in find_games():
        raise LogError("made with a game that is not here", system)
    compiled = compile_system(system)
    here = Pack(io.BytesIO(compiled.data)).hash
    if pack_hash != here:
        raise LogError(f"made with another version of {system}: its hash is {pack_hash.hex()}, here it is {here.hex()}")
    if scenario >= len(compiled.scenarios):
        raise LogError("no such scenario", scenario)
    return compiled


def verify(log: MemoryLog, compiled: Compiled) -> tuple[int, Difference | None]:
    """Play a log again. Returns: how many commands are right, and the first difference.

    Raises: LogError if its head is damaged.
    """
    _, _, scenario, layout, first = read_head(log.head)
    if layout != LAYOUT:
        return 0, Difference(0, None, f"state layout {layout}; this version has {LAYOUT}")
    again = MemoryLog()
    values = read_carried(log.head)
    session = Session.new(Pack(io.BytesIO(compiled.data)), scenario, first[O_RNG : O_RNG + SEED_BYTES], again, resolver,
                          Carried(values) if values else None)
    if again.head != log.head:
        return 0, Difference(0, None, "the seed does not give this first state: one of them, or what was carried, "
                                      "was changed")
    words = Words(session, compiled.scenarios[scenario])
    undo_chain = _UndoChain()
    count = 0
    try:
        for position, record in _records(log):
            undone = undo_chain.take(record, position)
            reason = _sum_fault(session, record, count) or _replay(session, record, undone)
            if reason:
                return count, Difference(count + 1, _spell(words, record, undone), reason)
            count += 1
    except LogError as error:
        return count, Difference(count + 1, None, str(error))
    return count, None


def _records(log: MemoryLog) -> Iterator[tuple[int, Record]]:
    """(position, record) of each. Raises LogError at one that is cut short or damaged."""
    position = 0
    while position < log.end:
        left = log.end - position
        size = int.from_bytes(log.read(position, min(2, left)), "little")
        if left < 2 or left < size:
            raise LogError("the log is cut short within this record")
        yield position, Record(log.read(position, size))
        position += size


class _UndoChain:
    """The records that undo would take back, as positions, to tell how many commands an undo took back."""

    def __init__(self) -> None:
        self._last = -1  # none
        self._before: dict[int, int] = {}

    def take(self, record: Record, position: int) -> int:
        """Go on behind a record. Returns: how many commands it takes back."""
        linked = position - record.undo if record.undo else -1
        if not record.kind & UNDONE:
            self._before[position] = linked
            self._last = position
            return 0
        count = 0
        at = self._last
        while at >= 0 and (at != linked or not count):
            at = self._before[at]
            count += 1
        self._last = linked
        return count if at == linked else 0


def _sum_fault(session: Session, record: Record, count: int) -> str:
    """Why a record's digest does not fit its own bytes and the records before it, or nothing."""
    state = bytearray(session.state.data)
    record.apply(state)
    if chain(session.digest, record.body(), state) == record.digest:
        return ""
    if count:
        return "its digest is wrong: it was altered, or a record before it is missing"
    return "its digest is wrong: the seed or the start was swapped, it was altered, or a record before it is missing"


def _replay(session: Session, record: Record, undone: int) -> str:
    """Do the command of a record again. Returns: why it does not give the same, or nothing."""
    try:
        if record.kind & UNDONE:
            session.undo(undone)
        elif record.kind & REDONE:
            session.redo()
        else:
            session.do(record.kind & KIND, record.args)
    except CoreError as error:
        return f"not allowed here: {error}"
    return "" if session.digest == record.digest else "gives another state by the rules of this version"


def _spell(words: Words, record: Record, undone: int) -> str:
    if record.kind & UNDONE:
        return f"undo {undone}" if undone != 1 else "undo"
    if record.kind & REDONE:
        return "redo"
    return words.spell(record.kind & KIND, record.args)
