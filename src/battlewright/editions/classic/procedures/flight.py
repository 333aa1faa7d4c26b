"""The fall-back move as a space: straight to an edge, models that are out of formation closing up on the way."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.decisions import Answer, Place, RandomSource, Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix, within
from battlewright.core.table import Edge
from battlewright.editions.classic.falling_back import unit_vector
from battlewright.editions.classic.formation import COHERENCY, closes_gaps_better
from battlewright.editions.classic.procedures.board import enemies_on_table, pose_of
from battlewright.editions.classic.procedures.close_moves import CloseSpace
from battlewright.editions.classic.procedures.conditions import widest_gap
from battlewright.editions.classic.procedures.moving import largest_group
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.placing.placed import Booleans, Floats, Indices, Placed

__all__ = ["FlightSpace", "flight_space", "to_edge"]

_STEP = 0.5
"""Inches between the places of a fall-back move that are tried."""
_SLACK = 0.5
"""Inches by which the models may on average stay behind what the search found."""


def to_edge(scene: Scene, state: ClassicState, row: int, edge: Edge) -> float:
    """Inches from a model's base to an edge of the table; 0 where it has reached it."""
    pose, reach, table = pose_of(state, row), float(scene.reach[row]), scene.battlefield
    left = {
        Edge.NORTH: table.height - pose.y,
        Edge.SOUTH: pose.y,
        Edge.EAST: table.width - pose.x,
        Edge.WEST: pose.x,
    }[edge]
    return max(0.0, left - reach)


