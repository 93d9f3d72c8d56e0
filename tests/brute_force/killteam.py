"""Kill Team: one shot and one fight, a die at a time.

Source: shared/rules/nemesis.md 3, 8.1-8.4. Where a player may choose, he does this: Accurate is used to the full;
Ceaseless re-rolls every die of the failing face that shows most often (the lowest of equals); Balanced one failure,
Relentless every failure; Rending and Severe are used unless a critical die then does less than a normal one
(Devastating counts); the cover save is used if it can block anything; the defender blocks for the least damage; a
Command Re-roll takes one failure that was not re-rolled; in a fight every success strikes, the critical ones first, or
as the plan says that is passed.
"""

import re
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from . import walk
from .walk import Dice

DONE = "end"
FAIL, NORMAL, CRIT = 0, 1, 2


class Rules:
    """The rules of a weapon, from words such as "Piercing Crits 1" and "Lethal 5+"."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = [word.lower() for word in words]

    def has(self, name: str) -> bool:
        return any(re.fullmatch(re.escape(name) + r"( \d+.*)?", word) for word in self.words)

    def value(self, name: str) -> int:
        """X of a rule; the highest of several, but of Lethal the lowest; 0 if it is not there."""
        found = [re.fullmatch(re.escape(name) + r" (\d+).*", word) for word in self.words]
        numbers = [int(match[1]) for match in found if match]
        if name == "lethal":
            return min(numbers, default=0)
        return max(numbers, default=int(name in self.words))


def judged(face: int, need: int, lethal: int) -> int:
    """What an attack or defence die is: 6 a critical, 1 a failure."""
    if face == 1:
        return FAIL
    if face == 6:
        return CRIT
    if face < need:
        return FAIL
    return CRIT if lethal and face >= lethal else NORMAL


Table = tuple[tuple[int, bool], ...]  # dice: (face, was re-rolled)


def rerolls(table: Table, rules: Rules, need: int, lethal: int, command: bool, label: str, dice: Dice) -> Table:
    """Ceaseless, Balanced, Relentless and the Command Re-roll, in this order; no die twice."""

    def failures(rows: list[tuple[int, bool]]) -> list[int]:
        return [i for i, (face, again) in enumerate(rows) if not again and judged(face, need, lethal) == FAIL]

    def roll(rows: list[tuple[int, bool]], which: list[int]) -> None:
        for i in which:
            rows[i] = (dice.roll(label + "_again"), True)

    rows = list(table)
    fails = failures(rows)
    if rules.has("arrogant superiority") and len(fails) >= 2:  # one failure goes, another is rolled again
        roll(rows, fails[1:2])
        rows[fails[0]] = (rows[fails[0]][0], True)
    if rules.has("relentless"):
        roll(rows, failures(rows))
    elif rules.has("ceaseless"):
        faces = [rows[i][0] for i in failures(rows)]
        if faces:
            most = max(sorted(set(faces)), key=faces.count)
            roll(rows, [i for i in failures(rows) if rows[i][0] == most])
    if rules.has("balanced"):
        roll(rows, failures(rows)[:1])
    if command:
        roll(rows, failures(rows)[:1])
    return tuple(sorted(rows))


class Retained(NamedTuple):
    """Successes that an attacker keeps."""

    normals: int
    crits: int
    raised: bool  # the critical one came from Severe


def retain(table: Table, accurate: int, rules: Rules, need: int, lethal: int, obscured: bool, worth: bool) -> Retained:
    """Obscured, Punishing, Rending and Severe."""
    kinds = [judged(face, need, lethal) for face, _ in table]
    normals, crits, fails = kinds.count(NORMAL), kinds.count(CRIT), kinds.count(FAIL)
    if obscured:
        return Retained(max(0, normals + crits + accurate - 1), 0, False)
    if crits:
        punished = 1 if rules.has("punishing") and fails else 0
        risen = 1 if rules.has("rending") and normals and worth else 0
        return Retained(normals - risen + accurate + punished, crits + risen, False)
    if rules.has("severe") and normals + accurate and worth:
        return Retained(normals + accurate - 1, 1, True)
    return Retained(normals + accurate, 0, False)


def least(
    normals: int, crits: int, saves: int, crit_saves: int, normal: int, critical: int, brutal: bool
) -> tuple[int, int]:
    """(normals, crits) that get through if the defender blocks for the least damage: every way to block is tried."""
    best: tuple[int, int, int] | None = None
    for crit_on_crit, crit_on_normal in product(range(crit_saves + 1), repeat=2):
        if crit_on_crit + crit_on_normal > crit_saves:
            continue
        for pairs, single in product(range(0 if brutal else saves // 2, -1, -1), range(0 if brutal else saves, -1, -1)):
            if 2 * pairs + single > saves or crit_on_crit + pairs > crits or crit_on_normal + single > normals:
                continue
            left = (normals - crit_on_normal - single, crits - crit_on_crit - pairs)
            damage = left[0] * normal + left[1] * critical
            if best is None or damage < best[0]:
                best = (damage, *left)
    return (best[1], best[2]) if best else (normals, crits)


class Shot(NamedTuple):
    """Where a shot stands."""

    stage: str
    left: int = 0
    table: Table = ()
    normals: int = 0
    crits: int = 0
    stun: bool = False
    damage: int = 0
    own: int = 0  # damage that Hot does to the attacker


class Shooting:
    """A request, read once."""

    def __init__(self, request: dict[str, Any]) -> None:
        weapon, self.target, self.mods = request["weapon"], request["target"], request.get("modifiers", {})
        self.rules = Rules(weapon.get("keywords", ()))
        self.attacks = weapon["attacks"]
        self.hit = min(6, weapon["hit"] + (1 if self.mods.get("injured") else 0))
        self.lethal = self.rules.value("lethal")
        less = 1 if self.target.get("shielded_by_xenotech") else 0
        self.normal = weapon["normal"] - (less if weapon["normal"] >= 4 else 0)
        self.critical = weapon["critical"] - (less if weapon["critical"] >= 4 else 0)
        self.save = self.target["save"] - (1 if self.target.get("armoured") and weapon["normal"] <= 3 else 0)
        self.devastating = self.rules.value("devastating")
        self.worth = self.critical + self.devastating >= self.normal

    def start(self) -> Shot:
        return Shot("attack", max(0, self.attacks - self.accurate()))

    def accurate(self) -> int:
        return min(self.attacks, self.rules.value("accurate"))

    def step(self, s: Shot, dice: Dice) -> Shot:
        return getattr(self, "at_" + s.stage)(s, dice)

    def at_attack(self, s: Shot, dice: Dice) -> Shot:
        if s.left:
            face = dice.roll("attack")
            return s._replace(left=s.left - 1, table=tuple(sorted((*s.table, (face, False)))))
        command = self.mods.get("command_reroll") == "attack"
        table = rerolls(s.table, self.rules, self.hit, self.lethal, command, "attack", dice)
        obscured = bool(self.mods.get("obscured"))
        kept = retain(table, self.accurate(), self.rules, self.hit, self.lethal, obscured, self.worth)
        dice.note("normals", kept.normals)
        dice.note("crits", kept.crits)
        damage = self.devastating * kept.crits
        stun = bool(self.rules.has("stun") and kept.crits and not kept.raised)
        return Shot("defend", self.defence_dice(kept, damage), (), kept.normals, kept.crits, stun, damage)

    def defence_dice(self, kept: Retained, damage: int) -> int:
        """3, one more of a NEMESIS that is not injured, less Piercing. Devastating comes first and may injure it."""
        number = self.target.get("dice", 3)
        lost = self.target.get("lost", 0) + damage
        injured = 2 * (self.target["wounds"] - lost) < self.target["wounds"]
        if self.target.get("extra_defence") and (not injured or self.target.get("shielded_by_xenotech")):
            number += 1
        piercing = self.rules.value("piercing")
        if kept.crits:
            piercing = max(piercing, self.rules.value("piercing crits"))
        if self.target.get("shielded_by_xenotech"):
            piercing = 0
        return max(0, number - piercing)

    def at_defend(self, s: Shot, dice: Dice) -> Shot:
        """The save from cover and the automatic one are dice that are not rolled."""
        unrolled = min(s.left, self.free(s))
        if len(s.table) < s.left - unrolled:
            return s._replace(table=tuple(sorted((*s.table, (dice.roll("defence"), False)))))
        table = s.table
        if self.mods.get("command_reroll") == "defence":
            table = rerolls(table, Rules(()), self.save, 0, True, "defence", dice)
        kinds = [judged(face, self.save, 0) for face, _ in table]
        normals, crits = least(
            s.normals, s.crits, kinds.count(NORMAL) + unrolled, kinds.count(CRIT),
            self.normal, self.critical, self.rules.has("brutal"),
        )  # fmt: skip
        return s._replace(
            stage="tough" if self.target.get("tough") else "hurt", left=0, table=(), normals=normals, crits=crits
        )

    def free(self, s: Shot) -> int:
        """Dice that are retained unrolled. A cover save that cannot block anything is not used: the die is rolled."""
        automatic = self.target.get("automatic", 0)
        useless = self.rules.has("brutal") or (s.left <= 1 and not s.normals)
        cover = self.mods.get("cover") and not self.rules.has("saturate") and not useless
        return (1 if cover else 0) + automatic

    def at_tough(self, s: Shot, dice: Dice) -> Shot:
        """A die that does 4 or more: on a 5 or 6 it does one less."""
        for kind, amount in (("normals", self.normal), ("crits", self.critical)):
            if getattr(s, kind):
                less = 1 if amount >= 4 and dice.roll("tough") >= 5 else 0
                return s._replace(damage=s.damage + amount - less, **{kind: getattr(s, kind) - 1})
        return s._replace(stage="hurt")

    def at_hurt(self, s: Shot, dice: Dice) -> Shot:
        damage = s.damage + s.normals * self.normal + s.crits * self.critical
        return Shot("hot" if self.rules.has("hot") else DONE, damage=damage, stun=s.stun)

    def at_hot(self, s: Shot, dice: Dice) -> Shot:
        face = dice.roll("hot")
        return s._replace(stage=DONE, own=2 * face if face < self.hit else 0)


def shoot(request: dict[str, Any]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """{(wounds lost by the target, wounds lost by the attacker, stunned): probability}, and means."""
    read = Shooting(request)
    ends, means = walk.walk(read.step, read.start(), lambda s: s.stage == DONE)
    result: dict[Any, Any] = {}
    life = request["target"]["wounds"] - request["target"].get("lost", 0)
    for s, weight in ends.items():
        key = (min(s.damage, life), s.own, s.stun)
        result[key] = result.get(key, 0) + weight
    return result, means


# -- fights


class Fight(NamedTuple):
    """Where a fight stands. Pairs are of (attacker, defender)."""

    stage: str
    left: tuple[int, int] = (0, 0)
    tables: tuple[Table, Table] = ((), ())
    normals: tuple[int, int] = (0, 0)
    crits: tuple[int, int] = (0, 0)
    lost: tuple[int, int] = (0, 0)
    stun: tuple[bool, bool] = (False, False)
    shocked: tuple[bool, bool] = (False, False)  # whose Shock was used
    turn: int = 0


def put(pair: Any, at: int, value: Any) -> Any:
    return (value, pair[1]) if at == 0 else (pair[0], value)


def strikes(fight: "Fighting", s: Fight) -> str:
    """The plainest plan: strike with the success that does most."""
    return "strike_" + best(fight, s, s.turn)


def best(fight: "Fighting", s: Fight, i: int) -> str:
    """The kind of a side's success that does most, "" if there is none."""
    side = fight.sides[i]
    kinds = ["crit", "normal"] if side["critical"] >= side["normal"] else ["normal", "crit"]
    return next((kind for kind in kinds if getattr(s, kind + "s")[i]), "")


