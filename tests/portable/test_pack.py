"""Reading a compiled pack by offset: little RAM, and errors of our own whatever the file holds."""

import gc
import io
import os

from support import pack_path, raises

from tableside.core.errors import PackError
from tableside.core.pack import ARM, META, SCENARIO, WEAPON, Pack, Scenario

OPEN_BYTES = 1500  # on a VM whose words have 8 bytes


def test_an_open_pack_takes_a_few_hundred_bytes():
    if not hasattr(gc, "mem_alloc"):
        return
    gc.collect()
    before = gc.mem_alloc()
    pack = Pack(open(pack_path("nemesis"), "rb"))  # noqa: SIM115
    scenario = Scenario(pack, 0)
    for i in range(scenario.steps):
        pack.text(scenario.step(i)[2])
    gc.collect()
    held = gc.mem_alloc() - before
    pack.close()
    assert held < OPEN_BYTES, held


def test_records_and_strings_that_are_not_there_are_refused():
    pack = Pack(open(pack_path("nemesis"), "rb"))  # noqa: SIM115
    for section, index in ((META, 1), (META, -1), (SCENARIO, 99)):
        raises(PackError, pack.record, section, index)
    raises(PackError, pack.text, 65000)
    raises(PackError, pack.use_language, 7)
    assert pack.text(0xFFFF) == ""
    pack.close()


def test_a_pack_of_the_format_before_has_no_weapons():
    pack = Pack(open(os.getenv("TABLESIDE_DATA") + "/sessions/layout-2/pack.tspk", "rb"))  # noqa: SIM115
    scenario = Scenario(pack, 0)
    assert (scenario.slots, scenario.units, scenario.weapons) == (5, 3, 0)
    assert pack.text(scenario.unit(0)[0]) == "Guard"
    assert scenario.unit(0)[2:9] == (1, 1, 7, 4, 3, 5, 0)
    assert scenario.unit(0)[9:] == (0,) * 5 and scenario.unit_weapons(0) == []
    assert (pack.count(WEAPON), pack.count(ARM)) == (0, 0)
    raises(PackError, scenario.weapon, 0)
    assert pack.language(1) == "de"
    pack.use_language(1)
    assert pack.text(0) == "de"
    pack.close()


def test_what_is_no_pack_is_refused():
    for data in (b"", b"TSPK", b"PK\x03\x04" + bytes(60), b"TSPK" + bytes(60)):
        raises(PackError, Pack, io.BytesIO(data))


def test_notes_titles_and_languages():
    pack = Pack(open(pack_path("ambush"), "rb"))  # noqa: SIM115
    assert (pack.title(), pack.scenario_titles()) == ("Ambush", ["The raid"])
    assert [pack.language(i) for i in range(pack.languages)] == ["en", "de"]
    pack.use_language(1)
    assert (pack.title(), pack.scenario_titles()) == ("Hinterhalt", ["Der \xdcberfall"])
    assert pack.notes() == []
    pack.close()
