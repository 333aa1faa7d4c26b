"""What the 4th edition decides about attacks: mixed armour, weapons that get hot, snipers, feel no pain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from battlewright.core.rulebook import rule
from battlewright.editions.classic import weapon_rules
from battlewright.editions.classic.draft import Draft, PenetrationDice
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.target import (
    TargetGroup,
    TargetModel,
    TargetView,
    groups_alike,
    majority_or_highest_toughness,
)
from battlewright.editions.classic.weapon_rules import WEAPON_RULES, WeaponRule
from battlewright.editions.classic.weapons import AbilityName, WeaponType
from battlewright.editions.fourth.damage import GLANCING, ORDNANCE, PENETRATING, by_ap
from battlewright.editions.third.attack import ATTACK as BEFORE

__all__ = ["ATTACK", "feel_no_pain", "groups_majority_first", "hot_rolls", "is_legal_order", "majority_armour"]

_NO_SAVE = 7
_WITCHES = 9
"""The Strength of a witch blade against armour."""
_LAID = (AbilityName.BARRAGE, AbilityName.BLAST, AbilityName.LARGE_BLAST, AbilityName.TEMPLATE)


@rule("4e.mixed-armour.step-count", "4e.mixed-armour.step-majority")
def majority_armour(models: Sequence[TargetModel]) -> int | None:
    """The armour save that most models have, the worse in a tie; None for no save.

    Args:
        models: those that could become casualties.
    """
    counts = Counter(model.profile.save or _NO_SAVE for model in models)
    most = max(counts.values())
    worst = max(save for save, count in counts.items() if count == most)
    return None if worst == _NO_SAVE else worst


@rule("4e.mixed-armour.example-templars-11", "4e.mixed-armour.example-templars-20")
@rule("4e.mixed-armour.example-tzeentch", "4e.mixed-armour.example-templars-power")
@rule("4e.mixed-armour.scope", "4e.mixed-armour.step-allocate", "4e.mixed-armour.step-second-round")
@rule("4e.mixed-armour.before-saves-normal", "4e.mixed-armour.restart", "4e.mixed-armour.unsaved-to-saver")
def groups_majority_first(target: TargetView) -> tuple[TargetGroup, ...]:
    """The groups of a target, those with the majority's armour first; wounds are dealt to them in rounds."""
    first = majority_armour(target.models)
    return tuple(sorted(groups_alike(target), key=lambda group: group.save != first))


@rule("4e.mixed-armour.step-remaining", "4e.mixed-armour.special-weapons-choice", "4e.mixed-armour.step-allocate")
def is_legal_order(groups: Sequence[TargetGroup], order: Sequence[int]) -> bool:
    """Whether the owner may have wounds dealt to the groups in this order: those of the majority before all others.

    Args:
        groups: as :func:`groups_majority_first` gives them; ``order`` all indices into them.
    """
    others = [groups[index].save != groups[0].save for index in order]
    return others == sorted(others)


@rule("4e.core.weapons.gets-hot")
def hot_rolls(shots: int) -> int:
    """The highest hit roll that hits the firer of a weapon that gets hot, by how often it is fired."""
    return min(max(shots, 1), 3)


@rule("4e.core.weapons.gets-hot")
def gets_hot(draft: Draft) -> Draft:
    """A hit roll of 1 hits the firer; with two shots 1 or 2, with three 1 to 3."""
    shots = draft.context.attacks.values[-1] if draft.context.attacks is not None else draft.weapon.shots.maximum
    return replace(draft, overheats_on=hot_rolls(shots))


@rule("4e.core.weapons.sniper")
def sniper(draft: Draft) -> Draft:
    """Hits on 2+, wounds on 4+, penetrates with 2D6 without its Strength, and pins."""
    draft = weapon_rules.sniper(draft)
    if draft.target.armour is None:
        return draft
    return replace(draft, strength=0, penetration=PenetrationDice.TWO)


@rule("4e.core.weapons.chainfist")
def chainfist(draft: Draft) -> Draft:
    """A power fist that penetrates with 2D6."""
    return replace(weapon_rules.power_fist(draft), penetration=PenetrationDice.TWO)


@rule("4e.core.weapons.thunder-hammer")
def thunder_hammer(draft: Draft) -> Draft:
    """A power fist; what it does to those who survive it is the battle's affair."""
    return weapon_rules.power_fist(draft)


@rule("4e.core.weapons.witch-blade")
def witch_blade(draft: Draft) -> Draft:
    """Wounds on 2+, and has Strength 9 against vehicles."""
    return replace(draft, wound_on=2) if draft.target.armour is None else replace(draft, strength=_WITCHES)


@rule("4e.vulnerable-blasts.double-wounds", "4e.swarms.rules")
def blast(draft: Draft) -> Draft:
    """An unsaved wound on those who are vulnerable to blasts counts double.

    RULING: 4e.vulnerable-blasts.double-wounds both wounds fall on the same model.
    """
    vulnerable = {"SWARM", "VULNERABLE TO BLASTS"} & draft.target.traits
    return replace(draft, wounds=2) if vulnerable and draft.target.armour is None else draft


@rule("4e.vulnerable-blasts.vehicle-two-hits", "4e.open-topped.vulnerable")
def counts_as(draft: Draft) -> int:
    """How many hits one of a marker or template counts as: two on a vehicle that is vulnerable to them.

    Open-topped vehicles are. RULING: 4e.open-topped.vulnerable the markers of ordnance are blasts like others.
    """
    weapon = draft.weapon
    laid = weapon.type is WeaponType.ORDNANCE or any(weapon.has(name) for name in _LAID)
    return 2 if laid and {"OPEN-TOPPED", "VULNERABLE TO BLASTS"} & draft.target.traits else 1


@rule("4e.core.weapons.template", "4e.vulnerable-blasts.double-wounds")
def template(draft: Draft) -> Draft:
    """Hits whatever it covers, and leaves no cover save."""
    return blast(weapon_rules.template(draft))


@rule("4e.feel-no-pain.roll", "4e.feel-no-pain.not-instant-death", "4e.feel-no-pain.not-power-weapons")
def feel_no_pain(profile: ModelProfile, draft: Draft, outright: bool) -> int | None:
    """The lowest D6 by which a model ignores an unsaved wound: 4, but not one that kills outright, and not one of a
    close combat weapon that allows no armour save."""
    if not profile.has("FEEL NO PAIN") or outright or (draft.weapon.melee and draft.ignores_armour):
        return None
    return 4


@rule("4e.vehicle-armour.partial-blast", "4e.core.weapons.rim")
def half_rounded_down(strength: int) -> int:
    """Half of a Strength, rounded down."""
    return strength // 2


WEAPONS: Mapping[AbilityName, WeaponRule] = MappingProxyType(
    {
        **WEAPON_RULES,
        AbilityName.BLAST: blast,
        AbilityName.CHAINFIST: chainfist,
        AbilityName.GETS_HOT: gets_hot,
        AbilityName.SNIPER: sniper,
        AbilityName.TEMPLATE: template,
        AbilityName.THUNDER_HAMMER: thunder_hammer,
        AbilityName.WITCHBLADE: witch_blade,
    }
)

ATTACK = replace(
    BEFORE,
    groups=groups_majority_first,
    is_legal_order=is_legal_order,
    toughness_against=majority_or_highest_toughness,
    feel_no_pain=feel_no_pain,
    glancing=GLANCING,
    penetrating=PENETRATING,
    ordnance=ORDNANCE,
    by_ap=by_ap,
    counts_as=counts_as,
    halved=half_rounded_down,
    weapon_rules=WEAPONS,
)
