"""Warhammer 40,000, 11th edition: an attack, and rolls that give mortal wounds.

The save dice of a pool are rolled together and taken from the lowest up. Source: rules/w40k11_indomitor.md 2, 3, 7.
"""

from tableside.core.stages import bins_of
from tableside.rules import w40k_fields as f
from tableside.rules.w40k import Chain
from tableside.rules.w40k_rolls import cap

ID = 3
_CRUSHING = f.OWN_KIND  # as many dice as the target is tough; ones hurt the own unit
_SNAP, _PLUNGING, _TORRENT_SNAP, _CRITICAL_PRECISION = range(f.OWN_MODIFIERS, f.OWN_MODIFIERS + 4)
_TOUGHNESS = f.OWN_GROUP
_SNAPPED = 1
_LEAST = (1, 6, 6, 4)  # below this number nothing hits

KEYWORDS = f.KEYWORDS
NO_DICE = f.NO_DICE
BARE = f.BARE
CHOICES = {
    "kind": f.KINDS + ("crushing_impact",),
    "hit_reroll": f.REROLLS,
    "wound_reroll": f.REROLLS,
    "command_reroll": f.COMMANDS,
    "snap": ("no", "snap", "indirect", "indirect_seen"),
}
PROFILE = f.PROFILE
MODIFIERS = f.MODIFIERS + (
    ("snap", 0, 3, 0),
    ("plunging", 0, 1, 0),
    ("torrent_snap", 0, 1, 0),  # the players' rule: snap shooting with TORRENT needs sixes as well
    ("critical_precision", 0, 1, 0),  # a critical wound has PRECISION
)
TARGET = (
    ("toughness", 1, 60, 4),
    ("keywords", 0, 32767, 0),
    ("majority", 0, 1, 0),  # the toughness of most of its models counts
)
GROUP = f.GROUP + (("toughness", 0, 60, 0),)  # 0: that of the target
AUDIT = f.AUDIT
OUTCOMES = f.OUTCOMES + ("own_mortal",)
TALLIES = (f.WOUNDS, f.SPECIAL, f.CRITS) + tuple(range(f.F0, f.F0 + 6))


