"""The commands of a session in words, with the ids of the pack's source."""

from collections.abc import Callable, Sequence

from host_tools import attack_words
from host_tools.errors import CommandError
from host_tools.packs.compiler import Names
from tableside.core import commands, engine, picks, roster
from tableside.core import deck as decks
from tableside.core.errors import CoreError, RuleError
from tableside.core.pack import NOBODY
from tableside.core.session import Session
from tableside.core.state import O_ROUND

FORMS = {
    "advance": "advance",
    "choose": "choose ACTION",
    "enter": "enter FACE...",
    "tick": "tick LINE [off]",
    "salt": "salt HEX8",
    "adjust": "adjust COUNTER VALUE|+N|-N|=VALUE",
    "jump": "jump STEP [ROUND]",
    "move": "move DECK ZONE POSITION ZONE [top|bottom|random]",
    "draw": "draw DECK ZONE",
    "shuffle": "shuffle DECK",
    "end": "end [RESULT]",
    "field": "field SIDE UNIT  or  field SIDE numbers MODELS WOUNDS [TOUGHNESS SAVE INVULNERABLE FEEL-NO-PAIN]",
    "unit": "unit SLOT lost|left|models|wounds|toughness|save|invulnerable|feel-no-pain VALUE|+N|-N|=VALUE"
            "  or  unit SLOT flag FLAG on|off  or  unit SLOT track TRACK VALUE|+N|-N|=VALUE",
    "remove": "remove SLOT",
    "roll": "roll",
    "concede": "concede SIDE",
    "confirm": "confirm SIDE",
    "use": "use ABILITY [SLOT] [by-hand]",
    "lapse": "lapse NUMBER",
    **attack_words.FORMS,
    "pick": "pick ACTION ZONE POSITION ZONE",
    "assign": "assign ACTION SLOT|UNIT",
    "answer": "answer yes|no|attack  or  answer NUMBER",
    "build": "build SIDE BUILDER OPTION...",
}
_COUNTS = {"advance": (0, 0), "choose": (1, 1), "enter": (1, 14), "tick": (1, 2), "salt": (1, 1), "adjust": (2, 2),
           "jump": (1, 2), "move": (4, 5), "draw": (2, 2), "shuffle": (1, 1), "end": (0, 1),
           "field": (2, 8), "unit": (3, 4), "remove": (1, 1), "roll": (0, 0), "concede": (1, 1), "confirm": (1, 1),
           **attack_words.COUNTS, "pick": (4, 4), "assign": (2, 2), "answer": (1, 1),
           "build": (2, 2 + roster.BUILT_PICKS), "use": (1, 3), "lapse": (1, 1)}
_PLACES = {"bottom": decks.END, "top": decks.TOP, "random": decks.RANDOM}
# What is set of a unit; "lost": wounds in all, "left": models.
_SETS = {"lost": roster.WOUNDS_LOST, "left": roster.MODELS_LEFT,
         **{word.replace(" ", "-"): i for i, word in enumerate(roster.WORDS) if i >= roster.MODELS}}
_SWITCH = ("off", "on")
_BY_HAND = "by-hand"
_ANSWERS = ("no", "yes", "attack")  # in the order of core.guide
NO_SIDE = "-"  # in a scenario without sides
Command = tuple[int, tuple[int, ...]]


def number(word: str, what: str, low: int = -32768, high: int = 32767) -> int:
    """A whole number from a word. Raises CommandError if it is none, or out of bounds."""
    try:
        value = int(word)
    except ValueError:
        raise CommandError(f"{what} must be a whole number, got {word!r}") from None
    if not low <= value <= high:
        raise CommandError(f"{what} must be {low}..{high}, got {value}")
    return value


def _find(what: str, names: Sequence[str], name: str) -> int:
    if name not in names:
        raise CommandError(f"no {what} {name!r}: there are {', '.join(names) or 'none'}")
    return names.index(name)


def _named(names: Sequence[str], i: int) -> str:
    return names[i] if 0 <= i < len(names) else f"#{i}"


def _changed(word: str, old: int) -> int:
    """The number that VALUE, =VALUE, +N or -N makes of the old one."""
    value = number(word.removeprefix("="), "VALUE")
    return old + value if word[0] in "+-" else value


