"""Vehicles of the 3rd edition: sides, speeds, fire, damage, smoke, close combat, tank shock, squadrons."""

from __future__ import annotations

import math

import pytest
from tests.support.classic import weapon

from battlewright.core.bases import Base, Pose
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.damage import Flight
from battlewright.editions.classic.gunnery import Driven, Gun, Mounting, mounting_of
from battlewright.editions.classic.procedures.ground import flies_over
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.state import ClassicUnit
from battlewright.editions.classic.tank_shock import (
    holds_its_ground,
    is_crushed,
    is_in_the_path,
    shocked_units,
    step_aside,
    stops_at,
    why_no_death_or_glory,
    why_no_tank_shock,
)
from battlewright.editions.classic.terrain import Crossing
from battlewright.editions.classic.vehicles import (
    AUTOMATIC,
    Condition,
    after_damage,
    after_own_turn,
    condition_of,
    counts_as_hull_down,
    facing_in_assault,
    facing_of,
    keep_condition,
    may_be_locked,
    may_be_shot_at_after_combat,
    needed_in_assault,
    smoke_after_shooting,
    spread_hits,
    squadron_faults,
    why_no_fire,
    why_no_move,
    why_no_smoke,
)
from battlewright.editions.classic.wrecks import D6_INCHES, NO_HARM, Explosion, Leaves, hit_by_explosion
from battlewright.editions.third.damage import crashes, explosion, leaves, passengers, settled
from battlewright.editions.third.gunnery import bears, salvos
from battlewright.editions.third.vehicles import (
    is_abandoned,
    may_reroll_terrain,
    terrain_result,
    terrain_tests,
)
from support.classic import scene, unit

TANK, FAST, SKIMMER, WALKER = (
    frozenset({"VEHICLE", "TANK"}),
    frozenset({"VEHICLE", "FAST"}),
    frozenset({"VEHICLE", "FAST", "SKIMMER"}),
    frozenset({"VEHICLE", "WALKER"}),
)
TROOPS = frozenset({"INFANTRY"})
CANNON, BOLTER = (0, 0), (0, 1)
HULL = Base.parse("100x50mm")


def armed(**features: object) -> Condition:
    return Condition(weapons=frozenset({CANNON, BOLTER}), **features)  # type: ignore[arg-type]


def at(degrees: float, facing: float = 0.0) -> Facing:
    angle = math.radians(degrees)
    return facing_of(HULL, Pose(30, 20, 0, facing), (30 + 12 * math.cos(angle), 20 + 12 * math.sin(angle)))


# -- sides ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.armour-face")
def test_the_side_hit_goes_by_the_corners_of_the_hull() -> None:
    corner = math.degrees(math.atan2(50, 100))
    assert at(0) is at(corner - 1) is at(-corner + 1) is Facing.FRONT
    assert at(corner + 1) is at(90) is at(-90) is at(180 - corner - 1) is Facing.SIDE
    assert at(180) is at(180 - corner + 1) is Facing.REAR
    assert at(90, facing=90.0) is Facing.FRONT


@pytest.mark.rule("3e.core.vehicles.armour-face")
def test_on_a_round_base_they_are_quadrants() -> None:
    def side(x: float, y: float) -> Facing:
        return facing_of(Base.parse("60mm"), Pose(0, 0, 0, 0), (x, y))

    assert side(10, 9) is Facing.FRONT
    assert side(9, 10) is Facing.SIDE
    assert side(-10, 9) is Facing.REAR


# -- moving -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.skimmers")
def test_skimmers_fly_over_everything() -> None:
    models = scene([unit(1, *SKIMMER).at(10, 10), unit(1, *TANK).at(30, 10)]).scene
    assert flies_over(models, 0)
    assert not flies_over(models, 1)


