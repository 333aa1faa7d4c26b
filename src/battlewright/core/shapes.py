"""Measuring between bases: pure functions on numbers and small values. The door to all of the core's plane geometry.

The frame and the units are those of ``bases``: inches, degrees counter-clockwise from x. Paths are in ``sweeps``,
blast markers and templates in ``templates``, many bases as arrays in ``footprints``.

There is one tolerance, :data:`TOLERANCE`. Touching bases are at distance 0 and do not overlap. Polygons are simple, of
any convexity, and may go either way round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import (
    MM_PER_INCH,
    Base,
    BaseKind,
    Point,
    Polygon,
    Pose,
    snap,
    snap_facing,
    to_inches,
)
from battlewright.core.footprints import A, BaseSet, Footprints, Polygons, X, Y, disc, footprint, segment

__all__ = [
    "MM_PER_INCH",
    "TOLERANCE",
    "Arc",
    "Base",
    "BaseKind",
    "BaseSet",
    "Footprints",
    "Point",
    "Polygon",
    "Polygons",
    "Pose",
    "arc_of",
    "base_in_arc",
    "bearing",
    "corner_angle",
    "distance_edge",
    "distance_edge_3d",
    "distance_edge_to_point",
    "distance_edge_to_polygon",
    "distance_edge_to_segment",
    "distance_matrix",
    "furthest_edge",
    "furthest_edge_from_point",
    "in_arc",
    "in_contact",
    "inside_rectangle",
    "overlap",
    "overlap_matrix",
    "overlaps_polygon",
    "polygon_relations",
    "separation",
    "separation_matrix",
    "snap",
    "snap_facing",
    "to_inches",
    "touch_matrix",
    "touches_polygon",
    "vertical_distance",
    "vertical_gap",
    "wholly_within_base",
    "wholly_within_circle",
    "wholly_within_matrix",
    "wholly_within_polygon",
    "within",
]

TOLERANCE: Final = 0.001
"""The one tolerance of every comparison of lengths, in inches."""

_FAR: Final = 1_000.0


@lru_cache(maxsize=1)
def kernels() -> ModuleType:
    """The compiled geometry, loaded when it is first needed."""
    from battlewright.core import kernels as module

    return module


def within(distance: float, limit: float) -> bool:
    """Whether a measured distance is within a limit, both in inches: the one meaning of "within".

    >>> within(2.0, 2.0), within(2.0009, 2.0), within(2.01, 2.0)
    (True, True, False)
    """
    return distance <= limit + TOLERANCE


# From base to base


def separation(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose) -> float:
    """The signed horizontal distance between two base edges, in inches.

    Positive: the gap. Zero: they touch. Negative: how far one must be shifted until they only touch. Two round bases
    of radius r at the same point give -2r. Heights are left out.
    """
    if base_a.is_round and base_b.is_round:
        return math.hypot(pose_a.x - pose_b.x, pose_a.y - pose_b.y) - (base_a.length + base_b.length) / 2
    return float(kernels().separation(*footprint(base_a, pose_a), *footprint(base_b, pose_b)))


def distance_edge(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose) -> float:
    """The horizontal distance from base edge to base edge, in inches; 0 when they touch or overlap.

    >>> inch = Base.round(25.4)
    >>> distance_edge(inch, Pose(0, 0), inch, Pose(3, 0))
    2.0
    """
    return max(0.0, separation(base_a, pose_a, base_b, pose_b))


def distance_edge_3d(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose) -> float:
    """The straight distance between the closest points of two flat bases at their heights, in inches."""
    return math.hypot(distance_edge(base_a, pose_a, base_b, pose_b), vertical_distance(pose_a, pose_b))


def overlap(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose) -> bool:
    """Whether two footprints share more than an edge: one would have to move by more than the tolerance."""
    return separation(base_a, pose_a, base_b, pose_b) < -TOLERANCE


def in_contact(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose) -> bool:
    """Whether two bases touch or overlap, seen from above."""
    return separation(base_a, pose_a, base_b, pose_b) <= TOLERANCE


def vertical_distance(pose_a: Pose, pose_b: Pose) -> float:
    """The difference of height between the surfaces that two models stand on, in inches."""
    return abs(pose_a.z - pose_b.z)


def vertical_gap(bottom_a: float, height_a: float, bottom_b: float, height_b: float) -> float:
    """The vertical gap between two bodies of these heights, in inches; 0 when their spans meet."""
    return max(0.0, bottom_a - (bottom_b + height_b), bottom_b - (bottom_a + height_a))


def furthest_edge(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose) -> float:
    """How far the furthest part of base a lies from the edge of base b, in inches; negative when a lies inside b.

    This is what "wholly within" measures. Two equal bases at the same point give 0.
    """
    if base_a.is_round and base_b.is_round:
        return math.hypot(pose_a.x - pose_b.x, pose_a.y - pose_b.y) + (base_a.length - base_b.length) / 2
    return float(kernels().excess(*footprint(base_a, pose_a), *footprint(base_b, pose_b)))


def wholly_within_base(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose, limit: float) -> bool:
    """Whether every part of base a is within a limit, in inches, of base b."""
    return within(furthest_edge(base_a, pose_a, base_b, pose_b), limit)


# From bases to points, segments, circles and polygons


def distance_edge_to_point(base: Base, pose: Pose, point: Point) -> float:
    """The horizontal distance from a base's edge to a point, in inches; 0 when the point lies on the base."""
    if base.is_round:
        return max(0.0, math.hypot(pose.x - point[0], pose.y - point[1]) - base.length / 2)
    return max(0.0, float(kernels().separation(*footprint(base, pose), *disc(point, 0.0))))


