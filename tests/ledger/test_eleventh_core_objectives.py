"""Objectives: being in range, levels of control, who controls what, and when that is determined (14, 07)."""

from __future__ import annotations

import math

import pytest

from battlewright.core.table import Category, Objective
from battlewright.editions.eleventh import objectives
from battlewright.editions.eleventh.events import ObjectiveControlChanged
from battlewright.editions.eleventh.objectives import (
    control_levels,
    determine_control,
    is_controlling,
    is_in_range,
    objective_control,
)
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import NOBODY, Phase
from support.combat import events_of, run
from support.eleventh import UnitSpec, attached, box, scene, unit

MARKER = Objective("centre", (22.0, 30.0))
RADIUS = 20 / 25.4
BASE = 16 / 25.4
"""Radius of a base of 32 mm, in inches."""
RUIN = box(20, 28, 26, 34, 6, Category.LIGHT, floors=(3.0,), name="ruin")
TERRAIN = Objective("ruin", (22.0, 30.0), area="ruin")
SOMEBODY = unit(1, OC="-", name="Somebody").at(2, 2)


def held(a: UnitSpec, b: UnitSpec | tuple[UnitSpec, ...] = (), *, goal: Objective = MARKER, **flags) -> Battle11:
    """A battle that waits; unit 0 is the one asked about, side b's first one is unit 2."""
    terrain = [RUIN] if goal.area else []
    return scene([a, SOMEBODY], b, phase=Phase.MOVEMENT, terrain=terrain, objectives=[goal], **flags)


def in_range(battle: Battle11, row: int = 0) -> bool:
    return is_in_range(battle.scene, battle.state, row, 0)


# -- range ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.14-objective-marker")
@pytest.mark.parametrize("angle", [0, 37, 90, 200])
def test_a_marker_of_40_mm_is_held_from_3_inches_of_its_edge(angle: int):
    def at(gap: float) -> bool:
        away = RADIUS + gap + BASE
        x, y = 22 + away * math.cos(math.radians(angle)), 30 + away * math.sin(math.radians(angle))
        return in_range(held(unit(1).on((x, y))))

    assert at(2.99)
    assert at(3.0)
    assert not at(3.01)


@pytest.mark.rule("11e.core.14-objective-marker")
def test_a_marker_reaches_5_inches_up():
    assert in_range(held(unit(1).on((22, 30, 5.0))))
    assert not in_range(held(unit(1).on((22, 30, 5.1))))


@pytest.mark.rule("11e.core.14-objective-marker")
def test_models_may_stand_on_a_marker_and_are_in_range_there():
    assert in_range(held(unit(1).on((22, 30))))


@pytest.mark.rule("11e.core.14-objective-marker")
def test_range_is_measured_from_the_edge_of_a_base_of_any_shape():
    away = RADIUS + 2.9 + 60 / 25.4
    lying, standing = unit(1, base="120x92mm").on((22 + away, 30)), unit(1, base="120x92mm").on((22 + away, 30, 0, 90))
    assert in_range(held(lying))
    assert not in_range(held(standing))


@pytest.mark.rule("11e.core.14-terrain-objective")
@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [(23, 31, True), (20 - BASE + 0.1, 31, True), (20 - BASE - 0.1, 31, False), (22, 34 + BASE + 0.1, False)],
)
def test_a_terrain_area_is_held_from_within_it(x: float, y: float, expected: bool):
    assert in_range(held(unit(1).on((x, y)), goal=TERRAIN)) is expected


@pytest.mark.rule("11e.core.14-terrain-objective")
def test_a_terrain_area_is_held_from_its_upper_floors_too_and_not_from_3_inches_around_its_point():
    assert in_range(held(unit(1).on((22, 30, 3.0)), goal=TERRAIN))
    assert not in_range(held(unit(1).on((18.5, 30)), goal=TERRAIN))


