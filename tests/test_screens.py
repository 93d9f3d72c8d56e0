"""The sheets of pictures: the same frames on both VMs, those of the documentation, and every screen among them."""

import pytest
from bench.memory import screen_names
from PIL import Image
from screens import sheets

from host_tools.sim.ssd1306 import visible_text


@pytest.mark.parametrize(("name", "language"), sheets.sheets())
def test_a_sheet_is_the_same_on_both_vms_and_as_documented(name: str, language: str, micropython: str) -> None:
    here, there = (sheets.play(name, vm, language) for vm in ("cpython", "micropython"))
    assert here.kept == there.kept
    with Image.open(sheets.sheet_file(name, language)) as known:
        drawn = sheets.draw(there.kept)
        assert (drawn.size, drawn.tobytes()) == (known.size, known.convert("RGB").tobytes()), "see `make screens`"
    shots = [shot for shot, _ in there.kept]
    assert len(set(shots)) == len(shots)
    assert [at for at in sheets.SHOWN.values() if at.startswith(f"{name}/") and at[len(name) + 1:] not in shots] == []


@pytest.mark.parametrize(("name", "language"), [both for both in sheets.sheets() if both[1] != sheets.ENGLISH])
def test_hint_lines_of_a_translation_are_as_whole_as_in_english(name: str, language: str) -> None:
    """What OK does is never cut, unless the words of the pack do that."""
    def cut(language: str) -> set[str]:
        return {shot for shot, frame in sheets.play(name, "cpython", language).kept
                if ".." in "".join(visible_text(frame).splitlines()[-1:])}

    assert cut(language) <= cut(sheets.ENGLISH)


def test_every_screen_is_on_a_sheet() -> None:
    assert set(sheets.SHOWN) == screen_names()
    assert {at.partition("/")[0] for at in sheets.SHOWN.values()} <= set(sheets.ALL)
    assert {file.stem for file in sheets.SCRIPTS.glob("*.txt")} == set(sheets.ALL)