def distance_edge_to_segment(base: Base, pose: Pose, start: Point, end: Point) -> float:
    """The horizontal distance from a base's edge to a segment, in inches; 0 when they meet. The ends may coincide."""
    return max(0.0, float(kernels().separation(*footprint(base, pose), *segment(start, end))))


def furthest_edge_from_point(base: Base, pose: Pose, point: Point) -> float:
    """The distance from a point to the furthest part of a base, in inches; at the point itself, its reach."""
    if base.is_round:
        return math.hypot(pose.x - point[0], pose.y - point[1]) + base.length / 2
    return float(kernels().excess(*footprint(base, pose), *disc(point, 0.0)))


def wholly_within_circle(base: Base, pose: Pose, centre: Point, radius: float) -> bool:
    """Whether every part of a base lies within a radius, in inches, of a point."""
    return within(furthest_edge_from_point(base, pose, centre), radius)


def distance_edge_to_polygon(base: Base, pose: Pose, polygon: Polygon) -> float:
    """The horizontal distance from a base's edge to a polygon, in inches; 0 when any part of it lies on the polygon."""
    least, inside = _polygon_separation(base, pose, polygon)
    return 0.0 if inside else max(0.0, least)


def touches_polygon(base: Base, pose: Pose, polygon: Polygon) -> bool:
    """Whether any part of a base lies on a polygon or touches its edge."""
    least, inside = _polygon_separation(base, pose, polygon)
    return inside or least <= TOLERANCE


def overlaps_polygon(base: Base, pose: Pose, polygon: Polygon) -> bool:
    """Whether a base stands on a polygon by more than the tolerance; touching its edge from outside is not enough."""
    least, inside = _polygon_separation(base, pose, polygon)
    return inside or least < -TOLERANCE


def wholly_within_polygon(base: Base, pose: Pose, polygon: Polygon) -> bool:
    """Whether every part of a base lies on a polygon; touching its edge from inside is allowed."""
    least, inside = _polygon_separation(base, pose, polygon)
    return inside and least >= -TOLERANCE


def _polygon_separation(base: Base, pose: Pose, polygon: Polygon) -> tuple[float, bool]:
    """The least separation from the polygon's edges, and whether the base's centre lies inside."""
    row, vertices = footprint(base, pose)
    least, inside = polygon_relations(Footprints(row[None], vertices), Polygons.of([polygon]))
    return float(least[0, 0]), bool(inside[0, 0])


def inside_rectangle(placed: Footprints, width: float, height: float) -> NDArray[np.bool_]:
    """Which footprints keep on a table of this width and height in inches, its corner in the origin; ``(n,)``.

    A swept footprint is asked for its whole sweep. A base that touches the table's edge from inside is on it.
    """
    inside: NDArray[np.bool_] = kernels().within_rectangle(
        placed.rows, placed.vertices, 0.0, 0.0, width, height, TOLERANCE
    )
    return inside


# Many bases at once


def separation_matrix(placed_a: Footprints, placed_b: Footprints) -> NDArray[np.float64]:
    """All signed distances (:func:`separation`) of n and m footprints, ``(n, m)``; an empty group gives none."""
    a, b = placed_a.rows, placed_b.rows
    if placed_a.are_still_and_round and placed_b.are_still_and_round:
        gap = np.hypot(a[:, None, X] - b[None, :, X], a[:, None, Y] - b[None, :, Y])
        return np.asarray(gap - (a[:, None, A] + b[None, :, A]), dtype=np.float64)
    return np.asarray(kernels().separations(a, placed_a.vertices, b, placed_b.vertices), dtype=np.float64)


def distance_matrix(
    bases_a: BaseSet | Sequence[Base],
    poses_a: NDArray[np.float64],
    bases_b: BaseSet | Sequence[Base],
    poses_b: NDArray[np.float64],
) -> NDArray[np.float64]:
    """All edge-to-edge distances of two groups, in inches.

    Args:
        bases_a: n bases; make a :class:`BaseSet` once where this is asked often.
        poses_a: their poses, ``(n, 4)``, inches and degrees (:func:`to_inches`).
        bases_b: m bases.
        poses_b: their poses, ``(m, 4)``.

    Returns:
        ``(n, m)`` distances, 0 where two bases touch or overlap. An empty group gives an empty matrix.
    """
    matrix = separation_matrix(_as_set(bases_a).at(poses_a), _as_set(bases_b).at(poses_b))
    return np.maximum(matrix, 0.0, out=matrix)


