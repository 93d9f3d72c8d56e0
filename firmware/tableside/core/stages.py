"""A chain of stages: how an attack or a check goes from the first dice to its end.

A *resolver* is a module of `tableside.rules`. Its whole state is `v`, a list of small integers (16 bits each):

    v = numbers of PROFILE + MODIFIERS + TARGET, number of groups, for each group the numbers of GROUP, progress

PROFILE is what the weapon (or the roll) is, MODIFIERS what holds for this attack alone, TARGET what its target is as a
whole, and each GROUP is some models of it that are alike. Each of the four is a tuple of (name, lowest, highest,
default); the numbers of the groups change while the chain goes on. A resolver has besides

    ID          its number in packs and sessions
    KEYWORDS    names of the bits of a field "keywords" and of the numbers of a field that ends in "_keyword"
    CHOICES     {field name: the names of its values}, for fields whose numbers stand for names
    OUTCOMES    names of the numbers that `outcome` gives
    AUDIT       ((index in v, name), ...): tallies for the step-by-step account. The chain never depends on them
    begin(v)    checks the numbers, and appends the progress. Raises StageError for what cannot be
    stage(v)    the Stage that waits, or None at the end. Changes nothing
    enter(v, stage, counts)   goes on with the dice of that stage, or with the dice picked
    choose(v, stage, option)  goes on with a decision
    outcome(v)  a tuple as long as OUTCOMES

it may have besides BOTH, True where the attacker is hurt as well and is the last group; BY_NUMBERS, with what the
PROFILE of a weapon by numbers begins where the defaults make no weapon; NO_DICE, names of weapon abilities that change
no dice; BARE, names of abilities whose number may be left out, it is 1 then;

and, where the fates of many dice are independent, for the fast way to exact odds:

    independent(v)  the index in v of a number of dice that do not influence each other from here on, until
                    `gathered(v)`; None if it is not so now
    gathered(v)     whether all those dice have come to the point where they are only counted
    TALLIES         the indexes in v of those counts; each is the sum over the single dice

`enter` and `choose` trust that `check_counts` or `check_option` were asked.
"""

from tableside.core.errors import RuleError

# Who rolls or decides.
ATTACKER = 0
DEFENDER = 1

MOST = 127  # of numbers in v: two bytes for each lie in the state of a session
BINS_MOST = 15  # they are the arguments of a command


class StageError(RuleError):
    """Dice, a decision or a request that cannot be; says at which stage and why."""

    def __init__(self, stage, code, value=None):
        super().__init__("%s: %s" % (stage, code), value)
        self.stage = stage


class Stage:
    """What a chain waits for: dice, dice to pick up again, or a decision.

    Attributes: id: a short name, the key of entries; who: ATTACKER or DEFENDER; group: which group of the target it is
        about, or -1;
    of dice: dice: how many; sides: of each, whose faces are numbers in a row; bins: ((lowest face, highest face, name),
        ...) in ascending order, each face in exactly one;
    of dice to pick up again: limits: how many lie in each bin; most: how many may be picked at most; default: how many
        of each bin are picked unless the player says otherwise; bins: as of the dice that lie there; alone: whether
        all that are picked must lie in one bin;
    of a decision: options: names; default: the number of the one taken unless the player says otherwise.
    """

    def __init__(self, id, who, group):
        self.id = id
        self.who = who
        self.group = group
        self.dice = self.sides = self.most = 0
        self.bins = self.options = self.limits = ()
        self.default = None
        self.alone = False


def dice(id, who, count, bins, sides=6, group=-1):
    """A stage of dice: see Stage."""
    stage = Stage(id, who, group)
    stage.dice = count
    stage.sides = sides
    stage.bins = bins
    return stage


def pick(id, who, bins, limits, most, default, group=-1, alone=False):
    """A stage of dice to pick up again: see Stage. The dice themselves follow in a stage of their own."""
    stage = Stage(id, who, group)
    stage.bins = bins
    stage.limits = limits
    stage.most = most
    stage.default = default
    stage.alone = alone
    return stage


def choice(id, who, options, default=0, group=-1):
    """A decision: see Stage."""
    stage = Stage(id, who, group)
    stage.options = options
    stage.default = default
    return stage


def face_of(stage, number):
    """The face of a stage's die by its number, counted from 0; the lowest face is not always 1."""
    return stage.bins[0][0] + number


