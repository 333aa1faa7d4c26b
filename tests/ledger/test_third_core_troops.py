"""Unit types, special rules and wargear of the 3rd edition."""

from __future__ import annotations

import pytest

from battlewright.editions.classic.armour import Verdict, verdict
from battlewright.editions.classic.kinds import THREE_D6, TWO_D6
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.weapons import WeaponType
from battlewright.editions.third.pursuit import Reaction, reactions
from battlewright.editions.third.special_rules import (
    armour_of_terminators,
    bionics_ignore,
    charge_characteristics,
    fate_when_swept,
    ignores_tank_shock,
    may_regroup_below_half,
    may_repeat_a_miss,
    may_repeat_morale_test,
    may_teleport,
    only_consolidates,
    penetration_by_tank_hunters,
    regroups_by_itself,
    shield_save,
    true_grit_attacks,
    wins_tie_break,
)
from battlewright.editions.third.striking import Reach
from battlewright.editions.third.terrain_tests import Crossing, accident_dice, must_test_for_distance
from battlewright.editions.third.troops import (
    GUN_ARMOUR,
    assault_through_difficult,
    break_off_dice,
    counts_as_moving,
    gun_is_destroyed,
    guns_served,
    hits_a_gun,
    hits_on_swarms,
    is_always_a_target,
    mobility_of,
    reactions_to_break_off,
    swarm_cover,
    walking_allowance,
)

NOBODY: frozenset[str] = frozenset()


# -- kinds ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.units.jump-troops")
def test_jump_troops_fly_twelve_or_walk_six_and_charge_six() -> None:
    found = mobility_of(Kind.JUMP)
    assert (found.move, found.assault, found.fall_back, found.flies) == (12.0, 6.0, THREE_D6, True)
    assert walking_allowance(Kind.JUMP) == 6.0
    assert walking_allowance(Kind.BIKE) is None
    assert accident_dice(Kind.JUMP, Crossing(ends=True)) == 1


@pytest.mark.rule("3e.core.units.bikes")
def test_bikes_move_twelve_at_their_risk_and_fire_as_if_they_stood() -> None:
    found = mobility_of(Kind.BIKE)
    assert (found.move, found.assault, found.fall_back) == (12.0, 6.0, THREE_D6)
    assert not found.flies
    assert not found.slowed
    assert accident_dice(Kind.BIKE, Crossing(passes=True)) == 1
    assert not counts_as_moving(Kind.BIKE, WeaponType.RAPID_FIRE, moved=True)
    assert not counts_as_moving(Kind.BIKE, WeaponType.HEAVY, moved=True)
    assert counts_as_moving(Kind.BIKE, WeaponType.PISTOL, moved=True)
    assert counts_as_moving(Kind.BIKE, WeaponType.RAPID_FIRE, moved=True, on_bike=False)


@pytest.mark.rule("3e.core.units.jetbikes")
def test_jetbikes_fly_over_terrain() -> None:
    found = mobility_of(Kind.JETBIKE)
    assert (found.move, found.assault, found.fall_back, found.flies) == (12.0, 6.0, THREE_D6, True)
    assert accident_dice(Kind.JETBIKE, Crossing(passes=True)) == 0
    assert accident_dice(Kind.JETBIKE, Crossing(starts=True)) == 1
    assert not counts_as_moving(Kind.JETBIKE, WeaponType.HEAVY, moved=True)


@pytest.mark.rule("3e.core.units.cavalry")
def test_cavalry_moves_six_and_charges_twelve() -> None:
    found = mobility_of(Kind.CAVALRY)
    assert (found.move, found.assault, found.fall_back) == (6.0, 12.0, THREE_D6)
    assert accident_dice(Kind.CAVALRY, Crossing(passes=True)) == 1
    assert assault_through_difficult(Kind.CAVALRY, (1, 2)) == 12.0


@pytest.mark.rule("3e.core.units.beasts")
def test_beasts_charge_twice_the_highest_die_through_difficult_terrain() -> None:
    found = mobility_of(Kind.BEAST)
    assert (found.move, found.assault, found.fall_back, found.slowed) == (6.0, 12.0, THREE_D6, True)
    assert assault_through_difficult(Kind.BEAST, (2, 5)) == 10.0
    assert assault_through_difficult(Kind.INFANTRY, (2, 5)) == 5.0
    assert must_test_for_distance(Kind.BEAST, Crossing(ends=True))
    assert accident_dice(Kind.BEAST, Crossing(ends=True)) == 0


