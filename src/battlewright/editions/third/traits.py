"""Special rules and wargear of the 3rd edition by name, and which of a unit's have an effect in a battle."""

from __future__ import annotations

from battlewright.core.roster import Enforcement, Unit
from battlewright.editions.classic.weapons import AbilityName, read_weapon
from battlewright.editions.third.attack import ATTACK

__all__ = ["ENFORCED", "enforcement"]

ENFORCED: frozenset[str] = frozenset(
    {
        "FEARLESS",
        "FRAG GRENADES",
        "HAYWIRE GRENADES",
        "IGNORES MORALE TESTS",
        "KRAK GRENADES",
        "MELTA BOMBS",
        "PLASMA GRENADES",
        "STEADFAST",
        "TARGETER",
    }
)
"""Special rules and wargear of models (in capitals) that some rule asks for."""

_IN_PROCEDURES = frozenset(
    {AbilityName.BLAST, AbilityName.GUESS, AbilityName.MINIMUM, AbilityName.ONE_HANDED, AbilityName.ONE_SHOT}
)
"""Abilities of weapons that are asked for where weapons are fired or swung."""


def enforcement(unit: Unit) -> Enforcement:
    """Which of a unit's abilities have an effect in the battle, and which have none."""
    enforced: list[str] = []
    missing: list[str] = list(unit.not_enforced)
    for ability in unit.abilities:
        (enforced if ability.name.upper() in ENFORCED else missing).append(ability.name)
    for model in unit.models:
        for weapon in model.weapons:
            for profile in weapon.profiles:
                read = read_weapon(profile, weapon.name)
                missing.extend(f"[{text}]" for text in read.unknown)
                for each in read.abilities:
                    (enforced if each.name in ATTACK.weapon_rules or each.name in _IN_PROCEDURES else missing).append(
                        f"[{each}]"
                    )
    return Enforcement(tuple(dict.fromkeys(enforced)), tuple(dict.fromkeys(missing)))
