"""The way to using an ability: its unit if there is a choice, then what it does and costs, if there is more to say."""

from tableside.core import commands
from tableside.core.abilities import COST, QUESTION, TEXT
from tableside.core.pack import NONE


def pick(app, number, slots, forced):
    """Go on with an ability, or tell why not even a hand may use it now.

    Args: slots: of the units that may be meant, NOBODY for none; forced: by hand.
    """
    args = (number, slots[0], int(forced))
    verdict, text = app.session.check(commands.USE, args)
    if verdict == commands.NO:
        app.say(text)
        return
    if len(slots) > 1:
        app.go("abilities.OnWhom", number, slots, forced)
        return
    record = app.session.scenario.ability(number)
    if forced or record[COST] or record[TEXT] != NONE or record[QUESTION] != NONE:
        app.go("abilities.Use", args, text if verdict == commands.ASK else "")
    else:
        app.push(commands.USE, args)
