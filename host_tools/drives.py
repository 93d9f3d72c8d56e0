"""The drives of Picos in BOOTSEL mode, on Linux, macOS and Windows."""

import os
import string
import sys
from dataclasses import dataclass
from pathlib import Path

from host_tools.errors import CommandError

INFO = "INFO_UF2.TXT"
_CHIPS = {"RPI-RP2": "RP2040", "RP2350": "RP2350"}  # by the Board-ID in that file
_MOUNTS = Path("/proc/mounts")
_VOLUMES = Path("/Volumes")
_LABELS = Path("/dev/disk/by-label")


@dataclass(frozen=True)
class Drive:
    """A folder that behaves as a Pico in BOOTSEL mode.

    Attributes:
        chip: "RP2040" or "RP2350".
        mounted: whether it is a drive, which vanishes when the device restarts, and no folder that stands in for one.
    """

    folder: Path
    chip: str
    mounted: bool = True

    @property
    def there(self) -> bool:
        """Whether it has not vanished yet."""
        return (self.folder / INFO).exists()


def drive_at(folder: Path) -> Drive:
    """The drive in a folder. Raises: CommandError if it is none."""
    found = _drive(folder)
    if found is None:
        raise CommandError(f"{folder} is no drive of a Pico in BOOTSEL mode: {INFO} is not there or names no Pico")
    return found


def find_drives(system: str = sys.platform, mounts: Path = _MOUNTS, volumes: Path = _VOLUMES) -> list[Drive]:
    """All drives of Picos. Args: whose ways to use; where Linux lists what is mounted, and where macOS mounts."""
    if system == "win32":
        folders = [Path(f"{letter}:\\") for letter in string.ascii_uppercase[2:]]
    elif system == "darwin":
        folders = sorted(volumes.iterdir())
    else:
        folders = _fat_folders(mounts)
    return [drive for drive in map(_drive, folders) if drive]


def unmounted(labels: Path = _LABELS) -> Path | None:
    """On Linux, the device of a drive that is plugged in; it matters if it is mounted nowhere."""
    return next((labels / label for label in _CHIPS if (labels / label).exists()), None)


def _fat_folders(mounts: Path) -> list[Path]:
    """Where FAT file systems are mounted: others are not looked at, one of a network could take long to answer."""
    if not mounts.exists():
        return []
    entries = [line.split(" ") for line in mounts.read_text(errors="surrogateescape").splitlines()]
    return [Path(_plain(entry[1])) for entry in entries if len(entry) > 2 and entry[2] in ("vfat", "msdos")]


def _plain(path: str) -> str:
    """A path of /proc/mounts, where spaces and the like are written as backslash and octal digits."""
    first, *rest = path.split("\\")
    return first + "".join(chr(int(part[:3], 8)) + part[3:] for part in rest)


def _drive(folder: Path) -> Drive | None:
    try:
        text = (folder / INFO).read_text(encoding="ascii", errors="replace")
    except OSError:  # not there, not readable, or vanishing just now
        return None
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    chip = _CHIPS.get(fields.get("Board-ID", "").strip())
    return Drive(folder, chip, os.path.ismount(folder)) if chip else None
