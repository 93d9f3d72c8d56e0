"""Writing the records of one scenario."""

import re
from collections.abc import Callable
from typing import Any

from host_tools import requests
from host_tools.errors import CommandError
from host_tools.packs import schema
from host_tools.packs.binder import KINDS, Binder, zones
from host_tools.packs.bonuses import bonuses
from host_tools.packs.builders import write_builder, write_guide
from host_tools.packs.language import PICKS, conditions, effects, operand, payment
from host_tools.packs.writer import Writer
from tableside.core import abilities, campaign, engine, pack
from tableside.core import deck as decks

_LOOKS = {"open": decks.OPEN, "owner": decks.OWNER, "secret": decks.SECRET}
_DEFAULT_LOOK = {"removed": "open", "discard": "open", "slot": "owner", "hand": "owner", "draw": "secret"}
_SCOPES = {"round": engine.ROUND_SCOPE, "session": engine.SESSION_SCOPE, "campaign": engine.CAMPAIGN_SCOPE,
           "phase": engine.PHASE_SCOPE, "turn": engine.TURN_SCOPE, "next-turn": engine.NEXT_TURN, None: abilities.NEVER}
_TURNS = {"": abilities.ANY_TURN, "own": abilities.OWN_TURN, "other": abilities.OTHER_TURN}
_TARGETS = {None: abilities.NO_TARGET, "own": abilities.OWN_UNIT, "other": abilities.OTHER_UNIT,
            "any": abilities.ANY_UNIT}
_RESULT_KINDS = {"draw": 0, "win": 1, "loss": 2}
_OVER_EFFECTS = (engine.SET, engine.ADD, engine.SUB, engine.MARK)  # of a result

Row = tuple[Any, ...]


def write_scenario(b: Binder) -> Row:
    """Write everything of a scenario. Returns: the fields of its SCENARIO record."""
    items, w = b.items, b.writer
    if not items["step"]:
        b.fault(b.root, "no step")
    runs = [
        w.run(pack.SIDE, [(b.name(s.name, f"{b.place(s)}.name"), s.kind == "device") for s in items["side"]]),
        w.run(pack.COUNTER, [_counter(b, c) for c in items["counter"]]),
        *_decks(b),
        w.run(pack.STEP, [_step(b, s) for s in items["step"]]),
        w.run(pack.RESULT, [_result(b, r) for r in items["result"]]),
        w.run(pack.REMINDER, [_reminder(b, r) for r in items["reminder"]]),
        w.run(pack.UNIT, [_unit(b, u) for u in items["unit"]]),
        w.run(pack.FLAG, [_flag(b, f) for f in items["flag"]]),
        w.run(pack.WEAPON, [_weapon(b, x) for x in items["weapon"]]),
        w.run(pack.GUIDE, [write_guide(b, g) for g in items["guide"]]),
        w.run(pack.BUILDER, [write_builder(b, x) for x in items["builder"]]),
        w.run(pack.ABILITY, [_ability(b, a) for a in items["ability"]]),
        w.run(pack.BONUS, bonuses(b)),
        w.run(pack.TRACK, [_track(b, t) for t in items["track"]]),
    ]
    for section, number, write in (("window", pack.WINDOW, _window), ("check", pack.CHECK, _check),
                                   ("table", pack.TABLE, _table)):
        for item in items[section]:
            w.fill(number, b.numbers[section][item.id], write(b, item))
    for name in b.source.start:
        b.find("counter", name, f"{b.root}.start")
    head = w.fixed(b.source.id), b.name(b.source.title, f"{b.root}.title")
    standing = sum(u.start for u in items["unit"])
    if standing > b.source.roster:
        b.fault(f"{b.root}.roster", f"must have a slot for each of the {standing} units at the start, "
                                    f"got {b.source.roster}")
    return (*head, *(number for run in runs for number in run), b.source.code_bytes, b.source.roster)