@pytest.mark.rule("3e.core.vehicles.difficult-terrain")
def test_difficult_terrain_immobilises_on_a_one() -> None:
    for crossing in (Crossing(passes=True), Crossing(ends=True), Crossing(starts=True)):
        assert terrain_tests(TANK, [crossing], 8.0) == [1]
    assert terrain_tests(TANK, [Crossing()], 8.0) == []
    assert terrain_tests(TANK, [Crossing(starts=True, ends=True)], 0.0) == []
    assert [terrain_result(TANK, [face]) for face in range(1, 7)] == [DamageResult.IMMOBILISED] + [None] * 5


@pytest.mark.rule("3e.core.vehicles.skimmer-terrain")
def test_a_skimmer_tests_where_it_starts_or_ends_and_dies_of_a_one() -> None:
    assert terrain_tests(SKIMMER, [Crossing(passes=True)], 8.0) == []
    assert terrain_tests(SKIMMER, [Crossing(starts=True), Crossing(ends=True)], 8.0) == [1, 1]
    assert terrain_result(SKIMMER, [1]) is DamageResult.DESTROYED
    assert terrain_result(SKIMMER, [2]) is None


@pytest.mark.rule("3e.core.vehicles.dozer-blade")
def test_a_dozer_blade_rolls_again_at_low_speed() -> None:
    blade = {"DOZER BLADE"}
    assert may_reroll_terrain(blade, 6.0, rerolled=False)
    assert not may_reroll_terrain(blade, 6.1, rerolled=False)
    assert not may_reroll_terrain(blade, 6.0, rerolled=True)
    assert not may_reroll_terrain(frozenset(), 6.0, rerolled=False)


# -- fire -------------------------------------------------------------------------------------------------------


CANNON_GUN, BOLTER_GUN = Gun(0, weapon("HEAVY 1")), Gun(1, weapon("HEAVY 3"))
SHELL = Gun(2, weapon("ORDNANCE 1"))
MISSILES = (Gun(3, weapon("HEAVY 1", name="Frag")), Gun(3, weapon("HEAVY 1", name="Krak")))


def fired(keywords: frozenset[str], moved: float, *guns: Gun) -> list[list[Gun]]:
    """What may be fired together."""
    return [[gun for gun, _ in salvo] for salvo in salvos(keywords, Driven(moved), guns)]


@pytest.mark.rule("3e.core.vehicles.fire-stationary", "3e.core.vehicles.fire-slow", "3e.core.vehicles.fire-fast")
def test_how_much_is_fired_depends_on_the_distance_moved() -> None:
    both = (CANNON_GUN, BOLTER_GUN)
    whole, single = [[CANNON_GUN, BOLTER_GUN]], [[CANNON_GUN], [BOLTER_GUN]]
    assert [fired(TANK, moved, *both) for moved in (0.0, 6.0, 6.1, 12.0)] == [whole, single, [], []]
    assert [fired(FAST, moved, *both) for moved in (0.0, 6.0, 6.1, 12.0, 12.1)] == [whole, whole, single, single, []]


@pytest.mark.rule("3e.core.vehicles.walkers-fire")
def test_walkers_move_and_fire_everything() -> None:
    assert fired(WALKER, 6.0, CANNON_GUN, BOLTER_GUN) == [[CANNON_GUN, BOLTER_GUN]]


@pytest.mark.rule("3e.core.vehicles.fire-stationary")
def test_a_weapon_with_two_profiles_is_fired_by_one_of_them() -> None:
    assert fired(TANK, 0.0, BOLTER_GUN, *MISSILES) == [[BOLTER_GUN, MISSILES[0]], [BOLTER_GUN, MISSILES[1]]]


@pytest.mark.rule("3e.core.weapons.ordnance-alone")
def test_ordnance_is_fired_alone() -> None:
    assert fired(TANK, 0.0, SHELL, CANNON_GUN, BOLTER_GUN) == [[CANNON_GUN, BOLTER_GUN], [SHELL]]
    assert fired(TANK, 6.0, SHELL) == [[SHELL]]
    assert fired(TANK, 6.1, SHELL) == []


