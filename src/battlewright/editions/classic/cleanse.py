"""Missions of the 3rd edition as judgements: zones and winner of Cleanse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from battlewright.core.bases import Point
from battlewright.core.decisions import SIDES, Side, Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE

__all__ = ["cleanse_faults", "cleanse_winner", "opposite_quarter", "quarter_of", "quarters_held"]

APART = 18.0
"""Inches between the armies when they are set up."""


def quarter_of(point: Point, width: float, height: float) -> int:
    """The quarter of the table that a point lies in: 0 south-west, 1 south-east, 2 north-west, 3 north-east."""
    return (point[0] >= width / 2) + 2 * (point[1] >= height / 2)


@rule("3e.core.missions.cleanse")
def opposite_quarter(quarter: int) -> int:
    """The quarter in which the other side is set up."""
    return 3 - quarter


@rule("3e.core.missions.cleanse")
def cleanse_faults(quarters: Sequence[int], own: int, gaps: Sequence[float]) -> list[Violation]:
    """Why models may not be set up so; nothing when they may.

    Args:
        quarters: the quarter that each model stands in; ``own`` the side's.
        gaps: inches from each model to the nearest enemy model.
    """
    found = []
    if out := sum(quarter != own for quarter in quarters):
        found.append(Violation("3e.core.missions.cleanse", f"{out} models stand outside their side's quarter"))
    if near := sum(gap < APART - TOLERANCE for gap in gaps):
        found.append(Violation("3e.core.missions.cleanse", f'{near} models stand less than {APART:g}" from the enemy'))
    return found


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


@rule("3e.core.missions.cleanse")
def cleanse_winner(quarters: tuple[int, int], points: tuple[int, int]) -> Side | None:
    """The winner: who holds most quarters; equal, who has more victory points; equal again, nobody."""
    for own, other in (quarters, points):
        if own != other:
            return SIDES[other > own]
    return None
