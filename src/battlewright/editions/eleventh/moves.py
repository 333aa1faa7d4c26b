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

import numpy as np

from battlewright.core.bases import Pose
from battlewright.core.decisions import Answer, Place, Violation
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import acting, mission_steps
from battlewright.editions.eleventh.conditions import ClearOfModels, Coherent, Condition, OnTable, StandsOnTerrain
from battlewright.editions.eleventh.contact import clear_of_parts
from battlewright.editions.eleventh.core_abilities import MoveType, may_walk_through_model, may_walk_through_terrain
from battlewright.editions.eleventh.placed import PLACING, Booleans, Floats, Indices, ModelFacts, model_facts
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.setting_up import SetUpSpace, deployment_space
from battlewright.editions.eleventh.state import EleventhState, MoveKind
from battlewright.editions.eleventh.terrain import climb_fault
from battlewright.editions.eleventh.ways import Legs, blocking
from battlewright.editions.placing import moves
from battlewright.editions.placing.spaces import Suggestion
from battlewright.editions.placing.terrain import TerrainFacts

__all__ = [
    "Legs",
    "MoveSpace",
    "SetUpSpace",
    "carry_out",
    "deployment_space",
    "may_ever_move",
]

_ALWAYS: tuple[Condition, ...] = (OnTable(), ClearOfModels(), StandsOnTerrain(), Coherent())
_ALOFT: tuple[Condition, ...] = (OnTable(), ClearOfModels(), StandsOnTerrain(aloft=True), Coherent())

_MOVE_TYPES: Mapping[MoveKind, MoveType] = {
    MoveKind.NORMAL: MoveType.NORMAL,
    MoveKind.ADVANCE: MoveType.ADVANCE,
    MoveKind.FALL_BACK: MoveType.FALL_BACK,
    MoveKind.CHARGE: MoveType.CHARGE,
}


