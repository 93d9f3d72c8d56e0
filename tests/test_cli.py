"""The `tableside` command: play, pack and replay, their exit codes, messages and JSON."""

import hashlib
import io
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools import replay
from host_tools.cli import COMMANDS, main
from host_tools.logfile import read_log, write_log
from host_tools.packs import build
from host_tools.packs.build import compile_system, find_games
from host_tools.replay import verify
from host_tools.table import Table
from tableside import VERSION
from tableside.core import commands
from tableside.core.errors import CoreError, LogError
from tableside.core.log import MemoryLog
from tableside.core.opening import read_head
from tableside.core.record import REDONE, UNDONE, Record, chain
from tableside.core.rng import commitment
from tableside.core.state import O_RNG
from tableside.hw.log import FileLog

pytestmark = pytest.mark.usefixtures("games_compiled_once")

ROOT = Path(__file__).parents[1]
MISSION = "nemesis/erosion-of-power"
OPENING = "large; done; advance; advance; advance"
GAME = f"{OPENING}; done; draw; undo 2; redo; undo; adjust vp +3; shuffle npo; jump ready 2"
STATE_KEYS = ["system", "scenario", "seed", "commitment", "round", "turn", "phase", "step", "actor", "counters",
              "decks", "units", "log", "over", "result", "next"]


