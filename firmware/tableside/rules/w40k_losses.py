"""Who takes a wound, and what the damage does: models, feel no pain, mortal wounds. The same in both editions.

Source: rules/w40k10_claw.md 2 (steps 5 to 9), rules/w40k11_indomitor.md 2 (steps 6 to 9).
"""

from tableside.rules import w40k_fields as f


class Losses:
    """The half of a chain that takes wounds away. An edition says in `more` which failed saves come next.

    Attributes: first, toughness, keywords: the indexes in v of the first group and of what the target is as a whole.
    """

    first = toughness = keywords = 0
    GROUP = f.GROUP

    def groups(self, v):
        """The index in v of each group."""
        return range(self.first, self.first + v[self.first - 1] * len(self.GROUP), len(self.GROUP))

    def number(self, g):
        """The number of the group at this index."""
        return (g - self.first) // len(self.GROUP)

    def is_marked(self, v, g):
        """Whether a model of this group must take the next wound because of what was done to it before."""
        return v[g + f.LOST] > 0

    def standing(self, v):
        """(wounds, models) that are left in all groups."""
        wounds = models = 0
        for g in self.groups(v):
            models += v[g + f.MODELS]
            wounds += v[g + f.MODELS] * v[g + f.WOUNDS_EACH] - v[g + f.LOST]
        return wounds, models

    def current(self, v, fresh=0):
        """The index of the group that takes the next wound, 0 if nobody is left.

        Aimed at; hurt; the rest in the order of the request; each of these without characters first.
        Args: fresh: a group of which the model that was hurt is taken as gone.
        """
        if v[f.AIM] >= 2:
            g = self.first + (v[f.AIM] - 2) * len(self.GROUP)
            if v[g + f.MODELS]:
                return g
        best = 0
        best_rank = 4
        for g in self.groups(v):
            if v[g + f.MODELS]:
                rank = 2 if v[g + f.CHARACTER] else 0
                if g == fresh or not self.is_marked(v, g):
                    rank += 1
                if rank < best_rank:
                    best = g
                    best_rank = rank
        return best

    def bounds(self, v):
        """(least, greatest) damage of one strike."""
        if v[f.KIND] == f.HAZARD:
            return self.hazard_damage(v), self.hazard_damage(v)
        plus = v[f.DAMAGE_PLUS] + (v[f.MELTA] if v[f.HALF_RANGE] else 0)
        return v[f.DAMAGE_DICE] + plus, v[f.DAMAGE_DICE] * v[f.DAMAGE_SIDES] + plus

    def room(self, v, g):
        """How many strikes a group takes for certain before another model than one of its own takes the next."""
        most = self.bounds(v)[1]
        each = v[g + f.WOUNDS_EACH]
        strikes = (each - v[g + f.LOST] - 1) // most + 1
        if self.current(v, g) == g:
            strikes += (v[g + f.MODELS] - 1) * ((each - 1) // most + 1)
        return strikes

    # Damage.

    def settle(self, v):
        """Go on with everything that needs no dice, to the next stage or to the end."""
        v[f.POOL] = 0
        while True:
            if v[f.POINTS]:
                if self._suffer(v):
                    return
            elif v[f.FAILED]:
                if self._strike(v):
                    return
            elif self.more(v):
                return
            elif v[f.FAILED]:
                continue  # no save was possible
            elif v[f.CRITS]:
                v[f.FAILED] = v[f.CRITS]
                v[f.CRITS] = 0
                v[f.MODE] = f.ONE_MODEL
            else:
                v[f.MODE] = v[f.AIM] = v[f.DICE] = 0
                v[f.AT] = f.P_END
                return

    def together(self, v, g):
        """How many strikes on this group may have their damage counted at once, because its order cannot matter."""
        if v[f.MODE] == f.SPILL:
            return v[f.FAILED]
        least, most = self.bounds(v)
        if most == 1 or v[g + f.WOUNDS_EACH] == 1 and least == most:
            return self.room(v, g)
        return (v[g + f.WOUNDS_EACH] - v[g + f.LOST] - 1) // most + 1

    def _strike(self, v):
        """Take the next strikes whose damage may be counted at once; whether it must be rolled."""
        g = self.current(v)
        if not g:
            v[f.A_EXCESS] += v[f.FAILED]
            v[f.FAILED] = 0
            return False
        strikes = min(v[f.FAILED], self.together(v, g))
        v[f.FAILED] -= strikes
        least, most = self.bounds(v)
        left = v[g + f.WOUNDS_EACH] - v[g + f.LOST]
        if least < most:
            if v[f.MODE] == f.SPILL or least < left or v[g + f.FEEL_NO_PAIN]:
                v[f.DICE] = strikes * v[f.DAMAGE_DICE]
                v[f.STRIKES] = strikes
                v[f.AT] = f.R_DAMAGE * f.STEPS
                return True
            least = left  # it is dead, whatever the dice show
        each_its_own = v[f.MODE] != f.SPILL and most > 1 and least == most and v[g + f.WOUNDS_EACH] == 1
        v[f.STRIKES] = strikes if each_its_own else 1
        self.inflict(v, least if each_its_own else strikes * least)
        return False

    def inflict(self, v, points):
        """Damage of the strikes in hand, or of each of them, begins to wait."""
        if v[f.MODE] == f.SPILL and v[f.MOST]:
            points = min(points, v[f.MOST])
        v[f.POINTS] = points
        if v[f.MODE] != f.NORMAL:
            v[f.A_MORTAL] += points * v[f.STRIKES]

    def _suffer(self, v):
        """Take the damage that waits as far as it goes; whether feel no pain must be rolled."""
        g = self.current(v)
        if not g:
            v[f.A_WASTED] += v[f.POINTS] * v[f.STRIKES]
            v[f.POINTS] = v[f.STRIKES] = 0
            return False
        if v[f.STRIKES] > 1 and not v[g + f.FEEL_NO_PAIN]:
            self.suffered(v, g, v[f.STRIKES], v[f.STRIKES])
            return False
        points = v[f.STRIKES]
        if points == 1:
            points = v[g + f.WOUNDS_EACH] - v[g + f.LOST]
            if self._streams(v) and self.current(v, g) == g:
                points += (v[g + f.MODELS] - 1) * v[g + f.WOUNDS_EACH]
            points = min(points, v[f.POINTS])
        if v[g + f.FEEL_NO_PAIN]:
            v[f.DICE] = points
            v[f.AT] = f.R_IGNORE * f.STEPS
            return True
        self.suffered(v, g, points, points)
        return False

    def _streams(self, v):
        """Whether damage that is left when a model dies goes on to the next, or there is none left ever."""
        return v[f.MODE] == f.SPILL or self.bounds(v)[1] == 1

    def suffered(self, v, g, points, lost):
        """So many points of the damage that waits are done with, and so many of them took a wound."""
        v[f.A_LOST] += lost
        models = v[g + f.MODELS]
        total = v[g + f.LOST] + lost
        v[g + f.MODELS] = models - total // v[g + f.WOUNDS_EACH]
        v[g + f.LOST] = total % v[g + f.WOUNDS_EACH]
        if v[f.STRIKES] > 1:  # each is on a model of its own that has one wound
            v[f.POINTS] -= 1
            v[f.A_WASTED] += lost * v[f.POINTS]
            v[f.STRIKES] -= lost
            if not v[f.STRIKES]:
                v[f.POINTS] = 0
        else:
            v[f.POINTS] -= points
            if v[g + f.MODELS] < models:
                self.died(v, g)
                if not self._streams(v):
                    v[f.A_WASTED] += v[f.POINTS]
                    v[f.POINTS] = 0
        if not v[f.POINTS]:
            v[f.STRIKES] = 0

    # What an edition says.

    def more(self, v):
        """Whether a stage waits before more damage is done; if not, wounds without a save may have FAILED."""
        raise NotImplementedError

    def hazard_damage(self, v):
        """How many mortal wounds a failed hazard roll gives."""
        raise NotImplementedError

    def died(self, v, g):
        """A model of this group is gone."""
