"""The same commands give the same bytes on CPython and on MicroPython."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
COMMANDS = 3000


def play(*interpreter: str) -> list[str]:
    paths = [str(TESTS.parent / "firmware"), str(TESTS / "portable")]
    env = {**os.environ, "MICROPYPATH": ":".join(paths), "PYTHONPATH": os.pathsep.join(paths)}
    command = [*interpreter, str(TESTS / "vm" / "same_play.py"), str(COMMANDS)]
    done = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=True, timeout=100)
    return done.stdout.splitlines()


def test_same_on_both(micropython: str) -> None:
    here, there = play(sys.executable), play(micropython, "-X", "heapsize=768k")
    assert len(here) > COMMANDS
    for number, (one, other) in enumerate(zip(here, there, strict=False)):
        assert one == other, f"line {number}"
    assert len(here) == len(there)
