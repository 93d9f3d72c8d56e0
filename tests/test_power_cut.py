"""Power cuts on littlefs in the real MicroPython VM; `make soak` tries every block write of a long evening."""

import os
import re
import subprocess
from pathlib import Path

TESTS = Path(__file__).parent
EVERY = int(os.environ.get("TABLESIDE_CUT_EVERY", "9"))
COMMANDS = 1500 if EVERY == 1 else 300


def test_no_cut_loses_more_than_the_command_being_written(micropython: str, packs: Path) -> None:
    done = subprocess.run(
        [micropython, "-X", "heapsize=16M", str(TESTS / "vm" / "power_cut.py"), str(packs / "nemesis.tspk"),
         str(COMMANDS), str(EVERY)],
        env={**os.environ, "MICROPYPATH": str(TESTS.parent / "firmware")},
        capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    print("\n".join(done.stdout.splitlines()[-3:]))
    points, commands = re.search(r"cut points (\d+) of \d+ commands (\d+)", done.stdout).groups()  # type: ignore[union-attr]
    assert int(points) >= COMMANDS / EVERY and int(commands) == COMMANDS
    most = int(re.search(r"most (\d+)", done.stdout)[1])  # type: ignore[index]
    assert most <= 4


def test_no_cut_loses_a_campaign_or_enters_a_result_twice(micropython: str, packs: Path) -> None:
    done = subprocess.run(
        [micropython, "-X", "heapsize=16M", str(TESTS / "vm" / "campaign_cut.py"), str(EVERY)],
        env={**os.environ, "MICROPYPATH": f"{TESTS.parent / 'firmware'}:{TESTS / 'portable'}:{TESTS / 'vm'}"},
        capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    print(done.stdout.strip())
    points, writes = re.search(r"cut points (\d+) of (\d+)", done.stdout).groups()  # type: ignore[union-attr]
    assert int(points) * EVERY >= int(writes) // 2


def test_whole_campaigns_go_on_after_every_cut(micropython: str, packs: Path) -> None:
    done = subprocess.run(
        [micropython, "-X", "heapsize=16M", str(TESTS / "vm" / "campaign_evenings.py"), str(EVERY)],
        env={**os.environ, "MICROPYPATH": f"{TESTS.parent / 'firmware'}:{TESTS / 'portable'}:{TESTS / 'vm'}"},
        capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    print(done.stdout.strip())
    found = re.findall(r"(\w+) missions (\d+) cuts (\d+) lost (\d+) (.*)", done.stdout)
    assert [(pack, int(missions), ending) for pack, missions, _, _, ending in found] == [
        ("overkill", 9, "Heroic Captain"), ("nemesis", 3, "The campaign is won")]
    assert all(int(cuts) > int(missions) for _, missions, cuts, _, _ in found)
    assert sum(int(lost) for _, _, _, lost, _ in found) > 0
