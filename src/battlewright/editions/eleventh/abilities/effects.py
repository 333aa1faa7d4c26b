"""The effects of abilities: how each type of the encoding is read into effects that hooks carry out.

Whoever adds a type writes a function from (modifier, whom it reaches) to effects and enters it in the table at the
end. A key of the modifier that the function does not know makes the whole ability not understood.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from battlewright.attacks.description import RerollWhich
from battlewright.core.errors import ProfileError
from battlewright.editions.eleventh.abilities import further, profiles
from battlewright.editions.eleventh.abilities.fields import ATTACKING, TYPES, Found, melee_alone, only, reaching, whole
from battlewright.editions.eleventh.abilities.language import (
    CoreGrant,
    Cover,
    Critical,
    Effect,
    Ignore,
    Ignored,
    KeywordGrant,
    NotUnderstood,
    Permission,
    Permit,
    Record,
    Reroll,
    Roll,
    RollChange,
    SnapHits,
    TargetedWithin,
    WeaponChange,
    WeaponGrant,
    Whose,
)
from battlewright.editions.eleventh.ability_text import (
    CoreAbility,
    CoreAbilityName,
    Harm,
    WeaponAbility,
    WeaponAbilityName,
    parse_core_ability,
    parse_weapon_ability,
)

__all__ = ["PLACING", "is_of_attack", "is_of_defence", "read_effect"]

PLACING = frozenset({CoreAbilityName.DEEP_STRIKE, CoreAbilityName.INFILTRATORS, CoreAbilityName.SCOUTS})
"""Core abilities that matter before a unit stands on the battlefield."""
_GRANTED = frozenset(
    {
        WeaponAbilityName.ANTI,
        WeaponAbilityName.ASSAULT,
        WeaponAbilityName.BLAST,
        WeaponAbilityName.CLEAVE,
        WeaponAbilityName.DEVASTATING_WOUNDS,
        WeaponAbilityName.HEAVY,
        WeaponAbilityName.IGNORES_COVER,
        WeaponAbilityName.LANCE,
        WeaponAbilityName.LETHAL_HITS,
        WeaponAbilityName.MELTA,
        WeaponAbilityName.PRECISION,
        WeaponAbilityName.PSYCHIC,
        WeaponAbilityName.RAPID_FIRE,
        WeaponAbilityName.SUSTAINED_HITS,
        WeaponAbilityName.TORRENT,
        WeaponAbilityName.TWIN_LINKED,
    }
)
"""Weapon abilities that work when another rule gives them to an attack."""
_GRANTED_TO_MODELS = frozenset(
    {
        CoreAbilityName.DEEP_STRIKE,
        CoreAbilityName.FEEL_NO_PAIN,
        CoreAbilityName.FIGHTS_FIRST,
        CoreAbilityName.INFILTRATORS,
        CoreAbilityName.LONE_OPERATIVE,
        CoreAbilityName.SCOUTS,
        CoreAbilityName.STEALTH,
    }
)


def read_effect(kind: str, modifier: Record, whose: Whose, ability: str) -> tuple[tuple[Effect, Whose], ...]:
    """The effects of one leaf of an encoding, each with whom it reaches.

    Args:
        kind: the effect's type.
        ability: the name of the ability, under which explanations tell of the change.

    Raises:
        NotUnderstood: naming what is not known of it.
    """
    reader = _READERS.get(kind)
    if reader is None:
        raise NotUnderstood(f"effect {kind}")
    try:
        return tuple(reader(modifier, whose, ability))
    except NotUnderstood as fault:
        raise NotUnderstood(f"effect {kind}: {fault}") from None


def is_of_attack(effect: Effect) -> bool:
    """Whether the effect is one on an attack, so that its conditions may ask about that attack."""
    if isinstance(effect, RollChange | Reroll):
        return effect.roll not in (Roll.CHARGE, Roll.ADVANCE, Roll.BATTLE_SHOCK)
    if isinstance(effect, Ignore):
        return effect.what not in (Ignored.PROFILE, Ignored.CHARGE, Ignored.ADVANCE)
    return isinstance(effect, Critical | WeaponGrant | WeaponChange | Cover | SnapHits)


def is_of_defence(effect: Effect, whose: Whose) -> bool:
    """Whether the effect works for a whole target, not for some of its models."""
    return whose is Whose.AGAINST and isinstance(effect, RollChange | Reroll | WeaponChange | Cover | TargetedWithin)


# --- rolls -----------------------------------------------------------------------------------------------------

"""RULING: 11e.core.01.07-battle-shock-roll a battle-shock roll is the one leadership roll that a battle knows."""
_ROLLS = {"hit": Roll.HIT, "wound": Roll.WOUND, "save": Roll.SAVE, "charge": Roll.CHARGE, "advance": Roll.ADVANCE}


def _roll(modifier: Record, *allowed: Roll) -> Roll:
    name = str(modifier.get("roll"))
    roll = _ROLLS.get(name) or profiles.LEADERSHIP_ROLLS.get(name) or (Roll.DAMAGE if name == "damage" else None)
    if roll is None or roll not in allowed:
        raise NotUnderstood(f"roll {modifier.get('roll')}")
    return roll


def _roll_modifier(modifier: Record, whose: Whose, ability: str) -> Found:
    operation = modifier.get("operation", "crit-on" if "critical_on" in modifier else None)
    if operation == "crit-on":
        key = "critical_on" if "critical_on" in modifier else "value"
        only(modifier, "operation", "roll", key, *TYPES)
        reaching(whose, *ATTACKING)
        roll = _roll(modifier, Roll.HIT, Roll.WOUND)
        return [(Critical(roll, whole(modifier, key, 2, 6), melee_alone(modifier)), whose)]
    if operation == "ignore-modifiers":
        return _ignoring(modifier, whose)
    if operation == "ignore-engagement-penalty":
        only(modifier, "operation", "roll")
        _roll(modifier, Roll.HIT)
        reaching(whose, *ATTACKING)
        return [(Ignore(Ignored.CLOSE_QUARTERS, melee=False), whose)]
    if operation == "set" and modifier.get("context") == "overwatch":
        only(modifier, "operation", "roll", "value", "context")
        _roll(modifier, Roll.HIT)
        reaching(whose, Whose.BEARER, Whose.UNIT)
        return [(SnapHits(whole(modifier, low=2, high=5)), whose)]
    if operation not in ("add", "subtract"):
        raise NotUnderstood(f"operation {operation}")
    only(modifier, "operation", "roll", "value", "incoming", *TYPES)
    roll = _roll(modifier, Roll.HIT, Roll.WOUND, Roll.SAVE, Roll.CHARGE, Roll.ADVANCE)
    amount = whole(modifier) if operation == "add" else -whole(modifier)
    if modifier.get("incoming"):
        reaching(whose, Whose.UNIT)
        whose = Whose.AGAINST
    return [(RollChange(roll, amount, melee_alone(modifier)), _whose_roll(roll, amount, whose))]


_IGNORED = {
    "hit": (Ignored.HIT,),
    "wound": (Ignored.WOUND,),
    "charge": (Ignored.CHARGE,),
    "advance": (Ignored.ADVANCE,),
    "all": (Ignored.HIT, Ignored.WOUND, Ignored.CHARGE, Ignored.ADVANCE),
    "any": (Ignored.HIT, Ignored.WOUND, Ignored.CHARGE, Ignored.ADVANCE),
    "BS, WS, Hit and Wound": (Ignored.SKILL, Ignored.HIT, Ignored.WOUND),
}


def _ignoring(modifier: Record, whose: Whose) -> Found:
    """RULING: 11e.ds-ignore-modifiers.scope an encoding of "all" rolls means those rolls and no characteristics."""
    only(modifier, "operation", "roll", *TYPES)
    reaching(whose, *ATTACKING)
    what, melee = _IGNORED.get(str(modifier.get("roll"))), melee_alone(modifier)
    if what is None:
        raise NotUnderstood(f"ignores modifiers of {modifier.get('roll')}")
    return [(Ignore(each, melee), whose) for each in what]


def _modifier_immunity(modifier: Record, whose: Whose, ability: str) -> Found:
    only(modifier, "scope")
    if modifier.get("scope") != "characteristics":
        raise NotUnderstood(f"scope {modifier.get('scope')}")
    reaching(whose, Whose.BEARER, Whose.UNIT)
    return [(Ignore(Ignored.WEAPON), whose), (Ignore(Ignored.PROFILE), whose)]


def _bs_modifier(modifier: Record, whose: Whose, ability: str) -> Found:
    if modifier.get("operation") == "ignore-modifiers":
        only(modifier, "operation")
        reaching(whose, *ATTACKING)
        return [(Ignore(Ignored.SKILL, melee=False), whose)]
    operation = {"improve": "add", "worsen": "subtract"}.get(str(modifier.get("operation")), modifier.get("operation"))
    return profiles.stat_modifier({**modifier, "operation": operation, "stat": "BS"}, whose, ability)


def _whose_roll(roll: Roll, amount: int, whose: Whose) -> Whose:
    """Whose the modified rolls are; which is not said where a unit's own rolls would be made worse."""
    if roll is Roll.SAVE:
        reaching(whose, Whose.UNIT)
        return Whose.AGAINST
    if roll in (Roll.CHARGE, Roll.ADVANCE):
        if whose is Whose.AGAINST:
            raise NotUnderstood("for against")
        return whose
    helps = whose in ATTACKING
    if helps is not (amount > 0):
        raise NotUnderstood("whose rolls it means")
    return whose