class Ran:
    """What an in-process run left: exit code, standard output and error."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *argv: str):
        try:
            self.code = main(argv)
        except SystemExit as stop:
            self.code = int(stop.code or 0)
        self.out, self.err = capsys.readouterr()

    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    def refused(self, *parts: str) -> None:
        """Exit 1, nothing on stdout and one line on stderr with all these parts."""
        assert (self.code, self.out, self.err.count("\n")) == (1, "", 1), (self.out, self.err)
        for part in parts:
            assert part in self.err


def module(*argv: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "host_tools", *argv], cwd=ROOT, input=text, text=True,
                          capture_output=True, timeout=60, check=False)


# --- the command itself ----------------------------------------------------------------------------------------


def test_module_runs_from_a_shell() -> None:
    assert module("--version").stdout == f"tableside {VERSION}\n"
    done = module("play", MISSION, "--seed", "1", "--file", "-", "--json", text="large # the big one\n\ndone\n")
    assert (done.returncode, done.stderr, json.loads(done.stdout)["counters"]["pool"]) == (0, "", 5)
    refused = module("play", MISSION, "--do", "large; fly")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("tableside play: command 2 (fly): no command or offered action 'fly'")
    assert module("play").returncode == 2
    assert module("dance").returncode == 2


def test_reader_that_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "host_tools", "play", MISSION, "--seed", "1"], cwd=ROOT, stdout=write,
                          stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, timeout=60, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_a_manual_with_an_example(capsys: pytest.CaptureFixture[str], name: str) -> None:
    ran = Ran(capsys, name, "-h")
    assert ran.code == 0
    assert f"  tableside {name}" in ran.out and "--json" in ran.out
    assert f"    {name} " in Ran(capsys, "-h").out


# --- play ------------------------------------------------------------------------------------------------------


def test_play_prints_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    state = Ran(capsys, "play", MISSION, "--seed", "ab", "--do", OPENING, "--json").json()
    assert list(state) == STATE_KEYS
    seed = (0xAB).to_bytes(16, "big")
    assert (state["seed"], state["commitment"]) == (seed.hex(), commitment(seed).hex())
    assert (state["system"], state["scenario"]) == ("nemesis", "erosion-of-power")
    assert (state["round"], state["turn"], state["step"], state["actor"]) == (1, None, "ff-players", "players")
    assert (state["units"], state["over"], state["result"]) == ([], False, None)
    assert state["decks"] == {"npo": {"discard": [], "draw": 13}}
    assert [offer["id"] for offer in state["next"]] == ["done", "out", "end-turn"]
    assert state["next"][0]["ask"] is None and state["next"][2]["ask"].endswith("?")
    first = state["log"][0]
    assert {**first, "digest": ""} == {"n": 1, "command": "choose large", "title": "Large: 5 points", "owner": None,
                                       "digest": "", "revealed": False, "undone": False}
    assert len({entry["digest"] for entry in state["log"]}) == 5


def test_seed_gives_the_same_game_and_none_gives_another(capsys: pytest.CaptureFixture[str]) -> None:
    def play(*more: str) -> Any:
        return Ran(capsys, "play", MISSION, "--do", OPENING + "; shuffle npo", "--json", "--reveal", *more).json()

    assert play("--seed", "7") == play("--seed", "07")
    assert play("--seed", "7")["decks"]["npo"]["draw"] != play("--seed", "8")["decks"]["npo"]["draw"]
    assert play()["seed"] != play()["seed"]


def test_dice_are_asked_for_and_entered(capsys: pytest.CaptureFixture[str]) -> None:
    asked = f"{OPENING}; jump initiative 2"
    state = Ran(capsys, "play", MISSION, "--do", asked, "--json").json()
    assert state["next"]["check"] == "initiative"
    assert state["next"]["dice"] == [{"label": "NPO", "sides": 6}, {"label": "Players", "sides": 6}]
    assert Ran(capsys, "play", MISSION, "--do", f"{asked}; enter 5 2", "--json").json()["counters"]["init"] == 1


def test_undo_and_redo_mark_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    log = Ran(capsys, "play", MISSION, "--do", "large; done; undo 2; redo; undo; small", "--json").json()["log"]
    assert [(e["command"], e["undone"]) for e in log] == [
        ("choose large", True), ("choose done", True), ("undo 2", False), ("redo", False), ("undo", False),
        ("choose small", False)]
    assert log[2]["title"] == "Large: 5 points"


def test_result_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    state = Ran(capsys, "play", MISSION, "--do", "adjust vp 7; end major-win", "--json").json()
    assert state["over"] and state["next"] == []
    assert (state["result"]["id"], state["result"]["kind"]) == ("major-win", "win")
    human = Ran(capsys, "play", MISSION, "--do", "end")
    assert "over: (abandoned)" in human.out


def test_commands_lists_what_is_legal(capsys: pytest.CaptureFixture[str]) -> None:
    legal = Ran(capsys, "play", MISSION, "--do", OPENING, "--commands", "--json").json()["commands"]
    answers = {entry["command"]: entry["answer"] for entry in legal}
    assert answers["choose done"] == "yes" and answers["choose end-turn"] == "ask"
    assert "choose sabotage" not in answers and "advance" not in answers and "redo" not in answers
    assert "undo [N]" in answers and "adjust vp VALUE" in answers
    start = {entry["command"] for entry in Ran(capsys, "play", MISSION, "--commands", "--json").json()["commands"]}
    assert "choose large" in start and "salt HEX8" in start and "undo [N]" not in start
    assert "choose difficulty" not in start, "it edits a counter"
    dice = Ran(capsys, "play", MISSION, "--do", "jump gambit 2", "--commands").out
    assert "yes enter FACE" in dice


@pytest.mark.parametrize("script", [
    "salt 00c0ffee", "salt ffff8000", "adjust harder =-1; adjust harder =-1", "adjust cp -1; adjust cp +2",
    "jump ff-npo 3", "draw npo discard",
    "draw npo discard; move npo discard 1 draw top", "move npo draw 13 draw random", "jump gambit 2; enter 5",
    "large; done; tick 4; tick 4 off", "end minor-loss", "end"])
def test_spelling_reads_back_as_the_same_command(script: str) -> None:
    one, two = Table(MISSION, bytes(16)), Table(MISSION, bytes(16))
    for line in script.split(";"):
        one.give(line)
        two.give(one.state()["log"][-1]["command"])
    assert one.log.data == two.log.data


@pytest.mark.parametrize(("script", "number", "reason"), [
    ("large; choose draw", 2, "action 'draw' is not offered now; offered: done, spend"),
    ("advance", 1, "something must be decided first"),
    ("difficulty", 1, "edits a counter: write adjust harder VALUE"),
    ("large; enter 3", 2, "no dice are asked for now"),
    ("jump gambit 2; enter 7", 2, "the die has no such face: 7"),
    ("jump gambit 2; enter 1 1", 2, "too many dice: 2"),
    ("jump gambit 2; enter x", 2, "a face must be a whole number, got 'x'"),
    ("adjust vp 10", 1, "must be 0..9: 10"),
    ("adjust victory 1", 1, "no counter 'victory': there are acted, "),
    ("adjust vp many", 1, "VALUE must be a whole number"),
    ("jump nowhere", 1, "no step 'nowhere': there are setup"),
    ("jump ready 256", 1, "ROUND must be 0..255, got 256"),
    ("move npo draw 14 discard", 1, "no such card: 13"),
    ("move npo draw 1 discard sideways", 1, "no place 'sideways'"),
    ("move npo hand 1 discard", 1, "no zone 'hand': there are discard, draw"),
    ("draw npo", 1, "write it as: draw DECK ZONE"),
    ("draw npo draw", 1, "no such zone: 1"),
    ("shuffle all", 1, "no deck 'all': there are npo"),
    ("shuffle npo; salt 00000001", 2, "salt only before the first shuffle"),
    ("salt 123", 1, "a salt has 8 hex digits"),
    ("salt -0000001", 1, "a salt has 8 hex digits"),
    ("tick 9", 1, "no such line: 8"),
    ("tick 1 on", 1, "write it as: tick LINE [off]"),
    ("end victory", 1, "no result 'victory': there are major-win"),
    ("end; advance", 2, "the game is over"),
    ("undo", 1, "nothing to undo"),
    ("large; undo 0", 2, "N must be 1..32767, got 0"),
    ("large; undo 2", 2, "nothing to undo"),
    ("large; redo", 2, "nothing to redo"),
    ("redo now", 1, "no command or offered action 'redo'"),
])
def test_refused_command(capsys: pytest.CaptureFixture[str], tmp_path: Path, script: str, number: int,
                         reason: str) -> None:
    log = tmp_path / "a.log"
    Ran(capsys, "play", MISSION, "--do", script, "--json", "--log", str(log)).refused(f"command {number} (", reason)
    assert Ran(capsys, "replay", str(log), "--json").json()["commands"] == number - 1, "what came before is kept"


def test_other_faults_of_play(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Ran(capsys, "play", "chess/blitz").refused("no system 'chess': there are ", "nemesis")
    Ran(capsys, "play", "nemesis/blitz").refused("no scenario 'nemesis/blitz': there are ", MISSION)
    Ran(capsys, "play", "nemesis").refused("no scenario 'nemesis'", MISSION)
    Ran(capsys, "play", MISSION, "--file", str(tmp_path / "none")).refused("none")
    Ran(capsys, "play", MISSION, "--do", "large", "--log", str(tmp_path / "none" / "a.log")).refused("none")
    for wrong in (["--seed", "xyz"], ["--seed", "1" * 33], ["--seed", "-1"], ["--do", "large", "--file", "-"]):
        assert Ran(capsys, "play", MISSION, *wrong).code == 2


def test_prompt_in_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
                              tmp_path: Path) -> None:
    lines = iter(["fly", "large", "help", "", "quit"])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: next(lines))
    ran = Ran(capsys, "play", MISSION, "--log", str(tmp_path / "a.log"))
    assert ran.code == 0
    for part in ("no command or offered action 'fly'", "next: large: Large: 5 points", "next: done", "shuffle npo"):
        assert part in ran.out
    assert read_log(tmp_path / "a.log").end > 0


RAID = "ambush/raid"


@pytest.fixture
def raid(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pack of tests/data beside the games."""
    games = find_games()
    monkeypatch.setattr(build, "find_games", lambda: {**games, "ambush": ROOT / "tests" / "data" / "ambush.toml"})


