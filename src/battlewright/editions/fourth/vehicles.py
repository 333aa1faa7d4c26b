"""Vehicles of the 4th edition: what differs from the 3rd in moving them, in riding in them, in driving into units."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.gunnery import Readiness
from battlewright.editions.classic.state import Deed
from battlewright.editions.classic.terrain import Crossing
from battlewright.editions.classic.transports import Boarding, Leaving, Riding
from battlewright.editions.classic.transports import why_no_boarding as classic_boarding
from battlewright.editions.classic.vehicles import SLOW, SQUADRON_COHERENCY, is_walker
from battlewright.editions.fourth.damage import DAMAGE
from battlewright.editions.fourth.gunnery import FIRE
from battlewright.editions.third.gunnery import CRUISING
from battlewright.editions.third.vehicles import VEHICLES as THIRD

__all__ = [
    "ROAD_BONUS",
    "VEHICLES",
    "crushed_by_the_letter",
    "deeds_of_disembarking",
    "is_abandoned",
    "obstacles_for_vehicles_only",
    "road_allowance",
    "same_band",
    "stays_in_the_way",
    "terrain_result",
    "terrain_tests",
    "why_no_boarding",
    "wreck_bars",
]

ROAD_BONUS = 6.0
"""Inches by which a road lengthens a move that keeps to it."""
_BANDS = (6.0, 12.0, 24.0)
"""Inches that bound the speeds of vehicles."""


# -- moving -----------------------------------------------------------------------------------------------------


@rule("4e.vehicle-terrain.risk", "4e.vehicle-terrain.some-vehicles-test", "4e.vehicle-dangerous-terrain.when")
@rule("4e.vehicle-dangerous-terrain.one-die", "4e.vehicle-dangerous-terrain.two-dice")
@rule("4e.skimmer-movement.ignore-terrain", "4e.skimmer-movement.hover", "4e.walker-movement.dangerous-terrain")
def terrain_tests(keywords: Collection[str], crossings: Sequence[Crossing], moved: float) -> list[int]:
    """The dangerous terrain tests of a move, each by the number of its D6: two if the whole move is longer than 6".

    Skimmers take none, walkers only for terrain that endangers infantry too, with one die.
    RULING: 4e.vehicle-dangerous-terrain.when one test for a move and a piece of terrain, whatever borders it crosses.
    """
    if moved <= TOLERANCE or "SKIMMER" in keywords:
        return []
    if is_walker(keywords):
        return [1 for crossing in crossings if crossing.touches and crossing.dangerous]
    dice = 1 if within(moved, SLOW) else 2
    return [dice for crossing in crossings if crossing.touches]


@rule("4e.vehicle-dangerous-terrain.stuck-on-one", "4e.vehicle-dangerous-terrain.destroyed-on-double-one")
@rule("4e.walker-movement.dangerous-terrain")
def terrain_result(keywords: Collection[str], faces: Sequence[int]) -> DamageResult | None:
    """What a test does: any 1 immobilises the vehicle, two destroy it.

    RULING: 4e.vehicle-dangerous-terrain.stops-at-edge who fails while entering is immobilised at the edge.
    """
    ones = list(faces).count(1)
    if ones >= 2:
        return DamageResult.DESTROYED
    return DamageResult.IMMOBILISED if ones else None


@rule("4e.roads.bonus", "4e.roads.not-walkers-skimmers", "4e.roads.whole-move")
def road_allowance(keywords: Collection[str], inches: float, *, whole_way: bool) -> float:
    """How far a vehicle may move that keeps to a road: 6" more than else, but not walkers and skimmers.

    Args:
        inches: its ordinary move; ``whole_way`` whether all of this move is on the road.
    """
    flies_or_walks = is_walker(keywords) or "SKIMMER" in keywords
    return inches if flies_or_walks or not whole_way else inches + ROAD_BONUS


@rule("4e.squadron-movement.same-band")
def same_band(distances: Sequence[float]) -> list[Violation]:
    """Why the vehicles of a squadron may not move so far each: not within one band of speed; nothing when they may.

    Args:
        distances: inches that each has moved; those that stood still for damage are left out.
    """
    bands = {
        next((number for number, most in enumerate(_BANDS) if within(each, most)), len(_BANDS)) for each in distances
    }
    if len(bands) < 2:
        return []
    text = ", ".join(f'{each:.1f}"' for each in distances)
    return [Violation("4e.squadron-movement.same-band", f"The squadron moves {text}: all go at about the same speed")]


@rule("4e.squadron-movement.stay-or-abandon", "4e.squadron-movement.abandoned-destroyed")
def is_abandoned(*, immobilised: bool, stunned: bool = False, gap: float) -> bool:
    """Whether a vehicle of a squadron is given up: immobilised or stunned, and left out of coherency.

    Args:
        gap: inches to the nearest other vehicle of it when the squadron has moved.
    """
    return (immobilised or stunned) and not within(gap, SQUADRON_COHERENCY)


@rule("4e.vehicle-terrain.vehicles-only-terrain")
def obstacles_for_vehicles_only(tags: Collection[str]) -> bool:
    """What players may agree on: that walls, hedges and ditches are difficult for vehicles, and infantry crosses them
    freely, as walkers do."""
    return bool({"obstacle", "ditch"} & set(tags)) and "wreck" not in tags


# -- transports -------------------------------------------------------------------------------------------------


@rule("4e.transports.capacity-limit", "4e.transports.model-restrictions", "4e.transports.infantry-only")
@rule("4e.transport-use.dedicated", "4e.transport-use.pool-transport", "4e.transport-use.dedicated-character")
@rule("4e.transport-use.one-unit", "4e.transport-use.no-splitting", "4e.access-points.within-two")
@rule("4e.embarking.reach", "4e.embarking.whole-unit", "4e.embark-disembark.not-both")
def why_no_boarding(boarding: Boarding) -> list[tuple[str, str]]:
    """Why a unit may not get into a vehicle: rule and clause for each reason; none when it may.

    A vehicle that was bought for a squad takes that squad alone, and a character who is with it.
    """
    found = classic_boarding(boarding)
    if boarding.reserved:
        found.append(("4e.transport-use.dedicated", "is not the unit that the vehicle was bought for"))
    return found


@rule("4e.disembarking.no-charge", "4e.disembarking.charge-open-topped", "4e.disembarking.charge-land-raider")
@rule("4e.disembarking.charge-stationary", "4e.disembarking.shoot-after")
def deeds_of_disembarking(leaving: Leaving) -> frozenset[Deed]:
    """What getting out is noted as: it bars a charge, unless the vehicle is open-topped, lets troops charge, or stood.

    Vehicles that let them are Land Raiders, their variants, and whatever has the ability ASSAULT VEHICLE.
    """
    lets_charge = {"OPEN-TOPPED", "ASSAULT VEHICLE"} & leaving.vehicle
    if lets_charge or any("LAND RAIDER" in each for each in leaving.vehicle) or leaving.moved <= TOLERANCE:
        return frozenset({Deed.DISEMBARKED})
    return frozenset({Deed.DISEMBARKED, Deed.LEFT_CLOSED})


@rule("4e.passenger-fire.over-12-none", "4e.crew-shaken.passengers-no-fire", "4e.crew-stunned.passengers-no-fire")
def fires_aboard(riding: Riding) -> Readiness:
    """How much passengers may fire: nothing when their vehicle has moved more than 12" or its crew is dazed."""
    dazed = riding.condition.shaken or riding.condition.stunned
    return Readiness.NONE if dazed or not within(riding.moved, CRUISING) else Readiness.FULL


