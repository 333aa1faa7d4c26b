"""Moving by the core rules of the 11th edition: chapters 03 and 09, 13.06, 17.01, and deployment."""

from __future__ import annotations

import pytest

from battlewright.core.decisions import Place
from battlewright.core.errors import IllegalChoice
from battlewright.core.events import ModelsMoved
from battlewright.core.state import checksum
from battlewright.core.table import Category, Floor, TerrainArea, TerrainFeature
from battlewright.editions.eleventh.coherency import is_coherent
from battlewright.editions.eleventh.engagement import engaged_units, is_engaged
from battlewright.editions.eleventh.movement import eligible_moves, may_be_selected_to_move
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import MoveKind, Phase
from support.eleventh import UnitSpec, box, decision, place, rules_broken, scene, shift, unit, walk

MOVE = "11e.core.09.05-normal-move"
END = "11e.core.03.01-end-check"
ENEMIES = "11e.core.03.01-not-through-enemies"
UNENGAGED = "11e.core.03.04-unengaged"
ELSEWHERE = unit(name="Others").at(40, 2)
"""A second unit of side a, so that the phase goes on when the first has moved."""


def moving(battle: Battle11, kind: str = "normal", unit_id: str = "a.1") -> Battle11:
    """Select a unit and its type of move."""
    battle.answer(unit_id)
    if decision(battle).kind == "select-move":
        battle.answer(kind)
    return battle


def tank(**characteristics: object) -> UnitSpec:
    return unit(1, "VEHICLE", base="100mm", name="Tank", height=3, **{"M": '10"', **characteristics})


# -- 03.01: making a move ---------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.03.01-straight-lines-add-up", MOVE)
def test_straight_lines_add_up_to_no_more_than_m() -> None:
    battle = moving(scene(unit().at(10, 10)))
    assert rules_broken(battle, place(walk(0, (13, 10), (13, 13)))) == set()
    assert rules_broken(battle, place(walk(0, (13, 10), (13, 13.1)))) == {MOVE}
    assert rules_broken(battle, place(walk(0, (13, 10), (10, 10), (10, 10.5)))) == {MOVE}


@pytest.mark.rule("11e.core.03.01-rotation-is-free")
def test_rotation_costs_nothing() -> None:
    battle = moving(scene(unit(base="75x42mm").at(10, 10)))
    assert rules_broken(battle, place(walk(0, (10, 10, 0, 90), (16, 10, 0, 270), (16, 10, 0, 10)))) == set()


@pytest.mark.rule("11e.core.03.01-models-one-at-a-time")
def test_any_number_of_models_move_one_after_another() -> None:
    battle = moving(scene([unit(3).at(10, 10), ELSEWHERE]))
    battle.answer(place(walk(2, (13, 12)), walk(0, (11, 12))))
    stand = [tuple(pose[:2]) for pose in battle.state.position.tolist()[:3]]
    assert stand == [(11000, 12000), (12000, 10000), (13000, 12000)]
    moved = [event for event in battle.events if isinstance(event, ModelsMoved)]
    assert moved[-1].paths[0] == (2, ((14000, 10000, 0, 0), (13000, 12000, 0, 0)))
    assert battle.state.units[0].moved_distance == 2236


@pytest.mark.rule("11e.core.03.01-models-one-at-a-time", "11e.core.17.01-moving-through-models")
def test_a_vehicle_passes_where_one_of_its_unit_has_left() -> None:
    squadron = unit(2, "VEHICLE", base="60mm", M='10"')
    battle = moving(scene(squadron.on((10, 10), (10, 13))))
    ahead, behind = walk(1, (10, 20)), walk(0, (10, 17))
    assert rules_broken(battle, place(ahead, behind)) == set()
    assert rules_broken(battle, place(behind, ahead)) == {"11e.core.17.01-moving-through-models"}


@pytest.mark.rule("11e.core.03.01-through-friends")
def test_models_pass_through_friends_but_do_not_end_on_them() -> None:
    battle = moving(scene([unit().at(10, 10), unit(3).at(9, 12, apart=1.3)]))
    assert rules_broken(battle, place(walk(0, (10, 15)))) == set()
    assert rules_broken(battle, place(walk(0, (10, 13)))) == {END}


