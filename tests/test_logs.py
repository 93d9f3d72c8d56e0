"""Logs as people read them, and what replay says about one that was tampered with."""

import hashlib
import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import support
from log_makers import game, parts, stored

from host_tools.cli import main
from host_tools.log_pack import game_of
from host_tools.log_pull import MARK, FolderSource, pull
from host_tools.logfile import read_log, write_log
from host_tools.packs.build import compile_system
from host_tools.replay import verify
from host_tools.transcript import transcribe
from host_tools.transcript_text import as_markdown, as_text
from tableside.core import commands
from tableside.core.deck import may_look
from tableside.core.fields import card_title
from tableside.core.log import MemoryLog
from tableside.core.opening import read_head
from tableside.core.pack import NOBODY
from tableside.core.rng import commitment
from tableside.core.session import Session
from tableside.core.state import O_RNG
from tableside.rules import resolver

pytestmark = pytest.mark.usefixtures("games_compiled_once")

SCORE = "go; adjust vp-red 3; adjust vp-red 5; undo; adjust vp-red 4; adjust vp-blue 2"


def told(log: MemoryLog, secrets: bool = False) -> Any:
    return transcribe(log, game_of(log, Path("x")), secrets)


def with_records(log: MemoryLog, records: bytes, head: bytes = b"") -> MemoryLog:
    other = MemoryLog()
    other.begin(head or log.head)
    other.append(records)
    return other


def reason(log: MemoryLog) -> str:
    """Why replay refuses a log."""
    _, difference = verify(log, compile_system(read_head(log.head)[0]))
    assert difference is not None
    return difference.reason


# --- what was done to a log --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_log() -> MemoryLog:
    lines = "; ".join(f"adjust vp-{'red' if i % 3 else 'blue'} {i}" for i in range(2, 30))
    return game("score/score", f"salt 0badcafe; {SCORE}; undo 2; redo; {lines}; end red")


