"""Moves as spaces: what may be answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from battlewright.core.decisions import Answer, ModelMove, Place, RandomSource, Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.core.sweeps import Sweeps
from battlewright.editions.classic.formation import COHERENCY, MARCH_TO, in_formation, march_ends_legally
from battlewright.editions.classic.procedures.conditions import (
    ALWAYS,
    FarOnMarch,
    InFormation,
    OneInch,
    raised_hulls,
    widest_gap,
    widest_gap_of,
)
from battlewright.editions.classic.procedures.crossing import STEP, TerrainTest, distance_faults
from battlewright.editions.classic.procedures.ground import (
    PLACING,
    SQUADRON,
    ModelFacts,
    are_driven,
    difficult_of,
    flies_over,
    kind_rules,
    model_facts,
    placing_of,
    placing_of_skimmers,
    terrain_for,
)
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState, ClassicUnit, MoveKind
from battlewright.editions.classic.vehicles import SQUADRON_COHERENCY, squadron_faults
from battlewright.editions.placing import moves
from battlewright.editions.placing.conditions import Condition, Ending
from battlewright.editions.placing.placed import Booleans, Box, Floats, Indices, Placed
from battlewright.editions.placing.spaces import LOOKOUT, Suggestion
from battlewright.editions.placing.terrain import TerrainFacts
from battlewright.editions.placing.ways import Legs

__all__ = ["MoveSpace", "largest_group"]


class MoveSpace(moves.MoveSpace):
    """One move of one unit in its owner's movement phase.

    Args:
        limits: the models that may be moved and how far, in thousandths of an inch.
        test: the terrain test that the unit has taken, None for none.
        after: what must hold at the end besides what always must.
    """

    placing = PLACING
    scene: Scene
    state: ClassicState
    kind: MoveKind

    def __init__(
        self,
        scene: Scene,
        state: ClassicState,
        unit: int,
        kind: MoveKind,
        *,
        rule: str,
        limits: Mapping[int, int],
        test: TerrainTest | None = None,
        after: Sequence[Condition] = (OneInch(),),
        suggest: Suggestion | None = None,
    ) -> None:
        rows = standing(state, unit)
        self.placing = placing_of_skimmers(scene, rows, placing_of(scene, rows))
        unit_state = state.units[unit]
        formation = InFormation(self.best_gap)
        if len(rows) > 1 and self.placing.closeness is SQUADRON.closeness:
            left = may_be_left(scene, unit_state)
            formation = InFormation(self._gap_of_mobile, SQUADRON_COHERENCY, left, "3e.core.vehicles.squadrons")
        conditions = (*ALWAYS, formation, *raised_hulls(scene), *after)
        if kind is MoveKind.MARCH:
            conditions = (*conditions, FarOnMarch())
        super().__init__(
            scene,
            state,
            unit,
            kind,
            rows=rows,
            rule=rule,
            limits=limits,
            conditions=conditions,
            suggest=suggest,
        )
        self.test, self._after = test, tuple(after)

    @cached_property
    def mobile(self) -> MoveSpace:
        """The move as a search goes about it: of those alone who can move, where the others may become units of their
        own; else this move itself. What it finds has still to be checked by this one."""
        left = may_be_left(self.scene, self.state.units[self.unit]) & self.index.keys()
        rows = [row for row in self.rows.tolist() if row not in left]
        if not (left and rows and self._squadron) or self.scene.rules.vehicles.movement.left_behind is None:
            return self
        apart = self.state.copy()  # as it would be if they had been left already
        apart.units[self.unit].models = tuple(rows)
        for row in left:
            apart.units[self.scene.models[row].part].models = (row,)
        return MoveSpace(
            self.scene,
            apart,
            self.unit,
            self.kind,
            rule=self.rule,
            limits=self.limits,
            test=self.test,
            after=self._after,
            suggest=self._suggest,
        )

    def _reach(self) -> Box:
        x0, y0, x1, y1 = super()._reach()
        more = MARCH_TO if self.kind is MoveKind.MARCH else 0.0
        return x0 - more, y0 - more, x1 + more, y1 + more

    @property
    def facts(self) -> ModelFacts:
        """Of every model, by row."""
        return model_facts(self.scene)

    @cached_property
    def flies(self) -> Booleans:
        """(n,): which of the unit's models pass over terrain and friends in this way of moving."""
        return np.array([flies_over(self.scene, int(row), self.kind) for row in self.rows], np.bool_)

    # -- on the way ---------------------------------------------------------------------------------------------

    @cached_property
    @rule("3e.core.movement.not-through-friends", "3e.jump.not-over-enemies", "3e.jetbikes.not-skimmers")
    @rule("4e.skimmers-assault.over-infantry", "6e.outside.no-moving-through-models")
    def blocks(self) -> Booleans:
        """(n, m): which models around may not be passed: enemies by all but skimmers, friends by all that do not fly.

        RULING: 3e.core.movement.not-through-friends we read it as holding for friends of other units; the models of
        one unit move together and make way for each other.
        """
        flies, skims, foe = self.flies, self.flies & self.facts.skims[self.rows], self.around.foe
        return np.asarray(np.where(foe[None, :], ~skims[:, None], ~flies[:, None]), dtype=np.bool_)

    @cached_property
    def stopped_by_walls(self) -> Booleans:
        """(n,): which of them impassable terrain stops."""
        return ~self.flies

    @cached_property
    def drives(self) -> bool:
        """Whether the unit is of vehicles that are no walkers."""
        return are_driven(self.scene, self.rows.tolist())

    @cached_property
    def obstacles(self) -> TerrainFacts:
        """See the base: to some vehicles wrecks are impassable."""
        return terrain_for(self.scene, self.state, self.rows.tolist(), self.around.terrain)

    def through_rule(self, row: int) -> str:
        """See the base."""
        return "3e.jump.not-over-enemies" if self.flies[self.index[row]] else super().through_rule(row)

    def why_not_movable(self, row: int) -> Violation:
        """See the base: models in difficult terrain move after a terrain test only."""
        return Violation(
            "3e.terrain.test", f"{self.name(row)} stands in difficult terrain; it moves after a terrain test"
        )

    @cached_property
    def _slowed(self) -> Booleans:
        """(n,): which of them difficult terrain slows."""
        return np.array([kind_rules(self.scene, int(row), self.kind).slowed for row in self.rows], np.bool_)

    @cached_property
    def _minds_terrain(self) -> bool:
        """Whether difficult terrain can have anything to do with this move."""
        if not len(difficult_of(self.scene, self.state)) or not (self._slowed.any() or self.kind is MoveKind.MARCH):
            return False
        x0, y0, x1, y1 = super()._reach()
        boxes, less = difficult_of(self.scene, self.state).boxes, LOOKOUT
        near = (boxes[:, 0] <= x1 - less) & (boxes[:, 2] >= x0 + less)
        return bool((near & (boxes[:, 1] <= y1 - less) & (boxes[:, 3] >= y0 + less)).any())

    def _quickly(self, moves: Sequence[ModelMove]) -> bool:
        return not self._squadron and not self._minds_terrain and super()._quickly(moves)

    @rule("3e.terrain.others-unaffected", "3e.core.movement.avoiding-terrain", "3e.march.no-terrain")
    @rule("4e.vehicle-movement.pivot-free", "4e.vehicle-movement.forward-back", "6e.outside.pivoting")
    def way_violations(self, legs: Legs) -> list[Violation]:
        """What is wrong on the way: too far, over the edge, through models or terrain."""
        found = super().way_violations(legs)
        if self._squadron:
            lengths = np.bincount(legs.owners, self.lengths(legs), len(self.rows))
            able = [row not in self._disabled for row in self.rows.tolist()]
            found += self.scene.rules.vehicles.movement.same_band([float(each) for each in lengths[able]])
        if not self._minds_terrain:
            return found
        if self.kind is MoveKind.MARCH:
            sweeps = Sweeps.legs(self.bases, legs.starts, legs.ends, legs.owners)
            crossed = sweeps.cross(difficult_of(self.scene, self.state).polygons).any(axis=1)
            return found + [
                Violation("3e.march.no-terrain", f"{self.name(int(self.rows[i]))} marches through difficult terrain")
                for i in np.flatnonzero(crossed)
                if not march_ends_legally((), crosses_difficult=True)
            ]
        return found + distance_faults(self.scene, self.state, self.index, self.bases, legs, self.test, self.kind)

    def passes(self, index: Indices, starts: Floats, ends: Floats) -> Booleans:
        """See the base; the search keeps models that are slowed off what they may not enter, or within the test."""
        free = super().passes(index, starts, ends)
        if not self._minds_terrain:
            return free
        pieces = difficult_of(self.scene, self.state)
        minded = free & (self._slowed[index] | (self.kind is MoveKind.MARCH))
        some = np.flatnonzero(minded)
        if not len(some):
            return free
        swept = self.bases.some_at(index[some], starts[some]).swept(ends[some, :2] - starts[some, :2])
        crossed = Sweeps(swept, np.arange(len(some)), len(some)).cross(pieces.polygons)
        crossed = np.asarray(crossed[:, pieces.slowing].any(axis=1), dtype=np.bool_)
        still = np.hypot(*(ends[some, :2] - starts[some, :2]).T) <= TOLERANCE
        fine = ~crossed | still
        if self.test is not None and self.scene.rules.movement.enters_by_model is None:
            return free
        if self.test is not None:
            fine |= self._within_test(index[some], starts[some], ends[some])
        free[some] &= fine
        return free

    def _within_test(self, index: Indices, starts: Floats, ends: Floats) -> Booleans:
        """(k,): which straight legs through difficult terrain surely keep to the terrain test."""
        assert self.test is not None
        pieces = difficult_of(self.scene, self.state)
        placed = self.bases.some_at(index, ends)
        touched, inside = pieces.touched(placed), pieces.inside(placed)[0]
        before = pieces.touched(self.bases.some_at(index, starts))
        short = np.hypot(*(ends[:, :2] - starts[:, :2]).T) <= self.test.allowed + TOLERANCE
        whole = (inside | ~touched | pieces.linear[None, :]).all(axis=1)
        declared = np.isin(self.rows[index], list(self.test.entering))
        entered = (touched & ~before & ~pieces.linear[None, :]).any(axis=1)
        return np.asarray(short & whole & (declared | ~entered), dtype=np.bool_)

    # -- formation, and who has to enter ------------------------------------------------------------------------

    @cached_property
    def _start_gap(self) -> float:
        gaps = Placed(self.around, self.rows, self.starts).own_gaps
        return widest_gap(gaps)

    @property
    def is_in_formation(self) -> bool:
        """Whether the unit is in formation where it stands."""
        if self._squadron:
            return not squadron_faults([self._gap_of_mobile()])
        return in_formation(Placed(self.around, self.rows, self.starts).own_gaps)

    @property
    def near(self) -> float:
        """Inches from model to model within which the unit is in formation."""
        return self.placing.closeness.near

    @cached_property
    def _squadron(self) -> bool:
        return self.placing.closeness is SQUADRON.closeness and len(self.rows) > 1

    @cached_property
    def _disabled(self) -> frozenset[int]:
        """The vehicles of a squadron that cannot move."""
        unit = self.state.units[self.unit]
        return unit.stunned | unit.immobilised if self._squadron else frozenset()

    def _gap_of_mobile(self) -> float:
        """The widest gap in inches that staying leaves among the vehicles that may not be left."""
        left = may_be_left(self.scene, self.state.units[self.unit])
        gaps = Placed(self.around, self.rows, self.starts).own_gaps
        return widest_gap_of(gaps, [row not in left for row in self.rows.tolist()])

    @cached_property
    def _scattered(self) -> bool:
        """Whether the unit has to close up."""
        return not self._squadron and self._start_gap > COHERENCY + TOLERANCE

    @cached_property
    def _closed_up(self) -> tuple[Place, float]:
        """The move that closes the unit's gaps best, and the widest gap that it leaves."""
        return close_up(self)

    def best_gap(self) -> float:
        """The widest gap in inches that the best move found leaves; staying is always one."""
        if not self._scattered:
            return self._start_gap
        return min(self._start_gap, self._closed_up[1])

    @rule("3e.terrain.no-withdrawal", "3e.formation.regain")
    def _stay_violations(self) -> list[Violation]:
        """Why the unit may not stay where it is; none in most cases."""
        found = []
        none = np.zeros(len(self.rows), np.bool_)
        if self._scattered:
            ending = Ending(Placed(self.around, self.rows, self.starts), self.starts, none)
            found += InFormation(self.best_gap).violations(ending)
        return found + self._withdrawn(Place(()))

    def _withdrawn(self, answer: Place) -> list[Violation]:
        """Who was declared to enter and does not; refused only where a move is known that brings them in."""
        if self.test is None or not self.test.entering:
            return []
        out = self._left_outside(answer)
        if not out or not self._entry.moves or len(self._left_outside(self._entry)) >= len(out):
            return []
        return [
            Violation("3e.terrain.no-withdrawal", f"{self.name(row)} was declared to enter and has to")
            for row in sorted(out)
        ]

    def _left_outside(self, answer: Place) -> set[int]:
        assert self.test is not None
        ends = {move.model: move.path[-1] for move in answer.moves if move.path}
        rows = [row for row in self.test.entering if row in self.index]
        if not rows:
            return set()
        poses = np.array([ends.get(row, tuple(self.state.position[row].tolist())) for row in rows], np.float64) / 1000.0
        inside = np.atleast_1d(
            difficult_of(self.scene, self.state).inside(self.scene.bases.some_at(rows, poses))[0].any(axis=1)
        )
        return {row for row, within in zip(rows, inside.tolist(), strict=True) if not within}

    @cached_property
    def _entry(self) -> Place:
        """A legal move with as many as possible of those declared to enter inside; empty where none is found."""
        return enter(self)

    def _check(self, answer: Answer) -> list[Violation]:
        if isinstance(answer, Place):
            if not answer.moves:
                return self._stay_violations()
            return super()._check(answer) or self._withdrawn(answer)
        return super()._check(answer)

    def accepts_quickly(self, answer: Place) -> bool:
        """See the base."""
        if not answer.moves:
            return not self._stay_violations()
        if self._squadron:  # nothing quick tells of these
            return not self._check(answer)
        return not self._withdrawn(answer) and super().accepts_quickly(answer)

    def default(self) -> Place:
        """See the base: those declared to enter do, a unit out of formation closes up; else what is suggested."""
        if self.test is not None and self.test.entering and self._entry.moves:
            return self._entry
        if self._scattered:
            return self._closed_up[0]
        return super().default()

    def sample(self, rng: RandomSource) -> Place:
        """See the base."""
        if self.mobile is not self:
            found = self.mobile.sample(rng)
            return found if self.accepts(found) else Place(())
        found = super().sample(rng)
        return found if found.moves or self.accepts(found) else self.default()


