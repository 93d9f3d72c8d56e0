"""An attack of the 10th edition as icepool says it, from the sheet alone: it imports nothing from `tableside`."""

from collections.abc import Sequence

import icepool
from icepool import Die

Group = tuple[int, int, int, int]  # models, wounds of each, number to save on, number of feel no pain (7: none)


def wounds_lost(attacks: int, hit: int, wound: int, damage: Die, groups: Sequence[Group], sustained: int = 0) -> Die:
    """The wounds that the groups lose, one after the other; D6 on `hit` and `wound`, 6 gives `sustained` hits more."""
    hits = icepool.d6.map(lambda face: 0 if face < hit else 1 + sustained * (face == 6))
    wounds = hits @ (icepool.d6 >= wound)
    state: Die = Die([0])
    after = [state]
    pool = attacks @ wounds
    for _ in range(pool.max_outcome()):
        state = state.map(lambda lost: _one(lost, damage, groups))
        after.append(state)
    return pool.map(lambda count: after[count])


def _one(lost: int, damage: Die, groups: Sequence[Group]) -> Die:
    """The wounds that are lost after one more wound is saved or not."""
    before = 0
    for models, each, save, ignore in groups:
        if lost < before + models * each:
            hurt = _hurt(lost, each - (lost - before) % each, damage @ (icepool.d6 < ignore))
            return (icepool.d6 < save).map({True: hurt, False: lost})
        before += models * each
    return Die([lost])


def _hurt(lost: int, left: int, points: Die) -> Die:
    """What is lost after these points on a model with so many wounds left."""
    return points.map(lambda count: lost + min(count, left))
