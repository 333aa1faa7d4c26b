"""The layouts of the event pack, three for each pairing of dispositions, made from the data package's records.

The package lays its table out 60" by 44" with y downwards; ours is 44" by 60", so that its (x, y) is our (y, x). Its
areas have ragged outlines; we lay out their nominal shapes about the same places. Categories are the package's, heights
ours: light pieces 2", dense ones 3.5", ruins of storeys of 3" with 2" of wall on top. Zones are those of our own
deployment maps, turned as the package's are. It groups areas into one only in the middle of the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from battlewright.core.bases import Point, Polygon
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule
from battlewright.core.table import Battlefield
from battlewright.editions.eleventh.deployment import HEIGHT, MAPS_OF_PAIRINGS, WIDTH, deployment_map
from battlewright.editions.eleventh.package import Record, records

__all__ = ["event_battlefield", "event_layouts", "layouts_of_pairing", "unbuildable"]

LETTERS: Final = ("a", "b", "c")

_NOMINAL: Final[Mapping[str, Polygon]] = {
    "BigRect": ((0, 0), (11.5, 0), (11.5, 7), (0, 7)),
    "SmallRect": ((0, 0), (6, 0), (6, 4), (0, 4)),
    "ShortLine": ((0, 0), (6, 0), (6, 2), (0, 2)),
    "LongLine": ((0, 0), (10, 0), (10, 2.5), (0, 2.5)),
    "Triangle": ((11.5, 0), (11.5, 8), (0, 8), (0, 6), (0.5, 6), (11, 0)),
}
"""Nominal shapes of the package's areas, in their own frames."""

_STOREYS: Final[Mapping[str, int]] = {"AB": 3, "EF": 3, "CD": 2, "CO": 2, "GH": 2}
"""Storeys of the ruins, by the letters on their walls."""

STOREY, TOP_WALL, LIGHT, DENSE, THICK = 3.0, 2.0, 2.0, 3.5, 0.25
_ROLES: Final = {"home": "home", "center": "central", "expansion": "expansion"}


def layouts_of_pairing(pairing: str) -> tuple[str, ...]:
    """Names of the layouts A, B and C of a pairing: ``"take_and_hold_vs_purge_the_foe_a"``."""
    return tuple(f"{pairing.replace('-', '_')}_{letter}" for letter in LETTERS)


def event_layouts() -> tuple[str, ...]:
    """Names of all layouts of the event pack, whether the data package carries them or not."""
    return tuple(name for pairing in MAPS_OF_PAIRINGS for name in layouts_of_pairing(pairing))


def unbuildable() -> dict[str, str]:
    """Layouts that cannot be made from the data package, each with the reason."""
    reasons: dict[str, str] = {}
    for name in event_layouts():
        try:
            event_battlefield(name)
        except BadInput as error:
            reasons[name] = str(error)
    return reasons


@rule(
    "11e.core.deployment.maps-by-pairing",
    "11e.core.deployment.terrain-areas",
    "11e.core.deployment.terrain-heights",
    "11e.core.mission.layout",
)
@cache
def event_battlefield(name: str) -> Battlefield:
    """The battlefield of one layout of the event pack.

    Raises:
        BadInput: when there is no such layout, or when it cannot be made from the data package.
    """
    if name not in event_layouts():
        raise BadInput(f'there is no layout "{name}"', expected="<pairing>_<a, b or c>")
    pairing, variant = name[:-2].replace("_", "-"), LETTERS.index(name[-1])
    layout = _record(pairing, variant + 1)
    if layout is None:
        raise BadInput(f'the data package carries no layout "{name}"')
    map_name = MAPS_OF_PAIRINGS[pairing][variant]
    areas, groups, objectives = _areas(layout, name)
    value = {
        "name": f"{' against '.join(_title(part) for part in pairing.split('-vs-'))}, layout {name[-1].upper()}",
        "width": WIDTH,
        "height": HEIGHT,
        "areas": areas,
        "groups": groups,
        **_turned_map(map_name, layout, name),
    }
    bare = Battlefield.from_json(value)
    value["objectives"] = [_owned(objective, bare) for objective in objectives]
    return Battlefield.from_json(value)


def _title(words: str) -> str:
    small = ("the", "and")
    return " ".join(word if word in small else word.capitalize() for word in words.split("-"))


def _record(pairing: str, variant: int) -> Record | None:
    """The package's layout of a pairing, which it may name the other way round."""
    ends = set(pairing.split("-vs-"))
    for layout in records("terrain_layouts"):
        matchup = layout.get("mission_matchup_id")
        if matchup and set(matchup.split("-vs-")) == ends and layout.get("variant") == variant:
            return layout
    return None


