"""What a unit's kind, its flags and the abilities in force on it do to the numbers that an attack begins with.

Only a scenario with bonuses has this module imported.
"""

from tableside.core import roster, stages
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY

# What a BONUS record hangs on, in its first byte; TARGET is added if it is the target that has it.
FLAG, ABILITY, UNIT = range(3)
TARGET = 4
BEARERS = 8  # unit, weapon, how many of its models have it
GROUP = 200  # added to a number of a unit of the target: it becomes what is given, if that is better


def give(scenario, units, abilities, module, v, weapon, attacker, target):
    """Change the numbers v of an attack that has no progress yet.

    Args: units: the roster; abilities: of the state, or None; weapon, attacker, target: as in the arguments of ATTACK.
    """
    for i in range(scenario.bonuses):
        kind, which, number, plus, first, is_first, second, is_second = scenario.bonus(i)
        if kind == BEARERS:
            if number == weapon and attacker != NOBODY and units.get(attacker, roster.KIND) == which:
                _limit(module, v, plus)
            continue
        if _differs(v, first, is_first) or _differs(v, second, is_second):
            continue
        slots = target if kind & TARGET else () if attacker == NOBODY else (attacker,)
        having = [slot for slot in slots if _has(units, abilities, kind & ~TARGET, which, slot)]
        if number >= GROUP:
            _better(module, v, number - GROUP, plus, [target.index(slot) for slot in having])
        elif having:
            _add(module, v, number, plus)


def _differs(v, number, value):
    return number < len(v) and v[number] != value


def _has(units, abilities, kind, which, slot):
    if kind == FLAG:
        return units.flag(slot, which)
    if kind == ABILITY:
        return abilities is not None and (which, slot) in abilities.in_force()
    return units.get(slot, roster.KIND) == which


def _limit(module, v, most):
    """No more weapons than models that have it."""
    for i, field in enumerate(module.MODIFIERS):
        if field[0] == "weapons":
            at = len(module.PROFILE) + i
            v[at] = min(v[at], most)


def _add(module, v, number, plus):
    fields = module.PROFILE + module.MODIFIERS
    if number >= len(fields):
        raise RuleError("no such number", number)
    _, low, high, _ = fields[number]
    v[number] = max(low, min(high, v[number] + plus))


def _better(module, v, number, value, groups):
    """A number that a die has to reach: 0 is none."""
    if number >= len(module.GROUP):
        raise RuleError("no such number", number)
    for group in groups:
        at = stages.groups_at(module) + 1 + group * len(module.GROUP) + number
        if not 0 < v[at] <= value:
            v[at] = value
