"""Upright bodies and obstacles as arrays, as sight takes them: discs and convex polygons with a bottom and a top.

An oval becomes a polygon of 32 corners, within 0.003 of its size; an outline that is not convex becomes several prisms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, BaseKind, Point, Polygon, Pose
from battlewright.core.footprints import BaseSet
from battlewright.core.table import Battlefield

__all__ = [
    "CURTAIN",
    "Prisms",
    "area_curtains",
    "convex_pieces",
    "feature_prisms",
    "floor_prisms",
]

Floats = NDArray[np.float64]

CURTAIN: Final = 1e6
"""The height, above and below the table, of what blocks at any height."""

PX: Final = 0
PY: Final = 1
REACH: Final = 2
FIRST: Final = 3
COUNT: Final = 4
BOTTOM: Final = 5
TOP: Final = 6
GROUP: Final = 7
COLUMNS: Final = 8

_OVAL_CORNERS: Final = 32
_NO_VERTICES: Final = np.zeros((0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Prisms:
    """Upright bodies, as observers, targets or obstacles.

    Attributes:
        rows: ``(n, COLUMNS)``: a disc or a convex polygon with its bottom, its top and its group each.
        vertices: ``(v, 2)``, the corners of the polygons, counter-clockwise, where they stand on the table.
    """

    rows: Floats
    vertices: Floats

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def empty(cls) -> Prisms:
        """Nothing at all."""
        return cls(np.zeros((0, COLUMNS)), _NO_VERTICES)

    @classmethod
    def of_models(
        cls,
        bases: BaseSet | Sequence[Base],
        poses: Floats,
        heights: Floats | Sequence[float] | float,
        *,
        lifts: Floats | Sequence[float] | float = 0.0,
        groups: NDArray[np.int64] | Sequence[int] | int = -1,
    ) -> Prisms:
        """The bodies of n models: their bases, drawn up from where they stand.

        Args:
            bases: n bases.
            poses: ``(n, 4)``: x, y, z in inches, facing in degrees.
            heights: of each body, inches; 0 for what has only one height, such as an eye.
            lifts: how far above its surface each body begins, inches.
            groups: by which observers and targets may leave some obstacles out; -1 is never left out.
        """
        base_set = bases if isinstance(bases, BaseSet) else BaseSet.of(bases)
        rows = np.zeros((len(base_set), COLUMNS))
        rows[:, PX : PY + 1] = poses[:, :2]
        rows[:, REACH] = [base.reach for base in base_set.bases]
        rows[:, BOTTOM] = poses[:, 2] + np.asarray(lifts)
        rows[:, TOP] = rows[:, BOTTOM] + np.asarray(heights)
        rows[:, GROUP] = groups
        corners: list[Floats] = []
        used = 0
        for i in np.flatnonzero(~base_set.round):
            outline = _outline(base_set.bases[i], Pose(*poses[i]))
            rows[i, FIRST], rows[i, COUNT] = used, len(outline)
            used += len(outline)
            corners.append(outline)
        return cls(rows, np.concatenate(corners) if corners else _NO_VERTICES)

    @classmethod
    def of_polygons(
        cls,
        polygons: Sequence[Polygon],
        bottoms: Floats | Sequence[float] | float = -CURTAIN,
        tops: Floats | Sequence[float] | float = CURTAIN,
        groups: NDArray[np.int64] | Sequence[int] | int = -1,
    ) -> Prisms:
        """Upright prisms over polygons, at any height unless told otherwise; one that is not convex becomes several.

        Args:
            polygons: simple outlines, inches.
            bottoms: where each begins above the table, inches.
            tops: where each ends.
            groups: by which observers and targets may leave some out; -1 is never left out.
        """
        heights = np.broadcast_to(np.stack(np.broadcast_arrays(bottoms, tops, groups), axis=-1), (len(polygons), 3))
        rows, corners = [], [_NO_VERTICES]
        used = 0
        for polygon, (bottom, top, group) in zip(polygons, heights, strict=True):
            for piece in convex_pieces(polygon):
                points = np.array(piece)
                x, y = (points.min(axis=0) + points.max(axis=0)) / 2
                reach = float(np.hypot(points[:, 0] - x, points[:, 1] - y).max())
                rows.append((x, y, reach, used, len(points), bottom, top, group))
                corners.append(points)
                used += len(points)
        return cls(np.array(rows, dtype=np.float64).reshape(-1, COLUMNS), np.concatenate(corners))

    def take(self, which: NDArray[np.bool_] | NDArray[np.intp] | Sequence[int]) -> Prisms:
        """Some of the prisms, by mask or index."""
        return Prisms(self.rows[which], self.vertices)

    def joined(self, *others: Prisms) -> Prisms:
        """These prisms and others together, in this order; groups keep their numbers."""
        rows, vertices = [self.rows], [self.vertices]
        used = len(self.vertices)
        for other in others:
            moved = other.rows.copy()
            moved[:, FIRST] += used
            used += len(other.vertices)
            rows.append(moved)
            vertices.append(other.vertices)
        return Prisms(np.concatenate(rows), np.concatenate(vertices))


def area_curtains(battlefield: Battlefield) -> Prisms:
    """Every terrain area as an obstacle of any height; its group is its place among the battlefield's areas."""
    polygons = [area.polygon for area in battlefield.areas]
    return Prisms.of_polygons(polygons, groups=np.arange(len(polygons)))


