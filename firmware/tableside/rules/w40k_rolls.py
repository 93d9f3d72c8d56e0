"""The stages of a chain: what each roll looks like, and which of its dice are rolled again.

Source: rules/w40k10_claw.md and rules/w40k11_indomitor.md, section 2.
"""

from tableside.core.stages import ATTACKER, DEFENDER, bins_of, choice, dice, faces_of, pick
from tableside.rules import w40k_fields as f
from tableside.rules.w40k_losses import Losses

_POOR = ("one", "miss", "fail", "none")
_WHO = (ATTACKER, ATTACKER, ATTACKER, DEFENDER, ATTACKER, DEFENDER, ATTACKER)


def cap(number):
    """A sum of modifiers of a hit or wound roll, at most one either way."""
    return max(-1, min(1, number))


class Rolls(Losses):
    """The part of a chain that asks for dice and takes them. What they mean is said in `count` and `finish`."""

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

    # What is said elsewhere: of the dice, in `Chain`; of the rest, by an edition.

    def take_lethal(self, v, count):
        """So many of the critical hits wound by themselves, the others roll."""
        raise NotImplementedError

    def count(self, v, roll, bins, counts):
        """Count dice that are not rolled again."""
        raise NotImplementedError

    def finish(self, v, roll):
        """The roll is counted: what comes next."""
        raise NotImplementedError

    def hit_stands(self, v):
        """Whether no hit die may ever be rolled again."""
        return False

    def hit_needs(self, v):
        """(number to reach, number of a critical hit)."""
        raise NotImplementedError

    def save_bins(self, v):
        """The bins of the save roll."""
        raise NotImplementedError

    def saver(self, v, roll):
        """The number of the group that saves, -1 of other rolls."""
        return -1

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
            self.take_lethal(v, counts[0])
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
        stands = roll == f.R_HIT and self.hit_stands(v)
        if step < f.COMMAND_PICK and which and v[f.COMMAND] == which and sum(table) and not stands:
            v[f.AT] = roll * f.STEPS + f.COMMAND_PICK
            return
        for i in range(len(bins)):
            v[f.F0 + i] = 0
        self.count(v, roll, bins, table)
        self.finish(v, roll)
