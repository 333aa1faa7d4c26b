"""What an edition decides about vehicles: how they move, whom they carry, how they drive into units."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.damage import VehicleDamage

__all__ = ["VehicleMovement", "VehicleRules"]


@dataclass(frozen=True)
class VehicleMovement:
    """What is decided about the moves of vehicles.

    Attributes:
        terrain_tests: the tests for difficult terrain on a move, each by the number of its dice: by the vehicle's
            keywords, by what it has to do with each piece, and by the inches of the whole move.
        terrain_result: what the faces of such a test do to a vehicle, None for nothing.
        may_reroll_terrain: whether a die of such a test may be thrown again.
    """

    terrain_tests: Callable[[Collection[str], Sequence[Any], float], list[int]]
    terrain_result: Callable[[Collection[str], Sequence[int]], DamageResult | None]
    may_reroll_terrain: Callable[..., bool]


@dataclass(frozen=True)
class VehicleRules:
    """What is decided about vehicles, by what they do.

    Attributes:
        movement: their moves, but for the distances, which go by kind.
        damage: what results of damage tables do to them.
    """

    movement: VehicleMovement
    damage: VehicleDamage
