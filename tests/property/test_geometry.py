"""The compiled geometry against plain twins: Shapely on finely drawn outlines, and the laws that measuring obeys."""

from __future__ import annotations

import math
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings

from battlewright.core.shapes import (
    TOLERANCE,
    Base,
    BaseKind,
    BaseSet,
    Pose,
    distance_edge,
    distance_edge_to_polygon,
    distance_matrix,
    furthest_edge,
    overlap_matrix,
    overlaps_polygon,
    separation,
    separation_matrix,
    wholly_within_polygon,
)
from battlewright.core.sweeps import path_crosses_polygon, path_hits

shapely = pytest.importorskip("shapely")
several = settings(deadline=None, max_examples=80, derandomize=True)

FINE = 720
"""Corners of a drawn ellipse; the drawn outline lies at most 4e-5 inch inside a 120 mm base."""

sizes = st.floats(25, 170).map(lambda mm: round(mm, 1))


@st.composite
def hulls(draw: st.DrawFn) -> Base:
    count = draw(st.integers(3, 8))
    turns = sorted(draw(st.lists(st.integers(0, 71), min_size=count, max_size=count, unique=True)))
    gaps = [(b - a) % 72 for a, b in zip(turns, turns[1:] + turns[:1], strict=True)]
    if max(gaps) >= 34:
        return Base.rectangle(draw(st.integers(1, 7)), draw(st.integers(1, 7)))
    along, across = draw(st.floats(0.7, 3.5)), draw(st.floats(0.7, 3.5))
    return Base.hull([(along * math.cos(t * math.pi / 36), across * math.sin(t * math.pi / 36)) for t in turns])


