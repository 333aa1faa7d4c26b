"""Smoke launchers: used once, in place of fire, and gone with the enemy's next Shooting phase."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.events import SmokeLaunched
from battlewright.editions.classic.procedures.fire_points import was_fired_out_of
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.vehicles import smoke_after_shooting, why_no_smoke

__all__ = ["SMOKE_LAUNCHERS", "launch", "launch_smoke", "may_launch", "smoke_clears"]

SMOKE_LAUNCHERS = "SMOKE LAUNCHERS"
_SMOKE = "3e.core.vehicles.smoke"


@rule("3e.core.vehicles.smoke")
@rule("4e.smoke.shaken-stunned", "4e.smoke.some-vehicles", "4e.smoke.once")
@rule("6e.smoke-launchers.use", "6e.smoke-launchers.even-if-shaken")
def may_launch(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit of vehicles may use its smoke launchers now, so far as the phase allows it."""
    mine, rows = state.units[unit], standing(state, unit)
    if mine.side != state.turn or not rows:
        return False
    launchers = all(scene.models[row].has(SMOKE_LAUNCHERS) for row in rows)
    return not why_no_smoke(
        smoke=mine.smoke,
        launchers=launchers,
        fired=bool({Deed.FIRED, Deed.FLAT_OUT, Deed.RAN} & mine.deeds) or was_fired_out_of(mine),
    )


@resumable
@rule("3e.core.vehicles.smoke")
def launch_smoke(battle: ClassicBattle) -> Procedure[None]:
    """When everybody has moved, vehicles use their smoke launchers, one after the other.

    RULING: 3e.core.vehicles.smoke the vehicles of a squadron use theirs together.
    """
    state = battle.state
    while able := [unit for unit in range(len(state.units)) if may_launch(battle.scene, state, unit)]:
        picked = yield from _select(battle, able)
        if picked is None:
            return
        launch(battle, picked)


@resumable
def _select(battle: ClassicBattle, able: list[int]) -> Procedure[int | None]:
    def options() -> list[Option]:
        scene, state = battle.scene, battle.state
        units = [each for each in scene.units if may_launch(scene, state, each.index)]
        return [
            *(Option(each.id, each.name, int(each.index)) for each in units),
            Option("end", "nobody else does", None),
        ]

    picked: int | None = yield from choose(
        Decision(
            battle.state.turn,
            "select-unit-to-smoke",
            "Which vehicle uses its smoke launchers? It fires nothing this turn",
            _SMOKE,
            Options(options, rule=_SMOKE, default="end"),
            is_checkpoint=True,
        )
    )
    return picked


def launch(battle: ClassicBattle, unit: int) -> None:
    """The smoke of a unit stands around it; it fires nothing this turn."""
    mine = battle.state.units[unit]
    mine.smoke = 1
    mine.did(Deed.SMOKED)
    battle.happened(SmokeLaunched(unit=battle.scene.units[unit].id, rules=(_SMOKE,)))


@rule("3e.core.vehicles.smoke")
def smoke_clears(battle: ClassicBattle) -> None:
    """A Shooting phase is over: the smoke of the side that was fired at has gone."""
    state = battle.state
    for unit in state.units:
        unit.smoke = smoke_after_shooting(unit.smoke, enemys=unit.side != state.turn)