@pytest.mark.rule(ENEMIES)
def test_models_pass_through_no_enemy() -> None:
    battle = moving(scene(unit(M='12"').at(10, 10), unit().at(10, 14)))
    assert rules_broken(battle, place(walk(0, (10, 20)))) == {ENEMIES}
    assert rules_broken(battle, place(walk(0, (13, 14), (13, 18)))) == set()


@pytest.mark.rule(ENEMIES)
def test_models_do_not_cross_the_edge() -> None:
    battle = moving(scene(unit(base="40mm").at(2, 10)))
    assert rules_broken(battle, place(walk(0, (0.5, 10), (2, 11)))) == {ENEMIES}
    assert rules_broken(battle, place(walk(0, (0.79, 10), (2, 11)))) == set()


@pytest.mark.rule("11e.core.03.01-past-enemies", UNENGAGED)
def test_a_move_may_lead_past_enemies_and_is_judged_at_its_end() -> None:
    battle = moving(scene(unit().at(10, 10), unit().at(12, 13)))
    assert rules_broken(battle, place(walk(0, (10, 16)))) == set()
    assert rules_broken(battle, place(walk(0, (10, 13)))) == {UNENGAGED}


@pytest.mark.rule(END)
def test_a_refused_move_leaves_every_model_where_it_stood() -> None:
    battle = moving(scene(unit(3).at(10, 10)))
    before = checksum(battle.state)
    with pytest.raises(IllegalChoice):
        battle.answer(place(walk(0, (4.1, 10)), walk(1, (12, 11))))
    assert checksum(battle.state) == before
    assert rules_broken(battle, place(walk(1, (13, 10)))) == {END}


@pytest.mark.rule(END)
def test_a_unit_that_cannot_end_properly_makes_no_move() -> None:
    battle = moving(scene([unit(2).on((10, 10), (30, 10)), ELSEWHERE]))
    assert rules_broken(battle, place(walk(0, (16, 10)))) == {"11e.core.03.03-coherency"}
    battle.answer(Place(()))
    assert battle.state.units[0].moved_as == MoveKind.STATIONARY


@pytest.mark.rule("11e.core.03.01-own-maximum")
def test_models_of_different_m_use_their_own() -> None:
    mixed = UnitSpec((*unit(1, M='6"').models, *unit(1, M='8"').models), "Mixed", components=unit().components)
    battle = moving(scene(mixed.on((10, 10), (12, 10))))
    assert rules_broken(battle, place(walk(0, (10, 16)), walk(1, (12, 18)))) == set()
    assert rules_broken(battle, place(walk(0, (10, 17)), walk(1, (12, 18)))) == {MOVE}


@pytest.mark.rule(
    "11e.core.03.01-no-move-characteristic", "11e.ds-profile.m-dash-no-move", "11e.core.09.04-remain-stationary"
)
def test_m_dash_is_never_moved() -> None:
    mixed = UnitSpec((*unit(1, M="-").models, *unit(1).models), "Mixed", components=unit().components)
    battle = moving(scene(mixed.on((10, 10), (12, 10))))
    assert rules_broken(battle, place(walk(0, (10, 11)))) == {"11e.core.03.01-no-move-characteristic"}
    assert rules_broken(battle, place(walk(1, (12, 11)))) == set()
    wall = scene(unit(1, "FORTIFICATION", M="-").at(10, 10))
    assert eligible_moves(wall.scene, wall.state, 0) == (MoveKind.STATIONARY,)


@pytest.mark.rule("11e.core.03.01-one-normal-move", "11e.core.09-select-each-unit")
def test_a_unit_is_selected_and_moves_once_in_the_phase() -> None:
    battle = moving(scene([unit().at(10, 10), unit().at(20, 10)], unit().at(10, 30)))
    battle.answer(shift(battle, 0, 0, 6))
    assert [option.key for option in battle.options()] == ["a.2", "end"]
    assert not may_be_selected_to_move(battle.scene, battle.state, 0)
    assert not may_be_selected_to_move(battle.scene, battle.state, 2)


@pytest.mark.rule("11e.core.02-random-move", "11e.ds-random.move-once-per-unit")
def test_a_random_m_is_rolled_once_for_the_unit_when_it_is_selected() -> None:
    battle = scene(unit(3, M='2D6"').at(10, 10), dice=[("move", (2, 3))])
    battle.answer("a.1")
    assert battle.state.dice == 1
    battle.answer("normal")
    assert rules_broken(battle, shift(battle, 0, 0, 5)) == set()
    assert rules_broken(battle, shift(battle, 0, 0, 5.1)) == {MOVE}


