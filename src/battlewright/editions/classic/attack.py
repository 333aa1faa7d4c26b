"""An attack of the classic editions written down before any die is rolled.

:func:`compile_volley` is the one place where weapon, circumstances and target become a
:class:`~battlewright.attacks.description.Volley`; the battle and the odds both go through it. What an edition decides
its own way stands in its :class:`AttackRules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from battlewright.attacks.description import (
    Allocation,
    AttackDice,
    Emit,
    Group,
    Outcome,
    Packet,
    SaveTable,
    Step,
    Target,
    Volley,
    amount,
)
from battlewright.core.dice import Modifier
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule
from battlewright.editions.classic import charts
from battlewright.editions.classic.armour import (
    DamageResult,
    DamageTable,
    Verdict,
    damage_packets,
    damage_steps,
    no_modifiers,
    verdict,
    whatever_ap,
)
from battlewright.editions.classic.draft import AttackContext, Draft, PenetrationDice
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.target import (
    TargetGroup,
    TargetModel,
    TargetView,
    kills_outright,
    majority_or_highest_weapon_skill,
    majority_or_lowest_toughness,
)
from battlewright.editions.classic.weapon_rules import WEAPON_RULES, WeaponRule
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile, WeaponType

__all__ = [
    "GUN_LOST",
    "HIT",
    "AttackRules",
    "compile_hits",
    "compile_piercing",
    "compile_volley",
    "draft_attack",
    "save_needed",
    "save_table",
]

HIT = "hit scored"
"""The packet of a hit that is still to be dealt out."""
GUN_LOST = "gun lost"
"""The packet of a hit that destroys a gun."""
_WHOLE = 10
"""As many wounds as any model has."""


def no_feel_no_pain(profile: ModelProfile, draft: Draft, outright: bool) -> int | None:
    """Nobody ignores a wound by a rule of the edition."""
    return None


def one_hit(draft: Draft) -> int:
    """A hit is one hit."""
    return 1


@rule("3e.core.weapons.ordnance-rim")
def half_rounded_up(strength: int) -> int:
    """Half of a Strength, rounded up."""
    return (strength + 1) // 2


@dataclass(frozen=True)
class AttackRules:
    """What an edition decides about attacks; what has a default is the same in most of them.

    Attributes:
        groups: the groups of a target, in the order in which wounds are dealt to them.
        is_legal_order: whether the owner may have wounds dealt to the groups in this order, which names each once.
        allocation: how wounds are dealt to them.
        glancing, penetrating, ordnance: the damage tables.
        hit_on: by BS. ``second_hit_on``: of a shot that has missed, by BS.
        strike_on: by WS and the opponent's WS. ``wound_on``: by Strength and Toughness.
        armour_stands, best_save: see :mod:`.charts`.
        toughness_against, weapon_skill_against: of a target whose models differ.
        kills_outright: by Strength and starting Toughness.
        feel_no_pain: the lowest D6 by which a model ignores an unsaved wound of an attack; None: it does not.
        verdict: by total and armour value. ``by_ap``: what the AP makes of a hit; ``table_modifiers``: what it adds to
            the roll on the damage table. ``hull_points``: whether each hit takes one, see :func:`.armour.damage_steps`.
        counts_as: how many hits on a vehicle one of an attack is.
        halved: half of a Strength.
        weapon_rules: what each weapon ability does; those left out have nothing to do with attack rolls.
    """

    groups: Callable[[TargetView], tuple[TargetGroup, ...]]
    is_legal_order: Callable[[Sequence[TargetGroup], Sequence[int]], bool]
    allocation: Allocation
    glancing: DamageTable
    penetrating: DamageTable
    ordnance: DamageTable
    hit_on: Callable[[int], int | None] = charts.hit_on
    second_hit_on: Callable[[int], int | None] = charts.no_second_try
    strike_on: Callable[[int, int], int] = charts.strike_on
    wound_on: Callable[[int, int], int | None] = charts.wound_on
    armour_stands: Callable[[int | None, int | None], bool] = charts.armour_stands
    best_save: Callable[[int | None, int | None, int | None], int | None] = charts.best_save
    toughness_against: Callable[[Sequence[TargetModel]], int] = majority_or_lowest_toughness
    weapon_skill_against: Callable[[Sequence[TargetModel]], int] = majority_or_highest_weapon_skill
    kills_outright: Callable[[int, int], bool] = kills_outright
    feel_no_pain: Callable[[ModelProfile, Draft, bool], int | None] = no_feel_no_pain
    verdict: Callable[[int, int], Verdict] = verdict
    hull_points: bool = False
    by_ap: Callable[[Verdict, int | None], Verdict] = whatever_ap
    table_modifiers: Callable[[int | None], tuple[Modifier, ...]] = no_modifiers
    counts_as: Callable[[Draft], int] = one_hit
    halved: Callable[[int], int] = half_rounded_up
    weapon_rules: Mapping[AbilityName, WeaponRule] = field(default_factory=lambda: WEAPON_RULES)


@rule("6e.core.weapons.ordnance-penetration")
@rule("3e.core.weapons.ordnance-penetration", "3e.core.weapons.ordnance-rim", "3e.core.units.large-creatures")
def draft_attack(rules: AttackRules, weapon: WeaponProfile, context: AttackContext, target: TargetView) -> Draft:
    """What is known of an attack once the weapon's abilities have had their say."""
    strength = weapon.strength.of(context.strength)
    skill = weapon.skill if weapon.skill is not None else context.skill
    hit_on: int | None
    if context.needed is not None:
        hit_on = context.needed
    elif weapon.melee:
        hit_on = rules.strike_on(skill, rules.weapon_skill_against(target.models))
    else:
        hit_on = rules.hit_on(1 if context.snap else skill)
    draft = Draft(
        weapon=weapon,
        context=context,
        target=target,
        strength=strength,
        hit_on=hit_on,
        second_hit_on=None if weapon.melee or context.snap else rules.second_hit_on(skill),
        precise_on=6 if context.picks and not context.snap else None,
        hits_without_roll=context.automatic or context.hits is not None,
        penetration=PenetrationDice.BEST_OF_TWO if weapon.type is WeaponType.ORDNANCE else PenetrationDice.ONE,
        penetration_modifiers=context.penetration,
        on_ordnance_table=weapon.type is WeaponType.ORDNANCE,
        reroll_hits=context.reroll_hits,
        reroll_wounds=context.reroll_wounds,
    )
    for name, change in rules.weapon_rules.items():
        if weapon.has(name):
            draft = change(draft)
    if draft.reroll_hits is not None or draft.hit_on is None:
        draft = replace(draft, second_hit_on=None)
    if context.half_strength:
        draft = replace(draft, strength=rules.halved(draft.strength))
    if draft.wound_on is None and target.armour is None:
        draft = replace(draft, wound_on=rules.wound_on(draft.strength, rules.toughness_against(target.models)))
    return draft


