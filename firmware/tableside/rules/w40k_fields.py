"""What the dice of the two editions of Warhammer 40,000 have in common: the numbers of a request and of its progress.

The numbers of the progress are counted from the end of v, so that they have the same place for any number of groups.
"""

KEYWORDS = (
    "INFANTRY",
    "VEHICLE",
    "MONSTER",
    "CHARACTER",
    "MOUNTED",
    "BEAST",
    "SWARM",
    "FLY",
    "PSYKER",
    "DAEMON",
    "CHAOS",
    "TYRANIDS",
    "TITANIC",
    "WALKER",
    "AIRCRAFT",
)
VEHICLE_OR_MONSTER = 6
# Weapon abilities that change no dice: a request may name them.
NO_DICE = ("assault", "close_quarters", "extra_attacks", "one_shot", "pistol", "psychic")
BARE = ("blast",)  # it may go without its number

PROFILE = (
    ("attacks_dice", 0, 6, 0),
    ("attacks_sides", 3, 6, 6),
    ("attacks_plus", 0, 60, 1),
    ("skill", 0, 6, 3),  # 0: N/A; the number to reach of dice that give mortal wounds
    ("strength", 1, 60, 4),
    ("ap", -9, 0, 0),
    ("damage_dice", 0, 6, 0),
    ("damage_sides", 3, 6, 6),
    ("damage_plus", 0, 60, 1),
    ("melee", 0, 1, 0),
    ("torrent", 0, 1, 0),
    ("sustained_hits", 0, 6, 0),
    ("lethal_hits", 0, 1, 0),
    ("anti", 0, 6, 0),
    ("anti_keyword", 0, 14, 0),
    ("twin_linked", 0, 1, 0),
    ("lance", 0, 1, 0),
    ("devastating_wounds", 0, 1, 0),
    ("ignores_cover", 0, 1, 0),
    ("precision", 0, 1, 0),
    ("melta", 0, 9, 0),
    ("blast", 0, 3, 0),
    ("rapid_fire", 0, 20, 0),
    ("heavy", 0, 1, 0),
    ("hazardous", 0, 1, 0),  # a reminder: its own roll is a request of kind "hazardous"
    ("kind", 0, 4, 0),
    ("most", 0, 60, 0),  # of mortal wounds, 0: any number
)
(
    ATTACKS_DICE,
    ATTACKS_SIDES,
    ATTACKS_PLUS,
    SKILL,
    STRENGTH,
    AP,
    DAMAGE_DICE,
    DAMAGE_SIDES,
    DAMAGE_PLUS,
    MELEE,
    TORRENT,
    SUSTAINED_HITS,
    LETHAL_HITS,
    ANTI,
    ANTI_KEYWORD,
    TWIN_LINKED,
    LANCE,
    DEVASTATING,
    IGNORES_COVER,
    PRECISE,
    MELTA,
    BLAST,
    RAPID_FIRE,
    HEAVY,
    HAZARDOUS,
    KIND,
    MOST,
) = range(27)

# Kinds. ATTACK; DICE: each die of SKILL or more gives mortal wounds; HAZARD: a roll for each hazardous weapon; MORTAL:
# mortal wounds without dice; the last is of one edition only.
KINDS = ("attack", "mortal_dice", "hazardous", "mortal")
ATTACK, MORTAL_DICE, HAZARD, MORTAL_WOUNDS, OWN_KIND = range(5)

