"""Button scripts: one action a line, played in the time of the device, so that every run gives the same pictures.

    press OK            one press; press DOWN x4 is four; press UP+DOWN is both at once
    hold BACK 800       held for 800 ms
    to TEXT             DOWN as often as it takes to bring the cursor of a list to a row that begins with TEXT
    wait 500            nothing for 500 ms
    shot NAME           a picture, NAME.png
    expect TEXT         TEXT must be readable on the display; every gap counts as one space
    include FILE        the actions of another script, found from the folder of this one
    unplug, plug        the display is taken off its wires, or put on again
    # comment

After a press or a hold, play goes on when the picture has come to rest.
"""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple, Protocol

from host_tools.errors import CommandError
from host_tools.sim.bridge import STEP_MS
from host_tools.sim.oled import to_image
from host_tools.sim.ssd1306 import visible_text
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP
from tableside.ui.panel import RETRY_MS

KEYS = {"UP": BIT_UP, "DOWN": BIT_DOWN, "OK": BIT_OK, "BACK": BIT_BACK}
SHOT_SCALE = 4
_PRESS_MS = 60
_GAP_MS = 60
_REST_MS = 100  # a picture that stays for so long has come to rest
_RESTLESS_MS = 3000  # but nobody waits longer than this
_LONGEST_MS = 3600000
_REPLUG_MS = RETRY_MS + 200  # the device looks for its display so often

_KEY = r"(?:UP|DOWN|OK|BACK)(?:\+(?:UP|DOWN|OK|BACK))*"
_KEYS = "KEY is UP, DOWN, OK, BACK, or some of them as in UP+DOWN"

_GRAMMAR = {
    "press": (rf"({_KEY})(?: x([1-9]\d{{0,2}}))?", f"press KEY or press KEY x4, {_KEYS}"),
    "hold": (rf"({_KEY}) (\d{{1,7}})", f"hold KEY MILLISECONDS, {_KEYS}"),
    "to": (r"(.+)", "to TEXT"),
    "wait": (r"(\d{1,7})", "wait MILLISECONDS"),
    "shot": (r"([\w-][\w.-]*)", "shot NAME of letters, digits, '-', '_' and '.'"),
    "expect": (r"(.+)", "expect TEXT"),
    "include": (r"(.+)", "include FILE"),
    "unplug": ("", "unplug"),
    "plug": ("", "plug"),
}


class ScriptError(CommandError, ValueError):
    """A script that cannot be read, or does not find what it expects: "file:line: message"."""


class Action(NamedTuple):
    """One line of a script."""

    file: Path
    line: int
    verb: str
    words: tuple[str, ...]

    def error(self, message: str) -> ScriptError:
        """An error at this line."""
        return ScriptError(f"{self.file}:{self.line}: {message}")


def parse(file: Path) -> list[Action]:
    """The actions of a script, those of included scripts in their places. Raises: OSError or ScriptError."""
    return _parse(file, ())


def _parse(file: Path, within: tuple[Path, ...]) -> list[Action]:
    actions = []
    for number, text in enumerate(file.read_bytes().splitlines(), 1):
        action = _parse_line(file, number, text)
        if action and action.verb == "include":
            actions += _include(action, (*within, file.resolve()))
        elif action:
            actions.append(action)
    return actions


def _parse_line(file: Path, number: int, raw: bytes) -> Action | None:
    nowhere = Action(file, number, "", ())
    try:
        text = " ".join(raw.decode().split())
    except UnicodeDecodeError:
        raise nowhere.error("not UTF-8") from None
    if not text or text.startswith("#"):
        return None
    verb, _, rest = text.partition(" ")
    if verb not in _GRAMMAR:
        raise nowhere.error(f"unknown action {verb!r}: there are {', '.join(_GRAMMAR)}")
    pattern, usage = _GRAMMAR[verb]
    found = re.fullmatch(pattern, rest)
    if not found:
        raise nowhere.error(f"cannot read {text!r}: {usage}")
    action = Action(file, number, verb, tuple(word or "" for word in found.groups()))
    if verb in ("hold", "wait") and int(action.words[-1]) > _LONGEST_MS:
        raise action.error(f"{action.words[-1]} ms is more than an hour")
    return action


