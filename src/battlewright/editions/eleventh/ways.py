"""Whom a move may not pass (03.01, 17.01)."""

from __future__ import annotations

import numpy as np

from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.placed import Booleans, Indices, ModelFacts, Surroundings
from battlewright.editions.placing.ways import Legs, way_violations

__all__ = ["Legs", "blocking", "way_violations"]


@rule(
    "11e.core.03.01-through-friends",
    "11e.core.03.01-not-through-enemies",
    "11e.core.17.01-moving-through-models",
    "11e.core.09.07-desperate-escape",
    "11e.core.23.02-moving-through",
)
def blocking(facts: ModelFacts, around: Surroundings, rows: Indices, *, through_enemies: bool, large: bool) -> Booleans:
    """(n, m): which of the models around may not be passed by which of these models (03.01, 17.01).

    Args:
        through_enemies: nothing is in the way (desperate escape).
        large: whether it is a normal or advance move, in which MONSTERS and VEHICLES pass through everything but each
            other. RULING: 11e.core.17.01-moving-through-models we read "except other MONSTERS and VEHICLES" as holding
            for friendly ones too.
    """
    blocked = np.broadcast_to(around.foe & (not through_enemies), (len(rows), len(around.rows))).copy()
    if large:
        blocked[facts.large[rows]] = facts.large[around.rows]
    blocked[:, facts.aircraft[around.rows]] = False
    return blocked
