"""What an edition decides about vehicles: how they move, whom they carry, how they drive into units."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from battlewright.core.decisions import Violation
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.damage import VehicleDamage
from battlewright.editions.classic.gunnery import Readiness, VehicleFire
from battlewright.editions.classic.ramming import RamRules
from battlewright.editions.classic.state import Deed
from battlewright.editions.classic.transports import Boarding, Leaving, Riding

__all__ = ["TankShockRules", "TransportRules", "VehicleMovement", "VehicleRules"]


@dataclass(frozen=True)
class VehicleMovement:
    """What is decided about the moves of vehicles.

    Attributes:
        terrain_tests: the tests for difficult terrain on a move, each by the number of its dice: by the vehicle's
            keywords, by what it has to do with each piece, and by the inches of the whole move.
        terrain_result: what the faces of such a test do to a vehicle, None for nothing.
        may_reroll_terrain: whether a die of such a test may be thrown again.
        is_abandoned: whether a vehicle of a squadron that is left out of coherency counts as destroyed.
        left_behind: which vehicles of a squadron become units of their own when the others have moved, by who of them
            is immobilised and (n, n) who of them keeps coherency with whom; None where none ever does.
        waits_for_stunned: whether a squadron keeps coherency with a stunned vehicle, too.
        road_allowance: how far a vehicle moves that keeps to a road; None where roads change nothing.
        terrain_wounds: hull points that a failed test takes besides.
        same_band: what is wrong with the inches that the vehicles of a squadron have moved each.
        settles_on: whether a skimmer may stop over impassable terrain with these tags.
        for_vehicles_only: whether a piece of terrain with these tags is difficult for vehicles only.
        wreck_bars: whether a wreck is impassable for a vehicle, by the front armour of both.
    """

    terrain_tests: Callable[[Collection[str], Sequence[Any], float], list[int]]
    terrain_result: Callable[[Collection[str], Sequence[int]], DamageResult | None]
    may_reroll_terrain: Callable[..., bool]
    is_abandoned: Callable[..., bool]
    same_band: Callable[[Sequence[float]], list[Violation]]
    wreck_bars: Callable[[int, int], bool]
    for_vehicles_only: Callable[[Collection[str]], bool]
    left_behind: Callable[[Sequence[bool], Sequence[Sequence[bool]]], list[int]] | None = None
    waits_for_stunned: bool = False
    settles_on: Callable[[Collection[str]], bool] = lambda tags: False
    road_allowance: Callable[..., float] | None = None
    terrain_wounds: int = 0


@dataclass(frozen=True)
class TransportRules:
    """What is decided about vehicles that carry others.

    Attributes:
        why_no_boarding: rule and clause for each reason why a unit may not get into a vehicle.
        why_no_disembarking: likewise why it may not get out.
        deeds_of_disembarking: what getting out so is noted as.
        moves_after_disembarking: whether the unit, and the vehicle, still move then, by the inches that the vehicle had
            moved before.
        fires_aboard: how much passengers may fire out of it, by what it has done and suffered.
        leaves_open: whether a closed vehicle counts as open-topped in the enemy's next turn when passengers of these
            armour saves have fired out of it.
        exit_reach: inches from a hatch within which those who get out are placed.
        exit_wholly: whether their whole bases must be; else by what the players call "within".
        emergency: whether who finds no place at the hatches may get out anywhere, and then do nothing more.
        exit_is_move: whether getting out is a move, so that terrain counts.
        parts_outside: whether a unit and a character who get out in the same turn part only beyond 2" of each other.
        wreck_has_hatches: whether those who leave a wreck do so by its hatches; else by any part of it.
    """

    why_no_boarding: Callable[[Boarding], list[tuple[str, str]]]
    why_no_disembarking: Callable[[Leaving], list[tuple[str, str]]]
    deeds_of_disembarking: Callable[[Leaving], frozenset[Deed]]
    moves_after_disembarking: Callable[[float], tuple[bool, bool]]
    fires_aboard: Callable[[Riding], Readiness]
    leaves_open: Callable[[Sequence[int | None]], bool]
    exit_reach: float
    exit_wholly: bool
    wreck_has_hatches: bool
    emergency: bool = False
    exit_is_move: bool = False
    parts_outside: bool = False


@dataclass(frozen=True)
class TankShockRules:
    """What is decided about tanks that drive into units.

    Attributes:
        why_no_tank_shock: rule and clause for each reason why a vehicle of these keywords may not.
        more_than: inches that the drive has to be longer than.
        halt: inches from what stops the tank at which it stops.
        stays: whether an enemy vehicle in the way stops the tank, by both front armours and whether it cannot move.
        fails_at_once: whether a unit fails its test without dice, by whether it is falling back.
        is_crushed: whether a model that stood in the way is, by what its attack did to the tank.
        from_reserve: whether a tank that comes on from reserve may do it, if that is said beforehand.
        ram: ramming, None where nobody rams.
        clears_the_way: whether models leave all of the tank's way; else they leave the place where it ends.
        clearance: inches that they keep from it then; ``coherent`` whether they have to keep to their units.
    """

    why_no_tank_shock: Callable[..., list[tuple[str, str]]]
    more_than: float
    halt: float
    stays: Callable[..., bool]
    fails_at_once: Callable[..., bool]
    is_crushed: Callable[[Iterable[DamageResult]], bool]
    clears_the_way: bool
    clearance: float
    coherent: bool
    ram: RamRules | None = None
    from_reserve: bool = False


@dataclass(frozen=True)
class VehicleRules:
    """What is decided about vehicles, by what they do.

    Attributes:
        movement: their moves, but for the distances, which go by kind.
        transports: who gets in and out of them.
        tank_shock: driving into units.
        fire: what they fire, and what protects them from fire.
        damage: what results of damage tables do to them.
    """

    movement: VehicleMovement
    transports: TransportRules
    tank_shock: TankShockRules
    fire: VehicleFire
    damage: VehicleDamage
