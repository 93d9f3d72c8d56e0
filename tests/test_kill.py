"""The simulated device is killed again and again while somebody plays; no kill loses more than the last command.

`TABLESIDE_KILLS` says how often, `TABLESIDE_TEST_SEED` with which keys and when. Time is in lock step, so the same keys
on the same folder give the same session: before each kill they are played without one, and that is what is expected.
"""

import io
import os
import random
import shutil
import time
from pathlib import Path

import pytest
from vms import SEED

from host_tools.logfile import read_log
from host_tools.sim.bridge import Device, DeviceError
from tableside.core.opening import read_head
from tableside.core.pack import Pack
from tableside.core.record import Record, chain
from tableside.core.session import Session
from tableside.hw.store import Store
from tableside.rules import resolver
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP

KILLS = int(os.environ.get("TABLESIDE_KILLS", "8"))
FRESH_EVERY = 25  # kills of one folder
KEYS_BEFORE_KILL = 14
COMMANDS_AFTER_KILL = 20
GAP_MS = 60
# Key, for how long: OK mostly, for it does something everywhere.
KEYS = [(BIT_OK, 60)] * 12 + [(BIT_DOWN, 60)] * 4 + [(BIT_UP, 60)] * 2
KEYS += [(BIT_BACK, 60), (BIT_BACK, 800), (BIT_OK, 800)]

Key = tuple[int, int]


class Killable(Device):
    """A device that is killed at a chosen moment after a chosen answer of the host.

    Args: folder: its file system; answer: the number of that answer, 0 for no kill; delay_s: how long after it.
    Attributes: answers: how many it had; drawn: those after which it had no more to draw, so that it saved next.
    """

    def __init__(self, folder: Path, answer: int = 0, delay_s: float = 0) -> None:
        self.answers = 0
        self.drawn: list[int] = []
        self._answer, self._delay_s = answer, delay_s
        self._drew = self._draws = False  # with the answer before, with this one
        super().__init__(folder, "micropython", seed=SEED)

    def _write(self, address: int, data: bytes) -> int:
        self._draws = True
        return super()._write(address, data)

    def _reply(self, error: int) -> None:
        if self._drew and not self._draws:
            self.drawn.append(self.answers)
        self._drew, self._draws = self._draws, False
        super()._reply(error)
        self.answers += 1
        if self.answers == self._answer:
            end = time.perf_counter() + self._delay_s
            while time.perf_counter() < end:
                pass
            self._process.kill()

    def push(self, key: Key) -> None:
        """One key, and the pause after it."""
        mask, ms = key
        self.press(mask)
        self.run_ms(ms)
        self.release(mask)
        self.run_ms(GAP_MS)


class Saved:
    """All sessions of a device's folder, as the host reads them. The folder is not touched."""

    def __init__(self, folder: Path) -> None:
        self.logs = {}
        for path in sorted((folder / "sessions").glob("*")):
            if (path / "head").exists():
                self.logs[int(path.name)] = read_log(path)

    def counts(self) -> dict[int, int]:
        """How many records each session has."""
        return {number: len(self.digests(number)) - 1 for number in self.logs}

    def total(self) -> int:
        """How many records there are in all."""
        return sum(self.counts().values())

    def _records(self, number: int) -> list[Record]:
        data = bytes(self.logs[number].data)
        found, at = [], 0
        while at < len(data):
            size = data[at] | data[at + 1] << 8
            if at + size > len(data):
                break  # cut short by a kill
            found.append(Record(data[at : at + size]))
            at += size
        return found

    def digests(self, number: int) -> list[bytes]:
        """The digest of the new session and after each record."""
        return [chain(b"", self.logs[number].head[:-8], b""), *(record.digest for record in self._records(number))]

    def states(self, number: int) -> list[bytes]:
        """The state after each record, the first state before."""
        state = bytearray(read_head(self.logs[number].head)[4])
        found = [bytes(state)]
        for record in self._records(number):
            record.apply(state)
            found.append(bytes(state))
        return found


