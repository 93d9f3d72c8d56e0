"""Deathwatch: Overkill, Space Hulk (2nd edition) and Death Angel: each roll, a die at a time.

Sources: shared/rules/overkill.md 3, space_hulk.md 5, death_angel.md 5. Where a player may choose, he does this: First
Contact re-rolls every miss, but for a friend's; Rend hits go on to the next model; the sergeant parries when he would
lose, or draw and more likely win than lose, and picks the highest die; a support token is spent whenever the marine
would miss or be slain and a new roll may help.
"""

from typing import Any, NamedTuple

from . import walk
from .walk import Dice

# -- Overkill


class Model(NamedTuple):
    """A target: armour 0 never saves."""

    armour: int
    wounds: int
    cleave_save: bool = False


class Attack(NamedTuple):
    """Where an attack of Overkill stands."""

    stage: str
    left: int
    hits: int = 0
    lost: tuple[int, ...] = ()
    at: int = 0


class Overkill:
    """{need, dice or needs, rend, cleave, blast, first_contact, models: [{armour, wounds, lost, cleave_save}]}.

    `needs` is a number for each die, where they differ; a Blast profile has one die, which each model faces.
    """

    def __init__(self, request: dict[str, Any]) -> None:
        self.request = request
        self.needs = request.get("needs") or [request["need"]] * request.get("dice", 1)
        self.models = [
            Model(m.get("armour", 0), m.get("wounds", 1), bool(m.get("cleave_save"))) for m in request["models"]
        ]

    def start(self) -> Attack:
        lost = tuple(m.get("lost", 0) for m in self.request["models"])
        number = len(self.models) if self.request.get("blast") else len(self.needs)
        return Attack("hit", number, lost=lost)

    def step(self, s: Attack, dice: Dice) -> Attack:
        if s.stage == "hit":
            return self.roll(s, dice)
        if s.hits and s.at < len(self.models):
            return self.resolve(s, dice)
        return Attack("end", 0, lost=s.lost)

    def hit(self, need: int, dice: Dice, friend: bool = False) -> bool:
        hit = dice.roll("hit") >= need
        if not hit and self.request.get("first_contact") and not friend:
            hit = dice.roll("hit_again") >= need
        dice.note("hits", hit)
        return hit

    def roll(self, s: Attack, dice: Dice) -> Attack:
        if not s.left:
            return s._replace(stage="save")
        s = s._replace(left=s.left - 1)
        if not self.request.get("blast"):
            return s._replace(hits=s.hits + self.hit(self.needs[-s.left - 1], dice))
        if self.hit(self.needs[0], dice, bool(self.request["models"][s.at].get("own"))):
            s = self.save(s, s.at, dice)
        return s._replace(at=s.at + 1)

    def save(self, s: Attack, at: int, dice: Dice) -> Attack:
        """One hit on a model."""
        model = self.models[at]
        may = model.armour and (not self.request.get("cleave") or model.cleave_save)
        if may and dice.roll("save") >= model.armour:
            return s
        dice.note("lost")
        return s._replace(lost=(*s.lost[:at], s.lost[at] + 1, *s.lost[at + 1 :]))

    def resolve(self, s: Attack, dice: Dice) -> Attack:
        s = self.save(s, s.at, dice)._replace(hits=s.hits - 1)
        if s.lost[s.at] >= self.models[s.at].wounds:
            return s._replace(at=s.at + 1 if self.request.get("rend") else len(self.models))
        return s


