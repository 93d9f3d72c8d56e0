"""Random legal play of every game on the MicroPython VM, replayed on the host.

`TABLESIDE_GAMES` says how many of each scenario, `TABLESIDE_TEST_SEED` which ones.
"""

import dataclasses
import json
import os
from collections import Counter
from pathlib import Path

import pytest
from vms import SEED, compiled, interpreters, run_script

from host_tools.logfile import read_log
from host_tools.packs.build import compile_system, find_games
from host_tools.packs.compiler import compile_file
from host_tools.replay import verify

GAMES = int(os.environ.get("TABLESIDE_GAMES", "1"))
LONG = GAMES > 10
MOST = 5000  # commands of one game in the long form
SHARE = 1500  # of all scenarios of a pack in the short one
LEAST = 100  # but as many for each scenario
HEAP = "4m"  # the logs are in RAM


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The firmware as on a device."""
    return compiled(tmp_path_factory.mktemp("firmware"))


@pytest.mark.parametrize("system", find_games())
def test_any_legal_play_comes_to_an_end(
        system: str, packs: Path, micropython: str, firmware: Path, tmp_path: Path) -> None:
    pack = compile_system(system)
    most = MOST if LONG else max(LEAST, SHARE // len(pack.scenarios) // GAMES)
    command = interpreters(micropython, HEAP)["micropython"]
    lines = run_script(command, "random_games.py", tmp_path, system, SEED, GAMES, most, firmware=firmware,
                       timeout_s=60 + GAMES * len(pack.scenarios) * most / 50)
    words = [line.split() for line in lines]
    games = [line[1:] for line in words if line[0] == "game"]
    counts = Counter(name for name, *_ in games)
    assert set(counts) == {scenario.id for scenario in pack.scenarios} and min(counts.values()) >= GAMES
    for scenario in pack.scenarios:
        own = [(end, int(rounds), int(count)) for name, end, rounds, count in games if name == scenario.id]
        ends = ", ".join(f"{end} {count}" for end, count in sorted(Counter(end for end, _, _ in own).items()))
        print(f"\n{system}/{scenario.id}: {ends}; rounds up to {max(rounds for _, rounds, _ in own)}, "
              f"commands {min(count for *_, count in own)} to {max(count for *_, count in own)}")
    told = ("command", "reached", "never") if LONG else ("command", "reached")
    print(*[line for line in lines if line.startswith(told)], sep="\n")
    for file in sorted(tmp_path.glob("*.log")):
        count, difference = verify(read_log(file), pack)
        assert difference is None, f"{system} {file.stem}: command {count + 1}: {difference}"


STUCK = """
[pack]
id = "stuck"
title = "Stuck"
version = "1"
[[scenario]]
id = "door"
title = "Door"
counter = [{ id = "keys", name = "Keys", high = 3 }]
[[scenario.window]]
id = "closed"
title = "Closed"
action = [{ id = "open", label = "Open", when = "keys > 0" }]
[[scenario.step]]
id = "go"
phase = "Go"
title = "Go"
effects = ["add keys 1 if round == 1", "window closed if round == 4"]
"""


@pytest.mark.parametrize(("effect", "fault"), [
    ("sub keys 3 if round == 4", "nothing is legal but overrides"),
    ("go go if round == 4", "effects never end"),
    ("add keys 1", ""),
])
def test_a_game_that_cannot_go_on_is_found(
        effect: str, fault: str, micropython: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "game.toml"
    source.write_text(STUCK.replace('"window', f'"{effect}", "window'))
    pack = compile_file(source)
    (tmp_path / "stuck.tspk").write_bytes(pack.data)
    (tmp_path / "stuck.json").write_text("\n".join(json.dumps(dataclasses.asdict(names)) for names in pack.scenarios))
    monkeypatch.setenv("TABLESIDE_PACKS", str(tmp_path))
    command = interpreters(micropython, HEAP)["micropython"]
    try:
        lines = run_script(command, "random_games.py", tmp_path, "stuck", 1, 1, 300)
    except AssertionError as error:
        assert fault and fault in str(error)
    else:
        assert not fault and any(line.startswith("game door round-60 60") for line in lines), lines
