"""Vehicles that fire and are fired at in the 6th edition: snap shots by speed, cover saves, jinking, smoke."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.firing import ONE
from battlewright.editions.classic.gunnery import (
    Driven,
    Gun,
    MarkerHit,
    Mounting,
    Readiness,
    Salvo,
    Seen,
    Shelter,
    StruckFrom,
    bears_within,
    one_profile_each,
)
from battlewright.editions.classic.state import Phase
from battlewright.editions.classic.vehicles import SLOW, Condition, is_walker
from battlewright.editions.classic.weapons import (
    AbilityName,
    Strength,
    WeaponAbility,
    WeaponProfile,
    WeaponType,
    is_barrage,
)
from battlewright.editions.sixth.covering import night_bonus, with_bonuses
from battlewright.editions.sixth.flyers import is_flyer, launched_once, missile_choices, zoom_salvos
from battlewright.editions.third.gunnery import FIRE as BEFORE

__all__ = ["FIRE", "bears", "cover_save", "full_shots", "may_turn", "readiness", "salvos", "shelter"]

HULL_TRAVERSE = 22.5
"""Degrees to either side that a weapon fixed to the hull covers; of a walker's weapons twice as many."""
_ALL = 99
UNLIMITED = 1000.0
"""Inches of a range without limit."""
SMOKE = 5
"""The cover save in smoke."""


@rule("6e.outside.shaken", "6e.outside.stunned", "6e.smoke-launchers.no-shooting")
def readiness(condition: Condition, smoked: bool) -> Readiness:
    """How much a crew fires: snap shots when it is shaken or stunned, nothing in the turn in which it uses smoke."""
    if smoked:
        return Readiness.NONE
    return Readiness.SNAP_SHOTS if condition.shaken or condition.stunned else Readiness.FULL


@rule("6e.outside.vehicle-shooting", "6e.fast.combat-speed-fire", "6e.fast.cruising-speed-fire")
@rule("6e.heavy.always-stationary", "6e.walker-shooting.all-weapons-after-moving", "6e.outside.machine-spirit")
def full_shots(keywords: Collection[str], driven: Driven) -> int | None:
    """How many weapons a vehicle fires with its full skill, the others making snap shots; None: it fires nothing."""
    if driven.flat_out:
        return None
    spirit = int("POWER OF THE MACHINE SPIRIT" in keywords)
    if is_walker(keywords) or "HEAVY" in keywords or driven.moved <= TOLERANCE:
        return _ALL
    fast = "FAST" in keywords
    if within(driven.moved, SLOW):
        return _ALL if fast else 1 + spirit
    return (2 if fast else 0) + spirit


@rule("6e.outside.vehicle-shooting", "6e.outside.ordnance", "6e.walker-shooting.all-weapons-after-moving")
def salvos(keywords: Collection[str], driven: Driven, guns: Sequence[Gun]) -> list[Salvo]:
    """What a vehicle may fire: so many weapons with full skill, the others as snap shots.

    With ordnance fired all its other weapons make snap shots. Each choice of the weapons with full skill is a salvo.
    """
    found: list[Salvo] = []
    if is_flyer(keywords):
        for together in missile_choices(guns):
            found += zoom_salvos(driven, together) if driven.aloft else _salvos(keywords, driven, together)
        return list(dict.fromkeys(found))
    return _salvos(keywords, driven, guns)


def _salvos(keywords: Collection[str], driven: Driven, guns: Sequence[Gun]) -> list[Salvo]:
    most = full_shots(keywords, driven)
    found: list[Salvo] = []
    if most is None:
        return found
    for way in one_profile_each(guns):
        shells = [gun for gun in way if gun.ordnance]
        plain = [gun for gun in way if not gun.ordnance]
        choices: list[tuple[Gun, ...]] = list(combinations(plain, min(most, len(plain)))) if plain else []
        choices += [(shell,) for shell in shells] if most else []
        for full in choices:
            fired = [gun for gun in way if gun in full or not gun.ordnance]
            found.append(tuple((gun, gun not in full) for gun in fired))
    return list(dict.fromkeys(found))


