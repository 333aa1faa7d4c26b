"""Penetrating the armour of vehicles, and the damage tables that follow, as steps of an attack.

A table is data: six results. What a result does to the vehicle is an effect, or the end of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from battlewright.attacks.description import D6, Emit, Outcome, Packet, Step, amount
from battlewright.core.dice import DiceExpression, Modifier
from battlewright.core.rulebook import rule
from battlewright.editions.classic.draft import Draft, PenetrationDice
from battlewright.editions.classic.profiles import Armour

__all__ = [
    "DamageResult",
    "DamageTable",
    "Results",
    "Verdict",
    "armour_against",
    "damage_packets",
    "damage_steps",
    "no_modifiers",
    "verdict",
    "whatever_ap",
]

_TWO = DiceExpression(2, 6, 0)


class DamageResult(StrEnum):
    """What can become of a vehicle."""

    SHAKEN = "crew shaken"
    STUNNED = "crew stunned"
    ARMAMENT = "armament destroyed"
    IMMOBILISED = "immobilised"
    DESTROYED = "vehicle destroyed"
    THROWN = "destroyed, wreck thrown"
    EXPLODES = "vehicle explodes"
    ANNIHILATED = "vehicle annihilated"
    HULL_POINT = "hull point lost"
    WRECKED = "wrecked"

    @property
    def destroys(self) -> bool:
        """Whether the vehicle is destroyed by it."""
        return self in (
            DamageResult.DESTROYED,
            DamageResult.THROWN,
            DamageResult.EXPLODES,
            DamageResult.ANNIHILATED,
            DamageResult.WRECKED,
        )


class Verdict(StrEnum):
    """What an armour penetration roll comes to."""

    NONE = "no effect"
    GLANCING = "glancing hit"
    PENETRATING = "penetrating hit"


Results: TypeAlias = tuple[DamageResult, DamageResult, DamageResult, DamageResult, DamageResult, DamageResult]
"""The results of 1 to 6 on a damage table."""


@rule("4e.damage-rolls.result-cap")
def read_table(results: Results, total: int) -> DamageResult:
    """The result of a total: lower totals count as 1, higher ones as 6."""
    return results[min(max(total, 1), 6) - 1]


@dataclass(frozen=True, slots=True)
class DamageTable:
    """A damage table.

    Attributes:
        results: of 1 to 6.
        rule: the one that holds it.
        confidence: how sure its source is: high, medium or low; "" where the players or the source text say it.
    """

    name: str
    results: Results
    rule: str
    confidence: str = ""

    def result(self, total: int) -> DamageResult:
        """The result of a total, modifiers included."""
        return read_table(self.results, total)


def whatever_ap(found: Verdict, ap: int | None) -> Verdict:
    """The AP of a weapon makes no difference to a hit."""
    return found


def no_modifiers(ap: int | None) -> tuple[Modifier, ...]:
    """The AP of a weapon adds nothing to a roll on a damage table."""
    return ()


@rule("3e.outside.vehicle-penetration", "3e.core.vehicles.penetration", "6e.outside.penetration")
@rule(
    "4e.armour-penetration.bounce",
    "4e.armour-penetration.glance",
    "4e.armour-penetration.penetrate",
    "4e.armour-penetration.example-predator",
)
def verdict(total: int, armour: int) -> Verdict:
    """What a total (dice, Strength and all that is added) does to an armour value: equal glances, more penetrates."""
    if total < armour:
        return Verdict.NONE
    return Verdict.GLANCING if total == armour else Verdict.PENETRATING


def armour_against(draft: Draft, armour: Armour) -> int:
    """The armour value that the attack meets."""
    value = armour.of(draft.target.facing)
    return value if draft.armour_limit is None else min(value, draft.armour_limit)


@rule("3e.core.vehicles.hull-down")
def _demoted(draft: Draft, found: Verdict) -> Verdict:
    """Penetrating hits on a vehicle that is hull down are glancing hits."""
    return Verdict.GLANCING if draft.target.hull_down and found is Verdict.PENETRATING else found


@rule("3e.core.weapons.ordnance-penetration", "3e.core.weapons.melta", "3e.core.weapons.rending")
@rule("3e.core.weapons.ap-and-vehicles", "6e.outside.hull-points")
@rule("4e.armour-penetration.roll", "4e.damage-rolls.roll")
def damage_steps(
    draft: Draft,
    armour: Armour,
    judge: Callable[[int, int], Verdict],
    glancing: DamageTable,
    penetrating: DamageTable,
    *,
    hull_points: bool = False,
    by_ap: Callable[[Verdict, int | None], Verdict] = whatever_ap,
    table_modifiers: Callable[[int | None], tuple[Modifier, ...]] = no_modifiers,
) -> tuple[Step, ...]:
    """The steps from a hit on a vehicle to the result on a damage table.

    Args:
        hull_points: whether every hit that glances or penetrates takes a hull point, and only those that penetrate
            are followed by a roll on the table.
        by_ap: what the weapon's AP makes of a hit before anything else turns it back.
        table_modifiers: what the AP adds to the roll on the table.

    The higher of two dice is thrown as a second die where the first has not penetrated yet: a die that penetrates
    cannot be bettered, so the outcome is the same.
    """
    value = armour_against(draft, armour)
    added = draft.strength + sum(modifier.amount for modifier in draft.penetration_modifiers)
    ap = draft.ap if draft.ap is not None else draft.weapon.ap

    def found(die: int, more: int = 0) -> Verdict:
        if draft.fixed_penetration is not None:
            return _demoted(draft, _FIXED[draft.fixed_penetration[die - 1]])
        result = judge(die + more + added, value)
        if draft.glances_on is not None and die >= draft.glances_on and result is Verdict.NONE:
            result = Verdict.GLANCING
        if draft.weapon.melee and ap is None:
            # RULING: 4e.ap-dash.glance-only blows and grenades have no AP at all, which is not the AP "-" of a gun.
            return _demoted(draft, result)
        return _demoted(draft, by_ap(result, ap))

    steps: list[Step] = []
    if draft.penetration is PenetrationDice.TWO and draft.fixed_penetration is None:
        steps.append(_penetration("penetration", [found(total) for total in range(2, 13)], draft, dice=_TWO))
    elif draft.penetration is PenetrationDice.BEST_OF_TWO and draft.fixed_penetration is None:
        steps += _best_of_two(draft, [found(die) for die in range(1, 7)])
    elif draft.bursts_on is not None and draft.fixed_penetration is None:
        steps += _bursting(draft, found, draft.bursts_on)
    else:
        steps.append(_penetration("penetration", [found(die) for die in range(1, 7)], draft))
    glances: tuple[Emit, ...] = (Emit(str(DamageResult.HULL_POINT)),) if hull_points else (Emit(glancing.name),)
    pierces: tuple[Emit, ...] = (*(glances if hull_points else ()), Emit(penetrating.name))
    if draft.target.obscured_on is not None:
        steps.append(_obscured(draft.target.obscured_on, glances, pierces))
        pierces = (Emit(OBSCURED),)
    save = None if draft.ignores_cover or draft.weapon.melee else draft.target.models[0].cover
    if save is not None:
        steps += [_cover_save(SAVED_GLANCING, save, glances), _cover_save(SAVED_PENETRATING, save, pierces)]
        glances, pierces = (Emit(SAVED_GLANCING),), (Emit(SAVED_PENETRATING),)
    modifiers = table_modifiers(ap)
    if not hull_points:
        steps.append(_table(glancing, draft, modifiers))
    if hull_points or penetrating.name != glancing.name:
        steps.append(_table(penetrating, draft, modifiers))
    return tuple(_to_tables(step, glances, pierces) for step in steps)


OBSCURED, SAVED_GLANCING, SAVED_PENETRATING = "obscured", "cover save against a glance", "cover save"
"""Steps of their own between penetration and damage."""


@rule("4e.obscured.glancing-unaffected")
def _obscured(needed: int, glances: tuple[Emit, ...], pierces: tuple[Emit, ...]) -> Step:
    """The die of an obscured vehicle for each penetrating hit."""
    outcomes = (Outcome("stays", pierces, success=True), Outcome("only glances", glances))
    by_total = tuple(int(die >= needed) for die in range(1, 7))
    return Step(OBSCURED, outcomes, by_total, needed=needed, rules=("4e.obscured.save",))


def _cover_save(name: str, needed: int, emits: tuple[Emit, ...]) -> Step:
    """A vehicle's cover save: a 1 never saves."""
    outcomes = (Outcome("fail", emits, success=True), Outcome("saved"))
    by_total = tuple(int(die >= max(needed, 2)) for die in range(1, 7))
    return Step(name, outcomes, by_total, needed=needed, rules=("6e.outside.cover-obscured",))


