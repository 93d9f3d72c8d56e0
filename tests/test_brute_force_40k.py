"""Exact odds of Warhammer 40,000 against the brute force of `brute_force`: few dice and models, many abilities."""

import os
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from brute_force import w40k
from brute_force.walk import spread
from brute_force_product import groups_of, of_product

SOAK = bool(os.environ.get("TABLESIDE_BRUTE_FORCE"))
DRAWN = 1500 if SOAK else 60


def W(attacks: Any, skill: int, strength: int, ap: int, damage: Any, words: str = "") -> dict[str, Any]:
    keywords = [word.strip() for word in words.split(",") if word.strip()]
    return {"attacks": attacks, "skill": skill, "strength": strength, "ap": ap, "damage": damage, "keywords": keywords}


def G(models: int, wounds: int, save: int, invulnerable: int = 0, feel_no_pain: int = 0, **more: int) -> dict[str, Any]:
    return {
        "models": models,
        "wounds": wounds,
        "save": save,
        "invulnerable": invulnerable,
        "feel_no_pain": feel_no_pain,
        **more,
    }


def T(toughness: int, *groups: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"toughness": toughness, "groups": list(groups), "keywords": ["INFANTRY"], **more}


HURT = {"lost": 1}
PLAIN = T(4, G(3, 2, 3))
# What both editions have: (weapon, modifiers, target).
BOTH: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (W(3, 3, 4, 0, 1), {}, PLAIN),
    (W(3, 4, 5, -1, 2), {"hit": 1, "wound": -1}, PLAIN),
    (W(3, 4, 5, -1, 2), {"hit": -3, "wound": 3}, T(5, G(2, 3, 2, 4))),
    (W(3, 2, 3, -2, 1), {"hit_reroll": "ones"}, T(6, G(4, 1, 5, 0, 5))),
    (W(3, 4, 3, -2, 1), {"hit_reroll": "failures", "wound_reroll": "ones"}, T(6, G(4, 1, 5, 6, 6))),
    (W(2, 4, 8, -3, "D3"), {"wound_reroll": "failures"}, T(4, G(2, 2, 3, **HURT))),
    (W(2, 4, 8, -3, "D6"), {}, T(4, G(1, 5, 3, 5))),
    (W(2, 3, 8, -4, "D6+1"), {}, T(8, G(2, 4, 2, 4, 5, **HURT))),
    (W("D3", 3, 4, 0, 1), {}, T(4, G(3, 1, 4))),
    (W("D3+1", 3, 4, 0, 1), {}, T(4, G(2, 1, 4))),
    (W("D3", 3, 4, 0, 1, "BLAST"), {}, T(4, G(6, 1, 4))),
    (W(1, 3, 4, 0, 1, "RAPID FIRE 2"), {"half_range": True}, T(4, G(4, 1, 4))),
    (W(1, 3, 4, 0, 1, "RAPID FIRE 1"), {"half_range": True, "weapons": 2}, T(4, G(4, 2, 4))),
    (W(2, 3, 4, -1, 1, "SUSTAINED HITS 1"), {}, PLAIN),
    (W(2, 3, 4, -1, 2, "SUSTAINED HITS 2, TWIN-LINKED"), {}, PLAIN),
    (W(2, 3, 4, -1, 1, "SUSTAINED HITS 1, LETHAL HITS"), {}, T(8, G(3, 2, 4))),
    (W(3, 4, 4, -1, 1, "LETHAL HITS"), {"critical_hit": 5}, T(8, G(3, 1, 4))),
    (W(3, 5, 4, -1, 1, "SUSTAINED HITS 1"), {"critical_hit": 5, "hit": -1}, T(4, G(3, 1, 4))),
    (W(3, 3, 4, -1, 1), {"sustained": 1, "lethal": 1}, T(4, G(3, 1, 4))),
    (W(3, 3, 4, -1, 2, "DEVASTATING WOUNDS"), {}, PLAIN),
    (W(3, 3, 4, -1, 3, "DEVASTATING WOUNDS"), {}, T(4, G(3, 2, 4, 0, 5))),
    (W(2, 3, 4, -1, "D3", "DEVASTATING WOUNDS, TWIN-LINKED"), {}, T(4, G(3, 2, 4))),
    (W(3, 3, 4, -1, 2, "DEVASTATING WOUNDS, LETHAL HITS, SUSTAINED HITS 1"), {}, PLAIN),
    (W(3, 3, 4, 0, 1, "ANTI-INFANTRY 4+"), {"wound": -1}, T(8, G(3, 1, 4))),
    (W(3, 3, 4, 0, 1, "ANTI-VEHICLE 2+"), {}, T(8, G(3, 1, 4))),
    (W(3, 3, 4, 0, 2, "ANTI-INFANTRY 3+, DEVASTATING WOUNDS"), {}, T(8, G(2, 3, 4))),
    (W(3, 3, 4, 0, 1), {"critical_wound": 5}, T(8, G(3, 1, 4))),
    (W(3, 0, 4, 0, 1, "TORRENT"), {}, T(3, G(3, 1, 5))),
    (W("D6", 0, 4, 0, 1, "TORRENT, TWIN-LINKED, IGNORES COVER"), {"cover": True}, T(3, G(3, 1, 5))),
    (W(2, 0, 4, 0, 1, "TORRENT, LETHAL HITS, SUSTAINED HITS 1"), {"snap": 1}, T(3, G(3, 1, 5))),
    (W(4, 3, 4, -1, 1, "SUSTAINED HITS 1"), {"snap": 1, "hit": 1}, T(3, G(3, 1, 5))),
    (W(3, 4, 4, 0, 1), {"cover": True}, T(4, G(3, 1, 3))),
    (W(3, 4, 4, 0, 1), {"cover": True}, T(4, G(3, 1, 4))),
    (W(3, 4, 4, -1, 1), {"cover": True, "save": 1}, T(4, G(3, 1, 3, 6))),
    (W(3, 4, 4, 0, 1), {"cover": True, "save": 1}, T(4, G(3, 1, 5))),
    (W(3, 4, 4, -1, 1, "IGNORES COVER"), {"cover": True}, T(4, G(3, 1, 3))),
    (W(3, 4, 4, 0, 1, "MELEE"), {"cover": True, "ap": -1}, T(4, G(3, 1, 3))),
    (W(3, 4, 4, -2, 1), {"ap": 3}, T(4, G(3, 1, 3))),
    (W(3, 3, 4, -1, 2, "MELEE, LANCE"), {"charged": True}, T(5, G(2, 2, 3))),
    (W(3, 4, 4, -1, 2, "HEAVY"), {"stationary": True, "hit": -1}, T(5, G(2, 2, 3))),
    (W(2, 3, 9, -4, "D6", "MELTA 2"), {"half_range": True}, T(9, G(1, 9, 3, 5))),
    (W(3, 3, 4, -1, 2), {}, T(4, G(1, 2, 3, 4), G(2, 1, 3))),
    (W(3, 3, 4, -1, 2), {}, T(4, G(2, 1, 5), G(1, 3, 2, 4, character=1))),
    (W(3, 3, 4, -1, 2), {}, T(4, G(2, 1, 5, 0, 5), G(1, 3, 2, 4, character=1, lost=1))),
    (W(3, 3, 4, -1, 1), {}, T(4, G(2, 2, 5), G(2, 2, 3, lost=1))),
    (W(2, 3, 4, -1, "D3", "DEVASTATING WOUNDS"), {}, T(4, G(1, 2, 5, 0, 5), G(1, 3, 2, 4, 6, character=1))),
    (W(3, 3, 4, -1, 1), {"command_reroll": "hit"}, PLAIN),
    (W(3, 3, 4, -1, 1), {"command_reroll": "wound", "hit_reroll": "ones"}, PLAIN),
    (W(3, 3, 4, -1, 2), {"command_reroll": "save"}, T(4, G(2, 2, 3))),
    (W(2, 3, 4, -1, "D6"), {"command_reroll": "damage"}, T(4, G(1, 5, 3))),
    (W("D6", 3, 4, -1, 1), {"command_reroll": "attacks"}, T(4, G(2, 1, 3))),
]  # fmt: skip
ONLY_10: list[Any] = []
ONLY_11: list[Any] = [
    (W(3, 4, 4, -1, 1), {"snap": "indirect"}, PLAIN),
    (W(3, 4, 4, -1, 1), {"snap": "indirect_seen", "hit": 1}, PLAIN),
    (W(3, 4, 4, -1, 1), {"plunging": True, "cover": True}, PLAIN),
    (W(3, 2, 4, -1, 1), {"plunging": True}, PLAIN),
    (W(3, 6, 4, -1, 1), {"cover": True, "hit": 1}, PLAIN),
    (W(3, 3, 5, -1, 1), {}, T(4, G(1, 2, 3, toughness=5), G(2, 2, 3, toughness=6), majority=True)),
    (W(3, 3, 5, -1, 1), {}, T(4, G(2, 2, 3, toughness=5), G(2, 2, 3, toughness=4), majority=True)),
    (W(3, 3, 5, -1, 1), {}, T(4, G(2, 1, 3, toughness=4), G(1, 4, 2, toughness=9, character=1))),
    (W(2, 3, 4, -1, 1, "BLAST 2"), {}, T(4, G(5, 1, 4))),
]


