"""main.py of an emulated Pico: its RAM. Prints `at WHAT` before what `micropython.mem_info` says after a collection.

`import MODULE BYTES KEPT` is the most that an import takes if nothing is collected meanwhile, and what it keeps. `done`
comes last. The file `strokes` says how long a random hand plays each pack.
"""

import gc

import micropython


def look(*words):
    """The heap without garbage."""
    gc.collect()
    print("at", *words)
    micropython.mem_info()


look("start")

import hand  # noqa: E402

from tableside import rules  # noqa: E402
from tableside.ui import modules  # noqa: E402

gc.threshold(16384)
thumb = hand.Hand()
look("home")
app = thumb.app

for path in [modules.PACKAGE + "." + name for name in modules.SCREENS] + rules.paths():
    gc.collect()
    before = gc.mem_alloc()
    gc.disable()
    app._modules.get(path)
    peak = gc.mem_alloc() - before
    gc.enable()
    gc.collect()
    print("import", path, peak, gc.mem_alloc() - before)
    app._modules.forget(app._needed)

with open("strokes") as file:
    strokes = int(file.read())
for pack in sorted(thumb.packs.ids()):
    file = thumb.packs.open(pack)
    file.close()
    app.begin(pack, 0)
    thumb.step(0)
    thumb.step(0)
    look("play", pack)
    seen = set()
    for _ in range(strokes):
        visit = thumb.random_stroke()
        if visit not in seen:
            seen.add(visit)
            look(visit[0], visit[1])
    app.home()
    app.restart()
    thumb.step(0)
look("end")
print("done")
