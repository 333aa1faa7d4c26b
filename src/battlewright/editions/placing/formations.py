"""Finding places for units: one deterministic search, for defaults, samples and players.

A unit is first moved as a whole, by one vector or around a corner by two; where that comes to little, its models are
placed one by one, the foremost first. Whatever is found is checked by the space before it is returned, and staying is
always there to fall back on, so nothing here raises for want of room.

Resolution: 24 directions and quarters of the distance for moves of the whole unit and of single models; anchors one
inch apart for units that are set up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from battlewright.core.decisions import ModelMove, Place, RandomSource
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.editions.placing.coherency import one_group
from battlewright.editions.placing.placed import Booleans, Floats, Indices

if TYPE_CHECKING:
    from battlewright.editions.placing.moves import MoveSpace
    from battlewright.editions.placing.setting_up import SetUpSpace
    from battlewright.editions.placing.spaces import Space

__all__ = ["Cost", "away_from_enemies", "best_shift", "fits", "one_by_one", "pack", "slots", "towards", "wander"]

STAY: Final = Place(())
GAP: Final = 0.02
"""Left between the bases of a packed unit, inches."""
_TURNS: Final = tuple(math.radians(15.0 * k) for k in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6))
_ROUND: Final = tuple(math.radians(15.0 * k) for k in range(24))
_PARTS: Final = (1.0, 0.75, 0.5, 0.25)
_FURTHEST: Final = 9.0
"""Inches from an anchor within which models are set up one by one."""
_HALVES: Final = ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5))

Cost: TypeAlias = Callable[[Indices, Floats], Floats]
"""What it costs that models (k,) of these indices stand at these poses (k, 4): the least is the best."""


# -- moving ------------------------------------------------------------------------------------------------------


def towards(space: MoveSpace, goal: tuple[float, float], *, stop: float = 0.0) -> Place:
    """A legal move that brings the unit as near to a point as the search finds.

    Args:
        goal: inches.
        stop: end no nearer to it than this, inches, measured from the middle of the unit.
    """
    if not len(space.rows) or not (space.reach > 0).any():
        return STAY
    middle = space.starts[:, :2].mean(axis=0)
    way = np.array(goal) - middle
    distance = float(np.hypot(*way)) - stop
    reach = float(space.reach.min())
    if distance <= TOLERANCE:
        return STAY
    full = min(reach, distance)
    heading = math.atan2(way[1], way[0])
    vectors = np.array(
        [
            (full * part * math.cos(heading + turn), full * part * math.sin(heading + turn))
            for turn in _TURNS
            for part in _PARTS
        ]
    )

    def left(shift: Floats) -> Floats:
        return np.asarray(np.hypot(*(middle + shift - np.array(goal)).T), dtype=np.float64)

    best, gained = _whole(space, vectors, left(vectors), float(np.hypot(*way)))
    if gained < 0.7 * full and len(space.rows) > 1:
        single = one_by_one(space, lambda _, poses: np.hypot(poses[:, 0] - goal[0], poses[:, 1] - goal[1]) - stop)
        more = _gain(space, single, goal)
        if more > gained:
            best, gained = single, more
    if gained < 0.5 * full:
        around, more = _around_corner(space, vectors, full, np.array(goal), middle)
        if more > gained:
            best = around
    return best


def best_shift(space: MoveSpace, cost: Callable[[Floats], Floats]) -> Place:
    """The whole unit moved by the one vector, of 24 directions and quarters of its reach, that costs least.

    Args:
        cost: of shifts (k, 2) in inches; staying costs what the nil vector does.
    """
    if not len(space.rows):
        return STAY
    reach = float(space.reach.min())
    vectors = np.array([(reach * p * math.cos(a), reach * p * math.sin(a)) for a in _ROUND for p in _PARTS])
    return _whole(space, vectors, cost(vectors), math.inf)[0]


def away_from_enemies(space: MoveSpace) -> Place:
    """A legal move that ends far from enemies: of the whole unit, else model by model; staying if there is none."""
    foes = space.around.placed.rows[space.around.foe][:, 1:3]
    if not len(foes):
        return STAY
    middle = space.starts[:, :2].mean(axis=0)

    def nearness(points: Floats) -> Floats:
        return np.asarray(-np.hypot(*(points[:, None, :] - foes[None, :, :]).T).min(axis=0), dtype=np.float64)

    found = best_shift(space, lambda shifts: nearness(middle + shifts))
    return found if found.moves else one_by_one(space, lambda _, poses: nearness(poses[:, :2]))


def one_by_one(space: MoveSpace, cost: Cost, *, extra: Callable[[int], Floats] | None = None) -> Place:
    """The models placed one after another, each where it costs least: the cheapest to begin with first.

    Each stays within reach, clear of the models placed before it and in coherency with them. When one finds no place,
    everything is tried again with shorter ways.

    Args:
        cost: see :data:`Cost`.
        extra: further poses (k, 4) to try for the model of an index, within its reach on the ground.
    """
    movable = [i for i in range(len(space.rows)) if space.reach[i] > 0]
    if not movable:
        return STAY
    owners, ends = _tries(space, movable, extra)
    good = space.passes(owners, space.starts[owners], ends) & space.met(owners, ends)
    owners, ends = owners[good], ends[good]
    costs = cost(owners, ends)
    gone = np.hypot(*(ends[:, :2] - space.starts[owners, :2]).T) + np.abs(ends[:, 2] - space.starts[owners, 2])
    order = sorted(movable, key=lambda i: float(cost(np.array([i]), space.starts[i : i + 1])[0]))
    fixed = [i for i in range(len(space.rows)) if i not in movable]
    for part in (1.0, 0.6, 0.3):
        short = gone <= part * space.reach[owners] + TOLERANCE
        placed = _place_all(space, order, fixed, owners[short], ends[short], costs[short])
        if placed is not None:
            answer = _answer(space, placed)
            if space.accepts(answer):
                return answer
    return STAY


def _whole(space: MoveSpace, vectors: Floats, costs: Floats, staying: float) -> tuple[Place, float]:
    """The cheapest legal shift of the whole unit, and what it saves over staying."""
    index = np.arange(len(space.rows))
    low = space.starts[:, 2] == 0.0
    useful = np.flatnonzero((costs < staying) & (np.hypot(*vectors.T) <= space.reach.min() + TOLERANCE))
    if not len(useful) or not low.all():
        return STAY, 0.0
    useful = useful[np.argsort(costs[useful], kind="stable")]
    first, size = 0, 4
    while first < len(useful):
        some = useful[first : first + size]
        first, size = first + size, 4 * size
        owners = np.tile(index, len(some))
        starts = space.starts[owners]
        ends = starts.copy()
        ends[:, :2] += np.repeat(vectors[some], len(index), axis=0)
        good = space.met(owners, ends)
        good[good] = space.passes(owners[good], starts[good], ends[good])
        for choice in some[good.reshape(len(some), len(index)).all(axis=1)][:3]:
            answer = _shifted(space, [vectors[choice]])
            if space.accepts(answer):
                return answer, staying - float(costs[choice])
    return STAY, 0.0


def _around_corner(space: MoveSpace, vectors: Floats, full: float, goal: Floats, middle: Floats) -> tuple[Place, float]:
    """The best of the moves of the whole unit along one vector and then straight on, and how much nearer it ends."""
    index = np.arange(len(space.rows))
    if space.starts[:, 2].any():
        return STAY, 0.0
    firsts = vectors[np.hypot(*vectors.T) <= 0.75 * full + TOLERANCE]
    owners = np.tile(index, len(firsts))
    starts = space.starts[owners]
    turns = starts.copy()
    turns[:, :2] += np.repeat(firsts, len(index), axis=0)
    free = space.passes(owners, starts, turns).reshape(len(firsts), -1).all(axis=1)
    firsts = firsts[free]
    if not len(firsts):
        return STAY, 0.0
    rest = goal - (middle + firsts)
    far = np.hypot(*rest.T)
    length = np.minimum(float(space.reach.min()) - np.hypot(*firsts.T) - TOLERANCE, far)
    seconds = rest / np.maximum(far, 1e-9)[:, None] * np.maximum(length, 0.0)[:, None]
    pairs = [(first, second * part) for part in (1.0, 0.6) for first, second in zip(firsts, seconds, strict=True)]
    starting = float(np.hypot(*(goal - middle)))
    gains = np.array([starting - float(np.hypot(*(middle + a + b - goal))) for a, b in pairs])
    order = [k for k in np.argsort(-gains, kind="stable") if gains[k] > TOLERANCE][:40]
    for first in range(0, len(order), 10):
        some = order[first : first + 10]
        turns = np.repeat(np.array([pairs[k][0] for k in some]), len(index), axis=0)
        shifts = np.repeat(np.array([pairs[k][0] + pairs[k][1] for k in some]), len(index), axis=0)
        owners = np.tile(index, len(some))
        turned, ends = space.starts[owners], space.starts[owners]
        turned[:, :2] += turns
        ends[:, :2] += shifts
        good = space.met(owners, ends) & space.passes(owners, turned, ends)
        for k in np.flatnonzero(good.reshape(len(some), len(index)).all(axis=1)):
            answer = _shifted(space, pairs[some[k]])
            if space.accepts(answer):
                return answer, float(gains[some[k]])
    return STAY, 0.0


def _shifted(space: MoveSpace, vectors: Sequence[Floats]) -> Place:
    """Every model moved by the same vectors, the foremost first."""
    steps = [(round(float(v[0]) * 1000), round(float(v[1]) * 1000)) for v in vectors]
    dx, dy = sum(step[0] for step in steps), sum(step[1] for step in steps)
    position = space.state.position
    order = sorted(space.index, key=lambda row: -(int(position[row, 0]) * dx + int(position[row, 1]) * dy))
    moves = []
    for row in order:
        x, y, z, facing = position[row].tolist()
        path = []
        for step in steps:
            x, y = x + step[0], y + step[1]
            path.append((x, y, z, facing))
        moves.append(ModelMove(row, tuple(path)))
    return Place(tuple(moves))


def _gain(space: MoveSpace, answer: Place, goal: tuple[float, float]) -> float:
    ends = {move.model: move.path[-1] for move in answer.moves}
    total = 0.0
    for i, row in enumerate(space.index):
        x, y = space.starts[i, :2]
        end = ends.get(row)
        if end is not None:
            before = math.hypot(x - goal[0], y - goal[1])
            total += before - math.hypot(end[0] / 1000 - goal[0], end[1] / 1000 - goal[1])
    return total / len(space.rows)


def _tries(space: MoveSpace, movable: list[int], extra: Callable[[int], Floats] | None) -> tuple[Indices, Floats]:
    """Poses to try for each of these models: where it stands, and 24 directions by quarters of its reach."""
    owners, ends = [], []
    for i in movable:
        reach = float(space.reach[i]) - TOLERANCE
        start = space.starts[i]
        here = np.tile(start, (1 + len(_ROUND) * len(_PARTS), 1))
        angles, parts = np.repeat(_ROUND, len(_PARTS)), np.tile(_PARTS, len(_ROUND))
        here[1:, 0] += reach * parts * np.cos(angles)
        here[1:, 1] += reach * parts * np.sin(angles)
        if start[2] > 0.0:  # also down to the ground, straight, and on from there
            down = here.copy()
            down[:, :2] = start[:2] + (here[:, :2] - start[:2]) * max(0.0, 1.0 - start[2] / max(reach, start[2]))
            down[:, 2] = 0.0
            here = np.concatenate([here, down])
        if extra is not None:
            here = np.concatenate([here, extra(i)])
        owners.append(np.full(len(here), i, np.intp))
        ends.append(here)
    poses = np.concatenate(ends)
    poses[:, :2] = np.round(poses[:, :2], 3)
    return np.concatenate(owners), poses


def _place_all(
    space: Space, order: Sequence[int], fixed: Sequence[int], owners: Indices, ends: Floats, costs: Floats
) -> dict[int, Floats] | None:
    """A place for each model in turn, clear of and in coherency with those before it; None when one has none."""
    placed: dict[int, Floats] = {i: space.starts[i] for i in fixed}
    chosen: dict[int, Floats] = {}
    for i in order:
        mine = np.flatnonzero(owners == i)
        if not len(mine):
            return None
        fine = fits(space, i, ends[mine], placed)
        if not fine.any():
            return None
        best = mine[fine][int(np.argmin(costs[mine][fine]))]
        placed[i] = chosen[i] = ends[best]
    return chosen


def fits(space: Space, model: int, poses: Floats, placed: dict[int, Floats]) -> Booleans:
    """(k,): which poses of one model are clear of and in coherency with the models placed already."""
    if not placed:
        return np.ones(len(poses), np.bool_)
    others = space.bases.some_at(list(placed), np.array(list(placed.values())))
    gaps = separation_matrix(space.bases.some_at(np.full(len(poses), model), poses), others)
    clear = gaps.min(axis=1) >= -TOLERANCE / 2
    closeness = space.placing.closeness
    near = (gaps.min(axis=1) <= closeness.near) & (gaps.max(axis=1) <= closeness.spread)
    return np.asarray(clear & near, dtype=np.bool_)


def _answer(space: Space, chosen: dict[int, Floats]) -> Place:
    """The moves of the chosen poses in the order they were chosen; a model that stays is left out."""
    moves = []
    for i, pose in chosen.items():
        row = int(space.rows[i])
        x, y, z, facing = (round(float(value) * 1000) for value in pose)
        here = space.state.position[row].tolist()
        if [x, y, z, facing] != here:
            down = ((here[0], here[1], z, here[3]),) if z != here[2] else ()
            moves.append(ModelMove(row, (*down, (x, y, z, facing))))
    return Place(tuple(moves))


def wander(space: MoveSpace, rng: RandomSource) -> Place:
    """A random legal move: a direction and a distance for the unit, and a little of its own for each model.

    Without luck in eight tries the unit makes the move's default, or stays.
    """
    reach = float(space.reach.min()) if len(space.rows) else 0.0
    if reach <= 0.0 or rng.randrange(10) == 0:
        return space.default() if rng.randrange(2) else STAY
    if space.has_default and rng.randrange(3) == 0:
        return space.default()
    plain = bool(space.bases.round.all()) and not space.starts[:, 2].any() and not space.blocks_own.any()
    for attempt in range(8):
        own = attempt < 4  # the later tries move the unit as one, and less and less far
        length = reach * math.sqrt(rng.random()) * (1.0 if own else 0.8)
        answer = _stroll(space, rng, 2 * math.pi * rng.random(), length, min(0.6, reach - length) if own else 0.0)
        if space.accepts_quickly(answer) or (not plain and not space.check(answer)):
            return answer
    return space.default()


def _stroll(space: MoveSpace, rng: RandomSource, angle: float, length: float, jitter: float) -> Place:
    """The unit moved in a direction; with jitter, in inches, each model a little differently, some turned or left."""
    moves = []
    for row in space.index:
        x, y, z, facing = space.state.position[row].tolist()
        dx = length * math.cos(angle) + jitter * (rng.random() - 0.5)
        dy = length * math.sin(angle) + jitter * (rng.random() - 0.5)
        turned = rng.randrange(360_000) if jitter and rng.randrange(4) == 0 else facing
        moves.append(ModelMove(row, ((x + math.trunc(dx * 1000), y + math.trunc(dy * 1000), z, turned),)))
    moves.sort(key=lambda move: -(move.path[0][0] * math.cos(angle) + move.path[0][1] * math.sin(angle)))
    if jitter and rng.randrange(4) == 0:
        moves = moves[: 1 + rng.randrange(len(moves))]
    return Place(tuple(moves))


# -- setting up --------------------------------------------------------------------------------------------------


def slots(space: SetUpSpace, width: float) -> Floats:
    """(n, 2): places for the unit's models in ranks of about this width, inches, the first rank's corner at 0, 0.

    The models stand base to base in the order of the unit; a rank is as deep as the largest base in it.
    """
    reach = space.bases.rows[:, -1]
    points = np.zeros((len(reach), 2))
    x, y, depth = 0.0, 0.0, 0.0
    for i, radius in enumerate(reach):
        if x > 0.0 and x + 2 * radius > width + TOLERANCE:
            x, y, depth = 0.0, y + depth + GAP, 0.0
        points[i] = x + radius, y + radius
        x += 2 * radius + GAP
        depth = max(depth, 2 * radius)
    return points


def pack(space: SetUpSpace, near: tuple[float, float]) -> Place:
    """The unit set up as compactly and as near to a point as the search finds; empty when it finds no place."""
    if not len(space.rows):
        return STAY
    anchors = _anchors(space, near)
    for block in _blocks(space):
        found = _pack_block(space, block, anchors)
        if found is not None:
            return found
    return _pack_loosely(space, anchors)


def _anchors(space: SetUpSpace, near: tuple[float, float]) -> Floats:
    """(k, 2): points one inch apart over the region, the nearest to the point first; the point itself leads."""
    x0, y0, x1, y1 = space.region
    xs, ys = np.meshgrid(np.arange(x0 + 0.5, x1, 1.0), np.arange(y0 + 0.5, y1, 1.0))
    points = np.concatenate([[near], np.stack([xs.ravel(), ys.ravel()], axis=1)])
    if space.strips:
        inside = [
            (points[:, 0] >= a) & (points[:, 0] <= c) & (points[:, 1] >= b) & (points[:, 1] <= d)
            for a, b, c, d in space.strips
        ]
        points = points[np.any(inside, axis=0)]
    return points[np.argsort(np.hypot(*(points - np.array(near)).T).round(6), kind="stable")]


def _blocks(space: SetUpSpace) -> Iterator[Floats]:
    """Formations about their middle, (n, 2), the most compact first; each is coherent in itself."""
    closeness = space.placing.closeness
    side = float(np.sqrt(np.sum((2 * space.bases.rows[:, -1]) ** 2)))
    for width in (1.2 * side, 0.8 * side, 2.0 * side, 0.5 * side):
        points = slots(space, max(width, 2 * float(space.bases.rows[0, -1])))
        points = points - (points.min(axis=0) + points.max(axis=0)) / 2
        poses = np.zeros((len(points), 4))
        poses[:, :2] = points
        placed = space.bases.at(poses)
        gaps = separation_matrix(placed, placed)
        np.fill_diagonal(gaps, 0.0)
        if gaps.max() <= closeness.spread and one_group(gaps <= closeness.near).all():
            yield points


def _pack_block(space: SetUpSpace, block: Floats, anchors: Floats) -> Place | None:
    first, size = 0, 8
    index = np.arange(len(block))
    while first < len(anchors):
        some = anchors[first : first + size]
        poses = np.zeros((len(some) * len(block), 4))
        poses[:, :2] = np.round((some[:, None, :] + block[None, :, :]).reshape(-1, 2), 3)
        good = space.met(np.tile(index, len(some)), poses).reshape(len(some), len(block)).all(axis=1)
        for choice in np.flatnonzero(good):
            answer = _answer_all(space, poses[choice * len(block) : (choice + 1) * len(block)])
            if space.accepts(answer):
                return answer
        first, size = first + size, min(4 * size, 64)
    return None


def _pack_loosely(space: SetUpSpace, anchors: Floats) -> Place:
    """The models one by one around some anchor, where no formation fits."""
    order = list(np.argsort(-space.bases.rows[:, -1], kind="stable"))
    for anchor in anchors[:: max(1, len(anchors) // 24)]:
        near = anchors[np.hypot(*(anchors - anchor).T) <= min(space.placing.closeness.spread, _FURTHEST)]
        halves = (near[None] + np.array(_HALVES)[:, None]).reshape(-1, 2)
        owners = np.repeat(np.arange(len(space.rows)), len(halves))
        ends = np.zeros((len(owners), 4))
        ends[:, :2] = np.round(np.tile(halves, (len(space.rows), 1)), 3)
        good = space.met(owners, ends)
        owners, ends = owners[good], ends[good]
        costs = np.hypot(*(ends[:, :2] - anchor).T)
        placed = _place_all(space, [int(i) for i in order], (), owners, ends, costs)
        if placed is not None:
            answer = _answer_all(space, np.array([placed[i] for i in range(len(space.rows))]))
            if space.accepts(answer):
                return answer
    return STAY


def _answer_all(space: SetUpSpace, poses: Floats) -> Place:
    moves = []
    for row, pose in zip(space.index, poses, strict=True):
        x, y, z, facing = (round(float(value) * 1000) for value in pose)
        moves.append(ModelMove(row, ((x, y, z, facing),)))
    return Place(tuple(moves))
