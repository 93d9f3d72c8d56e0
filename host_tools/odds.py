"""Exact odds of a chain of stages: all the ways it can go, weighed with integers.

A *walk* looks at every state that a chain can come to, once: at dice every combination of counts, at a decision the
default. What the states lead to is a graph; the weight of its start flows through it in order. Loops, as of a roll-off
that ties, are solved before. The tallies of AUDIT do not belong to a state: they are taken out after every step, and
their means add up by themselves. `odds(..., fast=False)` is this walk alone. The fast way differs in one thing: where a
resolver says that many dice are independent, one of them is walked and the counts of all are the power of its own.
"""

import gc
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import chain
from math import comb, gcd, lcm
from typing import Any

from host_tools.errors import CommandError

STATES_MOST = 1_000_000
LOOPS_MOST = 500  # states that are solved because they come again


class OddsError(CommandError):
    """The odds of a chain cannot be told; says at which stage."""


@dataclass
class Odds:
    """The exact odds of a chain: of each tuple of `OUTCOMES`, and the means of OUTCOMES and AUDIT by name."""

    outcomes: dict[tuple[int, ...], Fraction]
    mean: dict[str, Fraction]


@dataclass(slots=True)
class _Node:
    """A state. Way `to` has the odds ways[to] / whole; sums / whole are the means of what AUDIT gains here."""

    stage: str
    whole: int
    ways: dict[int, int]
    sums: list[int]


def odds(resolver: Any, v: Iterable[int], fast: bool = True) -> Odds:
    """The odds of a chain that has come to v. Raises: OddsError if it has too many states or need not end."""
    walk = _Walk(resolver, fast)
    collects = gc.isenabled()
    gc.disable()  # there is nothing to collect, and a lot to look through
    try:
        walk.explore(v)
        whole, weights, sums = walk.flow()
    finally:
        if collects:
            gc.enable()
    found: dict[tuple[int, ...], int] = {}
    for end, weight in weights.items():
        outcome = walk.ends[end]
        found[outcome] = found.get(outcome, 0) + weight
    outcomes = {outcome: Fraction(found[outcome], whole) for outcome in sorted(found)}
    mean = {name: Fraction(total, whole) for (_, name), total in zip(resolver.AUDIT, sums, strict=True)}
    for i, name in enumerate(resolver.OUTCOMES):
        mean[name] = sum((outcome[i] * part for outcome, part in outcomes.items()), Fraction(0))
    return Odds(outcomes, mean)


