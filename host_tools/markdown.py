"""Markdown for the pages of a club."""


def escaped(text: str) -> str:
    """A text on one line that Markdown, also in a table, cannot take for anything else."""
    return "".join("\\" + char if char in "|*_`<[~\\#" else char for char in text.replace("\n", " "))
