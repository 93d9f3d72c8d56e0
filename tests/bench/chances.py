"""Time and answer of exact odds, beside icepool."""

import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import icepool
from icepool_attack import wounds_lost

from host_tools import odds as engine
from host_tools.odds_command import alone
from host_tools.requests import resolver, to_numbers

DICE = (10, 20, 40)
GROUPS = [(5, 2, 4, 5), (5, 3, 3, 5)]  # models, wounds of each, number to save on, feel no pain


def attack(system: str, dice: int) -> dict[int, Fraction]:
    """The odds of the wounds that two groups of five lose to attacks of D3 damage."""
    target = [{"models": models, "wounds": each, "save": save - 1, "feel_no_pain": ignore}
              for models, each, save, ignore in GROUPS]
    v = to_numbers(system, {"weapon": {"attacks": dice, "skill": 3, "strength": 5, "ap": -1, "damage": "D3"},
                            "target": {"toughness": 4, "groups": target}})
    return alone(engine.odds(resolver(system), v), 0)


def by_icepool(dice: int) -> dict[int, Fraction]:
    """The same of the 10th edition, in which wounds are saved one by one: icepool has no sorted save dice."""
    die = wounds_lost(dice, 3, 3, icepool.d3, GROUPS)
    return {value: Fraction(die.quantity(value), die.denominator())
            for value in die.outcomes() if die.quantity(value)}


def timed(ask: Callable[[], dict[int, Fraction]]) -> tuple[float, dict[int, Fraction]]:
    """Seconds of processor time, the best of three, and the answer."""
    times = []
    for _ in range(3):
        start = time.process_time()
        found = ask()
        times.append(time.process_time() - start)
    return min(times), found


def odds() -> None:
    """Print the times and means."""
    print("Exact odds of an attack: D3 damage, 5 models of 2 wounds and 5 of 3, feel no pain 5+. Seconds of processor")
    print("time, the best of 3, and the mean of the wounds lost; 10th edition: the answers must be equal")
    print(f"{'dice':>4}{'10th edition':>26}{'icepool, 10th':>26}{'11th edition':>26}")
    for dice in DICE:
        ours, found = timed(partial(attack, "w40k10", dice))
        theirs, same = timed(partial(by_icepool, dice))
        later, other = timed(partial(attack, "w40k11", dice))
        row = "".join(f"{seconds:16.3f}{_mean(parts):10.5f}"
                      for seconds, parts in ((ours, found), (theirs, same), (later, other)))
        print(f"{dice:4}{row}  {'equal' if found == same else 'NOT EQUAL'}")


def _mean(parts: dict[int, Fraction]) -> float:
    return float(sum(value * part for value, part in parts.items()))