@rule("3e.core.shooting.order")
def compile_volley(
    rules: AttackRules,
    weapon: WeaponProfile,
    count: int,
    context: AttackContext,
    target: TargetView,
    order: Sequence[int] | None = None,
) -> Volley:
    """Write down the attacks of so many identical weapons against a target.

    Args:
        count: how many weapons make identical attacks.
        order: the owner's order of the groups of ``rules.groups``; as they stand by default. The volley's groups and
            save tables are in this order.

    Raises:
        BadInput: when the target has no models.
    """
    if not target.models:
        raise BadInput("the target has no living model")
    draft = draft_attack(rules, weapon, context, target)
    if target.armour is not None:
        return _against_vehicle(rules, draft, count)
    groups = rules.groups(target)
    groups = tuple(groups[index] for index in order) if order is not None else groups
    steps: tuple[Step, ...] = (_wound_step(draft),)
    if not draft.hits_without_roll:
        steps = (*_hit_steps(draft, "wound", rends=True), *steps)
        if draft.precise_on is not None:
            steps = (*steps, _wound_step(draft, "precise wound"))
    outright = _kills_outright(rules, draft, groups)
    return Volley(
        name=weapon.name,
        dice=_attack_dice(draft, count),
        entry=_entry(draft, steps[0].name),
        steps=steps,
        packets=_packets(rules, draft, groups, outright=outright),
        saves=tuple(save_table(rules, draft, group, armour=True) for group in groups),
        target=Target(
            tuple(_group(rules, draft, group, outright=outright) for group in groups), allocation=rules.allocation
        ),
        rules=("3e.core.shooting.order",),
    )


