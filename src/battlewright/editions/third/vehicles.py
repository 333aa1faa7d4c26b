"""Vehicles of the 3rd edition: terrain, skimmers, walkers, squadrons left behind."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.gunnery import Readiness
from battlewright.editions.classic.tank_shock import (
    every_vehicle_stays,
    is_crushed,
    tests_in_flight,
    why_no_tank_shock,
)
from battlewright.editions.classic.terrain import Crossing
from battlewright.editions.classic.transports import (
    HATCH,
    Riding,
    deeds_of_disembarking,
    moves_after_disembarking,
    why_no_boarding,
    why_no_disembarking,
)
from battlewright.editions.classic.vehicle_rules import TankShockRules, TransportRules, VehicleMovement, VehicleRules
from battlewright.editions.classic.vehicles import SLOW, SQUADRON_COHERENCY
from battlewright.editions.third.damage import DAMAGE
from battlewright.editions.third.gunnery import FIRE

__all__ = [
    "VEHICLES",
    "may_reroll_terrain",
    "terrain_result",
    "terrain_tests",
]

# -- moving -----------------------------------------------------------------------------------------------------


@rule("3e.core.vehicles.difficult-terrain", "3e.core.vehicles.skimmer-terrain")
def terrain_tests(keywords: Collection[str], crossings: Sequence[Crossing], moved: float) -> list[int]:
    """The tests that a vehicle takes for difficult terrain on a move, each by the number of its D6, which is one.

    One for each piece that it enters or moves in; a skimmer for those alone in which it starts or ends.

    Args:
        moved: inches of the move; whoever does not move takes no test.
    """
    if moved <= TOLERANCE:
        return []
    if "SKIMMER" in keywords:
        return [1 for crossing in crossings if crossing.starts or crossing.ends]
    return [1 for crossing in crossings if crossing.touches]


@rule("3e.core.vehicles.difficult-terrain", "3e.core.vehicles.skimmer-terrain")
def terrain_result(keywords: Collection[str], faces: Sequence[int]) -> DamageResult | None:
    """What a test for difficult terrain does: a 1 immobilises a vehicle and destroys a skimmer."""
    if 1 not in faces:
        return None
    return DamageResult.DESTROYED if "SKIMMER" in keywords else DamageResult.IMMOBILISED


@rule("3e.core.vehicles.dozer-blade")
def may_reroll_terrain(abilities: Collection[str], moved: float, *, rerolled: bool) -> bool:
    """Whether a die for difficult terrain may be thrown again, once: with a dozer blade, having moved 6" or less."""
    return "DOZER BLADE" in abilities and within(moved, SLOW) and not rerolled


def no_wreck_bars(mine: int, wreck: int) -> bool:
    """Wrecks are difficult terrain, whatever armour they had."""
    return False


def for_everybody(tags: Collection[str]) -> bool:
    """Terrain that is difficult is so for infantry, too."""
    return False


# -- squadrons --------------------------------------------------------------------------------------------------


def any_speeds(distances: Sequence[float]) -> list[Violation]:
    """The vehicles of a squadron may move as far as each likes."""
    return []


@rule("3e.core.vehicles.squadrons")
def is_abandoned(*, immobilised: bool, stunned: bool = False, gap: float) -> bool:
    """Whether a vehicle of a squadron is given up and counts as destroyed: immobilised, and left out of coherency.

    Args:
        gap: inches to the nearest other vehicle of it when the squadron has moved.
    """
    return immobilised and not within(gap, SQUADRON_COHERENCY)


@rule("3e.core.vehicles.open-topped-fire")
def fires_aboard(riding: Riding) -> Readiness:
    """How much passengers may fire out of a vehicle: as much as on foot.

    RULING: 3e.core.vehicles.open-topped-fire they fire whatever has befallen the crew, as having moved if the vehicle
    has, and out of a closed vehicle whose entry has fire points as many as these.
    """
    return Readiness.FULL


def stays_closed(saves: Sequence[int | None]) -> bool:
    """Fire out of a vehicle leaves nothing open."""
    return False


VEHICLES = VehicleRules(
    movement=VehicleMovement(
        terrain_tests=terrain_tests,
        terrain_result=terrain_result,
        may_reroll_terrain=may_reroll_terrain,
        is_abandoned=is_abandoned,
        same_band=any_speeds,
        wreck_bars=no_wreck_bars,
        for_vehicles_only=for_everybody,
    ),
    tank_shock=TankShockRules(
        why_no_tank_shock=why_no_tank_shock,
        more_than=0.0,
        halt=0.0,
        stays=every_vehicle_stays,
        fails_at_once=tests_in_flight,
        is_crushed=is_crushed,
        clears_the_way=True,
        clearance=0.0,
        coherent=False,
    ),
    fire=FIRE,
    damage=DAMAGE,
    transports=TransportRules(
        why_no_boarding=why_no_boarding,
        why_no_disembarking=why_no_disembarking,
        deeds_of_disembarking=deeds_of_disembarking,
        moves_after_disembarking=moves_after_disembarking,
        fires_aboard=fires_aboard,
        leaves_open=stays_closed,
        exit_reach=HATCH,
        exit_wholly=False,
        wreck_has_hatches=False,
    ),
)
"""The chapter on vehicles of the edition."""
