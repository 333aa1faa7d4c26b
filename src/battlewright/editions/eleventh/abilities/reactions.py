"""Abilities that mark an enemy unit, and those that let a unit do something at a moment: how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battlewright.core.dice import DiceExpression, parse_dice
from battlewright.core.errors import DiceSyntaxError
from battlewright.core.roster import AbilitySource
from battlewright.editions.eleventh.abilities.clauses import Clause, Marks, Moment, Reading, Timing
from battlewright.editions.eleventh.abilities.conditions import read_condition
from battlewright.editions.eleventh.abilities.language import (
    AllOf,
    Condition,
    Division,
    ExtraMove,
    ForceTest,
    NotUnderstood,
    Record,
    Reposition,
    Return,
    Test,
    Until,
    Whose,
)

__all__ = ["Mark", "read_mark", "read_reaction"]

Mark = tuple[dict[str, Any], tuple[Condition, ...], Timing]
"""The effect of a mark, aimed at whom it works for; what is asked of them; when it is made and how long it lasts."""
_UNTIL = {"phase": Until.PHASE, "turn": Until.TURN, "until-next-command-phase": Until.NEXT_COMMAND}
_WINDOW = "just-finished-shooting-sequence"
_AIMED = ("unit", "attacker", "target", "defender")
_ALWAYS = ("normal", "advance", "fall-back")


# -- marks ---------------------------------------------------------------------------------------------------------


def read_mark(record: Record, source: AbilitySource) -> Mark | None:
    """An ability that designates one enemy unit: one that its unit has just hit, or any at the start of the own Command
    phase; None for any other ability.

    Raises:
        NotUnderstood: when it is one of which something is not known.
    """
    effect = record.get("effect")
    if not isinstance(effect, dict) or effect.get("type") != "designate-target":
        return None
    if set(effect) - {"type", "applies", "designation", "duration", "select"}:
        raise NotUnderstood("effect designate-target: more than a mark")
    applies, select = effect.get("applies") or {}, effect.get("select") or {}
    until = _UNTIL.get(str(effect.get("duration")))
    marks = {"attackers-of-target": Marks.ATTACKERS, "target": Marks.TARGET}.get(str(applies.get("to")))
    if until is None or marks is None or set(applies) - {"to", "effect", "attacker_keywords"}:
        raise NotUnderstood("effect designate-target: applies")
    if (select.get("count"), select.get("scope")) != (1, "enemy-unit") or record.get("usage"):
        raise NotUnderstood("effect designate-target: whom it selects")
    words = tuple(Test("unit-has-keyword", str(each).upper()) for each in applies.get("attacker_keywords", ()))
    trigger = record.get("trigger")
    if trigger is None:
        if select.get("timing") != "start-of-command-phase" or set(select) - {"count", "scope", "timing"}:
            raise NotUnderstood("effect designate-target: when")
        if source is not AbilitySource.DETACHMENT:
            raise NotUnderstood("effect designate-target: of whom")
        timing = Timing((Moment.COMMAND_BEGINS,), until, marks=marks)
    else:
        timing = _after_shooting(trigger, select, until, marks)
    aim = "unit" if marks is Marks.ATTACKERS else "enemy-within-aura"
    return _aimed(applies["effect"], aim), words, timing


def _after_shooting(trigger: Any, select: Record, until: Until, marks: Marks) -> Timing:
    known = {"event", "optional", "subject", "condition", "binds_event_variable"}
    if not isinstance(trigger, Mapping) or set(trigger) - known:
        raise NotUnderstood("effect designate-target: its trigger")
    if (trigger.get("event"), trigger.get("subject")) != ("after-unit-resolves-attacks", "self"):
        raise NotUnderstood("effect designate-target: its trigger")
    hit = select.get("eligibility") or {}
    asked = hit.get("parameters") or {}
    if hit.get("type") != "was-hit-by-attack" or set(asked) - {"attack_type", "source", "subject", "window"}:
        raise NotUnderstood("effect designate-target: whom it selects")
    if (asked.get("subject"), asked.get("window")) != ("target", _WINDOW):
        raise NotUnderstood("effect designate-target: whom it selects")
    conditions = (read_condition(trigger["condition"]),) if "condition" in trigger else ()
    return Timing((Moment.HAS_SHOT,), until, conditions=conditions, marks=marks)


def _aimed(node: dict[str, Any], aim: str) -> dict[str, Any]:
    """The effect, aimed at the units that it works for: those of the ability's player, or an enemy unit."""
    if node.get("type") == "conditional":
        return {**node, "effect": _aimed(node["effect"], aim)}
    if node.get("type") == "sequence":
        return {**node, "steps": [_aimed(each, aim) for each in node["steps"]]}
    if node.get("target") not in _AIMED:
        raise NotUnderstood(f"target {node.get('target')}")
    return {**node, "target": aim}