@rule("4e.damage-rolls.three-tables", "4e.vehicles-as-targets.penetration-per-hit")
def _against_vehicle(rules: AttackRules, draft: Draft, count: int) -> Volley:
    vehicle = draft.target.models[0]
    armour = vehicle.profile.armour
    assert armour is not None
    penetrating = rules.ordnance if draft.on_ordnance_table else rules.penetrating
    after = damage_steps(
        draft,
        armour,
        rules.verdict,
        rules.glancing,
        penetrating,
        hull_points=rules.hull_points,
        by_ap=rules.by_ap,
        table_modifiers=rules.table_modifiers,
    )
    draft = replace(draft, precise_on=None, counts_as=rules.counts_as(draft))
    steps = after if draft.hits_without_roll else (*_each_counting(draft, after[0].name), *after)
    tables = (penetrating,) if rules.hull_points else (rules.glancing, penetrating)
    packets = damage_packets(*tables, hull_points=rules.hull_points, immobilised=draft.target.immobilised)
    if draft.overheats_on:
        packets = (*packets, _OVERHEATED)
    return Volley(
        name=draft.weapon.name,
        dice=_attack_dice(draft, count),
        entry=_entry(draft, steps[0].name, draft.counts_as if draft.hits_without_roll else 1),
        steps=steps,
        packets=packets,
        saves=(),
        target=Target(
            (Group(vehicle.profile.name, vehicle.profile.wounds, (vehicle.remaining,), points=vehicle.points),),
            allocation=rules.allocation,
        ),
        rules=("3e.core.shooting.order",),
    )


@rule("4e.artillery.gun-destroyed", "4e.artillery.gun-av", "3e.core.units.artillery-hits")
def compile_piercing(rules: AttackRules, weapon: WeaponProfile, context: AttackContext, target: TargetView) -> Volley:
    """Hits on a gun as far as their penetration: whatever glances or penetrates is a packet ``GUN_LOST``."""
    whole = compile_volley(rules, weapon, 1, context, target)
    tables = {table.name for table in (rules.glancing, rules.penetrating, rules.ordnance)}
    ends = tables | {str(DamageResult.HULL_POINT)}
    steps = tuple(
        replace(
            step,
            outcomes=tuple(
                replace(each, emits=(Emit(GUN_LOST),)) if any(emit.to in ends for emit in each.emits) else each
                for each in step.outcomes
            ),
        )
        for step in whole.steps
        if step.name not in tables
    )
    return replace(whole, steps=steps, packets=(Packet(GUN_LOST, saved=False, effect=GUN_LOST),))


@rule("3e.core.vehicles.squadrons")
def compile_hits(
    rules: AttackRules, weapon: WeaponProfile, count: int, context: AttackContext, target: TargetView
) -> Volley:
    """The attacks of identical weapons as far as their hits, for a squadron among which these are shared out.

    Raises:
        BadInput: when the target has no models.
    """
    whole = compile_volley(rules, weapon, count, context, target)
    step = whole.steps[0]
    outcomes = tuple(
        replace(each, emits=(Emit(HIT),)) if each.emits and each.name != _OVERHEATED.name else each
        for each in step.outcomes
    )
    packets = (Packet(HIT, saved=False, effect=HIT), *(each for each in whole.packets if each is _OVERHEATED))
    return replace(whole, steps=(replace(step, outcomes=outcomes),), packets=packets)


def _attack_dice(draft: Draft, count: int) -> tuple[AttackDice, ...]:
    if draft.context.hits is not None:
        return (AttackDice(count, amount(1)),)
    return (AttackDice(count, draft.context.attacks or amount(draft.weapon.shots)),)


def _entry(draft: Draft, first: str, each: int = 1) -> tuple[Emit, ...]:
    hits = draft.context.hits if draft.context.hits is not None else amount(1)
    return (Emit(first, hits if each == 1 else replace(hits, values=tuple(each * value for value in hits.values))),)


