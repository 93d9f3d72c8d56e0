"""deploy, doctor and log against a real MicroPython VM behind a pty, whose flash is littlefs; and what can go wrong."""

import datetime
import io
import json
import os
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import power_cut
import pytest
from pico_vm import BLOCK_BYTES, BLOCKS, Board, PicoVm, make_image, read_image

from host_tools import link as links
from host_tools import ports
from host_tools.cli import main
from host_tools.deploy import deploy
from host_tools.errors import CommandError
from host_tools.firmware import app_files, device_files, language_files, pack_files
from host_tools.link import DeviceRaised, Link, LinkLost, progress_bar
from host_tools.log_pull import FolderSource, pull
from host_tools.packs.build import compile_system
from host_tools.packs.compiler import compile_file
from tableside.core.book import new_book
from tableside.core.pack import Pack
from tableside.core.session import Session
from tableside.hw.installed import Packs
from tableside.hw.store import Store
from tableside.rules import resolver

pytestmark = pytest.mark.usefixtures("games_compiled_once")


@pytest.fixture(scope="module")
def app() -> dict[str, bytes]:
    return device_files("pico", ["dice"])


class Bench:
    """A pretended Pico, on, and commands given to it."""

    def __init__(self, micropython: str, image: Path, files: dict[str, bytes], capsys: pytest.CaptureFixture[str],
                 blocks: int = BLOCKS, **board: Any):
        make_image(image, files, blocks)
        self.image = image
        self.board = Board(**board)
        self.pico = PicoVm(micropython, image, self.board)
        self.port = self.pico.port
        self._capsys = capsys

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Run a command with --port. Returns: its exit code and what it said."""
        code = main([*arguments, "--port", self.port])
        return (code, *self._capsys.readouterr())

    def json(self, *arguments: str, code: int = 0) -> Any:
        found, out, err = self.run(*arguments, "--json")
        assert found == code, err
        return json.loads(out)

    def refused(self, *arguments: str) -> str:
        """Run a command that cannot be done; its one line."""
        code, out, err = self.run(*arguments)
        assert (code, out, err.count("\n")) == (1, "", 1), (out, err)
        return err

    def files(self) -> dict[str, bytes]:
        return {path: data for path, data in read_image(self.image).items() if path != "settings.json"}

    def close(self) -> None:
        self.pico.close()
        self.board.close()


@pytest.fixture
def bench(micropython: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], app: dict[str, bytes]) -> Iterator[Any]:
    """Makes benches: bench() has the app."""
    made: list[Bench] = []

    def make(files: dict[str, bytes] | None = None, **more: Any) -> Bench:
        made.append(Bench(micropython, tmp_path / f"flash{len(made)}", app if files is None else files, capsys, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


def wait_for(happened: Any, seconds: float = 10) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)


# --- the link --------------------------------------------------------------------------------------------------


def test_link_stops_the_app_and_starts_it_again(bench: Any) -> None:
    one = bench()
    with Link.open(one.port) as link:
        assert link.exec("print(1+1)\nprint('é')") == "2\né\n"
        assert link.version >= (1, 24) and link.machine
        with pytest.raises(DeviceRaised, match=r"the device says ZeroDivisionError: ") as raised:
            link.exec("1/0")
        assert raised.value.kind == "ZeroDivisionError"
        assert link.has_frozen("asyncio") and not link.has_frozen("tableside")
        drawn = one.board.writes
    wait_for(lambda: one.board.writes > drawn)
    assert one.pico.starts == 3  # switched on, without the app, with it


def test_link_sets_the_clock(bench: Any) -> None:
    one = bench()
    with Link.open(one.port) as link:
        assert link.clock == datetime.datetime(2021, 1, 1)
    with Link.open(one.port) as link:
        assert link.clock and abs(datetime.datetime.now() - link.clock) < datetime.timedelta(seconds=3)


def test_files_go_both_ways_whole(bench: Any) -> None:
    files = {f"{size}.bin": os.urandom(size) for size in (0, 1, 1535, 1536, 1537, 5000)}
    passed: list[int] = []
    with Link.open(bench({}).port) as link:
        link.write(files, passed.append)
        assert sum(passed) == sum(map(len, files.values()))
        for name, data in files.items():
            assert link.read(name, 0, passed.append) == data
            assert link.read(name, 1000, passed.append) == data[1000:]
        assert {path: found.size for path, found in link.walk(files).items()} == {f: len(d) for f, d in files.items()}


def test_reboot_to_bootloader_ends_the_connection(bench: Any) -> None:
    one = bench()
    with Link.open(one.port) as link:
        link.reboot_to_bootloader()
    wait_for(one.image.with_name(one.image.name + ".bootsel").exists)
    wait_for(lambda: not os.path.exists(one.port))


class Port:
    """What pyserial lists."""

    def __init__(self, device: str, vid: int | None):
        self.device, self.vid, self.product, self.description = device, vid, "Board in FS mode", device

    def __lt__(self, other: "Port") -> bool:
        return self.device < other.device


@pytest.mark.parametrize(("found", "text"), [
    ([], "no device found: plug it in"),
    ([Port("/dev/ttyS0", None)], "no device found: plug it in"),
    ([Port("/dev/ttyACM1", 0x2E8A), Port("/dev/ttyACM0", 0x2E8A)],
     r"several devices found, choose one with --port: /dev/ttyACM0 \(Board in FS mode\), /dev/ttyACM1"),
    ([Port("/dev/ttyUSB7", 0x10C4), Port("/dev/ttyACM7", 0x2E8A)], "/dev/ttyACM7: no such port"),
])
def test_finding_the_device(monkeypatch: pytest.MonkeyPatch, found: list[Port], text: str) -> None:
    monkeypatch.setattr(ports.serial.tools.list_ports, "comports", lambda: found)
    with pytest.raises(CommandError, match=text):
        Link.open("auto")


def test_ports_that_cannot_be_opened(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="/dev/none: no such port: is the device plugged in"):
        Link.open("/dev/none")
    with pytest.raises(CommandError, match="socket://127.0.0.1:9: nothing answers there"):
        Link.open("socket://127.0.0.1:9")
    port = bench({}).port
    with Link.open(port), pytest.raises(CommandError, match=f"{port}: in use by another program"):
        Link.open(port)
    monkeypatch.setattr(ports.os, "access", lambda path, mode: False)
    assert "no permission: 'sudo usermod -aG " in ports.why_closed(port)


def test_what_does_not_answer_or_is_too_old(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    port = bench({}).port
    monkeypatch.setattr(links, "LOWEST_MICROPYTHON", (9, 0))
    with pytest.raises(CommandError, match=r"it runs micropython 1\.\d+\.\d+, but MicroPython 9\.0 or later is needed"):
        Link.open(port)
    monkeypatch.setattr(links, "_GREETING_S", (0.1,))
    monkeypatch.setattr(links, "_ANSWER_S", 0.1)
    host, silent = os.openpty()
    tty.setraw(silent)
    with pytest.raises(CommandError, match=r"no answer: it does not run MicroPython, or its program cannot be"):
        Link.open(os.ttyname(silent))
    os.close(host)
    os.close(silent)


def test_cable_that_is_pulled_is_one_clear_line(bench: Any) -> None:
    one = bench()
    with pytest.raises(LinkLost, match=f"{one.port}: the connection broke off .*check the cable"), \
            Link.open(one.port) as link:
        one.pico.close()
        link.exec("print(1)")


# --- deploy ----------------------------------------------------------------------------------------------------


def test_deploy_sends_what_changed_and_keeps_what_is_the_players(bench: Any, app: dict[str, bytes]) -> None:
    kept = {"sessions/0001/head": b"h", "packs/nemesis.tspk": b"another", "packs/kept/00.tspk": b"k", "boot.py": b"#",
            "board.py": app["board.py"] + b"# soldered otherwise\n"}
    old = {**app, **kept, "tableside/ui/app.mpy": b"old", "tableside/ui/app.py": b"shadow", "tableside/was/x.py": b"x"}
    one = bench(old)
    done = one.json("deploy", "dice")
    assert done["written"] == ["tableside/ui/app.mpy"] and done["verified"] is True
    assert done["removed"] == ["tableside/was/x.py", "tableside/was/", "tableside/ui/app.py"]
    assert sorted(done["skipped"]) == sorted(set(app) - {"board.py", "tableside/ui/app.mpy"})
    wait_for(lambda: one.board.writes)
    done = one.json("deploy", "dice", "--board", "pico_three")
    assert done["written"] == ["board.py"] and done["removed"] == []
    assert "0 written" in one.run("deploy", "dice")[1]
    one.close()
    assert one.files() == {**app, **kept, "board.py": device_files("pico_three", ["dice"])["board.py"]}


def test_deploy_to_an_empty_device_needs_its_board(bench: Any, app: dict[str, bytes]) -> None:
    one = bench({})
    assert "it has no board.py: say with --board which board it is (pico, " in one.refused("deploy", "dice")
    assert "no board 'pocket'" in one.refused("deploy", "--board", "pocket")
    assert f"{len(app)} written" in one.run("deploy", "dice", "--board", "pico")[1]
    wait_for(lambda: one.board.writes)
    one.close()
    assert one.files() == app


def test_deploy_says_what_room_it_needs_before_it_writes(bench: Any) -> None:
    small = bench({"main.py": b"old"}, blocks=60)
    before = small.files()
    text = small.refused("deploy", "dice", "--board", "pico")
    assert "no room: " in text and " KB are needed for a time and " in text
    small.close()
    assert small.files() == before


def test_deploy_fills_the_flash_to_what_it_said(bench: Any, app: dict[str, bytes]) -> None:
    """The estimate of the room is enough: with just so many blocks nothing fails."""
    sizes = [size for size in range(60, 200, 2) if fits(app, size)]
    one = bench({"main.py": b"old"}, blocks=sizes[0])
    one.run("deploy", "dice", "--board", "pico")
    one.close()
    assert one.files() == app


def fits(files: dict[str, bytes], blocks: int) -> bool:
    """Whether deploy would begin on an empty device with so many blocks: two are the root, two more a folder."""
    needed = sum(-(-len(data) // BLOCK_BYTES) for data in files.values())
    return needed + len(files) // 8 + 8 <= blocks - 2


def test_deploy_to_a_frozen_build_sends_packs_alone(bench: Any, app: dict[str, bytes]) -> None:
    """The VM has no frozen app, so what `run` does then is done here: no app is sent, and what would shadow it goes."""
    one = bench()
    packs = pack_files(["nemesis"]) | language_files()
    with Link.open(one.port) as link, progress_bar() as bar:
        done = deploy(link, packs, bar)
    assert done.written == ["packs/nemesis.tspk"] and len(done.removed) > 80
    one.close()
    assert one.files() == {**packs, **{path: app[path] for path in ("main.py", "board.py", "packs/dice.tspk")}}


def test_an_update_that_waits_is_finished_first(bench: Any, app: dict[str, bytes]) -> None:
    old = {**app, "tableside/ui/app.mpy": b"old"}
    waiting = {"update/0": app["tableside/ui/app.mpy"], "update/plan": b"+ 0 tableside/ui/app.mpy\n- board.txt\n"}
    one = bench({**old, **waiting, "main.py": b"# an old one without updates\n", "board.txt": b""})
    assert one.json("deploy", "dice")["written"] == ["main.py"]
    stale = bench({**app, "update/0": b"half"})
    assert stale.json("deploy", "dice")["written"] == []
    one.close()
    stale.close()
    assert one.files() == stale.files() == app


def test_a_plan_that_cannot_be_carried_out_is_said(bench: Any, app: dict[str, bytes]) -> None:
    one = bench({**app, "update/plan": b"- packs/\n"})
    wait_for(lambda: b"update not finished, and tried again at the next start: OSError(39,)" in one.pico.output)
    wait_for(lambda: one.board.writes)  # it starts nevertheless
    assert "update not finished" in one.refused("deploy", "dice")


# --- doctor ----------------------------------------------------------------------------------------------------


def checks(one: Bench, code: int) -> dict[str, tuple[bool | None, str]]:
    return {check["name"]: (check["ok"], check["detail"]) for check in one.json("doctor", code=code)["checks"]}


def test_doctor_finds_a_device_well(bench: Any) -> None:
    one = bench({**device_files("pico", ["dice"]), "sessions/0001/head": b"h", "packs/kept/00.tspk":
                 compile_system("dice").data})
    found = checks(one, 0)
    assert list(found) == ["micropython", "app", "update", "heap", "flash", "board", "display", "buttons", "packs",
                           "sessions", "crash", "clock"]
    assert all(ok is not False for ok, _ in found.values()), found
    assert "answers at 0x3c" in found["display"][1] and found["packs"][1].startswith("dice, and 1 kept")
    assert found["sessions"][1].startswith("1, ") and "none" in found["crash"][1]
    code, out, _ = one.run("doctor")
    assert code == 0 and out.count("\n") == len(found) and "Raspberry Pi Pico" in out
    one.close()
    assert "doctor.tmp" not in one.files()


def test_doctor_finds_what_is_wrong(bench: Any, app: dict[str, bytes]) -> None:
    broken = bytearray(app["packs/dice.tspk"])
    broken[-1] ^= 1
    crash = b"tableside 0.1\nTraceback:\nOldError: 1\ntableside 0.1\nTraceback:\n  File \"x\"\nValueError: new\n"
    files = {**app, "packs/dice.tspk": bytes(broken), "crash.txt": crash, "tableside/ui/app.py": b"", "update/plan":
             b"- packs/\n"}
    one = bench(files, display=False, levels=0x3FFFFFFF & ~(1 << 11))
    found = checks(one, 1)
    assert [name for name, (ok, _) in found.items() if ok is False] == ["app", "update", "display", "buttons", "packs",
                                                                         "crash"]
    assert "1 files are not those" in found["app"][1] and "tableside/ui/app.py" in found["app"][1]
    assert "none answers at 0x3c or 0x3d, SDA GP4, SCL GP5" in found["display"][1]
    assert "down: GP11" in found["buttons"][1]
    assert "packs/dice.tspk" in found["packs"][1] and "checksum" in found["packs"][1]
    assert "ValueError: new" in found["crash"][1] and "OldError" not in found["crash"][1]
    code, out, err = one.run("doctor")
    assert code == 1 and "FAILED" in out and err.startswith("tableside doctor: failed: app, update")


def test_doctor_of_an_empty_device(bench: Any) -> None:
    found = checks(bench({}), 1)
    assert found["app"] == (False, "there is none: tableside deploy")
    assert found["board"] == (False, "the device says ImportError: no module named 'board'")
    assert found["flash"][0] and found["clock"][0]


def test_doctor_names_the_other_address(bench: Any) -> None:
    assert "0x3d" in checks(bench(address=0x3D), 0)["display"][1]


# --- log -------------------------------------------------------------------------------------------------------


def play(folder: Path, count: int, number: int = 1, seed: int = 1) -> None:
    """Go on with a session of a device's folder by so many commands, or begin it."""
    packs = Packs(str(folder / "packs"))
    (folder / "packs").mkdir(parents=True, exist_ok=True)
    data = compile_system("nemesis").data
    (folder / "packs" / "nemesis.tspk").write_bytes(data)
    pack = Pack(io.BytesIO(data))
    store = Store(str(folder / "sessions"))
    if number in store.numbers():
        log = store.open(number)
        session = Session.resume(pack, log, resolver)
    else:
        packs.keep("nemesis", pack.hash, lambda: None)
        log = store.new()
        session = Session.new(pack, 0, bytes([seed]) * 16, log, resolver)
    for _ in power_cut.play(session, session.records, session.records + count):
        pass
    log.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_log_pull_fetches_what_grew(bench: Any, tmp_path: Path, app: dict[str, bytes],
                                    capsys: pytest.CaptureFixture[str]) -> None:
    device, target = tmp_path / "device", tmp_path / "pulled"
    play(device, 40, 1)
    play(device, 3, 2)
    one = bench({**app, **contents(device)})
    listed = one.json("log", "list")["sessions"]
    assert [(entry["system"], entry["name"][:5], entry["copied"]) for entry in listed] == [
        ("nemesis", "0001-", False), ("nemesis", "0002-", False)]
    first = one.json("log", "pull", "-o", str(target))["sessions"]
    assert [entry["name"] for entry in first] == [entry["name"] for entry in listed]
    assert all(entry["copied"] for entry in first)
    for entry, number in zip(first, ("0001", "0002"), strict=True):
        folder = target / "sessions" / entry["name"]
        assert contents(folder) == contents(device / "sessions" / number)
        assert main(["replay", str(folder)]) == 0
    assert contents(target / "packs") == {path.removeprefix("packs/"): data for path, data in contents(device).items()
                                          if path.startswith("packs/kept/")}
    capsys.readouterr()
    before = one.pico.passed
    assert not any(entry["copied"] for entry in one.json("log", "pull", "-o", str(target))["sessions"])
    idle = one.pico.passed - before
    one.close()

    play(device, 30, 1)
    more = bench({**app, **contents(device)})
    again = more.json("log", "pull", "-o", str(target))["sessions"]
    assert [entry["copied"] for entry in again] == [True, False]
    assert contents(target / "sessions" / again[0]["name"]) == contents(device / "sessions" / "0001")
    assert main(["replay", str(target / "sessions" / again[0]["name"])]) == 0
    assert idle < 8000