# -- levels of control ------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.14-level-of-control")
def test_the_level_is_the_sum_of_oc_of_the_models_in_range():
    mixed = unit(4, OC=2).on((20, 30), (22, 32), (24, 30), (30, 30))
    battle = held(mixed, unit(3, OC=1).at(20, 27))
    assert control_levels(battle.scene, battle.state, 0) == (6, 3)


@pytest.mark.rule("11e.core.14-level-of-control", "11e.ds-profile.oc-dash")
def test_models_without_oc_destroyed_ones_and_those_off_the_table_add_nothing():
    battle = held(unit(2, OC="-").at(20, 30), unit(3, OC=3).at(20, 27).having(wounds=(1, 0, 1)))
    assert objective_control(battle.scene, battle.state, 0) == 0
    assert control_levels(battle.scene, battle.state, 0) == (0, 6)
    battle.state.on_table[3] = False
    assert control_levels(battle.scene, battle.state, 0) == (0, 3)


@pytest.mark.rule("11e.core.14-level-of-control", "11e.core.14-objective-marker")
def test_the_quick_look_around_an_objective_leaves_no_model_out():
    """The levels agree with asking every model of every unit, whatever its base and wherever it stands."""
    bases = ("25mm", "32mm", "60mm", "120x92mm", "170x105mm")
    for goal in (MARKER, TERRAIN):
        squads = [
            unit(9, base=base, OC=1).on(*[(14 + 2.1 * i, y, 0, 40 * i) for i in range(9)])
            for base, y in zip(bases, (25.3, 27.6, 30.1, 33.4, 36.2), strict=True)
        ]
        battle = scene(squads, phase=Phase.MOVEMENT, terrain=[RUIN] if goal.area else [], objectives=[goal])
        expected = sum(in_range(battle, row) for row in range(45))
        assert 5 < expected < 40
        assert control_levels(battle.scene, battle.state, 0) == (expected, 0)


# -- control ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.14-uncontrolled-at-start")
def test_nobody_controls_anything_at_the_start():
    battle = scene(unit(1), unit(1), phase=Phase.SETUP, objectives=[MARKER])
    assert battle.state.control == battle.state.secured == (NOBODY,)


@pytest.mark.rule("11e.core.14-control")
@pytest.mark.parametrize(
    ("a", "b", "holder"), [(2, 1, 0), (1, 2, 1), (2, 2, NOBODY), (0, 0, NOBODY), (1, 0, 0), (0, 1, 1)]
)
def test_the_higher_level_controls_and_equal_levels_leave_it_to_nobody(a: int, b: int, holder: int):
    for before in (NOBODY, 0, 1):
        battle = held(unit(1, OC=a).at(20, 30), unit(1, OC=b).at(24, 30), control=(before,))
        determine_control(battle)
        assert battle.state.control == (holder,)
        events = [(event.side, event.levels) for event in events_of(battle, ObjectiveControlChanged)]
        assert events == ([] if holder == before else [(None if holder == NOBODY else holder, (a, b))])


@pytest.mark.rule("11e.core.14-secured", "11e.core.14-control")
@pytest.mark.parametrize(
    ("a", "b", "holder", "still_secured"),
    [(0, 0, 0, True), (1, 1, 0, True), (2, 1, 0, True), (1, 2, 1, False), (0, 1, 1, False)],
)
def test_a_secured_objective_stays_until_the_opponents_level_is_higher(
    a: int, b: int, holder: int, still_secured: bool
):
    battle = held(unit(1, OC=a).at(20, 30), unit(1, OC=b).at(24, 30), control=(0,), secured=(0,))
    determine_control(battle)
    assert battle.state.control == (holder,)
    assert battle.state.secured == ((0,) if still_secured else (NOBODY,))


@pytest.mark.rule("11e.core.14-secured")
def test_an_objective_that_was_lost_is_secured_no_longer():
    battle = held(unit(1, OC=1).at(20, 30), unit(1, OC=2).at(24, 30), control=(0,), secured=(0,))
    determine_control(battle)
    battle.state.on_table[2] = False
    determine_control(battle)
    assert battle.state.control == (0,), "one model in range"
    battle.state.on_table[0] = False
    determine_control(battle)
    assert battle.state.control == (NOBODY,)


