"""Compiled geometry of footprints: separation, sweeps, reach. Import it only where it is first needed (it loads Numba).

A *footprint* is one row of float64 numbers, its columns named in ``footprints``, and, for a hull, a run of corners in a
pool of vertices ``(v, 2)``. It is a convex core: a point (with a radius around it), an ellipse, a polygon, a teardrop;
swept along ``(DX, DY)`` when that is not nil, and turned from the first to the second angle when the two differ.

Everything here is inches. The callers in ``shapes``, ``sweeps`` and ``table`` build the rows; the plain twins that hold
these kernels to account are in ``tests/property/test_geometry.py``.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from battlewright.core.compiling import kernel, part
from battlewright.core.footprints import (
    COLUMNS,
    COS,
    COS_2,
    COUNT,
    DX,
    DY,
    KIND,
    POINT,
    POLYGON,
    REACH,
    SIN,
    SIN_2,
    START,
    TEARDROP,
    A,
    B,
    X,
    Y,
)

__all__ = [
    "excess",
    "hits",
    "polygon_hits",
    "polygon_separations",
    "separation",
    "separations",
    "within_rectangle",
]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]

ACCURACY: Final = 1e-9
DEPTH_ACCURACY: Final = 1e-7
MOST_EDGES: Final = 96


@part
def _core_support(shape: Floats, vertices: Floats, c: float, s: float, ux: float, uy: float) -> tuple[float, float]:
    """The point of a core, turned by the angle of ``c, s`` about its centre, that lies furthest along ``u``.

    A pair ``c, s`` of length k enlarges the core k times. A teardrop has its tip in the origin and its disc, of radius
    A, about ``(B, 0)``.
    """
    kind = shape[KIND]
    if kind == POINT:
        return 0.0, 0.0
    lx, ly = c * ux + s * uy, c * uy - s * ux
    if kind == POLYGON:
        first = int(shape[START])
        px, py = vertices[first, 0], vertices[first, 1]
        best = px * lx + py * ly
        for i in range(first + 1, first + int(shape[COUNT])):
            value = vertices[i, 0] * lx + vertices[i, 1] * ly
            if value > best:
                best, px, py = value, vertices[i, 0], vertices[i, 1]
    elif kind == TEARDROP:
        norm = math.sqrt(lx * lx + ly * ly)
        px, py = shape[B] + shape[A] * lx / norm, shape[A] * ly / norm
        if px * lx + py * ly < 0.0:
            px, py = 0.0, 0.0
    else:
        ax, by = shape[A] * lx, shape[B] * ly
        norm = math.sqrt(ax * ax + by * by)
        px, py = shape[A] * ax / norm, shape[B] * by / norm
    return c * px - s * py, s * px + c * py


@part
def support(shape: Floats, vertices: Floats, ux: float, uy: float) -> tuple[float, float]:
    """The point of a footprint's core (without the radius) that lies furthest along ``u``; a nil ``u`` counts as x."""
    if ux == 0.0 and uy == 0.0:
        ux = 1.0
    px, py = _core_support(shape, vertices, shape[COS], shape[SIN], ux, uy)
    if shape[COS_2] != shape[COS] or shape[SIN_2] != shape[SIN]:
        qx, qy = _core_support(shape, vertices, shape[COS_2], shape[SIN_2], ux, uy)
        if qx * ux + qy * uy > px * ux + py * uy:
            px, py = qx, qy
    if shape[DX] * ux + shape[DY] * uy > 0.0:
        px, py = px + shape[DX], py + shape[DY]
    return shape[X] + px, shape[Y] + py


@part
def _nearest_on_segment(px: float, py: float, qx: float, qy: float) -> tuple[float, float]:
    """The point of the segment p q that lies nearest to the origin."""
    dx, dy = qx - px, qy - py
    square = dx * dx + dy * dy
    if square <= 0.0:
        return px, py
    t = min(1.0, max(0.0, -(px * dx + py * dy) / square))
    return px + t * dx, py + t * dy