_SUBSETS = {"ones": RerollWhich.ONES, "all-failures": RerollWhich.FAILURES}


def _re_roll(modifier: Record, whose: Whose, ability: str) -> Found:
    only(modifier, "roll", "subset", "result_scope", *TYPES)
    reaching(whose, *ATTACKING)
    roll = _roll(modifier, Roll.HIT, Roll.WOUND, Roll.DAMAGE, Roll.CHARGE, Roll.ADVANCE, Roll.BATTLE_SHOCK)
    if modifier.get("result_scope") == "any-result" and "subset" not in modifier:
        which = RerollWhich.ALL
    elif modifier.get("subset") in _SUBSETS and "result_scope" not in modifier:
        which = _SUBSETS[modifier["subset"]]
    else:
        raise NotUnderstood("which dice")
    if roll not in (Roll.HIT, Roll.WOUND):
        if which is RerollWhich.ONES and roll is not Roll.DAMAGE:
            raise NotUnderstood("which dice")
        if which is RerollWhich.FAILURES:
            which = RerollWhich.ALL  # such a roll cannot fail: the data says so of re-rolls of any result
    return [(Reroll(roll, which, melee_alone(modifier)), whose)]


def _charge_roll(modifier: Record, whose: Whose, ability: str) -> Found:
    return _roll_modifier({"roll": "charge", **modifier}, whose, ability)


