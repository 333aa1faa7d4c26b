"""Vehicles that fire and are fired at in the 3rd edition."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.gunnery import (
    Driven,
    Gun,
    MarkerHit,
    Mounting,
    Readiness,
    Salvo,
    Seen,
    Shelter,
    VehicleFire,
    all_full,
    bears_within,
    plain_guns,
    single_guns,
)
from battlewright.editions.classic.state import Phase
from battlewright.editions.classic.vehicles import (
    SLOW,
    Condition,
    counts_as_hull_down,
    is_walker,
    spread_hits,
    why_no_fire,
)
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType

__all__ = ["FIRE", "bears", "never_turns", "readiness", "salvos", "shelter", "under_marker"]

CRUISING = 12.0
"""Inches up to which a fast vehicle still fires a weapon."""
HULL_TRAVERSE = 45.0
"""Degrees to either side that a weapon fixed to the hull covers."""


@rule("3e.core.vehicles.shaken-and-stunned", "3e.core.vehicles.smoke")
@rule("4e.smoke.no-shooting")
def readiness(condition: Condition, smoked: bool) -> Readiness:
    """How much its crew fires: nothing when it is shaken or stunned, or has used its smoke this turn."""
    return Readiness.NONE if why_no_fire(condition, smoked=smoked) else Readiness.FULL


@rule("3e.core.vehicles.fire-stationary", "3e.core.vehicles.fire-slow", "3e.core.vehicles.fire-fast")
@rule("3e.core.vehicles.walkers-fire", "3e.core.weapons.ordnance-alone")
def salvos(keywords: Collection[str], driven: Driven, guns: Sequence[Gun]) -> list[Salvo]:
    """What a vehicle may fire: standing still everything, up to 6" one weapon, further nothing; a fast one everything
    up to 6" and one weapon up to 12"; a walker everything. Ordnance is fired alone.

    RULING: 3e.core.weapons.ordnance-alone ordnance may be fired after a move of up to 6", as the one weapon.
    """
    plain, moved = plain_guns(guns), driven.moved
    ordnance = single_guns([gun for gun in guns if gun.ordnance]) if within(moved, SLOW) else []
    fast, slow = "FAST" in keywords, within(moved, SLOW)
    if is_walker(keywords) or moved <= 0.0 or (fast and slow):
        return all_full(plain) + ordnance
    if slow or (fast and within(moved, CRUISING)):
        return single_guns(plain) + ordnance
    return []


@rule("3e.core.vehicles.one-target")
def bears(keywords: Collection[str], mounting: Mounting, angle: float) -> bool:
    """Whether a target lies within the traverse of a weapon's mounting; walkers turn their bodies.

    RULING: 3e.core.vehicles.one-target a weapon in the hull covers 45 degrees to either side.
    """
    return is_walker(keywords) or bears_within(mounting, angle, HULL_TRAVERSE)


def never_turns(keywords: Collection[str], driven: Driven, immobilised: bool) -> bool:
    """No vehicle turns in the Shooting phase: hull mounts need the hull turned when it moves."""
    return False


@rule("3e.core.vehicles.hull-down", "3e.core.vehicles.smoke")
def shelter(seen: Seen) -> Shelter:
    """Penetrating hits on a vehicle that is half or more hidden, or in smoke, are glancing hits.

    RULING: 3e.core.vehicles.hull-down area terrain that is no low one hides half of what stands in or behind it.
    """
    hidden = max(seen.hidden, 0.5 if seen.through_tall else 0.0)
    return Shelter(glances_only=counts_as_hull_down(hidden, int(seen.in_smoke)))


@rule("3e.core.weapons.ordnance-rim", "3e.core.vehicles.armour-face")
def under_marker(profile: WeaponProfile, hole_over: bool) -> MarkerHit:
    """How a marker's hit arrives: of ordnance with half its Strength where only the rim lies over the vehicle."""
    return MarkerHit(half=profile.type is WeaponType.ORDNANCE and not hole_over)


FIRE = VehicleFire(
    readiness=readiness,
    salvos=salvos,
    bears=bears,
    may_turn=never_turns,
    smoke_in=Phase.MOVEMENT,
    shelter=shelter,
    spread=spread_hits,
    under_marker=under_marker,
    from_mount=True,
    range_from_mount=True,
)
