"""Players' words for the ids of stages, bins, options, numbers and outcomes. An id that is not here is its own word.

One id may be a bin, a number of an attack and more. A bin's word has room for 7 characters, a number's for 15, an
option's for 10 where it is the value of a number.
"""

_WORDS = {
    # Stages.
    "hit_reroll": "re-roll hits",
    "hit_reroll_dice": "hits again",
    "wound_reroll": "re-roll wounds",
    "wound_reroll_dice": "wounds again",
    "save_reroll": "re-roll saves",
    "save_reroll_dice": "saves again",
    "hit_ceaseless": "ceaseless",
    "hit_ceaseless_dice": "hits again",
    "hit_command": "command re-roll",
    "hit_command_dice": "that die again",
    "save_command": "command re-roll",
    "save_command_dice": "that die again",
    "foe_hit_reroll": "re-roll hits",
    "foe_hit_reroll_dice": "hits again",
    "foe_hit_ceaseless": "ceaseless",
    "foe_hit_ceaseless_dice": "hits again",
    "foe_hit_command": "command re-roll",
    "foe_hit_command_dice": "that die again",
    "foe_hit": "hit",
    "command_reroll": "command re-roll",
    "command_reroll_dice": "that die again",
    "reroll": "re-roll",
    "reroll_dice": "again",
    "other": "the other's die",
    "feel_no_pain": "feel no pain",
    "duel": "which die?",
    "resolve": "which die?",
    "jam": "jammed?",
    "shot": "shoot",
    "parry_dice": "parried die",
    "flame": "flames",
    # Options.
    "whole": "once",
    "one_of": "one of",
    "indirect_seen": "ind., seen",
    "sh2_symbols": "2nd own",
    "sh2_numbers_assumed": "2nd plain",
    "sh3_sh4": "3rd, 4th",
    "sh1": "1st",
    "close_combat": "close",
    "strike_critical": "strike: critical",
    "block_critical": "block a critical",
    "critical_blocks": "critical: block",
    # Outcomes.
    "shots": "missed shots",
    "own_mortal": "own mortals",
    "mortal": "mortal wounds",
    "own_damage": "damage taken",
    "own_incapacitated": "itself out",
    "own_stunned": "itself stunned",
    "incapacitated": "out of action",
    "attacker_removed": "attacker lost",
    # Dice rules.
    "w40k10": "40k 10th",
    "w40k11": "40k 11th",
    "killteam_shoot": "Kill Team shoot",
    "killteam_fight": "Kill Team fight",
}
_BINS = {
    "sustained": "sustain",
    "destroyed": "gone",
    "survives": "stays",
    "mortal": "mortal",
}
_NUMBERS = {
    # Numbers of a weapon.
    "ap": "AP",
    "attacks_dice": "attacks: dice",
    "attacks_sides": "attacks: D",
    "attacks_plus": "attacks: plus",
    "damage_dice": "damage: dice",
    "damage_sides": "damage: D",
    "damage_plus": "damage: plus",
    "damage_normal": "damage",
    "damage_critical": "critical damage",
    "anti_keyword": "anti what",
    "devastating_wounds": "devastating",
    "twin_linked": "twin-linked",
    "most": "at most",
    "need": "to reach",
    "kind": "what it is",
    "dice_profile": "edition, dice",
    "jam_to": "jams up to",
    "parry_attacking": "always parries",
    # What holds for an attack.
    "hit": "to hit",
    "wound": "to wound",
    "weapons": "how many",
    "stationary": "stood still",
    "hold": "more to come",
    "plunging": "plunging fire",
    "torrent_snap": "torrent too",
    "critical_precision": "crit: precision",
    "worse_hit": "hit worse by",
    "ignores_injury": "not injured",
    "foe_ignores_injury": "foe not injured",
    "no_rerolls": "no re-rolls",
    "foe_assist": "foe: assist",
    "foe_duellist": "foe: duellist",
    "foe_tough": "foe: tough",
    "foe_bulky": "foe: bulky",
    "band": "range",
    "same_target": "same target",
    "shots": "missed shots",
    "moving": "moves as well",
    "squares": "squares aflame",
    "reroll": "a re-roll",
    "sergeant": "A sergeant",
    "aspect": "attacked from",
    # Numbers of a target.
    "lost": "wounds lost",
    "majority": "most count",
    "allocated": "hit already",
    "extra_defence": "one die more",
    "automatic": "one save sure",
}


def word(name):
    """The players' word for an id."""
    return _WORDS.get(name) or name.replace("_", " ")


def bin_word(name):
    """That of a bin."""
    return _BINS.get(name) or word(name)


def title(name):
    """The word at the beginning of a line."""
    return _capital(word(name))


def number_title(name):
    """That of a number of an attack."""
    return _capital(number_word(name))


def number_word(name):
    """The same within a line."""
    return _NUMBERS.get(name) or word(name)


def _capital(text):
    return text[:1].upper() + text[1:]
