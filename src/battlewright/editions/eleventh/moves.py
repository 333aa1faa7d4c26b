"""Moving and setting up (03, 17.01): the spaces that players answer with placements, and carrying an answer out.

A :class:`MoveSpace` is a move of any type, composed from data: which models may move and how far, what they may pass
through, and what must hold when the move is over (``conditions``). A :class:`SetUpSpace` is the same for models that
come onto the table. Both refuse with every violation at once.

A move's paths leave out the place where the model stands: they begin with the first waypoint that it moves to. The
empty placement ``Place(())`` is always accepted: no model is moved.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from battlewright.core.bases import Pose, to_inches
from battlewright.core.decisions import Answer, ModelMove, Option, Place, RandomSource, Violation
from battlewright.core.events import ModelsMoved
from battlewright.core.footprints import BaseSet
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.core.sweeps import Sweeps
from battlewright.editions.eleventh import formations
from battlewright.editions.eleventh.conditions import (
    ClearOfModels,
    Coherent,
    Condition,
    Ending,
    OnTable,
    StandsOnTerrain,
    Unengaged,
    WhollyWithin,
)
from battlewright.editions.eleventh.placed import Booleans, Box, Floats, Indices, Placed, Surroundings
from battlewright.editions.eleventh.scene import Battle11, Scene, living, standing
from battlewright.editions.eleventh.state import EleventhState, MoveKind
from battlewright.editions.eleventh.terrain import climb_fault

__all__ = [
    "Legs",
    "MoveSpace",
    "SetUpSpace",
    "carry_out",
    "deployment_space",
    "may_ever_move",
]

_ALWAYS: tuple[Condition, ...] = (OnTable(), ClearOfModels(), StandsOnTerrain(), Coherent())
_SET_UP: tuple[Condition, ...] = (OnTable(), ClearOfModels(), StandsOnTerrain(moved=False), Coherent())
_LOOKOUT = 12.5
"""How far around the reach of a move, in inches, other models are measured."""
_FARTHEST = 10_000_000

Suggestion: TypeAlias = Callable[[Any], Place]
"""Makes a space's default from the space."""


@dataclass(frozen=True, slots=True, eq=False)
class Legs:
    """The ways of some models, leg by leg.

    Attributes:
        owners: (l,) which model of the unit each leg is of, an index into the space's ``rows``; in the order moved.
        starts: (l, 4) inches and degrees; ``ends`` (l, 4).
    """

    owners: Indices
    starts: Floats
    ends: Floats

    @property
    def lengths(self) -> Floats:
        """(l,): inches, the height climbed included."""
        across = np.hypot(self.ends[:, 0] - self.starts[:, 0], self.ends[:, 1] - self.starts[:, 1])
        return np.asarray(across + np.abs(self.ends[:, 2] - self.starts[:, 2]), dtype=np.float64)

    @property
    def on_ground(self) -> bool:
        """Whether no leg leaves the ground."""
        return not (self.starts[:, 2].any() or self.ends[:, 2].any())


