"""The compiled sight against a brute-force twin: many lines, each tested against every obstacle in space."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from battlewright.core.prisms import Prisms, convex_pieces
from battlewright.core.shapes import Base, BaseKind, Polygon, Pose
from battlewright.core.sight import Visibility, sight_line, visibility, visibility_matrix, visible_shares
from battlewright.core.sight_kernels import HALF_LINE

shapely = pytest.importorskip("shapely")
several = settings(deadline=None, max_examples=40, derandomize=True)

Floats = NDArray[np.float64]
MARGIN = 0.16
"""What a view is narrowed or widened by, in inches, before the twin's answer must be the fast one's."""


@dataclass(frozen=True)
class Block:
    """An obstacle of the twin: a polygon or a disc from bottom to top."""

    outline: Polygon
    bottom: float
    top: float
    disc: tuple[float, float, float] | None = None

    def shape(self) -> Any:
        if self.disc:
            return shapely.Point(self.disc[:2]).buffer(self.disc[2], quad_segs=32)
        return shapely.Polygon(self.outline)

    def grown(self, by: float) -> Block:
        wider = self.shape().buffer(by, join_style="mitre")
        return Block(tuple(wider.exterior.coords[:-1]), self.bottom - by, self.top + by)


@dataclass(frozen=True)
class Scene:
    observer: Prisms
    target: Prisms
    bodies: tuple[tuple[Base, Pose, float], tuple[Base, Pose, float]]
    blocks: tuple[Block, ...]

    @property
    def obstacles(self) -> Prisms:
        walls = [block for block in self.blocks if not block.disc]
        discs = [block for block in self.blocks if block.disc]
        upright = Prisms.of_polygons([b.outline for b in walls], [b.bottom for b in walls], [b.top for b in walls])
        models = [
            Prisms.of_models(
                [Base.round(disc[2] * 50.8)], np.array([[disc[0], disc[1], block.bottom, 0]]), block.top - block.bottom
            )
            for block in discs
            if (disc := block.disc)
        ]
        return upright.joined(*models)


def footprint(base: Base, pose: Pose) -> Any:
    if base.kind is BaseKind.HULL:
        corners = np.array(base.outline)
    else:
        turns = np.arange(96) * (math.pi / 48)
        corners = np.column_stack([base.length / 2 * np.cos(turns), base.width / 2 * np.sin(turns)])
    angle = math.radians(pose.facing)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return shapely.Polygon(corners @ turn.T + (pose.x, pose.y))


def random_block(rng: np.random.Generator, *, flat: bool) -> Block:
    """A wall, an L of walls or a model somewhere between x 2 and 10."""
    x, y, turn = rng.uniform(2, 10), rng.uniform(-3, 3), rng.uniform(0, 2 * math.pi)
    bottom, top = (-1e6, 1e6) if flat else (0.0, float(rng.choice([0.6, 1.2, 2.0, 4.0])))
    if not flat and rng.random() < 0.25:
        bottom, top = 1.0 + rng.random(), 3.0 + rng.random()
    kind = rng.random()
    if kind < 0.3:
        radius = float(rng.uniform(0.4, 1.2))
        return Block((), bottom, top, (float(x), float(y), radius))
    width, depth = rng.uniform(0.5, 6), rng.uniform(0.25, 2)
    local = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)]
    if kind > 0.7:
        local = [(0.0, 0.0), (width, 0.0), (width, 0.3), (0.3, 0.3), (0.3, depth + 1), (0.0, depth + 1)]
    c, s = math.cos(turn), math.sin(turn)
    return Block(tuple((float(x + c * u - s * v), float(y + s * u + c * v)) for u, v in local), bottom, top)


def random_scene(seed: int, *, flat: bool) -> Scene:
    rng = np.random.default_rng(seed)

    def base() -> Base:
        kind = rng.random()
        if kind < 0.6:
            return Base.round(float(rng.choice([25, 32, 40, 60])))
        return Base.oval(60, 35) if kind < 0.8 else Base.rectangle(3, 2)

    bodies = tuple(
        (
            base(),
            Pose(x, float(rng.uniform(-1, 1)), 0.0 if flat else float(rng.choice([0, 0, 3])), rng.uniform(0, 360)),
            h,
        )
        for x, h in ((0.0, float(rng.uniform(1, 3))), (12.0, float(rng.uniform(1, 3))))
    )
    shapes = [footprint(base, pose) for base, pose, _ in bodies]
    blocks = [random_block(rng, flat=flat) for _ in range(int(rng.integers(1, 6)))]
    clear = tuple(b for b in blocks if all(b.shape().distance(shape) > 2 * MARGIN for shape in shapes))
    observer, target = (Prisms.of_models([base], np.array([pose]), height) for base, pose, height in bodies)
    return Scene(observer, target, (bodies[0], bodies[1]), clear)


def blocked(starts: Floats, ends: Floats, blocks: tuple[Block, ...], half_line: float) -> NDArray[np.bool_]:
    """Which lines, ``(n, 3)`` to ``(n, 3)``, some block stops; its corners are widened by half a line."""
    stopped = np.zeros(len(starts), dtype=bool)
    for block in blocks:
        if block.disc:
            x, y, radius = block.disc
            stopped |= _disc_stops(starts, ends, x, y, radius + half_line, block)
            continue
        stopped |= _polygon_stops(starts, ends, block)
        if half_line:
            for x, y in block.outline:
                stopped |= _disc_stops(starts, ends, x, y, half_line, block)
    return stopped


def _stops(starts: Floats, ends: Floats, t0: Floats, t1: Floats, block: Block) -> NDArray[np.bool_]:
    """Whether lines are between a block's bottom and top somewhere between two of their own fractions."""
    z0, z1 = (starts[:, 2] + t * (ends[:, 2] - starts[:, 2]) for t in (t0, t1))
    return (t1 - t0 > 1e-12) & (np.maximum(z0, z1) > block.bottom) & (np.minimum(z0, z1) < block.top)


