"""Mutated packs, session folders and settings on both VMs: taken or refused with our own errors, and nothing else.

`TABLESIDE_MUTATIONS` says how many on each VM; `TABLESIDE_TEST_SEED` which ones.
"""

import os
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from vms import SEED, interpreters, run_script

CASES = int(os.environ.get("TABLESIDE_MUTATIONS", "400"))
NEVER_REFUSED = {"check"}  # a damaged checkpoint is ignored
WRONG_SUMS = {"pack", "head", "records", "check"}
HEAP = "1400k"  # that of the Pico in words of 8 bytes, and room for what makes and checks the mutants


def test_whatever_a_file_holds_it_is_taken_or_refused(micropython: str, packs: Path, tmp_path: Path) -> None:
    def run(number: int, vm: str, command: list[str]) -> list[str]:
        folder = tmp_path / vm
        folder.mkdir()
        timeout_s = 180 + CASES / 20
        try:
            return run_script(command, "mutations.py", folder, SEED, number * CASES, CASES, timeout_s=timeout_s)
        except AssertionError as error:
            raise AssertionError(f"seed {SEED}, case {(folder / 'case').read_text()} on {vm}: {error}") from None

    accepted: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    with ThreadPoolExecutor() as pool:
        runs = [(vm, pool.submit(run, number, vm, command))
                for number, (vm, command) in enumerate(interpreters(micropython, HEAP).items())]
    for vm, lines in [(vm, done.result()) for vm, done in runs]:
        print(f"\n{vm}, seed {SEED}", *lines, sep="\n")
        for kind, yes, no in re.findall(r"(\w+) +accepted +(\d+) refused +(\d+)", "\n".join(lines)):
            accepted[kind] += int(yes)
            refused[kind] += int(no)
    assert accepted.total() + refused.total() == 2 * CASES
    assert len(accepted) == 10
    for kind in accepted:
        assert accepted[kind] and (refused[kind] or kind in NEVER_REFUSED), f"{kind}: the check does not bite"
    wrong = sum((accepted + refused)[kind] for kind in WRONG_SUMS)
    assert wrong <= CASES, "at least half must have their checksums repaired"