# -- moves, repositioning, tests ---------------------------------------------------------------------------------------


def read_reaction(name: str, source: AbilitySource, record: Record) -> Reading | None:
    """An ability that lets its unit move once more, go into reserves, or makes enemies test; None for any other."""
    trigger = record.get("trigger")
    if record.get("approximate") or record.get("disputed"):
        return None
    if (clause := _returning(name, record)) is not None or (clause := _dividing(name, record)) is not None:
        return Reading((clause,))
    if not isinstance(trigger, Mapping):
        return None
    if source is not AbilitySource.DATASHEET:
        return None
    try:
        clause = _reaction(name, record, trigger)
    except NotUnderstood as fault:
        return Reading(missing=(f"a reaction: {fault}",))
    return None if clause is None else Reading((clause,))


_FALLEN = {"type": "timing-is", "parameters": {"timing": "on-unit-destroyed"}}
_WHEN_FALLEN: tuple[object, ...] = ({"event": "on-unit-destroyed", "subject": "self"}, None)


def _returning(name: str, record: Record) -> Clause | None:
    """A D6 when the bearer is destroyed, on which it comes back as the phase ends; once in the battle."""
    effect = record.get("effect") or {}
    if effect.get("type") == "conditional" and effect.get("condition") == _FALLEN:
        effect = effect["effect"]
    if effect.get("type") != "dice-gated" or record.get("trigger") not in _WHEN_FALLEN or record.get("usage"):
        return None
    if (effect.get("comparison"), effect.get("dice"), effect.get("on_fail")) != ("gte", "D6", None):
        return None
    back = effect.get("on_success") or {}
    said = dict(back.get("modifier") or {})
    least, wounds = effect.get("threshold"), said.pop("wounds_remaining", None)
    once = said.pop("trigger", "") == "first-destruction" or (record.get("scope") or {}).get("duration") == "one-use"
    said.pop("engagement_restriction", None)
    if back.get("type") != "resurrection" or back.get("target") != "self" or not once:
        return None
    if said != {"placement": "closest-to-destruction", "timing": "end-of-phase"}:
        return None
    if not isinstance(least, int) or not (wounds == "full" or isinstance(wounds, int)):
        return None
    made = Return(least, None if wounds == "full" else int(wounds))
    return Clause(name, made, Whose.BEARER, whole_unit=True)


def _dividing(name: str, record: Record) -> Clause | None:
    """A unit that may be split into two when battle formations are declared."""
    effect, trigger = record.get("effect") or {}, record.get("trigger") or {}
    if effect.get("type") != "unit-division" or effect.get("target") != "unit":
        return None
    if trigger != {"event": "declare-battle-formations", "optional": True, "subject": "self"}:
        return None
    counts = list((effect.get("modifier") or {}).get("resulting_model_counts") or ())
    if len(counts) != 2 or not all(isinstance(each, int) for each in counts):
        return None
    return Clause(name, Division((counts[0], counts[1])), Whose.UNIT)


