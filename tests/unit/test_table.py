"""The battlefield: its files, its faults, and what stands where."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from battlewright.core.errors import BadInput
from battlewright.core.shapes import Base, BaseSet, Pose, wholly_within_polygon
from battlewright.core.table import Battlefield, Category, Edge, ObjectiveRole, load_battlefield, quarters

LAYOUTS = Path(str(files("battlewright"))) / "editions" / "eleventh" / "layouts"
INCH = Base.round(25.4)


@pytest.fixture(scope="module")
def dominance() -> Battlefield:
    return load_battlefield(LAYOUTS / "battlefield_dominance_a.yaml")


@pytest.mark.parametrize("name", ["battlefield_dominance_a", "open_table"])
def test_a_layout_survives_the_way_to_json_and_back(name: str) -> None:
    battlefield = load_battlefield(LAYOUTS / f"{name}.yaml")
    text = json.dumps(battlefield.to_json())
    assert Battlefield.from_json(json.loads(text)) == battlefield
    assert load_battlefield(text + "\n") == battlefield


def test_areas_marked_as_one_are_one(dominance: Battlefield) -> None:
    assert len(dominance.areas) == 13
    centre = dominance.area("10")
    assert centre is dominance.area("07") is dominance.area("07+10")
    assert set(centre.polygon) == {(16.35, 25), (27.85, 25), (27.85, 35), (16.35, 35)}
    assert wholly_within_polygon(INCH, Pose(22, 30), centre.polygon)
    assert centre.categories == {Category.LIGHT, Category.DENSE}
    assert dominance.objective("central").area == "07+10"
    assert dominance.area("06") is dominance.area("08")
    assert wholly_within_polygon(INCH, Pose(9.1, 32), dominance.area("06").polygon)


def test_touching_areas_that_are_not_marked_stay_two(dominance: Battlefield) -> None:
    assert dominance.area("13") is not dominance.area("15")
    with pytest.raises(KeyError):
        dominance.area("17")


def test_the_two_halves_answer_each_other_after_a_half_turn(dominance: Battlefield) -> None:
    def turned(corners: Any) -> set[tuple[float, float]]:
        return {(round(44 - x, 3), round(60 - y, 3)) for x, y in corners}

    attacker, defender = dominance.zone("attacker"), dominance.zone("defender")
    assert turned(attacker.polygon) == set(defender.polygon)
    assert turned(attacker.territory) == {(round(x, 3), round(y, 3)) for x, y in defender.territory}
    for first, second in (("01", "16"), ("02", "15"), ("03", "14"), ("05", "12"), ("07", "10")):
        xs = np.array(sorted(turned(dominance.area(first).polygon))) - sorted(dominance.area(second).polygon)
        assert np.abs(xs).max() < 0.21


def test_territory_is_the_side_of_the_line_that_the_zone_lies_on(dominance: Battlefield) -> None:
    attacker = dominance.zone("attacker")
    assert attacker.edge is Edge.NORTH
    assert set(attacker.territory) == {(0, 26), (44, 34), (44, 60), (0, 60)}
    assert wholly_within_polygon(INCH, Pose(1, 27.2), attacker.territory)
    assert not wholly_within_polygon(INCH, Pose(43, 27.2), attacker.territory)


def test_a_ruin_has_walls_and_floors(dominance: Battlefield) -> None:
    ruin = dominance.area("07").features[0]
    assert (ruin.height, ruin.solid, ruin.category) == (8, True, Category.DENSE)
    assert [floor.elevation for floor in ruin.floors] == [3, 6]
    assert dominance.surfaces(INCH, Pose(17.5, 33.5)) == (0, 3, 6)
    assert dominance.surfaces(INCH, Pose(20.2, 33.5)) == (0,)
    assert dominance.surfaces(INCH, Pose(22, 5)) == (0,)


def test_bases_in_areas(dominance: Battlefield) -> None:
    bases = BaseSet.of([INCH] * 4)
    poses = np.array([[24, 41, 0, 0], [24, 40.2, 0, 0], [24, 40, 0, 0], [24, 39.9, 0, 0]], dtype=float)
    column = [area.id for area in dominance.areas].index("04")
    assert dominance.touch_areas(bases.at(poses))[:, column].tolist() == [True, True, True, False]
    assert dominance.wholly_in_areas(bases.at(poses))[:, column].tolist() == [True, False, False, False]
    assert [area.id for area in dominance.areas_touched(INCH, Pose(24, 40))] == ["04"]
    assert [area.id for area in dominance.areas_at((24, 41))] == ["04"]


def test_every_objective_point_lies_in_its_area(dominance: Battlefield) -> None:
    for objective in dominance.objectives:
        assert objective.area is not None
        assert dominance.area(objective.area) in dominance.areas_at(objective.point)
    assert [o.owner for o in dominance.objectives if o.role is ObjectiveRole.HOME] == ["attacker", "defender"]


def test_the_open_table_has_markers_only() -> None:
    table = load_battlefield(LAYOUTS / "open_table.yaml")
    assert not table.areas
    assert len(table.arrays.features) == 0
    assert [objective.area for objective in table.objectives] == [None] * 5
    assert table.objectives[0].radius == pytest.approx(0.787, abs=1e-3)
    assert table.surfaces(INCH, Pose(22, 30)) == (0,)


def test_the_arrays_follow_the_areas(dominance: Battlefield) -> None:
    arrays = dominance.arrays
    assert arrays is dominance.arrays
    assert len(arrays.areas) == 13
    assert len(arrays.features) == len(list(dominance.features())) == len(arrays.feature_top)
    number = [feature.id for _, feature in dominance.features()].index("05-1")
    assert dominance.areas[arrays.feature_area[number]].id == "05"
    assert (arrays.feature_bottom[number], arrays.feature_top[number], arrays.feature_category[number]) == (0, 8, 2)
    assert arrays.floor_elevation[arrays.floor_feature == number].tolist() == [3, 6]


def test_a_disc_is_taken_out_of_a_zone() -> None:
    table = load_battlefield(
        """