class _Walk:
    """All states of a chain from one of them on. `single`: of one die alone, until it is gathered."""

    def __init__(self, resolver: Any, fast: bool, single: bool = False):
        self._resolver = resolver
        self._fast = fast and hasattr(resolver, "independent")
        self._single = single
        self._audit: tuple[int, ...] = tuple(index for index, _ in resolver.AUDIT)
        self._none = [0] * len(self._audit)
        self._numbers: dict[tuple[int, ...], int] = {}
        self._keys: list[tuple[int, ...]] = []
        self._nodes: list[_Node] = []
        self.ends: dict[int, tuple[int, ...]] = {}  # outcomes, or whole states of a single die

    def explore(self, v: Iterable[int]) -> None:
        """Find all states from v on."""
        audit = self._none[:]
        v = list(v)
        first = self._number(self._taken_out(v, audit, 1))
        for key in self._keys:  # it grows
            self._nodes.append(self._node(list(key)))
        self._nodes.append(_Node("", 1, {first: 1}, audit))

    def _number(self, key: tuple[int, ...]) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return number

    def _taken_out(self, v: list[int], sums: list[int], weight: int) -> tuple[int, ...]:
        """The state of v, without the tallies: they are added to sums."""
        for i, index in enumerate(self._audit):
            if v[index]:
                sums[i] += v[index] * weight
                v[index] = 0
        return tuple(v)

    def _node(self, v: list[int]) -> _Node:
        resolver = self._resolver
        if self._single and resolver.gathered(v):
            self.ends[len(self._nodes)] = tuple(v)
            return _Node("", 1, {}, self._none)
        stage = resolver.stage(v)
        if stage is None:
            sums = self._none[:]
            self._taken_out(v, sums, 1)
            if self._single:
                raise OddsError(f"{resolver.ID}: a single die is not gathered")
            self.ends[len(self._nodes)] = tuple(resolver.outcome(v))
            return _Node("", 1, {}, sums)
        if len(self._keys) > STATES_MOST:
            raise OddsError(f"{stage.id}: more than {STATES_MOST} states: too many ways to go on")
        if not stage.dice:
            node = _Node(stage.id, 1, {}, self._none[:])
            if stage.options:
                resolver.choose(v, stage, stage.default)
            else:
                resolver.enter(v, stage, list(stage.default))
            self._go(node, v, 1)
            return self._left(node)
        index = resolver.independent(v) if self._fast else None
        return self._rolled(v, stage) if index is None or v[index] < 2 else self._gathered(v, stage, index)

    def _go(self, node: _Node, v: list[int], weight: int) -> None:
        to = self._number(self._taken_out(v, node.sums, weight))
        node.ways[to] = node.ways.get(to, 0) + weight

    def _rolled(self, v: list[int], stage: Any) -> _Node:
        """All that the dice of a stage can show."""
        whole, ways = _rolls(stage.dice, tuple(high - low + 1 for low, high, _ in stage.bins))
        node = _Node(stage.id, whole, {}, self._none[:])
        enter = self._resolver.enter
        for counts, weight in ways:
            w = v[:]
            enter(w, stage, list(counts))
            self._go(node, w, weight)
        return self._left(node)

    def _gathered(self, v: list[int], stage: Any, index: int) -> _Node:
        """All that comes of many dice, each of which goes its own way."""
        tallies = self._resolver.TALLIES
        dice = v[index]
        one = v[:]
        one[index] = 1
        single = _Walk(self._resolver, fast=False, single=True)
        single.explore(one)
        whole, weights, sums = single.flow()
        found: dict[tuple[int, ...], int] = {}
        rest: list[int] = []
        for end, weight in weights.items():
            w = list(single.ends[end])
            gained = tuple(w[tally] - v[tally] for tally in tallies)
            found[gained] = found.get(gained, 0) + weight
            for tally in tallies:
                w[tally] = 0
            if rest and w != rest:
                raise OddsError(f"{stage.id}: a single die changes more than its tallies")
            rest = w
        node = _Node(stage.id, whole**dice, {}, [total * dice * whole ** (dice - 1) for total in sums])
        for gained, weight in power(found, dice).items():
            for tally, gain in zip(tallies, gained, strict=True):
                rest[tally] = v[tally] + gain
            self._go(node, rest, weight)
        return node

    def _left(self, node: _Node, number: int = -1) -> _Node:
        """A node without the way to itself: the odds of what comes when it is left at last."""
        again = node.ways.pop(len(self._nodes) if number < 0 else number, 0)
        node.whole -= again
        if not node.whole:
            raise OddsError(f"{node.stage}: comes again without end")
        return node

    # --- the flow of the weights -------------------------------------------------------------------------------

    def flow(self) -> tuple[int, dict[int, int], list[int]]:
        """The weight of the start, and how much of it comes to each end; the sums of AUDIT with the same weight."""
        nodes = self._nodes
        order = self._in_order()
        needed = [1] * len(nodes)  # a weight that all nodes from here on can divide
        for number in reversed(order):
            node = nodes[number]
            if node.ways:
                needed[number] = node.whole * lcm(*{needed[to] for to in node.ways})
        weights = [0] * len(nodes)
        weights[-1] = needed[-1]
        sums = self._none[:]
        for number in order:
            node = nodes[number]
            part = weights[number] // node.whole
            for to, weight in node.ways.items():
                weights[to] += part * weight
            if any(node.sums):
                sums = [total + part * gain for total, gain in zip(sums, node.sums, strict=True)]
        return needed[-1], {end: weights[end] for end in self.ends}, sums

    def _in_order(self) -> list[int]:
        """The nodes so that every way leads to a later one. Loops are solved."""
        nodes = self._nodes
        for _ in range(LOOPS_MOST):
            entries = [0] * len(nodes)
            for to in chain.from_iterable(node.ways for node in nodes):
                entries[to] += 1
            order = [len(nodes) - 1]
            for number in order:  # it grows
                for to in nodes[number].ways:
                    entries[to] -= 1
                    if not entries[to]:
                        order.append(to)
            loop = _in_loop(nodes, {number for number, count in enumerate(entries) if count})
            if loop is None:
                return order
            self._bypass(loop)
        raise OddsError(f"{nodes[loop or 0].stage}: comes again in too many ways")

    def _bypass(self, number: int) -> None:
        """Lead all ways to a node on to where its own ways lead."""
        gone = self._nodes[number]
        for i, node in enumerate(self._nodes):
            through = node.ways.pop(number, 0)
            if not through:
                continue
            node.whole *= gone.whole
            for to in node.ways:
                node.ways[to] *= gone.whole
            for to, weight in gone.ways.items():
                node.ways[to] = node.ways.get(to, 0) + through * weight
            node.sums = [a * gone.whole + through * b for a, b in zip(node.sums, gone.sums, strict=True)]
            self._left(node, i)
            common = gcd(node.whole, *node.ways.values(), *node.sums)
            node.whole //= common
            node.ways = {to: weight // common for to, weight in node.ways.items()}
            node.sums = [total // common for total in node.sums]
        gone.ways = {}
        gone.sums = self._none


def _in_loop(nodes: list[_Node], left: set[int]) -> int | None:
    """One node of a loop, of nodes that each have a way from another of them; None if there are none."""
    before = {to: number for number in left for to in nodes[number].ways}
    seen: set[int] = set()
    number = next(iter(left), None)
    while number is not None and number not in seen:
        seen.add(number)
        number = before[number]
    return number


@cache
def _rolls(dice: int, widths: tuple[int, ...]) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
    """The weight of all throws of dice with bins of these widths, and (counts of the bins, weight) of each."""
    common = gcd(*widths)
    widths = tuple(width // common for width in widths)
    found: list[tuple[tuple[int, ...], int]] = [((), 1)]
    left = [dice]
    for width in widths[:-1]:
        grown = [((*counts, here), weight * comb(rest, here) * width**here, rest - here)
                 for (counts, weight), rest in zip(found, left, strict=True) for here in range(rest + 1)]
        found = [(counts, weight) for counts, weight, _ in grown]
        left = [rest for _, _, rest in grown]
    last = widths[-1]
    ways = [((*counts, rest), weight * last**rest) for (counts, weight), rest in zip(found, left, strict=True)]
    return sum(widths) ** dice, ways


def power(single: dict[tuple[int, ...], int], dice: int) -> dict[tuple[int, ...], int]:
    """The weights of the sums of many dice, each with these weights.

    With f = p**n the derivatives give f' p = n p' f, so that each weight of f follows from those before it. The sums
    of several tallies are one exponent, with a place for each of them.
    """
    lows = tuple(min(gained[i] for gained in single) for i in range(len(next(iter(single)))))
    place = max(max(a - low for a, low in zip(gained, lows, strict=True)) for gained in single) * dice + 1
    exponents: dict[int, int] = {}
    for gained, weight in single.items():
        exponent = 0
        for a, low in zip(gained, lows, strict=True):
            exponent = exponent * place + a - low
        exponents[exponent] = weight
    least = min(exponents)
    least_weight = exponents.pop(least)
    steps = [(exponent - least, weight) for exponent, weight in exponents.items()]
    weights = {0: least_weight**dice}
    waiting = [step for step, _ in steps]
    heapify(waiting)
    seen = set(waiting)
    while waiting:
        at = heappop(waiting)
        total = 0
        for step, weight in steps:
            before = weights.get(at - step)
            if before:
                total += (step * (dice + 1) - at) * weight * before
        if total:
            weights[at] = total // (at * least_weight)
            for step, _ in steps:
                if at + step not in seen:
                    seen.add(at + step)
                    heappush(waiting, at + step)
    sums = {}
    for exponent, weight in weights.items():
        exponent += least * dice
        places = []
        for low in reversed(lows):
            exponent, a = divmod(exponent, place)
            places.append(a + low * dice)
        sums[tuple(reversed(places))] = weight
    return sums
