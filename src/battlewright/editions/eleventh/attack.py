"""An attack of the 11th edition written down before any die is rolled (04.03, 05).

:func:`compile_volley` is the one place where weapon, circumstances and target become a
:class:`~battlewright.attacks.description.Volley`. The battle and the odds both go through it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from battlewright.attacks.description import Amount, AttackDice, Emit, Volley, amount
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.ability_text import WeaponAbility, WeaponAbilityName
from battlewright.editions.eleventh.attack_steps import hit_step, packets, save_table, target_of, wound_steps
from battlewright.editions.eleventh.circumstances import AttackContext, characteristics, critical_context
from battlewright.editions.eleventh.datasheet import WeaponProfile
from battlewright.editions.eleventh.target import TargetModel, TargetView, allocation_groups, toughness_against
from battlewright.editions.eleventh.weapon_abilities import (
    abilities_in_force,
    blast_dice,
    cleave_dice,
    find,
    is_psychic_attack,
    rapid_fire_dice,
)

__all__ = [
    "AttackContext",
    "TargetModel",
    "TargetView",
    "attack_dice",
    "attack_key",
    "compile_volley",
    "pool_identical",
]

_ADDING = (WeaponAbilityName.RAPID_FIRE, WeaponAbilityName.BLAST, WeaponAbilityName.CLEAVE)
"""Abilities that only add attack dice."""


@rule(
    "11e.ds-weapons.attacks-dice",
    "11e.ds-random.attacks-timing",
    "11e.ds-random.attacks-identical",
    "11e.core.02-random-attacks",
    "11e.core.24-additional-attacks",
)
def attack_dice(
    count: int, attacks: Amount, in_force: Sequence[WeaponAbility], context: AttackContext, target_models: int
) -> tuple[tuple[AttackDice, ...], tuple[str, ...]]:
    """How many attacks: A of each of so many weapons, rolled apart and pooled, and the dice that abilities add.

    Returns:
        The dice, and the rules that added some.
    """
    found, rules = [AttackDice(count, attacks)], []
    models = context.target_models if context.target_models is not None else target_models
    rapid_fire, blast, cleave = (find(in_force, name) for name in _ADDING)
    for (times, dice), added_by in zip(
        (
            rapid_fire_dice(rapid_fire, context.half_range),
            blast_dice(blast, models),
            cleave_dice(cleave, models, context.single_target),
        ),
        ("11e.24.30-rapid-fire.extra-dice", "11e.24.05-blast.per-five-models", "11e.24.06-cleave.extra-dice"),
        strict=True,
    ):
        if times:
            found.append(AttackDice(count * times, amount(dice)))
            rules.append(added_by)
    return tuple(found), tuple(rules)


@rule("11e.24.37-torrent.auto-hit", "11e.core.04.03-resolve-order", "11e.core.24-lethal-and-critical-wounds")
def compile_volley(
    weapon: WeaponProfile,
    count: int,
    context: AttackContext,
    target: TargetView,
    order: Sequence[int] | None = None,
) -> Volley:
    """Write down the attacks of so many identical weapons against a target.

    Args:
        count: how many weapons make identical attacks.
        order: the defender's order of the groups of :func:`~.target.allocation_groups`; as they stand by default.
            The volley's groups and save tables are in this order.

    A TORRENT weapon, and one without a skill, makes no hit roll and so no critical hits.

    Raises:
        BadInput: when the target has no living model.
    """
    if not target.models:
        raise BadInput("the target has no living model")
    keywords = target.keywords
    in_force = abilities_in_force(weapon, keywords, context.granted, context.chosen)
    used = characteristics(weapon, in_force, context, target)
    of_criticals = critical_context(context)
    critical = characteristics(weapon, in_force, of_criticals, target) if of_criticals is not None else None
    groups = allocation_groups(target)
    groups = tuple(groups[index] for index in order) if order is not None else groups
    psychic = is_psychic_attack(weapon, in_force)
    groups = tuple(group.facing(melee=weapon.melee, psychic=psychic) for group in groups)
    wounding = wound_steps(used.strength, toughness_against(target), in_force, context, keywords)
    first = wounding[0].name
    steps = wounding
    dice, added_by = attack_dice(count, used.attacks, in_force, context, len(target.models))
    rules = ["11e.core.04.03-resolve-order", *added_by]
    if used.skill is not None:
        steps = (hit_step(used.skill, in_force, context, first, ranged=not weapon.melee), *wounding)
    else:
        rules.append("11e.24.37-torrent.auto-hit")
    return Volley(
        name=weapon.full_name,
        dice=dice,
        entry=(Emit(steps[0].name),),
        steps=steps,
        packets=packets(used, critical, groups, in_force, context),
        saves=tuple(save_table(group, used.ap, context) for group in groups),
        target=target_of(target, groups, in_force, context),
        rules=tuple(rules),
    )


@rule("11e.core.04.03-identical-attacks", "11e.core.04.03-cover-splits-pools", "11e.core.13.08-per-attacker")
def attack_key(weapon: WeaponProfile, context: AttackContext, target: TargetView) -> Hashable:
    """What identical attacks have in common: BS or WS, S, AP, D, the abilities and all rules at work.

    RULING: 11e.core.04.03-identical-attacks we read it as: abilities that only add attack dice make no difference.
    """
    return _key(compile_volley(weapon, 1, context, target), weapon, context, target)


def _key(volley: Volley, weapon: WeaponProfile, context: AttackContext, target: TargetView) -> Hashable:
    """What attacks of a volley have in common with those of another, however many they are."""
    in_force = abilities_in_force(weapon, target.keywords, context.granted, context.chosen)
    used = characteristics(weapon, in_force, context, target)
    return (
        weapon.melee,
        used.skill.value if used.skill is not None else None,
        used.strength.values,
        used.ap.value,
        frozenset(str(ability) for ability in in_force if ability.name not in _ADDING),
        (volley.entry, volley.steps, volley.packets, volley.saves, volley.target),
    )


@rule("11e.core.04.03-identical-attacks", "11e.ds-random.attacks-identical")
def pool_identical(
    attacks: Iterable[tuple[WeaponProfile, int, AttackContext]], target: TargetView, order: Sequence[int] | None = None
) -> tuple[Volley, ...]:
    """Gather the attacks of a unit's weapons on one target into pools of identical attacks, in order of appearance.

    Args:
        attacks: weapon, how many of it, and its circumstances.
    """
    pools: dict[Hashable, Volley] = {}
    for weapon, count, context in attacks:
        volley = compile_volley(weapon, count, context, target, order)
        key = _key(volley, weapon, context, target)
        if key in pools:
            known = pools[key]
            names = dict.fromkeys((*known.name.split(" + "), volley.name))
            volley = replace(known, name=" + ".join(names), dice=known.dice + volley.dice)
        pools[key] = volley
    return tuple(pools.values())
