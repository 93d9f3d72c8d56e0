"""Exact odds of Kill Team and of the board games against the brute force of `brute_force`."""

from fractions import Fraction
from typing import Any

import pytest
from brute_force import boards, killteam
from brute_force.walk import spread
from brute_force_product import groups_of, of_product, summed

from host_tools.errors import CommandError

# -- Kill Team


def P(dice: int, hit: int, normal: int, critical: int, words: str = "") -> dict[str, Any]:
    keywords = [word.strip() for word in words.split(",") if word.strip()]
    return {"attacks": dice, "hit": hit, "damage_normal": normal, "damage_critical": critical, "keywords": keywords}


def V(save: int, wounds: int = 12, lost: int = 0, **flags: int) -> dict[str, Any]:
    return {"save": save, "groups": [{"wounds": wounds, "lost": lost}], **flags}


SHOTS: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (P(4, 3, 3, 4), {}, V(4)),
    (P(4, 3, 3, 4), {"cover": 1}, V(3)),
    (P(4, 4, 3, 4, "Saturate"), {"cover": 1}, V(3)),
    (P(4, 3, 3, 5, "Piercing 1"), {"cover": 1}, V(4)),
    (P(4, 3, 3, 5, "Piercing Crits 2"), {"cover": 1}, V(4)),
    (P(4, 3, 3, 5, "Piercing 1, Piercing Crits 2"), {}, V(4)),
    (P(3, 3, 6, 3, "Devastating 4, Piercing 2"), {}, V(4, 50, 22, extra_defence=1)),
    (P(3, 3, 6, 3, "Devastating 4"), {}, V(4, 6)),
    (P(4, 3, 4, 5, "Lethal 5+"), {}, V(4)),
    (P(4, 6, 4, 5, "Lethal 4+"), {}, V(4)),
    (P(4, 3, 4, 5, "Rending"), {}, V(4)),
    (P(4, 3, 4, 5, "Punishing"), {}, V(4)),
    (P(4, 3, 4, 5, "Rending, Punishing"), {}, V(4)),
    (P(4, 3, 4, 5, "Severe"), {}, V(4)),
    (P(4, 3, 4, 5, "Severe, Rending, Punishing, Piercing Crits 1"), {}, V(4)),
    (P(4, 3, 4, 2, "Severe, Devastating 3"), {}, V(4)),
    (P(4, 3, 4, 5, "Accurate 1"), {}, V(4)),
    (P(4, 3, 4, 5, "Accurate 2, Rending"), {}, V(4)),
    (P(4, 4, 4, 5, "Accurate 2, Severe"), {}, V(4)),
    (P(4, 4, 4, 5, "Balanced"), {}, V(4)),
    (P(4, 4, 4, 5, "Ceaseless"), {}, V(4)),
    (P(4, 4, 4, 5, "Relentless"), {}, V(4)),
    (P(4, 4, 4, 5, "Relentless, Balanced"), {"no_rerolls": 1}, V(4)),
    (P(4, 4, 4, 5, "Brutal"), {}, V(3)),
    (P(3, 4, 4, 5, "Brutal"), {"cover": 1}, V(3)),
    (P(3, 3, 4, 5, "Piercing 2"), {"cover": 1}, V(3)),
    (P(3, 3, 4, 5, "Piercing 3"), {"cover": 1}, V(3)),
    (P(4, 3, 4, 5, "Rending, Severe, Devastating 1, Piercing Crits 1, Stun"), {"obscured": 1}, V(4)),
    (P(4, 3, 4, 5, "Accurate 1"), {"obscured": 1, "cover": 1}, V(4)),
    (P(3, 3, 4, 5, "Stun"), {}, V(4)),
    (P(3, 3, 4, 5, "Stun, Severe"), {}, V(4)),
    (P(3, 3, 4, 5, "Stun"), {}, V(4, bulky=1)),
    (P(3, 3, 4, 5, "Hot"), {}, V(4, 7)),
    (P(3, 3, 4, 5, "Hot"), {"worse_hit": 1}, V(4, 20)),
    (P(3, 3, 3, 4), {}, V(4, 50, extra_defence=1)),
    (P(3, 3, 3, 4), {}, V(4, 50, 25, extra_defence=1)),
    (P(3, 3, 3, 4), {}, V(4, 50, 26, extra_defence=1)),
    (P(3, 3, 3, 4), {}, V(4, 35, armoured=1)),
    (P(3, 3, 4, 5), {}, V(4, 35, armoured=1)),
    (P(3, 3, 3, 5), {}, V(4, 35, tough=1)),
    (P(3, 3, 6, 7, "Piercing 2"), {"cover": 1}, V(4, 35, automatic=1)),
    (P(3, 3, 6, 7, "Piercing 2, Piercing Crits 3"), {}, V(4, 35, 20, shielding=1, extra_defence=1)),
    (P(4, 3, 4, 5), {"arrogant": 1}, V(4)),
    (P(4, 3, 4, 5), {"command_reroll": "hit"}, V(4)),
    (P(4, 3, 4, 5, "Balanced"), {"command_reroll": "hit"}, V(4)),
    (P(4, 3, 4, 5), {"command_reroll": "save"}, V(4)),
]  # fmt: skip