def _lines(write: Callable[[str, str], int], writer: Writer, lines: list[str], where: str) -> tuple[int, int]:
    return writer.run(pack.LINE, [(write(line, f"{where}[{i}]"),) for i, line in enumerate(lines)])


def _round_bounds(text: str) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    return int(low), int(high) if high else 255 if dash else int(low)


def _counter(b: Binder, c: schema.Counter) -> Row:
    place = b.place(c)
    start = b.source.start.get(c.id, c.start)
    if not c.low <= start <= c.high:
        b.fault(f"{b.root}.start.{c.id}", f"must be {c.low}..{c.high}, got {start}")
    return (b.name(c.name, f"{place}.name"), b.name(c.short or c.name[:6], f"{place}.short"), c.low, c.high, start,
            _SCOPES[c.scope], b.side(c.owner, f"{place}.owner"), c.pinned,
            *_lines(b.name, b.writer, c.names, f"{place}.names"))


def _decks(b: Binder) -> list[tuple[int, int]]:
    rows: list[Row] = []
    zone_rows: list[Row] = []
    for deck in b.items["deck"]:
        place = b.place(deck)
        cards = _cards(deck)
        if not cards:
            b.fault(f"{place}.cards", f"a deck needs cards: a list, or a range such as '1-13', got {deck.cards!r}")
        total = sum(c.copies or deck.copies for c in cards)
        if len(cards) > 254 or total > 255:
            b.fault(f"{place}.cards", f"must be at most 254 kinds and 255 cards, got {len(cards)} and {total}")
            cards, total = [], 0
        first, kinds = b.writer.run(pack.CARD, [
            (b.name(c.shown or c.title, f"{place}.cards[{i}].title"), b.text(c.text, f"{place}.cards[{i}].text"),
             c.copies or deck.copies) for i, c in enumerate(cards)])
        policy = decks.RESHUFFLE_WHEN_EMPTY if deck.when_empty == "reshuffle" else 0
        found = _zones(b, deck)
        rows.append((b.name(deck.name, f"{place}.name"), len(zone_rows), len(found), first, kinds, total, policy))
        zone_rows += [_zone(b, z, f"{place}.zone.{z.id}") for z in found]
    return [b.writer.run(pack.DECK, rows), b.writer.run(pack.ZONE, zone_rows)]


def _cards(deck: schema.Deck) -> list[schema.Card]:
    if isinstance(deck.cards, list):
        return deck.cards
    return range_of_cards(deck.cards)


def range_of_cards(text: str) -> list[schema.Card]:
    """The cards of a range such as "1-13"; none if it is no range."""
    match = re.fullmatch(r"(\d{1,3})-(\d{1,3})", text)
    return [schema.Card(title=str(n)) for n in range(int(match[1]), int(match[2]) + 1)] if match else []


def _zones(b: Binder, deck: schema.Deck) -> list[schema.Zone]:
    found = zones(deck)
    where = f"{b.place(deck)}.zone"
    if len({z.id for z in found}) < len(found):
        b.fault(where, "two zones with the same id")
    if sum(z.kind == "draw" for z in found) != 1:
        b.fault(where, "more than one zone of kind 'draw'")
    if len(found) > 15:
        b.fault(where, f"must have at most 15 zones, got {len(found)}")
    return found[:15]


def _zone(b: Binder, z: schema.Zone, where: str) -> Row:
    owner = b.side(z.owner, f"{where}.owner")
    look = z.look or _DEFAULT_LOOK[z.kind]
    if look == "owner" and owner == pack.NOBODY:
        b.fault(where, "needs an owner, or look = 'open' or 'secret'")
    returns = z.kind == "discard" if z.returns is None else z.returns
    return b.name(z.name, f"{where}.name"), KINDS[z.kind], owner, _LOOKS[look], returns


