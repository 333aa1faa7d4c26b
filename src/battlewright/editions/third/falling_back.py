"""Falling back in the 3rd edition: crossfire."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.core.table import Edge, TerrainArea
from battlewright.editions.classic.falling_back import Box, unit_vector
from battlewright.editions.classic.procedures.board import box_of, enemies_on_table, gaps, in_combat, pose_of
from battlewright.editions.classic.procedures.field import area_holds
from battlewright.editions.classic.procedures.ground import PLACING
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState, ClassicUnit, Deed

_STEP = 0.05
"""Inches between the places of a line that are looked at for impassable terrain."""

__all__ = ["Corridor", "caught_in_crossfire", "corridor_of", "crossed", "meets_on_the_way", "sets_crossfire"]


@dataclass(frozen=True, slots=True)
class Corridor:
    """The strip that a unit falls back in.

    Attributes:
        edge: that it leads to.
        low, high: its sides, in inches along the edge.
        front: where the unit's foremost bases end, in inches along the way; towards the edge it grows.
    """

    edge: Edge
    low: float
    high: float
    front: float


def _spans(edge: Edge, box: Box) -> tuple[tuple[float, float], tuple[float, float]]:
    """A box along the edge, and along the way to it."""
    x0, y0, x1, y1 = box
    dx, dy = unit_vector(edge)
    if dx:
        return (y0, y1), ((x0, x1) if dx > 0 else (-x1, -x0))
    return (x0, x1), ((y0, y1) if dy > 0 else (-y1, -y0))


@rule("3e.outside.corridor", "3e.crossfire.corridor")
def corridor_of(edge: Edge, boxes: Iterable[Box]) -> Corridor:
    """The fall-back corridor of a unit: as wide as its outermost models, straight to the edge.

    Args:
        boxes: around the bases of its models; at least one.
    """
    spans = [_spans(edge, box) for box in boxes]
    return Corridor(
        edge,
        min(across[0] for across, _ in spans),
        max(across[1] for across, _ in spans),
        max(along[1] for _, along in spans),
    )


def meets_on_the_way(corridor: Corridor, distance: float, box: Box) -> bool:
    """Whether a base that stands in the corridor is reached, or left behind, by a move of this distance in inches."""
    across, along = _spans(corridor.edge, box)
    inside = across[0] < corridor.high - TOLERANCE and across[1] > corridor.low + TOLERANCE
    ahead = along[1] > corridor.front + TOLERANCE
    return inside and ahead and along[0] - corridor.front <= distance + TOLERANCE


@rule("3e.crossfire.fought-this-turn", "3e.crossfire.busy-units", "3e.outside.crossfire-official")
def sets_crossfire(unit: ClassicUnit, *, in_combat: bool) -> bool:
    """Whether the models of an enemy unit can set a crossfire.

    Not if it took part in close combat this turn, swept or consolidated, is in combat, pinned or falling back.
    """
    fought = unit.has(Deed.FOUGHT) or unit.has(Deed.SWEPT) or unit.has(Deed.CONSOLIDATED)
    return not (fought or in_combat or unit.pinned or unit.falling_back)


@rule("3e.crossfire.destroyed", "3e.core.morale.crossfire", "3e.core.morale.crossfire-exceptions")
def crossed(corridor: Corridor, distance: float, enemies: Iterable[Box]) -> bool:
    """Whether a unit is destroyed on its way: its move brings it to an enemy model in its corridor, or beyond.

    Args:
        distance: of the fall-back move, in inches.
        enemies: boxes around the bases of enemy models that can set a crossfire (:func:`sets_crossfire`).
    """
    return any(meets_on_the_way(corridor, distance, box) for box in enemies)


@rule("3e.crossfire.destroyed", "3e.outside.corridor", "3e.core.morale.crossfire")
def caught_in_crossfire(scene: Scene, state: ClassicState, unit: int, edge: Edge, distance: float) -> bool:
    """Whether a unit that falls back so far, in inches, comes upon enemies that stand in its corridor."""
    corridor = corridor_of(edge, [box_of(scene, state, row) for row in standing(state, unit)])
    enemies = [
        row
        for enemy in enemies_on_table(scene, state, scene.units[unit].side)
        if sets_crossfire(state.units[enemy], in_combat=in_combat(scene, state, enemy))
        for row in standing(state, enemy)
        if meets_on_the_way(corridor, distance, box_of(scene, state, row))
    ]
    free = [row for row in enemies if not is_walled_off(scene, state, standing(state, unit), row)]
    return crossed(corridor, distance, [box_of(scene, state, row) for row in free])


@rule("3e.outside.crossfire-official", "3e.core.morale.crossfire-exceptions")
def is_walled_off(scene: Scene, state: ClassicState, rows: Sequence[int], enemy: int) -> bool:
    """Whether impassable terrain lies between an enemy model and the nearest of these models.

    Args:
        rows: of the models: of a unit that falls back, or of one that fires.
    """
    walls = PLACING.terrain(scene).wall_features
    if not walls:
        return False
    here = pose_of(state, min(rows, key=lambda row: float(gaps(scene, state, [row], [enemy])[0, 0])))
    there = pose_of(state, enemy)
    steps = max(2, math.ceil(math.dist(here[:2], there[:2]) / _STEP) + 1)
    line = np.linspace(here[:2], there[:2], steps)
    return any(bool(area_holds(TerrainArea(wall.id, wall.polygon), line).any()) for wall in walls)