def shot_request(weapon: dict[str, Any], modifiers: dict[str, Any], target: dict[str, Any]) -> dict[str, Any]:
    """The request in the words of the brute force."""
    words = [] if modifiers.get("no_rerolls") else list(weapon["keywords"])
    words += ["arrogant superiority"] if modifiers.get("arrogant") else []
    group = target["groups"][0]
    return {
        "weapon": {
            "attacks": weapon["attacks"],
            "hit": weapon["hit"] + modifiers.get("worse_hit", 0),
            "normal": weapon["damage_normal"],
            "critical": weapon["damage_critical"],
            "keywords": words,
        },
        "modifiers": {
            **modifiers,
            "command_reroll": {"hit": "attack", "save": "defence"}.get(modifiers.get("command_reroll", "")),
        },
        "target": {**target, **group, "shielded_by_xenotech": target.get("shielding", 0)},
    }


@pytest.mark.parametrize("number", range(len(SHOTS)))
def test_killteam_shoot(number: int) -> None:
    weapon, modifiers, target = SHOTS[number]
    ends, _ = killteam.shoot(shot_request(weapon, modifiers, target))
    expected: dict[Any, Fraction] = {}
    for (damage, own, stun), weight in ends.items():
        key = (damage, own, int(stun and not target.get("bulky")))
        expected[key] = expected.get(key, Fraction(0)) + weight
    got, _ = of_product("killteam_shoot", {"weapon": weapon, "modifiers": modifiers, "target": target}, ("lost",))
    found: dict[Any, Fraction] = {}
    for ((damage, _, stunned, own), _), weight in got.items():
        found[damage, own, stunned] = found.get((damage, own, stunned), Fraction(0)) + weight
    assert found == expected


def F(
    dice: int, hit: int, normal: int, critical: int, wounds: int = 12, lost: int = 0, words: str = "", **more: int
) -> Any:
    """A fighter in the words of the brute force."""
    keywords = [word.strip() for word in words.split(",") if word.strip()]
    numbers = {"attacks": dice, "hit": hit, "normal": normal, "critical": critical, "wounds": wounds, "lost": lost}
    return {**numbers, "keywords": keywords, **more}


FIGHTS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (F(3, 3, 3, 4), F(3, 4, 4, 5)),
    (F(3, 3, 3, 4, 8), F(3, 3, 4, 5, 7)),
    (F(4, 3, 6, 8, words="Brutal, Shock"), F(3, 4, 4, 5, 13)),
    (F(3, 3, 3, 4, words="Lethal 5+, Balanced"), F(3, 4, 4, 5, words="Shock")),
    (F(3, 3, 3, 4, words="Rending, Ceaseless"), F(3, 4, 4, 5, words="Severe, Relentless")),
    (F(3, 4, 3, 4, words="Punishing"), F(3, 4, 4, 5, words="Accurate 1")),
    (F(3, 4, 3, 4, assists=1), F(3, 5, 4, 5, assists=2)),
    (F(3, 4, 3, 4, 12, 7), F(3, 4, 4, 5, 12, 6)),
    (F(2, 4, 4, 5, duellist=1), F(3, 3, 6, 8, duellist=1)),
    (F(3, 3, 4, 6, words="Shock"), F(2, 3, 4, 5, duellist=1)),
    (F(3, 3, 4, 6, words="Stun"), F(2, 3, 4, 5, words="Stun, Severe")),
    (F(2, 3, 4, 3, words="Devastating 2"), F(2, 3, 4, 5, 7)),
]