# -- zones --------------------------------------------------------------------------------------------------------


def _turned_map(map_name: str, layout: Record, name: str) -> dict[str, Any]:
    """Our map of that name, turned as the package's pattern is: zones and territory line.

    Raises:
        BadInput: when the package lays another map out.
    """
    import shapely

    pattern = next(
        (each for each in records("deployment_patterns") if each["id"] == layout["deployment_pattern_id"]), {}
    )
    theirs = {zone["player"]: shapely.Polygon(_zone_outline(zone)) for zone in pattern.get("zones", ())}
    for mirror in (False, True):
        for attacker_given in (True, False):
            value = deployment_map(map_name, mirror=mirror, attacker_given=attacker_given)
            field = Battlefield.from_json({"name": map_name, "width": WIDTH, "height": HEIGHT, **value})
            ours = shapely.Polygon(field.zone("attacker").polygon)
            if theirs and ours.symmetric_difference(theirs["attacker"]).area < 2.0:
                return value
    raise BadInput(f'the layout "{name}" has other zones in the data package than those of {map_name}')


def _zone_outline(zone: Record) -> list[Point]:
    shape, at = zone["shape"], zone["position"]
    if shape["type"] == "rectangle":
        w, h = shape["width"], shape["height"]
        corners = [(0, 0), (w, 0), (w, h), (0, h)]
    else:
        corners = [(corner["x"], corner["y"]) for corner in shape["points"]]
    return [(y + at["y"], x + at["x"]) for x, y in corners]


# -- terrain ------------------------------------------------------------------------------------------------------


class _Placement:
    """How a shape in its own frame comes to lie on our table: mirrored, turned about its centroid, moved."""

    def __init__(self, centroid: Point, position: Mapping[str, float], turn: float, mirror: str) -> None:
        self._centroid, self._position = centroid, (position["x"], position["y"])
        self._cos, self._sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        self._flip = {"horizontal": (-1.0, 1.0), "vertical": (1.0, -1.0)}.get(mirror, (1.0, 1.0))

    def __call__(self, point: Point) -> Point:
        """A point of the shape's own frame."""
        return self.inner((point[0] - self._centroid[0], point[1] - self._centroid[1]))

    def inner(self, point: Point) -> Point:
        """A point given from the shape's centroid, as those of the pieces in an area are."""
        x, y = point[0] * self._flip[0], point[1] * self._flip[1]
        return (
            self._cos * x - self._sin * y + self._position[0],
            self._sin * x + self._cos * y + self._position[1],
        )


def _placement(record: Record, outline: Sequence[Point]) -> _Placement:
    return _Placement(
        _centroid(outline), record["position"], record.get("rotation_degrees") or 0.0, record.get("mirror") or "none"
    )


@rule("11e.core.13.01-joined-areas")
def _areas(layout: Record, name: str) -> tuple[list[dict[str, Any]], list[list[str]], list[dict[str, Any]]]:
    """The areas with their features, the groups that count as one, and the objectives."""
    import shapely

    templates = {template["id"]: template for template in records("terrain_templates")}
    areas: list[dict[str, Any]] = []
    groups: dict[str, list[str]] = {}
    points: dict[str, list[tuple[str, Point, str]]] = {}
    for piece in layout["pieces"]:
        template = templates.get(piece.get("template", ""))
        if template is None or piece.get("piece_type") != "area":
            raise BadInput(f'the layout "{name}" has a piece that is no area of a known template')
        area_id = str(piece["id"]).removeprefix("area-")
        outline = _footprint(template)
        put = _placement(piece, outline)
        nominal = [put(corner) for corner in _nominal(template)]
        shape = shapely.Polygon(nominal)
        features = [_feature(templates, feature, put, shape) for feature in template.get("features") or ()]
        areas.append({"id": area_id, "outline": _on_our_table(nominal), "features": features})
        link = piece.get("link_group") or area_id
        groups.setdefault(link, []).append(area_id)
        if piece.get("is_objective"):
            at = piece["objective"]["position"]
            points.setdefault(link, []).append((area_id, (at["y"], at["x"]), _ROLES[piece["objective_role"]]))
    return areas, [group for group in groups.values() if len(group) > 1], list(_objectives(points))


def _objectives(points: Mapping[str, Sequence[tuple[str, Point, str]]]) -> Iterator[dict[str, Any]]:
    """One objective for each area or group of areas; the point of a group is the middle of its areas' points."""
    counts: dict[str, int] = {}
    for parts in points.values():
        area, _, role = parts[0]
        counts[role] = counts.get(role, 0) + 1
        x = sum(point[0] for _, point, _ in parts) / len(parts)
        y = sum(point[1] for _, point, _ in parts) / len(parts)
        yield {"id": f"{role}-{counts[role]}", "point": [round(x, 3), round(y, 3)], "area": area, "role": role}


