"""Setting models up beside a model: the places around a transport that its passengers may take.

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
from battlewright.core.decisions import ModelMove, Place
from battlewright.core.shapes import separation_matrix
from battlewright.core.state import State
from battlewright.editions.placing.formations import Cost, fits
from battlewright.editions.placing.placed import Booleans, Box, Floats, Placed, PlacingScene
from battlewright.editions.placing.setting_up import SetUpSpace

__all__ = ["ANGLES", "BesideSpace", "region_around", "to_the_point"]

ANGLES: Final = 72
"""Directions in which places are tried."""
_GAP: Final = 0.03
"""Inches left between bases."""
_STARTS: Final = 8
"""Sides from which the search begins when the one that is asked for leads to nothing."""


def region_around(scene: PlacingScene, state: State, hubs: Sequence[int], distance: float) -> Box:
    """A rectangle that holds every place within so many inches of some models."""
    points = state.position[list(hubs), :2] / 1000.0
    margin = distance + float(scene.reach[list(hubs)].max())
    (x0, y0), (x1, y1) = points.min(axis=0) - margin, points.max(axis=0) + margin
    return float(x0), float(y0), float(x1), float(y1)


class BesideSpace(SetUpSpace):
    """A set-up around some models; what else must hold is said by its conditions.

    Attributes:
        hubs: the rows of the models around which it is, where they stand or stood.
        distance: inches within which the places lie wholly.
    """

    hubs: tuple[int, ...] = ()
    distance: float = 0.0

    def pack(self, near: tuple[float, float]) -> Place:
        """See :meth:`SetUpSpace.pack`: beginning at the side of the point, else at any other."""
        for start in (near, *self._starts()):
            seated = self._seat(to_the_point(start))
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
                    gaps = separation_matrix(placed, self.around.bases.some_at([hub], there))[:, 0]
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


def to_the_point(point: tuple[float, float]) -> Cost:
    """The cost of a place by its distance to a point, in inches."""
    return lambda _, poses: np.hypot(poses[:, 0] - point[0], poses[:, 1] - point[1])
