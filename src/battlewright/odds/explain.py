"""How an answer came about: each stage, what its dice mean, and the rules that made it so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from battlewright.attacks.choices import reroll_class, save_tables
from battlewright.attacks.description import (
    Amount,
    Emit,
    Group,
    Outcome,
    Packet,
    Policy,
    RerollPermission,
    RerollWhich,
    Step,
    Volley,
)
from battlewright.attacks.distributions import Stage
from battlewright.core.dice import Modifier
from battlewright.odds.answer import Answer

__all__ = ["Explained", "explain"]


@dataclass(frozen=True, slots=True)
class Explained:
    """One stage of an answer.

    Attributes:
        says: what the dice mean and what comes of them, line by line.
        rules: ids of the rules at work, each once.
    """

    stage: Stage
    says: tuple[str, ...]
    rules: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The same as JSON values."""
        stage = self.stage
        return {
            "volley": stage.volley,
            "name": stage.name,
            "rolled": stage.rolled,
            "passed": stage.passed,
            "critical": stage.critical,
            "says": list(self.says),
            "rules": list(self.rules),
        }


def explain(answer: Answer) -> tuple[Explained, ...]:
    """Every stage of an answer with what its dice mean.

    >>> from battlewright.odds import volley
    >>> [hit] = [each for each in explain(volley("A6 BS3+ S4 AP0 D1", "T4 Sv4+ W1")) if each.stage.name == "hit"]
    >>> hit.says
    ('needs 3+', '1-2 miss, 3-5 hit, 6 critical-hit')
    """
    found: list[Explained] = []
    waiting = iter(answer.volleys)
    volley = answer.volleys[0]
    for stage in answer.stages:
        if stage.name == "attacks":
            volley = next(waiting)
        says, rules = _told(stage, volley, answer)
        found.append(Explained(stage, tuple(says), tuple(dict.fromkeys(rule for rule in rules if "." in rule))))
    return tuple(found)


def _told(stage: Stage, volley: Volley, answer: Answer) -> tuple[list[str], Sequence[str]]:
    match stage.name:
        case "attacks":
            return _attacks(volley)
        case "save":
            return _saves(volley, answer.policy)
        case "damage":
            return _damage(answer.volleys, answer.policy)
        case "slain":
            groups = answer.odds.target.groups
            return [f"{len(group.remaining)} {group.name}, W{group.wounds}" for group in groups], ()
        case _:
            chosen = {
                point.partition(": ")[2]: way
                for point, way in answer.odds.choices.items()
                if point.startswith(f"{volley.name}: ")
            }
            return _step(volley.step(stage.name), answer.policy, chosen)


def _attacks(volley: Volley) -> tuple[list[str], list[str]]:
    says = [f"{dice.weapons} x A{_amount(dice.each)}" for dice in volley.dice]
    return says, [*volley.rules, *(rule for dice in volley.dice for rule in _by(dice.each.modifiers))]


def _step(step: Step, policy: Policy, chosen: Mapping[str, str]) -> tuple[list[str], list[str]]:
    needs = [] if step.needed is None else [f"needs {step.needed}+"]
    says = [", ".join((*needs, *(f"{modifier.amount:+d} to the roll" for modifier in step.modifiers)))]
    says.append(", ".join(_faces(step)))
    says += [_handed_on(outcome, chosen) for outcome in step.outcomes if _is_special(outcome, step)]
    says += _again(step.reroll, reroll_class(policy, step.name, step.reroll))
    rules = [*step.rules, *_by(step.modifiers), *([step.reroll.rule] if step.reroll else [])]
    for outcome in step.outcomes:
        rules += outcome.rules
        if outcome.choice is not None:
            taken = chosen.get(outcome.choice.name)
            rules += [rule for way in outcome.choice.alternatives if way.name == taken for rule in way.rules]
    return [line for line in says if line], rules


