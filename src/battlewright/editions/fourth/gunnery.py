"""Vehicles that fire and are fired at in the 4th edition: main and defensive weapons, obscured targets."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.gunnery import (
    Driven,
    Gun,
    Mounting,
    Salvo,
    Seen,
    Shelter,
    all_full,
    bears_within,
    plain_guns,
    single_guns,
)
from battlewright.editions.classic.vehicles import SLOW, is_walker
from battlewright.editions.third.gunnery import CRUISING
from battlewright.editions.third.gunnery import FIRE as BEFORE

__all__ = ["FIRE", "bears", "is_defensive", "may_turn", "salvos", "shelter"]


@rule("4e.vehicle-weapons.defensive", "4e.vehicle-weapons.main", "4e.vehicle-weapons.strength-of-shot")
@rule("4e.core.weapons.defensive")
def is_defensive(gun: Gun) -> bool:
    """Whether a weapon, as it is used, is a defensive one: of Strength 6 or lower; a stronger one is a main weapon."""
    return gun.profile.strength.of(0) <= 6


@rule("4e.vehicle-move-fire.table", "4e.vehicle-weapons.speed-limits", "4e.vehicle-shooting.move-and-fire")
def salvos(keywords: Collection[str], driven: Driven, guns: Sequence[Gun]) -> list[Salvo]:
    """What a vehicle may fire: all, or one main weapon with all defensive ones, by its kind and speed; or ordnance."""
    plain, slow, still = plain_guns(guns), within(driven.moved, SLOW), driven.moved <= TOLERANCE
    ordnance = single_guns([gun for gun in guns if gun.ordnance]) if slow else []
    fast = "FAST" in keywords
    if is_walker(keywords) or still or (fast and slow):
        return all_full(plain) + ordnance
    if slow or (fast and within(driven.moved, CRUISING)):
        defensive = [gun for gun in plain if is_defensive(gun)]
        main = [gun for gun in plain if not is_defensive(gun)]
        if not main:
            return all_full(defensive) + ordnance
        others = [[gun for gun in defensive if gun.weapon != each.weapon] for each in main]
        return [way for each, more in zip(main, others, strict=True) for way in all_full([each, *more])] + ordnance
    return []


@rule("4e.vehicle-los.limited-arc", "4e.vehicle-los.walker-arc", "4e.vehicle-los.fixed-arc")
def bears(keywords: Collection[str], mounting: Mounting, angle: float) -> bool:
    """Whether a target lies in a weapon's arc: 180 degrees before a walker, 90 for a fixed weapon."""
    return abs(angle) <= 90.0 + TOLERANCE if is_walker(keywords) else bears_within(mounting, angle, 45.0)


@rule("4e.vehicle-facing-targets.pivot-in-place", "4e.vehicle-facing-targets.no-pivot-after-move")
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


FIRE = replace(BEFORE, salvos=salvos, bears=bears, may_turn=may_turn, shelter=shelter)
