"""Compiled sight between upright prisms. Import it only where it is first needed (it loads Numba).

A *prism* is one row of float64 numbers, its columns named in ``prisms``: a disc (COUNT is 0) or a convex polygon, its
corners counter-clockwise in a pool of vertices ``(v, 2)`` on the table, from BOTTOM to TOP. Bodies and obstacles are
both prisms.

The work is done in the frame of one point of the target: u runs from it towards the nearest point of the observer, so
that all of the observer has u > 0, and a direction is its slope v / u. Each obstacle covers an interval of slopes.
Where heights matter, each direction is looked at upright in the same way, a line's rise per u taking the place of
v / u. What this decides, and how finely, stands in ``sight``; the brute-force twin is in
``tests/property/test_sight.py``.

All of it is one file, because a compiled function is kept until its own file changes, whatever becomes of others.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import MM_PER_INCH
from battlewright.core.compiling import kernel, part
from battlewright.core.prisms import BOTTOM, COUNT, FIRST, GROUP, PX, PY, REACH, TOP

__all__ = ["LEVELS", "SPACING", "Prism", "Walls", "line_between", "matrix", "shares"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]

Bytes = NDArray[np.int8]
Point3 = tuple[float, float, float]
Pair = tuple[float, float]
Span = tuple[float, float]

HALF_LINE: Final = 0.5 / MM_PER_INCH
"""Half the thickness of a line of sight, in inches."""

SPACING: Final = 0.15
"""The greatest distance between the points of a target that are asked, in inches."""

MOST_SAMPLES: Final = 128
"""The most points of one body that are asked; very large hulls are asked at a wider spacing."""

LEVELS: Final = 5
"""How many heights of a body are asked where something can be seen under."""

EPSILON: Final = 1e-9
NEAR: Final = 1e-6
WIDE: Final = 1e12
LEAST_SAMPLES: Final = 9


class Prism(NamedTuple):
    """One body: its row, and the vertices that the row refers to."""

    row: Floats
    vertices: Floats


class Walls(NamedTuple):
    """Many prisms: their rows, and the vertices that the rows refer to."""

    rows: Floats
    vertices: Floats


class Work(NamedTuple):
    """Room to work in, made once for a whole matrix.

    Attributes:
        near: the obstacles between the present two bodies.
        active: of these, the ones that may be looked over or under from the present point.
        edges: for each of those the slopes it covers, and the u of the corners that bound them.
        scratch: intervals upright (rows 0, 1) and across (2, 3), and bounds (4).
        frame: the present point's frame, see _frame.
        points: the parts of a body that are asked.
        normals: the directions out of its surface there.
        witness: the free line found last.
    """

    near: Integers
    active: Integers
    edges: Floats
    scratch: Floats
    frame: Floats
    points: Floats
    normals: Floats
    witness: Floats


@part
def _frame(a: Floats, vertices: Floats, qx: float, qy: float, frame: Floats) -> bool:
    """Write the frame of the point q that looks at body a; False when q lies on the body.

    ``frame`` takes: the unit vector of u, the least and the greatest slope of the body, and the line through the two
    points where those slopes touch it, as ``n . (u, v) <= c``: what lies beyond is behind the body's near side.
    """
    if a[COUNT] == 0.0:
        dx, dy = a[PX] - qx, a[PY] - qy
        distance = math.sqrt(dx * dx + dy * dy)
        radius = a[REACH]
        if distance <= radius + EPSILON:
            return False
        slope = radius / math.sqrt(distance * distance - radius * radius)
        frame[0], frame[1] = dx / distance, dy / distance
        frame[2], frame[3] = -slope, slope
        frame[4], frame[5], frame[6] = 1.0, 0.0, distance - radius * radius / distance
        return True
    first, last = int(a[FIRST]), int(a[FIRST] + a[COUNT])
    nearest, dx, dy, outside = np.inf, 0.0, 0.0, False
    j = last - 1
    for i in range(first, last):
        px, py = vertices[j, 0] - qx, vertices[j, 1] - qy
        ex, ey = vertices[i, 0] - vertices[j, 0], vertices[i, 1] - vertices[j, 1]
        t = min(1.0, max(0.0, -(px * ex + py * ey) / (ex * ex + ey * ey)))
        cx, cy = px + t * ex, py + t * ey
        if cx * cx + cy * cy < nearest:
            nearest, dx, dy = cx * cx + cy * cy, cx, cy
        if ex * py - ey * px > 0.0:
            outside = True
        j = i
    if not outside or nearest <= EPSILON * EPSILON:
        return False
    distance = math.sqrt(nearest)
    ux, uy = dx / distance, dy / distance
    low, high, lu, lv, hu, hv = WIDE, -WIDE, 0.0, 0.0, 0.0, 0.0
    for i in range(first, last):
        px, py = vertices[i, 0] - qx, vertices[i, 1] - qy
        u, v = px * ux + py * uy, py * ux - px * uy
        slope = v / u
        if slope < low:
            low, lu, lv = slope, u, v
        if slope > high:
            high, hu, hv = slope, u, v
    frame[0], frame[1], frame[2], frame[3] = ux, uy, low, high
    nu, nv = hv - lv, lu - hu
    norm = math.sqrt(nu * nu + nv * nv)
    frame[4], frame[5] = nu / norm, nv / norm
    frame[6] = (nu * lu + nv * lv) / norm
    return True


@part
def _polygon_slopes(row: Floats, vertices: Floats, qx: float, qy: float, frame: Floats, out: Floats) -> None:
    """Write the slopes that a polygon covers, and the u of the corners that bound them; an empty interval if none.

    Corners are widened by half the thickness of a line. The part behind the point and behind the body is cut off.
    """
    ux, uy, nu, nv, c = frame[0], frame[1], frame[4], frame[5], frame[6]
    low, high, u_low, u_high = WIDE * 2, -WIDE * 2, 1.0, 1.0
    first, last = int(row[FIRST]), int(row[FIRST] + row[COUNT])
    px, py = vertices[last - 1, 0] - qx, vertices[last - 1, 1] - qy
    pu, pv = px * ux + py * uy, py * ux - px * uy
    p_beyond = nu * pu + nv * pv - c
    for i in range(first, last):
        px, py = vertices[i, 0] - qx, vertices[i, 1] - qy
        u, v = px * ux + py * uy, py * ux - px * uy
        beyond = nu * u + nv * v - c
        if u > NEAR and beyond < 0.0:
            square = u * u + v * v
            half = HALF_LINE if square > HALF_LINE * HALF_LINE else 0.0
            root = math.sqrt(square - half * half)
            down, up = u * root + v * half, u * root - v * half
            least = (v * root - u * half) / down if down > NEAR else -WIDE
            most = (v * root + u * half) / up if up > NEAR else WIDE
            if least < low:
                low, u_low = least, u
            if most > high:
                high, u_high = most, u
        if (p_beyond < 0.0) != (beyond < 0.0) or (pu > NEAR) != (u > NEAR):
            enter, leave = 0.0, 1.0
            if (pu > NEAR) != (u > NEAR):
                t = (NEAR - pu) / (u - pu)
                enter, leave = (t, leave) if u > pu else (enter, t)
            if (p_beyond < 0.0) != (beyond < 0.0):
                t = p_beyond / (p_beyond - beyond)
                enter, leave = (max(enter, t), leave) if beyond < 0.0 else (enter, min(leave, t))
            if enter < leave and (max(pu, u) > NEAR) and (min(p_beyond, beyond) < 0.0):
                for k in range(2):
                    t = enter if k == 0 else leave
                    if 0.0 < t < 1.0:
                        cu, cv = max(NEAR, pu + t * (u - pu)), pv + t * (v - pv)
                        if cv / cu < low:
                            low, u_low = cv / cu, cu
                        if cv / cu > high:
                            high, u_high = cv / cu, cu
        pu, pv, p_beyond = u, v, beyond
    out[0], out[1], out[2], out[3] = low, high, u_low, u_high


@part
def _disc_slopes(row: Floats, qx: float, qy: float, frame: Floats, out: Floats) -> None:
    """Write the slopes that a disc covers, like _polygon_slopes; a disc that holds the point covers them all."""
    dx, dy = row[PX] - qx, row[PY] - qy
    u, v = dx * frame[0] + dy * frame[1], dy * frame[0] - dx * frame[1]
    nu, nv, c = frame[4], frame[5], frame[6]
    beyond = nu * u + nv * v - c
    out[0], out[1], out[2], out[3] = WIDE * 2, -WIDE * 2, max(NEAR, u), max(NEAR, u)
    square, radius = u * u + v * v, row[REACH]
    if beyond >= radius or u <= -radius:
        return
    if square <= radius * radius:
        out[0], out[1] = -WIDE, WIDE
        return
    if square > (radius + HALF_LINE) ** 2:
        radius += HALF_LINE
    root = math.sqrt(square - radius * radius)
    for side in (-1.0, 1.0):
        # The point where the tangent of this side touches; beyond the body it does not count.
        tu, tv = root * (u * root - side * v * radius) / square, root * (v * root + side * u * radius) / square
        if tu > NEAR:
            if nu * tu + nv * tv < c:
                out[0], out[1] = min(out[0], tv / tu), max(out[1], tv / tu)
        elif side > 0.0:
            out[1] = WIDE
        else:
            out[0] = -WIDE
    if abs(beyond) < radius:
        half = math.sqrt(radius * radius - beyond * beyond)
        for side in (-1.0, 1.0):
            tu, tv = u - beyond * nu - side * half * nv, v - beyond * nv + side * half * nu
            if tu > NEAR:
                out[0], out[1] = min(out[0], tv / tu), max(out[1], tv / tu)


@part
def _gap(lows: Floats, highs: Floats, count: int, low: float, high: float) -> float:
    """A number in ``[low, high]`` that none of the open intervals holds, NaN when they cover it all."""
    if high - low <= EPSILON:
        middle = (low + high) / 2
        for i in range(count):
            if lows[i] < middle < highs[i]:
                return np.nan
        return middle
    x = low
    while x < high - EPSILON:
        moved = False
        following = high
        for i in range(count):
            if lows[i] <= x + EPSILON:
                if highs[i] > x + EPSILON:
                    x, moved = highs[i], True
            elif lows[i] < following:
                following = lows[i]
        if not moved:
            return (x + following) / 2
    return np.nan


@part
def _holds(row: Floats, vertices: Floats, x: float, y: float) -> bool:
    """Whether a prism stands over a point, its edge left out."""
    if row[COUNT] == 0.0:
        return bool((row[PX] - x) ** 2 + (row[PY] - y) ** 2 < row[REACH] ** 2)
    first, last = int(row[FIRST]), int(row[FIRST] + row[COUNT])
    j = last - 1
    for i in range(first, last):
        ex, ey = vertices[i, 0] - vertices[j, 0], vertices[i, 1] - vertices[j, 1]
        if ex * (y - vertices[j, 1]) - ey * (x - vertices[j, 0]) <= 0.0:
            return False
        j = i
    return True


@part
def _reach_of_body(
    a: Floats, vertices: Floats, qx: float, qy: float, frame: Floats, slope: float
) -> tuple[float, float]:
    """Where the line of a slope enters and leaves a body, as u; where it only brushes it, where it does so."""
    touch = frame[6] / (frame[4] + frame[5] * slope)
    near, far = _chord(a, vertices, qx, qy, frame, slope, (slope, slope, touch, touch))
    return (near, far) if near > NEAR else (touch, touch)


@part
def _chord(
    row: Floats,
    vertices: Floats,
    qx: float,
    qy: float,
    frame: Floats,
    slope: float,
    edge: tuple[float, float, float, float],
) -> tuple[float, float]:
    """Where the line of a slope enters and leaves a prism, as u; where it only brushes a corner, that corner's u."""
    ux, uy = frame[0], frame[1]
    near, far = np.inf, -np.inf
    if row[COUNT] == 0.0:
        dx, dy = row[PX] - qx, row[PY] - qy
        u, v = dx * ux + dy * uy, dy * ux - dx * uy
        scale = 1.0 + slope * slope
        middle = (u + slope * v) / scale
        rest = middle * middle - (u * u + v * v - row[REACH] ** 2) / scale
        half = math.sqrt(rest) if rest > 0.0 else 0.0
        return max(0.0, middle - half), max(NEAR, middle + half)
    first, last = int(row[FIRST]), int(row[FIRST] + row[COUNT])
    px, py = vertices[last - 1, 0] - qx, vertices[last - 1, 1] - qy
    pu, pv = px * ux + py * uy, py * ux - px * uy
    p_side = pv - slope * pu
    for i in range(first, last):
        px, py = vertices[i, 0] - qx, vertices[i, 1] - qy
        u, v = px * ux + py * uy, py * ux - px * uy
        side = v - slope * u
        if (side > 0.0) != (p_side > 0.0):
            cut = pu + (u - pu) * p_side / (p_side - side)
            near, far = min(near, cut), max(far, cut)
        pu, pv, p_side = u, v, side
    if far <= 0.0:
        brushed = edge[2] if slope - edge[0] < edge[1] - slope else edge[3]
        return brushed, brushed
    return max(0.0, near), far


