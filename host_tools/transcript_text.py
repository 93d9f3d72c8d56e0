"""A transcript as text or Markdown."""

from collections.abc import Iterable

from host_tools.dice_tally import Rolls
from host_tools.transcript import HIDDEN, Line, Transcript


def as_text(found: Transcript) -> str:
    """For a terminal or a printer."""
    out = [f"{found.game}: {found.title}", *(f"{name}: {value}" for name, value in _facts(found)), ""]
    place: tuple[int, str] | None = None
    for line in found.lines:
        if (line.round, line.phase) != place:
            place = line.round, line.phase
            out.append(f"R{line.round} {line.phase}".rstrip() + ":")
        out.append(f"{line.n:5} {line.side + ': ' if line.side else ''}{_spoken(line)}{_marks(line)}")
    out += ["", *(f"{name}: {value}" for name, value in _end(found))]
    if found.dice:
        out += ["", "Dice, and what was to be expected:", *(f"  {_who(rolls)}: {_bins(rolls)}" for rolls in found.dice)]
    return "\n".join(out).rstrip() + "\n"


def as_markdown(found: Transcript) -> str:
    """For a page of a club."""
    out = [f"# {_cell(found.game)}: {_cell(found.title)}", "", *_bullets(_facts(found)), "", "## Course", "",
           "| n | round | phase | side | what |", "|---|---|---|---|---|"]
    for line in found.lines:
        what = _cell(_spoken(line))
        what = f"~~{what}~~" if line.undone else what
        out.append(f"| {line.n} | {line.round} | {_cell(line.phase)} | {_cell(line.side)} "
                   f"| {what}{' (seen)' if line.revealed else ''} |")
    out += ["", "## Result", "", *_bullets(_end(found))]
    if found.dice:
        out += ["", "## Dice", "", "| side | what | dice | rolled, and expected |", "|---|---|---|---|"]
        out += [f"| {_cell(rolls.side)} | {_cell(rolls.what)} | {rolls.dice} D{rolls.sides} | {_cell(_bins(rolls))} |"
                for rolls in found.dice]
    return "\n".join(out) + "\n"


def _facts(found: Transcript) -> list[tuple[str, str]]:
    sides = [name + (f" ({', '.join(found.players[name])})" if found.players.get(name) else "") for name in found.sides]
    facts = [("Mission", f"{found.system}/{found.scenario}, version {found.version}"), ("Sides", ", ".join(sides)),
             ("Campaign", found.campaign), ("Seal", found.seal), ("Salt of the players", found.salt),
             ("Seed", found.seed or HIDDEN)]
    return [(name, value) for name, value in facts if value]


def _end(found: Transcript) -> list[tuple[str, str]]:
    if found.result is None:
        ending = [("Result", f"none yet, round {found.round}")]
    else:
        kind = f" ({found.result.kind})" if found.result.kind in ("win", "loss", "draw") else ""
        ending = [("Result", f"{found.result.title}{kind}"), ("What it means", found.result.text)]
    counters = ", ".join(f"{name} {value}" for name, value in found.counters.items())
    taken = f"{found.commands} in the log, {found.undone} of them taken back"
    return [(name, value) for name, value in (*ending, ("Counters", counters), ("Commands", taken)) if value]


def _spoken(line: Line) -> str:
    return line.title + (f": {line.changes}" if line.changes else "")


def _marks(line: Line) -> str:
    return (" [seen]" if line.revealed else "") + (" [undone]" if line.undone else "")


def _who(rolls: Rolls) -> str:
    return f"{rolls.side + ', ' if rolls.side else ''}{rolls.what}, {rolls.dice} D{rolls.sides}"


def _bins(rolls: Rolls) -> str:
    return ", ".join(f"{name} {count} (exp. {rolls.expected[name]:g})" for name, count in rolls.counts.items())


def _cell(text: str) -> str:
    """A text that a table of Markdown cannot take for anything else."""
    return "".join("\\" + char if char in "|*_`<[~\\#" else char for char in text.replace("\n", " "))


def _bullets(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [f"- {_cell(name)}: {_cell(value)}" for name, value in pairs]
