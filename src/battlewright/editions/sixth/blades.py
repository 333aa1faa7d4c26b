"""Close combat weapons of the 6th edition: specialist, two-handed and unwieldy ones, grenades, precision strikes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from battlewright.core.rulebook import rule
from battlewright.editions.classic.assault import GRENADES as BEFORE
from battlewright.editions.classic.assault import Handling, grenade
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile, WeaponType

__all__ = ["GRENADES", "handling", "has_second", "is_precise", "is_unwieldy", "melta_bomb"]

_SPECIALISTS = (AbilityName.SPECIALIST, AbilityName.POWER_FIST, AbilityName.LIGHTNING_CLAW)


def _is_specialist(weapon: WeaponProfile) -> bool:
    return any(weapon.has(name) for name in _SPECIALISTS)


@rule("6e.core.weapons.specialist", "6e.core.weapons.two-handed", "6e.core.assault.attacks")
def has_second(picked: WeaponProfile, arms: Sequence[Sequence[WeaponProfile]]) -> bool:
    """Whether a model that strikes with a weapon has the attack of a second one: of any close combat weapon or pistol;
    with a specialist weapon only of another such; with a two-handed one never.

    Args:
        arms: all that it carries, each weapon with its profiles.
    """
    if picked.has(AbilityName.TWO_HANDED):
        return False
    if _is_specialist(picked):
        return sum(any(each.melee and _is_specialist(each) for each in arm) for arm in arms) > 1
    return sum(any(each.melee or each.type is WeaponType.PISTOL for each in arm) for arm in arms) > 1


@rule("6e.core.weapons.unwieldy")
def is_unwieldy(profile: ModelProfile, picked: WeaponProfile) -> bool:
    """Whether a weapon makes a model strike at Initiative 1: an unwieldy one, in the hands of anybody but monsters and
    walkers."""
    slow = picked.has(AbilityName.UNWIELDY) or picked.has(AbilityName.POWER_FIST)
    return slow and profile.kind is not Kind.MONSTROUS and not profile.is_vehicle


@rule("6e.core.weapons.choosing-melee")
def handling(profile: ModelProfile, picked: WeaponProfile, arms: Sequence[Sequence[WeaponProfile]]) -> Handling:
    """How a model fights with the weapon that it has chosen, whose rules alone apply.

    RULING: 6e.core.weapons.choosing-melee the choice is asked before the first step, since it settles in which one the
    model strikes; nobody strikes in two.
    """
    return Handling(has_second(picked, arms), slow=is_unwieldy(profile, picked))


@rule("6e.outside.precision-strike")
def is_precise(profile: ModelProfile) -> bool:
    """Whether a model's hit rolls of 6 in close combat let its player pick who is wounded: a character's."""
    return profile.is_character


@rule("6e.outside.melta-bomb")
def melta_bomb() -> WeaponProfile:
    """Strength 8, AP 1, armourbane and unwieldy."""
    return grenade("Melta bomb", 8, AbilityName.ARMOURBANE, AbilityName.UNWIELDY, ap=1)


GRENADES: Mapping[str, WeaponProfile] = MappingProxyType(
    {
        **BEFORE,
        "MELTA BOMBS": melta_bomb(),
        "HAYWIRE GRENADES": grenade("Haywire grenade", 2, AbilityName.HAYWIRE),
        "KRAK GRENADES": grenade("Krak grenade", 6, ap=4),
    }
)
"""What grenades are in close combat."""
