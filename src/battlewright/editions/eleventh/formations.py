"""Finding places for units; see :mod:`battlewright.editions.placing.formations`."""

from __future__ import annotations

from battlewright.editions.placing.formations import (
    STAY,
    Cost,
    away_from_enemies,
    best_shift,
    fits,
    one_by_one,
    pack,
    slots,
    towards,
    wander,
)

__all__ = [
    "STAY",
    "Cost",
    "away_from_enemies",
    "best_shift",
    "fits",
    "one_by_one",
    "pack",
    "slots",
    "towards",
    "wander",
]
