"""The whole firmware in use, in bytes of RAM: everything imported, then a random hand. For MicroPython.

`main` gets how many strokes the hand makes, then the modules. Prints `imported BYTES`, then `most BYTES SCREEN PACK`
as it was at the first visit of each screen with each pack, after a collection, and `screens SEEN NAME...`, those not
seen.
"""

import gc

import hand


def main(args):
    """Measure; each `yield` collects garbage."""
    yield
    start = gc.mem_alloc()
    for name in args[1:]:
        __import__(name)
    yield
    print("imported", gc.mem_alloc() - start)
    thumb = hand.Hand()
    visits = set()
    most = 0
    where = ()
    for _ in range(int(args[0])):
        visit = thumb.random_stroke()
        if visit not in visits:
            visits.add(visit)
            yield
            if gc.mem_alloc() > most:
                most = gc.mem_alloc()
                where = visit
    print("most", most - start, where[0], where[1])
    seen = {screen for screen, _ in visits}
    print("screens", len(seen), *sorted(hand.all_screens() - seen))