# --- abilities -------------------------------------------------------------------------------------------------


def _keyword_grant(modifier: Record, whose: Whose, ability: str) -> Found:
    only(modifier, "keywords", "keyword", "value", "scope", *TYPES)
    if modifier.get("scope", "weapon") != "weapon":
        raise NotUnderstood(f"scope {modifier['scope']}")
    names = list(modifier.get("keywords") or ())
    if "keyword" in modifier:
        names.append(f"{modifier['keyword']} {modifier['value']}" if "value" in modifier else modifier["keyword"])
    if not names or ("value" in modifier and "keyword" not in modifier):
        raise NotUnderstood("what it grants")
    melee = melee_alone(modifier)
    for name in names:
        if str(name).upper() in _KEYWORDS and whose is Whose.BEARER:
            yield KeywordGrant((str(name).upper(),)), whose
            continue
        weapon = _weapon_ability(str(name))
        if weapon is not None:
            reaching(whose, *ATTACKING)
            yield WeaponGrant((weapon,), melee), whose
        else:
            yield _core_grant(str(name), whose), whose


_KEYWORDS = frozenset({"SMOKE", "GRENADES", "EXPLOSIVES"})
"""Keywords of models that stand beside weapon abilities in the data."""


def _unit_keyword_grant(modifier: Record, whose: Whose, ability: str) -> Found:
    only(modifier, "keyword")
    reaching(whose, Whose.BEARER)
    return [(KeywordGrant((str(modifier["keyword"]).upper(),)), whose)]


