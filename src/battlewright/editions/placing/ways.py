"""The way of a move: how far, over what edge, through which models and terrain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from battlewright.core.bases import Pose
from battlewright.core.decisions import Violation
from battlewright.core.footprints import BaseSet
from battlewright.core.shapes import TOLERANCE
from battlewright.core.sweeps import Sweeps
from battlewright.core.table import TerrainFeature
from battlewright.editions.placing.placed import Floats, Indices, Surroundings

if TYPE_CHECKING:
    from battlewright.editions.placing.moves import MoveSpace

__all__ = ["Legs", "way_violations"]


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


def way_violations(space: MoveSpace, legs: Legs) -> list[Violation]:
    """What is wrong on the way: too far, over the edge, through models or terrain."""
    far = np.bincount(legs.owners, space.lengths(legs), len(space.rows))
    found = [
        Violation(
            space.rule,
            f'{space.name(int(space.rows[i]))} moves {far[i]:.2f}"; the most is {space.reach[i]:g}"',
        )
        for i in np.flatnonzero(far > space.reach + TOLERANCE)
    ]
    sweeps = Sweeps.legs(space.bases, legs.starts, legs.ends, legs.owners)
    return found + _edge(space, sweeps) + _through_models(space, sweeps, legs) + _through_terrain(space, sweeps, legs)


def _edge(space: MoveSpace, sweeps: Sweeps) -> list[Violation]:
    table = space.scene.battlefield
    on = sweeps.stay_on(table.width, table.height)
    return [
        Violation(
            space.placing.past_edge,
            f"{space.name(int(space.rows[i]))} crosses the edge of the battlefield",
        )
        for i in np.flatnonzero(~on)
    ]


def _through_models(space: MoveSpace, sweeps: Sweeps, legs: Legs) -> list[Violation]:
    found = []
    hit = sweeps.hit(space.around.placed) & space.blocks
    for i, j in np.argwhere(hit):
        if _meets_level(space.around, space.rows, legs, space.bases, int(i), int(j)):
            other = int(space.around.rows[j])
            found.append(
                Violation(
                    space.through_rule(int(space.rows[i])),
                    f"{space.name(int(space.rows[i]))} passes through {_called(space, other)}",
                )
            )
    return found + (_through_own(space, legs) if space.blocks_own.any() else [])


def _tall(feature: TerrainFeature) -> str:
    return f'{feature.id}, {feature.top:g}" high' if feature.top else feature.id


def _called(space: MoveSpace, row: int) -> str:
    """A model of another unit in the way: with its unit, where both are not called the same."""
    model, unit = space.scene.models[row].name, space.scene.unit_of(row).name
    return unit if model == unit else f"a {model} of {unit}"


def _through_own(space: MoveSpace, legs: Legs) -> list[Violation]:
    """Models of the unit that do not pass each other: each is where its move has brought it so far."""
    found, now = [], space.starts.copy()
    for i in dict.fromkeys(int(owner) for owner in legs.owners):
        mine = legs.owners == i
        sweeps = Sweeps.legs(space.bases, legs.starts[mine], legs.ends[mine], legs.owners[mine])
        hit = sweeps.hit(space.bases.at(now))[i] & space.blocks_own[i]
        found += [
            Violation(
                space.through_rule(int(space.rows[i])),
                f"{space.name(int(space.rows[i]))} passes through {space.name(int(space.rows[j]))}",
            )
            for j in np.flatnonzero(hit)
        ]
        now[i] = legs.ends[mine][-1]
    return found


def _through_terrain(space: MoveSpace, sweeps: Sweeps, legs: Legs) -> list[Violation]:
    found = []
    walls = space.obstacles.walls
    ground = legs.on_ground
    if len(walls) and space.stopped_by_walls.any():
        if not ground:
            low = (legs.starts[:, 2] <= TOLERANCE) & (legs.ends[:, 2] <= TOLERANCE)
            sweeps = Sweeps.legs(space.bases, legs.starts[low], legs.ends[low], legs.owners[low])
        crossed = sweeps.cross(walls) & space.stopped_by_walls[:, None]
        for i, k in np.argwhere(crossed):
            feature = space.obstacles.wall_features[k]
            found.append(
                Violation(
                    space.placing.walls,
                    f"{space.name(int(space.rows[i]))} passes through terrain {_tall(feature)}",
                )
            )
    return found if ground else found + _climbing(space, legs)


def _climbing(space: MoveSpace, legs: Legs) -> list[Violation]:
    found = []
    for i in dict.fromkeys(int(owner) for owner in legs.owners):
        mine = legs.owners == i
        if not (legs.starts[mine, 2].any() or legs.ends[mine, 2].any()):
            continue
        path = [Pose(*map(float, space.starts[i])), *(Pose(*map(float, end)) for end in legs.ends[mine])]
        row = int(space.rows[i])
        fault = space.climb_fault(row, path)
        if fault:
            found.append(Violation(space.placing.climbing, f"{space.name(row)} {fault}"))
    return found


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
