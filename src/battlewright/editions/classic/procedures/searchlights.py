"""Searchlights: a vehicle that has fired at night lights up its target, and itself."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.events import LitUp
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState

__all__ = ["is_lit", "light_up", "offer_light"]

_RULE = "6e.searchlight.light-up-target"


@rule("6e.searchlight.duration", "6e.searchlight.effect")
def is_lit(state: ClassicState, unit: int) -> bool:
    """Whether a unit is lit up: through the end of the player turn after the one in which the light fell on it."""
    return bool(0 < state.turns <= state.units[unit].lit)


@rule("6e.searchlight.only-night", "6e.searchlight.light-up-target")
def may_light_up(scene: Scene, state: ClassicState, unit: int, target: int) -> bool:
    """Whether a unit of vehicles may light up what it has just shot at."""
    rows = standing(state, unit)
    judge = scene.rules.vehicles.fire.may_light_up
    fired = state.units[unit].target == target
    return bool(standing(state, target)) and any(
        judge(scene.models[row].profile.abilities, dark=state.dark, fired=fired) for row in rows
    )


@rule("6e.searchlight.light-up-target")
def offer_light(battle: ClassicBattle, unit: int, target: int) -> Procedure[None]:
    """When all weapons of a vehicle have been fired its player is asked whether it turns its light on their target."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    if not may_light_up(scene, state, unit, target):
        return
    options = [Option("light", "light up the target, and itself", True), Option("dark", "stay in the dark", False)]
    lights: bool = yield from choose(
        Decision(
            info.side,
            "use-searchlight",
            f"{info.name}: light up {scene.units[target].name}?",
            _RULE,
            Options(options, rule=_RULE, default="light"),
            subject=info.index,
        )
    )
    if lights:
        light_up(battle, unit, target)


@rule("6e.searchlight.lights-itself", "6e.searchlight.duration")
def light_up(battle: ClassicBattle, unit: int, target: int) -> None:
    """The light falls on the target and gives the vehicle away."""
    state = battle.state
    for each in (unit, target):
        state.units[each].lit = state.turns + 1
    names = (battle.scene.units[unit].id, battle.scene.units[target].id)
    battle.happened(LitUp(unit=names[0], target=names[1], rules=(_RULE,)))