def _step(b: Binder, s: schema.Step) -> Row:
    place = b.place(s)
    return (b.name(s.phase, f"{place}.phase"), b.text(s.title, f"{place}.title"), b.text(s.prompt, f"{place}.prompt"),
            *effects(b, s.effects, place), *_actions(b, s, place),
            *conditions(b, s.when, f"{place}.when"), *_lines(b.text, b.writer, s.checklist, f"{place}.checklist"),
            b.side(s.actor, f"{place}.actor"), *_round_bounds(s.rounds), engine.AUTO if s.auto else 0)


def _actions(b: Binder, item: schema.Step | schema.Window, place: str) -> tuple[int, int]:
    rows = []
    ids = tuple(action.id for action in item.action)
    for i, action in enumerate(item.action):
        where = f"{place}.action.{action.id}"
        if action.id in ids[:i]:
            b.fault(where, "defined twice")
        number = b.find("counter", action.edit, f"{where}.edit") if action.edit else 0
        if action.preset:
            number = _preset(b, action.preset, f"{where}.preset")
        elif action.use:
            number = b.find("ability", action.use, f"{where}.use")
        kind = PICKS.get(action.effects[0].split(" ")[0], 0) if action.effects else 0
        if kind and action.attack:
            b.fault(where, "an action that begins an attack picks nothing")
        price = []
        if action.cost is not None:
            price = [payment(b, item.pay, str(action.cost), f"{where}.cost")]
        if kind and price:
            b.fault(f"{where}.cost", "an action that picks something costs nothing")
        asked = item.unpaid if price else action.ask
        rows.append((b.text(action.label, f"{where}.label"), b.text(asked, f"{where}.ask"),
                     *conditions(b, action.when, f"{where}.when"),
                     *effects(b, action.effects, where, of_action=True, before=price),
                     _action_kind(action, kind), number))
    first, count = b.writer.run(pack.ACTION, rows, key=ids)
    b.names.actions.update(enumerate(ids, first))
    return first, count


def _preset(b: Binder, name: str, where: str) -> int:
    """Which modifier of the scenario's dice rules an attack begins with, counted from 1."""
    for weapon in b.items["weapon"]:
        try:
            modifiers = [field[0] for field in requests.resolver(weapon.rules).MODIFIERS]
        except CommandError:
            continue  # told where the weapon is
        if name in modifiers:
            return modifiers.index(name) + 1
    b.fault(where, f"no dice rules here know {name!r}")
    return 0


def _action_kind(action: schema.Action, picks: int) -> int:
    if action.use:
        return engine.USES
    return engine.EDITS if action.edit else engine.ATTACKS if action.attack else picks


def _ability(b: Binder, a: schema.Ability) -> Row:
    place = b.place(a)
    side = b.side(a.sides[0] if a.sides else None, f"{place}.sides")
    pay = b.find("counter", a.pay, f"{place}.pay") if a.pay else pack.NOBODY
    moments = b.writer.run(pack.MOMENT, [_moment(b, text, f"{place}.at[{i}]") for i, text in enumerate(a.at)])
    excluded = b.writer.run(pack.PICK, [
        (b.ability(name, a.sides[0] if a.sides else "", f"{place}.excludes[{i}]"),)
        for i, name in enumerate(a.excludes)])
    return (b.name(a.name, f"{place}.name"), b.text(a.text, f"{place}.text"), b.text(a.ask, f"{place}.ask"), side,
            pay, a.cost if a.pay else 0, _SCOPES[a.limit], _SCOPES[a.until], _TARGETS[a.target],
            *_round_bounds(a.rounds), *moments, *excluded, *conditions(b, a.when, f"{place}.when"),
            *conditions(b, a.unit, f"{place}.unit"), *effects(b, a.effects, place), _shared_limit(b, a))


def _shared_limit(b: Binder, a: schema.Ability) -> int:
    """The number of the ability whose limit this one shares: its own, or that of `same`, which must have that limit."""
    where = f"{b.place(a)}.same"
    number = b.ability(a.same, a.sides[0] if a.sides else "", where) if a.same else b.names.abilities.index(a.id)
    if a.limit is None and a.same or b.items["ability"][number].limit != a.limit:
        b.fault(where, f"must be an ability with the same limit, got {a.same!r}")
    return number