@part
def _core_distance(a: Floats, vertices_a: Floats, b: Floats, vertices_b: Floats) -> float:
    """The distance of two cores, 0 when they meet: Gilbert, Johnson and Keerthi's descent in two dimensions.

    The descent stops when the bound from below is within ACCURACY of the distance found.
    """
    ax, ay = support(a, vertices_a, b[X] - a[X], b[Y] - a[Y])
    bx, by = support(b, vertices_b, a[X] - b[X], a[Y] - b[Y])
    px, py = ax - bx, ay - by
    qx, qy, is_segment = 0.0, 0.0, False
    vx, vy = px, py
    for _ in range(128):
        length = math.sqrt(vx * vx + vy * vy)
        if length <= ACCURACY:
            return 0.0
        ax, ay = support(a, vertices_a, -vx, -vy)
        bx, by = support(b, vertices_b, vx, vy)
        wx, wy = ax - bx, ay - by
        if length - (vx * wx + vy * wy) / length <= ACCURACY:
            return length
        if not is_segment:
            qx, qy, is_segment = wx, wy, True
            vx, vy = _nearest_on_segment(px, py, qx, qy)
            continue
        turn_pq = px * qy - py * qx
        turn_qw = qx * wy - qy * wx
        turn_wp = wx * py - wy * px
        if (turn_pq >= 0.0 and turn_qw >= 0.0 and turn_wp >= 0.0) or (
            turn_pq <= 0.0 and turn_qw <= 0.0 and turn_wp <= 0.0
        ):
            return 0.0
        cx, cy = _nearest_on_segment(px, py, wx, wy)
        dx, dy = _nearest_on_segment(qx, qy, wx, wy)
        if cx * cx + cy * cy < dx * dx + dy * dy:
            qx, qy, vx, vy = wx, wy, cx, cy
        else:
            px, py, vx, vy = wx, wy, dx, dy
    return math.sqrt(vx * vx + vy * vy)


@part
def _core_depth(a: Floats, vertices_a: Floats, b: Floats, vertices_b: Floats) -> float:
    """How far one of two meeting cores must be shifted until they only touch.

    The difference of the two shapes is approached from inside by a polygon, whose edge nearest to the origin is split
    until the boundary is no more than DEPTH_ACCURACY beyond it. A difference without area has depth 0.
    """
    xs, ys = np.empty(MOST_EDGES), np.empty(MOST_EDGES)
    count = 0
    for k in range(8):
        ux, uy = math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)
        ax, ay = support(a, vertices_a, ux, uy)
        bx, by = support(b, vertices_b, -ux, -uy)
        xs[count], ys[count] = ax - bx, ay - by
        if count == 0 or abs(xs[count] - xs[count - 1]) + abs(ys[count] - ys[count - 1]) > ACCURACY:
            count += 1
    shallowest = np.inf
    while True:
        least, edge, nx, ny = np.inf, -1, 0.0, 0.0
        for i in range(count):
            j = i + 1 if i + 1 < count else 0
            ex, ey = xs[j] - xs[i], ys[j] - ys[i]
            length = math.sqrt(ex * ex + ey * ey)
            if length <= ACCURACY:
                continue
            offset = (ey * xs[i] - ex * ys[i]) / length
            if offset < least:
                least, edge, nx, ny = offset, i, ey / length, -ex / length
        if edge < 0:
            return 0.0 if shallowest == np.inf else max(0.0, shallowest)
        ax, ay = support(a, vertices_a, nx, ny)
        bx, by = support(b, vertices_b, -nx, -ny)
        wx, wy = ax - bx, ay - by
        height = nx * wx + ny * wy
        shallowest = min(shallowest, height)
        if height - least <= DEPTH_ACCURACY or count == MOST_EDGES:
            return max(0.0, shallowest)
        for i in range(count, edge + 1, -1):
            xs[i], ys[i] = xs[i - 1], ys[i - 1]
        xs[edge + 1], ys[edge + 1] = wx, wy
        count += 1


@kernel
def separation(a: Floats, vertices_a: Floats, b: Floats, vertices_b: Floats) -> float:
    """The signed distance of two footprints: positive the gap, negative the depth of their overlap."""
    radius = (a[A] if a[KIND] == POINT else 0.0) + (b[A] if b[KIND] == POINT else 0.0)
    if a[KIND] == POINT and b[KIND] == POINT:
        px, py = a[X] - b[X], a[Y] - b[Y]
        dx, dy = a[DX] - b[DX], a[DY] - b[DY]
        if (a[DX] == 0.0 and a[DY] == 0.0) or (b[DX] == 0.0 and b[DY] == 0.0):
            vx, vy = _nearest_on_segment(px, py, px + dx, py + dy)
            return math.sqrt(vx * vx + vy * vy) - radius
    gap = _core_distance(a, vertices_a, b, vertices_b)
    if gap > 0.0:
        return gap - radius
    return -_core_depth(a, vertices_a, b, vertices_b) - radius


