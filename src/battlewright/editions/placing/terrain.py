"""The terrain of a battlefield as moves need it: what stops them, what they may not end on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from battlewright.core.footprints import Footprints, Polygons
from battlewright.core.shapes import TOLERANCE
from battlewright.core.sweeps import Sweeps
from battlewright.core.table import Battlefield, TerrainFeature

__all__ = ["TerrainFacts", "stands_in_solid"]


@dataclass(frozen=True, slots=True, eq=False)
class TerrainFacts:
    """The parts of a battlefield that stop moves or on which they may not end.

    Attributes:
        walls: what stops some models on the ground.
        solids: through whose sections up to ``solid_height``, inches, no model may end.
        wall_features: the features of ``walls``.
        wall_boxes: (p, 4) rectangles x0, y0, x1, y1 around the walls; ``solid_boxes`` around the solids.
    """

    battlefield: Battlefield
    walls: Polygons
    solids: Polygons
    wall_features: tuple[TerrainFeature, ...]
    wall_boxes: NDArray[np.float64]
    solid_boxes: NDArray[np.float64]
    solid_height: float

    @classmethod
    def made(
        cls,
        battlefield: Battlefield,
        walls: Sequence[TerrainFeature],
        solids: Sequence[TerrainFeature],
        solid_height: float,
    ) -> TerrainFacts:
        """The facts of a battlefield, given which of its features stop moves and which may not be ended on."""
        return cls(
            battlefield, _polygons(walls), _polygons(solids), tuple(walls), _boxes(walls), _boxes(solids), solid_height
        )

    def without(self, is_passed: Callable[[TerrainFeature], bool]) -> TerrainFacts:
        """The same without the walls that a move passes."""
        walls = tuple(wall for wall in self.wall_features if not is_passed(wall))
        return replace(self, walls=_polygons(walls), wall_features=walls, wall_boxes=_boxes(walls))

    def with_walls(self, more: Sequence[TerrainFeature]) -> TerrainFacts:
        """The same with walls besides, on which no move ends either since none enters them."""
        if not more:
            return self
        walls = (*self.wall_features, *more)
        return replace(self, walls=_polygons(walls), wall_features=walls, wall_boxes=_boxes(walls))


def _polygons(features: Sequence[TerrainFeature]) -> Polygons:
    return Polygons.of([feature.polygon for feature in features])


def _boxes(features: Sequence[TerrainFeature]) -> NDArray[np.float64]:
    corners = [np.array(feature.polygon) for feature in features]
    return np.array([(*each.min(axis=0), *each.max(axis=0)) for each in corners], np.float64).reshape(-1, 4)


def stands_in_solid(facts: TerrainFacts, placed: Footprints, z: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,): which bases at heights z, inches, lie through a solid section."""
    if not len(facts.solids):
        return np.zeros(len(placed), np.bool_)
    touched = Sweeps(placed, np.arange(len(placed)), len(placed)).cross(facts.solids).any(axis=1)
    return np.asarray(touched & (z < facts.solid_height - TOLERANCE), dtype=np.bool_)
