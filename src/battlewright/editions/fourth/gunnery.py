"""Vehicles that fire and are fired at in the 4th edition: main and defensive weapons, obscured targets."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.gunnery import (
    Driven,
    Gun,
    MarkerHit,
    Mounting,
    Salvo,
    Seen,
    Shelter,
    StruckFrom,
    all_full,
    bears_within,
    plain_guns,
    single_guns,
)
from battlewright.editions.classic.vehicles import SLOW, is_walker
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType, is_barrage
from battlewright.editions.third.gunnery import CRUISING
from battlewright.editions.third.gunnery import FIRE as BEFORE

__all__ = ["FIRE", "Category", "bears", "category_of", "may_turn", "salvos", "shelter", "under_marker"]


class Category(StrEnum):
    """What a weapon of a vehicle counts as, by the shot that it uses."""

    ORDNANCE = "ordnance"
    ORDNANCE_BARRAGE = "ordnance barrage"
    MAIN = "main weapon"
    DEFENSIVE = "defensive weapon"


@rule("4e.vehicle-weapons.categories", "4e.vehicle-weapons.defensive", "4e.vehicle-weapons.main")
@rule("4e.vehicle-weapons.strength-of-shot", "4e.core.weapons.defensive")
def category_of(gun: Gun) -> Category:
    """What a weapon counts as, as it is used: ordnance, or by Strength: 6 or lower is defensive, more a main weapon."""
    if gun.ordnance:
        return Category.ORDNANCE_BARRAGE if is_barrage(gun.profile) else Category.ORDNANCE
    return Category.DEFENSIVE if gun.profile.strength.of(0) <= 6 else Category.MAIN


@rule("4e.vehicle-move-fire.table", "4e.vehicle-weapons.speed-limits", "4e.vehicle-shooting.move-and-fire")
@rule("4e.vehicle-move-fire.fast-no-ordnance")
def salvos(keywords: Collection[str], driven: Driven, guns: Sequence[Gun]) -> list[Salvo]:
    """What a vehicle may fire: all, or one main weapon with all defensive ones, by its kind and speed; or ordnance,
    which no fast vehicle has; an ordnance barrage only standing still, but walkers always.
    """
    slow, still, fast = within(driven.moved, SLOW), driven.moved <= TOLERANCE, "FAST" in keywords
    by_category = {each: [gun for gun in guns if category_of(gun) is each] for each in Category}
    main, defensive = by_category[Category.MAIN], by_category[Category.DEFENSIVE]
    shells = by_category[Category.ORDNANCE] if slow else []
    barrages = by_category[Category.ORDNANCE_BARRAGE] if still or is_walker(keywords) else []
    ordnance = [] if fast else single_guns([gun for gun in guns if gun in (*shells, *barrages)])
    if is_walker(keywords) or still or (fast and slow):
        return all_full(plain_guns(guns)) + ordnance
    if slow or (fast and within(driven.moved, CRUISING)):
        if not main:
            return all_full(defensive) + ordnance
        others = [[gun for gun in defensive if gun.weapon != each.weapon] for each in main]
        return [way for each, more in zip(main, others, strict=True) for way in all_full([each, *more])] + ordnance
    return []


@rule("4e.vehicle-los.limited-arc", "4e.vehicle-los.walker-arc", "4e.vehicle-los.fixed-arc")
@rule("4e.immobilised.arcs-fixed")
def bears(keywords: Collection[str], mounting: Mounting, angle: float) -> bool:
    """Whether a target lies in a weapon's arc: 180 degrees before a walker, 90 for a fixed weapon."""
    return abs(angle) <= 90.0 + TOLERANCE if is_walker(keywords) else bears_within(mounting, angle, 45.0)


@rule("4e.vehicle-facing-targets.pivot-in-place", "4e.vehicle-facing-targets.no-pivot-after-move")
@rule("4e.immobilised.no-pivot")
def may_turn(keywords: Collection[str], driven: Driven, immobilised: bool) -> bool:
    """Whether a vehicle may turn on the spot to face its target: one that has not moved and is not immobilised."""
    return driven.moved <= TOLERANCE and not immobilised


@rule("4e.obscured.half-hidden", "4e.obscured.los-through-terrain", "4e.obscured.save", "4e.smoke.glancing")
@rule("4e.fast-skimmers.glance-only", "4e.fast-skimmers.displacement", "4e.fast-skimmers.no-immobile")
def shelter(seen: Seen) -> Shelter:
    """Penetrating hits glance on 4 and more against an obscured vehicle, always on a fast skimmer or one in smoke."""
    fast = seen.skims and not within(seen.moved, SLOW) and seen.displaced >= SLOW - TOLERANCE
    obscured = seen.hidden >= 0.5 - TOLERANCE or seen.through_tall
    return Shelter(glances_only=seen.in_smoke or fast, downgrade_on=4 if obscured else None)


@rule("4e.vehicle-armour.partial-blast", "4e.vehicle-armour.direct-template-side", "4e.core.weapons.rim")
@rule("4e.vehicle-armour.barrage-hole-over", "4e.vehicle-armour.barrage-hole-off")
def under_marker(profile: WeaponProfile, hole_over: bool) -> MarkerHit:
    """How a marker's hit arrives: with half its Strength unless the hole lies over the vehicle; from the firer, but for
    an ordnance barrage whose hole lies elsewhere, which strikes from there."""
    barrage = is_barrage(profile) and profile.type is WeaponType.ORDNANCE
    return MarkerHit(half=not hole_over, struck=StruckFrom.HOLE if barrage and not hole_over else StruckFrom.FIRER)


FIRE = replace(
    BEFORE,
    salvos=salvos,
    bears=bears,
    may_turn=may_turn,
    shelter=shelter,
    under_marker=under_marker,
    touched_is_hit=True,
    from_mount=True,
)
