"""Sight between bodies: small scenes whose answer is plain to see."""

from __future__ import annotations

import numpy as np
import pytest

from battlewright.core.prisms import Prisms, area_curtains, convex_pieces, feature_prisms, floor_prisms
from battlewright.core.shapes import Base
from battlewright.core.sight import Visibility, sight_line, visibility, visibility_matrix, visible_shares
from battlewright.core.table import Battlefield, Category, Floor, TerrainArea, TerrainFeature

INCH = Base.round(25.4)
NONE, PARTIAL, FULL = Visibility


def models(*places: tuple[float, ...], height: float = 1.5, base: Base = INCH) -> Prisms:
    """Bodies at (x, y) or (x, y, z)."""
    poses = np.array([(*(*place, 0.0, 0.0)[:3], 0.0) for place in places])
    return Prisms.of_models([base] * len(places), poses, height)


def wall(x0: float, y0: float, x1: float, y1: float, bottom: float = 0.0, top: float = 10.0) -> Prisms:
    return Prisms.of_polygons([((x0, y0), (x1, y0), (x1, y1), (x0, y1))], bottom, top)


HERE, THERE = models((0, 0)), models((10, 0))


def test_nothing_between_leaves_all_of_it_to_see() -> None:
    assert visibility(HERE, THERE, Prisms.empty()) is FULL
    assert visibility(HERE, THERE, wall(5, 1, 6, 5)) is FULL
    assert visibility(HERE, THERE, wall(11, -5, 12, 5)) is FULL
    assert visibility(HERE, THERE, wall(-2, -5, -1, 5)) is FULL


def test_a_wall_right_across_hides() -> None:
    assert visibility(HERE, THERE, wall(5, -5, 5.2, 5)) is NONE
    assert sight_line(HERE, THERE, wall(5, -5, 5.2, 5)) is None


def test_two_walls_may_hide_together_what_neither_hides_alone() -> None:
    left, right = wall(5, 0, 5.2, 9), wall(5, -9, 5.2, 0)
    assert visibility(HERE, THERE, left) is PARTIAL
    assert visibility(HERE, THERE, right) is PARTIAL
    assert visibility(HERE, THERE, left.joined(right)) is NONE


@pytest.mark.parametrize(("gap", "seen"), [(0.041, True), (0.038, False)])
def test_a_gap_must_let_a_line_of_one_millimetre_through(gap: float, seen: bool) -> None:
    walls = wall(5, gap / 2, 5.01, 9).joined(wall(5, -9, 5.01, -gap / 2))
    assert (visibility(HERE, THERE, walls) > NONE) is seen


def test_a_post_hides_part_of_a_target_only_from_a_small_observer() -> None:
    post = wall(4.8, -0.1, 5.0, 0.1)
    assert visibility(HERE, THERE, post) is FULL
    assert visibility(models((0, 0), base=Base.round(1)), THERE, post) is PARTIAL


def test_a_low_wall_hides_the_feet_and_a_high_one_everything() -> None:
    assert visibility(HERE, THERE, wall(5, -5, 5.2, 5, top=1.0)) is PARTIAL
    assert visibility(HERE, THERE, wall(5, -5, 5.2, 5, top=1.49)) is PARTIAL
    assert visibility(HERE, THERE, wall(5, -5, 5.2, 5, top=1.5)) is NONE
    assert visibility(HERE, models((10, 0), height=2.0), wall(5, -5, 5.2, 5, top=1.5)) is PARTIAL


def test_from_above_one_sees_over_a_wall_near_ones_feet() -> None:
    above = models((0, 0, 6))
    assert visibility(above, THERE, wall(1, -5, 1.2, 5, top=3)) is FULL
    assert visibility(above, THERE, wall(8, -5, 8.2, 5, top=3)) is NONE
    assert visibility(above, THERE, wall(8, -5, 8.2, 5, top=2)) is PARTIAL


def test_one_sees_under_what_hangs() -> None:
    assert visibility(HERE, THERE, wall(5, -5, 5.2, 5, bottom=1.0)) is FULL
    assert visibility(HERE, THERE, wall(9, -5, 9.2, 5, bottom=1.2)) is PARTIAL
    assert visibility(models((0, 0, 3)), models((10, 0, 3)), wall(5, -5, 5.2, 5, bottom=2, top=6)) is NONE


def test_a_floor_hides_what_is_below_it() -> None:
    plate = wall(8, -3, 14, 3, bottom=2.9, top=3.0)
    assert visibility(models((7, 0, 6)), models((11, 0, 0)), plate) is NONE
    assert visibility(models((0, 0, 6)), models((11, 0, 0)), plate) is FULL
    assert visibility(models((0, 0, 3)), models((9, 0, 3)), plate) is FULL


def test_bodies_above_each_other_see_each_other_unless_a_floor_lies_between() -> None:
    below, above = models((5, 5, 0)), models((5.2, 5, 3))
    assert visibility(below, above, Prisms.empty()) is FULL
    assert visibility(below, above, wall(0, 0, 10, 10, bottom=2.9, top=3.0)) is NONE
    assert visibility(below, models((5, 5, 0)), Prisms.empty()) is FULL


