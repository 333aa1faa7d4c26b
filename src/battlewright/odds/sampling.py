"""What is too large for exact odds, and how it is sampled instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod, sqrt

from battlewright.attacks.choices import are_alike, save_tables
from battlewright.attacks.description import Allocation, Policy, Volley
from battlewright.attacks.distributions import Odds
from battlewright.attacks.tokens import choice_points, expected_attacks, expected_tokens

__all__ = ["MOST_OPERATIONS", "MOST_STATES", "MOST_TRIALS", "TRIALS", "is_too_large", "operations", "sampled", "states"]

MOST_STATES = 2500
"""Targets with more states are sampled: a matrix of them would no longer fit a processor's cache, or the memory."""
MOST_OPERATIONS = 1e9
"""Questions that need more multiplications, by a rough count, are sampled: about a second."""
TRIALS = 100_000
"""How many trials are rolled when nobody asks for a number."""
MOST_TRIALS = 2_000_000
_TO_DECIDE = 20_000
_TENSOR = 2_000_000
_SPREAD = 8


def states(volleys: Sequence[Volley]) -> int:
    """How many states the target may come to: wounds along the order of loss, or of each group for itself."""
    target = volleys[0].target
    wounds = [sum(group.remaining) for group in target.groups]
    strays = any(
        volley.target.allocation is Allocation.EVEN
        or (volley.target.precision_group is not None and not all(packet.keeps_group for packet in volley.packets))
        for volley in volleys
    )
    orders = {volley.target.precision_group for volley in volleys}
    return prod(lost + 1 for lost in wounds) if strays or len(orders) > 1 else sum(wounds) + 1


def operations(volleys: Sequence[Volley]) -> float:
    """A rough count of the multiplications that exact odds need."""
    size = states(volleys) ** 2
    return sum(size * _packets(volley) for volley in volleys)


def _packets(volley: Volley) -> float:
    """How often the states are multiplied: packets on one axis, or combinations of what lies on the others."""
    axes = 0
    for packet in volley.packets:
        tables = save_tables(volley, packet)
        axes += 1 if not tables or are_alike(tables) else len(tables)
    first = {point: ways[0] for point, ways in choice_points(volley).items()}
    reached, _ = expected_tokens(volley, Policy(), first)
    arriving = max(sum(reached[packet.name] for packet in volley.packets), expected_attacks(volley))
    most = arriving + _SPREAD * sqrt(arriving) + 1
    return max(most, min(most ** (axes - 1), _TENSOR / most))


def is_too_large(volleys: Sequence[Volley]) -> bool:
    """Whether exact odds would take more than about a second, or more memory than is kind."""
    return states(volleys) > MOST_STATES or operations(volleys) > MOST_OPERATIONS


def sampled(volleys: Sequence[Volley], policy: Policy, trials: int, seed: int) -> Odds:
    """The odds from so many trials; choices that are left to be decided are decided by trials of their own."""
    from battlewright.attacks.sample import sample

    open_points = {
        point: ways
        for volley in volleys
        for point, ways in choice_points(volley).items()
        if policy.choices.get(point, "best") == "best"
    }
    if open_points and is_too_large(volleys):
        ways = [dict(zip(open_points, names, strict=True)) for names in product(*open_points.values())]
        decided = [replace(policy, choices={**policy.choices, **way}) for way in ways]
        few = min(trials, _TO_DECIDE)
        policy = max(decided, key=lambda way: sample(volleys, way, trials=few, seed=seed).mean_damage)
    return sample(volleys, policy, trials=trials, seed=seed)
