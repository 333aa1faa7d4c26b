"""Distances between models and units: closest points of bases, heights included (01)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import to_inches
from battlewright.core.rulebook import rule
from battlewright.core.shapes import separation_matrix
from battlewright.editions.eleventh.remembering import place_of, remembered
from battlewright.editions.eleventh.scene import Scene, standing
from battlewright.editions.eleventh.state import EleventhState

__all__ = ["distances", "unit_distance", "unit_distances"]


@rule("11e.core.01.04-measure-closest-points", "11e.core.01-unit-is-models")
def distances(scene: Scene, state: EleventhState, rows: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
    """(n, m): inches between the closest points of the bases of models, each lying flat at its height; 0 in contact."""
    mine, theirs = to_inches(state.position[list(rows)]), to_inches(state.position[list(others)])
    gaps = separation_matrix(scene.bases.some_at(rows, mine), scene.bases.some_at(others, theirs))
    return np.asarray(np.hypot(np.maximum(gaps, 0.0), mine[:, None, 2] - theirs[None, :, 2]), dtype=np.float64)


@rule("11e.core.01.04-measure-closest-points", "11e.core.01.04-within")
def unit_distance(scene: Scene, state: EleventhState, unit: int, other: int) -> float:
    """Inches between the closest standing models of two units; infinite when one of them has none (01)."""
    if other < unit:
        unit, other = other, unit

    def measure() -> float:
        mine, theirs = standing(state, unit), standing(state, other)
        return float(distances(scene, state, mine, theirs).min()) if mine and theirs else math.inf

    return remembered(scene, "unit-distance", (place_of(scene, state, unit), place_of(scene, state, other)), measure)


def unit_distances(scene: Scene, state: EleventhState, row: int) -> dict[int, float]:
    """Inches from a model to each unit of both sides that has another living model on the battlefield.

    The model itself need not be alive; its own unit is among them if it has other models.
    """
    found = {}
    for unit in scene.units:
        rows = [other for other in standing(state, unit.index) if other != row]
        if rows:
            found[int(unit.index)] = float(distances(scene, state, [row], rows).min())
    return found
