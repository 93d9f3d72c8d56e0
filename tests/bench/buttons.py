"""What a player does, played on the real firmware in the simulator: presses of a hand and bytes on the display's bus.

A case is one row of data. Its scripts are lines of a button script, parted by ";". A device holds only the pack of the
case.
"""

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from host_tools.errors import CommandError
from host_tools.packs.build import build_into
from host_tools.sim.bridge import Device, default_vm
from host_tools.sim.script import Player, parse
from host_tools.sim.ssd1306 import visible_text

WHOLE_FRAME = 1037  # what a driver that rewrites the frame sends for any change, without its 7 address bytes
_I2C_HZ = 400_000
_BITS = 9  # of a byte on the bus, its acknowledgement included


class Case(NamedTuple):
    """One row: what is done, on which system, the way there, what is counted, and the text that it brings."""

    name: str
    system: str
    setup: str
    counted: str
    expect: str
    restart: bool = False  # switched off and on after the setup; the counting begins with the power


# The ways to the places where the counting begins.
_MISSIONS = "press OK x2"
_SIZE = _MISSIONS + "; to Joint 01; press OK; expect NEMESIS NPO?"
_CHECKLIST = _SIZE + "; to Medium; press OK x2; expect Terrain and"
_READY = _CHECKLIST + "; press OK x4; to Begin; press OK; expect Players first."
_PLAY = _READY + "; press OK x2; expect Activate one"
_DRAW = _PLAY + "; press OK; expect OK Draw a card"
_SEEN = _DRAW + "; press OK x2; expect Activate one"
_ROUND_2 = _PLAY + "; to End turning point; press OK x2; expect Initiative"
_D6 = _ROUND_2 + "; press OK; press UP; press OK x2; expect Roll one D6"
_DECK = "press UP x3; expect > NPO deck; press OK"
_COUNTERS = "press UP x2; expect > Counters; press OK"
_EDIT_CP = _COUNTERS + "; to Command points; press OK"
_EDIT_VP = _COUNTERS + "; to Victory points; press OK"

# The commonest actions. Everything pressed in `counted` counts.
ACTIONS = [
    Case("next step", "nemesis", _READY, "press OK", "Your gambits"),
    Case("draw a card", "nemesis", _DRAW, "press OK", "one NPO acts"),
    Case("a pinned counter by +1", "nemesis", _PLAY, f"{_EDIT_VP}; press UP; press OK", "VP 1"),
    Case("any counter by +3", "nemesis", _PLAY, f"{_EDIT_CP}; press UP x3; press OK", "CP 6"),
    Case("undo", "nemesis", _PLAY, "hold BACK 800", "Undone"),
    Case("see the reminders", "nemesis", _PLAY, "to Reminders; press OK", "No sabotage"),
    Case("see the seen pile", "nemesis", _SEEN, f"{_DECK}; to Discard; press OK", "BACK"),
    Case("enter one D6, the face farthest away", "nemesis", _D6, "press DOWN x3; press OK", "Pool 9"),
    Case("tick all 4 lines of a checklist", "nemesis", _CHECKLIST, "press OK x4", "> Begin"),
    Case("resume the last game after power-on", "nemesis", _PLAY, "press OK", "Activate one", True),
    Case("start the first game from home", "nemesis", "expect New game", "press OK x3", "NEMESIS NPO?"),
]