# -- 03.02: setting up ------------------------------------------------------------------------------------------


def deploying(*specs: UnitSpec) -> Battle11:
    """Side b, the defender in the north, deploys first."""
    battle = scene(unit(), list(specs), phase=Phase.SETUP, step=4, chooser=1)
    battle.answer("b.1")
    return battle


DEPLOY = "11e.core.mission.deployment"


@pytest.mark.rule("11e.core.03.02-set-up", DEPLOY)
def test_a_unit_is_set_up_wholly_in_its_zone_in_coherency_and_on_nobody() -> None:
    battle = deploying(unit(2), unit(1).at(20, 55))
    assert rules_broken(battle, place(walk(0 + 1, (10, 50)), walk(2, (12, 50)))) == set()
    assert rules_broken(battle, place(walk(1, (10, 48.2)), walk(2, (12, 50)))) == {DEPLOY}
    assert rules_broken(battle, place(walk(1, (10, 50)), walk(2, (14, 50)))) == {"11e.core.03.03-coherency"}
    assert rules_broken(battle, place(walk(1, (20.5, 55)), walk(2, (22, 55)))) == {END}
    assert rules_broken(battle, place(walk(1, (10, 59.9)), walk(2, (11, 59)))) == {DEPLOY, END}


@pytest.mark.rule("11e.core.01.04-wholly-within", DEPLOY)
@pytest.mark.parametrize(
    ("base", "point", "inside"),
    [("50.8mm", (10, 49), True), ("50.8mm", (10, 48.99), False), ("hull 6x4in", (10, 51, 0, 90), True),
     ("hull 6x4in", (10, 50.9, 0, 90), False), ("hull 6x4in", (10, 50, 0, 0), True)],
)  # fmt: skip
def test_wholly_within_needs_every_part_of_the_base(base: str, point: tuple[float, ...], inside: bool) -> None:
    battle = deploying(unit(1, "VEHICLE", base=base))
    assert rules_broken(battle, place(walk(1, point))) == (set() if inside else {DEPLOY})


@pytest.mark.rule("11e.core.03.02-set-up")
def test_a_unit_is_set_up_unengaged() -> None:
    battle = scene(unit().at(20, 46.5), unit(1), phase=Phase.SETUP, step=4, chooser=1)
    battle.answer("b.1")
    assert rules_broken(battle, place(walk(1, (20, 49)))) == {UNENGAGED}
    assert rules_broken(battle, place(walk(1, (20, 50)))) == set()


@pytest.mark.rule("11e.core.03.02-set-up-whole")
def test_a_unit_is_set_up_whole_or_not_at_all() -> None:
    battle = deploying(unit(2))
    assert rules_broken(battle, place(walk(1, (10, 50)))) == {"11e.core.03.02-set-up-whole"}
    assert rules_broken(battle, Place(())) == {"11e.core.03.02-set-up-whole"}
    crowd = [unit(11, base="100mm", name=f"Crowd {y}").at(2, y, apart=4.0) for y in (50, 54, 58)]
    full = deploying(unit(5, base="60mm"), *crowd)
    full.answer(Place(()))
    assert (full.state.units[1].in_reserves, full.state.units[1].deployed) == (True, False)
    assert not full.state.on_table[list(full.state.units[1].models)].any()


@pytest.mark.rule(DEPLOY)
def test_units_are_deployed_in_turn_the_defender_first_and_the_rest_in_one_go() -> None:
    battle = scene(unit(), [unit(), unit(), unit()], phase=Phase.SETUP, dice=[
        ("attacker-roll-off", (5, 2)), ("first-turn-roll-off", (1, 6)),
    ])  # fmt: skip
    battle.answer("attacker")
    sides = []
    while battle.state.phase == Phase.SETUP:
        if decision(battle).kind == "select-unit-to-deploy":
            sides.append(decision(battle).side)
        battle.answer(decision(battle).default())
    assert sides == [1, 0, 1, 1]


@pytest.mark.rule("11e.ds-profile.m-dash-setup")
def test_m_dash_does_not_keep_a_model_from_being_set_up() -> None:
    battle = deploying(unit(1, "FORTIFICATION", M="-"))
    assert rules_broken(battle, place(walk(1, (10, 50)))) == set()