@pytest.mark.rule("3e.core.vehicles.one-target")
def test_weapons_fire_within_the_traverse_of_their_mountings() -> None:
    assert [mounting_of(weapon("HEAVY 1", each)) for each in ("TURRET", "HULL")] == [Mounting.TURRET, Mounting.HULL]
    assert [mounting_of(weapon("HEAVY 1", "SPONSON"), n) for n in (0, 1)] == [Mounting.LEFT, Mounting.RIGHT]
    assert all(bears(TANK, Mounting.TURRET, angle) for angle in (-180.0, -90.0, 0.0, 135.0))
    assert [bears(TANK, Mounting.HULL, angle) for angle in (0.0, 45.0, 46.0, -46.0)] == [True, True, False, False]
    assert [bears(TANK, Mounting.LEFT, angle) for angle in (0.0, 90.0, -10.0, 180.0)] == [True, True, False, True]
    assert [bears(TANK, Mounting.RIGHT, angle) for angle in (0.0, 90.0, -10.0)] == [True, False, True]
    assert bears(WALKER, Mounting.HULL, 120.0)


# -- damage -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.shaken-and-stunned")
def test_a_shaken_crew_does_not_shoot_and_a_stunned_one_does_not_move_either() -> None:
    shaken = after_damage(armed(), DamageResult.SHAKEN)
    stunned = after_damage(armed(), DamageResult.STUNNED)
    assert why_no_fire(shaken)
    assert not why_no_move(shaken)
    assert why_no_fire(stunned)
    assert why_no_move(stunned)
    assert not why_no_fire(armed())


@pytest.mark.rule("3e.core.vehicles.shaken-and-stunned")
def test_both_are_over_with_its_own_next_turn() -> None:
    both = after_damage(after_damage(armed(), DamageResult.SHAKEN), DamageResult.STUNNED)
    assert after_own_turn(both) == armed()
    twice = after_damage(both, DamageResult.STUNNED)
    assert after_own_turn(twice) == armed()
    late = after_damage(armed(), DamageResult.STUNNED, own_turn=True)
    assert after_own_turn(late).stunned, "what befalls it in its own turn counts for its next one"
    assert after_own_turn(after_own_turn(late)) == armed()


def damaged(condition: Condition, *results: DamageResult, gun: tuple[int, int] = CANNON) -> Condition:
    """A vehicle after results as the edition settles them, losing the named gun or the one that is left."""
    for result in results:
        comes_to = settled(condition, result)
        if comes_to is not None:
            lost = gun if gun in condition.weapons else next(iter(condition.weapons), None)
            condition = after_damage(condition, comes_to, lost)
    return condition


@pytest.mark.rule("3e.core.vehicles.immobilised-twice")
def test_immobilised_again_it_loses_a_weapon() -> None:
    once = damaged(armed(), DamageResult.IMMOBILISED)
    assert once.immobilised
    assert once.weapons == {CANNON, BOLTER}
    assert why_no_move(once)
    twice = damaged(once, DamageResult.IMMOBILISED, gun=BOLTER)
    assert twice.weapons == {CANNON}
    assert twice.lost == {BOLTER}
    bare = damaged(twice, DamageResult.IMMOBILISED)
    assert bare.weapons == frozenset()
    assert damaged(bare, DamageResult.IMMOBILISED) == damaged(bare, DamageResult.ARMAMENT) == bare


def test_without_weapons_to_lose_it_is_immobilised() -> None:
    lost = damaged(armed(), DamageResult.ARMAMENT)
    assert lost.weapons == {BOLTER}
    assert not lost.immobilised
    assert damaged(lost, DamageResult.ARMAMENT, DamageResult.ARMAMENT).immobilised


