"""Many bases at once, as the arrays that the compiled geometry reads.

A :class:`BaseSet` is made once from the bases of an army or a battle; :meth:`BaseSet.at` puts it down at poses and
gives :class:`Footprints`. The columns of a row are named here and explained in ``kernels``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, BaseKind, Point, Polygon, Pose

__all__ = ["BaseSet", "Footprints", "Polygons", "disc", "footprint", "segment"]

Floats = NDArray[np.float64]

KIND: Final = 0
X: Final = 1
Y: Final = 2
COS: Final = 3
SIN: Final = 4
A: Final = 5
B: Final = 6
START: Final = 7
COUNT: Final = 8
DX: Final = 9
DY: Final = 10
COS_2: Final = 11
SIN_2: Final = 12
REACH: Final = 13
COLUMNS: Final = 14

POINT: Final = 0.0
ELLIPSE: Final = 1.0
POLYGON: Final = 2.0
TEARDROP: Final = 3.0

_NO_VERTICES: Final = np.zeros((0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Footprints:
    """Bases put down at poses, ready for the compiled geometry.

    Attributes:
        rows: ``(n, COLUMNS)``, one footprint a row.
        vertices: ``(v, 2)``, the corners of all hulls about their centres.
    """

    rows: Floats
    vertices: Floats

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def are_still_and_round(self) -> bool:
        """Whether all of them are discs that stand still, so that a closed form measures them."""
        return not (self.rows[:, KIND].any() or self.rows[:, DX : DY + 1].any())

    def take(self, which: NDArray[np.bool_] | NDArray[np.intp] | Sequence[int]) -> Footprints:
        """Some of the footprints, by mask or index."""
        return Footprints(self.rows[which], self.vertices)

    def swept(self, vectors: Floats) -> Footprints:
        """The footprints swept along vectors ``(n, 2)`` in inches, their facing kept."""
        rows = self.rows.copy()
        rows[:, DX : DY + 1] = vectors
        return Footprints(rows, self.vertices)


@dataclass(frozen=True, slots=True, eq=False)
class BaseSet:
    """A fixed sequence of bases, as arrays.

    Attributes:
        bases: the bases themselves.
        rows: ``(n, COLUMNS)``, their footprints at the origin, facing along x.
        vertices: the corners of the hulls among them.
        round: ``(n,)``, which are round.
    """

    bases: tuple[Base, ...]
    rows: Floats
    vertices: Floats
    round: NDArray[np.bool_]

    @classmethod
    def of(cls, bases: Sequence[Base]) -> BaseSet:
        """The set of these bases, in this order; it may be empty."""
        rows = np.zeros((len(bases), COLUMNS))
        corners: list[Point] = []
        for row, base in zip(rows, bases, strict=True):
            row[[COS, COS_2]] = 1.0
            row[REACH] = base.reach
            if base.kind is BaseKind.HULL:
                row[KIND], row[START], row[COUNT] = POLYGON, len(corners), len(base.outline)
                corners.extend(base.outline)
            else:
                row[KIND] = POINT if base.kind is BaseKind.ROUND else ELLIPSE
                row[A], row[B] = base.length / 2, base.width / 2
        vertices = np.array(corners, dtype=np.float64) if corners else _NO_VERTICES
        return cls(tuple(bases), rows, vertices, rows[:, KIND] == POINT)

    def __len__(self) -> int:
        return len(self.bases)

    def take(self, indices: Sequence[int] | NDArray[np.intp]) -> BaseSet:
        """Some of the bases, by index, in the order given; an index may come twice."""
        index = np.asarray(indices, dtype=np.intp)
        return BaseSet(tuple(self.bases[i] for i in index), self.rows[index], self.vertices, self.round[index])

    def at(self, poses: Floats) -> Footprints:
        """The bases put down at poses ``(n, 4)``: x, y, z in inches and facing in degrees."""
        return self._put(self.rows.copy(), poses)

    def some_at(self, indices: Sequence[int] | NDArray[np.intp], poses: Floats) -> Footprints:
        """Some of the bases, by index, put down at poses ``(k, 4)``; an index may come as often as one likes."""
        return self._put(self.rows[np.asarray(indices, dtype=np.intp)], poses)

    def _put(self, rows: Floats, poses: Floats) -> Footprints:
        rows[:, X : Y + 1] = poses[:, :2]
        if rows[:, KIND].any():
            turn_rows(rows, poses[:, 3], poses[:, 3])
        return Footprints(rows, self.vertices)


@dataclass(frozen=True, slots=True, eq=False)
class Polygons:
    """Simple polygons, as arrays.

    Attributes:
        corners: ``(v, 2)``, the corners of all of them in inches.
        starts: ``(p + 1,)``: polygon k is ``corners[starts[k]:starts[k + 1]]``.
    """

    corners: Floats
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, polygons: Sequence[Polygon]) -> Polygons:
        """These polygons, in this order; there may be none."""
        corners = [corner for polygon in polygons for corner in polygon]
        starts = np.cumsum([0, *(len(polygon) for polygon in polygons)], dtype=np.int64)
        return cls(np.array(corners, dtype=np.float64).reshape(-1, 2), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1


def turn_rows(rows: Floats, first: Floats, second: Floats) -> None:
    """Set the two angles of footprints, in degrees; round ones are left alone, since a turn changes nothing."""
    turning = rows[:, KIND] != POINT
    for angles, column in ((first, COS), (second, COS_2)):
        radians = np.radians(angles[turning])
        rows[turning, column], rows[turning, column + 1] = np.cos(radians), np.sin(radians)


def footprint(base: Base, pose: Pose) -> tuple[Floats, Floats]:
    """One base at one pose: its row and its vertices."""
    placed = BaseSet.of([base]).at(np.array([pose], dtype=np.float64))
    return placed.rows[0], placed.vertices


def disc(centre: Point, radius: float) -> tuple[Floats, Floats]:
    """A disc as a footprint; a radius of 0 makes it a point."""
    row = np.zeros(COLUMNS)
    row[[X, Y, COS, COS_2, A, B, REACH]] = (*centre, 1.0, 1.0, radius, radius, radius)
    return row, _NO_VERTICES


def segment(start: Point, end: Point) -> tuple[Floats, Floats]:
    """A straight segment as a footprint; its ends may be the same point."""
    row, vertices = disc(start, 0.0)
    row[[DX, DY]] = end[0] - start[0], end[1] - start[1]
    return row, vertices
