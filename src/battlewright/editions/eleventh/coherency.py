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

__all__ = ["NEAR", "SPREAD", "UPRIGHT", "is_coherent"]

NEAR = 2.0
"""Inches across to at least one other model of the unit."""
SPREAD = 9.0
"""Inches across to every other model of the unit."""
UPRIGHT = 5.0
"""Inches up or down, for both."""


@rule("11e.core.03.03-coherency", "11e.core.03.03-one-group")
def is_coherent(scene: Scene, state: EleventhState, rows: Sequence[int]) -> bool:
    """Whether the models form one group by steps of 2"/5" and no two are further apart than 9"/5" (03.03).

    One model, or none, is always coherent.
    """
    if len(rows) < 2:
        return True
    poses = to_inches(state.position[list(rows)])
    placed = scene.bases.take(list(rows)).at(poses)
    gaps = separation_matrix(placed, placed)
    heights = np.abs(poses[:, None, 2] - poses[None, :, 2])
    if (gaps > SPREAD + TOLERANCE).any() or (heights > UPRIGHT + TOLERANCE).any():
        return False
    near = (gaps <= NEAR + TOLERANCE) & (heights <= UPRIGHT + TOLERANCE)
    reached: NDArray[np.bool_] = np.zeros(len(rows), np.bool_)
    reached[0] = True
    for _ in rows:
        spread = np.asarray(near[reached].any(axis=0), dtype=np.bool_)
        if (spread == reached).all():
            break
        reached = spread
    return bool(reached.all())
