"""A session on the host that is played in words: what `tableside play` runs."""

import io
from dataclasses import dataclass
from typing import Any

from host_tools import attack_words, campaigns
from host_tools.packs.build import open_scenario
from host_tools.packs.show import NUMBERS
from host_tools.words import FORMS, NO_SIDE, Words, number
from tableside.core import commands, engine, guide, roster
from tableside.core.code import BY_HAND
from tableside.core.deck import may_look
from tableside.core.fields import card_title, expand, unit_name
from tableside.core.log import MemoryLog
from tableside.core.names import attack_title
from tableside.core.pack import ACTION, CHECK, LINE, NOBODY, NONE, Pack
from tableside.core.record import REVEALED
from tableside.core.rng import commitment
from tableside.core.session import Session
from tableside.core.state import ABANDONED, CONCEDED, O_ACTOR, O_OVER, O_RESULT, O_ROUND, O_STEP
from tableside.core.titles import command_title
from tableside.rules import resolver

_RESULTS = ("draw", "win", "loss")


@dataclass
class Entry:
    """One command of the log. `revealed`: it brought something hidden to light, or took that back; `undone`: it is."""

    command: str
    title: str
    owner: str | None
    digest: str
    revealed: bool
    undone: bool = False


class Table:
    """A session and what was said at the table.

    Args: target: "SYSTEM/SCENARIO"; seed: SEED_BYTES bytes; campaign_id: the campaign that the session belongs to;
        values: what it carries, by name, besides what it begins with.
    Raises: CommandError if there is no such scenario, campaign or value.
    """

    def __init__(self, target: str, seed: bytes, campaign_id: str | None = None, values: dict[str, int] | None = None):
        compiled, index = open_scenario(target)
        self.system = compiled.id
        self.log = MemoryLog()
        pack = Pack(io.BytesIO(compiled.data))
        carried = None if campaign_id is None else campaigns.carried(pack, campaign_id, values or {})
        self.session = Session.new(pack, index, seed, self.log, resolver, carried)
        self.words = Words(self.session, compiled.scenarios[index])
        self._entries: list[Entry] = []
        self._done: list[list[Entry]] = []  # what one undo takes back, and what one redo brings again
        self._undone: list[list[Entry]] = []

    # --- giving commands ---------------------------------------------------------------------------------------

    def give(self, text: str) -> None:
        """Do a command. Raises CommandError or CoreError, and changes nothing, if it is refused."""
        name, *args = text.split()
        if name == "undo" and len(args) <= 1:
            self._undo(number(args[0], "N", 1) if args else 1)
        elif name == "redo" and not args:
            self._redo()
        else:
            kind, values = self.words.parse(text)
            title = command_title(self.session.state, kind, values) if self._allowed(kind, values) else ""
            self.session.do(kind, values)
            self._done.append([self._note(self.words.spell(kind, values), title)])

    def _allowed(self, kind: int, args: tuple[int, ...]) -> bool:
        return self.session.check(kind, args)[0] != commands.NO

    def _undo(self, count: int) -> None:
        self.session.undo(count)
        taken = [entry for group in self._done[-count:] for entry in group]
        del self._done[-count:]
        self._undone.append(taken)
        for entry in taken:
            entry.undone = True
        self._note("undo" if count == 1 else f"undo {count}", taken[0].title)

    def _redo(self) -> None:
        self.session.redo()
        again = self._undone.pop()
        self._done.append(again)
        for entry in again:
            entry.undone = False
        self._note("redo", again[0].title)

    def _note(self, command: str, title: str) -> Entry:
        record = next(self.session.history())
        entry = Entry(command, title, self._side(record.owner), record.digest.hex(), bool(record.kind & REVEALED))
        self._entries.append(entry)
        return entry

    # --- showing -----------------------------------------------------------------------------------------------

    def _side(self, side: int) -> str | None:
        return None if side == NOBODY else self.words.names.sides[side]

    def state(self, reveal: bool = False) -> dict[str, Any]:
        """The whole state with source ids; secret zones are numbers of cards unless `reveal`."""
        session, state, names = self.session, self.session.state, self.words.names
        step = state.data[O_STEP]
        return {
            "system": self.system,
            "scenario": names.id,
            "seed": state.seed().hex(),
            "commitment": commitment(state.seed()).hex(),
            "round": state.data[O_ROUND],
            "turn": None if state.abilities is None else self._side(state.abilities.turn()),
            "phase": self._text(session.scenario.step(step)[0]),
            "step": names.steps[step],
            "actor": self._side(state.data[O_ACTOR]),
            "counters": {name: state.counter(i) for i, name in enumerate(names.counters)},
            "decks": {name: self._zones(i, reveal) for i, name in enumerate(names.decks)},
            "units": [self._unit(slot) for slot in range(state.roster.slots) if state.roster.used(slot)],
            "log": [{"n": n, **vars(entry)} for n, entry in enumerate(self._entries, 1)],
            "over": session.over(),
            "result": self._result(),
            "next": self._next(),
            **campaigns.describe(self.session),
        }

    def _text(self, string: int) -> str:
        text: str = expand(self.session.state, self.session.pack.text(string))
        return text

    def _zones(self, deck: int, reveal: bool) -> dict[str, list[str] | int]:
        state = self.session.state
        zones: dict[str, list[str] | int] = {}
        for zone, name in enumerate(self.words.names.zones[deck]):
            count = state.zone_count(deck, zone)
            if reveal or may_look(state, deck, zone, NOBODY):
                zones[name] = [card_title(state, deck, state.card(deck, zone, i)) for i in range(count)]
            else:
                zones[name] = count
        return zones

    def _unit(self, slot: int) -> dict[str, Any]:
        """A unit on the roster; `wounds_lost` are those of the model that is hurt."""
        units, names = self.session.state.roster, self.words.names
        kind = units.get(slot, roster.KIND)
        numbers = {key: units.get(slot, roster.MODELS + i) for i, key in enumerate(NUMBERS)}
        return {
            "slot": slot + 1,
            "side": self._side(units.get(slot, roster.SIDE)),
            "unit": names.units[kind] if kind < roster.BY_NUMBERS else None,
            "name": unit_name(self.session.state, slot),
            "models": numbers.pop("models"),
            "models_left": units.get(slot, roster.MODELS_LEFT),
            "wounds": numbers.pop("wounds"),
            "wounds_lost": units.get(slot, roster.WOUNDS_LOST),
            "flags": [name for i, name in enumerate(names.flags) if units.flag(slot, i)],
            **({"tracks": {name: units.value(slot, roster.TRACK + i) for i, name in enumerate(names.tracks)
                           if units.has(slot, i)}} if names.tracks else {}),
            **numbers,
        }

    def _result(self) -> dict[str, Any] | None:
        """How it ended: a result of the pack, or no id and the kind abandoned, conceded (`side` gave up) or none."""
        state, names = self.session.state, self.words.names
        how, number = state.data[O_OVER], state.data[O_RESULT]
        if not how:
            return None
        confirmed = [name for side, name in enumerate(names.sides) if state.confirmed(side)]
        result = {"id": None, "title": "", "text": "", "kind": "none", "side": None, "confirmed": confirmed}
        if number != NOBODY:
            title, text, kind = self.session.scenario.result(number)[:3]
            result.update(id=names.results[number], title=self._text(title), text=self._text(text),
                          kind=_RESULTS[kind & 3])
        elif how >= CONCEDED:
            side = how - CONCEDED
            result.update(kind="conceded", side=names.sides[side], title=self.session.scenario.side_name(side))
        elif how == ABANDONED:
            result.update(kind="abandoned")
        return result

    def _next(self) -> list[dict[str, Any]] | dict[str, Any]:
        """The actions that may be chosen now, `advance` if it is allowed, or the dice that are asked for."""
        if self.session.state.in_attack():
            return self._next_of_attack()
        question = engine.asked(self.session.state)
        if question is not None:
            return {"ask": question.text, "title": question.title, "who": self._side(question.side),
                    "secret": question.secret, "die": question.die, "options": list(question.options)}
        check = engine.open_check(self.session.state)
        if check is not None:
            record = self.session.pack.record(CHECK, check)
            dice = [engine.die(self.session.state, check, i) for i in range(record[3])]
            return {"check": self.words.names.checks[check], "title": self._text(record[0]),
                    "dice": [{"label": self._text(die[0]), "sides": die[1]} for die in dice]}
        if guide.place(self.session.state) is not None:
            title, text = [self._text(number) for number in guide.texts(self.session.state)]
            return {"guide": title, "text": text}
        offers = []
        for record in engine.allowed(self.session.state):
            if engine.is_choice(self.session.state, record):  # the others are an `adjust`, `attack`, `pick` or `assign`
                label, question = self.session.pack.record(ACTION, record)[:2]
                offers.append({"id": self.words.names.actions[record], "label": self._text(label),
                               "ask": None if question == NONE else self._text(question)})
        if self._allowed(commands.ADVANCE, ()):
            offers.append({"id": "advance", "label": "Next step", "ask": None})
        return offers

    def _next_of_attack(self) -> dict[str, Any]:
        """The stage that the attack in hand waits for."""
        attack = self.session.state.attack
        stage = attack.stage()
        title = attack_title(self.session.state, attack.weapon(), [])
        if stage is None:
            return {"attack": title, "stage": None}
        bins = [{"bin": name, "low": low, "high": high} for low, high, name in stage.bins]
        found: dict[str, Any] = {"attack": title, "stage": stage.id, "who": ("attacker", "defender")[stage.who]}
        if stage.options:
            return {**found, "options": list(stage.options), "default": stage.default}
        if stage.dice:
            return {**found, "dice": stage.dice, "sides": stage.sides, "bins": bins}
        return {**found, "bins": bins, "limits": list(stage.limits), "default": list(stage.default)}

    def _attack_commands(self) -> list[tuple[str, str, str]]:
        """What is legal for the attack in hand."""
        found = self._next_of_attack()
        if found["stage"] is None:
            return [("apply", "yes", found["attack"]), ("drop", "yes", "")]
        if "options" in found:
            return [(f"decide {option}", "yes", found["stage"]) for option in found["options"]] + [("drop", "yes", "")]
        bins = ", ".join(f"{bin['bin']} {bin['low']}-{bin['high']}" for bin in found["bins"])
        legal = [(attack_words.FORMS["dice"], "yes", f"{found['stage']}: {bins}")]
        return legal + [("throw", "yes", "the device rolls them")] * ("dice" in found) + [("drop", "yes", "")]

    def commands(self) -> list[dict[str, str]]:
        """What is legal now: command, answer (yes or ask), and what it is about."""
        offers = self._next()
        if isinstance(offers, dict) and "attack" in offers:
            legal = self._attack_commands()
        elif isinstance(offers, dict) and "ask" in offers:
            first = 0 if offers["die"] else 1
            legal = [(f"answer {i}", "yes", option) for i, option in enumerate(offers["options"], first)]
            legal += [("throw", "yes", "the device rolls it")] * offers["die"]
            legal += [(f"answer {BY_HAND + first + i}", "yes", f"by hand: {name}")
                      for i, name in enumerate(self.session.state.code.fixes())]
        elif isinstance(offers, dict) and "guide" in offers:
            legal = [(f"answer {word}", "yes", offers["text"]) for what, word in enumerate(("no", "yes", "attack"))
                     if self._allowed(commands.ANSWER, (what,))]
        elif isinstance(offers, dict):
            dice = ", ".join(f"{die['label']} 1-{die['sides']}" for die in offers["dice"])
            legal = [("enter" + " FACE" * len(offers["dice"]), "yes", f"{offers['title']}: {dice}"),
                     ("roll", "yes", "the device rolls them")]
        else:
            legal = [(offer["id"] if offer["id"] == "advance" else f"choose {offer['id']}",
                      "ask" if offer["ask"] else "yes", offer["ask"] or offer["label"]) for offer in offers]
        if not self.session.over():
            legal += self._by_hand()
        else:
            legal += [(f"confirm {name}", "yes", "") for side, name in enumerate(self.words.names.sides)
                      if self._allowed(commands.CONFIRM, (side,))]
        legal += [("undo [N]", "yes", "")] * self.session.can_undo() + [("redo", "yes", "")] * self.session.can_redo()
        return [dict(zip(("command", "answer", "about"), row, strict=True)) for row in legal]

    def _by_hand(self) -> list[tuple[str, str, str]]:
        """The commands that are legal at any time."""
        session, names = self.session, self.words.names
        first, lines = session.scenario.step(session.state.data[O_STEP])[9:11]
        legal = [(f"tick {i + 1}", "yes", self._text(session.pack.record(LINE, first + i)[0])) for i in range(lines)]
        if session.state.rng.unused():
            legal.append((FORMS["salt"], "yes", "before the first shuffle only"))
        for i, name in enumerate(names.counters):
            low, high = session.scenario.counter(i)[2:4]
            legal.append((f"adjust {name} VALUE", "yes", f"{low}..{high}"))
        legal.append((FORMS["jump"], "yes", " ".join(names.steps)))
        if names.weapons:
            legal.append((FORMS["attack"], "yes", " ".join(names.weapons)))
        for deck, zones in zip(names.decks, names.zones, strict=True):
            for form in ("move", "draw", "shuffle"):
                legal.append((FORMS[form].replace("DECK", deck), "yes", "" if form == "shuffle" else " ".join(zones)))
        legal += [(f"build SIDE {name} OPTION...", "yes", " ".join(options))
                  for name, options in zip(names.builders, names.options, strict=True)]
        legal.append((FORMS["end"], "yes", " ".join(names.results)))
        legal += [(f"concede {name}", "yes", "") for name in names.sides]
        return legal + self._roster_by_hand()

    def _roster_by_hand(self) -> list[tuple[str, str, str]]:
        units, names = self.session.state.roster, self.words.names
        by_preset, by_numbers = FORMS["field"].split("  or  ")
        by_value, by_flag, by_track = FORMS["unit"].split("  or  ")
        legal = []
        used = [slot for slot in range(units.slots) if units.used(slot)]
        if len(used) < units.slots:
            for i, side in enumerate(names.sides) if names.sides else [(NOBODY, NO_SIDE)]:
                fit = " ".join(name for n, name in enumerate(names.units) if units.may_field(i, n))
                legal += [(by_preset.replace("SIDE", side), "yes", fit)] * bool(fit)
                legal.append((by_numbers.replace("SIDE", side), "yes", ""))
        for slot in used:
            name = unit_name(self.session.state, slot)
            legal.append((by_value.replace("SLOT", str(slot + 1)), "yes", name))
            if names.flags:
                legal.append((by_flag.replace("SLOT", str(slot + 1)), "yes", " ".join(names.flags)))
            tracks = " ".join(name for i, name in enumerate(names.tracks) if units.has(slot, i))
            if tracks:
                legal.append((by_track.replace("SLOT", str(slot + 1)), "yes", tracks))
            legal.append((f"remove {slot + 1}", "yes", name))
        return legal
