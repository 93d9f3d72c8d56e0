"""The sheets of pictures: the same frames on both VMs, those of the documentation, and every screen among them.

A translation differs in its texts alone and is played on MicroPython alone, unless `TABLESIDE_SHEETS` is set.
"""

import os

import pytest
from bench.memory import screen_names
from PIL import Image
from screens import sheets

from host_tools.sim.ssd1306 import visible_text

LONG_WORDS = ("wordy",)  # whose pack has actions that no line can hold


@pytest.mark.parametrize(("name", "language"), sheets.sheets())
def test_a_sheet_is_the_same_on_both_vms_and_as_documented(name: str, language: str, micropython: str) -> None:
    there = sheets.play(name, "micropython", language)
    if language == sheets.ENGLISH or os.environ.get("TABLESIDE_SHEETS"):
        assert sheets.play(name, "cpython", language).kept == there.kept
    with Image.open(sheets.sheet_file(name, language)) as known:
        drawn = sheets.draw(there.kept)
        assert (drawn.size, drawn.tobytes()) == (known.size, known.convert("RGB").tobytes()), "see `make screens`"
    cut = [shot for shot, frame in there.kept if ".." in "".join(visible_text(frame).splitlines()[-1:])]
    assert name in LONG_WORDS or cut == [], "the hint line is cut"
    shots = [shot for shot, _ in there.kept]
    assert len(set(shots)) == len(shots)
    assert [at for at in sheets.SHOWN.values() if at.startswith(f"{name}/") and at[len(name) + 1:] not in shots] == []


def test_every_screen_is_on_a_sheet() -> None:
    assert set(sheets.SHOWN) == screen_names()
    assert {at.partition("/")[0] for at in sheets.SHOWN.values()} <= set(sheets.ALL)
    assert {file.stem for file in sheets.SCRIPTS.glob("*.txt")} == set(sheets.ALL)
