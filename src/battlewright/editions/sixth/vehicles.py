"""Vehicles of the 6th edition: what differs from the 4th in moving them, in riding in them, in driving into others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.gunnery import Readiness
from battlewright.editions.classic.ramming import RamRules, ram_strength
from battlewright.editions.classic.state import Deed
from battlewright.editions.classic.tank_shock import every_vehicle_stays, why_no_tank_shock
from battlewright.editions.classic.terrain import Crossing
from battlewright.editions.classic.transports import Boarding, Leaving, Riding
from battlewright.editions.classic.vehicles import is_walker
from battlewright.editions.fourth.vehicles import VEHICLES as FOURTH
from battlewright.editions.fourth.vehicles import why_no_boarding as fourth_boarding
from battlewright.editions.sixth.chariots import why_no_rider
from battlewright.editions.sixth.damage import DAMAGE
from battlewright.editions.sixth.gunnery import FIRE
from battlewright.editions.third.vehicles import stays_closed

__all__ = [
    "UPGRADES",
    "VEHICLES",
    "deeds_of_disembarking",
    "jink_against_ram",
    "left_behind",
    "may_reroll_terrain",
    "moves_after_disembarking",
    "settles_on",
    "terrain_result",
    "terrain_tests",
    "upgrades_of",
    "why_no_boarding",
    "why_no_disembarking",
]

COMBAT_SPEED = 6.0
"""Inches up to which a move is one at combat speed; cruising speed is beyond."""
UPGRADES = frozenset({"DOZER BLADE", "EXTRA ARMOUR", "HUNTER-KILLER MISSILE", "SEARCHLIGHT", "SMOKE LAUNCHERS"})
"""The commonest upgrades of vehicles."""


@rule("6e.vehicle-upgrades.optional")
def upgrades_of(abilities: Collection[str]) -> frozenset[str]:
    """The upgrades that a vehicle has been given, of the five common ones."""
    return UPGRADES & frozenset(abilities)


# -- moving -----------------------------------------------------------------------------------------------------


@rule("6e.skimmer-movement.over-terrain", "6e.skimmer-movement.start-or-end-test", "6e.outside.dangerous-terrain")
@rule("6e.walker-movement.terrain", "6e.outside.difficult-terrain")
def terrain_tests(keywords: Collection[str], crossings: Sequence[Crossing], moved: float) -> list[int]:
    """The dangerous terrain tests of a move, one die each: a vehicle's for every piece that it comes into.

    A skimmer takes one in all if it starts or ends in some; a walker tests only where infantry would.
    """
    if moved <= TOLERANCE:
        return []
    if "SKIMMER" in keywords:
        return [1] if any(crossing.starts or crossing.ends for crossing in crossings) else []
    if is_walker(keywords):
        return [1 for crossing in crossings if crossing.touches and crossing.dangerous]
    return [1 for crossing in crossings if crossing.touches]


@rule("6e.skimmer-movement.over-impassable")
def settles_on(tags: Collection[str]) -> bool:
    """Whether a skimmer may stop over impassable terrain: where the model can be set on top of it.

    RULING: 6e.skimmer-movement.over-impassable that is said of a piece by the tag "flat".
    """
    return "flat" in tags


@rule("6e.walker-movement.failed-dangerous", "6e.outside.dangerous-terrain")
def terrain_result(keywords: Collection[str], faces: Sequence[int]) -> DamageResult | None:
    """What a test does: a 1 immobilises any vehicle."""
    return DamageResult.IMMOBILISED if 1 in faces else None


@rule("6e.outside.squadrons")
def left_behind(immobilised: Sequence[bool], near: Sequence[Sequence[bool]]) -> list[int]:
    """Which vehicles of a squadron the others have left behind: Immobilised ones out of coherency with all the others.

    RULING: 6e.outside.squadrons each of them is a unit of its own, also where two are left at once. A squadron of
    Immobilised vehicles alone stays one unit, as do vehicles that nobody has moved away from.

    Args:
        near: (n, n) whether two of them are within 4" of each other.

    >>> left_behind([True, False, False], [[True, False, False], [False, True, True], [False, True, True]])
    [0]
    """
    kept = {place for place, stuck in enumerate(immobilised) if not stuck}
    front = set(kept)
    while front:
        front = {other for place in front for other, linked in enumerate(near[place]) if linked} - kept
        kept |= front
    return [place for place in range(len(immobilised)) if place not in kept] if kept else []


@rule("6e.dozer-blade.re-roll")
def may_reroll_terrain(abilities: Collection[str], moved: float, *, rerolled: bool) -> bool:
    """Whether a failed test may be thrown again, once: with a dozer blade, however far the vehicle moves."""
    return "DOZER BLADE" in abilities and not rerolled


# -- transports -------------------------------------------------------------------------------------------------


@rule("6e.outside.embark", "6e.outside.capacity", "6e.tank-shock-limits.no-transfer-after-shock")
@rule("6e.ic-transport.join-by-boarding", "6e.zoom.no-embark-disembark")
def why_no_boarding(boarding: Boarding) -> list[tuple[str, str]]:
    """Why a unit may not get into a vehicle: rule and clause for each reason; none when it may."""
    found = fourth_boarding(boarding) + why_no_rider(boarding)
    if boarding.shocked:
        found.append(("6e.tank-shock-limits.no-transfer-after-shock", "would get into a vehicle after its tank shock"))
    if boarding.aloft:
        found.append(("6e.zoom.no-embark-disembark", "would get into a flyer that zooms"))
    return found


@rule("6e.disembark-timing.window", "6e.tank-shock-limits.no-transfer-after-shock", "6e.ram-limits.same-as-tank-shock")
@rule("6e.zoom.no-embark-disembark")
def why_no_disembarking(leaving: Leaving) -> list[tuple[str, str]]:
    """Why a unit may not get out of a vehicle: rule and clause for each reason; none when it may."""
    found = []
    if not within(leaving.moved, COMBAT_SPEED):
        why = f'is in a vehicle that moved {leaving.moved:.1f}"; {COMBAT_SPEED:g}" at most'
        found.append(("6e.disembark-timing.window", why))
    if leaving.got_in:
        found.append(("6e.disembark-timing.window", "got in this turn"))
    if leaving.shocked:
        found.append(("6e.tank-shock-limits.no-transfer-after-shock", "is in a vehicle that made a tank shock"))
    if leaving.aloft:
        found.append(("6e.zoom.no-embark-disembark", "is in a flyer that zooms"))
    return found


@rule("6e.after-disembarking.no-charge", "6e.open-topped.assault-vehicle", "6e.outside.assault-vehicle")
@rule("6e.after-disembarking.shoot-as-moved")
def deeds_of_disembarking(leaving: Leaving) -> frozenset[Deed]:
    """What getting out is noted as: it bars a charge but from assault vehicles, as open-topped ones are."""
    lets_charge = {"OPEN-TOPPED", "ASSAULT VEHICLE", "LAND RAIDER"} & leaving.vehicle
    return frozenset({Deed.DISEMBARKED}) if lets_charge else frozenset({Deed.DISEMBARKED, Deed.LEFT_CLOSED})


@rule("6e.disembark-timing.vehicle-moves-afterwards", "6e.disembark-timing.vehicle-frozen-afterwards")
@rule("6e.disembark-placement.move-within-six")
def moves_after_disembarking(moved: float) -> tuple[bool, bool]:
    """Who still moves once a unit has got out: the unit, whose move that was, does not; the vehicle, if it stood.

    Args:
        moved: inches that the vehicle had moved before.
    """
    return False, moved <= TOLERANCE


@rule("6e.outside.fire-points", "6e.ram.snap-shots")
def fires_aboard(riding: Riding) -> Readiness:
    """How much passengers may fire: nothing out of a vehicle that has gone flat out or used its smoke, snap shots out
    of one at cruising speed or that has rammed; what its crew has suffered lies on them themselves."""
    if riding.flat_out or riding.smoked:
        return Readiness.NONE
    steady = within(riding.moved, COMBAT_SPEED) and not riding.rammed
    return Readiness.FULL if steady else Readiness.SNAP_SHOTS


# -- tank shock and ramming -------------------------------------------------------------------------------------


@rule("6e.tank-shock.declare", "6e.tank-shock-limits.no-shock-after-transfer")
@rule("6e.disembark-timing.no-tank-shock-or-ram", "6e.ram-limits.same-as-tank-shock")
def why_no_shock(
    keywords: Collection[str], *, transferred: bool = False, may_move: bool = True
) -> list[tuple[str, str]]:
    """Why a vehicle may not declare a tank shock, or a ram: rule and clause for each reason; none when it may.

    Args:
        transferred: whether somebody has got in or out of it this turn.
    """
    found = why_no_tank_shock(keywords, may_move=may_move)
    if transferred:
        found.append(("6e.tank-shock-limits.no-shock-after-transfer", "has let a unit in or out this turn"))
    return found


@rule("6e.tank-shock-falling-back.auto-fail", "6e.tank-shock-falling-back.second-contact")
def fails_in_flight(*, falling_back: bool) -> bool:
    """Whether a unit fails its test at once, without dice: one that falls back already."""
    return falling_back


@rule("6e.ram-jink.cover-save", "6e.skimmer-special.jink")
def jink_against_ram(keywords: Collection[str], *, moved: bool, flat_out: bool) -> int | None:
    """The cover save of a vehicle against the hits of a ram: skimmers that are not heavy and moved, better flat out."""
    if "SKIMMER" not in keywords or "HEAVY" in keywords or not (moved or flat_out):
        return None
    return 4 if flat_out else 5


VEHICLES = replace(
    FOURTH,
    fire=FIRE,
    damage=DAMAGE,
    movement=replace(
        FOURTH.movement,
        terrain_tests=terrain_tests,
        terrain_result=terrain_result,
        may_reroll_terrain=may_reroll_terrain,
        is_abandoned=lambda **circumstances: False,
        left_behind=left_behind,
        waits_for_stunned=True,
        same_band=lambda distances: [],
        wreck_bars=lambda mine, wreck: False,
        road_allowance=None,
        settles_on=settles_on,
        terrain_wounds=1,
    ),
    transports=replace(
        FOURTH.transports,
        why_no_boarding=why_no_boarding,
        why_no_disembarking=why_no_disembarking,
        deeds_of_disembarking=deeds_of_disembarking,
        moves_after_disembarking=moves_after_disembarking,
        fires_aboard=fires_aboard,
        leaves_open=stays_closed,
        exit_reach=6.0,
        exit_wholly=True,
        wreck_has_hatches=True,
        emergency=True,
        exit_is_move=True,
        parts_outside=True,
    ),
    tank_shock=replace(
        FOURTH.tank_shock,
        why_no_tank_shock=why_no_shock,
        stays=every_vehicle_stays,
        fails_at_once=fails_in_flight,
        clears_the_way=False,
        clearance=1.0,
        coherent=True,
        from_reserve=True,
        ram=RamRules(more_than=COMBAT_SPEED, strength=ram_strength, cover=jink_against_ram),
    ),
)
"""The chapter on vehicles of the edition."""
