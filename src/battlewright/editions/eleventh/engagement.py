"""Engagement (03.04): opposing models within 2" across and 5" up or down of each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import to_inches
from battlewright.core.decisions import SIDES
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.state import EleventhState

__all__ = ["ENGAGEMENT_HEIGHT", "ENGAGEMENT_RANGE", "engaged_units", "is_engaged"]

ENGAGEMENT_RANGE = 2.0
"""Inches across."""
ENGAGEMENT_HEIGHT = 5.0
"""Inches up or down."""


@rule("11e.core.03.04-engagement-range")
def engaged_units(scene: Scene, state: EleventhState, unit: int) -> frozenset[int]:
    """The enemy units that the unit is engaged with (03.04); empty when it is not on the battlefield."""
    there = state.on_table & (state.wounds > 0)
    key = (state.position.tobytes(), there.tobytes())
    cached = scene.cache.get("engaged")
    if cached is None or cached[0] != key:
        cached = scene.cache["engaged"] = (key, _all_engaged(scene, state, there))
    found: frozenset[int] = cached[1].get(unit, frozenset())
    return found


def _all_engaged(scene: Scene, state: EleventhState, there: NDArray[np.bool_]) -> dict[int, frozenset[int]]:
    """Who is engaged with whom, for all units at once: asked often while nothing moves."""
    sides = [[int(row) for row in np.flatnonzero(there) if scene.models[row].side == side] for side in SIDES]
    found: dict[int, set[int]] = {}
    if all(sides):
        for i, j in np.argwhere(engaged_matrix(scene, state, sides[0], sides[1])):
            a, b = int(scene.models[sides[0][i]].unit), int(scene.models[sides[1][j]].unit)
            found.setdefault(a, set()).add(b)
            found.setdefault(b, set()).add(a)
    return {unit: frozenset(foes) for unit, foes in found.items()}


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
