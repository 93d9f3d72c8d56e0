"""Random attacks, and dice that are rolled through a chain as the device rolls them."""

from collections.abc import Iterator, Mapping
from random import Random
from types import ModuleType

from tableside.core import stages
from tableside.core.stages import Stage, StageError

# Greatest numbers of fields, so that an attack has few dice and every rule comes often.
SMALL = {
    "attacks_dice": 1, "attacks_plus": 3, "weapons": 2, "damage_dice": 1, "damage_plus": 3, "models": 4, "wounds": 4,
    "lost": 2, "sustained_hits": 2, "sustained": 2, "rapid_fire": 2, "blast": 1, "melta": 2, "strength": 8,
    "toughness": 8, "dice": 6, "hazardous": 1, "most": 4, "shots": 4, "squares": 4,
}
LARGE = {**SMALL, "attacks_dice": 2, "attacks_plus": 12, "weapons": 3, "models": 10, "dice": 20}
GROUPS_MOST = 3


def random_attack(resolver: ModuleType, random: Random, most: Mapping[str, int] = SMALL) -> list[int]:
    """The numbers of an attack that may be, and has begun."""
    while True:
        v = [number(field, random, most) for table in (resolver.PROFILE, resolver.MODIFIERS, resolver.TARGET)
             for field in table]
        groups = random.randint(1, GROUPS_MOST) if resolver.GROUP else 0
        v.append(groups)
        for _ in range(groups):
            v += [number(field, random, most) for field in resolver.GROUP]
        try:
            stages.begin(resolver, v)
        except StageError:
            continue
        return v


def number(field: tuple[str, int, int, int], random: Random, most: Mapping[str, int]) -> int:
    """A number of a field: its default, or any up to the greatest given."""
    name, low, high, default = field
    if default and random.random() < 0.2 or not default and random.random() < 0.7:
        return default
    return random.randint(max(low, -3), max(min(high, most.get(name, 6)), low))


def walk(resolver: ModuleType, v: list[int]) -> Iterator[Stage]:
    """The stages of dice of a chain: each is to be entered before the next. Decisions are taken as proposed."""
    while (stage := resolver.stage(v)) is not None:
        if stage.dice:
            yield stage
        elif stage.options:
            resolver.choose(v, stage, stage.default)
        else:
            resolver.enter(v, stage, list(stage.default))


def roll(resolver: ModuleType, v: list[int], random: Random) -> None:
    """Roll every die of a chain to its end."""
    for stage in walk(resolver, v):
        faces = [stages.face_of(stage, random.randrange(stage.sides)) for _ in range(stage.dice)]
        resolver.enter(v, stage, stages.counts_of(stage, faces))
