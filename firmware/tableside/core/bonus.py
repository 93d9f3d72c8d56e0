"""What begins an attack with other numbers: bonuses of a pack, by what holds of the attacker or the target.

Loaded when an attack begins in a scenario with bonuses.
"""

from tableside.core.pack import NOBODY

# Fields of a BONUS record; its number and the one that must have a value count over PROFILE and MODIFIERS.
_WHOSE, _NUMBER, _PLUS, _WHEN, _WHEN_COUNT, _ONLY, _ONLY_VALUE = range(7)
ATTACKER, TARGET = range(2)


def add(state, module, v, attacker, targets):
    """Change the numbers of an attack in place.

    Args: attacker: its slot, or NOBODY; targets: the slots of what it attacks.
    """
    fields = module.PROFILE + module.MODIFIERS
    for i in range(state.scenario.bonuses):
        bonus = state.scenario.bonus(i)
        number, only = bonus[_NUMBER], bonus[_ONLY]
        if number >= len(fields) or only < len(fields) and v[only] != bonus[_ONLY_VALUE]:
            continue
        slots = targets[:1] if bonus[_WHOSE] == TARGET else () if attacker == NOBODY else (attacker,)
        for slot in slots:
            if state.abilities.fits(state, slot, bonus[_WHEN], bonus[_WHEN_COUNT]):
                _, low, high, _ = fields[number]
                v[number] = max(low, min(high, v[number] + bonus[_PLUS]))
