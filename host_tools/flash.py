"""`tableside flash`: writes a UF2 to a Pico in BOOTSEL mode and waits until the device is back."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from serial.tools import list_ports

from host_tools.binary_info import binary_info
from host_tools.bundle import REPLACES
from host_tools.drives import Drive, drive_at, find_drives, unmounted
from host_tools.errors import CommandError
from host_tools.uf2 import FAMILY_NAMES, Uf2, Uf2Error, read_uf2

_BUILD = Path("build")
_SESSIONS = _BUILD / "sessions"
_CHUNK = 1 << 16
_LOOK_S = 0.2  # between two looks at what has come or gone
_RESTART_S = 60  # for the drive to vanish: an erase takes 45 ms for 4 KiB
_PORT_S = 20
_DRIVE_S = 10  # for the desktop to mount the drive
_MICROPYTHON_USB = (0x2E8A, 0x0005)
_HOW = "hold its BOOTSEL button while you plug it in"

_MANUAL = f"""\
Copies a UF2 to the drive that a Pico shows in BOOTSEL mode (RPI-RP2 or RP2350), waits for the device to restart and for
its serial port to come back. To get there: {_HOW}. A device that runs already and
answers over serial is put into that mode; its sessions are copied to build/sessions first. The file is checked before
anything is written: a UF2 for another chip, a damaged or a cut one is refused.

Careful: a bundle of `tableside bundle` has a file system in it; {REPLACES}.

With --json: written (the names of the files), skipped, removed, verified (the device came back).
"""
_EXAMPLE = """\
example:
  tableside bundle --board pico --uf2 RPI_PICO.uf2 -o build/tableside.uf2
  tableside flash --uf2 build/tableside.uf2
"""


def add_parser(subparsers: Any) -> None:
    """Add `flash`."""
    parser = subparsers.add_parser("flash", help="write a UF2 to a Pico in BOOTSEL mode", description=_MANUAL,
                                   epilog=_EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uf2", type=Path, metavar="FILE", help="what to write (default: the newest of build/*.uf2)")
    parser.add_argument("--mount", type=Path, metavar="DIR", help="the folder of the drive (default: it is looked for)")
    parser.add_argument("--port", default="auto", metavar="P", help="the serial port of the device (default: auto)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Find the drive, write the file and wait for the device."""
    file = args.uf2 or newest(_BUILD)
    image = read_uf2(file)
    drive = drive_at(args.mount) if args.mount else the_drive(args.port)
    if image.chip != drive.chip:
        raise Uf2Error(f"{file} is for {FAMILY_NAMES[image.family]}, and the Pico at {drive.folder} has {drive.chip}: "
                       "take the file for its board")
    print(f"{file} to {drive.folder}", file=sys.stderr)
    if holds_files(image, str(file)):
        print(f"careful: this is a bundle: {REPLACES}", file=sys.stderr)
    before = pico_ports()
    write(drive, file)
    if drive.mounted:
        wait_for_restart(drive, args.port, before)
    if args.json:
        print(json.dumps({"written": [file.name], "skipped": [], "removed": [], "verified": True}))
    else:
        print(f"{file} is on the device, and it has restarted" if drive.mounted else
              f"{file} is in {drive.folder}, and reads back the same; this is a folder, no device was waited for")
    return 0


def newest(folder: Path) -> Path:
    """The UF2 of a folder that was written last. Raises: CommandError if there is none."""
    found = sorted(folder.glob("*.uf2"), key=lambda file: (file.stat().st_mtime_ns, file.name))
    if not found:
        raise CommandError(f"no UF2 in {folder}: make one with `tableside bundle`, or name it with --uf2")
    return found[-1]


def holds_files(image: Uf2, name: str) -> bool:
    """Whether an image writes into the file system of its program."""
    return any(disk.writable and disk.address <= address < disk.address + disk.size
               for disk in binary_info(image, name).disks for address, _ in image.runs)


