"""The circumstances of an attack of the 11th edition, and the characteristics that it is made with.

Cover, plunging fire and other changes of BS or WS are changes of a characteristic: they are not counted in the limit
of hit roll modifiers (01.05).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from battlewright.attacks.description import Amount, RerollPermission
from battlewright.core.dice import DiceExpression, Modifier
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.ability_text import WeaponAbility, WeaponAbilityName
from battlewright.editions.eleventh.datasheet import WeaponProfile
from battlewright.editions.eleventh.modifiers import (
    LIMITS,
    Change,
    Characteristic,
    Modified,
    ModifierKind,
    Operation,
    improve,
    is_harmful,
    kept_modifiers,
    may_ignore,
    modified_amount,
    modify,
    without_harmful,
    worsen,
)
from battlewright.editions.eleventh.target import TargetView
from battlewright.editions.eleventh.weapon_abilities import find

__all__ = [
    "CRITICAL",
    "AttackContext",
    "Characteristics",
    "attacks_in_use",
    "characteristics",
    "close_quarters_penalties",
    "critical_context",
    "has_cover",
    "is_indirect",
    "kept_roll_modifiers",
]

CRITICAL = 6
"""The lowest unmodified hit or wound roll that is critical unless a rule says otherwise (05.01, 05.02)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackContext:
    """The circumstances of an attack, as of the Select Targets step.

    Attributes:
        half_range: whether the target is within half the weapon's range.
        cover: whether the target has the benefit of cover by terrain or a rule; Stealth and indirect shooting are
            seen to here.
        plunging: whether the attack is plunging fire.
        heavy: whether the conditions of HEAVY are met (:func:`~.weapon_abilities.heavy_applies`).
        charged: whether the attacker's unit made a charge move this turn.
        indirect: whether the attack is made by indirect shooting.
        spotted: for an indirect attack, whether the unit remained stationary and a friendly unit sees the target.
        snap: whether the attack is made by snap shooting.
        torrent_rolls: whether TORRENT weapons then need their 6s, too.
        damaged: whether the attacking model is damaged (24.39).
        target_models: models of the target in the Select Targets step; None for as many as there are.
        single_target: whether all attacks of the weapon have this one target.
        hit_modifiers, wound_modifiers, save_modifiers: of the rolls, by other rules; + helps who rolls.
        skill_changes, strength_changes, ap_changes, attacks_changes, damage_changes: of the weapon's
            characteristics, by other rules.
        critical_wound_ap, critical_wound_damage: further changes of AP and D for attacks that wound critically.
        critical_hits, critical_wounds: the lowest unmodified roll that is critical.
        reroll_hits, reroll_wounds, reroll_saves, reroll_damage: permissions by other rules.
        granted: weapon abilities by other rules.
        chosen: the instances of duplicated weapon abilities that the attacker picked.
        ignores: kinds of modifiers that the attacker may ignore; the harmful ones are.
        ignoring: of ``"hit"``, ``"wound"``, ``"skill"`` and ``"close-quarters"`` those of which the attacker may ignore
            the modifiers.
        snap_hits: the lowest unmodified hit roll that hits in snap shooting.
        ignored: rules whose modifiers the attacker ignores, where leave is given; None for the harmful ones.
        precision: index into the target's models of the CHARACTER whose group the attacker picked, or None.
    """

    half_range: bool = False
    cover: bool = False
    plunging: bool = False
    heavy: bool = False
    charged: bool = False
    indirect: bool = False
    spotted: bool = False
    snap: bool = False
    torrent_rolls: bool = False
    damaged: bool = False
    target_models: int | None = None
    single_target: bool = True
    hit_modifiers: tuple[Modifier, ...] = ()
    wound_modifiers: tuple[Modifier, ...] = ()
    save_modifiers: tuple[Modifier, ...] = ()
    skill_changes: tuple[Change, ...] = ()
    strength_changes: tuple[Change, ...] = ()
    ap_changes: tuple[Change, ...] = ()
    attacks_changes: tuple[Change, ...] = ()
    damage_changes: tuple[Change, ...] = ()
    critical_wound_ap: tuple[Change, ...] = ()
    critical_wound_damage: tuple[Change, ...] = ()
    critical_hits: int = CRITICAL
    critical_wounds: int = CRITICAL
    reroll_hits: RerollPermission | None = None
    reroll_wounds: RerollPermission | None = None
    reroll_saves: RerollPermission | None = None
    reroll_damage: RerollPermission | None = None
    granted: tuple[WeaponAbility, ...] = ()
    chosen: tuple[WeaponAbility, ...] = ()
    ignores: frozenset[ModifierKind] = frozenset()
    ignoring: frozenset[str] = frozenset()
    snap_hits: int = CRITICAL
    ignored: frozenset[str] | None = None
    precision: int | None = None


