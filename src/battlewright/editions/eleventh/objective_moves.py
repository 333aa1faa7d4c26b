"""Consolidating towards an objective (12.08): the one move into combat's end that leads to ground, not to enemies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from battlewright.core.bases import Pose
from battlewright.core.decisions import Answer, ModelMove, Place, Violation
from battlewright.core.footprints import Polygons
from battlewright.core.rulebook import rule
from battlewright.core.shapes import (
    TOLERANCE,
    distance_edge_to_point,
    distance_edge_to_polygon,
    polygon_relations,
    within,
)
from battlewright.editions.eleventh.conditions import Condition, Ending, Unengaged
from battlewright.editions.eleventh.in_range import MARKER_RANGE
from battlewright.editions.eleventh.moves import MoveSpace, may_ever_move
from battlewright.editions.eleventh.placed import Floats, Placed
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState, MoveKind

__all__ = ["ObjectiveSpace", "objective_space", "objectives_within"]

_RULE = "11e.core.12.08-objective"
_ANGLES = np.radians([0.0, 15.0, -15.0, 30.0, -30.0, 50.0, -50.0])
_STEPS = (1.0, 0.8, 0.6, 0.4, 0.2)


@dataclass(frozen=True)
class InRangeOf(Condition):
    """The unit ends with a model in range of the objective."""

    objective: int
    rule_id: str

    @rule("11e.core.12.08-objective")
    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        gaps = objective_gaps(ending, self.objective)
        if (gaps <= TOLERANCE).any():
            return []
        return [Violation(self.rule_id, f'The unit ends {float(gaps.min()):.2f}" out of range of the objective')]


def objective_gaps(placed: Placed, objective: int) -> Floats:
    """(n,): how far each model is from being in range of the objective, in inches; 0 or less where it is (14)."""
    field = placed.around.scene.battlefield
    goal = field.objectives[objective]
    if goal.area is not None:
        least, inside = polygon_relations(placed.footprints, Polygons.of((field.area(goal.area).polygon,)))
        return np.asarray(np.where(inside[:, 0], 0.0, least[:, 0]), dtype=np.float64)
    bases = [placed.around.scene.models[int(row)].base for row in placed.rows]
    return np.array(
        [
            distance_edge_to_point(base, Pose(*map(float, pose)), goal.point) - goal.radius - MARKER_RANGE
            for base, pose in zip(bases, placed.poses, strict=True)
        ]
    )


@dataclass(frozen=True)
class CloserToObjective(Condition):
    """Every model that is moved ends in range of the objective, or closer to it than it was."""

    objective: int
    rule_id: str

    @rule("11e.core.12.08-objective")
    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        before = objective_gaps(Placed(ending.around, ending.rows, ending.start), self.objective)
        after = objective_gaps(ending, self.objective)
        wrong = ending.moved & (after > TOLERANCE) & (after >= before - TOLERANCE / 2)
        return [
            Violation(self.rule_id, f"{ending.name(int(index))} is moved and ends no closer to the objective")
            for index in np.flatnonzero(wrong)
        ]


class ObjectiveSpace(MoveSpace):
    """A consolidation towards an objective; each moved model has to end in range of it if it can.

    "If it can" is refused with a witness: a place on a straight leg in one of seven directions towards the objective,
    at fifths of the way, that the space would itself accept.
    """

    objective: int = 0

    @rule("11e.core.12.08-objective")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the move would break."""
        found = super().check(answer)
        if found or not isinstance(answer, Place) or not answer.moves:
            return found
        ending = self.ending(self.legs(answer.moves))
        gaps = objective_gaps(ending, self.objective)
        for index in np.flatnonzero(ending.moved & (gaps > TOLERANCE)):
            witness = self._witness(answer, int(index))
            if witness is not None:
                x, y = witness.path[-1][0] / 1000, witness.path[-1][1] / 1000
                text = f"{self.name(int(self.rows[index]))} could end in range of the objective, at {x:.3f}, {y:.3f}"
                found.append(Violation(_RULE, text))
        return found

    def accepts_quickly(self, answer: Place) -> bool:
        """See :meth:`MoveSpace.accepts_quickly`: what this space adds to the check counts too."""
        return super().accepts_quickly(answer) and not self.check(answer)

    def _witness(self, answer: Place, index: int) -> ModelMove | None:
        start, row = self.starts[index], int(self.rows[index])
        goal = self.scene.battlefield.objectives[self.objective].point
        towards = np.arctan2(goal[1] - start[1], goal[0] - start[0])
        reach = min(float(self.reach[index]), float(np.hypot(goal[0] - start[0], goal[1] - start[1]))) - TOLERANCE
        rest = tuple(move for move in answer.moves if move.model != row)
        for step in _STEPS:
            for angle in _ANGLES + towards:
                x, y = start[0] + step * reach * np.cos(angle), start[1] + step * reach * np.sin(angle)
                place = (round(x * 1000), round(y * 1000), round(start[2] * 1000), round(start[3] * 1000) % 360_000)
                pose = np.array([place], np.float64) / 1000.0
                if objective_gaps(Placed(self.around, self.rows[[index]], pose), self.objective)[0] > TOLERANCE:
                    continue
                move = ModelMove(row, (place,))
                if self.accepts(Place((*rest, move))):
                    return move
        return None


@rule("11e.core.12.08-objective")
def objective_space(battle: Battle11, unit: int, objective: int, distance: float) -> ObjectiveSpace:
    """A consolidation towards an objective (12.08): each moved model ends in range of it if it can, else closer to it;
    the unit ends in range of it and unengaged."""
    scene, state = battle.scene, battle.state
    rows = [row for row in standing(state, unit) if may_ever_move(scene, row)]
    space = ObjectiveSpace(
        scene,
        state,
        unit,
        MoveKind.CONSOLIDATE,
        rule=_RULE,
        limits=dict.fromkeys(rows, round(distance * 1000)),
        after=(CloserToObjective(objective, _RULE), InRangeOf(objective, _RULE), Unengaged(_RULE)),
    )
    space.objective = objective
    return space


def objectives_within(scene: Scene, state: EleventhState, unit: int, limit: float) -> list[int]:
    """The objectives within so many inches of the unit: of the area that is the objective, or of its marker."""
    found = []
    for number, goal in enumerate(scene.battlefield.objectives):
        for row in standing(state, unit):
            base, pose = scene.models[row].base, Pose.from_row(state.position[row])
            if goal.area is not None:
                gap = distance_edge_to_polygon(base, pose, scene.battlefield.area(goal.area).polygon)
            else:
                gap = distance_edge_to_point(base, pose, goal.point) - goal.radius
            if within(gap, limit):
                found.append(number)
                break
    return found
