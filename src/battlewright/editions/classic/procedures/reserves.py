"""Reserves of the 3rd edition: who waits, when they arrive, and how they come onto the table."""

from __future__ import annotations

from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import Decision, Place
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.table import Edge
from battlewright.editions.classic.procedures.board import own_edge
from battlewright.editions.classic.procedures.conditions import ALWAYS, Coherent, OneInch, WhollyWithin
from battlewright.editions.classic.procedures.ground import PLACING, kind_rules
from battlewright.editions.classic.reserves import arrives
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, standing
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.placing.conditions import Condition
from battlewright.editions.placing.moves import follow
from battlewright.editions.placing.placed import Box
from battlewright.editions.placing.setting_up import SetUpSpace as NeutralSetUp

__all__ = ["SetUpSpace", "arrival_space", "arrive", "put_on_table", "roll_for_reserves"]

_RULE = "3e.core.missions.reserves"


class SetUpSpace(NeutralSetUp):
    """One unit that comes onto the table: every living model is placed once."""

    placing = PLACING
    scene: Scene
    state: ClassicState


@rule("3e.core.missions.reserves", "3e.core.turn.start")
def roll_for_reserves(battle: ClassicBattle) -> None:
    """At the start of a player's turn, from the second game turn on, a die for each of his units in reserve."""
    scene, state = battle.scene, battle.state
    if state.round < 2:
        return
    for info in scene.units_of(state.turn):
        mine = state.units[info.index]
        if mine.in_reserves and living(state, info.index):
            face = battle.rolled(battle.roll(1, 6, "reserves"), info.side, _RULE, unit=info.id).faces[0]
            mine.arriving = arrives(state.round, face)


@resumable
@rule("3e.core.missions.reserves")
def arrive(battle: ClassicBattle) -> Procedure[None]:
    """Units that have arrived move on from their own edge; one for which there is no room waits another turn.

    RULING: 3e.core.missions.reserves we read "arrives by its own edge" as placed wholly within its move of the edge.
    """
    scene, state = battle.scene, battle.state
    while waiting := [int(info.index) for info in scene.units_of(state.turn) if state.units[info.index].arriving]:
        unit = waiting[0]
        info, mine = scene.units[unit], state.units[unit]
        mine.arriving = False
        space = arrival_space(scene, state, unit)
        placement = yield Decision(
            info.side, "arrive", f"{info.name} comes on from your table edge", _RULE, space, subject=info.index
        )
        assert isinstance(placement, Place)
        if placement.moves:
            put_on_table(battle, unit, placement, _RULE)
            mine.in_reserves, mine.acted, mine.moved = False, True, True
            mine.moved_distance = max(mine.moved_distance, _longest(scene, state, unit))


def _longest(scene: Scene, state: ClassicState, unit: int) -> int:
    return round(1000 * max(kind_rules(scene, row).move for row in standing(state, unit)))


def put_on_table(battle: ClassicBattle, unit: int, placement: Place, *rules: str) -> None:
    """Put a unit's models where a checked placement says."""
    paths = follow(battle.state, placement, from_here=False)
    battle.state.units[unit].deployed = True
    battle.happened(
        ModelsMoved(unit=battle.scene.units[unit].id, how=MoveKind.SET_UP.value, paths=tuple(paths), rules=rules)
    )


def arrival_space(scene: Scene, state: ClassicState, unit: int) -> SetUpSpace:
    """Where a unit comes onto the table: within its move of its owner's edge, 1" from enemies, in formation."""
    rows = living(state, unit)
    depth = min(kind_rules(scene, row).move for row in rows)
    depth = max(depth, 2 * max(float(scene.reach[row]) for row in rows))
    edge = own_edge(scene, state, scene.units[unit].side)
    strip = scene.battlefield.strip(edge, depth)
    conditions: tuple[Condition, ...] = (
        *ALWAYS,
        Coherent(),
        OneInch(),
        WhollyWithin((strip,), f'{depth:g}" of its table edge', _RULE),
    )
    return SetUpSpace(
        scene,
        state,
        unit,
        MoveKind.SET_UP,
        rows=rows,
        rule=_RULE,
        region=_strip_box(scene, edge, depth),
        conditions=conditions,
    )


def _strip_box(scene: Scene, edge: Edge, depth: float) -> Box:
    corners = scene.battlefield.strip(edge, depth)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)