class _Space:
    """What both sorts of space share: the unit, its models, what must hold at the end."""

    def __init__(
        self,
        scene: Scene,
        state: EleventhState,
        unit: int,
        kind: MoveKind,
        rows: Sequence[int],
        rule: str,
        conditions: tuple[Condition, ...],
        suggest: Suggestion | None,
    ) -> None:
        self.scene, self.state, self.unit, self.kind = scene, state, unit, kind
        self.rule = rule
        self.rows: Indices = np.asarray(rows, dtype=np.intp)
        self.conditions = conditions
        self.index: dict[int, int] = {row: i for i, row in enumerate(rows)}
        self._suggest = suggest

    @cached_property
    def around(self) -> Surroundings:
        """The other models and the terrain within reach."""
        return Surroundings(self.scene, self.state, self.unit, self._reach())

    @cached_property
    def bases(self) -> BaseSet:
        """The bases of the unit's models, in the order of ``rows``."""
        return self.scene.bases.take(self.rows)

    @cached_property
    def starts(self) -> Floats:
        """(n, 4): where the unit's models stand now, inches and degrees."""
        return to_inches(self.state.position[self.rows])

    def _reach(self) -> Box:
        raise NotImplementedError

    def options(self) -> tuple[Option, ...]:
        """See :class:`~battlewright.core.decisions.Choices`: a space lists none."""
        return ()

    def name(self, row: int) -> str:
        """What to call a model in a sentence."""
        return f"{self.scene.models[row].name} (model {row})"

    def met(self, index: Indices, poses: Floats) -> Booleans:
        """(k,): whether the models of these indices meet, each alone, what every model must meet at the end."""
        placed = Placed(self.around, self.rows[index], poses)
        met = np.ones(len(index), np.bool_)
        for condition in self.conditions:
            met &= condition.met(placed)
        return met

    def end_violations(self, ending: Ending, *, best: bool = True) -> list[Violation]:
        """Every condition that does not hold at the end; those that demand the best only when all others hold."""
        found = [
            violation
            for condition in self.conditions
            if not condition.needs_best
            for violation in condition.violations(ending)
        ]
        if best and not found:
            for condition in self.conditions:
                if condition.needs_best:
                    found += condition.violations(ending)
        return found

    def _known(self, moves: Sequence[ModelMove]) -> list[Violation]:
        found: list[Violation] = []
        seen: set[int] = set()
        for move in moves:
            if move.model not in self.index:
                found.append(Violation(self.rule, f"Model {move.model} is no model of this unit on the battlefield"))
            elif move.model in seen:
                found.append(Violation(self.rule, f"{self.name(move.model)} is placed twice"))
            seen.add(move.model)
            if not move.path:
                found.append(Violation(self.rule, f"Model {move.model} is given no place"))
            for point in move.path:
                if not all(abs(value) < _FARTHEST for value in point):
                    found.append(Violation(self.rule, f"Model {move.model} is sent off any table"))
                    break
        return found

    @property
    def has_default(self) -> bool:
        """Whether the default is more than staying."""
        return self._suggest is not None

    def default(self) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`."""
        return Place(()) if self._suggest is None else self._suggest(self)


class MoveSpace(_Space):
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
        margin = float(self.reach.max(initial=0.0)) + float(self.bases.rows[:, -1].max(initial=0.0)) + _LOOKOUT
        if not len(self.rows):
            return (0.0, 0.0, 0.0, 0.0)
        (x0, y0), (x1, y1) = self.starts[:, :2].min(axis=0), self.starts[:, :2].max(axis=0)
        return float(x0) - margin, float(y0) - margin, float(x1) + margin, float(y1) + margin

    @property
    def _is_large_move(self) -> bool:
        return self.kind in (MoveKind.NORMAL, MoveKind.ADVANCE)

    @cached_property
    def blocks(self) -> Booleans:
        """(n, m): which models around may not be passed by which of the unit's models."""
        return blocking(self.around, self.rows, through_enemies=self.through_enemies, large=self._is_large_move)

    @cached_property
    def _blocks_own(self) -> Booleans:
        large = self.around.facts.large[self.rows] & self._is_large_move
        return np.asarray(large[:, None] & large[None, :] & ~np.eye(len(large), dtype=np.bool_), dtype=np.bool_)

    @cached_property
    def _stopped_by_walls(self) -> Booleans:
        return np.asarray(~self.around.facts.dense[self.rows], dtype=np.bool_)

    # -- checking -----------------------------------------------------------------------------------------------

    @rule("11e.core.03.01-end-check")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the move would break; the empty placement is always accepted."""
        return self._check(answer, best=True)

    def accepts(self, answer: Place) -> bool:
        """Whether the move would be accepted but for the conditions that demand the best that can be reached."""
        return not self._check(answer, best=False)

    def _check(self, answer: Answer, *, best: bool) -> list[Violation]:
        if not isinstance(answer, Place):
            return [Violation(self.rule, "A move is answered with a placement of models")]
        if not answer.moves:
            return []
        found = self._known(answer.moves) or self._movable(answer.moves)
        if found:
            return found
        legs = self.legs(answer.moves)
        ending = self.ending(legs)
        return self.way_violations(legs) + self.end_violations(ending, best=best)

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

    @rule(
        "11e.core.03.01-straight-lines-add-up",
        "11e.core.03.01-rotation-is-free",
        "11e.core.03.01-models-one-at-a-time",
        "11e.core.03.01-own-maximum",
    )
    def way_violations(self, legs: Legs) -> list[Violation]:
        """What is wrong on the way: too far, over the edge, through models or terrain."""
        far = np.zeros(len(self.rows))
        np.add.at(far, legs.owners, legs.lengths)
        found = [
            Violation(
                self.rule,
                f'{self.name(int(self.rows[i]))} moves {far[i]:.2f}"; the most is {self.reach[i]:g}"',
            )
            for i in np.flatnonzero(far > self.reach + TOLERANCE)
        ]
        sweeps = Sweeps.legs(self.bases, legs.starts, legs.ends, legs.owners)
        return found + self._edge(sweeps) + self._through_models(sweeps, legs) + self._through_terrain(sweeps, legs)

    @rule("11e.core.03.01-not-through-enemies")
    def _edge(self, sweeps: Sweeps) -> list[Violation]:
        table = self.scene.battlefield
        on = sweeps.stay_on(table.width, table.height)
        return [
            Violation(
                "11e.core.03.01-not-through-enemies",
                f"{self.name(int(self.rows[i]))} crosses the edge of the battlefield",
            )
            for i in np.flatnonzero(~on)
        ]

    @rule(
        "11e.core.03.01-through-friends",
        "11e.core.03.01-not-through-enemies",
        "11e.core.03.01-past-enemies",
        "11e.core.17.01-moving-through-models",
    )
    def _through_models(self, sweeps: Sweeps, legs: Legs) -> list[Violation]:
        found = []
        hit = sweeps.hit(self.around.placed) & self.blocks
        for i, j in np.argwhere(hit):
            if _meets_level(self.around, self.rows, legs, self.bases, int(i), int(j)):
                foe = bool(self.around.foe[j]) and not self.around.facts.large[self.rows[i]]
                breach = "11e.core.03.01-not-through-enemies" if foe else "11e.core.17.01-moving-through-models"
                other = int(self.around.rows[j])
                found.append(
                    Violation(
                        breach,
                        f"{self.name(int(self.rows[i]))} passes through model {other} of "
                        f"{self.scene.unit_of(other).name}",
                    )
                )
        return found + (self._through_own(legs) if self._blocks_own.any() else [])

    @rule("11e.core.17.01-moving-through-models", "11e.core.03.01-models-one-at-a-time")
    def _through_own(self, legs: Legs) -> list[Violation]:
        """MONSTERS and VEHICLES of one unit do not pass each other: each is where its move has brought it so far."""
        found, now = [], self.starts.copy()
        for i in dict.fromkeys(int(owner) for owner in legs.owners):
            mine = legs.owners == i
            sweeps = Sweeps.legs(self.bases, legs.starts[mine], legs.ends[mine], legs.owners[mine])
            hit = sweeps.hit(self.bases.at(now))[i] & self._blocks_own[i]
            found += [
                Violation(
                    "11e.core.17.01-moving-through-models",
                    f"{self.name(int(self.rows[i]))} passes through {self.name(int(self.rows[j]))}",
                )
                for j in np.flatnonzero(hit)
            ]
            now[i] = legs.ends[mine][-1]
        return found

    @rule(
        "11e.core.13.06-dense-others",
        "11e.core.13.06-dense-light-feet",
        "11e.core.13.06-exposed-and-light",
        "11e.core.13.06-boundaries-do-not-slow",
    )
    def _through_terrain(self, sweeps: Sweeps, legs: Legs) -> list[Violation]:
        found = []
        walls = self.around.terrain.walls
        ground = legs.on_ground
        if len(walls) and self._stopped_by_walls.any():
            if not ground:
                low = (legs.starts[:, 2] <= TOLERANCE) & (legs.ends[:, 2] <= TOLERANCE)
                sweeps = Sweeps.legs(self.bases, legs.starts[low], legs.ends[low], legs.owners[low])
            crossed = sweeps.cross(walls) & self._stopped_by_walls[:, None]
            for i, k in np.argwhere(crossed):
                feature = self.around.terrain.wall_features[k]
                found.append(
                    Violation(
                        "11e.core.13.06-dense-others",
                        f'{self.name(int(self.rows[i]))} passes through {feature.id}, {feature.top:g}" high',
                    )
                )
        return found if ground else found + self._climbing(legs)

    def _climbing(self, legs: Legs) -> list[Violation]:
        found = []
        for i in dict.fromkeys(int(owner) for owner in legs.owners):
            mine = legs.owners == i
            if not (legs.starts[mine, 2].any() or legs.ends[mine, 2].any()):
                continue
            path = [Pose(*map(float, self.starts[i])), *(Pose(*map(float, end)) for end in legs.ends[mine])]
            model = self.scene.models[int(self.rows[i])]
            fault = climb_fault(self.scene.battlefield, model.base, model.profile.keywords, path)
            if fault:
                found.append(Violation("11e.core.13.06-climbing", f"{self.name(model.row)} {fault}"))
        return found

    # -- searching ----------------------------------------------------------------------------------------------

    def passes(self, index: Indices, starts: Floats, ends: Floats) -> Booleans:
        """(k,): whether models of these indices may move along one straight leg each, on the ground, for all that
        lies between; distances are not measured. Many legs of one model are many questions."""
        bases = BaseSet((), self.bases.rows[index], self.bases.vertices, self.bases.round[index])
        sweeps = Sweeps.straight(bases, starts, ends)
        table = self.scene.battlefield
        free = sweeps.stay_on(table.width, table.height)
        free &= ~(sweeps.hit(self.around.placed) & self.blocks[index]).any(axis=1)
        if len(self.around.terrain.walls):
            free &= ~(sweeps.cross(self.around.terrain.walls).any(axis=1) & self._stopped_by_walls[index])
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


@rule(
    "11e.core.03.01-through-friends",
    "11e.core.03.01-not-through-enemies",
    "11e.core.17.01-moving-through-models",
    "11e.core.09.07-desperate-escape",
)
def blocking(around: Surroundings, rows: Indices, *, through_enemies: bool, large: bool) -> Booleans:
    """(n, m): which of the models around may not be passed by which of these models (03.01, 17.01).

    Args:
        through_enemies: nothing is in the way (desperate escape).
        large: whether it is a normal or advance move, in which MONSTERS and VEHICLES pass through everything but each
            other. RULING: 11e.core.17.01-moving-through-models we read "except other MONSTERS and VEHICLES" as holding
            for friendly ones too.
    """
    facts = around.facts
    blocked = np.broadcast_to(around.foe & (not through_enemies), (len(rows), len(around.rows))).copy()
    if large:
        blocked[facts.large[rows]] = facts.large[around.rows]
    blocked[:, facts.aircraft[around.rows]] = False
    return blocked


def _meets_level(around: Surroundings, rows: Indices, legs: Legs, bases: BaseSet, i: int, j: int) -> bool:
    """Whether a model meets another at the height where they are, on some leg that passes over it seen from above."""
    if legs.on_ground and around.z[j] <= TOLERANCE:
        return True
    mine = np.flatnonzero(legs.owners == i)
    bottom = np.minimum(legs.starts[mine, 2], legs.ends[mine, 2])
    top = np.maximum(legs.starts[mine, 2], legs.ends[mine, 2]) + around.facts.height[rows[i]]
    level = mine[(bottom < around.top[j]) & (around.z[j] < top)]
    if not len(level):
        return False
    sweeps = Sweeps.legs(bases, legs.starts[level], legs.ends[level], legs.owners[level])
    return bool(sweeps.hit(around.placed.take([j]))[i, 0])


@rule("11e.core.03.01-no-move-characteristic", "11e.ds-profile.m-dash-no-move")
def may_ever_move(scene: Scene, row: int) -> bool:
    """Whether the model's M lets it be moved at all: not when it is "-" (02, 03.01)."""
    return scene.models[row].profile.move is not None


# -- setting up (03.02) ------------------------------------------------------------------------------------------


class SetUpSpace(_Space):
    """One unit that comes onto the table (03.02): every living model is placed once, by a path of one waypoint.

    Args:
        region: x0, y0, x1, y1 in inches, a rectangle in which a place is looked for.
        after: what must hold besides what always must.
        near: where the default is looked for first, inches; the middle of the region when None.
    """

    def __init__(
        self,
        scene: Scene,
        state: EleventhState,
        unit: int,
        *,
        rule: str,
        region: Box,
        after: Sequence[Condition] = (),
        near: tuple[float, float] | None = None,
        suggest: Suggestion | None = None,
    ) -> None:
        super().__init__(scene, state, unit, MoveKind.SET_UP, living(state, unit), rule, (*_SET_UP, *after), suggest)
        self.region = region
        self.near = near if near is not None else ((region[0] + region[2]) / 2, (region[1] + region[3]) / 2)

    def _reach(self) -> Box:
        x0, y0, x1, y1 = self.region
        return x0 - _LOOKOUT, y0 - _LOOKOUT, x1 + _LOOKOUT, y1 + _LOOKOUT

    @rule("11e.core.03.02-set-up", "11e.core.03.02-set-up-whole")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the set-up would break.

        The empty placement says that there is no room for the whole unit. It is refused where a search from places
        one inch apart finds some: the default is the witness.
        """
        if not isinstance(answer, Place):
            return [Violation(self.rule, "A unit is set up by a placement of its models")]
        if not answer.moves:
            if not self.found.moves:
                return []
            x, y = (value / 1000 for value in self.found.moves[0].path[-1][:2])
            return [Violation("11e.core.03.02-set-up-whole", f"The unit can be set up, from {x:.2f}, {y:.2f} on")]
        found = self._known(answer.moves)
        found += [
            Violation(self.rule, f"{self.name(move.model)} is set up in one place, not along a path")
            for move in answer.moves
            if len(move.path) > 1
        ]
        missing = set(self.index) - {move.model for move in answer.moves}
        if missing:
            names = ", ".join(self.name(row) for row in sorted(missing))
            found.append(Violation("11e.core.03.02-set-up-whole", f"All models have to be set up; missing: {names}"))
        return found or self.end_violations(self.ending(answer))

    def accepts(self, answer: Place) -> bool:
        """Whether the set-up would be accepted."""
        return not self.check(answer)

    def ending(self, placement: Place) -> Ending:
        """The unit as placed."""
        rows = np.array([move.model for move in placement.moves], np.intp)
        poses = np.array([move.path[-1] for move in placement.moves], np.float64) / 1000.0
        return Ending(Placed(self.around, rows, poses), poses, np.ones(len(rows), np.bool_))

    @cached_property
    def found(self) -> Place:
        """The place nearest to ``near`` that one search finds, as compact as may be; empty when there is none."""
        return formations.pack(self, self.near)

    def default(self) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`."""
        return self.found if self._suggest is None else self._suggest(self)

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: packed near some place of the region."""
        x0, y0, x1, y1 = self.region
        return formations.pack(self, (x0 + (x1 - x0) * rng.random(), y0 + (y1 - y0) * rng.random()))

    def describe(self) -> dict[str, Any]:
        """The models to place and the rectangle that holds every allowed place, in thousandths of an inch."""
        return {
            "place": self.kind.value,
            "unit": self.scene.units[self.unit].id,
            "models": [{"model": row} for row in self.index],
            "region": [round(value * 1000) for value in self.region],
        }