bases = st.one_of(st.builds(Base.round, sizes), st.builds(Base.oval, sizes, sizes), hulls())
coordinates = st.integers(-9000, 9000).map(lambda n: n / 1000)
poses = st.builds(Pose, coordinates, coordinates, st.just(0.0), st.integers(0, 359).map(float))
polygons = st.sampled_from(
    [
        ((-3.0, -2.0), (3.0, -2.0), (3.0, 2.0), (-3.0, 2.0)),
        ((-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (-8.0, 8.0)),
        ((-5.0, -5.0), (5.0, -5.0), (5.0, -4.0), (-4.0, -4.0), (-4.0, 5.0), (-5.0, 5.0)),
        ((0.0, 7.0), (-6.0, -4.0), (0.0, -1.0), (6.0, -4.0)),
    ]
)


def drawn(base: Base, pose: Pose) -> Any:
    """The footprint as a Shapely polygon with FINE corners."""
    if base.kind is BaseKind.HULL:
        corners = np.array(base.outline)
    else:
        turns = np.arange(FINE) * (2 * math.pi / FINE)
        corners = np.column_stack([base.length / 2 * np.cos(turns), base.width / 2 * np.sin(turns)])
    angle = math.radians(pose.facing)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return shapely.Polygon(corners @ turn.T + (pose.x, pose.y))


def separation_by_edges(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose) -> float:
    """The signed distance as the greatest gap across any edge of the drawn outlines: exact where they overlap."""
    a, b = (np.array(drawn(*pair).exterior.coords) for pair in ((base_a, pose_a), (base_b, pose_b)))
    edges = np.concatenate([np.diff(a, axis=0), np.diff(b[::-1], axis=0)])
    directions = np.stack([edges[:, 1], -edges[:, 0]]) / np.hypot(edges[:, 0], edges[:, 1])
    return float(((b @ directions).min(axis=0) - (a @ directions).max(axis=0)).max())


@several
@given(bases, poses, bases, poses)
@example(Base.oval(60, 35), Pose(0, 0), Base.oval(60, 35), Pose(0, 0, 0, 90))
@example(Base.oval(60, 35), Pose(0, 0), Base.rectangle(2, 2), Pose(0, 0))
@example(Base.oval(170, 25), Pose(0, 0), Base.oval(170, 25), Pose(3.0, 0.7, 0, 17))
def test_separation_agrees_with_drawn_outlines(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose) -> None:
    measured = separation(base_a, pose_a, base_b, pose_b)
    assert max(0.0, measured) == pytest.approx(drawn(base_a, pose_a).distance(drawn(base_b, pose_b)), abs=1.5e-4)
    if measured < 0:
        assert measured == pytest.approx(separation_by_edges(base_a, pose_a, base_b, pose_b), abs=2e-4)
    assert measured == pytest.approx(separation(base_b, pose_b, base_a, pose_a), abs=1e-6)


@several
@given(bases, poses, bases, poses, st.floats(0.01, 3))
def test_shifting_apart_by_the_depth_leaves_bases_touching(
    base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose, gap: float
) -> None:
    """Along x, a shift that clears the overlap is never shorter than the depth."""
    depth = -separation(base_a, pose_a, base_b, pose_b)
    shifted = pose_b._replace(x=pose_b.x + max(0.0, depth) * 0.98 - 1e-4)
    if depth > 0.01:
        assert separation(base_a, pose_a, base_b, shifted) < 0


@several
@given(bases, poses, bases, poses)
def test_the_furthest_part_of_a_base(base_a: Base, pose_a: Pose, base_b: Base, pose_b: Pose) -> None:
    corners = shapely.points(np.array(drawn(base_a, pose_a).exterior.coords))
    beyond = float(shapely.distance(corners, drawn(base_b, pose_b)).max())
    assert max(0.0, furthest_edge(base_a, pose_a, base_b, pose_b)) == pytest.approx(beyond, abs=2e-4)


@several
@given(bases, poses, polygons)
def test_polygons_agree_with_drawn_outlines(base: Base, pose: Pose, polygon: tuple[tuple[float, float], ...]) -> None:
    area, outline = shapely.Polygon(polygon), drawn(base, pose)
    assert distance_edge_to_polygon(base, pose, polygon) == pytest.approx(area.distance(outline), abs=1e-4)
    if not overlaps_polygon(base, pose, polygon):
        assert area.intersection(outline).area < 0.05
    assert overlaps_polygon(base, pose, polygon) or not area.buffer(-0.01).intersects(outline)
    if wholly_within_polygon(base, pose, polygon):
        assert area.buffer(0.002).contains(outline)
    else:
        assert not area.buffer(-0.002).contains(outline)


@several
@given(st.lists(st.tuples(bases, poses), max_size=4), st.lists(st.tuples(bases, poses), max_size=4))
def test_a_matrix_is_its_pairs(group_a: list[tuple[Base, Pose]], group_b: list[tuple[Base, Pose]]) -> None:
    sets = [BaseSet.of([base for base, _ in group]) for group in (group_a, group_b)]
    rows = [np.array([pose for _, pose in group]).reshape(-1, 4) for group in (group_a, group_b)]
    matrix = distance_matrix(sets[0], rows[0], sets[1], rows[1])
    pairs = np.array([[distance_edge(*a, *b) for b in group_b] for a in group_a]).reshape(matrix.shape)
    assert matrix == pytest.approx(pairs, abs=1e-9)
    placed_a, placed_b = sets[0].at(rows[0]), sets[1].at(rows[1])
    signed = separation_matrix(placed_a, placed_b)
    assert np.array_equal(np.maximum(signed, 0), matrix)
    assert np.array_equal(overlap_matrix(placed_a, placed_b), signed < -TOLERANCE)


@several
@given(bases, poses, poses, bases, poses)
def test_a_path_passes_over_what_a_fine_walk_along_it_overlaps(
    base: Base, start: Pose, end: Pose, other: Base, place: Pose
) -> None:
    """The slide, then the turn the shorter way; a turn may reach a little beyond what the base passes over."""
    turn = (end.facing - start.facing + 180) % 360 - 180
    slide = [
        Pose(start.x + t * (end.x - start.x), start.y + t * (end.y - start.y), 0, start.facing)
        for t in np.linspace(0, 1, 120)
    ]
    walk = slide + [Pose(end.x, end.y, 0, start.facing + t * turn) for t in np.linspace(0, 1, 60)]
    depth = min(separation(base, pose, other, place) for pose in walk)
    hit = path_hits(base, [start, end], [(other, place)])[0]
    if depth < -2 * TOLERANCE:
        assert hit
    if depth > 0.02 + 0.01 * base.reach:
        assert not hit


@several
@given(bases, poses, poses, polygons)
def test_a_path_crosses_the_polygons_that_a_fine_walk_stands_on(
    base: Base, start: Pose, end: Pose, polygon: tuple[tuple[float, float], ...]
) -> None:
    end = end._replace(facing=start.facing)
    area = shapely.Polygon(polygon)
    walk = [
        drawn(base, Pose(start.x + t * (end.x - start.x), start.y + t * (end.y - start.y), 0, start.facing))
        for t in np.linspace(0, 1, 60)
    ]
    crosses = path_crosses_polygon(base, [start, end], polygon)
    if any(area.buffer(-0.01).intersects(outline) for outline in walk):
        assert crosses
    if min(area.distance(outline) for outline in walk) > 0.2:
        assert not crosses
