"""Sight in two and a half dimensions: what one upright body sees of another past upright obstacles.

Editions decide what blocks (curtains over terrain areas, features with their true heights, other models) and hand it in
as :class:`Prisms`; this module answers :class:`Visibility`. It knows no rule.

What is decided:

- A line of sight is 1 mm thick and joins some part of the observer to some part of the target. *Part* is any height of
  the body over any point of its footprint; an observer of no radius and no height is an eye.
- The target is partly visible when any line is free. It is fully visible when every part that faces the observer is: a
  part faces the observer when the observer's centre would see it with nothing in between, from its foot to its top. The
  two bodies themselves never block.
- An obstacle that a line only touches does not block, except that one as tall as both bodies hides them from each
  other. A gap must let a line of 1 mm through.

How: nothing in the corridor between two bodies leaves the target fully visible; one convex obstacle right across it
hides it. Otherwise points of the target's facing outline are asked, the ends first, no more than SPACING apart. From
each of them every direction towards the observer is considered at once: each obstacle covers an interval of slopes, and
the point is seen if they leave a gap. Where heights matter the same is done upright for each stretch of directions.
When no point is seen, points of the observer are asked for the target too, so that seeing is mutual.

Resolution: a target is never called visible without a free line (:func:`sight_line` shows one). A view narrower than
SPACING on both bodies may be missed, and what is hidden between two sampled points may be. Under or over obstacles that
do not stand on the ground, LEVELS heights are asked. Both numbers stand in ``sight_kernels``.
"""

from __future__ import annotations

import math
from enum import IntEnum
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battlewright.core.prisms import GROUP, Prisms

__all__ = [
    "Visibility",
    "sight_line",
    "visibility",
    "visibility_matrix",
    "visible_shares",
]

Floats = NDArray[np.float64]
Point3 = tuple[float, float, float]


class Visibility(IntEnum):
    """How much of a target is seen."""

    NONE = 0
    PARTIAL = 1
    FULL = 2


@lru_cache(maxsize=1)
def _kernels() -> ModuleType:
    """The compiled sight, loaded when it is first needed."""
    from battlewright.core import sight_kernels

    return sight_kernels


def visibility_matrix(
    observers: Prisms,
    targets: Prisms,
    obstacles: Prisms,
    ignored_by_observers: NDArray[np.bool_] | None = None,
    ignored_by_targets: NDArray[np.bool_] | None = None,
) -> NDArray[np.int8]:
    """What each of n observers sees of each of m targets.

    Args:
        observers: n bodies.
        targets: m bodies.
        obstacles: what blocks; it must not hold an observer or a target, unless left out by its group.
        ignored_by_observers: ``(n, groups)``: the groups of obstacles that each observer's lines pass freely.
        ignored_by_targets: ``(m, groups)``: those that lines to each target pass freely.

    Returns:
        ``(n, m)`` of :class:`Visibility`. No obstacles: all FULL. Bodies one above the other see each other unless an
        obstacle lies between. An empty group gives an empty matrix.
    """
    ignored_a, ignored_b = _ignored(observers, targets, obstacles, ignored_by_observers, ignored_by_targets)
    result: NDArray[np.int8] = _kernels().matrix(*_bundles(observers, targets, obstacles), ignored_a, ignored_b)
    return result


def visibility(observer: Prisms, target: Prisms, obstacles: Prisms) -> Visibility:
    """What one body sees of another; see :func:`visibility_matrix`."""
    return Visibility(int(visibility_matrix(observer, target, obstacles)[0, 0]))


def visible_shares(
    observers: Prisms,
    targets: Prisms,
    obstacles: Prisms,
    ignored_by_observers: NDArray[np.bool_] | None = None,
    ignored_by_targets: NDArray[np.bool_] | None = None,
    *,
    levels: int = 8,
) -> NDArray[np.float64]:
    """How much of each target's facing side each observer sees, ``(n, m)``, from 0 to 1.

    The side is asked in columns at most SPACING apart, weighed by how wide they look, and ``levels`` heights. Arguments
    are those of :func:`visibility_matrix`.
    """
    ignored_a, ignored_b = _ignored(observers, targets, obstacles, ignored_by_observers, ignored_by_targets)
    result: NDArray[np.float64] = _kernels().shares(
        *_bundles(observers, targets, obstacles), ignored_a, ignored_b, levels
    )
    return result


def sight_line(observer: Prisms, target: Prisms, obstacles: Prisms) -> tuple[Point3, Point3] | None:
    """A free line from one body to another, in inches, or None; there is one wherever the target is visible."""
    ignored = np.zeros(_groups(obstacles), dtype=np.bool_)
    bundle, (walls,) = _kernels().Prism, _bundles(obstacles)
    ends = [bundle(body.rows[0], body.vertices) for body in (observer, target)]
    line = _kernels().line_between(*ends, walls, ignored, ignored)
    if math.isnan(line[0]):
        return None
    start, end = (tuple(float(value) for value in part) for part in (line[:3], line[3:]))
    return (start[0], start[1], start[2]), (end[0], end[1], end[2])


def _bundles(*groups: Prisms) -> tuple[Any, ...]:
    """The groups as the compiled sight takes them."""
    bundle = _kernels().Walls
    return tuple(bundle(group.rows, group.vertices) for group in groups)


def _groups(obstacles: Prisms) -> int:
    return int(obstacles.rows[:, GROUP].max(initial=-1.0)) + 1


def _ignored(
    observers: Prisms,
    targets: Prisms,
    obstacles: Prisms,
    by_observers: NDArray[np.bool_] | None,
    by_targets: NDArray[np.bool_] | None,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The two masks, wide enough for every group of the obstacles."""
    groups = _groups(obstacles)
    masks = []
    for bodies, mask in ((observers, by_observers), (targets, by_targets)):
        if mask is None:
            masks.append(np.zeros((len(bodies), groups), dtype=np.bool_))
        elif mask.shape[1] < groups:
            masks.append(np.pad(mask, ((0, 0), (0, groups - mask.shape[1]))))
        else:
            masks.append(np.ascontiguousarray(mask))
    return masks[0], masks[1]
