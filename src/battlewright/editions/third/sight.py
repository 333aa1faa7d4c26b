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
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation
from battlewright.core.sight import CURTAIN, Prisms, Visibility, visibility

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
    around = sorted(models, key=lambda body: separation(shooter.base, shooter.pose, body.base, body.pose))
    walls = terrain if terrain is not None else Prisms.empty()
    vehicles = [body for body in around if body.is_vehicle]
    seen: set[int] = set()
    for place, target in enumerate(around):
        if target.side == shooter.side:
            continue
        obstacles = [walls]
        obstacles += [
            body.prism
            for body in vehicles
            if _is_near_line(shooter, body, target) and may_block(rules, shooter, body, target)
        ]
        for body in around[:place]:
            if body.is_vehicle or not _is_near_line(shooter, body, target):
                continue
            if not may_block(rules, shooter, body, target):
                continue
            if target.is_vehicle or not blocks_by_height(body.height, target.height):
                continue
            if rules.counts_unseen(body.row in seen):
                obstacles.append(_column(shooter, body, target))
        joined = obstacles[0].joined(*obstacles[1:])
        if visibility(shooter.prism, target.prism, joined) is not Visibility.NONE:
            seen.add(target.row)
    return frozenset(seen)


def _is_near_line(shooter: Body, body: Body, target: Body) -> bool:
    """Whether a model stands near enough to the way between two others for any line between them to meet it."""
    dx, dy = target.pose.x - shooter.pose.x, target.pose.y - shooter.pose.y
    ax, ay = body.pose.x - shooter.pose.x, body.pose.y - shooter.pose.y
    length = dx * dx + dy * dy
    part = min(max((ax * dx + ay * dy) / length, 0.0), 1.0) if length else 0.0
    most = body.base.reach + max(shooter.base.reach, target.base.reach)
    away = (ax - part * dx, ay - part * dy)
    return away[0] * away[0] + away[1] * away[1] <= (most + TOLERANCE) ** 2


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
