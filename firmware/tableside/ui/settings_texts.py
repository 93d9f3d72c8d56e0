"""The words of the settings screen; apart from the others because only that screen needs them."""

NAMES = {
    "contrast": "Contrast",
    "dim_after_s": "Dim after",
    "sleep_after_s": "Sleep after",
    "left_handed": "Left-handed",
    "turn": "Turn to player",
    "entry": "Dice",
    "ticks": "Key ticks",
    "clock": "Clock",
    "round_min": "Round target",
    "language": "Language",
    "games_kept": "Games kept",
    "hints": "Show hints again",
}
VALUES = {
    "left_handed": ("no", "yes"),
    "turn": ("no", "yes"),
    "ticks": ("no", "yes"),
    "clock": ("off", "on"),
    "entry": ("keyed in", "device rolls", "one by one"),
}
HELP = {
    "contrast": "Brightness of the display.",
    "dim_after_s": "Without a key for so long, the display gets dark.",
    "sleep_after_s": "Then it sleeps. The first key only wakes it.",
    "left_handed": "The device is held upside down, keys at the left hand.",
    "turn": "The picture turns to the player whose turn it is.",
    "entry": "How dice get into the device. UP and DOWN always key them in.",
    "ticks": "The buzzer ticks when a key is taken.",
    "clock": "Takes the time of each side. Undo gives none back.",
    "round_min": "The clock marks a round that takes longer, in the top line.",
    "language": "Of the device, and of games that have it.",
    "games_kept": "So many stay of the games that are over and on a computer.",
}