@pytest.mark.rule("3e.core.units.large-creatures")
def test_large_creatures_walk_as_infantry_and_fire_heavy_weapons_on_the_move() -> None:
    found = mobility_of(Kind.MONSTROUS)
    assert (found.move, found.assault, found.fall_back, found.slowed) == (6.0, 6.0, TWO_D6, True)
    assert must_test_for_distance(Kind.MONSTROUS, Crossing(ends=True))
    assert not counts_as_moving(Kind.MONSTROUS, WeaponType.HEAVY, moved=True)
    assert counts_as_moving(Kind.INFANTRY, WeaponType.HEAVY, moved=True)
    assert not counts_as_moving(Kind.INFANTRY, WeaponType.HEAVY, moved=False)
    assert is_always_a_target(Kind.MONSTROUS)
    assert not is_always_a_target(Kind.INFANTRY)


@pytest.mark.rule("3e.core.units.artillery")
def test_each_gun_needs_a_crewman_and_charges_nobody() -> None:
    found = mobility_of(Kind.ARTILLERY)
    assert (found.move, found.assault) == (6.0, 0.0)
    assert guns_served(crew=2, guns=3) == 2
    assert guns_served(crew=6, guns=3) == 3
    assert guns_served(crew=0, guns=3) == 0


@pytest.mark.rule("3e.core.units.artillery-hits")
def test_hits_on_a_battery_strike_crew_or_gun_and_any_glance_destroys_a_gun() -> None:
    assert [hits_a_gun(face) for face in range(1, 7)] == [False] * 4 + [True] * 2
    assert [gun_is_destroyed(verdict(total, GUN_ARMOUR)) for total in (9, 10, 11)] == [False, True, True]
    assert not gun_is_destroyed(Verdict.NONE)


@pytest.mark.rule("3e.core.units.swarms")
def test_swarms_hide_better_and_suffer_twice_from_blasts() -> None:
    swarm = frozenset({"INFANTRY", "SWARM"})
    assert swarm_cover(swarm, 5) == 4
    assert swarm_cover(swarm, None) is None
    assert swarm_cover(NOBODY, 5) == 5
    assert hits_on_swarms(swarm, 3) == 6
    assert hits_on_swarms(NOBODY, 3) == 3


@pytest.mark.rule("3e.core.units.hit-and-run")
def test_hit_and_run_troops_break_off_and_the_enemy_only_consolidates() -> None:
    assert break_off_dice({"HIT AND RUN"}, in_combat=True, end_of_round=True) == THREE_D6
    assert break_off_dice({"HIT AND RUN"}, in_combat=True, end_of_round=False) is None
    assert break_off_dice({"HIT AND RUN"}, in_combat=False, end_of_round=True) is None
    assert break_off_dice(NOBODY, in_combat=True, end_of_round=True) is None
    assert reactions_to_break_off(still_engaged=False) == (Reaction.CONSOLIDATE,)
    assert reactions_to_break_off(still_engaged=True) == ()


# -- wargear ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.traits.terminator-armour")
def test_terminator_armour() -> None:
    assert armour_of_terminators() == (2, 5)
    slow = only_consolidates({"INFANTRY", "TERMINATOR"})
    assert reactions(by_tie_roll=False, still_engaged=False, slow=slow) == (Reaction.CONSOLIDATE,)
    assert not only_consolidates({"INFANTRY"})
    assert may_teleport({"TERMINATOR"}, mission_allows=True)
    assert not may_teleport({"TERMINATOR"}, mission_allows=False)
    assert not may_teleport({"INFANTRY"}, mission_allows=True)


@pytest.mark.rule("3e.core.traits.storm-shield")
def test_a_storm_shield_covers_one_opponent_in_close_combat() -> None:
    shield = {"STORM SHIELD"}
    assert shield_save(shield, 5, close_combat=True, opponents=1) == 4
    assert shield_save(shield, None, close_combat=True, opponents=1) == 4
    assert shield_save(shield, 3, close_combat=True, opponents=1) == 3
    assert shield_save(shield, 5, close_combat=True, opponents=2) == 5
    assert shield_save(shield, 5, close_combat=False, opponents=1) == 5
    assert shield_save(NOBODY, None, close_combat=True, opponents=1) is None


