"""Compiled questions of placing bases: may legs be walked, may poses be stood on, does a group hold together.

They answer yes or no for many legs or poses at once, for bases on the level of the table, and leave reasons and heights
to their callers. Import it only where it is first needed (it loads Numba). Frames and columns are those of ``kernels``.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from battlewright.core.compiling import kernel, part
from battlewright.core.footprints import (
    COLUMNS,
    COS,
    COS_2,
    DX,
    DY,
    KIND,
    POINT,
    REACH,
    SIN,
    SIN_2,
    A,
    X,
    Y,
)
from battlewright.core.kernels import _edge, _is_inside, _may_meet, _nearest_on_segment, separation, support

__all__ = ["free_legs", "free_poses", "move_is_free"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]


@part
def _put(base: Floats, pose: Floats, row: Floats) -> None:
    """Write a base at a pose (x, y, z in inches, facing in degrees) into a row, standing still."""
    row[:] = base
    row[X], row[Y], row[DX], row[DY] = pose[0], pose[1], 0.0, 0.0
    if base[KIND] != POINT:
        angle = math.radians(pose[3])
        row[COS] = row[COS_2] = math.cos(angle)
        row[SIN] = row[SIN_2] = math.sin(angle)


@part
def _is_on(row: Floats, vertices: Floats, width: float, height: float, margin: float) -> bool:
    radius = margin - (row[A] if row[KIND] == POINT else 0.0)
    return bool(
        support(row, vertices, 1.0, 0.0)[0] <= width + radius
        and support(row, vertices, -1.0, 0.0)[0] >= -radius
        and support(row, vertices, 0.0, 1.0)[1] <= height + radius
        and support(row, vertices, 0.0, -1.0)[1] >= -radius
    )


@part
def _touches_any(
    row: Floats, vertices: Floats, corners: Floats, starts: Integers, boxes: Floats, margin: float, edge: Floats
) -> bool:
    """Whether a footprint comes nearer to one of the polygons than the margin; ``boxes`` (p, 4) hold them."""
    x0, x1 = min(row[X], row[X] + row[DX]) - row[REACH], max(row[X], row[X] + row[DX]) + row[REACH]
    y0, y1 = min(row[Y], row[Y] + row[DY]) - row[REACH], max(row[Y], row[Y] + row[DY]) + row[REACH]
    for k in range(starts.shape[0] - 1):
        if boxes[k, 0] > x1 or boxes[k, 2] < x0 or boxes[k, 1] > y1 or boxes[k, 3] < y0:
            continue
        if _is_inside(row[X], row[Y], corners, starts[k], starts[k + 1]):
            return True
        j = starts[k + 1] - 1
        for i in range(starts[k], starts[k + 1]):
            _edge(corners, j, i, edge)
            if _may_meet(row, edge, margin) and separation(row, vertices, edge, vertices) < margin:
                return True
            j = i
    return False


@kernel
def free_legs(
    bases: Floats,
    vertices: Floats,
    owners: Integers,
    starts: Floats,
    ends: Floats,
    others: Floats,
    other_vertices: Floats,
    blocks: Booleans,
    corners: Floats,
    polygon_starts: Integers,
    boxes: Floats,
    stopped: Booleans,
    width: float,
    height: float,
    margin: float,
) -> Booleans:
    """Which straight legs ``(l, 4)`` to ``(l, 4)`` may be walked, ``(l,)``.

    A leg is walked by base ``owners[i]`` of ``bases`` and is refused when it leaves the table, overlaps by more than
    the margin a footprint of ``others`` that blocks its base (``blocks``, (n, m)), or, where ``stopped`` (n,), one of
    the polygons. A leg at whose end a base that is not round turns is refused too: ask the sweeps.
    """
    free = np.zeros(owners.shape[0], dtype=np.bool_)
    row, edge = np.zeros(COLUMNS), np.zeros(COLUMNS)
    for leg in range(owners.shape[0]):
        i = owners[leg]
        _put(bases[i], starts[leg], row)
        if row[KIND] != POINT and starts[leg, 3] != ends[leg, 3]:
            continue
        row[DX], row[DY] = ends[leg, 0] - starts[leg, 0], ends[leg, 1] - starts[leg, 1]
        if not _is_on(row, vertices, width, height, margin):
            continue
        is_free = True
        x, y, dx, dy = row[X], row[Y], row[DX], row[DY]
        for j in range(others.shape[0]):
            if not blocks[i, j]:
                continue
            # Scalars first: taking a row out of an array costs more than this whole test.
            vx, vy = _nearest_on_segment(
                x - others[j, X], y - others[j, Y], x + dx - others[j, X], y + dy - others[j, Y]
            )
            reach = row[REACH] + others[j, REACH] - margin
            if vx * vx + vy * vy < reach * reach and (
                (row[KIND] == POINT and others[j, KIND] == POINT)
                or separation(row, vertices, others[j], other_vertices) < -margin
            ):
                is_free = False
                break
        if is_free and stopped[i]:
            is_free = not _touches_any(row, vertices, corners, polygon_starts, boxes, -margin, edge)
        free[leg] = is_free
    return free


@kernel
def free_poses(
    bases: Floats,
    vertices: Floats,
    owners: Integers,
    poses: Floats,
    others: Floats,
    other_vertices: Floats,
    keep_off: Floats,
    corners: Floats,
    polygon_starts: Integers,
    boxes: Floats,
    width: float,
    height: float,
    margin: float,
) -> Booleans:
    """Which poses ``(k, 4)`` of bases ``owners`` may be stood on, ``(k,)``.

    A pose is refused when it is not wholly on the table, lies on one of the polygons by more than the margin, or is
    nearer to a footprint of ``others`` than, or exactly as near as, its ``keep_off`` (m,) says.
    """
    free = np.zeros(owners.shape[0], dtype=np.bool_)
    row, edge = np.zeros(COLUMNS), np.zeros(COLUMNS)
    for k in range(owners.shape[0]):
        _put(bases[owners[k]], poses[k], row)
        if not _is_on(row, vertices, width, height, margin):
            continue
        is_free = True
        x, y = row[X], row[Y]
        for j in range(others.shape[0]):
            vx, vy = x - others[j, X], y - others[j, Y]
            reach = row[REACH] + others[j, REACH] + keep_off[j]
            if (
                reach >= 0.0
                and vx * vx + vy * vy <= reach * reach
                and separation(row, vertices, others[j], other_vertices) <= keep_off[j]
            ):
                is_free = False
                break
        free[k] = is_free and not _touches_any(row, vertices, corners, polygon_starts, boxes, -margin, edge)
    return free


@part
def group_holds(bases: Floats, vertices: Floats, poses: Floats, near: float, spread: float, margin: float) -> bool:
    """Whether bases at poses ``(n, 4)`` are clear of each other, none further from another than ``spread``, and joined
    into one group by steps of at most ``near``; inches, each with the margin of tolerance."""
    count = poses.shape[0]
    rows = np.zeros((count, COLUMNS))
    for i in range(count):
        _put(bases[i], poses[i], rows[i])
    group = np.arange(count)
    groups = count
    for i in range(count):
        for j in range(i):
            if rows[i, KIND] == POINT and rows[j, KIND] == POINT:
                gap = math.sqrt((rows[i, X] - rows[j, X]) ** 2 + (rows[i, Y] - rows[j, Y]) ** 2)
                gap -= rows[i, A] + rows[j, A]
            else:
                gap = separation(rows[i], vertices, rows[j], vertices)
            if gap < -margin or gap > spread + margin:
                return False
            if gap <= near + margin and group[i] != group[j]:
                old, new = group[i], group[j]
                for k in range(count):
                    if group[k] == old:
                        group[k] = new
                groups -= 1
    return bool(groups <= 1)


@kernel
def move_is_free(
    bases: Floats,
    vertices: Floats,
    standing: Floats,
    reach: Floats,
    owners: Integers,
    ends: Floats,
    blockers: Floats,
    blocks: Booleans,
    stopped: Booleans,
    walls: Floats,
    wall_starts: Integers,
    wall_boxes: Floats,
    others: Floats,
    other_vertices: Floats,
    keep_off: Floats,
    solids: Floats,
    solid_starts: Integers,
    solid_boxes: Floats,
    width: float,
    height: float,
    near: float,
    spread: float,
    margin: float,
) -> bool:
    """Whether a whole move is in order: bases that stand at ``standing`` (n, 4) go to ``ends`` (l, 4), leg by leg.

    No base goes further than its ``reach`` (n,); its legs are free (:func:`free_legs`, ``blockers`` and ``walls``); all
    of them end where they may stand (:func:`free_poses`, ``others`` and ``solids``) and hold together. Nothing
    above the ground is in order here.
    """
    count = owners.shape[0]
    if standing[:, 2].any():
        return False
    now, starts = standing.copy(), np.empty((count, 4))
    far = np.zeros(standing.shape[0])
    for leg in range(count):
        i = owners[leg]
        if ends[leg, 2] != 0.0:
            return False
        starts[leg] = now[i]
        far[i] += math.sqrt((ends[leg, 0] - now[i, 0]) ** 2 + (ends[leg, 1] - now[i, 1]) ** 2)
        if far[i] > reach[i] + margin:
            return False
        now[i] = ends[leg]
    if not free_legs(
        bases, vertices, owners, starts, ends, blockers, other_vertices, blocks,
        walls, wall_starts, wall_boxes, stopped, width, height, margin,
    ).all():  # fmt: skip
        return False
    everybody = np.arange(standing.shape[0])
    if not free_poses(
        bases, vertices, everybody, now, others, other_vertices, keep_off,
        solids, solid_starts, solid_boxes, width, height, margin,
    ).all():  # fmt: skip
        return False
    return bool(group_holds(bases, vertices, now, near, spread, margin))
