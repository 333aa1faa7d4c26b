"""Setting models up beside a model: the places around a transport that its passengers may take (18.04, 18.05).

Places are looked for in :data:`ANGLES` directions from the middle of the transport, in rings as wide as a passenger's
base, the first against the transport; a model takes the best one that is free and in coherency with those before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.decisions import Answer, ModelMove, Place, RandomSource, Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import separation_matrix
from battlewright.editions.eleventh.conditions import Condition, gaps_to_rows
from battlewright.editions.eleventh.formations import Cost, fits
from battlewright.editions.eleventh.placed import Booleans, Floats, Placed
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.setting_up import SetUpSpace
from battlewright.editions.eleventh.state import EleventhState, MoveKind

__all__ = ["ANGLES", "BesideSpace", "EmergencySpace"]

ANGLES: Final = 72
"""Directions in which places are tried."""
_GAP: Final = 0.03
"""Inches left between bases."""
_STARTS: Final = 8
"""Sides from which the search begins when the one that is asked for leads to nothing."""
_SLACK: Final = 0.5
"""Inches for each model by which an emergency set-up may be further from the transport than the default."""


class BesideSpace(SetUpSpace):
    """A set-up around some models (03.02, 18.04).

    Args:
        hubs: the rows of the models around which it is, where they stand.
        distance: inches within which the places lie.
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
    ) -> None:
        points = state.position[list(hubs), :2] / 1000.0
        margin = distance + float(scene.reach[list(hubs)].max())
        (x0, y0), (x1, y1) = points.min(axis=0) - margin, points.max(axis=0) + margin
        table = scene.battlefield
        super().__init__(
            scene,
            state,
            unit,
            rule=rule,
            region=(float(x0), float(y0), float(x1), float(y1)),
            near=(table.width / 2, table.height / 2),
            after=after,
            kind=MoveKind.DISEMBARK,
        )
        self.hubs, self.distance = tuple(hubs), distance

    def pack(self, near: tuple[float, float]) -> Place:
        """See :meth:`SetUpSpace.pack`."""
        for start in (near, *self._starts()):
            seated = self._seat(_towards(start))
            if len(seated) == len(self.rows):
                answer = self._placement(seated)
                if self.accepts(answer):
                    return answer
        return Place(())

    def _starts(self) -> Iterator[tuple[float, float]]:
        x0, y0, x1, y1 = self.region
        for k in range(_STARTS):
            angle = 2 * math.pi * k / _STARTS
            yield (
                (x0 + x1) / 2 + (x1 - x0) / 2 * math.cos(angle),
                (y0 + y1) / 2 + (y1 - y0) / 2 * math.sin(angle),
            )

    def _seat(
        self, cost: Cost, taken: dict[int, Floats] | None = None, may: Callable[[Placed], Booleans] | None = None
    ) -> dict[int, Floats]:
        """A place for each model that finds one, the largest first; those of ``taken`` stand already."""
        seated = dict(taken or {})
        for i in np.argsort(-self.bases.rows[:, -1], kind="stable"):
            model = int(i)
            if model in seated:
                continue
            poses = self._usable(model)
            if may is not None and len(poses):
                poses = poses[may(Placed(self.around, self.rows[np.full(len(poses), model)], poses))]
            if len(poses):
                poses = poses[fits(self, model, poses, seated)]
            if len(poses):
                seated[model] = poses[int(np.argmin(cost(np.full(len(poses), model), poses)))]
        return seated

    def _usable(self, model: int) -> Floats:
        """(k, 4): the places that a model may take by itself; worked out once for each kind of base."""
        base = self.scene.models[int(self.rows[model])].base
        if base not in self._by_base:
            tried = np.concatenate([self._rings(model, hub) for hub in self.hubs])
            self._by_base[base] = tried[self.met(np.full(len(tried), model, np.intp), tried)]
        return self._by_base[base]

    @cached_property
    def _by_base(self) -> dict[Any, Floats]:
        return {}

    def _rings(self, model: int, hub: int) -> Floats:
        """(k, 4): places around one hub, ring by ring, found by halving the way out in each direction."""
        base = self.scene.models[int(self.rows[model])].base
        there = to_inches(self.state.position[[hub]])
        width = min(base.length, base.width)
        targets = [_GAP]
        while targets[-1] + 2 * width + _GAP <= self.distance:
            targets.append(targets[-1] + width + _GAP)
        angles = np.arange(ANGLES) * (2 * math.pi / ANGLES)
        turns = (0.0,) if base.is_round else (90.0, 0.0)
        found = []
        for target in targets:
            for turn in turns:
                low = np.zeros(ANGLES)
                high = np.full(ANGLES, float(self.scene.reach[hub]) + base.reach + self.distance)
                poses = np.zeros((ANGLES, 4))
                poses[:, 3] = np.degrees(angles) + turn if not base.is_round else 0.0
                for _ in range(13):
                    middle = (low + high) / 2
                    poses[:, 0] = there[0, 0] + middle * np.cos(angles)
                    poses[:, 1] = there[0, 1] + middle * np.sin(angles)
                    placed = self.bases.some_at(np.full(ANGLES, model, np.intp), poses)
                    gaps = separation_matrix(placed, self.scene.bases.some_at([hub], there))[:, 0]
                    high, low = np.where(gaps >= target, middle, high), np.where(gaps >= target, low, middle)
                poses[:, 0] = there[0, 0] + high * np.cos(angles)
                poses[:, 1] = there[0, 1] + high * np.sin(angles)
                found.append(np.round(poses, 3))
        return np.concatenate(found)

    def _placement(self, seated: dict[int, Floats]) -> Place:
        moves = []
        for i, pose in seated.items():
            x, y, z, facing = (round(float(value) * 1000) for value in pose)
            moves.append(ModelMove(int(self.rows[i]), ((x, y, z, facing % 360_000),)))
        return Place(tuple(moves))


def _towards(point: tuple[float, float]) -> Cost:
    return lambda _, poses: np.hypot(poses[:, 0] - point[0], poses[:, 1] - point[1])


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
            return np.asarray(np.round(gaps, 1) * 100 + _towards(near)(index, poses), dtype=np.float64)

        seated = self._seat(cost, may=lambda placed: np.asarray(~placed.engaged.any(axis=1), dtype=np.bool_))
        if len(seated) < len(self.rows):
            seated = self._seat(cost, seated)
        answer = self._placement(seated)
        return answer if answer.moves and not self.end_violations(self.ending(answer)) else Place(())

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: begun from any side, if that is as good."""
        answer = super().sample(rng)
        return self.found if self.check(answer) else answer
