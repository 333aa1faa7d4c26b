"""Which abilities of a unit have an effect in a battle of a classic edition, and which have none."""

from __future__ import annotations

from battlewright.core.roster import Enforcement, Unit
from battlewright.editions.classic.bearers import split_name
from battlewright.editions.classic.profiles import ability_name
from battlewright.editions.classic.table import ClassicRules
from battlewright.editions.classic.weapons import AbilityName, read_weapon

__all__ = ["enforcement"]

_IN_PROCEDURES = frozenset(
    {
        AbilityName.BLAST,
        AbilityName.FORCE,
        AbilityName.GUESS,
        AbilityName.MASTER_CRAFTED,
        AbilityName.MINIMUM,
        AbilityName.ONE_HANDED,
        AbilityName.ONE_SHOT,
        AbilityName.PSYCHIC,
        AbilityName.SPECIALIST,
        AbilityName.TWO_HANDED,
        AbilityName.UNWIELDY,
    }
)
"""Abilities of weapons that are asked for where weapons are fired or swung."""


_ELSEWHERE = frozenset({"ASSAULT VEHICLE", "DEEP STRIKE", "FIRE POINTS", "SMOKE LAUNCHERS", "TRANSPORT CAPACITY"})
"""Abilities that every edition asks for where they act, though they are no special rules."""


_OF_MOUNTS = frozenset({"TURRET", "HULL", "FIXED", "SPONSON", "LEFT SPONSON", "RIGHT SPONSON", "BUILT-IN"})
"""What lists say of how a weapon is fixed to its vehicle."""


def enforcement(rules: ClassicRules, unit: Unit) -> Enforcement:
    """What of a unit the edition enforces: special rules and wargear that its table has, weapon abilities that it
    knows; everything else is named as not enforced."""
    enforced: list[str] = []
    missing: list[str] = list(unit.not_enforced)
    here = _IN_PROCEDURES | rules.flight.weapon_abilities
    for ability in unit.abilities:
        is_weapon = any(weapon.name == ability.name for model in unit.models for weapon in model.weapons)
        (enforced if is_weapon or is_enforced(rules, ability.name) else missing).append(ability.name)
    for model in unit.models:
        for weapon in model.weapons:
            for profile in weapon.profiles:
                read = read_weapon(profile, weapon.name)
                missing.extend(f"[{text}]" for text in read.unknown if text.strip().upper() not in _OF_MOUNTS)
                for each in read.abilities:
                    known = each.name in rules.attack.weapon_rules or each.name in here
                    (enforced if known else missing).append(f"[{each}]")
    return Enforcement(tuple(dict.fromkeys(enforced)), tuple(dict.fromkeys(missing)))


def is_enforced(rules: ClassicRules, ability: str) -> bool:
    """Whether an ability, as printed, is a special rule or piece of wargear of the edition's table."""
    name = ability_name(ability)
    rules_of = rules.characters
    names = {name, split_name(name)[0], name.rstrip("0123456789 :")}
    return name in rules_of.powers or bool(names & (rules_of.special_rules.keys() | _ELSEWHERE))