def careful(fight: "Fighting", s: Fight) -> str:
    """Strike with the best success, unless that does not kill while the foe's best one kills: then block that one."""
    me, foe = s.turn, 1 - s.turn
    kind_of = [best(fight, s, i) for i in (0, 1)]
    blows = [fight.sides[i][{"crit": "critical"}.get(kind_of[i], "normal")] if kind_of[i] else 0 for i in (0, 1)]
    if s.lost[foe] + blows[me] >= fight.sides[foe]["wounds"] or s.lost[me] + blows[foe] < fight.sides[me]["wounds"]:
        return strikes(fight, s)
    kinds = ["normal", "crit"] if kind_of[foe] == "normal" and not fight.rules[foe].has("brutal") else ["crit"]
    for kind in kinds:
        if getattr(s, kind + "s")[me] and kind_of[foe]:
            return f"block_{kind}_{kind_of[foe]}"
    return strikes(fight, s)


class Fighting:
    """A request, read once: two fighters {attacks, hit, normal, critical, keywords, wounds, lost, assists, injured}."""

    def __init__(self, request: dict[str, Any], plan: Any = strikes) -> None:
        self.sides: list[dict[str, Any]] = [request["attacker"], request["defender"]]
        self.rules = [Rules(side.get("keywords", ())) for side in self.sides]
        self.need = [
            min(6, max(2, side["hit"] - side.get("assists", 0) + (1 if side.get("injured") else 0)))
            for side in self.sides
        ]
        self.plan = plan

    def start(self) -> Fight:
        left = tuple(side["attacks"] - self.accurate(i) for i, side in enumerate(self.sides))
        lost = tuple(side.get("lost", 0) for side in self.sides)
        return Fight("roll", (left[0], left[1]), lost=(lost[0], lost[1]))

    def accurate(self, i: int) -> int:
        return min(self.sides[i]["attacks"], self.rules[i].value("accurate"))

    def step(self, s: Fight, dice: Dice) -> Fight:
        return getattr(self, "at_" + s.stage)(s, dice)

    def at_roll(self, s: Fight, dice: Dice) -> Fight:
        for i, label in enumerate(("attack", "defence")):
            if s.left[i]:
                table = tuple(sorted((*s.tables[i], (dice.roll(label), False))))
                return s._replace(left=put(s.left, i, s.left[i] - 1), tables=put(s.tables, i, table))
        return s._replace(stage="reroll")

    def at_reroll(self, s: Fight, dice: Dice) -> Fight:
        """Each side picks up its own failures: what the other rolled changes nothing in that."""
        i = s.turn
        label = ("attack", "defence")[i]
        lethal = self.rules[i].value("lethal")
        table = rerolls(s.tables[i], self.rules[i], self.need[i], lethal, False, label, dice)
        worth = self.sides[i]["critical"] + self.rules[i].value("devastating") >= self.sides[i]["normal"]
        kept = retain(table, self.accurate(i), self.rules[i], self.need[i], lethal, False, worth)
        dice.note(label + "_normals", kept.normals)
        dice.note(label + "_crits", kept.crits)
        stun = self.rules[i].has("stun") and kept.crits > 0 and not kept.raised
        s = s._replace(normals=put(s.normals, i, kept.normals), crits=put(s.crits, i, kept.crits))
        s = s._replace(stun=put(s.stun, i, stun))
        foe_lost = s.lost[1 - i] + self.rules[i].value("devastating") * kept.crits
        s = s._replace(lost=put(s.lost, 1 - i, foe_lost), tables=put(s.tables, i, ()))
        if not i:
            return s._replace(turn=1)
        for i in (0, 1):
            if self.sides[i].get("duellist"):
                s = self.duel(s._replace(turn=i))
        return s._replace(stage="blows", turn=0)

    def duel(self, s: Fight) -> Fight:
        """A Duellist blocks once beforehand: normal by normal, critical by critical, normal by critical."""
        me, foe = s.turn, 1 - s.turn
        if s.normals[me] and s.normals[foe] and not self.rules[foe].has("brutal"):
            return self.blow(s, "block_normal_normal")
        if s.crits[me] and (s.crits[foe] or s.normals[foe]):
            return self.blow(s, "block_crit_crit" if s.crits[foe] else "block_crit_normal")
        return s

    def over(self, s: Fight) -> bool:
        dead = any(s.lost[i] >= self.sides[i]["wounds"] for i in (0, 1))
        return dead or not any(s.normals) and not any(s.crits)

    def at_blows(self, s: Fight, dice: Dice) -> Fight:
        if self.over(s):
            lost = tuple(min(s.lost[i], self.sides[i]["wounds"]) for i in (0, 1))
            return Fight(DONE, lost=(lost[0], lost[1]), stun=s.stun)
        if not s.normals[s.turn] and not s.crits[s.turn]:
            return s._replace(turn=1 - s.turn)
        return self.blow(s, self.plan(self, s))._replace(turn=1 - s.turn)

    def blow(self, s: Fight, what: str) -> Fight:
        """One success: strike_normal, strike_crit, block_normal_normal, block_crit_normal, block_crit_crit."""
        me, foe = s.turn, 1 - s.turn
        used = what.split("_")[1]
        s = s._replace(**{used + "s": put(getattr(s, used + "s"), me, getattr(s, used + "s")[me] - 1)})
        if what.startswith("block"):
            if used == "normal" and self.rules[foe].has("brutal"):
                raise ValueError("Brutal is blocked by criticals only")
            blocked = what.split("_")[2] + "s"
            return s._replace(**{blocked: put(getattr(s, blocked), foe, max(0, getattr(s, blocked)[foe] - 1))})
        damage = self.sides[me]["critical" if used == "crit" else "normal"]
        s = s._replace(lost=put(s.lost, foe, s.lost[foe] + damage))
        if used == "crit" and self.rules[me].has("shock") and not s.shocked[me]:
            s = s._replace(shocked=put(s.shocked, me, True))
            kind = "normals" if s.normals[foe] else "crits"
            s = s._replace(**{kind: put(getattr(s, kind), foe, max(0, getattr(s, kind)[foe] - 1))})
        return s


def fight(request: dict[str, Any], plan: Any = strikes) -> tuple[dict[Any, Any], dict[str, Any]]:
    """{(wounds lost by the attacker, by the defender): probability} counted from full wounds, and means."""
    read = Fighting(request, plan)
    ends, means = walk.walk(read.step, read.start(), lambda s: s.stage == DONE)
    result: dict[Any, Any] = {}
    for s, weight in ends.items():
        result[s.lost] = result.get(s.lost, 0) + weight
    return result, means
