"""The Command phase, the strength of units, and battle-shock (01.06, 01.07, 01.10, 08)."""

from __future__ import annotations

import pytest

from battlewright.core.dice import SeededDice
from battlewright.core.events import PhaseBegan
from battlewright.core.table import Objective
from battlewright.editions.eleventh import command, objectives
from battlewright.editions.eleventh.events import (
    BattleShockTested,
    CommandPointsGained,
    ObjectiveControlChanged,
    Scored,
)
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from support.combat import events_of, no_dice_left, run
from support.eleventh import UnitSpec, attached, scene, unit

CENTRE = Objective("centre", (22.0, 30.0))
SOMEBODY = unit(1, name="Somebody").at(2, 2)
"""Gives the battle something to wait for; too far from everything to matter."""


def waiting(*mine: UnitSpec, theirs: UnitSpec | tuple[UnitSpec, ...] = (), **settings) -> Battle11:
    """A battle that waits in the Movement phase of side a, whose first unit is the one asked about."""
    return scene([*mine, SOMEBODY], theirs, phase=Phase.MOVEMENT, **settings)


def captain(**characteristics: object) -> UnitSpec:
    return unit(1, "CHARACTER", "INFANTRY", name="Captain", **{"W": 4, "Ld": "6+", **characteristics})


def left(battle: Battle11, *models: int) -> Battle11:
    """Of the first unit only so many models are left, or the wounds of each."""
    rows = battle.state.units[0].models
    for row, wounds in zip(rows, [*models, *[0] * len(rows)], strict=False):
        battle.state.wounds[row] = wounds
        battle.state.on_table[row] = battle.state.on_table[row] and wounds > 0
    return battle


# -- strength (01.06) -------------------------------------------------------------------------------------------


def strength(battle: Battle11) -> tuple[bool, bool, bool]:
    """Below starting strength, at or below half, below half."""
    scene, state = battle.scene, battle.state
    return (
        command.is_below_starting_strength(scene, state, 0),
        command.is_at_or_below_half_strength(scene, state, 0),
        command.is_below_half_strength(scene, state, 0),
    )


@pytest.mark.rule("11e.core.01.06-below-starting-strength", "11e.core.01.06-half-strength")
@pytest.mark.parametrize(
    ("models", "expected"),
    [
        (6, (False, False, False)),
        (5, (True, False, False)),
        (4, (True, False, False)),
        (3, (True, True, False)),
        (2, (True, True, True)),
        (0, (True, True, True)),
    ],
)
def test_a_unit_of_several_models_is_measured_by_its_models(models: int, expected: tuple[bool, bool, bool]):
    battle = left(waiting(unit(6, W=3).at(10, 10)), *[3] * models)
    assert strength(battle) == expected


@pytest.mark.rule("11e.core.01.06-below-starting-strength", "11e.core.01.06-half-strength")
def test_wounds_do_not_count_in_a_unit_of_several_models():
    assert strength(left(waiting(unit(2, W=8).at(10, 10)), 1, 1)) == (False, False, False)


@pytest.mark.rule("11e.core.01.06-half-strength")
def test_an_odd_total_is_never_at_half():
    for models, expected in ((3, (True, False, False)), (2, (True, True, True))):
        battle = left(waiting(unit(5).at(10, 10)), *[1] * models)
        assert strength(battle) == expected


@pytest.mark.rule("11e.core.01.06-below-starting-strength", "11e.core.01.06-half-strength")
@pytest.mark.parametrize(
    ("wounds", "expected"),
    [
        (8, (False, False, False)),
        (7, (True, False, False)),
        (5, (True, False, False)),
        (4, (True, True, False)),
        (3, (True, True, True)),
    ],
)
def test_a_unit_that_began_with_one_model_is_measured_by_its_wounds(wounds: int, expected: tuple[bool, bool, bool]):
    assert strength(left(waiting(unit(1, W=8).at(10, 10)), wounds)) == expected


@pytest.mark.rule("11e.core.01.06-half-strength-example")
def test_a_captain_with_five_others_is_at_half_after_three_losses_and_below_it_after_four():
    squad = attached(unit(5), captain()).on(*[(10 + 2 * i, 10) for i in range(6)])
    assert strength(left(waiting(squad), 0, 0, 0, 1, 1, 4)) == (True, True, False)
    assert strength(left(waiting(squad), 0, 0, 0, 0, 1, 4)) == (True, True, True)
    assert strength(left(waiting(squad), 0, 0, 0, 0, 0, 4)) == (True, True, True), "alone, though unwounded"


