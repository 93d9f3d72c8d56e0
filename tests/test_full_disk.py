"""A disk that is full or read-only for a while, on both VMs and on a littlefs that really runs full.

`make soak` fails at every write operation and fills the flash at every moment, this at every twentieth.
"""

import os
import re
from pathlib import Path

import pytest
from vms import interpreters, run_script

EVERY = int(os.environ.get("TABLESIDE_CUT_EVERY", "20"))


@pytest.mark.parametrize("vm", ["micropython", "cpython"])
def test_nothing_is_lost_while_nothing_can_be_written(vm: str, micropython: str, packs: Path, tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    lines = run_script(interpreters(micropython, "8M")[vm], "full_disk.py", tmp_path / "sessions", EVERY)
    print("", *lines, sep="\n")
    printed = "\n".join(lines)
    assert int(re.findall(r"folder (\d+) runs", printed)[0]) >= 20
    if vm == "micropython":
        runs, failed = re.findall(r"full flash (\d+) runs .*'failed': (\d+)", printed)[0]
        assert int(failed) > int(runs) // 4
        assert "read-only flash 30" in printed