@rule("4e.squadron-movement.stay-or-abandon", "6e.outside.squadrons")
def may_be_left(scene: Scene, unit: ClassicUnit) -> frozenset[int]:
    """The vehicles of a squadron that its others may move away from: they cannot move themselves."""
    return unit.immobilised if scene.rules.vehicles.movement.waits_for_stunned else unit.stunned | unit.immobilised


# -- searches ---------------------------------------------------------------------------------------------------


def close_up(space: MoveSpace) -> tuple[Place, float]:
    """A legal move that brings a scattered unit into formation as far as one search finds, and the gap it leaves.

    The models outside the largest group go one after another, the nearest first, as near to those placed as need be.
    """
    gaps = Placed(space.around, space.rows, space.starts).own_gaps
    main = largest_group(gaps <= COHERENCY + TOLERANCE)
    strays = sorted(
        (i for i in range(len(space.rows)) if i not in main), key=lambda i: float(gaps[i, list(main)].min())
    )
    placed: dict[int, Floats] = {i: space.starts[i] for i in main}
    waiting = {i: space.starts[i] for i in strays}
    for i in strays:
        del waiting[i]
        near = space.bases.some_at(list(placed), np.array(list(placed.values())))
        all_there = {**placed, **waiting}
        others = space.bases.some_at(list(all_there), np.array(list(all_there.values())))
        poses = _towards(space, i, np.array([pose[:2] for pose in placed.values()]))
        owners = np.full(len(poses), i, np.intp)
        good = space.passes(owners, np.repeat(space.starts[[i]], len(poses), axis=0), poses) & space.met(owners, poses)
        mine = space.bases.some_at(owners, poses)
        good &= separation_matrix(mine, others).min(axis=1) >= -TOLERANCE / 2
        cost = np.maximum(separation_matrix(mine, near).min(axis=1) - COHERENCY, 0.0)
        cost += 0.001 * np.hypot(*(poses[:, :2] - space.starts[i, :2]).T)
        placed[i] = poses[int(np.argmin(np.where(good, cost, np.inf)))] if good.any() else space.starts[i]
    moved = {i: pose for i, pose in placed.items() if np.abs(pose[:2] - space.starts[i, :2]).max() > TOLERANCE}
    answer = _answer(space, moved)
    poses = np.array([placed[i] for i in range(len(space.rows))])
    widest = widest_gap(Placed(space.around, space.rows, poses).own_gaps)
    if (
        not answer.moves
        or widest >= space._start_gap
        or moves.MoveSpace.way_violations(space, space.legs(answer.moves))
    ):
        return Place(()), space._start_gap
    return answer, widest