@pytest.mark.parametrize("number", range(len(FIGHTS)))
def test_killteam_fight(number: int) -> None:
    one, other = FIGHTS[number]
    sides = [{**side, "injured": 2 * (side["wounds"] - side["lost"]) < side["wounds"]} for side in (one, other)]
    ends, _ = killteam.fight({"attacker": sides[0], "defender": sides[1]}, killteam.careful)
    expected: dict[Any, Fraction] = {}
    for (own, foe), weight in ends.items():
        key = (foe - other["lost"], own - one["lost"])
        expected[key] = expected.get(key, Fraction(0)) + weight
    foe = P(other["attacks"], other["hit"], other["normal"], other["critical"])
    foe = {f"foe_{name}": value for name, value in foe.items() if name != "keywords"}
    for word in other["keywords"]:
        name, _, value = word.partition(" ")
        foe["foe_" + name.lower()] = int(value.rstrip("+") or 1)
    modifiers = {"assist": one.get("assists", 0), "foe_assist": other.get("assists", 0)}
    modifiers |= {"duellist": one.get("duellist", 0), "foe_duellist": other.get("duellist", 0)}
    request = {
        "weapon": P(one["attacks"], one["hit"], one["normal"], one["critical"], ",".join(one["keywords"])),
        "modifiers": modifiers,
        "target": {**foe, "groups": [{k: side[k] for k in ("wounds", "lost")} for side in (other, one)]},
    }
    got, _ = of_product("killteam_fight", request, ("lost",))
    found: dict[Any, Fraction] = {}
    for (outcome, _), weight in got.items():
        found[outcome[0], outcome[3]] = found.get((outcome[0], outcome[3]), Fraction(0)) + weight
    assert found == expected


# -- Deathwatch: Overkill: numbers of the band, rules, First Contact, groups

WEAK, TOUGH, TWO, FAST = {"models": 1}, {"models": 1, "save": 4}, {"wounds": 2, "save": 3}, {"save": 4, "agile": 1}
VOLLEYS: list[tuple[list[int], str, int, list[dict[str, Any]]]] = [
    ([4], "", 0, [WEAK]),
    ([5, 5], "", 0, [TWO]),
    ([4, 4, 4], "Cleave", 0, [TWO]),
    ([4, 4, 4], "Cleave", 0, [FAST]),
    ([4, 4, 4], "", 1, [TWO]),
    ([3, 5], "", 0, [TWO]),
    ([3, 5, 6], "", 1, [{**TWO, "lost": 1}]),
    ([3, 3, 3], "", 0, [{**TOUGH, "models": 3}]),
    ([3, 3, 3], "Rend", 0, [{**TOUGH, "models": 3}]),
    ([3, 3, 3], "Rend", 1, [{**TOUGH, "models": 2}, TWO]),
    ([2, 2, 2], "Rend, Cleave", 0, [FAST, TWO]),
    ([2, 3, 4], "Rend", 0, [TWO, {"models": 2, "save": 6}]),
    ([5], "Blast", 0, [TWO, WEAK, {"save": 6}]),
    ([5], "Blast", 1, [TWO, {"models": 2}, {"save": 6, "own": 1}]),
    ([4], "Blast, Cleave", 0, [TWO, FAST, {"save": 2, "models": 2}]),
    ([4, 4], "", 0, [{**TWO, "save": 7}]),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(VOLLEYS)))