class FlightSpace(CloseSpace):
    """A fall-back move of one unit.

    DEVIATION: 3e.fall-back.direction who flees passes through everybody on his way; where he ends is looked at.

    Attributes:
        edge: that the unit falls back to; ``distance`` how far, in inches.
    """

    edge: Edge
    distance: float

    @cached_property
    def blocks(self) -> Booleans:
        """(n, m): nobody stops who flees."""
        return np.zeros((len(self.rows), len(self.around.rows)), np.bool_)

    @cached_property
    def stopped_by_walls(self) -> Booleans:
        """(n,): nor do walls."""
        return np.zeros(len(self.rows), np.bool_)

    @cached_property
    def _way(self) -> Floats:
        return np.array(unit_vector(self.edge))

    @cached_property
    def _foremost_first(self) -> list[int]:
        return [int(index) for index in np.argsort(-(self.starts[:, :2] @ self._way), kind="stable")]

    def _free(self, index: int, poses: Floats, now: Floats) -> Booleans:
        owners = np.full(len(poses), index, np.intp)
        good = self.met(owners, poses)
        others: Indices = np.delete(np.arange(len(self.rows)), index)
        if len(others):
            gaps = separation_matrix(self.bases.some_at(owners, poses), self.bases.some_at(others, now[others]))
            good &= gaps.min(axis=1) >= -TOLERANCE
        return good

    def _ahead(self, index: int) -> Floats:
        """(k, 4): the places of a model on its straight way, the furthest first."""
        most = min(self.distance, to_edge(self.scene, self.state, int(self.rows[index]), self.edge))
        along = np.arange(most, 0.0, -_STEP)
        poses = np.repeat(self.starts[[index]], len(along), axis=0)
        poses[:, :2] = np.round(poses[:, :2] + along[:, None] * self._way, 3)
        return np.asarray(poses, dtype=np.float64)

    def passes_enemies(self, limit: float) -> bool:
        """Whether enemies stand within so many inches of some model, or of its straight way."""
        side = self.scene.units[self.unit].side
        rows = [row for unit in enemies_on_table(self.scene, self.state, side) for row in standing(self.state, unit)]
        if not rows:
            return False
        theirs = self.scene.bases.some_at(rows, to_inches(self.state.position[rows]))
        for index in range(len(self.rows)):
            poses = np.concatenate([self.starts[[index]], self._ahead(index)])
            mine = self.bases.some_at(np.full(len(poses), index, np.intp), poses)
            if within(float(separation_matrix(mine, theirs).min()), limit):
                return True
        return False

    def _straight(self, index: int, now: Floats) -> Floats:
        """Where a model comes by going straight, as far as it may and finds a place; where it stands if nowhere."""
        poses = self._ahead(index)
        good = np.flatnonzero(self._free(index, poses, now)) if len(poses) else np.zeros(0, np.intp)
        return np.asarray(poses[good[0]] if len(good) else self.starts[index], dtype=np.float64)

    def straight(self) -> Place:
        """Everybody straight to the edge, the foremost first."""
        now = self.starts.copy()
        for index in self._foremost_first:
            now[index] = self._straight(index, now)
        return self._place(now)

    def _place(self, now: Floats) -> Place:
        gone = np.abs(now[:, :2] - self.starts[:, :2]).max(axis=1) > TOLERANCE / 2
        return Place(tuple(self._move(index, now[index]) for index in self._foremost_first if gone[index]))

    @cached_property
    def _default(self) -> Place:
        """The largest group goes straight; the others join it, the nearest first, as near as they have to."""
        gaps = Placed(self.around, self.rows, self.starts).own_gaps
        main = largest_group(gaps <= COHERENCY + TOLERANCE)
        now = self.starts.copy()
        for index in self._foremost_first:
            if index in main:
                now[index] = self._straight(index, now)
        placed = sorted(main)
        strays = sorted(
            (i for i in range(len(self.rows)) if i not in main), key=lambda i: float(gaps[i, list(main)].min())
        )
        for index in strays:
            now[index] = self._joining(index, now, placed)
            placed.append(index)
        return self._sound(self._place(now).moves)

    def _joining(self, index: int, now: Floats, placed: list[int]) -> Floats:
        """Where a stray goes: within 2" of those placed if it can, else as near as it gets, and far to the edge."""
        turns, steps = np.radians(np.arange(0.0, 360.0, 10.0)), np.linspace(0.0, 1.0, 13)
        reach = float(self.reach[index]) - TOLERANCE
        ways = [np.stack([np.cos(turns), np.sin(turns)], axis=1)]
        to = now[placed, :2] - self.starts[index, :2]
        ways.append(to / np.maximum(np.hypot(to[:, 0], to[:, 1]), 1e-9)[:, None])
        offsets = (np.concatenate(ways)[:, None, :] * reach * steps[None, :, None]).reshape(-1, 2)
        offsets = offsets[offsets @ self._way >= -TOLERANCE]
        poses = np.repeat(self.starts[[index]], len(offsets), axis=0)
        poses[:, :2] = np.round(poses[:, :2] + offsets, 3)
        good = self._free(index, poses, now)
        if not good.any():
            return np.asarray(self.starts[index], dtype=np.float64)
        mine = self.bases.some_at(np.full(len(poses), index, np.intp), poses)
        apart = separation_matrix(mine, self.bases.some_at(placed, now[placed])).min(axis=1)
        cost = np.maximum(apart - COHERENCY, 0.0) * 100.0 - offsets @ self._way
        return np.asarray(poses[int(np.argmin(np.where(good, cost, math.inf)))], dtype=np.float64)

    def sample(self, rng: RandomSource) -> Place:
        """See the base: there is little to choose."""
        return self.default()

    @rule("3e.fall-back.direction", "3e.fall-back.into-formation", "3e.formation.repair-while-falling-back")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the move would break; the search's own move is the witness for what could be reached."""
        found = super().check(answer)
        if found or not isinstance(answer, Place) or answer == self.default():
            return found
        gap, gone = self._measured(answer)
        best, far = self._measured(self.default())
        if (gone < -TOLERANCE).any():
            found.append(Violation("3e.fall-back.direction", "Models move away from the edge that they fall back to"))
        if closes_gaps_better(gap, best):
            text = f'The unit is left with a gap of {gap:.2f}"; {best:.2f}" could be reached'
            found.append(Violation("3e.fall-back.into-formation", text))
        if gone.mean() < far.mean() - _SLACK:
            text = f'The models come {gone.mean():.1f}" nearer to the edge on average; {far.mean():.1f}" could be'
            found.append(Violation("3e.fall-back.direction", text))
        return found

    def _measured(self, answer: Place) -> tuple[float, Floats]:
        """The widest gap that a move leaves, and (n,) how much nearer to the edge it brings each model, inches."""
        ends = self.starts.copy()
        for move in answer.moves:
            ends[self.index[move.model]] = np.array(move.path[-1], np.float64) / 1000.0
        gap = widest_gap(Placed(self.around, self.rows, ends).own_gaps)
        return gap, (ends[:, :2] - self.starts[:, :2]) @ self._way


def flight_space(scene: Scene, state: ClassicState, unit: int, edge: Edge, distance: float) -> FlightSpace:
    """The fall-back move of a unit to an edge, so far in inches."""
    space = FlightSpace(
        scene,
        state,
        unit,
        MoveKind.FALL_BACK,
        rule="3e.fall-back.direction",
        limits={row: round(distance * 1000) for row in standing(state, unit)},
        off_rule="3e.fall-back.direction",
    )
    space.edge, space.distance = edge, distance
    return space
