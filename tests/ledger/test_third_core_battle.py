"""The 3rd edition's core rules on moving, shooting, close combat and morale, and the terms that all of them use."""

from __future__ import annotations

import numpy as np
import pytest

from battlewright.core.dice import Roll
from battlewright.core.errors import BadInput
from battlewright.editions.classic.assault import why_no_assault
from battlewright.editions.classic.casualties import may_pick_a_model
from battlewright.editions.classic.firing import bars_assault
from battlewright.editions.classic.footwork import (
    TerrainClass,
    fleet_move,
    is_difficult_to_cross,
    terrain_class,
    terrain_test_dice,
    unit_has_moved,
    why_no_second_move,
    why_unit_may_not_move,
)
from battlewright.editions.classic.formation import in_formation, must_be_in_formation
from battlewright.editions.classic.frames import SetUpStep, StartStep, set_up_steps, start_of_turn_steps
from battlewright.editions.classic.measuring import may_measure_first
from battlewright.editions.classic.morale import REGROUPING, deeds_of_regrouping
from battlewright.editions.classic.procedures.arming import may_fire_part
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.state import ClassicUnit, Deed
from battlewright.editions.classic.striking import character_fights, extra_attack_of_weapons, may_strike_character
from battlewright.editions.classic.targets import free_to_shoot
from battlewright.editions.classic.terms import after_reroll, enemies_of, in_force, may_reroll
from battlewright.editions.classic.terrain import higher_die
from battlewright.editions.third.firing_orders import guess_faults, may_hold_fire, why_unit_may_not_fire
from battlewright.editions.third.morale import wounds_of_losing
from battlewright.editions.third.shooting import one_weapon
from support.classic import attack, model, scene, squad, unit, weapon


def some(*deeds: str, **flags: bool) -> ClassicUnit:
    found = ClassicUnit(side=0, models=(0,), **flags)  # type: ignore[arg-type]
    found.did(*deeds)
    return found


# -- terms ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.basis.authority")
def test_the_supplements_answer_is_used_where_it_differs() -> None:
    assert in_force("core", "supplement") == "supplement"
    assert in_force("core", None) == "core"


@pytest.mark.rule("3e.terms.unit", "3e.terms.model")
def test_what_is_bought_as_one_choice_is_one_unit_and_each_figure_a_model() -> None:
    found = scene(unit(10).at(5, 5), unit(8).at(5, 20)).scene
    ten, eight = found.units
    assert len(ten.rows) == 10
    assert len(eight.rows) == 8
    assert {each.unit for each in found.models} == {ten.index, eight.index}
    assert all(found.models[row].base.width > 0 for row in eight.rows)


@pytest.mark.rule("3e.terms.enemy")
def test_the_enemy_is_the_other_side() -> None:
    battle = scene([unit(1).at(5, 5), unit(1).at(9, 5)], [unit(1).at(5, 20)])
    sides = [each.side for each in battle.scene.units]
    a, b = sides[0], sides[-1]
    assert enemies_of(a, sides) == [2]
    assert enemies_of(b, sides) == [0, 1]


@pytest.mark.rule("3e.terms.reroll-second-stands")
def test_the_second_result_stands_even_if_it_is_worse() -> None:
    assert after_reroll(Roll("hit", 6, (4, 6)), 0, 2).unmodified == (2, 6)


@pytest.mark.rule("3e.terms.reroll-once", "3e.core.fundamentals.reroll-once")
def test_no_die_is_rolled_again_twice() -> None:
    again = after_reroll(Roll("hit", 6, (4, 1)), 0, 2)
    assert not may_reroll(again, 0)
    assert may_reroll(again, 1)
    with pytest.raises(BadInput, match="once"):
        after_reroll(again, 0, 6)


# -- order ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.turn.start")
def test_how_a_turn_starts() -> None:
    survivors, regroup, flight = StartStep.LONE_SURVIVORS, StartStep.REGROUP, StartStep.FALL_BACK
    assert start_of_turn_steps() == (StartStep.RESERVES, survivors, regroup, flight)
    assert start_of_turn_steps(reserves=False) == (survivors, regroup, flight)


@pytest.mark.rule("3e.core.missions.set-up")
def test_how_a_battle_is_set_up() -> None:
    every = [SetUpStep.MISSION, SetUpStep.ZONES, SetUpStep.UNITS, SetUpStep.INFILTRATORS, SetUpStep.SCOUTS]
    assert list(set_up_steps()) == [*every, SetUpStep.FIRST_TURN]
    assert SetUpStep.INFILTRATORS not in set_up_steps(infiltrators=False)


@pytest.mark.rule("3e.core.fundamentals.declare-before-measuring")
def test_nothing_is_measured_before_it_is_declared() -> None:
    assert not may_measure_first(has_targeter=False)
    assert may_measure_first(has_targeter=True)


# -- moving -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.movement.free-direction")
def test_models_pick_their_own_direction_if_they_end_in_formation() -> None:
    base, gap, step = 1.0, 1.0, 0.5
    places = np.array([(0.0, step), (0.0, -(gap + base) - step)])
    gaps = np.hypot(*(places[:, None] - places[None, :]).transpose(2, 0, 1)) - base
    np.fill_diagonal(gaps, np.inf)
    assert gaps[0, 1] == pytest.approx(2.0)
    assert in_formation(gaps)
    assert not in_formation(gaps + 0.1)


@pytest.mark.rule("3e.core.fundamentals.restoring-coherency")
def test_a_unit_closes_up_in_its_next_movement_phase() -> None:
    assert must_be_in_formation(some(), end_of_own_movement=True, in_combat=False)
    assert not must_be_in_formation(some(), end_of_own_movement=False, in_combat=False)


