"""Writing what units, flags, abilities and conditions do to the numbers of an attack."""

from typing import Any

from host_tools.packs import schema
from host_tools.packs.binder import Binder
from host_tools.packs.language import conditions
from tableside.core import bonus, pack


def bonuses(b: Binder) -> list[tuple[Any, ...]]:
    """The BONUS records of a scenario."""
    return [_bonus(b, x) for x in b.items["bonus"]]


def _bonus(b: Binder, x: schema.Bonus) -> tuple[Any, ...]:
    place = b.place(x)
    name, whose = (x.attacker, "attacker") if x.attacker else (x.target or "", "target")
    kind, which = _giver(b, name, f"{place}.{whose}")
    number = _number(b, x.number, f"{place}.number", whose == "target")
    pairs = [(_number(b, key, f"{place}.only", False), value) for key, value in x.only.items()]
    pairs = [*pairs, (pack.NOBODY, 0), (pack.NOBODY, 0)][:2]
    return (kind + (bonus.TARGET if whose == "target" else 0), which, number, x.plus,
            *conditions(b, x.when, f"{place}.when"), *pairs[0], *pairs[1])


def _giver(b: Binder, name: str, where: str) -> tuple[int, int]:
    if name == "any":
        return bonus.ANY, 0
    for kind, names in ((bonus.FLAG, b.names.flags), (bonus.ABILITY, b.names.abilities), (bonus.UNIT, b.names.units)):
        if name in names:
            return kind, names.index(name)
    b.fault(where, f"no flag, ability or unit {name!r}")
    return 0, 0


def _number(b: Binder, name: str, where: str, of_group: bool) -> int:
    """The index of a number of an attack; where a weapon and a modifier have the name, of the modifier."""
    rules = b.rules()
    modifiers, profile, group = [[field[0] for field in fields] for fields in (
        (rules.MODIFIERS, rules.PROFILE, rules.GROUP) if rules else ((), (), ()))]
    if name in modifiers:
        return len(profile) + modifiers.index(name)
    if name in profile:
        return profile.index(name)
    if of_group and name in group:
        return bonus.GROUP + group.index(name)
    b.fault(where, f"no number {name!r} in an attack: there are {', '.join(modifiers + profile) or 'none'}")
    return 0