def raid_after(capsys: pytest.CaptureFixture[str], script: str) -> Any:
    return Ran(capsys, "play", RAID, "--do", script, "--json").json()


SAGA = ROOT / "tests" / "data" / "saga.toml"


@pytest.fixture
def saga(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pack with campaigns beside the games."""
    games = find_games()
    monkeypatch.setattr(build, "find_games", lambda: {**games, "saga": SAGA})
    monkeypatch.setattr(replay, "find_games", lambda: {**games, "saga": SAGA})


@pytest.mark.usefixtures("saga")
def test_a_mission_of_a_campaign(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "m2.log"
    ran = Ran(capsys, "play", "saga/m2", "--campaign", "war", "--carry", "c1=1 hale.used=1", "--do",
              "field watch hale; cult", "--json", "--log", str(log))
    state = ran.json()
    assert state["counters"]["hand"] == 8 and state["units"][0]["flags"] == []  # the result takes the mark off
    linked = state["campaign"]
    assert linked["carried"] == {"c1": 1, "hale.used": 1}
    assert (linked["following"], linked["ending"]) == ("m3", None)
    assert linked["leaves"]["c2"] == 1 and linked["leaves"]["hale.used"] == 0
    found = Ran(capsys, "replay", str(log), "--json").json()
    assert found["seed"] == state["seed"] and found["seal"] == state["commitment"][:16]
    assert (found["ok"], found["commands"], found["reveals_undone"]) == (True, 2, 0)
    human = Ran(capsys, "play", "saga/m9", "--campaign", "war", "--do", "cult").out
    assert "campaign: Brood Sibling (loss)\nleaves: --carry \"" in human
    assert "campaign" not in Ran(capsys, "play", "saga/m9", "--json", "--do", "cult").json()


@pytest.mark.usefixtures("saga")
@pytest.mark.parametrize(("options", "reason"), [
    (("--campaign", "peace"), "no campaign 'peace': there are war, joint, series"),
    (("--campaign", "war", "--carry", "c1"), "--carry takes NAME=VALUE: no value: c1"),
    (("--campaign", "war", "--carry", "c3=1"), "nothing named 'c3' is carried: there are "),
    (("--carry", "c1=1"), "--carry needs --campaign ID"),
])
def test_refused_campaigns(capsys: pytest.CaptureFixture[str], options: tuple[str, ...], reason: str) -> None:
    Ran(capsys, "play", "saga/m2", *options).refused(reason)


@pytest.mark.usefixtures("saga")
def test_a_log_with_other_carried_values(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    logs = []
    for name, values in (("a", "c1=1"), ("b", "c2=1")):
        logs.append(tmp_path / name)
        Ran(capsys, "play", "saga/m2", "--campaign", "war", "--carry", values, "--seed", "1", "--log", str(logs[-1]))
    one, two = (read_log(log) for log in logs)
    body = one.head[:-8].replace(b"c1=1", b"c2=1")
    one.begin(body + hashlib.sha256(body).digest()[:8])
    assert len(one.head) == len(two.head) and one.head != two.head
    write_log(logs[0], one)
    err = Ran(capsys, "replay", str(logs[0])).err
    assert "what was carried, was changed" in err


@pytest.mark.usefixtures("raid")
def test_units_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    guard, hybrids = raid_after(capsys, "")["units"]
    assert guard == {"slot": 1, "side": "guards", "unit": "guard", "name": "Guard", "models": 1, "models_left": 1,
                     "wounds": 7, "wounds_lost": 0, "flags": [], "toughness": 4, "save": 3, "invulnerable": 5,
                     "feel_no_pain": 0}
    assert (hybrids["slot"], hybrids["side"], hybrids["models_left"]) == (2, "cult", 5)
    script = "field guards numbers 3 2 4 3; unit 2 lost 3; unit 2 lost +1; unit 2 left -1; unit 1 flag engaged on; " \
             "unit 3 feel-no-pain 5; field cult servo-skull; remove 4"
    state = raid_after(capsys, script)
    guard, hybrids, other = state["units"]
    assert guard["flags"] == ["engaged"]
    assert (hybrids["models_left"], hybrids["wounds_lost"]) == (2, 0)
    assert (other["slot"], other["unit"], other["name"], other["feel_no_pain"]) == (3, None, "#3", 5)
    assert [entry["title"] for entry in state["log"]] == [
        "Guards + 3 x 2", "Hybrids: wounds lost 3", "Hybrids: wounds lost 4", "Hybrids: models left 2",
        "Guard + engaged", "#3: feel no pain 5", "Cult + Servo skull", "Servo skull: remove"]
    human = Ran(capsys, "play", RAID, "--do", script).out
    assert "unit 1: Guard of guards, 1 of 1 models, engaged\n" in human


@pytest.mark.usefixtures("raid")
@pytest.mark.parametrize(("script", "reason"), [
    ("field cult", "write it as: field SIDE UNIT"),
    ("field orks hybrids", "no side 'orks': there are guards, cult"),
    ("field cult boss", "no unit 'boss': there are guard, hybrids, servo-skull"),
    ("field cult guard", "a unit of another side: Guard"),
    ("field - guard", "no such side: 255"),
    ("field cult some 1 1", "write it as: field SIDE UNIT"),
    ("field cult numbers 1", "must be 1..200: 0"),
    ("field cult numbers 1 x", "a number of a unit must be a whole number, got 'x'"),
    ("unit 0 lost 1", "SLOT must be 1..255, got 0"),
    ("unit 3 lost 1", "no unit there: 2"),
    ("unit 1 lost 8", "must be 0..7: 8"),
    ("unit 1 lost +8", "must be 0..7: 8"),
    ("unit 1 luck 8", "write it as: unit SLOT lost|left|"),
    ("unit 1 flag engaged", "write it as: unit SLOT lost|left|"),
    ("unit 1 flag engaged yes", "write it as: unit SLOT lost|left|"),
    ("unit 1 flag tired on", "no flag 'tired': there are activated, engaged"),
    ("remove 6", "no unit there: 5"),
])
def test_refused_units(capsys: pytest.CaptureFixture[str], script: str, reason: str) -> None:
    Ran(capsys, "play", RAID, "--do", script).refused("command 1 (", reason)


@pytest.mark.usefixtures("raid")
@pytest.mark.parametrize("script", [
    "field cult hybrids; unit 3 models 7; unit 3 lost 2; unit 3 left 1", "field guards numbers 3 2 4 3 0 6; remove 1",
    "unit 1 flag activated on; unit 1 flag activated off", "unit 1 feel-no-pain 6; unit 1 save 0; unit 1 wounds 9"])
def test_spelling_of_units_reads_back(script: str) -> None:
    one, two = Table(RAID, bytes(16)), Table(RAID, bytes(16))
    for line in script.split(";"):
        one.give(line)
        two.give(one.state()["log"][-1]["command"])
    assert one.log.data == two.log.data


@pytest.mark.usefixtures("raid")
def test_commands_lists_the_roster(capsys: pytest.CaptureFixture[str]) -> None:
    def listed(script: str) -> dict[str, str]:
        legal = Ran(capsys, "play", RAID, "--do", script, "--commands", "--json").json()["commands"]
        return {entry["command"]: entry["about"] for entry in legal}

    found = listed("")
    assert found["field cult UNIT"] == "hybrids servo-skull" and found["unit 2 flag FLAG on|off"] == "activated engaged"
    assert found["remove 1"] == "Guard" and "remove 3" not in found
    full = listed("; ".join(["field cult servo-skull"] * 3))
    assert "field cult UNIT" not in full and "remove 5" in full


# --- pack ------------------------------------------------------------------------------------------------------


def test_pack_check_build_show(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = str(find_games()["nemesis"])
    checked = Ran(capsys, "pack", "check", source, "--json").json()
    assert list(checked) == ["file", "ok", "errors", "bytes"] and checked["ok"] and checked["errors"] == []
    built = Ran(capsys, "pack", "build", "nemesis", "-o", str(tmp_path), "--json").json()
    file = tmp_path / "nemesis.tspk"
    assert built == {"file": str(file), "ok": True, "errors": [], "bytes": file.stat().st_size}
    assert built["bytes"] == checked["bytes"]
    shown = Ran(capsys, "pack", "show", str(file), "--json").json()
    assert (shown["id"], shown["bytes"], shown["languages"][0]) == ("nemesis", built["bytes"], "en")
    human = Ran(capsys, "pack", "show", str(file))
    assert human.code == 0 and "Difficulty: -1..1, starts at 0, session" in human.out
    assert all(ord(char) >= 32 or char == "\n" for char in human.out), "codes of fields are written in braces"
    Ran(capsys, "pack", "build", "chess", "-o", str(tmp_path)).refused("no system 'chess'", "nemesis")
    assert Ran(capsys, "pack").code == Ran(capsys, "pack", "check").code == 2


def test_pack_faults(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good = find_games()["nemesis"]
    bad = tmp_path / "game.toml"
    bad.write_text(good.read_text("utf-8").replace("go ff-npo", "go nowhere").replace('when_empty = "stop"', "x = 1"))
    ran = Ran(capsys, "pack", "check", str(good), str(bad), str(tmp_path / "none.toml"), "--json")
    reports = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 1 and [report["ok"] for report in reports] == [True, False, False]
    assert reports[1]["errors"] == [
        {"file": str(bad), "where": "part.beasts.deck.intruder.x", "message": "unknown key"}]
    assert "No such file" in reports[2]["errors"][0]["message"]
    assert f"{bad}: part.beasts.deck.intruder.x: unknown key\n" in ran.err
    bad.write_text(good.read_text("utf-8").replace("go ff-npo", "go nowhere"))
    human = Ran(capsys, "pack", "check", str(bad))
    assert human.code == 1 and human.err.count("no step 'nowhere'") > 3
    damaged = tmp_path / "a.tspk"
    damaged.write_bytes(compile_system("nemesis").data[:-1])
    shown = Ran(capsys, "pack", "show", str(damaged))
    assert (shown.code, shown.out) == (1, "") and f"{damaged}: pack cut short" in shown.err


# --- logs and replay -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> MemoryLog:
    """The log of a game with undo, redo and a jump."""
    table = Table(MISSION, bytes(range(16)))
    for line in GAME.split(";"):
        table.give(line)
    table.session.save()
    return table.log


def positions(log: MemoryLog) -> list[int]:
    found = [0]
    while found[-1] < log.end:
        found.append(found[-1] + int.from_bytes(log.read(found[-1], 2), "little"))
    return found


def changed(log: MemoryLog, records: bytes, head: bytes = b"") -> MemoryLog:
    other = MemoryLog()
    other.begin(head or log.head)
    other.append(records)
    return other


def replayed(capsys: pytest.CaptureFixture[str], path: Path, log: MemoryLog) -> tuple[int, dict[str, Any], str]:
    write_log(path, log)
    ran = Ran(capsys, "replay", str(path), "--json")
    return ran.code, json.loads(ran.out), ran.err


def test_replay_of_a_right_log(capsys: pytest.CaptureFixture[str], tmp_path: Path, played: MemoryLog) -> None:
    code, found, _ = replayed(capsys, tmp_path / "a.log", played)
    assert code == 0
    assert found == {"ok": True, "commands": len(positions(played)) - 1, "first_difference": None, "reveals_undone": 2,
                     "seal": commitment(bytes(range(16))).hex()[:16], "salt": "", "seed": ""}
    assert "2 undone after something had come to light" in Ran(capsys, "replay", str(tmp_path / "a.log")).out
    assert read_log(tmp_path / "a.log").head == played.head


def test_every_changed_byte_is_found(played: MemoryLog) -> None:
    """Each byte of the records in turn; the record that holds it is the first that is wrong."""
    compiled = compile_system("nemesis")
    starts = positions(played)
    for at in range(played.end):
        data = bytearray(played.data)
        data[at] ^= 0x11
        count, difference = verify(changed(played, bytes(data)), compiled)
        assert difference is not None, at
        assert starts[count] <= at < starts[count + 1] and difference.n == count + 1, (at, difference)


def test_missing_doubled_and_swapped_records(capsys: pytest.CaptureFixture[str], tmp_path: Path,
                                             played: MemoryLog) -> None:
    starts = positions(played)
    parts = [bytes(played.data[a:b]) for a, b in zip(starts, starts[1:], strict=False)]
    for i in range(len(parts) - 1):
        for wrong in (parts[:i] + parts[i + 1 :], [*parts[: i + 1], *parts[i:]],
                      [*parts[:i], parts[i + 1], parts[i], *parts[i + 2 :]]):
            code, found, err = replayed(capsys, tmp_path / "a.log", changed(played, b"".join(wrong)))
            assert code == 1 and found["commands"] in (i, i + 1)
            assert "missing" in found["first_difference"]["reason"] and f"command {found['commands'] + 1} (" in err


def test_log_cut_short(capsys: pytest.CaptureFixture[str], tmp_path: Path, played: MemoryLog) -> None:
    starts = positions(played)
    code, found, _ = replayed(capsys, tmp_path / "a.log", changed(played, played.data[:-1]))
    assert code == 1 and found["commands"] == len(starts) - 2
    assert found["first_difference"]["reason"] == "the log is cut short within this record"
    whole = (tmp_path / "a.log").read_bytes()
    for size in range(8 + len(played.head)):
        (tmp_path / "b.log").write_bytes(whole[:size])
        reason = "log cut short in its head" if size else "not a session log"
        Ran(capsys, "replay", str(tmp_path / "b.log")).refused("b.log: ", reason)


def with_sum(body: bytes) -> bytes:
    return body + hashlib.sha256(body).digest()[:8]


def test_swapped_seed_and_other_heads(capsys: pytest.CaptureFixture[str], tmp_path: Path, played: MemoryLog) -> None:
    body = bytearray(played.head[:-8])
    seed_at = len(body) - len(read_head(played.head)[4]) + O_RNG
    body[seed_at] ^= 1
    write_log(tmp_path / "a.log", changed(played, played.data, bytes(body) + played.head[-8:]))
    Ran(capsys, "replay", str(tmp_path / "a.log")).refused("a.log: log head damaged")
    _, found, err = replayed(capsys, tmp_path / "a.log", changed(played, played.data, with_sum(bytes(body))))
    assert found["commands"] == 0 and "the seed or the start was swapped" in found["first_difference"]["reason"]
    body[-1] ^= 1  # the state after the start is no longer what this seed gives
    _, found, err = replayed(capsys, tmp_path / "a.log", changed(played, played.data, with_sum(bytes(body))))
    assert found["first_difference"]["n"] == 0 and "start: the seed does not give" in err


@pytest.mark.parametrize(("at", "value", "reason"), [
    (4, b"\x07", "state layout 7"),
    (5, b"\x63", "no such scenario: 99"),
    (6, b"chess\0\0", "made with a game that is not here: chess"),
    (22, b"\0\0\0\0", "made with another version of nemesis: its hash is 00000000"),
    (0, b"TSJ9", "log head damaged"),
])
def test_log_of_something_else(capsys: pytest.CaptureFixture[str], tmp_path: Path, played: MemoryLog, at: int,
                               value: bytes, reason: str) -> None:
    body = bytearray(played.head[:-8])
    body[at : at + len(value)] = value
    write_log(tmp_path / "a.log", changed(played, played.data, with_sum(bytes(body))))
    Ran(capsys, "replay", str(tmp_path / "a.log")).refused("a.log: ", reason)


@pytest.mark.parametrize(("at", "value", "reason"), [
    (-1, 1, "gives another state"),  # another counter value than the command gives
    (2, commands.ADVANCE, "not allowed here: wrong number of arguments"),
    (2, 31, "not allowed here: no such command: 31"),
    (2, commands.CHOOSE | UNDONE, "not allowed here"),
    (2, commands.CHOOSE | REDONE, "not allowed here: nothing to redo"),
    (6, 1, "gives another state"),  # a link to where no command is
])
def test_forged_record_with_a_right_digest_is_against_the_rules(played: MemoryLog, at: int, value: int,
                                                                reason: str) -> None:
    first = Record(bytes(played.data[: positions(played)[1]]))
    end = struct.pack("<H", first.size)
    body = bytearray(first.body())
    body[at] = body[at] ^ value if at < 0 else value
    state = bytearray(read_head(played.head)[4])
    Record(bytes(body) + bytes(4) + end).apply(state)
    data = bytes(body) + chain(chain(b"", played.head[:-8], b""), body, state) + end
    count, difference = verify(changed(played, data), compile_system("nemesis"))
    assert difference is not None and count == 0 and reason in difference.reason


def test_session_folder_of_a_device(capsys: pytest.CaptureFixture[str], tmp_path: Path, played: MemoryLog) -> None:
    """The store's own files, with one and with several segments, and cut between append and removal of the tail."""
    folder = tmp_path / "0001"
    folder.mkdir()
    log = FileLog(str(folder))
    log.begin(played.head)
    starts = positions(played)
    for a, b in zip(starts, starts[1:], strict=False):
        log.append(bytes(played.data[a:b]))
    log.close()
    assert (folder / "tail").exists()
    assert read_log(folder).data == played.data
    assert Ran(capsys, "replay", str(folder), "--json").json()["commands"] == len(starts) - 1
    half = starts[len(starts) // 2]
    (folder / "s0").write_bytes(played.data[:100])
    (folder / "s1").write_bytes(played.data[100:half])
    for absorbed in (0, 30):
        start = half - absorbed
        (folder / "tail").write_bytes(start.to_bytes(4, "little") + played.data[start:])
        assert read_log(folder).data == played.data
    (folder / "tail").write_bytes(b"\xff\xff")
    assert read_log(folder).data == played.data[:half]
    (folder / "tail").write_bytes((half + 1).to_bytes(4, "little"))
    Ran(capsys, "replay", str(folder)).refused("records missing before the tail: 1")
    (folder / "head").unlink()
    Ran(capsys, "replay", str(folder)).refused("no session folder: it has no file 'head'")
    Ran(capsys, "replay", str(tmp_path / "none")).refused("none")
    (tmp_path / "x").write_bytes(b"TSLGx")
    with pytest.raises(LogError, match="cut short"):
        read_log(tmp_path / "x")


MOVES = ["large", "small", "done", "advance", "out", "draw", "impossible", "let", "skip", "undo", "undo 2", "undo 3",
         "redo", "adjust vp +1", "adjust cp -1", "draw npo discard", "shuffle npo", "move npo discard 1 draw random",
         "jump gambit 2", "enter 3", "enter 6 1", "enter 2 2", "npos-take", "end-turn", "sabotage", "salt deadbeef",
         "tick 1", "end"]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(MOVES), max_size=25))
def test_any_game_replays(lines: list[str]) -> None:
    """Whatever is played, refused commands included, the log replays and marks what stands undone."""
    table = Table(MISSION, bytes(16))
    plain = Table(MISSION, bytes(16))
    for line in lines:
        try:
            table.give(line)
        except (ValueError, CoreError):
            continue
    table.session.save()
    compiled = compile_system("nemesis")
    assert verify(table.log, compiled) == (table.session.records, None)
    for entry in table.state()["log"]:
        if not entry["undone"] and entry["command"].split()[0] not in ("undo", "redo"):
            plain.give(entry["command"])
    now, straight = table.state(reveal=True), plain.state(reveal=True)
    assert {**now, "log": []} == {**straight, "log": []}