@pytest.mark.rule("11e.core.01.06-starting-strength")
def test_starting_strength_is_the_number_of_models_when_round_one_begins_attached_ones_together():
    battle = scene([attached(unit(5), captain()), unit(1)], unit(3), phase=Phase.SETUP)
    while battle.state.phase == Phase.SETUP:
        battle.answer(battle.decision.default())
    assert [each.starting_strength for each in battle.state.units] == [6, 1, 3]
    battle.state.wounds[0] = 0
    assert battle.state.units[0].starting_strength == 6


# -- leadership and battle-shock (01.07) ------------------------------------------------------------------------


@pytest.mark.rule("11e.core.01.07-leadership-roll")
def test_the_best_leadership_of_a_living_model_counts():
    squad = attached(unit(2, Ld="8+"), captain(Ld="6+")).on((10, 10), (12, 10), (14, 10))
    battle = waiting(squad)
    assert command.best_leadership(battle.scene, battle.state, 0) == 6
    left(battle, 1, 1, 0)
    assert command.best_leadership(battle.scene, battle.state, 0) == 8


@pytest.mark.rule("11e.core.01.07-leadership-roll")
def test_models_without_leadership_do_not_count():
    squad = attached(unit(1, Ld="-"), captain(Ld="7+")).on((10, 10), (12, 10))
    battle = waiting(squad)
    assert command.best_leadership(battle.scene, battle.state, 0) == 7
    assert command.best_leadership(left(battle, 1, 0).scene, battle.state, 0) == 8


@pytest.mark.rule("11e.core.01.07-battle-shock-roll", "11e.core.01.07-recovery", "11e.core.08.03-result")
@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize(("faces", "after"), [((3, 3), True), ((3, 4), False), ((6, 6), False), ((1, 1), True)])
def test_two_dice_of_the_leadership_or_more_clear_battle_shock_and_less_inflicts_or_keeps_it(
    before: bool, faces: tuple[int, int], after: bool
):
    battle = waiting(unit(2, Ld="7+").at(10, 10).having(battle_shocked=before), dice=[("battle-shock", faces)])
    assert command.battle_shock_roll(battle, 0) is after
    assert battle.state.units[0].battle_shocked is after
    (event,) = events_of(battle, BattleShockTested)
    assert (event.unit, event.faces, event.leadership, event.battle_shocked) == ("a.1", faces, 7, after)
    no_dice_left(battle)


@pytest.mark.rule("11e.core.01.07-shocked-oc")
def test_a_battle_shocked_model_controls_nothing():
    battle = waiting(unit(2, OC=2).at(20, 30).having(battle_shocked=True), objectives=[CENTRE])
    assert objectives.objective_control(battle.scene, battle.state, 0) == 0
    assert objectives.control_levels(battle.scene, battle.state, 0) == (0, 0)
    battle.state.units[0].battle_shocked = False
    assert objectives.control_levels(battle.scene, battle.state, 0) == (4, 0)


@pytest.mark.rule("11e.core.01.07-recovery", "11e.core.01.07-battle-shock-roll")
def test_battle_shock_lasts_through_both_turns_until_its_players_next_roll():
    shocked = unit(2, Ld="5+").at(10, 10).having(battle_shocked=True)
    battle = scene([shocked, SOMEBODY], unit(2).at(10, 50), dice=SeededDice(1))
    while battle.decision and not events_of(battle, BattleShockTested):
        assert battle.state.units[0].battle_shocked
        battle.answer(battle.decision.default())
    (event,) = events_of(battle, BattleShockTested)
    assert (battle.state.turn, battle.state.round, event.battle_shocked) == (0, 3, False)
    assert not battle.state.units[0].battle_shocked


# -- who rolls (08.03, 01.10) -----------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.08.03-who-rolls")
def test_units_at_or_below_half_strength_and_shocked_ones_roll_and_only_the_turn_players():
    squads = [unit(4).at(5, 5 + 5 * i) for i in range(4)]
    squads[1] = squads[1].having(wounds=(1, 1, 0, 0))
    squads[2] = squads[2].having(battle_shocked=True)
    squads[3] = squads[3].having(wounds=(1, 1, 1, 0))
    theirs = unit(4).at(20, 50).having(wounds=(1, 0, 0, 0), battle_shocked=True)
    battle = scene(squads, theirs)
    assert command.must_test(battle, 0) == [1, 2]
    assert command.must_test(battle, 1) == [4]


@pytest.mark.rule("11e.core.08.03-who-rolls")
def test_a_destroyed_unit_does_not_roll():
    battle = waiting(unit(2).at(10, 10).having(wounds=(0, 0), battle_shocked=True))
    assert command.must_test(battle, 0) == []


