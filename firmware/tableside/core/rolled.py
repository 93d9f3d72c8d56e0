"""The dice of a session: what was rolled, side by side with what was to be expected of just these dice."""

from tableside.core import commands, engine
from tableside.core.attack import ATTACKER
from tableside.core.errors import CoreError
from tableside.core.fields import expand
from tableside.core.forecast import rolled, thrown, tumbled
from tableside.core.pack import CHECK, NOBODY
from tableside.core.record import KIND, REDONE
from tableside.core.roster import SIDE
from tableside.core.state import O_ACTOR, State

_MOST_FACES = 12  # of a die whose faces are counted one by one
SCALE = 2520  # means are whole numbers of 1 / SCALE: dice with up to ten sides come out even


def throws(state, record):
    """The dice of a command, in the state before it: (side, what for, sides of a die, bins) for each kind of them.

    The bins are (name, dice that fell there, faces that do); the names of single faces are numbers. A log may say
    anything: what cannot be is no dice.
    """
    try:
        return _throws(state, record.kind & KIND, record.args)
    except (CoreError, IndexError):
        return []


def _throws(state, kind, args):
    question = engine.asked(state)
    if kind in (commands.ANSWER, commands.THROW) and question is not None:
        if not question.die or kind == commands.ANSWER and args[0] >= len(question.options):
            return []
        face = args[0] if kind == commands.ANSWER else tumbled(state)
        names = [option or str(i + 1) for i, option in enumerate(question.options)]
        return [(question.side, question.title, len(names), _faces([face], names))]
    if kind in (commands.ENTER, commands.ROLL):
        return _check(state, args[0], args[1:] if kind == commands.ENTER else rolled(state, args[0]))
    if kind in (commands.STAGE, commands.THROW) and state.in_attack():
        stage = state.attack.stage()
        if stage is not None and stage.dice:
            counts = args if kind == commands.STAGE else thrown(state)
            bins = [(name, count, high - low + 1) for count, (low, high, name) in zip(counts, stage.bins)]
            return [(_side_of_attack(state, stage), stage.id, stage.sides, bins)]
    return []


def _check(state, check, faces):
    pack = state.scenario.pack
    title = expand(state, pack.text(pack.record(CHECK, check)[0]))
    sizes = []
    found = []
    for i, face in enumerate(faces):
        size = engine.die(state, check, i)[1]
        if size > _MOST_FACES:
            continue
        if size not in sizes:
            sizes.append(size)
            found.append([])
        found[sizes.index(size)].append(face - 1)
    return [(state.data[O_ACTOR], title, size, _faces(some, [str(i + 1) for i in range(size)]))
            for size, some in zip(sizes, found)]


def _faces(faces, names):
    """Bins of single faces, those of one name together."""
    bins = []
    for i, name in enumerate(names):
        count = faces.count(i)
        for k, (other, sum, wide) in enumerate(bins):
            if other == name:
                bins[k] = name, sum + count, wide + 1
                break
        else:
            bins.append((name, count, 1))
    return bins


def _side_of_attack(state, stage):
    """Whose dice they are; of an attacker who stands on no roster, those of whose turn it is."""
    slot = state.attack.slot(max(0, stage.group)) if stage.who else state.attack.get(ATTACKER)
    if slot < state.roster.slots:
        return state.roster.get(slot, SIDE)
    return NOBODY if stage.who else state.data[O_ACTOR]


class Rolls:
    """Dice of one kind of a side: `dice`, and a list [name, how many, how many to be expected in 1 / SCALE] a bin."""

    def __init__(self):
        self.dice = 0
        self.bins = []

    def add(self, bins, sides):
        """Add a throw, see `throws`."""
        dice = sum([count for _, count, _ in bins])
        self.dice += dice
        for name, count, faces in bins:
            found = [bin for bin in self.bins if bin[0] == name]
            if not found:
                found = [[name, 0, 0]]
                self.bins += found
            found[0][1] += count
            found[0][2] += dice * faces * SCALE // sides


class Rolled:
    """Adds up the dice of a session, newest command first, a few at a time.

    Args: session: a Session; it must not go on meanwhile.
    Attributes: rolls: {(side, what, sides of a die): Rolls}; left: bytes of the log yet to be read.
    """

    def __init__(self, session):
        self._session = session
        self._state = State(session.scenario)
        self._state.data[:] = session.state.data
        self._position = session.last()
        self.rolls = {}

    @property
    def left(self):
        """How much of the log is not read yet, 0 at the end."""
        return self._position + 1

    def go_on(self, most):
        """Read up to so many commands. Returns: whether there are more. Raises: LogError if the log is damaged."""
        for _ in range(most):
            if self._position < 0:
                return False
            record, before = self._session.record(self._position)
            if record.kind & REDONE:  # as they were given the first time: the state is the same there
                self._position = self._session.redone(self._position)
                continue
            record.apply(self._state.data)
            self._position = before
            for side, what, sides, bins in throws(self._state, record):
                self._add(side if side < self._session.scenario.sides else NOBODY, what, sides, bins)
        return self._position >= 0

    def _add(self, side, what, sides, bins):
        key = side, what, sides
        if key not in self.rolls:
            self.rolls[key] = Rolls()
        self.rolls[key].add(bins, sides)
