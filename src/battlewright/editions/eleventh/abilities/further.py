"""Effects that are no changes of attacks or profiles: what comes back, who fights on, who surges, who reaches further.

What the data says of their timing is little, so that each has its own reading here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from battlewright.core.dice import DiceExpression, parse_dice
from battlewright.core.errors import DiceSyntaxError
from battlewright.core.roster import AbilitySource
from battlewright.editions.eleventh.abilities.clauses import Clause, Reading
from battlewright.editions.eleventh.abilities.fields import Found, only, reaching
from battlewright.editions.eleventh.abilities.language import (
    AllOf,
    ChargedAt,
    CombatReach,
    Condition,
    CoreGrant,
    Effect,
    FightOnDeath,
    NotUnderstood,
    Record,
    Restore,
    Surge,
    Test,
    Whose,
)
from battlewright.editions.eleventh.ability_text import CoreAbility, CoreAbilityName
from battlewright.editions.eleventh.state import Phase

__all__ = ["charged_at", "combat_reach", "fight_on_death", "heal_wounds", "read_surge", "resurrection", "suits_moment"]


def _amount(value: object) -> DiceExpression:
    try:
        found = parse_dice(str(value).upper())
    except DiceSyntaxError:
        raise NotUnderstood(f"amount {value}") from None
    if found.minimum < 1 or found.maximum > 20:
        raise NotUnderstood(f"amount {value}")
    return found


def resurrection(modifier: Record, whose: Whose, ability: str) -> Found:
    """Models that are revived, or wounds healed, in the own Command phase.

    RULING: 11e.core.08-steps where the data gives an ability that restores no other moment we take step 4 of its
    player's Command phase, in which such abilities work.
    """
    only(modifier, "count", "type", "model_type", "wounds_remaining")
    kind = modifier.get("type", "models")
    if kind == "wounds":
        only(modifier, "count", "type")
        reaching(whose, Whose.BEARER, Whose.UNIT)
        return [(Restore(_amount(modifier.get("count"))), whose)]
    if kind != "models" or modifier.get("wounds_remaining", "full") != "full":
        raise NotUnderstood(f"what comes back ({kind})")
    if modifier.get("model_type", "bodyguard") != "bodyguard":
        raise NotUnderstood(f"models of type {modifier['model_type']}")
    reaching(whose, Whose.UNIT)
    return [(Restore(_amount(modifier.get("count")), models=True, bodyguard="model_type" in modifier), whose)]


def heal_wounds(modifier: Record, whose: Whose, ability: str) -> Found:
    """Wounds healed in the own Command phase, of the unit (02: Heal) or of the bearer alone."""
    only(modifier, "amount")
    reaching(whose, Whose.BEARER, Whose.UNIT)
    return [(Restore(_amount(modifier.get("amount"))), whose)]


def fight_on_death(modifier: Record, whose: Whose, ability: str) -> Found:
    """Destroyed models that have not fought yet stay until their unit has."""
    only(modifier or {})
    reaching(whose, Whose.BEARER, Whose.UNIT)
    return [(FightOnDeath(), whose)]


def combat_reach(modifier: Record, whose: Whose, ability: str) -> Found:
    """Pile-in or consolidation moves of a fixed other distance; or a scout move, which is Scouts."""
    if modifier.get("move_type") == "scout":
        only(modifier, "move_type", "distance")
        inches = modifier.get("distance")
        if not isinstance(inches, int) or isinstance(inches, bool) or not 1 <= inches <= 20:
            raise NotUnderstood(f"distance {inches}")
        reaching(whose, Whose.BEARER, Whose.UNIT)
        return [(CoreGrant(CoreAbility(CoreAbilityName.SCOUTS, distance=float(inches))), whose)]
    if modifier.get("move_type") not in ("pile-in", "consolidation"):
        raise NotUnderstood(f"move {modifier.get('move_type')}")
    only(modifier, "move_type", "distance", "replaces_default")
    inches = modifier.get("distance")
    if not isinstance(inches, int) or isinstance(inches, bool) or not 3 < inches <= 12:
        raise NotUnderstood(f"distance {inches}")
    reaching(whose, Whose.UNIT)
    return [(CombatReach(modifier["move_type"] == "consolidation", float(inches)), whose)]


def charged_at(node: Record) -> ChargedAt | None:
    """A worse charge roll of whoever charges the unit; None for any other effect."""
    modifier = node.get("modifier") or {}
    if node.get("type") != "roll-modifier" or node.get("target") != "defender" or modifier.get("roll") != "charge":
        return None
    if set(modifier) != {"operation", "roll", "value"} or modifier["operation"] != "subtract":
        return None
    value = modifier["value"]
    return ChargedAt(-value) if isinstance(value, int) and 1 <= value <= 6 else None


def suits_moment(effect: Effect, conditions: Iterable[Condition]) -> bool:
    """Whether the conditions leave an effect that restores its moment, the Command phase."""
    if not isinstance(effect, Restore):
        return True
    phases = [test.value for test in conditions if isinstance(test, Test) and test.kind == "phase-is"]
    return all(phase is Phase.COMMAND for phase in phases)


# -- surge moves (21.01) ----------------------------------------------------------------------------------------


def read_surge(name: str, source: AbilitySource, record: Mapping[str, Any]) -> Reading | None:
    """An ability that lets the unit surge after enemy fire; None for any other.

    Its conditions say whether models or wounds have to be lost; those that 21.01 asks anyway are left out.
    """
    effect, asked = record.get("effect"), []
    while isinstance(effect, dict) and effect.get("type") == "conditional":
        asked.append(effect["condition"])
        effect = effect["effect"]
    if not isinstance(effect, dict) or effect.get("type") != "movement-modifier":
        return None
    modifier = effect.get("modifier") or {}
    named = str(modifier.get("name", ""))
    if modifier.get("move_type") != "surge" and not (modifier.get("move_type") == "reactive" and "Surge" in named):
        return None
    if record.get("behavior") != "reactive" or effect.get("target") not in ("unit", "self"):
        return None
    try:
        only(modifier, "distance", "move_type", "name")
        slain, conditions = _when_surging([part for each in asked for part in _parts(each)])
        clause = Clause(name, Surge(_amount(modifier.get("distance")), slain), Whose.UNIT, conditions=conditions)
    except NotUnderstood as fault:
        return Reading(missing=(f"effect surge: {fault}",))
    if source is AbilitySource.ENHANCEMENT:
        return Reading(missing=("effect surge: of whom",))
    return Reading((clause,))


def _parts(condition: Record) -> list[Record]:
    if condition.get("operator") == "and":
        return [part for each in condition["operands"] for part in _parts(each)]
    return [condition]


_ALWAYS_ASKED = ("is-battle-shocked", "engagement-state", "opponent-unit-within-range")
"""What a unit that surges must not be anyway, where it stands negated."""


def _when_surging(parts: Iterable[Record]) -> tuple[bool, tuple[Condition, ...]]:
    """Whether a model has to be slain, and what else is asked of the unit.

    Raises:
        NotUnderstood: when the moment is not the fire of an enemy unit.
    """
    slain = hurt = False
    phase = turn = ""
    words: list[Condition] = []
    for part in parts:
        kind, values = part.get("type"), part.get("parameters") or {}
        inner = part["operands"][0] if part.get("operator") == "not" and len(part.get("operands", ())) == 1 else part
        negated = inner is not part or bool(part.get("negated"))
        if negated and inner.get("type") in _ALWAYS_ASKED:
            continue
        if negated or part.get("operator"):
            raise NotUnderstood("a condition")
        match kind:
            case "phase-is":
                phase = str(values.get("phase"))
            case "player-turn-is":
                turn = str(values.get("turn"))
            case "destroyed-by-attack-type" if values.get("attack_type") == "ranged":
                slain = True
            case "has-lost-wounds":
                hurt = True
            case "unit-has-keyword":
                words.append(Test("unit-has-keyword", str(values.get("keyword")).upper()))
            case _:
                raise NotUnderstood(f"condition {kind}")
    if phase != "shooting" or not turn.startswith("opponent") or slain is hurt:
        raise NotUnderstood("its moment")
    return slain, (AllOf(tuple(words)),) if words else ()