@rule(
    "11e.24.18-ignores-cover.no-cover",
    "11e.24.18-ignores-cover.overrides-granted-cover",
    "11e.24.33-stealth.cover-vs-ranged",
    "11e.core.13.08-by-rule",
)
def has_cover(
    weapon: WeaponProfile, in_force: Sequence[WeaponAbility], context: AttackContext, target: TargetView
) -> bool:
    """Whether this attack finds its target with the benefit of cover: ranged, and not with IGNORES COVER."""
    if weapon.melee or find(in_force, WeaponAbilityName.IGNORES_COVER) is not None:
        return False
    return context.cover or is_indirect(in_force, context) or target.has_stealth


@rule("11e.core.10.07-other-weapons", "11e.core.10.07-penalties-when-visible")
def is_indirect(in_force: Sequence[WeaponAbility], context: AttackContext) -> bool:
    """Whether an attack of indirect shooting bears its penalties: only INDIRECT FIRE weapons do, also in the open."""
    return context.indirect and find(in_force, WeaponAbilityName.INDIRECT_FIRE) is not None


@rule(
    "11e.core.10.06-monsters-and-vehicles",
    "11e.core.17.03-penalty",
)
def close_quarters_penalties(
    weapon: WeaponProfile,
    *,
    close_quarters_shooting: bool,
    shooter_is_monster_or_vehicle: bool,
    engaged_with_target: bool,
    target_is_engaged_monster_or_vehicle: bool,
) -> tuple[Modifier, ...]:
    """The modifiers of hit rolls for shooting out of combat (10.06) and at engaged MONSTERS and VEHICLES (17.03).

    Args:
        engaged_with_target: whether the attacker's unit is engaged with the target.
        target_is_engaged_monster_or_vehicle: whether the target is a MONSTER or VEHICLE engaged with any unit of the
            attacker's side.
    """
    if weapon.has(WeaponAbilityName.CLOSE_QUARTERS) and engaged_with_target:
        return ()
    found = []
    if close_quarters_shooting and shooter_is_monster_or_vehicle:
        found.append(Modifier("11e.core.10.06-monsters-and-vehicles", -1))
    if target_is_engaged_monster_or_vehicle:
        found.append(Modifier("11e.core.17.03-penalty", -1))
    return tuple(found)


# --- the characteristics in use --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Characteristics:
    """A weapon's characteristics in use for one attack, each with its explanation.

    Attributes:
        skill: None when no hit roll is made.
    """

    attacks: Amount
    skill: Modified | None
    strength: Amount
    ap: Modified
    damage: Amount


@rule(
    "11e.core.13.08-effect",
    "11e.core.22.05-plunging-fire",
    "11e.core.01.05-skill-is-not-the-roll",
    "11e.24.25-melta.adds-to-d",
    "11e.core.05.04-damage-modifiers",
    "11e.24.25-melta.duration",
    "11e.24.25-melta.example",
    "11e.core.05.04-damage-modifiers",
    "11e.ds-characteristic-modifiers.ws-bs-all-weapons",
)
def characteristics(
    weapon: WeaponProfile, in_force: Sequence[WeaponAbility], context: AttackContext, target: TargetView
) -> Characteristics:
    """Work out A, BS or WS, S, AP and D for an attack.

    Cover makes BS one worse and plunging fire one better; MELTA adds to D within half range.
    """
    skill_changes = list(context.skill_changes)
    if has_cover(weapon, in_force, context, target):
        skill_changes.append(worsen(Characteristic.BS, 1, "11e.core.13.08-effect"))
    if context.plunging and not weapon.melee:
        skill_changes.append(improve(Characteristic.BS, 1, "11e.core.22.05-plunging-fire"))
    damage_changes = list(context.damage_changes)
    melta = find(in_force, WeaponAbilityName.MELTA)
    if melta is not None and melta.value is not None and context.half_range:
        damage_changes.append(Change(Operation.ADD, melta.value.bonus, "11e.24.25-melta.adds-to-d"))
    skill = None
    if weapon.skill is not None and find(in_force, WeaponAbilityName.TORRENT) is None:
        which = Characteristic.WS if weapon.melee else Characteristic.BS
        kept = _kept_skill_changes(in_force, context, which, weapon.skill, skill_changes)
        skill = modify(weapon.skill, kept, LIMITS[which])
    elif context.snap and context.torrent_rolls and not weapon.melee:
        skill = modify(CRITICAL, (), LIMITS[Characteristic.BS])
    return Characteristics(
        attacks=attacks_in_use(weapon, context),
        skill=skill,
        strength=_amount(Characteristic.S, weapon.strength_in_use, context.strength_changes, context),
        ap=modify(
            weapon.armour_penetration,
            _kept(Characteristic.AP, weapon.armour_penetration, context.ap_changes, context),
            LIMITS[Characteristic.AP],
        ),
        damage=_amount(Characteristic.D, weapon.damage, damage_changes, context),
    )