def largest_group(near: Booleans) -> set[int]:
    """The largest set of models that are linked; (n, n) which are near each other."""
    left, best = set(range(len(near))), set[int]()
    while left:
        group, front = set[int](), {min(left)}
        while front:
            group |= front
            front = {int(j) for i in front for j in np.flatnonzero(near[i])} - group
        left -= group
        best = group if len(group) > len(best) else best
    return best


def _towards(space: MoveSpace, index: int, targets: Floats) -> Floats:
    """Poses for a model on the straight ways to others, and in all directions: where it stands first."""
    start, reach = space.starts[index], float(space.reach[index]) - TOLERANCE
    ways = targets - start[:2]
    far = np.hypot(*ways.T)
    steps = np.linspace(0.0, 1.0, 13)
    straight = ways / np.maximum(far, 1e-9)[:, None]
    turns = np.radians(np.arange(0, 360, 15))
    around = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    shifts = [
        np.zeros((1, 2)),
        *(way * min(reach, float(f)) * steps[1:, None] for way, f in zip(straight, far, strict=True)),
    ]
    shifts += [way * reach * steps[1:, None] for way in around]
    offsets = np.concatenate(shifts)
    poses = np.repeat(start[None, :], len(offsets), axis=0)
    poses[:, :2] = np.round(poses[:, :2] + offsets, 3)
    return poses


