"""Death Angel: what comes when. Steps and questions are numbered by module: the module's place here * 32 + its own.

Source: rules/death_angel.md 3 and 4. A module has STEPS, functions (g, value), and KINDS of questions: (text or a
function (g, value) of it, choices (g, value), how they are labelled, answer (g, value, choice), text of no choice).
"""

from games.death_angel.board import (
    ACTIVE,
    APART,
    ATTACKED,
    CARDS,
    CHOSEN,
    CURRENT,
    EVASION,
    FIELD,
    FORMATION,
    HERE,
    JAM,
    JAM_NEXT,
    LAST,
    LEFT,
    LORDS,
    NEXT,
    NONE,
    NOW,
    OUT,
    OWNER,
    PATH_LEFT,
    PHASE,
    PHYSICAL,
    RESOLVED,
    RIGHT,
    S_MERGE,
    TABLE_ACTIONS,
    TEAM,
    TEAMS,
    TERRAIN_USED,
    TERRAINS,
    TRAVEL,
    WHERE,
    WIND,
    WIND_NEXT,
    clear,
    count,
    in_formation,
    marines,
    players,
    rows,
    setting,
)
from games.death_angel.board import sound as board_sound
from games.death_angel.texts import T_BEGIN, T_CHOOSE, T_CHOOSE_CARDS, T_CHOSEN, T_FIXES, T_SHOW
from games.death_angel.view import CARD, DIE, SECRET, WORD
from tableside.core.code import Question

CALLS = ("setup", "choose", "resolve", "attack", "event", "overwatch", "end-phase", "clean-up")
KEPT = ("rules", "board", "view")
PARTS = ("rules", "setup", "actions", "fight", "events", "places", "hand")
RULES, SETUP, ACTIONS, FIGHT, EVENTS, PLACES = 0, 32, 64, 96, 128, 160
_FIRST = (SETUP, RULES, RULES + 1, FIGHT, EVENTS, FIGHT + 1, RULES + 4, RULES + 3)  # the steps of the entries

# The questions during which things may be changed by hand.
_CALM = (
    RULES, RULES + 1, RULES + 2, RULES + 3, ACTIONS, ACTIONS + 1, ACTIONS + 2, ACTIONS + 3, ACTIONS + 4, ACTIONS + 6,
    ACTIONS + 7, ACTIONS + 8, FIGHT + 4, FIGHT + 5, EVENTS + 3, EVENTS + 12,
)
WON, LOST = 0, 1  # results
LAIR = 15
def call(g, entry, value):
    """An effect of a step."""
    g.push(_FIRST[entry], value)


def _part(g, number):
    return g.part(PARTS[number >> 5])


def run(g, step, value):
    """A step of the agenda."""
    _part(g, step).STEPS[step & 31](g, value)
    _check(g)


def question(g, kind, value):
    """What is asked: see the table KINDS of the module."""
    view = g.part("view")
    text, choices, label, _, none = _part(g, kind).KINDS[kind & 31]
    found = choices(g, value)
    secret = label & SECRET
    label &= ~SECRET
    text = g.text(text) if isinstance(text, int) else text(g, value)
    asked = Question(view.title(g), text, [view.label(g, label, choice, none) for choice in found])
    asked.side = g.data[ACTIVE]
    asked.secret = secret and players(g) > 1 and not g.data[PHYSICAL]
    asked.die = label == DIE and len(found) == 6
    asked.details = view.details(g, label, found)
    lines = [view.row(g, label, choice) for choice in found]
    if min(lines) < NONE:
        asked.rows = lines
    return asked


def answer(g, kind, value, option):
    """Go on with the choice."""
    _, choices, _, act, _ = _part(g, kind).KINDS[kind & 31]
    act(g, value, choices(g, value)[option])
    _check(g)


def _check(g):
    """Whether the game is won or lost now. Both at once is won."""
    d = g.data
    if not d[PHASE] or d[NOW] & TRAVEL or g.over():
        return
    lords = d[LORDS] and d[HERE] == LAIR and d[WHERE + CARDS] == OUT and d[WHERE + CARDS + 1] == OUT
    if lords or not d[PATH_LEFT] and not in_formation(d) and not count(d, LEFT) + count(d, RIGHT):
        g.finish(WON)
    elif not rows(d):
        g.finish(LOST)


def lose_team(d, team):
    """Both marines of a team are slain: its cards leave the game, somebody else is the current player."""
    if not marines(d, team):
        if d[CURRENT] == team:
            others = [t for t in in_order(d) if t != team]
            d[CURRENT] = others[0] if others else NONE
        d[CHOSEN + team] = 0