def test_other_models_block_as_far_as_they_reach() -> None:
    assert visibility(HERE, THERE, models((5, 0), base=Base.round(80))) is NONE
    assert visibility(HERE, THERE, models((5, 0.2))) is PARTIAL
    assert visibility(HERE, THERE, models((5, 2))) is FULL
    assert visibility(HERE, THERE, models((5, 0), height=1.0, base=Base.round(80))) is PARTIAL
    assert visibility(HERE, THERE, models((-1, 0.2), (11, 0.2))) is FULL


def test_an_obstacle_that_touches_the_observer_from_behind_hides_nothing() -> None:
    assert visibility(HERE, THERE, models((-0.9, 0.5))) is FULL
    assert visibility(models((0, 0), base=Base.rectangle(4, 2)), THERE, models((-1, 1.5), (-2.5, 0))) is FULL


def test_ovals_and_hulls_are_seen_by_their_own_shape() -> None:
    long_way, across = Base.oval(100, 40), Base.rectangle(2, 6)
    screen = wall(5, -1, 5.2, 1)
    assert visibility(HERE, models((10, 0), base=across), screen) is PARTIAL
    assert visibility(HERE, models((10, 0), base=long_way), wall(5, -3, 5.2, 3)) is NONE
    tank = models((0, 0), base=Base.rectangle(2, 6))
    assert visibility(tank, THERE, screen) is FULL
    assert visibility(tank, THERE, wall(5, -9, 5.2, 1.6)) is PARTIAL


def test_an_eye_is_an_observer_of_no_height() -> None:
    eye = Prisms.of_models([Base.round(0.1)], np.zeros((1, 4)), 0.0, lifts=1.2)
    assert visibility(eye, THERE, wall(5, -5, 5.2, 5, top=1.3)) is PARTIAL
    assert visibility(eye, THERE, wall(5, -5, 5.2, 5, top=1.4)) is NONE


def test_groups_are_left_out_for_those_who_may() -> None:
    areas = Prisms.of_polygons([((4, -3), (6, -3), (6, 3), (4, 3)), ((7, -3), (8, -3), (8, 3), (7, 3))], groups=[0, 1])
    observers, targets = models((0, 0), (5, 0)), models((10, 0), (7.5, 0))
    in_first, in_second = np.array([[False, False], [True, False]]), np.array([[False, False], [False, True]])
    seen = visibility_matrix(observers, targets, areas, in_first, in_second)
    assert seen.tolist() == [[NONE, NONE], [NONE, FULL]]


def test_empty_groups_give_an_empty_matrix() -> None:
    nobody = Prisms.of_models([], np.zeros((0, 4)), 1.0)
    assert visibility_matrix(nobody, THERE, wall(5, -5, 6, 5)).shape == (0, 1)
    assert visibility_matrix(HERE, nobody, wall(5, -5, 6, 5)).shape == (1, 0)


def test_the_share_of_a_target_that_is_seen() -> None:
    eye = models((0, 0), base=Base.round(1), height=0.01)
    half = wall(9, 0, 9.2, 5)
    assert visible_shares(eye, THERE, half)[0, 0] == pytest.approx(0.5, abs=0.1)
    assert visible_shares(HERE, THERE, Prisms.empty())[0, 0] == 1
    assert visible_shares(HERE, THERE, wall(9, -5, 9.2, 5))[0, 0] == 0
    assert visible_shares(HERE, THERE, wall(9, -5, 9.2, 5, top=0.75))[0, 0] == pytest.approx(0.5, abs=0.13)


def test_terrain_becomes_obstacles_with_its_area_as_group() -> None:
    ruin = TerrainFeature(
        "ruin",
        ((4.0, -3.0), (4.2, -3.0), (4.2, 3.0), (4.0, 3.0)),
        height=5,
        floors=(Floor(((4.0, -3.0), (6.0, -3.0), (6.0, 3.0), (4.0, 3.0)), 3.0),),
    )
    area = TerrainArea("a", ((3.0, -3.0), (7.0, -3.0), (7.0, 3.0), (3.0, 3.0)), Category.DENSE, (ruin,))
    field = Battlefield("small", 20, 20, (TerrainArea("z", ((8.0, 8.0), (9.0, 8.0), (9.0, 9.0))), area))
    assert visibility(HERE, THERE, area_curtains(field)) is NONE
    assert visibility(models((0, 0), height=6), models((10, 0), height=6), feature_prisms(field)) is PARTIAL
    assert visibility(models((5.5, 0, 3)), models((5.5, 0, 0)), floor_prisms(field)) is NONE
    inside = np.array([[False, True]])
    assert visibility_matrix(models((5, 0)), THERE, area_curtains(field), inside).tolist() == [[FULL]]


def test_an_l_of_walls_becomes_two_pieces() -> None:
    shape = ((0.0, 0.0), (4.0, 0.0), (4.0, 0.2), (0.2, 0.2), (0.2, 3.0), (0.0, 3.0))
    assert len(convex_pieces(shape)) <= 3
    square = ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0))
    assert convex_pieces(square) == (square[::-1],)
