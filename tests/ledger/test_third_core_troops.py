"""Unit types, special rules and wargear of the 3rd edition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.editions.classic.artillery import guns_served, hits_a_gun
from battlewright.editions.classic.assault import assault_through_difficult
from battlewright.editions.classic.kinds import THREE_D6, TWO_D6, move_allowance
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.state import MoveKind
from battlewright.editions.classic.targets import Candidate
from battlewright.editions.classic.terrain import Crossing, accident_dice, is_slowed_by
from battlewright.editions.classic.weapons import WeaponType
from battlewright.editions.third.kinds import KINDS
from battlewright.editions.third.targets import sight_only, target_faults
from battlewright.editions.third.troops import (
    counts_as_moving,
    hits_on_swarms,
    swarm_cover,
)

NOBODY: frozenset[str] = frozenset()


# -- kinds ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.units.jump-troops")
def test_jump_troops_fly_twelve_or_walk_six_and_charge_six() -> None:
    found = KINDS.of(Kind.JUMP)
    assert (found.move, found.assault, found.fall_back, found.flies) == (12.0, 6.0, THREE_D6, True)
    assert move_allowance(KINDS, Kind.JUMP, way=MoveKind.FOOT) == 6.0
    assert KINDS.ways_of([Kind.JUMP]) == (MoveKind.FOOT,)
    assert KINDS.ways_of([Kind.JUMP, Kind.BIKE]) == ()
    assert accident_dice(KINDS.of(Kind.JUMP).risk, Crossing(ends=True)) == 1


@pytest.mark.rule("3e.core.units.bikes")
def test_bikes_move_twelve_at_their_risk_and_fire_as_if_they_stood() -> None:
    found = KINDS.of(Kind.BIKE)
    assert (found.move, found.assault, found.fall_back) == (12.0, 6.0, THREE_D6)
    assert not found.flies
    assert not found.slowed
    assert accident_dice(KINDS.of(Kind.BIKE).risk, Crossing(passes=True)) == 1
    assert not counts_as_moving(Kind.BIKE, WeaponType.RAPID_FIRE, moved=True)
    assert not counts_as_moving(Kind.BIKE, WeaponType.HEAVY, moved=True)
    assert counts_as_moving(Kind.BIKE, WeaponType.PISTOL, moved=True)
    assert counts_as_moving(Kind.BIKE, WeaponType.RAPID_FIRE, moved=True, on_bike=False)


@pytest.mark.rule("3e.core.units.jetbikes")
def test_jetbikes_fly_over_terrain() -> None:
    found = KINDS.of(Kind.JETBIKE)
    assert (found.move, found.assault, found.fall_back, found.flies) == (12.0, 6.0, THREE_D6, True)
    assert accident_dice(KINDS.of(Kind.JETBIKE).risk, Crossing(passes=True)) == 0
    assert accident_dice(KINDS.of(Kind.JETBIKE).risk, Crossing(starts=True)) == 1
    assert not counts_as_moving(Kind.JETBIKE, WeaponType.HEAVY, moved=True)


@pytest.mark.rule("3e.core.units.cavalry")
def test_cavalry_moves_six_and_charges_twelve() -> None:
    found = KINDS.of(Kind.CAVALRY)
    assert (found.move, found.assault, found.fall_back) == (6.0, 12.0, THREE_D6)
    assert accident_dice(KINDS.of(Kind.CAVALRY).risk, Crossing(passes=True)) == 1
    assert assault_through_difficult(KINDS.of(Kind.CAVALRY), (1, 2)) == 12.0


@pytest.mark.rule("3e.core.units.beasts")
def test_beasts_charge_twice_the_highest_die_through_difficult_terrain() -> None:
    found = KINDS.of(Kind.BEAST)
    assert (found.move, found.assault, found.fall_back, found.slowed) == (6.0, 12.0, THREE_D6, True)
    assert assault_through_difficult(KINDS.of(Kind.BEAST), (2, 5)) == 10.0
    assert assault_through_difficult(KINDS.of(Kind.INFANTRY), (2, 5)) == 5.0
    assert is_slowed_by(KINDS.of(Kind.BEAST), Crossing(ends=True))
    assert accident_dice(KINDS.of(Kind.BEAST).risk, Crossing(ends=True)) == 0


@pytest.mark.rule("3e.core.units.large-creatures")
def test_large_creatures_walk_as_infantry_and_fire_heavy_weapons_on_the_move() -> None:
    found = KINDS.of(Kind.MONSTROUS)
    assert (found.move, found.assault, found.fall_back, found.slowed) == (6.0, 6.0, TWO_D6, True)
    assert is_slowed_by(KINDS.of(Kind.MONSTROUS), Crossing(ends=True))
    assert not counts_as_moving(Kind.MONSTROUS, WeaponType.HEAVY, moved=True)
    assert counts_as_moving(Kind.INFANTRY, WeaponType.HEAVY, moved=True)
    assert not counts_as_moving(Kind.INFANTRY, WeaponType.HEAVY, moved=False)
    alone = Candidate(unit=0, distance=30.0, lone_character=True)
    beside = [(Candidate(unit=1, distance=10.0), 3.0)]
    assert target_faults(alone, beside, sight_only)
    assert target_faults(replace(alone, is_monstrous=True), beside, sight_only) == []


@pytest.mark.rule("3e.core.units.artillery")
def test_each_gun_needs_a_crewman_and_charges_nobody() -> None:
    found = KINDS.of(Kind.ARTILLERY)
    assert (found.move, found.assault) == (6.0, 0.0)
    assert guns_served(crew=2, guns=3) == 2
    assert guns_served(crew=6, guns=3) == 3
    assert guns_served(crew=0, guns=3) == 0


@pytest.mark.rule("3e.core.units.artillery-hits")
def test_hits_on_a_battery_strike_crew_or_gun_and_any_glance_destroys_a_gun() -> None:
    assert [hits_a_gun(face) for face in range(1, 7)] == [False] * 4 + [True] * 2


@pytest.mark.rule("3e.core.units.swarms")
def test_swarms_hide_better_and_suffer_twice_from_blasts() -> None:
    swarm = frozenset({"INFANTRY", "SWARM"})
    assert swarm_cover(swarm, 5) == 4
    assert swarm_cover(swarm, None) is None
    assert swarm_cover(NOBODY, 5) == 5
    assert hits_on_swarms(swarm, 3) == 6
    assert hits_on_swarms(NOBODY, 3) == 3
