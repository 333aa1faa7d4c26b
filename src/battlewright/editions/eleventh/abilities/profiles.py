"""Effects on profiles: characteristics of models and weapons, saves, and what follows from where a unit stands."""

from __future__ import annotations

from battlewright.attacks.description import RerollWhich
from battlewright.editions.eleventh.abilities.fields import ATTACKING, TYPES, Found, melee_alone, only, reaching, whole
from battlewright.editions.eleventh.abilities.language import (
    ArrivalDenied,
    Effect,
    ModelChange,
    Mustering,
    NotUnderstood,
    Record,
    Reroll,
    Roll,
    Secure,
    StratagemCost,
    TargetedWithin,
    WeaponChange,
    Whose,
)
from battlewright.editions.eleventh.modifiers import (
    Change,
    Characteristic,
    Operation,
    improve,
    is_harmful,
    signed,
    worsen,
)

__all__ = [
    "LEADERSHIP_ROLLS",
    "attack_restriction",
    "damage_reduction",
    "invulnerable_save",
    "leadership",
    "objective_control",
    "stat_modifier",
    "stratagem_cost",
    "targeting_permission",
]

LEADERSHIP_ROLLS = {"battle-shock": Roll.BATTLE_SHOCK, "leadership": Roll.BATTLE_SHOCK}
"""What the data calls rolls against Leadership."""
_WEAPON = {
    Characteristic.A,
    Characteristic.S,
    Characteristic.AP,
    Characteristic.D,
    Characteristic.BS,
    Characteristic.WS,
}

_LABELS = {each.value.upper(): each for each in Characteristic if each is not Characteristic.RANGE}
_OPERATIONS = {"add": Operation.ADD, "subtract": Operation.SUBTRACT, "set": Operation.SET}


def stat_modifier(modifier: Record, whose: Whose, ability: str) -> Found:
    """A characteristic changed: of weapons, of models, or of the attacks that reach them."""
    only(modifier, "stat", "operation", "value", "incoming", *TYPES)
    which = _LABELS.get(str(modifier.get("stat")).upper())
    if which is None:
        raise NotUnderstood(f"characteristic {modifier.get('stat')}")
    change = _change(which, str(modifier.get("operation")), modifier, ability)
    melee = melee_alone(modifier)
    if modifier.get("incoming"):
        reaching(whose, Whose.BEARER, Whose.UNIT)
        if which not in _WEAPON:
            raise NotUnderstood(f"{which} of incoming attacks")
        whose = Whose.AGAINST
    if which in _WEAPON:
        if change.operation is Operation.SET and (whose is not Whose.AGAINST or which is not Characteristic.D):
            raise NotUnderstood(f"sets {which}")
        if is_harmful(which, change, 10 if which is not Characteristic.AP else -3) is (whose in ATTACKING):
            raise NotUnderstood("whose attacks it means")
        if which in (Characteristic.BS, Characteristic.WS) and melee is None:
            melee = which is Characteristic.WS
        return [(WeaponChange(which, change, melee), whose)]
    if melee is not None:
        raise NotUnderstood(f"{which} of weapons")
    return [_model_change(which, change, whose)]


def _change(which: Characteristic, operation: str, modifier: Record, ability: str) -> Change:
    """RULING: 11e.ds-modifier-basics.plus-improves adding a negative number to AP, as the data does, improves it."""
    if operation in ("improve", "worsen"):
        return (improve if operation == "improve" else worsen)(which, whole(modifier), ability)
    if operation not in _OPERATIONS:
        raise NotUnderstood(f"operation {operation}")
    value = whole(modifier, low=-6, high=20)
    if operation == "set":
        if value < 0 or which is Characteristic.AP:
            raise NotUnderstood(f"sets {which} to {value}")
        return Change(Operation.SET, value, ability)
    if which is Characteristic.AP:
        if value >= 0:
            raise NotUnderstood(f"{operation} {value} to AP")
        return signed(which, -value if operation == "add" else value, ability)
    return signed(which, value if operation == "add" else -value, ability)


def _model_change(which: Characteristic, change: Change, whose: Whose) -> tuple[Effect, Whose]:
    reaching(whose, Whose.BEARER, Whose.UNIT, Whose.FRIENDS, Whose.ENEMIES)
    if which is Characteristic.W and whose is not Whose.BEARER:
        raise NotUnderstood(f"W for {whose}")
    harms = change.operation is not Operation.SET and is_harmful(which, change, 5)
    if harms is not (whose is Whose.ENEMIES):
        raise NotUnderstood("whom it means")
    return ModelChange(which, change), whose


