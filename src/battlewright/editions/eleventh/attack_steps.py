"""The steps of an attack of the 11th edition: hit, wound, save, damage (05), as parts of its description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.attacks.description import (
    Alternative,
    Amount,
    ChoicePoint,
    Emit,
    Group,
    Outcome,
    Packet,
    RerollPermission,
    RerollWhich,
    SaveTable,
    Step,
    Target,
    amount,
)
from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.ability_text import Harm, WeaponAbility, WeaponAbilityName
from battlewright.editions.eleventh.circumstances import (
    AttackContext,
    Characteristics,
    critical_context,
    is_indirect,
    kept_roll_modifiers,
)
from battlewright.editions.eleventh.modifiers import Modified, roll_modifier
from battlewright.editions.eleventh.target import AllocationGroup, TargetView
from battlewright.editions.eleventh.weapon_abilities import anti_threshold, find

__all__ = [
    "critical_hit",
    "critical_wound",
    "hit_step",
    "packets",
    "precision_group",
    "save_stops",
    "save_table",
    "target_of",
    "wound_on",
    "wound_step",
    "wound_steps",
]

_NORMAL, _MORTAL = 0, 1
"""Stages of packets: normal damage is dealt with before the mortal wounds of the same pool."""


# --- hitting and wounding ---------------------------------------------------------------------------------------


@rule(
    "11e.24.16-heavy.plus-one-to-hit",
    "11e.24.39-damaged.minus-one-to-hit",
    "11e.core.05.01-hit",
    "11e.core.10.07-indirect-penalties",
    "11e.core.15.09-snap-shooting",
    "11e.core.15.09-snap-not-critical",
    "11e.ds-weapons.skill-per-weapon",
)
def hit_step(
    skill: Modified, in_force: Sequence[WeaponAbility], context: AttackContext, wound: str, *, ranged: bool
) -> Step:
    """The hit roll (05.01).

    An unmodified 1 fails; by indirect shooting so do 1 to 5 (1 to 3 if spotted); then criticals; then the skill is
    compared with the modified die. By snap shooting an unmodified 6 hits, and is not critical.
    """
    modifiers = list(context.hit_modifiers)
    if find(in_force, WeaponAbilityName.HEAVY) is not None and context.heavy and ranged:
        modifiers.append(Modifier("11e.24.16-heavy.plus-one-to-hit", 1))
    if context.damaged:
        modifiers.append(Modifier("11e.24.39-damaged.minus-one-to-hit", -1))
    psychic = find(in_force, WeaponAbilityName.PSYCHIC) is not None
    kept = kept_roll_modifiers(modifiers, context, roll="hit", psychic=psychic)
    applied = roll_modifier(kept)
    rules = ["11e.core.05.01-hit", *skill.rules]
    least = 2
    reroll = context.reroll_hits
    if is_indirect(in_force, context):
        least, reroll = (4 if context.spotted else 6), None
        rules.append("11e.core.10.07-indirect-penalties")
    by_total = tuple(
        0 if die < least else 2 if die >= context.critical_hits else int(die + applied >= skill.number)
        for die in range(1, 7)
    )
    if context.snap and ranged:
        least, reroll = context.snap_hits, None
        by_total = tuple(int(die >= least) for die in range(1, 7))
        rules.append("11e.core.15.09-snap-shooting")
    outcomes = (
        Outcome("miss"),
        Outcome("hit", (Emit(wound),), success=True),
        critical_hit(in_force, wound),
    )
    return Step(
        "hit",
        outcomes,
        by_total,
        needed=max(skill.number, least) if least > 2 else skill.number,
        reroll=reroll,
        modifiers=kept,
        rules=tuple(rules),
    )


@rule(
    "11e.24.23-lethal-hits.auto-wound-option",
    "11e.24.23-lethal-hits.no-wound-roll",
    "11e.24.23-lethal-hits.may-decline",
    "11e.24.36-sustained-hits.extra-hits",
    "11e.24.36-sustained-hits.extra-are-not-critical",
    "11e.core.24-sustained-not-critical",
    "11e.24.36-sustained-hits.example",
    "11e.core.24-sustained-not-critical",
)
def critical_hit(in_force: Sequence[WeaponAbility], wound: str) -> Outcome:
    """What a critical hit hands on.

    SUSTAINED HITS adds hits that are not critical; LETHAL HITS lets the attacker have the hit of the critical wound
    without a roll, which then cannot be a critical wound, or decline.
    """
    rules: list[str] = []
    emits: list[Emit] = []
    choice = None
    if find(in_force, WeaponAbilityName.LETHAL_HITS) is not None:
        rules.append("11e.24.23-lethal-hits.auto-wound-option")
        choice = ChoicePoint(
            "lethal",
            (
                Alternative("take", (Emit("damage"),), ("11e.24.23-lethal-hits.auto-wound-option",)),
                Alternative("decline", (Emit(wound),), ("11e.24.23-lethal-hits.may-decline",)),
            ),
        )
    else:
        emits.append(Emit(wound))
    sustained = find(in_force, WeaponAbilityName.SUSTAINED_HITS)
    if sustained is not None and sustained.value is not None:
        rules.append("11e.24.36-sustained-hits.extra-hits")
        emits.append(Emit(wound, amount(sustained.value)))
    return Outcome("critical-hit", tuple(emits), choice, success=True, critical=True, rules=tuple(rules))


@rule(
    "11e.24.21-lance.plus-one-to-wound",
    "11e.24.21-lance.no-charge-no-bonus",
    "11e.24.38-twin-linked.reroll-wound",
    "11e.core.05.02-wound",
)
def wound_step(
    name: str, needed: int, in_force: Sequence[WeaponAbility], context: AttackContext, target: frozenset[str]
) -> Step:
    """The wound roll (05.02): an unmodified 1 fails, then criticals, then the number needed."""
    modifiers = list(context.wound_modifiers)
    if find(in_force, WeaponAbilityName.LANCE) is not None and context.charged:
        modifiers.append(Modifier("11e.24.21-lance.plus-one-to-wound", 1))
    kept = kept_roll_modifiers(modifiers, context, roll="wound")
    applied = roll_modifier(kept)
    anti = find(in_force, WeaponAbilityName.ANTI)
    critical = anti_threshold(anti, target, context.critical_wounds)
    by_total = tuple(0 if die == 1 else 2 if die >= critical else int(die + applied >= needed) for die in range(1, 7))
    reroll = context.reroll_wounds
    if find(in_force, WeaponAbilityName.TWIN_LINKED) is not None:
        reroll = RerollPermission(RerollWhich.ALL, "11e.24.38-twin-linked.reroll-wound")
    rules: tuple[str, ...] = ("11e.core.05.02-wound",)
    if critical < context.critical_wounds:
        rules += ("11e.24.03-anti.critical-threshold",)
    outcomes = (
        Outcome("fail"),
        Outcome("wound", (Emit("damage"),), success=True),
        critical_wound(in_force, context),
    )
    return Step(name, outcomes, by_total, needed=needed, reroll=reroll, modifiers=kept, rules=rules)


@rule("11e.24.10-devastating-wounds.sequence-ends", "11e.core.05.03-split-pools")
def critical_wound(in_force: Sequence[WeaponAbility], context: AttackContext) -> Outcome:
    """What a critical wound hands on: with DEVASTATING WOUNDS mortal wounds without a save.

    Where AP or D of critical wounds differ, these are a pool of their own.
    """
    if find(in_force, WeaponAbilityName.DEVASTATING_WOUNDS) is None:
        pool = "damage" if critical_context(context) is None else "critical"
        return Outcome("critical-wound", (Emit(pool),), success=True, critical=True)
    rules = ("11e.24.10-devastating-wounds.sequence-ends",)
    return Outcome("critical-wound", (Emit("devastating"),), success=True, critical=True, rules=rules)


@rule("11e.core.05.02-wound-table")
def wound_on(strength: int, toughness: int) -> int:
    """The lowest D6 that wounds, 2 to 6 (05.02)."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


