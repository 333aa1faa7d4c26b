"""Compile the core's kernels before they are needed: for a server that starts, or tests that run in parallel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from battlewright.core.prisms import Prisms
from battlewright.core.shapes import (
    Base,
    BaseSet,
    Polygons,
    Pose,
    furthest_edge_from_point,
    separation,
    separation_matrix,
    touch_matrix,
    wholly_within_polygon,
)
from battlewright.core.sight import sight_line, visibility_matrix, visible_shares
from battlewright.core.sweeps import Sweeps

__all__ = ["CHAPTERS", "in_parts", "warm_up"]

_SQUARE: Final = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def warm_up() -> None:
    """Compile the geometry, the moves and the sight, or load them when that was done before.

    The first time takes some twenty seconds of one core; the result is kept on disk beside the modules.
    """
    for _ in in_parts():
        pass


def in_parts() -> Iterator[None]:
    """:func:`warm_up`, a kernel or two at a time, for who must not be silent for all of it on a busy machine."""
    for chapter in CHAPTERS.values():
        yield from chapter()


def _bases() -> tuple[BaseSet, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """One base of each kind, and where they stand."""
    bases = BaseSet.of([Base.round(32), Base.oval(60, 35), Base.rectangle(4, 3)])
    return bases, np.array([[1, 1, 0, 0], [12, 5, 0, 30], [24, 9, 0, 60]], dtype=np.float64)


def _measuring() -> Iterator[None]:
    bases, poses = _bases()
    placed, square = bases.at(poses), Polygons.of([_SQUARE])
    separation_matrix(placed, placed)
    yield
    touch_matrix(placed, square)
    yield
    separation(bases.bases[0], Pose(1, 1), bases.bases[1], Pose(9, 9))
    wholly_within_polygon(bases.bases[0], Pose(1, 1), _SQUARE)
    furthest_edge_from_point(bases.bases[1], Pose(1, 1), (0.0, 0.0))
    yield
    sweeps = Sweeps.straight(bases, poses, poses + 1)
    sweeps.hit(placed)
    sweeps.stay_on(44.0, 60.0)
    yield
    from battlewright.core import move_kernels

    owners, blocks = np.arange(3), np.zeros((3, 3), dtype=np.bool_)
    keep_off, stopped = np.zeros(3), np.zeros(3, dtype=np.bool_)
    rows, vertices, others, their_vertices = bases.rows, bases.vertices, placed.rows, placed.vertices
    corners, starts, boxes = square.corners, square.starts, np.array([[0.0, 0.0, 9.0, 9.0]])
    move_kernels.free_poses(
        rows, vertices, owners, poses, others, their_vertices, keep_off, corners, starts, boxes, 44.0, 60.0, 0.0
    )
    yield
    move_kernels.free_legs(
        rows, vertices, owners, poses, poses + 1, others, their_vertices, blocks, corners, starts, boxes, stopped,
        44.0, 60.0, 0.0,
    )  # fmt: skip
    yield
    move_kernels.move_is_free(
        rows, vertices, poses, keep_off, owners, poses, others, blocks, stopped, corners, starts, boxes, others,
        their_vertices, keep_off, corners, starts, boxes, 44.0, 60.0, 2.0, 9.0, 0.0,
    )  # fmt: skip
    yield


def _seeing() -> Iterator[None]:
    bases, poses = _bases()
    bodies, walls = Prisms.of_models(bases, poses, 1.5), Prisms.of_polygons([_SQUARE], 0.0, 1.0)
    visibility_matrix(bodies, bodies, walls)
    yield
    visible_shares(bodies, bodies, walls)
    yield
    sight_line(bodies.take([0]), bodies.take([1]), walls)
    yield


CHAPTERS: Final[Mapping[str, Callable[[], Iterator[None]]]] = MappingProxyType(
    {"measuring": _measuring, "seeing": _seeing}
)
"""The kernels that go together, by what they do; each chapter can be compiled by a process of its own."""