def objective_control(modifier: Record, whose: Whose, ability: str) -> Found:
    """Its OC changed, or what it controls kept."""
    if modifier.get("sticky") is True:
        only(modifier, "sticky", "retake")
        if modifier.get("retake", _RETAKEN) != _RETAKEN:
            raise NotUnderstood(f"retake {modifier['retake']}")
        reaching(whose, Whose.BEARER, Whose.UNIT)
        return [(Secure(), whose)]
    only(modifier, "operation", "value", "stat")
    change = _change(Characteristic.OC, str(modifier.get("operation")), modifier, ability)
    return [_model_change(Characteristic.OC, change, whose)]


_RETAKEN = "opponent-control-greater-at-phase-end"


def leadership(modifier: Record, whose: Whose, ability: str) -> Found:
    """Its Leadership changed, or its battle-shock rolls rolled again."""
    if modifier.get("operation") == "re-roll" and modifier.get("test") in LEADERSHIP_ROLLS:
        only(modifier, "operation", "test")
        reaching(whose, *ATTACKING)
        return [(Reroll(Roll.BATTLE_SHOCK, RerollWhich.ALL), whose)]
    only(modifier, "operation", "value")
    change = _change(Characteristic.LD, str(modifier.get("operation")), modifier, ability)
    return [_model_change(Characteristic.LD, change, whose)]


def damage_reduction(modifier: Record, whose: Whose, ability: str) -> Found:
    """Less damage from every attack that hits it."""
    key = "reduction" if "reduction" in modifier else "amount"
    only(modifier, key, "incoming")
    reaching(whose, Whose.BEARER, Whose.UNIT)
    if modifier.get(key) == "half":
        change = Change(Operation.DIVIDE, 2, ability)
    else:
        change = Change(Operation.SUBTRACT, whole(modifier, key), ability)
    return [(WeaponChange(Characteristic.D, change), Whose.AGAINST)]


def attack_restriction(modifier: Record, whose: Whose, ability: str) -> Found:
    """What a list may hold, from how far its unit may be aimed at, who may arrive near, how much worse what hits is."""
    if modifier.get("restriction") in _OF_LISTS:
        only(modifier, "restriction")
        reaching(whose, Whose.BEARER, Whose.UNIT)
        return [(Mustering(str(modifier["restriction"])), Whose.UNIT)]
    if modifier.get("restriction") == "targeting-range-limit":
        only(modifier, "restriction", "range")
        return _targeted_within(modifier, whose)
    if modifier.get("restriction") == "reinforcement-denial":
        only(modifier, "restriction", "range")
        reaching(whose, Whose.ENEMIES)
        return [(ArrivalDenied(float(whole(modifier, "range", 6, 12))), whose)]
    if modifier.get("restriction") != "worsen-incoming-ap":
        raise NotUnderstood(f"restriction {modifier.get('restriction')}")
    only(modifier, "restriction", "value")
    reaching(whose, Whose.BEARER, Whose.UNIT)
    change = worsen(Characteristic.AP, whole(modifier), ability)
    return [(WeaponChange(Characteristic.AP, change), Whose.AGAINST)]


def stratagem_cost(modifier: Record, whose: Whose, ability: str) -> Found:
    """Stratagems dearer for the enemy."""
    only(modifier, "amount", "applies_to", "operation")
    if (modifier.get("operation"), modifier.get("applies_to")) != ("increase", "stratagems-targeting-bearer"):
        raise NotUnderstood(f"{modifier.get('operation')} of {modifier.get('applies_to')}")
    reaching(whose, Whose.ENEMIES)
    return [(StratagemCost(whole(modifier, "amount", 1, 2)), whose)]


def targeting_permission(modifier: Record, whose: Whose, ability: str) -> Found:
    """Its unit may be aimed at from near alone."""
    only(modifier, "attack_type", "gate", "range")
    if modifier.get("gate") != "within-range" or modifier.get("attack_type") not in ("ranged", "any"):
        raise NotUnderstood(f"gate {modifier.get('gate')}")
    return _targeted_within(modifier, whose)


def _targeted_within(modifier: Record, whose: Whose) -> Found:
    reaching(whose, Whose.UNIT)
    return [(TargetedWithin(float(whole(modifier, "range", 6, 30))), Whose.AGAINST)]


_OF_LISTS = ("must-be-warlord", "cannot-be-warlord")


def invulnerable_save(modifier: Record, whose: Whose, ability: str) -> Found:
    """An invulnerable save."""
    key = "invuln_sv" if "invuln_sv" in modifier else "threshold"
    only(modifier, key)
    reaching(whose, *ATTACKING)
    change = Change(Operation.SET, whole(modifier, key, 2, 6), ability)
    return [(ModelChange(Characteristic.INSV, change), whose)]
