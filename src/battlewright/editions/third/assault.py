"""The assault chapter of the 3rd edition: what its table answers."""

from __future__ import annotations

from functools import partial

from battlewright.core.rulebook import rule
from battlewright.editions.classic.assault import (
    AssaultRules,
    VehicleBlows,
    any_free_enemy,
    as_they_stand,
    holds_out,
    nothing_more,
    one_each,
    reaches,
    unless_special,
    why_no_assault,
)
from battlewright.editions.classic.firing import ONE
from battlewright.editions.classic.morale import lost_combat_modifiers
from battlewright.editions.classic.procedures.charging import foresee_terrain, terrain_allowance
from battlewright.editions.classic.profiles import Facing, ModelProfile
from battlewright.editions.classic.pursuit import consolidation_distance
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.striking import FIRST, any_part_within, footing_of, frag_of_attackers, is_independent
from battlewright.editions.classic.vehicles import facing_in_assault, needed_in_assault
from battlewright.editions.classic.weapons import AbilityName, Strength, WeaponAbility, WeaponProfile, WeaponType
from battlewright.editions.third import assaulting, morale, pursuit, splitting, striking, sweeping

__all__ = ["ASSAULT"]

CLAWS = WeaponProfile(
    "claws and teeth", WeaponType.MELEE, 0.0, Strength(), None, ONE, (WeaponAbility(AbilityName.MELTA),)
)
"""Blows of large creatures: two dice against armour (3e.core.units.large-creatures)."""


@rule("3e.core.vehicles.hitting-in-assault", "3e.core.vehicles.walkers-in-assault")
def needed(profile: ModelProfile, immobilised: bool, displaced: float, skill: int = 0) -> int | None:
    """What a blow at a vehicle needs: by how it moved; at a walker the skills decide."""
    return None if profile.weapon_skill else needed_in_assault(displaced, immobilised=immobilised)


@rule("3e.core.vehicles.armour-face", "3e.core.vehicles.walkers-in-assault")
def facing(profile: ModelProfile, touched: Facing, faced: Facing, immobilised: bool) -> Facing:
    """The side that a blow strikes: of a walker the front, of other vehicles the one touched."""
    return facing_in_assault(profile.keywords, touched)


def grenade_on_walker(helpless: bool) -> int | None:
    """Grenades are used against walkers that can no longer move about, and hit by the skills."""
    return 0 if helpless else None


def one_spare_weapon(weapons: int) -> int:
    """The attacks that a walker has more for close combat weapons beyond its first: one."""
    return min(max(weapons - 1, 0), 1)


def three_inches(battle: ClassicBattle, unit: int, massacre: bool) -> float:
    """How far a unit consolidates: 3"."""
    return consolidation_distance(difficult=False)


def unhindered(attacks: int, immobilised: bool, stunned: bool, shaken: bool) -> int:
    """The attacks of a walker, whatever it has suffered."""
    return attacks


def not_counted(profile: ModelProfile, damaged: int, points: int) -> int:
    """The wounds that blows at a vehicle count as: none."""
    return 0


VEHICLES = VehicleBlows(
    needed=needed,
    facing=facing,
    grenade_on_walker=grenade_on_walker,
    spare_weapons=one_spare_weapon,
    attacks=unhindered,
    counted=not_counted,
)

ASSAULT = AssaultRules(
    why_no_assault=why_no_assault,
    why_not_this=assaulting.anybody,
    reaches=reaches,
    allowance=terrain_allowance,
    foresees=foresee_terrain,
    moves_short=assaulting.short_move,
    free_enemies=any_free_enemy,
    may_join=assaulting.may_join,
    has_bonus=assaulting.always_bonus,
    contacted=nothing_more,
    begin_combat=nothing_more,
    arrange=as_they_stand,
    is_within=any_part_within,
    reach_of=striking.reach_of,
    must_touch=is_independent,
    frag_cancels=frag_of_attackers,
    footing_of=footing_of,
    cover_step=FIRST,
    before_step=nothing_more,
    steps_move=False,
    split_unit=splitting.split_unit,
    alike=splitting.as_they_are,
    may_single_out=splitting.may_single_out,
    target_of_undeclared=splitting.roll_again,
    next_to_fall=splitting.next_to_fall,
    tied_winner=pursuit.tied_winner,
    weight=one_each,
    modifiers_of_losing=lost_combat_modifiers,
    wounds_of_losing=morale.wounds_of_losing,
    may_give_up=holds_out,
    react=sweeping.react,
    may_spare=True,
    consolidation=three_inches,
    pile_in=pursuit.PILE_IN,
    piles_in_always=False,
    first_in=sweeping.roll_for_first,
    may_engage=False,
    monstrous=partial(unless_special, CLAWS),
    vehicles=VEHICLES,
    regained_count=True,
    covers_each=True,
)
