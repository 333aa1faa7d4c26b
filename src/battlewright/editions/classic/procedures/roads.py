"""Roads: moves of vehicles that keep to one from end to end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from battlewright.core.decisions import ModelMove, Violation
from battlewright.core.footprints import Polygons
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, polygon_relations
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.placing.placed import Booleans
from battlewright.editions.placing.ways import Legs

__all__ = ["ROAD", "RoadSpace", "allowance", "may_keep_to_road"]

ROAD = "road"
"""The tag of an area that is a road."""


def _roads(scene: Scene) -> Polygons:
    found: Polygons = scene.cache.setdefault(
        "roads", Polygons.of([area.polygon for area in scene.battlefield.areas if ROAD in area.tags])
    )
    return found


def allowance(scene: Scene, row: int, inches: float) -> float:
    """How far a vehicle may move that keeps to a road."""
    found = scene.rules.vehicles.movement.road_allowance
    return inches if found is None else found(scene.models[row].profile.keywords, inches, whole_way=True)


@rule("4e.roads.bonus", "4e.roads.not-walkers-skimmers", "4e.roads.excluded-actions")
def may_keep_to_road(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit gains anything by keeping to a road: its vehicles stand on one, and have let nobody in or out."""
    rows, mine = standing(state, unit), state.units[unit]
    if not rows or not len(_roads(scene)) or mine.has(Deed.LOADED) or mine.has(Deed.UNLOADED):
        return False
    if not all(scene.models[row].profile.is_vehicle for row in rows):
        return False
    gains = all(allowance(scene, row, move := kind_rules(scene, row).move) > move for row in rows)
    placed = scene.bases.some_at(rows, state.position[rows] / 1000.0)
    return gains and bool(_on_road(scene, placed).all())


def _on_road(scene: Scene, placed: Any) -> Booleans:
    least, inside = polygon_relations(placed, _roads(scene))
    return np.asarray((inside & (least >= -TOLERANCE)).any(axis=1), dtype=np.bool_)


class RoadSpace(MoveSpace):
    """A move along a road."""

    def _quickly(self, moves: Sequence[ModelMove]) -> bool:
        return False

    @rule("4e.roads.whole-move", "4e.roads.bonus")
    def way_violations(self, legs: Legs) -> list[Violation]:
        """What is wrong on the way, among it leaving the road."""
        found = super().way_violations(legs)
        swept = self.bases.some_at(legs.owners, legs.starts).swept(legs.ends[:, :2] - legs.starts[:, :2])
        on = _on_road(self.scene, swept)
        ends = _on_road(self.scene, self.bases.some_at(legs.owners, legs.ends))
        off = sorted({int(self.rows[owner]) for owner in legs.owners[~(on & ends)]})
        return found + [Violation("4e.roads.whole-move", f"{self.name(row)} leaves the road on its way") for row in off]
