"""Paths: what a moving base passes over.

A path is a sequence of poses. From one to the next the base slides along a straight line with its facing kept, then
turns about its centre, the shorter way, to the next facing. The slide of any base is exact. A turn of an oval or a hull
is covered in steps of at most 5 degrees by shapes that hold all of it and reach at most 0.001 of its size beyond.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, Polygon, Pose
from battlewright.core.footprints import COS, DX, DY, SIN, SIN_2, BaseSet, Footprints, Polygons, X, Y, turn_rows
from battlewright.core.shapes import TOLERANCE, inside_rectangle, kernels

__all__ = ["Sweeps", "path_climb", "path_crosses_polygon", "path_hits", "path_length", "path_stays_on"]

TURN_STEP: Final = 5.0
"""The widest turn, in degrees, that one shape covers."""

PathLike = Sequence[Pose] | NDArray[np.float64]


def path_length(path: Sequence[Pose]) -> float:
    """The horizontal length of a path, in inches: its straight lines added up; 0 for an empty path or one pose."""
    return sum(math.hypot(q.x - p.x, q.y - p.y) for p, q in itertools.pairwise(path))


def path_climb(path: Sequence[Pose]) -> float:
    """The height that a path climbs and descends, added up, in inches."""
    return sum(abs(q.z - p.z) for p, q in itertools.pairwise(path))


@dataclass(frozen=True, slots=True, eq=False)
class Sweeps:
    """All that n models pass over on their paths.

    Attributes:
        placed: the swept footprints, one for each leg and step of a turn.
        owners: which path each of them belongs to.
        paths: how many paths there are.
    """

    placed: Footprints
    owners: NDArray[np.int64]
    paths: int

    @classmethod
    def of(cls, bases: BaseSet, paths: Sequence[PathLike]) -> Sweeps:
        """The sweeps of n bases along n paths, each of one pose or more, ``(k, 4)``, in inches and degrees.

        A path of one pose is the base standing there.
        """
        if not len(paths):
            return cls(bases.at(np.zeros((0, 4))), np.zeros(0, dtype=np.int64), 0)
        poses = np.concatenate([np.asarray(path, dtype=np.float64) for path in paths])
        lengths = np.array([len(path) for path in paths])
        owners = np.repeat(np.arange(len(paths)), lengths)
        ends = np.arange(len(poses))
        firsts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        starts = ends - 1
        starts[firsts] = firsts
        keep = (starts != ends) | (lengths[owners] == 1)
        starts, ends, owners = starts[keep], ends[keep], owners[keep]
        return cls(*_legs(bases, poses[starts], poses[ends], owners), len(paths))

    @classmethod
    def straight(cls, bases: BaseSet, starts: NDArray[np.float64], ends: NDArray[np.float64]) -> Sweeps:
        """The sweeps of n bases along one leg each, from poses ``(n, 4)`` to poses ``(n, 4)``."""
        return cls(*_legs(bases, starts, ends, np.arange(len(bases))), len(bases))

    @classmethod
    def legs(
        cls,
        bases: BaseSet,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        owners: NDArray[np.intp],
    ) -> Sweeps:
        """The sweeps of n bases along l legs in all, from poses ``(l, 4)`` to poses ``(l, 4)``.

        Leg i is part of the path of base ``owners[i]``; a base may have any number of legs.
        """
        return cls(*_legs(bases, starts, ends, owners), len(bases))

    def hit(self, obstacles: Footprints, margin: float = -TOLERANCE) -> NDArray[np.bool_]:
        """Which of m obstacles each path passes over, ``(n, m)``; brushing along one is not passing over it.

        A positive margin, in inches, asks instead which of them the path comes nearer to than that.
        """
        a, b = self.placed, obstacles
        hit: NDArray[np.bool_] = kernels().hits(
            a.rows, a.vertices, b.rows, b.vertices, self.owners, self.paths, float(margin)
        )
        return hit

    def cross(self, polygons: Polygons, margin: float = -TOLERANCE) -> NDArray[np.bool_]:
        """Which of p polygons each path passes over, ``(n, p)``; brushing along an edge is not passing over it."""
        a, b = self.placed, polygons
        hit, inside = kernels().polygon_hits(a.rows, a.vertices, b.corners, b.starts, float(margin))
        crossed = np.zeros((self.paths, len(polygons)), dtype=np.bool_)
        legs, where = np.nonzero(hit | inside)
        crossed[self.owners[legs], where] = True
        return crossed

    def stay_on(self, width: float, height: float) -> NDArray[np.bool_]:
        """Which paths keep wholly on a table of this size in inches, its corner in the origin, ``(n,)``."""
        on = np.ones(self.paths, dtype=np.bool_)
        on[self.owners[~inside_rectangle(self.placed, width, height)]] = False
        return on


def _legs(
    bases: BaseSet, starts: NDArray[np.float64], ends: NDArray[np.float64], owners: NDArray[np.intp]
) -> tuple[Footprints, NDArray[np.int64]]:
    """The slides from poses to poses, and after them the turns of what is not round."""
    rows = bases.rows[owners]
    rows[:, X : Y + 1] = starts[:, :2]
    rows[:, DX : DY + 1] = ends[:, :2] - starts[:, :2]
    owners = np.asarray(owners, dtype=np.int64)
    if bases.round.all():
        return Footprints(rows, bases.vertices), owners
    turn_rows(rows, starts[:, 3], starts[:, 3])
    turns = (ends[:, 3] - starts[:, 3] + 180.0) % 360.0 - 180.0
    pieces, owned = [rows], [owners]
    for leg in np.flatnonzero((turns != 0.0) & ~bases.round[owners]):
        steps = math.ceil(abs(turns[leg]) / TURN_STEP)
        angles = starts[leg, 3] + np.linspace(0.0, turns[leg], steps + 1)
        piece = np.repeat(bases.rows[owners[leg]][None], steps, axis=0)
        piece[:, X : Y + 1] = ends[leg, :2]
        turn_rows(piece, angles[:-1], angles[1:])
        # A pair (cos, sin) of length k enlarges the shape k times: enough to hold the arcs between the two angles.
        piece[:, COS : SIN + 1] /= math.cos(math.radians(turns[leg] / steps / 2))
        piece[:, SIN_2 - 1 : SIN_2 + 1] /= math.cos(math.radians(turns[leg] / steps / 2))
        pieces.append(piece)
        owned.append(np.full(steps, owners[leg]))
    return Footprints(np.concatenate(pieces), bases.vertices), np.concatenate(owned)


def path_hits(base: Base, path: Sequence[Pose], others: Sequence[tuple[Base, Pose]]) -> list[bool]:
    """Which of some standing bases one base passes over on its path; brushing along one is not passing over it."""
    placed = BaseSet.of([other for other, _ in others]).at(np.array([pose for _, pose in others]).reshape(-1, 4))
    return [bool(hit) for hit in Sweeps.of(BaseSet.of([base]), [path]).hit(placed)[0]]


def path_crosses_polygon(base: Base, path: Sequence[Pose], polygon: Polygon) -> bool:
    """Whether one base passes over a polygon on its path; brushing along its edge from outside is not passing over."""
    return bool(Sweeps.of(BaseSet.of([base]), [path]).cross(Polygons.of([polygon]))[0, 0])


def path_stays_on(base: Base, path: Sequence[Pose], width: float, height: float) -> bool:
    """Whether one base keeps wholly on the table on its path."""
    return bool(Sweeps.of(BaseSet.of([base]), [path]).stay_on(width, height)[0])
