"""The simulator: the line to the device on both VMs, main.py's error boundary, button scripts, terminal and command."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from host_tools.boards import load_board
from host_tools.cli import main as tableside
from host_tools.errors import CommandError
from host_tools.firmware import FIRMWARE
from host_tools.sim import bridge, terminal
from host_tools.sim.bridge import VMS, Device, DeviceError, default_vm
from host_tools.sim.script import Player, ScriptError, parse
from tableside.core.ticks import MASK
from tableside.hw.buttons import Buttons
from tableside.hw.clock import now_ms
from tableside.ui.input import LONG_MS

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
BLINK = DATA / "blink_main.py"
CRASH = DATA / "crash_main.py"
UP, DOWN, OK, BACK = 1, 2, 4, 8

pytestmark = pytest.mark.usefixtures("micropython")


@pytest.fixture(params=VMS)
def vm(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def start(vm: str, tmp_path: Path) -> Iterator[Callable[..., Device]]:
    """Starts devices that run the stand-in, and closes them in the end."""
    with contextlib.ExitStack() as devices:
        yield lambda main=BLINK, **options: devices.enter_context(Device(tmp_path, vm, main=main, **options))


def lines_of(device: Device) -> list[str]:
    """All that a device has printed; this closes it."""
    device.close()
    return device.serial


def gone(pid: int) -> bool:
    """Whether a process is no more, or is one that nobody has asked about yet."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


def wait_until(true: Callable[[], bool], what: str, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.01)


# --- pins, time and the bus ------------------------------------------------------------------------------------


def test_a_button_reaches_the_device(start: Callable[..., Device]) -> None:
    device = start()
    device.run_ms(20)
    device.press(OK | UP)
    device.run_ms(10)
    device.release(UP)
    device.run_ms(5)
    device.release(OK)
    device.run_ms(20)
    assert [line for line in lines_of(device) if line.startswith("at")] == [
        "at 25 down 5 pressed 5", "at 30 down 5 pressed 0", "at 35 down 4 pressed 0",
    ]  # fmt: skip


def test_a_press_within_a_stall_is_latched(start: Callable[..., Device], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLINK_STALLS", "1")
    device = start()
    device.run_ms(10)
    device.press(BACK)
    device.run_ms(10)
    device.release(BACK)
    device.run_ms(100)
    assert [line for line in lines_of(device) if line.startswith("at")] == ["at 50 down 0 pressed 8"]


def test_an_edge_during_the_read_is_not_lost() -> None:
    """The interrupt may come at any moment; whichever it is, one of two reads tells of the press."""

    class Pin:
        IRQ_FALLING = 4

        def irq(self, handler: Callable[["Pin"], None], trigger: int, hard: bool) -> None:
            assert trigger == self.IRQ_FALLING and hard
            self.handler = handler

        def value(self) -> int:
            return 1

    def lines(frame: object, event: str, arg: object) -> object:
        nonlocal countdown
        if event == "line":
            countdown -= 1
            if countdown == 0:
                pin.handler(pin)
        return lines

    for moment in range(1, 12):
        pin = Pin()
        buttons = Buttons([pin])
        countdown = moment
        sys.settrace(lambda frame, event, arg: lines if frame.f_code is Buttons.read.__code__ else None)
        try:
            buttons.read()
        finally:
            sys.settrace(None)
        seen = buttons.pressed
        buttons.read()
        assert seen + buttons.pressed == (1 if countdown <= 0 else 0), f"interrupt at line {moment}"


def test_bytes_on_the_bus_reach_the_display(start: Callable[..., Device]) -> None:
    device = start()
    device.press(DOWN)
    device.run_ms(100)
    assert device.display.on
    assert device.frame == bytes([100, DOWN]) + bytes(1022)


def test_time_stands_still_without_the_host(start: Callable[..., Device]) -> None:
    device = start()
    device.run_ms(50)
    time.sleep(0.1)
    device.run_ms(5)
    assert device.frame[0] == 55


def test_the_clock_wraps_as_on_the_pico(start: Callable[..., Device]) -> None:
    device = start(start_ms=MASK - 9)
    device.press(OK)
    device.run_ms(20)
    assert [line.split()[1] for line in lines_of(device) if line.startswith("at")] == [
        str(MASK - 4), "0", "5", "10"]


def test_the_clock_wraps_wherever_its_source_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "ticks_ms", lambda: 5 * (MASK + 1) + 7, raising=False)
    assert now_ms() == 7


