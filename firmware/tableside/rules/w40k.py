"""The chain of an attack that both editions of Warhammer 40,000 share: attacks, hits, wounds, precision, odds.

Source: rules/w40k10_claw.md and rules/w40k11_indomitor.md, sections 2 and 3. An edition is a class of its own that
says what differs: `hit_needs`, `save_bins`, `wounded`, `more`.
"""

from tableside.core.stages import StageError
from tableside.rules import w40k_fields as f
from tableside.rules.w40k_rolls import Rolls

_HITS_MOST = 250


class Chain(Rolls):
    """What a resolver module of an edition binds to its functions. It holds nothing of any attack."""

    def __init__(self, modifiers, target, group):
        self.GROUP = group
        self.first = len(f.PROFILE) + len(modifiers) + len(target) + 1
        self.toughness = len(f.PROFILE) + len(modifiers)
        self.keywords = self.toughness + 1

    # The request.

    def begin(self, v):
        """Check what the tables cannot, and append the progress. Raises StageError for a contradiction."""
        self.check(v)
        v.extend([0] * f.PROGRESS)
        v[f.BEGAN_WOUNDS], v[f.BEGAN_MODELS] = self.standing(v)
        kind = v[f.KIND]
        if kind == f.HAZARD:
            v[f.DICE] = v[f.WEAPONS]
            v[f.AT] = f.R_MORTAL * f.STEPS
        elif kind == f.MORTAL_WOUNDS:
            v[f.FAILED] = v[f.WEAPONS]
            v[f.MODE] = f.SPILL
            v[f.AT] = f.P_READY
        elif kind == f.OWN_KIND:
            self.begin_own(v)
        elif v[f.ATTACKS_DICE]:
            v[f.DICE] = v[f.WEAPONS] * v[f.ATTACKS_DICE]
        else:
            self._attack(v)

    def check(self, v):
        """Refuse what cannot be. Raises StageError."""
        for g in self.groups(v):
            if v[g + f.LOST] >= v[g + f.WOUNDS_EACH]:
                raise StageError("lost", "not less than the wounds of a model", v[g + f.LOST])
            if v[g + f.LOST] and not v[g + f.MODELS]:
                raise StageError("lost", "no model to lose them", v[g + f.LOST])
            for name, at in (("save", f.SAVE), ("invulnerable", f.INVULNERABLE), ("feel_no_pain", f.FEEL_NO_PAIN)):
                if v[g + at] == 1:
                    raise StageError(name, "never 1", 1)
        if not self.standing(v)[1]:
            raise StageError("target", "has no models", 0)
        for name, at in (("attacks", f.ATTACKS_DICE), ("damage", f.DAMAGE_DICE)):
            if v[at + 1] not in (3, 6):
                raise StageError(name, "dice have 3 or 6 sides", v[at + 1])
            if not v[at] and not v[at + 2]:
                raise StageError(name, "must be at least 1", 0)
        per_weapon = v[f.ATTACKS_DICE] * v[f.ATTACKS_SIDES] + v[f.ATTACKS_PLUS] + self._extra(v)
        most = per_weapon * v[f.WEAPONS] * (1 + max(v[f.SUSTAINED_HITS], v[f.SUSTAINED]))
        if most > _HITS_MOST:
            raise StageError("weapons", "too many attacks", most)
        if v[f.KIND] == f.ATTACK:
            self.check_attack(v)
        elif v[f.KIND] == f.MORTAL_DICE and not v[f.SKILL]:
            raise StageError("skill", "a die cannot tell", 0)

    def check_attack(self, v):
        """Refuse an attack that contradicts itself. Raises StageError."""
        if not v[f.TORRENT] and not v[f.SKILL]:
            raise StageError("skill", "only a weapon with TORRENT has none", 0)
        if v[f.TORRENT] or self.hit_stands(v):
            words = "TORRENT makes no hit roll" if v[f.TORRENT] else "not while snap shooting"
            if v[f.HIT_REROLL]:
                raise StageError("hit_reroll", words, f.REROLLS[v[f.HIT_REROLL]])
            if v[f.COMMAND] == f.R_HIT + 1:
                raise StageError("command_reroll", words, "hit")
        for name, at in (("anti", f.ANTI), ("critical_hit", f.CRITICAL_HIT), ("critical_wound", f.CRITICAL_WOUND)):
            if v[at] == 1:
                raise StageError(name, "must be 2..6", 1)
        if v[f.MELEE]:
            for name, at in (("torrent", f.TORRENT), ("snap", self.snap), ("half_range", f.HALF_RANGE)):
                if v[at]:
                    raise StageError(name, "not in melee", v[at])

    def hits_by_itself(self, v):
        """Whether there is no hit roll."""
        return v[f.TORRENT] > 0

    def _extra(self, v):
        """Attacks of each weapon beside those of its profile."""
        return v[f.BLAST] * (self.standing(v)[1] // 5) + (v[f.RAPID_FIRE] if v[f.HALF_RANGE] else 0)

    def _attack(self, v):
        """The number of attacks is known: roll to hit."""
        attacks = v[f.HITS] + v[f.WEAPONS] * v[f.ATTACKS_PLUS]
        v[f.HITS] = 0
        if v[f.KIND] == f.MORTAL_DICE:
            v[f.DICE] = attacks
            v[f.AT] = f.R_MORTAL * f.STEPS
            return
        attacks += v[f.WEAPONS] * self._extra(v)
        if self.hits_by_itself(v):
            v[f.A_HITS] += attacks
            v[f.HITS] = attacks
            self._roll_wounds(v)
        else:
            v[f.DICE] = v[f.POOL] = attacks
            v[f.AT] = f.R_HIT * f.STEPS

    def take_lethal(self, v, count):
        """So many of the critical hits wound by themselves, the others roll."""
        v[f.HITS] += v[f.WOUNDS] - count
        v[f.WOUNDS] = count
        self._roll_wounds(v)

    def _roll_wounds(self, v):
        v[f.A_WOUNDS] += v[f.WOUNDS]  # those of LETHAL HITS
        v[f.DICE] = v[f.HITS]
        v[f.HITS] = 0
        if v[f.DICE]:
            if not v[f.POOL]:
                v[f.POOL] = v[f.DICE]
            v[f.AT] = f.R_WOUND * f.STEPS
        else:
            self.wounded(v)

    # What an edition says.

    lethal_is_free = False  # LETHAL HITS: the attacker chooses
    snap = 0  # the index of that modifier

    def begin_own(self, v):
        """Begin the kind of request that only this edition has."""
        raise NotImplementedError

    def wounded(self, v):
        """All wound rolls are made: what comes next."""
        raise NotImplementedError

    def count_save(self, v, low, name, count):
        """Count save dice of one bin."""
        raise NotImplementedError

    def saved(self, v):
        """The save dice are counted: what comes next."""
        self.pause(v)

    def mortal_rolled(self, v):
        """The dice that give mortal wounds are counted."""

    def count(self, v, roll, bins, counts):
        """Count dice that are not rolled again."""
        for i, count in enumerate(counts):
            low, _, name = bins[i]
            if roll == f.R_ATTACKS:
                v[f.HITS] += count * (i + 1)
            elif roll == f.R_HIT:
                self._count_hits(v, name, count)
            elif roll == f.R_WOUND:
                if name in ("wound", "crit"):
                    v[f.A_WOUNDS] += count
                if name == "wound":
                    v[f.WOUNDS] += count
                elif name == "crit":
                    v[f.A_CRITICAL] += count
                    v[f.CRITS if v[f.DEVASTATING] else f.SPECIAL] += count
            elif roll == f.R_SAVE:
                self.count_save(v, low, name, count)
            elif roll == f.R_MORTAL:
                if name == "mortal":
                    v[f.FAILED] += count
                elif name == "own":
                    v[f.SPECIAL] += count

    def _count_hits(self, v, name, count):
        if name == "crit":
            extra = count * max(v[f.SUSTAINED_HITS], v[f.SUSTAINED])
            v[f.A_CRITICAL_HITS] += count
            v[f.A_HITS] += count + extra
            v[f.HITS] += extra
            v[f.WOUNDS if self.lethal(v) else f.HITS] += count
        elif name == "hit":
            v[f.A_HITS] += count
            v[f.HITS] += count

    def finish(self, v, roll):
        """The roll is counted: what comes next."""
        if roll == f.R_ATTACKS:
            self._attack(v)
        elif roll == f.R_HIT:
            if v[f.WOUNDS] and self.lethal_is_free:
                v[f.AT] = f.P_LETHAL
            else:
                self._roll_wounds(v)
        elif roll == f.R_WOUND:
            self.wounded(v)
        elif roll == f.R_SAVE:
            self.saved(v)
        elif roll == f.R_MORTAL:
            v[f.MODE] = f.SPILL
            self.mortal_rolled(v)
            self.settle(v)

    # Precision.

    def asks_precision(self, v):
        """Whether the attacker may still aim at a character; then that is what waits."""
        if v[f.AIM] or not self.aims(v):
            return False
        v[f.AT] = f.P_PRECISION
        return True

    def choose(self, v, stage, option):
        """Precision: at whom; or mortal wounds without dice are taken."""
        if v[f.AT] == f.P_GATHERED:
            self.settle(v)
        if v[f.AT] == f.P_PRECISION:
            v[f.AIM] = self.number(self.aims(v)[option - 1]) + 2 if option else 1
        v[f.AT] = f.P_GATHERED
        self.settle(v)

    # The odds.

    def independent(self, v):
        """The index of the number of dice that are still at the start of their own ways. See `core.stages`."""
        if v[f.AT] not in (f.R_HIT * f.STEPS, f.R_WOUND * f.STEPS) or v[f.COMMAND]:
            return None
        return f.DICE if v[f.DICE] == v[f.POOL] > 1 else None

    def gathered(self, v):
        """Whether a single die has come to where dice are only counted."""
        return v[f.AT] == f.P_GATHERED

    def pause(self, v):
        """All dice are counted: take the damage, unless this is one die of a pool that is looked at alone."""
        v[f.AT] = f.P_GATHERED
        v[f.DICE] = 0
        if v[f.POOL] >= 0:
            self.settle(v)

    def outcome(self, v):
        """(wounds lost, models destroyed)."""
        if v[f.AT] == f.P_GATHERED:
            self.settle(v)
        wounds, models = self.standing(v)
        return v[f.BEGAN_WOUNDS] - wounds, v[f.BEGAN_MODELS] - models
