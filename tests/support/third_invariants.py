"""What must hold at every moment of a battle of the 3rd edition."""

from __future__ import annotations

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.shapes import TOLERANCE, inside_rectangle, separation_matrix
from battlewright.core.state import State
from battlewright.editions.classic.formation import in_formation
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.ground import footing_of
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import NOWHERE, ClassicState, Deed, Phase

__all__ = ["invariants"]


def invariants(battle: ClassicBattle, before: State) -> None:
    """Fail with what does not hold."""
    scene, state = battle.scene, battle.state
    assert isinstance(before, ClassicState)
    whole = np.array([model.profile.wounds for model in scene.models])
    assert (state.wounds >= 0).all(), "a model has less than no wounds"
    assert (state.wounds <= whole).all(), "a model has more wounds than it began with"
    dead = np.flatnonzero((state.wounds == 0) & state.on_table)
    # Who falls to fire stays where it fell until the firing unit is done.
    settled = battle.decision is None or battle.decision.is_checkpoint
    assert not settled or not len(dead), f"models {dead.tolist()} have no wounds and stand on the table"
    _everybody_has_one_unit(battle)
    _nobody_overlaps(battle)
    if before.phase == Phase.MOVEMENT and state.phase != Phase.MOVEMENT:
        _in_formation_or_barred(battle, before)


def _everybody_has_one_unit(battle: ClassicBattle) -> None:
    scene, state = battle.scene, battle.state
    rows = sorted(row for unit in state.units for row in unit.models)
    assert rows == list(range(len(scene.models))), "a model is in no unit, or in two"
    for info in scene.units:
        mine = state.units[info.index]
        if info.part_of != NOWHERE:
            assert set(mine.models) <= set(info.rows), f"{info.id} is more than the vehicle that was left behind"
            assert mine.joined == NOWHERE, f"{info.id} is a vehicle and has joined a unit"
            continue
        assert (mine.joined == NOWHERE) == bool(mine.models), f"{info.id} has joined a unit and stands alone"
        if mine.joined != NOWHERE:
            assert set(info.rows) <= set(state.units[mine.joined].models), f"{info.id} is not where it has joined"
            assert scene.units[mine.joined].side == info.side, f"{info.id} has joined an enemy"


def _nobody_overlaps(battle: ClassicBattle) -> None:
    scene, state = battle.scene, battle.state
    rows = np.flatnonzero(state.on_table & (state.wounds > 0))
    if not len(rows):
        return
    placed = footing_of(scene).take(rows).at(to_inches(state.position[rows]))
    field = scene.battlefield
    outside = rows[~inside_rectangle(placed, field.width, field.height)]
    assert not len(outside), f"models {outside.tolist()} stand beyond the table's edge"
    gaps = separation_matrix(placed, placed)
    np.fill_diagonal(gaps, np.inf)
    first, second = np.nonzero(gaps < -2 * TOLERANCE)
    pairs = [(int(rows[i]), int(rows[j])) for i, j in zip(first, second, strict=True) if i < j]
    assert not pairs, f"models overlap: {pairs}"


def _in_formation_or_barred(battle: ClassicBattle, before: ClassicState) -> None:
    """Whoever ends its movement out of formation has been barred from shooting and assaulting."""
    scene, state = battle.scene, battle.state
    if state.turn != before.turn:
        return
    for info in scene.units_of(before.turn):
        mine, rows = state.units[info.index], standing(state, info.index)
        if scene.models[rows[0]].profile.is_vehicle if rows else False:
            continue
        if len(rows) < 2 or mine.falling_back or in_combat(scene, state, info.index):
            continue
        poses = to_inches(state.position[rows])
        placed = scene.bases.some_at(rows, poses)
        fine = in_formation(separation_matrix(placed, placed))
        assert fine or mine.has(Deed.OUT_OF_FORMATION), f"{info.id} is out of formation and not barred"