def overkill(request: dict[str, Any]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """{wounds lost by each model, counted from fresh: probability}, and means."""
    read = Overkill(request)
    ends, means = walk.walk(read.step, read.start(), lambda s: s.stage == "end")
    return {s.lost: weight for s, weight in ends.items()}, means


def jump(_: Any, dice: Dice) -> int:
    """A step: the wounds of a jump."""
    return int(dice.roll("jump") == 1)


# -- Space Hulk

NUMBERS = {6: "HIT", 5: "SUST"}


def symbol(face: int) -> str:
    """Of the profile sh2_numbers_assumed."""
    return NUMBERS.get(face, "BLANK")


class Volley(NamedTuple):
    """A storm bolter and its target."""

    hits: int = 0
    sustained: int = 0  # misses so far at this target, standing still
    jammed: bool = False


def shot(sustained: bool, overwatch: bool, jam_on: int = 0) -> Any:
    """A step: two dice, and the jam die of overwatch, which jams on the faces up to `jam_on`."""

    def step(_: Any, dice: Dice) -> Volley:
        symbols = [symbol(dice.roll("shot")) for _ in range(2)]
        hits = symbols.count("HIT") + (symbols.count("SUST") if sustained and not overwatch else 0)
        jammed = overwatch and dice.roll("jam") <= jam_on
        return Volley(hits, 0 if hits or overwatch else 1, jammed)

    return step


def other_editions(kind: str, number: int, overwatch: bool) -> Any:
    """A step: the third and fourth edition (6, then 5+), or the first (6, 5, 4, 3 by shot); doubles jam."""

    def step(_: Any, dice: Dice) -> Volley:
        faces = [dice.roll("shot") for _ in range(2)]
        # Of the first edition the sheet says nothing of a bonus on overwatch, so that it has none, as the second.
        need = (6 if number < 2 else 5) if kind == "sh3_sh4" else 6 if overwatch else max(3, 7 - number)
        hits = sum(face >= need for face in faces)
        return Volley(hits, 0 if hits else 1, overwatch and faces[0] == faces[1])

    return step


def flamer(number: int) -> Any:
    """A step: how many of so many genestealers are destroyed; a 6 survives."""
    return lambda _, dice: sum(dice.roll("flame") <= 5 for _ in range(number))


class Melee(NamedTuple):
    """What close combat does."""

    marine_dead: bool
    stealer_dead: bool
    free_turn: bool = False


def close_combat(request: dict[str, Any]) -> Any:
    """A step: {marine_attacks, aspect: front | side | rear of the defender, sergeant, parry: 1 if he may}.

    A sergeant parries in his front only: when he attacks, or is attacked from the front.
    """
    sergeant, marine_attacks = request.get("sergeant", 0), request.get("marine_attacks", 0)
    front = request.get("aspect", "front") == "front"

    def step(_: Any, dice: Dice) -> Melee:
        marine = dice.roll("marine") + (1 if sergeant else 0)
        claws = [dice.roll("stealer") for _ in range(3)]
        may = sergeant and (marine_attacks or front) and request.get("parry", 1)
        # A draw is better than a new die unless that wins on more faces than it loses on.
        drawn = max(claws) == marine and claws.count(marine) == 1 and marine - 1 > 6 - marine
        if may and (max(claws) > marine or drawn):
            claws[claws.index(max(claws))] = dice.roll("parry")
        best = max(claws)
        if marine == best:
            return Melee(False, False)
        marine_wins = marine > best
        if marine_wins == bool(marine_attacks):
            return Melee(not marine_wins, marine_wins)
        if front:
            return Melee(not marine_wins, marine_wins)
        return Melee(False, False, True)

    return step


def door(number: int) -> Any:
    """A step: whether a door in close combat is destroyed: any 6."""
    return lambda _, dice: 6 in [dice.roll("door") for _ in range(number)]


# -- Death Angel: the faces are 0 to 5, and 1 to 3 bear a skull


def angel(dice: Dice, label: str = "die") -> int:
    """One combat die."""
    return dice.roll(label) - 1


def skull(face: int) -> bool:
    return 1 <= face <= 3


class Swarm(NamedTuple):
    """What an attack leaves."""

    slain: int
    tokens: int
    marine_dead: bool = False
    swarm: int = 0
    spent: int = 0


def marine_attack(request: dict[str, Any]) -> Any:
    """A step: {swarm, tokens, card: "" | dead_aim | flamer | full_auto | psionic}.

    A token is spent whenever a new roll slays more on average.
    """
    card = request.get("card", "")

    def kills(face: int) -> int:
        if card == "flamer":
            return face
        if card == "dead_aim" and face == 4:
            return 3
        return int(skull(face))

    def step(_: Any, dice: Dice) -> Swarm:
        left, tokens, attacks = request["swarm"], request.get("tokens", 0), 3 if card == "full_auto" else 1
        while attacks and left:
            attacks -= 1
            face = angel(dice)
            while tokens and 6 * min(left, kills(face)) < sum(min(left, kills(other)) for other in range(6)):
                tokens -= 1
                face = angel(dice)
            left -= min(left, kills(face))
            if card == "psionic" and skull(face):
                attacks += 1
        return Swarm(request["swarm"] - left, tokens, swarm=left)

    return step


def stealer_attack(request: dict[str, Any]) -> Any:
    """A step: {swarm, lords, tokens, behind, card: "" | block | counter_attack | defensive_stance, second_wind}."""
    card = request.get("card", "")

    def step(_: Any, dice: Dice) -> Swarm:
        swarm, lords = request["swarm"], request.get("lords", 0)
        tokens = 0 if request.get("behind") else request.get("tokens", 0)
        kept = request.get("tokens", 0) - tokens
        held, slain = tokens, 0
        while True:
            face, spent = angel(dice), False
            hope = any(missed(other, swarm, lords, True) for other in range(6))
            while not missed(face, swarm, lords, spent) and tokens and hope:
                tokens, spent = tokens - 1, True
                face = angel(dice)
            if not missed(face, swarm, lords, spent):
                return Swarm(slain, 0, True, swarm, held - tokens)
            if card != "counter_attack" or not skull(face):
                return Swarm(slain, tokens + kept, False, swarm, held - tokens)
            slain, swarm = slain + 1, swarm - 1
            lords = min(lords, swarm)
            if not swarm:
                return Swarm(slain, tokens + kept, False, 0, held - tokens)

    def missed(face: int, swarm: int, lords: int, spent: bool) -> bool:
        if card in ("block", "counter_attack") and skull(face):
            return True
        if card == "defensive_stance" and spent and face:
            return True
        if request.get("second_wind") and face == 0:
            return True
        return face - lords > swarm

    return step


def card_roll(slays: tuple[int, ...]) -> Any:
    """A step: whether a roll of a card or a location shows one of these faces."""
    return lambda _, dice: angel(dice) in slays


def heroic_charge(_: Any, dice: Dice) -> bool:
    """A step: whether Claudio is slain."""
    return angel(dice) == 0
