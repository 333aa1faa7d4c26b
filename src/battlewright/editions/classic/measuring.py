"""Measuring range in the classic editions: from where, to what, and when."""

from __future__ import annotations

from dataclasses import dataclass

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within

__all__ = [
    "TARGETER",
    "RangeFrom",
    "from_base",
    "is_in_range",
    "may_measure_first",
    "shots_are_lost",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeFrom:
    """The points of a firing model that range may be measured from, as inches to the target from each.

    Attributes:
        base: from the edge of its base; None for something without a base.
        mount: from where the weapon is mounted; None where that does not matter.
        muzzle: from the muzzle of the weapon; None where the model has none that matters.
    """

    base: float | None = None
    mount: float | None = None
    muzzle: float | None = None


@rule("3e.range.from-edge", "3e.range.mount")
def from_base(points: RangeFrom) -> float:
    """The distance that counts: from the edge of the base; without a base from the weapon's mount, not its muzzle."""
    if points.base is not None:
        return points.base
    assert points.mount is not None, "a model without a base has a mount"
    return points.mount


@rule("3e.range.partly-inside", "3e.range.from-edge")
def is_in_range(distance: float, reach: float) -> bool:
    """Whether a model is in range: any part of its base is.

    Args:
        distance: inches to the nearest part of its base.
    """
    return within(distance, reach)


TARGETER = "TARGETER"
"""What lets a unit measure before it names its target."""


@rule("4e.core.fundamentals.declare-before-measuring")
@rule("3e.shooting.special-premeasure", "3e.core.fundamentals.declare-before-measuring", "3e.core.traits.targeter")
def may_measure_first(has_targeter: bool) -> bool:
    """Whether a unit may measure range before it names its target: only by a special rule."""
    return has_targeter


@rule("4e.core.fundamentals.declare-before-measuring")
@rule("3e.shooting.target-first", "3e.core.shooting.out-of-range")
def shots_are_lost(distance: float, reach: float) -> bool:
    """Whether the shots of a weapon are lost because the declared target is out of its range."""
    return not is_in_range(distance, reach)
