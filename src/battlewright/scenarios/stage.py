"""From a scenario to a battle that stands at its position."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from battlewright.core.bases import Base, snap, snap_facing
from battlewright.core.battle import Battle
from battlewright.core.dice import ScriptedDice, ScriptedRoll
from battlewright.core.errors import ScenarioError
from battlewright.core.header import Header
from battlewright.core.roster import Ability, Army, Component, Model, Role, Unit, Weapon, WeaponProfile
from battlewright.core.state import State
from battlewright.core.table import Battlefield
from battlewright.editions.edition import find_edition
from battlewright.scenarios.format import Scenario, ScenarioModels, ScenarioUnit, ScenarioWeapon

__all__ = ["stage"]

_LETTERS = "ab"


def stage(scenario: Scenario) -> Battle[Any, Any]:
    """The battle, standing at the scenario's position, with its scripted dice.

    Raises:
        ScenarioError: when the state has no such field, or a place is wanting.
        BattlewrightError: for an unknown edition, layout, option or rule.
    """
    assert scenario.sides is not None
    edition = find_edition(scenario.edition)
    board = edition.switchboard()
    mission = scenario.mission if scenario.mission is not None else board.missions()[0]
    match scenario.table:
        case None:
            field = board.battlefield("open_table")
        case str(layout):
            field = board.battlefield(layout)
        case given:
            field = Battlefield.from_json(given).to_json()
    sides = scenario.sides.a, scenario.sides.b
    a, b = (
        Army(f"side {letter}", edition.id, "", tuple(_unit(letter, n, unit) for n, unit in enumerate(units, start=1)))
        for letter, units in zip(_LETTERS, sides, strict=True)
    )
    header = Header(edition.id, (a, b), mission, field, scenario.options)
    dice = ScriptedDice([ScriptedRoll(throw.purpose, tuple(throw.faces)) for throw in scenario.dice])

    def arrange(_: object, state: State) -> None:
        _arrange(scenario, (*sides[0], *sides[1]), state)

    return Battle(header, edition.rules(), dice=dice, arrange=arrange)


def _unit(letter: str, number: int, unit: ScenarioUnit) -> Unit:
    roles = list(dict.fromkeys(models.role for models in unit.models))
    components = tuple(Component(unit.name, Role(role), unit.points if not n else 0) for n, role in enumerate(roles))
    return Unit(
        unit.id or f"{letter}.{number}",
        unit.name,
        components,
        tuple(_model(unit, models, roles.index(models.role)) for models in unit.models for _ in range(models.count)),
    )


def _model(unit: ScenarioUnit, models: ScenarioModels, component: int) -> Model:
    return Model(
        models.name,
        models.base,
        models.height,
        _printed(models.characteristics),
        tuple(dict.fromkeys([*(word.upper() for word in models.keywords), unit.name.upper()])),
        tuple(_weapon(weapon) for weapon in models.weapons),
        tuple(Ability(name) for name in models.abilities),
        component,
        overhang=models.overhang,
    )


def _weapon(weapon: ScenarioWeapon) -> Weapon:
    profile = WeaponProfile(weapon.profile, weapon.melee, _printed(weapon.characteristics), tuple(weapon.abilities))
    return Weapon(weapon.name, (profile,))


def _printed(values: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in values.items()}


def _arrange(scenario: Scenario, units: Sequence[ScenarioUnit], state: State) -> None:
    for name, value in scenario.state.items():
        _set(state, name, value, "the battle's state")
    for unit, unit_state in zip(units, state.units[: len(units)], strict=True):
        for name, value in unit.state.items():
            _set(unit_state, name, value, f"the state of {unit.name}")
        rows = iter(unit_state.models)
        for models in unit.models:
            for place, row in zip(_places(models), rows, strict=False):
                if models.wounds is not None:
                    state.wounds[row] = models.wounds
                if place is not None:
                    state.position[row] = place
                    state.on_table[row] = True


def _places(models: ScenarioModels) -> list[tuple[int, int, int, int] | None]:
    if not models.at:
        return [None] * models.count
    if len(models.at) not in (1, models.count):
        raise ScenarioError(f"{models.name} has {models.count} models and {len(models.at)} places", expected="one each")
    step = 2 * Base.parse(models.base).reach + 1.0
    given = (
        models.at
        if len(models.at) == models.count
        else [[models.at[0][0] + step * n, *models.at[0][1:]] for n in range(models.count)]
    )
    places: list[tuple[int, int, int, int] | None] = []
    for at in given:
        x, y, z, facing = [*at, *([0.0] * (4 - len(at)))]
        places.append((snap(x), snap(y), snap(z), snap_facing(facing)))
    return places


def _set(target: Any, name: str, value: Any, where: str) -> None:
    """Set a field of a state, with the type that it has."""
    if name not in {field.name for field in dataclasses.fields(target)}:
        raise ScenarioError(f'{where} has no "{name}"')
    if name in {"turn", "first", "attacker", "chooser"} and value in ("a", "b"):
        value = _LETTERS.index(value)
    present = getattr(target, name)
    if isinstance(present, np.ndarray):
        raise ScenarioError(f'"{name}" is set through the units', where=where)
    if isinstance(value, list):
        value = tuple(value)
    if present is not None and not isinstance(value, type(present) if not isinstance(present, str) else str):
        raise ScenarioError(f'"{name}" of {where} cannot be {value!r}', expected=f"such as {present!r}")
    setattr(target, name, value)