@part
def _rise(low: float, high: float, near: float, far: float, height: float) -> tuple[float, float]:
    """The rises per u, from a height, that meet what stands from low to high between near and far."""
    near = max(near, NEAR)
    least = min((low - height) / near, (low - height) / far)
    most = max((high - height) / near, (high - height) / far)
    return least, most


@part
def _upright_gap(slope: float, point: Point3, body: Prism, heights: Span, walls: Walls, count: int, work: Work) -> bool:
    """Whether a line of this slope from a point at a height reaches the body past the first ``count`` active obstacles.

    It may end on the body's near side or, from above or below, on the top or the foot behind it. ``work.witness`` takes
    the slope, the u of the line's end and the height of its end.
    """
    height = point[2]
    near, far = _reach_of_body(body.row, body.vertices, point[0], point[1], work.frame, slope)
    for side in range(2):
        least, most = _rise(heights[0], heights[1], near, near, height)
        end = near
        if side == 1:
            level = min(heights[1], max(heights[0], height))
            if level == height or far <= near:
                return False
            least, most = _rise(level, level, near, far, height)
            end = far
        rise = _free_rise(slope, point, (least, most), end, walls, count, work)
        if not math.isnan(rise):
            u = near
            if side == 1:
                u = min(far, max(near, (level - height) / rise))
            work.witness[0], work.witness[1] = slope, u
            work.witness[2] = min(heights[1], max(heights[0], height + rise * u))
            return True
    return False


