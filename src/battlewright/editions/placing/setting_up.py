"""Setting up: where a unit may come onto the table."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from battlewright.core.decisions import Answer, Place, RandomSource, Violation
from battlewright.core.state import State
from battlewright.editions.placing import formations
from battlewright.editions.placing.conditions import Condition, Ending
from battlewright.editions.placing.placed import Box, Placed, PlacingScene
from battlewright.editions.placing.spaces import LOOKOUT, Space, Suggestion

__all__ = ["SetUpSpace"]


class SetUpSpace(Space):
    """One unit that comes onto the table: every living model is placed once, by a path of one waypoint.

    Args:
        kind: what the edition calls it; ``rows`` the models.
        region: x0, y0, x1, y1 in inches, a rectangle that holds every allowed place.
        strips: rectangles within it, outside of which no model's middle may stand; the whole region when empty.
        conditions: what must hold.
        near: where the default is looked for first, inches; the middle of the region when None.
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
        region: Box,
        strips: Sequence[Box] = (),
        conditions: tuple[Condition, ...] = (),
        near: tuple[float, float] | None = None,
        suggest: Suggestion | None = None,
    ) -> None:
        super().__init__(scene, state, unit, kind, rows, rule, conditions, suggest)
        self.region, self.strips = region, tuple(strips)
        self.near = near if near is not None else ((region[0] + region[2]) / 2, (region[1] + region[3]) / 2)

    def _reach(self) -> Box:
        x0, y0, x1, y1 = self.region
        return x0 - LOOKOUT, y0 - LOOKOUT, x1 + LOOKOUT, y1 + LOOKOUT

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
            return [Violation(self.placing.whole, f"There is room for the whole unit, for one near {x:.2f}, {y:.2f}")]
        found = self._known(answer.moves)
        found += [
            Violation(self.rule, f"{self.name(move.model)} is set up in one place, not along a path")
            for move in answer.moves
            if len(move.path) > 1
        ]
        missing = set(self.index) - {move.model for move in answer.moves}
        if missing:
            names = ", ".join(self.name(row) for row in sorted(missing))
            found.append(Violation(self.placing.whole, f"All models have to be set up; missing: {names}"))
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
        return self.pack(self.near)

    def pack(self, near: tuple[float, float]) -> Place:
        """The unit set up as near to a point, in inches, as one search finds; empty when it finds no place."""
        return formations.pack(self, near)

    def default(self) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`."""
        return self.found if self._suggest is None else self._suggest(self)

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: packed near some place of the region.

        A search from one place may miss what another finds; the default stands in for it.
        """
        boxes = self.strips or (self.region,)
        x0, y0, x1, y1 = boxes[rng.randrange(len(boxes))]
        there = self.pack((x0 + (x1 - x0) * rng.random(), y0 + (y1 - y0) * rng.random()))
        return there if there.moves else self.found

    def describe(self) -> dict[str, Any]:
        """The models to place and the rectangle that holds every allowed place, in thousandths of an inch."""
        return {
            "place": self.kind.value,
            "unit": self.scene.units[self.unit].id,
            "models": [{"model": row} for row in self.index],
            "region": [round(value * 1000) for value in self.region],
        }
