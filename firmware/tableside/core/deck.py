"""What decks do: draw, reshuffle, move. Policies come from the pack's DECK and ZONE records."""

from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY
from tableside.core.state import O_CARD, O_DECK

# Bits of a deck's policy.
RESHUFFLE_WHEN_EMPTY = 1

# Where a moved card goes in its new zone.
END = 0
TOP = 1
RANDOM = 2

# Who may look at a zone.
OPEN = 0
OWNER = 1
SECRET = 2


def draw_zone(state, deck):
    """The number of the draw zone of `deck`: always the last."""
    return state.zones(deck) - 1


def shuffle_all(state, deck):
    """Bring every zone that returns (see ZONE) back to the draw zone, then shuffle it."""
    scenario = state.scenario
    first = scenario.deck(deck)[1]
    draw = draw_zone(state, deck)
    for zone in range(draw):
        if scenario.zone(first + zone)[4]:
            for _ in range(state.zone_count(deck, zone)):
                state.move_card(deck, zone, 0, draw, 0)
    state.shuffle_zone(deck, draw)


def draw(state, deck, zone):
    """Draw the top card to `zone`; an empty draw zone is refilled first where the policy says so, never before.

    Returns: whether there was a card. It is then the card in focus.
    """
    pile = draw_zone(state, deck)
    if not state.zone_count(deck, pile) and state.scenario.deck(deck)[6] & RESHUFFLE_WHEN_EMPTY:
        shuffle_all(state, deck)
    if not state.zone_count(deck, pile):
        state.data[O_DECK] = state.data[O_CARD] = NOBODY
        return False
    state.data[O_DECK] = deck
    state.data[O_CARD] = state.card(deck, pile, 0)
    _note_reveal(state, deck, pile, zone)
    state.move_card(deck, pile, 0, zone, state.zone_count(deck, zone))
    return True


def move(state, deck, source, position, target, place):
    """Move the card at `position` to END, TOP or a RANDOM place of another zone.

    Raises: RuleError if there is no such card, zone or place.
    """
    if not 0 <= source < state.zones(deck) or not 0 <= target < state.zones(deck):
        raise RuleError("no such zone", "%d > %d" % (source, target))
    count = state.zone_count(deck, target) - (1 if source == target else 0)
    if place == TOP:
        at = 0
    elif place == END:
        at = count
    elif place == RANDOM:
        state.card(deck, source, position)  # refuse before a random number is spent
        at = state.rng.below(count + 1)
    else:
        raise RuleError("no such place", place)
    _note_reveal(state, deck, source, target)
    state.move_card(deck, source, position, target, at)


def _note_reveal(state, deck, source, target):
    """Note that somebody who could not see a card in its old zone sees it in the new one."""
    first = state.scenario.deck(deck)[1]
    _, _, owner, look, _ = state.scenario.zone(first + source)
    _, _, new_owner, new_look, _ = state.scenario.zone(first + target)
    if new_look < look or (new_look == look == OWNER and new_owner != owner):
        state.revealed = True


def may_look(state, deck, zone, side):
    """Whether `side` (NOBODY: anyone passing by) may see the cards of a zone."""
    scenario = state.scenario
    _, _, owner, look, _ = scenario.zone(scenario.deck(deck)[1] + zone)
    return look == OPEN or (look == OWNER and owner == side)