def _reaction(name: str, record: Record, trigger: Record) -> Clause | None:
    effect, asked = record.get("effect"), []
    while isinstance(effect, dict) and effect.get("type") == "conditional":
        asked.append(effect["condition"])
        effect = effect["effect"]
    if "condition" in trigger:
        asked.append(trigger["condition"])
    if not isinstance(effect, dict):
        return None
    made: ExtraMove | Reposition | ForceTest
    match trigger.get("event"):
        case "after-unit-resolves-attacks" if trigger.get("subject") == "self":
            found = _move_after_shooting(effect)
            if found is None:
                return None
            made = found
        case "enemy-unit-ended-move" if trigger.get("subject") == "enemy-unit":
            found = _move_after_enemy(effect, record, trigger)
            if found is None:
                return None
            made = found
        case "end-of-opponent-turn" if trigger.get("subject") == "self":
            if effect.get("modifier") != {"move_type": "redeploy", "to_reserves": True}:
                return None
            if (record.get("scope") or {}).get("duration") != "one-use":
                return None
            made = Reposition()
        case "start-of-phase" if (record.get("scope") or {}).get("range") == "engagement-range":
            if effect.get("modifier") != {"test": "battle-shock"} or effect.get("target") != "enemy-within-aura":
                return None
            if asked != [{"type": "phase-is", "parameters": {"phase": "fight"}}]:
                return None
            made = ForceTest()
        case _:
            return None
    return Clause(name, made, Whose.UNIT, conditions=tuple(_asked(each) for each in asked))


def _asked(record: Record) -> Condition:
    """A condition of a reaction; that no enemy is within engagement range means that the unit is unengaged."""
    if record.get("operator") == "and":
        return AllOf(tuple(_asked(each) for each in record["operands"]))
    if record.get("operator") == "not" and record.get("operands") == [{"type": "made-ingress-move-this-turn"}]:
        return Test("made-ingress", negated=True)
    if record.get("type") == "opponent-unit-within-range" and record.get("parameters") == {"range": "engagement"}:
        return Test("engagement-state", not record.get("negated"))
    return read_condition(record)


def _distance(modifier: Record) -> DiceExpression:
    try:
        found = parse_dice(str(modifier.get("distance")).upper())
    except DiceSyntaxError:
        raise NotUnderstood("how far") from None
    if not 1 <= found.minimum <= found.maximum <= 12:
        raise NotUnderstood("how far")
    return found


def _normal_move(node: Record) -> DiceExpression | None:
    modifier = node.get("modifier") or {}
    if node.get("type") != "movement-modifier" or modifier.get("move_type") != "normal":
        return None
    if set(modifier) - {"move_type", "distance"} or node.get("target") not in ("unit", "self"):
        raise NotUnderstood("more than a normal move")
    return _distance(modifier)


_NO_CHARGE: tuple[dict[str, Any], ...] = (
    {"type": "ability-grant", "modifier": {"grant_type": "charge-ineligible"}},
    {"type": "attack-restriction", "modifier": {"restriction": "no-charge"}},
)


def _forbids_charging(node: Any) -> bool:
    return isinstance(node, dict) and {key: node[key] for key in node if key != "target"} in _NO_CHARGE


def _move_after_shooting(effect: dict[str, Any]) -> ExtraMove | None:
    """A normal move after the unit has shot, after which it does not charge this turn."""
    after = effect.get("after_move")
    if effect.get("type") == "sequence" and len(effect["steps"]) == 2:
        effect, after = effect["steps"]
    distance = _normal_move({key: value for key, value in effect.items() if key != "after_move"})
    if distance is None:
        return None
    if not _forbids_charging(after):
        raise NotUnderstood("what follows the move")
    return ExtraMove(distance, no_charge=True)


def _move_after_enemy(effect: dict[str, Any], record: Record, trigger: Record) -> ExtraMove | None:
    """A normal move after an enemy unit has ended one nearby, once a turn or once a phase."""
    distance = _normal_move(effect)
    if distance is None:
        return None
    near, usage = trigger.get("proximity") or {}, record.get("usage") or {}
    if near.get("of") not in ("self", "bearer") or not isinstance(near.get("range"), int):
        raise NotUnderstood("how near")
    limit = {"once-per-turn": Until.TURN, "once-per-phase": Until.PHASE}.get(str(usage.get("frequency")))
    if limit is None or set(usage) - {"frequency", "per"}:
        raise NotUnderstood("how often")
    kinds = tuple(str(each) for each in trigger.get("move_types", ()))
    if set(kinds) - set(_ALWAYS):
        raise NotUnderstood("after which moves")
    return replace(ExtraMove(distance), within=float(near["range"]), kinds=kinds, limit=limit)