@part
def _free_rise(slope: float, point: Point3, rises: Span, end: float, walls: Walls, count: int, work: Work) -> float:
    """A rise within the two given that no active obstacle stops before the end, NaN when there is none."""
    lows, highs = work.scratch[0], work.scratch[1]
    used = 0
    for k in range(count):
        edge = work.edges[k]
        if not edge[0] < slope < edge[1]:
            continue
        row = walls.rows[work.active[k]]
        bounds = (edge[0], edge[1], edge[2], edge[3])
        into, out = _chord(row, walls.vertices, point[0], point[1], work.frame, slope, bounds)
        if into >= end:
            continue
        lows[used], highs[used] = _rise(row[BOTTOM], row[TOP], into, max(NEAR, min(out, end)), point[2])
        used += 1
    return _gap(lows, highs, used, rises[0], rises[1])


@part
def _above_each_other(point: Point3, heights: Span, walls: Walls, near_count: int, work: Work) -> bool:
    """Whether no obstacle lies between a body and a point over or under it."""
    x, y, height = point
    end = min(heights[1], max(heights[0], height))
    work.frame[0], work.frame[1] = 1.0, 0.0
    work.witness[0], work.witness[1], work.witness[2] = 0.0, 0.0, end
    for k in range(near_count):
        row = walls.rows[work.near[k]]
        if row[TOP] > min(end, height) and row[BOTTOM] < max(end, height) and _holds(row, walls.vertices, x, y):
            return False
    return True


