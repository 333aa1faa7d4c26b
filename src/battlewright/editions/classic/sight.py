"""Lines of sight as the classic editions share them: models as cylinders, what lies near a line, area terrain."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, Pose
from battlewright.core.footprints import BaseSet
from battlewright.core.prisms import Prisms
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.core.sight import Visibility, visibility, visibility_matrix
from battlewright.editions.classic.profiles import ModelProfile

__all__ = [
    "AREA_DEPTH",
    "LARGE",
    "Body",
    "SightRules",
    "combats_hide_nobody",
    "is_higher",
    "may_block",
    "nearest_first",
    "possible_targets",
    "seen_past",
    "sees_through_area",
]


LARGE = 3
"""The size of what hides others behind it, in editions that know sizes."""
AREA_DEPTH = 6.0
"""Inches that sight reaches into, out of or within area terrain."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A model as sight knows it: a cylinder as wide as its base, up to its head.

    Attributes:
        unit: that it belongs to at the moment.
        size: its size in editions that know such, 0 in others.
        height: inches from where it stands to its head; raised weapons do not count.
    """

    row: int
    unit: int
    side: int
    base: Base
    pose: Pose
    height: float
    is_vehicle: bool = False
    size: int = 0
    shape: Prisms | None = None

    @property
    def prism(self) -> Prisms:
        """Its cylinder, made anew where ``shape`` does not hold it already."""
        if self.shape is not None:
            return self.shape
        return Prisms.of_models([self.base], np.array([self.pose], dtype=np.float64), [self.height])


class SightRules(Protocol):
    """What the players may agree on about sight; the table's :class:`ShootingRules` is one."""

    @property
    def counts_unseen(self) -> Callable[[bool], bool]:
        """Whether a model may block, by whether the shooter sees it."""
        ...

    @property
    def hides_comrades(self) -> Callable[[], bool]:
        """Whether a model may block sight to a comrade of its own unit."""
        ...


@rule("3e.los.enemy-models-block", "3e.los.friendly-models", "3e.los.vehicles-block", "3e.casualties.other-unit-blocks")
def may_block(rules: SightRules, shooter: Body, blocker: Body, target: Body) -> bool:
    """Whether a model is of a sort that can block this line, wherever it stands and whether or not it is seen.

    Vehicles of either side can; of the others only enemy models, and not for comrades of their own unit.
    """
    if blocker.row in (shooter.row, target.row):
        return False
    if blocker.is_vehicle:
        return True
    if blocker.side == shooter.side:
        return False
    return blocker.unit != target.unit or rules.hides_comrades()


def nearest_first(shooter: Body, models: Sequence[Body]) -> list[Body]:
    """The models by their distance from the shooter, base to base."""
    if not models:
        return []
    mine = BaseSet.of([shooter.base]).at(np.array([shooter.pose], np.float64))
    theirs = BaseSet.of([body.base for body in models]).at(np.array([body.pose for body in models], np.float64))
    apart = separation_matrix(mine, theirs)[0]
    return [models[place] for place in np.argsort(apart, kind="stable")]


def past_walls(shooter: Body, targets: Sequence[Body], walls: Prisms) -> NDArray[np.bool_]:
    """(m,): which targets terrain alone leaves visible."""
    if not len(walls):
        return np.ones(len(targets), np.bool_)
    prisms = targets[0].prism.joined(*(body.prism for body in targets[1:]))
    seen: NDArray[np.bool_] = visibility_matrix(shooter.prism, prisms, walls)[0] != Visibility.NONE
    return seen


def near_lines(shooter: Body, around: Sequence[Body], targets: Sequence[int]) -> NDArray[np.bool_]:
    """(m, n): which of n models stand near enough to the way to each of m targets for a line to meet them."""
    at = np.array([(body.pose.x - shooter.pose.x, body.pose.y - shooter.pose.y) for body in around])
    reach = np.array([body.base.reach for body in around])
    to = at[list(targets)]
    square = (to**2).sum(axis=1)[:, None]
    part = np.clip(np.divide(to @ at.T, square, out=np.zeros((len(to), len(at))), where=square > 0), 0.0, 1.0)
    away = at[None] - part[..., None] * to[:, None]
    most = reach[None] + np.maximum(shooter.base.reach, reach[list(targets)])[:, None]
    near: NDArray[np.bool_] = (away**2).sum(axis=2) <= (most + TOLERANCE) ** 2
    return near


Hiding = Callable[[Sequence[Body], int, NDArray[np.bool_], Collection[int]], Sequence[Prisms]]
"""What besides terrain may hide a target: given the models from the nearest on, the target's place among them, (n,)
which of them stand near the lines to it, and the rows seen so far."""


def seen_past(shooter: Body, models: Sequence[Body], terrain: Prisms | None, hiding: Hiding) -> frozenset[int]:
    """The enemy models that a shooter sees past terrain and past what else may hide them, the nearest judged first.

    Args:
        models: every other model on the table that could matter.
        terrain: what of the terrain blocks, as upright bodies with their heights.
    """
    walls = terrain if terrain is not None else Prisms.empty()
    around = nearest_first(shooter, models)
    targets = [place for place, body in enumerate(around) if body.side != shooter.side]
    if not targets:
        return frozenset()
    open_to = past_walls(shooter, [around[place] for place in targets], walls)
    near = near_lines(shooter, around, targets)
    seen: set[int] = set()
    for number, place in enumerate(targets):
        if not open_to[number]:
            continue
        target, obstacles = around[place], hiding(around, place, near[number], seen)
        if not obstacles or visibility(shooter.prism, target.prism, walls.joined(*obstacles)) is not Visibility.NONE:
            seen.add(target.row)
    return frozenset(seen)


@rule("3e.core.shooting.area-terrain")
def sees_through_area(inside_shooter: bool, inside_target: bool, depth: float) -> bool:
    """Whether sight passes area terrain that lies in its way: 6" into, out of or within it, and never right through.

    Args:
        inside_shooter, inside_target: whether shooter and target stand in it.
        depth: inches of the line that lie in it.
    """
    return (inside_shooter or inside_target) and depth <= AREA_DEPTH + TOLERANCE


def combats_hide_nobody(sizes: Collection[int], shooter: int, target: int) -> bool:
    """What an edition puts in where models in close combat hide no more than others do."""
    return False


@rule("3e.core.shooting.area-terrain")
def is_higher(profile: ModelProfile, stands: float, height: float, area: float) -> bool:
    """Whether a model rises above area terrain: its head does.

    Args:
        stands: inches at which it stands, ``height`` to its head from there; ``area`` the height of the terrain.
    """
    return stands + height > area


@rule("3e.los.unseen-no-influence", "3e.char-shooting.possible-target")
def possible_targets(seen: Iterable[int], unit_of: Callable[[int], int]) -> list[int]:
    """The enemy units that a unit may shoot at for all that sight says: those of which it sees some model.

    Args:
        seen: rows that any of its models sees.
    """
    return sorted({unit_of(row) for row in seen})
