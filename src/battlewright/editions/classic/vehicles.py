"""Vehicles: the side that is hit, what damage leaves of them, smoke, hitting them in close combat, squadrons.

What damage does is a function from one condition to the next; the state keeps what :func:`condition_of` reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from battlewright.core.bases import Base, Point, Pose
from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, Arc, arc_of, corner_angle, within
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.profiles import Facing, ModelProfile
from battlewright.editions.classic.state import ClassicUnit, Deed

__all__ = [
    "AUTOMATIC",
    "SLOW",
    "SQUADRON_COHERENCY",
    "Condition",
    "after_damage",
    "after_own_turn",
    "condition_of",
    "counts_as_hull_down",
    "facing_in_assault",
    "facing_of",
    "hovers_still",
    "is_walker",
    "keep_condition",
    "may_be_in_squadron",
    "may_be_locked",
    "may_be_shot_at_after_combat",
    "needed_in_assault",
    "smoke_after_shooting",
    "spread_hits",
    "squadron_faults",
    "stood_still",
    "why_no_fire",
    "why_no_move",
    "why_no_smoke",
]

AUTOMATIC = 1
"""In place of the lowest face that hits: no roll is needed."""
SLOW = 6.0
"""Inches up to which a vehicle moves slowly."""
SQUADRON_COHERENCY = 4.0
"""Inches from vehicle to vehicle of a squadron."""
SMOKE_USED_UP = -1

Mount = tuple[int, int]
"""A weapon on a vehicle: the row of its model and its place among that model's weapons."""


@rule("4e.vehicle-types.walker")
def is_walker(keywords: Collection[str]) -> bool:
    """Whether a model is a walker: a vehicle with WS, S, I and A."""
    return "WALKER" in keywords and "VEHICLE" in keywords


@rule("3e.core.vehicles.armour-face")
@rule("4e.vehicle-armour.facing", "6e.outside.facing")
def facing_of(base: Base, pose: Pose, attacker: Point) -> Facing:
    """The side of a vehicle that an attacker strikes: of the quadrants through its corners the one he stands in.

    Args:
        base: the hull's outline; ``pose`` where it stands and faces.
        attacker: the firer's place, in inches; who stands on the line between two sides is in the one further front.

    RULING: 3e.core.vehicles.armour-face only a square hull has quadrants of 90 degrees; on a longer one we draw the
    lines through its corners, so that front and rear are narrower than the sides.
    """
    angle = corner_angle(base)
    match arc_of(pose, attacker, angle, angle):
        case Arc.FRONT:
            return Facing.FRONT
        case Arc.REAR:
            return Facing.REAR
        case _:
            return Facing.SIDE