@rule("11e.ds-random.other-per-model")
def wound_steps(
    strength: Amount, toughness: int, in_force: Sequence[WeaponAbility], context: AttackContext, target: frozenset[str]
) -> tuple[Step, ...]:
    """The wound roll, after a roll for a random S and apart for each number needed.

    DEVIATION: a random S is rolled for each attack, also where one weapon makes several.
    """
    if not strength.dice.is_random:
        return (wound_step("wound", wound_on(strength.values[0], toughness), in_force, context, target),)
    needed = [wound_on(value, toughness) for value in strength.values]
    numbers = sorted(set(needed))
    outcomes = tuple(Outcome(f"{number}+", (Emit(f"wound-{number}"),), success=True) for number in numbers)
    roll = Step(
        "strength",
        outcomes,
        tuple(numbers.index(number) for number in needed),
        dice=strength.dice,
        rules=("11e.ds-random.other-per-model",),
    )
    return (roll, *(wound_step(f"wound-{n}", n, in_force, context, target) for n in numbers))


# --- saves, damage and target ----------------------------------------------------------------------------------------


@rule(
    "11e.core.05.04-save",
    "11e.core.05.04-ap-and-invulnerable",
    "11e.ds-weapons.ap-as-modifier",
    "11e.core.05.04-save-dice-modified-first",
)
def save_stops(die: int, save: int | None, invulnerable: int | None, ap: int, modifier: int = 0) -> bool:
    """Whether a save die stops the attack: both saves are tried with the same die, AP touches the armour save only.

    An unmodified 1 never does. A Sv worse than 6+ is no save.
    """
    if die == 1:
        return False
    if invulnerable is not None and die + modifier >= invulnerable:
        return True
    return save is not None and save <= 6 and die + modifier + ap >= save


