"""Deployment maps, and the layouts of the event pack as they are made from the data package."""

from __future__ import annotations

import math

import pytest
import shapely

from battlewright.core.errors import BadInput
from battlewright.core.table import Battlefield, Category, ObjectiveRole, load_battlefield
from battlewright.editions.eleventh import event_layouts
from battlewright.editions.eleventh.deployment import MAPS, MAPS_OF_PAIRINGS, deployment_map, half_turn
from battlewright.editions.eleventh.event_layouts import event_battlefield
from battlewright.editions.eleventh.switchboard import EleventhSwitchboard

AREAS = {
    "Tipping Point": 44 * 12 + 22 * 8,
    "Dawn of War": 12 * 60,
    "Search and Destroy": 22 * 30 - math.pi * 81 / 4,
    "Sweeping Engagement": 8 * 30 + 14 * 30,
    "Hammer and Anvil": 44 * 18,
    "Crucible of Battle": 44 * 30 / 2,
}


def laid_out(name: str, **turned: bool) -> Battlefield:
    return Battlefield.from_json({"name": name, "width": 44, "height": 60, **deployment_map(name, **turned)})


def zone(field: Battlefield, name: str) -> shapely.Polygon:
    return shapely.Polygon(field.zone(name).polygon)


@pytest.mark.rule(
    "11e.core.deployment.tipping-point",
    "11e.core.deployment.dawn-of-war",
    "11e.core.deployment.search-and-destroy",
    "11e.core.deployment.sweeping-engagement",
    "11e.core.deployment.hammer-and-anvil",
    "11e.core.deployment.crucible-of-battle",
)
@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("Tipping Point", [(1, 19), (43, 11)], [(1, 21), (23, 13)]),
        ("Dawn of War", [(11, 1), (11, 59)], [(13, 30)]),
        ("Search and Destroy", [(1, 29), (21, 1), (12, 29)], [(14, 29), (21, 25), (23, 1)]),
        ("Sweeping Engagement", [(7, 1), (13, 59)], [(9, 29), (15, 31)]),
        ("Hammer and Anvil", [(1, 43), (43, 59)], [(22, 41)]),
        ("Crucible of Battle", [(1, 32), (40, 59)], [(1, 29), (43, 57)]),
    ],
)
def test_the_zone_that_a_map_gives(name: str, inside: list[tuple[float, float]], outside: list[tuple[float, float]]):
    mine = zone(laid_out(name), "attacker")
    assert mine.area == pytest.approx(AREAS[name], abs=0.2)
    assert all(mine.contains(shapely.Point(point)) for point in inside)
    assert not any(mine.contains(shapely.Point(point)) for point in outside)


@pytest.mark.rule("11e.core.deployment.half-turn")
def test_a_half_turn_is_about_the_middle_of_the_table():
    assert half_turn(((0, 0), (10, 5))) == ((44, 60), (34, 55))
    assert half_turn(((22, 30),)) == ((22, 30),)


@pytest.mark.rule("11e.core.deployment.which-end", "11e.core.deployment.half-turn")
@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("mirror", [False, True])
def test_the_zones_are_images_of_each_other_and_change_hands(name: str, mirror: bool):
    one, other = laid_out(name, mirror=mirror), laid_out(name, mirror=mirror, attacker_given=False)
    for player, opponent in (("attacker", "defender"), ("defender", "attacker")):
        assert zone(one, player).symmetric_difference(zone(other, opponent)).area < 1e-6
        turned = shapely.Polygon(half_turn(one.zone(opponent).polygon))
        assert zone(one, player).symmetric_difference(turned).area < 1e-6
        territory = shapely.Polygon(one.zone(player).territory)
        assert territory.area == pytest.approx(44 * 60 / 2)
        assert zone(one, player).difference(territory).area < 1e-6
    plain = shapely.affinity.scale(zone(laid_out(name), "attacker"), -1, 1, origin=(22, 30))
    assert (zone(one, "attacker").symmetric_difference(plain).area < 1e-6) >= mirror


def test_a_map_that_is_not_there_is_refused_by_name():
    with pytest.raises(BadInput, match="Hammer and Nail"):
        deployment_map("Hammer and Nail")


@pytest.mark.rule("11e.core.mission.layout", "11e.core.deployment.maps-by-pairing")
def test_the_data_package_carries_all_layouts_with_the_zones_of_our_maps():
    assert event_layouts.unbuildable() == {}
    assert len(event_layouts.event_layouts()) == 45 == 3 * len(MAPS_OF_PAIRINGS)
    for pairing, maps in MAPS_OF_PAIRINGS.items():
        for name, layout in zip(maps, event_layouts.layouts_of_pairing(pairing), strict=True):
            field = event_battlefield(layout)
            assert (field.width, field.height) == (44, 60)
            assert zone(field, "attacker").area == pytest.approx(AREAS[name], abs=0.2)