@rule("4e.passenger-fire.counts-open-topped")
def leaves_open(saves: Sequence[int | None]) -> bool:
    """Whether passengers who fire out of a closed vehicle leave it open: if any wears less than a 3+ save.

    RULING: 4e.passenger-fire.counts-open-topped every model of the unit that fires counts, whether it fires or not.
    """
    return any(save is None or save > 3 for save in saves)


# -- tank shock -------------------------------------------------------------------------------------------------


@rule("4e.tank-shock.vehicles-not-moved", "4e.tank-shock.vehicle-stops-tank", "4e.tank-shock.vehicle-dodges")
def stays_in_the_way(mine: int, other: int, *, immobile: bool) -> bool:
    """Whether a vehicle in the way stays and stops the tank: its front armour is as good at least, or it cannot move.

    Args:
        mine: the front armour of the tank; ``other`` that of the vehicle in the way.
        immobile: whether the latter cannot move.
    """
    return immobile or other >= mine


@rule("4e.death-or-glory.success", "4e.death-or-glory.failure")
def crushed_by_the_letter(results: Iterable[DamageResult]) -> bool:
    """What players may agree on: that a tank which its attacker immobilises crushes him all the same."""
    return not any(result.destroys or result is DamageResult.STUNNED for result in results)


@rule("4e.wrecks.vehicle-higher-front", "4e.wrecks.vehicle-lower-front", "4e.tank-shock.wrecks")
def wreck_bars(mine: int, wreck: int) -> bool:
    """Whether a wreck is impassable for a vehicle: only one of better front armour than the wreck had drives over it.

    RULING: 4e.wrecks.vehicle-lower-front a wreck of equal front armour bars the way, and bars it for walkers too.
    """
    return mine <= wreck


VEHICLES = replace(
    THIRD,
    fire=FIRE,
    damage=DAMAGE,
    movement=replace(
        THIRD.movement,
        terrain_tests=terrain_tests,
        terrain_result=terrain_result,
        is_abandoned=is_abandoned,
        same_band=same_band,
        wreck_bars=wreck_bars,
        road_allowance=road_allowance,
    ),
    transports=replace(
        THIRD.transports,
        why_no_boarding=why_no_boarding,
        deeds_of_disembarking=deeds_of_disembarking,
        fires_aboard=fires_aboard,
        leaves_open=leaves_open,
        wreck_has_hatches=True,
    ),
    tank_shock=replace(THIRD.tank_shock, halt=1.0, stays=stays_in_the_way),
)
"""The chapter on vehicles of the edition."""
