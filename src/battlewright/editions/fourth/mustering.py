"""What an army list of the 4th edition may not hold."""

from __future__ import annotations

from battlewright.core.decisions import Violation
from battlewright.core.roster import Army, Model
from battlewright.core.rulebook import rule
from battlewright.editions.classic.weapons import WeaponType, read_weapon

__all__ = ["breaches"]


@rule("4e.vehicle-move-fire.fast-no-ordnance")
def breaches(army: Army) -> list[Violation]:
    """Every rule that a list breaks, as far as they are judged: no fast vehicle carries ordnance.

    Raises:
        ProfileError: when a weapon of a fast vehicle cannot be read; names it.
    """
    return [
        Violation("4e.vehicle-move-fire.fast-no-ordnance", f"{unit.name}: {name} is ordnance, and {model} is fast")
        for unit in army.units
        for name, model in dict.fromkeys((name, model.name) for model in unit.models for name in _ordnance(model))
    ]


def _ordnance(model: Model) -> list[str]:
    if not {"VEHICLE", "FAST"} <= set(model.keywords):
        return []
    return [
        weapon.name
        for weapon in model.weapons
        if any(read_weapon(profile, weapon.name).type is WeaponType.ORDNANCE for profile in weapon.profiles)
    ]