def test_the_same_run_prints_the_same_on_both_vms(tmp_path: Path) -> None:
    def run(vm: str, seed: str) -> list[str]:
        with Device(tmp_path, vm, main=BLINK, seed=seed) as device:
            for mask in (UP, OK, UP | DOWN, BACK):
                device.press(mask)
                device.run_ms(25)
                device.release(mask)
                device.run_ms(15)
        return device.serial

    runs = [run(vm, "00ff") for vm in (*VMS, *VMS)]
    assert len(runs[0]) > 10
    assert runs[1:] == runs[:1] * 3
    assert run("cpython", "00fe")[0] != runs[0][0]


def test_without_a_seed_randomness_is_fresh(tmp_path: Path, vm: str) -> None:
    firsts = set()
    for _ in range(2):
        with Device(tmp_path, vm, main=BLINK) as device:
            pass
        firsts.add(device.serial[0])
    assert len(firsts) == 2


def test_an_unplugged_display_is_an_error_on_the_device(start: Callable[..., Device]) -> None:
    device = start()
    device.run_ms(20)
    device.connected = False
    device.run_ms(20)
    assert device.outputs == {"LED": 1}
    assert device.frame == bytes(1024)
    device.connected = True
    device.run_ms(20)
    assert device.outputs == {"LED": 0}
    assert device.frame[0] == 60
    assert [line for line in lines_of(device) if line.startswith("display")] == ["display 0", "display 5", "display 0"]


def test_bytes_the_display_cannot_take_are_named(tmp_path: Path, vm: str) -> None:
    main = tmp_path / "main.py"
    main.write_text("import machine\n"
                    "bus = machine.I2C(0, sda=machine.Pin(4), scl=machine.Pin(5))\n"
                    "bus.writeto(0x3C, b'\\x00\\xf7')\n")
    with pytest.raises(DeviceError, match="00 f7"):
        Device(tmp_path, vm, main=main)


@pytest.mark.parametrize("pins", ["sda=machine.Pin(5), scl=machine.Pin(4)", "sda=machine.Pin(6), scl=machine.Pin(7)"])
def test_pins_of_another_bus_are_refused(tmp_path: Path, vm: str, pins: str) -> None:
    main = tmp_path / "main.py"
    main.write_text(f"import machine\nmachine.I2C(0, {pins})\n")
    with pytest.raises(DeviceError, match="exit code 1.*ValueError: bad SDA pin"):
        Device(tmp_path, vm, main=main)


# --- processes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [Device.close, Device.kill])
def test_no_process_is_left(start: Callable[..., Device], end: Callable[[Device], None]) -> None:
    device = start()
    assert not gone(device.pid)
    end(device)
    assert gone(device.pid)


def test_a_device_ends_with_its_host(tmp_path: Path, vm: str) -> None:
    code = (f"import sys, time; from pathlib import Path; from host_tools.sim.bridge import Device\n"
            f"device = Device(Path({str(tmp_path)!r}), {vm!r}, main=Path({str(BLINK)!r}))\n"
            f"print(device.pid, flush=True); time.sleep(60)\n")
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout
        pid = int(host.stdout.readline())
        assert not gone(pid)
        host.kill()
    wait_until(lambda: gone(pid), "the device has ended")


def test_a_device_that_stops_or_hangs_is_told(start: Callable[..., Device], tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="exit code"):
        start(main=tmp_path / "missing.py")
    device = start()
    device.press(UP | DOWN | OK | BACK)
    device._line.settimeout(0.3)
    with pytest.raises(DeviceError, match="hangs"):
        device.run_ms(5)


