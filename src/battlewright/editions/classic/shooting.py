"""What an edition decides about shooting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from battlewright.editions.classic.firing import Shots
from battlewright.editions.classic.weapons import WeaponType

__all__ = ["ShootingRules"]


@dataclass(frozen=True)
class ShootingRules:
    """What an edition decides about shooting.

    Attributes:
        shots: what each weapon type fires.
    """

    shots: Mapping[WeaponType, Shots]
