"""The exact odds of the product in a form that the brute force can be compared with."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from host_tools.odds import odds
from host_tools.requests import resolver, to_numbers


def of_product(system: str, request: dict[str, Any], fields: tuple[str, ...]) -> tuple[dict[Any, Fraction], Any]:
    """The distribution of (these numbers of every group, the outcome), and the means."""
    rules = resolver(system)
    v = to_numbers(system, request)
    first = len(rules.PROFILE) + len(rules.MODIFIERS) + len(rules.TARGET)
    names = [field[0] for field in rules.GROUP]
    places = [[first + 1 + group * len(names) + names.index(field) for field in fields] for group in range(v[first])]

    def outcome(state: list[int]) -> Any:
        return tuple(rules.outcome(state)) + tuple(tuple(state[i] for i in place) for place in places)

    shown = SimpleNamespace(**{name: getattr(rules, name) for name in dir(rules) if not name.startswith("__")})
    shown.outcome = outcome
    found = odds(shown, v)
    count = len(rules.OUTCOMES)
    result: dict[Any, Fraction] = {}
    for key, weight in found.outcomes.items():
        result[key[:count], key[count:]] = result.get((key[:count], key[count:]), Fraction(0)) + weight
    return result, found.mean


def groups_of(got: dict[Any, Fraction]) -> dict[Any, Fraction]:
    """The distribution of what is left of the groups."""
    found: dict[Any, Fraction] = {}
    for (_, groups), weight in got.items():
        found[groups] = found.get(groups, Fraction(0)) + weight
    return found


def summed(found: dict[Any, Fraction], key: Any) -> dict[Any, Fraction]:
    """The distribution of a function of the outcome."""
    result: dict[Any, Fraction] = {}
    for outcome, weight in found.items():
        result[key(outcome)] = result.get(key(outcome), Fraction(0)) + weight
    return result
