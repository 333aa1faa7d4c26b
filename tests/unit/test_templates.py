"""Blast markers and flamer templates laid over bases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from battlewright.core.shapes import Base, BaseSet, Footprints, Pose, distance_edge_to_point
from battlewright.core.templates import (
    Cover,
    blast,
    candidate_centres,
    covered,
    covered_share,
    is_under_centre,
    shifted,
    teardrop,
)

INCH = Base.round(25.4)
NONE, PARTLY, FULLY = Cover


def put(*places: tuple[float, float], base: Base = INCH) -> Footprints:
    return BaseSet.of([base] * len(places)).at(np.array([(x, y, 0, 0) for x, y in places], dtype=float).reshape(-1, 4))


def test_a_base_is_under_a_marker_fully_partly_or_not() -> None:
    cover = covered(blast((0, 0), 3), put((1, 0), (1.01, 0), (2, 0), (2.01, 0)))
    assert cover.tolist() == [FULLY, PARTLY, PARTLY, NONE]
    assert covered(blast((0, 0), 3), put()).tolist() == []


def test_a_marker_smaller_than_a_hull_covers_it_partly() -> None:
    assert covered(blast((0, 0), 3), put((0, 0), base=Base.rectangle(6, 4))).tolist() == [PARTLY]


def test_the_hole_lies_over_a_base() -> None:
    tank = Base.rectangle(6, 4)
    assert is_under_centre((2.9, 1.9), tank, Pose(0, 0))
    assert not is_under_centre((2.9, 1.9), tank, Pose(0, 0, 0, 90))


def test_a_teardrop_is_narrow_at_its_tip_and_broad_at_its_end() -> None:
    flame = teardrop((0, 0), 0)
    cover = covered(
        flame, put((7.4, 0), (8.49, 0), (8.51, 0), (1, 1), (6.75, 1.74), (6.75, 1.76), (-0.4, 0), (-0.6, 0))
    )
    assert cover.tolist() == [FULLY, PARTLY, NONE, NONE, PARTLY, NONE, PARTLY, NONE]
    assert covered(teardrop((0, 0), 90), put((0, 7.4), (7.4, 0))).tolist() == [FULLY, NONE]


def test_a_teardrop_s_sides_run_from_the_tip_along_its_disc() -> None:
    """The side's angle has the sine radius over distance of the disc: 1.25 over 6.75."""
    side = math.asin(1.25 / 6.75)
    away = 0.5
    along = (4 * math.cos(side) - away * math.sin(side), 4 * math.sin(side) + away * math.cos(side))
    nearer, further = (shifted(along, math.degrees(side) + 90, by) for by in (-0.005, 0.005))
    assert covered(teardrop((0, 0), 0), put(nearer, further)).tolist() == [PARTLY, NONE]


def test_the_share_of_a_base_under_a_marker() -> None:
    assert covered_share((0, 0), 3, INCH, Pose(1, 0)) == pytest.approx(1)
    assert covered_share((0, 0), 3, INCH, Pose(2.1, 0)) == 0
    assert covered_share((0, 0), 3, Base.rectangle(6, 4), Pose(3, 0)) == pytest.approx(math.pi * 2.25 / 2 / 24)
    assert covered_share((0, 0), 1, Base.round(50.8), Pose(0, 0)) == pytest.approx(0.25, abs=2e-4)
    lens = 2 * (math.pi / 3 - math.sqrt(3) / 4)
    assert covered_share((0, 0), 2, Base.round(50.8), Pose(1, 0)) == pytest.approx(lens / math.pi, abs=2e-4)


def test_a_marker_scatters_along_a_direction() -> None:
    assert shifted((1, 1), 90, 3) == pytest.approx((1, 4))


def test_among_the_candidate_centres_is_one_that_touches_the_most() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        squad = put(*(tuple(place) for place in rng.uniform(0, 7, (8, 2))))
        best = max(int((covered(blast(tuple(c), 3), squad) > NONE).sum()) for c in candidate_centres(squad, 3))
        grid = rng.uniform(0, 7, (300, 2))
        assert best >= max(int((covered(blast(tuple(c), 3), squad) > NONE).sum()) for c in grid)
    assert candidate_centres(put(), 3).shape == (0, 2)


def test_a_base_at_the_tip_of_a_flame_is_touched() -> None:
    assert distance_edge_to_point(INCH, Pose(0, 0), (0.5, 0)) == 0
    assert covered(teardrop((0.5, 0), 0), put((0, 0))).tolist() == [PARTLY]
