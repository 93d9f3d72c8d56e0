"""The shape of a game.toml, checked by pydantic. `docs/packs.md` is the authors' guide to it."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from tableside.core.roster import NUMBERS

SECTIONS = ("side", "counter", "deck", "step", "window", "check", "table", "result", "reminder", "unit",
            "flag", "weapon", "guide", "builder", "ending", "ability", "bonus", "track")

MAX_SLOTS = 40  # of a roster
TRACK_MOST = 250
MAX_CODE_BYTES = 1000  # of state, for the code of a pack
MAX_OPTIONS = 250  # of a builder
MAX_LINES = 8  # of a guide


def _between(low: int, high: int) -> AfterValidator:
    def check(value: int) -> int:
        if not low <= value <= high:
            raise ValueError(f"must be {low}..{high}, got {value}")
        return value

    return AfterValidator(check)


def _id(value: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9-]*", value):
        raise ValueError(f"must be lower-case letters, digits and '-', starting with a letter, got {value!r}")
    return value


def _pack_id(value: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,15}", value):
        raise ValueError(f"must be 1 to 16 lower-case letters, digits and '_', got {value!r}")
    return value


def _shorter(limit: int) -> AfterValidator:
    def check(value: str) -> str:
        if len(value) > limit:
            raise ValueError(f"must have at most {limit} characters, got {len(value)}")
        return value

    return AfterValidator(check)


def _rounds(value: str) -> str:
    match = re.fullmatch(r"(\d{1,3})(-(\d{1,3})?)?", value)
    if not match or int(match[1]) > 255 or int(match[3] or 255) > 255 or int(match[1]) > int(match[3] or 255):
        raise ValueError(f"must be a round or a range such as '2', '2-4' or '2-', within 0..255, got {value!r}")
    return value


Id = Annotated[str, AfterValidator(_id)]
Number = Annotated[int, _between(-32768, 32767)]
Rounds = Annotated[str, AfterValidator(_rounds)]
Title = Annotated[str, _shorter(40)]
Language = Annotated[str, _shorter(5)]
Effects = Annotated[list[str], Field(max_length=255)]
Bytes = Annotated[list[Annotated[int, _between(0, 255)]], Field(min_length=1, max_length=255)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Named(_Model):
    id: Id


class Side(_Named):
    """A side of the game: a player, or one that the device runs."""

    name: Title
    kind: Literal["player", "device"] = "player"


class Counter(_Named):
    """A bounded number."""

    name: Title
    short: Annotated[str, _shorter(6)] = ""
    low: Number = 0
    high: Number = 99
    start: Number = 0
    scope: Literal["round", "session", "campaign"] = "session"
    owner: Id | None = None
    pinned: bool = False
    names: Annotated[list[Title], Field(max_length=255)] = []

    @model_validator(mode="after")
    def _bounds(self) -> "Counter":
        if not self.low <= self.start <= self.high:
            raise ValueError(f"start must be {self.low}..{self.high}, got {self.start}")
        if self.names and len(self.names) != self.high - self.low + 1:
            raise ValueError(f"names must have {self.high - self.low + 1} entries, got {len(self.names)}")
        return self


class Zone(_Named):
    """A place where cards of a deck lie."""

    name: Title
    kind: Literal["draw", "hand", "slot", "discard", "removed"]
    owner: Id | None = None
    look: Literal["open", "owner", "secret"] | None = None
    returns: bool | None = None


class Card(_Model):
    """One kind of card. `shown` is what the players read, if that is not the title by which rows name it."""

    title: Title
    shown: Title | None = None
    text: str = ""
    copies: Annotated[int, _between(1, 99)] | None = None
    marks: list[Id] = []


class Deck(_Named):
    """A deck and its zones. `cards` is a list, or a range of numbers such as "1-13"."""

    name: Title
    cards: Annotated[
        Annotated[str, Tag("range-of-cards")] | Annotated[list[Card], Tag("list-of-cards")],
        Discriminator(lambda value: "range-of-cards" if isinstance(value, str) else "list-of-cards"),
    ]
    copies: Annotated[int, _between(1, 99)] = 1
    when_empty: Literal["reshuffle", "stop"] = "stop"
    zone: list[Zone] = []


class Action(_Named):
    """Something the players may choose."""

    label: Title
    ask: str | None = None
    when: str = ""
    effects: Effects = []
    edit: Id | None = None
    attack: bool = False
    preset: str = ""
    use: str | None = None
    cost: int | str | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> "Action":
        if self.attack and self.edit:
            raise ValueError("an action that begins an attack edits no counter")
        if self.preset and not self.attack:
            raise ValueError("only an action that begins an attack has a preset")
        if self.use and (self.attack or self.edit or self.effects or self.ask):
            raise ValueError("an action that uses an ability has neither attack, edit, effects nor ask")
        if self.cost is not None and (self.use or self.attack or self.edit or self.ask):
            raise ValueError("an action with a cost has neither attack, edit, use nor ask")
        return self


class _Paying(_Named):
    """Where actions are chosen that may have a price."""

    pay: Annotated[list[str], Field(max_length=2)] = []
    unpaid: str = ""


class Step(_Paying):
    """One step of a round."""

    phase: Title
    title: Title
    prompt: str = ""
    actor: Id | None = None
    rounds: Rounds = "1-"
    when: str = ""
    effects: Effects = []
    action: Annotated[list[Action], Field(max_length=255)] = []
    checklist: Annotated[list[str], Field(max_length=32)] = []
    auto: bool = False

    @model_validator(mode="after")
    def _either(self) -> "Step":
        if self.checklist and (self.prompt or self.action):
            raise ValueError("a step with a checklist has neither prompt nor action")
        return self


class Window(_Paying):
    """A moment in which one of some actions is chosen; the first that is allowed is under OK."""

    title: Title
    prompt: str = ""
    action: Annotated[list[Action], Field(min_length=1, max_length=255)]


class Die(_Model):
    """A die that the players roll and key in."""

    label: Title
    sides: Annotated[int, _between(2, 100)] = 6
    sign: Literal[1, -1] = 1


class Modifier(_Model):
    """Something added to a check's dice."""

    value: str
    sign: Literal[1, -1] = 1
    when: str = ""


