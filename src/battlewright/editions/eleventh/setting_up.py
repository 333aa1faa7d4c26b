"""Setting up (03.02): where a unit may come onto the table, and deployment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from battlewright.core.decisions import Answer, Place, RandomSource, Violation
from battlewright.core.rulebook import rule
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
from battlewright.editions.eleventh.placed import Box, Placed
from battlewright.editions.eleventh.scene import Battle11, Scene, living
from battlewright.editions.eleventh.spaces import LOOKOUT, Space, Suggestion
from battlewright.editions.eleventh.state import EleventhState, MoveKind

__all__ = ["SetUpSpace", "deployment_space"]

_SET_UP: tuple[Condition, ...] = (OnTable(), ClearOfModels(), StandsOnTerrain(moved=False), Coherent())


class SetUpSpace(Space):
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
        return x0 - LOOKOUT, y0 - LOOKOUT, x1 + LOOKOUT, y1 + LOOKOUT

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
