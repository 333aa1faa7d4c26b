"""Lines of sight in the 4th edition: sizes, and that only large models hide others."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from battlewright.core.prisms import Prisms
from battlewright.core.rulebook import rule
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.sight import LARGE, Body, SightRules, seen_past

__all__ = ["combat_hides", "is_taller", "size_of", "size_of_area", "visible_rows"]

SMALL, MEDIUM = 1, 2


@rule("4e.core.fundamentals.sizes")
def size_of(profile: ModelProfile) -> int:
    """The size of a model for sight: swarms 1; vehicles and monstrous creatures 3; everybody else 2."""
    if profile.is_vehicle or profile.kind is Kind.MONSTROUS:
        return LARGE
    return SMALL if profile.has("SWARM") else MEDIUM


@rule("4e.core.movement.area-terrain")
def size_of_area(height: float) -> int:
    """The size of area terrain, by its height in inches.

    RULING: 4e.core.movement.area-terrain where the players have said nothing, up to 1" is of size 1, up to 2" of size 2
    and all that is higher of size 3.
    """
    return SMALL if height <= 1.0 else MEDIUM if height <= 2.0 else LARGE


@rule("4e.core.movement.area-terrain")
def is_taller(profile: ModelProfile, stands: float, height: float, area: float) -> bool:
    """Whether a model is taller than area terrain: of a greater size; on a hill it counts with the size of the hill.

    Args:
        stands: inches at which it stands, ``height`` to its head from there; ``area`` the height of the terrain.
    """
    size = max(size_of(profile), size_of_area(stands)) if stands > 0.0 else size_of(profile)
    return size > size_of_area(area)


@rule("4e.core.movement.combat-as-terrain")
def combat_hides(sizes: Collection[int], shooter: int, target: int) -> bool:
    """Whether a combat that a line of sight leads through blocks it, as area terrain of the size of its largest model:
    it does unless the shooter or his target is of a greater size.

    RULING: 4e.core.movement.combat-as-terrain it is the ground between the models of all units that are locked in it.

    Args:
        sizes: of the models that fight.
    """
    return max(shooter, target) <= max(sizes)


@rule("4e.core.shooting.line-of-sight", "4e.core.shooting.models-rarely-block", "4e.core.movement.individual-features")
def visible_rows(
    rules: SightRules, shooter: Body, models: Sequence[Body], terrain: Prisms | None = None
) -> frozenset[int]:
    """The enemy models that a shooter sees past terrain and past large models of other units, of either side.

    Args:
        models: every other model on the table that could matter.
        terrain: what of the terrain blocks, as upright bodies with their heights.
    """

    def hiding(around: Sequence[Body], place: int, near: NDArray[np.bool_], seen: Collection[int]) -> list[Prisms]:
        own = (shooter.unit, around[place].unit)
        return [
            body.prism
            for body, close in zip(around, near, strict=True)
            if close and body.size >= LARGE and body.unit not in own
        ]

    return seen_past(shooter, models, terrain, hiding)
