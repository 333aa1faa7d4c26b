"""Reading an ability's encoding: everything or nothing.

Enforced is an ability whose effects, scope and every condition are understood and which works by itself: one that is
activated, reacts, is used up or lasts for a time needs its timing, which is missing where it is not passive.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from battlewright.core.errors import ProfileError
from battlewright.core.roster import Ability, AbilitySource
from battlewright.editions.eleventh.abilities.clauses import Clause, Marks, Reading
from battlewright.editions.eleventh.abilities.conditions import (
    is_about_attack,
    is_about_bearer,
    leaves_open_whom,
    read_condition,
)
from battlewright.editions.eleventh.abilities.effects import PLACING, is_of_attack, read_effect
from battlewright.editions.eleventh.abilities.further import charged_at, read_surge, suits_moment
from battlewright.editions.eleventh.abilities.language import (
    Condition,
    CoreGrant,
    Effect,
    ModelChange,
    NotUnderstood,
    Record,
    Secure,
    Test,
    Whose,
)
from battlewright.editions.eleventh.abilities.reactions import Mark, read_mark, read_reaction
from battlewright.editions.eleventh.abilities.timing import ARMY, is_always_at_work, keywords_asked, read_timing, suits
from battlewright.editions.eleventh.ability_text import CoreAbility, parse_ability
from battlewright.editions.eleventh.modifiers import Characteristic
from battlewright.editions.eleventh.state import Phase

__all__ = ["is_core", "read_ability", "read_encoding"]

_LASTING = ("permanent", "battle")
_AURAS = {"aura-6": 6.0, "aura-9": 9.0, "aura-12": 12.0}


def read_ability(ability: Ability) -> Reading:
    """What an ability of a roster does beside what its name says.

    One without an encoding does nothing; nor does the encoding of a core ability, which is known by its name (24).
    """
    return _read(ability.name, ability.source, ability.encoding)


@lru_cache(maxsize=4096)
def _read(name: str, source: AbilitySource, text: str) -> Reading:
    if is_core(name):
        return Reading()
    if not text:
        return Reading(missing=("no encoding",))
    try:
        record = json.loads(text)
        return read_encoding(name, source, record)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Reading(missing=("an encoding of a form that is not known",))


def is_core(name: str) -> bool:
    """Whether it is the name of a core ability, number included."""
    try:
        return isinstance(parse_ability(name), CoreAbility)
    except ProfileError:
        return False


def read_encoding(name: str, source: AbilitySource, record: Record) -> Reading:
    """Read an encoding: ``behavior``, ``scope``, ``effect``, and ``trigger``, ``usage``, ``applies_to`` if any.

    Returns:
        A reading with clauses, or with everything that is missing.
    """
    if (surge := read_surge(name, source, record)) is not None:
        return surge
    if (reaction := read_reaction(name, source, record)) is not None:
        return reaction
    try:
        mark = read_mark(record, source)
    except NotUnderstood as fault:
        return Reading(missing=tuple(dict.fromkeys((str(fault), *_doubts(record)))))
    if mark is not None:
        return _marking(name, record, mark)
    missing: list[str] = []
    reader = _Reader(name, source, record)
    effect = record.get("effect")
    if isinstance(effect, dict):
        reader.walk(effect, (), None)
        reader.limit_to(record.get("trigger"))
    else:
        missing.append("no effect")
    timing = None
    untimed = list(dict.fromkeys(_untimed(record)))
    if untimed and not is_always_at_work(record, reader.clauses):
        try:
            timing = read_timing(record, source)
            if timing is not None:
                suits(timing, reader.clauses)
        except NotUnderstood as fault:
            untimed.append(str(fault))
            timing = None
        if timing is None:
            missing += untimed
    missing += [*_doubts(record), *(each for each in dict.fromkeys(reader.missing) if each not in missing)]
    if missing:
        return Reading(missing=tuple(missing))
    return Reading(tuple(reader.clauses), timing=timing) if reader.clauses else Reading(missing=("no effect",))


def _marking(name: str, record: Record, mark: Mark) -> Reading:
    """A mark on an enemy unit, with what its effect is read into."""
    node, words, timing = mark
    reader = _Reader(name, AbilitySource.DATASHEET, {"scope": {"range": "unit"}})
    reader.walk(node, words, None if timing.marks is Marks.ATTACKERS else 0.0)
    clauses = tuple(replace(each, whose=Whose.UNIT, reach=None) for each in reader.clauses)
    missing = [*_doubts(record), *reader.missing]
    if timing.marks is Marks.ATTACKERS and not all(is_of_attack(each.effect) for each in clauses):
        missing.append("effect designate-target: for whom")
    return Reading(missing=tuple(missing)) if missing else Reading(clauses, timing=timing)


def _untimed(record: Record) -> Iterator[str]:
    """What keeps an ability from working all by itself, beside its effect."""
    behavior = record.get("behavior")
    if behavior not in ("passive", "aura"):
        yield f"timing: {behavior}" + (" without a trigger" if not record.get("trigger") else "")
    elif record.get("trigger"):
        yield "timing: a trigger"
    if record.get("usage"):
        yield "timing: limited uses"
    scope = record.get("scope") or {}
    if behavior in ("passive", "aura") and scope.get("duration") not in _LASTING:
        yield f"timing: lasts for {scope.get('duration')}, from when is not said"
    if record.get("stratagem"):
        yield "a stratagem"


def _doubts(record: Record) -> Iterator[str]:
    """What those who made the encoding say against it."""
    if record.get("approximate"):
        yield "the encoding is marked as approximate"
    if record.get("disputed"):
        yield "the encoding is disputed"


class _Reader:
    """Walks an effect with all that is within it, and collects clauses and what is missing."""

    def __init__(self, name: str, source: AbilitySource, record: Record) -> None:
        self._name, self._source = name, source
        self._range = str((record.get("scope") or {}).get("range"))
        self._inches = (record.get("scope") or {}).get("range_inches")
        self._applies_to = record.get("applies_to")
        self.clauses: list[Clause] = []
        self.missing: list[str] = []

    def walk(self, node: dict[str, Any], conditions: tuple[Condition, ...], reach: float | None) -> None:
        """Read a node under these conditions; ``reach`` is that of the aura it is within, if any."""
        kind = node.get("type")
        if kind == "conditional":
            try:
                self._known(node, "condition", "effect")
                conditions = (*conditions, read_condition(node["condition"]))
            except NotUnderstood as fault:
                self.missing.append(str(fault))
            self.walk(node["effect"], conditions, reach)
        elif kind in ("sequence", "rules-bundle"):
            if set(node) - {"type", "steps"}:
                self.missing.append(f"effect {kind}: more than its steps")
            for step in node["steps"]:
                self.walk(step, conditions, reach)
        elif kind == "aura":
            self._aura(node, conditions)
        else:
            try:
                self._leaf(node, conditions, reach)
            except NotUnderstood as fault:
                self.missing.append(str(fault))

    def limit_to(self, trigger: object) -> None:
        """Put what secures objectives under the condition of its trigger, the end of some phase.

        RULING: 11e.core.14-secured where no time is told it is the end of the own Command phase, as in the records
        that tell one.
        """
        if not any(isinstance(each.effect, Secure) for each in self.clauses):
            return
        asked: tuple[Condition, ...] = ()
        if not trigger:
            asked = Test("phase-is", Phase.COMMAND), Test("player-turn-is", True)
        elif isinstance(trigger, dict) and "condition" in trigger:
            try:
                asked = (read_condition(trigger["condition"]),)
            except NotUnderstood as fault:
                self.missing.append(str(fault))
        self.clauses = [replace(each, conditions=(*each.conditions, *asked)) for each in self.clauses]

    def _known(self, node: Record, *keys: str) -> None:
        if extra := sorted(set(node) - {"type", *keys}):
            raise NotUnderstood(f"effect {node.get('type')}: {extra[0]}")

    def _aura(self, node: dict[str, Any], conditions: tuple[Condition, ...]) -> None:
        """An aura within the effect: what is in it reaches units around, not those that it names."""
        modifier = node.get("modifier") or {}
        inches = modifier.get("range")
        limits = modifier.get("recipient_filter") or modifier.get("eligible") or {}
        if isinstance(limits, dict) and set(limits) <= {"required_keywords", "excluded_keywords"}:
            conditions = (*conditions, *keywords_asked(limits))
            modifier = {key: modifier[key] for key in modifier if key not in ("recipient_filter", "eligible")}
        if set(modifier) - {"effect", "range"} or not isinstance(inches, int | float) or "effect" not in modifier:
            self.missing.append("effect aura: a form that is not known")
            return
        inner = modifier["effect"]
        while inner.get("type") == "conditional":
            inner = inner["effect"]
        if inner.get("target") not in ("unit", "friendly-within-aura", "enemy-within-aura"):
            self.missing.append("effect aura: whom it means")
            return
        if node.get("target") == "friendly-within-aura" or node.get("target") == "enemy-within-aura":
            self.walk(_aimed(modifier["effect"], node["target"]), conditions, float(inches))
        else:
            self.missing.append("effect aura: whom it means")

    def _leaf(self, node: dict[str, Any], conditions: tuple[Condition, ...], reach: float | None) -> None:
        self._known(node, "target", "modifier")
        if (charged := charged_at(node)) is not None and self._range in ("self", "unit"):
            self.clauses.append(Clause(self._name, charged, Whose.AGAINST, None, conditions))
            return
        whose = self._whose(str(node.get("target")), reach)
        modifier = dict(node.get("modifier") or {})
        if modifier.pop("applies_when", None) is not None:
            if (node.get("modifier") or {})["applies_when"] != "attacker-strength-greater-than-target-toughness":
                raise NotUnderstood("effect roll-modifier: when it applies")
            conditions = (*conditions, Test(_STRONGER, ("greater-than", "S")))
        compares = any(isinstance(each, Test) and each.kind == _STRONGER for each in conditions)
        told = bool(modifier.get("incoming"))
        if (
            compares
            and not told
            and whose is Whose.UNIT
            and (modifier.get("operation"), modifier.get("roll")) == _WORSE_WOUNDS
        ):
            # RULING: 11e.ds-modifier-basics.notation a worse wound roll where S is compared with T is the attacker's.
            whose = Whose.AGAINST
        own_reach = reach if reach is not None else self._reach()
        for effect, reached in read_effect(str(node.get("type")), modifier, whose, self._name):
            around = reached in (Whose.FRIENDS, Whose.ENEMIES)
            if around and not is_of_attack(effect):
                # RULING: 11e.core.22.01-aura where there is no attack, "target" is the unit that the aura reaches
                conditions = tuple(_of_the_reached(each) for each in conditions)
            clause = Clause(
                self._name,
                effect,
                reached,
                own_reach if around else None,
                (*conditions, *self._limits(reached)),
                whole_unit=self._is_for_whole_units(reached, whose, conditions),
            )
            _check(clause)
            self.clauses.append(clause)

    def _is_for_whole_units(self, reached: Whose, whose: Whose, conditions: tuple[Condition, ...]) -> bool:
        """Whether a clause means nothing that can be applied in a unit with models that do not bear the ability.

        RULING: 11e.core.19.04-model-abilities an enhancement whose encoding says "unit" without "while leading" may
        mean the bearer alone, as many do, so that it works only where the bearers are the whole unit.
        """
        if reached is Whose.AGAINST and whose is Whose.BEARER:
            return True
        leading = any(isinstance(each, Test) and each.kind in _LEADING for each in conditions)
        return self._source is AbilitySource.ENHANCEMENT and whose in (Whose.UNIT, Whose.AGAINST) and not leading

    def _reach(self) -> float | None:
        if self._range == "aura-custom":
            return float(self._inches) if isinstance(self._inches, int | float) else None
        return _AURAS.get(self._range)

    def _whose(self, target: str, reach: float | None) -> Whose:
        army = self._source in ARMY
        if target in ("friendly-within-aura", "enemy-within-aura"):
            if reach is None and self._reach() is None:
                raise NotUnderstood(f"scope: {self._range} beside target {target}")
            return Whose.FRIENDS if target.startswith("friendly") else Whose.ENEMIES
        near = ("self", "unit", "attached", *(("any-on-battlefield",) if army else ()))
        if self._range not in near:
            raise NotUnderstood(f"scope: {self._range} beside target {target}")
        if target in ("self", "bearer"):
            return Whose.UNIT if army else Whose.BEARER
        if target in ("unit", "attached-unit", "bearer-unit") or (army and target == "all-friendly"):
            return Whose.UNIT
        if target == "attacker":
            return Whose.AGAINST
        raise NotUnderstood(f"target {target}")

    def _limits(self, whose: Whose) -> tuple[Condition, ...]:
        """The keywords that rules of the army, and auras, ask of whom they reach."""
        asks = self._source in ARMY or whose is Whose.FRIENDS
        if not self._applies_to or not asks or self._source is AbilitySource.ENHANCEMENT:
            return ()
        return keywords_asked(self._applies_to)


def _of_the_reached(condition: Condition) -> Condition:
    """A condition on the target's keywords as one on those of the unit that an aura reaches."""
    if isinstance(condition, Test):
        return replace(condition, kind="unit-has-keyword") if condition.kind == "target-has-keyword" else condition
    return replace(condition, parts=tuple(_of_the_reached(each) for each in condition.parts))