@rule("4e.vulnerable-blasts.vehicle-two-hits")
def _each_counting(draft: Draft, following: str) -> tuple[Step, ...]:
    """The hit roll at a vehicle, each hit of which may count as several."""
    steps = _hit_steps(draft, following, rends=False)
    if draft.counts_as == 1:
        return steps
    several = (Emit(following, amount(draft.counts_as)),)
    return tuple(
        replace(
            step,
            outcomes=tuple(
                replace(each, emits=several) if each.emits == (Emit(following),) else each for each in step.outcomes
            ),
        )
        for step in steps
    )


# --- hitting and wounding --------------------------------------------------------------------------------------------

_OVERHEATED = Packet("gets hot", saved=False, effect="gets hot", rules=("3e.core.weapons.gets-hot",))


@rule("6e.core.shooting.second-try")
def _hit_steps(draft: Draft, following: str, *, rends: bool) -> tuple[Step, ...]:
    """The hit roll, and the second try for those who miss with a skill beyond the chart."""
    first = _hit_step(draft, following, rends=rends)
    second = draft.second_hit_on
    if second is None:
        return (first,)
    outcomes = (replace(first.outcomes[0], emits=(Emit("second try"),)), *first.outcomes[1:])
    again = Step(
        "second try",
        (Outcome("miss"), Outcome("hit", (Emit(following),), success=True)),
        tuple(int(die >= second) for die in range(1, 7)),
        needed=second,
        rules=("6e.core.shooting.second-try",),
    )
    return (replace(first, outcomes=outcomes), again)


@rule("3e.core.shooting.to-hit", "3e.core.weapons.gets-hot")
def _hit_step(draft: Draft, following: str, *, rends: bool) -> Step:
    """The hit roll: a 1 always misses, and may hit the firer; a 6 may rend."""
    needed, modifier = draft.hit_on, draft.context.hit_modifier
    outcomes = [Outcome("miss"), Outcome("hit", (Emit(following),), success=True)]
    by_die = [int(die > 1 and needed is not None and die + modifier >= needed) for die in range(1, 7)]
    if rends and draft.rends_on_hit is not None and needed is not None:
        outcomes.append(
            Outcome("rending hit", (Emit("rending"),), success=True, critical=True, rules=("3e.core.weapons.rending",))
        )
        by_die[draft.rends_on_hit - 1 :] = [len(outcomes) - 1] * (7 - draft.rends_on_hit)
    if draft.precise_on is not None and needed is not None:
        cites = ("6e.core.shooting.precision-wound",)
        outcomes.append(Outcome("precise hit", (Emit("precise wound"),), success=True, critical=True, rules=cites))
        by_die[draft.precise_on - 1 :] = [len(outcomes) - 1] * (7 - draft.precise_on)
    if draft.overheats_on:
        outcomes.append(Outcome("gets hot", (Emit("gets hot"),), rules=("3e.core.weapons.gets-hot",)))
        by_die[: draft.overheats_on] = [len(outcomes) - 1] * draft.overheats_on
    modifiers = (Modifier("", modifier),) if modifier else ()
    return Step(
        "hit",
        tuple(outcomes),
        tuple(by_die),
        needed=needed,
        reroll=draft.reroll_hits,
        modifiers=modifiers,
        rules=("3e.core.shooting.to-hit",),
    )


@rule("3e.core.shooting.to-wound", "3e.core.weapons.gauss", "3e.core.weapons.sniper", "3e.core.weapons.poison")
@rule("6e.core.weapons.rending")
def _wound_step(draft: Draft, name: str = "wound") -> Step:
    """The wound roll; of a precise hit under that name, whose wounds the attacker allocates."""
    precise = "precise " if name != "wound" else ""
    needed, modifier = draft.wound_on, draft.context.wound_modifier
    always = draft.always_wounds_on
    by_die = [
        int((needed is not None and die + modifier >= needed and die > 1) or (always is not None and die >= always))
        for die in range(1, 7)
    ]
    outcomes = [Outcome("fail"), Outcome("wound", (Emit(f"{precise}damage"),), success=True)]
    if draft.rends_on_wound is not None:
        cites = ("6e.core.weapons.rending",)
        outcomes.append(Outcome("rending", (Emit(f"{precise}rending"),), success=True, critical=True, rules=cites))
        by_die[draft.rends_on_wound - 1 :] = [2] * (7 - draft.rends_on_wound)
    return Step(
        name,
        tuple(outcomes),
        tuple(by_die),
        needed=needed if needed is not None else always,
        reroll=draft.reroll_wounds,
        modifiers=(Modifier("", modifier),) if modifier else (),
        rules=("3e.core.shooting.to-wound",),
    )