def the_drive(port: str) -> Drive:
    """The only drive there is; one that had to be made by restarting a device counts. Raises: CommandError."""
    found = find_drives()
    expected = not found and (unmounted() is not None or save_and_restart(port))
    if expected:
        wait_until(lambda: bool(find_drives()), _DRIVE_S)
        found = find_drives()
    if len(found) > 1:
        places = ", ".join(f"{drive.folder} ({drive.chip})" for drive in found)
        raise CommandError(f"{len(found)} Picos are in BOOTSEL mode: {places}: choose one with --mount")
    if not found and (device := unmounted()):
        raise CommandError(f"a Pico is in BOOTSEL mode and its drive is not mounted: udisksctl mount -b {device}")
    if not found:
        what = f"the drive of the Pico did not come within {_DRIVE_S} s" if expected else \
            "no Pico in BOOTSEL mode and none that answers over serial"
        raise CommandError(f"{what}: {_HOW}, and try again")
    return found[0]


def save_and_restart(port: str) -> bool:
    """Turn a device that runs into a drive. Returns: whether there is one."""
    if port == "auto" and not pico_ports():
        return False
    from host_tools import link  # only now: it needs mpremote

    folder = _SESSIONS / time.strftime("%Y%m%d-%H%M%S")
    pulled = restart_into_bootsel(link, port, folder)
    print(f"{len(pulled)} sessions copied to {folder}" if pulled else "no sessions on the device", file=sys.stderr)
    return True


def restart_into_bootsel(link: Any, port: str, folder: Path) -> list[str]:
    """Save the sessions of a running device to a folder and restart it as a drive. Returns: what was saved.

    Args: link: the module `host_tools.link`.
    """
    try:
        with link.Link.open(port) as device:
            pulled: list[str] = device.pull_sessions(folder)
            device.reboot_to_bootloader()
            return pulled
    except (CommandError, OSError) as error:
        raise CommandError(f"the running device could not be saved and restarted ({error}): {_HOW}, and try again; "
                           "what is on it is lost then if the file is a bundle") from error


def write(drive: Drive, file: Path) -> None:
    """Copy a file to a drive, with progress. Raises: CommandError if the drive does not take all of it."""
    data = file.read_bytes()
    target = drive.folder / file.name
    done = 0
    try:
        with Progress(console=Console(stderr=True), transient=True) as progress, open(target, "wb", buffering=0) as out:
            task = progress.add_task("writing", total=len(data))
            while done < len(data):
                done += out.write(data[done : done + _CHUNK])
                os.fsync(out.fileno())
                progress.update(task, completed=done)
    except OSError as error:
        if done == len(data) and drive.mounted:
            return  # it restarts as soon as it has everything, and then is no longer there to be closed
        raise CommandError(f"writing to {drive.folder} stopped after {done} of {len(data)} bytes "
                           f"({error.strerror or error}): {_HOW}, and try again") from error
    if not drive.mounted and target.read_bytes() != data:
        raise CommandError(f"{target} does not read back as it was written: try another folder")


def wait_for_restart(drive: Drive, port: str, before: set[str]) -> None:
    """Wait until a drive is gone and a serial port is there. Raises: CommandError if one of them takes too long."""
    if not wait_until(lambda: not drive.there, _RESTART_S):
        raise CommandError(f"{drive.folder} is still there {_RESTART_S} s after everything was written: the Pico "
                           f"did not take it: {_HOW}, and try again, with another cable if it comes again")
    if not wait_until(lambda: port in ports() if port != "auto" else bool(pico_ports() - before), _PORT_S):
        raise CommandError(f"everything was written and the Pico restarted, but no serial port came back in "
                           f"{_PORT_S} s: look at its screen; if it is dark, see the trouble table of docs/build.md")


def wait_until(done: Callable[[], bool], limit_s: float) -> bool:
    """Look again and again. Returns: whether it was so within the time."""
    end = time.monotonic() + limit_s
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(_LOOK_S)
    return True


def ports() -> set[str]:
    """The serial ports there are."""
    return {port.device for port in list_ports.comports()}


def pico_ports() -> set[str]:
    """Those of devices that run MicroPython."""
    return {port.device for port in list_ports.comports() if (port.vid, port.pid) == _MICROPYTHON_USB}