def bins_of(*parts, sides=6):
    """Bins from (lowest face, name) in ascending order; those without a face are left out.

    For example (1, "miss"), (3, "hit"), (6, "crit"): 1-2 miss, 3-5 hit, 6 crit.
    """
    bins = []
    for i, (low, name) in enumerate(parts):
        high = parts[i + 1][0] - 1 if i + 1 < len(parts) else sides
        if max(1, low) <= min(high, sides):
            bins.append((max(1, low), min(high, sides), name))
    return tuple(bins)


def faces_of(sides=6):
    """A bin for each face, named by it."""
    return tuple((face, face, str(face)) for face in range(1, sides + 1))


def counts_of(stage, faces):
    """How many of these faces fall into each bin. Raises StageError for a face that the die does not have."""
    counts = [0] * len(stage.bins)
    for face in faces:
        for i, (low, high, _) in enumerate(stage.bins):
            if low <= face <= high:
                counts[i] += 1
                break
        else:
            raise StageError(stage.id, "the die has no such face", face)
    return counts


def check_counts(stage, counts):
    """Raises StageError if these cannot be the counts of a stage's bins: of its dice, or of the dice to pick up."""
    if not stage.bins:
        raise StageError(stage.id, "waits for a decision", "dice")
    if len(counts) != len(stage.bins):
        raise StageError(stage.id, "needs %d counts" % len(stage.bins), len(counts))
    for count in counts:
        if count < 0:
            raise StageError(stage.id, "less than no dice", count)
    total = sum(counts)
    if stage.dice:
        if total != stage.dice:
            raise StageError(stage.id, "too many dice" if total > stage.dice else "too few dice", total)
        return
    for count, limit in zip(counts, stage.limits):
        if count > limit:
            raise StageError(stage.id, "no more than %d there" % limit, count)
    if total > stage.most:
        raise StageError(stage.id, "no more than %d to pick up" % stage.most, total)
    if stage.alone and max(counts) != total:
        raise StageError(stage.id, "only dice of one result", total)


def check_option(stage, option):
    """Raises StageError if a stage has no such option."""
    if not stage.options:
        raise StageError(stage.id, "waits for dice", "a decision")
    if not 0 <= option < len(stage.options):
        raise StageError(stage.id, "no such option", option)


def likely(stage):
    """The most likely counts of the bins of a stage of dice."""
    counts = [0] * len(stage.bins)
    for _ in range(stage.dice):
        best = 0
        for i, (low, high, _) in enumerate(stage.bins):
            # One die more in bin i: the weight of the whole grows by its width / its new count.
            widest = stage.bins[best]
            if (high - low + 1) * (counts[best] + 1) >= (widest[1] - widest[0] + 1) * (counts[i] + 1):
                best = i
        counts[best] += 1
    return counts


def check_fields(v, fields, first=0):
    """Check the numbers of v from `first` on against a table of fields. Raises StageError for one out of its bounds."""
    for i, (name, low, high, _) in enumerate(fields):
        if not low <= v[first + i] <= high:
            raise StageError(name, "must be %d..%d" % (low, high), v[first + i])


def groups_at(resolver):
    """The index in v of the number of groups."""
    return len(resolver.PROFILE) + len(resolver.MODIFIERS) + len(resolver.TARGET)


def head(resolver, v):
    """How many numbers of v are the request: all before the progress."""
    at = groups_at(resolver)
    return at + 1 + v[at] * len(resolver.GROUP)


def begin(resolver, v):
    """Check a request's numbers against the tables of a resolver and begin its chain."""
    check_fields(v, resolver.PROFILE + resolver.MODIFIERS + resolver.TARGET)
    size = head(resolver, v)
    if len(v) != size:
        raise StageError("target", "wrong number of numbers", len(v))
    for at in range(groups_at(resolver) + 1, size, len(resolver.GROUP) or 1):
        check_fields(v, resolver.GROUP, at)
    resolver.begin(v)
    if len(v) > MOST:
        raise StageError("target", "too many groups", v[groups_at(resolver)])


def blank(resolver):
    """The numbers of a request with every field at its default and no group."""
    return [field[3] for field in resolver.PROFILE + resolver.MODIFIERS + resolver.TARGET] + [0]
