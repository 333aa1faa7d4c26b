"""Paths: what a moving base passes over."""

from __future__ import annotations

import numpy as np
import pytest

from battlewright.core.shapes import Base, BaseSet, Polygons, Pose
from battlewright.core.sweeps import (
    Sweeps,
    path_climb,
    path_crosses_polygon,
    path_hits,
    path_length,
    path_stays_on,
)

INCH = Base.round(25.4)
LANCE = Base.rectangle(6, 1)
WALL = ((5.0, -2.0), (5.2, -2.0), (5.2, 2.0), (5.0, 2.0))


def test_straight_lines_add_up() -> None:
    path = [Pose(0, 0), Pose(3, 4), Pose(3, 4, 3), Pose(3, 2, 0)]
    assert path_length(path) == 7
    assert path_climb(path) == 6
    assert path_length([]) == path_length(path[:1]) == 0


def test_a_base_passes_through_any_gap_it_fits() -> None:
    gate = [(INCH, Pose(5, 1)), (INCH, Pose(5, -1))]
    assert path_hits(INCH, [Pose(0, 0), Pose(10, 0)], gate) == [False, False]
    assert path_hits(INCH, [Pose(0, 0.01), Pose(10, 0.01)], gate) == [True, False]
    assert path_hits(INCH, [Pose(0, 0), Pose(4, 0), Pose(4, 3), Pose(10, 3)], gate) == [False, False]
    assert path_hits(INCH, [Pose(0, 3), Pose(6, 1)], gate) == [True, False]


def test_a_path_of_one_pose_is_where_the_base_stands() -> None:
    assert path_hits(INCH, [Pose(0, 0)], [(INCH, Pose(0.9, 0)), (INCH, Pose(1, 0))]) == [True, False]


def test_brushing_a_wall_is_not_crossing_it() -> None:
    assert not path_crosses_polygon(INCH, [Pose(4.5, -5), Pose(4.5, 5)], WALL)
    assert path_crosses_polygon(INCH, [Pose(4.6, -5), Pose(4.6, 5)], WALL)
    assert path_crosses_polygon(INCH, [Pose(0, 0), Pose(10, 0)], WALL)
    assert not path_crosses_polygon(INCH, [Pose(0, 0), Pose(0, 3), Pose(10, 3), Pose(10, 0)], WALL)
    assert path_crosses_polygon(Base.round(5), [Pose(5.1, 0)], WALL)


def test_a_long_base_slides_at_a_fixed_facing_and_turns_at_the_end() -> None:
    guard = [(INCH, Pose(10, 2))]
    assert path_hits(LANCE, [Pose(0, 0), Pose(10, 0)], guard) == [False]
    assert path_hits(LANCE, [Pose(0, 0), Pose(10, 0, 0, 90)], guard) == [True]
    assert path_hits(LANCE, [Pose(0, 0), Pose(10, 0, 0, 30)], guard) == [False]
    assert path_hits(LANCE, [Pose(0, 0, 0, 90), Pose(10, 0, 0, 90)], guard) == [True]


def test_a_turn_goes_the_shorter_way() -> None:
    guard = [(INCH, Pose(0, 2.8)), (INCH, Pose(0, -2.8))]
    assert path_hits(LANCE, [Pose(0, 0, 0, 45), Pose(0, 0, 0, 135)], guard) == [True, True]
    assert path_hits(LANCE, [Pose(0, 0, 0, 20), Pose(0, 0, 0, 340)], guard) == [False, False]


def test_a_turn_reaches_little_beyond_its_circle() -> None:
    reach = LANCE.reach
    just_outside = [(INCH, Pose(0, reach + 0.5 + 0.004))]
    just_inside = [(INCH, Pose(0, reach + 0.5 - 0.003))]
    turn = [Pose(0, 0, 0, 45), Pose(0, 0, 0, 135)]
    assert path_hits(LANCE, turn, just_outside) == [False]
    assert path_hits(LANCE, turn, just_inside) == [True]


def test_the_edge_of_the_table_holds_along_the_whole_path() -> None:
    assert path_stays_on(INCH, [Pose(0.5, 5), Pose(0.5, 8)], 44, 60)
    assert not path_stays_on(INCH, [Pose(5, 5), Pose(0.4, 5), Pose(5, 5)], 44, 60)
    assert path_stays_on(LANCE, [Pose(1, 5, 0, 90), Pose(1, 9, 0, 90)], 44, 60)
    assert not path_stays_on(LANCE, [Pose(1, 5, 0, 90), Pose(1, 9, 0, 60)], 44, 60)


def test_many_paths_of_different_lengths_at_once() -> None:
    bases = BaseSet.of([INCH, LANCE, INCH])
    paths = [
        np.array([[0, 0, 0, 0], [10, 0, 0, 0]], dtype=float),
        np.array([[0, 20, 0, 0]], dtype=float),
        [Pose(0, 0), Pose(0, 4), Pose(5, 4)],
    ]
    obstacles = BaseSet.of([INCH] * 3).at(np.array([[5, 0, 0, 0], [0, 20, 0, 0], [3, 4, 0, 0]], dtype=float))
    sweeps = Sweeps.of(bases, paths)
    assert np.array_equal(sweeps.hit(obstacles), np.eye(3, dtype=bool))
    assert sweeps.cross(Polygons.of([WALL]))[:, 0].tolist() == [True, False, False]
    assert sweeps.stay_on(44, 60).tolist() == [False, False, False]


@pytest.mark.parametrize("count", [0, 2])
def test_nothing_moves_past_nothing(count: int) -> None:
    bases = BaseSet.of([INCH] * count)
    sweeps = Sweeps.of(bases, [[Pose(1, 1)]] * count)
    assert sweeps.hit(BaseSet.of([]).at(np.zeros((0, 4)))).shape == (count, 0)
    assert sweeps.cross(Polygons.of([])).shape == (count, 0)
