"""Which screen an attack in hand needs, and who is who in it."""

from tableside.core import commands, roster
from tableside.core.attack import ATTACKER, COMMAND_REROLL, ENTRIES
from tableside.core.engine import ATTACK_FRAME
from tableside.core.errors import RuleError
from tableside.core.fields import unit_name
from tableside.core.forecast import thrown
from tableside.core.pack import NOBODY
from tableside.core.stage_words import bin_word, title
from tableside.core.stages import DEFENDER
from tableside.ui import texts


def screen(state):
    """The screen of the attack in hand: its numbers before the first dice, unless an effect has given them, then stage
    after stage, then its outcome."""
    frame = state.top()
    given = frame is not None and frame[0] == ATTACK_FRAME
    return stage_screen(state) if given or state.attack.get(ENTRIES) else "setup.Setup"


def stage_screen(state):
    """The screen of the stage that waits, or of the outcome."""
    stage = state.attack.stage()
    if stage is None:
        return "outcome.Outcome"
    if stage.options:
        return "stage.Decision"
    if not stage.dice:
        return "stage.Pick"
    return "stage.Die" if stage.dice == 1 else "stage.Bins"


def side_of(state, stage):
    """The name of the side that rolls or decides; of the unit that is meant, if the target is several."""
    attack, who = state.attack, stage.who
    if stage.group >= 0 and len(targets(state)) > 1:
        name = unit_name(state, attack.slot(stage.group))
        return name if who == DEFENDER else "> " + name
    slot = attack.slot(max(0, stage.group)) if who == DEFENDER else attack.get(ATTACKER)
    if slot != NOBODY and state.roster.used(slot):
        name = state.scenario.side_name(state.roster.get(slot, roster.SIDE))
        if name:
            return name
    return texts.DEFENDER if who == DEFENDER else texts.ATTACKER


def targets(state):
    """The roster slots of the target of the attack in hand."""
    module = state.attack.resolver()
    slots = []
    group = 0
    while state.attack.slot(group) != NOBODY:  # nor is there an attacker after the last if it is nobody
        slots.append(state.attack.slot(group))
        group += 1
    return slots[:-1] if getattr(module, "BOTH", False) and state.attack.get(ATTACKER) != NOBODY else slots


def throw(app, stage):
    """The device rolls the dice of a stage, and says what they were."""
    counts = thrown(app.session.state)
    app.do(commands.THROW)
    app.say("%s: %s" % (title(stage.id), ", ".join(
        "%d %s" % (count, bin_word(bin[2])) for count, bin in zip(counts, stage.bins) if count)))


def offers(app):
    """What the menu offers during an attack: (text, what to do)."""
    state = app.session.state
    entries = []
    try:
        module, stage = state.attack.resolver(), state.attack.stage()
    except RuleError:  # a log may say anything: it can be given up
        stage = None
    if stage is not None and stage.dice:
        names = [field[0] for field in module.PROFILE + module.MODIFIERS]
        ids = module.CHOICES.get(COMMAND_REROLL, ())
        if COMMAND_REROLL in names and stage.id in ids:
            pair = names.index(COMMAND_REROLL), ids.index(stage.id)
            entries.append((texts.COMMAND_REROLL, lambda: _amend(app, pair)))
        entries.append((texts.ROLL_THIS, lambda: throw(app, stage)))
    entries.append((texts.DROP_ATTACK, lambda: app.do(commands.DROP)))
    return entries


def _amend(app, pair):
    app.do(commands.AMEND, pair)
    app.only(stage_screen(app.session.state))
