"""Moves into, within and out of close combat as spaces that players answer: charges, pile-ins, advances, re-forming.

Some demand the best that a model can reach: contact with a free enemy if it can, else with one that is engaged, else
as near as may be. A move is refused for that only with a witness, a place for that model which the space itself would
accept. Witnesses and defaults come from one search: models move one after another, those nearest to the enemy first,
straight to one of :data:`TURNS` places about an enemy's base, or straight towards the nearest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.battle import Procedure
from battlewright.core.decisions import Answer, Decision, ModelMove, Place, RandomSource, Violation
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.editions.classic.assault import Contact, assault_order, enemies_to_contact
from battlewright.editions.classic.procedures.accidents import survivors_of_terrain
from battlewright.editions.classic.procedures.conditions import ALWAYS
from battlewright.editions.classic.procedures.ground import PLACING, model_facts, terrain_for
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.placing import moves
from battlewright.editions.placing.conditions import Condition, Ending
from battlewright.editions.placing.moves import follow
from battlewright.editions.placing.placed import Booleans, Floats, Placed, Surroundings
from battlewright.editions.placing.terrain import TerrainFacts

__all__ = ["TURNS", "CloseSpace", "KeepsOff", "Towards", "make_move"]

TURNS = 48
"""Directions about an enemy base in which a place in contact with it is looked for."""
_STEPS = 24
_ROUNDS = 12
_NEAR = 0.0005
_SLACK = 0.1
"""Inches by which a place must be nearer before a model is refused another one."""
_SOME = 12

Chooser = Callable[[Sequence[Contact]], Contact]


# -- what must hold ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class KeepsOff(Condition):
    """No model that is moved ends nearer than so many inches to an enemy, but for those that may be touched.

    Attributes:
        touchable: rows of these.
    """

    rule_id: str = "3e.movement.one-inch-always"
    touchable: frozenset[int] = frozenset()
    distance: float = 1.0
    is_compiled = True

    def _held(self, around: Surroundings) -> Booleans:
        return np.asarray(around.foe & ~np.isin(around.rows, list(self.touchable)), dtype=np.bool_)

    def keep_off(self, around: Surroundings) -> Floats:
        """See :meth:`Condition.keep_off`."""
        return np.where(self._held(around), self.distance - TOLERANCE, -np.inf)

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        gaps = np.where(self._held(placed.around)[None, :], placed.gaps, np.inf)
        return np.asarray(gaps.min(axis=1, initial=np.inf) >= self.distance - TOLERANCE, dtype=np.bool_)

    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`; a model that stays is free to."""
        return [
            Violation(self.rule_id, f"{ending.name(int(index))} {self.fault(ending, int(index))}")
            for index in np.flatnonzero(~self.met(ending) & ending.moved)
        ]

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        gap = float(np.where(self._held(placed.around), placed.gaps[index], np.inf).min())
        return f'ends {max(gap, 0.0):.2f}" from an enemy; it must be at least {self.distance:g}"'


@dataclass(frozen=True)
class Towards(Condition):
    """The unit ends nearer to one of these enemy units than it was.

    Attributes:
        enemies: rows of the models of each.
        judge: whether distances before and after mean so.
    """

    rule_id: str = ""
    enemies: tuple[tuple[int, ...], ...] = ()
    judge: Callable[[Sequence[float], Sequence[float]], bool] = lambda before, after: True

    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        if not ending.moved.any():
            return []
        before = [self._gap(Placed(ending.around, ending.rows, ending.start), rows) for rows in self.enemies]
        after = [self._gap(ending, rows) for rows in self.enemies]
        if self.judge(before, after):
            return []
        return [Violation(self.rule_id, f'The unit goes towards no enemy: {min(before):.1f}" before and after')]

    def _gap(self, placed: Placed, rows: Sequence[int]) -> float:
        scene, state = placed.around.scene, placed.around.state
        there = scene.bases.some_at(rows, to_inches(state.position[list(rows)]))
        return float(separation_matrix(placed.footprints, there).min())


# -- the space --------------------------------------------------------------------------------------------------


