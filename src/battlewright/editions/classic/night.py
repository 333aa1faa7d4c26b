"""Fighting at night: how far one sees, and what a weapon may do at a target beyond that."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile, WeaponType

__all__ = ["NightShot", "night_shot", "spotting_distance"]


class NightShot(StrEnum):
    """What a weapon may do at night."""

    AIMED = "fires as by day"
    BLIND = "fires and scatters further"
    NONE = "does not fire"


@rule("3e.core.missions.night-fighting", "4e.core.missions.night-fighting")
def spotting_distance(faces: Sequence[int]) -> float:
    """How far a firer sees in the dark, in inches: 2D6 times 3".

    Args:
        faces: his two dice.
    """
    return 3.0 * sum(faces)


@rule("3e.core.missions.night-fighting", "4e.core.missions.night-fighting")
def night_shot(weapon: WeaponProfile, distance: float, sight: float) -> NightShot:
    """What a weapon may do in the dark at a target so far away: beyond sight guess and ordnance weapons fire blindly.

    Args:
        distance: inches to the target; ``sight`` how far its firer sees.
    """
    if within(distance, sight):
        return NightShot.AIMED
    blind = weapon.type is WeaponType.ORDNANCE or weapon.has(AbilityName.GUESS) or weapon.has(AbilityName.BARRAGE)
    return NightShot.BLIND if blind else NightShot.NONE