@part
def _sees(point: Point3, body: Prism, heights: Span, walls: Walls, near_count: int, work: Work) -> bool:
    """Whether a free line joins a point to a body; what the point belongs to never blocks.

    ``heights`` are those of the body that may be used. ``work.witness`` takes the line, as _upright_gap writes it.
    """
    qx, qy, height = point
    frame, lows, highs = work.frame, work.scratch[2], work.scratch[3]
    if not _frame(body.row, body.vertices, qx, qy, frame):
        return _above_each_other(point, heights, walls, near_count, work)
    low, high = frame[2], frame[3]
    floor, ceiling = min(heights[0], height), max(heights[1], height)
    full, count = 0, 0
    for k in range(near_count):
        row, edge = walls.rows[work.near[k]], work.edges[count]
        is_full = row[TOP] >= ceiling and row[BOTTOM] <= floor
        if not is_full and (row[TOP] <= floor or row[BOTTOM] >= ceiling):
            continue
        if row[COUNT] == 0.0:
            _disc_slopes(row, qx, qy, frame, edge)
        else:
            _polygon_slopes(row, walls.vertices, qx, qy, frame, edge)
        if edge[0] >= high + EPSILON or edge[1] <= low - EPSILON:
            continue
        if is_full:
            lows[full], highs[full] = edge[0], edge[1]
            full += 1
        else:
            work.active[count] = work.near[k]
            count += 1
    slope = _gap(lows, highs, full, low, high)
    if math.isnan(slope):
        return False
    if count > 0:
        return _sees_past_heights(point, body, heights, walls, full, count, work)
    work.witness[0], work.witness[1] = slope, _reach_of_body(body.row, body.vertices, qx, qy, frame, slope)[0]
    work.witness[2] = min(heights[1], max(heights[0], height))
    return True


