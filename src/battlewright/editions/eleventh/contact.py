"""Base contact (01.04): whose bases touch, and whose would but for parts that reach beyond the bases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.eleventh.placed import Booleans, Floats, Indices, Placed, model_facts
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.placing.conditions import Condition

__all__ = ["CONTACT", "ClearOfParts", "clear_of_parts", "in_contact", "kept_apart"]

CONTACT: Final = 0.02
"""Inches within which two bases count as touching, since waypoints are whole thousandths."""
NEAR: Final = 1.0
"""Inches from another base within which an overhanging part stands in for contact of the bases."""


def kept_apart(scene: Scene, rows: Sequence[int] | Indices, others: Sequence[int] | Indices) -> Floats:
    """(n, m): inches that parts of these models keep the bases of those others away; zeros without any overhang.

    An overhang is taken to reach equally far on every side.
    """
    overhang = model_facts(scene).overhang
    return np.asarray(overhang[rows][:, None] + overhang[others][None, :], dtype=np.float64)


@rule("11e.core.01.04-base-contact-with-overhang")
def in_contact(gaps: Floats, own: Floats, others: Floats, moved: Booleans) -> Booleans:
    """(n, m): which models are in base contact with which others (01.04).

    RULING: 11e.core.01.04-base-contact-with-overhang we read "some part within 1 inch" as a part of either model,
    measured to the other's base.

    Args:
        gaps: (n, m) inches between the bases.
        own: (n,) inches that parts of the models reach beyond their bases; ``others`` (m,) the same of the others.
        moved: (n, m) whether one of the two has ended a move in this turn; otherwise only bases that touch count.
    """
    reach, furthest = own[:, None] + others[None, :], np.maximum(own[:, None], others[None, :])
    by_parts = moved & (gaps <= reach + CONTACT) & (gaps - furthest <= NEAR + TOLERANCE)
    return np.asarray((gaps <= CONTACT) | by_parts, dtype=np.bool_)


@dataclass(frozen=True)
class ClearOfParts(Condition):
    """No model ends so near an enemy model that parts of the one would stand in the other.

    Friends are arranged by their player, so that their parts are in nobody's way.
    """

    rule_id: str = "11e.core.01.04-base-contact-with-overhang"

    def _apart(self, placed: Placed) -> Floats:
        """(n, m): see :func:`kept_apart`."""
        return kept_apart(cast(Scene, placed.around.scene), placed.rows, placed.around.rows)

    def _within(self, placed: Placed) -> Booleans:
        """(n, m): into which models around each would reach."""
        around = placed.around
        z, top = placed.poses[:, 2], placed.poses[:, 2] + around.facts.height[placed.rows]
        level = (z[:, None] < around.top[None, :]) & (around.z[None, :] < top[:, None])
        near = placed.gaps < self._apart(placed) - TOLERANCE
        return np.asarray(near & level & around.foe[None, :], dtype=np.bool_)

    @rule("11e.core.01.04-base-contact-with-overhang")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        return np.asarray(~self._within(placed).any(axis=1), dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        around = placed.around
        column = int(np.argmax(self._within(placed)[index]))
        other = int(around.rows[column])
        return (
            f'ends {placed.gaps[index, column]:.2f}" from model {other} of {around.scene.unit_of(other).name}; parts '
            f'that overhang keep their bases {self._apart(placed)[index, column]:.2f}" apart'
        )


def clear_of_parts(scene: Scene) -> tuple[Condition, ...]:
    """The condition, for a scene with models that overhang their bases; nothing for any other."""
    return (ClearOfParts(),) if model_facts(scene).overhang.any() else ()