def feature_prisms(battlefield: Battlefield) -> Prisms:
    """Every terrain feature with its true height; its group is the place of its area."""
    arrays = battlefield.arrays
    polygons = [feature.polygon for _, feature in battlefield.features()]
    return Prisms.of_polygons(polygons, arrays.feature_bottom, arrays.feature_top, arrays.feature_area)


def floor_prisms(battlefield: Battlefield, thickness: float = 0.1) -> Prisms:
    """Every floor as a plate of this thickness, in inches, below its surface; its group is the place of its area."""
    arrays = battlefield.arrays
    floors = [floor.polygon for _, feature in battlefield.features() for floor in feature.floors]
    tops = arrays.floor_elevation
    return Prisms.of_polygons(floors, tops - thickness, tops, arrays.feature_area[arrays.floor_feature])


def convex_pieces(polygon: Polygon) -> tuple[Polygon, ...]:
    """A simple polygon as convex polygons, counter-clockwise, that share edges and together cover it.

    A convex polygon stays as it is. Others are cut into triangles, which are joined again where that stays convex.
    """
    corners = list(polygon)
    if sum(_cross(p, q) for p, q in zip(corners, corners[1:] + corners[:1], strict=True)) < 0:
        corners.reverse()
    if _is_convex(corners):
        return (tuple(corners),)
    pieces: list[list[Point]] = []
    for triangle in _triangles(corners):
        for number, piece in enumerate(pieces):
            if (joined := _join(piece, triangle)) is not None:
                pieces[number] = joined
                break
        else:
            pieces.append(triangle)
    return tuple(tuple(piece) for piece in pieces)


def _triangles(corners: list[Point]) -> list[list[Point]]:
    """The triangles of a counter-clockwise simple polygon, by cutting off its ears one after the other."""
    rest, triangles = list(corners), []
    while len(rest) > 3:
        for i in range(len(rest)):
            p, q, r = rest[i - 1], rest[i], rest[(i + 1) % len(rest)]
            turn = _turn(p, q, r)
            others = [point for point in rest if point not in (p, q, r)]
            if turn > 1e-12 and not any(_in_triangle(point, p, q, r) for point in others):
                triangles.append([p, q, r])
                del rest[i]
                break
            if abs(turn) <= 1e-12:
                del rest[i]
                break
        else:
            break
    if len(rest) == 3 and _turn(*rest) > 1e-12:
        triangles.append(rest)
    return triangles


def _join(piece: list[Point], triangle: list[Point]) -> list[Point] | None:
    """A convex piece with a triangle put onto the edge they share; None when there is none, or it bends inwards."""
    for i in range(len(piece)):
        p, q = piece[i], piece[(i + 1) % len(piece)]
        if p in triangle and q in triangle:
            apex = next(corner for corner in triangle if corner not in (p, q))
            joined = [*piece[: i + 1], apex, *piece[i + 1 :]]
            return joined if _is_convex(joined) else None
    return None


def _is_convex(corners: Sequence[Point]) -> bool:
    size = len(corners)
    return all(_turn(corners[i - 2], corners[i - 1], corners[i]) >= -1e-12 for i in range(size))


def _in_triangle(point: Point, p: Point, q: Point, r: Point) -> bool:
    return _turn(p, q, point) >= 0 and _turn(q, r, point) >= 0 and _turn(r, p, point) >= 0


def _turn(p: Point, q: Point, r: Point) -> float:
    """Twice the area of the triangle p q r; positive when it turns to the left."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def _cross(p: Point, q: Point) -> float:
    return p[0] * q[1] - p[1] * q[0]


def _outline(base: Base, pose: Pose) -> Floats:
    """The corners of an oval or a hull where it stands; an oval's polygon runs half inside it and half outside."""
    if base.kind is BaseKind.HULL:
        corners = np.array(base.outline)
    else:
        turns = np.arange(_OVAL_CORNERS) * (2 * math.pi / _OVAL_CORNERS)
        scale = 2 / (1 + math.cos(math.pi / _OVAL_CORNERS))
        corners = np.column_stack([np.cos(turns) * base.length, np.sin(turns) * base.width]) * (scale / 2)
    angle = math.radians(pose.facing)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    placed: Floats = corners @ turn.T + (pose.x, pose.y)
    return placed