def in_order(d):
    """The living teams that have chosen a card, by its number."""
    found = [(d[CHOSEN + team], team) for team in range(TEAMS) if d[CHOSEN + team] and marines(d, team)]
    return [team for _, team in sorted(found)]


def alive(d):
    """The living teams, those of a player together."""
    found = [(d[OWNER + team], team) for team in range(TEAMS) if d[OWNER + team] != NONE and marines(d, team)]
    return [team for _, team in sorted(found)]


# --- choosing cards --------------------------------------------------------------------------------------------------


def hand(g, team):
    """The numbers of a team's cards that may be chosen: not the last one, no attack after a jam."""
    d = g.data
    return [number for number in range(1, 19) if g.row(TABLE_ACTIONS, number - 1)[0] == team
            and number != d[LAST + team] and not (number > 12 and d[TEAM + team] & JAM)]


def _choose(g, value):
    """All choose a card in secret; with cards of their own they do that on the table, and reveal them."""
    d = g.data
    d[PHASE] = 1
    open_teams = [team for team in alive(d) if not d[CHOSEN + team]]
    if value == 0 and d[PHYSICAL]:
        d[ACTIVE] = NONE
        g.push(RULES, 1)
        g.ask(RULES + 1)
    elif open_teams:
        d[ACTIVE] = open_teams[0]
        g.push(RULES, 1)
        g.ask(RULES + (2 if d[PHYSICAL] else 0), open_teams[0])


def _chosen(g, team, number):
    g.data[CHOSEN + team] = number


def _resolve(g, value):
    """The lowest card makes the current player; then each card in order."""
    d = g.data
    d[PHASE] = 2
    order = in_order(d)
    d[CURRENT] = order[0]
    d[ACTIVE] = NONE
    g.push(RULES + 2)
    g.ask(RULES + 3)


def _next_card(g, value):
    d = g.data
    clear(d, APART)
    for team in in_order(d):
        if not d[TEAM + team] & RESOLVED:
            d[TEAM + team] |= RESOLVED
            d[ACTIVE] = team
            g.push(RULES + 2)
            g.push(ACTIONS, d[CHOSEN + team])
            return
    d[ACTIVE] = NONE


def _revealed(g, value):
    view = g.part("view")
    return "\n".join(view.card(g, g.data[CHOSEN + team]) for team in in_order(g.data))


def _nothing(g, value, choice):
    """Only read."""


# --- ends ------------------------------------------------------------------------------------------------------------


def _clean_up(g, value):
    """The round is over: what held for it ends, what was meant for the next begins."""
    d = g.data
    clear(d, FIELD | APART | ATTACKED)
    for terrain in range(TERRAINS):
        d[TERRAIN_USED + terrain] = 0
    for team in range(TEAMS):
        if d[CHOSEN + team]:
            d[LAST + team] = d[CHOSEN + team]
        d[CHOSEN + team] = 0
        d[TEAM + team] = JAM if d[TEAM + team] & JAM_NEXT else 0
    d[NOW] = d[NEXT] & (EVASION | FORMATION)
    d[NEXT] = 0
    d[WIND] = d[WIND_NEXT]
    d[WIND_NEXT] = NONE
    d[ACTIVE] = NONE


def _end_phase(g, phase):
    """Swarms that were kept apart are one again; travel if a pile is empty and there is somewhere to go."""
    d = g.data
    d[ACTIVE] = NONE
    if d[PATH_LEFT] and not (count(d, LEFT) and count(d, RIGHT)):
        g.push(PLACES, phase)
    if phase == 3:
        clear(d, ATTACKED | (APART if setting(g, S_MERGE) else 0))
    elif phase == 4:
        clear(d, APART)


STEPS = (_choose, _resolve, _next_card, _clean_up, _end_phase)
KINDS = (
    (T_CHOOSE, hand, CARD | SECRET, _chosen, 0),
    (T_CHOOSE_CARDS, lambda g, value: (T_SHOW,), WORD, _nothing, 0),
    (T_CHOSEN, hand, CARD, _chosen, 0),
    (_revealed, lambda g, value: (T_BEGIN,), WORD, _nothing, 0),
)


def sound(g):
    """Whether the bytes can be."""
    return board_sound(g.data)


def fixes(g):
    """The names of the corrections by hand: where nothing that was begun depends on how things stand."""
    return [g.text(T_FIXES + i) for i in range(10)] if g.data[PHASE] and g.state.top()[1] in _CALM else []


def fix(g, number):
    """Begin one."""
    g.part("hand").fix(g, number)


def pages(g):
    """The formation, the piles."""
    return g.part("view").pages(g)


def page(g, number):
    """A page."""
    return g.part("view").page(g, number)


def summary(g):
    """What matters at any time."""
    return g.part("view").summary(g)
