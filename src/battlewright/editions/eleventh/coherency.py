"""Coherency (03.03): the models of a unit stay near one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import to_inches
from battlewright.core.rulebook import rule
from battlewright.core.shapes import separation_matrix
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.placing.coherency import Closeness, one_group

__all__ = [
    "CLOSENESS",
    "NEAR",
    "SPREAD",
    "UPRIGHT",
    "are_coherent",
    "coherency_fault",
    "is_coherent",
    "one_group",
    "worth_keeping",
]

NEAR = 2.0
"""Inches across to at least one other model of the unit."""
SPREAD = 9.0
"""Inches across to every other model of the unit."""
UPRIGHT = 5.0
"""Inches up or down, for both."""

CLOSENESS: Final = Closeness(NEAR, SPREAD, UPRIGHT)

Floats = NDArray[np.float64]


@rule("11e.core.03.03-coherency")
def is_coherent(scene: Scene, state: EleventhState, rows: Sequence[int]) -> bool:
    """Whether the models stand in coherency (03.03). One model, or none, always does."""
    if len(rows) < 2:
        return True
    return are_coherent(*_apart(scene, state, rows))


def _apart(scene: Scene, state: EleventhState, rows: Sequence[int]) -> tuple[Floats, Floats]:
    """Distances across, infinite on the diagonal, and differences of height between the models."""
    poses = to_inches(state.position[list(rows)])
    placed = scene.bases.some_at(list(rows), poses)
    gaps = separation_matrix(placed, placed)
    np.fill_diagonal(gaps, np.inf)
    return gaps, np.abs(poses[:, None, 2] - poses[None, :, 2])


def worth_keeping(scene: Scene, state: EleventhState, rows: Sequence[int]) -> set[int]:
    """Models that are in coherency among themselves and together worth as much as such a group is found to be: each
    its wounds left, a CHARACTER three times that. Groups are grown from every model, its neighbours first."""
    gaps, rises = _apart(scene, state, rows)
    worth = [int(state.wounds[row]) * (3 if scene.models[row].has("CHARACTER") else 1) for row in rows]

    def grown(seed: int) -> list[int]:
        group = [seed]
        order = [int(each) for each in np.argsort(gaps[seed], kind="stable") if each != seed]
        while True:
            for each in order:
                some = [*group, each]
                if each not in group and are_coherent(gaps[np.ix_(some, some)], rises[np.ix_(some, some)]):
                    group = some
                    break
            else:
                return group

    best = max((grown(seed) for seed in range(len(rows))), key=lambda group: sum(worth[each] for each in group))
    return {rows[each] for each in best}


@rule("11e.core.03.03-coherency", "11e.core.03.03-one-group")
def are_coherent(gaps: Floats, rises: Floats) -> bool:
    """Whether models form one group by steps of 2"/5" and no two are further apart than 9"/5" (03.03).

    Args:
        gaps: (n, n) horizontal distances from edge to edge, inches, infinite on the diagonal.
        rises: (n, n) differences of height, inches.
    """
    return CLOSENESS.holds(gaps, rises)


@rule("11e.core.03.03-coherency", "11e.core.03.03-one-group")
def coherency_fault(gaps: Floats, rises: Floats) -> tuple[int, str] | None:
    """The first model out of coherency and why, as a clause with numbers; None when all are in it.

    Args and frame as in :func:`are_coherent`; the index is into them.
    """
    return CLOSENESS.fault(gaps, rises)
