"""Folding constants before compiling: what is replaced, what stays, and the same lines."""

import ast

from host_tools.firmware import compiled_modules, language_files, modules
from host_tools.fold import fold

STATE = """\
ROUND = 4  # bytes
TURN = ROUND + 1
_WIDTH, _HEIGHT = 128, 64
_FIRST, _SECOND, _THIRD = range(-3, 0)
LONG = "a text of more than ten letters"
WORD = "word"
BIG = 1 << 1024
CHANGED = 1
CHANGED = 2
BOTH = True
KEPT = 7
NAMES = ("a", WORD)


def area(width):
    return _WIDTH * _HEIGHT + _SECOND - TURN
"""
SCREEN = """\
from pack import state
from pack.state import (  # what is where
    LONG,
    ROUND,
    area,
)
from pack import state as other
import sys


def draw(data, BIG):
    print(LONG)
    return data[ROUND:other.TURN], -state.ROUND, state.WORD + "!", BIG, state.BIG, area(1), state.CHANGED
"""


def folded(**sources: str) -> dict[str, str]:
    return fold({"pack": "", **{f"pack.{name}": source for name, source in sources.items()}})


def test_constants_become_values() -> None:
    new = folded(state=STATE, screen=SCREEN)
    assert new["pack.screen"].splitlines()[-2:] == [
        "    print('a text of more than ten letters')",
        "    return data[4:5], -4, 'word' + \"!\", BIG, state.BIG, area(1), state.CHANGED",
    ]
    assert new["pack.state"].splitlines()[-1] == "    return 128 * 64 + (-2) - 5"


def test_lines_keep_their_numbers() -> None:
    new = folded(state=STATE, screen=SCREEN)
    for name, old in (("pack.state", STATE), ("pack.screen", SCREEN)):
        lines = {node.name: node.lineno for node in ast.walk(ast.parse(old)) if isinstance(node, ast.FunctionDef)}
        assert lines == {node.name: node.lineno for node in ast.walk(ast.parse(new[name]))
                         if isinstance(node, ast.FunctionDef)}


def test_what_nobody_needs_goes_and_the_rest_stays() -> None:
    new = folded(state=STATE, screen=SCREEN)
    names = {node.id for node in ast.walk(ast.parse(new["pack.state"]))
             if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    assert names == {"BIG", "CHANGED", "BOTH", "NAMES"}
    body = ast.parse(new["pack.screen"]).body
    imports = [ast.unparse(node) for node in body if not isinstance(node, ast.FunctionDef)]
    assert imports == ["from pack import state", "from pack.state import area", "pass", "import sys"]


def test_a_long_text_that_several_modules_read_stays_one() -> None:
    other = "from pack.state import LONG\nprint(LONG)\n"
    new = folded(state=STATE, screen=SCREEN, other=other)
    assert new["pack.other"] == other
    assert "LONG = " in new["pack.state"] and "print(LONG)" in new["pack.screen"]


def test_what_other_programs_read_stays() -> None:
    new = fold({"pack": "", "pack.state": STATE}, ["from pack import state\nprint(state.KEPT)"])
    assert "KEPT = 7" in new["pack.state"] and "ROUND" not in new["pack.state"]


def test_of_several_constants_in_one_line_only_those_that_are_needed_stay() -> None:
    new = folded(a="FIRST, SECOND, THIRD = range(3)\n_A, _B = 4, 5\n\n\ndef f():\n    return FIRST + _A + _B\n",
                 b="import x\n\nx.THIRD()\n")
    assert new["pack.a"].splitlines() == ["THIRD = 2", "", "", "", "def f():", "    return 0 + 4 + 5"]


def test_a_name_that_is_also_a_local_is_left_alone() -> None:
    source = "SIZE = 3\n\n\ndef f():\n    SIZE = 4\n    return SIZE\n"
    assert folded(a=source)["pack.a"] == source


def test_the_firmware_is_smaller_and_its_public_face_stays() -> None:
    files = {module: file.read_text() for module, file in modules().items()}
    new = fold(files)
    assert "VERSION" in new["tableside"]
    assert sum(map(len, new.values())) < sum(map(len, files.values()))
    assert len(compiled_modules()) == len(files) + len(language_files())
