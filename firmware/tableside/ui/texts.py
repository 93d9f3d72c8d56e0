"""All words of the interface, in one place."""

APP = "Tableside"
RESUME = "Resume"
NEW_GAME = "New game"
GAMES = "Saved games"
NO_PACKS = "No games on this device. Copy a pack into packs/."
CHOOSE_GAME = "Choose a game"
CHOOSE_SCENARIO = "Choose a mission"
BEGIN = "Begin"
SEAL = "Seal"
ROUND = "R"
MORE = "more"
CHOOSE = "choose"
OPEN = "open"
BACK = "back"
YES = "yes"
NO = "no"
NEXT = "go on"
NEXT_DIE = "next die"
ENTER = "enter"
TICK = "tick"
UNTICK = "untick"
SAVE = "set"
SHOW = "show"
HIDE = "hide"
HOME = "Home"
ALL_COUNTERS = "Counters"
REMINDERS = "Reminders"
UNITS = "Units"
ADD_UNIT = "add a unit"
BY_NUMBERS = "By numbers"
REMOVE = "Remove"
WOUNDS_LOST = "Wounds lost"
MODELS_LEFT = "Models left"
UNIT_NUMBERS = ("Models", "Wounds each", "Toughness", "Save", "Invulnerable", "Feel no pain")
ADD = "add"
CHANGE = "change"
NEXT_NUMBER = "next"
NONE = "none"
OUT_OF_ACTION = "x"
WOUND = "w"  # after the models: wounds lost by the one that is hurt
NO_REMINDERS = "Nothing to remember in this step."
DECK = "deck"
SEEN = "seen"
EMPTY = "empty"
FACE_DOWN = "face down"
PASS = "Pass the device to"
PRIVATE = "Nobody else looking?"
MENU = "Menu"
UNDO = "Undo"
REDO = "Redo"
UNDONE = "Undone: "
REDONE = "Redone: "
NOTHING_TO_UNDO = "Nothing to undo"
NOTHING_TO_REDO = "Nothing to redo"
NOTES = "Notes"
NO_NOTES = "No notes in this pack."
JUMP = "Go to a step"
END_GAME = "End the game"
DRAW_BY_HAND = "Draw by hand"
SHUFFLE_BY_HAND = "Shuffle all back"
LOOK_AT_TOP = "Look at the top"
TOP_OF_PILE = "Top of the pile"
NEXT_CARD = "next"
FIND_CARD = "Find a card"
NO_COPY = "No copy to take"
LEFT = "left"
PUT_ON_TOP = "Back on top"
PUT_ON_BOTTOM = "To the bottom"
PUT_AT_RANDOM = "Back at random"
PUT_TO = "To "
PUT_NEWEST = "Newest where it is"
PUT_OLDEST = "Oldest where it is"
ENDED = "Game over"
NO_RESULT = "No result"
SEED = "Seed"
ERROR = "Something failed"
ERROR_KEPT = "The game is kept. "
NOT_SAVED = "Not saved: "
IN_RAM_ONLY = "Not saved! The game is in memory only."
PACK_NOT_KEPT = "No copy of this version of the game could be kept:"
LEAVE_UNSAVED = "This game is not saved and will be lost. Leave it?"
OLDER = "Older games"
DELETE = "Delete"
HOLD_DELETE = "hold del"
HISTORY = "History"
CONCEDES = "concedes"
ABANDON = "Abandon: no result"
ABANDONED = "Abandoned"
AGREED = "agree"
ROLL = "roll"
BY_HAND = "by hand"
CLOCK = "Clock"
WHOLE_GAME = "Whole game"
ABOUT = "About"
FREE_RAM = "Free memory"
FREE_FLASH = "Free flash"
PYTHON_NAMES = {"micropython": "MicroPython", "cpython": "CPython"}
SETTINGS = "Settings"
NEVER = "never"
OWN_LANGUAGE = "own"
HINTS_AGAIN = "First-use hints will be shown again"
SETTING_NAMES = {
    "contrast": "Contrast",
    "dim_after_s": "Dim after",
    "sleep_after_s": "Sleep after",
    "left_handed": "Left-handed",
    "turn": "Turn to player",
    "entry": "Dice",
    "language": "Language",
    "hints": "Show hints again",
}
SETTING_VALUES = {
    "left_handed": ("no", "yes"),
    "turn": ("no", "yes"),
    "entry": ("by count", "die by die", "device rolls"),
}
SETTING_HELP = {
    "contrast": "Brightness of the display.",
    "dim_after_s": "Without a key for so long, the display gets dark.",
    "sleep_after_s": "Then it sleeps. The first key only wakes it.",
    "left_handed": "The device is held upside down, keys at the left hand.",
    "turn": "The picture turns to the player whose turn it is.",
    "entry": "How dice get into the device. UP and DOWN always key them in.",
    "language": "Language of the games that have it.",
}
# Said once each, when something is seen for the first time.
HINT_HOME = "UP DOWN move, OK does what the last line says"
HINT_PLAY = "Hold OK for the menu, hold BACK to undo"
HINT_DICE = "UP DOWN set the die, BACK goes to the one before"
HINTS = (HINT_HOME, HINT_PLAY, HINT_DICE)