@part
def _sees_past_heights(
    point: Point3, body: Prism, heights: Span, walls: Walls, full: int, count: int, work: Work
) -> bool:
    """The rest of _sees where heights matter: ``full`` intervals are shut, ``count`` obstacles may be looked over.

    Looks along both ends and the middle of every stretch of slopes between two bounds.
    """
    lows, highs, bounds = work.scratch[2], work.scratch[3], work.scratch[4]
    low, high = work.frame[2], work.frame[3]
    bounds[0], bounds[1] = low, high
    total = 2
    for i in range(full):
        bounds[total], bounds[total + 1] = min(high, max(low, lows[i])), min(high, max(low, highs[i]))
        total += 2
    for i in range(count):
        bounds[total] = min(high, max(low, work.edges[i, 0]))
        bounds[total + 1] = min(high, max(low, work.edges[i, 1]))
        total += 2
    order = np.sort(bounds[:total])
    for i in range(total - 1):
        left, right = order[i], order[i + 1]
        if right - left <= EPSILON and high - low > EPSILON:
            continue
        inset = min(1e-6, (right - left) / 4)
        for value in ((left + right) / 2, left + inset, right - inset):
            shut = False
            for k in range(full):
                shut = shut or lows[k] < value < highs[k]
            if not shut and _upright_gap(value, point, body, heights, walls, count, work):
                return True
    return False


@part
def _facing(b: Floats, vertices: Floats, x: float, y: float, points: Floats, normals: Floats) -> int:
    """Write points of a body's outline that face (x, y), its ends first, with their outward normals; how many.

    They are at most SPACING apart, unless that takes more than MOST_SAMPLES; a body of no size gives one point.
    """
    if b[COUNT] == 0.0:
        dx, dy = x - b[PX], y - b[PY]
        distance, radius = math.sqrt(dx * dx + dy * dy), b[REACH]
        if radius <= EPSILON:
            points[0, 0], points[0, 1], normals[0, 0], normals[0, 1] = b[PX], b[PY], 0.0, 0.0
            return 1
        half = math.acos(min(1.0, radius / distance)) if distance > radius else math.pi / 2
        middle = math.atan2(dy, dx)
        count = int(min(MOST_SAMPLES, max(LEAST_SAMPLES, math.ceil(2 * half * radius / SPACING) + 1)))
        for i in range(count):
            angle = middle - half + 2 * half * i / (count - 1)
            normals[i, 0], normals[i, 1] = math.cos(angle), math.sin(angle)
            points[i, 0], points[i, 1] = b[PX] + radius * normals[i, 0], b[PY] + radius * normals[i, 1]
    else:
        count = _facing_edges(b, vertices, x, y, points, normals)
    for k in range(1, 3):
        i = count - 1 if k == 1 else count // 2
        for column in range(2):
            points[k, column], points[i, column] = points[i, column], points[k, column]
            normals[k, column], normals[i, column] = normals[i, column], normals[k, column]
    return count


@part
def _facing_edges(b: Floats, vertices: Floats, x: float, y: float, points: Floats, normals: Floats) -> int:
    """The points of a polygon's facing edges, in order; see _facing."""
    first, size = int(b[FIRST]), int(b[COUNT])
    length, begin = 0.0, -1
    previous = False
    for k in range(size + 1):
        p, q = vertices[first + k % size], vertices[first + (k + 1) % size]
        faces = (q[1] - p[1]) * (x - p[0]) - (q[0] - p[0]) * (y - p[1]) > 0.0
        if faces and k < size:
            length += math.sqrt((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2)
        if faces and not previous and k > 0:
            begin = k % size
        previous = faces
    if begin < 0:
        begin = 0
    spacing = max(SPACING, length / (MOST_SAMPLES - size - 2))
    count = 0
    for k in range(size):
        p, q = vertices[first + (begin + k) % size], vertices[first + (begin + k + 1) % size]
        nx, ny = q[1] - p[1], p[0] - q[0]
        if nx * (x - p[0]) + ny * (y - p[1]) <= 0.0:
            break
        norm = math.sqrt(nx * nx + ny * ny)
        steps = math.ceil(norm / spacing)
        for i in range(steps + 1):
            if i == 0 and count > 0:
                continue
            t = i / steps
            points[count, 0], points[count, 1] = p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])
            normals[count, 0], normals[count, 1] = nx / norm, ny / norm
            count += 1
    if count == 0:
        points[0, 0], points[0, 1], normals[0, 0], normals[0, 1] = b[PX], b[PY], 0.0, 0.0
        return 1
    return count


