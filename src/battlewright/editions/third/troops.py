"""Unit types of the 3rd edition: how jump troops, riders, beasts, large creatures, guns and swarms move and fight."""

from __future__ import annotations

from collections.abc import Collection

from battlewright.core.rulebook import rule
from battlewright.editions.classic.cover import improved_cover
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.weapons import WeaponType

__all__ = [
    "counts_as_moving",
    "hits_on_swarms",
    "swarm_cover",
]

SWARM = "SWARM"
_MOUNTED = (Kind.BIKE, Kind.JETBIKE)


@rule("3e.core.units.bikes", "3e.core.units.jetbikes", "3e.core.units.large-creatures")
def counts_as_moving(kind: Kind, weapon: WeaponType, *, moved: bool, on_bike: bool = True) -> bool:
    """Whether a weapon is fired as after a move.

    Rapid fire and heavy weapons of a bike, and heavy weapons of large creatures, are fired as if it had stood still.

    Args:
        on_bike: whether the weapon is the bike's, not one in its rider's hands.
    """
    if kind in _MOUNTED and on_bike and weapon in (WeaponType.RAPID_FIRE, WeaponType.HEAVY):
        return False
    if kind is Kind.MONSTROUS and weapon is WeaponType.HEAVY:
        return False
    return moved


# -- swarms -----------------------------------------------------------------------------------------------------


@rule("3e.core.units.swarms")
def swarm_cover(keywords: Collection[str], save: int | None) -> int | None:
    """The cover save of a model with what being a swarm adds: 1 better, but nothing in the open."""
    return improved_cover(save, 1) if SWARM in keywords else save


@rule("3e.core.units.swarms")
def hits_on_swarms(keywords: Collection[str], hits: int) -> int:
    """How many hits of a blast a unit takes: a swarm twice as many."""
    return 2 * hits if SWARM in keywords else hits


# -- hit and run ------------------------------------------------------------------------------------------------