# -- damage -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What damage has left of one vehicle.

    Attributes:
        shaken, stunned: whether its crew still has to sit out a turn of its owner's so.
        late: whether that befell it in a turn of his own, so that his next one is the one that counts.
        weapons: its weapons that still work and can be destroyed; ``lost`` those that damage has destroyed.
        destroyed: the result that ended it, None while it lives.
    """

    shaken: bool = False
    stunned: bool = False
    late: bool = False
    immobilised: bool = False
    weapons: frozenset[Mount] = frozenset()
    lost: frozenset[Mount] = frozenset()
    destroyed: DamageResult | None = None


def condition_of(unit: ClassicUnit, row: int, weapons: Iterable[Mount]) -> Condition:
    """The condition of a vehicle as its unit's state tells it.

    Args:
        weapons: every weapon of it that could be destroyed.
    """
    return Condition(
        shaken=row in unit.shaken,
        stunned=row in unit.stunned,
        late=row in unit.dazed_late,
        immobilised=row in unit.immobilised,
        weapons=frozenset(weapons) - unit.weapons_lost,
        lost=frozenset(mount for mount in unit.weapons_lost if mount[0] == row),
    )


def keep_condition(unit: ClassicUnit, row: int, condition: Condition) -> None:
    """Write a vehicle's condition into the state of its unit; removing a destroyed vehicle is the caller's."""
    unit.shaken = _with(unit.shaken, row, condition.shaken)
    unit.stunned = _with(unit.stunned, row, condition.stunned)
    unit.dazed_late = _with(unit.dazed_late, row, condition.late)
    unit.immobilised = _with(unit.immobilised, row, condition.immobilised)
    unit.weapons_lost = unit.weapons_lost | condition.lost


def _with(rows: frozenset[int], row: int, holds: bool) -> frozenset[int]:
    return rows | {row} if holds else rows - {row}


@rule("3e.core.vehicles.shaken-and-stunned", "3e.core.vehicles.immobilised-skimmer")
def after_damage(
    condition: Condition,
    result: DamageResult,
    weapon: Mount | None = None,
    *,
    crashes: bool = False,
    own_turn: bool = False,
) -> Condition:
    """What a result of a damage table makes of a vehicle.

    Args:
        result: as the edition has settled it for this vehicle (what becomes of one without weapons, or immobilised).
        weapon: the one that is destroyed where one is.
        crashes: whether being immobilised brings it down (a skimmer in flight).
        own_turn: whether it befalls it in a turn of its owner's.
    """
    match result:
        case DamageResult.SHAKEN:
            return replace(condition, shaken=True, late=condition.late or own_turn)
        case DamageResult.STUNNED:
            return replace(condition, stunned=True, late=condition.late or own_turn)
        case DamageResult.ARMAMENT:
            assert weapon in condition.weapons, "a weapon that works is destroyed"
            gone = frozenset({weapon})
            return replace(condition, weapons=condition.weapons - gone, lost=condition.lost | gone)
        case DamageResult.HULL_POINT:
            return condition
        case DamageResult.IMMOBILISED:
            return replace(condition, immobilised=True, destroyed=DamageResult.DESTROYED if crashes else None)
        case _:
            return replace(condition, destroyed=result)


@rule("3e.core.vehicles.shaken-and-stunned")
@rule("4e.crew-stunned.not-cumulative", "4e.crew-stunned.no-move-no-shoot")
def after_own_turn(condition: Condition) -> Condition:
    """The condition when a turn of its owner is over: the crew has sat it out, unless it befell it in that turn."""
    return replace(
        condition, shaken=condition.shaken and condition.late, stunned=condition.stunned and condition.late, late=False
    )


@rule("3e.core.vehicles.shaken-and-stunned")
@rule("4e.immobilised.no-move", "4e.crew-stunned.no-move-no-shoot")
def why_no_move(condition: Condition) -> list[tuple[str, str]]:
    """Why a vehicle may not move: rule and clause for each reason; none when it may."""
    found = []
    if condition.stunned:
        found.append(("3e.core.vehicles.shaken-and-stunned", "has a stunned crew"))
    if condition.immobilised:
        found.append(("3e.core.vehicles.glancing-table", "is immobilised"))
    return found


@rule("3e.core.vehicles.shaken-and-stunned", "3e.core.vehicles.smoke")
@rule("4e.crew-shaken.no-shooting", "4e.crew-stunned.no-move-no-shoot")
def why_no_fire(condition: Condition, *, smoked: bool = False) -> list[tuple[str, str]]:
    """Why a vehicle may not shoot, whatever its speed: rule and clause for each reason; none when it may.

    Args:
        smoked: whether it has used its smoke this turn.
    """
    found = []
    if condition.stunned:
        found.append(("3e.core.vehicles.shaken-and-stunned", "has a stunned crew"))
    elif condition.shaken:
        found.append(("3e.core.vehicles.shaken-and-stunned", "has a shaken crew"))
    if smoked:
        found.append(("3e.core.vehicles.smoke", "used its smoke launchers this turn"))
    return found


@rule("4e.immobilised.skimmer-lands", "6e.skimmer-damage.remove-stand", "6e.skimmer-damage.glued-stand")
@rule("6e.skimmer-damage.no-landing", "4e.fast-skimmers.no-immobile")
def hovers_still(keywords: Collection[str], abilities: Collection[str], *, immobilised: bool) -> bool:
    """Whether a skimmer hovers on its stand: until it is immobilised, and where the stand is fixed even then."""
    return "SKIMMER" in keywords and (not immobilised or "FIXED STAND" in abilities)


# -- smoke ------------------------------------------------------------------------------------------------------


@rule("3e.core.vehicles.smoke")
@rule("4e.smoke.some-vehicles", "4e.smoke.once")
def why_no_smoke(*, smoke: int, launchers: bool, fired: bool) -> list[tuple[str, str]]:
    """Why a vehicle may not use its smoke launchers when it has moved; none when it may.

    Args:
        smoke: as its unit's state tells it: 0 not used yet, more while it lasts, negative when it is used up.
        fired: whether it has fired this turn.
    """
    found = []
    if not launchers:
        found.append(("3e.core.vehicles.smoke", "has no smoke launchers"))
    if smoke:
        found.append(("3e.core.vehicles.smoke", "has used its smoke launchers, once a game"))
    if fired:
        found.append(("3e.core.vehicles.smoke", "has fired this turn"))
    return found


@rule("3e.core.vehicles.smoke")
@rule("4e.smoke.ends")
def smoke_after_shooting(smoke: int, *, enemys: bool) -> int:
    """What is left of smoke when a shooting phase is over: the first one of the enemy's uses it up."""
    return SMOKE_USED_UP if smoke > 0 and enemys else smoke