def resumed(folder: Path, copy: Path, number: int) -> Session:
    """A session as the device would take it up, from a copy of its files."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder / "sessions", copy)
    log = Store(str(copy)).open(number)
    pack = folder / "packs" / f"{read_head(log.head)[0]}.tspk"
    return Session.resume(Pack(io.BytesIO(pack.read_bytes())), log, resolver)


class Table:
    """A folder of a device, and what is done to it.

    Args: folder: an empty folder; packs: of compiled packs; thumb: what its keys follow from.
    """

    def __init__(self, folder: Path, packs: Path, thumb: random.Random) -> None:
        self.folder = folder
        self._thumb = thumb
        self._copy = folder.with_name(folder.name + "-copy")
        (folder / "packs").mkdir(parents=True)
        for name in ("ambush", "nemesis"):
            shutil.copy(packs / f"{name}.tspk", folder / "packs")

    def _healthy(self, device: Device) -> None:
        device.close()
        assert device.serial == [], "\n".join(device.serial)
        assert not list(self.folder.glob("crash.txt"))

    def _upright(self) -> None:
        """Forget the settings: on a device that is turned, OK would be another key."""
        (self.folder / "settings.json").unlink(missing_ok=True)

    def expect(self, keys: list[Key]) -> tuple[list[dict[int, int]], Saved, list[int], int]:
        """Play on a copy.

        Returns: the counts before and after each key, what was saved, where in the answers a command was saved, and how
            many answers there were.
        """
        shutil.rmtree(self._copy, ignore_errors=True)
        shutil.copytree(self.folder, self._copy)
        counts = [Saved(self._copy).counts()]
        saving: list[int] = []
        with Killable(self._copy) as device:
            for key in keys:
                device.drawn.clear()
                device.push(key)
                counts.append(Saved(self._copy).counts())
                if counts[-1] != counts[-2]:
                    saving += device.drawn
        self._healthy(device)
        return counts, Saved(self._copy), saving, device.answers

    def kill(self) -> tuple[bool, bool]:
        """Play until a kill. Returns: whether it came while a command was saved, and whether that command is there."""
        thumb = self._thumb
        self._upright()
        keys = [(BIT_OK, 60), *(thumb.choice(KEYS) for _ in range(KEYS_BEFORE_KILL))]
        counts, expected, saving, answers = self.expect(keys)
        answer = thumb.choice(saving) if saving and thumb.random() < 0.8 else thumb.randint(1, answers)
        done = 0
        try:
            with Killable(self.folder, answer, thumb.random() * thumb.uniform(0, 0.0015)) as device:
                for key in keys:
                    device.push(key)
                    done += 1
        except DeviceError:
            pass
        before, after = counts[done], counts[min(done + 1, len(keys))]
        kept = False
        for number in expected.logs:
            kept |= self._compare(number, expected, before.get(number, -1), after.get(number, -1))
        return before != after, kept

    def _compare(self, number: int, expected: Saved, low: int, high: int) -> bool:
        """Compare a session with what is expected. Returns: whether it has a record more than it must have."""
        if not (self.folder / "sessions" / f"{number:04}" / "head").exists():
            assert low < 0, f"session {number} is gone"
            return False
        session = resumed(self.folder, self._copy / "resumed", number)
        found = expected.digests(number).index(session.digest)
        assert max(low, 0) <= found <= high, f"session {number}: {found} records, must be {low} to {high}"
        assert found == session.records
        assert bytes(session.state.data) == expected.states(number)[found]
        return found > low

    def play_on(self, commands: int) -> None:
        """Start again on the folder and give so many commands; whoever is lost in the menus begins anew."""
        end = Saved(self.folder).total() + commands
        for _ in range(10):
            self._upright()
            with Killable(self.folder) as device:
                device.push((BIT_OK, 60))
                for _ in range(12):
                    for _ in range(10):
                        device.push(self._thumb.choice(KEYS))
                    if Saved(self.folder).total() >= end:
                        break
            self._healthy(device)
            if Saved(self.folder).total() >= end:
                return
        raise AssertionError("play does not go on")


@pytest.mark.usefixtures("micropython")
def test_no_kill_loses_more_than_the_last_command(packs: Path, tmp_path: Path) -> None:
    hit = kept = commands = 0
    for kill in range(KILLS):
        if kill % FRESH_EVERY == 0:
            table = Table(tmp_path / str(kill), packs, random.Random(f"{SEED} {kill}"))
        try:
            was_saving, is_there = table.kill()
            table.play_on(COMMANDS_AFTER_KILL)
        except BaseException:
            print(f"seed {SEED}, kill {kill}")
            raise
        hit += was_saving
        kept += was_saving and is_there
        commands = max(commands, Saved(table.folder).total())
    print(f"\nseed {SEED}: {KILLS} kills, {hit} at a key that gave a command: it was kept in {kept} and lost in "
          f"{hit - kept}; longest folder {commands} commands")
    if KILLS >= 100:
        assert kept >= 20 and hit - kept >= 20, "the kills are not spread over the moments of saving"
