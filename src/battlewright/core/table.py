"""The battlefield: terrain, deployment zones and objectives. It never changes during a battle.

Inches, the origin in the table's south-west corner, x to the east along ``width``, y to the north along ``height``. A
*terrain area* is a boundary on the table; *features* (walls, woods, crates) stand in areas. Areas that a layout marks
as one single area have been made one when the battlefield was read: nothing else needs to know that they were two.

Categories are the eleventh edition's; an edition with other kinds of terrain reads :attr:`TerrainArea.tags`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, Final, assert_never

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import MM_PER_INCH, Base, Point, Polygon, Pose, holds_point
from battlewright.core.errors import BadInput
from battlewright.core.footprints import Footprints, Polygons
from battlewright.core.shapes import (
    TOLERANCE,
    touch_matrix,
    touches_polygon,
    wholly_within_matrix,
    wholly_within_polygon,
)

__all__ = [
    "Battlefield",
    "Category",
    "Edge",
    "Floor",
    "Objective",
    "ObjectiveRole",
    "TableArrays",
    "TerrainArea",
    "TerrainFeature",
    "Zone",
    "load_battlefield",
    "quarters",
]

LARGEST: Final = 240.0
"""The longest side of a table, and the greatest height of anything on it, in inches."""


class Category(StrEnum):
    """How terrain is classed: craters and wire, barricades and low walls, buildings and woods."""

    EXPOSED = "exposed"
    LIGHT = "light"
    DENSE = "dense"


class Edge(StrEnum):
    """An edge of the table."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


class ObjectiveRole(StrEnum):
    """Where an objective lies in its layout."""

    HOME = "home"
    CENTRAL = "central"
    EXPANSION = "expansion"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Floor:
    """A level surface that models can stand on.

    Attributes:
        polygon: its outline.
        elevation: its height above the table, in inches.
    """

    polygon: Polygon
    elevation: float


@dataclass(frozen=True, slots=True)
class TerrainFeature:
    """One thing that stands on the table.

    Attributes:
        id: unique on the battlefield.
        polygon: its footprint, of any convexity.
        height: from its foot to its top, in inches.
        elevation: the height of its foot above the table.
        category: how it is classed.
        floors: the surfaces above the ground that models can stand on; its top counts only when listed.
        solid: whether its openings near the ground are closed to sight and to models.
        tags: whatever else an edition needs to know of it.
    """

    id: str
    polygon: Polygon
    height: float
    elevation: float = 0.0
    category: Category = Category.DENSE
    floors: tuple[Floor, ...] = ()
    solid: bool = False
    tags: frozenset[str] = frozenset()

    @property
    def top(self) -> float:
        """The height of its top above the table, in inches."""
        return self.elevation + self.height


@dataclass(frozen=True, slots=True)
class TerrainArea:
    """A boundary on the table with the features that stand in it.

    Attributes:
        id: unique on the battlefield; of areas made one, their ids joined by ``+``.
        polygon: its outline.
        category: the densest of its features' categories, or its own when it has none.
        features: what stands in it.
        height: the height of area terrain as a whole, in inches; 0 where only its features have height.
        tags: whatever else an edition needs to know of it.
        parts: the ids that it answers to: its own, and those of the areas it was made of.
    """

    id: str
    polygon: Polygon
    category: Category = Category.EXPOSED
    features: tuple[TerrainFeature, ...] = ()
    height: float = 0.0
    tags: frozenset[str] = frozenset()
    parts: tuple[str, ...] = ()

    @property
    def categories(self) -> frozenset[Category]:
        """The categories found in it: those of its features, or its own when it has none."""
        return frozenset(feature.category for feature in self.features) or frozenset({self.category})


@dataclass(frozen=True, slots=True)
class Zone:
    """One player's side of the table.

    Attributes:
        name: ``"attacker"`` or ``"defender"``, or what the mission calls it.
        polygon: the deployment zone.
        territory: the part of the table that is this player's; empty where the layout draws no line.
        edge: this player's table edge, where the layout names one.
    """

    name: str
    polygon: Polygon
    territory: Polygon = ()
    edge: Edge | None = None