@part
def _may_meet(a: Floats, b: Floats, margin: float) -> bool:
    """Whether circles around two footprints, the first one's swept with it, come within the margin of each other."""
    vx, vy = a[X] - b[X] - b[DX] / 2, a[Y] - b[Y] - b[DY] / 2
    if a[DX] != 0.0 or a[DY] != 0.0:
        vx, vy = _nearest_on_segment(vx, vy, vx + a[DX], vy + a[DY])
    reach = a[REACH] + b[REACH] + margin
    if b[DX] != 0.0 or b[DY] != 0.0:
        reach += math.sqrt(b[DX] ** 2 + b[DY] ** 2) / 2
    return bool(vx * vx + vy * vy <= reach * reach)


@part
def _box(row: Floats) -> tuple[float, float, float, float]:
    """The bounds of a footprint, swept as it is: least x and y, greatest x and y."""
    x, y, dx, dy, reach = row[X], row[Y], row[DX], row[DY], row[REACH]
    return x + min(0.0, dx) - reach, y + min(0.0, dy) - reach, x + max(0.0, dx) + reach, y + max(0.0, dy) + reach


@kernel
def separations(rows_a: Floats, vertices_a: Floats, rows_b: Floats, vertices_b: Floats) -> Floats:
    """All separations of n and m footprints, ``(n, m)``."""
    result = np.empty((rows_a.shape[0], rows_b.shape[0]))
    for i in range(rows_a.shape[0]):
        for j in range(rows_b.shape[0]):
            result[i, j] = separation(rows_a[i], vertices_a, rows_b[j], vertices_b)
    return result


@kernel
def hits(
    rows_a: Floats, vertices_a: Floats, rows_b: Floats, vertices_b: Floats, owners: Integers, groups: int, margin: float
) -> Booleans:
    """Which of m footprints each group of swept footprints comes nearer to than the margin, ``(groups, m)``.

    ``owners[i]`` is the group of row i. A negative margin asks for an overlap deeper than its size.
    """
    n, m = rows_a.shape[0], rows_b.shape[0]
    result = np.zeros((groups, m), dtype=np.bool_)
    boxes = np.empty((m, 4))
    for j in range(m):
        boxes[j, 0], boxes[j, 1], boxes[j, 2], boxes[j, 3] = _box(rows_b[j])
    for i in range(n):
        owner = owners[i]
        x0, y0, x1, y1 = _box(rows_a[i])
        x0, y0, x1, y1 = x0 - margin, y0 - margin, x1 + margin, y1 + margin
        for j in range(m):
            if boxes[j, 0] > x1 or boxes[j, 2] < x0 or boxes[j, 1] > y1 or boxes[j, 3] < y0 or result[owner, j]:
                continue
            result[owner, j] = separation(rows_a[i], vertices_a, rows_b[j], vertices_b) < margin
    return result


@part
def _is_inside(x: float, y: float, corners: Floats, first: int, last: int) -> bool:
    """Whether a point lies in the simple polygon of ``corners[first:last]``; on its edge either answer may come."""
    inside = False
    j = last - 1
    for i in range(first, last):
        if (corners[i, 1] > y) != (corners[j, 1] > y):
            t = (y - corners[i, 1]) / (corners[j, 1] - corners[i, 1])
            if x < corners[i, 0] + t * (corners[j, 0] - corners[i, 0]):
                inside = not inside
        j = i
    return inside


@part
def _edge(corners: Floats, i: int, j: int, out: Floats) -> None:
    """Write the edge from corner i to corner j as a footprint: a point that is swept."""
    out[:] = 0.0
    out[COS] = out[COS_2] = 1.0
    out[X], out[Y] = corners[i, 0], corners[i, 1]
    out[DX], out[DY] = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]


@kernel
def polygon_separations(rows: Floats, vertices: Floats, corners: Floats, starts: Integers) -> tuple[Floats, Booleans]:
    """Each footprint's least separation from the edges of each polygon, ``(n, p)``, and whether its start lies inside.

    Polygon k is ``corners[starts[k]:starts[k + 1]]``.
    """
    n, p = rows.shape[0], starts.shape[0] - 1
    least, inside = np.full((n, p), np.inf), np.zeros((n, p), dtype=np.bool_)
    edge = np.zeros(COLUMNS)
    for k in range(p):
        j = starts[k + 1] - 1
        for i in range(starts[k], starts[k + 1]):
            _edge(corners, j, i, edge)
            for row in range(n):
                least[row, k] = min(least[row, k], separation(rows[row], vertices, edge, vertices))
            j = i
        for row in range(n):
            inside[row, k] = _is_inside(rows[row, X], rows[row, Y], corners, starts[k], starts[k + 1])
    return least, inside