@pytest.mark.rule("3e.core.vehicles.immobilised-skimmer")
def test_an_immobilised_skimmer_crashes() -> None:
    assert crashes(SKIMMER, Flight(12.0))
    assert not crashes(SKIMMER, Flight(6.0))
    assert not crashes(FAST, Flight(12.0))
    assert after_damage(armed(), DamageResult.IMMOBILISED, crashes=True).destroyed is DamageResult.DESTROYED
    assert after_damage(armed(), DamageResult.IMMOBILISED).destroyed is None


def test_results_that_end_a_vehicle_are_kept_as_what_they_were() -> None:
    for result in DamageResult:
        assert (after_damage(armed(), result, CANNON).destroyed is result) == result.destroys


def test_a_condition_is_written_into_the_state_of_its_own_vehicle_alone() -> None:
    unit = ClassicUnit(side=0, models=(0, 1))
    hurt = damaged(armed(), DamageResult.STUNNED, DamageResult.ARMAMENT)
    keep_condition(unit, 0, hurt)
    assert condition_of(unit, 0, [CANNON, BOLTER]) == hurt
    assert condition_of(unit, 1, []) == Condition()


# -- what is left -----------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table")
def test_a_destroyed_vehicle_leaves_a_wreck_a_crater_or_nothing() -> None:
    assert leaves(DamageResult.DESTROYED) is leaves(DamageResult.THROWN) is Leaves.WRECK
    assert leaves(DamageResult.EXPLODES) is Leaves.NOTHING
    assert leaves(DamageResult.ANNIHILATED) is Leaves.CRATER
    assert all((leaves(result) is None) == (not result.destroys) for result in DamageResult)


@pytest.mark.rule("3e.core.vehicles.penetrating-table")
def test_an_explosion_hits_who_stands_within_its_die() -> None:
    assert hit_by_explosion(3, [0.0, 3.0, 3.1]) == [0, 1]
    assert explosion(DamageResult.EXPLODES) == Explosion(radius=D6_INCHES, strength=3)
    assert explosion(DamageResult.DESTROYED) is None


@pytest.mark.rule("3e.core.vehicles.destroyed-transport")
def test_what_becomes_of_passengers() -> None:
    fate = passengers(DamageResult.DESTROYED)
    assert (fate.gets_out, fate.wounded_on, fate.clear, fate.killed) == (True, 4, 2.0, False)
    assert passengers(DamageResult.ANNIHILATED).killed
    assert passengers(DamageResult.IMMOBILISED) == NO_HARM


# -- smoke ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.smoke")
def test_smoke_is_used_once_in_place_of_fire_and_lasts_the_enemys_shooting() -> None:
    assert why_no_smoke(smoke=0, launchers=True, fired=False) == []
    assert why_no_smoke(smoke=0, launchers=True, fired=True)
    assert why_no_smoke(smoke=0, launchers=False, fired=False)
    assert why_no_fire(armed(), smoked=True)
    assert smoke_after_shooting(1, enemys=False) == 1
    used = smoke_after_shooting(1, enemys=True)
    assert why_no_smoke(smoke=used, launchers=True, fired=False)
    assert [counts_as_hull_down(0.0, smoke) for smoke in (0, 1, used)] == [False, True, False]
    assert smoke_after_shooting(0, enemys=True) == 0


def test_half_hidden_is_hull_down() -> None:
    assert [counts_as_hull_down(share, 0) for share in (0.0, 0.49, 0.5, 1.0)] == [False, False, True, True]


# -- close combat -----------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.hitting-in-assault")
def test_what_hits_a_vehicle_in_close_combat() -> None:
    assert [needed_in_assault(moved) for moved in (0.0, 0.5, 6.0, 6.1, 24.0)] == [AUTOMATIC, 4, 4, 6, 6]
    assert needed_in_assault(12.0, immobilised=True) == AUTOMATIC


@pytest.mark.rule("3e.core.vehicles.walkers-in-assault")
def test_blows_strike_the_side_touched_and_of_a_walker_the_front() -> None:
    for side in Facing:
        assert facing_in_assault(TANK, side) is side
        assert facing_in_assault(WALKER, side) is Facing.FRONT