_FIXED = {"": Verdict.NONE, "glancing": Verdict.GLANCING, "penetrating": Verdict.PENETRATING}
_GLANCING, _PENETRATING = "<glancing>", "<penetrating>"
"""Stand for the tables until they are known."""
_EMITS = {Verdict.NONE: (), Verdict.GLANCING: (Emit(_GLANCING),), Verdict.PENETRATING: (Emit(_PENETRATING),)}


def _outcome(found: Verdict) -> Outcome:
    return Outcome(str(found), _EMITS[found], success=found is not Verdict.NONE)


def _penetration(name: str, by_total: Sequence[Verdict], draft: Draft, dice: DiceExpression = D6) -> Step:
    present = list(dict.fromkeys(by_total))
    outcomes = tuple(_outcome(each) for each in present)
    return _step(name, outcomes, [present.index(each) for each in by_total], draft, dice)


def _step(
    name: str, outcomes: tuple[Outcome, ...], by_total: list[int], draft: Draft, dice: DiceExpression = D6
) -> Step:
    first = next((place for place, index in enumerate(by_total) if outcomes[index].success), None)
    return Step(
        name,
        outcomes,
        tuple(by_total),
        dice=dice,
        needed=None if first is None else first + dice.minimum,
        reroll=draft.context.reroll_penetration,
        modifiers=(Modifier("3e.core.vehicles.penetration", draft.strength), *draft.penetration_modifiers),
        rules=("3e.core.vehicles.penetration",),
    )


