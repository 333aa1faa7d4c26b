"""Moves into and within combat (11.04, 12.03, 12.08): charges, pile-ins, consolidations.

Their spaces are moves of chapter 03 with conditions of their own. Some conditions demand the best that a model can
reach ("engaged if it can"): a move is refused for them only with a witness, a place for that model which the space
would itself accept. Witnesses and defaults come from one search: straight legs to places around the target's models,
at each of :data:`GAPS` inches and :data:`ANGLES` angles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.decisions import Answer, ModelMove, Place, RandomSource, Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.editions.eleventh.conditions import Condition, Ending, KeepsEngagements, Unengaged, gaps_to_rows
from battlewright.editions.eleventh.contact import in_contact, kept_apart
from battlewright.editions.eleventh.engagement import ENGAGEMENT_HEIGHT, ENGAGEMENT_RANGE, engaged_units
from battlewright.editions.eleventh.moves import MoveSpace, may_ever_move
from battlewright.editions.eleventh.placed import Booleans, Floats, Indices, Placed, model_facts
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState, MoveKind

__all__ = [
    "ANGLES",
    "GAPS",
    "CloseSpace",
    "CloserToGoal",
    "charge_space",
    "engaging_space",
    "goal_gaps",
    "pile_in_space",
]

GAPS = (0.1, 0.6, 1.6)
"""Inches from the target's base at which places are tried."""
ANGLES = 24
"""Directions around the target's base in which places are tried."""
CLOSE = 1.0
"""A charging model ends within so many inches of a target if it can (11.04)."""

Want: TypeAlias = tuple[float, str]
"""A distance in inches that a model must reach if it can, and the rule that says so."""


# -- conditions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CloserToGoal(Condition):
    """Every model that is moved ends closer to its goal than it was.

    Attributes:
        goals: rows of models, one group for each target unit.
        closest: whether only the group that was closest to the model counts, rather than any.
    """

    goals: tuple[tuple[int, ...], ...]
    rule_id: str
    closest: bool = False

    @rule("11e.core.11.04-model-conditions", "11e.core.12.03-pile-in-models")
    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        before = goal_gaps(Placed(ending.around, ending.rows, ending.start), self.goals)
        after = goal_gaps(ending, self.goals)
        closer = np.maximum(after, 0.0) < np.maximum(before, 0.0) - TOLERANCE / 2
        if self.closest:
            closer &= before <= before.min(axis=1, keepdims=True) + TOLERANCE
        return [
            Violation(
                self.rule_id,
                f"{ending.name(int(index))} is moved and ends no closer to its target: "
                f'{before[index].min():.2f}" before, {after[index].min():.2f}" after',
            )
            for index in np.flatnonzero(ending.moved & ~closer.any(axis=1))
        ]


def goal_gaps(placed: Placed, goals: Sequence[Sequence[int]]) -> Floats:
    """(n, g): the distance in inches from each model to the nearest model of each goal, within 5" up or down."""
    columns = []
    for rows in goals:
        gaps = gaps_to_rows(placed, rows)
        heights = to_inches(placed.around.state.position[list(rows)])[:, 2]
        rises = np.abs(placed.poses[:, 2][:, None] - heights[None, :])
        columns.append(np.where(rises <= ENGAGEMENT_HEIGHT + TOLERANCE, gaps, gaps + 100.0).min(axis=1))
    return np.stack(columns, axis=1) if columns else np.zeros((len(placed.rows), 0))


@dataclass(frozen=True)
class EngagedWith(Condition):
    """The unit ends engaged with each of these enemy units; with any enemy unit where none is named."""

    rule_id: str
    units: tuple[int, ...] = ()

    @rule("11e.core.11.04-after", "11e.core.12.03-pile-in-after", "11e.core.12.08-engaging")
    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        engaged = {int(unit) for unit in ending.around.unit[ending.engaged.any(axis=0)]}
        if not self.units:
            return [] if engaged else [Violation(self.rule_id, "The unit ends engaged with no enemy unit")]
        scene = ending.around.scene
        return [
            Violation(self.rule_id, f"The unit ends unengaged with {scene.units[unit].name}, which it has to engage")
            for unit in self.units
            if unit not in engaged
        ]


