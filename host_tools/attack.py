"""A request that is taken through its chain by the entries it holds: what `resolve` and `odds` have in common."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from host_tools.errors import CommandError
from host_tools.fields import plain
from host_tools.requests import resolver, to_numbers
from tableside.core import stages
from tableside.core.stages import DEFENDER, Stage, StageError

_ENTRY_KEYS = ("dice", "counts", "choose")


def read_request(source: str) -> Any:
    """The JSON of a file, or of standard input for "-". Raises: CommandError, OSError."""
    name = "standard input" if source == "-" else source
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text("utf-8")
        return json.loads(text)
    except UnicodeDecodeError:
        raise CommandError(f"{name} is not UTF-8 text") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise CommandError(f"{name}: not JSON: {error}") from None


def fraction(number: Fraction) -> str:
    """A fraction as "num/den", whole numbers too."""
    return f"{number.numerator}/{number.denominator}"


@dataclass
class Attack:
    """A chain that has gone as far as the entries of its request lead.

    Attributes: v: its numbers; stages: what was entered, as `resolve` shows it; waiting: the stage that waits, or None.
    """

    resolver: Any
    v: list[int]
    stages: list[dict[str, Any]] = field(default_factory=list)
    waiting: Stage | None = None

    @classmethod
    def of(cls, system: str, request: Any) -> "Attack":
        """Go on with all entries. Raises: CommandError or StageError naming the place or stage and the value."""
        attack = cls(resolver(system), to_numbers(system, request))
        attack._go(_Entries(request.get("entries", [])))
        return attack

    def _go(self, entries: "_Entries") -> None:
        while True:
            stage = self.waiting = self.resolver.stage(self.v)
            if stage is None:
                entries.check_used("does not come")
                return
            entry = entries.take(stage)
            if entry is None:
                entries.check_used(f"has not come: {stage.id} waits")
                return
            shown = describe(stage)
            if stage.options:
                option = _option(stage, entry)
                shown["entered"] = stage.options[option]
                self.resolver.choose(self.v, stage, option)
            else:
                shown["entered"] = counts = _counts(stage, entry)
                self.resolver.enter(self.v, stage, counts)
            self.stages.append(shown)

    def reply(self) -> dict[str, Any]:
        """What `resolve` prints."""
        waiting = self.waiting
        return {
            "stages": self.stages,
            "result": self._result() if waiting is None else None,
            "complete": waiting is None,
            "next": None if waiting is None else describe(waiting),
        }

    def _result(self) -> dict[str, Any]:
        """The tallies and outcomes by name, and what is left of the groups of the target."""
        rules, v = self.resolver, self.v
        result: dict[str, Any] = {name: v[index] for index, name in rules.AUDIT}
        result.update(zip(rules.OUTCOMES, rules.outcome(v), strict=True))
        names = [row[0] for row in rules.GROUP]
        if "models" in names:
            at = sum(len(table) for table in (rules.PROFILE, rules.MODIFIERS, rules.TARGET))
            firsts = range(at + 1, at + 1 + v[at] * len(names), len(names))
            result["groups"] = [{name: v[first + names.index(name)] for name in ("models", "lost") if name in names}
                                for first in firsts]
        return result


def describe(stage: Stage) -> dict[str, Any]:
    """A stage in JSON; `entered` is still to come."""
    shown: dict[str, Any] = {
        "id": stage.id,
        "title": stage.id.replace("_", " ").capitalize(),
        "who": "defender" if stage.who == DEFENDER else "attacker",
        "group": stage.group + 1 or None,
        "dice": stage.dice or sum(stage.limits),
        "sides": stage.sides or None,
        "bins": [{"name": name, "low": low, "high": high} for low, high, name in stage.bins],
        "entered": None,
        "expected": None,
    }
    if stage.dice:
        shown["expected"] = [fraction(Fraction(stage.dice * (high - low + 1), stage.sides))
                             for low, high, _ in stage.bins]
    elif stage.options:
        shown.update(options=list(stage.options), default=stage.options[stage.default])
    else:
        shown.update(there=list(stage.limits), most=stage.most, default=list(stage.default))
    return shown


class _Entries:
    """The entries of a request: they are taken by the id of their stage, those of one id in their order."""

    def __init__(self, given: Any):
        if not isinstance(given, list):
            raise CommandError("entries: must be a list")
        self._left: list[dict[str, Any]] = []
        for i, entry in enumerate(given):
            where = f"entries[{i}]"
            if not isinstance(entry, dict) or not isinstance(entry.get("stage"), str):
                raise CommandError(f'{where}: must be an object with a "stage"')
            if len(entry) != 2 or not any(key in entry for key in _ENTRY_KEYS):
                raise CommandError(f'{where}: {entry["stage"]}: needs one of {", ".join(_ENTRY_KEYS)}, and no more')
            if not isinstance(entry.get("dice", []), list) or not isinstance(entry.get("counts", []), list):
                raise CommandError(f'{where}: {entry["stage"]}: must be a list of whole numbers')
            for number in [*entry.get("dice", ()), *entry.get("counts", ())]:
                _whole(entry["stage"], number)
            self._left.append(entry)

    def take(self, stage: Stage) -> dict[str, Any] | None:
        """The next entry of a stage, None if there is none. Of a decision the default, while other entries are left.

        Dice are picked up again without an entry only if there is one of the dice that are rolled then.
        """
        for i, entry in enumerate(self._left):
            if entry["stage"] == stage.id:
                return self._left.pop(i)
        if stage.dice or not self._left:
            return None
        again = any(entry["stage"] == f"{stage.id}_dice" for entry in self._left)
        return {"choose": "default" if stage.options or again else "none"}

    def check_used(self, reason: str) -> None:
        """Raises StageError if an entry is left."""
        for entry in self._left:
            raise StageError(entry["stage"], f"an entry for a stage that {reason}")


def _whole(stage: str, number: Any) -> int:
    if not isinstance(number, int) or isinstance(number, bool):
        raise StageError(stage, "must be a whole number", json.dumps(number, ensure_ascii=False))
    return number


def _option(stage: Stage, entry: dict[str, Any]) -> int:
    """The number of the option that an entry takes."""
    if "choose" not in entry:
        raise StageError(stage.id, "waits for a decision", "dice")
    chosen = entry["choose"]
    if isinstance(chosen, str):
        names = [plain(option) for option in stage.options]
        if plain(chosen) in names:
            return names.index(plain(chosen))
        if chosen == "default":
            return int(stage.default)
        raise StageError(stage.id, f"must be one of {', '.join(stage.options)}", chosen)
    stages.check_option(stage, _whole(stage.id, chosen))
    return int(chosen)


def _counts(stage: Stage, entry: dict[str, Any]) -> list[int]:
    """The counts of the bins that an entry gives, of dice that were rolled or are picked up."""
    counts: Sequence[int]
    if "dice" in entry:
        counts = stages.counts_of(stage, entry["dice"])
    elif "counts" in entry:
        counts = entry["counts"]
    elif stage.dice:
        raise StageError(stage.id, "waits for dice", json.dumps(entry["choose"], ensure_ascii=False))
    else:
        counts = _picked(stage, entry["choose"])
    stages.check_counts(stage, counts)
    return list(counts)


def _picked(stage: Stage, chosen: Any) -> Sequence[int]:
    """The dice to pick up by counts of the bins, by the name of a bin that is taken whole, or by a word."""
    words = {"none": [0] * len(stage.bins), "all": stage.limits, "default": stage.default}
    for i, (_, _, name) in enumerate(stage.bins):
        words.setdefault(name, [limit if i == j else 0 for j, limit in enumerate(stage.limits)])
    if isinstance(chosen, list):
        return [_whole(stage.id, number) for number in chosen]
    if isinstance(chosen, str) and chosen in words:
        return words[chosen]
    raise StageError(stage.id, f"must be counts of its bins, or one of {', '.join(words)}",
                     json.dumps(chosen, ensure_ascii=False))
