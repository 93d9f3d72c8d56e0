"""What shooting and fighting of Kill Team have in common: the numbers of a weapon, rolling and retaining dice.

Source: rules/nemesis.md 8.2-8.4. A side's dice are a run of numbers in v: CRITS, NORMALS, FAILS of what it has
retained or may retain; FRESH to FRESH + 7 are the dice on the table by bin while they may be rolled again.
"""

from tableside.core.stages import bins_of, dice, pick

# Weapon rules that a request may name and that change no dice here; Blast and Torrent are further targets, each a
# request of its own with the same cover and obscured.
NO_DICE = ("blast", "heavy", "limited", "range", "seek", "seek_light", "silent", "torrent", "selection")
KEYWORDS = (
    "EXTRA_DEFENCE", "BULKY", "ARMOURED", "TOUGH", "SHIELDED", "SHIELDING", "DUELLIST", "IGNORES_INJURY", "ARROGANT",
)
PROFILE = (
    ("attacks", 1, 12, 4),
    ("hit", 2, 6, 3),
    ("damage_normal", 0, 20, 3),
    ("damage_critical", 0, 20, 4),
    ("accurate", 0, 2, 0),
    ("balanced", 0, 1, 0),
    ("brutal", 0, 1, 0),
    ("ceaseless", 0, 1, 0),
    ("devastating", 0, 9, 0),
    ("hot", 0, 1, 0),
    ("lethal", 0, 6, 0),
    ("piercing", 0, 3, 0),
    ("piercing_crits", 0, 3, 0),
    ("punishing", 0, 1, 0),
    ("relentless", 0, 1, 0),
    ("rending", 0, 1, 0),
    ("saturate", 0, 1, 0),
    ("severe", 0, 1, 0),
    ("shock", 0, 1, 0),
    ("stun", 0, 1, 0),
)
(
    ATTACKS,
    HIT,
    NORMAL_DAMAGE,
    CRITICAL_DAMAGE,
    ACCURATE,
    BALANCED,
    BRUTAL,
    CEASELESS,
    DEVASTATING,
    HOT,
    LETHAL,
    PIERCING,
    PIERCING_CRITS,
    PUNISHING,
    RELENTLESS,
    RENDING,
    SATURATE,
    SEVERE,
    SHOCK,
    STUN,
) = range(20)
SUCCESSES = ("hit", "saved", "crit")  # names of bins
WOUNDS, LOST = 1, 2  # of the numbers of a group
GROUP = (("models", 0, 1, 1), ("wounds", 1, 200, 10), ("lost", 0, 200, 0))


def injured(v, g):
    """Whether an operative has fewer than half of its wounds left (rules/nemesis.md 8.1). Args: g: its group in v."""
    return 2 * (v[g + WOUNDS] - v[g + LOST]) < v[g + WOUNDS]


def hurt(v, g, damage):
    """An operative takes damage; at no wounds it is incapacitated. Returns: the wounds that it lost."""
    lost = min(damage, v[g + WOUNDS] - v[g + LOST])
    v[g + LOST] += lost
    if v[g + LOST] >= v[g + WOUNDS]:
        v[g] = 0
        v[g + LOST] = 0
    return lost


def roll_bins(need, lethal, apart, success="hit"):
    """The bins of attack or defence dice.

    Args: apart: whether each failing face is a bin of its own (Ceaseless); success: the name of a normal one.
    """
    crit = max(need, lethal) if lethal else 6
    if not apart:
        return bins_of((1, "fail"), (need, success), (crit, "crit"))
    fails = tuple((face, face, str(face)) for face in range(1, need))
    return fails + bins_of((need, success), (crit, "crit"))


