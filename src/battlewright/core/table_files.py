"""Battlefields in files: YAML or JSON, with shorthand for what layouts are made of.

The full form is what ``Battlefield.to_json`` writes. Shorthand that a layout may use instead:

- an outline: ``rect: [x0, y0, x1, y1]``, or ``box: [x, y, width, depth]`` about its centre with ``turn`` in degrees;
- ``walls: {centre, size, corner}``: two walls that meet in a corner (``nw``, ``ne``, ``se``, ``sw``) of a rectangle;
  with ``storeys: n`` their height, and n - 1 floors in the corner, follow;
- ``without: {centre, radius}``: a disc taken out of a zone's outline;
- ``groups: [["07", "10"]]``: areas that count as one single area;
- ``territory_line``: two points; each zone gets the side that most of it lies on.

Polygon work that has curves or unions in it is done here, once, with Shapely.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from battlewright.core.bases import Point, Polygon
from battlewright.core.errors import BadInput
from battlewright.core.plain_files import LARGEST_FILE, parse_plain
from battlewright.core.table import (
    Battlefield,
    Category,
    Edge,
    Floor,
    Objective,
    ObjectiveRole,
    TerrainArea,
    TerrainFeature,
    Zone,
)

__all__ = ["battlefield_from_json", "battlefield_to_json", "read_battlefield"]

STOREY: Final = 3.0
TOP_WALL: Final = 2.0
PLATE: Final = 3.5
GAP: Final = 0.06
"""Areas of one group may lie this far apart, in inches, and still be joined."""

Number = Annotated[float, Field(allow_inf_nan=False, ge=-1000, le=1000)]
Pair = tuple[Number, Number]
Four = tuple[Number, Number, Number, Number]
Outline = Annotated[list[Pair], Field(min_length=3, max_length=1000)]
Name = Annotated[str, Field(min_length=1, max_length=80)]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Shaped(_File):
    outline: Outline | None = None
    rect: Four | None = None
    box: Four | None = None
    turn: Number = 0.0

    def polygon(self) -> Polygon:
        """The outline, however it was written; empty when it was not."""
        if self.outline is not None:
            return tuple(self.outline)
        if self.rect is not None:
            x0, y0, x1, y1 = self.rect
            return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        if self.box is not None:
            x, y, width, depth = self.box
            return _placed(_rectangle(width, depth), (x, y), self.turn)
        return ()


class _Walls(_File):
    centre: Pair
    size: Pair
    corner: Literal["nw", "ne", "se", "sw"]
    thickness: Annotated[float, Field(gt=0, le=2)] = 0.25
    storeys: Annotated[int, Field(ge=0, le=10)] = 0


class _FloorFile(_Shaped):
    elevation: Number


class _FeatureFile(_Shaped):
    id: str = ""
    walls: _Walls | None = None
    height: Number | None = None
    elevation: Number = 0.0
    category: Category = Category.DENSE
    floors: list[_FloorFile] = []
    solid: bool | None = None
    tags: list[Name] = []


class _AreaFile(_Shaped):
    id: Name
    category: Category | None = None
    features: Annotated[list[_FeatureFile], Field(max_length=100)] = []
    height: Number = 0.0
    tags: list[Name] = []
    parts: list[Name] = []


class _Disc(_File):
    centre: Pair
    radius: Annotated[float, Field(gt=0, le=200)]


class _ZoneFile(_Shaped):
    name: Name
    without: list[_Disc] | _Disc = []
    territory: Outline | None = None
    edge: Edge | None = None


class _ObjectiveFile(_File):
    id: Name
    point: Pair
    area: Name | None = None
    role: ObjectiveRole = ObjectiveRole.OTHER
    owner: Name | None = None
    marker_mm: Number = 40.0


class _BattlefieldFile(_File):
    name: Name
    width: Number
    height: Number
    areas: Annotated[list[_AreaFile], Field(max_length=200)] = []
    groups: list[list[Name]] = []
    zones: Annotated[list[_ZoneFile], Field(max_length=10)] = []
    territory_line: tuple[Pair, Pair] | None = None
    objectives: Annotated[list[_ObjectiveFile], Field(max_length=50)] = []
    source: str = ""


def read_battlefield(source: Path | str) -> Battlefield:
    """See :func:`battlewright.core.table.load_battlefield`."""
    text, where = source, ""
    if isinstance(source, Path) or "\n" not in source:
        where = str(source)
        try:
            with Path(source).open(encoding="utf-8") as file:
                text = file.read(LARGEST_FILE + 1)
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise BadInput("the battlefield cannot be read", where=where) from error
    value = parse_plain(str(text), where)
    try:
        return battlefield_from_json(value)
    except BadInput as error:
        place = ": ".join(part for part in (where, error.where) if part)
        raise BadInput(error.what, where=place, expected=error.expected, nearest=error.nearest) from error


def battlefield_from_json(value: Mapping[str, Any]) -> Battlefield:
    """See :meth:`battlewright.core.table.Battlefield.from_json`."""
    try:
        file = _BattlefieldFile.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(str(first["msg"]), where=".".join(str(part) for part in first["loc"])) from error
    areas = _merged([_area(area) for area in file.areas], file.groups)
    battlefield = Battlefield(
        name=file.name,
        width=file.width,
        height=file.height,
        areas=areas,
        zones=tuple(_zone(zone, file) for zone in file.zones),
        objectives=tuple(_objective(objective, areas) for objective in file.objectives),
    )
    battlefield.validate()
    return battlefield


def _area(file: _AreaFile) -> TerrainArea:
    features = tuple(_feature(feature, f"{file.id}-{number + 1}") for number, feature in enumerate(file.features))
    densest = max((list(Category).index(feature.category) for feature in features), default=0)
    return TerrainArea(
        id=file.id,
        polygon=file.polygon(),
        category=file.category or list(Category)[densest],
        features=features,
        height=file.height,
        tags=frozenset(file.tags),
        parts=tuple(file.parts) or (file.id,),
    )


def _feature(file: _FeatureFile, default_id: str) -> TerrainFeature:
    floors = tuple(Floor(floor.polygon(), floor.elevation) for floor in file.floors)
    polygon, height = file.polygon(), file.height
    if file.walls is not None:
        polygon, raised = _corner_walls(file.walls)
        floors += raised
        if height is None and file.walls.storeys:
            height = STOREY * (file.walls.storeys - 1) + TOP_WALL
    if height is None:
        raise BadInput("a feature without a height", where=f"feature {file.id or default_id}")
    return TerrainFeature(
        id=file.id or default_id,
        polygon=polygon,
        height=height,
        elevation=file.elevation,
        category=file.category,
        floors=floors,
        solid=file.category is Category.DENSE if file.solid is None else file.solid,
        tags=frozenset(file.tags),
    )


def _corner_walls(walls: _Walls) -> tuple[Polygon, tuple[Floor, ...]]:
    """The L of two walls, and the floor plates in their corner."""
    (x, y), (width, depth), thick = walls.centre, walls.size, walls.thickness
    # Drawn with the corner in the south-west, then mirrored into place.
    shape = ((0.0, 0.0), (width, 0.0), (width, thick), (thick, thick), (thick, depth), (0.0, depth))
    plate = _square(min(PLATE, width), min(PLATE, depth))
    east, north = walls.corner[1] == "e", walls.corner[0] == "n"

    def put(corners: Sequence[Point]) -> Polygon:
        placed = tuple(
            (x + (width / 2 - px if east else px - width / 2), y + (depth / 2 - py if north else py - depth / 2))
            for px, py in corners
        )
        return placed if east == north else placed[::-1]

    floors = tuple(Floor(put(plate), STOREY * level) for level in range(1, walls.storeys))
    return put(shape), floors


def _zone(file: _ZoneFile, field: _BattlefieldFile) -> Zone:
    polygon = file.polygon()
    discs = [file.without] if isinstance(file.without, _Disc) else file.without
    for disc in discs:
        polygon = _without_disc(polygon, disc, f"zone {file.name}")
    territory: Polygon = tuple(file.territory or ())
    if field.territory_line is not None and not territory:
        territory = _side_of_line(field.width, field.height, field.territory_line, polygon)
    return Zone(name=file.name, polygon=polygon, territory=territory, edge=file.edge)


def _objective(file: _ObjectiveFile, areas: Sequence[TerrainArea]) -> Objective:
    area = next((area.id for area in areas if file.area in (area.id, *area.parts)), file.area)
    return Objective(file.id, file.point, area, file.role, file.owner, file.marker_mm)


def _merged(areas: list[TerrainArea], groups: Sequence[Sequence[str]]) -> tuple[TerrainArea, ...]:
    """The areas, those of a group made one in the place of its first."""
    for group in groups:
        members = [area for area in areas if area.id in group]
        if len(members) != len(set(group)) or len(members) < 2:
            raise BadInput(
                "a group names areas that are not there, or fewer than two", where=f"group {'+'.join(group)}"
            )
        union = TerrainArea(
            id="+".join(area.id for area in members),
            polygon=_joined([area.polygon for area in members], f"group {'+'.join(group)}"),
            category=max((area.category for area in members), key=list(Category).index),
            features=tuple(feature for area in members for feature in area.features),
            height=max(area.height for area in members),
            tags=frozenset().union(*(area.tags for area in members)),
            parts=tuple(part for area in members for part in area.parts),
        )
        areas = [union if area is members[0] else area for area in areas if area not in members[1:]]
    return tuple(areas)


def _joined(polygons: Sequence[Polygon], where: str) -> Polygon:
    """The union of polygons that touch, or nearly."""
    import shapely

    union = shapely.union_all([shapely.Polygon(polygon) for polygon in polygons])
    if union.geom_type != "Polygon":
        grown = union.buffer(GAP / 2 + 1e-6, join_style="mitre")
        union = grown.buffer(-GAP / 2 - 1e-6, join_style="mitre")
    return _outline(union, where)


def _without_disc(polygon: Polygon, disc: _Disc, where: str) -> Polygon:
    """A polygon less a disc, the arc drawn to within 0.0004 of its radius outside the disc."""
    import shapely

    circle = shapely.Point(disc.centre).buffer(disc.radius / math.cos(math.pi / 256), quad_segs=64)
    return _outline(shapely.Polygon(polygon).difference(circle), where)


def _outline(shape: Any, where: str) -> Polygon:
    """The corners of a Shapely polygon, counter-clockwise, to a millionth of an inch."""
    import shapely

    if shape.geom_type != "Polygon" or shape.is_empty or len(shape.interiors):
        raise BadInput("what is left or joined is not one area without holes", where=where)
    ring = shapely.simplify(shapely.orient_polygons(shape), 1e-4).exterior.coords[:-1]
    return tuple((round(float(x), 6), round(float(y), 6)) for x, y in ring)


def _side_of_line(width: float, height: float, line: tuple[Point, Point], zone: Polygon) -> Polygon:
    """The part of the table on the side of a line that a zone's corners lie on, on the whole."""
    (ax, ay), (bx, by) = line

    def side(point: Point) -> float:
        return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)

    sign = 1.0 if sum(side(corner) for corner in zone) >= 0 else -1.0
    table: Polygon = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    kept: list[Point] = []
    for p, q in zip(table, table[1:] + table[:1], strict=True):
        at_p, at_q = sign * side(p), sign * side(q)
        if at_p >= 0:
            kept.append(p)
        if (at_p > 0) != (at_q > 0) and at_p != 0 and at_q != 0:
            t = at_p / (at_p - at_q)
            kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
    return tuple(kept)