@rule("3e.core.vehicles.smoke", "3e.core.vehicles.hull-down")
def counts_as_hull_down(hidden: float, smoke: int) -> bool:
    """Whether penetrating hits on a vehicle count as glancing ones: half of it or more is hidden, or it is in smoke.

    Args:
        hidden: the share of it that the firer does not see, 0 to 1.
    """
    return hidden >= 0.5 or smoke > 0


# -- close combat -----------------------------------------------------------------------------------------------


@rule("3e.core.vehicles.hitting-in-assault", "4e.assault-hits.table", "4e.assault-hits.displacement")
def needed_in_assault(moved: float, *, immobilised: bool = False) -> int:
    """What a blow needs to hit a vehicle without WS: ``AUTOMATIC`` when it stands, 4 when it moved up to 6", else 6.

    Args:
        moved: inches that it moved in its last own turn.
    """
    if immobilised or moved <= TOLERANCE:
        return AUTOMATIC
    return 4 if within(moved, SLOW) else 6


@rule("3e.core.vehicles.walkers-in-assault", "3e.core.vehicles.armour-face")
def facing_in_assault(keywords: Collection[str], touched: Facing) -> Facing:
    """The side that a blow strikes in close combat: of a walker the front, of other vehicles the one touched."""
    return Facing.FRONT if is_walker(keywords) else touched


@rule("3e.core.vehicles.not-locked", "4e.assaulting-vehicles.not-locked", "4e.assault-results.both-free")
@rule("4e.assault-results.can-be-shot", "6e.walker-assault.charge-and-locked", "6e.chariot-fighting.never-locked")
def may_be_locked(keywords: Collection[str]) -> bool:
    """Whether a model strikes in close combat and is held in it: all but vehicles that are no walkers."""
    return "VEHICLE" not in keywords or is_walker(keywords)


@rule("3e.core.vehicles.not-locked")
def may_be_shot_at_after_combat(opponents: Iterable[Collection[str]]) -> bool:
    """Whether troops that fought these may be shot at: if all of them were vehicles that lock nobody."""
    return not any(may_be_locked(keywords) for keywords in opponents)


# -- squadrons --------------------------------------------------------------------------------------------------


def may_be_in_squadron(profile: ModelProfile) -> bool:
    """Whether models of this kind are the vehicles of a squadron: vehicles that are no guns of a battery."""
    return profile.is_vehicle and "ARTILLERY" not in profile.keywords


@rule("3e.core.vehicles.squadrons")
@rule("4e.squadron-shooting.distribute-hits", "4e.squadron-shooting.no-second-before-first")
def spread_hits(hits: int, gaps: Sequence[float]) -> list[int]:
    """How many hits each vehicle of a squadron takes: evenly, those left over on the nearest.

    Args:
        gaps: inches from the attacker to each vehicle; there is one at least.
    """
    each, over = divmod(hits, len(gaps))
    nearest = sorted(range(len(gaps)), key=lambda index: gaps[index])[:over]
    return [each + (index in nearest) for index in range(len(gaps))]


@rule("3e.core.vehicles.squadrons")
def squadron_faults(gaps: Sequence[float]) -> list[Violation]:
    """Why vehicles may not end a move so; nothing when they may.

    Args:
        gaps: inches of each step of the shortest chain that holds the squadron together.
    """
    return [
        Violation(
            "3e.core.vehicles.squadrons", f'A gap of {gap:.1f}" in a squadron; {SQUADRON_COHERENCY:g}" is coherency'
        )
        for gap in gaps
        if not within(gap, SQUADRON_COHERENCY)
    ]


@rule("6e.outside.squadrons", "6e.outside.flat-out")
def kept_back(row: int) -> str:
    """The deed of a vehicle that has not gone flat out while others of its squadron did: it may still fire."""
    return f"kept back: {row}"


@rule("6e.outside.squadrons", "6e.outside.flat-out")
def went_flat_out(deeds: Collection[str], row: int) -> bool:
    """Whether a vehicle has gone flat out, by what its unit did."""
    return Deed.FLAT_OUT in deeds and kept_back(row) not in deeds


@rule("4e.squadron-assault.individual-speed", "4e.fast-skimmers.displacement")
def stood_still(row: int) -> str:
    """The deed of a vehicle that has stood still while others of its unit moved: it has no speed of theirs."""
    return f"stood still: {row}"