# -- 03.03 and 03.04 --------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.03.03-coherency")
@pytest.mark.parametrize(
    ("points", "coherent"),
    [
        ([(10, 10)], True),
        ([(10, 10), (13.25, 10)], True),
        ([(10, 10), (13.3, 10)], False),
        ([(10, 10), (12, 10, 5)], True),
        ([(10, 10), (12, 10, 5.1)], False),
        ([(10 + 2 * i, 10) for i in range(6)], True),
        ([(10 + 2.05 * i, 10) for i in range(6)], True),
        ([(10 + 2.06 * i, 10) for i in range(6)], False),
    ],
)
def test_each_model_is_near_another_and_none_is_far_from_any(points: list[tuple[float, ...]], coherent: bool) -> None:
    battle = scene(unit(len(points)).on(*points))
    assert is_coherent(battle.scene, battle.state, range(len(points))) is coherent


@pytest.mark.rule("11e.core.03.03-one-group")
def test_a_coherent_unit_is_one_group() -> None:
    pairs = unit(4).on((10, 10), (11.5, 10), (16, 10), (17.5, 10))
    battle = moving(scene(pairs))
    assert not is_coherent(battle.scene, battle.state, range(4))
    assert rules_broken(battle, place(walk(0, (10, 11)))) == {"11e.core.03.03-coherency"}
    assert rules_broken(battle, place(walk(0, (12, 11)), walk(1, (13, 10)))) == set()


@pytest.mark.rule("11e.core.03.04-engagement-range", UNENGAGED)
@pytest.mark.parametrize(
    ("point", "engaged"), [((13.25, 10), True), ((13.3, 10), False), ((12, 10, 5), True), ((12, 10, 5.1), False)]
)
def test_engagement_range_is_two_inches_across_and_five_up(point: tuple[float, ...], engaged: bool) -> None:
    battle = scene(unit(2).on((10, 10), (9, 12)), unit().on(point))
    assert is_engaged(battle.scene, battle.state, 0) is engaged
    assert engaged_units(battle.scene, battle.state, 1) == (frozenset({0}) if engaged else frozenset())


@pytest.mark.rule("11e.core.17.02-frame")
@pytest.mark.parametrize(("facing", "engaged"), [(0, True), (90, False)])
def test_distances_run_to_any_part_of_a_hull(facing: float, engaged: bool) -> None:
    hull = unit(1, "VEHICLE", "FRAME", base="hull 8x4in").at(10, 10, facing=facing)
    battle = scene(hull, unit(base="25.4mm").at(16, 10))
    assert is_engaged(battle.scene, battle.state, 0) is engaged


# -- 09: the Movement phase -------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.09-select-each-unit", "11e.core.09.04-remain-stationary")
def test_units_that_are_not_selected_remain_stationary() -> None:
    battle = scene([unit().at(10, 10), unit().at(20, 10)], unit().at(40, 50))
    before = battle.state.position.copy()
    battle.answer("a.1")
    battle.answer("stationary")
    assert not any(isinstance(event, ModelsMoved) for event in battle.events)
    assert battle.state.units[0].moved_as == MoveKind.STATIONARY
    battle.answer("end")
    assert (battle.state.turn, battle.state.phase) != (0, Phase.MOVEMENT)
    assert (battle.state.position == before).all()


@pytest.mark.rule("11e.core.03.01-move-types", MOVE, "11e.core.09.06-advance-move", "11e.core.09.07-fall-back-move")
def test_types_of_move_by_engagement() -> None:
    free = scene(unit().at(10, 10), unit().at(20, 10))
    assert eligible_moves(free.scene, free.state, 0) == (MoveKind.NORMAL, MoveKind.ADVANCE, MoveKind.STATIONARY)
    held = scene(unit().at(10, 10), unit().at(12, 10))
    assert eligible_moves(held.scene, held.state, 0) == (MoveKind.FALL_BACK, MoveKind.STATIONARY)


@pytest.mark.rule("11e.core.09.06-advance-move")
def test_an_advance_adds_a_die_to_m_and_ends_unengaged() -> None:
    battle = moving(scene([unit(2).at(10, 10), ELSEWHERE], unit().at(10, 23), dice=[("advance", (4,))]), "advance")
    assert rules_broken(battle, shift(battle, 0, 0, 10.1)) == {"11e.core.09.06-advance-move", UNENGAGED}
    battle.answer(shift(battle, 0, 10, 0))
    assert (battle.state.units[0].advanced, battle.state.units[0].moved_as) == (True, MoveKind.ADVANCE)