@rule("11e.core.mission.deployment", "11e.core.03.02-set-up", "11e.ds-profile.m-dash-setup")
def deployment_space(battle: Battle11, unit: int) -> SetUpSpace:
    """Where a unit may be deployed: wholly within its player's zone, in coherency, unengaged, on no other model."""
    scene, state = battle.scene, battle.state
    side = state.units[unit].side
    zone = scene.battlefield.zone("attacker" if side == state.attacker else "defender")
    xs, ys = [x for x, _ in zone.polygon], [y for _, y in zone.polygon]
    rule_id = "11e.core.mission.deployment"
    return SetUpSpace(
        scene,
        state,
        unit,
        rule=rule_id,
        region=(min(xs), min(ys), max(xs), max(ys)),
        after=(Unengaged(), WhollyWithin((zone.polygon,), "its deployment zone", rule_id)),
    )


# -- carrying out ------------------------------------------------------------------------------------------------


@rule("11e.core.03.01-models-one-at-a-time", "11e.core.03.02-set-up")
def carry_out(battle: Battle11, unit: int, placement: Place, kind: MoveKind, *rules: str) -> int:
    """Put the models where a checked placement says and note it in the unit's state.

    Returns:
        the furthest that one of the models has moved, in thousandths of an inch; 0 for a set-up.
    """
    state, info = battle.state, battle.scene.units[unit]
    mine = state.units[unit]
    furthest, paths = 0, []
    for move in placement.moves:
        way = tuple((x, y, z, facing % 360_000) for x, y, z, facing in move.path)
        if kind is not MoveKind.SET_UP:
            here = state.position[move.model].tolist()
            way = ((here[0], here[1], here[2], here[3]), *way)
            furthest = max(furthest, _length(way))
        paths.append((move.model, way))
        state.position[move.model] = way[-1]
        state.on_table[move.model] = True
    if kind is MoveKind.SET_UP:
        mine.set_up_this_turn = bool(placement.moves)
    else:
        mine.moved_as = kind.value
        mine.moved_distance = max(mine.moved_distance, furthest)
    if paths:
        battle.happened(ModelsMoved(unit=info.id, how=kind.value, paths=tuple(paths), rules=rules))
    return furthest


def _length(way: Sequence[tuple[int, int, int, int]]) -> int:
    total = 0.0
    for (x, y, z, _), (u, v, w, _) in itertools.pairwise(way):
        total += float(np.hypot(u - x, v - y)) + abs(w - z)
    return round(total)
