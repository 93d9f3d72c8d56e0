"""The whole firmware in use, in bytes of RAM: started as on the device, then a random hand. For MicroPython.

`main` gets how many strokes the hand makes, and the name of a pack if it is to find no other. Prints `home BYTES` of
the home screen, then `table BYTES`, the most at any time that the table of a game was shown with no attack in hand, and
`most BYTES SCREEN PACK` as it was at the first visit of each screen with each pack, all after a collection, and
`seen SCREEN...`.
"""

import gc
import os

import hand


def main(args):
    """Measure; each `yield` collects garbage."""
    for name in os.listdir("packs"):
        if len(args) > 1 and name != args[1] + ".tspk":
            os.remove("packs/" + name)
    yield
    start = gc.mem_alloc()
    __import__("tableside.device")
    thumb = hand.Hand()
    yield
    print("home", gc.mem_alloc() - start)
    visits = set()
    most = table = 0
    where = ()
    for _ in range(int(args[0])):
        visit = thumb.random_stroke()
        at_table = thumb.at_table()
        if at_table or visit not in visits:
            visits.add(visit)
            yield
            if at_table:
                table = max(table, gc.mem_alloc())
            if gc.mem_alloc() > most:
                most = gc.mem_alloc()
                where = visit
    print("table", table - start)
    print("most", most - start, where[0], where[1])
    print("seen", *sorted({screen for screen, _ in visits}))