@dataclass(frozen=True, slots=True)
class Objective:
    """A point worth holding.

    Attributes:
        id: unique on the battlefield.
        point: where it is, the centre of its marker.
        area: the terrain area that is the objective, or None for a flat marker.
        role: home, central, expansion or other.
        owner: the zone whose home it is, or None.
        marker_mm: the diameter of the marker.
    """

    id: str
    point: Point
    area: str | None = None
    role: ObjectiveRole = ObjectiveRole.OTHER
    owner: str | None = None
    marker_mm: float = 40.0

    @property
    def radius(self) -> float:
        """The radius of the marker, in inches."""
        return self.marker_mm / 2 / MM_PER_INCH


@dataclass(frozen=True, slots=True, eq=False)
class TableArrays:
    """A battlefield's terrain as arrays, in the order of its areas and of the features in them.

    Attributes:
        areas: the outlines of the areas.
        features: the footprints of all features.
        feature_area: ``(f,)``, the area each feature stands in.
        feature_bottom: ``(f,)``, the heights of their feet above the table, in inches.
        feature_top: ``(f,)``, the heights of their tops.
        feature_category: ``(f,)``, 0 exposed, 1 light, 2 dense.
        floors: the outlines of all floors.
        floor_feature: ``(l,)``, the feature each floor belongs to.
        floor_elevation: ``(l,)``, inches.
    """

    areas: Polygons
    features: Polygons
    feature_area: NDArray[np.int64]
    feature_bottom: NDArray[np.float64]
    feature_top: NDArray[np.float64]
    feature_category: NDArray[np.int64]
    floors: Polygons
    floor_feature: NDArray[np.int64]
    floor_elevation: NDArray[np.float64]