# --- saves, wounds, target -------------------------------------------------------------------------------------------


def effective_ap(draft: Draft) -> int | None:
    """The AP of an attack: its weapon's, or what its abilities make of it."""
    found = [ap for ap in (draft.weapon.ap, draft.ap) if ap is not None]
    return min(found, default=None)


@rule("6e.outside.no-cover-in-melee")
def save_needed(rules: AttackRules, draft: Draft, group: TargetGroup, *, armour: bool = True) -> int | None:
    """The number of the one save that the models of a group try, None where none stands.

    Args:
        armour: whether armour has a say (a rending wound: no).
    """
    worn = None
    if armour and not draft.ignores_armour and rules.armour_stands(group.save, effective_ap(draft)):
        worn = group.save if group.save is None else max(group.save, draft.best_armour)
    cover = None if draft.ignores_cover or draft.weapon.melee else group.cover
    return rules.best_save(worn, group.invulnerable, cover)


@rule("3e.outside.armour-save", "3e.core.assault.saves")
def save_table(rules: AttackRules, draft: Draft, group: TargetGroup, *, armour: bool = True) -> SaveTable:
    """What each save die does for a group: the number or more stops the wound, a 1 never does."""
    needed = save_needed(rules, draft, group, armour=armour)
    modifier = draft.context.save_modifier
    stops = tuple(die > 1 and needed is not None and die + modifier >= needed for die in range(1, 7))
    return SaveTable(
        (stops[0], stops[1], stops[2], stops[3], stops[4], stops[5]),
        label="no save" if needed is None else f"{needed}+",
        reroll=draft.context.reroll_saves,
        modifiers=(Modifier("", modifier),) if modifier else (),
        rules=("3e.outside.armour-save",),
    )


def _kills_outright(rules: AttackRules, draft: Draft, groups: Sequence[TargetGroup]) -> bool:
    """Whether a wound takes all of its model's wounds.

    DEVIATION: where groups of several wounds differ in Toughness, the lowest of them decides for all.
    """
    several = [group.base_toughness for group in groups if group.wounds > 1]
    return bool(several) and (draft.kills or rules.kills_outright(draft.strength, min(several)))


def _packets(rules: AttackRules, draft: Draft, groups: Sequence[TargetGroup], *, outright: bool) -> tuple[Packet, ...]:
    damage = amount(_WHOLE if outright else draft.wounds)
    killing = ("3e.instant-kill.trigger",) if outright else ()
    packets = [Packet("damage", damage, rules=killing)]
    tables = tuple(save_table(rules, draft, group, armour=False) for group in groups)
    rends = draft.rends_on_wound is not None or (draft.rends_on_hit is not None and not draft.hits_without_roll)
    cites = ("6e.core.weapons.rending" if draft.rends_on_wound is not None else "3e.core.weapons.rending", *killing)
    if rends:
        packets.append(Packet("rending", damage, saves=tables, rules=cites))
    if draft.precise_on is not None and not draft.hits_without_roll:
        precision = "6e.core.shooting.precision-wound"
        packets.append(Packet("precise damage", damage, rules=(precision, *killing)))
        if rends:
            packets.append(Packet("precise rending", damage, saves=tables, rules=(precision, *cites)))
    if draft.overheats_on:
        packets.append(_OVERHEATED)
    return tuple(packets)


@rule("3e.instant-kill.unwounded-first", "3e.instant-kill.last-model", "3e.multi-wound.whole-models")
def _group(rules: AttackRules, draft: Draft, group: TargetGroup, *, outright: bool) -> Group:
    """A group as the description has it: whole models are lost, a wounded one first, by instant kills last."""
    models = [draft.target.models[index] for index in group.models]
    remaining = sorted((model.remaining for model in models), reverse=outright)
    return Group(
        name=" + ".join(dict.fromkeys(model.profile.name for model in models)),
        wounds=group.wounds,
        remaining=tuple(remaining),
        points=sum(model.points for model in models) / len(models),
        feel_no_pain=rules.feel_no_pain(models[0].profile, draft, outright),
    )