def test_overkill(number: int) -> None:
    needs, words, contact, groups = VOLLEYS[number]
    models, owners = [], []
    for i, group in enumerate(groups):
        for _ in range(group.get("models", 1)):
            armour = group.get("save", 0)
            models.append({
                "armour": 0 if armour == 7 else armour, "wounds": group.get("wounds", 1), "lost": group.get("lost", 0),
                "cleave_save": group.get("agile", 0), "own": group.get("own", 0),
            })  # fmt: skip
            owners.append(i)
    rules = {word.strip().lower(): 1 for word in words.split(",") if word}
    request = {"needs": needs, "need": needs[0], "first_contact": contact, "models": models, **rules}
    expected: dict[Any, Fraction] = {}
    for lost, weight in boards.overkill(request)[0].items():
        alive = [0] * len(groups)
        hurt = [0] * len(groups)
        for i, model, points in zip(owners, models, lost, strict=True):
            alive[i] += points < model["wounds"]
            hurt[i] += points if points < model["wounds"] else 0
        key = tuple(zip(alive, hurt, strict=True))
        expected[key] = expected.get(key, Fraction(0)) + weight
    given = []
    for group in groups:
        keywords = ["Exceptional Agility"] if group.get("agile") else []
        given.append({k: v for k, v in group.items() if k != "agile"} | {"keywords": keywords})
    weapon = {"combat": needs, "keywords": [word.strip() for word in words.split(",") if word]}
    modifiers = {"band": "combat", "first_contact": contact}
    got, _ = of_product(
        "overkill", {"weapon": weapon, "modifiers": modifiers, "target": {"groups": given}}, ("models", "lost")
    )
    assert groups_of(got) == expected


def test_overkill_jump() -> None:
    for model in ({"models": 1}, {"models": 1, "wounds": 2}, {"models": 1, "wounds": 2, "lost": 1}):
        got, _ = of_product("overkill", {"weapon": {"kind": "jump"}, "target": {"groups": [model]}}, ("models",))
        dead = model.get("wounds", 1) - model.get("lost", 0) == 1
        expected = {(wound, int(dead and wound > 0)): p for wound, p in spread(boards.jump).items()}
        assert {outcome: p for (outcome, _), p in got.items()} == expected


# -- Space Hulk


def hulk(weapon: dict[str, Any], modifiers: dict[str, Any], what: str = "model") -> dict[tuple[int, ...], Fraction]:
    request = {"weapon": weapon, "modifiers": modifiers, "target": {"what": what}}
    return {outcome: p for (outcome, _), p in of_product("space_hulk", request, ())[0].items()}


@pytest.mark.parametrize("dice", ["sh2_symbols", "sh2_numbers_assumed", "sh3_sh4", "sh1"])
def test_space_hulk_bolter(dice: str) -> None:
    """(removed, overkill, jammed) and how many shots have missed the target by now."""
    for overwatch, same, shots, moving, what in (
        (0, 0, 0, 0, "model"), (0, 1, 1, 0, "model"), (0, 1, 2, 0, "door"), (0, 1, 4, 0, "model"),
        (0, 1, 1, 1, "model"), (0, 0, 2, 0, "model"), (1, 0, 0, 0, "model"), (1, 1, 1, 0, "model"),
    ):  # fmt: skip
        modifiers = {"overwatch": overwatch, "same_target": same, "shots": shots, "moving": moving}
        before = shots if same and not moving else 0
        if dice in ("sh2_symbols", "sh2_numbers_assumed"):
            step = boards.shot(before >= 1, bool(overwatch), 1)
        else:
            step = boards.other_editions(dice, before + 1, bool(overwatch))
        expected = summed(spread(step), lambda s: (int(s.hits > 0), int(s.hits == 2), int(s.jammed)))
        try:
            found = hulk({"kind": "bolter", "dice_profile": dice}, modifiers, what)
        except CommandError as error:
            raise AssertionError((modifiers, error)) from error
        assert summed(found, lambda o: (o[0], o[3], o[5])) == expected, modifiers


def test_space_hulk_flamer_and_command() -> None:
    for squares in (1, 2, 3):
        found = summed(hulk({"kind": "flamer"}, {"squares": squares}), lambda o: (o[0], o[6]))
        assert found == summed(spread(boards.flamer(squares)), lambda dead, all_=squares: (dead, all_ - dead))
    assert summed(hulk({"kind": "command"}, {}), lambda o: o[7]) == {points: Fraction(1, 6) for points in range(1, 7)}


