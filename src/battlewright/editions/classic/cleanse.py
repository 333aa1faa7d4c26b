"""Cleanse: the quarters of the table, and who holds them."""

from __future__ import annotations

from collections.abc import Iterable

from battlewright.core.bases import Point
from battlewright.core.decisions import Side
from battlewright.core.rulebook import rule

__all__ = ["APART", "quarter_of", "quarters_held"]

APART = 18.0
"""Inches between the armies when they are set up."""


def quarter_of(point: Point, width: float, height: float) -> int:
    """The quarter of the table that a point lies in: 0 south-west, 1 south-east, 2 north-west, 3 north-east."""
    return (point[0] >= width / 2) + 2 * (point[1] >= height / 2)


@rule("3e.core.missions.cleanse")
def quarters_held(scoring: Iterable[tuple[Side, int]]) -> tuple[int, int]:
    """How many quarters each side holds: those where it has a unit that scores and its enemy has none.

    Args:
        scoring: side and quarter of every unit that scores.
    """
    found = list(scoring)
    held = [0, 0]
    for quarter in range(4):
        present = {side for side, where in found if where == quarter}
        if len(present) == 1:
            held[present.pop()] += 1
    return held[0], held[1]
