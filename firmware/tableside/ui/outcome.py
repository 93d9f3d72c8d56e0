"""The outcome of an attack before it counts: what is lost, and how it came to that."""

from tableside.core import commands, roster
from tableside.core.attack import ATTACKER
from tableside.core.titles import attack_title, unit_name
from tableside.ui import attack_flow, texts
from tableside.ui import input as keys
from tableside.ui.roster import strength
from tableside.ui.screen import ListScreen
from tableside.ui.stage import back_a_stage
from tableside.ui.stage_words import title
from tableside.ui.widgets import hint, status


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
            rows.append((unit_name(state, slot), before + " > " + after if before != after else before))
        for name, value in zip(module.OUTCOMES, module.outcome(v)):
            rows.append((title(name), str(value)))
        for index, name in module.AUDIT:
            if v[index] and name not in module.OUTCOMES:
                rows.append((title(name), str(v[index])))
        return rows

    def draw(self, canvas):
        """The list under the weapon and its target."""
        state = self.app.session.state
        status(canvas, attack_title(state, state.attack.weapon(), attack_flow.targets(state)))
        self.list.draw(canvas)
        losses = state.attack.losses()
        hint(canvas, "OK " + (texts.APPLY if losses else texts.DONE), "BACK " + texts.EDIT)

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
        self.app.do(commands.APPLY)
        left = [slot for slot in targets if state.roster.get(slot, roster.MODELS_LEFT)]
        if targets and left:
            self.app.go("attacks.Weapons", attacker, left, weapon)
