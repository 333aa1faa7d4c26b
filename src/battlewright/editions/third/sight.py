"""Lines of sight in the 3rd edition: models are cylinders, enemies hide what is up to twice as tall as they are.

Terrain features and vehicles block with their true heights. Enemy models block each for itself, the gaps between them
are free; friendly models that are no vehicles do not block. What the shooter cannot see blocks nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from battlewright.core.prisms import CURTAIN, Prisms
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.sight import Body, SightRules, may_block, seen_past

__all__ = [
    "blocks_by_height",
    "comrades_do_not_hide",
    "comrades_hide",
    "hidden_models_block",
    "unseen_models_do_not_block",
    "visible_rows",
]


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

    def hiding(around: Sequence[Body], place: int, near: NDArray[np.bool_], seen: Collection[int]) -> list[Prisms]:
        target, obstacles = around[place], []
        for other in np.flatnonzero(near).tolist():
            body = around[other]
            if not may_block(rules, shooter, body, target):
                continue
            if body.is_vehicle:
                obstacles.append(body.prism)
                continue
            nearer = other < place and not target.is_vehicle and blocks_by_height(body.height, target.height)
            if nearer and rules.counts_unseen(body.row in seen):
                obstacles.append(_column(shooter, body, target))
        return obstacles

    return seen_past(shooter, models, terrain, hiding)


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
