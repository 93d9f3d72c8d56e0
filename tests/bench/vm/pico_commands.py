"""main.py of an emulated Pico: commands of a session, each with its save.

Prints `command START DO SAVE` in microseconds, now and then `heap COMMANDS BYTES` after a collection, and `done` in the
end. The file `commands` says how many.
"""

import gc
import time

import hand

from tableside.core import commands

gc.threshold(16384)
thumb = hand.Hand()
app = thumb.app
app.begin(sorted(thumb.packs.ids())[0], 0)
thumb.step(0)
session = app.session


def adjustments():
    """A counter and two values that it may have."""
    for counter in range(16):
        for value in range(3):
            if session.check(commands.ADJUST, (counter, value))[0] == commands.YES:
                yield counter, value


found = list(adjustments())
counter = found[0][0]
values = [value for number, value in found if number == counter]
with open("commands") as file:
    total = int(file.read())
for number in range(total):
    if number % 100 == 0:
        gc.collect()
        print("heap", number, gc.mem_alloc())
    args = (counter, values[number % len(values)])
    start = time.ticks_us()
    session.do(commands.ADJUST, args)
    done = time.ticks_us()
    session.save()
    saved = time.ticks_us()
    print("command", start, time.ticks_diff(done, start), time.ticks_diff(saved, done))
gc.collect()
print("heap", total, gc.mem_alloc())
print("done")
