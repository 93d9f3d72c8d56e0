"""`tableside replay`: playing a session's log again on the host and comparing every digest."""

import argparse
import io
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from host_tools.errors import CommandError
from host_tools.log_faults import why_head_wrong, why_wrong
from host_tools.log_records import UndoChain, records
from host_tools.logfile import read_log
from host_tools.packs.build import compile_system, find_games
from host_tools.packs.compiler import Compiled
from host_tools.words import Words
from tableside.core.campaign import Carried
from tableside.core.errors import CoreError, LogError
from tableside.core.log import MemoryLog
from tableside.core.opening import read_carried, read_head
from tableside.core.pack import Pack
from tableside.core.record import KIND, REDONE, REVEALED, UNDONE, Record
from tableside.core.rng import SALT_BYTES, SEED_BYTES, commitment
from tableside.core.session import Session
from tableside.core.state import LAYOUT, O_OVER, O_RNG
from tableside.rules import resolver

_MANUAL = """\
Plays the log of a session again on the host and compares the digest of every record: was every command allowed, and
did it give just this state? LOG is a file written by 'tableside play --log' or the session folder of a device. The
log must have been made with the version of the game that is here.

The seal, which the players could write down before the first shuffle, is that of the seed in the log: --seal compares
the two. With the salt that the players gave, if any, the seed decides every shuffle and every roll of the device.
docs/club.md says what that proves and what it does not.

With --json: ok, commands (how many are right), first_difference (null, or n, command and reason), reveals_undone (how
many undos came after a hidden card or a roll had come to light), seal, salt ("" for none), seed ("" while the game
runs).
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
    parser.add_argument("--seal", metavar="HEX", help="the seal as the players wrote it down, 16 hex digits")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Verify a log. Returns: 0 if it is right, else 1. Raises: CommandError, OSError."""
    try:
        log = read_log(args.log)
        count, difference = verify(log, pack_of(log))
        undos = [] if difference else [record for _, record in records(log) if record.kind & UNDONE]
        seen = sum(bool(record.kind & REVEALED) for record in undos)
    except LogError as error:
        raise CommandError(f"{args.log}: {error}") from None
    seal, salt, seed = _seeds(log, count if difference is None else 0)
    if difference is None and args.seal and args.seal.replace(" ", "").lower() != seal:
        difference = Difference(0, None, f"the seal {args.seal} is not that of its seed, {seal}: the seed was swapped")
    if args.json:
        found = None if difference is None else asdict(difference)
        print(json.dumps({"ok": found is None, "commands": count, "first_difference": found, "reveals_undone": seen,
                          "seal": seal, "salt": salt, "seed": seed}, ensure_ascii=False))
    if difference is None:
        if not args.json:
            note = f"; {seen} undone after something had come to light" if seen else ""
            print(f"{args.log}: ok, {count} commands{note}\nseal {seal}" + (f"\nsalt {salt}" if salt else "")
                  + (f"\nseed {seed}" if seed else "\nunfinished: the seed is a secret still"))
        return 0
    command = f" ({difference.command})" if difference.command else ""
    where = f"command {difference.n}{command}" if difference.n else "start"
    print(f"tableside replay: {args.log}: {where}: {difference.reason}", file=sys.stderr)
    return 1


def _seeds(log: MemoryLog, right: int) -> tuple[str, str, str]:
    """Seal, salt and seed of a log; the seed while the game runs and the salt without one are "".

    Args: right: how many of its records are; where all cannot be read, what they lead to is not looked at.
    """
    state = bytearray(read_head(log.head)[4])
    if right:
        for _, record in records(log):
            record.apply(state)
    seed = bytes(state[O_RNG : O_RNG + SEED_BYTES])
    salt = state[O_RNG + SEED_BYTES : O_RNG + SEED_BYTES + SALT_BYTES]
    return commitment(seed)[:8].hex(), salt.hex() if any(salt) else "", seed.hex() if state[O_OVER] else ""


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
        return 0, Difference(0, None, why_head_wrong(log))
    words = Words(session, compiled.scenarios[scenario])
    undo_chain = UndoChain()
    count = 0
    try:
        for position, record in records(log):
            reason = why_wrong(session, log, position, record)
            undone = undo_chain.take(record, position)
            reason = reason or _replay(session, record, undone)
            if reason:
                return count, Difference(count + 1, _spell(words, record, undone), reason)
            count += 1
    except LogError as error:
        return count, Difference(count + 1, None, str(error))
    return count, None


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
