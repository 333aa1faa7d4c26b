"""Moving and setting up (03, 17.01): the spaces that players answer with placements, and carrying an answer out.

A :class:`MoveSpace` is a move of any type, composed from data: which models may move and how far, what they may pass
through, and what must hold when the move is over (``conditions``). A :class:`SetUpSpace` is the same for models that
come onto the table. Both refuse with every violation at once.

A move's paths leave out the place where the model stands: they begin with the first waypoint that it moves to. The
empty placement ``Place(())`` is always accepted: no model is moved.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from battlewright.core.decisions import Answer, ModelMove, Place, RandomSource, Violation
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.core.sweeps import Sweeps
from battlewright.editions.eleventh import acting, formations
from battlewright.editions.eleventh.coherency import NEAR, SPREAD
from battlewright.editions.eleventh.conditions import (
    ClearOfModels,
    Coherent,
    Condition,
    Ending,
    OnTable,
    StandsOnTerrain,
)
from battlewright.editions.eleventh.placed import Booleans, Box, Floats, Indices, Placed
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.setting_up import SetUpSpace, deployment_space
from battlewright.editions.eleventh.spaces import FARTHEST, LOOKOUT, Space, Suggestion, move_kernels
from battlewright.editions.eleventh.state import EleventhState, MoveKind
from battlewright.editions.eleventh.ways import Legs, blocking, way_violations

__all__ = [
    "Legs",
    "MoveSpace",
    "SetUpSpace",
    "carry_out",
    "deployment_space",
    "may_ever_move",
]

_ALWAYS: tuple[Condition, ...] = (OnTable(), ClearOfModels(), StandsOnTerrain(), Coherent())


class MoveSpace(Space):
    """One move of one unit (03.01).

    Args:
        unit: index of the unit; ``kind`` the type of its move.
        rule: the rule that asks, named where a model moves too far.
        limits: the models that may be moved and how far, in thousandths of an inch; one of distance 0 may turn.
        through_enemies: whether they may pass through enemy models (desperate escape).
        after: what must hold at the end besides what always must: on the table, on no other model, on terrain that
            lets them stand, in coherency.
        suggest: makes the default; the empty placement when None.
    """

    def __init__(
        self,
        scene: Scene,
        state: EleventhState,
        unit: int,
        kind: MoveKind,
        *,
        rule: str,
        limits: Mapping[int, int],
        through_enemies: bool = False,
        after: Sequence[Condition] = (),
        suggest: Suggestion | None = None,
    ) -> None:
        super().__init__(scene, state, unit, kind, standing(state, unit), rule, (*_ALWAYS, *after), suggest)
        self.limits = dict(limits)
        self.through_enemies = through_enemies

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

    @property
    def is_large_move(self) -> bool:
        """Whether it is a move in which MONSTERS and VEHICLES pass through most models (17.01)."""
        return self.kind in (MoveKind.NORMAL, MoveKind.ADVANCE)

    @cached_property
    def blocks(self) -> Booleans:
        """(n, m): which models around may not be passed by which of the unit's models."""
        return blocking(self.around, self.rows, through_enemies=self.through_enemies, large=self.is_large_move)

    @cached_property
    def blocks_own(self) -> Booleans:
        """(n, n): which of the unit's models may not be passed by which other, wherever they stand by then (17.01)."""
        large = self.around.facts.large[self.rows] & self.is_large_move
        return np.asarray(large[:, None] & large[None, :] & ~np.eye(len(large), dtype=np.bool_), dtype=np.bool_)

    @cached_property
    def stopped_by_walls(self) -> Booleans:
        """(n,): which of them dense features stop on the ground (13.06)."""
        return np.asarray(~self.around.facts.dense[self.rows], dtype=np.bool_)

    # -- checking -----------------------------------------------------------------------------------------------

    @rule(
        "11e.core.03.01-end-check",
        "11e.core.03.01-straight-lines-add-up",
        "11e.core.03.01-rotation-is-free",
        "11e.core.03.01-past-enemies",
        "11e.core.13.06-exposed-and-light",
    )
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
        return way_violations(self, legs) + self.end_violations(self.ending(legs))

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
        terrain = around.terrain
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
            NEAR,
            SPREAD,
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
        terrain, table = self.around.terrain, self.scene.battlefield
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

    @rule("11e.core.03.01-no-move-characteristic", "11e.ds-profile.m-dash-no-move")
    def _movable(self, moves: Sequence[ModelMove]) -> list[Violation]:
        found = []
        for move in moves:
            if move.model not in self.limits:
                dash = not may_ever_move(self.scene, move.model)
                breach = "11e.core.03.01-no-move-characteristic" if dash else self.rule
                why = 'has M "-" and is never moved' if dash else "may not be moved in this move"
                found.append(Violation(breach, f"{self.name(move.model)} {why}"))
        return found

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
        if len(self.around.terrain.walls):
            free &= ~(sweeps.cross(self.around.terrain.walls).any(axis=1) & self.stopped_by_walls[index])
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


@rule("11e.core.03.01-no-move-characteristic", "11e.ds-profile.m-dash-no-move")
def may_ever_move(scene: Scene, row: int) -> bool:
    """Whether the model's M lets it be moved at all: not when it is "-" (02, 03.01)."""
    return scene.models[row].profile.move is not None


# -- carrying out ------------------------------------------------------------------------------------------------


@rule("11e.core.03.01-models-one-at-a-time", "11e.core.03.02-set-up", "11e.core.16-failure")
def carry_out(battle: Battle11, unit: int, placement: Place, kind: MoveKind, *rules: str) -> int:
    """Put the models where a checked placement says and note it in the unit's state; an action under way fails.

    Returns:
        the furthest that one of the models has moved, in thousandths of an inch; 0 for a set-up.
    """
    state, info = battle.state, battle.scene.units[unit]
    mine = state.units[unit]
    furthest, paths = 0, []
    for move in placement.moves:
        way = tuple((x, y, z, facing % 360_000) for x, y, z, facing in move.path)
        if not kind.is_set_up:
            here = state.position[move.model].tolist()
            way = ((here[0], here[1], here[2], here[3]), *way)
            furthest = max(furthest, _length(way, flat=battle.scene.models[move.model].has("FLY")))
        paths.append((move.model, way))
        state.position[move.model] = way[-1]
        state.on_table[move.model] = True
    if kind.is_set_up:
        mine.set_up_this_turn = bool(placement.moves)
    else:
        mine.moved_distance = max(mine.moved_distance, furthest)
    if paths and kind not in (MoveKind.SET_UP, MoveKind.PILE_IN, MoveKind.CONSOLIDATE):
        acting.fail(battle, unit, "moved")
    if kind is not MoveKind.SET_UP:
        mine.moved_as = kind.value
        mine.moved_this_phase = True
        for other in state.units:
            other.found_no_room = False
    if paths:
        how = MoveKind.SET_UP if kind.is_set_up else kind
        battle.happened(ModelsMoved(unit=info.id, how=how.value, paths=tuple(paths), rules=rules))
    return furthest


@rule("11e.core.21-heavy-and-fly")
def _length(way: Sequence[tuple[int, int, int, int]], *, flat: bool) -> int:
    """How long a way is, in thousandths of an inch; of a model that can FLY only what it goes across counts."""
    total = 0.0
    for (x, y, z, _), (u, v, w, _) in itertools.pairwise(way):
        total += float(np.hypot(u - x, v - y)) + (0 if flat else abs(w - z))
    return round(total)