def test_books_of_campaigns_come_with_the_sessions(bench: Any, tmp_path: Path, app: dict[str, bytes]) -> None:
    target = tmp_path / "pulled"
    data = compile_file(Path(__file__).parent / "data" / "saga.toml").data
    book = new_book(Pack(io.BytesIO(data)), "war", "The long war", "5a1t", ("m1", "Mission 1"), {})
    before = book.data()
    book.take("Mission 1", "Cult wins", 1, {"c1": 1}, ("m2", "Mission 2"), ("", ""))
    for now in (before, book.data(), b"damaged"):
        one = bench({**app, "campaigns/0003/head": now})
        assert one.json("log", "pull", "-o", str(target))["sessions"] == []
        one.close()
    assert contents(target) == {"campaigns/0003-5a1t/head": book.data(), "campaigns/0003-damaged/head": b"damaged"}
    pull(FolderSource(target), tmp_path / "copy")
    assert contents(tmp_path / "copy") == contents(target)


def test_log_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(tmp_path / "device", 5, 1)
    assert main(["log", "list", "--dir", str(tmp_path / "device")]) == 0
    listed = capsys.readouterr().out
    assert "nemesis/erosion-of-power" in listed
    assert main(["log", "pull", "--dir", str(tmp_path / "device"), "-o", str(tmp_path / "copy")]) == 0
    assert main(["log", "list", "--dir", str(tmp_path / "copy")]) == 0
    assert capsys.readouterr().out.endswith(listed)
    assert main(["log", "list", "--dir", str(tmp_path / "nowhere")]) == 1
    assert "nowhere: no such folder" in capsys.readouterr().err


def test_sessions_of_two_devices_never_meet(tmp_path: Path) -> None:
    for seed in (1, 2):
        play(tmp_path / str(seed), 2, seed=seed)
        pull(FolderSource(tmp_path / str(seed)), tmp_path / "all")
    assert len(list((tmp_path / "all" / "sessions").iterdir())) == 2


def test_a_damaged_head_does_not_keep_the_others(tmp_path: Path) -> None:
    play(tmp_path, 2, 1)
    (tmp_path / "sessions" / "0007").mkdir()
    (tmp_path / "sessions" / "0007" / "head").write_bytes(b"nonsense")
    (tmp_path / "sessions" / "0008").mkdir()
    found = pull(FolderSource(tmp_path), tmp_path / "copy")
    assert [(entry.name[:5], entry.system) for entry in found] == [("0001-", "nemesis"), ("0007-", "")]


def test_app_files_are_those_of_a_device() -> None:
    assert set(app_files()) | {"board.py", "packs/dice.tspk"} == set(device_files("pico", ["dice"]))
