"""What weapon abilities do to an attack, each a function from draft to draft.

An edition's table (``AttackRules.weapon_rules``) says which of them are in force; the order of the table is the order
in which they are applied, and no result depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from battlewright.attacks.description import RerollPermission, RerollWhich
from battlewright.core.rulebook import rule
from battlewright.editions.classic.draft import Draft, PenetrationDice
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile

__all__ = [
    "WEAPON_RULES",
    "WeaponRule",
    "barrage",
    "choppa",
    "gauss",
    "gets_hot",
    "haywire",
    "ignores_cover",
    "lance",
    "lightning_claw",
    "may_repeat_a_miss",
    "melta",
    "pinning",
    "poisoned",
    "power_fist",
    "power_weapon",
    "rending",
    "sniper",
    "template",
    "twin_linked",
]

WeaponRule: TypeAlias = Callable[[Draft], Draft]

_POISON = 4


@rule("4e.core.weapons.twin-linked", "6e.core.weapons.twin-linked")
@rule("3e.core.weapons.twin-linked")
def twin_linked(draft: Draft) -> Draft:
    """Misses are rolled again; the shots are not doubled."""
    again = RerollPermission(RerollWhich.FAILURES, "3e.core.weapons.twin-linked")
    return replace(draft, reroll_hits=again)


@rule("3e.core.weapons.gets-hot")
def gets_hot(draft: Draft) -> Draft:
    """Each hit roll of 1 hits the firer."""
    return replace(draft, overheats_on=1)


@rule("4e.core.weapons.rending")
@rule("3e.core.weapons.rending")
def rending(draft: Draft) -> Draft:
    """A 6 to hit wounds by itself without armour save; a penetration die of 6 adds another."""
    return replace(draft, rends_on_hit=6, bursts_on=6)


@rule("3e.core.weapons.sniper")
def sniper(draft: Draft) -> Draft:
    """Hits on 2+, wounds on 4+ whatever the Toughness, and pins."""
    return replace(draft, hit_on=2, wound_on=4, pins=True)


@rule("4e.core.weapons.poisoned", "6e.core.weapons.poisoned")
@rule("3e.core.weapons.poison")
def poisoned(draft: Draft) -> Draft:
    """Wounds on a fixed roll: the ability's number, 4+ where it has none."""
    ability = draft.weapon.ability(AbilityName.POISONED)
    return replace(draft, wound_on=ability.number if ability and ability.number else _POISON)


@rule("3e.core.weapons.gauss")
def gauss(draft: Draft) -> Draft:
    """A 6 to wound always wounds, and a penetration die of 6 glances at least."""
    return replace(draft, always_wounds_on=6, glances_on=6)


@rule("4e.core.weapons.melta", "6e.core.weapons.melta")
@rule("3e.core.weapons.melta")
def melta(draft: Draft) -> Draft:
    """Penetrates with 2D6 at half range or less."""
    return replace(draft, penetration=PenetrationDice.TWO) if draft.context.half_range else draft


@rule("4e.core.weapons.lance", "6e.core.weapons.lance")
@rule("3e.core.weapons.lance")
def lance(draft: Draft) -> Draft:
    """Armour above 12 counts as 12."""
    return replace(draft, armour_limit=12)


@rule("6e.core.weapons.haywire")
@rule("3e.core.vehicles.grenades")
def haywire(draft: Draft) -> Draft:
    """Whatever the armour: nothing on 1, a glance on 2 to 5, a penetration on 6."""
    return replace(draft, fixed_penetration=("", "glancing", "glancing", "glancing", "glancing", "penetrating"))


@rule("4e.core.weapons.template", "6e.core.weapons.template")
@rule("3e.core.weapons.template")
def template(draft: Draft) -> Draft:
    """Hits whatever it covers, and leaves no cover save."""
    return replace(draft, hits_without_roll=True, ignores_cover=True)


@rule("6e.core.weapons.ignores-cover")
def ignores_cover(draft: Draft) -> Draft:
    """Leaves no cover save."""
    return replace(draft, ignores_cover=True)


@rule("4e.core.weapons.barrage", "6e.core.weapons.barrage")
@rule("3e.core.weapons.barrage-pins", "3e.outside.pinning-sources")
def barrage(draft: Draft) -> Draft:
    """Pins."""
    return replace(draft, pins=True)


@rule("4e.core.shooting.pinning", "6e.core.weapons.pinning")
def pinning(draft: Draft) -> Draft:
    """Pins."""
    return replace(draft, pins=True)


@rule("4e.core.weapons.power-weapon")
@rule("3e.outside.power-weapon", "3e.core.assault.power-weapon")
def power_weapon(draft: Draft) -> Draft:
    """Leaves no armour save."""
    return replace(draft, ignores_armour=True)


@rule("4e.core.weapons.power-fist")
@rule("3e.outside.power-fist-strength", "3e.outside.power-fist-saves", "3e.core.assault.power-fist")
def power_fist(draft: Draft) -> Draft:
    """Doubles the Strength of its bearer, to 10 at most, and leaves no armour save."""
    return replace(draft, strength=min(2 * draft.context.strength, 10), ignores_armour=True)


@rule("4e.core.weapons.choppa")
@rule("3e.core.assault.choppa")
def choppa(draft: Draft) -> Draft:
    """The best armour save that may be tried is 4+."""
    return replace(draft, best_armour=4)


@rule("4e.core.weapons.lightning-claw")
@rule("3e.core.assault.lightning-claw")
def lightning_claw(draft: Draft) -> Draft:
    """Failed wound rolls are rolled again, and armour is ignored."""
    again = RerollPermission(RerollWhich.FAILURES, "3e.core.assault.lightning-claw")
    return replace(draft, reroll_wounds=again, ignores_armour=True)


@rule("6e.core.weapons.master-crafted")
@rule("3e.core.traits.master-crafted")
def may_repeat_a_miss(weapon: WeaponProfile, *, missed: bool, used_this_turn: bool) -> bool:
    """Whether an attack with a weapon may be rolled again: one miss of a master-crafted one in a turn.

    A battle alone asks: how often a weapon has been used this turn is no part of an attack.
    """
    return weapon.has(AbilityName.MASTER_CRAFTED) and missed and not used_this_turn


WEAPON_RULES: Mapping[AbilityName, WeaponRule] = MappingProxyType(
    {
        AbilityName.BARRAGE: barrage,
        AbilityName.CHOPPA: choppa,
        AbilityName.GAUSS: gauss,
        AbilityName.GETS_HOT: gets_hot,
        AbilityName.HAYWIRE: haywire,
        AbilityName.IGNORES_COVER: ignores_cover,
        AbilityName.LANCE: lance,
        AbilityName.LIGHTNING_CLAW: lightning_claw,
        AbilityName.MELTA: melta,
        AbilityName.PINNING: pinning,
        AbilityName.POISONED: poisoned,
        AbilityName.POWER_FIST: power_fist,
        AbilityName.POWER_WEAPON: power_weapon,
        AbilityName.RENDING: rending,
        AbilityName.SNIPER: sniper,
        AbilityName.TEMPLATE: template,
        AbilityName.TWIN_LINKED: twin_linked,
    }
)
"""What stands for which ability, unless an edition says otherwise."""
