"""Coherency (03.03): the models of a unit stay near one another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import to_inches
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.state import EleventhState

__all__ = ["NEAR", "SPREAD", "UPRIGHT", "are_coherent", "coherency_fault", "is_coherent", "one_group"]

NEAR = 2.0
"""Inches across to at least one other model of the unit."""
SPREAD = 9.0
"""Inches across to every other model of the unit."""
UPRIGHT = 5.0
"""Inches up or down, for both."""

Floats = NDArray[np.float64]


@rule("11e.core.03.03-coherency")
def is_coherent(scene: Scene, state: EleventhState, rows: Sequence[int]) -> bool:
    """Whether the models stand in coherency (03.03). One model, or none, always does."""
    if len(rows) < 2:
        return True
    poses = to_inches(state.position[list(rows)])
    placed = scene.bases.some_at(list(rows), poses)
    gaps = separation_matrix(placed, placed)
    np.fill_diagonal(gaps, np.inf)
    return are_coherent(gaps, np.abs(poses[:, None, 2] - poses[None, :, 2]))


@rule("11e.core.03.03-coherency", "11e.core.03.03-one-group")
def are_coherent(gaps: Floats, rises: Floats) -> bool:
    """Whether models form one group by steps of 2"/5" and no two are further apart than 9"/5" (03.03).

    Args:
        gaps: (n, n) horizontal distances from edge to edge, inches, infinite on the diagonal.
        rises: (n, n) differences of height, inches.
    """
    if len(gaps) < 2:
        return True
    if rises.any() and rises.max() > UPRIGHT + TOLERANCE:
        return False
    apart = np.where(gaps == np.inf, 0.0, gaps)
    if apart.max() > SPREAD + TOLERANCE:
        return False
    return bool(one_group(gaps <= NEAR + TOLERANCE).all())


@rule("11e.core.03.03-one-group")
def one_group(near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n,): which models the first one is joined to by steps from model to model, itself included."""
    reached = np.zeros(len(near), np.bool_)
    reached[0] = True
    front = near[0] | reached
    while True:
        if (front == reached).all():
            return reached
        reached = front
        front = near[reached].any(axis=0) | reached


@rule("11e.core.03.03-coherency", "11e.core.03.03-one-group")
def coherency_fault(gaps: Floats, rises: Floats) -> tuple[int, str] | None:
    """The first model out of coherency and why, as a clause with numbers; None when all are in it.

    Args and frame as in :func:`are_coherent`; the index is into them.
    """
    if are_coherent(gaps, rises):
        return None
    apart = np.where(gaps == np.inf, 0.0, gaps)
    for index in range(len(gaps)):
        nearest = float(gaps[index].min())
        if nearest > NEAR + TOLERANCE:
            return index, f'ends {nearest:.2f}" from the nearest model of its unit; coherency is {NEAR:g}"'
        furthest = float(apart[index].max())
        if furthest > SPREAD + TOLERANCE:
            return index, f'ends {furthest:.2f}" from a model of its unit; all must be within {SPREAD:g}"'
        climb = float(rises[index].max())
        if climb > UPRIGHT + TOLERANCE:
            return index, f'ends {climb:.2f}" above or below a model of its unit; the limit is {UPRIGHT:g}"'
    alone = int(np.flatnonzero(~one_group(gaps <= NEAR + TOLERANCE))[0])
    return alone, "stands in another group of models than the rest of its unit"