def test_the_vm_that_is_there_is_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert default_vm()[0] == "micropython"
    monkeypatch.setattr(bridge.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    vm, why = default_vm()
    assert vm == "cpython" and "no micropython command" in why
    with pytest.raises(CommandError, match="--vm cpython"):
        Device(tmp_path, "micropython", main=BLINK)


def test_an_unknown_board_is_refused() -> None:
    with pytest.raises(CommandError, match="no board 'pica': there are .*pico"):
        load_board("pica")


# --- main.py ---------------------------------------------------------------------------------------------------


def test_main_goes_on_without_a_display(start: Callable[..., Device]) -> None:
    device = start(main=FIRMWARE / "main.py", connected=False)
    device.run_ms(100)
    assert device.outputs == {"LED": 1}
    device.connected = True
    device.run_ms(3000)
    assert any(device.frame)
    assert device.outputs == {"LED": 0}
    assert "no display at 0x3c or 0x3d, SDA GP4, SCL GP5" in lines_of(device)[0]


def test_main_keeps_the_session_while_the_display_is_unplugged(start: Callable[..., Device], tmp_path: Path,
                                                               packs: Path) -> None:
    for name in ("nemesis", "ambush"):
        (tmp_path / "packs").mkdir(exist_ok=True)
        shutil.copy(packs / f"{name}.tspk", tmp_path / "packs")
    device = start(main=FIRMWARE / "main.py")
    player = Player(device, tmp_path / "shots")

    def play(text: str) -> None:
        (tmp_path / "script.txt").write_text(text)
        player.play(parse(tmp_path / "script.txt"))

    play("press OK x3\nexpect Set-up")  # the first mission of the first game
    assert device.outputs == {"LED": 0}
    device.connected = False
    play("press OK\nwait 100")
    assert device.outputs == {"LED": 1} and device.frame == bytes(1024)
    play("press OK x2\nplug\nexpect Drew up to 4")  # three lines ticked and gone on in the dark
    assert device.outputs == {"LED": 0}
    assert sum(line.startswith("OSError") for line in lines_of(device)) == 1, "said once on the serial line"


def test_a_crash_is_kept_once_and_the_loop_goes_on(start: Callable[..., Device], monkeypatch: pytest.MonkeyPatch,
                                                   tmp_path: Path) -> None:
    monkeypatch.setenv("CRASH", "same")
    device = start(main=CRASH)
    device.run_ms(5000)
    lines = lines_of(device)
    assert "app 4" in lines
    assert lines.index("app 1") < lines.index("closed 1") < lines.index("app 2")
    assert lines.count("ValueError: no luck") >= 3
    text = (tmp_path / "crash.txt").read_text()
    assert text.startswith("tableside ") and text.count("Traceback") == 1
    assert 'crash_main.py", line' in text and text.endswith("ValueError: no luck\n")


def test_an_app_that_cannot_even_be_saved_is_replaced(start: Callable[..., Device], tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRASH", "twice")
    device = start(main=CRASH)
    device.run_ms(3000)
    assert "app 3" in lines_of(device)
    assert "OSError: 28" in (tmp_path / "crash.txt").read_text()


def test_the_crash_file_is_limited(start: Callable[..., Device], monkeypatch: pytest.MonkeyPatch,
                                   tmp_path: Path) -> None:
    monkeypatch.setenv("CRASH", "other")
    device = start(main=CRASH)
    sizes = []
    for _ in range(25):
        device.run_ms(1100)
        sizes.append((tmp_path / "crash.txt").stat().st_size)
    assert 2000 < max(sizes) <= 4096
    assert "no luck 2 " not in (tmp_path / "crash.txt").read_text()


def test_an_interrupt_leaves_main(start: Callable[..., Device], monkeypatch: pytest.MonkeyPatch,
                                  tmp_path: Path) -> None:
    monkeypatch.setenv("CRASH", "interrupt")
    device = start(main=CRASH)
    with pytest.raises(DeviceError, match="KeyboardInterrupt"):
        device.run_ms(1000)
    assert not (tmp_path / "crash.txt").exists()


# --- scripts ---------------------------------------------------------------------------------------------------


def write(tmp_path: Path, text: str, name: str = "play.txt") -> Path:
    file = tmp_path / name
    file.write_text(text)
    return file


def test_a_script_is_read(tmp_path: Path) -> None:
    write(tmp_path, "press UP\n", "other.txt")
    file = write(tmp_path, "# a comment\n\n  press DOWN x4\nhold BACK 800\nwait 500\ninclude other.txt\n"
                           "shot a-1.b\nexpect OK  draw # 9\n")
    assert [(action.line, action.verb, action.words) for action in parse(file)] == [
        (3, "press", ("DOWN", "4")), (4, "hold", ("BACK", "800")), (5, "wait", ("500",)), (1, "press", ("UP", "")),
        (7, "shot", ("a-1.b",)), (8, "expect", ("OK draw # 9",)),
    ]  # fmt: skip


@pytest.mark.parametrize("line", [
    "push OK", "press", "press LEFT", "press OK x0", "press OK 4", "press ok", "hold OK", "hold OK long", "wait",
    "wait -1", "wait 3600001", "shot", "shot ../up", "shot a/b", "expect", "include", "include missing.txt",
    "include play.txt", "include folder", "\udcff",
])  # fmt: skip
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "folder").mkdir()
    file = tmp_path / "play.txt"
    file.write_bytes(b"press OK\n\n" + line.encode(errors="surrogateescape") + b"\nwait 1\n")
    with pytest.raises(ScriptError, match=f"^{re.escape(str(file))}:3: "):
        parse(file)


def test_a_bad_line_of_an_included_script_is_named(tmp_path: Path) -> None:
    other = write(tmp_path, "wait 5\nwait a bit\n", "other.txt")
    with pytest.raises(ScriptError, match=f"^{re.escape(str(other))}:2: "):
        parse(write(tmp_path, "include other.txt\n"))


def test_a_script_presses_waits_and_takes_pictures(start: Callable[..., Device], tmp_path: Path) -> None:
    device = start()
    player = Player(device, tmp_path / "shots")
    player.play(parse(write(tmp_path, "press OK x2\nhold UP 800\nwait 500\nshot one\n")))
    assert player.shots == [tmp_path / "shots" / "one.png"]
    assert player.shots[0].read_bytes().startswith(b"\x89PNG")
    assert len(player.frames) > 100  # the stand-in never comes to rest
    down = [line.split()[3] for line in lines_of(device) if line.startswith("at")]
    assert (down.count("4"), down.count("1")) == (2 * 60 // 5, 800 // 5)


def test_a_missing_text_tells_what_is_there(start: Callable[..., Device], tmp_path: Path) -> None:
    file = write(tmp_path, "wait 5\nexpect Tableside\nexpect nonsense\n")
    player = Player(start(main=FIRMWARE / "main.py"), tmp_path)
    with pytest.raises(ScriptError) as caught:
        player.play(parse(file))
    assert str(caught.value).startswith(f"{file}:3: expected 'nonsense', the display shows: Tableside | ")
    assert (tmp_path / "failed-play-3.png").exists()


# --- the terminal ----------------------------------------------------------------------------------------------


class Window:
    """A terminal window in which the stand-in runs."""

    def __init__(self, folder: Path, vm: str, columns: int, lines: int, extra: str = "") -> None:
        code = (f"from pathlib import Path; from host_tools.sim import terminal; from host_tools.sim.bridge import *\n"
                f"with Device(Path({str(folder)!r}), {vm!r}, main=Path({str(BLINK)!r})) as device:\n"
                f"    {extra or 'pass'}\n"
                f"    terminal.run(device, 'TITLE')\n")
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self._bytes = b""
        self.output = ""
        self._typed_at = 0
        environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=self.slave, stdout=self.slave,
                                        stderr=subprocess.PIPE, text=True, env={**environment, "PYTHONUTF8": "1"},
                                        start_new_session=True)

    def read(self) -> None:
        if select.select([self.master], [], [], 0.01)[0]:
            self._bytes += os.read(self.master, 65536)
            self.output = self._bytes.decode(errors="replace")

    def until(self, text: str) -> None:
        """Wait for a text after what was there when a key was typed."""
        def there() -> bool:
            self.read()
            return text in self.output[self._typed_at :]

        wait_until(there, f"{text!r} in the terminal")

    def type(self, keys: bytes) -> None:
        self._typed_at = len(self.output)
        os.write(self.master, keys)

    def end(self) -> tuple[int, str]:
        """Wait for the end. Returns: exit code and stderr; the terminal must be as before."""
        wait_until(lambda: self.read() or self.process.poll() is not None, "the terminal program has ended")
        while select.select([self.master], [], [], 0)[0]:
            self.read()
        _, errors = self.process.communicate()
        after = termios.tcgetattr(self.slave)
        assert after == self.before, "the terminal is not as before"
        assert self.output.rindex("\x1b[?1049l") > self.output.rindex("\x1b[?1049h")
        assert self.output.rindex("\x1b[?25h") > self.output.rindex("\x1b[?25l")
        return self.process.returncode, errors

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Callable[..., Window]]:
    with contextlib.ExitStack() as windows:
        yield lambda vm, columns=140, lines=40, extra="": windows.enter_context(
            contextlib.closing(Window(tmp_path, vm, columns, lines, extra)))


