"""Who is in range of an objective, and who is controlling it (14)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Pose, to_inches
from battlewright.core.footprints import Polygons
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, distance_edge_to_point, polygon_relations, within
from battlewright.editions.eleventh.abilities.in_force import characteristic_in_force
from battlewright.editions.eleventh.modifiers import Characteristic
from battlewright.editions.eleventh.remembering import place_of, remembered
from battlewright.editions.eleventh.scene import Scene, standing
from battlewright.editions.eleventh.state import EleventhState

__all__ = [
    "MARKER_HEIGHT",
    "MARKER_RANGE",
    "is_controlling",
    "is_in_range",
    "is_unit_in_range",
    "objective_control",
    "objectives_in_range",
    "ranges_of",
]

MARKER_RANGE = 3.0
"""Inches from the edge of an objective marker, horizontally (14)."""
MARKER_HEIGHT = 5.0
"""Inches up or down from an objective marker (14)."""


@rule("11e.core.14-terrain-objective", "11e.core.14-objective-marker")
def is_in_range(scene: Scene, state: EleventhState, row: int, objective: int) -> bool:
    """Whether a model is in range: within the terrain area that is the objective, else 3" across and 5" up or down of
    its 40 mm marker (14)."""
    unit = scene.models[row].unit
    first = scene.units[unit].rows[0]
    return bool(ranges_of(scene, state, unit)[row - first, objective])


def ranges_of(scene: Scene, state: EleventhState, unit: int) -> NDArray[np.bool_]:
    """(n, m): which of the unit's models, living or not, are in range of which objectives."""

    def look() -> NDArray[np.bool_]:
        rows = list(scene.units[unit].rows)
        poses = to_inches(state.position[rows])
        placed = scene.bases.some_at(rows, poses)
        goals = scene.battlefield.objectives
        found = np.zeros((len(rows), len(goals)), np.bool_)
        for number, goal in enumerate(goals):
            if goal.area is not None:
                outline = Polygons.of((scene.battlefield.area(goal.area).polygon,))
                least, inside = polygon_relations(placed, outline)
                found[:, number] = (inside | (least <= TOLERANCE))[:, 0]
                continue
            near = np.hypot(poses[:, 0] - goal.point[0], poses[:, 1] - goal.point[1]) <= (
                scene.reach[rows] + goal.radius + MARKER_RANGE + 2 * TOLERANCE
            )
            for index in np.flatnonzero(near & (np.abs(poses[:, 2]) <= MARKER_HEIGHT + TOLERANCE)):
                base, pose = scene.models[rows[index]].base, Pose.from_row(state.position[rows[index]])
                gap = distance_edge_to_point(base, pose, goal.point) - goal.radius
                found[index, number] = within(gap, MARKER_RANGE)
        return found

    return remembered(scene, "objective-ranges", place_of(scene, state, unit), look)


def is_unit_in_range(scene: Scene, state: EleventhState, unit: int, objective: int) -> bool:
    """Whether a standing model of the unit is in range of the objective."""
    near = ranges_of(scene, state, unit)[:, objective]
    if not near.any():
        return False
    first = scene.units[unit].rows[0]
    return any(near[row - first] for row in standing(state, unit))


def objectives_in_range(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    """The objectives that the unit is in range of."""
    return [
        number for number in range(len(scene.battlefield.objectives)) if is_unit_in_range(scene, state, unit, number)
    ]


@rule("11e.ds-profile.oc-dash", "11e.core.01.07-shocked-oc")
def objective_control(scene: Scene, state: EleventhState, row: int) -> int:
    """What the model adds to its side's level of control: its OC; nothing for OC "-" or while battle-shocked."""
    model = scene.models[row]
    if state.units[model.unit].battle_shocked:
        return 0
    return characteristic_in_force(scene, state, row, Characteristic.OC, model.profile.objective_control) or 0


@rule("11e.core.14-controlling-unit")
def is_controlling(scene: Scene, state: EleventhState, unit: int, objective: int) -> bool:
    """Whether the unit is controlling the objective: its player does, and a model of it in range has OC 1 or more."""
    return state.control[objective] == state.units[unit].side and any(
        objective_control(scene, state, row) >= 1 and is_in_range(scene, state, row, objective)
        for row in standing(state, unit)
    )
