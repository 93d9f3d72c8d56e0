"""Warhammer 40,000, both editions: one attack of one weapon profile at one unit, a die at a time.

Sources: shared/rules/w40k10_claw.md 2 and w40k11_indomitor.md 2. Where a player may choose, he does this: re-rolls of
failures pick up every failure, twin-linked too; re-rolls of ones every 1; a Command Re-roll takes one failure that was
not re-rolled (of damage and of random attacks: the lowest die, if it shows 3 or less and a 1 would not kill anyway);
Lethal Hits are used unless `lethal_hits_declined`; of armour and invulnerable save the one that is passed more often;
damage goes to a hurt model that is no CHARACTER, then to the groups in their order, CHARACTERs last; Precision is used
if the modifier `precision` says so, for the first CHARACTER group.
"""

import re
from typing import Any, NamedTuple

from . import walk
from .walk import Dice

DONE = "end"


class State(NamedTuple):
    """Where an attack stands."""

    stage: str
    left: int = 0  # dice of this stage not yet rolled
    hits: int = 0  # that need a wound roll
    wounds: int = 0  # that need a save
    mortals: int = 0  # critical wounds of Devastating Wounds that wait for the end
    table: tuple[tuple[int, bool], ...] = ()  # dice that lie on the table: (face, was re-rolled)
    groups: tuple[tuple[int, int], ...] = ()  # (models alive, wounds lost by the one hurt model)
    commanded: bool = False  # the Command Re-roll is spent
    failed: int = 0  # hazard rolls
    points: int = 0  # of damage that a model still has to take
    at: int = 0  # its group


def notation(value: int | str) -> tuple[int, int, int]:
    """(dice, sides, plus) of a number or of a text such as "2D6+1"."""
    found = re.fullmatch(r"(\d*)D(\d+)(?:\+(\d+))?", str(value))
    if not found:
        return 0, 6, int(value)
    return int(found[1] or 1), int(found[2]), int(found[3] or 0)


def clamp(value: int) -> int:
    return max(-1, min(1, value))


