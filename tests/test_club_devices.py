"""Collecting from devices, and the roster that goes to them: the real VM behind a pty, its flash littlefs."""

import json
from pathlib import Path
from typing import Any

import pytest
from log_makers import game, stored
from test_link import app, bench, contents  # noqa: F401 - fixtures

from host_tools.club import tables
from host_tools.club.book import Book
from host_tools.club.collect import watch
from host_tools.packs.build import compile_system
from tableside import VERSION

pytestmark = pytest.mark.usefixtures("games_compiled_once")

RED = "go; adjust vp-red 7; adjust vp-blue 4; end red"


@pytest.fixture
def device(bench: Any, tmp_path: Path, app: dict[str, bytes]) -> Any:  # noqa: F811
    """A device with a game that is over and one that runs."""
    folder = tmp_path / "device"
    stored(folder, game("score/score", RED, 1))
    (folder / "sessions" / "0001" / "players").write_text("Ann\nBob\n")
    stored(folder, game("score/score", "go; adjust vp-red 1", 2))
    return bench({**app, "packs/score.tspk": compile_system("score").data, **contents(folder)})


def test_collect_pulls_enters_and_marks(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, league = tmp_path / "club.db", tmp_path / "league"
    wanted = ("club", "collect", "--book", str(book), "-o", str(league))
    row = device.json(*wanted)["rows"][0]
    assert (row["board"], row["app"], row["id"]) == ("Raspberry Pi Pico", VERSION, b"simulate".hex())
    assert set(row["packs"]) == {"dice", "score"} and row["packs"]["score"].startswith("1 ")
    assert row["sessions"] == {"added": 2, "updated": 0, "refused": 0} and row["clock"] == "2021-01-01 00:00:00"
    assert device.json(*wanted)["rows"][0]["sessions"] == {"added": 0, "updated": 0, "refused": 0}
    code, out, _ = device.run(*wanted)
    assert code == 0 and f"app {VERSION}" in out and out.endswith("nothing new\n")
    with Book(book) as found:
        assert [(one["player"], one["won"]) for one in tables.standings(found)] == [("Ann", 1), ("Bob", 0)]
        assert [one["number"] for one in tables.results(found, unfinished=True) if one["device"] == row["id"]] in (
            [1, 2], [2, 1])
        fleet = tables.fleet(found)
        assert len(fleet) == 1 and fleet[0]["sessions"] == 2 and fleet[0]["differs"] == []
    code, out, err = device.run("club", "roster", "--book", str(book), "--add", "Ann", "--pair", "3:Cy:Jörg", "--push")
    assert code == 0 and f"pushed to {device.port}" in err and "Jörg" in out
    device.close()
    files = device.files()
    assert json.loads(files["roster.json"]) == {"players": ["Ann", "Cy", "Jörg"], "pairings": [[3, "Cy", "Jörg"]]}
    assert "sessions/0001/pulled" in files and "sessions/0002/pulled" not in files


def test_watch_collects_from_each_device_as_it_is_plugged_in(device: Any, tmp_path: Path,
                                                             capsys: pytest.CaptureFixture[str]) -> None:
    plugged = iter([[], [device.port], [device.port], [device.port, "/dev/nothing"], [], [device.port]])
    waits: list[float] = []

    class EndOfTheEvening(Exception):
        pass

    def ports() -> list[str]:
        try:
            return next(plugged)
        except StopIteration:
            raise EndOfTheEvening from None

    with Book(tmp_path / "club.db") as book:
        seen = []
        with pytest.raises(EndOfTheEvening):
            for row in watch(book, tmp_path / "league", ports, waits.append):
                seen.append((row["port"], row["sessions"]["added"]))
        assert seen == [(device.port, 2), (device.port, 0)] and len(waits) == 6
        assert capsys.readouterr().err.startswith("tableside club: /dev/nothing: no such port")