@pytest.mark.rule("11e.core.14-secured", "11e.core.14-control")
def test_what_one_player_secured_the_other_does_not_lose_by_an_equal_level():
    battle = held(unit(1, OC=1).at(20, 30), unit(1, OC=1).at(24, 30), control=(1,), secured=(1,))
    determine_control(battle)
    assert (battle.state.control, battle.state.secured) == ((1,), (1,))


@pytest.mark.rule("11e.core.14-controlling-unit")
def test_a_unit_is_controlling_when_in_range_of_its_players_objective_with_oc():
    def controlling(oc: object = 1, x: float = 20, holder: int = 0, **flags: bool) -> bool:
        battle = held(unit(2, OC=oc).at(x, 30).having(**flags), control=(holder,))
        return is_controlling(battle.scene, battle.state, 0, 0)

    assert controlling()
    assert not controlling(oc="-")
    assert not controlling(oc=0)
    assert not controlling(x=35)
    assert not controlling(holder=1)
    assert not controlling(holder=NOBODY)
    assert not controlling(battle_shocked=True)


# -- when (07) --------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.07-objectives-first", "11e.core.14-control")
def test_control_is_determined_at_the_end_of_a_phase_and_not_before():
    battle = scene(unit(1).at(20, 30), unit(1).at(2, 50), phase=Phase.MOVEMENT, objectives=[MARKER])
    assert battle.state.control == (NOBODY,)
    while battle.decision and battle.state.phase == Phase.MOVEMENT:
        battle.answer(battle.decision.default())
    assert battle.state.control == (0,)


@pytest.mark.rule("11e.core.07-objectives-first", "11e.core.07-coherency-at-end-of-turn")
def test_at_the_end_of_a_turn_control_is_settled_before_models_out_of_coherency_are_removed():
    torn = unit(2).on((22, 30), (40, 30))
    battle = held(torn, control=(NOBODY,))
    battle.state.phase, battle.state.step = Phase.END_OF_TURN, 0
    run(objectives.end_of_turn(battle), "model:0")
    assert battle.state.wounds[:2].tolist() == [0, 1]
    assert battle.state.control == (0,), "as it was when the turn ended"


@pytest.mark.rule("11e.core.07-coherency-at-end-of-turn", "11e.core.03.03-end-of-turn-removal")
def test_the_owner_removes_models_one_by_one_until_the_unit_is_coherent():
    torn, theirs = unit(3).on((10, 10), (20, 10), (30, 10)), unit(2).on((10, 50), (20, 50))
    battle = held(torn, theirs)
    battle.state.phase, battle.state.step = Phase.END_OF_TURN, 0
    procedure = objectives.end_of_turn(battle)
    asked = next(procedure)
    assert (asked.side, asked.subject, [option.key for option in asked.options()]) == (
        0,
        0,
        ["model:0", "model:1", "model:2"],
    )
    asked = procedure.send(asked.default())
    assert len(asked.options()) == 2
    asked = procedure.send(asked.default())
    assert asked.side == 1, "then the opponent's units"
    with pytest.raises(StopIteration):
        procedure.send(asked.default())
    assert battle.state.wounds.tolist() == [1, 0, 0, 1, 1, 0]


@pytest.mark.rule("11e.core.03.03-end-of-turn-removal")
def test_by_default_the_models_go_that_stand_apart_and_not_the_leader_of_the_most():
    led = attached(unit(4, "INFANTRY", name="Squad"), unit(1, "INFANTRY", "CHARACTER", W=4, name="Leader"))
    battle = held(led.on((10, 10), (11.5, 10), (20, 10), (21.5, 10), (13, 10)))
    battle.state.phase, battle.state.step = Phase.END_OF_TURN, 0
    procedure = objectives.end_of_turn(battle)
    asked = next(procedure)
    asked = procedure.send(asked.default())
    with pytest.raises(StopIteration):
        procedure.send(asked.default())
    assert battle.state.wounds[:5].tolist() == [1, 1, 0, 0, 4]
