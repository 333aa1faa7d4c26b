"""What must hold at every moment of a battle of the 11th edition."""

from __future__ import annotations

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.shapes import TOLERANCE, inside_rectangle, separation_matrix
from battlewright.core.state import State
from battlewright.editions.eleventh.coherency import is_coherent
from battlewright.editions.eleventh.scene import Battle11, standing
from battlewright.editions.eleventh.state import EleventhState, Phase

__all__ = ["invariants"]


def invariants(battle: Battle11, before: State) -> None:
    """Fail with what does not hold."""
    scene, state = battle.scene, battle.state
    assert isinstance(before, EleventhState)
    whole = np.array([model.profile.wounds for model in scene.models])
    assert (state.wounds >= 0).all(), "a model has less than no wounds"
    assert (state.wounds <= whole).all(), "a model has more wounds than it began with"
    for side in (0, 1):
        assert before.vp[side] <= state.vp[side] <= 100, f"victory points went from {before.vp} to {state.vp}"
        assert state.cp[side] >= 0, f"command points are {state.cp}"
        assert state.primary_this_round[side] <= 15, "more than 15 primary points in a round"
        assert state.primary[side] <= 45, "more than 45 primary points"
        assert state.book.secondary_this_round[side] <= 15, "more than 15 secondary points in a round"
        assert state.book.secondary[side] <= 45, "more than 45 secondary points"
        cards = (*state.book.active[side], *state.book.decks[side])
        assert len(set(cards)) == len(cards) <= 18, f"a secondary card is there twice: {cards}"
    _dead_models_leave(battle)
    _nobody_overlaps(battle)
    if state.phase == Phase.COMMAND and before.phase != state.phase:
        for unit in scene.units:
            assert is_coherent(scene, state, standing(state, unit.index)), f"{unit.id} is incoherent as a turn begins"
    if state.turns > before.turns and state.turns > 1:
        assert not state.fallen, f"fallen models {state.fallen} stay on the table after the turn"


def _dead_models_leave(battle: Battle11) -> None:
    state = battle.state
    dead = np.flatnonzero((state.wounds == 0) & state.on_table)
    stray = [int(row) for row in dead if int(row) not in state.fallen]
    assert not stray, f"models {stray} have no wounds and stand on the table"


def _nobody_overlaps(battle: Battle11) -> None:
    scene, state = battle.scene, battle.state
    rows = np.flatnonzero(state.on_table & (state.wounds > 0))
    if not len(rows):
        return
    poses = to_inches(state.position[rows])
    placed = scene.bases.take(rows).at(poses)
    field = scene.battlefield
    outside = rows[~inside_rectangle(placed, field.width, field.height)]
    assert not len(outside), f"models {outside.tolist()} stand beyond the table's edge"
    gaps = separation_matrix(placed, placed)
    np.fill_diagonal(gaps, np.inf)
    level = np.abs(poses[:, None, 2] - poses[None, :, 2]) < 1.0
    first, second = np.nonzero((gaps < -2 * TOLERANCE) & level)
    pairs = [(int(rows[i]), int(rows[j])) for i, j in zip(first, second, strict=True) if i < j]
    assert not pairs, f"models overlap: {pairs}"