MODIFIERS = (
    ("weapons", 1, 40, 1),  # of this profile that shoot or strike
    ("half_range", 0, 1, 0),
    ("cover", 0, 1, 0),
    ("hit", -9, 9, 0),  # the sum, before its cap
    ("wound", -9, 9, 0),
    ("ap", -9, 9, 0),  # negative: better
    ("save", -9, 9, 0),
    ("stationary", 0, 1, 0),  # what HEAVY asks for
    ("charged", 0, 1, 0),  # what LANCE asks for
    ("hit_reroll", 0, 3, 0),
    ("wound_reroll", 0, 3, 0),
    ("critical_hit", 0, 6, 0),  # from this number on, 0: as always
    ("critical_wound", 0, 6, 0),
    ("sustained", 0, 6, 0),  # given to the weapon; the greater counts
    ("lethal", 0, 1, 0),
    ("command_reroll", 0, 6, 0),
)
(
    WEAPONS,
    HALF_RANGE,
    COVER,
    HIT_PLUS,
    WOUND_PLUS,
    AP_PLUS,
    SAVE_PLUS,
    STATIONARY,
    CHARGED,
    HIT_REROLL,
    WOUND_REROLL,
    CRITICAL_HIT,
    CRITICAL_WOUND,
    SUSTAINED,
    LETHAL,
    COMMAND,
    OWN_MODIFIERS,  # those of one edition follow
) = range(27, 44)
REROLLS = ("none", "ones", "failures", "any")
NO_REROLL, ONES, FAILURES, ANY = range(4)

GROUP = (
    ("models", 0, 40, 1),
    ("wounds", 1, 60, 1),
    ("lost", 0, 59, 0),
    ("save", 0, 7, 0),
    ("invulnerable", 0, 6, 0),
    ("feel_no_pain", 0, 6, 0),
    ("character", 0, 2, 0),  # 2: one that the attacker does not see
)  # and one of an edition
MODELS, WOUNDS_EACH, LOST, SAVE, INVULNERABLE, FEEL_NO_PAIN, CHARACTER, OWN_GROUP = range(8)

# The progress.
(
    AT,  # where the chain is: STEPS * roll + step, or one of the places below
    DICE,  # to be rolled
    POOL,  # 0; how many dice there are at the start of the stage whose dice are independent; -1: one of them is alone
    F0,  # to F0 + 5: dice on the table by bin, while they may be rolled again; then save dice by lowest face
    _F1,
    _F2,
    _F3,
    _F4,
    _F5,
    HITS,  # to be rolled to wound; attacks while their number is rolled
    WOUNDS,  # to be saved
    SPECIAL,  # critical wounds that are to be saved apart
    CRITS,  # critical wounds that devastate
    FAILED,  # strikes that wait for their damage
    POINTS,  # of damage that wait, of each of the strikes
    MODE,
    AIM,  # 0: not asked, 1: no one, 2 and more: the group that precision is at
    BEGAN_MODELS,
    BEGAN_WOUNDS,
) = range(-28, -9)
STRIKES = HITS  # later on: strikes whose damage is rolled, or ignored, at once
PROGRESS = 28
A_HITS, A_CRITICAL_HITS, A_WOUNDS, A_CRITICAL, A_UNSAVED, A_MORTAL, A_LOST, A_WASTED, A_EXCESS = range(-9, 0)
AUDIT = (
    (A_HITS, "hits"),
    (A_CRITICAL_HITS, "critical_hits"),
    (A_WOUNDS, "wounds"),
    (A_CRITICAL, "critical_wounds"),
    (A_UNSAVED, "unsaved"),
    (A_MORTAL, "mortal"),
    (A_LOST, "wounds_lost"),
    (A_WASTED, "wasted"),
    (A_EXCESS, "lost_dice"),
)
OUTCOMES = ("wounds_lost", "destroyed")

# Modes of damage: of a wound that was not saved; mortal wounds that one model takes; mortal wounds that spill over.
NORMAL, ONE_MODEL, SPILL = range(3)

# Rolls, and the steps of each: the roll, the pick of dice to roll again, these, and the same of a command re-roll.
R_ATTACKS, R_HIT, R_WOUND, R_SAVE, R_DAMAGE, R_IGNORE, R_MORTAL = range(7)
ROLLS = ("attacks", "hit", "wound", "save", "damage", "feel_no_pain", "mortal")
COMMANDS = ("none", "attacks", "hit", "wound", "save", "damage", "hazard")
STEPS = 5
ROLL, PICK, AGAIN, COMMAND_PICK, COMMAND_AGAIN = range(STEPS)
P_LETHAL, P_GATHERED, P_PRECISION, P_READY, P_END = range(35, 40)