class Outcome(_Model):
    """A range of totals of a check and what follows from it."""

    low: Number = -32768
    high: Number = 32767
    label: Title
    effects: Effects = []


class Check(_Named):
    """Dice plus modifiers against a table of outcomes."""

    title: Title
    prompt: str = ""
    die: Annotated[list[Die], Field(min_length=1, max_length=8)]
    modifier: Annotated[list[Modifier], Field(max_length=255)] = []
    outcome: Annotated[list[Outcome], Field(min_length=1, max_length=255)]


class Row(_Model):
    """What some cards of a deck mean."""

    cards: str
    title: Title
    text: str = ""
    effects: Effects = []


class Table(_Named):
    """What each card of a deck means in a scenario."""

    title: Title
    deck: Id
    row: Annotated[list[Row], Field(min_length=1, max_length=255)]


class Result(_Named):
    """How a session may end."""

    title: Title
    text: str = ""
    kind: Literal["win", "loss", "draw"] = "draw"
    when: str = ""
    at_once: bool = False
    next: str | None = None
    effects: Effects = []


class Ending(_Named):
    """How a campaign may end with a session of this scenario."""

    title: Title
    text: str = ""
    kind: Literal["win", "loss", "draw"] = "draw"
    when: str = ""


class Reminder(_Model):
    """A text that belongs to a step and some rounds."""

    text: str
    step: Id
    rounds: Rounds = "1-"
    when: str = ""


class Unit(_Named):
    """A kind of unit that may stand on the roster. In the numbers 0 is none."""

    name: Title
    side: Id | None = None
    start: Annotated[int, _between(0, MAX_SLOTS)] = 0
    models: Annotated[int, _between(*NUMBERS[0])] = 1
    wounds: Annotated[int, _between(*NUMBERS[1])] = 1
    toughness: Annotated[int, _between(*NUMBERS[2])] = 0
    save: Annotated[int, _between(*NUMBERS[3])] = 0
    invulnerable: Annotated[int, _between(*NUMBERS[4])] = 0
    feel_no_pain: Annotated[int, _between(*NUMBERS[5])] = 0
    keywords: list[Title] = []
    weapons: Annotated[list[str], Field(max_length=255)] = []  # "ID", or "ID COUNT"
    track: dict[Id, Annotated[int, _between(0, TRACK_MOST)]] = {}