@pytest.mark.parametrize("quit_key", [b"q", b"\x03"])
def test_the_terminal_takes_keys_and_is_restored(window: Callable[..., Window], vm: str, quit_key: bytes) -> None:
    shown = window(vm)
    shown.until("TITLE")
    assert termios.tcgetattr(shown.slave) != shown.before
    assert "q=quit" in shown.output
    for keys, mask in ((b"\x1b[A", UP), (b"s", DOWN), (b"\r", OK), (b"\x1b", BACK), (b"o", OK), (b"u", BACK)):
        shown.type(keys)
        shown.until(f"down {mask} pressed")
    shown.type(quit_key)
    assert shown.end() == (0, "")


def test_the_terminal_is_restored_after_sigterm_and_errors(window: Callable[..., Window]) -> None:
    stopped = window("cpython")
    stopped.until("TITLE")
    stopped.process.send_signal(signal.SIGTERM)
    assert stopped.end() == (128 + signal.SIGTERM, "")
    broken = window("cpython", extra="import threading; threading.Timer(0.5, device._process.kill).start()")
    status, errors = broken.end()
    assert status == 1 and "DeviceError: the device on cpython stopped" in errors


@pytest.mark.parametrize(("columns", "lines", "in_braille"), [(128, 35, False), (127, 35, True), (128, 34, True)])
def test_the_picture_fits_the_window(window: Callable[..., Window], columns: int, lines: int, in_braille: bool) -> None:
    shown = window("cpython", columns, lines)
    shown.until("q=quit")
    assert any("\u2800" <= char <= "\u28ff" for char in shown.output) == in_braille
    shown.type(b"q")
    assert shown.end()[0] == 0


