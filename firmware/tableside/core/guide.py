"""A guide: a walk of yes/no questions for a side that the device runs. It ends in what that side does.

The walk is a frame on the agenda, so it is saved and undone with the rest. Its small number has a bit for each line
that was done; its wide one is guide * 64 + line * 4 + where in the line.
"""

from tableside.core import engine
from tableside.core.conditions import holds
from tableside.core.errors import RuleError
from tableside.core.pack import GUIDE_LINE, NONE

# Where in a line the walk is.
ASKED, SHOWN, ATTACKED = range(3)

# Answers. To what is shown, NO ends the walk and YES goes on.
NO, YES, ATTACK = range(3)

# Flags of a GUIDE: after what was done the walk begins again without it. Of a line: what is done is an attack.
REPEATS = 1
ATTACKS = 1


def begin(state, guide):
    """Put a walk on the agenda."""
    _seek(state, guide, 0, 0)


def place(state):
    """(guide, line, where) of the walk that waits, or None. The line after the last is the guide's end."""
    frame = state.top()
    if frame is None or frame[0] != engine.GUIDE_FRAME:
        return None
    return frame[2] >> 6, frame[2] >> 2 & 15, frame[2] & 3


def line_record(state, guide, line):
    """The GUIDE_LINE record of a line, or None for the end."""
    _, _, _, first, count = state.scenario.guide(guide)
    return state.scenario.pack.record(GUIDE_LINE, first + line) if line < count else None


def texts(state):
    """(title, what is asked or said) of the walk that waits, as string numbers."""
    guide, line, where = place(state)
    title, end = state.scenario.guide(guide)[:2]
    record = line_record(state, guide, line)
    if record is None:
        return title, end
    return title, record[0] if where == ASKED else record[1]


def attacks(state):
    """Whether the walk has come to an attack that was not begun yet."""
    guide, line, where = place(state)
    record = line_record(state, guide, line)
    return where == SHOWN and record is not None and bool(record[2] & ATTACKS)


def repeats(state):
    """Whether the walk may go on after what is shown now."""
    guide, line, where = place(state)
    if where == ASKED or line_record(state, guide, line) is None:
        return False
    return bool(state.scenario.guide(guide)[2] & REPEATS)


def check(state, what):
    """Raises RuleError if that is no answer now."""
    if place(state) is None:
        raise RuleError("nothing is asked now")
    if not (NO <= what <= YES or what == ATTACK and attacks(state)):
        raise RuleError("no such answer", what)


def answer(state, what):
    """Go on with an answer that `check` allowed."""
    guide, line, where = place(state)
    done = state.top()[1]
    again = repeats(state)
    state.pop()
    if what == ATTACK:
        _put(state, done, guide, line, ATTACKED)
    elif where == ASKED and what == YES:
        _show(state, done, guide, line)
    elif where == ASKED:
        _seek(state, guide, done, line + 1)
    elif again and what == YES:
        _seek(state, guide, done | 1 << line, 0)


def _put(state, done, guide, line, where):
    state.push(engine.GUIDE_FRAME, done, guide << 6 | line << 2 | where)


def _show(state, done, guide, line):
    _put(state, done, guide, line, SHOWN)
    record = line_record(state, guide, line)
    engine.push_effects(state, record[6], record[7])


def _seek(state, guide, done, line):
    """Stop at the first line from `line` on that is open; after the last at the guide's end, if that says anything."""
    _, end, _, _, count = state.scenario.guide(guide)
    while line < count:
        record = line_record(state, guide, line)
        if not (done >> line & 1 or done & record[3]) and holds(state, record[4], record[5]):
            if record[0] == NONE:
                _show(state, done, guide, line)
            else:
                _put(state, done, guide, line, ASKED)
            return
        line += 1
    if end != NONE:
        _put(state, done, guide, count, SHOWN)