def attacks_in_use(weapon: WeaponProfile, context: AttackContext) -> Amount:
    """A of the weapon with its modifiers."""
    return _amount(Characteristic.A, weapon.attacks, context.attacks_changes, context)


@rule("11e.core.05.03-split-pools")
def critical_context(context: AttackContext) -> AttackContext | None:
    """The circumstances of attacks that wound critically, where rules change their AP or D; None where none does."""
    if not context.critical_wound_ap and not context.critical_wound_damage:
        return None
    return replace(
        context,
        ap_changes=context.ap_changes + context.critical_wound_ap,
        damage_changes=context.damage_changes + context.critical_wound_damage,
    )


def _amount(which: Characteristic, dice: DiceExpression, changes: Sequence[Change], context: AttackContext) -> Amount:
    return modified_amount(dice, _kept(which, dice.minimum, changes, context), LIMITS[which])


def _kept(which: Characteristic, printed: int, changes: Sequence[Change], context: AttackContext) -> Sequence[Change]:
    """The changes of a weapon's characteristic that are left when the attacker ignores what may be ignored."""
    if not changes or not context.ignores or not may_ignore(ModifierKind.WEAPON, context.ignores):
        return changes
    if context.ignored is not None:
        return [change for change in changes if change.rule not in context.ignored]
    return without_harmful(which, printed, changes)


@rule("11e.24.29-psychic.ignore-skill-modifiers")
def _kept_skill_changes(
    in_force: Sequence[WeaponAbility],
    context: AttackContext,
    which: Characteristic,
    printed: int,
    changes: Sequence[Change],
) -> Sequence[Change]:
    """The changes of BS or WS that are left: PSYCHIC lets the attacker ignore any of them."""
    if find(in_force, WeaponAbilityName.PSYCHIC) is None and "skill" not in context.ignoring:
        return _kept(which, printed, changes, context)
    ignored = context.ignored
    return [
        change
        for change in changes
        if not (is_harmful(which, change, printed) if ignored is None else change.rule in ignored)
    ]


@rule("11e.24.29-psychic.ignore-hit-modifiers", "11e.ds-ignore-modifiers.example-hit")
def kept_roll_modifiers(
    modifiers: Sequence[Modifier], context: AttackContext, *, roll: str, psychic: bool = False
) -> tuple[Modifier, ...]:
    """The modifiers of a ``"hit"`` or ``"wound"`` roll that are left when the attacker ignores what may be ignored.

    RULING: 11e.core.10.06-monsters-and-vehicles leave to ignore "the engagement penalty" means this one.
    """
    if "close-quarters" in context.ignoring:
        modifiers = [each for each in modifiers if each.rule != "11e.core.10.06-monsters-and-vehicles"]
    any_roll = bool(context.ignores) and may_ignore(ModifierKind.ROLL, context.ignores)
    if not psychic and not any_roll and roll not in context.ignoring:
        return tuple(modifiers)
    ignored = context.ignored
    dropped = [
        place
        for place, modifier in enumerate(modifiers)
        if (modifier.amount < 0 if ignored is None else modifier.rule in ignored)
    ]
    return kept_modifiers(modifiers, dropped)