@pytest.mark.rule("3e.core.vehicles.not-locked")
def test_ordinary_vehicles_lock_nobody_and_walkers_do() -> None:
    assert not may_be_locked(TANK)
    assert may_be_locked(WALKER)
    assert may_be_locked(TROOPS)
    assert may_be_shot_at_after_combat([TANK, SKIMMER])
    assert not may_be_shot_at_after_combat([WALKER])
    assert not may_be_shot_at_after_combat([TANK, TROOPS])


# -- tank shock -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.tank-shock")
def test_tanks_alone_drive_into_units() -> None:
    assert why_no_tank_shock(TANK) == []
    assert why_no_tank_shock(FAST)
    assert why_no_tank_shock(TANK, may_move=False)
    assert why_no_tank_shock(TANK, targets_in_combat=True)


@pytest.mark.rule("3e.core.vehicles.tank-shock")
def test_a_straight_drive_shocks_each_unit_that_it_touches_once() -> None:
    def touched(x: float, y: float) -> bool:
        return is_in_the_path((0, 0), 90.0, 10.0, 2.0, (x, y), 0.5)

    assert [touched(x, y) for x, y in ((0, 5), (2.4, 5), (2.6, 5), (0, 10.4), (0, 10.6), (0, -1))] == [
        True,
        True,
        False,
        True,
        False,
        False,
    ]
    assert shocked_units([(4, False), (7, True), (4, True), (7, True)]) == [7, 4]
    assert shocked_units([(7, True), (4, True)], immune={7}) == [4]


@pytest.mark.rule("3e.core.vehicles.tank-shock")
def test_who_fails_falls_back_and_who_passes_steps_aside_by_the_shortest_way() -> None:
    assert not holds_its_ground(passed=False)
    assert holds_its_ground(passed=True)
    assert step_aside((0, 0), 0.0, 2.0, (5, 1), 0.5) == pytest.approx((5, 2.5))
    assert step_aside((0, 0), 0.0, 2.0, (5, -1), 0.5) == pytest.approx((5, -2.5))
    assert step_aside((0, 0), 0.0, 2.0, (5, 0), 0.5) == pytest.approx((5, 2.5))
    assert step_aside((0, 0), 0.0, 2.0, (5, 3), 0.5) == (5, 3)
    assert stops_at(12.0, []) == 12.0
    assert stops_at(12.0, [15.0, 7.5]) == 7.5


@pytest.mark.rule("3e.core.vehicles.death-or-glory")
def test_one_model_may_stand_and_is_crushed_unless_it_stops_the_tank() -> None:
    assert why_no_death_or_glory(in_path=True, unit_holds=True, somebody_stands=False) == []
    assert why_no_death_or_glory(in_path=False, unit_holds=True, somebody_stands=False)
    assert why_no_death_or_glory(in_path=True, unit_holds=False, somebody_stands=False)
    assert why_no_death_or_glory(in_path=True, unit_holds=True, somebody_stands=True)
    assert is_crushed([])
    assert is_crushed([DamageResult.SHAKEN, DamageResult.ARMAMENT])
    for result in (DamageResult.STUNNED, DamageResult.IMMOBILISED, DamageResult.DESTROYED, DamageResult.EXPLODES):
        assert not is_crushed([result])


# -- squadrons --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.squadrons")
def test_a_squadron_keeps_four_inches_and_takes_hits_evenly_nearest_first() -> None:
    assert squadron_faults([4.0, 3.0]) == []
    assert [fault.rule for fault in squadron_faults([4.1])] == ["3e.core.vehicles.squadrons"]
    assert spread_hits(5, [9.0, 3.0, 6.0]) == [1, 2, 2]
    assert spread_hits(1, [9.0, 3.0]) == [0, 1]
    assert is_abandoned(immobilised=True, gap=5.0)
    assert not is_abandoned(immobilised=True, gap=4.0)
    assert not is_abandoned(immobilised=False, gap=5.0)