def overlap_matrix(placed_a: Footprints, placed_b: Footprints) -> NDArray[np.bool_]:
    """Which of n and m footprints overlap (:func:`overlap`), ``(n, m)``."""
    a, b = placed_a, placed_b
    owners = np.arange(len(a), dtype=np.int64)
    hit: NDArray[np.bool_] = kernels().hits(a.rows, a.vertices, b.rows, b.vertices, owners, len(a), -TOLERANCE)
    return hit


def _as_set(bases: BaseSet | Sequence[Base]) -> BaseSet:
    return bases if isinstance(bases, BaseSet) else BaseSet.of(bases)


def polygon_relations(placed: Footprints, polygons: Polygons) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """How n footprints stand to p polygons, with numbers; where yes or no will do, the two functions below are faster.

    Returns:
        The least separation of each footprint from each polygon's edges, ``(n, p)``, inches, negative where it stands
        across an edge; and whether its centre lies inside, ``(n, p)``. So a base touches a polygon where
        ``inside | (least <= TOLERANCE)``, and is wholly within it where ``inside & (least >= -TOLERANCE)``.
    """
    least, inside = kernels().polygon_separations(placed.rows, placed.vertices, polygons.corners, polygons.starts)
    return least, inside


def touch_matrix(placed: Footprints, polygons: Polygons) -> NDArray[np.bool_]:
    """Which of n bases lie on or touch which of p polygons (:func:`touches_polygon`), ``(n, p)``."""
    hit, inside = _polygon_hits(placed, polygons, np.nextafter(TOLERANCE, 1.0))
    return hit | inside


def wholly_within_matrix(placed: Footprints, polygons: Polygons) -> NDArray[np.bool_]:
    """Which of n bases lie wholly within which of p polygons (:func:`wholly_within_polygon`), ``(n, p)``."""
    hit, inside = _polygon_hits(placed, polygons, -TOLERANCE)
    return inside & ~hit


def _polygon_hits(placed: Footprints, polygons: Polygons, margin: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    hit, inside = kernels().polygon_hits(placed.rows, placed.vertices, polygons.corners, polygons.starts, margin)
    return hit, inside


# Facings and arcs


class Arc(StrEnum):
    """The side of a model that something lies on."""

    FRONT = "front"
    LEFT = "left"
    RIGHT = "right"
    REAR = "rear"

    @property
    def is_side(self) -> bool:
        """Whether this is the left or the right."""
        return self is Arc.LEFT or self is Arc.RIGHT


def bearing(pose: Pose, point: Point) -> float:
    """The direction of a point as a model sees it, in degrees: 0 ahead, positive to the left, in (-180, 180].

    A point at the model's own centre is ahead.
    """
    if point[0] == pose.x and point[1] == pose.y:
        return 0.0
    degrees = math.degrees(math.atan2(point[1] - pose.y, point[0] - pose.x)) - pose.facing
    turned = (degrees + 180.0) % 360.0 - 180.0
    return 180.0 if turned == -180.0 else turned


def in_arc(pose: Pose, point: Point, width: float, centre: float = 0.0) -> bool:
    """Whether a point lies in an arc from a model's centre, its borders included.

    Args:
        pose: the model.
        point: the point, in inches.
        width: the whole angle of the arc, in degrees; 360 sees everything.
        centre: the direction of its middle from the facing, in degrees, positive to the left.
    """
    turned = bearing(pose._replace(facing=pose.facing + centre), point)
    return abs(turned) <= width / 2 + 1e-9


def base_in_arc(pose: Pose, base: Base, base_pose: Pose, width: float, centre: float = 0.0) -> bool:
    """Whether any part of a base lies in an arc from a model's centre; touching its border counts."""
    if width >= 360.0 or in_arc(pose, (base_pose.x, base_pose.y), width, centre):
        return True
    for side in (-width / 2, width / 2):
        radians = math.radians(pose.facing + centre + side)
        end = (pose.x + _FAR * math.cos(radians), pose.y + _FAR * math.sin(radians))
        if distance_edge_to_segment(base, base_pose, (pose.x, pose.y), end) <= TOLERANCE:
            return True
    return False


def arc_of(pose: Pose, point: Point, front: float = 90.0, rear: float = 90.0) -> Arc:
    """The side of a model that a point lies on.

    Args:
        pose: the model.
        point: the point, in inches; the model's own centre counts as its front.
        front: the whole angle of the front arc, in degrees.
        rear: the whole angle of the rear arc; what is left belongs to the sides.

    Returns:
        The arc; a point on a border is in the front before the side, and in the side before the rear.
    """
    turned = bearing(pose, point)
    if abs(turned) <= front / 2 + 1e-9:
        return Arc.FRONT
    if abs(turned) <= 180.0 - rear / 2 + 1e-9:
        return Arc.LEFT if turned > 0 else Arc.RIGHT
    return Arc.REAR


def corner_angle(base: Base) -> float:
    """The whole angle of the front arc between lines from the centre through the front corners, in degrees.

    A square gives 90, a hull twice as long as wide 53.13; the rear arc is as wide.
    """
    return 2 * math.degrees(math.atan2(base.width, base.length))