def _weapon_ability(text: str) -> WeaponAbility | None:
    try:
        found = parse_weapon_ability(text.upper().replace("SUSTAINED-HITS", "SUSTAINED HITS"))
    except ProfileError:
        return None
    if found.name not in _GRANTED:
        raise NotUnderstood(f"grants {found.name}")
    return found


def _core_grant(text: str, whose: Whose) -> CoreGrant:
    try:
        found = parse_core_ability(text)
    except ProfileError:
        raise NotUnderstood(f"grants {text}") from None
    return _granting(found, whose)


def _granting(found: CoreAbility, whose: Whose) -> CoreGrant:
    if found.name not in _GRANTED_TO_MODELS:
        raise NotUnderstood(f"grants {found.name}")
    reaching(whose, *((Whose.BEARER, Whose.UNIT) if found.name in PLACING else ATTACKING))
    return CoreGrant(found)


_ACTS = {
    ("advance", "shoot"): Permit.SHOOT_AFTER_ADVANCE,
    ("advance", "charge"): Permit.CHARGE_AFTER_ADVANCE,
    ("fall-back", "shoot"): Permit.SHOOT_AFTER_FALL_BACK,
    ("fall-back", "charge"): Permit.CHARGE_AFTER_FALL_BACK,
}


def _act_after_move(modifier: Record, whose: Whose) -> Found:
    only(modifier, "grant_type", "acts", "moves")
    reaching(whose, *ATTACKING)
    asked = [(move, act) for move in modifier.get("moves") or () for act in modifier.get("acts") or ()]
    if not asked or any(each not in _ACTS for each in asked):
        raise NotUnderstood(f"acts {modifier.get('acts')} after {modifier.get('moves')}")
    return [(Permission(_ACTS[each]), whose) for each in asked]


def _disembark_after_move(modifier: Record, whose: Whose, ability: str) -> Found:
    """RULING: 11e.core.18.07-shock-disembark units that get out "after it has Advanced" make a shock disembark."""
    only(modifier, "after", "can_charge", "counts_as_normal_move")
    reaching(whose, Whose.BEARER, Whose.UNIT)
    match modifier.get("after"), modifier.get("can_charge"):
        case "normal-move", True:
            return [(Permission(Permit.ASSAULT_DISEMBARK), whose)]
        case "advance", False:
            return [(Permission(Permit.SHOCK_DISEMBARK), whose)]
    raise NotUnderstood(f"after {modifier.get('after')}")


_PERMITS: Mapping[str, tuple[Permit, ...]] = {
    "charge-after-advance": (Permit.CHARGE_AFTER_ADVANCE,),
    "advance-and-charge": (Permit.CHARGE_AFTER_ADVANCE,),
    "charge-after-fall-back": (Permit.CHARGE_AFTER_FALL_BACK,),
    "fall-back-and-charge": (Permit.CHARGE_AFTER_FALL_BACK,),
    "shoot-after-fall-back": (Permit.SHOOT_AFTER_FALL_BACK,),
    "shoot-after-fallback": (Permit.SHOOT_AFTER_FALL_BACK,),
    "shoot-after-advance": (Permit.SHOOT_AFTER_ADVANCE,),
    "shoot-after-advance-or-fall-back": (Permit.SHOOT_AFTER_ADVANCE, Permit.SHOOT_AFTER_FALL_BACK),
    "charge-after-advance-or-fall-back": (Permit.CHARGE_AFTER_ADVANCE, Permit.CHARGE_AFTER_FALL_BACK),
    "fall-back-and-shoot": (Permit.SHOOT_AFTER_FALL_BACK,),
}