# -- spaces -----------------------------------------------------------------------------------------------------


class CloseSpace(MoveSpace):
    """A move towards enemies, with distances that each moved model must reach if it can.

    Attributes:
        goals: rows of models, one group for each target unit.
        wants: what moved models must reach, the most important first.
        must: whether the default makes the move where it can; otherwise the default is to stay.
        gaps: inches from a goal's base at which places are tried.
        grain: inches by which one place has to be closer to a goal than another to be preferred.
    """

    goals: tuple[tuple[int, ...], ...] = ()
    wants: tuple[Want, ...] = ()
    closest: bool = False
    must: bool = False
    gaps: tuple[float, ...] = GAPS
    grain: float = CLOSE

    @rule("11e.core.11.04-model-conditions", "11e.core.12.03-pile-in-models", "11e.core.12.08-ongoing")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the move would break; "if it can" is refused with a place that would be accepted."""
        found = super().check(answer)
        if found or not isinstance(answer, Place) or not answer.moves or not self.wants:
            return found
        return self._could_do_better(answer)

    def _could_do_better(self, answer: Place) -> list[Violation]:
        ending = self.ending(self.legs(answer.moves))
        gaps = self._own_goal_gaps(ending)
        found: list[Violation] = []
        for index in np.flatnonzero(ending.moved):
            for limit, rule_id in self.wants:
                if gaps[index] <= limit + TOLERANCE:
                    continue
                witness = self._witness(answer, int(index), ending, limit)
                if witness is not None:
                    x, y = witness.path[-1][0] / 1000, witness.path[-1][1] / 1000
                    found.append(
                        Violation(
                            rule_id,
                            f"{self.name(int(self.rows[index]))} ends {gaps[index]:.2f} inches from its target and "
                            f"could end within {limit:g}, at {x:.3f}, {y:.3f}",
                        )
                    )
                    break
        return found

    def _own_goal_gaps(self, ending: Ending) -> Floats:
        """(n,): the distance to the nearest goal, or to that which was the closest before the move."""
        after = goal_gaps(ending, self.goals)
        if self.closest:
            before = goal_gaps(Placed(ending.around, ending.rows, ending.start), self.goals)
            after = np.where(before <= before.min(axis=1, keepdims=True) + TOLERANCE, after, np.inf)
        return np.asarray(after.min(axis=1), dtype=np.float64)

    def _witness(self, answer: Place, index: int, ending: Ending, limit: float) -> ModelMove | None:
        """A move for one model, the others as answered, that ends within the limit and is accepted."""
        taken = np.delete(ending.poses, index, axis=0)
        others = np.delete(np.arange(len(self.rows)), index)
        row = int(self.rows[index])
        for pose in self._places(index, taken, others, limit)[:3]:
            move = ModelMove(row, (_waypoint(pose),))
            rest = tuple(each for each in answer.moves if each.model != row)
            if self.accepts(Place((*rest, move))):
                return move
        return None

    def default(self) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`."""
        return self.press() if self.must else Place(())

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: presses on more often than not."""
        return self.press() if rng.random() < 0.8 else Place(())

    def press(self) -> Place:
        """The move that brings as many models as it can to their goals; empty where the search finds none that is
        accepted. The models nearest to their goals are placed first, at least one for each goal."""
        for stretch in (True, False):
            answer = Place(tuple(self._greedy(stretch=stretch)))
            if answer.moves and not self.check(answer):
                return answer
        return Place(())

    def _greedy(self, *, stretch: bool) -> list[ModelMove]:
        """Place one model after another; ``stretch`` also brings up those that cannot reach a goal."""
        starts = goal_gaps(Placed(self.around, self.rows, self.starts), self.goals)
        poses = self.starts.copy()
        done: list[int] = [i for i in range(len(self.rows)) if int(self.rows[i]) not in self.limits]
        moves: list[ModelMove] = []
        for index in self._order(starts, done):
            row = int(self.rows[index])
            taken = poses[done] if done else np.zeros((0, 4))
            places = self._places(index, taken, np.array(done, np.intp), ENGAGEMENT_RANGE)
            if not places and stretch:
                places = self._approaches(index, taken, np.array(done, np.intp))
            done.append(index)
            if not places or (starts[index].min() <= CLOSE and not self.must):
                continue
            chosen = next((pose for pose in places if self._near_others(pose, index, taken)), places[0])
            poses[index] = chosen
            moves.append(ModelMove(row, (_waypoint(chosen),)))
        return moves

    def _order(self, gaps: Floats, done: Sequence[int]) -> list[int]:
        """Indices of the movable models: first the nearest to each goal in turn, then the rest from the nearest on."""
        movable = [i for i in range(len(self.rows)) if i not in done]
        order: list[int] = []
        for goal in range(gaps.shape[1]):
            rest = [i for i in movable if i not in order]
            if rest:
                order.append(min(rest, key=lambda i: (float(gaps[i, goal]), i)))
        return order + sorted((i for i in movable if i not in order), key=lambda i: (float(gaps[i].min()), i))

    def _near_others(self, pose: Floats, index: int, taken: Floats) -> bool:
        """Whether the place is within coherency of the models placed so far; the first model is always."""
        if not len(taken):
            return True
        reach = self.bases.rows[index, -1] + float(self.bases.rows[:, -1].max()) + 2.0
        return bool((np.hypot(taken[:, 0] - pose[0], taken[:, 1] - pose[1]) <= reach).any())

    def _places(self, index: int, taken: Floats, others: Indices, limit: float) -> list[Floats]:
        """Places for a model within ``limit`` of a goal that it can reach in one leg, the best first."""
        start = self.starts[index]
        tried = self._around_goals(index, limit)
        if not len(tried):
            return []
        far = np.hypot(tried[:, 0] - start[0], tried[:, 1] - start[1])
        tried = tried[far <= self.reach[index] - TOLERANCE]
        return self._usable(index, tried, taken, others, limit)

    def _around_goals(self, index: int, limit: float) -> Floats:
        """(k, 4): places around the models of the goals, at the height where they stand."""
        start, own = self.starts[index], float(self.bases.rows[index, -1])
        rows = np.array([row for goal in self._goals_of(index) for row in goal], np.intp)
        there = to_inches(self.state.position[rows])
        reach = self.scene.reach[rows] + kept_apart(self.scene, self.rows[[index]], rows)[0]
        near = np.hypot(there[:, 0] - start[0], there[:, 1] - start[1]) <= self.reach[index] + reach + own + limit
        level = np.abs(there[:, 2] - start[2]) <= ENGAGEMENT_HEIGHT
        there, reach = there[near & level], reach[near & level]
        if not len(there):
            return np.zeros((0, 4))
        towards = np.arctan2(start[1] - there[:, 1], start[0] - there[:, 0])
        angles = towards[:, None] + np.arange(ANGLES)[None, :] * (2 * np.pi / ANGLES)
        poses = []
        for gap in self.gaps:
            if gap <= limit:
                radius = (reach + own + gap)[:, None]
                x = there[:, 0][:, None] + radius * np.cos(angles)
                y = there[:, 1][:, None] + radius * np.sin(angles)
                poses.append(np.stack([x.ravel(), y.ravel()], axis=1))
        flat = np.concatenate(poses)
        facing = np.degrees(np.arctan2(flat[:, 1] - start[1], flat[:, 0] - start[0])) % 360.0
        return np.column_stack(
            [flat, np.full(len(flat), start[2]), np.where(self.bases.round[index], start[3], facing)]
        )

    def _goals_of(self, index: int) -> tuple[tuple[int, ...], ...]:
        if not self.closest or len(self.goals) < 2:
            return self.goals
        gaps = goal_gaps(Placed(self.around, self.rows[[index]], self.starts[[index]]), self.goals)[0]
        return tuple(goal for goal, gap in zip(self.goals, gaps, strict=True) if gap <= gaps.min() + TOLERANCE)

    def _usable(self, index: int, tried: Floats, taken: Floats, others: Indices, limit: float) -> list[Floats]:
        """Those of the places that are free, reachable and near enough, nearest to the goal and to the start first."""
        if not len(tried):
            return []
        tried = np.round(tried, 3)
        repeated = np.full(len(tried), index, np.intp)
        placed = Placed(self.around, self.rows[repeated], tried)
        goals = goal_gaps(placed, self._goals_of(index)).min(axis=1)
        before = goal_gaps(Placed(self.around, self.rows[[index]], self.starts[[index]]), self._goals_of(index))[
            0
        ].min()
        good = (goals <= limit) & (goals < before - TOLERANCE) & self.met(repeated, tried)
        good &= self._clear_of(index, tried, taken, others)
        kept = np.flatnonzero(good)
        if not len(kept):
            return []
        start = self.starts[index]
        far = np.hypot(tried[kept, 0] - start[0], tried[kept, 1] - start[1])
        kept = kept[np.lexsort((far, np.round(np.maximum(goals[kept], 0.0) / self.grain)))]
        found: list[Floats] = []
        for first in range(0, len(kept), 12):
            some = kept[first : first + 12]
            index_of = np.full(len(some), index, np.intp)
            free = self.passes(index_of, np.repeat(start[None, :], len(some), axis=0), tried[some])
            found += [tried[place] for place in some[free]]
            if len(found) >= 6:
                break
        return found

    def _clear_of(self, index: int, tried: Floats, taken: Floats, others: Indices) -> Booleans:
        """(k,): which places do not overlap the models of the own unit that are placed already."""
        if not len(taken):
            return np.ones(len(tried), np.bool_)
        apart = self.bases.rows[index, -1] + self.bases.rows[others, -1] + 2 * TOLERANCE
        gaps = np.hypot(tried[:, None, 0] - taken[None, :, 0], tried[:, None, 1] - taken[None, :, 1])
        return np.asarray((gaps >= apart[None, :]).all(axis=1), dtype=np.bool_)

    def _approaches(self, index: int, taken: Floats, others: Indices) -> list[Floats]:
        """Places on the way to the nearest goal for a model that cannot get there, the furthest first."""
        start = self.starts[index]
        rows = np.array([row for goal in self._goals_of(index) for row in goal], np.intp)
        there = to_inches(self.state.position[rows])
        nearest = there[int(np.argmin(np.hypot(there[:, 0] - start[0], there[:, 1] - start[1])))]
        towards = np.arctan2(nearest[1] - start[1], nearest[0] - start[0])
        angles = towards + np.radians([0.0, 20.0, -20.0, 45.0, -45.0])
        steps = (self.reach[index] - 2 * TOLERANCE) * np.array([1.0, 0.75, 0.5, 0.25])
        x = start[0] + (steps[:, None] * np.cos(angles)[None, :]).ravel()
        y = start[1] + (steps[:, None] * np.sin(angles)[None, :]).ravel()
        tried = np.column_stack([x, y, np.full(len(x), start[2]), np.full(len(x), start[3])])
        return self._usable(index, tried, taken, others, np.inf)


def _waypoint(pose: Floats) -> tuple[int, int, int, int]:
    x, y, z, facing = (round(float(value) * 1000) for value in pose)
    return x, y, z, facing % 360_000


def _limits(scene: Scene, rows: Sequence[int], distance: float) -> Mapping[int, int]:
    return {row: round(distance * 1000) for row in rows if may_ever_move(scene, row)}


def _rows_of(battle: Battle11, units: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(standing(battle.state, unit)) for unit in units)


@rule("11e.core.11.04-model-conditions", "11e.core.11.04-after", "11e.core.11-nothing-inside-the-charge")
def charge_space(
    battle: Battle11, unit: int, targets: Sequence[int], distance: int, *, aloft: bool = False
) -> CloseSpace:
    """A charge move (11.04): every moved model ends closer to a target, engaged with one if it can and within 1" of
    one if it can; the unit ends engaged with all targets and with no other enemy unit. Empty: no charge move."""
    scene, state = battle.scene, battle.state
    rule_id = "11e.core.11.04-model-conditions"
    goals = _rows_of(battle, targets)
    space = CloseSpace(
        scene,
        state,
        unit,
        MoveKind.CHARGE,
        rule=rule_id,
        limits=_limits(scene, standing(state, unit), distance),
        aloft=aloft,
        after=(
            CloserToGoal(goals, rule_id),
            EngagedWith("11e.core.11.04-after", tuple(targets)),
            Unengaged("11e.core.11.04-after", but_for=frozenset(targets)),
        ),
    )
    space.goals, space.wants, space.must = goals, ((ENGAGEMENT_RANGE, rule_id), (CLOSE, rule_id)), True
    return space


@rule("11e.core.12.03-pile-in-models", "11e.core.12.03-pile-in-after", "11e.core.12.03-base-contact-stays")
def pile_in_space(
    battle: Battle11,
    unit: int,
    targets: Sequence[int],
    distance: float,
    *,
    kind: MoveKind = MoveKind.PILE_IN,
    rule_id: str = "11e.core.12.03-pile-in-models",
) -> CloseSpace:
    """A pile-in, or a consolidation into enemies (12.03, 12.08): models in base contact with an enemy stay; each moved
    one ends closer to the closest target and engaged with it if it can; the unit ends engaged; every model keeps the
    engagements it had."""
    scene, state = battle.scene, battle.state
    rows = standing(state, unit)
    goals = _rows_of(battle, targets)
    after: list[Condition] = [
        CloserToGoal(goals, rule_id, closest=True),
        KeepsEngagements("11e.core.12.03-pile-in-after"),
    ]
    after.append(EngagedWith("11e.core.12.03-pile-in-after"))
    space = CloseSpace(
        scene,
        state,
        unit,
        kind,
        rule=rule_id,
        limits=_limits(scene, [row for row in rows if not _in_contact(scene, state, row)], distance),
        after=tuple(after),
    )
    space.goals, space.wants, space.closest = goals, ((ENGAGEMENT_RANGE, rule_id),), True
    return space


@rule("11e.core.12.08-engaging")
def engaging_space(battle: Battle11, unit: int, targets: Sequence[int], distance: float) -> CloseSpace:
    """An engaging consolidation (12.08): a pile-in towards the chosen units, all of which it must end engaged with."""
    space = pile_in_space(battle, unit, targets, distance, kind=MoveKind.CONSOLIDATE, rule_id="11e.core.12.08-engaging")
    space.conditions = (*space.conditions, EngagedWith("11e.core.12.08-engaging", tuple(targets)))
    return space


def _in_contact(scene: Scene, state: EleventhState, row: int) -> bool:
    """Whether the model is in base contact with an enemy (12.03).

    RULING: 11e.core.01.04-base-contact-with-overhang we read a unit's move in this turn as one of all its models,
    also of those that stayed where they were since they could come no closer.
    """
    unit = scene.models[row].unit
    foes = [each for other in engaged_units(scene, state, unit) for each in standing(state, other)]
    if not foes:
        return False
    placed = scene.bases.take([row]).at(to_inches(state.position[[row]]))
    others = scene.bases.take(foes).at(to_inches(state.position[foes]))
    overhang = model_facts(scene).overhang
    units = state.units
    moved = [units[unit].has_moved or units[scene.models[foe].unit].has_moved for foe in foes]
    gaps = separation_matrix(placed, others)
    return bool(in_contact(gaps, overhang[[row]], overhang[foes], np.array([moved])).any())
