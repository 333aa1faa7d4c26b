"""Playing a scenario through: the first step that fails ends it, with what was found and what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from battlewright.core.battle import Battle
from battlewright.core.decisions import parse_answer
from battlewright.core.errors import BattlewrightError, ScriptError
from battlewright.core.rulebook import entry
from battlewright.core.state import plain
from battlewright.scenarios.format import OddsExpected, OptionsExpected, Refusal, Scenario, Step, UnitExpected
from battlewright.scenarios.stage import stage

__all__ = ["Report", "run_scenario"]


@dataclass(frozen=True, slots=True)
class Report:
    """How a scenario went.

    Attributes:
        name: the scenario's title.
        passed: whether everything expected was found.
        steps: how many steps passed.
        failure: what went wrong, as one sentence; empty when nothing did.
        events: everything that happened, as JSON.
    """

    name: str
    passed: bool
    steps: int
    failure: str
    events: tuple[dict[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "scenario": self.name,
            "passed": self.passed,
            "steps": self.steps,
            "failure": self.failure or None,
            "events": list(self.events),
        }


class _Unmet(Exception):
    """An expectation that was not met."""


def run_scenario(scenario: Scenario) -> Report:
    """Play a scenario through.

    Raises:
        BattlewrightError: when the scenario cannot be set up (unknown edition, rule, layout, unreadable profile).
    """
    for rule_id in scenario.rules:
        entry(rule_id)
    try:
        battle = stage(scenario) if scenario.sides is not None else None
    except ScriptError as error:  # dice are thrown before the first decision
        return Report(scenario.scenario, False, 0, str(error))
    seen = done = 0
    failure = ""
    for number, step in enumerate(scenario.steps, start=1):
        try:
            seen = _take(battle, scenario, step, seen)
        except (_Unmet, BattlewrightError) as error:
            failure = f"step {number}: {error}"
            break
        done = number
    if not failure and battle is not None:
        try:
            battle.dice.finish(battle.state.dice)
        except ScriptError as error:
            failure = str(error)
    events = tuple(event.to_json() for event in battle.events) if battle is not None else ()
    return Report(scenario.scenario, not failure, done, failure, events)


def _take(battle: Battle[Any, Any] | None, scenario: Scenario, step: Step, seen: int) -> int:
    """Take one step; returns how many events had happened before the latest answer."""
    if step.odds is not None:
        _odds(scenario.edition, step.odds)
        return seen
    assert battle is not None
    if step.answer is not None:
        seen = len(battle.events)
        battle.answer(parse_answer(step.answer))
    elif step.refused is not None:
        _refused(battle, step.refused)
    elif step.decision is not None:
        _decision(battle, step.decision)
    elif step.options is not None:
        _options(battle, step.options)
    elif step.unit is not None:
        for unit_id, expected in step.unit.items():
            _unit(battle, unit_id, expected)
    elif step.state is not None:
        _fields(battle.state, step.state, "the state")
    elif step.event is not None:
        if not _events(battle, step.event, seen):
            found = ", ".join(event.kind for event in battle.events[seen:]) or "nothing"
            raise _Unmet(f"no event like {step.event} since the last answer; there was {found}")
    elif step.no_event is not None and _events(battle, step.no_event, seen):
        raise _Unmet(f"an event like {step.no_event} happened")
    return seen


def _refused(battle: Battle[Any, Any], refusal: Refusal) -> None:
    violations = battle.check(parse_answer(refusal.answer))
    if not violations:
        raise _Unmet(f'"{refusal.answer}" was accepted')
    broken = [violation.rule for violation in violations]
    missing = [rule_id for rule_id in refusal.rules if rule_id not in broken]
    if missing:
        raise _Unmet(f'"{refusal.answer}" was refused by {", ".join(broken)}, not by {", ".join(missing)}')


def _decision(battle: Battle[Any, Any], expected: Mapping[str, Any]) -> None:
    if battle.decision is None:
        raise _Unmet("the battle has ended")
    _matches({**battle.decision.to_json(), "side": "ab"[battle.decision.side]}, expected, "the decision")


def _options(battle: Battle[Any, Any], expected: OptionsExpected) -> None:
    offered = [option.key for option in battle.options()]
    for key in expected.includes:
        if key not in offered:
            raise _Unmet(f'"{key}" is not offered; there are {", ".join(offered) or "no options"}')
    for key in expected.excludes:
        if key in offered:
            raise _Unmet(f'"{key}" is offered')


def _unit(battle: Battle[Any, Any], unit_id: str, expected: UnitExpected) -> None:
    index = next((i for i, unit in enumerate(battle.scene.units) if unit.id == unit_id), None)
    if index is None:
        raise _Unmet(f'there is no unit "{unit_id}"')
    unit = battle.state.units[index]
    wounds = [int(battle.state.wounds[row]) for row in unit.models]
    alive = sum(1 for left in wounds if left)
    if expected.models is not None and alive != expected.models:
        raise _Unmet(f"{unit_id} has {alive} models left, expected {expected.models}")
    if expected.wounds is not None and wounds != expected.wounds:
        raise _Unmet(f"{unit_id} has wounds {wounds}, expected {expected.wounds}")
    _fields(unit, expected.state, unit_id)


def _fields(target: Any, expected: Mapping[str, Any], what: str) -> None:
    for name, value in expected.items():
        if not hasattr(target, name):
            raise _Unmet(f'{what} has no "{name}"')
        _matches({name: plain(getattr(target, name))}, {name: value}, what)


def _events(battle: Battle[Any, Any], pattern: Mapping[str, Any], seen: int) -> bool:
    return any(_is_like(event.to_json(), pattern) for event in battle.events[seen:])


def _is_like(data: Mapping[str, Any], pattern: Mapping[str, Any]) -> bool:
    return all(name in data and _plain(data[name]) == _plain(value) for name, value in pattern.items())


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _matches(data: Mapping[str, Any], expected: Mapping[str, Any], what: str) -> None:
    for name, value in expected.items():
        if _plain(data.get(name)) != _plain(value):
            raise _Unmet(f"{name} of {what} is {data.get(name)!r}, expected {value!r}")


def _odds(edition: str, expected: OddsExpected) -> None:
    from battlewright import odds

    settings: dict[str, Any] = dict(expected.settings)
    answer = odds.volley(expected.attack, expected.target, edition=edition, **settings)
    for what, wanted, found in (
        ("damage", expected.damage, answer.damage),
        ("slain", expected.slain, answer.slain),
    ):
        for number, probability in wanted.items():
            exact = float(Fraction(probability)) if isinstance(probability, str) else probability
            have = float(found[number]) if number < len(found) else 0.0
            if abs(have - exact) > 1e-12:
                raise _Unmet(f"the probability of {what} {number} is {have:.15g}, expected {exact:.15g}")
