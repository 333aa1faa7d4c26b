"""How two who fight a challenge come together in the 6th edition: they change places with comrades, or step up."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from battlewright.core.bases import BaseKind, Pose
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.procedures.board import gaps, pose_of, unit_in
from battlewright.editions.classic.procedures.making_way import fits
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, MoveKind

__all__ = ["bring_together"]

_RULE = "6e.core.assault.challengers"
_TURNS = 48
COHERENT = 2.0


@rule("6e.core.assault.challengers")
def bring_together(battle: ClassicBattle, pair: tuple[int, int]) -> None:
    """Two who fight a challenge move into contact, the one who issued it first.

    RULING: 6e.core.assault.challengers one of them changes places with a comrade of his unit on a like base who touches
    the other one; else both do with comrades who touch each other; else one steps up to the other where there is room
    within 2" of his unit. Where none of that can be they stay, and count as touching all the same.
    """
    scene, state = battle.scene, battle.state
    if not state.on_table[list(pair)].all() or touch(scene, state, *pair):
        return
    swap = next(_swaps(scene, state, pair), None)
    if swap is not None:
        for row, mate in zip(pair, swap, strict=True):
            if row != mate:
                _put(battle, {row: pose_of(state, mate), mate: pose_of(state, row)})
        return
    for row, other in (pair, pair[::-1]):
        spot = _spot_beside(scene, state, row, other)
        if spot is not None:
            _put(battle, {row: spot})
            return


def touch(scene: Scene, state: ClassicState, row: int, other: int) -> bool:
    """Whether two models are in base contact."""
    return float(gaps(scene, state, [row], [other])[0, 0]) == 0.0


def _swaps(scene: Scene, state: ClassicState, pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Comrades with whom the two may change places so that they touch, the fewest moved first; themselves to stay."""
    mine, theirs = (_alike(scene, state, row) for row in pair)
    for here, there in ((mine, theirs[:1]), (mine[:1], theirs), (mine, theirs)):
        apart = gaps(scene, state, here, there)
        for place, other in np.argwhere(apart == 0.0):
            yield here[int(place)], there[int(other)]


def _alike(scene: Scene, state: ClassicState, row: int) -> list[int]:
    """A model, and after it the comrades of its unit on bases like its own who fight no challenge."""
    duel = {each for pair in state.challenges for each in pair}
    base, mates = scene.models[row].base, standing(state, unit_in(state, row))
    return [row, *(each for each in mates if each not in {row, *duel} and scene.models[each].base == base)]


def _spot_beside(scene: Scene, state: ClassicState, row: int, other: int) -> Pose | None:
    """The nearest place in contact with a model where another one fits, near enough to his unit; round bases only."""
    if any(scene.models[each].base.kind is not BaseKind.ROUND for each in (row, other)):
        return None
    here, there = pose_of(state, row), pose_of(state, other)
    reach = float(scene.reach[row] + scene.reach[other])
    straight = math.atan2(here.y - there.y, here.x - there.x)
    for step in sorted(range(_TURNS), key=lambda step: min(step, _TURNS - step)):
        angle = straight + 2 * math.pi * step / _TURNS
        spot = Pose(there.x + reach * math.cos(angle), there.y + reach * math.sin(angle), there.z, here.facing)
        if fits(scene, state, row, spot.snapped()) and _is_coherent(scene, state, row, spot.snapped()):
            return spot.snapped()
    return None


def _is_coherent(scene: Scene, state: ClassicState, row: int, spot: Pose) -> bool:
    """Whether a model stays near its unit at a place."""
    mates = [each for each in standing(state, unit_in(state, row)) if each != row]
    was = state.position[row].copy()
    state.position[row] = spot.to_row()
    near = not mates or within(float(gaps(scene, state, [row], mates).min()), COHERENT)
    state.position[row] = was
    return near


def _put(battle: ClassicBattle, poses: dict[int, Pose]) -> None:
    scene, state = battle.scene, battle.state
    paths = []
    for row, pose in poses.items():
        x, y, z, facing = (int(value) for value in state.position[row])
        state.position[row] = pose.to_row()
        paths.append((row, ((x, y, z, facing), pose.to_row())))
    unit = scene.units[unit_in(state, next(iter(poses)))].id
    battle.happened(ModelsMoved(unit=unit, how=MoveKind.CHALLENGE, paths=tuple(paths), rules=(_RULE,)))
