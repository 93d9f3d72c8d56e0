"""Warhammer 40,000, 10th edition: an attack, and rolls that give mortal wounds.

Wounds are saved one after the other: as many at once as the same models take for certain. Source:
rules/w40k10_claw.md 2, 3, 7.
"""

from tableside.core.stages import bins_of
from tableside.rules import w40k_fields as f
from tableside.rules.w40k import Chain
from tableside.rules.w40k_rolls import cap

ID = 2
_DEVASTATING = f.OWN_KIND  # critical wounds that were held back
_SNAP, _HOLD = range(f.OWN_MODIFIERS, f.OWN_MODIFIERS + 2)
_ALLOCATED = f.OWN_GROUP

KEYWORDS = f.KEYWORDS
NO_DICE = f.NO_DICE
BARE = f.BARE
CHOICES = {
    "kind": f.KINDS + ("devastating",),
    "hit_reroll": f.REROLLS,
    "wound_reroll": f.REROLLS,
    "command_reroll": f.COMMANDS,
}
PROFILE = f.PROFILE
MODIFIERS = f.MODIFIERS + (
    ("snap", 0, 1, 0),  # Overwatch
    ("hold", 0, 1, 0),  # other attacks of the unit follow: devastating wounds wait for a request of their own
)
TARGET = (("toughness", 1, 60, 4), ("keywords", 0, 32767, 0))
GROUP = f.GROUP + (("allocated", 0, 1, 0),)  # a model of it had an attack allocated this phase
AUDIT = f.AUDIT
OUTCOMES = f.OUTCOMES + ("held",)
TALLIES = (f.WOUNDS, f.CRITS)


class _Tenth(Chain):
    """What only this edition does."""

    lethal_is_free = False
    snap = _SNAP

    def begin_own(self, v):
        v[f.CRITS] = v[f.WEAPONS]
        v[f.AT] = f.P_READY

    def hit_needs(self, v):
        """(number to reach, number of a critical hit): a critical hit must hit by itself."""
        if v[_SNAP]:
            return 6, 6
        plus = cap(v[f.HIT_PLUS] + v[f.HEAVY] * v[f.STATIONARY])
        need = max(2, min(6, max(2, v[f.SKILL]) - plus))
        return need, max(need, v[f.CRITICAL_HIT] or 6)

    def _save_need(self, v, g):
        """The number that a model of this group saves on, 7 if on none."""
        save = v[g + f.SAVE] or 7
        ap = min(0, v[f.AP] + v[f.AP_PLUS])
        plus = ap + v[f.SAVE_PLUS]
        if v[f.COVER] and not v[f.MELEE] and not v[f.IGNORES_COVER] and (ap or save > 3):
            plus += 1
        need = max(2, save - min(1, plus))
        return min(7, need, v[g + f.INVULNERABLE] or 7)

    def is_marked(self, v, g):
        return v[g + f.LOST] > 0 or v[g + _ALLOCATED] > 0

    def died(self, v, g):
        v[g + _ALLOCATED] = 0

    def wounded(self, v):
        """All wound rolls are made."""
        self.pause(v)

    def more(self, v):
        """The next wounds that are saved at once; before the critical ones, at whom they are."""
        g = self.current(v)
        if not g:
            v[f.A_EXCESS] += v[f.WOUNDS] + v[f.CRITS]
            v[f.WOUNDS] = v[f.CRITS] = 0
            return False
        if v[f.KIND] == f.ATTACK and v[_HOLD]:
            v[f.SPECIAL] += v[f.CRITS]
            v[f.CRITS] = 0
        if v[f.PRECISE] and (v[f.WOUNDS] or v[f.CRITS]) and self.asks_precision(v):
            return True
        if not v[f.WOUNDS]:
            return False
        v[f.MODE] = f.NORMAL
        together = min(v[f.WOUNDS], self.room(v, g))
        v[f.WOUNDS] -= together
        if self._save_need(v, g) > 6:
            v[f.A_UNSAVED] += together
            v[f.FAILED] = together
            return False
        v[f.DICE] = together
        v[f.AT] = f.R_SAVE * f.STEPS
        return True

    def save_bins(self, v):
        return bins_of((1, "fail"), (self._save_need(v, self.current(v)), "saved"))

    def saver(self, v, roll):
        return self.number(self.current(v)) if roll == f.R_SAVE else -1

    def count_save(self, v, low, name, count):
        if name == "fail":
            v[f.FAILED] += count
            v[f.A_UNSAVED] += count

    def mortal_bins(self, v):
        if v[f.KIND] == f.HAZARD:
            return bins_of((1, "mortal"), (2, "none"))
        return super().mortal_bins(v)

    def mortal_rolled(self, v):
        """A hazardous weapon hurts one bearer alone."""
        if v[f.KIND] == f.HAZARD:
            v[f.MODE] = f.ONE_MODEL

    def hazard_damage(self, v):
        return 3

    def outcome(self, v):
        """(wounds lost, models destroyed, critical wounds that wait for a request of kind "devastating")."""
        return super().outcome(v) + (v[f.SPECIAL],)


_CHAIN = _Tenth(MODIFIERS, TARGET, GROUP)
begin = _CHAIN.begin
stage = _CHAIN.stage
enter = _CHAIN.enter
choose = _CHAIN.choose
outcome = _CHAIN.outcome
independent = _CHAIN.independent
gathered = _CHAIN.gathered
