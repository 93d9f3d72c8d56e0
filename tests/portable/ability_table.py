"""Walking every window and ability of a game, against a table of yes, no and ask that is written by hand.

A window is a step in the turn of a side: "shoot@us"; before the first turn, "deploy@". A line of the table names an
ability and where its answer is not "no": "us/kraken: ask shoot@us fight@us, yes fight@foe".
"STEP@*" is that step in the turn of any side, "*@SIDE" any step in the turn of that side, "*@*" all windows.
"""

from tableside.core import commands
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY
from tableside.core.state import O_ACTOR, O_STEP

ANSWERS = {commands.YES: "yes", commands.NO: "no", commands.ASK: "ask"}


def answer(game, ability, slot=None):
    """"yes", "no" or "ask" to an ability, by its id; on any unit that it may be used on, or on one."""
    number = game.names["abilities"].index(ability)
    if slot is None:
        try:
            slot = game.state.abilities.targets(game.state, number)[0]
        except RuleError:
            return "no"
    return ANSWERS[game.session.check(commands.USE, (number, slot, 0))[0]]


def refusal(game, ability):
    """Why an ability may not be used, "" if it may."""
    try:
        game.state.abilities.targets(game.state, game.names["abilities"].index(ability))
    except RuleError as error:
        return str(error)
    return ""


def use(game, ability, slot=NOBODY, forced=0):
    """Use an ability by its id."""
    game.session.do(commands.USE, (game.names["abilities"].index(ability), slot, forced))


def in_force(game):
    """What is in force: (id, slot)."""
    return [(game.names["abilities"][number], slot) for number, slot in game.state.abilities.in_force()]


def put_into(game, window):
    """Bring a game into a window without anything that happens on the way."""
    step, _, side = window.partition("@")
    state = game.state
    state.clear_agenda()
    state.data[O_STEP] = game.names["steps"].index(step)
    turn = game.names["sides"].index(side) if side else NOBODY
    actor = game.session.scenario.step(state.data[O_STEP])[11]
    state.abilities.begin_turn(turn)
    state.data[O_ACTOR] = turn if actor == NOBODY else actor


def windows_of(game, steps=None):
    """Every step (or these) in the turn of every side."""
    return ["%s@%s" % (step, side) for step in steps or game.names["steps"] for side in game.names["sides"]]


def read(text, windows):
    """The table as {(ability, window): answer} without the "no"s. Raises ValueError for a line that names nothing."""
    found = {}
    for line in text.strip().split("\n"):
        ability, _, answers = line.partition(":")
        for part in answers.split(","):
            words = part.split()
            for name in words[1:]:
                named = [window for window in windows if _matches(window, name)]
                if not named or words[0] not in ("yes", "ask"):
                    raise ValueError("%s: %s" % (ability, part))
                for window in named:
                    found[ability.strip(), window] = words[0]
    return found


def _matches(window, name):
    step, _, side = window.partition("@")
    named, _, turn = name.partition("@")
    return named in ("*", step) and turn in ("*", side)


def differences(game, windows, table):
    """How the answers of a game, brought into each window in turn, differ from a table: a list of lines."""
    expected = read(table, windows)
    unknown = {ability for ability, _ in expected} - set(game.names["abilities"])
    wrong = ["%s: no such ability" % ability for ability in sorted(unknown)]
    before = game.bytes
    for window in windows:
        put_into(game, window)
        for ability in game.names["abilities"]:
            found = answer(game, ability)
            wanted = expected.get((ability, window), "no")
            if found != wanted:
                wrong.append("%s in %s: %s, should be %s" % (ability, window, found, wanted))
        game.state.data[:] = before
    return wrong
