"""Ramming: what two vehicles that collide deal to each other."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.armour import DamageResult

__all__ = ["RamRules", "goes_on", "ram_strength"]

_STEP = 3.0
"""Inches for each of which a collision gains Strength."""
_STOPPING = frozenset({DamageResult.STUNNED, DamageResult.IMMOBILISED})


@dataclass(frozen=True)
class RamRules:
    """What is decided about ramming, in an edition that knows it.

    Attributes:
        more_than: inches that the declared drive has to be longer than.
        strength: of the hit that a vehicle deals, by its armour where they collide, the inches that the rammer drove,
            and whether it is a tank.
        cover: the cover save of a vehicle of these keywords against such a hit, None for none; by whether it moved, and
            went flat out, in its last own turn.
    """

    more_than: float
    strength: Callable[..., int]
    cover: Callable[..., int | None]


@rule("6e.ram.strength", "6e.ram.example-land-raider", "6e.ram.example-rhino")
def ram_strength(armour: int, inches: float, *, tank: bool) -> int:
    """The Strength of the hit that a vehicle deals in a collision.

    Args:
        armour: of its own side that collides; each point above 10 counts.
        inches: that the rammer drove before it; every full 3" count, for both.
        tank: whether it is one.

    >>> ram_strength(14, 10.0, tank=True), ram_strength(10, 10.0, tank=False)
    (8, 3)
    """
    return max(armour - 10, 0) + int((inches + TOLERANCE) // _STEP) + tank


@rule("6e.ram.resolve", "6e.ram.target-remains", "6e.ram.target-explodes")
def goes_on(own: Collection[DamageResult], target: DamageResult | None) -> bool:
    """Whether the rammer drives on after a collision: nothing stopped it, and the other vehicle is removed.

    Args:
        own: what it has suffered itself; ``target`` the result that ended the other vehicle, None while it lives.

    A vehicle that is wrecked stays where it was, so that only one that explodes clears the way.
    """
    if any(result.destroys or result in _STOPPING for result in own):
        return False
    return target in (DamageResult.EXPLODES, DamageResult.ANNIHILATED)