def _ability_grant(modifier: Record, whose: Whose, ability: str) -> Found:
    if modifier.get("grant_type") == "act-after-move":
        return _act_after_move(modifier, whose)
    only(modifier, "ability_id", "grant_type")
    name = str(modifier.get("ability_id") or modifier.get("grant_type"))
    if name == "benefit-of-cover":
        reaching(whose, Whose.BEARER, Whose.UNIT)
        return [(Cover(), Whose.AGAINST)]
    if name in _PERMITS:
        reaching(whose, *ATTACKING)
        return [(Permission(permit), whose) for permit in _PERMITS[name]]
    return [(_core_grant(name.replace("-", " "), whose), whose)]


def _fall_back_and_act(modifier: Record, whose: Whose, ability: str) -> Found:
    """RULING: 11e.core.09.07-fall-back-move the data's plain form means that the unit may both shoot and charge."""
    only(modifier, "actions")
    actions = modifier.get("actions", ["shoot", "charge"])
    known = {"shoot": Permit.SHOOT_AFTER_FALL_BACK, "charge": Permit.CHARGE_AFTER_FALL_BACK}
    if not isinstance(actions, list) or not set(actions) <= set(known):
        raise NotUnderstood(f"actions {actions}")
    reaching(whose, *ATTACKING)
    return [(Permission(known[each]), whose) for each in actions]


def _named_core(name: CoreAbilityName) -> Callable[[Record, Whose, str], Found]:
    def read(modifier: Record, whose: Whose, ability: str) -> Found:
        only(modifier)
        return [(_granting(CoreAbility(name), whose), whose)]

    return read


def _feel_no_pain(modifier: Record, whose: Whose, ability: str) -> Found:
    only(modifier, "threshold", "scope", "against_attack_type")
    threshold = whole(modifier, "threshold", 2, 6)
    limit = modifier.get("scope", modifier.get("against_attack_type"))
    if limit is not None and limit not in _HARMS:
        raise NotUnderstood(f"against {limit}")
    against = _HARMS[limit] if limit is not None else ()
    return [(_granting(CoreAbility(CoreAbilityName.FEEL_NO_PAIN, threshold=threshold, against=against), whose), whose)]


_HARMS = {
    "psychic": (Harm.PSYCHIC,),
    "mortal": (Harm.MORTAL,),
    "psychic-and-mortal": (Harm.PSYCHIC, Harm.MORTAL),
}


_READERS: Mapping[str, Callable[[Record, Whose, str], Found]] = {
    "ability-grant": _ability_grant,
    "attack-restriction": profiles.attack_restriction,
    "bs-modifier": _bs_modifier,
    "charge-roll-modifier": _charge_roll,
    "damage-reduction": profiles.damage_reduction,
    "disembark-after-move": _disembark_after_move,
    "deep-strike": _named_core(CoreAbilityName.DEEP_STRIKE),
    "fallback-and-act": _fall_back_and_act,
    "fight-on-death": further.fight_on_death,
    "heal-wounds": further.heal_wounds,
    "movement-modifier": further.combat_reach,
    "resurrection": further.resurrection,
    "feel-no-pain": _feel_no_pain,
    "fight-first": _named_core(CoreAbilityName.FIGHTS_FIRST),
    "invulnerable-save": profiles.invulnerable_save,
    "keyword-grant": _keyword_grant,
    "leadership-modifier": profiles.leadership,
    "modifier-immunity": _modifier_immunity,
    "objective-control-modifier": profiles.objective_control,
    "re-roll": _re_roll,
    "roll-modifier": _roll_modifier,
    "stat-modifier": profiles.stat_modifier,
    "stratagem-cost-modifier": profiles.stratagem_cost,
    "targeting-permission": profiles.targeting_permission,
    "unit-keyword-grant": _unit_keyword_grant,
}
"""Every type of effect that is understood."""