class Flag(_Named):
    """Something that a unit on the roster may be marked with."""

    name: Title
    mark: str
    scope: Literal["phase", "turn", "next-turn", "round", "session", "campaign"] = "session"
    ask: str | None = None
    wounds: Annotated[int, _between(0, 200)] = 0

    @model_validator(mode="after")
    def _one(self) -> "Flag":
        if len(self.mark) != 1 or self.mark == " ":
            raise ValueError(f"mark must be one character, got {self.mark!r}")
        if (self.ask or self.wounds) and self.scope != "campaign":
            raise ValueError("ask and wounds need scope = 'campaign'")
        return self


class Track(_Named):
    """A number that each unit of some kinds has for itself."""

    name: Title
    short: Annotated[str, _shorter(4)] = ""
    high: Annotated[int, _between(1, TRACK_MOST)] = 99
    start: Annotated[int, _between(0, TRACK_MOST)] = 0
    scope: Literal["round", "session"] = "session"
    names: Annotated[list[Title], Field(max_length=TRACK_MOST + 1)] = []

    @model_validator(mode="after")
    def _bounds(self) -> "Track":
        if self.start > self.high:
            raise ValueError(f"start must be 0..{self.high}, got {self.start}")
        if self.names and len(self.names) != self.high + 1:
            raise ValueError(f"names must have {self.high + 1} entries, got {len(self.names)}")
        return self


class Weapon(_Named):
    """A weapon, or a roll with a name: besides these the fields of a request's "weapon" under its dice rules."""

    model_config = ConfigDict(extra="allow", strict=True)
    name: Title
    rules: str


class Ability(_Named):
    """Something that a side may do at some moments, for a cost and so often."""

    name: Title
    text: str = ""
    sides: list[Id] = []
    at: list[str] = []
    rounds: Rounds = "1-"
    pay: str | None = None
    cost: Annotated[int, _between(0, 99)] = 1
    limit: Literal["phase", "turn", "next-turn", "round", "session"] | None = None
    until: Literal["phase", "turn", "next-turn", "round", "session"] | None = None
    target: Literal["own", "other", "any"] | None = None
    unit: str = ""
    excludes: list[str] = []
    same: str | None = None
    when: str = ""
    ask: str | None = None
    effects: Effects = []

    @model_validator(mode="after")
    def _unit_of_a_target(self) -> "Ability":
        if self.unit and not self.target:
            raise ValueError("a condition of the unit needs a target")
        return self


class GuideLine(_Named):
    """A question of a guide and what is done on a yes."""

    ask: str | None = None
    then: str
    attack: bool = False
    unless: list[Id] = []
    when: str = ""
    effects: Effects = []


class Guide(_Named):
    """A walk of yes/no questions for a side that the device runs."""

    title: Title
    line: Annotated[list[GuideLine], Field(min_length=1, max_length=MAX_LINES)]
    end: str | None = None
    repeat: bool = False


class Sum(_Named):
    """Something that the options of a builder add up to."""

    name: Title
    start: Number = 0
    low: Number = -32768
    high: Number = 32767


_Small = Annotated[int, _between(-100, 127)]
_UnitNumber = Literal["models", "wounds", "toughness", "save", "invulnerable", "feel_no_pain"]


class Change(_Model):
    """What an option changes in the numbers of weapons."""

    rules: str
    field: str
    set: _Small | None = None
    add: _Small | None = None
    having: str | None = None

    @model_validator(mode="after")
    def _one(self) -> "Change":
        if (self.set is None) == (self.add is None):
            raise ValueError("needs set or add")
        return self


