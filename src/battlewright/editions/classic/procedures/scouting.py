"""Moves of scouts when everybody is set up, before the first turn."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options, Place, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.procedures.accidents import carry_out
from battlewright.editions.classic.procedures.conditions import OneInch
from battlewright.editions.classic.procedures.movement import move_unit
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, Deed, MoveKind
from battlewright.editions.placing.conditions import FarFromEnemies

__all__ = ["scout", "scouts_of"]

_RULE = "3e.core.missions.set-up"


def scouts_of(scene: Scene, state: ClassicState, side: Side) -> list[int]:
    """The units of a side that may still make a move before the first turn."""
    names = scene.rules.movement.arrivals.scouts
    return [
        int(info.index)
        for info in scene.units_of(side)
        if not state.units[info.index].acted
        and standing(state, info.index)
        and names & traits_of(scene, state, info.index)
    ]


@resumable
@rule("3e.core.missions.set-up", "4e.scouts.free-move", "4e.scouts.before-first-turn-roll")
@rule("6e.core.special-rules.scout")
def scout(battle: ClassicBattle) -> Procedure[None]:
    """Scouts of both sides move, side by side in turn, by the rules of the Movement phase unless the edition says more.

    RULING: 4e.scouts.free-move we read it as the players taking turns, unit by unit, as they did in deploying.
    """
    scene, state = battle.scene, battle.state
    while waiting := [side for side in (state.chooser, opponent(state.chooser)) if scouts_of(scene, state, side)]:
        side = waiting[0]
        unit = yield from _select(battle, side)
        if unit is None:
            for each in scouts_of(scene, state, side):
                state.units[each].acted = True
        elif scene.rules.movement.arrivals.scout_reach is None:
            yield from move_unit(battle, unit)
        else:
            yield from _scout_move(battle, unit)
        state.chooser = opponent(side)
    _forget(state)


@resumable
def _select(battle: ClassicBattle, side: Side) -> Procedure[int | None]:
    scene, state = battle.scene, battle.state

    def options() -> list[Option]:
        units = [scene.units[unit] for unit in scouts_of(scene, state, side)]
        return [*(Option(unit.id, unit.name, int(unit.index)) for unit in units), Option("end", "no more", None)]

    picked: int | None = yield from choose(
        Decision(
            side,
            "select-scouts",
            "Select scouts to move",
            _RULE,
            Options(options, rule=_RULE),
            is_checkpoint=True,
        )
    )
    return picked


@rule("6e.core.special-rules.scout")
def _scout_move(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """A move of its own length, further from enemies than any other."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    rules = scene.rules.movement.arrivals
    assert rules.scout_reach is not None
    state.units[unit].acted = True
    rows = standing(state, unit)
    foot = all(scene.models[row].profile.kind is Kind.INFANTRY for row in rows)
    after: tuple[FarFromEnemies | OneInch, ...] = (OneInch(),)
    if rules.scout_gap is not None:
        after = (*after, FarFromEnemies(rules.scout_gap - TOLERANCE, "6e.core.special-rules.scout"))
    limits = dict.fromkeys(rows, round(1000 * rules.scout_reach(foot)))
    space = MoveSpace(
        scene, state, unit, MoveKind.SCOUT, rule="6e.core.special-rules.scout", limits=limits, after=after
    )
    placement = yield Decision(
        info.side, "move-scout", f"Move {info.name} ahead", space.rule, space, subject=info.index
    )
    assert isinstance(placement, Place)
    if placement.moves:
        yield from carry_out(battle, space, placement)
    state.units[unit].ahead = bool(placement.moves)


def _forget(state: ClassicState) -> None:
    """What scouts did before the battle is no part of a turn, and all may act in the first."""
    for unit in state.units:
        unit.acted = unit.moved = False
        unit.moved_distance = unit.displaced = 0
        unit.deeds = unit.deeds & {Deed.EMBARKED}