@pytest.mark.parametrize("attacker", ["marine", "genestealer"])
@pytest.mark.parametrize("aspect", ["front", "side", "rear"])
@pytest.mark.parametrize("sergeant", [0, 1])
@pytest.mark.parametrize("parry", [0, 1])
def test_space_hulk_close_combat(attacker: str, aspect: str, sergeant: int, parry: int) -> None:
    weapon = {"kind": "close_combat", "attacker": attacker, "parry_attacking": parry}
    found = summed(hulk(weapon, {"sergeant": sergeant, "aspect": aspect}), lambda o: o[:3])
    marine = int(attacker == "marine")
    request = {"marine_attacks": marine, "aspect": aspect, "sergeant": sergeant}
    request["parry"] = parry if marine else 1
    expected = {}
    for end, weight in spread(boards.close_combat(request)).items():
        defender, own = (end.stealer_dead, end.marine_dead) if marine else (end.marine_dead, end.stealer_dead)
        expected[int(defender), int(own), int(end.free_turn)] = weight
    assert found == expected


def test_space_hulk_doors() -> None:
    for attacker, number in (("marine", 1), ("genestealer", 3)):
        found = hulk({"kind": "close_combat", "attacker": attacker}, {}, "door")
        assert summed(found, lambda o: bool(o[0])) == spread(boards.door(number))


# -- Death Angel


def angel(kind: str, groups: list[dict[str, int]], modifiers: dict[str, Any], **weapon: int) -> dict[Any, Fraction]:
    request = {"weapon": {"kind": kind, **weapon}, "modifiers": modifiers, "target": {"groups": groups}}
    return {outcome: p for (outcome, _), p in of_product("death_angel", request, ())[0].items()}


@pytest.mark.parametrize("card", ["", "block", "counter_attack", "defensive_stance", "second_wind"])
def test_death_angel_defence(card: str) -> None:
    """(slain genestealers, marine slain, tokens spent)."""
    for swarm in range(1, 6):
        for lords in range(min(2, swarm) + 1):
            for tokens in (0, 1, 2):
                for front in (0, 1):
                    request = {"swarm": swarm, "lords": lords, "tokens": tokens, "behind": not front}
                    request |= {"second_wind": 1} if card == "second_wind" else {"card": card}
                    expected = summed(
                        spread(boards.stealer_attack(request)), lambda s: (s.slain, int(s.marine_dead), s.spent)
                    )
                    groups = [{"models": swarm, "brood_lords": lords}]
                    flags = {card: 1} if card else {}
                    found = angel("genestealer_attack", groups, {"tokens": tokens, "in_front": front}, **flags)
                    assert summed(found, lambda o: o[:3]) == expected, (request, found)


@pytest.mark.parametrize("card", ["", "dead_aim", "flamer", "full_auto", "psionic"])
def test_death_angel_attack(card: str) -> None:
    for swarm in (1, 2, 3, 5):
        if card == "psionic" and swarm > 3:
            continue
        for tokens in (0, 1, 2):
            request = {"swarm": swarm, "tokens": tokens, "card": card}
            expected = summed(spread(boards.marine_attack(request)), lambda s, had=tokens: (s.slain, had - s.tokens))
            flags = {"attacks": 3} if card == "full_auto" else {card: 1} if card else {}
            found = angel("marine_attack", [{"models": swarm}], {"tokens": tokens}, **flags)
            assert summed(found, lambda o: (o[0], o[2])) == expected, (request, found)


def test_death_angel_other_rolls() -> None:
    """(genestealers slain, marine slain) of each roll with a face that decides."""
    three = [{"models": 3}]
    for kind, groups, faces, hit, miss in (
        ("heroic_charge", three, (0,), (3, 1), (3, 0)),
        ("promethium_tank", three, (0,), (3, 1), (3, 0)),
        ("cleansing_flames", three, (1, 2, 3), (2, 0), (0, 0)),
        ("generatorium", three, (1, 2, 3), (3, 0), (0, 1)),
        ("psychic_assault", [], (0, 1), (0, 1), (0, 0)),
    ):
        shown = spread(boards.card_roll(faces))
        assert summed(angel(kind, groups, {}), lambda o: o[:2]) == {hit: shown[True], miss: shown[False]}, kind
    for kind, tokens, faces in (("launch_control", 2, (0, 1, 2)), ("spore_chimney", 0, (1, 2, 3))):
        found = summed(angel(kind, [], {"tokens": tokens}), lambda o: bool(o[5]))
        assert found == spread(boards.card_roll(faces)), kind
    for kind in ("intimidation", "toxin_pumping"):
        assert summed(angel(kind, [], {}), lambda o: o[4]) == {number: Fraction(1, 6) for number in range(6)}
