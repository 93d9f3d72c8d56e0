"""What modules and packs take, in bytes of RAM. For MicroPython; every figure is taken after a collection.

`main` gets the modules to import, in this order. Prints `module NAME BYTES` and `pack NAME OPEN PLAYED TREE SCENARIO`:
the pack open, with a session of its largest scenario as well, and the same data as a tree made of JSON; before that
`code NAME MODULE BYTES` for each module of its code that the session did not need to begin.
"""

import gc
import json
import os


def main(args):
    """Measure; each `yield` collects garbage."""
    for name in args:
        yield
        before = gc.mem_alloc()
        __import__(name)
        yield
        print("module", name, gc.mem_alloc() - before)

    from tableside.core.log import MemoryLog
    from tableside.core.pack import MODULE, SCENARIO, Pack
    from tableside.core.session import Session

    for file in sorted(os.listdir("packs")):
        name = file[:-5]
        yield
        before = gc.mem_alloc()
        pack = Pack(open("packs/" + file, "rb"))  # noqa: SIM115
        yield
        opened = gc.mem_alloc() - before
        played = 0
        for scenario in range(pack.count(SCENARIO)):
            session = Session.new(pack, scenario, bytes(16), MemoryLog())
            yield
            if gc.mem_alloc() - before > played:
                played = gc.mem_alloc() - before
                largest = session.scenario.id()
            if session.state.code is None:
                session = None
        if session is not None:
            for i in range(pack.count(MODULE)):
                module = pack.text(pack.record(MODULE, i)[0])
                yield
                before = gc.mem_alloc()
                session.state.code.part(module)
                yield
                print("code", name, module, gc.mem_alloc() - before)
            session.state.code.drop()
            session = None
        pack.close()
        pack = None
        yield
        before = gc.mem_alloc()
        with open("trees/" + name + ".json") as source:
            tree = json.load(source)
        yield
        print("pack", name, opened, played, gc.mem_alloc() - before, largest)
        tree = None  # noqa: F841
