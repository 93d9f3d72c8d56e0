"""`tableside flash`: the drive that it finds, what it refuses, and how it tells whether the device took the file."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest
from pico_images import RP2350_ARM, boot_rom_writes, program, uf2

from host_tools import drives, flash
from host_tools.cli import main
from host_tools.drives import Drive, drive_at, find_drives, unmounted
from host_tools.errors import CommandError

ROOT = Path(__file__).parents[1]
Plugged = dict[str, list[Any]]  # "drives" and "ports"
INFO = {
    "RP2040": "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n",
    "RP2350": "UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n",
}


def make_drive(folder: Path, chip: str = "RP2040") -> Path:
    """A folder with what the boot ROM shows."""
    folder.mkdir(parents=True)
    (folder / "INFO_UF2.TXT").write_text(INFO[chip], newline="")
    (folder / "INDEX.HTM").write_text("<html>")
    return folder


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Plugged:
    """No device of this machine is seen; short waits. Returns: what is plugged in, for the test to fill."""
    there: Plugged = {"drives": [], "ports": []}
    for name, value in (("_LOOK_S", 0.01), ("_RESTART_S", 0.5), ("_PORT_S", 0.3), ("_DRIVE_S", 0.3)):
        monkeypatch.setattr(flash, name, value)
    monkeypatch.setattr(flash, "find_drives", lambda: list(there["drives"]))
    monkeypatch.setattr(flash, "unmounted", lambda: None)
    monkeypatch.setattr(flash.list_ports, "comports", lambda: list(there["ports"]))
    return there


def port(name: str, vid: int = 0x2E8A) -> SimpleNamespace:
    return SimpleNamespace(device=name, vid=vid, pid=5)


@pytest.fixture
def image(tmp_path: Path) -> Path:
    file = tmp_path / "tableside.uf2"
    file.write_bytes(uf2(program(size=300_000)))
    return file


def refused(capsys: pytest.CaptureFixture[str], *argv: object, parts: list[str]) -> None:
    """Exit 1, nothing on stdout and an error in one line with all these parts."""
    assert main(["flash", *map(str, argv)]) == 1
    said = capsys.readouterr()
    error = [line for line in said.err.splitlines() if line.startswith("tableside flash: ")]
    assert said.out == "" and len(error) == 1, said
    for part in parts:
        assert part in error[0]


class BootRom(threading.Thread):
    """The other side of a drive: writes what has come to its flash, and goes away when it has everything."""

    def __init__(self, folder: Path, size: int, restarted: Callable[[], None]):
        super().__init__(daemon=True)
        self.folder, self.size, self.restarted = folder, size, restarted
        self.flash = bytearray(2 << 20)
        self.start()

    def run(self) -> None:
        end = time.monotonic() + 10
        while time.monotonic() < end:
            for file in self.folder.glob("*.uf2"):
                if file.stat().st_size == self.size:
                    boot_rom_writes(self.flash, file.read_bytes())
                    (self.folder / "INFO_UF2.TXT").unlink()
                    self.restarted()
                    return
            time.sleep(0.005)


# --- finding the drive -------------------------------------------------------------------------------------------


def test_drives_on_linux(tmp_path: Path) -> None:
    pico = make_drive(tmp_path / "media" / "me" / "RPI-RP2")
    second = make_drive(tmp_path / "run" / "a b\\c" / "RP2350", "RP2350")
    other = tmp_path / "usb stick"
    other.mkdir()
    trap = make_drive(tmp_path / "network")  # not FAT: not looked at
    spelled = str(second).replace("\\", "\\134").replace(" ", "\\040")
    spaced = str(other).replace(" ", "\\040")
    mounts = tmp_path / "mounts"
    mounts.write_text(f"proc /proc proc rw 0 0\n/dev/sda1 {pico} vfat rw,sync 0 0\n/dev/sdb1 {spelled} vfat rw 0 0\n"
                      f"/dev/sdc1 {spaced} vfat rw 0 0\nhost:/x {trap} nfs rw 0 0\n")
    found = find_drives("linux", mounts)
    assert [(drive.folder, drive.chip) for drive in found] == [(pico, "RP2040"), (second, "RP2350")]
    assert find_drives("linux", tmp_path / "none") == []


def test_drives_on_macos(tmp_path: Path) -> None:
    make_drive(tmp_path / "RPI-RP2")
    (tmp_path / "Macintosh HD").mkdir()
    assert [drive.folder.name for drive in find_drives("darwin", volumes=tmp_path)] == ["RPI-RP2"]


def test_drives_on_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    make_drive(tmp_path / "E:\\", "RP2350")
    assert [(str(drive.folder), drive.chip) for drive in find_drives("win32")] == [("E:\\", "RP2350")]


def test_a_drive_that_is_plugged_in_and_not_mounted(tmp_path: Path) -> None:
    assert unmounted(tmp_path) is None
    (tmp_path / "RP2350").touch()
    assert unmounted(tmp_path) == tmp_path / "RP2350"


@pytest.mark.parametrize("text", [None, "", "Board-ID: SAMD21G18A-Xplained\n", "no fields here"])
def test_another_folder_is_no_drive(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "INFO_UF2.TXT").write_text(text)
    with pytest.raises(CommandError, match="no drive of a Pico"):
        drive_at(tmp_path)


def test_no_drive(capsys: pytest.CaptureFixture[str], image: Path) -> None:
    refused(capsys, "--uf2", image, parts=["no Pico in BOOTSEL mode", "hold its BOOTSEL button"])


def test_several_drives(capsys: pytest.CaptureFixture[str], quick: Plugged, image: Path, tmp_path: Path) -> None:
    quick["drives"] = [drive_at(make_drive(tmp_path / "a")), drive_at(make_drive(tmp_path / "b", "RP2350"))]
    places = f"{tmp_path / 'a'} (RP2040), {tmp_path / 'b'} (RP2350)"
    refused(capsys, "--uf2", image, parts=["2 Picos", places, "--mount"])


def test_not_mounted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, image: Path) -> None:
    monkeypatch.setattr(flash, "unmounted", lambda: Path("/dev/disk/by-label/RPI-RP2"))
    refused(capsys, "--uf2", image, parts=["not mounted: udisksctl mount -b /dev/disk/by-label/RPI-RP2"])


# --- what is refused before anything is written ------------------------------------------------------------------


@pytest.mark.parametrize(("data", "parts"), [
    (b"", ["is empty"]),
    (b"a text\n" * 200, ["is no UF2"]),
    (uf2(program())[:-512], ["has 78 blocks"]),
    (uf2(program())[:-5], ["cut off"]),
    (uf2(program())[:5120] + uf2(program())[5632:], ["block 10", "missing"]),
    (uf2(program(), RP2350_ARM, absolute=True), ["RP2350-ARM-S", "has RP2040"]),
])
def test_no_good_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, parts: list[str]) -> None:
    file, folder = tmp_path / "bad.uf2", make_drive(tmp_path / "drive")
    file.write_bytes(data)
    refused(capsys, "--uf2", file, "--mount", folder, parts=[str(file), *parts])
    assert sorted(os.listdir(folder)) == ["INDEX.HTM", "INFO_UF2.TXT"]


def test_no_such_file_or_folder(capsys: pytest.CaptureFixture[str], image: Path, tmp_path: Path) -> None:
    refused(capsys, "--uf2", tmp_path / "none.uf2", "--mount", tmp_path, parts=["none.uf2"])
    refused(capsys, "--uf2", image, "--mount", tmp_path / "none", parts=["none is no drive", "INFO_UF2.TXT"])


def test_the_newest_of_build(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                             tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    folder = make_drive(tmp_path / "drive")
    refused(capsys, "--mount", folder, parts=["no UF2 in build", "tableside bundle"])
    (tmp_path / "build").mkdir()
    for age, name in ((50, "new"), (100, "old")):
        file = tmp_path / "build" / f"{name}.uf2"
        file.write_bytes(uf2(program(version=f"v1.28.{age}")))
        os.utime(file, (time.time() - age, time.time() - age))
    assert main(["flash", "--mount", str(folder)]) == 0
    assert capsys.readouterr().out.startswith(f"{Path('build') / 'new.uf2'} is in {folder}")
    assert (folder / "new.uf2").read_bytes() == (tmp_path / "build" / "new.uf2").read_bytes()


# --- writing -----------------------------------------------------------------------------------------------------


def test_to_a_folder(capsys: pytest.CaptureFixture[str], image: Path, tmp_path: Path) -> None:
    folder = make_drive(tmp_path / "drive")
    assert main(["flash", "--uf2", str(image), "--mount", str(folder), "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == {"written": ["tableside.uf2"], "skipped": [], "removed": [], "verified": True}
    assert "saved games" not in said.err
    assert (folder / "tableside.uf2").read_bytes() == image.read_bytes()


def test_a_bundle_says_what_it_replaces(capsys: pytest.CaptureFixture[str], image: Path, tmp_path: Path) -> None:
    folder, bundle = make_drive(tmp_path / "drive"), tmp_path / "bundle.uf2"
    image.write_bytes(uf2(program()))
    assert main(["bundle", "--board", "pico", "--uf2", str(image), "-o", str(bundle), "dice"]) == 0
    capsys.readouterr()
    assert main(["flash", "--uf2", str(bundle), "--mount", str(folder)]) == 0
    assert "replaces all files of the device, its saved games included" in capsys.readouterr().err


@pytest.fixture
def drive(tmp_path: Path, quick: Plugged) -> Iterator[Drive]:
    """A drive that counts as mounted, the only one."""
    found = Drive(make_drive(tmp_path / "drive"), "RP2040", mounted=True)
    quick["drives"] = [found]
    yield found


def test_until_the_device_is_back(capsys: pytest.CaptureFixture[str], quick: Plugged, image: Path,
                                  drive: Drive) -> None:
    quick["ports"] = [port("/dev/ttyACM7")]  # another one, there all the time
    rom = BootRom(drive.folder, image.stat().st_size, lambda: quick["ports"].append(port("/dev/ttyACM8")))
    assert main(["flash", "--uf2", str(image)]) == 0
    assert "is on the device, and it has restarted" in capsys.readouterr().out
    assert rom.flash[:300_000] == program(size=300_000)


def test_a_named_port(capsys: pytest.CaptureFixture[str], quick: Plugged, image: Path, drive: Drive) -> None:
    BootRom(drive.folder, image.stat().st_size, lambda: quick["ports"].append(port("COM5", vid=0x1234)))
    assert main(["flash", "--uf2", str(image), "--port", "COM5"]) == 0


def test_a_device_that_does_not_take_it(capsys: pytest.CaptureFixture[str], image: Path, drive: Drive) -> None:
    refused(capsys, "--uf2", image, parts=[f"{drive.folder} is still there", "hold its BOOTSEL button"])


def test_a_device_without_a_port(capsys: pytest.CaptureFixture[str], quick: Plugged, image: Path,
                                 drive: Drive) -> None:
    quick["ports"] = [port("/dev/ttyACM7")]
    BootRom(drive.folder, image.stat().st_size, lambda: None)
    refused(capsys, "--uf2", image, parts=["the Pico restarted, but no serial port came back", "docs/build.md"])


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit of the file size")
def test_a_copy_that_fails_midway(image: Path, tmp_path: Path) -> None:
    folder = make_drive(tmp_path / "drive")
    code = ("import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000));"
            "from host_tools.cli import main; sys.exit(main(sys.argv[1:]))")
    done = subprocess.run([sys.executable, "-c", code, "flash", "--uf2", image, "--mount", folder], cwd=ROOT,
                          capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    said = f"writing to {folder} stopped after 100000 of {image.stat().st_size} bytes (File too large): hold its"
    assert f"tableside flash: {said}" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_drive(capsys: pytest.CaptureFixture[str], image: Path, drive: Drive) -> None:
    os.symlink("/dev/full", drive.folder / image.name)
    refused(capsys, "--uf2", image, parts=["stopped after 0 of", "No space left"])


# --- a device that runs ------------------------------------------------------------------------------------------


class StubLink:
    """The interface of `host_tools.link` that flash uses, and what was asked of it."""

    def __init__(self, restarted: Callable[[], None] = lambda: None, error: Exception | None = None):
        self.asked: list[Any] = []
        self.restarted, self.error = restarted, error
        self.Link = self  # the class of the module

    def open(self, name: str) -> Self:
        self.asked.append(name)
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.asked.append("closed")

    def pull_sessions(self, folder: Path) -> list[str]:
        self.asked.append("pull")
        if self.error:
            raise self.error
        return ["0001", "0002"]

    def reboot_to_bootloader(self) -> None:
        self.asked.append("reboot")
        self.restarted()


def test_a_running_device_is_saved_and_restarted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
                                                 quick: Plugged, image: Path, tmp_path: Path) -> None:
    found = Drive(tmp_path / "drive", "RP2040")
    quick["ports"] = [port("/dev/ttyACM0")]

    def into_bootsel() -> None:
        quick["ports"].clear()
        make_drive(found.folder)
        quick["drives"].append(found)
        BootRom(found.folder, image.stat().st_size, lambda: quick["ports"].append(port("/dev/ttyACM0")))

    link = StubLink(into_bootsel)
    monkeypatch.setattr("host_tools.link", link, raising=False)
    assert main(["flash", "--uf2", str(image)]) == 0
    said = capsys.readouterr()
    assert "2 sessions copied to" in said.err and "has restarted" in said.out
    assert link.asked == ["auto", "pull", "reboot", "closed"]


def test_what_cannot_be_saved_is_not_flashed(tmp_path: Path) -> None:
    for error in (CommandError("the device does not answer"), OSError("gone")):
        link = StubLink(error=error)
        with pytest.raises(CommandError, match=f"{error}.*hold its BOOTSEL button"):
            flash.restart_into_bootsel(link, "COM3", tmp_path)
        assert link.asked == ["COM3", "pull", "closed"]


def test_the_drive_does_not_come(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
                                 quick: Plugged, image: Path) -> None:
    quick["ports"] = [port("/dev/ttyACM0")]
    monkeypatch.setattr("host_tools.link", StubLink(), raising=False)
    refused(capsys, "--uf2", image, parts=["the drive of the Pico did not come", "hold its BOOTSEL button"])


def test_this_machine_can_be_searched() -> None:
    assert isinstance(drives.find_drives(), list)
    assert isinstance(flash.ports(), set) and isinstance(flash.pico_ports(), set)
