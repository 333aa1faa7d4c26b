"""Models at poses and the models around them, measured once and asked often: what moves and set-ups are judged by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import to_inches
from battlewright.core.footprints import Footprints
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.editions.eleventh.engagement import ENGAGEMENT_HEIGHT, ENGAGEMENT_RANGE
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.terrain import TerrainFacts, passes_through_dense

__all__ = ["Booleans", "Box", "Floats", "Indices", "ModelFacts", "Placed", "Surroundings", "model_facts", "terrain_of"]

Floats: TypeAlias = NDArray[np.float64]
Booleans: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.intp]
Box: TypeAlias = tuple[float, float, float, float]
"""x0, y0, x1, y1 in inches."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelFacts:
    """What moves need to know of every model, by row; never changes during a battle.

    Attributes:
        unit: index of its unit; ``side`` its side.
        height: inches.
        large: MONSTER or VEHICLE (17.01).
        aircraft: AIRCRAFT (23.02).
        dense: whether it moves horizontally through dense features (13.06).
    """

    unit: Indices
    side: Indices
    height: Floats
    large: Booleans
    aircraft: Booleans
    dense: Booleans


def model_facts(scene: Scene) -> ModelFacts:
    """The facts of a scene; made once."""
    found = scene.cache.get("model-facts")
    if found is None:
        models = scene.models
        found = ModelFacts(
            unit=np.array([model.unit for model in models], np.intp),
            side=np.array([model.side for model in models], np.intp),
            height=np.array([model.height for model in models], np.float64),
            large=np.array([model.has("MONSTER") or model.has("VEHICLE") for model in models], np.bool_),
            aircraft=np.array([model.has("AIRCRAFT") for model in models], np.bool_),
            dense=np.array([passes_through_dense(model.profile.keywords) for model in models], np.bool_),
        )
        scene.cache["model-facts"] = found
    return cast(ModelFacts, found)


def terrain_of(scene: Scene) -> TerrainFacts:
    """The terrain of a scene as moves need it; made once."""
    found = scene.cache.get("terrain-facts")
    if found is None:
        found = scene.cache["terrain-facts"] = TerrainFacts.of(scene.battlefield)
    return cast(TerrainFacts, found)


class Surroundings:
    """The standing models that are not of the unit, within reach of a move or set-up, and the terrain.

    Attributes:
        rows: (m,) their rows; ``foe`` (m,) which are enemies; ``unit`` (m,) their units.
        placed: their footprints; ``z`` (m,) the heights they stand at; ``top`` (m,) of their heads.
        terrain: the terrain of the whole table.
    """

    __slots__ = ("facts", "foe", "placed", "rows", "scene", "state", "terrain", "top", "unit", "z")

    def __init__(self, scene: Scene, state: EleventhState, unit: int, box: Box | None = None) -> None:
        self.scene, self.state = scene, state
        self.facts = facts = model_facts(scene)
        there = state.on_table & (state.wounds > 0) & (facts.unit != unit)
        if box is not None:
            x, y = state.position[:, 0] / 1000.0, state.position[:, 1] / 1000.0
            reach = scene.reach
            there &= (x + reach >= box[0]) & (x - reach <= box[2]) & (y + reach >= box[1]) & (y - reach <= box[3])
        self.rows = np.flatnonzero(there)
        poses = to_inches(state.position[self.rows])
        self.placed = scene.bases.some_at(self.rows, poses)
        self.z = poses[:, 2]
        self.top = self.z + facts.height[self.rows]
        self.unit = facts.unit[self.rows]
        self.foe = facts.side[self.rows] != state.units[unit].side
        self.terrain = terrain_of(scene)


class Placed:
    """Some models at poses, measured lazily against what is around them.

    The models may be a whole unit where it would stand, or one model at many poses that are tried.

    Attributes:
        rows: (n,) which model each pose is of.
        poses: (n, 4) inches and degrees.
    """

    def __init__(self, around: Surroundings, rows: Indices, poses: Floats) -> None:
        self.around, self.rows, self.poses = around, rows, poses

    @cached_property
    def footprints(self) -> Footprints:
        """The bases at the poses."""
        return self.around.scene.bases.some_at(self.rows, self.poses)

    @cached_property
    def gaps(self) -> Floats:
        """(n, m): signed horizontal distances to the models around, inches."""
        return separation_matrix(self.footprints, self.around.placed)

    @cached_property
    def rises(self) -> Floats:
        """(n, m): differences of height to them, inches."""
        return np.abs(self.poses[:, 2][:, None] - self.around.z[None, :])

    @cached_property
    def engaged(self) -> Booleans:
        """(n, m): which of them are enemies within engagement range (03.04)."""
        near = (self.gaps <= ENGAGEMENT_RANGE + TOLERANCE) & (self.rises <= ENGAGEMENT_HEIGHT + TOLERANCE)
        return np.asarray(near & self.around.foe[None, :], dtype=np.bool_)

    @cached_property
    def overlapped(self) -> Booleans:
        """(n, m): which of them each model would stand on or in."""
        z, top = self.poses[:, 2], self.poses[:, 2] + self.around.facts.height[self.rows]
        level = (z[:, None] < self.around.top[None, :]) & (self.around.z[None, :] < top[:, None])
        return np.asarray((self.gaps < -TOLERANCE) & level, dtype=np.bool_)

    @cached_property
    def own_gaps(self) -> Floats:
        """(n, n): signed distances between the models themselves, inches; infinite on the diagonal."""
        gaps = separation_matrix(self.footprints, self.footprints)
        np.fill_diagonal(gaps, np.inf)
        return gaps

    @cached_property
    def own_rises(self) -> Floats:
        """(n, n): differences of height between them, inches."""
        z = self.poses[:, 2]
        return np.abs(z[:, None] - z[None, :])

    def take(self, which: Booleans | Indices | Sequence[int]) -> Placed:
        """Some of the models, measured anew."""
        return Placed(self.around, self.rows[which], self.poses[which])
