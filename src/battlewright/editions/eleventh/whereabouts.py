"""Where units are: in terrain areas, zones, territories, table quarters, near the centre and the edges.

*Within* is met by one model, *wholly within* needs every part of every model's base (01.04). Units off the
battlefield are nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np

from battlewright.core.bases import Point, Polygon, Pose, to_inches
from battlewright.core.decisions import SIDES, Side
from battlewright.core.footprints import Footprints, Polygons
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, distance_edge_to_point, touch_matrix, wholly_within_matrix
from battlewright.core.table import Edge, quarters
from battlewright.editions.eleventh.remembering import place_of, remembered
from battlewright.editions.eleventh.scene import Scene, standing
from battlewright.editions.eleventh.state import EleventhState

__all__ = [
    "CENTRE_GAP",
    "areas_of",
    "distance_to_centre",
    "edges_near",
    "is_wholly_in_no_mans_land",
    "is_wholly_within",
    "is_within",
    "quarter_of",
    "territory_of",
    "units_within_area",
    "zone_name",
    "zone_of",
]

CENTRE_GAP = 6.0
"""A unit this near the centre, in inches, is present in no table quarter."""
EDGE = 6.0
"""How near an edge a unit has to be for Outflank, in inches."""


def zone_name(state: EleventhState, side: Side) -> str:
    """Which end of the table is the side's: ``"attacker"`` or ``"defender"``."""
    return "attacker" if side == state.attacker else "defender"


def zone_of(scene: Scene, state: EleventhState, side: Side) -> Polygon:
    """A side's deployment zone."""
    return scene.battlefield.zone(zone_name(state, side)).polygon


@rule("11e.core.mission.territory")
def territory_of(scene: Scene, state: EleventhState, side: Side) -> Polygon:
    """A side's territory, the half of the table with its zone; empty where the layout draws no line."""
    return scene.battlefield.zone(zone_name(state, side)).territory


def _placed(scene: Scene, state: EleventhState, unit: int) -> Footprints | None:
    rows = standing(state, unit)
    return scene.bases.some_at(rows, to_inches(state.position[rows])) if rows else None


def _key(scene: Scene, state: EleventhState, unit: int, *more: Hashable) -> Hashable:
    return (place_of(scene, state, unit), *more)


def is_within(scene: Scene, state: EleventhState, unit: int, polygon: Polygon) -> bool:
    """Whether some part of a standing model's base is within the polygon."""

    def look() -> bool:
        placed = _placed(scene, state, unit)
        return placed is not None and bool(polygon) and bool(touch_matrix(placed, Polygons.of((polygon,))).any())

    return remembered(scene, "unit-within", _key(scene, state, unit, polygon), look)


def is_wholly_within(scene: Scene, state: EleventhState, unit: int, polygon: Polygon) -> bool:
    """Whether every part of every standing model's base is within the polygon."""

    def look() -> bool:
        placed = _placed(scene, state, unit)
        return (
            placed is not None and bool(polygon) and bool(wholly_within_matrix(placed, Polygons.of((polygon,))).all())
        )

    return remembered(scene, "unit-wholly-within", _key(scene, state, unit, polygon), look)


@rule("11e.core.mission.territory")
def is_wholly_in_no_mans_land(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit is on the battlefield and no part of it in a deployment zone."""
    return bool(standing(state, unit)) and not any(
        is_within(scene, state, unit, zone_of(scene, state, side)) for side in SIDES
    )


def areas_of(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    """The terrain areas that the unit is within."""

    def look() -> list[int]:
        placed = _placed(scene, state, unit)
        if placed is None or not scene.battlefield.areas:
            return []
        return [int(area) for area in np.flatnonzero(scene.battlefield.touch_areas(placed).any(axis=0))]

    return remembered(scene, "unit-areas", _key(scene, state, unit), look)


def units_within_area(scene: Scene, state: EleventhState, side: Side, area: int) -> list[int]:
    """The side's units within a terrain area."""
    return [int(unit.index) for unit in scene.units_of(side) if area in areas_of(scene, state, unit.index)]


def centre(scene: Scene) -> Point:
    """The middle of the battlefield."""
    return scene.battlefield.width / 2, scene.battlefield.height / 2


def distance_to_centre(scene: Scene, state: EleventhState, unit: int) -> float:
    """Inches from the closest model to the middle of the battlefield; infinite off the battlefield."""

    def look() -> float:
        return min(
            (
                distance_edge_to_point(scene.models[row].base, Pose.from_row(state.position[row]), centre(scene))
                for row in standing(state, unit)
            ),
            default=math.inf,
        )

    return remembered(scene, "unit-to-centre", _key(scene, state, unit), look)


@rule("11e.core.01.04-table-quarters")
def quarter_of(scene: Scene, state: EleventhState, unit: int) -> int | None:
    """The table quarter that the unit is wholly within, 0 to 3; None across the lines or within 6" of the centre."""
    if distance_to_centre(scene, state, unit) <= CENTRE_GAP + TOLERANCE:
        return None
    for number, polygon in enumerate(quarters(scene.battlefield.width, scene.battlefield.height)):
        if is_wholly_within(scene, state, unit, polygon):
            return number
    return None


def edges_near(scene: Scene, state: EleventhState, unit: int) -> frozenset[Edge]:
    """The table edges that a model of the unit is within 6" of."""
    return frozenset(edge for edge in Edge if is_within(scene, state, unit, scene.battlefield.strip(edge, EDGE)))
