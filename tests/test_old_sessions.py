"""Games that were saved by earlier versions of the app go on in this one.

Each folder of tests/data/sessions holds a session as a device left it, the pack it was begun with, and what it was:
never change one. When the layout of the state changes, one of the new layout is added by

    PYTHONPATH=firmware:tests/portable .venv/bin/python tests/test_old_sessions.py PACK
"""

import io
import json
import shutil
import sys
from pathlib import Path

import pytest
from support import Lcg, play

from tableside.core.history import History
from tableside.core.opening import read_head
from tableside.core.pack import Pack
from tableside.core.session import Session
from tableside.core.state import LAYOUT
from tableside.hw.log import FileLog
from tableside.rules import resolver

SESSIONS = Path(__file__).parent / "data" / "sessions"
_COMMANDS = 150


@pytest.mark.parametrize("saved", sorted(SESSIONS.glob("layout-*")), ids=lambda path: path.name)
def test_an_old_session_goes_on(saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "0001"
    shutil.copytree(saved, folder)
    log = FileLog(str(folder))
    session = Session.resume(Pack(io.BytesIO((saved / "pack.tspk").read_bytes())), log, resolver)
    expected = json.loads((saved / "expected.json").read_text())
    assert session.state.data.hex() == expected["state"]
    assert (session.records, session.digest.hex()) == (expected["records"], expected["digest"])
    history = History(session)
    titles = []
    while (entry := history.entry(len(titles))) is not None:
        titles.append(entry.title)
    assert len(titles) == expected["live"]
    for _ in play(session, Lcg(3), 20):
        session.save()
    while session.can_undo():
        session.undo()
    assert bytes(session.state.data) == read_head(log.head)[4]


def test_there_is_one_of_the_present_layout() -> None:
    assert (SESSIONS / f"layout-{LAYOUT}").is_dir()


def write(pack_file: Path) -> None:
    """Make a session of the present layout."""
    target = SESSIONS / f"layout-{LAYOUT}"
    target.mkdir(parents=True)
    shutil.copy(pack_file, target / "pack.tspk")
    session = Session.new(Pack(io.BytesIO(pack_file.read_bytes())), 0, bytes(range(16)), FileLog(str(target)), resolver)
    for _ in play(session, Lcg(7), _COMMANDS):
        session.save()
    again = Session.resume(Pack(io.BytesIO(pack_file.read_bytes())), FileLog(str(target)), resolver)
    live, at = 0, again.last()
    while at >= 0:
        live, at = live + 1, again.record(at)[1]
    (target / "expected.json").write_text(json.dumps({
        "state": again.state.data.hex(), "records": again.records, "digest": again.digest.hex(), "live": live}))
    session.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
