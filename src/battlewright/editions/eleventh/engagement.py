"""Engagement (03.04): opposing models within 2" across and 5" up or down of each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import to_inches
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.editions.eleventh.scene import Scene, standing
from battlewright.editions.eleventh.state import EleventhState

__all__ = ["ENGAGEMENT_HEIGHT", "ENGAGEMENT_RANGE", "engaged_units", "is_engaged"]

ENGAGEMENT_RANGE = 2.0
"""Inches across."""
ENGAGEMENT_HEIGHT = 5.0
"""Inches up or down."""


@rule("11e.core.03.04-engagement-range")
def engaged_units(scene: Scene, state: EleventhState, unit: int) -> frozenset[int]:
    """The enemy units that the unit is engaged with (03.04); empty when it is not on the battlefield."""
    own = standing(state, unit)
    if not own:
        return frozenset()
    foes = [row for foe in scene.units if foe.side != state.units[unit].side for row in standing(state, foe.index)]
    if not foes:
        return frozenset()
    near = np.flatnonzero(engaged_matrix(scene, state, own, foes).any(axis=0))
    return frozenset(int(scene.models[foes[column]].unit) for column in near)


def engaged_matrix(scene: Scene, state: EleventhState, own: list[int], foes: list[int]) -> NDArray[np.bool_]:
    """(n, m): which models are within engagement range of which."""
    mine, theirs = to_inches(state.position[own]), to_inches(state.position[foes])
    gaps = separation_matrix(scene.bases.take(own).at(mine), scene.bases.take(foes).at(theirs))
    heights = np.abs(mine[:, None, 2] - theirs[None, :, 2])
    return np.asarray(
        (gaps <= ENGAGEMENT_RANGE + TOLERANCE) & (heights <= ENGAGEMENT_HEIGHT + TOLERANCE), dtype=np.bool_
    )


@rule("11e.core.03.04-unengaged")
def is_engaged(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether some model of the unit is engaged."""
    return bool(engaged_units(scene, state, unit))
