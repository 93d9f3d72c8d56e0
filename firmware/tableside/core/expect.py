"""What the dice of an attack were to be expected to do: the means of its account, from the fate of a single die."""

SCALE = 1000000  # means are whole numbers of millionths
MOST_WAYS = 600  # that are walked: a Pico takes a millisecond or two for each


class TooManyWaysError(ValueError):
    """Dice that are not independent fall in too many ways to walk all of them while a player waits."""


def splits(count, bins):
    """All ways in which `count` dice fall into so many bins: lists of counts. The list is the same one, changed."""
    counts = [0] * bins
    counts[bins - 1] = count
    while True:
        yield counts
        i = bins - 1
        while i > 0 and not counts[i]:
            i -= 1
        if not i:
            return
        rest = counts[i] - 1
        counts[i] = 0
        counts[i - 1] += 1
        counts[bins - 1] = rest


def split_count(count, bins):
    """How many lists `splits` makes."""
    ways = 1
    for i in range(1, bins):
        ways = ways * (count + i) // i
    return ways


def weight(stage, counts):
    """In how many of the stage's sides ** dice throws the bins hold these counts."""
    ways = 1
    left = stage.dice
    for count, (low, high, _) in zip(counts, stage.bins):
        for i in range(count):
            ways = ways * (left - i) * (high - low + 1) // (i + 1)
        left -= count
    return ways


def _after(module, numbers, over, under):
    """What follows from the next stage: (numbers, weight over, weight under), decisions as their default says.

    Raises: TooManyWaysError.
    """
    stage = module.stage(numbers)
    if stage.options or not stage.dice:
        after = list(numbers)
        if stage.options:
            module.choose(after, stage, stage.default)
        else:
            module.enter(after, stage, stage.default)
        return [(after, over, under)]
    if split_count(stage.dice, len(stage.bins)) > MOST_WAYS:
        raise TooManyWaysError("%d dice in %d bins" % (stage.dice, len(stage.bins)))
    found = []
    for counts in splits(stage.dice, len(stage.bins)):
        after = list(numbers)
        module.enter(after, stage, counts)
        found.append((after, over * weight(stage, counts), under * stage.sides**stage.dice))
    return found


def _one_die(module, one):
    """The sums of AUDIT over the ways of a single die until it is gathered, in 1 / SCALE."""
    for at, _ in module.AUDIT:
        one[at] = 0
    sums = [0] * len(module.AUDIT)
    open = [(one, 1, 1)]
    while open:
        numbers, over, under = open.pop()
        if module.gathered(numbers):
            for i, (at, _) in enumerate(module.AUDIT):
                sums[i] += numbers[at] * SCALE * over // under
        else:
            open += _after(module, numbers, over, under)
    return sums


def means(module, v):
    """The mean of each tally of AUDIT when all dice that are independent have come to be gathered.

    Args: module: a resolver that has `independent`; v: its numbers at the beginning of a chain.
    Returns: a list in 1 / SCALE.
    Raises: TooManyWaysError.
    """
    sums = [0] * len(module.AUDIT)
    known = {}
    walked = 0
    open = [(v, 1, 1)]
    while open:
        walked += 1
        if walked > 2 * MOST_WAYS:
            raise TooManyWaysError("%d ways and more" % walked)
        numbers, over, under = open.pop()
        index = module.independent(numbers)
        if index is None:
            if module.stage(numbers) is not None:
                open += _after(module, numbers, over, under)
            continue
        one = list(numbers)
        one[index] = 1
        key = tuple(one)
        if key not in known:
            known[key] = _one_die(module, one)
        for i, mean in enumerate(known[key]):
            sums[i] += mean * numbers[index] * over // under
    return sums
