"""Compile the core's kernels before they are needed: for a server that starts, or tests that run in parallel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from battlewright.core.shapes import (
    Base,
    BaseSet,
    Polygons,
    Pose,
    furthest_edge_from_point,
    separation_matrix,
    touch_matrix,
    wholly_within_polygon,
)
from battlewright.core.sight import Prisms, sight_line, visibility_matrix, visible_shares
from battlewright.core.sweeps import Sweeps

__all__ = ["in_parts", "warm_up"]


def warm_up() -> None:
    """Compile the geometry and the sight, or load them when that was done before.

    The first time takes some ten seconds of one core; the result is kept on disk beside the modules.
    """
    for _ in in_parts():
        pass


def in_parts() -> Iterator[None]:
    """:func:`warm_up`, a kernel or two at a time, for who must not be silent for all of it on a busy machine."""
    square = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    bases = BaseSet.of([Base.round(32), Base.oval(60, 35), Base.rectangle(4, 3)])
    poses = np.array([[1, 1, 0, 0], [12, 5, 0, 30], [24, 9, 0, 60]], dtype=np.float64)
    placed = bases.at(poses)
    separation_matrix(placed, placed)
    yield
    touch_matrix(placed, Polygons.of([square]))
    yield
    wholly_within_polygon(bases.bases[0], Pose(1, 1), square)
    furthest_edge_from_point(bases.bases[1], Pose(1, 1), (0.0, 0.0))
    yield
    sweeps = Sweeps.straight(bases, poses, poses + 1)
    sweeps.hit(placed)
    sweeps.stay_on(44, 60)
    yield
    bodies, walls = Prisms.of_models(bases, poses, 1.5), Prisms.of_polygons([square], 0.0, 1.0)
    visibility_matrix(bodies, bodies, walls)
    yield
    visible_shares(bodies, bodies, walls)
    yield
    sight_line(bodies.take([0]), bodies.take([1]), walls)