def _moment(b: Binder, text: str, where: str) -> tuple[int, int]:
    """A step and whose turn it is: "shoot", "shoot own" or "shoot other"."""
    step, _, turn = text.partition(" ")
    if turn not in _TURNS:
        b.fault(where, f"must be a step, alone or with 'own' or 'other', got {text!r}")
    return b.find("step", step, where), _TURNS.get(turn, 0)


def _window(b: Binder, item: schema.Window) -> Row:
    place = b.place(item)
    return (b.text(item.title, f"{place}.title"), b.text(item.prompt, f"{place}.prompt"),
            *_actions(b, item, place))


def _check(b: Binder, c: schema.Check) -> Row:
    place = b.place(c)
    dice = b.writer.run(pack.DIE, [
        (b.text(d.label, f"{place}.die[{i}].label"), d.sides, d.sign) for i, d in enumerate(c.die)])
    modifiers = b.writer.run(pack.MODIFIER, [
        (*operand(b, m.value, f"{place}.modifier[{i}].value"), m.sign,
         *conditions(b, m.when, f"{place}.modifier[{i}].when")) for i, m in enumerate(c.modifier)])
    outcomes = b.writer.run(pack.OUTCOME, [
        (o.low, o.high, b.text(o.label, f"{place}.outcome[{i}].label"),
         *effects(b, o.effects, f"{place}.outcome[{i}]")) for i, o in enumerate(c.outcome)])
    return (b.text(c.title, f"{place}.title"), b.text(c.prompt, f"{place}.prompt"), *dice, *modifiers, *outcomes)


def _table(b: Binder, t: schema.Table) -> Row:
    place = b.place(t)
    number = b.find("deck", t.deck, f"{place}.deck")
    titles = [c.title for c in _cards(b.items["deck"][number])] if t.deck in b.names.decks else []
    rows: list[Row] = []
    covered: set[int] = set()
    for i, row in enumerate(t.row):
        where = f"{place}.row[{i}]"
        low, high = card_range(row.cards, titles)
        if not titles:
            break  # the deck is at fault, not the rows
        if not 0 <= low <= high:
            b.fault(f"{where}.cards", f"no card {row.cards!r} in deck {t.deck!r}")
            continue
        if "{row:" in row.title:
            b.fault(f"{where}.title", "a row cannot name a row")  # the device would go round in circles
        if covered & set(range(low, high + 1)):
            b.fault(f"{where}.cards", f"{row.cards!r} has a row already")
        covered.update(range(low, high + 1))
        rows.append((low, high, b.text(row.title, f"{where}.title"), b.text(row.text, f"{where}.text"),
                     *effects(b, row.effects, where)))
    missing = [title for i, title in enumerate(titles) if i not in covered]
    if missing and rows:
        b.fault(place, f"no row for card {missing[0]!r}")
    return (b.text(t.title, f"{place}.title"), number, *b.writer.run(pack.ROW, rows))


def card_range(text: str, titles: list[str]) -> tuple[int, int]:
    """First and last card of "Ambush", "9-10" or "9 - 10"; (-1, -1) if there is no such card."""
    ends = [text] if text in titles else [end.strip() for end in text.split("-", 1)]
    if not set(ends) <= set(titles):
        return -1, -1
    return titles.index(ends[0]), titles.index(ends[-1])


def _result(b: Binder, r: schema.Result) -> Row:
    place = b.place(r)
    following = pack.NOBODY
    if r.next is not None:
        if r.next in b.scenarios:
            following = b.scenarios.index(r.next)
        else:
            b.fault(f"{place}.next", f"no scenario {r.next!r}")
    kind = _RESULT_KINDS[r.kind] + (engine.AT_ONCE if r.at_once else 0)
    return (b.text(r.title, f"{place}.title"), b.text(r.text, f"{place}.text"), kind, following,
            *conditions(b, r.when, f"{place}.when"), *effects(b, r.effects, place, _OVER_EFFECTS))