def enter(space: MoveSpace) -> Place:
    """A legal move that brings the models declared to enter inside, each just so far as it must; else no move."""
    assert space.test is not None
    chosen: dict[int, Floats] = {}
    rest = {i: space.starts[i] for i in range(len(space.rows))}
    entering = [space.index[row] for row in sorted(space.test.entering) if row in space.index]
    for i in entering:
        poses = _entries(space, i)
        if not len(poses):
            continue
        owners = np.full(len(poses), i, np.intp)
        starts = np.repeat(space.starts[[i]], len(poses), axis=0)
        others = {j: pose for j, pose in rest.items() if j != i}
        good = space.met(owners, poses) & moves.MoveSpace.passes(space, owners, starts, poses)
        if others:
            placed = space.bases.some_at(list(others), np.array(list(others.values())))
            gaps = separation_matrix(space.bases.some_at(owners, poses), placed)
            good &= (gaps.min(axis=1) >= -TOLERANCE / 2) & (gaps.min(axis=1) <= COHERENCY)
        for pose in poses[good]:
            trial = {**chosen, i: pose}
            if not _plain_faults(space, _answer(space, trial)):
                chosen, rest[i] = trial, pose
                break
    answer = _answer(space, chosen)
    return answer if answer.moves and not _plain_faults(space, answer) else Place(())