def cases_of_40k(edition: int) -> list[Any]:
    cases = []
    for weapon, modifiers, target in [*BOTH, *(ONLY_10 if edition == 10 else ONLY_11)]:
        if edition == 11 and modifiers.get("snap") == 1:
            modifiers = {**modifiers, "snap": "snap"}
        cases.append({"weapon": weapon, "modifiers": modifiers, "target": target})
    return cases


# Weapon abilities and modifiers that may all be crossed; each is drawn with its own likelihood.
ABILITIES = (
    "SUSTAINED HITS 1", "SUSTAINED HITS 2", "LETHAL HITS", "DEVASTATING WOUNDS", "TWIN-LINKED", "TORRENT", "MELEE",
    "ANTI-INFANTRY 4+", "ANTI-INFANTRY 2+", "ANTI-MONSTER 3+", "BLAST", "RAPID FIRE 1", "MELTA 1", "HEAVY", "LANCE",
    "HAZARDOUS", "IGNORES COVER",
)  # fmt: skip
CHOSEN: dict[str, tuple[Any, ...]] = {
    "half_range": (True,), "cover": (True,), "hit": (-2, -1, 1, 2), "wound": (-2, -1, 1, 2), "ap": (-2, -1, 1, 2),
    "save": (-1, 1, 2), "stationary": (True,), "charged": (True,), "hit_reroll": ("ones", "failures", "any"),
    "wound_reroll": ("ones", "failures", "any"), "critical_hit": (4, 5), "critical_wound": (4, 5), "sustained": (1, 2),
    "lethal": (True,), "command_reroll": ("hit", "wound", "save", "damage", "attacks"), "snap": (1,),
    "plunging": (True,), "weapons": (2,),
}  # fmt: skip


