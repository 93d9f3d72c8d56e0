"""The commands that have to do with an attack, `commands.ATTACK` to `commands.DROP`: loaded when the first is given."""

from tableside.core import commands, stages
from tableside.core.attack import RESOLVER
from tableside.core.errors import RuleError


def check(attack, kind, args):
    """Raises RuleError unless a command is allowed now. Args: attack: that of the state, in hand or not."""
    if kind == commands.ATTACK:
        attack.request(args)
    elif kind == commands.AMEND:
        if len(args) % 2:
            raise RuleError("wrong number of arguments", len(args))
        attack.amended(args)
    elif kind == commands.STAGE:
        stages.check_counts(attack.waiting(), args)
    elif kind == commands.DECIDE:
        stages.check_option(attack.waiting(), args[0])
    elif kind == commands.THROW:
        if not attack.waiting().dice:
            raise RuleError("no dice are asked for now")
    elif kind == commands.APPLY:
        if attack.stage() is not None:
            raise RuleError("dice are missing")
    elif not attack.get(RESOLVER):  # DROP; whatever it is
        raise RuleError("no attack in hand")


def push(attack, kind, args, keep):
    """Do a command. Args: keep: see `Attack.apply`."""
    if kind == commands.ATTACK:
        attack.begin(args)
    elif kind == commands.AMEND:
        attack.amend(args)
    elif kind == commands.DECIDE:
        attack.choose(args[0])
    elif kind == commands.APPLY:
        attack.apply(keep)
    elif kind == commands.DROP:
        attack.drop()
    else:  # STAGE or THROW
        attack.enter(args if kind == commands.STAGE else attack.thrown())
