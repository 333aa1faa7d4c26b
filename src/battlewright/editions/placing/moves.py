"""Moving: the space that players answer with placements.

A :class:`MoveSpace` is a move of any type, composed from data: which models may move and how far, what they may pass
through, and what must hold when the move is over (``conditions``). It refuses with every violation at once.

A move's paths leave out the place where the model stands: they begin with the first waypoint that it moves to. The
empty placement ``Place(())`` is always accepted: no model is moved.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from battlewright.core.bases import Pose
from battlewright.core.decisions import Answer, ModelMove, Place, RandomSource, Violation
from battlewright.core.shapes import TOLERANCE
from battlewright.core.state import State
from battlewright.core.sweeps import Sweeps
from battlewright.editions.placing import formations
from battlewright.editions.placing.conditions import Condition, Ending
from battlewright.editions.placing.placed import Booleans, Box, Floats, Indices, Placed, PlacingScene
from battlewright.editions.placing.spaces import FARTHEST, LOOKOUT, Space, Suggestion, move_kernels
from battlewright.editions.placing.terrain import TerrainFacts
from battlewright.editions.placing.ways import Legs, way_violations

__all__ = ["MoveSpace", "follow", "way_length"]


class MoveSpace(Space):
    """One move of one unit.

    Args:
        unit: index of the unit; ``kind`` the type of its move, as the edition names it; ``rows`` its models.
        rule: the rule that asks, named where a model moves too far.
        limits: the models that may be moved and how far, in thousandths of an inch; one of distance 0 may turn.
        conditions: what must hold at the end.
        suggest: makes the default; the empty placement when None.
    """

    def __init__(
        self,
        scene: PlacingScene,
        state: State,
        unit: int,
        kind: StrEnum,
        *,
        rows: Sequence[int],
        rule: str,
        limits: Mapping[int, int],
        conditions: tuple[Condition, ...] = (),
        suggest: Suggestion | None = None,
    ) -> None:
        super().__init__(scene, state, unit, kind, rows, rule, conditions, suggest)
        self.limits = dict(limits)

    @cached_property
    def reach(self) -> Floats:
        """(n,): how far each model may move, inches; 0 for one that may not."""
        return np.array([self.limits.get(row, 0) for row in self.index], np.float64) / 1000.0

    def _reach(self) -> Box:
        margin = float(self.reach.max(initial=0.0)) + float(self.bases.rows[:, -1].max(initial=0.0)) + LOOKOUT
        if not len(self.rows):
            return (0.0, 0.0, 0.0, 0.0)
        (x0, y0), (x1, y1) = self.starts[:, :2].min(axis=0), self.starts[:, :2].max(axis=0)
        return float(x0) - margin, float(y0) - margin, float(x1) + margin, float(y1) + margin

    # -- what an edition forbids on the way -----------------------------------------------------------------------

    @cached_property
    def blocks(self) -> Booleans:
        """(n, m): which models around may not be passed by which of the unit's models; enemies, unless overridden."""
        return np.broadcast_to(self.around.foe, (len(self.rows), len(self.around.rows))).copy()

    @cached_property
    def blocks_own(self) -> Booleans:
        """(n, n): which of the unit's models may not be passed by which other, wherever they stand by then."""
        return np.zeros((len(self.rows), len(self.rows)), np.bool_)

    @cached_property
    def stopped_by_walls(self) -> Booleans:
        """(n,): which of them walls stop on the ground."""
        return np.ones(len(self.rows), np.bool_)

    @cached_property
    def obstacles(self) -> TerrainFacts:
        """The terrain that this move meets; all of it, unless overridden."""
        return self.around.terrain

    def lengths(self, legs: Legs) -> Floats:
        """(l,): inches that each leg uses up; heights count, unless overridden."""
        return legs.lengths

    def through_rule(self, row: int) -> str:
        """The rule that a model breaks by passing through one that it may not pass."""
        return self.placing.through

    def why_not_movable(self, row: int) -> Violation:
        """Why a model that has no limit may not be moved."""
        return Violation(self.rule, f"{self.name(row)} may not be moved in this move")

    def climb_fault(self, row: int, path: Sequence[Pose]) -> str | None:
        """What is wrong with a path that leaves the ground, as a clause; it may not, unless overridden."""
        return "leaves the ground"

    # -- checking -----------------------------------------------------------------------------------------------

    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the move would break; the empty placement is always accepted."""
        return self._check(answer)

    def accepts(self, answer: Place) -> bool:
        """Whether the move would be accepted, but for what a derived space adds to :meth:`check`.

        A space that demands the best that can be reached tries its witnesses with this.
        """
        return not self._check(answer)

    def _check(self, answer: Answer) -> list[Violation]:
        if not isinstance(answer, Place):
            return [Violation(self.rule, "A move is answered with a placement of models")]
        if not answer.moves or self._quickly(answer.moves):
            return []
        return self._reasons(answer.moves)

    def _reasons(self, moves: Sequence[ModelMove]) -> list[Violation]:
        found = self._known(moves) or self._movable(moves)
        if found:
            return found
        legs = self.legs(moves)
        return self.way_violations(legs) + self.end_violations(self.ending(legs))

    def way_violations(self, legs: Legs) -> list[Violation]:
        """What is wrong on the way: too far, over the edge, through models or terrain."""
        return way_violations(self, legs)

    def accepts_quickly(self, answer: Place) -> bool:
        """Whether the move is surely accepted; false where only the full check could tell, which takes longer."""
        return not answer.moves or self._quickly(answer.moves)

    def _quickly(self, moves: Sequence[ModelMove]) -> bool:
        """Whether the compiled check finds nothing wrong; false where it cannot tell and the reasons are looked for.

        Both must agree: the tests compare them, and a plain twin, on random placements.
        """
        index = self.index
        try:
            owners = np.array([index[move.model] for move in moves for _ in move.path], np.intp)
            ends = np.array([point for move in moves for point in move.path], np.float64)
        except (KeyError, OverflowError):
            return False
        if len({move.model for move in moves}) != len(moves) or not all(move.path for move in moves):
            return False
        ends /= 1000.0
        if self._needs_order or not self._is_free(owners, ends):
            return False
        if not self._not_compiled:
            return True
        ending = self.ending(self.legs(moves))
        return not any(condition.violations(ending) for condition in self._not_compiled)

    @cached_property
    def _needs_order(self) -> bool:
        return bool(self.blocks_own.any())

    @cached_property
    def _allowed(self) -> Floats:
        """(n,): how far each model may move, as the compiled check takes it: one that may not be moved, less than 0."""
        return np.array([self.limits.get(row, -FARTHEST) for row in self.index], np.float64) / 1000.0

    def _is_free(self, owners: Indices, ends: Floats) -> bool:
        blocks, blockers = self._blockers
        around, table = self.around, self.scene.battlefield
        terrain = self.obstacles
        free: bool = move_kernels().move_is_free(
            self.bases.rows,
            self.bases.vertices,
            self.starts,
            self._allowed,
            owners,
            ends,
            blockers,
            blocks,
            self.stopped_by_walls,
            terrain.walls.corners,
            terrain.walls.starts,
            terrain.wall_boxes,
            around.placed.rows,
            around.placed.vertices,
            self._keep_off,
            terrain.solids.corners,
            terrain.solids.starts,
            terrain.solid_boxes,
            table.width,
            table.height,
            self.placing.closeness.near,
            self.placing.closeness.spread,
            TOLERANCE,
        )
        return free

    @cached_property
    def _blockers(self) -> tuple[Booleans, Floats]:
        """The models around that block any of the unit's: who blocks whom (n, b), and their footprints."""
        which = self.blocks.any(axis=0)
        return np.ascontiguousarray(self.blocks[:, which]), self.around.placed.rows[which]

    def _may_walk(self, index: Indices, starts: Floats, ends: Floats) -> Booleans:
        """(l,): which legs on the ground are free of edge, models and walls; a turn of what is not round never is."""
        blocks, others = self._blockers
        terrain, table = self.obstacles, self.scene.battlefield
        free: Booleans = move_kernels().free_legs(
            self.bases.rows,
            self.bases.vertices,
            index,
            starts,
            ends,
            others,
            self.around.placed.vertices,
            blocks,
            terrain.walls.corners,
            terrain.walls.starts,
            terrain.wall_boxes,
            self.stopped_by_walls,
            table.width,
            table.height,
            TOLERANCE,
        )
        return free

    def _movable(self, moves: Sequence[ModelMove]) -> list[Violation]:
        return [self.why_not_movable(move.model) for move in moves if move.model not in self.limits]

    def legs(self, moves: Sequence[ModelMove]) -> Legs:
        """The legs of a placement's paths, each path beginning where its model stands now."""
        owners = [self.index[move.model] for move in moves for _ in move.path]
        ends = np.array([point for move in moves for point in move.path], np.float64) / 1000.0
        starts = np.empty_like(ends)
        starts[1:] = ends[:-1]
        first = 0
        for move in moves:
            starts[first] = self.starts[self.index[move.model]]
            first += len(move.path)
        return Legs(np.array(owners, np.intp), starts, ends)

    def ending(self, legs: Legs) -> Ending:
        """The whole unit where it stands after these legs."""
        poses = self.starts.copy()
        poses[legs.owners] = legs.ends  # of several legs of one model the last one stays
        moved = np.zeros(len(self.rows), np.bool_)
        moved[legs.owners[legs.lengths > TOLERANCE / 2]] = True
        return Ending(Placed(self.around, self.rows, poses), self.starts, moved)

    # -- searching ----------------------------------------------------------------------------------------------

    def passes(self, index: Indices, starts: Floats, ends: Floats) -> Booleans:
        """(k,): whether models of these indices may move along one straight leg each, on the ground, for all that
        lies between; distances are not measured. Many legs of one model are many questions."""
        free = self._may_walk(index, starts, ends)
        turning = np.flatnonzero(~free & (starts[:, 3] != ends[:, 3]) & ~self.bases.round[index])
        if len(turning):
            free[turning] = self._may_turn(index[turning], starts[turning], ends[turning])
        return free

    def _may_turn(self, index: Indices, starts: Floats, ends: Floats) -> Booleans:
        """The same for legs at whose end a base that is not round turns."""
        sweeps = Sweeps.straight(self.bases.take(index), starts, ends)
        table = self.scene.battlefield
        free = sweeps.stay_on(table.width, table.height)
        free &= ~(sweeps.hit(self.around.placed) & self.blocks[index]).any(axis=1)
        if len(self.obstacles.walls):
            free &= ~(sweeps.cross(self.obstacles.walls).any(axis=1) & self.stopped_by_walls[index])
        return np.asarray(free, dtype=np.bool_)

    def is_made(self, placement: Place) -> bool:
        """Whether an accepted answer makes the move: an empty one does where the unit may end as it stands (03.01)."""
        if placement.moves:
            return True
        none = np.zeros(len(self.rows), np.bool_)
        return not self.end_violations(Ending(Placed(self.around, self.rows, self.starts), self.starts, none))

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: the unit wanders somewhere, or stays."""
        return formations.wander(self, rng)

    def reach_of(self, row: int, directions: int = 64, steps: int = 24) -> list[tuple[int, int]]:
        """Where the middle of a model's base could end, the unit's other models where they stand now.

        An outline about its place, in thousandths of an inch: in each of so many directions the furthest of so many
        places at even distances that a straight way leads to and that may be stood at. Ways round corners may lead
        further; what must hold for the unit as a whole is not asked.
        """
        place, most = self.index[row], self.limits.get(row, 0) / 1000.0
        start = self.starts[place]
        angles = np.linspace(0.0, 2 * np.pi, directions, endpoint=False)
        lengths = most * np.arange(1, steps + 1) / steps
        ends = np.repeat(start[None], directions * steps, axis=0)
        ends[:, 0] += np.outer(np.cos(angles), lengths).ravel()
        ends[:, 1] += np.outer(np.sin(angles), lengths).ravel()
        which = np.full(len(ends), place, np.intp)
        free = self.passes(which, np.repeat(start[None], len(ends), axis=0), ends)
        free[free] = self.met(which[free], ends[free])
        reached = np.where(free.reshape(directions, steps), lengths[None], 0.0).max(axis=1)
        return [
            (round(1000 * (start[0] + math.cos(angle) * far)), round(1000 * (start[1] + math.sin(angle) * far)))
            for angle, far in zip(angles.tolist(), reached.tolist(), strict=True)
        ]

    def towards(self, goal: tuple[float, float]) -> Place:
        """A legal move that brings the unit as near to a point, in inches, as one search finds; it may be to stay."""
        return formations.towards(self, goal)

    def describe(self) -> dict[str, Any]:
        """The models that may move, where each stands and how far it may go, in thousandths of an inch."""
        position = self.state.position
        return {
            "place": self.kind.value,
            "unit": self.scene.units[self.unit].id,
            "models": [
                {"model": row, "from": position[row].tolist(), "most": limit} for row, limit in self.limits.items()
            ],
        }


# -- carrying out ------------------------------------------------------------------------------------------------

Way = tuple[tuple[int, int, int, int], ...]
"""Waypoints in thousandths of an inch and of a degree."""


def follow(state: State, placement: Place, *, from_here: bool) -> list[tuple[int, Way]]:
    """Put the models where a checked placement says.

    Args:
        from_here: whether they move from where they stand; they are set up otherwise.

    Returns:
        For each model its row and its whole way, the place that it leaves first.
    """
    paths = []
    for move in placement.moves:
        way = tuple((x, y, z, facing % 360_000) for x, y, z, facing in move.path)
        if from_here:
            here = state.position[move.model].tolist()
            way = ((here[0], here[1], here[2], here[3]), *way)
        paths.append((move.model, way))
        state.position[move.model] = way[-1]
        state.on_table[move.model] = True
    return paths


def way_length(way: Way) -> int:
    """How long a way is, in thousandths of an inch, the height climbed included."""
    total = 0.0
    for (x, y, z, _), (u, v, w, _) in itertools.pairwise(way):
        total += float(np.hypot(u - x, v - y)) + abs(w - z)
    return round(total)
