"""Bases, poses and the measuring between them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from battlewright.core.errors import BadInput
from battlewright.core.shapes import (
    Base,
    Pose,
    distance_edge,
    distance_matrix,
    in_contact,
    overlap,
    separation,
    snap,
    snap_facing,
    to_inches,
    vertical_gap,
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
