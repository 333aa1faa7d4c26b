"""What can be counted of an attack, and numbers that sum a distribution up."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from battlewright.odds.answer import Answer

__all__ = ["Measure", "distribution", "mean", "quantile"]


class Measure(StrEnum):
    """What is counted.

    ``points`` are the points of slain models; ``earned`` divides their average by the points of the attacking unit;
    ``p_destroyed`` is the probability to destroy the whole target. Only the first three have a distribution.
    """

    DAMAGE = "damage"
    SLAIN = "slain"
    POINTS = "points"
    EARNED = "earned"
    P_DESTROYED = "p_destroyed"


_LEAST = 1e-15
_CENT = 2
"""Points are rounded to hundredths, so that sums of unequal shares meet."""


def distribution(answer: Answer, measure: Measure) -> dict[float, float]:
    """The probability of each amount that is possible, in ascending order.

    Args:
        measure: ``damage`` (wounds removed), ``slain`` (models) or ``points`` (of slain models).

    Raises:
        ValueError: for a measure that has no distribution.

    >>> from battlewright.odds import volley
    >>> distribution(volley("A1 BS4+ S4 AP0 D1", "T4 Sv- W1"), Measure.SLAIN)
    {0: 0.75, 1: 0.25}
    """
    match measure:
        case Measure.DAMAGE:
            return {n: float(p) for n, p in enumerate(answer.damage) if p > _LEAST}
        case Measure.SLAIN:
            return {n: float(p) for n, p in enumerate(answer.slain) if p > _LEAST}
        case Measure.POINTS:
            return _points(answer)
        case _:
            raise ValueError(f"{measure} has no distribution")


def _points(answer: Answer) -> dict[float, float]:
    target = answer.odds.target
    found: dict[float, float] = {}
    for p, left in answer.odds.state.remaining(target):
        lost = sum(
            (len(group.remaining) - len(living)) * group.points
            for group, living in zip(target.groups, left, strict=True)
        )
        found[round(lost, _CENT)] = found.get(round(lost, _CENT), 0.0) + p
    return {lost: p for lost, p in sorted(found.items()) if p > _LEAST}


def mean(chances: Mapping[float, float]) -> float:
    """The average of a distribution."""
    return sum(number * p for number, p in chances.items())


def quantile(chances: Mapping[float, float], share: float) -> float:
    """The smallest number that is not exceeded with at least this probability; 0.5 gives the median.

    >>> quantile({0: 0.25, 1: 0.25, 5: 0.5}, 0.5)
    1
    """
    reached = 0.0
    numbers = sorted(chances)
    for number in numbers:
        reached += chances[number]
        if reached >= share - 1e-12:
            return number
    return numbers[-1]
