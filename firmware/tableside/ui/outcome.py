"""The outcome of an attack before it counts: what is lost, and how it came to that."""

from tableside.core import commands, roster, stages
from tableside.core.attack import ATTACKER
from tableside.core.expect import SCALE, TooManyWaysError, means
from tableside.core.fields import unit_name
from tableside.core.names import attack_title
from tableside.core.stage_words import title
from tableside.ui import attack_flow, texts
from tableside.ui import input as keys
from tableside.ui.roster import strength
from tableside.ui.screen import ListScreen
from tableside.ui.stage import back_a_stage, tenths
from tableside.ui.widgets import status


def _means(module, v):
    """What was to be expected of each tally of the account, in 1 / SCALE; 0 where that is not known."""
    if not hasattr(module, "independent"):
        return [0] * len(module.AUDIT)
    first = v[: stages.head(module, v)]
    groups = stages.groups_at(module) + 1
    names = [field[0] for field in module.GROUP]
    for at in range(groups, len(first), len(names) or 1):
        if not first[at + names.index("models")]:
            first[at + names.index("models")] = 1  # that they are gone does not change what was to be expected
    stages.begin(module, first)
    try:
        return means(module, first)
    except TooManyWaysError:
        return [0] * len(module.AUDIT)


class Outcome(ListScreen):
    """What is left of whom, the outcome's numbers, then the account step by step. OK applies it, BACK corrects."""

    def rows(self):
        """Unit: before > after; names and numbers."""
        state = self.app.session.state
        attack = state.attack
        module, v = attack.resolver(), attack.numbers()
        rows = []
        for _, slot, models, lost in attack.losses():
            get = state.roster.get
            all_models, wounds = get(slot, roster.MODELS), get(slot, roster.WOUNDS)
            before = strength(all_models, get(slot, roster.MODELS_LEFT), wounds, get(slot, roster.WOUNDS_LOST))
            after = strength(all_models, models, wounds, lost)
            if before != after or not rows:
                rows.append((unit_name(state, slot), before + " > " + after if before != after else before))
        for name, value in zip(module.OUTCOMES, module.outcome(v)):
            if value or name == module.OUTCOMES[0]:
                rows.append((title(name), str(value)))
        means = _means(module, v)
        for (index, name), mean in zip(module.AUDIT, means):
            if (v[index] or mean) and name not in module.OUTCOMES:
                expected = " (%s %s)" % (texts.EXPECTED, tenths(mean, SCALE)) if mean else ""
                rows.append((title(name) + expected, str(v[index])))
        return rows

    leave = "BACK " + texts.EDIT

    def head(self, canvas):
        """The weapon and its target."""
        state = self.app.session.state
        status(canvas, attack_title(state, state.attack.weapon(), attack_flow.targets(state)))

    def ok_hint(self):
        """What OK does, on any row."""
        return "OK " + (texts.APPLY if self.app.session.state.attack.losses() else texts.DONE)

    def event(self, key):
        """OK applies, BACK corrects the last stage."""
        if key == keys.BACK:
            back_a_stage(self.app)
        else:
            super().event(key)

    def chosen(self, index):
        """Write it to the roster, then the next weapon at the same target."""
        state = self.app.session.state
        attacker, weapon = state.attack.get(ATTACKER), state.attack.weapon()
        targets = attack_flow.targets(state)
        once = getattr(state.attack.resolver(), "ONCE_EACH", False)
        self.app.do(commands.APPLY)
        left = [slot for slot in targets if state.roster.get(slot, roster.MODELS_LEFT)]
        if left and not once:
            self.app.go("attacks.Weapons", attacker, left, weapon)
