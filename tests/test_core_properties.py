"""Properties of any legal play, found by Hypothesis."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import SCENARIOS, Game, some_command

from tableside.core import commands, roster
from tableside.core.errors import RuleError
from tableside.core.pack import CARD
from tableside.core.session import Session
from tableside.core.state import AGENDA_FRAMES, O_DEPTH, State
from tableside.rules import resolver

Command = tuple[int, tuple[int, ...]]
PICKS = st.lists(st.integers(0, 0xFFFF), min_size=10, max_size=250)


class Spent(Exception):
    """No more numbers to pick from."""


def picker(numbers: list[int]) -> Callable[[int], int]:
    left = iter(numbers)

    def pick(n: int) -> int:
        number = next(left, None)
        if number is None:
            raise Spent
        return number % n

    return pick


def check_state(state: State) -> None:
    scenario = state.scenario
    for i in range(scenario.counters):
        _, _, low, high, *_ = scenario.counter(i)
        assert low <= state.counter(i) <= high
    for deck in range(scenario.decks):
        _, _, _, first, kinds, total, _ = scenario.deck(deck)
        cards = [state.card(deck, zone, i) for zone in range(state.zones(deck))
                 for i in range(state.zone_count(deck, zone))]
        assert len(cards) == total
        assert sorted(cards) == [card for card in range(kinds)
                                 for _ in range(scenario.pack.record(CARD, first + card)[2])]
    assert state.data[O_DEPTH] <= AGENDA_FRAMES
    for slot in range(state.roster.slots):
        check_slot(state, slot)


def check_slot(state: State, slot: int) -> None:
    kind, side, left, lost, flags, models, wounds, *_ = numbers = [
        state.roster.get(slot, what) for what in range(roster.SLOT_BYTES)]
    if kind == roster.EMPTY:
        assert not any(numbers[1:])
        return
    assert kind == roster.BY_NUMBERS or kind < state.scenario.units
    assert side < state.scenario.sides
    assert left <= models and lost < wounds and (left or not lost)
    assert flags < 1 << state.scenario.flags
    for number, (low, high) in zip(numbers[roster.MODELS:], roster.NUMBERS, strict=True):
        assert low <= number <= high


@pytest.mark.parametrize("target", SCENARIOS)
@settings(max_examples=300)
@given(numbers=PICKS, seed=st.binary(min_size=16, max_size=16))
def test_random_play(target: str, numbers: list[int], seed: bytes) -> None:
    game, pick = Game(target, seed), picker(numbers)
    session = game.session
    given_commands: list[Command] = []
    states, digests = [game.bytes], [session.digest]
    while not session.over():
        try:
            command = some_command(game.state, pick)
        except Spent:
            break
        assert session.check(*command)[0] != commands.NO
        session.do(*command)
        check_state(game.state)
        given_commands.append(command)
        states.append(game.bytes)
        digests.append(session.digest)

    for expected in reversed(states[:-1]):
        session.undo()
        assert game.bytes == expected
    assert not session.can_undo()
    for expected in states[1:]:
        session.redo()
        assert game.bytes == expected
    assert not session.can_redo()

    again = Game(target, seed)
    assert again.session.digest == digests[0]
    for command, digest in zip(given_commands, digests[1:], strict=True):
        again.session.do(*command)
        assert again.session.digest == digest
    session.save()
    assert Session.resume(game.pack, game.log, resolver).digest == session.digest


ARGS = st.lists(st.integers(-2, 20) | st.integers(-40000, 70000), max_size=10)


@pytest.mark.parametrize("target", SCENARIOS)
@settings(max_examples=200)
@given(numbers=PICKS, attempts=st.lists(st.tuples(st.integers(-1, 16), ARGS), min_size=1, max_size=12))
def test_any_command_is_refused_cleanly_or_done(target: str, numbers: list[int],
                                                attempts: list[tuple[int, list[int]]]) -> None:
    game, pick = Game(target), picker(numbers)
    session = game.session
    for kind, args in attempts:
        try:
            command = some_command(game.state, pick)
        except Spent:
            command = None
        if command is not None and game.round() < 200:
            session.do(*command)
        before = game.bytes, session.digest, session.records
        allowed = session.check(kind, args)[0] != commands.NO
        try:
            session.do(kind, args)
        except RuleError:
            # Allowed and refused all the same: only a step that would begin round 256.
            assert not allowed or game.round() >= 200
            assert (game.bytes, session.digest, session.records) == before
        else:
            assert allowed
        check_state(game.state)
