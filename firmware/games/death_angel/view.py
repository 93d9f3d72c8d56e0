"""Words and pages: how choices are labelled, the formation and the piles."""

from games.death_angel.board import (
    ACTIVE,
    ARTEFACT,
    CARDS,
    CHOSEN,
    EVENT,
    FACING,
    FIELD,
    FLAGS,
    HERE,
    HERE_TOKENS,
    LEFT,
    NONE,
    PATH_LEFT,
    PHASE,
    RIGHT,
    ROW,
    TABLE_EVENTS,
    TABLE_MARINES,
    TARGET,
    TERRAIN,
    TERRAIN_TOKENS,
    TOKENS,
    WHERE,
    WHO,
    count,
    members,
    pool,
    rows,
    swarm_of,
    swarms,
    terrain_at,
)
from games.death_angel.texts import (
    T_BOTH_TURN,
    T_BROOD_LORDS,
    T_CARDS,
    T_CHARGE,
    T_DEFENDS,
    T_EFFECTS,
    T_FORMATION,
    T_GO_ON,
    T_HERE,
    T_HOLDS_ARTEFACT,
    T_ICONS,
    T_LOCATION_TEXTS,
    T_LOCATIONS,
    T_MARINES,
    T_MOVED,
    T_NO_MOVE,
    T_PILE_NAMES,
    T_PILES,
    T_PLACE,
    T_RANGE,
    T_REROLL,
    T_ROLL_WORDS,
    T_ROLLS,
    T_SHORT_TERRAIN,
    T_SIDES,
    T_SLAYS,
    T_SUMMARY,
    T_TEAMS,
    T_TERRAIN,
    T_TOKENS,
    T_TYPES,
    T_VOID_LOCK,
)
from tableside.core.code import Page
from tableside.core.fields import card_title
from tableside.core.pack import CARD as CARD_RECORD
from tableside.core.state import O_STEP

# How choices are labelled; SECRET beside one of them: for the eyes of who decides.
(
    CARD, WORD, MARINE, SWARM, PLACE, ICON, PILE, TEAM, EVENT_CARD, LOCATION, SHOT, MOVE, USE, KILL, DIE, NUMBER,
    FIGURE, SLAIN, TURN, LORD, TERRAIN_CARD, SEEN,
) = range(22)
SECRET = 64
_ROLLS = ("slain", "miss", "zero", "skull", "4", "safe", "launch", "wait", "keep", "token", "artefact", "roll")
_MARINE_ATTACK, _GENESTEALER_ATTACK = 0, 2
_CHARGE = 250
_BOTH = 64


def name(g, marine):
    """A marine's name."""
    return g.text(T_MARINES + marine)


def card(g, number):
    """An action card with its team."""
    return "%d %s" % (number, g.text(T_CARDS + number - 1))


def event(g, kind):
    """The title and text of an event."""
    pack = g.state.scenario.pack
    record = pack.record(CARD_RECORD, g.state.scenario.deck(0)[3] + kind)
    return pack.text(record[0]) + "\n" + pack.text(record[1])


def location(g, place):
    """The name of a location; what it does."""
    return g.text(T_LOCATIONS + place) if place != NONE else g.text(T_VOID_LOCK)


def location_text(g, place):
    """What a location does."""
    return g.text(T_LOCATION_TEXTS + place) if place != NONE else ""


def terrain(g, number):
    """The name of a terrain."""
    return g.text(T_TERRAIN + number)


def place(g, at):
    """Row and side."""
    return g.text(T_PLACE) % ((at >> 1) + 1, g.text(T_SIDES + (at & 1)))


