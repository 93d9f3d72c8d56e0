"""main.py of an emulated Pico: a session with a long journal. Prints `WHAT MICROSECONDS ...`, then `done`."""

import gc
import time

import hand

gc.threshold(16384)
thumb = hand.Hand()
app = thumb.app


def timed(what, do, *args):
    """Time something."""
    gc.collect()
    start = time.ticks_us()
    do(*args)
    print(what, time.ticks_diff(time.ticks_us(), start))


timed("resume", app.resume, 1)
session = app.session
for _ in range(5):
    timed("undo", session.undo)
    timed("save", session.save)
timed("jump", session.undo, 500)
timed("save", session.save)
timed("redo", session.redo)
thumb.step(0)
print("records", session.records)
gc.collect()
print("heap", gc.mem_alloc())
print("done")