@part
def _in_corridor(
    row: Floats, vertices: Floats, a: Floats, b: Floats, axis: tuple[float, float, float, float], may_span: bool
) -> int:
    """How an obstacle stands to the corridor between two bodies: 0 outside, 1 in it, 2 right across it.

    ``axis`` is the unit vector from a to b, the distance, and the sine of the angle by which the corridor narrows.
    """
    ux, uy, distance, sine = axis
    cosine = math.sqrt(1.0 - sine * sine)
    dx, dy = row[PX] - a[PX], row[PY] - a[PY]
    u, v = dx * ux + dy * uy, dy * ux - dx * uy
    reach = row[REACH] + HALF_LINE
    # Behind the middle of a disc nothing matters; a polygon may be seen there.
    back, front = (a[REACH] if a[COUNT] > 0.0 else 0.0), distance + (b[REACH] if b[COUNT] > 0.0 else 0.0)
    if u < -back - reach or u > front + reach:
        return 0
    if sine * u + cosine * v - a[REACH] > reach or sine * u - cosine * v - a[REACH] > reach:
        return 0
    if row[COUNT] == 0.0:
        return 1
    least_above, least_below, most_above, most_below = np.inf, np.inf, -np.inf, -np.inf
    least_u, most_u = np.inf, -np.inf
    au, av, bu, bv = 0.0, 0.0, 0.0, 0.0
    for i in range(int(row[FIRST]), int(row[FIRST] + row[COUNT])):
        dx, dy = vertices[i, 0] - a[PX], vertices[i, 1] - a[PY]
        u, v = dx * ux + dy * uy, dy * ux - dx * uy
        above, below = sine * u + cosine * v - a[REACH], sine * u - cosine * v - a[REACH]
        least_above, least_below = min(least_above, above), min(least_below, below)
        least_u, most_u = min(least_u, u), max(most_u, u)
        if above > most_above:
            most_above, au, av = above, u, v
        if below > most_below:
            most_below, bu, bv = below, u, v
    if least_above > HALF_LINE or least_below > HALF_LINE or most_u < -back - HALF_LINE or least_u > front + HALF_LINE:
        return 0
    if may_span and most_above >= 0.0 and most_below >= 0.0 and _shuts(au, av, bu, bv, distance, a[REACH], b[REACH]):
        return 2
    return 1


@part
def _shuts(au: float, av: float, bu: float, bv: float, distance: float, radius_a: float, radius_b: float) -> bool:
    """Whether the stretch from one side of a corridor to the other runs between its two ends and touches neither."""
    t = av / (av - bv) if av != bv else 0.0
    if not 0.0 < au + t * (bu - au) < distance:
        return False
    eu, ev = bu - au, bv - av
    square = eu * eu + ev * ev
    for end in range(2):
        cu, radius = (0.0, radius_a) if end == 0 else (distance, radius_b)
        t = min(1.0, max(0.0, ((cu - au) * eu - av * ev) / square))
        nu, nv = au + t * eu - cu, av + t * ev
        if nu * nu + nv * nv <= radius * radius:
            return False
    return True


@part
def _gather(
    a: Floats, b: Floats, walls: Walls, ignored_a: Booleans, ignored_b: Booleans, pool: Integers, near: Integers
) -> int:
    """Write the obstacles that may stand between two bodies; how many, or -1 when one of them shuts out everything."""
    dx, dy = b[PX] - a[PX], b[PY] - a[PY]
    distance = math.sqrt(dx * dx + dy * dy)
    ux, uy, sine = 1.0, 0.0, 0.0
    if distance > abs(a[REACH] - b[REACH]) + EPSILON:
        ux, uy, sine = dx / distance, dy / distance, (a[REACH] - b[REACH]) / distance
    floor, ceiling = min(a[BOTTOM], b[BOTTOM]), max(a[TOP], b[TOP])
    count = 0
    for k in pool:
        row = walls.rows[k]
        group = int(row[GROUP])
        if group >= 0 and (ignored_a[group] or ignored_b[group]):
            continue
        if row[TOP] <= floor or row[BOTTOM] >= ceiling:
            continue
        full = row[TOP] >= ceiling and row[BOTTOM] <= floor
        place = _in_corridor(row, walls.vertices, a, b, (ux, uy, distance, sine), full)
        if place == 2:
            return -1
        if place == 1:
            near[count] = k
            count += 1
    return count