@rule(
    "11e.24.10-devastating-wounds.mortal-equals-d",
    "11e.24.10-devastating-wounds.after-normal-damage",
    "11e.24.10-devastating-wounds.one-model-per-critical",
    "11e.24.10-devastating-wounds.excess-lost",
    "11e.24.10-devastating-wounds.example-intercessors",
    "11e.24.28.01-precision-devastating.mortals-to-character",
    "11e.24.28.01-precision-devastating.group-already-destroyed",
    "11e.ds-random.damage-timing",
    "11e.ds-random.damage-roll-name",
    "11e.ds-weapons.damage-per-attack",
    "11e.core.05.04-damage",
    "11e.core.05.04-mortal-wounds-after",
    "11e.core.06.02-devastating-wounds",
    "11e.core.06.02-precision",
    "11e.core.02-random-damage",
)
def packets(
    used: Characteristics,
    critical: Characteristics | None,
    groups: Sequence[AllocationGroup],
    in_force: Sequence[WeaponAbility],
    context: AttackContext,
) -> tuple[Packet, ...]:
    """What arrives at the target: normal damage and, with DEVASTATING WOUNDS, mortal wounds after it.

    Either hurts one model, and what that model cannot lose is lost. With PRECISION the mortal wounds follow the
    picked group while it lives.

    Args:
        critical: the characteristics of attacks that wounded critically, where they differ.

    RULING: 11e.24.10-devastating-wounds.mortal-equals-d we read it as: a random D is rolled for each critical wound.
    """
    normal = Packet(
        "damage",
        used.damage,
        stage=_NORMAL,
        reroll_damage=_damage_reroll(used.damage, context),
        rules=("11e.core.05.04-damage",),
    )
    if find(in_force, WeaponAbilityName.DEVASTATING_WOUNDS) is not None:
        damage = critical.damage if critical is not None else used.damage
        mortal = Packet(
            "devastating",
            damage,
            saved=False,
            stage=_MORTAL,
            reroll_damage=_damage_reroll(damage, context),
            keeps_group=find(in_force, WeaponAbilityName.PRECISION) is not None,
            keeps=_keeps_of_mortal_wounds(groups),
            rules=("11e.24.10-devastating-wounds.mortal-equals-d",),
        )
        return normal, mortal
    if critical is None:
        return (normal,)
    apart = replace(
        normal,
        name="critical",
        damage=critical.damage,
        reroll_damage=_damage_reroll(critical.damage, context),
        saves=tuple(save_table(group, critical.ap, context) for group in groups),
        rules=("11e.core.05.03-split-pools", *normal.rules),
    )
    return normal, apart


