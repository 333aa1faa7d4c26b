"""The battlefield as it is now: the layout's terrain, and what destroyed vehicles have left on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import cos, pi, radians, sin
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, Point, Polygon, Pose
from battlewright.core.rulebook import rule
from battlewright.core.table import Battlefield, TerrainArea, TerrainFeature
from battlewright.editions.classic.scene import Scene
from battlewright.editions.classic.state import ClassicState, Wreck
from battlewright.editions.classic.wrecks import Leaves

__all__ = ["WRECK", "area_holds", "field_of", "hull_around", "outline_of", "wreck_id"]

WRECK: Final = "wreck"
"""The tag of what is left of a vehicle."""
_CORNERS = 24


def wreck_id(row: int) -> str:
    """The id of the terrain that the vehicle of that row has left."""
    return f"wreck of model {row}"


def outline_of(base: Base, pose: Pose) -> Polygon:
    """The outline of a base where it stands, inches; round and oval ones as polygons."""
    if base.outline:
        local = base.outline
    else:
        turns = [2 * pi * number / _CORNERS for number in range(_CORNERS)]
        local = tuple((base.length / 2 * cos(turn), base.width / 2 * sin(turn)) for turn in turns)
    turned, lean = cos(radians(pose.facing)), sin(radians(pose.facing))
    return tuple((pose.x + x * turned - y * lean, pose.y + x * lean + y * turned) for x, y in local)


def field_of(scene: Scene, state: ClassicState | None) -> Battlefield:
    """The battlefield with the wrecks and craters on it.

    Args:
        state: None for the layout as it was before the battle.
    """
    if state is None or not state.wrecks:
        return scene.battlefield
    key = ("field", state.wrecks)
    found = scene.cache.get(key)
    if found is None:
        left = tuple(_area(scene, state, wreck) for wreck in state.wrecks)
        found = scene.cache[key] = replace(scene.battlefield, areas=(*scene.battlefield.areas, *left))
    return cast(Battlefield, found)


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table")
@rule("4e.wrecks.marked-and-stays", "4e.wrecks.blocks-los", "4e.wrecks.difficult-infantry", "4e.wrecks.cover")
@rule("6e.outside.wreck-terrain")
def _area(scene: Scene, state: ClassicState, wreck: Wreck) -> TerrainArea:
    """What a vehicle has left as terrain: difficult, cover of its kind; a wreck blocks sight as the vehicle did.

    RULING: 3e.core.vehicles.penetrating-table wreck and crater are as large as the vehicle was.
    """
    model = scene.models[wreck.row]
    polygon = outline_of(model.base, Pose.from_row(state.position[wreck.row]))
    name = wreck_id(wreck.row)
    if wreck.kind == Leaves.CRATER:
        return TerrainArea(name, polygon, tags=frozenset({"difficult", "area", "crater"}))
    tags = scene.rules.vehicles.damage.wreck_is
    solid = frozenset({"obstacle"}) | (tags - {"area", "dangerous", "difficult"})
    body = TerrainFeature(f"{name}: hull", polygon, model.height, solid=True, tags=solid)
    return TerrainArea(name, polygon, features=(body,), tags=tags)


def area_holds(area: TerrainArea, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,): which points lie in an area."""
    corners = np.array(area.polygon, np.float64)
    ends = np.roll(corners, -1, axis=0)
    x, y = points[:, 0, None], points[:, 1, None]
    spans = (corners[None, :, 1] > y) != (ends[None, :, 1] > y)
    rise = np.where(ends[:, 1] == corners[:, 1], 1.0, ends[:, 1] - corners[:, 1])
    at = corners[:, 0] + (y - corners[:, 1]) * (ends[:, 0] - corners[:, 0]) / rise
    inside: NDArray[np.bool_] = ((spans & (x < at)).sum(axis=1) % 2).astype(np.bool_)
    return inside


def hull_around(points: Sequence[Point]) -> Polygon:
    """The smallest polygon without dents that holds all of these points, counter-clockwise; three points at least."""
    ordered = sorted(set(points))

    def chain(way: Sequence[Point]) -> list[Point]:
        found: list[Point] = []
        for x, y in way:
            while len(found) > 1 and _turn(found[-2], found[-1], (x, y)) <= 0.0:
                found.pop()
            found.append((x, y))
        return found[:-1]

    return tuple(chain(ordered) + chain(ordered[::-1]))


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
