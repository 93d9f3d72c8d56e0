"""What weapons, attacks and abilities are called."""

from tableside.core import commands
from tableside.core.fields import unit_name


def weapon_name(state, weapon):
    """The name of a weapon, as it stands in the arguments of ATTACK; nothing for one by numbers."""
    return "" if weapon < 0 else state.scenario.pack.text(state.scenario.weapon(weapon)[0])


def attack_title(state, weapon, slots):
    """For example "Bolters > Hybrids"; what is not there any more is left out."""
    names = [unit_name(state, slot) for slot in slots if state.roster.used(slot)]
    title = " > ".join([weapon_name(state, weapon) or commands.NAMES[commands.ATTACK]] + names[:1])
    return title + (" +%d" % (len(names) - 1) if len(names) > 1 else "")


def ability_title(state, number, slot):
    """An ability and the unit that it is used on, for example "Stim > Guard #2"."""
    name = state.abilities.name(number)
    return "%s > %s" % (name, unit_name(state, slot)) if state.roster.used(slot) else name