def icons(d, cards):
    """A letter for each genestealer, in the order of icons; brood lords at the end."""
    return "".join("htcl"[card // 9] if card < CARDS else "B" for card in cards)


def swarm(g, code):
    """Where, how many, which."""
    cards = members(g.data, code)
    return "%d%s %d %s" % (((code & 31) >> 1) + 1, g.text(T_SIDES + (code & 1)), len(cards), icons(g.data, cards))


def _shot(g, choice):
    d = g.data
    row, target = choice >> 8, choice & 255
    who = name(g, d[ROW + row])
    if target == _CHARGE:
        return g.text(T_CHARGE)
    return "%s > %d%s %d" % (who[:6], ((target & 31) >> 1) + 1, g.text(T_SIDES + (target & 1)), len(members(d, target)))


def label(g, kind, choice, none):
    """A choice in words."""
    d = g.data
    if choice == NONE and none:
        return g.text(none)
    if kind == CARD:
        return card(g, choice)
    if kind == WORD:
        return g.text(choice)
    if kind == MARINE:
        return name(g, d[ROW + choice])
    if kind in (FIGURE, SLAIN):
        return name(g, choice)
    if kind == SWARM:
        return swarm(g, choice)
    if kind == PLACE:
        return place(g, choice)
    if kind == ICON:
        return g.text(T_ICONS + choice)
    if kind == PILE:
        return "%s %d" % (g.text(T_PILE_NAMES + choice - LEFT), count(d, choice))
    if kind == TEAM:
        return g.text(T_TEAMS + choice)
    if kind == EVENT_CARD:
        return card_title(g.state, 0, choice)
    if kind == LOCATION:
        return location(g, choice)
    if kind == SHOT:
        return _shot(g, choice)
    if kind == MOVE:
        who, goal = choice >> 4, choice & 15
        return "%s %s %d" % (name(g, d[ROW + who]), "↓" if goal > who else "↑", goal + 1)
    if kind == TURN:
        return g.text(T_BOTH_TURN) if choice == _BOTH else _turn(g, d[ROW + choice])
    if kind == USE:
        return "%s: %s" % (name(g, d[ROW + (choice >> 3)])[:7], terrain(g, choice & 7))
    if kind == KILL:
        code = swarm_of(d, choice)
        icon = T_ICONS + choice // 9 if choice < CARDS else T_BROOD_LORDS + choice - CARDS
        return "%d%s %s" % (((code & 31) >> 1) + 1, g.text(T_SIDES + (code & 1)), g.text(icon))
    if kind == LORD:
        return "%s / %s" % (g.text(T_BROOD_LORDS + choice), g.text(T_BROOD_LORDS + 1 - choice))
    if kind == TERRAIN_CARD:
        return terrain(g, choice)
    if kind == DIE:
        return _roll(g, choice)
    if kind == SEEN:
        return g.text(T_GO_ON)
    return str(choice)


def _turn(g, marine):
    return "%s %s" % (name(g, marine), "→" if not g.data[FACING + marine] else "←")


def details(g, kind, found):
    """More words for each choice, if there are any."""
    if kind != CARD:
        return ()
    return ["%s: %s" % (g.text(T_TYPES + (number - 1) // 6), g.text(T_EFFECTS + number - 1)) for number in found]


def row(g, kind, choice):
    """The row of the formation that a choice is about, or NONE."""
    if choice == NONE:
        return NONE
    if kind in (MARINE, SEEN):
        return choice
    if kind in (SWARM, PLACE):
        return (choice & 31) >> 1
    if kind == SHOT:
        return (choice & 31) >> 1 if choice & 255 != _CHARGE else choice >> 8
    if kind == MOVE:
        return choice >> 4
    if kind == USE:
        return choice >> 3
    if kind == TURN and choice != _BOTH:
        return choice
    if kind == KILL:
        return g.data[WHERE + choice] >> 1
    if kind == TERRAIN_CARD:
        return g.data[TERRAIN + choice] >> 1
    return NONE


def _roll(g, choice):
    """What a face does, or an answer to a roll."""
    fight = g.part("fight")
    waits = fight.stage(g)
    if not waits.dice:
        return g.text(T_ROLL_WORDS + _ROLLS.index(waits.options[choice]))
    bin = [name for low, high, name in waits.bins if low <= choice <= high][0]
    if bin in _ROLLS:
        return g.text(T_ROLL_WORDS + _ROLLS.index(bin))
    return g.text(T_SLAYS) % choice


def roll_text(g):
    """Who rolls, and why."""
    d = g.data
    fight = g.part("fight")
    v = fight.numbers(g)
    kind = v[0]
    if not fight.stage(g).dice:
        return g.text(T_REROLL)
    if kind == _GENESTEALER_ATTACK:
        return g.text(T_DEFENDS) % (v[13], name(g, d[WHO]))
    if kind == _MARINE_ATTACK:
        return "%s > %s" % (name(g, d[WHO]), swarm(g, d[TARGET]))
    return g.text(T_ROLLS + kind - 3)


def title(g):
    """Where we are: the card that is played, or the phase."""
    d = g.data
    if d[PHASE] == 2 and d[ACTIVE] != NONE and d[CHOSEN + d[ACTIVE]]:
        return g.text(T_CARDS + d[CHOSEN + d[ACTIVE]] - 1)
    return g.state.scenario.pack.text(g.state.scenario.step(g.state.data[O_STEP])[0])


def moved(g):
    """Which swarms have moved."""
    found = g.row(TABLE_EVENTS, g.data[EVENT])
    if not found[5]:
        return g.text(T_NO_MOVE)
    return g.text(T_MOVED + found[5] - 1) % g.text(T_ICONS + found[6])


# --- pages -----------------------------------------------------------------------------------------------------------


def summary(g):
    """The piles and the pool."""
    d = g.data
    return g.text(T_SUMMARY) % (count(d, LEFT), count(d, RIGHT), pool(d)) if d[PHASE] else ""


def pages(g):
    """The formation, the piles."""
    return [g.text(T_FORMATION), g.text(T_PILES)] if rows(g.data) else []


def page(g, number):
    """A page."""
    if number:
        return _piles(g)
    d = g.data
    lines = []
    for row in range(rows(d)):
        marine = d[ROW + row]
        left = _side(g, row * 2)
        right = _side(g, row * 2 + 1)
        tokens = "*" * min(d[TOKENS + marine], 1) + (str(d[TOKENS + marine]) if d[TOKENS + marine] > 1 else "")
        detail = "%d %s %s" % (row + 1, name(g, marine), g.text(T_RANGE) % g.row(TABLE_MARINES, marine)[1])
        lines.append((left[0], name(g, marine)[: 7 - len(tokens)] + tokens, right[0], 1 if d[FACING + marine] else -1,
                      "\n".join([detail, (left[1] + " " + right[1]).strip()])))
    return Page(summary(g), lines)


def _side(g, at):
    """A cell, the terrain outside, and its detail."""
    d = g.data
    codes = [code for code in swarms(d) if code & 31 == at]
    swarm = "+".join(str(len(members(d, code))) for code in codes)
    cards = [card for code in codes for card in members(d, code)]
    short = icons(d, cards)
    found = terrain_at(d, at)
    names = ""
    for t in found:
        names += g.text(T_SHORT_TERRAIN + t) + (str(d[TERRAIN_TOKENS + t]) if d[TERRAIN_TOKENS + t] else "")
    if len(codes) == 1 and len(short) + len(names) < 6:
        swarm = short
    if [card for card in cards if d[FLAGS + card] & FIELD]:
        swarm = "(" + swarm + ")"
    room = " " * max(0, 6 - len(names) - len(swarm))
    cell = names + room + swarm if not at & 1 else swarm + room + names
    detail = " ".join([terrain(g, t) for t in found] + ([short] if short else []))
    return cell, (g.text(T_SIDES + (at & 1)) + ": " + detail) if detail else ""


def _piles(g):
    d = g.data
    lines = [(g.text(T_PILE_NAMES + i), str(count(d, LEFT + i)), "", 0, "") for i in range(4)]
    lines.append((g.text(T_TOKENS), str(pool(d)), "", 0, ""))
    lines.append((location(g, d[HERE]), "", "", 0, location_text(g, d[HERE])))
    lines.append((g.text(T_HERE), str(d[PATH_LEFT]), "", 0, ""))
    if d[HERE_TOKENS]:
        lines.append((g.text(T_TOKENS), str(d[HERE_TOKENS]), "", 0, location(g, d[HERE])))
    if d[ARTEFACT] != NONE:
        lines.append((g.text(T_HOLDS_ARTEFACT), "", "", 0, g.text(T_TEAMS + d[ARTEFACT])))
    return Page(g.text(T_PILES), lines)