def write_link(b: Binder) -> Row:
    """Write what a scenario of a campaign keeps and how that may end. Returns: the fields of its LINK record."""
    carried = {section: [(b.writer.fixed(item.id), kind, i) for i, item in enumerate(b.items[section])
                         if item.scope == "campaign"]
               for section, kind in (("counter", campaign.COUNTER), ("flag", campaign.FLAGS))}
    units = [(b.writer.fixed(u.id), campaign.UNIT, i) for i, u in enumerate(b.items["unit"]) if carried["flag"]]
    return (*b.writer.run(pack.KEEP, [*carried["counter"], *carried["flag"], *units]),
            *b.writer.run(pack.ENDING, [_ending(b, e) for e in b.items["ending"]]))


def _ending(b: Binder, e: schema.Ending) -> Row:
    place = b.place(e)
    return (b.text(e.title, f"{place}.title"), b.text(e.text, f"{place}.text"), _RESULT_KINDS[e.kind],
            *conditions(b, e.when, f"{place}.when"))


def _reminder(b: Binder, r: schema.Reminder) -> Row:
    place = b.place(r)
    return (b.text(r.text, f"{place}.text"), b.find("step", r.step, f"{place}.step"), *_round_bounds(r.rounds),
            *conditions(b, r.when, f"{place}.when"))


def _unit(b: Binder, u: schema.Unit) -> Row:
    place = b.place(u)
    if u.start and u.side is None and b.items["side"]:
        b.fault(f"{place}.start", "a unit that is there at the start needs a side")
    return (b.name(u.name, f"{place}.name"), b.side(u.side, f"{place}.side"), u.start,
            u.models, u.wounds, u.toughness, u.save, u.invulnerable, u.feel_no_pain,
            b.keywords(u.keywords), *b.arms(u.weapons, 0, u.models, f"{place}.weapons"), *_starts(b, u, place))


def _starts(b: Binder, u: schema.Unit, place: str) -> tuple[int, int]:
    """What the tracks of a unit start at."""
    for name in u.track:
        b.find("track", name, f"{place}.track")
    starts = [u.track.get(t.id, pack.HAS_NOT) for t in b.items["track"]]
    for t, start in zip(b.items["track"], starts, strict=True):
        if start != pack.HAS_NOT and start > t.high:
            b.fault(f"{place}.track.{t.id}", f"must be 0..{t.high}, got {start}")
    return b.writer.run(pack.START, [(start,) for start in starts])


def _track(b: Binder, t: schema.Track) -> Row:
    place = b.place(t)
    return (b.name(t.name, f"{place}.name"), b.name(t.short, f"{place}.short"), t.high, t.start, _SCOPES[t.scope],
            *_lines(b.name, b.writer, t.names, f"{place}.names"))


def _weapon(b: Binder, x: schema.Weapon) -> Row:
    place = b.place(x)
    numbers: list[int] = []
    resolver = 0
    try:
        rules = requests.resolver(x.rules)
        resolver = rules.ID
        numbers = requests.profile(x.rules, x.model_extra or {}, place)
        for field, number in zip(rules.PROFILE, numbers, strict=True):
            if not -128 <= number <= 127:  # the record has a byte for each
                b.fault(f"{place}.{field[0]}", f"must be -128..127 in a pack, got {number}")
                numbers = []
    except requests.RequestError as error:
        b.fault(error.where, error.message)
    except CommandError as error:
        b.fault(f"{place}.rules", str(error))
    return b.name(x.name, f"{place}.name"), resolver, *numbers, *[0] * (pack.PROFILE_MOST - len(numbers))


def _flag(b: Binder, f: schema.Flag) -> Row:
    place = b.place(f)
    return (b.name(f.name, f"{place}.name"), b.name(f.mark, f"{place}.mark"), _SCOPES[f.scope],
            b.text(f.ask, f"{place}.ask"), f.wounds)