@kernel
def polygon_hits(
    rows: Floats, vertices: Floats, corners: Floats, starts: Integers, margin: float
) -> tuple[Booleans, Booleans]:
    """Which of n swept footprints come nearer than the margin to an edge of which polygons, and start inside which.

    Both ``(n, p)``. A negative margin asks for an edge that lies deeper in the footprint than its size.
    """
    n, p = rows.shape[0], starts.shape[0] - 1
    hit, inside = np.zeros((n, p), dtype=np.bool_), np.zeros((n, p), dtype=np.bool_)
    edge = np.zeros(COLUMNS)
    for k in range(p):
        polygon = corners[starts[k] : starts[k + 1]]
        px0, py0, px1, py1 = polygon[:, 0].min(), polygon[:, 1].min(), polygon[:, 0].max(), polygon[:, 1].max()
        for row in range(n):
            x0, y0, x1, y1 = _box(rows[row])
            x0, y0, x1, y1 = x0 - margin, y0 - margin, x1 + margin, y1 + margin
            if px0 > x1 or px1 < x0 or py0 > y1 or py1 < y0:
                continue
            inside[row, k] = _is_inside(rows[row, X], rows[row, Y], corners, starts[k], starts[k + 1])
            j = starts[k + 1] - 1
            for i in range(starts[k], starts[k + 1]):
                ex0, ex1 = min(corners[i, 0], corners[j, 0]), max(corners[i, 0], corners[j, 0])
                ey0, ey1 = min(corners[i, 1], corners[j, 1]), max(corners[i, 1], corners[j, 1])
                if not (ex0 > x1 or ex1 < x0 or ey0 > y1 or ey1 < y0):
                    _edge(corners, j, i, edge)
                    if separation(rows[row], vertices, edge, vertices) < margin:
                        hit[row, k] = True
                        break
                j = i
    return hit, inside


@kernel
def within_rectangle(
    rows: Floats, vertices: Floats, x0: float, y0: float, x1: float, y1: float, margin: float
) -> Booleans:
    """Which footprints, swept as they are, keep inside a rectangle, or stand over its edges by at most the margin."""
    result = np.zeros(rows.shape[0], dtype=np.bool_)
    for i in range(rows.shape[0]):
        row = rows[i]
        radius = margin - (row[A] if row[KIND] == POINT else 0.0)
        result[i] = (
            support(row, vertices, 1.0, 0.0)[0] <= x1 + radius
            and support(row, vertices, -1.0, 0.0)[0] >= x0 - radius
            and support(row, vertices, 0.0, 1.0)[1] <= y1 + radius
            and support(row, vertices, 0.0, -1.0)[1] >= y0 - radius
        )
    return result


@part
def _excess_along(angle: float, a: Floats, vertices_a: Floats, b: Floats, vertices_b: Floats) -> float:
    ux, uy = math.cos(angle), math.sin(angle)
    ax, ay = support(a, vertices_a, ux, uy)
    bx, by = support(b, vertices_b, ux, uy)
    return (ax - bx) * ux + (ay - by) * uy


@kernel
def excess(a: Floats, vertices_a: Floats, b: Floats, vertices_b: Floats) -> float:
    """How far the furthest part of footprint a lies beyond the edge of b; negative when a lies in b with room to spare.

    The greatest difference of the two support functions: a grid of 180 directions, then golden section about the best
    of them, to within 1e-6 inch for the shapes of a table.
    """
    step = math.pi / 90
    best, at = -np.inf, 0.0
    for k in range(180):
        value = _excess_along(k * step, a, vertices_a, b, vertices_b)
        if value > best:
            best, at = value, k * step
    low, high, ratio = at - step, at + step, (math.sqrt(5.0) - 1) / 2
    for _ in range(32):
        p, q = high - ratio * (high - low), low + ratio * (high - low)
        if _excess_along(p, a, vertices_a, b, vertices_b) > _excess_along(q, a, vertices_a, b, vertices_b):
            high = q
        else:
            low = p
    best = max(best, _excess_along((low + high) / 2, a, vertices_a, b, vertices_b))
    return best + (a[A] if a[KIND] == POINT else 0.0) - (b[A] if b[KIND] == POINT else 0.0)
