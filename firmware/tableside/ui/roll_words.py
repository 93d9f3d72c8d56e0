"""The words for a roll of the dice tools."""

from tableside.core.rolls import title
from tableside.ui import tools_texts


def kept_words(keep):
    """Which dice count, nothing if all do: "best 3"."""
    if not keep:
        return ""
    return (tools_texts.KEEP_BEST if keep > 0 else tools_texts.KEEP_WORST) % abs(keep)


def roll_words(kinds, plus, keep):
    """The whole roll: "4D6+1 best 3"."""
    return (title(kinds, plus) + " " + kept_words(keep)).strip()
