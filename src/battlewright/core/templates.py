"""Markers and templates laid over bases: round blast markers and the teardrop of a flamer.

A template is a footprint like a base, so :func:`covered` asks any of them the same question. Which models a partly
covered base makes hit, and whether the centre counts, is an edition's.
"""

from __future__ import annotations

import itertools
import math
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, BaseKind, Point, Pose
from battlewright.core.footprints import COLUMNS, KIND, REACH, TEARDROP, A, B, Footprints, X, Y, disc, turn_rows
from battlewright.core.shapes import TOLERANCE, distance_edge_to_point, kernels

__all__ = ["Cover", "blast", "candidate_centres", "covered", "covered_share", "is_under_centre", "shifted", "teardrop"]

Floats = NDArray[np.float64]

TEARDROP_LENGTH: Final = 8.0
TEARDROP_WIDTH: Final = 2.5
_CORNERS: Final = 256


class Cover(IntEnum):
    """How much of a base lies under a template."""

    NONE = 0
    PARTLY = 1
    FULLY = 2


def blast(centre: Point, diameter: float) -> Footprints:
    """A round marker of this diameter, in inches, about a point."""
    row, vertices = disc(centre, diameter / 2)
    return Footprints(row[None], vertices)


def teardrop(tip: Point, degrees: float, length: float = TEARDROP_LENGTH, width: float = TEARDROP_WIDTH) -> Footprints:
    """A flamer's template: its narrow end at ``tip``, pointing along ``degrees``; inches.

    It is the hull of the tip and of a disc as broad as its broad end.
    """
    row = np.zeros((1, COLUMNS))
    row[0, [X, Y]] = tip
    row[0, KIND], row[0, A], row[0, B], row[0, REACH] = TEARDROP, width / 2, length - width / 2, length
    turn_rows(row, np.array([degrees]), np.array([degrees]))
    return Footprints(row, np.zeros((0, 2)))


def covered(template: Footprints, placed: Footprints) -> NDArray[np.int8]:
    """How much of n bases lies under one template, ``(n,)`` of :class:`Cover`; a touched base is partly under."""
    module = kernels()
    cover = np.zeros(len(placed), dtype=np.int8)
    gaps = module.separations(template.rows, template.vertices, placed.rows, placed.vertices)[0]
    for i in np.flatnonzero(gaps <= TOLERANCE):
        beyond = module.excess(placed.rows[i], placed.vertices, template.rows[0], template.vertices)
        cover[i] = Cover.FULLY if beyond <= TOLERANCE else Cover.PARTLY
    return cover


def is_under_centre(centre: Point, base: Base, pose: Pose) -> bool:
    """Whether the hole in the middle of a marker lies over a base, its edge included."""
    return distance_edge_to_point(base, pose, centre) <= TOLERANCE


def shifted(point: Point, degrees: float, inches: float) -> Point:
    """A point moved along a direction, as a marker that scatters."""
    return point[0] + inches * math.cos(math.radians(degrees)), point[1] + inches * math.sin(math.radians(degrees))


def candidate_centres(placed: Footprints, diameter: float) -> Floats:
    """Centres ``(k, 2)`` among which there is one whose marker touches as many of n round bases as any can.

    The bases' own centres, and the points where a marker just touches two bases. For other bases the circle about them
    stands in, so that the best of these centres may be missed by a little. No bases: no centres.
    """
    middles, reach = placed.rows[:, X : Y + 1], placed.rows[:, REACH] + diameter / 2
    first, second = np.triu_indices(len(placed), 1)
    apart = middles[second] - middles[first]
    square = (apart**2).sum(axis=1)
    meets = (square > 0) & (square <= (reach[first] + reach[second]) ** 2)
    first, second, apart, square = first[meets], second[meets], apart[meets], square[meets]
    along = (square + reach[first] ** 2 - reach[second] ** 2) / (2 * square)
    aside = np.sqrt(np.maximum(reach[first] ** 2 / square - along**2, 0.0))
    foot, across = middles[first] + along[:, None] * apart, np.column_stack([-apart[:, 1], apart[:, 0]])
    return np.concatenate([middles, foot + aside[:, None] * across, foot - aside[:, None] * across])


def covered_share(centre: Point, diameter: float, base: Base, pose: Pose) -> float:
    """The share of a base's area that lies under a round marker, from 0 to 1; ovals and rounds to within 0.0002."""
    if base.kind is BaseKind.HULL:
        corners = np.array(base.outline)
    else:
        turns = np.arange(_CORNERS) * (2 * math.pi / _CORNERS)
        corners = np.column_stack([np.cos(turns) * base.length / 2, np.sin(turns) * base.width / 2])
    angle = math.radians(pose.facing)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    placed = corners @ turn.T + (pose.x - centre[0], pose.y - centre[1])
    whole = _area_in_disc(placed, math.inf)
    return min(1.0, max(0.0, round(_area_in_disc(placed, diameter / 2) / whole, 9)))


def _area_in_disc(corners: Floats, radius: float) -> float:
    """The area that a counter-clockwise polygon shares with the disc of this radius about the origin."""
    total = 0.0
    for p, q in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if math.isinf(radius):
            total += (p[0] * q[1] - p[1] * q[0]) / 2
            continue
        edge = q - p
        square, along = float(edge @ edge), float(p @ edge)
        rest = along * along - square * (float(p @ p) - radius * radius)
        cuts = [0.0, 1.0]
        if rest > 0.0:
            root = math.sqrt(rest)
            cuts = [0.0, *(t for t in ((-along - root) / square, (-along + root) / square) if 0.0 < t < 1.0), 1.0]
        for s, t in itertools.pairwise(cuts):
            a, b = p + s * edge, p + t * edge
            middle = (a + b) / 2
            turn = float(a[0] * b[1] - a[1] * b[0])
            if middle @ middle <= radius * radius:
                total += turn / 2
            else:
                total += radius * radius * math.atan2(turn, float(a @ b)) / 2
    return total
