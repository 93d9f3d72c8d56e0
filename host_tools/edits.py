"""Edits of a source by the nodes of its syntax tree, such that its line numbers stay."""

import ast
from collections.abc import Iterable
from typing import NamedTuple, Self

Node = ast.stmt | ast.expr | ast.arg | ast.alias | ast.keyword


class Edit(NamedTuple):
    """Replace what is in a place by a text. Lines from 1, columns are bytes from 0."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str

    @classmethod
    def of(cls, node: Node, text: str) -> Self:
        """Replace a whole node."""
        return cls(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, text)

    def holds(self, other: "Edit") -> bool:
        """Whether another edit lies within this one's place."""
        return self[:2] <= other[:2] and other[2:4] <= self[2:4]


def apply(source: str, edits: Iterable[Edit]) -> str:
    """Make the edits, but those within the place of another; what they replace keeps its number of lines."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    outer: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.line, edit.column, -edit.end_line, -edit.end_column)):
        if not outer or not outer[-1].holds(edit):
            outer.append(edit)
    for line, column, end_line, end_column, text in reversed(outer):
        first, last = line - 1, end_line - 1
        tail = lines[last][end_column:]
        lines[first] = lines[first][:column] + text.encode() + (tail if first == last else b"\n")
        if first < last:
            lines[first + 1:last + 1] = [b"\n"] * (last - first)
            lines[last] = tail  # nothing, or a comment
    return b"".join(lines).decode()