@pytest.mark.rule("11e.core.deployment.terrain-areas", "11e.core.deployment.terrain-heights")
@pytest.mark.parametrize("name", event_layouts.event_layouts())
def test_what_stands_on_a_layout(name: str):
    field = event_battlefield(name)
    nominal = 4 * 6 * 4 + 2 * 10 * 2.5 + 4 * 6 * 2 + 4 * 7 * 11.5 + 2 * 57.5
    assert sum(len(area.parts) for area in field.areas) == 16
    assert sum(shapely.Polygon(area.polygon).area for area in field.areas) == pytest.approx(nominal, rel=0.01)
    for area, feature in field.features():
        assert feature.height == (2.0 if feature.category is Category.LIGHT else feature.height)
        assert feature.height in (2.0, 3.5, 5.0, 8.0)
        assert [floor.elevation for floor in feature.floors] in ([], [3.0], [3.0, 6.0])
        outline = shapely.Polygon(feature.polygon)
        assert outline.difference(shapely.Polygon(area.polygon).buffer(0.6)).area < 0.1, f"{feature.id} beside its area"


@pytest.mark.rule("11e.core.mission.objectives", "11e.core.deployment.which-end")
@pytest.mark.parametrize("name", event_layouts.event_layouts())
def test_the_objectives_of_a_layout(name: str):
    from battlewright.core.decisions import Side
    from battlewright.editions.eleventh.look import home_objective
    from support.eleventh import scene

    field = event_battlefield(name)
    roles = [goal.role for goal in field.objectives]
    assert roles.count(ObjectiveRole.HOME) == 2
    assert roles.count(ObjectiveRole.EXPANSION) == 2
    assert roles.count(ObjectiveRole.CENTRAL) in (1, 2)
    for goal in field.objectives:
        assert goal.area is not None
        area = shapely.Polygon(field.area(goal.area).polygon)
        assert area.buffer(0.1).contains(shapely.Point(goal.point))
        if goal.owner is not None:
            assert zone(field, goal.owner).buffer(0.05).contains(area)
    battle = scene(objectives=[])
    object.__setattr__(battle.scene, "battlefield", field)
    home = home_objective(battle.scene, battle.state, Side(0))
    assert home is not None
    assert field.objectives[home].id == "attacker-home"


@pytest.mark.rule("11e.core.deployment.battlefield-dominance-a")
def test_battlefield_dominance_a_is_laid_out_as_it_was_measured():
    field = Battlefield.from_json(EleventhSwitchboard().battlefield("battlefield_dominance_a"))
    assert {goal.id: goal.point for goal in field.objectives} == {
        "attacker-home": (16.49, 49.85),
        "defender-home": (25.76, 12.71),
        "central": (22.02, 30.01),
        "expansion-east": (36.72, 41.90),
        "expansion-west": (7.40, 19.16),
    }
    tipping = laid_out("Tipping Point", mirror=True, attacker_given=False)
    for player in ("attacker", "defender"):
        assert zone(field, player).symmetric_difference(zone(tipping, player)).area < 1e-6
        assert (
            shapely.Polygon(field.zone(player).territory)
            .symmetric_difference(shapely.Polygon(tipping.zone(player).territory))
            .area
            < 1e-6
        )


def test_the_package_agrees_with_the_layout_that_was_measured():
    ours = load_battlefield(event_layouts.__file__.replace("event_layouts.py", "layouts/battlefield_dominance_a.yaml"))
    theirs = event_battlefield("take_and_hold_vs_take_and_hold_a")
    areas = [shapely.union_all([shapely.Polygon(area.polygon) for area in field.areas]) for field in (ours, theirs)]
    assert areas[0].intersection(areas[1]).area > 0.9 * areas[0].area


def test_layouts_go_by_name_and_unknown_ones_are_refused():
    board = EleventhSwitchboard()
    assert board.battlefield("Purge the Foe vs Purge the Foe B")["name"] == (
        "Purge the Foe against Purge the Foe, layout B"
    )
    with pytest.raises(BadInput, match="nowhere"):
        board.battlefield("nowhere")
    with pytest.raises(BadInput, match="nowhere_a"):
        event_battlefield("nowhere_a")