def drawn(edition: int, seed: int) -> dict[str, Any]:
    """A request of one or two attacks with any abilities, that both sides take."""
    r = Random(f"{edition} {seed}")
    dice = [r.choice([1, 2, 2, 3, "D3"]), r.choice([1, 1, 2, 3, "D3", "D3+1", "D6"])]
    words = {word for word in ABILITIES if r.random() < 0.15}
    for first in ("SUSTAINED HITS 1", "ANTI-INFANTRY 4+", "ANTI-MONSTER 3+"):
        if first in words:  # one of a kind
            words -= {w for w in words if w != first and w.split()[0][:5] == first.split()[0][:5]}
    modifiers = {k: r.choice(v) for k, v in CHOSEN.items() if r.random() < 0.12 and (k != "plunging" or edition == 11)}
    if edition == 11 and "snap" in modifiers:
        modifiers["snap"] = r.choice(["snap", "indirect", "indirect_seen"])
    if "MELEE" in words:  # contradictions, which are refused
        words -= {"TORRENT", "BLAST", "RAPID FIRE 1", "MELTA 1", "HEAVY", "IGNORES COVER"}
        for name in ("snap", "cover", "half_range", "plunging", "stationary"):
            modifiers.pop(name, None)
    if "TORRENT" in words:
        for name in ("hit_reroll", "hit", "critical_hit", "plunging"):
            modifiers.pop(name, None)
    if "snap" in modifiers:
        modifiers.pop("hit_reroll", None)
        modifiers.pop("critical_hit", None)
    if modifiers.get("command_reroll") == "hit" and ("TORRENT" in words or "snap" in modifiers):
        del modifiers["command_reroll"]
    if modifiers.get("command_reroll") == "damage":
        dice[1] = "D6"
    groups = []
    for _ in range(r.choice([1, 1, 2, 3])):
        wounds = r.choice([1, 2, 3, 4])
        group = G(
            r.choice([1, 1, 2, 3]), wounds, r.choice([2, 3, 4, 5, 6, 7]), r.choice([0, 0, 4, 5]), r.choice([0, 0, 5])
        )
        if r.random() < 0.3:
            group["lost"] = r.randrange(wounds)
        group["character"] = int(len(groups) > 0 and r.random() < 0.4)
        groups.append(group)
    extra = max([modifiers.get("sustained", 0)] + [int(w[-1]) for w in words if w.startswith("SUSTAINED")])
    if extra + modifiers.get("weapons", 1) > 2 or "RAPID FIRE 1" in words or "BLAST" in words:
        dice[0] = 1  # extra hits make many dice
    if modifiers.get("command_reroll") == "attacks" and isinstance(dice[0], int):
        del modifiers["command_reroll"]
    if modifiers.get("command_reroll") == "save" and edition == 11:
        # Of groups that save differently the product picks up only a die that fails for all of them.
        groups = groups[:1]
    weapon = W(dice[0], 0 if "TORRENT" in words else r.choice([2, 3, 4, 5, 6]), r.choice([3, 4, 5, 8]),
               r.choice([0, -1, -2, -3]), dice[1], ",".join(sorted(words)))  # fmt: skip
    return {"weapon": weapon, "modifiers": modifiers, "target": T(r.choice([3, 4, 5, 8]), *groups)}