def _include(action: Action, within: tuple[Path, ...]) -> list[Action]:
    file = action.file.parent / action.words[0]
    if file.resolve() in within:
        raise action.error(f"{file} includes itself")
    try:
        return _parse(file, within)
    except OSError as error:
        raise action.error(f"cannot include {file}: {error.strerror}") from error


class Playable(Protocol):
    """What plays: a `bridge.Device` or a `rp2040.Pico`."""

    connected: bool

    @property
    def frame(self) -> bytes:
        """What the eye sees."""

    @property
    def busy(self) -> bool:
        """Whether it has yet to answer to what has happened."""

    def press(self, mask: int) -> None:
        """Push down buttons."""

    def release(self, mask: int) -> None:
        """Let go of buttons."""

    def run_ms(self, ms: int) -> None:
        """Let time go on."""


class Player:
    """Plays actions on a device and keeps what was seen.

    Args: device: a running device; folder: where pictures go, made when there is one.
    Attributes: frames: the SHA-256 of every picture that came after a different one; shots: the files.
    """

    def __init__(self, device: Playable, folder: Path) -> None:
        self.frames: list[str] = []
        self.shots: list[Path] = []
        self._device = device
        self._folder = folder
        self._last = b""
        self._look()
        self._settle()

    def play(self, actions: list[Action]) -> None:
        """Play a script. Raises: ScriptError if an expected text is not there; DeviceError."""
        for action in actions:
            getattr(self, f"_{action.verb}")(action)

    def _press(self, action: Action) -> None:
        key, times = action.words
        for _ in range(int(times or 1)):
            self._stroke(key, _PRESS_MS)

    def _hold(self, action: Action) -> None:
        self._stroke(action.words[0], int(action.words[1]))

    def _wait(self, action: Action) -> None:
        self._run(int(action.words[0]))

    def _shot(self, action: Action) -> None:
        self._save(action.words[0])

    def _expect(self, action: Action) -> None:
        seen = visible_text(self._device.frame)
        if action.words[0] not in " ".join(seen.split()):
            raise self._missed(action, action.words[0])

    def _to(self, action: Action) -> None:
        row = "> " + action.words[0]
        before = b""
        while not any(line.startswith(row) for line in visible_text(self._device.frame).splitlines()):
            if self._device.frame == before:  # the cursor is at the end
                raise self._missed(action, row)
            before = self._device.frame
            self._stroke("DOWN", _PRESS_MS)

    def _missed(self, action: Action, text: str) -> ScriptError:
        picture = self._save(f"failed-{action.file.stem}-{action.line}")
        lines = " | ".join(visible_text(self._device.frame).splitlines()) or "nothing"
        return action.error(f"expected {text!r}, the display shows: {lines} (see {picture})")

    def _unplug(self, _: Action) -> None:
        self._device.connected = False

    def _plug(self, _: Action) -> None:
        self._device.connected = True
        self._run(_REPLUG_MS)

    def _stroke(self, key: str, ms: int) -> None:
        mask = sum(KEYS[name] for name in set(key.split("+")))
        self._device.press(mask)
        self._run(ms)
        self._device.release(mask)
        self._run(_GAP_MS)
        self._settle()

    def _settle(self) -> None:
        """Run until the picture has come to rest."""
        rest = total = 0
        while rest < _REST_MS and total < _RESTLESS_MS:
            rest = 0 if self._step() or self._device.busy else rest + STEP_MS
            total += STEP_MS

    def _run(self, ms: int) -> None:
        for _ in range(0, ms, STEP_MS):
            self._step()

    def _step(self) -> bool:
        self._device.run_ms(STEP_MS)
        return self._look()

    def _look(self) -> bool:
        """Note the picture if it has changed."""
        frame = self._device.frame
        if frame == self._last:
            return False
        self._last = frame
        self.frames.append(hashlib.sha256(frame).hexdigest())
        return True

    def _save(self, name: str) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / f"{name}.png"
        to_image(self._device.frame, SHOT_SCALE).save(file)
        self.shots.append(file)
        return file
