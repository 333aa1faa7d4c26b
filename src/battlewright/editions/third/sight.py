"""Lines of sight in the 3rd edition: models are cylinders, enemies hide what is up to twice as tall as they are.

Terrain features and vehicles block with their true heights. Enemy models block each for itself, the gaps between them
are free; friendly models that are no vehicles do not block. What the shooter cannot see blocks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, Pose
from battlewright.core.footprints import BaseSet
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.core.sight import CURTAIN, Prisms, Visibility, visibility, visibility_matrix

__all__ = ["Body", "SightRules", "blocks_by_height", "hidden_models_block", "may_block", "unseen_models_do_not_block"]

AREA_DEPTH = 6.0
"""Inches that sight reaches into, out of or within area terrain."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A model as sight knows it: a cylinder as wide as its base, up to its head.

    Attributes:
        unit: that it belongs to at the moment.
        height: inches from where it stands to its head; raised weapons do not count.
    """

    row: int
    unit: int
    side: int
    base: Base
    pose: Pose
    height: float
    is_vehicle: bool = False
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


@rule("3e.los.unseen-does-not-block", "3e.los.unseen-no-influence", "3e.los.ex-chain")
def unseen_models_do_not_block(seen: bool) -> bool:
    """Whether an enemy model blocks: only one that the shooter sees."""
    return seen


@rule("3e.los.hidden-models-block")
def hidden_models_block(seen: bool) -> bool:
    """By the letter any enemy model blocks, seen or not."""
    return True


@rule("3e.casualties.same-unit-never-blocks")
def comrades_do_not_hide() -> bool:
    """Models never hide comrades of their own unit."""
    return False


@rule("3e.casualties.same-unit-blocks")
def comrades_hide() -> bool:
    """The reading that was given up: they do."""
    return True


@rule("3e.los.double-height", "3e.los.taller-than-double")
def blocks_by_height(blocker: float, target: float) -> bool:
    """Whether an enemy model of this height hides a model behind it: one up to twice as tall, exactly twice included.

    >>> blocks_by_height(1.5, 3.0), blocks_by_height(1.5, 3.1)
    (True, False)
    """
    return target <= 2 * blocker + TOLERANCE


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


@rule("3e.los.over-and-around", "3e.los.cylinder", "3e.los.any-part", "3e.core.shooting.line-of-sight")
@rule("3e.los.ex-guardian-wraithguard", "3e.los.ex-wraithguard-wraithlord", "3e.los.ex-chain")
@rule("3e.core.shooting.models-block-sight", "3e.core.shooting.sight-to-vehicles")
def visible_rows(
    rules: SightRules, shooter: Body, models: Sequence[Body], terrain: Prisms | None = None
) -> frozenset[int]:
    """The enemy models that a shooter sees: those of which any part of the cylinder is visible.

    Nearer models are judged first, so that those found hidden block nothing behind them.

    Args:
        models: every other model on the table that could matter, of both sides.
        terrain: what of the terrain blocks, as upright bodies with their heights.

    RULING: 3e.los.double-height we read it as a matter of the models' heights alone where they stand on one level;
    where they do not, an enemy model blocks as a body twice its height.
    """
    walls = terrain if terrain is not None else Prisms.empty()
    around = _nearest_first(shooter, models)
    targets = [place for place, body in enumerate(around) if body.side != shooter.side]
    if not targets:
        return frozenset()
    open_to = _past_walls(shooter, [around[place] for place in targets], walls)
    near = _near_lines(shooter, around, targets)
    seen: set[int] = set()
    for number, place in enumerate(targets):
        target = around[place]
        if not open_to[number]:
            continue
        obstacles = []
        for other in np.flatnonzero(near[number]):
            body = around[other]
            if not may_block(rules, shooter, body, target):
                continue
            if body.is_vehicle:
                obstacles.append(body.prism)
                continue
            nearer = other < place and not target.is_vehicle and blocks_by_height(body.height, target.height)
            if nearer and rules.counts_unseen(body.row in seen):
                obstacles.append(_column(shooter, body, target))
        if not obstacles or visibility(shooter.prism, target.prism, walls.joined(*obstacles)) is not Visibility.NONE:
            seen.add(target.row)
    return frozenset(seen)


def _nearest_first(shooter: Body, models: Sequence[Body]) -> list[Body]:
    """The models by their distance from the shooter, base to base."""
    if not models:
        return []
    mine = BaseSet.of([shooter.base]).at(np.array([shooter.pose], np.float64))
    theirs = BaseSet.of([body.base for body in models]).at(np.array([body.pose for body in models], np.float64))
    apart = separation_matrix(mine, theirs)[0]
    return [models[place] for place in np.argsort(apart, kind="stable")]


def _past_walls(shooter: Body, targets: Sequence[Body], walls: Prisms) -> NDArray[np.bool_]:
    """(m,): which targets terrain alone leaves visible."""
    if not len(walls):
        return np.ones(len(targets), np.bool_)
    prisms = targets[0].prism.joined(*(body.prism for body in targets[1:]))
    seen: NDArray[np.bool_] = visibility_matrix(shooter.prism, prisms, walls)[0] != Visibility.NONE
    return seen


def _near_lines(shooter: Body, around: Sequence[Body], targets: Sequence[int]) -> NDArray[np.bool_]:
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


def _column(shooter: Body, blocker: Body, target: Body) -> Prisms:
    """An enemy model as an obstacle."""
    prism = blocker.prism
    rows: NDArray[np.float64] = prism.rows.copy()
    level = abs(shooter.pose.z - blocker.pose.z) <= TOLERANCE and abs(target.pose.z - blocker.pose.z) <= TOLERANCE
    if level:
        rows[:, 5], rows[:, 6] = -CURTAIN, CURTAIN
    else:
        rows[:, 6] = blocker.pose.z + 2 * blocker.height
    return Prisms(rows, prism.vertices)


@rule("3e.core.shooting.area-terrain")
def sees_through_area(inside_shooter: bool, inside_target: bool, depth: float) -> bool:
    """Whether sight passes area terrain that lies in its way: 6" into, out of or within it, and never right through.

    Args:
        inside_shooter, inside_target: whether shooter and target stand in it.
        depth: inches of the line that lie in it.
    """
    return (inside_shooter or inside_target) and depth <= AREA_DEPTH + TOLERANCE


@rule("3e.los.unseen-no-influence", "3e.char-shooting.possible-target")
def possible_targets(seen: Iterable[int], unit_of: Callable[[int], int]) -> list[int]:
    """The enemy units that a unit may shoot at for all that sight says: those of which it sees some model.

    Args:
        seen: rows that any of its models sees.
    """
    return sorted({unit_of(row) for row in seen})