class Roll:
    """One side's roll: the dice, its re-rolls one after the other, and what they come to.

    The steps are numbers; each is passed over where it has nothing to do. A die that was rolled again lies apart, and
    is never rolled again.

    Args: at: the first of SIZE numbers in v; who: as of a Stage; name: of the stage.
    """

    # Numbers from `at` on: criticals, normals and fails that stand, the step, dice picked up, fresh dice by bin.
    CRITS, NORMALS, FAILS, STEP, PICKED, FRESH = range(6)
    SIZE = 6 + 7
    ROLL, CEASE, CEASED, PICK, PICKED_UP, COMMAND, COMMANDED, DONE = range(8)

    def __init__(self, at, who, name):
        self.at = at
        self.who = who
        self.name = name

    def begin(self, v, count):
        """Roll so many dice."""
        for i in range(self.at, self.at + self.SIZE):
            v[i] = 0
        v[self.at + self.PICKED] = count
        v[self.at + self.STEP] = self.ROLL if count else self.DONE

    def done(self, v):
        """Whether all is rolled."""
        return v[self.at + self.STEP] == self.DONE

    def stage(self, v, bins, ceaseless, rerolls, command):
        """The stage that waits. Args: bins: as of `roll_bins`; rerolls: how many fails may be picked up; command: 1
        for a command re-roll of one die. Call `settle` with the same after each change of v."""
        step = v[self.at + self.STEP]
        if step in (self.ROLL, self.CEASED, self.PICKED_UP, self.COMMANDED):
            suffix = {self.ROLL: "", self.CEASED: "_ceaseless_dice", self.PICKED_UP: "_reroll_dice",
                      self.COMMANDED: "_command_dice"}[step]
            return dice(self.name + suffix, self.who, v[self.at + self.PICKED], bins)
        fresh = self._fresh(v, bins)
        default = [0] * len(bins)
        if step == self.CEASE:  # all dice of one result
            best = self._most(fresh, bins)
            default[best] = fresh[best]
            return pick(self.name + "_ceaseless", self.who, bins, fresh, max(fresh), tuple(default), alone=True)
        most = rerolls if step == self.PICK else 1
        left = most
        for i, (_, _, name) in enumerate(bins):
            if name not in SUCCESSES:
                default[i] = min(left, fresh[i])
                left -= default[i]
        suffix = "_reroll" if step == self.PICK else "_command"
        return pick(self.name + suffix, self.who, bins, fresh, most, tuple(default))

    def _fresh(self, v, bins):
        return tuple(v[self.at + self.FRESH + i] for i in range(len(bins)))

    def _most(self, fresh, bins):
        best = 0
        for i, (_, _, name) in enumerate(bins):
            if name not in SUCCESSES and fresh[i] > fresh[best]:
                best = i
        return best

    def enter(self, v, counts, bins):
        """Dice of the roll, dice picked up, or these rolled again."""
        step = v[self.at + self.STEP]
        first = self.at + self.FRESH
        if step == self.ROLL:
            for i, count in enumerate(counts):
                v[first + i] += count
            v[self.at + self.PICKED] = 0
            v[self.at + self.STEP] = self.CEASE
        elif step in (self.CEASE, self.PICK, self.COMMAND):
            for i, count in enumerate(counts):
                v[first + i] -= count
            v[self.at + self.PICKED] = sum(counts)
            v[self.at + self.STEP] = step + 1 if sum(counts) else step + 2
        else:
            for (_, _, name), count in zip(bins, counts):
                self._stand(v, name, count)
            v[self.at + self.PICKED] = 0
            v[self.at + self.STEP] = step + 1

    def _stand(self, v, name, count):
        v[self.at + {"crit": self.CRITS, "hit": self.NORMALS, "saved": self.NORMALS}.get(name, self.FAILS)] += count

    def settle(self, v, bins, ceaseless, rerolls, command):
        """Pass over the steps that have nothing to do; at the end every die stands."""
        fresh = self._fresh(v, bins)
        fails = sum(count for count, bin in zip(fresh, bins) if bin[2] not in SUCCESSES)
        at = self.at + self.STEP
        if v[at] == self.CEASE and not (ceaseless and fails):
            v[at] = self.PICK
        if v[at] == self.PICK and not (rerolls and fails):
            v[at] = self.COMMAND
        if v[at] == self.COMMAND and not (command and sum(fresh)):
            v[at] = self.DONE
        if v[at] == self.DONE:
            for i, bin in enumerate(bins):
                self._stand(v, bin[2], v[self.at + self.FRESH + i])
                v[self.at + self.FRESH + i] = 0


def retain(v, roll, accurate, punishing, rending, severe, critical_first):
    """What retained dice become by Punishing, Rending and Severe (rules/nemesis.md 8.3).

    Args: accurate: dice that were retained without a roll; critical_first: whether a critical is wanted at all (with
    some weapons it does less than a normal one). Returns: whether a critical was retained by the roll itself.
    """
    crits, normals, fails = roll.at + roll.CRITS, roll.at + roll.NORMALS, roll.at + roll.FAILS
    rolled = v[normals]
    crit = v[crits] > 0
    v[normals] += accurate
    if crit and punishing and v[fails]:
        v[fails] -= 1
        v[normals] += 1
    if crit and rending and rolled and critical_first:
        v[normals] -= 1
        v[crits] += 1
    if not crit and severe and v[normals] and critical_first:
        v[normals] -= 1
        v[crits] += 1
    return crit
