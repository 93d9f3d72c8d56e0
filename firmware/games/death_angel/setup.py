"""Setting up. Source: rules/death_angel.md 3."""

from games.death_angel.board import (
    ACTIVE,
    ALL_CARDS,
    ARTEFACT,
    CARDS,
    CURRENT,
    DECK,
    FACING,
    HERE,
    MARINES,
    NONE,
    OUT,
    OWNER,
    PATH,
    PATH_LEFT,
    PHYSICAL,
    ROW,
    ROWS_MOST,
    TABLE_LOCATIONS,
    TEAMS,
    TERRAIN,
    TERRAINS,
    WHERE,
    WHO,
    WIND,
    WIND_NEXT,
    card_of_setup,
    fill,
    players,
    rows,
)
from games.death_angel.texts import (
    T_DEAL,
    T_DEVICE_DEALS,
    T_OWN_CARDS,
    T_PHYSICAL_SETUP,
    T_READY,
    T_TEAMS_CHOSEN,
    T_TEAMS_HOW,
    T_TEAMS_RANDOM,
    T_WHICH_TEAM,
    T_WHO_HAS_CARDS,
)
from games.death_angel.view import FIGURE, TEAM, WORD

SETUP, EVENTS = 32, 128


def _begin(g, value):
    d = g.data
    for first, count, number in (
        (ROW, ROWS_MOST, NONE), (TERRAIN, TERRAINS, NONE), (OWNER, TEAMS, NONE), (WHERE, ALL_CARDS, DECK),
    ):
        for at in range(first, first + count):
            d[at] = number
    d[WHERE + CARDS] = d[WHERE + CARDS + 1] = OUT
    d[HERE] = d[ACTIVE] = d[CURRENT] = d[ARTEFACT] = d[WIND] = d[WIND_NEXT] = d[WHO] = NONE
    g.push(SETUP + 1)
    g.ask(SETUP)


def _mode(g, value, choice):
    g.data[PHYSICAL] = choice == T_OWN_CARDS


def _teams(g, value):
    """Which teams play, and whose they are: of a player, the teams one after the other."""
    g.push(SETUP + 3)
    if _wanted(g) < TEAMS or players(g) == 3:
        g.ask(SETUP + 1)
    else:
        _random_teams(g)


def _wanted(g):
    return card_of_setup(g)[0] * players(g)


def _how(g, value, choice):
    if choice == T_TEAMS_RANDOM:
        _random_teams(g)
    else:
        g.push(SETUP + 2, 0)


def _random_teams(g):
    teams = list(range(TEAMS))
    g.state.rng.shuffle(teams, 0, TEAMS)
    for i in range(_wanted(g)):
        g.data[OWNER + teams[i]] = i // card_of_setup(g)[0]


def _pick(g, number):
    if number < _wanted(g):
        g.ask(SETUP + 2, number)


def _free_teams(g, number):
    return [team for team in range(TEAMS) if g.data[OWNER + team] == NONE]


def _picked(g, number, team):
    g.data[OWNER + team] = number // card_of_setup(g)[0]
    g.push(SETUP + 2, number + 1)


def _team_text(g, number):
    return g.text(T_WHICH_TEAM) % (number // card_of_setup(g)[0] + 1)


def _deal(g, value):
    """The marines from the top; then the locations, terrain and piles of the setup card."""
    d = g.data
    marines = [marine for marine in range(MARINES) if d[OWNER + marine // 2] != NONE]
    if g.data[PHYSICAL]:
        _dealt(g, marines)
        return
    g.state.rng.shuffle(marines, 0, len(marines))
    for row in range(len(marines)):
        d[ROW + row] = marines[row]
    _lay(g)


def _dealt(g, marines):
    """With cards of their own the players say who stands where."""
    row = rows(g.data)
    if row < len(marines) - 1:
        g.push(SETUP + 3)
        g.ask(SETUP + 3, row)
    else:
        left = [marine for marine in marines if marine not in [g.data[ROW + i] for i in range(row)]]
        if left:
            g.data[ROW + row] = left[0]
        _lay(g)
        g.ask(SETUP + 4)


def _left_marines(g, row):
    d = g.data
    standing = [d[ROW + i] for i in range(row)]
    return [marine for marine in range(MARINES) if d[OWNER + marine // 2] != NONE and marine not in standing]


def _stands(g, row, marine):
    g.data[ROW + row] = marine


def _lay(g):
    d = g.data
    setup = card_of_setup(g)
    count = rows(d)
    for row in range(count):
        d[FACING + d[ROW + row]] = 0 if row < count // 2 else 1
    for i in range(4):
        terrain, position = setup[10 + 2 * i], setup[11 + 2 * i]
        d[TERRAIN + terrain] = 2 * (position - 1) if i < 2 else 2 * (count - position) + 1
    tiers = [tier for tier in setup[6:10] if tier != NONE]
    d[PATH_LEFT] = len(tiers)
    for i, tier in enumerate(tiers):
        found = [place for place in range(18) if g.row(TABLE_LOCATIONS, place)[0] == tier]
        d[PATH + i] = found[g.state.rng.below(len(found))]
    fill(g, setup[2], setup[3], 0)
    g.state.revealed = False
    first = g.state.rng.below(players(g))
    d[CURRENT] = [team for team in range(TEAMS) if d[OWNER + team] == first][0]
    d[ACTIVE] = NONE
    g.push(EVENTS + 8)  # the boxes of one event


STEPS = (_begin, _teams, _pick, _deal)
KINDS = (
    (T_WHO_HAS_CARDS, lambda g, value: (T_DEVICE_DEALS, T_OWN_CARDS), WORD, _mode, 0),
    (T_TEAMS_HOW, lambda g, value: (T_TEAMS_RANDOM, T_TEAMS_CHOSEN), WORD, _how, 0),
    (_team_text, _free_teams, TEAM, _picked, 0),
    (T_DEAL, _left_marines, FIGURE, _stands, 0),
    (T_PHYSICAL_SETUP, lambda g, value: (T_READY,), WORD, lambda g, value, choice: None, 0),
)