def test_both_drawings_show_every_pixel() -> None:
    frame = bytes((x * 7 + page * 31) & 255 for page in range(8) for x in range(128))
    lit = {(x, y) for y in range(64) for x in range(128) if frame[(y >> 3) * 128 + x] >> (y & 7) & 1}
    blocks = {(x, 2 * row + dy) for row, line in enumerate(terminal.half_blocks(frame)) for x, char in enumerate(line)
              for dy in range(2) if char in ("▀█", "▄█")[dy]}
    assert blocks == lit
    dots = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))  # Unicode's numbering of the dots
    braille = {(2 * column + dx, 4 * row + dy) for row, line in enumerate(terminal.braille(frame))
               for column, char in enumerate(line) for bit, (dx, dy) in enumerate(dots) if ord(char) >> bit & 1}
    assert braille == lit


def test_a_repeating_key_is_many_presses_but_few_wait(start: Callable[..., Device]) -> None:
    device = start()
    fingers = terminal._Fingers(device)
    for _ in range(50):
        fingers.push("s")
    fingers.push("x")
    for _ in range(400):
        fingers.step()
    down = [line for line in lines_of(device) if line.endswith("pressed 2")]
    assert len(down) == terminal._QUEUE


def test_a_long_key_is_held_long_enough(start: Callable[..., Device]) -> None:
    device = start()
    fingers = terminal._Fingers(device)
    fingers.push("o")
    fingers.push("u")
    for _ in range(400):
        fingers.step()
    down = [line.split()[3] for line in lines_of(device) if line.startswith("at")]
    assert min(down.count("4"), down.count("8")) * bridge.STEP_MS > LONG_MS
    assert len(down) == down.count("4") + down.count("8")


# --- the command -----------------------------------------------------------------------------------------------


def test_the_command_prints_json(tmp_path: Path, vm: str, capsys: pytest.CaptureFixture[str]) -> None:
    script = write(tmp_path, "expect Tableside\nshot home\n")
    assert tableside(["sim", "--vm", vm, "--script", str(script), "--shots", str(tmp_path / "shots"), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result == {"vm": vm, "frames": result["frames"], "shots": [str(tmp_path / "shots" / "home.png")], "exit": 0}
    assert all(re.fullmatch("[0-9a-f]{64}", frame) for frame in result["frames"]) and result["frames"]


def test_a_failed_script_is_exit_1_and_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = write(tmp_path, "expect nonsense\n")
    arguments = ["sim", "--vm", "cpython", "--script", str(script), "--shots", str(tmp_path), "--json"]
    assert tableside(arguments) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["exit"] == 1
    running, error = printed.err.splitlines()
    assert running.startswith("running on cpython") and error.startswith(f"tableside sim: {script}:1: expected")


@pytest.mark.parametrize(("arguments", "message"), [
    (["nonsense"], "no system 'nonsense'"),
    (["nemesis/nonsense"], "no scenario 'nemesis/nonsense'"),
    (["--board", "nonsense"], "no board 'nonsense'"),
    (["--script", "/nonsense"], "/nonsense"),
])  # fmt: skip
def test_what_does_not_exist_is_named(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tableside(["sim", *arguments, "--json"]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--seed", "xyz"], ["--seed", ""], ["--vm", "cpyhton"], ["--fast"]])
def test_wrong_usage_is_exit_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        tableside(["sim", *arguments])
    assert caught.value.code == 2


# --- the fake machine against MicroPython's stubs ----------------------------------------------------------------
