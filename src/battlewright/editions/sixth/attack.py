"""What the 6th edition decides about attacks: a second try, precision, rending wounds, weapon abilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from battlewright.attacks.description import Allocation, RerollPermission, RerollWhich
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic import weapon_rules
from battlewright.editions.classic.armour import whatever_ap
from battlewright.editions.classic.attack import one_hit
from battlewright.editions.classic.draft import Draft, PenetrationDice
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.target import TargetGroup, groups_alike
from battlewright.editions.classic.weapon_rules import WEAPON_RULES, WeaponRule
from battlewright.editions.classic.weapons import AbilityName
from battlewright.editions.fourth.attack import ATTACK as BEFORE
from battlewright.editions.fourth.attack import blast
from battlewright.editions.sixth.damage import TABLE, table_modifiers

__all__ = ["ATTACK", "feel_no_pain", "second_hit_on"]

D3 = DiceExpression(1, 3, 0)


@rule("6e.core.shooting.second-try")
def second_hit_on(ballistic_skill: int) -> int | None:
    """What a shot that has missed needs when it is tried once more: 12 less a BS above 5, 2+ at best."""
    return max(12 - ballistic_skill, 2) if ballistic_skill > 5 else None


def any_order(groups: Sequence[TargetGroup], order: Sequence[int]) -> bool:
    """Whether wounds may be dealt to the groups in this order: where models stand decides, not their groups."""
    return True


@rule("6e.core.special-rules.feel-no-pain")
def feel_no_pain(profile: ModelProfile, draft: Draft, outright: bool) -> int | None:
    """The lowest D6 by which a model ignores an unsaved wound: 5, but not one that inflicts instant death."""
    return 5 if profile.has("FEEL NO PAIN") and not outright else None


@rule("6e.core.weapons.rending")
def rending(draft: Draft) -> Draft:
    """A 6 to wound wounds by itself at AP 2; a penetration die of 6 adds a D3."""
    return replace(draft, rends_on_wound=6, always_wounds_on=6, bursts_on=6, burst_die=D3)


@rule("6e.core.weapons.sniper")
def sniper(draft: Draft) -> Draft:
    """Wounds on 4+, a 6 at AP 2; a 6 to hit picks who is wounded; pins; S 3 against vehicles."""
    precise = None if draft.context.snap else 6
    draft = replace(draft, wound_on=4, rends_on_wound=6, precise_on=precise, pins=True, bursts_on=6, burst_die=D3)
    return replace(draft, strength=3) if draft.target.armour is not None else draft


@rule("6e.core.weapons.gets-hot")
def gets_hot(draft: Draft) -> Draft:
    """Each hit roll of 1 hits the firer."""
    return replace(draft, overheats_on=1)


@rule("6e.core.weapons.fleshbane")
def fleshbane(draft: Draft) -> Draft:
    """Wounds on 2+."""
    return replace(draft, wound_on=2)


@rule("6e.core.weapons.shred")
def shred(draft: Draft) -> Draft:
    """Failed wound rolls are rolled again."""
    return replace(draft, reroll_wounds=RerollPermission(RerollWhich.FAILURES, "6e.core.weapons.shred"))


@rule("6e.core.weapons.armourbane")
def armourbane(draft: Draft) -> Draft:
    """Penetrates with 2D6."""
    return replace(draft, penetration=PenetrationDice.TWO)


@rule("6e.core.weapons.power-weapons")
def power_weapon(draft: Draft) -> Draft:
    """AP 3, unless its profile says better."""
    return replace(draft, ap=3)


@rule("6e.core.weapons.power-fist", "6e.core.weapons.melee-strength")
def power_fist(draft: Draft) -> Draft:
    """Doubles the Strength of its bearer, to 10 at most, at AP 2."""
    return replace(draft, strength=min(2 * draft.context.strength, 10), ap=2)


@rule("6e.core.weapons.other-melee")
def lightning_claw(draft: Draft) -> Draft:
    """AP 3, and failed wound rolls are rolled again."""
    return shred(replace(draft, ap=3))


@rule("6e.core.weapons.template", "6e.core.special-rules.swarms", "6e.core.weapons.twin-linked")
def template(draft: Draft) -> Draft:
    """Hits whatever it covers and ignores cover; twin-linked it rolls failed wounds again."""
    draft = blast(weapon_rules.template(draft))
    return shred(draft) if draft.weapon.has(AbilityName.TWIN_LINKED) else draft


WEAPONS: Mapping[AbilityName, WeaponRule] = MappingProxyType(
    {
        **WEAPON_RULES,
        AbilityName.ARMOURBANE: armourbane,
        AbilityName.BLAST: blast,
        AbilityName.FLESHBANE: fleshbane,
        AbilityName.GETS_HOT: gets_hot,
        AbilityName.LARGE_BLAST: blast,
        AbilityName.LIGHTNING_CLAW: lightning_claw,
        AbilityName.POWER_FIST: power_fist,
        AbilityName.POWER_WEAPON: power_weapon,
        AbilityName.RENDING: rending,
        AbilityName.SHRED: shred,
        AbilityName.SNIPER: sniper,
        AbilityName.TEMPLATE: template,
    }
)

ATTACK = replace(
    BEFORE,
    groups=groups_alike,
    is_legal_order=any_order,
    allocation=Allocation.IN_ORDER,
    second_hit_on=second_hit_on,
    feel_no_pain=feel_no_pain,
    glancing=TABLE,
    penetrating=TABLE,
    ordnance=TABLE,
    hull_points=True,
    by_ap=whatever_ap,
    counts_as=one_hit,
    table_modifiers=table_modifiers,
    weapon_rules=WEAPONS,
)
"""RULING: 6e.core.shooting.allocation the odds take the models in the order of the list, the nearest first."""
