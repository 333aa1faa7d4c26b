"""Encodings of abilities made up for tests, and what an attack is like with them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.support.eleventh import UnitSpec

from battlewright.attacks.description import Volley
from battlewright.core import roster
from battlewright.core.roster import AbilitySource
from battlewright.editions.eleventh.attack import compile_volley
from battlewright.editions.eleventh.pools import Circumstances, target_view
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.targeting import AttackKind, Targeting

Effect = dict[str, Any]


def effect(kind: str, target: str = "unit", **modifier: Any) -> Effect:
    """One effect of an encoding."""
    return {"type": kind, "target": target, "modifier": modifier}


def condition(kind: str, **parameters: Any) -> dict[str, Any]:
    """One condition of an encoding."""
    return {"type": kind, "parameters": parameters}


def when(asked: dict[str, Any], then: Effect) -> Effect:
    """An effect under a condition."""
    return {"type": "conditional", "condition": asked, "effect": then}


def both(*operands: dict[str, Any]) -> dict[str, Any]:
    """A condition of which all parts have to hold."""
    return {"operator": "and", "operands": list(operands)}


def ability(
    does: Effect,
    name: str = "Made up",
    *,
    scope: str = "unit",
    duration: str = "permanent",
    behavior: str = "passive",
    source: AbilitySource = AbilitySource.DATASHEET,
    **more: Any,
) -> roster.Ability:
    """A passive, lasting ability of the unit unless said otherwise."""
    encoding = {"behavior": behavior, "scope": {"range": scope, "duration": duration}, "effect": does, **more}
    return roster.Ability(name, source, json.dumps(encoding, sort_keys=True))


def with_ability(spec: UnitSpec, *given: roster.Ability) -> UnitSpec:
    """The unit with these abilities on every model."""
    return replace(spec, models=tuple(replace(model, abilities=(*model.abilities, *given)) for model in spec.models))


def volley(battle: Battle11, attacker: int, target: int, *, row: int | None = None, weapon: int = 0) -> Volley:
    """What the attacks of one model's weapon on a unit are like at this moment."""
    scene, state = battle.scene, battle.state
    row = state.units[attacker].models[0] if row is None else row
    profile = scene.models[row].weapons[weapon].profiles[0]
    kind = AttackKind.FIGHT if profile.melee else AttackKind.NORMAL
    context = Circumstances(Targeting(scene, state, attacker, kind)).context(row, profile, target)
    return compile_volley(profile, 1, context, target_view(scene, state, target))


def faces(made: Volley, step: str) -> tuple[int, ...]:
    """The unmodified dice that succeed in a step: ``(4, 5, 6)``; for ``"save"`` those that stop the attack."""
    if step == "save":
        return tuple(die for die in range(1, 7) if made.saves[0].stops[die - 1])
    found = next(each for each in made.steps if each.name == step)
    return tuple(die for die in range(1, 7) if found.outcomes[found.by_total[die - 1]].success)


def criticals(made: Volley, step: str) -> tuple[int, ...]:
    """The unmodified dice that are critical in a step."""
    found = next(each for each in made.steps if each.name == step)
    return tuple(die for die in range(1, 7) if found.outcomes[found.by_total[die - 1]].critical)