def test_one_altered_byte_is_named(long_log: MemoryLog) -> None:
    """Of each record: every byte of it but its lengths, changed in one bit or in all."""
    records = parts(long_log)
    for i in (0, 1, 5, 7, len(records) // 2, len(records) - 1):
        for at in range(2, len(records[i]) - 2):
            for flip in (1, 0xFF):
                wrong = bytearray(records[i])
                wrong[at] ^= flip
                log = with_records(long_log, b"".join([*records[:i], bytes(wrong), *records[i + 1 :]]))
                found = reason(log)
                in_digest = at >= len(wrong) - 6
                right = "its digest" if in_digest else f"byte {at + 1} of it was {records[i][at]:#04x} "
                no_record = found.startswith("altered: it is no record any more")
                how_many_arguments = no_record and at == 3
                assert found.startswith(f"altered: {right}") or how_many_arguments, (i, at, flip, found)


def test_a_missing_record_is_named(long_log: MemoryLog) -> None:
    records = parts(long_log)
    for i in range(len(records) - 1):
        found = reason(with_records(long_log, b"".join(records[:i] + records[i + 1 :])))
        assert found.startswith("a record before it is missing"), (i, found)


def test_a_swapped_seed_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a game that shuffles at its start, of one that does not, and a whole game played again from another seed."""
    for target, lines in (("death_angel/players-1", "answer 1"), ("score/score", SCORE)):
        log = game(target, lines, 1)
        body = bytearray(log.head[:-8])
        at = len(body) - len(read_head(log.head)[4]) + O_RNG
        body[at] ^= 1
        swapped = with_records(log, bytes(log.data), bytes(body) + hashlib.sha256(body).digest()[:8])
        assert "the seed" in reason(swapped) and "swapped" in reason(swapped)
        other = with_records(log, bytes(log.data), game(target, lines, 2).head)
        assert "the seed or the start was swapped" in reason(other)
    honest, steered = game("score/score", SCORE, 1), game("score/score", SCORE, 2)
    write_log(tmp_path / "a.log", steered)
    seal = commitment(read_head(honest.head)[4][O_RNG : O_RNG + 16]).hex()[:16]
    assert main(["replay", str(tmp_path / "a.log")]) == 0
    assert main(["replay", str(tmp_path / "a.log"), "--seal", seal]) == 1
    assert f"the seal {seal} is not that of its seed" in capsys.readouterr().err
    write_log(tmp_path / "a.log", honest)
    assert main(["replay", str(tmp_path / "a.log"), "--seal", seal.upper()]) == 0
    assert f"seal {seal}\nunfinished" in capsys.readouterr().out


def test_replay_gives_seed_and_salt_when_the_game_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                                          long_log: MemoryLog) -> None:
    write_log(tmp_path / "a.log", long_log)
    assert main(["replay", str(tmp_path / "a.log"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["seed"], found["salt"]) == ("00" * 15 + "01", "fecaad0b") and found["ok"]


# --- as people read them -----------------------------------------------------------------------------------------


def test_a_transcript_tells_the_game(long_log: MemoryLog) -> None:
    found = told(long_log)
    assert (found.system, found.scenario, found.sides) == ("score", "score", ["Red", "Blue"])
    assert found.over and found.result.title == "Red wins" and found.result.kind == "win"
    assert found.seed == "00" * 15 + "01" and found.salt == "fecaad0b"
    titles = [line.title for line in found.lines]
    assert "Red: VP = 5" in titles and "undo: Red: VP = 5" in titles
    undone = [line for line in found.lines if line.undone]
    assert [line.title for line in undone][0] == "Red: VP = 5" and found.undone == len(undone)
    assert [line.changes for line in found.lines if line.title == "Red: VP = 5"][0] == "R VP 3>5"
    text, page = as_text(found), as_markdown(found)
    for each in (text, page):
        assert "Red wins" in each and found.seed in each and found.seal in each
    assert "Red: VP = 5: R VP 3>5 [undone]" in text and "~~Red: VP = 5: R VP 3>5~~" in page
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 6 for row in page.splitlines() if re.match(r"\| \d", row))


def test_dice_stand_beside_what_was_expected() -> None:
    """Of stages, thrown by the device too, and of checks; what was taken back does not count."""
    lines = "attack two-d6; dice 6 1; apply; attack two-d6; throw; apply; attack two-d6; dice 6 6; undo"
    found = told(game("dice/plain", lines)).dice
    assert [(rolls.dice, rolls.sides, sum(rolls.counts.values())) for rolls in found] == [(4, 6, 4)]
    assert set(found[0].expected.values()) == {0.67} and found[0].counts["6"] >= 1
    checks = told(game("nemesis/erosion-of-power", "jump gambit 2; enter 5; jump gambit 2; roll")).dice
    assert [(rolls.side, rolls.what, rolls.dice) for rolls in checks] == [("", "D3: new points", 2)]
    assert checks[0].counts["5"] >= 1


def hidden(state: Any) -> set[str]:
    """The titles of the cards that not everybody may see."""
    return {card_title(state, 0, state.card(0, zone, at)) for zone in range(state.zones(0))
            if not may_look(state, 0, zone, NOBODY) for at in range(state.zone_count(0, zone))}


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_running_game_keeps_its_secrets(seed: int) -> None:
    """Overkill by any legal play: neither a card that never came to light nor the seed is in what is exported."""
    log = MemoryLog()
    session = Session.new(support.open_pack("overkill"), 0, bytes([seed] * 16), log, resolver)
    came_to_light: set[str] = set()
    every = hidden(session.state)
    for _ in support.play(session, support.Lcg(seed), 300):
        came_to_light |= every - hidden(session.state)
        if session.over():
            session.undo()
    session.save()
    secrets = hidden(session.state) - came_to_light
    assert len(every) > 25 and secrets
    found = told(log)
    assert not found.over and not found.seed
    for page in (as_text(found), as_markdown(found), json.dumps(asdict(found))):
        assert not {f"Card {number}" for number in re.findall(r"Card (\d+)", page)} & secrets
        assert bytes([seed] * 16).hex() not in page
    shown = told(log, secrets=True)
    assert shown.seed == bytes([seed] * 16).hex()
    session.do(commands.END, (0,))
    session.save()
    assert told(log).seed == shown.seed


def test_what_a_side_did_in_secret_is_shown_when_it_is_asked_for(tmp_path: Path) -> None:
    log = MemoryLog()
    session = Session.new(support.open_pack("overkill"), 0, bytes(16), log, resolver)
    for _ in support.play(session, support.Lcg(3), 400):
        if session.over():
            session.undo()
    session.save()
    pages = [as_text(told(log, secrets)) for secrets in (False, True)]
    assert pages[0] != pages[1] and len(pages[1]) > len(pages[0])


# --- marks of what was pulled ------------------------------------------------------------------------------------


def test_only_games_that_are_over_are_marked_as_pulled(tmp_path: Path) -> None:
    running, over = (stored(tmp_path, game("score/score", SCORE + end)) for end in ("", "; end red"))
    pull(FolderSource(tmp_path), tmp_path / "copy")
    assert not (running / MARK).exists()
    assert (over / MARK).read_text() == str(read_log(over).end)
    assert not list((tmp_path / "copy").rglob(MARK))
    pull(FolderSource(tmp_path / "copy"), tmp_path / "again")
    assert not list((tmp_path / "copy").rglob(MARK))


def test_export_writes_a_file_for_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = stored(tmp_path / "device", game("score/score", SCORE + "; end red"))
    (folder / "players").write_text("Ann\nBob, Cy\n")
    (tmp_path / "device" / "sessions" / "0007").mkdir()
    (tmp_path / "device" / "sessions" / "0007" / "head").write_bytes(b"nonsense")
    for format, end in (("text", "txt"), ("markdown", "md"), ("json", "json")):
        out = tmp_path / format
        code = main(["log", "export", "--dir", str(tmp_path / "device"), "--format", format, "-o", str(out)])
        said = capsys.readouterr()
        assert code == 1 and "0007: log head damaged" in said.err  # and the others are there
        assert said.out == f"{out / '0001'}.{end}\n"
        assert "Bob" in (out / f"0001.{end}").read_text("utf-8")
    assert json.loads((tmp_path / "json" / "0001.json").read_text("utf-8"))["players"] == {"Red": ["Ann"],
                                                                                           "Blue": ["Bob", "Cy"]}
    assert main(["log", "show", str(folder), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["sessions"]
    assert shown[0]["name"] == "0001" and shown[0]["result"]["title"] == "Red wins"