@pytest.mark.rule("3e.core.movement.whole-unit-moved")
def test_one_model_that_moves_makes_its_unit_have_moved() -> None:
    assert unit_has_moved([0.0, 0.0, 0.2])
    assert not unit_has_moved([0.0, 0.0])


@pytest.mark.rule("3e.core.movement.locked-and-pinned")
def test_units_in_combat_and_pinned_units_do_not_move() -> None:
    assert why_unit_may_not_move(some(), in_combat=False) == []
    assert why_unit_may_not_move(some(), in_combat=True)
    assert why_unit_may_not_move(some(pinned=True), in_combat=False)


@pytest.mark.rule("3e.core.movement.terrain-classes", "3e.core.movement.obstacles")
def test_terrain_is_what_was_agreed() -> None:
    for agreed in TerrainClass:
        assert terrain_class(agreed, hill=True) is agreed
    assert terrain_class(None, hill=True) is TerrainClass.CLEAR
    assert is_difficult_to_cross(TerrainClass.DIFFICULT, linear_obstacle=False)
    assert not is_difficult_to_cross(TerrainClass.CLEAR, linear_obstacle=False)
    assert is_difficult_to_cross(TerrainClass.CLEAR, linear_obstacle=True)
    assert not is_difficult_to_cross(TerrainClass.IMPASSABLE, linear_obstacle=True)


@pytest.mark.rule("3e.core.movement.extra-terrain-die")
def test_who_moves_through_cover_takes_the_best_of_three_dice() -> None:
    faces = (2, 3, 6)
    assert higher_die(faces[: terrain_test_dice({"MOVE THROUGH COVER"})]) == 6
    assert higher_die(faces[: terrain_test_dice(frozenset())]) == 3


@pytest.mark.rule("3e.core.movement.fleet")
def test_fleet_troops_run_in_place_of_shooting_and_may_charge() -> None:
    found = fleet_move({"FLEET OF FOOT"}, [Kind.INFANTRY])
    assert found is not None
    assert (found.dice, found.ends_turn) == (1, False)
    assert fleet_move(frozenset(), [Kind.INFANTRY]) is None
    assert why_no_second_move(some()) == []
    assert why_no_second_move(some(Deed.FIRED))
    assert why_no_second_move(some(), in_combat=True)
    assert why_no_second_move(some(pinned=True))
    assert why_no_assault(some()) == []


# -- shooting ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.shooting.who-may-fire")
def test_who_may_fire() -> None:
    assert why_unit_may_not_fire(some()) == []
    assert why_unit_may_not_fire(some(), in_combat=True)
    assert why_unit_may_not_fire(some(pinned=True))
    assert why_unit_may_not_fire(some(Deed.FIRED))


@pytest.mark.rule("3e.core.shooting.one-weapon")
def test_a_model_fires_one_weapon() -> None:
    assert one_weapon(model()) == 1


@pytest.mark.rule("3e.core.shooting.guess-first")
def test_guesses_come_before_any_measuring() -> None:
    assert guess_faults(measured_this_phase=False) == []
    assert guess_faults(measured_this_phase=True)


@pytest.mark.rule("3e.outside.vehicle-target")
def test_all_eleven_shoot_at_the_tank() -> None:
    assert not may_hold_fire(at_vehicle=True)
    assert may_hold_fire(at_vehicle=False)


@pytest.mark.rule("3e.partial-contact.free-shoot")
def test_free_models_of_a_unit_that_was_swept_into_shoot() -> None:
    assert free_to_shoot(list(range(8)), {0, 1}) == [2, 3, 4, 5, 6, 7]


@pytest.mark.rule("3e.core.characters.marksmen")
def test_marksmen_pick_their_victim() -> None:
    assert may_pick_a_model(marksman=True)
    assert not may_pick_a_model(marksman=False)


@pytest.mark.rule("3e.core.weapons.combi")
def test_a_combi_weapon_fires_one_part_and_the_second_once() -> None:
    assert may_fire_part(0, set(), {0, 1})
    assert may_fire_part(1, set(), {0})
    assert not may_fire_part(1, set(), {1})
    assert not may_fire_part(0, {1}, {1})
    assert not may_fire_part(1, {0}, {0})


@pytest.mark.rule("3e.core.weapons.ap-and-vehicles")
def test_ap_means_nothing_to_vehicles() -> None:
    tank = squad(model("VEHICLE"))
    for ap in ("1", "5", "-"):
        glanced, _ = attack(weapon(S="8", AP=ap), tank, ("hit", "6"), ("penetration", "4"), ("glancing table", "1"))
        assert dict(glanced.effects) == {"crew shaken": 1}


# -- close combat -----------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.assault.two-special-weapons")
def test_two_single_handed_weapons_give_an_attack_more() -> None:
    assert extra_attack_of_weapons(True, True) == 1
    assert extra_attack_of_weapons(True, False) == 0


@pytest.mark.rule("3e.core.characters.contact")
def test_a_character_fights_and_is_struck_in_contact_only() -> None:
    assert character_fights(0.0)
    assert not character_fights(1.5)
    assert may_strike_character(0.0)
    assert not may_strike_character(1.5)


@pytest.mark.rule("3e.core.assault.fearless-losers")
def test_losing_costs_no_wounds() -> None:
    assert wounds_of_losing(5, 10, 5) == 0


@pytest.mark.rule("3e.core.morale.after-regrouping")
def test_a_regrouped_unit_re_forms_may_shoot_and_does_not_charge() -> None:
    assert REGROUPING == 3.0
    back = some(*deeds_of_regrouping())
    assert why_no_assault(back)
    assert why_unit_may_not_fire(back) == []
    assert bars_assault(back.deeds) == []
