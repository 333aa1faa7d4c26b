"""What the weapon types of the 4th edition fire, and what firing them bars."""

from __future__ import annotations

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic import firing
from battlewright.editions.classic.firing import CLOSE, ONE, TWO, Firing
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.state import Deed
from battlewright.editions.classic.vehicles import is_walker
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType

__all__ = ["deeds_of", "fires_as_moved", "rapid_fire_shots", "weapons_allowed"]

SLOW_AND_PURPOSEFUL = "SLOW AND PURPOSEFUL"
JET_PACK = "JET PACK"
TWO_RIDERS = "TWO RIDERS"
_RIDERS = (Kind.BIKE, Kind.JETBIKE)


@rule("4e.core.weapons.rapid-fire")
def rapid_fire_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """Two shots at 12" or less; one beyond, standing still, and none beyond, having moved."""
    if within(firing.distance, CLOSE):
        return TWO
    return None if firing.moved else ONE


@rule("4e.core.weapons.rapid-fire", "4e.core.weapons.heavy", "4e.core.weapons.pistol")
@rule("4e.bikes.assault-after-fire", "4e.jetbikes.heavy-after-move", "4e.jet-packs.assault-after-rapid-fire")
@rule("4e.vehicle-weapons.walker-charge-after-fire")
def deeds_of(profile: ModelProfile, weapon: WeaponProfile, how: Firing, shots: DiceExpression) -> frozenset[Deed]:
    """What firing a weapon is noted as: rapid fire and heavy weapons bar a charge, but not of those who ride,
    nor of walkers."""
    noted = set(firing.deeds_of_fire(weapon, how, shots)) - {Deed.FIRED_RAPID_STANDING}
    if weapon.type is WeaponType.RAPID_FIRE and not profile.has(JET_PACK):
        noted.add(Deed.FIRED_RAPID)
    if profile.kind in _RIDERS or is_walker(profile.keywords):
        noted -= {Deed.FIRED_RAPID, Deed.FIRED_HEAVY}
    return frozenset(noted)


@rule("4e.bikes.rapid-fire-moving", "4e.bikes.heavy-after-move", "4e.jetbikes.rapid-fire-moving")
@rule("4e.jetbikes.heavy-after-move", "4e.jet-packs.rapid-fire", "4e.slow-and-purposeful.shoots-stationary")
@rule("4e.jump-infantry.shoot", "4e.beasts-cavalry.shoot")
@rule("4e.vehicle-weapons.no-infantry-limits")
def fires_as_moved(profile: ModelProfile, weapon: WeaponProfile, moved: bool) -> bool:
    """Whether a weapon is fired as after a move.

    Not the rapid fire and heavy weapons of bikes and large creatures, not rapid fire from jet packs, and nothing of the
    slow and purposeful; vehicles fire what their speed lets them.
    """
    if profile.is_vehicle or profile.has(SLOW_AND_PURPOSEFUL):
        return False
    if profile.kind in _RIDERS and weapon.type in (WeaponType.RAPID_FIRE, WeaponType.HEAVY):
        return False
    if profile.has(JET_PACK) and weapon.type is WeaponType.RAPID_FIRE:
        return False
    return moved and not (profile.kind is Kind.MONSTROUS and weapon.type is WeaponType.HEAVY)


@rule("4e.monstrous.two-weapons", "4e.bikes.weapons-per-rider", "4e.jetbikes.weapons-per-rider")
def weapons_allowed(profile: ModelProfile) -> int:
    """How many weapons a model that is no vehicle fires: a monstrous creature two, a bike one for each rider, else one.

    RULING: 4e.monstrous.two-weapons a moving monstrous creature fires heavy weapons as it does in the 3rd edition, for
    its own rules do not take that away.
    """
    return 2 if profile.kind is Kind.MONSTROUS or (profile.kind in _RIDERS and profile.has(TWO_RIDERS)) else 1