@pytest.mark.rule("11e.core.09-engaged-with-aircraft-only")
def test_aircraft_hold_nobody() -> None:
    flyer = unit(1, "VEHICLE", "AIRCRAFT", "FLY", base="60mm").at(12, 10)
    battle = scene(unit().at(10, 10), flyer)
    assert eligible_moves(battle.scene, battle.state, 0)[:2] == (MoveKind.NORMAL, MoveKind.ADVANCE)
    asked = moving(battle)
    assert rules_broken(asked, place(walk(0, (7, 10)))) == set()
    assert rules_broken(asked, place(walk(0, (10, 11)))) == {UNENGAGED}, "all the same it ends unengaged"


FOES = unit(3, name="Foes").at(9.5, 12, apart=1.4)


def falling_back(**flags: object) -> list[UnitSpec]:
    return [unit(2).on((10, 10), (11.5, 10)).having(**flags), ELSEWHERE]


@pytest.mark.rule("11e.core.09.07-fall-back-move", "11e.core.09.07-ordered-retreat")
def test_an_ordered_retreat_leads_round_enemies_and_ends_unengaged() -> None:
    battle = moving(scene(falling_back(), FOES), "fall-back")
    assert [option.key for option in battle.options()] == ["ordered-retreat", "desperate-escape"]
    battle.answer("ordered-retreat")
    assert rules_broken(battle, shift(battle, 0, 0, -1)) == {"11e.core.09.07-fall-back-move"}
    assert rules_broken(battle, shift(battle, 0, 0, 5.9)) == {ENEMIES}
    battle.answer(decision(battle).default())
    assert battle.state.units[0].fell_back
    assert not is_engaged(battle.scene, battle.state, 0)


@pytest.mark.rule(
    "11e.core.09.07-desperate-escape", "11e.core.09.07-desperate-escape-shock", "11e.core.09.07-desperate-escape-test"
)
def test_a_desperate_escape_rolls_for_each_model_passes_enemies_and_shakes_the_unit() -> None:
    dice = [("hazard", (3, 6)), ("battle-shock", (1, 2))]
    battle = moving(scene(falling_back(), FOES, dice=dice), "fall-back")
    battle.answer("desperate-escape")
    assert rules_broken(battle, shift(battle, 0, 0, 5.9)) == set()
    battle.answer(shift(battle, 0, 0, 5.9))
    assert battle.state.units[0].battle_shocked
    assert battle.state.units[0].fell_back


@pytest.mark.rule("11e.core.09.07-desperate-escape", "11e.core.09-modes-in-order")
def test_a_battle_shocked_unit_has_only_the_desperate_escape_and_is_not_shaken_again() -> None:
    battle = scene(falling_back(battle_shocked=True), FOES, dice=[("hazard", (2, 6))])
    moving(battle, "fall-back")
    if decision(battle).kind == "select-model":
        battle.answer("model:1")
    assert decision(battle).kind == "move-fall-back"
    assert battle.state.wounds.tolist()[:2] == [1, 0]
    battle.answer(decision(battle).default())
    assert battle.state.dice == 1
    assert battle.state.units[0].fell_back


# -- 13.06: moving over terrain ---------------------------------------------------------------------------------

DENSE = "11e.core.13.06-dense-others"
CLIMB = "11e.core.13.06-climbing"
STAND = "11e.core.13.06-ending-above-ground"


@pytest.mark.rule("11e.core.13.06-exposed-and-light")
@pytest.mark.parametrize("category", [Category.LIGHT, Category.EXPOSED])
def test_everybody_moves_through_light_and_exposed_features(category: Category) -> None:
    battle = moving(scene(tank().at(10, 10), terrain=[box(5, 13, 15, 14, 4, category)]))
    assert rules_broken(battle, place(walk(0, (10, 19)))) == set()


@pytest.mark.rule("11e.core.13.01-areas", DENSE)
def test_features_of_one_area_are_judged_each_by_its_own_category() -> None:
    low, high = box(5, 13, 10, 14, 4, Category.LIGHT, name="low"), box(20, 13, 30, 14, 4, name="high")
    both = TerrainArea("both", ((4, 12), (31, 12), (31, 15), (4, 15)), features=(*low.features, *high.features))
    battle = moving(scene(unit(1, "MOUNTED", M='10"').on((7, 10)), terrain=[both]))
    assert rules_broken(battle, place(walk(0, (7, 17)))) == set()
    assert rules_broken(moving(scene(unit(1, "MOUNTED").on((25, 11)), terrain=[both])), place(walk(0, (25, 16)))) == {
        DENSE
    }
    assert rules_broken(battle, place(walk(0, (15, 10), (15, 11.5)))) == set()


