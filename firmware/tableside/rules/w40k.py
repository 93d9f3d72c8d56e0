"""The chain of an attack that both editions of Warhammer 40,000 share: attacks, hits, wounds, and all re-rolls.

Source: rules/w40k10_claw.md and rules/w40k11_indomitor.md, sections 2 and 3. An edition is a class of its own that
says what differs: `hit_needs`, `save_bins`, `wounded`, `more`.
"""

from tableside.core.stages import ATTACKER, DEFENDER, StageError, bins_of, choice, dice, faces_of, pick
from tableside.rules import w40k_fields as f
from tableside.rules.w40k_losses import Losses

_POOR = ("one", "miss", "fail", "none")
_WHO = (ATTACKER, ATTACKER, ATTACKER, DEFENDER, ATTACKER, DEFENDER, ATTACKER)
_ATTACKS_MOST = 250


def cap(number):
    """A sum of modifiers of a hit or wound roll, at most one either way."""
    return max(-1, min(1, number))


class Chain(Losses):
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
        if per_weapon * v[f.WEAPONS] > _ATTACKS_MOST:
            raise StageError("weapons", "too many attacks", per_weapon * v[f.WEAPONS])
        if v[f.KIND] == f.ATTACK:
            self.check_attack(v)
        elif v[f.KIND] == f.MORTAL_DICE and not v[f.SKILL]:
            raise StageError("skill", "a die cannot tell", 0)

    def check_attack(self, v):
        """Refuse an attack that contradicts itself. Raises StageError."""
        if not v[f.TORRENT] and not v[f.SKILL]:
            raise StageError("skill", "only a weapon with TORRENT has none", 0)
        if v[f.TORRENT] and v[f.HIT_REROLL]:
            raise StageError("hit_reroll", "TORRENT makes no hit roll", f.REROLLS[v[f.HIT_REROLL]])
        if v[f.COMMAND] == f.R_HIT + 1 and self.hits_by_itself(v):
            raise StageError("command_reroll", "TORRENT makes no hit roll", "hit")
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

    # What a roll needs.

    def rerolls(self, v, roll):
        """Which dice of a roll may be rolled again: NO_REROLL, ONES, FAILURES or ANY."""
        if roll == f.R_HIT:
            return v[f.HIT_REROLL]
        if roll == f.R_WOUND:
            return f.ANY if v[f.TWIN_LINKED] else v[f.WOUND_REROLL]
        return f.NO_REROLL

    def wound_needs(self, v):
        """(number to reach, number of a critical wound)."""
        strength = v[f.STRENGTH]
        toughness = self.toughness_of(v)
        if strength >= 2 * toughness:
            need = 2
        elif 2 * strength <= toughness:
            need = 6
        else:
            need = 4 - (strength > toughness) + (strength < toughness)
        need -= cap(v[f.WOUND_PLUS] + v[f.LANCE] * v[f.CHARGED])
        crit = v[f.CRITICAL_WOUND] or 6
        if v[f.ANTI] and v[self.keywords] >> v[f.ANTI_KEYWORD] & 1:
            crit = min(crit, v[f.ANTI])
        return max(2, min(need, crit)), crit

    def toughness_of(self, v):
        """The toughness of the target."""
        return v[self.toughness]

    def lethal(self, v):
        """Whether the weapon has LETHAL HITS."""
        return v[f.LETHAL_HITS] or v[f.LETHAL]

    def bins(self, v, roll):
        """(bins, sides) of a roll."""
        if roll == f.R_HIT:
            critical = self.lethal(v) or v[f.SUSTAINED_HITS] or v[f.SUSTAINED]
            return self._checked(v, roll, self.hit_needs(v), "miss", "hit", critical), 6
        if roll == f.R_WOUND:
            critical = v[f.DEVASTATING] or self.splits_wounds(v)
            return self._checked(v, roll, self.wound_needs(v), "fail", "wound", critical), 6
        if roll == f.R_SAVE:
            return self.save_bins(v), 6
        if roll == f.R_IGNORE:
            return bins_of((1, "lost"), (v[self.current(v) + f.FEEL_NO_PAIN], "ignored")), 6
        if roll == f.R_MORTAL:
            return self.mortal_bins(v), 6
        if v[f.ATTACKS_SIDES if roll == f.R_ATTACKS else f.DAMAGE_SIDES] == 6:
            return faces_of(), 6
        return tuple((i * 2 - 1, i * 2, str(i)) for i in (1, 2, 3)), 6

    def _checked(self, v, roll, needs, bad, good, critical):
        need, crit = needs
        parts = [(1, bad), (need, good)]
        if self.rerolls(v, roll) == f.ONES:
            parts[:1] = [(1, "one"), (2, bad)]
        if critical:
            parts.append((max(need, crit), "crit"))
        return bins_of(*parts)

    # What an edition says.

    lethal_is_free = False  # LETHAL HITS: the attacker chooses
    snap = 0  # the index of that modifier

    def begin_own(self, v):
        """Begin the kind of request that only this edition has."""
        raise NotImplementedError

    def hit_needs(self, v):
        """(number to reach, number of a critical hit)."""
        raise NotImplementedError

    def save_bins(self, v):
        """The bins of the save roll."""
        raise NotImplementedError

    def saver(self, v, roll):
        """The number of the group that saves, -1 of other rolls."""
        return -1

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

    def splits_wounds(self, v):
        """Whether critical wounds are counted apart although they do not devastate."""
        return False

    def mortal_bins(self, v):
        """The bins of dice that give mortal wounds."""
        return bins_of((1, "none"), (v[f.SKILL], "mortal"))

    # Stages.

    def stage(self, v):
        """The stage that waits. See `core.stages`; of numbers that were gathered, it settles them first."""
        if v[f.AT] == f.P_GATHERED:
            self.settle(v)
        at = v[f.AT]
        if at == f.P_END:
            return None
        if at == f.P_LETHAL:
            crits = v[f.WOUNDS]
            return pick("lethal", ATTACKER, ((self.hit_needs(v)[1], 6, "crit"),), (crits,), crits, (crits,))
        if at == f.P_PRECISION:
            options = ["no"] + ["group_%d" % (self.number(g) + 1) for g in self.aims(v)]
            return choice("precision", ATTACKER, tuple(options), 1)
        if at == f.P_READY:
            return choice("mortal_wounds", DEFENDER, ("take",))
        roll, step = divmod(at, f.STEPS)
        name = "hazard" if roll == f.R_MORTAL and v[f.KIND] == f.HAZARD else f.ROLLS[roll]
        bins, sides = self.bins(v, roll)
        group = self.number(self.current(v)) if roll in (f.R_DAMAGE, f.R_IGNORE) else self.saver(v, roll)
        if step in (f.ROLL, f.AGAIN, f.COMMAND_AGAIN):
            name = (name, "", name + "_reroll_dice", "", "command_reroll_dice")[step]
            return dice(name, _WHO[roll], v[f.DICE], bins, sides, group)
        poor = [name in _POOR or roll in (f.R_ATTACKS, f.R_DAMAGE) and high <= 3 for _, high, name in bins]
        table = [v[f.F0 + i] for i in range(len(bins))]
        if roll == f.R_DAMAGE:
            table = [v[f.DICE] >> i & 1 for i in range(len(bins))]
        if step == f.PICK:
            limits = self._limits(v, roll, bins)
            default = tuple(limits[i] if poor[i] else 0 for i in range(len(bins)))
            return pick(name + "_reroll", _WHO[roll], bins, limits, sum(limits), default, group)
        one = [0] * len(bins)
        for i in range(len(bins)):
            if poor[i] and table[i]:
                one[i] = 1
                break
        return pick("command_reroll", _WHO[roll], bins, tuple(table), 1, tuple(one), group)

    def _limits(self, v, roll, bins):
        """How many dice of each bin on the table may be rolled again."""
        mode = self.rerolls(v, roll)
        limits = []
        for i, (_, high, name) in enumerate(bins):
            may = mode == f.ANY or mode == f.FAILURES and name in _POOR or mode == f.ONES and high == 1
            limits.append(v[f.F0 + i] if may else 0)
        return tuple(limits)

    def enter(self, v, stage, counts):
        """Go on with dice, or with the dice that are picked up."""
        if v[f.AT] == f.P_GATHERED:
            self.settle(v)
        if v[f.AT] == f.P_LETHAL:
            v[f.HITS] += v[f.WOUNDS] - counts[0]
            v[f.WOUNDS] = counts[0]
            self._roll_wounds(v)
            return
        roll, step = divmod(v[f.AT], f.STEPS)
        if roll == f.R_IGNORE:
            self.suffered(v, self.current(v), v[f.DICE], counts[0])
            self.settle(v)
            return
        if roll == f.R_DAMAGE:
            self._enter_damage(v, step, counts)
            return
        if step == f.AGAIN:
            self.count(v, roll, stage.bins, counts)
        elif step == f.COMMAND_AGAIN:
            for i, count in enumerate(counts):
                v[f.F0 + i] += count
        elif step == f.ROLL:
            if v[f.POOL] > 0:
                v[f.POOL] = 0 if v[f.POOL] == v[f.DICE] else -1
            for i, count in enumerate(counts):
                v[f.F0 + i] = count
            if sum(self._limits(v, roll, stage.bins)):
                v[f.AT] += 1
                return
        elif sum(counts):
            for i, count in enumerate(counts):
                v[f.F0 + i] -= count
            v[f.DICE] = sum(counts)
            v[f.AT] += 1
            if step == f.COMMAND_PICK:
                v[f.COMMAND] = 0
            return
        self._rolled(v, roll, step, stage)

    def _enter_damage(self, v, step, counts):
        """Add up. The table holds save dice that wait, so only which faces are there is kept, where DICE was."""
        points = faces = 0
        for i, count in enumerate(counts):
            points += count * (i + 1)
            faces |= (count > 0) << i
        if step == f.COMMAND_PICK:
            v[f.POINTS] -= points
            v[f.DICE] = 1
            if points:
                v[f.COMMAND] = 0
                v[f.AT] += 1
                return
        else:
            v[f.POINTS] += points
            if step == f.ROLL and v[f.COMMAND] == f.R_DAMAGE + 1:
                v[f.DICE] = faces
                v[f.AT] += f.COMMAND_PICK
                return
        points = v[f.POINTS] + v[f.STRIKES] * (self.bounds(v)[0] - v[f.DAMAGE_DICE])
        v[f.STRIKES] = 1
        self.inflict(v, points)
        self.settle(v)

    def _rolled(self, v, roll, step, stage):
        """After a roll and its own re-roll: offer the command re-roll, or count what lies on the table."""
        bins = stage.bins
        table = [v[f.F0 + i] for i in range(len(bins))]
        which = roll + 1 if roll <= f.R_SAVE else len(f.COMMANDS) - 1 if v[f.KIND] == f.HAZARD else 0
        if step < f.COMMAND_PICK and which and v[f.COMMAND] == which and sum(table):
            v[f.AT] = roll * f.STEPS + f.COMMAND_PICK
            return
        for i in range(len(bins)):
            v[f.F0 + i] = 0
        self.count(v, roll, bins, table)
        self._finish(v, roll)

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

    def _finish(self, v, roll):
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

    def aims(self, v):
        """The visible characters that precision may be at, if others are there to protect them."""
        aims = []
        others = False
        for g in self.groups(v):
            if v[g + f.MODELS]:
                if v[g + f.CHARACTER] == 1:
                    aims.append(g)
                else:
                    others = True
        return aims if others or len(aims) > 1 else []

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
        if v[f.AT] not in (f.R_HIT * f.STEPS, f.R_WOUND * f.STEPS) or v[f.COMMAND] or v[f.WOUNDS]:
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
