"""The commands of an attack in words: WEAPON from SLOT at SLOTS, numbers as FIELD=VALUE, dice as faces or counts."""

from collections.abc import Callable, Sequence
from types import ModuleType

from host_tools import requests
from host_tools.errors import CommandError
from tableside import rules
from tableside.core import commands, stages
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY
from tableside.core.session import Session

FORMS = {
    "attack": "attack WEAPON|RULES [from SLOT] [at SLOT...] [FIELD=VALUE...]",
    "amend": "amend FIELD=VALUE...",
    "dice": "dice FACE...  or  dice = COUNT...",
    "decide": "decide OPTION",
    "throw": "throw",
    "apply": "apply",
    "drop": "drop",
}
COUNTS = {"attack": (1, 14), "amend": (1, 7), "dice": (1, 128), "decide": (1, 1), "throw": (0, 0), "apply": (0, 0),
          "drop": (0, 0)}
Number = Callable[..., int]


class AttackWords:
    """Reads and spells them. Args: session; weapons: the ids of the scenario's; number: reads a number in bounds."""

    def __init__(self, session: Session, weapons: Sequence[str], number: Number):
        self._session = session
        self._weapons = weapons
        self._number = number

    def read(self, name: str, args: list[str]) -> tuple[int, ...]:
        """The arguments of a command. Raises CommandError for what cannot be read."""
        if name == "attack":
            return self._read_attack(args)
        if name == "amend":
            return self._pairs(self._module(), args)
        if name == "dice":
            return self._read_dice(args)
        if name == "decide":
            options = self._waiting().options
            return (options.index(args[0]) if args[0] in options else self._number(args[0], "OPTION", 0, 255),)
        return ()

    def _read_attack(self, args: list[str]) -> tuple[int, ...]:
        weapon, module = self._weapon(args[0])
        attacker, slots, pairs, where = NOBODY, [], [], ""
        for word in args[1:]:
            if word in ("from", "at"):
                where = word
            elif "=" in word:
                pairs.append(word)
            elif where == "from":
                attacker = self._number(word, "SLOT", 1, 255) - 1
            elif where == "at":
                slots.append(self._number(word, "SLOT", 1, 255) - 1)
            else:
                raise CommandError(f"write it as: {FORMS['attack']}")
        return weapon, attacker, len(slots), *slots, *self._pairs(module, pairs)

    def _weapon(self, name: str) -> tuple[int, ModuleType]:
        if name in self._weapons:
            number = self._weapons.index(name)
            return number, rules.resolver(self._session.scenario.weapon(number)[1])
        if name in requests.SYSTEMS:
            module = requests.resolver(name)
            return -module.ID, module
        raise CommandError(f"no weapon {name!r}: there are {', '.join(self._weapons) or 'none'}")

    def _pairs(self, module: ModuleType, words: list[str]) -> tuple[int, ...]:
        fields = module.PROFILE + module.MODIFIERS + module.TARGET
        names = [field[0] for field in fields]
        pairs: list[int] = []
        for word in words:
            name, equals, value = word.partition("=")
            if not equals or not (name in names or name.isdigit()):
                raise CommandError(f"{word}: write FIELD=VALUE; fields: {', '.join(names)}")
            choices = module.CHOICES.get(name, ())
            pairs += [names.index(name) if name in names else int(name),
                      choices.index(value) if value in choices else self._number(value, name)]
        return tuple(pairs)

    def _read_dice(self, args: list[str]) -> tuple[int, ...]:
        numbers = [self._number(word, "a number of dice" if args[0] == "=" else "a face")
                   for word in args[args[0] == "=":]]
        return tuple(numbers) if args[0] == "=" else tuple(stages.counts_of(self._waiting(), numbers))

    def _module(self) -> ModuleType:
        if self._session.state.attack is None:
            raise CommandError("no weapons in this game")
        try:
            module: ModuleType = self._session.state.attack.resolver()
        except RuleError as error:
            raise CommandError(str(error)) from None
        return module

    def _waiting(self) -> stages.Stage:
        self._module()
        stage: stages.Stage = self._session.state.attack.waiting()
        return stage

    def spell(self, kind: int, args: tuple[int, ...]) -> str:
        """A command of a log, as `read` would read it, without looking at the state. Raises IndexError for nonsense."""
        name = commands.NAMES[kind]
        if kind == commands.ATTACK:
            weapon = rules.RESOLVERS[-args[0]] if args[0] < 0 else self._weapons[args[0]]
            words = [name, weapon] + ([] if args[1] == NOBODY else ["from", str(args[1] + 1)])
            slots = args[3 : 3 + args[2]]
            words += ["at", *(str(slot + 1) for slot in slots)] if slots else []
            return " ".join(words + _spell_pairs(args[3 + len(slots):]))
        if kind == commands.AMEND:
            return " ".join([name, *_spell_pairs(args)])
        return " ".join([name, *(["="] if kind == commands.STAGE else []), *map(str, args)])


def _spell_pairs(pairs: tuple[int, ...]) -> list[str]:
    return [f"{index}={value}" for index, value in zip(pairs[::2], pairs[1::2], strict=False)]
