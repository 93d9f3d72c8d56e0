"""Short private names in the compiled firmware: which change, which stay, and that the program does the same."""

import ast
import re

from host_tools.firmware import sources
from host_tools.shorten import shorten

BASE = '''\
"""A base."""

_LIMIT = 3
TEXT = "It has _spoken."


class Base:
    _width = 2

    def __init__(self, _start=1):
        self._total = _start
        self._hook()

    def _hook(self):
        self._total += self._width * _LIMIT

    def total(self):
        return self._total
'''
CHILD = '''\
"""A child. It has a _hook, as no text says."""

from pack.base import Base


def _double(_value):
    return 2 * _value


def thrice(value, times=3):
    other = value
    return other * times


def shouted(text, upper=str.upper):
    return upper(text).upper()


class Child(Base):
    def _hook(self):
        self._own = 5
        self._total = _double(self._total) + self._own + getattr(self, "_named", 1)
        self._spoken = self._named = 0


class _Other:
    pass
'''
STRANGER = '''\
from pack.child import Child, _double

_seen = [Child().total(), _double(4), Child()._own]


def _private(_a, _b):
    return _a - _b


RESULT = _seen + [_private(9, 2)]
'''


def run(sources: dict[str, str]) -> list[int]:
    """What the modules compute, put together in one namespace, as far as they need each other."""
    space: dict[str, object] = {}
    for name in ("pack.base", "pack.child", "pack.stranger"):
        own = {**space, "__name__": name}
        exec(re.sub("^from pack.*$", "", sources[name], flags=re.M), own)
        space.update({key: value for key, value in own.items() if key in ("Base", "Child", "_double", "RESULT")})
    return space["RESULT"]  # type: ignore[return-value]


def names(source: str) -> set[str]:
    return set(re.findall(r"\b_[A-Za-z0-9]\w*", source))


def test_names_are_short_and_the_program_does_the_same() -> None:
    old = {"pack.base": BASE, "pack.child": CHILD, "pack.stranger": STRANGER}
    new = shorten(old)
    assert run(new) == run(old) == [8, 8, 5, 7]
    assert {name: source.count("\n") for name, source in new.items()} == {
        name: source.count("\n") for name, source in old.items()}
    assert not names(new["pack.base"]) & {"_LIMIT", "_width", "_total", "_hook", "_start"}
    assert names(new["pack.child"]) >= {"_named", "_spoken"}, "names in texts stay"
    assert "_double" in new["pack.child"] and "_double" in new["pack.stranger"], "a stranger imports it"
    assert "_own" in new["pack.child"] and "._own" in new["pack.stranger"], "a stranger reads it"
    assert "_Other" not in new["pack.child"] and "_private" not in new["pack.stranger"]
    hook = re.search(r"def (_\d+)\(self\)", new["pack.base"])
    assert hook and f"def {hook[1]}(self)" in new["pack.child"], "an override keeps its name in common with the base"
    short = {name for source in new.values() for name in names(source) if name[1].isdigit()}
    words = [set(re.findall(r"\w+", "".join(programs.values()))) for programs in (old, new)]
    assert short == {f"_{number}" for number in range(len(short))} and len(short) < len(words[0] - words[1])
    child = new["pack.child"]
    assert re.search(r"def _\d+\((_\d+), (_\d+)=3\):\n    other = \1\n    return other \* \2\n", child), child
    assert re.search(r"def _\d+\((_\d+), upper=str.upper\):\n    return upper\(\1\).upper\(\)\n", child), child


def test_what_other_programs_read_stays() -> None:
    new = shorten({"pack.base": BASE}, ["from pack.base import _LIMIT\nprint(x._total)"])
    assert "_LIMIT = 3" in new["pack.base"] and "self._total" in new["pack.base"] and "_width" not in new["pack.base"]


def test_private_names_are_read_of_self_only() -> None:
    """Else one of another module might be meant, whose short name is another. The exceptions are of the same module."""
    own = {"self", "session", "super()", "self._fields"}
    wrong = []
    for name, source in sources().items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Attribute) and re.match("_[a-zA-Z]", node.attr):
                wrong += [f"{name}: {ast.unparse(node)}"] if ast.unparse(node.value) not in own else []
    assert wrong == []
