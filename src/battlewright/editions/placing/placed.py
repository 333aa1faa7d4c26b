"""Models at poses and the models around them, measured once and asked often: what moves and set-ups are judged by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import to_inches
from battlewright.core.footprints import BaseSet, Footprints
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.core.state import State
from battlewright.core.table import Battlefield
from battlewright.editions.placing.coherency import Closeness
from battlewright.editions.placing.terrain import TerrainFacts

__all__ = [
    "Booleans",
    "Box",
    "Floats",
    "Indices",
    "ModelFacts",
    "Placed",
    "PlacingRules",
    "PlacingScene",
    "Surroundings",
]

Floats: TypeAlias = NDArray[np.float64]
Booleans: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.intp]
Box: TypeAlias = tuple[float, float, float, float]
"""x0, y0, x1, y1 in inches."""


class PlacingScene(Protocol):
    """What placing asks of an edition's scene."""

    @property
    def battlefield(self) -> Battlefield:
        """The table and its terrain."""
        ...

    @property
    def models(self) -> Sequence[Any]:
        """By row; each with ``name``, ``unit``, ``side``, ``base`` and ``height``."""
        ...

    @property
    def units(self) -> Sequence[Any]:
        """By index; each with ``id`` and ``name``."""
        ...

    @property
    def bases(self) -> BaseSet:
        """Of all models, by row."""
        ...

    @property
    def reach(self) -> NDArray[np.float64]:
        """(n,): the largest distance in inches from a model's centre to its base's edge."""
        ...

    @property
    def cache(self) -> dict[Any, Any]:
        """For what is made once."""
        ...

    def unit_of(self, row: int) -> Any:
        """The unit that a model belongs to."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ModelFacts:
    """What moves need to know of every model, by row; never changes during a battle.

    Attributes:
        unit: index of its unit; ``side`` its side.
        height: inches.
    """

    unit: Indices
    side: Indices
    height: Floats


@dataclass(frozen=True)
class PlacingRules:
    """What an edition decides about placing models.

    Attributes:
        closeness: how near the models of a unit stay to one another.
        contact: inches across within which enemies are engaged; ``contact_height`` inches up or down.
        facts: the facts of a scene's models; ``terrain`` of its terrain; both made once.
        past_edge: the rule named where a way crosses the table's edge.
        through: the rule named where it leads through a model it may not pass.
        walls: the rule named where it leads through a wall.
        climbing: the rule named where it leaves the ground as it may not.
        whole: the rule that a unit is set up whole.
        footing: what of a scene's models takes up ground, by row; None where that is their bases. Made once.
    """

    closeness: Closeness
    contact: float
    contact_height: float
    facts: Callable[[Any], ModelFacts]
    terrain: Callable[[Any], TerrainFacts]
    past_edge: str
    through: str
    walls: str
    climbing: str
    whole: str
    footing: Callable[[Any], BaseSet] | None = None


class Surroundings:
    """The standing models that are not of the unit, within reach of a move or set-up, and the terrain.

    Attributes:
        bases: of all models, by row, as far as they take up ground.
        rows: (m,) their rows; ``foe`` (m,) which are enemies; ``unit`` (m,) their units.
        placed: their footprints; ``z`` (m,) the heights they stand at; ``top`` (m,) of their heads.
        terrain: the terrain of the whole table.
    """

    __slots__ = ("bases", "facts", "foe", "placed", "rows", "rules", "scene", "state", "terrain", "top", "unit", "z")

    def __init__(
        self, scene: PlacingScene, state: State, unit: int, rules: PlacingRules, box: Box | None = None
    ) -> None:
        self.scene, self.state, self.rules = scene, state, rules
        self.bases = scene.bases if rules.footing is None else rules.footing(scene)
        self.facts = facts = rules.facts(scene)
        there = state.on_table & (state.wounds > 0)
        there[list(state.units[unit].models)] = False
        if box is not None:
            x, y = state.position[:, 0] / 1000.0, state.position[:, 1] / 1000.0
            reach = scene.reach
            there &= (x + reach >= box[0]) & (x - reach <= box[2]) & (y + reach >= box[1]) & (y - reach <= box[3])
        self.rows = np.flatnonzero(there)
        poses = to_inches(state.position[self.rows])
        self.placed = self.bases.some_at(self.rows, poses)
        self.z = poses[:, 2]
        self.top = self.z + facts.height[self.rows]
        self.unit = facts.unit[self.rows]
        self.foe = facts.side[self.rows] != state.units[unit].side
        self.terrain = rules.terrain(scene)


class Placed:
    """Some models at poses, measured lazily against what is around them.

    The models may be a whole unit where it would stand, or one model at many poses that are tried.

    Attributes:
        rows: (n,) which model each pose is of.
        poses: (n, 4) inches and degrees.
    """

    def __init__(self, around: Surroundings, rows: Indices, poses: Floats) -> None:
        self.around, self.rows, self.poses = around, rows, poses

    @cached_property
    def footprints(self) -> Footprints:
        """The bases at the poses."""
        return self.around.bases.some_at(self.rows, self.poses)

    @cached_property
    def gaps(self) -> Floats:
        """(n, m): signed horizontal distances to the models around, inches."""
        return separation_matrix(self.footprints, self.around.placed)

    @cached_property
    def rises(self) -> Floats:
        """(n, m): differences of height to them, inches."""
        return np.abs(self.poses[:, 2][:, None] - self.around.z[None, :])

    @cached_property
    def engaged(self) -> Booleans:
        """(n, m): which of them are enemies so near that they are engaged."""
        rules = self.around.rules
        near = (self.gaps <= rules.contact + TOLERANCE) & (self.rises <= rules.contact_height + TOLERANCE)
        return np.asarray(near & self.around.foe[None, :], dtype=np.bool_)

    @cached_property
    def overlapped(self) -> Booleans:
        """(n, m): which of them each model would stand on or in."""
        z, top = self.poses[:, 2], self.poses[:, 2] + self.around.facts.height[self.rows]
        level = (z[:, None] < self.around.top[None, :]) & (self.around.z[None, :] < top[:, None])
        return np.asarray((self.gaps < -TOLERANCE) & level, dtype=np.bool_)

    @cached_property
    def own_gaps(self) -> Floats:
        """(n, n): signed distances between the models themselves, inches; infinite on the diagonal.

        Comrades are measured by their bases or hulls, whatever ground these take up.
        """
        placed = self.around.scene.bases.some_at(self.rows, self.poses)
        gaps = separation_matrix(placed, placed)
        np.fill_diagonal(gaps, np.inf)
        return gaps

    @cached_property
    def own_rises(self) -> Floats:
        """(n, n): differences of height between them, inches."""
        z = self.poses[:, 2]
        return np.abs(z[:, None] - z[None, :])

    def take(self, which: Booleans | Indices | Sequence[int]) -> Placed:
        """Some of the models, measured anew."""
        return Placed(self.around, self.rows[which], self.poses[which])
