"""An owner's cards and datacards in the overkill pack: the manual's example, decks by mission, gambits by phase."""

import io
import re
from pathlib import Path

import pytest

from host_tools.firmware import ROOT
from host_tools.packs.build import find_games
from host_tools.packs.compiler import Compiled, compile_file
from host_tools.packs.show import describe
from tableside.core import commands, engine, picks
from tableside.core.fields import card_title
from tableside.core.log import MemoryLog
from tableside.core.pack import Pack
from tableside.core.session import Session
from tableside.rules import resolver

EXAMPLE = re.search(r"```toml\n(\[overlay\].*?)```", (ROOT / "docs/games/overkill.md").read_text("utf-8"), re.DOTALL)
MARKS = {1: ["hybrid", "in-broodmind"], 2: ["hybrid", "patriarch", "in-dw-move"], 3: ["magus", "in-gc-attack"],
         4: ["primus", "in-broodmind"], 5: ["in-dw-attack"]}
DRAW, HAND, REMOVED, DISCARD = 12, 11, 0, 1


def with_overlay(folder: Path, text: str) -> Compiled:
    file = folder / "mine.toml"
    file.write_text(text, "utf-8")
    return compile_file(find_games()["overkill"], [file])


def session(compiled: Compiled, mission: int) -> Session:
    new = Session.new(Pack(io.BytesIO(compiled.data)), mission - 1, bytes(16), MemoryLog(), resolver)
    new.do(commands.ADVANCE)
    return new


def zone(played: Session, number: int) -> set[str]:
    state = played.state
    return {card_title(state, 0, state.card(0, number, at)) for at in range(state.zone_count(0, number))}


@pytest.fixture
def marked(tmp_path: Path) -> Compiled:
    cards = ",\n".join(f'    {{ card = "Card {n}", marks = {marks} }}'.replace("'", '"') for n, marks in MARKS.items())
    head = '[overlay]\npack = "overkill"\n[[part.base.deck]]\nid = "broodmind"\n'
    return with_overlay(tmp_path, f"{head}cards = [\n{cards}\n]")


def test_the_manuals_example(tmp_path: Path) -> None:
    assert EXAMPLE
    found = describe(with_overlay(tmp_path, EXAMPLE[1]).data)
    unit = next(u for u in found["scenarios"][0]["units"] if u["name"] == "Gydrael")
    assert (unit["save"], unit["weapons"]) == (3, ["His weapon"])


@pytest.mark.parametrize(("mission", "aside"), [
    (1, {f"Card {n}" for n in range(3, 31)}),  # no hybrids
    (2, {"Card 2"}), (3, set()), (4, {"Card 2", "Card 3", "Card 4"}), (5, {"Card 2", "Card 3", "Card 4"}),
    (6, set()), (7, {"Card 2"}), (8, set()), (9, set())])
def test_the_deck_of_a_mission(marked: Compiled, mission: int, aside: set[str]) -> None:
    played = session(marked, mission)
    assert zone(played, REMOVED) == aside
    assert len(zone(played, DRAW)) == 30 - len(aside)


def test_gambits_by_phase(marked: Compiled) -> None:
    played = session(marked, 6)
    state = played.state
    names = marked.scenarios[5]
    for _at in range(5):  # the first cards to the hand, which have all the marks there are, and one that has none
        played.do(commands.MOVE, (0, DRAW, 0, HAND, 0))
    played.do(commands.MOVE, (0, DRAW, 10, HAND, 0))
    for step, wanted in (("broodmind", {"Card 1", "Card 4"}), ("dw-move", {"Card 2"}), ("gc-move", set()),
                         ("dw-attack-1", {"Card 5"}), ("gc-attack", {"Card 3"}), ("dw-attack-2", {"Card 5"})):
        played.do(commands.JUMP, (names.steps.index(step), 1))
        action = next(a for a in engine.allowed(state) if names.actions[a] == "gambit")
        offered = picks.cards(state, picks.effect(state, action))
        found = {card_title(state, 0, state.card(0, *place)) for place in offered}
        assert found - {f"Card {n}" for n in range(6, 31)} == wanted, step
        assert found - wanted  # those that nobody has marked