class Attack:
    """A request, read once. Attributes are the characteristics after everything that changes them beforehand."""

    def __init__(self, edition: int, request: dict[str, Any]) -> None:
        weapon, target = request["weapon"], request["target"]
        self.edition = edition
        self.mods: dict[str, Any] = request.get("modifiers", {})
        self.words = {w.upper() for w in weapon.get("keywords", ())}
        self.groups: list[dict[str, Any]] = target["groups"]
        self.count = self.mods.get("weapons", 1)
        number, sides, plus = notation(weapon["attacks"])
        self.attacks = number * self.count, sides, plus * self.count
        self.damage = notation(weapon["damage"])
        self.skill = weapon.get("skill") or 0
        self.torrent = self.has("TORRENT") or not self.skill
        self.ranged = not (self.has("MELEE") or self.mods.get("melee"))
        shooting = self.mods.get("snap")  # of the 10th edition Overwatch; of the 11th also ways of indirect shooting
        self.indirect = {"indirect": 6, "indirect_seen": 4}.get(str(shooting), 0)
        self.snap = bool(shooting) and shooting != "no" and not self.indirect
        self.ap = min(0, weapon.get("ap", 0) + self.mods.get("ap", 0))
        self.cover = bool(self.mods.get("cover") or self.indirect) and self.ranged and not self.has("IGNORES COVER")
        self.hit_mod = clamp(
            self.mods.get("hit", 0)
            + (1 if self.has("HEAVY") and self.mods.get("stationary") else 0)
            - (1 if edition == 10 and self.mods.get("stealth") and self.ranged else 0)
        )
        lance = self.has("LANCE") and self.mods.get("charged")
        self.wound_mod = clamp(self.mods.get("wound", 0) + (1 if lance else 0))
        if edition == 11:
            stealth = self.mods.get("stealth") and self.ranged and not self.has("IGNORES COVER")
            worse = 1 if self.cover or stealth else 0
            self.skill = max(2, min(6, self.skill + worse - (1 if self.mods.get("plunging") else 0)))
        self.crit_hit = self.mods.get("critical_hit", 0) or 6
        self.need = self.wound_need(weapon["strength"], self.toughness(target))
        self.crit_wound = self.mods.get("critical_wound", 0) or 6
        kinds = {k.upper() for k in target.get("keywords", ())}
        for word in self.words:
            anti = re.fullmatch(r"ANTI-(.+) (\d)\+", word)
            if anti and anti[1] in kinds:
                self.crit_wound = min(self.crit_wound, int(anti[2]))
        self.command = self.mods.get("command_reroll", "none")

    def has(self, word: str) -> bool:
        return self.value(word) > 0

    def value(self, word: str) -> int:
        """X of an ability; the highest if there are several; 1 if it has no number; 0 if it is not there."""
        found = [w[len(word) :].strip() for w in self.words if w == word or w.startswith(word + " ")]
        return max([int(x) if x.isdigit() else 1 for x in found], default=0)

    @staticmethod
    def wound_need(strength: int, toughness: int) -> int:
        if strength >= 2 * toughness:
            return 2
        if strength > toughness:
            return 3
        if strength == toughness:
            return 4
        return 6 if 2 * strength <= toughness else 5

    def toughness(self, target: dict[str, Any]) -> int:
        """The highest of living bodyguards, else of all; of a kill team that of most models, a tie the highest."""
        living = [g for g in self.groups if g["models"] > 0]
        if target.get("majority"):
            counts: dict[int, int] = {}
            for group in living:
                value = group.get("toughness") or target["toughness"]
                counts[value] = counts.get(value, 0) + group["models"]
            return max(counts, key=lambda value: (counts[value], value))
        bodyguards = [g for g in living if not g.get("character")]
        return max(g.get("toughness") or target["toughness"] for g in bodyguards or living)

    # -- attacks and hits

    def step(self, s: State, dice: Dice) -> State:
        return self.take_point(s, dice) if s.points else getattr(self, "at_" + s.stage)(s, dice)

    def start(self) -> State:
        groups = tuple((g["models"], g.get("lost", 0)) for g in self.groups)
        return State("attacks", self.attacks[0], groups=groups)

    def at_attacks(self, s: State, dice: Dice) -> State:
        """Random attacks, all dice of the number; then what does not depend on dice."""
        faces = [dice.roll("attacks", self.attacks[1]) for _ in range(s.left)]
        faces, spent = self.commanded("attacks", faces, self.attacks[1], dice, s.commanded)
        number = sum(faces) + self.attacks[2]
        if self.has("BLAST"):
            each = self.value("BLAST") if self.edition == 11 else 1
            number += self.count * each * (sum(models for models, _ in s.groups) // 5)
        if self.mods.get("half_range"):
            number += self.count * self.value("RAPID FIRE")
        dice.note("attacks", number)
        if self.torrent:
            dice.note("hits", number)
            return s._replace(stage="wound", left=number, commanded=spent)
        return s._replace(stage="hit", left=number, commanded=spent)

    def commanded(self, stage: str, faces: list[int], sides: int, dice: Dice, spent: bool) -> tuple[list[int], bool]:
        """A Command Re-roll of the lowest of some dice whose sum counts, if it shows 3 or less (of a D3: 1)."""
        if self.command == stage and not spent and faces and min(faces) <= sides // 2:
            at = faces.index(min(faces))
            return [*faces[:at], *faces[at + 1 :], dice.roll(stage + "_command", sides)], True
        return faces, spent

    def hit_of(self, face: int) -> str:
        """What one die of the hit roll is."""
        if self.snap:
            return "crit" if face == 6 else "miss"
        if face == 1 or face < self.indirect:
            return "miss"
        if face == 6:
            return "crit"
        hits = face + self.hit_mod >= self.skill
        if face >= self.crit_hit and (hits or self.edition == 11):
            return "crit"
        return "hit" if hits else "miss"

    def wound_of(self, face: int) -> str:
        """What one die of the wound roll is."""
        if face == 1:
            return "fail"
        if face >= self.crit_wound:
            return "crit"
        return "wound" if max(1, face + self.wound_mod) >= self.need else "fail"

    def rerolled(self, stage: str, kind: str, face: int, failed: bool, dice: Dice) -> tuple[int, bool]:
        """The face after the re-roll that `kind` allows: none, ones or failures."""
        wanted = failed and (kind in ("failures", "any") or (kind == "ones" and face == 1))
        new = dice.again(stage, wanted)
        return (new, True) if new else (face, False)

    def at_hit(self, s: State, dice: Dice) -> State:
        if not s.left:
            return self.judge_hits(s, dice)
        face = dice.roll("hit")
        kind = "none" if self.snap or self.indirect else self.mods.get("hit_reroll", "none")
        face, again = self.rerolled("hit", kind, face, self.hit_of(face) == "miss", dice)
        s = s._replace(left=s.left - 1)
        if self.command == "hit" and not s.commanded:
            return s._replace(table=tuple(sorted((*s.table, (face, again)))))
        return self.count_hit(s, face, dice)

    def judge_hits(self, s: State, dice: Dice) -> State:
        """All dice lie: the Command Re-roll, and then what they are."""
        table = list(s.table)
        if table and self.command == "hit" and not s.commanded:
            for i, (face, again) in enumerate(table):
                if not again and self.hit_of(face) == "miss":
                    table[i] = (dice.roll("hit_command"), True)
                    s = s._replace(commanded=True)
                    break
        for face, _ in table:
            s = self.count_hit(s, face, dice)
        return s._replace(stage="wound", left=s.hits, hits=0, table=())

    def count_hit(self, s: State, face: int, dice: Dice) -> State:
        what = self.hit_of(face)
        if what == "miss":
            return s
        dice.note("hits")
        if what == "hit":
            return s._replace(hits=s.hits + 1)
        extra = max(self.value("SUSTAINED HITS"), self.mods.get("sustained", 0))
        dice.note("crits")
        dice.note("hits", extra)
        lethal = self.has("LETHAL HITS") or self.mods.get("lethal")
        if lethal and not (self.edition == 11 and self.mods.get("lethal_hits_declined")):
            dice.note("auto")
            dice.note("wounds")
            return s._replace(hits=s.hits + extra, wounds=s.wounds + 1)
        return s._replace(hits=s.hits + 1 + extra)

    def at_wound(self, s: State, dice: Dice) -> State:
        if not s.left:
            return self.judge_wounds(s, dice)
        face = dice.roll("wound")
        kind = "failures" if self.has("TWIN-LINKED") else self.mods.get("wound_reroll", "none")
        face, again = self.rerolled("wound", kind, face, self.wound_of(face) == "fail", dice)
        s = s._replace(left=s.left - 1)
        if self.command == "wound" and not s.commanded:
            return s._replace(table=tuple(sorted((*s.table, (face, again)))))
        return self.count_wound(s, face, dice)

    def judge_wounds(self, s: State, dice: Dice) -> State:
        table = list(s.table)
        if table and self.command == "wound" and not s.commanded:
            for i, (face, again) in enumerate(table):
                if not again and self.wound_of(face) == "fail":
                    table[i] = (dice.roll("wound_command"), True)
                    s = s._replace(commanded=True)
                    break
        for face, _ in table:
            s = self.count_wound(s, face, dice)
        return s._replace(stage="save", left=s.wounds, wounds=0, table=())

    def count_wound(self, s: State, face: int, dice: Dice) -> State:
        what = self.wound_of(face)
        if what == "fail":
            return s
        dice.note("wounds")
        dice.note("crit_wounds", what == "crit")
        if what == "crit" and self.has("DEVASTATING WOUNDS"):
            return s._replace(mortals=s.mortals + 1)
        return s._replace(wounds=s.wounds + 1)

    # -- saves and losses

    def current(self, s: State) -> int | None:
        """The group that takes the next wound."""
        living = [i for i, (models, _) in enumerate(s.groups) if models > 0]
        characters = [i for i in living if self.groups[i].get("character")]
        if self.mods.get("precision") and self.precise() is not None and self.precise() in living:
            return self.precise()
        plain = [i for i in living if i not in characters]
        for some in (plain, characters):
            hurt = [i for i in some if s.groups[i][1] > 0]
            if hurt or some:
                return (hurt or some)[0]
        return None

    def precise(self) -> int | None:
        """The CHARACTER group that Precision names: the first that lived when the attack began."""
        for i, group in enumerate(self.groups):
            if group.get("character") == 1 and group["models"] > 0:  # 2: one that nobody sees
                return i
        return None

    def saved(self, face: int, group: dict[str, Any]) -> bool:
        """Whether a die of the save roll saves a model of a group."""
        armour, invulnerable = group["save"], group.get("invulnerable", 0)
        if face == 1:
            return False
        bonus = self.mods.get("save", 0)
        if self.edition == 11:
            return bool(invulnerable and face >= invulnerable) or bool(armour and face + self.ap + bonus >= armour)
        if self.cover and not (armour <= 3 and self.ap == 0):
            bonus += 1
        modifier = min(1, self.ap + bonus)
        need = armour - modifier if armour else 99
        if invulnerable:
            need = min(need, invulnerable)  # the owner picks the save that is passed more often
        return face >= need

    def at_save(self, s: State, dice: Dice) -> State:
        if self.edition == 11:
            return self.roll_pool(s, dice)
        at = self.current(s)
        if not s.left or at is None:
            dice.note("excess", s.left)
            return s._replace(stage="mortal", left=s.mortals, mortals=0)
        group = self.groups[at]
        face = dice.roll("save")
        s = s._replace(left=s.left - 1)
        if not self.saved(face, group) and self.saved(6, group) and self.command == "save" and not s.commanded:
            s = s._replace(commanded=True)
            face = dice.roll("save_command")
        return s if self.saved(face, group) else self.damaged(s, at, dice)

    def roll_pool(self, s: State, dice: Dice) -> State:
        """The 11th edition rolls the saves of a pool together and resolves them from the lowest die up."""
        if s.left:
            face = dice.roll("save")
            return s._replace(left=s.left - 1, table=tuple(sorted((*s.table, (face, False)))))
        return s._replace(stage="resolve")

    def at_resolve(self, s: State, dice: Dice) -> State:
        at = self.current(s)
        if not s.table or at is None:
            dice.note("excess", len(s.table))
            return s._replace(stage="mortal", left=s.mortals, mortals=0, table=())
        may = self.command == "save" and not s.commanded and self.saved(6, self.groups[at])
        if may and not self.saved(s.table[0][0], self.groups[at]):
            new = (dice.roll("save_command"), True)
            return s._replace(commanded=True, table=tuple(sorted((*s.table[1:], new))))
        face = s.table[0][0]
        s = s._replace(table=s.table[1:])
        return s if self.saved(face, self.groups[at]) else self.damaged(s, at, dice)

    def damaged(self, s: State, at: int, dice: Dice) -> State:
        dice.note("unsaved")
        return self.lose(s, at, dice)

    def lose(self, s: State, at: int, dice: Dice) -> State:
        """Roll the damage that the hurt model of a group takes."""
        faces = [dice.roll("damage", self.damage[1]) for _ in range(self.damage[0])]
        plus = self.damage[2] + (self.value("MELTA") if self.mods.get("half_range") else 0)
        kills = len(faces) + plus >= self.groups[at]["wounds"] - s.groups[at][1] and not self.groups[at].get(
            "feel_no_pain"
        )
        faces, spent = self.commanded("damage", faces, self.damage[1], dice, s.commanded or kills)
        points = sum(faces) + plus
        return s._replace(points=max(1, points), at=at, commanded=s.commanded or spent and not kills)

    def take_point(self, s: State, dice: Dice) -> State:
        """One wound, unless the model feels no pain. What is left over when it dies is lost with it."""
        group, (models, lost), points = self.groups[s.at], s.groups[s.at], s.points - 1
        ignore = group.get("feel_no_pain", 0)
        if not ignore or dice.roll("feel_no_pain") < ignore:
            lost += 1
            dice.note("lost")
        if lost >= group["wounds"]:
            dice.note("wasted", points)
            dice.note("destroyed")
            models, lost, points = models - 1, 0, 0
        groups = (*s.groups[: s.at], (models, lost), *s.groups[s.at + 1 :])
        return s._replace(groups=groups, points=points, at=s.at if points else 0)

    def at_mortal(self, s: State, dice: Dice) -> State:
        """Devastating Wounds: damage without a save, each on one model, after the rest."""
        at = self.current(s)
        if not s.left or at is None:
            return s._replace(stage="hazard", left=self.count if self.has("HAZARDOUS") else 0)
        dice.note("mortal")
        return self.lose(s._replace(left=s.left - 1), at, dice)

    def at_hazard(self, s: State, dice: Dice) -> State:
        """A hazard roll for each weapon; how many failed."""
        if not s.left:
            return State(DONE, groups=s.groups, failed=s.failed)
        face, last = dice.roll("hazard"), 1 if self.edition == 10 else 2
        if face <= last and self.command == "hazard" and not s.commanded:
            face, s = dice.roll("hazard_command"), s._replace(commanded=True)
        return s._replace(left=s.left - 1, failed=s.failed + (face <= last))


def ended(s: State) -> bool:
    return s.stage == DONE


def attack(edition: int, request: dict[str, Any]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """{(groups, hazard rolls failed): probability}, a group (models, wounds lost by the hurt one); and means."""
    read = Attack(edition, request)
    ends, means = walk.walk(read.step, read.start(), ended)
    return {(s.groups, s.failed): weight for s, weight in ends.items()}, means


# -- other dice


def mortal_wounds(number: int, groups: list[dict[str, Any]], dice: Dice) -> list[tuple[int, int]]:
    """Mortal wounds that spill from model to model: hurt, other, hurt CHARACTER, other CHARACTER."""
    now = [(g["models"], g.get("lost", 0)) for g in groups]
    for _ in range(number):
        living = sorted(
            (i for i, (models, _) in enumerate(now) if models > 0),
            key=lambda i: (bool(groups[i].get("character")), now[i][1] == 0, i),
        )
        if not living:
            break
        at = living[0]
        ignore = groups[at].get("feel_no_pain", 0)
        if ignore and dice.roll("feel_no_pain") >= ignore:
            continue
        models, lost = now[at]
        now[at] = (models, lost + 1) if lost + 1 < groups[at]["wounds"] else (models - 1, 0)
    return now


def grenades(number: int, need: int, groups: list[dict[str, Any]]) -> Any:
    """A step: dice that give a mortal wound each from a number on; the states of the groups after them."""

    def step(_: Any, dice: Dice) -> Any:
        found = sum(dice.roll("mortal") >= need for _ in range(number))
        return tuple(mortal_wounds(found, groups, dice))

    return step


def hazards(edition: int, weapons: int, groups: list[dict[str, Any]]) -> Any:
    """A step: hazard rolls, and what they do to the attacker's unit.

    10th: 1 fails, three mortal wounds on one bearer, the rest lost; groups are of bearers. 11th: 1 or 2 fails,
    one mortal wound each (three if all are MONSTERs or VEHICLEs), which spill.
    """

    def step(_: Any, dice: Dice) -> Any:
        failed = sum(dice.roll("hazard") <= (1 if edition == 10 else 2) for _ in range(weapons))
        if edition == 11:
            return tuple(mortal_wounds(failed, groups, dice))
        now = list(groups)
        for _ in range(failed):
            left = list(now)
            alive = sum(g["models"] for g in now)
            for _ in range(3):
                left = [
                    {**g, "models": models, "lost": lost}
                    for g, (models, lost) in zip(left, mortal_wounds(1, left, dice), strict=True)
                ]
                if sum(g["models"] for g in left) < alive:
                    break
            now = left
        return tuple((g["models"], g.get("lost", 0)) for g in now)

    return step


def successes(number: int, need: int, most: int | None = None) -> Any:
    """A step: how many of so many D6 show `need` or more, at most `most`."""

    def step(_: Any, dice: Dice) -> int:
        found = sum(dice.roll("die") >= need for _ in range(number))
        return found if most is None else min(found, most)

    return step


def two_dice(need: int, plus: int = 0) -> Any:
    """A step: whether 2D6 + plus reach `need`."""
    return lambda _, dice: dice.roll("die") + dice.roll("die") + plus >= need