def _rectangle(width: float, depth: float) -> Polygon:
    return tuple((x - width / 2, y - depth / 2) for x, y in _square(width, depth))


def _square(width: float, depth: float) -> Polygon:
    return ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))


def _placed(polygon: Polygon, centre: Point, degrees: float) -> Polygon:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return tuple((round(centre[0] + c * x - s * y, 6), round(centre[1] + s * x + c * y, 6)) for x, y in polygon)


def battlefield_to_json(battlefield: Battlefield) -> dict[str, Any]:
    """See :meth:`battlewright.core.table.Battlefield.to_json`."""
    return {
        "name": battlefield.name,
        "width": battlefield.width,
        "height": battlefield.height,
        "areas": [_area_json(area) for area in battlefield.areas],
        "zones": [
            {
                "name": zone.name,
                "outline": _corners(zone.polygon),
                "territory": _corners(zone.territory) or None,
                "edge": zone.edge and zone.edge.value,
            }
            for zone in battlefield.zones
        ],
        "objectives": [
            {
                "id": objective.id,
                "point": list(objective.point),
                "area": objective.area,
                "role": objective.role.value,
                "owner": objective.owner,
                "marker_mm": objective.marker_mm,
            }
            for objective in battlefield.objectives
        ],
    }


def _area_json(area: TerrainArea) -> dict[str, Any]:
    return {
        "id": area.id,
        "outline": _corners(area.polygon),
        "category": area.category.value,
        "height": area.height,
        "tags": sorted(area.tags),
        "parts": list(area.parts),
        "features": [
            {
                "id": feature.id,
                "outline": _corners(feature.polygon),
                "height": feature.height,
                "elevation": feature.elevation,
                "category": feature.category.value,
                "solid": feature.solid,
                "tags": sorted(feature.tags),
                "floors": [
                    {"outline": _corners(floor.polygon), "elevation": floor.elevation} for floor in feature.floors
                ],
            }
            for feature in area.features
        ],
    }


def _corners(polygon: Polygon) -> list[list[float]]:
    return [list(corner) for corner in polygon]
