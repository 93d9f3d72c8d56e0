"""What the dice of an attack were to be expected to do: the means of its account, from the fate of a single die."""

SCALE = 1000000  # means are whole numbers of millionths


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


def weight(stage, counts):
    """In how many of the stage's sides ** dice throws the bins hold these counts."""
    ways = 1
    left = stage.dice
    for count, (low, high, _) in zip(counts, stage.bins):
        for i in range(count):
            ways = ways * (left - i) * (high - low + 1) // (i + 1)
        left -= count
    return ways


def means(module, v):
    """The mean of each tally of AUDIT when the dice that are independent now have come to be gathered.

    Args: module: a resolver; v: its numbers, where `independent` says which dice. Returns: a list in 1 / SCALE.
    """
    index = module.independent(v)
    one = list(v)
    one[index] = 1
    for at, _ in module.AUDIT:
        one[at] = 0
    sums = [0] * len(module.AUDIT)
    open = [(one, 1, 1)]  # numbers, and their weight as a fraction
    while open:
        numbers, over, under = open.pop()
        if module.gathered(numbers):
            for i, (at, _) in enumerate(module.AUDIT):
                sums[i] += numbers[at] * SCALE * over // under
            continue
        stage = module.stage(numbers)
        if stage.options:
            module.choose(numbers, stage, stage.default)
            open.append((numbers, over, under))
        elif not stage.dice:
            module.enter(numbers, stage, stage.default)
            open.append((numbers, over, under))
        else:
            for counts in splits(stage.dice, len(stage.bins)):
                after = list(numbers)
                module.enter(after, stage, counts)
                open.append((after, over * weight(stage, counts), under * stage.sides**stage.dice))
    return [total * v[index] for total in sums]