class Option(_Named):
    """Something that a unit may be built with."""

    label: Title
    name: Title = ""
    most: Annotated[int, _between(1, 13)] = 1
    of: Id | None = None
    sum: dict[Id, Number] = {}
    set: dict[_UnitNumber, _Small] = {}
    plus: dict[_UnitNumber, _Small] = {}
    keywords: list[Title] = []
    weapons: Annotated[list[str], Field(max_length=255)] = []
    change: Annotated[list[Change], Field(max_length=255)] = []
    needs: list[Id] = []
    excludes: list[Id] = []

    @model_validator(mode="after")
    def _alters(self) -> "Option":
        if self.of and self.weapons:
            raise ValueError("an option of another's weapon has no weapons of its own")
        return self


class Group(_Named):
    """Options that are picked on one page."""

    title: Title
    least: Annotated[int, _between(0, 13)] = 0
    most: Annotated[int, _between(1, 13)] = 1
    option: Annotated[list[Option], Field(min_length=1)]


class Example(_Model):
    """A unit that may be built with one press."""

    name: Title
    picks: Annotated[list[Id], Field(min_length=1)]


class Builder(_Named):
    """Builds a unit from options."""

    title: Title
    unit: Id
    side: Id | None = None
    sum: Annotated[list[Sum], Field(max_length=8)] = []
    group: Annotated[list[Group], Field(min_length=1, max_length=20)]
    example: Annotated[list[Example], Field(max_length=100)] = []


class Bonus(_Model):
    """A number of an attack that changes for an attacker, or a target: a unit, or one with a flag or an ability."""

    attacker: str | None = None
    target: str | None = None
    number: str
    plus: Annotated[int, _between(-128, 127)] = 1
    when: str = ""
    only: Annotated[dict[str, Annotated[int, _between(-128, 127)]], Field(max_length=2)] = {}

    @model_validator(mode="after")
    def _one(self) -> "Bonus":
        if (self.attacker is None) == (self.target is None):
            raise ValueError("needs attacker or target: the flag, ability or unit that gives it")
        return self


class Part(_Model):
    """Definitions that scenarios share."""

    side: list[Side] = []
    counter: list[Counter] = []
    deck: list[Deck] = []
    step: list[Step] = []
    window: list[Window] = []
    check: list[Check] = []
    table: list[Table] = []
    result: list[Result] = []
    reminder: list[Reminder] = []
    unit: list[Unit] = []
    flag: list[Flag] = []
    weapon: list[Weapon] = []
    track: list[Track] = []
    guide: list[Guide] = []
    builder: list[Builder] = []
    ending: Annotated[list[Ending], Field(max_length=255)] = []
    ability: list[Ability] = []
    bonus: list[Bonus] = []


class Scenario(Part):
    """One mission: its parts, what it adds to them or replaces by the same id, and start values."""

    id: Id
    title: Title
    parts: list[Id] = []
    start: dict[Id, Number] = {}
    roster: Annotated[int, _between(0, MAX_SLOTS)] = 0
    code_bytes: Annotated[int, _between(0, MAX_CODE_BYTES)] = 0


class Code(_Model):
    """What the pack's own code says and reads. Texts and tables are numbered in the order of the file."""

    text: dict[Id, str | Annotated[list[str], Field(min_length=1)]] = {}
    table: dict[Id, Annotated[list[Bytes], Field(min_length=1)]] = {}


class Campaign(_Named):
    """Scenarios that are played one after the other, with what they carry."""

    title: Title
    text: str = ""
    missions: Annotated[list[Id], Field(min_length=1, max_length=255)]
    start: dict[Id, Number] = {}


class PackInfo(_Model):
    """The pack itself."""

    id: Annotated[str, AfterValidator(_pack_id)]
    title: Title
    version: str
    language: Language = "en"
    notes: Annotated[list[str], Field(max_length=255)] = []


class Game(_Model):
    """A whole game.toml."""

    pack: PackInfo
    code: Code | None = None
    part: dict[Id, Part] = {}
    scenario: Annotated[list[Scenario], Field(min_length=1, max_length=254)]
    campaign: Annotated[list[Campaign], Field(max_length=255)] = []
    translation: Annotated[dict[Language, dict[str, str]], Field(max_length=15)] = {}