@pytest.mark.rule("3e.core.traits.bionics")
def test_bionics_ignore_a_wound_on_a_six() -> None:
    assert [bionics_ignore({"BIONICS"}, face) for face in (5, 6)] == [False, True]
    assert not bionics_ignore(NOBODY, 6)


@pytest.mark.rule("3e.core.traits.furious-charge")
def test_furious_charge() -> None:
    assert charge_characteristics({"FURIOUS CHARGE"}, 4, 4, charging=True) == (5, 5)
    assert charge_characteristics({"FURIOUS CHARGE"}, 4, 4, charging=False) == (4, 4)
    assert charge_characteristics(NOBODY, 4, 4, charging=True) == (4, 4)
    assert charge_characteristics({"FURIOUS CHARGE"}, 10, 9, charging=True) == (10, 10)


@pytest.mark.rule("3e.core.traits.counter-attack")
def test_troops_that_counter_attack_win_tie_breaks() -> None:
    fierce = {"COUNTER-ATTACK"}
    assert wins_tie_break(fierce, NOBODY)
    assert not wins_tie_break(NOBODY, fierce)
    assert not wins_tie_break(fierce, fierce)


@pytest.mark.rule("3e.core.traits.true-grit")
def test_true_grit_swaps_the_charge_bonus_for_the_rifle() -> None:
    grit = {"TRUE GRIT"}
    for charging in (False, True):
        assert true_grit_attacks(grit, 1, Reach.CONTACT, charging=charging) == 2
    assert true_grit_attacks(NOBODY, 1, Reach.CONTACT, charging=True) == 2
    assert true_grit_attacks(NOBODY, 1, Reach.CONTACT, charging=False) == 1
    assert true_grit_attacks(grit, 2, Reach.SUPPORT, charging=True) == 1
    assert true_grit_attacks(grit, 2, Reach.NONE, charging=True) == 0


@pytest.mark.rule("3e.core.traits.tank-hunters")
def test_tank_hunters_penetrate_better_and_do_not_mind_tanks() -> None:
    assert [modifier.amount for modifier in penetration_by_tank_hunters({"TANK HUNTERS"})] == [1]
    assert penetration_by_tank_hunters(NOBODY) == ()
    assert ignores_tank_shock({"TANK HUNTERS"})
    assert not ignores_tank_shock(NOBODY)


@pytest.mark.rule("3e.core.traits.master-crafted")
def test_a_master_crafted_weapon_repeats_one_miss_in_a_turn() -> None:
    assert may_repeat_a_miss(master_crafted=True, missed=True, used_this_turn=False)
    assert not may_repeat_a_miss(master_crafted=True, missed=True, used_this_turn=True)
    assert not may_repeat_a_miss(master_crafted=True, missed=False, used_this_turn=False)
    assert not may_repeat_a_miss(master_crafted=False, missed=True, used_this_turn=False)


# -- nerve ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.traits.resolute")
def test_resolute_troops_repeat_a_failed_morale_test_once() -> None:
    assert may_repeat_morale_test({"RESOLUTE"}, passed=False, rerolled=False)
    assert not may_repeat_morale_test({"RESOLUTE"}, passed=False, rerolled=True)
    assert not may_repeat_morale_test({"RESOLUTE"}, passed=True, rerolled=False)
    assert not may_repeat_morale_test(NOBODY, passed=False, rerolled=False)


@pytest.mark.rule("3e.core.traits.steadfast")
def test_steadfast_troops_regroup_below_half() -> None:
    assert may_regroup_below_half({"STEADFAST"})
    assert not may_regroup_below_half(NOBODY)


@pytest.mark.rule("3e.core.morale.know-no-fear")
def test_who_knows_no_fear_regroups_by_himself_and_is_never_swept_away() -> None:
    brave = {"AND THEY SHALL KNOW NO FEAR"}
    assert regroups_by_itself(brave, in_formation=True, nearest_enemy=6.1)
    assert regroups_by_itself(brave, in_formation=True, nearest_enemy=None)
    assert not regroups_by_itself(brave, in_formation=True, nearest_enemy=6.0)
    assert not regroups_by_itself(brave, in_formation=False, nearest_enemy=9.0)
    assert not regroups_by_itself(NOBODY, in_formation=True, nearest_enemy=9.0)
    assert may_regroup_below_half(brave)
    assert fate_when_swept(brave) == "locked"
    assert fate_when_swept(NOBODY) == "destroyed"
