"""What a unit's kind, its flags, the abilities in force on it, or what else holds, do to how an attack begins.

Only a scenario with bonuses has this module imported.
"""

from tableside.core import roster, stages
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY

# What a BONUS record hangs on, in its first byte; TARGET is added if it is the target that has it.
FLAG, ABILITY, UNIT, ANY = range(4)
TARGET = 4
GROUP = 200  # added to a number of a unit of the target: it becomes what is given, if that is better


def give(state, module, v, attacker, target):
    """Change the numbers v of an attack that has no progress yet.

    Args: attacker: its slot, or NOBODY; target: the slots of what it attacks.
    """
    for i in range(state.scenario.bonuses):
        kind, which, number, plus, when, count, first, is_first, second, is_second = state.scenario.bonus(i)
        if _differs(v, first, is_first) or _differs(v, second, is_second):
            continue
        slots = target if kind & TARGET else () if attacker == NOBODY else (attacker,)
        having = [slot for slot in slots if _has(state, kind & ~TARGET, which, slot)
                  and state.abilities.fits(state, slot, when, count)]
        if number >= GROUP:
            _better(module, v, number - GROUP, plus, [target.index(slot) for slot in having])
        elif having:
            _add(module, v, number, plus)


def _differs(v, number, value):
    return number < len(v) and v[number] != value


def _has(state, kind, which, slot):
    if kind == FLAG:
        return state.roster.flag(slot, which)
    if kind == ABILITY:
        return state.abilities.is_on(which, slot)
    return kind == ANY or state.roster.get(slot, roster.KIND) == which


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
