"""Power cuts on littlefs in the real MicroPython VM; `make soak` tries every block write, this every fifth."""

import os
import re
import subprocess
from pathlib import Path

TESTS = Path(__file__).parent
EVERY = os.environ.get("TABLESIDE_CUT_EVERY", "5")


def test_no_cut_loses_more_than_the_command_being_written(micropython: str, packs: Path) -> None:
    done = subprocess.run(
        [micropython, "-X", "heapsize=8M", str(TESTS / "vm" / "power_cut.py"), str(packs / "nemesis.tspk"), EVERY],
        env={**os.environ, "MICROPYPATH": str(TESTS.parent / "firmware")},
        capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    print("\n".join(done.stdout.splitlines()[-3:]))
    points, commands = re.search(r"cut points (\d+) of \d+ commands (\d+)", done.stdout).groups()  # type: ignore[union-attr]
    assert int(points) >= 90 and int(commands) == 150
    most = int(re.search(r"most (\d+)", done.stdout)[1])  # type: ignore[index]
    assert most <= 4