@pytest.mark.rule("11e.core.13.06-dense-light-feet")
@pytest.mark.parametrize(("keyword", "passes"), [("INFANTRY", True), ("MOBILE", True), ("BIKE", False)])
def test_only_some_move_through_dense_features(keyword: str, passes: bool) -> None:
    battle = moving(scene(unit(1, keyword).at(10, 10), terrain=[box(5, 12, 15, 13, 4)]))
    assert rules_broken(battle, place(walk(0, (10, 15)))) == (set() if passes else {DENSE})


@pytest.mark.rule(DENSE)
def test_others_pass_dense_features_of_two_inches_and_climb_higher_ones() -> None:
    low = moving(scene(tank().at(10, 10), terrain=[box(5, 13, 15, 14, 2)]))
    assert rules_broken(low, place(walk(0, (10, 19)))) == set()
    high = moving(scene(tank(M='14"').at(10, 10), terrain=[box(5, 12.5, 15, 13.5, 3)]))
    assert rules_broken(high, place(walk(0, (10, 17)))) == {DENSE}
    over = walk(0, (10, 10.3), (10, 10.3, 3), (10, 15.6, 3), (10, 15.6))
    assert rules_broken(high, place(over)) == set()
    longer = walk(0, (10, 10.3), (10, 10.3, 3), (10, 15.6, 3), (10, 15.6), (10, 18.1))
    assert rules_broken(high, place(longer)) == {MOVE}


@pytest.mark.rule(DENSE, STAND)
def test_what_has_climbed_a_dense_feature_may_not_end_on_it() -> None:
    platform = box(5, 12.5, 15, 20, 3, floors=(3,))
    up = walk(0, (10, 10.3), (10, 10.3, 3), (10, 15.6, 3))
    assert rules_broken(moving(scene(tank(M='14"').at(10, 10), terrain=[platform])), place(up)) == {STAND}
    beast = unit(1, "MONSTER", base="100mm", M='14"').at(10, 10)
    assert rules_broken(moving(scene(beast, terrain=[platform])), place(up)) == {STAND}


@pytest.mark.rule(CLIMB)
def test_climbing_counts_and_stays_at_the_feature() -> None:
    ruin = box(8, 12, 14, 18, 6, floors=(3,), name="ruin")
    battle = moving(scene(unit().at(10, 10), terrain=[ruin]))
    assert rules_broken(battle, place(walk(0, (10, 13), (10, 13, 3)))) == set()
    assert rules_broken(battle, place(walk(0, (10, 13.1), (10, 13.1, 3)))) == {MOVE}
    assert CLIMB in rules_broken(battle, place(walk(0, (10, 10, 3), (10, 13, 3))))
    assert CLIMB in rules_broken(battle, place(walk(0, (10, 13, 3))))
    upstairs = moving(scene(unit().at(10, 14, z=3), terrain=[ruin]))
    assert rules_broken(upstairs, place(walk(0, (10, 14, 0), (10, 11)))) == set()
    assert rules_broken(upstairs, place(walk(0, (10, 14, 0), (10, 10.9)))) == {MOVE}
    assert CLIMB in rules_broken(upstairs, place(walk(0, (10, 10.2, 3))))


@pytest.mark.rule(CLIMB)
def test_a_floor_is_part_of_its_feature() -> None:
    corner = ((10.0, 10.0), (16.0, 10.0), (16.0, 10.25), (10.25, 10.25), (10.25, 16.0), (10.0, 16.0))
    plate = ((10.0, 10.0), (14.0, 10.0), (14.0, 14.0), (10.0, 14.0))
    walls = TerrainFeature("ruin.1", corner, 5, floors=(Floor(plate, 3),), solid=True)
    ruin = TerrainArea("ruin", ((9, 9), (17, 9), (17, 17), (9, 17)), Category.DENSE, (walls,))
    battle = moving(scene(unit(2).on((11.5, 11.5, 3), (13.2, 13.2, 3)), terrain=[ruin]))
    assert rules_broken(battle, place(walk(0, (12.9, 11.2, 3)))) == set()
    assert rules_broken(battle, place(walk(1, (13.2, 13.2, 0), (14.2, 13.2)))) == set()
    assert CLIMB in rules_broken(battle, place(walk(1, (15.5, 15.5, 3))))
    below = moving(scene(unit().at(15.5, 12), terrain=[ruin]))
    assert rules_broken(below, place(walk(0, (13.2, 12), (13.2, 12, 3)))) == set()
    assert CLIMB in rules_broken(below, place(walk(0, (15.5, 12, 3), (13.2, 12, 3))))