def _disc_stops(starts: Floats, ends: Floats, x: float, y: float, radius: float, block: Block) -> NDArray[np.bool_]:
    along, to = ends[:, :2] - starts[:, :2], np.array([x, y]) - starts[:, :2]
    square = (along**2).sum(axis=1)
    middle = (along * to).sum(axis=1) / square
    rest = radius**2 - (to**2).sum(axis=1) + middle**2 * square
    half = np.sqrt(np.maximum(rest, 0) / square)
    t0, t1 = np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)
    return (rest > 0) & _stops(starts, ends, t0, t1, block)


def _polygon_stops(starts: Floats, ends: Floats, block: Block) -> NDArray[np.bool_]:
    corners = np.array(block.outline)
    cuts = [np.zeros(len(starts)), np.ones(len(starts))]
    along = ends[:, :2] - starts[:, :2]
    for p, q in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        edge, to = q - p, p - starts[:, :2]
        cross = along[:, 0] * edge[1] - along[:, 1] * edge[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (to[:, 0] * edge[1] - to[:, 1] * edge[0]) / cross
            s = (to[:, 0] * along[:, 1] - to[:, 1] * along[:, 0]) / cross
        cuts.append(np.where((s >= 0) & (s <= 1) & (t > 0) & (t < 1), t, 1.0))
    order = np.sort(np.stack(cuts), axis=0)
    stopped = np.zeros(len(starts), dtype=bool)
    shape = shapely.Polygon(block.outline)
    for t0, t1 in itertools.pairwise(order):
        middle = starts[:, :2] + along * ((t0 + t1) / 2)[:, None]
        stopped |= shapely.contains_xy(shape, middle) & _stops(starts, ends, t0, t1, block)
    return stopped


def facing_parts(scene: Scene, count: int) -> Floats:
    """Parts of the target that face the observer's middle, ``(n, 3)``: many columns at foot, middle and top."""
    base, pose, height = scene.bodies[1]
    ring = footprint(base, pose).exterior
    x, y = scene.bodies[0][1][:2]
    centres = []
    for at in np.linspace(0, ring.length, count, endpoint=False):
        p, q = ring.interpolate(at), ring.interpolate((at + 1e-4) % ring.length)
        if (q.y - p.y) * (x - p.x) - (q.x - p.x) * (y - p.y) > 0:
            centres.append((p.x, p.y))
    columns = np.array(centres)
    if not shapely.is_ccw(ring):
        raise AssertionError("the twin expects counter-clockwise outlines")
    return np.concatenate(
        [np.column_stack([columns, np.full(len(columns), pose.z + h)]) for h in (0.0, height / 2, height)]
    )


def parts_of_observer(scene: Scene, rng: np.random.Generator, count: int) -> Floats:
    """Random parts of the observer, its outline and its top the likeliest, ``(n, 3)``."""
    base, pose, height = scene.bodies[0]
    ring = footprint(base, pose).exterior
    points = shapely.get_coordinates(ring.interpolate(rng.uniform(0, ring.length, count)))
    inwards = rng.choice([1.0, 1.0, 0.6], count)[:, None]
    points = points * inwards + np.array([pose.x, pose.y]) * (1 - inwards)
    return np.column_stack([points, pose.z + height * rng.choice([0, 0.25, 0.5, 0.75, 1, 1], count)])


def seen_parts(scene: Scene, parts: Floats, blocks: tuple[Block, ...], half_line: float) -> NDArray[np.bool_]:
    """Which parts of the target some of many lines reach."""
    eyes = parts_of_observer(scene, np.random.default_rng(5), 160)
    starts, ends = np.repeat(parts, len(eyes), axis=0), np.tile(eyes, (len(parts), 1))
    return ~blocked(starts, ends, blocks, half_line).reshape(len(parts), len(eyes)).all(axis=1)


@several
@given(st.integers(0, 10**6), st.booleans())
def test_a_visible_target_has_a_free_line(seed: int, flat: bool) -> None:
    scene = random_scene(seed, flat=flat)
    line = sight_line(scene.observer, scene.target, scene.obstacles)
    assert (line is not None) == (visibility(scene.observer, scene.target, scene.obstacles) > Visibility.NONE)
    if line is not None:
        start, end = (np.array([part]) for part in line)
        smaller = tuple(
            Block(b.outline, b.bottom + 1e-6, b.top - 1e-6, b.disc and (*b.disc[:2], b.disc[2] - 1e-6))
            for b in scene.blocks
        )
        assert not blocked(start, end, smaller, HALF_LINE - 1e-6)[0]
        for part, (base, pose, height) in zip(line, scene.bodies, strict=True):
            assert footprint(base, pose).distance(shapely.Point(part[:2])) < 0.01
            assert pose.z - 1e-9 <= part[2] <= pose.z + height + 1e-9


@several
@given(st.integers(0, 10**6), st.booleans())
def test_what_is_seen_past_wider_obstacles_is_seen(seed: int, flat: bool) -> None:
    scene = random_scene(seed, flat=flat)
    wider = tuple(block.grown(MARGIN) for block in scene.blocks)
    seen = seen_parts(scene, facing_parts(scene, 30), wider, 0.0)
    answer = visibility(scene.observer, scene.target, scene.obstacles)
    if seen.any():
        assert answer > Visibility.NONE
    if seen.all():
        assert answer is Visibility.FULL


@several
@given(st.integers(0, 10**6), st.booleans())
def test_what_is_fully_visible_is_seen_nearly_everywhere(seed: int, flat: bool) -> None:
    """Between two sampled points something may hide, and the twin's lines may miss a narrow view: but not often."""
    scene = random_scene(seed, flat=flat)
    if visibility(scene.observer, scene.target, scene.obstacles) is Visibility.FULL:
        assert seen_parts(scene, facing_parts(scene, 30), scene.blocks, 0.0).mean() > 0.85


@settings(deadline=None, max_examples=25, derandomize=True)
@given(st.integers(0, 10**6), st.booleans())
def test_the_visible_share_is_that_of_many_lines(seed: int, flat: bool) -> None:
    scene = random_scene(seed, flat=flat)
    parts = facing_parts(scene, 60)
    seen = seen_parts(scene, parts, scene.blocks, HALF_LINE)
    share = float(visible_shares(scene.observer, scene.target, scene.obstacles)[0, 0])
    least = seen_parts(scene, parts, tuple(b.grown(MARGIN) for b in scene.blocks), 0.0)
    # The twin's parts weigh the same wherever they lie, and its lines are few.
    assert least.mean() - 0.2 <= share <= seen.mean() + 0.2


@several
@given(st.integers(0, 10**6), st.booleans())
def test_seeing_is_mutual(seed: int, flat: bool) -> None:
    scene = random_scene(seed, flat=flat)
    there = visibility(scene.observer, scene.target, scene.obstacles)
    back = visibility(scene.target, scene.observer, scene.obstacles)
    assert (there > Visibility.NONE) == (back > Visibility.NONE)


@several
@given(st.integers(0, 10**6), st.booleans())
def test_taking_an_obstacle_away_never_hides(seed: int, flat: bool) -> None:
    scene = random_scene(seed, flat=flat)
    every = visibility(scene.observer, scene.target, scene.obstacles)
    for left_out in range(len(scene.obstacles)):
        rest = scene.obstacles.take([k for k in range(len(scene.obstacles)) if k != left_out])
        assert visibility(scene.observer, scene.target, rest) >= every


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=40, derandomize=True)
def test_a_matrix_is_its_pairs(seed: int) -> None:
    scenes = [random_scene(seed + k, flat=False) for k in range(3)]
    observers = scenes[0].observer.joined(*(scene.observer for scene in scenes[1:]))
    targets = scenes[0].target.joined(*(scene.target for scene in scenes[1:]))
    obstacles = scenes[0].obstacles.joined(*(scene.obstacles for scene in scenes[1:]))
    matrix = visibility_matrix(observers, targets, obstacles)
    for i in range(3):
        for j in range(3):
            assert matrix[i, j] == visibility(observers.take([i]), targets.take([j]), obstacles)


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=60, derandomize=True)
def test_convex_pieces_cover_their_polygon_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    turns = np.sort(rng.uniform(0, 2 * math.pi, int(rng.integers(3, 14))))
    star = shapely.Polygon(np.column_stack([np.cos(turns), np.sin(turns)]) * rng.uniform(0.3, 3, len(turns))[:, None])
    if not star.is_valid or star.area < 0.05:
        return
    pieces = [shapely.Polygon(piece) for piece in convex_pieces(tuple(star.exterior.coords[:-1]))]
    assert shapely.union_all(pieces).symmetric_difference(star).area < 1e-6
    assert sum(piece.area for piece in pieces) == pytest.approx(star.area)
    assert all(piece.area == pytest.approx(piece.convex_hull.area) for piece in pieces)