_LEADING = ("is-attached", "model-is-leader")
_STRONGER = "attack-stat-compare"
_WORSE_WOUNDS = ("subtract", "wound")


def _aimed(node: dict[str, Any], target: str) -> dict[str, Any]:
    """The effect of an aura, aimed at the units that the aura reaches."""
    if node.get("type") == "conditional":
        return {**node, "effect": _aimed(node["effect"], target)}
    return {**node, "target": target}


def _check(clause: Clause) -> None:
    """Refuse what no hook could carry out.

    Raises:
        NotUnderstood: when a condition does not suit the effect.
    """
    around = clause.whose in (Whose.FRIENDS, Whose.ENEMIES)
    if not suits_moment(clause.effect, clause.conditions):
        raise NotUnderstood("condition: a moment other than the Command phase")
    for condition in clause.conditions:
        if is_about_attack(condition) and not is_of_attack(clause.effect):
            raise NotUnderstood("condition: about an attack, for what is no attack")
        if is_about_bearer(condition) and around:
            raise NotUnderstood("condition: of whom, in an aura")
        if leaves_open_whom(condition) and (around or clause.whose is Whose.AGAINST or is_of_attack(clause.effect)):
            raise NotUnderstood("condition: does not say of whom")
    if _is_wounds(clause.effect) and clause.conditions:
        raise NotUnderstood("condition: for W")
    placing = isinstance(clause.effect, CoreGrant) and clause.effect.ability.name in PLACING
    if placing and not all(isinstance(each, Test) and is_about_bearer(each) for each in clause.conditions):
        raise NotUnderstood("condition: for how a unit is set up")


def _is_wounds(effect: Effect) -> bool:
    return isinstance(effect, ModelChange) and effect.characteristic is Characteristic.W
