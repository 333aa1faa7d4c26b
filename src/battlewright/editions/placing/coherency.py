"""Groups of models that stay near one another, by the distances of an edition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from battlewright.core.shapes import TOLERANCE

__all__ = ["Closeness", "one_group"]

Floats = NDArray[np.float64]


def one_group(near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n,): which models the first one is joined to by steps from model to model, itself included."""
    reached = np.zeros(len(near), np.bool_)
    reached[0] = True
    front = near[0] | reached
    while True:
        if (front == reached).all():
            return reached
        reached = front
        front = near[reached].any(axis=0) | reached


@dataclass(frozen=True, slots=True)
class Closeness:
    """How near the models of a unit stay to one another, in inches; infinite where an edition does not say.

    Attributes:
        near: across, to at least one other model, so that all are joined.
        spread: across, to every other model.
        upright: up or down, for both.
    """

    near: float
    spread: float = np.inf
    upright: float = np.inf

    def holds(self, gaps: Floats, rises: Floats) -> bool:
        """Whether models form one group.

        Args:
            gaps: (n, n) horizontal distances from edge to edge, inches, infinite on the diagonal.
            rises: (n, n) differences of height, inches.
        """
        if len(gaps) < 2:
            return True
        if rises.any() and rises.max() > self.upright + TOLERANCE:
            return False
        apart = np.where(gaps == np.inf, 0.0, gaps)
        if apart.max() > self.spread + TOLERANCE:
            return False
        return bool(one_group(gaps <= self.near + TOLERANCE).all())

    def fault(self, gaps: Floats, rises: Floats) -> tuple[int, str] | None:
        """The first model out of the group and why, as a clause with numbers; None when all are in it.

        Args and frame as in :meth:`holds`; the index is into them.
        """
        if self.holds(gaps, rises):
            return None
        apart = np.where(gaps == np.inf, 0.0, gaps)
        for index in range(len(gaps)):
            nearest = float(gaps[index].min())
            if nearest > self.near + TOLERANCE:
                return index, f'ends {nearest:.2f}" from the nearest model of its unit; coherency is {self.near:g}"'
            furthest = float(apart[index].max())
            if furthest > self.spread + TOLERANCE:
                return index, f'ends {furthest:.2f}" from a model of its unit; all must be within {self.spread:g}"'
            climb = float(rises[index].max())
            if climb > self.upright + TOLERANCE:
                return index, f'ends {climb:.2f}" above or below a model of its unit; the limit is {self.upright:g}"'
        alone = int(np.flatnonzero(~one_group(gaps <= self.near + TOLERANCE))[0])
        return alone, "stands in another group of models than the rest of its unit"