@pytest.mark.rule(DENSE, STAND)
def test_a_monster_that_was_set_up_on_a_dense_feature_may_stay_there() -> None:
    platform = box(5, 12, 15, 20, 3, floors=(3,))
    pair = UnitSpec((*unit(1, "MONSTER").models, *unit(1, "MONSTER").models), "Pair", components=unit().components)
    battle = moving(scene(pair.on((7, 13, 3), (8, 11)), terrain=[platform]))
    assert rules_broken(battle, place(walk(1, (7, 10.5)))) == set()
    assert rules_broken(battle, place(walk(0, (7, 14, 3)))) == {STAND}


@pytest.mark.rule(STAND)
@pytest.mark.parametrize("keyword", ["INFANTRY", "BEASTS", "SWARM", "FLY", "MONSTER", "VEHICLE", "MOUNTED"])
def test_who_may_be_set_up_above_the_ground(keyword: str) -> None:
    ruin = box(8, 50, 14, 56, 6, floors=(3,), name="ruin")
    battle = scene(unit(), unit(1, keyword), phase=Phase.SETUP, step=4, chooser=1, terrain=[ruin])
    battle.answer("b.1")
    able = keyword not in ("VEHICLE", "MOUNTED")
    assert rules_broken(battle, place(walk(1, (10, 53, 3)))) == (set() if able else {STAND})
    assert rules_broken(battle, place(walk(1, (10, 53)))) == set()
    assert rules_broken(battle, place(walk(1, (8.5, 53, 3)))) == {STAND}
    assert rules_broken(battle, place(walk(1, (10, 53, 2)))) == {STAND}


@pytest.mark.rule("11e.core.13.06-solid")
def test_nobody_ends_through_a_solid_feature() -> None:
    battle = moving(scene(unit().at(10, 10), terrain=[box(5, 12, 15, 12.5, 5, solid=True)]))
    assert rules_broken(battle, place(walk(0, (10, 12.5)))) == {"11e.core.13.06-solid"}
    assert rules_broken(battle, place(walk(0, (10, 13.2)))) == set()


@pytest.mark.rule("11e.core.13.06-boundaries-do-not-slow")
def test_the_boundary_of_an_area_slows_nobody() -> None:
    area = box(5, 12, 15, 30, 4)
    empty = type(area)(area.id, area.polygon, Category.DENSE)
    battle = moving(scene(tank().at(10, 10), terrain=[empty]))
    assert rules_broken(battle, place(walk(0, (10, 20)))) == set()


# -- 17.01: monsters and vehicles -------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.17.01-moving-through-models")
def test_vehicles_pass_through_all_but_monsters_and_vehicles() -> None:
    infantry = [unit(3, name="Foes").at(8, 15)]
    assert rules_broken(moving(scene(tank(M='14"').at(10, 10), infantry)), place(walk(0, (10, 20)))) == set()
    walker = unit(1, "MONSTER", base="60mm").at(10, 15.5)
    through = {"11e.core.17.01-moving-through-models"}
    assert rules_broken(moving(scene(tank(M='14"').at(10, 10), walker)), place(walk(0, (10, 21.5)))) == through
    friends = [tank(M='14"').at(10, 10), walker]
    assert rules_broken(moving(scene(friends)), place(walk(0, (10, 21.5)))) == through


@pytest.mark.rule("11e.core.17.01-moving-through-models")
def test_in_other_moves_vehicles_pass_friends_and_no_enemies() -> None:
    battle = scene([tank(M='14"').at(10, 14), tank().at(10, 9.8)], unit(3, name="Foes").at(8, 17, apart=1.5))
    moving(battle, "fall-back")
    battle.answer("ordered-retreat")
    assert rules_broken(battle, place(walk(0, (10, 24)))) == {ENEMIES}
    assert rules_broken(battle, place(walk(0, (10, 5.5)))) == set()