@dataclass(frozen=True)
class Battlefield:
    """A table with all that stands on it before the armies come.

    Attributes:
        name: what the layout is called.
        width: extent along x, in inches.
        height: extent along y, in inches.
        areas: the terrain areas, with their features.
        zones: the deployment zones.
        objectives: the objectives.
    """

    name: str
    width: float
    height: float
    areas: tuple[TerrainArea, ...] = ()
    zones: tuple[Zone, ...] = ()
    objectives: tuple[Objective, ...] = ()

    def area(self, area_id: str) -> TerrainArea:
        """The area of this id, or the one made of several that holds it. Raises KeyError for an unknown id."""
        for area in self.areas:
            if area.id == area_id or area_id in area.parts:
                return area
        raise KeyError(area_id)

    def zone(self, name: str) -> Zone:
        """The zone of this name. Raises KeyError for an unknown one."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(name)

    def objective(self, objective_id: str) -> Objective:
        """The objective of this id. Raises KeyError for an unknown one."""
        for objective in self.objectives:
            if objective.id == objective_id:
                return objective
        raise KeyError(objective_id)

    def features(self) -> Iterator[tuple[TerrainArea, TerrainFeature]]:
        """Every feature with its area, in order."""
        for area in self.areas:
            for feature in area.features:
                yield area, feature

    def areas_touched(self, base: Base, pose: Pose) -> tuple[TerrainArea, ...]:
        """The areas that any part of a base lies on or touches, at any height."""
        return tuple(area for area in self.areas if touches_polygon(base, pose, area.polygon))

    def areas_at(self, point: Point) -> tuple[TerrainArea, ...]:
        """The areas that a point lies in; on a boundary either answer may come."""
        return tuple(area for area in self.areas if holds_point(area.polygon, point))

    def touch_areas(self, placed: Footprints) -> NDArray[np.bool_]:
        """Which of n bases lie on or touch which areas, ``(n, areas)``."""
        return touch_matrix(placed, self.arrays.areas)

    def wholly_in_areas(self, placed: Footprints) -> NDArray[np.bool_]:
        """Which of n bases lie wholly within which areas, ``(n, areas)``."""
        return wholly_within_matrix(placed, self.arrays.areas)

    def surfaces(self, base: Base, pose: Pose) -> tuple[float, ...]:
        """The heights, in inches, at which a base can stand here without overhang: the ground, then floors."""
        elevations = {
            floor.elevation
            for _, feature in self.features()
            for floor in feature.floors
            if wholly_within_polygon(base, pose, floor.polygon)
        }
        return tuple(sorted({0.0} | elevations))

    def strip(self, edge: Edge, depth: float) -> Polygon:
        """The part of the table within a depth, in inches, of one of its edges."""
        x0, y0, x1, y1 = 0.0, 0.0, self.width, self.height
        match edge:
            case Edge.NORTH:
                y0 = self.height - depth
            case Edge.SOUTH:
                y1 = depth
            case Edge.EAST:
                x0 = self.width - depth
            case Edge.WEST:
                x1 = depth
            case _:
                assert_never(edge)
        return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))

    @cached_property
    def arrays(self) -> TableArrays:
        """The terrain as arrays; made once."""
        pairs = list(self.features())
        index = {area.id: number for number, area in enumerate(self.areas)}
        order = list(Category)
        floors = [(number, floor) for number, (_, feature) in enumerate(pairs) for floor in feature.floors]
        return TableArrays(
            areas=Polygons.of([area.polygon for area in self.areas]),
            features=Polygons.of([feature.polygon for _, feature in pairs]),
            feature_area=np.array([index[area.id] for area, _ in pairs], dtype=np.int64),
            feature_bottom=np.array([feature.elevation for _, feature in pairs], dtype=np.float64),
            feature_top=np.array([feature.top for _, feature in pairs], dtype=np.float64),
            feature_category=np.array([order.index(feature.category) for _, feature in pairs], dtype=np.int64),
            floors=Polygons.of([floor.polygon for _, floor in floors]),
            floor_feature=np.array([number for number, _ in floors], dtype=np.int64),
            floor_elevation=np.array([floor.elevation for _, floor in floors], dtype=np.float64),
        )

    def to_json(self) -> dict[str, Any]:
        """The battlefield as JSON, in the form that :meth:`from_json` and :func:`load_battlefield` read."""
        from battlewright.core.table_files import battlefield_to_json

        return battlefield_to_json(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Battlefield:
        """The battlefield of :meth:`to_json`. Raises BadInput, saying where, for anything that is not one."""
        from battlewright.core.table_files import battlefield_from_json

        return battlefield_from_json(value)

    def validate(self) -> None:
        """Check that everything lies on the table, is named once, and refers to what is there.

        Raises:
            BadInput: the first fault found, and where.
        """
        if not (0 < self.width <= LARGEST and 0 < self.height <= LARGEST):
            raise BadInput(
                f"a table of {self.width} by {self.height} inches", expected=f"sides up to {LARGEST:g} inches"
            )
        _check_ids("area", [part for area in self.areas for part in {area.id, *area.parts}])
        _check_ids("feature", [feature.id for _, feature in self.features()])
        _check_ids("zone", [zone.name for zone in self.zones])
        _check_ids("objective", [objective.id for objective in self.objectives])
        for area in self.areas:
            self._check_polygon(area.polygon, f"area {area.id}")
            _check_height(area.height, f"area {area.id}")
        for _, feature in self.features():
            where = f"feature {feature.id}"
            self._check_polygon(feature.polygon, where)
            _check_height(feature.height, where)
            _check_height(feature.elevation, where)
            for floor in feature.floors:
                self._check_polygon(floor.polygon, f"a floor of {where}")
                _check_height(floor.elevation, f"a floor of {where}")
        for zone in self.zones:
            self._check_polygon(zone.polygon, f"zone {zone.name}")
            if zone.territory:
                self._check_polygon(zone.territory, f"the territory of zone {zone.name}")
        for objective in self.objectives:
            self._check_objective(objective)

    def _check_polygon(self, polygon: Polygon, where: str) -> None:
        if len(polygon) < 3:
            raise BadInput("an outline with fewer than three corners", where=where)
        for x, y in polygon:
            if not (-TOLERANCE <= x <= self.width + TOLERANCE and -TOLERANCE <= y <= self.height + TOLERANCE):
                raise BadInput(f"the corner {x:g}, {y:g} is not on the table", where=where)
        if not _is_simple(polygon):
            raise BadInput("the outline touches or crosses itself", where=where)

    def _check_objective(self, objective: Objective) -> None:
        where = f"objective {objective.id}"
        x, y = objective.point
        if not (0 <= x <= self.width and 0 <= y <= self.height):
            raise BadInput(f"the point {x:g}, {y:g} is not on the table", where=where)
        if objective.area is not None and all(area.id != objective.area for area in self.areas):
            raise BadInput(f'there is no area "{objective.area}"', where=where)
        if objective.owner is not None and all(zone.name != objective.owner for zone in self.zones):
            raise BadInput(f'there is no zone "{objective.owner}"', where=where)
        if not 0 < objective.marker_mm <= 1000:
            raise BadInput(f"a marker of {objective.marker_mm:g} mm", where=where)


def quarters(width: float, height: float, line_mm: float = 1.0) -> tuple[Polygon, ...]:
    """The four table quarters, south-west, south-east, north-west, north-east, without the lines between them.

    Args:
        width: of the table, inches.
        height: of the table, inches.
        line_mm: how thick the two centre lines are.
    """
    half = line_mm / 2 / MM_PER_INCH
    xs = ((0.0, width / 2 - half), (width / 2 + half, width))
    ys = ((0.0, height / 2 - half), (height / 2 + half, height))
    return tuple(((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for y0, y1 in ys for x0, x1 in xs)


def load_battlefield(source: Path | str) -> Battlefield:
    """Read a battlefield from a YAML or JSON file, or from its text.

    Args:
        source: a path, or text with a line break in it.

    Raises:
        BadInput: the file cannot be read or is not a battlefield; says where.
    """
    from battlewright.core.table_files import read_battlefield

    return read_battlefield(source)


def _is_simple(polygon: Polygon) -> bool:
    """Whether no two edges of a polygon meet, except neighbours in the corner they share."""
    corners = np.array(polygon)
    if not np.isfinite(corners).all():
        return False
    edges = np.roll(corners, -1, axis=0) - corners
    if (np.hypot(edges[:, 0], edges[:, 1]) < 1e-9).any():
        return False
    count = len(corners)
    for i in range(count):
        others = [j for j in range(i + 2, count) if (j + 1) % count != i]
        if not others:
            continue
        starts, ends = corners[others], corners[[(j + 1) % count for j in others]]
        p, q = corners[i], corners[(i + 1) % count]
        apart_a = _turn(p, q, starts) * _turn(p, q, ends) > 0
        apart_b = _turns(starts, ends, p) * _turns(starts, ends, q) > 0
        boxes = (np.maximum(starts, ends) < np.minimum(p, q)) | (np.minimum(starts, ends) > np.maximum(p, q))
        if not (apart_a | apart_b | boxes.any(axis=1)).all():
            return False
    return True


def _turn(p: NDArray[np.float64], q: NDArray[np.float64], r: NDArray[np.float64]) -> NDArray[np.float64]:
    """Which side of the line p q the points r lie on, by sign."""
    return np.asarray((q[0] - p[0]) * (r[:, 1] - p[1]) - (q[1] - p[1]) * (r[:, 0] - p[0]))


def _turns(p: NDArray[np.float64], q: NDArray[np.float64], r: NDArray[np.float64]) -> NDArray[np.float64]:
    """Which side of the lines p q the point r lies on, by sign."""
    return np.asarray((q[:, 0] - p[:, 0]) * (r[1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (r[0] - p[:, 0]))


def _check_ids(what: str, ids: list[str]) -> None:
    for number, name in enumerate(ids):
        if not name:
            raise BadInput(f"{what} number {number + 1} has no name")
        if name in ids[:number]:
            raise BadInput(f'two of the name "{name}"', where=f"{what} {name}")


def _check_height(height: float, where: str) -> None:
    if not (math.isfinite(height) and 0 <= height <= LARGEST):
        raise BadInput(f"a height of {height:g} inches", where=where)
