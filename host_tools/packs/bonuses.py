"""Writing what units, flags and abilities do to the numbers of an attack; which weapons only some models have."""

from typing import Any

from host_tools.packs import schema
from host_tools.packs.binder import Binder
from tableside.core import bonus, pack


def bearers(b: Binder, u: schema.Unit, i: int) -> tuple[str, int]:
    """The weapon of "flamer 3" and how many models have it, 0 for all."""
    name, _, count = u.weapons[i].partition(" ")
    if not count:
        return name, 0
    if not count.isdecimal() or not 1 <= int(count) <= u.models:
        b.fault(f"{b.place(u)}.weapons[{i}]",
                f"must be a weapon, or a weapon and how many of {u.models} models have it, got {u.weapons[i]!r}")
        return name, 0
    return name, int(count)


def bonuses(b: Binder) -> list[tuple[Any, ...]]:
    """The BONUS records of a scenario."""
    rows = [_bonus(b, x) for x in b.items["bonus"]]
    none = (pack.NOBODY, 0, pack.NOBODY, 0)
    for kind, u in enumerate(b.items["unit"]):
        for i in range(len(u.weapons)):
            name, count = bearers(b, u, i)
            if count:
                rows.append((bonus.BEARERS, kind, b.find("weapon", name, f"{b.place(u)}.weapons[{i}]"), count, *none))
    if len(rows) > 255:
        b.fault(f"{b.root}.bonus", f"must be at most 255, with the weapons that some models have, got {len(rows)}")
        rows = []
    return rows


def _bonus(b: Binder, x: schema.Bonus) -> tuple[Any, ...]:
    place = b.place(x)
    name, whose = (x.attacker, "attacker") if x.attacker else (x.target or "", "target")
    kind, which = _giver(b, name, f"{place}.{whose}")
    number = _number(b, x.number, f"{place}.number", whose == "target")
    pairs = [(_number(b, key, f"{place}.only", False), value) for key, value in x.only.items()]
    pairs = [*pairs, (pack.NOBODY, 0), (pack.NOBODY, 0)][:2]
    return (kind + (bonus.TARGET if whose == "target" else 0), which, number, x.plus, *pairs[0], *pairs[1])


def _giver(b: Binder, name: str, where: str) -> tuple[int, int]:
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
