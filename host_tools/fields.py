"""What the tables of a resolver are in JSON: keys, dice notations, the keywords of weapons.

Three fields X_dice, X_sides, X_plus are one key X with a dice notation such as "2D6+1"; fields X_1, X_2 ... are one key
X with a list; a field "keywords" is a list of keywords.
"""

import re
from types import ModuleType

NOTATION = r"(\d{0,3})D(\d{1,3})(\+\d{1,4}|-\d{1,4})?"

Field = tuple[str, int, int, int]  # name, lowest, highest, default


def keys(fields: tuple[Field, ...]) -> dict[str, tuple[str, int, int]]:
    """What a table of fields is in JSON: key -> (kind, first field, fields); a kind is "dice", "list" or "number"."""
    names = [field[0] for field in fields]
    found: dict[str, tuple[str, int, int]] = {}
    at = 0
    while at < len(names):
        stem, _, end = names[at].rpartition("_")
        count, kind, key = 1, "number", names[at]
        if names[at:at + 3] == [f"{stem}_dice", f"{stem}_sides", f"{stem}_plus"]:
            count, kind, key = 3, "dice", stem
        elif end == "1":
            kind, key = "list", stem
            while names[at + count:at + count + 1] == [f"{stem}_{count + 1}"]:
                count += 1
        found[key] = kind, at, count
        at += count
    return found


def plain(word: str) -> str:
    """The name of a field, a keyword or a choice as it is compared: "TWIN-LINKED" is twin_linked."""
    return re.sub(r"[^a-z0-9]+", "_", word.lower()).strip("_")


def without_dice(rules: ModuleType) -> tuple[str, ...]:
    """The abilities of weapons that change no dice: they may be named."""
    return getattr(rules, "NO_DICE", ())


def spellings(rules: ModuleType) -> dict[str, str]:
    """The fields that a weapon's keywords may name, 0 unless they do: name -> as players write it."""
    names = [field[0] for field in rules.PROFILE]
    found = {}
    for key, (kind, at, _) in keys(rules.PROFILE).items():
        _, low, high, default = rules.PROFILE[at]
        if kind != "number" or low or default or key in rules.CHOICES or key.endswith("_keyword"):
            continue
        spelled = f"{key.upper()}-KEYWORD" if f"{key}_keyword" in names else key.upper().replace("_", " ")
        found[key] = spelled + (" X" if high > 1 and key not in getattr(rules, "BARE", ()) else "")
    return found


def known(rules: ModuleType) -> list[str]:
    """The keywords that a weapon may have."""
    return [*spellings(rules).values(), *(name.upper().replace("_", " ") for name in without_dice(rules))]
