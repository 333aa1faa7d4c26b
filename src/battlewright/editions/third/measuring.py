"""Measuring range in the 3rd edition: from where, to what, and when."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.editions.classic.measuring import RangeFrom, from_base

__all__ = ["from_barrel"]


@rule("3e.range.from-barrel")
def from_barrel(points: RangeFrom) -> float:
    """The agreement of many players: from the muzzle."""
    return points.muzzle if points.muzzle is not None else from_base(points)