def _owned(objective: dict[str, Any], field: Battlefield) -> dict[str, Any]:
    """A home objective with its owner, the player in whose zone it lies."""
    import shapely

    if objective["role"] != "home":
        return objective
    point = shapely.Point(objective["point"])
    owner = min(field.zones, key=lambda zone: float(shapely.Polygon(zone.polygon).distance(point))).name
    return {**objective, "id": f"{owner}-home", "owner": owner}


def _nominal(template: Record) -> Polygon:
    """The nominal shape of an area in the frame of its template, mirrored where the template is."""
    family = next((key for key in _NOMINAL if str(template["name"]).split()[1].startswith(key)), None)
    if family is None:
        raise BadInput(f'the area "{template["name"]}" is of no known shape')
    shape = _NOMINAL[family]
    outline = _footprint(template)
    if family == "Triangle" and min(x for x, _ in outline) < -0.2:
        shape = tuple((11.5 - x, y) for x, y in reversed(shape))
    rise = 0.5 if family == "LongLine" and max(y for _, y in outline) > 3.3 else 0.0
    return tuple((x, y + rise) for x, y in shape)


def _feature(templates: Mapping[str, Record], record: Record, area: _Placement, shape: Any) -> dict[str, Any]:
    """One piece of an area: where it stands, how high it is, and the floors of a ruin."""
    import shapely

    template = templates[record["template"]]
    outline = _footprint(template)
    at = record["position"]
    if not shape.buffer(1.0).contains(shapely.Point(area.inner((at["x"], at["y"])))):
        at = {"x": 0.0, "y": 0.0}  # the package lays one generator beside its area
    part = _placement({**record, "position": at}, outline)
    kind, category = str(template["name"]).removeprefix("Battlemaster "), str(template["terrain_category"])

    def put(shape: Sequence[Point]) -> list[list[float]]:
        return _on_our_table(area.inner(part(point)) for point in shape)

    storeys = _STOREYS.get(kind, 0)
    height = STOREY * (storeys - 1) + TOP_WALL if storeys else LIGHT if category == "light" else DENSE
    feature: dict[str, Any] = {"category": category, "height": height, "outline": put(_solid_part(template, outline))}
    if storeys and (upper := template.get("upper_floor")):
        # The package draws one floor plate for a ruin; each storey above the ground has it.
        plate = put(_clipped(_corners(upper["footprint"]), outline))
        feature["floors"] = [{"outline": plate, "elevation": STOREY * level} for level in range(1, storeys)]
    return {**feature, "tags": [kind.lower()]}


def _solid_part(template: Record, outline: Sequence[Point]) -> Sequence[Point]:
    """The walls of a piece as an outline: all of a closed one, a strip along the inner side of an open one."""
    import shapely

    walls = template.get("walls") or ()
    if not walls:
        return outline
    line = [(point["x"], point["y"]) for point in walls[0]["points"]]
    if line[0] == line[-1]:
        return line[:-1]
    if len(line) == 2:
        return outline
    strip = shapely.LineString(line).buffer(THICK, cap_style="square", join_style="mitre")
    return _ring(strip.intersection(shapely.Polygon(outline)))


def _clipped(plate: Sequence[Point], outline: Sequence[Point]) -> Sequence[Point]:
    import shapely

    return _ring(shapely.Polygon(plate).intersection(shapely.Polygon(outline)))


def _ring(shape: Any) -> list[Point]:
    return [(float(x), float(y)) for x, y in shape.exterior.coords[:-1]]


def _footprint(template: Record) -> list[Point]:
    return _corners(template["footprint"])


def _corners(footprint: Record) -> list[Point]:
    corners = [(float(point["x"]), float(point["y"])) for point in footprint["points"]]
    return corners[:-1] if corners[0] == corners[-1] else corners


def _on_our_table(points: Any) -> list[list[float]]:
    """Points of the package's frame in ours; corners that hang over the edge by a hair are put on it."""
    return [[_within(y, WIDTH), _within(x, HEIGHT)] for x, y in points]


def _within(value: float, most: float) -> float:
    return round(min(max(value, 0.0), most), 3)


def _centroid(outline: Sequence[Point]) -> Point:
    """The middle of a polygon's area, which the package turns its pieces about."""
    twice = cx = cy = 0.0
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        cross = ax * by - bx * ay
        twice, cx, cy = twice + cross, cx + (ax + bx) * cross, cy + (ay + by) * cross
    return cx / (3 * twice), cy / (3 * twice)
