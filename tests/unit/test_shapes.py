"""Bases, poses and the measuring between them."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from battlewright.core.errors import BadInput
from battlewright.core.shapes import (
    Arc,
    Base,
    BaseSet,
    Pose,
    arc_of,
    base_in_arc,
    bearing,
    corner_angle,
    distance_edge,
    distance_edge_3d,
    distance_edge_to_point,
    distance_edge_to_polygon,
    distance_edge_to_segment,
    distance_matrix,
    furthest_edge_from_point,
    in_arc,
    in_contact,
    inside_rectangle,
    overlap,
    overlaps_polygon,
    separation,
    snap,
    snap_facing,
    to_inches,
    touches_polygon,
    vertical_gap,
    wholly_within_base,
    wholly_within_circle,
    wholly_within_polygon,
    within,
)

INCH = Base.round(25.4)


@pytest.mark.parametrize(
    "text",
    ["32mm", "28.5mm", "60x35mm", "hull 6.2x4.1in", "60mm flying", "120x92mm flying", "hull 3,0 -1,2 -1,-2in"],
)
def test_the_text_form_of_a_base_parses_back(text: str) -> None:
    base = Base.parse(text)
    assert str(base) == text
    assert Base.from_json(base.to_json()) == base
    assert eval(repr(base), {"Base": Base}) == base


@pytest.mark.parametrize("text", ["", "32", "0mm", "hull 1,1 2,2in", "x35mm", "hull 0,0 1,0 1,1 0,1in", "32mm 3"])
def test_what_is_not_a_base_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        Base.parse(text)


def test_a_hull_must_be_convex() -> None:
    with pytest.raises(BadInput, match="convex"):
        Base.hull([(2, 2), (-2, 2), (0, 0.5), (-2, -2), (2, -2)])


def test_an_oval_of_equal_sides_is_round() -> None:
    assert Base.oval(40, 40) == Base.round(40)


def test_round_bases_measure_from_edge_to_edge() -> None:
    assert distance_edge(INCH, Pose(0, 0), INCH, Pose(3, 4)) == 4.0
    assert distance_edge(INCH, Pose(0, 0), INCH, Pose(0.5, 0)) == 0.0
    assert separation(INCH, Pose(1, 1), INCH, Pose(1, 1)) == -1.0


def test_touching_is_contact_and_not_overlap() -> None:
    touching, apart = Pose(1, 0), Pose(1.002, 0)
    assert in_contact(INCH, Pose(0, 0), INCH, touching)
    assert not overlap(INCH, Pose(0, 0), INCH, touching)
    assert overlap(INCH, Pose(0, 0), INCH, Pose(0.998, 0))
    assert not in_contact(INCH, Pose(0, 0), INCH, apart)


def test_a_matrix_holds_the_pair_distances() -> None:
    poses = to_inches(np.array([[0, 0, 0, 0], [3000, 0, 0, 0], [500, 0, 0, 0]], dtype=np.int32))
    matrix = distance_matrix([INCH] * 3, poses, [INCH] * 2, poses[:2])
    assert matrix == pytest.approx(np.array([[0, 2], [2, 0], [0, 1.5]]))
    assert distance_matrix([], np.zeros((0, 4)), [INCH] * 2, poses[:2]).shape == (0, 2)


def test_poses_are_snapped_to_thousandths() -> None:
    assert Pose(1.00049, -2.0006, 3, -90).to_row() == (1000, -2001, 3000, 270_000)
    assert Pose.from_row((1000, -2001, 3000, 270_000)) == Pose(1.0, -2.001, 3.0, 270.0)
    assert (snap(0.0005), snap(-0.0005)) == (1, 0)
    assert snap_facing(720) == 0


def test_within_has_one_meaning() -> None:
    assert within(math.nextafter(2.0, 3), 2)
    assert not within(2.0011, 2)


def test_a_vertical_gap_is_nil_where_bodies_share_a_height() -> None:
    assert vertical_gap(0, 2, 3, 1) == 1
    assert vertical_gap(3, 1, 0, 2) == 1
    assert vertical_gap(0, 2, 1.5, 4) == 0


def test_the_straight_distance_includes_the_height() -> None:
    assert distance_edge_3d(INCH, Pose(0, 0, 0), INCH, Pose(4, 0, 4)) == 5.0


OVAL = Base.oval(4 * 25.4, 2 * 25.4)
SQUARE = ((0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (0.0, 6.0))


def test_the_long_axis_of_an_oval_lies_along_its_facing() -> None:
    assert distance_edge_to_point(OVAL, Pose(0, 0), (5, 0)) == pytest.approx(3, abs=1e-8)
    assert distance_edge_to_point(OVAL, Pose(0, 0, 0, 90), (5, 0)) == pytest.approx(4, abs=1e-8)
    assert distance_edge(OVAL, Pose(0, 0), OVAL, Pose(5, 0, 0, 90)) == pytest.approx(2, abs=1e-8)
    assert distance_edge_to_point(OVAL, Pose(0, 0), (0.5, 0.5)) == 0


def test_a_hull_measures_from_its_outline() -> None:
    tank = Base.rectangle(6, 4)
    assert distance_edge(tank, Pose(0, 0), INCH, Pose(5.5, 0)) == pytest.approx(2, abs=1e-8)
    assert distance_edge(tank, Pose(0, 0, 0, 90), INCH, Pose(5.5, 0)) == pytest.approx(3, abs=1e-8)
    assert distance_edge(tank, Pose(0, 0), INCH, Pose(6, 6)) == pytest.approx(4.5, abs=1e-8)
    assert separation(tank, Pose(0, 0), tank, Pose(5.5, 0.2)) == pytest.approx(-0.5, abs=1e-6)


def test_touching_ovals_and_hulls_do_not_overlap() -> None:
    tank = Base.rectangle(6, 4)
    assert in_contact(OVAL, Pose(0, 0), tank, Pose(5, 0))
    assert not overlap(OVAL, Pose(0, 0), tank, Pose(5, 0))
    assert overlap(OVAL, Pose(0, 0), tank, Pose(4.997, 0))


def test_a_segment_of_no_length_is_a_point() -> None:
    assert distance_edge_to_segment(OVAL, Pose(0, 0), (5, 0), (5, 0)) == pytest.approx(3, abs=1e-8)
    assert distance_edge_to_segment(INCH, Pose(0, 2), (-5, 0), (5, 0)) == 1.5


def test_the_four_relations_of_a_base_to_a_polygon() -> None:
    outside, touching, across, inside = Pose(-1, 3), Pose(-0.5, 3), Pose(0.2, 3), Pose(0.5, 3)
    assert distance_edge_to_polygon(INCH, outside, SQUARE) == 0.5
    relations = [
        (touches_polygon(INCH, p, SQUARE), overlaps_polygon(INCH, p, SQUARE), wholly_within_polygon(INCH, p, SQUARE))
        for p in (outside, touching, across, inside)
    ]
    assert relations == [(False, False, False), (True, False, False), (True, True, False), (True, True, True)]


def test_a_polygon_smaller_than_the_base_is_still_touched() -> None:
    plinth = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.2), (0.1, 0.2))
    assert overlaps_polygon(INCH, Pose(0, 0), plinth)
    assert distance_edge_to_polygon(INCH, Pose(0, 0), plinth) == 0
    assert not wholly_within_polygon(INCH, Pose(0.15, 0.15), plinth)


def test_wholly_within_measures_the_furthest_part() -> None:
    assert wholly_within_circle(INCH, Pose(2.5, 0), (0, 0), 3)
    assert not wholly_within_circle(INCH, Pose(2.502, 0), (0, 0), 3)
    assert furthest_edge_from_point(OVAL, Pose(3, 0), (0, 0)) == pytest.approx(5, abs=1e-6)
    assert wholly_within_base(INCH, Pose(3, 0), INCH, Pose(0, 0), 3)
    assert not wholly_within_base(INCH, Pose(3.01, 0), INCH, Pose(0, 0), 3)


def test_a_base_may_touch_the_edge_of_the_table_from_inside() -> None:
    bases = BaseSet.of([INCH, INCH, OVAL, OVAL])
    poses = np.array([[0.5, 0.5, 0, 0], [0.498, 5, 0, 0], [42, 59, 0, 0], [42, 59, 0, 90]], dtype=np.float64)
    assert inside_rectangle(bases.at(poses), 44, 60).tolist() == [True, False, True, False]


def test_bearings_turn_to_the_left() -> None:
    north = Pose(0, 0, 0, 90)
    assert bearing(north, (-1, 0)) == pytest.approx(90)
    assert bearing(north, (1, 0)) == pytest.approx(-90)
    assert bearing(north, (0, -1)) == 180
    assert bearing(north, (0, 0)) == 0


def test_arcs_of_a_hull_run_through_its_corners() -> None:
    assert corner_angle(Base.rectangle(4, 4)) == 90
    east = Pose(0, 0)
    assert arc_of(east, (2, 2)) is Arc.FRONT
    assert arc_of(east, (2, 2.1)) is Arc.LEFT
    assert arc_of(east, (-2, -2)) is Arc.RIGHT
    assert arc_of(east, (-2.1, -2)) is Arc.REAR
    assert arc_of(east, (2, 2), front=corner_angle(Base.rectangle(6, 4))).is_side


def test_a_base_is_in_an_arc_when_any_part_of_it_is() -> None:
    east = Pose(0, 0)
    assert not in_arc(east, (3, 3.4), 90)
    assert base_in_arc(east, INCH, Pose(3, 3.4), 90)
    assert not base_in_arc(east, INCH, Pose(-3, 1), 90)
    assert in_arc(east, (-3, 0), 90, centre=180)
    assert base_in_arc(east, INCH, Pose(-3, 1), 360)


def test_importing_the_core_loads_neither_numba_nor_shapely() -> None:
    program = """
import sys
from battlewright.core import shapes, sight, sweeps, table, templates, warm
print(sorted(name for name in ("numba", "shapely", "scipy", "matplotlib", "pydantic", "yaml") if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