class Words:
    """Reads and spells the commands of one session."""

    def __init__(self, session: Session, names: Names):
        self._session = session
        self.names = names
        self._attacks = attack_words.AttackWords(session, names.weapons, number)

    def offered(self) -> dict[str, int]:
        """Ids and record numbers of the actions offered now, allowed or not."""
        first, count = engine.offered(self._session.state)
        return {self.names.actions[record]: record for record in range(first, first + count)}

    def parse(self, text: str) -> Command:
        """The kind and arguments of a command; the id of an offered action alone is a command too.

        Raises: CommandError saying what is wrong with the words. Whether the command is allowed is not asked here.
        """
        name, *args = text.split()
        if not args and name in self.offered():
            return commands.CHOOSE, self._read_choose([name])
        if name not in FORMS:
            raise CommandError(f"no command or offered action {name!r}; commands: {', '.join(FORMS)}, undo, redo")
        low, high = _COUNTS[name]
        if not low <= len(args) <= high:
            raise CommandError(f"write it as: {FORMS[name]}")
        if name in attack_words.FORMS:
            return commands.NAMES.index(name), self._attacks.read(name, args)
        read: Callable[[list[str]], tuple[int, ...]] = getattr(self, f"_read_{name}")
        return commands.NAMES.index(name), read(args)

    @staticmethod
    def _read_advance(_: list[str]) -> tuple[int, ...]:
        return ()

    def _read_choose(self, args: list[str]) -> tuple[int, ...]:
        offered = self.offered()
        if args[0] not in offered:
            raise CommandError(f"action {args[0]!r} is not offered now; offered: {', '.join(offered) or 'none'}")
        counter = engine.edited_counter(self._session.state, offered[args[0]])
        if counter is not None:
            name = self.names.counters[counter]
            raise CommandError(f"action {args[0]!r} edits a counter: write adjust {name} VALUE")
        return (offered[args[0]],)

    def _read_enter(self, args: list[str]) -> tuple[int, ...]:
        check = engine.open_check(self._session.state)
        return (0 if check is None else check, *(number(face, "a face") for face in args))

    @staticmethod
    def _read_tick(args: list[str]) -> tuple[int, ...]:
        if args[1:] not in ([], ["off"]):
            raise CommandError(f"write it as: {FORMS['tick']}")
        return number(args[0], "LINE", 1, 32) - 1, 0 if args[1:] else 1

    @staticmethod
    def _read_salt(args: list[str]) -> tuple[int, ...]:
        if len(args[0]) != 8 or set(args[0].lower()) - set("0123456789abcdef"):
            raise CommandError(f"a salt has 8 hex digits, got {args[0]!r}")
        return int(args[0][4:], 16), int(args[0][:4], 16)

    def _read_adjust(self, args: list[str]) -> tuple[int, ...]:
        counter = _find("counter", self.names.counters, args[0])
        return counter, _changed(args[1], self._session.state.counter(counter))

    def _read_jump(self, args: list[str]) -> tuple[int, ...]:
        turn = number(args[1], "ROUND", 0, 255) if args[1:] else self._session.state.data[O_ROUND]
        return _find("step", self.names.steps, args[0]), turn

    def _read_move(self, args: list[str]) -> tuple[int, ...]:
        deck, source = self._zone(args[0], args[1])
        place = args[4] if args[4:] else "bottom"
        if place not in _PLACES:
            raise CommandError(f"no place {place!r}: there are {', '.join(_PLACES)}")
        return deck, source, number(args[2], "POSITION", 1, 255) - 1, self._zone(args[0], args[3])[1], _PLACES[place]

    def _read_draw(self, args: list[str]) -> tuple[int, ...]:
        return self._zone(args[0], args[1])

    def _read_shuffle(self, args: list[str]) -> tuple[int, ...]:
        return (_find("deck", self.names.decks, args[0]),)

    def _read_end(self, args: list[str]) -> tuple[int, ...]:
        return (_find("result", self.names.results, args[0]) if args else NOBODY,)

    def _read_field(self, args: list[str]) -> tuple[int, ...]:
        side = NOBODY if args[0] == NO_SIDE else _find("side", self.names.sides, args[0])
        if len(args) == 2:
            return side, _find("unit", self.names.units, args[1])
        if args[1] != "numbers":
            raise CommandError(f"write it as: {FORMS['field']}")
        numbers = [number(word, "a number of a unit") for word in args[2:]]
        return side, roster.BY_NUMBERS, *numbers, *[0] * (len(roster.NUMBERS) - len(numbers))

    def _read_unit(self, args: list[str]) -> tuple[int, ...]:
        slot = number(args[0], "SLOT", 1, 255) - 1
        if len(args) == 4 and args[1] == "flag" and args[3] in _SWITCH:
            return slot, roster.FLAG + _find("flag", self.names.flags, args[2]), _SWITCH.index(args[3])
        if len(args) == 4 and args[1] == "track":
            what = roster.TRACK + _find("track", self.names.tracks, args[2])
            return slot, what, _changed(args[3], self._unit_value(slot, what))
        if len(args) == 4 or args[1] not in _SETS:
            raise CommandError(f"write it as: {FORMS['unit']}")
        what = _SETS[args[1]]
        return slot, what, _changed(args[2], self._unit_value(slot, what))

    def _unit_value(self, slot: int, what: int) -> int:
        units = self._session.state.roster
        if not units.used(slot):
            return 0
        value: int = units.value(slot, what)
        return value

    @staticmethod
    def _read_remove(args: list[str]) -> tuple[int, ...]:
        return (number(args[0], "SLOT", 1, 255) - 1,)

    def _read_roll(self, _: list[str]) -> tuple[int, ...]:
        return self._read_enter([])

    def _read_concede(self, args: list[str]) -> tuple[int, ...]:
        return (_find("side", self.names.sides, args[0]),)

    _read_confirm = _read_concede

    def _read_use(self, args: list[str]) -> tuple[int, ...]:
        rest = args[1:]
        forced = int(rest[-1:] == [_BY_HAND])
        if len(rest) - forced > 1:
            raise CommandError(f"write it as: {FORMS['use']}")
        slot = number(rest[0], "SLOT", 1, 255) - 1 if len(rest) > forced else NOBODY
        return _find("ability", self.names.abilities, args[0]), slot, forced

    @staticmethod
    def _read_lapse(args: list[str]) -> tuple[int, ...]:
        return (number(args[0], "NUMBER", 1, 255) - 1,)

    def _read_answer(self, args: list[str]) -> tuple[int, ...]:
        question = engine.asked(self._session.state)
        if question is not None:
            return (number(args[0], "NUMBER") - (not question.die),)
        return (_find("answer", _ANSWERS, args[0]),)

    def _read_build(self, args: list[str]) -> tuple[int, ...]:
        side = NO_SIDE if args[0] == NO_SIDE else _find("side", self.names.sides, args[0])
        builder = _find("builder", self.names.builders, args[1])
        picks = [_find("option", self.names.options[builder], option) for option in args[2:]]
        return NOBODY if side == NO_SIDE else int(side), builder, *picks

    def _picking(self, name: str) -> tuple[int, tuple[int, ...]]:
        """An offered action for which something is picked, and its effect that says what."""
        offered = self.offered()
        try:
            return offered[name], picks.effect(self._session.state, offered[name])
        except (KeyError, RuleError):
            raise CommandError(f"nothing is picked for {name!r}; offered: {', '.join(offered) or 'none'}") from None

    def _read_pick(self, args: list[str]) -> tuple[int, ...]:
        action, record = self._picking(args[0])
        if record[0] != engine.PICK:
            raise CommandError(f"a unit is picked for {args[0]!r}: write assign {args[0]} SLOT")
        deck = self.names.decks[record[1]]
        return (action, self._zone(deck, args[1])[1], number(args[2], "POSITION", 1, 255) - 1,
                self._zone(deck, args[3])[1])

    def _read_assign(self, args: list[str]) -> tuple[int, ...]:
        action, _ = self._picking(args[0])
        if args[1] in self.names.units:
            return action, self.names.units.index(args[1])
        return action, number(args[1], "SLOT", 1, 255) - 1

    def _zone(self, deck_name: str, zone_name: str) -> tuple[int, int]:
        deck = _find("deck", self.names.decks, deck_name)
        return deck, _find("zone", self.names.zones[deck], zone_name)

    def spell(self, kind: int, args: tuple[int, ...]) -> str:
        """A command of a log in words: what `parse` would read as the same. Never fails, whatever the log holds."""
        names = self.names
        try:
            name = commands.NAMES[kind]
            if kind == commands.CHOOSE:
                return f"choose {names.actions.get(args[0], f'#{args[0]}')}"
            if kind == commands.ENTER:
                return " ".join([name, *map(str, args[1:])])
            if kind == commands.TICK:
                return f"tick {args[0] + 1}" + ("" if args[1] else " off")
            if kind == commands.SALT:
                return f"salt {(args[1] & 65535) << 16 | args[0] & 65535:08x}"
            if kind == commands.ADJUST:
                return f"adjust {_named(names.counters, args[0])} {'=' if args[1] < 0 else ''}{args[1]}"
            if kind == commands.JUMP:
                return f"jump {_named(names.steps, args[0])} {args[1]}"
            if kind in (commands.MOVE, commands.DRAW, commands.SHUFFLE):
                return self._spell_deck(name, args)
            if kind == commands.END and args[0] != NOBODY:
                return f"end {_named(names.results, args[0])}"
            if kind == commands.FIELD:
                return self._spell_field(args)
            if kind == commands.UNIT:
                return self._spell_unit(args)
            if kind == commands.REMOVE:
                return f"remove {args[0] + 1}"
            if kind == commands.USE:
                slot = [] if args[1] == NOBODY else [str(args[1] + 1)]
                return " ".join([name, _named(names.abilities, args[0]), *slot, *[_BY_HAND] * args[2]])
            if kind == commands.LAPSE:
                return f"{name} {args[0] + 1}"
            if kind == commands.ANSWER:
                question = engine.asked(self._session.state)
                if question is not None:
                    return f"answer {args[0] + (not question.die)}"
                return f"answer {_named(_ANSWERS, args[0])}"
            if kind == commands.BUILD:
                side = NO_SIDE if args[0] == NOBODY else _named(names.sides, args[0])
                options = names.options[args[1]]
                return " ".join([name, side, names.builders[args[1]], *(_named(options, pick) for pick in args[2:])])
            if kind in (commands.PICK, commands.ASSIGN):
                return self._spell_pick(name, args)
            if kind >= commands.ATTACK:
                return self._attacks.spell(kind, args)
            if kind in (commands.CONCEDE, commands.CONFIRM):
                return f"{name} {_named(self.names.sides, args[0])}"
            return name
        except IndexError:
            return " ".join([f"#{kind}", *map(str, args)])

    def _spell_deck(self, name: str, args: tuple[int, ...]) -> str:
        deck = _named(self.names.decks, args[0])
        zones = self.names.zones[args[0]]
        if len(args) == 1:
            return f"{name} {deck}"
        if len(args) == 2:
            return f"{name} {deck} {_named(zones, args[1])}"
        place = _named(list(_PLACES), args[4])
        return f"{name} {deck} {_named(zones, args[1])} {args[2] + 1} {_named(zones, args[3])} {place}"

    def _spell_pick(self, name: str, args: tuple[int, ...]) -> str:
        action = f"{name} {self.names.actions.get(args[0], f'#{args[0]}')}"
        try:
            record = picks.effect(self._session.state, args[0])
        except CoreError:
            return " ".join([action, *map(str, args[1:])])
        if record[0] == engine.PICK:
            zones = self.names.zones[record[1]]
            return f"{action} {_named(zones, args[1])} {args[2] + 1} {_named(zones, args[3])}"
        return f"{action} {_named(self.names.units, args[1]) if record[2] & 15 == picks.NEW else args[1] + 1}"

    def _spell_field(self, args: tuple[int, ...]) -> str:
        side = NO_SIDE if args[0] == NOBODY else _named(self.names.sides, args[0])
        if args[1] == roster.BY_NUMBERS:
            return " ".join(["field", side, "numbers", *map(str, args[2:])])
        return f"field {side} {_named(self.names.units, args[1])}"

    def _spell_unit(self, args: tuple[int, ...]) -> str:
        slot, what, value = args
        if what >= roster.TRACK:
            return f"unit {slot + 1} track {_named(self.names.tracks, what - roster.TRACK)} {value}"
        if what >= roster.FLAG:
            return f"unit {slot + 1} flag {_named(self.names.flags, what - roster.FLAG)} {_SWITCH[value]}"
        words = [word for word, code in _SETS.items() if code == what]
        return f"unit {slot + 1} {words[0] if words else f'#{what}'} {value}"