@rule("4e.ordnance.two-dice")
def _best_of_two(draft: Draft, by_die: list[Verdict]) -> list[Step]:
    """The first die; the second for those that have not penetrated, who keep at least what they have."""
    again = {Verdict.NONE: "penetration-second", Verdict.GLANCING: "penetration-second-glancing"}
    present = [each for each in Verdict if each in by_die]
    first = [
        Outcome(str(each), (Emit(again[each]),) if each in again else _EMITS[each], success=each is not Verdict.NONE)
        for each in present
    ]
    steps = [_step("penetration", tuple(first), [present.index(each) for each in by_die], draft)]
    if Verdict.NONE in present:
        steps.append(_penetration(again[Verdict.NONE], by_die, draft))
    if Verdict.GLANCING in present:
        kept = [Verdict.GLANCING if each is Verdict.NONE else each for each in by_die]
        steps.append(_penetration(again[Verdict.GLANCING], kept, draft))
    return steps


def _bursting(draft: Draft, found: Callable[[int, int], Verdict], bursts_on: int) -> list[Step]:
    """A first die of ``bursts_on`` or more is added to a second one."""
    plain = [found(die, 0) for die in range(1, bursts_on)]
    present = list(dict.fromkeys(plain))
    faces = range(bursts_on, 7)
    outcomes = [_outcome(each) for each in present]
    outcomes += [Outcome(f"burst-{die}", (Emit(f"penetration-burst-{die}"),), success=True) for die in faces]
    by_die = [present.index(each) for each in plain] + [len(present) + i for i in range(len(faces))]
    steps = [_step("penetration", tuple(outcomes), by_die, draft)]
    for die in faces:
        second = draft.burst_die
        by_second = [found(more, die) for more in range(second.minimum, second.maximum + 1)]
        steps.append(_penetration(f"penetration-burst-{die}", by_second, draft, dice=second))
    return steps


@rule("3e.core.vehicles.open-topped-damage", "4e.open-topped.damage-bonus", "6e.open-topped.damage-plus-one")
def _table(table: DamageTable, draft: Draft, more: tuple[Modifier, ...]) -> Step:
    """A roll on a damage table; open-topped vehicles add 1, which the context brings."""
    modifiers = (*draft.context.damage_table, *more)
    if "OPEN-TOPPED" in draft.target.traits:
        modifiers = (*modifiers, Modifier("3e.core.vehicles.open-topped-damage", 1))
    added = sum(modifier.amount for modifier in modifiers)
    by_die = [table.result(die + added) for die in range(1, 7)]
    present = list(dict.fromkeys(by_die))
    return Step(
        table.name,
        tuple(Outcome(str(each), (Emit(str(each)),), success=each.destroys) for each in present),
        tuple(present.index(each) for each in by_die),
        needed=next((die for die, each in enumerate(by_die, 1) if each.destroys), None),
        modifiers=modifiers,
        rules=(table.rule,),
    )


def _to_tables(step: Step, glances: tuple[Emit, ...], pierces: tuple[Emit, ...]) -> Step:
    follow = {_GLANCING: glances, _PENETRATING: pierces}
    outcomes = tuple(
        Outcome(
            each.name,
            tuple(one for emit in each.emits for one in follow.get(emit.to, (emit,))),
            success=each.success,
            critical=each.critical,
        )
        for each in step.outcomes
    )
    return Step(step.name, outcomes, step.by_total, step.dice, step.needed, step.reroll, step.modifiers, step.rules)


def damage_packets(*tables: DamageTable, hull_points: bool = False, immobilised: bool = False) -> tuple[Packet, ...]:
    """What can arrive at a vehicle: an effect for each result, or the end of it.

    Args:
        hull_points: whether it has hull points, one of which a hit may take.
        immobilised: whether it is immobilised already, so that being so again takes a hull point.
    """
    results = dict.fromkeys(result for table in tables for result in table.results)
    if hull_points:
        results = {DamageResult.HULL_POINT: None, **results}
    found = []
    for result in results:
        takes = result is DamageResult.HULL_POINT or (
            hull_points and immobilised and result is DamageResult.IMMOBILISED
        )
        if result.destroys:
            found.append(Packet(str(result), amount(_WHOLE if hull_points else 1), saved=False))
        elif takes:
            found.append(Packet(str(result), amount(1), saved=False))
        else:
            found.append(Packet(str(result), saved=False, effect=str(result)))
    return tuple(found)


_WHOLE = 10
"""As many hull points as any vehicle has."""