@part
def _stand_on_the_ground(a: Floats, b: Floats, walls: Walls, near: Integers, count: int) -> bool:
    """Whether no line can pass under any of the obstacles, so that the highest line is the best."""
    lowest = -np.inf
    for k in range(count):
        lowest = max(lowest, walls.rows[near[k], BOTTOM])
    return bool(lowest <= min(a[BOTTOM], b[BOTTOM]))


@part
def _all_shut(a: Floats, b: Floats, walls: Walls, near: Integers, count: int) -> bool:
    """Whether none of the obstacles can be looked over or under, so that one height stands for all."""
    floor, ceiling = min(a[BOTTOM], b[BOTTOM]), max(a[TOP], b[TOP])
    lowest, highest = np.inf, -np.inf
    for k in range(count):
        row = walls.rows[near[k]]
        lowest, highest = min(lowest, row[TOP]), max(highest, row[BOTTOM])
    return bool(lowest >= ceiling and highest <= floor)


@part
def _any_line(a: Prism, b: Prism, walls: Walls, count: int, grounded: bool, work: Work) -> bool:
    """Whether any sampled part of body b sees body a; ``witness[3:6]`` takes the part, ``[6:8]`` the direction of u."""
    samples = _facing(b.row, b.vertices, a.row[PX], a.row[PY], work.points, work.normals)
    heights = (a.row[TOP] if grounded else a.row[BOTTOM], a.row[TOP])
    for i in range(samples):
        x, y = work.points[i, 0], work.points[i, 1]
        for level in range(1 if grounded else LEVELS):
            height = b.row[TOP] - (b.row[TOP] - b.row[BOTTOM]) * level / (LEVELS - 1)
            if _sees((x, y, height), a, heights, walls, count, work):
                work.witness[3], work.witness[4], work.witness[5] = x, y, height
                work.witness[6], work.witness[7] = work.frame[0], work.frame[1]
                return True
    return False


@part
def _pair(a: Prism, b: Prism, walls: Walls, count: int, work: Work) -> int:
    """What body a sees of body b past the obstacles gathered: 0 nothing, 1 a part, 2 all that faces it."""
    if count <= 0:
        return 0 if count < 0 else 2
    grounded = _stand_on_the_ground(a.row, b.row, walls, work.near, count)
    samples = _facing(b.row, b.vertices, a.row[PX], a.row[PY], work.points, work.normals)
    heights = (a.row[TOP] if grounded else a.row[BOTTOM], a.row[TOP])
    levels = 2 if grounded else LEVELS
    if _all_shut(a.row, b.row, walls, work.near, count):
        levels = 1
    some, everything = False, True
    for i in range(samples):
        for level in range(levels):
            # Past what stands on the ground the foot is the hardest part to see and the top the easiest.
            height = b.row[BOTTOM] + (b.row[TOP] - b.row[BOTTOM]) * level / max(1, levels - 1)
            seen = _sees((work.points[i, 0], work.points[i, 1], height), a, heights, walls, count, work)
            some, everything = some or seen, everything and seen
            if some and not everything:
                return 1
            if grounded and seen:
                break
    if some:
        return 2
    return 1 if _any_line(b, a, walls, count, grounded, work) else 0


@part
def _cut_to_units(rows_a: Floats, rows_b: Floats, obstacles: Floats, pool: Integers) -> int:
    """Write the obstacles that can stand between any two bodies of two groups; how many."""
    ax, ay, bx, by = rows_a[:, PX].mean(), rows_a[:, PY].mean(), rows_b[:, PX].mean(), rows_b[:, PY].mean()
    wide = 0.0
    for row in rows_a:
        wide = max(wide, math.sqrt((row[PX] - ax) ** 2 + (row[PY] - ay) ** 2) + row[REACH])
    for row in rows_b:
        wide = max(wide, math.sqrt((row[PX] - bx) ** 2 + (row[PY] - by) ** 2) + row[REACH])
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    count = 0
    for k in range(obstacles.shape[0]):
        px, py = obstacles[k, PX] - ax, obstacles[k, PY] - ay
        t = min(1.0, max(0.0, (px * dx + py * dy) / square)) if square > 0.0 else 0.0
        px, py = px - t * dx, py - t * dy
        reach = wide + obstacles[k, REACH] + HALF_LINE
        if px * px + py * py <= reach * reach:
            pool[count] = k
            count += 1
    return count