class CloseSpace(moves.MoveSpace):
    """A move of a unit in which its enemies are what counts.

    Args:
        limits: the models that may be moved and how far, in thousandths of an inch.
        goals: rows of the enemies that it makes for.
        touchable: rows of the enemies that its models may end in contact with, or near to.
        touches: whether every model has to make contact with a goal if it can; ``closes_in`` whether one that cannot
            ends as near to a goal as it may; both False: where models end is free.
        after: what must hold at the end besides.
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
        goals: Sequence[int] = (),
        touchable: Collection[int] = (),
        touches: bool = False,
        closes_in: bool = False,
        off_rule: str = "3e.movement.one-inch-always",
        after: Sequence[Condition] = (),
    ) -> None:
        conditions = (*ALWAYS, KeepsOff(off_rule, frozenset(touchable)), *after)
        rows = standing(state, unit)
        super().__init__(scene, state, unit, kind, rows=rows, rule=rule, limits=limits, conditions=conditions)
        self.goals, self.touches, self.closes_in = tuple(goals), touches, closes_in

    @cached_property
    def stopped_by_walls(self) -> Booleans:
        """(n,): which of them impassable terrain stops."""
        return np.asarray(~model_facts(self.scene).flies[self.rows], dtype=np.bool_)

    @cached_property
    def obstacles(self) -> TerrainFacts:
        """See the base: to some vehicles wrecks are impassable."""
        return terrain_for(self.scene, self.state, self.rows.tolist(), self.around.terrain)

    @property
    def has_default(self) -> bool:
        """See the base."""
        return True

    # -- what is known when it begins ---------------------------------------------------------------------------

    @cached_property
    def _there(self) -> Floats:
        return to_inches(self.state.position[list(self.goals)])

    @cached_property
    def _first_gaps(self) -> Floats:
        """(n, g): inches from each model to each goal when the move begins."""
        goals = self.scene.bases.some_at(self.goals, self._there)
        return separation_matrix(self.bases.at(self.starts), goals)

    @cached_property
    def _busy(self) -> Booleans:
        """(g,): which goals other friends touch."""
        friends = self.around.rows[~self.around.foe]
        if not len(friends) or not self.goals:
            return np.zeros(len(self.goals), np.bool_)
        goals = self.scene.bases.some_at(self.goals, self._there)
        mine = self.scene.bases.some_at(friends, to_inches(self.state.position[friends]))
        return np.asarray((separation_matrix(mine, goals) <= TOLERANCE).any(axis=0), dtype=np.bool_)

    @cached_property
    def order(self) -> list[int]:
        """Indices of the models that may move, in the order in which they do: the nearest to the enemy first."""
        free = [i for i in range(len(self.rows)) if self.reach[i] > 0.0]
        if not self.goals:
            return free
        gaps = [float(self._first_gaps[i].min()) for i in free]
        return [free[place] for place in assault_order(gaps)]

    # -- the search ---------------------------------------------------------------------------------------------

    def _gaps_at(self, index: int, poses: Floats) -> Floats:
        """(k, g): inches from a model at each of these poses to the goals."""
        goals = self.scene.bases.some_at(self.goals, self._there)
        return separation_matrix(self.bases.some_at(np.full(len(poses), index, np.intp), poses), goals)

    def _engaged(self, index: int, now: Floats) -> Booleans:
        """(g,): which goals somebody else touches, the unit's own models where they stand now."""
        goals = self.scene.bases.some_at(self.goals, self._there)
        touch = separation_matrix(self.bases.at(now), goals) <= TOLERANCE
        touch[index] = False
        return np.asarray(self._busy | touch.any(axis=0), dtype=np.bool_)

    @rule("3e.assault-move.unengaged-first", "3e.assault-move.nearest-to-nearest", "3e.drawn.free-enemies-first")
    def _contact(self, index: int, now: Floats, chooser: Chooser) -> tuple[Floats, bool] | None:
        """A place where a model touches a goal, a free one if it can, and whether that one is free; None: nowhere."""
        busy = self._engaged(index, now)
        contacts = [
            Contact(place, max(0.0, float(gap)), bool(taken))
            for place, (gap, taken) in enumerate(zip(self._first_gaps[index], busy, strict=True))
        ]
        reach = float(self.reach[index])
        rules = self.scene.rules.assault
        for wanted in (
            enemies_to_contact(contacts, reach),
            enemies_to_contact([each for each in contacts if each.engaged], reach),
        ):
            left = list(wanted)
            while left:
                goal = chooser(rules.free_enemies(left))
                spot = self._first_usable(index, self._ring(index, goal.row), now)
                if spot is not None:
                    return spot, not goal.engaged
                left.remove(goal)
        return None

    def _ring(self, index: int, goal: int) -> Floats:
        """(k, 4): places where a model just touches a goal, straight ahead first, no further off than it may go."""
        start, at = self.starts[index], self._there[goal]
        straight = math.atan2(start[1] - at[1], start[0] - at[0])
        turns = sorted(range(-TURNS // 2, TURNS // 2), key=abs)
        angles = straight + np.array(turns) * (2 * math.pi / TURNS)
        row = self.goals[goal]
        away = np.full(len(angles), float(self.scene.reach[row] + self.bases.rows[index, -1]))
        goals = self.scene.bases.some_at([row], at[None, :])
        poses = np.repeat(start[None, :], len(angles), axis=0)
        owners = np.full(len(angles), index, np.intp)
        for _ in range(_ROUNDS):
            poses[:, 0], poses[:, 1] = at[0] + away * np.cos(angles), at[1] + away * np.sin(angles)
            gaps = separation_matrix(self.bases.some_at(owners, poses), goals)[:, 0]
            if float(np.abs(gaps).max()) <= _NEAR:
                break
            away -= gaps
        poses[:, :2] = np.round(poses[:, :2], 3)
        far = np.hypot(poses[:, 0] - start[0], poses[:, 1] - start[1])
        return np.asarray(poses[far <= self.reach[index] + TOLERANCE / 2], dtype=np.float64)

    def _approach(self, index: int, now: Floats) -> Floats | None:
        """The furthest free place on the straight way to the nearest goal; None where it cannot move."""
        nearest = int(self._first_gaps[index].argmin())
        start, at = self.starts[index], self._there[nearest]
        way = at[:2] - start[:2]
        far = float(np.hypot(*way))
        along = min(float(self._first_gaps[index, nearest]), float(self.reach[index]))
        if far <= TOLERANCE or along <= TOLERANCE:
            return None
        steps = along * np.arange(_STEPS, 0, -1) / _STEPS
        poses = np.repeat(start[None, :], _STEPS, axis=0)
        poses[:, :2] = np.round(start[:2] + way / far * steps[:, None], 3)
        return self._first_usable(index, poses, now)

    def _first_usable(self, index: int, poses: Floats, now: Floats) -> Floats | None:
        """The first of these places that is free, at the end of a free straight way, the unit standing as it does."""
        if not len(poses):
            return None
        owners = np.full(len(poses), index, np.intp)
        good = self.met(owners, poses)
        others = np.delete(np.arange(len(self.rows)), index)
        if len(others):
            gaps = separation_matrix(self.bases.some_at(owners, poses), self.bases.some_at(others, now[others]))
            good &= gaps.min(axis=1) >= -TOLERANCE
        kept = np.flatnonzero(good)
        for first in range(0, len(kept), _SOME):
            some = kept[first : first + _SOME]
            starts = np.repeat(self.starts[[index]], len(some), axis=0)
            free = self.passes(owners[: len(some)], starts, poses[some])
            if free.any():
                return np.asarray(poses[some[int(np.argmax(free))]], dtype=np.float64)
        return None

    def press(self, chooser: Chooser = lambda open_to: min(open_to, key=lambda each: each.gap)) -> Place:
        """The move of the search: every model in turn to where it should be."""
        now, found = self.starts.copy(), []
        for index in self.order if self.goals else ():
            contact = self._contact(index, now, chooser) if self.touches else None
            pose = contact[0] if contact else self._approach(index, now)
            if pose is not None:
                now[index] = pose
                found.append(self._move(index, pose))
        return self._sound(found)

    def _sound(self, found: Sequence[ModelMove]) -> Place:
        """These moves; where they are not accepted together, as many of them as are."""
        answer = Place(tuple(found))
        if self.accepts(answer):
            return answer
        kept: list[ModelMove] = []
        for move in found:
            if self.accepts(Place((*kept, move))):
                kept.append(move)
        return Place(tuple(kept))

    def _move(self, index: int, pose: Floats) -> ModelMove:
        x, y, z, facing = (round(float(value) * 1000) for value in pose)
        return ModelMove(int(self.rows[index]), ((x, y, z, facing % 360_000),))

    # -- answers ------------------------------------------------------------------------------------------------

    @cached_property
    def _default(self) -> Place:
        return self.press()

    def default(self) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: the move of the search."""
        return self._default

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: to enemies drawn at random, or anywhere where that is
        free."""
        if not (self.touches or self.closes_in):
            return super().sample(rng) if rng.random() < 0.5 else self.default()
        found = self.press(lambda open_to: open_to[rng.randrange(len(open_to))])
        return self.default() if self.check(found) else found

    @rule("3e.assault-move.nearest-first", "3e.drawn.pile-in", "3e.assault-move.short-move")
    @rule("3e.assault-move.unengaged-first", "3e.core.assault.charge-moves")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the move would break; "if it can" is refused with a place that would be accepted."""
        found = super().check(answer)
        duty = self.goals and (self.touches or self.closes_in)
        if found or not duty or not isinstance(answer, Place) or answer == self.default():
            return found
        ends = self.starts.copy()
        for move in answer.moves:
            ends[self.index[move.model]] = np.array(move.path[-1], np.float64) / 1000.0
        now = self.starts.copy()
        for index in self.order:
            found += self._could_do_better(answer, index, ends[index], now)
            now[index] = ends[index]
        return found

    def _could_do_better(self, answer: Place, index: int, end: Floats, now: Floats) -> list[Violation]:
        """Why a model has to end elsewhere, those before it having moved and those after it not."""
        gaps = self._gaps_at(index, end[None, :])[0]
        touched = gaps <= TOLERANCE
        better: Floats | None = None
        if self.touches and not (touched & ~self._engaged(index, now)).any():
            contact = self._contact(index, now, lambda open_to: min(open_to, key=lambda each: each.gap))
            if contact is not None and (contact[1] or not touched.any()):
                better = contact[0]
        if better is None and self.closes_in and not touched.any():
            near = self._approach(index, now)
            if near is not None and self._gaps_at(index, near[None, :])[0].min() < gaps.min() - _SLACK:
                better = near
        if better is None:
            return []
        row = int(self.rows[index])
        rest = tuple(move for move in answer.moves if move.model != row)
        if not self.accepts(Place((*rest, self._move(index, better)))):
            return []
        text = f'{self.name(row)} ends {max(0.0, float(gaps.min())):.2f}" from the enemy and could do better'
        return [Violation(self.rule, f"{text}, at {better[0]:.3f}, {better[1]:.3f}")]


# -- asking -----------------------------------------------------------------------------------------------------


def make_move(
    battle: ClassicBattle,
    space: CloseSpace,
    prompt: str,
    *,
    always: bool = False,
    dared: set[tuple[int, int]] | None = None,
) -> Procedure[Place]:
    """Ask its owner for a move and make it.

    Args:
        always: whether he is asked also where the search moves nobody.
        dared: see :func:`~battlewright.editions.classic.procedures.accidents.survivors_of_terrain`.
    """
    placement = space.default()
    if space.order and (placement.moves or always):
        side, unit = space.state.units[space.unit].side, space.scene.units[space.unit]
        found = yield Decision(side, f"move-{space.kind}", prompt, space.rule, space, subject=unit.index)
        assert isinstance(found, Place)
        placement = found
    placement = yield from survivors_of_terrain(battle, space, placement, dared)
    paths = tuple(follow(battle.state, placement, from_here=True))
    if paths:
        unit = battle.scene.units[space.unit]
        battle.happened(ModelsMoved(unit=unit.id, how=space.kind, paths=paths, rules=(space.rule,)))
    return placement