# The kinds of change on the screen; each `counted` is one stroke.
CHANGES = [
    Case("cursor to the next row", "nemesis", f"{_PLAY}; {_COUNTERS}; to NEMESIS NPO inches", "press DOWN",
         "> NPO points"),
    Case("cursor between rows of two lines", "nemesis", _MISSIONS, "press DOWN", "> Ambull 02"),
    Case("counter +1 in its editor", "nemesis", f"{_PLAY}; {_EDIT_VP}; press UP", "press UP", "0 +2 ="),
    Case("a die's face +1", "nemesis", _D6, "press UP", "5 NPO"),
    Case("a tick on a checklist", "nemesis", _CHECKLIST + "; press OK", "press OK", "> NPOs set up"),
    Case("next step on the play screen", "nemesis", _READY, "press OK", "Your gambits"),
    Case("play screen to list", "nemesis", _PLAY, "press DOWN", "> None ready"),
    Case("a whole new screen: menu", "nemesis", _PLAY, "hold OK 800", "Menu"),
    Case("a toast on the same screen", "nemesis", "to Settings; press OK; to Show hints", "press OK", "First-use"),
    Case("undo: another screen and a toast", "nemesis", _PLAY, "hold BACK 800", "Undone"),
    Case("a page of notes", "nemesis", _PLAY + "; hold OK 800; to Notes; press OK", "press DOWN", "2/"),
    Case("a page of history", "nemesis", _PLAY + "; hold OK 800; to History; press OK", "press DOWN", "undo 2"),
    Case("wake from sleep", "nemesis", _PLAY + "; wait 601000", "press DOWN", "Activate one"),
    Case("power on: set-up and first screen", "nemesis", _PLAY, "", "Resume", True),
]


class CountingDevice(Device):
    """A device that counts strokes, and what arrives at its display."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        self.strokes = self.bytes = self.writes = 0
        super().__init__(*args, **settings)

    def press(self, mask: int) -> None:
        """A stroke."""
        self.strokes += 1
        super().press(mask)

    def _write(self, address: int, data: bytes) -> int:
        self.bytes += len(data)
        self.writes += 1
        return super()._write(address, data)


class Count(NamedTuple):
    """What a case took: presses and holds, bytes after the address bytes, transactions (one address byte each)."""

    strokes: int
    bytes: int
    writes: int

    @property
    def bus_ms(self) -> float:
        """How long the wires are busy at 400 kHz."""
        return (self.bytes + self.writes) * _BITS * 1000 / _I2C_HZ


def _play(device: Device, folder: Path, script: str) -> None:
    """Play lines parted by ";". Raises: ScriptError."""
    file = folder / "script.txt"
    file.write_text(script.replace(";", "\n"))
    Player(device, folder).play(parse(file))


def run(case: Case, vm: str | None = None) -> Count:
    """Play a case on a fresh device. Raises: CommandError naming the case if it does not do what it says."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as name:
        folder = Path(name)
        build_into(folder / "packs", [case.system])
        vm = vm or default_vm()[0]
        device = CountingDevice(folder, vm, seed="00")
        try:
            _play(device, folder, case.setup)
            before = Count(device.strokes, device.bytes, device.writes)
            if case.restart:
                device.kill()
                device = CountingDevice(folder, vm, seed="00")
                before = Count(0, 0, 0)
            elif case.expect in _seen(device):
                raise CommandError(f"{case.expect!r} is there before anything was done")
            _play(device, folder, case.counted)
            if case.expect not in _seen(device):
                raise CommandError(f"expected {case.expect!r}, the display shows: {_seen(device)}")
        except CommandError as error:
            raise CommandError(f"{case.name}: {error}") from error
        finally:
            device.close()
    return Count(device.strokes - before.strokes, device.bytes - before.bytes, device.writes - before.writes)


def _seen(device: Device) -> str:
    return " ".join(visible_text(device.frame).split())


def bus() -> None:
    """Print what each kind of change sends."""
    print(f"Bytes on the I2C bus (control bytes in, address bytes out) beside a whole frame of {WHOLE_FRAME}")
    print(f"{'change':42}{'bytes':>7}{'writes':>8}{'of frame':>10}{'ms at 400 kHz':>15}")
    for case in CHANGES:
        count = run(case)
        print(f"{case.name:42}{count.bytes:7}{count.writes:8}{count.bytes / WHOLE_FRAME:10.1%}{count.bus_ms:15.1f}")


def presses() -> None:
    """Print how many presses and holds each action takes."""
    print("Presses of the commonest actions, from where a player is when they want them")
    for case in ACTIONS:
        print(f"{case.name:42}{run(case).strokes:4}")