@part
def _work(size: int) -> Work:
    """Room to work in, for so many obstacles."""
    return Work(
        np.empty(size, np.int64),
        np.empty(size + 1, np.int64),
        np.empty((size + 1, 4)),
        np.empty((5, 2 * size + 4)),
        np.empty(7),
        np.empty((MOST_SAMPLES, 2)),
        np.empty((MOST_SAMPLES, 2)),
        np.empty(8),
    )


@kernel
def matrix(observers: Walls, targets: Walls, walls: Walls, ignored_a: Booleans, ignored_b: Booleans) -> Bytes:
    """What each of n bodies sees of each of m, ``(n, m)``; ``ignored`` are ``(n, groups)`` and ``(m, groups)``."""
    n, m, size = observers.rows.shape[0], targets.rows.shape[0], walls.rows.shape[0]
    result = np.zeros((n, m), dtype=np.int8)
    if n == 0 or m == 0:
        return result
    work, pool = _work(size), np.empty(size, np.int64)
    pool = pool[: _cut_to_units(observers.rows, targets.rows, walls.rows, pool)]
    for i in range(n):
        a = Prism(observers.rows[i], observers.vertices)
        for j in range(m):
            b = Prism(targets.rows[j], targets.vertices)
            count = _gather(a.row, b.row, walls, ignored_a[i], ignored_b[j], pool, work.near)
            result[i, j] = _pair(a, b, walls, count, work)
    return result


@kernel
def line_between(a: Prism, b: Prism, walls: Walls, ignored_a: Booleans, ignored_b: Booleans) -> Floats:
    """A free line from body a to body b as six numbers ``x, y, z, x, y, z``; NaN when there is none."""
    size = walls.rows.shape[0]
    work, line = _work(size), np.full(6, np.nan)
    count = _gather(a.row, b.row, walls, ignored_a, ignored_b, np.arange(size), work.near)
    if count < 0:
        return line
    grounded = _stand_on_the_ground(a.row, b.row, walls, work.near, count)
    for turn in range(2):
        p, q = (a, b) if turn == 0 else (b, a)
        if _any_line(p, q, walls, count, grounded, work):
            slope, u, height, x, y, z, ux, uy = work.witness
            start, end = (0, 3) if turn == 0 else (3, 0)
            line[start], line[start + 1], line[start + 2] = x + u * (ux - slope * uy), y + u * (uy + slope * ux), height
            line[end], line[end + 1], line[end + 2] = x, y, z
            return line
    return line


@kernel
def shares(
    observers: Walls, targets: Walls, walls: Walls, ignored_a: Booleans, ignored_b: Booleans, levels: int
) -> Floats:
    """The share of each of m bodies' facing sides that each of n bodies sees, ``(n, m)``.

    Each sampled part weighs as much as it looks wide from the middle of the observer.
    """
    n, m, size = observers.rows.shape[0], targets.rows.shape[0], walls.rows.shape[0]
    result, work, pool = np.zeros((n, m)), _work(size), np.arange(size)
    for i in range(n):
        a = Prism(observers.rows[i], observers.vertices)
        for j in range(m):
            b = Prism(targets.rows[j], targets.vertices)
            count = _gather(a.row, b.row, walls, ignored_a[i], ignored_b[j], pool, work.near)
            result[i, j] = _share(a, b, walls, count, levels, work) if count > 0 else 1.0 + count
    return result


@part
def _share(a: Prism, b: Prism, walls: Walls, count: int, levels: int, work: Work) -> float:
    """The share of one body's facing side that another sees past the obstacles gathered."""
    samples = _facing(b.row, b.vertices, a.row[PX], a.row[PY], work.points, work.normals)
    heights = (a.row[BOTTOM], a.row[TOP])
    seen, whole = 0.0, 0.0
    for k in range(samples):
        x, y, nx, ny = work.points[k, 0], work.points[k, 1], work.normals[k, 0], work.normals[k, 1]
        dx, dy = a.row[PX] - x, a.row[PY] - y
        norm = math.sqrt(dx * dx + dy * dy)
        # The ends of a round side look narrow; a share of nothing but ends must still be a share.
        weight = 1e-6 + (max(0.0, (dx * nx + dy * ny) / norm) if norm > 0.0 else 0.0)
        for level in range(levels):
            height = b.row[BOTTOM] + (b.row[TOP] - b.row[BOTTOM]) * (level + 0.5) / levels
            whole += weight
            if _sees((x, y, height), a, heights, walls, count, work):
                seen += weight
    return seen / whole