@pytest.mark.parametrize(
    ("edition", "number"), [(edition, i) for edition in (10, 11) for i in range(len(cases_of_40k(edition)))]
)
def test_40k(edition: int, number: int) -> None:
    same_of_40k(edition, cases_of_40k(edition)[number])


@pytest.mark.parametrize("edition", [10, 11])
def test_drawn_40k(edition: int) -> None:
    for seed in range(DRAWN):
        same_of_40k(edition, drawn(edition, seed))


def same_of_40k(edition: int, request: dict[str, Any], ours_alone: tuple[str, ...] = ()) -> None:
    """The distribution of the groups' states, and the means, are equal. Modifiers of ours alone name our decisions."""
    ends, means = w40k.attack(edition, request)
    expected: dict[Any, Fraction] = {}
    for (groups, _), weight in ends.items():
        expected[groups] = expected.get(groups, Fraction(0)) + weight
    modifiers = {name: value for name, value in request["modifiers"].items() if name not in ours_alone}
    got, mean = of_product(f"w40k{edition}", {**request, "modifiers": modifiers}, ("models", "lost"))
    found: dict[Any, Fraction] = {}
    for (outcome, groups), weight in got.items():
        found[groups] = found.get(groups, Fraction(0)) + weight
        before = [(g["models"], g.get("lost", 0), g["wounds"]) for g in request["target"]["groups"]]
        lost = sum((n - m) * w + a - b for (n, b, w), (m, a) in zip(before, groups, strict=True))
        dead = sum(n - m for (n, _, _), (m, _) in zip(before, groups, strict=True))
        assert outcome[:2] == (lost, dead)
    assert found == expected
    for ours, theirs in (("hits", "hits"), ("crits", "critical_hits"), ("wounds", "wounds")):
        # A roll that changes nothing any more is not asked for, so that its criticals are not seen.
        if ours != "crits" or means.get(ours, 0) == 0 or mean[theirs]:
            assert mean[theirs] == means.get(ours, 0), ours


def test_precision() -> None:
    """An attacker who may aim at a CHARACTER does so."""
    bodyguards, hero = G(2, 1, 5, feel_no_pain=6), G(1, 3, 3, 4, character=1)
    for edition in (10, 11):
        for words in ("PRECISION", "PRECISION, DEVASTATING WOUNDS", "PRECISION, LETHAL HITS"):
            for groups in (
                (bodyguards, hero),
                (bodyguards, {**hero, "lost": 1}),
                (bodyguards, {**hero, "character": 2}),
            ):
                for damage in (1, 2, "D3"):
                    request = {
                        "weapon": W(3, 3, 5, -1, damage, words),
                        "modifiers": {"precision": 1},
                        "target": T(4, *groups),
                    }
                    same_of_40k(edition, request, ("precision",))


def test_hazardous_weapons() -> None:
    for edition in (10, 11):
        for weapons in (1, 2, 3):
            for groups in ((G(1, 2, 3),), (G(3, 2, 3, feel_no_pain=5, lost=1),), (G(2, 1, 3), G(1, 4, 3, character=1))):
                if weapons > 1 and groups[0]["feel_no_pain"]:
                    continue  # too many dice
                request = {
                    "weapon": {"kind": "hazardous"},
                    "modifiers": {"weapons": weapons},
                    "target": T(4, *groups),
                }
                got, _ = of_product(f"w40k{edition}", request, ("models", "lost"))
                expected = spread(w40k.hazards(edition, weapons, list(groups)))
                assert groups_of(got) == expected, (edition, weapons, groups)


def test_mortal_wounds() -> None:
    """Grenades and their like: each 4+ a mortal wound, and they spill over."""
    for edition in (10, 11):
        for groups in ((G(2, 2, 3),), (G(2, 2, 3, 0, 5, lost=1),), (G(1, 2, 3), G(1, 2, 3, 0, 5, character=1, lost=1))):
            request = {"weapon": {"kind": "mortal_dice", "skill": 4, "attacks": 3}, "target": T(4, *groups)}
            got, _ = of_product(f"w40k{edition}", request, ("models", "lost"))
            assert groups_of(got) == spread(w40k.grenades(3, 4, list(groups)))