class _Eleventh(Chain):
    """What only this edition does."""

    lethal_is_free = True
    snap = _SNAP

    def hit_stands(self, v):
        return v[_SNAP] > 0

    def begin_own(self, v):
        v[f.DICE] = v[self.toughness]
        v[f.AT] = f.R_MORTAL * f.STEPS

    def hits_by_itself(self, v):
        return v[f.TORRENT] > 0 and not (v[_SNAP] and v[_TORRENT_SNAP])

    def hit_needs(self, v):
        """(number to reach, number of a critical hit): a critical hit always hits. Cover makes the skill worse."""
        skill = v[f.SKILL] - v[_PLUNGING]
        if (v[f.COVER] or v[_SNAP] > _SNAPPED) and not v[f.MELEE] and not v[f.IGNORES_COVER]:
            skill += 1
        plus = cap(v[f.HIT_PLUS] + v[f.HEAVY] * v[f.STATIONARY])
        crit = 6 if v[_SNAP] == _SNAPPED else v[f.CRITICAL_HIT] or 6
        need = max(2, min(6, max(2, min(6, skill)) - plus))
        least = _LEAST[v[_SNAP]]
        return max(min(need, crit), least), max(crit, least)

    def toughness_of(self, v):
        """That of most models, or the highest; characters count only if they are alone."""
        best = most = 0
        alone = True
        for g in self.groups(v):
            if v[g + f.MODELS] and not v[g + f.CHARACTER]:
                alone = False
        for g in self.groups(v):
            if not v[g + f.MODELS] or not v[_MAJORITY] and v[g + f.CHARACTER] and not alone:
                continue
            toughness = v[g + _TOUGHNESS] or v[self.toughness]
            count = 0
            for other in self.groups(v):
                if v[_MAJORITY] and (v[other + _TOUGHNESS] or v[self.toughness]) == toughness:
                    count += v[other + f.MODELS]
            if count > most or count == most and toughness > best:
                most = count
                best = toughness
        return best

    def _save_need(self, v, g):
        """The number that a model of this group saves on, 7 if on none."""
        plus = min(0, v[f.AP] + v[f.AP_PLUS]) + v[f.SAVE_PLUS]
        return min(7, max(2, (v[g + f.SAVE] or 7) - plus), v[g + f.INVULNERABLE] or 7)

    def _save_needs(self, v):
        """The different numbers that models of the target save on, in ascending order."""
        return sorted({self._save_need(v, g) for g in self.groups(v) if v[g + f.MODELS]})

    def save_bins(self, v):
        needs = self._save_needs(v)
        parts = [(1, "fail")] + [(need, "depends") for need in needs]
        if needs[-1] < 7:
            parts[-1] = (needs[-1], "saved")
        return bins_of(*parts)

    def splits_wounds(self, v):
        return v[_CRITICAL_PRECISION] and not v[f.PRECISE] and self.aims(v)

    def wounded(self, v):
        """All wound rolls are made: save, unless the attacker may still name a character."""
        if (v[f.PRECISE] or v[_CRITICAL_PRECISION]) and self.aims(v) or not self._roll_saves(v, f.WOUNDS):
            self.pause(v)

    def _roll_saves(self, v, pool):
        """Whether the dice of this pool of wounds are to be rolled; if nobody can save, they are as good as ones."""
        wounds = v[pool]
        v[pool] = 0
        if not wounds or self._save_needs(v)[0] > 6:
            v[f.F0] += wounds
            return False
        v[f.DICE] = wounds
        v[f.AT] = f.R_SAVE * f.STEPS
        return True

    def count_save(self, v, low, name, count):
        if name != "saved":
            v[f.F0 + low - 1] += count

    def more(self, v):
        """The lowest save dice first; then the wounds that are still to be saved, the aimed ones first."""
        if v[f.KIND] == _CRUSHING:
            return False  # SPECIAL counts what hurts the own unit
        if not self.current(v):
            for at in TALLIES:
                v[f.A_EXCESS] += v[at]
                v[at] = 0
            return False
        while not self._fail(v):
            aimed = v[f.SPECIAL] > 0
            if aimed or v[f.PRECISE] and v[f.WOUNDS] or v[f.CRITS] and (v[f.PRECISE] or v[_CRITICAL_PRECISION]):
                if (aimed or not v[f.WOUNDS] or v[f.PRECISE]) and self.asks_precision(v):
                    return True
            elif v[_CRITICAL_PRECISION]:
                v[f.AIM] = 0
            if not aimed and not v[f.WOUNDS]:
                return False
            if aimed and v[f.AIM] < 2:
                v[f.WOUNDS] += v[f.SPECIAL]
                v[f.SPECIAL] = aimed = 0
            if self._roll_saves(v, f.SPECIAL if aimed else f.WOUNDS):
                return True
        return False

    def _fail(self, v):
        """Take the lowest save dice that fail, as many as may be taken at once; whether there are any."""
        g = self.current(v)
        need = self._save_need(v, g)
        needs = self._save_needs(v)
        v[f.MODE] = f.NORMAL
        for face in range(2, 7):
            if face >= needs[-1]:
                v[f.F0 + face - 1] = 0
            elif face < needs[0]:  # nobody left can tell it from a one
                v[f.F0] += v[f.F0 + face - 1]
                v[f.F0 + face - 1] = 0
        for face in range(1, need):
            count = v[f.F0 + face - 1]
            if count:
                count = min(count, self.together(v, g))
                v[f.F0 + face - 1] -= count
                v[f.A_UNSAVED] += count
                v[f.FAILED] = count
                return True
        for face in range(need, 7):
            v[f.F0 + face - 1] = 0
        return False

    def mortal_bins(self, v):
        if v[f.KIND] == f.HAZARD:
            return bins_of((1, "mortal"), (3, "none"))
        if v[f.KIND] == _CRUSHING:
            return bins_of((1, "own"), (2, "none"), (5, "mortal"))
        return super().mortal_bins(v)

    def hazard_damage(self, v):
        return 3 if v[self.keywords] & f.VEHICLE_OR_MONSTER else 1

    def independent(self, v):
        """None as well if some wounds are there before the roll: the single die would save them every time."""
        return None if v[f.WOUNDS] else super().independent(v)

    def outcome(self, v):
        """(wounds lost, models destroyed, mortal wounds of the own unit)."""
        return super().outcome(v) + (min(v[f.SPECIAL], 6) if v[f.KIND] == _CRUSHING else 0,)


_CHAIN = _Eleventh(MODIFIERS, TARGET, GROUP)
_MAJORITY = _CHAIN.keywords + 1
begin = _CHAIN.begin
stage = _CHAIN.stage
enter = _CHAIN.enter
choose = _CHAIN.choose
outcome = _CHAIN.outcome
independent = _CHAIN.independent
gathered = _CHAIN.gathered
