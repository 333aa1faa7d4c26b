"""Engagement (03.04): opposing models within 2" across and 5" up or down of each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import to_inches
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.editions.eleventh.remembering import board_of, place_of, remembered
from battlewright.editions.eleventh.scene import Scene, standing
from battlewright.editions.eleventh.state import EleventhState

__all__ = ["ENGAGEMENT_HEIGHT", "ENGAGEMENT_RANGE", "are_engaged", "engaged_units", "is_engaged"]

ENGAGEMENT_RANGE = 2.0
"""Inches across."""
ENGAGEMENT_HEIGHT = 5.0
"""Inches up or down."""


@rule("11e.core.03.04-engagement-range")
def engaged_units(scene: Scene, state: EleventhState, unit: int) -> frozenset[int]:
    """The enemy units that the unit is engaged with (03.04); empty when it is not on the battlefield."""
    known = remembered(scene, "engaged-units", board_of(state), dict[int, frozenset[int]])
    if unit not in known:
        mine = state.units[unit].side
        known[unit] = frozenset(
            foe.index for foe in scene.units if foe.side != mine and are_engaged(scene, state, unit, foe.index)
        )
    return known[unit]


@rule("11e.core.03.04-engagement-range")
def are_engaged(scene: Scene, state: EleventhState, unit: int, other: int) -> bool:
    """Whether some model of the one unit is within engagement range of some model of the other (03.04)."""
    if other < unit:
        unit, other = other, unit

    def look() -> bool:
        own, foes = standing(state, unit), standing(state, other)
        if not own or not foes or _are_far(scene, state, own, foes):
            return False
        return bool(engaged_matrix(scene, state, own, foes).any())

    return remembered(scene, "engaged", (place_of(scene, state, unit), place_of(scene, state, other)), look)


def _are_far(scene: Scene, state: EleventhState, own: list[int], foes: list[int]) -> bool:
    """Whether the boxes around the two units' models are too far apart for any of them to be engaged."""
    reach = 1000.0 * (ENGAGEMENT_RANGE + scene.reach[own].max() + scene.reach[foes].max()) + 2
    mine, theirs = state.position[own, :2], state.position[foes, :2]
    apart = np.maximum(mine.min(axis=0) - theirs.max(axis=0), theirs.min(axis=0) - mine.max(axis=0))
    return bool((apart > reach).any())


@rule("11e.core.03.04-engagement-range", "11e.core.17.02-frame")
def engaged_matrix(scene: Scene, state: EleventhState, own: list[int], foes: list[int]) -> NDArray[np.bool_]:
    """(n, m): which models are within engagement range of which."""
    mine, theirs = to_inches(state.position[own]), to_inches(state.position[foes])
    gaps = separation_matrix(scene.bases.some_at(own, mine), scene.bases.some_at(foes, theirs))
    heights = np.abs(mine[:, None, 2] - theirs[None, :, 2])
    return np.asarray(
        (gaps <= ENGAGEMENT_RANGE + TOLERANCE) & (heights <= ENGAGEMENT_HEIGHT + TOLERANCE), dtype=np.bool_
    )


@rule("11e.core.03.04-unengaged")
def is_engaged(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether some model of the unit is engaged."""
    return bool(engaged_units(scene, state, unit))
