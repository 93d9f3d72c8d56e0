"""Power cuts on littlefs in the real MicroPython VM; `make soak` tries every block write of a long evening."""

import os
import re
import subprocess
from pathlib import Path

TESTS = Path(__file__).parent
EVERY = int(os.environ.get("TABLESIDE_CUT_EVERY", "9"))
COMMANDS = 1500 if EVERY == 1 else 300


def run(micropython: str, script: str, *arguments: str) -> str:
    """Run a script of tests/vm. Returns: what it printed."""
    folders = (TESTS.parent / "firmware", TESTS / "portable", TESTS / "vm")
    done = subprocess.run([micropython, "-X", "heapsize=16M", str(TESTS / "vm" / script), *arguments],
                          env={**os.environ, "MICROPYPATH": ":".join(map(str, folders))},
                          capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    print("\n".join(done.stdout.splitlines()[-3:]))
    return done.stdout


def numbers(pattern: str, text: str) -> list[int]:
    """The groups of a pattern that must be there."""
    found = re.search(pattern, text)
    assert found, text
    return [int(group) for group in found.groups()]


def test_no_cut_loses_more_than_the_command_being_written(micropython: str, packs: Path) -> None:
    printed = run(micropython, "power_cut.py", str(packs / "nemesis.tspk"), str(COMMANDS), str(EVERY))
    points, commands = numbers(r"cut points (\d+) of \d+ commands (\d+)", printed)
    assert points >= COMMANDS / EVERY and commands == COMMANDS
    assert numbers(r"most (\d+)", printed)[0] <= 4


def test_no_cut_loses_a_campaign_or_enters_a_result_twice(micropython: str, packs: Path) -> None:
    points, writes = numbers(r"cut points (\d+) of (\d+)", run(micropython, "campaign_cut.py", str(EVERY)))
    assert points * EVERY >= writes // 2


def test_no_cut_loses_more_than_ten_seconds_of_the_clock(micropython: str, packs: Path) -> None:
    printed = run(micropython, "clock_cut.py", str(packs / "nemesis.tspk"), "240", str(EVERY))
    assert numbers(r"cut points (\d+)", printed)[0] >= 400 / EVERY
    saves, writes, erases = numbers(r"saves (\d+) writes (\d+) erases (\d+)", printed)
    assert saves > 1500 and writes <= 2 * saves and erases <= saves // 8


def test_whole_campaigns_go_on_after_every_cut(micropython: str, packs: Path) -> None:
    printed = run(micropython, "campaign_evenings.py", str(EVERY))
    found = re.findall(r"(\w+) missions (\d+) cuts (\d+) lost (\d+) (.*)", printed)
    assert [(pack, int(missions), ending) for pack, missions, _, _, ending in found] == [
        ("overkill", 9, "Heroic Captain"), ("nemesis", 3, "The campaign is won")]
    assert all(int(cuts) > int(missions) for _, missions, cuts, _, _ in found)
    assert sum(int(lost) for _, _, _, lost, _ in found) > 0
