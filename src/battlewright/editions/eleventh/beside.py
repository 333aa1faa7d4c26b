"""Setting models up beside a model: the places around a transport that its passengers may take (18.04, 18.05)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from battlewright.core.decisions import Answer, Place, RandomSource, Violation
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.conditions import Condition, gaps_to_rows
from battlewright.editions.eleventh.placed import Floats, Placed
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.setting_up import SetUpSpace
from battlewright.editions.eleventh.state import EleventhState, MoveKind
from battlewright.editions.placing import beside
from battlewright.editions.placing.beside import ANGLES, region_around, to_the_point

__all__ = ["ANGLES", "BesideSpace", "EmergencySpace"]

_SLACK: Final = 0.5
"""Inches for each model by which an emergency set-up may be further from the transport than the default."""


class BesideSpace(beside.BesideSpace, SetUpSpace):
    """A set-up around some models (03.02, 18.04).

    Args:
        hubs: the rows of the models around which it is, where they stand.
        distance: inches within which the places lie.
        rows: the models that are set up; all living ones of the unit when None.
    """

    def __init__(
        self,
        scene: Scene,
        state: EleventhState,
        unit: int,
        *,
        rule: str,
        hubs: Sequence[int],
        distance: float,
        after: Sequence[Condition],
        rows: Sequence[int] | None = None,
    ) -> None:
        table = scene.battlefield
        super().__init__(
            scene,
            state,
            unit,
            rule=rule,
            region=region_around(scene, state, hubs, distance),
            near=(table.width / 2, table.height / 2),
            after=after,
            kind=MoveKind.DISEMBARK if rows is None else MoveKind.SET_UP,
            rows=rows,
        )
        self.hubs, self.distance = tuple(hubs), distance


class EmergencySpace(BesideSpace):
    """An emergency disembark (18.05): as many models as can be, unengaged if they can be, as close as can be.

    RULING: 11e.core.18.05-emergency we read "as close as possible" for the unit as a whole: the default is found by one
    search, and a set-up is refused that leaves out or engages more models than it, or whose models stand further from
    the transport by half an inch each.
    """

    @rule("11e.core.18.05-emergency", "11e.core.18.05-no-room")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the set-up would break; what could be done better is shown by the default."""
        if not isinstance(answer, Place):
            return [Violation(self.rule, "A unit is set up by a placement of its models")]
        found = self._known(answer.moves)
        found += [
            Violation(self.rule, f"{self.name(move.model)} is set up in one place, not along a path")
            for move in answer.moves
            if len(move.path) > 1
        ]
        if not found and answer.moves:
            found = self.end_violations(self.ending(answer))
        return found or self._worse(answer)

    def _worse(self, answer: Place) -> list[Violation]:
        out, engaged, far = self._measure(answer)
        best_out, best_engaged, best_far = self._best
        if out > best_out:
            text = f"{out} models are not set up; {best_out} would be enough"
            return [Violation("11e.core.18.05-no-room", text)]
        if out == best_out and engaged > best_engaged:
            text = f"{engaged} models are set up engaged; {best_engaged} would be enough"
            return [Violation("11e.core.18.05-no-room", text)]
        if (out, engaged) == (best_out, best_engaged) and far > best_far + _SLACK * len(answer.moves):
            text = f'The models are set up {far:.1f}" from the transport in all; {best_far:.1f}" could be reached'
            return [Violation("11e.core.18.05-emergency", text)]
        return []

    @cached_property
    def _best(self) -> tuple[int, int, float]:
        return self._measure(self.found)

    def _measure(self, answer: Place) -> tuple[int, int, float]:
        """Models left out, models engaged, and inches to the transport in all."""
        if not answer.moves:
            return len(self.rows), 0, 0.0
        ending = self.ending(answer)
        gaps = np.maximum(gaps_to_rows(ending, self.hubs).min(axis=1), 0.0)
        engaged = int(ending.engaged.any(axis=1).sum())
        return len(self.rows) - len(answer.moves), engaged, float(gaps.sum())

    def pack(self, near: tuple[float, float]) -> Place:
        """See :meth:`SetUpSpace.pack`: the most models, unengaged ones first, and those as close as may be."""

        def cost(index: Any, poses: Floats) -> Floats:
            placed = Placed(self.around, self.rows[index], poses)
            gaps = np.maximum(gaps_to_rows(placed, self.hubs).min(axis=1), 0.0)
            return np.asarray(np.round(gaps, 1) * 100 + to_the_point(near)(index, poses), dtype=np.float64)

        seated = self._seat(cost, may=lambda placed: np.asarray(~placed.engaged.any(axis=1), dtype=np.bool_))
        if len(seated) < len(self.rows):
            seated = self._seat(cost, seated)
        answer = self._placement(seated)
        return answer if answer.moves and not self.end_violations(self.ending(answer)) else Place(())

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: begun from any side, if that is as good."""
        answer = super().sample(rng)
        return self.found if self.check(answer) else answer
