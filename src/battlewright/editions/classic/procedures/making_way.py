"""Models that make way for a vehicle: where each comes to stand, and who finds no place and is crushed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.core.bases import Pose
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import (
    TOLERANCE,
    inside_rectangle,
    polygon_relations,
    separation,
    separation_matrix,
    within,
)
from battlewright.editions.classic.procedures.board import gaps, pose_of, unit_in
from battlewright.editions.classic.procedures.driving import along
from battlewright.editions.classic.procedures.ground import PLACING
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.scene import ClassicBattle, Scene, own_unit, standing
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.classic.tank_shock import is_in_the_path, step_aside

__all__ = ["Track", "fits", "make_way", "nearest_free"]

_RULE = "3e.core.vehicles.tank-shock"
_FURTHEST, _RING, _TURNS = 12.0, 0.25, 32
"""Inches up to which a place is looked for, between the rings in which it is, and the directions of each ring."""
_SLACK = 0.01

Way = tuple[int, tuple[tuple[int, int, int, int], ...]]


@dataclass(frozen=True, slots=True)
class Track:
    """What has to be free of models.

    Attributes:
        row: the vehicle; ``start`` where it set out; ``inches`` driven by now.
        clearance: inches that models keep from the hull at its end.
        whole: whether all of the way is to be free, else its end alone.
        coherent: whether those who make way have to keep to their units.
    """

    row: int
    start: Pose
    inches: float
    clearance: float
    whole: bool
    coherent: bool

    def is_under(self, scene: Scene, row: int, pose: Pose) -> bool:
        """Whether a model that stands there would be under the hull at its end."""
        return separation(scene.models[self.row].base, along(self.start, self.inches), scene.models[row].base, pose) < 0

    def is_clear(self, scene: Scene, row: int, pose: Pose) -> bool:
        """Whether a model that stands there is out of the way."""
        hull, base = scene.models[self.row].base, scene.models[row].base
        end = along(self.start, self.inches)
        if separation(hull, end, base, pose) < self.clearance - TOLERANCE:
            return False
        if not self.whole:
            return True
        front = along(self.start, hull.length / 2)
        return not is_in_the_path(
            (front.x, front.y),
            self.start.facing,
            self.inches,
            hull.width / 2,
            (pose.x, pose.y),
            base.reach - _SLACK / 2,
        )


@rule("3e.core.vehicles.tank-shock")
@rule("4e.tank-shock.models-dodge", "4e.tank-shock.vehicle-dodges")
@rule("6e.tank-shock.move-aside", "6e.tank-shock.crushed")
def make_way(battle: ClassicBattle, track: Track, rows: Sequence[int]) -> None:
    """These models step out of the way, those nearest to its side first; who finds no place is crushed."""
    scene, state = battle.scene, battle.state
    waiting = [row for row in rows if state.wounds[row] > 0 and not track.is_clear(scene, row, pose_of(state, row))]
    moved: dict[int, list[Way]] = {}
    crushed = []
    for row in sorted(waiting, key=lambda each: (-_aside(scene, state, track, each), each)):
        spot = _spot(scene, state, track, row, waiting)
        if spot is None:
            crushed.append(row)
        else:
            moved.setdefault(unit_in(state, row), []).append(_put(state, row, spot))
    for unit, paths in moved.items():
        battle.happened(
            ModelsMoved(unit=scene.units[unit].id, how=MoveKind.MAKE_WAY, paths=tuple(paths), rules=(_RULE,))
        )
    if crushed:
        bury(battle, crushed, "crushed", _RULE, by=scene.units[own_unit(scene, battle.state, track.row)].id)


def _aside(scene: Scene, state: ClassicState, track: Track, row: int) -> float:
    """Inches from the middle of the track."""
    pose, angle = pose_of(state, row), math.radians(track.start.facing)
    x, y = pose.x - track.start.x, pose.y - track.start.y
    return abs(y * math.cos(angle) - x * math.sin(angle))


def _spot(scene: Scene, state: ClassicState, track: Track, row: int, waiting: Sequence[int]) -> Pose | None:
    unit = unit_in(state, row)
    mates = [other for other in standing(state, unit) if other != row]
    for pose in _places(scene, state, track, row):
        if not track.is_clear(scene, row, pose) or not _is_free(scene, state, row, pose):
            continue
        if not _stands(scene, row, pose):
            continue
        if track.coherent and mates and not _near_mates(scene, state, row, pose, mates):
            continue
        return pose
    return None


def _put(state: ClassicState, row: int, pose: Pose) -> Way:
    """Put a model down; its row and its way, the place that it leaves first."""
    x, y, z, facing = (int(value) for value in state.position[row])
    state.position[row] = pose.to_row()
    return row, ((x, y, z, facing), pose.to_row())


def nearest_free(scene: Scene, state: ClassicState, row: int, here: Pose) -> Pose | None:
    """The place nearest to one, itself first, where a model stands on nobody and on the table; None: none is near."""
    if _is_free(scene, state, row, here):
        return here
    for ring in np.arange(_RING, _FURTHEST + TOLERANCE, _RING):
        for turn in range(_TURNS):
            angle = 2 * math.pi * turn / _TURNS
            spot = Pose(
                here.x + float(ring) * math.cos(angle), here.y + float(ring) * math.sin(angle), here.z, here.facing
            )
            if _is_free(scene, state, row, spot.snapped()) and _stands(scene, row, spot):
                return spot.snapped()
    return None


def fits(scene: Scene, state: ClassicState, row: int, pose: Pose) -> bool:
    """Whether a model may be put down there: on the table, upon nobody and in no impassable terrain."""
    return _is_free(scene, state, row, pose) and _stands(scene, row, pose)


def _is_free(scene: Scene, state: ClassicState, row: int, pose: Pose) -> bool:
    """Whether a model may stand there: on the table, and upon nobody."""
    placed = scene.bases.some_at([row], np.array([pose], np.float64))
    table = scene.battlefield
    if not inside_rectangle(placed, table.width, table.height)[0]:
        return False
    others = [int(other) for other in np.flatnonzero(state.on_table & (state.wounds > 0)) if other != row]
    if not others:
        return True
    around = scene.bases.some_at(others, np.asarray(state.position[others] / 1000.0, np.float64))
    return bool(separation_matrix(placed, around).min() >= -TOLERANCE)


def _stands(scene: Scene, row: int, pose: Pose) -> bool:
    """Whether no impassable terrain is there."""
    walls = PLACING.terrain(scene).walls
    if not len(walls):
        return True
    least, inside = polygon_relations(scene.bases.some_at([row], np.array([pose], np.float64)), walls)
    return bool(((least > -TOLERANCE) & ~inside).all())


def _near_mates(scene: Scene, state: ClassicState, row: int, pose: Pose, mates: Sequence[int]) -> bool:
    was = state.position[row].copy()
    state.position[row] = pose.to_row()
    near = float(gaps(scene, state, [row], mates).min())
    state.position[row] = was
    return within(near, PLACING.closeness.near)


def _places(scene: Scene, state: ClassicState, track: Track, row: int) -> Iterator[Pose]:
    """Places by their distance: straight aside first where that is out of the way, then in rings about the model."""
    here, hull = pose_of(state, row), scene.models[track.row].base
    front = along(track.start, hull.length / 2)
    reach = float(scene.reach[row]) + track.clearance + _SLACK
    x, y = step_aside((front.x, front.y), track.start.facing, hull.width / 2, (here.x, here.y), reach)
    if track.whole:
        yield Pose(x, y, here.z, here.facing).snapped()
    for ring in np.arange(_RING, _FURTHEST + TOLERANCE, _RING):
        for turn in range(_TURNS):
            angle = 2 * math.pi * turn / _TURNS + math.radians(track.start.facing)
            spot = Pose(
                here.x + float(ring) * math.cos(angle), here.y + float(ring) * math.sin(angle), here.z, here.facing
            )
            yield spot.snapped()
