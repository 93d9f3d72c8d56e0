"""Players' words for the ids of stages, bins, options, numbers and outcomes. An id that is not here is its own word."""

_WORDS = {
    "hit_reroll": "re-roll hits",
    "hit_reroll_dice": "hits again",
    "wound_reroll": "re-roll wounds",
    "wound_reroll_dice": "wounds again",
    "command_reroll": "command re-roll",
    "command_reroll_dice": "that die again",
    "reroll_dice": "again",
    "feel_no_pain": "feel no pain",
    "ap": "AP",
    "w40k10": "40k 10th",
    "w40k11": "40k 11th",
    "killteam_shoot": "Kill Team shoot",
    "killteam_fight": "Kill Team fight",
}


def word(name):
    """The players' word for an id."""
    return _WORDS.get(name) or name.replace("_", " ")


def title(name):
    """The same at the beginning of a line."""
    text = word(name)
    return text[:1].upper() + text[1:]
