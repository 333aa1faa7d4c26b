"""Formation: when a unit is in it, when it must be, how gaps are closed; and march moves, where they are agreed on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.state import ClassicUnit

__all__ = [
    "COHERENCY",
    "closes_gaps_better",
    "in_formation",
    "march_allowance",
    "march_ends_legally",
    "must_be_in_formation",
    "why_no_march",
]

COHERENCY = 2.0
"""Inches from model to model."""
MARCH_FROM, MARCH_TO = 48.0, 24.0
"""Inches: no enemy may be within the first when a unit marches, and it may not come nearer than the second."""


@rule("3e.formation.two-inch", "3e.core.fundamentals.coherency", "3e.char-units.joined-formation")
@rule("3e.char-units.upgrade-formation", "3e.movement.free-direction")
@rule("4e.core.fundamentals.coherency", "6e.core.fundamentals.coherency", "6e.outside.coherency")
def in_formation(gaps: NDArray[np.float64]) -> bool:
    """Whether a unit is in formation: its models form one chain by steps of 2". One model, or none, always is.

    Args:
        gaps: (n, n) inches from base edge to base edge.

    RULING: 3e.formation.two-inch read literally two separate pairs would pass; we read it as one connected chain.
    """
    if len(gaps) < 2:
        return True
    near = gaps <= COHERENCY + TOLERANCE
    reached = np.zeros(len(gaps), np.bool_)
    reached[0] = True
    for _ in range(len(gaps)):
        wider = reached | near[reached].any(axis=0)
        if (wider == reached).all():
            break
        reached = wider
    return bool(reached.all())


@rule("3e.formation.checked-end-of-movement", "3e.formation.not-in-other-phases", "3e.formation.regain")
@rule("3e.formation.exempt-combat", "3e.formation.exempt-falling-back", "3e.core.fundamentals.restoring-coherency")
def must_be_in_formation(unit: ClassicUnit, *, end_of_own_movement: bool, in_combat: bool) -> bool:
    """Whether a unit has to be in formation now: at the end of its owner's movement phase, and at no other time.

    Units in close combat and units falling back are free of the duty until their owner's next turn.
    """
    return end_of_own_movement and not in_combat and not unit.falling_back


@rule("3e.formation.only-if-possible", "3e.formation.repair-while-falling-back", "3e.fall-back.into-formation")
def closes_gaps_better(widest: float, best: float) -> bool:
    """Whether a move leaves a wider gap than need be: the duty goes as far as the unit's moves allow.

    Args:
        widest: inches of the widest gap that the move leaves; ``best`` the least that its moves could leave.
    """
    return widest > COHERENCY + TOLERANCE and best < widest - TOLERANCE


# -- march moves ------------------------------------------------------------------------------------------------


@rule("3e.march.enabled")
def no_marches(unit: ClassicUnit, nearest: float | None) -> list[tuple[str, str]]:
    """Why a unit may not march: the optional rule has not been agreed on."""
    return [("3e.march.enabled", "may not march: march moves were not agreed on")]


@rule("3e.march.eligible", "3e.march.enabled")
def why_no_march(unit: ClassicUnit, nearest: float | None) -> list[tuple[str, str]]:
    """Why a unit may not march: rule and clause for each reason; none when it may.

    Args:
        nearest: inches to the nearest enemy unit, None where there is none.
    """
    found = []
    if unit.falling_back:
        found.append(("3e.march.eligible", "is falling back"))
    if unit.pinned:
        found.append(("3e.march.eligible", "is pinned"))
    if nearest is not None and within(nearest, MARCH_FROM):
        found.append(("3e.march.eligible", f'has an enemy {nearest:.1f}" away; {MARCH_FROM:g}" or less'))
    return found


@rule("3e.march.double")
def march_allowance(normal: float) -> float:
    """How far a marching unit moves, in inches: up to twice its normal distance."""
    return 2 * normal


@rule("3e.march.no-closer-24", "3e.march.no-terrain")
def march_ends_legally(gaps: Sequence[float], *, crosses_difficult: bool) -> bool:
    """Whether a march may be made so: no nearer than 24" to any enemy unit, neither into nor through difficult terrain.

    Args:
        gaps: inches to each enemy unit at its end.
    """
    return not crosses_difficult and all(gap >= MARCH_TO - TOLERANCE for gap in gaps)