@rule("11e.24.12-feel-no-pain.roll-per-wound")
def _keeps_of_mortal_wounds(groups: Sequence[AllocationGroup]) -> tuple[int | None, ...] | None:
    """What keeps mortal wounds, group by group, where some Feel No Pain works against those alone."""
    if not any(Harm.MORTAL in each.against for group in groups for each in group.limited):
        return None
    return tuple(group.kept_on(Harm.MORTAL) for group in groups)


@rule("11e.ds-random.damage-roll-name")
def _damage_reroll(damage: Amount, context: AttackContext) -> RerollPermission | None:
    """Leave to throw damage rolls again; a fixed D has none."""
    return context.reroll_damage if damage.dice.is_random else None


def save_table(group: AllocationGroup, ap: Modified, context: AttackContext) -> SaveTable:
    """What each save die does for a group of the target."""
    modifier = roll_modifier(context.save_modifiers, cap=None)
    stops = tuple(save_stops(die, group.save, group.invulnerable, ap.number, modifier) for die in range(1, 7))
    best = next((die for die in range(2, 7) if stops[die - 1]), None)
    parts = [f"Sv {group.save}+ at AP{ap.number}"] if group.save is not None else ["no Sv"]
    if group.invulnerable is not None:
        parts.append(f"InSv {group.invulnerable}+")
    return SaveTable(
        (stops[0], stops[1], stops[2], stops[3], stops[4], stops[5]),
        label=f"{', '.join(parts)}: {f'{best}+' if best else 'none'}",
        reroll=context.reroll_saves,
        modifiers=context.save_modifiers,
        rules=("11e.core.05.04-save", *ap.rules),
    )


@rule("11e.core.05.04-feel-no-pain")
def target_of(
    target: TargetView, groups: Sequence[AllocationGroup], in_force: Sequence[WeaponAbility], context: AttackContext
) -> Target:
    """The target's groups in allocation order, and the one picked with PRECISION."""
    written = []
    for group in groups:
        models = [target.models[index] for index in group.models]
        written.append(
            Group(
                name=" + ".join(dict.fromkeys(model.profile.name for model in models)),
                wounds=group.wounds,
                remaining=tuple(model.remaining for model in models),
                feel_no_pain=group.feel_no_pain,
                is_character=group.is_character,
                points=sum(model.points for model in models) / len(models),
                feel_no_pain_rules=("11e.24.12-feel-no-pain.success-keeps-wound",) if group.feel_no_pain else (),
            )
        )
    return Target(tuple(written), precision_group=precision_group(groups, in_force, context))


@rule("11e.24.28-precision.select-character-group", "11e.24.28-precision.duration")
def precision_group(
    groups: Sequence[AllocationGroup], in_force: Sequence[WeaponAbility], context: AttackContext
) -> int | None:
    """The group picked with PRECISION, current until it is destroyed or the attacks are resolved."""
    if context.precision is None or find(in_force, WeaponAbilityName.PRECISION) is None:
        return None
    return next((n for n, group in enumerate(groups) if context.precision in group.models and group.is_character), None)