@pytest.mark.rule("11e.core.08.03-who-rolls", "11e.core.01.10-off-battlefield-shock", "11e.core.08.03-one-roll")
def test_a_unit_off_the_battlefield_rolls_too():
    reserve = unit(4).having(wounds=(1, 1, 0, 0), in_reserves=True)
    battle = waiting(reserve, dice=[("battle-shock", (1, 2))])
    run(command.battle_shock_step(battle))
    assert battle.state.units[0].battle_shocked
    no_dice_left(battle)


@pytest.mark.rule("11e.core.08.03-one-roll", "11e.core.08.03-who-rolls")
def test_a_unit_rolls_once_however_many_reasons_it_has():
    reasons = unit(4).at(10, 10).having(wounds=(1, 0, 0, 0), battle_shocked=True)
    battle = waiting(reasons, unit(1, W=2).at(10, 20).having(wounds=(1,)), dice=[("battle-shock", (6, 6))] * 2)
    run(command.battle_shock_step(battle))
    assert [event.unit for event in events_of(battle, BattleShockTested)] == ["a.1", "a.2"]
    no_dice_left(battle)


# -- the phase (08) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.08-starting-command-points", "11e.core.08.02-core-command-points")
@pytest.mark.parametrize("turn", [0, 1])
def test_both_players_begin_with_no_command_points_and_gain_one_in_every_command_phase(turn: int):
    squads = unit(1).at(2, 2), unit(1).at(40, 50)
    battle = scene(*squads, phase=Phase.SETUP)
    assert battle.state.cp == (0, 0)
    battle = scene(*squads, phase=Phase.COMMAND, turn=turn, battle_round=1)
    assert battle.state.cp == (1, 1)
    command.core_command_points(battle)
    assert battle.state.cp == (2, 2)
    assert [event.cp for event in events_of(battle, CommandPointsGained)] == [(1, 1), (2, 2)]


@pytest.mark.rule("11e.core.08-one-more-command-point")
def test_besides_the_core_ones_a_player_gains_one_command_point_a_round_at_most():
    battle = waiting()
    assert command.gain_command_points(battle, 1, 3) == 1
    assert command.gain_command_points(battle, 1, 1) == 0
    assert command.gain_command_points(battle, 0, 0) == 0
    assert command.gain_command_points(battle, 0, 1) == 1
    assert battle.state.cp == (1, 1)
    command.core_command_points(battle)
    assert battle.state.cp == (2, 2), "core points are outside the limit"
    battle.state.bonus_cp = (0, 0)
    assert command.gain_command_points(battle, 1, 1) == 1, "in the next round again"


@pytest.mark.rule("11e.core.08-steps", "11e.core.07-objectives-first")
def test_points_then_battle_shock_then_control_then_the_mission_scores():
    holders = unit(4, OC=2).at(20, 30).having(wounds=(1, 1, 0, 0))
    battle = scene(
        holders,
        unit(1).at(40, 50),
        phase=Phase.COMMAND,
        options={"stratagems": "none"},
        battle_round=3,
        dice=[("battle-shock", (6, 6))],
        objectives=[CENTRE],
    )
    kinds = [type(event) for event in battle.events if not isinstance(event, PhaseBegan)][:4]
    assert kinds == [CommandPointsGained, BattleShockTested, ObjectiveControlChanged, Scored]
    assert battle.state.vp == (3, 0)


@pytest.mark.rule("11e.core.08-steps", "11e.core.07-objectives-first", "11e.core.01.07-shocked-oc")
def test_a_unit_shocked_in_this_phase_holds_nothing_when_the_mission_scores():
    holders = unit(4, OC=2).at(20, 30).having(wounds=(1, 1, 0, 0))
    battle = scene(
        holders,
        unit(1).at(40, 50),
        phase=Phase.COMMAND,
        options={"stratagems": "none"},
        battle_round=3,
        dice=[("battle-shock", (1, 1))],
        objectives=[CENTRE],
        control=(0,),
    )
    assert battle.state.control == (-1,)
    assert battle.state.vp == (0, 0)


@pytest.mark.rule("11e.core.08-steps")
def test_a_player_without_models_has_a_command_phase_all_the_same():
    battle = scene((), unit(1).at(40, 50), phase=Phase.COMMAND, turn=0, battle_round=2)
    assert battle.state.turn == 1
    assert [event.cp for event in events_of(battle, CommandPointsGained)] == [(1, 1), (2, 2)]
