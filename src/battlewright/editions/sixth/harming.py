"""Whether models can do anything to enemies in close combat at all (6th edition)."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.rulebook import rule
from battlewright.editions.classic.attack import draft_attack
from battlewright.editions.classic.draft import AttackContext, Draft, PenetrationDice
from battlewright.editions.classic.procedures.blades import BARE, blades_of, grenades_of, smashes_of
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.procedures.nerve import names_of
from battlewright.editions.classic.procedures.prowess import context_against, weapon_in_hand
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = ["armour_struck", "can_hurt", "facing_struck", "may_harm"]

_ALWAYS = 99
"""More than any armour."""


@rule("6e.outside.only-charge-what-you-can-hurt")
def can_hurt(strengths: Sequence[int], armour: int) -> bool:
    """Whether blows of these Strengths can do anything to an armour value."""
    return any(strength + 6 >= armour for strength in strengths)


@rule("6e.outside.vehicle-close-combat", "6e.walker-assault.front-armour", "6e.walker-assault.immobilised-rear-armour")
def facing_struck(scene: Scene, state: ClassicState, row: int) -> Facing:
    """The side of a vehicle that blows land on as it stands."""
    immobilised = row in state.units[unit_in(state, row)].immobilised
    return scene.rules.assault.vehicles.facing(scene.models[row].profile, Facing.REAR, Facing.REAR, immobilised)


def armour_struck(scene: Scene, state: ClassicState, row: int) -> int:
    """The armour of a vehicle that blows meet."""
    armour = scene.models[row].profile.armour
    assert armour is not None
    return armour.of(facing_struck(scene, state, row))


def may_harm(scene: Scene, state: ClassicState, row: int, enemies: Sequence[int], *, charging: bool = False) -> bool:
    """Whether a model can do anything to a model of these units with a blow, or with a grenade that it has.

    Args:
        charging: whether it would charge them.
    """
    held = [*(blades_of(scene, state, row) or [BARE]), *smashes_of(scene, state, row)]
    weapons = dict.fromkeys(weapon_in_hand(scene, state, row, each) for each in held)
    grenades = grenades_of(scene, row)
    strength = scene.models[row].profile.strength
    strength += int(charging and "FURIOUS CHARGE" in names_of(scene, state, row))
    for foe in dict.fromkeys(each for enemy in enemies for each in standing(state, enemy)):
        with_these = [*weapons, *grenades] if scene.models[foe].profile.is_vehicle else list(weapons)
        if any(_harms(scene, state, row, foe, weapon, strength) for weapon in with_these):
            return True
    return False


def _harms(scene: Scene, state: ClassicState, row: int, foe: int, weapon: WeaponProfile, strength: int) -> bool:
    profile = scene.models[foe].profile
    facing = facing_struck(scene, state, foe) if profile.is_vehicle else Facing.FRONT
    view = TargetView((TargetModel(profile, int(state.wounds[foe]), None, foe),), facing=facing)
    plain = AttackContext(skill=scene.models[row].profile.weapon_skill, strength=strength, half_range=True)
    draft = draft_attack(scene.rules.attack, weapon, context_against(scene, state, row, foe, weapon, plain), view)
    if profile.armour is None:
        return draft.wound_on is not None or draft.always_wounds_on is not None
    armour = profile.armour.of(facing)
    if draft.armour_limit is not None:
        armour = min(armour, draft.armour_limit)
    return can_hurt([_most(draft) - 6], armour)


def _most(draft: Draft) -> int:
    """The highest total that a penetration roll can come to."""
    if draft.fixed_penetration is not None or draft.glances_on is not None:
        return _ALWAYS
    dice = 12 if draft.penetration is PenetrationDice.TWO else 6
    more = draft.burst_die.maximum if draft.bursts_on is not None and dice == 6 else 0
    return draft.strength + sum(modifier.amount for modifier in draft.penetration_modifiers) + dice + more
