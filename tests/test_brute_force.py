"""The brute force of `brute_force` against the worked examples and tables of the rules, and the product against it."""

import ast
import json
import os
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from brute_force import boards, killteam, w40k
from brute_force.walk import Given, play, spread

SOAK = bool(os.environ.get("TABLESIDE_BRUTE_FORCE"))  # `make soak`: the long forms too
FOLDER = Path(__file__).parent / "brute_force"


def test_it_imports_nothing_of_the_product() -> None:
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "" if not node.level else "brute_force"]
            for name in names:
                assert name.split(".")[0] in {"brute_force", "collections", "fractions", "itertools", "re", "typing"}, (
                    path
                )


# -- Warhammer 40,000

WORDS = {"dev": "DEVASTATING WOUNDS", "lethal": "LETHAL HITS", "twin": "TWIN-LINKED", "torrent": "TORRENT"}
WORDS |= {"ignores_cover": "IGNORES COVER", "precision": "PRECISION"}
NUMBERS = {"sustained": "SUSTAINED HITS %d", "melta": "MELTA %d", "anti": "ANTI-INFANTRY %d+"}


def examples(edition: int) -> list[dict[str, Any]]:
    lines = (FOLDER / "data" / f"w40k{edition}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def request_of(w: dict[str, Any], n: int, target: dict[str, Any], m: dict[str, Any]) -> dict[str, Any]:
    """A request in the words of CLI.md from the short words of the fact sheets."""
    words = [WORDS[k] for k in w["kw"] if k in WORDS] + [NUMBERS[k] % w["kw"][k] for k in w["kw"] if k in NUMBERS]
    words += ["MELEE"] if w.get("melee") else []
    names = {"critHit": "critical_hit", "half": "half_range", "AP": "ap", "declineLethal": "lethal_hits_declined"}
    modifiers = {names.get(k, k): v for k, v in m.items() if k != "precision"} | {"precision": int("precision" in m)}
    groups = [
        {
            "models": g["n"], "wounds": g["W"], "save": g["Sv"], "invulnerable": g.get("Inv", 0),
            "lost": sum(g.get("lost", [0])), "character": g.get("char", False),
            "feel_no_pain": target.get("fnp", 0),
        }
        for g in target["groups"]
    ]  # fmt: skip
    weapon = {"attacks": n, "skill": w["skill"], "strength": w["S"], "ap": w["AP"], "damage": w["D"], "keywords": words}
    kinds = ["INFANTRY"] if "anti" in w["kw"] else []
    return {
        "weapon": weapon,
        "modifiers": modifiers,
        "target": {"toughness": target["T"], "groups": groups, "keywords": kinds},
    }


def found_in(given: Given, read: w40k.Attack, end: w40k.State, before: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    """What a worked example may expect."""
    notes = given.notes
    dead = [old - new for (old, _), (new, _) in zip(before, end.groups, strict=True)]
    # Wounds that remain on each hurt model: the sheets give one number, as there is but one.
    left = [read.groups[i]["wounds"] - lost for i, (models, lost) in enumerate(end.groups) if lost and models]
    return {
        "hits": notes["hits"], "critHits": notes["crits"], "autoWounds": notes["auto"], "woundNeed": read.need,
        "extraHits": read.value("SUSTAINED HITS") * notes["crits"], "wounds": notes["wounds"],
        "critWounds": notes["crit_wounds"], "unsaved": notes["unsaved"], "woundsLost": notes["lost"],
        "damageWasted": notes["wasted"], "destroyed": dead, "woundedLeft": left[0] if left else None,
        "alive": sum(models for models, _ in end.groups), "excessAttacksLost": notes["excess"],
    }  # fmt: skip


def replay(edition: int, step: dict[str, Any], request: dict[str, Any]) -> w40k.State:
    faces = {k: v for k, v in step["dice"].items() if not k.endswith("Reroll")}
    for short, name in {"dmg": "damage", "fnp": "feel_no_pain"}.items():
        faces[name] = faces.pop(short, [])
    if step["w"]["D"] == "D3":
        faces["damage"] = [(face + 1) // 2 for face in faces["damage"]]
    again = {k.removesuffix("Reroll"): v for k, v in step["dice"].items() if k.endswith("Reroll")}
    given = Given(faces, {"hit": {}, "wound": {}} | again)
    read = w40k.Attack(edition, request)
    start = read.start()
    if "hit" not in faces and not read.torrent:  # K11-P3 begins at the wound roll
        start = start._replace(stage="wound", left=len(faces["wound"]))
        given.notes["hits"] = len(faces["wound"])
    end: w40k.State = play(read.step, start, w40k.ended, given)
    found = found_in(given, read, end, start.groups)
    for name, value in step["expect"].items():
        if name == "destroyed" and isinstance(value, int):
            value = [value]
        if name != "mortal":
            assert found[name] == value, (name, found)
    unused = {label for label in given.left() if label not in ("save",) or not found["excessAttacksLost"]}
    assert not unused, unused
    return end


@pytest.mark.parametrize("edition", [10, 11])
def test_worked_examples_of_40k(edition: int) -> None:
    failed = []
    for example in examples(edition):
        end = None
        for step in example.get("steps", [example]):
            request = request_of(step["w"], step.get("n", 2), example["target"], step.get("m", example.get("m", {})))
            if end:  # the second step of an example goes on with what the first left
                for group, (models, lost) in zip(request["target"]["groups"], end.groups, strict=True):
                    group |= {"models": models, "lost": lost}
            try:
                end = replay(edition, step, request)
            except (AssertionError, IndexError, KeyError) as error:
                failed.append((example["id"], repr(error)))
    assert not failed, "\n".join(map(str, failed))


# The tables of exact values of the sheets, section 9: E[hits], E[wounds], E[unsaved], E[lost], E[destroyed].
def case(
    attacks: Any, skill: int, strength: int, ap: int, damage: Any, words: str, target: str, /, **modifiers: Any
) -> Any:
    """A request from short words: target "5 T4 Sv3 W2 Inv4 F5 C" is five models; words are separated by commas."""
    numbers = {"models": 1, "invulnerable": 0, "feel_no_pain": 0, "lost": 0, "character": False}
    toughness, groups = 4, []
    for text in target.split("/"):
        group: dict[str, Any] = dict(numbers)
        for word in text.split():
            letters, digits = word.rstrip("0123456789"), int(re.sub(r"\D", "", word) or 0)
            if letters == "T":
                toughness = digits
            else:
                short = {
                    "": "models",
                    "Sv": "save",
                    "W": "wounds",
                    "Inv": "invulnerable",
                    "F": "feel_no_pain",
                    "L": "lost",
                }
                group[short.get(letters, "character")] = digits or 1
        groups.append(group)
    keywords = [word for word in words.split(",") if word]
    weapon = {
        "attacks": attacks,
        "skill": skill,
        "strength": strength,
        "ap": ap,
        "damage": damage,
        "keywords": keywords,
    }
    return {
        "weapon": weapon,
        "modifiers": modifiers,
        "target": {"toughness": toughness, "keywords": ["INFANTRY"], "groups": groups},
    }


TABLE_10 = {
    "E1": (
        case(12, 3, 5, -1, 2, "MELEE", "5 T4 Sv3 W2"),
        "8 16/3 8/3 494463707536/94143178827 247231853768/94143178827",
    ),
    "E2": (
        case(20, 3, 4, -1, 1, "MELEE,LETHAL HITS", "10 T3 Sv5 W1"),
        "40/3 10 25/3 7716133998567086843075/958439998111868780544 7716133998567086843075/958439998111868780544",
    ),
    "E3": (
        case("3D6", 0, 3, 0, 1, "TORRENT", "10 T3 Sv5 W1"),
        "21/2 21/4 7/2 292843738999/83682825624 292843738999/83682825624",
    ),
    "E4": (case(1, 4, 12, -3, "D6+1", "", "1 T10 Sv3 W10", hit_reroll="failures"), "3/4 1/2 5/12 15/8 0"),
    "E5": (
        case(3, 4, 4, 0, 1, "RAPID FIRE 3,TWIN-LINKED", "10 T3 Sv5 W1", half_range=True, cover=True),
        "3 8/3 4/3 4/3 4/3",
    ),
    "E6": (case(3, 4, 9, -2, 3, "", "5 T4 Sv3 W2", cover=True), "3/2 5/4 5/8 5/4 5/8"),
    "E7": (
        case(10, 3, 4, -1, 1, "", "5 T4 Sv5 W1 F5"),
        "20/3 10/3 25/9 380284280733725/205891132094649 380284280733725/205891132094649",
    ),
    "E8": (case(8, 4, 4, 0, 1, "", "5 T4 Sv3 W2", snap=True), "4/3 2/3 2/9 2/9 853557121/44079842304"),
    "E9": (case(1, 3, 5, -2, 3, "HEAVY", "1 T4 Sv2 Inv4 W5 C", stationary=True), "5/6 5/9 5/18 5/6 0"),
    "E10": (
        case(8, 4, 4, 0, 1, "", "5 T4 Sv5 W2", stealth=True, ap=-1),
        "8/3 4/3 10/9 10/9 14284571425/44079842304",
    ),
}
TABLE_11 = {
    "E1": (case(10, 3, 5, -1, 1, "", "10 T4 Sv3 W2"), "20/3 40/9 20/9 20/9 3004950196/3486784401"),
    "E2": (
        case(3, 4, 5, -1, 2, "SUSTAINED HITS 1", "5 T4 Sv3 W2", hit=1),
        "5/2 5/3 5/6 131219/78732 131219/157464",
    ),
    "E3": (
        case(6, 3, 5, -1, 2, "SUSTAINED HITS 2,TWIN-LINKED", "5 T5 Sv2 Inv4 W3"),
        "6 9/2 3/2 7976454996287693/3206175906594816 182452242328235/356241767399424",
    ),
    "E4": (
        case("2D6+2", 0, 4, 0, 1, "TORRENT,TWIN-LINKED", "10 T3 Sv5 W1"),
        "9 8 16/3 5242404461897005381552/984770902183611232881 5242404461897005381552/984770902183611232881",
    ),
    "E5": (
        case(2, 3, 9, -4, "D6", "MELTA 2", "1 T10 Sv3 W12", half_range=True),
        "4/3 4/9 4/9 1762/729 5/243",
    ),
    "E6": (
        case(10, 3, 4, 0, 1, "ANTI-INFANTRY 2+", "5 T6 Sv3 W3"),
        "20/3 50/9 50/27 50/27 717410554375/2541865828329",
    ),
    "E7": (
        case(6, 4, 5, -1, 2, "SUSTAINED HITS 1,LETHAL HITS", "1 T10 Sv3 W12"),
        "4 3/2 3/4 185750431957/123834728448 122559881/1486016741376",
    ),
    "E8": (
        case(6, 4, 5, -1, 2, "SUSTAINED HITS 1", "5 T5 Sv3 W2 F5", cover=True, hit=-1),
        "2 1 1/2 528461331543077/823564528378596 203593405467239/823564528378596",
    ),
    "E9": (
        case(6, 4, 5, -1, 2, "SUSTAINED HITS 1", "5 T4 Sv3 W2", snap=True),
        "2 4/3 2/3 2753652799/2066242608 2753652799/4132485216",
    ),
    "E10": (case(4, 3, 8, -3, 3, "TWIN-LINKED", "5 T4 Sv3 W2"), "8/3 70/27 175/81 350/81 175/81"),
}


@pytest.mark.parametrize(("edition", "name"), [(10, name) for name in TABLE_10] + [(11, name) for name in TABLE_11])
def test_table_of_40k(edition: int, name: str) -> None:
    if edition == 11 and name in ("E3", "E4", "E7", "E8", "E9") and not SOAK:
        pytest.skip("dice by the dozen: make soak")
    request, row = (TABLE_10 if edition == 10 else TABLE_11)[name]
    hits, wounds, unsaved, lost, destroyed = map(Fraction, row.split())
    ends, means = w40k.attack(edition, request)
    assert sum(ends.values()) == 1
    assert means["hits"] == hits
    assert means["wounds"] == wounds
    assert (means["lost"], means.get("destroyed", 0)) == (lost, destroyed)
    # The table's unsaved wounds go on after the last model; beyond that the saves are of equal models.
    if edition == 10 or SOAK:
        endless = {**request, "target": {**request["target"]}}
        endless["target"]["groups"] = [{**request["target"]["groups"][0], "models": 99}]
        assert w40k.attack(edition, endless)[1]["unsaved"] == unsaved


def test_small_odds_of_40k() -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    for need, plus, odds in (
        (7, 0, "7/12"), (7, 1, "13/18"), (9, 0, "5/18"), (9, 1, "5/12"), (6, 0, "13/18"), (5, 0, "5/6"), (8, 0, "5/12"),
    ):  # fmt: skip
        assert spread(w40k.two_dice(need, plus))[True] == Fraction(odds)
    assert spread(w40k.successes(1, 5))[1] == third
    assert spread(w40k.successes(1, 4))[1] == half
    assert spread(w40k.successes(1, 6))[1] == Fraction(1, 6)
    explosives = spread(w40k.successes(6, 4))
    assert sum(n * p for n, p in explosives.items()) == 3
    assert explosives[6] == Fraction(1, 64)
    shock, capped = spread(w40k.successes(7, 5)), spread(w40k.successes(7, 5, 6))
    assert sum(n * p for n, p in shock.items()) == Fraction(7, 3)
    assert sum(n * p for n, p in capped.items()) == Fraction(7, 3) - Fraction(1, 2187)


# -- Kill Team: weapon "dice hit normal critical: rules", attack faces, target, defence faces, damage


def shot_of(weapon: str, target: str, **modifiers: Any) -> dict[str, Any]:
    """A request from short words: target "save wounds flag flag"; a flag may be name=number."""
    numbers, _, words = weapon.partition(":")
    attacks, hit, normal, critical = map(int, numbers.split())
    save, wounds, *flags = target.split()
    fields: dict[str, Any] = {"save": int(save), "wounds": int(wounds)}
    fields |= {flag.partition("=")[0]: int(flag.partition("=")[2] or 1) for flag in flags}
    keywords = [word.strip() for word in words.split(",") if word.strip()]
    return {
        "weapon": {"attacks": attacks, "hit": hit, "normal": normal, "critical": critical, "keywords": keywords},
        "target": fields,
        "modifiers": modifiers,
    }


BOLTER, CANNON, LASCANNON = "5 3 4 5: Piercing Crits 1", "5 3 5 6:", "4 3 6 7: Piercing 2"
MELTA, NEMESIS = "4 3 6 3: Devastating 4, Piercing 2", "4 50 extra_defence"
SHOTS = {
    "E1": (shot_of(BOLTER, "3 50"), "65321", "42", 9),
    "E2": (shot_of(BOLTER, "3 50"), "54322", "631", 4),
    "E3": (shot_of(CANNON, "4 50"), "64211", "542", 5),
    "E4": (shot_of(CANNON, "4 50"), "64211", "621", 5),
    "E6": (shot_of("5 2 3 3: Saturate", "3 50", cover=1), "23451", "326", 6),
    "E7": (shot_of(LASCANNON, "3 50", obscured=1), "6641", "3", 6),
    "E8": (shot_of(MELTA, NEMESIS), "6532", "64", 7),
    "E9": (shot_of(MELTA, NEMESIS + " lost=26"), "6532", "6", 13),
    "8.2.4": (shot_of(MELTA, NEMESIS + " lost=22"), "6532", "6", 13),  # 28 of 50 left: Devastating injures it first
    "E10": (shot_of("5 3 4 5: Saturate, Severe", "4 50", cover=1), "54321", "451", 5),
    "E11": (shot_of("5 3 4 5: Rending", "3 50"), "64312", "352", 9),
    "E12": (shot_of("4 3 4 6: Piercing 1, Punishing", "3 50"), "6321", "61", 8),
    "E13": (shot_of("4 3 5 6: Lethal 5+, Piercing 1", "4 50", cover=1), "5632", "4", 11),
    "E14": (shot_of(LASCANNON, NEMESIS + " automatic=1"), "6431", "4", 7),
    "E15": (shot_of(LASCANNON, "4 35 extra_defence shielded_by_xenotech"), "6521", "4321", 6),
    "E16": (shot_of("5 4 4 2: Devastating 3, Piercing 2", "3 50"), "64431", "5", 9),
    "E18": (shot_of("6 3 4 5:", NEMESIS), "665431", "5442", 10),
    "E29": (shot_of(CANNON, "4 75 extra_defence lost=37"), "64211", "5421", 5),
    "E29 injured": (shot_of(CANNON, "4 75 extra_defence lost=38"), "64211", "542", 5),
}


@pytest.mark.parametrize("name", SHOTS)
def test_worked_shots_of_kill_team(name: str) -> None:
    request, attack, defence, damage = SHOTS[name]
    given = Given({"attack": [*map(int, attack)], "defence": [*map(int, defence)]})
    read = killteam.Shooting(request)
    assert play(read.step, read.start(), lambda s: s.stage == "end", given).damage == damage
    assert not given.left()


def test_worked_dice_of_kill_team() -> None:
    for hit, face, own in ((3, 2, 4), (3, 3, 0), (4, 3, 6)):  # E19
        read = killteam.Shooting(shot_of(f"4 {hit} 5 6: Hot", "4 20"))
        assert read.at_hot(killteam.Shot("hot"), Given({"hot": [face]})).own == own
    for rules, need, lethal, before, again, after in (
        ("ceaseless", 3, 0, "12256", "41", "NCNFF"),  # E20
        ("arrogant superiority", 3, 5, "1245", "6", "CCNF"),  # E21
        ("relentless", 4, 0, "123456", "444", "NNNNNC"),  # E28, ranged Fury
    ):
        table = tuple((int(face), False) for face in before)
        given = Given({"attack_again": [*map(int, again)]})
        rolled = killteam.rerolls(table, killteam.Rules([rules]), need, lethal, False, "attack", given)
        kinds = ["FNC"[killteam.judged(face, need, lethal)] for face, _ in rolled]
        assert sorted(kinds) == sorted(after)
    for critical, face, damage in ((6, 5, 5), (6, 4, 6), (3, 6, 3)):  # E23
        read = killteam.Shooting(shot_of(f"1 3 3 {critical}:", "4 20 tough"))
        faces = Given({"tough": [face]})
        assert play(read.step, killteam.Shot("tough", crits=1), lambda s: s.stage == "end", faces).damage == damage


def test_worked_fights_of_kill_team() -> None:
    fist = {"attacks": 4, "hit": 3, "normal": 6, "critical": 8, "keywords": ["Brutal", "Shock"], "wounds": 75}
    foe = {"attacks": 3, "hit": 4, "normal": 4, "critical": 5, "wounds": 13}
    given = Given({"attack": [6, 4, 2, 1], "defence": [5, 4, 2]})
    read = killteam.Fighting({"attacker": fist, "defender": foe})
    assert play(read.step, read.start(), lambda s: s.stage == "end", given).lost == (4, 13)  # E24: 14 on 13 wounds
    duellist = {"attacks": 2, "hit": 3, "normal": 6, "critical": 8, "wounds": 75, "duellist": True}
    given = Given({"attack": [4, 4], "defence": [3, 3]})
    read = killteam.Fighting({"attacker": {**foe, "attacks": 2}, "defender": duellist})
    assert play(read.step, read.start(), lambda s: s.stage == "end", given).lost == (6, 4)  # E26
    hammer = {**fist, "keywords": ["Shock", "Stun"], "attacks": 1}
    given = Given({"attack": [6], "defence": [4, 4, 1]})
    read = killteam.Fighting({"attacker": hammer, "defender": {**foe, "wounds": 50}})
    assert play(read.step, read.start(), lambda s: s.stage == "end", given).lost == (
        4,
        8,
    )  # E27: Shock takes one strike


def test_small_odds_of_kill_team() -> None:
    for number, odds in ((1, "2/3"), (2, "8/9"), (3, "26/27")):  # Demolish
        assert 1 - spread(w40k.successes(number, 3))[0] == Fraction(odds)


# -- Deathwatch: Overkill


@pytest.mark.parametrize(
    ("name", "request_", "hits", "saves", "lost"),
    [
        ("W1", {"need": 4, "dice": 3, "cleave": 1, "models": [{"armour": 3, "wounds": 2}]}, "426", "", (2,)),
        ("W3", {"need": 5, "dice": 2, "models": [{"armour": 3, "wounds": 2}]}, "54", "3", (0,)),
        ("W4", {"need": 6, "dice": 2, "models": [{"armour": 3, "wounds": 2}]}, "66", "25", (1,)),
        ("W7", {"need": 5, "dice": 1, "cleave": 1, "models": [{"armour": 2, "wounds": 2, "lost": 1}]}, "5", "", (2,)),
        ("W8", {"need": 4, "dice": 1, "cleave": 1, "models": [{"armour": 2, "wounds": 2}]}, "3", "", (0,)),
        ("W9", {"need": 3, "dice": 2, "models": [{"armour": 3, "wounds": 2}]}, "36", "12", (2,)),
        (
            "W11",
            {"need": 5, "blast": 1, "models": [{"armour": 3, "wounds": 2}, {}, {"armour": 6}]},
            "536",
            "25",
            (1, 0, 1),
        ),
        ("W12", {"need": 6, "blast": 1, "models": [{"armour": 3, "wounds": 2}, {}]}, "55", "", (0, 0)),
        ("W14", {"need": 2, "dice": 3, "rend": 1, "models": [{"armour": 6}, {"armour": 6}]}, "222", "625", (1, 1)),
        ("W15", {"need": 2, "dice": 3, "models": [{}, {}]}, "222", "", (1, 0)),
        ("W16", {"need": 2, "dice": 2, "cleave": 1, "models": [{"armour": 4, "cleave_save": 1}]}, "22", "43", (1,)),
        ("W17a", {"need": 5, "dice": 2, "cleave": 1, "models": [{"armour": 3, "wounds": 2}]}, "56", "", (2,)),
        ("W17b", {"need": 5, "dice": 2, "models": [{"armour": 3, "wounds": 2}]}, "56", "34", (0,)),
        ("W29b", {"need": 3, "dice": 3, "models": [{"wounds": 9}]}, "251", "", (1,)),
    ],
)
def test_worked_examples_of_overkill(name: str, request_: Any, hits: str, saves: str, lost: Any) -> None:
    given = Given({"hit": [*map(int, hits)], "save": [*map(int, saves)]})
    read = boards.Overkill(request_)
    assert play(read.step, read.start(), lambda s: s.stage == "end", given).lost == lost
    assert not given.left()


def test_first_contact_and_jump_of_overkill() -> None:
    given = Given({"hit": [2, 5, 1], "hit_again": [4, 2]})
    read = boards.Overkill({"need": 3, "dice": 3, "first_contact": 1, "models": [{"wounds": 9}]})
    assert play(read.step, read.start(), lambda s: s.stage == "end", given).lost == (2,)  # W29
    assert [boards.jump(None, Given({"jump": [face]})) for face in (1, 2)] == [1, 0]  # W24


# -- Space Hulk


def test_worked_shots_of_space_hulk() -> None:
    for sustained, overwatch, faces, hits in (
        (0, 0, "24", 0), (1, 0, "51", 1), (0, 0, "55", 0), (0, 0, "63", 1), (1, 0, "65", 2), (0, 0, "52", 0),
        (1, 0, "52", 1), (0, 0, "54", 0), (0, 0, "46", 1), (0, 1, "53", 0), (0, 1, "55", 0),
        (0, 1, "61", 1), (1, 1, "55", 0),
    ):  # fmt: skip
        given = Given({"shot": [*map(int, faces)], "jam": [6]})
        assert boards.shot(bool(sustained), bool(overwatch))(None, given).hits == hits
    assert boards.shot(False, True, 1)(None, Given({"shot": [1, 2], "jam": [1]})) == (0, 0, True)  # 16
    assert boards.shot(False, False)(None, Given({"shot": [2, 4]})).sustained == 1  # 1
    assert boards.flamer(2)(None, Given({"flame": [5, 6]})) == 1  # 37
    assert [boards.door(1)(None, Given({"door": [face]})) for face in (5, 6)] == [False, True]  # 34
    assert boards.door(3)(None, Given({"door": [2, 6, 1]}))  # 35


@pytest.mark.parametrize(
    ("number", "request_", "marine", "claws", "parry", "result"),
    [
        (24, {}, 4, "321", "", (False, True, False)),
        (25, {}, 3, "511", "", (True, False, False)),
        (27, {"sergeant": 1}, 4, "632", "4", (False, True, False)),
        (28, {"sergeant": 1}, 4, "632", "5", (False, False, False)),
        (29, {"sergeant": 1}, 4, "632", "6", (True, False, False)),
        (30, {"sergeant": 1, "parry": 0}, 4, "632", "", (True, False, False)),  # the wrong die changes nothing
        (31, {"aspect": "rear"}, 6, "442", "", (False, False, True)),
        (32, {"sergeant": 1, "aspect": "side"}, 5, "622", "", (False, False, False)),
        (33, {"marine_attacks": 1, "aspect": "rear"}, 2, "431", "", (False, False, True)),
    ],
)
def test_worked_close_combat(number: int, request_: Any, marine: int, claws: str, parry: str, result: Any) -> None:
    given = Given({"marine": [marine], "stealer": [*map(int, claws)], "parry": [*map(int, parry)]})
    assert boards.close_combat(request_)(None, given) == result
    assert not given.left()


# -- Death Angel: faces 0 to 5 are written as they are, and laid as 1 to 6


def laid(faces: str) -> Given:
    return Given({"die": [int(face) + 1 for face in faces]})


@pytest.mark.parametrize(
    ("number", "request_", "faces", "dead", "slain"),
    [
        (9, {"swarm": 3}, "3", True, 0),
        (9, {"swarm": 3}, "4", False, 0),
        (10, {"swarm": 3, "lords": 1}, "4", True, 0),
        (10, {"swarm": 3, "lords": 1}, "5", False, 0),
        (11, {"swarm": 2, "lords": 2}, "4", True, 0),
        (11, {"swarm": 2, "lords": 2}, "5", False, 0),
        (12, {"swarm": 5}, "5", True, 0),
        (12, {"swarm": 4}, "5", False, 0),
        (14, {"swarm": 2, "tokens": 2}, "014", False, 0),
        (15, {"swarm": 1, "tokens": 3, "behind": 1}, "1", True, 0),
        (16, {"swarm": 5, "tokens": 1, "card": "defensive_stance"}, "21", False, 0),
        (16, {"swarm": 5, "tokens": 1, "card": "defensive_stance"}, "20", True, 0),
        (18, {"swarm": 2, "card": "counter_attack"}, "31", False, 2),
        (19, {"swarm": 3, "card": "counter_attack"}, "20", True, 1),
        (20, {"swarm": 4, "second_wind": 1}, "0", False, 0),
    ],
)
def test_worked_defences_of_death_angel(number: int, request_: Any, faces: str, dead: bool, slain: int) -> None:
    given = laid(faces)
    after = boards.stealer_attack(request_)(None, given)
    assert (after.marine_dead, after.slain) == (dead, slain)
    assert not given.left()


@pytest.mark.parametrize(
    ("number", "request_", "faces", "slain"),
    [
        (21, {"swarm": 5}, "2", 1),
        (21, {"swarm": 5}, "4", 0),
        (22, {"swarm": 5, "card": "dead_aim"}, "4", 3),
        (24, {"swarm": 5, "card": "flamer"}, "3", 3),
        (24, {"swarm": 4, "card": "flamer"}, "5", 4),
        (24, {"swarm": 2, "card": "flamer"}, "0", 0),
        (25, {"swarm": 9, "card": "full_auto"}, "143", 2),
        (26, {"swarm": 9, "card": "psionic"}, "235", 2),
    ],
)
def test_worked_attacks_of_death_angel(number: int, request_: Any, faces: str, slain: int) -> None:
    given = laid(faces)
    assert boards.marine_attack(request_)(None, given).slain == slain
    assert not given.left()


def test_odds_of_death_angel() -> None:
    for size in range(1, 7):
        for lords in range(min(2, size) + 1):
            dead = sum(
                p for s, p in spread(boards.stealer_attack({"swarm": size, "lords": lords})).items() if s.marine_dead
            )
            assert dead == Fraction(min(6, size + lords + 1), 6)
    assert boards.heroic_charge(None, laid("0"))  # 27
