"""Tank shock: tanks that drive into units, who flees, who steps aside, who stands his ground."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

from battlewright.core.bases import Point
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.armour import DamageResult

__all__ = [
    "every_vehicle_stays",
    "holds_its_ground",
    "is_crushed",
    "is_in_the_path",
    "shocked_units",
    "step_aside",
    "stops_at",
    "tests_in_flight",
    "why_no_death_or_glory",
    "why_no_tank_shock",
]

_STOPPING = frozenset({DamageResult.STUNNED, DamageResult.IMMOBILISED})


@rule("3e.core.vehicles.tank-shock")
@rule("4e.vehicle-types.tank", "4e.tank-shock.declare")
def why_no_tank_shock(
    keywords: Collection[str], *, may_move: bool = True, targets_in_combat: bool = False, transferred: bool = False
) -> list[tuple[str, str]]:
    """Why a vehicle may not declare a tank shock: rule and clause for each reason; none when it may.

    Args:
        may_move: whether its condition lets it move at all.
        targets_in_combat: whether a unit in its way is in close combat.
        transferred: whether somebody has got in or out of it this turn, which is no reason here.
    """
    found = []
    if "TANK" not in keywords:
        found.append(("3e.core.vehicles.tank-shock", "is no tank"))
    if not may_move:
        found.append(("3e.core.vehicles.tank-shock", "cannot move"))
    if targets_in_combat:
        found.append(("3e.core.vehicles.tank-shock", "would drive into a close combat"))
    return found


def _along_and_across(start: Point, degrees: float, point: Point) -> tuple[float, float]:
    """A point in the frame of a drive: inches ahead of its start, and to the left of its line."""
    x, y = point[0] - start[0], point[1] - start[1]
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return x * c + y * s, y * c - x * s


@rule("3e.core.vehicles.tank-shock")
def is_in_the_path(
    start: Point, degrees: float, distance: float, half_width: float, model: Point, radius: float
) -> bool:
    """Whether a straight drive touches a model.

    Args:
        start: the middle of the hull's front; ``degrees`` the direction; ``distance`` in inches.
        half_width: half the hull's width, in inches.
        model: the model's centre; ``radius`` of its base, in inches.
    """
    ahead, aside = _along_and_across(start, degrees, model)
    beyond = max(-ahead, ahead - distance, 0.0)
    beside = max(abs(aside) - half_width, 0.0)
    return math.hypot(beyond, beside) <= radius + TOLERANCE


@rule("3e.core.vehicles.tank-shock")
def shocked_units(touched: Iterable[tuple[int, bool]], immune: Collection[int] = ()) -> list[int]:
    """The units that test morale: each of which some model is touched, once, in the order in which it happens.

    Args:
        touched: unit of each model in the order of the drive, with whether the drive touches it.
        immune: units that ignore tank shock.
    """
    return [unit for unit in dict.fromkeys(unit for unit, hit in touched if hit) if unit not in immune]


@rule("3e.core.vehicles.tank-shock")
def holds_its_ground(passed: bool) -> bool:
    """Whether a shocked unit stays and its models step aside; failing its test, it falls back."""
    return passed


@rule("3e.core.vehicles.tank-shock")
def step_aside(start: Point, degrees: float, half_width: float, model: Point, radius: float) -> Point:
    """Where a model in the path stands when it has stepped aside by the shortest way: just beside the track.

    One exactly in the middle goes to the left.
    """
    ahead, aside = _along_and_across(start, degrees, model)
    clear = half_width + radius
    if abs(aside) >= clear:
        return model
    aside = clear if aside >= 0 else -clear
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return start[0] + ahead * c - aside * s, start[1] + ahead * s + aside * c


@rule("3e.core.vehicles.tank-shock")
def stops_at(distance: float, vehicles: Sequence[float]) -> float:
    """How far a tank really drives, in inches: a vehicle in the way stops it.

    Args:
        vehicles: inches of free way to each vehicle ahead.
    """
    return min((distance, *vehicles))


@rule("3e.core.vehicles.tank-shock")
def every_vehicle_stays(mine: int, other: int, *, immobile: bool) -> bool:
    """Whether a vehicle in the way stops the tank, which every vehicle does.

    Args:
        mine: the front armour of the tank; ``other`` that of the vehicle in the way.
        immobile: whether the latter cannot move.
    """
    return True


@rule("3e.core.vehicles.tank-shock")
def tests_in_flight(*, falling_back: bool) -> bool:
    """Whether a unit fails its test at once, without dice.

    RULING: 3e.core.vehicles.tank-shock a unit that falls back already tests as any other.
    """
    return False


@rule("3e.core.vehicles.death-or-glory")
def why_no_death_or_glory(*, in_path: bool, unit_holds: bool, somebody_stands: bool) -> list[tuple[str, str]]:
    """Why a model may not stand its ground and strike at the tank: rule and clause; none when it may.

    Args:
        unit_holds: whether its unit has passed its test.
        somebody_stands: whether another model stands against this drive already.
    """
    found = []
    if not in_path:
        found.append(("3e.core.vehicles.death-or-glory", "does not stand in the tank's path"))
    if not unit_holds:
        found.append(("3e.core.vehicles.death-or-glory", "falls back with its unit"))
    if somebody_stands:
        found.append(("3e.core.vehicles.death-or-glory", "is not the first: one model stands"))
    return found


@rule("3e.core.vehicles.death-or-glory")
@rule("4e.death-or-glory.success", "4e.death-or-glory.failure", "4e.death-or-glory.walker-removed")
@rule("6e.death-or-glory.stopped", "6e.death-or-glory.crushed")
def is_crushed(results: Iterable[DamageResult]) -> bool:
    """Whether the model that stood is crushed: its attack did not stun, immobilise or destroy the tank.

    Args:
        results: what its attack did to the tank; nothing where it did not penetrate.
    """
    return not any(result.destroys or result in _STOPPING for result in results)