@rule("6e.outside.weapon-arcs", "6e.walker-shooting.immobilised-arc")
def bears(keywords: Collection[str], mounting: Mounting, angle: float) -> bool:
    """Whether a target lies in a weapon's arc: 45 degrees in all for one in a hull, 45 to either side for a walker's.

    RULING: 6e.outside.weapon-arcs a hull weapon's arc of 45 degrees is 22.5 to either side.
    """
    if is_walker(keywords):
        return abs(angle) <= 2 * HULL_TRAVERSE + TOLERANCE
    return bears_within(mounting, angle, HULL_TRAVERSE)


@rule("6e.walker-shooting.pivot-to-target", "6e.walker-shooting.pivot-not-movement", "6e.walker-shooting.final-facing")
@rule("6e.walker-shooting.immobilised-arc")
def may_turn(keywords: Collection[str], driven: Driven, immobilised: bool) -> bool:
    """Whether a vehicle turns to bring its weapons to bear: a walker that can still move; it stays as it then faces."""
    return is_walker(keywords) and not immobilised


@rule("6e.outside.cover-obscured")
def cover_save(hidden: float, cover: int | None, *, other_side: bool = False) -> int | None:
    """A vehicle's cover save by what hides it: of at least a quarter of the side that is fired at.

    Args:
        other_side: whether all of that side is hidden and another one is fired at, which betters the save by one.
    """
    if cover is None or hidden < 0.25 - TOLERANCE:
        return None
    return max(cover - other_side, 2)


@rule("6e.outside.jink", "6e.skimmer-special.jink", "6e.evade.effect")
def jink_save(seen: Seen) -> int | None:
    """The save of a vehicle that jinks: 5+ when it moved, 4+ when it went flat out."""
    if not seen.jinks or not (seen.moved > TOLERANCE or seen.flat_out):
        return None
    return 4 if seen.flat_out else 5


@rule("6e.smoke-launchers.cover-save", "6e.smoke-launchers.expires", "6e.outside.cover-obscured", "6e.outside.jink")
@rule("6e.core.shooting.night-fighting", "6e.outside.night-fighting", "6e.core.shooting.cover-bonuses")
def shelter(seen: Seen) -> Shelter:
    """The best cover save that a vehicle has: of what hides it, of its smoke, of jinking, with what improves it.

    RULING: 6e.outside.cover-obscured area terrain that is no low one hides a quarter of what stands in or behind it.
    """
    saves = [
        cover_save(seen.hidden, seen.cover, other_side=seen.instead is not None),
        seen.tall_cover if seen.through_tall else None,
        SMOKE if seen.in_smoke else None,
        jink_save(seen),
    ]
    best = min((save for save in saves if save is not None), default=None)
    return Shelter(save=with_bonuses(best, seen.names, dark=seen.dark))


@rule("6e.searchlight.only-night", "6e.searchlight.light-up-target")
def may_light_up(abilities: Collection[str], *, dark: bool, fired: bool) -> bool:
    """Whether a vehicle may turn its searchlight on a unit: at night, when it has fired at it."""
    return "SEARCHLIGHT" in abilities and dark and fired


HUNTER_KILLER = WeaponProfile(
    "hunter-killer missile",
    WeaponType.HEAVY,
    UNLIMITED,
    Strength(8),
    3,
    ONE,
    (WeaponAbility(AbilityName.ONE_SHOT),),
)
"""What a hunter-killer missile is: it reaches everywhere, once."""


@rule("6e.core.weapons.blast-vehicles", "6e.core.weapons.barrage", "6e.outside.blast-vs-vehicle")
def under_marker(profile: WeaponProfile, hole_over: bool) -> MarkerHit:
    """How a marker's hit arrives: with all its Strength from the firer; a barrage strikes the side."""
    return MarkerHit(struck=StruckFrom.FLANK if is_barrage(profile) else StruckFrom.FIRER)


FIRE = replace(
    BEFORE,
    under_marker=under_marker,
    readiness=readiness,
    salvos=salvos,
    bears=bears,
    may_turn=may_turn,
    smoke_in=Phase.SHOOTING,
    shelter=shelter,
    one_by_one=True,
    by_side=True,
    night_bonus=night_bonus,
    from_mount=True,
    range_from_mount=True,
    may_light_up=may_light_up,
    extra_weapons={"HUNTER-KILLER MISSILE": HUNTER_KILLER},
    used_up=launched_once,
)