def _entries(space: MoveSpace, index: int) -> Floats:
    """Straight moves of one model that end just completely inside difficult terrain, one in each of 24 directions at
    most, the shortest first."""
    turns, steps = np.radians(np.arange(0.0, 360.0, 15.0)), np.arange(STEP, float(space.reach[index]), STEP)
    if not len(steps):
        return space.starts[:0]
    offsets = np.stack([np.outer(np.cos(turns), steps), np.outer(np.sin(turns), steps)], axis=-1).reshape(-1, 2)
    poses = np.repeat(space.starts[[index]], len(offsets), axis=0)
    poses[:, :2] = np.round(poses[:, :2] + offsets, 3)
    placed = space.bases.some_at(np.full(len(poses), index, np.intp), poses)
    inside = difficult_of(space.scene, space.state).inside(placed)[0].any(axis=1).reshape(len(turns), len(steps))
    first = np.where(inside.any(axis=1), inside.argmax(axis=1), len(steps))
    order = [int(turn) for turn in np.argsort(first, kind="stable") if first[turn] < len(steps)]
    return poses.reshape(len(turns), len(steps), 4)[order, first[order]]


def _plain_faults(space: MoveSpace, answer: Place) -> list[Violation]:
    """What is wrong with a move but for who fails to enter."""
    return moves.MoveSpace._check(space, answer)


def _answer(space: MoveSpace, chosen: Mapping[int, Floats]) -> Place:
    found = []
    for i, pose in chosen.items():
        x, y, z, facing = (round(float(value) * 1000) for value in pose)
        found.append(ModelMove(int(space.rows[i]), ((x, y, z, facing),)))
    return Place(tuple(found))