def _faces(step: Step) -> Iterator[str]:
    """``"1-2 miss"``, ``"3-5 hit"``, ...: neighbouring totals that mean the same."""
    for index, totals in groupby(enumerate(step.by_total, step.dice.minimum), key=lambda pair: pair[1]):
        numbers = [total for total, _ in totals]
        span = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        yield f"{span} {step.outcomes[index].name}"


def _is_special(outcome: Outcome, step: Step) -> bool:
    """Whether an outcome hands on something else than the step's first success does, and than its name says."""
    first = next((each.emits for each in step.outcomes if each.success), ())
    if outcome.choice is not None:
        return True
    own_name = len(outcome.emits) == 1 and _emitted(outcome.emits[0]) == outcome.name
    return outcome.emits != () and outcome.emits != first and not own_name


def _handed_on(outcome: Outcome, chosen: Mapping[str, str]) -> str:
    emits = list(outcome.emits)
    taken = ""
    if outcome.choice is not None:
        name = chosen.get(outcome.choice.name, outcome.choice.alternatives[0].name)
        taken = f" ({outcome.choice.name}: {name})"
        emits[:0] = next(way.emits for way in outcome.choice.alternatives if way.name == name)
    return f"{outcome.name} goes on to {' and '.join(map(_emitted, emits))}{taken}"


def _emitted(emit: Emit) -> str:
    return emit.to if emit.count.values == (1,) else f"{_amount(emit.count)} x {emit.to}"


def _saves(volley: Volley, policy: Policy) -> tuple[list[str], list[str]]:
    says: list[str] = []
    rules: list[str] = []
    for packet in volley.packets:
        tables = save_tables(volley, packet)
        name = f"{packet.name}: " if len(volley.packets) > 1 else ""
        if not tables:
            says.append(f"{name}no save")
            rules += packet.rules
        for group, table in zip(volley.target.groups, tables, strict=False):
            says.append(f"{name}{_name_of(group, volley)}{table.label}")
            says += _again(table.reroll, reroll_class(policy, "save", table.reroll))
            rules += [*table.rules, *_by(table.modifiers), *([table.reroll.rule] if table.reroll else [])]
    return says, rules


def _damage(volleys: Sequence[Volley], policy: Policy) -> tuple[list[str], list[str]]:
    says: list[str] = []
    rules: list[str] = []
    for volley in volleys:
        name = f"{volley.name}: " if len(volleys) > 1 else ""
        for packet in volley.packets:
            says.append(f"{name}{_packet(packet)}")
            says += _again(packet.reroll_damage, reroll_class(policy, "damage", packet.reroll_damage))
            rules += [*packet.rules, *_by(packet.damage.modifiers)]
    for group in volleys[0].target.groups:
        if group.feel_no_pain is not None:
            says.append(f"{_name_of(group, volleys[0])}Feel No Pain {group.feel_no_pain}+ against each point")
            rules += group.feel_no_pain_rules
    return says, rules


def _packet(packet: Packet) -> str:
    if packet.effect is not None:
        return f"{packet.name}: {packet.effect}"
    reach = "goes on to the next model" if packet.spills else "stays with one model"
    return f"{packet.name}: D{_amount(packet.damage)} each, {reach}"


def _again(permission: RerollPermission | None, which: RerollWhich) -> list[str]:
    if permission is None:
        return []
    used = "none" if which is RerollWhich.NONE else which.value
    return [f"thrown again: {used} (permitted: {permission.widest.value})"]


def _name_of(group: Group, volley: Volley) -> str:
    return f"{group.name}: " if len(volley.target.groups) > 1 else ""


def _amount(number: Amount) -> str:
    """``"D6+1"``, and where modifiers changed it the numbers that it can be."""
    changed = (
        f" (now {number.values[0]} to {number.values[-1]})" if number.dice.is_random else f" (now {number.values[0]})"
    )
    printed = number.printed or str(number.dice)
    return printed + (changed if number.modifiers else "")


def _by(modifiers: Iterable[Modifier]) -> list[str]:
    return [modifier.rule for modifier in modifiers]
