"""What the device would roll in a state, without touching it."""

from tableside.core import engine
from tableside.core.state import State


def rolled(state, check):
    """The faces that the device would roll, in this state, for a check."""
    return engine.roll(_copy(state), check)


def thrown(state):
    """The counts that the device would roll, in this state, for the stage that waits."""
    return _copy(state).attack.thrown()


def tumbled(state):
    """The face that the device would roll, in this state, for the code of the pack."""
    return _copy(state).rng.below(len(engine.asked(state).options))


def _copy(state):
    again = State(state.scenario)
    again.data[:] = state.data
    return again