class MoveSpace(moves.MoveSpace):
    """One move of one unit (03.01).

    Args:
        unit: index of the unit; ``kind`` the type of its move.
        rule: the rule that asks, named where a model moves too far.
        limits: the models that may be moved and how far, in thousandths of an inch; one of distance 0 may turn.
        through_enemies: whether they may pass through enemy models (desperate escape).
        aloft: whether the unit has taken to the skies: models that FLY pass over everything (21.03).
        mobile: whether a Super-Heavy Walker has taken MOBILE for the move (24.35).
        after: what must hold at the end besides what always must: on the table, on no other model, on terrain that
            lets them stand, in coherency.
        suggest: makes the default; the empty placement when None.
    """

    placing = PLACING
    scene: Scene
    state: EleventhState
    kind: MoveKind

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
        aloft: bool = False,
        mobile: bool = False,
        after: Sequence[Condition] = (),
        suggest: Suggestion | None = None,
    ) -> None:
        super().__init__(
            scene,
            state,
            unit,
            kind,
            rows=standing(state, unit),
            rule=rule,
            limits=limits,
            conditions=(*(_ALOFT if aloft else _ALWAYS), *clear_of_parts(scene), *after),
            suggest=suggest,
        )
        self.through_enemies, self.aloft, self.mobile = through_enemies, aloft, mobile

    @property
    def facts(self) -> ModelFacts:
        """Of every model, by row."""
        return model_facts(self.scene)

    @property
    def is_large_move(self) -> bool:
        """Whether it is a move in which MONSTERS and VEHICLES pass through most models (17.01)."""
        return self.kind in (MoveKind.NORMAL, MoveKind.ADVANCE)

    @cached_property
    @rule("11e.core.21.03-take-to-the-skies", "11e.core.21.03-end-conditions")
    def over(self) -> Booleans:
        """(n,): which of the models pass over everything, whatever its height (21.03)."""
        return np.asarray(self.facts.flies[self.rows] & self.aloft, dtype=np.bool_)

    @property
    def _move_type(self) -> MoveType:
        return _MOVE_TYPES.get(self.kind, MoveType.OTHER)

    def _walk(self, blocked: Booleans, others: Indices) -> None:
        """Take out of a matrix who no longer stands in the way of Super-Heavy Walkers (24.35); others by row."""
        models = self.scene.models
        for i in np.flatnonzero(self.facts.walks[self.rows]):
            walker = models[int(self.rows[i])].profile
            for j in np.flatnonzero(blocked[i]):
                other = models[int(others[j])].profile.keywords
                blocked[i, j] = not may_walk_through_model(walker, self._move_type, other)

    @cached_property
    @rule(
        "11e.core.21.03-take-to-the-skies",
        "11e.24.35-super-heavy-walker.through-models",
        "11e.24.35-super-heavy-walker.not-through-titanic",
    )
    def blocks(self) -> Booleans:
        """(n, m): which models around may not be passed by which of the unit's models."""
        blocked = blocking(
            self.facts, self.around, self.rows, through_enemies=self.through_enemies, large=self.is_large_move
        )
        self._walk(blocked, self.around.rows)
        blocked[self.over] = False
        return blocked

    @cached_property
    def blocks_own(self) -> Booleans:
        """(n, n): which of the unit's models may not be passed by which other, wherever they stand by then (17.01)."""
        large = self.facts.large[self.rows] & self.is_large_move
        blocked = large[:, None] & large[None, :] & ~np.eye(len(large), dtype=np.bool_)
        self._walk(blocked, self.rows)
        blocked[self.over] = False
        return np.asarray(blocked, dtype=np.bool_)

    @cached_property
    @rule("11e.core.21.03-take-to-the-skies")
    def stopped_by_walls(self) -> Booleans:
        """(n,): which of them dense features stop on the ground (13.06)."""
        return np.asarray(~(self.facts.dense[self.rows] | self.over), dtype=np.bool_)

    @cached_property
    @rule(
        "11e.24.35-super-heavy-walker.through-low-terrain",
        "11e.24.35-super-heavy-walker.mobile-dense-terrain",
        "11e.24.35-super-heavy-walker.optional-mobile",
    )
    def obstacles(self) -> TerrainFacts:
        """The terrain that this move meets: Super-Heavy Walkers pass through what is low, and with MOBILE what is dense
        (24.35).

        DEVIATION: 11e.24.35-super-heavy-walker.through-low-terrain in a unit only part of which are Super-Heavy Walkers
        walls stop all of them.
        """
        terrain, rows = self.around.terrain, self.rows
        if not len(rows) or not self.facts.walks[rows].all():
            return terrain
        walkers = [self.scene.models[int(row)].profile for row in rows]
        return terrain.without(
            lambda wall: all(
                may_walk_through_terrain(each, self._move_type, wall.top, dense=True, mobile=self.mobile)
                for each in walkers
            )
        )

    def lengths(self, legs: Legs) -> Floats:
        """(l,): inches that each leg uses up: heights are ignored by models that have taken to the skies (21.03)."""
        across = np.hypot(legs.ends[:, 0] - legs.starts[:, 0], legs.ends[:, 1] - legs.starts[:, 1])
        return np.asarray(np.where(self.over[legs.owners], across, legs.lengths), dtype=np.float64)

    def through_rule(self, row: int) -> str:
        """See the base: MONSTERS and VEHICLES pass through most models in some moves (17.01)."""
        large = self.is_large_move and self.facts.large[row]
        return "11e.core.17.01-moving-through-models" if large else super().through_rule(row)

    @rule("11e.core.03.01-no-move-characteristic", "11e.ds-profile.m-dash-no-move")
    def why_not_movable(self, row: int) -> Violation:
        """See the base: a model with M "-" never moves (02, 03.01)."""
        if may_ever_move(self.scene, row):
            return super().why_not_movable(row)
        return Violation("11e.core.03.01-no-move-characteristic", f'{self.name(row)} has M "-" and is never moved')

    @rule("11e.core.13.06-climbing")
    def climb_fault(self, row: int, path: Sequence[Pose]) -> str | None:
        """See the base: features are climbed and floors walked on (13.06), but not by what is in the skies (21.03)."""
        if self.over[self.index[row]]:
            return None
        model = self.scene.models[row]
        return climb_fault(self.scene.battlefield, model.base, model.profile.keywords, path)

    @rule(
        "11e.core.03.01-end-check",
        "11e.core.03.01-straight-lines-add-up",
        "11e.core.03.01-rotation-is-free",
        "11e.core.03.01-past-enemies",
        "11e.core.13.06-exposed-and-light",
    )
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the move would break; the empty placement is always accepted."""
        return super().check(answer)

    @rule(
        "11e.core.03.01-straight-lines-add-up",
        "11e.core.03.01-rotation-is-free",
        "11e.core.03.01-models-one-at-a-time",
        "11e.core.03.01-own-maximum",
        "11e.core.03.01-not-through-enemies",
        "11e.core.03.01-through-friends",
        "11e.core.17.01-moving-through-models",
        "11e.core.13.06-dense-others",
        "11e.core.13.06-dense-light-feet",
    )
    def way_violations(self, legs: Legs) -> list[Violation]:
        """What is wrong on the way: too far, over the edge, through models or terrain."""
        return super().way_violations(legs)


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
        mission_steps.note_move(battle, unit)
    return furthest


@rule("11e.core.21-heavy-and-fly")
def _length(way: Sequence[tuple[int, int, int, int]], *, flat: bool) -> int:
    """How long a way is, in thousandths of an inch; of a model that can FLY only what it goes across counts."""
    total = 0.0
    for (x, y, z, _), (u, v, w, _) in itertools.pairwise(way):
        total += float(np.hypot(u - x, v - y)) + (0 if flat else abs(w - z))
    return round(total)
