"""The words of the dice tools; apart from the others because only they need them."""

TOOLS = {
    "RollOff": "Roll-off",
    "Coin": "Coin",
    "PickNumber": "Pick a number",
    "Scatter": "Scatter",
    "OwnDice": "Own dice",
    "Average": "Dice average",
}
ROLL_AGAIN = "again"
REROLL = "re-roll"
KEEP_BEST = "best %d"
KEEP_WORST = "worst %d"
DROPS = "drops %d"
THEN = ("Add a number", "Keep some", "More dice", "Roll")
OWN_LABELS = ("dice", "sides", "", "added")
WON_BY = "Won by %s"
TIES = "ties: %d"
FIRST_SECOND = ("First", "Second")
COIN_SIDES = ("Heads", "Tails")
ONE_OF = "of %d"
O_CLOCK = "o'clock"
DICE_COUNTED = "%d dice"
HOLD_CLEAR = "hold: clear"
CLEAR = "clear"
CLEAR_AVERAGE = "Forget these %d dice?"
