"""What moving and setting up share: the unit, its models and surroundings, and what must hold at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.decisions import ModelMove, Option, Place, Violation
from battlewright.core.footprints import BaseSet
from battlewright.core.shapes import TOLERANCE
from battlewright.core.state import State
from battlewright.editions.placing.conditions import Condition, Ending
from battlewright.editions.placing.placed import (
    Booleans,
    Box,
    Floats,
    Indices,
    Placed,
    PlacingRules,
    PlacingScene,
    Surroundings,
)

__all__ = ["FARTHEST", "LOOKOUT", "Space", "Suggestion", "move_kernels"]

LOOKOUT = 12.5
"""How far around the reach of a move, in inches, other models are measured."""
FARTHEST = 10_000_000
"""No waypoint is further from the origin, in thousandths of an inch."""

Suggestion: TypeAlias = Callable[[Any], Place]
"""Makes a space's default from the space."""


@lru_cache(maxsize=1)
def move_kernels() -> ModuleType:
    """The compiled checks, loaded when they are first needed."""
    from battlewright.core import move_kernels as module

    return module


class Space:
    """What both sorts of space share: the unit, its models, what must hold at the end.

    Attributes:
        placing: what the edition decides; each derived class has its own.
        kind: of the move, as the edition names it.
    """

    placing: PlacingRules
    scene: PlacingScene
    state: State
    kind: StrEnum

    def __init__(
        self,
        scene: PlacingScene,
        state: State,
        unit: int,
        kind: StrEnum,
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
        return Surroundings(self.scene, self.state, self.unit, self.placing, self._reach())

    @cached_property
    def bases(self) -> BaseSet:
        """The bases of the unit's models, in the order of ``rows``."""
        footing = self.placing.footing
        return (self.scene.bases if footing is None else footing(self.scene)).take(self.rows)

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
        models = self.scene.models
        return f"{models[row].name} (model {row})" if row < len(models) else f"Model {row}"

    @cached_property
    def _not_compiled(self) -> tuple[Condition, ...]:
        return tuple(condition for condition in self.conditions if not condition.is_compiled)

    @cached_property
    def _keep_off(self) -> Floats:
        """(m,): how near models on the ground may not come to the models around, for all conditions together."""
        kept = [each for each in (condition.keep_off(self.around) for condition in self.conditions) if each is not None]
        return np.asarray(np.max(kept, axis=0), dtype=np.float64)

    def _may_stand(self, index: Indices, poses: Floats) -> Booleans:
        """(k,): which poses on the ground hold to the compiled conditions, as :meth:`Condition.met` judges them."""
        around, table = self.around, self.scene.battlefield
        free: Booleans = move_kernels().free_poses(
            self.bases.rows,
            self.bases.vertices,
            index,
            poses,
            around.placed.rows,
            around.placed.vertices,
            self._keep_off,
            around.terrain.solids.corners,
            around.terrain.solids.starts,
            around.terrain.solid_boxes,
            table.width,
            table.height,
            TOLERANCE,
        )
        return free

    def met(self, index: Indices, poses: Floats) -> Booleans:
        """(k,): whether the models of these indices meet, each alone, what every model must meet at the end."""
        on_ground = not poses[:, 2].any()
        met = self._may_stand(index, poses) if on_ground else np.ones(len(index), np.bool_)
        asked = self._not_compiled if on_ground else self.conditions
        if asked:
            placed = Placed(self.around, self.rows[index], poses)
            for condition in asked:
                met &= condition.met(placed)
        return met

    def end_violations(self, ending: Ending) -> list[Violation]:
        """Every condition that does not hold at the end."""
        return [violation for condition in self.conditions for violation in condition.violations(ending)]

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
                if not all(abs(value) < FARTHEST for value in point):
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