name: Quarters
width: 44
height: 60
zones:
  - {name: attacker, rect: [0, 0, 22, 30], without: {centre: [22, 30], radius: 9}}
"""
    )
    zone = table.zones[0].polygon
    assert wholly_within_polygon(INCH, Pose(22 - 9.49, 29.4), zone)
    assert not wholly_within_polygon(INCH, Pose(22 - 9.47, 29.4), zone)
    diagonal = 9.5 / 2**0.5
    assert wholly_within_polygon(INCH, Pose(22 - diagonal - 0.004, 30 - diagonal - 0.004), zone)
    assert not wholly_within_polygon(INCH, Pose(22 - diagonal + 0.004, 30 - diagonal + 0.004), zone)


TABLE = """
name: Broken
width: 44
height: 60
"""


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (TABLE + "areas: [{id: a, rect: [0, 0, 45, 3]}]", "area a", "not on the table"),
        (TABLE + "areas: [{id: a, outline: [[0, 0], [2, 2], [2, 0], [0, 2]]}]", "area a", "crosses itself"),
        (TABLE + "areas: [{id: a}]", "area a", "fewer than three"),
        (TABLE + "areas: [{id: a, rect: [0, 0, 1, 1]}, {id: a, rect: [2, 2, 3, 3]}]", "area a", "two of the name"),
        (TABLE + "areas: [{id: a, rect: [0, 0, 9, 9], features: [{rect: [1, 1, 2, 2]}]}]", "a-1", "without a height"),
        (TABLE + "areas: [{id: a, rect: [0, 0, 1, 1]}]\ngroups: [[a, b]]", "a+b", "not there"),
        (
            TABLE + "areas: [{id: a, rect: [0, 0, 1, 1]}, {id: b, rect: [5, 5, 6, 6]}]\ngroups: [[a, b]]",
            "group a+b",
            "not one area",
        ),
        (TABLE + "objectives: [{id: o, point: [1, 1], area: x}]", "objective o", 'no area "x"'),
        (TABLE + "objectives: [{id: o, point: [1, 1], owner: x}]", "objective o", 'no zone "x"'),
        (TABLE + "objectives: [{id: o, point: [1, 61]}]", "objective o", "not on the table"),
        (TABLE + "hills: 3", "hills", ""),
        (TABLE + "zones: [{name: z, rect: [0, 0, .inf, 1]}]", "zones.0.rect", "finite"),
        ("name: x\nwidth: 0\nheight: 60\n", "", "a table of"),
        ("name: [\n", "line 3", "well-formed"),
        ("- 1\n- 2\n", "", ""),
        ("a: &a [1]\nb: *a\n", "", "aliases"),
        ('{"name": \n', "", "well-formed"),
    ],
)
def test_a_faulty_battlefield_says_where_and_what(text: str, where: str, what: str) -> None:
    with pytest.raises(BadInput) as refusal:
        load_battlefield(text + "\n")
    assert where in refusal.value.where
    assert what in refusal.value.what


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        load_battlefield(tmp_path / "none.yaml")


def test_quarters_leave_a_millimetre_between_them() -> None:
    south_west = quarters(44, 60)[0]
    assert wholly_within_polygon(INCH, Pose(21.4, 29.4), south_west)
    assert not wholly_within_polygon(INCH, Pose(21.485, 29.4), south_west)


def test_a_strip_runs_along_its_edge() -> None:
    table = load_battlefield(TABLE)
    assert table.strip(Edge.NORTH, 6) == ((0, 54), (44, 54), (44, 60), (0, 60))
    assert wholly_within_polygon(INCH, Pose(5.5, 30), table.strip(Edge.WEST, 6))
    assert not wholly_within_polygon(INCH, Pose(5.51, 30), table.strip(Edge.WEST, 6))
